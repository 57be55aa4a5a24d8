#include "geom_side.h"

#include <math.h>
#include <string.h>

void geom_side(const GeomNode *primitive, int side, GeomSide *out) {
  memset(out, 0, sizeof *out);
  primitive->row->ops->side(primitive, side, out);
}

int geom_side_count(const GeomNode *primitive) {
  const struct GeomOps *ops = primitive->row->ops;
  return ops->nsides ? ops->nsides : ops->count(primitive);
}

const char *side_name(const GeomNode *primitive, int side, Arena *arena) {
  const struct GeomOps *ops = primitive->row->ops;
  return ops->name ? ops->name(primitive, side, arena) : primitive->row->sides[side];
}

static double clamp01(double s) { return s < 0 ? 0 : s > 1 ? 1 : s; }

static void unit3(double *v) {
  double n = sqrt(dot3(v, v));
  for (int d = 0; d < 3; d++) v[d] /= n;
}

/* Any unit vector at right angles to u. */
static void perpendicular(const double *u, double *out) {
  int k = fabs(u[0]) < fabs(u[1]) ? 0 : 1;
  if (fabs(u[2]) < fabs(u[k])) k = 2;
  double e[3] = {k == 0, k == 1, k == 2};
  cross3(u, e, out);
  unit3(out);
}

/* centre + radius * direction, where a zero direction (p is the centre) takes any. */
static void on_radius(const double *centre, const double *direction, double radius, const double *fallback, double *out) {
  double n = sqrt(dot3(direction, direction));
  for (int d = 0; d < 3; d++) out[d] = centre[d] + radius * (n > 0 ? direction[d] / n : fallback[d]);
}

void side_closest(const GeomSide *side, const double *p, double *out) {
  double r[3] = {p[0] - side->a[0], p[1] - side->a[1], p[2] - side->a[2]}, q[3], w[3];
  static const double x_axis[3] = {1, 0, 0};
  switch (side->kind) {
  case SIDE_POINT:
    memcpy(out, side->a, sizeof side->a);
    return;
  case SIDE_SEGMENT: {
    double s = clamp01(dot3(r, side->u) / dot3(side->u, side->u));
    for (int d = 0; d < 3; d++) out[d] = side->a[d] + s * side->u[d];
    return;
  }
  case SIDE_CIRCLE:
    r[2] = 0;
    on_radius(side->a, r, side->radius, x_axis, out);
    return;
  case SIDE_SPHERE:
    on_radius(side->a, r, side->radius, x_axis, out);
    return;
  case SIDE_PATCH: {   /* a rectangle: u and v are at right angles */
    double s = clamp01(dot3(r, side->u) / dot3(side->u, side->u)), t = clamp01(dot3(r, side->v) / dot3(side->v, side->v));
    for (int d = 0; d < 3; d++) out[d] = side->a[d] + s * side->u[d] + t * side->v[d];
    return;
  }
  case SIDE_DISC: {
    double height = dot3(r, side->u);
    for (int d = 0; d < 3; d++) q[d] = r[d] - height * side->u[d];
    double n = sqrt(dot3(q, q)), scale = n > side->radius ? side->radius / n : 1;
    for (int d = 0; d < 3; d++) out[d] = side->a[d] + scale * q[d];
    return;
  }
  case SIDE_TUBE: {
    double s = dot3(r, side->u) / dot3(side->u, side->u), c[3];
    for (int d = 0; d < 3; d++) {
      q[d] = r[d] - s * side->u[d];
      c[d] = side->a[d] + clamp01(s) * side->u[d];
    }
    perpendicular(side->u, w);
    on_radius(c, q, side->radius, w, out);
    return;
  }
  case SIDE_CURVE:
    curve_closest(side->curve, side->first, side->last, p, out, w);
    out[2] = 0;
    return;
  case SIDE_SWEPT:
  case SIDE_CAP: sweep_closest(side, p, out); return;
  }
}

void side_point(const GeomSide *side, double s, double t, double *out) {
  double angle = 2 * M_PI * s, w[3], b[3], axis[3];
  for (int d = 0; d < 3; d++) out[d] = side->a[d];
  switch (side->kind) {
  case SIDE_POINT: return;
  case SIDE_SEGMENT:
  case SIDE_PATCH:
    for (int d = 0; d < 3; d++) out[d] += s * side->u[d] + t * side->v[d];
    return;
  case SIDE_CIRCLE:
    out[0] += side->radius * cos(angle);
    out[1] += side->radius * sin(angle);
    return;
  case SIDE_SPHERE:
    out[0] += side->radius * sin(M_PI * t) * cos(angle);
    out[1] += side->radius * sin(M_PI * t) * sin(angle);
    out[2] += side->radius * cos(M_PI * t);
    return;
  case SIDE_DISC:
  case SIDE_TUBE:
    perpendicular(side->u, w);
    memcpy(axis, side->u, sizeof axis);
    unit3(axis);
    cross3(axis, w, b);
    for (int d = 0; d < 3; d++)
      out[d] += side->radius * (side->kind == SIDE_DISC ? sqrt(t) : 1) * (cos(angle) * w[d] + sin(angle) * b[d]) +
                (side->kind == SIDE_TUBE ? t * side->u[d] : 0);
    return;
  case SIDE_CURVE:
    curve_at(side->curve, side->first, side->last, s, out, w);
    out[2] = 0;
    return;
  case SIDE_SWEPT:
  case SIDE_CAP: sweep_point(side, s, t, out); return;
  }
}

void side_normal(const GeomSide *side, const double *p, double *n) {
  double r[3] = {p[0] - side->a[0], p[1] - side->a[1], p[2] - side->a[2]};
  switch (side->kind) {
  case SIDE_POINT: n[0] = 1, n[1] = n[2] = 0; return;
  case SIDE_SEGMENT: n[0] = side->u[1], n[1] = -side->u[0], n[2] = 0; break;
  case SIDE_PATCH: cross3(side->u, side->v, n); break;
  case SIDE_DISC: memcpy(n, side->u, sizeof side->u); return;
  case SIDE_CIRCLE:
  case SIDE_SPHERE: memcpy(n, r, sizeof r); break;
  case SIDE_TUBE: {
    double s = dot3(r, side->u) / dot3(side->u, side->u);
    for (int d = 0; d < 3; d++) n[d] = r[d] - s * side->u[d];
    break;
  }
  case SIDE_CURVE: {
    double q[2], tangent[2];
    curve_closest(side->curve, side->first, side->last, p, q, tangent);
    n[0] = tangent[1], n[1] = -tangent[0], n[2] = 0;
    break;
  }
  case SIDE_SWEPT:
  case SIDE_CAP: sweep_normal(side, p, n); break;
  }
  if (dot3(n, n) > 0) unit3(n);
  else n[0] = 1, n[1] = n[2] = 0;
}

bool side_is_curved(const GeomSide *side) {
  if (side->kind == SIDE_SWEPT) return sweep_is_curved(side);
  return side->kind == SIDE_CIRCLE || side->kind == SIDE_CURVE || side->kind == SIDE_TUBE || side->kind == SIDE_SPHERE;
}
int side_dim(const GeomSide *side) { return side->kind == SIDE_POINT ? 0 : side->kind <= SIDE_CURVE ? 1 : 2; }

static void spread(const GeomNode *primitive, const double *p, double *q) {
  for (int d = 0; d < 3; d++) q[d] = d < primitive->row->dim ? p[d] : 0;
}

double geom_side_distance(const GeomNode *primitive, int side, const double *p) {
  GeomSide s;
  double q[3], c[3];
  geom_side(primitive, side, &s);
  spread(primitive, p, q);
  side_closest(&s, q, c);
  for (int d = 0; d < 3; d++) c[d] -= q[d];
  return sqrt(dot3(c, c));
}

void geom_side_project(const GeomNode *primitive, int side, double *p) {
  GeomSide s;
  double q[3], c[3];
  geom_side(primitive, side, &s);
  spread(primitive, p, q);
  side_closest(&s, q, c);
  memcpy(p, c, (size_t)primitive->row->dim * sizeof *p);
}

/* Is p on the inner side of this side? In 1D and 2D the number of sides it is beyond is odd inside (crossing number; a circle counts as one crossing);
 * the solids are convex: p is inside of every side. */
static bool crosses(const GeomSide *side, const double *p) {
  double r[3] = {p[0] - side->a[0], p[1] - side->a[1], p[2] - side->a[2]}, n[3];
  switch (side->kind) {
  case SIDE_POINT: return r[0] > 0;
  case SIDE_SEGMENT:
    if ((r[1] < 0) == (r[1] < side->u[1])) return false;
    return r[0] < side->u[0] * r[1] / side->u[1];
  case SIDE_CIRCLE:
  case SIDE_SPHERE: return dot3(r, r) < side->radius * side->radius;
  case SIDE_PATCH: cross3(side->u, side->v, n); return dot3(r, n) < 0;
  case SIDE_DISC: return dot3(r, side->u) < 0;
  case SIDE_TUBE: {
    double s = dot3(r, side->u) / dot3(side->u, side->u);
    for (int d = 0; d < 3; d++) n[d] = r[d] - s * side->u[d];
    return dot3(n, n) < side->radius * side->radius;
  }
  case SIDE_CURVE: return curve_crossed(side->curve, side->first, side->last, p);
  case SIDE_SWEPT:
  case SIDE_CAP: break;   /* a sweep knows its inside as a whole */
  }
  return false;
}

static double primitive_level(const GeomNode *primitive, const double *p) {
  double q[3], c[3], nearest = INFINITY;
  int n = geom_side_count(primitive), crossed = 0;
  spread(primitive, p, q);
  for (int k = 0; k < n; k++) {
    GeomSide s;
    geom_side(primitive, k, &s);
    side_closest(&s, q, c);
    for (int d = 0; d < 3; d++) c[d] -= q[d];
    double distance = dot3(c, c);
    if (distance < nearest) nearest = distance;
    crossed += crosses(&s, q);
  }
  bool inside = primitive->base ? sweep_contains(primitive, q) : primitive->row->dim == 3 ? crossed == n : crossed & 1;
  return inside ? -sqrt(nearest) : sqrt(nearest);
}

double geom_node_level(const GeomNode *node, const double *p) {
  if (node->op == GEOM_PRIMITIVE) return primitive_level(node, p);
  double a = geom_node_level(node->a, p), b = geom_node_level(node->b, p);
  return node->op == GEOM_UNION ? fmin(a, b) : node->op == GEOM_INTERSECTION ? fmax(a, b) : fmax(a, -b);
}
