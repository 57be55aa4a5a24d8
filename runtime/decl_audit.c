/* audit M against PACK { samples: 256; seed: 7; threshold: 1; adversary { starts: 16; steps: 200 } } */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/sha256.h"
#include "audit.h"
#include "builtin.h"
#include "dataset.h"
#include "failures.h"
#include "foreign.h"
#include "model_foreign.h"

/* --- its options --- */

enum { SAMPLES_MOST = 10000000 };             /* as of sample() */
static const long PROOF_WORK = 12000000;      /* products of terms: a second or two, where nothing can be proved */
#define SEED_MOST 9007199254740992.0          /* 2^53: the whole numbers that a number holds */

typedef struct OptionRow { const char *word; double lo, hi; size_t at; enum { AN_INT, A_SEED, A_REAL } type; } OptionRow;
static const OptionRow audit_options[] = {
    {"samples", 1, SAMPLES_MOST, offsetof(AuditPlan, samples), AN_INT}, {"seed", 0, SEED_MOST, offsetof(AuditPlan, seed), A_SEED},
    {"threshold", 0, 1, offsetof(AuditPlan, threshold), A_REAL}, {"calibrate", 1, SAMPLES_MOST, offsetof(AuditPlan, calibrate), AN_INT}, {NULL, 0, 0, 0, AN_INT}};
static const OptionRow adversary_options[] = {{"starts", 1, SAMPLES_MOST, offsetof(AuditPlan, starts), AN_INT}, {"steps", 0, SAMPLES_MOST, offsetof(AuditPlan, steps), AN_INT}, {NULL, 0, 0, 0, AN_INT}};

static bool number_option(Eval *ev, const Ast *s, const OptionRow *row, double *out) {
  const Ast *value = s->kid[1] && s->kid[1]->n == 1 ? s->kid[1]->kid[0] : NULL;
  Value *v = value ? eval_expr(ev, value) : value_poison();
  bool fine = value && (is_unknown(v) || eval_to_number(ev, v, value->span, s->kid[0]->name, UNIT_NONE, out));
  bool within = *out >= row->lo && *out <= row->hi && (row->type == A_REAL ? *out > 0 : *out == floor(*out));
  if (fine && !is_unknown(v) && !within) {
    if (row->type == A_REAL) diag_report(&ev->host->diags, E0506, value->span, "`%s` is above 0 and at most %g, not %g", row->word, row->hi, *out);
    else diag_report(&ev->host->diags, E0506, value->span, "`%s` is a whole number from %.0f to %.0f, not %.10g", row->word, row->lo, row->hi, *out);
    fine = false;
  }
  value_release(v);
  return fine;
}

static bool take_option(Eval *ev, const Ast *s, const OptionRow *rows, AuditPlan *plan, const char *what) {
  Name names[8];
  int n = 0;
  for (const OptionRow *row = rows; row->word; row++) {
    names[n++] = row->word;
    if (s->kind != AST_OPTION || s->kid[0]->kind != AST_NAME || strcmp(s->kid[0]->name, row->word)) continue;
    char *at = (char *)plan + row->at;
    double x = row->type == AN_INT ? *(int *)at : row->type == A_SEED ? (double)*(uint64_t *)at : *(double *)at;
    if (!number_option(ev, s, row, &x)) return false;
    if (row->type == AN_INT) *(int *)at = (int)x;
    else if (row->type == A_SEED) *(uint64_t *)at = (uint64_t)x;
    else *(double *)at = x;
    return true;
  }
  Name word = s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME ? s->kid[0]->name : NULL, near = word ? nearest_name(word, names, n) : NULL;
  Diag *d = diag_report(&ev->host->diags, E0202, s->span, "this is no option of %s", what);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else diag_suggest(d, rows == audit_options ? "it has samples:, seed:, threshold:, calibrate:, bank: and adversary { }" : "it has starts: and steps:");
  return false;
}

/* calibrate: CASES, a dataset or a model of recorded cases, instead of a number of solves. */
static bool is_calibration(const Ast *s) {
  const Ast *value = s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME && !strcmp(s->kid[0]->name, "calibrate") && s->kid[1] && s->kid[1]->n == 1 ? s->kid[1]->kid[0] : NULL;
  return value && value->kind != AST_NUMBER;
}

/* Does its value name cases? *reference is retained. A number is left to the other options. */
static bool take_reference(Eval *ev, const Ast *s, Value **reference) {
  Value *v = eval_expr(ev, s->kid[1]->kid[0]);
  bool cases = v->kind == VALUE_DATASET || (v->kind == VALUE_MODEL && v->model->kind && !strcmp(v->model->kind, "record"));
  if (cases && !*reference) *reference = value_retain(v);
  value_release(v);
  return cases;
}

static bool is_bank(const Ast *s) { return s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME && !strcmp(s->kid[0]->name, "bank"); }

static bool take_bank(Eval *ev, const Ast *s, AuditPlan *plan) {
  const Ast *value = s->kid[1] && s->kid[1]->n == 1 ? s->kid[1]->kid[0] : NULL;
  if (value && value->kind == AST_STRING) return plan->bank = value->text, true;
  diag_suggest(diag_report(&ev->host->diags, E0209, s->span, "the bank of failures is a file"), "as in `bank: \"failures.json\"`");
  return false;
}

static bool read_plan(Eval *ev, const Ast *block, AuditPlan *plan, Value **reference) {
  bool fine = true;
  for (int i = 0; block && i < block->n; i++) {
    const Ast *s = block->kid[i];
    if (!s) continue;
    bool adversary = s->kind == AST_OPTIONS && s->name && !strcmp(s->name, "adversary");
    if (adversary) {
      const Ast *inner = s->kid[0];
      plan->adversary = true;
      for (int k = 0; k < inner->n; k++)
        if (inner->kid[k]) fine &= take_option(ev, inner->kid[k], adversary_options, plan, "an adversary");
    } else if (is_calibration(s) && take_reference(ev, s, reference)) continue;
    else if (is_bank(s)) fine &= take_bank(ev, s, plan);
    else fine &= take_option(ev, s, audit_options, plan, "an audit");
  }
  return fine;
}

/* --- the verification setting --- */

/* Contracts with tolerances (written while they ran), the domain, the sampling, the threshold and the budget of the adversary. */
static void hash_setting(const AuditPlan *plan, Buf *setting, Gate *gate) {
  Buf text = {0};
  const MapValue *map = value_map(plan->subject)->map;
  buf_printf(&text, "ansatz audit 1\nmap %s\n", map->spec.name);
  map_print_domain(&text, map);
  buf_printf(&text, "samples %d seed %llu threshold ", plan->samples, (unsigned long long)plan->seed);
  buf_number(&text, plan->threshold);
  buf_printf(&text, " calibrate %d adversary %d starts %d steps %d\n", plan->calibrate, plan->adversary, plan->starts, plan->steps);
  buf_add(&text, buf_str(setting), setting->len);
  sha256_hex(buf_str(&text), text.len, gate->vset);
  buf_free(&text);
}

/* --- the statement --- */

static char *source_text(Host *host, Span span) {
  const Source *s = source_of(host->sources, span);
  return s ? strndup(s->text + (span.start - s->base), span.end - span.start) : strdup("");
}

/* Every audit of a model asks whether it responds at all, unless its contracts do. */
static bool add_non_trivial(Eval *ev, Value *subject, Span span, Verdicts *all) {
  if (subject->kind == VALUE_MAP) return true;
  for (int i = 0; i < all->n; i++)
    if (!strcmp(all->items[i].contract, "non_trivial")) return true;
  Verdict v = verdict_blank();
  v.contract = strdup("non_trivial");
  v.hard = v.automatic = true;
  v.span = span;
  Diags kept = ev->host->diags;       /* a model that fails is an error of this verdict, not of the script */
  ev->host->diags = (Diags){.sources = ev->host->sources};
  int shown = ev->host->shown_diags;
  if (!audit_non_trivial(ev, subject, span, &v)) {
    Diag *d = diags_last_error(&ev->host->diags);
    v.status = VERDICT_ERROR;
    v.reason = strdup(d ? d->message : "its evaluation failed");
  }
  diags_free(&ev->host->diags);
  ev->host->diags = kept;
  ev->host->shown_diags = shown;
  all->items = realloc(all->items, (size_t)(all->n + 1) * sizeof *all->items);
  all->items[all->n++] = v;
  return true;
}

static void report(Eval *ev, const char *subject, const AuditPlan *plan, Value *verdict) {
  Buf out = {0};
  buf_printf(&out, "audit %s: %d samples, seed %llu\n", subject, plan->samples, (unsigned long long)plan->seed);
  verdicts_print(&out, verdict->verdicts, verdict->nverdicts);
  gate_print(&out, verdict->gate);
  for (int i = 0; i < verdict->nverdicts; i++) {
    verdict->verdicts[i].subject = strdup(subject);
    host_note_verdict(ev->host, &verdict->verdicts[i]);
  }
  if (strcmp(verdict->gate->state, "pass")) ev->host->contract_failed = true;
  if (!ev->host->json) host_print(ev->host, buf_str(&out), out.len);
  buf_free(&out);
}

/* Contracts after `against`: names of packs or contracts, or calls of them. */
static bool run_all(Eval *ev, const Ast *phrase, const AuditPlan *plan, Verdicts *all) {
  Eval inner = *ev;
  inner.audit = plan;
  bool fine = true;
  for (int i = 2; fine && i < phrase->n; i++) fine = contract_run(&inner, phrase->kid[i], plan->subject, AS_IT_SAYS, all);
  return fine;
}

static void digest_array(Sha256 *sha, const CaseArray *a, int n) {
  sha256_add(sha, a->name, strlen(a->name));
  sha256_add(sha, a->values, (size_t)n * a->size * sizeof *a->values);
}

/* Recorded cases as the reference; they enter the setting by their numbers. */
static bool open_reference(Eval *ev, Value *reference, AuditPlan *plan, Predictor **own, Span span) {
  const MapSpec *spec = &value_map(plan->subject)->map->spec;
  if (reference->kind == VALUE_MODEL) {
    bool same = value_map(reference) == value_map(plan->subject);
    if (!same) diag_report(&ev->host->diags, E3152, span, "the cases of `%s` are not of the map `%s`", reference->model->name, spec->name);
    plan->recorded = same ? value_predictor(ev, reference, span) : NULL;
    if (plan->recorded) buf_printf(plan->setting, "calibrate %s\n", reference->model->foreign->text);
    return plan->recorded != NULL;
  }
  const Cases *cases = reference->dataset->cases;
  ForeignOptions options = {.diags = &ev->host->diags, .span = span};
  uint8_t digest[32];
  Sha256 sha;
  sha256_start(&sha);
  for (int i = 0; i < cases->ninputs; i++) digest_array(&sha, &cases->inputs[i], cases->n);
  for (int i = 0; i < cases->noutputs; i++) digest_array(&sha, &cases->outputs[i], cases->n);
  sha256_end(&sha, digest);
  buf_puts(plan->setting, "calibrate ");
  for (int i = 0; i < 32; i++) buf_printf(plan->setting, "%02x", digest[i]);
  buf_putc(plan->setting, '\n');
  const char *name = reference->dataset->name ? reference->dataset->name : "the dataset";
  if (foreign_record(spec, dataset_part(cases, 0, cases->n), name, &options, own)) return false;
  plan->recorded = *own;
  return true;
}

/* The predictor of a subject that is not ours, opened before any contract: one that cannot be is an error of every verdict, as one that fails later; what
 * else goes wrong is the script's. *why: malloc'ed, or NULL. */
static bool subject_opens(Eval *ev, Value *subject, Span span, char **why) {
  *why = NULL;
  if (subject->kind != VALUE_MODEL || !subject->model->foreign) return true;
  Diags kept = ev->host->diags;
  int shown = ev->host->shown_diags;
  ev->host->diags = (Diags){.sources = ev->host->sources};
  bool fine = value_predictor(ev, subject, span) != NULL;
  const Diag *d = diags_last_error(&ev->host->diags);
  if (!fine && d && (d->code == E3150 || d->code == E3152)) *why = strdup(d->message);
  diags_free(&ev->host->diags);
  ev->host->diags = kept;
  ev->host->shown_diags = shown;
  return fine || *why || value_predictor(ev, subject, span);      /* again, to report it */
}

static Value *subject_of(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0];
  bool shaped = phrase && phrase->n >= 3 && phrase->kid[1]->kind == AST_NAME && !strcmp(phrase->kid[1]->name, "against");
  if (!shaped) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "`audit` names a model and contracts"), "write `audit champion against linear_elastic { samples: 256 }`");
    return value_poison();
  }
  Value *v = eval_expr(ev, phrase->kid[0]);
  if (is_poison(v) || v->kind == VALUE_UNKNOWN || value_map(v)) return v;
  diag_suggest(diag_report(&ev->host->diags, E0505, phrase->kid[0]->span, "an audit is of a model or map; this is %s %s", value_article(v), value_kind_name(v)), "a solution is checked: check sol against ...");
  value_release(v);
  return value_poison();
}

Flow stmt_audit(Eval *ev, const Ast *decl) {
  AuditPlan plan = audit_defaults;
  Buf setting = {0};
  Verdicts all = {0};
  char *unavailable = NULL;
  Value *reference = NULL;
  Predictor *recorded = NULL;      /* made here, of a dataset */
  bool keep = ev->keep_verdict;
  ev->keep_verdict = false;
  long proof_work = PROOF_WORK;
  plan.proof_work = &proof_work;
  plan.samples = 256;
  plan.starts = 16;
  plan.steps = 200;
  Value *subject = subject_of(ev, decl);
  bool fine = !is_poison(subject);
  fine &= read_plan(ev, decl->n > 2 ? decl->kid[2] : NULL, &plan, &reference);
  plan.subject = subject;
  plan.setting = &setting;
  if (fine && subject->kind != VALUE_UNKNOWN) {
    if (plan.bank && !ev->dry) fine = (plan.failures = failures_open(ev, plan.bank, decl->span)) != NULL;
    plan.replay = ev->host->replay;
    fine = fine && (ev->dry || (map_open(ev, value_map(subject), decl->span) && subject_opens(ev, subject, decl->span, &unavailable)));
    plan.unavailable = unavailable;
    fine = fine && (ev->dry || !reference || open_reference(ev, reference, &plan, &recorded, decl->span));
    fine = fine && run_all(ev, decl->kid[0], &plan, &all);
    if (plan.failures) fine &= failures_close(ev, plan.failures, decl->span);
    if (!ev->dry && (fine || all.n)) {       /* an error in one check is a verdict; the others have theirs */
      ev->host->audits++;
      if (!unavailable) add_non_trivial(ev, subject, decl->span, &all);
      Value *verdict = value_new(VALUE_VERDICT);
      verdict->verdicts = all.items;
      verdict->nverdicts = all.n;
      verdict->gate = calloc(1, sizeof *verdict->gate);
      verdict->gate->threshold = plan.threshold;
      gate_settle(verdict->gate, all.items, all.n);
      hash_setting(&plan, &setting, verdict->gate);
      char *name = source_text(ev->host, decl->kid[0]->kid[0]->span);
      if (!plan.replay) report(ev, name, &plan, verdict);
      free(name);
      all = (Verdicts){0};
      if (keep) ev->returned = verdict;
      else value_release(verdict);
    }
  }
  verdicts_free(&all);
  buf_free(&setting);
  free(unavailable);
  if (recorded) recorded->ops->free(recorded);
  value_release(reference);
  value_release(subject);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- v.passed, v.worst, v.gate, v.checks --- */

static Value *item_value(const VerdictItem *item) {
  switch (item->kind) {
    case ITEM_TEXT:
    case ITEM_TREE: return value_string(item->text ? item->text : "", item->text ? strlen(item->text) : 0);
    case ITEM_COUNT: return value_int(item->number);
    case ITEM_TRUTH: return value_bool(item->number == 1);
    default: return value_number(item->number, UNIT_NONE);
  }
}

static Value *record_of(const Verdict *v, Eval *ev) {
  Value *r = value_new(VALUE_RECORD);
  VerdictItem items[VERDICT_ITEMS];
  int n = verdict_items(v, items);
  r->fields = calloc(VERDICT_ITEMS, sizeof *r->fields);
  for (int i = 0; i < n; i++)
    if (items[i].in & IN_LANGUAGE) r->fields[r->nfields++] = (Argument){intern_text(ev->host->names, items[i].name), item_value(&items[i]), (Span){0, 0}};
  return r;
}

static Value *list_of(Eval *ev, const Value *v, bool failures) {
  Value **items = calloc((size_t)v->nverdicts + 1, sizeof *items);
  int n = 0;
  for (int i = 0; i < v->nverdicts; i++)
    if (!failures || !verdict_passed(&v->verdicts[i])) items[n++] = record_of(&v->verdicts[i], ev);
  Value *list = value_items(VALUE_LIST, items, n);
  for (int i = 0; i < n; i++) value_release(items[i]);
  free(items);
  return list;
}

Value *verdict_member(Eval *ev, Value *v, Name name, Span span) {
  double worst = 0;
  bool passed = true;
  for (int i = 0; i < v->nverdicts; i++) {
    const Verdict *d = &v->verdicts[i];
    passed &= verdict_passed(d) || !d->hard;
    if (verdict_measured(d) && d->violation > 0) worst = fmax(worst, d->violation / d->tolerance);
  }
  if (v->gate) passed = !strcmp(v->gate->state, "pass");
  const char *gate = v->gate ? v->gate->state : passed ? "pass" : "fail";
  if (!strcmp(name, "passed")) return value_bool(passed);
  if (!strcmp(name, "gate")) return value_string(gate, strlen(gate));
  if (!strcmp(name, "worst")) return value_number(worst, UNIT_NONE);
  if (!strcmp(name, "checks") || !strcmp(name, "failures")) return list_of(ev, v, !strcmp(name, "failures"));
  if (v->gate && !strcmp(name, "viol_max")) return value_number(v->gate->viol_max, UNIT_NONE);
  if (v->gate && !strcmp(name, "vset")) return value_string(v->gate->vset, 64);
  diag_suggest(diag_report(&ev->host->diags, E0111, span, "a verdict has no `%s`", name), v->gate ? "it has passed, gate, worst, viol_max, vset, checks and failures" : "it has passed, gate, worst, checks and failures");
  return value_poison();
}
