/* The adversary over a tape: a superposition contract, violated by a planted cubic term, whose largest violation is known. */
#include "tape_lab.h"

#include "../../numerics/probe_space.h"

enum { WIDTH = 4 };
#define FLOOR 0.01
#define CUBIC 0.1

static const char *met;

static int evaluate(void *user, int n, const double *u, double smooth, double *values, double *gradient) {
  const ProbeSpace *space = user;
  double *rows = malloc(sizeof(double) * (size_t)n * WIDTH), *bar = malloc(sizeof(double) * (size_t)n * WIDTH);
  char **failed = calloc((size_t)n, sizeof(char *));
  for (int k = 0; k < n; k++) probe_space_rows(space, u + k * space->dim, rows + k * WIDTH);
  Status status = gradient ? tape()->gradient(tl.run, n, rows, 0, smooth, values, bar, failed) : tape()->run(tl.run, n, rows, values, failed);
  for (int k = 0; k < n; k++) {
    if (gradient) probe_space_gradient(space, bar + k * WIDTH, gradient + k * space->dim);
    if (failed[k]) met = "a failure";
    free(failed[k]);
  }
  free(rows), free(bar), free(failed);
  return status;
}

/* u = (a + CUBIC a^3) x/k. With p = a1/2, q = a2/2: v = 3 CUBIC |p q (p + q)|/max(|p + q + CUBIC (p + q)^3|, FLOOR k/|x|), largest where p and q nearly cancel. */
static void test_superposition(void **state) {
  num_open(2);
  map_open(cube(4), "P1", 1, NULL);
  Expr *a = map_input("a", -1, 1, false), *k = map_input("k", 1, 2, false);
  map_output("u", SHAPE_SCALAR);
  Expr *f = over(mul(add(a, mul(num(CUBIC), power(a, 3))), X(0)), k);
  map_formula(&f);
  Expr *half = num(0.5), *za = probe(0, 0), *wa = probe(1, 0), *zk = probe(0, 1), *unused = probe(1, 1);
  (void)unused;
  Expr *sum[] = {mul(half, add(za, wa)), zk}, *one[] = {mul(half, za), zk}, *two[] = {mul(half, wa), zk};
  Expr *us = output_of(applied(sum), 0), *u1 = output_of(applied(one), 0), *u2 = output_of(applied(two), 0);
  Expr *numerator = un(EXPR_SQRT, over_cells(square(sub(sub(us, u1), u2)))), *size = un(EXPR_SQRT, over_cells(square(us)));
  target(over(numerator, bin(EXPR_MAX, size, num(FLOOR))));
  tape_ready();
  /* on the floor's edge: |x| = 1/sqrt 3, c = p + q with (c + CUBIC c^3)/(k sqrt 3) = FLOOR, p = 1/2; the smaller k, the smaller c */
  double c = FLOOR * sqrt(3), most = 3 * CUBIC * 0.5 * (0.5 - c) / (1 + CUBIC * c * c), least = INFINITY;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    ProbeSpace space;
    probe_space_open(&tl.spec, 2, &space);
    AdversaryProblem problem = {.batch = 64, .differentiable = true, .evaluate = evaluate, .user = &space};
    probe_space_problem(&space, &problem);
    AdversaryResult result;
    long before = tl.predictor->calls;
    adversary_run(&problem, &(AdversaryOptions){.seed = seed, .smooth = 30}, &result);
    assert_null(met);
    assert_true(result.value <= most * 1.001);
    least = fmin(least, result.value / most);
    assert_true(tl.predictor->calls - before == 3 * result.evaluations);
    /* the simplest input that violates half as much */
    double value = result.value, rows[WIDTH];
    probe_space_shrink(&space, &problem, most / 2, result.u, &value);
    probe_space_rows(&space, result.u, rows);
    assert_true(value >= most / 2 && rows[3] == 1.5);      /* what plays no part is in the middle */
    free(result.u);
    probe_space_close(&space);
  }
  print_message("superposition: at least %.4f of the largest violation %.5f\n", least, most);
  assert_true(least > 0.95);
  map_close();
  num_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_superposition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
