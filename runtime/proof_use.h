/* What can be proved of a contract over a model by formulas: its trace, put before lang/expr_proof.h. */
#ifndef PROOF_USE_H
#define PROOF_USE_H
#include "../lang/expr_proof.h"
#include "trace.h"

/* violation <= bound for all probes in the domain? Predictors that are no formulas are unknown fields. Not while checking; the trace may get further leaves,
 * so no tape of it is open. work: as of ProofDomain. */
ProofOfBound proof_of_violation(Eval *ev, Trace *trace, Expr *violation, double bound, long *work);

#endif
