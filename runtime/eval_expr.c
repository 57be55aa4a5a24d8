/* Expressions: one function per kind of node, in a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "eval.h"
#include "samples.h"
#include "temperature.h"
#include "trace.h"

enum { DEPTH_MAX = 2000 };

/* The sign of a literal belongs to its number: -20 [degC] is 253.15 K. */
static Value *quantity(Eval *ev, const Ast *node, double sign) {
  UnitScale scale;
  if (!eval_unit(ev, node->kid[0], &scale)) return value_poison();
  Value *v = value_number(sign * node->number * scale.scale + scale.offset, scale.unit);
  if (scale.offset != 0) v->temperature = TEMPERATURE_ABSOLUTE;
  return v;
}

static Value *eval_number_node(Eval *ev, const Ast *node) {
  if (!node->kid || !node->n || !node->kid[0]) {
    Value *v = value_number(node->number, node->number == 0 ? UNIT_ANY : UNIT_NONE);
    v->integer = !(node->flags & AST_PERCENT) && node->number == floor(node->number) && fabs(node->number) < 1e15 &&
                 !strpbrk(node->text, ".eE");
    return v;
  }
  return quantity(ev, node, 1);
}

static Value *eval_string_node(Eval *ev, const Ast *node) {
  (void)ev;
  return value_string(node->text, strlen(node->text));
}

static Value *eval_bool_node(Eval *ev, const Ast *node) {
  (void)ev;
  return value_bool(node->number != 0);
}

static Value *eval_fstring(Eval *ev, const Ast *node) {
  Buf out = {0};
  bool poison = false;
  for (int i = 0; i < node->n; i++) {
    const Ast *part = node->kid[i];
    if (part->kind == AST_FTEXT) {
      buf_puts(&out, part->text);
      continue;
    }
    Value *v = eval_expr(ev, part->kid[0]);
    if (is_poison(v)) poison = true;
    else if (is_unknown(v)) buf_puts(&out, "?");
    else if (!value_format(ev, &out, v, part->text, part->span)) poison = true;
    value_release(v);
  }
  Value *v = poison ? value_poison() : value_string(buf_str(&out), out.len);
  buf_free(&out);
  return v;
}

/* Items of tuples, lists and index brackets; poison wins. */
static Value **eval_items(Eval *ev, Ast *const *nodes, int n, bool *poison) {
  Value **items = malloc((size_t)(n ? n : 1) * sizeof *items);
  for (int i = 0; i < n; i++) {
    items[i] = eval_expr(ev, nodes[i]);
    if (is_poison(items[i])) *poison = true;
  }
  return items;
}

static Value *collect(ValueKind kind, Value **items, int n, bool poison) {
  Value *v = poison ? value_poison() : value_items(kind, items, n);
  for (int i = 0; i < n; i++) {
    if (!poison && is_unknown(items[i])) v->known = false;
    value_release(items[i]);
  }
  free(items);
  return v;
}

static Value *eval_record(Eval *ev, const Ast *node) {
  Value *v = value_new(VALUE_RECORD);
  v->fields = calloc((size_t)node->n, sizeof *v->fields);
  bool poison = false;
  for (int i = 0; i < node->n; i++) {
    const Ast *arg = node->kid[i];
    if (arg->kind != AST_ARG || !arg->n || !arg->kid[0]) {
      diag_report(&ev->host->diags, E0209, arg->span, "a record labels every value: (u: a, p: b)");
      poison = true;
      continue;
    }
    v->fields[v->nfields++] = (Argument){arg->name, eval_expr(ev, arg->kid[0]), arg->span};
    if (is_poison(v->fields[v->nfields - 1].value)) poison = true;
    else if (is_unknown(v->fields[v->nfields - 1].value)) v->known = false;
  }
  if (!poison) return v;
  value_release(v);
  return value_poison();
}

static Value *eval_tuple(Eval *ev, const Ast *node) {
  for (int i = 0; i < node->n; i++)
    if (node->kid[i]->kind == AST_ARG) return eval_record(ev, node);
  bool poison = false;
  Value **items = eval_items(ev, node->kid, node->n, &poison);
  return collect(VALUE_TUPLE, items, node->n, poison);
}

static Value *eval_list(Eval *ev, const Ast *node) {
  bool poison = false;
  Value **items = eval_items(ev, node->kid, node->n, &poison);
  return collect(VALUE_LIST, items, node->n, poison);
}

static Value *eval_paren(Eval *ev, const Ast *node) { return eval_expr(ev, node->kid[0]); }

static Value *eval_name_node(Eval *ev, const Ast *node) { return eval_name(ev, node->name, node->span); }

static Value *eval_member_node(Eval *ev, const Ast *node) {
  Value *of = eval_expr(ev, node->kid[0]);
  Span name_span = {node->span.end - (uint32_t)strlen(node->name), node->span.end};
  Value *v = is_poison(of) ? value_retain(of) : eval_member(ev, of, node->name, node->span, name_span);
  value_release(of);
  return v;
}

/* `x [m]`, `(1/2) [m]`: brackets after anything but a number index; somebody who meant a unit is told so. */
static bool looks_like_unit(Eval *ev, const Ast *node) {
  const Ast *index = node->n > 1 ? node->kid[1] : NULL;
  UnitScale scale;
  return index && index->kind == AST_NAME && unit_symbol(index->name, &scale) && !scope_lookup(ev, index->name);
}

static Value *eval_index_node(Eval *ev, const Ast *node) {
  Value *of = eval_expr(ev, node->kid[0]);
  if (is_poison(of)) return of;
  if (looks_like_unit(ev, node)) {
    Diag *d = diag_report(&ev->host->diags, E0304, node->kid[1]->span, "[%s] after anything but a number is an index, not a unit",
                          node->kid[1]->name);
    diag_suggest(d, "multiply by a number with that unit: %s*1 [%s]", node->kid[0]->kind == AST_NAME ? node->kid[0]->name : "(...)",
                 node->kid[1]->name);
    value_release(of);
    return value_poison();
  }
  bool poison = false;
  Value **index = eval_items(ev, node->kid + 1, node->n - 1, &poison);
  Value *v = poison ? value_poison() : eval_index(ev, of, index, node->n - 1, node->span);
  for (int i = 0; i < node->n - 1; i++) value_release(index[i]);
  free(index);
  value_release(of);
  return v;
}

static Value *eval_unary_node(Eval *ev, const Ast *node) {
  const Ast *of = node->kid[0];
  if (node->op == OP_NEG && of->kind == AST_NUMBER && of->kid && of->n && of->kid[0]) return quantity(ev, of, -1);
  Value *a = eval_expr(ev, node->kid[0]);
  Value *v = eval_unary(ev, node->op, a, node->span);
  value_release(a);
  return v;
}

/* `E to [unit]`: the same value, shown in another unit. */
static Value *eval_to(Eval *ev, const Ast *node) {
  const Ast *target = node->kid[1];
  if (target->kind != AST_LIST || target->n != 1) {
    diag_suggest(diag_report(&ev->host->diags, E0303, target->span, "`to` wants a unit in brackets"), "write `L to [mm]`");
    return value_poison();
  }
  UnitScale scale;
  if (!eval_unit(ev, target->kid[0], &scale)) return value_poison();
  Value *v = eval_expr(ev, node->kid[0]);
  if (is_poison(v) || v->kind == VALUE_UNKNOWN) return v;
  if (v->kind == VALUE_LIST && !v->known) return v;
  if (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST) {
    ValueKind kind = v->kind;
    int n = v->n;
    bool poison = false;
    Value **items = malloc(((size_t)n + 1) * sizeof *items);
    for (int i = 0; i < n; i++) {
      items[i] = poison ? value_poison() : value_in_unit(ev, v->items[i], &scale, target->kid[0], node->span);
      poison |= is_poison(items[i]);
    }
    value_release(v);
    return collect(kind, items, n, poison);
  }
  Value *out = value_in_unit(ev, v, &scale, target->kid[0], node->span);
  value_release(v);
  return out;
}

/* `E at t`: the state of the solutions in E at that time. */
static Value *eval_at(Eval *ev, const Ast *node) {
  Value *time = eval_expr(ev, node->kid[1]);
  double t = NAN;
  if (ev->trace && ev->trace->formula && !is_poison(time)) {
    Value *of = eval_expr(ev, node->kid[0]), *moved = is_poison(of) ? value_poison() : trace_at_moving(ev, of, time, node->kid[1]->span);
    value_release(of);
    value_release(time);
    return moved;
  }
  bool fine = is_unknown(time) || eval_to_number(ev, time, node->kid[1]->span, "a time", host_time_unit(ev->host), &t);
  value_release(time);
  if (!fine) return value_poison();
  double outer = ev->at_time;
  ev->at_time = isnan(t) ? 0 : t;
  Value *v = eval_expr(ev, node->kid[0]);
  ev->at_time = outer;
  if (ev->trace && value_traced(v)) {
    Value *fixed = trace_at(ev, v, isnan(t) ? 0 : t, node->span);
    value_release(v);
    return fixed;
  }
  if (v->kind == VALUE_SAMPLES) {
    Value *slice = samples_at(ev, v, t, node->span);
    value_release(v);
    return slice;
  }
  if (v->kind != VALUE_FIELD || isnan(t)) return v;
  Value *fixed = with_field_time(ev, v, t);
  value_release(v);
  return fixed;
}

static Value *eval_logical(Eval *ev, const Ast *node) {
  Value *a = eval_expr(ev, node->kid[0]);
  bool truth;
  if (value_truthful(a, &truth) && a->known && !ev->dry && truth == (node->op == OP_OR)) return a;
  Value *b = eval_expr(ev, node->kid[1]);
  Value *v = eval_binary(ev, node->op, a, b, node->span, node->kid[0]->span, node->kid[1]->span);
  value_release(a);
  value_release(b);
  return v;
}

static Value *eval_binary_node(Eval *ev, const Ast *node) {
  switch (node->op) {
    case OP_TO: return eval_to(ev, node);
    case OP_AT: return eval_at(ev, node);
    case OP_AND:
    case OP_OR: return eval_logical(ev, node);
    default: break;
  }
  Value *a = eval_expr(ev, node->kid[0]), *b = eval_expr(ev, node->kid[1]);
  Value *v = eval_binary(ev, node->op, a, b, node->span, node->kid[0]->span, node->kid[1]->span);
  value_release(a);
  value_release(b);
  return v;
}

/* a < b <= c: every neighbouring pair holds. */
static Value *eval_chain(Eval *ev, const Ast *node) {
  Value *left = eval_expr(ev, node->kid[0]), *all = NULL;
  for (int i = 1; i < node->n; i++) {
    Value *right = eval_expr(ev, node->kid[i]);
    Value *pair = eval_binary(ev, (AstOp)(unsigned char)node->text[i - 1], left, right, node->span, node->kid[i - 1]->span, node->kid[i]->span);
    if (!all) all = pair;
    else {
      Value *both = eval_binary(ev, OP_AND, all, pair, node->span, node->span, node->span);
      value_release(all);
      value_release(pair);
      all = both;
    }
    value_release(left);
    left = right;
  }
  value_release(left);
  return all ? all : value_poison();
}

static bool fieldish(const Value *v) { return v->kind == VALUE_FIELD || v->kind == VALUE_CONDITION; }

static Value *eval_equation(Eval *ev, const Ast *node) {
  Value *a = eval_expr(ev, node->kid[0]), *b = eval_expr(ev, node->kid[1]), *v;
  if (is_poison(a) || is_poison(b)) v = value_poison();
  else if (fieldish(a) || fieldish(b) || ev->symbolic) {
    v = value_new(VALUE_CONDITION);
    v->left = value_retain(a);
    v->right = value_retain(b);
    v->equation = node;
    v->equation_scope = scope_retain(ev->scope);
    v->equation_program = program_retain(ev->module->program);
  } else if (is_unknown(a) || is_unknown(b)) {
    v = value_bool(false);
    v->known = false;
  } else v = value_bool(value_equal(a, b));
  value_release(a);
  value_release(b);
  return v;
}

static Value *eval_range(Eval *ev, const Ast *node) {
  Value *v = value_new(VALUE_RANGE);
  double ends[3] = {0, 0, 0};
  Unit unit = UNIT_ANY;
  bool integer = true;
  for (int i = 0; i < node->n && i < 3; i++) {
    if (!node->kid[i]) continue;
    Value *end = eval_expr(ev, node->kid[i]);
    if ((i == 2 && !temperature_is_step(ev, end, node->kid[i]->span)) || (!is_unknown(end) && !eval_to_number(ev, end, node->kid[i]->span, i < 2 ? "the end of a range" : "the step of a range", unit, &ends[i]))) {
      value_release(end);
      value_release(v);
      return value_poison();
    }
    if (is_unknown(end)) v->known = false;
    if (end->kind == VALUE_NUMBER) {
      integer &= end->integer;
      unit = unit_merge(unit, end->unit);
    }
    if (i == 2) v->has_by = true;
    value_release(end);
  }
  v->from = ends[0];
  v->to = ends[1];
  v->by = ends[2];
  v->range_unit = unit;
  v->range_integer = integer;
  if (v->known && v->has_by && (v->by == 0 || (v->to - v->from) * v->by < 0)) {
    diag_report(&ev->host->diags, E0506, node->span, "the range never ends: from %g to %g by %g", v->from, v->to, v->by);
    value_release(v);
    return value_poison();
  }
  return v;
}

static Value *eval_where(Eval *ev, const Ast *node) {
  Eval inner = *ev;
  inner.symbolic = true;
  Value *v = eval_expr(&inner, node->kid[0]);
  ev->returned = inner.returned;
  return v;
}

static Value *eval_if_expr(Eval *ev, const Ast *node) {
  Value *c = eval_expr(ev, node->kid[0]);
  bool truth = false;
  if (is_poison(c)) return c;
  if (c->kind == VALUE_FIELD || c->kind == VALUE_CONDITION) {
    Value *a = eval_expr(ev, node->kid[1]), *b = eval_expr(ev, node->kid[2]);
    Value *v = a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN ? value_unknown() : field_if(ev, c, a, b, node);
    value_release(a);
    value_release(b);
    value_release(c);
    return v;
  }
  if (c->kind != VALUE_UNKNOWN && !value_truthful(c, &truth)) {
    diag_report(&ev->host->diags, E0507, node->kid[0]->span, "a condition is true or false; this is %s %s", value_article(c), value_kind_name(c));
    value_release(c);
    return value_poison();
  }
  bool known = !is_unknown(c);
  value_release(c);
  if (known && !ev->dry) return eval_expr(ev, node->kid[truth ? 1 : 2]);
  Value *a = eval_expr(ev, node->kid[1]), *b = eval_expr(ev, node->kid[2]);
  if (is_poison(b) || (known && !truth)) {
    value_release(a);
    return b;
  }
  value_release(b);
  if (known || is_poison(a)) return a;
  Value *v = a->kind == VALUE_NUMBER ? value_number_unknown(a->unit) : value_unknown();
  value_release(a);
  return v;
}

/* z with (a: 1): a changed copy of a record. */
static Value *eval_with(Eval *ev, const Ast *node) {
  Value *of = eval_expr(ev, node->kid[0]);
  if (of->kind == VALUE_UNKNOWN)
    for (int k = 1; k < node->n; k++)       /* read, so that what it uses is used */
      if (node->kid[k]->kind == AST_ARG && node->kid[k]->n && node->kid[k]->kid[0]) value_release(eval_expr(ev, node->kid[k]->kid[0]));
  if (is_poison(of) || of->kind == VALUE_UNKNOWN) return of;
  if (of->kind == VALUE_PROBE) {
    Value *changed = probe_with(ev, node, of);
    value_release(of);
    return changed;
  }
  if (of->kind != VALUE_RECORD) {
    diag_report(&ev->host->diags, E0508, node->span, "`with` changes a copy of a record; this is %s %s", value_article(of), value_kind_name(of));
    value_release(of);
    return value_poison();
  }
  Value *v = value_new(VALUE_RECORD);
  v->known = of->known;
  v->fields = calloc((size_t)of->nfields, sizeof *v->fields);
  v->nfields = of->nfields;
  for (int i = 0; i < of->nfields; i++) {
    v->fields[i] = of->fields[i];
    value_retain(v->fields[i].value);
  }
  for (int k = 1; k < node->n; k++) {
    const Ast *arg = node->kid[k];
    int at = -1;
    for (int i = 0; i < v->nfields; i++)
      if (arg->kind == AST_ARG && v->fields[i].name == arg->name) at = i;
    if (at < 0) {
      diag_report(&ev->host->diags, E0111, arg->span, "the record has no `%s`", arg->name ? arg->name : "?");
      continue;
    }
    value_release(v->fields[at].value);
    v->fields[at].value = eval_expr(ev, arg->kid[0]);
  }
  value_release(of);
  return v;
}

Value *eval_call_node(Eval *ev, const Ast *node);

typedef Value *(*EvalNode)(Eval *, const Ast *);
static const EvalNode eval_nodes[AST_KINDS] = {
    [AST_NAME] = eval_name_node, [AST_NUMBER] = eval_number_node, [AST_STRING] = eval_string_node, [AST_FSTRING] = eval_fstring,
    [AST_BOOL] = eval_bool_node, [AST_TUPLE] = eval_tuple, [AST_PAREN] = eval_paren, [AST_LIST] = eval_list,
    [AST_CALL] = eval_call_node, [AST_INDEX] = eval_index_node, [AST_MEMBER] = eval_member_node, [AST_WITH] = eval_with,
    [AST_UNARY] = eval_unary_node, [AST_BINARY] = eval_binary_node, [AST_CHAIN] = eval_chain, [AST_EQUATION] = eval_equation,
    [AST_RANGE] = eval_range, [AST_WHERE] = eval_where, [AST_IFEXPR] = eval_if_expr, [AST_DECL] = decl_value,
};

Value *eval_expr(Eval *ev, const Ast *node) {
  if (host_stopped(ev->host, node->span)) return value_poison();
  if (ev->depth >= DEPTH_MAX) {
    diag_report(&ev->host->diags, E0511, node->span, "calls or expressions nest deeper than %d", DEPTH_MAX);
    return value_poison();
  }
  EvalNode run = eval_nodes[node->kind];
  if (!run) {
    diag_report(&ev->host->diags, E0208, node->span, "a value was expected here");
    return value_poison();
  }
  ev->depth++;
  Value *v = run(ev, node);
  ev->depth--;
  return v;
}

/* --- units --- */

static bool unit_exponent(const Ast *node, double *out) {
  if (node->kind == AST_PAREN) return unit_exponent(node->kid[0], out);
  if (node->kind == AST_UNARY && node->op == OP_NEG && unit_exponent(node->kid[0], out)) {
    *out = -*out;
    return true;
  }
  if (node->kind == AST_BINARY && node->op == OP_DIV) {
    double a, b;
    if (!unit_exponent(node->kid[0], &a) || !unit_exponent(node->kid[1], &b) || b == 0) return false;
    *out = a / b;
    return true;
  }
  if (node->kind != AST_NUMBER || (node->n && node->kid[0])) return false;
  *out = node->number;
  return true;
}

static bool unit_power(Eval *ev, const Ast *node, UnitScale base, double power, UnitScale *out) {
  if (!unit_pow(base.unit, power, &out->unit)) {
    diag_report(&ev->host->diags, E0303, node->span, "the exponent %g of a unit is not supported", power);
    return false;
  }
  out->scale = pow(base.scale, power);
  out->offset = 0;
  return true;
}

bool eval_unit(Eval *ev, const Ast *node, UnitScale *out) {
  *out = (UnitScale){UNIT_NONE, 1, 0};
  UnitScale a, b;
  double power;
  switch (node->kind) {
    case AST_NAME:
      if (unit_symbol(node->name, out)) return true;
      if (host_own_unit(ev->host, node->name, out)) return true;
      Diag *d = diag_report(&ev->host->diags, E0303, node->span, "`%s` is no unit", node->name);
      const char *near = unit_nearest(node->name);
      if (near) diag_replace(diag_suggest(d, "did you mean `%s`?", near), "%s", near);
      return false;
    case AST_PAREN: return eval_unit(ev, node->kid[0], out);
    case AST_NUMBER:
      if (node->number == 1 || node->number == 0) return true;
      break;
    case AST_UNARY:
      if (node->op != OP_SQUARE && node->op != OP_CUBE) break;
      return eval_unit(ev, node->kid[0], &a) && unit_power(ev, node, a, node->op == OP_SQUARE ? 2 : 3, out);
    case AST_BINARY:
      if (node->op == OP_POW)
        return eval_unit(ev, node->kid[0], &a) && unit_exponent(node->kid[1], &power) && unit_power(ev, node, a, power, out);
      if (node->op != OP_MUL && node->op != OP_DIV && node->op != OP_DOT) break;
      if (!eval_unit(ev, node->kid[0], &a) || !eval_unit(ev, node->kid[1], &b)) return false;
      out->unit = node->op == OP_DIV ? unit_div(a.unit, b.unit) : unit_mul(a.unit, b.unit);
      out->scale = node->op == OP_DIV ? a.scale / b.scale : a.scale * b.scale;
      return true;
    default: break;
  }
  diag_suggest(diag_report(&ev->host->diags, E0303, node->span, "this is no unit"), "units are products, quotients and powers of symbols: [W/(m^2*K)]");
  return false;
}
