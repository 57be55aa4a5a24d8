/* Predicates of named groups: scalar-level expressions of the coordinates made of comparisons, and, or, not. */
#include <math.h>
#include <string.h>

#include "geom.h"
#include "geom_side.h"

static double coordinate(Expr *leaf, void *user) {
  const double *p = user;
  return leaf->op == EXPR_COORD ? p[leaf->index[0]] : NAN;
}

static double difference(Expr *comparison, const double *p) {
  return expr_value(comparison->arg[0], coordinate, (void *)p) - expr_value(comparison->arg[1], coordinate, (void *)p);
}

/* Where a comparison is looked at: equality in all n points, an inequality in the last. */
typedef struct Points { const double (*p)[3]; int n; double eps; } Points;

static bool equal_everywhere(Expr *e, const Points *at) {
  for (int i = 0; i < at->n; i++)
    if (!(fabs(difference(e, at->p[i])) <= at->eps)) return false;
  return true;
}

static bool truth(Expr *e, const Points *at) {
  const double *last = at->p[at->n - 1];
  switch (e->op) {
  case EXPR_AND: return truth(e->arg[0], at) && truth(e->arg[1], at);
  case EXPR_OR: return truth(e->arg[0], at) || truth(e->arg[1], at);
  case EXPR_NOT: return !truth(e->arg[0], at);
  case EXPR_EQ: return equal_everywhere(e, at);
  case EXPR_NE: return !equal_everywhere(e, at);
  case EXPR_LT: return difference(e, last) < 0;
  case EXPR_GT: return difference(e, last) > 0;
  case EXPR_LE: return difference(e, last) <= at->eps;
  case EXPR_GE: return difference(e, last) >= -at->eps;
  case EXPR_IF: return truth(e->arg[0], at) ? truth(e->arg[1], at) : truth(e->arg[2], at);
  default: return expr_value(e, coordinate, (void *)last) != 0;
  }
}

/* Coordinates beyond the dimension of the domain are zero. */
static void spread(Expr *predicate, const double *p, double *q);

bool geom_predicate(Expr *predicate, const double *p, double eps) {
  double q[1][3];
  spread(predicate, p, q[0]);
  return truth(predicate, &(Points){(const double(*)[3])q, 1, eps});
}

bool geom_predicate_facet(Expr *predicate, const double *vertices, int nv, int dim, const double *mid, double eps) {
  double q[5][3] = {{0}};
  for (int i = 0; i < nv; i++) memcpy(q[i], vertices + i * dim, (size_t)dim * sizeof *vertices);
  memcpy(q[nv], mid, (size_t)dim * sizeof *mid);
  return truth(predicate, &(Points){(const double(*)[3])q, nv + 1, eps});
}

static int highest_axis(Expr *e) {
  if (!(e->flags & HAS_COORD)) return -1;
  int axis = e->op == EXPR_COORD ? e->index[0] : -1;
  for (int i = 0; i < e->n; i++) {
    int a = highest_axis(e->arg[i]);
    if (a > axis) axis = a;
  }
  return axis;
}

static void spread(Expr *predicate, const double *p, double *q) {
  int n = highest_axis(predicate) + 1;
  for (int d = 0; d < 3; d++) q[d] = d < n ? p[d] : 0;
}

double geom_value(Expr *e, const double *p, int dim) {
  double q[3] = {0};
  for (int d = 0; d < dim; d++) q[d] = p[d];
  return expr_value(e, coordinate, q);
}

/* --- comparisons as planes and spheres, recognised by their values: exact for affine and quadratic differences, whatever they look like --- */

typedef double (*Level)(Expr *comparison, const double *p);

/* lhs^2 - rhs^2 turns sqrt(x^2 + y^2) < r into a quadratic. */
static double squared(Expr *e, const double *p) {
  double a = expr_value(e->arg[0], coordinate, (void *)p), b = expr_value(e->arg[1], coordinate, (void *)p);
  return a * a - b * b;
}

static const double trials[4][3] = {{0.37, -0.81, 0.55}, {-0.64, 0.29, -0.93}, {0.91, 0.73, 0.17}, {-0.22, -0.47, 0.68}};

/* level(p) = c + b.p + a |p|^2 with p in units of size; true if it fits in all trial points. */
static bool fit(Level level, Expr *e, int dim, double size, double *c, double *b, double *a) {
  double zero[3] = {0}, worst = 0, scale;
  *c = level(e, zero);
  scale = fabs(*c);
  for (int d = 0; d < dim; d++) {
    double plus[3] = {0}, minus[3] = {0};
    plus[d] = size, minus[d] = -size;
    double u = level(e, plus), v = level(e, minus), second = (u + v) / 2 - *c;
    b[d] = (u - v) / 2;
    if (d == 0) *a = second;
    worst = fmax(worst, fabs(second - *a));
    scale = fmax(scale, fmax(fabs(u), fabs(v)));
  }
  for (int k = 0; k < 4; k++) {
    double p[3] = {0}, value = *c;
    for (int d = 0; d < dim; d++) {
      p[d] = size * trials[k][d];
      value += b[d] * trials[k][d] + *a * trials[k][d] * trials[k][d];
    }
    worst = fmax(worst, fabs(level(e, p) - value));
  }
  return worst <= 1e-10 * scale;   /* false for NaN */
}

static bool recognise(Level level, Expr *e, int dim, double size, GeomCut *cut) {
  double c, b[3] = {0}, a = 0;
  if (!fit(level, e, dim, size, &c, b, &a)) return false;
  double slope = sqrt(dot3(b, b));
  memset(cut, 0, sizeof *cut);
  if (fabs(a) <= 1e-10 * (slope + fabs(c))) {
    if (!(slope > 0)) return false;
    for (int d = 0; d < dim; d++) cut->normal[d] = b[d] / slope;
    cut->offset = -c / slope * size;
    return true;
  }
  double r2 = dot3(b, b) / (4 * a * a) - c / a;
  if (!(r2 > 0)) return false;
  for (int d = 0; d < dim; d++) cut->centre[d] = -b[d] / (2 * a) * size;
  cut->radius = sqrt(r2) * size;
  return true;
}

static void walk(Expr *e, int dim, double size, GeomCut *cuts, int max, int *n, int *others) {
  switch (e->op) {
  case EXPR_AND: case EXPR_OR: case EXPR_NOT: case EXPR_IF:
    for (int i = 0; i < e->n; i++) walk(e->arg[i], dim, size, cuts, max, n, others);
    return;
  case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: {
    if (!(e->flags & HAS_COORD)) return;
    GeomCut cut;
    bool linear = recognise(difference, e, dim, size, &cut);
    if (!linear && !recognise(squared, e, dim, size, &cut)) {
      ++*others;
      return;
    }
    cut.equality = e->op == EXPR_EQ || e->op == EXPR_NE;
    cut.comparison = e;
    if (*n < max) cuts[(*n)++] = cut;
    return;
  }
  default:
    if (e->flags & HAS_COORD) ++*others;
  }
}

int geom_cuts(Expr *predicate, int dim, double size, GeomCut *cuts, int max, int *others) {
  int n = 0;
  *others = 0;
  walk(predicate, dim, size, cuts, max, &n, others);
  return n;
}
