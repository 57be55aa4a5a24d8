#include "sides.h"

#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "field.h"
#include "petsc.h"

/* --- twins --- */

typedef struct Inner { int near, far, facet; } Inner;

static int by_cells(const void *a, const void *b) {
  const Inner *p = a, *q = b;
  return p->near != q->near ? (p->near < q->near ? -1 : 1) : (p->far > q->far) - (p->far < q->far);
}

/* Two cells share one facet at most, so the pair of cells names it. */
static int *find_twins(const Mesh *mesh) {
  int n = 0, *twin = malloc(sizeof(int) * ((size_t)mesh->nfacets + 1));
  Inner *inner = malloc(sizeof *inner * ((size_t)(mesh->nfacets - mesh->nboundary) + 1));
  for (int f = 0; f < mesh->nfacets; f++) {
    twin[f] = -1;
    if (f >= mesh->nboundary && mesh->facet_cell2[f] >= 0) inner[n++] = (Inner){mesh->facet_cell[f], mesh->facet_cell2[f], f};
  }
  qsort(inner, (size_t)n, sizeof *inner, by_cells);
  for (int i = 0; i < n; i++) {
    Inner wanted = {inner[i].far, inner[i].near, 0}, *found = bsearch(&wanted, inner, (size_t)n, sizeof *inner, by_cells);
    if (found) twin[inner[i].facet] = found->facet;
  }
  free(inner);
  return twin;
}

char *sides_cells(const Mesh *mesh, Name region) {
  char *in = calloc((size_t)mesh->ncells + 1, 1);
  const MeshGroup *group = mesh_group_of(mesh, region, mesh->dim);
  for (int i = 0; group && i < group->n; i++) in[group->entity[i]] = 1;
  return in;
}

static Status neither(const Data *data, Name region) {
  Diag *diag = diag_report(data->diags, E2530, data->span, "`%s` lies on neither side of this place", region);
  diag_suggest(diag, "name a region that touches it: from: a, on: interface(a, b)");
  return 1;
}

/* --- a place --- */

Status sides_open(Sides *sides, const Data *data, Expr *e, const Where *where) {
  const Mesh *mesh = data->mesh;
  *sides = (Sides){0};
  if (!where || (!where->side && !field_jumps(e, data->world))) return 0;
  Part part = {.span = data->span};
  TRY(part_place(&part, data, where, INTEGRAL_FACET, true, true));
  if (where->side) sides->in = sides_cells(mesh, where->side);
  bool inner = false, off = false;
  for (int i = 0; i < part.n; i++) {
    int f = part.item[i], far = mesh->facet_cell2[f];
    inner |= far >= 0;
    off |= sides->in && !sides->in[mesh->facet_cell[f]] && (far < 0 || !sides->in[far]);
  }
  part_free(&part);
  int mine[2] = {inner, off}, any[2] = {inner, off};
  if (mesh->nranks > 1) MPI_Allreduce(mine, any, 2, MPI_INT, MPI_LOR, PETSC_COMM_WORLD);
  if (any[1]) {
    sides_close(sides);
    return neither(data, where->side);
  }
  sides->both = any[0];
  if (sides->both) sides->twin = find_twins(mesh);
  return 0;
}

void sides_close(Sides *sides) {
  free(sides->in), free(sides->twin);
  *sides = (Sides){0};
}

static Expr *turn(ExprPool *pool, Expr *leaf, void *user) {
  (void)user;
  return leaf->op == EXPR_NORMAL ? expr_unary(pool, EXPR_NEG, leaf) : leaf;
}

Expr *sides_expr(const Data *data, Expr *e, SidePick pick) {
  return pick == SIDE_FAR && e->flags & HAS_NORMAL ? expr_substitute(data->engine->options.pool, e, turn, NULL) : e;
}

void sides_part(const Sides *sides, const Mesh *mesh, SidePick pick, Part *part) {
  int n = 0;
  for (int i = 0; i < part->n; i++) {
    int f = part->item[i];
    bool inner = mesh->facet_cell2[f] >= 0;
    int seen = !inner ? (pick == SIDE_OUTER ? f : -1) : pick == SIDE_NEAR ? f : pick == SIDE_FAR ? sides->twin[f] : -1;
    if (seen >= 0 && inner && sides->in && !sides->in[mesh->facet_cell[seen]]) seen = -1;
    if (seen >= 0) part->item[n++] = seen;
  }
  part->n = n;
  part_group(part, mesh, INTEGRAL_FACET);
}

double sides_weight(const Sides *sides, SidePick pick) { return pick == SIDE_OUTER || sides->in ? 1 : 0.5; }
