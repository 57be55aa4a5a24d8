/* Layers that the mesh does not resolve: found in a solution of an equation with transport and diffusion. */
#ifndef PECLET_H
#define PECLET_H
#include "problem.h"

/* Warns (W2010) where a continuous scalar unknown without stabilisation changes by a quarter of its range along the stream within one cell whose cell
 * Peclet number |b| h/(2 k p) is over 1. u[nlocal]: the state. Collective. */
Status peclet_check(Problem *problem, double time, const double *u);

#endif
