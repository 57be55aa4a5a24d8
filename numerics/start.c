/* Without it the start would be the prescribed values on the boundary and zero inside: a jump within one cell, whose gradient is far from that of any
 * solution, and coefficients such as u^2 vanish on it. */
#include "start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"

static bool all_zero(const Space *space, const double *u) {
  double most = 0, all = 0;
  for (int i = 0; i < space->nowned; i++) most = fmax(most, fabs(u[i]));
  all = most;
  if (space->ghost) MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return all == 0;
}

/* The pde with its equations exchanged; of its conditions those stay that prescribe values or parts of them. */
static bool extension(const Problem *problem, Arena *arena, Pde *out) {
  const Pde *pde = problem->pde;
  ExprPool *pool = pde->pool;
  *out = *pde;
  out->nweak = out->ninitials = out->nconstraints = out->nglobals = out->nconditions = 0;
  out->stabilize = false;
  out->equations = ARENA_ARRAY(arena, Equation, pde->nunknowns + 1);
  out->nequations = pde->nunknowns;
  out->conditions = ARENA_ARRAY(arena, Condition, pde->nconditions + 1);
  Unit per_area;
  unit_pow(pde->length, -2, &per_area);
  Expr *c = expr_const(pool, 1e-6 / (problem->mesh->h_max * problem->mesh->h_max), per_area);
  for (int i = 0; i < pde->nunknowns; i++) {
    Expr *u = pde->unknowns[i].symbol, *lap = expr_unary(pool, EXPR_LAP, u), *mass = expr_binary(pool, EXPR_MUL, c, u);
    Expr *left = lap && mass ? expr_binary(pool, EXPR_SUB, mass, lap) : NULL;
    if (element_is_broken(element_find(pde->unknowns[i].element))) left = mass;   /* nothing is prescribed, nothing to continue */
    if (!left) return false;
    out->equations[i] = (Equation){i, left, expr_zero(pool, u->shape), pde->span};
  }
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].kind != CONDITION_NATURAL && pde->conditions[i].kind != CONDITION_NUMBER) out->conditions[out->nconditions++] = pde->conditions[i];
  return true;
}

static void copy_blocks(const Space *from, const double *v, const Space *to, double *u) {
  for (int b = 0; b < to->nblocks; b++) {
    const SpaceBlock *f = &from->block[b], *t = &to->block[b];
    memcpy(u + t->owned, v + f->owned, sizeof(double) * (size_t)(t->nodes->nowned * t->components));
  }
  space_ghosts(to, u);
}

static Status extend(const Problem *problem, const SolveOptions *options, Pde *pde, double *u) {
  Problem *sub = NULL;
  TRY(problem_new(problem->engine, pde, problem->mesh, &problem->world, NULL, 0, problem->diags, problem->span, &sub));
  SolveOptions loose = {.rtol = 1e-2, .solver = "cg+icc", .quiet = options->quiet};   /* a start, no solution: incomplete Cholesky smooths it soon enough */
  System system = {0};
  double *v = big_zeroed(sizeof(double) * ((size_t)sub->space->nlocal + 1));
  Data data = problem_data(sub, sub->world.time);
  Status status = problem_prescribe(sub, &data, v);
  if (!status) status = system_open(&system, sub, &loose, false);
  if (!status) status = system_solve(&system, &data, true, v);
  if (!status) copy_blocks(sub->space, v, problem->space, u);
  system_close(&system);
  free(v);
  problem_free(sub);
  return status;
}

Status start_extend(const Problem *problem, const SolveOptions *options, double *u) {
  if (problem->step.findings & FORM_LINEAR || problem->mesh->uncut || all_zero(problem->space, u)) return 0;      /* the extension knows no cuts */
  Arena *arena = arena_new();
  Pde pde;
  Status status = extension(problem, arena, &pde) ? extend(problem, options, &pde, u) : 0;
  arena_free(arena);
  return status;
}
