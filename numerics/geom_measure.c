/* Bounds and measures of shapes: of primitives by their sides, of combinations where one lies in the other or they lie apart. */
#include <math.h>

#include "geom_side.h"

enum { PROBES_2D = 1025, PROBES_3D = 33, MANY_SIDES = 24 };

int geom_node_dim(const GeomNode *node) {
  while (node->op != GEOM_PRIMITIVE) node = node->a;
  return node->row->dim;
}

static void widen(double lo[3], double hi[3], int d, double from, double to) {
  if (from < lo[d]) lo[d] = from;
  if (to > hi[d]) hi[d] = to;
}

void side_bounds(const GeomSide *side, int dim, double lo[3], double hi[3]) {
  if (side->kind == SIDE_SWEPT || side->kind == SIDE_CAP) {
    double l[3], h[3];
    sweep_bounds(side, l, h);
    for (int d = 0; d < 3; d++) widen(lo, hi, d, l[d], h[d]);
    return;
  }
  for (int d = 0; d < dim; d++) {
    double a = side->a[d], u = side->u[d], v = side->v[d], r = side->radius;
    if (side->kind == SIDE_CURVE) {
      double from, to;
      curve_extent(side->curve, side->first, side->last, (double[]){d == 0, d == 1}, &from, &to);
      widen(lo, hi, d, from, to);
    } else if (side->kind == SIDE_CIRCLE || side->kind == SIDE_SPHERE) {
      widen(lo, hi, d, a - r, a + r);
    } else if (side->kind == SIDE_DISC || side->kind == SIDE_TUBE) {   /* a circle about the axis reaches r sqrt(1 - e_d^2) in direction d */
      double reach = r * sqrt(fmax(0, 1 - u * u / dot3(side->u, side->u))), end = side->kind == SIDE_TUBE ? u : 0;
      widen(lo, hi, d, a + fmin(end, 0) - reach, a + fmax(end, 0) + reach);
    } else {
      widen(lo, hi, d, a + fmin(u, 0) + fmin(v, 0), a + fmax(u, 0) + fmax(v, 0));
    }
  }
}

void geom_node_bounds(const GeomNode *node, double lo[3], double hi[3]) {
  int dim = geom_node_dim(node);
  if (node->op == GEOM_PRIMITIVE) {
    for (int d = 0; d < 3; d++) lo[d] = d < dim ? INFINITY : 0, hi[d] = d < dim ? -INFINITY : 0;
    for (int k = 0; k < geom_side_count(node); k++) {
      GeomSide side;
      geom_side(node, k, &side);
      side_bounds(&side, dim, lo, hi);
    }
    return;
  }
  geom_node_bounds(node->a, lo, hi);
  if (node->op == GEOM_DIFFERENCE) return;
  double l[3], h[3];
  geom_node_bounds(node->b, l, h);
  for (int d = 0; d < dim; d++) {
    bool join = node->op == GEOM_UNION;
    lo[d] = join ? fmin(lo[d], l[d]) : fmax(lo[d], l[d]);
    hi[d] = join ? fmax(hi[d], h[d]) : fmin(hi[d], h[d]);
  }
}

double geom_node_size(const GeomNode *node) {
  double lo[3], hi[3], d[3];
  geom_node_bounds(node, lo, hi);
  for (int k = 0; k < 3; k++) d[k] = hi[k] - lo[k];
  return sqrt(dot3(d, d));
}

bool geom_visit_side(const GeomNode *primitive, int k, SideVisit visit, void *user) {
  GeomSide side;
  geom_side(primitive, k, &side);
  bool many = geom_side_count(primitive) > MANY_SIDES;
  int ns = side_dim(&side) == 0 ? 1 : side_dim(&side) == 1 && !many ? PROBES_2D : PROBES_3D, nt = side_dim(&side) == 2 ? many ? 5 : PROBES_3D : 1;
  for (int i = 0; i < ns; i++)
    for (int j = 0; j < nt; j++) {
      /* from the middle outwards: a side that is there shows at once */
      int m = (i & 1 ? ns / 2 + (i + 1) / 2 : ns / 2 - i / 2), q = (j & 1 ? nt / 2 + (j + 1) / 2 : nt / 2 - j / 2);
      double p[3], n[3];
      side_point(&side, (m + 0.5) / ns, (q + 0.5) / nt, p);
      side_normal(&side, p, n);
      if (!visit(p, n, user)) return false;
    }
  return true;
}

static bool visit_sides(const GeomNode *node, SideVisit visit, void *user) {
  if (node->op != GEOM_PRIMITIVE) return visit_sides(node->a, visit, user) && visit_sides(node->b, visit, user);
  for (int k = 0; k < geom_side_count(node); k++)
    if (!geom_visit_side(node, k, visit, user)) return false;
  return true;
}

typedef struct Inside { const GeomNode *node; double tolerance; } Inside;
static bool stays_inside(const double *p, const double *n, void *user) {
  (void)n;
  const Inside *i = user;
  return geom_node_level(i->node, p) <= i->tolerance;
}
static bool stays_outside(const double *p, const double *n, void *user) {
  (void)n;
  const Inside *i = user;
  return geom_node_level(i->node, p) >= -i->tolerance;
}

/* Does b lie in a? Its sides are in a, and no side of a is in b (which a hole of a that b covers would be). */
static bool contains(const GeomNode *a, const GeomNode *b, double tolerance) {
  return visit_sides(b, stays_inside, &(Inside){a, tolerance}) && visit_sides(a, stays_outside, &(Inside){b, tolerance});
}
static bool apart(const GeomNode *a, const GeomNode *b, double tolerance) {
  if (!visit_sides(b, stays_outside, &(Inside){a, tolerance}) || !visit_sides(a, stays_outside, &(Inside){b, tolerance})) return false;
  double lo[3], hi[3], l[3], h[3];   /* equal shapes have their sides on each other */
  geom_node_bounds(a, lo, hi);
  geom_node_bounds(b, l, h);
  for (int d = 0; d < geom_node_dim(a); d++)
    if (fabs(lo[d] - l[d]) > tolerance || fabs(hi[d] - h[d]) > tolerance) return true;
  return false;
}

/* Of a combination, from what its operands have; NAN where they cross. */
static double combined(const GeomNode *node, double a, double b) {
  double tolerance = 1e-9 * (geom_node_size(node->a) + geom_node_size(node->b));
  if (isnan(a) || isnan(b)) return NAN;
  bool apart_ = apart(node->a, node->b, tolerance);
  bool b_in_a = !apart_ && contains(node->a, node->b, tolerance), a_in_b = !apart_ && !b_in_a && contains(node->b, node->a, tolerance);
  switch (node->op) {
  case GEOM_UNION: return apart_ ? a + b : b_in_a ? a : a_in_b ? b : NAN;
  case GEOM_INTERSECTION: return apart_ ? 0 : b_in_a ? b : a_in_b ? a : NAN;
  default: return apart_ ? a : b_in_a ? a - b : a_in_b ? 0 : NAN;
  }
}

double geom_node_measure(const GeomNode *node) {
  if (node->swept) return sweep_measure(node);
  if (node->op == GEOM_PRIMITIVE) return node->row->ops->measure(node);
  return combined(node, geom_node_measure(node->a), geom_node_measure(node->b));
}

/* Divergence theorem: the integral of x^k is that of x^(k+1)/(k+1) n_x over the boundary. */
typedef struct Moment { int power; } Moment;

static double rise(const double *p, const double *d, void *user) {
  const Moment *m = user;
  return pow(p[0], m->power + 1) / (m->power + 1) * d[1];
}

static double side_moment(const GeomSide *s, int power) {
  static const double gauss[2] = {0.21132486540518712, 0.78867513459481288};
  enum { STEPS = 64 };
  double sum = 0;
  Moment m = {power};
  if (s->kind == SIDE_CURVE) return curve_integral(s->curve, s->first, s->last, rise, &m);
  if (s->kind == SIDE_SEGMENT)
    for (int i = 0; i < 2; i++) sum += rise((double[]){s->a[0] + gauss[i] * s->u[0]}, s->u, &m) / 2;
  else
    for (int i = 0; i < STEPS; i++) {   /* the trapezoidal rule is exact for these trigonometric polynomials */
      double c = cos(2 * M_PI * i / STEPS);
      sum += rise((double[]){s->a[0] + s->radius * c}, (double[]){0, s->radius * c}, &m) * 2 * M_PI / STEPS;
    }
  return sum;
}

static double primitive_moment(const GeomNode *g, int power) {
  double sum = 0, step = 1e-7 * geom_node_size(g);
  for (int k = 0; k < geom_side_count(g); k++) {
    GeomSide s;
    double p[3], n[3], d[2];
    geom_side(g, k, &s);
    side_point(&s, 0.37, 0, p);
    if (s.kind == SIDE_CURVE) {
      curve_at(s.curve, s.first, s.last, 0.37, p, d);
      n[0] = d[1], n[1] = -d[0], n[2] = 0;
    } else if (s.kind == SIDE_SEGMENT) {
      n[0] = s.u[1], n[1] = -s.u[0], n[2] = 0;
    } else {
      for (int i = 0; i < 3; i++) n[i] = p[i] - s.a[i];
    }
    double scale = step / sqrt(dot3(n, n)), q[3] = {p[0] + scale * n[0], p[1] + scale * n[1], 0};
    sum += (geom_node_level(g, q) < 0 ? -1 : 1) * side_moment(&s, power);   /* right of its direction the side has the outside, or is turned */
  }
  return sum;
}

double geom_moment(const GeomNode *node, int power) {
  if (node->op == GEOM_PRIMITIVE) return primitive_moment(node, power);
  return combined(node, geom_moment(node->a, power), geom_moment(node->b, power));
}
