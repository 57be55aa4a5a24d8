/* Quadrature on simplices: symmetric rules of quad.def where there is one of the degree (or one above), Gauss-Legendre in 1D, else products of
 * Gauss-Jacobi rules in collapsed coordinates. Rules are made at first use and kept for the life of the process. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"

typedef enum OrbitKind { S3, S21, S111, S4, S31, S22, S211 } OrbitKind;
typedef struct Orbit {
  int dim, degree;
  OrbitKind kind;
  double weight, a, b;
} Orbit;

static const Orbit orbits[] = {
#define ORBIT(dim, degree, kind, weight, a, b) {dim, degree, kind, weight, a, b},
#include "quad.def"
#undef ORBIT
};
enum { ORBITS = sizeof orbits / sizeof *orbits, POINTS_MAX = (QUAD_MAX / 2 + 1) * (QUAD_MAX / 2 + 1) * (QUAD_MAX / 2 + 1) };

typedef struct Rule {
  int n;
  double *points, *weights;
} Rule;

static void rule_add(Rule *rule, int dim, const double *barycentric, double weight) {
  for (int k = 0; k < dim; k++) rule->points[rule->n * dim + k] = barycentric[k + 1];
  rule->weights[rule->n++] = weight;
}

/* All distinct permutations of the barycentric coordinates of an orbit. */
static void rule_add_orbit(Rule *rule, const Orbit *o) {
  int dim = o->dim;
  double a = o->a, b = o->b, measure = dim == 2 ? 1. / 2 : 1. / 6;
  const double start[][4] = {
      [S3] = {1. / 3, 1. / 3, 1. / 3}, [S21] = {a, a, 1 - 2 * a},       [S111] = {a, b, 1 - a - b},           [S4] = {.25, .25, .25, .25},
      [S31] = {a, a, a, 1 - 3 * a},    [S22] = {a, a, .5 - a, .5 - a}, [S211] = {a, a, b, 1 - 2 * a - b}};
  const double *s = start[o->kind];
  double seen[24][4];
  int nseen = 0;
  for (int code = 0; code < 256; code++) {
    int p[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
    bool is_permutation = true;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < i; j++) is_permutation = is_permutation && p[i] != p[j];
    for (int i = dim + 1; i < 4; i++) is_permutation = is_permutation && p[i] == i;
    if (!is_permutation) continue;
    double l[4] = {0};
    for (int i = 0; i <= dim; i++) l[i] = s[p[i]];
    bool known = false;
    for (int i = 0; i < nseen; i++) known = known || !memcmp(seen[i], l, sizeof l);
    if (known) continue;
    memcpy(seen[nseen++], l, sizeof l);
    rule_add(rule, dim, l, o->weight * measure);
  }
}

/* Jacobi polynomial P_n^(alpha, 0) and its derivative at x, by the three-term recurrence (Abramowitz and Stegun 22.7.1, 22.8.1). */
static void jacobi(int n, double alpha, double x, double *value, double *slope) {
  double p0 = 1, p1 = (alpha + 2) / 2 * x + alpha / 2;
  if (n == 0) {
    *value = 1, *slope = 0;
    return;
  }
  for (int k = 1; k < n; k++) {
    double c = 2 * k + alpha;
    double a1 = 2 * (k + 1) * (k + alpha + 1) * c, a2 = (c + 1) * alpha * alpha, a3 = c * (c + 1) * (c + 2), a4 = 2 * (k + alpha) * k * (c + 2);
    double p2 = ((a2 + a3 * x) * p1 - a4 * p0) / a1;
    p0 = p1, p1 = p2;
  }
  double c = 2 * n + alpha;
  *value = p1;
  *slope = (n * (alpha - c * x) * p1 + 2 * (n + alpha) * n * p0) / (c * (1 - x * x));
}

/* n-point Gauss rule on [0, 1] for the weight (1 - t)^alpha; weights sum to 1/(alpha + 1). Newton with deflation (Karniadakis and
 * Sherwin, Spectral/hp Element Methods, appendix B). */
static void gauss_jacobi(int n, int alpha, double *t, double *w) {
  for (int i = 0; i < n; i++) {
    double x = -cos(M_PI * (2 * i + 1) / (2 * n));
    if (i) x = (x + 2 * t[i - 1] - 1) / 2;
    for (int iteration = 0; iteration < 100; iteration++) {
      double p, dp, s = 0;
      jacobi(n, alpha, x, &p, &dp);
      for (int j = 0; j < i; j++) s += 1 / (x - (2 * t[j] - 1));
      double step = -p / (dp - s * p);
      x += step;
      if (fabs(step) < 1e-16) break;
    }
    double p, dp;
    jacobi(n, alpha, x, &p, &dp);
    t[i] = (1 + x) / 2;
    w[i] = 1 / ((1 - x * x) * dp * dp);   /* 2^(alpha+1) and the map to [0, 1] cancel for beta = 0 */
  }
}

/* x = t0, y = t1 (1 - t0), z = t2 (1 - t0)(1 - t1): the Jacobian's powers go into the weights. */
static void rule_collapsed(Rule *rule, int dim, int degree) {
  int n = degree / 2 + 1;
  double t[3][QUAD_MAX], w[3][QUAD_MAX];
  for (int d = 0; d < dim; d++) gauss_jacobi(n, dim - 1 - d, t[d], w[d]);
  int total = 1;
  for (int d = 0; d < dim; d++) total *= n;
  for (int i = 0; i < total; i++) {
    double l[4] = {0}, left = 1, weight = 1;
    for (int d = 0, k = i; d < dim; d++, k /= n) {
      l[d + 1] = left * t[d][k % n];
      left *= 1 - t[d][k % n];
      weight *= w[d][k % n];
    }
    rule_add(rule, dim, l, weight);
  }
}

static void rule_make(Rule *rule, int dim, int degree) {
  rule->points = malloc(sizeof(double) * POINTS_MAX * (dim ? dim : 1));
  rule->weights = malloc(sizeof(double) * POINTS_MAX);
  if (!rule->points || !rule->weights) {
    fputs("pde: out of memory\n", stderr);
    exit(7);
  }
  int best = 0;
  for (int i = 0; i < ORBITS && !best; i++)
    if (orbits[i].dim == dim && orbits[i].degree >= degree) best = orbits[i].degree;
  if (dim == 0)
    rule->weights[rule->n++] = 1;
  else if (best)
    for (int i = 0; i < ORBITS; i++) {
      if (orbits[i].dim == dim && orbits[i].degree == best) rule_add_orbit(rule, &orbits[i]);
    }
  else
    rule_collapsed(rule, dim, degree);
  double *points = realloc(rule->points, sizeof(double) * rule->n * (dim ? dim : 1));
  double *weights = realloc(rule->weights, sizeof(double) * rule->n);
  if (points) rule->points = points;
  if (weights) rule->weights = weights;
}

/* Products of Gauss-Legendre rules, the first coordinate fastest. */
static void rule_tensor(Rule *rule, int dim, int degree) {
  int n = degree / 2 + 1, total = 1;
  double t[QUAD_MAX], w[QUAD_MAX];
  gauss_jacobi(n, 0, t, w);
  for (int d = 0; d < dim; d++) total *= n;
  rule->points = malloc(sizeof(double) * (size_t)(total * dim));
  rule->weights = malloc(sizeof(double) * (size_t)total);
  if (!rule->points || !rule->weights) {
    fputs("pde: out of memory\n", stderr);
    exit(7);
  }
  for (int i = 0; i < total; i++) {
    double weight = 1;
    for (int d = 0, k = i; d < dim; d++, k /= n) {
      rule->points[i * dim + d] = t[k % n];
      weight *= w[k % n];
    }
    rule->weights[rule->n++] = weight;
  }
}

static int rule_of(CellShape shape, int dim, int degree, const double **points, const double **weights) {
  static Rule rules[2][4][QUAD_MAX + 1];   /* constants of mathematics, computed once */
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (degree < 0) degree = 0;
  if (degree > QUAD_MAX) degree = QUAD_MAX;
  Rule *rule = &rules[shape][dim][degree];
  pthread_mutex_lock(&lock);
  if (!rule->n && shape == CELL_TENSOR) rule_tensor(rule, dim, degree);
  else if (!rule->n) rule_make(rule, dim, degree);
  pthread_mutex_unlock(&lock);
  *points = rule->points;
  *weights = rule->weights;
  return rule->n;
}

int quad_rule(int dim, int degree, const double **points, const double **weights) { return rule_of(CELL_SIMPLEX, dim, degree, points, weights); }

int quad_on(CellShape shape, int dim, int degree, const double **points, const double **weights) {
  return rule_of(dim > 1 ? shape : CELL_SIMPLEX, dim, degree, points, weights);
}
