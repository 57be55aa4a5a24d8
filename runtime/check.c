/* The statements check, test, accept, reject, skip. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "contract.h"
#include "record.h"

void host_note_verdict(Host *host, const Verdict *v) {
  host->verdicts = realloc(host->verdicts, (size_t)(host->nverdicts + 1) * sizeof *host->verdicts);
  host->verdicts[host->nverdicts++] = verdict_copy(v);
  record_verdict(host, v);
}

static char *source_text(Host *host, Span span) {
  const Source *s = source_of(host->sources, span);
  return s ? strndup(s->text + (span.start - s->base), span.end - span.start) : strdup("");
}

/* check SUBJECT against CONTRACT, ...: phrase items are the subject, the word `against`, then calls. */
Flow stmt_check(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0];
  int against = -1;
  for (int i = 0; phrase && i < phrase->n; i++)
    if (phrase->kid[i]->kind == AST_NAME && !strcmp(phrase->kid[i]->name, "against")) against = i;
  if (against != 1 || phrase->n < 3) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "`check` names a subject and contracts"), "write `check sol against balance(sol)`");
    return FLOW_STOP;
  }
  Value *subject = eval_expr(ev, phrase->kid[0]);
  Verdicts all = {0};
  bool fine = !is_poison(subject);
  for (int i = 2; fine && i < phrase->n; i++) fine &= contract_run(ev, phrase->kid[i], subject, AS_IT_SAYS, &all);
  if (!ev->dry && all.n) {
    char *name = source_text(ev->host, phrase->kid[0]->span);
    Buf out = {0};
    bool failed = false;
    buf_printf(&out, "check %s\n", name);
    verdicts_print(&out, all.items, all.n);
    for (int i = 0; i < all.n; i++) {
      all.items[i].subject = strdup(name);
      failed |= all.items[i].hard && !verdict_passed(&all.items[i]);
      host_note_verdict(ev->host, &all.items[i]);
    }
    if (failed) ev->host->contract_failed = true;
    if (!ev->host->json) host_print(ev->host, buf_str(&out), out.len);
    buf_free(&out);
    free(name);
  }
  if (fine && !ev->dry && ev->keep_verdict) {
    ev->returned = value_new(VALUE_VERDICT);
    ev->returned->verdicts = all.items;
    ev->returned->nverdicts = all.n;
  } else verdicts_free(&all);
  value_release(subject);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* The number after a word of `accept CALL v 0.75 within 1%`; NAN: the word is not there, or a report. */
static double after_word(Eval *ev, const Ast *phrase, const char *word) {
  for (int i = 1; i + 1 < phrase->n; i += 2) {
    if (strcmp(phrase->kid[i]->name, word)) continue;
    Value *v = eval_expr(ev, phrase->kid[i + 1]);
    double x = NAN;
    if (!is_unknown(v)) eval_to_number(ev, v, phrase->kid[i + 1]->span, word, UNIT_NONE, &x);
    value_release(v);
    return x;
  }
  return NAN;
}

static bool witness_shaped(const Ast *phrase) {
  for (int i = 1; i < phrase->n; i += 2)
    if (phrase->kid[i]->kind != AST_NAME || i + 1 >= phrase->n || (strcmp(phrase->kid[i]->name, "v") && strcmp(phrase->kid[i]->name, "within"))) return false;
  return phrase->n >= 1;
}

static void note_verdicts(Diag *d, const Verdicts *all) {
  for (int i = 0; i < all->n; i++)
    diag_note(d, (Span){0, 0}, "%s: violation %.3g, tolerance %.3g%s%s", all->items[i].contract, all->items[i].violation, all->items[i].tolerance, all->items[i].reason ? ", " : "", all->items[i].reason ? all->items[i].reason : "");
}

/* What a statement of a test wants of all verdicts together. */
typedef struct Witness { bool passed, judged, skipped; double worst; } Witness;

static Witness witness_of(const Verdicts *all) {
  Witness w = {.passed = true, .skipped = all->n > 0, .worst = -INFINITY};
  for (int i = 0; i < all->n; i++) {
    const Verdict *v = &all->items[i];
    w.passed &= verdict_passed(v);
    w.judged |= verdict_measured(v);
    w.skipped &= v->status == VERDICT_SKIPPED || v->status == VERDICT_OOD;
    if (verdict_measured(v)) w.worst = fmax(w.worst, v->violation);
  }
  return w;
}

/* NULL, or what is wrong with a witness: `accept` wants a pass, `reject` a failure, `skip` that the contract does not apply. */
static const char *wrong_witness(const char *word, const Witness *w) {
  if (!strcmp(word, "skip")) return w->skipped ? NULL : "a contract that must not apply here was judged";
  if (!w->judged) return "the contract was skipped: a witness must be judged";
  if (!strcmp(word, "accept")) return w->passed ? NULL : "a witness that must pass is rejected";
  return w->passed ? "a witness that must fail passes" : NULL;
}

/* accept CALL, reject CALL, skip CALL: the witnesses of a contract library. With `v X` the violation is X, within 1 % or what `within` says. */
Flow stmt_accept(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0];
  if (!phrase || !witness_shaped(phrase) || !ev->in_test) {
    diag_suggest(diag_report(&ev->host->diags, E0208, decl->span, "`%s CALL` stands in a test", decl->name), "write test \"name\" { %s contract(...) }, or `... v 0.75 within 1%%` where the violation is known", decl->name);
    return FLOW_STOP;
  }
  Verdicts all = {0};
  int before = ev->host->diags.nerrors;
  double known = after_word(ev, phrase, "v"), within = after_word(ev, phrase, "within");
  bool fine = contract_run(ev, phrase->kid[0], NULL, AS_IT_SAYS, &all) && ev->host->diags.nerrors == before;
  Witness w = witness_of(&all);
  const char *wrong = fine && !ev->dry ? wrong_witness(decl->name, &w) : NULL;
  if (wrong) {
    note_verdicts(diag_report(&ev->host->diags, E3005, phrase->kid[0]->span, "%s", wrong), &all);
    fine = false;
  } else if (fine && !ev->dry && !isnan(known) && !(fabs(w.worst - known) <= (known == 0 ? 1e-9 : (isnan(within) ? 0.01 : within) * fabs(known)))) {
    note_verdicts(diag_report(&ev->host->diags, E3005, phrase->kid[0]->span, "the violation of the witness is %.6g, not %.6g", w.worst, known), &all);
    fine = false;
  }
  verdicts_free(&all);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* test "name" { ... }: read and checked always, run by `pde test`. */
Flow decl_test(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  const char *name = phrase && phrase->n == 1 && phrase->kid[0]->kind == AST_STRING ? phrase->kid[0]->text : NULL;
  if (!name || !block) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "a test has a name in quotes and a block"), "write test \"name\" { ... }");
    return FLOW_STOP;
  }
  const char *filter = ev->host->test_filter;
  if (!ev->dry && (!ev->host->run_tests || (filter && !strstr(name, filter)))) return FLOW_NEXT;
  Scope *scope = scope_new(SCOPE_DECL, ev->scope);
  Eval inner = *ev;
  inner.scope = scope;
  inner.in_test = true;
  int before = ev->host->diags.nerrors;
  Flow flow = eval_block(&inner, block);
  eval_unused(&inner, scope);
  scope_release(scope);
  if (ev->dry) return FLOW_NEXT;
  bool passed = flow != FLOW_STOP && ev->host->diags.nerrors == before;
  Buf out = {0};
  buf_printf(&out, "%s \"%s\"\n", passed ? "ok    " : "FAILED", name);
  if (passed) ev->host->tests_passed++;
  else ev->host->tests_failed++;
  host_flush_diags(ev->host);
  host_print(ev->host, buf_str(&out), out.len);
  buf_free(&out);
  return FLOW_NEXT;
}
