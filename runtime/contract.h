/* Contracts on solutions, studies and values: calls in `check`, packs, tests. */
#ifndef CONTRACT_H
#define CONTRACT_H
#include "eval.h"
#include "verdict.h"

typedef struct Verdicts {
  Verdict *items;
  int n;
} Verdicts;

typedef struct Demand {
  int hard;                    /* < 0: as the contract says */
  double tolerance;            /* NAN: as it says */
  bool by_default;             /* tol default: from a calibration */
} Demand;
#define AS_IT_SAYS (&(Demand){-1, __builtin_nan(""), false})

/* Runs what `node` names (a contract call, a pack call, or VALUE <= BOUND) on `subject` (may be NULL) and appends its verdicts. false after a report. */
bool contract_run(Eval *ev, const Ast *node, Value *subject, const Demand *demand, Verdicts *out);
/* Checking: the body of a contract or pack that nothing has run, on arguments that are not known. */
void contract_check(Eval *ev, Function *f);
void verdicts_free(Verdicts *verdicts);
void host_note_verdict(Host *host, const Verdict *v);      /* for --json and records; copied */

#endif
