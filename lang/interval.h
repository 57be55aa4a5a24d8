/* Interval arithmetic with outward rounding, an operation of expr.def at a time. An interval that comes back holds the exact value of the operation and
 * the double that expr_compute gives, for all arguments in the intervals. Sums, products, quotients and roots are rounded by their own error terms (so an exact
 * result stays exact), functions of libm are widened by 8 units in the last place, twice what the C library documents at most.
 * A value that is not known but finite has infinite ends; what may become infinite says so. */
#ifndef INTERVAL_H
#define INTERVAL_H
#include <math.h>
#include <stdbool.h>

#include "expr.h"

typedef struct Interval {
  double lo, hi;       /* lo > hi: no value at all */
  bool undefined;      /* some arguments may give no number: sqrt(-1), 1/0, log(0) */
  bool infinite;       /* some arguments may give an infinity in double precision: 1/0, an overflow */
} Interval;

#define INTERVAL_ALL ((Interval){-INFINITY, INFINITY, false, false})
#define INTERVAL_NONE ((Interval){INFINITY, -INFINITY, true, false})
static inline Interval interval(double lo, double hi) { return (Interval){lo, hi, false, false}; }
static inline Interval interval_point(double x) { return (Interval){x, x, false, false}; }
static inline bool interval_is_empty(Interval a) { return !(a.lo <= a.hi); }
static inline bool interval_is_point(Interval a) { return a.lo == a.hi; }
static inline bool interval_has(Interval a, double x) { return a.lo <= x && x <= a.hi; }
static inline double interval_magnitude(Interval a) { return fmax(fabs(a.lo), fabs(a.hi)); }
static inline double interval_middle(Interval a) {   /* a number between the ends, also of infinite ones */
  if (a.lo == -INFINITY) return a.hi == INFINITY ? 0 : a.hi > -1 ? fmin(a.hi, -1) : 2 * a.hi;
  if (a.hi == INFINITY) return a.lo < 1 ? fmax(a.lo, 1) : 2 * a.lo;
  double middle = a.lo / 2 + a.hi / 2;
  return fmin(fmax(middle, a.lo), a.hi);
}

/* What a script may have meant by a number: itself where it is a short binary fraction, else to 1 unit in the last place. */
Interval interval_decimal(double value);

Interval interval_add(Interval a, Interval b);
Interval interval_sub(Interval a, Interval b);
Interval interval_neg(Interval a);
Interval interval_mul(Interval a, Interval b);
Interval interval_div(Interval a, Interval b);
Interval interval_square(Interval a);
Interval interval_hull(Interval a, Interval b);
Interval interval_meet(Interval a, Interval b);          /* of two that hold the same value */

/* Value of a scalar operation; size: that of the domain, which == is relative to. False: op is none (a leaf, REGIONS, TABLE, ...). */
bool interval_compute(ExprOp op, const Interval *a, double size, Interval *z);
/* Slopes d[k]: partial derivatives of the operation by its arguments, or their convex hull at a kink, for arguments a and value z. False: it may jump
 * there, or has none. *rounding: the relative error of one evaluation in double precision. */
bool interval_slopes(ExprOp op, const Interval *a, Interval z, Interval *d, double *rounding);

/* A table, or its derivative order[k] times by argument k, over a box of n = dim arguments; what lies beyond its ends is undefined where it does not hold. */
Interval interval_table(const ExprTable *table, const Interval *x, const int order[3]);
/* Does the box lie within one cell of the table, so that derivatives are continuous there? */
bool interval_table_cell(const ExprTable *table, const Interval *x);

#endif
