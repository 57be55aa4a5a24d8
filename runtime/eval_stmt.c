/* Statements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "contract.h"
#include "eval.h"
#include "trace.h"

/* --- assignment --- */

static bool same_type(const Value *a, const Value *b) {
  if (a->kind == b->kind || a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN) return true;
  bool fa = a->kind == VALUE_NUMBER || a->kind == VALUE_TUPLE || a->kind == VALUE_FIELD;
  bool fb = b->kind == VALUE_NUMBER || b->kind == VALUE_TUPLE || b->kind == VALUE_FIELD;
  return fa && fb;
}

static void bind(Eval *ev, Name name, Value *v, Span span, const Ast *decl) {
  Slot *old = scope_find_own(ev->scope, name);
  if (old && !ev->host->interactive && !is_poison(v) && !is_poison(old->value)) {
    if (!same_type(old->value, v)) {
      Diag *d = diag_report(&ev->host->diags, E0104, span, "`%s` was %s %s and cannot become %s %s", name, value_article(old->value), value_kind_name(old->value), value_article(v), value_kind_name(v));
      diag_note(d, old->span, "it got its type here");
      diag_suggest(d, "give the new value another name");
      return;
    }
  }
  Slot *slot = scope_set(ev->scope, name, v, span);
  slot->decl = decl;
  slot->must_use = ev->scope->kind != SCOPE_FILE;
  slot->is_own = true;
}

static bool destructure(Eval *ev, const Ast *target, Value *v, Span span) {
  if (v->kind == VALUE_UNKNOWN || is_poison(v)) {
    for (int i = 0; i < target->n; i++) {
      Value *part = is_poison(v) ? value_poison() : value_unknown();
      bind(ev, target->kid[i]->name, part, target->kid[i]->span, NULL);
      value_release(part);
    }
    return !is_poison(v);
  }
  int n = v->kind == VALUE_TUPLE || v->kind == VALUE_LIST ? v->n : v->kind == VALUE_FIELD && v->expr->shape.rank == 1 ? v->expr->shape.extent[0] : -1;
  if (n != target->n) {
    if (n < 0) diag_report(&ev->host->diags, E0513, span, "%s %s cannot be taken apart into %d names", value_article(v), value_kind_name(v), target->n);
    else diag_report(&ev->host->diags, E0513, span, "%d values for %d names", n, target->n);
    return false;
  }
  for (int i = 0; i < n; i++) {
    Value *part;
    if (v->kind == VALUE_FIELD) {
      Expr *e = expr_component(ev->host->pool, v->expr, &i, 1);
      part = e ? value_field(e, &v->deps) : value_poison();
    } else part = value_retain(v->items[i]);
    bind(ev, target->kid[i]->name, part, target->kid[i]->span, NULL);
    value_release(part);
  }
  return true;
}

static Flow eval_assign(Eval *ev, const Ast *node) {
  const Ast *target = node->kid[0];
  Value *v = eval_expr(ev, node->kid[1]);
  bool fine = !is_poison(v);
  if (v->kind == VALUE_NONE) {
    diag_report(&ev->host->diags, E0512, node->kid[1]->span, "this gives no value");
    fine = false;
  }
  if (target->kind == AST_NAME) bind(ev, target->name, v, target->span, node);
  else if (target->kind == AST_TUPLE) fine &= destructure(ev, target, v, node->span);
  else {
    diag_suggest(diag_report(&ev->host->diags, E0209, target->span, "values don't change in place"), "make a changed copy: `b = a with (x: 1)`");
    fine = false;
  }
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- checking: what is not known after a loop or a branch --- */

static Value *weakened(Value *v) {
  switch (v->kind) {
    case VALUE_NUMBER: {
      Value *w = value_number_unknown(v->unit);
      w->integer = false;
      return w;
    }
    case VALUE_BOOL: {
      Value *w = value_bool(false);
      w->known = false;
      return w;
    }
    case VALUE_LIST:
    case VALUE_STRING:
    case VALUE_TUPLE:
    case VALUE_RECORD: return value_unknown();
    default: return value_retain(v);
  }
}

static void weaken_name(Eval *ev, Name name) {
  Slot *slot = scope_find_own(ev->scope, name);
  if (!slot) return;
  Value *w = weakened(slot->value);
  value_release(slot->value);
  slot->value = w;
}

static bool weaken_visit(const Ast *node, void *user) {
  Eval *ev = user;
  if (node->kind == AST_ASSIGN) {
    const Ast *target = node->kid[0];
    if (target->kind == AST_NAME) weaken_name(ev, target->name);
    else
      for (int i = 0; i < target->n; i++)
        if (target->kid[i]->kind == AST_NAME) weaken_name(ev, target->kid[i]->name);
  }
  return node->kind == AST_BLOCK || node->kind == AST_IF || node->kind == AST_FOR || node->kind == AST_WHILE || node->kind == AST_ASSIGN;
}

void eval_weaken(Eval *ev, const Ast *body) { ast_walk(body, weaken_visit, ev); }

/* --- control --- */

static bool condition(Eval *ev, const Ast *node, bool *truth, bool *known) {
  Value *c = eval_expr(ev, node);
  bool fine = !is_poison(c);
  *known = !is_unknown(c);
  *truth = false;
  if (fine && value_traced(c)) {
    diag_suggest(diag_report(&ev->host->diags, E3025, node->span, "the condition depends on a probe, which is not chosen yet: no statement can follow from it"),
                 "choose between numbers, `if c then a else b`, or leave probes out: `probe z in domain(m) where c`, `needs c else \"...\"`");
    fine = false;
  } else if (fine && c->kind != VALUE_UNKNOWN && !value_truthful(c, truth)) {
    Diag *d = diag_report(&ev->host->diags, E0507, node->span, "a condition is true or false; this is %s %s", value_article(c), value_kind_name(c));
    if (c->kind == VALUE_CONDITION) diag_suggest(d, "`==` between fields is an equation; compare numbers: norm(a - b) < tol");
    else if (c->kind == VALUE_FIELD) diag_suggest(d, "a field has many values; compare one number of it: max(u) < 1, norm(u) < tol");
    fine = false;
  }
  value_release(c);
  return fine;
}

static Flow eval_if(Eval *ev, const Ast *node) {
  bool truth, known;
  bool fine = condition(ev, node->kid[0], &truth, &known);
  if (!fine && !ev->dry) return FLOW_STOP;
  const Ast *otherwise = node->n > 2 ? node->kid[2] : NULL;
  if (!ev->dry || (fine && known && ev->scope->kind == SCOPE_FUNCTION)) {
    if (truth) return eval_block(ev, node->kid[1]);
    if (!otherwise) return FLOW_NEXT;
    return otherwise->kind == AST_IF ? eval_if(ev, otherwise) : eval_block(ev, otherwise);
  }
  Flow a = eval_block(ev, node->kid[1]), b = FLOW_NEXT;
  eval_weaken(ev, node->kid[1]);
  if (otherwise) {
    b = otherwise->kind == AST_IF ? eval_if(ev, otherwise) : eval_block(ev, otherwise);
    eval_weaken(ev, otherwise);
  }
  return a == b ? a : FLOW_NEXT;
}

static Flow loop_flow(Flow flow) { return flow == FLOW_BREAK || flow == FLOW_CONTINUE ? FLOW_NEXT : flow; }

static Flow eval_while(Eval *ev, const Ast *node) {
  bool truth, known;
  if (ev->dry) {
    eval_weaken(ev, node->kid[1]);
    condition(ev, node->kid[0], &truth, &known);
    eval_block(ev, node->kid[1]);
    eval_weaken(ev, node->kid[1]);
    return FLOW_NEXT;
  }
  for (;;) {
    if (!condition(ev, node->kid[0], &truth, &known)) return FLOW_STOP;
    if (!truth) return FLOW_NEXT;
    Flow flow = eval_block(ev, node->kid[1]);
    if (flow == FLOW_BREAK) return FLOW_NEXT;
    if (flow == FLOW_RETURN || flow == FLOW_STOP) return flow;
    if (host_stopped(ev->host, node->span)) return FLOW_STOP;
  }
}

static void bind_loop(Eval *ev, const Ast *target, Value *v) {
  if (target->kind == AST_NAME) {
    Slot *slot = scope_set(ev->scope, target->name, v, target->span);
    slot->is_own = true;
    slot->must_use = false;
  } else destructure(ev, target, v, target->span);
}

static void drop_loop(Eval *ev, const Ast *target) {
  if (target->kind == AST_NAME) scope_drop(ev->scope, target->name);
  else
    for (int i = 0; i < target->n; i++) scope_drop(ev->scope, target->kid[i]->name);
}

static int64_t range_count(const Value *r) {
  double by = r->has_by ? r->by : 1;
  double n = floor((r->to - r->from) / by + 1e-9);
  return n < 0 ? 0 : n < 9e18 ? (int64_t)n + 1 : INT64_MAX;
}

static Value *range_item(const Value *r, int64_t i) {
  double by = r->has_by ? r->by : 1;
  Value *v = value_number(r->from + (double)i * by, r->range_unit.any ? UNIT_NONE : r->range_unit);
  v->integer = r->range_integer;
  return v;
}

static Flow for_dry(Eval *ev, const Ast *node, Value *list) {
  const Ast *target = node->kid[0], *body = node->kid[2];
  Value *v;
  if (list->kind == VALUE_RANGE) {
    v = value_number_unknown(list->range_unit.any ? UNIT_NONE : list->range_unit);
  } else if ((list->kind == VALUE_LIST || list->kind == VALUE_TUPLE) && list->n) v = target->kind == AST_TUPLE ? value_retain(list->items[0]) : weakened(list->items[0]);
  else v = value_unknown();
  eval_weaken(ev, body);
  bind_loop(ev, target, v);
  value_release(v);
  Flow flow = loop_flow(eval_block(ev, body));
  drop_loop(ev, target);
  eval_weaken(ev, body);
  return flow == FLOW_RETURN ? FLOW_NEXT : flow;
}

static Flow eval_for(Eval *ev, const Ast *node) {
  Value *list = eval_expr(ev, node->kid[1]);
  Flow flow = FLOW_NEXT;
  if (is_poison(list)) flow = ev->dry ? FLOW_NEXT : FLOW_STOP;
  else if (list->kind != VALUE_LIST && list->kind != VALUE_TUPLE && list->kind != VALUE_RANGE && list->kind != VALUE_UNKNOWN) {
    diag_report(&ev->host->diags, E0508, node->kid[1]->span, "`for` runs over a list or a range; this is %s %s", value_article(list), value_kind_name(list));
    flow = ev->dry ? FLOW_NEXT : FLOW_STOP;
  } else if (ev->dry) flow = for_dry(ev, node, list);
  else {
    int64_t n = list->kind == VALUE_RANGE ? range_count(list) : list->n;
    for (int64_t i = 0; i < n; i++) {
      Value *v = list->kind == VALUE_RANGE ? range_item(list, i) : value_retain(list->items[i]);
      bind_loop(ev, node->kid[0], v);
      value_release(v);
      flow = eval_block(ev, node->kid[2]);
      if (flow == FLOW_BREAK || flow == FLOW_RETURN || flow == FLOW_STOP) break;
      if (host_stopped(ev->host, node->span)) flow = FLOW_STOP;
    }
    drop_loop(ev, node->kid[0]);
    flow = loop_flow(flow);
  }
  value_release(list);
  return flow;
}

static Flow eval_return(Eval *ev, const Ast *node) {
  if (ev->scope->kind != SCOPE_FUNCTION) {
    diag_report(&ev->host->diags, E0208, node->span, "`return` stands in a fn only");
    return ev->dry ? FLOW_NEXT : FLOW_STOP;
  }
  Value *v = node->n && node->kid[0] ? eval_expr(ev, node->kid[0]) : value_none();
  bool poison = is_poison(v);
  if (ev->returned && ev->dry && !poison) {     /* two possible results: of one type, but not known */
    Value *merged = ev->returned->kind == v->kind ? weakened(v) : value_unknown();
    value_release(v);
    v = merged;
  }
  value_release(ev->returned);
  ev->returned = v;
  return poison && !ev->dry ? FLOW_STOP : FLOW_RETURN;
}

static Flow eval_assert(Eval *ev, const Ast *node) {
  bool truth, known;
  if (!condition(ev, node->kid[0], &truth, &known)) return ev->dry ? FLOW_NEXT : FLOW_STOP;
  const Ast *message = node->n > 1 ? node->kid[1] : NULL;
  Value *text = message && (ev->dry || !truth) ? eval_expr(ev, message) : NULL;
  Flow flow = FLOW_NEXT;
  if (!ev->dry && !truth) {
    Diag *d = diag_report(&ev->host->diags, E0510, node->span, "the assertion does not hold%s%s", text && text->kind == VALUE_STRING ? ": " : "",
                          text && text->kind == VALUE_STRING ? text->text : "");
    (void)d;
    ev->host->assert_failed = true;
    flow = FLOW_STOP;
  }
  value_release(text);
  return flow;
}

/* --- imports --- */

static Flow eval_import(Eval *ev, const Ast *node) {
  Module *module = module_load(ev->host, node->text, ev->module, node->span);
  if (!module) return ev->dry ? FLOW_NEXT : FLOW_STOP;
  int *state = ev->dry ? (int *)&module->dry_state : (int *)&module->state;
  if (*state == MODULE_RUNNING) {
    diag_report(&ev->host->diags, E0108, node->span, "`%s` imports itself in a cycle", node->text);
    return FLOW_STOP;
  }
  if (*state == MODULE_NEW) module_run(ev->host, module, ev->dry);
  if (*state == MODULE_FAILED) return ev->dry ? FLOW_NEXT : FLOW_STOP;
  if (node->name) {
    Value *v = value_new(VALUE_MODULE);
    v->module = module_retain(module);
    bind(ev, node->name, v, node->span, node);
    value_release(v);
    return FLOW_NEXT;
  }
  Scope *from = ev->dry ? module->dry_scope : module->scope;
  for (int i = 0; i < from->n; i++) {
    Slot slot = from->slots[i];
    if (slot.name[0] == '_') continue;
    Slot *old = scope_find_own(ev->scope, slot.name);
    if (old && old->value != slot.value && !ev->host->interactive) {
      Diag *d = diag_report(&ev->host->diags, E0106, node->span, "`%s` is defined by both `%s` and this file", slot.name, node->text);
      diag_note(d, old->span, "here");
      diag_suggest(d, "import it under a name: import \"%s\" as m", node->text);
      continue;
    }
    bool is_param = slot.is_param;
    Slot *mine = scope_set(ev->scope, slot.name, slot.value, slot.span);
    mine->is_param = is_param;
    mine->imported = true;
    mine->decl = slot.decl;
  }
  return FLOW_NEXT;
}

/* --- the table --- */

static Flow eval_bare(Eval *ev, const Ast *node, Value **shown) {
  const Ast *e = node->kid[0];
  if (e->kind != AST_CALL && !shown) {
    bool meant_value = e->kind == AST_EQUATION && e->kid[0]->kind == AST_NAME;
    Diag *d = diag_report(&ev->host->diags, E0207, e->span, e->kind == AST_EQUATION ? "`==` states an equation, which stands in a pde only" : "this line does nothing");
    if (meant_value) {       /* what follows from the missing definition is no news */
      Value *nothing = value_poison();
      if (!scope_lookup(ev, e->kid[0]->name)) scope_set(ev->scope, e->kid[0]->name, nothing, e->kid[0]->span);
      value_release(nothing);
      diag_suggest(d, "`=` gives a name its value: `%s = ...`", e->kid[0]->name);
    } else if (e->kind == AST_UNARY || e->kind == AST_BINARY) diag_suggest(d, "does this line continue the one before? then end that line with the operator");
    else diag_suggest(d, "print it with print(...), or give it a name with =");
    return ev->dry ? FLOW_NEXT : FLOW_STOP;
  }
  Value *v = eval_expr(ev, e);
  bool fine = !is_poison(v);
  if (shown && fine) *shown = v;
  else value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

static Flow eval_decl(Eval *ev, const Ast *node) {
  const DeclRow *row = decl_row(node->name);
  if (row) return row->run ? row->run(ev, node) : decl_later(ev, node);
  Name words[64];
  int n = 0;
  for (const DeclRow *r = decl_rows; r->word && n < 64; r++) words[n++] = r->word;
  Diag *d = diag_report(&ev->host->diags, E0201, node->span.start ? (Span){node->span.start, node->span.start + (uint32_t)strlen(node->name)} : node->span,
                        "`%s` starts no declaration or statement", node->name);
  Name near = nearest_name(node->name, words, n);
  if (near) diag_replace(diag_suggest(d, "did you mean `%s`?", near), "%s", near);
  else diag_suggest(d, "a declaration is `KIND NAME ... { ... }`; a call needs parentheses: %s(...)", node->name);
  return ev->dry ? FLOW_NEXT : FLOW_STOP;
}

static Flow misplaced(Eval *ev, const Ast *node) {
  Diag *d = diag_report(&ev->host->diags, E0208, node->span, node->kind == AST_ON ? "`on` stands in a pde or a field" :
                        node->kind == AST_NEEDS ? "`needs` stands in a contract" : node->kind == AST_OPTION ? "an option `name: value` stands in a block" :
                        node->kind == AST_OPTIONS ? "a block of options stands in a declaration" : "this stands in a loop only");
  if (node->kind == AST_OPTIONS && node->name && !strcmp(node->name, "test")) diag_suggest(d, "a test has a name: test \"what it shows\" { ... }");
  else if (node->kind == AST_OPTIONS && node->name) diag_suggest(d, "a declaration has a name: %s NAME ... { ... }", node->name);
  if (node->kind == AST_OPTION) diag_suggest(d, "a name gets its value by `=`");
  return ev->dry ? FLOW_NEXT : FLOW_STOP;
}

Flow eval_statement(Eval *ev, const Ast *node, Value **shown) {
  switch (node->kind) {
    case AST_EXPR: return eval_bare(ev, node, shown);
    case AST_ASSIGN: return eval_assign(ev, node);
    case AST_DECL: return eval_decl(ev, node);
    case AST_IF: return eval_if(ev, node);
    case AST_FOR: return eval_for(ev, node);
    case AST_WHILE: return eval_while(ev, node);
    case AST_RETURN: return eval_return(ev, node);
    case AST_BREAK: return FLOW_BREAK;
    case AST_CONTINUE: return FLOW_CONTINUE;
    case AST_ASSERT: return eval_assert(ev, node);
    case AST_IMPORT: return eval_import(ev, node);
    case AST_BLOCK: return eval_block(ev, node);
    default: return misplaced(ev, node);
  }
}

Flow eval_block(Eval *ev, const Ast *block) {
  Flow last = FLOW_NEXT;
  for (int i = 0; i < block->n; i++) {
    if (!block->kid[i]) continue;
    Flow flow = eval_statement(ev, block->kid[i], NULL);
    if (flow == FLOW_STOP && ev->dry) continue;
    if (flow == FLOW_RETURN || (flow != FLOW_NEXT && !ev->dry)) return flow;
    if (flow != FLOW_NEXT) last = flow;
  }
  return last;
}

/* --- names nobody used, functions nobody called --- */

void eval_unused(Eval *ev, Scope *scope) {
  if (!ev->dry) return;
  for (int i = 0; i < scope->n; i++) {
    Slot *slot = &scope->slots[i];
    if (!slot->must_use || slot->used || slot->name[0] == '_') continue;
    Diag *d = diag_report(&ev->host->diags, E0103, slot->span, "`%s` is defined here and never used", slot->name);
    Name names[64];
    int n = 0;
    for (int k = 0; k < scope->n && n < 64; k++)
      if (k != i) names[n++] = scope->slots[k].name;
    static const char *const clauses[] = {"violation", "tolerance", "severity"};
    for (int k = 0; k < 3 && n < 64; k++) names[n++] = clauses[k];
    Name near = nearest_name(slot->name, names, n);
    if (near) diag_suggest(d, "is `%s` meant?", near);
    else diag_suggest(d, "use it or remove it");
  }
}

static void check_function(Eval *ev, Value *v) {
  Function *f = v->function;
  if (f->checked) return;
  Argument *args = calloc((size_t)(f->nparams ? f->nparams : 1), sizeof *args);
  for (int k = 0; k < f->nparams; k++) args[k] = (Argument){f->params[k].name, value_unknown(), f->params[k].span};
  Eval inner = *ev;
  inner.symbolic = true;
  Value *result = eval_call_function(&inner, v, args, f->nparams, f->decl->span);
  value_release(result);
  for (int k = 0; k < f->nparams; k++) value_release(args[k].value);
  free(args);
}

void eval_check_functions(Eval *ev, Scope *scope) {
  for (int i = 0; i < scope->n; i++) {
    Value *v = scope->slots[i].value;
    if (scope->slots[i].imported) continue;
    if (v->kind == VALUE_FUNCTION) check_function(ev, v);
    else if (v->kind == VALUE_CONTRACT) contract_check(ev, v->function);
  }
}
