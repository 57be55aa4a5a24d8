/* The arguments of a contract, each read by its parameter's type: names of the subject where it names boundaries, outputs, inputs or equations. */
#include <stdlib.h>
#include <string.h>

#include "contract_bind.h"
#include "trace.h"

const char *param_type(const Param *p) { return p->type && p->type->kind == AST_NAME ? p->type->name : "any"; }

/* The outputs of a subject are names where an equation about it is read; of a map its inputs too. */
static Value *read_condition(Eval *ev, const Ast *node, Value *subject) {
  if (ev->dry && subject && subject->kind == VALUE_UNKNOWN) return value_unknown();      /* nobody knows its names yet */
  Scope *scope = scope_new(SCOPE_DECL, ev->scope);
  if (subject && subject->kind == VALUE_SOLUTION && subject->solution_pde) {
    const Pde *pde = subject->solution_pde->pde->pde;
    for (int i = 0; i < pde->nunknowns; i++) {
      Value *field = solution_member(ev, subject, pde->unknowns[i].name, node->span);
      scope_set(scope, pde->unknowns[i].name, field, node->span)->is_own = true;
      value_release(field);
    }
    scope->subject = value_retain(value_subject(subject));
  } else if (subject && value_map(subject)) {
    trace_law_names(ev, value_map(subject), scope, node->span);
    scope->subject = value_retain(value_subject(subject));
  }
  Eval inner = *ev;
  inner.scope = scope;
  inner.symbolic = true;
  Value *v = eval_expr(&inner, node);
  scope_release(scope);
  return v;
}

static bool is_type(const char *type, const char *a, const char *b) { return !strcmp(type, a) || !strcmp(type, b); }

/* A name that a pack was given passes on what it stands for. */
static Value *passed_on(Eval *ev, const Ast *node) {
  Slot *slot = node->kind == AST_NAME && ev->scope->kind == SCOPE_FUNCTION ? scope_find_own(ev->scope, node->name) : NULL;
  bool words = slot && (slot->value->kind == VALUE_WORD || slot->value->kind == VALUE_UNKNOWN || (slot->value->kind == VALUE_LIST && slot->value->n && slot->value->items[0]->kind == VALUE_WORD));
  if (!words) return NULL;
  slot->used = true;
  return value_retain(slot->value);
}

/* output, input: a name of the subject. */
static Value *read_name(Eval *ev, const Ast *node, bool output, Value *subject) {
  if (node->kind != AST_NAME) return eval_expr(ev, node);
  Value *map = subject ? value_map(subject) : NULL;
  if (subject && subject->kind == VALUE_SOLUTION) {
    Value *field = solution_member(ev, subject, node->name, node->span);
    bool poison = is_poison(field);
    value_release(field);
    if (poison) return value_poison();
  } else if (map && (output ? map_output(map->map, node->name) : map_input(map->map, node->name)) < 0) {
    if (output) report_no_output(ev, map->map, node->name, node->span);
    else report_no_input(ev, map->map, node->name, node->span);
    return value_poison();
  }
  return value_word(node->name);
}

static Value *read_names(Eval *ev, const Ast *node, bool output, Value *subject) {
  if (node->kind != AST_LIST) return read_name(ev, node, output, subject);
  Value **items = calloc((size_t)node->n + 1, sizeof *items);
  bool fine = true;
  for (int i = 0; i < node->n; i++) {
    items[i] = passed_on(ev, node->kid[i]);
    if (!items[i]) items[i] = read_name(ev, node->kid[i], output, subject);
    fine &= !is_poison(items[i]);
  }
  Value *v = fine ? value_items(VALUE_LIST, items, node->n) : value_poison();
  for (int i = 0; i < node->n; i++) value_release(items[i]);
  free(items);
  return v;
}

static Value *read_argument(Eval *ev, const Ast *node, const Param *p, Value *subject) {
  const char *type = param_type(p);
  bool outputs = is_type(type, "output", "outputs"), names = outputs || is_type(type, "input", "inputs");
  Value *passed = names ? passed_on(ev, node) : NULL;
  if (passed) return passed;
  if (names) return read_names(ev, node, outputs, subject);
  bool later = ev->dry && subject && subject->kind == VALUE_UNKNOWN && node->kind == AST_NAME && !scope_lookup(ev, node->name);
  if (is_type(type, "boundary", "region") && later) return value_unknown();
  if (is_type(type, "boundary", "region")) return eval_place(ev, node, subject ? value_subject(subject) : ev->place_subject);
  bool of_map = subject && (value_map(subject) || subject->kind == VALUE_UNKNOWN);
  if (!strcmp(type, "condition") || (!strcmp(type, "field") && of_map)) return read_condition(ev, node, subject);
  return eval_expr(ev, node);
}

static bool is_inequality(const Value *v) { return v->kind == VALUE_FIELD && v->expr->op >= EXPR_LT && v->expr->op <= EXPR_GE; }

static bool is_word_list(const Value *v) {
  if (v->kind != VALUE_LIST) return v->kind == VALUE_WORD;
  for (int i = 0; i < v->n; i++)
    if (v->items[i]->kind != VALUE_WORD) return false;
  return true;
}

bool param_accepts(const Param *p, const Value *v) {
  const char *type = param_type(p);
  if (v->kind == VALUE_UNKNOWN) return true;
  if (!strcmp(type, "solution")) return v->kind == VALUE_SOLUTION;
  if (!strcmp(type, "model")) return v->kind == VALUE_MODEL || v->kind == VALUE_MAP;
  if (!strcmp(type, "map")) return v->kind == VALUE_MAP;
  if (!strcmp(type, "study")) return v->kind == VALUE_STUDY;
  if (!strcmp(type, "fit")) return v->kind == VALUE_FIT;
  if (is_type(type, "real", "int")) return v->kind == VALUE_NUMBER;
  if (!strcmp(type, "field")) return v->kind == VALUE_FIELD || v->kind == VALUE_NUMBER || v->kind == VALUE_TUPLE || v->kind == VALUE_LIST;
  if (!strcmp(type, "bool")) return v->kind == VALUE_BOOL;
  if (!strcmp(type, "string")) return v->kind == VALUE_STRING;
  if (!strcmp(type, "list")) return v->kind == VALUE_LIST;
  if (!strcmp(type, "condition")) return v->kind == VALUE_CONDITION || is_inequality(v);
  if (is_type(type, "input", "output")) return v->kind == VALUE_WORD;
  if (is_type(type, "inputs", "outputs")) return is_word_list(v);
  return true;
}

static int find_param(const Function *f, Name name) {
  for (int i = 0; i < f->nparams; i++)
    if (f->params[i].name == name) return i;
  return -1;
}

static bool refuse_type(Eval *ev, const Function *f, int k, const Value *v, Span span) {
  diag_report(&ev->host->diags, E0505, span, "`%s` wants a %s for `%s`; this is %s %s", f->name, param_type(&f->params[k]), f->params[k].name, value_article(v), value_kind_name(v));
  return false;
}

/* One argument of the call into its place. */
static bool take(Eval *ev, const Function *f, const Ast *arg, int k, Value *first, Value **values) {
  bool label = arg->kind == AST_ARG;
  if (label && k < 0) {
    Name names[32];
    int n = 0;
    for (int j = 0; j < f->nparams && n < 32; j++) names[n++] = f->params[j].name;
    report_call_labels(ev, f->name, NULL, arg->name, arg->span, names, n);
    return false;
  }
  if (k >= f->nparams || values[k]) {
    diag_report(&ev->host->diags, E0504, arg->span, k >= f->nparams ? "`%s` takes %d arguments" : "`%s`: argument %d is given twice", f->name, k >= f->nparams ? f->nparams : k + 1);
    return false;
  }
  const Ast *node = label ? (arg->n ? arg->kid[0] : NULL) : arg;
  values[k] = first && k == 0 ? value_retain(first) : node ? read_argument(ev, node, &f->params[k], k ? values[0] : NULL) : value_poison();
  if (is_poison(values[k])) return false;
  return param_accepts(&f->params[k], values[k]) || refuse_type(ev, f, k, values[k], arg->span);
}

/* The default's unit says what is to be given. */
static bool unit_of_default(Eval *ev, const Function *f, int k, const Value *v, Span span) {
  const Param *p = &f->params[k];
  if (p->fallback->kind != AST_NUMBER || v->kind != VALUE_NUMBER) return true;
  Value *fallback = eval_expr(ev, p->fallback);
  bool fits = fallback->kind != VALUE_NUMBER || unit_fits(fallback->unit, v->unit);
  if (!fits) {
    Buf have = {0}, want = {0};
    unit_print(&have, v->unit);
    unit_print(&want, fallback->unit);
    diag_note(diag_report(&ev->host->diags, E0302, span, "`%s` of `%s` carries %s; this carries %s", p->name, f->name, unit_is_none(fallback->unit) ? "no unit" : buf_str(&want), unit_is_none(v->unit) ? "no unit" : buf_str(&have)),
              p->span, "its default says so");
    buf_free(&have);
    buf_free(&want);
  }
  value_release(fallback);
  return fits;
}

/* A parameter that is not given has its default, which may speak of those before it. */
static bool fill(Eval *ev, const Function *f, int k, const Ast *call, Value **values, Scope *scope) {
  const Param *p = &f->params[k];
  if (values[k]) return !p->fallback || unit_of_default(ev, f, k, values[k], call->span);
  if (!p->fallback) {
    diag_note(diag_report(&ev->host->diags, E0502, call->span, "`%s` needs an argument `%s`", f->name, p->name), p->span, "declared here");
    return false;
  }
  Eval inner = *ev;
  inner.scope = scope;
  values[k] = read_argument(&inner, p->fallback, p, NULL);
  return !is_poison(values[k]);
}

bool contract_bind(Eval *ev, const Function *f, const Ast *call, Value *first, Scope *scope) {
  Value **values = calloc((size_t)f->nparams + 1, sizeof *values);
  bool fine = true;
  int position = 0;
  if (call->kind != AST_CALL && f->nparams) values[0] = value_retain(first);
  for (int i = 1; fine && call->kind == AST_CALL && i < call->n; i++) {
    const Ast *arg = call->kid[i];
    int k = arg->kind == AST_ARG ? find_param(f, arg->name) : position++;
    fine = take(ev, f, arg, k, i == 1 ? first : NULL, values);
  }
  for (int k = 0; fine && k < f->nparams; k++) {
    fine = fill(ev, f, k, call, values, scope);
    if (fine) scope_set(scope, f->params[k].name, values[k], f->params[k].span)->is_own = true;
  }
  for (int k = 0; k < f->nparams; k++) value_release(values[k]);
  free(values);
  return fine;
}
