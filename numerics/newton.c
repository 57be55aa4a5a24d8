#include "newton.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"

enum { NEWTON_STEPS = 30, HALVINGS = 12 };

double space_norm(const Space *space, const double *v) {
  double sum = 0, all = 0;
  for (int i = 0; i < space->nowned; i++) sum += v[i] * v[i];
  all = sum;
  if (space->ghost) MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return sqrt(all);
}

static Status choose(const System *system, bool reused, const SolverRow **row, const char **why) {
  const Problem *problem = system->problem;
  const Space *space = problem->space;
  const char *asked = system->options->solver;
  SolverClass of = {.findings = problem->step.findings, .dim = problem->mesh->dim, .nblocks = space->nblocks, .components = space->block[0].components,
                    .bordered = problem->nborders > 0, .joined = problem_joins_cells(problem), .reused = reused, .grids = multigrid_fits(problem), .ndofs = space->nglobal, .nranks = problem->mesh->nranks};
  *row = solver_choose(&of, why);
  if (!asked) return 0;
  *row = solver_row(asked);
  *why = "`solver:` asks for it";
  if (!*row) {
    Name names[32];
    int n = 0;
    for (; n < solver_row_count && n < 32; n++) names[n] = solver_rows[n].name;
    Diag *diag = diag_report(problem->diags, E2004, problem->span, "there is no solver `%s`", asked);
    const char *near = nearest_name(asked, names, n);
    Buf list = {0};
    for (int i = 0; i < n; i++) buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
    if (near) diag_suggest(diag, "did you mean \"%s\"?", near);
    else diag_suggest(diag, "leave `solver:` out: one is chosen by the class and size of the problem");
    diag_note(diag, (Span){0, 0}, "the solvers are %s", buf_str(&list));
    buf_free(&list);
    return 1;
  }
  if (!strcmp((*row)->preconditioner, PCMG) && !of.grids) {
    diag_report(problem->diags, E2004, problem->span, "the solver `%s` serves one linear unknown on a structured rectangle or box whose numbers of cells can be halved", asked);
    return 1;
  }
  if ((*row)->store != STORE_AIJ && (space->nblocks > 1 || problem->nborders || space->ghost || problem_joins_cells(problem))) {
    diag_report(problem->diags, E2004, problem->span, "the solver `%s` serves one vector unknown on one rank without constraints", asked);
    return 1;
  }
  return 0;
}

static Status open_solver(System *system, const SolverRow *row, const char *why) {
  Problem *problem = system->problem;
  unsigned long rows[BORDERS_MAX];
  border_rows(problem, rows);
  unsigned char *apart = problem_apart(problem);
  Status made = pattern_new(problem->space, problem->affine ? STORE_AIJ : row->store, problem_joins_cells(problem), apart, problem->bc->prescribed, rows, &system->pattern);
  free(apart);
  TRY(made);
  TRY(affine_system(problem->affine, system->pattern));
  engine_stage(problem->engine, "pattern");
  system->open = true;
  return solver_open(&system->solver, problem, system->pattern, row, why, system->options);
}

Status system_open(System *system, Problem *problem, const SolveOptions *options, bool reused) {
  *system = (System){.problem = problem, .options = options};
  const SolverRow *row;
  const char *why;
  TRY(choose(system, reused, &row, &why));
  size_t bytes = sizeof(double) * ((size_t)problem->space->nlocal + 1);
  system->r = big_zeroed(bytes);
  system->d = big_zeroed(bytes);
  system->trial = big_zeroed(bytes);
  return open_solver(system, row, why);
}

/* Another method in the place of one that was chosen and broke down. */
static Status replace(System *system, const SolverRow *row, const char *reason) {
  engine_progress(system->problem->engine, reason, 0);
  solver_close(&system->solver);
  pattern_free(system->pattern);
  system->open = false;
  system->pattern = NULL;
  return open_solver(system, row, "an iterative method was chosen first and broke down");
}

void system_close(System *system) {
  if (system->open) solver_close(&system->solver);
  pattern_free(system->pattern);
  free(system->r), free(system->d), free(system->trial);
  *system = (System){0};
}

/* -r, and its norm; where it is not finite, who did it. */
static Status residual(System *system, Data *data, const double *u, double *norm) {
  Problem *problem = system->problem;
  data->unknown = u;
  TRY(problem_residual(problem, data, true, system->r));
  for (int i = 0; i < problem->space->nowned; i++) system->r[i] = -system->r[i];
  *norm = space_norm(problem->space, system->r);
  engine_stage(problem->engine, "residual");
  return 0;
}

static Status blame(System *system, Data *data, const double *u) {
  Problem *problem = system->problem;
  data->unknown = u;
  TRY(petsc_agree(assemble_blame(data, problem->step.residual, problem->step.nresidual)));
  diag_report(problem->diags, E2003, problem->span, "the residual is not finite");
  return 1;
}

/* The matrix at u, if it must be made anew. */
static Status matrix_at(System *system, Data *data, const double *u, bool fresh) {
  Problem *problem = system->problem;
  data->unknown = u;
  if (fresh) {
    TRY(problem_jacobian(problem, data, system->pattern));
    if (!problem->transient && problem->step.findings & FORM_LINEAR) pattern_last(system->pattern);
    engine_stage(problem->engine, "matrix");
    double norm;
    TRY(MatNorm(system->pattern->matrix, NORM_FROBENIUS, &norm));
    if (!isfinite(norm)) {
      TRY(petsc_agree(assemble_blame(data, problem->step.jacobian, problem->step.njacobian)));
      diag_report(problem->diags, E2003, problem->span, "the matrix is not finite");
      return 1;
    }
  }
  return 0;
}

/* The direction by the matrix at hand; a chosen method that breaks down yields to another one. */
static Status direction(System *system, Data *data, const double *u, bool fresh, double reference) {
  Problem *problem = system->problem;
  bool chosen = !system->options->solver && system->options->max_iterations <= 0;
  const char *broke = NULL;
  TRY(solver_solve(&system->solver, problem, data, fresh, system->r, reference, system->d, chosen ? &broke : NULL));
  if (broke) {
    TRY(replace(system, solver_after(system->solver.row), broke));
    TRY(matrix_at(system, data, u, true));
    TRY(solver_solve(&system->solver, problem, data, true, system->r, reference, system->d, NULL));
  }
  return affine_expand(problem->affine, system->d);
}

/* system->trial := the state before the step with the prescribed values of u. */
static Status plain_start(System *system, const Data *data, const double *u) {
  const Problem *problem = system->problem;
  const char *prescribed = problem->bc->prescribed;
  for (int i = 0; i < problem->space->nlocal; i++) system->trial[i] = prescribed[i] ? u[i] : system->before[i];
  return affine_apply(problem->affine, data, system->trial);
}

/* Norm of the linear residual there, from that at u: system->r. */
static Status plain_residual(System *system, const Data *data, const double *u, double *norm) {
  const Problem *problem = system->problem;
  TRY(plain_start(system, data, u));
  for (int i = 0; i < problem->space->nowned; i++) system->trial[i] = affine_is_slave(problem->affine, i) ? 0 : u[i] - system->trial[i];
  return solver_residual_before(&system->solver, system->r, system->trial, norm);
}

static void move(const Space *space, const double *u, double factor, const double *d, double *out) {
  for (int i = 0; i < space->nowned; i++) out[i] = u[i] + factor * d[i];
  space_ghosts(space, out);
}

static double size_of(const Space *space, const double *v) {
  double most = 0, all = 0;
  for (int i = 0; i < space->nowned; i++) most = fmax(most, fabs(v[i]));
  all = most;
  if (space->ghost) MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return all;
}

/* Halves the step until the residual falls (Armijo with 1e-4); the step that was tried last is taken if its residual is finite. */
static Status search(System *system, Data *data, double *u, double before, double *norm) {
  const Space *space = system->problem->space;
  double factor = 1, best = INFINITY, best_factor = 0;
  for (int k = 0; k <= HALVINGS; k++, factor /= 2) {
    memcpy(system->trial + space->nowned, u + space->nowned, sizeof(double) * (size_t)(space->nlocal - space->nowned));
    move(space, u, factor, system->d, system->trial);
    TRY(residual(system, data, system->trial, norm));
    if (isfinite(*norm) && *norm < best) best = *norm, best_factor = factor;
    if (isfinite(*norm) && *norm <= (1 - 1e-4 * factor) * before) break;
    if (isfinite(best) && k > 4 && best < 1.0001 * before) break;
  }
  if (!isfinite(best)) return blame(system, data, system->trial);
  if (best_factor != factor) {
    move(space, u, best_factor, system->d, system->trial);
    TRY(residual(system, data, system->trial, norm));
  }
  memcpy(u, system->trial, sizeof(double) * (size_t)space->nlocal);
  return 0;
}

static Status newton_failed(System *system, int steps, double norm, double first) {
  Problem *problem = system->problem;
  Diag *diag = diag_report(problem->diags, E2002, problem->span, "Newton's iteration stopped after %d steps at a residual of %.3g; it began at %.3g", steps, norm, first);
  diag_suggest(diag, "start nearer to the solution, raise the load in steps, or allow more steps with `max_newton:`");
  return 1;
}

/* Is the factor at hand worth another step? Its steps gain about what the last one gained; a few of them cost less than a new factor.
 * Shamanskii's method: Kelley, Solving Nonlinear Equations with Newton's Method, 2003, section 2.4. */
static bool keeps_factor(const System *system, double norm, double goal, double gain) {
  enum { CHEAP_STEPS = 3 };
  bool direct = !strcmp(system->solver.row->method, KSPPREONLY);
  return direct && gain <= 1e-2 && log(goal / norm) / log(gain) <= CHEAP_STEPS;
}

static Status nonlinear(System *system, Data *data, double *u) {
  Problem *problem = system->problem;
  const Space *space = problem->space;
  const SolveOptions *options = system->options;
  int most = options->max_newton > 0 ? options->max_newton : NEWTON_STEPS, steps = 0;
  double rtol = options->rtol > 0 ? options->rtol : 1e-10, first = 0, norm;
  if (system->before) {
    TRY(plain_start(system, data, u));
    TRY(residual(system, data, system->trial, &first));
    if (!isfinite(first)) first = 0;
  }
  TRY(residual(system, data, u, &norm));
  if (!isfinite(norm)) return blame(system, data, u);
  first = fmax(first, norm);
  double gain = 1, goal = fmax(rtol * first, options->atol);
  while (norm > rtol * first && norm > options->atol && norm > 0) {
    bool fresh = !keeps_factor(system, norm, goal, gain);
    if (fresh && steps == most) return newton_failed(system, steps, norm, first);
    TRY(engine_interrupted(problem->engine, problem->diags, problem->span));
    TRY(matrix_at(system, data, u, fresh));
    TRY(direction(system, data, u, fresh, 0));
    double before = norm, step = size_of(space, system->d), size = size_of(space, u);
    steps += fresh;
    system->newton_iterations += fresh;
    TRY(search(system, data, u, before, &norm));
    gain = norm / before;
    char text[80];
    snprintf(text, sizeof text, "Newton step %d, residual %.2g", steps, norm);
    engine_progress(problem->engine, text, first > 0 && norm > 0 ? fmin(1, log(first / norm) / log(1 / rtol)) : 1);
    if (step <= 1e-13 * size) break;             /* nothing moves any more: rounding is reached */
    if (norm > 0.9 * before && step <= 1e-9 * size) break;
  }
  return 0;
}

Status system_solve(System *system, Data *data, bool fresh, double *u) {
  Problem *problem = system->problem;
  const Space *space = problem->space;
  if (!(problem->step.findings & FORM_LINEAR)) {
    TRY(nonlinear(system, data, u));
  } else {
    double norm, reference = 0;
    fresh |= !system->ready;
    TRY(residual(system, data, u, &norm));
    if (!isfinite(norm)) return blame(system, data, u);
    TRY(matrix_at(system, data, u, fresh));
    if (system->before) TRY(plain_residual(system, data, u, &reference));
    TRY(direction(system, data, u, fresh, reference));
    move(space, u, 1, system->d, u);
  }
  system->ready = true;
  data->unknown = u;
  if (isfinite(size_of(space, u))) return 0;
  diag_report(problem->diags, E2003, problem->span, "the solution is not finite");
  return 1;
}
