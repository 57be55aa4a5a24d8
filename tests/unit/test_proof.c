/* Proofs: what holds is proved with its reason, what does not is refuted at a point or left open, and no claim that is false at some point is ever proved. */
#include "expr_lab.h"

#include "../../lang/expr_normal.h"
#include "../../lang/expr_proof.h"
#include "../../lang/proof.h"

static Expr *fx, *fy, *E, *nu, *x, *y, *t;
static RangeLeaf box[8];
static ProofDomain domain;

static int open_domain(void **state) {
  lab_open(state);
  fx = param("fx"), fy = param("fy"), E = param("E"), nu = param("nu"), x = X(0), y = X(1), t = T();
  RangeLeaf ranges[] = {{fx, -0.3, 0.3}, {fy, -0.3, 0.3}, {E, 5, 20}, {nu, 0.15, 0.35}, {x, 0, 1}, {y, 0, 1}, {t, 0, 2}};
  memcpy(box, ranges, sizeof ranges);
  domain = (ProofDomain){.pool = lab, .box = box, .n = 7, .dim = 2};
  return 0;
}

static void demand(Proof p, ProofTruth truth, const char *reason, int line) {
  if (p.truth == truth && (!reason || strstr(p.reason, reason))) return;
  fail_msg("line %d: %s: %s", line, p.truth == PROOF_HOLDS ? "holds" : p.truth == PROOF_FAILS ? "fails" : "open", p.reason);
}
/* The last argument of HOLDS: what its reason contains, or NULL. */
#define HOLDS(...) demand_holds(__LINE__, __VA_ARGS__)
#define FAILS(...) demand(__VA_ARGS__, PROOF_FAILS, NULL, __LINE__)
#define OPEN(...) demand(__VA_ARGS__, PROOF_OPEN, NULL, __LINE__)
static void demand_holds(int line, Proof p, const char *reason) { demand(p, PROOF_HOLDS, reason, line); }
#define LOADS (Expr *[]){fx, fy}, 2
#define ONE(leaf) (Expr *[]){leaf}, 1

/* A plate: (fx/E*a(y, nu) + fy/E*b(x, nu))*(1 - x), as a surrogate would be built. */
static Expr *network(Expr *a, Expr *b, double seed) {
  Expr *sum = C(0.2);
  for (int k = 0; k < 20; k++) {
    Expr *inner = add(add(mul(C(sin(seed + k)), a), mul(C(cos(3 * seed + k)), b)), C(0.1 * k));
    sum = add(sum, mul(C(cos(seed * k)), un(EXPR_TANH, add(inner, un(EXPR_TANH, mul(C(1.5), inner))))));
  }
  return sum;
}

static Expr *plate(void) {
  Expr *u = add(mul(quo(fx, E), network(y, nu, 1)), mul(quo(fy, E), network(x, nu, 2)));
  return mul(u, sub(C(1), x));
}

static void structured_surrogate(void **state) {
  (void)state;
  Expr *u = plate(), *generic = network(add(fx, x), mul(E, nu), 3);
  HOLDS(expr_prove_linear(&domain, u, LOADS), "fx and fy are factors");
  HOLDS(expr_prove_scaling(&domain, u, ONE(E), -1), "E enters every term with the exponent -1");
  HOLDS(expr_prove_zero_at(&domain, u, &(ProofSwap){x, C(1)}, 1), "the factor 1 - x is 0 at x = 1");
  HOLDS(expr_prove_zero_at(&domain, u, (ProofSwap[]){{fx, zero()}, {fy, C(0)}}, 2), "every term has a factor that is 0 at fx = 0, fy = 0: f");
  HOLDS(expr_prove_parity(&domain, u, LOADS, true), "odd powers");
  HOLDS(expr_prove_independent(&domain, u, ONE(t)), "t does not occur");
  FAILS(expr_prove_linear(&domain, u, ONE(fx)));
  FAILS(expr_prove_scaling(&domain, u, ONE(E), -2));
  FAILS(expr_prove_zero_at(&domain, u, &(ProofSwap){x, C(0)}, 1));
  FAILS(expr_prove_zero_at(&domain, u, &(ProofSwap){fx, C(0)}, 1));
  FAILS(expr_prove_parity(&domain, u, LOADS, false));
  FAILS(expr_prove_independent(&domain, u, ONE(nu)));
  FAILS(expr_prove_linear(&domain, generic, ONE(fx)));
  FAILS(expr_prove_linear(&domain, add(u, mul(C(1e-7), powc(fx, 3))), LOADS));   /* a planted nonlinearity */
  double power;
  int degree;
  assert_true(expr_scaling_power(&domain, u, ONE(E), &power) && power == -1);
  assert_true(expr_polynomial_degree(&domain, u, LOADS, &degree) && degree == 1);
  assert_false(expr_scaling_power(&domain, generic, ONE(fx), &power));
  /* a vector: both components */
  Expr *v = vec2(u, mul(mul(quo(fy, E), network(x, nu, 5)), y));
  HOLDS(expr_prove_linear(&domain, v, LOADS), NULL);
  HOLDS(expr_prove_zero_at(&domain, v, (ProofSwap[]){{x, C(1)}, {y, C(0)}}, 2), "the factor y is 0");
  FAILS(expr_prove_zero_at(&domain, v, &(ProofSwap){x, C(1)}, 1));
}

/* Networks as wide as they are in use: 4 layers of 64 with heads of 32, some 50,000 operations. Linear parts are found without a look into them. */
static void dense(Random *r, Expr *const *in, int n, Expr **out, int m, bool activate) {
  for (int i = 0; i < m; i++) {
    Expr *sum = C(uniform(r->state++) - 0.5);
    for (int k = 0; k < n; k++) sum = add(sum, mul(C((uniform(r->state++) - 0.5)/n), in[k]));
    out[i] = activate ? un(EXPR_TANH, sum) : sum;
  }
}

static void heads(Random *r, Expr *const *in, int n, Expr **out) {
  Expr *h[64], *g[64];
  dense(r, in, n, h, 64, true);
  dense(r, h, 64, g, 64, true);
  dense(r, g, 64, out, 32, false);
}

static void wide_networks(void **state) {
  (void)state;
  Random r = {.state = 9};
  Expr *branch[32], *trunk[32], *all[32], *sum = zero();
  heads(&r, (Expr *[]){nu}, 1, branch);
  heads(&r, (Expr *[]){x, y}, 2, trunk);
  heads(&r, (Expr *[]){fx, fy, E, nu, x, y}, 6, all);
  for (int i = 0; i < 32; i++) sum = add(sum, mul(branch[i], trunk[i]));
  Expr *u = mul(mul(quo(fx, E), sum), sub(C(1), x));
  HOLDS(expr_prove_linear(&domain, u, ONE(fx)), "fx is a factor");
  HOLDS(expr_prove_scaling(&domain, u, ONE(E), -1), "exponent -1");
  HOLDS(expr_prove_zero_at(&domain, u, &(ProofSwap){x, C(1)}, 1), "the factor 1 - x");
  FAILS(expr_prove_zero_at(&domain, all[0], &(ProofSwap){x, C(1)}, 1));
  FAILS(expr_prove_linear(&domain, all[0], LOADS));
  HOLDS(expr_prove_bounds(&domain, un(EXPR_TANH, all[0]), -1, 1), NULL);
}

static void identities(void **state) {
  (void)state;
  Expr *a = param("a"), *b = param("b"), *two = C(2), *one = C(1);
  Expr *sin_a = un(EXPR_SIN, a), *cos_a = un(EXPR_COS, a), *root = un(EXPR_SQRT, add(powc(a, 2), powc(b, 2)));
  Expr *zeros[] = {
      sub(powc(add(a, b), 2), add(add(powc(a, 2), mul(two, mul(a, b))), powc(b, 2))),
      sub(powc(sub(a, b), 3), mul(sub(a, b), powc(sub(b, a), 2))),
      sub(add(powc(sin_a, 2), powc(cos_a, 2)), one),
      sub(un(EXPR_TAN, a), quo(sin_a, cos_a)),
      add(un(EXPR_SIN, neg(a)), sin_a),
      sub(un(EXPR_SIN, add(a, C(M_PI))), neg(sin_a)),
      sub(un(EXPR_COS, sub(a, C(M_PI / 2))), sin_a),
      sub(un(EXPR_SIN, add(mul(C(2 * M_PI), add(a, one)), b)), un(EXPR_SIN, add(mul(C(2 * M_PI), a), b))),
      sub(un(EXPR_EXP, add(a, b)), mul(un(EXPR_EXP, a), un(EXPR_EXP, b))),
      sub(un(EXPR_EXP, mul(two, a)), powc(un(EXPR_EXP, a), 2)),
      sub(mul(un(EXPR_EXP, a), un(EXPR_EXP, neg(a))), one),
      sub(powc(un(EXPR_COSH, a), 2), add(one, powc(un(EXPR_SINH, a), 2))),
      sub(quo(a, add(one, b)), quo(mul(a, sub(one, b)), sub(one, powc(b, 2)))),
      sub(quo(one, sub(a, b)), neg(quo(one, sub(b, a)))),
      sub(add(quo(one, a), quo(one, b)), quo(add(a, b), mul(a, b))),
      sub(mul(quo(a, C(3)), C(3)), a),
      sub(mul(add(C(0.1), C(0.2)), a), mul(C(0.3), a)),
      sub(mul(mul(C(0.1), a), mul(C(0.2), b)), mul(C(0.02), mul(a, b))),
      sub(powc(root, 2), add(mul(a, a), mul(b, b))),
      sub(quo(powc(a, 2), root), quo(sub(powc(root, 2), powc(b, 2)), root)),
      sub(un(EXPR_SQRT, powc(a, 2)), un(EXPR_ABS, a)),
      sub(un(EXPR_SQRT, powc(E, 2)), E),
      sub(un(EXPR_SQRT, mul(powc(E, 3), mul(C(4), a))), mul(mul(two, powc(E, 1.5)), powc(a, 0.5))),
      sub(un(EXPR_ABS, sub(a, b)), un(EXPR_ABS, sub(b, a))),
      sub(un(EXPR_ABS, mul(C(-3), mul(a, b))), mul(C(3), mul(un(EXPR_ABS, a), un(EXPR_ABS, b)))),
      sub(powc(un(EXPR_ABS, a), 2), powc(a, 2)),
      sub(add(bi(EXPR_MAX, a, b), bi(EXPR_MIN, a, b)), add(a, b)),
      sub(bi(EXPR_HYPOT, a, b), root),
      sub(powc(un(EXPR_CBRT, a), 3), a),
      sub(expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LT, a, b), a, b}, 3), expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LE, b, a), b, a}, 3)),
      sub(expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LT, E, C(3)), a, b}, 3), b),
      sub(un(EXPR_TANH, quo(mul(a, b), b)), un(EXPR_TANH, a)),
      sub(un(EXPR_TANH, quo(sub(powc(a, 2), one), add(a, one))), un(EXPR_TANH, sub(a, one))),
      sub(quo(one, add(mul(a, b), powc(a, 2))), quo(one, mul(a, add(a, b)))),
      sub(un(EXPR_SQRT, add(mul(powc(E, 2), a), mul(powc(E, 4), b))), mul(E, un(EXPR_SQRT, add(a, mul(b, powc(E, 2)))))),
  };
  for (size_t k = 0; k < sizeof zeros / sizeof *zeros; k++) {
    Proof p = expr_prove_zero(&domain, zeros[k]);
    Buf text = {0};
    expr_print(&text, zeros[k], EXPR_TEXT);
    if (p.truth != PROOF_HOLDS) fail_msg("%s is not proved to be 0: %d %s", buf_str(&text), p.truth, p.reason);
    buf_free(&text);
  }
  Expr *others[] = {
      sub(mul(C(1 + 1e-9), a), a), sub(mul(add(C(1), C(1e-12)), a), mul(C(1), a)), sub(un(EXPR_SQRT, powc(a, 2)), a), sub(un(EXPR_SIN, add(a, C(3.14159))), neg(sin_a)),
      sub(un(EXPR_ABS, add(a, b)), add(un(EXPR_ABS, a), un(EXPR_ABS, b))), sub(un(EXPR_EXP, mul(C(1e-14), a)), one), sub(un(EXPR_TANH, add(a, b)), un(EXPR_TANH, a)),
      sub(bi(EXPR_MAX, a, b), a), sub(powc(a, 3), powc(a, 2)), sub(add(powc(sin_a, 2), powc(un(EXPR_COS, b), 2)), one), mul(C(1e-15), a), C(1e-17),
      sub(bi(EXPR_MOD, a, C(2)), a), sub(un(EXPR_SIGN, a), one), sub(powc(a, 2.0000001), powc(a, 2))};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    Proof p = expr_prove_zero(&domain, others[k]);
    if (p.truth == PROOF_HOLDS) fail_msg("no %zu is proved to be 0", k);
  }
  HOLDS(expr_prove_equal(&domain, quo(fx, E), mul(fx, powc(E, -1))), "the same terms");
  FAILS(expr_prove_equal(&domain, quo(fx, E), quo(fy, E)));
}

static void degrees_and_powers(void **state) {
  (void)state;
  Expr *g = network(x, y, 4);
  HOLDS(expr_prove_affine(&domain, add(mul(fx, g), un(EXPR_COS, y)), ONE(fx)), NULL);
  FAILS(expr_prove_linear(&domain, add(mul(fx, g), un(EXPR_COS, y)), ONE(fx)));
  HOLDS(expr_prove_polynomial(&domain, add(mul(powc(fx, 2), g), mul(fx, fy)), LOADS, 2), NULL);
  FAILS(expr_prove_polynomial(&domain, add(mul(powc(fx, 2), g), mul(fx, fy)), LOADS, 1));
  HOLDS(expr_prove_polynomial(&domain, sub(powc(add(fx, x), 3), powc(fx, 3)), ONE(fx), 2), NULL);   /* the cubes cancel */
  HOLDS(expr_prove_affine(&domain, quo(sub(powc(fx, 2), C(1)), sub(fx, C(1))), ONE(fx)), NULL);
  HOLDS(expr_prove_scaling(&domain, un(EXPR_SQRT, add(powc(fx, 2), powc(fy, 2))), LOADS, 1), NULL);
  HOLDS(expr_prove_scaling(&domain, mul(powc(E, -0.5), g), ONE(E), -0.5), "-0.5");
  HOLDS(expr_prove_scaling(&domain, un(EXPR_SIN, quo(fx, fy)), LOADS, 0), NULL);
  HOLDS(expr_prove_scaling(&domain, bi(EXPR_MAX, fx, mul(C(2), fy)), LOADS, 1), NULL);
  FAILS(expr_prove_scaling(&domain, add(quo(g, E), C(1)), ONE(E), -1));
  HOLDS(expr_prove_linear(&domain, sub(mul(fx, C(2)), mul(add(fx, fy), C(3))), LOADS), "every term");
  FAILS(expr_prove_linear(&domain, un(EXPR_ABS, fx), ONE(fx)));
  FAILS(expr_prove_linear(&domain, bi(EXPR_MIN, fx, C(0.2)), ONE(fx)));
  HOLDS(expr_prove_independent(&domain, add(sub(mul(fx, y), mul(y, fx)), x), ONE(fx)), NULL);
  HOLDS(expr_prove_independent(&domain, quo(mul(fx, y), mul(C(2), fx)), ONE(fx)), "cancels");
  HOLDS(expr_prove_parity(&domain, un(EXPR_COS, mul(fx, g)), ONE(fx), false), "no term changes");
  HOLDS(expr_prove_parity(&domain, un(EXPR_TANH, mul(fx, g)), ONE(fx), true), "changes its own");
  HOLDS(expr_prove_parity(&domain, add(un(EXPR_ABS, fx), powc(fx, 4)), ONE(fx), false), NULL);
  FAILS(expr_prove_parity(&domain, add(fx, powc(fx, 2)), ONE(fx), true));
  HOLDS(expr_prove_periodic(&domain, un(EXPR_SIN, add(mul(C(4 * M_PI), x), y)), x, 1), "whole periods");
  HOLDS(expr_prove_periodic(&domain, mul(powc(un(EXPR_SIN, mul(C(M_PI), x)), 2), y), x, 1), NULL);
  OPEN(expr_prove_periodic(&domain, mul(x, un(EXPR_SIN, mul(C(2 * M_PI), x))), x, 1));   /* no two points of 0..1 are a period apart but the ends */
  FAILS(expr_prove_periodic(&domain, un(EXPR_SIN, mul(C(3 * M_PI), x)), x, 0.5));
  HOLDS(expr_prove_mirror(&domain, mul(mul(x, sub(C(1), x)), network(y, nu, 2)), x, 0.5, false), "every term is the same");
  HOLDS(expr_prove_mirror(&domain, sub(x, C(0.5)), x, 0.5, true), "changes its sign");
  FAILS(expr_prove_mirror(&domain, mul(x, y), x, 0.5, false));
}

static void places(void **state) {
  (void)state;
  Expr *g = network(x, nu, 4), *one = C(1);
  ProofSwap right = {x, one}, left = {x, zero()}, start = {t, zero()};
  HOLDS(expr_prove_zero_at(&domain, sub(un(EXPR_COS, mul(C(M_PI / 2), x)), zero()), &right, 1), "cos(pi/2*x) is 0 at x = 1");
  HOLDS(expr_prove_zero_at(&domain, add(mul(g, sub(one, x)), mul(un(EXPR_SIN, mul(C(M_PI), x)), y)), &right, 1), "every term has a factor");
  HOLDS(expr_prove_zero_at(&domain, mul(g, powc(x, 2)), &left, 1), "the factor x");
  HOLDS(expr_prove_zero_at(&domain, mul(g, sub(one, un(EXPR_EXP, neg(mul(C(3), t))))), &start, 1), "the factor");
  HOLDS(expr_prove_zero_at(&domain, sub(mul(x, y), y), &right, 1), NULL);
  HOLDS(expr_prove_zero_at(&domain, mul(y, sub(C(4), mul(y, C(4)))), &(ProofSwap){y, one}, 1), "the factor");
  FAILS(expr_prove_zero_at(&domain, mul(g, sub(C(1.0001), x)), &right, 1));
  Expr *data = un(EXPR_SIN, mul(t, y)), *lifted = add(data, mul(mul(x, sub(one, x)), g));
  HOLDS(expr_prove_equal_at(&domain, lifted, data, &right, 1), "nothing is left: the factor 1 - x is 0 at x = 1");
  HOLDS(expr_prove_equal_at(&domain, lifted, data, &left, 1), "the factor x");
  HOLDS(expr_prove_equal_at(&domain, sub(powc(x, 2), y), sub(one, y), &right, 1), NULL);
  FAILS(expr_prove_equal_at(&domain, lifted, data, &(ProofSwap){x, C(0.5)}, 1));
}

static void bounds_and_order(void **state) {
  (void)state;
  Expr *g = network(x, nu, 4), *square = powc(g, 2);
  HOLDS(expr_prove_bounds(&domain, add(square, un(EXPR_EXP, mul(fx, g))), 0, INFINITY), "a sum of terms that are not negative");
  HOLDS(expr_prove_bounds(&domain, un(EXPR_TANH, mul(g, fx)), -1, 1), "lies in -1..1 whatever");
  HOLDS(expr_prove_bounds(&domain, quo(x, add(E, nu)), 0, 0.2), "its values over the domain lie in");
  FAILS(expr_prove_bounds(&domain, quo(x, add(E, nu)), 0, 0.19));
  FAILS(expr_prove_bounds(&domain, sub(x, C(0.001)), 0, INFINITY));
  HOLDS(expr_prove_bounds(&domain, vec2(square, mul(x, E)), 0, INFINITY), NULL);
  HOLDS(expr_prove_monotone(&domain, quo(x, E), E, false), "its derivative by E lies in");
  HOLDS(expr_prove_monotone(&domain, add(un(EXPR_EXP, x), un(EXPR_ABS, sub(x, C(0.5)))), x, true), NULL);
  FAILS(expr_prove_monotone(&domain, quo(x, E), E, true));
  FAILS(expr_prove_monotone(&domain, mul(x, sub(C(1), x)), x, true));
  OPEN(expr_prove_monotone(&domain, sub(x, mul(C(2), un(EXPR_FLOOR, mul(C(2), x)))), x, true));   /* it jumps, whatever its derivative is */
  HOLDS(expr_prove_monotone(&domain, sub(un(EXPR_ABS, x), mul(C(0.5), x)), x, true), NULL);       /* the kink is at the end of the domain */
}

static void causality(void **state) {
  (void)state;
  Expr *now = param("ux"), *before = param("ux(t - 0.1)"), *after = param("ux(t + 0.1)");
  ProofHistory h[] = {{now, 0}, {before, -0.1}, {after, 0.1}};
  HOLDS(expr_prove_causal(&domain, add(mul(now, x), before), h, 3), "at t and before");
  FAILS(expr_prove_causal(&domain, add(mul(now, x), mul(C(0.01), after)), h, 3));
  HOLDS(expr_prove_causal(&domain, sub(add(now, after), after), h, 3), NULL);
  HOLDS(expr_prove_causal(&domain, before, h, 3), "t - 0.1 and before");
  HOLDS(expr_prove_causal(&domain, x, h, 3), "no input of time");
}

static void integrals(void **state) {
  (void)state;
  Expr *f = mul(quo(fx, E), un(EXPR_SIN, mul(x, y))), *g = mul(fy, un(EXPR_COS, x)), *h = un(EXPR_EXP, x);
  Expr *of_f = expr_integral(lab, f, NULL, 0, false), *of_g = expr_integral(lab, g, NULL, 0, false);
  HOLDS(expr_prove_equal(&domain, expr_integral(lab, add(f, mul(C(2), g)), NULL, 0, false), add(of_f, mul(C(2), of_g))), NULL);
  HOLDS(expr_prove_linear(&domain, expr_integral(lab, add(f, g), NULL, 0, false), LOADS), NULL);
  HOLDS(expr_prove_scaling(&domain, expr_integral(lab, mul(f, f), NULL, 0, false), ONE(fx), 2), NULL);
  HOLDS(expr_prove_zero(&domain, un(EXPR_SQRT, expr_integral(lab, powc(sub(mul(f, C(2)), add(f, f)), 2), NULL, 0, false))), NULL);   /* the norm of what is 0 */
  HOLDS(expr_prove_bounds(&domain, expr_integral(lab, mul(f, f), NULL, 0, false), 0, INFINITY), "never negative");
  HOLDS(expr_prove_bounds(&domain, expr_integral(lab, un(EXPR_TANH, f), NULL, 0, true), -1, 1), "lies in -1..1");
  OPEN(expr_prove_bounds(&domain, of_f, 0, INFINITY));
  Name part = nm("left");
  OPEN(expr_prove_equal(&domain, expr_integral(lab, h, NULL, 0, false), expr_integral(lab, h, &part, 1, false)));
  OPEN(expr_prove_equal(&domain, expr_integral(lab, mul(x, h), NULL, 0, false), mul(x, expr_integral(lab, h, NULL, 0, false))));
}

/* --- violations of contracts, as a trace of them leaves them --- */

static Expr *field_of(int serial, Shape shape) {
  return expr_symbol(lab, (Symbol){.kind = SYMBOL_FIELD, .serial = (uint32_t)serial, .time = NAN}, nm("u"), shape, UNIT_NONE);
}

static Expr *with(Expr *e, Expr *leaf, Expr *value) {
  ProofSwap swap = {leaf, value};
  return proof_swap(&domain, e, &swap, 1);
}

static Expr *half_sum(Expr *a, Expr *b) { return quo(add(a, b), C(2)); }

/* norm(m(c) - m(a) - m(b))/max(norm(m(c)), scale) of loads a/2, b/2 and their sum */
static ProofOfBound superposition(Expr *model, double scale, double bound) {
  Expr *gx = param("w.fx"), *gy = param("w.fy"), *u[3], *leaf[2] = {param("#0"), param("#1")};
  RangeLeaf all[9];
  memcpy(all, box, 7 * sizeof *box);
  all[7] = (RangeLeaf){gx, -0.3, 0.3}, all[8] = (RangeLeaf){gy, -0.3, 0.3};
  ProofDomain both = {.pool = lab, .box = all, .n = 9, .dim = 2};
  for (int i = 0; i < 3; i++) u[i] = field_of(100 + i, model->shape);
  Expr *a = with(with(model, fx, quo(fx, C(2))), fy, quo(fy, C(2))), *b = with(with(model, fx, quo(gx, C(2))), fy, quo(gy, C(2)));
  ProofPrediction p[] = {{100, 0, with(with(model, fx, half_sum(fx, gx)), fy, half_sum(fy, gy))}, {101, 0, a}, {102, 0, b}};
  Expr *d = sub(sub(u[0], u[1]), u[2]);
  ExprOp times = model->shape.rank ? EXPR_INNER : EXPR_MUL;
  ProofReduction r[] = {{leaf[0], PROOF_INTEGRAL, bi(times, d, d), nm("mesh"), NULL, 0, false, 0, 0}, {leaf[1], PROOF_INTEGRAL, bi(times, u[0], u[0]), nm("mesh"), NULL, 0, false, 0, 0}};
  Expr *v = quo(un(EXPR_SQRT, leaf[0]), bi(EXPR_MAX, un(EXPR_SQRT, leaf[1]), C(scale)));
  return expr_prove_violation(&both, v, r, 2, p, 3, bound);
}

static void violations(void **state) {
  (void)state;
  Expr *u = plate(), *v = vec2(u, mul(mul(quo(fy, E), network(x, nu, 5)), y));
  ProofOfBound p = superposition(u, 0.1, 0.05);
  HOLDS(p.proof, "an identity");
  assert_true(p.identity && p.certified == 0 && p.on_grid);
  p = superposition(v, 0.1, 0.05);
  HOLDS(p.proof, "an identity");
  OPEN(superposition(add(u, mul(C(1e-6), powc(fx, 3))), 0.1, 0.05).proof);
  OPEN(superposition(u, 0, 0.05).proof);                                        /* 0/0 is no proof */
  OPEN(superposition(mul(u, quo(C(1), sub(x, C(0.5)))), 0.1, 0.05).proof);      /* nor is a field without values */
  OPEN(superposition(un(EXPR_TANH, u), 0.1, 0.05).proof);

  /* the trace on x = 1: norm(m(z), on: right)/scale */
  Expr *leaf = param("#0"), *w = field_of(100, SHAPE_SCALAR), *number = quo(un(EXPR_SQRT, leaf), C(0.1));
  ProofPrediction m = {100, 0, u};
  ProofSwap right = {x, C(1)}, left = {x, zero()};
  p = expr_prove_violation(&domain, number, &(ProofReduction){leaf, PROOF_INTEGRAL, mul(w, w), nm("right"), &right, 1, false, 0, 0}, 1, &m, 1, 1e-3);
  HOLDS(p.proof, "the factor 1 - x is 0 at x = 1");
  assert_true(p.on_grid);
  OPEN(expr_prove_violation(&domain, number, &(ProofReduction){leaf, PROOF_INTEGRAL, mul(w, w), nm("left"), &left, 1, false, 0, 0}, 1, &m, 1, 1e-3).proof);
  /* against data that vary in space the mesh's field is exact at nodes only */
  Expr *wave = un(EXPR_SIN, mul(C(M_PI), y));
  p = expr_prove_violation(&domain, number, &(ProofReduction){leaf, PROOF_INTEGRAL, powc(sub(w, wave), 2), nm("right"), &right, 1, false, 0, 0}, 1, &(ProofPrediction){100, 0, add(wave, u)}, 1, 1e-3);
  HOLDS(p.proof, NULL);
  assert_true(p.identity && !p.on_grid);

  /* a bound: max(0, max(abs(m(z)))/B - 1) */
  Expr *excess = bi(EXPR_MAX, zero(), sub(quo(leaf, C(10)), C(1))), *over = bi(EXPR_MAX, zero(), sub(mul(leaf, C(1e6)), C(1)));
  ProofReduction largest = {leaf, PROOF_MAX, un(EXPR_ABS, w), nm("mesh"), NULL, 0, false, 0, 0};
  p = expr_prove_violation(&domain, excess, &largest, 1, &m, 1, 0.01);
  HOLDS(p.proof, "it is 0");
  OPEN(expr_prove_violation(&domain, over, &largest, 1, &m, 1, 0.01).proof);
  p = expr_prove_violation(&domain, sub(leaf, C(0.001)), &largest, 1, &m, 1, 10);
  HOLDS(p.proof, "by certified ranges");
  assert_true(p.certified > 0 && p.certified < 10);

  /* positivity: max(0, -min(m(z))) of a square; work of loads: integrals that are not negative */
  ProofReduction least = {leaf, PROOF_MIN, w, nm("mesh"), NULL, 0, false, 0, 0}, work = {leaf, PROOF_INTEGRAL, mul(w, w), nm("mesh"), NULL, 0, false, 0, 0};
  HOLDS(expr_prove_violation(&domain, bi(EXPR_MAX, zero(), neg(leaf)), &least, 1, &(ProofPrediction){100, 0, powc(u, 2)}, 1, 0).proof, NULL);
  HOLDS(expr_prove_violation(&domain, bi(EXPR_MAX, zero(), neg(leaf)), &work, 1, &m, 1, 0).proof, NULL);

  /* reciprocity: two integrals that are the same number, though no field is 0 */
  Expr *other = param("#1"), *f = field_of(101, SHAPE_SCALAR), *twice = field_of(102, SHAPE_SCALAR);
  ProofPrediction pair[] = {{101, 0, mul(fx, wave)}, {102, 0, mul(mul(C(2), fx), wave)}};
  ProofReduction two[] = {{leaf, PROOF_INTEGRAL, mul(C(2), mul(f, f)), nm("mesh"), NULL, 0, false, 0, 0}, {other, PROOF_INTEGRAL, mul(f, twice), nm("mesh"), NULL, 0, false, 0, 0}};
  p = expr_prove_violation(&domain, quo(un(EXPR_ABS, sub(leaf, other)), add(un(EXPR_ABS, leaf), C(0.1))), two, 2, pair, 2, 0.01);
  HOLDS(p.proof, "its integrals cancel");
  two[1].place = nm("left");
  OPEN(expr_prove_violation(&domain, quo(un(EXPR_ABS, sub(leaf, other)), add(un(EXPR_ABS, leaf), C(0.1))), two, 2, pair, 2, 0.01).proof);

  /* a derivative of the prediction, div(u) of a stream function's curl */
  Expr *stream = mul(fx, mul(powc(x, 2), un(EXPR_SIN, y))), *flow = field_of(103, shape_vector(2));
  ProofPrediction curl = {103, 0, expr_unary(lab, EXPR_CURL, stream)};
  Expr *divergence = un(EXPR_DIVERGENCE, flow);
  p = expr_prove_violation(&domain, number, &(ProofReduction){leaf, PROOF_INTEGRAL, mul(divergence, divergence), nm("mesh"), NULL, 0, false, 0, 0}, 1, &curl, 1, 0.05);
  HOLDS(p.proof, NULL);
  assert_true(p.identity && !p.on_grid);
}

/* A history is another number at another time, and its rate is not known. */
static void histories(void **state) {
  (void)state;
  Expr *ux = param("z.ux"), *leaf = param("#0"), *number = quo(un(EXPR_SQRT, leaf), C(0.1));
  RangeLeaf all[9];
  memcpy(all, box, 7 * sizeof *box);
  all[7] = (RangeLeaf){ux, -1, 1};
  ProofDomain d = {.pool = lab, .box = all, .n = 8, .dim = 2, .histories = &ux, .nhistories = 1};
  Expr *u[3];
  for (int i = 0; i < 3; i++) u[i] = expr_symbol(lab, (Symbol){.kind = SYMBOL_FIELD, .serial = 100, .time = i == 2 ? NAN : 0.5 + 0.5 * i}, nm("u"), SHAPE_SCALAR, UNIT_NONE);
  ProofPrediction p = {100, 0, mul(mul(ux, t), sub(C(1), x))};
  Expr *rates[] = {sub(u[0], u[1]), sub(mul(C(2), u[0]), u[1]), un(EXPR_DT, u[2]), sub(u[0], u[0]), add(u[2], C(1))};
  for (int i = 0; i < 5; i++) {
    ProofOfBound b = expr_prove_violation(&d, number, &(ProofReduction){leaf, PROOF_INTEGRAL, mul(rates[i], rates[i]), nm("mesh"), NULL, 0, false, 0, 0}, 1, &p, 1, 0.01);
    assert_int_equal(b.proof.truth, i == 3 ? PROOF_HOLDS : PROOF_OPEN);
  }
  ProofSwap right = {x, C(1)}, start = {t, zero()};
  Expr *jump = sub(u[0], u[1]);   /* zero at both times on the right */
  HOLDS(expr_prove_violation(&d, number, &(ProofReduction){leaf, PROOF_INTEGRAL, mul(jump, jump), nm("right"), &right, 1, false, 0, 0}, 1, &p, 1, 0.01).proof, "1 - x");
  HOLDS(expr_prove_violation(&d, number, &(ProofReduction){leaf, PROOF_INTEGRAL, mul(u[2], u[2]), nm("start"), &start, 1, false, 0, 0}, 1, &p, 1, 0.01).proof, "the factor t is 0 at t = 0");
  OPEN(expr_prove_zero(&d, un(EXPR_DT, ux)));

  /* causality: up to t = 1 two histories agree, so does what is made of them then; not if something is read 0.1 later */
  Expr *q = param("q.ux"), *ahead = param("z.ux(t + 0.1)"), *qahead = param("q.ux(t + 0.1)"), *both[] = {ux, q, ahead, qahead};
  RangeLeaf wide[11];
  memcpy(wide, box, 7 * sizeof *box);
  for (int i = 0; i < 4; i++) wide[7 + i] = (RangeLeaf){both[i], -1, 1};
  d = (ProofDomain){.pool = lab, .box = wide, .n = 11, .dim = 2, .histories = both, .nhistories = 4};
  Expr *early = bi(EXPR_LE, t, C(1)), *early_ahead = bi(EXPR_LE, add(t, C(0.1)), C(1)), *network_of_x = network(x, y, 2);
  Expr *glued = expr_make(lab, EXPR_IF, (Expr *[]){early, ux, q}, 3), *glued_ahead = expr_make(lab, EXPR_IF, (Expr *[]){early_ahead, ahead, qahead}, 3);
  Expr *a = field_of(200, SHAPE_SCALAR), *b = field_of(201, SHAPE_SCALAR);
  for (int acausal = 0; acausal < 2; acausal++)
    for (int late = 0; late < 2; late++) {
      ProofPrediction pair[] = {{200, 0, mul(un(EXPR_TANH, acausal ? add(ux, ahead) : ux), network_of_x)}, {201, 0, mul(un(EXPR_TANH, acausal ? add(glued, glued_ahead) : glued), network_of_x)}};
      ProofReduction until = {leaf, PROOF_INTEGRAL, mul(sub(a, b), sub(a, b)), nm("mesh"), NULL, 0, true, 0, late ? 1.5 : 1};
      ProofOfBound causal = expr_prove_violation(&d, number, &until, 1, pair, 2, 0.01);
      assert_int_equal(causal.proof.truth, acausal || late ? PROOF_OPEN : PROOF_HOLDS);
    }
}

/* --- falsification: random models, random claims; what is proved must hold at random points --- */

typedef struct Place { Expr *leaf[10]; double at[10]; int n; } Place;

static double at_place(Expr *leaf, void *user) {
  const Place *p = user;
  for (int i = 0; i < p->n; i++) if (p->leaf[i] == leaf) return p->at[i];
  return NAN;
}

static Expr *random_model(Random *r, int depth) {
  Expr *leaves[] = {fx, fy, E, nu, x, y, t};
  static const double numbers[] = {1, -1, 2, 0.5, -3, 0.1, 0.7, M_PI};
  if (depth == 0) return draw(r, 4) ? leaves[draw(r, 7)] : C(numbers[draw(r, 8)]);
  Expr *a = random_model(r, depth - 1), *b = draw(r, 3) ? random_model(r, depth - 1) : leaves[draw(r, 7)];
  static const ExprOp functions[] = {EXPR_SIN, EXPR_COS, EXPR_TANH, EXPR_EXP, EXPR_ABS, EXPR_SQRT, EXPR_ATAN, EXPR_SIGN, EXPR_CBRT, EXPR_COSH};
  switch (draw(r, 14)) {
    case 0: case 1: return add(a, b);
    case 2: return sub(a, b);
    case 3: case 4: case 5: case 6: return mul(a, b);
    case 7: case 8: return expr_is_zero(b) ? a : quo(a, b);
    case 9: return powc(a, (double)(1 + draw(r, 3)));
    case 10: return powc(a, (double[]){0.5, 1.5, -1, -2}[draw(r, 4)]);
    case 11: return bi(draw(r, 2) ? EXPR_MAX : EXPR_MIN, a, b);
    case 12: return expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LT, a, leaves[draw(r, 7)]), b, mul(a, b)}, 3);
    default: return un(functions[draw(r, 10)], a);
  }
}

static Place random_place(Random *r) {
  Place p = {.n = 7};
  for (int i = 0; i < 7; i++) p.leaf[i] = box[i].leaf, p.at[i] = box[i].lo + uniform(r->state++) * (box[i].hi - box[i].lo);
  return p;
}

static Place placed(Place p, Expr *leaf, double value) {
  for (int i = 0; i < p.n; i++) if (p.leaf[i] == leaf) p.at[i] = value;
  return p;
}

static double value_there(Expr *e, Place p) { return expr_value(e, at_place, &p); }
static double of(Place p, Expr *leaf) { return at_place(leaf, &p); }

static void complain(Expr *e, const char *claim, Proof proof, double a, double b) {
  Buf text = {0};
  expr_print(&text, e, EXPR_TEXT);
  print_error("%s\n", buf_str(&text));
  buf_free(&text);
  fail_msg("%s is claimed (%s), but %.17g is not %.17g", claim, proof.reason, a, b);
}

static long proved, refuted, open_claims, compared;

static bool counted(Proof p) {
  proved += p.truth == PROOF_HOLDS;
  refuted += p.truth == PROOF_FAILS;
  open_claims += p.truth == PROOF_OPEN;
  return p.truth == PROOF_HOLDS;
}

/* Equal to rounding, where both have values; the size of what was added up is not known, so a few more digits are granted. */
static void same(Expr *e, const char *claim, Proof proof, double a, double b, double size) {
  if (!isfinite(a) || !isfinite(b) || !(size < 1e6)) return;
  compared++;
  if (!(fabs(a - b) <= 1e-7 * (1 + size))) complain(e, claim, proof, a, b);
}

/* How large the parts of e become: cancellation loses digits. */
static double size_there(Expr *e, Place p) {
  double most = 0;
  Expr *stack[400];
  int n = 0;
  stack[n++] = e;
  while (n) {
    Expr *top = stack[--n];
    double v = fabs(value_there(top, p));
    if (!(v <= 1e6)) return INFINITY;
    most = fmax(most, v);
    for (int k = 0; k < top->n && n < 390; k++) stack[n++] = top->arg[k];
  }
  return most;
}

static void test_claims(Expr *e, Random *r) {
  Expr *inputs[] = {fx, fy, E, nu, t}, *leaf = inputs[draw(r, 5)], *place = draw(r, 2) ? x : y, *both[] = {leaf, inputs[draw(r, 5)]};
  int n = both[0] == both[1] ? 1 : 1 + (int)draw(r, 2);
  double at = draw(r, 2), power = (double)((int)draw(r, 4) - 1), lo, hi;
  Proof zero_at = expr_prove_zero_at(&domain, e, &(ProofSwap){place, C(at)}, 1), linear = expr_prove_linear(&domain, e, both, n), affine = expr_prove_affine(&domain, e, both, n);
  Proof scaling = expr_prove_scaling(&domain, e, both, n, power), odd = expr_prove_parity(&domain, e, both, n, true), even = expr_prove_parity(&domain, e, both, n, false);
  Proof independent = expr_prove_independent(&domain, e, both, n), mirror = expr_prove_mirror(&domain, e, place, 0.5, false), rising = expr_prove_monotone(&domain, e, leaf, true);
  Proof positive = expr_prove_bounds(&domain, e, 0, INFINITY);
  Proof *all[] = {&zero_at, &linear, &affine, &scaling, &odd, &even, &independent, &mirror, &rising, &positive};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) counted(*all[k]);
  for (int trial = 0; trial < 12; trial++) {
    Place p = random_place(r), q = random_place(r), there, sum = p, half = p;
    double v = value_there(e, p), c = 0.5 + uniform(r->state++), size = size_there(e, p);
    if (zero_at.truth == PROOF_HOLDS) there = placed(p, place, at), same(e, "zero there", zero_at, value_there(e, there), 0, size_there(e, there));
    Place changed = p, scaled = p, minus = p;
    for (int i = 0; i < n; i++) {
      changed = placed(changed, both[i], of(q, both[i]));
      scaled = placed(scaled, both[i], c * of(p, both[i]));
      minus = placed(minus, both[i], -of(p, both[i]));
      sum = placed(sum, both[i], of(p, both[i]) + of(q, both[i]));
      half = placed(half, both[i], of(p, both[i]) / 2 + of(q, both[i]) / 2);
    }
    size = fmax(fmax(size, size_there(e, changed)), fmax(fmax(size_there(e, scaled), size_there(e, minus)), fmax(size_there(e, sum), size_there(e, half))));
    double w = value_there(e, changed);
    if (linear.truth == PROOF_HOLDS) same(e, "linear", linear, value_there(e, sum), v + w, size), same(e, "homogeneous", linear, value_there(e, scaled), c * v, size);
    if (affine.truth == PROOF_HOLDS) same(e, "affine", affine, value_there(e, half), (v + w) / 2, size);
    if (scaling.truth == PROOF_HOLDS) same(e, "scaling", scaling, value_there(e, scaled), pow(c, power) * v, size);
    if (odd.truth == PROOF_HOLDS) same(e, "odd", odd, value_there(e, minus), -v, size);
    if (even.truth == PROOF_HOLDS) same(e, "even", even, value_there(e, minus), v, size);
    if (independent.truth == PROOF_HOLDS) same(e, "independent", independent, w, v, size);
    if (mirror.truth == PROOF_HOLDS) there = placed(p, place, 1 - of(p, place)), same(e, "mirror", mirror, value_there(e, there), v, size);
    if (positive.truth == PROOF_HOLDS && isfinite(v) && !(v >= 0)) complain(e, "not negative", positive, v, 0);
    if (rising.truth == PROOF_HOLDS) {
      there = placed(p, leaf, of(q, leaf));
      lo = of(p, leaf) < of(q, leaf) ? v : value_there(e, there), hi = of(p, leaf) < of(q, leaf) ? value_there(e, there) : v;
      if (isfinite(lo) && isfinite(hi) && !(lo <= hi + 1e-7 * (1 + size))) complain(e, "rising", rising, lo, hi);
    }
  }
}

static void false_claims_are_never_proved(void **state) {
  (void)state;
  proved = refuted = open_claims = compared = 0;
  Random r = {.state = 11};
  for (int k = 0; k < 2000; k++) {
    Expr *e = random_model(&r, 1 + k % 4);
    if (draw(&r, 3) == 0) e = mul(e, draw(&r, 2) ? sub(C(1), x) : mul(fx, y));   /* so that claims hold now and then */
    test_claims(e, &r);
  }
  print_message("2000 models: %ld claims proved, %ld refuted, %ld open; %ld values compared\n", proved, refuted, open_claims, compared);
  assert_true(proved > 5000 && refuted > 6000 && compared > 40000);
}

/* A true identity that is too large to multiply out stays open, for no more work than was given, which a series of proofs shares. */
static void shared_work(void **state) {
  (void)state;
  Expr *left = C(1), *right = C(1);
  for (int i = 0; i < 14; i++) {
    Expr *a = un(EXPR_TANH, mul(C(i + 1), domain.box[0].leaf)), *b = un(EXPR_SIN, mul(C(i + 1), domain.box[1].leaf));
    left = mul(left, add(a, b));
    right = mul(add(mul(C(2), a), mul(C(2), b)), right);
  }
  Expr *residual = sub(mul(left, C(16384)), right);
  long work = 200000;
  ProofDomain d = domain;
  d.work = &work;
  assert_int_equal(expr_prove_zero(&d, residual).truth, PROOF_OPEN);
  assert_true(work < 200000 && work >= 0);
  long before = work;
  assert_int_equal(expr_prove_zero(&d, residual).truth, PROOF_OPEN);
  assert_true(work < before && work >= 0);
  /* what differs somewhere costs none */
  before = work;
  assert_int_equal(expr_prove_zero(&d, add(residual, domain.box[0].leaf)).truth, PROOF_FAILS);
  assert_true(work == before);
}

/* Normal forms on any expression: F - G of two ways to write the same is 0 wherever it is claimed. */
static void any_expression(void **state) {
  (void)state;
  int zeros = 0;
  for (uint64_t seed = 0; seed < 10000; seed++) {
    Random r = {.state = seed * 7919, .at = point_of(seed)};
    Sample a = random_expr(&r, 2 + (int)(seed % 4)), b = random_expr(&r, 2);
    Expr *e = seed % 3 ? sub(mul(a.e, add(b.e, C(2))), add(mul(a.e, b.e), mul(C(2), a.e))) : a.e;
    Normals *s = normals_open(NULL, 0, NULL, 0);
    bool zero = normal_is_zero(s, e);
    normals_close(s);
    if (!zero) continue;
    zeros++;
    double v = value_at(e, r.at), size = fmax(1, fabs(a.value)) * fmax(1, fabs(b.value) + 2);
    if (isfinite(v) && isfinite(size) && !(fabs(v) <= 1e-9 * size)) {
      Buf text = {0};
      expr_print(&text, e, EXPR_TEXT);
      fail_msg("%s is %.17g, and claimed to be 0", buf_str(&text), v);
    }
  }
  print_message("10000 expressions: %d proved to be 0\n", zeros);
  assert_true(zeros > 5000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_domain, lab_close)
  const struct CMUnitTest tests[] = {TEST(identities), TEST(structured_surrogate), TEST(wide_networks), TEST(degrees_and_powers), TEST(places), TEST(bounds_and_order), TEST(causality),
                                     TEST(integrals), TEST(violations), TEST(histories), TEST(shared_work), TEST(false_claims_are_never_proved), TEST(any_expression)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
