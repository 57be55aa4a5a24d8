#include "peclet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "petsc.h"

typedef struct Worst { double peclet; int rank; } Worst;

/* |b|^2, the mean of k with its sign, dot(b, grad(u)): scalar level, NULL where one cannot be made. */
static bool quantities(const Problem *problem, const Transport *t, Expr *out[3]) {
  ExprPool *pool = problem->pde->pool;
  int dim = problem->pde->dim;
  Expr *speed2 = NULL, *k = NULL, *slope = NULL;
  for (int d = 0; d < dim; d++) {
    Symbol s = {.kind = SYMBOL_UNKNOWN, .which = (uint16_t)t->unknown};
    s.dx[d] = 1;
    Expr *b = t->velocity[d], *du = expr_term(pool, s, problem->pde->unknowns[t->unknown].name, UNIT_ANY);
    if (t->diffusion[d]) k = k ? expr_binary(pool, EXPR_ADD, k, t->diffusion[d]) : t->diffusion[d];
    if (!b) continue;
    Expr *square = expr_binary(pool, EXPR_MUL, b, b), *along = expr_binary(pool, EXPR_MUL, b, du);
    if (!square || !along) return false;
    speed2 = speed2 ? expr_binary(pool, EXPR_ADD, speed2, square) : square;
    slope = slope ? expr_binary(pool, EXPR_ADD, slope, along) : along;
    if (!speed2 || !slope) return false;
  }
  out[0] = speed2, out[1] = k, out[2] = slope;
  return k && speed2 && slope;
}

/* Largest minus smallest nodal value, over all ranks. */
static double range_of(const Space *space, const SpaceBlock *block, const double *u) {
  double ends[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < block->nodes->nowned; i++) {
    double v = u[space_dof(block, i)];
    ends[0] = fmax(ends[0], v), ends[1] = fmax(ends[1], -v);
  }
  if (space->ghost) MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return ends[0] + ends[1];
}

static void report(const Problem *problem, const Transport *t, double peclet, const double *x) {
  const Unknown *unknown = &problem->pde->unknowns[t->unknown];
  Buf place = {0};
  for (int d = 0; d < problem->mesh->dim; d++) buf_printf(&place, "%s%.3g", d ? ", " : "", x[d]);
  Diag *diag = diag_report(problem->diags, W2010, problem->span, "`%s` has a layer that the mesh does not resolve: the cell Peclet number there is up to %.3g, at (%s)",
                           unknown->name, peclet, buf_str(&place));
  diag_note(diag, unknown->span, "above 1 the values oscillate beside a layer of transport and diffusion");
  diag_suggest(diag, "add `stabilize: supg` to the pde, or make the cells there %.2g times smaller", peclet);
  buf_free(&place);
}

static Status check_one(Problem *problem, const Data *data, const Transport *t) {
  const Mesh *mesh = problem->mesh;
  const Space *space = problem->space;
  int dim = mesh->dim, n = mesh->ncells;
  Expr *of[3];
  if (!quantities(problem, t, of)) return 0;
  double range = range_of(space, &space->block[t->unknown], data->unknown), place[3] = {0};
  int *cell = malloc(sizeof(int) * ((size_t)n + 1));
  double *reference = malloc(sizeof(double) * ((size_t)n * (size_t)dim + 1)), *value = malloc(sizeof(double) * (3 * (size_t)n + 1));
  for (int c = 0; c < n; c++) {
    cell[c] = c;
    refcell_centre(mesh->ref, reference + c * dim);
  }
  Points points = {.n = n, .cell = cell, .reference = reference};
  Status status = data_evaluate(data, of, 3, &points, value);
  Worst worst = {0, mesh->rank};
  for (int c = 0; c < n && !status; c++) {
    double speed = sqrt(value[c]), k = fabs(value[n + c]) / dim, h = cell_size(mesh, c), peclet = speed * h / (2 * k * t->degree);
    if (!(k > 0) || !(peclet > fmax(1, worst.peclet)) || fabs(value[2 * n + c]) / speed * h < 0.25 * range || !mesh_owns_cell(mesh, c)) continue;
    worst.peclet = peclet;
    nodes_place(space->block[t->unknown].nodes, c, reference + c * dim, place);
  }
  free(cell), free(reference), free(value);
  TRY(petsc_agree(status));
  if (mesh->nranks > 1) {
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, PETSC_COMM_WORLD);
    MPI_Bcast(place, 3, MPI_DOUBLE, worst.rank, PETSC_COMM_WORLD);
  }
  if (worst.peclet > 1) report(problem, t, worst.peclet, place);
  return 0;
}

Status peclet_check(Problem *problem, double time, const double *u) {
  Data data = problem_data(problem, time);
  data.unknown = u;
  for (int i = 0; i < problem->pde->nequations; i++) {
    Transport t;
    if (problem->pde->unknowns[problem->pde->equations[i].unknown].shape.rank) continue;      /* flows have their own measures of resolution */
    if (form_transport(problem->pde, i, 0, &t) && !(problem->form->stabilised >> t.unknown & 1)) TRY(check_one(problem, &data, &t));
  }
  return 0;
}
