/* Audits: how contracts over a model are sampled, and what an audit as a whole is set to. */
#ifndef AUDIT_H
#define AUDIT_H
#include "contract.h"
#include "trace.h"

typedef struct AuditPlan {
  int samples;
  uint64_t seed;
  double threshold;
  bool adversary; int starts, steps;
  int calibrate;               /* samples on which the reference is measured; 0: not */
  Predictor *recorded;         /* cases that are the reference, borrowed; NULL: the map itself */
  const char *bank;            /* name of the failure bank, or NULL */
  const char *replay;          /* id of one probe to judge alone, or NULL */
  Value *subject;              /* the model under audit, borrowed; NULL: a check or test */
  Buf *setting;                /* what vset hashes grows here; or NULL */
  struct FailureBank *failures;
  const char *unavailable;     /* why the subject predicts nothing: every contract is an error then; or NULL */
  long *proof_work;            /* what proofs of all its contracts together may still cost (ProofDomain); NULL: each on its own */
} AuditPlan;

extern const AuditPlan audit_defaults;       /* of check, accept and reject: 64 probes */

/* A contract whose body was traced: judged on sampled probes. violation and tolerance as the body left them; its verdict is filled. false after a report
 * that is no verdict (a bug of the contract itself). */
bool audit_contract(Eval *ev, Trace *trace, Value *violation, double tolerance, const AuditPlan *plan, Verdict *out);
/* The violation of the reference: the largest of its samples, and how much of a violation rounding the reference's fields to the precision of a candidate makes
 * (single, or double). NAN: no sample has one. The trace is of the map itself. recorded: measured on recorded cases alone. false after a report. */
typedef struct Reference { double violation, rounding; int samples; bool recorded; } Reference;
bool audit_reference(Eval *ev, Trace *trace, Value *violation, const AuditPlan *plan, bool single, Reference *out);
/* v = max(0, 1 - response/(0.1 scale)): a model that answers with nothing satisfies every linear contract. */
bool audit_non_trivial(Eval *ev, Value *subject, Span span, Verdict *out);

#endif
