#include "contract.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "builtin.h"
#include "contract_bind.h"

/* --- declarations --- */

/* Contracts of one name about several kinds of subjects stand beside each other: the first argument's type tells. */
static bool same_subject(const Function *f, const Function *g) {
  for (; f; f = f->other ? f->other->function : NULL)
    if (f->nparams && !strcmp(param_type(&f->params[0]), param_type(&g->params[0]))) return true;
  return false;
}

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
  Slot *old = scope_find_own(ev->scope, f->name);
  if (old && !old->imported && old->value->kind == VALUE_CONTRACT && n && !same_subject(old->value->function, f)) f->other = value_retain(old->value);
  Slot *slot = scope_set(ev->scope, f->name, v, call->kid[0]->span);
  slot->decl = decl;
  value_release(v);
  return FLOW_NEXT;
}

Flow decl_contract(Eval *ev, const Ast *decl) { return declare(ev, decl, "contract positive(sol: solution) { violation = ...; tolerance = 1e-3 }"); }
Flow decl_contracts(Eval *ev, const Ast *decl) { return declare(ev, decl, "contracts pack(sol: solution) { hard positive(sol) tol 1e-3 }"); }

static bool is_pack(const Function *f) { return !strcmp(f->decl->name, "contracts"); }

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
  *v = verdict_blank();
  v->contract = copy_text(contract);
  v->hard = hard;
  v->call = written(ev, span);
  v->span = span;
  return v;
}

/* A precondition that depends on probes is judged for each sample: one where it does not hold is left out, and counted. */
static bool needs_of_probes(Eval *ev, const Ast *node, Value *condition) {
  Trace *t = ev->trace;
  Expr *e = eval_truth_expr(ev, condition, node->kid[0]->span, NULL);
  Value *why = eval_expr(ev, node->kid[1]);
  if (e) {
    t->needs = realloc(t->needs, (size_t)(t->nneeds + 1) * sizeof *t->needs);
    t->needs[t->nneeds++] = (TraceNeed){e, copy_text(why->kind == VALUE_STRING ? why->text : "a precondition does not hold"), node->span};
  }
  value_release(why);
  return e != NULL;
}

/* needs CONDITION else "reason": 1 goes on, 0 skips with the reason, -1 after a report. */
static int needs(Eval *ev, const Ast *node, char **reason) {
  Value *c = eval_expr(ev, node->kid[0]);
  bool truth = true;
  int result = 1;
  bool of_probes = ev->trace && value_traced(c);
  if (is_poison(c)) result = -1;
  else if (of_probes) result = needs_of_probes(ev, node, c) ? 1 : -1;
  else if (!is_unknown(c) && !value_truthful(c, &truth)) {
    diag_report(&ev->host->diags, E0507, node->kid[0]->span, "`needs` wants a condition; this is %s %s", value_article(c), value_kind_name(c));
    result = -1;
  }
  value_release(c);
  if (result < 0 || of_probes) return result;
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
      if (!trace_probe_clause(&inner, s)) return false;
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

/* A violation that depends on probes: one number, without dimension. */
static bool traced_number(Eval *ev, const Slot *slot) {
  const Value *v = slot->value;
  bool number = v->kind == VALUE_FIELD && !v->expr->shape.rank && !trace_has_fields(ev->trace, v->expr) && !trace_varies(ev->trace, v->expr);
  if (!number) {
    diag_suggest(diag_report(&ev->host->diags, E3018, slot->span, "a violation is a number; this is %s", v->kind == VALUE_FIELD ? trace_has_fields(ev->trace, v->expr) ? "a field over space" : v->expr->shape.rank ? "a vector" : "a function of time" : "several"),
                 "make a number of it: norm(...), integral(...), max(...)");
    return false;
  }
  if (unit_is_none(v->expr->unit) || v->expr->unit.any) return true;
  Buf unit = {0};
  unit_print(&unit, v->expr->unit);
  diag_suggest(diag_report(&ev->host->diags, E0302, slot->span, "a violation has no dimension; this carries %s", buf_str(&unit)), "divide by a scale of the same unit, as in max(norm(m(z)), scale(m))");
  buf_free(&unit);
  return false;
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

/* The model or map that a contract is about: among its parameters. */
static Value *model_of(const Function *f, Scope *scope) {
  for (int k = 0; k < f->nparams; k++) {
    Slot *slot = scope_find_own(scope, f->params[k].name);
    if (slot && value_map(slot->value)) return slot->value;
  }
  return NULL;
}

static bool tolerance_fits(Eval *ev, double tolerance, Span span) {
  if (isfinite(tolerance) && tolerance > 0) return true;
  diag_suggest(diag_report(&ev->host->diags, E0506, span, "a tolerance is a finite number above 0, not %g", tolerance), "1e-9 is rounding, 1e-2 a hundredth of the scale");
  return false;
}

/* What a contract's body left in its scope. */
typedef struct Outcome {
  double violation, tolerance;
  Value *traced;               /* the violation where it depends on probes, borrowed from the scope; or NULL */
  bool hard;
} Outcome;

static bool outcome_of(Eval *ev, const Function *f, const Ast *call, Scope *scope, const Demand *demand, int errors_before, Outcome *out) {
  bool known, tol_known;
  *out = (Outcome){.violation = NAN, .tolerance = NAN};
  Slot *slot = scope_find_own(scope, intern_text(ev->host->names, "violation"));
  bool has = slot && ev->trace && value_traced(slot->value);
  if (has) {
    slot->used = true;
    out->traced = slot->value;
    if (!traced_number(ev, slot)) return false;
  } else has = number_slot(ev, scope, "violation", &out->violation, &known);
  if (!has && ev->host->diags.nerrors == errors_before) report_no_violation(ev, f);
  bool has_tol = number_slot(ev, scope, "tolerance", &out->tolerance, &tol_known);
  if (has_tol && tol_known && !tolerance_fits(ev, out->tolerance, scope_find_own(scope, intern_text(ev->host->names, "tolerance"))->span)) return false;
  if (!isnan(demand->tolerance)) out->tolerance = demand->tolerance, has_tol = true;
  if (has && !has_tol && ev->host->diags.nerrors == errors_before)
    diag_suggest(diag_report(&ev->host->diags, E3003, call->span, "`%s` has no tolerance, neither in itself nor here", f->name), "write `tolerance = ...` in it or `tol ...` in the pack");
  bool own_hard = true, fine = has && has_tol && severity_of(ev, scope, &own_hard);
  out->hard = demand->hard < 0 ? own_hard : demand->hard;
  return fine;
}

/* Binds the arguments and runs the body; a contract over a model is traced. */
typedef struct Passage { Scope *scope; Trace *trace; Value *model; char *reason; Outcome outcome; bool fine; } Passage;

static Passage pass(Eval *ev, Function *f, const Ast *call, Value *first, const Demand *demand, bool reference) {
  Passage p = {.scope = scope_new(SCOPE_FUNCTION, f->scope)};
  int before = ev->host->diags.nerrors;
  p.fine = contract_bind(ev, f, call, first, p.scope);
  f->checked = true;
  p.model = p.fine ? model_of(f, p.scope) : NULL;
  if (p.model && reference) {
    Slot *slot = scope_find_own(p.scope, f->params[0].name);
    for (int k = 0; k < f->nparams && (slot = scope_find_own(p.scope, f->params[k].name)); k++)
      if (slot->value->kind == VALUE_MODEL) scope_set(p.scope, f->params[k].name, slot->value->model->map, slot->span);
    p.model = model_of(f, p.scope);
  }
  Eval inner = *ev;
  inner.trace = NULL;
  if (p.fine && p.model) {
    p.fine = ev->dry || map_open(ev, value_map(p.model), call->span);
    inner.trace = p.trace = p.fine ? trace_new(ev, p.model) : NULL;
  }
  p.fine = p.fine && body(&inner, f, p.scope, &p.reason);
  if (p.fine && !p.reason) p.fine = outcome_of(&inner, f, call, p.scope, demand, before, &p.outcome);
  if (p.fine && ev->dry && !p.reason) {
    inner.scope = p.scope;
    eval_unused(&inner, p.scope);
  }
  return p;
}

static void pass_free(Passage *p) {
  free(p->reason);
  trace_free(p->trace);
  scope_release(p->scope);
}

/* What enters the hash of the verification setting: the contract as it is defined, called, and judged. */
static void note_setting(const AuditPlan *plan, const Function *f, const Verdict *v) {
  if (!plan || !plan->setting) return;
  buf_printf(plan->setting, "%s %s tolerance ", v->hard ? "hard" : "soft", v->call ? v->call : v->contract);
  buf_number(plan->setting, isnan(v->tolerance) ? -1 : v->tolerance);
  buf_putc(plan->setting, '\n');
  ast_print(plan->setting, f->decl);
  buf_putc(plan->setting, '\n');
}

/* The same violation of the reference; NAN where it has none. */
static bool calibrated(Eval *ev, Function *f, const Ast *call, Value *first, const Demand *demand, const AuditPlan *plan, bool single, Reference *out) {
  *out = (Reference){.violation = NAN, .rounding = NAN};
  Passage p = pass(ev, f, call, first, demand, true);
  Eval inner = *ev;
  inner.trace = p.trace;
  bool fine = p.fine && (p.reason || !p.outcome.traced || audit_reference(&inner, p.trace, p.outcome.traced, plan, single, out));
  pass_free(&p);
  return fine;
}

static bool says_nothing(Verdict *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool says_nothing(Verdict *v, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  v->status = VERDICT_SKIPPED_FLOOR;
  v->reason = copy_text(text);
  return false;
}

enum { OVER_REFERENCE = 3, OVER_ROUNDING = 10 };
static const double DEFAULT_MOST = 0.5;

/* A written tolerance is told of where the reference nearly exceeds it, and judges nothing where rounding alone does. */
static bool written_tolerance(Eval *ev, const Function *f, const Ast *call, const Reference *r, const char *precision, Verdict *v) {
  double least = OVER_REFERENCE * r->violation, floor = OVER_ROUNDING * r->rounding;
  if (v->tolerance < floor) {
    diag_suggest(diag_report(&ev->host->diags, W3080, call->span, "the tolerance %.3g of `%s` is below ten times what rounding to %s precision alone violates, %.3g", v->tolerance, f->name, precision, r->rounding), "write `tol %.2g`, or `tol default`", fmax(floor, least));
    return says_nothing(v, "a tolerance of %.3g says nothing: rounding to %s precision alone violates %.3g", v->tolerance, precision, r->rounding);
  }
  if (v->tolerance < least)
    diag_suggest(diag_report(&ev->host->diags, W3031, call->span, "the tolerance %.3g of `%s` is below three times what the %s itself violates, %.3g", v->tolerance, f->name, r->recorded ? "record" : "map", v->calibration), "write `tol %.2g`, or `tol default`", least);
  return true;
}

/* tol default: the tolerance of the contract, three times what the reference violates, or ten times what rounding does, the largest. false: no tolerance that
 * says anything is left, and the verdict is that. */
static bool settle_tolerance(Eval *ev, const Function *f, const Ast *call, const Demand *demand, const Reference *r, bool single, Verdict *v) {
  const char *precision = single ? "single" : "double";
  v->calibration = r->violation;
  v->rounding = r->rounding;
  if (!demand->by_default) return written_tolerance(ev, f, call, r, precision, v);
  if (OVER_REFERENCE * r->violation > v->tolerance) v->tolerance = OVER_REFERENCE * r->violation;
  if (OVER_ROUNDING * r->rounding > v->tolerance) v->tolerance = OVER_ROUNDING * r->rounding;
  if (v->tolerance <= DEFAULT_MOST) return true;
  return says_nothing(v, "a tolerance of %.3g says nothing: the %s itself violates %.3g, rounding to %s precision %.3g", v->tolerance, r->recorded ? "record" : "map", r->violation, precision, r->rounding);
}

/* A model that is driven in time and may look ahead: somebody has decided so, and is reminded. */
static void warn_soft_causality(Eval *ev, const Function *f, const Ast *call, const Passage *p) {
  bool causal = !strcmp(f->name, "causality") || !strcmp(f->name, "strict_causality");
  if (!causal || !p->model || !p->fine || p->reason || p->outcome.hard || !map_has_histories(value_map(p->model)->map)) return;
  diag_suggest(diag_report(&ev->host->diags, W3032, call->span, "causality of a model that is driven in time is only soft here"), "write `hard %s(...)`", f->name);
}

/* What was reported inside of a contract of another file says where it was called from. */
static void note_call(Eval *ev, int from, const Ast *call) {
  const Diags *diags = &ev->host->diags;
  const Source *here = source_of(diags->sources, call->span);
  for (int i = from; i < diags->n; i++) {
    Diag *d = diags->items[i];
    bool elsewhere = d->span.end && source_of(diags->sources, d->span) != here;
    if (elsewhere && (!d->nnotes || d->notes[d->nnotes - 1].span.start != call->span.start)) diag_note(d, call->span, "in this check");
  }
}

static bool run_contract(Eval *ev, Function *f, const Ast *call, Value *first, const Demand *demand, Verdicts *out) {
  if (ev->audit && ev->audit->unavailable && !ev->dry) {
    Verdict *v = push(ev, out, f->name, demand->hard != 0, call->span);
    v->status = VERDICT_ERROR;
    v->reason = copy_text(ev->audit->unavailable);
    f->checked = true;
    note_setting(ev->audit, f, v);
    return true;
  }
  int before = ev->host->diags.nerrors, told = ev->host->diags.n;
  Passage p = pass(ev, f, call, first, demand, false);
  bool fine = p.fine;
  warn_soft_causality(ev, f, call, &p);
  const AuditPlan *plan = ev->audit ? ev->audit : &audit_defaults;
  if (fine && !ev->dry) {
    Verdict *v = push(ev, out, f->name, p.reason ? demand->hard < 0 || demand->hard : p.outcome.hard, call->span);
    if (p.reason) {
      v->status = VERDICT_SKIPPED;
      v->reason = p.reason;
      p.reason = NULL;
    } else if (p.outcome.traced) {
      Eval inner = *ev;
      inner.trace = p.trace;
      v->tolerance = p.outcome.tolerance;
      bool measure = (demand->by_default || ((plan->calibrate > 0 || plan->recorded) && !plan->replay)) && p.model->kind == VALUE_MODEL;
      bool single = p.model->kind == VALUE_MODEL && p.model->model->single;
      Reference reference;
      fine = !measure || calibrated(ev, f, call, first, demand, plan, single, &reference);
      bool judged = fine && (!measure || settle_tolerance(ev, f, call, demand, &reference, single, v));
      fine = fine && (!judged || audit_contract(&inner, p.trace, p.outcome.traced, v->tolerance, plan, v));
    } else {
      v->violation = p.outcome.violation;
      v->tolerance = p.outcome.tolerance;
      const char *unusable = verdict_unusable(v->violation);
      if (unusable) v->status = VERDICT_ERROR, v->reason = copy_text(unusable);
      else settle(v);
    }
    note_setting(plan, f, v);
    if (!fine) {
      v->status = VERDICT_ERROR;
      v->reason = copy_text("its evaluation failed");
    }
  } else if (!fine && !ev->dry && ev->host->diags.nerrors > before) {
    Verdict *v = push(ev, out, f->name, demand->hard < 0 || demand->hard, call->span);
    v->status = VERDICT_ERROR;
    v->reason = copy_text("its evaluation failed");
  }
  note_call(ev, told, call);
  pass_free(&p);
  return fine;
}

/* --- packs --- */

static double tolerance_word(Eval *ev, const Ast *phrase, bool *fine) {
  for (int i = 1; i + 1 < phrase->n; i++) {
    if (phrase->kid[i]->kind != AST_NAME || strcmp(phrase->kid[i]->name, "tol")) continue;
    Value *v = eval_expr(ev, phrase->kid[i + 1]);
    double tol = NAN;
    if (!is_unknown(v)) *fine &= eval_to_number(ev, v, phrase->kid[i + 1]->span, "a tolerance", UNIT_NONE, &tol) && tolerance_fits(ev, tol, phrase->kid[i + 1]->span);
    value_release(v);
    return tol;
  }
  return NAN;
}

static bool tolerance_is_default(const Ast *phrase) {
  for (int i = 1; i + 1 < phrase->n; i++)
    if (phrase->kid[i]->kind == AST_NAME && !strcmp(phrase->kid[i]->name, "tol") && phrase->kid[i + 1]->kind == AST_NAME && !strcmp(phrase->kid[i + 1]->name, "default")) return true;
  return false;
}

/* CALL, or CALL tol V: nothing else. */
static bool clause_is_whole(Eval *ev, const Ast *phrase) {
  bool fits = phrase->n == 1 || (phrase->n == 3 && phrase->kid[1]->kind == AST_NAME && !strcmp(phrase->kid[1]->name, "tol"));
  const Ast *rest = phrase->n > 1 ? phrase->kid[1] : NULL;
  bool signed_tol = !fits && rest->kind == AST_BINARY && rest->op == OP_SUB && rest->kid[0]->kind == AST_NAME && !strcmp(rest->kid[0]->name, "tol");    /* tol -1 */
  if (signed_tol) diag_suggest(diag_report(&ev->host->diags, E0506, rest->span, "a tolerance is a finite number above 0"), "as in `tol 1e-3`");
  else if (!fits) diag_suggest(diag_report(&ev->host->diags, E0202, phrase->kid[1]->span, "this is no part of a clause of a pack"), "it has `hard CALL [tol V]`, `soft CALL [tol V]`, `include CALL`");
  return fits;
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
    Demand demand = {.hard = include ? -1 : hard, .tolerance = NAN, .by_default = tolerance_is_default(s->kid[0])};
    fine = clause_is_whole(&inner, s->kid[0]);
    if (!demand.by_default) demand.tolerance = tolerance_word(&inner, s->kid[0], &fine);
    fine = fine && contract_run(&inner, s->kid[0]->kid[0], NULL, &demand, out);
  }
  return fine;
}

static bool run_pack(Eval *ev, Function *f, const Ast *call, Value *first, Verdicts *out) {
  Scope *scope = scope_new(SCOPE_FUNCTION, f->scope);
  Eval inner = *ev;
  inner.scope = scope;
  f->checked = true;
  int told = ev->host->diags.n;
  bool fine = contract_bind(ev, f, call, first, scope) && pack_body(&inner, f, out);
  note_call(ev, told, call);
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

/* Of contracts of one name the one whose first parameter takes that value; NULL: none. */
static Function *fitting(Value *contract, const Value *first) {
  for (Value *v = contract; v; v = v->function->other)
    if (v->function->nparams && param_accepts(&v->function->params[0], first)) return v->function;
  return NULL;
}

/* NULL: nothing is known yet of what it is about. The contract that is meant: of the file's own and those of the standard library the one that takes the first argument. *keep holds it. */
static Function *chosen(Eval *ev, const Ast *node, Value *contract, Value *subject, Value **first, Value **keep) {
  const Ast *callee = node->kind == AST_CALL ? node->kid[0] : node, *arg = node->kind == AST_CALL && node->n > 1 ? node->kid[1] : NULL;
  bool several = contract->function->other != NULL;
  int next = 0;
  Value *other;
  while (!several && callee->kind == AST_NAME && (other = prelude_next(ev, callee->name, &next))) {
    several = other != contract;
    value_release(other);
  }
  if (several && arg && arg->kind == AST_ARG) arg = contract->function->nparams && arg->name == contract->function->params[0].name ? arg->kid[0] : NULL;
  if (several && !*first) *first = arg ? eval_expr(ev, arg) : value_retain(subject);
  if (several && *first && (*first)->kind == VALUE_UNKNOWN) return NULL;
  Function *f = several && *first ? fitting(contract, *first) : contract->function;
  for (next = 0; !f && *first && callee->kind == AST_NAME && (other = prelude_next(ev, callee->name, &next));) {
    f = fitting(other, *first);
    if (f) *keep = other;
    else value_release(other);
  }
  return f ? f : contract->function;
}

bool contract_run(Eval *ev, const Ast *node, Value *subject, const Demand *demand, Verdicts *out) {
  if (node->kind == AST_BINARY && (node->op == OP_LE || node->op == OP_LT)) return run_bound(ev, node, demand->hard, out);
  const Ast *callee = node->kind == AST_CALL ? node->kid[0] : node;
  Value *v = callee->kind == AST_NAME && !scope_lookup(ev, callee->name) ? prelude_name(ev, callee->name) : NULL;
  if (!v) v = eval_expr(ev, callee);
  bool fine = false;
  if (v->kind == VALUE_UNKNOWN) fine = true;
  else if (v->kind != VALUE_CONTRACT) {
    if (!is_poison(v)) diag_suggest(diag_report(&ev->host->diags, E3004, callee->span, "this is no contract but %s %s", value_article(v), value_kind_name(v)), "name a contract or a pack: check sol against balance(sol)");
  } else if (node->kind != AST_CALL && !(ev->audit && ev->audit->subject)) {
    diag_suggest(diag_report(&ev->host->diags, E3004, node->span, "a contract is called on its subject"), "write `%s(sol)`", v->function->name);
  } else {
    Value *first = node->kind == AST_CALL ? NULL : value_retain(subject), *keep = NULL;
    Function *f = chosen(ev, node, v, subject, &first, &keep);
    fine = !f || ((!first || !is_poison(first)) && (is_pack(f) ? run_pack(ev, f, node, first, out) : run_contract(ev, f, node, first, demand, out)));
    value_release(first);
    value_release(keep);
  }
  value_release(v);
  return fine;
}

/* Subjects of kinds that this build reads but cannot run: nothing is known of what a body about them may call. */
static bool has_later_subject(const Function *f) {
  static const char *const kinds[] = {"dataset", "run", "surrogate"};
  for (size_t i = 0; f->nparams && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(param_type(&f->params[0]), kinds[i])) return true;
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

void verdicts_free(Verdicts *verdicts) {
  for (int i = 0; i < verdicts->n; i++) verdict_clear(&verdicts->items[i]);
  free(verdicts->items);
  *verdicts = (Verdicts){0};
}
