/* Fluxes by consistent reactions, and what contracts ask of a solution. */
#ifndef FLUX_H
#define FLUX_H
#include "problem.h"

Status flux_integral(Solution *solution, int unknown, const Where *where, double time, Diags *diags, Span span, double *out, bool *conservative);
/* |r| over free dofs, relative to the same norm of the sums of absolute contributions. */
Status flux_residual(Solution *solution, double time, Diags *diags, Span span, double *relative);
Status flux_dirichlet_error(Solution *solution, double time, Diags *diags, Span span, double *out);

#endif
