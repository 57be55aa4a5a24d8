/* What a contract's violation is on the reference, the map itself or recorded cases of it, and what rounding alone makes of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "judge.h"
#include "map_scale.h"
#include "predictor_rounded.h"

enum { SAMPLES = 8, CASES_MOST = 64 };

static int samples_of(const AuditPlan *plan) {
  int n = 0;
  if (plan->recorded && foreign_record_rows(plan->recorded, &n)) return n < CASES_MOST ? n : CASES_MOST;
  return plan->calibrate > 0 ? plan->calibrate : SAMPLES;
}

/* The map is asked, or what stands for it. */
static void ask(Trace *t, Predictor *predictor) {
  for (int a = 0; a < t->napplies; a++)
    if (t->applied[a] == t->map) t->applies[a].predictor = predictor;
}

static bool run(Judge *j) {
  j->values = realloc(j->values, (size_t)(j->n + 1) * (size_t)j->ntargets * sizeof *j->values);
  failures_free(j->failed, j->failed ? j->n : 0);
  j->failed = calloc((size_t)j->n + 1, sizeof *j->failed);
  return !j->n || !j->use.api->run(j->use.run, j->n, j->rows, j->values, j->failed);
}

/* The violation of sample k; NAN where it has none. */
static double measured(const Judge *j, int k) {
  const double *v = j->values + (size_t)k * (size_t)j->ntargets;
  int which;
  bool usable = !j->failed[k] && judge_inside(j, v) && judge_needs(j, v, &which) && !verdict_unusable(v[0]);
  return usable ? fmax(0, v[0]) : NAN;
}

static int measure(const Judge *j, double *values) {
  int n = 0;
  for (int k = 0; k < j->n; k++) n += !isnan(values[k] = measured(j, k));
  return n;
}

/* The same samples with every prediction rounded. */
static bool run_rounded(Judge *j, bool single) {
  Trace *t = j->trace;
  Predictor **exact = calloc((size_t)t->napplies + 1, sizeof *exact);
  for (int a = 0; a < t->napplies; a++) {
    exact[a] = t->applies[a].predictor;
    t->applies[a].predictor = predictor_rounded(exact[a], single);
  }
  bool fine = run(j);
  for (int a = 0; a < t->napplies; a++) {
    t->applies[a].predictor->ops->free(t->applies[a].predictor);
    t->applies[a].predictor = exact[a];
  }
  free(exact);
  return fine;
}

bool audit_reference(Eval *ev, Trace *t, Value *violation, const AuditPlan *plan, bool single, Reference *out) {
  AuditPlan own = *plan;
  own.failures = NULL;
  Judge j = {.ev = ev, .trace = t, .plan = &own, .form = violation_of(t, violation->expr)};
  Verdict blank = verdict_blank();
  int want = t->nprobes ? samples_of(plan) : 1;
  *out = (Reference){.violation = NAN, .rounding = NAN};
  t->rows_from = plan->recorded;
  ask(t, plan->recorded ? plan->recorded : map_remembered(t->map->map));
  judge_targets(&j);
  bool fine = tape_use_open(ev, t, j.targets, j.ntargets, &violation->deps, 2 * want, &j.use);
  if (fine) {
    fine = judge_draw(&j, &blank, want) && run(&j);
    double *values = calloc((size_t)j.n + 1, sizeof *values), *rounded = calloc((size_t)j.n + 1, sizeof *rounded);
    int n = fine ? measure(&j, values) : 0;
    out->recorded = plan->recorded && n;
    if (fine && !n && plan->recorded) {      /* it asks for cases that are not recorded: the map answers at the recorded inputs */
      ask(t, map_remembered(t->map->map));
      fine = run(&j);
      n = fine ? measure(&j, values) : 0;
    }
    fine = fine && (!n || run_rounded(&j, single));
    if (fine && n) measure(&j, rounded);
    for (int k = 0; fine && n && k < j.n; k++) {
      if (isnan(values[k])) continue;
      out->violation = fmax(isnan(out->violation) ? 0 : out->violation, values[k]);
      if (!isnan(rounded[k])) out->rounding = fmax(isnan(out->rounding) ? 0 : out->rounding, fabs(rounded[k] - values[k]));
    }
    out->samples = n;
    free(values);
    free(rounded);
    tape_use_close(&j.use);
  }
  judge_close(&j);
  verdict_clear(&blank);
  return fine;
}
