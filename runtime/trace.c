#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/expr.h"

Trace *trace_new(Eval *ev, Value *map) {
  Trace *t = calloc(1, sizeof *t);
  t->host = ev->host;
  t->arena = arena_new();
  t->map = value_retain(value_map(map));
  t->m = t->map->map;
  return t;
}

void trace_free(Trace *t) {
  if (!t) return;
  for (int i = 0; i < t->napplies; i++) value_release(t->applied[i]);
  for (int i = 0; i < t->nneeds; i++) free(t->needs[i].reason);
  free(t->probes);
  free(t->inputs);
  free(t->applies);
  free(t->applied);
  free(t->reduces);
  free(t->wheres);
  free(t->where_spans);
  free(t->needs);
  free(t->jumps);
  value_release(t->map);
  arena_free(t->arena);
  free(t);
}

bool value_traced(const Value *v) {
  if (v->kind == VALUE_PROBE) return true;
  if (v->kind == VALUE_FIELD)
    for (int i = 0; i < v->deps.n; i++)
      if (v->deps.solutions[i]->kind == VALUE_MAP) return true;
  if (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST)
    for (int i = 0; i < v->n; i++)
      if (value_traced(v->items[i])) return true;
  if (v->kind == VALUE_RECORD)
    for (int i = 0; i < v->nfields; i++)
      if (value_traced(v->fields[i].value)) return true;
  return false;
}

Value *trace_value(Trace *t, Expr *e) {
  Deps deps = {&t->map, 1};
  return value_field(e, &deps);
}

/* --- leaves --- */

/* "z.ux", "z.ux(t - 0.1)"; in a formula the input's own name. */
static Name leaf_name(Trace *t, int probe, int input, double shift) {
  Buf name = {0};
  if (!t->formula) buf_printf(&name, "%s.", t->probes[probe]);
  buf_puts(&name, t->m->spec.inputs[input].name);
  if (shift != 0) {
    buf_puts(&name, shift < 0 ? "(t - " : "(t + ");
    buf_number(&name, fabs(shift));
    buf_putc(&name, ')');
  }
  if (t->formula && shift == 0) buf_puts(&name, "()");       /* no param of the file has this name */
  Name interned = intern_text(t->host->names, buf_str(&name));
  buf_free(&name);
  return interned;
}

Expr *trace_leaf(Trace *t, int probe, int input, double shift) {
  for (int i = 0; i < t->ninputs; i++)
    if (t->inputs[i].probe == probe && t->inputs[i].input == input && t->inputs[i].shift == shift) return t->inputs[i].leaf;
  Expr *leaf = expr_param(t->host->pool, leaf_name(t, probe, input, shift), SHAPE_SCALAR, t->m->spec.inputs[input].unit, true);
  t->inputs = realloc(t->inputs, (size_t)(t->ninputs + 1) * sizeof *t->inputs);
  t->inputs[t->ninputs++] = (TapeInput){leaf, probe, input, shift};
  return leaf;
}

const TapeInput *trace_input_of(const Trace *t, Expr *e) {
  for (int i = 0; i < t->ninputs; i++)
    if (t->inputs[i].leaf == e) return &t->inputs[i];
  return NULL;
}

/* --- what an expression depends on --- */

static bool is_prediction(Expr *e) {
  return (e->op == EXPR_SYMBOL || e->op == EXPR_TERM) && e->symbol.kind == SYMBOL_FIELD && e->symbol.serial >= TAPE_SERIAL && e->symbol.serial < 0x80000000u;
}

typedef struct Look { const Trace *trace; bool found; } Look;

static bool varies(Expr *e, void *user) {
  Look *look = user;
  const Trace *t = look->trace;
  const TapeInput *input = e->op == EXPR_PARAM ? trace_input_of(t, e) : NULL;
  if (e->op == EXPR_TIME || (input && t->m->spec.inputs[input->input].history)) look->found = true;
  if (is_prediction(e) && t->m->transient && isnan(e->symbol.time)) look->found = true;
  for (int i = 0; e->op == EXPR_PARAM && i < t->nreduces; i++)
    if (t->reduces[i].leaf == e && t->reduces[i].each_time) look->found = true;
  return !look->found;
}

bool trace_varies(const Trace *t, Expr *e) {
  Look look = {t, false};
  expr_visit(e, varies, &look);
  return look.found;
}

static bool has_fields(Expr *e, void *user) {
  Look *look = user;
  if (is_prediction(e) || e->op == EXPR_COORD || e->op == EXPR_NORMAL || e->op == EXPR_SIZE || e->op == EXPR_REGIONS) look->found = true;
  if ((e->op == EXPR_SYMBOL || e->op == EXPR_TERM) && e->symbol.kind == SYMBOL_FIELD) look->found = true;
  return !look->found;
}

bool trace_has_fields(const Trace *t, Expr *e) {
  Look look = {t, false};
  expr_visit(e, has_fields, &look);
  return look.found;
}

static bool predicted(Expr *e, void *user) {
  Look *look = user;
  if (is_prediction(e)) look->found = true;
  for (int i = 0; e->op == EXPR_PARAM && i < look->trace->nreduces && !look->found; i++)
    if (look->trace->reduces[i].leaf == e) look->found = trace_predicted(look->trace, look->trace->reduces[i].integrand);
  return !look->found;
}

bool trace_predicted(const Trace *t, Expr *e) {
  Look look = {t, false};
  expr_visit(e, predicted, &look);
  return look.found;
}

/* --- times --- */

typedef struct Shift { Trace *trace; double dt; bool refused; } Shift;

static Expr *shift_leaf(ExprPool *pool, Expr *leaf, void *user) {
  Shift *s = user;
  if (leaf->op == EXPR_TIME) return expr_binary(pool, EXPR_ADD, leaf, expr_const(pool, s->dt, leaf->unit));
  if (is_prediction(leaf)) s->refused = true;
  const TapeInput *input = leaf->op == EXPR_PARAM ? trace_input_of(s->trace, leaf) : NULL;
  if (!input || !s->trace->m->spec.inputs[input->input].history) return leaf;
  return trace_leaf(s->trace, input->probe, input->input, input->shift + s->dt);
}

Expr *trace_shift(Trace *t, Expr *e, double dt) {
  Shift s = {t, dt, false};
  Expr *shifted = expr_substitute(t->host->pool, e, shift_leaf, &s);
  return s.refused ? NULL : shifted;
}

static Name reduce_name(Trace *t, const char *what) {
  Buf name = {0};
  buf_printf(&name, "#%s%d", what, t->nreduces);
  Name interned = intern_text(t->host->names, buf_str(&name));
  buf_free(&name);
  return interned;
}

/* A history at one time is a number of its own. */
static Expr *history_at(Trace *t, Expr *leaf, double time) {
  for (int i = 0; i < t->nreduces; i++)
    if (t->reduces[i].over == TAPE_TIME && t->reduces[i].integrand == leaf && t->reduces[i].at == time) return t->reduces[i].leaf;
  Expr *number = expr_param(t->host->pool, reduce_name(t, "at"), SHAPE_SCALAR, leaf->unit, true);
  t->reduces = realloc(t->reduces, (size_t)(t->nreduces + 1) * sizeof *t->reduces);
  t->reduces[t->nreduces++] = (TapeReduce){.leaf = number, .kind = REDUCE_MAX, .integrand = leaf, .over = TAPE_TIME, .at = time, .from = NAN, .until = NAN};
  return number;
}

typedef struct At { Trace *trace; double time; } At;

static Expr *leaf_at(ExprPool *pool, Expr *leaf, void *user) {
  At *at = user;
  if (leaf->op == EXPR_TIME) return expr_const(pool, at->time, leaf->unit);
  if (is_prediction(leaf) && leaf->op == EXPR_SYMBOL && isnan(leaf->symbol.time) && at->trace->m->transient) {
    Symbol s = leaf->symbol;
    s.time = at->time;
    return expr_symbol(pool, s, leaf->name, leaf->shape, leaf->unit);
  }
  const TapeInput *input = leaf->op == EXPR_PARAM ? trace_input_of(at->trace, leaf) : NULL;
  if (input && at->trace->m->spec.inputs[input->input].history) return history_at(at->trace, leaf, at->time);
  for (int i = 0; leaf->op == EXPR_PARAM && i < at->trace->nreduces; i++)
    if (at->trace->reduces[i].leaf == leaf && at->trace->reduces[i].each_time) return history_at(at->trace, leaf, at->time);
  return leaf;
}

Value *trace_at(Eval *ev, Value *v, double time, Span span) {
  (void)span;
  if (v->kind == VALUE_RECORD) {
    Value *record = value_new(VALUE_RECORD);
    record->fields = calloc((size_t)v->nfields + 1, sizeof *record->fields);
    for (int i = 0; i < v->nfields; i++) record->fields[record->nfields++] = (Argument){v->fields[i].name, trace_at(ev, v->fields[i].value, time, span), v->fields[i].span};
    return record;
  }
  if (v->kind != VALUE_FIELD) return value_retain(v);
  At at = {ev->trace, time};
  Expr *e = expr_substitute(ev->host->pool, v->expr, leaf_at, &at);
  return value_field(e, &v->deps);
}

/* The time t + dt as an expression: its dt. */
static bool moving(Eval *ev, const Expr *e, double *dt) {
  double x;
  *dt = 0;
  if (e->op == EXPR_TIME) return true;
  if ((e->op == EXPR_ADD || e->op == EXPR_SUB) && e->arg[0]->op == EXPR_TIME && expr_is_const(e->arg[1], &x)) *dt = e->op == EXPR_ADD ? x : -x;
  else if (e->op == EXPR_ADD && e->arg[1]->op == EXPR_TIME && expr_is_const(e->arg[0], &x)) *dt = x;
  else return false;
  (void)ev;
  return true;
}

Value *trace_at_moving(Eval *ev, Value *v, Value *time, Span span) {
  double dt, fixed;
  bool start = time->kind == VALUE_NUMBER && time->known && (fixed = time->number) == 0;
  if (start) dt = -1e30;       /* histories hold their first value before they begin */
  else if (time->kind != VALUE_FIELD || !moving(ev, time->expr, &dt)) {
    diag_suggest(diag_report(&ev->host->diags, E3020, span, "a formula sees its histories at the time itself, before or after it, and at 0"), "write `ux at (t - 0.1)` or `ux at 0`");
    return value_poison();
  }
  if (v->kind != VALUE_FIELD) return value_retain(v);
  Expr *e = trace_shift(ev->trace, v->expr, dt);
  return e ? value_field(e, &v->deps) : value_poison();
}
