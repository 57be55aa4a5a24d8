/* The submission: freezes the run, and only then opens the sealed interval. Called again for the same candidate it goes on where it was interrupted, or gives
 * the same report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "discover_internal.h"
#include "record.h"

static const Span nowhere;

/* ---- what may be submitted ---- */

static Status admissible(Discover *d, const char *id, DiscoverCandidate *candidate, DiscoverAnswer *answer) {
  DiscoverCounts counts;
  bool found;
  TRY(discover_of_id(d, id, candidate));
  TRY(discover_archived(d, candidate->law->id, answer, &found));
  TRY(discover_counts(d, &counts));
  if (*counts.submitted && strcmp(counts.submitted, answer->id)) {
    diag_suggest(diag_report(&d->host->diags, E4043, nowhere, "%s was submitted before, and a submission is final", counts.submitted), "`pde submit %s` shows its report", counts.submitted);
    return 1;
  }
  if (answer->valid) return 0;
  diag_suggest(diag_report(&d->host->diags, E4043, nowhere, "%s has no score, so it cannot be submitted", answer->id), "submit a candidate of `pde history --ranked`");
  return 1;
}

/* One transaction, in which no other submission can come between. */
static Status freeze(Discover *d, const char *id, const char *reason) {
  Store *store = d->work->store;
  DiscoverCounts counts;
  TRY(store_begin(store));
  Status status = discover_counts(d, &counts);
  bool first = !status && !*counts.submitted;
  if (first) status = discover_put_candidate(d, id, "submitted", DIAG_CODES, NULL);
  if (first && !status && reason) {
    Cell row[RECORD_messages_COLUMNS] = {cell_text("user"), cell_text("submission"), cell_text(reason)};
    status = store_append(store, RECORD_messages, row, RECORD_messages_COLUMNS);
  }
  Cell course[RECORD_course_COLUMNS] = {cell_text("unsealed"), {0}, cell_text(PDE_VERSION)};
  if (first && !status) status = store_append(store, RECORD_course, course, RECORD_course_COLUMNS);
  if (!status) status = store_commit(store);
  if (status) store_rollback(store);
  if (!status && !first && strcmp(counts.submitted, id)) {
    diag_report(&d->host->diags, E4043, nowhere, "another process submitted %s meanwhile", counts.submitted);
    return 1;
  }
  return status;
}

/* ---- the sealed score ---- */

static Status sealed_score(Discover *d, const Law *law, const Trajectory whole[SEAL_FILES], HeiSealedScore *out) {
  Hei *hei;
  LawFeatures *features;
  HeiResult result;
  double *u[SEAL_FILES];
  TRY(discover_evaluator(d, false, &hei, &features));
  HeiData data = workspace_hei_data(d->work, whole, u);
  const HeiCandidate *candidate = law_candidate(features, law);
  d->api->evaluate(hei, 1, candidate, &result);
  *out = (HeiSealedScore){.outcome = result.outcome};
  HeiOutcome outcome = result.outcome;
  if (!outcome) outcome = d->api->score_sealed(hei, &data, whole[0].nt, 1, candidate, &result, out);
  if (!outcome) outcome = out->outcome;
  d->api->result_free(&result);
  for (int k = 0; k < SEAL_FILES; k++) free(u[k]);
  if (!outcome) return 0;
  diag_report(&d->host->diags, outcome == HEI_GRID || outcome == HEI_MISSING ? E4036 : E4037, nowhere, "the sealed interval cannot be scored: %s", d->api->outcome_text(outcome));
  return 1;
}

static Status record_sealed(Discover *d, const char *id, const HeiSealedScore *s) {
  DiscoverMetric metric[] = {
      {"sealed.score", discover_rounded(s->error)}, {"sealed.error_ab", discover_rounded(s->direction[0])}, {"sealed.error_ba", discover_rounded(s->direction[1])},
      {"sealed.standard_error", discover_rounded(s->standard_error)}, {"exact.sealed.score", s->error},
  };
  TRY(store_begin(d->work->store));
  Status status = discover_put_metrics(d, id, metric, sizeof metric / sizeof *metric);
  if (!status) status = store_commit(d->work->store);
  if (status) store_rollback(d->work->store);
  return status;
}

static Json *report(Discover *d, const DiscoverCandidate *c, const DiscoverAnswer *a, const HeiSealedScore *s, const Seal *seal) {
  Json *node = json_object(), *sealed = json_object(), *commitment = json_object();
  json_put(node, "id", json_string(a->id));
  json_put(node, "hypothesis", json_string(c->name));
  json_put(node, "canonical", json_string(c->law->key));
  json_put(node, "score", json_number(a->score));
  json_put(node, "error_ab", json_number(a->error_ab));
  json_put(node, "error_ba", json_number(a->error_ba));
  json_put(sealed, "score", json_number(discover_rounded(s->error)));
  json_put(sealed, "error_ab", json_number(discover_rounded(s->direction[0])));
  json_put(sealed, "error_ba", json_number(discover_rounded(s->direction[1])));
  json_put(sealed, "standard_error", json_number(discover_rounded(s->standard_error)));
  json_put(node, "sealed", sealed);
  json_put(commitment, "sha256", json_string(seal->commitment));
  json_put(commitment, "salt", json_string(seal->salt));
  json_put(commitment, "opened", json_bool(true));
  json_put(node, "commitment", commitment);
  (void)d;
  return node;
}

/* ---- the report, kept ---- */

static Json *kept(Discover *d) {
  StoreRows rows = {0};
  Json *node = NULL;
  if (!store_select(d->work->store, "SELECT text FROM messages WHERE actor = 'pde' AND role = 'report' ORDER BY n DESC LIMIT 1", NULL, 0, &rows) && rows.nrows)
    node = json_parse(store_cell(&rows, 0, 0)->text, strlen(store_cell(&rows, 0, 0)->text));
  store_rows_free(&rows);
  return node;
}

static Status keep(Discover *d, const Json *node) {
  Buf text = {0};
  json_print(&text, node, NULL);
  Cell row[RECORD_messages_COLUMNS] = {cell_text("pde"), cell_text("report"), cell_text(buf_str(&text))};
  Status status = store_append(d->work->store, RECORD_messages, row, RECORD_messages_COLUMNS);
  buf_free(&text);
  return status;
}

static Json *open_and_score(Discover *d, const DiscoverCandidate *candidate, const DiscoverAnswer *answer, const Seal *seal) {
  Trajectory whole[SEAL_FILES];
  HeiSealedScore score;
  Json *node = NULL;
  long missing;
  if (seal_open(d->host, seal, SEAL_FILES, whole)) return NULL;
  Status status = 0;
  for (int k = 0; k < SEAL_FILES && !status; k++)
    status = trajectory_values(&whole[k], seal->start[TRAJECTORY_SEALED], whole[k].nt, seal->file[k].path, &d->host->diags, nowhere, &missing);
  if (!status) status = sealed_score(d, candidate->law, whole, &score);
  if (!status) status = record_sealed(d, answer->id, &score);
  if (!status) node = report(d, candidate, answer, &score, seal);
  if (node && discover_after(d, candidate, whole, node)) json_free(node), node = NULL;
  for (int k = 0; k < SEAL_FILES; k++) trajectory_free(&whole[k]);
  return node;
}

Json *discover_submit_json(Discover *d, const char *id, const char *reason, const char *truth) {
  DiscoverCandidate candidate;
  DiscoverAnswer answer;
  Seal seal;
  record_settle(d->host);
  d->truth = truth;
  if (admissible(d, id, &candidate, &answer)) return NULL;
  Json *node = kept(d);
  if (node || d->host->diags.nerrors) return node;
  if (seal_read(d->host, d->work->commitment, &seal)) return NULL;      /* before anything is final */
  if (!freeze(d, answer.id, reason)) node = open_and_score(d, &candidate, &answer, &seal);
  seal_free(&seal);
  if (node && keep(d, node)) json_free(node), node = NULL;
  return node;
}
