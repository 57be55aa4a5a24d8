/* Scores: what is asked of the evaluator, what of the archive, and who pays. */
#include "discover_internal.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

static const Span nowhere;

/* ---- opening ---- */

Status discover_open(Host *host, const char *dir, Discover **out) {
  *out = NULL;
  Workspace *work;
  TRY(workspace_open(host, dir, &work));
  *out = calloc(1, sizeof **out);
  (*out)->host = host;
  (*out)->work = work;
  return 0;
}

void discover_close(Discover *d) {
  if (!d) return;
  if (d->scores.hei) d->api->close(d->scores.hei);
  if (d->fields.hei) d->api->close(d->fields.hei);
  law_features_free(d->scores.features);
  law_features_free(d->fields.features);
  for (int k = 0; k < SEAL_FILES; k++) {
    trajectory_free(&d->trajectory[k]);
    free(d->u[k]);
  }
  discover_reader_free(d->reader);
  workspace_close(d->work);
  free(d);
}

Workspace *discover_workspace(Discover *d) { return d->work; }

static int processors(void) {
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
  return n < 1 ? 1 : n;
}

static Status unusable(Discover *d, HeiOutcome outcome) {
  DiagCode code = outcome == HEI_GRID || outcome == HEI_MISSING ? E4036 : E4037;
  diag_report(&d->host->diags, code, nowhere, "the trajectories of `%s` cannot be evaluated: %s", d->work->discovery, d->api->outcome_text(outcome));
  return 1;
}

Status discover_evaluator(Discover *d, bool for_fields, Hei **out, LawFeatures **features) {
  Hei **hei = for_fields ? &d->fields.hei : &d->scores.hei;
  LawFeatures **own = for_fields ? &d->fields.features : &d->scores.features;
  if (!d->api) {
    const EngineApi *api = host_engine_table(d->host, nowhere);
    if (!api) return 1;
    for (int k = 0; k < SEAL_FILES; k++) {      /* one after the other: they may be as large as the memory allows */
      TRY(workspace_data(d->work, k, &d->trajectory[k]));
      d->u[k] = trajectory_by_nodes(&d->trajectory[k]);
      free(d->trajectory[k].u);
      d->trajectory[k].u = NULL;
    }
    d->data = workspace_hei_data_of(d->work, &d->trajectory[0], d->u);
    d->api = api->hei;
  }
  if (!*hei) {
    HeiOutcome outcome;
    HeiOptions options = d->api->options_for(for_fields ? d->api->for_fields : d->api->for_scores, &d->data);
    options.threads = processors();
    *hei = d->api->open(&d->data, &options, &outcome);
    if (!*hei) return unusable(d, outcome);
    *own = law_features_new(*hei, d->api->feature);
  }
  *out = *hei;
  *features = *own;
  return 0;
}

/* ---- the archive ---- */

double discover_rounded(double x) {
  Buf text = {0};
  char *end;
  if (!isfinite(x)) return x;
  number_print(&text, "%.5e", x);
  double rounded = text_number(buf_str(&text), &end);
  buf_free(&text);
  return rounded;
}

Status discover_put_metrics(Discover *d, const char *id, const DiscoverMetric *metric, int n) {
  for (int k = 0; k < n; k++) {
    Cell row[RECORD_scores_COLUMNS] = {cell_text(id), cell_text(metric[k].name), cell_number(metric[k].value)};
    TRY(store_append(d->work->store, RECORD_scores, row, RECORD_scores_COLUMNS));
  }
  return 0;
}

static void print_equation(Discover *d, const Law *law, Buf *out) {
  buf_printf(out, "dt(%s) == ", d->work->state);
  expr_print(out, law->right, EXPR_TEXT);
  buf_printf(out, "\n<math><mrow><mfrac><mrow><mi>∂</mi><mi>%s</mi></mrow><mrow><mi>∂</mi><mi>t</mi></mrow></mfrac><mo>=</mo>", d->work->state);
  expr_mathml_row(out, law->right);
  buf_puts(out, "</mrow></math>");
}

Status discover_put_candidate(Discover *d, const char *id, const char *status, DiagCode code, const DiscoverCandidate *candidate) {
  Buf equation = {0};
  if (candidate && candidate->law) print_equation(d, candidate->law, &equation);
  Cell row[RECORD_candidates_COLUMNS] = {cell_text(id), cell_text(d->work->discovery), {0}, cell_text(status), cell_text(code == DIAG_CODES ? NULL : diag_rows[code].code),
                                         cell_text(candidate ? candidate->text : NULL), cell_text(equation.len ? buf_str(&equation) : NULL)};
  Status failed = store_append(d->work->store, RECORD_candidates, row, RECORD_candidates_COLUMNS);
  buf_free(&equation);
  return failed;
}

/* What is no hypothesis of the language is one by its text. */
static Status record_invalid(Discover *d, const DiscoverCandidate *candidate) {
  char hex[65], id[16];
  StoreRows rows = {0};
  sha256_hex(candidate->text, strlen(candidate->text), hex);
  snprintf(id, sizeof id, "x_%.12s", hex);
  TRY(store_select(d->work->store, "SELECT 1 FROM candidates WHERE id = ? LIMIT 1", &(Cell){CELL_TEXT, 0, id}, 1, &rows));
  bool known = rows.nrows > 0;
  store_rows_free(&rows);
  return known ? 0 : discover_put_candidate(d, id, "invalid", candidate->fault->code, candidate);
}

static DiagCode code_of(const char *text) {
  const DiagRow *row = text ? diag_row_of(text) : NULL;
  return row ? (DiagCode)(row - diag_rows) : DIAG_CODES;
}

static void read_metric(DiscoverAnswer *a, const char *name, double value) {
  if (!strcmp(name, "score")) a->score = value, a->valid = true;
  else if (!strcmp(name, "error_ab")) a->error_ab = value;
  else if (!strcmp(name, "error_ba")) a->error_ba = value;
  else if (!strcmp(name, "standard_error")) a->standard_error = value;
  else if (!strcmp(name, "stability")) a->stability = value;
  else if (!strcmp(name, "fields")) a->fields = (int)value;
  else if (!strcmp(name, "failed.field")) a->field = (int)value;
}

Status discover_archived(Discover *d, const char *id, DiscoverAnswer *out, bool *found) {
  StoreRows rows = {0};
  Cell bind = cell_text(id);
  *out = (DiscoverAnswer){.code = DIAG_CODES, .field = -1, .score = NAN, .error_ab = NAN, .error_ba = NAN, .standard_error = NAN};
  snprintf(out->id, sizeof out->id, "%s", id);
  TRY(store_select(d->work->store, "SELECT name, value FROM scores WHERE candidate = ? ORDER BY n", &bind, 1, &rows));
  for (int i = 0; i < rows.nrows; i++)
    if (store_cell(&rows, i, 0)->kind == CELL_TEXT && store_cell(&rows, i, 1)->kind == CELL_NUMBER) read_metric(out, store_cell(&rows, i, 0)->text, store_cell(&rows, i, 1)->number);
  store_rows_free(&rows);
  *found = out->valid;
  if (out->valid) return 0;
  TRY(store_select(d->work->store, "SELECT code FROM candidates WHERE id = ? AND status = 'failed' ORDER BY n DESC LIMIT 1", &bind, 1, &rows));
  *found = rows.nrows > 0;
  if (*found) out->code = code_of(store_cell(&rows, 0, 0)->text);
  store_rows_free(&rows);
  return 0;
}

/* Its place among what was scored; of equals the first comes first. */
static Status rank(Discover *d, DiscoverAnswer *a) {
  StoreRows rows = {0};
  Cell bind[2] = {cell_text(a->id), cell_number(a->score)};
  TRY(store_select(d->work->store, "SELECT 1 + COUNT(*) FROM scores s WHERE s.name = 'score' AND s.candidate <> ?1 AND "
                                   "(s.value < ?2 OR (s.value = ?2 AND s.n < (SELECT MIN(o.n) FROM scores o WHERE o.name = 'score' AND o.candidate = ?1)))", bind, 2, &rows));
  a->rank = (int)store_cell(&rows, 0, 0)->number;
  store_rows_free(&rows);
  return 0;
}

static Status count(Discover *d, const char *sql, int *out) {
  StoreRows rows = {0};
  TRY(store_select(d->work->store, sql, NULL, 0, &rows));
  *out = rows.nrows ? (int)store_cell(&rows, 0, 0)->number : 0;
  store_rows_free(&rows);
  return 0;
}

Status discover_counts(Discover *d, DiscoverCounts *out) {
  StoreRows rows = {0};
  *out = (DiscoverCounts){0};
  TRY(ledger_counts(d->work->ledger, &out->used, &out->limit));
  TRY(count(d, "SELECT COUNT(DISTINCT candidate) FROM scores WHERE name = 'score'", &out->scored));
  TRY(count(d, "SELECT COUNT(DISTINCT id) FROM candidates WHERE status = 'failed'", &out->failed));
  TRY(count(d, "SELECT COUNT(DISTINCT id) FROM candidates WHERE status = 'invalid'", &out->invalid));
  TRY(store_select(d->work->store, "SELECT id FROM candidates WHERE status = 'submitted' ORDER BY n LIMIT 1", NULL, 0, &rows));
  if (rows.nrows) snprintf(out->submitted, sizeof out->submitted, "%s", store_cell(&rows, 0, 0)->text);
  store_rows_free(&rows);
  return 0;
}

/* ---- a batch ---- */

typedef enum Turn { TURN_OPEN, TURN_DONE, TURN_MINE, TURN_TWIN, TURN_WAIT } Turn;

typedef struct Batch {
  Discover *d;
  int n;
  const DiscoverCandidate *candidate;
  DiscoverAnswer *answer;
  Turn turn[DISCOVER_BATCH];
  int twin[DISCOVER_BATCH];          /* the earlier one of the same id */
  LedgerHold hold[DISCOVER_BATCH];
  bool frozen;                       /* the run was submitted: only the archive answers */
} Batch;

static Status plan_one(Batch *b, int k) {
  const DiscoverCandidate *c = &b->candidate[k];
  DiscoverAnswer *a = &b->answer[k];
  bool found;
  if (!c->law) {
    *a = (DiscoverAnswer){.code = c->fault->code, .field = -1, .score = NAN, .error_ab = NAN, .error_ba = NAN, .standard_error = NAN};
    b->turn[k] = TURN_DONE;
    return b->frozen ? 0 : record_invalid(b->d, c);
  }
  TRY(discover_archived(b->d, c->law->id, a, &found));
  b->turn[k] = TURN_DONE;
  a->cached = found;
  if (found) return 0;
  if (b->frozen) {
    a->code = E4043;
    return 0;
  }
  for (int j = 0; j < k; j++)
    if (b->candidate[j].law && (b->turn[j] == TURN_MINE || b->turn[j] == TURN_WAIT) && !strcmp(b->candidate[j].law->id, c->law->id)) {
      b->turn[k] = TURN_TWIN;
      b->twin[k] = j;
      return 0;
    }
  LedgerAnswer answer;
  TRY(ledger_reserve(b->d->work->ledger, c->law->id, "score", &answer, &b->hold[k]));
  b->turn[k] = answer == LEDGER_ELSEWHERE ? TURN_WAIT : answer == LEDGER_USED_UP ? TURN_DONE : TURN_MINE;
  if (answer == LEDGER_USED_UP) a->code = E4042;
  return b->turn[k] == TURN_MINE ? discover_put_candidate(b->d, c->law->id, "proposed", DIAG_CODES, c) : 0;
}

/* Who is cached, who pays, who waits for another process: decided together, in one transaction. */
static Status plan(Batch *b) {
  Store *store = b->d->work->store;
  TRY(store_begin(store));
  Status status = ledger_settle_dead(b->d->work->ledger);
  for (int k = 0; k < b->n && !status; k++)
    if (b->turn[k] == TURN_OPEN) status = plan_one(b, k);
  if (!status && !store_commit(store)) return 0;
  store_rollback(store);
  for (int k = 0; k < b->n; k++)
    if (b->turn[k] == TURN_MINE) ledger_release(b->d->work->ledger, &b->hold[k]);
  return 1;
}

static DiagCode code_of_outcome(HeiOutcome outcome) {
  return outcome == HEI_VANISHES ? E4047 : outcome == HEI_NOT_FINITE ? E4048 : outcome == HEI_CONSTANT ? E4037 : E4046;
}

static Status put_result(Batch *b, int k, const HeiResult *r) {
  Discover *d = b->d;
  const char *id = b->candidate[k].law->id;
  if (r->outcome != HEI_OK) {
    TRY(discover_put_candidate(d, id, "failed", code_of_outcome(r->outcome), NULL));
    if (r->outcome == HEI_VANISHES) TRY(discover_put_metrics(d, id, &(DiscoverMetric){"failed.field", r->at}, 1));
    return ledger_refund(d->work->ledger, id, "it could not be fitted");
  }
  double stability = 0;
  for (int i = 0; i < r->nfields; i++) stability = fmax(stability, r->stability[i]);
  DiscoverMetric metric[] = {
      {"score", discover_rounded(r->error)}, {"error_ab", discover_rounded(r->direction[0])}, {"error_ba", discover_rounded(r->direction[1])},
      {"standard_error", discover_rounded(r->standard_error)}, {"fields", r->nfields}, {"stability", discover_rounded(stability)},
      {"exact.score", r->error}, {"exact.error_ab", r->direction[0]}, {"exact.error_ba", r->direction[1]},
  };
  TRY(discover_put_metrics(d, id, metric, sizeof metric / sizeof *metric));
  TRY(discover_put_candidate(d, id, "scored", DIAG_CODES, NULL));
  return ledger_commit(d->work->ledger, id, "scored");
}

/* Fits and scores what is mine; the evaluator shares its work between them. */
static Status evaluate(Batch *b, HeiResult *result) {
  Discover *d = b->d;
  Hei *hei;
  LawFeatures *features;
  HeiCandidate candidate[DISCOVER_BATCH];
  int n = 0;
  TRY(discover_evaluator(d, false, &hei, &features));
  for (int k = 0; k < b->n; k++)
    if (b->turn[k] == TURN_MINE) candidate[n++] = *law_candidate(features, b->candidate[k].law);
  d->api->evaluate(hei, n, candidate, result);
  return 0;
}

static Status settle(Batch *b, const HeiResult *result) {
  Store *store = b->d->work->store;
  TRY(store_begin(store));
  Status status = 0;
  for (int k = 0, i = 0; k < b->n && !status; k++)
    if (b->turn[k] == TURN_MINE) status = result ? put_result(b, k, &result[i++]) : ledger_refund(b->d->work->ledger, b->candidate[k].law->id, "it was not evaluated");
  if (!status) return store_commit(store);
  store_rollback(store);
  return status;
}

static Status answer_mine(Batch *b) {
  HeiResult result[DISCOVER_BATCH];
  int n = 0;
  for (int k = 0; k < b->n; k++) n += b->turn[k] == TURN_MINE;
  if (!n) return 0;
  bool evaluated = !evaluate(b, result);
  Status status = settle(b, evaluated ? result : NULL);
  for (int i = 0; evaluated && i < n; i++) b->d->api->result_free(&result[i]);
  for (int k = 0; k < b->n; k++)
    if (b->turn[k] == TURN_MINE) ledger_release(b->d->work->ledger, &b->hold[k]);
  if (status || !evaluated) return 1;
  for (int k = 0; k < b->n; k++) {
    bool found;
    if (b->turn[k] != TURN_MINE) continue;
    TRY(discover_archived(b->d, b->candidate[k].law->id, &b->answer[k], &found));
    b->answer[k].charged = b->answer[k].valid;
    b->turn[k] = TURN_DONE;
  }
  return 0;
}

/* What another process reserved is settled by it, or ours to try again. */
static Status go_through(Batch *b) {
  for (bool waits = true; waits;) {
    waits = false;
    TRY(plan(b));
    TRY(answer_mine(b));
    for (int k = 0; k < b->n; k++) {
      if (b->turn[k] == TURN_WAIT) ledger_wait(b->d->work->ledger, &b->hold[k]);
      if (b->turn[k] == TURN_WAIT) b->turn[k] = TURN_OPEN, waits = true;
    }
    if (waits && host_stopped(b->d->host, nowhere)) return 1;
  }
  for (int k = 0; k < b->n; k++)
    if (b->turn[k] == TURN_TWIN) {
      b->answer[k] = b->answer[b->twin[k]];
      b->answer[k].charged = 0;
      b->answer[k].cached = true;
    }
  return 0;
}

Status discover_score(Discover *d, int n, const DiscoverCandidate *candidate, bool settled_too, DiscoverAnswer *answer) {
  Batch b = {.d = d, .n = n, .candidate = candidate, .answer = answer};
  DiscoverCounts counts;
  if (n > DISCOVER_BATCH) {
    diag_suggest(diag_report(&d->host->diags, E4045, nowhere, "%d hypotheses at once; %d are the most", n, DISCOVER_BATCH), "score them in parts; nothing was charged");
    return 1;
  }
  record_settle(d->host);
  TRY(discover_counts(d, &counts));
  b.frozen = *counts.submitted != 0;
  if (b.frozen && !settled_too) {
    diag_suggest(diag_report(&d->host->diags, E4043, nowhere, "`%s` was submitted with %s: nothing is scored any more", d->work->discovery, counts.submitted), "history and evidence still answer");
    return 1;
  }
  TRY(go_through(&b));
  for (int k = 0; k < n; k++)
    if (answer[k].valid) TRY(rank(d, &answer[k]));
  return 0;
}

Diag *discover_report(Discover *d, const DiscoverCandidate *c, const DiscoverAnswer *a) {
  Diags *diags = &d->host->diags;
  const char *name = c->name ? c->name : "the hypothesis";
  switch (a->code) {
    case E4042: {
      DiscoverCounts counts = {0};
      discover_counts(d, &counts);
      return diag_suggest(diag_report(diags, E4042, c->span, "`%s` was not scored: all %g unique evaluations are used", name, counts.limit), "submit the best candidate of `pde history --ranked`");
    }
    case E4043: return diag_report(diags, E4043, c->span, "`%s` was not scored: the run was submitted", name);
    case E4046: return diag_suggest(diag_report(diags, E4046, c->span, "`%s`: its fields cannot be told from each other", name), "drop one of them, or let it depend on less");
    case E4047: {
      const char *field = c->law && a->field >= 0 && a->field < c->law->nfields ? c->law->field[a->field].name : "a field";
      return diag_suggest(diag_report(diags, E4047, c->span, "`%s`: what `%s` multiplies is zero on the trajectories, so they say nothing about it", name, field), "drop that field");
    }
    case E4048: return diag_report(diags, E4048, c->span, "`%s`: one of its terms has no finite value on the trajectories", name);
    case E4037: return diag_report(diags, E4037, c->span, "`%s` cannot be scored: the state does not change in time", name);
    default: break;
  }
  if (c->reported) return NULL;
  if (!c->fault) return diag_report(diags, a->code, c->span, "`%s` could not be scored", name);
  return diag_suggest(diag_report(diags, c->fault->code, c->span, "%s", c->fault->found), "%s", c->fault->mend);
}
