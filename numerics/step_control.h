/* Control of the step by the error of each step. The error is a share of the difference between the new state and the polynomial through the last ones
 * (Milne's device, no further solve); the next length follows from this error and the one before (PI control). */
#ifndef STEP_CONTROL_H
#define STEP_CONTROL_H
#include "march.h"

typedef struct StepControl {
  const March *march;
  double tol;
  double floor, longest;   /* what is smaller counts as that large; longest step */
  double *scale;           /* [unknown] largest norm of its states so far */
  double *sizes;           /* [step][unknown] `scale` after each step, the initial state's first */
  long nsizes;
  double *work;            /* [nlocal] */
} StepControl;

void control_open(StepControl *control, const March *march, double tol, double floor, double longest);
void control_close(StepControl *control);
/* Error of the step that was tried, over tol: of each unknown with a time derivative the root mean square over the dofs that are not prescribed,
 * relative to the largest such norm of its states; the largest over the unknowns. What has been exactly zero so far has no such norm, and its first change is
 * all of it, however short the step: a step of tol/100 of the longest one is good enough for that. Collective. */
double control_error(StepControl *control);
/* The same for a given difference: share*(march->next - other). */
double control_difference(StepControl *control, const double *other, double share);
/* The state at hand counts in the scales from now on. */
void control_accept(StepControl *control);
/* The largest number of steps in which an unknown was below a thousandth of its later size, that unknown and that thousandth. */
long control_small(const StepControl *control, int *unknown, double *floor);
/* Factor for the next length, after an error of `error` and one of `before` (<= 0: none). */
double control_factor(const StepControl *control, double error, double before);

#endif
