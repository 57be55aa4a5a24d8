/* Contracts on solutions, studies and values: calls in `check`, packs, tests. */
#ifndef CONTRACT_H
#define CONTRACT_H
#include "eval.h"

typedef struct Verdicts {
  Verdict *items;
  int n;
} Verdicts;

/* Runs what `node` names (a contract call, a pack call, or VALUE <= BOUND) on `subject` (may be NULL) and appends its verdicts. hard < 0: as the
 * contract says; tolerance NAN: as it says. false after a report. */
bool contract_run(Eval *ev, const Ast *node, Value *subject, int hard, double tolerance, Verdicts *out);
/* Checking: the body of a contract or pack that nothing has run, on arguments that are not known. */
void contract_check(Eval *ev, Function *f);
void verdicts_print(Buf *out, const Verdict *verdicts, int n);
void verdicts_free(Verdicts *verdicts);
bool verdict_passed(const Verdict *v);       /* hard failures and errors are no pass */

#endif
