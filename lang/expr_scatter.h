/* Measured values at scattered points of a plane: linear on the triangles of their Delaunay triangulation. No triangle has another point inside its
 * circumcircle, so that triangles are as little slender as the points allow, and the union of all is the convex hull of the points. */
#ifndef EXPR_SCATTER_H
#define EXPR_SCATTER_H
#include "arena.h"

typedef struct Scattered {
  int n, ntri;
  const double (*x)[2];      /* [n] as they were given */
  const double *value;       /* [n] */
  double scale[2];           /* distances are measured in x/scale[0], y/scale[1] */
  int (*tri)[3];             /* counterclockwise */
  int (*next)[3];            /* triangle across the side opposite to each corner; -1: the hull */
  int (*hull)[2], nhull;     /* its sides */
  int side, *start;          /* a grid of side x side boxes over the range, with a triangle near each */
  double lo[2], hi[2];
} Scattered;

typedef enum ScatterFault { SCATTER_FINE, SCATTER_TWICE, SCATTER_LINE } ScatterFault;
/* Copies x and value into the arena. same_unit: both axes measure one thing, else each is scaled by its range. TWICE: points which[0] and which[1] are equal;
 * LINE: all lie on one line. */
ScatterFault scatter_new(Arena *arena, const double (*x)[2], const double *value, int n, bool same_unit, int which[2], const Scattered **out);
/* Value (order 0, 0) or a first derivative. Outside of the hull: hold takes the nearest point of it, and has derivative 0; else NAN. */
double scatter_value(const Scattered *scatter, const double x[2], const int order[2], bool hold);

#endif
