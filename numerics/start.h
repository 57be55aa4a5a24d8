/* Where Newton's iteration begins when the pde does not say. */
#ifndef START_H
#define START_H
#include "newton.h"

/* u[nlocal], with prescribed values in and zero elsewhere: carries them into the domain by -lap(u) + 1e-6/h^2 u == 0. Does nothing to a linear pde
 * and where nothing but zero is prescribed. Collective. */
Status start_extend(const Problem *problem, const SolveOptions *options, double *u);

#endif
