/* Tables of basis functions at quadrature points, classified as FFCx does (zero, the same at all points, varying). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lower.h"

int table_op(int dim, const uint8_t dx[3]) {
  int axis[2] = {0, 0}, order = 0;
  for (int i = 0; i < dim; i++)
    for (int k = 0; k < dx[i]; k++)
      if (order++ < 2) axis[order - 1] = i;
  if (order == 0) return 0;
  if (order == 1) return 1 + axis[0];
  int op = 1 + dim;
  for (int i = 0; i < axis[0]; i++) op += dim - i;
  return order == 2 ? op + axis[1] - axis[0] : -1;
}

double *table_points(const Lower *lo) {
  int dim = lo->dim;
  double *points = kir_zeroed(sizeof(double) * (size_t)(lo->nfacets * lo->nq * dim));
  for (int f = 0; f < lo->nfacets; f++)
    for (int q = 0; q < lo->nq; q++) {
      double *to = points + (f * lo->nq + q) * dim;
      if (lo->request->kind != INTEGRAL_CELL) refcell_facet_point(lo->cell, lo->sides > 1 ? dim : f, lo->kernel->points + q * (dim - 1), to);
      else memcpy(to, lo->kernel->points + q * dim, sizeof(double) * (size_t)dim);
    }
  return points;
}

static void classify(Table *t, int op) {
  double *v = t->value[op], largest = 0;
  int rows = t->nfacets * t->nq;
  for (int i = 0; i < rows * t->nodes; i++) largest = fmax(largest, fabs(v[i]));
  t->constant[op] = t->zero[op] = true;
  for (int i = 0; i < rows * t->nodes; i++) {
    if (fabs(v[i]) < 1e-14) v[i] = 0;
    if (v[i]) t->zero[op] = false;
    if (fabs(v[i] - v[i % t->nodes]) > 1e-14 * largest) t->constant[op] = false;
  }
}

static void tabulate(const Lower *lo, Table *t) {
  int dim = lo->dim, rows = t->nfacets * t->nq;
  size_t n = (size_t)rows * t->nodes;
  double *points = table_points(lo), *phi = kir_zeroed(sizeof(double) * n), *dphi = kir_zeroed(sizeof(double) * n * dim), *d2phi = kir_zeroed(sizeof(double) * n * dim * dim);
  t->element->tabulate(dim, rows, points, phi, dphi, d2phi);
  for (int op = 0; op < lo->ops; op++) t->value[op] = kir_zeroed(sizeof(double) * n);
  for (size_t at = 0; at < n; at++) {
    int op = 0;
    t->value[op++][at] = phi[at];
    for (int i = 0; i < dim; i++) t->value[op++][at] = dphi[at * dim + i];
    for (int i = 0; i < dim; i++)
      for (int j = i; j < dim; j++) t->value[op++][at] = d2phi[(at * dim + i) * dim + j];
  }
  for (int op = 0; op < lo->ops; op++) {
    classify(t, op);
    t->offset[op] = -1;
  }
  free(points);
  free(phi);
  free(dphi);
  free(d2phi);
}

Table *lower_table(Lower *lo, const Element *element) {
  for (int i = 0; i < lo->ntables; i++)
    if (lo->tables[i].element == element) return &lo->tables[i];
  if (!lo->tables) lo->tables = kir_zeroed(sizeof(Table) * (size_t)element_count);   /* never moved: pointers are handed out */
  Table *t = &lo->tables[lo->ntables++];
  *t = (Table){.element = element, .nodes = element_nodes(element, lo->dim), .nq = lo->nq, .nfacets = lo->nfacets};
  tabulate(lo, t);
  return t;
}

void table_free(Table *table) {
  for (int op = 0; op < OPS_MAX; op++) free(table->value[op]);
}

KirValue table_entry(Lower *lo, Table *t, int op, int a, int node_depth) {
  const double *v = t->value[op];
  if (t->zero[op]) return KIR_NONE;
  if (t->constant[op] && node_depth < 0) return v[a] ? kir_const(lo->b, v[a]) : KIR_NONE;
  int rows = t->constant[op] ? 1 : t->nfacets * t->nq;
  if (t->offset[op] < 0) t->offset[op] = kir_table(lo->b, v, rows * t->nodes);
  KirIndex index = {.base = t->offset[op]};
  if (!t->constant[op]) {
    index.stride[0] = t->nodes;
    index.facet = t->nfacets > 1 ? t->nodes * t->nq : 0;
  }
  if (node_depth >= 0) index.stride[node_depth] = 1;
  else index.base += a;
  return kir_load(lo->b, KIR_TAB, index);
}
