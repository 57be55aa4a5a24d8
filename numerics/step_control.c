/* Sources: Gresho, Lee, Sani, "On the time-dependent solution of the incompressible Navier-Stokes equations", Recent Advances in Numerical Methods in
 * Fluids 1 (1980); Hairer, Norsett, Wanner I, section III.7; Gustafsson, ACM Trans. Math. Softw. 17 (1991), for the controller; Hairer, Wanner II,
 * section IV.2, for its exponents. */
#include "step_control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "petsc.h"

void control_open(StepControl *control, const March *march, double tol, double floor, double longest) {
  const Space *space = march->system->problem->space;
  *control = (StepControl){.march = march, .tol = tol, .floor = floor, .longest = longest, .scale = calloc((size_t)space->nblocks + 1, sizeof(double)),
                           .work = big_zeroed(sizeof(double) * ((size_t)space->nlocal + 1))};
}

void control_close(StepControl *control) {
  free(control->scale), free(control->work), free(control->sizes);
  *control = (StepControl){0};
}

typedef struct Sums { double difference, size, n; } Sums;

/* Root mean squares of a - b and of a over the free dofs of an unknown; b NULL: zero. */
static Sums norms(const StepControl *control, int unknown, const double *a, const double *b) {
  const Problem *problem = control->march->system->problem;
  const SpaceBlock *block = &problem->space->block[unknown];
  Sums mine = {0}, all;
  for (int i = block->owned; i < block->owned + block->nodes->nowned * block->components; i++) {
    if (problem->bc->prescribed[i]) continue;
    double d = b ? a[i] - b[i] : a[i];
    mine.difference += d * d, mine.size += a[i] * a[i], mine.n++;
  }
  all = mine;
  if (problem->space->ghost) MPI_Allreduce(&mine, &all, 3, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  double n = fmax(all.n, 1);
  return (Sums){sqrt(all.difference / n), sqrt(all.size / n), n};
}

double control_difference(StepControl *control, const double *other, double share) {
  const Problem *problem = control->march->system->problem;
  double worst = 0;
  for (int k = 0; k < problem->space->nblocks; k++) {
    if (!problem->step_form.dynamic[k]) continue;
    Sums s = norms(control, k, control->march->next, other);
    if (control->scale[k] == 0 && control->march->start.step <= 0.01 * control->tol * control->longest) continue;
    double scale = fmax(fmax(control->scale[k], s.size), control->floor);
    if (s.difference > 0) worst = fmax(worst, share * s.difference / (control->tol * scale));
  }
  return worst;
}

double control_error(StepControl *control) {
  const March *march = control->march;
  march_extrapolate(march, march->start.step, march->row->order, control->work);
  return control_difference(control, control->work, scheme_error_share(march->row, &march->start, march->length));
}

void control_accept(StepControl *control) {
  const Problem *problem = control->march->system->problem;
  int n = problem->space->nblocks;
  for (int k = 0; k < n; k++) control->scale[k] = fmax(control->scale[k], norms(control, k, control->march->u, NULL).size);
  if ((control->nsizes & (control->nsizes - 1)) == 0)      /* room for twice as many at each power of two */
    control->sizes = big_resize(control->sizes, sizeof(double) * (size_t)(control->nsizes * n), sizeof(double) * (size_t)((2 * control->nsizes + 1) * n));
  memcpy(control->sizes + control->nsizes++ * n, control->scale, sizeof(double) * (size_t)n);
}

long control_small(const StepControl *control, int *unknown, double *floor) {
  const Problem *problem = control->march->system->problem;
  int n = problem->space->nblocks;
  long most = 0;
  for (int k = 0; k < n; k++) {
    long small = 0;
    while (small < control->nsizes && control->sizes[small * n + k] < 1e-3 * control->scale[k]) small++;
    if (small <= most || !problem->step_form.dynamic[k]) continue;
    most = small, *unknown = k, *floor = 1e-3 * control->scale[k];
  }
  return most;
}

double control_factor(const StepControl *control, double error, double before) {
  double k = control->march->row->order + 1, e = fmax(error, 1e-10);
  if (error > 1) return fmax(0.1, 0.9 * pow(e, -1 / k));
  double factor = 0.9 * (before > 0 ? pow(e, -0.7 / k) * pow(fmax(before, 1e-4), 0.4 / k) : pow(e, -1 / k));
  factor = fmin(2, fmax(0.3, factor));                        /* two-step BDF is stable up to 2.41 */
  /* a matrix that can stay is worth more than a slightly longer step */
  return control->march->constant && factor > 0.9 && factor < 1.5 ? 1 : factor;
}
