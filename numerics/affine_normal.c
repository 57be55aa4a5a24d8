/* dot(u, n) == g and cross(u, n) == g on boundaries. The normal of a node is the mean of those of the facets around it, weighted by their area: the normal
 * that makes the discrete flow through the side consistent (Engelman, Sani, Gresho 1982, eq. 3.8: n_i ~ integral of phi_i n). Where two sides meet at an
 * edge, facets of one are not averaged with those of the other: the node has the conditions of both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "affine.h"
#include "engine_internal.h"

/* Facets of one smooth piece turn by less than this from their mean; of different sides only where they continue each other. */
static const double COS_SAME_SIDE = 0.25, COS_OTHER_SIDE = 0.966;      /* 75 and 15 degrees */

typedef struct Corner {          /* a node on a facet of a condition */
  int node, condition, cell, facet, side, piece;
  double reference[3], normal[3], area;
} Corner;

typedef struct Corners { Corner *at; int n, cap; } Corners;

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The smallest group that a facet is in, as a side: facets of different sides may meet at an edge. */
int *affine_sides(const Mesh *mesh) {
  int *side = malloc(sizeof(int) * ((size_t)mesh->nfacets + 1));
  long *size = malloc(sizeof(long) * ((size_t)mesh->nfacets + 1));
  for (int f = 0; f < mesh->nfacets; f++) side[f] = mesh->ngroups;
  for (int g = 0; g < mesh->ngroups; g++) {
    const MeshGroup *group = &mesh->groups[g];
    for (int i = 0; group->dim == mesh->dim - 1 && i < group->n; i++) {
      int f = group->entity[i];
      if (side[f] < mesh->ngroups && size[f] <= group->count) continue;
      side[f] = g;
      size[f] = group->count;
    }
  }
  free(size);
  return side;
}

static Status add_corners(const Data *data, const SpaceBlock *block, const Pde *pde, int condition, const int *side, Corners *out) {
  const Mesh *mesh = data->mesh;
  const NodeSet *nodes = block->nodes;
  int dim = mesh->dim, on[CELL_FACETS][64], count[CELL_FACETS], n, *facets = bc_facets(mesh, &pde->conditions[condition].where, &n), first = out->n;
  double reference[64 * 3];
  nodes_reference(nodes->element, dim, reference);
  for (int f = 0; f < mesh->ref->nfacets; f++) count[f] = nodes_on_facet(nodes->element, dim, f, on[f]);
  for (int i = 0; i < n; i++) {
    int cell = mesh->facet_cell[facets[i]], f = mesh->facet_local[facets[i]];
    for (int a = 0; a < count[f]; a++) {
      int node = nodes->cell[(size_t)cell * (size_t)nodes->per_cell + (size_t)on[f][a]];
      if (node >= nodes->nowned) continue;
      if (out->n == out->cap) out->at = realloc(out->at, sizeof(Corner) * (size_t)(out->cap = out->cap ? 2 * out->cap : 256));
      Corner *corner = &out->at[out->n++];
      *corner = (Corner){.node = node, .condition = condition, .cell = cell, .facet = f, .side = side[facets[i]], .piece = -1, .area = mesh_facet_measure(mesh, facets[i])};
      memcpy(corner->reference, reference + on[f][a] * dim, sizeof(double) * (size_t)dim);
    }
  }
  free(facets);
  long mine = n, all = n;
  if (mesh->nranks > 1) MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  if (!all && !pde->conditions[condition].by_rest) {
    const Where *where = &pde->conditions[condition].where;
    diag_report(data->diags, E2012, pde->conditions[condition].span, "%s%s%s has no facet on this mesh", where->n ? "`" : "", where->n ? where->names[0] : "that boundary", where->n ? "`" : "");
    return 1;
  }
  /* the normal at the node, which on curved cells differs along the facet */
  int m = out->n - first;
  int *cell = malloc(2 * sizeof(int) * ((size_t)m + 1)), *facet = cell + m;
  double *place = malloc(sizeof(double) * 6 * ((size_t)m + 1)), *normal = place + 3 * (size_t)m;
  for (int i = 0; i < m; i++) {
    cell[i] = out->at[first + i].cell, facet[i] = out->at[first + i].facet;
    memcpy(place + (size_t)i * (size_t)dim, out->at[first + i].reference, sizeof(double) * (size_t)dim);
  }
  Points points = {.n = m, .cell = cell, .reference = place, .facet = facet};
  Status status = m ? data_evaluate_tensor(data, expr_normal(pde->pool, dim), &points, normal) : 0;
  for (int i = 0; i < m && !status; i++) memcpy(out->at[first + i].normal, normal + (size_t)i * (size_t)dim, sizeof(double) * (size_t)dim);
  free(cell), free(place);
  return status;
}

static int by_node(const void *a, const void *b) {
  const Corner *p = a, *q = b;
  return p->node != q->node ? p->node - q->node : p->side != q->side ? p->side - q->side : p->cell != q->cell ? p->cell - q->cell : p->facet - q->facet;
}

/* Numbers the smooth pieces that meet at a node; returns how many. mean: sum of area*normal of each. */
static int pieces(Corner *corner, int n, double mean[8][3]) {
  int m = 0, side[8];
  for (int i = 0; i < n; i++) {
    int found = -1;
    for (int k = 0; k < m && found < 0; k++) {
      double cosine = dot(mean[k], corner[i].normal) / sqrt(dot(mean[k], mean[k]));
      if (cosine > (side[k] == corner[i].side ? COS_SAME_SIDE : COS_OTHER_SIDE)) found = k;
    }
    if (found < 0 && m == 8) found = 7;
    if (found < 0) {
      found = m++;
      side[found] = corner[i].side;
      memset(mean[found], 0, sizeof mean[found]);
    }
    corner[i].piece = found;
    for (int d = 0; d < 3; d++) mean[found][d] += corner[i].area * corner[i].normal[d];
  }
  return m;
}

/* The values of the condition at the corners of a piece, weighted as the normal is. */
static void right_side(AffineRows *rows, AffineRow *row, const Pde *pde, const Corner *corner, int n, int piece, double length, const double *direction) {
  row->point = rows->npoints;
  memcpy(row->direction, direction, sizeof row->direction);
  for (int i = 0; i < n; i++) {
    if (corner[i].piece != piece || expr_is_zero(pde->conditions[corner[i].condition].value)) continue;
    AffinePoint *point = affine_point(rows);
    *point = (AffinePoint){.condition = corner[i].condition, .cell = corner[i].cell, .facet = corner[i].facet, .weight = corner[i].area / length};
    memcpy(point->reference, corner[i].reference, sizeof point->reference);
    row->npoints++;
  }
}

static void vector_row(const Data *data, const SpaceBlock *block, const char *prescribed, int node, const double *coef, AffineRow *row) {
  for (int d = 0; d < block->components; d++)
    if (fabs(coef[d]) > 1e-14) affine_entry(row, data->space, prescribed, space_dof(block, node) + d, coef[d]);
}

/* Two directions across n; with t the given value g of cross(u, n) makes dot(t, u) = dot(t, cross(n, g)) = dot(cross(t, n), g). */
static void tangents(int dim, const double *n, double t[2][3], double direction[2][3]) {
  if (dim == 2) {                /* cross(u, n) = u.x*n.y - u.y*n.x is a number */
    t[0][0] = n[1], t[0][1] = -n[0], t[0][2] = 0;
    direction[0][0] = 1, direction[0][1] = direction[0][2] = 0;
    return;
  }
  int least = 0;
  for (int d = 1; d < 3; d++)
    if (fabs(n[d]) < fabs(n[least])) least = d;
  double e[3] = {least == 0, least == 1, least == 2}, along = n[least], length = sqrt(1 - along * along);
  for (int d = 0; d < 3; d++) t[0][d] = (e[d] - along * n[d]) / length;
  for (int d = 0; d < 3; d++) t[1][d] = n[(d + 1) % 3] * t[0][(d + 2) % 3] - n[(d + 2) % 3] * t[0][(d + 1) % 3];
  for (int k = 0; k < 2; k++)
    for (int d = 0; d < 3; d++) direction[k][d] = t[k][(d + 1) % 3] * n[(d + 2) % 3] - t[k][(d + 2) % 3] * n[(d + 1) % 3];
}

static void node_rows(const Pde *pde, const Data *data, const SpaceBlock *block, ConditionKind kind, const char *prescribed, Corner *corner, int n, AffineRows *rows) {
  double mean[8][3];
  int m = pieces(corner, n, mean), dim = data->mesh->dim;
  for (int k = 0; k < m; k++) {
    double length = sqrt(dot(mean[k], mean[k])), normal[3], t[2][3], direction[2][3] = {{1, 0, 0}};
    for (int d = 0; d < 3; d++) normal[d] = mean[k][d] / length;
    int nrows = kind == CONDITION_NORMAL ? 1 : dim - 1;
    if (kind == CONDITION_NORMAL) memcpy(t[0], normal, sizeof normal);
    else tangents(dim, normal, t, direction);
    for (int i = 0; i < nrows; i++) {
      AffineRow *row = affine_row(rows);
      vector_row(data, block, prescribed, corner[0].node, t[i], row);
      right_side(rows, row, pde, corner, n, k, length, direction[i]);
      row->unknown = pde->conditions[corner[0].condition].unknown;
      row->node = corner[0].node;
      for (int a = n - 1; a >= 0; a--)
        if (corner[a].piece == k) row->side = corner[a].side;
    }
  }
}

static Status unknown_rows(const Pde *pde, const Data *data, int unknown, ConditionKind kind, const int *side, const char *prescribed, AffineRows *rows) {
  const SpaceBlock *block = &data->space->block[unknown];
  Corners corners = {0};
  Status status = 0;
  for (int i = 0; i < pde->nconditions && !status; i++)
    if (pde->conditions[i].kind == kind && pde->conditions[i].unknown == unknown) status = petsc_agree(add_corners(data, block, pde, i, side, &corners));
  if (!status && corners.n) qsort(corners.at, (size_t)corners.n, sizeof(Corner), by_node);
  for (int i = 0, j; i < corners.n && !status; i = j) {
    for (j = i; j < corners.n && corners.at[j].node == corners.at[i].node; j++) {}
    node_rows(pde, data, block, kind, prescribed, &corners.at[i], j - i, rows);
  }
  free(corners.at);
  return status;
}

Status affine_normal(const Pde *pde, const Data *data, const char *prescribed, AffineRows *rows) {
  int *side = affine_sides(data->mesh);
  Status status = 0;
  for (int u = 0; u < pde->nunknowns && !status; u++) {
    status = unknown_rows(pde, data, u, CONDITION_NORMAL, side, prescribed, rows);
    if (!status) status = unknown_rows(pde, data, u, CONDITION_TANGENTIAL, side, prescribed, rows);
  }
  free(side);
  return status;
}
