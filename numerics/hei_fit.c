/* Penalised least squares on normal equations, one system for each trajectory and each of the intervals 1 and 2. */
#include "hei_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_lapack.h"

enum { DECADES = 11, SWEEPS = 2 };
static const double FLOOR = 1e-9;    /* of the diagonal: coefficients that no row sees */

/* ---- normal equations -------------------------------------------------------------------------------------------------------------------------------------- */

/* Gram block of fields i, j into the matrices, on either side of the diagonal. */
static void put_block(HeiFit *fit, HeiSystem *system, int i, int j, int trajectory, int interval) {
  bool transposed;
  const double *all = hei_gram(fit->hei, fit->law->term[i], fit->law->term[j], trajectory, interval, &transposed);
  int m = fit->first[i + 1] - fit->first[i], n = fit->first[j + 1] - fit->first[j];
  const double *inner = all + (size_t)m * n;
  for (int a = 0; a < m; a++)
    for (int b = 0; b < n; b++) {
      size_t from = transposed ? (size_t)b * m + a : (size_t)a * n + b;
      size_t to = (size_t)(fit->first[i] + a) * fit->n + fit->first[j] + b, mirror = (size_t)(fit->first[j] + b) * fit->n + fit->first[i] + a;
      system->all[to] = system->all[mirror] = all[from];
      system->inner[to] = system->inner[mirror] = inner[from];
    }
}

/* h += factor * G'r with r the rows of a term of one column. */
static void put_right(HeiFit *fit, HeiSystem *system, int right, double factor, int trajectory, int interval) {
  bool transposed;
  for (int i = 0; i < fit->law->nfields; i++) {
    int m = fit->first[i + 1] - fit->first[i];
    const double *block = hei_gram(fit->hei, fit->law->term[i], right, trajectory, interval, &transposed);
    cblas_daxpy(m, factor, block, 1, system->h_all + fit->first[i], 1);
    cblas_daxpy(m, factor, block + m, 1, system->h_inner + fit->first[i], 1);
  }
}

static double inner_product(HeiFit *fit, int a, int b, int trajectory, int interval) {
  bool transposed;
  return hei_gram(fit->hei, a, b, trajectory, interval, &transposed)[1];
}

HeiOutcome hei_system_open(HeiFit *fit, int trajectory, int interval, int *at) {
  HeiSystem *system = &fit->system[trajectory][interval];
  size_t n = fit->n;
  *system = (HeiSystem){calloc(n * n, sizeof(double)), calloc(n * n, sizeof(double)), calloc(n, sizeof(double)), calloc(n, sizeof(double)), 0, 0};
  for (int i = 0; i < fit->law->nfields; i++)
    for (int j = i; j < fit->law->nfields; j++) put_block(fit, system, i, j, trajectory, interval);
  put_right(fit, system, HEI_RATE, 1, trajectory, interval);
  system->null = system->square = inner_product(fit, HEI_RATE, HEI_RATE, trajectory, interval);
  if (fit->law->known >= 0) {
    put_right(fit, system, fit->law->known, -1, trajectory, interval);
    system->square += inner_product(fit, fit->law->known, fit->law->known, trajectory, interval) - 2 * inner_product(fit, HEI_RATE, fit->law->known, trajectory, interval);
  }
  if (!(system->null > 0)) return HEI_CONSTANT;
  if (!isfinite(system->square)) return HEI_NOT_FINITE;
  for (int k = 0; k < fit->law->nfields; k++) {
    double trace = 0;
    for (int i = fit->first[k]; i < fit->first[k + 1]; i++) trace += system->all[i * n + i];
    *at = k;
    if (!isfinite(trace)) return HEI_NOT_FINITE;
    if (!(trace > 0)) return HEI_VANISHES;
  }
  return HEI_OK;
}

/* ---- a fit and its error ----------------------------------------------------------------------------------------------------------------------------------- */

void hei_penalise(HeiFit *fit, const double *normal, const double *scaled, double factor, const double *smoothness) {
  int n = fit->n;
  for (size_t i = 0; i < (size_t)n; i++) memcpy(fit->matrix + i * n + i, normal + i * n + i, sizeof(double) * (n - i));
  for (int k = 0; k < fit->law->nfields; k++) {
    int first = fit->first[k], m = fit->first[k + 1] - first;
    const double *penalty = fit->hei->penalty[fit->hei->term[fit->law->term[k]].domain];
    double scale = 0;
    for (int i = 0; i < m; i++) scale += scaled[(size_t)(first + i) * n + first + i];
    scale *= factor / m;
    for (int i = 0; i < m; i++) {
      double *row = fit->matrix + (size_t)(first + i) * n + first + i;
      if (penalty) cblas_daxpy(m - i, scale * smoothness[k], penalty + (size_t)i * m + i, 1, row, 1);
      *row += scale * FLOOR;
    }
  }
}

bool hei_solve(HeiFit *fit, const double *normal, const double *right, const double *scaled, double factor, const double *smoothness) {
  int n = fit->n, one = 1, info = 0;
  hei_penalise(fit, normal, scaled, factor, smoothness);
  memcpy(fit->solution, right, sizeof(double) * n);
  dpotrf_("L", &n, fit->matrix, &n, &info);
  if (info) return false;
  dpotrs_("L", &n, &one, fit->matrix, &n, fit->solution, &n, &info);
  return true;
}

/* |b - G c|^2 of fit->solution on inner rows. */
static double square_of(HeiFit *fit, const double *normal, const double *right, double square) {
  int n = fit->n;
  cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, normal, n, fit->solution, 1, 0, fit->work, 1);
  return fmax(square - 2 * cblas_ddot(n, right, 1, fit->solution, 1) + cblas_ddot(n, fit->solution, 1, fit->work, 1), 0);
}

/* An interval of both trajectories as one judge, each relative to u_t = 0. */
static void judge_open(HeiFit *fit, int interval) {
  HeiJudge *judge = &fit->judge[interval];
  size_t n = fit->n;
  *judge = (HeiJudge){calloc(n * n, sizeof(double)), calloc(n, sizeof(double)), 0};
  for (int w = 0; w < 2; w++) {
    const HeiSystem *system = &fit->system[w][interval];
    for (size_t i = 0; i < n; i++) cblas_daxpy((int)(n - i), 1 / system->null, system->inner + i * n + i, 1, judge->inner + i * n + i, 1);
    cblas_daxpy((int)n, 1 / system->null, system->h_inner, 1, judge->h_inner, 1);
    judge->square += system->square / system->null;
  }
}

/* ---- smoothness -------------------------------------------------------------------------------------------------------------------------------------------- */

/* What has been tried for a trajectory. Smoothness of a field is 10^(quarter/4), so that what is met again is known. */
typedef struct Try { int quarter[HEI_MAX_FIELDS]; } Try;
typedef struct Search { Try best; double error; Try tried[DECADES + 4 + 2 * SWEEPS * HEI_MAX_FIELDS]; int ntried; } Search;

static double decade(int quarter) { return pow(10, quarter / 4.); }

/* Fitted on one interval of trajectory w and judged on the other one of both trajectories; mean over the two ways. INFINITY when it is above `best`. */
static double try_out(HeiFit *fit, int w, const Try *try, double best) {
  double sum = 0, smoothness[HEI_MAX_FIELDS];
  for (int k = 0; k < fit->law->nfields; k++) smoothness[k] = decade(try->quarter[k]);
  for (int interval = 0; interval < 2; interval++) {
    const HeiSystem *system = &fit->system[w][interval];
    const HeiJudge *judge = &fit->judge[1 - interval];
    if (sum / 2 > best || !hei_solve(fit, system->all, system->h_all, system->all, 1, smoothness)) return INFINITY;
    sum += square_of(fit, judge->inner, judge->h_inner, judge->square) / 2;
  }
  return sum / 2;
}

/* Takes `try` when its error is below `share` of the best one. */
static bool attempt(HeiFit *fit, int w, Search *search, const Try *try, double share) {
  for (int k = 0; k < search->ntried; k++)
    if (!memcmp(&search->tried[k], try, sizeof *try)) return false;
  search->tried[search->ntried++] = *try;
  double error = try_out(fit, w, try, search->error);
  if (!(error < search->error * share)) return false;
  search->error = error, search->best = *try;
  return true;
}

static Try common(const HeiFit *fit, int quarter) {
  Try try = {{0}};
  for (int k = 0; k < fit->law->nfields; k++) try.quarter[k] = quarter;
  return try;
}

/* 10^-7 .. 10^3, likely ones first, since the bad ones are then known as such half way. There may be several valleys, so none is left out. */
static void scan(HeiFit *fit, int w, Search *search) {
  static const int decades[DECADES] = {-1, 0, -2, 1, -3, 2, -4, 3, -5, -6, -7};
  for (int k = 0; k < DECADES; k++) {
    Try try = common(fit, 4 * decades[k]);
    attempt(fit, w, search, &try, 1);
  }
}

static void refine_common(HeiFit *fit, int w, Search *search) {
  static const int steps[] = {-2, 2, -1, 1};
  for (int k = 0; k < 4; k++) {
    Try try = common(fit, search->best.quarter[0] + steps[k]);
    attempt(fit, w, search, &try, 1);
  }
}

/* Moves of a decade, field by field, in the order of the fields. */
static void refine_each(HeiFit *fit, int w, Search *search) {
  bool changed = true;
  for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
    changed = false;
    for (int k = 0; k < fit->law->nfields; k++)
      for (int step = -4; step <= 4; step += 8) {
        Try try = search->best;
        try.quarter[k] += step;
        if (try.quarter[k] > 4 * -9 && try.quarter[k] < 4 * 6) changed |= attempt(fit, w, search, &try, 1 - 1e-4);
      }
  }
}

static HeiOutcome choose(HeiFit *fit, int w, double *smoothness) {
  Search search = {.error = INFINITY};
  scan(fit, w, &search);
  if (!isfinite(search.error)) return HEI_SINGULAR;
  if (!fit->hei->options.each) refine_common(fit, w, &search);
  else if (fit->law->nfields > 1) refine_each(fit, w, &search);
  for (int k = 0; k < fit->law->nfields; k++) smoothness[k] = decade(search.best.quarter[k]);
  return HEI_OK;
}

/* ---- a candidate ------------------------------------------------------------------------------------------------------------------------------------------- */

/* How well the coefficients are told, 0 .. 1: size^2/(size^2 + variance) with their variances from the inverse of the penalised matrix, whose Cholesky factor
 * is in fit->matrix, and from the residuals. */
static void inform(HeiFit *fit, int w, const double *coefficients, double *information) {
  int n = fit->n, info = 0;
  const HeiSystem *one = &fit->system[w][0], *two = &fit->system[w][1];
  double variance = (square_of(fit, one->inner, one->h_inner, one->square) + square_of(fit, two->inner, two->h_inner, two->square)) / (2 * fit->hei->ninner);
  dpotri_("L", &n, fit->matrix, &n, &info);
  for (int k = 0; k < fit->law->nfields; k++) {
    int m = fit->first[k + 1] - fit->first[k];
    double size = cblas_ddot(m, coefficients + fit->first[k], 1, coefficients + fit->first[k], 1) / m;
    for (int i = fit->first[k]; i < fit->first[k + 1]; i++) information[i] = size / (size + variance * fit->matrix[(size_t)i * n + i]);
  }
}

/* Coefficients from intervals 1 and 2 of trajectory w together. */
static HeiOutcome refit(HeiFit *fit, int w, const double *smoothness, double *coefficients, double *information) {
  size_t n = fit->n;
  const HeiSystem *one = &fit->system[w][0], *two = &fit->system[w][1];
  double *normal = malloc(sizeof(double) * n * n), *right = malloc(sizeof(double) * n);
  for (size_t k = 0; k < n * n; k++) normal[k] = one->all[k] + two->all[k];
  for (size_t k = 0; k < n; k++) right[k] = one->h_all[k] + two->h_all[k];
  bool solved = hei_solve(fit, normal, right, one->all, 2, smoothness);
  memcpy(coefficients, fit->solution, sizeof(double) * n);
  if (solved) inform(fit, w, coefficients, information);
  free(normal), free(right);
  return solved ? HEI_OK : HEI_SINGULAR;
}

/* How far the fields of the two fits are apart, over all nodes and where both are told. */
static void compare_fields(HeiFit *fit, double *const information[2], HeiResult *result) {
  int n = fit->hei->axis[0].n * fit->hei->axis[1].n;
  double *value[2], *told[2];
  for (int w = 0; w < 2; w++) value[w] = malloc(sizeof(double) * n), told[w] = malloc(sizeof(double) * n);
  for (int k = 0; k < fit->law->nfields; k++) {
    unsigned domain = fit->hei->term[fit->law->term[k]].domain;
    for (int w = 0; w < 2; w++) {
      hei_field_values(fit->hei, domain, result->coefficients[w] + fit->first[k], value[w]);
      hei_field_values(fit->hei, domain, information[w] + fit->first[k], told[w]);
    }
    double apart[2] = {0, 0}, mean[2] = {0, 0};
    for (int i = 0; i < n; i++) {
      double difference = value[0][i] - value[1][i], middle = (value[0][i] + value[1][i]) / 2, weight = told[0][i] * told[1][i];
      apart[0] += difference * difference, apart[1] += weight * difference * difference;
      mean[0] += middle * middle, mean[1] += weight * middle * middle;
    }
    result->difference[k] = mean[0] > 0 ? sqrt(apart[0] / mean[0]) : 0;
    result->stability[k] = mean[1] > 0 ? sqrt(apart[1] / mean[1]) : 0;
  }
  for (int w = 0; w < 2; w++) free(value[w]), free(told[w]);
}

static HeiOutcome run(HeiFit *fit, double *const information[2], HeiResult *result) {
  for (int w = 0; w < 2; w++)
    for (int interval = 0; interval < 2; interval++) {
      HeiOutcome outcome = hei_system_open(fit, w, interval, &result->at);
      if (outcome) return outcome;
    }
  for (int interval = 0; interval < 2; interval++) judge_open(fit, interval);
  for (int w = 0; w < 2; w++) {
    result->coefficients[w] = calloc(fit->n, sizeof(double));
    if (!fit->n) continue;
    HeiOutcome outcome = choose(fit, w, result->smoothness[w]);
    if (!outcome) outcome = refit(fit, w, result->smoothness[w], result->coefficients[w], information[w]);
    if (outcome) return outcome;
  }
  HeiOutcome outcome = hei_score(fit->hei, fit->law, HEI_INTERVALS - 1, result->coefficients, &result->error, result->direction, &result->standard_error);
  if (!outcome) compare_fields(fit, information, result);
  return outcome;
}

void hei_fit_open(HeiFit *fit, Hei *hei, const HeiLaw *law) {
  *fit = (HeiFit){.hei = hei, .law = law};
  for (int k = 0; k < law->nfields; k++) fit->first[k + 1] = fit->n += hei->term[law->term[k]].n;
  size_t n = fit->n;
  fit->matrix = malloc(sizeof(double) * n * n), fit->solution = malloc(sizeof(double) * n), fit->work = malloc(sizeof(double) * n);
}

void hei_fit_close(HeiFit *fit) {
  for (int w = 0; w < 2; w++)
    for (int interval = 0; interval < HEI_INTERVALS; interval++) {
      HeiSystem *system = &fit->system[w][interval];
      free(system->all), free(system->inner), free(system->h_all), free(system->h_inner);
    }
  for (int k = 0; k < 2; k++) free(fit->judge[k].inner), free(fit->judge[k].h_inner);
  free(fit->matrix), free(fit->solution), free(fit->work);
}

HeiOutcome hei_fit(Hei *hei, const HeiLaw *law, HeiResult *result) {
  HeiFit fit;
  hei_fit_open(&fit, hei, law);
  result->nfields = law->nfields;
  memcpy(result->first, fit.first, sizeof fit.first);
  double *information[2] = {malloc(sizeof(double) * fit.n), malloc(sizeof(double) * fit.n)};
  HeiOutcome outcome = run(&fit, information, result);
  free(information[0]), free(information[1]);
  hei_fit_close(&fit);
  return outcome;
}
