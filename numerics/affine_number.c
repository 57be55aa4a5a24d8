/* u == V + a on boundaries, with an unknown number V: a row for each of their nodes. The nodes follow V, so the condensed row of V is the sum of theirs, which
 * is the flux through those boundaries by reactions; what it has to be stands in V's own row (Global.held). */
#include <stdlib.h>

#include "affine.h"
#include "engine_internal.h"

/* Boundaries of two values that meet: where the step of the value is sharp the flux from one to the other is infinite, on a mesh it grows with refinement. */
static void report_meeting(const Pde *pde, const Data *data, const Condition *condition, const Condition *other) {
  const char *name = pde->globals[condition->number].name;
  Diag *diag = other ? diag_report(data->diags, W2071, other->span, "the boundaries of `%s` and `%s` meet: they become one number", name, pde->globals[other->number].name)
                     : diag_report(data->diags, W2071, condition->span, "the boundary of `%s` meets one where `%s` is prescribed: no flux between them is its limit as the mesh is refined", name,
                                   pde->unknowns[condition->unknown].name);
  if (other) diag_note(diag, condition->span, "the other one");
  diag_suggest(diag, "leave a part between them where a flux is given, dot(F, n) == 0, say");
}

/* taken[nlocal]: 1 + the condition whose number a dof follows. */
static Status add_rows(const Pde *pde, const Data *data, int index, const char *prescribed, int *taken, AffineRows *rows) {
  const Condition *condition = &pde->conditions[index];
  const Space *space = data->space;
  const SpaceBlock *block = &space->block[condition->unknown];
  int dim = data->mesh->dim, number = space->multiplier + pde->nconstraints + condition->number, n, *facets = bc_facets(data->mesh, &condition->where, &n);
  int *mark = calloc((size_t)block->nodes->n + 1, sizeof(int)), meets[2] = {0};      /* a prescribed value; 1 + a condition of another number */
  BcClause clause = {.condition = condition};
  bc_facet_nodes(&clause, data->mesh, block->nodes, facets, n, mark, 1);
  free(facets), free(mark);
  for (int i = 0; i < clause.n; i++) {
    int dof = space_dof(block, clause.node[i]) + (condition->component > 0 ? condition->component : 0);
    if (clause.node[i] >= block->nodes->nowned) continue;
    if (prescribed[dof]) meets[0] = 1;
    if (prescribed[dof]) continue;
    if (taken[dof] && pde->conditions[taken[dof] - 1].number != condition->number) meets[1] = taken[dof];
    taken[dof] = index + 1;
    AffineRow *row = affine_row(rows);
    affine_entry(row, space, prescribed, number, -1);
    affine_entry(row, space, prescribed, dof, 1);            /* the last one follows */
    row->unknown = condition->unknown, row->node = clause.node[i], row->side = -1;
    row->point = rows->npoints;
    row->direction[0] = 1;
    if (expr_is_zero(condition->value)) continue;
    AffinePoint *point = affine_point(rows);
    *point = (AffinePoint){.condition = index, .cell = clause.cell[i], .facet = clause.facet[i], .weight = 1};
    for (int d = 0; d < dim; d++) point->reference[d] = clause.reference[i * dim + d];
    row->npoints = 1;
  }
  if (data->mesh->nranks > 1) MPI_Allreduce(MPI_IN_PLACE, meets, 2, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  if (meets[0]) report_meeting(pde, data, condition, NULL);
  if (meets[1]) report_meeting(pde, data, condition, &pde->conditions[meets[1] - 1]);
  long mine = clause.n, all = mine;
  if (data->mesh->nranks > 1) MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  free(clause.node), free(clause.cell), free(clause.facet), free(clause.reference);
  if (!all) diag_report(data->diags, E2012, condition->span, "`%s` has no facet on this mesh", condition->where.n ? condition->where.names[0] : "that boundary");
  return !all;
}

Status affine_number(const Pde *pde, const Data *data, const char *prescribed, AffineRows *rows) {
  int *taken = calloc((size_t)data->space->nlocal + 1, sizeof(int));
  Status status = 0;
  for (int i = 0; i < pde->nconditions && !status; i++)
    if (pde->conditions[i].kind == CONDITION_NUMBER) status = add_rows(pde, data, i, prescribed, taken, rows);
  free(taken);
  return status;
}
