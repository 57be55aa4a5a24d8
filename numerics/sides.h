/* Facets between cells have two sides. What jumps there (a derivative of a field, a value by region) counts as the mean of both, or as the value on the
 * side of one region. The normal stays that of the facet as it is listed. */
#ifndef SIDES_H
#define SIDES_H
#include "data.h"
#include "problem.h"

typedef enum SidePick { SIDE_OUTER, SIDE_NEAR, SIDE_FAR, SIDE_PICKS } SidePick;   /* facets of the boundary; between cells: by facet_cell, by facet_cell2 */

typedef struct Sides {
  bool both;             /* the place has facets whose two sides have to be told apart; else nothing below counts */
  char *in;              /* [ncells] cells of the region that was asked for; NULL: the mean of both sides */
  int *twin;             /* [nfacets] the same facet seen from facet_cell2; -1: none */
} Sides;

/* E2530 where the region lies on neither side of a facet of `where`. Collective. */
Status sides_open(Sides *sides, const Data *data, Expr *e, const Where *where);
void sides_close(Sides *sides);
/* The expression for a pick: seen from the far side n is turned back. */
Expr *sides_expr(const Data *data, Expr *e, SidePick pick);
/* Keeps the facets of a pick (of the far side their twins), grouped as the kernels want them. */
void sides_part(const Sides *sides, const Mesh *mesh, SidePick pick, Part *part);
/* [ncells] 1 for the cells of a region; a fresh array (free it). */
char *sides_cells(const Mesh *mesh, Name region);
/* What a facet of a pick counts. */
double sides_weight(const Sides *sides, SidePick pick);

#endif
