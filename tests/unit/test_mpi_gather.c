/* Fields of a distributed mesh come to rank 0 as on one rank (mpiexec -n 2). */
#include <mpi.h>

#include "mesh_world.h"
#include "numerics/io_gather.h"

static double f(const double *x, int dim, int c) { return sin(3 * x[0] + c) + (dim > 1 ? x[1] * x[1] : 0) - (dim > 2 ? x[0] * x[2] : 0); }

/* Nodal values of f on a mesh, continuous or cell by cell. */
static NodalField sampled(Mesh *m, const char *element, bool jumps) {
  NodalField out = {.ncomp = 2, .shape = shape_vector(2), .element = element_find(element)};
  int dim = m->dim, nodes = element_nodes(out.element, dim), *layout = nodal_layout(m, out.element, &out.nnodes);
  if (jumps) out.nnodes = m->ncells * nodes;
  double *values = calloc((size_t)out.nnodes * 2, sizeof *values), reference[10 * 3];
  out.element->nodes(dim, reference);
  for (int e = 0; e < m->ncells; e++)
    for (int a = 0; a < nodes; a++) {
      double x[3] = {0}, l[4] = {1};
      for (int d = 0; d < dim; d++) { l[d + 1] = reference[a * dim + d]; l[0] -= l[d + 1]; }
      for (int b = 0; b <= dim; b++)
        for (int d = 0; d < dim; d++) x[d] += l[b] * m->x[m->cell[e * (dim + 1) + b] * dim + d];
      int node = jumps ? e * nodes + a : layout[e * nodes + a];
      for (int c = 0; c < 2; c++) values[2 * node + c] = f(x, dim, c) + (jumps ? (double)(m->cell_global ? m->cell_global[e] : e) : 0);
    }
  if (jumps) free(layout);
  else out.cell_node = layout;
  out.values = values;
  return out;
}

static void test_gather(void **state) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int dim = 1; dim <= 3; dim++)
    for (int k = 0; k < 4; k++) {
      Geom *g = grid_geom(dim, 0, 1, 0, 1, 0, 1);
      MeshOptions options = {.cells = {9, 5, 4}, .ncells_given = dim, .order = 1, .span = span};
      Mesh *whole, *gathered;
      assert_int_equal(mesh_structured(g, &options, &w.diags, &whole), 0);
      geom_release(g);
      Mesh *m = mesh_distribute(whole);
      assert_int_equal(gather_mesh(m, &gathered), 0);
      assert_true(!gathered == (rank != 0));
      NodalField local = sampled(m, k % 2 ? "P2" : "P1", k / 2), out;
      assert_int_equal(gather_field(m, gathered, &local, &out), 0);
      if (rank == 0) {
        assert_int_equal(gathered->nranks, 1);
        assert_int_equal(gathered->ncells, m->global_cells);
        NodalField want = sampled(gathered, k % 2 ? "P2" : "P1", k / 2);
        assert_int_equal(out.nnodes, want.nnodes);
        assert_true(!out.cell_node == !want.cell_node);
        for (int i = 0; i < 2 * want.nnodes; i++) assert_true(fabs(out.values[i] - want.values[i]) < 1e-13);
        gathered_free(&want);
        mesh_release(gathered);
      } else assert_null(out.values);
      gathered_free(&out);
      gathered_free(&local);
      mesh_release(m);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_gather)};
  int failed = cmocka_run_group_tests(tests, setup, teardown);
  MPI_Finalize();
  return failed;
}
