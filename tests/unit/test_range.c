/* Certified ranges: no value outside of them on thousands of random expressions and boxes; near to the true range where that is known. */
#include "expr_lab.h"

#include <time.h>

#include "../../lang/expr_range.h"

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- random expressions --- */

enum { LEAVES = 6 };

typedef struct Place { Expr *leaf[LEAVES]; double at[LEAVES]; } Place;

static double at_place(Expr *leaf, void *user) {
  const Place *p = user;
  for (int i = 0; i < LEAVES; i++) if (p->leaf[i] == leaf) return p->at[i];
  return NAN;
}

static void random_leaves(Expr **leaf) {
  leaf[0] = X(0), leaf[1] = X(1), leaf[2] = T(), leaf[3] = param("a");
  for (int i = 0; i < 2; i++) leaf[4 + i] = expr_term(lab, (Symbol){.kind = SYMBOL_UNKNOWN, .which = (uint16_t)i}, nm("u"), UNIT_NONE);
}

/* Boxes of all sizes: points, hairs, wide ones, ones that touch zero. */
static void random_box(Random *r, Expr *const *leaf, RangeLeaf *box) {
  static const double widths[] = {0, 1e-12, 1e-6, 0.01, 0.3, 1, 4, 30, 1e4};
  for (int i = 0; i < LEAVES; i++) {
    double width = widths[draw(r, 9)], middle = (uniform(r->state++) - 0.5) * (draw(r, 3) ? 4 : 200);
    box[i] = (RangeLeaf){leaf[i], middle - width / 2, middle + width / 2};
    if (draw(r, 6) == 0) box[i].hi += -box[i].lo, box[i].lo = 0;
    if (box[i].lo > box[i].hi) box[i].lo = box[i].hi;
  }
}

static double random_within(Random *r, const RangeLeaf *box) {
  unsigned pick = draw(r, 8);
  if (pick == 0) return box->lo;
  if (pick == 1) return box->hi;
  return fmin(fmax(box->lo + uniform(r->state++) * (box->hi - box->lo), box->lo), box->hi);
}

static void complain(Expr *e, const RangeLeaf *box, const Place *p, double value, CertifiedRange range) {
  Buf text = {0};
  expr_print(&text, e, EXPR_TEXT);
  print_error("%s\n", buf_str(&text));
  for (int i = 0; i < LEAVES; i++) print_error("  leaf %d in %.17g .. %.17g at %.17g\n", i, box[i].lo, box[i].hi, p->at[i]);
  buf_free(&text);
  fail_msg("%.17g is outside of %.17g .. %.17g (may be undefined: %d)", value, range.lo, range.hi, range.may_be_undefined);
}

/* At a point: has the expression a value there, as far as one evaluation tells? */
static bool has_value(Expr *e, const Place *p) {
  RangeLeaf at[LEAVES];
  for (int i = 0; i < LEAVES; i++) at[i] = (RangeLeaf){p->leaf[i], p->at[i], p->at[i]};
  Interval z = expr_range_once(e, at, LEAVES);
  return !z.undefined && !z.infinite && !interval_is_empty(z);
}

static long sampled, bounded;

static void test_model(uint64_t seed, int depth, long work) {
  Random r = {.state = seed * 100003, .at = point_of(seed)};
  Place p;
  RangeLeaf box[LEAVES];
  random_leaves(p.leaf);
  Expr *e = random_expr(&r, depth).e;
  random_box(&r, p.leaf, box);
  double at_lo[LEAVES], at_hi[LEAVES];
  CertifiedRange range = expr_range(e, box, LEAVES, &(RangeOptions){.work = work}, at_lo, at_hi);
  assert_false(isnan(range.lo) || isnan(range.hi));
  if (range.undefined_seen) assert_true(range.may_be_undefined);
  if (!isnan(range.seen_hi)) {
    assert_true(range.seen_hi <= range.hi);
    memcpy(p.at, at_hi, sizeof at_hi);
    double value = expr_value(e, at_place, &p);
    if (value != range.seen_hi) complain(e, box, &p, value, range);
  }
  if (!isnan(range.seen_lo)) assert_true(range.seen_lo >= range.lo);
  if (range.lo <= range.hi && isfinite(range.lo) && isfinite(range.hi)) bounded++;
  for (int k = 0; k < 24; k++) {
    for (int i = 0; i < LEAVES; i++) p.at[i] = random_within(&r, &box[i]);
    double value = expr_value(e, at_place, &p);
    if (range.may_be_undefined && !has_value(e, &p)) continue;
    sampled++;
    if (!(value >= range.lo && value <= range.hi)) complain(e, box, &p, value, range);
  }
}

static void never_inside_a_sampled_value(void **state) {
  (void)state;
  sampled = bounded = 0;
  for (uint64_t seed = 0; seed < 10000; seed++) test_model(seed, 2 + (int)(seed % 5), seed % 10 ? 3000 : 40000);
  print_message("10000 models: %ld sampled values inside, %ld ranges finite\n", sampled, bounded);
  assert_true(sampled > 150000);
  assert_true(bounded > 6000);
}

/* --- each operation alone, on small and large intervals, against dense samples of it --- */

static void each_operation(void **state) {
  (void)state;
  static const ExprOp ops[] = {EXPR_ADD, EXPR_SUB, EXPR_NEG, EXPR_MUL, EXPR_DIV, EXPR_POW, EXPR_SQRT, EXPR_CBRT, EXPR_EXP, EXPR_LOG, EXPR_LOG10, EXPR_SIN, EXPR_COS,
                               EXPR_TAN, EXPR_ASIN, EXPR_ACOS, EXPR_ATAN, EXPR_ATAN2, EXPR_SINH, EXPR_COSH, EXPR_TANH, EXPR_ERF, EXPR_ABS, EXPR_SIGN, EXPR_FLOOR,
                               EXPR_CEIL, EXPR_MOD, EXPR_MIN, EXPR_MAX, EXPR_HYPOT, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE, EXPR_EQ, EXPR_NE, EXPR_AND, EXPR_OR, EXPR_NOT, EXPR_IF};
  Random r = {.state = 5};
  static const double widths[] = {0, 1e-15, 1e-9, 1e-3, 0.5, 2, 7, 50};
  for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
    for (int trial = 0; trial < 400; trial++) {
      Interval a[3], z, d[3];
      double at[3], value, rounding;
      int n = expr_op_arity(ops[k]);
      for (int i = 0; i < n; i++) {
        double middle = trial % 7 == 0 ? (double)((int)draw(&r, 7) - 3) : (uniform(r.state++) - 0.5) * (trial % 3 ? 4 : 40), width = widths[draw(&r, 8)];
        a[i] = interval(middle - (trial % 5 ? width / 2 : 0), middle + width / 2);
      }
      assert_true(interval_compute(ops[k], a, 1, &z));
      bool slopes = !z.undefined && interval_slopes(ops[k], a, z, d, &rounding);
      double least = INFINITY, most = -INFINITY, from[3] = {0}, before = NAN;
      for (int s = 0; s < 40; s++) {
        for (int i = 0; i < n; i++) {
          double share = s < 8 ? (double)(s >> i & 1) : uniform(r.state++);
          at[i] = fmin(fmax(a[i].lo + share * (a[i].hi - a[i].lo), a[i].lo), a[i].hi);
        }
        expr_compute(ops[k], at, &value);
        Interval here, point[3];
        for (int i = 0; i < n; i++) point[i] = interval_point(at[i]);
        interval_compute(ops[k], point, 1, &here);
        if (here.undefined) {
          assert_true(z.undefined);
          continue;
        }
        if (!(value >= z.lo && value <= z.hi)) fail_msg("%s: %.17g is outside of %.17g .. %.17g", expr_op_text(ops[k]), value, z.lo, z.hi);
        least = fmin(least, value), most = fmax(most, value);
        /* the mean value theorem holds with the slopes */
        if (slopes && !isnan(before)) {
          Interval rise = interval_point(0);
          for (int i = 0; i < n; i++) rise = interval_add(rise, interval_mul(d[i], interval_sub(point[i], interval_point(from[i]))));
          double slack = 4 * rounding * interval_magnitude(z) + 1e-300;
          if (!(value - before >= rise.lo - slack && value - before <= rise.hi + slack)) fail_msg("%s: a rise of %.17g, slopes allow %.17g .. %.17g", expr_op_text(ops[k]), value - before, rise.lo, rise.hi);
        }
        before = value;
        memcpy(from, at, sizeof from);
      }
    }
}

/* --- known answers --- */

static RangeLeaf over(const char *name, double lo, double hi) { return (RangeLeaf){param(name), lo, hi}; }

static void near_to_the_truth(void **state) {
  (void)state;
  Expr *a = param("a"), *b = param("b"), *c = param("c"), *d = param("d"), *two_pi = C(2 * M_PI);
  RangeLeaf unit[] = {over("a", 0, 1), over("b", 0, 1), over("c", 0, 1), over("d", 0, 1)}, wide[] = {over("a", -1, 2), over("b", -3, 1), over("c", 0, 5), over("d", 5, 20)};
  Expr *peaks = mul(mul(un(EXPR_SIN, mul(two_pi, a)), un(EXPR_COS, mul(two_pi, b))), un(EXPR_EXP, neg(mul(c, d))));
  Expr *rosenbrock = add(mul(C(100), powc(sub(b, powc(a, 2)), 2)), powc(sub(C(1), a), 2));
  Expr *camel = add(add(mul(sub(sub(C(4), mul(C(2.1), powc(a, 2))), quo(neg(powc(a, 4)), C(3))), powc(a, 2)), mul(a, b)), mul(sub(mul(C(4), powc(b, 2)), C(4)), powc(b, 2)));
  struct { const char *what; Expr *e; RangeLeaf *box; int n; double lo, hi; } rows[] = {
      {"affine", sub(add(mul(C(2), a), b), mul(C(3), c)), wide, 3, -20, 5},
      {"affine by cancellation", sub(mul(C(5), sub(a, b)), sub(mul(C(4), a), mul(C(7), b))), wide, 2, -7, 4},
      {"x(1 - x)", mul(a, sub(C(1), a)), unit, 1, 0, 0.25},
      {"x - x^2 of two", sub(sub(add(a, b), powc(a, 2)), powc(b, 2)), unit, 2, 0, 0.5},
      {"beam", quo(mul(a, mul(b, sub(C(1), b))), d), (RangeLeaf[]){over("a", -0.3, 0.3), over("b", 0, 1), over("d", 5, 20)}, 3, -0.015, 0.015},
      {"peaks", peaks, unit, 4, -1, 1},
      {"rosenbrock", rosenbrock, (RangeLeaf[]){over("a", -2, 2), over("b", -2, 2)}, 2, 0, 3609},
      {"poisson ratio", quo(C(1), mul(add(C(1), a), sub(C(1), mul(C(2), a)))), (RangeLeaf[]){over("a", 0.15, 0.35)}, 1, 1 / (1.15 * 0.7), 1 / (1.35 * 0.3)},
      {"tanh", un(EXPR_TANH, sub(mul(C(3), a), mul(C(2), b))), wide, 2, tanh(-5), tanh(12)},
      {"kinks", un(EXPR_ABS, sub(un(EXPR_ABS, a), bi(EXPR_MAX, b, c))), wide, 3, 0, 5},
      {"quotient", quo(sub(a, b), add(add(a, b), C(1))), unit, 2, -0.5, 0.5},
      {"hypot", un(EXPR_SQRT, add(powc(a, 2), powc(b, 2))), wide, 2, 0, sqrt(13)},
      {"of 4", sub(add(mul(a, b), mul(c, d)), mul(mul(a, c), b)), unit, 4, 0, 1},
      {"branches", expr_make(lab, EXPR_IF, (Expr *[]){bi(EXPR_LT, a, C(0.5)), mul(a, C(2)), sub(C(2), a)}, 3), unit, 1, 0, 1.5},
      {"camel", camel, (RangeLeaf[]){over("a", -1, 1), over("b", -1, 1)}, 2, -1.0316284534898774, NAN},
  };
  double slowest = 0, worst = 0;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    double start = seconds();
    CertifiedRange r = expr_range(rows[k].e, rows[k].box, rows[k].n, NULL, NULL, NULL);
    double took = seconds() - start;
    slowest = fmax(slowest, took);
    double truth = isnan(rows[k].hi) ? r.seen_hi - rows[k].lo : rows[k].hi - rows[k].lo, ratio = (r.hi - r.lo) / truth;
    worst = fmax(worst, ratio);
    print_message("%-24s %10.6g .. %-10.6g seen %10.6g .. %-10.6g width %.4f of the true one, %ld pieces, %.1f ms\n", rows[k].what, r.lo, r.hi, r.seen_lo, r.seen_hi, ratio, r.pieces, 1e3 * took);
    assert_false(r.may_be_undefined);
    assert_true(r.lo <= rows[k].lo && !(r.hi < rows[k].hi));
    assert_true(ratio < 1.1);
  }
  print_message("widest %.4f, slowest %.1f ms\n", worst, 1e3 * slowest);
}

/* Smooth random functions of 1 to 4 variables: sums of waves, products and quotients, whose true width is between that of the values seen and that of the
 * bounds. */
static Expr *smooth_model(Random *r, int n) {
  Expr *leaf[] = {param("a"), param("b"), param("c"), param("d")}, *sum = C(0.1);
  for (int term = 0; term < 4; term++) {
    Expr *product = C(uniform(r->state++) * 4 - 2), *inner = C(uniform(r->state++) * 6);
    for (int i = 0; i < n; i++) inner = add(inner, mul(C(uniform(r->state++) * 3 - 1.5), leaf[i]));
    static const ExprOp functions[] = {EXPR_SIN, EXPR_COS, EXPR_TANH, EXPR_ATAN, EXPR_EXP};
    product = mul(product, un(functions[draw(r, 5)], inner));
    Expr *other = leaf[draw(r, (unsigned)n)];
    switch (draw(r, 4)) {
      case 0: product = mul(product, sub(C(1), other)); break;
      case 1: product = quo(product, add(C(2), powc(other, 2))); break;
      case 2: product = mul(product, add(C(1), powc(other, 3))); break;
      default: break;
    }
    sum = add(sum, product);
  }
  return sum;
}

static void factor_of_two(void **state) {
  (void)state;
  Random r = {.state = 77};
  double slowest = 0, worst = 0, total = 0;
  int models = 0;
  for (int n = 1; n <= 4; n++)
    for (int k = 0; k < 50; k++, models++) {
      RangeLeaf box[] = {over("a", -1, 1), over("b", 0, 1), over("c", -0.3, 0.3), over("d", 0.5, 2)};
      Expr *e = smooth_model(&r, n);
      double start = seconds();
      CertifiedRange range = expr_range(e, box, n, NULL, NULL, NULL);
      double took = seconds() - start, ratio = (range.hi - range.lo) / (range.seen_hi - range.seen_lo);
      slowest = fmax(slowest, took), worst = fmax(worst, ratio), total += took;
      assert_true(ratio < 2);
    }
  print_message("%d smooth models: at most %.3f of the true width; %.1f ms in the mean, %.1f at most\n", models, worst, 1e3 * total / models, 1e3 * slowest);
}

static void undefined_places(void **state) {
  (void)state;
  Expr *a = param("a"), *b = param("b");
  RangeLeaf box[] = {over("a", -1, 2), over("b", 0.5, 1)};
  CertifiedRange r = expr_range(un(EXPR_SQRT, a), box, 2, NULL, NULL, NULL);
  assert_true(r.may_be_undefined && r.undefined_seen && r.lo <= 0 && r.hi >= sqrt(2) && r.hi < 1.5);
  r = expr_range(quo(C(1), a), box, 2, NULL, NULL, NULL);
  assert_true(r.may_be_undefined && r.hi == INFINITY && r.lo == -INFINITY);
  r = expr_range(un(EXPR_LOG, sub(C(-2), powc(a, 2))), box, 2, NULL, NULL, NULL);
  assert_true(r.undefined_seen && r.lo > r.hi);
  /* one evaluation is not sure, the cuts are */
  r = expr_range(quo(C(1), add(sub(powc(a, 2), a), C(1))), box, 2, NULL, NULL, NULL);
  assert_false(r.may_be_undefined);
  assert_true(r.hi >= 4.0 / 3 && r.hi < 1.34 && r.lo <= 1.0 / 3 && r.lo > 0.33);
  r = expr_range(un(EXPR_SQRT, sub(add(powc(a, 2), b), mul(a, b))), box, 2, NULL, NULL, NULL);
  assert_false(r.may_be_undefined);
  r = expr_range(quo(b, param("other")), box, 2, NULL, NULL, NULL);   /* a leaf that the box does not say */
  assert_true(r.may_be_undefined);
  r = expr_range(un(EXPR_TANH, param("other")), box, 2, NULL, NULL, NULL);
  assert_true(!r.may_be_undefined && r.lo == -1 && r.hi == 1);
  r = expr_range(add(powc(param("other"), 2), C(2)), NULL, 0, NULL, NULL, NULL);
  assert_true(r.lo == 2 && r.hi == INFINITY && !r.may_be_undefined);
  r = expr_range(C(0.1), NULL, 0, NULL, NULL, NULL);
  assert_true(r.lo == 0.1 && r.hi == 0.1 && r.seen_lo == 0.1 && r.seen_hi == 0.1);
}

static void tables(void **state) {
  (void)state;
  double x[] = {0, 1, 2, 4, 7}, y[] = {3, 1, 1.5, -2, 0}, q[] = {0, 0.5, 3}, grid[15];
  for (int i = 0; i < 15; i++) grid[i] = sin(3.0 * i);
  Random r = {.state = 3};
  for (int kind = 0; kind < 6; kind++) {
    bool plane = kind >= 4;
    ExprTable from = {.name = nm("k"), .n = {5, plane ? 3 : 1, 1}, .dim = plane ? 2 : 1, .knot = {x, plane ? q : NULL}, .value = plane ? grid : y, .hold = kind % 2};
    const ExprTable *table = expr_table_new(lab, &from, kind < 2);
    Expr *leaf[] = {param("a"), param("b")}, *args[] = {leaf[0], add(mul(leaf[1], leaf[1]), C(0.1))};
    Expr *e = expr_table(lab, table, args, from.dim);
    for (int derived = 0; derived < 2; derived++, e = expr_diff(lab, e, leaf[0]))
      for (int trial = 0; trial < 60; trial++) {
        double lo = uniform(r.state++) * 7, hi = fmin(7, lo + uniform(r.state++) * 3), s = uniform(r.state++) * 1.5;
        if (from.hold && trial % 3 == 0) lo -= 2, hi += 2;
        RangeLeaf box[] = {{leaf[0], lo, hi}, {leaf[1], s / 2, s}};
        CertifiedRange range = expr_range(e, box, 2, &(RangeOptions){.work = 20000}, NULL, NULL);
        assert_false(range.may_be_undefined);
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < 300; k++) {
          Place p = {.leaf = {leaf[0], leaf[1]}, .at = {lo + (hi - lo) * uniform(r.state++), s / 2 + s / 2 * uniform(r.state++)}};
          double v = expr_value(e, at_place, &p);
          least = fmin(least, v), most = fmax(most, v);
          if (!(v >= range.lo && v <= range.hi)) fail_msg("table %d, derived %d: %.17g is outside of %.17g .. %.17g", kind, derived, v, range.lo, range.hi);
        }
        if (!derived) assert_true(range.hi - range.lo <= 1.3 * (most - least) + 0.02);
      }
  }
  ExprTable from = {.name = nm("k"), .n = {5, 1, 1}, .dim = 1, .knot = {x}, .value = y};
  Expr *e = expr_table(lab, expr_table_new(lab, &from, true), (Expr *[]){param("a")}, 1);
  CertifiedRange beyond = expr_range(e, (RangeLeaf[]){over("a", 5, 8)}, 1, NULL, NULL, NULL);
  assert_true(beyond.may_be_undefined && beyond.undefined_seen);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(each_operation, lab_open, lab_close), cmocka_unit_test_setup_teardown(undefined_places, lab_open, lab_close),
      cmocka_unit_test_setup_teardown(near_to_the_truth, lab_open, lab_close), cmocka_unit_test_setup_teardown(factor_of_two, lab_open, lab_close),
      cmocka_unit_test_setup_teardown(tables, lab_open, lab_close), cmocka_unit_test_setup_teardown(never_inside_a_sampled_value, lab_open, lab_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
