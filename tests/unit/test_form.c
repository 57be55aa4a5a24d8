/* Weak forms against formulas written by hand, at random values of all terminals; Jacobians against differences. */
#include "pde_make.h"

#include "../../numerics/scheme.h"

/* --- scalar equations --- */

static void poisson_with_coefficient(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u"), *k = add(num(1), power(X(0), 2)), *f = un(EXPR_SIN, X(1));
  equation(0, neg(div_(mul(k, grad(u)))), f);
  on("all", u, zero());
  Form *form = derive();
  double x = coord(0), kx = 1 + x*x;
  near_(value(cell()), kx*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)) - sin(coord(1))*V(0, 0));
  assert_int_equal(form->nresidual, 1);
  assert_int_equal(form->njacobian, 1);
  near_(value(form->jacobian[0].integrand), kx*(dW(0, 0, 0)*dV(0, 0, 0) + dW(0, 0, 1)*dV(0, 0, 1)));
  unsigned all = FORM_LINEAR | FORM_SYMMETRIC | FORM_STEADY | FORM_DEFINITE_LIKELY;
  assert_int_equal(form->findings & (all | FORM_SADDLE | FORM_ADVECTIVE | FORM_TIME_DATA | FORM_RIGID_KERNEL), all);
  assert_int_equal(form->findings_of[0] & FORM_CONSTANT_KERNEL, FORM_CONSTANT_KERNEL);
  assert_int_equal(form->nfluxes, 1);
  assert_ptr_equal(form->fluxes[0].flux, mul(k, grad(u)));
  assert_int_equal(lab.pde.conditions[0].kind, CONDITION_DIRICHLET);
  lab_close();
}

/* dt(T) == div(k*grad(T)) + f with Robin and a zero flux, and the same problem written with all signs turned. */
static void heat_and_robin(void **state) {
  (void)state;
  for (int turned = 0; turned < 2; turned++) {
    lab_open(2);
    Expr *T = scalar("T"), *k = param("k", 2.5), *flux = mul(k, grad(T)), *f = un(EXPR_EXP, neg(time_()));
    if (turned) equation(0, add(div_(flux), f), dt(T));
    else equation(0, dt(T), add(div_(flux), f));
    on("hole", dot(flux, nrm()), mul(num(5), sub(num(293), T)));
    on("others hole", dot(flux, nrm()), zero());
    Form *form = derive();
    near_(value(cell()), rate(0, 0)*V(0, 0) + 2.5*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)) - exp(-noise(700))*V(0, 0));
    near_(value(facet("hole")), -5*(293 - U(0, 0))*V(0, 0));
    assert_int_equal(form->nresidual, 2);             /* the zero flux leaves nothing */
    const Integral *J = integral_of(form->jacobian, form->njacobian, INTEGRAL_FACET, "hole");
    near_(value(J->integrand), 5*W(0, 0)*V(0, 0));
    check_jacobian();
    assert_int_equal(form->findings & (FORM_STEADY | FORM_LINEAR | FORM_SYMMETRIC | FORM_TIME_DATA | FORM_DEFINITE_LIKELY),
                     FORM_LINEAR | FORM_SYMMETRIC | FORM_TIME_DATA | FORM_DEFINITE_LIKELY);
    assert_false(form->findings_of[0] & FORM_CONSTANT_KERNEL);
    lab_close();
  }
}

static void sign_of_a_bare_divergence(void **state) {
  (void)state;
  lab_open(2);
  Expr *T = scalar("T"), *k = param("k", 3);
  equation(0, div_(mul(k, grad(T))), zero());
  on("a", dot(grad(T), nrm()), num(7));               /* the flux up to a constant factor: dot(k*grad(T), n) == 7*k */
  on("b", num(2), neg(dot(nrm(), mul(k, grad(T)))));
  on("c", T, num(1));
  Form *form = derive();
  near_(value(cell()), 3*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)));
  near_(value(facet("a")), -21*V(0, 0));
  near_(value(facet("b")), 2*V(0, 0));
  near_(value(form->fluxes[0].factor), -1);
  near_(value(lab.pde.conditions[0].value), 21);
  near_(value(lab.pde.conditions[1].value), -2);
  lab_close();
}

static void advection_diffusion_reaction(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u"), *b = vec2(num(1), mul(num(0.5), power(X(0), 2))), *kappa = param("kappa", 0.1);
  equation(0, add(dt(u), dot(b, grad(u))), sub(div_(mul(kappa, grad(u))), mul(num(2), power(u, 3))));
  on("left bottom", u, num(1));
  on("others left bottom", dot(mul(kappa, grad(u)), nrm()), zero());
  Form *form = derive();
  double x = coord(0), u0 = U(0, 0);
  near_(value(cell()), (rate(0, 0) + dU(0, 0, 0) + 0.5*x*x*dU(0, 0, 1) + 2*u0*u0*u0)*V(0, 0) + 0.1*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)));
  check_jacobian();
  assert_int_equal(form->findings & (FORM_LINEAR | FORM_SYMMETRIC | FORM_ADVECTIVE), FORM_ADVECTIVE);
  assert_false(form->findings_of[0] & FORM_ADVECTIVE);           /* it has a diffusion */
  lab_close();
}

static void nonlinear_conductivity(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u"), *k = add(num(1), power(u, 2)), *flux = mul(k, grad(u));
  equation(0, neg(div_(flux)), X(0));
  on("a", u, zero());
  on("b", dot(flux, nrm()), neg(power(u, 4)));                   /* radiation */
  Form *form = derive();
  double u0 = U(0, 0);
  near_(value(cell()), (1 + u0*u0)*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)) - coord(0)*V(0, 0));
  near_(value(facet("b")), pow(u0, 4)*V(0, 0));
  check_jacobian();
  assert_false(form->findings & FORM_LINEAR);
  lab_close();
}

/* c*div(F) == -F.grad(c*v): with c a coordinate and with c the unknown. */
static void product_rule(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u");
  equation(0, neg(mul(X(0), lap(u))), num(1));
  on("a", dot(grad(u), nrm()), num(3));
  on("b", u, zero());
  derive();
  near_(value(cell()), dU(0, 0, 0)*(V(0, 0) + coord(0)*dV(0, 0, 0)) + dU(0, 0, 1)*coord(0)*dV(0, 0, 1) - V(0, 0));
  near_(value(facet("a")), -3*coord(0)*V(0, 0));
  lab_close();

  lab_open(2);
  u = scalar("u");
  equation(0, over(neg(mul(u, lap(u))), num(2)), num(1));
  on("b", u, zero());
  derive();
  double g[2] = {dU(0, 0, 0), dU(0, 0, 1)};
  near_(value(cell()), 0.5*(g[0]*(g[0]*V(0, 0) + U(0, 0)*dV(0, 0, 0)) + g[1]*(g[1]*V(0, 0) + U(0, 0)*dV(0, 0, 1))) - V(0, 0));
  check_jacobian();
  lab_close();
}

static void single_derivatives(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u"), *k = add(num(1), X(0));
  equation(0, neg(add(d_(mul(k, d_(u, 0)), 0), d_(mul(k, d_(u, 1)), 1))), num(1));
  on("a", dot(mul(k, grad(u)), nrm()), num(4));        /* the sum of both fluxes */
  on("b", mul(mul(k, d_(u, 0)), comp(nrm(), 0)), num(5));
  on("c", u, zero());
  Form *form = derive();
  near_(value(cell()), (1 + coord(0))*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)) - V(0, 0));
  near_(value(facet("a")), -4*V(0, 0));
  near_(value(facet("b")), -5*V(0, 0));
  assert_int_equal(form->nfluxes, 3);
  assert_int_equal(form->fluxes[lab.pde.conditions[0].flux].op, EXPR_ADD);
  assert_int_equal(form->fluxes[lab.pde.conditions[1].flux].axis, 0);
  assert_int_equal(form->fluxes[lab.pde.conditions[1].flux].op, EXPR_DX);
  lab_close();
}

/* div(u) and div(b*c) have no derivative of an unknown under them. */
static void what_is_not_integrated(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u"), *b = vec2(X(1), X(0));
  equation(0, add(neg(lap(u)), div_(mul(u, b))), num(1));
  on("all", u, zero());
  Form *form = derive();
  assert_int_equal(form->nfluxes, 1);
  near_(value(cell()), dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1) + (coord(1)*dU(0, 0, 0) + coord(0)*dU(0, 0, 1) - 1)*V(0, 0));
  lab_close();
}

/* --- vectors --- */

static Expr *stress(Expr *u, Expr *lambda, Expr *mu) {
  return add(mul(mul(lambda, tr(eps(u))), ident()), mul(mul(num(2), mu), eps(u)));
}

static void elasticity(void **state) {
  (void)state;
  for (int dim = 2; dim <= 3; dim++) {
    lab_open(dim);
    Expr *u = vector("u"), *la = param("la", 1.5), *mu = param("mu", 0.7), *S = stress(u, la, mu);
    Expr *body = dim == 2 ? vec2(zero(), num(-2)) : vec3(zero(), num(-2), zero());
    Expr *pull = dim == 2 ? vec2(num(1), num(3)) : vec3(num(1), num(3), zero());
    equation(0, neg(div_(S)), body);
    on("left", u, zero());
    on("right", dot(S, nrm()), pull);
    on("top", comp(dot(S, nrm()), 1), num(6));
    on("bottom", comp(u, 1), num(0.5));
    Form *form = derive();
    double trace = 0, expected = 2*V(0, 1);
    for (int i = 0; i < dim; i++) trace += dU(0, i, i);
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) expected += ((i == j)*1.5*trace + 0.7*(dU(0, i, j) + dU(0, j, i)))*dV(0, i, j);
    near_(value(cell()), expected);
    near_(value(facet("right")), -V(0, 0) - 3*V(0, 1));
    near_(value(facet("top")), -6*V(0, 1));
    check_jacobian();
    unsigned all = FORM_LINEAR | FORM_SYMMETRIC | FORM_STEADY | FORM_DEFINITE_LIKELY | FORM_RIGID_KERNEL | FORM_CONSTANT_KERNEL;
    assert_int_equal(form->findings & (all | FORM_SADDLE | FORM_ADVECTIVE), all);
    assert_int_equal(lab.pde.conditions[2].component, 1);
    assert_int_equal(lab.pde.conditions[3].component, 1);
    assert_int_equal(lab.pde.conditions[3].kind, CONDITION_DIRICHLET);
    lab_close();
  }
}

static void vector_laplace_has_no_rigid_kernel(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = vector("u");
  equation(0, neg(lap(u)), vec2(num(1), num(1)));
  on("a", u, zero());
  Form *form = derive();
  assert_false(form->findings & FORM_RIGID_KERNEL);
  assert_int_equal(form->free_constants[0], 3);
  lab_close();
}

static void flow(void **state) {
  (void)state;
  for (int inertia = 0; inertia < 2; inertia++) {
    lab_open(2);
    Expr *u = unknown("u", shape_vector(2), "v"), *p = unknown("p", SHAPE_SCALAR, "q"), *mu = param("mu", 0.3), *rho = param("rho", 1.7);
    Expr *sigma = sub(mul(mu, grad(u)), mul(p, ident()));
    if (inertia) equation(0, mul(rho, dot(u, grad(u))), div_(sigma));
    else equation(0, neg(div_(sigma)), zero());
    equation(1, div_(u), zero());
    on("walls", u, zero());
    on("right", dot(sigma, nrm()), zero());
    on("left", dot(sigma, nrm()), neg(mul(num(2), nrm())));      /* a pressure of 2 */
    Form *form = derive();
    double expected = 0, div = dU(0, 0, 0) + dU(0, 1, 1);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        expected += (0.3*dU(0, i, j) - (i == j)*U(1, 0))*dV(0, i, j);
        if (inertia) expected += 1.7*U(0, j)*dU(0, i, j)*V(0, i);
      }
    near_(value(cell()), expected - div*V(1, 0));                /* the sign that makes Stokes symmetric */
    near_(value(facet("left")), 2*(normal(0)*V(0, 0) + normal(1)*V(0, 1)));
    check_jacobian();
    unsigned found = form->findings & (FORM_LINEAR | FORM_SYMMETRIC | FORM_SADDLE | FORM_DEFINITE_LIKELY | FORM_ADVECTIVE);
    assert_int_equal(found, inertia ? FORM_SADDLE | FORM_ADVECTIVE : FORM_LINEAR | FORM_SYMMETRIC | FORM_SADDLE);
    assert_int_equal(form->findings_of[1] & (FORM_SADDLE | FORM_PRESSURE_KERNEL), FORM_SADDLE | FORM_PRESSURE_KERNEL);
    assert_false(form->findings_of[0] & FORM_SADDLE);
    lab_close();
  }
}

/* curl(curl(E)) + E == J and its tangential flux cross(n, curl(E)). */
static void curl_curl(void **state) {
  (void)state;
  lab_open(3);
  Expr *E = vector("E");
  equation(0, add(curl(curl(E)), E), vec3(num(1), zero(), zero()));
  on("a", bin(EXPR_CROSS, nrm(), curl(E)), vec3(num(2), num(3), num(4)));
  Form *form = derive();
  double c[3], w[3], expected = -V(0, 0);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = dU(0, k, j) - dU(0, j, k);
    w[i] = dV(0, k, j) - dV(0, j, k);
  }
  for (int i = 0; i < 3; i++) expected += c[i]*w[i] + U(0, i)*V(0, i);
  near_(value(cell()), expected);
  near_(value(facet("a")), 2*V(0, 0) + 3*V(0, 1) + 4*V(0, 2));
  assert_int_equal(form->findings & (FORM_LINEAR | FORM_SYMMETRIC | FORM_DEFINITE_LIKELY), FORM_LINEAR | FORM_SYMMETRIC | FORM_DEFINITE_LIKELY);
  lab_close();
}

static void plane_curl(void **state) {
  (void)state;
  lab_open(2);
  Expr *E = vector("E");
  equation(0, add(curl(curl(E)), E), zero());
  on("all", E, zero());
  derive();
  double c = dU(0, 1, 0) - dU(0, 0, 1), w = dV(0, 1, 0) - dV(0, 0, 1);
  near_(value(cell()), c*w + U(0, 0)*V(0, 0) + U(0, 1)*V(0, 1));
  lab_close();
}

/* A vector equation written by components has a flux a row. */
static void rows_of_a_vector(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = vector("u"), *first = mul(num(2), grad(comp(u, 0))), *second = mul(num(3), grad(comp(u, 1)));
  equation(0, neg(vec2(div_(first), div_(second))), zero());
  on("a", dot(second, nrm()), num(5));
  on("b", u, zero());
  derive();
  near_(value(cell()), 2*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)) + 3*(dU(0, 1, 0)*dV(0, 1, 0) + dU(0, 1, 1)*dV(0, 1, 1)));
  near_(value(facet("a")), -5*V(0, 1));
  assert_int_equal(lab.pde.conditions[0].component, 1);
  lab_close();
}

static void time_derivative_of_a_divergence(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u");
  equation(0, dt(sub(u, lap(u))), lap(u));
  on("all", u, zero());
  derive();
  double r0 = term(SYMBOL_UNKNOWN, 0, 0, 1, 0, 0, 1), r1 = term(SYMBOL_UNKNOWN, 0, 0, 0, 1, 0, 1);
  near_(value(cell()), rate(0, 0)*V(0, 0) + (r0 + dU(0, 0, 0))*dV(0, 0, 0) + (r1 + dU(0, 0, 1))*dV(0, 0, 1));
  lab_close();
}

static void one_dimension(void **state) {
  (void)state;
  lab_open(1);
  Expr *u = scalar("u"), *k = param("k", 2);
  equation(0, neg(d_(mul(k, d_(u, 0)), 0)), num(1));
  on("right", dot(mul(k, grad(u)), nrm()), num(3));     /* the same flux in another spelling */
  on("left", u, zero());
  derive();
  near_(value(cell()), 2*dU(0, 0, 0)*dV(0, 0, 0) - V(0, 0));
  near_(value(facet("right")), -3*V(0, 0));
  lab_close();
}

/* Fourth order as two equations, w == -lap(u) and -lap(w) == f: the second takes the sign that makes both symmetric. */
static void mixed_biharmonic(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = unknown("u", SHAPE_SCALAR, "v"), *w = unknown("w", SHAPE_SCALAR, "q");
  equation(1, w, neg(lap(u)));
  equation(0, neg(lap(w)), num(1));
  on("all", u, zero());
  on("all", w, zero());
  Form *form = derive();
  near_(value(cell()), U(1, 0)*V(1, 0) - dU(0, 0, 0)*dV(1, 0, 0) - dU(0, 0, 1)*dV(1, 0, 1)
                       - dU(1, 0, 0)*dV(0, 0, 0) - dU(1, 0, 1)*dV(0, 0, 1) + V(0, 0));
  assert_int_equal(form->findings & (FORM_SYMMETRIC | FORM_SADDLE | FORM_DEFINITE_LIKELY), FORM_SYMMETRIC | FORM_SADDLE);
  lab_close();
}

/* Two species, one flux each: conditions find their own. */
static void coupled_species(void **state) {
  (void)state;
  lab_open(2);
  Expr *a = unknown("a", SHAPE_SCALAR, "v"), *b = unknown("b", SHAPE_SCALAR, "q"), *D = param("D", 0.2);
  equation(0, dt(a), sub(mul(D, lap(a)), mul(a, power(b, 2))));
  equation(1, dt(b), add(lap(b), mul(a, power(b, 2))));
  on("left", dot(grad(b), nrm()), num(1));
  on("left", dot(mul(D, grad(a)), nrm()), num(2));
  Form *form = derive();
  double r = U(0, 0)*U(1, 0)*U(1, 0);
  double expected = rate(0, 0)*V(0, 0) + rate(1, 0)*V(1, 0) + r*(V(0, 0) - V(1, 0));
  for (int i = 0; i < 2; i++) expected += 0.2*dU(0, 0, i)*dV(0, 0, i) + dU(1, 0, i)*dV(1, 0, i);
  near_(value(cell()), expected);
  assert_int_equal(lab.pde.conditions[0].unknown, 1);
  assert_int_equal(lab.pde.conditions[1].unknown, 0);
  near_(value(facet("left")), -V(1, 0) - 2*V(0, 0));     /* dot(D*grad(a), n) == 2, whether the flux is named grad(a) or D*grad(a) */
  check_jacobian();
  assert_false(form->findings & FORM_SYMMETRIC);
  lab_close();
}

static void indefinite(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {                 /* Helmholtz, reaction, and a boundary that feeds back */
    lab_open(2);
    Expr *u = scalar("u");
    equation(0, i == 0 ? sub(neg(lap(u)), mul(num(9), u)) : add(neg(lap(u)), mul(num(9), u)), num(1));
    on("a", dot(grad(u), nrm()), i == 2 ? u : zero());
    Form *form = derive();
    assert_int_equal(form->findings & (FORM_SYMMETRIC | FORM_DEFINITE_LIKELY), i == 1 ? FORM_SYMMETRIC | FORM_DEFINITE_LIKELY : FORM_SYMMETRIC);
    lab_close();
  }
}

/* A multiplier that acts on one row alone is no pressure. */
static void multiplier_is_no_pressure(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = unknown("u", shape_vector(2), "v"), *p = unknown("p", SHAPE_SCALAR, "q"), *row[2] = {vec2(p, zero()), vec2(zero(), zero())};
  equation(0, neg(div_(sub(grad(u), made(expr_make(lab.pool, EXPR_TENSOR, row, 2))))), zero());
  equation(1, d_(comp(u, 0), 0), zero());
  on("all", u, zero());
  Form *form = derive();
  assert_int_equal(form->findings_of[1] & (FORM_SADDLE | FORM_PRESSURE_KERNEL), FORM_SADDLE);
  assert_int_equal(form->findings & FORM_SYMMETRIC, FORM_SYMMETRIC);
  lab_close();
}

/* Neo-Hookean solid, div(P) with P = mu*(F - inv(F)^T) + la*log(det(F))*inv(F)^T: a Jacobian of 81 coefficients. */
static void hyperelasticity(void **state) {
  (void)state;
  lab_open(3);
  Expr *u = vector("u"), *mu = param("mu", 1.3), *la = param("la", 0.8);
  Expr *F = add(ident(), grad(u)), *G = un(EXPR_TRANSPOSE, un(EXPR_INV, F)), *J = un(EXPR_DET, F);
  Expr *P = add(mul(mu, sub(F, G)), mul(mul(la, un(EXPR_LOG, J)), G));
  equation(0, neg(div_(P)), zero());
  on("a", u, zero());
  on("b", dot(P, nrm()), vec3(zero(), zero(), num(1)));
  Form *form = derive();
  double moved = (value_moved(cell(), 1e-5) - value_moved(cell(), -1e-5))/2e-5, exact = value(form->jacobian[0].integrand);
  assert_true(fabs(moved - exact) <= 1e-6*(1 + fabs(exact)));
  assert_int_equal(form->findings & (FORM_LINEAR | FORM_SYMMETRIC), FORM_SYMMETRIC);     /* it has an energy */
  assert_int_equal(form->free_constants[0], 7);
  assert_false(form->findings & FORM_RIGID_KERNEL);
  lab_close();
}

/* A program with units: terms of rows and steps add up. */
static void with_units(void **state) {
  (void)state;
  UnitScale K, W, m, s, rho;
  assert_true(unit_symbol("K", &K) && unit_symbol("W", &W) && unit_symbol("m", &m) && unit_symbol("s", &s) && unit_symbol("kg", &rho));
  lab_open(2);
  expr_set_base_units(lab.pool, m.unit, s.unit);
  lab.pde.length = m.unit;
  lab.pde.time = s.unit;
  Unit per_mK = unit_div(W.unit, unit_mul(m.unit, K.unit)), film = unit_div(per_mK, m.unit);
  Expr *T = expr_symbol(lab.pool, (Symbol){.kind = SYMBOL_UNKNOWN}, nm("T"), SHAPE_SCALAR, K.unit);
  Expr *v = expr_symbol(lab.pool, (Symbol){.kind = SYMBOL_TEST}, nm("v"), SHAPE_SCALAR, K.unit);
  lab.unknowns[lab.pde.nunknowns++] = (Unknown){nm("T"), SHAPE_SCALAR, nm("P1"), K.unit, T, v, here(), false};
  Unit capacity = unit_div(unit_mul(per_mK, s.unit), unit_mul(m.unit, m.unit));
  Expr *k = expr_const(lab.pool, 200, per_mK), *c = expr_const(lab.pool, 3e6, capacity), *h = expr_const(lab.pool, 25, film);
  Expr *flux = mul(k, grad(T));
  equation(0, mul(c, dt(T)), div_(flux));
  on("left", T, expr_const(lab.pool, 353, K.unit));
  on("others left", dot(flux, nrm()), mul(h, sub(expr_const(lab.pool, 293, K.unit), T)));
  initially(0, 0, expr_const(lab.pool, 293, K.unit));
  Form *form = derive();
  near_(value(cell()), 3e6*rate(0, 0)*V(0, 0) + 200*(dU(0, 0, 0)*dV(0, 0, 0) + dU(0, 0, 1)*dV(0, 0, 1)));
  for (int i = 0; i < scheme_row_count; i++) {
    StepForm step;
    assert_int_equal(scheme_step(form, &scheme_rows[i], &lab.diags, &step), 0);
    assert_int_equal(step.findings & (FORM_LINEAR | FORM_SYMMETRIC), FORM_LINEAR | FORM_SYMMETRIC);
    scheme_step_free(&step);
  }
  form_free(form);
  lab.pde.conditions[0].right = expr_const(lab.pool, 353, m.unit);
  refused(E0411);
  lab_close();
}

/* --- weak forms --- */

static void weak_form(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = unknown("u", shape_vector(2), "v"), *p = unknown("p", SHAPE_SCALAR, "q"), *v = lab.unknowns[0].test, *q = lab.unknowns[1].test;
  weak(sub(sub(inner(grad(u), grad(v)), mul(p, div_(v))), mul(q, div_(u))), NULL, 1);
  weak(dot(vec2(num(1), num(2)), v), NULL, -1);
  weak(mul(num(3), comp(v, 0)), "right", -1);
  on("left", u, zero());
  Form *form = derive();
  double expected = -V(0, 0) - 2*V(0, 1) - U(1, 0)*(dV(0, 0, 0) + dV(0, 1, 1)) - V(1, 0)*(dU(0, 0, 0) + dU(0, 1, 1));
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) expected += dU(0, i, j)*dV(0, i, j);
  near_(value(cell()), expected);
  near_(value(facet("right")), -3*V(0, 0));
  assert_int_equal(form->findings & (FORM_LINEAR | FORM_SYMMETRIC | FORM_SADDLE), FORM_LINEAR | FORM_SYMMETRIC | FORM_SADDLE);
  assert_int_equal(form->findings_of[1] & FORM_PRESSURE_KERNEL, FORM_PRESSURE_KERNEL);
  lab_close();
}

static void weak_form_refused(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    lab_open(2);
    Expr *u = scalar("u"), *v = lab.unknowns[0].test;
    weak(dot(grad(u), grad(v)), NULL, 1);
    DiagCode code = E0440;
    if (i == 0) weak(num(1), NULL, -1);
    if (i == 1) weak(mul(v, v), NULL, -1);
    if (i == 2) weak(add(v, num(1)), NULL, -1);
    if (i == 3) weak(un(EXPR_JUMP, v), "all", -1), code = E0449;
    if (i == 4) on("a", dot(grad(u), nrm()), num(1)), code = E0414;
    refused(code);
    lab_close();
  }
}

/* --- text --- */

static void signs_before_integrals(void **state) {
  (void)state;
  lab_open(2);
  Expr *u = scalar("u"), *v = lab.unknowns[0].test;
  weak(dot(grad(u), grad(v)), NULL, 1);
  weak(mul(num(-3.14), v), NULL, -1);
  weak(neg(mul(u, v)), NULL, 1);
  weak(neg(mul(num(-2), mul(X(0), v))), NULL, 1);
  Buf text = {0};
  form_print(&text, derive(), EXPR_TEXT);
  assert_non_null(strstr(buf_str(&text), "\n    + integral(3.14*v)\n    - integral(u*v)\n    + integral(2*"));
  buf_free(&text);
  lab_close();
}

static void printed(void **state) {
  (void)state;
  lab_open(2);
  Expr *T = scalar("T"), *k = param("k", 2), *flux = mul(k, grad(T));
  equation(0, neg(div_(flux)), X(0));
  on("hole", dot(flux, nrm()), mul(num(5), sub(num(293), T)));
  on("others hole", T, num(1));
  Form *form = derive();
  Buf text = {0};
  form_print(&text, form, EXPR_TEXT);
  assert_non_null(strstr(buf_str(&text), "find T"));
  assert_non_null(strstr(buf_str(&text), "integral(dot(k*grad(T), grad(v)))"));
  assert_non_null(strstr(buf_str(&text), "\n    - integral("));
  assert_non_null(strstr(buf_str(&text), "on: hole)"));
  assert_non_null(strstr(buf_str(&text), "flux of T: k*grad(T)"));
  buf_clear(&text);
  form_print(&text, form, EXPR_LATEX);
  assert_non_null(strstr(buf_str(&text), "\\int_{\\Omega}"));
  buf_free(&text);
  lab_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(poisson_with_coefficient), cmocka_unit_test(heat_and_robin), cmocka_unit_test(sign_of_a_bare_divergence),
    cmocka_unit_test(advection_diffusion_reaction), cmocka_unit_test(nonlinear_conductivity), cmocka_unit_test(product_rule),
    cmocka_unit_test(single_derivatives), cmocka_unit_test(what_is_not_integrated), cmocka_unit_test(elasticity),
    cmocka_unit_test(vector_laplace_has_no_rigid_kernel), cmocka_unit_test(flow), cmocka_unit_test(curl_curl), cmocka_unit_test(plane_curl),
    cmocka_unit_test(rows_of_a_vector), cmocka_unit_test(time_derivative_of_a_divergence), cmocka_unit_test(one_dimension), cmocka_unit_test(mixed_biharmonic),
    cmocka_unit_test(coupled_species), cmocka_unit_test(hyperelasticity), cmocka_unit_test(indefinite), cmocka_unit_test(multiplier_is_no_pressure),
    cmocka_unit_test(with_units), cmocka_unit_test(weak_form),
    cmocka_unit_test(weak_form_refused),
    cmocka_unit_test(signs_before_integrals),
    cmocka_unit_test(printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
