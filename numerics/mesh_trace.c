/* Which piece of the shape, as the generator built it, each cell and boundary facet fills; from that the exact measure of groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

typedef struct Raw { int v[3], piece; } Raw;

static void sort3(int *v) {
  for (int i = 1; i < 3; i++)
    for (int k = i; k > 0 && v[k] < v[k - 1]; k--) {
      int t = v[k];
      v[k] = v[k - 1];
      v[k - 1] = t;
    }
}

static int by_vertices(const void *a, const void *b) {
  const int *x = ((const Raw *)a)->v, *y = ((const Raw *)b)->v;
  for (int k = 0; k < 3; k++)
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}

static int *facet_pieces(const Mesh *mesh, const GmshPieces *facets, const int *old_vertex) {
  int dim = mesh->dim, *number = BIG_ARRAY(int, mesh->nverts), *out = BIG_ARRAY(int, mesh->nboundary);
  Raw *raw = BIG_ARRAY(Raw, facets->count);
  for (int i = 0; i < mesh->nverts; i++) number[old_vertex[i]] = i;
  for (int f = 0; f < facets->count; f++) {
    raw[f] = (Raw){{-1, -1, -1}, facets->piece[f]};
    for (int k = 0; k < dim; k++) raw[f].v[k] = facets->nodes[(size_t)f * dim + k] < 0 ? -2 : number[facets->nodes[(size_t)f * dim + k]];
    sort3(raw[f].v);
  }
  qsort(raw, (size_t)facets->count, sizeof *raw, by_vertices);
  for (int f = 0; f < mesh->nboundary; f++) {
    Raw key = {{-1, -1, -1}, 0};
    mesh_facet_vertices(mesh, f, key.v);
    sort3(key.v);
    const Raw *found = bsearch(&key, raw, (size_t)facets->count, sizeof *raw, by_vertices);
    out[f] = found ? found->piece : -1;
  }
  free(raw);
  free(number);
  return out;
}

MeshTrace mesh_trace(const Mesh *mesh, const GmshCells *cells, const int *old_vertex, const int *old_cell) {
  MeshTrace t = {.facet = facet_pieces(mesh, &cells->facets, old_vertex), .cell = BIG_ARRAY(int, mesh->ncells), .cells = &cells->cells, .facets = &cells->facets};
  for (int c = 0; c < mesh->ncells; c++) t.cell[c] = cells->cells.piece[old_cell[c]];
  return t;
}

void mesh_trace_free(MeshTrace *t) {
  free(t->facet);
  free(t->cell);
}

/* The sum over pieces that lie wholly in the group; NAN where a piece lies in it in part. */
static double group_exact(const MeshGroup *g, const int *piece, int total, const GmshPieces *pieces) {
  int *in = BIG_ZEROED(int, pieces->n), *all = BIG_ZEROED(int, pieces->n);
  double sum = 0;
  for (int i = 0; i < total; i++)
    if (piece[i] >= 0) all[piece[i]]++;
  for (int k = 0; k < g->n; k++) {
    if (piece[g->entity[k]] >= 0) in[piece[g->entity[k]]]++;
    else sum = NAN;
  }
  for (int p = 0; p < pieces->n; p++) {
    if (in[p] && in[p] != all[p]) sum = NAN;
    if (in[p]) sum += fabs(pieces->measure[p]);
  }
  free(in);
  free(all);
  return sum;
}

void mesh_trace_measures(Mesh *mesh, const MeshTrace *t) {
  for (int i = 0; i < mesh->ngroups; i++) {
    MeshGroup *g = &mesh->groups[i];
    if (g->dim == mesh->dim) g->exact = group_exact(g, t->cell, mesh->ncells, t->cells);
    else if (g->dim == mesh->dim - 1) g->exact = group_exact(g, t->facet, mesh->nboundary, t->facets);
  }
}
