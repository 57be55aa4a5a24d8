/* Searches for laws with the evaluator alone, on small data: what they find, that they are deterministic and keep their budget, and that a law without
 * field and a law outside of the language are told as what they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/design.h"
#include "search_lab.h"

enum { N = 24, SNAPSHOTS = 36, QUARTER = 12, VALUES = N * N * SNAPSHOTS };
static double u[2][VALUES], times[SNAPSHOTS];
static const HeiOptions options = {.smooth_space = 14, .smooth_time = 10, .noise_edge = 1.02, .tests_space = 9, .tests_time = 3, .field = 5, .each = true, .threads = 1};
enum { SIN = 1, TANH = 2 };

static void open_lab(SearchLab *lab, int ny, unsigned functions) {
  HeiData data = {.nx = N, .ny = ny, .x = {0, 1}, .y = {0, 1}, .start = {0, QUARTER, 2 * QUARTER, 3 * QUARTER}, .t = times, .u = {u[0], u[1]}, .stride = SNAPSHOTS};
  HeiOutcome outcome;
  if (!search_lab_open(lab, &data, &options, functions, &outcome)) fail_msg("%s", hei_outcome_text(outcome));
}

/* u_t = div(D grad u) - k u: tests/data/hei.txt. */
static void read_measured(void) {
  for (int w = 0; w < 2; w++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/data/hei_%c.i16", TEST_SRCDIR, "ab"[w]);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (int k = 0; k < VALUES; k++) {
      int low = fgetc(file), high = fgetc(file);
      u[w][k] = (int16_t)(low | high << 8) / 4096.;
    }
    fclose(file);
  }
  for (int k = 0; k < SNAPSHOTS; k++) times[k] = k / 47.;
}

/* Waves of either trajectory, at nodes and times; uniform noise of `noise` around. */
static void make(int ny, double until, double noise, double (*at)(const Draw *start, double x, double y, double t)) {
  for (int k = 0; k < SNAPSHOTS; k++) times[k] = until * k / (SNAPSHOTS - 1);
  for (int w = 0; w < 2; w++) {
    Draw start = draw_open(11, 1, (uint64_t)w), errors = draw_open(11, 2, (uint64_t)w);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < ny; j++)
        for (int k = 0; k < SNAPSHOTS; k++) u[w][(i * ny + j) * SNAPSHOTS + k] = at(&start, i / (N - 1.), ny > 1 ? j / (N - 1.) : 0, times[k]) + noise * (2 * draw_uniform(&errors) - 1);
  }
}

/* u_t = lap(u), exactly. */
static double heat(const Draw *start, double x, double y, double t) {
  Draw draw = *start;
  double sum = 0;
  for (int m = 0; m < 10; m++) {
    double kx = draw_between(&draw, -8, 8), ky = draw_between(&draw, -8, 8), phase = draw_between(&draw, 0, 6.28), size = draw_between(&draw, -1, 1);
    sum += size * cos(kx * x + ky * y + phase) * exp(-(kx * kx + ky * ky) * t);
  }
  return sum;
}

static double heat_line(const Draw *start, double x, double y, double t) {
  Draw draw = *start;
  double sum = 0;
  for (int m = 0; m < 6; m++) {
    double k = draw_between(&draw, 2, 9), phase = draw_between(&draw, 0, 6.28), size = draw_between(&draw, -1, 1);
    sum += size * cos(k * x + phase + y) * exp(-k * k * t);
  }
  return sum;
}

/* Waves with the dispersion of deep water, in all directions: no law of first order in time. */
static double water(const Draw *start, double x, double y, double t) {
  Draw draw = *start;
  double sum = 0;
  for (int m = 0; m < 10; m++) {
    double kx = draw_between(&draw, -12, 12), ky = draw_between(&draw, -12, 12), phase = draw_between(&draw, 0, 6.28), size = draw_between(&draw, -1, 1);
    sum += size * cos(kx * x + ky * y + phase - draw_sign(&draw) * sqrt(9.8 * hypot(kx, ky)) * t);
  }
  return sum;
}

static bool is(SearchLab *lab, const StructureTrial *trial, const char *row) {
  Structure structure = structure_read(row, &lab->language);
  Law *law = search_lab_law(lab, &structure);
  bool same = law && !strcmp(law->id, trial->score.id);
  law_free(law);
  return same;
}

static void show(const StructureHunt *hunt) {
  for (int k = 0; k < hunt->n; k++) {
    const StructureTrial *t = &hunt->trial[k];
    Buf text = {0};
    structure_text(&t->law, &hunt->language, &text);
    print_message("%2d from %2d %-40s rank %.2f  %.5f, %d fields, apart %.2f  %s\n", k + 1, t->parent + 1, t->parent < 0 ? "" : structure_move_name[t->move], t->rank, t->score.error, t->score.fields, t->score.difference, buf_str(&text));
    buf_free(&text);
  }
}

static StructureHunt hunt(SearchLab *lab, StructureOptions how) {
  StructureHunt out;
  StructureJudge judge = search_lab_judge(lab);
  structure_hunt(&lab->language, &how, &judge, &out);
  if (getenv("SEARCH_SHOW")) show(&out);
  return out;
}

static const StructureTrial *submitted(const StructureHunt *hunt) {
  assert_true(hunt->choice.submit >= 0);
  return &hunt->trial[hunt->choice.submit];
}

static void beam(void **state) {
  (void)state;
  SearchLab lab, again;
  StructureOptions how = structure_defaults;
  how.budget = 40;
  read_measured();
  open_lab(&lab, N, SIN | TANH);
  StructureHunt first = hunt(&lab, how);
  assert_true(is(&lab, submitted(&first), "x.x y.y|.u"));
  assert_true(first.choice.recommended && !first.choice.hidden);
  assert_true(first.scored <= 40 && lab.charged == first.n);
  /* the start: no law, then laws of three families before any is refined */
  assert_int_equal(first.trial[0].parent, FROM_START);
  for (int k = 1; k <= how.diversify; k++) assert_int_equal(first.trial[k].parent, FROM_FAMILY);
  for (int k = 0; k < first.n; k++)
    for (int i = 0; i < k; i++) assert_string_not_equal(first.trial[k].score.id, first.trial[i].score.id);
  /* the same once more, from nothing and from what is known */
  open_lab(&again, N, SIN | TANH);
  StructureHunt second = hunt(&again, how);
  int charged = again.charged;
  StructureHunt third = hunt(&again, how);
  assert_true(again.charged == charged && second.n == first.n && third.n == first.n);
  for (int k = 0; k < first.n; k++) {
    assert_true(structure_equal(&first.trial[k].law, &second.trial[k].law) && structure_equal(&first.trial[k].law, &third.trial[k].law));
    assert_memory_equal(&first.trial[k].score.error, &second.trial[k].score.error, sizeof(double));
  }
  structure_hunt_free(&first), structure_hunt_free(&second), structure_hunt_free(&third);
  search_lab_close(&lab), search_lab_close(&again);
}

static void orders_and_budgets(void **state) {
  (void)state;
  SearchLab lab;
  StructureOptions how = structure_defaults;
  read_measured();
  open_lab(&lab, N, SIN);
  for (how.budget = 1; how.budget <= 7; how.budget += 3) {
    StructureHunt out = hunt(&lab, how);
    assert_true(out.scored == how.budget && out.end == HUNT_BUDGET);
    structure_hunt_free(&out);
  }
  how.budget = 40, how.shuffled = true;
  for (how.seed = 1; how.seed <= 2; how.seed++) {
    StructureHunt out = hunt(&lab, how);
    assert_true(is(&lab, submitted(&out), "x.x y.y|.u"));
    structure_hunt_free(&out);
  }
  how = structure_defaults, how.method = STRUCTURE_RANDOM, how.budget = 20;
  StructureHunt one = hunt(&lab, how), same = hunt(&lab, how);
  how.seed = 2;
  StructureHunt other = hunt(&lab, how);
  bool differs = false;
  assert_int_equal(one.scored, 20);
  for (int k = 0; k < 20; k++) assert_true(structure_equal(&one.trial[k].law, &same.trial[k].law)), differs = differs || !structure_equal(&one.trial[k].law, &other.trial[k].law);
  assert_true(differs);
  structure_hunt_free(&one), structure_hunt_free(&same), structure_hunt_free(&other);
  search_lab_close(&lab);
}

/* The simplest within a share of the least error, instead of the price of fields. */
static void simplest(void **state) {
  (void)state;
  StructureTrial trial[4] = {{.law = {.n = 1}, .score = {.id = "a", .fields = 1, .error = 0.052}},
                             {.law = {.n = 2}, .score = {.id = "b", .fields = 2, .error = 0.05, .deviation = 0.003}},
                             {.law = {.n = 3}, .score = {.id = "c", .fields = 3, .error = 0.051}},
                             {.law = {.n = 0}, .score = {.id = "d", .fields = 0, .error = 0.0501, .difference = 2}}};
  StructureHunt hunt = {.options = structure_defaults, .trial = trial, .n = 4};
  StructureJudge nothing = {0};
  assert_int_equal(structure_choose(&hunt, &nothing).submit, 0);
  hunt.options.within = 0.02;
  StructureChoice choice = structure_choose(&hunt, &nothing);
  assert_true(choice.submit == 1 && choice.best == 1 && choice.one_error == 3);
  hunt.options.within = 0.05;
  assert_int_equal(structure_choose(&hunt, &nothing).submit, 0);
}

static void no_field(void **state) {
  (void)state;
  SearchLab lab;
  make(N, 0.02, 0.005, heat);
  open_lab(&lab, N, SIN);
  StructureHunt out = hunt(&lab, structure_defaults);
  const StructureTrial *trial = submitted(&out);
  Structure law = structure_read(".xx .yy", &lab.language);
  law.group[0].domain = STRUCTURE_KNOWN;
  if (!structure_equal(&trial->law, &law) || !out.choice.recommended) {
    show(&out);
    fail();
  }
  structure_hunt_free(&out), search_lab_close(&lab);
}

static void one_dimension(void **state) {
  (void)state;
  SearchLab lab;
  make(1, 0.02, 0.002, heat_line);
  open_lab(&lab, 1, SIN);
  StructureHunt out = hunt(&lab, structure_defaults);
  const StructureTrial *trial = submitted(&out);
  Structure law = structure_read(".xx", &lab.language);
  law.group[0].domain = STRUCTURE_KNOWN;
  if (!structure_equal(&trial->law, &law) || !out.choice.recommended) {
    show(&out);
    fail();
  }
  structure_hunt_free(&out), search_lab_close(&lab);
}

static void outside(void **state) {
  (void)state;
  SearchLab lab;
  StructureOptions how = structure_defaults;
  how.budget = 24;
  make(N, 1, 0.02, water);
  open_lab(&lab, N, SIN);
  StructureHunt out = hunt(&lab, how);
  assert_false(out.choice.recommended);
  structure_hunt_free(&out), search_lab_close(&lab);
}

static bool said(void *user, const Structure *law, const StructureScore *score, StructureEvidence *out) {
  (void)law, (void)score;
  *out = *(StructureEvidence *)user;
  return true;
}

/* What the evidence of the chosen law says is passed on. */
static void told(void **state) {
  (void)state;
  StructureTrial trial = {.law = {.n = 3}, .score = {.id = "a", .fields = 3, .error = 0.05}};
  StructureHunt hunt = {.options = structure_defaults, .trial = &trial, .n = 1};
  StructureEvidence evidence = {.hidden = {false, true, true}, .ceiling = 0.03};
  StructureJudge judge = {.evidence = said, .user = &evidence};
  StructureChoice choice = structure_choose(&hunt, &judge);
  assert_true(choice.recommended && choice.hidden == 6 && choice.ceiling == 0.03);
  evidence.unexplained = true;
  assert_false(structure_choose(&hunt, &judge).recommended);
  evidence.unexplained = false, trial.score.error = 0.95;
  assert_false(structure_choose(&hunt, &judge).recommended);
}

/* Supports are subsets of the size asked for, explain more with size, and hold what the law has. */
static void groups(void **state) {
  (void)state;
  SearchLab lab;
  Structure term[HEI_GROUPS];
  HeiField field[HEI_GROUPS];
  HeiSupport support[5];
  int chosen, u_itself = -1;
  read_measured();
  open_lab(&lab, N, 0);
  int n = structure_library(&lab.language, term, HEI_GROUPS);
  for (int k = 0; k < n; k++) {
    Law *law = search_lab_law(&lab, &term[k]);
    assert_int_equal(law->nfields, 1);
    field[k] = law_candidate(lab.features, law)->field[0];
    Structure reaction = structure_read(".u", &lab.language);
    if (structure_equal(&term[k], &reaction)) u_itself = k;
    law_free(law);
  }
  assert_int_equal(hei_group(lab.hei, n, field, 5, support, &chosen), HEI_OK);
  for (int k = 0; k < 5; k++) {
    assert_true(support[k].n >= 1 && support[k].n <= k + 1 && support[k].residual < 1);
    for (int i = 1; i < support[k].n; i++) assert_true(support[k].group[i] > support[k].group[i - 1]);
  }
  assert_true(support[4].residual < support[0].residual && chosen > 0 && u_itself >= 0);
  bool has = false;
  for (int i = 0; i < support[chosen].n; i++) has = has || support[chosen].group[i] == u_itself;
  assert_true(has);
  assert_int_equal(hei_group(lab.hei, n, field, HEI_MAX_FIELDS + 1, support, &chosen), HEI_ILL_FORMED);
  search_lab_close(&lab);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beam), cmocka_unit_test(orders_and_budgets), cmocka_unit_test(simplest), cmocka_unit_test(no_field), cmocka_unit_test(one_dimension),
                                     cmocka_unit_test(outside), cmocka_unit_test(told), cmocka_unit_test(groups)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
