/* Quantities on regular grids: sampled from fields, read, spoilt like measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/design.h"
#include "measure.h"
#include "samples.h"

static SamplesValue *samples_of(Call *call, int at) {
  Value *v = ARG(at);
  if (v->kind == VALUE_SAMPLES) return v->samples;
  diag_suggest(diag_report(&call->ev->host->diags, E0505, call->spans[at], "`%s` takes samples; this is %s %s", call->row->name, value_article(v), value_kind_name(v)), "sampled(u, [64, 64]) and read_samples(\"f.h5\") give some");
  return NULL;
}

/* --- sampled --- */

enum { S_FIELD, S_POINTS, S_TIMES, S_AS };

static bool read_points(Call *call, int dim, int *n) {
  Value *v = ARG(S_POINTS);
  if (v->kind == VALUE_RANGE || v->n != dim) {
    diag_suggest(diag_report(&call->ev->host->diags, E0505, call->spans[S_POINTS], "points: is a number of nodes for each of %d direction%s", dim, dim == 1 ? "" : "s"), dim == 1 ? "write [64]" : dim == 2 ? "write [64, 64]" : "write [32, 32, 32]");
    return false;
  }
  for (int i = 0; i < dim; i++) {
    double k = 2;
    if (is_unknown(v->items[i])) continue;
    if (!eval_to_number(call->ev, v->items[i], call->spans[S_POINTS], "a number of nodes", UNIT_NONE, &k)) return false;
    if (!(k >= 2 && k <= 1e5 && k == floor(k))) {
      diag_report(&call->ev->host->diags, E0506, call->spans[S_POINTS], "a direction has 2 to 100000 nodes, not %g", k);
      return false;
    }
    n[i] = (int)k;
  }
  return true;
}

/* The transient solution in the field, or NULL. */
static const Value *transient_of(const Call *call, const Deps *deps, SolutionInfo *info) {
  for (int i = 0; i < deps->n; i++) {
    if (deps->solutions[i]->kind != VALUE_SOLUTION || !deps->solutions[i]->solution) continue;
    call->ev->host->api->solution_info(deps->solutions[i]->solution, info);
    if (info->transient) return deps->solutions[i];
  }
  return NULL;
}

static bool add_axis(SamplesValue *s, Host *host, const char *name, Unit unit, int n) {
  s->axis[s->naxes++] = (SampleAxis){intern_text(host->names, name), unit, n, malloc((size_t)n * sizeof(double))};
  return true;
}

/* times: a list; all kept states of a transient solution; none of a steady field. */
static bool add_times(Call *call, const Deps *deps, bool moves, SamplesValue *s) {
  Host *host = call->ev->host;
  SolutionInfo info;
  const Value *times = ARG(S_TIMES);
  if (times && times->kind != VALUE_LIST) {
    diag_report(&host->diags, E0505, call->spans[S_TIMES], "times: is a list");
    return false;
  }
  if (times) {
    add_axis(s, host, "t", host_time_unit(host), times->n);
    for (int k = 0; k < times->n; k++) {
      if (!eval_to_number(call->ev, times->items[k], call->spans[S_TIMES], "a time", host_time_unit(host), &s->axis[0].at[k])) return false;
      if (!k || s->axis[0].at[k] > s->axis[0].at[k - 1]) continue;
      diag_report(&host->diags, E0506, call->spans[S_TIMES], "times rise");
      return false;
    }
    return times->n > 0;
  }
  if (moves && transient_of(call, deps, &info)) {
    add_axis(s, host, "t", host_time_unit(host), info.nstates);
    memcpy(s->axis[0].at, info.times, (size_t)info.nstates * sizeof(double));
  }
  return true;
}

/* One state: the nodes with x fastest. */
static bool sample_state(Call *call, Target *t, const Deps *deps, double time, const double *x, size_t n, double *out) {
  Value *field = value_field(t->expr, deps), *at = isnan(time) ? value_retain(field) : with_field_time(call->ev, field, time);
  WorldBuffers w;
  world_open(call->ev, deps, time, &w);
  Status status = call->ev->host->api->points(call->ev->host->engine, at->expr, t->mesh, (int)n, x, NULL, &w.world, &call->ev->host->diags, call->span, out);
  world_close(&w);
  value_release(field);
  value_release(at);
  return !status;
}

static bool fill(Call *call, Target *t, SamplesValue *s) {
  bool moves = s->naxes && !strcmp(s->axis[0].name, "t");
  int dim = t->mesh->dim, first = moves;
  size_t n = samples_count(s) / (moves ? (size_t)s->axis[0].n : 1);
  double *x = malloc(n * (size_t)dim * sizeof *x + 1);
  for (size_t k = 0; k < n; k++) {
    size_t rest = k;
    for (int d = 0; d < dim; d++) {                                 /* x is the last axis */
      const SampleAxis *a = &s->axis[first + dim - 1 - d];
      x[k * (size_t)dim + (size_t)d] = a->at[rest % (size_t)a->n];
      rest /= (size_t)a->n;
    }
  }
  s->values = calloc(samples_count(s) + 1, sizeof(double));
  bool fine = true;
  for (int k = 0; k < (moves ? s->axis[0].n : 1) && fine; k++) fine = sample_state(call, t, &t->deps, moves ? s->axis[0].at[k] : NAN, x, n, s->values + (size_t)k * n);
  free(x);
  return fine;
}

static Name name_of(Call *call, const Expr *e) {
  const Value *as = ARG(S_AS);
  if (as && !is_unknown(as)) return intern_text(call->ev->host->names, as->kind == VALUE_WORD ? as->word : as->text);
  return e->op == EXPR_SYMBOL ? e->name : intern_text(call->ev->host->names, "u");
}

static Value *run_sampled(Call *call) {
  Host *host = call->ev->host;
  static const char *const names[] = {"x", "y", "z"};
  Value *early = measure_too_early(call);
  if (early) return early;
  Target t;
  int n[3] = {2, 2, 2};
  bool fine = target_open(call->ev, ARG(S_FIELD), NULL, call->spans[S_FIELD], &t);
  if (fine && t.expr->shape.rank) {
    diag_report(&host->diags, E0301, call->spans[S_FIELD], "sampled wants a scalar field: name a component");
    fine = false;
  }
  fine = fine && read_points(call, t.dim, n);
  if (fine && call->ev->dry) {
    target_free(&t);
    return value_unknown();                      /* whether it has times only the run knows */
  }
  SamplesValue *s = calloc(1, sizeof *s);
  if (fine) {
    s->name = name_of(call, t.expr);
    s->unit = t.expr->unit.any ? UNIT_NONE : t.expr->unit;
  }
  fine = fine && add_times(call, &t.deps, (t.expr->flags & (HAS_FIELD | HAS_TIME)) != 0, s);
  for (int d = fine ? t.dim - 1 : -1; d >= 0; d--) {
    add_axis(s, host, names[d], host_length_unit(host), n[d]);
    for (int k = 0; k < n[d]; k++) s->axis[s->naxes - 1].at[k] = k == n[d] - 1 ? t.mesh->hi[d] : t.mesh->lo[d] + (t.mesh->hi[d] - t.mesh->lo[d]) * k / (n[d] - 1);
  }
  fine = fine && fill(call, &t, s);
  target_free(&t);
  if (fine) return samples_value(s);
  samples_free(s);
  return value_poison();
}

static Value *run_read_samples(Call *call) {
  if (!ARG(0)->known) return value_unknown();
  char *path = host_input_path(call->ev, ARG(0)->text, call->spans[0]);
  if (!path) return value_poison();
  SamplesValue *s = call->ev->dry ? NULL : samples_read(call->ev, path, ARG(1) ? ARG(1)->text : NULL, call->spans[0]);      /* the script may write it */
  free(path);
  return s ? samples_value(s) : call->ev->dry ? value_unknown() : value_poison();
}

/* --- noisy, without --- */

static Value *unknown_like(const SamplesValue *s) {
  SamplesValue *copy = samples_like(s, false);
  free(copy->values);
  copy->values = NULL;
  return samples_value(copy);
}

static Value *run_noisy(Call *call) {
  if (is_unknown(ARG(0)) && ARG(0)->kind != VALUE_SAMPLES) return value_unknown();
  const SamplesValue *from = samples_of(call, 0);
  double relative = 0, seed = ARG(2) ? ARG(2)->number : 1;
  if (!from) return value_poison();
  if (!is_unknown(ARG(1)) && !eval_to_number(call->ev, ARG(1), call->spans[1], "a relative noise", UNIT_NONE, &relative)) return value_poison();
  if (relative < 0 || !(seed >= 0 || (ARG(2) && is_unknown(ARG(2))))) {
    diag_report(&call->ev->host->diags, E0506, call->spans[relative < 0 ? 1 : 2], "%s is not negative", relative < 0 ? "a relative noise" : "a seed");
    return value_poison();
  }
  if (!ARG(0)->known || is_unknown(ARG(1)) || (ARG(2) && is_unknown(ARG(2)))) return unknown_like(from);
  SamplesValue *s = samples_like(from, true);
  double sigma = relative * samples_rms(from);
  for (size_t k = samples_count(s); k-- > 0;) {
    Draw draw = draw_open((uint64_t)seed, 3, k);
    s->values[k] += sigma * draw_normal(&draw);
  }
  return samples_value(s);
}

static Value *run_without(Call *call) {
  static const char *const names[] = {NULL, "x", "y", "z", "t"};
  if (is_unknown(ARG(0)) && ARG(0)->kind != VALUE_SAMPLES) return value_unknown();
  const SamplesValue *from = samples_of(call, 0);
  if (!from) return value_poison();
  bool known = ARG(0)->known;
  for (int k = 1; k <= 4; k++) {
    if (!ARG(k) || !known) continue;
    known = !is_unknown(ARG(k));
    if (!known || samples_axis(from, names[k]) >= 0) continue;
    diag_report(&call->ev->host->diags, E4061, call->spans[k], "the samples of `%s` have no axis %s", from->name, names[k]);
    return value_poison();
  }
  if (!known) return unknown_like(from);
  SamplesValue *s = samples_like(from, true);
  for (size_t k = samples_count(s); k-- > 0;) {
    size_t rest = k;
    bool inside = true;
    for (int d = s->naxes - 1; d >= 0; d--) {
      const SampleAxis *a = &s->axis[d];
      double at = a->at[rest % (size_t)a->n];
      rest /= (size_t)a->n;
      for (int i = 1; i <= 4; i++)
        if (ARG(i) && !strcmp(names[i], a->name)) inside = inside && at >= ARG(i)->from && at <= ARG(i)->to;
    }
    if (inside) s->values[k] = NAN;
  }
  return samples_value(s);
}

/* --- agreement --- */

static bool same_places(const SamplesValue *a, const SamplesValue *b) {
  bool same = a->naxes == b->naxes;
  for (int d = 0; d < a->naxes && same; d++) {
    const SampleAxis *p = &a->axis[d], *q = &b->axis[d];
    same = p->name == q->name && p->n == q->n;
    for (int i = 0; i < p->n && same; i++) same = fabs(p->at[i] - q->at[i]) <= 1e-9 * (fabs(p->at[p->n - 1]) + fabs(p->at[0]));
  }
  return same;
}

static Value *run_agreement(Call *call) {
  for (int k = 0; k < 3; k++)
    if (ARG(k) && ARG(k)->kind == VALUE_UNKNOWN) return value_unknown();
  const SamplesValue *a = samples_of(call, 0), *b = a ? samples_of(call, 1) : NULL, *w = b && ARG(2) ? samples_of(call, 2) : NULL;
  if (!a || !b || (ARG(2) && !w)) return value_poison();
  if (!ARG(0)->known || !ARG(1)->known || (w && !ARG(2)->known)) return value_unknown();
  if (!same_places(a, b) || (w && !same_places(a, w)) || !unit_fits(a->unit, b->unit)) {
    REPORT(E4061, "samples are compared at the same places and in one unit");
    return value_poison();
  }
  Agreement found = samples_agreement(samples_count(a), a->values, b->values, w ? w->values : NULL);
  Value *v = value_new(VALUE_RECORD);
  v->fields = calloc(2, sizeof *v->fields);
  v->fields[v->nfields++] = (Argument){intern_text(call->ev->host->names, "correlation"), value_number(found.correlation, UNIT_NONE), call->span};
  v->fields[v->nfields++] = (Argument){intern_text(call->ev->host->names, "relative_l2"), value_number(found.relative_l2, UNIT_NONE), call->span};
  return v;
}

const BuiltinRow builtin_samples[] = {
    {"sampled", "(u: field, points: list, times: list = none, as: any = none)", "samples",
     "A field at the nodes of a regular grid over the box of its mesh, both ends included, points: [nx, ny]; of a transient solution at all its kept states, or at times: [..]. as: \"h\" names it. "
     "Members: its axes .x .y .t, .count, .missing, .rms. `s at 0.5` is one time. export(s, \"f.h5\") writes it; it stands for a field (linear between nodes) wherever one may stand.",
     NULL, run_sampled},
    {"read_samples", "(path: string, name: string = none)", "samples",
     "A quantity on a regular grid out of an .h5 or .npz file: x [nx], y [ny], t [nt] where there are times, and the quantity by its name, [nt][ny][nx]. It stands for a field: solve(p, m, k: read_samples(\"k.npz\")).", NULL, run_read_samples},
    {"noisy", "(s: any, relative: number, seed: int = 1)", "samples", "Samples with independent Gaussian noise, whose deviation is `relative` times their root mean square. The noise of a seed is the same on every machine.", NULL, run_noisy},
    {"without", "(s: any, x: range = none, y: range = none, z: range = none, t: range = none)", "samples", "Samples whose values in a block (closed ranges; all of an axis that is not named) are missing.", NULL, run_without},
    {"agreement", "(s: any, truth: any, weight: any = none)", "samples",
     "How samples agree with others at the same places: .correlation is Pearson's r, .relative_l2 the root of the sum of squares of their difference over that of the truth. weight: samples from 0 to 1, places that count less: the information of a fitted field.",
     NULL, run_agreement},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
