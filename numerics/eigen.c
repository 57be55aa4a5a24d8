/* Shift and invert with Krylov-Schur (Stewart, SIAM J. Matrix Anal. Appl. 23 (2002), 601-614, as SLEPc has it). What Krylov methods may miss, a
 * further copy of a multiple eigenvalue, is found by counting: the factor of A - s B has as many negative pivots as there are eigenvalues below s
 * (Sylvester's law of inertia; Parlett, The Symmetric Eigenvalue Problem, section 3.3). */
#include "eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "field.h"
#include "form_eigen.h"
#include "pattern.h"
#include "petsc.h"
#include "problem.h"
#include <slepceps.h>
#undef I

enum { COUNT_DOFS = 400000, ROUNDS = 3 };    /* beyond it a further factor for counting is too dear */

typedef struct Eigen {
  Problem *problem;
  const EigenOptions *options;
  EigenForm form;
  Arena *arena;
  Mat A, B;                     /* over the free dofs */
  IS free;                      /* their global numbers */
  double shift;
  EPS eps;
  int converged;
  int *order;                   /* [converged] the wanted ones by rising real parts, then the others */
  double *re, *im;              /* [converged] */
} Eigen;

/* ---- matrices ------------------------------------------------------------------------------------------------------------------------------ */

static Status assemble_into(Eigen *eigen, const Integral *integrals, int n, Pattern *pattern) {
  Problem *problem = eigen->problem;
  Part *parts = NULL;
  Data data = problem_data(problem, NAN);
  double *zero = calloc((size_t)problem->space->nlocal + 1, sizeof *zero);
  data.unknown = zero;
  Status status = problem_parts(problem, integrals, n, 2, eigen->form.symmetric, false, &parts);
  if (!status) {
    status = petsc_agree(assemble_matrix(&data, parts, n, pattern));
    problem_parts_free(parts, n);
  }
  free(zero);
  return status;
}

static bool is_free(const Problem *problem, int dof) { return !problem->bc->prescribed[dof] && !affine_is_slave(problem->affine, dof); }

static Status free_dofs(Eigen *eigen) {
  const Space *space = eigen->problem->space;
  PetscInt *list = malloc(sizeof(PetscInt) * ((size_t)space->nowned + 1)), n = 0;
  for (int i = 0; i < space->nowned; i++)
    if (is_free(eigen->problem, i)) list[n++] = (PetscInt)space_global(space, i);
  return ISCreateGeneral(space->ghost ? PETSC_COMM_WORLD : PETSC_COMM_SELF, n, list, PETSC_OWN_POINTER, &eigen->free);
}

static Status check_data(Eigen *eigen) {
  Problem *problem = eigen->problem;
  double *u = calloc((size_t)problem->space->nlocal + 1, sizeof *u);
  Data data = problem_data(problem, NAN);
  Status status = problem_prescribe(problem, &data, u);
  bool zero = true;
  const Condition *c = NULL;
  for (int i = 0; i < problem->space->nlocal; i++) {
    if (u[i] == 0) continue;
    zero = false;
    if (problem->bc->winner[i] >= 0) c = problem->bc->clause[problem->bc->winner[i]].condition;
  }
  free(u);
  if (status || !petsc_agree(!zero)) return status;
  diag_suggest(diag_report(problem->diags, E2060, c ? c->span : problem->span, "an eigenvalue problem has no data: a prescribed value here is not zero"),
               "prescribe 0: a mode is a solution of the homogeneous problem");
  return 1;
}

/* The inner product is that of B: where lambda stands on the other side of the sign, lap(u) == lambda*u, both matrices change theirs. */
static Status orient(Eigen *eigen) {
  Vec diagonal;
  double least, most;
  TRY(MatCreateVecs(eigen->B, &diagonal, NULL));
  TRY(MatGetDiagonal(eigen->B, diagonal));
  TRY(VecMin(diagonal, NULL, &least));
  TRY(VecMax(diagonal, NULL, &most));
  TRY(VecDestroy(&diagonal));
  if (least < 0 && most > 0 && eigen->form.symmetric) {
    diag_suggest(diag_report(eigen->problem->diags, E2060, eigen->problem->span, "what lambda multiplies is positive in one equation and negative in another"),
                 "change the signs of one equation, so that lambda stands with the same sign in all");
    return 1;
  }
  if (least >= 0) return 0;
  TRY(MatScale(eigen->A, -1));
  return MatScale(eigen->B, -1);
}

static Status matrices(Eigen *eigen) {
  Problem *problem = eigen->problem;
  unsigned long rows[BORDERS_MAX];
  Pattern *pattern;
  TRY(problem_borders(problem));
  border_rows(problem, rows);
  TRY(free_dofs(eigen));
  TRY(pattern_new(problem->space, STORE_AIJ, problem_joins_cells(problem), NULL, problem->bc->prescribed, rows, &pattern));
  Status status = assemble_into(eigen, eigen->form.stiffness, eigen->form.nstiffness, pattern);
  if (!status && problem->nborders) {
    double *zero = calloc((size_t)problem->space->nlocal + 1, sizeof *zero);
    Data data = problem_data(problem, NAN);
    data.unknown = zero;
    status = border_jacobian(problem, &data, pattern->matrix);
    free(zero);
  }
  if (!status) status = affine_system(problem->affine, pattern);
  if (!status) status = MatCreateSubMatrix(pattern_system(pattern), eigen->free, eigen->free, MAT_INITIAL_MATRIX, &eigen->A);
  if (!status) status = assemble_into(eigen, eigen->form.mass, eigen->form.nmass, pattern);
  if (!status) status = affine_system(problem->affine, pattern);
  if (!status) status = MatCreateSubMatrix(pattern_system(pattern), eigen->free, eigen->free, MAT_INITIAL_MATRIX, &eigen->B);
  pattern_free(pattern);
  TRY(status);
  engine_stage(problem->engine, "matrix");
  TRY(orient(eigen));
  if (!eigen->form.symmetric) return 0;
  TRY(MatSetOption(eigen->A, MAT_SYMMETRIC, PETSC_TRUE));
  return MatSetOption(eigen->B, MAT_SYMMETRIC, PETSC_TRUE);
}

/* ---- inertia ------------------------------------------------------------------------------------------------------------------------------- */

/* Negative pivots of A - s B; -1: the factor broke down, s is an eigenvalue to rounding. */
static Status negative_pivots(const Eigen *eigen, double s, long *out) {
  Mat shifted, factor;
  MatFactorInfo info;
  PetscInt negative, zero, positive;
  *out = -1;
  TRY(MatDuplicate(eigen->A, MAT_COPY_VALUES, &shifted));
  TRY(MatAXPY(shifted, -s, eigen->B, SUBSET_NONZERO_PATTERN));
  TRY(MatSetOption(shifted, MAT_SYMMETRIC, PETSC_TRUE));
  TRY(MatGetFactor(shifted, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, &factor));
  TRY(MatMumpsSetIcntl(factor, 13, 1));      /* the root is not left to ScaLAPACK, which does not count */
  TRY(MatMumpsSetIcntl(factor, 24, 1));      /* null pivots are found */
  TRY(MatFactorInfoInitialize(&info));
  IS rows, columns;
  TRY(MatGetOrdering(shifted, MATORDERINGEXTERNAL, &rows, &columns));
  TRY(MatCholeskyFactorSymbolic(factor, shifted, rows, &info));
  TRY(MatCholeskyFactorNumeric(factor, shifted, &info));
  MatFactorError failed;
  TRY(MatFactorGetError(factor, &failed));
  if (!failed) {
    TRY(MatGetInertia(factor, &negative, &zero, &positive));
    *out = zero ? -1 : negative;
  }
  TRY(ISDestroy(&rows));
  TRY(ISDestroy(&columns));
  TRY(MatDestroy(&factor));
  return MatDestroy(&shifted);
}

/* A shift below the spectrum, not far: a tenth of what the lowest mode of a second-order operator would be on n points. */
static Status choose_shift(Eigen *eigen) {
  double a, b;
  PetscInt n, m;
  TRY(MatGetSize(eigen->A, &n, &m));
  TRY(MatNorm(eigen->A, NORM_1, &a));
  TRY(MatNorm(eigen->B, NORM_1, &b));
  if (!(a > 0) || !(b > 0)) a = b = 1;
  eigen->shift = -0.1 * a / b * pow((double)n, -2.0 / eigen->problem->mesh->dim);
  long below = 0;
  /* with a B that has a kernel the count has a part of its own, so it says nothing */
  for (int i = 0; i < 20 && eigen->form.symmetric && eigen->form.definite && !eigen->problem->nborders && n <= COUNT_DOFS; i++) {
    TRY(negative_pivots(eigen, eigen->shift, &below));
    if (below == n) eigen->shift = -eigen->shift;         /* all are negative, as of lap(u) == lambda*u: the smallest in size are wanted */
    if (below == 0 || below == n) break;
    eigen->shift *= 4;
  }
  return 0;
}

/* ---- SLEPc --------------------------------------------------------------------------------------------------------------------------------- */

static PetscErrorCode watch(EPS eps, PetscInt its, PetscInt nconv, PetscScalar *re, PetscScalar *im, PetscReal *errors, PetscInt n, void *user) {
  (void)eps, (void)its, (void)re, (void)im, (void)errors, (void)n;
  Eigen *eigen = user;
  engine_progress(eigen->problem->engine, "eigenvalues", fmin(1, (double)nconv / eigen->options->count));
  return 0;
}

static PetscErrorCode stop(EPS eps, PetscInt its, PetscInt max_it, PetscInt nconv, PetscInt nev, EPSConvergedReason *reason, void *user) {
  Eigen *eigen = user;
  TRY(EPSStoppingBasic(eps, its, max_it, nconv, nev, reason, NULL));
  volatile int *interrupt = eigen->problem->engine->options.interrupt;
  if (!*reason && petsc_agree(interrupt && *interrupt)) *reason = EPS_DIVERGED_BREAKDOWN;
  return 0;
}

static Status set_up(Eigen *eigen, int count) {
  const EigenOptions *options = eigen->options;
  bool symmetric = eigen->form.symmetric;
  PetscInt n, m;
  ST st;
  KSP ksp;
  PC pc;
  EPSDestroy(&eigen->eps);
  TRY(MatGetSize(eigen->A, &n, &m));
  TRY(EPSCreate(PetscObjectComm((PetscObject)eigen->A), &eigen->eps));
  TRY(EPSSetOperators(eigen->eps, eigen->A, eigen->B));
  TRY(EPSSetProblemType(eigen->eps, symmetric ? EPS_GHEP : eigen->form.definite ? EPS_PGNHEP : EPS_GNHEP));
  TRY(EPSSetType(eigen->eps, EPSKRYLOVSCHUR));
  TRY(EPSSetWhichEigenpairs(eigen->eps, EPS_TARGET_MAGNITUDE));
  TRY(EPSSetTarget(eigen->eps, eigen->shift));
  TRY(EPSSetDimensions(eigen->eps, count < n ? count : n, PETSC_DEFAULT, PETSC_DEFAULT));
  TRY(EPSSetTolerances(eigen->eps, options->rtol, options->max_iterations > 0 ? options->max_iterations : 500));
  TRY(EPSSetStoppingTestFunction(eigen->eps, stop, eigen, NULL));
  TRY(EPSMonitorSet(eigen->eps, watch, eigen, NULL));
  TRY(EPSGetST(eigen->eps, &st));
  TRY(STSetType(st, STSINVERT));
  TRY(STSetMatStructure(st, SUBSET_NONZERO_PATTERN));
  TRY(STGetKSP(st, &ksp));
  TRY(KSPSetType(ksp, KSPPREONLY));
  TRY(KSPGetPC(ksp, &pc));
  TRY(PCSetType(pc, symmetric ? PCCHOLESKY : PCLU));
  TRY(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  TRY(EPSSetFromOptions(eigen->eps));
  Vec first;
  TRY(MatCreateVecs(eigen->A, &first, NULL));
  TRY(VecSet(first, 1));       /* the same start for any number of ranks */
  PetscRandom random;
  TRY(PetscRandomCreate(PetscObjectComm((PetscObject)first), &random));
  TRY(PetscRandomSetSeed(random, 1));
  TRY(PetscRandomSeed(random));
  TRY(VecSetRandom(first, random));
  TRY(EPSSetInitialSpace(eigen->eps, 1, &first));
  TRY(PetscRandomDestroy(&random));
  return VecDestroy(&first);
}

static Status failed(const Eigen *eigen) {
  Diag *d = diag_report(eigen->problem->diags, E2061, eigen->problem->span, "%d of %d eigenvalues were found", eigen->converged, eigen->options->count);
  diag_suggest(d, eigen->options->has_near ? "take a `near:` that is no eigenvalue, or a smaller count" : "ask for a smaller count, or say where to look with `near:`");
  return 1;
}

/* Sorts the first n entries of order by rising key, equal ones as they stand. */
static void insert_by(const double *key, int *order, int n) {
  for (int i = 1; i < n; i++) {
    int at = order[i], k = i;
    for (; k > 0 && key[order[k - 1]] > key[at]; k--) order[k] = order[k - 1];
    order[k] = at;
  }
}

static Status take_values(Eigen *eigen) {
  int n = eigen->converged;
  free(eigen->re), free(eigen->im), free(eigen->order);
  eigen->re = calloc((size_t)n + 1, sizeof(double)), eigen->im = calloc((size_t)n + 1, sizeof(double)), eigen->order = calloc((size_t)n + 1, sizeof(int));
  for (int i = 0; i < n; i++) {
    TRY(EPSGetEigenvalue(eigen->eps, i, &eigen->re[i], &eigen->im[i]));
    eigen->order[i] = i;
  }
  double *distance = malloc(sizeof(double) * ((size_t)n + 1));
  for (int i = 0; i < n; i++) distance[i] = hypot(eigen->re[i] - eigen->shift, eigen->im[i]);
  insert_by(distance, eigen->order, n);
  insert_by(eigen->re, eigen->order, n < eigen->options->count ? n : eigen->options->count);
  free(distance);
  return 0;
}

static Status solve_for(Eigen *eigen, int count) {
  TRY(set_up(eigen, count));
  TRY(EPSSolve(eigen->eps));
  PetscInt n;
  TRY(EPSGetConverged(eigen->eps, &n));
  eigen->converged = n;
  engine_stage(eigen->problem->engine, "eigenvalues");
  TRY(engine_interrupted(eigen->problem->engine, eigen->problem->diags, eigen->problem->span));
  return take_values(eigen);
}

/* How many eigenvalues lie between the first and the last that are returned; -1: not counted. */
static Status count_between(const Eigen *eigen, int count, long *out) {
  double first = eigen->re[eigen->order[0]], last = eigen->re[eigen->order[count - 1]], gap = 1e-6 * fmax(fabs(first), fabs(last)) + 1e-9 * fabs(eigen->shift);
  long below, to;
  *out = -1;
  TRY(negative_pivots(eigen, first - gap, &below));
  TRY(negative_pivots(eigen, last + gap, &to));
  if (below >= 0 && to >= 0) *out = to - below;
  return 0;
}

static int found_between(const Eigen *eigen, int count) {
  double first = eigen->re[eigen->order[0]], last = eigen->re[eigen->order[count - 1]], gap = 1e-6 * fmax(fabs(first), fabs(last)) + 1e-9 * fabs(eigen->shift);
  int n = 0;
  for (int i = 0; i < eigen->converged; i++) n += eigen->re[i] >= first - gap && eigen->re[i] <= last + gap;
  return n;
}

static Status search(Eigen *eigen, bool *counted) {
  int count = eigen->options->count, want = count;
  PetscInt n, m;
  TRY(MatGetSize(eigen->A, &n, &m));
  if (count > n) {
    diag_suggest(diag_report(eigen->problem->diags, E2061, eigen->problem->span, "%d eigenvalues are asked for; the mesh has %d free unknowns", count, (int)n), "ask for fewer, or refine the mesh");
    return 1;
  }
  if (eigen->options->has_near) eigen->shift = eigen->options->near;
  else TRY(choose_shift(eigen));
  *counted = false;
  for (int round = 0; round < ROUNDS; round++) {
    TRY(solve_for(eigen, want));
    if (eigen->converged < count) return failed(eigen);
    if (!eigen->form.symmetric || n > COUNT_DOFS) return 0;
    long there;
    TRY(count_between(eigen, count, &there));
    if (there < 0) return 0;
    if (there <= found_between(eigen, count)) {
      *counted = true;
      return 0;
    }
    want = (int)(there + 2 > want ? there + 2 : want + 4);
    if (want > n) want = n;
  }
  diag_suggest(diag_report(eigen->problem->diags, W2060, eigen->problem->span, "there are more eigenvalues between %.6g and %.6g than were found", eigen->re[eigen->order[0]],
                           eigen->re[eigen->order[count - 1]]), "ask for a larger count, or a finer tolerance");
  return 0;
}

/* ---- modes --------------------------------------------------------------------------------------------------------------------------------- */

/* The entry of largest size is positive; the first one within rounding, so that the sign does not depend on noise. */
static double sign_of(const Space *space, const double *u) {
  double largest = 0, all;
  for (int i = 0; i < space->nowned; i++) largest = fmax(largest, fabs(u[i]));
  MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  /* signs of the lowest rank that has such an entry */
  int at = 0, rank, first;
  while (at < space->nowned && !(fabs(u[at]) >= (1 - 1e-6) * all)) at++;
  rank = at < space->nowned ? petsc_rank() : petsc_nranks();
  MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD);
  double mine = rank == first && rank < petsc_nranks() ? (u[at] < 0 ? -1 : 1) : 0, sign;
  MPI_Allreduce(&mine, &sign, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return sign == 0 ? 1 : sign;
}

static Status mode_values(const Eigen *eigen, int k, double *u) {
  const Space *space = eigen->problem->space;
  Vec x;
  const double *v;
  TRY(MatCreateVecs(eigen->A, &x, NULL));
  TRY(EPSGetEigenvector(eigen->eps, k, x, NULL));
  TRY(VecGetArrayRead(x, &v));
  for (int i = 0, n = 0; i < space->nowned; i++) u[i] = is_free(eigen->problem, i) ? v[n++] : 0;
  TRY(VecRestoreArrayRead(x, &v));
  TRY(VecDestroy(&x));
  TRY(affine_expand(eigen->problem->affine, u));
  double sign = sign_of(space, u);
  for (int i = 0; i < space->nowned; i++) u[i] *= sign;
  space_ghosts(space, u);
  return 0;
}

static Solution *mode_new(const Eigen *eigen, const double *u) {
  const Pde *pde = eigen->problem->pde;
  Solution *solution = solution_new(eigen->problem->engine, eigen->problem->space);
  solution->arena = arena_new();
  Unknown *unknowns = ARENA_ARRAY(solution->arena, Unknown, pde->nunknowns + 1);
  memcpy(unknowns, pde->unknowns, sizeof *unknowns * (size_t)pde->nunknowns);
  solution->unknowns = unknowns;
  solution->nunknowns = pde->nunknowns;
  solution->solver = "krylov-schur";
  solution->why = "shift and invert about the wanted end of the spectrum";
  solution_push(solution, 0, u);
  return solution;
}

static Status take_modes(Eigen *eigen, EigenModes *out) {
  int n = eigen->options->count;
  *out = (EigenModes){.mode = calloc((size_t)n + 1, sizeof *out->mode), .value = calloc((size_t)n + 1, sizeof(double)), .imaginary = calloc((size_t)n + 1, sizeof(double)),
                      .residual = calloc((size_t)n + 1, sizeof(double)), .unit = eigen->form.unit, .symmetric = eigen->form.symmetric};
  double *u = calloc((size_t)eigen->problem->space->nlocal + 1, sizeof *u);
  Status status = 0;
  bool pairs = false;
  for (int i = 0; i < n && !status; i++) {
    int k = eigen->order[i];
    out->value[i] = eigen->re[k];
    out->imaginary[i] = eigen->im[k];
    pairs |= fabs(eigen->im[k]) > 1e-8 * hypot(eigen->re[k], eigen->im[k]);
    status = EPSComputeError(eigen->eps, k, EPS_ERROR_BACKWARD, &out->residual[i]);
    if (!status) status = mode_values(eigen, k, u);
    if (!status) out->mode[i] = mode_new(eigen, u), out->n = i + 1;
  }
  free(u);
  TRY(status);
  if (pairs)
    diag_suggest(diag_report(eigen->problem->diags, W2061, eigen->problem->span, "some eigenvalues are complex: .values holds their real parts"), "their imaginary parts are in .imaginary; a mode is the real part of its eigenvector");
  for (int i = 0; i < n; i++)
    if (!(out->residual[i] <= 100 * eigen->options->rtol)) {
      diag_report(eigen->problem->diags, E2061, eigen->problem->span, "the residual of eigenvalue %d is %.2g, wanted: %.1g", i, out->residual[i], eigen->options->rtol);
      return 1;
    }
  return 0;
}

/* ---- the way in ---------------------------------------------------------------------------------------------------------------------------- */

static Status open_slepc(void) {
  if (SlepcInitializeCalled) return 0;
  return SlepcInitializeNoArguments();
}

static Status run(Eigen *eigen, EigenModes *out) {
  Problem *problem = eigen->problem;
  TRY(form_eigen(problem->form, eigen->arena, problem->diags, problem->span, &eigen->form));
  TRY(check_data(eigen));
  TRY(matrices(eigen));
  bool counted;
  TRY(search(eigen, &counted));
  TRY(take_modes(eigen, out));
  out->counted = counted;
  return 0;
}

Status eigen_solve(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const EigenOptions *options, Diags *diags, Span span, EigenModes *out) {
  *out = (EigenModes){0};
  engine_stages(engine);
  TRY(open_slepc());
  Eigen eigen = {.options = options, .arena = arena_new()};
  Status status = problem_begin(engine, pde, mesh, world, options->degree, diags, span, &eigen.problem);
  if (!status) status = run(&eigen, out);
  EPSDestroy(&eigen.eps);
  MatDestroy(&eigen.A);
  MatDestroy(&eigen.B);
  ISDestroy(&eigen.free);
  free(eigen.re), free(eigen.im), free(eigen.order);
  problem_free(eigen.problem);
  arena_free(eigen.arena);
  if (status) eigen_modes_free(out);
  return status;
}

void eigen_modes_free(EigenModes *modes) {
  for (int i = 0; i < modes->n; i++) solution_release(modes->mode[i]);
  free(modes->mode), free(modes->value), free(modes->imaginary), free(modes->residual);
  *modes = (EigenModes){0};
}
