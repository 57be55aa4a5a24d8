/* A budget as rows of a run record: `limit` once, then `reserve` before and `commit` or `refund` after each use, under the key of what it is for.
 *
 *   used = what is committed + what is reserved by processes that live.   A reservation is a locked byte of the file `ledger.lock` beside run.db, which the
 *   system frees with its process: a kill leaves a row that whoever comes next refunds. All decisions are made inside one write transaction of the record,
 *   so that processes side by side agree. Errors: those of store.h, and E3204 for the file of locks. */
#ifndef LEDGER_H
#define LEDGER_H
#include "store.h"

typedef struct Ledger Ledger;

/* resource: "unique_evals"; actor: who spends. The store is borrowed. */
Status ledger_open(Store *store, const char *resource, const char *actor, Diags *diags, Ledger **out);
void ledger_close(Ledger *ledger);       /* what it holds and has not settled is left to whoever comes next */

/* Of a new record; a limit is told once. */
Status ledger_limit(Ledger *ledger, double amount, const char *reason);
Status ledger_counts(Ledger *ledger, double *used, double *limit);

/* The rest inside of store_begin and store_commit. */
typedef enum LedgerAnswer { LEDGER_HELD, LEDGER_ELSEWHERE, LEDGER_PAID, LEDGER_USED_UP } LedgerAnswer;
typedef struct LedgerHold { double row; } LedgerHold;       /* row 0: none */

Status ledger_settle_dead(Ledger *ledger);                                   /* refunds what processes that ended left reserved */
/* HELD: one unit is reserved, *hold is ours. ELSEWHERE: another process has reserved it; *hold is what ledger_wait waits for.
 * PAID: it was committed before. */
Status ledger_reserve(Ledger *ledger, const char *key, const char *reason, LedgerAnswer *answer, LedgerHold *hold);
Status ledger_commit(Ledger *ledger, const char *key, const char *reason);
Status ledger_refund(Ledger *ledger, const char *key, const char *reason);

void ledger_release(Ledger *ledger, LedgerHold *hold);      /* after the transaction that settled it (or that was rolled back) */
void ledger_wait(Ledger *ledger, const LedgerHold *hold);   /* until the other process has settled it, or is gone; outside of a transaction */

#endif
