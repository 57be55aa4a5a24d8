/* Facts about expressions, proved from their form for every value of their leaves (weights, coordinates, times), each with the factor or term that proves
 * it. A fact is a residual that has to vanish identically: F(a + b) - F(a) - F(b) for linearity, F at x = 1 for a boundary value. It holds where the normal
 * form of the residual has no term (expr_normal.h), up to the rounding of the constants in it; it fails where interval arithmetic shows the residual to differ from
 * zero at a point of the domain, which is named. Otherwise it is open: nothing is claimed.
 * An identity is meant wherever all parts of the expression have values; whether they have, expr_range tells. */
#ifndef EXPR_PROOF_H
#define EXPR_PROOF_H
#include "expr_range.h"

typedef enum ProofTruth { PROOF_OPEN, PROOF_HOLDS, PROOF_FAILS } ProofTruth;

typedef struct Proof {
  ProofTruth truth;
  char reason[320];    /* a sentence without a full stop; empty where it is open */
} Proof;

/* The domain: ranges of inputs, coordinates and time. Leaves that it does not name may be anything. */
typedef struct ProofDomain {
  ExprPool *pool;
  const RangeLeaf *box;
  int n;
  int dim;             /* of space; for expressions of tensor level, whose components are all proved */
  Expr *const *histories; int nhistories;   /* leaves that stand for functions of t: of their derivatives in time nothing is known */
  long *work;          /* products of terms that may still be multiplied out, shared by proofs that belong together: each search takes a quarter of what is left
                          at most, and draws on it. NULL: no limit but that of one normal form */
} ProofDomain;

typedef struct ProofSwap { Expr *leaf, *value; } ProofSwap;   /* a leaf is replaced by a value (a number, a leaf, an expression) */

/* e may be of tensor level, of any shape; a fact holds if it does for every component. Leaves are scalars. */
Proof expr_prove_zero(const ProofDomain *domain, Expr *e);
Proof expr_prove_equal(const ProofDomain *domain, Expr *a, Expr *b);
/* Zero where leaves have the given values: a boundary x = 1, the start t = 0, no load. */
Proof expr_prove_zero_at(const ProofDomain *domain, Expr *e, const ProofSwap *at, int n);
Proof expr_prove_equal_at(const ProofDomain *domain, Expr *e, Expr *there, const ProofSwap *at, int n);

Proof expr_prove_independent(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n);
Proof expr_prove_linear(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n);     /* jointly: F(a + b) = F(a) + F(b) and F(c a) = c F(a) */
Proof expr_prove_affine(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n);
Proof expr_prove_polynomial(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n, int degree);   /* of that degree at most */
Proof expr_prove_scaling(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n, double power);    /* F(c p) = c^power F(p) for c > 0 */
Proof expr_prove_parity(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n, bool odd);         /* F(-p) = F(p), or -F(p) */
Proof expr_prove_periodic(const ProofDomain *domain, Expr *e, Expr *leaf, double period);
Proof expr_prove_mirror(const ProofDomain *domain, Expr *e, Expr *leaf, double centre, bool odd);          /* F(2c - x) = F(x), or -F(x) */

/* lo <= e <= hi over the domain; either end may be infinite. By form alone where that is enough (a square, tanh), else by certified ranges. */
Proof expr_prove_bounds(const ProofDomain *domain, Expr *e, double lo, double hi);
Proof expr_prove_monotone(const ProofDomain *domain, Expr *e, Expr *leaf, bool rising);                    /* by the sign of its derivative */

/* A leaf that stands for an input of time, read at t + ahead. */
typedef struct ProofHistory { Expr *leaf; double ahead; } ProofHistory;
Proof expr_prove_causal(const ProofDomain *domain, Expr *e, const ProofHistory *histories, int n);         /* nothing is read later than t */

/* --- violations: numbers made of predicted fields --- */

/* The field `which` of prediction `serial` (leaves SYMBOL_FIELD of an integrand) is this formula of coordinates, t and inputs, in the shape of the field. */
typedef struct ProofPrediction { uint32_t serial; uint16_t which; Expr *formula; } ProofPrediction;

typedef enum ProofReductionKind { PROOF_INTEGRAL, PROOF_MAX, PROOF_MIN } ProofReductionKind;

/* A number made of a field over a place: a leaf (PARAM) of the expressions that come after it. */
typedef struct ProofReduction {
  Expr *leaf;
  ProofReductionKind kind;
  Expr *integrand;                 /* scalar; of predictions, inputs, coordinates, t, and leaves of earlier reductions */
  Name place;                      /* which place and window it is, as a name: integrals over one place add up. NULL: like no other */
  const ProofSwap *at; int nat;    /* what coordinates and t are there: x = 1 on the right side */
  bool windowed; double from, until;   /* t within a window: causality looks no further than the time up to which inputs agree */
} ProofReduction;

typedef struct ProofOfBound {
  Proof proof;         /* of violation <= bound over the whole domain, where it has a value everywhere; never PROOF_FAILS: sampling finds that */
  double certified;    /* no violation is larger, where that is known; else infinity */
  bool identity;       /* it is 0 throughout */
  bool on_grid;        /* identity: what vanishes are linear combinations of predictions, so a field interpolated between nodes gives 0 as well; otherwise it is
                          the formula that is exact, and a field on a mesh is so up to its interpolation */
} ProofOfBound;

/* The violation is a scalar of inputs and of leaves of reductions, which are in the order of evaluation. The domain's box has the ranges of the inputs of all
 * probes, and of coordinates and t over the mesh. */
ProofOfBound expr_prove_violation(const ProofDomain *domain, Expr *violation, const ProofReduction *reductions, int n, const ProofPrediction *predictions, int npredictions, double bound);

/* What to try: the power k of expr_prove_scaling, and the degree of expr_prove_polynomial, as the normal form shows them. False: it does not. */
bool expr_scaling_power(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n, double *power);
bool expr_polynomial_degree(const ProofDomain *domain, Expr *e, Expr *const *leaves, int n, int *degree);

#endif
