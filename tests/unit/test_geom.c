#include "numerics/geom.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics/geom_side.h"

typedef struct World { Interner *names; ExprPool *pool; Diags diags; } World;
static World w;

static int setup(void **state) {
  (void)state;
  w.names = interner_new();
  w.pool = expr_pool_new(w.names);
  memset(&w.diags, 0, sizeof w.diags);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  diags_free(&w.diags);
  expr_pool_free(w.pool);
  interner_free(w.names);
  return 0;
}

static const Span span = {1, 2};
static GeomArg list(const double *v, int n) { return (GeomArg){.values = v, .n = n}; }
static Geom *rectangle(double a, double b, double c, double d) {
  return geom_primitive(geom_row("rectangle"), (GeomArg[]){list((double[]){a, b}, 2), list((double[]){c, d}, 2)}, &w.diags, span);
}
static Geom *disk(double x, double y, double r) {
  return geom_primitive(geom_row("disk"), (GeomArg[]){list((double[]){x, y}, 2), list(&r, 1)}, &w.diags, span);
}
static Geom *named(Geom *g, const char *part) {
  Geom *out = geom_named(g, intern_text(w.names, part));
  geom_release(g);
  return out;
}
static Geom *combined(GeomOp op, Geom *a, Geom *b) {
  Geom *out = geom_combine(op, a, b, &w.diags, span);
  geom_release(a);
  geom_release(b);
  return out;
}

static Expr *num(double v) { return expr_const(w.pool, v, UNIT_NONE); }
static Expr *coord(int axis) { return expr_coord(w.pool, axis, UNIT_NONE); }
static Expr *op2(ExprOp op, Expr *a, Expr *b) { return expr_binary(w.pool, op, a, b); }

/* Every shape with the values of its example. */
static const struct Sample { const char *name; double v[4][12]; int n[4]; double measure; } samples[] = {
  {"interval", {{0}, {1}}, {1, 1}, 1},
  {"polyline", {{0, 0.1, 0.25, 1}}, {4}, 1},
  {"rectangle", {{0, 2}, {0, 1}}, {2, 2}, 2},
  {"disk", {{0, 0}, {1}}, {2, 1}, M_PI},
  {"annulus", {{0, 0}, {0.5}, {1}}, {2, 1, 1}, 0.75 * M_PI},
  {"polygon", {{0, 0, 2, 0, 1, 1}}, {6}, 1},
  {"polygon", {{0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1, 0}}, {12}, 3},
  {"lshape", {{0}}, {0}, 3},
  {"box", {{0, 2}, {0, 1}, {0, 1}}, {2, 2, 2}, 2},
  {"cylinder", {{1, 0, 0}, {1, 1, 0}, {0.5}, {2}}, {3, 3, 1, 1}, M_PI / 2},
  {"sphere", {{0, 0, 0}, {1}}, {3, 1}, 4 * M_PI / 3},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static Geom *sample(int k) {
  GeomArg args[8] = {{0}};
  for (int i = 0; i < 4; i++) args[i] = list(samples[k].v[i], samples[k].n[i]);
  return geom_primitive(geom_row(samples[k].name), args, &w.diags, span);
}

static double halton(int i, int base) {
  double f = 1, r = 0;
  for (; i > 0; i /= base) r += (f /= base) * (i % base);
  return r;
}

/* Measure, bounds and level fit each other: the share of points of the bounds that are inside is the measure. */
static void test_rows(void **state) {
  (void)state;
  for (int k = 0; k < SAMPLES; k++) {
    Geom *g = sample(k);
    assert_non_null(g);
    assert_true(fabs(geom_measure(g) - samples[k].measure) < 1e-12);
    double lo[3], hi[3], volume = 1;
    geom_bounds(g, lo, hi);
    int dim = geom_dim(g), inside = 0, n = 40000;
    for (int d = 0; d < dim; d++) volume *= hi[d] - lo[d];
    for (int i = 0; i < n; i++) {
      double p[3] = {0};
      for (int d = 0; d < dim; d++) p[d] = lo[d] - 1e-3 + (hi[d] - lo[d] + 2e-3) * halton(i + 1, (int[]){2, 3, 5}[d]);
      inside += geom_level(g, p) < 0;
    }
    double grown = 1;
    for (int d = 0; d < dim; d++) grown *= hi[d] - lo[d] + 2e-3;
    assert_true(fabs(grown * inside / n - samples[k].measure) < 0.01 * volume);
    geom_release(g);
  }
  for (int r = 0; r < geom_row_count; r++) {
    const GeomRow *row = &geom_rows[r];
    assert_ptr_equal(geom_row(row->name), row);
    assert_true(strlen(row->doc) > 10 && strlen(row->example) > 5 && strstr(row->example, row->name) == row->example);
    for (int k = 0; k < 24 && row->aliases[k]; k += 2) {
      bool known = false;
      for (int s = 0; s < 12 && row->sides[s]; s++) known |= !strcmp(row->sides[s], row->aliases[k + 1]);
      assert_true(known);
    }
  }
}

/* Points of a side have distance zero from it and level zero; projection of a moved point comes back. */
static void test_sides(void **state) {
  (void)state;
  for (int k = 0; k < SAMPLES; k++) {
    Geom *g = sample(k);
    const GeomNode *root = geom_root(g);
    for (int s = 0; s < geom_side_count(root); s++) {
      GeomSide side;
      geom_side(root, s, &side);
      for (int i = 1; i < 60; i++) {
        double p[3], n[3], q[3], eps = 1e-3;
        side_point(&side, halton(i, 2), halton(i, 3), p);
        assert_true(geom_side_distance(root, s, p) < 1e-12);
        assert_true(fabs(geom_level(g, p)) < 1e-12);
        side_normal(&side, p, n);
        for (int d = 0; d < 3; d++) q[d] = p[d] + eps * n[d];
        if (side.kind == SIDE_POINT || geom_side_distance(root, s, q) < eps / 2) continue;
        assert_true(fabs(geom_side_distance(root, s, q) - eps) < 1e-9);
        geom_side_project(root, s, q);
        for (int d = 0; d < geom_dim(g); d++) assert_true(fabs(q[d] - p[d]) < 1e-9);
      }
    }
    geom_release(g);
  }
}

static void test_names(void **state) {
  (void)state;
  Geom *g = combined(GEOM_DIFFERENCE, named(rectangle(0, 2.2, 0, 0.41), "outer"), named(disk(0.2, 0.2, 0.05), "hole"));
  assert_non_null(geom_find(g, NULL, "outer.left"));
  assert_ptr_equal(geom_find(g, NULL, "left"), geom_find(g, "outer", "left"));
  assert_ptr_equal(geom_find(g, NULL, "x_min"), geom_find(g, "outer", "left"));
  assert_ptr_equal(geom_find(g, NULL, "outer.y_max"), geom_find(g, "outer", "top"));
  assert_string_equal(geom_find(g, NULL, "rim")->name, "hole.rim");
  const GeomGroup *hole = geom_find(g, NULL, "hole");
  assert_true(!hole->is_region && hole->nmembers == 1 && !strcmp(hole->members[0], "hole.rim"));
  assert_null(geom_find_kind(g, NULL, "hole", true));      /* it takes material away */
  assert_non_null(geom_find_kind(g, NULL, "outer", true));
  assert_null(geom_find(g, NULL, "lef"));
  assert_true(fabs(geom_measure(g) - (2.2 * 0.41 - M_PI * 0.0025)) < 1e-12);

  Geom *h = geom_with_group(g, w.names, &(GeomGroup){.name = intern_text(w.names, "walls"), .members = (Name[]){"top", "outer.y_min"}, .nmembers = 2, .span = span}, &w.diags);
  const GeomGroup *walls = geom_find(h, NULL, "walls");
  assert_string_equal(walls->members[0], "outer.top");
  assert_string_equal(walls->members[1], "outer.bottom");
  assert_null(geom_with_group(h, w.names, &(GeomGroup){.name = intern_text(w.names, "walls"), .span = span}, &w.diags));
  assert_int_equal(w.diags.items[0]->code, E1002);
  Geom *p = geom_named(h, intern_text(w.names, "duct"));   /* a part keeps the names of its parts */
  assert_string_equal(geom_find(p, "duct", "walls")->name, "duct.walls");
  assert_string_equal(geom_find(p, NULL, "walls")->name, "duct.walls");
  assert_string_equal(geom_find(p, NULL, "walls")->members[0], "outer.top");
  assert_int_equal(geom_find_kind(p, NULL, "duct", false)->nmembers, 5);
  geom_release(p);
  geom_release(h);
  geom_release(g);
}

static void test_vanished(void **state) {
  (void)state;
  Geom *g = combined(GEOM_UNION, named(rectangle(0, 1, 0, 1), "a"), named(rectangle(1, 2, 0, 1), "b"));
  assert_null(geom_find(g, NULL, "a.right"));
  assert_null(geom_find(g, NULL, "b.left"));
  assert_string_equal(geom_find(g, NULL, "left")->name, "a.left");   /* only one part has it now */
  assert_null(geom_find(g, NULL, "top"));                            /* two parts have it */
  assert_true(fabs(geom_measure(g) - 2) < 1e-12);
  geom_release(g);
  g = combined(GEOM_INTERSECTION, disk(0, 0, 1), disk(1, 0, 1));
  assert_true(isnan(geom_measure(g)));
  assert_non_null(geom_find(g, NULL, "rim"));
  geom_release(g);
  g = combined(GEOM_INTERSECTION, disk(0, 0, 1), disk(5, 0, 1));
  assert_true(geom_measure(g) == 0);
  geom_release(g);
}

static void test_faults(void **state) {
  (void)state;
  assert_null(rectangle(1, 0, 0, 1));
  assert_null(disk(0, 0, -1));
  assert_null(disk(NAN, 0, 1));
  double bow[] = {0, 0, 1, 1, 1, 0, 0, 1};
  assert_null(geom_primitive(geom_row("polygon"), &(GeomArg){.values = bow, .n = 8}, &w.diags, (Span){3, 4}));
  assert_non_null(strstr(w.diags.items[w.diags.n - 1]->message, "crosses itself"));
  assert_null(geom_primitive(geom_row("polygon"), &(GeomArg){.values = bow, .n = 5}, &w.diags, (Span){5, 6}));
  for (int i = 0; i < w.diags.n; i++) assert_int_equal(w.diags.items[i]->code, E1000);
  Geom *a = rectangle(0, 1, 0, 1), *b = geom_primitive(geom_row("interval"), (GeomArg[]){list((double[]){0}, 1), list((double[]){1}, 1)}, &w.diags, span);
  assert_null(geom_combine(GEOM_UNION, a, b, &w.diags, (Span){7, 8}));
  assert_int_equal(w.diags.items[w.diags.n - 1]->code, E1001);
  geom_release(a);
  geom_release(b);
}

static void test_predicates(void **state) {
  (void)state;
  Expr *x = coord(0), *y = coord(1);
  Expr *on = op2(EXPR_AND, op2(EXPR_EQ, x, num(0)), op2(EXPR_AND, op2(EXPR_LT, num(0.1), y), op2(EXPR_LT, y, num(0.4))));
  assert_true(geom_predicate(on, (double[]){1e-12, 0.2}, 1e-9));
  assert_false(geom_predicate(on, (double[]){1e-6, 0.2}, 1e-9));
  /* the end facet 0.1..0.2 is in, its neighbour 0..0.1 out, and a facet across the corner never in */
  assert_true(geom_predicate_facet(on, (double[]){0, 0.1, 0, 0.2}, 2, 2, (double[]){0, 0.15}, 1e-9));
  assert_false(geom_predicate_facet(on, (double[]){0, 0, 0, 0.1}, 2, 2, (double[]){0, 0.05}, 1e-9));
  Expr *sides = op2(EXPR_OR, op2(EXPR_EQ, x, num(0)), op2(EXPR_EQ, y, num(0)));
  assert_false(geom_predicate_facet(sides, (double[]){0, 0.5, 0.5, 0}, 2, 2, (double[]){0.25, 0.25}, 1e-9));

  GeomCut cuts[8];
  int others;
  assert_int_equal(geom_cuts(on, 2, 1, cuts, 8, &others), 3);
  assert_int_equal(others, 0);
  for (int k = 0; k < 3; k++) {   /* in whatever order */
    int axis = cuts[k].equality ? 0 : 1;
    double at = fabs(cuts[k].offset), other = axis ? fmin(fabs(at - 0.1), fabs(at - 0.4)) : at;
    assert_true(fabs(fabs(cuts[k].normal[axis]) - 1) < 1e-14 && other < 1e-14);
  }
  Expr *r2 = op2(EXPR_ADD, op2(EXPR_POW, op2(EXPR_SUB, x, num(0.5)), num(2)), op2(EXPR_POW, y, num(2)));
  assert_int_equal(geom_cuts(op2(EXPR_LT, r2, num(0.09)), 2, 1, cuts, 8, &others), 1);
  assert_true(fabs(cuts[0].radius - 0.3) < 1e-12 && fabs(cuts[0].centre[0] - 0.5) < 1e-12 && fabs(cuts[0].centre[1]) < 1e-12);
  assert_int_equal(geom_cuts(op2(EXPR_LT, expr_unary(w.pool, EXPR_SQRT, r2), num(0.3)), 2, 1, cuts, 8, &others), 1);
  assert_true(fabs(cuts[0].radius - 0.3) < 1e-12);
  assert_int_equal(geom_cuts(op2(EXPR_LT, expr_unary(w.pool, EXPR_SIN, x), y), 2, 1, cuts, 8, &others), 0);
  assert_int_equal(others, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_rows, setup, teardown),       cmocka_unit_test_setup_teardown(test_sides, setup, teardown),
    cmocka_unit_test_setup_teardown(test_names, setup, teardown),      cmocka_unit_test_setup_teardown(test_vanished, setup, teardown),
    cmocka_unit_test_setup_teardown(test_faults, setup, teardown),     cmocka_unit_test_setup_teardown(test_predicates, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
