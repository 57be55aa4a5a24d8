/* m(z): predictions on the tape, and what equations say of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define LAW_SERIAL 0x7e000000u       /* of outputs in an equation that is given as an argument: those of no prediction yet */

/* --- m(z) --- */

static int find_apply(const Trace *t, const Value *subject, const ProbeValue *p) {
  for (int i = 0; i < t->napplies; i++)
    if (t->applied[i] == subject && !memcmp(t->applies[i].args, p->args, (size_t)p->nargs * sizeof *p->args)) return i;
  return -1;
}

static void note_jump(Trace *t, Expr *jump) {
  for (int i = 0; i < t->njumps; i++)
    if (t->jumps[i] == jump) return;
  t->jumps = realloc(t->jumps, (size_t)(t->njumps + 1) * sizeof *t->jumps);
  t->jumps[t->njumps++] = jump;
}

static int add_apply(Eval *ev, Value *subject, const ProbeValue *p, Span span) {
  Trace *t = ev->trace;
  int at = find_apply(t, subject, p);
  if (at >= 0) return at;
  Predictor *predictor = ev->dry ? NULL : value_predictor(ev, subject, span);
  if (!ev->dry && !predictor) return -1;
  Expr **args = ARENA_ARRAY(t->arena, Expr *, p->nargs);
  memcpy(args, p->args, (size_t)p->nargs * sizeof *args);
  t->applies = realloc(t->applies, (size_t)(t->napplies + 1) * sizeof *t->applies);
  t->applied = realloc(t->applied, (size_t)(t->napplies + 1) * sizeof *t->applied);
  t->applies[t->napplies] = (TapeApply){predictor, args};
  t->applied[t->napplies] = value_retain(subject);
  if (p->jump) note_jump(t, p->jump);
  return t->napplies++;
}

static Expr *output_symbol(Trace *t, uint32_t serial, int output, double time) {
  const MapOutput *out = &t->m->spec.outputs[output];
  Symbol s = {.kind = SYMBOL_FIELD, .which = (uint16_t)output, .serial = serial, .time = time};
  return expr_symbol(t->host->pool, s, out->name, out->shape, out->unit);
}

/* The only output, or all as a record. */
static Value *outputs(Trace *t, uint32_t serial) {
  const MapSpec *spec = &t->m->spec;
  if (spec->noutputs == 1) return trace_value(t, output_symbol(t, serial, 0, NAN));
  Value *record = value_new(VALUE_RECORD);
  record->fields = calloc((size_t)spec->noutputs, sizeof *record->fields);
  for (int i = 0; i < spec->noutputs; i++) record->fields[record->nfields++] = (Argument){spec->outputs[i].name, trace_value(t, output_symbol(t, serial, i, NAN)), (Span){0, 0}};
  return record;
}

Value *trace_apply(Eval *ev, Value *subject, Argument *args, int n, Span span) {
  if (n != 1 || args[0].name || args[0].value->kind != VALUE_PROBE) {
    diag_suggest(diag_report(&ev->host->diags, E3028, span, "a model is asked for one probe"), "write m(z), with a probe z or a changed one: m(z with (E: 2*z.E))");
    return value_poison();
  }
  Trace *t = ev->trace;
  if (value_map(subject) != t->map) {
    diag_report(&ev->host->diags, E3022, span, "the probe holds inputs of `%s`; this model is of `%s`", t->m->spec.name, value_map(subject)->map->spec.name);
    return value_poison();
  }
  int at = add_apply(ev, subject, args[0].value->probe, span);
  return at < 0 ? value_poison() : outputs(t, TAPE_SERIAL + (uint32_t)at);
}

/* --- equations as arguments --- */

static Name placeholder(Host *host, Name input) {
  Buf name = {0};
  buf_printf(&name, "?%s", input);
  Name interned = intern_text(host->names, buf_str(&name));
  buf_free(&name);
  return interned;
}

void trace_law_names(Eval *ev, Value *map, Scope *scope, Span span) {
  Trace names = {.host = ev->host, .map = map, .m = map->map};
  for (int i = 0; i < map->map->spec.noutputs; i++) {
    Value *v = trace_value(&names, output_symbol(&names, LAW_SERIAL, i, NAN));
    scope_set(scope, map->map->spec.outputs[i].name, v, span)->is_own = true;
    value_release(v);
  }
  for (int i = 0; i < map->map->spec.ninputs; i++) {
    const MapInput *input = &map->map->spec.inputs[i];
    Value *v = trace_value(&names, expr_param(ev->host->pool, placeholder(ev->host, input->name), SHAPE_SCALAR, input->unit, true));
    scope_set(scope, input->name, v, span)->is_own = true;
    value_release(v);
  }
}

typedef struct Law { Trace *trace; const TapeApply *apply; uint32_t serial; } Law;

static Expr *law_leaf(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  Law *law = user;
  const MapSpec *spec = &law->trace->m->spec;
  if (leaf->op == EXPR_SYMBOL && leaf->symbol.kind == SYMBOL_FIELD && leaf->symbol.serial == LAW_SERIAL) return output_symbol(law->trace, law->serial, leaf->symbol.which, leaf->symbol.time);
  if (leaf->op != EXPR_PARAM || leaf->name[0] != '?') return leaf;
  for (int i = 0; i < spec->ninputs; i++)
    if (!strcmp(leaf->name + 1, spec->inputs[i].name)) return law->apply->args[i];
  return leaf;
}

/* Left minus right; of an inequality what exceeds the bound. */
static Expr *difference(Eval *ev, Value *law, Span span) {
  ExprPool *pool = ev->host->pool;
  Expr *a = NULL, *b = NULL;
  if (law->kind == VALUE_CONDITION) {
    a = eval_to_expr(ev, law->left, span, NULL);
    b = a ? eval_to_expr(ev, law->right, span, NULL) : NULL;
  } else if (law->kind == VALUE_FIELD && law->expr->op >= EXPR_LT && law->expr->op <= EXPR_GE) {
    bool above = law->expr->op == EXPR_GT || law->expr->op == EXPR_GE;
    a = law->expr->arg[above ? 1 : 0];
    b = law->expr->arg[above ? 0 : 1];
  } else if (!is_poison(law)) diag_suggest(diag_report(&ev->host->diags, E0505, span, "residual wants an equation; this is %s %s", value_article(law), value_kind_name(law)), "as in a parameter `law: condition`");
  Expr *e = a && b ? expr_binary(pool, EXPR_SUB, a, b) : NULL;
  if (a && b && !e) diag_report(&ev->host->diags, expr_error(pool).kind == EXPR_UNIT ? E0302 : E0301, span, "the sides of the equation differ: %s", expr_error(pool).text);
  return e;
}

/* Side 0: left minus right, 1: left, 2: right; what is no equation is itself. */
static Expr *side_of(Eval *ev, Value *law, int side, Span span) {
  bool equation = law->kind == VALUE_CONDITION;
  if (equation && side) return eval_to_expr(ev, side == 1 ? law->left : law->right, span, NULL);
  return side ? eval_to_expr(ev, law, span, NULL) : difference(ev, law, span);
}

static Value *of_prediction(Eval *ev, Value *law, int side, Value *f, Span span) {
  Trace *t = ev->trace;
  const Value *first = f->kind == VALUE_RECORD && f->nfields ? f->fields[0].value : f;
  bool prediction = first->kind == VALUE_FIELD && first->expr->op == EXPR_SYMBOL && first->expr->symbol.kind == SYMBOL_FIELD && first->expr->symbol.serial >= TAPE_SERIAL &&
                    first->expr->symbol.serial - TAPE_SERIAL < (uint32_t)t->napplies;
  if (!prediction) {
    diag_suggest(diag_report(&ev->host->diags, E3026, span, "the outputs of an equation come from one prediction"), "write residual(law, m(z))");
    return value_poison();
  }
  Expr *e = side_of(ev, law, side, span);
  if (!e) return value_poison();
  Law replace = {t, &t->applies[first->expr->symbol.serial - TAPE_SERIAL], first->expr->symbol.serial};
  e = expr_substitute(ev->host->pool, e, law_leaf, &replace);
  if (!e) {
    diag_report(&ev->host->diags, E0301, span, "the equation does not fit the outputs: %s", expr_error(ev->host->pool).text);
    return value_poison();
  }
  Value *v = trace_value(t, e);
  if (isnan(first->expr->symbol.time)) return v;
  Value *fixed = trace_at(ev, v, first->expr->symbol.time, span);
  value_release(v);
  return fixed;
}

Value *trace_residual(Eval *ev, Value *law, Value *f, Span span) { return of_prediction(ev, law, 0, f, span); }
Value *trace_evaluate(Eval *ev, Value *quantity, Value *f, bool right, Span span) { return of_prediction(ev, quantity, right ? 2 : 1, f, span); }

/* --- records of predictions --- */

static Value *map_fields(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  const Value *shape = a->kind == VALUE_RECORD ? a : b;
  Value *record = value_new(VALUE_RECORD);
  record->fields = calloc((size_t)shape->nfields + 1, sizeof *record->fields);
  bool fine = true;
  for (int i = 0; i < shape->nfields && fine; i++) {
    Value *x = a->kind == VALUE_RECORD ? a->fields[i].value : a, *y = b->kind == VALUE_RECORD ? b->fields[i].value : b;
    Value *v = eval_binary(ev, op, x, y, span, left, right);
    fine = !is_poison(v);
    record->fields[record->nfields++] = (Argument){shape->fields[i].name, v, shape->fields[i].span};
  }
  if (fine) return record;
  value_release(record);
  return value_poison();
}

Value *trace_records(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right) {
  bool ra = a->kind == VALUE_RECORD, rb = b->kind == VALUE_RECORD;
  bool fits = ra && rb ? (op == OP_ADD || op == OP_SUB) && a->nfields == b->nfields : ra ? op == OP_MUL || op == OP_DIV : op == OP_MUL;
  if (fits) return map_fields(ev, op, a, b, span, left, right);
  diag_suggest(diag_report(&ev->host->diags, E0508, span, "predictions of several outputs add, subtract and scale; they have no `%s`", ast_op_text(op)), "take one output: m(z).%s", (ra ? a : b)->fields[0].name);
  return value_poison();
}
