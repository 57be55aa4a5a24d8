/* The evaluator of laws with unknown fields: against another implementation on the same data, exact on data that a law generates exactly, the same bits in
 * any company. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/hei.h"
#include "../../numerics/hei_internal.h"
#include "../../numerics/hei_spline.h"

/* ---- the measured data and candidates ---------------------------------------------------------------------------------------------------------------------- */

enum { N = 24, SNAPSHOTS = 36, QUARTER = 12, VALUES = N * N * SNAPSHOTS, CANDIDATES = 8 };
static double measured[2][VALUES], times[SNAPSHOTS];
static const HeiData data = {N, N, {0, 1}, {0, 1}, {0, QUARTER, 2 * QUARTER, 3 * QUARTER}, times, {measured[0], measured[1]}, SNAPSHOTS, {HEI_SIDE_UNKNOWN, HEI_SIDE_UNKNOWN}};
static const HeiOptions scores = {14, 10, 1.02, 9, 3, 5, true, 0, 1}, fields = {14, 10, 1.02, 9, 3, 5, false, 0, 1};

static int read_measured(void **state) {
  for (int w = 0; w < 2; w++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/data/hei_%c.i16", TEST_SRCDIR, "ab"[w]);
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    for (int k = 0; k < VALUES; k++) {
      int low = fgetc(file), high = fgetc(file);
      measured[w][k] = (int16_t)(low | high << 8) / 4096.;
    }
    fclose(file);
  }
  for (int k = 0; k < SNAPSHOTS; k++) times[k] = k / 47.;
  return 0;
}

static void values_cube(void *user, const double *const *jet, long n, double *out) {
  for (long i = 0; i < n; i++) out[i] = jet[0][i] * jet[0][i] * jet[0][i];
}
static void values_tanh(void *user, const double *const *jet, long n, double *out) {
  for (long i = 0; i < n; i++) out[i] = tanh(jet[0][i]);
}
static void values_log(void *user, const double *const *jet, long n, double *out) {
  for (long i = 0; i < n; i++) out[i] = log(jet[0][i]);
}
static void values_zero(void *user, const double *const *jet, long n, double *out) { memset(out, 0, sizeof(double) * n); }
static void values_laplace(void *user, const double *const *jet, long n, double *out) {
  for (long i = 0; i < n; i++) out[i] = jet[hei_jet(2, 0)][i] + jet[hei_jet(0, 2)][i];
}

static int linear(Hei *hei, const char *key, int i, int j, int k, int l) {
  double jets[HEI_JETS] = {0};
  jets[hei_jet(i, j)] = 1, jets[hei_jet(k, l)] = 1;
  return hei_feature(hei, &(HeiFeature){.key = key, .linear = jets});
}

/* The laws of `expected`, with their features numbered by an evaluator. */
typedef struct Laws { HeiPart lap, x, y, u, xx, cube, tanh, minus, div[3], of_x[2], wrapped[5]; HeiField field[CANDIDATES][3]; HeiCandidate law[CANDIDATES]; } Laws;

static void laws_open(Laws *laws, Hei *hei, bool reverse) {
  int lap, u, x, y, xx;
  if (reverse) y = linear(hei, "uy", 0, 1, 0, 1), x = linear(hei, "ux", 1, 0, 1, 0);
  lap = linear(hei, "uxx+uyy", 2, 0, 0, 2), u = linear(hei, "u", 0, 0, 0, 0), x = linear(hei, "ux", 1, 0, 1, 0), y = linear(hei, "uy", 0, 1, 0, 1);
  xx = linear(hei, "uxx", 2, 0, 2, 0);
  laws->lap = (HeiPart){0, 0, 1, lap}, laws->u = (HeiPart){0, 0, 1, u}, laws->x = (HeiPart){0, 0, 1, x}, laws->y = (HeiPart){0, 0, 1, y}, laws->xx = (HeiPart){0, 0, 1, xx};
  laws->cube = (HeiPart){0, 0, 1, hei_feature(hei, &(HeiFeature){.key = "u^3", .jets = 1, .values = values_cube})};
  laws->tanh = (HeiPart){0, 0, 1, hei_feature(hei, &(HeiFeature){.key = "tanh(u)", .jets = 1, .values = values_tanh})};
  laws->minus = (HeiPart){0, 0, -2, u};
  memcpy(laws->div, (HeiPart[]){{0, 0, 1, lap}, {0, 1, 1, y}, {1, 0, 1, x}}, sizeof laws->div);
  memcpy(laws->of_x, (HeiPart[]){{0, 0, 1, lap}, {1, 0, 1, x}}, sizeof laws->of_x);
  memcpy(laws->wrapped, (HeiPart[]){{0, 0, 1, lap}, {0, 1, 2, y}, {0, 2, 1, u}, {1, 0, 2, x}, {2, 0, 1, u}}, sizeof laws->wrapped);
  HeiField field[CANDIDATES][3] = {{{3, &laws->u, 1}, {3, laws->div, 3}},    {{3, &laws->y, 1}, {3, &laws->lap, 1}, {3, &laws->x, 1}}, {{HEI_X, laws->of_x, 2}, {HEI_Y, &laws->u, 1}},
                                   {{3, &laws->cube, 1}, {3, &laws->xx, 1}}, {{3, &laws->tanh, 1}, {3, &laws->lap, 1}},                {{3, laws->div, 3}},
                                   {{3, laws->wrapped, 5}},                  {{0}}};
  static const int count[CANDIDATES] = {2, 3, 2, 2, 2, 1, 1, 0};
  memcpy(laws->field, field, sizeof field);
  for (int k = 0; k < CANDIDATES; k++) laws->law[k] = (HeiCandidate){laws->field[k], count[k], k == 5 ? &laws->minus : NULL, k == 5};
}

static Hei *open_measured(const HeiOptions *options, Laws *laws, bool reverse) {
  HeiOutcome outcome;
  Hei *hei = hei_open(&data, options, &outcome);
  assert_int_equal(outcome, HEI_OK);
  laws_open(laws, hei, reverse);
  return hei;
}

/* ---- tests ------------------------------------------------------------------------------------------------------------------------------------------------- */

/* Sums to one; derivatives are those of differences; a penalty of order m annihilates coefficients of degree below m and nothing more. */
static void test_spline(void **state) {
  double x[5] = {0, 0.21, 0.5, 0.77, 1}, value[5 * 11], above[5 * 11], below[5 * 11], derivative[5 * 11], penalty[81];
  for (int degree = 3; degree <= 5; degree += 2)
    for (int order = 0; order <= 3; order++) {
      double h = 1e-5, left[5], right[5];
      for (int i = 0; i < 5; i++) left[i] = fmin(fmax(x[i], 0.1), 0.9) - h, right[i] = left[i] + 2 * h, value[i] = left[i] + h;
      hei_spline(6, degree, order + 1, 0, 1, 5, memcpy((double[5]){0}, value, sizeof x), derivative);
      hei_spline(6, degree, order, 0, 1, 5, left, below), hei_spline(6, degree, order, 0, 1, 5, right, above);
      for (int k = 0; order + 1 < degree && k < 5 * (6 + degree); k++)
        if (fabs(remainder(left[k / (6 + degree)] + h, 1. / 6)) > 2 * h) assert_true(fabs((above[k] - below[k]) / (2 * h) - derivative[k]) < 1e-5 * pow(6, order + 2));
      hei_spline(6, degree, 0, 0, 1, 5, x, value);
      for (int i = 0; i < 5; i++) {
        double sum = 0;
        for (int k = 0; k < 6 + degree; k++) sum += value[i * (6 + degree) + k];
        assert_true(fabs(sum - 1) < 1e-14);
      }
    }
  for (int order = 1; order <= 4; order++) {
    hei_penalty(9, order, penalty);
    for (int power = 0; power <= order; power++) {
      double form = 0;
      for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) form += pow(i, power) * penalty[i * 9 + j] * pow(j, power);
      double factorial = tgamma(order + 1.);
      assert_true(fabs(form - (power < order ? 0 : (9 - order) * factorial * factorial)) < 1e-6);
    }
  }
}

/* A row of div(C grad u), summed node by node from the derivatives of the smoothed trajectory. */
static void test_rows(void **state) {
  Laws laws;
  Hei *hei = open_measured(&scores, &laws, false);
  const HeiWeakAxis *x = &hei->weak[0], *y = &hei->weak[1];
  int term = hei_term(hei, 3, laws.div, 3), nc = hei->axis[2].nbasis, q = x->nfield[1];
  const double *rows = hei_rows(hei, term, 1, 1);
  double *slices = hei_slices(&hei->smooth[1], QUARTER, hei->axis[2].u[0] + QUARTER * nc), *work = malloc(sizeof(double) * N * hei->axis[1].nbasis), g[3][N * N], phi[3][N * 8], nodes[N];
  for (int i = 0; i < N; i++) nodes[i] = i / (N - 1.);
  for (int k = 0; k < 2; k++) hei_spline(scores.field, 3, k, 0, 1, N, nodes, phi[k]);
  for (int k = 0; k < 12; k++) {
    int tau = k % hei->ntime, i = (2 * k) % x->ntests, j = (3 * k + 1) % y->ntests, p = (5 * k + 2) % q, r = (7 * k + 3) % q, row = hei->place[(tau * x->ntests + i) * y->ntests + j];
    double sum = 0, size = 0;
    for (int t = 0; t < QUARTER; t++) {
      hei_slice(&hei->smooth[1], slices, t, 2, 0, work, g[0]), hei_slice(&hei->smooth[1], slices, t, 0, 2, work, g[1]);
      for (int n = 0; n < N * N; n++) g[0][n] += g[1][n];
      hei_slice(&hei->smooth[1], slices, t, 1, 0, work, g[1]), hei_slice(&hei->smooth[1], slices, t, 0, 1, work, g[2]);
      for (int n = 0; n < N * N; n++) {
        int a = n / N, b = n % N;
        double test = hei->theta[1][tau * QUARTER + t] * x->test[i * N + a] * y->test[j * N + b];
        double value = phi[0][a * q + p] * phi[0][b * q + r] * g[0][n] + phi[1][a * q + p] * phi[0][b * q + r] * g[1][n] + phi[0][a * q + p] * phi[1][b * q + r] * g[2][n];
        sum += test * value, size += fabs(test * value);
      }
    }
    assert_true(fabs(rows[row * q * q + p * q + r] - hei->weight[1][1][row] * sum) <= 1e-12 * hei->weight[1][1][row] * (size + 1));
  }
  free(slices), free(work);
  hei_close(hei);
}

/* Directions of both options, from the other implementation (tests/data/hei.txt). */
static void test_reference(void **state) {
  static const double expected[2][CANDIDATES][2] = {
      {{0.04184611952563, 0.05643665124682}, {0.507751744496, 0.8694774385913}, {0.2043049668161, 0.1857917711014}, {0.6802781985975, 0.7081345546593},
       {0.1071411225493, 0.2674219462432}, {0.4297786949545, 0.5126534137005}, {0.5603498501389, 0.5018876500227}, {1, 1}},
      {{0.05175524859062, 0.06772691948179}, {0.4972418884619, 0.8976946383644}, {0.2316121437768, 0.1871633043431}, {0.8130024319726, 0.7012309780826},
       {0.09607014430837, 0.2568203227963}, {0.4348823811877, 0.5125929265165}, {0.5617221803459, 0.5041989061768}, {1, 1}},
  };
  for (int k = 0; k < 2; k++) {
    Laws laws;
    HeiResult result[CANDIDATES];
    Hei *hei = open_measured(k ? &fields : &scores, &laws, false);
    int modes;
    double sigma;
    hei_noise(hei, 0, &sigma, &modes);
    assert_int_equal(modes, 6);
    hei_evaluate(hei, CANDIDATES, laws.law, result);
    for (int i = 0; i < CANDIDATES; i++) {
      assert_int_equal(result[i].outcome, HEI_OK);
      for (int w = 0; w < 2; w++) {
        if (fabs(result[i].direction[w] / expected[k][i][w] - 1) > 1e-6) print_error("law %d, direction %d: %.12g, expected %.12g\n", i, w, result[i].direction[w], expected[k][i][w]);
        assert_true(fabs(result[i].direction[w] / expected[k][i][w] - 1) <= 1e-6);
      }
      hei_result_free(&result[i]);
    }
    assert_true(result[CANDIDATES - 1].error == 1);           /* u_t = 0, by definition */
    assert_true(result[0].error < 0.5 * result[4].error);     /* the law that made the data is the best one */
    for (int i = 1; i < CANDIDATES; i++) assert_true(result[0].error < result[i].error);
    hei_close(hei);
  }
}

/* Pooled fields of the first two laws, at node (5, 17), and what is known of their quality, from the same implementation as above. */
static void test_pooled(void **state) {
  static const struct { double condition, freedom[3], value[3], difference[3]; } expected[2][2] = {
      {{5259.960942, {35.517830198, 35.596675741}, {-0.53625547825, 0.0071088025295}, {0.33289259468, 0.10776732702}},
       {157.79279617, {11.940494382, 23.593066576, 9.1989252474}, {0.0092180820037, 0.0099737779467, 0.050760317032}, {2.6904893661, 0.46406486779, 1.4096967943}}},
      {{1570.1259874, {28.324806946, 37.526406321}, {-0.51819592339, 0.0071916379581}, {0.1768098277, 0.10116169311}},
       {109.6403088, {13.712096868, 16.239092591, 14.423275512}, {0.030812643106, 0.011458884764, 0.057295517915}, {2.9798701719, 0.43848860071, 1.3215616515}}}};
  for (int o = 0; o < 2; o++) {
    Laws laws;
    Hei *hei = open_measured(o ? &fields : &scores, &laws, false);
    for (int i = 0; i < 2; i++) {
      HeiResult result;
      HeiPooled pooled;
      double values[N * N];
      hei_evaluate(hei, 1, &laws.law[i], &result);
      assert_int_equal(hei_pool(hei, &laws.law[i], &result, &pooled), HEI_OK);
      assert_true(fabs(pooled.condition / expected[o][i].condition - 1) < 1e-4);
      for (int k = 0; k < result.nfields; k++) {
        hei_field_values(hei, 3, pooled.coefficients + result.first[k], values);
        assert_true(fabs(pooled.freedom[k] / expected[o][i].freedom[k] - 1) < 1e-6);
        assert_true(fabs(values[5 * N + 17] / expected[o][i].value[k] - 1) < 1e-5);
        assert_true(fabs(result.difference[k] / expected[o][i].difference[k] - 1) < 1e-5);
      }
      free(pooled.coefficients), hei_result_free(&result);
    }
    hei_close(hei);
  }
}

/* A linear feature may as well be given by its values. */
static void test_linear(void **state) {
  Laws laws;
  HeiResult result[2];
  Hei *hei = open_measured(&scores, &laws, false);
  HeiPart lap = {0, 0, 1, hei_feature(hei, &(HeiFeature){.key = "lap, by values", .jets = 1u << hei_jet(2, 0) | 1u << hei_jet(0, 2), .values = values_laplace})};
  HeiField one[] = {{3, &laws.u, 1}, {3, &laws.lap, 1}}, two[] = {{3, &laws.u, 1}, {3, &lap, 1}};
  hei_evaluate(hei, 2, (HeiCandidate[]){{one, 2, NULL, 0}, {two, 2, NULL, 0}}, result);
  assert_true(result[0].error > 0.01 && fabs(result[0].error / result[1].error - 1) < 1e-9);
  for (int k = 0; k < 2; k++) hei_result_free(&result[k]);
  hei_close(hei);
}

static void same_bits(const HeiResult *a, const HeiResult *b) {
  assert_int_equal(a->outcome, b->outcome);
  assert_memory_equal(a->direction, b->direction, sizeof a->direction);
  assert_memory_equal(&a->error, &b->error, sizeof a->error);
  assert_memory_equal(a->smoothness, b->smoothness, sizeof a->smoothness);
  assert_memory_equal(a->difference, b->difference, sizeof a->difference);
  for (int w = 0; w < 2; w++)
    if (a->first[a->nfields]) assert_memory_equal(a->coefficients[w], b->coefficients[w], sizeof(double) * a->first[a->nfields]);
}

/* Alone, in a batch, a second time, in another order with features known in another order, and with a cache that holds next to nothing. */
static void test_bits(void **state) {
  Laws laws;
  HeiResult batch[CANDIDATES], again[CANDIDATES], alone;
  Hei *hei = open_measured(&scores, &laws, false);
  hei_evaluate(hei, CANDIDATES, laws.law, batch), hei_evaluate(hei, CANDIDATES, laws.law, again);
  for (int k = 0; k < CANDIDATES; k++) same_bits(&batch[k], &again[k]), hei_result_free(&again[k]);
  hei_close(hei);
  HeiOptions small = scores;
  small.budget = 1 << 16;
  hei = open_measured(&small, &laws, true);
  for (int k = CANDIDATES - 1; k >= 0; k--) {
    hei_evaluate(hei, 1, &laws.law[k], &alone);
    assert_true(hei->cache.bytes <= small.budget);
    same_bits(&batch[k], &alone);
    hei_result_free(&alone);
  }
  hei_close(hei);
  for (int k = 0; k < CANDIDATES; k++) {
    hei = open_measured(&scores, &laws, k % 2);
    hei_evaluate(hei, 1, &laws.law[k], &alone);
    same_bits(&batch[k], &alone);
    hei_result_free(&alone), hei_result_free(&batch[k]);
    hei_close(hei);
  }
}

/* u_t = C u_xy with C = 1 + x + y, and u_t = C u_xx with C = 1 + x: u = p + t C Dp + t^2/2 C D(C Dp) ends there, so smoother and fields represent it. */
static double exact(int ny, int w, double x, double y, double t) {
  double c = 1 + x + y, b = 1 + x;
  if (ny == 1) return w ? x * x / 2 + t * b : x * x * x / 6 + x * x / 2 + t * b * b + t * t * b;
  return w ? x * y + t * c : x * x * y / 2 + x * y * y / 2 + t * c * (x + y) + t * t * c;
}

static void recover(int n, int ny, bool even) {
  double *u[2], t[SNAPSHOTS], values[N * N];
  for (int k = 0; k < SNAPSHOTS; k++) t[k] = even ? k / 35. : pow(k / 35., 1.3);
  for (int w = 0; w < 2; w++) {
    u[w] = malloc(sizeof(double) * n * ny * SNAPSHOTS);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < ny; j++)
        for (int k = 0; k < SNAPSHOTS; k++) u[w][(i * ny + j) * SNAPSHOTS + k] = exact(ny, w, 2. * i / (n - 1), ny > 1 ? j / (ny - 1.) : 0, t[k]);
  }
  HeiData noiseless = {n, ny, {0, 2}, {0, 1}, {0, 10, 22, SNAPSHOTS}, t, {u[0], u[1]}, SNAPSHOTS, {HEI_SIDE_FREE, HEI_SIDE_FREE}};
  HeiOutcome outcome;
  HeiResult result[2];
  Hei *hei = hei_open(&noiseless, &scores, &outcome);
  assert_int_equal(outcome, HEI_OK);
  HeiPart part = {0, 0, 1, ny > 1 ? linear(hei, "uxy", 1, 1, 1, 1) : linear(hei, "uxx", 2, 0, 2, 0)};
  HeiField field = {HEI_X | HEI_Y, &part, 1}, constant = {0, &part, 1};
  hei_evaluate(hei, 2, (HeiCandidate[]){{&field, 1, NULL, 0}, {&constant, 1, NULL, 0}}, result);
  assert_int_equal(result[0].outcome, HEI_OK);
  assert_true(result[0].error < 5e-6 && result[1].error > 0.1);     /* the smoother is regularised by 1e-10 of the squares */
  assert_int_equal(result[1].first[1], 1);
  for (int w = 0; w < 2; w++) {
    hei_field_values(hei, HEI_X | HEI_Y, result[0].coefficients[w], values);
    for (int k = 0; k < n * ny; k++) assert_true(fabs(values[k] - (1 + 2. * (k / ny) / (n - 1) + (ny > 1 ? k % ny / (ny - 1.) : 0))) < 2e-4);
  }
  assert_true(result[0].difference[0] < 1e-5);
  for (int k = 0; k < 2; k++) hei_result_free(&result[k]), free(u[k]);
  hei_close(hei);
}

static void test_exact(void **state) {
  recover(N, 1, true);
  recover(N, 1, false);              /* times that are not evenly spaced */
  recover(N, N - 2, true);
  recover(N, N - 2, false);
}

/* ---- what is refused --------------------------------------------------------------------------------------------------------------------------------------- */

static HeiOutcome opened(HeiData changed, HeiOptions options) {
  HeiOutcome outcome;
  Hei *hei = hei_open(&changed, &options, &outcome);
  assert_int_equal(!hei, outcome != HEI_OK);
  if (hei) hei_close(hei);
  return outcome;
}

static void test_refused_data(void **state) {
  HeiData changed = data;
  double other[SNAPSHOTS], *broken = malloc(sizeof measured[0]);
  assert_int_equal(opened(changed, hei_for_scores), HEI_GRID);             /* 24 nodes are too few for 24 knot intervals */
  memcpy(other, times, sizeof other), other[7] = other[6];
  changed.t = other;
  assert_int_equal(opened(changed, scores), HEI_GRID);
  changed = data, changed.start[1] = 2;
  assert_int_equal(opened(changed, scores), HEI_GRID);
  memcpy(broken, measured[1], sizeof measured[1]), broken[VALUES - 1] = INFINITY;
  changed = data, changed.u[1] = broken;
  assert_int_equal(opened(changed, scores), HEI_DATA);
  for (int k = 0; k < VALUES; k++) broken[k] = k % 5 < 3 ? NAN : measured[1][k];
  assert_int_equal(opened(changed, scores), HEI_MISSING);
  free(broken);
}

static void test_refused_candidates(void **state) {
  Laws laws;
  HeiResult result[6];
  Hei *hei = open_measured(&scores, &laws, false);
  HeiPart zero = {0, 0, 1, hei_feature(hei, &(HeiFeature){.key = "0", .jets = 1, .values = values_zero})}, third = {3, 0, 1, laws.u.feature}, rate = {0, 0, 1, HEI_RATE};
  HeiPart log = {0, 0, 1, hei_feature(hei, &(HeiFeature){.key = "log(u)", .jets = 1, .values = values_log})}, unknown = {0, 0, 1, 99};
  HeiField vanishing[] = {{3, &laws.u, 1}, {3, &zero, 1}}, undefined = {3, &log, 1}, high = {3, &third, 1}, missing = {3, &unknown, 1}, circular = {3, &rate, 1};
  HeiCandidate candidate[] = {{vanishing, 2, NULL, 0}, {&undefined, 1, NULL, 0}, {NULL, 0, &log, 1}, {&high, 1, NULL, 0}, {&missing, 1, NULL, 0}, {&circular, 1, NULL, 0}};
  static const HeiOutcome expected[] = {HEI_VANISHES, HEI_NOT_FINITE, HEI_NOT_FINITE, HEI_ILL_FORMED, HEI_ILL_FORMED, HEI_ILL_FORMED};
  hei_evaluate(hei, 6, candidate, result);
  for (int k = 0; k < 6; k++) {
    assert_int_equal(result[k].outcome, expected[k]);
    assert_true(isnan(result[k].error) && *hei_outcome_text(result[k].outcome));
    hei_result_free(&result[k]);
  }
  assert_int_equal(result[0].at, 1);
  hei_close(hei);
  double *still = malloc(sizeof measured[0]);
  for (int k = 0; k < VALUES; k++) still[k] = 0;
  HeiData changed = data;
  HeiOutcome outcome;
  changed.u[1] = still;
  hei = hei_open(&changed, &scores, &outcome);
  assert_int_equal(outcome, HEI_OK);
  laws_open(&laws, hei, false);
  hei_evaluate(hei, 1, laws.law, result);
  assert_int_equal(result[0].outcome, HEI_CONSTANT);
  hei_result_free(result);
  hei_close(hei), free(still);
}

int main(void) {
  const struct CMUnitTest all[] = {
      cmocka_unit_test(test_spline), cmocka_unit_test(test_rows), cmocka_unit_test(test_reference), cmocka_unit_test(test_pooled), cmocka_unit_test(test_linear), cmocka_unit_test(test_bits),
      cmocka_unit_test(test_exact), cmocka_unit_test(test_refused_data), cmocka_unit_test(test_refused_candidates),
  };
  return cmocka_run_group_tests(all, read_measured, NULL);
}
