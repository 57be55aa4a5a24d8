/* Where numbers come from: regions, parameters that are fields, fields of this and of other meshes, host functions, points, values that differ. */
#include "num_lab.h"

/* The unit square with a region x > 1/2, as a structured mesh that has the line. */
static Mesh *halves(int n) {
  double range[2] = {0, 1};
  GeomArg args[8] = {{.values = range, .n = 2}, {.values = range, .n = 2}};
  Geom *whole = geom_primitive(geom_row("rectangle"), args, &lab.diags, here());
  GeomGroup east = {.name = nm("east"), .is_region = true, .predicate = bin(EXPR_GT, X(0), num(0.5)), .span = here()};
  GeomGroup west = {.name = nm("west"), .is_region = true, .predicate = bin(EXPR_LT, X(0), num(0.5)), .span = here()};
  Geom *one = geom_with_group(whole, lab.names, &east, &lab.diags), *two = geom_with_group(one, lab.names, &west, &lab.diags);
  assert_non_null(two);
  MeshOptions options = {.ncells_given = 2, .cells = {n, n}, .order = 1, .span = here(), .quiet = true};
  Mesh *mesh;
  Status status = api->mesh_make(engine, two, &options, &lab.diags, &mesh);
  if (status) print_diags();
  assert_int_equal(status, 0);
  geom_release(whole), geom_release(one), geom_release(two);
  return mesh;
}

static Expr *by_region(double west, double east) {
  Expr *args[] = {num(west), num(east)};
  Name names[] = {nm("west"), nm("east")};
  return made(expr_regions(lab.pool, args, names, 2));
}

/* Two conductors in a row: the flux is that of resistances in series, everywhere, and so at the interface. */
static void test_regions(void **state) {
  num_open(2);
  Expr *u = scalar("u"), *k = by_region(1, 4), *flux = mul(k, grad(u));
  equation(0, neg(div_(flux)), zero());
  on("left", u, zero());
  on("right", u, num(1));
  on("top bottom", dot(flux, nrm()), zero());
  Mesh *mesh = halves(6);
  Solution *solution = solved(mesh);
  Expr *field = field_of(0, solution, 0);
  assert_true(fabs(value_at(field, mesh, 0.5, 0.37, 0) - 0.8) < 1e-12);
  assert_true(fabs(integral(mul(k, num(1)), mesh, NULL) - 2.5) < 1e-12);
  double q;
  bool conservative;
  Where at = {.interface = {nm("west"), nm("east")}, .span = here()};
  assert_int_equal(api->flux(engine, solution, 0, &at, NAN, &lab.diags, here(), &q, &conservative), 0);
  assert_true(conservative && fabs(q - 1.6) < 1e-11);
  at = (Where){.interface = {nm("east"), nm("west")}, .span = here()};
  assert_int_equal(api->flux(engine, solution, 0, &at, NAN, &lab.diags, here(), &q, &conservative), 0);
  assert_true(conservative && fabs(q + 1.6) < 1e-11);
  /* the gradient jumps there: the mean of both sides, or one of them */
  double x[2] = {0.5, 0.37}, slope;
  Expr *dx = comp(grad(field), 0);
  assert_int_equal(api->points(engine, dx, mesh, 1, x, NULL, &world, &lab.diags, here(), &slope), 0);
  assert_true(fabs(slope - 1) < 1e-11);
  assert_int_equal(api->points(engine, dx, mesh, 1, x, nm("east"), &world, &lab.diags, here(), &slope), 0);
  assert_true(fabs(slope - 0.4) < 1e-11);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* A parameter with a number keeps its kernel, one with a field changes the form: k = 1 + x gives u = log(1 + x)/log(2). */
static void test_parameters(void **state) {
  num_open(2);
  Expr *u = scalar("u"), *k = param("k", 3);
  element(0, "P2");
  equation(0, neg(div_(mul(k, grad(u)))), zero());
  on("left", u, zero());
  on("right", u, num(1));
  on("top bottom", dot(mul(k, grad(u)), nrm()), zero());
  Mesh *mesh = cube(8);
  Solution *solution = solved(mesh);
  assert_true(norm_l2(sub(field_of(0, solution, 0), X(0)), mesh) < 1e-12);
  api->solution_release(solution);
  world.nsolutions = 0;
  Binding binding = {nm("k"), add(num(1), X(0))};
  world.params = &binding, world.nparams = 1;
  solution = solved(mesh);
  Expr *exact = mul(un(EXPR_LOG, add(num(1), X(0))), num(1 / log(2)));
  assert_true(norm_l2(sub(field_of(0, solution, 0), exact), mesh) < 1e-4);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

static int tripled(void *user, int n, const double *const *args, double *const *out) {
  (void)user;
  for (int i = 0; i < n; i++) out[0][i] = 3 * args[0][i];
  return 0;
}

/* A solution as data of another problem: as source, on a boundary, from its own and from a finer mesh; a function of the host. */
static void test_fields(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  equation(0, u, add(X(0), mul(num(2), X(1))));
  Mesh *coarse = cube(3), *fine = cube(7);
  Solution *first = solved(coarse);
  Expr *known_field = field_of(0, first, 0), *args[] = {X(1)};
  HostFunction function = {nm("triple"), 1, 1, tripled, NULL};
  world.functions = &function, world.nfunctions = 1;
  Expr *host = made(expr_host_call(lab.pool, nm("triple"), args, 1, SHAPE_SCALAR, UNIT_NONE));
  /* u == field + 3 y, and on the boundary the same as prescribed values */
  lab.pde.nequations = 0;
  equation(0, add(neg(lap(u)), u), add(known_field, host));
  on("all", u, add(known_field, host));
  for (int i = 0; i < 2; i++) {
    Mesh *mesh = i ? fine : coarse;
    Solution *solution = solved(mesh);
    Expr *field = field_of(1, solution, 0), *exact = add(X(0), mul(num(5), X(1)));
    assert_true(norm_l2(sub(field, exact), mesh) < 1e-8);
    assert_true(fabs(integral(sub(field, known_field), mesh, NULL) - 1.5) < 1e-8);
    api->solution_release(solution);
    world.nsolutions = 1;
  }
  api->solution_release(first);
  api->mesh_release(coarse);
  api->mesh_release(fine);
  num_close();
}

/* Where sides meet the later clause wins, and differing values are told once each. */
static void test_precedence(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  equation(0, neg(lap(u)), zero());
  on("left", u, num(1));
  on("bottom", u, num(2));
  on("top right", u, num(1));
  Mesh *mesh = cube(4);
  Solution *solution = solved(mesh);
  Expr *field = field_of(0, solution, 0);
  assert_true(fabs(value_at(field, mesh, 0, 0, 0) - 2) < 1e-14);
  assert_true(fabs(value_at(field, mesh, 1, 0, 0) - 1) < 1e-14);
  int told = 0;
  for (int i = 0; i < lab.diags.n; i++) told += lab.diags.items[i]->code == W2000;
  assert_int_equal(told, 2);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* A point that fixes the constant of a Neumann problem; a point where there is no node. */
static void test_point(void **state) {
  num_open(2);
  Expr *u = scalar("u"), *exact = add(num(2), X(0));
  equation(0, neg(lap(u)), zero());
  on("right", dot(grad(u), nrm()), num(1));
  on("left", dot(grad(u), nrm()), num(-1));
  on("top bottom", dot(grad(u), nrm()), zero());
  on_point(0, 0, u, num(2));
  Mesh *mesh = cube(4);
  Solution *solution = solved(mesh);
  assert_true(norm_l2(sub(field_of(0, solution, 0), exact), mesh) < 1e-11);
  api->solution_release(solution);
  world.nsolutions = 0;
  lab.conditions[lab.pde.nconditions - 1].where.point[0] = 0.1;
  solution = NULL;
  assert_int_not_equal(api->solve(engine, &lab.pde, mesh, &world, &(SolveOptions){0}, &lab.diags, here(), &solution), 0);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2008);
  api->mesh_release(mesh);
  num_close();
}

/* A projected gradient is the mean of the cells at each node. */
static void test_project(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  element(0, "P2");
  equation(0, u, mul(X(0), X(1)));
  Mesh *mesh = cube(4);
  Solution *solution = solved(mesh), *gradient;
  Expr *value = grad(field_of(0, solution, 0));
  Unknown unknown = {.name = nm("g"), .shape = shape_vector(2), .element = nm("P1")};
  assert_int_equal(api->project(engine, mesh, &unknown, &value, 1, &world, &lab.diags, here(), &gradient), 0);
  known[1] = gradient, world.nsolutions = 2;
  Symbol symbol = {.kind = SYMBOL_FIELD, .serial = info(gradient).serial, .time = NAN};
  Expr *field = expr_symbol(lab.pool, symbol, nm("g"), shape_vector(2), UNIT_NONE);
  assert_true(norm_l2(sub(field, vec2(X(1), X(0))), mesh) < 1e-7);
  api->solution_release(gradient);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* PETSc's refusals and bad names are diagnostics, and the next solve works. */
static void test_errors(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  equation(0, neg(lap(u)), num(1));
  on("top", dot(grad(u), nrm()), zero());      /* pure Neumann: singular */
  Mesh *mesh = cube(4);
  Solution *solution = NULL;
  assert_int_not_equal(api->solve(engine, &lab.pde, mesh, &world, &(SolveOptions){.solver = "mumps"}, &lab.diags, here(), &solution), 0);
  assert_null(solution);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2001);
  assert_int_not_equal(api->solve(engine, &lab.pde, mesh, &world, &(SolveOptions){.solver = "mump"}, &lab.diags, here(), &solution), 0);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2004);
  assert_non_null(strstr(lab.diags.items[lab.diags.n - 1]->suggestion, "mumps"));
  assert_int_not_equal(api->solve(engine, &lab.pde, mesh, &world, &(SolveOptions){.solver = "cg+icc", .max_iterations = 2}, &lab.diags, here(), &solution), 0);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2001);
  on("left", u, zero());
  solution = solved(mesh);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* Options after `--` reach PETSc; one that nothing reads is told. */
static void test_options(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  equation(0, neg(lap(u)), num(1));
  on("all", u, zero());
  Mesh *mesh = cube(8);
  static char type[] = "-ksp_type", bicg[] = "bcgs", wrong[] = "-pc_tipe", jacobi[] = "jacobi";
  char *argv[] = {type, bicg, wrong, jacobi, NULL};
  Engine *other;
  assert_int_equal(api->open(&(EngineOptions){.pool = lab.pool, .names = lab.names, .diags = &lab.diags, .jit = JIT_INTERP, .argc = 4, .argv = argv}, &other), 0);
  Solution *solution = NULL;
  assert_int_equal(api->solve(other, &lab.pde, mesh, &world, &(SolveOptions){.solver = "cg+icc"}, &lab.diags, here(), &solution), 0);
  assert_true(info(solution).residual <= 2e-10);
  assert_int_equal(lab.diags.n, 1);
  assert_int_equal(lab.diags.items[0]->code, W2002);
  assert_non_null(strstr(lab.diags.items[0]->message, "pc_tipe"));
  api->solution_release(solution);
  api->mesh_release(mesh);
  api->close(other);
  num_close();
}

static volatile int interrupt;
static void stop(void *user, const char *text, double fraction) {
  (void)user, (void)text, (void)fraction;
  interrupt = 1;
}

/* An interrupt ends a solve, and the next one works. */
static void test_interrupt(void **state) {
  num_open(1);
  Expr *u = scalar("u");
  equation(0, dt(u), lap(u));
  on("all", u, zero());
  initially(0, 0, mul(X(0), sub(num(1), X(0))));
  Mesh *mesh = cube(8);
  Engine *other;
  interrupt = 0;
  assert_int_equal(api->open(&(EngineOptions){.pool = lab.pool, .names = lab.names, .diags = &lab.diags, .jit = JIT_INTERP, .interrupt = &interrupt, .on_progress = stop}, &other), 0);
  Solution *solution = NULL;
  SolveOptions options = {.transient = true, .t1 = 1, .step = 0.1};
  assert_int_not_equal(api->solve(other, &lab.pde, mesh, &world, &options, &lab.diags, here(), &solution), 0);
  assert_null(solution);
  assert_int_equal(lab.diags.items[lab.diags.n - 1]->code, E2090);
  api->close(other);
  solution = solved_with(mesh, &options);
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_regions), cmocka_unit_test(test_parameters), cmocka_unit_test(test_fields),  cmocka_unit_test(test_precedence),
                                     cmocka_unit_test(test_point),   cmocka_unit_test(test_project),    cmocka_unit_test(test_errors),
                                     cmocka_unit_test(test_interrupt), cmocka_unit_test(test_options)};
  return cmocka_run_group_tests_name("num_data", tests, NULL, NULL);
}
