/* Structures: their text, the grammar, that each local move is there and gives the law it should, and that fitted fields put the right one first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/structure_law.h"

static Interner *names;
static LawSpace space[2];
static StructureLanguage language[2];
static const char *function[2][LAW_FUNCTIONS];

static int lab_open(void **state) {
  (void)state;
  names = interner_new();
  ExprPool *pool = expr_pool_new(names);
  for (int k = 0; k < 2; k++) {
    space[k] = (LawSpace){.pool = pool, .dim = 2 - k, .state = intern_text(names, "u"), .unit = UNIT_ANY, .order = 2, .functions = 3, .fields = 5, .nodes = 60};
    language[k] = structure_language(&space[k], function[k]);
  }
  return 0;
}

static int lab_close(void **state) {
  (void)state;
  expr_pool_free(space[0].pool);
  interner_free(names);
  return 0;
}

static Structure read(const char *row) { return structure_read(row, &language[0]); }

static void id_of(const Structure *structure, int dim, char id[16]) {
  LawFault fault;
  Law *law = structure_law(structure, &language[2 - dim], &space[2 - dim], names, &fault);
  if (!law) fail_msg("%s", fault.found);
  strcpy(id, law->id);
  law_free(law);
}

static bool same(const Structure *a, const Structure *b) {
  char x[16], y[16];
  id_of(a, 2, x), id_of(b, 2, y);
  return !strcmp(x, y);
}

static void texts(void **state) {
  (void)state;
  static const char *const rows[][2] = {{"x.x y.y", "dx(C1*dx(u)) + dy(C1*dy(u))"}, {".xx .yy|.u", "C1*lap(u) + C2*u"}, {".x|.y", "C1*dx(u) + C2*dy(u)"}, {".1", "C1"}, {"xx.u yy.u", "lap(C1*u)"},
                                        {".xx .yy .U*xx .U*yy", "C1*lap(u) + C1*u^2*lap(u)"}, {".x*x .y*y", "C1*dx(u)^2 + C1*dy(u)^2"}, {".xx*yy", "C1*dx(dx(u))*dy(dy(u))"}, {"", "0"},
                                        {"2*x.x", "2*dx(C1*dx(u))"}, {"x.u*x", "dx(C1*u*dx(u))"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    Structure law = read(rows[k][0]);
    Buf out = {0};
    structure_text(&law, &language[0], &out);
    assert_string_equal(buf_str(&out), rows[k][1]);
    buf_free(&out);
  }
  Structure law = read("x.x y.y|.u");
  law.group[0].domain = STRUCTURE_Y, law.group[1].domain = STRUCTURE_KNOWN, law.group[1].term[0].factor = -3;
  Buf out = {0};
  structure_hypothesis(&law, &language[0], &out);
  assert_string_equal(buf_str(&out), "unknown field C1(y)\ndt(u) == dx(C1*dx(u)) + dy(C1*dy(u)) - 3*u\n");
  buf_free(&out);
}

/* Every addition is a law of the language, and no two are the same law but by the gauge. */
static void grammar(void **state) {
  (void)state;
  for (int dim = 1; dim <= 2; dim++) {
    int n;
    Addition *addition = structure_additions(&language[2 - dim], &n);
    assert_true(dim == 2 ? n > 20 : n > 8);
    for (int k = 0; k < n; k++) {
      char id[16], other[16];
      id_of(&addition[k].law, dim, id);
      for (int i = 0; i < k; i++) id_of(&addition[i].law, dim, other), assert_string_not_equal(id, other);
      for (int g = 0; g < addition[k].law.n && dim == 1; g++) assert_int_equal(addition[k].law.group[g].domain, STRUCTURE_X);
    }
    free(addition);
    Structure all;
    structure_envelope(&language[2 - dim], &all);
    assert_int_equal(structure_fields(&all), dim == 2 ? 5 : 4);
  }
}

static const StructureStep *find(const StructureSteps *steps, StructureMove move, const Structure *law) {
  for (int k = 0; k < steps->n; k++)
    if ((int)move < 0 ? same(&steps->step[k].law, law) : steps->step[k].move == move && same(&steps->step[k].law, law)) return &steps->step[k];
  return NULL;
}

static void moves(void **state) {
  (void)state;
  static const struct { StructureMove move; const char *from, *to; } rows[] = {
      {MOVE_DROP_FIELD, "x.x y.y|.u", "x.x y.y"},
      {MOVE_DROP_FIELD, ".u", ""},
      {MOVE_DROP_TERM, "x.x y.y", "x.x"},
      {MOVE_ADD, ".xx .yy", ".xx .yy|.x|.y"},
      {MOVE_ADD, "", ".F"},
      {MOVE_INTO, ".xx .yy", "x.x y.y"},
      {MOVE_INTO, "x.x y.y|.u", "xx.u yy.u|.u"},
      {MOVE_INTO, ".x|.y", "x.u|y.u"},
      {MOVE_INTO, ".xx|.yy", "x.x|.yy"},
      {MOVE_OUT_OF, "x.x y.y", ".xx .yy"},
      {MOVE_OUT_OF, "x.x|y.y", ".xx|y.y"},
      {MOVE_OUT_OF, "x.u*x y.u*y", ".u*xx .u*yy"},
      {MOVE_SPLIT, "x.x y.y", "x.x|y.y"},
      {MOVE_SHARE, "x.x|y.y|.u", "x.x y.y|.u"},
      {MOVE_SHARE, ".x|.y", ".x .y"},
      {MOVE_ABSORB, ".xx .yy|.x|.y|.u", "x.x y.y|.u"},
      {MOVE_ABSORB, ".xx|.yy|.x|.y", "x.x|y.y"},
      {MOVE_ABSORB, ".xx|.yy|.x|.y", "x.x|.yy|.y"},
      {MOVE_ABSORB, ".x|.y|.u", "x.u|y.u"},
      {MOVE_EXPAND, "x.x y.y", ".xx .yy|.x|.y"},
      {MOVE_EXPAND, "x.u", ".x|.u"},
      {MOVE_CHANGE, ".u", ".F"},
      {MOVE_CHANGE, ".u", ".U"},
      {MOVE_CHANGE, ".x", ".y"},
      {MOVE_CHANGE, ".xx .yy", ".u*xx .u*yy"},
      {MOVE_TRANSFER, ".xx|.yy|.u", ".xx .u|.yy"},
  };
  int nadditions;
  Addition *addition = structure_additions(&language[0], &nadditions);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    Structure from = read(rows[k].from), to = read(rows[k].to);
    StructureSteps steps = {0};
    structure_moves(&from, &language[0], addition, nadditions, NULL, &steps);
    if (!find(&steps, rows[k].move, &to)) fail_msg("no move `%s` from %s to %s", structure_move_name[rows[k].move], rows[k].from, rows[k].to);
    for (int i = 0; i < steps.n; i++) assert_true(structure_within(&steps.step[i].law, &language[0]));
    structure_steps_free(&steps);
  }
  free(addition);
}

/* What fields depend on, and integers instead of them. */
static void dependence(void **state) {
  (void)state;
  Structure law = read(".xx .yy"), along = law, fixed = law;
  along.group[0].domain = STRUCTURE_Y, fixed.group[0].domain = STRUCTURE_KNOWN;
  StructureSteps steps = {0};
  structure_moves(&law, &language[0], NULL, 0, NULL, &steps);
  assert_non_null(find(&steps, MOVE_DEPEND_LESS, &along));
  assert_non_null(find(&steps, MOVE_FIX, &fixed));
  structure_moves(&along, &language[0], NULL, 0, NULL, &steps);
  assert_non_null(find(&steps, MOVE_DEPEND_MORE, &law));
  structure_moves(&fixed, &language[0], NULL, 0, NULL, &steps);
  assert_non_null(find(&steps, MOVE_FREE, &law));
  structure_steps_free(&steps);
}

/* The product rule itself is no other law: what a search writes in expanded form costs nothing. */
static void product_rule(void **state) {
  (void)state;
  Structure inside = read("x.x y.y|.x|.y"), outside = read(".xx .yy|.x|.y"), free_fields = read("x.x y.y");
  assert_true(same(&inside, &outside) && !same(&inside, &free_fields));
}

enum { ANCHORS = 12 };
typedef double Plane[ANCHORS * ANCHORS];

static StructureMove first_of(const char *row, const Plane *value, const double *difference, const char *to) {
  double x[ANCHORS];
  for (int i = 0; i < ANCHORS; i++) x[i] = (i + 0.5) / ANCHORS;
  Structure law = read(row), expected = read(to);
  StructureEvidence evidence = {.nx = ANCHORS, .ny = ANCHORS, .x = x, .y = x};
  for (int k = 0; k < law.n; k++) evidence.value[k] = value[k], evidence.difference[k] = difference[k];
  int n, best = 0;
  Addition *addition = structure_additions(&language[0], &n);
  StructureSteps steps = {0};
  structure_moves(&law, &language[0], addition, n, &evidence, &steps);
  for (int k = 1; k < steps.n; k++)
    if (steps.step[k].rank < steps.step[best].rank) best = k;
  StructureMove move = steps.step[best].move;
  if (!same(&steps.step[best].law, &expected)) fail_msg("`%s` of rank %g comes first from %s", structure_move_name[move], steps.step[best].rank, row);
  structure_steps_free(&steps), free(addition);
  return move;
}

static void ranks(void **state) {
  (void)state;
  Plane field[5], sharing[2];
  for (int j = 0; j < ANCHORS; j++)
    for (int i = 0; i < ANCHORS; i++) {
      double x = (i + 0.5) / ANCHORS, y = (j + 0.5) / ANCHORS;
      int at = j * ANCHORS + i;
      field[0][at] = 2 + sin(3 * x) * cos(2 * y), field[1][at] = 3 * cos(3 * x) * cos(2 * y), field[2][at] = -2 * sin(3 * x) * sin(2 * y), field[3][at] = sin(5 * x + y);
      sharing[0][at] = field[0][at], sharing[1][at] = field[0][at] * (1 + 0.02 * sin(7 * x * y));
    }
  assert_int_equal(first_of(".xx .yy|.x|.y", (const Plane *)field, (double[]){0.1, 0.3, 0.3}, "x.x y.y"), MOVE_ABSORB);
  assert_int_equal(first_of(".xx|.yy", (const Plane *)sharing, (double[]){0.1, 0.1}, ".xx .yy"), MOVE_SHARE);
  memcpy(field[1], field[3], sizeof(Plane));
  assert_int_equal(first_of("x.x y.y|.u", (const Plane *)field, (double[]){0.05, 1.4}, "x.x y.y"), MOVE_DROP_FIELD);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(grammar), cmocka_unit_test(moves), cmocka_unit_test(dependence), cmocka_unit_test(product_rule), cmocka_unit_test(ranks)};
  return cmocka_run_group_tests(tests, lab_open, lab_close);
}
