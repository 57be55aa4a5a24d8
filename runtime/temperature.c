#include "temperature.h"

#include <string.h>

static bool is_absolute(const Value *v) { return v->temperature == TEMPERATURE_ABSOLUTE; }
static bool is_difference(const Value *v) { return v->temperature == TEMPERATURE_DIFFERENCE; }

/* Interpolation, T_hot*(1 - s) + T_cold*s, is what products with fields are for; a constant is what gets scaled by mistake. */
static bool is_constant(const Value *v) {
  return v->kind == VALUE_NUMBER || (v->kind == VALUE_FIELD && !(v->expr->flags & ~(uint32_t)(HAS_PARAM | HAS_SINGULAR)));
}

static bool sum_of_absolutes(Eval *ev, Span span, Span left, Span right) {
  Diag *d = diag_report(&ev->host->diags, E0306, span, "two absolute temperatures cannot be added");
  diag_note(d, left, "this was given in degrees: it is counted from absolute zero");
  diag_note(d, right, "this too");
  diag_suggest(d, "a difference is given in K: 20 [degC] + 10 [K] is 30 degC; a mean of two is a + (b - a)/2");
  return false;
}

static void warn_product(Eval *ev, AstOp op, Span span, Span absolute) {
  Diag *d = diag_report(&ev->host->diags, W0410, span, "this %s takes the temperature from absolute zero, in K", op == OP_DIV ? "quotient" : "product");
  diag_note(d, absolute, "this was given in degrees");
  diag_suggest(d, "give a difference in K, or write `T to [K]` where the absolute temperature is meant");
}

bool temperature_combine(Eval *ev, AstOp op, const Value *a, const Value *b, Span span, Span left, Span right, Temperature *out) {
  *out = TEMPERATURE_PLAIN;
  bool absolute = is_absolute(a) || is_absolute(b);
  switch (op) {
    case OP_ADD:
      if (is_absolute(a) && is_absolute(b)) return sum_of_absolutes(ev, span, left, right);
      if (absolute) *out = TEMPERATURE_ABSOLUTE;
      else if (is_difference(a) && is_difference(b)) *out = TEMPERATURE_DIFFERENCE;
      return true;
    case OP_SUB:
      if (is_absolute(b)) *out = TEMPERATURE_DIFFERENCE;
      else if (is_absolute(a) && is_difference(b)) *out = TEMPERATURE_ABSOLUTE;      /* less K: either */
      else if (is_difference(a)) *out = TEMPERATURE_DIFFERENCE;
      return true;
    case OP_MUL:
    case OP_DIV:
      if (is_difference(a) != is_difference(b) && !absolute) *out = TEMPERATURE_DIFFERENCE;      /* a part of it, or what becomes one again: q/h */
      if (absolute && is_constant(a) && is_constant(b)) warn_product(ev, op, span, is_absolute(a) ? left : right);
      return true;
    default: return true;
  }
}

Temperature temperature_both(const Value *a, const Value *b) {
  if (a->temperature == TEMPERATURE_PLAIN || a->temperature == b->temperature) return b->temperature;
  return b->temperature == TEMPERATURE_PLAIN ? a->temperature : TEMPERATURE_PLAIN;
}

static bool is_quantity(const Value *v) { return v->kind == VALUE_NUMBER || v->kind == VALUE_FIELD || v->kind == VALUE_HISTORY; }

Value *temperature_kept(const Value *of, Value *v) {
  if (is_quantity(of) && is_quantity(v)) v->temperature = of->temperature, v->shown = of->shown;
  return v;
}

Value *temperature_difference_kept(const Value *of, Value *v) {
  if (is_difference(of) && is_quantity(v)) v->temperature = of->temperature;
  return v;
}

bool temperature_shown(Eval *ev, const Value *v, const UnitScale *scale, const char *unit, Span span, Temperature *out) {
  *out = scale->offset != 0 ? TEMPERATURE_ABSOLUTE : v->temperature == TEMPERATURE_DIFFERENCE ? TEMPERATURE_DIFFERENCE : TEMPERATURE_PLAIN;
  if (scale->offset == 0 || v->temperature != TEMPERATURE_DIFFERENCE) return true;
  Diag *d = diag_report(&ev->host->diags, E0307, span, "a difference of temperatures cannot be shown in %s, which counts from another zero", unit);
  diag_suggest(d, "a difference is in K: write `to [K]`%s", strstr(unit, "F") ? ", and divide by 5/9 for degrees of Fahrenheit" : "; a kelvin is as large as a degree Celsius");
  return false;
}

bool temperature_is_step(Eval *ev, const Value *step, Span span) {
  if (!is_absolute(step)) return true;
  diag_suggest(diag_report(&ev->host->diags, E0306, span, "the step of a range is a difference; this is an absolute temperature"), "give it in K: by 5 [K]");
  return false;
}
