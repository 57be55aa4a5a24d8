/* Scalar problems: manufactured solutions in one to three dimensions with P1 and P2, patch tests, Neumann and Robin data, sizes of systems. */
#include "num_lab.h"

static Expr *sine(Expr *e) { return un(EXPR_SIN, e); }
static Expr *pi_times(Expr *e) { return mul(num(M_PI), e); }

static Expr *product_of_sines(int dim) {
  Expr *u = sine(pi_times(X(0)));
  for (int d = 1; d < dim; d++) u = mul(u, sine(pi_times(X(d))));
  return u;
}

/* -lap(u) + u == f, u given all around. */
static void errors(int dim, const char *name, int n, double *l2, double *h1) {
  num_open(dim);
  Expr *u = scalar("u"), *exact = product_of_sines(dim);
  element(0, name);
  equation(0, add(neg(lap(u)), u), mul(num(dim * M_PI * M_PI + 1), exact));
  on("all", u, zero());
  Mesh *mesh = cube(n);
  Solution *solution = solved(mesh);
  Expr *difference = sub(field_of(0, solution, 0), exact);
  *l2 = norm_l2(difference, mesh);
  *h1 = norm_h1(difference, mesh);
  assert_true(info(solution).residual <= 1e-10);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

static void orders(int dim, const char *name, int coarse, double want_l2, double want_h1) {
  double a[2], b[2];
  errors(dim, name, coarse, &a[0], &a[1]);
  errors(dim, name, 2 * coarse, &b[0], &b[1]);
  double l2 = log2(a[0] / b[0]), h1 = log2(a[1] / b[1]);
  if (fabs(l2 - want_l2) > 0.15 || fabs(h1 - want_h1) > 0.15) fail_msg("%dD %s: orders %.3f and %.3f instead of %g and %g", dim, name, l2, h1, want_l2, want_h1);
}

static void test_orders(void **state) {
  orders(1, "P1", 32, 2, 1);
  orders(1, "P2", 16, 3, 2);
  orders(2, "P1", 32, 2, 1);
  orders(2, "P2", 16, 3, 2);
  orders(3, "P1", 12, 2, 1);
  orders(3, "P2", 6, 3, 2);
}

/* A field of the space itself is found exactly, whatever the data say. */
static void patch(int dim, const char *name) {
  num_open(dim);
  Expr *u = scalar("u"), *exact = add(num(1), mul(num(2), X(0)));
  if (dim > 1) exact = sub(exact, mul(num(3), X(1)));
  if (dim > 2) exact = add(exact, mul(num(0.5), X(2)));
  bool quadratic = !strcmp(name, "P2");
  if (quadratic) exact = add(exact, mul(X(0), X(dim - 1)));
  Expr *k = num(2);
  element(0, name);
  equation(0, neg(div_(mul(k, grad(u)))), quadratic && dim == 1 ? num(-4) : zero());
  on("all", u, exact);
  Mesh *mesh = cube(dim == 3 ? 3 : 5);
  Solution *solution = solved(mesh);
  Expr *field = field_of(0, solution, 0);
  assert_true(norm_l2(sub(field, exact), mesh) < 1e-12);
  assert_true(norm_h1(sub(field, exact), mesh) < 1e-11);
  double out, at[3];
  assert_int_equal(api->reduce(engine, REDUCE_MAX, un(EXPR_ABS, sub(field, exact)), mesh, NULL, true, 0, &world, &lab.diags, here(), &out, at), 0);
  assert_true(out < 1e-12);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

static void test_patch(void **state) {
  for (int dim = 1; dim <= 3; dim++) patch(dim, "P1"), patch(dim, "P2");
}

/* Neumann on the right, Robin on top, with the flux of k*grad(u) and k a parameter of the pde; the exact solution is linear. */
static void test_natural(void **state) {
  num_open(2);
  Expr *u = scalar("u"), *k = param("k", 3), *exact = add(add(num(1), X(0)), mul(num(2), X(1)));
  Expr *flux = mul(k, grad(u));
  equation(0, neg(div_(flux)), zero());
  on("left", u, exact);
  on("bottom", u, exact);
  on("right", dot(flux, nrm()), mul(k, num(1)));
  on("top", dot(flux, nrm()), add(mul(num(2), k), mul(num(5), sub(exact, u))));
  Mesh *mesh = cube(6);
  Solution *solution = solved(mesh);
  Expr *field = field_of(0, solution, 0);
  assert_true(norm_l2(sub(field, exact), mesh) < 1e-12);
  assert_true(fabs(value_at(field, mesh, 0.37, 0.61, 0) - 2.59) < 1e-12);
  assert_true(fabs(value_at(comp(grad(field), 1), mesh, 0.5, 0.5, 0) - 2) < 1e-11);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* Geometric multigrid finds what a factor finds, in a number of iterations that does not grow; with Robin data, a varying coefficient, through time. */
static double by(const char *solver, int n, bool through_time, int *iterations) {
  num_open(2);
  Expr *u = scalar("u"), *flux = mul(add(num(1), mul(X(0), X(1))), grad(u)), *source = un(EXPR_EXP, X(0));
  equation(0, through_time ? dt(u) : mul(num(2), u), add(div_(flux), source));
  on("left", u, X(1));
  on("top", u, sub(num(1), X(0)));
  on("right bottom", dot(flux, nrm()), sub(num(1), mul(num(3), u)));
  if (through_time) initially(0, 0, X(1));
  double size[] = {2, 1};
  int cells[] = {2 * n, n};
  Mesh *mesh = boxed(size, cells);
  Solution *solution = solved_with(mesh, &(SolveOptions){.solver = solver, .transient = through_time, .t1 = 0.1, .step = 0.05});
  *iterations = info(solution).iterations;
  double value = value_at(field_of(0, solution, 0), mesh, 1.3, 0.41, 0);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
  return value;
}

static void test_multigrid(void **state) {
  int few, more, one;
  for (int time = 0; time < 2; time++) {
    assert_true(fabs(by("cg+multigrid", 32, time, &few) - by("mumps", 32, time, &one)) < 1e-9);
    by("cg+multigrid", 128, time, &more);
    assert_in_range(more, 2, few + 3);
  }
}

/* The same in two and three dimensions, P1 and P2, scalar and vector unknowns, with cells that are longer than high. */
static double boxed_by(const char *solver, int dim, const char *space, bool elastic, int n, int *iterations) {
  num_open(dim);
  Expr *u = elastic ? vector("u") : scalar("u"), *flux = elastic ? add(mul(tr(eps(u)), ident()), mul(num(2), eps(u))) : mul(add(num(1), X(0)), grad(u));
  Expr *source = elastic ? dim == 2 ? vec2(X(1), num(1)) : vec3(X(1), num(1), X(0)) : un(EXPR_EXP, X(0)), *none = expr_zero(lab.pool, u->shape);
  element(0, space);
  equation(0, neg(div_(flux)), source);
  on(dim == 2 ? "left" : "x_min", u, none);
  on("others", dot(flux, nrm()), none);
  double size[] = {2, 1, 0.5};
  int cells[] = {n, 2 * n, n};
  Mesh *mesh = boxed(size, cells);
  Solution *solution = solved_with(mesh, &(SolveOptions){.solver = solver});
  *iterations = info(solution).iterations;
  Expr *field = field_of(0, solution, 0);
  double value = value_at(elastic ? comp(field, 1) : field, mesh, 1.3, 0.41, 0.17);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
  return value;
}

static void test_multigrid_boxes(void **state) {
  for (int dim = 2; dim <= 3; dim++)
    for (int p = 1; p <= 2; p++)
      for (int elastic = 0; elastic < 2; elastic++) {
        const char *space = p == 1 ? "P1" : "P2";
        int few, more, one, n = dim == 2 ? 32 : 8;
        double factor = boxed_by("mumps", dim, space, elastic, n, &one);
        for (int store = 0; store <= elastic; store++) {
          assert_true(fabs(boxed_by(store ? "cg+multigrid-blocks" : "cg+multigrid", dim, space, elastic, n, &few) - factor) <= 1e-7 * fabs(factor));
          boxed_by(store ? "cg+multigrid-blocks" : "cg+multigrid", dim, space, elastic, dim == 2 ? 2 * n : 12, &more);
          assert_in_range(few, 2, 60);
          assert_in_range(more, 2, few + 8);
        }
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_patch), cmocka_unit_test(test_natural), cmocka_unit_test(test_multigrid), cmocka_unit_test(test_multigrid_boxes),
                                     cmocka_unit_test(test_orders)};
  return cmocka_run_group_tests_name("num_poisson", tests, NULL, NULL);
}
