/* Tapes of contracts: predictions by formulas, integrals, extrema, values in time, against what is known in closed form. */
#include "tape_lab.h"

static void close_to(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance * (1 + fabs(b)))) fail_msg("%.15g is not %.15g", a, b);
}

/* u = (a x + b y, (a - b) x): linear, so that both elements hold it exactly. */
static void linear_map(const char *element_) {
  map_open(cube(4), element_, 1, NULL);
  Expr *a = map_input("a", -1, 1, false), *b = map_input("b", -1, 1, false);
  map_output("u", shape_vector(2));
  Expr *u = vec2(add(mul(a, X(0)), mul(b, X(1))), mul(sub(a, b), X(0)));
  map_formula(&u);
}

static void steady_numbers(const char *element_) {
  num_open(2);
  linear_map(element_);
  Expr *z[] = {probe(0, 0), probe(0, 1)}, *u = output_of(applied(z), 0);
  target(over_cells(inner(u, u)));
  target(over_cells(inner(grad(u), grad(u))));
  target(over_facets(comp(u, 0), "right"));
  target(over_facets(dot(u, nrm()), "all"));
  target(extreme(REDUCE_MAX, comp(u, 0)));
  target(extreme(REDUCE_MIN, comp(u, 0)));
  target(extreme(REDUCE_MAX, d_(comp(u, 0), 1)));
  target(un(EXPR_SQRT, over_cells(mul(z[0], inner(u, u)))));      /* an input inside of an integral */
  target(add(z[0], mul(num(2), z[1])));
  tape_ready();
  double rows[] = {0.7, 0.4}, v[9], a = 0.7, b = 0.4, square = a * a / 3 + b * b / 3 + a * b / 2 + (a - b) * (a - b) / 3;
  run_one(rows, v);
  close_to(v[0], square, 1e-12);
  close_to(v[1], a * a + b * b + (a - b) * (a - b), 1e-12);
  close_to(v[2], a + b / 2, 1e-12);
  close_to(v[3], a, 1e-12);
  close_to(v[4], a + b, 1e-12);
  close_to(v[5], 0, 1e-12);
  close_to(v[6], b, 1e-12);
  close_to(v[7], sqrt(a * square), 1e-12);
  close_to(v[8], a + 2 * b, 1e-15);
  assert_true(tape()->cheap(tl.run, 8) && !tape()->cheap(tl.run, 0));
  double cheap[3], many[] = {1, 2, 3, 4, 5, 6};
  assert_int_equal(tape()->run_cheap(tl.run, 3, many, 8, cheap), 0);
  close_to(cheap[2], 17, 1e-15);
  map_close();
  num_close();
}

static void test_steady(void **state) { steady_numbers("P1"), steady_numbers("P2"); }

/* Superposition of an operator with a planted nonlinearity eps a^3: the violation is known. */
static void test_superposition(void **state) {
  num_open(2);
  map_open(cube(6), "P1", 1, NULL);
  Expr *a = map_input("a", -1, 1, false), *k = map_input("k", 1, 2, false);
  map_output("u", SHAPE_SCALAR);
  Expr *f = over(mul(add(a, mul(num(0.1), power(a, 3))), X(0)), k);
  map_formula(&f);
  Expr *half = num(0.5), *za = probe(0, 0), *wa = probe(1, 0), *zk = probe(0, 1);
  Expr *sum[] = {mul(half, add(za, wa)), zk}, *one[] = {mul(half, za), zk}, *two[] = {mul(half, wa), zk};
  Expr *us = output_of(applied(sum), 0), *u1 = output_of(applied(one), 0), *u2 = output_of(applied(two), 0), *gap = sub(sub(us, u1), u2);
  target(over(un(EXPR_SQRT, over_cells(square(gap))), un(EXPR_SQRT, over_cells(square(us)))));
  tape_ready();
  enum { N = 50 };
  double rows[N * 4], values[N];
  char *failed[N];
  for (int s = 0; s < N; s++) rows[4 * s] = sin(s + 1.), rows[4 * s + 1] = 1 + .01 * s, rows[4 * s + 2] = cos(3. * s), rows[4 * s + 3] = 1.5;
  assert_int_equal(tape()->run(tl.run, N, rows, values, failed), 0);
  for (int s = 0; s < N; s++) {
    double p = rows[4 * s] / 2, q = rows[4 * s + 2] / 2, c = p + q;
    assert_null(failed[s]);
    close_to(values[s], fabs(0.1 * (c * c * c - p * p * p - q * q * q)) / fabs(c + 0.1 * c * c * c), 1e-11);
  }
  assert_true(tl.predictor->calls == 3 * N);
  map_close();
  num_close();
}

/* u(x, t) = x p(t): windows, values at times, rates, functions of time, what differs after a time only. */
static void test_transient(void **state) {
  num_open(1);
  enum { NT = 21 };
  double t[NT], rows[2 * NT], v[16];
  for (int k = 0; k < NT; k++) t[k] = 2. * k / (NT - 1) * (1 + 0.1 * k / (NT - 1));      /* uneven */
  double end = t[NT - 1];
  map_open(cube(3), "P1", NT, t);
  Expr *p = map_input("p", -1, 1, true);
  map_output("u", SHAPE_SCALAR);
  Expr *f = mul(X(0), p);
  map_formula(&f);
  Expr *z = probe(0, 0), *w = probe(1, 0), *late = probe_at(0, 0, -0.5);
  Expr *splice = made(expr_make(lab.pool, EXPR_IF, (Expr *[]){bin(EXPR_LE, time_(), num(t[10])), z, w}, 3));
  Expr *u = output_of(applied(&z), 0), *s = output_of(applied(&splice), 0), *d = output_of(applied(&late), 0);
  target(over_cells(u));                                                                                     /* 0: over space and time */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = u, .at = 0.33, .from = NAN, .until = NAN}));  /* 1 */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = u, .at = NAN, .from = 0.05, .until = 1.3}));  /* 2 */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = square(sub(u, s)), .at = NAN, .from = NAN, .until = t[10]}));   /* 3: causal */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = square(sub(u, s)), ALL_TIMES}));         /* 4 */
  target(over_cells(dt(u)));                                                                                 /* 5 */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = dtt(u), .at = 1, .from = NAN, .until = NAN}));   /* 6 */
  Expr *energy = reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = square(u), .each_time = true, ALL_TIMES});
  target(reduced((TapeReduce){.kind = REDUCE_MAX, .integrand = energy, .over = TAPE_TIME, ALL_TIMES}));      /* 7 */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = mul(energy, time_()), .over = TAPE_TIME, ALL_TIMES}));   /* 8 */
  target(extreme(REDUCE_MAX, u));                                                                            /* 9 */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = d, .at = 0.3, .from = NAN, .until = NAN}));   /* 10: 0 before the start */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = d, .at = end, .from = NAN, .until = NAN}));   /* 11 */
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = output_at(0, 0, 0), .at = NAN, .from = NAN, .until = NAN}));   /* 12: at t = 0 */
  tape_ready();
  for (int k = 0; k < NT; k++) rows[k] = 1 + 2 * t[k] + t[k] * t[k], rows[NT + k] = -1;
  run_one(rows, v);
  double trapezoid = 0, most = 0, moment = 0;
  for (int k = 0; k + 1 < NT; k++) {
    double h = t[k + 1] - t[k], e0 = rows[k] * rows[k] / 3, e1 = rows[k + 1] * rows[k + 1] / 3;
    trapezoid += h * (rows[k] + rows[k + 1]) / 4;
    moment += h * (e0 * t[k] + e1 * t[k + 1]) / 2;
    most = fmax(most, e1);
  }
  close_to(v[0], trapezoid, 1e-12);
  close_to(v[1], 0.5 * (1 + 2 * 0.33 + 0.33 * 0.33), 2e-3);
  close_to(v[2], 0.5 * ((1.3 - 0.05) + (1.3 * 1.3 - 0.05 * 0.05) + (pow(1.3, 3) - pow(0.05, 3)) / 3), 2e-3);
  assert_true(v[3] == 0 && v[4] > 0.1);
  close_to(v[5], 0.5 * (2 * end + end * end), 1e-12);      /* rates of parabolas are exact, and they are linear */
  close_to(v[6], 1, 1e-9);
  close_to(v[7], most, 1e-12);
  close_to(v[8], moment, 1e-12);
  close_to(v[9], rows[NT - 1], 1e-12);
  assert_true(v[10] == 0);
  close_to(v[11], 0.5 * pow(end - 0.5 + 1, 2), 2e-2);
  close_to(v[12], 0.5, 1e-12);
  map_close();
  num_close();
}

/* A sample whose prediction is not a number has no value, and says where; the others have theirs. */
static void test_not_a_number(void **state) {
  num_open(2);
  map_open(cube(3), "P1", 1, NULL);
  Expr *a = map_input("a", -1, 1, false);
  map_output("u", SHAPE_SCALAR);
  Expr *f = mul(un(EXPR_SQRT, a), add(X(0), X(1)));
  map_formula(&f);
  Expr *z = probe(0, 0);
  target(over_cells(output_of(applied(&z), 0)));
  target(over(z, z));
  for (int k = 0; k < 4; k++) target(bin(k < 2 ? EXPR_MAX : EXPR_MIN, k % 2 ? num(0) : over(z, z), k % 2 ? over(z, z) : num(0)));      /* no minimum or maximum hides it */
  tape_ready();
  double rows[] = {4, -1, 0}, v[18], one;
  char *failed[3];
  for (int k = 1; k < 6; k++) {
    assert_int_equal(tape()->run_cheap(tl.run, 1, &rows[2], k, &one), 0);
    assert_true(isnan(one));
  }
  assert_int_equal(tape()->run(tl.run, 3, rows, v, failed), 0);
  assert_null(failed[0]);
  close_to(v[0], 2, 1e-12);
  assert_non_null(failed[1]);
  assert_non_null(strstr(failed[1], "a = -1"));
  assert_non_null(strstr(failed[1], "not a number"));
  assert_true(isnan(v[6]));
  assert_non_null(failed[2]);      /* 0/0 */
  free(failed[1]), free(failed[2]);
  map_close();
  num_close();
}

/* What a map does not have is refused when the tape is opened. */
static void test_refusals(void **state) {
  num_open(2);
  linear_map("P1");
  Expr *z[] = {probe(0, 0), probe(0, 1)}, *u = comp(output_of(applied(z), 0), 0);
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = u, .at = 0.5, .from = NAN, .until = NAN}));
  assert_int_equal(tape()->open(engine, &tl.tape, &world, &lab.diags, &tl.run), 1);
  assert_int_equal(diags_last_error(&lab.diags)->code, E3100);
  tl.reduce[0].at = NAN;
  tl.reduce[0].integrand = dt(u);
  assert_int_equal(tape()->open(engine, &tl.tape, &world, &lab.diags, &tl.run), 1);
  assert_int_equal(diags_last_error(&lab.diags)->code, E3100);
  tl.reduce[0].integrand = u;
  tl.reduce[0].over = TAPE_TIME;
  assert_int_equal(tape()->open(engine, &tl.tape, &world, &lab.diags, &tl.run), 1);
  assert_int_equal(diags_last_error(&lab.diags)->code, E3101);
  tl.run = NULL;
  map_close();
  num_close();
}

/* A solution on a grid of another element, and of another mesh. */
static void test_sample(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  element(0, "P2");
  equation(0, neg(lap(u)), num(-4));
  on("all", u, add(power(X(0), 2), power(X(1), 2)));
  Mesh *mesh = cube(5);
  Solution *solution = solved(mesh);
  for (int other = 0; other < 3; other++) {
    Grid *grid;
    Mesh *at = other == 2 ? cube(7) : mesh;
    assert_int_equal(tape()->grid(engine, at, other == 1 ? "P1" : "P2", 1, NULL, &grid), 0);
    double *values = malloc(sizeof(double) * (size_t)grid->nnodes);
    assert_int_equal(tape()->sample(engine, solution, 0, grid, &lab.diags, here(), values), 0);
    for (int k = 0; k < grid->nnodes; k++) close_to(values[k], pow(grid->x[2 * k], 2) + pow(grid->x[2 * k + 1], 2), 1e-11);
    free(values);
    tape()->grid_free(grid);
    if (other == 2) api->mesh_release(at);
  }
  api->solution_release(solution);
  api->mesh_release(mesh);
  num_close();
}

/* Fields of a known solution and functions of the host beside those of a map. */
static int product(void *user, int n, const double *const *args, double *const *out) {
  for (int i = 0; i < n; i++) out[0][i] = args[0][i] * args[1][i];
  return 0;
}

static void test_known_fields(void **state) {
  num_open(2);
  Expr *u = scalar("u");
  element(0, "P2");
  equation(0, neg(lap(u)), num(-4));
  on("all", u, add(power(X(0), 2), power(X(1), 2)));
  Mesh *mesh = cube(4);
  Solution *solution = solved(mesh);
  Expr *reference = field_of(0, solution, 0);
  HostFunction function = {.name = nm("product"), .nargs = 2, .ncomponents = 1, .call = product};
  world.functions = &function, world.nfunctions = 1;
  map_open(mesh, "P2", 1, NULL);
  Expr *a = map_input("a", -1, 1, false);
  map_output("p", SHAPE_SCALAR);
  Expr *f = mul(a, add(power(X(0), 2), power(X(1), 2)));
  map_formula(&f);
  Expr *z = probe(0, 0), *p = output_of(applied(&z), 0), *args[] = {X(0), X(1)};
  Expr *xy = made(expr_host_call(lab.pool, nm("product"), args, 2, SHAPE_SCALAR, UNIT_NONE));
  target(over_cells(square(sub(p, reference))));
  target(over_cells(mul(xy, p)));
  target(extreme(REDUCE_MAX, mul(sub(p, reference), xy)));
  target(over_facets(mul(xy, d_(reference, 0)), "right"));
  target(extreme(REDUCE_MAX, made(expr_make(lab.pool, EXPR_IF, (Expr *[]){bin(EXPR_EQ, X(0), num(0.5)), p, zero()}, 3))));
  tape_ready();
  double value = 3, v[5], x[2], time;
  run_one(&value, v);
  close_to(v[0], 4 * 28. / 45, 1e-10);
  close_to(v[1], 3 * 0.25, 1e-10);
  close_to(v[2], 2 * 2, 1e-10);
  close_to(v[3], 1, 1e-10);
  close_to(v[4], 3 * 1.25, 1e-10);
  assert_true(tape()->place(tl.run, 2, x, &time) && x[0] == 1 && x[1] == 1 && isnan(time));
  assert_true(tape()->place(tl.run, 4, x, &time) && x[0] == 0.5 && x[1] == 1 && !tape()->place(tl.run, 0, x, &time));
  api->solution_release(solution);
  map_close();
  num_close();
}

static void test_three_dimensions(void **state) {
  num_open(3);
  map_open(cube(2), "P2", 1, NULL);
  Expr *a = map_input("a", -1, 1, false);
  map_output("u", shape_vector(3));
  Expr *f = vec3(mul(a, mul(X(0), X(1))), mul(X(2), X(2)), add(X(0), mul(a, X(2))));
  map_formula(&f);
  Expr *z = probe(0, 0), *u = output_of(applied(&z), 0);
  target(over_cells(div_(u)));                       /* a y + a */
  target(over_facets(dot(u, nrm()), "all"));
  target(over_cells(inner(curl(u), curl(u))));       /* (0 - 2z, 0 - 1, 0 - a x): 4/3 + 1 + a^2/3 */
  target(extreme(REDUCE_MAX, lap(comp(u, 1))));
  tape_ready();
  double value = 1.5, v[4];
  run_one(&value, v);
  close_to(v[0], 1.5 / 2 + 1.5, 1e-12);
  close_to(v[0], v[1], 1e-12);
  close_to(v[2], 4. / 3 + 1 + 2.25 / 3, 1e-12);
  close_to(v[3], 2, 1e-10);
  map_close();
  num_close();
}

/* A predictor that fails for some samples: these fail and no others; one that fails for all is not asked a hundred times. */
static int asked;
static int moody_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  asked++;
  for (int s = 0; s < n; s++) {
    if (rows[s] > 0.5) {
      *error = strdup("too large for me");
      return 1;
    }
    for (int k = 0; k < self->spec->grid->nnodes; k++) out[0][s * self->spec->grid->nnodes + k] = rows[s];
  }
  return 0;
}
static void moody_free(Predictor *self) { (void)self; }

static void test_failures(void **state) {
  static const PredictorOps ops = {.kind = "process", .batch = 8, .predict = moody_predict, .free = moody_free};
  num_open(2);
  map_open(cube(2), "P1", 1, NULL);
  map_input("a", -1, 1, false);
  map_output("u", SHAPE_SCALAR);
  Predictor moody = {.ops = &ops, .spec = &tl.spec};
  tl.predictor = &moody;
  tl.tape = (Tape){.pool = lab.pool, .spec = &tl.spec, .inputs = tl.input, .applies = tl.apply, .reduces = tl.reduce, .targets = tl.target};
  Expr *z = probe(0, 0);
  target(over_cells(output_of(applied(&z), 0)));
  tape_ready();
  enum { N = 100 };
  double rows[N], v[N];
  char *failed[N];
  for (int s = 0; s < N; s++) rows[s] = s % 10 == 3 ? 0.7 : 0.1;
  assert_int_equal(tape()->run(tl.run, N, rows, v, failed), 0);
  for (int s = 0; s < N; s++) {
    assert_true((failed[s] != NULL) == (s % 10 == 3));
    if (failed[s]) assert_non_null(strstr(failed[s], "too large for me"));
    else close_to(v[s], 0.1, 1e-12);
    free(failed[s]);
  }
  const char *why;
  assert_true(!tape()->differentiable(tl.run, 0, &why) && strstr(why, "gradients"));
  asked = 0;
  for (int s = 0; s < N; s++) rows[s] = 1;
  assert_int_equal(tape()->run(tl.run, N, rows, v, failed), 0);
  for (int s = 0; s < N; s++) assert_non_null(failed[s]), free(failed[s]);
  assert_true(asked < 12);
  map_close();
  num_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steady), cmocka_unit_test(test_superposition), cmocka_unit_test(test_transient), cmocka_unit_test(test_not_a_number),
      cmocka_unit_test(test_refusals), cmocka_unit_test(test_sample), cmocka_unit_test(test_known_fields), cmocka_unit_test(test_three_dimensions), cmocka_unit_test(test_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
