/* Meshes over ranks (mpiexec -n 2): ownership, completeness of what an owner needs, counts and measures as on one rank. */
#include <mpi.h>

#include "mesh_world.h"
#include "numerics/mesh_build.h"

static long sum_long(long v) {
  long out;
  MPI_Allreduce(&v, &out, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return out;
}
static double sum_real(double v) {
  double out;
  MPI_Allreduce(&v, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return out;
}

static void check_part(Mesh *m) {
  const Mesh *whole = mesh_whole(m);
  int nranks, dim = m->dim, k = dim + 1;
  MPI_Comm_size(MPI_COMM_WORLD, &nranks);
  assert_int_equal(m->nranks, nranks);
  if (nranks == 1) return;
  long verts = 0, cells = 0;
  double volume = 0;
  for (int i = 0; i < m->nverts; i++) {
    verts += m->vertex_owner[i] == m->rank;
    assert_true(i == 0 || m->vertex_global[i - 1] < m->vertex_global[i]);
    assert_memory_equal(m->x + i * dim, whole->x + m->vertex_global[i] * dim, (size_t)dim * sizeof(double));
  }
  assert_true(verts > 0 && verts < whole->nverts * 3 / 4);
  /* a cell that touches an owned vertex has all its neighbours here; nothing else is here but those */
  int *across = mesh_neighbours(m), *of_whole = mesh_neighbours(whole), more = 0;
  for (int c = 0; c < m->ncells; c++) {
    bool touches = false;
    for (int q = 0; q < k; q++) {
      touches |= m->vertex_owner[m->cell[c * k + q]] == m->rank;
      assert_int_equal(m->vertex_global[m->cell[c * k + q]], whole->cell[m->cell_global[c] * k + q]);
    }
    for (int q = 0; q < k && touches; q++) assert_true((across[c * k + q] < 0) == (of_whole[m->cell_global[c] * k + q] < 0));
    more += !touches;
    if (!mesh_owns_cell(m, c)) continue;
    cells++;
    volume += mesh_cell_measure(m, c);
  }
  free(across);
  free(of_whole);
  assert_true(more < m->ncells / 2);
  assert_int_equal(sum_long(verts), whole->nverts);
  assert_int_equal(sum_long(cells), whole->ncells);
  double exact = 0;
  for (int c = 0; c < whole->ncells; c++) exact += mesh_cell_measure(whole, c);
  assert_true(fabs(sum_real(volume) - exact) < 1e-12 * exact);
  /* an owned vertex has all its cells here */
  int *here = calloc((size_t)m->nverts, sizeof *here), *there = calloc((size_t)whole->nverts, sizeof *there);
  for (int s = 0; s < m->ncells * k; s++) here[m->cell[s]]++;
  for (int s = 0; s < whole->ncells * k; s++) there[whole->cell[s]]++;
  for (int i = 0; i < m->nverts; i++)
    if (m->vertex_owner[i] == m->rank) assert_int_equal(here[i], there[m->vertex_global[i]]);
  free(here);
  free(there);
  /* groups: owned entities over all ranks are the whole's */
  assert_int_equal(m->ngroups, whole->ngroups);
  for (int g = 0; g < m->ngroups; g++) {
    const MeshGroup *a = &m->groups[g];
    long n = 0;
    double measure = 0;
    for (int i = 0; i < a->n; i++) {
      bool owned = a->dim == dim ? mesh_owns_cell(m, a->entity[i]) : mesh_owns_facet(m, a->entity[i]);
      if (!owned) continue;
      n++;
      measure += a->dim == dim ? mesh_cell_measure(m, a->entity[i]) : mesh_facet_measure(m, a->entity[i]);
    }
    assert_int_equal(sum_long(n), a->count);
    assert_true(fabs(sum_real(measure) - a->measure) < 1e-12 * (1 + a->measure));
    assert_int_equal(a->count, whole->groups[g].count);
  }
  /* the owner of an interface facet sees it from both sides */
  long inner = 0;
  for (int f = m->nboundary; f < m->nfacets; f++) inner += mesh_owns_facet(m, f);
  assert_int_equal(sum_long(inner), whole->nfacets - whole->nboundary);
}

static void test_grids(void **state) {
  for (int dim = 1; dim <= 3; dim++) {
    Geom *g = with_group(grid_geom(dim, 0, 1, 0, 1, 0, 1), "low", op2(EXPR_LT, coord(0), num(0.5)), true);
    Mesh *m = NULL, *fine = NULL;
    MeshOptions o = {.cells = {8, 6, 6}, .ncells_given = dim, .span = span};
    assert_int_equal(mesh_make(g, &o, &w.diags, &m), 0);
    check_part(m);
    assert_int_equal(mesh_refine(m, &w.diags, &fine), 0);
    fine = mesh_distribute(fine);
    check_part(fine);
    assert_int_equal(fine->global_cells, m->global_cells << dim);
    mesh_release(m);
    mesh_release(fine);
    geom_release(g);
  }
}

static void test_file(void **state) {
  char path[400];
  Mesh *m = NULL;
  snprintf(path, sizeof path, "%s/data/overlap_41b.msh", TEST_SRCDIR);
  assert_int_equal(mesh_import(path, 1, w.names, &w.diags, span, &m), 0);
  check_part(m);
  mesh_release(m);
  assert_int_not_equal(mesh_import("nowhere.msh", 1, w.names, &w.diags, span, &m), 0);
  assert_int_equal(w.diags.nerrors, 1);
}

/* A point lies in a cell of one rank or more, and everywhere in none outside. */
static void test_locate(void **state) {
  Geom *g = grid_geom(2, 0, 1, 0, 1, 0, 0);
  Mesh *m = NULL;
  assert_int_equal(mesh_make(g, &(MeshOptions){.cells = {9, 7}, .ncells_given = 2, .span = span}, &w.diags, &m), 0);
  for (int i = 0; i < 200; i++) {
    double p[2] = {fmod(0.618034 * i, 1), fmod(0.754878 * i, 1)}, l[3];
    assert_true(sum_long(mesh_locate(m, p, l) >= 0) >= 1);
  }
  assert_int_equal(sum_long(mesh_locate(m, (double[]){1.5, 0.5}, (double[3]){0}) >= 0), 0);
  mesh_release(m);
  geom_release(g);
}

int main(int argc, char **argv) {
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
  const struct CMUnitTest tests[] = {TEST(test_grids), TEST(test_file), TEST(test_locate)};
  MPI_Init(&argc, &argv);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  return failed;
}
