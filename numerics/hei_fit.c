/* Penalised least squares on normal equations, one system for each trajectory and each of the intervals 1 and 2. */
#include "hei_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_lapack.h"

enum { DECADES = 11, SWEEPS = 2 };
static const double FLOOR = 1e-9;    /* of the diagonal: coefficients that no row sees */

/* Rows G, right side b: N = G'G and h = G'b over all rows (fitting) and over inner rows (judging); |b|^2 and |u_t|^2 over inner rows. */
typedef struct System { double *all, *inner, *h_all, *h_inner, square, null; } System;

typedef struct Fit {
  Hei *hei;
  int nfields, n, first[HEI_MAX_FIELDS + 1];
  const int *term;
  int known;
  System system[2][HEI_INTERVALS];   /* trajectory, interval; the third one is for pooled fields alone */
  double *matrix, *solution, *work;  /* [n]^2, [n], [n] */
} Fit;

/* ---- normal equations -------------------------------------------------------------------------------------------------------------------------------------- */

/* Gram block of fields i, j into the matrices, on either side of the diagonal. */
static void put_block(Fit *fit, System *system, int i, int j, int trajectory, int interval) {
  bool transposed;
  const double *all = hei_gram(fit->hei, fit->term[i], fit->term[j], trajectory, interval, &transposed);
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
static void put_right(Fit *fit, System *system, int right, double factor, int trajectory, int interval) {
  bool transposed;
  for (int i = 0; i < fit->nfields; i++) {
    int m = fit->first[i + 1] - fit->first[i];
    const double *block = hei_gram(fit->hei, fit->term[i], right, trajectory, interval, &transposed);
    cblas_daxpy(m, factor, block, 1, system->h_all + fit->first[i], 1);
    cblas_daxpy(m, factor, block + m, 1, system->h_inner + fit->first[i], 1);
  }
}

static double inner_product(Fit *fit, int a, int b, int trajectory, int interval) {
  bool transposed;
  return hei_gram(fit->hei, a, b, trajectory, interval, &transposed)[1];
}

static HeiOutcome system_open(Fit *fit, int trajectory, int interval, int *at) {
  System *system = &fit->system[trajectory][interval];
  size_t n = fit->n;
  *system = (System){calloc(n * n, sizeof(double)), calloc(n * n, sizeof(double)), calloc(n, sizeof(double)), calloc(n, sizeof(double)), 0, 0};
  for (int i = 0; i < fit->nfields; i++)
    for (int j = i; j < fit->nfields; j++) put_block(fit, system, i, j, trajectory, interval);
  put_right(fit, system, HEI_RATE, 1, trajectory, interval);
  system->null = system->square = inner_product(fit, HEI_RATE, HEI_RATE, trajectory, interval);
  if (fit->known >= 0) {
    put_right(fit, system, fit->known, -1, trajectory, interval);
    system->square += inner_product(fit, fit->known, fit->known, trajectory, interval) - 2 * inner_product(fit, HEI_RATE, fit->known, trajectory, interval);
  }
  if (!(system->null > 0)) return HEI_CONSTANT;
  if (!isfinite(system->square)) return HEI_NOT_FINITE;
  for (int k = 0; k < fit->nfields; k++) {
    double trace = 0;
    for (int i = fit->first[k]; i < fit->first[k + 1]; i++) trace += system->all[i * n + i];
    *at = k;
    if (!isfinite(trace)) return HEI_NOT_FINITE;
    if (!(trace > 0)) return HEI_VANISHES;
  }
  return HEI_OK;
}

/* ---- a fit and its error ----------------------------------------------------------------------------------------------------------------------------------- */

/* fit->matrix = N + scale_k (smoothness_k P_k + floor), scale_k the mean diagonal of field k's block of `scaled`, times `factor`; the upper
 * triangle alone, which is LAPACK's lower one. */
static void penalise(Fit *fit, const double *normal, const double *scaled, double factor, const double *smoothness) {
  int n = fit->n;
  for (size_t i = 0; i < (size_t)n; i++) memcpy(fit->matrix + i * n + i, normal + i * n + i, sizeof(double) * (n - i));
  for (int k = 0; k < fit->nfields; k++) {
    int first = fit->first[k], m = fit->first[k + 1] - first;
    const double *penalty = fit->hei->penalty[fit->hei->term[fit->term[k]].domain];
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

/* fit->solution; leaves the Cholesky factor in fit->matrix. */
static bool solve(Fit *fit, const double *normal, const double *right, const double *scaled, double factor, const double *smoothness) {
  int n = fit->n, one = 1, info = 0;
  penalise(fit, normal, scaled, factor, smoothness);
  memcpy(fit->solution, right, sizeof(double) * n);
  dpotrf_("L", &n, fit->matrix, &n, &info);
  if (info) return false;
  dpotrs_("L", &n, &one, fit->matrix, &n, fit->solution, &n, &info);
  return true;
}

/* Of fit->solution on inner rows, relative to u_t = 0. */
static double mean_square(Fit *fit, const System *system) {
  int n = fit->n;
  cblas_dsymv(CblasRowMajor, CblasUpper, n, 1, system->inner, n, fit->solution, 1, 0, fit->work, 1);
  double sum = system->square - 2 * cblas_ddot(n, system->h_inner, 1, fit->solution, 1) + cblas_ddot(n, fit->solution, 1, fit->work, 1);
  return fmax(sum, 0) / system->null;
}

/* ---- smoothness -------------------------------------------------------------------------------------------------------------------------------------------- */

/* What has been tried for a trajectory. Smoothness of a field is 10^(quarter/4), so that what is met again is known. */
typedef struct Try { int quarter[HEI_MAX_FIELDS]; } Try;
typedef struct Search { Try best; double error; Try tried[DECADES + 4 + 2 * SWEEPS * HEI_MAX_FIELDS]; int ntried; } Search;

static double decade(int quarter) { return pow(10, quarter / 4.); }

/* Fitted on one interval of trajectory w and judged on the other one of both trajectories; mean over the two ways. INFINITY when it is above `best`. */
static double judge(Fit *fit, int w, const Try *try, double best) {
  double sum = 0, smoothness[HEI_MAX_FIELDS];
  for (int k = 0; k < fit->nfields; k++) smoothness[k] = decade(try->quarter[k]);
  for (int interval = 0; interval < 2; interval++) {
    const System *system = &fit->system[w][interval];
    if (sum / 2 > best || !solve(fit, system->all, system->h_all, system->all, 1, smoothness)) return INFINITY;
    sum += (mean_square(fit, &fit->system[w][1 - interval]) + mean_square(fit, &fit->system[1 - w][1 - interval])) / 2;
  }
  return sum / 2;
}

/* Takes `try` when its error is below `share` of the best one. */
static bool attempt(Fit *fit, int w, Search *search, const Try *try, double share) {
  for (int k = 0; k < search->ntried; k++)
    if (!memcmp(&search->tried[k], try, sizeof *try)) return false;
  search->tried[search->ntried++] = *try;
  double error = judge(fit, w, try, search->error);
  if (!(error < search->error * share)) return false;
  search->error = error, search->best = *try;
  return true;
}

static Try common(const Fit *fit, int quarter) {
  Try try = {{0}};
  for (int k = 0; k < fit->nfields; k++) try.quarter[k] = quarter;
  return try;
}

/* 10^-7 .. 10^3, likely ones first, since the bad ones are then known as such half way. */
static void scan(Fit *fit, int w, Search *search) {
  static const int decades[DECADES] = {-1, 0, -2, 1, -3, 2, -4, 3, -5, -6, -7};
  for (int k = 0; k < DECADES; k++) {
    Try try = common(fit, 4 * decades[k]);
    attempt(fit, w, search, &try, 1);
  }
}

static void refine_common(Fit *fit, int w, Search *search) {
  static const int steps[] = {-2, 2, -1, 1};
  for (int k = 0; k < 4; k++) {
    Try try = common(fit, search->best.quarter[0] + steps[k]);
    attempt(fit, w, search, &try, 1);
  }
}

/* Moves of a decade, field by field, in the order of the fields. */
static void refine_each(Fit *fit, int w, Search *search) {
  bool changed = true;
  for (int sweep = 0; sweep < SWEEPS && changed; sweep++) {
    changed = false;
    for (int k = 0; k < fit->nfields; k++)
      for (int step = -4; step <= 4; step += 8) {
        Try try = search->best;
        try.quarter[k] += step;
        if (try.quarter[k] > 4 * -9 && try.quarter[k] < 4 * 6) changed |= attempt(fit, w, search, &try, 1 - 1e-4);
      }
  }
}

static HeiOutcome choose(Fit *fit, int w, double *smoothness) {
  Search search = {.error = INFINITY};
  scan(fit, w, &search);
  if (!isfinite(search.error)) return HEI_SINGULAR;
  if (!fit->hei->options.each) refine_common(fit, w, &search);
  else if (fit->nfields > 1) refine_each(fit, w, &search);
  for (int k = 0; k < fit->nfields; k++) smoothness[k] = decade(search.best.quarter[k]);
  return HEI_OK;
}

/* ---- a candidate ------------------------------------------------------------------------------------------------------------------------------------------- */

/* Coefficients from intervals 1 and 2 of trajectory w together. */
static HeiOutcome refit(Fit *fit, int w, const double *smoothness, double *coefficients) {
  size_t n = fit->n;
  const System *one = &fit->system[w][0], *two = &fit->system[w][1];
  double *normal = malloc(sizeof(double) * n * n), *right = malloc(sizeof(double) * n);
  for (size_t k = 0; k < n * n; k++) normal[k] = one->all[k] + two->all[k];
  for (size_t k = 0; k < n; k++) right[k] = one->h_all[k] + two->h_all[k];
  bool solved = solve(fit, normal, right, one->all, 2, smoothness);
  memcpy(coefficients, fit->solution, sizeof(double) * n);
  free(normal), free(right);
  return solved ? HEI_OK : HEI_SINGULAR;
}

/* Relative residual on interval 3 of trajectory w, from the rows themselves. */
static double score(Fit *fit, int w, const double *coefficients) {
  Hei *hei = fit->hei;
  int rows = hei->ninner, last = HEI_INTERVALS - 1;
  const double *rate = hei_rows(hei, HEI_RATE, w, last);
  double *rest = memcpy(malloc(sizeof(double) * rows), rate, sizeof(double) * rows), null = cblas_ddot(rows, rate, 1, rate, 1);
  if (fit->known >= 0) cblas_daxpy(rows, -1, hei_rows(hei, fit->known, w, last), 1, rest, 1);
  for (int k = 0; k < fit->nfields; k++) {
    int m = fit->first[k + 1] - fit->first[k];
    cblas_dgemv(CblasRowMajor, CblasNoTrans, rows, m, -1, hei_rows(hei, fit->term[k], w, last), m, coefficients + fit->first[k], 1, 1, rest, 1);
  }
  double error = sqrt(cblas_ddot(rows, rest, 1, rest, 1) / null);
  free(rest);
  return error;
}

/* How far the fields of the two fits are apart. */
static void compare_fields(Fit *fit, HeiResult *result) {
  int n = fit->hei->axis[0].n * fit->hei->axis[1].n;
  double *a = malloc(sizeof(double) * n), *b = malloc(sizeof(double) * n);
  for (int k = 0; k < fit->nfields; k++) {
    unsigned domain = fit->hei->term[fit->term[k]].domain;
    hei_field_values(fit->hei, domain, result->coefficients[0] + fit->first[k], a);
    hei_field_values(fit->hei, domain, result->coefficients[1] + fit->first[k], b);
    double apart = 0, mean = 0;
    for (int i = 0; i < n; i++) apart += (a[i] - b[i]) * (a[i] - b[i]), mean += (a[i] + b[i]) * (a[i] + b[i]) / 4;
    result->difference[k] = mean > 0 ? sqrt(apart / mean) : 0;
  }
  free(a), free(b);
}

static HeiOutcome run(Fit *fit, HeiResult *result) {
  for (int w = 0; w < 2; w++)
    for (int interval = 0; interval < 2; interval++) {
      HeiOutcome outcome = system_open(fit, w, interval, &result->at);
      if (outcome) return outcome;
    }
  for (int w = 0; w < 2; w++) {
    result->coefficients[w] = calloc(fit->n, sizeof(double));
    if (!fit->n) continue;
    HeiOutcome outcome = choose(fit, w, result->smoothness[w]);
    if (!outcome) outcome = refit(fit, w, result->smoothness[w], result->coefficients[w]);
    if (outcome) return outcome;
  }
  for (int w = 0; w < 2; w++) result->direction[w] = score(fit, 1 - w, result->coefficients[w]);
  result->error = sqrt((result->direction[0] * result->direction[0] + result->direction[1] * result->direction[1]) / 2);
  if (!isfinite(result->error)) return HEI_NOT_FINITE;
  compare_fields(fit, result);
  return HEI_OK;
}

static void fit_open(Fit *fit, Hei *hei, int nfields, const int *term, int known) {
  *fit = (Fit){.hei = hei, .nfields = nfields, .term = term, .known = known};
  for (int k = 0; k < nfields; k++) fit->first[k + 1] = fit->n += hei->term[term[k]].n;
  size_t n = fit->n;
  fit->matrix = malloc(sizeof(double) * n * n), fit->solution = malloc(sizeof(double) * n), fit->work = malloc(sizeof(double) * n);
}

static void fit_close(Fit *fit) {
  for (int w = 0; w < 2; w++)
    for (int interval = 0; interval < HEI_INTERVALS; interval++) {
      System *system = &fit->system[w][interval];
      free(system->all), free(system->inner), free(system->h_all), free(system->h_inner);
    }
  free(fit->matrix), free(fit->solution), free(fit->work);
}

HeiOutcome hei_fit(Hei *hei, int nfields, const int *term, int known, HeiResult *result) {
  Fit fit;
  fit_open(&fit, hei, nfields, term, known);
  result->nfields = nfields;
  memcpy(result->first, fit.first, sizeof fit.first);
  HeiOutcome outcome = run(&fit, result);
  fit_close(&fit);
  return outcome;
}

/* ---- pooled fields ----------------------------------------------------------------------------------------------------------------------------------------- */

/* Largest over smallest eigenvalue of fit->matrix scaled to a unit diagonal, which it overwrites. */
static double condition(Fit *fit) {
  int n = fit->n, info = 0, lwork = 64 * n + 64;
  double *work = malloc(sizeof(double) * lwork), *a = fit->matrix;
  for (int i = 0; i < n; i++) fit->work[i] = 1 / sqrt(a[(size_t)i * n + i]);
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) a[(size_t)i * n + j] *= fit->work[i] * fit->work[j];
  dsyev_("N", "L", &n, a, &n, fit->work, work, &lwork, &info);
  free(work);
  return info ? NAN : fit->work[n - 1] / fit->work[0];
}

/* Effective degrees of freedom tr(A^-1 N), by fields; fit->matrix has the Cholesky factor of A. Overwrites normal. */
static void freedom(Fit *fit, double *normal, double *out) {
  int n = fit->n, info = 0;
  dpotrs_("L", &n, &n, fit->matrix, &n, normal, &n, &info);
  for (int k = 0; k < fit->nfields; k++) {
    out[k] = 0;
    for (int i = fit->first[k]; i < fit->first[k + 1]; i++) out[k] += normal[(size_t)i * n + i];
  }
}

HeiOutcome hei_pool_terms(Hei *hei, int nfields, const int *term, int known, const HeiResult *result, HeiPooled *out) {
  Fit fit;
  fit_open(&fit, hei, nfields, term, known);
  size_t n = fit.n;
  double *normal = calloc(n * n, sizeof(double)), *right = calloc(n, sizeof(double));
  HeiOutcome outcome = HEI_OK;
  for (int w = 0; w < 2 && !outcome; w++)
    for (int interval = 0; interval < HEI_INTERVALS && !outcome; interval++) {
      int at;
      if ((outcome = system_open(&fit, w, interval, &at))) break;
      cblas_daxpy((int)(n * n), 1, fit.system[w][interval].all, 1, normal, 1);
      cblas_daxpy((int)n, 1, fit.system[w][interval].h_all, 1, right, 1);
    }
  for (int k = 0; k < nfields; k++) out->smoothness[k] = sqrt(result->smoothness[0][k] * result->smoothness[1][k]);
  if (!outcome && n) {
    penalise(&fit, normal, normal, 1, out->smoothness);
    out->condition = condition(&fit);
    if (!solve(&fit, normal, right, normal, 1, out->smoothness)) outcome = HEI_SINGULAR;
  }
  if (!outcome && n) {
    out->coefficients = memcpy(malloc(sizeof(double) * n), fit.solution, sizeof(double) * n);
    freedom(&fit, normal, out->freedom);
  }
  free(normal), free(right);
  fit_close(&fit);
  return outcome;
}
