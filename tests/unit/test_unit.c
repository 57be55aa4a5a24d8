/* Units: spellings, algebra, printing. */
#include "expr_lab.h"

static void prints(Unit unit, const char *wanted, const char *wanted_short) {
  Buf text = {0};
  unit_print(&text, unit);
  assert_string_equal(buf_str(&text), wanted);
  buf_clear(&text);
  unit_print_short(&text, unit);
  assert_string_equal(buf_str(&text), wanted_short);
  buf_free(&text);
}

static void is(const char *symbol, const char *base, double scale, double offset) {
  UnitScale got, wanted;
  assert_true(unit_symbol(symbol, &got));
  assert_true(unit_symbol(base, &wanted));
  assert_true(unit_equal(got.unit, wanted.unit));
  if (fabs(got.scale - scale) > 1e-15 * scale) fail_msg("%s: scale %.17g, not %.17g", symbol, got.scale, scale);
  assert_true(fabs(got.offset - offset) < 1e-10);
}

static void symbols(void **state) {
  (void)state;
  is("mm", "m", 1e-3, 0);
  is("um", "m", 1e-6, 0);
  is("μm", "m", 1e-6, 0);
  is("kg", "kg", 1, 0);
  is("g", "kg", 1e-3, 0);
  is("mg", "kg", 1e-6, 0);
  is("GPa", "Pa", 1e9, 0);
  is("hPa", "Pa", 100, 0);
  is("bar", "Pa", 1e5, 0);
  is("mbar", "Pa", 100, 0);
  is("atm", "Pa", 101325, 0);
  is("min", "s", 60, 0);
  is("h", "s", 3600, 0);
  is("d", "s", 86400, 0);
  is("ms", "s", 1e-3, 0);
  is("degC", "K", 1, 273.15);
  is("degF", "K", 5.0 / 9, 255.3722222222222);
  is("deg", "rad", M_PI / 180, 0);
  is("°", "rad", M_PI / 180, 0);
  is("percent", "1", 0.01, 0);
  is("eV", "J", 1.602176634e-19, 0);
  is("Ω", "ohm", 1, 0);
  is("kΩ", "ohm", 1e3, 0);
  is("cd", "cd", 1, 0);
  is("daN", "N", 10, 0);
  is("mmol", "mol", 1e-3, 0);
}

static void unknown_symbols(void **state) {
  (void)state;
  UnitScale s;
  static const char *const wrong[] = {"", "x", "kmin", "mdegC", "Kg", "mmm", "k", "katm", "m2", "pa"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) if (unit_symbol(wrong[i], &s)) fail_msg("%s is known", wrong[i]);
  assert_string_equal(unit_nearest("Kg"), "kg");
  assert_string_equal(unit_nearest("pa"), "Pa");
  assert_string_equal(unit_nearest("sec"), "s");
  assert_string_equal(unit_nearest("celsius"), "degC");
  assert_string_equal(unit_nearest("Gpa"), "GPa");
  assert_null(unit_nearest("furlongs"));
}

static void algebra(void **state) {
  (void)state;
  static const char *const all[] = {"m", "kg", "s", "K", "A", "mol", "cd", "N", "Pa", "J", "W", "V", "C", "F", "ohm", "S", "Wb", "T", "H", "Hz"};
  enum { N = sizeof all / sizeof *all };
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      Unit a = unit_of(all[i]), b = unit_of(all[j]), q;
      assert_true(unit_equal(unit_mul(a, b), unit_mul(b, a)));
      assert_true(unit_equal(unit_div(unit_mul(a, b), b), a));
      assert_true(unit_pow(unit_mul(a, b), 2, &q));
      assert_true(unit_equal(q, unit_mul(unit_mul(a, a), unit_mul(b, b))));
      assert_true(unit_pow(q, 0.5, &q));
      assert_true(unit_equal(q, unit_mul(a, b)));
      assert_true(unit_equal(a, b) == (i == j));
    }
  Unit m = unit_of("m"), q;
  assert_true(unit_pow(m, 1.0 / 3, &q));
  assert_true(unit_equal(unit_mul(unit_mul(q, q), q), m));
  assert_false(unit_pow(m, 0.2, &q));
  assert_true(unit_pow(m, 0, &q) && unit_is_none(q));
  assert_true(unit_fits(UNIT_ANY, m) && unit_fits(m, UNIT_ANY) && !unit_equal(UNIT_ANY, m));
  assert_true(unit_equal(unit_merge(UNIT_ANY, m), m) && unit_equal(unit_merge(m, UNIT_ANY), m));
  assert_true(unit_mul(UNIT_ANY, m).any && unit_div(m, UNIT_ANY).any);
  assert_false(unit_fits(m, UNIT_NONE));
  assert_true(unit_equal(unit_mul(unit_of("V"), unit_of("A")), unit_of("W")));
  assert_true(unit_equal(unit_mul(unit_of("N"), m), unit_of("J")));
  assert_true(unit_equal(unit_div(unit_of("V"), unit_of("A")), unit_of("ohm")));
}

static void printing(void **state) {
  (void)state;
  Unit m = unit_of("m"), s = unit_of("s"), K = unit_of("K"), W = unit_of("W"), Pa = unit_of("Pa"), root;
  prints(UNIT_NONE, "1", "");
  prints(UNIT_ANY, "any", "any");
  prints(m, "m", "m");
  prints(Pa, "kg/(m*s^2) (Pa)", "Pa");
  prints(W, "kg*m^2/s^3 (W)", "W");
  prints(unit_div(m, s), "m/s", "m/s");
  prints(unit_div(W, unit_mul(m, K)), "kg*m/(s^3*K) (W/(m*K))", "W/(m*K)");
  prints(unit_mul(Pa, s), "kg/(m*s) (Pa*s)", "Pa*s");
  prints(unit_div(UNIT_NONE, s), "1/s", "1/s");
  prints(unit_div(K, m), "K/m", "K/m");
  prints(unit_mul(m, m), "m^2", "m^2");
  prints(unit_div(unit_of("J"), unit_mul(unit_of("kg"), K)), "m^2/(s^2*K) (J/(kg*K))", "J/(kg*K)");
  assert_true(unit_pow(m, -0.5, &root));
  prints(root, "1/m^(1/2)", "1/m^(1/2)");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(symbols), cmocka_unit_test(unknown_symbols), cmocka_unit_test(algebra), cmocka_unit_test(printing)};
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
