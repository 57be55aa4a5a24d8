/* The table of primitives. A new one is a row here: its parameters, its sides by name and as data, its measure; and, in 3D where it is none of
 * the kinds there are, a line in mesh_gmsh.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"

#define NEED_POSITIVE(k, what) \
  if (!(g->values[k][0] > 0)) return snprintf(out, 160, "the " what " is %g; it must be positive", g->values[k][0]), out

static const char *range_fault(const GeomNode *g, int k, char out[160]) {
  const double *r = g->values[k];
  if (r[0] < r[1]) return NULL;
  snprintf(out, 160, "the range %s is %g..%g; its first end must be below its second", g->row->params[k].name, r[0], r[1]);
  return out;
}

static const char *ranges_fault(const GeomNode *g, char out[160]) {
  for (int k = 0; k < g->row->dim; k++)
    if (range_fault(g, k, out)) return out;
  return NULL;
}

static void set_segment(GeomSide *s, double ax, double ay, double bx, double by) {
  *s = (GeomSide){.kind = SIDE_SEGMENT, .a = {ax, ay}, .u = {bx - ax, by - ay}};
}

/* --- 1D --- */
static void interval_side(const GeomNode *g, int k, GeomSide *s) { *s = (GeomSide){.kind = SIDE_POINT, .a = {g->values[k][0]}}; }
static double interval_measure(const GeomNode *g) { return g->values[1][0] - g->values[0][0]; }
static const char *interval_check(const GeomNode *g, char out[160]) {
  if (interval_measure(g) > 0) return NULL;
  snprintf(out, 160, "the interval runs from %g to %g; its first end must be below its second", g->values[0][0], g->values[1][0]);
  return out;
}

static void polyline_side(const GeomNode *g, int k, GeomSide *s) {
  *s = (GeomSide){.kind = SIDE_POINT, .a = {g->values[0][k ? g->counts[0] - 1 : 0]}};
}
static double polyline_measure(const GeomNode *g) { return g->values[0][g->counts[0] - 1] - g->values[0][0]; }
static const char *polyline_check(const GeomNode *g, char out[160]) {
  if (g->counts[0] < 2) return "a polyline needs two points or more";
  for (int i = 1; i < g->counts[0]; i++)
    if (!(g->values[0][i - 1] < g->values[0][i])) {
      snprintf(out, 160, "the points of a polyline must increase, but %g follows %g", g->values[0][i], g->values[0][i - 1]);
      return out;
    }
  return NULL;
}

/* --- 2D --- */
static void rectangle_side(const GeomNode *g, int k, GeomSide *s) {
  const double *x = g->values[0], *y = g->values[1];
  switch (k) {
  case 0: set_segment(s, x[0], y[1], x[0], y[0]); return;
  case 1: set_segment(s, x[1], y[0], x[1], y[1]); return;
  case 2: set_segment(s, x[0], y[0], x[1], y[0]); return;
  default: set_segment(s, x[1], y[1], x[0], y[1]);
  }
}
static double rectangle_measure(const GeomNode *g) { return (g->values[0][1] - g->values[0][0]) * (g->values[1][1] - g->values[1][0]); }

static void disk_side(const GeomNode *g, int k, GeomSide *s) {
  (void)k;
  *s = (GeomSide){.kind = SIDE_CIRCLE, .a = {g->values[0][0], g->values[0][1]}, .radius = g->values[1][0]};
}
static double disk_measure(const GeomNode *g) { return M_PI * g->values[1][0] * g->values[1][0]; }
static const char *disk_check(const GeomNode *g, char out[160]) {
  NEED_POSITIVE(1, "radius");
  return NULL;
}

static void annulus_side(const GeomNode *g, int k, GeomSide *s) {
  *s = (GeomSide){.kind = SIDE_CIRCLE, .a = {g->values[0][0], g->values[0][1]}, .radius = g->values[1 + k][0]};
}
static double annulus_measure(const GeomNode *g) {
  return M_PI * (g->values[2][0] * g->values[2][0] - g->values[1][0] * g->values[1][0]);
}
static const char *annulus_check(const GeomNode *g, char out[160]) {
  NEED_POSITIVE(1, "inner radius");
  if (g->values[1][0] < g->values[2][0]) return NULL;
  snprintf(out, 160, "the inner radius is %g and the outer %g; the inner must be the smaller", g->values[1][0], g->values[2][0]);
  return out;
}

static void polygon_side(const GeomNode *g, int k, GeomSide *s) {
  int n = g->counts[0] / 2;
  const double *p = g->values[0] + 2 * k, *q = g->values[0] + 2 * ((k + 1) % n);
  set_segment(s, p[0], p[1], q[0], q[1]);
}
static double polygon_area(const GeomNode *g) {
  double area = 0;
  int n = g->counts[0] / 2;
  for (int i = 0; i < n; i++) {
    const double *p = g->values[0] + 2 * i, *q = g->values[0] + 2 * ((i + 1) % n);
    area += (p[0] * q[1] - p[1] * q[0]) / 2;
  }
  return area;
}
static int polygon_count(const GeomNode *g) { return g->counts[0] / 2; }
static const char *polygon_name(const GeomNode *g, int k, Arena *arena) {
  (void)g;
  return arena_printf(arena, "side%d", k + 1);
}
static double polygon_measure(const GeomNode *g) { return fabs(polygon_area(g)); }

static double turn(const double *a, const double *b, const double *c) { return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]); }
static bool between(const double *a, const double *b, const double *c) {   /* c on the line through a, b: is it on the segment? */
  return fmin(a[0], b[0]) <= c[0] && c[0] <= fmax(a[0], b[0]) && fmin(a[1], b[1]) <= c[1] && c[1] <= fmax(a[1], b[1]);
}
static bool segments_meet(const double *a, const double *b, const double *c, const double *d) {
  double s = turn(a, b, c), t = turn(a, b, d), u = turn(c, d, a), v = turn(c, d, b);
  if (s * t < 0 && u * v < 0) return true;
  return (s == 0 && between(a, b, c)) || (t == 0 && between(a, b, d)) || (u == 0 && between(c, d, a)) || (v == 0 && between(c, d, b));
}
static const char *polygon_check(const GeomNode *g, char out[160]) {
  int n = g->counts[0] / 2;
  const double *p = g->values[0];
  if (n < 3) return "a polygon needs three points or more";
  for (int i = 0; i < n; i++) {
    const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % n), *c = p + 2 * ((i + 2) % n);
    if (a[0] == b[0] && a[1] == b[1]) return snprintf(out, 160, "the point (%g, %g) comes twice in a row", a[0], a[1]), out;
    if (turn(a, b, c) == 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0)
      return snprintf(out, 160, "the polygon turns back on itself at (%g, %g)", b[0], b[1]), out;
    for (int j = i + 2; j < n; j++) {
      if (i == 0 && j == n - 1) continue;
      const double *d = p + 2 * j, *e = p + 2 * ((j + 1) % n);
      if (segments_meet(a, b, d, e))
        return snprintf(out, 160, "the polygon crosses itself: side%d from (%g, %g) meets side%d from (%g, %g)", i + 1, a[0], a[1], j + 1, d[0], d[1]), out;
    }
  }
  return NULL;
}

static void lshape_side(const GeomNode *g, int k, GeomSide *s) {
  const double *x = g->values[0], *y = g->values[1], *c = g->values[2];
  switch (k) {
  case 0: set_segment(s, x[0], y[1], x[0], y[0]); return;
  case 1: set_segment(s, x[1], c[1], x[1], y[1]); return;
  case 2: set_segment(s, x[0], y[0], c[0], y[0]); return;
  case 3: set_segment(s, x[1], y[1], x[0], y[1]); return;
  case 4: set_segment(s, c[0], y[0], c[0], c[1]); return;
  default: set_segment(s, c[0], c[1], x[1], c[1]);
  }
}
static double lshape_measure(const GeomNode *g) {
  return rectangle_measure(g) - (g->values[0][1] - g->values[2][0]) * (g->values[2][1] - g->values[1][0]);
}
static const char *lshape_check(const GeomNode *g, char out[160]) {
  if (ranges_fault(g, out)) return out;
  const double *x = g->values[0], *y = g->values[1], *c = g->values[2];
  if (x[0] < c[0] && c[0] < x[1] && y[0] < c[1] && c[1] < y[1]) return NULL;
  snprintf(out, 160, "the corner (%g, %g) must lie inside of %g..%g and %g..%g", c[0], c[1], x[0], x[1], y[0], y[1]);
  return out;
}

/* Holes in the middle of nx by ny equal cells, numbered along x first. */
static int hole_count(const GeomNode *g) { return (int)(g->values[2][0] * g->values[2][1]); }
static int perforated_count(const GeomNode *g) { return 4 + hole_count(g); }
static void perforated_side(const GeomNode *g, int k, GeomSide *s) {
  if (k < 4) {
    rectangle_side(g, k, s);
    return;
  }
  const double *x = g->values[0], *y = g->values[1];
  int nx = (int)g->values[2][0], ny = (int)g->values[2][1], i = (k - 4) % nx, j = (k - 4) / nx;
  *s = (GeomSide){.kind = SIDE_CIRCLE, .a = {x[0] + (i + 0.5) / nx * (x[1] - x[0]), y[0] + (j + 0.5) / ny * (y[1] - y[0])}, .radius = g->values[3][0]};
}
static const char *perforated_name(const GeomNode *g, int k, Arena *arena) { return k < 4 ? g->row->sides[k] : arena_printf(arena, "hole%d", k - 3); }
static const char *perforated_collective(const GeomNode *g, int k) {
  (void)g;
  return k < 4 ? NULL : "holes";
}
static double perforated_measure(const GeomNode *g) { return rectangle_measure(g) - hole_count(g) * M_PI * g->values[3][0] * g->values[3][0]; }
static const char *perforated_check(const GeomNode *g, char out[160]) {
  enum { HOLES_MAX = 10000 };
  if (ranges_fault(g, out)) return out;
  const double *n = g->values[2];
  for (int d = 0; d < 2; d++)
    if (!(n[d] >= 1 && n[d] == floor(n[d]))) return snprintf(out, 160, "the number of holes along %c is %g; it must be a whole number from 1", "xy"[d], n[d]), out;
  if (n[0] * n[1] > HOLES_MAX) return snprintf(out, 160, "%g holes are more than the %d that a plate takes", n[0] * n[1], HOLES_MAX), out;
  NEED_POSITIVE(3, "radius");
  for (int d = 0; d < 2; d++) {
    double pitch = (g->values[d][1] - g->values[d][0]) / n[d];
    if (2 * g->values[3][0] >= pitch)
      return snprintf(out, 160, "holes of diameter %g do not fit: along %c there is one every %g", 2 * g->values[3][0], "xy"[d], pitch), out;
  }
  return NULL;
}

/* --- 3D --- */
static void box_side(const GeomNode *g, int k, GeomSide *s) {
  int axis = k / 2, upper = k % 2, i = (axis + 1) % 3, j = (axis + 2) % 3;
  *s = (GeomSide){.kind = SIDE_PATCH};
  for (int d = 0; d < 3; d++) s->a[d] = g->values[d][0];
  s->a[axis] = g->values[axis][upper];
  double *along_i = upper ? s->u : s->v, *along_j = upper ? s->v : s->u;   /* e_i x e_j = e_axis */
  along_i[i] = g->values[i][1] - g->values[i][0];
  along_j[j] = g->values[j][1] - g->values[j][0];
}
static double box_measure(const GeomNode *g) { return rectangle_measure(g) * (g->values[2][1] - g->values[2][0]); }

static void cylinder_axis(const GeomNode *g, double *unit) {
  double length = sqrt(dot3(g->values[1], g->values[1]));
  for (int d = 0; d < 3; d++) unit[d] = g->values[1][d] / length;
}
static void cylinder_side(const GeomNode *g, int k, GeomSide *s) {
  double e[3], height = g->values[3][0];
  cylinder_axis(g, e);
  *s = (GeomSide){.kind = k == 0 ? SIDE_TUBE : SIDE_DISC, .radius = g->values[2][0]};
  for (int d = 0; d < 3; d++) {
    s->a[d] = g->values[0][d] + (k == 2 ? height * e[d] : 0);
    s->u[d] = k == 0 ? height * e[d] : k == 1 ? -e[d] : e[d];
  }
}
static double cylinder_measure(const GeomNode *g) { return M_PI * g->values[2][0] * g->values[2][0] * g->values[3][0]; }
static const char *cylinder_check(const GeomNode *g, char out[160]) {
  NEED_POSITIVE(2, "radius");
  NEED_POSITIVE(3, "height");
  return dot3(g->values[1], g->values[1]) > 0 ? NULL : "the axis is the zero vector; it must have a direction";
}

static void sphere_side(const GeomNode *g, int k, GeomSide *s) {
  (void)k;
  *s = (GeomSide){.kind = SIDE_SPHERE, .radius = g->values[1][0]};
  memcpy(s->a, g->values[0], sizeof s->a);
}
static double sphere_measure(const GeomNode *g) { return 4 * M_PI / 3 * pow(g->values[1][0], 3); }

#define OPS(n, side_, measure_, check_) &(const struct GeomOps){.nsides = n, .side = side_, .measure = measure_, .check = check_}
#define PROFILE {"profile", GEOM_PROFILE, false, NULL, "four NACA digits, as \"2412\", or the path of a point file (Selig, Lednicer)"}

const GeomRow geom_rows[] = {
  {"interval", 1,
   {{"a", GEOM_NUMBER, true, NULL, "first end"}, {"b", GEOM_NUMBER, true, NULL, "second end"}},
   {"left", "right"}, {"x_min", "left", "x_max", "right"},
   "The interval from a to b, a one-dimensional domain. Boundaries: left (at a), right (at b).", "interval(0, 1)",
   OPS(2, interval_side, interval_measure, interval_check)},
  {"polyline", 1,
   {{"points", GEOM_POINTS, true, NULL, "increasing coordinates"}},
   {"left", "right"}, {"x_min", "left", "x_max", "right"},
   "The interval from the first point to the last, with a mesh vertex at every point between: layers of different material meet there. "
   "Boundaries: left, right.", "polyline([0, 0.1, 0.25, 1])",
   OPS(2, polyline_side, polyline_measure, polyline_check)},
  {"rectangle", 2,
   {{"x", GEOM_RANGE, true, NULL, "extent in x"}, {"y", GEOM_RANGE, true, NULL, "extent in y"}},
   {"left", "right", "bottom", "top"}, {"x_min", "left", "x_max", "right", "y_min", "bottom", "y_max", "top"},
   "An upright rectangle. Boundaries: left (x_min), right (x_max), bottom (y_min), top (y_max).", "rectangle(x: 0..2, y: 0..1)",
   OPS(4, rectangle_side, rectangle_measure, ranges_fault)},
  {"disk", 2,
   {{"center", GEOM_POINT, true, "(0, 0)", "centre"}, {"radius", GEOM_NUMBER, true, NULL, "radius"}},
   {"rim"}, {0}, "A disk. Boundary: rim.", "disk(center: (0, 0), radius: 1)", OPS(1, disk_side, disk_measure, disk_check)},
  {"annulus", 2,
   {{"center", GEOM_POINT, true, "(0, 0)", "centre"}, {"inner", GEOM_NUMBER, true, NULL, "inner radius"}, {"outer", GEOM_NUMBER, true, NULL, "outer radius"}},
   {"inner", "outer"}, {0}, "A ring between two circles. Boundaries: inner, outer.", "annulus(center: (0, 0), inner: 0.5, outer: 1)",
   OPS(2, annulus_side, annulus_measure, annulus_check)},
  {"polygon", 2,
   {{"points", GEOM_POINTS, true, NULL, "corners in order, either way round"}},
   {0}, {0}, "A polygon without holes and crossings. Boundaries: side1 from the first corner to the second, side2, ...",
   "polygon([(0, 0), (2, 0), (1, 1)])", &(const struct GeomOps){.count = polygon_count, .side = polygon_side, .measure = polygon_measure, .check = polygon_check, .name = polygon_name}},
  {"lshape", 2,
   {{"x", GEOM_RANGE, true, "-1..1", "extent in x"}, {"y", GEOM_RANGE, true, "-1..1", "extent in y"}, {"corner", GEOM_POINT, true, "(0, 0)", "the re-entrant corner"}},
   {"left", "right", "bottom", "top", "notch_left", "notch_top"}, {"x_min", "left", "x_max", "right", "y_min", "bottom", "y_max", "top"},
   "A rectangle without its lower right part. Boundaries: left, right, bottom, top (what is left of them), notch_left (upright, from the bottom to the "
   "re-entrant corner), notch_top (level, from the re-entrant corner to the right).", "lshape(x: -1..1, y: -1..1, corner: (0, 0))",
   OPS(6, lshape_side, lshape_measure, lshape_check)},
  {"perforated", 2,
   {{"x", GEOM_RANGE, true, NULL, "extent in x"}, {"y", GEOM_RANGE, true, NULL, "extent in y"},
    {"holes", GEOM_POINT, false, NULL, "numbers of holes along x and y"}, {"radius", GEOM_NUMBER, true, NULL, "radius of the holes"}},
   {"left", "right", "bottom", "top"}, {"x_min", "left", "x_max", "right", "y_min", "bottom", "y_max", "top"},
   "A plate with a regular grid of round holes, one in the middle of each of nx by ny equal cells. Boundaries: left, right, bottom, top, hole1, hole2, ... "
   "(row by row from the lower left), and holes for all of them.", "perforated(x: 0..2, y: 0..1, holes: (4, 2), radius: 0.1)",
   &(const struct GeomOps){.count = perforated_count, .side = perforated_side, .measure = perforated_measure, .check = perforated_check,
                           .name = perforated_name, .collective = perforated_collective}},
  {"airfoil", 2,
   {PROFILE, {"chord", GEOM_NUMBER, true, "1", "length from nose to trailing edge"},
    {"angle", GEOM_NUMBER, false, "0", "angle of attack in radians: the nose up"}, {"nose", GEOM_POINT, true, "(0, 0)", "place of the leading edge, about which it turns"}},
   {"upper", "lower", "trailing"}, {0},
   "An airfoil: NACA's four digits (thickness with a closed trailing edge), or the points of a file, through which a cubic spline is laid at unit chord. The "
   "domain around it: flow_around(airfoil(...)). Boundaries: upper, lower, and trailing where the profile of a file ends blunt.",
   "airfoil(\"2412\", chord: 1, angle: 0.05)", &geom_airfoil_ops},
  {"box", 3,
   {{"x", GEOM_RANGE, true, NULL, "extent in x"}, {"y", GEOM_RANGE, true, NULL, "extent in y"}, {"z", GEOM_RANGE, true, NULL, "extent in z"}},
   {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"},
   {"left", "x_min", "right", "x_max", "front", "y_min", "back", "y_max", "bottom", "z_min", "top", "z_max"},
   "An upright box. Boundaries: x_min (left), x_max (right), y_min (front), y_max (back), z_min (bottom), z_max (top).",
   "box(x: 0..2, y: 0..1, z: 0..1)", OPS(6, box_side, box_measure, ranges_fault)},
  {"cylinder", 3,
   {{"base", GEOM_POINT, true, "(0, 0, 0)", "centre of the bottom"}, {"axis", GEOM_POINT, false, "(0, 0, 1)", "direction from bottom to top"},
    {"radius", GEOM_NUMBER, true, NULL, "radius"}, {"height", GEOM_NUMBER, true, NULL, "length along the axis"}},
   {"wall", "bottom", "top"}, {0}, "A circular cylinder. Boundaries: wall, bottom (at the base), top.",
   "cylinder(base: (0, 0, 0), axis: (0, 0, 1), radius: 0.5, height: 2)", OPS(3, cylinder_side, cylinder_measure, cylinder_check)},
  {"sphere", 3,
   {{"center", GEOM_POINT, true, "(0, 0, 0)", "centre"}, {"radius", GEOM_NUMBER, true, NULL, "radius"}},
   {"surface"}, {0}, "A ball. Boundary: surface.", "sphere(center: (0, 0, 0), radius: 1)", OPS(1, sphere_side, sphere_measure, disk_check)},
  {"extrude", 3,
   {{"shape", GEOM_SHAPE, false, NULL, "a plane geometry"}, {"z", GEOM_RANGE, true, NULL, "extent in z"}},
   {"start", "end"}, {"z_min", "start", "z_max", "end"},
   "A plane geometry swept along z. Boundaries: those of the plane shape, by their names there, start (z_min) and end (z_max). Parts and named regions "
   "stay what they are.", "extrude(annulus(inner: 0.5, outer: 1), z: 0..2)", &geom_extrude_ops},
  {"revolve", 3,
   {{"shape", GEOM_SHAPE, false, NULL, "a plane geometry with x >= 0: x is the distance from the axis"}, {"angle", GEOM_NUMBER, false, "6.283185307179586", "angle of the turn in radians"}},
   {"start", "end"}, {0},
   "A plane geometry turned about the y axis of its plane, which becomes the z axis: (x, y) goes to radius x and height z = y. Boundaries: those of the plane "
   "shape, by their names there, and for less than a full turn start (in the plane y = 0) and end. Groups by `where` do not come along.",
   "revolve(rectangle(x: 1..2, y: 0..1), angle: pi/2)", &geom_revolve_ops},
  {"wing", 3,
   {PROFILE, {"span", GEOM_NUMBER, true, NULL, "length from root to tip along y"}, {"chord", GEOM_NUMBER, true, "1", "chord at the root"},
    {"taper", GEOM_NUMBER, false, "1", "tip chord to root chord"}, {"sweep", GEOM_NUMBER, false, "0", "angle of the leading edge backwards, in radians"},
    {"twist", GEOM_NUMBER, false, "0", "angle of the tip against the root, nose up"}, {"dihedral", GEOM_NUMBER, false, "0", "angle upwards towards the tip"},
    {"angle", GEOM_NUMBER, false, "0", "angle of attack of the whole wing"}},
   {"upper", "lower", "root", "tip"}, {0},
   "Half a wing, solid: x along the flow, y along the span, z up, the nose of the root in the origin; straight lines join root and tip. The domain around it: "
   "flow_around(wing(...)). Boundaries: upper, lower, trailing where the profile ends blunt, root (y = 0), tip.",
   "wing(\"2412\", span: 3, chord: 1, taper: 0.5, sweep: 0.3)", &geom_wing_ops},
};
const int geom_row_count = sizeof geom_rows / sizeof *geom_rows;

const GeomRow *geom_row(const char *name) {
  for (int i = 0; i < geom_row_count; i++)
    if (!strcmp(geom_rows[i].name, name)) return &geom_rows[i];
  return NULL;
}
