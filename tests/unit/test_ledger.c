/* The ledger: what is used, who waits for whom, what a kill leaves. Processes are real ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../runtime/ledger.h"

typedef struct World { char dir[64], record[80]; Diags diags; Store *store; Ledger *ledger; } World;

static void join(World *w, bool create) {
  w->diags = (Diags){0};
  assert_int_equal(create ? store_create(w->record, &w->diags, &w->store) : store_open(w->record, true, &w->diags, &w->store), 0);
  assert_int_equal(ledger_open(w->store, "unique_evals", "test", &w->diags, &w->ledger), 0);
}

static void leave(World *w) {
  ledger_close(w->ledger);
  store_close(w->store);
  diags_free(&w->diags);
}

static World *begin(double limit) {
  static World w;
  strcpy(w.dir, "/tmp/pde-ledger-XXXXXX");
  assert_non_null(mkdtemp(w.dir));
  snprintf(w.record, sizeof w.record, "%s/run", w.dir);
  join(&w, true);
  assert_int_equal(ledger_limit(w.ledger, limit, "test"), 0);
  return &w;
}

static void end(World *w) {
  char command[128];
  leave(w);
  snprintf(command, sizeof command, "rm -rf %s", w->dir);
  assert_int_equal(system(command), 0);
}

static LedgerAnswer reserve(World *w, const char *key, LedgerHold *hold) {
  LedgerAnswer answer;
  assert_int_equal(store_begin(w->store), 0);
  assert_int_equal(ledger_settle_dead(w->ledger), 0);
  assert_int_equal(ledger_reserve(w->ledger, key, "test", &answer, hold), 0);
  assert_int_equal(store_commit(w->store), 0);
  return answer;
}

static void settle(World *w, const char *key, LedgerHold *hold, bool charged) {
  assert_int_equal(charged ? ledger_commit(w->ledger, key, "test") : ledger_refund(w->ledger, key, "test"), 0);
  ledger_release(w->ledger, hold);
}

static double used(World *w) {
  double count, limit;
  assert_int_equal(ledger_counts(w->ledger, &count, &limit), 0);
  assert_true(limit == 3);
  return count;
}

static void test_counts(void **state) {
  World *w = begin(3);
  LedgerHold a, b, c, d;
  assert_int_equal(reserve(w, "a", &a), LEDGER_HELD);
  assert_true(used(w) == 1);
  settle(w, "a", &a, true);
  assert_true(used(w) == 1);
  assert_int_equal(reserve(w, "a", &a), LEDGER_PAID);
  assert_int_equal(reserve(w, "b", &b), LEDGER_HELD);
  settle(w, "b", &b, false);
  assert_true(used(w) == 1);
  assert_int_equal(reserve(w, "b", &b), LEDGER_HELD);      /* what was given back may be asked for again */
  settle(w, "b", &b, true);
  assert_int_equal(reserve(w, "c", &c), LEDGER_HELD);
  settle(w, "c", &c, true);
  assert_int_equal(reserve(w, "d", &d), LEDGER_USED_UP);
  assert_true(used(w) == 3);
  end(w);
}

/* A process that is killed with a reservation: nothing is lost, nothing is charged. */
static void test_kill(void **state) {
  World *w = begin(3);
  int ready[2];
  assert_int_equal(pipe(ready), 0);
  leave(w);
  pid_t child = fork();
  if (!child) {
    LedgerHold hold;
    join(w, false);
    reserve(w, "a", &hold);
    if (write(ready[1], "r", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char c;
  join(w, false);
  assert_int_equal(read(ready[0], &c, 1), 1);
  LedgerHold hold;
  assert_int_equal(reserve(w, "a", &hold), LEDGER_ELSEWHERE);      /* it lives */
  assert_true(used(w) == 1);
  kill(child, SIGKILL);
  ledger_wait(w->ledger, &hold);
  waitpid(child, NULL, 0);
  assert_int_equal(reserve(w, "a", &hold), LEDGER_HELD);
  assert_true(used(w) == 1);
  settle(w, "a", &hold, true);
  assert_true(used(w) == 1);
  end(w);
}

/* Many processes want three of nine keys, all at once: three are charged, no key twice. */
static void test_race(void **state) {
  World *w = begin(3);
  leave(w);
  pid_t child[6];
  for (int k = 0; k < 6; k++)
    if (!(child[k] = fork())) {
      join(w, false);
      for (int i = 0; i < 9; i++) {
        char key[2] = {(char)('a' + (i * 2 + k) % 9), 0};
        LedgerHold hold;
        LedgerAnswer answer = reserve(w, key, &hold);
        if (answer == LEDGER_HELD) settle(w, key, &hold, true);
        if (answer == LEDGER_ELSEWHERE) ledger_wait(w->ledger, &hold);
      }
      _exit(0);
    }
  for (int k = 0; k < 6; k++) {
    int status;
    waitpid(child[k], &status, 0);
    assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
  }
  join(w, false);
  assert_true(used(w) == 3);
  StoreRows rows;
  assert_int_equal(store_select(w->store, "SELECT COUNT(DISTINCT key), COUNT(*) FROM budget WHERE step = 'commit'", NULL, 0, &rows), 0);
  assert_true(store_cell(&rows, 0, 0)->number == 3 && store_cell(&rows, 0, 1)->number == 3);
  store_rows_free(&rows);
  end(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_kill), cmocka_unit_test(test_race)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
