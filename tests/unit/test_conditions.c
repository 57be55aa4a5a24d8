/* Conditions completed: who yields to whom; and every equation and condition that is refused. */
#include "pde_make.h"

/* --- conditions --- */

static void all_yields_to_names(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = vector("u");
  equation(0, neg(lap(u)), zero());
  on("all", u, vec2(num(1), num(2)));
  on("left", comp(u, 0), num(5));
  derive();
  assert_int_equal(lab.pde.nconditions, 3);
  const Condition *c = lab.pde.conditions;
  assert_true(c[0].where.others && !c[0].where.all && c[0].where.n == 1 && c[0].where.names[0] == nm("left"));
  assert_int_equal(c[0].component, 0);
  near_(value(c[0].value), 1);
  assert_true(c[1].where.all);
  assert_int_equal(c[1].component, 1);
  near_(value(c[1].value), 2);
  Form *first = lab.form;                       /* the same pde again: the same conditions */
  derive();
  assert_int_equal(lab.pde.nconditions, 3);
  assert_int_equal(lab.pde.conditions[0].component, 0);
  near_(value(lab.pde.conditions[1].value), 2);
  form_free(first);
  lab_close();
}

typedef void (*Declare)(Expr *u);
static void twice(Expr *u) { on("left", u, zero()), on("right left", u, num(1)); }
static void both_kinds(Expr *u) { on("left", u, zero()), on("left", dot(grad(u), nrm()), num(1)); }
static void all_twice(Expr *u) { on("all", u, zero()), on("all", u, num(1)); }
static void wrong_flux(Expr *u) { on("left", dot(mul(X(0), grad(u)), nrm()), num(1)); }
static void no_target(Expr *u) { on("left", mul(num(2), u), num(1)); }
static void bad_shape(Expr *u) { on("left", u, vec2(num(1), num(1))); }
static void own_value(Expr *u) { on("left", u, add(u, num(1))); }
static void with_normal(Expr *u) { on("left", u, comp(nrm(), 0)); }
static void flux_at_point(Expr *u) { on_point(0, 0, dot(grad(u), nrm()), num(1)); }

static void conditions_refused(void **state) {
  (void)state;
  static const struct { Declare declare; DiagCode code; } cases[] = {
    {twice, E0413}, {both_kinds, E0413}, {all_twice, E0413}, {wrong_flux, E0410}, {no_target, E0415}, {bad_shape, E0411},
    {own_value, E0412}, {with_normal, E0412}, {flux_at_point, E0412}};
  for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
    lab_open(2);
    Expr *u = scalar("u");
    equation(0, neg(lap(u)), num(1));
    cases[i].declare(u);
    const Diag *d = refused(cases[i].code);
    if (cases[i].code == E0410) assert_non_null(strstr(d->message, "grad(u)"));
    assert_int_equal(lab.diags.n, 1);
    lab_close();
  }
}

/* A flux given for all yields by component, and 0 as a number is the zero of any shape. */
static void all_flux_yields(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = vector("u");
  equation(0, neg(lap(u)), num(0));
  on("all", dot(grad(u), nrm()), vec2(num(2), num(3)));
  on("left", comp(u, 0), num(0));
  on("right", dot(grad(u), nrm()), num(0));
  derive();
  assert_int_equal(lab.pde.nconditions, 4);
  int found = 0;
  for (int i = 0; i < lab.form->nresidual; i++) {
    const Integral *r = &lab.form->residual[i];
    if (r->kind != INTEGRAL_FACET) continue;
    assert_true(r->where.others);
    near_(value(r->integrand), r->where.n == 2 ? -2*V(0, 0) : -3*V(0, 1));
    found++;
  }
  assert_int_equal(found, 2);
  lab_close();
}

static void normal_and_tangential_parts(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = vector("u");
  equation(0, neg(lap(u)), zero());
  on("left", dot(u, nrm()), zero());
  on("top", bin(EXPR_CROSS, nrm(), u), num(2));
  derive();
  assert_int_equal(lab.pde.conditions[0].kind, CONDITION_NORMAL);
  assert_int_equal(lab.pde.conditions[1].kind, CONDITION_TANGENTIAL);
  lab_close();

  lab_open(2);
  u = vector("u");
  equation(0, neg(lap(u)), zero());
  on("left", dot(u, nrm()), dot(u, u));
  refused(E0412);
  lab_close();
}

/* --- equations refused --- */

static void equations_refused(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = vector("u");
  equation(0, neg(un(EXPR_GRAD, div_(u))), zero());
  const Diag *d = refused(E0406);
  assert_non_null(strstr(d->suggestion, "div(div(u)*I)"));
  lab_close();

  lab_open(2);
  Expr *w = scalar("w");
  equation(0, lap(lap(w)), num(1));
  assert_non_null(strstr(refused(E0406)->suggestion, "fourth order"));
  lab_close();

  lab_open(2);
  w = scalar("w");
  equation(0, num(1), X(0));
  refused(E0404);
  assert_non_null(reported(E0403));
  lab_close();

  lab_open(2);
  w = scalar("w");
  scalar("r");
  equation(0, lap(w), num(1));
  equation(0, lap(w), num(2));
  refused(E0402);
  assert_non_null(reported(E0401));
  lab_close();

  lab_open(2);
  u = vector("u");
  equation(0, div_(u), num(1));
  refused(E0405);
  lab_close();

  lab_open(2);
  u = vector("u");
  equation(0, neg(lap(u)), num(1));
  refused(E0405);
  lab_close();

  lab_open(2);
  w = scalar("w");
  Expr *k = param("k", 1);
  lab.params[0].value = X(0);
  equation(0, mul(k, lap(w)), num(1));
  refused(E0409);
  lab_close();

  lab_open(2);
  w = scalar("w");
  equation(0, lap(w), expr_host_call(lab.pool, nm("f"), (Expr *[]){w}, 1, SHAPE_SCALAR, UNIT_NONE));
  on("all", w, zero());
  refused(E0408);
  lab_close();

  lab_open(2);
  w = scalar("w");
  equation(0, lap(w), made(expr_integral(lab.pool, dt(w), NULL, 0, false)));      /* a number has no rate */
  refused(E0900);
  lab_close();

  lab_open(2);
  w = scalar("w");
  equation(0, dt(dtt(w)), lap(w));
  refused(E0407);
  lab_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_flux_yields), cmocka_unit_test(all_yields_to_names), cmocka_unit_test(conditions_refused),
    cmocka_unit_test(normal_and_tangential_parts), cmocka_unit_test(equations_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
