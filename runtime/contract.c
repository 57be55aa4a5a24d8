#include "contract.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

/* --- declarations --- */

static Flow declare(Eval *ev, const Ast *decl, const char *example) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  const Ast *call = phrase && phrase->n == 1 && phrase->kid[0]->kind == AST_CALL ? phrase->kid[0] : NULL;
  if (!call || !block || call->kid[0]->kind != AST_NAME) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "`%s` is written otherwise", decl->name), "as in `%s`", example);
    return FLOW_STOP;
  }
  int n;
  Param *params = eval_params(ev, call, &n);
  if (!params) return FLOW_STOP;
  Value *v = value_new(VALUE_CONTRACT);
  Function *f = v->function = calloc(1, sizeof *f);
  *f = (Function){.name = call->kid[0]->name, .params = params, .nparams = n, .body = block, .decl = decl};
  f->scope = scope_retain(ev->scope);
  f->program = program_retain(ev->module->program);
  host_pin(ev->host, ev->scope);
  Slot *slot = scope_set(ev->scope, f->name, v, call->kid[0]->span);
  slot->decl = decl;
  value_release(v);
  return FLOW_NEXT;
}

Flow decl_contract(Eval *ev, const Ast *decl) { return declare(ev, decl, "contract positive(sol: solution) { violation = ...; tolerance = 1e-3 }"); }
Flow decl_contracts(Eval *ev, const Ast *decl) { return declare(ev, decl, "contracts pack(sol: solution) { hard positive(sol) tol 1e-3 }"); }

static bool is_pack(const Function *f) { return !strcmp(f->decl->name, "contracts"); }

/* --- arguments, read by their parameter's type --- */

static const char *type_word(const Param *p) { return p->type && p->type->kind == AST_NAME ? p->type->name : "any"; }

/* The outputs of a solution are names where an equation about it is read. */
static Value *read_condition(Eval *ev, const Ast *node, Value *subject) {
  Scope *scope = scope_new(SCOPE_DECL, ev->scope);
  if (subject && subject->kind == VALUE_SOLUTION && subject->solution_pde) {
    const Pde *pde = subject->solution_pde->pde->pde;
    for (int i = 0; i < pde->nunknowns; i++) {
      Value *field = solution_member(ev, subject, pde->unknowns[i].name, node->span);
      scope_set(scope, pde->unknowns[i].name, field, node->span)->is_own = true;
      value_release(field);
    }
    Value *place = value_subject(subject);
    scope->subject = value_retain(place);
  }
  Eval inner = *ev;
  inner.scope = scope;
  inner.symbolic = true;
  Value *v = eval_expr(&inner, node);
  scope_release(scope);
  return v;
}

static Value *read_argument(Eval *ev, const Ast *node, const Param *p, Value *subject) {
  const char *type = type_word(p);
  if (!strcmp(type, "boundary") || !strcmp(type, "region")) return eval_place(ev, node, subject ? value_subject(subject) : ev->place_subject);
  if ((!strcmp(type, "output") || !strcmp(type, "input")) && node->kind == AST_NAME) {
    if (subject && subject->kind == VALUE_SOLUTION) {
      Value *field = solution_member(ev, subject, node->name, node->span);
      bool poison = is_poison(field);
      value_release(field);
      if (poison) return value_poison();
    }
    return value_word(node->name);
  }
  if (!strcmp(type, "condition")) return read_condition(ev, node, subject);
  return eval_expr(ev, node);
}

static bool type_matches(const char *type, const Value *v) {
  if (v->kind == VALUE_UNKNOWN) return true;
  if (!strcmp(type, "solution")) return v->kind == VALUE_SOLUTION;
  if (!strcmp(type, "study")) return v->kind == VALUE_STUDY;
  if (!strcmp(type, "real") || !strcmp(type, "int")) return v->kind == VALUE_NUMBER;
  if (!strcmp(type, "field")) return v->kind == VALUE_FIELD || v->kind == VALUE_NUMBER || v->kind == VALUE_TUPLE;
  if (!strcmp(type, "bool")) return v->kind == VALUE_BOOL;
  if (!strcmp(type, "string")) return v->kind == VALUE_STRING;
  if (!strcmp(type, "condition")) return v->kind == VALUE_CONDITION;
  return true;
}

static int find_param(const Function *f, Name name) {
  for (int i = 0; i < f->nparams; i++)
    if (f->params[i].name == name) return i;
  return -1;
}

static bool bind(Eval *ev, const Function *f, const Ast *call, Scope *scope) {
  Value **values = calloc((size_t)f->nparams + 1, sizeof *values);
  bool fine = true;
  int position = 0;
  for (int i = 1; fine && i < call->n; i++) {
    const Ast *arg = call->kid[i];
    bool label = arg->kind == AST_ARG;
    int k = label ? find_param(f, arg->name) : position++;
    if (label && k < 0) {
      Name names[32];
      int n = 0;
      for (int j = 0; j < f->nparams && n < 32; j++) names[n++] = f->params[j].name;
      report_call_labels(ev, f->name, NULL, arg->name, arg->span, names, n);
      fine = false;
    } else if (k >= f->nparams || values[k]) {
      diag_report(&ev->host->diags, E0504, arg->span, k >= f->nparams ? "`%s` takes %d arguments" : "`%s`: argument %d is given twice", f->name, k >= f->nparams ? f->nparams : k + 1);
      fine = false;
    } else {
      const Ast *node = label ? (arg->n ? arg->kid[0] : NULL) : arg;
      values[k] = node ? read_argument(ev, node, &f->params[k], k ? values[0] : NULL) : value_poison();
      fine = !is_poison(values[k]);
      if (fine && !type_matches(type_word(&f->params[k]), values[k])) {
        diag_report(&ev->host->diags, E0505, arg->span, "`%s` wants a %s for `%s`; this is %s %s", f->name, type_word(&f->params[k]), f->params[k].name, value_article(values[k]), value_kind_name(values[k]));
        fine = false;
      }
    }
  }
  for (int k = 0; fine && k < f->nparams; k++) {
    if (!values[k] && f->params[k].fallback) {
      Eval inner = *ev;
      inner.scope = f->scope;
      values[k] = eval_expr(&inner, f->params[k].fallback);
      fine = !is_poison(values[k]);
    } else if (!values[k]) {
      diag_note(diag_report(&ev->host->diags, E0502, call->span, "`%s` needs an argument `%s`", f->name, f->params[k].name), f->params[k].span, "declared here");
      fine = false;
    }
    if (fine) {
      Slot *slot = scope_set(scope, f->params[k].name, values[k], f->params[k].span);
      slot->is_own = true;
    }
  }
  for (int k = 0; k < f->nparams; k++) value_release(values[k]);
  free(values);
  return fine;
}

/* --- running one contract --- */

static char *copy_text(const char *text) { return strdup(text); }

/* The call as it is written, on one line. */
static Name written(Eval *ev, Span span) {
  const Source *source = source_of(ev->host->sources, span);
  if (!source) return NULL;
  Buf line = {0};
  const char *text = source->text + (span.start - source->base);
  for (uint32_t i = 0; i < span.end - span.start; i++) {
    bool blank = isspace((unsigned char)text[i]);
    if (!blank || (line.len && line.text[line.len - 1] != ' ')) buf_putc(&line, blank ? ' ' : text[i]);
  }
  Name name = intern_text(ev->host->names, buf_str(&line));
  buf_free(&line);
  return name;
}

static Verdict *push(Eval *ev, Verdicts *out, const char *contract, bool hard, Span span) {
  out->items = realloc(out->items, (size_t)(out->n + 1) * sizeof *out->items);
  Verdict *v = &out->items[out->n++];
  *v = (Verdict){.contract = copy_text(contract), .hard = hard, .violation = NAN, .tolerance = NAN, .call = written(ev, span), .span = span};
  return v;
}

/* needs CONDITION else "reason": 1 goes on, 0 skips with the reason, -1 after a report. */
static int needs(Eval *ev, const Ast *node, char **reason) {
  Value *c = eval_expr(ev, node->kid[0]);
  bool truth = true;
  int result = 1;
  if (is_poison(c)) result = -1;
  else if (!is_unknown(c) && !value_truthful(c, &truth)) {
    diag_report(&ev->host->diags, E0507, node->kid[0]->span, "`needs` wants a condition; this is %s %s", value_article(c), value_kind_name(c));
    result = -1;
  }
  value_release(c);
  if (result < 0) return result;
  Value *why = eval_expr(ev, node->kid[1]);
  if (!truth) {
    *reason = copy_text(why->kind == VALUE_STRING ? why->text : "a precondition does not hold");
    result = 0;
  }
  value_release(why);
  return result;
}

static bool number_slot(Eval *ev, Scope *scope, const char *name, double *out, bool *known) {
  Slot *slot = scope_find_own(scope, intern_text(ev->host->names, name));
  *known = true;
  if (!slot) return false;
  slot->used = true;
  if (slot->value->kind == VALUE_NUMBER) {
    *out = slot->value->number;
    *known = slot->value->known;
    if (!unit_is_none(slot->value->unit) && !slot->value->unit.any) {
      Buf unit = {0};
      unit_print(&unit, slot->value->unit);
      diag_suggest(diag_report(&ev->host->diags, E0302, slot->span, "a %s has no dimension; this carries %s", name, buf_str(&unit)), "divide by a scale of the same unit");
      buf_free(&unit);
      return false;
    }
    return true;
  }
  if (slot->value->kind == VALUE_UNKNOWN) {
    *known = false;
    return true;
  }
  if (!is_poison(slot->value)) diag_report(&ev->host->diags, E0505, slot->span, "a %s is a number; this is %s %s", name, value_article(slot->value), value_kind_name(slot->value));
  return false;
}

/* While checking a probe is a value of a type that only an audit decides. */
static void bind_probes(Eval *ev, const Ast *clause) {
  for (int i = 0; i < clause->kid[0]->n; i++) {
    const Ast *item = clause->kid[0]->kid[i];
    while (item->kind == AST_BINARY && item->op == OP_IN) item = item->kid[0];
    if (item->kind != AST_NAME) continue;
    Value *v = value_unknown();
    scope_set(ev->scope, item->name, v, item->span)->is_own = true;
    value_release(v);
  }
}

static bool body(Eval *ev, const Function *f, Scope *scope, char **reason) {
  Eval inner = *ev;
  inner.scope = scope;
  inner.depth = ev->depth + 1;
  for (int i = 0; i < f->body->n; i++) {
    const Ast *s = f->body->kid[i];
    if (!s) continue;
    if (s->kind == AST_NEEDS) {
      int go = needs(&inner, s, reason);
      if (go <= 0) return go == 0;
      continue;
    }
    if (s->kind == AST_DECL && !strcmp(s->name, "probe")) {
      if (!ev->host->checking_only) {
        diag_report(&ev->host->diags, E0900, s->span, "this build cannot draw probes: contracts over models come with audits");
        return false;
      }
      bind_probes(&inner, s);
      continue;
    }
    if (s->kind != AST_ASSIGN && s->kind != AST_IF && s->kind != AST_FOR && s->kind != AST_WHILE && s->kind != AST_ASSERT) {
      diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "this is no clause of a contract"), "it has needs, probe, names, violation =, tolerance =, severity =");
      return false;
    }
    if (eval_statement(&inner, s, NULL) == FLOW_STOP) return false;
  }
  return true;
}

static bool severity_of(Eval *ev, Scope *scope, bool *hard) {
  Slot *slot = scope_find_own(scope, intern_text(ev->host->names, "severity"));
  *hard = true;
  if (!slot) return true;
  slot->used = true;
  if (slot->value->kind == VALUE_WORD && !strcmp(slot->value->word, "hard")) return true;
  *hard = false;
  if (slot->value->kind == VALUE_WORD && !strcmp(slot->value->word, "soft")) return true;
  if (!is_poison(slot->value)) diag_report(&ev->host->diags, E3001, slot->span, "a severity is hard or soft");
  return false;
}

static void settle(Verdict *v) {
  if (isnan(v->violation)) {
    v->status = VERDICT_ERROR;
    if (!v->reason) v->reason = copy_text("the violation is not a number");
  } else v->status = v->violation <= v->tolerance ? VERDICT_PASS : VERDICT_FAIL;
}

static void report_no_violation(Eval *ev, const Function *f) {
  diag_suggest(diag_report(&ev->host->diags, E3002, f->decl->span, "the contract `%s` has no violation", f->name), "it ends with `violation = ...`, a number >= 0 without unit");
}

static bool run_contract(Eval *ev, Function *f, const Ast *call, int hard, double tolerance, Verdicts *out) {
  Scope *scope = scope_new(SCOPE_FUNCTION, f->scope);
  char *reason = NULL;
  bool fine = bind(ev, f, call, scope), known = true, own_hard = true;
  f->checked = true;
  int before = ev->host->diags.nerrors;
  fine = fine && body(ev, f, scope, &reason);
  if (fine && !reason) {
    double violation = NAN, tol = NAN;
    bool has = number_slot(ev, scope, "violation", &violation, &known);
    if (!has && ev->host->diags.nerrors == before) report_no_violation(ev, f);
    bool tol_known, has_tol = number_slot(ev, scope, "tolerance", &tol, &tol_known);
    if (!isnan(tolerance)) tol = tolerance, has_tol = true;
    if (has && !has_tol) diag_suggest(diag_report(&ev->host->diags, E3003, call->span, "`%s` has no tolerance, neither in itself nor here", f->name), "write `tolerance = ...` in it or `tol ...` in the pack");
    fine = has && has_tol && severity_of(ev, scope, &own_hard);
    if (fine && !ev->dry) {
      Verdict *v = push(ev, out, f->name, hard < 0 ? own_hard : hard, call->span);
      v->violation = violation;
      v->tolerance = tol;
      settle(v);
    }
  } else if (fine && !ev->dry) {
    Verdict *v = push(ev, out, f->name, hard < 0 || hard, call->span);
    v->status = VERDICT_SKIPPED;
    v->reason = reason;
    reason = NULL;
  } else if (!ev->dry && ev->host->diags.nerrors > before) {
    Verdict *v = push(ev, out, f->name, hard < 0 || hard, call->span);
    v->status = VERDICT_ERROR;
    v->reason = copy_text("its evaluation failed");
  }
  if (fine && ev->dry && !reason) {
    Eval inner = *ev;
    inner.scope = scope;
    eval_unused(&inner, scope);
  }
  free(reason);
  scope_release(scope);
  return fine;
}

/* --- packs --- */

static double tolerance_word(Eval *ev, const Ast *phrase, bool *fine) {
  for (int i = 1; i + 1 < phrase->n; i++) {
    if (phrase->kid[i]->kind != AST_NAME || strcmp(phrase->kid[i]->name, "tol")) continue;
    Value *v = eval_expr(ev, phrase->kid[i + 1]);
    double tol = NAN;
    if (!is_unknown(v)) *fine &= eval_to_number(ev, v, phrase->kid[i + 1]->span, "a tolerance", UNIT_NONE, &tol);
    value_release(v);
    return tol;
  }
  return NAN;
}

static bool pack_body(Eval *ev, const Function *f, Verdicts *out) {
  Eval inner = *ev;
  inner.depth = ev->depth + 1;
  bool fine = true;
  for (int i = 0; fine && i < f->body->n; i++) {
    const Ast *s = f->body->kid[i];
    if (!s) continue;
    bool hard = s->kind == AST_DECL && !strcmp(s->name, "hard"), soft = s->kind == AST_DECL && !strcmp(s->name, "soft");
    bool include = s->kind == AST_DECL && !strcmp(s->name, "include");
    if ((!hard && !soft && !include) || !s->kid[0] || !s->kid[0]->n) {
      diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "this is no clause of a pack"), "it has `hard CALL [tol V]`, `soft CALL [tol V]`, `include CALL`");
      fine = false;
      break;
    }
    double tol = tolerance_word(&inner, s->kid[0], &fine);
    fine = fine && contract_run(&inner, s->kid[0]->kid[0], NULL, include ? -1 : hard, tol, out);
  }
  return fine;
}

static bool run_pack(Eval *ev, Function *f, const Ast *call, Verdicts *out) {
  Scope *scope = scope_new(SCOPE_FUNCTION, f->scope);
  Eval inner = *ev;
  inner.scope = scope;
  f->checked = true;
  bool fine = bind(ev, f, call, scope) && pack_body(&inner, f, out);
  scope_release(scope);
  return fine;
}

/* VALUE <= BOUND as a check of its own. */
static bool run_bound(Eval *ev, const Ast *node, int hard, Verdicts *out) {
  Value *a = eval_expr(ev, node->kid[0]), *b = eval_expr(ev, node->kid[1]);
  double x = NAN, bound = NAN;
  bool fine = !is_poison(a) && !is_poison(b);
  if (fine && !is_unknown(a) && !is_unknown(b))
    fine = eval_to_number(ev, a, node->kid[0]->span, "a checked value", b->kind == VALUE_NUMBER ? b->unit : UNIT_ANY, &x) && eval_to_number(ev, b, node->kid[1]->span, "a bound", UNIT_ANY, &bound);
  if (fine && !ev->dry) {
    const Source *source = source_of(ev->host->sources, node->span);
    char *text = strndup(source->text + (node->span.start - source->base), node->span.end - node->span.start);
    Verdict *v = push(ev, out, text, hard != 0, node->span);
    free(text);
    v->violation = x;
    v->tolerance = bound;
    settle(v);
  }
  value_release(a);
  value_release(b);
  return fine;
}

bool contract_run(Eval *ev, const Ast *node, Value *subject, int hard, double tolerance, Verdicts *out) {
  (void)subject;
  if (node->kind == AST_BINARY && (node->op == OP_LE || node->op == OP_LT)) return run_bound(ev, node, hard, out);
  const Ast *callee = node->kind == AST_CALL ? node->kid[0] : node;
  Value *v = callee->kind == AST_NAME && !scope_lookup(ev, callee->name) ? prelude_name(ev, callee->name) : NULL;
  if (!v) v = eval_expr(ev, callee);
  bool fine = false;
  if (v->kind == VALUE_UNKNOWN) fine = true;
  else if (v->kind != VALUE_CONTRACT) {
    if (!is_poison(v)) diag_suggest(diag_report(&ev->host->diags, E3004, callee->span, "this is no contract but %s %s", value_article(v), value_kind_name(v)), "name a contract or a pack: check sol against balance(sol)");
  } else if (node->kind != AST_CALL) {
    diag_suggest(diag_report(&ev->host->diags, E3004, node->span, "a contract is called on its subject"), "write `%s(sol)`", v->function->name);
  } else fine = is_pack(v->function) ? run_pack(ev, v->function, node, out) : run_contract(ev, v->function, node, hard, tolerance, out);
  value_release(v);
  return fine;
}

/* Subjects of kinds that this build reads but cannot run: nothing is known of what a body about them may call. */
static bool has_later_subject(const Function *f) {
  static const char *const kinds[] = {"model", "dataset", "fit", "run", "map", "surrogate"};
  for (size_t i = 0; f->nparams && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(type_word(&f->params[0]), kinds[i])) return true;
  return false;
}

void contract_check(Eval *ev, Function *f) {
  if (f->checked || has_later_subject(f)) return;
  f->checked = true;
  Scope *scope = scope_new(SCOPE_FUNCTION, f->scope);
  for (int k = 0; k < f->nparams; k++) {
    Value *v = value_unknown();
    scope_set(scope, f->params[k].name, v, f->params[k].span)->is_own = true;
    value_release(v);
  }
  Eval inner = *ev;
  inner.scope = scope;
  bool was = ev->host->checking_only;
  ev->host->checking_only = true;        /* probes are read, not drawn */
  char *reason = NULL;
  Verdicts none = {0};
  if (is_pack(f)) pack_body(&inner, f, &none);
  else if (body(&inner, f, scope, &reason)) {
    Slot *violation = scope_find_own(scope, intern_text(ev->host->names, "violation"));
    static const char *const results[] = {"violation", "tolerance", "severity"};
    for (int i = 0; i < 3; i++) {
      Slot *slot = scope_find_own(scope, intern_text(ev->host->names, results[i]));
      if (slot) slot->used = true;
    }
    if (!violation) report_no_violation(ev, f);
    eval_unused(&inner, scope);
  }
  ev->host->checking_only = was;
  free(reason);
  verdicts_free(&none);
  scope_release(scope);
}

bool verdict_passed(const Verdict *v) { return v->status == VERDICT_PASS || v->status == VERDICT_SKIPPED; }

void verdicts_free(Verdicts *verdicts) {
  for (int i = 0; i < verdicts->n; i++) {
    free(verdicts->items[i].contract);
    free(verdicts->items[i].subject);
    free(verdicts->items[i].reason);
  }
  free(verdicts->items);
  *verdicts = (Verdicts){0};
}

/* Its name; of a contract that is there several times the call, which says which it is. */
static const char *title(const Verdict *verdicts, int n, int which) {
  int same = 0;
  for (int i = 0; i < n; i++) same += !strcmp(verdicts[i].contract, verdicts[which].contract);
  return same > 1 && verdicts[which].call ? verdicts[which].call : verdicts[which].contract;
}

void verdicts_print(Buf *out, const Verdict *verdicts, int n) {
  static const char *const words[] = {"pass", "FAIL", "skipped", "ERROR"};
  size_t width = 8;
  for (int i = 0; i < n; i++)
    if (strlen(title(verdicts, n, i)) > width) width = strlen(title(verdicts, n, i));
  for (int i = 0; i < n; i++) {
    const Verdict *v = &verdicts[i];
    buf_printf(out, "  %-7s %-4s %-*s", words[v->status], v->hard ? "hard" : "soft", (int)width, title(verdicts, n, i));
    if (v->status == VERDICT_PASS || v->status == VERDICT_FAIL) buf_printf(out, "  violation %.3g, tolerance %.3g", v->violation, v->tolerance);
    if (v->reason) buf_printf(out, "  %s", v->reason);
    buf_putc(out, '\n');
  }
}
