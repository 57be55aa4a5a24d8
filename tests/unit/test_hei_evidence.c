/* What the evaluator says of its answers, on trajectories of u_t = div(C grad u) that are simulated here with a known C: bands against the truth over many
 * noises, sides found, holes filled, fields not revealed, laws not explained, the sealed interval, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/hei.h"

enum { N = 32, NT = 48, QUARTER = 12, FINE = 2, MODES = 10 };
static const HeiOptions options = {16, 10, 1.02, 10, 3, 6, false, 0, 1};

/* ---- data -------------------------------------------------------------------------------------------------------------------------------------------------- */

static uint64_t state;
static double uniform(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u, z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}
static double gauss(void) {
  double size = sqrt(-2 * log(uniform()));
  return size * cos(2 * M_PI * uniform());
}

static double coefficient(double x, double y) { return 0.01 * (1 + 0.5 * sin(2 * M_PI * x) * cos(2 * M_PI * y)); }

typedef struct Waves { double size[MODES], kx[MODES], ky[MODES], phase[MODES], speed[MODES]; HeiSide side; } Waves;

static double wave(const Waves *waves, double x, double y, double t) {
  double sum = 0;
  for (int m = 0; m < MODES; m++) {
    double kx = waves->kx[m], ky = waves->ky[m];
    sum += waves->size[m] * (waves->side == HEI_SIDE_ZERO_FLUX ? cos(M_PI * round(kx) * x) * cos(M_PI * round(ky) * y)
                             : waves->side == HEI_SIDE_PERIODIC ? cos(2 * M_PI * (round(kx / 2) * x + round(ky / 2) * y) + waves->phase[m])
                                                                : cos(4 * kx * x + 4 * ky * y + waves->phase[m]) * cos(waves->speed[m] * t));
  }
  return sum;
}

/* A node of the fine grid from a step beyond it. */
static int neighbour(int i, int n, HeiSide side) {
  if (side == HEI_SIDE_PERIODIC) return (i + n) % n;
  return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
}

/* u[N][ny][NT] at times t, from FINE times as many cells; conservative differences, and the midpoint rule. */
static double *simulate(HeiSide side, int ny, unsigned seed, const double *t) {
  int nx = side == HEI_SIDE_PERIODIC ? FINE * N : FINE * (N - 1) + 1, my = ny == 1 ? 1 : nx;
  double h = side == HEI_SIDE_PERIODIC ? 1. / nx : 1. / (nx - 1), *u = malloc(sizeof(double) * N * ny * NT), *now = malloc(sizeof(double) * nx * my),
         *half = malloc(sizeof(double) * nx * my), *rate = malloc(sizeof(double) * nx * my),
         *c = malloc(sizeof(double) * nx * my), time = 0;
  Waves waves = {.side = side};
  state = seed;
  for (int m = 0; m < MODES; m++) waves.size[m] = gauss(), waves.kx[m] = 8 * uniform() - 4, waves.ky[m] = ny == 1 ? 0 : 8 * uniform() - 4, waves.phase[m] = 7 * uniform(), waves.speed[m] = 6 * uniform();
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < my; j++) now[i * my + j] = wave(&waves, i * h, j * h, 0), c[i * my + j] = coefficient(i * h, j * h);
  for (int k = 0; k < NT; k++) {
    int steps = (int)((t[k] - time) / (0.15 * h * h / 0.015)) + 1;
    double dt = (t[k] - time) / steps;
    for (int step = 0; step < 2 * steps && dt > 0; step++) {
      const double *from = step % 2 ? half : now;
      double *to = step % 2 ? now : half, at = time + dt * (step / 2 + (step % 2 ? 1 : 0.5));
      for (int i = 0; i < nx; i++)
        for (int j = 0; j < my; j++) {
          double sum = 0;
          for (int d = 0; d < (ny == 1 ? 2 : 4); d++) {
            int a = neighbour(i + (d == 0) - (d == 1), nx, side), b = my == 1 ? 0 : neighbour(j + (d == 2) - (d == 3), my, side);
            sum += (c[i * my + j] + c[a * my + b]) / 2 * (from[a * my + b] - from[i * my + j]);
          }
          rate[i * my + j] = sum / (h * h);
        }
      for (int i = 0; i < nx; i++)
        for (int j = 0; j < my; j++) {
          bool edge = i == 0 || i == nx - 1 || (my > 1 && (j == 0 || j == my - 1));
          to[i * my + j] = edge && side == HEI_SIDE_FREE ? wave(&waves, i * h, j * h, at) : now[i * my + j] + dt * (step % 2 ? 1 : 0.5) * rate[i * my + j];
        }
    }
    time = t[k];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < ny; j++) u[(i * ny + j) * NT + k] = now[FINE * i * my + (ny == 1 ? 0 : FINE * j)];
  }
  free(now), free(half), free(rate), free(c);
  return u;
}

/* Both trajectories; noise is relative to the root mean square, and correlated in time by `color`. */
typedef struct Case { HeiData data; double t[NT], *clean[2], *u[2]; } Case;

static void case_open(Case *c, HeiSide side, int ny, bool even) {
  state = 5;
  for (int k = 0; k < NT; k++) c->t[k] = even ? k / (NT - 1.) : (k + 0.8 * uniform() - 0.4) / (NT - 1.);
  c->t[0] = 0;
  double end = side == HEI_SIDE_PERIODIC ? 1 - 1. / N : 1;
  for (int w = 0; w < 2; w++) c->clean[w] = simulate(side, ny, 11 + w, c->t), c->u[w] = malloc(sizeof(double) * N * ny * NT);
  c->data = (HeiData){N, ny, {0, end}, {0, end}, {0, QUARTER, 2 * QUARTER, 3 * QUARTER}, c->t, {c->u[0], c->u[1]}, NT, {HEI_SIDE_UNKNOWN, HEI_SIDE_UNKNOWN}};
}

static void case_noise(Case *c, double share, double color, unsigned seed) {
  int n = N * c->data.ny * NT;
  state = 1000 + seed;
  for (int w = 0; w < 2; w++) {
    double square = 0, last = 0;
    for (int k = 0; k < n; k++) square += c->clean[w][k] * c->clean[w][k] / n;
    for (int k = 0; k < n; k++) last = k % NT ? color * last + sqrt(1 - color * color) * gauss() : gauss(), c->u[w][k] = c->clean[w][k] + share * sqrt(square) * last;
  }
}

static void case_close(Case *c) {
  for (int w = 0; w < 2; w++) free(c->clean[w]), free(c->u[w]);
}

/* ---- laws -------------------------------------------------------------------------------------------------------------------------------------------------- */

enum { RIGHT, WRONG, SPURIOUS, SPLIT, LAWS };      /* div(C grad u); C u; div(C grad u) + S u; C u_xx + D u_yy */
typedef struct Laws { HeiPart div[3], u, xx, yy; HeiField field[LAWS][2]; HeiCandidate law[LAWS]; } Laws;

static int linear(Hei *hei, const char *key, int i, int j, int k, int l) {
  double jets[HEI_JETS] = {0};
  jets[hei_jet(i, j)] = jets[hei_jet(k, l)] = 1;
  return hei_feature(hei, &(HeiFeature){.key = key, .linear = jets});
}

static Hei *open_laws(const HeiData *data, const HeiOptions *with, Laws *laws) {
  HeiOutcome outcome;
  Hei *hei = hei_open(data, with, &outcome);
  assert_int_equal(outcome, HEI_OK);
  int lap = data->ny > 1 ? linear(hei, "uxx+uyy", 2, 0, 0, 2) : linear(hei, "uxx", 2, 0, 2, 0), x = linear(hei, "ux", 1, 0, 1, 0), y = linear(hei, "uy", 0, 1, 0, 1);
  memcpy(laws->div, (HeiPart[]){{0, 0, 1, lap}, {1, 0, 1, x}, {0, 1, 1, y}}, sizeof laws->div);
  laws->u = (HeiPart){0, 0, 1, linear(hei, "u", 0, 0, 0, 0)};
  laws->xx = (HeiPart){0, 0, 1, linear(hei, "uxx", 2, 0, 2, 0)}, laws->yy = (HeiPart){0, 0, 1, linear(hei, "uyy", 0, 2, 0, 2)};
  HeiField div = {3, laws->div, data->ny > 1 ? 3 : 2}, u = {3, &laws->u, 1}, xx = {3, &laws->xx, 1}, yy = {3, &laws->yy, 1};
  memcpy(laws->field, (HeiField[LAWS][2]){{div}, {u}, {u, div}, {xx, yy}}, sizeof laws->field);
  static const int count[LAWS] = {1, 1, 2, 2};
  for (int k = 0; k < LAWS; k++) laws->law[k] = (HeiCandidate){laws->field[k], count[k], NULL, 0};
  return hei;
}

typedef struct Answer { HeiResult result; HeiEvidence evidence; HeiPrepared prepared; double error; } Answer;

/* Relative L2 error of the field that is C. */
static double field_error(const HeiData *data, const double *value) {
  double error = 0, size = 0;
  for (int k = 0; k < N * data->ny; k++) {
    double c = coefficient(data->x[1] * (k / data->ny) / (N - 1), data->ny > 1 ? data->y[1] * (k % data->ny) / (N - 1) : 0);
    error += (value[k] - c) * (value[k] - c), size += c * c;
  }
  return sqrt(error / size);
}

static Answer ask(const HeiData *data, int law) {
  Laws laws;
  Answer answer;
  Hei *hei = open_laws(data, &options, &laws);
  hei_evaluate(hei, 1, &laws.law[law], &answer.result);
  assert_int_equal(answer.result.outcome, HEI_OK);
  assert_int_equal(hei_evidence(hei, &laws.law[law], &answer.result, &answer.evidence), HEI_OK);
  hei_prepared(hei, 0, &answer.prepared);
  answer.error = field_error(data, answer.evidence.field[answer.evidence.nfields - 1].value);
  hei_close(hei);
  return answer;
}

static void forget(Answer *answer) { hei_result_free(&answer->result), hei_evidence_free(&answer->evidence); }

/* ---- tests ------------------------------------------------------------------------------------------------------------------------------------------------- */

/* Over noises: the band holds about as much of the truth as a standard deviation should, its size is that of the error, and the score's standard error is of
 * the size of what noise does to the score. */
static void test_band(void **given) {
  enum { NOISES = 10 };
  Case c;
  double inside = 0, expected = 0, error = 0, sum = 0, square = 0, standard_error = 0;
  case_open(&c, HEI_SIDE_FREE, N, true);
  for (int seed = 0; seed < NOISES; seed++) {
    case_noise(&c, 0.05, 0, seed);
    Answer answer = ask(&c.data, RIGHT);
    const HeiFieldEvidence *field = &answer.evidence.field[0];
    for (int k = 0; k < N * N; k++) inside += (fabs(field->value[k] - coefficient(k / N / (N - 1.), k % N / (N - 1.))) < field->deviation[k]) / (double)(NOISES * N * N);
    expected += field->uncertainty / NOISES, error += answer.error / NOISES, standard_error += answer.result.standard_error / NOISES;
    sum += answer.result.error / NOISES, square += answer.result.error * answer.result.error / NOISES;
    assert_true(answer.evidence.explained && field->identifiable && field->revealed > 0.9 && field->correlation > 0.8);
    assert_true(answer.evidence.noise_ceiling < answer.result.error && answer.evidence.noise_ceiling > answer.result.error / 8);
    assert_true(field->stability > 0 && field->stability <= 1.2 * answer.result.difference[0]);
    forget(&answer);
  }
  double spread = sqrt((square - sum * sum) * NOISES / (NOISES - 1));
  print_message("inside one deviation %.2f, error %.4f, expected %.4f, score %.4f +- %.4f, standard error %.4f\n", inside, error, expected, sum, spread, standard_error);
  assert_true(inside > 0.6 && inside < 0.97);
  assert_true(expected > error / 2 && expected < 2 * error);
  assert_true(standard_error > spread / 4 && standard_error < 4 * spread);
  case_close(&c);
}

/* Each kind of side is found, and to know it makes the field better. */
static void test_sides(void **given) {
  static const HeiSide kinds[] = {HEI_SIDE_FREE, HEI_SIDE_ZERO_FLUX, HEI_SIDE_PERIODIC};
  for (int k = 0; k < 3; k++) {
    Case c;
    case_open(&c, kinds[k], N, true);
    case_noise(&c, 0.05, 0, 3);
    Answer found = ask(&c.data, RIGHT);
    for (int d = 0; d < 2; d++) assert_int_equal(found.prepared.side[d], kinds[k]), c.data.side[d] = HEI_SIDE_FREE;
    Answer ignored = ask(&c.data, RIGHT);
    for (int d = 0; d < 2; d++) c.data.side[d] = kinds[k];
    Answer told = ask(&c.data, RIGHT);
    print_message("side %d: error %.4f, taken as free %.4f\n", kinds[k], found.error, ignored.error);
    assert_true(told.error == found.error && told.result.error == found.result.error);
    assert_true(k ? found.error < 0.75 * ignored.error : found.error == ignored.error);
    forget(&found), forget(&ignored), forget(&told);
    case_close(&c);
  }
}

/* A block of sensors, snapshots, and values here and there that are missing cost little, and are told of; too many are refused. */
static void test_missing(void **given) {
  Case c;
  case_open(&c, HEI_SIDE_FREE, N, true);
  case_noise(&c, 0.05, 0, 4);
  Answer whole = ask(&c.data, RIGHT);
  assert_int_equal(whole.prepared.missing, 0);
  for (int kind = 0; kind < 3; kind++) {
    case_noise(&c, 0.05, 0, 4);
    long missing = 0;
    for (int w = 0; w < 2; w++)
      for (int k = 0; k < N * N * NT; k++) {
        int i = k / NT / N, j = k / NT % N, snapshot = k % NT;
        bool hole = kind == 0 ? i >= 12 && i < 19 && j >= 9 && j < 16 : kind == 1 ? snapshot % 9 == 4 : uniform() < 0.2;
        if (hole) c.u[w][k] = NAN, missing += w == 0 && snapshot < 3 * QUARTER;
      }
    Answer holes = ask(&c.data, RIGHT);
    print_message("missing %ld: error %.4f (all there: %.4f), score %.4f (%.4f), dropped %.3f\n", holes.prepared.missing, holes.error, whole.error, holes.result.error,
                  whole.result.error, holes.prepared.dropped[0]);
    assert_int_equal(holes.prepared.missing, missing);
    assert_true(holes.error < 1.5 * whole.error + 0.01 && holes.result.error < 1.3 * whole.result.error);
    assert_true(fabs(holes.prepared.sigma / whole.prepared.sigma - 1) < 0.05);
    assert_true(kind ? holes.prepared.dropped[0] == 0 : holes.prepared.dropped[0] > 0 && holes.prepared.dropped[0] < 0.5);
    forget(&holes);
  }
  for (int w = 0; w < 2; w++)
    for (int k = 0; k < N * N * NT; k++)
      if (k % NT >= QUARTER && k % NT < 2 * QUARTER) c.u[w][k] = NAN;
  HeiOutcome outcome;
  assert_null(hei_open(&c.data, &options, &outcome));       /* a whole interval */
  assert_int_equal(outcome, HEI_MISSING);
  forget(&whole);
  case_close(&c);
}

/* Times at random distances, and one dimension. */
static void test_shapes(void **given) {
  Case c;
  case_open(&c, HEI_SIDE_FREE, N, false);
  case_noise(&c, 0.02, 0, 6);
  Answer uneven = ask(&c.data, RIGHT);
  assert_true(uneven.error < 0.1 && uneven.result.error < 0.1);
  double swap = c.t[5];
  c.t[5] = c.t[6], c.t[6] = swap;                            /* snapshots out of order are not put in order */
  HeiOutcome outcome;
  assert_null(hei_open(&c.data, &options, &outcome));
  assert_int_equal(outcome, HEI_GRID);
  forget(&uneven), case_close(&c);
  case_open(&c, HEI_SIDE_FREE, 1, true);
  case_noise(&c, 0.01, 0, 6);
  Answer line = ask(&c.data, RIGHT);
  print_message("uneven times: error %.4f; one dimension: %.4f, score %.4f\n", uneven.error, line.error, line.result.error);
  assert_true(line.error < 0.3 && line.result.error < 0.2 && line.evidence.field[0].uncertainty > line.error / 3);
  forget(&line), case_close(&c);
}

/* Noise that is not white is told; white noise is not taken for it. */
static void test_color(void **given) {
  Case c;
  case_open(&c, HEI_SIDE_FREE, N, true);
  for (int k = 0; k < 2; k++) {
    case_noise(&c, 0.05, k ? 0.7 : 0, 8);
    Answer answer = ask(&c.data, RIGHT);
    assert_int_equal(answer.prepared.correlated, k);
    assert_true(k ? answer.prepared.correlation[2] > 0.4 : fabs(answer.prepared.correlation[2]) < 0.05);
    assert_true(fabs(answer.prepared.sigma / answer.prepared.signal / 0.05 - 1) < 0.4);
    forget(&answer);
  }
  case_close(&c);
}

/* A law that is wrong is not explained, whatever field it has; a field that is not there is not identifiable. */
static void test_doubt(void **given) {
  Case c;
  case_open(&c, HEI_SIDE_FREE, N, true);
  case_noise(&c, 0.05, 0, 9);
  Answer right = ask(&c.data, RIGHT), wrong = ask(&c.data, WRONG), spurious = ask(&c.data, SPURIOUS);
  assert_true(right.evidence.explained && !wrong.evidence.explained && wrong.result.error > 5 * right.result.error);
  assert_false(spurious.evidence.field[0].identifiable);
  assert_true(spurious.evidence.field[1].identifiable && spurious.evidence.field[1].revealed > spurious.evidence.field[0].revealed);
  for (int k = 0; k < N * N; k++) assert_true(right.evidence.field[0].information[k] > 0 && right.evidence.field[0].information[k] <= 1);
  forget(&right), forget(&wrong), forget(&spurious);
  case_close(&c);
}

/* Before it is scored nothing is read of it: infinities there do not matter. */
static void test_sealed(void **given) {
  Case c;
  Laws laws;
  HeiResult open[LAWS], blind[LAWS];
  HeiSealedScore score[LAWS];
  case_open(&c, HEI_SIDE_FREE, N, true);
  case_noise(&c, 0.05, 0, 2);
  Hei *hei = open_laws(&c.data, &options, &laws);
  hei_evaluate(hei, LAWS, laws.law, open);
  assert_int_equal(hei_score_sealed(hei, &c.data, NT, LAWS, laws.law, open, score), HEI_OK);
  for (int k = 0; k < LAWS; k++) {
    assert_int_equal(score[k].outcome, HEI_OK);
    assert_true(score[k].standard_error > 0 && score[k].standard_error < score[k].error && score[k].error > open[k].error / 3);
  }
  assert_true(score[RIGHT].error < 3 * open[RIGHT].error && score[RIGHT].error < score[WRONG].error / 3 && score[RIGHT].error < score[SPLIT].error);
  assert_int_equal(hei_score_sealed(hei, &c.data, 3 * QUARTER, LAWS, laws.law, open, score), HEI_GRID);
  hei_close(hei);
  for (int w = 0; w < 2; w++)
    for (int k = 0; k < N * N * NT; k++)
      if (k % NT >= 3 * QUARTER) c.u[w][k] = INFINITY;
  hei = open_laws(&c.data, &options, &laws);
  hei_evaluate(hei, LAWS, laws.law, blind);
  for (int k = 0; k < LAWS; k++) {
    assert_memory_equal(blind[k].direction, open[k].direction, sizeof open[k].direction);
    hei_result_free(&open[k]), hei_result_free(&blind[k]);
  }
  assert_int_equal(hei_score_sealed(hei, &c.data, NT, LAWS, laws.law, blind, score), HEI_DATA);
  hei_close(hei), case_close(&c);
}

/* The same bits with any number of threads, with all blocks kept and with hardly any. */
static void test_threads(void **given) {
  enum { BATCH = 4 * LAWS };
  Case c;
  Laws laws;
  HeiResult first[BATCH], result[BATCH];
  HeiCandidate batch[BATCH];
  case_open(&c, HEI_SIDE_FREE, N, true);
  case_noise(&c, 0.05, 0, 1);
  for (int threads = 1; threads <= 4; threads *= 2)
    for (int small = 0; small < 2; small++) {
      HeiOptions with = options;
      with.each = true, with.threads = threads, with.budget = small ? 1 << 16 : 0;
      Hei *hei = open_laws(&c.data, &with, &laws);
      for (int k = 0; k < BATCH; k++) batch[k] = laws.law[(k + threads) % LAWS];
      HeiResult *out = threads == 1 && !small ? first : result;
      hei_evaluate(hei, BATCH, batch, out);
      for (int k = 0; k < BATCH && out == result; k++) {
        const HeiResult *same = &first[(k + threads - 1) % LAWS];
        assert_memory_equal(result[k].direction, same->direction, sizeof same->direction);
        assert_memory_equal(&result[k].standard_error, &same->standard_error, sizeof same->standard_error);
        assert_memory_equal(result[k].stability, same->stability, sizeof same->stability);
        for (int w = 0; w < 2; w++) assert_memory_equal(result[k].coefficients[w], same->coefficients[w], sizeof(double) * same->first[same->nfields]);
      }
      for (int k = 0; k < BATCH && out == result; k++) hei_result_free(&result[k]);
      hei_close(hei);
    }
  for (int k = 0; k < BATCH; k++) hei_result_free(&first[k]);
  case_close(&c);
}

int main(void) {
  const struct CMUnitTest all[] = {
      cmocka_unit_test(test_band),  cmocka_unit_test(test_sides), cmocka_unit_test(test_missing), cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_color), cmocka_unit_test(test_doubt), cmocka_unit_test(test_sealed),  cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(all, NULL, NULL);
}
