/* One contract over a model, judged on sampled probes: where draws, needs excludes, what leaves the domain is counted apart, the worst is kept. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/sha256.h"
#include "draw.h"
#include "failures.h"
#include "foreign.h"
#include "judge.h"
#include "map_scale.h"

const AuditPlan audit_defaults = {.samples = 64, .seed = 1, .threshold = 1};

enum { TRIES = 50 };       /* drawings for every sample that `where` lets through */

/* --- targets --- */

static int target(Judge *j, Expr *e) {
  j->targets = realloc(j->targets, (size_t)(j->ntargets + 1) * sizeof *j->targets);
  j->targets[j->ntargets] = e;
  return j->ntargets++;
}

/* Largest and smallest value of a history over all times. */
static Expr *extreme(Judge *j, Expr *e, bool max) {
  Eval inner = *j->ev;
  inner.trace = j->trace;
  inner.at_time = NAN;
  TraceMeasure all = {.at = NAN, .from = NAN, .until = NAN, .degree = -1};
  Value *v = trace_value(j->trace, e), *x = trace_extremum(&inner, v, &all, max);
  Expr *out = x->kind == VALUE_FIELD ? x->expr : e;
  value_release(v);
  value_release(x);
  return out;
}

/* Made of probes' own histories by choice alone: within the domain where they are. */
static bool chosen(const Trace *t, Expr *e) { return trace_input_of(t, e) || (e->op == EXPR_IF && chosen(t, e->arg[1]) && chosen(t, e->arg[2])); }

static void bound(Judge *j, Expr *e, double lo, double hi) {
  for (int i = 0; i < j->nbounds; i++)
    if (j->bound[i].e == e) return;
  j->bound = realloc(j->bound, (size_t)(j->nbounds + 1) * sizeof *j->bound);
  j->bound[j->nbounds++] = (Bound){e, lo, hi};
}

static void find_bounds(Judge *j) {
  Trace *t = j->trace;
  for (int a = 0; a < t->napplies; a++)
    for (int i = 0; i < t->m->spec.ninputs; i++) {
      const MapInput *input = &t->m->spec.inputs[i];
      Expr *e = t->applies[a].args[i];
      if (chosen(t, e)) continue;
      double lo = input->lo, hi = input->hi, reach = fmax(fabs(lo), fabs(hi));
      if (!input->history) bound(j, e, lo, hi);
      else if (t->m->spec.mixture == MIXTURE_BALANCED) bound(j, extreme(j, e, true), -reach, reach), bound(j, extreme(j, e, false), -reach, reach);
      else bound(j, extreme(j, e, true), lo, hi), bound(j, extreme(j, e, false), lo, hi);
    }
}

void judge_targets(Judge *j) {
  Trace *t = j->trace;
  target(j, j->form.value);
  j->numerator = j->form.numerator ? target(j, j->form.numerator) : -1;
  j->denominator = j->form.denominator ? target(j, j->form.denominator) : -1;
  j->size = j->form.floor ? target(j, j->form.size) : -1;
  j->floor = j->form.floor ? target(j, j->form.floor) : -1;
  find_bounds(j);
  j->wheres = j->ntargets;
  for (int i = 0; i < t->nwheres; i++) target(j, t->wheres[i]);
  j->needs = j->ntargets;
  for (int i = 0; i < t->nneeds; i++) target(j, t->needs[i].condition);
  j->jumps = j->ntargets;
  for (int i = 0; i < t->njumps; i++) target(j, t->jumps[i]);
  j->bounds = j->ntargets;
  for (int i = 0; i < j->nbounds; i++) target(j, j->bound[i].e);
}

/* --- samples --- */

int judge_row_size(const Judge *j) { return j->trace->nprobes * j->trace->m->spec.width; }

static const char *call_of(const Verdict *v) { return v->call ? v->call : v->contract; }

/* Rows that were drawn, by a hash of their bytes: what is drawn again, of a record or a bank of few histories, is no further evidence. */
typedef struct Drawn { int *slot; size_t mask; } Drawn;

static Drawn drawn_open(int most) {
  Drawn d = {.mask = 64};
  while (d.mask < 2 * (size_t)most) d.mask *= 2;
  d.slot = calloc(d.mask--, sizeof *d.slot);
  return d;
}

/* Is row k of rows a new one? It is kept if it is. */
static bool drawn_first(Drawn *d, const double *rows, size_t width, int k) {
  const double *row = rows + (size_t)k * width;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < width; i++) {
    uint64_t bits;
    memcpy(&bits, &row[i], sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  for (size_t at = hash & d->mask;; at = (at + 1) & d->mask) {
    if (!d->slot[at]) return d->slot[at] = k + 1, true;
    if (!memcmp(rows + (size_t)(d->slot[at] - 1) * width, row, width * sizeof *row)) return false;
  }
}

/* Failures of earlier audits, then samples that `where` lets through, `want` of them; fewer where it lets hardly any through, or there are no more. */
bool judge_draw(Judge *j, Verdict *v, int want) {
  Trace *t = j->trace;
  int size = judge_row_size(j), n = 0, nprobes = t->nprobes ? t->nprobes : 1;
  double *old = j->plan->failures && t->nprobes ? failures_rows(j->plan->failures, t, call_of(v), &j->nbank, &j->mixture) : NULL;
  size_t width = (size_t)(size ? size : 1);
  j->rows = calloc((size_t)(want + j->nbank) * width, sizeof *j->rows);
  j->sample = calloc((size_t)(want + j->nbank), sizeof *j->sample);
  double *some = calloc((size_t)want * width, sizeof *some), *truth = calloc((size_t)want, sizeof *truth);
  bool fine = true, *kept = calloc((size_t)want, sizeof *kept);
  Drawn drawn = drawn_open(want + j->nbank);
  j->recorded = draw_is_recorded(t);
  for (; n < j->nbank; n++) {
    memcpy(j->rows + (size_t)n * width, old + (size_t)n * width, width * sizeof *old);
    j->sample[n] = -1;
    drawn_first(&drawn, j->rows, width, n);
  }
  for (long first = 0; fine && n < want + j->nbank && first < (long)want * TRIES; first += want) {
    if (t->nprobes) draw_probes(t, nprobes, j->plan->seed, first, want, some);
    for (int k = 0; k < want; k++) kept[k] = true;
    for (int w = 0; fine && w < t->nwheres; w++) {
      fine = !j->use.api->run_cheap(j->use.run, want, some, j->wheres + w, truth);
      for (int k = 0; k < want; k++) kept[k] &= truth[k] != 0;
    }
    for (int k = 0; fine && k < want && n < want + j->nbank; k++) {
      if (!kept[k]) continue;
      memcpy(j->rows + (size_t)n * width, some + (size_t)k * width, width * sizeof *some);
      j->sample[n] = first + k;
      if (!t->nprobes || drawn_first(&drawn, j->rows, width, n)) n++;
      else if (first == 0) v->repeated++;
    }
  }
  if (n == want + j->nbank) v->repeated = 0;      /* others took their place */
  free(old);
  free(some);
  free(truth);
  free(kept);
  free(drawn.slot);
  j->n = n;
  return fine;
}

/* --- judging --- */

static const double *values_of(const Judge *j, int sample) { return j->values + (size_t)sample * (size_t)j->ntargets; }

static double value(const Judge *j, int sample, int target) { return target < 0 ? NAN : values_of(j, sample)[target]; }

bool judge_needs(const Judge *j, const double *values, int *which) {
  for (int i = 0; i < j->trace->nneeds; i++)
    if (!(values[j->needs + i] != 0)) return *which = i, false;
  return true;
}

bool judge_inside(const Judge *j, const double *values) {
  for (int i = 0; i < j->nbounds; i++) {
    const Bound *b = &j->bound[i];
    double x = values[j->bounds + i], slack = 1e-9 * fmax(b->hi - b->lo, fmax(fabs(b->lo), fabs(b->hi)));
    if (x < b->lo - slack || x > b->hi + slack) return false;
  }
  for (int i = 0; j->trace->m->smooth && i < j->trace->njumps; i++)
    if (values[j->jumps + i] > 1e-9) return false;
  return true;
}

/* Its probes lie within the ranges of the map: those of a table or an older bank need not. */
static bool drawn_inside(const Judge *j, const double *rows) {
  const MapSpec *spec = &j->trace->m->spec;
  for (int p = 0; p < j->trace->nprobes; p++)
    for (int i = 0; i < spec->ninputs; i++) {
      const MapInput *input = &spec->inputs[i];
      double x = rows[(size_t)p * (size_t)spec->width + (size_t)input->offset], slack = 1e-9 * fmax(input->hi - input->lo, fmax(fabs(input->lo), fabs(input->hi)));
      if (!input->history && (x < input->lo - slack || x > input->hi + slack)) return false;
    }
  return true;
}

void judge_print_row(Buf *out, const Judge *j, const double *rows) {
  const MapSpec *spec = &j->trace->m->spec;
  buf_putc(out, '{');
  for (int p = 0; p < j->trace->nprobes; p++) {
    const double *row = rows + (size_t)p * (size_t)spec->width;
    buf_printf(out, "%s\"%s\":{", p ? "," : "", j->trace->probes[p]);
    for (int i = 0; i < spec->ninputs; i++) {
      const MapInput *input = &spec->inputs[i];
      int n = input->history ? spec->grid->nt : 1;
      buf_printf(out, "%s\"%s\":%s", i ? "," : "", input->name, input->history ? "[" : "");
      for (int k = 0; k < n; k++) {
        if (k) buf_putc(out, ',');
        buf_number(out, row[input->offset + k]);
      }
      if (input->history) buf_putc(out, ']');
    }
    buf_putc(out, '}');
  }
  buf_putc(out, '}');
}

char *judge_id(const Verdict *v, const char *probe) {
  Buf text = {0};
  char hex[65];
  buf_printf(&text, "%s\n%s\n", call_of(v), probe);
  sha256_hex(buf_str(&text), text.len, hex);
  buf_free(&text);
  hex[12] = 0;
  return strdup(hex);
}

static void keep_worst(const Judge *j, int k, Verdict *v) {
  v->violation = value(j, k, 0);
  v->numerator = value(j, k, j->numerator);
  v->denominator = value(j, k, j->denominator);
  v->floor = j->floor >= 0 && value(j, k, j->floor) >= value(j, k, j->size);
  if (!j->trace->nprobes) return;
  Buf probe = {0};
  judge_print_row(&probe, j, j->rows + (size_t)k * (size_t)judge_row_size(j));
  free(v->probe);
  free(v->id);
  v->probe = strdup(buf_str(&probe));
  v->id = judge_id(v, v->probe);
  buf_free(&probe);
}

static void set_reason(Verdict *v, VerdictStatus status, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void set_reason(Verdict *v, VerdictStatus status, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  free(v->reason);
  v->reason = strdup(text);
  v->status = status;
}

static void judge(Judge *j, Verdict *v) {
  int excluded = 0, why = 0, worst = -1;
  const char *missing = NULL;        /* of a model that knows recorded cases alone */
  for (int k = 0; k < j->n; k++) {
    int which = 0;
    if (!judge_inside(j, values_of(j, k)) || !drawn_inside(j, j->rows + (size_t)k * (size_t)judge_row_size(j))) {
      v->outside++;
      continue;
    }
    if (j->failed[k] && foreign_not_recorded(j->failed[k])) {
      excluded++;
      missing = j->failed[k];
      continue;
    }
    if (j->failed[k]) {
      set_reason(v, VERDICT_ERROR, "%s", j->failed[k]);
      keep_worst(j, k, v);
      return;
    }
    if (!judge_needs(j, values_of(j, k), &which)) {
      excluded++;
      why = which;
      continue;
    }
    v->samples++;
    double x = value(j, k, 0);
    const char *unusable = verdict_unusable(x);
    if (unusable) {
      keep_worst(j, k, v);
      set_reason(v, VERDICT_ERROR, "%s", unusable);
      return;
    }
    if (worst < 0 || x > value(j, worst, 0)) worst = k;
  }
  v->excluded = excluded;
  if (worst >= 0) {
    keep_worst(j, worst, v);
    j->worst = worst;
    v->status = v->violation <= v->tolerance * j->plan->threshold ? VERDICT_PASS : VERDICT_FAIL;
  } else if (v->outside) set_reason(v, VERDICT_OOD, "all %d probes leave the domain", v->outside);
  else if (missing) set_reason(v, VERDICT_SKIPPED, "%s (for all %d probes)", missing, excluded);
  else if (excluded) set_reason(v, VERDICT_SKIPPED, "%s (for all %d probes)", j->trace->needs[why].reason, excluded);
  else set_reason(v, VERDICT_SKIPPED, "no probe satisfies its `where`");
}

/* What is known of a replayed probe, line by line. */
static void print_replayed(const Judge *j, const Verdict *v, const double *rows) {
  Buf out = {0};
  buf_printf(&out, "probe %s\n  contract     %s %s\n  inputs       %s\n  status       %s\n  violation    %.10g of at most %.10g\n", v->id, v->hard ? "hard" : "soft", call_of(v), v->probe,
             verdict_status_name(v->status), v->violation, v->tolerance);
  if (!isnan(v->numerator)) buf_printf(&out, "  numerator    %.10g\n  denominator  %.10g%s\n", v->numerator, v->denominator, v->floor ? ", its floor" : "");
  if (v->reason) buf_printf(&out, "  reason       %s\n", v->reason);
  judge_print_fields(&out, j, rows);
  if (!j->ev->host->json) host_print(j->ev->host, buf_str(&out), out.len);
  buf_free(&out);
}

/* The sample of the id that is asked for, by itself. */
static void replay(const Judge *j, const Verdict *of) {
  Host *host = j->ev->host;
  for (int k = 0; k < j->n; k++) {
    Buf probe = {0};
    judge_print_row(&probe, j, j->rows + (size_t)k * (size_t)judge_row_size(j));
    char *id = judge_id(of, buf_str(&probe));
    bool found = !strncmp(id, j->plan->replay, strlen(j->plan->replay));
    free(id);
    buf_free(&probe);
    if (!found) continue;
    Verdict v = verdict_blank();
    v.contract = strdup(of->contract);
    v.call = of->call;
    v.hard = of->hard;
    v.tolerance = of->tolerance;
    v.samples = 1;
    keep_worst(j, k, &v);
    const char *unusable = verdict_unusable(v.violation);
    if (j->failed[k] || unusable) set_reason(&v, VERDICT_ERROR, "%s", j->failed[k] ? j->failed[k] : unusable);
    else v.status = v.violation <= v.tolerance * j->plan->threshold ? VERDICT_PASS : VERDICT_FAIL;
    host->replayed = true;
    if (v.hard && !verdict_passed(&v)) host->contract_failed = true;
    host_note_verdict(host, &v);
    print_replayed(j, &v, j->rows + (size_t)k * (size_t)judge_row_size(j));
    verdict_clear(&v);
    return;
  }
}

bool judge_mixture(const Judge *j, int k, double *out) {
  const MapSpec *spec = &j->trace->m->spec;
  size_t n = (size_t)j->trace->nprobes * (size_t)spec->nbank;
  if (j->sample[k] < 0 || j->recorded) {
    if (!j->mixture || j->recorded || isnan(j->mixture[(size_t)k * n])) return false;
    memcpy(out, j->mixture + (size_t)k * n, n * sizeof *out);
    for (size_t i = 0; i < n; i++)
      if (isnan(out[i])) return false;
    return true;
  }
  double *row = calloc((size_t)spec->width, sizeof *row);
  for (int p = 0; p < j->trace->nprobes; p++) draw_row(spec, j->plan->seed, j->sample[k], p, row, out + (size_t)p * (size_t)spec->nbank);
  free(row);
  return true;
}

static void note_failures(Judge *j, const Verdict *v) {
  FailureBank *bank = j->plan->failures;
  if (!bank || !j->trace->nprobes) return;
  int nbank = j->trace->m->spec.nbank;
  double *mixture = nbank ? calloc((size_t)j->trace->nprobes * (size_t)nbank, sizeof *mixture) : NULL;
  bool known = mixture && v->status == VERDICT_FAIL && judge_mixture(j, j->worst, mixture);
  if (v->status == VERDICT_FAIL && v->id) failures_add(bank, j->trace, call_of(v), v->id, v->probe, known ? mixture : NULL, v->violation, v->tolerance);
  if (v->adversary_id) failures_add(bank, j->trace, call_of(v), v->adversary_id, v->adversary_probe, nbank ? j->found : NULL, v->adversary_kept, v->tolerance);
  free(mixture);
}

static bool run_samples(Judge *j, Verdict *v) {
  int want = j->trace->nprobes ? j->plan->samples : 1;
  if (!judge_draw(j, v, want)) return false;
  j->values = calloc((size_t)(j->n ? j->n : 1) * (size_t)j->ntargets, sizeof *j->values);
  j->failed = calloc((size_t)j->n + 1, sizeof *j->failed);
  if (j->n && j->use.api->run(j->use.run, j->n, j->rows, j->values, j->failed)) return false;
  judge(j, v);
  if (j->plan->replay) return replay(j, v), true;
  if (j->plan->adversary && v->status != VERDICT_ERROR) judge_search(j, v);
  note_failures(j, v);
  return true;
}

/* --- the contract --- */

void judge_close(Judge *j) {
  failures_free(j->failed, j->failed ? j->n : 0);
  free(j->targets);
  free(j->bound);
  free(j->rows);
  free(j->values);
  free(j->sample);
  free(j->mixture);
  free(j->found);
}

/* Beyond the samples: for every input in Z. A proof about the formula itself is one about its field on the mesh where `on_grid` says so. */
void judge_proof(Diags *diags, const ProofOfBound *p, Verdict *v) {
  if (p->proof.truth == PROOF_HOLDS && p->identity) {
    double sampled = isnan(v->adversary) ? v->violation : fmax(v->violation, v->adversary);
    bool contradicted = p->on_grid && sampled > 1e-6;
    if (contradicted) diag_report(diags, E3034, v->span, "`%s` is proved to be 0 for every input (%s), and a sample gave %g", v->contract, p->proof.reason, sampled);
    if (contradicted) set_reason(v, VERDICT_ERROR, "internal error: the violation is proved to be 0 (%s), and a sample gave %g", p->proof.reason, sampled);
    else if (v->status == VERDICT_PASS && (p->on_grid || v->violation <= 1e-9)) set_reason(v, VERDICT_PASS, "%s", p->proof.reason), v->proved = true;   /* else of the formula alone */
  } else if (isfinite(p->certified) && p->certified >= v->violation) v->bound = p->certified;
}

bool audit_contract(Eval *ev, Trace *trace, Value *violation, double tolerance, const AuditPlan *plan, Verdict *out) {
  Judge j = {.ev = ev, .trace = trace, .plan = plan, .form = violation_of(trace, violation->expr)};
  out->tolerance = tolerance;
  judge_targets(&j);
  double samples = plan->samples + (plan->adversary ? (double)plan->starts * plan->steps : 0);
  bool fine = tape_use_open(ev, trace, j.targets, j.ntargets, &violation->deps, (int)fmin(samples, 1e7), &j.use);
  if (fine) {
    fine = run_samples(&j, out);
    tape_use_close(&j.use);
  }
  if (fine && verdict_measured(out)) {
    ProofOfBound p = proof_of_violation(ev, trace, violation->expr, out->tolerance, plan->proof_work);
    judge_proof(&ev->host->diags, &p, out);
  }
  judge_close(&j);
  return fine;
}

bool audit_non_trivial(Eval *ev, Value *subject, Span span, Verdict *out) {
  Value *map = value_map(subject);
  TraceMeasure all = {.at = NAN, .from = NAN, .until = NAN, .degree = -1, .span = span};
  double sum = 0;
  bool fine = true, nothing = true;
  for (int o = 0; fine && o < map->map->spec.noutputs; o++) {
    Value *size = map_response(ev, subject, o, NULL, &all), *of = is_poison(size) ? value_poison() : map_scale(ev, map, o, NULL, &all);
    fine = !is_poison(size) && !is_poison(of);
    if (fine && of->number > 0) {
      nothing = false;
      sum += pow(size->number / of->number, 2);
    }
    value_release(size);
    value_release(of);
  }
  if (!fine) return false;
  double ratio = sqrt(sum / map->map->spec.noutputs);
  out->tolerance = 1e-9;
  out->violation = fmax(0, 1 - ratio / 0.1);
  if (isnan(ratio)) set_reason(out, VERDICT_ERROR, "the response of the model is not a number");
  else if (nothing) set_reason(out, VERDICT_SKIPPED, "the map itself answers with nothing");
  else out->status = out->violation <= out->tolerance ? VERDICT_PASS : VERDICT_FAIL;
  return true;
}
