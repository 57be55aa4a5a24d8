/* A search between the interface of a discovery and the record. */
#include "hunt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hunt_internal.h"
#include "record.h"

const char *const hunt_agents[HUNT_AGENTS] = {"beam", "random", "wgident"};

/* ---- laws as candidates ------------------------------------------------------------------------------------------------------------------------------------------ */

static char *declaration(const Hunt *h, const Structure *law) {
  Buf text = {0}, body = {0};
  structure_hypothesis(law, &h->language, &body);
  buf_printf(&text, "hypothesis candidate for %s {\n", discover_workspace(h->discover)->discovery);
  for (char *line = strtok(body.text, "\n"); line; line = strtok(NULL, "\n")) buf_printf(&text, "  %s\n", line);
  buf_puts(&text, "}");
  char *copy = strdup(buf_str(&text));
  buf_free(&text), buf_free(&body);
  return copy;
}

Law *hunt_law(const Hunt *h, const Structure *law) {
  LawFault fault;
  return structure_law(law, &h->language, h->space, h->host->names, &fault);
}

static StructureState state_of(Hunt *h, const DiscoverCandidate *candidate, const DiscoverAnswer *answer) {
  if (answer->valid) return STRUCTURE_SCORED;
  if (answer->code == E4042) return STRUCTURE_SPENT;
  if (answer->code != E4043) return STRUCTURE_FAILED;
  discover_report(h->discover, candidate, answer);
  h->failed = true;
  return STRUCTURE_STOPPED;
}

static bool out_of_time(const Hunt *h) {
  struct timespec now;
  if (h->spec->wall <= 0) return false;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - h->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - h->start.tv_nsec) > h->spec->wall;
}

static void score(void *user, const Structure *structure, StructureScore *out) {
  Hunt *h = user;
  *out = (StructureScore){.state = STRUCTURE_STOPPED};
  if (h->failed || (h->failed = host_stopped(h->host, h->spec->span))) return;
  if (out_of_time(h)) { out->state = STRUCTURE_SPENT; return; }
  out->state = STRUCTURE_INVALID;
  Law *law = hunt_law(h, structure);
  if (!law) return;
  char *text = declaration(h, structure);
  DiscoverCandidate candidate = {.law = law, .name = "candidate", .text = text, .span = h->spec->span};
  DiscoverAnswer answer;
  out->state = STRUCTURE_STOPPED;
  if (!(h->failed = discover_score(h->discover, 1, &candidate, true, &answer) != 0)) {
    *out = (StructureScore){.state = state_of(h, &candidate, &answer), .fields = law->nfields, .error = answer.score, .direction = {answer.error_ab, answer.error_ba},
                            .deviation = answer.standard_error, .difference = answer.stability};
    strcpy(out->id, law->id);
    h->charged += answer.charged;
  }
  law_free(law);
  free(text);
}

/* ---- evidence ---------------------------------------------------------------------------------------------------------------------------------------------------- */

static bool evidence(void *user, const Structure *structure, const StructureScore *score, StructureEvidence *out) {
  Hunt *h = user;
  Law *law = hunt_law(h, structure);
  HeiEvidence of;
  (void)score;
  int errors = h->host->diags.nerrors;
  bool known = law && !discover_gather(h->discover, false, law, &of, NULL);
  if (known) {
    structure_evidence(structure, law, &of, h->discover->data.nx, h->discover->data.ny, h->anchor, h->values, out);
    h->discover->api->evidence_free(&of);
  } else if (h->host->diags.nerrors > errors) h->failed = true;
  law_free(law);
  return known;
}

/* ---- what is told while it runs ------------------------------------------------------------------------------------------------------------------------------------ */

static void put_reason(Buf *out, const StructureHunt *hunt, const StructureTrial *trial) {
  static const char *const starts[] = {"the empty law", "a family of its own", "all linear terms", "from the grammar", "selected by groups"};
  if (trial->parent < 0) buf_puts(out, starts[-trial->parent - 1]);
  else buf_printf(out, "%s of %s (rank %.2f%s)", structure_move_name[trial->move], hunt->trial[trial->parent].score.id, trial->rank, trial->measured ? ", by its fields" : "");
}

static int best_of(const StructureHunt *hunt) {
  int at = -1;
  for (int k = 0; k < hunt->n; k++)
    if (hunt->trial[k].score.state == STRUCTURE_SCORED && (at < 0 || structure_price(&hunt->options, &hunt->trial[k].score) < structure_price(&hunt->options, &hunt->trial[at].score))) at = k;
  return at;
}

static Status note(Hunt *h, const char *text) {
  Cell row[RECORD_messages_COLUMNS] = {cell_text(hunt_agents[h->spec->agent]), cell_text("proposer"), cell_text(text)};
  return store_append(discover_workspace(h->discover)->store, RECORD_messages, row, RECORD_messages_COLUMNS);
}

static Status note_curve(Hunt *h, const char *name, int evaluation, double value) {
  Cell row[RECORD_histories_COLUMNS] = {cell_text(discover_workspace(h->discover)->discovery), cell_text(name), cell_number(evaluation), cell_number(value)};
  return store_append(discover_workspace(h->discover)->store, RECORD_histories, row, RECORD_histories_COLUMNS);
}

/* How many trials the record tells of already: a search that goes on does not tell them again. */
static int told(Hunt *h) {
  StoreRows rows = {0};
  Cell bind = cell_text(hunt_agents[h->spec->agent]);
  int n = 0;
  if (store_select(discover_workspace(h->discover)->store, "SELECT COUNT(*) FROM messages WHERE actor = ? AND role = 'proposer'", &bind, 1, &rows)) return 0;
  if (rows.nrows) n = (int)store_cell(&rows, 0, 0)->number;
  store_rows_free(&rows);
  return n;
}

static void trial(void *user, const StructureHunt *hunt) {
  Hunt *h = user;
  const StructureTrial *last = &hunt->trial[hunt->n - 1];
  int best = best_of(hunt);
  Buf line = {0}, law = {0};
  structure_text(&hunt->trial[best < 0 ? hunt->n - 1 : best].law, &h->language, &law);
  buf_printf(&line, "%s %d of %d, best %.4f  %s", hunt_agents[h->spec->agent], hunt->scored, hunt->options.budget, best < 0 ? NAN : hunt->trial[best].score.error, buf_str(&law));
  if (h->host->on_progress && !h->host->quiet) h->host->on_progress(h->host->user, buf_str(&line), (double)hunt->scored / hunt->options.budget);
  buf_clear(&line), buf_clear(&law);
  if (hunt->n > h->told) {
    structure_text(&last->law, &h->language, &law);
    buf_printf(&line, "%d. %s  %s: ", hunt->n, last->score.id, buf_str(&law));
    put_reason(&line, hunt, last);
    if (last->score.state == STRUCTURE_SCORED) buf_printf(&line, "; score %.6g%s", last->score.error, best == hunt->n - 1 ? ", the best so far" : "");
    else buf_puts(&line, "; it could not be fitted");
    if (note(h, buf_str(&line))) h->failed = true;
    if (last->score.state == STRUCTURE_SCORED && (note_curve(h, "score", hunt->scored, last->score.error) || note_curve(h, "best_so_far", hunt->scored, hunt->trial[best].score.error))) h->failed = true;
  }
  buf_free(&line), buf_free(&law);
}

/* ---- the result ---------------------------------------------------------------------------------------------------------------------------------------------------- */

static Json *law_json(Hunt *h, const StructureHunt *hunt, int k) {
  if (k < 0) return json_null();
  const StructureTrial *t = &hunt->trial[k];
  Json *node = json_object();
  Buf text = {0};
  structure_text(&t->law, &h->language, &text);
  json_put(node, "id", json_string(t->score.id));
  json_put(node, "equation", json_string(buf_str(&text)));
  bool scored = t->score.state == STRUCTURE_SCORED;
  json_put(node, "score", scored ? json_number(t->score.error) : json_null());
  json_put(node, "standard_error", scored ? json_number(t->score.deviation) : json_null());
  json_put(node, "stability", scored ? json_number(t->score.difference) : json_null());
  json_put(node, "fields", json_number(t->score.fields));
  buf_free(&text);
  return node;
}

static Json *trials_json(Hunt *h, const StructureHunt *hunt) {
  Json *list = json_array();
  double best = NAN;
  for (int k = 0; k < hunt->n; k++) {
    const StructureTrial *t = &hunt->trial[k];
    Json *node = law_json(h, hunt, k);
    Buf reason = {0};
    put_reason(&reason, hunt, t);
    json_put(node, "because", json_string(buf_str(&reason)));
    json_put(node, "parent", t->parent < 0 ? json_null() : json_string(hunt->trial[t->parent].score.id));
    if (t->score.state == STRUCTURE_SCORED && !(best <= structure_price(&hunt->options, &t->score))) best = structure_price(&hunt->options, &t->score);
    json_put(node, "best_price", json_number(best));
    json_append(list, node);
    buf_free(&reason);
  }
  return list;
}

static Json *hidden_json(Hunt *h, const StructureHunt *hunt) {
  Json *list = json_array();
  for (int k = 0; hunt->choice.submit >= 0 && k < hunt->trial[hunt->choice.submit].law.n; k++) {
    char name[16];
    structure_field(k, &h->language, name);
    if (hunt->choice.hidden >> k & 1) json_append(list, json_string(name));
  }
  return list;
}

static Json *result_json(Hunt *h, const StructureHunt *hunt) {
  static const char *const ends[] = {"converged", "budget", "stopped"};
  Json *node = json_object();
  json_put(node, "agent", json_string(hunt_agents[h->spec->agent]));
  json_put(node, "seed", json_number((double)hunt->options.seed));
  json_put(node, "end", json_string(ends[hunt->end]));
  json_put(node, "evaluations", json_number(hunt->scored));
  json_put(node, "charged", json_number(h->charged));
  json_put(node, "recommended", json_bool(hunt->choice.recommended));
  json_put(node, "choice", law_json(h, hunt, hunt->choice.submit));
  json_put(node, "best", law_json(h, hunt, hunt->choice.best));
  json_put(node, "one_standard_error", law_json(h, hunt, hunt->choice.one_error));
  json_put(node, "noise_ceiling", hunt->choice.ceiling > 0 ? json_number(discover_rounded(hunt->choice.ceiling)) : json_null());
  json_put(node, "not_revealed", hidden_json(h, hunt));
  json_put(node, "trials", trials_json(h, hunt));
  return node;
}

/* The law is told from noise by the evidence of its fields; what they don't show is said. */
static void say_hidden(Hunt *h, const StructureHunt *hunt) {
  const StructureTrial *t = &hunt->trial[hunt->choice.submit];
  for (int k = 0; k < t->law.n; k++) {
    char name[16];
    structure_field(k, &h->language, name);
    if (hunt->choice.hidden >> k & 1) diag_report(&h->host->diags, W4080, h->spec->span, "the trajectories do not reveal the field `%s` of %s", name, t->score.id);
  }
}

static Status nothing(Hunt *h, const StructureHunt *hunt) {
  const StructureChoice *choice = &hunt->choice;
  Diags *diags = &h->host->diags;
  if (choice->submit < 0) diag_report(diags, E4082, h->spec->span, "of %d laws none has fields on which the trajectories agree", hunt->scored);
  else if (choice->ceiling > 0) diag_report(diags, E4082, h->spec->span, "after %d laws the best leaves %.3g, where noise alone would leave %.3g", hunt->scored, hunt->trial[choice->submit].score.error, choice->ceiling);
  else diag_report(diags, E4082, h->spec->span, "after %d laws the best leaves %.3g: it is no better than no law", hunt->scored, hunt->trial[choice->submit].score.error);
  return 1;
}

static Json *submission(Hunt *h, const StructureHunt *hunt) {
  const char *agent = hunt_agents[h->spec->agent];
  Buf reason = {0};
  if (hunt->options.within > 0) buf_printf(&reason, "%s, %d evaluations: the simplest within %g %% of the least score, of laws with stable fields", agent, hunt->scored, 100 * hunt->options.within);
  else buf_printf(&reason, "%s, %d evaluations: the least score at %g %% for each field, of laws with stable fields", agent, hunt->scored, 100 * hunt->options.field_price);
  Json *report = discover_submit_json(h->discover, hunt->trial[hunt->choice.submit].score.id, buf_str(&reason), NULL);
  buf_free(&reason);
  return report;
}

static Status submit(Hunt *h, const StructureHunt *hunt, Json *result) {
  bool wanted = h->spec->submit && hunt->choice.recommended;
  if (hunt->choice.recommended) say_hidden(h, hunt);
  Json *report = wanted ? submission(h, hunt) : NULL;
  json_put(result, "submitted", report ? json_string(hunt->trial[hunt->choice.submit].score.id) : json_null());
  if (report) json_put(result, "submission", report);
  if (h->spec->submit && !wanted) return nothing(h, hunt);
  return wanted && !report;
}

/* ---- running ------------------------------------------------------------------------------------------------------------------------------------------------------- */

static const LawSpace *space_of(Discover *d) {
  DiscoverCandidate nothing;
  Buf text = {0};
  buf_printf(&text, "dt(%s) == 0\n", discover_workspace(d)->state);
  discover_read(d, buf_str(&text), text.len, "<nothing>", &nothing);
  buf_free(&text);
  return nothing.law ? nothing.law->space : NULL;
}

static Status open_hunt(Hunt *h) {
  Hei *hei;
  LawFeatures *features;
  DiscoverCounts counts;
  h->space = space_of(h->discover);
  if (!h->space) return 1;
  TRY(discover_evaluator(h->discover, false, &hei, &features));
  TRY(discover_counts(h->discover, &counts));
  h->language = structure_language(h->space, h->function);
  h->options = h->spec->options;
  if (h->options.budget <= 0) h->options.budget = (int)counts.limit;
  structure_anchors(h->discover->data.nx, h->discover->data.ny, h->discover->data.x, h->discover->data.y, h->anchor);
  h->told = told(h);
  clock_gettime(CLOCK_MONOTONIC, &h->start);
  return 0;
}

Json *hunt_run(Discover *discover, const HuntSpec *spec, Status *status) {
  Hunt h = {.host = discover->host, .discover = discover, .spec = spec};
  StructureHunt hunt = {0};
  *status = 1;
  if (open_hunt(&h)) return NULL;
  StructureJudge judge = {score, evidence, trial, &h};
  h.options.method = spec->agent == HUNT_RANDOM ? STRUCTURE_RANDOM : STRUCTURE_BEAM;
  if (spec->agent == HUNT_WGIDENT) h.failed = hunt_groups(&h, &judge, &hunt) != 0;
  else structure_hunt(&h.language, &h.options, &judge, &hunt);
  Json *result = h.failed || hunt.end == HUNT_STOPPED ? NULL : result_json(&h, &hunt);
  *status = result ? submit(&h, &hunt, result) : 1;
  structure_hunt_free(&hunt);
  return result;
}
