/* Rows of a sampling in a journal: they come back, torn ones go, two at work share them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../runtime/sampling_journal.h"

enum { ROWS = 6, VALUES = 3, HEAD = 64, RECORD = 16 + 8 * VALUES + 8 };
static const Span NOWHERE = {0, 0};
static const uint8_t ME[32] = {1, 2, 3}, OTHER[32] = {1, 2, 4};
static char path[] = "/tmp/pde-journal-XXXXXX";
static Diags diags;

static Journal *opened(bool write) {
  Journal *j = journal_open(path, ME, ROWS, VALUES, write, &diags, NOWHERE);
  assert_non_null(j);
  return j;
}

static void put(Journal *j, int row) { assert_true(journal_append(j, row, row == 4, (double[]){row, row + 0.5, -row})); }

static void has(Journal *j, int row) {
  double values[VALUES];
  bool failed;
  assert_true(journal_has(j, row, &failed) && failed == (row == 4));
  assert_true(journal_read(j, row, values) && values[0] == row && values[1] == row + 0.5 && values[2] == -row);
}

static int size(void) {
  struct stat st;
  assert_int_equal(stat(path, &st), 0);
  return (int)st.st_size;
}

static void comes_back(void **state) {
  Journal *j = opened(true);
  put(j, 2);
  put(j, 4);
  journal_close(j, false);
  assert_int_equal(size(), HEAD + 2 * RECORD);
  j = opened(false);
  assert_int_equal(journal_done(j), 2);
  has(j, 2);
  has(j, 4);
  journal_close(j, false);
  assert_null(journal_open(path, OTHER, ROWS, VALUES, true, &diags, NOWHERE));
  assert_int_equal(diags.nerrors, 1);
  diags_clear(&diags);
  assert_null(journal_open(path, ME, ROWS, VALUES + 1, true, &diags, NOWHERE));
  diags_clear(&diags);
}

/* Cut anywhere, or with a byte changed in the last record: the rows before it are there, the next one takes its place. */
static void torn(void **state) {
  for (int cut = 1; cut <= RECORD; cut += 5) {
    unlink(path);
    Journal *j = opened(true);
    put(j, 1);
    put(j, 3);
    journal_close(j, false);
    if (cut % 2) assert_int_equal(truncate(path, HEAD + 2 * RECORD - cut), 0);
    else {
      FILE *f = fopen(path, "r+b");
      fseek(f, HEAD + 2 * RECORD - cut, SEEK_SET);
      int c = fgetc(f);
      fseek(f, HEAD + 2 * RECORD - cut, SEEK_SET);
      fputc(c ^ 8, f);
      fclose(f);
    }
    j = opened(true);
    assert_int_equal(journal_done(j), 1);
    has(j, 1);
    put(j, 5);
    assert_int_equal(journal_done(j), 2);
    has(j, 5);
    journal_close(j, false);
    j = opened(false);
    assert_int_equal(journal_done(j), 2);
    has(j, 1);
    has(j, 5);
    journal_close(j, false);
  }
}

static void shared(void **state) {
  unlink(path);
  Journal *a = opened(true), *b = opened(true);
  assert_int_equal(journal_claim(a, 0), 0);
  assert_int_equal(journal_claim(b, 0), 1);
  assert_int_equal(journal_claim(a, 1), 2);
  put(b, 1);
  put(a, 2);
  assert_int_equal(journal_claim(b, 0), 3);         /* 0 is a's still, 1 and 2 are in */
  journal_yield(a, 0);
  assert_int_equal(journal_claim(b, 0), 0);
  journal_close(b, false);                          /* its rows are free again, as when its process ends */
  assert_int_equal(journal_claim(a, 0), 0);
  put(a, 0);
  assert_int_equal(journal_claim(a, 0), 3);
  put(a, 3);
  for (int k = 4; k < ROWS; k++) put(a, k);
  assert_int_equal(journal_done(a), ROWS);
  assert_int_equal(journal_claim(a, 0), -1);
  for (int k = 0; k < ROWS; k++) has(a, k);
  journal_close(a, true);
  assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
  SourceMap *sources = sources_new();
  diags.sources = sources;
  int fd = mkstemp(path);
  close(fd);
  unlink(path);
  const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back), cmocka_unit_test(torn), cmocka_unit_test(shared)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  diags_free(&diags);
  sources_free(sources);
  unlink(path);
  return failed;
}
