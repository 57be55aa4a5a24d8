/* Replies of the interface as JSON, out of the record alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "discover_internal.h"

static Json *number_or_null(double x) { return isnan(x) ? json_null() : json_number(x); }

static Json *cell_json(const Cell *cell) { return cell->kind == CELL_TEXT ? json_string(cell->text) : cell->kind == CELL_NUMBER ? json_number(cell->number) : json_null(); }

Json *discover_budget_json(const DiscoverCounts *counts) {
  Json *budget = json_object(), *evals = json_object();
  json_put(evals, "used", json_number(counts->used));
  json_put(evals, "limit", json_number(counts->limit));
  json_put(budget, "unique_evals", evals);
  return budget;
}

static Json *counters(const DiscoverCounts *counts) {
  Json *node = discover_budget_json(counts);
  json_put(node, "scored", json_number(counts->scored));
  json_put(node, "failed", json_number(counts->failed));
  json_put(node, "invalid", json_number(counts->invalid));
  return node;
}

Json *discover_answer_json(const DiscoverCandidate *candidate, const DiscoverAnswer *a, const DiscoverCounts *counts) {
  Json *node = json_object();
  json_put(node, "id", *a->id ? json_string(a->id) : json_null());
  json_put(node, "hypothesis", json_string(candidate->name));
  json_put(node, "valid", json_bool(a->valid));
  json_put(node, "code", a->valid ? json_null() : json_string(diag_rows[a->code].code));
  json_put(node, "name", a->valid ? json_null() : json_string(diag_rows[a->code].name));
  json_put(node, "error_ab", number_or_null(a->error_ab));
  json_put(node, "error_ba", number_or_null(a->error_ba));
  json_put(node, "score", number_or_null(a->score));
  json_put(node, "standard_error", number_or_null(a->standard_error));
  json_put(node, "fields", a->valid ? json_number(a->fields) : json_null());
  json_put(node, "stability", a->valid ? json_number(a->stability) : json_null());
  json_put(node, "rank", a->rank ? json_number(a->rank) : json_null());
  json_put(node, "cached", json_bool(a->cached));
  json_put(node, "charged", json_number(a->charged));
  json_put(node, "counters", counters(counts));
  return node;
}

/* ---- validate ---- */

static const char *domain_text(unsigned domain) { return domain == (LAW_X | LAW_Y) ? "x, y" : domain == LAW_X ? "x" : domain == LAW_Y ? "y" : ""; }

/* What became of the author's field in the canonical form. */
static Json *author_json(const Law *law, const LawAuthor *author) {
  static const char *const fates[] = {[LAW_TOLD] = "told", [LAW_MIXED] = "mixed", [LAW_DROPPED] = "dropped"};
  Json *node = json_object();
  json_put(node, "name", json_string(author->name));
  json_put(node, "dims", json_string(domain_text(author->domain)));
  json_put(node, "fate", json_string(fates[author->fate]));
  Buf text = {0};
  for (int k = 0; author->fate == LAW_TOLD && k < author->npulls; k++) {
    const LawPull *pull = &author->pull[k];
    buf_puts(&text, text.len ? " + " : "");
    if (pull->factor.num != pull->factor.den) {
      if (pull->factor.den == 1) buf_printf(&text, "(%lld)*", (long long)pull->factor.num);
      else buf_printf(&text, "(%lld/%lld)*", (long long)pull->factor.num, (long long)pull->factor.den);
    }
    int order = pull->dx + pull->dy;
    for (int i = 0; i < pull->dx; i++) buf_puts(&text, "dx(");
    for (int i = 0; i < pull->dy; i++) buf_puts(&text, "dy(");
    buf_puts(&text, law->field[pull->field].name);
    while (order--) buf_putc(&text, ')');
  }
  if (author->fate == LAW_TOLD && author->offset.num) buf_printf(&text, author->offset.den == 1 ? " + %lld" : " + %lld/%lld", (long long)author->offset.num, (long long)author->offset.den);
  json_put(node, "is", text.len ? json_string(buf_str(&text)) : json_null());
  buf_free(&text);
  return node;
}

Json *discover_validate_json(const DiscoverCandidate *candidate) {
  const Law *law = candidate->law;
  Json *node = json_object(), *fields = json_array(), *authors = json_array();
  json_put(node, "id", law ? json_string(law->id) : json_null());
  json_put(node, "hypothesis", json_string(candidate->name));
  json_put(node, "valid", json_bool(law != NULL));
  json_put(node, "code", law ? json_null() : json_string(diag_rows[candidate->fault->code].code));
  json_put(node, "name", law ? json_null() : json_string(diag_rows[candidate->fault->code].name));
  json_put(node, "canonical", json_string(law ? law->key : NULL));
  json_put(node, "nodes", law ? json_number(law->nodes) : json_null());
  for (int k = 0; law && k < law->nfields; k++) {
    Json *field = json_object();
    json_put(field, "name", json_string(law->field[k].name));
    json_put(field, "dims", json_string(domain_text(law->field[k].domain)));
    json_append(fields, field);
  }
  for (int k = 0; law && k < law->nauthors; k++) json_append(authors, author_json(law, &law->author[k]));
  json_put(node, "fields", fields);
  json_put(node, "declared", authors);
  return node;
}

/* ---- the archive ---- */

static const char archive[] =
    "WITH c AS (SELECT MIN(n) AS n, id FROM candidates WHERE id IS NOT NULL GROUP BY id),"
    "m AS (SELECT c.n, c.id,"
    " (SELECT k.status FROM candidates k WHERE k.id = c.id AND k.status IS NOT NULL ORDER BY k.n DESC LIMIT 1) AS status,"
    " (SELECT k.code FROM candidates k WHERE k.id = c.id AND k.code IS NOT NULL ORDER BY k.n DESC LIMIT 1) AS code,"
    " (SELECT k.equation FROM candidates k WHERE k.id = c.id AND k.equation IS NOT NULL ORDER BY k.n LIMIT 1) AS equation,"
    " (SELECT k.text FROM candidates k WHERE k.id = c.id AND k.text IS NOT NULL ORDER BY k.n LIMIT 1) AS text,"
    " (SELECT value FROM scores s WHERE s.candidate = c.id AND s.name = 'score') AS score,"
    " (SELECT s.n FROM scores s WHERE s.candidate = c.id AND s.name = 'score') AS place,"
    " (SELECT value FROM scores s WHERE s.candidate = c.id AND s.name = 'error_ab') AS error_ab,"
    " (SELECT value FROM scores s WHERE s.candidate = c.id AND s.name = 'error_ba') AS error_ba,"
    " (SELECT value FROM scores s WHERE s.candidate = c.id AND s.name = 'standard_error') AS standard_error,"
    " (SELECT value FROM scores s WHERE s.candidate = c.id AND s.name = 'fields') AS fields,"
    " (SELECT value FROM scores s WHERE s.candidate = c.id AND s.name = 'stability') AS stability"
    " FROM c),"
    "r AS (SELECT *, CASE WHEN score IS NULL THEN NULL ELSE RANK() OVER (ORDER BY score IS NULL, score, place) END AS rank,"
    " CASE WHEN score IS NULL THEN NULL ELSE RANK() OVER (ORDER BY score IS NULL, place) END AS evaluation FROM m) "
    "SELECT evaluation, id, status, code, error_ab, error_ba, score, standard_error, fields, stability, rank, text, equation FROM r ";

enum { ROW_EVALUATION, ROW_ID, ROW_STATUS, ROW_CODE, ROW_AB, ROW_BA, ROW_SCORE, ROW_ERROR, ROW_FIELDS, ROW_STABILITY, ROW_RANK, ROW_TEXT, ROW_EQUATION, ROW_COLUMNS };
static const char *const row_names[ROW_COLUMNS] = {"evaluation", "id", "status", "code", "error_ab", "error_ba", "score", "standard_error", "fields", "stability", "rank", "text", "equation"};

/* Of an equation its first line: the text. */
static Json *first_line(const Cell *cell) {
  if (cell->kind != CELL_TEXT) return json_null();
  char *text = strndup(cell->text, strcspn(cell->text, "\n"));
  Json *node = json_string(text);
  free(text);
  return node;
}

static Json *archive_row(const StoreRows *rows, int i) {
  Json *node = json_object();
  for (int c = 0; c < ROW_COLUMNS; c++) json_put(node, row_names[c], c == ROW_EQUATION ? first_line(store_cell(rows, i, c)) : cell_json(store_cell(rows, i, c)));
  return node;
}

Json *discover_history_json(Discover *d, bool ranked, int offset, int limit) {
  StoreRows rows = {0}, total = {0};
  Buf sql = {0};
  Json *node = json_object(), *candidates = json_array();
  buf_printf(&sql, "%sORDER BY %s LIMIT %d OFFSET %d", archive, ranked ? "rank IS NULL, rank, n" : "n", limit ? limit : -1, offset);
  Status status = store_select(d->work->store, buf_str(&sql), NULL, 0, &rows);
  if (!status) status = store_select(d->work->store, "SELECT COUNT(DISTINCT id) FROM candidates", NULL, 0, &total);
  for (int i = 0; !status && i < rows.nrows; i++) json_append(candidates, archive_row(&rows, i));
  json_put(node, "order", json_string(ranked ? "rank" : "time"));
  json_put(node, "total", json_number(status ? 0 : store_cell(&total, 0, 0)->number));
  json_put(node, "offset", json_number(offset));
  json_put(node, "candidates", candidates);
  store_rows_free(&rows);
  store_rows_free(&total);
  buf_free(&sql);
  if (!status) return node;
  json_free(node);
  return NULL;
}

static Json *best_json(Discover *d) {
  StoreRows rows = {0};
  Buf sql = {0};
  buf_printf(&sql, "%sWHERE rank = 1", archive);
  Json *best = NULL;
  if (!store_select(d->work->store, buf_str(&sql), NULL, 0, &rows) && rows.nrows) {
    best = json_object();
    json_put(best, "id", cell_json(store_cell(&rows, 0, ROW_ID)));
    json_put(best, "score", cell_json(store_cell(&rows, 0, ROW_SCORE)));
    json_put(best, "equation", first_line(store_cell(&rows, 0, ROW_EQUATION)));
  }
  store_rows_free(&rows);
  buf_free(&sql);
  return best ? best : json_null();
}

Json *discover_status_json(Discover *d) {
  const Workspace *w = d->work;
  DiscoverCounts counts;
  if (discover_counts(d, &counts)) return NULL;
  Json *node = json_object(), *grid = json_object(), *snapshots = json_array(), *missing = json_array();
  json_put(node, "discovery", json_string(w->discovery));
  json_put(node, "state", json_string(w->state));
  json_put(grid, "nx", json_number(w->nx));
  if (w->dim == 2) json_put(grid, "ny", json_number(w->ny));
  json_put(node, "grid", grid);
  for (int k = 0; k < TRAJECTORY_SEALED; k++) json_append(snapshots, json_number(w->start[k + 1] - w->start[k]));
  json_put(node, "snapshots", snapshots);
  json_put(node, "times", json_string(w->uniform ? "uniform" : "nonuniform"));
  for (int k = 0; k < SEAL_FILES; k++) json_append(missing, json_number((double)w->missing[k]));
  json_put(node, "missing", missing);
  json_put(node, "counters", counters(&counts));
  json_put(node, "best", best_json(d));
  json_put(node, "submitted", *counts.submitted ? json_string(counts.submitted) : json_null());
  json_put(node, "commitment", json_string(w->commitment));
  return node;
}
