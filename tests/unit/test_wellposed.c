/* What the text of a pde shows about its solvability: every diagnostic of form_check where it belongs, and silence beside it. */
#include "pde_make.h"

static GeomGroup groups[8];
static int ngroups;

/* The sides of a square, a sum of two of them, and a part of the top. */
static void square(void) {
  static const char *const sides[] = {"left", "right", "bottom", "top"};
  static Name members[2];
  ngroups = 0;
  for (int i = 0; i < 4; i++) groups[ngroups++] = (GeomGroup){.name = nm(sides[i]), .is_side = true};
  members[0] = nm("top");
  members[1] = nm("bottom");
  groups[ngroups++] = (GeomGroup){.name = nm("walls"), .members = members, .nmembers = 2};
  groups[ngroups++] = (GeomGroup){.name = nm("heater"), .predicate = expr_const(lab.pool, 1, UNIT_NONE)};
}

static Status check(void) {
  derive();
  square();
  Status text = form_check(lab.form, groups, ngroups, &lab.diags), start = form_check_start(lab.form, &lab.diags);
  return text || start;
}

static void sound(void) {
  Status status = check();
  if (status || lab.diags.n) complain();
  assert_int_equal(status, 0);
  assert_int_equal(lab.diags.n, 0);
  lab_close();
}

static const Diag *faulty(DiagCode code) {
  assert_int_not_equal(check(), 0);
  const Diag *d = reported(code);
  if (!d) complain();
  assert_non_null(d);
  return d;
}

static const Diag *warned(DiagCode code) {
  Status status = check();
  const Diag *d = reported(code);
  if (status || !d) complain();
  assert_int_equal(status, 0);
  assert_non_null(d);
  return d;
}

static void says(const Diag *d, const char *text) {
  if (!strstr(d->message, text) && !(d->suggestion && strstr(d->suggestion, text))) fail_msg("`%s` / `%s` does not say `%s`", d->message, d->suggestion, text);
}

static Expr *poisson(void) {
  lab_open(2);
  Expr *u = scalar("u");
  equation(0, neg(lap(u)), num(1));
  return u;
}

static void coverage(void **state) {
  (void)state;
  Expr *u = poisson();
  on("left walls", u, zero());
  const Diag *d = warned(W0401);
  says(d, "`u` has no condition on right: the natural one, dot(grad(u), n) == 0");
  assert_int_equal(lab.diags.n, 1);
  assert_int_equal(form_coverage(lab.form, groups, ngroups, 3, 0, 0), 0);
  assert_int_equal(form_coverage(lab.form, groups, ngroups, 1, 0, 0), -1);
  lab_close();

  u = poisson();
  on("left", u, zero());
  on("others left", dot(grad(u), nrm()), zero());
  sound();

  u = poisson();
  on("left heater", u, zero());
  says(warned(W0401), "right, bottom, top (outside of heater)");
  lab_close();

  u = poisson();
  on("left", u, zero());
  on("right", u, zero());
  periodic("bottom", "top");
  sound();

  lab_open(2);
  Expr *v = vector("u");
  equation(0, neg(lap(v)), zero());
  on("left", v, zero());
  on("right", comp(v, 0), zero());
  on("walls", dot(grad(v), nrm()), zero());
  d = warned(W0401);
  says(d, "`u.y` has no condition on right");
  says(d, "dot(grad(u), n).y == 0");
  lab_close();
}

static void overlaps(void **state) {
  (void)state;
  Expr *u = poisson();
  on("walls", u, zero());
  on("top", u, num(1));
  on("others walls top", dot(grad(u), nrm()), zero());
  says(faulty(E0413), "two conditions for `u` on top");
  lab_close();

  u = poisson();
  on("all", u, zero());
  periodic("left", "right");
  sound();                                       /* all yields to what is periodic */

  u = poisson();
  on("left", u, zero());
  periodic("left", "right");
  on("walls", u, zero());
  says(faulty(E0413), "periodic");
  lab_close();
}

static void initial_values(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u");
  equation(0, dt(u), lap(u));
  on("all", u, zero());
  says(faulty(E0420), "initially: u == ");
  lab_close();

  lab_open(2);
  u = scalar("u");
  equation(0, dtt(u), lap(u));
  on("all", u, zero());
  initially(0, 0, X(0));
  says(faulty(E0421), "initially: dt(u) == ");
  assert_null(reported(E0420));
  lab_close();

  lab_open(2);
  u = scalar("u");
  equation(0, dtt(u), lap(u));
  on("all", u, zero());
  initially(0, 0, X(0));
  initially(0, 1, zero());
  sound();

  u = poisson();
  on("all", u, zero());
  initially(0, 0, zero());
  says(warned(W0402), "no effect");
  lab_close();

  lab_open(2);
  u = scalar("u");
  equation(0, dt(u), lap(u));
  on("all", u, zero());
  initially(0, 0, X(0));
  initially(0, 1, zero());
  says(warned(W0402), "rate");
  lab_close();
}

static void time_in_a_steady_problem(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u");
  equation(0, neg(lap(u)), time_());
  on("all", u, zero());
  faulty(E0422);
  lab_close();

  u = poisson();
  on("all", u, time_());
  faulty(E0422);
  lab_close();
}

static void constants(void **state) {
  (void)state;
  Expr *u = poisson();
  on("all", dot(grad(u), nrm()), zero());
  says(faulty(E0430), "mean(u) == 0");
  lab_close();

  u = poisson();
  on("all", dot(grad(u), nrm()), zero());
  mean_zero(0);
  sound();

  u = poisson();
  on("all", dot(grad(u), nrm()), neg(u));        /* Robin */
  sound();

  u = poisson();
  on("all", dot(grad(u), nrm()), zero());
  on_point(0, 0, u, zero());
  sound();

  lab_open(2);
  u = scalar("u");
  equation(0, add(neg(lap(u)), u), num(1));      /* reaction */
  on("all", dot(grad(u), nrm()), zero());
  sound();

  lab_open(2);
  u = scalar("u");
  equation(0, dt(u), lap(u));
  on("all", dot(grad(u), nrm()), zero());
  initially(0, 0, X(0));
  sound();

  lab_open(2);
  u = scalar("u");
  equation(0, neg(lap(u)), mul(expr_lambda(lab.pool), u));
  on("all", dot(grad(u), nrm()), zero());
  sound();

  lab_open(2);
  u = vector("u");
  equation(0, neg(lap(u)), zero());
  on("all", dot(grad(u), nrm()), zero());
  on_point(0, 0, comp(u, 0), zero());
  says(faulty(E0430), "`u.y`");
  lab_close();
}

static Expr *elastic(int dim, Expr **stress) {
  lab_open(dim);
  Expr *u = vector("u");
  *stress = add(mul(tr(eps(u)), ident()), mul(num(2), eps(u)));
  equation(0, div_(*stress), dim == 2 ? vec2(num(1), zero()) : vec3(num(1), zero(), zero()));
  return u;
}

static void rigid_motions(void **state) {
  (void)state;
  Expr *S, *u = elastic(2, &S);
  on("left", u, zero());
  on("others left", dot(S, nrm()), zero());
  sound();

  u = elastic(2, &S);
  on("all", dot(S, nrm()), zero());
  says(faulty(E0431), "in x, y");
  lab_close();

  u = elastic(2, &S);
  on("left", comp(u, 0), zero());
  on("all", dot(S, nrm()), zero());
  says(faulty(E0431), "in y");
  lab_close();

  u = elastic(2, &S);
  on("all", dot(S, nrm()), zero());
  on_point(0, 0, u, zero());
  says(faulty(E0431), "1 point only");
  lab_close();

  u = elastic(2, &S);
  on("all", dot(S, nrm()), zero());
  on_point(0, 0, u, zero());
  on_point(1, 0, comp(u, 1), zero());
  sound();

  u = elastic(3, &S);
  on("all", dot(S, nrm()), zero());
  on_point(0, 0, u, zero());
  on_point(1, 0, comp(u, 1), zero());
  says(faulty(E0431), "2 points only");
  lab_close();

  u = elastic(2, &S);                             /* springs hold it */
  on("all", dot(S, nrm()), neg(u));
  sound();
}

static void stokes(bool by_gradient) {
  lab_open(2);
  Expr *u = unknown("u", shape_vector(2), "v"), *p = unknown("p", SHAPE_SCALAR, "q");
  if (by_gradient) equation(0, add(neg(lap(u)), grad(p)), zero());
  else equation(0, neg(div_(sub(grad(u), mul(p, ident())))), zero());
  equation(1, div_(u), zero());
  lab.unknowns[0].element = nm("P2");
}

/* Velocity and pressure of equal degree, through the divergence and through the gradient. */
static void unstable_pair(void **state) {
  (void)state;
  for (int by_gradient = 0; by_gradient < 2; by_gradient++) {
    stokes(by_gradient);
    lab.unknowns[0].element = nm("P1");
    on("all", lab.unknowns[0].symbol, zero());
    mean_zero(1);
    assert_int_equal(check(), 0);
    assert_int_equal(lab.diags.n, 1);
    assert_int_equal(lab.diags.items[0]->code, W0411);
    lab_close();
  }
}

static void floating_pressure(void **state) {
  (void)state;
  stokes(false);
  on("all", lab.unknowns[0].symbol, zero());
  says(faulty(E0432), "`u` is prescribed on the whole boundary");
  lab_close();

  stokes(false);
  on("all", lab.unknowns[0].symbol, zero());
  mean_zero(1);
  sound();

  stokes(false);
  on("all", lab.unknowns[0].symbol, zero());
  on_point(0, 0, lab.unknowns[1].symbol, zero());
  sound();

  stokes(false);
  Expr *u = lab.unknowns[0].symbol, *p = lab.unknowns[1].symbol;
  on("left walls", u, zero());
  on("right", dot(sub(grad(u), mul(p, ident())), nrm()), zero());
  sound();

  stokes(true);
  on("left walls", lab.unknowns[0].symbol, zero());
  on("right", dot(grad(lab.unknowns[0].symbol), nrm()), zero());
  says(faulty(E0432), "gradient");
  lab_close();
}

static void transport(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u");
  equation(0, add(dt(u), d_(u, 0)), zero());
  on("left", u, zero());
  initially(0, 0, X(0));
  says(warned(W0403), "without any diffusion");
  lab_close();

  lab_open(2);
  u = scalar("u");
  equation(0, dt(u), neg(lap(u)));
  on("all", u, zero());
  initially(0, 0, X(0));
  says(warned(W0404), "backwards");
  lab_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(coverage), cmocka_unit_test(overlaps), cmocka_unit_test(initial_values), cmocka_unit_test(time_in_a_steady_problem),
    cmocka_unit_test(constants), cmocka_unit_test(rigid_motions), cmocka_unit_test(floating_pressure), cmocka_unit_test(unstable_pair), cmocka_unit_test(transport),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
