/* Edges, faces and neighbours. Entities are found in buckets of their lowest vertex: with a numbering that keeps neighbours near each other (grids,
 * reverse Cuthill-McKee) a bucket is one or two cache lines, so this beats a hash table, and the numbering follows the vertices. */
#include <stdlib.h>

#include "mesh_build.h"

enum { FACE_CORNERS = 3 };

static void sort2(int *a, int *b) {
  if (*a > *b) {
    int t = *a;
    *a = *b;
    *b = t;
  }
}

/* Numbers sub-entities given by nkeys (1 or 2) further vertices in buckets. slot arrays as long as all incidences. */
typedef struct Buckets {
  int *start;    /* [nverts + 1] */
  int *count;    /* [nverts] entities so far */
  int *key;      /* [incidences][nkeys] */
} Buckets;

static Buckets buckets_new(const Mesh *mesh, int nlocal, const int (*local)[3], int ncorners) {
  int m = mesh->dim + 1;
  Buckets b = {BIG_ZEROED(int, mesh->nverts + 1), BIG_ZEROED(int, mesh->nverts), NULL};
  for (int c = 0; c < mesh->ncells; c++) {
    const int *v = mesh->cell + (size_t)c * m;
    for (int k = 0; k < nlocal; k++) {
      int least = v[local[k][0]];
      for (int q = 1; q < ncorners; q++)
        if (v[local[k][q]] < least) least = v[local[k][q]];
      b.start[least + 1]++;
    }
  }
  for (int i = 0; i < mesh->nverts; i++) b.start[i + 1] += b.start[i];
  b.key = BIG_ARRAY(int, (size_t)(b.start[mesh->nverts] + 1) * (ncorners - 1));
  return b;
}

static void buckets_free(Buckets *b) {
  free(b->start);
  free(b->count);
  free(b->key);
}

/* After all entities are in their slots: numbers without gaps, in count[]: first number of each bucket. */
static int buckets_number(const Mesh *mesh, Buckets *b) {
  int total = 0;
  for (int i = 0; i < mesh->nverts; i++) {
    int n = b->count[i];
    b->count[i] = total;
    total += n;
  }
  return total;
}

void mesh_edges(Mesh *mesh) {
  if (mesh->edge) return;
  int m = mesh->dim + 1, nlocal = mesh->dim == 1 ? 1 : mesh->dim == 2 ? 3 : 6, local[6][3];
  for (int k = 0; k < nlocal; k++) local[k][0] = mesh_edge_vertices[mesh->dim][k][0], local[k][1] = mesh_edge_vertices[mesh->dim][k][1];
  Buckets b = buckets_new(mesh, nlocal, (const int(*)[3])local, 2);
  mesh->cell_edge = BIG_ARRAY(int, (size_t)mesh->ncells * nlocal);
  for (int c = 0; c < mesh->ncells; c++) {
    const int *v = mesh->cell + (size_t)c * m;
    int *out = mesh->cell_edge + (size_t)c * nlocal;
    for (int k = 0; k < nlocal; k++) {
      int lo = v[local[k][0]], hi = v[local[k][1]];
      sort2(&lo, &hi);
      int *key = b.key + b.start[lo], n = b.count[lo], i = 0;
      while (i < n && key[i] != hi) i++;
      if (i == n) key[b.count[lo]++] = hi;
      out[k] = i;   /* the place in its bucket, made a number below */
    }
  }
  int *used = BIG_ARRAY(int, mesh->nverts);
  for (int i = 0; i < mesh->nverts; i++) used[i] = b.count[i];
  mesh->nedges = buckets_number(mesh, &b);
  mesh->edge = BIG_ARRAY(int, (size_t)mesh->nedges * 2);
  for (int i = 0, e = 0; i < mesh->nverts; i++)
    for (int k = 0; k < used[i]; k++, e++) mesh->edge[2 * (size_t)e] = i, mesh->edge[2 * (size_t)e + 1] = b.key[b.start[i] + k];
  for (int c = 0; c < mesh->ncells; c++) {
    const int *v = mesh->cell + (size_t)c * m;
    int *out = mesh->cell_edge + (size_t)c * nlocal;
    for (int k = 0; k < nlocal; k++) {
      int lo = v[local[k][0]], hi = v[local[k][1]];
      out[k] += b.count[lo < hi ? lo : hi];
    }
  }
  free(used);
  buckets_free(&b);
}

static void sort3(int *v) {
  sort2(&v[0], &v[1]);
  sort2(&v[1], &v[2]);
  sort2(&v[0], &v[1]);
}

static const int tetra_faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
static const int triangle_faces[3][3] = {{1, 2}, {0, 2}, {0, 1}};

void mesh_faces(Mesh *mesh) {
  if (mesh->face || mesh->dim != 3) return;
  Buckets b = buckets_new(mesh, 4, tetra_faces, FACE_CORNERS);
  mesh->cell_face = BIG_ARRAY(int, (size_t)mesh->ncells * 4);
  for (int c = 0; c < mesh->ncells; c++)
    for (int k = 0; k < 4; k++) {
      int f[3];
      for (int q = 0; q < 3; q++) f[q] = mesh->cell[4 * (size_t)c + tetra_faces[k][q]];
      sort3(f);
      int *key = b.key + 2 * (size_t)b.start[f[0]], n = b.count[f[0]], i = 0;
      while (i < n && (key[2 * i] != f[1] || key[2 * i + 1] != f[2])) i++;
      if (i == n) {
        key[2 * i] = f[1], key[2 * i + 1] = f[2];
        b.count[f[0]]++;
      }
      mesh->cell_face[4 * (size_t)c + k] = i;
    }
  int *used = BIG_ARRAY(int, mesh->nverts);
  for (int i = 0; i < mesh->nverts; i++) used[i] = b.count[i];
  mesh->nfaces = buckets_number(mesh, &b);
  mesh->face = BIG_ARRAY(int, (size_t)mesh->nfaces * 3);
  for (int i = 0, e = 0; i < mesh->nverts; i++)
    for (int k = 0; k < used[i]; k++, e++) {
      const int *key = b.key + 2 * (size_t)(b.start[i] + k);
      int *f = mesh->face + 3 * (size_t)e;
      f[0] = i, f[1] = key[0], f[2] = key[1];
    }
  for (int c = 0; c < mesh->ncells; c++)
    for (int k = 0; k < 4; k++) {
      int least = mesh->cell[4 * (size_t)c + tetra_faces[k][0]];
      for (int q = 1; q < 3; q++)
        if (mesh->cell[4 * (size_t)c + tetra_faces[k][q]] < least) least = mesh->cell[4 * (size_t)c + tetra_faces[k][q]];
      mesh->cell_face[4 * (size_t)c + k] += b.count[least];
    }
  free(used);
  buckets_free(&b);
}

/* A facet of a third cell is marked -2: such a mesh is no manifold, which the reader of files refuses. */
int *mesh_neighbours(const Mesh *mesh) {
  int m = mesh->dim + 1;
  size_t n = (size_t)mesh->ncells * m;
  int *across = BIG_ARRAY(int, n);
  if (mesh->dim == 1) {   /* facets are vertices */
    int *seen = BIG_ARRAY(int, mesh->nverts);
    for (int i = 0; i < mesh->nverts; i++) seen[i] = -1;
    for (size_t s = 0; s < n; s++) {
      int v = mesh->cell[s ^ 1];
      across[s] = seen[v];
      if (seen[v] >= 0) across[seen[v]] = (int)s;
      seen[v] = seen[v] == -1 ? (int)s : -2;
    }
    free(seen);
    return across;
  }
  const int(*local)[3] = mesh->dim == 2 ? triangle_faces : tetra_faces;
  Buckets b = buckets_new(mesh, m, local, mesh->dim);
  int *slot = BIG_ARRAY(int, n + 1), nkeys = mesh->dim - 1;
  for (int c = 0; c < mesh->ncells; c++)
    for (int k = 0; k < m; k++) {
      int f[3] = {0}, me = c * m + k;
      for (int q = 0; q < mesh->dim; q++) f[q] = mesh->cell[(size_t)c * m + local[k][q]];
      if (mesh->dim == 2) sort2(&f[0], &f[1]);
      else sort3(f);
      size_t at = (size_t)b.start[f[0]];
      int count = b.count[f[0]], i = 0;
      while (i < count && (b.key[(at + i) * nkeys] != f[1] || (nkeys == 2 && b.key[(at + i) * 2 + 1] != f[2]))) i++;
      if (i < count) {
        int other = slot[at + i];
        across[me] = other;
        if (other >= 0) across[other] = me;
        slot[at + i] = -2;
      } else {
        across[me] = -1;
        slot[at + i] = me;
        for (int q = 0; q < nkeys; q++) b.key[(at + i) * nkeys + q] = f[q + 1];
        b.count[f[0]]++;
      }
    }
  free(slot);
  buckets_free(&b);
  return across;
}

void mesh_set_facets(Mesh *mesh, int nfacets) {
  mesh->nfacets = mesh->nboundary = nfacets;
  mesh->facet_cell = BIG_ARRAY(int, nfacets);
  mesh->facet_cell2 = BIG_ARRAY(int, nfacets);
  mesh->facet_local = BIG_ARRAY(int, nfacets);
  for (int f = 0; f < nfacets; f++) mesh->facet_cell2[f] = -1;
}

int mesh_more_facets(Mesh *mesh, int n) {
  int first = mesh->nfacets;
  size_t old = (size_t)first * sizeof(int), now = old + (size_t)n * sizeof(int);
  mesh->facet_cell = big_resize(mesh->facet_cell, old, now);
  mesh->facet_cell2 = big_resize(mesh->facet_cell2, old, now);
  mesh->facet_local = big_resize(mesh->facet_local, old, now);
  mesh->nfacets += n;
  return first;
}

void mesh_boundary(Mesh *mesh, const int *neighbours) {
  int m = mesh->dim + 1, n = 0;
  size_t total = (size_t)mesh->ncells * m;
  for (size_t s = 0; s < total; s++) n += neighbours[s] < 0;
  mesh_set_facets(mesh, n);
  n = 0;
  for (size_t s = 0; s < total; s++)
    if (neighbours[s] < 0) {
      mesh->facet_cell[n] = (int)(s / m);
      mesh->facet_local[n++] = (int)(s % m);
    }
}
