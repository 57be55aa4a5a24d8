/* Absolute temperatures and their differences. degC and degF shift the zero: 20 [degC] is 293.15 K, a place on the scale, so that sums of two of
 * them and products with them mean something else than they say. A value remembers which of the two it is; in K it is either. */
#ifndef TEMPERATURE_H
#define TEMPERATURE_H
#include "eval.h"

/* What an operator makes of two operands. false: it was reported (E0306). A product that takes an absolute temperature in K warns (W0410). */
bool temperature_combine(Eval *ev, AstOp op, const Value *a, const Value *b, Span span, Span left, Span right, Temperature *out);
/* Of what two values are both, as the larger of them. */
Temperature temperature_both(const Value *a, const Value *b);
/* v, made out of `of` without leaving the scale: an extremum, a mean, a value at a point. It is shown in the unit that `to` chose for `of`. */
Value *temperature_kept(const Value *of, Value *v);
/* v, made out of `of` so that only a difference stays one: a magnitude, a negative, an integral, a norm. */
Value *temperature_difference_kept(const Value *of, Value *v);
/* Of a value that is shown in a unit with or without a shifted zero. false: it was reported (E0307). */
bool temperature_shown(Eval *ev, const Value *v, const UnitScale *scale, const char *unit, Span span, Temperature *out);
/* The step of a range. */
bool temperature_is_step(Eval *ev, const Value *step, Span span);

#endif
