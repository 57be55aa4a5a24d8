/* Meshes of profiles, perforated plates, sweeps, wings and domains of flows: closed, of the right size, every facet with one name. */
#include "mesh_world.h"

static Geom *swept(const char *row, Geom *plane, const double *values, int n) {
  Geom *out = geom_primitive(geom_row(row), (GeomArg[8]){{.shape = plane}, {.values = values, .n = n}}, &w.diags, span);
  geom_release(plane);
  return out;
}
static Geom *extruded(Geom *plane, double a, double b) { return swept("extrude", plane, (double[]){a, b}, 2); }
static Geom *revolved(Geom *plane, double angle) { return swept("revolve", plane, &angle, 1); }
static Geom *around(Geom *body, double a, double b, double c, double d, double e, double f) {
  double ranges[3][2] = {{a, b}, {c, d}, {e, f}};
  Geom *out = geom_flow_around(body, ranges, &w.diags, span);
  geom_release(body);
  return out;
}
static Geom *two(void) {
  return combined(GEOM_UNION, part(SHAPE("rectangle", N(2, 2), 0, 1, 0, 1), "a"), part(SHAPE("rectangle", N(2, 2), 1, 2, 0, 1), "b"));
}

/* Every facet of the boundary is on one side; the whole has the measure of the shape up to the chords of curved sides. */
static Mesh *checked(Geom *g, double h, MeshNear *near, double tolerance, double worst) {
  Mesh *m = NULL;
  assert_non_null(g);
  double exact = geom_measure(g), surface;
  int status = mesh_generate(g, &(MeshOptions){.h = h, .near = near, .nnear = near ? 1 : 0, .span = span}, &w.diags, &m);
  for (int i = 0; i < w.diags.n; i++) print_message("%s\n", w.diags.items[i]->message);
  assert_int_equal(status, 0);
  assert_int_equal(w.diags.n, 0);
  double volume = check_closed(m, &surface);
  if (!isnan(exact) && !(fabs(volume - exact) <= tolerance * exact)) print_message("measure %.10g, of the shape %.10g\n", volume, exact);
  assert_true(isnan(exact) || fabs(volume - exact) <= tolerance * exact);
  const GeomGroup *groups;
  int n = geom_groups(g, &groups);
  char *times = calloc((size_t)m->nboundary, 1);
  for (int i = 0; i < n; i++) {
    const MeshGroup *group = groups[i].is_side ? mesh_group_of(m, groups[i].name, m->dim - 1) : NULL;
    if (groups[i].is_side) assert_true(group && group->n > 0);
    for (int k = 0; group && k < group->n; k++) times[group->entity[k]]++;
  }
  for (int f = 0; f < m->nboundary; f++) assert_int_equal(times[f], 1);
  /* the shape as the generator built it has the measure that we say, as a whole and by regions */
  assert_true(fabs(m->exact - (isnan(exact) ? m->exact : exact)) < 1e-9 * exact || isnan(exact));
  for (int i = 0; i < m->ngroups; i++)
    if (m->groups[i].dim == m->dim - 1) assert_true(fabs(m->groups[i].measure - m->groups[i].exact) <= 0.12 * m->groups[i].exact);
  free(times);
  if (!(m->quality > worst)) print_message("quality %g\n", m->quality);
  assert_true(m->quality > worst);
  geom_release(g);
  return m;
}

static void test_plates(void **state) {
  Mesh *m = checked(SHAPE("perforated", N(2, 2, 2, 1), 0, 2, 0, 1, 5, 3, 0.05), 0.05, NULL, 0.01, 0.4);
  check_measure(m, "holes", false, 15 * 2 * M_PI * 0.05, 0.05);
  check_measure(m, "hole15", false, 2 * M_PI * 0.05, 0.05);
  mesh_release(m);
}

static void test_airfoils(void **state) {
  mesh_release(checked(SHAPE("airfoil", N(1), 2412), 0.02, NULL, 0.02, 0.3));
  MeshNear near = {.group = name("airfoil"), .h = 0.01, .within = 0.05};
  Mesh *m = checked(around(SHAPE("airfoil", N(1, 1, 1), 12, 1, 0.1), -3, 6, -3, 3, 0, 0), 0.5, &near, 1e-4, 0.3);
  check_measure(m, "farfield", false, 18, 1e-9);
  check_measure(m, "inlet", false, 6, 1e-9);
  mesh_release(m);
  /* a blunt end */
  mesh_release(checked(SHAPE("airfoil", N(20), 1, .01, .9, .02, .5, .06, .1, .04, .02, .02, 0, 0, .02, -.02, .1, -.04, .5, -.06, 1, -.01), 0.02, NULL, 0.02, 0.3));
}

static void test_sweeps(void **state) {
  Geom *drilled = combined(GEOM_DIFFERENCE, part(SHAPE("rectangle", N(2, 2), 0, 2, 0, 1), "outer"), part(SHAPE("disk", N(2, 1), 0.5, 0.5, 0.2), "hole"));
  Mesh *m = checked(extruded(drilled, 0, 0.5), 0.15, NULL, 0.02, 0.1);
  check_measure(m, "outer.left", false, 0.5, 1e-9);
  check_measure(m, "hole.rim", false, 0.5 * 2 * M_PI * 0.2, 0.05);
  check_measure(m, "outer.start", false, 2 - M_PI * 0.04, 0.02);
  mesh_release(m);
  m = checked(revolved(SHAPE("rectangle", N(2, 2), 1, 2, 0, 1), M_PI / 2), 0.25, NULL, 0.02, 0.1);
  check_measure(m, "start", false, 1, 1e-9);
  check_measure(m, "end", false, 1, 1e-9);
  check_measure(m, "right", false, M_PI, 0.02);
  mesh_release(m);
  mesh_release(checked(revolved(SHAPE("disk", N(2, 1), 2, 1, 0.5), 2 * M_PI), 0.25, NULL, 0.06, 0.1));
  mesh_release(checked(revolved(combined(GEOM_INTERSECTION, SHAPE("disk", N(2, 1), 0, 0, 1), SHAPE("rectangle", N(2, 2), 0, 2, -2, 2)), 2 * M_PI), 0.25, NULL, 0.06, 0.1));
}

/* Parts of the plane are regions of the solid, with a common border; ends of all parts under one name. */
static void test_parts(void **state) {
  Mesh *m = checked(extruded(two(), 0, 1), 0.25, NULL, 1e-9, 0.1);
  int count;
  check_measure(m, "a", true, 1, 1e-9);
  check_measure(m, "b", true, 1, 1e-9);
  check_measure(m, "start", false, 2, 1e-9);
  check_measure(m, "b.end", false, 1, 1e-9);
  int *facets = mesh_select_interface(m, name("a"), name("b"), &count);
  double area = 0;
  for (int i = 0; i < count; i++) area += mesh_facet_measure(m, facets[i]);
  assert_true(fabs(area - 1) < 1e-9);
  free(facets);
  mesh_release(m);
  m = checked(revolved(two(), M_PI / 3), 0.25, NULL, 0.02, 0.1);
  check_measure(m, "a", true, M_PI / 6, 0.02);
  check_measure(m, "b", true, 3 * M_PI / 6, 0.02);
  mesh_release(m);
}

static void test_wings(void **state) {
  Mesh *m = checked(SHAPE("wing", N(1, 1, 1, 1, 1, 1), 2412, 3, 1, 0.5, 0.3, -0.05), 0.1, NULL, 0.04, 0.1);
  mesh_release(m);
  MeshNear near = {.group = name("wing"), .h = 0.1, .within = 0};
  m = checked(around(SHAPE("wing", N(1, 1, 1, 1), 12, 2, 1, 0.6), -2, 4, 0, 4, -2, 2), 0.7, &near, 1e-3, 0.05);
  check_measure(m, "inlet", false, 16, 1e-9);
  mesh_release(m);
  MeshNear ball = {.group = name("sphere"), .h = 0.1, .within = 0.1};
  m = checked(around(SHAPE("sphere", N(3, 1), 0, 0, 0, 0.5), -2, 4, -2, 2, 0, 2), 0.7, &ball, 1e-3, 0.1);
  check_measure(m, "symmetry", false, 24 - M_PI / 4, 0.01);
  check_measure(m, "sphere", false, M_PI / 2, 0.02);
  mesh_release(m);
}

/* Exact measures of sides, cut ones too, come from the shape as built. */
static void test_exact(void **state) {
  Geom *g = combined(GEOM_DIFFERENCE, part(SHAPE("rectangle", N(2, 2), 0, 2, 0, 1), "outer"), part(SHAPE("disk", N(2, 1), 1, 0, 0.5), "bite"));
  Mesh *m = generated(g, 0.1), *fine = NULL;
  assert_true(fabs(m->exact - (2 - M_PI / 8)) < 1e-9);
  assert_true(fabs(mesh_group(m, "outer.bottom")->exact - 1) < 1e-9);
  assert_true(fabs(mesh_group(m, "bite.rim")->exact - M_PI / 2) < 1e-9);
  assert_int_equal(mesh_refine(m, &w.diags, &fine), 0);
  const MeshGroup *rim = mesh_group(fine, "bite.rim");
  assert_true(rim->exact - rim->measure < 0.3 * (M_PI / 2 - mesh_group(m, "bite.rim")->measure));
  mesh_release(fine);
  mesh_release(m);
  Buf out = {0};
  m = generated(SHAPE("disk", N(2, 1), 0, 0, 1), 0.2);
  mesh_info(m, &out);
  assert_non_null(strstr(buf_str(&out), "of the geometry 3.1415927 (-"));
  assert_non_null(strstr(buf_str(&out), "of the geometry 6.2831853 (-"));
  assert_non_null(strstr(buf_str(&out), "quartiles"));
  buf_free(&out);
  mesh_release(m);
}

#define CAD(name) TEST_SRCDIR "/data/cad/" name
/* A block of 40 x 20 x 10 with a bore of radius 4, in millimetres; the same file cut off in the middle. */
static void test_cad(void **state) {
  Mesh *m = NULL;
  MeshOptions o = {.h = 4e-3, .span = span};
  assert_int_equal(mesh_read_cad(CAD("block.step"), 1e-3, &o, w.names, &w.diags, &m), 0);
  double exact = (8000 - M_PI * 160) * 1e-9, total = 0, surface;
  assert_true(fabs(m->exact - exact) < 1e-9 * exact);
  assert_true(fabs(check_closed(m, &surface) - exact) < 0.01 * exact);
  check_measure(m, "surface1", false, 200e-6, 1e-7);
  check_measure(m, "surface7", false, 2 * M_PI * 4 * 10 * 1e-6, 0.02);
  check_measure(m, "solid1", true, exact, 0.01);
  for (int i = 0; i < m->ngroups; i++) total += m->groups[i].dim == 2 ? m->groups[i].measure : 0;
  assert_true(fabs(total - surface) < 1e-11 * surface);
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);
  o.order = 2;      /* cells that follow the bore, and their children */
  assert_int_equal(mesh_read_cad(CAD("block.step"), 1e-3, &o, w.names, &w.diags, &m), 0);
  check_measure(m, "surface7", false, 2 * M_PI * 4 * 10 * 1e-6, 1e-3);
  check_measure(m, "solid1", true, exact, 1e-4);
  Mesh *fine = NULL;
  assert_int_equal(mesh_refine(m, &w.diags, &fine), 0);
  check_measure(fine, "solid1", true, exact, 1e-4);
  mesh_release(fine);
  mesh_release(m);
  assert_int_equal(w.diags.n, 0);
  assert_int_not_equal(mesh_read_cad(CAD("cut.step"), 1e-3, &o, w.names, &w.diags, &m), 0);
  assert_int_not_equal(mesh_read_cad(CAD("nowhere.step"), 1e-3, &(MeshOptions){.h = 4e-3, .span = {3, 4}}, w.names, &w.diags, &m), 0);
  for (int i = 0; i < 2; i++) assert_int_equal(w.diags.items[i]->code, E1034);
  assert_int_not_equal(mesh_read_cad(CAD("block.step"), 1, &(MeshOptions){.h = 4e3, .span = {5, 6}}, w.names, &w.diags, &m), 0);
  assert_int_equal(w.diags.items[2]->code, E1004);
}

int main(void) {
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_plates), TEST(test_airfoils), TEST(test_sweeps), TEST(test_parts), TEST(test_wings), TEST(test_exact), TEST(test_cad)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
