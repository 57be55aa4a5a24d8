/* Airfoils: profiles by NACA's four digits or from a point file, as a closed curve of cubic pieces. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"

enum { NACA_PIECES = 64, POINTS_MAX = 4000, LINE_MAX_LENGTH = 512 };

typedef struct Profile {
  GeomCurve *curve;   /* from the trailing edge along the upper side to the nose and back along the lower */
  int nose;           /* number of the knot there */
  bool is_blunt;      /* the ends of the curve do not meet: a straight trailing side closes them */
} Profile;

/* --- the four digits: Jacobs, Ward, Pinkerton, NACA Report 460 (1933), with the last coefficient of the thickness -0.1036, which closes the trailing
 * edge. In s with x = s^2 the curve is smooth at the nose: s from -1 (below) to 1 (above). --- */

typedef struct Naca { double camber, place, thickness; } Naca;

static Naca naca_digits(double number) {
  int d = (int)number;
  return (Naca){d / 1000 / 100.0, d / 100 % 10 / 10.0, d % 100 / 100.0};
}

static void naca_point(Naca a, double s, double *p, double *dp) {
  double side = s < 0 ? -1 : 1, r = fabs(s), x = r * r;
  double y = 5 * a.thickness * (0.2969 * r - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x - 0.1036 * x * x * x * x);
  double dy = 5 * a.thickness * (0.2969 - 2 * 0.1260 * r - 4 * 0.3516 * r * x + 6 * 0.2843 * r * x * x - 8 * 0.1036 * r * x * x * x);
  bool front = x < a.place;
  double q = a.camber == 0 ? 0 : a.camber / (front ? a.place * a.place : (1 - a.place) * (1 - a.place));
  double line = q * ((front ? 0 : 1 - 2 * a.place) + 2 * a.place * x - x * x), slope = 2 * q * (a.place - x), turn = -2 * q;
  double root = sqrt(1 + slope * slope), c = 1 / root, sn = slope / root, dtheta = turn / (1 + slope * slope);
  p[0] = x - side * y * sn;
  p[1] = line + side * y * c;
  /* with respect to r, then to s */
  double dx = 2 * r, px = dx - side * (dy * sn + y * c * dtheta * dx), py = slope * dx + side * (dy * c - y * sn * dtheta * dx);
  dp[0] = side * px;
  dp[1] = side * py;
}

static Profile *naca_profile(double number, Arena *arena) {
  Naca a = naca_digits(number);
  Profile *out = ARENA_ARRAY(arena, Profile, 1);
  GeomCurve *c = curve_new(arena, 2 * NACA_PIECES);
  for (int i = 0; i <= c->n; i++) {
    double s = 1 - (double)i / NACA_PIECES;
    naca_point(a, s, c->p[i], c->d[i]);
    c->u[i] = 1 - s;
    c->d[i][0] *= -1, c->d[i][1] *= -1;
  }
  memcpy(c->p[c->n], c->p[0], sizeof *c->p);
  *out = (Profile){c, NACA_PIECES, false};
  return out;
}

/* --- points --- */

static int nose_of(const double *p, int n) {
  double tail[2] = {(p[0] + p[2 * n - 2]) / 2, (p[1] + p[2 * n - 1]) / 2}, best = -1;
  int nose = 0;
  for (int i = 0; i < n; i++) {
    double r = hypot(p[2 * i] - tail[0], p[2 * i + 1] - tail[1]);
    if (r > best) best = r, nose = i;
  }
  return nose;
}

/* The points at unit chord, the nose in the origin, along the upper side first. */
static Profile *point_profile(const double *p, int n, Arena *arena) {
  Profile *out = ARENA_ARRAY(arena, Profile, 1);
  GeomCurve *c = curve_new(arena, n - 1);
  int nose = nose_of(p, n);
  double tail = (p[0] + p[2 * n - 2]) / 2, chord = tail - p[2 * nose], area = 0;
  for (int i = 0; i < n; i++) {
    const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % n);
    area += (a[0] * b[1] - a[1] * b[0]) / 2;
  }
  for (int i = 0; i < n; i++) {
    int from = area > 0 ? i : n - 1 - i;
    for (int k = 0; k < 2; k++) c->p[i][k] = (p[2 * from + k] - p[2 * nose + k]) / chord;
  }
  bool blunt = hypot(c->p[0][0] - c->p[n - 1][0], c->p[0][1] - c->p[n - 1][1]) > 1e-9;
  if (!blunt) memcpy(c->p[n - 1], c->p[0], sizeof *c->p);
  curve_spline(c);
  *out = (Profile){c, area > 0 ? nose : n - 1 - nose, blunt};
  return out;
}

static double turn(const double *a, const double *b, const double *c) { return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]); }

static const char *profile_check(const double *p, int count, char out[160]) {
  if (count == 1) {
    Naca a = naca_digits(p[0]);
    if (!(p[0] >= 0 && p[0] <= 9999 && p[0] == floor(p[0]))) return snprintf(out, 160, "%g is no NACA profile of four digits", p[0]), out;
    if (a.thickness == 0) return snprintf(out, 160, "NACA %04d has no thickness: its last two digits are 00", (int)p[0]), out;
    if ((a.camber > 0) != (a.place > 0))
      return snprintf(out, 160, "NACA %04d: the first digit is the camber, the second its place, and both are zero or neither is", (int)p[0]), out;
    return NULL;
  }
  int n = count / 2, nose = nose_of(p, n);
  if (n < 8) return snprintf(out, 160, "a profile needs eight points or more, not %d", n), out;
  if (n > POINTS_MAX) return snprintf(out, 160, "a profile has at most %d points, not %d", POINTS_MAX, n), out;
  if (nose < 2 || nose > n - 3) return "the profile does not run from the trailing edge round the nose and back";
  for (int i = 0; i + 1 < n; i++) {
    const double *a = p + 2 * i, *b = a + 2;
    if (hypot(b[0] - a[0], b[1] - a[1]) < 1e-12) return snprintf(out, 160, "point %d of the profile, (%g, %g), comes twice", i + 1, a[0], a[1]), out;
    for (int j = i + 2; j + 1 < n; j++) {
      const double *c = p + 2 * j, *d = c + 2;
      if (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0)
        return snprintf(out, 160, "the profile crosses itself between the points %d, %d and %d, %d", i + 1, i + 2, j + 1, j + 2), out;
    }
  }
  return NULL;
}

/* --- point files: a title, then x y a line. Selig: from the trailing edge round the nose. Lednicer: two counts, then either side from the nose. --- */

static bool two_numbers(const char *line, locale_t plain, double v[2]) {
  const char *s = line;
  for (int k = 0; k < 2; k++) {
    char *end;
    s += strspn(s, " \t,;");
    v[k] = strtod_l(s, &end, plain);
    if (end == s || !isfinite(v[k]) || !strchr(" \t,;\r\n", *end)) return false;
    s = end;
  }
  return !s[strspn(s, " \t,;\r\n")];
}

static Status fault(Diags *diags, Span span, const char *path, int line, const char *what, const char *text) {
  char shown[48];
  snprintf(shown, sizeof shown, "%.*s", (int)strcspn(text, "\r\n"), text);
  diag_suggest(diag_report(diags, E1030, span, "%s, line %d: %s: `%s`", path, line, what, shown),
               "a profile is a title line and then x y a line, from the trailing edge over the upper side to the nose and back (Selig), or two counts and "
               "either side from the nose (Lednicer)");
  return 1;
}

typedef struct Reading { locale_t plain; double *p; int n, room; double counts[2]; bool is_lednicer; } Reading;

static Status read_lines(FILE *file, const char *path, Reading *r, Diags *diags, Span span) {
  char line[LINE_MAX_LENGTH];
  for (int number = 1; fgets(line, sizeof line, file); number++) {
    double v[2];
    if (!line[strspn(line, " \t\r\n")]) continue;
    if (!two_numbers(line, r->plain, v)) {
      if (number == 1) continue;
      return fault(diags, span, path, number, "two numbers x y are wanted", line);
    }
    if (!r->n && !r->is_lednicer && v[0] > 1.5 && v[1] > 1.5) {
      r->is_lednicer = true;
      memcpy(r->counts, v, sizeof v);
      if (v[0] != floor(v[0]) || v[1] != floor(v[1]) || v[0] + v[1] > POINTS_MAX) return fault(diags, span, path, number, "these are no counts of points", line);
      continue;
    }
    if (r->n == POINTS_MAX) return fault(diags, span, path, number, "too many points", line);
    if (r->n == r->room) r->p = realloc(r->p, 2 * (size_t)(r->room = 2 * r->room + 64) * sizeof *r->p);
    memcpy(r->p + 2 * r->n++, v, sizeof v);
  }
  return 0;
}

/* Upper and lower side, both from the nose, become one contour. */
static Status join_sides(Reading *r, const char *path, Diags *diags, Span span) {
  int upper = (int)r->counts[0], lower = (int)r->counts[1];
  if (upper + lower != r->n || upper < 3 || lower < 3) {
    diag_report(diags, E1030, span, "%s: it announces %d and %d points and has %d", path, upper, lower, r->n);
    return 1;
  }
  for (int i = 0; i < upper / 2; i++)
    for (int k = 0; k < 2; k++) {
      double t = r->p[2 * i + k];
      r->p[2 * i + k] = r->p[2 * (upper - 1 - i) + k];
      r->p[2 * (upper - 1 - i) + k] = t;
    }
  const double *a = r->p + 2 * (upper - 1), *b = a + 2;
  if (hypot(a[0] - b[0], a[1] - b[1]) > 1e-12) return 0;
  memmove(r->p + 2 * upper, r->p + 2 * (upper + 1), 2 * (size_t)(lower - 1) * sizeof *r->p);
  r->n--;
  return 0;
}

Status geom_profile_read(const char *path, Diags *diags, Span span, double **points, int *n) {
  FILE *file = fopen(path, "r");
  Reading r = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  char text[160];
  if (!file) {
    freelocale(r.plain);
    diag_suggest(diag_report(diags, E1030, span, "%s: %s", path, strerror(errno)), "the profile is four NACA digits, as \"2412\", or the path of a point file");
    return 1;
  }
  Status status = read_lines(file, path, &r, diags, span);
  fclose(file);
  freelocale(r.plain);
  if (!status && r.is_lednicer) status = join_sides(&r, path, diags, span);
  const char *wrong = status ? NULL : r.n < 8 ? "it has fewer than eight points" : profile_check(r.p, 2 * r.n, text);
  if (wrong) {
    diag_report(diags, E1030, span, "%s: %s", path, wrong);
    status = 1;
  }
  if (status) free(r.p);
  else *points = r.p, *n = r.n;
  return status;
}

/* --- the row: profile, chord, angle, nose --- */

static void airfoil_prepare(GeomNode *g, Arena *arena) {
  Profile *unit = g->counts[0] == 1 ? naca_profile(g->values[0][0], arena) : point_profile(g->values[0], g->counts[0] / 2, arena);
  double chord = g->values[1][0], c = cos(g->values[2][0]), s = sin(g->values[2][0]);
  const double *nose = g->values[3];
  GeomCurve *curve = unit->curve;
  for (int i = 0; i <= curve->n; i++) {   /* the nose up: turned clockwise */
    double x = curve->p[i][0], y = curve->p[i][1], dx = curve->d[i][0], dy = curve->d[i][1];
    curve->p[i][0] = nose[0] + chord * (c * x + s * y), curve->p[i][1] = nose[1] + chord * (c * y - s * x);
    curve->d[i][0] = chord * (c * dx + s * dy), curve->d[i][1] = chord * (c * dy - s * dx);
  }
  g->data = unit;
}

static int airfoil_count(const GeomNode *g) { return ((const Profile *)g->data)->is_blunt ? 3 : 2; }

static void airfoil_side(const GeomNode *g, int k, GeomSide *s) {
  const Profile *p = g->data;
  const GeomCurve *c = p->curve;
  if (k == 2) {
    *s = (GeomSide){.kind = SIDE_SEGMENT, .a = {c->p[c->n][0], c->p[c->n][1]}, .u = {c->p[0][0] - c->p[c->n][0], c->p[0][1] - c->p[c->n][1]}};
    return;
  }
  *s = (GeomSide){.kind = SIDE_CURVE, .curve = c, .first = k ? p->nose : 0, .last = k ? c->n : p->nose};
}

static double airfoil_measure(const GeomNode *g) { return geom_moment(g, 0); }

static const char *airfoil_check(const GeomNode *g, char out[160]) {
  const char *wrong = profile_check(g->values[0], g->counts[0], out);
  if (wrong) return wrong;
  if (!(g->values[1][0] > 0)) return snprintf(out, 160, "the chord is %g; it must be positive", g->values[1][0]), out;
  return fabs(g->values[2][0]) > 2 * M_PI ? "the angle is more than a full turn; angles are in radians, or 5 [deg] in a program with units" : NULL;
}

const struct GeomOps geom_airfoil_ops = {.side = airfoil_side, .measure = airfoil_measure, .check = airfoil_check, .count = airfoil_count, .prepare = airfoil_prepare};
