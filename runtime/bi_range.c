/* certified_range: bounds of a function or field over ranges of its arguments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/expr_range.h"
#include "builtin.h"

enum { OVER_MOST = 32 };

typedef struct Over {           /* the labelled ranges */
  RangeLeaf box[OVER_MOST];
  Name name[OVER_MOST];
  int n;
} Over;

static const char *const coordinate_names[] = {"x", "y", "z", "t"};

static Unit unit_of(const Value *range) { return range->kind == VALUE_RANGE ? range->range_unit : range->unit; }

/* A range a..b; a number is a range of one value. */
static bool is_interval(Call *call, const Argument *a) {
  const Value *v = a->value;
  bool fine = v->kind == VALUE_NUMBER || (v->kind == VALUE_RANGE && !v->has_by);
  if (!fine) diag_suggest(diag_report(&call->ev->host->diags, E0505, a->span, "`%s` takes a range; this is %s %s", a->name, value_article(v), value_kind_name(v)), "write %s: 0..1", a->name);
  else if (v->kind == VALUE_RANGE && v->known && v->from > v->to) {
    diag_report(&call->ev->host->diags, E0506, a->span, "the range of `%s` has its larger end first: %g..%g", a->name, v->from, v->to);
    fine = false;
  }
  return fine;
}

static void add(Over *over, Expr *leaf, const Argument *a) {
  const Value *v = a->value;
  over->name[over->n] = a->name;
  over->box[over->n++] = v->kind == VALUE_RANGE ? (RangeLeaf){leaf, v->from, v->to} : (RangeLeaf){leaf, v->number, v->number};
}

/* --- a function: called with a symbol for each argument --- */

static Expr *of_function(Call *call, Over *over, Deps *deps) {
  Eval *ev = call->ev;
  Argument args[OVER_MOST];
  for (int i = 0; i < call->nextra; i++) {
    const Argument *a = &call->extra[i];
    Unit unit = unit_of(a->value);
    Expr *leaf = expr_param(ev->host->pool, a->name, SHAPE_SCALAR, unit.any ? UNIT_NONE : unit, false);
    args[i] = (Argument){a->name, value_field(leaf, NULL), a->span};
    add(over, leaf, a);
  }
  Value *result = eval_call_function(ev, ARG(0), args, call->nextra, call->span);
  Expr *e = is_poison(result) || is_unknown(result) ? NULL : eval_to_expr(ev, result, call->spans[0], deps);
  value_release(result);
  for (int i = 0; i < call->nextra; i++) value_release(args[i].value);
  return e;
}

/* --- a field: coordinates, t and params by their names --- */

static Expr *leaf_named(Call *call, Expr *e, const Argument *a) {
  Host *host = call->ev->host;
  for (int axis = 0; axis < 4; axis++)
    if (!strcmp(a->name, coordinate_names[axis])) return axis < 3 ? expr_coord(host->pool, axis, host_length_unit(host)) : expr_time(host->pool, host_time_unit(host));
  Slot *slot = scope_lookup(call->ev, a->name);
  (void)e;
  return slot && slot->is_param && slot->value->kind == VALUE_NUMBER ? expr_param(host->pool, a->name, SHAPE_SCALAR, slot->value->unit, true) : NULL;
}

static bool of_field(Call *call, Expr *e, Over *over) {
  for (int i = 0; i < call->nextra; i++) {
    const Argument *a = &call->extra[i];
    Expr *leaf = leaf_named(call, e, a);
    if (!leaf) {
      diag_suggest(diag_report(&call->ev->host->diags, E0503, a->span, "`%s` is neither a coordinate nor a param of the file", a->name), "of a function its arguments are meant: fn f(%s) = ...; certified_range(f, %s: ...)", a->name, a->name);
      return false;
    }
    if (a->value->known && !unit_fits(leaf->unit, unit_of(a->value))) {
      Buf have = {0}, want = {0};
      unit_print(&have, unit_of(a->value)), unit_print(&want, leaf->unit);
      diag_report(&call->ev->host->diags, E0302, a->span, "`%s` carries %s, its range %s", a->name, buf_str(&want), buf_str(&have));
      buf_free(&have), buf_free(&want);
      return false;
    }
    add(over, leaf, a);
  }
  return true;
}

typedef struct Rest { Call *call; const Over *over; const World *world; Expr *missing; } Rest;

static Expr *param_value(const World *world, Expr *leaf) {
  for (int i = 0; i < world->nparams; i++)
    if (leaf->op == EXPR_PARAM && world->params[i].name == leaf->name) return world->params[i].value;
  return NULL;
}

/* A leaf without a range: a param has its value. */
static Expr *rest(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  Rest *r = user;
  for (int i = 0; i < r->over->n; i++) if (r->over->box[i].leaf == leaf) return leaf;
  Expr *value = param_value(r->world, leaf);
  if (value) return value;
  r->missing = leaf;
  return leaf;
}

/* --- the result --- */

static void report_missing(Call *call, Expr *leaf) {
  if (leaf->op == EXPR_SYMBOL || leaf->op == EXPR_TERM)
    diag_suggest(REPORT(E0512, "`%s` is a solution, whose values between the nodes no formula bounds", leaf->name ? leaf->name : "it"), "max and min give its largest and smallest value");
  else {
    Buf text = {0};
    expr_print(&text, leaf, EXPR_TEXT);
    diag_suggest(REPORT(E0502, "`%s` has no range", buf_str(&text)), "write certified_range(..., %s: 0..1)", buf_str(&text));
    buf_free(&text);
  }
}

static void report_undefined(Call *call, const Over *over, CertifiedRange r) {
  Buf text = {0};
  for (int i = 0; i < over->n; i++) buf_printf(&text, "%s%s in %g..%g", i ? ", " : "", over->name[i], over->box[i].lo, over->box[i].hi);
  Diag *d = REPORT(E0509, r.undefined_seen ? "it has no finite value at some points of %s" : "it may have no finite value at some points of %s", buf_str(&text));
  diag_suggest(d, "a division by zero, a root or logarithm of a negative number: narrow the ranges");
  buf_free(&text);
}

static Value *pair(double lo, double hi, Unit unit, bool known) {
  if (unit.any) unit = UNIT_NONE;
  Value *ends[2] = {known ? value_number(lo, unit) : value_number_unknown(unit), known ? value_number(hi, unit) : value_number_unknown(unit)};
  Value *v = value_items(VALUE_TUPLE, ends, 2);
  value_release(ends[0]);
  value_release(ends[1]);
  return v;
}

static Value *bounded(Call *call, Expr *e, const Over *over, const Deps *deps) {
  WorldBuffers w;
  world_open(call->ev, deps, NAN, &w);
  Rest r = {call, over, &w.world, NULL};
  Expr *closed = expr_substitute(call->ev->host->pool, e, rest, &r), *scalar = closed && !r.missing ? expr_scalar(call->ev->host->pool, closed, 0, 3) : NULL;
  world_close(&w);
  if (!closed || r.missing) {
    if (r.missing) report_missing(call, r.missing);
    return value_poison();
  }
  if (!scalar) {
    REPORT(E0501, "%s", expr_error(call->ev->host->pool).text);
    return value_poison();
  }
  if (call->ev->dry) return pair(0, 0, e->unit, false);
  double work = ARG(1) ? ARG(1)->number : 0;
  CertifiedRange range = expr_range(scalar, over->box, over->n, &(RangeOptions){.work = work > 0 && work < 1e12 ? (long)work : 0}, NULL, NULL);
  if (range.may_be_undefined || !isfinite(range.lo) || !isfinite(range.hi)) {
    report_undefined(call, over, range);
    return value_poison();
  }
  return pair(range.lo, range.hi, e->unit, true);
}

Value *run_certified_range(Call *call) {
  Over over = {.n = 0};
  Deps deps = {0};
  if (call->nextra > OVER_MOST) {
    REPORT(E0504, "%d ranges at most", OVER_MOST);
    return value_poison();
  }
  for (int i = 0; i < call->nextra; i++) {
    if (is_unknown(call->extra[i].value)) return pair(0, 0, UNIT_ANY, false);
    if (!is_interval(call, &call->extra[i])) return value_poison();
  }
  if (is_unknown(ARG(0)) || (ARG(1) && is_unknown(ARG(1)))) return pair(0, 0, UNIT_ANY, false);
  Value *v = NULL;
  Expr *e = ARG(0)->kind == VALUE_FUNCTION ? of_function(call, &over, &deps) : eval_to_expr(call->ev, ARG(0), call->spans[0], &deps);
  if (!e) v = call->ev->host->diags.nerrors || !call->ev->dry ? value_poison() : pair(0, 0, UNIT_ANY, false);
  else if (e->shape.rank) {
    diag_suggest(diag_report(&call->ev->host->diags, E0301, call->spans[0], "a range is of a scalar"), "take a component, or the magnitude: abs(u)");
    v = value_poison();
  } else if (ARG(0)->kind != VALUE_FUNCTION && !of_field(call, e, &over)) v = value_poison();
  else v = bounded(call, e, &over, &deps);
  deps_free(&deps);
  return v;
}
