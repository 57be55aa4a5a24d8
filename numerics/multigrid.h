/* Geometric multigrid on structured rectangles with P1: the pde assembled anew on every coarser grid, linear interpolation between the grids. Twice as
 * fast as algebraic multigrid there. */
#ifndef MULTIGRID_H
#define MULTIGRID_H
#include "pattern.h"
#include "problem.h"

typedef struct Multigrid {
  int nlevels;                 /* without the finest */
  Problem *problem[16];        /* from the finest but one to the coarsest */
  Pattern *pattern[16];
} Multigrid;

/* Can it serve? One scalar P1 unknown, linear, two dimensions, one rank, grids that can be halved at least twice. */
bool multigrid_fits(const Problem *problem);
Status multigrid_open(Multigrid *grids, Problem *problem, const Pattern *pattern, PC pc);
/* The matrices of the coarse grids for the data of the finest. */
Status multigrid_assemble(Multigrid *grids, const Data *data);
void multigrid_close(Multigrid *grids);

#endif
