/* Derivatives against finite differences, on hundreds of random expressions. */
#include "expr_lab.h"

/* f'(s) by Richardson's extrapolation of central differences; *error: how far it may be trusted. */
static double slope(double (*f)(double, void *), void *user, double h, double *error) {
  double d1 = (f(h, user) - f(-h, user)) / (2 * h), d2 = (f(h / 2, user) - f(-h / 2, user)) / h, d4 = (f(h / 4, user) - f(-h / 4, user)) / (h / 2);
  double r1 = (4 * d2 - d1) / 3, r2 = (4 * d4 - d2) / 3;
  *error = fabs(r2 - r1) + 1e-16 / h * (fabs(f(0, user)) + 1) * 100;
  return r2;
}

typedef struct Probe { Expr *e, *leaf; Point at; } Probe;

static double shift_of_leaf;

static double shifted_leaf(Expr *leaf, void *user) {
  const Probe *p = user;
  return leaf_value(leaf, (void *)&p->at) + (leaf == p->leaf ? shift_of_leaf : 0);
}

static double along_leaf(double s, void *user) {
  shift_of_leaf = s;
  return expr_value(((Probe *)user)->e, shifted_leaf, user);
}

static int compare(Probe *probe, Expr *derivative, double (*along)(double, void *)) {
  double error, numeric = slope(along, probe, 1e-3, &error), symbolic = value_at(derivative, probe->at);
  double scale = fmax(1, fabs(numeric));
  if (!isfinite(numeric) || error > 1e-6 * scale) return 0;   /* near a kink, a pole or the edge of a domain */
  if (!(fabs(symbolic - numeric) <= 1e-5 * scale + 10 * error)) {
    Buf text = {0};
    expr_print(&text, probe->e, EXPR_TEXT);
    print_error("%s\n", buf_str(&text));
    buf_free(&text);
    fail_msg("derivative %.12g, by differences %.12g", symbolic, numeric);
  }
  return 1;
}

static void random_by_leaf(void **state) {
  (void)state;
  int compared = 0;
  for (uint64_t k = 0; k < 800; k++) {
    Random r = {.state = k * 1000, .at = point_of(k), .smooth = true};
    Probe probe = {.e = random_expr(&r, 5).e, .at = r.at};
    Expr *leaves[] = {X(0), X(1), T(), param("a"), expr_term(lab, (Symbol){.kind = SYMBOL_UNKNOWN}, nm("u"), UNIT_NONE)};
    for (int i = 0; i < 5; i++) {
      probe.leaf = leaves[i];
      Expr *d = expr_diff(lab, probe.e, probe.leaf);
      assert_non_null(d);
      if (!expr_is_zero(d)) compared += compare(&probe, d, along_leaf);
      else if (probe.e != probe.leaf) {
        double here = along_leaf(0, &probe), there = along_leaf(1e-9, &probe);
        assert_true(here == there || !isfinite(here) || fabs(there - here) < 1e-6);
      }
    }
  }
  assert_true(compared > 700);
}

/* u of place and time, known in closed form: the terminals are its derivatives. */
static double wave(const double x[3], double t, int which, const uint8_t dx[3], int dt) {
  double k[4] = {1.1 + which, 0.7, 0.4, 0.9}, v[4] = {x[0], x[1], x[2], t}, amplitude = 1, phase = 0.3;
  int order = 0;
  for (int i = 0; i < 4; i++) {
    int n = i < 3 ? dx[i] : dt;
    phase += k[i] * v[i];
    amplitude *= pow(k[i], n);
    order += n;
  }
  return amplitude * sin(phase + order * M_PI_2);
}

static double wave_leaf(Expr *leaf, void *user) {
  const Point *p = user;
  if (leaf->op != EXPR_TERM) return leaf_value(leaf, user);
  return wave(p->x, p->t, leaf->symbol.which + 3 * leaf->symbol.component, leaf->symbol.dx, leaf->symbol.dt);
}

typedef struct Line { Expr *e; Point at; int axis; } Line;

static double along_axis(double s, void *user) {
  Line line = *(Line *)user;
  *(line.axis < 3 ? &line.at.x[line.axis] : &line.at.t) += s;
  return expr_value(line.e, wave_leaf, &line.at);
}

static void random_in_space_and_time(void **state) {
  (void)state;
  int compared = 0;
  for (uint64_t k = 0; k < 500; k++) {
    Random r = {.state = k * 1000 + 500, .at = point_of(k), .smooth = true};
    Line line = {.e = random_expr(&r, 4).e, .at = r.at};
    for (line.axis = 0; line.axis < 4; line.axis++) {
      Expr *d = line.axis < 3 ? expr_diff_space(lab, line.e, line.axis) : expr_diff_time(lab, line.e);
      double error, numeric = slope(along_axis, &line, 1e-3, &error), symbolic = expr_value(d, wave_leaf, &line.at), scale = fmax(1, fabs(numeric));
      if (!isfinite(numeric) || error > 1e-6 * scale) continue;
      if (!(fabs(symbolic - numeric) <= 1e-5 * scale + 10 * error)) fail_msg("axis %d: %.12g, by differences %.12g", line.axis, symbolic, numeric);
      compared++;
    }
  }
  assert_true(compared > 800);
}

static void differential_operators(void **state) {
  (void)state;
  Expr *u = unknown("u", 0, SHAPE_SCALAR), *v = unknown("v", 1, shape_vector(3));
  Expr *f = mul(un(EXPR_SIN, mul(u, X(0))), X(1)), *g = add(mul(u, v), vec3(mul(X(0), X(1)), un(EXPR_EXP, X(2)), powc(u, 2)));
  Point p = point_of(5);
  double d[3][3], h = 1e-3, error;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) d[i][j] = slope(along_axis, &(Line){expr_scalar(lab, g, i, 3), p, j}, h, &error);
  struct { Expr *e; int component; double wanted; } cases[] = {
    {un(EXPR_GRAD, g), 0 * 3 + 1, d[0][1]}, {un(EXPR_GRAD, g), 2 * 3 + 0, d[2][0]}, {un(EXPR_DIVERGENCE, g), 0, d[0][0] + d[1][1] + d[2][2]},
    {un(EXPR_CURL, g), 0, d[2][1] - d[1][2]}, {un(EXPR_CURL, g), 1, d[0][2] - d[2][0]}, {un(EXPR_CURL, g), 2, d[1][0] - d[0][1]},
    {un(EXPR_EPS, g), 5, 0.5 * (d[1][2] + d[2][1])}, {expr_dx(lab, g, 1, UNIT_NONE), 2, d[2][1]},
    {un(EXPR_GRAD, f), 1, slope(along_axis, &(Line){expr_scalar(lab, f, 0, 3), p, 1}, h, &error)},
    {un(EXPR_DT, f), 0, slope(along_axis, &(Line){expr_scalar(lab, f, 0, 3), p, 3}, h, &error)},
    {un(EXPR_DTT, f), 0, slope(along_axis, &(Line){expr_scalar(lab, un(EXPR_DT, f), 0, 3), p, 3}, h, &error)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_close(expr_value(expr_scalar(lab, cases[i].e, cases[i].component, 3), wave_leaf, &p), cases[i].wanted, 1e-7);
}

static void exact_rules(void **state) {
  (void)state;
  Expr *x = X(0), *a = param("a");
  assert_ptr_equal(expr_diff(lab, powc(x, 2), x), mul(C(2), x));
  assert_ptr_equal(expr_diff(lab, powc(x, 3), x), mul(C(3), powc(x, 2)));
  assert_ptr_equal(expr_diff(lab, bi(EXPR_POW, x, a), x), mul(a, bi(EXPR_POW, x, sub(a, C(1)))));
  assert_ptr_equal(expr_diff(lab, un(EXPR_SIN, x), x), un(EXPR_COS, x));
  assert_ptr_equal(expr_diff(lab, un(EXPR_ABS, x), x), un(EXPR_SIGN, x));
  assert_ptr_equal(expr_diff(lab, bi(EXPR_MIN, x, a), x), expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LT, x, a), C(1), zero()}, 3));
  assert_ptr_equal(expr_diff(lab, quo(x, a), x), quo(C(1), a));
  assert_true(expr_is_zero(expr_diff(lab, mul(a, T()), x)));
  assert_true(expr_is_zero(expr_diff_space(lab, expr_scalar(lab, mul(a, bi(EXPR_DOT, expr_normal(lab, 2), expr_normal(lab, 2))), 0, 2), 0)));
  Name names[] = {nm("steel"), NULL};
  Expr *k = expr_regions(lab, (Expr *[]){mul(x, x), C(3)}, names, 2);
  assert_ptr_equal(expr_diff_space(lab, k, 0), expr_regions(lab, (Expr *[]){mul(C(2), x), zero()}, names, 2));
}

static void integrals_and_host_calls(void **state) {
  (void)state;
  Expr *u = expr_term(lab, (Symbol){.kind = SYMBOL_UNKNOWN}, nm("u"), UNIT_NONE), *a = param("a");
  Expr *whole = expr_integral(lab, mul(a, u), NULL, 0, false);
  assert_true(expr_is_zero(expr_diff_space(lab, whole, 0)));
  assert_true(expr_is_zero(expr_diff(lab, whole, u)));
  assert_ptr_equal(expr_diff(lab, whole, a), expr_integral(lab, u, NULL, 0, false));
  Expr *call = expr_host_call(lab, nm("table"), &u, 1, SHAPE_SCALAR, UNIT_NONE);
  assert_null(expr_diff(lab, call, u));
  assert_non_null(strstr(expr_error(lab).text, "table"));
  assert_true(expr_is_zero(expr_diff(lab, call, a)));
  assert_null(expr_scalar(lab, un(EXPR_GRAD, expr_host_call(lab, nm("table"), (Expr *[]){X(0)}, 1, SHAPE_SCALAR, UNIT_NONE)), 0, 2));
}

/* Sharing is kept: x -> x*(x + 1), n times, is a tree of 2^n and a DAG of 2n; so is its derivative. Chains may be long. */
static void linear_work(void **state) {
  (void)state;
  Expr *e = X(0);
  for (int i = 0; i < 60; i++) e = un(EXPR_SIN, mul(e, add(e, C(1))));
  uint32_t before = C(12345)->id;
  Expr *d = expr_diff(lab, e, X(0)), *s = expr_diff_space(lab, e, 0);
  assert_non_null(s);
  assert_true(C(54321)->id - before < 60 * 20);
  Probe probe = {.e = e, .leaf = X(0), .at = point_of(3)};
  compare(&probe, d, along_leaf);
  Expr *chain = X(0);
  for (int i = 0; i < 50000; i++) chain = add(chain, mul(C(i), un(EXPR_SIN, chain)));
  assert_non_null(expr_diff(lab, chain, X(0)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_by_leaf), cmocka_unit_test(random_in_space_and_time), cmocka_unit_test(differential_operators), cmocka_unit_test(exact_rules),
    cmocka_unit_test(integrals_and_host_calls), cmocka_unit_test(linear_work),
  };
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
