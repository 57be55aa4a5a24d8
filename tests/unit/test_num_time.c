/* Time: orders of the schemes with prescribed values that move, exact hits of output times, one matrix for equal steps. */
#include "num_lab.h"

/* u = (1 + x + y) g(t), linear in space, so that the error is that of time alone: dt(u) - lap(u) == (1 + x + y) g'(t). */
static double error_of(const char *scheme, int steps, bool nonlinear, bool natural) {
  num_open(2);
  Expr *u = scalar("u"), *g = un(EXPR_EXP, neg(mul(num(2), un(EXPR_SIN, mul(num(3), time_()))))), *shape = add(add(num(1), X(0)), X(1));
  Expr *exact = mul(shape, g), *rate = neg(mul(mul(num(6), un(EXPR_COS, mul(num(3), time_()))), exact));
  Expr *source = rate, *k = num(1);
  if (nonlinear) {
    k = add(num(1), u);
    source = sub(source, mul(num(2), square(g)));         /* div((1 + u) grad(u)) = |grad(u)|^2 */
  }
  equation(0, dt(u), add(div_(mul(k, grad(u))), source));
  on(natural ? "left bottom" : "all", u, exact);
  if (natural) on("right top", dot(mul(k, grad(u)), nrm()), mul(g, nonlinear ? add(num(1), exact) : num(1)));
  initially(0, 0, shape);
  Mesh *mesh = cube(4);
  SolveOptions options = {.transient = true, .t0 = 0, .t1 = 1, .step = 1. / steps, .scheme = scheme};
  Solution *solution = solved_with(mesh, &options);
  SolutionInfo about = info(solution);
  assert_int_equal(about.nstates, steps + 1);
  assert_true(about.times[steps] == 1);
  world.time = 1;
  double error = norm_l2(sub(field_of(0, solution, 0), exact), mesh);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
  return error;
}

static void test_orders(void **state) {
  static const struct { const char *scheme; int order; } rows[] = {{"backward_euler", 1}, {"crank_nicolson", 2}, {"bdf2", 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int kind = 0; kind < 4; kind++) {
      double a = error_of(rows[i].scheme, 64, kind & 1, kind & 2), b = error_of(rows[i].scheme, 128, kind & 1, kind & 2), order = log2(a / b);
      if (fabs(order - rows[i].order) > 0.1) fail_msg("%s (case %d): order %.3f, errors %.3g %.3g", rows[i].scheme, kind, order, a, b);
    }
}

/* The wave equation: sin(pi x) cos(pi t). */
static double wave(const char *scheme, int steps) {
  num_open(1);
  Expr *u = scalar("u"), *shape = un(EXPR_SIN, mul(num(M_PI), X(0)));
  element(0, "P2");
  equation(0, dtt(u), lap(u));
  on("all", u, zero());
  initially(0, 0, shape);
  initially(0, 1, zero());
  Mesh *mesh = cube(64);
  SolveOptions options = {.transient = true, .t1 = 1.2, .step = 1.2 / steps, .scheme = scheme, .keep_every = 1000};
  Solution *solution = solved_with(mesh, &options);
  double error = norm_l2(sub(field_of(0, solution, 0), mul(num(cos(M_PI * 1.2)), shape)), mesh);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
  return error;
}

static void test_second_order(void **state) {
  assert_true(fabs(log2(wave("crank_nicolson", 40) / wave("crank_nicolson", 80)) - 2) < 0.1);
  assert_true(fabs(log2(wave("bdf2", 320) / wave("bdf2", 640)) - 2) < 0.1);
  assert_true(fabs(log2(wave("backward_euler", 400) / wave("backward_euler", 800)) - 1) < 0.1);
}

/* Output times are states, and fields lie between the states linearly. */
static void test_outputs(void **state) {
  num_open(1);
  Expr *u = scalar("u");
  equation(0, dt(u), num(1));
  initially(0, 0, X(0));
  Mesh *mesh = cube(4);
  double outputs[] = {0.25, 0.1234};
  SolveOptions options = {.transient = true, .t1 = 0.5, .step = 0.1, .outputs = outputs, .noutputs = 2, .keep_every = 100};
  Solution *solution = solved_with(mesh, &options);
  SolutionInfo about = info(solution);
  assert_int_equal(about.nstates, 4);
  assert_true(about.times[1] == 0.1234 && about.times[2] == 0.25 && about.times[3] == 0.5);
  Expr *last = field_of(0, solution, 0);
  Symbol at = last->symbol;
  at.time = 0.4;
  Expr *between = expr_symbol(lab.pool, at, lab.unknowns[0].name, SHAPE_SCALAR, UNIT_NONE);
  assert_true(fabs(value_at(last, mesh, 0.5, 0, 0) - 1) < 1e-12);
  assert_true(fabs(value_at(between, mesh, 0.5, 0, 0) - 0.9) < 1e-12);
  at.time = 0.6;
  double out[1], x[1] = {0.5};
  Expr *outside = expr_symbol(lab.pool, at, lab.unknowns[0].name, SHAPE_SCALAR, UNIT_NONE);
  assert_int_not_equal(api->points(engine, outside, mesh, 1, x, NULL, &world, &lab.diags, here(), out), 0);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2007);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders), cmocka_unit_test(test_second_order), cmocka_unit_test(test_outputs)};
  return cmocka_run_group_tests_name("num_time", tests, NULL, NULL);
}
