/* The hypothesis evaluation interface in scripts and sessions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_discovery.h"
#include "builtin.h"
#include "declared.h"
#include "search.h"
#include "hypothesis.h"

/* ---- replies as values ---- */

static Value *value_of_json(Host *host, const Json *node);

static Value *record_of_json(Host *host, const Json *node) {
  Value *v = value_new(VALUE_RECORD);
  int n = json_count(node);
  v->fields = calloc((size_t)n + 1, sizeof *v->fields);
  for (int k = 0; k < n; k++) v->fields[v->nfields++] = (Argument){intern_text(host->names, json_key_at(node, k)), value_of_json(host, json_at(node, k)), {0, 0}};
  return v;
}

static Value *value_of_json(Host *host, const Json *node) {
  double number;
  bool truth;
  const char *text = json_text_of(node);
  if (text) return value_string(text, strlen(text));
  if (json_number_of(node, &number)) return value_number(number, UNIT_NONE);
  if (json_truth_of(node, &truth)) return value_bool(truth);
  if (json_is_object(node)) return record_of_json(host, node);
  if (!json_is_array(node)) return value_word(intern_text(host->names, "none"));
  Value *v = value_new(VALUE_LIST);
  v->items = calloc((size_t)json_count(node) + 1, sizeof *v->items);
  for (int k = 0; k < json_count(node); k++) v->items[v->n++] = value_of_json(host, json_at(node, k));
  return v;
}

/* Takes the reply. */
static Value *reply(Call *call, Json *node) {
  Value *v = node ? value_of_json(call->ev->host, node) : value_poison();
  json_free(node);
  return v;
}

/* ---- what they are called with ---- */

static bool not_yet(const Value *v) { return v->kind == VALUE_UNKNOWN || v->kind == VALUE_DECLARED; }

static bool is_hypothesis(Call *call, const Value *v, Span span) {
  if (v->kind == VALUE_HYPOTHESIS) return true;
  if (!not_yet(v) && !is_poison(v))
    diag_suggest(diag_report(&call->ev->host->diags, E0505, span, "`%s` wants a hypothesis; this is %s %s", call->row->name, value_article(v), value_kind_name(v)), "declare one: hypothesis h1 for d { ... }");
  return false;
}

static Discover *workspace_of(Call *call, const Value *hypothesis) { return declared_workspace(call->ev, hypothesis->hypothesis->discovery, call->span); }

/* ---- the functions ---- */

static Value *run_validate(Call *call) {
  if (!is_hypothesis(call, ARG(0), call->spans[0])) return not_yet(ARG(0)) ? value_unknown() : value_poison();
  if (call->ev->dry) return value_unknown();
  DiscoverCandidate candidate = declared_candidate(ARG(0));
  Value *v = reply(call, discover_validate_json(&candidate));
  return v;
}

/* A batch keeps its order; what cannot be scored for its own sake is an answer, what the run does not allow ends the script. */
static Value *score_all(Call *call, Value *const *hypothesis, int n) {
  Discover *d = workspace_of(call, hypothesis[0]);
  DiscoverCandidate candidate[DISCOVER_BATCH];
  DiscoverAnswer answer[DISCOVER_BATCH];
  DiscoverCounts counts;
  if (!d) return value_poison();
  for (int k = 0; k < n && k < DISCOVER_BATCH; k++) candidate[k] = declared_candidate(hypothesis[k]);
  Status status = discover_score(d, n, candidate, true, answer);
  if (!status) status = discover_counts(d, &counts);
  Value *v = status ? value_poison() : value_new(VALUE_LIST);
  if (!status) v->items = calloc((size_t)n, sizeof *v->items);
  for (int k = 0; !status && k < n; k++) {
    v->items[v->n++] = reply(call, discover_answer_json(&candidate[k], &answer[k], &counts));
    if (answer[k].code == E4042 || answer[k].code == E4043) {
      candidate[k].span = call->span;
      discover_report(d, &candidate[k], &answer[k]);
      status = 1;
    }
  }
  if (!status || is_poison(v)) return v;
  value_release(v);
  return value_poison();
}

static Value *run_score(Call *call) {
  Value *what = ARG(0);
  bool list = what->kind == VALUE_LIST || what->kind == VALUE_TUPLE;
  if (not_yet(what)) return value_unknown();
  for (int k = 0; k < (list ? what->n : 1); k++)
    if (!is_hypothesis(call, list ? what->items[k] : what, call->spans[0])) return list && not_yet(what->items[k]) ? value_unknown() : value_poison();
  if (ARG(1)) {
    diag_report(&call->ev->host->diags, E0505, call->spans[1], "a hypothesis is scored on the trajectories of its discovery; it takes no other data");
    return value_poison();
  }
  if (call->ev->dry) return value_unknown();
  if (list) return what->n ? score_all(call, what->items, what->n) : value_items(VALUE_LIST, NULL, 0);
  Value *answers = score_all(call, &what, 1);
  if (is_poison(answers)) return answers;
  Value *one = value_retain(answers->items[0]);
  value_release(answers);
  return one;
}

/* By name of the reply's function, for one hypothesis that has a score. */
static Value *of_scored(Call *call, Json *(*give)(Discover *d, const char *id, const char *text, const char *truth), const char *text, const char *truth) {
  if (!is_hypothesis(call, ARG(0), call->spans[0])) return not_yet(ARG(0)) ? value_unknown() : value_poison();
  if (call->ev->dry) return value_unknown();
  Discover *d = workspace_of(call, ARG(0));
  const Law *law = ARG(0)->hypothesis->law;
  if (!d) return value_poison();
  if (law) return reply(call, give(d, law->id, text, truth));
  DiscoverCandidate candidate = declared_candidate(ARG(0));
  discover_report(d, &candidate, &(DiscoverAnswer){.code = candidate.fault->code});
  return value_poison();
}

static Json *give_evidence(Discover *d, const char *id, const char *text, const char *truth) {
  (void)text, (void)truth;
  return discover_evidence_json(d, id);
}

static Value *run_evidence(Call *call) { return of_scored(call, give_evidence, NULL, NULL); }

static Value *run_submit(Call *call) {
  bool reasoned = ARG(1) && ARG(1)->kind == VALUE_STRING && ARG(1)->known, compared = ARG(2) && ARG(2)->kind == VALUE_STRING && ARG(2)->known && !call->ev->dry;
  char *truth = compared ? host_input_path(call->ev, ARG(2)->text, call->spans[2]) : NULL;
  Value *v = compared && !truth ? value_poison() : of_scored(call, discover_submit_json, reasoned ? ARG(1)->text : NULL, truth);
  free(truth);
  return v;
}

static Value *run_status(Call *call) {
  if (ARG(0)->kind != VALUE_DISCOVERY) {
    if (not_yet(ARG(0))) return value_unknown();
    diag_suggest(REPORT(E0505, "`status` wants a discovery; this is %s %s", value_article(ARG(0)), value_kind_name(ARG(0))), "declare one: discovery d { ... }");
    return value_poison();
  }
  if (call->ev->dry) return value_unknown();
  Discover *d = declared_workspace(call->ev, ARG(0), call->span);
  return d ? reply(call, discover_status_json(d)) : value_poison();
}

Value *history_of_discovery(Eval *ev, const Value *discovery, Span span) {
  if (ev->dry) return value_unknown();
  Discover *d = declared_workspace(ev, discovery, span);
  Json *node = d ? discover_history_json(d, false, 0, 0) : NULL;
  Value *v = node ? value_of_json(ev->host, json_get(node, "candidates")) : value_poison();
  json_free(node);
  return v;
}

/* The least score so far against the number of evaluations, for plot. */
static Value *best_so_far(const Json *trials) {
  Value *v = value_new(VALUE_HISTORY);
  int n = json_count(trials);
  v->curve_x = calloc((size_t)n + 1, sizeof(double)), v->curve_y = calloc((size_t)n + 1, sizeof(double));
  for (int k = 0; k < n; k++) {
    double score;
    if (!json_number_of(json_get(json_at(trials, k), "score"), &score)) continue;
    v->curve_x[v->ncurve] = v->ncurve + 1;
    v->curve_y[v->ncurve] = v->ncurve ? fmin(v->curve_y[v->ncurve - 1], score) : score;
    v->ncurve++;
  }
  return v;
}

static Value *run_search(Call *call) {
  Value *what = ARG(0);
  if (not_yet(what)) return value_unknown();
  if (what->kind != VALUE_SEARCH) {
    diag_suggest(REPORT(E0505, "`run` wants a search; this is %s %s", value_article(what), value_kind_name(what)), "declare one: search s of d { seed: 1 }");
    return value_poison();
  }
  if (call->ev->dry) return value_unknown();
  Status status;
  Json *node = search_run(call->ev, what->search, &status);
  if (!node || status) return json_free(node), value_poison();
  Value *curve = best_so_far(json_get(node, "trials")), *v = reply(call, node);
  v->fields = realloc(v->fields, (size_t)(v->nfields + 1) * sizeof *v->fields);
  v->fields[v->nfields++] = (Argument){intern_text(call->ev->host->names, "best_so_far"), curve, {0, 0}};
  return v;
}

const BuiltinRow builtin_discovery[] = {
    {"validate", "(h: any)", "discovery", "Whether a hypothesis is one of its discovery's language: .valid, .id, .canonical; else .code. Nothing is fitted.", NULL, run_validate},
    {"score", "(h: any, data: any = none)", "discovery",
     "Scores a hypothesis, or a list of up to 32: .valid, .id, .score, .error_ab, .error_ba, .rank, .cached, .charged; of one that has no score .code says why. A candidate that "
     "was not seen before costs one unique evaluation of the discovery's budget.", NULL, run_score},
    {"evidence", "(h: any)", "discovery",
     "What is known of a hypothesis that was scored: its fitted .fields with the files that hold them, their stability and uncertainty, .condition, .noise_ceiling.", NULL, run_evidence},
    {"status", "(d: any)", "discovery", "Of a discovery: .counters, .best, .submitted.", NULL, run_status},
    {"submit", "(h: any, reason: string = none, truth: string = none)", "discovery",
     "Ends the search with this hypothesis and reads the sealed interval: .sealed has its score there, .forward the error of the law solved forward over it. Final: nothing is scored afterwards. truth: a hypothesis file with what made the data, where that is known: .structure then says what of it was found.", NULL, run_submit},
    {"run", "(s: any)", "discovery",
     "Runs a search to its end, in the workspace of its discovery: .submitted, .choice and .best with .id, .equation and .score, .recommended, .evaluations, .trials, .best_so_far for plot, and .submission, which has "
     "the sealed score. A search that was stopped goes on.", NULL, run_search},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
