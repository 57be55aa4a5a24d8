#include "violation.h"

Violation violation_of(const Trace *trace, Expr *e) {
  Violation v = {.value = e};
  while (e->op == EXPR_NEG || e->op == EXPR_ABS || (e->op == EXPR_MAX && (expr_is_zero(e->arg[0]) || expr_is_zero(e->arg[1])))) {
    double zero;      /* max(0, x), abs(x): the form of x */
    if (e->op != EXPR_MAX) e = e->arg[0];
    else e = expr_is_const(e->arg[0], &zero) ? e->arg[1] : e->arg[0];
  }
  if (e->op != EXPR_DIV) return v;
  v.numerator = e->arg[0];
  v.denominator = e->arg[1];
  if (v.denominator->op != EXPR_MAX) return v;
  Expr *a = v.denominator->arg[0], *b = v.denominator->arg[1];
  bool floor_first = !trace_predicted(trace, a) && trace_predicted(trace, b);
  v.size = floor_first ? b : a;
  v.floor = floor_first ? a : b;
  return v;
}
