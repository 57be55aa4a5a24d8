/* Integrands built by hand, and their element tensors computed independently of numerics/lower*.c: the expression is evaluated at every quadrature
 * point for every pair of basis functions. */
#ifndef KERNEL_MAKE_H
#define KERNEL_MAKE_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics/jit.h"
#include "numerics/lower.h"

typedef struct Bench {
  SourceMap *sources;
  Interner *names;
  ExprPool *pool;
  Diags diags;
  KernelContext *kernels;
  Unknown unknowns[4];
  int nunknowns, dim;
} Bench;

static Bench bench;

static inline void bench_open(JitChoice choice) {
  memset(&bench, 0, sizeof bench);
  bench.sources = sources_new();
  bench.names = interner_new();
  bench.pool = expr_pool_new(bench.names);
  bench.diags.sources = bench.sources;
  bench.kernels = kernels_open(bench.pool, choice, &bench.diags);
}

static inline void bench_close(void) {
  kernels_close(bench.kernels);
  diags_free(&bench.diags);
  expr_pool_free(bench.pool);
  interner_free(bench.names);
  sources_free(bench.sources);
}

static inline Name nm(const char *text) { return intern_text(bench.names, text); }

static inline void unknown(const char *name, const char *element, Shape shape) {
  bench.unknowns[bench.nunknowns++] = (Unknown){.name = nm(name), .shape = shape, .element = nm(element)};
}

static inline void problem(int dim) { bench.dim = dim, bench.nunknowns = 0; }

/* --- expressions: all scalar --- */
#define BINARY(name, op) static inline Expr *name(Expr *a, Expr *b) { Expr *e = expr_binary(bench.pool, op, a, b); assert_non_null(e); return e; }
#define UNARY(name, op) static inline Expr *name(Expr *a) { Expr *e = expr_unary(bench.pool, op, a); assert_non_null(e); return e; }
BINARY(add, EXPR_ADD)
BINARY(sub, EXPR_SUB)
BINARY(mul, EXPR_MUL)
BINARY(quot, EXPR_DIV)
BINARY(pw, EXPR_POW)
UNARY(e_sin, EXPR_SIN)
UNARY(e_exp, EXPR_EXP)
UNARY(e_sqrt, EXPR_SQRT)
static inline Expr *num(double v) { return expr_const(bench.pool, v, UNIT_NONE); }
static inline Expr *par(const char *name) { return expr_param(bench.pool, nm(name), SHAPE_SCALAR, UNIT_NONE, false); }
static inline Expr *coord(int axis) { return expr_coord(bench.pool, axis, UNIT_NONE); }
static inline Expr *cond(Expr *c, Expr *a, Expr *b) { Expr *args[3] = {c, a, b}; return expr_make(bench.pool, EXPR_IF, args, 3); }
static inline Expr *normal_of(int axis) {
  return expr_scalar(bench.pool, expr_normal(bench.pool, bench.dim), axis, bench.dim);
}

/* Derivative along axis, -1: the value. */
static inline Expr *term2(SymbolKind kind, int which, int component, int axis, int axis2) {
  Symbol s = {.kind = (uint8_t)kind, .which = (uint16_t)which, .component = (uint8_t)component, .level = kind == SYMBOL_PREVIOUS, .time = NAN,
              .serial = kind == SYMBOL_FIELD ? 7 : 0};
  if (axis >= 0) s.dx[axis]++;
  if (axis2 >= 0) s.dx[axis2]++;
  return expr_term(bench.pool, s, nm("u"), UNIT_NONE);
}
static inline Expr *term(SymbolKind kind, int which, int component, int axis) { return term2(kind, which, component, axis, -1); }
#define U(component, axis) term(SYMBOL_UNKNOWN, 0, component, axis)
#define V(component, axis) term(SYMBOL_TEST, 0, component, axis)
#define D(component, axis) term(SYMBOL_TRIAL, 0, component, axis)

static inline Expr *dot_grad(SymbolKind a, SymbolKind b, int component) {
  Expr *s = num(0);
  for (int i = 0; i < bench.dim; i++) s = add(s, mul(term(a, 0, component, i), term(b, 0, component, i)));
  return s;
}

/* --- values --- */
static inline double noise(int a, int b, int c) {
  uint64_t h = (uint64_t)(a + 11) * 0x9e3779b97f4a7c15u ^ (uint64_t)(b + 7) * 0xbf58476d1ce4e5b9u ^ (uint64_t)(c + 3) * 0x94d049bb133111ebu;
  h ^= h >> 31, h *= 0xbf58476d1ce4e5b9u, h ^= h >> 29;
  return (double)(h >> 11) * 0x1p-53;
}

static inline double param_value(Expr *e) {
  if (e->op == EXPR_CONST) return e->value;
  if (e->op == EXPR_TIME) return .7;
  double v = .5;
  for (const char *p = e->name; p && *p; p++) v += .013 * *p;
  return v;
}

static inline double vertex(int v, int axis, int lane) { return (v == axis + 1) + .25 * (noise(v, axis, lane) - .5); }
static inline double field_value(int kind, int dof, int lane) { return .4 + noise(100 + kind, dof, lane); }
static inline int region_value(int lane) { return lane % 3; }
static inline double point_value(int q, int lane) { return 1 + noise(55, q, lane); }   /* foreign values */
enum { SIZE_ENTRY = 77 };

static inline bool bench_field(const Symbol *symbol, const Element **element, int *components, void *user) {
  *element = element_find("P2"), *components = 1;
  return *(bool *)user;
}

static inline int bench_region(Name name, int *classes, int max, void *user) {
  (void)user, (void)max;
  classes[0] = !strcmp(name, "a") ? 0 : 1;
  return 1;
}

/* --- the reference --- */
typedef struct Point {             /* where expr_value stands */
  const Kernel *kernel;
  int lane, q;
  double x[3], normal[3], K[3][3];
  double phi[16][20 * OPS_MAX];    /* by element index, those of simplices: node*10 + op, physical derivatives: value, 3 first, 6 second */
  int row, column;                 /* element dofs of test and trial function, -1: none */
} Point;

static inline int which_op(const Symbol *s) {
  static const int second[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
  int axis[2], n = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < s->dx[i]; k++) axis[n++] = i;
  return n == 0 ? 0 : n == 1 ? 1 + axis[0] : second[axis[0]][axis[1]];
}

static inline double point_terminal(Expr *e, void *user) {
  const Point *at = user;
  const Kernel *k = at->kernel;
  const Symbol *s = &e->symbol;
  switch (e->op) {
    case EXPR_COORD: return at->x[e->index[0]];
    case EXPR_NORMAL_COMPONENT: return at->normal[e->index[0]];
    case EXPR_SIZE: return 1 + noise(SIZE_ENTRY, 0, at->lane);
    case EXPR_PARAM: case EXPR_CONST: case EXPR_TIME: return param_value(e);
    case EXPR_HOSTCALL: return point_value(at->q, at->lane);
    case EXPR_REGIONS: return region_value(at->lane) == 0;
    case EXPR_TERM: break;
    default: fail_msg("unexpected leaf %s", expr_op_text(e->op));
  }
  if (s->kind == SYMBOL_TEST || s->kind == SYMBOL_TRIAL) {
    int dof = s->kind == SYMBOL_TEST ? at->row : at->column, first = 0;
    for (int u = 0; u < bench.nunknowns; u++) {
      const Element *el = element_find(bench.unknowns[u].element);
      int nc = shape_size(bench.unknowns[u].shape, bench.dim), n = element_nodes(el, bench.dim) * nc;
      if (u == s->which) return dof >= first && dof < first + n && (dof - first) % nc == s->component
                                    ? at->phi[el - elements][(dof - first) / nc * 10 + which_op(s)] : 0;
      first += n;
    }
    return 0;
  }
  for (int f = 0; f < k->nfields; f++) {
    const KernelField *field = &k->fields[f];
    if (field->symbol.kind != s->kind || field->symbol.which != s->which) continue;
    double v = 0;
    for (int a = 0; a < element_nodes(field->element, k->dim); a++)
      v += at->phi[field->element - elements][a * 10 + which_op(s)] * field_value(s->kind, field->offset + a * field->components + s->component, at->lane);
    return v;
  }
  return point_value(at->q, at->lane);
}

static inline double determinant(int n, double m[3][3]) {
  if (n == 1) return m[0][0];
  if (n == 2) return m[0][0] * m[1][1] - m[0][1] * m[1][0];
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Cramer's rule: independent of the cofactors in lower.c. */
static inline void inverse(int n, double m[3][3], double out[3][3]) {
  double det = determinant(n, m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t[3][3];
      memcpy(t, m, sizeof t);
      for (int k = 0; k < n; k++) t[k][i] = k == j;
      out[i][j] = determinant(n, t) / det;
    }
}

/* Physical measure of the facet by Gram's determinant. */
static inline double facet_ratio(int dim, double edge[2][3]) {
  double g[2][2] = {{0}};
  for (int a = 0; a < dim - 1; a++)
    for (int b = 0; b < dim - 1; b++)
      for (int i = 0; i < dim; i++) g[a][b] += edge[a][i] * edge[b][i];
  return dim == 1 ? 1 : dim == 2 ? sqrt(g[0][0]) : sqrt(g[0][0] * g[1][1] - g[0][1] * g[1][0]);
}

/* Fills the point; returns the weight. */
static inline double point_set(Point *at, const Kernel *k, int lane, int facet, int q, const double *weights) {
  int dim = k->dim;
  double J[3][3] = {{0}}, X[3] = {0}, ratio;
  *at = (Point){.kernel = k, .lane = lane, .q = q, .row = -1, .column = -1};
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) J[i][j] = vertex(j + 1, i, lane) - vertex(0, i, lane);
  inverse(dim, J, at->K);
  if (k->kind == INTEGRAL_CELL) {
    memcpy(X, k->points + q * dim, sizeof(double) * (size_t)dim);
    ratio = fabs(determinant(dim, J));
  } else {
    double l[4] = {0}, edge[2][3] = {{0}}, rest = 1, inward[3], along = 0, gram[3][3] = {{0}};
    int corner[4] = {0}, n = 0;
    for (int v = 0; v <= dim; v++)
      if (v != facet) corner[n++] = v;
    for (int j = 0; j < dim - 1; j++) rest -= l[corner[j + 1]] = k->points[q * (dim - 1) + j];
    l[corner[0]] = rest;
    for (int j = 0; j < dim; j++) X[j] = l[j + 1];
    for (int j = 0; j < dim - 1; j++)
      for (int i = 0; i < dim; i++) edge[j][i] = vertex(corner[j + 1], i, lane) - vertex(corner[0], i, lane);
    ratio = facet_ratio(dim, edge);
    /* outward normal: minus the part of the vector to the opposite vertex that is orthogonal to the facet (Gram-Schmidt) */
    for (int i = 0; i < dim; i++) inward[i] = vertex(facet, i, lane) - vertex(corner[0], i, lane);
    for (int j = 0; j < dim - 1; j++) {
      memcpy(gram[j], edge[j], sizeof gram[j]);
      for (int p = 0; p < j; p++) {
        double dot = 0;
        for (int i = 0; i < dim; i++) dot += gram[j][i] * gram[p][i];
        for (int i = 0; i < dim; i++) gram[j][i] -= dot * gram[p][i];
      }
      double len = 0, dot = 0;
      for (int i = 0; i < dim; i++) len += gram[j][i] * gram[j][i];
      for (int i = 0; i < dim; i++) gram[j][i] /= sqrt(len);
      for (int i = 0; i < dim; i++) dot += inward[i] * gram[j][i];
      for (int i = 0; i < dim; i++) inward[i] -= dot * gram[j][i];
    }
    for (int i = 0; i < dim; i++) along += inward[i] * inward[i];
    for (int i = 0; i < dim; i++) at->normal[i] = -inward[i] / sqrt(along);
  }
  for (int i = 0; i < dim; i++) {
    at->x[i] = vertex(0, i, lane);
    for (int j = 0; j < dim; j++) at->x[i] += J[i][j] * X[j];
  }
  for (int e = 0; e < element_count; e++) {
    double phi[20], dphi[60], d2phi[180];
    if (elements[e].shape != CELL_SIMPLEX) continue;
    elements[e].tabulate(dim, 1, X, phi, dphi, d2phi);
    for (int a = 0; a < element_nodes(&elements[e], dim); a++) {
      double *to = at->phi[e] + a * 10;
      int op = 4;
      to[0] = phi[a];
      for (int i = 0; i < dim; i++)
        for (int m = 0; m < dim; m++) to[1 + i] += at->K[m][i] * dphi[a * dim + m];
      for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++, op++)
          for (int m = 0; m < dim && i < dim && j < dim; m++)
            for (int n = 0; n < dim; n++) to[op] += at->K[m][i] * at->K[n][j] * d2phi[(a * dim + m) * dim + n];
    }
  }
  return weights[q] * ratio;
}

/* out[nout] of a lane. */
static inline void reference_tensor_of(const LowerRequest *r, const Kernel *k, int lane, int facet, double *out) {
  const double *points, *weights;
  int nq = quad_rule(r->kind == INTEGRAL_CELL ? k->dim : k->dim - 1, k->degree, &points, &weights);
  memset(out, 0, sizeof(double) * (size_t)k->nout);
  for (int q = 0; q < nq; q++) {
    Point at;
    double w = point_set(&at, k, lane, facet, q, weights);
    if (r->rank == 0)
      for (int n = 0; n < r->n; n++) out[n] += w * expr_value(r->integrand[n], point_terminal, &at);
    for (int a = 0; a < k->ntest; a++)
      for (int b = 0; b < (r->rank == 2 ? k->ntrial : 1); b++) {
        at.row = a, at.column = r->rank == 2 ? b : -1;
        for (int n = 0; n < r->n; n++) out[r->rank == 2 ? a * k->ntrial + b : a] += w * expr_value(r->integrand[n], point_terminal, &at);
      }
  }
}

static inline double *lanes(size_t n) {
  void *p = NULL;
  assert_int_equal(posix_memalign(&p, 64, sizeof(double) * (n + 8)), 0);
  return memset(p, 0, sizeof(double) * (n + 8));
}

/* Runs a kernel on the bench's cells, out[k*width + lane] (free it). */
static inline double *run_kernel(const Kernel *k, int facet) {
  int W = k->width;
  double *x = lanes((size_t)k->nx * W), *w = lanes((size_t)k->nw * W), *c = lanes((size_t)k->nc * W), *p = lanes((size_t)k->np), *out = lanes((size_t)k->nout * W);
  double *scratch = lanes(kernel_scratch(k) / sizeof(double));
  for (int l = 0; l < W; l++) {
    for (int v = 0; v <= k->dim; v++)
      for (int i = 0; i < k->dim; i++) x[(v * k->dim + i) * W + l] = vertex(v, i, l);
    for (int f = 0; f < k->nfields; f++)
      for (int j = 0; j < k->fields[f].components * element_nodes(k->fields[f].element, k->dim); j++)
        w[(k->fields[f].offset + j) * W + l] = field_value(k->fields[f].symbol.kind, k->fields[f].offset + j, l);
    for (int d = 0; d < k->ndata; d++)
      for (int j = 0; j < k->data[d].n; j++) {
        double *to = &c[(k->data[d].offset + j) * W + l];
        switch (k->data[d].kind) {
          case KERNEL_REGION: *to = region_value(l); break;
          case KERNEL_SIZE: *to = 1 + noise(SIZE_ENTRY, 0, l); break;
          case KERNEL_DOMAIN_EPS: *to = 1e-9; break;
          case KERNEL_AT_POINTS: *to = point_value(j, l); break;
        }
      }
  }
  for (int i = 0; i < k->np; i++) p[i] = param_value(k->params[i]);
  memset(out, 0x7f, sizeof(double) * (size_t)k->nout * W);   /* overwritten, not added to */
  kernel_run(k, x, w, c, p, facet, out, scratch);
  free(x), free(w), free(c), free(p), free(scratch);
  return out;
}

static inline LowerRequest request(IntegralKind kind, int rank, Expr **integrand, int n) {
  static bool own_fields = true;
  return (LowerRequest){.dim = bench.dim, .kind = kind, .rank = rank, .integrand = integrand, .n = n, .unknowns = bench.unknowns, .nunknowns = bench.nunknowns,
                        .field = bench_field, .region = bench_region, .user = &own_fields, .degree = -1, .visits = 1000000};
}

/* Lowers and runs, compares with the reference on all lanes and facets to 1e-12 of the largest entry; returns the kernel. */
static inline Kernel *check_kernel(const LowerRequest *r, const char *what) {
  Kernel *k = NULL;
  if (kernel_integral(bench.kernels, r, &bench.diags, &k)) fail_msg("%s: %s", what, bench.diags.n ? bench.diags.items[0]->message : "?");
  double *reference = lanes((size_t)k->nout);
  for (int facet = 0; facet < (r->kind == INTEGRAL_CELL ? 1 : r->dim + 1); facet++) {
    double *out = run_kernel(k, facet);
    for (int l = 0; l < k->width; l += 3) {
      reference_tensor_of(r, k, l, facet, reference);
      double gap = jit_difference(k->nout, 1, reference, 1, out + l, k->width);
      if (!(gap < 1e-12)) {
        for (int i = 0; i < k->nout; i++) printf("  %d: %.15g for %.15g\n", i, out[i * k->width + l], reference[i]);
        fail_msg("%s: dim %d facet %d lane %d: differs by %g", what, r->dim, facet, l, gap);
      }
      for (int a = 0; k->symmetric && a < k->ntest; a++)
        for (int b = 0; b < a; b++) assert_true(out[(a * k->ntrial + b) * k->width + l] == out[(b * k->ntrial + a) * k->width + l]);
    }
    free(out);
  }
  free(reference);
  return k;
}

#endif
