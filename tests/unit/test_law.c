/* Laws: what is one law and what is not, in agreement with another implementation; why a text is none; what became of the author's fields. */
#include "law_lab.h"

/* ---- one law or two --------------------------------------------------------------------------------------------------------------------------------------------- */

static bool same(int dim, const char *a, const char *b) {
  LawLab l = law_lab(dim), m = law_lab(dim);
  Law *x = lab_law(&l, a), *y = lab_law(&m, b);
  bool equal = !strcmp(x->key, y->key);
  assert_int_equal(equal, !strcmp(x->id, y->id));
  law_free(x), law_free(y);
  return equal;
}

static void equalities(void **state) {
  static const char *const equal[][2] = {
      {"dx(C0*ux)+dy(C0*uy)", "C3*lap(u)+dx(C3)*ux+dy(C3)*uy"}, {"dx(C0*ux)+dy(C0*uy)", "-dx(C0*ux)-dy(C0*uy)"},
      {"C0*lap(u)+C1*ux+C2*uy", "C2*(uxx+uyy)-C0*ux-2*C1*uy"}, {"C1*dx(tanh(u))", "C0*ux*(1-tanh(u)**2)"}, {"0*lap(u)", "0"},
      {"dx(C0*ux)+dy(C0*uy)+C1*ux+C2*uy", "C0*lap(u)-C1*ux+C2*uy"}, {"C0*lap(u)+C1*uyy", "C1*uxx+C0*uyy"}, {"C0*u+u", "C1*u"}, {"C0*u+u", "C0*u+C1*u"},
      {"dx(C0*ux)+C0*uyy+C1*ux", "C0*lap(u)+C1*ux"}, {"dy(C0*uy)+dx(C1*ux)+dy(C1*uy)+C2*u", "dx(C0*ux)+dy(C1*uy)+C2*u"},
      /* beyond the prototype: what only derivatives of a field reach, what a constant reaches, fields of fewer coordinates, identities of functions */
      {"dx(C0)*u", "C0*u"}, {"lap(C0)*u+dx(C1)*ux", "C0*u+C1*ux"}, {"dx(C0)*u+dy(C1)*u", "C0*u"}, {"dx(C0*ux)+dy(C0*uy)+3*lap(u)", "dx(C0*ux)+dy(C0*uy)"},
      {"dx(dx(C0)*ux)+dy(dx(C0)*uy)", "dx(C0*ux)+dy(C0*uy)"}, {"X0*u+3*u", "X0*u"}, {"X0*u+X1*u", "X0*u"}, {"dx(X0*ux)+X1*ux", "X0*uxx+X1*ux"}, {"C0*u+X0*u", "C0*u"},
      {"dx(C0*ux)+dy(C0*uy)+dx(X0*ux)+dy(X0*uy)", "dx(C0*ux)+dy(C0*uy)"}, {"C0*(sin(u)**2+cos(u)**2)", "C0"}, {"C0*exp(u)**2", "C0*exp(2*u)"}, {"C0*exp(u)*exp(-u)", "C0"},
      {"C0*tanh(-u)", "C0*tanh(u)"}, {"cos(u-ux)", "cos(ux-u)"}, {"K0*u+C0*u", "C0*u"}, {"K0*u+2*u", "K1*u"}};
  static const char *const different[][2] = {{"C0*lap(u)+C1*ux+C2*uy", "C0*lap(u)+C1*ux"},
                                             {"dx(C0*ux)+dy(C1*uy)", "dx(C0*ux)+dy(C0*uy)"},
                                             {"dx(C0*ux)+dy(C0*uy)", "C0*lap(u)"},
                                             {"dx(C0*ux)+C1*uyy", "dx(C0*ux)+dy(C1*uy)"},
                                             {"X0*u", "C0*u"}, {"X0*u", "Y0*u"}, {"X0*u", "K0*u"},
                                             {"dx(C0*ux)+dy(C0*uy)+C1*uyy", "dx(C0*ux)+dy(C0*uy)"},
                                             {"u", "2*u"}, {"u", "-u"}, {"C0*u+u**2", "C0*u+2*u**2"}};
  for (size_t k = 0; k < sizeof equal / sizeof *equal; k++)
    if (!same(2, equal[k][0], equal[k][1])) fail_msg("%s is not %s", equal[k][0], equal[k][1]);
  for (size_t k = 0; k < sizeof different / sizeof *different; k++)
    if (same(2, different[k][0], different[k][1])) fail_msg("%s is %s", different[k][0], different[k][1]);
  assert_true(same(1, "dx(C0*ux)+C1*ux", "C0*uxx+C1*ux") && !same(1, "dx(C0*ux)", "C0*uxx"));
}

static void forms(void **state) {
  static const char *const expected[][2] = {{"dx(C0*ux)+dy(C0*uy)", "C1*(uyy + uxx) + dy(C1)*uy + dx(C1)*ux"},
                                            {"C0*lap(u)+dx(C1*ux)+dy(C1*uy)+3*u-C2", ""},
                                            {"0", "0"}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    LawLab l = law_lab(2);
    Law *law = lab_law(&l, expected[k][0]);
    print_message("%s: %s %s\n", expected[k][0], law->key, law->id);
    law_free(law);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equalities), cmocka_unit_test(forms)};
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
