/* Several ranks get the numbers of one: the program computes them on its ranks and asks a copy of itself, run alone, for the same. */
#include "num_lab.h"

#include <unistd.h>

enum { NUMBERS = 64 };
static double number[NUMBERS];
static const char *what[NUMBERS];
static int count;

static void note(const char *name, double value) {
  what[count] = name;
  number[count++] = value;
}

static Expr *sine(Expr *e) { return un(EXPR_SIN, mul(num(M_PI), e)); }

static double flux_of(Solution *solution, int u, const char *on) {
  double value[9];
  bool conservative;
  Where w = where(on);
  Status status = api->flux(engine, solution, u, &w, NAN, &lab.diags, here(), value, &conservative);
  if (status) print_diags();
  assert_int_equal(status, 0);
  return value[0];
}

static void close_all(Solution *solution, Mesh *mesh) {
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

static void scalar_problem(int dim, const char *name, int n) {
  num_open(dim);
  Expr *u = scalar("u"), *exact = mul(sine(X(0)), un(EXPR_EXP, X(dim - 1))), *flux = mul(add(num(1), X(0)), grad(u));
  const char *high = dim < 3 ? "right" : "x_max";
  element(0, name);
  equation(0, add(neg(div_(flux)), u), exact);
  on("all", u, exact);
  on(high, dot(flux, nrm()), sub(num(1), u));
  Mesh *mesh = cube(n);
  Solution *solution = solved(mesh);
  Expr *field = field_of(0, solution, 0);
  assert_int_equal(mesh->nranks, api->nranks());
  note("dofs", (double)info(solution).ndofs);
  note("error L2", norm_l2(sub(field, exact), mesh));
  note("error H1", norm_h1(sub(field, exact), mesh));
  note("integral", integral(field, mesh, NULL));
  note("on the side", integral(field, mesh, high));
  note("at a point", value_at(field, mesh, 0.41, dim > 1 ? 0.53 : 0, dim > 2 ? 0.29 : 0));
  note("gradient at a vertex", value_at(comp(grad(field), 0), mesh, 0.5, dim > 1 ? 0.5 : 0, dim > 2 ? 0.5 : 0));
  note("flux, natural", flux_of(solution, 0, high));
  note("flux, prescribed", flux_of(solution, 0, dim < 3 ? "left" : "x_min"));
  double out, place[3];
  assert_int_equal(api->reduce(engine, REDUCE_MAX, field, mesh, NULL, true, 0, &world, &lab.diags, here(), &out, place), 0);
  note("maximum", out);
  close_all(solution, mesh);
}

/* A field of another mesh, whose cells lie on other ranks. */
static void foreign_field(void) {
  num_open(2);
  Expr *u = scalar("u");
  element(0, "P2");
  equation(0, u, mul(X(0), sine(X(1))));
  Mesh *coarse = cube(5), *fine = cube(7);
  Solution *first = solved(coarse);
  Expr *field = field_of(0, first, 0);
  lab.pde.nequations = 0;
  equation(0, add(neg(lap(u)), u), field);
  on("left", u, field);
  Solution *second = solved(fine);
  Expr *other = field_of(1, second, 0);
  note("from another mesh", integral(other, fine, NULL));
  note("difference of meshes", norm_l2(sub(other, field), fine));
  api->solution_release(first);
  api->mesh_release(coarse);
  close_all(second, fine);
}

static void elasticity(void) {
  num_open(2);
  Expr *u = vector("u"), *sigma = add(mul(tr(eps(u)), ident()), mul(num(2), eps(u)));
  element(0, "P2");
  equation(0, neg(div_(sigma)), vec2(zero(), num(-1)));
  on("left", u, zero());
  on("top", comp(u, 0), mul(num(0.1), X(0)));
  Mesh *mesh = cube(8);
  Solution *solution = solved(mesh);
  note("displacement", value_at(comp(field_of(0, solution, 0), 1), mesh, 1, 0.3, 0));
  note("traction", flux_of(solution, 0, "left"));
  close_all(solution, mesh);
}

static void stokes(void) {
  num_open(2);
  Expr *u = vector("u"), *p = unknown("p", SHAPE_SCALAR, "q");
  element(0, "P2");
  Expr *sigma = sub(grad(u), mul(p, ident()));
  equation(0, neg(div_(sigma)), vec2(X(1), mul(X(0), X(0))));
  equation(1, div_(u), zero());
  on("all", u, zero());
  mean_zero(1);
  Mesh *mesh = cube(6);
  Solution *solution = solved(mesh);
  note("velocity", norm_l2(field_of(0, solution, 0), mesh));
  note("pressure", norm_l2(field_of(1, solution, 1), mesh));
  note("mean", 1 + integral(field_of(1, solution, 1), mesh, NULL));
  close_all(solution, mesh);
}

static void nonlinear_in_time(void) {
  num_open(2);
  Expr *u = scalar("u");
  equation(0, dt(u), add(div_(mul(add(num(1), square(u)), grad(u))), un(EXPR_COS, time_())));
  on("left", u, un(EXPR_SIN, time_()));
  initially(0, 0, mul(X(0), X(1)));
  Mesh *mesh = cube(8);
  Solution *solution = solved_with(mesh, &(SolveOptions){.transient = true, .t1 = 0.5, .step = 0.05, .scheme = "bdf2"});
  note("through time", integral(field_of(0, solution, 0), mesh, NULL));
  close_all(solution, mesh);
}

static void compute(void) {
  count = 0;
  scalar_problem(1, "P2", 9);
  scalar_problem(2, "P1", 12);
  scalar_problem(2, "P2", 8);
  scalar_problem(3, "P1", 6);
  scalar_problem(3, "P2", 4);
  foreign_field();
  elasticity();
  stokes();
  nonlinear_in_time();
}

static char self[4096];

static void test_same_numbers(void **state) {
  compute();
  if (api->rank() != 0) return;
  char command[8192];
  /* without the variables of mpiexec: a process of its own */
  snprintf(command, sizeof command, "env -i PATH='%s' HOME='%s' LD_LIBRARY_PATH='%s' '%s' alone", getenv("PATH"), getenv("HOME") ? getenv("HOME") : "/",
           getenv("LD_LIBRARY_PATH") ? getenv("LD_LIBRARY_PATH") : "", self);
  FILE *alone = popen(command, "r");
  assert_non_null(alone);
  for (int i = 0; i < count; i++) {
    double want;
    assert_int_equal(fscanf(alone, "%lf", &want), 1);
    if (fabs(number[i] - want) > 1e-9 * fmax(1e-3, fabs(want))) fail_msg("%s (%d): %.15g on %d ranks, %.15g on one", what[i], i, number[i], api->nranks(), want);
  }
  assert_int_equal(pclose(alone), 0);
}

/* An error that one rank finds is an error of all. */
static void test_one_error(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  equation(0, neg(lap(u)), un(EXPR_SQRT, sub(X(0), num(0.05))));      /* not a number near the left side only */
  on("right", u, zero());
  Mesh *mesh = cube(8);
  Solution *solution = NULL;
  assert_int_not_equal(api->solve(engine, &lab.pde, mesh, &world, &(SolveOptions){0}, &lab.diags, here(), &solution), 0);
  assert_null(solution);
  assert_int_equal(lab.diags.nerrors, 1);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2003);
  api->mesh_release(mesh);
  num_close();
}

int main(int argc, char **argv) {
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0) return 1;
  if (argc > 1 && !strcmp(argv[1], "alone")) {
    compute();
    for (int i = 0; i < count; i++) printf("%.17g\n", number[i]);
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_numbers), cmocka_unit_test(test_one_error)};
  return cmocka_run_group_tests_name("mpi_solve", tests, NULL, NULL);
}
