#include "solve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"

/* ---- set-up ------------------------------------------------------------------------------------------------------------------------------ */

static PetscErrorCode monitor(KSP ksp, PetscInt iteration, PetscReal norm, void *user) {
  (void)ksp;
  Solver *solver = user;
  if (iteration == 0) solver->start = norm;
  if (iteration % 10 || iteration == 0 || !(norm > 0) || !(solver->start > 0)) return 0;
  double done = log(solver->start / norm) / log(1 / solver->rtol);
  engine_progress(solver->engine, solver->row->name, done < 0 ? 0 : done > 1 ? 1 : done);
  return 0;
}

/* The user's interrupt ends an iteration, on all ranks at the same one. */
static PetscErrorCode converged(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason *reason, void *user) {
  Solver *solver = user;
  TRY(KSPConvergedDefault(ksp, iteration, norm, reason, solver->test));
  volatile int *interrupt = solver->engine->options.interrupt;
  bool look = iteration % 10 == 9 || !solver->pattern->space->ghost;      /* ranks agree now and then */
  if (!*reason && look && petsc_agree(interrupt && *interrupt)) *reason = KSP_DIVERGED_ITS;
  return 0;
}

/* Rigid motions of the nodes' places span what elasticity hardly resists: GAMG's coarse spaces must have them. */
static Status near_null_space(const Problem *problem, const Pattern *pattern) {
  const SpaceBlock *block = &problem->space->block[0];
  int dim = problem->mesh->dim;
  if (problem->space->nblocks != 1 || block->components != dim || dim < 2) return 0;
  double reference[64 * 3], x[3], *place;
  nodes_reference(block->nodes->element, dim, reference);
  Vec places;
  TRY(MatCreateVecs(pattern_system(pattern), &places, NULL));
  TRY(VecSetBlockSize(places, dim));
  TRY(VecGetArray(places, &place));
  for (int c = 0; c < problem->mesh->ncells; c++)
    for (int a = 0; a < block->nodes->per_cell; a++) {
      int node = block->nodes->cell[(size_t)c * (size_t)block->nodes->per_cell + (size_t)a];
      if (node >= block->nodes->nowned) continue;
      nodes_place(block->nodes, c, reference + a * dim, x);
      memcpy(place + (size_t)node * (size_t)dim, x, sizeof(double) * (size_t)dim);
    }
  TRY(VecRestoreArray(places, &place));
  MatNullSpace motions;
  TRY(MatNullSpaceCreateRigidBody(places, &motions));
  TRY(MatSetNearNullSpace(pattern_system(pattern), motions));
  TRY(MatNullSpaceDestroy(&motions));
  return VecDestroy(&places);
}

static Status set_preconditioner(const Solver *solver, PC pc, const char *type) {
  bool spread = solver->pattern->space->ghost != NULL;
  bool local = !strcmp(type, PCICC) || !strcmp(type, PCILU);
  if (spread && local) type = PCBJACOBI;
  TRY(PCSetType(pc, type));
  if (!strcmp(type, PCHYPRE)) TRY(PCHYPRESetType(pc, "boomeramg"));
  /* cells of poor shape make pivots negative; without such ones nothing is shifted. Manteuffel, Math. Comp. 34 (1980), 473-497 */
  if (!strcmp(type, PCICC) && solver->pattern->store == STORE_AIJ) TRY(PCFactorSetShiftType(pc, MAT_SHIFT_POSITIVE_DEFINITE));
  if (solver->row->package) TRY(PCFactorSetMatSolverType(pc, solver->row->package));
  return 0;
}

/* Blocks of a distributed incomplete factor. */
static Status set_blocks(const Solver *solver, PC pc) {
  if (!solver->pattern->space->ghost || strcmp(solver->row->preconditioner, PCICC)) return 0;
  KSP *sub;
  PetscInt n, first;
  TRY(PCBJacobiGetSubKSP(pc, &n, &first, &sub));
  for (int i = 0; i < n; i++) {
    PC inner;
    TRY(KSPGetPC(sub[i], &inner));
    TRY(PCSetType(inner, PCICC));
  }
  return 0;
}

static Status set_up(Solver *solver, Problem *problem, const SolveOptions *options) {
  const SolverRow *row = solver->row;
  const Pattern *pattern = solver->pattern;
  unsigned findings = problem->step.findings;
  bool definite = (findings & FORM_DEFINITE_LIKELY) && !problem->nborders;
  TRY(MatCreateVecs(pattern_system(pattern), &solver->x, &solver->b));
  TRY(VecDuplicate(solver->b, &solver->r));
  if (findings & FORM_SYMMETRIC) TRY(MatSetOption(pattern_system(pattern), MAT_SYMMETRIC, PETSC_TRUE));
  if (definite) TRY(MatSetOption(pattern_system(pattern), MAT_SPD, PETSC_TRUE));
  if (!strcmp(row->preconditioner, PCGAMG)) TRY(near_null_space(problem, pattern));
  TRY(KSPCreate(pattern->space->ghost ? PETSC_COMM_WORLD : PETSC_COMM_SELF, &solver->ksp));
  TRY(KSPSetOperators(solver->ksp, pattern_system(pattern), pattern_system(pattern)));
  TRY(KSPSetType(solver->ksp, row->method));
  bool direct = !strcmp(row->method, KSPPREONLY);
  /* KSP would measure the preconditioned residual, which can be 10^5 times smaller than the true one */
  if (!direct && !strcmp(row->method, KSPGMRES)) TRY(KSPSetPCSide(solver->ksp, PC_RIGHT));
  if (!direct && strcmp(row->method, KSPMINRES)) TRY(KSPSetNormType(solver->ksp, KSP_NORM_UNPRECONDITIONED));
  if (!strcmp(row->method, KSPGMRES)) TRY(KSPGMRESSetRestart(solver->ksp, 100));
  solver->asked = options->rtol > 0;
  solver->rtol = solver->asked ? options->rtol : 1e-10;
  solver->max_iterations = options->max_iterations > 0 ? options->max_iterations : options->solver ? 10000 : CHOSEN_ITERATIONS;
  TRY(KSPSetTolerances(solver->ksp, 0.9 * solver->rtol, 1e-290, 1e10, solver->max_iterations));
  TRY(KSPMonitorSet(solver->ksp, monitor, solver, NULL));
  if (!direct) {
    TRY(KSPConvergedDefaultCreate(&solver->test));
    TRY(KSPSetConvergenceTest(solver->ksp, converged, solver, NULL));
  }
  PC pc;
  TRY(KSPGetPC(solver->ksp, &pc));
  TRY(set_preconditioner(solver, pc, row->preconditioner));
  if (!strcmp(row->preconditioner, PCMG)) TRY(multigrid_open(&solver->grids, problem, pattern, pc));
  return KSPSetFromOptions(solver->ksp);
}

Status solver_open(Solver *solver, Problem *problem, const Pattern *pattern, const SolverRow *row, const char *why, const SolveOptions *options) {
  *solver = (Solver){.engine = problem->engine, .row = row, .why = why, .pattern = pattern};
  Status status = set_up(solver, problem, options);
  if (status) solver_close(solver);
  return status;
}

void solver_close(Solver *solver) {
  if (solver->test) KSPConvergedDefaultDestroy(solver->test);
  solver->test = NULL;
  KSPDestroy(&solver->ksp);
  multigrid_close(&solver->grids);
  VecDestroy(&solver->b);
  VecDestroy(&solver->x);
  VecDestroy(&solver->r);
}

/* ---- solving ------------------------------------------------------------------------------------------------------------------------------- */

static const char *reason_text(KSPConvergedReason reason) {
  switch (reason) {
    case KSP_DIVERGED_ITS: return "the iterations ran out";
    case KSP_DIVERGED_DTOL: return "the residual grew without bound";
    case KSP_DIVERGED_BREAKDOWN: return "the method broke down";
    case KSP_DIVERGED_INDEFINITE_MAT: return "the matrix is not positive definite";
    case KSP_DIVERGED_INDEFINITE_PC: return "the preconditioner is not positive definite";
    case KSP_DIVERGED_NANORINF: return "a number was not finite";
    case KSP_DIVERGED_PC_FAILED: return "the factorisation failed: the matrix is singular, or nearly";
    default: return "it stopped early";
  }
}

const SolverRow *solver_after(const SolverRow *row) { return strcmp(row->method, KSPPREONLY) ? solver_row("mumps") : NULL; }

static Status not_converged(const Solver *solver, Problem *problem, KSPConvergedReason reason) {
  bool direct = !strchr(solver->row->name, '+'), singular = direct || reason == KSP_DIVERGED_PC_FAILED || reason == KSP_DIVERGED_INDEFINITE_PC;
  const char *why = singular && reason != KSP_DIVERGED_INDEFINITE_MAT ? reason_text(KSP_DIVERGED_PC_FAILED) : reason_text(reason);
  Diag *diag;
  if (!isfinite(solver->residual) || !solver->iterations) diag = diag_report(problem->diags, E2001, problem->span, "the linear solver %s gave no solution: %s", solver->row->name, why);
  else
    diag = diag_report(problem->diags, E2001, problem->span, "the linear solver %s stopped at a relative residual of %.2g after %d iterations: %s (wanted: %.1g)",
                       solver->row->name, solver->residual, solver->iterations, why, solver->rtol);
  diag_note(diag, (Span){0, 0}, "the system has %ld unknowns; %s was taken because: %s", problem->space->nglobal, solver->row->title, solver->why);
  if (reason == KSP_DIVERGED_INDEFINITE_MAT)
    diag_suggest(diag, "look for a coefficient of the wrong sign; where the equations mean it so, take `solver: \"mumps\"`, which does not need definiteness");
  else if (singular && !(problem->step.findings & FORM_LINEAR)) {
    diag_note(diag, (Span){0, 0}, "it is the matrix of a Newton step: the equations linearised at the iterate so far, the first at the start");
    diag_suggest(diag, "start from a state where the equations have a slope, by `initially: %s == ...`: a coefficient that vanishes with the unknown makes them singular", problem->pde->unknowns[0].name);
  } else if (singular && problem->step.findings & FORM_SADDLE)
    diag_suggest(diag, "the equations are a saddle point: a velocity needs elements of one degree more than its pressure, P2 with P1, and the pressure its level");
  else if (singular)
    diag_suggest(diag, "a singular system often lacks a condition that fixes a constant or a rigid motion, or its data contradict each other");
  else diag_suggest(diag, "try `solver: \"mumps\"`, a direct solver, or `max_iterations:`");
  return 1;
}

/* PETSc ends some factorisations with an error of its own instead of a reason. */
static bool is_pivot(Status status) { return status == PETSC_ERR_MAT_LU_ZRPVT || status == PETSC_ERR_MAT_CH_ZRPVT; }

static Status factor_failed(const Solver *solver, Problem *problem, Status status) {
  if (!is_pivot(status)) return status;
  not_converged(solver, problem, status == PETSC_ERR_MAT_CH_ZRPVT ? KSP_DIVERGED_INDEFINITE_MAT : KSP_DIVERGED_PC_FAILED);
  return status;
}

static Status true_residual(Solver *solver, double scale) {
  double norm;
  TRY(MatMult(pattern_system(solver->pattern), solver->x, solver->r));
  TRY(VecAYPX(solver->r, -1, solver->b));
  TRY(VecNorm(solver->r, NORM_2, &norm));
  solver->residual = norm / scale;
  return 0;
}

/* What rounding leaves of b - A x for a relative perturbation of A by a few units: no solver can promise less. */
static Status rounding(const Solver *solver, double scale, double *out) {
  double matrix, size;
  TRY(MatNorm(pattern_system(solver->pattern), NORM_INFINITY, &matrix));
  TRY(VecNorm(solver->x, NORM_2, &size));
  *out = 4 * DBL_EPSILON * matrix * size / scale;
  return 0;
}

static Status run(Solver *solver, Vec b, Vec x, KSPConvergedReason *reason) {
  PetscInt n;
  TRY(KSPSolve(solver->ksp, b, x));
  TRY(KSPGetConvergedReason(solver->ksp, reason));
  TRY(KSPGetIterationNumber(solver->ksp, &n));
  solver->iterations += n;
  return 0;
}

/* Solves again for what is left over: recovers the digits that a direct solver or a recursive residual has lost. */
static Status refine(Solver *solver, double scale, KSPConvergedReason *reason) {
  Vec more;
  TRY(VecDuplicate(solver->x, &more));
  /* no further than what is asked for */
  Status status = KSPSetTolerances(solver->ksp, fmin(0.5 * solver->rtol / solver->residual, 0.5), PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT);
  for (int round = 0; round < 3 && !status && *reason > 0 && solver->residual > solver->rtol; round++) {
    double before = solver->residual;
    status = run(solver, solver->r, more, reason);
    if (!status) status = VecAXPY(solver->x, 1, more);
    if (!status) status = true_residual(solver, scale);
    if (!status && !(solver->residual < 0.5 * before)) break;
  }
  VecDestroy(&more);
  return status;
}

/* What rounding leaves is accepted, and said: from a direct solver only where a tolerance was asked for. */
static void warn_rounding(Solver *solver, Problem *problem, bool direct) {
  solver->worst = fmax(solver->worst, solver->residual);
  if (solver->told || solver->residual <= 2 * solver->rtol || (direct && !solver->asked)) return;
  solver->told = true;
  Diag *diag = diag_report(problem->diags, W2006, problem->span, "the linear solver %s reached a relative residual of %.2g only; wanted was %.1g", solver->row->name,
                           solver->residual, solver->rtol);
  diag_note(diag, (Span){0, 0}, "rounding leaves no less for this matrix, so it was accepted");
  diag_suggest(diag, "ask for no less with `rtol:`, or choose units in which coefficients and unknowns are nearer to 1");
}

static Status copy_in(const Space *space, Vec to, const double *from) {
  double *v;
  TRY(VecGetArray(to, &v));
  memcpy(v, from, sizeof(double) * (size_t)space->nowned);
  return VecRestoreArray(to, &v);
}

static Status factor(Solver *solver) {
  PC pc;
  TRY(KSPSetUp(solver->ksp));
  TRY(KSPGetPC(solver->ksp, &pc));
  TRY(PCSetUp(pc));                    /* KSPSetUp does it the first time alone */
  TRY(set_blocks(solver, pc));
  return KSPSetUpOnBlocks(solver->ksp);
}

Status solver_residual_before(Solver *solver, const double *r, const double *delta, double *norm) {
  const Space *space = solver->pattern->space;
  TRY(copy_in(space, solver->b, r));
  TRY(copy_in(space, solver->x, delta));
  TRY(MatMultAdd(pattern_system(solver->pattern), solver->x, solver->b, solver->r));
  return VecNorm(solver->r, NORM_2, norm);
}

Status solver_solve(Solver *solver, Problem *problem, const Data *data, bool fresh, const double *r, double reference, double *d, const char **broke) {
  const Space *space = solver->pattern->space;
  double own, scale;
  solver->iterations = 0;
  solver->residual = 0;
  if (broke) *broke = NULL;
  TRY(copy_in(space, solver->b, r));
  TRY(VecNorm(solver->b, NORM_2, &own));
  scale = fmax(own, reference);
  solver->residual = scale > 0 ? own / scale : 0;
  TRY(KSPSetReusePreconditioner(solver->ksp, fresh ? PETSC_FALSE : PETSC_TRUE));
  if (fresh) {
    TRY(multigrid_assemble(&solver->grids, data));
    TRY(engine_interrupted(solver->engine, problem->diags, problem->span));
    engine_phase(solver->engine, strcmp(solver->row->method, KSPPREONLY) ? PHASE_SETUP : PHASE_FACTOR);
    Status status = factor(solver);
    engine_phase(solver->engine, PHASE_FREE);
    TRY(factor_failed(solver, problem, status));
    engine_stage(solver->engine, "solver set-up");
    TRY(engine_interrupted(solver->engine, problem->diags, problem->span));
  }
  if (own <= 0.5 * solver->rtol * scale) {             /* nothing is wrong, or too little to count */
    memset(d, 0, sizeof(double) * (size_t)space->nowned);
    return 0;
  }
  KSPConvergedReason reason;
  TRY(KSPSetTolerances(solver->ksp, fmin(0.9 * solver->rtol * scale / own, 0.5), PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  TRY(factor_failed(solver, problem, run(solver, solver->b, solver->x, &reason)));
  TRY(true_residual(solver, scale));
  if (reason > 0 && solver->residual > solver->rtol) TRY(refine(solver, scale, &reason));
  engine_stage(solver->engine, "solver");
  TRY(engine_interrupted(solver->engine, problem->diags, problem->span));
  /* a matrix of condition 10^k has k digits less to give; what rounding allows is accepted from a direct solver */
  bool direct = !strcmp(solver->row->method, KSPPREONLY);
  double accepted = direct ? fmax(solver->rtol, 1e-7) : 2 * solver->rtol;
  if (!direct && reason > 0 && solver->residual > accepted) {
    double least;
    TRY(rounding(solver, scale, &least));
    accepted = fmax(accepted, fmin(least, 1e-7));
  }
  if (reason <= 0 || !(solver->residual <= accepted)) {
    if (!broke || direct || reason == KSP_DIVERGED_INDEFINITE_MAT) return not_converged(solver, problem, reason);
    *broke = reason_text(reason);
    return 0;
  }
  warn_rounding(solver, problem, direct);
  const double *x;
  TRY(VecGetArrayRead(solver->x, &x));
  memcpy(d, x, sizeof(double) * (size_t)space->nowned);
  return VecRestoreArrayRead(solver->x, &x);
}
