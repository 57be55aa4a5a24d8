#include "time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"
#include "start.h"

/* ---- initial values ------------------------------------------------------------------------------------------------------------------------ */

static Status put_initials(Problem *problem, const Initial *initials, int n, int dt, double time, double *u) {
  for (int i = 0; i < n; i++) {
    if (initials[i].dt != dt) continue;
    Data data = problem_data(problem, time);
    data.span = initials[i].span;
    TRY(field_interpolate(&data, problem->space, initials[i].unknown, initials[i].component, initials[i].value, field_jumps(initials[i].value, &problem->world), u));
  }
  return 0;
}

static double *state_new(const Space *space) { return big_zeroed(sizeof(double) * ((size_t)space->nlocal + 1)); }

/* ---- steady ---------------------------------------------------------------------------------------------------------------------------------- */

static Status steady(System *system, Solution *solution) {
  Problem *problem = system->problem;
  double *u = state_new(problem->space);
  Data data = problem_data(problem, problem->world.time);
  Status status = put_initials(problem, problem->pde->initials, problem->pde->ninitials, 0, data.time, u);
  if (!status) status = put_initials(problem, system->options->start, system->options->nstart, 0, data.time, u);
  if (!status) status = problem_prescribe(problem, &data, u);
  engine_stage(problem->engine, "prescribed values");
  if (!status && !problem->pde->ninitials && !system->options->nstart) status = start_extend(problem, system->options, u);
  if (!status) status = system_solve(system, &data, true, u);
  if (!status) solution_push(solution, 0, u);
  free(u);
  return status;
}

/* ---- through time ---------------------------------------------------------------------------------------------------------------------------- */

typedef struct March {
  System *system;
  Solution *solution;
  const SchemeRow *row;
  double *u, *previous[SCHEME_LEVELS], *rate, *old_rate[SCHEME_LEVELS];
  double step, a0;               /* of the matrix at hand */
  double last;                   /* length of the step before */
  int done;
  bool second_order;
  double scheme[SCHEME_PARAMS];
} March;

static Status bad_time(const Problem *problem, const char *what) {
  Diag *diag = diag_report(problem->diags, E2010, problem->span, "%s", what);
  diag_suggest(diag, "write solve(p, m, time: 0..1, step: 0.1)");
  return 1;
}

static Status check_times(const Problem *problem, const SolveOptions *options) {
  if (!isfinite(options->t0) || !isfinite(options->t1) || !(options->t1 > options->t0)) return bad_time(problem, "the time span is empty");
  if (!(options->step > 0) || !isfinite(options->step)) return bad_time(problem, "a transient solve needs a positive step");
  for (int i = 0; i < options->noutputs; i++)
    if (!(options->outputs[i] >= options->t0 && options->outputs[i] <= options->t1 * (1 + 1e-14))) return bad_time(problem, "an output time lies outside of the time span");
  return 0;
}

/* The matrix stays while step and scheme do and the Jacobian depends on nothing else. */
static bool matrix_serves(const March *march, double step) {
  return march->system->problem->step.constant && march->step == step && march->a0 == march->scheme[SCHEME_A0];
}

static void advance_rates(March *march, double step, double ratio) {
  const Space *space = march->system->problem->space;
  double b[3], c1, *fresh = march->old_rate[1];
  scheme_rate(march->row, march->done, ratio, b, &c1);
  for (int i = 0; i < space->nlocal; i++)
    fresh[i] = (b[0] * march->u[i] + b[1] * march->previous[0][i] + b[2] * march->previous[1][i]) / step + c1 * march->old_rate[0][i];
  march->old_rate[1] = march->old_rate[0];
  march->old_rate[0] = fresh;
}

static Status one_step(March *march, double time, double step) {
  Problem *problem = march->system->problem;
  const Space *space = problem->space;
  size_t bytes = sizeof(double) * (size_t)space->nlocal;
  double *oldest = march->previous[1], ratio = march->done ? step / march->last : 1;
  march->previous[1] = march->previous[0];
  march->previous[0] = oldest;
  memcpy(oldest, march->u, bytes);
  scheme_coefficients(march->row, march->done, ratio, &march->scheme[SCHEME_A0]);
  march->scheme[SCHEME_STEP] = step;
  march->scheme[SCHEME_TIME_OLD] = time - step;
  Data data = problem_data(problem, time);
  data.scheme = march->scheme;
  for (int k = 0; k < SCHEME_LEVELS; k++) data.previous[k] = march->previous[k], data.rate[k] = march->old_rate[k];
  TRY(problem_prescribe(problem, &data, march->u));
  engine_stage(problem->engine, "prescribed values");
  bool fresh = !matrix_serves(march, step);
  TRY(system_solve(march->system, &data, fresh, march->u));
  march->step = step;
  march->a0 = march->scheme[SCHEME_A0];
  if (march->second_order) advance_rates(march, step, ratio);
  march->last = step;
  march->done++;
  return 0;
}

static int by_value(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

/* Equal steps up to `end`, as near to options->step as divides the way there. */
static Status until(March *march, double from, double end, bool output) {
  const SolveOptions *options = march->system->options;
  Problem *problem = march->system->problem;
  double span = options->t1 - options->t0;
  long n = (long)ceil((end - from) / options->step - 1e-9);
  if (n < 1) n = 1;
  double step = (end - from) / (double)n;
  if (fabs(step - options->step) < 1e-11 * options->step) step = options->step;       /* so that one matrix serves all */
  int every = options->keep_every > 0 ? options->keep_every : 1;
  for (long k = 1; k <= n; k++) {
    double time = k == n ? end : from + (double)k * step;
    TRY(one_step(march, time, step));
    if (march->done % every == 0 || (k == n && output)) solution_push(march->solution, time, march->u);
    char text[64];
    snprintf(text, sizeof text, "t = %.4g", time);
    engine_progress(problem->engine, text, (time - options->t0) / span);
    TRY(engine_interrupted(problem->engine, problem->diags, problem->span));
  }
  return 0;
}

static Status go(March *march) {
  const SolveOptions *options = march->system->options;
  Problem *problem = march->system->problem;
  TRY(check_times(problem, options));
  TRY(put_initials(problem, problem->pde->initials, problem->pde->ninitials, 0, options->t0, march->u));
  TRY(put_initials(problem, options->start, options->nstart, 0, options->t0, march->u));
  if (march->second_order) {
    TRY(put_initials(problem, problem->pde->initials, problem->pde->ninitials, 1, options->t0, march->old_rate[0]));
    TRY(put_initials(problem, options->start, options->nstart, 1, options->t0, march->old_rate[0]));
  }
  solution_push(march->solution, options->t0, march->u);
  double *ends = malloc(sizeof(double) * (size_t)(options->noutputs + 1)), at = options->t0;
  int n = 0;
  for (int i = 0; i < options->noutputs; i++) ends[n++] = options->outputs[i];
  ends[n++] = options->t1;
  qsort(ends, (size_t)n, sizeof(double), by_value);
  Status status = 0;
  for (int i = 0; i < n && !status; i++) {
    if (ends[i] <= at + 1e-12 * (options->t1 - options->t0)) continue;
    status = until(march, at, ends[i], true);
    at = ends[i];
  }
  free(ends);
  return status;
}

static Status transient(System *system, Solution *solution) {
  Problem *problem = system->problem;
  const Space *space = problem->space;
  March march = {.system = system, .solution = solution, .row = problem->step_form.row, .u = state_new(space), .step = NAN};
  for (int i = 0; i < problem->pde->nunknowns; i++) march.second_order |= problem->step_form.rates[i];
  for (int k = 0; k < SCHEME_LEVELS; k++) march.previous[k] = state_new(space), march.old_rate[k] = state_new(space);
  Status status = go(&march);
  free(march.u);
  for (int k = 0; k < SCHEME_LEVELS; k++) free(march.previous[k]), free(march.old_rate[k]);
  return status;
}

/* ---- the way in ------------------------------------------------------------------------------------------------------------------------------ */

static bool has_op(Expr *e, ExprOp op) {
  if (!e || !(e->flags & HAS_DT)) return false;
  bool found = e->op == op || (e->op == EXPR_TERM && op == EXPR_DT);
  for (int i = 0; i < e->n && !found; i++) found = has_op(e->arg[i], op);
  return found;
}

static bool pde_has(const Pde *pde, ExprOp op) {
  bool found = false;
  for (int i = 0; i < pde->nequations; i++) found |= has_op(pde->equations[i].left, op) || has_op(pde->equations[i].right, op);
  for (int i = 0; i < pde->nweak; i++) found |= has_op(pde->weak[i].integrand, op);
  for (int i = 0; i < pde->nconditions; i++) found |= has_op(pde->conditions[i].left, op) || has_op(pde->conditions[i].right, op);
  return found;
}

/* Without a wish: second order, damping what is too fast for the step; for waves, which must not be damped, the mean rule. */
static Status find_scheme(const Pde *pde, const SolveOptions *options, Diags *diags, Span span, const SchemeRow **row) {
  *row = NULL;
  bool waves = pde_has(pde, EXPR_DTT);
  if (!options->transient && (waves || pde_has(pde, EXPR_DT))) {
    Diag *diag = diag_report(diags, E2010, span, "`%s` has a time derivative, so its solution needs a time span and a step", pde->name ? pde->name : "this pde");
    diag_suggest(diag, "write solve(p, m, time: 0..1, step: 0.1)");
    return 1;
  }
  if (!options->transient) return 0;
  const char *name = options->scheme ? options->scheme : waves ? "crank_nicolson" : "bdf2";
  *row = scheme_row(name);
  if (*row) return 0;
  Name names[16];
  int n = 0;
  for (const char *const *at = scheme_names(); at[n] && n < 16; n++) names[n] = at[n];
  const char *near = nearest_name(name, names, n);
  Diag *diag = diag_report(diags, E2009, span, "there is no time scheme `%s`", name);
  for (int i = 0; i < n; i++) diag_note(diag, (Span){0, 0}, "`%s`: %s", names[i], scheme_row(names[i])->title);
  if (near) diag_suggest(diag, "did you mean `%s`?", near);
  return 1;
}

static void describe(Solution *solution, const System *system, const SchemeRow *scheme) {
  solution->transient = scheme != NULL;
  solution->iterations = system->solver.iterations;
  solution->newton_iterations = system->newton_iterations;
  solution->residual = system->solver.worst;
  solution->solver = system->solver.row->name;
  solution->why = system->solver.why;
  solution->scheme = scheme ? scheme->name : NULL;
}

/* A mesh of another geometry than the pde's: the names of its sides may mean other places. */
static Status same_domain(const Pde *pde, const Mesh *mesh, Diags *diags, Span span) {
  const Geom *geom = pde->geometry;
  if (!geom || !mesh->geom || geom == mesh->geom || pde->dim != mesh->dim || geom_dim(geom) != geom_dim(mesh->geom)) return 0;
  double lo[2][3], hi[2][3], size = fmax(geom_size(geom), geom_size(mesh->geom));
  geom_bounds(geom, lo[0], hi[0]);
  geom_bounds(mesh->geom, lo[1], hi[1]);
  bool same = true, apart = false;
  Buf box[2] = {{0}, {0}};
  for (int d = 0; d < pde->dim; d++) {
    same &= fabs(lo[0][d] - lo[1][d]) <= 1e-9 * size && fabs(hi[0][d] - hi[1][d]) <= 1e-9 * size;
    apart |= fmin(hi[0][d], hi[1][d]) <= fmax(lo[0][d], lo[1][d]);
    for (int k = 0; k < 2; k++) buf_printf(&box[k], "%s%c %.6g..%.6g", d ? ", " : "", "xyz"[d], lo[k][d], hi[k][d]);
  }
  if (!same) {
    Diag *diag = diag_report(diags, apart ? E2005 : W2003, span, "the pde is on a geometry of %s, the mesh is of another one of %s", buf_str(&box[0]), buf_str(&box[1]));
    diag_suggest(diag, "solve on a mesh of the pde's geometry, or declare the pde on the geometry of the mesh");
  }
  buf_free(&box[0]), buf_free(&box[1]);
  return apart && !same;
}

Status time_solve(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const SolveOptions *options, Diags *diags, Span span, Solution **out) {
  *out = NULL;
  double start = cpu_seconds();
  engine_stages(engine);
  const SchemeRow *scheme;
  TRY(find_scheme(pde, options, diags, span, &scheme));
  Problem *problem;
  TRY(same_domain(pde, mesh, diags, span));
  TRY(problem_new(engine, pde, mesh, world, scheme, options->degree, diags, span, &problem));
  Solution *solution = solution_new(engine, problem->space);
  solution->problem = problem;
  solution->pde = pde;
  solution->unknowns = pde->unknowns;
  solution->nunknowns = pde->nunknowns;
  System system;
  Status status = system_open(&system, problem, options, scheme && problem->step.constant);
  if (!status) status = scheme ? transient(&system, solution) : steady(&system, solution);
  if (!status) describe(solution, &system, scheme);
  system_close(&system);
  solution->seconds = cpu_seconds() - start;
  if (status) solution_release(solution);
  else *out = solution;
  return status;
}
