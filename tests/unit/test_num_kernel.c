/* Kernels of integrals against element tensors computed point by point, and against matrices computed by hand. Run under both executors. */
#include "kernel_make.h"

static void check(IntegralKind kind, int rank, Expr *e, bool symmetric, const char *what) {
  LowerRequest r = request(kind, rank, &e, 1);
  r.symmetric = symmetric;
  kernel_release(check_kernel(&r, what));
}

static const char *const element_names[] = {"P1", "P2"};

/* Calls the test for dims 1..3 and both elements with one scalar or vector unknown. */
#define EACH_SPACE(vector)                                                                                                 \
  for (int dim = 1; dim <= 3; dim++)                                                                                       \
    for (int e = 0; e < 2; e++)                                                                                            \
      if (problem(dim), unknown("u", element_names[e], (vector) ? shape_vector(dim) : SHAPE_SCALAR), true)

static void test_mass_and_stiffness(void **state) {
  EACH_SPACE(false) {
    check(INTEGRAL_CELL, 2, mul(D(0, -1), V(0, -1)), true, "mass, symmetric");
    check(INTEGRAL_CELL, 2, mul(D(0, -1), V(0, -1)), false, "mass");
    check(INTEGRAL_CELL, 2, dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0), true, "stiffness, symmetric");
    check(INTEGRAL_CELL, 2, add(mul(par("k"), dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0)), mul(num(3.7), mul(D(0, -1), V(0, -1)))), false, "reaction-diffusion");
    check(INTEGRAL_CELL, 1, add(mul(par("k"), dot_grad(SYMBOL_UNKNOWN, SYMBOL_TEST, 0)), mul(U(0, -1), V(0, -1))), false, "residual");
  }
}

static void test_variable_coefficients(void **state) {
  EACH_SPACE(false) {
    Expr *k = add(num(1), mul(coord(0), coord(0))), *b = e_exp(coord(dim - 1));
    check(INTEGRAL_CELL, 2, mul(k, dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0)), true, "k(x) diffusion");
    check(INTEGRAL_CELL, 2, add(mul(mul(b, D(0, 0)), V(0, -1)), mul(mul(k, D(0, -1)), V(0, -1))), false, "advection and reaction");
    check(INTEGRAL_CELL, 2, mul(mul(par("b"), D(0, dim - 1)), V(0, -1)), false, "constant advection");
    check(INTEGRAL_CELL, 2, mul(mul(expr_size(bench.pool, UNIT_NONE), D(0, 0)), V(0, 0)), true, "h-weighted streamline diffusion");
    check(INTEGRAL_CELL, 1, add(mul(e_sin(mul(num(M_PI), coord(0))), V(0, -1)), mul(coord(0), V(0, 0))), false, "load");
    Expr *args[2] = {par("ka"), k};
    Name where[2] = {nm("a"), NULL};
    Expr *by_region = expr_regions(bench.pool, args, where, 2);
    check(INTEGRAL_CELL, 2, mul(cond(expr_binary(bench.pool, EXPR_LT, coord(0), num(.3)), par("s"), num(2.5)), mul(D(0, -1), V(0, -1))), true, "if");
    LowerRequest r = request(INTEGRAL_CELL, 0, &by_region, 1);
    Kernel *kernel = NULL;
    assert_int_equal(kernel_integral(bench.kernels, &r, &bench.diags, &kernel), 0);
    double *out = run_kernel(kernel, 0);
    for (int l = 0; l < kernel->width; l++) {
      Expr *one = args[region_value(l) != 0];
      LowerRequest single = request(INTEGRAL_CELL, 0, &one, 1);
      double value;
      single.degree = kernel->degree;
      reference_tensor_of(&single, kernel, l, 0, &value);
      assert_true(fabs(value - out[l]) < 1e-13 * fabs(value));
    }
    free(out);
    kernel_release(kernel);
  }
}

static void test_nonlinear(void **state) {
  EACH_SPACE(false) {
    Expr *q = add(num(1), mul(U(0, -1), U(0, -1)));
    check(INTEGRAL_CELL, 1, mul(q, dot_grad(SYMBOL_UNKNOWN, SYMBOL_TEST, 0)), false, "nonlinear residual");
    check(INTEGRAL_CELL, 2, add(mul(q, dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0)), mul(mul(mul(num(2), U(0, -1)), D(0, -1)), dot_grad(SYMBOL_UNKNOWN, SYMBOL_TEST, 0))),
          false, "nonlinear Jacobian");
    check(INTEGRAL_CELL, 1, mul(quot(sub(U(0, -1), term(SYMBOL_PREVIOUS, 0, 0, -1)), par("dt")), V(0, -1)), false, "time step");
    check(INTEGRAL_CELL, 1, mul(pw(add(U(0, -1), num(1)), num(1.5)), V(0, -1)), false, "power");
    check(INTEGRAL_CELL, 1, mul(term(SYMBOL_FIELD, 0, 0, 0), V(0, -1)), false, "known field");
  }
}

/* lambda div(u) div(v) + 2 mu eps(u):eps(v) */
static Expr *elasticity(SymbolKind u, Expr *lambda, Expr *mu) {
  Expr *div_u = num(0), *div_v = num(0), *s = num(0);
  for (int i = 0; i < bench.dim; i++) {
    div_u = add(div_u, term(u, 0, i, i));
    div_v = add(div_v, V(i, i));
    for (int j = 0; j < bench.dim; j++) s = add(s, mul(mul(mu, add(term(u, 0, i, j), term(u, 0, j, i))), V(i, j)));
  }
  return add(mul(mul(lambda, div_u), div_v), s);
}

static void test_elasticity(void **state) {
  EACH_SPACE(true) {
    check(INTEGRAL_CELL, 2, elasticity(SYMBOL_TRIAL, par("l"), par("m")), true, "elasticity");
    check(INTEGRAL_CELL, 2, elasticity(SYMBOL_TRIAL, add(num(1), coord(0)), par("m")), true, "elasticity, lambda(x)");
    check(INTEGRAL_CELL, 2, elasticity(SYMBOL_TRIAL, par("l"), par("m")), false, "elasticity, all entries");
    check(INTEGRAL_CELL, 1, elasticity(SYMBOL_UNKNOWN, par("l"), par("m")), false, "elastic residual");
  }
}

/* Taylor-Hood: grad(u):grad(v) - p div(v) - q div(u) */
static void test_saddle(void **state) {
  for (int dim = 2; dim <= 3; dim++) {
    problem(dim);
    unknown("u", "P2", shape_vector(dim));
    unknown("p", "P1", SHAPE_SCALAR);
    Expr *s = num(0), *convect = num(0);
    for (int i = 0; i < dim; i++) {
      s = add(s, dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, i));
      s = sub(s, mul(term(SYMBOL_TRIAL, 1, 0, -1), V(i, i)));
      s = sub(s, mul(term(SYMBOL_TEST, 1, 0, -1), D(i, i)));
      for (int j = 0; j < dim; j++) convect = add(convect, mul(mul(U(j, -1), D(i, j)), V(i, -1)));
    }
    check(INTEGRAL_CELL, 2, s, true, "Stokes");
    check(INTEGRAL_CELL, 2, add(s, convect), false, "Oseen");
  }
}

static void test_second_derivatives(void **state) {
  for (int dim = 1; dim <= 3; dim++) {
    problem(dim);
    unknown("u", "P2", SHAPE_SCALAR);
    Expr *lap_u = num(0), *lap_v = num(0), *lap_w = num(0);
    for (int i = 0; i < dim; i++) {
      lap_u = add(lap_u, term2(SYMBOL_TRIAL, 0, 0, i, i));
      lap_v = add(lap_v, term2(SYMBOL_TEST, 0, 0, i, i));
      lap_w = add(lap_w, term2(SYMBOL_UNKNOWN, 0, 0, i, dim - 1));
    }
    check(INTEGRAL_CELL, 2, mul(lap_u, lap_v), true, "lap lap");
    check(INTEGRAL_CELL, 2, mul(mul(coord(0), lap_u), V(0, 0)), false, "x lap grad");
    check(INTEGRAL_CELL, 1, mul(lap_w, lap_v), false, "lap residual");
  }
}

static void test_facets(void **state) {
  EACH_SPACE(false) {
    Expr *flux = num(0);
    for (int i = 0; i < dim; i++) flux = add(flux, mul(D(0, i), normal_of(i)));
    check(INTEGRAL_FACET, 2, mul(par("a"), mul(D(0, -1), V(0, -1))), true, "Robin");
    check(INTEGRAL_FACET, 2, mul(flux, V(0, -1)), false, "normal flux");
    check(INTEGRAL_FACET, 1, mul(e_exp(coord(0)), V(0, -1)), false, "Neumann");
    check(INTEGRAL_FACET, 1, mul(par("g"), V(0, -1)), false, "constant Neumann");
    check(INTEGRAL_FACET, 1, mul(mul(U(0, dim - 1), normal_of(0)), V(0, -1)), false, "flux of u");
    Expr *values[3] = {num(1), normal_of(dim - 1), mul(U(0, -1), U(0, 0))};
    LowerRequest r = request(INTEGRAL_FACET, 0, values, 3);
    kernel_release(check_kernel(&r, "measure, normal, energy"));
  }
}

static void test_values(void **state) {
  EACH_SPACE(false) {
    Expr *gap = sub(U(0, -1), e_sin(coord(0)));
    Expr *values[4] = {num(1), mul(gap, gap), dot_grad(SYMBOL_UNKNOWN, SYMBOL_UNKNOWN, 0), e_sqrt(add(num(2), mul(coord(0), U(0, 0))))};
    LowerRequest r = request(INTEGRAL_CELL, 0, values, 4);
    kernel_release(check_kernel(&r, "norms"));
  }
}

static void test_at_points(void **state) {
  problem(2);
  unknown("u", "P2", SHAPE_SCALAR);
  bool own = false;
  Expr *arg = coord(0), *e = mul(expr_host_call(bench.pool, nm("f"), &arg, 1, SHAPE_SCALAR, UNIT_NONE), V(0, -1));
  LowerRequest r = request(INTEGRAL_CELL, 1, &e, 1);
  kernel_release(check_kernel(&r, "host function"));
  e = mul(term(SYMBOL_FIELD, 0, 0, 1), V(0, 0));
  r.user = &own;
  Kernel *k = check_kernel(&r, "foreign field");
  assert_int_equal(k->ndata, 1);
  assert_int_equal(k->data[0].kind, KERNEL_AT_POINTS);
  assert_int_equal(k->data[0].n, k->nq);
  kernel_release(k);
}

/* By hand: the unit triangle's P1 matrices, the interval's P2 matrices, one tetrahedron's P1 mass. */
static void unit_run(Expr *e, double scale, const double *expect) {
  LowerRequest r = request(INTEGRAL_CELL, 2, &e, 1);
  Kernel *k = NULL;
  assert_int_equal(kernel_integral(bench.kernels, &r, &bench.diags, &k), 0);
  double *x = lanes((size_t)k->nx * k->width), *out = lanes((size_t)k->nout * k->width), *scratch = lanes(kernel_scratch(k) / sizeof(double));
  for (int v = 0; v <= k->dim; v++)
    for (int i = 0; i < k->dim; i++)
      for (int l = 0; l < k->width; l++) x[(v * k->dim + i) * k->width + l] = v == i + 1;
  kernel_run(k, x, NULL, NULL, NULL, 0, out, scratch);
  for (int i = 0; i < k->nout; i++) assert_true(fabs(out[i * k->width] - expect[i] * scale) < 1e-15);
  free(x), free(out), free(scratch);
  kernel_release(k);
}

static void test_by_hand(void **state) {
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  unit_run(dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0), .5, (double[]){2, -1, -1, -1, 1, 0, -1, 0, 1});
  unit_run(mul(D(0, -1), V(0, -1)), 1. / 24, (double[]){2, 1, 1, 1, 2, 1, 1, 1, 2});
  problem(1);
  unknown("u", "P2", SHAPE_SCALAR);
  unit_run(mul(D(0, 0), V(0, 0)), 1. / 3, (double[]){7, 1, -8, 1, 7, -8, -8, -8, 16});
  unit_run(mul(D(0, -1), V(0, -1)), 1. / 30, (double[]){4, -1, 2, -1, 4, 2, 2, 2, 16});
  problem(3);
  unknown("u", "P1", SHAPE_SCALAR);
  unit_run(mul(D(0, -1), V(0, -1)), 1. / 120, (double[]){2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2});
}

/* The two routes give one tensor: a coefficient that is constant in fact but not in form goes through the quadrature loop. */
static void test_routes(void **state) {
  EACH_SPACE(false) {
    Expr *hidden = add(par("k"), mul(num(0.1), sub(pw(e_sin(coord(0)), num(2)), sub(num(1), pw(expr_unary(bench.pool, EXPR_COS, coord(0)), num(2))))));
    Expr *forms[2] = {dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0), mul(D(0, -1), V(0, -1))};
    for (int f = 0; f < 2; f++) {
      Expr *plain = mul(par("k"), forms[f]), *varying = mul(hidden, forms[f]);
      LowerRequest r = request(INTEGRAL_CELL, 2, &plain, 1), s = request(INTEGRAL_CELL, 2, &varying, 1);
      r.degree = s.degree = 4;
      r.symmetric = s.symmetric = true;
      Kernel *k = check_kernel(&r, "reference route"), *m = check_kernel(&s, "quadrature route");
      assert_true(k->constant_tensor);
      assert_false(m->constant_tensor);
      double *a = run_kernel(k, 0), *b = run_kernel(m, 0);
      assert_true(jit_difference(k->nout, 1, a, k->width, b, m->width) < 1e-13);
      free(a), free(b);
      kernel_release(k), kernel_release(m);
    }
  }
}

static void test_structure(void **state) {
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  Expr *e[3] = {mul(num(3.7), mul(D(0, -1), V(0, -1))), mul(num(4.9), mul(D(0, -1), V(0, -1))), mul(num(4.9), mul(D(0, 0), V(0, -1)))};
  Kernel *k[3];
  for (int i = 0; i < 3; i++) {
    LowerRequest r = request(INTEGRAL_CELL, 2, &e[i], 1);
    assert_int_equal(kernel_integral(bench.kernels, &r, &bench.diags, &k[i]), 0);
  }
  assert_string_equal(k[0]->id, k[1]->id);        /* numbers are data */
  assert_string_not_equal(k[0]->id, k[2]->id);
  assert_ptr_equal(k[0]->code, k[1]->code);
  const char *jit = getenv("PDE_JIT");
  if (jit) assert_int_equal(k[0]->fn != NULL, !strcmp(jit, "llvm"));   /* this run tests what it says it does */
  assert_int_equal(k[0]->np, 1);
  assert_true(k[1]->params[0]->value == 4.9);
  for (int i = 0; i < 3; i++) kernel_release(k[i]);
}

static void test_degree(void **state) {
  problem(2);
  unknown("u", "P2", SHAPE_SCALAR);
  const struct { Expr *e; int rank, degree; } rows[] = {
      {dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0), 2, 2}, {mul(D(0, -1), V(0, -1)), 2, 4},        {mul(mul(coord(0), D(0, -1)), V(0, -1)), 2, 5},
      {mul(e_sin(coord(0)), V(0, -1)), 1, 5},         {mul(e_sin(pw(coord(0), num(5))), V(0, -1)), 1, 6}, {num(1), 0, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Expr *e = rows[i].e;
    LowerRequest r = request(INTEGRAL_CELL, rows[i].rank, &e, 1);
    Kernel *k = NULL;
    assert_int_equal(kernel_integral(bench.kernels, &r, &bench.diags, &k), 0);
    assert_int_equal(k->degree, rows[i].degree);
    kernel_release(k);
    r.degree = 9;
    assert_int_equal(kernel_integral(bench.kernels, &r, &bench.diags, &k), 0);
    assert_int_equal(k->degree, 9);
    kernel_release(k);
  }
}

static void test_refusals(void **state) {
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  Symbol rate = {.kind = SYMBOL_UNKNOWN, .dt = 1, .time = NAN}, third = {.kind = SYMBOL_UNKNOWN, .dx = {3, 0, 0}, .time = NAN};
  Expr *bad[] = {mul(expr_term(bench.pool, rate, nm("u"), UNIT_NONE), V(0, -1)), mul(expr_term(bench.pool, third, nm("u"), UNIT_NONE), V(0, -1)),
                 mul(normal_of(0), V(0, -1)), mul(V(0, -1), V(0, -1))};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    LowerRequest r = request(INTEGRAL_CELL, 1, &bad[i], 1);
    Kernel *k = NULL;
    diags_clear(&bench.diags);
    assert_int_not_equal(kernel_integral(bench.kernels, &r, &bench.diags, &k), 0);
    assert_int_equal(bench.diags.n, 1);
    assert_int_equal(bench.diags.items[0]->code, E2101);
    diags_clear(&bench.diags);
  }
}

static void test_other_codes(void **state) {
  problem(2);
  unknown("u", "Q7", SHAPE_SCALAR);
  Expr *e = mul(D(0, -1), V(0, -1));
  LowerRequest r = request(INTEGRAL_CELL, 2, &e, 1);
  Kernel *k = NULL;
  assert_int_not_equal(kernel_integral(bench.kernels, &r, &bench.diags, &k), 0);
  assert_int_equal(bench.diags.n, 1);
  assert_int_equal(bench.diags.items[0]->code, E2102);
  diags_clear(&bench.diags);
  KernelContext *interp = kernels_open(bench.pool, JIT_INTERP, &bench.diags);
  Buf text = {0};
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  r = request(INTEGRAL_CELL, 2, &e, 1);
  assert_int_equal(kernel_integral(interp, &r, &bench.diags, &k), 0);
  assert_int_not_equal(kernel_text(interp, k, "asm", &bench.diags, &text), 0);
  assert_int_equal(bench.diags.items[0]->code, E2103);
  diags_clear(&bench.diags);
  buf_free(&text);
  kernel_release(k);
  kernels_close(interp);
}

static void test_pointwise(void **state) {
  problem(3);
  Expr *args[2] = {par("a"), num(2)};
  Name where[2] = {nm("a"), NULL};
  Expr *exprs[3] = {mul(U(0, 1), e_sin(coord(2))), expr_regions(bench.pool, args, where, 2), mul(normal_of(0), expr_time(bench.pool, UNIT_NONE))};
  Kernel *k = NULL;
  assert_int_equal(kernel_pointwise(bench.kernels, exprs, 3, 1000000, &bench.diags, &k), 0);
  assert_int_equal(k->ninputs, 4);
  assert_int_equal(k->nw, 4);
  int W = k->width;
  double *w = lanes(4 * (size_t)W), *p = lanes((size_t)k->np), *out = lanes(3 * (size_t)W), *scratch = lanes(kernel_scratch(k) / sizeof(double));
  for (int i = 0; i < 4; i++)
    for (int l = 0; l < W; l++) w[i * W + l] = k->inputs[i]->op == EXPR_REGIONS ? l % 2 : noise(i, l, 0);
  for (int i = 0; i < k->np; i++) p[i] = param_value(k->params[i]);
  kernel_run(k, NULL, w, NULL, p, 0, out, scratch);
  for (int l = 0; l < W; l++) {
    double u = 0, z = 0, n = 0;
    for (int i = 0; i < 4; i++) *(k->inputs[i]->op == EXPR_TERM ? &u : k->inputs[i]->op == EXPR_COORD ? &z : &n) = k->inputs[i]->op == EXPR_REGIONS ? n : w[i * W + l];
    assert_true(fabs(out[l] - u * sin(z)) < 1e-15);
    assert_true(out[W + l] == (l % 2 ? 2 : param_value(args[0])));
    assert_true(fabs(out[2 * W + l] - n * .7) < 1e-15);
  }
  free(w), free(p), free(out), free(scratch);
  kernel_release(k);
}

/* Equality in conditions is within 1e-9 of the domain's size. */
static void test_tolerance(void **state) {
  problem(2);
  Expr *e[4];
  const double gap[4] = {0, 5e-10, 2e-9, -5e-10};
  for (int i = 0; i < 4; i++) e[i] = cond(expr_binary(bench.pool, i == 3 ? EXPR_NE : EXPR_EQ, add(coord(0), num(gap[i])), coord(1)), num(1), num(2));
  Kernel *k = NULL;
  assert_int_equal(kernel_pointwise(bench.kernels, e, 4, 1000000, &bench.diags, &k), 0);
  assert_int_equal(k->ndata, 1);
  assert_int_equal(k->data[0].kind, KERNEL_DOMAIN_EPS);
  size_t W = (size_t)k->width;
  double *w = lanes((size_t)k->nw * W), *c = lanes(W), *p = lanes((size_t)k->np), *out = lanes(4 * W), *scratch = lanes(kernel_scratch(k) / sizeof(double));
  for (size_t l = 0; l < W; l++) c[l] = 1e-9;
  for (size_t l = 0; l < W * (size_t)k->nw; l++) w[l] = .375;
  for (int i = 0; i < k->np; i++) p[i] = k->params[i]->value;
  kernel_run(k, NULL, w, c, p, 0, out, scratch);
  for (int i = 0; i < 4; i++) assert_true(out[(size_t)i * W] == (i < 2 ? 1 : 2));
  free(w), free(c), free(p), free(out), free(scratch);
  kernel_release(k);
}

static int open_bench(void **state) { bench_open(JIT_AUTO); return 0; }
static int close_bench(void **state) {
  Buf note = {0};
  kernels_note(bench.kernels, &note);
  printf("# %s\n", buf_str(&note));
  buf_free(&note);
  for (int i = 0; i < bench.diags.n; i++) printf("# %s\n", bench.diags.items[i]->message);
  int n = bench.diags.n;
  bench_close();
  return n;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mass_and_stiffness), cmocka_unit_test(test_variable_coefficients), cmocka_unit_test(test_nonlinear), cmocka_unit_test(test_elasticity),
      cmocka_unit_test(test_saddle),             cmocka_unit_test(test_second_derivatives),    cmocka_unit_test(test_facets),    cmocka_unit_test(test_values),
      cmocka_unit_test(test_at_points),          cmocka_unit_test(test_by_hand),               cmocka_unit_test(test_routes),    cmocka_unit_test(test_structure),
      cmocka_unit_test(test_degree),             cmocka_unit_test(test_refusals),              cmocka_unit_test(test_pointwise),
      cmocka_unit_test(test_tolerance),          cmocka_unit_test(test_other_codes)};
  return cmocka_run_group_tests(tests, open_bench, close_bench);
}
