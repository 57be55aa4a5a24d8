/* Locking: linear elements for a nearly incompressible material. */
#ifndef LOCKING_H
#define LOCKING_H
#include "problem.h"

/* Warns (W2070) where the equation of a continuous vector unknown of degree 1 resists volume changes much more than shear, by the coefficients that its
 * linearised form has at the state u[nlocal]. Collective. */
Status locking_check(Problem *problem, double time, const double *u);

#endif
