#include "refcell.h"

#include <math.h>
#include <string.h>

static const RefCell simplices[4] = {
  {0},
  {CELL_SIMPLEX, 1, 2, 2, 1, 1, {1}, {{0, 1}}, {{1}, {0}}, {{-1}, {1}}, 1, "interval", "intervals"},
  {CELL_SIMPLEX, 2, 3, 3, 3, 2, {1, 2}, {{1, 2}, {0, 2}, {0, 1}}, {{1, 2}, {0, 2}, {0, 1}}, {{-1, -1}, {1, 0}, {0, 1}}, 1. / 2, "triangle", "triangles"},
  {CELL_SIMPLEX, 3, 4, 4, 6, 3, {1, 2, 3}, {{2, 3}, {1, 3}, {1, 2}, {0, 3}, {0, 2}, {0, 1}}, {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}},
   {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1. / 6, "tetrahedron", "tetrahedra"}};

static const RefCell tensors[4] = {
  {0}, {0},
  {CELL_TENSOR, 2, 4, 4, 4, 2, {1, 2}, {{0, 1}, {2, 3}, {0, 2}, {1, 3}}, {{0, 2}, {1, 3}, {0, 1}, {2, 3}}, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}, 1, "quadrilateral",
   "quadrilaterals"},
  {CELL_TENSOR, 3, 8, 6, 12, 4, {1, 2, 4},
   {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
   {{0, 2, 4, 6}, {1, 3, 5, 7}, {0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}},
   {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, 1, "hexahedron", "hexahedra"}};

const RefCell *refcell_of(CellShape shape, int dim) { return shape == CELL_TENSOR && dim > 1 ? &tensors[dim] : &simplices[dim]; }

void refcell_vertex(const RefCell *cell, int vertex, double *X) {
  for (int k = 0; k < cell->dim; k++) X[k] = cell->shape == CELL_SIMPLEX ? vertex == k + 1 : vertex >> k & 1;
}

void refcell_centre(const RefCell *cell, double *X) {
  for (int k = 0; k < cell->dim; k++) X[k] = cell->shape == CELL_SIMPLEX ? 1.0 / (cell->dim + 1) : 0.5;
}

/* A facet is an affine image of its own reference cell, vertex 0 at the origin and vertex k + 1 (of a simplex) or 1 << k at e_k. */
void refcell_facet_point(const RefCell *cell, int facet, const double *p, double *X) {
  const int *v = cell->facet[facet];
  double origin[3], end[3];
  refcell_vertex(cell, v[0], origin);
  memcpy(X, origin, sizeof(double) * (size_t)cell->dim);
  for (int k = 0; k < cell->dim - 1; k++) {
    refcell_vertex(cell, v[cell->shape == CELL_SIMPLEX ? k + 1 : 1 << k], end);
    for (int d = 0; d < cell->dim; d++) X[d] += p[k] * (end[d] - origin[d]);
  }
}

double refcell_facet_depth(const RefCell *cell, int facet, const double *X) {
  if (cell->shape == CELL_TENSOR) return facet & 1 ? 1 - X[facet / 2] : X[facet / 2];
  if (facet) return X[facet - 1];
  double rest = 1;
  for (int k = 0; k < cell->dim; k++) rest -= X[k];
  return rest;
}

double refcell_depth(const RefCell *cell, const double *X) {
  double least = INFINITY;
  for (int f = 0; f < cell->nfacets; f++) least = fmin(least, refcell_facet_depth(cell, f, X));
  return least;
}

int refcell_bends(const RefCell *cell) {
  if (cell->shape == CELL_SIMPLEX) return cell->nedges;
  return cell->nedges + (cell->dim == 3 ? cell->nfacets : 0) + 1;
}

int refcell_map_nodes(const RefCell *cell, bool bent) { return cell->nverts + (bent ? refcell_bends(cell) : 0); }

static void simplex_map(const RefCell *cell, bool bent, const double *X, double *N, double *dN, double *d2N) {
  int dim = cell->dim, n = refcell_map_nodes(cell, bent);
  double l[4] = {1};
  int slope[4][3] = {{0}};
  for (int k = 0; k < dim; k++) l[0] -= X[k], l[k + 1] = X[k], slope[0][k] = -1, slope[k + 1][k] = 1;
  if (d2N) memset(d2N, 0, sizeof(double) * (size_t)(n * dim * dim));
  for (int v = 0; v <= dim; v++) {
    if (N) N[v] = l[v];
    for (int k = 0; dN && k < dim; k++) dN[v * dim + k] = slope[v][k];
  }
  for (int e = 0; e < n - cell->nverts; e++) {
    int g = cell->nverts + e, a = cell->edge[e][0], b = cell->edge[e][1];
    if (N) N[g] = 4 * l[a] * l[b];
    for (int k = 0; dN && k < dim; k++) dN[g * dim + k] = 4 * (slope[a][k] * l[b] + l[a] * slope[b][k]);
    for (int k = 0; d2N && k < dim; k++)
      for (int j = 0; j < dim; j++) d2N[(g * dim + k) * dim + j] = 4 * (slope[a][k] * slope[b][j] + slope[a][j] * slope[b][k]);
  }
}

/* Where node g of the map lies along axis k: 0, 1, or 2 for between. */
static int place_along(const RefCell *cell, int g, int k) {
  if (g < cell->nverts) return g >> k & 1;
  g -= cell->nverts;
  if (g < cell->nedges) {
    int a = cell->edge[g][0] >> k & 1, b = cell->edge[g][1] >> k & 1;
    return a == b ? a : 2;
  }
  g -= cell->nedges;
  return cell->dim == 3 && g < cell->nfacets && g / 2 == k ? g & 1 : 2;
}

static void tensor_map(const RefCell *cell, bool bent, const double *X, double *N, double *dN, double *d2N) {
  int dim = cell->dim, n = refcell_map_nodes(cell, bent);
  for (int g = 0; g < n; g++) {
    double f[3][3] = {{1}, {1}, {1}};        /* factor along each axis and two derivatives */
    for (int k = 0; k < dim; k++) {
      int at = place_along(cell, g, k);
      double t = X[k], of[3][3] = {{1 - t, -1, 0}, {t, 1, 0}, {4 * t * (1 - t), 4 - 8 * t, -8}};
      memcpy(f[k], of[at], sizeof f[k]);
    }
    if (N) N[g] = f[0][0] * f[1][0] * f[2][0];
    for (int k = 0; dN && k < dim; k++) dN[g * dim + k] = f[0][k == 0] * f[1][k == 1] * f[2][k == 2];
    for (int k = 0; d2N && k < dim; k++)
      for (int j = 0; j < dim; j++) d2N[(g * dim + k) * dim + j] = f[0][(k == 0) + (j == 0)] * f[1][(k == 1) + (j == 1)] * f[2][(k == 2) + (j == 2)];
  }
}

void refcell_map(const RefCell *cell, bool bent, const double *X, double *N, double *dN, double *d2N) {
  if (cell->shape == CELL_SIMPLEX) simplex_map(cell, bent, X, N, dN, d2N);
  else tensor_map(cell, bent, X, N, dN, d2N);
}
