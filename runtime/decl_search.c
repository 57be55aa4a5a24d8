/* policy explorer for gw { agent: builtin; budget: evaluations 64; phase refine: explore 0.3 }    search hunt of gw { policy: explorer; seed: 1 } */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "declared.h"
#include "discovery.h"
#include "search.h"

static const char policy_example[] = "as in policy p for d { agent: builtin; budget: evaluations 64; submit best within 0.2% of score prefer simplest }";
static const char search_example[] = "as in search s of d { policy: p; seed: 1; record: \"runs/d\" }";

PolicyValue policy_builtin(void) {
  PolicyValue policy = {.spec = {.agent = HUNT_BEAM, .options = structure_defaults, .submit = true}};
  policy.spec.options.budget = 0;
  return policy;
}

void policy_free(PolicyValue *policy) { free(policy); }

void search_free(SearchValue *search) {
  value_release(search->discovery);
  free(search->record);
  free(search);
}

static bool refuse(Eval *ev, Span span, const char *text, const char *word, const char *example) {
  diag_suggest(diag_report(&ev->host->diags, E0209, span, text, word), "%s", example);
  return false;
}

/* ---- the items of a phrase ------------------------------------------------------------------------------------------------------------------------------------- */

static bool is_word(const Ast *phrase, int k, const char *word) {
  return phrase && k < phrase->n && phrase->kid[k]->kind == AST_NAME && !strcmp(phrase->kid[k]->name, word);
}

static bool take_number(Eval *ev, const Ast *phrase, int k, double least, double most, double *out) {
  const Ast *item = phrase && k < phrase->n ? phrase->kid[k] : NULL;
  Value *v = item ? eval_expr(ev, item) : value_none();
  bool number = v->kind == VALUE_NUMBER && v->known, open = v->kind == VALUE_UNKNOWN || (v->kind == VALUE_NUMBER && !v->known);
  bool fine = open || (number && v->number >= least && v->number <= most);
  if (number && fine) *out = v->number;
  if (!fine && !is_poison(v)) diag_report(&ev->host->diags, E0209, item ? item->span : phrase->span, "a number from %g to %g stands here", least, most);
  value_release(v);
  return fine;
}

static bool take_count(Eval *ev, const Ast *phrase, int k, double most, int *out) {
  double x = *out;
  if (!take_number(ev, phrase, k, 1, most, &x)) return false;
  *out = (int)floor(x);
  return x == floor(x) || refuse(ev, phrase->kid[k]->span, "this is counted: a whole number%s", "", policy_example);
}

bool search_agent(Eval *ev, const char *word, Span span, HuntAgent *out) {
  if (!strcmp(word, "builtin")) word = hunt_agents[HUNT_BEAM];
  for (int k = 0; k < HUNT_AGENTS; k++)
    if (!strcmp(word, hunt_agents[k])) return *out = (HuntAgent)k, true;
  diag_suggest(diag_report(&ev->host->diags, E4080, span, "there is no agent `%s`", word), "builtin (which is beam), random or wgident");
  return false;
}

/* builtin, beam, random, wgident, or llm(...), which is noted. */
static bool take_agent(Eval *ev, const Ast *phrase, PolicyValue *policy, bool leads) {
  const Ast *item = phrase && phrase->n ? phrase->kid[0] : NULL;
  HuntAgent agent;
  if (item && item->kind == AST_CALL && item->kid[0]->kind == AST_NAME && !strcmp(item->kid[0]->name, "llm")) return policy->language_model = item->span, true;
  if (!item || item->kind != AST_NAME) return refuse(ev, phrase ? phrase->span : policy->spec.span, "an agent is builtin, beam, random, wgident or llm(...)%s", "", policy_example);
  if (!search_agent(ev, item->name, item->span, &agent)) return false;
  if (leads) policy->spec.agent = agent;
  return true;
}

/* ---- clauses of a policy ------------------------------------------------------------------------------------------------------------------------------------------ */

static bool read_budget(Eval *ev, const Ast *phrase, PolicyValue *policy) {
  double ignored;
  for (int k = 0; k < phrase->n; k += 2) {
    bool fine = is_word(phrase, k, "evaluations") ? take_count(ev, phrase, k + 1, 1e6, &policy->spec.options.budget)
                : is_word(phrase, k, "wall")      ? take_number(ev, phrase, k + 1, 0, 1e9, &policy->spec.wall)
                : is_word(phrase, k, "tokens") || is_word(phrase, k, "cost") ? take_number(ev, phrase, k + 1, 0, 1e12, &ignored)
                                                                           : refuse(ev, phrase->kid[k]->span, "a budget has evaluations, wall, tokens and cost%s", "", policy_example);
    if (!fine) return false;
  }
  return true;
}

/* phase diversify until distinct >= 3    phase refine: explore 0.3, parents best 4 */
static bool read_phase(Eval *ev, const Ast *decl, PolicyValue *policy) {
  const Ast *phrase = decl->kid[0], *settings = decl->n > 1 && decl->kid[1] && decl->kid[1]->kind == AST_PHRASE ? decl->kid[1] : NULL;
  StructureOptions *options = &policy->spec.options;
  if (is_word(phrase, 0, "diversify") && is_word(phrase, 1, "until") && phrase->n == 3) {
    const Ast *until = phrase->kid[2];
    bool form = until->kind == AST_BINARY && until->op == OP_GE && until->kid[0]->kind == AST_NAME && !strcmp(until->kid[0]->name, "distinct");
    return form ? take_count(ev, &(Ast){.kind = AST_PHRASE, .n = 1, .kid = &until->kid[1], .span = until->span}, 0, 8, &options->diversify)
                : refuse(ev, until->span, "the phase ends by a number of families%s", "", "as in phase diversify until distinct >= 3");
  }
  if (!is_word(phrase, 0, "refine") || phrase->n != 1) return refuse(ev, decl->span, "the phases are diversify and refine%s", "", "as in phase refine: explore 0.3, parents best 4");
  for (int k = 0; settings && k < settings->n;) {
    bool explore = is_word(settings, k, "explore"), parents = is_word(settings, k, "parents") && is_word(settings, k + 1, "best");
    if (!explore && !parents) return refuse(ev, settings->kid[k]->span, "to refine has explore and parents best%s", "", "as in phase refine: explore 0.3, parents best 4");
    if (!(explore ? take_number(ev, settings, k + 1, 0, 1, &options->explore) : take_count(ev, settings, k + 2, 64, &options->parents))) return false;
    k += explore ? 2 : 3;
  }
  return true;
}

/* submit best [within V of score] [prefer simplest] */
static bool read_submit(Eval *ev, const Ast *decl, PolicyValue *policy) {
  const Ast *phrase = decl->kid[0];
  int k = 1;
  bool fine = is_word(phrase, 0, "best");
  if (fine && is_word(phrase, k, "within")) {
    if (!take_number(ev, phrase, k + 1, 0, 1, &policy->spec.options.within)) return false;
    fine = is_word(phrase, k + 2, "of") && is_word(phrase, k + 3, "score"), k += 4;
  }
  if (fine && is_word(phrase, k, "prefer") && is_word(phrase, k + 1, "simplest")) k += 2;
  return (fine && k == phrase->n) || refuse(ev, decl->span, "what is submitted is written otherwise%s", "", "as in submit best within 0.2% of score prefer simplest");
}

static bool read_view(Eval *ev, const Ast *decl) {
  const Ast *item = decl->kid[0]->n == 1 ? decl->kid[0]->kid[0] : NULL;
  Slot *slot = item && item->kind == AST_NAME ? scope_lookup(ev, item->name) : NULL;
  if (!slot || slot->value->kind != VALUE_VIEW) return refuse(ev, decl->span, "a policy sees a view%s", "", "as in sees agent_view");
  slot->used = true;
  return true;
}

static bool read_policy_clause(Eval *ev, const Ast *s, PolicyValue *policy) {
  if (s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME) {
    if (!strcmp(s->kid[0]->name, "agent")) return take_agent(ev, s->kid[1], policy, true);
    if (!strcmp(s->kid[0]->name, "budget")) return read_budget(ev, s->kid[1], policy);
  }
  if (s->kind == AST_DECL) {
    if (!strcmp(s->name, "role")) return take_agent(ev, s->n > 1 ? s->kid[1] : NULL, policy, false);
    if (!strcmp(s->name, "sees")) return read_view(ev, s);
    if (!strcmp(s->name, "phase")) return read_phase(ev, s, policy);
    if (!strcmp(s->name, "submit")) return read_submit(ev, s, policy);
    if (!strcmp(s->name, "may")) return (s->kid[0]->n == 2 && is_word(s->kid[0], 0, "propose") && is_word(s->kid[0], 1, "hypothesis")) || refuse(ev, s->span, "a policy of a discovery may propose hypotheses%s", "", "as in may propose hypothesis");
  }
  diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "this is no clause of a policy"), "it has agent:, role, sees, may propose, budget:, phase and submit");
  return false;
}

static const Value *subject(Eval *ev, const Ast *item) {
  Slot *slot = item && item->kind == AST_NAME ? scope_lookup(ev, item->name) : NULL;
  if (!slot) return NULL;
  slot->used = true;
  return slot->value;
}

static Flow keep(Eval *ev, const Ast *decl, const Ast *item, Value *v, bool fine) {
  if (!fine) {
    value_release(v);
    v = value_poison();
  }
  scope_set(ev->scope, item->name, v, item->span)->decl = decl;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

Flow decl_policy(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  bool form = phrase && phrase->n == 2 && phrase->kid[0]->kind == AST_NAME && (phrase->kid[1]->flags & AST_WITH_FOR) && block;
  if (!form) return refuse(ev, decl->span, "`policy` is written otherwise%s", "", policy_example), FLOW_STOP;
  const Value *of = subject(ev, phrase->kid[1]);
  if (!of) return eval_report_unknown_name(ev, phrase->kid[1]->name, phrase->kid[1]->span), FLOW_STOP;
  if (of->kind != VALUE_DISCOVERY) return decl_later(ev, decl);      /* of surrogates: a later build */
  Value *v = value_new(VALUE_POLICY);
  v->policy = calloc(1, sizeof *v->policy);
  *v->policy = policy_builtin();
  v->policy->name = phrase->kid[0]->name, v->policy->spec.span = decl->span;
  bool fine = true;
  for (int k = 0; k < block->n; k++)
    if (block->kid[k]) fine &= read_policy_clause(ev, block->kid[k], v->policy);
  return keep(ev, decl, phrase->kid[0], v, fine);
}

/* ---- search --------------------------------------------------------------------------------------------------------------------------------------------------------- */

static bool read_search_clause(Eval *ev, const Ast *s, SearchValue *search) {
  Name word = s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME ? s->kid[0]->name : "";
  const Ast *item = *word && s->kid[1]->n == 1 ? s->kid[1]->kid[0] : NULL;
  double seed;
  if (item && !strcmp(word, "policy")) {
    const Value *policy = subject(ev, item);
    if (!policy || policy->kind != VALUE_POLICY) return (policy && is_poison(policy)) ? false : refuse(ev, item->span, "`policy:` is the name of a policy%s", "", search_example);
    uint64_t chosen = search->policy.spec.options.seed;
    search->policy = *policy->policy;
    search->policy.spec.options.seed = chosen;
    return true;
  }
  if (item && !strcmp(word, "seed")) return take_number(ev, s->kid[1], 0, 0, 9007199254740992.0, &seed) && (search->policy.spec.options.seed = (uint64_t)seed, true);
  if (item && !strcmp(word, "record") && item->kind == AST_STRING) return free(search->record), search->record = strdup(item->text), true;
  diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "this is no clause of a search for laws"), "it has policy:, seed: and record:, the name of a directory");
  return false;
}

Flow decl_search(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  bool form = phrase && phrase->n == 3 && phrase->kid[0]->kind == AST_NAME && is_word(phrase, 1, "of") && phrase->kid[2]->kind == AST_NAME && block;
  if (!form) return refuse(ev, decl->span, "`search` is written otherwise%s", "", search_example), FLOW_STOP;
  const Value *of = subject(ev, phrase->kid[2]);
  if (!of) return eval_report_unknown_name(ev, phrase->kid[2]->name, phrase->kid[2]->span), FLOW_STOP;
  if (of->kind != VALUE_DISCOVERY) return decl_later(ev, decl);      /* of surrogates: a later build */
  Value *v = value_new(VALUE_SEARCH);
  SearchValue *search = v->search = calloc(1, sizeof *search);
  *search = (SearchValue){.name = phrase->kid[0]->name, .discovery = value_retain((Value *)of), .policy = policy_builtin(), .span = decl->span};
  bool fine = true;
  for (int k = 0; k < block->n; k++)
    if (block->kid[k]) fine &= read_search_clause(ev, block->kid[k], search);
  search->policy.spec.span = decl->span;
  return keep(ev, decl, phrase->kid[0], v, fine);
}

Json *search_run(Eval *ev, const SearchValue *search, Status *status) {
  Host *host = ev->host;
  *status = 1;
  if (search->policy.language_model.end) {
    diag_suggest(diag_report(&host->diags, E0900, search->policy.language_model, "language models come with a later build"), "agent: builtin searches without one");
    return NULL;
  }
  bool named = !host->run_dir && search->record;
  if (named) host->run_dir = host_output_path(host, search->record, search->span);
  Discover *d = named && !host->run_dir ? NULL : declared_workspace(ev, search->discovery, search->span);
  if (named) free(host->run_dir), host->run_dir = NULL;
  return d ? hunt_run(d, &search->policy.spec, status) : NULL;
}
