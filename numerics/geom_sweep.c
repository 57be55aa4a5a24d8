/* Solids swept by a plane shape: extruded along z, turned about the z axis, or a wing between two sections. All of them map a point q of the plane and
 * t in [0, 1] to space (sweep_up) and back (sweep_down); sides, caps, inside and bounds follow from the plane shape. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geom_side.h"

static const double tiny = 1e-7;   /* step of differences, in units of the plane shape's size */

/* --- the maps --- */

/* Values of a wing by their place in its row. */
enum { WING_SPAN = 1, WING_CHORD, WING_TAPER, WING_SWEEP, WING_TWIST, WING_DIHEDRAL, WING_ANGLE };

static double value(const GeomNode *g, int k) { return g->values[k][0]; }
static double clamp01(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

/* The section at t of the span: its nose in origin, columns of m the images of the unit profile's axes. Lines from root to tip are straight. */
typedef struct Section { double origin[3], m[2][2]; } Section;

static Section section_at(const GeomNode *g, double t) {
  double span = value(g, WING_SPAN), chord = value(g, WING_CHORD), tip = chord * value(g, WING_TAPER), a = value(g, WING_ANGLE), b = a + value(g, WING_TWIST);
  double c = (1 - t) * chord * cos(a) + t * tip * cos(b), s = (1 - t) * chord * sin(a) + t * tip * sin(b), y = t * span;
  return (Section){{y * tan(value(g, WING_SWEEP)), y, y * tan(value(g, WING_DIHEDRAL))}, {{c, s}, {-s, c}}};
}

void sweep_up(const GeomNode *g, const double *q, double t, double *p) {
  switch (g->row->ops->sweep) {
  case SWEEP_REVOLVE: {
    double angle = t * value(g, 1);
    p[0] = q[0] * cos(angle), p[1] = q[0] * sin(angle), p[2] = q[1];
    return;
  }
  case SWEEP_LOFT: {
    Section s = section_at(g, t);
    p[0] = s.origin[0] + s.m[0][0] * q[0] + s.m[0][1] * q[1];
    p[1] = s.origin[1];
    p[2] = s.origin[2] + s.m[1][0] * q[0] + s.m[1][1] * q[1];
    return;
  }
  default: p[0] = q[0], p[1] = q[1], p[2] = g->values[1][0] + t * (g->values[1][1] - g->values[1][0]);
  }
}

void sweep_down(const GeomNode *g, const double *p, double *q, double *t) {
  q[2] = 0;
  switch (g->row->ops->sweep) {
  case SWEEP_REVOLVE: {
    double angle = value(g, 1), turn = atan2(p[1], p[0]);
    if (turn < 0) turn += 2 * M_PI;
    if (turn > (angle + 2 * M_PI) / 2) turn -= 2 * M_PI;   /* nearer to the beginning */
    q[0] = hypot(p[0], p[1]), q[1] = p[2];
    *t = turn / angle;
    return;
  }
  case SWEEP_LOFT: {
    *t = p[1] / value(g, WING_SPAN);
    Section s = section_at(g, clamp01(*t));
    double x = p[0] - s.origin[0], z = p[2] - s.origin[2], det = s.m[0][0] * s.m[1][1] - s.m[0][1] * s.m[1][0];
    q[0] = (s.m[1][1] * x - s.m[0][1] * z) / det;
    q[1] = (s.m[0][0] * z - s.m[1][0] * x) / det;
    return;
  }
  default: q[0] = p[0], q[1] = p[1], *t = (p[2] - g->values[1][0]) / (g->values[1][1] - g->values[1][0]);
  }
}

bool sweep_is_closed(const GeomNode *g) { return g->row->ops->sweep == SWEEP_REVOLVE && value(g, 1) > 2 * M_PI * (1 - 1e-12); }

bool sweep_contains(const GeomNode *g, const double *p) {
  double q[3], t;
  sweep_down(g, p, q, &t);
  return (sweep_is_closed(g) || (t > 0 && t < 1)) && geom_node_level(g->base, q) < 0;
}

/* --- sides --- */

static void nearest_in_plane(const GeomNode *base, const double *q, double *out) {
  double best = INFINITY, c[3];
  memcpy(out, q, 3 * sizeof *q);
  if (geom_node_level(base, q) <= 0) return;
  for (int k = 0; k < geom_side_count(base); k++) {
    GeomSide s;
    geom_side(base, k, &s);
    side_closest(&s, q, c);
    double r = hypot(c[0] - q[0], c[1] - q[1]);
    if (r < best) best = r, memcpy(out, c, sizeof c);
  }
}

void sweep_closest(const GeomSide *side, const double *p, double *out) {
  const GeomNode *g = side->of;
  double q[3], c[3], t;
  sweep_down(g, p, q, &t);
  if (side->kind == SIDE_CAP) {
    nearest_in_plane(g->base, q, c);
    sweep_up(g, c, side->index, out);
    return;
  }
  GeomSide s;
  geom_side(g->base, side->index, &s);
  side_closest(&s, q, c);
  sweep_up(g, c, sweep_is_closed(g) ? t : clamp01(t), out);
}

/* A point of the plane shape for each of its bounds: where that is outside, one beyond the border nearest to it. */
static void inside_point(const GeomNode *base, double s, double t, double *c) {
  double lo[3], hi[3];
  geom_node_bounds(base, lo, hi);
  double q[3] = {lo[0] + s * (hi[0] - lo[0]), lo[1] + t * (hi[1] - lo[1]), 0}, far = 0.2 * geom_node_size(base);
  nearest_in_plane(base, q, c);
  double dx = c[0] - q[0], dy = c[1] - q[1], r = hypot(dx, dy);
  for (int i = 0; i < 12 && r > 0; i++, far /= 2) {
    double p[3] = {c[0] + far * dx / r, c[1] + far * dy / r, 0};
    if (geom_node_level(base, p) < -far / 4) {
      memcpy(c, p, sizeof p);
      return;
    }
  }
}

void sweep_point(const GeomSide *side, double s, double t, double *out) {
  const GeomNode *g = side->of;
  double q[3];
  if (side->kind == SIDE_CAP) {
    inside_point(g->base, s, t, q);
    sweep_up(g, q, side->index, out);
    return;
  }
  GeomSide plane;
  geom_side(g->base, side->index, &plane);
  side_point(&plane, s, 0, q);
  sweep_up(g, q, t, out);
}

static void difference(const GeomNode *g, const double *q, double t, const double *step, double dt, double *out) {
  double a[3], b[3];
  sweep_up(g, (double[]){q[0] - step[0], q[1] - step[1]}, t - dt, a);
  sweep_up(g, (double[]){q[0] + step[0], q[1] + step[1]}, t + dt, b);
  for (int d = 0; d < 3; d++) out[d] = b[d] - a[d];
}

void sweep_normal(const GeomSide *side, const double *p, double *n) {
  const GeomNode *g = side->of;
  double q[3], t, across[3], along[3], plane[3], e = tiny * geom_node_size(g->base);
  bool loft = g->row->ops->sweep == SWEEP_LOFT;
  sweep_down(g, p, q, &t);
  if (side->kind == SIDE_CAP) {
    if (loft) n[0] = n[2] = 0, n[1] = 1;
    else difference(g, (double[]){fmax(q[0], e), q[1]}, side->index, (double[]){0, 0}, tiny, n);
    return;
  }
  GeomSide s;
  geom_side(g->base, side->index, &s);
  side_normal(&s, q, plane);
  if (!loft) {   /* the map keeps right angles */
    difference(g, q, t, (double[]){e * plane[0], e * plane[1]}, 0, n);
    return;
  }
  difference(g, q, t, (double[]){-e * plane[1], e * plane[0]}, 0, across);
  difference(g, q, t, (double[]){0, 0}, tiny, along);
  cross3(across, along, n);
}

bool sweep_is_curved(const GeomSide *side) {
  GeomSide s;
  geom_side(side->of->base, side->index, &s);
  return side->of->row->ops->sweep == SWEEP_REVOLVE || side_is_curved(&s) || (side->of->row->ops->sweep == SWEEP_LOFT && value(side->of, WING_TWIST) != 0);
}

/* --- bounds --- */

/* Least and greatest direction . q over a side of a plane shape. */
static void plane_extent(const GeomSide *s, const double direction[2], double *lo, double *hi) {
  if (s->kind == SIDE_CURVE) {
    curve_extent(s->curve, s->first, s->last, direction, lo, hi);
    return;
  }
  double a = direction[0] * s->a[0] + direction[1] * s->a[1], u = direction[0] * s->u[0] + direction[1] * s->u[1], r = s->radius * hypot(direction[0], direction[1]);
  *lo = a + fmin(u, 0) - r;
  *hi = a + fmax(u, 0) + r;
}

static void widen(double lo[3], double hi[3], int d, double from, double to) {
  lo[d] = fmin(lo[d], from);
  hi[d] = fmax(hi[d], to);
}

static void revolved_bounds(const GeomNode *g, const double *from, const double *to, double lo[3], double hi[3]) {
  double a = value(g, 1), inner = fmax(0, from[0]), outer = to[0];
  double cos_min = a >= M_PI ? -1 : cos(a), sin_max = a >= M_PI / 2 ? 1 : sin(a), sin_min = a >= 3 * M_PI / 2 ? -1 : fmin(0, sin(a));
  widen(lo, hi, 0, fmin(cos_min < 0 ? outer * cos_min : inner * cos_min, inner), outer);
  widen(lo, hi, 1, outer * sin_min, outer * sin_max);
  widen(lo, hi, 2, from[1], to[1]);
}

void sweep_bounds(const GeomSide *side, double lo[3], double hi[3]) {
  const GeomNode *g = side->of;
  for (int d = 0; d < 3; d++) lo[d] = INFINITY, hi[d] = -INFINITY;
  int first = side->kind == SIDE_CAP ? 0 : side->index, last = side->kind == SIDE_CAP ? geom_side_count(g->base) - 1 : side->index;
  for (int k = first; k <= last; k++) {
    GeomSide s;
    double from[2], to[2];
    geom_side(g->base, k, &s);
    for (int d = 0; d < 2; d++) plane_extent(&s, (double[]){d == 0, d == 1}, &from[d], &to[d]);
    switch (g->row->ops->sweep) {
    case SWEEP_REVOLVE: revolved_bounds(g, from, to, lo, hi); break;
    case SWEEP_LOFT:
      for (int end = 0; end < 2; end++) {   /* ruled: between the sections nothing reaches further */
        if (side->kind == SIDE_CAP && end != side->index) continue;
        Section at = section_at(g, end);
        widen(lo, hi, 1, at.origin[1], at.origin[1]);
        for (int r = 0; r < 2; r++) {
          plane_extent(&s, at.m[r], &from[0], &to[0]);
          widen(lo, hi, 2 * r, at.origin[2 * r] + from[0], at.origin[2 * r] + to[0]);
        }
      }
      break;
    default:
      for (int d = 0; d < 2; d++) widen(lo, hi, d, from[d], to[d]);
      widen(lo, hi, 2, g->values[1][side->kind == SIDE_CAP ? side->index : 0], g->values[1][side->kind == SIDE_CAP ? side->index : 1]);
    }
  }
}

/* --- rows --- */

/* Pappus for turned shapes; of a wing the area of a section is quadratic in t, which Simpson's rule integrates exactly. */
double sweep_measure(const GeomNode *node) {
  const GeomNode *g = node, *plane = node->swept;
  while (g->op != GEOM_PRIMITIVE) g = g->a;
  if (!plane) plane = g->base;
  switch (g->row->ops->sweep) {
  case SWEEP_REVOLVE: return value(g, 1) * geom_moment(plane, 1);
  case SWEEP_LOFT: {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      Section s = section_at(g, i / 2.0);
      sum += (i == 1 ? 4 : 1) / 6.0 * (s.m[0][0] * s.m[1][1] - s.m[0][1] * s.m[1][0]);
    }
    return sum * value(g, WING_SPAN) * geom_moment(plane, 0);
  }
  default: return (g->values[1][1] - g->values[1][0]) * geom_node_measure(plane);
  }
}

static int swept_count(const GeomNode *g) { return geom_side_count(g->base) + (sweep_is_closed(g) ? 0 : 2); }

static void swept_side(const GeomNode *g, int k, GeomSide *s) {
  int n = geom_side_count(g->base);
  *s = (GeomSide){.kind = k < n ? SIDE_SWEPT : SIDE_CAP, .of = g, .index = k < n ? k : k - n};
}

static const char *cap_name(const GeomNode *g, int k) {
  static const char *const names[2][2] = {{"start", "end"}, {"root", "tip"}};
  int n = geom_side_count(g->base);
  return k < n ? NULL : names[g->row->ops->sweep == SWEEP_LOFT][k - n];
}

static const char *swept_name(const GeomNode *g, int k, Arena *arena) {
  const char *cap = cap_name(g, k);
  return cap ? cap : side_name(g->base, k, arena);
}

static const char *swept_collective(const GeomNode *g, int k) {
  const struct GeomOps *ops = g->base->row->ops;
  const char *cap = cap_name(g, k);
  return cap ? cap : ops->collective ? ops->collective(g->base, k) : NULL;
}

static const char *extrude_check(const GeomNode *g, char out[160]) {
  const double *z = g->values[1];
  if (z[0] < z[1]) return NULL;
  snprintf(out, 160, "the range z is %g..%g; its first end must be below its second", z[0], z[1]);
  return out;
}

static const char *revolve_check(const GeomNode *g, char out[160]) {
  double angle = value(g, 1), lo[3], hi[3];
  geom_node_bounds(g->swept, lo, hi);
  if (lo[0] < -1e-12 * geom_node_size(g->swept)) return snprintf(out, 160, "the shape reaches x = %g; all of it must lie on one side of the axis, x >= 0", lo[0]), out;
  if (angle > 0 && angle <= 2 * M_PI * (1 + 1e-9)) return NULL;
  snprintf(out, 160, "the angle is %g; it must be above 0 and at most 2*pi (in radians)", angle);
  return out;
}

/* The plane shape of a wing: its profile at unit chord. */
static GeomNode unit_profile(const GeomNode *wing) {
  static const double one[1] = {1}, zeros[2] = {0, 0};
  return (GeomNode){.op = GEOM_PRIMITIVE, .row = geom_row("airfoil"), .values = {wing->values[0], one, zeros, zeros}, .counts = {wing->counts[0], 1, 1, 2}};
}

static void wing_prepare(GeomNode *g, Arena *arena) {
  GeomNode *base = ARENA_ARRAY(arena, GeomNode, 1);
  *base = unit_profile(g);
  geom_airfoil_ops.prepare(base, arena);
  g->base = base;
}

static const char *wing_check(const GeomNode *g, char out[160]) {
  static const struct { int k; const char *name; } positive[] = {{WING_SPAN, "span"}, {WING_CHORD, "chord"}}, limited[] = {
    {WING_SWEEP, "sweep"}, {WING_DIHEDRAL, "dihedral"}, {WING_TWIST, "twist"}, {WING_ANGLE, "angle"}};
  GeomNode profile = unit_profile(g);
  const char *wrong = geom_airfoil_ops.check(&profile, out);
  if (wrong) return wrong;
  for (int i = 0; i < 2; i++)
    if (!(value(g, positive[i].k) > 0)) return snprintf(out, 160, "the %s is %g; it must be positive", positive[i].name, value(g, positive[i].k)), out;
  if (!(value(g, WING_TAPER) >= 0.02 && value(g, WING_TAPER) <= 5))
    return snprintf(out, 160, "the taper, tip chord to root chord, is %g; it must lie in 0.02..5", value(g, WING_TAPER)), out;
  for (int i = 0; i < 4; i++)
    if (fabs(value(g, limited[i].k)) > 1.4)
      return snprintf(out, 160, "the %s is %g, more than 80 degrees; angles are in radians, or 5 [deg] in a program with units", limited[i].name, value(g, limited[i].k)), out;
  return NULL;
}

#define SWEPT .count = swept_count, .side = swept_side, .name = swept_name, .collective = swept_collective, .measure = sweep_measure
const struct GeomOps geom_extrude_ops = {SWEPT, .check = extrude_check, .sweep = SWEEP_EXTRUDE};
const struct GeomOps geom_revolve_ops = {SWEPT, .check = revolve_check, .sweep = SWEEP_REVOLVE};
const struct GeomOps geom_wing_ops = {SWEPT, .check = wing_check, .prepare = wing_prepare, .sweep = SWEEP_LOFT};
