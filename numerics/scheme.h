/* Time schemes as substitutions on forms: a transient Form becomes the form of one step, in which the unknown is the state at the new time.
 *
 * What the step form contains besides the form's own symbols:
 *   PREVIOUS level k       the state k steps back, k = 1, 2
 *   PREVIOUS level SCHEME_RATE + k    its rate dt(u) k steps back, for unknowns of second order in time; of generalized-alpha: 1 the rate, 2 the
 *                          acceleration dtt(u), both one step back
 *   parameters             scheme_params of scheme.c: the engine binds them before each step (values by scheme_coefficients)
 *   t                      the new time; old time is a parameter
 * How dt(u) and dtt(u) are made of these stands at the head of scheme.c. One kernel serves the first step and the others. */
#ifndef SCHEME_H
#define SCHEME_H
#include "form.h"

enum { SCHEME_RATE = 128, SCHEME_LEVELS = 2 };
#define SCHEME_RHO 0.8                               /* rho_inf where the user does not say */

typedef enum SchemeFamily {
  SCHEME_BDF,            /* all terms at the new time */
  SCHEME_MIDPOINT,       /* mean of old and new */
  SCHEME_ALPHA           /* states, rates and accelerations at shares of the step */
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
typedef enum SchemeParam {
  SCHEME_STEP, SCHEME_TIME_OLD, SCHEME_A0, SCHEME_A1, SCHEME_A2,
  SCHEME_SHARE, SCHEME_B1,                             /* generalized-alpha: share of the new state; dt(u) of first order by the old rate */
  SCHEME_C0, SCHEME_C1, SCHEME_C2, SCHEME_D0, SCHEME_D1, SCHEME_D2,   /* its dt(u) and dtt(u) of second order */
  SCHEME_PARAMS
} SchemeParam;
extern const char *const scheme_params[SCHEME_PARAMS];
int scheme_param(Name name);                         /* SchemeParam, or -1: not one of them */

typedef struct StepForm {
  const Form *form;        /* borrowed */
  const SchemeRow *row;
  Integral *residual; int nresidual;       /* scalar level, without time derivatives */
  Integral *jacobian; int njacobian;       /* in direction TRIAL */
  unsigned findings;       /* LINEAR, SYMMETRIC, SADDLE, ADVECTIVE, DEFINITE_LIKELY of this Jacobian */
  int levels;              /* previous states needed */
  bool *rates;             /* [unknown] second order in time */
  bool keeps_rates;        /* rates are kept beside the states */
  bool *dynamic;           /* [unknown] has a time derivative at all; the others (a pressure) need no previous state */
  Arena *arena;
} StepForm;

/* Fails (E0999) only where an expression refuses. step_free frees what it owns. */
Status scheme_step(const Form *form, const SchemeRow *row, Diags *diags, StepForm *out);
void scheme_step_free(StepForm *step);

/* How a step begins: by what was done before it. */
typedef struct SchemeStart {
  double step, ratio;      /* its length; over that of the step before */
  bool first;              /* nothing is known but the state (and rate) at its beginning */
  bool second_order;       /* some unknown has a dtt */
  double rho;              /* rho_inf */
} SchemeStart;

/* Sets params[SCHEME_STEP] and from SCHEME_A0 on; the old time is the caller's. */
void scheme_coefficients(const SchemeRow *row, const SchemeStart *start, double params[SCHEME_PARAMS]);
/* Rates at the new time from those before, entry by entry: of (u, u1, u2, r1, r2) the new r1 and r2. second_order: of this unknown. */
typedef struct SchemeRates { double r1[5], r2[5]; } SchemeRates;
void scheme_rates(const SchemeRow *row, const double params[SCHEME_PARAMS], const SchemeStart *start, bool second_order, SchemeRates *out);
/* With the difference between the new state and the parabola (order 1: the line) through the last ones, extrapolated: the share of it that is the error
 * of the step (Milne's device). before: lengths of the two steps before. Hairer, Norsett, Wanner I, section III.5; Gresho, Lee, Sani 1980. */
double scheme_error_share(const SchemeRow *row, const SchemeStart *start, const double before[2]);

#endif
