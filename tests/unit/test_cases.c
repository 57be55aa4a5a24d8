/* Files of data: npz of ours and of NumPy, HDF5, in all kinds of damage; cases of a map in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../numerics/cases.h"
#include "npz_by_numpy.h"

static char directory[] = "/tmp/pde-cases-XXXXXX";
static SourceMap *sources;
static Diags diags;
static const Span NOWHERE = {0, 0};

static const char *in(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static void says(const char *word) {
  assert_int_equal(diags.nerrors, 1);
  if (!strstr(diags.items[0]->message, word)) fail_msg("`%s` is not in: %s", word, diags.items[0]->message);
  diags_clear(&diags);
}

static Cases *sample(void) {
  Cases *cases = calloc(1, sizeof *cases);
  *cases = (Cases){.n = 3, .ninputs = 2, .noutputs = 2, .nt = 4, .nnodes = 5, .dim = 2};
  cases->inputs = calloc(2, sizeof *cases->inputs);
  cases->outputs = calloc(2, sizeof *cases->outputs);
  UnitScale force, length;
  assert_true(unit_parse("N/m", &force) && unit_parse("m", &length));
  cases->inputs[0] = (CaseArray){.name = strdup("fx"), .unit = force.unit, .has_unit = true, .ncomp = 1, .size = 1};
  cases->inputs[1] = (CaseArray){.name = strdup("ux"), .in_time = true, .ncomp = 1, .size = 4};
  cases->outputs[0] = (CaseArray){.name = strdup("u"), .unit = length.unit, .has_unit = true, .in_time = true, .on_nodes = true, .ncomp = 2, .size = 40};
  cases->outputs[1] = (CaseArray){.name = strdup("energy"), .ncomp = 1, .size = 1};
  cases->t = calloc(4, sizeof(double));
  cases->nodes = calloc(10, sizeof(double));
  for (int k = 0; k < 4; k++) cases->t[k] = 0.1 * k;
  for (int k = 0; k < 10; k++) cases->nodes[k] = sin(k);
  for (int a = 0; a < 4; a++) {
    CaseArray *array = a < 2 ? &cases->inputs[a] : &cases->outputs[a - 2];
    array->values = calloc(3 * array->size, sizeof(double));
    for (size_t k = 0; k < 3 * array->size; k++) array->values[k] = exp(0.1 * (double)k) / (3 + a) * (k % 2 ? -1 : 1);
  }
  return cases;
}

static void same(const Cases *a, const Cases *b) {
  assert_true(a->n == b->n && a->nt == b->nt && a->nnodes == b->nnodes && a->dim == b->dim && a->ninputs == b->ninputs && a->noutputs == b->noutputs);
  assert_memory_equal(a->t, b->t, 4 * sizeof(double));
  assert_memory_equal(a->nodes, b->nodes, 10 * sizeof(double));
  for (int k = 0; k < 4; k++) {
    const CaseArray *x = k < 2 ? &a->inputs[k] : &a->outputs[k - 2], *y = k < 2 ? cases_input(b, x->name) : cases_output(b, x->name);
    assert_non_null(y);
    assert_true(x->in_time == y->in_time && x->on_nodes == y->on_nodes && x->ncomp == y->ncomp && x->size == y->size && x->has_unit == y->has_unit && unit_equal(x->unit, y->unit));
    assert_memory_equal(x->values, y->values, 3 * x->size * sizeof(double));
  }
}

static void round_trip(void **state) {
  Cases *cases = sample();
  for (int h5 = 0; h5 < 2; h5++) {
    ArrayFile file;
    const char *path = in(h5 ? "cases.h5" : "cases.npz");
    cases_to_arrays(cases, &file);
    assert_int_equal(h5 ? io_h5_arrays_write(path, &file, &diags, NOWHERE) : npz_write(path, &file, &diags, NOWHERE), 0);
    arrays_free(&file);
    assert_int_equal(h5 ? io_h5_arrays_read(path, &diags, NOWHERE, &file) : npz_read(path, &diags, NOWHERE, &file), 0);
    Cases *back = cases_from_arrays(&file, NULL, 0, NULL, 0, path, &diags, NOWHERE);
    assert_non_null(back);
    assert_int_equal(diags.n, 0);
    same(cases, back);
    cases_free(back);
  }
  Buf text = {0};
  cases_print(&text, cases);
  assert_string_equal(text.text, "3 cases of fx [N/m], ux(t) -> u(t) [m] (2 components), energy, 5 nodes, 4 times");
  buf_free(&text);
  cases_free(cases);
}

/* Compressed, in Fortran's order, big-endian, of single precision, with units. */
static void from_numpy(void **state) {
  ArrayFile file;
  char *bad = npz_parse(by_numpy, sizeof by_numpy, &file);
  if (bad) fail_msg("%s", bad);
  Cases *cases = cases_from_arrays(&file, NULL, 0, NULL, 0, "by_numpy.npz", &diags, NOWHERE);
  assert_non_null(cases);
  assert_true(cases->n == 5 && cases->nnodes == 3 && cases->dim == 2 && cases->outputs[0].ncomp == 4);
  assert_true(cases->inputs[0].values[2] == 500);                              /* kN */
  assert_true(cases->nodes[2] == 1e-3 && cases->nodes[5] == 1e-3);             /* mm */
  for (int k = 0; k < 60; k++) assert_float_equal(cases->outputs[0].values[k], 1e-6 * k, 1e-18);
  cases_free(cases);
}

/* Cut anywhere, with any byte changed: an error or numbers, never more than that. */
static void damaged(void **state) {
  unsigned char *bytes = malloc(sizeof by_numpy);
  int refused = 0, tried = 0;
  for (size_t n = 0; n < sizeof by_numpy; n++) {
    ArrayFile file;
    memcpy(bytes, by_numpy, sizeof by_numpy);
    char *bad = npz_parse(bytes, n, &file);
    assert_non_null(bad);
    free(bad);
    for (int flip = 1; flip < 256; flip *= 4) {
      bytes[n] ^= (unsigned char)flip;
      bad = npz_parse(bytes, sizeof by_numpy, &file);
      tried++;
      refused += bad != NULL;
      free(bad);
      arrays_free(&file);
      bytes[n] ^= (unsigned char)flip;
    }
  }
  assert_true(refused > tried / 2);                      /* local headers repeat the directory and are not looked at */
  free(bytes);
  Cases *cases = sample();
  ArrayFile file;
  cases_to_arrays(cases, &file);
  assert_int_equal(io_h5_arrays_write(in("cut.h5"), &file, &diags, NOWHERE), 0);
  arrays_free(&file);
  cases_free(cases);
  assert_int_equal(truncate(in("cut.h5"), 2000), 0);
  assert_true(io_h5_arrays_read(in("cut.h5"), &diags, NOWHERE, &file));
  says("cut.h5` cannot be used");
  assert_true(io_h5_arrays_read(in("none.h5"), &diags, NOWHERE, &file));
  says("cannot be opened");
  assert_true(npz_read(in("none.npz"), &diags, NOWHERE, &file));
  says("No such file");
}

static void npy_heads(void **state) {
  static const struct { const char *head, *word; } bad[] = {
      {"{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", "type '<c16'"},
      {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "records"},
      {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "type '|O'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (100,), }", "cut off"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,99999999999), }", "beyond all memory"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", "not a list of numbers"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1), }", "more than 6 dimensions"},
      {"{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", "2 bytes"},
      {"{'descr': '<U0', 'fortran_order': False, 'shape': (9999999,), }", "texts"},
      {"{}", "type"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    unsigned char bytes[400] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    size_t len = strlen(bad[k].head);
    NamedArray array = {0};
    bytes[8] = (unsigned char)len;
    memcpy(bytes + 10, bad[k].head, len);
    char *why = npy_parse(bytes, 10 + len + 8, &array);
    if (!why || (!strstr(why, bad[k].word) && strcmp(bad[k].head, "{}"))) fail_msg("`%s` is not in: %s", bad[k].word, why ? why : "nothing");
    free(why);
  }
}

static ArrayFile with(const char *name, int rank, const size_t *shape, double first) {
  Cases *cases = sample();
  ArrayFile file;
  cases_to_arrays(cases, &file);
  cases_free(cases);
  NamedArray *array = arrays_find(&file, name);
  if (!array) array = arrays_add(&file, name, strlen(name));
  array->rank = rank;
  memcpy(array->shape, shape, (size_t)rank * sizeof *shape);
  free(array->values);
  array->values = calloc(array_count(array) + 1, sizeof(double));
  for (size_t k = 0; k < array_count(array); k++) array->values[k] = first + (double)k;
  return file;
}

static void wrong_shapes(void **state) {
  struct { const char *name, *word; int rank; size_t shape[4]; double first; } wrong[] = {
      {"inputs/fx", "`inputs/ux` has 3 cases", 1, {2}, 0},          {"inputs/ux", "7 times", 2, {3, 7}, 0},          {"inputs/fx", "[3][4][1]; expected was [N] or", 3, {3, 4, 1}, 0}, {"t", "[4][1]", 2, {4, 1}, 0},
      {"t", "do not rise", 1, {4}, NAN},        {"nodes", "[5]", 1, {5}, 0},                     {"nodes", "no finite", 2, {5, 2}, NAN},     {"outputs/u", "[3][4][6][2]", 4, {3, 4, 6, 2}, 0},
      {"outputs/u", "5 cases", 2, {5, 5}, 0}, {"outputs/energy", "of one number", 0, {0}, 0}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    ArrayFile file = with(wrong[k].name, wrong[k].rank, wrong[k].shape, wrong[k].first);
    assert_null(cases_from_arrays(&file, NULL, 0, NULL, 0, "d.npz", &diags, NOWHERE));
    says(wrong[k].word);
  }
  ArrayFile file = with("inputs/fx", 1, (size_t[]){3}, NAN);
  Cases *cases = cases_from_arrays(&file, (const char *[]){"ux", "fx"}, 2, (const char *[]){"u"}, 1, "d.npz", &diags, NOWHERE);
  assert_non_null(cases);
  assert_int_equal(diags.n, 1);
  assert_int_equal(diags.nerrors, 0);
  assert_non_null(strstr(diags.items[0]->message, "3 of 3 values of `inputs/fx`"));
  assert_string_equal(cases->inputs[0].name, "ux");
  assert_int_equal(cases->noutputs, 1);
  diags_clear(&diags);
  cases_free(cases);
  file = with("inputs/fx", 1, (size_t[]){3}, 0);
  arrays_find(&file, "inputs/fx")->unit[0] = '?';
  assert_null(cases_from_arrays(&file, NULL, 0, NULL, 0, "d.npz", &diags, NOWHERE));
  says("is not known");
  file = with("inputs/fx", 1, (size_t[]){3}, 0);
  assert_null(cases_from_arrays(&file, (const char *[]){"fz"}, 1, NULL, 0, "d.npz", &diags, NOWHERE));
  says("there is no `inputs/fz` in it; there is `t`, `nodes`, `inputs/fx`");
}

static void units(void **state) {
  UnitScale u, v;
  assert_true(unit_parse("kg/(m*s^2)", &u) && unit_parse("Pa", &v) && unit_equal(u.unit, v.unit) && u.scale == 1);
  assert_true(unit_parse(" W/m/K ", &u) && unit_parse("W*m^-1*K^(-1)", &v) && unit_equal(u.unit, v.unit));
  assert_true(unit_parse("GPa", &u) && u.scale == 1e9);
  assert_true(unit_parse("", &u) && unit_is_none(u.unit) && unit_parse("1", &u) && unit_is_none(u.unit) && unit_parse("1/s", &u) && !unit_is_none(u.unit));
  assert_true(unit_parse("m^(1/2)", &u) && unit_parse("mm^2", &v) && fabs(v.scale - 1e-6) < 1e-20);
  assert_true(unit_parse("degC", &u) && u.offset == 273.15);
  static const char *const bad[] = {"nonsense", "m*", "m^", "(m", "m)", "m s", "degC^2", "degC*m", "m/0", "^2", "((((((((((((((((((((((m", "m^1/", "12"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (unit_parse(bad[k], &u)) fail_msg("`%s` is no unit", bad[k]);
}

int main(void) {
  if (!mkdtemp(directory)) return 1;
  sources = sources_new();
  diags.sources = sources;
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(from_numpy), cmocka_unit_test(damaged), cmocka_unit_test(npy_heads), cmocka_unit_test(wrong_shapes), cmocka_unit_test(units)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  diags_free(&diags);
  sources_free(sources);
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", directory);
  return system(command) || failed;
}
