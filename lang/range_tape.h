/* A scalar-level expression laid out for evaluation over boxes: intervals, gradients of intervals (reverse mode), bounds of rounding, and points. */
#ifndef RANGE_TAPE_H
#define RANGE_TAPE_H
#include "interval.h"

typedef struct RangeTape RangeTape;

/* Leaves are any nodes of e (PARAM, COORD, TIME, TERM, ...), each once; what is none of them and no number may have any finite value. size: that of the
 * domain, which == is relative to. */
RangeTape *range_tape_new(Expr *e, Expr *const *leaves, int nleaves, double size);
void range_tape_decimals(RangeTape *tape);     /* from now on constants that are no short binary fractions are known to 1 unit in the last place */
void range_tape_free(RangeTape *tape);
int range_tape_nodes(const RangeTape *tape);

/* Holds the exact value and that of expr_value at every point of the box (an interval a leaf) where the expression has one. */
Interval range_tape_value(RangeTape *tape, const Interval *box);
/* After range_tape_value, over the same box: an interval that holds the partial derivatives by each leaf (at kinks: the generalised ones). *error: how far
 * expr_value may be from the exact value at any point. False: not differentiable by parts on the whole box; what is written then means nothing. */
bool range_tape_gradient(RangeTape *tape, Interval *gradient, double *error);
/* In double precision, as expr_value; NAN where some part has no value or overflows. The others' values: the middle of what they may be. */
double range_tape_point(RangeTape *tape, const double *x);

#endif
