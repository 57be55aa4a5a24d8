/* What the mesh builders share: a bare mesh of vertices and cells becomes a finished one with facets, groups and sizes. */
#ifndef MESH_BUILD_H
#define MESH_BUILD_H
#include "big.h"
#include "mesh.h"
#include "mesh_gmsh.h"

Mesh *mesh_new(CellShape shape, int dim, int nverts, int ncells);   /* x and cell allocated, nothing in them */
void mesh_set_geom(Mesh *mesh, const Geom *geom);
double mesh_signed_measure(const Mesh *mesh, int cell);       /* of a simplex as if it were straight */
double mesh_curved_measure(const Mesh *mesh, int cell);
/* How far the middles of edges lie from those of their ends where the boundary, or the border between two regions, follows a curved side: [nedges][dim], or
 * NULL. */
double *mesh_edge_bends(Mesh *mesh);
/* The bends of edges, and of tensor cells those of faces (in space) and cells, [dim] each, as refcell_map takes them; NULL: none. */
typedef struct MeshBends { double *edge, *face, *cell; } MeshBends;
/* Gives the cells these bends, which it takes, and lists the cells whose map is not affine. Returns how many had to stay straight, because a bend would turn
 * them inside out. Numbers edges and faces. Quadrilaterals and hexahedra need it in any case. */
int mesh_bend(Mesh *mesh, MeshBends bends);
/* The bend of a cell's entity in one of the arrays, in the order of refcell_map; NULL: it has none. */
double *mesh_bend_at(const Mesh *mesh, const MeshBends *bends, int cell, int k);
/* The places of the nodes of a quadratic map (those of P2 or Q2), of which the first `given` are there, become vertices and bends. */
void mesh_node_bends(const RefCell *cell, int given, double *node);
MeshBends mesh_bends(Mesh *mesh);                             /* those that its cells have, fresh arrays */
void mesh_free_straight(Mesh *mesh);
void mesh_set_facets(Mesh *mesh, int nfacets);                /* allocates the facet table */
int mesh_more_facets(Mesh *mesh, int n);                      /* room for n further ones; the number of the first */
void mesh_boundary(Mesh *mesh, const int *neighbours);        /* facet table: the boundary facets, by cells */
void mesh_bounds(Mesh *mesh);                                 /* lo, hi */
void mesh_sizes(Mesh *mesh, int first, int n);                /* h_min, h_max, quality over cells first..first+n */
void mesh_check_quality(const Mesh *mesh, Diags *diags, Span span);   /* W1010: nearly flat cells */
MeshGroup *mesh_add_group(Mesh *mesh, Name name, int dim, int *entity, int n);   /* takes entity */
/* Groups of the geometry: facet_side[f] is the index into geom_sides of boundary facet f, NULL: found by distance. Then region classes, the facets between
 * them, counts and measures; an empty group is an error, a mesh that does not follow a predicate a warning. */
Status mesh_name_groups(Mesh *mesh, const Geom *geom, const int *facet_side, Diags *diags, Span span);
/* Classes of cells that lie in the same region groups, and the facets between them; neighbours NULL: computed if needed. */
void mesh_classify_regions(Mesh *mesh, const int *neighbours);
void mesh_group_measures(Mesh *mesh);                         /* count and measure of every group of a whole mesh */
Status mesh_limits(int dim, double nverts, double ncells, Diags *diags, Span span);

typedef struct MeshGraph { int *start, *to; } MeshGraph;       /* neighbours of vertex i: to[start[i]..start[i+1]), each once */
MeshGraph mesh_vertex_graph(const Mesh *mesh);

/* Renumbering: vertices by reverse Cuthill-McKee, cells by their lowest vertex. Before facets and groups; perm_cell[new] = old if not NULL. */
void mesh_reorder(Mesh *mesh, int **old_vertex, int **old_cell);
/* Turns negatively oriented cells; -1, or the first cell without volume or, of tensor cells, without an inverse of its map. *turned: how many. */
int mesh_orient(Mesh *mesh, int *turned);

/* The pieces of the built shape by cell and boundary facet (facet: -1 unknown). Borrows the pieces. */
typedef struct MeshTrace { int *facet, *cell; const GmshPieces *cells, *facets; } MeshTrace;
MeshTrace mesh_trace(const Mesh *mesh, const GmshCells *cells, const int *old_vertex, const int *old_cell);
void mesh_trace_free(MeshTrace *trace);
void mesh_trace_measures(Mesh *mesh, const MeshTrace *trace);   /* MeshGroup.exact */

void mesh_free_locator(Mesh *mesh);

#endif
