/* Scattered points: a Delaunay triangulation of their convex hull, linear functions exactly, what lies outside. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "expr_scatter.h"

enum { MOST = 3000 };
static double place[MOST][2], value[MOST];
static uint64_t state = 88172645463325252u;

static double uniform(void) {                    /* xorshift64, Marsaglia 2003 */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) * 0x1p-53;
}

static double plane(const double *x) { return 3 + 2 * x[0] - 5 * x[1]; }

static const Scattered *make(Arena *arena, int n) {
  const Scattered *s = NULL;
  int which[2];
  for (int i = 0; i < n; i++) value[i] = plane(place[i]);
  assert_int_equal(scatter_new(arena, (const double (*)[2])place, value, n, true, which, &s), SCATTER_FINE);
  return s;
}

static double area(const double *a, const double *b, const double *c) { return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2; }

/* Every triangle is counterclockwise, neighbours know each other, and the corner across each side lies outside of the circumcircle: with that Lawson's lemma
 * makes the whole Delaunay. hull: area of the convex hull. */
static void check(const Scattered *s, double hull) {
  double sum = 0;
  assert_int_equal(s->ntri, 2 * s->n - 2 - s->nhull);          /* Euler */
  for (int t = 0; t < s->ntri; t++) {
    const double *a = s->x[s->tri[t][0]], *b = s->x[s->tri[t][1]], *c = s->x[s->tri[t][2]];
    double own = area(a, b, c);
    assert_true(own > 0);
    sum += own;
    for (int k = 0; k < 3; k++) {
      int u = s->next[t][k], found = -1;
      if (u < 0) continue;
      for (int d = 0; d < 3; d++)
        if (s->next[u][d] == t) found = d;
      assert_true(found >= 0);
      const double *p = s->x[s->tri[u][found]];
      double ax = a[0] - p[0], ay = a[1] - p[1], bx = b[0] - p[0], by = b[1] - p[1], cx = c[0] - p[0], cy = c[1] - p[1];
      double A = ax * ax + ay * ay, B = bx * bx + by * by, C = cx * cx + cy * cy;
      assert_true(ax * (by * C - B * cy) - ay * (bx * C - B * cx) + A * (bx * cy - by * cx) <= 1e-12);
    }
  }
  assert_true(fabs(sum - hull) < 1e-9 * hull);
}

static void random_points(void **unused) {
  (void)unused;
  Arena *arena = arena_new();
  int n = 4;
  for (int i = 0; i < 4; i++) place[i][0] = i == 1 || i == 2, place[i][1] = i > 1;          /* corners, so that the hull is the square */
  for (; n < MOST; n++) place[n][0] = uniform(), place[n][1] = n % 3 ? uniform() : pow(uniform(), 4);
  const Scattered *s = make(arena, n);
  check(s, 1);
  for (int i = 0; i < 2000; i++) {
    double x[2] = {uniform(), uniform()};
    assert_true(fabs(scatter_value(s, x, (int[2]){0, 0}, false) - plane(x)) < 1e-10);
    assert_true(fabs(scatter_value(s, x, (int[2]){1, 0}, false) - 2) < 1e-6 && fabs(scatter_value(s, x, (int[2]){0, 1}, false) + 5) < 1e-6);
  }
  for (int i = 0; i < n; i++) assert_true(fabs(scatter_value(s, place[i], (int[2]){0, 0}, false) - value[i]) < 1e-10);
  arena_free(arena);
}

/* Points of a grid lie on common circles and lines; those of a ring on one circle. */
static void degenerate_points(void **unused) {
  (void)unused;
  Arena *arena = arena_new();
  int n = 0;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 15; j++) place[n][0] = 0.1 * i, place[n++][1] = 0.1 * j;
  check(make(arena, n), 1.9 * 1.4);
  for (n = 0; n < 200; n++) place[n][0] = cos(2 * M_PI * n / 200), place[n][1] = sin(2 * M_PI * n / 200);
  check(make(arena, n), 100 * sin(2 * M_PI / 200));
  arena_free(arena);
}

static void outside(void **unused) {
  (void)unused;
  Arena *arena = arena_new();
  for (int i = 0; i < 3; i++) place[i][0] = i == 1, place[i][1] = i == 2;      /* below the diagonal of the square */
  const Scattered *s = make(arena, 3);
  double x[2] = {0.8, 0.8}, far[2] = {-3, 0.25}, none[2] = {NAN, 0};
  assert_true(isnan(scatter_value(s, x, (int[2]){0, 0}, false)));
  assert_true(fabs(scatter_value(s, x, (int[2]){0, 0}, true) - plane((double[2]){0.5, 0.5})) < 1e-14);
  assert_true(scatter_value(s, x, (int[2]){1, 0}, true) == 0);
  assert_true(fabs(scatter_value(s, far, (int[2]){0, 0}, true) - plane((double[2]){0, 0.25})) < 1e-14);
  assert_true(isnan(scatter_value(s, none, (int[2]){0, 0}, true)));
  arena_free(arena);
}

static void faults(void **unused) {
  (void)unused;
  Arena *arena = arena_new();
  const Scattered *s;
  int which[2];
  for (int i = 0; i < 9; i++) place[i][0] = 0.1 * i, place[i][1] = 0.3 * i;
  assert_int_equal(scatter_new(arena, (const double (*)[2])place, value, 9, true, which, &s), SCATTER_LINE);
  place[8][1] = 0;
  place[4][0] = place[2][0], place[4][1] = place[2][1];
  assert_int_equal(scatter_new(arena, (const double (*)[2])place, value, 9, true, which, &s), SCATTER_TWICE);
  assert_int_equal(which[0], 2);
  assert_int_equal(which[1], 4);
  arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_points), cmocka_unit_test(degenerate_points), cmocka_unit_test(outside), cmocka_unit_test(faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
