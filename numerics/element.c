#include "element.h"

#include <stddef.h>
#include <string.h>


enum { NODES_MAX = 20, DEGREE_MAX = 3 };
typedef int MultiIndex[4];   /* barycentric coordinates of a node, times the degree */

/* Lagrange points of the simplex: vertices, edges, faces (face i of a tetrahedron lies opposite vertex i), interior. */
static int lagrange_points(int degree, int dim, MultiIndex *node) {
  int n = 0;
  memset(node, 0, NODES_MAX * sizeof *node);
  for (int v = 0; v <= dim; v++) node[n++][v] = degree;
  const RefCell *cell = refcell_of(CELL_SIMPLEX, dim);
  for (int e = 0; e < cell->nedges; e++)
    for (int s = 1; s < degree; s++, n++) {
      node[n][cell->edge[e][0]] = degree - s;
      node[n][cell->edge[e][1]] = s;
    }
  for (int f = 0; f < (dim == 3 ? 4 : dim == 2); f++) {
    int v[3], k = 0;
    for (int i = 0; i <= dim; i++)
      if (dim == 2 || i != f) v[k++] = i;
    for (int s = 1; s < degree; s++)
      for (int t = 1; s + t < degree; t++, n++) {
        node[n][v[0]] = degree - s - t;
        node[n][v[1]] = s;
        node[n][v[2]] = t;
      }
  }
  return n;
}

/* P_m(l) = prod_{s<m} (degree*l - s)/(s + 1) and two derivatives: the factor of one barycentric coordinate in a Lagrange basis function. */
static void factor(int degree, int m, double l, double out[3]) {
  double v = 1, d = 0, dd = 0;
  for (int s = 0; s < m; s++) {
    double f = (degree * l - s) / (s + 1), g = (double)degree / (s + 1);
    dd = dd * f + 2 * d * g;
    d = d * f + v * g;
    v *= f;
  }
  out[0] = v, out[1] = d, out[2] = dd;
}

/* Derivative of prod_k F[k][.] by the barycentric coordinates whose orders are given. */
static double product(double F[4][3], int dim, int i, int j) {
  double p = 1;
  for (int k = 0; k <= dim; k++) p *= F[k][(k == i) + (k == j)];
  return p;
}

static void lagrange_tabulate(int degree, int dim, int n, const double *points, double *out, double *dout, double *d2out) {
  MultiIndex node[NODES_MAX];
  int nodes = lagrange_points(degree, dim, node);
  for (int p = 0; p < n; p++) {
    double l[4] = {1, 0, 0, 0};
    for (int k = 0; k < dim; k++) {
      l[k + 1] = points[p * dim + k];
      l[0] -= l[k + 1];
    }
    for (int a = 0; a < nodes; a++) {
      double F[4][3];
      size_t at = (size_t)p * nodes + a;
      for (int k = 0; k <= dim; k++) factor(degree, node[a][k], l[k], F[k]);
      if (out) out[at] = product(F, dim, -1, -1);
      /* d/dX_j = d/dl_{j+1} - d/dl_0 */
      for (int j = 0; dout && j < dim; j++) dout[at * dim + j] = product(F, dim, j + 1, -1) - product(F, dim, 0, -1);
      for (int i = 0; d2out && i < dim; i++)
        for (int j = 0; j < dim; j++)
          d2out[(at * dim + i) * dim + j] = product(F, dim, i + 1, j + 1) - product(F, dim, i + 1, 0) - product(F, dim, 0, j + 1) +
                                            product(F, dim, 0, 0);
    }
  }
}

static void lagrange_nodes(int degree, int dim, double *points) {
  MultiIndex node[NODES_MAX];
  int nodes = lagrange_points(degree, dim, node);
  for (int a = 0; a < nodes; a++)
    for (int k = 0; k < dim; k++) points[a * dim + k] = (double)node[a][k + 1] / degree;
}

/* Discontinuous: the same polynomials on each cell by itself; a constant has its node at the centroid. */
static void broken_tabulate(int degree, int dim, int n, const double *points, double *out, double *dout, double *d2out) {
  if (degree) {
    lagrange_tabulate(degree, dim, n, points, out, dout, d2out);
    return;
  }
  for (int p = 0; p < n && out; p++) out[p] = 1;
  if (dout) memset(dout, 0, sizeof(double) * (size_t)(n * dim));
  if (d2out) memset(d2out, 0, sizeof(double) * (size_t)(n * dim * dim));
}

static void broken_nodes(int degree, int dim, double *points) {
  if (degree) lagrange_nodes(degree, dim, points);
  for (int k = 0; k < dim && !degree; k++) points[k] = 1.0 / (dim + 1);
}

/* Products of Lagrange polynomials in each coordinate, degree 1 or 2: every node is the middle of a vertex, edge, facet or the cell. */
static int tensor_points(int degree, int dim, double *points) {
  const RefCell *cell = refcell_of(CELL_TENSOR, dim);
  int n = 0;
  for (int v = 0; v < cell->nverts; v++, n++) refcell_vertex(cell, v, points + n * dim);
  if (degree < 2) return n;
  for (int e = 0; e < cell->nedges; e++, n++) {
    double a[3], b[3];
    refcell_vertex(cell, cell->edge[e][0], a), refcell_vertex(cell, cell->edge[e][1], b);
    for (int k = 0; k < dim; k++) points[n * dim + k] = (a[k] + b[k]) / 2;
  }
  for (int f = 0; dim == 3 && f < cell->nfacets; f++, n++)
    for (int k = 0; k < dim; k++) points[n * dim + k] = k == f / 2 ? f & 1 : 0.5;
  for (int k = 0; dim > 1 && k < dim; k++) points[n * dim + k] = 0.5;
  return n + (dim > 1);
}

/* The polynomial of degree 1 or 2 that is 1 at `node` and 0 at the other nodes of [0, 1], and two derivatives. */
static void line_factor(int degree, double node, double t, double out[3]) {
  double v = 1, d = 0, dd = 0;
  for (int s = 0; s <= degree; s++) {
    double other = (double)s / degree, g = 1 / (node - other), f = (t - other) * g;
    if (other == node) continue;
    dd = dd * f + 2 * d * g;
    d = d * f + v * g;
    v *= f;
  }
  out[0] = v, out[1] = d, out[2] = dd;
}

static void tensor_tabulate(int degree, int dim, int n, const double *points, double *out, double *dout, double *d2out) {
  double node[27 * 3];
  int nodes = tensor_points(degree, dim, node);
  for (int p = 0; p < n; p++)
    for (int a = 0; a < nodes; a++) {
      double F[4][3] = {{1}, {1}, {1}, {1}};
      size_t at = (size_t)p * nodes + a;
      for (int k = 0; k < dim; k++) line_factor(degree, node[a * dim + k], points[p * dim + k], F[k]);
      if (out) out[at] = product(F, dim, -1, -1);
      for (int j = 0; dout && j < dim; j++) dout[at * dim + j] = product(F, dim, j, -1);
      for (int i = 0; d2out && i < dim; i++)
        for (int j = 0; j < dim; j++) d2out[(at * dim + i) * dim + j] = product(F, dim, i, j);
    }
}

static void tensor_nodes(int degree, int dim, double *points) { tensor_points(degree, dim, points); }

#define ELEMENT(name, family, degree, v, e, f, c, doc)                                                                  \
  static void name##_tabulate(int dim, int n, const double *points, double *out, double *dout, double *d2out) {         \
    family##_tabulate(degree, dim, n, points, out, dout, d2out);                                                        \
  }                                                                                                                     \
  static void name##_nodes(int dim, double *points) { family##_nodes(degree, dim, points); }
#include "element.def"
#undef ELEMENT

enum { lagrange_shape = CELL_SIMPLEX, broken_shape = CELL_SIMPLEX, tensor_shape = CELL_TENSOR };   /* of the cells of a family */

const Element elements[] = {
#define ELEMENT(name, family, degree, v, e, f, c, doc) {#name, degree, v, e, f, c, doc, name##_tabulate, name##_nodes, (CellShape)family##_shape},
#include "element.def"
#undef ELEMENT
};
const int element_count = sizeof elements / sizeof *elements;

const Element *element_find(const char *name) {
  for (int i = 0; i < element_count; i++)
    if (!strcmp(elements[i].name, name)) return &elements[i];
  return NULL;
}

bool element_is_broken(const Element *element) { return !element->per_vertex && !element->per_edge && !element->per_face && !element->per_cell; }

/* binomial(degree + dim, dim), the dimension of the polynomials. */
static int polynomials(int degree, int dim) {
  int n = 1;
  for (int k = 1; k <= dim; k++) n = n * (degree + k) / k;
  return n;
}

int element_inside(const Element *element, int dim) {
  if (element_is_broken(element)) return polynomials(element->degree, dim);
  return dim == 1 ? element->per_edge : dim == 2 ? element->per_face : element->per_cell;
}

const Element *element_of(CellShape shape, int degree) {
  for (int i = 0; i < element_count; i++)
    if (elements[i].shape == shape && elements[i].degree == degree && elements[i].per_vertex) return &elements[i];
  return NULL;
}

bool element_fits(const Element *element, const RefCell *cell) { return element->shape == cell->shape || cell->dim == 1; }

int element_nodes(const Element *element, int dim) {
  if (element_is_broken(element)) return element_inside(element, dim);
  const RefCell *cell = refcell_of(element->shape, dim);
  return cell->nverts * element->per_vertex + (dim > 1 ? cell->nedges * element->per_edge : 0) + (dim > 2 ? cell->nfacets * element->per_face : 0) +
         element_inside(element, dim);
}
