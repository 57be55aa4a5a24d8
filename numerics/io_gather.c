#include "io_gather.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

static int rank_of(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/* Everybody's n items of `bytes` each, one rank after the other, on rank 0 (NULL elsewhere); total: their number on rank 0. */
static void *collect(const void *mine, size_t n, size_t bytes, size_t *total) {
  int size, rank = rank_of(), count = (int)n;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *counts = calloc((size_t)size, sizeof(int)), *starts = calloc((size_t)size + 1, sizeof(int));
  MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) starts[r + 1] = starts[r] + counts[r];
  *total = rank ? 0 : (size_t)starts[size];
  void *out = rank ? NULL : big_alloc(*total * bytes + 1);
  MPI_Datatype item;      /* counts are of items, so arrays may pass 2 GB */
  MPI_Type_contiguous((int)bytes, MPI_BYTE, &item);
  MPI_Type_commit(&item);
  MPI_Gatherv(mine, count, item, out, counts, starts, item, 0, MPI_COMM_WORLD);
  MPI_Type_free(&item);
  free(counts);
  free(starts);
  return out;
}

typedef struct GlobalCell { long cell, vertex[4]; double x[4][3]; int region; } GlobalCell;

static void gather_cells(const Mesh *mesh, Mesh **out) {
  int dim = mesh->dim;
  GlobalCell *mine = big_zeroed(sizeof *mine * ((size_t)mesh->ncells + 1)), *all;
  size_t n = 0, total;
  for (int e = 0; e < mesh->ncells; e++) {
    if (!mesh_owns_cell(mesh, e)) continue;
    GlobalCell *c = &mine[n++];
    c->cell = mesh->cell_global[e];
    c->region = mesh->region ? mesh->region[e] : 0;
    for (int a = 0; a <= dim; a++) {
      int v = mesh->cell[(size_t)e * (size_t)(dim + 1) + (size_t)a];
      c->vertex[a] = mesh->vertex_global[v];
      memcpy(c->x[a], mesh->x + (size_t)v * (size_t)dim, sizeof(double) * (size_t)dim);
    }
  }
  all = collect(mine, n, sizeof *mine, &total);
  free(mine);
  if (!all) return;
  Mesh *whole = *out = mesh_new(dim, (int)mesh->global_verts, (int)mesh->global_cells);
  if (mesh->region) whole->region = BIG_ZEROED(int, whole->ncells);
  whole->nregions = mesh->nregions;
  for (size_t i = 0; i < total; i++) {
    const GlobalCell *c = &all[i];
    if (whole->region) whole->region[c->cell] = c->region;
    for (int a = 0; a <= dim; a++) {
      whole->cell[c->cell * (dim + 1) + a] = (int)c->vertex[a];
      memcpy(whole->x + c->vertex[a] * dim, c->x[a], sizeof(double) * (size_t)dim);
    }
  }
  free(all);
}

/* A facet by the global number of its cell and its place in it; boundary facets come first. */
typedef struct GlobalFacet { long interior, key, cell2; } GlobalFacet;

static int compare_facets(const void *a, const void *b) {
  const GlobalFacet *f = a, *g = b;
  if (f->interior != g->interior) return f->interior < g->interior ? -1 : 1;
  return f->key < g->key ? -1 : f->key > g->key;
}

static GlobalFacet facet_of(const Mesh *mesh, int f) {
  long cell2 = mesh->facet_cell2 && mesh->facet_cell2[f] >= 0 ? mesh->cell_global[mesh->facet_cell2[f]] : -1;
  return (GlobalFacet){f >= mesh->nboundary, mesh->cell_global[mesh->facet_cell[f]] * 4 + mesh->facet_local[f], cell2};
}

/* The sorted facets stay in *all on rank 0, to find those of groups. */
static void gather_facets(const Mesh *mesh, Mesh *whole, GlobalFacet **all, size_t *nall) {
  GlobalFacet *mine = big_zeroed(sizeof *mine * ((size_t)mesh->nfacets + 1));
  size_t n = 0;
  for (int f = 0; f < mesh->nfacets; f++)
    if (mesh_owns_cell(mesh, mesh->facet_cell[f])) mine[n++] = facet_of(mesh, f);
  *all = collect(mine, n, sizeof *mine, nall);
  free(mine);
  if (!whole) return;
  qsort(*all, *nall, sizeof **all, compare_facets);
  mesh_set_facets(whole, (int)*nall);
  whole->nboundary = 0;
  for (size_t f = 0; f < *nall; f++) {
    whole->nboundary += !(*all)[f].interior;
    whole->facet_cell[f] = (int)((*all)[f].key / 4);
    whole->facet_local[f] = (int)((*all)[f].key % 4);
    whole->facet_cell2[f] = (int)(*all)[f].cell2;
  }
}

static int compare_longs(const void *a, const void *b) {
  const long *p = a, *q = b;
  for (int i = 0; i < 3; i++)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}

/* Entities of a group as triples: a cell, a facet's kind and key, or vertices of a curve or point. */
static void gather_group(const Mesh *mesh, const MeshGroup *group, Mesh *whole, const GlobalFacet *facets, size_t nfacets) {
  int codim = mesh->dim - group->dim, width = codim > 1 ? group->dim + 1 : 1;
  long (*mine)[3] = big_zeroed(sizeof *mine * ((size_t)group->n + 1)), (*all)[3];
  size_t n = 0, total;
  for (int i = 0; i < group->n; i++) {
    int entity = group->entity[(size_t)i * (size_t)width];
    if (codim == 0 && mesh_owns_cell(mesh, entity)) mine[n++][0] = mesh->cell_global[entity];
    else if (codim == 1 && mesh_owns_cell(mesh, mesh->facet_cell[entity])) {
      GlobalFacet f = facet_of(mesh, entity);
      mine[n][0] = f.interior;
      mine[n++][1] = f.key;
    } else if (codim > 1) {
      for (int k = 0; k < width; k++) mine[n][k] = mesh->vertex_global[group->entity[(size_t)i * (size_t)width + (size_t)k]];
      n++;
    }
  }
  all = collect(mine, n, sizeof *mine, &total);
  free(mine);
  if (!whole) return;
  qsort(all, total, sizeof *all, compare_longs);
  int *entity = BIG_ARRAY(int, total * (size_t)width + 1), count = 0;
  for (size_t i = 0; i < total; i++) {
    if (i && !compare_longs(all[i], all[i - 1])) continue;      /* curves and points are known to several ranks */
    if (codim == 1) {
      GlobalFacet key = {all[i][0], all[i][1], -1}, *found = bsearch(&key, facets, nfacets, sizeof key, compare_facets);
      if (!found) continue;
      entity[count++] = (int)(found - facets);
    } else {
      for (int k = 0; k < width; k++) entity[(size_t)count * (size_t)width + (size_t)k] = (int)all[i][k];
      count++;
    }
  }
  free(all);
  MeshGroup *added = mesh_add_group(whole, group->name, group->dim, entity, count);
  added->count = group->count;
  added->measure = group->measure;
}

Status gather_mesh(Mesh *mesh, Mesh **out) {
  *out = NULL;
  if (mesh->nranks <= 1) {
    *out = mesh_retain(mesh);
    return 0;
  }
  GlobalFacet *facets;
  size_t nfacets;
  gather_cells(mesh, out);
  gather_facets(mesh, *out, &facets, &nfacets);
  for (int g = 0; g < mesh->ngroups; g++) gather_group(mesh, &mesh->groups[g], *out, facets, nfacets);
  free(facets);
  if (!*out) return 0;
  Mesh *whole = *out;
  memcpy(whole->structured, mesh->structured, sizeof whole->structured);
  memcpy(whole->lo, mesh->lo, sizeof whole->lo);
  memcpy(whole->hi, mesh->hi, sizeof whole->hi);
  whole->h_min = mesh->h_min;
  whole->h_max = mesh->h_max;
  whole->quality = mesh->quality;
  whole->level = mesh->level;
  if (mesh->geom) mesh_set_geom(whole, mesh->geom);
  return 0;
}

Status gather_field(Mesh *mesh, Mesh *whole, const NodalField *field, NodalField *out) {
  int nodes = element_nodes(field->element, mesh->dim), nc = field->ncomp, *layout = NULL;
  size_t row = (size_t)nodes * (size_t)nc, n = 0, total, bytes = sizeof(long) + row * sizeof(double);
  *out = (NodalField){0};
  char *mine = big_alloc(bytes * ((size_t)mesh->ncells + 1)), *all;      /* a record a cell: its global number, its values */
  for (int e = 0; e < mesh->ncells; e++) {
    if (!mesh_owns_cell(mesh, e)) continue;
    long cell = mesh->cell_global ? mesh->cell_global[e] : e;
    memcpy(mine + n * bytes, &cell, sizeof cell);
    nodal_cell(field, mesh->dim, e, (double *)(void *)(mine + n * bytes + sizeof cell));
    n++;
  }
  if (mesh->nranks > 1) { all = collect(mine, n, bytes, &total); free(mine); }
  else { all = mine; total = n; }
  if (!all) return 0;
  *out = *field;
  out->nnodes = whole->ncells * nodes;
  if (field->cell_node) layout = nodal_layout(whole, field->element, &out->nnodes);
  double *values = BIG_ZEROED(double, (size_t)out->nnodes * (size_t)nc + 1);
  for (size_t i = 0; i < total; i++) {
    long cell;
    memcpy(&cell, all + i * bytes, sizeof cell);
    const char *from = all + i * bytes + sizeof cell;
    for (int a = 0; a < nodes; a++) {
      size_t at = (size_t)cell * (size_t)nodes + (size_t)a, node = layout ? (size_t)layout[at] : at;
      memcpy(values + node * (size_t)nc, from + (size_t)a * (size_t)nc * sizeof(double), (size_t)nc * sizeof(double));
    }
  }
  free(all);
  out->cell_node = layout;
  out->values = values;
  return 0;
}

void gathered_free(NodalField *field) {
  free((int *)field->cell_node);
  free((double *)field->values);
  *field = (NodalField){0};
}
