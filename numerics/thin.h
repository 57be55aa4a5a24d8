/* Points and curves of imported meshes: places of a lower dimension than facets, kept as tuples of one or two vertices. */
#ifndef THIN_H
#define THIN_H
#include "data.h"

typedef struct ThinHit { int tuple, cell, a, b; } ThinHit;      /* a cell at a tuple; its local vertices in the order of the tuple, b = a for a point */
typedef struct ThinPlace {
  int n, width;            /* tuples, each once; vertices of each: 1 point, 2 curve */
  int *vertex;             /* [n][width] ascending */
  ThinHit *hit; int nhits; /* every local cell at every tuple */
} ThinPlace;

void thin_open(ThinPlace *place, const Mesh *mesh, const Where *where);
void thin_close(ThinPlace *place);
/* Integral of e (of points: the sum), or its extrema, each component apart. side: as in Where. Collective. */
Status thin_integral(const Data *data, Expr *e, const Where *where, int degree, double *out);
Status thin_extremum(const Data *data, Expr *e, const Where *where, bool largest, double *out, double *at);

#endif
