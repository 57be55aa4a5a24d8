/* Designs: known first points, uniformity, the same points in any order; numbers by counter; mixtures and projections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/design.h"
#include "../../numerics/predict.h"

/* Known answers of the authors' own test (Random123, kat_vectors). */
static void test_philox(void **state) {
  uint32_t out[4];
  philox((uint32_t[4]){0}, (uint32_t[2]){0}, out);
  assert_true(out[0] == 0x6627e8d5 && out[1] == 0xe169c58d && out[2] == 0xbc57ac4c && out[3] == 0x9b00dbd8);
  philox((uint32_t[]){~0u, ~0u, ~0u, ~0u}, (uint32_t[]){~0u, ~0u}, out);
  assert_true(out[0] == 0x408f276d && out[1] == 0x41c83b0e && out[2] == 0xa20bc7c6 && out[3] == 0x6d5451fd);
}

static void test_draw(void **state) {
  enum { N = 20000 };
  double sum = 0, square = 0, pair = 0, last = 0.5;
  Draw draw = draw_open(5, 3, 9), again = draw_open(5, 3, 9), other = draw_open(5, 4, 9);
  assert_true(draw_uniform(&draw) == draw_uniform(&again) && draw_uniform(&draw) != draw_uniform(&other));
  for (int k = 0; k < N; k++) {
    double u = draw_uniform(&draw);
    assert_true(u >= 0 && u < 1);
    sum += u - 0.5, square += (u - 0.5) * (u - 0.5), pair += (u - 0.5) * (last - 0.5);
    last = u;
  }
  assert_true(fabs(sum / N) < 4 * sqrt(1. / 12 / N) && fabs(square / N - 1. / 12) < 4 * sqrt(1. / 180 / N) && fabs(pair / N) < 4 / 12. / sqrt(N));
  int count[7] = {0};
  for (int k = 0; k < 7000; k++) count[draw_below(&draw, 7)]++;
  for (int k = 0; k < 7; k++) assert_true(abs(count[k] - 1000) < 150);
}

/* The distribution at the quantile is p again, from the middle to far tails; the moments of many draws. */
static void test_normal(void **state) {
  enum { N = 40000 };
  for (double p = 1e-300; p < 0.5; p *= 1.7) {
    double x = normal_quantile(p), back = 0.5 * erfc(-x / sqrt(2));
    assert_true(fabs(back / p - 1) < 1e-13 * fmax(1, x * x));
    if (p > 1e-10) assert_true(fabs(normal_quantile(1 - p) + x) < 1e-5);
  }
  assert_true(normal_quantile(0.5) == 0);
  double moment[5] = {0};
  for (int k = 0; k < N; k++) {
    Draw draw = draw_open(11, 0, (uint64_t)k);
    double z = draw_normal(&draw), power = 1;
    for (int m = 1; m < 5; m++) moment[m] += (power *= z) / N;
  }
  assert_true(fabs(moment[1]) < 4 / sqrt(N) && fabs(moment[2] - 1) < 4 * sqrt(2. / N) && fabs(moment[3]) < 4 * sqrt(15. / N) && fabs(moment[4] - 3) < 4 * sqrt(96. / N));
}

/* The first points in Gray code order are a permutation of these, known from the authors' tables. */
static void test_sobol_known(void **state) {
  static const double first[8][3] = {{0, 0, 0}, {.5, .5, .5}, {.25, .75, .75}, {.75, .25, .25}, {.125, .625, .375}, {.625, .125, .875}, {.375, .375, .625}, {.875, .875, .125}};
  Design design = {DESIGN_SOBOL, 3, 8, 0, false};
  bool met[8] = {false};
  for (long k = 0; k < 8; k++) {
    double u[3];
    design_point(&design, k, u);
    for (int i = 0; i < 8; i++) met[i] = met[i] || !memcmp(u, first[i], sizeof u);
  }
  for (int i = 0; i < 8; i++) assert_true(met[i]);
}

/* Each coordinate has one point in each of 2^m slices, scrambled or not; coordinates one after the other have 2^(m-t) in equal boxes. */
static void test_sobol_slices(void **state) {
  enum { N = 256 };
  double (*u)[SOBOL_DIMS] = malloc(sizeof(double) * N * SOBOL_DIMS);
  for (int scramble = 0; scramble < 2; scramble++) {
    Design design = {DESIGN_SOBOL, SOBOL_DIMS, N, 17, scramble};
    for (long k = 0; k < N; k++) design_point(&design, k, u[k]);
    for (int d = 0; d < SOBOL_DIMS; d++) {
      bool met[N] = {false};
      for (int k = 0; k < N; k++) met[(int)(u[k][d] * N)] = true;
      for (int k = 0; k < N; k++) assert_true(met[k]);
    }
    int boxes[16][16] = {{0}};
    for (int k = 0; k < N; k++) boxes[(int)(u[k][0] * 16)][(int)(u[k][1] * 16)]++;
    for (int i = 0; i < 256; i++) assert_int_equal(boxes[i / 16][i % 16], 1);      /* (0, 8, 2)-net */
  }
  free(u);
}

/* Centred L2 discrepancy (Hickernell 1998). */
static double discrepancy(const double *u, int n, int dim) {
  double one = 0, two = 0;
  for (int i = 0; i < n; i++) {
    double p = 1;
    for (int d = 0; d < dim; d++) {
      double a = fabs(u[i * dim + d] - 0.5);
      p *= 1 + 0.5 * a - 0.5 * a * a;
    }
    one += p;
    for (int j = 0; j < n; j++) {
      double q = 1;
      for (int d = 0; d < dim; d++) {
        double a = fabs(u[i * dim + d] - 0.5), b = fabs(u[j * dim + d] - 0.5);
        q *= 1 + 0.5 * a + 0.5 * b - 0.5 * fabs(u[i * dim + d] - u[j * dim + d]);
      }
      two += q;
    }
  }
  return sqrt(pow(13. / 12, dim) - 2 * one / n + two / n / n);
}

static void test_discrepancy(void **state) {
  enum { N = 256, DIM = 5 };
  double u[N * DIM], of[3];
  for (int kind = 0; kind < 3; kind++) {
    of[kind] = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
      Design design = {(DesignKind)kind, DIM, N, seed, true};
      for (long k = 0; k < N; k++) design_point(&design, k, u + k * DIM);
      of[kind] += discrepancy(u, N, DIM) / 5;
    }
  }
  print_message("centred discrepancy of %d points in %d dimensions: sobol %.4f, lhs %.4f, random %.4f\n", N, DIM, of[0], of[1], of[2]);
  assert_true(of[0] < 0.5 * of[2] && of[1] < 0.95 * of[2]);
}

static void test_lhs(void **state) {
  for (long n = 1; n < 200; n += 37) {
    Design design = {DESIGN_LHS, 3, n, 4, false};
    for (int d = 0; d < 3; d++) {
      bool *met = calloc((size_t)n, sizeof(bool));
      for (long k = n - 1; k >= 0; k--) {      /* in any order */
        double u[3];
        design_point(&design, k, u);
        met[(int)(u[d] * (double)n)] = true;
      }
      for (long k = 0; k < n; k++) assert_true(met[k]);
      free(met);
    }
  }
}

static void test_grid(void **state) {
  Design design = {DESIGN_GRID, 2, 30, 0, false};
  assert_int_equal(design_size(&design), 25);
  double u[2];
  design_point(&design, 0, u);
  assert_true(u[0] == 0 && u[1] == 0);
  design_point(&design, 7, u);
  assert_true(u[0] == 0.5 && u[1] == 0.25);
  design_point(&design, 24, u);
  assert_true(u[0] == 1 && u[1] == 1);
}

static void test_mixtures(void **state) {
  double bank[] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1, 1}, out[3];
  for (int rule = MIXTURE_BALANCED; rule <= MIXTURE_NONE; rule++)
    for (uint64_t k = 0; k < 200; k++) {
      Draw draw = draw_open(1, 0, k);
      MixtureDraw m = mixture_draw(&draw, rule, 4);
      double size = 0, sum = 0;
      for (int i = 0; i < m.n; i++) {
        size += fabs(m.a[i]), sum += m.a[i];
        assert_true(m.member[i] >= 0 && m.member[i] < 4);
        for (int j = 0; j < i; j++) assert_true(m.member[i] != m.member[j]);
      }
      assert_true(size <= 1 + 1e-12);
      if (rule != MIXTURE_BALANCED) assert_true(fabs(sum - 1) < 1e-12);
      if (rule == MIXTURE_NONE) assert_true(m.n == 1 && m.a[0] == 1);
      mixture_apply(&m, bank, 3, out);
    }
}

/* The projection is the nearest admissible point: no other one that is tried is nearer. */
static void test_projections(void **state) {
  for (int rule = MIXTURE_BALANCED; rule <= MIXTURE_CONVEX; rule++)
    for (uint64_t k = 0; k < 100; k++) {
      Draw draw = draw_open(2, 0, k);
      double a[5], p[5], gap = 0, size = 0, sum = 0;
      for (int i = 0; i < 5; i++) p[i] = a[i] = draw_between(&draw, -1, 1);
      mixture_project(rule, p, 5);
      for (int i = 0; i < 5; i++) gap += (p[i] - a[i]) * (p[i] - a[i]), size += fabs(p[i]), sum += p[i];
      assert_true(size <= 1 + 1e-12 && (rule == MIXTURE_BALANCED || fabs(sum - 1) < 1e-12));
      for (int other = 0; other < 50; other++) {
        double b[5], share = rule == MIXTURE_BALANCED ? draw_exponential(&draw) : 0, far = 0;
        for (int i = 0; i < 5; i++) share += b[i] = draw_exponential(&draw);
        for (int i = 0; i < 5; i++) {
          b[i] *= (rule == MIXTURE_BALANCED ? draw_sign(&draw) : 1) / share;
          far += (b[i] - a[i]) * (b[i] - a[i]);
        }
        assert_true(far >= gap - 1e-12);
      }
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_philox), cmocka_unit_test(test_draw), cmocka_unit_test(test_normal),     cmocka_unit_test(test_sobol_known), cmocka_unit_test(test_sobol_slices), cmocka_unit_test(test_discrepancy),
      cmocka_unit_test(test_lhs),    cmocka_unit_test(test_grid),     cmocka_unit_test(test_mixtures),    cmocka_unit_test(test_projections),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
