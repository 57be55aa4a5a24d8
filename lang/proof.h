/* The inside of proofs, seen by expr_proof*.c alone. */
#ifndef PROOF_H
#define PROOF_H
#include "expr_normal.h"
#include "expr_pool.h"
#include "expr_proof.h"

void proof_says(Proof *p, ProofTruth truth, const Buf *text);
void proof_print(Buf *out, Expr *e);                                   /* shortened where it is long */
void proof_print_leaves(Buf *out, Expr *const *leaves, int n);         /* "fx, fy and E" */
void proof_print_place(Buf *out, const ProofSwap *at, int n);          /* "x = 1, t = 0" */
/* Component k, scalar level. NULL: a host function has no derivative, or a history would be derived in time. */
Expr *proof_component(const ProofDomain *d, Expr *e, int k);
Expr *proof_swap(const ProofDomain *d, Expr *e, const ProofSwap *swap, int n);
/* e at a place: leaves that take numbers are pinned in the box (of at least d->n + n leaves), so that nothing is rounded; others are replaced. */
Expr *proof_pinned(const ProofDomain *d, Expr *e, const ProofSwap *at, int n, RangeLeaf *box, int *nbox);
Expr *proof_op(const ProofDomain *d, ExprOp op, Expr *a, Expr *b);     /* units are not checked */
/* A point of the box, attempts first .. last of a fixed sequence, where e is certainly not zero: by interval arithmetic, with the constants known to 1 unit in
 * the last place. admits: which points count, or NULL. *out where true, or NULL: free its `at`. */
typedef struct ProofPoint { RangeLeaf *at; int n; Interval value; } ProofPoint;
typedef bool (*ProofAdmits)(const RangeLeaf *at, int n, const void *user);
bool proof_nonzero(const RangeLeaf *box, int nbox, Expr *e, int first, int last, ProofAdmits admits, const void *user, ProofPoint *out);
/* Identically zero? First with what depends on none of `only` as a whole, then with what its terms share, then multiplied out. work: as of ProofDomain. */
bool proof_vanishes(const RangeLeaf *box, int n, Expr *e, Expr *const *only, int nonly, long *work);
/* Is e zero at the place? By factors that are; text: the sentence. */
bool proof_zero_factor(const ProofDomain *d, Expr *e, const ProofSwap *at, int n, Buf *text);

#endif
