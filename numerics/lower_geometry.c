/* Geometry in kernels: points, normals, derivatives of the map from the reference cell. Of an affine map they are constants of the cell, which the
 * builder puts before the quadrature loop; of a curved one they come from tables of the map, in the loop. */
#include <stdlib.h>

#include "lower.h"

static KirValue mul2(Lower *lo, KirValue a, KirValue b, KirValue c, KirValue d) {   /* ab - cd */
  return kir_sub(lo->b, kir_mul(lo->b, a, b), kir_mul(lo->b, c, d));
}

/* --- the map at the quadrature points --- */

static int map_width(const Lower *lo, int order) {   /* entries of one point */
  int n = refcell_map_nodes(lo->cell, lo->request->bent);
  return order == 0 ? n : order == 1 ? n * lo->dim : n * lo->dim * lo->dim;
}

static void tabulate_map(Lower *lo, int order) {
  int rows = lo->nfacets * lo->nq, width = map_width(lo, order);
  double *points = table_points(lo), *to = lo->map_value[order] = kir_zeroed(sizeof(double) * (size_t)(rows * width));
  for (int r = 0; r < rows; r++, to += width) {
    const double *X = points + r * lo->dim;
    refcell_map(lo->cell, lo->request->bent, X, order == 0 ? to : NULL, order == 1 ? to : NULL, order == 2 ? to : NULL);
  }
  free(points);
  lo->map_table[order] = -1;
}

/* Entry `at` of the table of that order: a constant where it is the same at all points. */
static KirValue map_entry(Lower *lo, int order, int at) {
  if (!lo->map_value[order]) tabulate_map(lo, order);
  const double *v = lo->map_value[order];
  int rows = lo->nfacets * lo->nq, width = map_width(lo, order);
  bool same = true;
  for (int r = 1; r < rows && same; r++) same = v[r * width + at] == v[at];
  if (same) return v[at] != 0 ? kir_const(lo->b, v[at]) : KIR_NONE;
  if (lo->map_table[order] < 0) lo->map_table[order] = kir_table(lo->b, v, rows * width);
  return kir_load(lo->b, KIR_TAB, (KirIndex){.base = lo->map_table[order] + at, .facet = lo->nfacets > 1 ? lo->nq * width : 0, .stride = {width}});
}

/* Sum over the nodes of the map of x_i times a derivative: entry `at` of node 0, `step` from one node to the next. */
static KirValue map_sum(Lower *lo, int order, int at, int step, int i) {
  KirValue sum = KIR_NONE;
  for (int g = 0; g < refcell_map_nodes(lo->cell, lo->request->bent); g++) {
    KirValue entry = map_entry(lo, order, g * step + at);
    if (entry != KIR_NONE) sum = kir_mul_add(lo->b, entry, lo->map[0][g][i], sum);
  }
  return sum;
}

/* dx_i/dX_k */
static KirValue slope(Lower *lo, int side, int i, int k) {
  if (lo->curved) return lower_zero(lo, map_sum(lo, 1, k, lo->dim, i));
  return kir_sub(lo->b, lo->map[side][lo->cell->axis[k]][i], lo->map[side][0][i]);
}

/* --- its inverse --- */

/* K = J^-1 by cofactors; returns det J. */
static KirValue invert(Lower *lo, int side, KirValue K[3][3]) {
  KirBuilder *b = lo->b;
  KirValue J[3][3], one = kir_const(b, 1), det;
  for (int i = 0; i < lo->dim; i++)
    for (int k = 0; k < lo->dim; k++) J[i][k] = slope(lo, side, i, k);
  if (lo->dim == 1) {
    K[0][0] = kir_op(b, KIR_DIV, one, J[0][0], KIR_NONE);
    return J[0][0];
  }
  if (lo->dim == 2) {
    det = mul2(lo, J[0][0], J[1][1], J[0][1], J[1][0]);
    KirValue inverse = kir_op(b, KIR_DIV, one, det, KIR_NONE), minus = kir_sub(b, KIR_NONE, inverse);
    K[0][0] = kir_mul(b, J[1][1], inverse), K[0][1] = kir_mul(b, J[0][1], minus);
    K[1][0] = kir_mul(b, J[1][0], minus), K[1][1] = kir_mul(b, J[0][0], inverse);
    return det;
  }
  KirValue cofactor[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      cofactor[i][k] = mul2(lo, J[i1][k1], J[i2][k2], J[i1][k2], J[i2][k1]);
    }
  det = kir_mul_add(b, J[0][0], cofactor[0][0], kir_mul_add(b, J[0][1], cofactor[0][1], kir_mul(b, J[0][2], cofactor[0][2])));
  KirValue inverse = kir_op(b, KIR_DIV, one, det, KIR_NONE);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) K[k][i] = kir_mul(b, cofactor[i][k], inverse);
  return det;
}

/* Physical gradient of the coordinate that is zero on the facet: its direction is -n, |F|/|F_ref| = |det J| times its length (Nanson). */
static void facet_gradient(Lower *lo, KirValue *g, KirValue *length) {
  KirValue squares = KIR_NONE;
  if (lo->sides > 1) {          /* the facet opposite the last vertex of the first cell */
    for (int j = 0; j < lo->dim; j++) g[j] = lo->K[0][lo->dim - 1][j], squares = kir_mul_add(lo->b, g[j], g[j], squares);
    *length = kir_op(lo->b, KIR_SQRT, squares, KIR_NONE, KIR_NONE);
    return;
  }
  double reference[CELL_FACETS * 3] = {0};
  for (int f = 0; f < lo->nfacets; f++)
    for (int k = 0; k < lo->dim; k++) reference[f * lo->dim + k] = lo->cell->inward[f][k];
  int table = kir_table(lo->b, reference, lo->nfacets * lo->dim);
  for (int j = 0; j < lo->dim; j++) {
    g[j] = KIR_NONE;
    for (int k = 0; k < lo->dim; k++)
      g[j] = kir_mul_add(lo->b, kir_load(lo->b, KIR_TAB, (KirIndex){.base = table + k, .facet = lo->dim}), lo->K[0][k][j], g[j]);
    squares = kir_mul_add(lo->b, g[j], g[j], squares);
  }
  *length = kir_op(lo->b, KIR_SQRT, squares, KIR_NONE, KIR_NONE);
}

static void load_map(Lower *lo, int side) {
  const RefCell *cell = lo->cell;
  for (int k = 0; k < (lo->curved ? refcell_map_nodes(cell, lo->request->bent) : lo->dim + 1); k++) {
    int g = lo->curved ? k : k ? cell->axis[k - 1] : 0;      /* an affine map is given by the vertices at the ends of the axes */
    for (int i = 0; i < lo->dim; i++) lo->map[side][g][i] = kir_load(lo->b, KIR_X, (KirIndex){.base = (side * cell->nverts + g) * lo->dim + i});
  }
}

void lower_geometry(Lower *lo) {
  for (int side = lo->sides - 1; side >= 0; side--) {
    load_map(lo, side);
    lo->scale = kir_op(lo->b, KIR_ABS, invert(lo, side, lo->K[side]), KIR_NONE, KIR_NONE);
  }
  if (lo->request->kind != INTEGRAL_CELL) {
    KirValue g[3], length;
    facet_gradient(lo, g, &length);
    lo->scale = kir_mul(lo->b, lo->scale, length);
  }
  KirIndex index = {.base = kir_table(lo->b, lo->weights, lo->nq), .stride = {1}};
  lo->weight = kir_mul(lo->b, kir_load(lo->b, KIR_TAB, index), lo->scale);
}

/* From X(x(X)) = X: d2X_m/dx_i dx_j = - K_mn d2x_n/dX_k dX_l K_ki K_lj. */
KirValue lower_bending(Lower *lo, int m, int i, int j) {
  KirBuilder *b = lo->b;
  KirValue sum = KIR_NONE;
  for (int n = 0; n < lo->dim; n++) {
    KirValue inner = KIR_NONE;
    for (int k = 0; k < lo->dim; k++)
      for (int l = 0; l < lo->dim; l++) {
        KirValue second = map_sum(lo, 2, k * lo->dim + l, lo->dim * lo->dim, n);
        if (second != KIR_NONE) inner = kir_mul_add(b, second, kir_mul(b, lo->K[0][k][i], lo->K[0][l][j]), inner);
      }
    if (inner != KIR_NONE) sum = kir_mul_add(b, lo->K[0][m][n], inner, sum);
  }
  return sum == KIR_NONE ? KIR_NONE : kir_sub(b, KIR_NONE, sum);
}

/* --- terminals --- */

KirValue lower_normal(Lower *lo, int axis) {
  if (lo->request->kind == INTEGRAL_CELL) lower_fail(lo, "the normal n occurs in an integral over cells", "n is defined on boundaries and facets alone");
  if (lo->failed) return KIR_NONE;
  if (lo->normal[axis] == KIR_NONE) {
    KirValue g[3], length;
    facet_gradient(lo, g, &length);
    for (int j = 0; j < lo->dim; j++) lo->normal[j] = kir_op(lo->b, KIR_DIV, kir_sub(lo->b, KIR_NONE, g[j]), length, KIR_NONE);
  }
  return lo->normal[axis];
}

KirValue lower_point(Lower *lo, int axis) {
  if (axis >= lo->dim) return KIR_NONE;
  if (lo->point[axis] != KIR_NONE) return lo->point[axis];
  if (lo->curved) return lo->point[axis] = map_sum(lo, 0, 0, 1, axis);
  double *points = table_points(lo);
  int table = kir_table(lo->b, points, lo->nfacets * lo->nq * lo->dim);
  free(points);
  KirValue x = lo->map[0][0][axis];
  for (int k = 0; k < lo->dim; k++) {
    KirIndex index = {.base = table + k, .facet = lo->nfacets > 1 ? lo->nq * lo->dim : 0, .stride = {lo->dim}};
    x = kir_mul_add(lo->b, kir_load(lo->b, KIR_TAB, index), slope(lo, 0, axis, k), x);
  }
  return lo->point[axis] = x;
}
