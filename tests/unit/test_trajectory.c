/* Trajectories: what a file may hold and what not, tables, the four quarters of time, what is sealed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/trajectory.h"

enum { NT = 9, NY = 3, NX = 4 };

/* Its values: the arrays themselves move when one is added. */
static double *add(ArrayFile *file, const char *name, int rank, const size_t *shape, const char *unit) {
  NamedArray *a = arrays_add(file, name, strlen(name));
  a->rank = rank;
  memcpy(a->shape, shape, sizeof *shape * (size_t)rank);
  a->unit = unit ? strdup(unit) : NULL;
  return a->values = calloc(array_count(a) + 1, sizeof(double));
}

/* u = 100 k + 10 j + i */
static ArrayFile plane(const char *space, const char *time) {
  ArrayFile file = {0};
  double *t = add(&file, "t", 1, (size_t[]){NT}, time), *x = add(&file, "x", 1, (size_t[]){NX}, space), *y = add(&file, "y", 1, (size_t[]){NY}, space);
  for (int k = 0; k < NT; k++) t[k] = 0.5 * k;
  for (int k = 0; k < NX; k++) x[k] = 1 + 0.25 * k;
  for (int k = 0; k < NY; k++) y[k] = 2 * k;
  double *u = add(&file, "h", 3, (size_t[]){NT, NY, NX}, "mm");
  for (int k = 0; k < NT; k++)
    for (int j = 0; j < NY; j++)
      for (int i = 0; i < NX; i++) u[(k * NY + j) * NX + i] = 100 * k + 10 * j + i;
  return file;
}

static Status read(ArrayFile *file, int dim, bool columns, Diags *diags, Trajectory *out) {
  Status status = trajectory_from_arrays(file, &(TrajectoryForm){"h", dim, columns}, "a.npz", diags, (Span){0, 0}, out);
  arrays_free(file);
  return status;
}

static void test_units_and_layout(void **state) {
  ArrayFile file = plane("cm", "min");
  Diags diags = {0};
  Trajectory t;
  assert_int_equal(read(&file, 2, false, &diags, &t), 0);
  assert_true(t.nt == NT && t.ny == NY && t.nx == NX && t.t[1] == 30 && t.x[1] == 0.0125 && fabs(t.y[2] - 0.04) < 1e-15);
  assert_true(fabs(t.u[(5 * NY + 2) * NX + 3] - 0.523) < 1e-15);
  double *nodes = trajectory_by_nodes(&t);
  for (int k = 0; k < NT; k++)
    for (int j = 0; j < NY; j++)
      for (int i = 0; i < NX; i++) assert_true(nodes[(i * NY + j) * NT + k] == t.u[(k * NY + j) * NX + i]);
  ArrayFile again;
  Trajectory back;
  trajectory_to_arrays(&t, "h", 2, 7, &again);
  assert_int_equal(read(&again, 2, false, &diags, &back), 0);
  assert_true(back.nt == 5 && back.t[0] == t.t[2] && unit_equal(back.time, t.time) && unit_equal(back.state, t.state) && !memcmp(back.u, t.u + 2 * NY * NX, sizeof(double) * 5 * NY * NX));
  free(nodes);
  trajectory_free(&t);
  trajectory_free(&back);
  assert_int_equal(diags.n, 0);
}

/* ---- what is refused: each row breaks one thing ---- */

static NamedArray *of(ArrayFile *f, const char *name) { return arrays_find(f, name); }
static void lose(ArrayFile *f, const char *name) { strcpy(of(f, name)->name, "?"); }
static void no_t(ArrayFile *f) { lose(f, "t"); }
static void no_y(ArrayFile *f) { lose(f, "y"); }
static void no_state(ArrayFile *f) { lose(f, "h"); }
static void x_matrix(ArrayFile *f) { of(f, "x")->rank = 2, of(f, "x")->shape[0] = 2, of(f, "x")->shape[1] = 2; }
static void time_last(ArrayFile *f) { memcpy(of(f, "h")->shape, (size_t[]){NY, NX, NT}, 3 * sizeof(size_t)); }
static void y_last(ArrayFile *f) { memcpy(of(f, "h")->shape, (size_t[]){NT, NX, NY}, 3 * sizeof(size_t)); }
static void short_state(ArrayFile *f) { of(f, "h")->shape[0] = NT - 1; }
static void falling(ArrayFile *f) { of(f, "t")->values[4] = 1; }
static void equal_x(ArrayFile *f) { of(f, "x")->values[2] = 1.25; }
static void nan_t(ArrayFile *f) { of(f, "t")->values[3] = NAN; }
static void uneven(ArrayFile *f) { of(f, "x")->values[1] = 1.26; }
static void odd_unit(ArrayFile *f) { of(f, "h")->unit[0] = 'q', of(f, "h")->unit[1] = 'q'; }
static void second_y(ArrayFile *f) { free(of(f, "y")->unit), of(f, "y")->unit = strdup("s"); }

static void test_refused(void **state) {
  static const struct { void (*spoil)(ArrayFile *f); DiagCode code; const char *says; } rows[] = {
      {no_t, E4030, "`t`"},         {no_y, E4030, "`y`"},            {no_state, E4030, "`h`"},         {x_matrix, E4031, "[2][2]"},
      {time_last, E4031, "time comes first"}, {y_last, E4031, "y comes before x"}, {short_state, E4031, "[9][3][4]"}, {falling, E4032, "place 4"},
      {equal_x, E4032, "place 2"},  {nan_t, E4032, "place 3"},       {uneven, E4033, "equal steps"},   {odd_unit, E4034, "qq"},
      {second_y, E4034, "different units"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    ArrayFile file = plane("m", NULL);
    Diags diags = {0};
    Trajectory t;
    rows[k].spoil(&file);
    assert_int_equal(read(&file, 2, false, &diags, &t), 1);
    assert_int_equal(diags.n, 1);
    assert_int_equal(diags.items[0]->code, rows[k].code);
    if (!strstr(diags.items[0]->message, rows[k].says)) fail_msg("%s", diags.items[0]->message);
    assert_null(t.u);
    diags_free(&diags);
  }
  ArrayFile file = plane("m", NULL);
  Diags diags = {0};
  Trajectory t;
  assert_int_equal(read(&file, 1, false, &diags, &t), 1);
  assert_int_equal(diags.items[0]->code, E4031);
  diags_free(&diags);
}

/* The same numbers as rows in a shuffled order, less one. */
static void test_table(void **state) {
  ArrayFile file = plane("m", NULL), table = {0};
  Diags diags = {0};
  Trajectory grid, t;
  assert_int_equal(read(&file, 2, false, &diags, &grid), 0);
  size_t rows = NT * NY * NX;
  NamedArray *column[4];
  for (int c = 0; c < 4; c++) add(&table, (const char *const[]){"t", "x", "y", "h"}[c], 1, &rows, NULL);
  for (int c = 0; c < 4; c++) column[c] = &table.items[c];
  for (size_t r = 0; r < rows; r++) {
    size_t at = r * 31 % rows, i = at % NX, j = at / NX % NY, k = at / NX / NY;
    double values[4] = {grid.t[k], grid.x[i], grid.y[j], grid.u[at]};
    for (int c = 0; c < 4; c++) column[c]->values[r] = values[c];
  }
  for (int c = 0; c < 4; c++) column[c]->shape[0] = rows - 1;
  assert_int_equal(read(&table, 2, true, &diags, &t), 0);
  size_t lost = (rows - 1) * 31 % rows;
  assert_true(t.nt == NT && t.nx == NX && t.ny == NY && isnan(t.u[lost]));
  for (size_t at = 0; at < rows; at++) assert_true(at == lost || t.u[at] == grid.u[at]);
  trajectory_free(&t);
  trajectory_free(&grid);
  /* a place and time twice */
  for (int c = 0; c < 4; c++) add(&table, (const char *const[]){"t", "x", "y", "h"}[c], 1, (size_t[]){2}, NULL);
  assert_int_equal(read(&table, 2, true, &diags, &t), 1);
  assert_int_equal(diags.items[0]->code, E4031);
  diags_free(&diags);
}

static void test_quarters(void **state) {
  double times[NT] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  Trajectory t = {.dim = 1, .nx = 1, .ny = 1, .nt = NT, .t = times};
  Diags diags = {0};
  int start[5];
  assert_int_equal(trajectory_cut(&t, 2, "a", &diags, (Span){0, 0}, start), 0);
  assert_memory_equal(start, ((int[]){0, 2, 4, 6, 9}), sizeof start);
  assert_true(trajectory_uniform(&t, 0, 9));
  memcpy(times, (double[]){0, 0.5, 1, 3, 3.5, 5, 6, 7.5, 8}, sizeof times);      /* by time, not by number */
  assert_int_equal(trajectory_cut(&t, 1, "a", &diags, (Span){0, 0}, start), 0);
  assert_memory_equal(start, ((int[]){0, 3, 5, 6, 9}), sizeof start);
  assert_false(trajectory_uniform(&t, 0, 9));
  assert_int_equal(trajectory_cut(&t, 4, "a", &diags, (Span){0, 0}, start), 1);
  assert_int_equal(diags.items[diags.n - 1]->code, E4036);
  diags_free(&diags);
}

static void test_values_and_pairs(void **state) {
  Diags diags = {0};
  Trajectory a, b;
  long missing;
  ArrayFile file = plane("m", "s"), other = plane("m", "s");
  assert_int_equal(read(&file, 2, false, &diags, &a), 0);
  assert_int_equal(read(&other, 2, false, &diags, &b), 0);
  a.u[3] = NAN;
  assert_int_equal(trajectory_values(&a, 0, 4, "a", &diags, (Span){0, 0}, &missing), 0);
  assert_int_equal(missing, 1);
  a.u[8 * NY * NX] = INFINITY;      /* outside of what is asked for */
  assert_int_equal(trajectory_values(&a, 0, 6, "a", &diags, (Span){0, 0}, &missing), 0);
  assert_int_equal(trajectory_values(&a, 0, NT, "a", &diags, (Span){0, 0}, &missing), 1);
  assert_int_equal(diags.items[diags.n - 1]->code, E4037);
  for (int k = 0; k < NY * NX; k++) a.u[k] = NAN;
  assert_int_equal(trajectory_values(&a, 0, 1, "b", &diags, (Span){2, 3}, &missing), 1);
  assert_int_equal(trajectory_agree(&a, "a", &b, "b", &diags, (Span){0, 0}), 0);
  b.t[8] += 0.1;
  assert_int_equal(trajectory_agree(&a, "a", &b, "b", &diags, (Span){0, 0}), 1);
  assert_int_equal(diags.items[diags.n - 1]->code, E4035);
  b.time = b.space;
  assert_int_equal(trajectory_agree(&a, "a", &b, "b", &diags, (Span){4, 5}), 1);
  assert_int_equal(diags.items[diags.n - 1]->code, E4034);
  trajectory_free(&a);
  trajectory_free(&b);
  diags_free(&diags);
}

/* The digest covers the snapshots it is asked for, and no other. */
static void test_digest(void **state) {
  Diags diags = {0};
  Trajectory t;
  ArrayFile file = plane("m", "s");
  uint8_t digest[4][32];
  assert_int_equal(read(&file, 2, false, &diags, &t), 0);
  for (int k = 0; k < 4; k++) {
    Sha256 sha;
    if (k == 1) t.u[6 * NY * NX - 1] += 1;
    if (k == 2) t.u[6 * NY * NX] += 1;
    if (k == 3) t.u[6 * NY * NX] = -NAN, t.u[6 * NY * NX + 1] = NAN;
    sha256_start(&sha);
    trajectory_digest(&t, 6, NT, &sha);
    sha256_end(&sha, digest[k]);
  }
  assert_memory_equal(digest[0], digest[1], 32);
  assert_true(memcmp(digest[0], digest[2], 32) && memcmp(digest[2], digest[3], 32));
  Sha256 sha;
  uint8_t same[32];
  t.u[6 * NY * NX] = NAN;
  sha256_start(&sha);
  trajectory_digest(&t, 6, NT, &sha);
  sha256_end(&sha, same);
  assert_memory_equal(same, digest[3], 32);
  trajectory_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_units_and_layout), cmocka_unit_test(test_refused), cmocka_unit_test(test_table),
      cmocka_unit_test(test_quarters), cmocka_unit_test(test_values_and_pairs), cmocka_unit_test(test_digest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
