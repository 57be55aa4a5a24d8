/* Brings a distributed mesh and its fields to rank 0, where files are written and pictures are drawn. Collective over MPI_COMM_WORLD; the
 * result does not depend on the number of ranks (cells in the order of their global numbers). */
#ifndef IO_GATHER_H
#define IO_GATHER_H
#include "nodal.h"

/* Rank 0: the whole mesh with its groups; other ranks: NULL. With one rank the mesh itself. mesh_release it. */
Status gather_mesh(Mesh *mesh, Mesh **out);
/* Rank 0: *out is the field over `whole`, its cell_node and values owned by the caller (gathered_free); other ranks: zero. The field's values and
 * cell_node (or NULL) are local; a continuous field stays one if it had a cell_node. */
Status gather_field(Mesh *mesh, Mesh *whole, const NodalField *field, NodalField *out);
void gathered_free(NodalField *field);

#endif
