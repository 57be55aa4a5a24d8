/* From a pde to a Solution: steady, or through time. */
#ifndef NUMERICS_TIME_H
#define NUMERICS_TIME_H
#include "newton.h"

Status time_solve(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const SolveOptions *options, Diags *diags, Span span, Solution **out);

#endif
