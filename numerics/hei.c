/* The evaluator as a whole: what it is opened with, its features, its laws, and the interval that is read at the end. */
#include "hei.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_fit.h"
#include "hei_lapack.h"

enum { SMOOTHER_DEGREE = 5, FEW_TESTS = 4 };

const HeiOptions hei_for_scores = {.smooth_space = 24, .smooth_time = 16, .noise_edge = 1.02, .tests_space = 12, .tests_time = 4, .field = 8, .each = true};
const HeiOptions hei_for_fields = {.smooth_space = 24, .smooth_time = 16, .noise_edge = 1.02, .tests_space = 20, .tests_time = 8, .field = 12};

const char *hei_outcome_text(HeiOutcome outcome) {
  switch (outcome) {
    case HEI_OK: return "evaluated";
    case HEI_GRID: return "too few nodes or snapshots, or times that do not increase";
    case HEI_DATA: return "a value of the data is infinite";
    case HEI_MISSING: return "too many values of the data are missing";
    case HEI_CONSTANT: return "the state does not change in time";
    case HEI_ILL_FORMED: return "too many fields, or a derivative or feature that is not there";
    case HEI_NOT_FINITE: return "a feature has no finite value on the data";
    case HEI_VANISHES: return "what a field multiplies is zero on the data";
    case HEI_SINGULAR: return "the fields cannot be told from each other";
  }
  return "";
}

static bool too_few_nodes(int n, const double *range, const HeiOptions *options) { return n <= options->smooth_space + SMOOTHER_DEGREE || !(range[1] > range[0]); }

/* More nodes than functions, or the smoother only interpolates; an interval of at least the support of its tests. */
static HeiOutcome check(const Hei *hei, const HeiData *data) {
  const HeiOptions *options = &hei->options;
  int total = hei->start[hei->nintervals];
  if (too_few_nodes(data->nx, data->x, options) || (data->ny != 1 && too_few_nodes(data->ny, data->y, options)) || total <= options->smooth_time + SMOOTHER_DEGREE ||
      options->tests_space < FEW_TESTS || hei->start[0] || total > data->stride) return HEI_GRID;
  for (int k = 0; k < hei->nintervals; k++)
    if (hei->start[k + 1] - hei->start[k] <= options->tests_time) return HEI_GRID;
  for (int k = 0; k < total; k++)
    if (!isfinite(data->t[k]) || (k && data->t[k] <= data->t[k - 1])) return HEI_GRID;
  return HEI_OK;
}

static HeiOutcome count_missing(Hei *hei, const HeiData *data) {
  int total = hei->start[hei->nintervals];
  size_t nodes = (size_t)data->nx * data->ny;
  for (int w = 0; w < 2; w++) {
    for (size_t node = 0; node < nodes; node++)
      for (int k = 0; k < total; k++) {
        double value = data->u[w][node * data->stride + k];
        if (isinf(value)) return HEI_DATA;
        hei->prepared[w].missing += isnan(value);
      }
    if (2 * (double)hei->prepared[w].missing > (double)nodes * total) return HEI_MISSING;
  }
  return HEI_OK;
}

/* With the intervals up to `end`, when that is beyond the third one. */
static Hei *open_until(const HeiData *data, int end, const HeiOptions *options, HeiOutcome *outcome) {
  openblas_set_num_threads(1);       /* sums in one order: threads are for candidates */
  Hei *hei = calloc(1, sizeof *hei);
  hei_cache_open(&hei->cache);
  hei->options = *options;
  if (!hei->options.budget) hei->options.budget = (size_t)512 << 20;
  memcpy(hei->start, data->start, sizeof data->start);
  hei->nintervals = end > data->start[HEI_INTERVALS] ? HEI_ALL_INTERVALS : HEI_INTERVALS;
  hei->start[HEI_ALL_INTERVALS] = end;
  *outcome = check(hei, data);
  if (!*outcome) *outcome = count_missing(hei, data);
  if (!*outcome) *outcome = hei_prepare(hei, data);
  if (!*outcome) *outcome = hei_weak_open(hei, data);
  if (*outcome) return hei_close(hei), NULL;
  double state[HEI_JETS] = {1};
  hei_feature(hei, &(HeiFeature){.key = "u_t", .linear = state});        /* HEI_RATE: u against the derivative over time */
  hei_term(hei, 0, &(HeiPart){0, 0, 1, HEI_RATE}, 1);
  return hei;
}

Hei *hei_open(const HeiData *data, const HeiOptions *options, HeiOutcome *outcome) { return open_until(data, data->start[HEI_INTERVALS], options, outcome); }

static int least(int a, int b) { return a < b ? a : b; }

HeiOptions hei_options_for(const HeiOptions *options, const HeiData *data) {
  HeiOptions out = *options;
  int nodes = data->ny > 1 ? least(data->nx, data->ny) : data->nx, total = data->start[HEI_INTERVALS], shortest = total;
  for (int k = 0; k < HEI_INTERVALS; k++) shortest = least(shortest, data->start[k + 1] - data->start[k]);
  out.smooth_space = least(out.smooth_space, nodes - SMOOTHER_DEGREE - 1), out.smooth_time = least(out.smooth_time, total - SMOOTHER_DEGREE - 1);
  out.tests_space = least(out.tests_space, nodes / 2), out.tests_time = least(out.tests_time, shortest / 2);
  return out;
}

void hei_close(Hei *hei) {
  hei_weak_close(hei);
  for (int w = 0; w < 2; w++) free(hei->lost[w]);
  hei_cache_close(&hei->cache);
  for (int k = 0; k < hei->nfeatures; k++) free((char *)hei->feature[k].key), free((double *)hei->feature[k].linear);
  for (int w = 0; w < 2; w++) hei_smooth_close(&hei->smooth[w]);
  for (int d = 0; d < 3; d++) hei_axis_close(&hei->axis[d]);
  free(hei->feature);
  free(hei);
}

int hei_feature(Hei *hei, const HeiFeature *feature) {
  for (int k = 0; k < hei->nfeatures; k++)
    if (!strcmp(hei->feature[k].key, feature->key)) return k;
  hei->feature = realloc(hei->feature, sizeof *hei->feature * (hei->nfeatures + 1));
  HeiFeature *copy = &hei->feature[hei->nfeatures];
  *copy = *feature;
  copy->key = strdup(feature->key);
  if (feature->linear) copy->linear = memcpy(malloc(sizeof(double) * HEI_JETS), feature->linear, sizeof(double) * HEI_JETS);
  return hei->nfeatures++;
}

static bool well_formed(const Hei *hei, const HeiPart *part, int n, int order) {
  for (int k = 0; k < n; k++)
    if (part[k].dx < 0 || part[k].dx > order || part[k].dy < 0 || part[k].dy > order || part[k].feature <= HEI_RATE || part[k].feature >= hei->nfeatures ||
        !isfinite(part[k].factor)) return false;
  return true;
}

HeiOutcome hei_resolve(Hei *hei, const HeiCandidate *candidate, HeiLaw *law) {
  *law = (HeiLaw){.known = -1};
  if (candidate->nfields < 0 || candidate->nfields > HEI_MAX_FIELDS || !well_formed(hei, candidate->known, candidate->nknown, 0)) return HEI_ILL_FORMED;
  for (int k = 0; k < candidate->nfields; k++) {
    const HeiField *field = &candidate->field[k];
    if (field->nparts < 1 || field->domain > (HEI_X | HEI_Y) || !well_formed(hei, field->part, field->nparts, 2)) return HEI_ILL_FORMED;
    law->term[k] = hei_term(hei, field->domain, field->part, field->nparts);
  }
  law->nfields = candidate->nfields;
  if (candidate->nknown) law->known = hei_term(hei, 0, candidate->known, candidate->nknown);
  return HEI_OK;
}

/* With the fourth interval, the sides as they were found without it, and the same features. */
Hei *hei_open_sealed(const Hei *hei, const HeiData *data, int end, HeiOutcome *outcome) {
  HeiData whole = *data;
  for (int d = 0; d < 2; d++) whole.side[d] = hei->prepared[0].side[d];
  Hei *sealed = open_until(&whole, end, &hei->options, outcome);
  for (int k = HEI_RATE + 1; sealed && k < hei->nfeatures; k++) hei_feature(sealed, &hei->feature[k]);
  return sealed;
}

HeiOutcome hei_score_sealed(Hei *hei, const HeiData *data, int end, int n, const HeiCandidate *candidate, const HeiResult *result, HeiSealedScore *out) {
  HeiOutcome outcome;
  for (int k = 0; k < n; k++) out[k] = (HeiSealedScore){HEI_GRID, NAN, {NAN, NAN}, NAN};
  if (end <= data->start[HEI_INTERVALS]) return HEI_GRID;
  Hei *sealed = hei_open_sealed(hei, data, end, &outcome);
  if (!sealed) return outcome;
  for (int k = 0; k < n; k++) {
    HeiLaw law;
    if (!(out[k].outcome = hei_resolve(sealed, &candidate[k], &law))) {
      int place = hei_cache_enter(&sealed->cache);
      out[k].outcome = hei_score(sealed, &law, HEI_SEALED, result[k].coefficients, &out[k].error, out[k].direction, &out[k].standard_error);
      hei_cache_leave(&sealed->cache, place, sealed->options.budget);
    }
  }
  hei_close(sealed);
  return HEI_OK;
}

void hei_result_free(HeiResult *result) { free(result->coefficients[0]), free(result->coefficients[1]); }

void hei_field_values(const Hei *hei, unsigned domain, const double *coefficients, double *values) {
  const HeiWeakAxis *x = &hei->weak[0], *y = &hei->weak[1];
  int in_x = !!(domain & HEI_X), in_y = y->n > 1 && domain & HEI_Y, p = x->nfield[in_x], q = y->nfield[in_y];
  double *lines = malloc(sizeof(double) * x->n * q);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, x->n, q, p, 1, x->field[in_x], p, coefficients, q, 0, lines, q);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, x->n, y->n, q, 1, lines, q, y->field[in_y], q, 0, values, y->n);
  free(lines);
}

void hei_prepared(const Hei *hei, int trajectory, HeiPrepared *out) { *out = hei->prepared[trajectory]; }
void hei_noise(const Hei *hei, int trajectory, double *sigma, int *modes) { *sigma = hei->smooth[trajectory].sigma, *modes = hei->smooth[trajectory].modes; }
