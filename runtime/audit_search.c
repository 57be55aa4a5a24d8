/* The adversary: the model is held fixed, and the largest violation is searched over the inputs of the probes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/probe_space.h"
#include "draw.h"
#include "failures.h"
#include "judge.h"

enum { SEEDS = 16 };

typedef struct Search {
  Judge *j;
  ProbeSpace space;
  double *rows, *slopes, *values, *truth; char **failed;
  bool guarded;                /* needs or bounds decide which points count */
  int room;
} Search;

static void make_room(Search *s, int n) {
  if (n <= s->room) return;
  size_t size = (size_t)judge_row_size(s->j);
  s->rows = realloc(s->rows, (size_t)n * size * sizeof *s->rows);
  s->slopes = realloc(s->slopes, (size_t)n * size * sizeof *s->slopes);
  s->values = realloc(s->values, (size_t)n * (size_t)s->j->ntargets * sizeof *s->values);
  s->truth = realloc(s->truth, (size_t)n * sizeof *s->truth);
  s->failed = realloc(s->failed, (size_t)n * sizeof *s->failed);
  s->room = n;
}

/* Points that `where`, a precondition or the domain leaves out have no value. */
static bool guard(Search *s, int n, double *values, bool evaluated) {
  Judge *j = s->j;
  const TapeApi *api = j->use.api;
  for (int w = 0; w < j->trace->nwheres; w++) {
    if (api->run_cheap(j->use.run, n, s->rows, j->wheres + w, s->truth)) return false;
    for (int k = 0; k < n; k++)
      if (s->truth[k] == 0) values[k] = NAN;
  }
  if (!s->guarded) return true;
  if (!evaluated) {
    memset(s->failed, 0, (size_t)n * sizeof *s->failed);
    if (api->run(j->use.run, n, s->rows, s->values, s->failed)) return false;
    for (int k = 0; k < n; k++) free(s->failed[k]);
  }
  for (int k = 0; k < n; k++) {
    const double *v = s->values + (size_t)k * (size_t)j->ntargets;
    int which;
    if (!judge_inside(j, v) || !judge_needs(j, v, &which)) values[k] = NAN;
  }
  return true;
}

static int evaluate(void *user, int n, const double *u, double smooth, double *values, double *gradient) {
  Search *s = user;
  Judge *j = s->j;
  size_t size = (size_t)judge_row_size(j);
  make_room(s, n);
  for (int k = 0; k < n; k++) probe_space_rows(&s->space, u + (size_t)k * (size_t)s->space.dim, s->rows + (size_t)k * size);
  memset(s->failed, 0, (size_t)n * sizeof *s->failed);
  bool all = !gradient && smooth == 0;
  if (all) {
    if (j->use.api->run(j->use.run, n, s->rows, s->values, s->failed)) return 1;
    for (int k = 0; k < n; k++) values[k] = s->failed[k] ? NAN : s->values[(size_t)k * (size_t)j->ntargets];
  } else {
    memset(s->slopes, 0, (size_t)n * size * sizeof *s->slopes);
    if (j->use.api->gradient(j->use.run, n, s->rows, 0, smooth, values, s->slopes, s->failed)) return 1;
    for (int k = 0; k < n && gradient; k++) probe_space_gradient(&s->space, s->slopes + (size_t)k * size, gradient + (size_t)k * (size_t)s->space.dim);
    for (int k = 0; k < n; k++)
      if (s->failed[k]) values[k] = NAN;
  }
  for (int k = 0; k < n; k++) free(s->failed[k]);
  if (host_stopped(j->ev->host, j->trace->m->span)) return 1;
  return !guard(s, n, values, all);
}

/* The worst samples as points to begin with. */
static double *seeds_of(Search *s, int *count) {
  Judge *j = s->j;
  const MapSpec *spec = &j->trace->m->spec;
  int nprobes = j->trace->nprobes, n = 0;
  double *u = calloc((size_t)SEEDS * (size_t)s->space.dim, sizeof *u), *mixture = calloc((size_t)nprobes * (size_t)spec->nbank + 1, sizeof *mixture);
  bool *taken = calloc((size_t)j->n + 1, sizeof *taken);
  double **a = calloc((size_t)nprobes, sizeof *a);
  while (n < SEEDS) {
    int worst = -1;
    for (int k = 0; k < j->n; k++) {
      bool usable = !taken[k] && !j->failed[k] && !isnan(j->values[(size_t)k * (size_t)j->ntargets]);
      if (usable && (worst < 0 || j->values[(size_t)k * (size_t)j->ntargets] > j->values[(size_t)worst * (size_t)j->ntargets])) worst = k;
    }
    if (worst < 0) break;
    taken[worst] = true;
    if (spec->nbank && !judge_mixture(j, worst, mixture)) continue;
    for (int p = 0; p < nprobes; p++) a[p] = mixture + (size_t)p * (size_t)spec->nbank;
    probe_space_point(&s->space, j->rows + (size_t)worst * (size_t)judge_row_size(j), spec->nbank ? (const double *const *)a : NULL, u + (size_t)n++ * (size_t)s->space.dim);
  }
  free(a);
  free(mixture);
  free(taken);
  *count = n;
  return u;
}

static long calls_of(const Trace *t) {
  long calls = 0;
  for (int i = 0; i < t->napplies; i++) {
    bool before = false;
    for (int k = 0; k < i; k++) before |= t->applies[k].predictor == t->applies[i].predictor;
    if (!before) calls += t->applies[i].predictor->calls;
  }
  return calls;
}

/* The simplest probe that still violates, for people and for the bank of failures. */
static void keep(Search *s, const AdversaryProblem *problem, AdversaryResult *result, Verdict *v) {
  Judge *j = s->j;
  v->adversary = result->value;
  if (!(result->value > v->tolerance * j->plan->threshold)) return;
  double value = result->value;
  probe_space_shrink(&s->space, problem, v->tolerance * j->plan->threshold, result->u, &value);
  probe_space_rows(&s->space, result->u, s->rows);
  int nbank = j->trace->m->spec.nbank;
  j->found = nbank ? calloc((size_t)j->trace->nprobes * (size_t)nbank, sizeof *j->found) : NULL;
  for (int b = 0; b < s->space.nblocks; b++) memcpy(j->found + (size_t)b * (size_t)nbank, result->u + s->space.block[b].first, (size_t)nbank * sizeof *j->found);
  Buf probe = {0};
  judge_print_row(&probe, j, s->rows);
  v->adversary_kept = value;
  free(v->adversary_probe);
  v->adversary_probe = strdup(buf_str(&probe));
  v->adversary_id = judge_id(v, v->adversary_probe);
  buf_free(&probe);
}

void judge_search(Judge *j, Verdict *v) {
  Search s = {.j = j, .guarded = j->trace->nneeds || j->nbounds};
  const char *why = NULL;
  bool predicts = j->trace->napplies > 0 && j->trace->nprobes > 0;
  if (!predicts) {
    v->adversary_why = strdup("nothing to choose");
    return;
  }
  probe_space_open(&j->trace->m->spec, j->trace->nprobes, &s.space);
  make_room(&s, 1);
  AdversaryProblem problem = {.batch = 8, .differentiable = j->use.api->differentiable(j->use.run, 0, &why), .evaluate = evaluate, .user = &s};
  probe_space_problem(&s.space, &problem);
  double *seeds = seeds_of(&s, &problem.nseeds);
  problem.seeds = seeds;
  AdversaryOptions options = {.seed = j->plan->seed, .starts = j->plan->starts, .steps = j->plan->steps};
  AdversaryResult result;
  long before = calls_of(j->trace);
  adversary_run(&problem, &options, &result);
  if (result.value > -INFINITY) keep(&s, &problem, &result, v);
  else v->adversary_why = strdup("no admissible point was found");
  v->adversary_calls = (int)(calls_of(j->trace) - before);
  free(result.u);
  free(seeds);
  free(s.rows);
  free(s.slopes);
  free(s.values);
  free(s.truth);
  free(s.failed);
  probe_space_close(&s.space);
}
