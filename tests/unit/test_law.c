/* Laws: what is one law and what is not, in agreement with another implementation; why a text is none; what became of the author's fields. */
#include <stdio.h>

#include "law_lab.h"

#include "../../numerics/law_hei.h"

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

/* Canonical forms as texts, and what the author's fields became. */
static void forms(void **state) {
  static const struct { const char *text, *key, *form, *fates; } expected[] = {
      {"dx(C0*ux)+dy(C0*uy)", "C1*(uyy + uxx) + dy(C1)*uy + dx(C1)*ux", "dt(u) == div(C0*grad(u))", "C0=C0"},
      {"-2*dx(C0*ux)-2*dy(C0*uy)", "C1*(uyy + uxx) + dy(C1)*uy + dx(C1)*ux", "dt(u) == div(C1*grad(u))", "C0=-C1/2"},
      {"dx(C0*ux)+dy(C1*uy)", "C1*uyy + dy(C1)*uy + C2*uxx + dx(C2)*ux", "dt(u) == dy(C1*dy(u)) + dx(C0*dx(u))", "C0=C0 C1=C1"},
      {"dx(C0*ux)+dy(C0*uy)+C1*ux+C2*uy", "C1*uy + C2*(uyy + uxx) + C3*ux", "dt(u) == C3*dy(u) + C0*lap(u) + C4*dx(u)", "C0=C0 C1=-dx(C0) + C4 C2=C3 - dy(C0)"},
      {"C0*u+u", "C1*u", "dt(u) == C1*u", "C0=C1 - 1"},
      {"C0*u+C1*u", "C1*u", "dt(u) == C2*u", "C0=not separately identifiable C1=not separately identifiable"},
      {"C0*lap(u)+C1*uyy", "C1*uyy + C2*uxx", "dt(u) == C2*dy(dy(u)) + C0*dx(dx(u))", "C0=C0 C1=C2 - C0"},
      {"dx(C0)*u", "C1*u", "dt(u) == C1*u", "C0=not separately identifiable"},
      {"C0*u-C0*u", "0", "dt(u) == 0", "C0=not part of the law"},
      {"lap(C0*u**2)", "C1*(u*uyy + u*uxx + uy^2 + ux^2) + dy(C1)*2*u*uy + dy(dy(C1))*1/2*u^2 + dx(C1)*2*u*ux + dx(dx(C1))*1/2*u^2", "dt(u) == lap(C1*u^2/2)", "C0=C1/2"},
      {"C0*lap(u)*(1+u**2)-X0*tanh(u)+3", "X1*tanh(u) + C2*(u^2*uyy + u^2*uxx + uyy + uxx) + 3", "dt(u) == X1*tanh(u) + C0*(u^2*dy(dy(u)) + u^2*dx(dx(u)) + lap(u)) + 3", "C0=C0 X0=-X1"},
      {"C0*lap(u)+C1+3*u*ux", "C1*(uyy + uxx) + C2 + 3*u*ux", "dt(u) == C1 + C0*lap(u) + 3*u*dx(u)", "C0=C0 C1=C1"},
  };
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    LawLab l = law_lab(2);
    Law *law = lab_law(&l, expected[k].text);
    Buf form = {0}, fates = {0};
    law_print(&form, law, EXPR_TEXT);
    for (int i = 0; i < law->nauthors; i++) buf_printf(&fates, "%s%s=", i ? " " : "", law->author[i].name), law_tell(&fates, law, &law->author[i]);
    assert_string_equal(law->key, expected[k].key);
    assert_string_equal(buf_str(&form), expected[k].form);
    assert_string_equal(buf_str(&fates), expected[k].fates);
    buf_free(&form), buf_free(&fates);
    law_free(law);
  }
}

/* Which of the texts of tests/data/laws.txt are one law. */
static void agreement(void **state) {
  enum { MOST = 800 };
  static char id[MOST][16];
  static int of_other[MOST], group[MOST];
  char path[1024], line[1024];
  int n = 0;
  snprintf(path, sizeof path, "%s/data/laws.txt", TEST_SRCDIR);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  while (n < MOST && fgets(line, sizeof line, file)) {
    int at;
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '#' || sscanf(line, "%d %d %n", &of_other[n], &group[n], &at) != 2) continue;
    LawLab l = law_lab(2);
    Law *law = lab_law(&l, line + at);
    snprintf(id[n++], sizeof *id, "%s", law->id);
    law_free(law);
  }
  fclose(file);
  assert_int_equal(n, 616);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) {
      if (of_other[i] == of_other[k]) assert_string_equal(id[i], id[k]);
      if ((group[i] == group[k]) != !strcmp(id[i], id[k])) fail_msg("texts %d and %d of laws.txt", k + 1, i + 1);
    }
}

static void relations(void **state) {
  static const struct { const char *a, *b; LawRelation is; } expected[] = {
      {"dx(C0*ux)+dy(C0*uy)+C1*u", "C0*u+dy(C1*uy)+dx(C1*ux)", LAW_EXACT}, {"dx(C0*ux)+dy(C0*uy)", "dx(C0)*ux+dy(C0)*uy+C0*lap(u)", LAW_BY_RULES},
      {"dx(C0*ux)+dy(C0*uy)", "-2*dx(C0*ux)-2*dy(C0*uy)", LAW_BY_SCALE},   {"C0*lap(u)+C1*ux+C2*uy", "dx(C0*ux)+dy(C0*uy)+C1*ux+C2*uy", LAW_BY_FIELDS},
      {"C0*u", "C0*ux", LAW_OTHER}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    LawLab l = law_lab(2), m = law_lab(2);
    Law *a = lab_law(&l, expected[k].a), *b = lab_law(&m, expected[k].b);
    assert_int_equal(law_relation(a, b), expected[k].is);
    assert_int_equal(law_relation(b, a), expected[k].is);
    law_free(a), law_free(b);
  }
}

/* ---- what is no law ------------------------------------------------------------------------------------------------------------------------------------------------- */

static void faults(void **state) {
  static const struct { const char *text; DiagCode code; } expected[] = {
      {"C0*u/2", E4005},       {"C0/u", E4013},          {"C0*C1*u", E4006},         {"C0**2*u", E4006},  {"tanh(C0*u)", E4018},    {"sin(u-u+1)", E4005},     {"C0*u**(0-1)", E4013},
      {"lap(lap(ux))", E4014}, {"dx(lap(C0))*u", E4015}, {"u**1000000", E4019},      {"C0*sqrt(u)", E4013}, {"(1+u+ux+uy+uxx)**60", E4019},
      {"((u+ux+1)**9+(uy+uxx+2)**9)**9*((u+1)**9+uyy)**9", E4019}, {"C0*(exp(exp(exp(u+1)*3)*5)+u)**64*(1+ux)**64", E4019}, {"C0*9999999*u", E4005}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    LawLab l = law_lab(2);
    LawFault fault = {0};
    Law *law = lab_law_or(&l, expected[k].text, &fault);
    if (law || fault.code != expected[k].code) fail_msg("%s: %s", expected[k].text, law ? "a law" : fault.found);
  }
  LawLab l = law_lab(2);
  LawFault fault;
  Expr *u = law_state(&l.space), *deep = u;
  assert_null(law_new(&l.space, NULL, 0, un(EXPR_DTT, u), u, &fault));
  assert_int_equal(fault.code, E4003);
  for (int k = 0; k < 3000; k++) deep = un(EXPR_TANH, deep);
  assert_null(law_new(&l.space, NULL, 0, NULL, deep, &fault));
  assert_int_equal(fault.code, E4011);
}

/* ---- for the evaluator --------------------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Registered { HeiFeature feature[64]; char key[64][200]; int n; } Registered;
static int registered(Hei *hei, const HeiFeature *feature) {
  Registered *r = (Registered *)hei;
  for (int k = 0; k < r->n; k++)
    if (!strcmp(r->key[k], feature->key)) return k;
  r->feature[r->n] = *feature;
  snprintf(r->key[r->n], sizeof r->key[r->n], "%s", feature->key);
  return r->n++;
}

/* Parts of a candidate are the law: known and fields of given values and derivatives, at points, against the author's expression. */
static void candidates(void **state) {
  static const char *const text[] = {"C0*lap(u)*(1+u**2)", "dx(C0*ux)+dy(C1*uy)+3*u*ux-tanh(2*u)**2*C2", "C0*exp(-u)*u+C1*cos(u*ux)**3-sin(uxy)", "lap(C0*u)+dx(C1*u**3)", "0", "2*C0*u-4*C1*u**5"};
  Registered *r = calloc(1, sizeof *r);
  LawFeatures *features = law_features_new((Hei *)r, registered);
  for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
    LawLab l = law_lab(2);
    Law *law = lab_law(&l, text[k]);
    const HeiCandidate *c = law_candidate(features, law);
    assert_int_equal(c->nfields, law->nfields);
    assert_int_equal(c->nknown, law->known.n > 0);
    for (int p = 0; p < 300; p += 299) {
      double jets[HEI_JETS][300], out[300];
      const double *jet[HEI_JETS];
      for (int j = 0; j < HEI_JETS; j++) {
        jet[j] = jets[j];
        for (int i = 0; i < 300; i++) jets[j][i] = 0.3 + uniform((uint64_t)j * 1000 + (uint64_t)i);
      }
      for (int f = -1; f < c->nfields; f++) {
        const HeiPart *part = f < 0 ? c->known : c->field[f].part;
        for (int i = 0; i < (f < 0 ? c->nknown : c->field[f].nparts); i++) {
          const HeiFeature *g = &r->feature[part[i].feature];
          LawSum sum = f < 0 ? law->known : law->field[f].part[i].g;
          double want = 0;
          law_values(sum, jet, 300, out);
          want = out[p];
          if (!law_linear(sum, (double[LAW_JETS]){0})) g->values(g->user, jet, 300, out);
          else assert_true(!g->values);
          if (g->values) assert_close(part[i].factor * out[p], want, 1e-13);
        }
      }
    }
    law_free(law);
  }
  assert_int_equal(registered((Hei *)r, &(HeiFeature){.key = "u"}) < r->n - 1, 1);     /* shared */
  law_features_free(features);
  free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equalities), cmocka_unit_test(forms), cmocka_unit_test(agreement), cmocka_unit_test(relations), cmocka_unit_test(faults), cmocka_unit_test(candidates)};
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
