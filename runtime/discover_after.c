/* After the sealed score: the law solved forward over the sealed interval, and, where the truth is known, what of it was found. The truth is a hypothesis in
 * a file of its own and its fields in samples beside it, NAME.h5 or NAME.npz; nothing else reads them, and nothing of them is in the workspace before. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "discover_internal.h"
#include "discover_truth.h"
#include "samples.h"

static const Span nowhere;

typedef struct After { Discover *d; const Law *law; HeiEvidence evidence; HeiRollout roll; } After;

/* ---- forward ----------------------------------------------------------------------------------------------------------------------------------------------------- */

static Status solve_forward(After *a, const Trajectory whole[SEAL_FILES]) {
  Discover *d = a->d;
  Hei *hei;
  LawFeatures *features;
  HeiResult result;
  double *u[SEAL_FILES];
  TRY(discover_evaluator(d, true, &hei, &features));
  const HeiCandidate *candidate = law_candidate(features, a->law);
  HeiData data = workspace_hei_data(d->work, whole, u);
  d->api->evaluate(hei, 1, candidate, &result);
  HeiOutcome outcome = result.outcome;
  if (!outcome) outcome = d->api->evidence(hei, candidate, &result, &a->evidence);
  double *pooled[2] = {a->evidence.pooled.coefficients, a->evidence.pooled.coefficients};
  if (!outcome) outcome = d->api->rollout_sealed(hei, &data, whole[0].nt, candidate, pooled, &a->roll);
  d->api->result_free(&result);
  for (int k = 0; k < SEAL_FILES; k++) free(u[k]);
  if (!outcome) return 0;
  diag_report(&d->host->diags, outcome == HEI_GRID || outcome == HEI_MISSING ? E4036 : E4037, nowhere, "the law cannot be solved forward on the sealed interval: %s", d->api->outcome_text(outcome));
  return 1;
}

static Json *forward_json(const HeiRollout *r) {
  Json *node = json_object();
  json_put(node, "error", json_number(discover_rounded(r->error)));
  json_put(node, "error_a", json_number(discover_rounded(r->direction[0])));
  json_put(node, "error_b", json_number(discover_rounded(r->direction[1])));
  json_put(node, "growth", json_number(discover_rounded(r->growth)));
  json_put(node, "code", r->blown ? json_string(diag_rows[W4065].name) : json_null());
  json_put(node, "blown_at", r->blown ? json_number(discover_rounded(r->blown_at)) : json_null());
  return node;
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------------------------------------ */

/* The true field [nx][ny]; NULL: the file has it not, or on another grid. */
static double *true_values(const Discover *d, const SamplesValue *s) {
  int dim = d->work->dim, nx = d->data.nx, ny = d->data.ny;
  if (s->naxes != dim || s->axis[dim - 1].n != nx || (dim == 2 && s->axis[0].n != ny)) return NULL;
  double *out = malloc(sizeof(double) * (size_t)nx * (size_t)ny);
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) out[(size_t)i * (size_t)ny + (size_t)j] = s->values[(size_t)j * (size_t)nx + (size_t)i];
  return out;
}

static Json *agreement_json(const double *found, const double *truth, const double *weight, size_t n) {
  Json *node = json_object();
  Agreement all = samples_agreement(n, found, truth, NULL), told = samples_agreement(n, found, truth, weight);
  double share = 0;
  for (size_t i = 0; i < n; i++) share += weight[i] / (double)n;
  json_put(node, "correlation", json_number(discover_rounded(told.correlation)));
  json_put(node, "relative_l2", json_number(discover_rounded(told.relative_l2)));
  json_put(node, "told", json_number(discover_rounded(share)));
  json_put(node, "correlation_everywhere", json_number(discover_rounded(all.correlation)));
  json_put(node, "relative_l2_everywhere", json_number(discover_rounded(all.relative_l2)));
  return node;
}

/* An author's field of the truth out of the fields that were found, where it is a sum of such; weight: 1 where the data tell it. */
static bool found_values(const After *a, const LawAuthor *author, const int *match, size_t n, double *value, double *weight) {
  bool fine = author->fate == LAW_TOLD && author->npulls;
  for (size_t i = 0; i < n; i++) value[i] = law_number(author->offset), weight[i] = 1;
  for (int k = 0; k < author->npulls && fine; k++) {
    const LawPull *pull = &author->pull[k];
    int at = match[pull->field];
    fine = !pull->dx && !pull->dy && at >= 0;
    for (size_t i = 0; i < n && fine; i++) {
      value[i] += law_number(pull->factor) * a->evidence.field[at].value[i];
      weight[i] *= a->evidence.field[at].information[i] > 0.9;
    }
  }
  return fine;
}

static char *fields_path(const char *truth) {
  static const char *const endings[] = {".h5", ".npz"};
  size_t n = strlen(truth);
  if (n > 4 && !strcmp(truth + n - 4, ".pde")) n -= 4;
  for (int k = 0; k < 2; k++) {
    Buf path = {0};
    buf_add(&path, truth, n);
    buf_puts(&path, endings[k]);
    if (!access(buf_str(&path), R_OK)) return path.text;
    buf_free(&path);
  }
  return NULL;
}

static Json *recovery(After *a, const Law *truth, const int *match, const char *path) {
  Discover *d = a->d;
  size_t n = (size_t)d->data.nx * (size_t)d->data.ny;
  Json *list = json_array();
  double *value = malloc(sizeof(double) * n), *weight = malloc(sizeof(double) * n);
  Eval ev = {.host = d->host};
  for (int k = 0; k < truth->nauthors; k++) {
    const LawAuthor *author = &truth->author[k];
    if (!found_values(a, author, match, n, value, weight)) continue;
    SamplesValue *s = samples_read(&ev, path, author->name, nowhere);
    double *values = s ? true_values(d, s) : NULL;
    if (s && !values) diag_report(&d->host->diags, E4060, nowhere, "`%s`: `%s` is on another grid than the trajectories", path, author->name);
    if (values) {
      Json *node = agreement_json(value, values, weight, n);
      json_put(node, "name", json_string(author->name));
      json_append(list, node);
    }
    free(values);
    samples_free(s);
  }
  free(value), free(weight);
  return list;
}

/* ---- the truth --------------------------------------------------------------------------------------------------------------------------------------------------- */

static Status compare_truth(After *a, const char *path, Json *report) {
  Discover *d = a->d;
  DiscoverCandidate candidate;
  Truth truth;
  const char *why;
  const Source *source = source_read(d->host->sources, path, &why);
  if (!source) {
    diag_report(&d->host->diags, E4064, nowhere, "the truth `%s` cannot be read: %s", path, why);
    return 1;
  }
  discover_read(d, source->text, source->len, path, &candidate);
  if (!candidate.law) {
    if (!candidate.reported) diag_report(&d->host->diags, E4064, nowhere, "`%s` is no law of `%s`: %s", path, d->work->discovery, candidate.fault->found);
    return 1;
  }
  truth_compare(a->law, candidate.law, &truth);
  char *fields = fields_path(path);
  if (fields) json_put(truth.report, "fields", recovery(a, candidate.law, truth.match, fields));
  else json_put(truth.report, "not_compared", json_string("beside the truth is no file .h5 or .npz with its fields: they were not compared"));
  free(fields);
  json_put(report, "structure", truth.report);
  return 0;
}

Status discover_after(Discover *d, const DiscoverCandidate *candidate, const Trajectory whole[SEAL_FILES], Json *report) {
  After a = {.d = d, .law = candidate->law};
  Status status = solve_forward(&a, whole);
  if (!status) {
    DiscoverMetric metric = {"sealed.rollout", discover_rounded(a.roll.error)};
    json_put(report, "forward", forward_json(&a.roll));
    status = discover_put_metrics(d, candidate->law->id, &metric, 1);
  }
  if (!status && d->truth) status = compare_truth(&a, d->truth, report);
  if (d->api) d->api->evidence_free(&a.evidence);
  return status;
}
