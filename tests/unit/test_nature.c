/* Fitted laws solved forward, and what kind of laws they are: heat that spreads, heat that runs backwards, growth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/design.h"
#include "../../numerics/law_hei.h"
#include "law_lab.h"

enum { N = 40, NT = 64, WAVES = 12 };
static const double TAU = 6.28318530717958647692;

/* Waves of u_t = 0.02 lap u - rate u in the plane, t from 0 to 1; backwards: the film from its end. */
static double *film(int which, double rate, bool backwards) {
  double *u = calloc((size_t)N * N * NT, sizeof *u);
  for (int m = 0; m < WAVES; m++) {
    Draw draw = draw_open((uint64_t)which, 0, (uint64_t)m);
    double k = TAU * draw_between(&draw, 0.5, 1.5), angle = TAU * draw_uniform(&draw), phase = TAU * draw_uniform(&draw), a = draw_normal(&draw);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        for (int s = 0; s < NT; s++) {
          double t = (backwards ? NT - 1 - s : s) / (NT - 1.);
          u[((size_t)i * N + j) * NT + s] += a * cos(k * (cos(angle) * i + sin(angle) * j) / (N - 1) + phase) * exp(-(0.02 * k * k + rate) * t);
        }
  }
  for (size_t k = 0; k < (size_t)N * N * NT; k++) {
    Draw draw = draw_open((uint64_t)which, 1, k);
    u[k] += 0.01 * draw_normal(&draw);
  }
  return u;
}

typedef struct Found { HeiResult result; HeiEvidence evidence; HeiRollout roll, sealed; HeiNature nature; double mean; } Found;

static Found fit(const char *text, double rate, bool backwards) {
  double t[NT], *u[2] = {film(1, rate, backwards), film(2, rate, backwards)};
  for (int s = 0; s < NT; s++) t[s] = s / (NT - 1.);
  HeiData data = {.nx = N, .ny = N, .x = {0, 1}, .y = {0, 1}, .start = {0, 16, 32, 48}, .t = t, .u = {u[0], u[1]}, .stride = NT};
  HeiOptions options = hei_options_for(&hei_for_scores, &data);
  HeiOutcome outcome;
  Hei *hei = hei_open(&data, &options, &outcome);
  if (!hei) fail_msg("%s", hei_outcome_text(outcome));
  LawLab l = law_lab(2);
  Law *law = lab_law(&l, text);
  LawFeatures *features = law_features_new(hei, hei_feature);
  const HeiCandidate *candidate = law_candidate(features, law);
  Found f = {0};
  hei_evaluate(hei, 1, candidate, &f.result);
  assert_int_equal(f.result.outcome, HEI_OK);
  assert_int_equal(hei_evidence(hei, candidate, &f.result, &f.evidence), HEI_OK);
  double *pooled[2] = {f.evidence.pooled.coefficients, f.evidence.pooled.coefficients};
  assert_int_equal(hei_rollout(hei, &data, candidate, pooled, &f.roll), HEI_OK);
  assert_int_equal(hei_rollout_sealed(hei, &data, NT, candidate, pooled, &f.sealed), HEI_OK);
  assert_int_equal(hei_nature(hei, &data, candidate, pooled[0], f.evidence.nfields ? f.evidence.field[0].information : NULL, &f.nature), HEI_OK);
  for (int k = 0; f.evidence.nfields && k < N * N; k++) f.mean += f.evidence.field[0].value[k] / (N * N);
  print_message("%s: field %.4f, residual %.3f, forward %.3f and %.3f, growth %.2f%s; constant %.1e, leak %.1e, backward %.2f\n", text, f.mean, f.result.error, f.roll.error, f.sealed.error, f.roll.growth,
                f.roll.blown ? ", blown up" : "", f.nature.constant_rate, f.nature.leak, f.nature.backward);
  hei_evidence_free(&f.evidence), hei_result_free(&f.result);
  hei_close(hei);
  law_features_free(features);
  law_free(law);
  free(u[0]), free(u[1]);
  return f;
}

static void test_spreads(void **state) {
  Found f = fit("dx(C0*ux)+dy(C0*uy)", 0, false);
  assert_true(fabs(f.mean - 0.02) < 1e-3);
  assert_true(f.roll.error < 0.1 && f.sealed.error < 0.2 && !f.roll.blown && f.roll.growth < 1.1);
  assert_true(f.nature.constant_rate < 1e-9 && f.nature.leak < 1e-3 && f.nature.backward == 0);
}

static void test_decays(void **state) {
  Found f = fit("dx(C0*ux)+dy(C0*uy)-C1*u", 1, false);
  assert_true(f.nature.constant_rate > 0.1 && f.nature.leak > 0.05 && f.nature.backward == 0);
  assert_true(f.roll.error < 0.1);
}

static void test_backwards(void **state) {
  Found f = fit("dx(C0*ux)+dy(C0*uy)", 0, true);
  assert_true(fabs(f.mean + 0.02) < 2e-3 && f.nature.backward == 1);
  assert_true(f.roll.blown && isinf(f.roll.error) && f.sealed.blown);
  assert_true(f.nature.leak < 1e-3);
}

/* Transport that is not written as a divergence does not conserve; of first order there is nothing to run backwards. */
static void test_first_order(void **state) {
  Found f = fit("C0*ux+C1*uy", 0, false);
  assert_true(isnan(f.nature.backward) && f.nature.leak > 0.01);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_spreads), cmocka_unit_test(test_decays), cmocka_unit_test(test_backwards), cmocka_unit_test(test_first_order)};
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
