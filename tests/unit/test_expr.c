/* Constructors, hash-consing, simplification, shapes and units, substitution, printing, canonical form. */
#include "expr_lab.h"

#include <stdio.h>

#include "../../lang/sha256.h"

static void equal_is_identical(void **state) {
  (void)state;
  Expr *x = X(0), *y = X(1);
  assert_ptr_equal(add(x, y), add(y, x));
  assert_ptr_equal(mul(x, y), mul(y, x));
  assert_ptr_not_equal(sub(x, y), sub(y, x));
  assert_ptr_equal(C(0.1), C(0.1));
  assert_ptr_not_equal(C(0.0), C(-0.0));
  assert_ptr_not_equal(C(1), expr_const(lab, 1, unit_of("m")));
  assert_ptr_equal(un(EXPR_SIN, add(x, y)), un(EXPR_SIN, add(y, x)));
  assert_ptr_not_equal(unknown("u", 0, SHAPE_SCALAR), unknown("u", 1, SHAPE_SCALAR));
  Symbol field = {.kind = SYMBOL_FIELD, .serial = 3, .time = NAN};
  assert_ptr_equal(expr_symbol(lab, field, nm("f"), SHAPE_SCALAR, UNIT_NONE), expr_symbol(lab, field, nm("f"), SHAPE_SCALAR, UNIT_NONE));
  Symbol later = field;
  later.time = 2;
  assert_ptr_not_equal(expr_symbol(lab, field, nm("f"), SHAPE_SCALAR, UNIT_NONE), expr_symbol(lab, later, nm("f"), SHAPE_SCALAR, UNIT_NONE));
  Name ab[] = {nm("a"), nm("b")}, ba[] = {nm("b"), nm("a")};
  Expr *xy[] = {x, y};
  assert_ptr_equal(expr_regions(lab, xy, ab, 2), expr_regions(lab, xy, ab, 2));
  assert_ptr_not_equal(expr_regions(lab, xy, ab, 2), expr_regions(lab, xy, ba, 2));
  assert_ptr_not_equal(expr_integral(lab, x, ab, 1, false), expr_integral(lab, x, ab, 2, false));
  assert_ptr_not_equal(expr_integral(lab, x, ab, 1, false), expr_integral(lab, x, ab, 1, true));
  /* a thousand ways to the same thousand nodes */
  Expr *first[1000];
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 1000; i++) {
      Expr *e = mul(un(EXPR_COS, mul(C(i), x)), add(y, C(i * 0.5)));
      if (!round) first[i] = e;
      assert_ptr_equal(first[i], e);
      for (int k = 0; k < e->n; k++) assert_true(e->arg[k]->id < e->id);
    }
}

static void simplification(void **state) {
  (void)state;
  Expr *x = X(0), *y = X(1), *z = zero(), *one = C(1), *log_x = un(EXPR_LOG, x), *v = unknown("v", 0, shape_vector(2));
  assert_ptr_equal(add(x, z), x);
  assert_ptr_equal(add(x, C(0)), x);
  assert_ptr_equal(sub(x, z), x);
  assert_ptr_equal(sub(z, x), neg(x));
  assert_ptr_equal(mul(x, one), x);
  assert_ptr_equal(quo(x, one), x);
  assert_ptr_equal(mul(x, C(-1)), neg(x));
  assert_ptr_equal(neg(neg(x)), x);
  assert_ptr_equal(add(x, neg(y)), sub(x, y));
  assert_ptr_equal(sub(x, neg(y)), add(x, y));
  assert_ptr_equal(mul(neg(x), neg(y)), mul(x, y));
  assert_ptr_equal(powc(x, 1), x);
  assert_ptr_equal(powc(log_x, 0), one);
  assert_ptr_equal(add(C(1), C(2)), C(3));
  assert_ptr_equal(un(EXPR_COS, z), one);
  assert_true(expr_is_zero(un(EXPR_SIN, z)));
  assert_true(expr_is_zero(sub(x, x)) && !expr_is_zero(sub(log_x, log_x)));
  assert_true(expr_is_zero(mul(x, z)) && !expr_is_zero(mul(log_x, z)));          /* 0*inf is NaN */
  assert_true(!expr_is_zero(mul(quo(one, x), C(0))) && expr_is_zero(mul(quo(x, C(2)), C(0))));
  assert_int_equal(quo(one, z)->op, EXPR_DIV);                                   /* not finite: left as it is */
  assert_int_equal(quo(x, x)->op, EXPR_DIV);
  assert_ptr_equal(add(v, z), v);
  assert_ptr_equal(sub(v, v), expr_zero(lab, shape_vector(2)));
  assert_ptr_equal(un(EXPR_GRAD, z)->shape.rank == 1 ? un(EXPR_GRAD, z) : NULL, expr_zero(lab, shape_vector(EXTENT_DIM)));
  assert_true(expr_is_zero(un(EXPR_DIVERGENCE, expr_zero(lab, shape_vector(2)))) && expr_is_zero(bi(EXPR_DOT, v, expr_zero(lab, shape_vector(2)))));
  assert_true(expr_is_zero(un(EXPR_GRAD, C(3))) && !expr_is_zero(un(EXPR_GRAD, param("k"))));   /* a parameter may be given a field */
  assert_ptr_equal(un(EXPR_TRANSPOSE, un(EXPR_TRANSPOSE, un(EXPR_GRAD, v))), un(EXPR_GRAD, v));
  assert_ptr_equal(un(EXPR_SYM, un(EXPR_GRAD, v)), un(EXPR_EPS, v));
  assert_ptr_equal(un(EXPR_SYM, un(EXPR_EPS, v)), un(EXPR_EPS, v));
  assert_ptr_equal(expr_component(lab, vec2(x, y), (int[]){1}, 1), y);
  assert_ptr_equal(expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LT, C(1), C(2)), x, y}, 3), x);
  assert_int_equal(mul(x, expr_const(lab, 1, unit_of("m")))->op, EXPR_MUL);      /* it carries a unit */
}

static void simplification_keeps_values(void **state) {
  (void)state;
  int finite_ = 0;
  for (uint64_t k = 0; k < 3000; k++) {
    Random r = {.state = k << 20, .at = point_of(k)};
    Sample s = random_expr(&r, 6);
    double value = value_at(s.e, r.at);
    if (!(value == s.value || (isnan(value) && isnan(s.value)))) fail_msg("case %d: %.17g, by itself %.17g", (int)k, value, s.value);
    finite_ += isfinite(value);
  }
  assert_true(finite_ > 1500);
}

/* --- shapes and units --- */

static void fails(Expr *e, ExprErrorKind kind, int argument, const char *text) {
  assert_null(e);
  ExprError error = expr_error(lab);
  assert_int_equal(error.kind, kind);
  assert_int_equal(error.argument, argument);
  assert_string_equal(error.text, text);
}

static void shapes(void **state) {
  (void)state;
  Expr *s = X(0), *v2 = unknown("v", 0, shape_vector(2)), *v3 = unknown("w", 1, shape_vector(3)), *vd = unknown("u", 2, shape_vector(EXTENT_DIM)), *A = unknown("A", 3, shape_tensor(2, 3));
  assert_true(shape_equal(add(v2, vd)->shape, shape_vector(2)));
  assert_true(shape_equal(add(vd, v3)->shape, shape_vector(3)));
  assert_true(shape_equal(un(EXPR_GRAD, v3)->shape, shape_tensor(3, EXTENT_DIM)));
  assert_true(shape_equal(bi(EXPR_DOT, A, v3)->shape, shape_vector(2)));
  assert_true(shape_equal(bi(EXPR_DOT, v2, A)->shape, shape_vector(3)));
  assert_true(shape_equal(bi(EXPR_OUTER, v2, v3)->shape, shape_tensor(2, 3)));
  assert_true(shape_equal(un(EXPR_TRANSPOSE, A)->shape, shape_tensor(3, 2)));
  assert_true(shape_equal(bi(EXPR_CROSS, v3, v3)->shape, shape_vector(3)) && bi(EXPR_CROSS, v2, vd)->shape.rank == 0);
  assert_true(shape_equal(un(EXPR_CURL, s)->shape, shape_vector(2)));
  assert_true(shape_equal(un(EXPR_EPS, vd)->shape, shape_tensor(EXTENT_DIM, EXTENT_DIM)));
  assert_int_equal(shape_size(un(EXPR_GRAD, vd)->shape, 3), 9);
  fails(add(v2, v3), EXPR_SHAPE, 1, "left is vector 2, right is vector 3");
  fails(add(v2, s), EXPR_SHAPE, 1, "left is vector 2, right is scalar");
  fails(mul(v2, v2), EXPR_SHAPE, -1, "left is vector 2, right is vector 2; `*` takes a scalar on one side: use dot, inner, cross or outer");
  fails(quo(s, v2), EXPR_SHAPE, 1, "/ needs a scalar divisor, this is vector 2");
  fails(un(EXPR_SIN, v2), EXPR_SHAPE, 0, "sin needs a scalar, this is vector 2");
  fails(un(EXPR_DIVERGENCE, s), EXPR_RANK, 0, "div needs a vector or tensor, this is scalar");
  fails(bi(EXPR_DOT, A, v2), EXPR_SHAPE, -1, "left is tensor 2x3, right is vector 2");
  fails(un(EXPR_TRACE, A), EXPR_SHAPE, 0, "tr needs a square tensor, this is tensor 2x3");
  fails(un(EXPR_INV, v2), EXPR_SHAPE, 0, "inv needs a square tensor, 3x3 at most, this is vector 2");
  fails(expr_component(lab, v2, (int[]){2}, 1), EXPR_RANK, 0, "index 2 is outside of a vector 2 (counted from 0)");
  fails(expr_component(lab, s, (int[]){0}, 1), EXPR_RANK, 0, "1 index for a scalar");
  assert_null(un(EXPR_CURL, vd));
  assert_int_equal(expr_error(lab).kind, EXPR_DIMENSION);
  assert_null(expr_make(lab, EXPR_SIN, (Expr *[]){s, s}, 2));
  assert_int_equal(expr_error(lab).kind, EXPR_ARITY);
  Buf text = {0};
  shape_print(&text, un(EXPR_GRAD, v3)->shape);
  assert_string_equal(buf_str(&text), "tensor");
  buf_free(&text);
}

static void units(void **state) {
  (void)state;
  Unit m = unit_of("m"), K = unit_of("K"), any = UNIT_ANY;
  Expr *a = expr_param(lab, nm("a"), SHAPE_SCALAR, m, false), *b = expr_param(lab, nm("b"), SHAPE_SCALAR, K, false), *free_ = expr_param(lab, nm("c"), SHAPE_SCALAR, any, false), *p = param("p");
  assert_true(unit_equal(add(a, zero())->unit, m));
  assert_true(unit_equal(add(free_, a)->unit, m));
  assert_true(unit_equal(un(EXPR_SQRT, mul(a, a))->unit, m));
  assert_true(unit_equal(powc(un(EXPR_SQRT, a), 2)->unit, m));
  assert_true(unit_equal(quo(b, a)->unit, unit_div(K, m)));
  assert_true(unit_is_none(bi(EXPR_LT, a, a)->unit) && unit_is_none(bi(EXPR_ATAN2, a, a)->unit));
  assert_true(unit_equal(bi(EXPR_MAX, a, zero())->unit, m));
  fails(add(a, b), EXPR_UNIT, 1, "left is in m, right is in K");
  fails(sub(a, C(1)), EXPR_UNIT, 1, "left is in m, right is without unit");
  fails(bi(EXPR_LT, a, b), EXPR_UNIT, 1, "left is in m, right is in K");
  fails(un(EXPR_EXP, a), EXPR_UNIT, 0, "exp needs a number without unit, this is in m");
  fails(bi(EXPR_POW, p, a), EXPR_UNIT, 1, "an exponent needs a number without unit, this is in m");
  fails(bi(EXPR_POW, a, p), EXPR_POWER, 1, "the base is in m: the exponent must be a number known here, a multiple of 1/12");
  fails(vec3(a, a, b), EXPR_UNIT, 2, "number 1 is in m, number 3 is in K");
}

/* --- passes --- */

static Expr *wave_for_u(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  return leaf->op == EXPR_SYMBOL && leaf->symbol.which == 0 ? *(Expr **)user : leaf;
}

static void substitution(void **state) {
  (void)state;
  Expr *u = unknown("u", 0, SHAPE_SCALAR), *w = unknown("w", 1, SHAPE_SCALAR), *x = X(0), *k = param("k");
  Expr *e = add(mul(k, un(EXPR_GRAD, u)), un(EXPR_GRAD, mul(w, u)));
  Expr *g = expr_substitute(lab, e, wave_for_u, &(Expr *){mul(x, x)});
  assert_ptr_equal(g, add(mul(k, un(EXPR_GRAD, mul(x, x))), un(EXPR_GRAD, mul(w, mul(x, x)))));
  assert_ptr_equal(expr_substitute(lab, e, wave_for_u, &(Expr *){u}), e);
  assert_true(expr_is_zero(expr_substitute(lab, e, wave_for_u, &(Expr *){zero()})));
  Expr *v = unknown("v", 0, shape_vector(2));
  assert_null(expr_substitute(lab, bi(EXPR_DOT, v, v), wave_for_u, &(Expr *){x}));
  assert_int_equal(expr_error(lab).kind, EXPR_SHAPE);
  assert_true(expr_is_zero(expr_substitute(lab, bi(EXPR_DOT, v, un(EXPR_GRAD, w)), wave_for_u, &(Expr *){zero()})));
  assert_ptr_equal(expr_scalar(lab, expr_specialise(lab, un(EXPR_GRAD, mul(x, x)), 2), 0, 2), mul(C(2), x));
}

static void specialisation(void **state) {
  (void)state;
  Expr *v = unknown("v", 0, shape_vector(EXTENT_DIM)), *sigma = sub(un(EXPR_EPS, v), mul(un(EXPR_DIVERGENCE, v), expr_identity(lab, EXTENT_DIM)));
  assert_true(sigma->flags & HAS_DIM);
  for (int dim = 1; dim <= 3; dim++) {
    Expr *e = expr_specialise(lab, bi(EXPR_DOT, sigma, expr_normal(lab, EXTENT_DIM)), dim);
    assert_non_null(e);
    assert_true(shape_equal(e->shape, shape_vector(dim)));
    assert_false(e->flags & HAS_DIM);
    assert_ptr_equal(expr_specialise(lab, e, dim), e);
  }
  assert_null(expr_specialise(lab, add(v, vec2(X(0), X(1))), 3));
  assert_int_equal(expr_error(lab).kind, EXPR_SHAPE);
  assert_null(expr_specialise(lab, mul(X(2), X(0)), 2));
  assert_int_equal(expr_error(lab).kind, EXPR_DIMENSION);
  assert_null(expr_specialise(lab, expr_dx(lab, unknown("s", 1, SHAPE_SCALAR), 1, UNIT_NONE), 1));
}

static int two(Expr *terminal, void *user) { (void)user; return terminal->symbol.kind == SYMBOL_UNKNOWN ? 2 : 1; }

static void terms_and_degree(void **state) {
  (void)state;
  Expr *u = expr_term(lab, (Symbol){.kind = SYMBOL_UNKNOWN}, nm("u"), UNIT_NONE), *t = expr_term(lab, (Symbol){.kind = SYMBOL_TEST}, nm("v"), UNIT_NONE), *x = X(0);
  Expr *e = mul(t, add(mul(u, u), un(EXPR_SIN, u))), *found[4];
  assert_int_equal(expr_terms(lab, e, 1 << SYMBOL_UNKNOWN, found, 4), 1);
  assert_ptr_equal(found[0], u);
  assert_int_equal(expr_terms(lab, e, 1 << SYMBOL_UNKNOWN | 1 << SYMBOL_TEST, NULL, 0), 2);
  assert_int_equal(expr_degree(mul(t, u), two, NULL), 3);
  assert_int_equal(expr_degree(e, two, NULL), 5);
  assert_int_equal(expr_degree(mul(powc(x, 3), u), two, NULL), 5);
  assert_int_equal(expr_degree(un(EXPR_EXP, mul(x, x)), two, NULL), 4);
  assert_int_equal(expr_degree(mul(param("k"), un(EXPR_EXP, T())), two, NULL), 0);
  assert_int_equal(expr_degree(quo(u, C(2)), two, NULL), 2);
  assert_int_equal(expr_degree(quo(u, x), two, NULL), 5);
}

/* --- printing --- */

static void printing(void **state) {
  (void)state;
  Expr *x = X(0), *y = X(1), *k = param("k_eff"), *u = unknown("u", 0, SHAPE_SCALAR), *v = unknown("sigma_1", 1, shape_vector(2)), *n = expr_normal(lab, 2);
  struct { Expr *e; const char *text, *unicode, *latex; } rows[] = {
    {un(EXPR_DIVERGENCE, mul(k, un(EXPR_GRAD, u))), "div(k_eff*grad(u))", "∇·(k_eff ∇u)", "\\nabla\\cdot \\left(k_{\\mathrm{eff}}\\,\\nabla u\\right)"},
    {bi(EXPR_DOT, mul(k, un(EXPR_GRAD, u)), n), "dot(k_eff*grad(u), n)", "k_eff ∇u·n", "k_{\\mathrm{eff}}\\,\\nabla u \\cdot n"},
    {bi(EXPR_DOT, v, un(EXPR_GRAD, v)), "dot(sigma_1, grad(sigma_1))", "σ₁·∇σ₁", "\\sigma_{1} \\cdot \\nabla \\sigma_{1}"},
    {sub(mul(C(2), x), sub(y, quo(x, mul(k, y)))), "2*x - (y - x/(k_eff*y))", "2 x - (y - x/(k_eff y))", "2\\,x - \\left(y - \\frac{x}{k_{\\mathrm{eff}}\\,y}\\right)"},
    {neg(powc(x, 2)), "-x^2", "-x²", "-x^{2}"},
    {powc(neg(x), 2), "(-x)^2", "(-x)²", "\\left(-x\\right)^{2}"},
    {powc(add(x, y), -1), "(x + y)^(-1)", "(x + y)⁻¹", "\\left(x + y\\right)^{-1}"},
    {bi(EXPR_POW, x, quo(y, C(2))), "x^(y/2)", "x^(y/2)", "x^{\\frac{y}{2}}"},
    {un(EXPR_SIN, mul(C(2 * M_PI), x)), "sin(2*pi*x)", "sin(2π x)", "\\sin\\left(2\\pi\\,x\\right)"},
    {un(EXPR_SQRT, quo(x, y)), "sqrt(x/y)", "√(x/y)", "\\sqrt{\\frac{x}{y}}"},
    {neg(mul(x, add(x, y))), "-x*(x + y)", "-x (x + y)", "-x\\,\\left(x + y\\right)"},
    {quo(x, quo(y, k)), "x/(y/k_eff)", "x/(y/k_eff)", "\\frac{x}{\\frac{y}{k_{\\mathrm{eff}}}}"},
    {mul(C(3), quo(x, C(4))), "3*x/4", "3 x/4", "\\frac{3\\,x}{4}"},
    {un(EXPR_DT, u), "dt(u)", "∂t u", "\\partial_t u"},
    {expr_component(lab, v, (int[]){1}, 1), "sigma_1.y", "σ₁.y", "\\sigma_{1,y}"},
    {expr_component(lab, un(EXPR_GRAD, v), (int[]){1, 0}, 2), "grad(sigma_1)[1, 0]", "(∇σ₁)[1, 0]", "{\\left(\\nabla \\sigma_{1}\\right)}_{10}"},
    {expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LE, x, C(1)), x, y}, 3), "if x <= 1 then x else y", "if x ≤ 1 then x else y",
     "\\begin{cases} x & x \\le 1 \\\\ y & \\text{otherwise} \\end{cases}"},
    {vec2(x, C(1e-7)), "(x, 1e-7)", "(x, 1e-7)", "\\begin{pmatrix} x \\\\ 1 \\cdot 10^{-7} \\end{pmatrix}"},
    {bi(EXPR_JUMP, u, n), "jump(u, n)", "⟦u, n⟧", "[\\![u, n]\\!]"},
    {expr_integral(lab, u, (Name[]){nm("left")}, 1, false), "integral(u, on: left)", "∫(u, on: left)", "\\int_{\\mathrm{left}} u"},
    {expr_const(lab, 5e9, unit_of("Pa")), "5000000000 [Pa]", "5000000000 [Pa]", "5000000000\\,\\mathrm{Pa}"},
    {C(-0.25), "-0.25", "-0.25", "-0.25"},
    {mul(k, un(EXPR_ABS, x)), "k_eff*abs(x)", "k_eff |x|", "k_{\\mathrm{eff}}\\,\\left|x\\right|"},
    {expr_regions(lab, (Expr *[]){C(1), k}, (Name[]){nm("steel"), NULL}, 2), "{ on steel: 1; on others: k_eff }", "{ on steel: 1; on others: k_eff }",
     "\\begin{cases} 1 & \\text{on }\\mathrm{steel} \\\\ k_{\\mathrm{eff}} & \\text{on }\\mathrm{others} \\end{cases}"},
    {expr_scalar(lab, un(EXPR_LAP, u), 0, 2), "dx(dx(u)) + dy(dy(u))", "∂x ∂x u + ∂y ∂y u", "\\partial_{xx} u + \\partial_{yy} u"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_prints(rows[i].e, EXPR_TEXT, rows[i].text);
    assert_prints(rows[i].e, EXPR_UNICODE, rows[i].unicode);
    assert_prints(rows[i].e, EXPR_LATEX, rows[i].latex);
  }
  assert_prints(quo(mul(C(2), x), y), EXPR_MATHML,
                "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow><mfrac><mrow><mn>2</mn><mo>&#x2062;</mo><mi>x</mi></mrow>"
                "<mrow><mi>y</mi></mrow></mfrac></mrow></math>");
  assert_prints(bi(EXPR_LT, x, k), EXPR_MATHML,
                "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow><mi>x</mi><mo>&lt;</mo><msub><mi>k</mi><mrow><mi>eff</mi></mrow></msub></mrow></math>");
}

/* --- canonical form --- */

static void canonical(void **state) {
  (void)state;
  Expr *x = X(0), *y = X(1), *k = param("k"), *u = unknown("u", 0, SHAPE_SCALAR), *n = expr_normal(lab, 2), *g = un(EXPR_GRAD, u);
  Expr *pairs[][2] = {
    {add(x, add(y, k)), add(add(k, x), y)}, {mul(x, mul(y, k)), mul(mul(k, x), y)}, {sub(x, y), neg(sub(y, x))}, {add(mul(C(2), x), mul(C(3), x)), mul(C(5), x)},
    {mul(x, x), powc(x, 2)}, {quo(mul(x, y), y), x}, {quo(x, C(4)), mul(C(0.25), x)}, {bi(EXPR_DOT, mul(k, g), n), mul(k, bi(EXPR_DOT, n, g))},
    {un(EXPR_GRAD, mul(C(2), u)), mul(C(2), g)}, {un(EXPR_TRANSPOSE, mul(k, bi(EXPR_OUTER, g, n))), mul(k, un(EXPR_TRANSPOSE, bi(EXPR_OUTER, g, n)))},
    {bi(EXPR_GT, x, y), bi(EXPR_LT, y, x)}, {mul(C(0.1), mul(C(3), x)), mul(C(0.3), x)}, {add(x, sub(y, x)), y}, {sub(un(EXPR_EXP, x), un(EXPR_EXP, x)), zero()},
    {un(EXPR_SIN, add(mul(C(2), x), mul(C(2), y))), un(EXPR_SIN, mul(C(2), add(y, x)))},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) if (!expr_same(pairs[i][0], pairs[i][1])) fail_msg("pair %d", (int)i);
  Expr *others[] = {x, y, k, sub(x, y), add(x, y), mul(x, y), quo(x, y), powc(x, 2), powc(x, 3), C(1), C(2), zero(), un(EXPR_SIN, x), un(EXPR_SIN, neg(x)), T(), g, mul(k, g), mul(u, g),
                    un(EXPR_DT, u), expr_const(lab, 1, unit_of("m")), expr_param(lab, nm("x"), SHAPE_SCALAR, UNIT_NONE, false), un(EXPR_SQRT, mul(x, x))};
  int count = sizeof others / sizeof *others;
  for (int i = 0; i < count; i++) for (int j = 0; j < i; j++) if (expr_same(others[i], others[j])) fail_msg("%d and %d are the same", i, j);
}

/* Equal canonical forms have equal values, on random expressions with shuffled twins. */
static void canonical_keeps_values(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 400; k++) {
    Random r = {.state = k << 24, .at = point_of(k), .smooth = true};
    Expr *a = random_expr(&r, 4).e, *b = random_expr(&r, 4).e, *c = random_expr(&r, 4).e;
    Expr *one = add(mul(a, b), sub(c, a)), *two_ = sub(c, sub(a, mul(b, a))), *three = neg(sub(sub(a, c), mul(a, b)));
    assert_true(expr_same(one, two_));
    assert_true(expr_same(one, three));
    if (!expr_is_const(c, &(double){0})) assert_false(expr_same(one, add(one, C(1))));
    Expr *q = NULL;
    if (expr_proportional(lab, mul(C(-3), one), one, &q)) assert_close(value_at(q, r.at), -3, 1e-12);
    else assert_true(expr_same(one, zero()));
  }
}

static void independent_of_the_pool(void **state) {
  (void)state;
  char ids[2][65];
  for (int order = 0; order < 2; order++) {
    Interner *names = interner_new();
    ExprPool *pool = expr_pool_new(names);
    Expr *x, *k;
    if (order) x = expr_coord(pool, 0, UNIT_NONE), k = expr_param(pool, intern_text(names, "k"), SHAPE_SCALAR, UNIT_NONE, false);
    else k = expr_param(pool, intern_text(names, "k"), SHAPE_SCALAR, UNIT_NONE, false), x = expr_coord(pool, 0, UNIT_NONE);
    expr_id(expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MUL, k, x), expr_unary(pool, EXPR_SIN, k)), ids[order]);
    expr_pool_free(pool);
    interner_free(names);
  }
  assert_string_equal(ids[0], ids[1]);
}

static void proportional(void **state) {
  (void)state;
  Expr *k = param("k"), *m = param("m"), *u = unknown("u", 0, SHAPE_SCALAR), *w = unknown("w", 1, SHAPE_SCALAR), *g = un(EXPR_GRAD, u), *h = un(EXPR_GRAD, w), *f;
  struct { Expr *a, *b, *factor; } rows[] = {
    {mul(k, g), g, k}, {neg(mul(k, g)), g, neg(k)}, {g, mul(k, g), quo(C(1), k)}, {mul(C(2), g), mul(C(4), g), C(0.5)}, {g, g, C(1)},
    {add(mul(k, g), mul(k, h)), add(g, h), k}, {mul(m, add(g, h)), add(mul(k, g), mul(k, h)), quo(m, k)}, {neg(sub(mul(k, g), h)), sub(h, mul(k, g)), C(1)},
    {quo(g, add(C(1), m)), g, quo(C(1), add(C(1), m))}, {mul(k, add(mul(m, g), h)), add(mul(m, g), h), k},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!expr_proportional(lab, rows[i].a, rows[i].b, &f)) fail_msg("row %d", (int)i);
    if (!expr_same(f, rows[i].factor)) fail_msg("row %d has another factor", (int)i);
  }
  assert_false(expr_proportional(lab, g, h, &f));
  assert_false(expr_proportional(lab, mul(u, g), g, &f));
  assert_false(expr_proportional(lab, mul(X(0), g), g, &f));
  assert_false(expr_proportional(lab, add(mul(k, g), h), add(g, h), &f));
  assert_false(expr_proportional(lab, zero(), g, &f));
}

/* Trees of 2^200 and chains of 20,000: forms, ids and passes are linear, printing stops with an ellipsis. */
static void large(void **state) {
  (void)state;
  Expr *e = X(0), *p = X(0), *chain = X(1);
  for (int i = 0; i < 200; i++) e = add(un(EXPR_SIN, e), mul(e, e)), p = add(p, mul(p, X(1)));
  char id[65], other[65];
  expr_id(e, id);
  expr_id(add(e, C(1)), other);
  assert_string_not_equal(id, other);
  Buf text = {0};
  expr_print(&text, e, EXPR_TEXT);
  assert_true(text.len > 1 << 20 && text.len < 1 << 22 && strstr(buf_str(&text), "..."));
  buf_clear(&text);
  expr_print(&text, e, EXPR_MATHML);
  assert_true(text.len < 1 << 23);
  buf_clear(&text);
  Expr *doubled = X(0);
  for (int i = 0; i < 100; i++) doubled = add(doubled, doubled);
  assert_true(expr_same(doubled, mul(C(0x1p100), X(0))));
  expr_print(&text, doubled, EXPR_TEXT);
  buf_clear(&text);
  for (int i = 0; i < 20000; i++) chain = add(chain, mul(C(i + 2), X(i % 2)));
  expr_id(chain, id);
  expr_print(&text, chain, EXPR_TEXT);
  assert_true(text.len > 100000);
  buf_clear(&text);
  Expr *deep = X(0);
  for (int i = 0; i < 100000; i++) deep = un(EXPR_SIN, deep);
  expr_id(deep, id);
  for (int style = EXPR_TEXT; style <= EXPR_MATHML; style++) expr_print(&text, deep, (ExprStyle)style);
  assert_non_null(strstr(buf_str(&text), "sin(...)"));
  buf_free(&text);
  assert_true(isfinite(value_at(chain, point_of(1))));
  assert_int_equal(expr_degree(chain, two, NULL), 1);
}

static void sha256(void **state) {
  (void)state;
  char hex[65], text[201];
  sha256_hex("", 0, hex);
  assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  sha256_hex("abc", 3, hex);
  assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
  assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  memset(text, 'x', 200);
  for (size_t cut = 0; cut <= 200; cut += 7) {   /* in two pieces as in one */
    Sha256 sha;
    uint8_t digest[32];
    char two_pieces[65];
    sha256_hex(text, 200, hex);
    sha256_start(&sha);
    sha256_add(&sha, text, cut);
    sha256_add(&sha, text + cut, 200 - cut);
    sha256_end(&sha, digest);
    for (int i = 0; i < 32; i++) sprintf(two_pieces + 2 * i, "%02x", digest[i]);
    assert_string_equal(hex, two_pieces);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_is_identical), cmocka_unit_test(simplification), cmocka_unit_test(simplification_keeps_values), cmocka_unit_test(shapes), cmocka_unit_test(units),
    cmocka_unit_test(substitution), cmocka_unit_test(specialisation), cmocka_unit_test(terms_and_degree), cmocka_unit_test(printing), cmocka_unit_test(canonical),
    cmocka_unit_test(canonical_keeps_values), cmocka_unit_test(independent_of_the_pool), cmocka_unit_test(proportional), cmocka_unit_test(large), cmocka_unit_test(sha256),
  };
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
