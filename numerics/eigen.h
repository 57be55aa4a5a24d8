/* Eigenvalue problems A u == lambda*B u on SLEPc: prescribed dofs are eliminated, modes come back as solutions. */
#ifndef EIGEN_H
#define EIGEN_H
#include "engine.h"

/* Collective. See EngineApi.eigensolve. */
Status eigen_solve(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const EigenOptions *options, Diags *diags, Span span, EigenModes *out);
void eigen_modes_free(EigenModes *modes);

#endif
