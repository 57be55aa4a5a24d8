#include "compatible.h"

#include <math.h>
#include <mpi.h>
#include <petsc.h>
#include <stdlib.h>
#include <string.h>

#include "petsc.h"

/* Parts of the data: beyond the first no mesh and no quadrature explains what is missing, below the second any may. */
static const double NO_SOLUTION = 0.05, NOTICEABLE = 1e-3;

/* May the constraint be there for the constant of a scalar unknown that nothing else fixes? */
static bool may_fix_constant(const Problem *problem, int constraint) {
  const Pde *pde = problem->pde;
  int u = pde->constraints[constraint].unknown;
  if (pde->unknowns[u].shape.rank) return false;
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].unknown == u && pde->conditions[i].kind != CONDITION_NATURAL) return false;
  for (int i = 0; i < pde->nconstraints; i++)
    if (i != constraint && pde->constraints[i].unknown == u) return false;
  return true;
}

typedef struct Lack {
  double lacks, size;   /* what the multiplier adds to all rows of the unknown; the size of the data in them */
  double seen;          /* how much its own rows change with its constant */
} Lack;

/* Data are the residual where the unknowns are zero but for what is prescribed. The equation of an unknown sees its constant unless no integral
 * does (free_constants) or it does not contain the unknown at all, as the equation of a pressure: then the rows are the same to the last bit. */
static Status missing(Problem *problem, const Data *data, const double *u, int m, Lack *out) {
  const Space *space = problem->space;
  int unknown = problem->pde->constraints[m].unknown;
  const SpaceBlock *block = &space->block[unknown];
  size_t n = (size_t)space->nlocal + 1;
  double *work = calloc(4 * n, sizeof *work), *zero = work, *r = work + n, *source = work + 2 * n, *lifted = work + 3 * n, mine[3] = {0}, all[3];
  Data at = *data;
  at.unknown = zero;
  Status status = problem_prescribe(problem, &at, zero);
  if (!status) status = problem_residual(problem, &at, false, r);
  if (!status) status = petsc_agree(assemble_vector(&at, problem->border[m].column, 1, source));
  int from = block->owned, to = block->owned + block->nodes->nowned;
  if (!status && !problem->form->free_constants[unknown]) {
    for (int i = 0; i < block->nodes->n; i++) zero[space_dof(block, i)] += 1;
    status = problem_residual(problem, &at, false, lifted);
    for (int i = from; i < to; i++) mine[2] += fabs(lifted[i] - r[i]);
  }
  for (int i = from; i < to && !status; i++) {
    mine[0] += u[space->multiplier + m] * source[i];
    mine[1] += fabs(r[i]);
  }
  if (!status) MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  if (!status) *out = (Lack){all[0], all[1], all[2]};
  free(work);
  return status;
}

static Status report(Problem *problem, int m, double lacks, double size) {
  const char *name = problem->pde->unknowns[problem->pde->constraints[m].unknown].name;
  bool none = fabs(lacks) > NO_SOLUTION * size;
  Diag *d = none ? diag_report(problem->diags, E2040, problem->span, "the equation of `%s` cannot hold: its sources and what is given on the boundary add up to %.3g, not to 0 (%.3g %% of their size)",
                               name, lacks, 100 * fabs(lacks) / size)
                 : diag_report(problem->diags, W2040, problem->span, "the equation of `%s` does not quite hold: its sources and what is given on the boundary add up to %.3g, not to 0 (%.2g %% of their size)",
                               name, lacks, 100 * fabs(lacks) / size);
  diag_note(d, problem->pde->constraints[m].span, none ? "this fixes the constant that nothing else does; it cannot supply what is missing" : "a constant source takes up the difference");
  diag_suggest(d, none ? "change a source, a flux or a prescribed value, or prescribe `%s` on a part of the boundary instead" : "a finer mesh where the boundary is curved, or a higher `degree:`, if the data of `%s` balance exactly", name);
  return none;
}

Status compatible_data(Problem *problem, const Data *data, const double *u) {
  for (int m = 0; m < problem->pde->nconstraints; m++) {
    if (!may_fix_constant(problem, m)) continue;
    Lack lack = {0};
    TRY(missing(problem, data, u, m, &lack));
    if (lack.seen == 0 && lack.size > 0 && fabs(lack.lacks) > NOTICEABLE * lack.size) TRY(report(problem, m, lack.lacks, lack.size));
  }
  return 0;
}
