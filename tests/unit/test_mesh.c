#include "numerics/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics/big.h"

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
static Expr *num(double v) { return expr_const(w.pool, v, UNIT_NONE); }
static Expr *coord(int axis) { return expr_coord(w.pool, axis, UNIT_NONE); }
static Expr *op2(ExprOp op, Expr *a, Expr *b) { return expr_binary(w.pool, op, a, b); }
static Name name(const char *text) { return intern_text(w.names, text); }

static Geom *grid_geom(int dim, double ax, double bx, double ay, double by, double az, double bz) {
  double x[2] = {ax, bx}, y[2] = {ay, by}, z[2] = {az, bz};
  if (dim == 1) return geom_primitive(geom_row("interval"), (GeomArg[]){{&x[0], 1}, {&x[1], 1}}, &w.diags, span);
  return geom_primitive(geom_row(dim == 2 ? "rectangle" : "box"), (GeomArg[]){{x, 2}, {y, 2}, {z, 2}}, &w.diags, span);
}

/* Takes geom over. */
static Geom *with_group(Geom *geom, const char *text, Expr *predicate, bool is_region) {
  Geom *out = geom_with_group(geom, w.names, &(GeomGroup){.name = name(text), .predicate = predicate, .is_region = is_region, .span = {5, 6}}, &w.diags);
  geom_release(geom);
  return out;
}

static Mesh *grid(Geom *geom, int nx, int ny, int nz) {
  Mesh *mesh = NULL;
  MeshOptions o = {.cells = {nx, ny, nz}, .ncells_given = geom_dim(geom), .span = span};
  mesh_structured(geom, &o, &w.diags, &mesh);
  geom_release(geom);
  return mesh;
}

/* What holds for every whole mesh: positive cells, each facet once or twice, normals that sum to zero, group measures that add up. */
static void check_mesh(Mesh *mesh, double measure, double surface) {
  double volume = 0, boundary = 0, sum[3] = {0}, flux = 0;
  int dim = mesh->dim;
  for (int c = 0; c < mesh->ncells; c++) volume += mesh_cell_measure(mesh, c);
  for (int f = 0; f < mesh->nboundary; f++) {
    double n[3], area = mesh_facet_measure(mesh, f);
    int v[3];
    mesh_facet_normal(mesh, f, n);
    mesh_facet_vertices(mesh, f, v);
    boundary += area;
    for (int d = 0; d < dim; d++) {
      double mid = 0;
      for (int k = 0; k < dim; k++) mid += mesh->x[v[k] * dim + d] / dim;
      sum[d] += area * n[d];
      flux += area * n[d] * mid / dim;   /* divergence theorem for x/dim: the volume */
    }
  }
  assert_true(fabs(volume - measure) <= 1e-12 * measure);
  assert_true(fabs(boundary - surface) <= 1e-12 * surface);
  assert_true(fabs(flux - measure) <= 1e-12 * (measure + surface));
  for (int d = 0; d < dim; d++) assert_true(fabs(sum[d]) <= 1e-12 * surface);
  for (int f = mesh->nboundary; f < mesh->nfacets; f++) {   /* facets between regions, seen from either cell */
    int v[3], shared = 0, m = dim + 1;
    mesh_facet_vertices(mesh, f, v);
    for (int k = 0; k < m; k++)
      for (int q = 0; q < dim; q++) shared += mesh->cell[mesh->facet_cell2[f] * m + k] == v[q];
    assert_int_equal(shared, dim);
  }
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

static void check_group(const Mesh *mesh, const char *text, long count, double measure) {
  const MeshGroup *g = mesh_group(mesh, text);
  assert_non_null(g);
  assert_int_equal(g->count, count);
  assert_true(fabs(g->measure - measure) < 1e-12);
}

static void test_grids(void **state) {
  (void)state;
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
  (void)state;
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
  (void)state;
  Mesh *m = grid(with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "lid", op2(EXPR_EQ, coord(1), num(2)), false), 2, 2, 0);
  assert_null(m);
  assert_int_equal(w.diags.items[0]->code, E1003);
  assert_non_null(strstr(w.diags.items[0]->message, "lid"));
  m = grid(with_group(grid_geom(2, 0, 1, 0, 1, 0, 0), "far", op2(EXPR_GT, coord(0), num(2)), true), 2, 2, 0);
  assert_null(m);
  assert_int_equal(w.diags.items[1]->code, E1003);
}

static void test_regions(void **state) {
  (void)state;
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
  (void)state;
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
