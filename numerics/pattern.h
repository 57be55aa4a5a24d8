/* The matrix of a space: its sparsity, the PETSc matrix, and for each cell the places of its entries in the value arrays. Made once, used by every
 * assembly. Nodes are counted through all blocks of the space (SpaceBlock.first_node + node). */
#ifndef PATTERN_H
#define PATTERN_H
#include "petsc.h"
#include "solver.h"
#include "space.h"

typedef enum JoinedCells { JOINED_NONE, JOINED_CUT /* across the facets where the mesh is cut */, JOINED_ALL } JoinedCells;

enum { MAP_NONE = INT32_MIN, NEAR_NONE = 255 };   /* a row of another rank, or the lower triangle of SBAIJ */

typedef struct Pattern {
  Space *space;          /* retained */
  StoreKind store;       /* blocks only for one unknown on one rank */
  int bs;
  int *cell_node;        /* [ncells][per_cell]; borrowed where the space has one block */
  bool borrowed;
  int *map;              /* [ncells][per_cell][per_cell]. AIJ: place p of the first entry of the block of two nodes, ~p in the off-diagonal
                            part; entry (i, j) is i rows further down at +j. (S)BAIJ: number of the block, stored by columns. */
  uint8_t *near;         /* where rows are nodes (one block, scalar or in blocks, on one rank) and short: the same places counted from row[node], a
                            quarter of the memory; map is NULL then */
  int *across;           /* [ncells][dim+1] mesh_neighbours, where the cells on either side of a facet couple; else NULL */
  int *over;             /* [ncells][dim+1][per_cell][per_cell] as map, for the nodes of a cell and those of its neighbour across each facet */
  int *row;              /* [nowned + 1] AIJ: dofs; (S)BAIJ: blocks */
  int *off_row;          /* the same of the off-diagonal part; NULL on one rank */
  int *col;
  double *values;        /* of AIJ on one rank */
  unsigned char *apart;  /* [nblocks] of several blocks: no component of the unknown meets another of its own, so that a node has one column in the rows of the same
                            unknown, and the entry of component i is that of (i, i) */
  int *zero, nzero;      /* places of entries that couple prescribed dofs, encoded like map */
  int *unit, nunit;      /* their diagonal */
  double scale;          /* put on it: mean diagonal of the free rows, 0: not known yet */
  Mat matrix;
  Mat system, product;   /* with affine constraints (affine.h): what is solved, and the product it is made of; NULL: the matrix itself is solved */
} Pattern;

/* apart[nblocks]: see above; NULL: all components meet. prescribed[nlocal]: dofs with a prescribed value. multiplier_rows[k]: blocks whose rows the k-th multiplier enters, by bits. across: the cells on either side of
 * a facet couple (store is AIJ then). Collective. */
Status pattern_new(Space *space, StoreKind store, JoinedCells across, const unsigned char *apart, const char *prescribed, const unsigned long *multiplier_rows, Pattern **out);
void pattern_free(Pattern *pattern);
static inline Mat pattern_system(const Pattern *pattern) { return pattern->system ? pattern->system : pattern->matrix; }
/* Frees the places of entries: no assembly comes after this one. */
void pattern_last(Pattern *pattern);

/* The value arrays; between begin and end they may be written. end finishes the matrix (a new state for KSP). */
Status pattern_begin(Pattern *pattern, double **values, double **off);
Status pattern_end(Pattern *pattern, double **values, double **off);

#endif
