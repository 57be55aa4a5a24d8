/* The adversary against violations planted with known maxima, beside a random search of the same cost; mixtures; what is simplest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../../numerics/probe_space.h"
#include "planted.h"

enum { SEEDS = 20 };

/* At least `wanted` of 20 seeds reach 95% of the maximum, and so many are no worse than the random search. */
static void planted(PlantedKind kind, int dim, bool gradients, int wanted, int no_worse) {
  int good = 0, as_random = 0;
  double least = 1;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    PlantedScore score = planted_search(kind, dim, seed, gradients);
    good += score.found >= 0.95, as_random += score.found >= score.random, least = fmin(least, score.found);
    assert_true(score.calls <= adversary_budget(&(AdversaryOptions){0}));
  }
  print_message("%-7s in %d dimensions, %s slopes: 95%% in %d of %d, least %.3f; no worse than random search in %d\n", planted_names[kind], dim, gradients ? "exact" : "no   ",
                good, SEEDS, least, as_random);
  assert_true(good >= wanted && as_random >= no_worse);
}

static void test_smooth(void **state) {
  for (int dim = 4; dim <= 8; dim++) planted(PLANTED_SMOOTH, dim, true, 20, 20), planted(PLANTED_NARROW, dim, true, 20, 20);
}
static void test_decoys(void **state) {
  for (int dim = 4; dim <= 8; dim += 2) planted(PLANTED_DECOYS, dim, true, 20, 20);
}
static void test_compact(void **state) {
  for (int dim = 4; dim <= 8; dim++) planted(PLANTED_COMPACT, dim, true, 20, 20), planted(PLANTED_COMPACT, dim, false, 20, 20);
  planted(PLANTED_NEEDLE, 6, true, 20, 20);
}
static void test_foreign(void **state) {
  for (int dim = 4; dim <= 8; dim++) planted(PLANTED_SMOOTH, dim, false, 20, 20);
}

static void test_repeats(void **state) {
  Planted p = planted_make(PLANTED_DECOYS, 5, 3);
  AdversaryProblem problem = {.dim = 5, .nbox = 5, .batch = 17, .differentiable = true, .evaluate = planted_evaluate, .user = &p};
  AdversaryResult one, two, three;
  adversary_run(&problem, &(AdversaryOptions){.seed = 9}, &one);
  problem.batch = 64;
  adversary_run(&problem, &(AdversaryOptions){.seed = 9}, &two);
  adversary_run(&problem, &(AdversaryOptions){.seed = 10}, &three);
  assert_true(one.value == two.value && !memcmp(one.u, two.u, sizeof(double) * 5) && memcmp(one.u, three.u, sizeof(double) * 5));
  /* a seed that is best is kept */
  double best[5];
  memcpy(best, p.centre, sizeof best);
  problem.seeds = best, problem.nseeds = 1;
  AdversaryResult four;
  adversary_run(&problem, &(AdversaryOptions){.seed = 9, .budget = 64}, &four);
  assert_true(four.value == 1 && four.phase == ADVERSARY_SEEDS && four.evaluations <= 65);
  free(one.u), free(two.u), free(three.u), free(four.u);
}

/* Nothing has a value: no result, and no endless search. Everything has the same: the budget ends it. */
static int none_evaluate(void *user, int n, const double *u, double smooth, double *values, double *gradient) {
  for (int k = 0; k < n; k++) values[k] = *(double *)user;
  for (int k = 0; gradient && k < n * 3; k++) gradient[k] = 0;
  return 0;
}
static void test_flat(void **state) {
  double level[] = {NAN, 0.25};
  for (int k = 0; k < 2; k++) {
    AdversaryProblem problem = {.dim = 3, .nbox = 3, .batch = 50, .differentiable = true, .evaluate = none_evaluate, .user = &level[k]};
    AdversaryResult result;
    adversary_run(&problem, &(AdversaryOptions){.seed = 1}, &result);
    assert_true(k ? result.value == 0.25 : isinf(result.value));
    assert_true(result.evaluations <= adversary_budget(&(AdversaryOptions){0}));
    free(result.u);
  }
}

/* --- mixtures of a bank --- */

enum { NT = 4, BANK = 12 };
typedef struct Mixed { ProbeSpace space; double goal[NT]; } Mixed;

/* Largest where the history is the goal: 1 - |z - goal|^2, times how near the number is to 2. */
static void mixed_value(const Mixed *m, const double *rows, double *value, double *bar) {
  double gap = 0, near = 1 - (rows[0] - 2) * (rows[0] - 2) / 100;
  for (int k = 0; k < NT; k++) gap += (rows[1 + k] - m->goal[k]) * (rows[1 + k] - m->goal[k]);
  *value = (1 - gap) * near;
  if (!bar) return;
  bar[0] = -(1 - gap) * 2 * (rows[0] - 2) / 100;
  for (int k = 0; k < NT; k++) bar[1 + k] = -2 * (rows[1 + k] - m->goal[k]) * near;
}

static int mixed_evaluate(void *user, int n, const double *u, double smooth, double *values, double *gradient) {
  const Mixed *m = user;
  double rows[1 + NT], bar[1 + NT];
  for (int k = 0; k < n; k++) {
    probe_space_rows(&m->space, u + k * m->space.dim, rows);
    mixed_value(m, rows, &values[k], gradient ? bar : NULL);
    if (gradient) probe_space_gradient(&m->space, bar, gradient + k * m->space.dim);
  }
  return 0;
}

static void test_mixture(void **state) {
  double bank[BANK * NT];
  for (int k = 0; k < BANK * NT; k++) bank[k] = sin(1.9 * k) + (k % 5 == 0);
  MapInput inputs[] = {{"E", UNIT_NONE, 0, 10, false, 0}, {"f", UNIT_NONE, -1, 1, true, 1}};
  Grid grid = {.nt = NT};
  MapSpec spec = {.inputs = inputs, .ninputs = 2, .width = 1 + NT, .grid = &grid, .bank = bank, .nbank = BANK};
  for (int rule = MIXTURE_BALANCED; rule <= MIXTURE_CONVEX; rule++) {
    Mixed m = {.goal = {0}};
    spec.mixture = (Mixture)rule;
    for (int k = 0; k < NT; k++) m.goal[k] = 0.6 * bank[3 * NT + k] + (rule == MIXTURE_CONVEX ? 0.4 : -0.4) * bank[7 * NT + k];
    probe_space_open(&spec, 1, &m.space);
    assert_int_equal(m.space.dim, 1 + BANK);
    AdversaryProblem problem = {.batch = 64, .differentiable = true, .evaluate = mixed_evaluate, .user = &m};
    probe_space_problem(&m.space, &problem);
    AdversaryResult result;
    adversary_run(&problem, &(AdversaryOptions){.seed = 2}, &result);
    double size = 0, sum = 0;
    for (int k = 0; k < BANK; k++) size += fabs(result.u[1 + k]), sum += result.u[1 + k];
    print_message("mixtures: found %.5f of 1\n", result.value);
    assert_true(result.value > 0.99 && size <= 1 + 1e-9 && (rule == MIXTURE_BALANCED || fabs(sum - 1) < 1e-9));
    double value = result.value;
    long used = probe_space_shrink(&m.space, &problem, 0.9, result.u, &value);
    assert_true(value >= 0.9 && used < 60);
    free(result.u);
    probe_space_close(&m.space);
  }
}

/* Violated where a > 3.21, whatever the others are: they go to their simplest, a to few digits. */
static int simple_evaluate(void *user, int n, const double *u, double smooth, double *values, double *gradient) {
  const ProbeSpace *space = user;
  for (int k = 0; k < n; k++) {
    double rows[6];
    probe_space_rows(space, u + k * space->dim, rows);
    values[k] = rows[0] / 3.21;
  }
  return 0;
}
static void test_shrink(void **state) {
  MapInput inputs[] = {{"a", UNIT_NONE, -1, 4.7, false, 0}, {"b", UNIT_NONE, -2, 2, false, 1}, {"c", UNIT_NONE, 5, 20, false, 2}};
  MapSpec spec = {.inputs = inputs, .ninputs = 3, .width = 3};
  ProbeSpace space;
  probe_space_open(&spec, 2, &space);
  AdversaryProblem problem = {.evaluate = simple_evaluate, .user = &space};
  probe_space_problem(&space, &problem);
  double rows[] = {3.4567891, 1.23456, 7.654321, 2.345678, -0.333333, 19.87654}, u[6], value = rows[0] / 3.21;
  probe_space_point(&space, rows, NULL, u);
  probe_space_shrink(&space, &problem, 1, u, &value);
  probe_space_rows(&space, u, rows);
  assert_true(value >= 1);
  assert_true(fabs(rows[0] - 4.7) < 1e-12);      /* an end is simpler than digits */
  assert_true(fabs(rows[1]) < 1e-12 && fabs(rows[2] - 12.5) < 1e-12);
  assert_true(fabs(rows[3]) < 1e-12 && fabs(rows[4]) < 1e-12 && fabs(rows[5] - 12.5) < 1e-12);
  probe_space_close(&space);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_smooth), cmocka_unit_test(test_decoys), cmocka_unit_test(test_compact), cmocka_unit_test(test_foreign),
      cmocka_unit_test(test_repeats), cmocka_unit_test(test_flat),  cmocka_unit_test(test_mixture), cmocka_unit_test(test_shrink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
