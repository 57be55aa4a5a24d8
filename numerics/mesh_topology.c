/* Edges, faces and neighbours. Entities are found in buckets of their lowest vertex: with a numbering that keeps neighbours near each other (grids,
 * reverse Cuthill-McKee) a bucket is one or two cache lines, so this beats a hash table, and the numbering follows the vertices. */
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

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

static Buckets buckets_new(const Mesh *mesh, int nlocal, const int (*local)[4], int ncorners) {
  int m = mesh->ref->nverts;
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
  int m = mesh->ref->nverts, nlocal = mesh->ref->nedges, local[CELL_EDGES][4];
  for (int k = 0; k < nlocal; k++) local[k][0] = mesh->ref->edge[k][0], local[k][1] = mesh->ref->edge[k][1];
  Buckets b = buckets_new(mesh, nlocal, (const int(*)[4])local, 2);
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

static void sort_few(int *v, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && v[j - 1] > v[j]; j--) {
      int t = v[j];
      v[j] = v[j - 1];
      v[j - 1] = t;
    }
}

/* Vertices of a facet of a cell, ascending. */
static void facet_key(const Mesh *mesh, int cell, int facet, int *v) {
  const RefCell *ref = mesh->ref;
  for (int q = 0; q < ref->facet_verts; q++) v[q] = mesh->cell[(size_t)cell * ref->nverts + ref->facet[facet][q]];
  sort_few(v, ref->facet_verts);
}

/* The place of a facet in the bucket of its lowest vertex, count where it is new. */
static int find_key(const Buckets *b, const int *v, int nkeys) {
  const int *key = b->key + (size_t)b->start[v[0]] * nkeys;
  int n = b->count[v[0]], i = 0;
  while (i < n && memcmp(key + (size_t)i * nkeys, v + 1, (size_t)nkeys * sizeof *v)) i++;
  return i;
}

static void put_key(Buckets *b, const int *v, int nkeys) {
  memcpy(b->key + ((size_t)b->start[v[0]] + b->count[v[0]]++) * nkeys, v + 1, (size_t)nkeys * sizeof *v);
}

void mesh_faces(Mesh *mesh) {
  if (mesh->face || mesh->dim != 3) return;
  int nlocal = mesh->ref->nfacets, nv = mesh->ref->facet_verts, nkeys = nv - 1;
  Buckets b = buckets_new(mesh, nlocal, mesh->ref->facet, nv);
  mesh->cell_face = BIG_ARRAY(int, (size_t)mesh->ncells * nlocal);
  for (int c = 0; c < mesh->ncells; c++)
    for (int k = 0; k < nlocal; k++) {
      int f[4];
      facet_key(mesh, c, k, f);
      int i = find_key(&b, f, nkeys);
      if (i == b.count[f[0]]) put_key(&b, f, nkeys);
      mesh->cell_face[(size_t)nlocal * c + k] = i;
    }
  int *used = BIG_ARRAY(int, mesh->nverts);
  for (int i = 0; i < mesh->nverts; i++) used[i] = b.count[i];
  mesh->nfaces = buckets_number(mesh, &b);
  mesh->face = BIG_ARRAY(int, (size_t)mesh->nfaces * nv);
  for (int i = 0, e = 0; i < mesh->nverts; i++)
    for (int k = 0; k < used[i]; k++, e++) {
      int *f = mesh->face + nv * (size_t)e;
      f[0] = i;
      memcpy(f + 1, b.key + ((size_t)b.start[i] + k) * nkeys, (size_t)nkeys * sizeof *f);
    }
  for (int c = 0; c < mesh->ncells; c++)
    for (int k = 0; k < nlocal; k++) {
      int f[4];
      facet_key(mesh, c, k, f);
      mesh->cell_face[(size_t)nlocal * c + k] += b.count[f[0]];
    }
  free(used);
  buckets_free(&b);
}

/* A facet of a third cell is marked -2: such a mesh is no manifold, which the reader of files refuses. */
static int *neighbours_by_vertices(const Mesh *mesh) {
  int m = mesh->ref->nfacets;
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
  int nkeys = mesh->ref->facet_verts - 1;
  Buckets b = buckets_new(mesh, m, mesh->ref->facet, nkeys + 1);
  int *slot = BIG_ARRAY(int, n + 1);
  for (int c = 0; c < mesh->ncells; c++)
    for (int k = 0; k < m; k++) {
      int f[4], me = c * m + k;
      facet_key(mesh, c, k, f);
      int i = find_key(&b, f, nkeys);
      size_t at = (size_t)b.start[f[0]] + i;
      if (i < b.count[f[0]]) {
        int other = slot[at];
        across[me] = other;
        if (other >= 0) across[other] = me;
        slot[at] = -2;
      } else {
        across[me] = -1;
        slot[at] = me;
        put_key(&b, f, nkeys);
      }
    }
  free(slot);
  buckets_free(&b);
  return across;
}

typedef struct CutSlot { int near, far, slot; } CutSlot;

static int by_cells(const void *a, const void *b) {
  const CutSlot *p = a, *q = b;
  return p->near != q->near ? (p->near < q->near ? -1 : 1) : (p->far > q->far) - (p->far < q->far);
}

/* Facets between regions stand in the table from either side; where their cells have vertices of their own, two entries with the same cells are one facet. */
int *mesh_neighbours(const Mesh *mesh) {
  int m = mesh->ref->nfacets, n = 0, *across = neighbours_by_vertices(mesh);
  CutSlot *cut = NULL;
  for (int f = mesh->nboundary; f < mesh->nfacets; f++) {
    int slot = mesh->facet_cell[f] * m + mesh->facet_local[f];
    if (mesh->facet_cell2[f] < 0 || across[slot] >= 0) continue;
    if (!cut) cut = BIG_ARRAY(CutSlot, mesh->nfacets - f);
    cut[n++] = (CutSlot){mesh->facet_cell[f], mesh->facet_cell2[f], slot};
  }
  if (n) qsort(cut, (size_t)n, sizeof *cut, by_cells);
  for (int i = 0; i < n; i++) {
    CutSlot wanted = {cut[i].far, cut[i].near, 0}, *found = bsearch(&wanted, cut, (size_t)n, sizeof *cut, by_cells);
    if (found) across[cut[i].slot] = found->slot;
  }
  free(cut);
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
  int m = mesh->ref->nfacets, n = 0;
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
