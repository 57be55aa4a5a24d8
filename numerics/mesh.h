/* Meshes: plain arrays, groups by name. All cells are of one shape (refcell.h). Cells that follow a curved side bend: their edges have middles of their
 * own, and their map from the reference cell is quadratic. The others are affine images, or multilinear ones if they are quadrilaterals or hexahedra.
 *
 * Distribution (one mesh object a rank, local numbering): vertices are owned by one rank (SCOTCH on the vertex graph); a rank keeps every cell
 * that touches a vertex it owns, and their neighbours across facets. An edge, face or cell belongs to the lowest rank among the owners of its
 * vertices, so the owner has all cells around what it owns, with the facets of these: rows are assembled without communication. With one rank
 * everything is owned. */
#ifndef MESH_H
#define MESH_H
#include "geom.h"
#include "refcell.h"

typedef struct MeshGroup {
  Name name;             /* canonical name of the geometry's group, or the physical name of a file */
  int dim;               /* of its entities: mesh dim (region) or dim - 1 (boundary); lower: curves and points of files */
  int n;                 /* local number of entities */
  int *entity;           /* cells, or indices into the mesh's facet table; for lower dims vertex tuples */
  long count;            /* over all ranks, each entity once */
  double measure;        /* length, area, volume over all ranks */
  double exact;          /* of the geometry, NAN where it is not known */
} MeshGroup;

typedef struct Mesh {
  int refs;
  int dim, nverts, ncells;
  const RefCell *ref;    /* the reference cell of all of them: how many vertices, facets, edges a cell has, and which */
  double *x;             /* [nverts][dim] */
  int *cell;             /* [ncells][ref->nverts], positively oriented */
  int order;             /* 2: cells follow curved sides, in refinements too */
  /* cells whose map is not affine (refcell_map) */
  int ncurved, *curved;  /* [ncurved] rising */
  int *curved_of;        /* [ncells] place in `curved`, -1: affine; NULL where there are none */
  double *bend;          /* [ncurved][refcell_bends][dim], as refcell_map takes them; NULL: quadrilaterals or hexahedra with straight edges, or none is curved */
  /* boundary facets of the domain (between domain and outside); after them the facets between region classes, each twice (from either side),
   * and the facets of named interior groups of files */
  int nfacets, nboundary;       /* the first nboundary are on the boundary */
  int *facet_cell;       /* [nfacets] a cell; facet_cell2: the other cell, or -1 */
  int *facet_cell2;
  int *facet_local;      /* [nfacets] local facet number in facet_cell */
  /* edges and faces, numbered on demand by mesh_edges, mesh_faces */
  int nedges, *edge;     /* [nedges][2], ascending global vertex number */
  int *cell_edge;        /* [ncells][ref->nedges] */
  int nfaces, *face;     /* 3D: [nfaces][3], of hexahedra [nfaces][4] */
  int *cell_face;        /* 3D: [ncells][ref->nfacets] */
  MeshGroup *groups; int ngroups;
  int *region;           /* [ncells] index of the finest region class of a cell: cells with equal region belong to the same region groups; NULL: one class */
  int nregions;
  /* structured meshes: cells per direction (0: none), for multigrid; on one rank their vertices go along x first, then y, then z */
  int structured[3];
  double lo[3], hi[3];   /* bounding box of the whole mesh */
  double h_min, h_max, quality;  /* longest edges, smallest normalised radius ratio, over all ranks */
  double exact;          /* length, area or volume of the geometry, NAN where it is not known */
  long global_verts, global_cells;
  /* distribution */
  int rank, nranks;
  int *vertex_owner;     /* [nverts], NULL with one rank */
  long *vertex_global;   /* [nverts] number in the undistributed mesh, NULL with one rank */
  long *cell_global;     /* [ncells], NULL with one rank */
  struct Mesh *straight; /* the same cells as affine images of their vertices, while somebody has it (mesh_straight); not retained */
  struct Mesh *base;     /* of such a one: the mesh whose arrays it shares, retained; NULL */
  struct Mesh *uncut;    /* of a mesh that is cut along interfaces (mesh_cut.h): the one it was made of, retained; NULL */
  struct Mesh *whole;    /* the undistributed mesh, which every rank has; NULL with one rank */
  const Geom *geom;      /* retained, or NULL for files */
  int level;             /* number of uniform refinements that made it */
  void *locator;         /* point location, built on demand by mesh_locate */
  uint32_t serial;       /* unique in the process */
} Mesh;

extern const int mesh_edge_vertices[4][6][2];   /* by dim: local vertices of local edge k; 3D: {2,3},{1,3},{1,2},{0,3},{0,2},{0,1} */

typedef struct MeshNear { Name group; bool is_part; double h, within; } MeshNear;   /* size: near(hole, 0.005, within: 0.1) */

typedef struct MeshPeriodic { Name from, to; Span span; } MeshPeriodic;   /* periodic: left to right */

typedef struct MeshOptions {
  double h;                       /* target size; <= 0: not given */
  Expr *h_field;                  /* or a field of x y z (scalar level); NULL */
  MeshNear *near; int nnear;
  MeshPeriodic *periodic; int nperiodic;   /* sides whose nodes are images of each other under a translation; by Gmsh */
  int cells[3]; int ncells_given; /* structured */
  CellShape shape;                /* of the cells: simplices, or quadrilaterals and hexahedra */
  bool thirds;                    /* quadrilaterals by Gmsh: each a third of a triangle, not two triangles joined */
  double curvature;               /* cells a full turn of curved sides; 0: not given */
  int order;                      /* 2: cells follow curved sides; 1: they are straight */
  Expr **cuts; int ncuts;         /* reserved */
  Span span;
  bool quiet;
} MeshOptions;

/* Whole meshes, the same on every rank. */
Status mesh_structured(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out);   /* interval, rectangle, box */
Status mesh_generate(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out);     /* Gmsh; intervals and polylines without it */
Status mesh_read(const char *path, double scale, Interner *names, Diags *diags, Span span, Mesh **out);  /* .msh 2.2, 4.1, ASCII and binary */
Status mesh_refine(const Mesh *mesh, Diags *diags, Mesh **out);      /* uniform, of mesh_whole(mesh): each cell into 2^dim; vertices on curved sides move onto them */
/* What a script asks for: structured if cells are given, else generated; distributed over the ranks (collective). */
Status mesh_make(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out);
Status mesh_import(const char *path, double scale, Interner *names, Diags *diags, Span span, Mesh **out);
Status mesh_read_cad(const char *path, double scale, const MeshOptions *options, Interner *names, Diags *diags, Mesh **out);   /* STEP, BREP; whole */
Status mesh_import_cad(const char *path, double scale, const MeshOptions *options, Interner *names, Diags *diags, Mesh **out);
Mesh *mesh_distribute(Mesh *whole);                 /* this rank's part, which retains whole; with one rank whole itself. Takes over one reference */
const Mesh *mesh_whole(const Mesh *mesh);           /* the undistributed mesh (itself with one rank), borrowed */
Mesh *mesh_retain(Mesh *mesh);
void mesh_release(Mesh *mesh);

void mesh_edges(Mesh *mesh);      /* fills edge, cell_edge */
void mesh_faces(Mesh *mesh);
/* Cells across facets: [ncells][ref->nfacets], entry = cell*nfacets + local facet on the other side, -1: none; also across facets where the mesh is cut. A fresh
 * array (free it). */
int *mesh_neighbours(const Mesh *mesh);
const MeshGroup *mesh_group(const Mesh *mesh, const char *name);    /* a boundary before a region of that name; NULL: none */
const MeshGroup *mesh_group_of(const Mesh *mesh, const char *name, int dim);
void mesh_facet_vertices(const Mesh *mesh, int facet, int *v);      /* [ref->facet_verts], at most 4, local vertex numbers */
void mesh_info(const Mesh *mesh, Buf *out);                          /* counts, edges, quality, measure of every boundary and region against the geometry */
/* Of simplices the radius ratio: 1 for the regular one; of others the least sine or solid sine at a corner: 1 for rectangles and bricks. 0 without volume. */
double mesh_cell_quality(const Mesh *mesh, int cell);
double mesh_cell_measure(const Mesh *mesh, int cell);
double mesh_facet_measure(const Mesh *mesh, int facet);
void mesh_facet_normal(const Mesh *mesh, int facet, double *n);      /* outward from facet_cell */
bool mesh_owns_cell(const Mesh *mesh, int cell);                     /* counts it in integrals */
bool mesh_owns_facet(const Mesh *mesh, int facet);
/* The cells of several regions / facets of several boundary groups, as Where says; a fresh array (free it). For `others` names are those taken away. */
int *mesh_select_cells(const Mesh *mesh, const Name *names, int n, bool all, bool others, int *count);
int *mesh_select_facets(const Mesh *mesh, const Name *names, int n, bool all, bool others, int *count);
int *mesh_select_interface(const Mesh *mesh, Name from, Name to, int *count);   /* facet indices; facet_cell lies in `from` */
/* The values of Mesh.region that make up a region, at most `max`; their number. */
int mesh_region_classes(const Mesh *mesh, Name region, int *classes, int max);
/* A local cell that contains p (closed, tolerance 1e-10 of its size) and the reference coordinates there; -1: none on this rank. */
int mesh_locate(Mesh *mesh, const double *p, double *X);

/* A reference to the mesh of straight cells with the vertices of this one (itself, where no cell is curved): on it the functions of an element of degree 1 contain
 * all linear ones. Cells, vertices, facets have the same numbers. */
Mesh *mesh_straight(Mesh *mesh);
/* Are cells of one also those of the other: the same mesh, one the other's straight one, or cut from it? */
bool mesh_same_cells(const Mesh *a, const Mesh *b);

/* --- mesh_map.c: from the reference cell to a cell --- */
static inline bool mesh_is_curved(const Mesh *mesh, int cell) { return mesh->curved_of && mesh->curved_of[cell] >= 0; }
/* Place x[dim] and slopes J[d][k] = dx_d/dX_k at X; either NULL. */
void mesh_map(const Mesh *mesh, int cell, const double *X, double *x, double (*J)[3]);
/* d2x_d/dX_k dX_l; zero where the map is affine. */
void mesh_map_second(const Mesh *mesh, int cell, const double *X, double (*H)[3][3]);
/* The vertices and, of bent meshes and simplices, the bends (zero where a cell has none): [refcell_map_nodes][dim]. */
void mesh_map_nodes(const Mesh *mesh, int cell, double *x);
/* K = J^-1; returns det J. */
double mesh_invert(int dim, double (*J)[3], double (*K)[3]);
/* Reference coordinates of a point near the cell; returns its depth there (refcell_depth). */
double mesh_unmap(const Mesh *mesh, int cell, const double *p, double *X);
/* Outward unit normal at X of a local facet; returns the ratio of the facet's surface element to that of the reference facet. */
double mesh_normal(const Mesh *mesh, int cell, int facet, const double *X, double *n);

#endif
