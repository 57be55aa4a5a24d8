/* The IR: builder, verifier, listing, and the interpreter against rows computed in place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "numerics/kir.h"

static double *lanes(size_t n) {
  void *p = NULL;
  assert_int_equal(posix_memalign(&p, 64, sizeof(double) * (n + 8)), 0);
  return memset(p, 0, sizeof(double) * (n + 8));
}

static KirIndex at(int base) { return (KirIndex){.base = base}; }

/* Special values among the ordinary ones. */
static const double probes[] = {.5, -1.25, 2, 0, -0., 1, -1, 3.75, -2.5, 1e-300, -1e300, INFINITY, -INFINITY, NAN, .1, 7};
enum { PROBES = sizeof probes / sizeof *probes };

static double row(int op, double a, double b, double c) {
  (void)b, (void)c;
  switch (op) {
#define KIR_CONTROL(op, arity, text)
#define KIR(op, arity, text, lane, function) case KIR_##op: return lane;
#include "numerics/kir.def"
#undef KIR
    default: return 0;
  }
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void test_rows(void **state) {
  for (int width = 8; width <= 64; width *= 2)
    for (int op = KIR_ADD; op < KIR_OPS; op++) {
      KirBuilder *b = kir_builder();
      KirValue w[3] = {kir_load(b, KIR_W, at(0)), kir_load(b, KIR_W, at(1)), kir_load(b, KIR_W, at(2))};
      kir_enter(b, KIR_TAIL);
      kir_store(b, KIR_STORE, KIR_OUT, at(0), kir_op(b, (KirOp)op, w[0], w[1], w[2]));
      double *tables, *in = lanes(3 * (size_t)width), *out = lanes((size_t)width);
      Kir *kir = kir_finish(b, 1, (int[]){0, 3, 0, 0, 0, 1}, 0, &tables);
      assert_null(kir_verify(kir));
      Interp *interp = interp_new(kir, width);
      double *scratch = lanes(interp_scratch(interp) / sizeof(double));
      for (int shift = 0; shift < PROBES; shift++) {
        for (int l = 0; l < width; l++) in[l] = probes[l % PROBES], in[width + l] = probes[(l + shift) % PROBES], in[2 * width + l] = probes[(l + 3) % PROBES];
        interp_run(interp, NULL, in, NULL, NULL, tables, 0, out, scratch);
        for (int l = 0; l < width; l++)
          if (!same(out[l], row(op, in[l], in[width + l], in[2 * width + l])))
            fail_msg("%s(%g, %g, %g) = %g", kir_rows[op].text, in[l], in[width + l], in[2 * width + l], out[l]);
      }
      free(in), free(out), free(scratch), free(tables);
      interp_free(interp);
      kir_free(kir);
      kir_builder_free(b);
    }
}

/* out[a][b] = sum over q of t[q] x[a] x[b], upper half, with a facet table: loops, strides, locals. */
static Kir *loops(double **tables) {
  KirBuilder *b = kir_builder();
  int table = kir_table(b, (double[]){1, 2, 4, 10, 20, 40}, 6), sum = kir_local(b, 1);
  kir_enter(b, KIR_INIT);
  kir_store(b, KIR_STORE, sum, at(0), kir_const(b, 0));
  kir_enter(b, KIR_POINT);
  kir_store(b, KIR_ACCUM, sum, at(0), kir_load(b, KIR_TAB, (KirIndex){.base = table, .facet = 3, .stride = {1}}));
  kir_enter(b, KIR_TAIL);
  KirValue s = kir_load(b, sum, at(0));
  kir_loop(b, 1, -1, 3);
  KirValue row = kir_mul(b, s, kir_load(b, KIR_X, (KirIndex){.stride = {0, 1}}));
  kir_loop(b, 2, 1, 3);
  kir_store(b, KIR_STORE, KIR_OUT, (KirIndex){.stride = {0, 3, 1}}, kir_mul(b, row, kir_load(b, KIR_X, (KirIndex){.stride = {0, 0, 1}})));
  kir_end(b);
  kir_end(b);
  Kir *kir = kir_finish(b, 3, (int[]){3, 0, 0, 0, 0, 9}, 2, tables);
  kir_builder_free(b);
  return kir;
}

static void test_loops(void **state) {
  double *tables;
  Kir *kir = loops(&tables);
  assert_null(kir_verify(kir));
  Interp *interp = interp_new(kir, 8);
  double *x = lanes(24), *out = lanes(72), *scratch = lanes(interp_scratch(interp) / sizeof(double));
  for (int i = 0; i < 24; i++) x[i] = i + 1;
  for (int facet = 0; facet < 2; facet++) {
    for (int i = 0; i < 72; i++) out[i] = -1;
    interp_run(interp, x, NULL, NULL, NULL, tables, facet, out, scratch);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        for (int l = 0; l < 8; l++) assert_true(out[(3 * a + b) * 8 + l] == (b < a ? -1 : (facet ? 70 : 7) * x[a * 8 + l] * x[b * 8 + l]));
  }
  free(x), free(out), free(scratch), free(tables);
  interp_free(interp);
  kir_free(kir);
}

/* Each kind of damage is found. */
static void test_verify(void **state) {
  double *tables;
  for (int damage = 0; damage < 11; damage++) {
    Kir *kir = loops(&tables);
    int done = 0;
    for (int i = 0; i < kir->n && !done; i++) {
      KirInst *in = &kir->inst[i];
      done = 1;
      if (damage == 0 && in->op == KIR_MUL) in->a = i;
      else if (damage == 1 && in->op == KIR_MUL) in->b = -1;
      else if (damage == 2 && in->op == KIR_LOAD && in->array == KIR_X) in->index.base = 1;
      else if (damage == 3 && in->op == KIR_LOAD && in->array == KIR_TAB) in->index.facet = 4;
      else if (damage == 4 && in->op == KIR_LOOP) in->count = 0;
      else if (damage == 5 && in->op == KIR_END) in->op = KIR_CONST;
      else if (damage == 6 && in->op == KIR_STORE) in->array = KIR_X;
      else if (damage == 7 && in->op == KIR_LOOP && in->depth == 2) in->depth = 1;
      else if (damage == 8 && in->op == KIR_LOAD && in->array == KIR_X) in->index.stride[3] = 1;
      else if (damage == 9 && in->op == KIR_MUL) in->op = KIR_OPS;
      else if (damage == 10 && in->op == KIR_STORE) in->array = KIR_LOCAL + 1;
      else done = 0;
    }
    assert_true(done);
    if (!kir_verify(kir)) fail_msg("damage %d was not found", damage);
    kir_free(kir);
    free(tables);
  }
}

static void test_builder(void **state) {
  KirBuilder *b = kir_builder();
  KirValue x = kir_load(b, KIR_X, at(0)), y = kir_load(b, KIR_X, at(1)), q = kir_load(b, KIR_TAB, (KirIndex){.stride = {1}});
  double v;
  assert_int_equal(x, kir_load(b, KIR_X, at(0)));
  assert_int_equal(kir_mul(b, x, y), kir_mul(b, y, x));
  assert_int_equal(kir_add(b, x, KIR_NONE), x);
  assert_int_equal(kir_mul(b, x, KIR_NONE), KIR_NONE);
  assert_int_equal(kir_mul(b, x, kir_const(b, 1)), x);
  assert_int_equal(kir_mul_add(b, kir_const(b, 1), x, y), kir_add(b, x, y));
  assert_int_equal(kir_sub(b, x, kir_sub(b, KIR_NONE, y)), kir_sub(b, x, kir_sub(b, KIR_NONE, y)));
  assert_true(kir_is_const(b, kir_add(b, kir_const(b, 2), kir_const(b, 3)), &v) && v == 5);
  assert_int_equal(kir_section_of(b, kir_mul(b, x, y)), KIR_CELL);
  assert_int_equal(kir_section_of(b, kir_mul(b, x, q)), KIR_POINT);
  assert_int_equal(kir_table(b, (double[]){1, 2, 3}, 3), 0);
  assert_int_equal(kir_table(b, (double[]){2, 3}, 2), 1);
  kir_builder_free(b);
}

/* The listing tells programs apart: it is what the cache key is made of. */
static void test_listing(void **state) {
  double *tables;
  Kir *kir = loops(&tables);
  Buf one = {0}, two = {0};
  kir_print(&one, kir);
  assert_non_null(strstr(one.text, "loop i2 = i1 .. 2"));
  for (int i = 0; i < kir->n; i++)
    if (kir->inst[i].op == KIR_CONST) kir->inst[i].value = 1e-17;
  kir_print(&two, kir);
  assert_string_not_equal(one.text, two.text);
  buf_free(&one), buf_free(&two);
  kir_free(kir);
  free(tables);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_loops), cmocka_unit_test(test_verify), cmocka_unit_test(test_builder),
                                     cmocka_unit_test(test_listing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
