/* Integrals, norms, extrema: numbers out of fields. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/element.h"
#include "bi_contracts.h"
#include "bi_solving.h"
#include "measure.h"
#include "temperature.h"
#include "trace.h"

/* -1: chosen. False after a report. */
static bool degree_of(Call *call, int at, int *degree) {
  *degree = ARG(at) && !is_unknown(ARG(at)) ? (int)ARG(at)->number : -1;
  if (!ARG(at) || is_unknown(ARG(at)) || (*degree >= 0 && *degree <= QUAD_MAX)) return true;
  diag_report(&call->ev->host->diags, E0506, call->spans[at], "a quadrature degree is from 0 to %d, not %d", QUAD_MAX, *degree);
  return false;
}

/* Arguments of a measure of predictions: place, from, at, until. The answer where that is what is asked; else NULL, and times are refused. */
static Value *early(Call *call, int place, int from, int at, int until, bool *traced, TraceMeasure *m) {
  *traced = call->ev->trace && value_traced(ARG(0));
  if (*traced) return trace_measure_open(call, place, from, at, until, m) ? NULL : value_poison();
  for (int i = 0; i < 2; i++) {
    int k = i ? until : at;
    if (!ARG(k) || ARG(0)->kind == VALUE_UNKNOWN) continue;
    diag_suggest(diag_report(&call->ev->host->diags, E3027, call->spans[k], "`%s:` is of predictions, in contracts over models", i ? "until" : "at"), "the state of a solution at a time is `%s(sol.u at 0.5)`", call->row->name);
    return value_poison();
  }
  return measure_too_early(call);
}

/* --- integral and mean --- */

static Value *run_integral(Call *call) {
  TraceMeasure m;
  bool traced;
  Value *answer = early(call, 1, 3, 4, 5, &traced, &m);
  if (answer) return answer;
  if (!degree_of(call, 2, &m.degree)) return value_poison();
  if (traced) return trace_integral(call->ev, ARG(0), &m, false);
  if (ARG(1) && ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  Target t;
  double values[81];
  if (!place_take_side(call->ev, &ARG(1), ARG(3), call->spans[3])) return value_poison();
  if (!target_open(call->ev, ARG(0), ARG(1), call->span, &t)) return target_free(&t), value_poison();
  Unit unit = measure_unit(call->ev, &t);
  bool fine = call->ev->dry || measure_reduce(call->ev, REDUCE_INTEGRAL, &t, m.degree, NAN, call->span, values, NULL);
  Value *v = fine ? measure_numbers(values, t.size, unit, !call->ev->dry) : value_poison();
  target_free(&t);
  return temperature_difference_kept(ARG(0), v);
}

static Value *run_mean(Call *call) {
  TraceMeasure m;
  bool traced;
  Value *answer = early(call, 1, 3, 4, 5, &traced, &m);
  if (answer) return answer;
  if (!degree_of(call, 2, &m.degree)) return value_poison();
  if (traced) return trace_integral(call->ev, ARG(0), &m, true);
  if (ARG(1) && ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  Target t;
  double values[81], volume;
  if (!place_take_side(call->ev, &ARG(1), ARG(3), call->spans[3])) return value_poison();
  if (!target_open(call->ev, ARG(0), ARG(1), call->span, &t)) return target_free(&t), value_poison();
  Unit unit = t.expr->unit.any ? UNIT_NONE : t.expr->unit;
  Target one = t;
  one.expr = expr_const(call->ev->host->pool, 1, UNIT_NONE);
  one.size = 1;
  bool fine = call->ev->dry || (measure_reduce(call->ev, REDUCE_INTEGRAL, &t, m.degree, NAN, call->span, values, NULL) && measure_reduce(call->ev, REDUCE_INTEGRAL, &one, -1, NAN, call->span, &volume, NULL));
  for (int i = 0; fine && !call->ev->dry && i < t.size; i++) values[i] /= volume;
  Value *v = fine ? measure_numbers(values, t.size, unit, !call->ev->dry) : value_poison();
  target_free(&t);
  return temperature_kept(ARG(0), v);
}

/* --- norm --- */

static Expr *square_of(ExprPool *pool, Expr *e) {
  return e->shape.rank ? expr_binary(pool, EXPR_INNER, e, e) : expr_binary(pool, EXPR_MUL, e, e);
}

static bool linf(Eval *ev, Target *t, double time, Span span, double *out) {
  if (t->expr->shape.rank) t->expr = expr_unary(ev->host->pool, EXPR_ABS, t->expr);
  double hi, lo;
  if (!measure_reduce(ev, REDUCE_MAX, t, -1, time, span, &hi, NULL) || !measure_reduce(ev, REDUCE_MIN, t, -1, time, span, &lo, NULL)) return false;
  *out = fmax(fabs(hi), fabs(lo));
  return true;
}

bool measure_norm(Eval *ev, Value *field, const char *kind, Value *place, double time, Span span, double *out, Unit *unit) {
  ExprPool *pool = ev->host->pool;
  Target t;
  bool fine = target_open(ev, field, place, span, &t);
  *out = NAN;
  *unit = UNIT_NONE;
  if (fine && !strcmp(kind, "Linf")) {
    *unit = t.expr->unit;
    fine = ev->dry || linf(ev, &t, time, span, out);
  } else if (fine) {
    bool value = strcmp(kind, "H1semi") != 0, gradient = strcmp(kind, "L2") != 0;
    Expr *e = t.expr, *g = gradient ? expr_unary(pool, EXPR_GRAD, e) : NULL;
    if (gradient && !g) {
      diag_report(&ev->host->diags, E0301, span, "%s needs a gradient: %s", kind, expr_error(pool).text);
      fine = false;
    } else if (value && gradient && !unit_is_none(host_length_unit(ev->host)) && !e->unit.any) {
      diag_suggest(diag_report(&ev->host->diags, E0302, span, "H1 adds a value and a gradient, whose units differ in this program"), "use L2 or H1semi");
      fine = false;
    } else {
      double sum = 0, part;
      Unit volume;
      unit_pow(host_length_unit(ev->host), t.dim - (t.on_cells ? 0 : 1), &volume);
      Unit square = unit_mul(volume, unit_mul((value ? e : g)->unit, (value ? e : g)->unit));
      if (!unit_pow(square, 0.5, unit) || unit->any) *unit = UNIT_NONE;
      for (int k = 0; k < 2 && fine && !ev->dry; k++) {
        if (k ? !gradient : !value) continue;
        t.expr = square_of(pool, k ? g : e);
        fine = measure_reduce(ev, REDUCE_INTEGRAL, &t, -1, time, span, &part, NULL);
        sum += part;
      }
      *out = sqrt(fmax(sum, 0));
    }
  }
  target_free(&t);
  return fine;
}

static Value *run_norm(Call *call) {
  TraceMeasure m;
  bool traced;
  Value *answer = early(call, 2, 3, 4, 5, &traced, &m);
  if (answer) return answer;
  if (traced) return trace_norm(call->ev, ARG(0), ARG(1) && ARG(1)->kind == VALUE_WORD ? ARG(1)->word : "L2", &m);
  if (ARG(2) && ARG(2)->kind == VALUE_UNKNOWN) return value_unknown();
  const char *kind = ARG(1) && ARG(1)->kind == VALUE_WORD ? ARG(1)->word : "L2";
  double out;
  Unit unit;
  if (!place_take_side(call->ev, &ARG(2), ARG(3), call->spans[3])) return value_poison();
  if (!measure_norm(call->ev, ARG(0), kind, ARG(2), NAN, call->span, &out, &unit)) return value_poison();
  return temperature_difference_kept(ARG(0), call->ev->dry ? value_number_unknown(unit) : value_number(out, unit));
}

/* --- max and min: of a field over its mesh (and a time window), of several values pointwise --- */

static Value *pointwise(Call *call, bool max) {
  Value *best = value_retain(ARG(0));
  for (int i = 0; i < call->nrest; i++) {
    Value *other = call->rest[i], *next;
    if (is_poison(best)) break;
    if (best->kind == VALUE_UNKNOWN || other->kind == VALUE_UNKNOWN) next = value_unknown();
    else if (best->kind == VALUE_NUMBER && other->kind == VALUE_NUMBER && unit_fits(best->unit, other->unit)) {
      bool take = max ? other->number > best->number || isnan(other->number) : other->number < best->number || isnan(other->number);
      next = !best->known || !other->known ? value_number_unknown(unit_merge(best->unit, other->unit)) : value_retain(take ? other : best);
    } else {
      Deps deps = {0};
      Expr *a = eval_to_expr(call->ev, best, call->spans[0], &deps), *b = eval_to_expr(call->ev, other, call->rest_spans[i], &deps);
      Expr *e = a && b ? expr_binary(call->ev->host->pool, max ? EXPR_MAX : EXPR_MIN, a, b) : NULL;
      if (a && b && !e) diag_report(&call->ev->host->diags, expr_error(call->ev->host->pool).kind == EXPR_UNIT ? E0302 : E0301, call->span, "%s: %s", call->row->name, expr_error(call->ev->host->pool).text);
      next = e ? value_field(e, &deps) : value_poison();
      deps_free(&deps);
    }
    if (next->kind == VALUE_FIELD || next->kind == VALUE_NUMBER) next->temperature = temperature_both(best, other);
    value_release(best);
    best = next;
  }
  return best;
}

static Value *list_extremum(Call *call, bool max) {
  Value *list = ARG(0);
  if (!list->n) {
    REPORT(E0506, "an empty list has no %s", call->row->name);
    return value_poison();
  }
  int best = 0;
  for (int i = 1; i < list->n; i++) {
    if (list->items[i]->kind != VALUE_NUMBER || list->items[best]->kind != VALUE_NUMBER) return value_unknown();
    if (max ? list->items[i]->number > list->items[best]->number : list->items[i]->number < list->items[best]->number) best = i;
  }
  return value_retain(list->items[best]);
}

/* All states in a time window. */
static bool window_extremum(Call *call, Target *t, Value *window, bool max, double *best) {
  Eval *ev = call->ev;
  if (t->deps.n != 1 || !t->deps.solutions[0]->solution) {
    REPORT(E0512, "time: needs a field of one transient solution");
    return false;
  }
  SolutionInfo info;
  ev->host->api->solution_info(t->deps.solutions[0]->solution, &info);
  *best = max ? -INFINITY : INFINITY;
  for (int i = 0; i < info.nstates; i++) {
    double slack = 1e-9 * (fabs(window->to) + fabs(window->from));
    if (info.times[i] < window->from - slack || info.times[i] > window->to + slack) continue;
    Value *field = value_field(t->expr, &t->deps), *at = with_field_time(ev, field, info.times[i]);
    Target now = *t;
    now.expr = at->expr;
    double x;
    bool fine = measure_reduce(ev, max ? REDUCE_MAX : REDUCE_MIN, &now, -1, info.times[i], call->span, &x, NULL);
    value_release(field);
    value_release(at);
    if (!fine) return false;
    *best = max ? fmax(*best, x) : fmin(*best, x);
  }
  return true;
}

static Value *extremum(Call *call, bool max) {
  if (call->nrest) return pointwise(call, max);
  if (ARG(0)->kind == VALUE_NUMBER || is_unknown(ARG(0))) return value_retain(ARG(0));
  if (ARG(0)->kind == VALUE_LIST && !value_traced(ARG(0))) return list_extremum(call, max);
  if (ARG(0)->kind == VALUE_HISTORY) {
    double best = max ? -INFINITY : INFINITY;
    for (int i = 0; i < ARG(0)->ncurve; i++) best = max ? fmax(best, ARG(0)->curve_y[i]) : fmin(best, ARG(0)->curve_y[i]);
    return temperature_kept(ARG(0), call->ev->dry ? value_number_unknown(ARG(0)->curve_yunit) : value_number(best, ARG(0)->curve_yunit));
  }
  TraceMeasure m;
  bool traced;
  Value *answer = early(call, 1, 3, 4, 5, &traced, &m);
  if (answer) return answer;
  if (traced) return trace_extremum(call->ev, ARG(0), &m, max);
  Target t;
  double x = NAN;
  if (!place_take_side(call->ev, &ARG(1), ARG(3), call->spans[3])) return value_poison();
  bool fine = target_open(call->ev, ARG(0), ARG(1), call->span, &t);
  if (fine && t.expr->shape.rank) {
    diag_suggest(REPORT(E0301, "%s wants a scalar field; this is a vector or tensor", call->row->name), "take its magnitude: %s(abs(u))", call->row->name);
    fine = false;
  }
  if (fine && !call->ev->dry) {
    if (ARG(2)) fine = window_extremum(call, &t, ARG(2), max, &x);
    else fine = measure_reduce(call->ev, max ? REDUCE_MAX : REDUCE_MIN, &t, -1, NAN, call->span, &x, NULL);
  }
  Value *v = !fine ? value_poison() : call->ev->dry ? value_number_unknown(t.expr->unit) : value_number(x, t.expr->unit.any ? UNIT_NONE : t.expr->unit);
  target_free(&t);
  return temperature_kept(ARG(0), v);
}

static Value *run_max(Call *call) { return extremum(call, true); }
static Value *run_min(Call *call) { return extremum(call, false); }

static Value *run_order(Call *call) {
  Value *s = ARG(0);
  const char *norm = ARG(1)->kind == VALUE_WORD ? ARG(1)->word : ARG(1)->text;
  if (call->ev->dry || s->kind == VALUE_UNKNOWN) return value_number_unknown(UNIT_NONE);
  Buf column = {0};
  buf_printf(&column, "order_%s", norm);
  const StudyTable *t = s->table;
  double order = NAN;
  bool found = false;
  for (int c = 0; c < t->ncolumns; c++)
    if (!strncmp(t->columns[c], buf_str(&column), column.len) && (t->columns[c][column.len] == 0 || t->columns[c][column.len] == '_')) {
      found = true;
      double x = t->nrows ? t->cells[(t->nrows - 1) * t->ncolumns + c] : NAN;
      order = isnan(order) ? x : fmin(order, x);
    }
  buf_free(&column);
  if (found) return value_number(order, UNIT_NONE);
  REPORT(E0505, "the study has no %s errors", norm);
  return value_poison();
}

const BuiltinRow builtin_measures[] = {
    {"integral", "(u: field, on: place = none, degree: int = none, from: side = none, at: number = none, until: number = none)", "measures", "Integral over the mesh of the solutions in u, or over a mesh, region or boundary (on:). On facets between cells what jumps counts as the mean of both sides, or from: one region's. Of a vector a tuple. Unit: that of u times a volume or area. degree: of the quadrature, 20 at most; left out it is chosen from u, and where u jumps inside cells the error is estimated and said (W2095).", "print(integral(x, on: mesh(interval(0, 1), cells: [4]))) -> 0.5", run_integral},
    {"mean", "(u: field, on: place = none, degree: int = none, from: side = none, at: number = none, until: number = none)", "measures", "integral(u)/integral(1).", "print(mean(x, on: mesh(interval(0, 1), cells: [4]))) -> 0.5", run_mean},
    {"norm", "(u: field, kind: word = L2, on: place = none, from: side = none, at: number = none, until: number = none) -> number", "measures", "L2 (root of the integral of |u|^2), H1 (with the gradient), H1semi (the gradient alone), Linf (over nodes and quadrature points). Of predictions m(z) over all times, or at:, from:, until: a time.", "print(norm(2, on: mesh(interval(0, 1), cells: [4]))) -> 2", run_norm},
    {"max", "(u, values..., on: place = none, time: range = none, from: side = none, at: number = none, until: number = none)", "measures", "Largest value of a field over nodes and quadrature points of its mesh, of a part (on:), over a time window (time:); of a list; of several values, pointwise.", "print(max(1, 5, 3)) -> 5", run_max},
    {"min", "(u, values..., on: place = none, time: range = none, from: side = none, at: number = none, until: number = none)", "measures", "Smallest value; as max.", "print(min([4, 2, 8])) -> 2", run_min},
    {"observed_order", "(study: study, norm: word) -> number", "measures", "The observed order of the last refinement, the smallest of all fields.", NULL, run_order},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
