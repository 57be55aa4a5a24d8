/* Degrees of freedom. A NodeSet numbers the nodes of one scalar element on a mesh; a Space strings the unknowns of a pde together, one block an
 * unknown, its components interleaved node by node, then the multipliers. Local numbers: what this rank owns comes first. */
#ifndef SPACE_H
#define SPACE_H
#include "../lang/pde.h"
#include "element.h"
#include "mesh.h"

typedef struct NodeSet {
  int refs;
  Mesh *mesh;              /* retained */
  const Element *element;
  int per_cell;            /* nodes of a cell */
  int n, nowned;
  int *cell;               /* [ncells][per_cell]; the mesh's own array for P1 on one rank */
  bool borrowed;
  int *ghost_owner;        /* [n - nowned] rank, and its number there */
  int *ghost_index;
} NodeSet;

/* Collective. */
NodeSet *nodes_new(Mesh *mesh, const Element *element);
NodeSet *nodes_retain(NodeSet *nodes);
void nodes_release(NodeSet *nodes);
/* Local nodes of a cell on its local facet; out has room for per_cell. Returns their number. */
int nodes_on_facet(const Element *element, int dim, int facet, int *out);

typedef struct SpaceBlock {
  NodeSet *nodes;
  int components;
  int owned, ghost;        /* local dof of its first owned and first ghost node */
  int first_node;          /* number of its first node when the nodes of all blocks are counted through */
} SpaceBlock;

typedef struct Space {
  int refs;
  Mesh *mesh;              /* retained */
  int nblocks;
  SpaceBlock *block;
  int nmultipliers, multiplier;   /* local dof of the first one; owned by rank 0 */
  int nnodes;              /* of all blocks */
  int per_cell;            /* nodes of all blocks on a cell */
  int dofs_per_cell;
  int nowned, nlocal;
  long nglobal, first;     /* global number of the first owned dof */
  int *ghost;              /* [nlocal - nowned] global numbers; NULL with one rank */
  struct Halo { int *send_n, *send_at, *send, *take_n, *take_at, *take; double *out, *in; } *halo;
} Space;

/* Collective. Unknowns have element and shape set. share: a space on the same mesh whose node sets may be used, or NULL. */
Space *space_new(Mesh *mesh, const Unknown *unknowns, int n, int nmultipliers, const Space *share);
Space *space_retain(Space *space);
void space_release(Space *space);

static inline int space_dof(const SpaceBlock *block, int node) {
  int over = node - block->nodes->nowned;
  return over < 0 ? block->owned + node * block->components : block->ghost + over * block->components;
}
static inline long space_global(const Space *space, int dof) {
  return dof < space->nowned ? space->first + dof : space->ghost[dof - space->nowned];
}

/* Overwrites the ghosts of v[nlocal] with their owners' values. Collective. */
void space_ghosts(const Space *space, double *v);
/* Adds the ghosts' values to their owners'. Collective. */
void space_collect(const Space *space, double *v);

/* Reference coordinates [per_cell][dim] of the nodes of an element. */
void nodes_reference(const Element *element, int dim, double *points);
/* Place of a node of a cell. */
void nodes_place(const NodeSet *nodes, int cell, const double *reference, double *x);

#endif
