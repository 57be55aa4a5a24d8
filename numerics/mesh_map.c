/* The map from the reference cell to a cell: places, slopes, normals, measures, and back. */
#include <math.h>
#include <string.h>

#include "element.h"
#include "mesh_build.h"

enum { NEWTON_STEPS = 30 };

static const double *vertex_of(const Mesh *mesh, int cell, int k) {
  return mesh->x + (size_t)mesh->cell[(size_t)cell * mesh->ref->nverts + k] * mesh->dim;
}

void mesh_map_nodes(const Mesh *mesh, int cell, double *x) {
  const RefCell *ref = mesh->ref;
  int dim = mesh->dim, bends = mesh->bend || ref->shape == CELL_SIMPLEX ? refcell_bends(ref) : 0;
  for (int v = 0; v < ref->nverts; v++) memcpy(x + v * dim, vertex_of(mesh, cell, v), sizeof(double) * (size_t)dim);
  if (!bends) return;
  if (mesh_is_curved(mesh, cell)) memcpy(x + ref->nverts * dim, mesh->bend + (size_t)mesh->curved_of[cell] * bends * dim, sizeof(double) * (size_t)(bends * dim));
  else memset(x + ref->nverts * dim, 0, sizeof(double) * (size_t)(bends * dim));
}

static void affine_map(const Mesh *mesh, int cell, const double *X, double *x, double (*J)[3]) {
  const double *origin = vertex_of(mesh, cell, 0);
  for (int d = 0; d < mesh->dim; d++) {
    if (x) x[d] = origin[d];
    for (int k = 0; k < mesh->dim; k++) {
      double slope = vertex_of(mesh, cell, mesh->ref->axis[k])[d] - origin[d];
      if (J) J[d][k] = slope;
      if (x) x[d] += slope * X[k];
    }
  }
}

void mesh_map(const Mesh *mesh, int cell, const double *X, double *x, double (*J)[3]) {
  if (!mesh_is_curved(mesh, cell)) {
    affine_map(mesh, cell, X, x, J);
    return;
  }
  bool bent = mesh->bend != NULL;
  int dim = mesh->dim, n = refcell_map_nodes(mesh->ref, bent);
  double node[CELL_MAP * 3], N[CELL_MAP], dN[CELL_MAP * 3];
  mesh_map_nodes(mesh, cell, node);
  refcell_map(mesh->ref, bent, X, N, dN, NULL);
  for (int d = 0; d < dim; d++) {
    if (x) x[d] = 0;
    for (int k = 0; J && k < dim; k++) J[d][k] = 0;
    for (int g = 0; g < n; g++) {
      if (x) x[d] += N[g] * node[g * dim + d];
      for (int k = 0; J && k < dim; k++) J[d][k] += dN[g * dim + k] * node[g * dim + d];
    }
  }
}

void mesh_map_second(const Mesh *mesh, int cell, const double *X, double (*H)[3][3]) {
  bool bent = mesh->bend != NULL;
  int dim = mesh->dim, n = refcell_map_nodes(mesh->ref, bent);
  double node[CELL_MAP * 3], d2N[CELL_MAP * 9];
  memset(H, 0, sizeof(double) * 27);
  if (!mesh_is_curved(mesh, cell)) return;
  mesh_map_nodes(mesh, cell, node);
  refcell_map(mesh->ref, bent, X, NULL, NULL, d2N);
  for (int g = 0; g < n; g++)
    for (int d = 0; d < dim; d++)
      for (int k = 0; k < dim; k++)
        for (int l = 0; l < dim; l++) H[d][k][l] += d2N[(g * dim + k) * dim + l] * node[g * dim + d];
}

double mesh_invert(int dim, double (*J)[3], double (*K)[3]) {
  double det = J[0][0];
  if (dim == 1) {
    K[0][0] = 1 / det;
    return det;
  }
  if (dim == 2) {
    det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    K[0][0] = J[1][1] / det, K[0][1] = -J[0][1] / det, K[1][0] = -J[1][0] / det, K[1][1] = J[0][0] / det;
    return det;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      K[i][j] = J[a][c] * J[b][d] - J[a][d] * J[b][c];
    }
  det = J[0][0] * K[0][0] + J[1][0] * K[0][1] + J[2][0] * K[0][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) K[i][j] /= det;
  return det;
}

/* --- back --- */

static void affine_unmap(const Mesh *mesh, int cell, const double *p, double *X) {
  double J[3][3], K[3][3], origin[3], zero[3] = {0};
  affine_map(mesh, cell, zero, origin, J);
  mesh_invert(mesh->dim, J, K);
  for (int k = 0; k < mesh->dim; k++) {
    X[k] = 0;
    for (int d = 0; d < mesh->dim; d++) X[k] += K[k][d] * (p[d] - origin[d]);
  }
}

double mesh_unmap(const Mesh *mesh, int cell, const double *p, double *X) {
  affine_unmap(mesh, cell, p, X);
  double depth = refcell_depth(mesh->ref, X);
  if (!mesh_is_curved(mesh, cell) || depth < -1) return depth;      /* far away the straight cell says where to go */
  double start[3], x[3], J[3][3], K[3][3], last = INFINITY;
  memcpy(start, X, sizeof(double) * (size_t)mesh->dim);
  for (int k = 0; k < mesh->dim; k++) X[k] = fmin(fmax(X[k], 0), 1);
  for (int step = 0; step < NEWTON_STEPS; step++) {
    double size = 0;
    mesh_map(mesh, cell, X, x, J);
    if (!(mesh_invert(mesh->dim, J, K) > 0)) break;
    for (int k = 0; k < mesh->dim; k++) {
      double move = 0;
      for (int d = 0; d < mesh->dim; d++) move += K[k][d] * (p[d] - x[d]);
      X[k] += move;
      size = fmax(size, fabs(move));
    }
    if (size < 1e-15 || (size < 1e-12 && size >= last)) return refcell_depth(mesh->ref, X);
    if (!(size < 2)) break;
    last = size;
  }
  memcpy(X, start, sizeof(double) * (size_t)mesh->dim);
  return fmin(depth, -1);       /* where Newton's method fails the point is not inside */
}

/* --- facets and measures --- */

double mesh_normal(const Mesh *mesh, int cell, int facet, const double *X, double *n) {
  double J[3][3], K[3][3], square = 0;
  mesh_map(mesh, cell, X, NULL, J);
  double det = mesh_invert(mesh->dim, J, K);
  for (int d = 0; d < mesh->dim; d++) {
    n[d] = 0;
    for (int k = 0; k < mesh->dim; k++) n[d] -= mesh->ref->inward[facet][k] * K[k][d];
    square += n[d] * n[d];
  }
  for (int d = 0; d < mesh->dim; d++) n[d] /= sqrt(square);
  return fabs(det) * sqrt(square);
}

double mesh_curved_measure(const Mesh *mesh, int cell) {
  const double *X, *w;
  int n = quad_on(mesh->ref->shape, mesh->dim, mesh->ref->shape == CELL_SIMPLEX ? mesh->dim : 2 * mesh->dim - 1, &X, &w);
  double sum = 0, J[3][3], K[3][3];
  for (int q = 0; q < n; q++) {
    mesh_map(mesh, cell, X + q * mesh->dim, NULL, J);
    sum += w[q] * mesh_invert(mesh->dim, J, K);
  }
  return sum;
}

double mesh_cell_measure(const Mesh *mesh, int cell) {
  return fabs(mesh_is_curved(mesh, cell) ? mesh_curved_measure(mesh, cell) : mesh_signed_measure(mesh, cell));
}

double mesh_facet_measure(const Mesh *mesh, int facet) {
  enum { DEGREE = 8 };          /* of curved facets, whose surface element is no polynomial */
  int cell = mesh->facet_cell[facet], local = mesh->facet_local[facet], dim = mesh->dim;
  if (dim == 1) return 1;
  const double *p, *w;
  int n = quad_on(mesh->ref->shape, dim - 1, mesh_is_curved(mesh, cell) ? DEGREE : 0, &p, &w);
  double sum = 0, X[3], normal[3];
  for (int q = 0; q < n; q++) {
    refcell_facet_point(mesh->ref, local, p + q * (dim - 1), X);
    sum += w[q] * mesh_normal(mesh, cell, local, X, normal);
  }
  return sum;
}

void mesh_facet_normal(const Mesh *mesh, int facet, double *n) {
  double middle[3], X[3];
  refcell_centre(refcell_of(mesh->ref->shape, mesh->dim > 1 ? mesh->dim - 1 : 1), middle);
  refcell_facet_point(mesh->ref, mesh->facet_local[facet], middle, X);
  mesh_normal(mesh, mesh->facet_cell[facet], mesh->facet_local[facet], X, n);
}
