/* Laws solved forward: exact solutions and orders, data on the ring, laws that blow up, and fields that were fitted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/hei.h"
#include "../../numerics/rollout.h"

static const double PI = 3.14159265358979323846;
typedef double Exact(double x, double y, double t);

/* Data of an exact solution on [0, 1]^2 (ny 1: [0, 1]), t in [0, 0.5]. */
typedef struct Made { RolloutData data; double *t, *u, *rate, *one; } Made;

static Made make(int nx, int ny, int nt, Exact *u) {
  int nodes = nx * ny;
  Made m = {.t = malloc(sizeof(double) * nt), .u = malloc(sizeof(double) * nodes * nt), .rate = malloc(sizeof(double) * nodes * nt), .one = malloc(sizeof(double) * nodes)};
  for (int k = 0; k < nt; k++) m.t[k] = 0.5 * k / (nt - 1);
  for (int k = 0; k < nt; k++)
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++) {
        double x = i / (nx - 1.), y = ny > 1 ? j / (ny - 1.) : 0, h = 1e-5;
        m.u[(k * nx + i) * ny + j] = u(x, y, m.t[k]);
        m.rate[(k * nx + i) * ny + j] = (u(x, y, m.t[k] + h) - u(x, y, m.t[k] - h)) / (2 * h);
      }
  for (int i = 0; i < nodes; i++) m.one[i] = 1;
  m.data = (RolloutData){nx, ny, nt, 1. / (nx - 1), ny > 1 ? 1. / (ny - 1) : 1, m.t, m.u, m.rate};
  return m;
}

static void unmake(Made *m) { free(m->t), free(m->u), free(m->rate), free(m->one); }

static double heat(double x, double y, double t) { return sin(PI * x) * cos(2 * PI * y) * exp(-0.1 * 5 * PI * PI * t) + x; }
static double wave(double x, double y, double t) { (void)y; return sin(2 * PI * (x - 0.7 * t)); }
static double beam(double x, double y, double t) { (void)y; return sin(PI * x) * exp(-1e-3 * pow(PI, 4) * t); }
static double burst(double x, double y, double t) { (void)x, (void)y; return 1 / (0.3 - t); }

static unsigned bit(int i, int j) { return 1u << hei_jet(i, j); }

static Rollout solve(Made *m, int i, int j, int i2, int j2, double factor, double *predicted) {
  double linear[HEI_JETS] = {0};
  Rollout out;
  linear[hei_jet(i, j)] += factor, linear[hei_jet(i2, j2)] += i == i2 && j == j2 ? 0 : factor;
  rollout_run(&m->data, &(RolloutTerm){bit(i, j) | bit(i2, j2), linear, NULL, NULL, m->one}, 1, predicted, &out);
  return out;
}

/* Of order 4 in space, in two dimensions and with data on the ring that move. */
static void test_order(void **state) {
  double error[2];
  for (int k = 0; k < 2; k++) {
    Made m = make(17 << k | 1, 17 << k | 1, 33, heat);
    Rollout out = solve(&m, 2, 0, 0, 2, 0.1, NULL);
    assert_true(out.possible && !out.blown && out.growth < 1.01);
    error[k] = out.error;
    unmake(&m);
  }
  print_message("heat: %.2e %.2e\n", error[0], error[1]);
  assert_true(error[0] < 1e-3 && error[0] / error[1] > 12);
}

static void test_one_dimension(void **state) {
  Made m = make(81, 1, 41, wave);
  double *predicted = malloc(sizeof(double) * 81 * 41), worst = 0;
  Rollout out = solve(&m, 1, 0, 1, 0, -0.7, predicted);
  for (int k = 0; k < 81 * 41; k++) worst = fmax(worst, fabs(predicted[k] - m.u[k]));
  print_message("wave: %.2e, worst %.2e\n", out.error, worst);
  assert_true(out.error < 1e-4 && worst < 1e-3);
  free(predicted);
  unmake(&m);
  m = make(41, 1, 11, beam);
  out = solve(&m, 4, 0, 4, 0, -1e-3, NULL);
  print_message("beam: %.2e in %ld steps\n", out.error, out.steps);
  assert_true(out.error < 1e-3);
  unmake(&m);
}

/* Nothing moves: the error is that of persistence. */
static void test_null(void **state) {
  Made m = make(21, 21, 11, heat);
  Rollout out;
  rollout_run(&m.data, NULL, 0, NULL, &out);
  assert_true(fabs(out.error - 1) < 1e-12);
  unmake(&m);
}

static void square(void *user, const double *const *jet, long n, double *out) {
  for (long k = 0; k < n; k++) out[k] = jet[0][k] * jet[0][k];
}

/* u_t = u^2 from 10/3 ends at t = 0.3; diffusion backwards ends at once. */
static void test_blow_up(void **state) {
  Made m = make(11, 1, 51, wave);
  Rollout out;
  for (int k = 0; k < 11 * 51; k++) m.u[k] = burst(0, 0, 0);
  for (int k = 0; k < 11 * 51; k++) m.rate[k] = 0;
  rollout_run(&m.data, &(RolloutTerm){1, NULL, square, NULL, m.one}, 1, NULL, &out);
  print_message("burst: at %.5f\n", out.blown_at);
  assert_true(out.blown && isinf(out.error) && fabs(out.blown_at - 0.3) < 1e-3);
  unmake(&m);
  m = make(33, 33, 33, heat);
  out = solve(&m, 2, 0, 0, 2, -0.1, NULL);
  assert_true(out.blown && isinf(out.error) && out.blown_at < 0.5);
  unmake(&m);
}

static void test_too_small(void **state) {
  Made m = make(4, 1, 11, wave);
  assert_false(solve(&m, 1, 0, 1, 0, 1, NULL).possible);
  unmake(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_one_dimension), cmocka_unit_test(test_null), cmocka_unit_test(test_blow_up), cmocka_unit_test(test_too_small)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
