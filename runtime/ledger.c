#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Ledger {
  Store *store;
  Diags *diags;
  char *resource, *actor;
  int fd;                    /* of the locks: byte n is the reservation of row n */
};

/* An open file description's lock on one byte: it ends with the process. */
static bool lock(const Ledger *ledger, double row, int command, short type) {
  struct flock what = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)row, .l_len = 1};
  int r;
  while ((r = fcntl(ledger->fd, command, &what)) < 0 && errno == EINTR) {}
  return r == 0;
}

Status ledger_open(Store *store, const char *resource, const char *actor, Diags *diags, Ledger **out) {
  Buf path = {0};
  buf_printf(&path, "%s/ledger.lock", store_directory(store));
  int fd = open(buf_str(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) diag_report(diags, E3204, (Span){0, 0}, "`%s`, which the ledger of the record locks, cannot be opened: %s", buf_str(&path), strerror(errno));
  buf_free(&path);
  *out = NULL;
  if (fd < 0) return 1;
  *out = calloc(1, sizeof **out);
  **out = (Ledger){store, diags, strdup(resource), strdup(actor), fd};
  return 0;
}

void ledger_close(Ledger *ledger) {
  if (!ledger) return;
  close(ledger->fd);
  free(ledger->resource);
  free(ledger->actor);
  free(ledger);
}

static Status append(Ledger *ledger, const char *step, double amount, const char *key, const char *reason) {
  Cell row[RECORD_budget_COLUMNS] = {cell_text(ledger->actor), cell_text(ledger->resource), cell_number(amount), cell_text(step), cell_text(key), cell_text(reason)};
  return store_append(ledger->store, RECORD_budget, row, RECORD_budget_COLUMNS);
}

/* The number that a statement with the resource and, where it is given, a key as bindings gives. */
static Status number(Ledger *ledger, const char *sql, const char *key, double *out) {
  Cell bind[2] = {cell_text(ledger->resource), cell_text(key)};
  StoreRows rows = {0};
  TRY(store_select(ledger->store, sql, bind, key ? 2 : 1, &rows));
  *out = rows.nrows ? store_cell(&rows, 0, 0)->number : 0;
  store_rows_free(&rows);
  return 0;
}

Status ledger_limit(Ledger *ledger, double amount, const char *reason) { return append(ledger, "limit", amount, NULL, reason); }

Status ledger_counts(Ledger *ledger, double *used, double *limit) {
  TRY(number(ledger, "SELECT TOTAL(amount) FROM budget WHERE resource = ? AND step IN ('reserve', 'refund')", NULL, used));
  return number(ledger, "SELECT TOTAL(amount) FROM budget WHERE resource = ? AND step = 'limit'", NULL, limit);
}

/* Reservations that were not settled: the last row of their key. */
static Status open_rows(Ledger *ledger, StoreRows *rows) {
  Cell bind = cell_text(ledger->resource);
  return store_select(ledger->store, "SELECT b.n, b.key FROM budget b WHERE b.resource = ?1 AND b.step = 'reserve' AND NOT EXISTS "
                                     "(SELECT 1 FROM budget s WHERE s.resource = ?1 AND s.key = b.key AND s.n > b.n)", &bind, 1, rows);
}

Status ledger_settle_dead(Ledger *ledger) {
  StoreRows rows = {0};
  TRY(open_rows(ledger, &rows));
  Status status = 0;
  for (int i = 0; i < rows.nrows && !status; i++) {
    double row = store_cell(&rows, i, 0)->number;
    if (!lock(ledger, row, F_OFD_SETLK, F_WRLCK)) continue;      /* its process lives */
    status = ledger_refund(ledger, store_cell(&rows, i, 1)->text, "the process that had reserved it ended");
    lock(ledger, row, F_OFD_SETLK, F_UNLCK);
  }
  store_rows_free(&rows);
  return status;
}

Status ledger_reserve(Ledger *ledger, const char *key, const char *reason, LedgerAnswer *answer, LedgerHold *hold) {
  StoreRows rows = {0};
  double paid, used, limit;
  *hold = (LedgerHold){0};
  *answer = LEDGER_PAID;
  TRY(number(ledger, "SELECT COUNT(*) FROM budget WHERE resource = ? AND key = ? AND step = 'commit'", key, &paid));
  if (paid) return 0;
  TRY(open_rows(ledger, &rows));
  for (int i = 0; i < rows.nrows; i++)
    if (!strcmp(store_cell(&rows, i, 1)->text, key)) hold->row = store_cell(&rows, i, 0)->number;
  store_rows_free(&rows);
  *answer = LEDGER_ELSEWHERE;
  if (hold->row) return 0;
  TRY(ledger_counts(ledger, &used, &limit));
  *answer = LEDGER_USED_UP;
  if (used + 1 > limit) return 0;
  *answer = LEDGER_HELD;
  TRY(append(ledger, "reserve", 1, key, reason));
  TRY(number(ledger, "SELECT MAX(n) FROM budget WHERE resource = ?", NULL, &hold->row));
  if (lock(ledger, hold->row, F_OFD_SETLK, F_WRLCK)) return 0;      /* nobody else knows the row yet */
  diag_report(ledger->diags, E3204, (Span){0, 0}, "`%s/ledger.lock` cannot be locked: %s", store_directory(ledger->store), strerror(errno));
  return 1;
}

Status ledger_commit(Ledger *ledger, const char *key, const char *reason) { return append(ledger, "commit", 1, key, reason); }
Status ledger_refund(Ledger *ledger, const char *key, const char *reason) { return append(ledger, "refund", -1, key, reason); }

void ledger_release(Ledger *ledger, LedgerHold *hold) {
  if (hold->row) lock(ledger, hold->row, F_OFD_SETLK, F_UNLCK);
  hold->row = 0;
}

void ledger_wait(Ledger *ledger, const LedgerHold *hold) {
  if (!lock(ledger, hold->row, F_OFD_SETLKW, F_WRLCK)) return;
  lock(ledger, hold->row, F_OFD_SETLK, F_UNLCK);
}
