/* The inside of laws, seen by law*.c alone: polynomials in atoms with exact rational coefficients. */
#ifndef LAW_SUM_H
#define LAW_SUM_H
#include "law.h"

enum { LAW_WORK = 400000, LAW_TERMS = 2000, LAW_EXPONENT = 64, LAW_ATOMS = 400 };

typedef struct LawAlgebra {
  Arena *arena;
  const LawAtom *atom[LAW_ATOMS];
  int natoms;
  long work;               /* products of terms that may still be made */
  bool exhausted;          /* a bound was passed; what comes out then means nothing */
} LawAlgebra;

LawNumber law_ratio(LawAlgebra *s, int64_t num, int64_t den);
LawNumber law_plus(LawAlgebra *s, LawNumber a, LawNumber b);
LawNumber law_times(LawAlgebra *s, LawNumber a, LawNumber b);
LawNumber law_over(LawAlgebra *s, LawNumber a, LawNumber b);
static inline LawNumber law_minus(LawNumber a) { return (LawNumber){-a.num, a.den}; }
static inline bool law_is_one(LawNumber a) { return a.num == 1 && a.den == 1; }
int law_number_order(LawNumber a, LawNumber b);

/* Orders are those of the prototype's texts: functions before jets, jets by dx and dy, a product before its own beginning. */
int law_monomial_order(LawMonomial a, LawMonomial b);
int law_pivot_order(LawMonomial a, LawMonomial b);       /* higher derivatives first, then the order above */
bool law_monomial_same(LawMonomial a, LawMonomial b);

LawSum law_constant(LawAlgebra *s, LawNumber value);
LawSum law_jet_sum(LawAlgebra *s, int field, int dx, int dy);
LawSum law_sum(LawAlgebra *s, LawSum a, LawSum b);
LawSum law_scaled(LawAlgebra *s, LawSum a, LawNumber factor);
LawSum law_product(LawAlgebra *s, LawSum a, LawSum b);
LawSum law_power(LawAlgebra *s, LawSum a, int exponent);
/* f(argument), of an odd or even function with the sign of the argument made positive; functions of 0 are numbers. */
LawSum law_function(LawAlgebra *s, ExprOp op, LawSum argument);
LawSum law_sorted(LawAlgebra *s, LawTerm *term, int n);  /* terms in any order, equal ones collected; takes the array */
bool law_has_field(LawSum a);
void law_algebra_know(LawAlgebra *s, const Law *law);    /* its atoms are those of the law */
LawSum law_derivative(LawAlgebra *s, LawSum a, int axis);

/* law_expand.c */
bool law_expand(LawAlgebra *s, const LawSpace *space, const LawUnknown *unknown, int n, Expr *right, LawSum *out, int *nodes, LawFault *fault);
bool law_fault(LawFault *fault, DiagCode code, const char *mend, const char *found, ...) __attribute__((format(printf, 4, 5)));   /* false */

/* law_print.c */
Expr *law_form(LawAlgebra *s, const Law *law);

#endif
