/* Time schemes as substitutions on forms: a transient Form becomes the form of one step, in which the unknown is the state at the new time.
 *
 * What the step form contains besides the form's own symbols:
 *   PREVIOUS level k       the state k steps back, k = 1, 2
 *   PREVIOUS level SCHEME_RATE + k    its rate dt(u) k steps back, for unknowns of second order in time
 *   parameters             scheme_params of scheme.c: the engine binds them before each step (values by scheme_coefficients)
 *   t                      the new time; old time is a parameter
 * With the numbers a = (a0, a1, a2) and step: dt(u) = (a0*u + a1*u1 + a2*u2)/step. One kernel serves the first step and the others. */
#ifndef SCHEME_H
#define SCHEME_H
#include "form.h"

enum { SCHEME_RATE = 128, SCHEME_LEVELS = 2 };

typedef enum SchemeFamily {
  SCHEME_BDF,            /* all terms at the new time */
  SCHEME_MIDPOINT        /* mean of old and new */
} SchemeFamily;

typedef struct SchemeRow {
  const char *name;
  int order;
  SchemeFamily family;
  int levels;            /* previous states needed once it runs */
  const char *title, *doc;
} SchemeRow;

extern const SchemeRow scheme_rows[];
extern const int scheme_row_count;
const SchemeRow *scheme_row(const char *name);       /* NULL: none */
const char *const *scheme_names(void);               /* for suggestions, ended by NULL */

/* Names of the parameters of step forms, pointers to compare; no script can write them. */
typedef enum SchemeParam { SCHEME_STEP, SCHEME_TIME_OLD, SCHEME_A0, SCHEME_A1, SCHEME_A2, SCHEME_PARAMS } SchemeParam;
extern const char *const scheme_params[SCHEME_PARAMS];
int scheme_param(Name name);                         /* SchemeParam, or -1: not one of them */

typedef struct StepForm {
  const Form *form;        /* borrowed */
  const SchemeRow *row;
  Integral *residual; int nresidual;       /* scalar level, without time derivatives */
  Integral *jacobian; int njacobian;       /* in direction TRIAL */
  unsigned findings;       /* LINEAR, SYMMETRIC, SADDLE, ADVECTIVE, DEFINITE_LIKELY of this Jacobian */
  int levels;              /* previous states needed */
  bool *rates;             /* [unknown] second order in time: the rate is kept too */
  bool *dynamic;           /* [unknown] has a time derivative at all; the others (a pressure) need no previous state */
  Arena *arena;
} StepForm;

/* Fails (E0999) only where an expression refuses. step_free frees what it owns. */
Status scheme_step(const Form *form, const SchemeRow *row, Diags *diags, StepForm *out);
void scheme_step_free(StepForm *step);

/* a0, a1, a2 for a step that follows `done` steps; ratio = this step/the one before. The first step of bdf2 is backward Euler. */
void scheme_coefficients(const SchemeRow *row, int done, double ratio, double a[3]);
/* The rate at the new time from states and rates (r1, r2 back) after a step, entry by entry: r = (b0*u + b1*u1 + b2*u2)/step + c1*r1. */
void scheme_rate(const SchemeRow *row, int done, double ratio, double b[3], double *c1);

#endif
