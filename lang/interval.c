/* Interval arithmetic: rounding, arithmetic, functions. */
#include "interval.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

enum { LIBM_ULPS = 8 };

/* --- outward rounding --- */

static double below(double x) {
  int64_t bits;
  if (x == -INFINITY) return x;
  if (x == 0) return -DBL_TRUE_MIN;
  memcpy(&bits, &x, sizeof bits);
  bits += x > 0 ? -1 : 1;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

static double above(double x) { return -below(-x); }

/* Error of a rounded sum (Knuth's TwoSum), exact for every finite sum. */
static double sum_error(double a, double b, double s) {
  double bb = s - a;
  return (a - (s - bb)) + (b - bb);
}

static double add_below(double a, double b) {
  double s = a + b;
  if (isinf(s)) return s > 0 && !isinf(a) && !isinf(b) ? DBL_MAX : s;
  if (isnan(s)) return -INFINITY;
  return sum_error(a, b, s) < 0 ? below(s) : s;
}

static double add_above(double a, double b) { return -add_below(-a, -b); }

static double mul_below(double a, double b) {
  if (a == 0 || b == 0) return 0;
  double p = a * b;
  if (isinf(p)) return p > 0 && !isinf(a) && !isinf(b) ? DBL_MAX : p;
  if (fabs(p) < 1e-290) return p == 0 && (a > 0) == (b > 0) ? 0 : below(p);   /* the error term may underflow */
  return fma(a, b, -p) < 0 ? below(p) : p;
}

static double mul_above(double a, double b) { return -mul_below(-a, b); }

static double div_below(double a, double b) {
  if (a == 0 || isinf(b)) return 0;
  double q = a / b;
  if (isinf(q)) return q > 0 && !isinf(a) ? DBL_MAX : q;
  if (fabs(q) < 1e-290 || fabs(a) < 1e-290) return q == 0 && (a > 0) == (b > 0) ? 0 : below(q);
  double rest = fma(-q, b, a);
  return (b > 0 ? rest : -rest) < 0 ? below(q) : q;
}

static double div_above(double a, double b) { return -div_below(-a, b); }

static double libm_below(double y) { return y == INFINITY ? DBL_MAX : y - (fabs(y) * (LIBM_ULPS * DBL_EPSILON) + DBL_TRUE_MIN); }
static double libm_above(double y) { return -libm_below(-y); }

Interval interval_decimal(double value) {
  double scaled = value * 1048576;
  bool exact = fabs(value) < 2147483648.0 && scaled == floor(scaled);
  return exact || !isfinite(value) ? interval_point(value) : interval(value - DBL_EPSILON * fabs(value), value + DBL_EPSILON * fabs(value));
}

/* Flags of a result: those of its arguments, and an overflow of bounded ones. */
static Interval flagged(Interval z, Interval a, Interval b) {
  z.undefined |= a.undefined | b.undefined;
  z.infinite |= a.infinite | b.infinite;
  if ((isinf(z.lo) || isinf(z.hi)) && !isinf(a.lo) && !isinf(a.hi) && !isinf(b.lo) && !isinf(b.hi)) z.infinite = true;
  return z;
}

static bool none(Interval a, Interval b) { return interval_is_empty(a) || interval_is_empty(b); }

/* --- arithmetic --- */

Interval interval_neg(Interval a) { return (Interval){-a.hi, -a.lo, a.undefined, a.infinite}; }

Interval interval_add(Interval a, Interval b) {
  if (none(a, b)) return INTERVAL_NONE;
  Interval z = interval(add_below(a.lo, b.lo), add_above(a.hi, b.hi));
  bool opposite = (a.hi == INFINITY && b.lo == -INFINITY) || (a.lo == -INFINITY && b.hi == INFINITY);
  z.undefined = opposite && a.infinite && b.infinite;
  return flagged(z, a, b);
}

Interval interval_sub(Interval a, Interval b) { return interval_add(a, interval_neg(b)); }

Interval interval_mul(Interval a, Interval b) {
  if (none(a, b)) return INTERVAL_NONE;
  Interval z;
  if (a.lo >= 0) z = interval(mul_below(b.lo >= 0 ? a.lo : a.hi, b.lo), mul_above(b.hi >= 0 ? a.hi : a.lo, b.hi));
  else if (a.hi <= 0) z = interval_mul(interval_neg(a), interval_neg(b));
  else if (b.lo >= 0 || b.hi <= 0) z = interval_mul(b, a);
  else z = interval(fmin(mul_below(a.lo, b.hi), mul_below(a.hi, b.lo)), fmax(mul_above(a.lo, b.lo), mul_above(a.hi, b.hi)));
  z.undefined |= (a.infinite && interval_has(b, 0)) || (b.infinite && interval_has(a, 0));
  return flagged(z, a, b);
}

Interval interval_square(Interval a) {
  if (interval_is_empty(a)) return INTERVAL_NONE;
  double least = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, most = interval_magnitude(a);
  return flagged(interval(mul_below(least, least), mul_above(most, most)), a, a);
}

/* Nothing is divided by zero: such points are undefined, and what remains is one-sided if b is. */
Interval interval_div(Interval a, Interval b) {
  if (none(a, b)) return INTERVAL_NONE;
  Interval z;
  if (b.hi < 0) return interval_div(interval_neg(a), interval_neg(b));
  if (b.hi == 0) return b.lo == 0 ? INTERVAL_NONE : interval_div(interval_neg(a), interval_neg(b));
  if (b.lo > 0) z = interval(div_below(a.lo, a.lo >= 0 ? b.hi : b.lo), div_above(a.hi, a.hi >= 0 ? b.lo : b.hi));
  else z = b.lo == 0 ? interval(a.lo >= 0 ? div_below(a.lo, b.hi) : -INFINITY, a.hi <= 0 ? div_above(a.hi, b.hi) : INFINITY) : INTERVAL_ALL;
  z.undefined = interval_has(b, 0) || (a.infinite && b.infinite);
  z.infinite = z.undefined;
  return flagged(z, a, b);
}

Interval interval_hull(Interval a, Interval b) {
  bool undefined = a.undefined || b.undefined, infinite = a.infinite || b.infinite;
  if (interval_is_empty(a)) a.lo = b.lo, a.hi = b.hi;
  else if (!interval_is_empty(b)) a.lo = fmin(a.lo, b.lo), a.hi = fmax(a.hi, b.hi);
  a.undefined = undefined;
  a.infinite = infinite;
  return a;
}

Interval interval_meet(Interval a, Interval b) {
  if (none(a, b)) return INTERVAL_NONE;
  return (Interval){fmax(a.lo, b.lo), fmin(a.hi, b.hi), a.undefined && b.undefined, a.infinite && b.infinite};
}

/* --- functions of one variable --- */

/* Of a rising function; at 0 all of libm's that are used here are exact. */
static Interval rising(Interval a, double (*f)(double), double least, double most) {
  double lo = f(a.lo), hi = f(a.hi);
  if (a.lo != 0) lo = isnan(lo) ? least : fmax(least, libm_below(lo));
  if (a.hi != 0) hi = isnan(hi) ? most : fmin(most, libm_above(hi));
  return flagged(interval(lo, hi), a, a);
}

static Interval restricted(Interval a, double lo, double hi) {   /* to where the function is defined */
  if (a.lo < lo || a.hi > hi) a.undefined = true;
  a.lo = fmax(a.lo, lo);
  a.hi = fmin(a.hi, hi);
  return a;
}

static Interval root(Interval a) {
  a = restricted(a, 0, INFINITY);
  if (interval_is_empty(a)) return INTERVAL_NONE;
  double lo = sqrt(a.lo), hi = sqrt(a.hi);
  if (a.lo != 0 && !isinf(lo) && (a.lo < 1e-290 || fma(-lo, lo, a.lo) != 0)) lo = fmax(0, below(lo));
  if (a.hi != 0 && !isinf(hi) && (a.hi < 1e-290 || fma(-hi, hi, a.hi) != 0)) hi = above(hi);
  return flagged(interval(lo, hi), a, a);
}

static Interval logarithm(Interval a, double (*f)(double)) {
  a = restricted(a, 0, INFINITY);
  if (interval_is_empty(a)) return INTERVAL_NONE;
  Interval z = interval(a.lo == 1 ? 0 : libm_below(f(a.lo)), a.hi == 1 ? 0 : a.hi == INFINITY ? INFINITY : libm_above(f(a.hi)));
  if (a.lo == 0) z.lo = -INFINITY, z.undefined = z.infinite = true;
  if (a.hi == 0) z.hi = -DBL_MAX;
  return flagged(z, a, a);
}

/* Is phase + 2 pi k in the interval, for some integer k? A place too near to decide counts. */
static bool passes(Interval a, double phase) {
  const double turn = 2 * M_PI;
  double first = (a.lo - phase) / turn, last = (a.hi - phase) / turn, slack = 8 * DBL_EPSILON * (1 + fabs(first) + fabs(last));
  return ceil(first - slack) <= floor(last + slack);
}

static Interval wave(Interval a, double (*f)(double), double crest) {
  Interval z = interval(-1, 1);
  z.undefined = a.infinite;
  if (fabs(a.lo) <= 1e8 && fabs(a.hi) <= 1e8 && a.hi - a.lo < 2 * M_PI) {
    double u = f(a.lo), v = f(a.hi);
    if (!passes(a, crest)) z.hi = fmin(1, a.lo == 0 && a.hi == 0 ? u : libm_above(fmax(u, v)));
    if (!passes(a, crest - M_PI)) z.lo = fmax(-1, a.lo == 0 && a.hi == 0 ? u : libm_below(fmin(u, v)));
    if (f == sin && a.lo >= 0 && a.hi <= 3.14) z.lo = fmax(z.lo, 0);
    if (f == sin && a.hi <= 0 && a.lo >= -3.14) z.hi = fmin(z.hi, 0);
  }
  return flagged(z, a, a);
}

static Interval tangent(Interval a) {
  bool pole = !(fabs(a.lo) <= 1e8 && fabs(a.hi) <= 1e8 && a.hi - a.lo < M_PI) || passes(a, M_PI_2) || passes(a, -M_PI_2);
  return pole ? (Interval){-INFINITY, INFINITY, true, true} : rising(a, tan, -INFINITY, INFINITY);
}

static Interval even(Interval a) {   /* |a| */
  double least = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0;
  return (Interval){least, interval_magnitude(a), a.undefined, a.infinite};
}

static Interval function(ExprOp op, Interval a) {
  if (interval_is_empty(a)) return op == EXPR_SIGN ? (Interval){0, 0, true, false} : INTERVAL_NONE;   /* no number has the sign 0 */
  switch (op) {
    case EXPR_SQRT: return root(a);
    case EXPR_CBRT: return rising(a, cbrt, -INFINITY, INFINITY);
    case EXPR_EXP: return rising(a, exp, 0, INFINITY);
    case EXPR_LOG: return logarithm(a, log);
    case EXPR_LOG10: return logarithm(a, log10);
    case EXPR_SIN: return wave(a, sin, M_PI_2);
    case EXPR_COS: return wave(a, cos, 0);
    case EXPR_TAN: return tangent(a);
    case EXPR_ASIN: a = restricted(a, -1, 1); return interval_is_empty(a) ? INTERVAL_NONE : rising(a, asin, -2, 2);
    case EXPR_ACOS: {
      a = restricted(a, -1, 1);
      if (interval_is_empty(a)) return INTERVAL_NONE;
      return flagged(interval(a.hi == 1 ? 0 : fmax(0, libm_below(acos(a.hi))), a.lo == 1 ? 0 : libm_above(acos(a.lo))), a, a);
    }
    case EXPR_ATAN: return rising(a, atan, -2, 2);
    case EXPR_SINH: return rising(a, sinh, -INFINITY, INFINITY);
    case EXPR_COSH: return rising(even(a), cosh, 1, INFINITY);
    case EXPR_TANH: return rising(a, tanh, -1, 1);
    case EXPR_ERF: return rising(a, erf, -1, 1);
    case EXPR_ABS: return even(a);
    case EXPR_SIGN: {
      Interval z = {(a.lo > 0) - (a.lo < 0), (a.hi > 0) - (a.hi < 0), a.undefined, false};
      return a.undefined ? interval_hull(z, interval_point(0)) : z;
    }
    case EXPR_FLOOR: return (Interval){floor(a.lo), floor(a.hi), a.undefined, a.infinite};
    default: return (Interval){ceil(a.lo), ceil(a.hi), a.undefined, a.infinite};
  }
}

/* --- powers --- */

/* On a >= 0 a^b is monotone in each argument: the extremes are at corners. */
static Interval power_of_positive(Interval a, Interval b) {
  double p[4] = {pow(a.lo, b.lo), pow(a.lo, b.hi), pow(a.hi, b.lo), pow(a.hi, b.hi)}, lo = p[0], hi = p[0];
  for (int i = 1; i < 4; i++) lo = fmin(lo, p[i]), hi = fmax(hi, p[i]);
  bool exact = interval_is_point(b) && b.lo == 1;
  Interval z = interval(exact || lo == 0 ? lo : fmax(0, libm_below(lo)), exact || hi == 0 ? hi : libm_above(hi));
  z.undefined = z.infinite = a.lo == 0 && b.lo < 0;
  return z;
}

static Interval integer_power(Interval a, double n) {
  bool odd = fmod(n, 2) != 0;
  if (n == 2) return interval_square(a);
  Interval b = interval_point(n), z;
  if (a.lo >= 0 || !odd) return power_of_positive(even(a), b);
  if (a.hi <= 0) return interval_neg(power_of_positive(even(a), b));
  if (n > 0) return interval_hull(interval_neg(power_of_positive(interval(0, -a.lo), b)), power_of_positive(interval(0, a.hi), b));
  z = INTERVAL_ALL;   /* 1/x^odd across zero */
  z.undefined = z.infinite = true;
  return z;
}

static Interval power(Interval a, Interval b) {
  if (interval_is_point(b) && b.lo == 0) return (Interval){1, 1, a.undefined || b.undefined, false};   /* also of no number */
  Interval z;
  if (none(a, b)) z = INTERVAL_NONE;
  else if (interval_is_point(b) && b.lo == floor(b.lo) && fabs(b.lo) < 1e9) z = integer_power(a, b.lo);
  else if (a.lo >= 0) z = power_of_positive(a, b);
  else if (interval_is_point(b)) {
    z = a.hi < 0 ? INTERVAL_NONE : power_of_positive(interval(0, a.hi), b);
    z.undefined = true;
  } else {   /* integers among the exponents */
    double most = power_of_positive(even(a), b).hi;
    z = (Interval){-most, most, true, b.lo < 0};
  }
  if (a.undefined || b.undefined || interval_is_empty(a) || interval_is_empty(b)) z = interval_hull(z, (Interval){1, 1, true, false});   /* NaN^0, 1^NaN */
  if (a.infinite || b.infinite) z = interval_hull(z, interval(0, 1));   /* (1/inf)^..., inf^0 */
  return none(a, b) ? z : flagged(z, a, b);
}

/* --- functions of two variables, conditions --- */

static Interval angle(Interval y, Interval x) {
  bool cut = x.lo <= 0 && interval_has(y, 0);
  double c[4] = {atan2(y.lo, x.lo), atan2(y.lo, x.hi), atan2(y.hi, x.lo), atan2(y.hi, x.hi)}, lo = c[0], hi = c[0];
  for (int i = 1; i < 4; i++) lo = fmin(lo, c[i]), hi = fmax(hi, c[i]);
  Interval z = cut ? interval(libm_below(-M_PI), libm_above(M_PI)) : interval(libm_below(lo), libm_above(hi));
  return flagged(z, y, x);
}

static Interval length(Interval a, Interval b) {
  Interval p = even(a), q = even(b);
  Interval z = interval(p.lo == 0 ? q.lo : q.lo == 0 ? p.lo : libm_below(hypot(p.lo, q.lo)), p.hi == 0 ? q.hi : q.hi == 0 ? p.hi : libm_above(hypot(p.hi, q.hi)));
  return flagged(z, a, b);
}

static bool one_multiple(Interval a, Interval b, Interval *times) {   /* floor(a/b), where it is one number */
  if (none(a, b) || interval_has(b, 0) || a.undefined || b.undefined) return false;
  Interval q = interval_div(a, b);
  *times = interval(floor(q.lo), floor(q.hi));
  return interval_is_point(*times);
}

static Interval modulo(Interval a, Interval b) {
  Interval times;
  if (none(a, b)) return INTERVAL_NONE;
  if (one_multiple(a, b, &times)) return interval_sub(a, interval_mul(b, times));
  if (interval_has(b, 0) || isinf(a.lo) || isinf(a.hi)) {
    Interval z = INTERVAL_ALL;
    z.undefined = interval_has(b, 0) || a.infinite || b.infinite;
    z.infinite = true;
    if (!z.undefined) z.lo = b.lo > 0 ? 0 : b.lo, z.hi = b.lo > 0 ? b.hi : 0, z.infinite = false;   /* exact values only: the argument is not bounded */
    return flagged(z, a, b);
  }
  double slack = 4 * DBL_EPSILON * (interval_magnitude(a) + interval_magnitude(b));
  return flagged(b.lo > 0 ? interval(-slack, b.hi + slack) : interval(b.lo - slack, slack), a, b);
}

/* The smaller one, as expr_compute takes it: no number on the left gives the right, a missing right nothing. */
static Interval smaller(Interval a, Interval b) {
  if (interval_is_empty(a) || interval_is_empty(b)) return interval_is_empty(b) ? INTERVAL_NONE : (Interval){b.lo, b.hi, true, b.infinite};
  Interval z = interval(fmin(a.lo, b.lo), fmin(a.hi, b.hi));
  if (a.undefined) z = interval_hull(z, b);
  return flagged(z, a, b);
}

enum { MAYBE_FALSE = 1, MAYBE_TRUE = 2 };

static Interval truth(int which, bool undefined) { return (Interval){which & MAYBE_FALSE ? 0 : 1, which & MAYBE_TRUE ? 1 : 0, undefined, false}; }

/* As a condition: NaN counts as true. */
static int holds(Interval a) {
  int which = a.undefined ? MAYBE_TRUE : 0;
  if (interval_has(a, 0)) which |= MAYBE_FALSE;
  if (!interval_is_empty(a) && !(a.lo == 0 && a.hi == 0)) which |= MAYBE_TRUE;
  return which;
}

static Interval less(Interval a, Interval b, bool or_equal) {
  int which = 0;
  if (!none(a, b)) {
    if (or_equal ? a.lo <= b.hi : a.lo < b.hi) which |= MAYBE_TRUE;
    if (or_equal ? a.hi > b.lo : a.hi >= b.lo) which |= MAYBE_FALSE;
  }
  bool undefined = a.undefined || b.undefined;
  return truth(undefined ? which | MAYBE_FALSE : which, undefined);
}

static Interval equal(Interval a, Interval b, double size) {
  int which = 0;
  const double close = 1e-9 * size;
  Interval apart = even(interval_sub(a, b));
  if (!none(a, b)) {
    if (!(apart.lo > close * (1 + 4 * DBL_EPSILON))) which |= MAYBE_TRUE;
    if (!(apart.hi <= close * (1 - 4 * DBL_EPSILON))) which |= MAYBE_FALSE;
  }
  bool undefined = a.undefined || b.undefined || apart.undefined;
  return truth(undefined ? which | MAYBE_FALSE : which, undefined);
}

static Interval opposite(Interval a) { return interval_is_empty(a) ? a : (Interval){1 - a.hi, 1 - a.lo, a.undefined, false}; }

static Interval both(Interval a, Interval b) {
  int p = holds(a), q = holds(b), which = 0;
  if (p & MAYBE_TRUE && q & MAYBE_TRUE) which |= MAYBE_TRUE;
  if ((p | q) & MAYBE_FALSE) which |= MAYBE_FALSE;
  return truth(which, a.undefined || b.undefined);
}

static Interval negated(Interval a) {
  int p = holds(a);
  return truth((p & MAYBE_TRUE ? MAYBE_FALSE : 0) | (p & MAYBE_FALSE ? MAYBE_TRUE : 0), a.undefined);
}

static Interval branch(Interval c, Interval a, Interval b) {
  int which = holds(c);
  Interval z = which == MAYBE_TRUE ? a : which == MAYBE_FALSE ? b : interval_hull(a, b);
  z.undefined |= c.undefined;
  return z;
}

bool interval_compute(ExprOp op, const Interval *a, double size, Interval *z) {
  switch (op) {
    case EXPR_ADD: *z = interval_add(a[0], a[1]); return true;
    case EXPR_SUB: *z = interval_sub(a[0], a[1]); return true;
    case EXPR_NEG: *z = interval_neg(a[0]); return true;
    case EXPR_MUL: *z = interval_mul(a[0], a[1]); return true;
    case EXPR_DIV: *z = interval_div(a[0], a[1]); return true;
    case EXPR_POW: *z = power(a[0], a[1]); return true;
    case EXPR_SQRT: case EXPR_CBRT: case EXPR_EXP: case EXPR_LOG: case EXPR_LOG10: case EXPR_SIN: case EXPR_COS: case EXPR_TAN: case EXPR_ASIN: case EXPR_ACOS:
    case EXPR_ATAN: case EXPR_SINH: case EXPR_COSH: case EXPR_TANH: case EXPR_ERF: case EXPR_ABS: case EXPR_SIGN: case EXPR_FLOOR: case EXPR_CEIL:
      *z = function(op, a[0]);
      return true;
    case EXPR_ATAN2: *z = none(a[0], a[1]) ? INTERVAL_NONE : angle(a[0], a[1]); return true;
    case EXPR_HYPOT:
      *z = none(a[0], a[1]) ? INTERVAL_NONE : length(a[0], a[1]);
      if ((a[0].undefined && a[1].infinite) || (a[1].undefined && a[0].infinite)) z->lo = fmin(z->lo, 0), z->hi = INFINITY, z->infinite = true;   /* hypot(inf, NaN) is inf */
      return true;
    case EXPR_MOD: *z = modulo(a[0], a[1]); return true;
    case EXPR_MIN: *z = smaller(a[0], a[1]); return true;
    case EXPR_MAX: *z = interval_neg(smaller(interval_neg(a[0]), interval_neg(a[1]))); return true;
    case EXPR_LT: *z = less(a[0], a[1], false); return true;
    case EXPR_LE: *z = less(a[0], a[1], true); return true;
    case EXPR_GT: *z = less(a[1], a[0], false); return true;
    case EXPR_GE: *z = less(a[1], a[0], true); return true;
    case EXPR_EQ: *z = equal(a[0], a[1], size); return true;
    case EXPR_NE: *z = opposite(equal(a[0], a[1], size)); return true;
    case EXPR_AND: *z = both(a[0], a[1]); return true;
    case EXPR_OR: *z = negated(both(negated(a[0]), negated(a[1]))); return true;
    case EXPR_NOT: *z = negated(a[0]); return true;
    case EXPR_IF: *z = branch(a[0], a[1], a[2]); return true;
    default: return false;
  }
}

/* --- slopes --- */

static Interval one_over(Interval a) { return interval_div(interval_point(1), a); }
static Interval one_minus_square(Interval a) { return interval_sub(interval_point(1), interval_square(a)); }

static Interval slope(ExprOp op, Interval a, Interval z) {
  Interval cut;
  switch (op) {
    case EXPR_SQRT: return one_over(interval_mul(interval_point(2), z));
    case EXPR_CBRT: return one_over(interval_mul(interval_point(3), interval_square(z)));
    case EXPR_EXP: return z;
    case EXPR_LOG: return one_over(a);
    case EXPR_LOG10: return interval_mul(interval(0.43429448190325176, 0.4342944819032519), one_over(a));
    case EXPR_SIN: return function(EXPR_COS, a);
    case EXPR_COS: return interval_neg(function(EXPR_SIN, a));
    case EXPR_TAN: return interval_add(interval_point(1), interval_square(z));
    case EXPR_ASIN: cut = root(one_minus_square(a)); return one_over(cut);
    case EXPR_ACOS: cut = root(one_minus_square(a)); return interval_neg(one_over(cut));
    case EXPR_ATAN: return one_over(interval_add(interval_point(1), interval_square(a)));
    case EXPR_SINH: return function(EXPR_COSH, a);
    case EXPR_COSH: return function(EXPR_SINH, a);
    case EXPR_TANH: return one_minus_square(z);
    case EXPR_ERF: return interval_mul(interval(1.1283791670955123, 1.1283791670955128), function(EXPR_EXP, interval_neg(interval_square(a))));
    default: return a.lo >= 0 ? interval_point(1) : a.hi <= 0 ? interval_point(-1) : interval(-1, 1);   /* ABS */
  }
}

static bool power_slopes(Interval a, Interval b, Interval z, Interval *d) {
  if (interval_is_point(b)) d[0] = interval_mul(b, power(a, interval_sub(b, interval_point(1))));
  else if (a.lo > 0) d[0] = interval_div(interval_mul(z, b), a);
  else return false;
  d[1] = interval_is_point(b) ? INTERVAL_ALL : interval_mul(z, logarithm(a, log));   /* unused where the exponent does not vary */
  return true;
}

static bool partials(ExprOp op, const Interval *a, Interval z, Interval *d, double *rounding) {
  const Interval zero = interval_point(0), one = interval_point(1);
  Interval square;
  *rounding = DBL_EPSILON;
  switch (op) {
    case EXPR_ADD: d[0] = d[1] = one; return true;
    case EXPR_SUB: d[0] = one; d[1] = interval_point(-1); return true;
    case EXPR_NEG: d[0] = interval_point(-1); *rounding = 0; return true;
    case EXPR_MUL: d[0] = a[1]; d[1] = a[0]; return true;
    case EXPR_DIV: d[0] = one_over(a[1]); d[1] = interval_neg(interval_div(z, a[1])); return !interval_has(a[1], 0);
    case EXPR_POW: *rounding = LIBM_ULPS * DBL_EPSILON; return power_slopes(a[0], a[1], z, d);
    case EXPR_SIGN: case EXPR_FLOOR: case EXPR_CEIL: case EXPR_NOT: d[0] = zero; *rounding = 0; return interval_is_point(z);
    case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: case EXPR_AND: case EXPR_OR:
      d[0] = d[1] = zero;
      *rounding = 0;
      return interval_is_point(z);
    case EXPR_IF: {
      int which = holds(a[0]);
      d[0] = zero;
      d[1] = which == MAYBE_TRUE ? one : zero;
      d[2] = which == MAYBE_TRUE ? zero : one;
      *rounding = 0;
      return which != (MAYBE_TRUE | MAYBE_FALSE);
    }
    case EXPR_MIN: case EXPR_MAX: {
      bool first = op == EXPR_MIN ? a[0].hi <= a[1].lo : a[0].lo >= a[1].hi, second = op == EXPR_MIN ? a[1].hi <= a[0].lo : a[1].lo >= a[0].hi;
      d[0] = first ? one : second ? zero : interval(0, 1);
      d[1] = first ? zero : second ? one : interval(0, 1);
      *rounding = 0;
      return true;
    }
    case EXPR_HYPOT:
      d[0] = z.lo > 0 ? interval_meet(interval_div(a[0], z), interval(-1, 1)) : interval(-1, 1);
      d[1] = z.lo > 0 ? interval_meet(interval_div(a[1], z), interval(-1, 1)) : interval(-1, 1);
      *rounding = LIBM_ULPS * DBL_EPSILON;
      return true;
    case EXPR_ATAN2:
      square = interval_add(interval_square(a[0]), interval_square(a[1]));
      d[0] = interval_div(a[1], square);
      d[1] = interval_neg(interval_div(a[0], square));
      *rounding = LIBM_ULPS * DBL_EPSILON;
      return !(a[1].lo <= 0 && interval_has(a[0], 0));
    case EXPR_MOD: {
      Interval times;
      if (!one_multiple(a[0], a[1], &times)) return false;
      d[0] = one;
      d[1] = interval_neg(times);
      *rounding = z.lo == 0 && z.hi == 0 ? 0 : 4 * DBL_EPSILON * (1 + interval_magnitude(a[0]) / fmax(interval_magnitude(z), DBL_MIN));
      return true;
    }
    default:
      if (op < EXPR_SQRT || op > EXPR_ABS) return false;
      *rounding = op == EXPR_SQRT ? DBL_EPSILON : op == EXPR_ABS ? 0 : LIBM_ULPS * DBL_EPSILON;
      d[0] = slope(op, a[0], z);
      return op != EXPR_TAN || isfinite(z.hi - z.lo);
  }
}

bool interval_slopes(ExprOp op, const Interval *a, Interval z, Interval *d, double *rounding) {
  if (!partials(op, a, z, d, rounding)) return false;
  for (int k = 0, n = expr_op_arity(op); k < n; k++) if (interval_is_empty(d[k])) return false;   /* 1/0 */
  return true;
}
