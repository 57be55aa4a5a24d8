/* Normal forms: a scalar-level expression multiplied out into a sum of products of powers of atoms. Atoms are leaves, functions of normal forms (sin, exp,
 * abs, ...), sums below a division or root, and parts that are not looked into; they count as independent of each other but for a few laws (sin^2 + cos^2 = 1,
 * exp(a + b) = exp(a) exp(b), |a|^2 = a^2, sqrt(a)^2 = a, ...). So an expression whose normal form has no term is zero wherever all of its parts have values,
 * by proof; one whose form has terms may still be zero. Coefficients are doubles with a bound of their error: the constants of a script are decimal numbers
 * to 1 unit in the last place, and what cancels to within that is zero. */
#ifndef EXPR_NORMAL_H
#define EXPR_NORMAL_H
#include "expr_range.h"

typedef struct Normals Normals;

/* box: ranges of leaves, for their signs (sqrt(E^2) is E where E > 0); leaves it does not name may be anything. With `only` (n leaves), parts that depend on
 * none of them are atoms as a whole: so a network that multiplies a load costs nothing. All borrowed. */
Normals *normals_open(const RangeLeaf *box, int nbox, Expr *const *only, int nonly);
void normals_close(Normals *normals);
/* At most so many products of terms are made, 3 million unless it is set; and how many were. What needs more stays open. */
void normals_limit(Normals *normals, long work);
long normals_used(const Normals *normals);

/* Parts that several terms of the sum e share are atoms as a whole. */
void normals_keep_shared(Normals *normals, Expr *e);

bool normal_is_zero(Normals *normals, Expr *e);        /* proved to be zero */

/* How the leaves stand in the terms of e. False: the form is not a sum of products of their powers (an atom depends on them, or it is zero). */
typedef struct NormalDegrees {
  double least, most;      /* total exponent of the leaves in a term */
  bool natural;            /* all exponents are whole numbers from 0: a polynomial */
  int terms;
} NormalDegrees;
bool normal_degrees(Normals *normals, Expr *e, Expr *const *leaves, int n, NormalDegrees *out);
bool normal_depends(Normals *normals, Expr *e, Expr *const *leaves, int n);   /* false: proved to be independent of all of them */

#endif
