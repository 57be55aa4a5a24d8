/* Meshes of curved and combined shapes through Gmsh: measures of domain, sides and regions against the geometry. */
#include "mesh_world.h"

static void test_shapes(void **state) {
  static const struct { const char *row; int n[4]; double v[12], h, measure; const char *side[6]; double length[6]; } cases[] = {
    {"disk", {2, 1}, {0.5, 0, 1}, 0.1, M_PI, {"rim"}, {2 * M_PI}},
    {"annulus", {2, 1, 1}, {0, 0, 0.5, 1}, 0.1, 0.75 * M_PI, {"inner", "outer"}, {M_PI, 2 * M_PI}},
    {"polygon", {6}, {0, 0, 1, 1, 2, 0}, 0.1, 1, {"side1", "side2", "side3"}, {M_SQRT2, M_SQRT2, 2}},
    {"lshape", {0}, {0}, 0.1, 3, {"left", "right", "bottom", "top", "notch_left", "notch_top"}, {2, 1, 1, 2, 1, 1}},
    {"rectangle", {2, 2}, {0, 2, 0, 1}, 0.1, 2, {"left", "right", "bottom", "top"}, {1, 1, 2, 2}},
    {"box", {2, 2, 2}, {0, 2, 0, 1, 0, 1}, 0.25, 2, {"x_min", "y_max", "z_min"}, {1, 2, 2}},
    {"cylinder", {3, 3, 1, 1}, {1, 0, 0, 1, 1, 0, 0.5, 2}, 0.15, M_PI / 2, {"wall", "bottom", "top"}, {2 * M_PI, M_PI / 4, M_PI / 4}},
    {"sphere", {3, 1}, {0, 0, 1, 1}, 0.2, 4 * M_PI / 3, {"surface"}, {4 * M_PI}},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Mesh *m = generated(shape(cases[k].row, cases[k].n, cases[k].v), cases[k].h);
    if (!m) print_message("%s: %s\n", cases[k].row, w.diags.items[0]->message);
    assert_non_null(m);
    bool curved = !strcmp(cases[k].row, "disk") || !strcmp(cases[k].row, "annulus") || m->dim == 3;
    double surface, total = 0, tolerance = curved && strcmp(cases[k].row, "box") ? 0.03 : 1e-12;
    double volume = check_closed(m, &surface);
    assert_true(fabs(volume - cases[k].measure) <= tolerance * cases[k].measure);
    for (int s = 0; s < 6 && cases[k].side[s]; s++) check_measure(m, cases[k].side[s], false, cases[k].length[s], tolerance);
    for (int g = 0; g < m->ngroups; g++) total += m->groups[g].measure;
    assert_true(fabs(total - surface) < 1e-11 * surface);   /* every facet has one side */
    assert_true(m->h_max < (m->dim == 2 ? 2 : 2.7) * cases[k].h && m->h_max > 0.7 * cases[k].h);
    assert_true(m->quality > (m->dim == 2 ? 0.4 : 0.05));
    assert_int_equal(w.diags.n, 0);
    mesh_release(m);
  }
}

/* Quadrilaterals that are no parallelograms: straight-sided shapes are filled up to rounding, at every h and order, with all of their sides. */
static void test_quadrilaterals(void **state) {
  static const double h[] = {0.5, 0.3, 0.17, 0.1, 0.07};
  for (size_t k = 0; k < sizeof h / sizeof *h; k++)
    for (int order = 1; order <= 2; order++) {
      Geom *of[] = {grid_geom(2, 0, 1, 0, 1, 0, 0), SHAPE("lshape", N(0), 0), SHAPE("polygon", N(6), 0, 0, 2, 0, 0.5, 1.5),
                    combined(GEOM_DIFFERENCE, part(grid_geom(2, 0, 3, 0, 3, 0, 0), "outer"), part(grid_geom(2, 1, 2, 1, 2, 0, 0), "hole"))};
      double area[] = {1, 3, 1.5, 8}, around[] = {4, 8, 2 + sqrt(4.5) + sqrt(2.5), 16};
      for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        Mesh *m = NULL;
        int status = mesh_generate(of[i], &(MeshOptions){.h = h[k], .shape = CELL_TENSOR, .order = order, .span = span}, &w.diags, &m);
        geom_release(of[i]);
        if (status) fail_msg("shape %zu, h %g: %s", i, h[k], w.diags.items[0]->message);
        double surface, domain = check_closed(m, &surface);
        assert_int_equal(m->ref->shape, CELL_TENSOR);
        assert_true(fabs(domain - area[i]) <= 1e-12 * area[i] && fabs(surface - around[i]) <= 1e-12 * around[i]);
        mesh_release(m);
      }
    }
}

static Geom *channel(void) {
  return combined(GEOM_DIFFERENCE, part(grid_geom(2, 0, 2.2, 0, 0.41, 0, 0), "outer"), part(SHAPE("disk", N(2, 1), 0.2, 0.2, 0.05), "hole"));
}

static void test_channel(void **state) {
  Geom *g = channel();
  double exact = geom_measure(g);
  Mesh *m = generated(g, 0.05);
  assert_non_null(m);
  double volume = check_closed(m, NULL);
  assert_true(fabs(volume - exact) < 2e-3);
  check_measure(m, "outer.left", false, 0.41, 1e-12);
  check_measure(m, "outer.top", false, 2.2, 1e-12);
  check_measure(m, "hole", false, 2 * M_PI * 0.05, 0.02);
  check_measure(m, "hole.rim", false, 2 * M_PI * 0.05, 0.02);
  check_measure(m, "outer", true, exact, 2e-3);
  mesh_release(m);
}

/* near: fine cells round the hole, coarse ones far away */
static void test_near(void **state) {
  Geom *g = channel();
  Mesh *m = NULL;
  MeshNear near = {.group = name("hole"), .h = 0.005, .within = 0.05};
  assert_int_equal(mesh_generate(g, &(MeshOptions){.h = 0.05, .near = &near, .nnear = 1, .span = span}, &w.diags, &m), 0);
  const MeshGroup *hole = mesh_group(m, "hole"), *right = mesh_group(m, "right");
  assert_null(right);   /* canonical names alone */
  right = mesh_group(m, "outer.right");
  assert_true(hole->measure / hole->n < 0.006 && hole->measure / hole->n > 0.003);
  assert_true(right->measure / right->n > 0.035);
  mesh_release(m);
  geom_release(g);
}

static void test_field_size(void **state) {
  Geom *g = grid_geom(2, 0, 1, 0, 1, 0, 0);
  Mesh *m = NULL;
  Expr *h = op2(EXPR_ADD, num(0.01), op2(EXPR_MUL, num(0.1), coord(0)));
  assert_int_equal(mesh_generate(g, &(MeshOptions){.h_field = h, .span = span}, &w.diags, &m), 0);
  const MeshGroup *left = mesh_group(m, "left"), *right = mesh_group(m, "right");
  assert_true(left->n > 80 && left->n < 125);
  assert_true(right->n > 6 && right->n < 15);
  mesh_release(m);
  assert_int_not_equal(mesh_generate(g, &(MeshOptions){.h_field = op2(EXPR_SUB, coord(0), num(0.5)), .span = span}, &w.diags, &m), 0);
  assert_int_equal(w.diags.items[0]->code, E1004);
  geom_release(g);
}

/* Regions by predicate: exact areas, for h that does not divide anything; circles too. */
static void test_regions(void **state) {
  Expr *x = coord(0), *y = coord(1);
  Geom *g = with_group(grid_geom(2, 0, 1, 0, 0.5, 0, 0), "brick", op2(EXPR_LT, x, num(0.3)), true);
  g = with_group(g, "foam", op2(EXPR_GE, x, num(0.3)), true);
  g = with_group(g, "strip", op2(EXPR_GT, op2(EXPR_ADD, x, y), num(1.1)), true);
  g = with_group(g, "heater", op2(EXPR_AND, op2(EXPR_EQ, x, num(0)), op2(EXPR_AND, op2(EXPR_LT, num(0.1), y), op2(EXPR_LT, y, num(0.4)))), false);
  Mesh *m = generated(g, 0.07);
  assert_non_null(m);
  assert_true(fabs(check_closed(m, NULL) - 0.5) < 1e-12);
  check_measure(m, "brick", true, 0.15, 1e-10);
  check_measure(m, "foam", true, 0.35, 1e-10);
  check_measure(m, "strip", true, 0.08, 1e-10);
  check_measure(m, "heater", false, 0.3, 1e-10);
  int n;
  int *f = mesh_select_interface(m, name("brick"), name("foam"), &n);
  double length = 0;
  for (int i = 0; i < n; i++) {
    double normal[3];
    mesh_facet_normal(m, f[i], normal);
    assert_true(fabs(normal[0] - 1) < 1e-9);
    length += mesh_facet_measure(m, f[i]);
  }
  assert_true(fabs(length - 0.5) < 1e-10);
  free(f);
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);

  Expr *r2 = op2(EXPR_ADD, op2(EXPR_POW, op2(EXPR_SUB, x, num(0.5)), num(2)), op2(EXPR_POW, op2(EXPR_SUB, y, num(0.5)), num(2)));
  m = generated(with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "core", op2(EXPR_LT, r2, num(0.04)), true), 0.05);
  check_measure(m, "core", true, M_PI * 0.04, 0.02);
  assert_int_equal(w.diags.n, 0);
  f = mesh_select_cells(m, (Name[]){name("core")}, 1, false, true, &n);
  double rest = 0;
  for (int i = 0; i < n; i++) rest += mesh_cell_measure(m, f[i]);
  assert_true(fabs(rest + mesh_group_of(m, "core", 2)->measure - 1) < 1e-12);
  free(f);
  mesh_release(m);
}

static void test_regions_3d(void **state) {
  Expr *x = coord(0), *y = coord(1), *z = coord(2);
  Geom *g = with_group(grid_geom(3, 0, 1, 0, 1, 0, 1), "low", op2(EXPR_LT, z, num(0.37)), true);
  g = with_group(g, "pad", op2(EXPR_AND, op2(EXPR_EQ, z, num(1)), op2(EXPR_AND, op2(EXPR_LT, x, num(0.41)), op2(EXPR_LT, y, num(0.53)))), false);
  Mesh *m = generated(g, 0.2);
  assert_non_null(m);
  assert_true(fabs(check_closed(m, NULL) - 1) < 1e-12);
  check_measure(m, "low", true, 0.37, 1e-9);
  check_measure(m, "pad", false, 0.41 * 0.53, 1e-9);
  check_measure(m, "z_max", false, 1, 1e-12);
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);
}

/* Parts of a union are regions with a common border, also where they overlap. */
static void test_parts(void **state) {
  Geom *g = combined(GEOM_UNION, part(grid_geom(2, 0, 1, 0, 1, 0, 0), "steel"), part(SHAPE("disk", N(2, 1), 1, 0.5, 0.3), "plug"));
  Mesh *m = generated(g, 0.08);
  assert_non_null(m);
  check_closed(m, NULL);
  check_measure(m, "steel", true, 1, 1e-9);
  check_measure(m, "plug", true, M_PI * 0.09, 0.02);
  check_measure(m, "plug.rim", false, M_PI * 0.3, 0.02);
  check_measure(m, "steel.right", false, 0.4, 1e-9);
  assert_int_equal(m->nregions, 3);   /* steel, plug, both */
  int n;
  int *f = mesh_select_cells(m, (Name[]){name("steel"), name("plug")}, 2, false, false, &n);
  assert_int_equal(n, m->ncells);
  free(f);
  mesh_release(m);
  g = combined(GEOM_DIFFERENCE, part(grid_geom(3, 0, 1, 0, 1, 0, 1), "block"), part(SHAPE("cylinder", N(3, 3, 1, 1), 0.5, 0.5, -1, 0, 0, 1, 0.2, 3), "bore"));
  double exact = 1 - M_PI * 0.04;
  m = generated(g, 0.15);
  assert_non_null(m);
  assert_true(fabs(check_closed(m, NULL) - exact) < 0.01);
  check_measure(m, "bore", false, 2 * M_PI * 0.2, 0.03);
  check_measure(m, "block.z_max", false, exact, 0.01);
  assert_null(mesh_group(m, "bore.top"));
  mesh_release(m);
  m = generated(combined(GEOM_INTERSECTION, SHAPE("disk", N(2, 1), 0, 0, 1), SHAPE("disk", N(2, 1), 1, 0, 1)), 0.05);
  assert_non_null(m);
  check_measure(m, "rim", false, 4 * M_PI / 3, 0.01);
  assert_true(fabs(check_closed(m, NULL) - (2 * M_PI / 3 - sqrt(3) / 2)) < 0.01);
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);
}

/* Refinement follows circles and spheres: the measure converges with h^2 (of a ring faster: the errors of its two circles cancel), new vertices lie on the side. */
static void test_refine_curved(void **state) {
  static const struct { const char *row; int n[4]; double v[8], h, measure; } cases[] = {
    {"disk", {2, 1}, {0, 0, 1}, 0.3, M_PI}, {"sphere", {3, 1}, {0, 0, 0, 1}, 0.5, 4 * M_PI / 3}, {"annulus", {2, 1, 1}, {0, 0, 0.5, 1}, 0.2, 0.75 * M_PI}};
  for (int k = 0; k < 3; k++) {
    Mesh *m = generated(shape(cases[k].row, cases[k].n, cases[k].v), cases[k].h);
    double error = fabs(check_closed(m, NULL) - cases[k].measure);
    for (int level = 0; level < 2; level++) {
      Mesh *fine = NULL;
      assert_int_equal(mesh_refine(m, &w.diags, &fine), 0);
      double now = fabs(check_closed(fine, NULL) - cases[k].measure);
      if (k < 2 && !(now < error / 3.4 && now > error / 4.6)) fail_msg("%s: error %g after %g", cases[k].row, now, error);
      for (int f = 0; f < fine->nboundary; f++) {
        int v[3];
        mesh_facet_vertices(fine, f, v);
        for (int q = 0; q < fine->dim; q++) {
          double r = 0;
          for (int d = 0; d < fine->dim; d++) r += fine->x[v[q] * fine->dim + d] * fine->x[v[q] * fine->dim + d];
          r = sqrt(r);
          assert_true(fabs(r - 1) < 1e-9 || (k == 2 && fabs(r - 0.5) < 1e-9));
        }
      }
      mesh_release(m);
      m = fine;
      error = now;
    }
    mesh_release(m);
  }
}

/* Ends of named boundaries on a circle, and `all`. */
static void test_arc(void **state) {
  Expr *x = coord(0), *y = coord(1);
  Expr *on = op2(EXPR_EQ, op2(EXPR_ADD, op2(EXPR_POW, x, num(2)), op2(EXPR_POW, y, num(2))), num(1));
  Geom *g = with_group(SHAPE("disk", N(2, 1), 0, 0, 1), "arc", op2(EXPR_AND, on, op2(EXPR_GT, y, num(0.5))), false);
  g = with_group(g, "upper", op2(EXPR_GT, y, num(0)), false);
  Geom *h = geom_with_group(g, w.names, &(GeomGroup){.name = name("skin"), .members = (Name[]){"all"}, .nmembers = 1, .span = {7, 8}}, &w.diags);
  geom_release(g);
  Mesh *m = generated(h, 0.1);
  assert_non_null(m);
  check_measure(m, "arc", false, 2 * M_PI / 3, 2e-3);
  check_measure(m, "upper", false, M_PI, 2e-3);
  check_measure(m, "skin", false, 2 * M_PI, 2e-3);
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);
}

static void test_same_twice(void **state) {
  Mesh *a = generated(channel(), 0.05), *b = generated(channel(), 0.05);
  assert_int_equal(a->ncells, b->ncells);
  assert_memory_equal(a->x, b->x, (size_t)a->nverts * 2 * sizeof(double));
  assert_memory_equal(a->cell, b->cell, (size_t)a->ncells * 3 * sizeof(int));
  mesh_release(a);
  mesh_release(b);
}

static void test_refusals(void **state) {
  Mesh *m = generated(combined(GEOM_INTERSECTION, SHAPE("disk", N(2, 1), 0, 0, 1), SHAPE("disk", N(2, 1), 5, 0, 1)), 0.1);
  assert_null(m);
  assert_int_equal(w.diags.items[0]->code, E1009);
  static const double h[] = {-1, 0, 1e9, 1e-9, NAN};
  for (int k = 0; k < 5; k++) {
    Geom *g = SHAPE("disk", N(2, 1), 0, 0, 1);
    assert_int_not_equal(mesh_generate(g, &(MeshOptions){.h = h[k], .span = {10 + (uint32_t)k, 20}}, &w.diags, &m), 0);
    assert_int_equal(w.diags.items[w.diags.n - 1]->code, E1004);
    geom_release(g);
  }
  assert_int_equal(w.diags.n, 6);
}

int main(void) {
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_shapes),     TEST(test_channel), TEST(test_near),       TEST(test_field_size), TEST(test_regions),
                                     TEST(test_regions_3d), TEST(test_parts),   TEST(test_same_twice), TEST(test_refusals),
                                     TEST(test_refine_curved), TEST(test_arc), TEST(test_quadrilaterals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
