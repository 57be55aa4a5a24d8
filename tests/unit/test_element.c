/* Every row of element.def: nodal basis, partition of unity, reproduction of polynomials, derivatives, dof counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "numerics/element.h"

enum { NODES = 27 };

static void test_nodal(void **state) {
  for (int e = 0; e < element_count; e++)
    for (int dim = 1; dim <= 3; dim++) {
      double x[NODES * 3], phi[NODES * NODES];
      int n = element_nodes(&elements[e], dim);
      assert_in_range(n, 1, NODES);
      elements[e].nodes(dim, x);
      elements[e].tabulate(dim, n, x, phi, NULL, NULL);
      for (int p = 0; p < n; p++)
        for (int a = 0; a < n; a++) assert_true(fabs(phi[p * n + a] - (p == a)) < 1e-14);
    }
}

/* p(x) = sum of all monomials up to the element's degree, with distinct coefficients; value, gradient and Hessian at d. */
static double polynomial(int degree, int dim, const double *x, double *grad, double *hess) {
  double s = 0;
  memset(grad, 0, 3 * sizeof *grad);
  memset(hess, 0, 9 * sizeof *hess);
  for (int i = 0; i <= degree; i++)
    for (int j = 0; j <= (dim > 1 ? degree - i : 0); j++)
      for (int k = 0; k <= (dim > 2 ? degree - i - j : 0); k++) {
        int e[3] = {i, j, k};
        double c = 1 + i + 2.5 * j - 1.5 * k, f[3][3];
        for (int d = 0; d < 3; d++) {
          double t = d < dim ? x[d] : 0;
          f[d][0] = e[d] ? pow(t, e[d]) : 1;
          f[d][1] = e[d] ? e[d] * pow(t, e[d] - 1) : 0;
          f[d][2] = e[d] > 1 ? e[d] * (e[d] - 1) * pow(t, e[d] - 2) : 0;
        }
        s += c * f[0][0] * f[1][0] * f[2][0];
        for (int a = 0; a < 3; a++) {
          grad[a] += c * f[0][a == 0] * f[1][a == 1] * f[2][a == 2];
          for (int b = 0; b < 3; b++) hess[3 * a + b] += c * f[0][(a == 0) + (b == 0)] * f[1][(a == 1) + (b == 1)] * f[2][(a == 2) + (b == 2)];
        }
      }
  return s;
}

static void test_reproduction(void **state) {
  const double at[3] = {.21, .33, .17};
  for (int e = 0; e < element_count; e++)
    for (int dim = 1; dim <= 3; dim++) {
      const Element *el = &elements[e];
      double x[NODES * 3], phi[NODES], dphi[NODES * 3], d2phi[NODES * 9], g[3], h[9], v = 0, gg[3] = {0}, hh[9] = {0};
      int n = element_nodes(el, dim);
      el->nodes(dim, x);
      el->tabulate(dim, 1, at, phi, dphi, d2phi);
      for (int a = 0; a < n; a++) {
        double u = polynomial(el->degree, dim, x + a * dim, g, h);
        v += u * phi[a];
        for (int i = 0; i < dim; i++) {
          gg[i] += u * dphi[a * dim + i];
          for (int j = 0; j < dim; j++) hh[3 * i + j] += u * d2phi[(a * dim + i) * dim + j];
        }
      }
      assert_true(fabs(v - polynomial(el->degree, dim, at, g, h)) < 1e-13);
      for (int i = 0; i < dim; i++) {
        assert_true(fabs(g[i] - gg[i]) < 1e-12);
        for (int j = 0; j < dim; j++) assert_true(fabs(h[3 * i + j] - hh[3 * i + j]) < 1e-11);
      }
    }
}

static void test_rows(void **state) {
  assert_int_equal(element_nodes(element_find("P1"), 3), 4);
  assert_int_equal(element_nodes(element_find("P2"), 1), 3);
  assert_int_equal(element_nodes(element_find("P2"), 2), 6);
  assert_int_equal(element_nodes(element_find("P2"), 3), 10);
  assert_null(element_find("P9"));
  for (int e = 0; e < element_count; e++) {
    assert_true(elements[e].doc && *elements[e].doc);
    assert_ptr_equal(element_find(elements[e].name), &elements[e]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodal), cmocka_unit_test(test_reproduction), cmocka_unit_test(test_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
