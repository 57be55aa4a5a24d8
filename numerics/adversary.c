#include "adversary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"

enum { FILL = 64, PATIENCE = 12, POLLS_MAX = 16, REFINE = 60 };
static const double GAIN = 1e-3;      /* less in PATIENCE steps ends a climb: more basins are worth more than digits, which refining gives to the best */
static const uint32_t STREAM_RANDOM = 1u << 24, STREAM_POLL = 2u << 24;

typedef struct Run {
  const AdversaryProblem *problem;
  AdversaryOptions options;
  AdversaryResult *result;
  size_t dim;
  double *seen, *seen_value; int nseen, room;      /* every point that was evaluated as it is: where climbs start */
  double *basin; int nbasins;                      /* where climbs began and ended */
  long filled;                                     /* points of the filling so far */
  uint64_t polls;
  bool level;                                      /* climbs where no point was better than another found no slope */
} Run;

/* ---- points -------------------------------------------------------------------------------------------------------------------------------------------- */

void adversary_project(const AdversaryProblem *problem, double *u) {
  for (int i = 0; i < problem->nbox; i++) u[i] = u[i] < 0 ? 0 : u[i] > 1 ? 1 : u[i];
  for (int b = 0; b < problem->nblocks; b++) mixture_project(problem->block[b].rule, u + problem->block[b].first, problem->block[b].n);
}

static void draw_blocks(const AdversaryProblem *problem, Draw *draw, double *u) {
  for (int b = 0; b < problem->nblocks; b++) {
    const AdversaryBlock *block = &problem->block[b];
    MixtureDraw mixture = mixture_draw(draw, block->rule, block->n);
    for (int i = 0; i < block->n; i++) u[block->first + i] = 0;
    for (int k = 0; k < mixture.n; k++) u[block->first + mixture.member[k]] = mixture.a[k];
  }
}

void adversary_random(const AdversaryProblem *problem, uint64_t seed, uint32_t stream, uint64_t index, double *u) {
  Draw draw = draw_open(seed, stream, index);
  for (int i = 0; i < problem->nbox; i++) u[i] = draw_uniform(&draw);
  draw_blocks(problem, &draw, u);
}

/* Point `index` of the filling. */
static void filling(const Run *run, long index, double *u) {
  const AdversaryProblem *problem = run->problem;
  Design design = {.kind = DESIGN_SOBOL, .dim = problem->nbox, .seed = run->options.seed + 1, .scramble = true};
  if (problem->nbox) design_point(&design, index, u);
  Draw draw = draw_open(run->options.seed + 1, STREAM_RANDOM, (uint64_t)index);
  draw_blocks(problem, &draw, u);
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------------------------------------------ */

static long left(const Run *run) { return run->options.budget - run->result->evaluations; }

static void keep_best(Run *run, const double *u, double value, AdversaryPhase phase) {
  if (isnan(value) || !(value > run->result->value)) return;
  run->result->value = value;
  run->result->phase = phase;
  memcpy(run->result->u, u, sizeof(double) * run->dim);
}

static void remember(Run *run, const double *u, double value) {
  if (run->nseen == run->room) {
    run->room = run->room ? 2 * run->room : 256;
    run->seen = realloc(run->seen, sizeof(double) * (size_t)run->room * run->dim);
    run->seen_value = realloc(run->seen_value, sizeof(double) * (size_t)run->room);
  }
  memcpy(run->seen + (size_t)run->nseen * run->dim, u, sizeof(double) * run->dim);
  run->seen_value[run->nseen++] = value;
}

/* Values of n points. gradient NULL: as they are, which also counts for the best and for later starts. */
static void evaluate(Run *run, int n, const double *u, double *values, double *gradient, AdversaryPhase phase) {
  const AdversaryProblem *problem = run->problem;
  int batch = problem->batch > 0 ? problem->batch : n;
  double smooth = gradient ? run->options.smooth : 0;
  for (int at = 0; at < n; at += batch) {
    int some = n - at < batch ? n - at : batch;
    for (int i = 0; i < some; i++) values[at + i] = NAN;
    if (run->result->stopped) continue;
    run->result->stopped = problem->evaluate(problem->user, some, u + (size_t)at * run->dim, smooth, values + at, gradient ? gradient + (size_t)at * run->dim : NULL) != 0;
    run->result->evaluations += some;
    run->result->gradients += gradient ? some : 0;
  }
  for (int i = 0; i < n; i++) {
    if (smooth > 0) continue;
    keep_best(run, u + (size_t)i * run->dim, values[i], phase);
    if (!gradient) remember(run, u + (size_t)i * run->dim, values[i]);
  }
}

/* ---- random points, seeds, filling ------------------------------------------------------------------------------------------------------------------------- */

static void look(Run *run, int n, AdversaryPhase phase) {
  double *u = malloc(sizeof(double) * (size_t)(n + 1) * run->dim), *values = malloc(sizeof(double) * (size_t)(n + 1));
  for (int i = 0; i < n; i++) {
    double *at = u + (size_t)i * run->dim;
    if (phase == ADVERSARY_RANDOM) adversary_random(run->problem, run->options.seed, STREAM_RANDOM, (uint64_t)i, at);
    else if (phase == ADVERSARY_FILLING) filling(run, run->filled++, at);
    else {
      memcpy(at, run->problem->seeds + (size_t)i * run->dim, sizeof(double) * run->dim);
      adversary_project(run->problem, at);
    }
  }
  evaluate(run, n, u, values, NULL, phase);
  free(u), free(values);
}

static void fill(Run *run, long n) {
  for (; n > 0 && left(run) > 0 && !run->result->stopped; n -= FILL) {
    long some = n < FILL ? n : FILL;
    look(run, (int)(some < left(run) ? some : left(run)), ADVERSARY_FILLING);
  }
}

/* Is one point better than another? Else there is no basin yet. */
static bool something(const Run *run) {
  double lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < run->nseen; i++)
    if (!isnan(run->seen_value[i])) lo = fmin(lo, run->seen_value[i]), hi = fmax(hi, run->seen_value[i]);
  return hi > lo;
}

/* ---- starts ------------------------------------------------------------------------------------------------------------------------------------------------ */

static double distance2(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

static void add_basin(Run *run, const double *u) {
  run->basin = realloc(run->basin, sizeof(double) * (size_t)(run->nbasins + 1) * run->dim);
  memcpy(run->basin + (size_t)run->nbasins++ * run->dim, u, sizeof(double) * run->dim);
}

/* The best points that lie apart from each other and from where climbs have been. Returns their number. */
static int choose_starts(Run *run, int most, double *u) {
  double apart = 0.12 * 0.12 * (double)run->dim;
  bool *taken = calloc((size_t)run->nseen + 1, sizeof(bool));
  int n = 0, known = run->nbasins;
  for (int pass = 0; pass < 2 && n < most; pass++)      /* those too near come second */
    while (n < most) {
      int best = -1;
      for (int i = 0; i < run->nseen; i++) {
        if (taken[i] || isnan(run->seen_value[i]) || (best >= 0 && !(run->seen_value[i] > run->seen_value[best]))) continue;
        bool fresh = true;
        for (int b = 0; b < run->nbasins && fresh; b++)
          fresh = distance2(run->seen + (size_t)i * run->dim, run->basin + (size_t)b * run->dim, run->dim) > (pass && b >= known ? 0 : apart);
        if (fresh) best = i;
        else if (!pass) continue;
      }
      if (best < 0) break;
      taken[best] = true;
      memcpy(u + (size_t)n++ * run->dim, run->seen + (size_t)best * run->dim, sizeof(double) * run->dim);
      add_basin(run, run->seen + (size_t)best * run->dim);
    }
  free(taken);
  return n;
}

/* ---- climbing with gradients -------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Climber {
  double *u, *m, *v, *best;
  double value;                /* of best */
  int since;                   /* steps without gain */
  bool done, flat, patient;    /* patient: goes on without gain */
} Climber;

static void climber_open(Climber *c, size_t dim, const double *start) {
  *c = (Climber){malloc(sizeof(double) * dim), calloc(dim, sizeof(double)), calloc(dim, sizeof(double)), malloc(sizeof(double) * dim), -INFINITY, 0, false, false, false};
  memcpy(c->u, start, sizeof(double) * dim);
  memcpy(c->best, start, sizeof(double) * dim);
}

static void climber_close(Climber *c) { free(c->u), free(c->m), free(c->v), free(c->best); }

/* Adam in the box. Coefficients keep the proportions of their slopes, which the projection needs to choose between them. */
static void adam(const AdversaryProblem *problem, Climber *c, const double *gradient, int step, double rate) {
  const double b1 = 0.9, b2 = 0.999;
  double correct1 = 1 - pow(b1, step), correct2 = 1 - pow(b2, step);
  for (int i = 0; i < problem->dim; i++) {
    double g = isfinite(gradient[i]) ? gradient[i] : 0;
    c->m[i] = b1 * c->m[i] + (1 - b1) * g;
    c->v[i] = b2 * c->v[i] + (1 - b2) * g * g;
    if (i < problem->nbox && c->v[i] > 0) c->u[i] += rate * c->m[i] / correct1 / (sqrt(c->v[i] / correct2) + 1e-300);
  }
  for (int b = 0; b < problem->nblocks; b++) {
    const AdversaryBlock *block = &problem->block[b];
    double largest = 0;
    for (int i = 0; i < block->n; i++) largest = fmax(largest, fabs(c->m[block->first + i]));
    for (int i = 0; i < block->n && largest > 0; i++) c->u[block->first + i] += rate * c->m[block->first + i] / largest;
  }
  adversary_project(problem, c->u);
}

static bool is_zero(const double *g, size_t n) {
  for (size_t i = 0; i < n; i++) if (g[i] != 0 && !isnan(g[i])) return false;
  return true;
}

/* What a climber makes of its value and slope. */
static void advance(const Run *run, Climber *c, double value, const double *gradient, int step, int steps) {
  if (isnan(value)) {      /* out of what is admissible: back, with small momentum */
    memcpy(c->u, c->best, sizeof(double) * run->dim);
    for (size_t i = 0; i < run->dim; i++) c->m[i] *= 0.3;
    c->done = ++c->since > PATIENCE || !isfinite(c->value);
    return;
  }
  bool gain = value > c->value + GAIN * fabs(c->value);
  if (value > c->value) c->value = value, memcpy(c->best, c->u, sizeof(double) * run->dim);
  c->since = gain ? 0 : c->since + 1;
  if (is_zero(gradient, run->dim) && is_zero(c->m, run->dim)) c->flat = c->done = true;
  if (c->since > PATIENCE && !c->patient) c->done = true;
  if (!c->done) adam(run->problem, c, gradient, step, run->options.rate * (0.02 + 0.98 * 0.5 * (1 + cos(M_PI * step / steps))));
}

/* All climbers step together. Returns how many found no slope at all. */
static int climb(Run *run, Climber *climber, int n, int steps) {
  size_t dim = run->dim;
  double *u = malloc(sizeof(double) * (size_t)n * dim), *values = malloc(sizeof(double) * (size_t)n), *gradient = malloc(sizeof(double) * (size_t)n * dim);
  int *of = malloc(sizeof(int) * (size_t)n), flat = 0;
  for (int step = 1; step <= steps && !run->result->stopped; step++) {
    int active = 0;
    for (int k = 0; k < n && active < left(run); k++)
      if (!climber[k].done) memcpy(u + (size_t)active * dim, climber[k].u, sizeof(double) * dim), of[active++] = k;
    if (!active) break;
    evaluate(run, active, u, values, gradient, ADVERSARY_CLIMBING);
    for (int i = 0; i < active; i++) advance(run, &climber[of[i]], values[i], gradient + (size_t)i * dim, step, steps);
  }
  for (int k = 0; k < n; k++) flat += climber[k].flat;
  free(u), free(values), free(gradient), free(of);
  return flat;
}

/* ---- climbing without ------------------------------------------------------------------------------------------------------------------------------------------ */

/* A direction of unit size: a coordinate where there are few, else some of them at random. */
static void direction(Run *run, int k, double *d) {
  size_t dim = run->dim;
  memset(d, 0, sizeof(double) * dim);
  if (dim <= POLLS_MAX) {
    d[k] = 1;
    return;
  }
  Draw draw = draw_open(run->options.seed, STREAM_POLL, run->polls++);
  int some = 1 + draw_below(&draw, 4);
  for (int i = 0; i < some; i++) d[draw_below(&draw, (int)dim)] = draw_sign(&draw) / sqrt(some);
}

/* Looks both ways along each direction from all points at once; a point that finds none better halves its step. */
static void pattern(Run *run, double *u, double *value, int n, double step, double least, AdversaryPhase phase, long reserve) {
  size_t dim = run->dim;
  int polls = dim < POLLS_MAX ? (int)dim : POLLS_MAX, each = 2 * polls;
  double *trial = malloc(sizeof(double) * (size_t)(n * each) * dim), *values = malloc(sizeof(double) * (size_t)(n * each)), *d = malloc(sizeof(double) * dim);
  double *h = malloc(sizeof(double) * (size_t)n);
  for (int k = 0; k < n; k++) h[k] = step;
  for (bool more = true; more && !run->result->stopped;) {
    int active = 0, *of = malloc(sizeof(int) * (size_t)n);
    for (int k = 0; k < n; k++)
      if (h[k] >= least && (active + 1) * each <= left(run) - reserve) of[active++] = k;
    for (int i = 0; i < active; i++)
      for (int p = 0; p < polls; p++) {
        direction(run, p, d);
        for (int s = 0; s < 2; s++) {
          double *at = trial + (size_t)(i * each + 2 * p + s) * dim;
          for (size_t j = 0; j < dim; j++) at[j] = u[(size_t)of[i] * dim + j] + (s ? h[of[i]] : -h[of[i]]) * d[j];
          adversary_project(run->problem, at);
        }
      }
    if (active) evaluate(run, active * each, trial, values, NULL, phase);
    for (int i = 0; i < active; i++) {
      int best = -1, k = of[i];
      for (int p = 0; p < each; p++)
        if (values[i * each + p] > value[k] && (best < 0 || values[i * each + p] > values[i * each + best])) best = p;
      if (best < 0) h[k] /= 2;
      else {
        memcpy(u + (size_t)k * dim, trial + (size_t)(i * each + best) * dim, sizeof(double) * dim);
        value[k] = values[i * each + best];
        h[k] = fmin(2 * h[k], 0.25);
      }
    }
    more = active > 0;
    free(of);
  }
  free(trial), free(values), free(d), free(h);
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------------------------------------------------- */

static long polish_cost(const Run *run) {
  long polls = run->dim < POLLS_MAX ? (long)run->dim : POLLS_MAX, cost = 2 * polls * 6 + (run->problem->differentiable ? REFINE : 0);
  return cost < run->options.budget / 8 ? cost : run->options.budget / 8;
}

/* One round of climbs. rises: one point is better than another. */
static void climb_round(Run *run, bool rises) {
  int most = run->options.starts;
  size_t dim = run->dim;
  double *start = malloc(sizeof(double) * (size_t)most * dim), *value = malloc(sizeof(double) * (size_t)most);
  int n = choose_starts(run, most, start), flat = n;
  if (run->problem->differentiable && n) {
    Climber *climber = malloc(sizeof(Climber) * (size_t)n);
    for (int k = 0; k < n; k++) climber_open(&climber[k], dim, start + (size_t)k * dim);
    flat = climb(run, climber, n, run->options.steps);
    for (int k = 0; k < n; k++) memcpy(start + (size_t)k * dim, climber[k].best, sizeof(double) * dim);
    if (run->options.smooth > 0 && left(run) > n) evaluate(run, n, start, value, NULL, ADVERSARY_CLIMBING);      /* what they are without smoothing */
    for (int k = 0; k < n; k++) add_basin(run, climber[k].best), climber_close(&climber[k]);
    free(climber);
  }
  if (!rises && flat == n) run->level = true;
  if (rises && n && flat == n) {
    evaluate(run, n, start, value, NULL, ADVERSARY_PATTERN);
    pattern(run, start, value, n, 0.12, 0.04, ADVERSARY_PATTERN, polish_cost(run));
    for (int k = 0; k < n; k++) add_basin(run, start + (size_t)k * dim);
  }
  free(start), free(value);
}

/* The best of all climbs once more, with a small rate to the end. */
static void refine(Run *run) {
  Climber c;
  double value;
  if (!run->problem->differentiable || !isfinite(run->result->value)) return;
  double rate = run->options.rate;
  run->options.rate = rate / 4;
  climber_open(&c, run->dim, run->result->u);
  c.patient = true;
  climb(run, &c, 1, REFINE);
  if (run->options.smooth > 0 && left(run) > 0) evaluate(run, 1, c.best, &value, NULL, ADVERSARY_CLIMBING);
  climber_close(&c);
  run->options.rate = rate;
}

static void polish(Run *run) {
  refine(run);
  double *u = malloc(sizeof(double) * run->dim), value = run->result->value;
  memcpy(u, run->result->u, sizeof(double) * run->dim);
  if (isfinite(value)) pattern(run, u, &value, 1, 0.02, 1e-5, ADVERSARY_POLISHING, 0);
  free(u);
}

static void defaults(AdversaryOptions *o) {
  if (o->random <= 0) o->random = 32;
  if (o->starts <= 0) o->starts = 8;
  if (o->steps <= 0) o->steps = 200;
  if (!(o->rate > 0)) o->rate = 0.05;
  if (o->budget <= 0) o->budget = o->random + (long)o->starts * o->steps * 5 / 4;
}

long adversary_budget(const AdversaryOptions *options) {
  AdversaryOptions all = *options;
  defaults(&all);
  return all.budget;
}

void adversary_run(const AdversaryProblem *problem, const AdversaryOptions *options, AdversaryResult *out) {
  Run run = {.problem = problem, .options = *options, .result = out, .dim = (size_t)problem->dim};
  defaults(&run.options);
  *out = (AdversaryResult){.value = -INFINITY, .u = calloc(run.dim + 1, sizeof(double))};
  look(&run, problem->nseeds, ADVERSARY_SEEDS);
  run.options.budget += out->evaluations;      /* those are given, and cost nothing of the search's own */
  look(&run, (int)(run.options.random < left(&run) ? run.options.random : left(&run)), ADVERSARY_RANDOM);
  fill(&run, run.options.budget * (problem->differentiable ? 2 : 4) / 10);      /* without slopes climbs cost more and say less */
  long reserve = polish_cost(&run);
  while (left(&run) > reserve && !out->stopped) {
    long before = out->evaluations;
    bool rises = something(&run);
    if (rises || (problem->differentiable && run.options.smooth > 0 && !run.level)) climb_round(&run, rises);      /* a smooth value may rise where the value does not */
    if (left(&run) <= reserve) break;
    long most = left(&run) - reserve;
    fill(&run, something(&run) ? (most < 2 * FILL ? most : 2 * FILL) : FILL);
    if (out->evaluations == before) break;
  }
  polish(&run);
  if (problem->check && isfinite(out->value)) out->value = problem->check(problem->user, out->u);
  free(run.seen), free(run.seen_value), free(run.basin);
}

const char *adversary_phase_name(AdversaryPhase phase) {
  static const char *names[] = {"random points", "earlier failures", "space-filling points", "gradient ascent", "pattern search", "polishing"};
  return names[phase];
}
