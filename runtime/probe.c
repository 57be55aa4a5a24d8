/* Probes: admissible inputs of a map that are not chosen yet, and what is made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

void probe_value_free(ProbeValue *p) {
  value_release(p->map);
  free(p->args);
  free(p);
}

static Value *probe_new(Value *map, Name name) {
  Value *v = value_new(VALUE_PROBE);
  ProbeValue *p = v->probe = calloc(1, sizeof *p);
  p->map = value_retain(map);
  p->name = name;
  p->nargs = map->map->spec.ninputs;
  p->args = calloc((size_t)p->nargs + 1, sizeof *p->args);
  return v;
}

static Value *copied(const Value *of) {
  Value *v = probe_new(of->probe->map, NULL);
  memcpy(v->probe->args, of->probe->args, (size_t)of->probe->nargs * sizeof *v->probe->args);
  v->probe->jump = of->probe->jump;
  return v;
}

/* --- probe z, w in domain(m) where C --- */

Value *trace_probe(Trace *t, Name name) {
  Value *v = probe_new(t->map, name);
  t->probes = realloc(t->probes, (size_t)(t->nprobes + 1) * sizeof *t->probes);
  t->probes[t->nprobes++] = name;
  for (int k = 0; k < v->probe->nargs; k++) v->probe->args[k] = trace_leaf(t, t->nprobes - 1, k, 0);
  return v;
}

static bool condition(Eval *ev, const Ast *node) {
  Trace *t = ev->trace;
  Value *c = eval_expr(ev, node);
  bool fine = !is_poison(c), known = c->kind == VALUE_BOOL;
  Expr *e = fine && !known ? eval_truth_expr(ev, c, node->span, NULL) : NULL;
  if (fine && !known && e && (trace_has_fields(t, e) || trace_predicted(t, e))) {
    diag_suggest(diag_report(&ev->host->diags, E3021, node->span, "where is a condition on inputs, known before anything is predicted"), "put it into `needs ... else ...`");
    e = NULL;
  }
  if (known && !c->truth && !ev->dry) e = expr_const(ev->host->pool, 0, UNIT_NONE);
  if (e) {
    t->wheres = realloc(t->wheres, (size_t)(t->nwheres + 1) * sizeof *t->wheres);
    t->where_spans = realloc(t->where_spans, (size_t)(t->nwheres + 1) * sizeof *t->where_spans);
    t->where_spans[t->nwheres] = node->span;
    t->wheres[t->nwheres++] = e;
  }
  fine = fine && (known || e);
  value_release(c);
  return fine;
}

static bool names_domain(Eval *ev, const Ast *node) {
  Value *of = eval_expr(ev, node);
  bool fine = of->kind == VALUE_DOMAIN && of->domain_of == ev->trace->map;
  if (!fine && !is_poison(of) && of->kind == VALUE_DOMAIN) diag_report(&ev->host->diags, E3022, node->span, "the probes of a contract are inputs of one map; `%s` is another than `%s`", of->domain_of->map->spec.name, ev->trace->m->spec.name);
  else if (!fine && !is_poison(of)) diag_suggest(diag_report(&ev->host->diags, E3022, node->span, "a probe lies in the domain of a model; this is %s %s", value_article(of), value_kind_name(of)), "write `probe z in domain(m)`");
  value_release(of);
  return fine;
}

bool trace_probe_clause(Eval *ev, const Ast *clause) {
  const Ast *phrase = clause->kid[0], *domain = NULL, *where = NULL;
  Name names[8];
  Span spans[8];
  int n = 0;
  for (int i = 0; phrase && i < phrase->n; i++) {
    const Ast *item = phrase->kid[i];
    if (item->kind == AST_WHERE) where = item->kid[0];
    else {
      if (item->kind == AST_BINARY && item->op == OP_IN) domain = item->kid[1], item = item->kid[0];
      if (item->kind != AST_NAME || n == 8) n = -100;
      else if (n >= 0) spans[n] = item->span, names[n++] = item->name;
    }
  }
  if (n < 1 || !domain) {
    diag_suggest(diag_report(&ev->host->diags, E0209, clause->span, "`probe` is written otherwise"), "write `probe z, w in domain(m)`, at most 8 names, or `... where z.E < 10`");
    return false;
  }
  if (!ev->trace) {
    Value *of = eval_expr(ev, domain);
    bool later = ev->dry && of->kind == VALUE_UNKNOWN, wrong = is_poison(of);
    value_release(of);
    for (int i = 0; later && i < n; i++) {       /* while checking a contract that nothing has called */
      Value *v = value_unknown();
      Slot *slot = scope_set(ev->scope, names[i], v, spans[i]);
      slot->is_own = slot->must_use = true;
      value_release(v);
    }
    if (later && where) value_release(eval_expr(ev, where));
    if (later || wrong) return later;
    diag_suggest(diag_report(&ev->host->diags, E3022, clause->span, "probes are inputs of a model; this contract has none"), "give it a parameter of that type: contract c(m: model)");
    return false;
  }
  if (!names_domain(ev, domain)) return false;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < ev->trace->nprobes; k++)
      if (ev->trace->probes[k] == names[i]) {
        diag_report(&ev->host->diags, E0106, spans[i], "two probes are called `%s`", names[i]);
        return false;
      }
    Value *v = trace_probe(ev->trace, names[i]);
    Slot *slot = scope_set(ev->scope, names[i], v, spans[i]);
    slot->is_own = slot->must_use = true;
    value_release(v);
  }
  return !where || condition(ev, where);
}

/* --- its parts --- */

static Value *argument(Eval *ev, const ProbeValue *p, int k) {
  Deps deps = {(Value **)&p->map, 1};
  (void)ev;
  return value_field(p->args[k], &deps);
}

Value *probe_member(Eval *ev, Value *probe, Name name, Span span) {
  int k = map_input(probe->probe->map->map, name);
  if (k >= 0) return argument(ev, probe->probe, k);
  report_no_input(ev, probe->probe->map->map, name, span);
  return value_poison();
}

/* Names of inputs: a word, or a list of them. Number, or -1 after a report. */
static int input_numbers(Eval *ev, const MapValue *map, const Value *names, Span span, int *out, int max) {
  const Value *one[1] = {names};
  Value *const *items = names->kind == VALUE_LIST || names->kind == VALUE_TUPLE ? names->items : (Value *const *)one;
  int n = names->kind == VALUE_LIST || names->kind == VALUE_TUPLE ? names->n : 1;
  if (n > max) {
    diag_report(&ev->host->diags, E3023, span, "at most %d inputs make a vector; these are %d", max, n);
    return -1;
  }
  for (int i = 0; i < n; i++) {
    if (items[i]->kind != VALUE_WORD) {
      diag_suggest(diag_report(&ev->host->diags, E3023, span, "inputs are named here; this is %s %s", value_article(items[i]), value_kind_name(items[i])), "as in z[loads] with a parameter `loads: inputs`, or z.E");
      return -1;
    }
    out[i] = map_input(map, items[i]->word);
    if (out[i] >= 0) continue;
    report_no_input(ev, map, items[i]->word, span);
    return -1;
  }
  return n;
}

enum { INPUTS_MOST = 9 };

Value *probe_index(Eval *ev, Value *probe, Value *index, Span span) {
  const ProbeValue *p = probe->probe;
  int at[INPUTS_MOST];
  if (index->kind == VALUE_UNKNOWN) return value_unknown();
  int n = input_numbers(ev, p->map->map, index, span, at, INPUTS_MOST);
  if (n <= 0) return value_poison();
  if (n == 1) return argument(ev, p, at[0]);
  Expr *args[INPUTS_MOST];
  for (int i = 0; i < n; i++) args[i] = p->args[at[i]];
  Expr *e = expr_make(ev->host->pool, EXPR_VECTOR, args, n);
  if (!e) {
    diag_suggest(diag_report(&ev->host->diags, E0302, span, "inputs of different units make no vector: %s", expr_error(ev->host->pool).text), "take them one by one: z.E");
    return value_poison();
  }
  Deps deps = {(Value **)&p->map, 1};
  return value_field(e, &deps);
}

/* --- z with (E: 2*z.E, loads: v) --- */

static bool set_input(Eval *ev, ProbeValue *p, int k, Expr *e, Span span) {
  const MapInput *input = &p->map->map->spec.inputs[k];
  if (e->shape.rank) {
    diag_report(&ev->host->diags, E0301, span, "the input `%s` is a number; this is a vector", input->name);
    return false;
  }
  if (!unit_fits(e->unit, input->unit)) {
    Buf have = {0}, want = {0};
    unit_print(&have, e->unit);
    unit_print(&want, input->unit);
    diag_report(&ev->host->diags, E0302, span, "the input `%s` carries %s; this carries %s", input->name, unit_is_none(input->unit) ? "no unit" : buf_str(&want), unit_is_none(e->unit) ? "no unit" : buf_str(&have));
    buf_free(&have);
    buf_free(&want);
    return false;
  }
  if (!input->history && ev->trace && trace_varies(ev->trace, e)) {
    diag_suggest(diag_report(&ev->host->diags, E3024, span, "the input `%s` is a number; this is a function of time", input->name), "take it at a time: `z.%s at 0`", input->name);
    return false;
  }
  if (ev->trace && trace_has_fields(ev->trace, e)) {
    diag_suggest(diag_report(&ev->host->diags, E3024, span, "the input `%s` is a number or history; this is a field over space", input->name), "make a number of it: mean(...), max(...)");
    return false;
  }
  p->args[k] = e;
  return true;
}

/* What a label names: inputs by a parameter of the contract, or one input. */
static int label_numbers(Eval *ev, const MapValue *map, const Ast *arg, int *out) {
  Slot *slot = scope_lookup(ev, arg->name);
  bool words = slot && (slot->value->kind == VALUE_WORD || (slot->value->kind == VALUE_LIST && slot->value->n && slot->value->items[0]->kind == VALUE_WORD));
  if (!words) {
    out[0] = map_input(map, arg->name);
    if (out[0] >= 0) return 1;
    report_no_input(ev, map, arg->name, arg->span);
    return -1;
  }
  slot->used = true;
  return input_numbers(ev, map, slot->value, arg->span, out, INPUTS_MOST);
}

static bool set_labelled(Eval *ev, ProbeValue *p, const Ast *arg) {
  int at[INPUTS_MOST];
  if (arg->kind != AST_ARG || !arg->n || !arg->kid[0]) {
    diag_suggest(diag_report(&ev->host->diags, E0209, arg->span, "a changed input is labelled"), "write `z with (E: 2*z.E)`");
    return false;
  }
  int n = label_numbers(ev, p->map->map, arg, at);
  if (n <= 0) return false;
  Value *v = eval_expr(ev, arg->kid[0]);
  if (v->kind == VALUE_UNKNOWN) {
    value_release(v);
    return true;
  }
  Expr *e = is_poison(v) ? NULL : eval_to_expr(ev, v, arg->kid[0]->span, NULL);
  value_release(v);
  if (!e) return false;
  if (n == 1) return set_input(ev, p, at[0], e, arg->span);
  if (e->shape.rank != 1 || e->shape.extent[0] != n) {
    diag_report(&ev->host->diags, E0301, arg->span, "`%s` are %d inputs; this is %s", arg->name, n, e->shape.rank == 0 ? "one number" : "a vector of another length");
    return false;
  }
  for (int i = 0; i < n; i++)
    if (!set_input(ev, p, at[i], expr_component(ev->host->pool, e, &i, 1), arg->span)) return false;
  return true;
}

Value *probe_with(Eval *ev, const Ast *node, Value *probe) {
  Value *v = copied(probe);
  bool fine = true;
  for (int k = 1; k < node->n; k++) fine &= set_labelled(ev, v->probe, node->kid[k]);
  if (fine) return v;
  value_release(v);
  return value_poison();
}

/* --- splice(p, q, at: s), shift(p, s) --- */

static bool two_probes(Call *call, int n) {
  for (int i = 0; i < n; i++)
    if (ARG(i)->kind != VALUE_PROBE) {
      diag_suggest(diag_report(&call->ev->host->diags, E0505, call->spans[i], "`%s` wants a probe; this is %s %s", call->row->name, value_article(ARG(i)), value_kind_name(ARG(i))), "probes come from `probe p, q in domain(m)`");
      return false;
    }
  return true;
}

static bool time_of(Call *call, int at, double *out) {
  *out = 0;
  return is_unknown(ARG(at)) || eval_to_number(call->ev, ARG(at), call->spans[at], "a time", host_time_unit(call->ev->host), out);
}

/* How far p and q are apart at s, in the width of the input's range: what a glued history jumps by. */
static Expr *jump_of(Trace *t, Expr *p, Expr *q, const MapInput *input, double s) {
  ExprPool *pool = t->host->pool;
  double width = input->hi > input->lo ? input->hi - input->lo : 1;
  Expr *gap = expr_unary(pool, EXPR_ABS, expr_binary(pool, EXPR_SUB, p, q));
  Expr *relative = expr_binary(pool, EXPR_DIV, gap, expr_const(pool, width, input->unit));
  Value *v = trace_value(t, relative);
  Eval at = {.host = t->host, .trace = t, .at_time = NAN};
  Value *fixed = trace_at(&at, v, s, (Span){0, 0});
  Expr *e = fixed->expr;
  value_release(v);
  value_release(fixed);
  return e;
}

/* Histories are linear between the times of the grid, so one that equals p up to s equals it at the first of these times that is not before s, too. Times come
 * from steps, and s from the script: what differs by round-off is the same. While checking there is no grid, and s is s. */
static double last_common(const Grid *grid, double s) {
  if (!grid || grid->nt < 2) return s;
  double slack = 1e-9 * (grid->t[grid->nt - 1] - grid->t[0]);
  for (int k = 0; k < grid->nt; k++)
    if (grid->t[k] >= s - slack) return grid->t[k];
  return s;
}

Value *probe_splice(Call *call) {
  Eval *ev = call->ev;
  double s;
  if (ARG(0)->kind == VALUE_UNKNOWN || ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  if (!two_probes(call, 2) || !time_of(call, 2, &s)) return value_poison();
  ExprPool *pool = ev->host->pool;
  const ProbeValue *p = ARG(0)->probe, *q = ARG(1)->probe;
  double last = last_common(p->map->map->spec.grid, s);
  Value *v = copied(ARG(0));
  for (int k = 0; k < p->nargs; k++) {
    const MapInput *input = &p->map->map->spec.inputs[k];
    if (!input->history) continue;
    Unit time = host_time_unit(ev->host);
    Expr *early = expr_binary(pool, EXPR_LE, expr_time(pool, time), expr_const(pool, last, time));
    v->probe->args[k] = expr_make(pool, EXPR_IF, (Expr *[]){early, p->args[k], q->args[k]}, 3);
    if (!ev->trace || !v->probe->args[k]) continue;
    Expr *jump = jump_of(ev->trace, p->args[k], q->args[k], input, s);
    v->probe->jump = v->probe->jump ? expr_binary(pool, EXPR_MAX, v->probe->jump, jump) : jump;
  }
  return v;
}

Value *probe_shift(Call *call) {
  Eval *ev = call->ev;
  double s;
  if (ARG(0)->kind == VALUE_UNKNOWN) return value_unknown();
  if (!two_probes(call, 1) || !time_of(call, 1, &s)) return value_poison();
  if (!ev->trace) return value_poison();
  Value *v = copied(ARG(0));
  for (int k = 0; k < v->probe->nargs; k++) {
    if (!v->probe->map->map->spec.inputs[k].history) continue;
    v->probe->args[k] = trace_shift(ev->trace, v->probe->args[k], -s);
  }
  return v;
}

/* held(p, at: s, rates: [vx, vy]): histories keep their value at s, those of rates are 0 after it. */
Value *probe_held(Call *call) {
  Eval *ev = call->ev;
  double s;
  int rate[INPUTS_MOST], nrates = 0;
  if (ARG(0)->kind == VALUE_UNKNOWN || (ARG(2) && ARG(2)->kind == VALUE_UNKNOWN)) return value_unknown();
  if (!two_probes(call, 1) || !time_of(call, 1, &s) || !ev->trace) return value_poison();
  ExprPool *pool = ev->host->pool;
  const ProbeValue *p = ARG(0)->probe;
  bool named = ARG(2) && !(ARG(2)->kind == VALUE_WORD && !strcmp(ARG(2)->word, "none"));
  if (named && (nrates = input_numbers(ev, p->map->map, ARG(2), call->spans[2], rate, INPUTS_MOST)) < 0) return value_poison();
  Value *v = copied(ARG(0));
  for (int k = 0; k < p->nargs; k++) {
    const MapInput *input = &p->map->map->spec.inputs[k];
    if (!input->history) continue;
    Unit time = host_time_unit(ev->host);
    bool is_rate = false;
    for (int i = 0; i < nrates; i++) is_rate |= rate[i] == k;
    Value *of = trace_value(ev->trace, p->args[k]), *fixed = trace_at(ev, of, s, call->span);
    Expr *early = expr_binary(pool, EXPR_LE, expr_time(pool, time), expr_const(pool, s, time)), *late = is_rate ? expr_const(pool, 0, input->unit) : fixed->expr;
    v->probe->args[k] = expr_make(pool, EXPR_IF, (Expr *[]){early, p->args[k], late}, 3);
    value_release(of);
    value_release(fixed);
  }
  return v;
}

/* Root of the sum of squares over the inputs, each in the width of its range; of histories the mean over time. */
Value *trace_distance(Eval *ev, const ProbeValue *p, const ProbeValue *q, Span span) {
  Trace *t = ev->trace;
  ExprPool *pool = ev->host->pool;
  TraceMeasure all = {.at = NAN, .from = NAN, .until = NAN, .degree = -1, .span = span};
  Expr *sum = expr_const(pool, 0, UNIT_NONE);
  for (int k = 0; k < p->nargs; k++) {
    const MapInput *input = &t->m->spec.inputs[k];
    double width = input->hi > input->lo ? input->hi - input->lo : 1;
    Expr *gap = expr_binary(pool, EXPR_DIV, expr_binary(pool, EXPR_SUB, p->args[k], q->args[k]), expr_const(pool, width, input->unit));
    Expr *square = expr_binary(pool, EXPR_MUL, gap, gap);
    Value *field = trace_value(t, square), *mean = trace_varies(t, square) ? trace_integral(ev, field, &all, false) : value_retain(field);
    if (trace_varies(t, square)) {
      const Grid *grid = t->m->spec.grid;
      double span_of = grid ? grid->t[grid->nt - 1] - grid->t[0] : 1;
      square = expr_binary(pool, EXPR_DIV, mean->expr, expr_const(pool, span_of, host_time_unit(ev->host)));
    }
    value_release(field);
    value_release(mean);
    sum = expr_binary(pool, EXPR_ADD, sum, square);
  }
  return trace_value(t, expr_unary(pool, EXPR_SQRT, sum));
}

Value *probe_distance(Call *call) {
  if (ARG(0)->kind == VALUE_UNKNOWN || ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  if (!two_probes(call, 2) || !call->ev->trace) return value_poison();
  return trace_distance(call->ev, ARG(0)->probe, ARG(1)->probe, call->span);
}
