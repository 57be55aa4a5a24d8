/* Tensor level to scalar level: identities of tensor algebra and calculus, by pointer, by canonical form or by value. */
#include "expr_lab.h"

static Expr *comp(Expr *e, int component, int dim) {
  Expr *s = expr_scalar(lab, e, component, dim);
  assert_non_null(s);
  return s;
}

static void same_components(Expr *a, Expr *b, int dim) {
  int n = shape_size(a->shape, dim);
  assert_int_equal(n, shape_size(b->shape, dim));
  for (int i = 0; i < n; i++) assert_true(expr_same(comp(a, i, dim), comp(b, i, dim)));
}

static void same_values(Expr *a, Expr *b, int dim, double tolerance) {
  int n = shape_size(a->shape, dim);
  assert_int_equal(n, shape_size(b->shape, dim));
  for (uint64_t k = 0; k < 5; k++)
    for (int i = 0; i < n; i++) assert_close(component_at(a, i, dim, point_of(k)), component_at(b, i, dim, point_of(k)), tolerance);
}

static void calculus(void **state) {
  (void)state;
  for (int dim = 1; dim <= 3; dim++) {
    Expr *u = unknown("u", 0, SHAPE_SCALAR), *w = unknown("w", 2, SHAPE_SCALAR), *v = unknown("v", 1, shape_vector(dim)), *I = expr_identity(lab, dim);
    assert_ptr_equal(comp(un(EXPR_DIVERGENCE, un(EXPR_GRAD, u)), 0, dim), comp(un(EXPR_LAP, u), 0, dim));
    same_components(un(EXPR_DIVERGENCE, un(EXPR_GRAD, v)), un(EXPR_LAP, v), dim);
    same_components(un(EXPR_GRAD, mul(u, w)), add(mul(u, un(EXPR_GRAD, w)), mul(w, un(EXPR_GRAD, u))), dim);
    same_values(un(EXPR_DIVERGENCE, mul(u, v)), add(mul(u, un(EXPR_DIVERGENCE, v)), bi(EXPR_DOT, un(EXPR_GRAD, u), v)), dim, 1e-14);
    same_components(un(EXPR_DIVERGENCE, mul(u, I)), un(EXPR_GRAD, u), dim);
    same_components(un(EXPR_TRACE, un(EXPR_GRAD, v)), un(EXPR_DIVERGENCE, v), dim);
    same_components(un(EXPR_TRACE, un(EXPR_EPS, v)), un(EXPR_DIVERGENCE, v), dim);
    same_components(un(EXPR_DT, mul(u, w)), add(mul(un(EXPR_DT, u), w), mul(u, un(EXPR_DT, w))), dim);
    same_components(un(EXPR_DTT, u), un(EXPR_DT, un(EXPR_DT, u)), dim);
    same_components(un(EXPR_GRAD, un(EXPR_DT, u)), un(EXPR_DT, un(EXPR_GRAD, u)), dim);
    same_components(un(EXPR_DT, mul(T(), u)), add(u, mul(T(), un(EXPR_DT, u))), dim);
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++)
        assert_ptr_equal(comp(un(EXPR_GRAD, v), i * dim + j, dim), comp(expr_dx(lab, expr_component(lab, v, &i, 1), j, UNIT_NONE), 0, dim));
  }
  Expr *u = unknown("u", 0, SHAPE_SCALAR), *v = unknown("v", 1, shape_vector(3)), *p = unknown("p", 3, shape_vector(2));
  Expr *grad3 = expr_specialise(lab, un(EXPR_GRAD, u), 3), *grad2 = expr_specialise(lab, un(EXPR_GRAD, u), 2);
  for (int i = 0; i < 3; i++) assert_true(expr_is_zero(comp(un(EXPR_CURL, grad3), i, 3)));
  assert_true(expr_is_zero(comp(un(EXPR_CURL, grad2), 0, 2)));
  assert_true(expr_same(comp(un(EXPR_DIVERGENCE, un(EXPR_CURL, v)), 0, 3), zero()));
  assert_true(expr_is_zero(comp(un(EXPR_DIVERGENCE, un(EXPR_CURL, u)), 0, 2)) || expr_same(comp(un(EXPR_DIVERGENCE, un(EXPR_CURL, u)), 0, 2), zero()));
  /* curl curl = grad div - lap, in space and in the plane */
  same_components(un(EXPR_CURL, un(EXPR_CURL, v)), sub(un(EXPR_GRAD, un(EXPR_DIVERGENCE, v)), un(EXPR_LAP, v)), 3);
  same_components(un(EXPR_CURL, un(EXPR_CURL, p)), sub(un(EXPR_GRAD, un(EXPR_DIVERGENCE, p)), un(EXPR_LAP, p)), 2);
  assert_ptr_equal(comp(un(EXPR_CURL, u), 0, 2), comp(expr_dx(lab, u, 1, UNIT_NONE), 0, 2));
}

static void convection(void **state) {
  (void)state;
  Expr *v = unknown("v", 1, shape_vector(2)), *w = unknown("w", 2, shape_vector(2)), *k = param("k");
  Expr *along = bi(EXPR_DOT, v, un(EXPR_GRAD, w));
  for (int i = 0; i < 2; i++) {
    Expr *wi = expr_component(lab, w, &i, 1);
    Expr *wanted = add(mul(expr_component(lab, v, (int[]){0}, 1), expr_dx(lab, wi, 0, UNIT_NONE)), mul(expr_component(lab, v, (int[]){1}, 1), expr_dx(lab, wi, 1, UNIT_NONE)));
    assert_true(expr_same(comp(along, i, 2), comp(wanted, 0, 2)));
  }
  same_components(along, bi(EXPR_DOT, un(EXPR_GRAD, w), v), 2);
  same_values(bi(EXPR_DOT, v, neg(mul(k, un(EXPR_GRAD, w)))), neg(mul(k, along)), 2, 1e-14);
  same_values(bi(EXPR_DOT, v, add(un(EXPR_GRAD, w), un(EXPR_GRAD, v))), add(along, bi(EXPR_DOT, v, un(EXPR_GRAD, v))), 2, 1e-14);
  /* any other tensor: the first index */
  same_components(bi(EXPR_DOT, v, un(EXPR_TRANSPOSE, un(EXPR_GRAD, w))), bi(EXPR_DOT, un(EXPR_GRAD, w), v), 2);
  Expr *A = unknown("A", 4, shape_tensor(2, 3)), *q = unknown("q", 5, shape_vector(3));
  same_values(bi(EXPR_DOT, v, bi(EXPR_DOT, A, q)), bi(EXPR_DOT, bi(EXPR_DOT, v, A), q), 2, 1e-13);
  same_components(bi(EXPR_DOT, v, A), bi(EXPR_DOT, un(EXPR_TRANSPOSE, A), v), 2);
  same_values(un(EXPR_DIVERGENCE, bi(EXPR_OUTER, w, v)), add(mul(un(EXPR_DIVERGENCE, v), w), along), 2, 1e-14);
}

static void algebra(void **state) {
  (void)state;
  for (int d = 1; d <= 3; d++) {
    Expr *A = unknown("A", 4, shape_tensor(d, d)), *B = unknown("B", 5, shape_tensor(d, d)), *I = expr_identity(lab, d), *v = unknown("v", 1, shape_vector(d));
    same_values(bi(EXPR_DOT, A, un(EXPR_INV, A)), I, d, 1e-9);
    same_values(un(EXPR_DET, bi(EXPR_DOT, A, B)), mul(un(EXPR_DET, A), un(EXPR_DET, B)), d, 1e-12);
    same_values(un(EXPR_DET, un(EXPR_TRANSPOSE, A)), un(EXPR_DET, A), d, 1e-13);
    same_values(un(EXPR_TRANSPOSE, bi(EXPR_DOT, A, B)), bi(EXPR_DOT, un(EXPR_TRANSPOSE, B), un(EXPR_TRANSPOSE, A)), d, 1e-13);
    same_values(un(EXPR_TRACE, bi(EXPR_DOT, A, B)), bi(EXPR_INNER, un(EXPR_TRANSPOSE, A), B), d, 1e-13);
    same_values(un(EXPR_TRACE, un(EXPR_DEV, A)), zero(), d, 1e-14);
    same_values(add(un(EXPR_DEV, A), mul(quo(un(EXPR_TRACE, A), C(d)), I)), A, d, 1e-14);
    same_values(un(EXPR_SYM, A), mul(C(0.5), add(A, un(EXPR_TRANSPOSE, A))), d, 1e-14);
    same_values(powc(un(EXPR_ABS, A), 2), bi(EXPR_INNER, A, A), d, 1e-13);
    same_values(un(EXPR_TRACE, bi(EXPR_OUTER, v, v)), bi(EXPR_DOT, v, v), d, 1e-14);
    same_components(un(EXPR_TRACE, I), C(d), d);
    same_components(bi(EXPR_INNER, I, A), un(EXPR_TRACE, A), d);
  }
  Expr *a = unknown("a", 1, shape_vector(3)), *b = unknown("b", 2, shape_vector(3)), *c = unknown("c", 3, shape_vector(3));
  same_values(bi(EXPR_DOT, a, bi(EXPR_CROSS, a, b)), zero(), 3, 1e-13);
  same_values(bi(EXPR_DOT, a, bi(EXPR_CROSS, b, c)), bi(EXPR_DOT, b, bi(EXPR_CROSS, c, a)), 3, 1e-13);
  same_values(bi(EXPR_CROSS, a, bi(EXPR_CROSS, b, c)), sub(mul(b, bi(EXPR_DOT, a, c)), mul(c, bi(EXPR_DOT, a, b))), 3, 1e-13);
  Expr *rows[] = {a, b, c};
  same_values(un(EXPR_DET, expr_make(lab, EXPR_TENSOR, rows, 3)), bi(EXPR_DOT, a, bi(EXPR_CROSS, b, c)), 3, 1e-12);
  Expr *p = vec2(X(0), X(1)), *q = vec2(C(2), C(3));
  assert_true(expr_same(comp(bi(EXPR_CROSS, p, q), 0, 2), sub(mul(C(3), X(0)), mul(C(2), X(1)))));
  int ij[] = {1, 2};
  assert_ptr_equal(comp(expr_component(lab, expr_make(lab, EXPR_TENSOR, rows, 3), ij, 2), 0, 3), comp(b, 2, 3));
  Expr *row = expr_component(lab, unknown("A", 4, shape_tensor(3, 3)), ij, 1);
  assert_int_equal(row->shape.rank, 1);
  assert_int_equal(comp(row, 2, 3)->symbol.component, 5);
}

static void facets(void **state) {
  (void)state;
  Expr *u = unknown("u", 0, SHAPE_SCALAR), *v = unknown("v", 1, shape_vector(2)), *n = expr_normal(lab, 2), *h = expr_size(lab, UNIT_NONE);
  Expr *u1 = comp(un(EXPR_JUMP, u), 0, 2)->arg[0], *u2 = comp(un(EXPR_JUMP, u), 0, 2)->arg[1];
  assert_int_equal(u1->symbol.side, 1);
  assert_int_equal(u2->symbol.side, 2);
  assert_ptr_equal(comp(un(EXPR_JUMP, u), 0, 2), sub(u1, u2));
  assert_ptr_equal(comp(un(EXPR_AVG, u), 0, 2), mul(C(0.5), add(u1, u2)));
  Expr *nx = comp(n, 0, 2);
  same_values(comp(bi(EXPR_JUMP, u, n), 0, 2), mul(sub(u1, u2), nx), 2, 1e-15);
  Expr *jump_v = comp(bi(EXPR_JUMP, v, n), 0, 2);
  same_values(jump_v, comp(bi(EXPR_DOT, un(EXPR_JUMP, v), n), 0, 2), 2, 1e-15);
  /* the normal inside is that of the side's own cell */
  same_values(comp(un(EXPR_AVG, bi(EXPR_DOT, v, n)), 0, 2), mul(C(0.5), jump_v), 2, 1e-15);
  assert_true(expr_is_zero(comp(un(EXPR_AVG, n), 0, 2)));
  assert_true(expr_same(comp(un(EXPR_JUMP, un(EXPR_GRAD, u)), 1, 2), sub(expr_diff_space(lab, u1, 1), expr_diff_space(lab, u2, 1))));
  Point p = point_of(1);
  assert_close(component_at(un(EXPR_AVG, h), 0, 2, p), 0.25, 1e-15);   /* sides 1 and 2 of leaf_value: 0.2 and 0.3 */
}

static void leaves_of_several_components(void **state) {
  (void)state;
  Expr *b = expr_param(lab, nm("b"), shape_vector(2), UNIT_NONE, true);
  assert_int_equal(comp(b, 1, 2)->index[1], 1);
  assert_int_equal(comp(b, 1, 2)->index[2], 2);
  assert_ptr_equal(comp(param("k"), 0, 2), param("k"));
  Expr *call = expr_host_call(lab, nm("wind"), (Expr *[]){X(0)}, 1, shape_vector(2), UNIT_NONE);
  assert_int_equal(comp(call, 1, 2)->index[0], 1);
  assert_prints(comp(b, 1, 2), EXPR_TEXT, "b.y");
  assert_prints(comp(un(EXPR_GRAD, unknown("v", 1, shape_vector(2))), 3, 2), EXPR_TEXT, "dy(v.y)");
  assert_prints(comp(unknown("s", 1, shape_tensor(2, 2)), 2, 2), EXPR_TEXT, "s[1, 0]");
  /* a literal 0 keeps IEEE's 0*inf, a zero component does not */
  Expr *k = un(EXPR_EXP, unknown("u", 0, SHAPE_SCALAR));
  assert_true(expr_is_zero(comp(mul(k, expr_identity(lab, 2)), 1, 2)));
  assert_int_equal(comp(mul(zero(), k), 0, 2)->op, EXPR_MUL);
}

static void units_are_kept(void **state) {
  (void)state;
  Unit m = unit_of("m"), s = unit_of("s"), K = unit_of("K");
  expr_set_base_units(lab, m, s);
  Expr *u = expr_symbol(lab, (Symbol){.kind = SYMBOL_UNKNOWN, .which = 9}, nm("u"), SHAPE_SCALAR, K);
  assert_true(unit_equal(un(EXPR_GRAD, u)->unit, unit_div(K, m)));
  assert_true(unit_equal(comp(un(EXPR_GRAD, u), 0, 2)->unit, unit_div(K, m)));
  assert_true(unit_equal(comp(un(EXPR_LAP, u), 0, 2)->unit, unit_div(unit_div(K, m), m)));
  assert_true(unit_equal(comp(un(EXPR_DT, mul(u, u)), 0, 2)->unit, unit_div(unit_mul(K, K), s)));
  assert_true(unit_is_none(comp(expr_dx(lab, expr_coord(lab, 0, m), 0, m), 0, 2)->unit));
  expr_set_base_units(lab, UNIT_NONE, UNIT_NONE);
}

static void linear_work(void **state) {
  (void)state;
  Expr *v = unknown("v", 1, shape_vector(2)), *e = v;
  for (int i = 0; i < 40; i++) e = add(mul(bi(EXPR_DOT, e, e), e), e);   /* a tree of 4^40 */
  uint32_t before = C(4711)->id;
  comp(un(EXPR_GRAD, e), 3, 2);
  assert_true(C(1147)->id - before < 40 * 60);
  Expr *sums = un(EXPR_GRAD, v);
  for (int i = 0; i < 100; i++) sums = add(sums, mul(param("k"), sums));
  comp(bi(EXPR_DOT, v, sums), 1, 2);
  e = v;
  for (int i = 0; i < 50000; i++) e = add(mul(C(i), v), e);
  comp(e, 1, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(calculus), cmocka_unit_test(convection), cmocka_unit_test(algebra), cmocka_unit_test(facets), cmocka_unit_test(leaves_of_several_components),
    cmocka_unit_test(units_are_kept), cmocka_unit_test(linear_work),
  };
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
