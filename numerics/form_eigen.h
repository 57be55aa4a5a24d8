/* Eigenvalue problems: the Jacobian of a form whose equations contain lambda, or time derivatives of modes, split into A u == lambda*B u. */
#ifndef FORM_EIGEN_H
#define FORM_EIGEN_H
#include "form.h"

typedef struct EigenForm {
  Integral *stiffness; int nstiffness;   /* A: bilinear in TEST and TRIAL, scalar level */
  Integral *mass; int nmass;             /* B */
  bool symmetric;                        /* both are */
  bool definite;                         /* B has no kernel for lack of an unknown in it */
  Unit unit;                             /* of lambda */
} EigenForm;

/* lambda as written; dt(u) and dtt(u) are read as -lambda*u. Errors E2060: nothing that makes an eigenvalue, a term without an unknown, a nonlinear
 * term, lambda not of first degree. Arrays in arena. */
Status form_eigen(const Form *form, Arena *arena, Diags *diags, Span span, EigenForm *out);

#endif
