/* Grids of maps, and solutions on them. */
#include "tape_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"
#include "field.h"
#include "petsc.h"
#include "tape_internal.h"

enum { NODES_MAX = 64 };

static void place_nodes(Grid *grid) {
  const Mesh *mesh = grid->mesh;
  int dim = mesh->dim, per = element_nodes(grid->element, dim);
  double reference[NODES_MAX * 3];
  grid->x = BIG_ZEROED(double, (size_t)grid->nnodes * (size_t)dim + 1);
  grid->element->nodes(dim, reference);
  for (int e = 0; e < mesh->ncells; e++)
    for (int a = 0; a < per; a++) mesh_map(mesh, e, reference + a * dim, grid->x + (size_t)grid->cell_node[(size_t)e * (size_t)per + (size_t)a] * (size_t)dim, NULL);
}

Status grid_make(Engine *engine, Mesh *mesh, const char *name, int nt, const double *t, Grid **out) {
  const Element *element = element_find(name);
  *out = NULL;
  if (!element || element_is_broken(element) || !element_fits(element, mesh->ref)) {
    diag_report(engine->options.diags, E2102, (Span){0, 0}, "%s is no continuous element of %s: the fields of a map have one value at each node", name, mesh->ref->plural);
    return 1;
  }
  Mesh *whole = (Mesh *)mesh_whole(mesh);
  Grid *grid = calloc(1, sizeof *grid);
  *grid = (Grid){.mesh = element->degree > 1 ? mesh_retain(whole) : mesh_straight(whole), .element = element, .nt = nt > 0 ? nt : 1};
  grid->cell_node = nodal_layout(grid->mesh, element, &grid->nnodes);
  place_nodes(grid);
  grid->t = malloc(sizeof(double) * (size_t)grid->nt);
  for (int k = 0; k < grid->nt; k++) grid->t[k] = t ? t[k] : NAN;
  *out = grid;
  return 0;
}

void grid_free(Grid *grid) {
  if (!grid) return;
  mesh_release(grid->mesh);
  free(grid->cell_node), free(grid->x), free(grid->t);
  free(grid);
}

/* ---- a solution on a grid ---------------------------------------------------------------------------------------------------------------- */

/* The same cells: the functions of the solution's element at the nodes of the grid's are the same in all of them. */
static void sample_cells(const Grid *grid, const SpaceBlock *block, const double *values, double *out) {
  const NodeSet *nodes = block->nodes;
  int dim = grid->mesh->dim, per = element_nodes(grid->element, dim), from = nodes->per_cell, m = block->components;
  double reference[NODES_MAX * 3], basis[NODES_MAX * NODES_MAX];
  grid->element->nodes(dim, reference);
  nodes->element->tabulate(dim, per, reference, basis, NULL, NULL);
  for (int e = 0; e < grid->mesh->ncells; e++)
    for (int a = 0; a < per; a++) {
      double *to = out + (size_t)grid->cell_node[(size_t)e * (size_t)per + (size_t)a] * (size_t)m;
      memset(to, 0, sizeof(double) * (size_t)m);
      for (int b = 0; b < from; b++) {
        const double *value = values + space_dof(block, nodes->cell[(size_t)e * (size_t)from + (size_t)b]);
        for (int c = 0; c < m; c++) to[c] += basis[a * from + b] * value[c];
      }
    }
}

/* Another mesh: point by point. */
static Status sample_points(Engine *engine, Solution *solution, int unknown, const Grid *grid, double time, Diags *diags, Span span, double *out) {
  int dim = grid->mesh->dim, per = element_nodes(grid->element, dim);
  double nodes[NODES_MAX * 3], *reference = malloc(sizeof(double) * (size_t)grid->nnodes * (size_t)dim);
  int *cell = malloc(sizeof(int) * (size_t)grid->nnodes);
  grid->element->nodes(dim, nodes);
  for (int e = 0; e < grid->mesh->ncells; e++)
    for (int a = 0; a < per; a++) {
      int node = grid->cell_node[(size_t)e * (size_t)per + (size_t)a];
      cell[node] = e;
      memcpy(reference + (size_t)node * (size_t)dim, nodes + a * dim, sizeof(double) * (size_t)dim);
    }
  const Unknown *u = &solution->unknowns[unknown];
  Symbol symbol = {.kind = SYMBOL_FIELD, .which = (uint16_t)unknown, .serial = solution->serial, .time = time};
  Expr *field = expr_symbol(engine->options.pool, symbol, u->name, u->shape, u->unit);
  World world = {.solutions = &solution, .nsolutions = 1, .time = time};
  Data data = {.engine = engine, .mesh = grid->mesh, .world = &world, .time = time, .diags = diags, .span = span};
  Points points = {.n = grid->nnodes, .cell = cell, .reference = reference};
  Status status = data_prepare(&data);
  if (!status) status = data_evaluate_tensor(&data, field, &points, out);
  free(cell), free(reference);
  return status;
}

static Status sample(Engine *engine, Solution *solution, int unknown, const Grid *grid, Diags *diags, Span span, double *out) {
  if (solution->space->mesh->nranks > 1) TRY(solution_whole(solution));
  Solution *whole = solution->whole ? solution->whole : solution;
  const SpaceBlock *block = &whole->space->block[unknown];
  size_t each = (size_t)grid->nnodes * (size_t)block->components;
  for (int k = 0; k < grid->nt; k++) {
    const double *values;
    if (!mesh_same_cells(whole->space->mesh, grid->mesh)) {
      TRY(sample_points(engine, solution, unknown, grid, grid->t[k], diags, span, out + (size_t)k * each));
      continue;
    }
    TRY(solution_values(whole, grid->t[k], diags, span, &values));
    sample_cells(grid, block, values, out + (size_t)k * each);
  }
  return 0;
}

Status grid_sample(Engine *engine, Solution *solution, int unknown, const Grid *grid, Diags *diags, Span span, double *out) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, sample(engine, solution, unknown, grid, diags, span, out));
}
