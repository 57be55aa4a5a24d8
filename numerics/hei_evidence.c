/* The fields that are reported, from both trajectories and all three intervals, and what is known of them: how sure they are, where the excitations tell
 * them, and how much of the score is noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_fit.h"
#include "hei_lapack.h"

enum { BLOCK = 3, NOISES = 4 };
/* Information that tells a value; expected relative error and difference of the two fits from which on a field is not believed; a score this many times
 * above the noise ceiling, and above what smooth fields leave of jumps, is not explained. */
static const double REVEALED = 0.9, UNCERTAIN = 0.5, UNSTABLE = 0.8, NEAR_CEILING = 5, SMALL = 0.2;

/* Pooled normal equations. */
typedef struct Pool { HeiFit fit; double *normal, *right; } Pool;

static HeiOutcome pool_open(Pool *pool, Hei *hei, const HeiLaw *law) {
  hei_fit_open(&pool->fit, hei, law);
  size_t n = pool->fit.n;
  pool->normal = calloc(n * n, sizeof(double)), pool->right = calloc(n, sizeof(double));
  for (int w = 0; w < 2; w++)
    for (int interval = 0; interval < HEI_INTERVALS; interval++) {
      int at;
      HeiOutcome outcome = hei_system_open(&pool->fit, w, interval, &at);
      if (outcome) return outcome;
      cblas_daxpy((int)(n * n), 1, pool->fit.system[w][interval].all, 1, pool->normal, 1);
      cblas_daxpy((int)n, 1, pool->fit.system[w][interval].h_all, 1, pool->right, 1);
    }
  return HEI_OK;
}

static void pool_close(Pool *pool) { hei_fit_close(&pool->fit), free(pool->normal), free(pool->right); }

/* Largest over smallest eigenvalue of fit->matrix scaled to a unit diagonal, which it overwrites. */
static double condition(HeiFit *fit) {
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
static void freedom(HeiFit *fit, double *normal, double *out) {
  int n = fit->n, info = 0;
  dpotrs_("L", &n, &n, fit->matrix, &n, normal, &n, &info);
  for (int k = 0; k < fit->law->nfields; k++) {
    out[k] = 0;
    for (int i = fit->first[k]; i < fit->first[k + 1]; i++) out[k] += normal[(size_t)i * n + i];
  }
}

/* Leaves the Cholesky factor in fit.matrix. */
static HeiOutcome pool_solve(Pool *pool, const HeiResult *result, HeiPooled *out) {
  HeiFit *fit = &pool->fit;
  size_t n = fit->n;
  for (int k = 0; k < fit->law->nfields; k++) out->smoothness[k] = sqrt(result->smoothness[0][k] * result->smoothness[1][k]);
  if (!n) return HEI_OK;
  hei_penalise(fit, pool->normal, pool->normal, 1, out->smoothness);
  out->condition = condition(fit);
  if (!hei_solve(fit, pool->normal, pool->right, pool->normal, 1, out->smoothness)) return HEI_SINGULAR;
  out->coefficients = memcpy(malloc(sizeof(double) * n), fit->solution, sizeof(double) * n);
  freedom(fit, pool->normal, out->freedom);
  return HEI_OK;
}

HeiOutcome hei_pool(Hei *hei, const HeiCandidate *candidate, const HeiResult *result, HeiPooled *out) {
  HeiLaw law;
  Pool pool;
  *out = (HeiPooled){0};
  HeiOutcome outcome = hei_resolve(hei, candidate, &law);
  if (outcome) return outcome;
  int place = hei_cache_enter(&hei->cache);
  outcome = pool_open(&pool, hei, &law);
  if (!outcome) outcome = pool_solve(&pool, result, out);
  pool_close(&pool);
  hei_cache_leave(&hei->cache, place, hei->options.budget);
  return outcome;
}

/* ---- variance ---------------------------------------------------------------------------------------------------------------------------------------------- */

/* out[tests][n] += G'r of the rows of each test in space, summed over time. */
static void by_tests(HeiFit *fit, int trajectory, int interval, const double *residual, double *out) {
  Hei *hei = fit->hei;
  int tests = hei->weak[0].ntests * hei->weak[1].ntests, n = fit->n;
  for (int f = 0; f < fit->law->nfields; f++) {
    int first = fit->first[f], m = fit->first[f + 1] - first;
    const double *rows = hei_rows(hei, fit->law->term[f], trajectory, interval);
    for (int k = 0; k < hei->nrows; k++) cblas_daxpy(m, residual[hei->place[k]], rows + (size_t)hei->place[k] * m, 1, out + (size_t)(k % tests) * n + first, 1);
  }
}

/* out[tests][n]: sums over the block of tests that starts at each test, around at the ends, divided by the square root of how many blocks a test is in. */
static void by_blocks(const Hei *hei, int n, const double *tests, double *out) {
  int mx = hei->weak[0].ntests, my = hei->weak[1].ntests, bx = mx < BLOCK ? mx : BLOCK, by = my < BLOCK ? my : BLOCK;
  memset(out, 0, sizeof(double) * mx * my * n);
  for (int i = 0; i < mx; i++)
    for (int j = 0; j < my; j++)
      for (int a = 0; a < bx; a++)
        for (int b = 0; b < by; b++)
          cblas_daxpy(n, 1 / sqrt(bx * by), tests + (size_t)((i + a) % mx * my + (j + b) % my) * n, 1, out + (size_t)(i * my + j) * n, 1);
}

/* Variance of a row, by fields: what makes tr(A^-1 N) of noise that is white in the rows equal to that of the residuals' blocks, which is what a wild
 * bootstrap over the blocks converges to. Rows overlap and the fields' smoothness errs too, so it is not that of the residuals. */
static void dispersion(HeiFit *fit, const double *coefficients, const double *freedom, double *out) {
  Hei *hei = fit->hei;
  int tests = hei->weak[0].ntests * hei->weak[1].ntests, n = fit->n, info = 0;
  double *residual = malloc(sizeof(double) * hei->nrows), *single = malloc(sizeof(double) * tests * n), *block = malloc(sizeof(double) * tests * n);
  for (int k = 0; k < fit->law->nfields; k++) out[k] = 0;
  for (int w = 0; w < 2; w++) {
    memset(single, 0, sizeof(double) * tests * n);
    for (int interval = 0; interval < HEI_INTERVALS; interval++) {       /* one block over all time: the noise in the modes that are kept lasts as long */
      hei_residual(hei, fit->law, coefficients, w, interval, hei->nrows, residual);
      by_tests(fit, w, interval, residual, single);
    }
    by_blocks(hei, n, single, block);
    memcpy(single, block, sizeof(double) * tests * n);
    dpotrs_("L", &n, &tests, fit->matrix, &n, single, &n, &info);
    for (int k = 0; k < fit->law->nfields; k++)
      for (int b = 0; b < tests; b++) {
        size_t at = (size_t)b * n + fit->first[k];
        out[k] += cblas_ddot(fit->first[k + 1] - fit->first[k], block + at, 1, single + at, 1) / freedom[k];
      }
  }
  free(residual), free(single), free(block);
}

/* The functions of a field on an axis that are not zero at a node: few. */
static void support(const double *basis, int n, int *first, int *last) {
  for (*first = 0; *first < n - 1 && basis[*first] == 0;) ++*first;
  for (*last = n; *last > *first + 1 && basis[*last - 1] == 0;) --*last;
}

/* out[nx][ny]: standard deviation of field k for rows of variance 1; fit->matrix is the inverse of A in the triangle of LAPACK. */
static void deviate(const HeiFit *fit, int k, double *out) {
  const Hei *hei = fit->hei;
  const HeiWeakAxis *x = &hei->weak[0], *y = &hei->weak[1];
  unsigned domain = hei->term[fit->law->term[k]].domain;
  int in_x = !!(domain & HEI_X), in_y = y->n > 1 && domain & HEI_Y, p = x->nfield[in_x], q = y->nfield[in_y], n = fit->n, start = fit->first[k];
  for (int i = 0; i < x->n; i++)
    for (int j = 0; j < y->n; j++) {
      const double *u = x->field[in_x] + (size_t)i * p, *v = y->field[in_y] + (size_t)j * q;
      int a0, a1, b0, b1;
      support(u, p, &a0, &a1), support(v, q, &b0, &b1);
      double sum = 0;
      for (int a = a0; a < a1; a++)
        for (int b = b0; b < b1; b++)
          for (int c = a0; c < a1; c++)
            for (int d = b0; d < b1; d++) {
              int row = start + a * q + b, column = start + c * q + d;
              sum += u[a] * v[b] * u[c] * v[d] * fit->matrix[row < column ? (size_t)row * n + column : (size_t)column * n + row];
            }
      out[i * y->n + j] = sqrt(fmax(sum, 0));
    }
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------------------------------ */

/* Pearson's r of a and b, weighed. */
static double correlate(int n, const double *weight, const double *a, const double *b) {
  double w = 0, ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
  for (int i = 0; i < n; i++) w += weight[i], ma += weight[i] * a[i], mb += weight[i] * b[i];
  ma /= w, mb /= w;
  for (int i = 0; i < n; i++) aa += weight[i] * (a[i] - ma) * (a[i] - ma), bb += weight[i] * (b[i] - mb) * (b[i] - mb), ab += weight[i] * (a[i] - ma) * (b[i] - mb);
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

static void describe(const HeiFit *fit, int k, const HeiResult *result, const HeiPooled *pooled, double variance, HeiFieldEvidence *out) {
  const Hei *hei = fit->hei;
  int n = hei->axis[0].n * hei->axis[1].n;
  unsigned domain = hei->term[fit->law->term[k]].domain;
  double *a = malloc(sizeof(double) * n), *b = malloc(sizeof(double) * n), square = 0, uncertain = 0, revealed = 0, apart = 0;
  *out = (HeiFieldEvidence){.value = malloc(sizeof(double) * n), .deviation = malloc(sizeof(double) * n), .information = malloc(sizeof(double) * n)};
  hei_field_values(hei, domain, pooled->coefficients + fit->first[k], out->value);
  hei_field_values(hei, domain, result->coefficients[0] + fit->first[k], a), hei_field_values(hei, domain, result->coefficients[1] + fit->first[k], b);
  deviate(fit, k, out->deviation);
  for (int i = 0; i < n; i++) apart += pow((a[i] - b[i]) / out->deviation[i], 2) / (4 * n);
  cblas_dscal(n, sqrt(fmax(variance, apart)), out->deviation, 1);
  for (int i = 0; i < n; i++) square += out->value[i] * out->value[i] / n, uncertain += out->deviation[i] * out->deviation[i] / n;
  for (int i = 0; i < n; i++) {
    out->information[i] = square > 0 ? square / (square + out->deviation[i] * out->deviation[i]) : 0;
    revealed += (double)(out->information[i] > REVEALED) / n;
  }
  out->smoothness = pooled->smoothness[k], out->freedom = pooled->freedom[k], out->stability = result->stability[k];
  out->correlation = correlate(n, out->information, a, b);
  out->uncertainty = square > 0 ? sqrt(uncertain / square) : INFINITY, out->revealed = revealed;
  out->identifiable = out->uncertainty < UNCERTAIN && out->stability < UNSTABLE;
  free(a), free(b);
}

/* ---- noise ceiling ----------------------------------------------------------------------------------------------------------------------------------------- */

/* Noise as the smoother lets it through, in its coefficients: white in space and in the modes that are kept. */
static double *noise(const HeiSmooth *smooth, uint64_t *state) {
  int na = smooth->x->nbasis, nb = smooth->y->nbasis, nc = smooth->t->nbasis, modes = smooth->noise ? smooth->modes : nc;
  double *white = malloc(sizeof(double) * na * nb * modes), *out = white;
  for (int k = 0; k < na * nb * modes; k++) white[k] = smooth->sigma * sqrt(-2 * log(hei_uniform(state))) * cos(2 * M_PI * hei_uniform(state));
  if (smooth->noise) {
    out = malloc(sizeof(double) * na * nb * nc);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, na * nb, nc, modes, 1, white, modes, smooth->noise, nc, 0, out, nc);
    free(white);
  }
  for (int a = 0, k = 0; a < na; a++)
    for (int b = 0; b < nb; b++)
      for (int c = 0; c < nc; c++, k++) out[k] *= hei_filter(smooth, a, b, c);
  return out;
}

/* The residual that noise makes on interval 3 of trajectory 1 - w: that of the smoothed data with as much noise once more, less that without. */
static double ceiling(const Hei *hei, const HeiLaw *law, const double *coefficients, int w) {
  int last = HEI_INTERVALS - 1, rows = hei->ninner, size = hei->axis[0].nbasis * hei->axis[1].nbasis * hei->axis[2].nbasis;
  double *before = malloc(sizeof(double) * rows), *after = malloc(sizeof(double) * rows), sum = 0, null = 0;
  uint64_t state = (uint64_t)w;
  for (int k = 0; k <= NOISES; k++) {
    Hei noisy = *hei;
    HeiSmooth *smooth = &noisy.smooth[1 - w];
    double *z = k ? noise(smooth, &state) : calloc(size, sizeof(double));
    cblas_daxpy(size, 1, smooth->z, 1, z, 1);
    smooth->z = z, noisy.cache = (HeiCache){0};
    hei_cache_open(&noisy.cache);
    hei_residual(&noisy, law, coefficients, 1 - w, last, rows, k ? after : before);
    if (!k) null = cblas_ddot(rows, hei_rows(&noisy, HEI_RATE, 1 - w, last), 1, hei_rows(&noisy, HEI_RATE, 1 - w, last), 1);
    else {
      cblas_daxpy(rows, -1, before, 1, after, 1);
      sum += cblas_ddot(rows, after, 1, after, 1) / NOISES;
    }
    hei_cache_close(&noisy.cache);
    free(z);
  }
  free(before), free(after);
  return sqrt(sum / null);
}

/* ---- all of it --------------------------------------------------------------------------------------------------------------------------------------------- */

static HeiOutcome gather(Pool *pool, const HeiResult *result, HeiEvidence *out) {
  HeiFit *fit = &pool->fit;
  int n = fit->n, info = 0;
  double variance[HEI_MAX_FIELDS];
  HeiOutcome outcome = pool_solve(pool, result, &out->pooled);
  if (outcome) return outcome;
  if (n) {
    dispersion(fit, out->pooled.coefficients, out->pooled.freedom, variance);
    dpotri_("L", &n, fit->matrix, &n, &info);
    for (int k = 0; k < fit->law->nfields; k++) describe(fit, k, result, &out->pooled, variance[k], &out->field[out->nfields++]);
  }
  for (int w = 0; w < 2; w++) out->ceiling[w] = ceiling(fit->hei, fit->law, result->coefficients[w], w);
  out->noise_ceiling = sqrt((out->ceiling[0] * out->ceiling[0] + out->ceiling[1] * out->ceiling[1]) / 2);
  out->explained = result->error < fmax(NEAR_CEILING * out->noise_ceiling, SMALL);
  return HEI_OK;
}

HeiOutcome hei_evidence(Hei *hei, const HeiCandidate *candidate, const HeiResult *result, HeiEvidence *out) {
  HeiLaw law;
  Pool pool;
  *out = (HeiEvidence){0};
  HeiOutcome outcome = hei_resolve(hei, candidate, &law);
  if (outcome) return outcome;
  int place = hei_cache_enter(&hei->cache);
  outcome = pool_open(&pool, hei, &law);
  if (!outcome) outcome = gather(&pool, result, out);
  pool_close(&pool);
  hei_cache_leave(&hei->cache, place, hei->options.budget);
  return outcome;
}

void hei_evidence_free(HeiEvidence *evidence) {
  free(evidence->pooled.coefficients);
  for (int k = 0; k < evidence->nfields; k++) free(evidence->field[k].value), free(evidence->field[k].deviation), free(evidence->field[k].information);
}
