/* Evidence of a candidate: its fields as fitted from both trajectories, how far they can be believed, and what noise alone would leave. Computed once, then
 * read from evidence/ID/ of the workspace. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "discover_internal.h"
#include "record.h"

static const Span nowhere;

typedef struct Showing {
  Discover *d;
  const Law *law;
  char id[16];
  const HeiEvidence *of;
  Json *fields;
} Showing;

/* ---- files ---- */

/* Within the workspace, and as it can be opened. */
static Buf relative(const char *id, const char *name, const char *ending) {
  Buf path = {0};
  buf_printf(&path, "evidence/%s%s%s%s", id, name ? "/" : "", name ? name : "", ending);
  return path;
}

static Buf place(const Discover *d, const char *path) {
  Buf full = {0};
  buf_printf(&full, "%s/%s", d->work->dir, path);
  return full;
}

static Status make_place(Discover *d, const char *id) {
  Buf path = relative(id, NULL, ""), outer = place(d, "evidence"), inner = place(d, buf_str(&path));
  bool fine = (mkdir(buf_str(&outer), 0777) == 0 || errno == EEXIST) && (mkdir(buf_str(&inner), 0777) == 0 || errno == EEXIST);
  if (!fine) diag_report(&d->host->diags, E2501, nowhere, "`%s` cannot be made: %s", buf_str(&inner), strerror(errno));
  buf_free(&path);
  buf_free(&outer);
  buf_free(&inner);
  return !fine;
}

/* [nx][ny] of the evaluator as [ny][nx]. */
static void add_plane(const Discover *d, ArrayFile *file, const char *name, const double *values) {
  NamedArray *array = arrays_add(file, name, strlen(name));
  size_t nx = (size_t)d->data.nx, ny = (size_t)d->data.ny;
  array->rank = d->work->dim;
  array->shape[0] = d->work->dim == 2 ? ny : nx;
  array->shape[1] = nx;
  array->values = malloc(nx * ny * sizeof(double));
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < nx; i++) array->values[j * nx + i] = values[i * ny + j];
}

static void add_line(ArrayFile *file, const char *name, const double *values, int n) {
  NamedArray *array = arrays_add(file, name, strlen(name));
  array->rank = 1;
  array->shape[0] = (size_t)n;
  array->values = malloc((size_t)n * sizeof(double));
  memcpy(array->values, values, (size_t)n * sizeof(double));
}

static Status record_artefact(Discover *d, StoreTable table, const char *path, const char *id, const char *name) {
  char hex[65];
  double bytes;
  Buf full = place(d, path);
  Status status = store_put_file(d->work->store, buf_str(&full), hex, &bytes);
  buf_free(&full);
  TRY(status);
  if (table == RECORD_files) {
    Cell row[RECORD_files_COLUMNS] = {cell_text(path), cell_number(bytes), cell_text(hex)};
    return store_append(d->work->store, table, row, RECORD_files_COLUMNS);
  }
  Cell row[RECORD_fields_COLUMNS] = {cell_text(id), cell_text(name), cell_text("fitted"), {0}, cell_text("npz"), cell_text(hex)};
  return store_append(d->work->store, table, row, RECORD_fields_COLUMNS);
}

static Status write_field(Showing *s, const char *name, const double *value, const double *deviation, const double *information, const char *path) {
  const Trajectory *t = &s->d->trajectory[0];
  ArrayFile file = {0};
  add_line(&file, "x", t->x, t->nx);
  if (t->y) add_line(&file, "y", t->y, t->ny);
  add_plane(s->d, &file, "value", value);
  add_plane(s->d, &file, "sd", deviation);
  add_plane(s->d, &file, "information", information);
  Buf full = place(s->d, path);
  Status status = npz_write(buf_str(&full), &file, &s->d->host->diags, nowhere);
  buf_free(&full);
  arrays_free(&file);
  if (!status) status = record_artefact(s->d, RECORD_fields, path, s->id, name);
  return status;
}

/* ---- fields ---- */

static Json *coordinates(const double *x, int n) {
  Json *list = json_array();
  for (int k = 0; k < n; k++) json_append(list, json_number(x[k]));
  return list;
}

static const char *dims_text(unsigned domain) { return domain == (LAW_X | LAW_Y) ? "x, y" : domain == LAW_X ? "x" : domain == LAW_Y ? "y" : ""; }

static Status show(Showing *s, const char *name, unsigned domain, const HeiFieldEvidence *f, const double *value, const double *deviation) {
  const Trajectory *t = &s->d->trajectory[0];
  Buf path = relative(s->id, name, ".npz");
  Status status = write_field(s, name, value, deviation, f->information, buf_str(&path));
  Json *node = json_object();
  json_put(node, "name", json_string(name));
  json_put(node, "dims", json_string(dims_text(domain)));
  json_put(node, "x", coordinates(t->x, t->nx));
  if (t->y) json_put(node, "y", coordinates(t->y, t->ny));
  json_put(node, "lambda", json_number(discover_rounded(f->smoothness)));
  json_put(node, "dof", json_number(discover_rounded(f->freedom)));
  json_put(node, "stability", json_number(discover_rounded(f->stability)));
  json_put(node, "correlation", json_number(discover_rounded(f->correlation)));
  json_put(node, "uncertainty", json_number(discover_rounded(f->uncertainty)));
  json_put(node, "revealed", json_number(discover_rounded(f->revealed)));
  json_put(node, "identifiable", json_bool(f->identifiable));
  json_append(s->fields, node);
  buf_free(&path);
  return status;
}

/* Can the author's field be given by values of canonical ones? Derivatives of those are not. */
static bool by_values(const LawAuthor *author) {
  if (author->fate != LAW_TOLD || !author->npulls) return false;
  for (int k = 0; k < author->npulls; k++)
    if (author->pull[k].dx || author->pull[k].dy) return false;
  return true;
}

/* The author's field: the sum of its pulls; deviations of different fields are taken as independent. */
static Status show_author(Showing *s, const LawAuthor *author, bool *shown) {
  size_t n = (size_t)s->d->data.nx * (size_t)s->d->data.ny;
  double *value = calloc(n, sizeof *value), *deviation = calloc(n, sizeof *deviation);
  for (size_t i = 0; i < n; i++) value[i] = law_number(author->offset);
  for (int k = 0; k < author->npulls; k++) {
    const LawPull *pull = &author->pull[k];
    double factor = law_number(pull->factor);
    const HeiFieldEvidence *f = &s->of->field[pull->field];
    for (size_t i = 0; i < n; i++) {
      value[i] += factor * f->value[i];
      deviation[i] = hypot(deviation[i], factor * f->deviation[i]);
    }
    shown[pull->field] = true;
  }
  Status status = show(s, author->name, author->domain, &s->of->field[author->pull[0].field], value, deviation);
  free(value);
  free(deviation);
  return status;
}

/* In the author's names what they tell; canonical fields that none of them does under their own. */
static Status show_fields(Showing *s) {
  bool shown[LAW_FIELDS] = {false};
  for (int k = 0; k < s->law->nauthors; k++)
    if (by_values(&s->law->author[k])) TRY(show_author(s, &s->law->author[k], shown));
  for (int k = 0; k < s->law->nfields; k++) {
    const HeiFieldEvidence *f = &s->of->field[k];
    if (!shown[k]) TRY(show(s, s->law->field[k].name, s->law->field[k].domain, f, f->value, f->deviation));
  }
  return 0;
}

/* ---- the whole ---- */

/* The law solved forward over interval 3 of either trajectory with the fields of the other one. */
static HeiOutcome roll(Discover *d, Hei *hei, const HeiCandidate *candidate, const HeiResult *result, HeiRollout *out) {
  double *crossed[2] = {result->coefficients[1], result->coefficients[0]};
  return d->api->rollout(hei, &d->data, candidate, crossed, out);
}

Status discover_gather(Discover *d, bool for_fields, const Law *law, HeiEvidence *out, HeiRollout *rollout) {
  Hei *hei;
  LawFeatures *features;
  HeiResult result;
  TRY(discover_evaluator(d, for_fields, &hei, &features));
  const HeiCandidate *candidate = law_candidate(features, law);
  d->api->evaluate(hei, 1, candidate, &result);
  HeiOutcome outcome = result.outcome;
  if (!outcome) outcome = d->api->evidence(hei, candidate, &result, out);
  if (!outcome && rollout) outcome = roll(d, hei, candidate, &result, rollout);
  d->api->result_free(&result);
  if (!outcome) return 0;
  diag_report(&d->host->diags, E4046, nowhere, "there is no evidence of %s: %s", law->id, d->api->outcome_text(outcome));
  return 1;
}

static const char *side_text(HeiSide side) {
  return side == HEI_SIDE_ZERO_FLUX ? "zero flux" : side == HEI_SIDE_PERIODIC ? "periodic" : side == HEI_SIDE_FREE ? "free" : "unknown";
}

/* What the evaluator found in either trajectory. */
static Json *prepared(Discover *d) {
  Json *list = json_array();
  for (int k = 0; k < SEAL_FILES; k++) {
    HeiPrepared p;
    Json *node = json_object();
    d->api->prepared(d->scores.hei, k, &p);
    json_put(node, "noise", json_number(discover_rounded(p.sigma)));
    json_put(node, "signal", json_number(discover_rounded(p.signal)));
    json_put(node, "correlated", json_bool(p.correlated));
    json_put(node, "modes", json_number(p.modes));
    json_put(node, "missing", json_number((double)p.missing));
    json_put(node, "side_x", json_string(side_text(p.side[0])));
    if (d->work->dim == 2) json_put(node, "side_y", json_string(side_text(p.side[1])));
    json_append(list, node);
  }
  return list;
}

static Json *tell(Discover *d, const DiscoverCandidate *c, const DiscoverAnswer *a, const HeiEvidence *scores, const HeiEvidence *fields, const HeiRollout *rollout) {
  Json *node = json_object(), *list = json_array();
  Showing s = {.d = d, .law = c->law, .of = fields, .fields = list};
  strcpy(s.id, a->id);
  json_put(node, "id", json_string(a->id));
  json_put(node, "hypothesis", json_string(c->name));
  json_put(node, "canonical", json_string(c->law->key));
  json_put(node, "score", json_number(a->score));
  json_put(node, "error_ab", json_number(a->error_ab));
  json_put(node, "error_ba", json_number(a->error_ba));
  json_put(node, "standard_error", json_number(a->standard_error));
  json_put(node, "rollout", rollout->blown ? json_null() : json_number(discover_rounded(rollout->error)));
  json_put(node, "rollout_blown", json_bool(rollout->blown));
  json_put(node, "noise_ceiling", json_number(discover_rounded(scores->noise_ceiling)));
  json_put(node, "explained", json_bool(scores->explained));
  json_put(node, "condition", json_number(discover_rounded(fields->pooled.condition)));
  json_put(node, "fields", list);
  json_put(node, "data", prepared(d));
  Status status = make_place(d, a->id);
  if (!status) status = show_fields(&s);
  if (!status) return node;
  json_free(node);
  return NULL;
}

static Status keep(Discover *d, const char *id, const HeiEvidence *scores, const HeiEvidence *fields, const Json *node) {
  Buf path = relative(id, "evidence", ".json"), full = place(d, buf_str(&path)), text = {0};
  json_print(&text, node, NULL);
  buf_putc(&text, '\n');
  Status status = !host_write_file(d->host, buf_str(&full), &text, nowhere);
  DiscoverMetric metric[] = {{"noise_ceiling", discover_rounded(scores->noise_ceiling)}, {"condition", discover_rounded(fields->pooled.condition)}};
  if (!status) status = discover_put_metrics(d, id, metric, 2);
  if (!status) status = record_artefact(d, RECORD_files, buf_str(&path), id, NULL);
  buf_free(&path);
  buf_free(&full);
  buf_free(&text);
  return status;
}

/* Written before, and as it was then. */
static Json *kept(Discover *d, const char *id) {
  Buf path = relative(id, "evidence", ".json"), text = {0};
  Cell bind = cell_text(buf_str(&path));
  StoreRows rows = {0};
  Json *node = NULL;
  if (!store_select(d->work->store, "SELECT sha256 FROM files WHERE path = ? ORDER BY n DESC LIMIT 1", &bind, 1, &rows) && rows.nrows &&
      !store_get(d->work->store, store_cell(&rows, 0, 0)->text, &text))
    node = json_parse(buf_str(&text), text.len);
  store_rows_free(&rows);
  buf_free(&path);
  buf_free(&text);
  return node;
}

static Json *compute(Discover *d, const DiscoverCandidate *candidate, const DiscoverAnswer *a) {
  HeiEvidence scores = {0}, fields = {0};
  HeiRollout rollout = {0};
  Json *node = NULL;
  if (!discover_gather(d, false, candidate->law, &scores, &rollout) && !discover_gather(d, true, candidate->law, &fields, NULL)) {
    Status status = store_begin(d->work->store);
    if (!status && !(node = tell(d, candidate, a, &scores, &fields, &rollout))) status = 1;
    if (!status) status = keep(d, a->id, &scores, &fields, node);
    if (!status) status = store_commit(d->work->store);
    if (status) {
      store_rollback(d->work->store);
      json_free(node);
      node = NULL;
    }
  }
  if (d->api) d->api->evidence_free(&scores), d->api->evidence_free(&fields);
  return node;
}

/* Where the files are now: a workspace may be moved. */
static void add_files(Discover *d, const char *id, const Json *node) {
  char *dir = realpath(d->work->dir, NULL);
  const Json *fields = json_get(node, "fields");
  for (int k = 0; k < json_count(fields); k++) {
    Json *field = (Json *)json_at(fields, k);
    Buf path = relative(id, json_text_of(json_get(field, "name")), ".npz"), full = {0};
    buf_printf(&full, "%s/%s", dir ? dir : d->work->dir, buf_str(&path));
    json_put(field, "file", json_string(buf_str(&full)));
    buf_free(&path);
    buf_free(&full);
  }
  free(dir);
}

Json *discover_evidence_json(Discover *d, const char *id) {
  DiscoverCandidate candidate;
  DiscoverAnswer answer;
  bool found;
  record_settle(d->host);
  if (discover_of_id(d, id, &candidate) || discover_archived(d, candidate.law->id, &answer, &found)) return NULL;
  if (!found) {
    diag_suggest(diag_report(&d->host->diags, E4043, nowhere, "%s was never scored", candidate.law->id), "score it first");
    return NULL;
  }
  if (!answer.valid) {
    discover_report(d, &candidate, &answer);
    return NULL;
  }
  Json *node = kept(d, answer.id);
  if (!node && !d->host->diags.nerrors) node = compute(d, &candidate, &answer);
  if (node) add_files(d, answer.id, node);
  return node;
}
