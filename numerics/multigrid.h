/* Geometric multigrid on structured rectangles and boxes: from degree 2 (P2, Q2) to 1 on the same mesh, then from grid to grid of half as many cells in the directions
 * in which these are short, the pde assembled anew on each, linear interpolation between them. A preconditioner for conjugate gradients; iterations
 * do not grow with refinement. */
#ifndef MULTIGRID_H
#define MULTIGRID_H
#include "pattern.h"
#include "problem.h"

enum { MULTIGRID_MOST = 16 };

typedef struct Multigrid {
  int nlevels;                 /* without the finest */
  Problem *problem[MULTIGRID_MOST];   /* from the finest but one to the coarsest */
  Pattern *pattern[MULTIGRID_MOST];
  Unknown linear;              /* the unknown of a problem of degree 2 in degree 1 */
} Multigrid;

/* Can it serve? One unknown (P1, P2, Q1 or Q2, any number of components), linear, two or three dimensions, one rank, a grid that can be halved
 * until a small system is left. */
bool multigrid_fits(const Problem *problem);
Status multigrid_open(Multigrid *grids, Problem *problem, const Pattern *pattern, PC pc);
/* The matrices of the coarse grids for the data of the finest. */
Status multigrid_assemble(Multigrid *grids, const Data *data);
void multigrid_close(Multigrid *grids);

#endif
