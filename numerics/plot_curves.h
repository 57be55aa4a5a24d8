/* Curves of a request, in shown units. */
#ifndef PLOT_CURVES_H
#define PLOT_CURVES_H
#include "plot_job.h"

typedef struct PlotCurves {
  int ncurves, n;
  int *start;                  /* [ncurves + 1] */
  double *x, *y;               /* [n] */
} PlotCurves;

Status plot_curves(PlotJob *job, PlotCurves *out);      /* reports what cannot be drawn */
void plot_curves_free(PlotCurves *curves);
/* Range of an axis: of the values with some air around (a fraction), or as asked for. */
void plot_curves_range(const double *values, int n, bool log, double lo, double hi, double air, double *v0, double *v1);

#endif
