/* Quadrature rules integrate every monomial up to their degree; weights are positive, points inside. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "numerics/element.h"

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/* integral of x^i y^j z^k over the reference simplex = i! j! k!/(i + j + k + dim)! */
static void test_monomials(void **state) {
  for (int dim = 1; dim <= 3; dim++)
    for (int degree = 0; degree <= QUAD_MAX; degree++) {
      const double *x, *w;
      int n = quad_rule(dim, degree, &x, &w);
      for (int i = 0; i <= degree; i++)
        for (int j = 0; j <= (dim > 1 ? degree - i : 0); j++)
          for (int k = 0; k <= (dim > 2 ? degree - i - j : 0); k++) {
            double s = 0, exact = factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + dim);
            for (int q = 0; q < n; q++)
              s += w[q] * pow(x[q * dim], i) * (dim > 1 ? pow(x[q * dim + 1], j) : 1) * (dim > 2 ? pow(x[q * dim + 2], k) : 1);
            if (fabs(s - exact) > 1e-14 * exact + 1e-17) fail_msg("dim %d degree %d x^%d y^%d z^%d: %g for %g", dim, degree, i, j, k, s, exact);
          }
    }
}

static void test_points(void **state) {
  for (int dim = 1; dim <= 3; dim++)
    for (int degree = 0; degree <= QUAD_MAX; degree++) {
      const double *x, *w;
      int n = quad_rule(dim, degree, &x, &w);
      for (int q = 0; q < n; q++) {
        double rest = 1;
        assert_true(w[q] > 0);
        for (int d = 0; d < dim; d++) {
          assert_true(x[q * dim + d] > 0);
          rest -= x[q * dim + d];
        }
        assert_true(rest > 0);
      }
    }
}

/* A rule is not exact one degree beyond the strongest it stands for: the tables are not mixed up. */
static void test_counts(void **state) {
  static const struct { int dim, degree, n; } rows[] = {{0, 7, 1},  {1, 0, 1},  {1, 3, 2},  {1, 4, 3}, {2, 1, 1},  {2, 2, 3},  {2, 3, 6}, {2, 5, 7},
                                                        {2, 6, 12}, {2, 8, 16}, {2, 9, 25}, {3, 1, 1}, {3, 2, 4}, {3, 3, 8}, {3, 5, 14}, {3, 6, 24}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double *x, *w;
    assert_int_equal(quad_rule(rows[i].dim, rows[i].degree, &x, &w), rows[i].n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_monomials), cmocka_unit_test(test_points), cmocka_unit_test(test_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
