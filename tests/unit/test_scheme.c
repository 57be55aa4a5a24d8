/* Step forms: u' = -u^2 + sin(t) and u'' = -u as equations without space, solved by Newton through the step form; orders measured at even and
 * uneven steps. */
#include "pde_make.h"

#include "../../numerics/scheme.h"

typedef struct March { double u, u1, u2, r1, r2, t, t_old, p[SCHEME_PARAMS]; } March;

static double march_leaf(Expr *leaf, void *user) {
  const March *m = user;
  if (leaf->op == EXPR_TIME) return m->t;
  if (leaf->op == EXPR_PARAM) {
    int k = scheme_param(leaf->name);
    assert_true(k >= 0);
    return k == SCHEME_TIME_OLD ? m->t_old : m->p[k];
  }
  assert_int_equal(leaf->op, EXPR_TERM);
  assert_int_equal(leaf->symbol.dt, 0);
  switch (leaf->symbol.kind) {
    case SYMBOL_TEST: case SYMBOL_TRIAL: return 1;
    case SYMBOL_UNKNOWN: return m->u;
    default: break;
  }
  switch (leaf->symbol.level) {
    case 1: return m->u1;
    case 2: return m->u2;
    case SCHEME_RATE + 1: return m->r1;
    default: assert_int_equal(leaf->symbol.level, SCHEME_RATE + 2); return m->r2;
  }
}

/* The state at `end`; step j of the march has length end*(weight of j) for uneven steps. */
static double march(const StepForm *s, double u0, double r0, double end, int n, bool uneven) {
  March m = {.u = u0, .u1 = u0, .u2 = u0, .r1 = r0, .r2 = r0};
  double before = 0, h = end/n;
  for (int j = 0; j < n; j++) {
    double step = uneven ? h*(j % 2 ? 1.25 : 0.75) : h;
    SchemeStart start = {.step = step, .ratio = j ? step/before : 1, .first = !j, .second_order = s->rates[0], .rho = SCHEME_RHO};
    scheme_coefficients(s->row, &start, m.p);
    m.t_old = m.t;
    m.t += step;
    for (int k = 0; k < 20; k++) m.u -= expr_value(s->residual[0].integrand, march_leaf, &m)/expr_value(s->jacobian[0].integrand, march_leaf, &m);
    SchemeRates rates;
    scheme_rates(s->row, m.p, &start, s->rates[0], &rates);
    const double *a = rates.r1, *b = rates.r2;
    double r1 = a[0]*m.u + a[1]*m.u1 + a[2]*m.u2 + a[3]*m.r1 + a[4]*m.r2, r2 = b[0]*m.u + b[1]*m.u1 + b[2]*m.u2 + b[3]*m.r1 + b[4]*m.r2;
    m.u2 = m.u1, m.u1 = m.u, m.r2 = r2, m.r1 = r1;
    before = step;
  }
  return m.u;
}

static double order_of(const StepForm *s, double u0, double r0, double end, double exact, bool uneven) {
  double coarse = fabs(march(s, u0, r0, end, 160, uneven) - exact), fine = fabs(march(s, u0, r0, end, 320, uneven) - exact);
  return log2(coarse/fine);
}

static double reference(double u, double end) {            /* classical Runge-Kutta */
  int n = 20000;
  double h = end/n, t = 0;
  for (int i = 0; i < n; i++, t += h) {
    double k1 = -u*u + sin(t), v = u + h/2*k1;
    double k2 = -v*v + sin(t + h/2);
    v = u + h/2*k2;
    double k3 = -v*v + sin(t + h/2);
    v = u + h*k3;
    double k4 = -v*v + sin(t + h);
    u += h/6*(k1 + 2*k2 + 2*k3 + k4);
  }
  return u;
}

static void orders_in_time(void **state) {
  (void)state;
  assert_int_equal(scheme_row_count, 4);
  for (int i = 0; i < scheme_row_count; i++) {
    const SchemeRow *row = &scheme_rows[i];
    StepForm s;
    lab_open(2);
    Expr *u = scalar("u");
    equation(0, dt(u), add(neg(power(u, 2)), un(EXPR_SIN, time_())));
    Form *form = derive();
    assert_int_equal(scheme_step(form, row, &lab.diags, &s), 0);
    assert_true(s.dynamic[0] && !s.rates[0]);
    assert_int_equal(s.levels, row->levels);
    double exact = reference(1, 2);
    assert_true(fabs(order_of(&s, 1, 0, 2, exact, false) - row->order) < 0.1);
    assert_true(fabs(order_of(&s, 1, 0, 2, exact, true) - row->order) < 0.1);
    scheme_step_free(&s);
    lab_close();

    lab_open(2);
    u = scalar("u");
    equation(0, dtt(u), neg(u));
    form = derive();
    assert_int_equal(scheme_step(form, row, &lab.diags, &s), 0);
    assert_true(s.rates[0]);
    assert_true(fabs(order_of(&s, 1, 0.5, 1, cos(1) + 0.5*sin(1), false) - row->order) < 0.1);
    if (row->family != SCHEME_BDF) assert_true(fabs(order_of(&s, 1, 0.5, 1, cos(1) + 0.5*sin(1), true) - row->order) < 0.1);
    scheme_step_free(&s);
    lab_close();
  }
}

/* Crank-Nicolson takes the pressure and the constraint at the new time, the rest of the momentum row as a mean. */
static void rows_of_a_step(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = unknown("u", shape_vector(2), "v"), *p = unknown("p", SHAPE_SCALAR, "q");
  equation(0, dt(u), div_(sub(grad(u), mul(p, ident()))));
  equation(1, div_(u), zero());
  on("all", u, zero());
  Form *form = derive();
  StepForm s;
  assert_int_equal(scheme_step(form, scheme_row("crank_nicolson"), &lab.diags, &s), 0);
  assert_true(s.dynamic[0] && !s.dynamic[1]);
  lab.params[lab.pde.nparams++] = (PdeParam){.symbol = expr_param(lab.pool, scheme_params[SCHEME_STEP], SHAPE_SCALAR, UNIT_NONE, false), .value = num(0.25)};
  double expected = -(dU(0, 0, 0) + dU(0, 1, 1))*V(1, 0) - U(1, 0)*(dV(0, 0, 0) + dV(0, 1, 1));
  for (int i = 0; i < 2; i++) {                 /* terms of PREVIOUS level 1 have the values of their kind */
    expected += (U(0, i) - term(SYMBOL_PREVIOUS, 0, i, 0, 0, 0, 0))/0.25*V(0, i);
    for (int j = 0; j < 2; j++) expected += 0.5*(dU(0, i, j) + term(SYMBOL_PREVIOUS, 0, i, j == 0, j == 1, 0, 0))*dV(0, i, j);
  }
  near_(value(s.residual[0].integrand), expected);
  assert_int_equal(s.findings & (FORM_LINEAR | FORM_SYMMETRIC | FORM_SADDLE), FORM_LINEAR | FORM_SYMMETRIC | FORM_SADDLE);
  scheme_step_free(&s);
  lab_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders_in_time), cmocka_unit_test(rows_of_a_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
