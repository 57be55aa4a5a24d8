/* The inside of an audit of one contract: its tape, the samples, and what they gave. */
#ifndef JUDGE_H
#define JUDGE_H
#include "audit.h"
#include "proof_use.h"
#include "tape_use.h"
#include "violation.h"

/* An argument of a model that is no probe's own input: it may leave the domain. */
typedef struct Bound { Expr *e; double lo, hi; } Bound;

typedef struct Judge {
  Eval *ev;
  Trace *trace;
  const AuditPlan *plan;
  Violation form;
  Expr **targets; int ntargets;
  int numerator, denominator, size, floor;      /* targets; -1: none */
  int wheres, needs, jumps, bounds;             /* the first of each */
  Bound *bound; int nbounds;
  TapeUse use;
  /* the samples */
  double *rows, *values; char **failed; int n;
  int worst;                                    /* the sample that the verdict shows */
  bool recorded;                                /* rows are those of recorded cases: nothing is mixed */
  long *sample;                                 /* where each was drawn; -1: from the bank of failures */
  int nbank; double *mixture;                   /* those are the first; [nbank][nprobes][spec->nbank] their coefficients, NAN: not known; NULL: none */
  double *found;                                /* [nprobes][spec->nbank] of what the search found, or NULL */
} Judge;

/* From the form of the violation: what is evaluated, before the tape is opened. */
void judge_targets(Judge *j);
/* The samples: v->repeated is set. false after a report. */
bool judge_draw(Judge *j, Verdict *v, int want);
void judge_close(Judge *j);                                      /* but for the tape */
int judge_row_size(const Judge *j);
/* May a sample be judged? `where` has let it through; its preconditions hold and it stays in the domain. values: its targets. */
bool judge_inside(const Judge *j, const double *values);
bool judge_needs(const Judge *j, const double *values, int *which);
/* What the histories of sample k were mixed with: out[nprobes][spec->nbank]. false: it is not known. */
bool judge_mixture(const Judge *j, int k, double *out);
/* Rows as JSON: {"z":{"E":5,"ux":[..]},..}, and the id of such a probe of a contract. */
void judge_print_row(Buf *out, const Judge *j, const double *rows);
char *judge_id(const Verdict *v, const char *probe);

/* The sizes of the subject's outputs at each probe, of the map's own and of their difference. */
void judge_print_fields(Buf *out, const Judge *j, const double *rows);

/* What a proof adds to a verdict that was measured: its reason, a certified bound; or, where a sample contradicts it, the error that it is (E3034). */
void judge_proof(Diags *diags, const ProofOfBound *proof, Verdict *v);

/* The search for the largest violation; a separate report, never part of the gate. Fills adversary, adversary_calls, adversary_why. */
void judge_search(Judge *j, Verdict *v);

#endif
