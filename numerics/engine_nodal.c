#include "engine_nodal.h"

#include <math.h>
#include <stdlib.h>

#include "field.h"

Status engine_nodal(Engine *engine, Solution *solution, int unknown, NodalView *out) {
  (void)engine;
  NodalField field;
  double *own;
  int last = solution->nstates - 1, dim = solution->space->mesh->dim;
  solution_nodal(solution, unknown, solution->states[last], &field, &own);
  const NodeSet *nodes = solution->space->block[unknown].nodes;
  *out = (NodalView){.nodes = nodes->n, .dim = dim, .components = field.ncomp, .values = field.values, .own_values = own,
                     .time = solution->transient ? solution->times[last] : NAN};
  int *cell;
  double *reference, x[3];
  field_node_points(nodes, &cell, &reference);
  double *points = out->points = malloc(sizeof(double) * ((size_t)nodes->n * (size_t)dim + 1));
  for (int i = 0; i < nodes->n; i++) {
    nodes_place(nodes, cell[i], reference + (size_t)i * (size_t)dim, x);
    for (int d = 0; d < dim; d++) points[(size_t)i * (size_t)dim + (size_t)d] = x[d];
  }
  free(cell);
  free(reference);
  return 0;
}
