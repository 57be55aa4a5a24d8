/* Vector and coupled unknowns: elasticity by every solver, components, Taylor-Hood, mean constraints; Newton. */
#include "num_lab.h"

static Expr *sine(Expr *e) { return un(EXPR_SIN, mul(num(M_PI), e)); }
static Expr *cosine(Expr *e) { return un(EXPR_COS, mul(num(M_PI), e)); }

static Expr *stress(Expr *u, double lambda, double mu) { return add(mul(mul(num(lambda), tr(eps(u))), ident()), mul(num(2 * mu), eps(u))); }

/* A displacement that is zero on the boundary of the square, with the body force that belongs to it. */
static void elasticity(const char *name, int n, const char *solver, double *l2, double *h1) {
  num_open(2);
  Expr *u = vector("u"), *bubble = mul(sine(X(0)), sine(X(1))), *exact = vec2(bubble, mul(num(-2), bubble));
  element(0, name);
  equation(0, neg(div_(stress(u, 1.5, 1))), neg(div_(stress(exact, 1.5, 1))));
  on("all", u, zero());
  Mesh *mesh = cube(n);
  Solution *solution = solved_with(mesh, &(SolveOptions){.solver = solver});
  if (solver) assert_string_equal(info(solution).solver, solver);
  Expr *difference = sub(field_of(0, solution, 0), exact);
  *l2 = norm_l2(difference, mesh);
  *h1 = norm_h1(difference, mesh);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

static void test_elasticity_orders(void **state) {
  const char *name[] = {"P1", "P2"};
  for (int p = 1; p <= 2; p++) {
    double a[2], b[2];
    elasticity(name[p - 1], 16, NULL, &a[0], &a[1]);
    elasticity(name[p - 1], 32, NULL, &b[0], &b[1]);
    assert_true(fabs(log2(a[0] / b[0]) - (p + 1)) < 0.15);
    assert_true(fabs(log2(a[1] / b[1]) - p) < 0.15);
  }
}

static void test_solvers_agree(void **state) {
  static const char *solvers[] = {"mumps", "cholmod", "mumps-cholesky", "umfpack", "cg+icc", "cg+icc-blocks", "cg+hypre", "cg+gamg", "gmres+ilu"};
  double want[2], got[2];
  elasticity("P2", 6, "mumps", &want[0], &want[1]);
  for (size_t i = 1; i < sizeof solvers / sizeof *solvers; i++) {
    elasticity("P2", 6, solvers[i], &got[0], &got[1]);
    if (fabs(got[0] - want[0]) > 1e-8 * want[0] || fabs(got[1] - want[1]) > 1e-8 * want[1]) fail_msg("%s: %.12g instead of %.12g", solvers[i], got[0], want[0]);
  }
}

/* Uniaxial tension with rollers: one component prescribed on each of two sides; the solution is linear. */
static void test_components(void **state) {
  for (int dim = 2; dim <= 3; dim++) {
    num_open(dim);
    Expr *u = vector("u"), *flux = stress(u, 1, 1);
    equation(0, neg(div_(flux)), dim == 2 ? vec2(zero(), zero()) : vec3(zero(), zero(), zero()));
    on(dim == 2 ? "left" : "x_min", comp(u, 0), zero());
    on(dim == 2 ? "bottom" : "y_min", comp(u, 1), zero());
    if (dim == 3) on("z_min", comp(u, 2), zero());
    on(dim == 2 ? "right" : "x_max", dot(flux, nrm()), dim == 2 ? vec2(num(1), zero()) : vec3(num(1), zero(), zero()));
    Mesh *mesh = cube(4);
    Solution *solution = solved(mesh);
    Expr *field = field_of(0, solution, 0);
    /* E, nu of the plane (strain) or space problem with lambda = mu = 1 */
    double strain = dim == 2 ? 3. / 8 : 2. / 5, across = dim == 2 ? -1. / 8 : -1. / 10;
    Expr *exact = dim == 2 ? vec2(mul(num(strain), X(0)), mul(num(across), X(1))) : vec3(mul(num(strain), X(0)), mul(num(across), X(1)), mul(num(across), X(2)));
    assert_true(norm_l2(sub(field, exact), mesh) < 1e-10);
    api->solution_release(solution);
    api->mesh_release(mesh);
    num_close();
  }
}

/* Poiseuille flow lies in the Taylor-Hood space. */
static void test_stokes(void **state) {
  num_open(2);
  Expr *u = vector("u"), *p = unknown("p", SHAPE_SCALAR, "q");
  element(0, "P2");
  Expr *sigma = sub(grad(u), mul(p, ident())), *profile = vec2(mul(mul(num(4), X(1)), sub(num(1), X(1))), zero());
  equation(0, neg(div_(sigma)), vec2(zero(), zero()));
  equation(1, div_(u), zero());
  on("left", u, profile);
  on("bottom top", u, zero());
  on("right", dot(sigma, nrm()), neg(mul(sub(num(8), mul(num(8), X(0))), nrm())));     /* grad(u) n = 0 there, p = 8 (1 - x) */
  Mesh *mesh = cube(5);
  Solution *solution = solved(mesh);
  Expr *velocity = field_of(0, solution, 0), *pressure = field_of(1, solution, 1);
  assert_true(norm_l2(sub(velocity, profile), mesh) < 1e-10);
  assert_true(norm_l2(sub(pressure, mul(num(8), sub(num(1), X(0)))), mesh) < 1e-8);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* The same with the velocity given all around: the pressure is fixed by its mean. */
static void test_mean_of_pressure(void **state) {
  num_open(2);
  Expr *u = vector("u"), *p = unknown("p", SHAPE_SCALAR, "q");
  element(0, "P2");
  Expr *sigma = sub(grad(u), mul(p, ident())), *profile = vec2(mul(mul(num(4), X(1)), sub(num(1), X(1))), zero());
  equation(0, neg(div_(sigma)), vec2(zero(), zero()));
  equation(1, div_(u), zero());
  on("all", u, profile);
  mean_zero(1);
  Mesh *mesh = cube(5);
  Solution *solution = solved(mesh);
  Expr *velocity = field_of(0, solution, 0), *pressure = field_of(1, solution, 1);
  assert_true(norm_l2(sub(velocity, profile), mesh) < 1e-10);
  assert_true(norm_l2(sub(pressure, mul(num(8), sub(num(0.5), X(0)))), mesh) < 1e-8);
  assert_true(fabs(integral(pressure, mesh, NULL)) < 1e-10);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* Pure Neumann data with a mean: u = cos(pi x) cos(pi y). */
static void test_mean_of_scalar(void **state) {
  num_open(2);
  Expr *u = scalar("u"), *exact = mul(cosine(X(0)), cosine(X(1)));
  element(0, "P2");
  equation(0, neg(lap(u)), mul(num(2 * M_PI * M_PI), exact));
  on("all", dot(grad(u), nrm()), zero());
  mean_zero(0);
  Mesh *mesh = cube(12);
  Solution *solution = solved(mesh);
  Expr *field = field_of(0, solution, 0);
  assert_true(fabs(integral(field, mesh, NULL)) < 1e-12);
  assert_true(norm_l2(sub(field, exact), mesh) < 1e-3);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* -div((1 + u^2) grad(u)) == f. Quadratic: the residuals of Newton's steps fall from 1 below 1e-10 in few of them. */
static double nonlinear(int n, int *steps) {
  num_open(2);
  Expr *u = scalar("u"), *exact = add(num(1), mul(sine(X(0)), sine(X(1))));
  element(0, "P2");
  equation(0, neg(div_(mul(add(num(1), square(u)), grad(u)))), neg(div_(mul(add(num(1), square(exact)), grad(exact)))));
  on("all", u, exact);
  Mesh *mesh = cube(n);
  Solution *solution = solved(mesh);
  *steps = info(solution).newton_iterations;
  double error = norm_l2(sub(field_of(0, solution, 0), exact), mesh), residual;
  assert_int_equal(api->residual(engine, solution, NAN, &lab.diags, here(), &residual), 0);
  assert_true(residual < 1e-9);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
  return error;
}

static void test_newton(void **state) {
  int steps;
  double a = nonlinear(8, &steps), b = nonlinear(16, &steps);
  assert_true(fabs(log2(a / b) - 3) < 0.15);
  assert_in_range(steps, 3, 9);
}

/* log(u) of a first guess that carries -1 inside: the report names the term and the place. */
static void test_not_finite(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  equation(0, add(neg(lap(u)), un(EXPR_LOG, u)), num(1));
  on("left", u, num(-1));
  on("others left", dot(grad(u), nrm()), zero());
  Mesh *mesh = cube(4);
  Solution *solution = NULL;
  assert_int_not_equal(api->solve(engine, &lab.pde, mesh, &world, &(SolveOptions){0}, &lab.diags, here(), &solution), 0);
  assert_null(solution);
  assert_int_equal(lab.diags.nerrors, 1);
  const Diag *diag = lab.diags.items[lab.diags.n - 1];
  assert_int_equal(diag->code, E2003);
  assert_non_null(strstr(diag->message, "log"));
  assert_non_null(strstr(diag->message, " at ("));
  api->mesh_release(mesh);
  num_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_components),       cmocka_unit_test(test_solvers_agree), cmocka_unit_test(test_elasticity_orders), cmocka_unit_test(test_stokes),
      cmocka_unit_test(test_mean_of_pressure), cmocka_unit_test(test_mean_of_scalar), cmocka_unit_test(test_newton),            cmocka_unit_test(test_not_finite)};
  return cmocka_run_group_tests_name("num_system", tests, NULL, NULL);
}
