#include "map_scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "tape_use.h"

enum { CALIBRATION = 16, CALIBRATION_SEED = 20 };      /* one bank for all maps: nothing that is judged may choose it */

static const TraceMeasure everywhere = {.at = NAN, .from = NAN, .until = NAN, .degree = -1};

static const MapQuantity outputs_norm = {.kind = "L2"};

/* The norm of one output of m(z), or of a quantity made of it, as a number on a tape. */
static Expr *norm_of(Eval *ev, Value *subject, int output, const MapQuantity *q, const TraceMeasure *m) {
  Value *z = trace_probe(ev->trace, intern_text(ev->host->names, "z"));
  Argument arg = {NULL, z, m->span};
  Value *f = trace_apply(ev, subject, &arg, 1, m->span), *norm = NULL;
  Value *measured = is_poison(f) ? NULL : q->of ? trace_evaluate(ev, q->of, f, false, m->span) : value_retain(f->kind == VALUE_RECORD ? f->fields[output].value : f);
  if (measured && !is_poison(measured)) norm = trace_norm(ev, measured, q->kind, m);
  value_release(measured);
  Expr *e = norm && norm->kind == VALUE_FIELD ? norm->expr : NULL;
  value_release(norm);
  value_release(f);
  value_release(z);
  return e;
}

/* Several scales ask the map for the same answers. */
static void from_memory(const Eval *ev) {
  Trace *t = ev->trace;
  for (int a = 0; a < t->napplies; a++)
    if (t->applied[a] == t->map) t->applies[a].predictor = map_remembered(t->map->map);
}

/* Root mean square over the calibration bank, or the largest; NAN after a report. */
static double over_bank(Eval *ev, Expr *norm, int nprobes, bool largest, Span span) {
  Trace *t = ev->trace;
  const MapSpec *spec = &t->m->spec;
  TapeUse use;
  double *rows = calloc((size_t)CALIBRATION * (size_t)nprobes * (size_t)spec->width, sizeof *rows), values[CALIBRATION], sum = 0, most = 0;
  char **failed = calloc(CALIBRATION, sizeof *failed);
  from_memory(ev);
  draw_probes(t, nprobes, CALIBRATION_SEED, 0, CALIBRATION, rows);
  bool fine = tape_use_open(ev, t, &norm, 1, NULL, CALIBRATION, &use);
  if (fine) {
    fine = !use.api->run(use.run, CALIBRATION, rows, values, failed);
    tape_use_close(&use);
  }
  for (int k = 0; fine && k < CALIBRATION; k++) {
    if (failed[k]) {
      diag_report(&ev->host->diags, E3014, span, "the scale of `%s` cannot be found: %s", spec->name, failed[k]);
      fine = false;
    }
    sum += values[k] * values[k];
    most = fmax(most, fabs(values[k]));
  }
  failures_free(failed, CALIBRATION);
  free(rows);
  return !fine ? NAN : largest ? most : sqrt(sum / CALIBRATION);
}

Value *map_response(Eval *ev, Value *subject, int output, const MapQuantity *quantity, const TraceMeasure *measure) {
  const MapQuantity *q = quantity ? quantity : &outputs_norm;
  const TraceMeasure *m = measure ? measure : &everywhere;
  if (!ev->dry && !map_open(ev, value_map(subject), m->span)) return value_poison();
  Eval inner = *ev;
  inner.trace = trace_new(ev, subject);
  inner.at_time = NAN;
  Expr *norm = norm_of(&inner, subject, output, q, m);
  Value *v = value_poison();
  if (norm) {
    double rms = ev->dry ? NAN : over_bank(&inner, norm, 1, q->largest, m->span);
    Unit unit = norm->unit.any ? UNIT_NONE : norm->unit;
    value_release(v);
    v = ev->dry ? value_number_unknown(unit) : isnan(rms) ? value_poison() : value_number(rms, unit);
  }
  trace_free(inner.trace);
  return v;
}

static bool same_time(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool same_place(const MapScale *s, const Value *place) {
  if (!place) return s->whole;
  if (s->whole || s->on_cells != place->is_region || s->where.n != place->where.n || s->where.all != place->where.all) return false;
  return !s->where.n || !memcmp(s->where.names, place->where.names, (size_t)s->where.n * sizeof(Name));
}

Value *map_scale(Eval *ev, Value *v, int output, const MapQuantity *quantity, const TraceMeasure *measure) {
  const MapQuantity *q = quantity ? quantity : &outputs_norm;
  Value *of = q->of && q->of->kind == VALUE_CONDITION ? q->of->left : q->of;
  Expr *key = of ? eval_to_expr(ev, of, measure->span, NULL) : NULL;
  if (of && !key) return value_poison();
  const TraceMeasure *m = measure ? measure : &everywhere;
  MapValue *map = v->map;
  Value *scale = NULL;
  for (int i = 0; i < map->nscales && !ev->dry; i++) {
    const MapScale *s = &map->scales[i];
    if (s->output == output && s->of == key && s->largest == q->largest && !strcmp(s->kind, q->kind) && same_time(s->at, m->at) && same_time(s->from, m->from) && same_time(s->until, m->until) && same_place(s, m->place)) return value_number(s->value, s->unit);
  }
  scale = map_response(ev, v, output, q, m);
  if (scale->kind != VALUE_NUMBER || !scale->known) return scale;
  map->scales = realloc(map->scales, (size_t)(map->nscales + 1) * sizeof *map->scales);
  MapScale *s = &map->scales[map->nscales++];
  *s = (MapScale){.output = output, .of = key, .kind = q->kind, .largest = q->largest, .whole = !m->place, .at = m->at, .from = m->from, .until = m->until, .value = scale->number, .unit = scale->unit};
  if (m->place) {
    s->on_cells = m->place->is_region;
    s->where = m->place->where;
    s->where.names = malloc((size_t)(s->where.n + 1) * sizeof(Name));
    if (s->where.n) memcpy(s->where.names, m->place->where.names, (size_t)s->where.n * sizeof(Name));
  }
  return scale;
}

Value *map_steepness(Eval *ev, Value *map, Span span) {
  if (!ev->dry && !map_open(ev, map, span)) return value_poison();
  static const char *const names[] = {"z", "w"};
  Eval inner = *ev;
  inner.trace = trace_new(ev, map);
  inner.at_time = NAN;
  Value *probe[2], *f[2], *steep = value_poison();
  for (int i = 0; i < 2; i++) {
    probe[i] = trace_probe(inner.trace, intern_text(ev->host->names, names[i]));
    f[i] = trace_apply(&inner, map, &(Argument){NULL, probe[i], span}, 1, span);
  }
  Value *gap = eval_binary(&inner, OP_SUB, f[0], f[1], span, span, span);
  TraceMeasure m = everywhere;
  m.span = span;
  Value *norm = is_poison(gap) ? value_poison() : trace_norm(&inner, gap, "L2", &m), *distance = trace_distance(&inner, probe[0]->probe, probe[1]->probe, span);
  if (norm->kind == VALUE_FIELD) {
    Expr *ratio = expr_binary(ev->host->pool, EXPR_DIV, norm->expr, distance->expr);
    double most = ev->dry ? NAN : over_bank(&inner, ratio, 2, true, span);
    value_release(steep);
    steep = ev->dry ? value_number_unknown(ratio->unit) : isnan(most) ? value_poison() : value_number(most, ratio->unit);
  }
  for (int i = 0; i < 2; i++) value_release(f[i]), value_release(probe[i]);
  value_release(gap);
  value_release(norm);
  value_release(distance);
  trace_free(inner.trace);
  return steep;
}
