#include "mesh_world.h"
#include "numerics/mesh_build.h"

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
  Geom *disk = geom_primitive(geom_row("disk"), (GeomArg[]){{.n = 0}, {.values = &r, .n = 1}}, &w.diags, span), *square = grid_geom(2, 0, 1, 0, 1, 0, 0);
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

/* --- refinement --- */

static void check_refined(Mesh *coarse, Mesh *fine) {
  double a, b;
  assert_int_equal(fine->ncells, coarse->ncells << coarse->dim);
  assert_int_equal(fine->nboundary, coarse->nboundary << (coarse->dim - 1));
  assert_int_equal(fine->level, coarse->level + 1);
  for (int c = 0; c < fine->ncells; c++) assert_true(mesh_signed_measure(fine, c) > 0);
  double v = check_closed(coarse, &a), u = check_closed(fine, &b);
  assert_true(fabs(u - v) < 1e-12 * v && fabs(a - b) < 1e-12 * a);
  assert_int_equal(fine->ngroups, coarse->ngroups);
  for (int i = 0; i < fine->ngroups; i++) {
    const MeshGroup *g = &coarse->groups[i], *h = &fine->groups[i];
    assert_string_equal(g->name, h->name);
    assert_int_equal(h->count, g->count << g->dim);
    assert_true(fabs(h->measure - g->measure) < 1e-12 * (1 + g->measure));
  }
  assert_int_equal(fine->nfacets - fine->nboundary, (coarse->nfacets - coarse->nboundary) << (coarse->dim - 1));
  int *across = mesh_neighbours(fine), outer = 0;
  for (int s = 0; s < fine->ncells * (fine->dim + 1); s++) {
    assert_int_not_equal(across[s], -2);
    outer += across[s] < 0;
  }
  assert_int_equal(outer, fine->nboundary);   /* conforming: no hanging facets */
  for (int f = 0; f < fine->nboundary; f++) assert_int_equal(across[fine->facet_cell[f] * (fine->dim + 1) + fine->facet_local[f]], -1);
  free(across);
}

static void test_refine(void **state) {
  for (int dim = 1; dim <= 3; dim++) {
    Geom *g = with_group(grid_geom(dim, 0, 1, 0, 2, 0, 1), "low", op2(EXPR_LT, coord(0), num(0.5)), true);
    Mesh *m = grid(g, 2, 3, 2), *fine = NULL, *finer = NULL, *plain = grid(grid_geom(dim, 0, 1, 0, 2, 0, 1), 2, 3, 2), *doubled = NULL;
    assert_int_equal(mesh_refine(m, &w.diags, &fine), 0);
    check_refined(m, fine);
    check_topology(fine, 1);
    assert_int_equal(mesh_refine(fine, &w.diags, &finer), 0);
    check_refined(fine, finer);
    if (dim == 3) assert_true(finer->quality > 0.5 * m->quality);
    assert_int_equal(mesh_refine(plain, &w.diags, &doubled), 0);
    check_refined(plain, doubled);
    assert_true(doubled->structured[0] == 4 && fabs(doubled->h_max - fine->h_max) < 1e-14);   /* the grid is that refinement */
    Mesh *all[] = {m, fine, finer, plain, doubled};
    for (int i = 0; i < 5; i++) mesh_release(all[i]);
  }
}

/* --- location --- */

static int located(Mesh *m, const double *p) {
  double X[3], q[3] = {0};
  int c = mesh_locate(m, p, X);
  if (c < 0) return c;
  assert_true(refcell_depth(m->ref, X) >= -1e-9);
  mesh_map(m, c, X, q, NULL);
  for (int d = 0; d < m->dim; d++) assert_true(fabs(q[d] - p[d]) < 1e-12 * (1 + fabs(p[d])));
  return c;
}

static void check_located(Mesh *m) {
  int dim = m->dim, k = dim + 1;
  mesh_edges(m);
  mesh_faces(m);
  for (int i = 0; i < m->nverts; i++) assert_true(located(m, m->x + i * dim) >= 0);
  for (int e = 0; e < m->nedges; e++) {
    double p[3];
    for (int part = 1; part < 4; part++) {   /* along the edge, not only its middle */
      for (int d = 0; d < dim; d++) p[d] = m->x[m->edge[2 * e] * dim + d] + 0.3 * part * (m->x[m->edge[2 * e + 1] * dim + d] - m->x[m->edge[2 * e] * dim + d]);
      assert_true(located(m, p) >= 0);
    }
  }
  for (int f = 0; f < m->nfaces; f++) {
    double p[3] = {0};
    for (int q = 0; q < 3; q++)
      for (int d = 0; d < 3; d++) p[d] += m->x[3 * m->face[3 * f + q] + d] / 3;
    assert_true(located(m, p) >= 0);
  }
  for (int c = 0; c < m->ncells; c++) {
    double p[3] = {0};
    for (int q = 0; q < k; q++)
      for (int d = 0; d < dim; d++) p[d] += m->x[m->cell[c * k + q] * dim + d] / k;
    assert_int_equal(located(m, p), c);
  }
  for (int d = 0; d < dim; d++) {
    double p[3];
    for (int s = -1; s <= 1; s += 2) {
      for (int q = 0; q < dim; q++) p[q] = (m->lo[q] + m->hi[q]) / 2;
      p[d] = (s < 0 ? m->lo[d] : m->hi[d]) + s * 1e-6 * (m->hi[d] - m->lo[d]);
      assert_int_equal(mesh_locate(m, p, (double[4]){0}), -1);
    }
  }
  assert_int_equal(mesh_locate(m, (double[3]){NAN, NAN, NAN}, (double[4]){0}), -1);
}

static void test_locate(void **state) {
  Mesh *a = grid(grid_geom(1, -1, 2, 0, 0, 0, 0), 37, 0, 0), *b = grid(grid_geom(2, 0, 2, 0, 1e-3, 0, 0), 17, 9, 0), *c = grid(grid_geom(3, 0, 5, 0, 1, -1, 1), 9, 5, 4);
  check_located(a);
  check_located(b);
  check_located(c);
  mesh_release(a);
  mesh_release(b);
  mesh_release(c);
}

/* A mesh with a notch: the walk must not be trapped in it. */
static void test_locate_notch(void **state) {
  Mesh *whole = grid(grid_geom(2, 0, 1, 0, 1, 0, 0), 20, 20, 0);
  Mesh *m = mesh_new(CELL_SIMPLEX, 2, whole->nverts, 0);
  m->cell = big_resize(m->cell, 0, sizeof(int) * 3 * (size_t)whole->ncells);
  memcpy(m->x, whole->x, sizeof(double) * 2 * (size_t)whole->nverts);
  for (int k = 0; k < whole->ncells; k++) {   /* all but a thin slit from the top */
    double x = 0, y = 0;
    for (int q = 0; q < 3; q++) x += whole->x[2 * whole->cell[3 * k + q]] / 3, y += whole->x[2 * whole->cell[3 * k + q] + 1] / 3;
    if (x > 0.45 && x < 0.55 && y > 0.1) continue;
    memcpy(m->cell + 3 * m->ncells++, whole->cell + 3 * k, 3 * sizeof(int));
  }
  for (int k = 0; k < m->ncells; k++) {
    double p[2] = {0}, l[4];
    for (int q = 0; q < 3; q++) p[0] += m->x[2 * m->cell[3 * k + q]] / 3, p[1] += m->x[2 * m->cell[3 * k + q] + 1] / 3;
    assert_int_equal(mesh_locate(m, p, l), k);
  }
  assert_int_equal(mesh_locate(m, (double[]){0.5, 0.7}, (double[4]){0}), -1);
  mesh_release(m);
  mesh_release(whole);
}

/* A shuffled mesh comes back to a small bandwidth, with the same cells. */
static void test_reorder(void **state) {
  Mesh *m = grid(grid_geom(2, 0, 1, 0, 1, 0, 0), 30, 30, 0);
  int n = m->nverts, *to = malloc(sizeof(int) * (size_t)n), *old, *cells;
  for (int i = 0; i < n; i++) to[i] = (int)((long)i * 577 % n);   /* 961 = 31^2 */
  double *x = malloc(sizeof(double) * 2 * (size_t)n);
  for (int i = 0; i < n; i++) memcpy(x + 2 * to[i], m->x + 2 * i, 2 * sizeof *x);
  memcpy(m->x, x, sizeof(double) * 2 * (size_t)n);
  for (int i = 0; i < 3 * m->ncells; i++) m->cell[i] = to[m->cell[i]];
  mesh_reorder(m, &old, &cells);
  int band = 0;
  double area = 0;
  for (int c = 0; c < m->ncells; c++) {
    area += mesh_signed_measure(m, c);
    for (int q = 0; q < 3; q++)
      for (int r = 0; r < 3; r++) {
        int d = abs(m->cell[3 * c + q] - m->cell[3 * c + r]);
        if (d > band) band = d;
      }
  }
  assert_true(band <= 62 && fabs(area - 1) < 1e-13);
  for (int i = 0; i < n; i++) assert_memory_equal(m->x + 2 * i, x + 2 * old[i], 2 * sizeof *x);
  free(to);
  free(x);
  free(old);
  free(cells);
  mesh_release(m);
}

static Mesh *line(Geom *geom, Expr *field, double h) {
  Mesh *m = NULL;
  mesh_generate(geom, &(MeshOptions){.h = h, .h_field = field, .span = span}, &w.diags, &m);
  geom_release(geom);
  return m;
}

static void test_intervals(void **state) {
  Mesh *m = line(grid_geom(1, 0, 1, 0, 0, 0, 0), NULL, 0.3);
  assert_true(m->ncells == 4 && fabs(m->h_max - 0.25) < 1e-15);
  mesh_release(m);
  m = line(SHAPE("polyline", N(4), 0, 0.1, 0.25, 1), NULL, 0.1);   /* a vertex at every point */
  check_mesh(m, 0.75 + 0.25, 2);
  int hits = 0;
  for (int i = 0; i < m->nverts; i++) hits += m->x[i] == 0.1 || m->x[i] == 0.25;
  assert_int_equal(hits, 2);
  mesh_release(m);
  m = line(with_group(grid_geom(1, 0, 1, 0, 0, 0, 0), "foam", op2(EXPR_GT, coord(0), num(1.0 / 3)), true), NULL, 0.1);
  assert_true(fabs(mesh_group(m, "foam")->measure - 2.0 / 3) < 1e-14);
  mesh_release(m);
  m = line(grid_geom(1, 0, 1, 0, 0, 0, 0), op2(EXPR_ADD, num(0.01), op2(EXPR_MUL, num(0.1), coord(0))), 0);
  check_mesh(m, 1, 2);
  for (int c = 0; c < m->ncells; c++) {
    double h = m->x[c + 1] - m->x[c], want = 0.01 + 0.05 * (m->x[c] + m->x[c + 1]);
    assert_true(h > 0.85 * want && h < 1.1 * want);
  }
  assert_int_equal(w.diags.n, 0);
  mesh_release(m);
}

int main(void) {
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_grids),  TEST(test_predicate_boundary), TEST(test_empty_group), TEST(test_regions), TEST(test_refusals),
                                     TEST(test_refine), TEST(test_locate),             TEST(test_locate_notch), TEST(test_reorder), TEST(test_intervals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
