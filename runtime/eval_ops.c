/* Operators. Numbers compute; as soon as a field takes part the result is an expression. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "eval.h"
#include "samples.h"
#include "temperature.h"
#include "trace.h"

/* --- conversions --- */

static void report_expr(Eval *ev, Span span, Span left, Span right, const Expr *a, const Expr *b, AstOp op) {
  ExprError error = expr_error(ev->host->pool);
  DiagCode code = error.kind == EXPR_UNIT || error.kind == EXPR_POWER ? E0302 : E0301;
  Buf sa = {0}, sb = {0};
  if (code == E0302) {
    unit_print(&sa, a->unit);
    if (b) unit_print(&sb, b->unit);
  } else {
    shape_print(&sa, a->shape);
    if (b) shape_print(&sb, b->shape);
  }
  const char *what = code == E0302 ? "units" : "shapes";
  Diag *d;
  if (b) {
    d = diag_report(&ev->host->diags, code, span, "the %s of `%s` do not fit: %s", what, ast_op_text(op), error.text);
    diag_note(d, left, code == E0302 ? "this carries %s" : "this is a %s", buf_str(&sa));
    diag_note(d, right, code == E0302 ? "this carries %s" : "this is a %s", buf_str(&sb));
    if (code == E0301 && (op == OP_ADD || op == OP_SUB) && a->shape.rank + b->shape.rank == 2 && a->shape.rank != b->shape.rank)
      diag_suggest(d, "a scalar becomes a tensor by the identity: p*I");
    if (code == E0301 && op == OP_DOT && !(a->shape.rank && b->shape.rank)) {
      const Source *source = source_of(ev->host->sources, span);
      diag_suggest(d, "between numbers and scalars a product is written with `*`: %.*s*%.*s", (int)(left.end - left.start), source->text + (left.start - source->base),
                   (int)(right.end - right.start), source->text + (right.start - source->base));
    }
    if (code == E0301 && op == OP_MUL && a->shape.rank && b->shape.rank) diag_suggest(d, "between vectors and tensors write dot(a, b), inner(a, b) or outer(a, b)");
  } else d = diag_report(&ev->host->diags, code, span, "%s", error.text);
  buf_free(&sa);
  buf_free(&sb);
}

static Expr *rows_to_expr(Eval *ev, Value *v, Span span, Deps *deps) {
  Expr **args = malloc((size_t)(v->n ? v->n : 1) * sizeof *args);
  Expr *e = NULL;
  int i = 0;
  for (; i < v->n; i++)
    if (!(args[i] = eval_to_expr(ev, v->items[i], span, deps))) break;
  if (i == v->n && v->n) {
    bool rows = args[0]->shape.rank == 1;
    e = expr_make(ev->host->pool, rows ? EXPR_TENSOR : EXPR_VECTOR, args, v->n);
    if (!e) {
      ExprError error = expr_error(ev->host->pool);
      diag_report(&ev->host->diags, error.kind == EXPR_UNIT ? E0302 : E0301, span, "%s", error.text);
    }
  } else if (!v->n) diag_report(&ev->host->diags, E0301, span, "an empty list is no vector");
  free(args);
  return e;
}

Expr *eval_to_expr(Eval *ev, Value *v, Span span, Deps *deps) {
  switch (v->kind) {
    case VALUE_POISON: return NULL;
    case VALUE_FIELD:
      if (deps) deps_union(deps, &v->deps);
      return v->expr;
    case VALUE_NUMBER:
      if (!v->known) return expr_param(ev->host->pool, intern_text(ev->host->names, "?"), SHAPE_SCALAR, v->unit, true);
      if (v->number == 0 && v->unit.any) return expr_zero(ev->host->pool, SHAPE_SCALAR);
      return expr_const(ev->host->pool, v->number, v->unit);
    case VALUE_TUPLE:
    case VALUE_LIST: return rows_to_expr(ev, v, span, deps);
    case VALUE_SAMPLES: return samples_expr(ev, v, span);
    case VALUE_UNKNOWN: return expr_param(ev->host->pool, intern_text(ev->host->names, "?"), SHAPE_SCALAR, UNIT_ANY, true);
    default: break;
  }
  diag_report(&ev->host->diags, E0508, span, "%s %s cannot stand in a field expression", value_article(v), value_kind_name(v));
  return NULL;
}

bool eval_to_number(Eval *ev, Value *v, Span span, const char *what, Unit unit, double *out) {
  if (v->kind == VALUE_POISON) return false;
  if (v->kind == VALUE_FIELD && expr_is_const(v->expr, out) && v->expr->shape.rank == 0) {
    if (unit_fits(v->expr->unit, unit)) return true;
  } else if (v->kind == VALUE_NUMBER && unit_fits(v->unit, unit)) {
    *out = v->number;
    return true;
  } else if (v->kind != VALUE_NUMBER) {
    diag_report(&ev->host->diags, E0505, span, "%s is a number; this is %s %s", what, value_article(v), value_kind_name(v));
    return false;
  }
  Buf have = {0}, want = {0};
  unit_print(&have, v->kind == VALUE_NUMBER ? v->unit : v->expr->unit);
  unit_print(&want, unit);
  bool bare = v->kind == VALUE_NUMBER && unit_is_none(v->unit) && unit_equal(unit, host_length_unit(ev->host));
  Diag *d = diag_report(&ev->host->diags, bare ? E0305 : E0302, span, "%s carries %s; this carries %s", what, unit_is_none(unit) ? "no unit" : buf_str(&want),
                        unit_is_none(v->kind == VALUE_NUMBER ? v->unit : v->expr->unit) ? "no unit" : buf_str(&have));
  if (v->kind == VALUE_NUMBER && unit_is_none(v->unit)) diag_suggest(d, "a number takes its unit in brackets: %g [%s]", v->number, buf_str(&want));
  buf_free(&have);
  buf_free(&want);
  return false;
}

/* --- numbers --- */

static Value *units_differ(Eval *ev, const Value *a, const Value *b, AstOp op, Span span, Span left, Span right) {
  Buf ua = {0}, ub = {0};
  unit_print(&ua, a->unit);
  unit_print(&ub, b->unit);
  Diag *d = diag_report(&ev->host->diags, E0302, span, "the units of `%s` do not fit", ast_op_text(op));
  diag_note(d, left, unit_is_none(a->unit) ? "this carries no unit" : "this carries %s", buf_str(&ua));
  diag_note(d, right, unit_is_none(b->unit) ? "this carries no unit" : "this carries %s", buf_str(&ub));
  if (unit_is_none(a->unit) || unit_is_none(b->unit)) diag_suggest(d, "a number takes its unit in brackets: 1 [%s]", unit_is_none(a->unit) ? buf_str(&ub) : buf_str(&ua));
  else diag_suggest(d, "sums, differences and comparisons are between quantities of one kind; products of any");
  buf_free(&ua);
  buf_free(&ub);
  return value_poison();
}

static double apply(AstOp op, double a, double b) {
  switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    default: return pow(a, b);
  }
}

static Value *number_arithmetic(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  Unit unit = UNIT_NONE;
  switch (op) {
    case OP_ADD:
    case OP_SUB:
      if (!unit_fits(a->unit, b->unit)) return units_differ(ev, a, b, op, span, left, right);
      unit = unit_merge(a->unit, b->unit);
      break;
    case OP_MUL: unit = unit_mul(a->unit, b->unit); break;
    case OP_DIV: unit = unit_div(a->unit, b->unit); break;
    default:
      if (!unit_is_none(b->unit) && !b->unit.any) {
        diag_report(&ev->host->diags, E0302, right, "an exponent carries no unit");
        return value_poison();
      }
      if (!unit_pow(a->unit, b->known ? b->number : 1, &unit)) {
        diag_report(&ev->host->diags, E0302, span, "a unit cannot be raised to the power %g", b->number);
        return value_poison();
      }
  }
  if (!a->known || !b->known) return value_number_unknown(unit);
  if (op == OP_DIV && b->number == 0) {
    diag_report(&ev->host->diags, E0509, span, "division by zero");
    return value_poison();
  }
  Value *v = value_number(apply(op, a->number, b->number), unit);
  if (unit.any && v->number != 0) v->unit = UNIT_NONE;      /* 0*L is still the zero of any unit; 0^0 is 1 */
  if (op == OP_POW && isnan(v->number) && !isnan(a->number)) {
    diag_report(&ev->host->diags, E0509, span, "%g^%g is not a real number", a->number, b->number);
    value_release(v);
    return value_poison();
  }
  v->integer = a->integer && b->integer && op != OP_DIV && !(op == OP_POW && b->number < 0) && fabs(v->number) < 9e15;
  if (v->number == 0 && (a->unit.any && b->unit.any)) v->unit = UNIT_ANY;
  return v;
}

static Value *number_compare(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  if (!unit_fits(a->unit, b->unit)) return units_differ(ev, a, b, op, span, left, right);
  double x = a->number, y = b->number;
  Value *v = value_bool(op == OP_LT ? x < y : op == OP_GT ? x > y : op == OP_LE ? x <= y : op == OP_GE ? x >= y : x != y);
  v->known = a->known && b->known;
  return v;
}

/* --- fields --- */

static ExprOp expr_op(AstOp op) {
  switch (op) {
    case OP_ADD: return EXPR_ADD;
    case OP_SUB: return EXPR_SUB;
    case OP_MUL: return EXPR_MUL;
    case OP_DIV: return EXPR_DIV;
    case OP_POW: return EXPR_POW;
    case OP_DOT: return EXPR_DOT;
    case OP_CROSS: return EXPR_CROSS;
    case OP_OUTER: return EXPR_OUTER;
    case OP_LT: return EXPR_LT;
    case OP_GT: return EXPR_GT;
    case OP_LE: return EXPR_LE;
    case OP_GE: return EXPR_GE;
    case OP_NE: return EXPR_NE;
    case OP_AND: return EXPR_AND;
    case OP_OR: return EXPR_OR;
    default: return EXPR_OPS;
  }
}

static bool field_like(const Value *v) {
  return v->kind == VALUE_FIELD || v->kind == VALUE_SAMPLES || v->kind == VALUE_NUMBER || v->kind == VALUE_TUPLE || v->kind == VALUE_LIST;
}

Expr *eval_truth_expr(Eval *ev, Value *v, Span span, Deps *deps) {
  if (v->kind != VALUE_CONDITION) {
    if (v->kind == VALUE_BOOL) return expr_const(ev->host->pool, v->truth, UNIT_NONE);
    return eval_to_expr(ev, v, span, deps);
  }
  Expr *a = eval_to_expr(ev, v->left, span, deps), *b = eval_to_expr(ev, v->right, span, deps);
  if (!a || !b) return NULL;
  Expr *e = expr_binary(ev->host->pool, EXPR_EQ, a, b);
  if (!e) report_expr(ev, span, v->equation->kid[0]->span, v->equation->kid[1]->span, a, b, OP_NE);
  return e;
}

static Value *field_binary(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  Deps deps = {0};
  bool logical = op == OP_AND || op == OP_OR;
  Expr *ea = logical ? eval_truth_expr(ev, a, left, &deps) : eval_to_expr(ev, a, left, &deps);
  Expr *eb = logical ? eval_truth_expr(ev, b, right, &deps) : eval_to_expr(ev, b, right, &deps);
  Value *v = NULL;
  if (ea && eb) {
    Expr *e = expr_binary(ev->host->pool, expr_op(op), ea, eb);
    if (e) v = value_field(e, &deps);
    else report_expr(ev, span, left, right, ea, eb, op);
  }
  if (v) v->mesh_hint = value_retain(a->kind == VALUE_FIELD && a->mesh_hint ? a->mesh_hint : b->kind == VALUE_FIELD ? b->mesh_hint : NULL);
  deps_free(&deps);
  return v ? v : value_poison();
}

Value *field_if(Eval *ev, Value *c, Value *a, Value *b, const Ast *node) {
  Deps deps = {0};
  Expr *args[3] = {eval_truth_expr(ev, c, node->kid[0]->span, &deps), eval_to_expr(ev, a, node->kid[1]->span, &deps),
                   eval_to_expr(ev, b, node->kid[2]->span, &deps)};
  Value *v = NULL;
  if (args[0] && args[1] && args[2]) {
    Expr *e = expr_make(ev->host->pool, EXPR_IF, args, 3);
    if (e) v = value_field(e, &deps);
    else report_expr(ev, node->span, node->kid[1]->span, node->kid[2]->span, args[1], args[2], OP_NONE);
  }
  deps_free(&deps);
  return v ? v : value_poison();
}

/* --- tuples of numbers stay numbers --- */

static bool numeric_tuple(const Value *v) {
  if (v->kind != VALUE_TUPLE) return false;
  for (int i = 0; i < v->n; i++)
    if (v->items[i]->kind != VALUE_NUMBER) return false;
  return true;
}

static Value *tuple_binary(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  int n = a->kind == VALUE_TUPLE ? a->n : b->n;
  if (a->kind == VALUE_TUPLE && b->kind == VALUE_TUPLE && a->n != b->n) {
    diag_report(&ev->host->diags, E0301, span, "`%s` between a vector %d and a vector %d", ast_op_text(op), a->n, b->n);
    return value_poison();
  }
  Value **items = malloc((size_t)(n ? n : 1) * sizeof *items);
  bool poison = false;
  for (int i = 0; i < n; i++) {
    items[i] = number_arithmetic(ev, op, a->kind == VALUE_TUPLE ? a->items[i] : a, b->kind == VALUE_TUPLE ? b->items[i] : b, span, left, right);
    poison |= is_poison(items[i]);
  }
  Value *v = poison ? value_poison() : value_items(VALUE_TUPLE, items, n);
  for (int i = 0; i < n; i++) {
    if (is_unknown(items[i])) v->known = false;
    value_release(items[i]);
  }
  free(items);
  return v;
}

static bool tuple_op(AstOp op, const Value *a, const Value *b) {
  bool ta = numeric_tuple(a), tb = numeric_tuple(b);
  if (op == OP_ADD || op == OP_SUB) return ta && tb;
  if (op == OP_MUL) return (ta && b->kind == VALUE_NUMBER) || (tb && a->kind == VALUE_NUMBER);
  return op == OP_DIV && ta && b->kind == VALUE_NUMBER;
}

/* --- the rest --- */

static Value *concatenate(Eval *ev, Value *a, Value *b, Span span) {
  if (a->kind == VALUE_STRING && b->kind == VALUE_STRING) {
    Buf out = {0};
    buf_add(&out, a->text, a->len);
    buf_add(&out, b->text, b->len);
    Value *v = value_string(buf_str(&out), out.len);
    buf_free(&out);
    return v;
  }
  if (a->kind == VALUE_LIST && b->kind == VALUE_LIST) {
    Value **items = malloc((size_t)(a->n + b->n + 1) * sizeof *items);
    memcpy(items, a->items, (size_t)a->n * sizeof *items);
    memcpy(items + a->n, b->items, (size_t)b->n * sizeof *items);
    Value *v = value_items(VALUE_LIST, items, a->n + b->n);
    v->known = a->known && b->known;
    free(items);
    return v;
  }
  diag_report(&ev->host->diags, E0508, span, "`++` joins two lists or two strings; these are %s %s and %s %s", value_article(a), value_kind_name(a), value_article(b), value_kind_name(b));
  return value_poison();
}

static Value *logical(Eval *ev, AstOp op, Value *a, Value *b, Span left, Span right) {
  bool x = false, y = false;
  for (int i = 0; i < 2; i++) {
    Value *v = i ? b : a;
    if (v->kind == VALUE_UNKNOWN || value_truthful(v, i ? &y : &x)) continue;
    diag_report(&ev->host->diags, E0507, i ? right : left, "`%s` joins conditions; this is %s %s", ast_op_text(op), value_article(v), value_kind_name(v));
    return value_poison();
  }
  Value *v = value_bool(op == OP_AND ? x && y : x || y);
  v->known = !is_unknown(a) && !is_unknown(b);
  return v;
}

static Value *contains(Eval *ev, Value *a, Value *b, Span span) {
  if (b->kind == VALUE_LIST || b->kind == VALUE_TUPLE) {
    for (int i = 0; i < b->n; i++)
      if (value_equal(a, b->items[i])) return value_bool(true);
    return value_bool(false);
  }
  if (b->kind == VALUE_RANGE && a->kind == VALUE_NUMBER) return value_bool(a->number >= b->from && a->number <= b->to);
  diag_report(&ev->host->diags, E0508, span, "`in` looks into a list or a range; this is %s %s", value_article(b), value_kind_name(b));
  return value_poison();
}

static Value *geometry_binary(Eval *ev, AstOp op, Value *a, Value *b, Span span) {
  GeomOp g = op == OP_ADD ? GEOM_UNION : op == OP_SUB ? GEOM_DIFFERENCE : op == OP_AND_GEOM ? GEOM_INTERSECTION : GEOM_PRIMITIVE;
  if (g == GEOM_PRIMITIVE) {
    diag_suggest(diag_report(&ev->host->diags, E0508, span, "geometries have no `%s`", ast_op_text(op)), "they combine by + (union), - (difference) and & (intersection)");
    return value_poison();
  }
  Geom *geom = geom_combine(g, a->geom, b->geom, &ev->host->diags, span);
  if (!geom) return value_poison();
  Value *v = value_new(VALUE_GEOMETRY);
  v->geom = geom;
  return v;
}

static Value *mismatch(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  Diag *d = diag_report(&ev->host->diags, E0508, span, "`%s` does not apply to %s %s and %s %s", ast_op_text(op), value_article(a), value_kind_name(a), value_article(b), value_kind_name(b));
  diag_note(d, left, "%s %s", value_article(a), value_kind_name(a));
  diag_note(d, right, "%s %s", value_article(b), value_kind_name(b));
  if (op == OP_ADD && (a->kind == VALUE_STRING || b->kind == VALUE_STRING)) diag_suggest(d, "put values into a text by an f-string: f\"a = {a}\"; texts are joined by ++");
  if ((a->kind == VALUE_CONDITION || b->kind == VALUE_CONDITION) && (op == OP_AND || op == OP_OR))
    diag_suggest(d, "`==` between fields is an equation, no truth value; compare numbers: norm(a - b) < tol");
  return value_poison();
}

static bool is_comparison(const Value *v) { return v->kind == VALUE_FIELD && v->expr->op >= EXPR_LT && v->expr->op <= EXPR_NOT; }

static Value *binary(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  bool compare = op == OP_LT || op == OP_GT || op == OP_LE || op == OP_GE || op == OP_NE;
  bool arithmetic = op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV || op == OP_POW;
  bool is_logical = op == OP_AND || op == OP_OR;
  if (op == OP_CAT && a->kind != VALUE_UNKNOWN && b->kind != VALUE_UNKNOWN) return concatenate(ev, a, b, span);
  if (a->kind == VALUE_NUMBER && b->kind == VALUE_NUMBER) {
    if (arithmetic) return number_arithmetic(ev, op, a, b, span, left, right);
    if (compare) return number_compare(ev, op, a, b, span, left, right);
  }
  bool truths = (a->kind == VALUE_BOOL || a->kind == VALUE_UNKNOWN) && (b->kind == VALUE_BOOL || b->kind == VALUE_UNKNOWN);
  if (is_logical && truths) return logical(ev, op, a, b, left, right);
  if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN) {
    Value *v = value_unknown();
    return v;
  }
  if (op == OP_IN) return contains(ev, a, b, span);
  if (ev->trace && arithmetic && (a->kind == VALUE_RECORD || b->kind == VALUE_RECORD)) return trace_records(ev, op, a, b, span, left, right);
  if (a->kind == VALUE_GEOMETRY && b->kind == VALUE_GEOMETRY) return geometry_binary(ev, op, a, b, span);
  if (op == OP_ADD && a->kind == VALUE_PLACE && b->kind == VALUE_PLACE) return place_union(ev, a, b, span);
  if (tuple_op(op, a, b)) return tuple_binary(ev, op, a, b, span, left, right);
  if (compare && a->kind == VALUE_STRING && b->kind == VALUE_STRING && op == OP_NE) return value_bool(!value_equal(a, b));
  bool truth_fields = is_logical && (a->kind == VALUE_FIELD || a->kind == VALUE_CONDITION || b->kind == VALUE_FIELD || b->kind == VALUE_CONDITION) && ev->symbolic;
  truth_fields |= is_logical && ev->trace && (value_traced(a) || value_traced(b));
  truth_fields |= is_logical && is_comparison(a) && is_comparison(b);   /* of places, as in 0 <= x <= 1 */
  if (truth_fields) return field_binary(ev, op, a, b, span, left, right);
  if (expr_op(op) != EXPR_OPS && !is_logical && field_like(a) && field_like(b)) {
    if (a->kind == VALUE_LIST && b->kind == VALUE_LIST && a->n && a->items[0]->kind != VALUE_LIST) {
      diag_suggest(diag_report(&ev->host->diags, E0508, span, "lists have no `%s`", ast_op_text(op)), "vectors are written (a, b); lists are joined by ++");
      return value_poison();
    }
    return field_binary(ev, op, a, b, span, left, right);
  }
  return mismatch(ev, op, a, b, span, left, right);
}

static bool has_no_unit(const Value *v) { return v->kind == VALUE_NUMBER ? unit_is_none(v->unit) : v->kind == VALUE_FIELD && unit_is_none(v->expr->unit); }

Value *eval_binary(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  if (is_poison(a) || is_poison(b)) return value_poison();
  Temperature temperature;
  if (!temperature_combine(ev, op, a, b, span, left, right, &temperature)) return value_poison();
  Value *v = binary(ev, op, a, b, span, left, right);
  if (temperature != TEMPERATURE_PLAIN && !is_poison(v) && !has_no_unit(v)) v->temperature = temperature;
  return v;
}

static ExprOp prefix_op(AstOp op) {
  switch (op) {
    case OP_NEG: return EXPR_NEG;
    case OP_NOT: return EXPR_NOT;
    case OP_GRAD: return EXPR_GRAD;
    case OP_DIVERGENCE: return EXPR_DIVERGENCE;
    case OP_CURL: return EXPR_CURL;
    case OP_LAP: return EXPR_LAP;
    case OP_DT: return EXPR_DT;
    default: return EXPR_OPS;
  }
}

static Value *unary(Eval *ev, AstOp op, Value *a, Span span) {
  if (op == OP_SQUARE || op == OP_CUBE) {
    Value *power = value_int(op == OP_SQUARE ? 2 : 3);
    Value *v = eval_binary(ev, OP_POW, a, power, span, span, span);
    value_release(power);
    return v;
  }
  if (op == OP_NOT && a->kind == VALUE_BOOL) {
    Value *v = value_bool(!a->truth);
    v->known = a->known;
    return v;
  }
  if (op == OP_NEG && a->kind == VALUE_NUMBER) {
    Value *v = a->known ? value_number(-a->number, a->unit) : value_number_unknown(a->unit);
    v->integer = a->integer;
    return v;
  }
  if (op == OP_NEG && numeric_tuple(a)) {
    Value *minus = value_int(-1);
    Value *v = tuple_binary(ev, OP_MUL, minus, a, span, span, span);
    value_release(minus);
    return v;
  }
  if (!field_like(a) && !(op == OP_NOT && a->kind == VALUE_CONDITION)) {
    diag_report(&ev->host->diags, E0508, span, "`%s` does not apply to %s %s", ast_op_text(op), value_article(a), value_kind_name(a));
    return value_poison();
  }
  Deps deps = {0};
  Expr *e = op == OP_NOT ? eval_truth_expr(ev, a, span, &deps) : eval_to_expr(ev, a, span, &deps), *r = NULL;
  if (e) {
    if (op == OP_DX || op == OP_DY || op == OP_DZ) r = expr_dx(ev->host->pool, e, op - OP_DX, host_length_unit(ev->host));
    else r = expr_unary(ev->host->pool, prefix_op(op), e);
    if (!r) report_expr(ev, span, span, span, e, NULL, op);
  }
  Value *v = r ? value_field(r, &deps) : value_poison();
  if (r && a->kind == VALUE_FIELD) v->mesh_hint = value_retain(a->mesh_hint);
  deps_free(&deps);
  return v;
}

Value *eval_unary(Eval *ev, AstOp op, Value *a, Span span) {
  if (is_poison(a) || a->kind == VALUE_UNKNOWN) return value_retain(a);
  Value *v = unary(ev, op, a, span);
  return op == OP_NEG ? temperature_difference_kept(a, v) : v;
}
