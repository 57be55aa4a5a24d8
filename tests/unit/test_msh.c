/* The reader of .msh files: the same mesh from four formats, files by hand with what real ones have, and broken ones. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mesh_world.h"
#include "numerics/mesh_build.h"
#include "numerics/mesh_io.h"

static Mesh *read_data(const char *file, double scale) {
  char path[400];
  Mesh *mesh = NULL;
  snprintf(path, sizeof path, "%s/data/%s", TEST_SRCDIR, file);
  mesh_read(path, scale, w.names, &w.diags, span, &mesh);
  return mesh;
}

static Mesh *read_text(const char *text) {
  MshFile file;
  Mesh *mesh = NULL;
  if (!msh_parse("here.msh", text, strlen(text), &w.diags, span, &file)) msh_build("here.msh", &file, 1, w.names, &w.diags, span, &mesh);
  msh_free(&file);
  return mesh;
}

/* Rectangle, elliptic inclusion, and a source box that overlaps both, each with groups of its own; two boundary names for one side (dolfinx issue 3332). */
static void test_overlap(void **state) {
  static const char *const files[] = {"overlap_22.msh", "overlap_22b.msh", "overlap_41.msh", "overlap_41b.msh"};
  int verts = 0, cells = 0;
  for (int k = 0; k < 4; k++) {
    Mesh *m = read_data(files[k], 1);
    if (!m) print_message("%s: %s\n", files[k], w.diags.items[0]->message);
    assert_non_null(m);
    assert_true(fabs(check_closed(m, NULL) - 2) < 1e-12);
    check_measure(m, "plate", true, 2, 1e-12);
    check_measure(m, "inclusion", true, M_PI * 0.4 * 0.25, 0.05);
    check_measure(m, "source", true, 0.2, 1e-12);
    check_measure(m, "left", false, 1, 1e-12);
    check_measure(m, "inflow", false, 1, 1e-12);
    check_measure(m, "top", false, 2, 1e-12);
    assert_int_equal(m->nregions, 4);   /* plate alone, with inclusion, with source, with both */
    if (k) assert_true(m->nverts == verts && m->ncells == cells);
    verts = m->nverts, cells = m->ncells;
    int n;
    free(mesh_select_facets(m, NULL, 0, true, false, &n));
    assert_int_equal(n, m->nboundary);
    mesh_release(m);
  }
  assert_int_equal(w.diags.n, 0);
}

static void test_box(void **state) {
  static const char *const files[] = {"box_22.msh", "box_22b.msh", "box_41.msh", "box_41b.msh"};
  for (int k = 0; k < 4; k++) {
    Mesh *m = read_data(files[k], 1e-3);
    if (!m) print_message("%s: %s\n", files[k], w.diags.items[0]->message);
    assert_non_null(m);
    assert_true(fabs(check_closed(m, NULL) - 1e-9) < 1e-20);
    check_measure(m, "body", true, 1e-9, 1e-12);
    check_measure(m, "left", false, 1e-6, 1e-12);
    const MeshGroup *edge = mesh_group(m, "edge of the box"), *corner = mesh_group(m, "corner");
    assert_true(edge->dim == 1 && fabs(edge->measure - 1e-3) < 1e-14);
    assert_true(corner->dim == 0 && corner->n == 1);
    for (int d = 0; d < 3; d++) assert_true(fabs(m->x[3 * corner->entity[0] + d]) < 1e-15);
    mesh_release(m);
  }
  assert_int_equal(w.diags.n, 0);
}

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NAMES(n, ...) "$PhysicalNames\n" #n "\n" __VA_ARGS__ "$EndPhysicalNames\n"
/* the unit square: sparse tags, a node nobody uses */
#define SQUARE "$Nodes\n5\n7 0 0 0\n1000 1 0 0\n12 1 1 0\n99 0 1 0\n3 5 5 0\n$EndNodes\n"

static void test_turned_and_untagged(void **state) {
  Mesh *m = read_text(HEAD NAMES(2, "1 1 \"floor\"\n" "2 2 \"steel\"\n") SQUARE
                      "$Elements\n3\n1 1 2 1 1 7 1000\n5 2 2 2 1 7 1000 12\n6 2 0 7 99 12\n$EndElements\n");
  assert_non_null(m);
  assert_int_equal(m->nverts, 4);
  assert_true(fabs(check_closed(m, NULL) - 1) < 1e-15);
  for (int c = 0; c < m->ncells; c++) {   /* both positive now */
    const int *v = m->cell + 3 * c;
    const double *a = m->x + 2 * v[0], *b = m->x + 2 * v[1], *p = m->x + 2 * v[2];
    assert_true((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0);
  }
  check_group(m, "floor", 1, 1);
  check_group(m, "steel", 1, 0.5);
  check_group(m, "default", 1, 0.5);
  assert_int_equal(w.diags.nerrors, 0);
  assert_int_equal(w.diags.items[0]->code, W1002);
  assert_int_equal(w.diags.items[1]->code, W1001);
  mesh_release(m);
}

static void test_no_groups(void **state) {
  Mesh *m = read_text(HEAD SQUARE "$Elements\n2\n5 2 0 7 1000 12\n6 2 0 7 12 99\n$EndElements\n");
  assert_non_null(m);
  assert_int_equal(m->ngroups, 0);
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);
  m = read_text(HEAD NAMES(1, "0 4 \"ends\"\n") "$Nodes\n3\n1 0 0 0\n2 0.5 0 0\n3 1 0 0\n$EndNodes\n$Elements\n4\n1 15 2 4 0 1\n2 15 2 4 0 3\n3 1 0 1 2\n4 1 0 2 3\n$EndElements\n");
  assert_non_null(m);
  check_group(m, "ends", 2, 2);
  mesh_release(m);
}

/* Quadrilaterals, hexahedra and cells of second order: a quarter of a ring of radii 1 and 2, and the tube of height 1 over it. Straight cells have the measure of
 * their chords, curved ones that of the arcs to the fourth order. */
static void test_rings(void **state) {
  static const struct { const char *file; CellShape shape; double tolerance; } cases[] = {
    {"ring_q4.msh", CELL_TENSOR, 0.05}, {"ring_q8.msh", CELL_TENSOR, 2e-3}, {"ring_q9.msh", CELL_TENSOR, 2e-3}, {"ring_t6.msh", CELL_SIMPLEX, 2e-3},
    {"tube_h8.msh", CELL_TENSOR, 0.05}, {"tube_h20.msh", CELL_TENSOR, 2e-3}, {"tube_h27.msh", CELL_TENSOR, 2e-3}, {"tube_t10.msh", CELL_SIMPLEX, 0.01}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Mesh *m = read_data(cases[k].file, 1), *fine = NULL;
    if (!m) fail_msg("%s: %s", cases[k].file, w.diags.items[0]->message);
    assert_int_equal(m->ref->shape, cases[k].shape);
    double tolerance = cases[k].tolerance, height = m->dim == 3 ? 1 : 0;
    check_measure(m, "body", true, 0.75 * M_PI, tolerance);
    check_measure(m, "outer", false, M_PI, tolerance);
    check_measure(m, "inner", false, M_PI / 2, tolerance);
    if (height > 0) check_measure(m, "top", false, 0.75 * M_PI, tolerance);
    /* a refinement has the same curves, so the same measures */
    assert_int_equal(mesh_refine(m, &w.diags, &fine), 0);
    assert_int_equal(fine->ncells, m->ncells << m->dim);
    for (int i = 0; i < m->ngroups; i++)
      if (m->groups[i].dim >= m->dim - 1) assert_true(fabs(fine->groups[i].measure - m->groups[i].measure) < 1e-5);
    for (int c = 0; c < fine->ncells; c++) assert_true(mesh_signed_measure(fine, c) > 0);
    double X[3], x[3], p[3] = {1.1, 0.9, 0.4};
    int cell = mesh_locate(fine, p, X);
    assert_true(cell >= 0);
    mesh_map(fine, cell, X, x, NULL);
    for (int d = 0; d < m->dim; d++) assert_true(fabs(x[d] - p[d]) < 1e-12);
    mesh_release(fine);
    mesh_release(m);
  }
  Mesh *m = read_data("skew_hexes.msh", 1);
  assert_non_null(m);
  assert_true(fabs(check_closed(m, NULL) - 0.63) < 1e-6);
  check_measure(m, "left", false, 0.63, 1e-6);
  mesh_release(m);
  assert_int_equal(w.diags.nerrors, 0);
  assert_null(read_data("mixed.msh", 1));
  assert_int_equal(w.diags.items[w.diags.n - 1]->code, E1062);
}

/* A name on an inner line is a group of inner facets; one on inner and outer facets is refused (dolfinx pull request 4041). */
static void test_inner_facets(void **state) {
  Mesh *m = read_text(HEAD NAMES(1, "1 1 \"middle\"\n") SQUARE "$Elements\n3\n1 1 2 1 1 12 7\n5 2 0 7 1000 12\n6 2 0 7 12 99\n$EndElements\n");
  assert_non_null(m);
  const MeshGroup *g = mesh_group(m, "middle");
  assert_true(g->n == 1 && fabs(g->measure - M_SQRT2) < 1e-15 && g->entity[0] >= m->nboundary && m->facet_cell2[g->entity[0]] >= 0);
  int n;
  free(mesh_select_facets(m, NULL, 0, true, false, &n));
  assert_int_equal(n, 4);
  mesh_release(m);
  assert_null(read_text(HEAD NAMES(1, "1 1 \"both\"\n") SQUARE "$Elements\n4\n1 1 2 1 1 12 7\n2 1 2 1 1 7 99\n5 2 0 7 1000 12\n6 2 0 7 12 99\n$EndElements\n"));
  assert_int_equal(w.diags.items[0]->code, E1013);
  assert_non_null(strstr(w.diags.items[0]->message, "both"));
}

static void test_broken(void **state) {
  static const struct { const char *text; DiagCode code; const char *says; } cases[] = {
    {"", E1011, "MeshFormat"},
    {"solid cube\n", E1011, "no .msh file"},
    {"$MeshFormat\n1.0 0 8\n$EndMeshFormat\n", E1012, "format 1"},
    {"$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", E1012, "format 4"},
    {"$MeshFormat\n2.2 0 8\n", E1011, "$EndMeshFormat"},
    {HEAD "$Nodes\n2\n1 0 0 0\n2 0 x 0\n$EndNodes\n", E1011, "line 7"},
    {HEAD "$Nodes\n2\n1 0 0 0\n$EndNodes\n", E1011, "line 7"},
    {HEAD "$Nodes\n99999999999\n1 0 0 0\n$EndNodes\n", E1011, "announces"},
    {HEAD "$Nodes\n-1\n1 0 0 0\n$EndNodes\n", E1011, "announces"},
    {HEAD "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", E1011, "coordinate"},
    {HEAD SQUARE "$Elements\n1\n5 2 0 7 1000 4\n$EndElements\n", E1011, "node 4"},
    {HEAD SQUARE "$Elements\n1\n5 3 0 7 12 1000 99\n$EndElements\n", E1014, "inside out"},
    {HEAD SQUARE "$Elements\n1\n5 3 0 7 1000 12 12\n$EndElements\n", E1014, "degenerate"},
    {HEAD SQUARE "$Elements\n1\n5 3 0 7 1000 12\n$EndElements\n", E1011, "node of an element"},
    {HEAD SQUARE "$Elements\n1\n5 10 0 7 1000 12 99 7 7 7 7\n$EndElements\n", E1011, "node of an element"},
    {HEAD SQUARE "$Elements\n1\n5 9 0 7 1000 12 99 3 4\n$EndElements\n", E1011, "not in the file"},
    {HEAD SQUARE "$Elements\n2\n5 2 0 7 1000 12\n6 3 0 7 1000 12 99\n$EndElements\n", E1062, "triangles and quadrangles"},
    {HEAD SQUARE "$Elements\n2\n5 2 0 7 1000 12\n6 9 0 7 12 99 7 7 7\n$EndElements\n", E1062, "second-order triangles"},
    {HEAD SQUARE "$Elements\n1\n5 6 0 7 1000 12 99 7 12\n$EndElements\n", E1012, "prisms"},
    {HEAD SQUARE "$Elements\n1\n5 21 0 7 1000 12 99 7 12 7 7 7 7\n$EndElements\n", E1012, "type 21"},
    {HEAD SQUARE "$Elements\n1\n5 5 0 7 1000 12 99 7 1000 12 99\n$EndElements\n", E1014, "degenerate"},
    {HEAD SQUARE "$Elements\n1\n5 2 0 7 7 12\n$EndElements\n", E1014, "no area"},
    {HEAD SQUARE "$Elements\n1\n1 15 0 7\n$EndElements\n", E1011, "no lines"},
    {HEAD SQUARE "$Elements\n3\n1 2 0 7 1000 12\n2 2 0 7 12 99\n3 2 0 7 12 3\n$EndElements\n", E1014, "no area"},
    {HEAD "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n5 0.2 0.9 0\n$EndNodes\n$Elements\n3\n1 2 0 1 2 3\n2 2 0 2 4 3\n3 2 0 2 5 3\n$EndElements\n", E1014, "third cell"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 1\n$EndNodes\n$Elements\n2\n1 2 0 1 2 3\n2 2 0 2 4 3\n$EndElements\n", E1012, "surfaces in space"},
    {HEAD "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n$Elements\n1\n1 1 0 1 1\n$EndElements\n", E1011, "twice"},
    {HEAD "$Periodic\n1\n", E1011, "$EndPeriodic"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    diags_clear(&w.diags);
    Mesh *m = read_text(cases[k].text);
    if (m || w.diags.n != 1) fail_msg("case %zu: %d diagnostics", k, w.diags.n);
    if (w.diags.items[0]->code != cases[k].code || !strstr(w.diags.items[0]->message, cases[k].says))
      fail_msg("case %zu: %s, but it should say `%s`", k, w.diags.items[0]->message, cases[k].says);
  }
  diags_clear(&w.diags);
  assert_null(read_data("nowhere.msh", 1));
  assert_int_equal(w.diags.items[0]->code, E1010);
}

/* Every beginning of a good file is refused with one error and no crash, text and binary. */
static void test_cut_off(void **state) {
  static const char *const files[] = {"box_22b.msh", "box_41b.msh", "box_22.msh", "box_41.msh", "ring_q9.msh", "ring_q8.msh", "tube_h20.msh", "tube_h27.msh", "tube_t10.msh"};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[400], text[20000];
    snprintf(path, sizeof path, "%s/data/%s", TEST_SRCDIR, files[k]);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t len = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    for (size_t n = 0; n < len; n += n < 400 ? 1 : 37) {
      char *copy = malloc(n + 1);   /* of its own, so that valgrind sees a step too far */
      memcpy(copy, text, n);
      copy[n] = 0;
      MshFile file;
      Mesh *mesh = NULL;
      diags_clear(&w.diags);
      Status status = msh_parse("cut.msh", copy, n, &w.diags, span, &file) || msh_build("cut.msh", &file, 1, w.names, &w.diags, span, &mesh);
      if (status ? w.diags.nerrors != 1 : !mesh) fail_msg("%s cut at %zu: status %d, %d errors", files[k], n, status, w.diags.nerrors);
      msh_free(&file);
      mesh_release(mesh);
      free(copy);
    }
  }
}

int main(void) {
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_overlap),      TEST(test_box),    TEST(test_turned_and_untagged), TEST(test_no_groups),
                                     TEST(test_rings),        TEST(test_inner_facets), TEST(test_broken), TEST(test_cut_off)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
