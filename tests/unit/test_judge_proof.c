/* What a proof adds to a verdict that was measured; a planted false one is an internal error, not a pass. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judge.h"

static ProofOfBound proved(bool on_grid) { return (ProofOfBound){.proof = {PROOF_HOLDS, "the factor 1 - x is 0 at x = 1"}, .certified = 0, .identity = true, .on_grid = on_grid}; }

static Verdict measured(double violation, double tolerance) {
  Verdict v = verdict_blank();
  v.contract = strdup("trace");
  v.hard = true;
  v.violation = violation;
  v.tolerance = tolerance;
  v.status = violation <= tolerance ? VERDICT_PASS : VERDICT_FAIL;
  return v;
}

/* The verdict after the proof: its status; *errors: internal errors reported. */
static VerdictStatus judged(Verdict v, ProofOfBound p, int *errors, bool *is_proved, double *bound) {
  Diags diags = {0};
  judge_proof(&diags, &p, &v);
  *errors = 0;
  for (int i = 0; i < diags.n; i++) *errors += diags.items[i]->code == E3034;
  *is_proved = v.proved;
  *bound = v.bound;
  if (v.status == VERDICT_ERROR) assert_non_null(strstr(v.reason, "internal error: the violation is proved to be 0"));
  verdict_clear(&v);
  diags_free(&diags);
  return v.status;
}

static void test_true_proof(void **state) {
  (void)state;
  int errors;
  bool is_proved;
  double bound;
  assert_int_equal(judged(measured(1e-16, 0.05), proved(true), &errors, &is_proved, &bound), VERDICT_PASS);
  assert_true(is_proved);
  assert_int_equal(errors, 0);
}

static void test_false_proof(void **state) {
  (void)state;
  int errors;
  bool is_proved;
  double bound;
  assert_int_equal(judged(measured(0.3, 0.05), proved(true), &errors, &is_proved, &bound), VERDICT_ERROR);
  assert_int_equal(errors, 1);
  /* within its tolerance it is as wrong */
  assert_int_equal(judged(measured(0.01, 0.05), proved(true), &errors, &is_proved, &bound), VERDICT_ERROR);
  assert_int_equal(errors, 1);
  assert_false(is_proved);
  /* and so it is where the search finds what the samples did not */
  Verdict v = measured(0, 0.05);
  v.adversary = 0.2;
  assert_int_equal(judged(v, proved(true), &errors, &is_proved, &bound), VERDICT_ERROR);
  assert_int_equal(errors, 1);
}

/* Of the formula alone: between nodes the field may violate a little, which is neither proved nor an error. */
static void test_formula_alone(void **state) {
  (void)state;
  int errors;
  bool is_proved;
  double bound;
  assert_int_equal(judged(measured(0.01, 0.05), proved(false), &errors, &is_proved, &bound), VERDICT_PASS);
  assert_int_equal(errors, 0);
  assert_false(is_proved);
}

static void test_certified_bound(void **state) {
  (void)state;
  int errors;
  bool is_proved;
  double bound;
  ProofOfBound p = {.certified = 0.04};
  assert_int_equal(judged(measured(0.01, 0.05), p, &errors, &is_proved, &bound), VERDICT_PASS);
  assert_true(bound == 0.04);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_true_proof), cmocka_unit_test(test_false_proof), cmocka_unit_test(test_formula_alone), cmocka_unit_test(test_certified_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
