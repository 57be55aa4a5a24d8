/* Certified ranges: bounds of an expression over a box of its leaves that no value passes, by interval arithmetic with outward rounding, mean-value
 * forms, monotonicity, and branch and bound. */
#ifndef EXPR_RANGE_H
#define EXPR_RANGE_H
#include "interval.h"

typedef struct RangeLeaf {
  Expr *leaf;          /* PARAM, COORD, TIME, TERM, ... of scalar level, each once */
  double lo, hi;       /* may be infinite: any number */
} RangeLeaf;

typedef struct RangeOptions {
  long work;           /* evaluations of nodes, at most; 0: 400,000 */
  double tolerance;    /* ends when the bounds are this near to values seen, in parts of their spread; 0: 1e-3 */
  double size;         /* of the domain, for == in conditions; 0: 1 */
  bool decide;         /* only whether all values are in within_lo..within_hi: ends as soon as that is sure, or a value outside was seen */
  double within_lo, within_hi;
} RangeOptions;

typedef struct CertifiedRange {
  double lo, hi;             /* hold every value: the exact one and that of expr_value, at each point of the box where the expression has one; lo > hi: none has */
  double seen_lo, seen_hi;   /* values at points of the box: the true range reaches at least from here to there; NAN: none was found */
  bool may_be_undefined;     /* at some points there may be no value (sqrt of a negative number, division by zero), or an overflow */
  bool undefined_seen;       /* at a point of the box there is none */
  long pieces;               /* boxes looked at */
} CertifiedRange;

/* e is a scalar-level expression; leaves of it that the box does not name may have any finite value. at_lo, at_hi (NULL: not wanted) take the n values where
 * seen_lo and seen_hi were found. The same answer on every machine with the same libm: the budget counts work, not time. */
CertifiedRange expr_range(Expr *e, const RangeLeaf *box, int n, const RangeOptions *options, double *at_lo, double *at_hi);
/* One evaluation over the whole box. decimals: constants are what a script may have meant (interval_decimal). */
Interval expr_range_once(Expr *e, const RangeLeaf *box, int n);
Interval expr_range_decimals(Expr *e, const RangeLeaf *box, int n);

#endif
