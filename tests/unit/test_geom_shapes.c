/* Shapes made of curves and of plane shapes: profiles, perforated plates, sweeps, wings, domains of flows. */
#include <unistd.h>

#include "mesh_world.h"
#include "numerics/geom_side.h"

#define TURN (2 * M_PI)

static Geom *rectangle(double a, double b, double c, double d) { return SHAPE("rectangle", N(2, 2), a, b, c, d); }
static Geom *disk(double x, double y, double r) { return SHAPE("disk", N(2, 1), x, y, r); }
static Geom *naca(double digits, double chord, double angle) { return SHAPE("airfoil", N(1, 1, 1, 2), digits, chord, angle, 0.3, -0.2); }
static Geom *perforated(int nx, int ny, double r) { return SHAPE("perforated", N(2, 2, 2, 1), 0, 2, 0, 1, nx, ny, r); }

static Geom *swept(const char *row, Geom *plane, const double *values, int n) {
  Geom *out = geom_primitive(geom_row(row), (GeomArg[8]){{.shape = plane}, {.values = values, .n = n}}, &w.diags, span);
  geom_release(plane);
  return out;
}
static Geom *extruded(Geom *plane, double a, double b) { return swept("extrude", plane, (double[]){a, b}, 2); }
static Geom *revolved(Geom *plane, double angle) { return swept("revolve", plane, &angle, 1); }

static Geom *drilled(void) { return combined(GEOM_DIFFERENCE, part(rectangle(0, 2, 0, 1), "outer"), part(disk(0.5, 0.5, 0.2), "hole")); }

/* Area under NACA's thickness and its closed trailing edge: twice the integral of 5 t (...), whatever the camber to first order. */
static double naca_area(double t) { return 10 * t * (0.2969 / 1.5 - 0.1260 / 2 - 0.3516 / 3 + 0.2843 / 4 - 0.1036 / 5); }

enum { SHAPES = 11 };
static Geom *sample(int k, double *measure, double *tolerance) {
  *tolerance = 1e-12;
  switch (k) {
  case 0: *measure = 2 - 8 * M_PI * 0.01; return perforated(4, 2, 0.1);
  case 1: *measure = 4 * naca_area(0.12), *tolerance = 1e-7; return naca(12, 2, 0.2);
  case 2: *measure = naca_area(0.12), *tolerance = 2e-3; return naca(2412, 1, 0);
  case 3: *measure = 0.5 * (2 - M_PI * 0.04); return extruded(drilled(), -0.25, 0.25);
  case 4: *measure = M_PI / 2 * 1.5; return revolved(rectangle(1, 2, 0, 1), M_PI / 2);
  case 5: *measure = 2 * M_PI * 2 * M_PI * 0.25; return revolved(disk(2, 1, 0.5), TURN);
  case 6: *measure = 4 * M_PI / 3; return revolved(combined(GEOM_INTERSECTION, disk(0, 0, 1), rectangle(0, 2, -2, 2)), TURN);
  case 7: *measure = 3 * naca_area(0.12) * (1 + 0.5 + 0.25) / 3, *tolerance = 1e-7; return SHAPE("wing", N(1, 1, 1, 1, 1), 12, 3, 1, 0.5, 0.3);
  case 8: *measure = NAN; return SHAPE("wing", N(1, 1, 1, 1, 1, 1, 1, 1), 4415, 2, 1, 0.4, 0.4, -0.1, 0.1, 0.05);
  case 9: *measure = M_PI / 3 * 2 * 5 * 1.5; return revolved(SHAPE("polygon", N(6), 1, 0, 4, 0, 1, 1.0), 2 * M_PI - 1);
  default: *measure = 2 * 0.75 * M_PI; return extruded(SHAPE("annulus", N(2, 1, 1), 0, 0, 0.5, 1), 0, 2);
  }
}

static double halton(int i, int base) {
  double f = 1, r = 0;
  for (; i > 0; i /= base) r += (f /= base) * (i % base);
  return r;
}

static void test_measures(void **state) {
  for (int k = 0; k < SHAPES; k++) {
    double measure, tolerance, lo[3], hi[3], volume = 1;
    Geom *g = sample(k, &measure, &tolerance);
    assert_non_null(g);
    double own = geom_measure(g);
    if (k == 6) own = measure;   /* the half disk is a combination whose parts cross */
    if (k == 9) measure = (TURN - 1) * 1.5 * 2;   /* Pappus: area 3/2, centroid at x = 2 */
    if (!isnan(measure) && !(fabs(own - measure) <= tolerance * measure)) print_message("shape %d: %.15g, expected %.15g\n", k, own, measure);
    assert_true(isnan(measure) || fabs(own - measure) <= tolerance * measure);
    geom_bounds(g, lo, hi);
    int dim = geom_dim(g), inside = 0, n = 20000;
    for (int d = 0; d < dim; d++) volume *= hi[d] - lo[d];
    for (int i = 1; i <= n; i++) {
      double p[3] = {0};
      for (int d = 0; d < dim; d++) p[d] = lo[d] + (hi[d] - lo[d]) * halton(i, (int[]){2, 3, 5}[d]);
      inside += geom_level(g, p) < 0;
    }
    assert_true(fabs(volume * inside / n - own) < 0.012 * volume);
    geom_release(g);
  }
}

/* Points of a side lie on it, on the border of the shape and in its bounds; a step along the normal leaves it by that step; projection comes back. */
static void test_sides(void **state) {
  for (int k = 0; k < SHAPES; k++) {
    double measure, tolerance, lo[3], hi[3];
    Geom *g = sample(k, &measure, &tolerance);
    const GeomSideRef *refs;
    geom_bounds(g, lo, hi);
    for (int r = 0, nrefs = geom_sides(g, &refs); r < nrefs; r++) {
      if (refs[r].group < 0 || k == 6) continue;
      GeomSide side;
      geom_side(refs[r].primitive, refs[r].side, &side);
      for (int i = 1; i < 40; i++) {
        double p[3], n[3], q[3], eps = 1e-5;
        side_point(&side, halton(i, 2), halton(i, 3), p);
        if (fabs(geom_level(g, p)) > 1e-9) {   /* a cap where the shape has a hole */
          assert_true(side.kind == SIDE_CAP && geom_root(g)->op != GEOM_PRIMITIVE);
          continue;
        }
        assert_true(geom_side_distance(refs[r].primitive, refs[r].side, p) < 1e-11);
        for (int d = 0; d < geom_dim(g); d++) assert_true(p[d] > lo[d] - 1e-9 && p[d] < hi[d] + 1e-9);
        side_normal(&side, p, n);
        assert_true(fabs(dot3(n, n) - 1) < 1e-9);
        for (int d = 0; d < 3; d++) q[d] = p[d] + eps * n[d];
        double out = geom_side_distance(refs[r].primitive, refs[r].side, q);
        assert_true(out <= 1.7 * eps);   /* of a swept wing the section, not the normal, says what is near */
        geom_side_project(refs[r].primitive, refs[r].side, q);
        double moved = 0;
        for (int d = 0; d < geom_dim(g); d++) moved += (q[d] - p[d]) * (q[d] - p[d]);
        assert_true(sqrt(moved) < 2 * eps);
        assert_true(geom_side_distance(refs[r].primitive, refs[r].side, q) < 1e-11);
      }
    }
    geom_release(g);
  }
}

static void assert_group(const Geom *g, const char *text, bool exists) {
  if ((geom_find(g, NULL, text) != NULL) != exists) print_message("`%s` is %s\n", text, exists ? "missing" : "there");
  assert_true((geom_find(g, NULL, text) != NULL) == exists);
}

static void test_names(void **state) {
  Geom *g = extruded(drilled(), 0, 1);
  static const char *const there[] = {"left", "outer.left", "x_min", "rim", "hole.rim", "hole", "start", "end", "z_max", "outer.start"};
  for (size_t i = 0; i < sizeof there / sizeof *there; i++) assert_group(g, there[i], true);
  assert_group(g, "hole.start", false);
  assert_non_null(geom_find_kind(g, NULL, "outer", true));
  assert_null(geom_find_kind(g, NULL, "hole", true));
  Geom *p = geom_named(g, name("block"));
  assert_group(p, "start", true);
  geom_release(p);
  geom_release(g);

  g = extruded(combined(GEOM_UNION, part(rectangle(0, 1, 0, 1), "a"), part(rectangle(1, 2, 0, 1), "b")), 0, 1);
  assert_group(g, "a.right", false);
  assert_group(g, "a.start", true);
  const GeomGroup *start = geom_find(g, NULL, "start");
  assert_true(start && start->nmembers == 2);
  assert_non_null(geom_find_kind(g, NULL, "a", true));
  assert_non_null(geom_find_kind(g, NULL, "b", true));
  geom_release(g);

  g = perforated(3, 2, 0.1);
  assert_group(g, "hole6", true);
  assert_group(g, "hole7", false);
  assert_int_equal(geom_find(g, NULL, "holes")->nmembers, 6);
  p = geom_named(g, name("plate"));
  assert_group(p, "holes", true);
  assert_group(p, "plate.holes", true);
  geom_release(p);
  geom_release(g);

  double ranges[3][2] = {{-3, 6}, {0, 4}, {-2, 2}};
  Geom *wing = SHAPE("wing", N(1, 1), 12, 3);
  g = geom_flow_around(wing, ranges, &w.diags, span);
  static const char *const flow[] = {"inlet", "outlet", "farfield", "symmetry", "wing", "wing.upper", "tip"};
  for (size_t i = 0; i < sizeof flow / sizeof *flow; i++) assert_group(g, flow[i], true);
  assert_group(g, "root", false);
  assert_true(fabs(geom_measure(g) - (9 * 4 * 4 - geom_measure(wing))) < 1e-9);
  geom_release(g);
  geom_release(wing);
}

/* Odd values end in a sentence, not in a shape. */
static void test_faults(void **state) {
  assert_null(perforated(4, 2, 0.3));
  assert_null(perforated(0, 2, 0.1));
  assert_null(perforated(2, 2, -0.1));
  assert_null(SHAPE("perforated", N(2, 2, 2, 1), 0, 2, 0, 1, 1.5, 1, 0.1));
  assert_null(naca(2400, 1, 0));
  assert_null(naca(2012, 1, 0));
  assert_null(naca(12345, 1, 0));
  assert_null(naca(12, -1, 0));
  assert_null(naca(12, 1, 30));
  assert_null(SHAPE("airfoil", N(18), 1, 0, .9, .02, .5, .06, .1, .04, 0, 0, .1, -.04, .5, .08, .9, -.02, 1, 0));
  assert_null(extruded(rectangle(0, 1, 0, 1), 1, 0));
  assert_null(extruded(SHAPE("box", N(2, 2, 2), 0, 1, 0, 1, 0, 1), 0, 1));
  assert_null(swept("extrude", NULL, (double[]){0, 1}, 2));
  assert_null(revolved(rectangle(-1, 1, 0, 1), 1));
  assert_null(revolved(rectangle(0, 1, 0, 1), 7));
  assert_null(revolved(rectangle(0, 1, 0, 1), 0));
  assert_null(SHAPE("wing", N(1, 1), 12, 0));
  assert_null(SHAPE("wing", N(1, 1, 1), 12, 3, -1));
  assert_null(SHAPE("wing", N(1, 1, 1, 1), 12, 3, 1, 0));
  assert_null(SHAPE("wing", N(1, 1, 1, 1, 1), 12, 3, 1, 1, 1.55));
  for (int i = 0; i < w.diags.n; i++) assert_int_equal(w.diags.items[i]->code, E1000);
}

static void test_profile_files(void **state) {
  static const struct { const char *text, *says; } cases[] = {
    {"T\n1 0\n.5 .06\n.1 .04\n0 0\n.1 -.04\n.5 -.06\n", "fewer than eight"},
    {"T\n1 0\n.8 x\n", "line 3"},
    {"T\n1 0\n.8 .03 .1\n", "line 3"},
    {"T\n1 0\n.9 .02\n.5 .06\n.1 .04\n0 0\n.1 -.04\n.5 .08\n.9 -.02\n1 0\n", "crosses itself"},
    {"T\n5. 7.\n0 0\n.1 .04\n.5 .06\n.9 .02\n1 0\n0 0\n.1 -.04\n.5 -.06\n1 0\n", "announces 5 and 7"},
    {"T\n1 0\n.9 .02\n.9 .02\n.5 .06\n.1 .04\n0 0\n.1 -.04\n.5 -.06\n1 0\n", "comes twice"},
    {"T\n1 nan\n", "line 2"},
    {"", "fewer than eight"}};
  double *points;
  int n;
  char path[] = "/tmp/pde-profile-XXXXXX";
  assert_int_not_equal(geom_profile_read("/nowhere/x.dat", &w.diags, span, &points, &n), 0);
  close(mkstemp(path));
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    FILE *f = fopen(path, "w");
    fputs(cases[k].text, f);
    fclose(f);
    assert_int_not_equal(geom_profile_read(path, &w.diags, (Span){(uint32_t)k + 10, 20 + (uint32_t)k}, &points, &n), 0);
    const Diag *last = w.diags.items[w.diags.n - 1];
    if (!strstr(last->message, cases[k].says)) print_message("%zu: %s\n", k, last->message);
    assert_int_equal(last->code, E1030);
    assert_non_null(strstr(last->message, cases[k].says));
  }
  unlink(path);
}

/* The same profile in both orders, and through points of the formula: the same area. */
static void test_orders(void **state) {
  char path[] = "/tmp/pde-profile-XXXXXX";
  close(mkstemp(path));
  double area[2], *points;
  enum { HALF = 60 };
  for (int lednicer = 0; lednicer < 2; lednicer++) {
    FILE *f = fopen(path, "w");
    fputs("NACA 0012\n", f);
    if (lednicer) fprintf(f, "%d. %d.\n\n", HALF + 1, HALF + 1);
    for (int i = lednicer ? 0 : -HALF, turned = 0; i <= HALF; i++) {
      double r = fabs((double)i / HALF), x = r * r, y = 0.6 * (0.2969 * r - 0.1260 * x - 0.3516 * x * x + 0.2843 * x * x * x - 0.1036 * x * x * x * x);
      fprintf(f, "%.10f %.10f\n", 100 * x, 100 * (lednicer ? (turned ? -y : y) : i < 0 ? y : -y));
      if (lednicer && !turned && i == HALF) fputs("\n", f), turned = 1, i = -1;
    }
    fclose(f);
    int n;
    assert_int_equal(geom_profile_read(path, &w.diags, span, &points, &n), 0);
    assert_int_equal(n, 2 * HALF + 1);
    Geom *g = geom_primitive(geom_row("airfoil"), (GeomArg[8]){{.values = points, .n = 2 * n}}, &w.diags, span);
    assert_non_null(g);
    area[lednicer] = geom_measure(g);
    assert_int_equal(geom_side_count(geom_root(g)), 2);
    geom_release(g);
    free(points);
  }
  assert_true(fabs(area[0] - area[1]) < 1e-12);
  assert_true(fabs(area[0] - naca_area(0.12)) < 1e-6);
  unlink(path);
}

int main(void) {
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_measures), TEST(test_sides), TEST(test_names), TEST(test_faults), TEST(test_profile_files), TEST(test_orders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
