/* Run records: what was appended survives kill -9, two writers lose nothing, damage is an error with a code and never a crash, rows cannot be changed,
 * artefacts are compared with their names. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the four above. */
#include <cmocka.h>

#include "source.h"
#include "store.h"

static char dir[64];
static Diags diags;

static int setup(void **state) {
  (void)state;
  strcpy(dir, "/tmp/test-store-XXXXXX");
  diags = (Diags){.sources = sources_new()};
  return mkdtemp(dir) == NULL;
}

static int teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", dir);
  sources_free(diags.sources);
  diags_free(&diags);
  return system(command);
}

static const char *code(void) { return diags.nerrors ? diag_rows[diags_last_error(&diags)->code].code : "none"; }

static Status add(Store *store, const char *contract, double v) {
  Cell row[RECORD_verdicts_v + 1] = {[RECORD_verdicts_contract] = cell_text(contract), [RECORD_verdicts_v] = cell_number(v)};
  return store_append(store, RECORD_verdicts, row, RECORD_verdicts_v + 1);
}

static double count(Store *store, const char *table) {
  char sql[96];
  StoreRows rows;
  snprintf(sql, sizeof sql, "SELECT COUNT(*) FROM %s", table);
  assert_int_equal(store_select(store, sql, NULL, 0, &rows), 0);
  double n = store_cell(&rows, 0, 0)->number;
  store_rows_free(&rows);
  return n;
}

static void rows_come_back(void **state) {
  (void)state;
  Store *store;
  StoreRows rows;
  static const double values[] = {0.1, -0.0, 1e300, 5e-324, INFINITY, 9007199254740993.0, 3};
  int n = sizeof values / sizeof *values;
  assert_int_equal(store_create(dir, &diags, &store), 0);
  for (int i = 0; i < n; i++) assert_int_equal(add(store, "naïve; DROP TABLE verdicts --", values[i]), 0);
  assert_int_equal(add(store, NULL, NAN), 0);
  store_close(store);
  assert_int_equal(store_open(dir, false, &diags, &store), 0);
  assert_int_equal(store_select(store, "SELECT contract, v, ratio FROM verdicts ORDER BY n", NULL, 0, &rows), 0);
  assert_int_equal(rows.nrows, n + 1);
  for (int i = 0; i < n; i++) {
    assert_string_equal(store_cell(&rows, i, 0)->text, "naïve; DROP TABLE verdicts --");
    assert_true(store_cell(&rows, i, 1)->number == values[i]);
    assert_int_equal(store_cell(&rows, i, 2)->kind, CELL_NULL);
  }
  assert_int_equal(store_cell(&rows, n, 0)->kind, CELL_NULL);
  assert_string_equal(store_cell(&rows, n, 1)->text, "nan");
  store_rows_free(&rows);
  assert_true(count(store, "events") == n + 1);
  store_close(store);
}

static void rows_cannot_be_changed(void **state) {
  (void)state;
  Store *store;
  StoreRows rows;
  assert_int_equal(store_create(dir, &diags, &store), 0);
  assert_int_equal(add(store, "a", 1), 0);
  assert_int_not_equal(store_select(store, "UPDATE verdicts SET v = 2", NULL, 0, &rows), 0);
  assert_int_not_equal(store_select(store, "DELETE FROM events", NULL, 0, &rows), 0);
  assert_true(count(store, "verdicts") == 1);
  store_close(store);
}

static void a_directory_in_use_is_refused(void **state) {
  (void)state;
  Store *store, *second;
  char path[96];
  assert_int_equal(store_create(dir, &diags, &store), 0);
  store_close(store);
  assert_int_not_equal(store_create(dir, &diags, &second), 0);
  assert_string_equal(code(), "E3200");
  diags_clear(&diags);
  snprintf(path, sizeof path, "%s/artefacts", dir);
  assert_int_not_equal(store_open(path, false, &diags, &second), 0);
  assert_string_equal(code(), "E3201");
  diags_clear(&diags);
  snprintf(path, sizeof path, "%s/run.db", dir);
  assert_int_not_equal(store_create(path, &diags, &second), 0);
  assert_string_equal(code(), "E3204");
}

/* A writer tells through a pipe of every row once it is committed, and is killed at a random moment; what it told of is there. */
static void kill_loses_nothing(void **state) {
  (void)state;
  Store *store;
  assert_int_equal(store_create(dir, &diags, &store), 0);
  store_close(store);
  long told = 0;
  srand(1);
  for (int round = 0; round < 12; round++) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      if (store_open(dir, true, &diags, &store)) _exit(1);
      for (int i = 0;; i++) {
        if (i % 3 == 0) {      /* groups are whole or not there */
          if (store_begin(store) || add(store, "pair", i) || add(store, "pair", i) || store_commit(store) || write(ends[1], "22", 2) != 2) _exit(1);
        } else if (add(store, "single", i) || write(ends[1], "1", 1) != 1) _exit(1);
      }
    }
    close(ends[1]);
    usleep((useconds_t)(2000 + rand() % 60000));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    char block[4096];
    for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0;) told += n;
    close(ends[0]);
    assert_int_equal(store_open(dir, false, &diags, &store), 0);
    StoreRows rows;
    double there = count(store, "verdicts");
    assert_true(there >= (double)told && there <= (double)told + 2);      /* one commit may have been cut off before it was told of */
    assert_true(there == count(store, "events"));
    told = (long)there;
    assert_int_equal(store_select(store, "SELECT COUNT(*) FROM verdicts WHERE contract = 'pair'", NULL, 0, &rows), 0);
    assert_int_equal((int)store_cell(&rows, 0, 0)->number % 2, 0);
    store_rows_free(&rows);
    assert_int_equal(store_select(store, "PRAGMA integrity_check", NULL, 0, &rows), 0);
    assert_string_equal(store_cell(&rows, 0, 0)->text, "ok");
    store_rows_free(&rows);
    store_close(store);
  }
  assert_true(told > 0);
}

static void two_writers_at_once(void **state) {
  (void)state;
  enum { EACH = 150 };
  Store *store;
  assert_int_equal(store_create(dir, &diags, &store), 0);
  store_close(store);
  pid_t children[2];
  for (int k = 0; k < 2; k++) {
    children[k] = fork();
    if (children[k]) continue;
    if (store_open(dir, true, &diags, &store)) _exit(1);
    for (int i = 0; i < EACH; i++)
      if (add(store, k ? "one" : "two", i)) _exit(1);
    store_close(store);
    _exit(0);
  }
  for (int k = 0; k < 2; k++) {
    int status;
    waitpid(children[k], &status, 0);
    assert_int_equal(status, 0);
  }
  assert_int_equal(store_open(dir, false, &diags, &store), 0);
  assert_true(count(store, "verdicts") == 2 * EACH);
  assert_true(count(store, "events") == 2 * EACH);
  store_close(store);
}

static void one_of_two_makers_wins(void **state) {
  (void)state;
  pid_t children[4];
  int made = 0;
  for (int k = 0; k < 4; k++) {
    children[k] = fork();
    if (children[k]) continue;
    Store *store;
    _exit(store_create(dir, &diags, &store) ? 1 : 0);
  }
  for (int k = 0; k < 4; k++) {
    int status;
    waitpid(children[k], &status, 0);
    made += status == 0;
  }
  assert_int_equal(made, 1);
}

static void artefacts_are_compared(void **state) {
  (void)state;
  Store *store;
  char hex[65], again[65], path[192];
  Buf out = {0};
  assert_int_equal(store_create(dir, &diags, &store), 0);
  assert_int_equal(store_put(store, "abc", 3, hex), 0);
  assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert_int_equal(store_put(store, "abc", 3, again), 0);
  assert_int_equal(store_get(store, hex, &out), 0);
  assert_string_equal(buf_str(&out), "abc");
  snprintf(path, sizeof path, "%s/artefacts/%s", dir, hex);
  FILE *file = fopen(path, "wb");
  fputs("abd", file);
  fclose(file);
  buf_clear(&out);
  assert_int_not_equal(store_get(store, hex, &out), 0);
  assert_string_equal(code(), "E3205");
  diags_clear(&diags);
  buf_clear(&out);
  assert_int_not_equal(store_get(store, "../run.db", &out), 0);
  assert_string_equal(code(), "E3205");
  buf_free(&out);
  store_close(store);
}

static void change_byte(const char *path, long at, unsigned char byte) {
  FILE *file = fopen(path, "r+b");
  fseek(file, at, SEEK_SET);
  fputc(byte, file);
  fclose(file);
}

static void other_databases_are_refused(void **state) {
  (void)state;
  Store *store;
  char path[96];
  snprintf(path, sizeof path, "%s/run.db", dir);
  assert_int_equal(store_create(dir, &diags, &store), 0);
  store_close(store);
  change_byte(path, 63, 2);      /* the user version of the file format of SQLite, section 1.3 */
  assert_int_not_equal(store_open(dir, false, &diags, &store), 0);
  assert_string_equal(code(), "E3202");
  diags_clear(&diags);
  change_byte(path, 71, 0);      /* the application id */
  assert_int_not_equal(store_open(dir, true, &diags, &store), 0);
  assert_string_equal(code(), "E3201");
  diags_clear(&diags);
  change_byte(path, 0, 'X');
  assert_int_not_equal(store_open(dir, false, &diags, &store), 0);
  assert_string_equal(code(), "E3203");
  diags_clear(&diags);
  FILE *file = fopen(path, "wb");
  fclose(file);
  assert_int_not_equal(store_open(dir, false, &diags, &store), 0);      /* as `claim` leaves it when it is killed there */
  assert_string_equal(code(), "E3201");
}

/* Bytes changed at random: a code or rows, never anything else. */
static void damage_has_a_code(void **state) {
  (void)state;
  Store *store;
  char path[96];
  assert_int_equal(store_create(dir, &diags, &store), 0);
  assert_int_equal(store_begin(store), 0);
  for (int i = 0; i < 400; i++) assert_int_equal(add(store, "a contract with a name that is somewhat longer", i), 0);
  assert_int_equal(store_commit(store), 0);
  store_close(store);
  snprintf(path, sizeof path, "%s/run.db", dir);
  FILE *file = fopen(path, "rb");
  static unsigned char whole[1 << 21];
  size_t size = fread(whole, 1, sizeof whole, file);
  fclose(file);
  assert_true(size > 4096 && size < sizeof whole);
  srand(7);
  int read = 0, refused = 0;
  for (int round = 0; round < 400; round++) {
    unsigned char *bytes = malloc(size);
    size_t kept = round % 10 == 9 ? (size_t)rand() % size : size;
    memcpy(bytes, whole, size);
    for (int k = 0, hits = 1 + rand() % 40; k < hits; k++) bytes[(size_t)rand() % (round % 2 ? size : 4096)] = (unsigned char)rand();
    file = fopen(path, "wb");
    fwrite(bytes, 1, kept, file);
    fclose(file);
    free(bytes);
    StoreRows rows = {0};
    bool fine = !store_open(dir, false, &diags, &store) && !store_select(store, "SELECT contract, v FROM verdicts ORDER BY v DESC", NULL, 0, &rows);
    store_rows_free(&rows);
    store_close(store);
    assert_true(fine == !diags.nerrors);
    if (!fine) assert_true(!strncmp(code(), "E32", 3) || !strcmp(code(), "E0001"));
    fine ? read++ : refused++;
    diags_clear(&diags);
  }
  assert_true(read > 0 && refused > 0);
}

static void a_temporary_record_goes(void **state) {
  (void)state;
  Store *store;
  struct stat st;
  assert_int_equal(store_create(NULL, &diags, &store), 0);
  char *where = strdup(store_directory(store));
  assert_int_equal(add(store, "a", 1), 0);
  assert_int_equal(stat(where, &st), 0);
  store_close(store);
  assert_int_not_equal(stat(where, &st), 0);
  free(where);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {T(rows_come_back), T(rows_cannot_be_changed), T(a_directory_in_use_is_refused), T(kill_loses_nothing), T(two_writers_at_once),
                                     T(one_of_two_makers_wins), T(artefacts_are_compared), T(other_databases_are_refused), T(damage_has_a_code), T(a_temporary_record_goes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
