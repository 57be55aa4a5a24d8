#include "mesh_world.h"

static void check_mesh(Mesh *mesh, double measure, double surface) {
  double boundary, volume = check_closed(mesh, &boundary);
  assert_true(fabs(volume - measure) <= 1e-12 * measure);
  assert_true(fabs(boundary - surface) <= 1e-12 * surface);
}

/* V - E + F - C = 1 for a ball; each edge and face of a cell has the cell's vertices. */
static void check_topology(Mesh *mesh, int euler) {
  static const int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  int dim = mesh->dim, nlocal = dim == 1 ? 1 : dim == 2 ? 3 : 6, m = dim + 1;
  mesh_edges(mesh);
  mesh_faces(mesh);
  for (int c = 0; c < mesh->ncells; c++) {
    const int *v = mesh->cell + c * m;
    for (int k = 0; k < nlocal; k++) {
      const int *e = mesh->edge + 2 * mesh->cell_edge[c * nlocal + k];
      int a = v[mesh_edge_vertices[dim][k][0]], b = v[mesh_edge_vertices[dim][k][1]];
      assert_true(e[0] < e[1] && e[0] == (a < b ? a : b) && e[1] == (a < b ? b : a));
    }
    for (int k = 0; dim == 3 && k < 4; k++) {
      const int *f = mesh->face + 3 * mesh->cell_face[4 * c + k];
      int s = 0;
      for (int q = 0; q < 3; q++)
        for (int r = 0; r < 3; r++) s += f[r] == v[faces[k][q]];
      assert_true(s == 3 && f[0] < f[1] && f[1] < f[2]);
    }
  }
  int number = mesh->nverts - mesh->nedges + (dim == 2 ? mesh->ncells : dim == 3 ? mesh->nfaces - mesh->ncells : 0);
  assert_int_equal(number, euler);
  int *across = mesh_neighbours(mesh), outer = 0;
  for (int s = 0; s < mesh->ncells * m; s++) {
    outer += across[s] < 0;
    if (across[s] >= 0) assert_int_equal(across[across[s]], s);
  }
  assert_int_equal(outer, mesh->nboundary);
  free(across);
}

static void test_grids(void **state) {
  Mesh *a = grid(grid_geom(1, -1, 2, 0, 0, 0, 0), 7, 0, 0), *b = grid(grid_geom(2, 0, 2, 0, 1, 0, 0), 5, 3, 0), *c = grid(grid_geom(3, 0, 5, 0, 1, -1, 1), 4, 3, 2);
  check_mesh(a, 3, 2);
  check_topology(a, 1);
  check_group(a, "left", 1, 1);
  check_mesh(b, 2, 6);
  check_topology(b, 1);
  check_group(b, "left", 3, 1);
  check_group(b, "top", 5, 2);
  assert_true(b->x[2 * (b->nverts - 1)] == 2 && b->x[2 * b->nverts - 1] == 1);
  check_mesh(c, 10, 2 * (5 + 10 + 2));
  check_topology(c, 1);
  check_group(c, "x_min", 12, 2);
  check_group(c, "y_max", 16, 10);
  check_group(c, "z_min", 24, 5);
  assert_true(a->serial != b->serial && b->serial != c->serial);
  assert_null(a->region);
  mesh_release(a);
  mesh_release(b);
  mesh_release(c);
}

/* A 2x2 grid, x = 0 or x = 1 or y = 0: six facets and not the one across a corner (turtleFSI issue 113, dolfinx issue 1005). */
static void test_predicate_boundary(void **state) {
  Expr *x = coord(0), *y = coord(1);
  Expr *p = op2(EXPR_OR, op2(EXPR_OR, op2(EXPR_EQ, x, num(0)), op2(EXPR_EQ, x, num(1))), op2(EXPR_EQ, y, num(0)));
  Geom *g = with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "three", p, false);
  Mesh *m = grid(g, 2, 2, 0);
  check_group(m, "three", 6, 3);
  mesh_release(m);
  m = grid(with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "three", p, false), 1, 1, 0);
  check_group(m, "three", 3, 3);
  mesh_release(m);
  /* strict bounds: the facets between 0.1 and 0.4, ends included */
  Expr *part = op2(EXPR_AND, op2(EXPR_EQ, x, num(0)), op2(EXPR_AND, op2(EXPR_LT, num(0.1), y), op2(EXPR_LT, y, num(0.4))));
  m = grid(with_group(grid_geom(2, 0, 1, 0, 0.5, 0, 0), "heater", part, false), 2, 10, 0);
  check_group(m, "heater", 6, 0.3);
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);
  m = grid(with_group(grid_geom(2, 0, 1, 0, 0.5, 0, 0), "heater", part, false), 2, 4, 0);   /* 0.125 wide: both ends lie inside facets */
  assert_non_null(m);
  assert_int_equal(w.diags.n, 1);
  assert_int_equal(w.diags.items[0]->code, W1000);
  mesh_release(m);
}

static void test_empty_group(void **state) {
  Mesh *m = grid(with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "lid", op2(EXPR_EQ, coord(1), num(2)), false), 2, 2, 0);
  assert_null(m);
  assert_int_equal(w.diags.items[0]->code, E1003);
  assert_non_null(strstr(w.diags.items[0]->message, "lid"));
  m = grid(with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "far", op2(EXPR_GT, coord(0), num(2)), true), 2, 2, 0);
  assert_null(m);
  assert_int_equal(w.diags.items[1]->code, E1003);
}

static void test_regions(void **state) {
  Expr *x = coord(0);
  for (int dim = 1; dim <= 3; dim++) {
    Geom *g = with_group(grid_geom(dim, 0, 1, 0, 1, 0, 1), "brick", op2(EXPR_LT, x, num(0.25)), true);
    g = with_group(g, "foam", op2(EXPR_GE, x, num(0.25)), true);
    Mesh *m = grid(g, 4, 2, 2);
    int count, cubes = dim == 1 ? 1 : dim == 2 ? 4 : 24, facets = dim == 1 ? 1 : dim == 2 ? 2 : 8;
    check_mesh(m, 1, 2 * dim);
    check_group(m, "brick", cubes, 0.25);
    check_group(m, "foam", 3 * cubes, 0.75);
    assert_int_equal(m->nregions, 2);
    int *f = mesh_select_interface(m, name("brick"), name("foam"), &count);
    assert_int_equal(count, facets);
    double area = 0;
    for (int i = 0; i < count; i++) {
      double n[3];
      mesh_facet_normal(m, f[i], n);
      assert_true(fabs(n[0] - 1) < 1e-14);
      area += mesh_facet_measure(m, f[i]);
    }
    assert_true(fabs(area - 1) < 1e-14);
    free(f);
    f = mesh_select_interface(m, name("foam"), name("brick"), &count);
    assert_int_equal(count, facets);
    double n[3];
    mesh_facet_normal(m, f[0], n);
    assert_true(fabs(n[0] + 1) < 1e-14);
    free(f);
    free(mesh_select_facets(m, NULL, 0, true, false, &count));
    assert_int_equal(count, m->nboundary);
    free(mesh_select_cells(m, (Name[]){name("brick")}, 1, false, true, &count));
    assert_int_equal(count, 3 * cubes);
    assert_int_equal(w.diags.n, 0);
    mesh_release(m);
  }
  Mesh *m = grid(with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "wake", op2(EXPR_GT, x, num(0.3)), true), 4, 4, 0);
  assert_int_equal(w.diags.n, 1);
  assert_int_equal(w.diags.items[0]->code, W1000);
  mesh_release(m);
}

static void test_refusals(void **state) {
  Mesh *m = NULL;
  double r = 1;
  Geom *disk = geom_primitive(geom_row("disk"), (GeomArg[]){{NULL, 0}, {&r, 1}}, &w.diags, span), *square = grid_geom(2, 0, 1, 0, 1, 0, 0);
  assert_int_not_equal(mesh_structured(disk, &(MeshOptions){.cells = {4, 4}, .ncells_given = 2, .span = {1, 2}}, &w.diags, &m), 0);
  assert_int_not_equal(mesh_structured(square, &(MeshOptions){.cells = {4}, .ncells_given = 1, .span = {2, 3}}, &w.diags, &m), 0);
  assert_int_not_equal(mesh_structured(square, &(MeshOptions){.cells = {4, -1}, .ncells_given = 2, .span = {3, 4}}, &w.diags, &m), 0);
  assert_int_not_equal(mesh_structured(square, &(MeshOptions){.cells = {1000000, 1000000}, .ncells_given = 2, .span = {4, 5}}, &w.diags, &m), 0);
  assert_int_equal(w.diags.n, 4);
  assert_int_equal(w.diags.items[0]->code, E1005);
  for (int i = 1; i < 4; i++) assert_int_equal(w.diags.items[i]->code, E1004);
  geom_release(disk);
  geom_release(square);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(test_grids, setup, teardown),       cmocka_unit_test_setup_teardown(test_predicate_boundary, setup, teardown),
    cmocka_unit_test_setup_teardown(test_empty_group, setup, teardown), cmocka_unit_test_setup_teardown(test_regions, setup, teardown),
    cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
