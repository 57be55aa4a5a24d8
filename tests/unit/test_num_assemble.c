/* The position map against MatSetValues: the same entries for every store, number of unknowns and kind of element, before and after a second assembly. */
#include <unistd.h>

#include "num_lab.h"

#include "../../numerics/engine_internal.h"
#include "../../numerics/problem.h"

/* Adds the element matrices of one lane at a time through PETSc's own insertion. */
static Mat oracle(Problem *problem) {
  const Space *space = problem->space;
  int n = space->nowned, m = space->dofs_per_cell;
  Mat matrix;
  assert_int_equal(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 400, NULL, &matrix), 0);
  MatSetOption(matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE);
  PetscInt *dof = calloc((size_t)m, sizeof *dof);
  double *element = calloc((size_t)(m * m), sizeof(double));
  const Mesh *mesh = problem->mesh;
  for (int k = 0; k < problem->step.njacobian; k++) {
    const Part *part = &problem->step.jacobian[k];
    const Kernel *kernel = part->kernel;
    assert_int_equal(kernel->kind, INTEGRAL_CELL);
    assert_int_equal(kernel->nfields, 0);
    double *x = lanes_alloc((size_t)kernel->nx, kernel->width), *c = lanes_alloc((size_t)kernel->nc, kernel->width), *out = lanes_alloc((size_t)kernel->nout, kernel->width);
    double *p = lanes_alloc((size_t)kernel->np, 1), *w = lanes_alloc(1, kernel->width);
    void *scratch = lanes_alloc(kernel_scratch(kernel) / 8 + 8, 1);
    Data data = problem_data(problem, NAN);
    for (int i = 0; i < kernel->np; i++) assert_int_equal(data_number(&data, kernel->params[i], &p[i]), 0);
    for (int cell = 0; cell < mesh->ncells; cell++) {
      for (int i = 0; i < kernel->nx; i++)
        for (int l = 0; l < kernel->width; l++) x[i * kernel->width + l] = mesh->x[mesh->cell[cell * (mesh->dim + 1) + i / mesh->dim] * mesh->dim + i % mesh->dim];
      kernel_run(kernel, x, w, c, p, 0, out, scratch);
      for (int i = 0; i < m * m; i++) element[i] = out[(size_t)i * (size_t)kernel->width];
      int at = 0;
      for (int b = 0; b < space->nblocks; b++)
        for (int a = 0; a < space->block[b].nodes->per_cell; a++)
          for (int i = 0; i < space->block[b].components; i++)
            dof[at++] = space_dof(&space->block[b], space->block[b].nodes->cell[cell * space->block[b].nodes->per_cell + a]) + i;
      assert_int_equal(MatSetValues(matrix, m, dof, m, dof, element, ADD_VALUES), 0);
    }
    free(x), free(c), free(out), free(p), free(w), free(scratch);
  }
  free(dof), free(element);
  MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
  return matrix;
}

static void compare_on(Mesh *mesh, StoreKind store) {
  Problem *problem;
  Status status = problem_new(engine, &lab.pde, mesh, &world, NULL, 0, &lab.diags, here(), &problem);
  if (status) print_diags();
  assert_int_equal(status, 0);
  const char *prescribed = problem->bc->prescribed;
  Pattern *pattern;
  assert_int_equal(pattern_new(problem->space, store, false, NULL, prescribed, NULL, &pattern), 0);
  Data data = problem_data(problem, NAN);
  Mat plain = oracle(problem);
  for (int round = 0; round < 2; round++) {
    assert_int_equal(problem_jacobian(problem, &data, pattern), 0);
    double most = 0, worst = 0;
    for (PetscInt r = 0; r < problem->space->nowned; r++)
      for (PetscInt c = store == STORE_SBAIJ ? r : 0; c < problem->space->nowned; c++) {
        double want, got;
        MatGetValues(plain, 1, &r, 1, &c, &want);
        MatGetValues(pattern->matrix, 1, &r, 1, &c, &got);
        if (prescribed[r] || prescribed[c]) want = r == c ? pattern->scale : 0;
        most = fmax(most, fabs(want));
        worst = fmax(worst, fabs(want - got));
      }
    assert_true(most > 0 && worst <= 1e-14 * most);
  }
  MatDestroy(&plain);
  pattern_free(pattern);
  problem_free(problem);
  api->mesh_release(mesh);
}

static void compare(StoreKind store, int dim) { compare_on(cube(dim == 3 ? 2 : 3), store); }

static void test_scalar(void **state) {
  for (int dim = 1; dim <= 3; dim++)
    for (int p = 1; p <= 2; p++) {
      num_open(dim);
      Expr *u = scalar("u");
      element(0, p == 1 ? "P1" : "P2");
      equation(0, add(neg(lap(u)), d_(u, 0)), zero());
      on(dim < 3 ? "left" : "x_min", u, zero());
      compare(STORE_AIJ, dim);
      num_close();
    }
}

static void test_vector(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int p = 1; p <= 2; p++)
      for (StoreKind store = STORE_AIJ; store <= STORE_SBAIJ; store++) {
        num_open(dim);
        Expr *u = vector("u"), *sigma = add(mul(tr(eps(u)), ident()), mul(num(2), eps(u)));
        element(0, p == 1 ? "P1" : "P2");
        equation(0, neg(div_(sigma)), dim == 2 ? vec2(zero(), zero()) : vec3(zero(), zero(), zero()));
        on(dim < 3 ? "left" : "x_min", u, zero());
        on(dim < 3 ? "bottom" : "y_min", comp(u, 1), zero());
        compare(store, dim);
        num_close();
      }
}

static void test_mixed(void **state) {
  for (int dim = 2; dim <= 3; dim++) {
    num_open(dim);
    Expr *u = vector("u"), *p = unknown("p", SHAPE_SCALAR, "q");
    element(0, "P2");
    equation(0, neg(div_(sub(grad(u), mul(p, ident())))), dim == 2 ? vec2(zero(), zero()) : vec3(zero(), zero(), zero()));
    equation(1, div_(u), zero());
    on(dim < 3 ? "left" : "x_min", u, zero());
    compare(STORE_AIJ, dim);
    num_close();
  }
}

/* A vertex with more neighbours than a byte counts: a fan of triangles. */
static Mesh *fan(int n) {
  char path[] = "/tmp/fan-XXXXXX.msh";
  int file = mkstemps(path, 4);
  assert_true(file >= 0);
  FILE *out = fdopen(file, "w");
  fprintf(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"rim\"\n2 2 \"plate\"\n$EndPhysicalNames\n$Nodes\n%d\n%d 0 0 0\n", n + 1, n + 1);
  for (int i = 0; i < n; i++) fprintf(out, "%d %.17g %.17g 0\n", i + 1, cos(2 * M_PI * i / n), sin(2 * M_PI * i / n));
  fprintf(out, "$EndNodes\n$Elements\n%d\n", 2 * n);
  for (int i = 0; i < n; i++) fprintf(out, "%d 1 2 1 1 %d %d\n%d 2 2 2 1 %d %d %d\n", 2 * i + 1, i + 1, (i + 1) % n + 1, 2 * i + 2, n + 1, i + 1, (i + 1) % n + 1);
  fprintf(out, "$EndElements\n");
  fclose(out);
  Mesh *mesh = NULL;
  Status status = api->mesh_read(engine, path, 1, &lab.diags, here(), &mesh);
  unlink(path);
  if (status) print_diags();
  assert_int_equal(status, 0);
  return mesh;
}

static void test_long_rows(void **state) {
  for (int n = 252; n <= 300; n += 48)
    for (int scalars = 0; scalars < 2; scalars++)
      for (StoreKind store = STORE_AIJ; store <= (scalars ? STORE_AIJ : STORE_SBAIJ); store++) {
        num_open(2);
        Expr *u = scalars ? scalar("u") : vector("u");
        Expr *flux = scalars ? grad(u) : add(mul(tr(eps(u)), ident()), mul(num(2), eps(u))), *none = expr_zero(lab.pool, u->shape);
        equation(0, sub(u, div_(flux)), none);
        on("rim", dot(flux, nrm()), none);
        compare_on(fan(n), store);
        num_close();
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_scalar), cmocka_unit_test(test_vector), cmocka_unit_test(test_mixed), cmocka_unit_test(test_long_rows)};
  return cmocka_run_group_tests_name("num_assemble", tests, NULL, NULL);
}
