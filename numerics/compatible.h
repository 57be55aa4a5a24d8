/* Data of a problem that leaves a constant free: whether they allow a solution. */
#ifndef COMPATIBLE_H
#define COMPATIBLE_H
#include "problem.h"

/* Where a constraint such as mean(u) == 0 fixes the constant of an unknown that nothing prescribes, its multiplier is what the data lack to balance.
 * Reports E2040 where that is more than a twentieth of them, W2040 where it is more than a thousandth. data as for the solve, u[nlocal] solved for.
 * Collective. */
Status compatible_data(Problem *problem, const Data *data, const double *u);

#endif
