/* Distribution over the ranks of an mpiexec run. Every rank has built the same whole mesh; the vertices are shared out by SCOTCH, and a rank keeps the
 * cells that touch a vertex of its own, and their neighbours. The whole mesh stays (a few bytes a cell against hundreds of a matrix): refinement, writers and pictures
 * work on it without communication. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scotch.h>

#include "mesh_build.h"

static void world(int *rank, int *nranks) {
  int up = 0, down = 0;
  *rank = 0;
  *nranks = 1;
  MPI_Initialized(&up);
  if (up) MPI_Finalized(&down);
  if (!up || down) return;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, nranks);
}

/* Parts of a graph, 0 if it worked. One thread and a fixed seed: with several threads SCOTCH 7 gives another partition each time, and
 * then no run on several ranks repeats to the last digit. */
static int share_out(MeshGraph *g, int nverts, int nranks, int *owner) {
  SCOTCH_Graph graph;
  SCOTCH_Strat strategy;
  SCOTCH_randomSeed(1);
  SCOTCH_randomReset();
  SCOTCH_graphInit(&graph);
  SCOTCH_stratInit(&strategy);
  int failed = SCOTCH_graphBuild(&graph, 0, nverts, g->start, NULL, NULL, NULL, g->start[nverts], g->to, NULL);
#ifdef SCOTCH_OPTIONNUMDETERMINISTIC
  SCOTCH_Context context;
  SCOTCH_Graph bound;
  SCOTCH_contextInit(&context);
  SCOTCH_graphInit(&bound);
  failed = failed || SCOTCH_contextThreadSpawn(&context, 1, NULL) || SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) ||
           SCOTCH_contextBindGraph(&context, &graph, &bound) || SCOTCH_graphPart(&bound, nranks, &strategy, owner);
  SCOTCH_graphExit(&bound);
  SCOTCH_contextExit(&context);
#else
  failed = failed || SCOTCH_graphPart(&graph, nranks, &strategy, owner);
#endif
  SCOTCH_stratExit(&strategy);
  SCOTCH_graphExit(&graph);
  return failed;
}

/* Owner of each vertex, found by the first rank. */
static int *partition(const Mesh *mesh, int rank, int nranks) {
  int *owner = BIG_ARRAY(int, mesh->nverts + 1);
  if (rank == 0) {
    MeshGraph g = mesh_vertex_graph(mesh);
    /* equal runs of the numbering are a worse partition, but one */
    if (share_out(&g, mesh->nverts, nranks, owner))
      for (int i = 0; i < mesh->nverts; i++) owner[i] = (int)((int64_t)i * nranks / mesh->nverts);
    free(g.start);
    free(g.to);
  }
  MPI_Bcast(owner, mesh->nverts, MPI_INT, 0, MPI_COMM_WORLD);
  return owner;
}

/* Local numbers of what is kept, -1 for the rest; returns how many. */
static int number(const char *keep, int n, int *local) {
  int count = 0;
  for (int i = 0; i < n; i++) local[i] = keep[i] ? count++ : -1;
  return count;
}

static void copy_vertices(const Mesh *whole, const int *local, const int *owner, Mesh *part) {
  int dim = whole->dim;
  part->vertex_owner = BIG_ARRAY(int, part->nverts);
  part->vertex_global = BIG_ARRAY(long, part->nverts);
  for (int i = 0; i < whole->nverts; i++) {
    int k = local[i];
    if (k < 0) continue;
    memcpy(part->x + (size_t)k * dim, whole->x + (size_t)i * dim, (size_t)dim * sizeof *part->x);
    part->vertex_owner[k] = owner[i];
    part->vertex_global[k] = i;
  }
}

static void copy_cells(const Mesh *whole, const int *local, const int *vertex, Mesh *part) {
  int m = whole->ref->nverts;
  part->cell_global = BIG_ARRAY(long, part->ncells);
  if (whole->region) part->region = BIG_ARRAY(int, part->ncells);
  for (int c = 0; c < whole->ncells; c++) {
    int k = local[c];
    if (k < 0) continue;
    for (int q = 0; q < m; q++) part->cell[(size_t)k * m + q] = vertex[whole->cell[(size_t)c * m + q]];
    part->cell_global[k] = c;
    if (whole->region) part->region[k] = whole->region[c];
  }
}

static void copy_bends(const Mesh *whole, const int *local, Mesh *part) {
  if (!whole->ncurved) return;
  size_t width = whole->bend ? (size_t)(refcell_bends(whole->ref) * whole->dim) : 0;
  part->curved_of = BIG_ARRAY(int, part->ncells);
  part->curved = BIG_ARRAY(int, part->ncells);
  if (width) part->bend = BIG_ARRAY(double, width * (size_t)part->ncells);
  for (int c = 0; c < whole->ncells; c++) {
    int k = local[c], i = whole->curved_of[c];
    if (k < 0) continue;
    part->curved_of[k] = i < 0 ? -1 : part->ncurved;
    if (i < 0) continue;
    if (width) memcpy(part->bend + width * (size_t)part->ncurved, whole->bend + width * (size_t)i, width * sizeof *part->bend);
    part->curved[part->ncurved++] = k;
  }
}

/* Facets whose cells are here; facet of the whole -> local number. */
static int *copy_facets(const Mesh *whole, const int *cell, Mesh *part) {
  char *keep = BIG_ARRAY(char, whole->nfacets + 1);
  int *local = BIG_ARRAY(int, whole->nfacets + 1);
  for (int f = 0; f < whole->nfacets; f++)
    keep[f] = cell[whole->facet_cell[f]] >= 0 && (whole->facet_cell2[f] < 0 || cell[whole->facet_cell2[f]] >= 0);
  mesh_set_facets(part, number(keep, whole->nfacets, local));
  part->nboundary = 0;
  for (int f = 0; f < whole->nfacets; f++) {
    int k = local[f];
    if (k < 0) continue;
    part->facet_cell[k] = cell[whole->facet_cell[f]];
    part->facet_cell2[k] = whole->facet_cell2[f] < 0 ? -1 : cell[whole->facet_cell2[f]];
    part->facet_local[k] = whole->facet_local[f];
    part->nboundary += f < whole->nboundary;
  }
  free(keep);
  return local;
}

/* Entities that are here; counts and measures are those of the whole. */
static void copy_group(const MeshGroup *g, const Mesh *whole, const int *vertex, const int *cell, const int *facet, Mesh *part) {
  bool tuples = g->dim < whole->dim - 1;
  int width = tuples ? g->dim + 1 : 1, n = 0;
  int *entity = BIG_ARRAY(int, (size_t)g->n * width);
  for (int i = 0; i < g->n; i++) {
    bool here = true;
    for (int q = 0; q < width; q++) {
      int e = g->entity[(size_t)i * width + q];
      entity[(size_t)n * width + q] = tuples ? vertex[e] : g->dim == whole->dim ? cell[e] : facet[e];
      here &= entity[(size_t)n * width + q] >= 0;
    }
    n += here;
  }
  MeshGroup *copy = mesh_add_group(part, g->name, g->dim, entity, n);
  copy->count = g->count;
  copy->measure = g->measure;
  copy->exact = g->exact;
}

/* The cells across the facets of those kept: the vertices of one of their facets are kept ones. */
static void keep_neighbours(const Mesh *whole, char *keep_cell, char *keep_vertex) {
  const RefCell *ref = whole->ref;
  int m = ref->nverts;
  for (int c = 0; c < whole->ncells; c++) {
    const int *v = whole->cell + (size_t)c * m;
    bool touches = false;
    for (int f = 0; f < ref->nfacets && !touches; f++) {
      touches = true;
      for (int q = 0; q < ref->facet_verts; q++) touches &= keep_vertex[v[ref->facet[f][q]]] == 1;
    }
    if (keep_cell[c] || !touches) continue;
    keep_cell[c] = 1;
    for (int q = 0; q < m; q++)
      if (!keep_vertex[v[q]]) keep_vertex[v[q]] = 2;
  }
}

/* Where the mesh is cut (mesh_cut.h) the cells on either side of a facet share no vertex. */
static void keep_across_cuts(const Mesh *whole, char *keep_cell, char *keep_vertex) {
  int m = whole->ref->nverts;
  char *near = big_copy(keep_cell, (size_t)whole->ncells);
  for (int f = whole->nboundary; f < whole->nfacets; f++) {
    int far = whole->facet_cell2[f];
    if (far < 0 || !near[whole->facet_cell[f]] || keep_cell[far]) continue;
    keep_cell[far] = 1;
    for (int q = 0; q < m; q++)
      if (!keep_vertex[whole->cell[(size_t)far * m + q]]) keep_vertex[whole->cell[(size_t)far * m + q]] = 2;
  }
  free(near);
}

static Mesh *part_of(const Mesh *whole, const int *owner, int rank, int nranks) {
  int m = whole->ref->nverts, *cell = BIG_ARRAY(int, whole->ncells), *vertex = BIG_ARRAY(int, whole->nverts);
  char *keep_cell = BIG_ZEROED(char, whole->ncells), *keep_vertex = BIG_ZEROED(char, whole->nverts);
  for (int c = 0; c < whole->ncells; c++) {
    const int *v = whole->cell + (size_t)c * m;
    for (int q = 0; q < m; q++) keep_cell[c] |= owner[v[q]] == rank;
    for (int q = 0; q < m && keep_cell[c]; q++) keep_vertex[v[q]] = 1;
  }
  keep_across_cuts(whole, keep_cell, keep_vertex);
  keep_neighbours(whole, keep_cell, keep_vertex);
  int nverts = number(keep_vertex, whole->nverts, vertex), ncells = number(keep_cell, whole->ncells, cell);
  Mesh *part = mesh_new(whole->ref->shape, whole->dim, nverts, ncells);
  part->rank = rank;
  part->nranks = nranks;
  part->global_verts = whole->nverts;
  part->global_cells = whole->ncells;
  part->nregions = whole->nregions;
  part->exact = whole->exact;
  part->level = whole->level;
  part->order = whole->order;
  part->h_min = whole->h_min, part->h_max = whole->h_max, part->quality = whole->quality;
  memcpy(part->structured, whole->structured, sizeof part->structured);
  memcpy(part->lo, whole->lo, sizeof part->lo);
  memcpy(part->hi, whole->hi, sizeof part->hi);
  if (whole->geom) mesh_set_geom(part, whole->geom);
  copy_vertices(whole, vertex, owner, part);
  copy_cells(whole, cell, vertex, part);
  copy_bends(whole, cell, part);
  int *facet = copy_facets(whole, cell, part);
  for (int i = 0; i < whole->ngroups; i++) copy_group(&whole->groups[i], whole, vertex, cell, facet, part);
  free(facet);
  free(cell);
  free(vertex);
  free(keep_cell);
  free(keep_vertex);
  return part;
}

Mesh *mesh_distribute(Mesh *whole) {
  int rank, nranks;
  world(&rank, &nranks);
  if (nranks == 1) return whole;
  int *owner = partition(whole, rank, nranks);
  Mesh *part = part_of(whole, owner, rank, nranks);
  free(owner);
  part->whole = whole;
  return part;
}

/* All ranks go on, or none does. */
static Status agreed(Status status, Diags *diags, Span span, const char *what) {
  int rank, nranks, mine = status != 0, any = mine;
  world(&rank, &nranks);
  if (nranks > 1) MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any && !mine) diag_report(diags, E1010, span, "another rank could not %s", what);
  return any;
}

static Status finished(Status status, Mesh *whole, Diags *diags, Span span, const char *what, Mesh **out) {
  if (agreed(status, diags, span, what)) {
    if (!status) mesh_release(whole);
    return 1;
  }
  *out = mesh_distribute(whole);
  return 0;
}

Status mesh_make(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out) {
  Mesh *whole = NULL;
  Status status = options->ncells_given ? mesh_structured(geom, options, diags, &whole) : mesh_generate(geom, options, diags, &whole);
  return finished(status, whole, diags, options->span, "make this mesh", out);
}

Status mesh_import(const char *path, double scale, Interner *names, Diags *diags, Span span, Mesh **out) {
  Mesh *whole = NULL;
  Status status = mesh_read(path, scale, names, diags, span, &whole);
  return finished(status, whole, diags, span, "read this mesh", out);
}

Status mesh_import_cad(const char *path, double scale, const MeshOptions *options, Interner *names, Diags *diags, Mesh **out) {
  Mesh *whole = NULL;
  Status status = mesh_read_cad(path, scale, options, names, diags, &whole);
  return finished(status, whole, diags, options->span, "read this CAD file", out);
}
