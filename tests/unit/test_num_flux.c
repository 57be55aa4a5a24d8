/* Fluxes by reactions: balances to rounding, partial boundaries, interfaces of regions, tractions; extrema and points. */
#include "num_lab.h"

static double flux_over(Solution *solution, int u, Where w, double *out) {
  double value[9];
  bool conservative;
  Status status = api->flux(engine, solution, u, &w, NAN, &lab.diags, here(), value, &conservative);
  if (status) print_diags();
  assert_int_equal(status, 0);
  assert_true(conservative);
  for (int c = 0; out && c < 3; c++) out[c] = value[c];
  return value[0];
}

/* What flows out of the whole boundary is what the source gives: -integral(f). */
static void balance(int dim, const char *name, bool natural) {
  num_open(dim);
  Expr *u = scalar("u"), *k = add(num(1), mul(X(0), X(0))), *f = add(num(1), mul(X(0), X(dim - 1))), *flux = mul(k, grad(u));
  const char *low = dim < 3 ? "left" : "x_min", *high = dim < 3 ? "right" : "x_max";
  element(0, name);
  equation(0, neg(div_(flux)), f);
  on(low, u, mul(num(2), X(dim - 1)));
  on(high, u, un(EXPR_SIN, X(0)));
  if (dim > 1) natural ? on("others", dot(flux, nrm()), sub(num(1), u)) : on("others", u, X(0));
  if (natural && dim > 1) {
    Where *w = &lab.conditions[lab.pde.nconditions - 1].where;
    ((Name *)w->names)[0] = nm(low), ((Name *)w->names)[1] = nm(high), w->n = 2;
  }
  Mesh *mesh = cube(dim == 3 ? 4 : 8);
  Solution *solution = solved(mesh);
  double source = integral(f, mesh, NULL), out = flux_over(solution, 0, where("all"), NULL);
  if (fabs(out + source) >= 1e-10 * fmax(1, fabs(source))) fail_msg("%dD %s: %.3g of %.3g is lost", dim, name, out + source, source);
  double residual, error;
  assert_int_equal(api->residual(engine, solution, NAN, &lab.diags, here(), &residual), 0);
  assert_true(residual < 1e-9);
  assert_int_equal(api->dirichlet_error(engine, solution, NAN, &lab.diags, here(), &error), 0);
  assert_true(error < 1e-14);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

static void test_balance(void **state) {
  for (int dim = 1; dim <= 3; dim++)
    for (int p = 1; p <= 2; p++) balance(dim, p == 1 ? "P1" : "P2", false), balance(dim, p == 1 ? "P1" : "P2", true);
}

/* A linear field has the exact flux through each side, prescribed or natural. */
static void test_sides(void **state) {
  num_open(2);
  Expr *u = scalar("u"), *exact = add(mul(num(2), X(0)), mul(num(-3), X(1))), *flux = mul(num(5), grad(u));
  equation(0, neg(div_(flux)), zero());
  on("left", u, exact);
  on("bottom", u, exact);
  on("top", u, exact);
  on("right", dot(flux, nrm()), num(10));
  Mesh *mesh = cube(5);
  Solution *solution = solved(mesh);
  assert_true(fabs(flux_over(solution, 0, where("right"), NULL) - 10) < 1e-10);
  double left = flux_over(solution, 0, where("left"), NULL), top = flux_over(solution, 0, where("top"), NULL), bottom = flux_over(solution, 0, where("bottom"), NULL);
  assert_true(fabs(left + top + bottom + 10) < 1e-10);
  assert_true(fabs(flux_over(solution, 0, where("left top bottom"), NULL) + 10) < 1e-10);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* The traction on the clamped side balances the load, in force. */
static void test_traction(void **state) {
  num_open(2);
  Expr *u = vector("u"), *sigma = add(mul(tr(eps(u)), ident()), mul(num(2), eps(u))), *load = vec2(num(0.5), num(-2));
  element(0, "P2");
  equation(0, neg(div_(sigma)), vec2(zero(), num(-1)));
  on("left", u, zero());
  on("right", dot(sigma, nrm()), load);
  on("top bottom", dot(sigma, nrm()), zero());
  Mesh *mesh = cube(6);
  Solution *solution = solved(mesh);
  double force[3];
  flux_over(solution, 0, where("left"), force);
  assert_true(fabs(force[0] + 0.5) < 1e-9 && fabs(force[1] - 3) < 1e-9);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* Values at points: on edges, at vertices, outside; maxima with their place. */
static void test_points(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  element(0, "P2");
  equation(0, u, mul(X(0), X(1)));
  Mesh *mesh = cube(3);
  Solution *solution = solved(mesh);
  Expr *field = field_of(0, solution, 0);
  assert_true(fabs(value_at(field, mesh, 1. / 3, 1. / 3, 0) - 1. / 9) < 1e-9);
  assert_true(fabs(value_at(field, mesh, 1, 1, 0) - 1) < 1e-9);
  assert_true(fabs(value_at(comp(grad(field), 0), mesh, 0.5, 1. / 3, 0) - 1. / 3) < 1e-8);
  double out, place[3], x[2] = {1.01, 0.5};
  assert_int_equal(api->reduce(engine, REDUCE_MAX, sub(field, X(0)), mesh, NULL, true, 0, &world, &lab.diags, here(), &out, place), 0);
  assert_true(fabs(out) < 1e-9);
  Where top = where("top");
  assert_int_equal(api->reduce(engine, REDUCE_MIN, field, mesh, &top, false, 0, &world, &lab.diags, here(), &out, place), 0);
  assert_true(fabs(out) < 1e-9 && fabs(place[0]) < 1e-12 && place[1] == 1);
  assert_int_not_equal(api->points(engine, field, mesh, 1, x, NULL, &world, &lab.diags, here(), &out), 0);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2006);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* Through time: what flows in over a step of backward Euler is what the content grows by; at an end of a step and at its beginning alike. */
static void test_through_time(void **state) {
  num_open(2);
  Expr *u = scalar("u"), *flux = mul(num(2), grad(u));
  equation(0, dt(u), add(div_(flux), X(1)));
  on("left", u, un(EXPR_SIN, time_()));
  on("others left", dot(flux, nrm()), sub(num(0), u));
  initially(0, 0, zero());
  Mesh *mesh = cube(6);
  double step = 0.05;
  Solution *solution = solved_with(mesh, &(SolveOptions){.transient = true, .t1 = 0.2, .step = step, .scheme = "backward_euler"});
  Expr *last = field_of(0, solution, 0);
  Symbol symbol = last->symbol;
  symbol.time = 0.1;
  Expr *now = expr_symbol(lab.pool, symbol, lab.unknowns[0].name, SHAPE_SCALAR, UNIT_NONE);
  symbol.time = 0.15;
  Expr *next = expr_symbol(lab.pool, symbol, lab.unknowns[0].name, SHAPE_SCALAR, UNIT_NONE);
  double out;
  bool conservative;
  Where all = where("all");
  assert_int_equal(api->flux(engine, solution, 0, &all, 0.15, &lab.diags, here(), &out, &conservative), 0);
  double growth = integral(sub(next, now), mesh, NULL) / step;
  assert_true(fabs(growth - out - 0.5) < 1e-10);
  double residual;
  assert_int_equal(api->residual(engine, solution, 0.15, &lab.diags, here(), &residual), 0);
  assert_true(residual < 1e-10);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sides), cmocka_unit_test(test_balance), cmocka_unit_test(test_traction), cmocka_unit_test(test_through_time), cmocka_unit_test(test_points)};
  return cmocka_run_group_tests_name("num_flux", tests, NULL, NULL);
}
