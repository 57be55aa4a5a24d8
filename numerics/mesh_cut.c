#include "mesh_cut.h"

#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

/* --- which cells around a vertex hang together --- */

typedef struct Around {
  const Mesh *mesh;
  int *across;                 /* mesh_neighbours, without what the cuts separate */
  int *start, *cells;          /* of marked vertices: cells around vertex v in cells[start[v]..start[v+1]) */
  char *marked;
} Around;

static void cut_facets(Around *a, const Where *where) {
  const Mesh *mesh = a->mesh;
  int m = mesh->ref->nfacets, n, *facet = mesh_select_interface(mesh, where->interface[0], where->interface[1], &n);
  for (int i = 0; i < n; i++) {
    int cell = mesh->facet_cell[facet[i]], local = mesh->facet_local[facet[i]], *slot = &a->across[(size_t)cell * (size_t)m + (size_t)local];
    for (int q = 0; q < mesh->ref->facet_verts; q++) a->marked[mesh->cell[(size_t)cell * (size_t)mesh->ref->nverts + (size_t)mesh->ref->facet[local][q]]] = 1;
    if (*slot >= 0) a->across[*slot] = -1;
    *slot = -1;
  }
  free(facet);
}

static void list_cells(Around *a) {
  const Mesh *mesh = a->mesh;
  int nv = mesh->ref->nverts;
  size_t corners = (size_t)mesh->ncells * (size_t)nv;
  a->start = BIG_ZEROED(int, mesh->nverts + 2);
  for (size_t i = 0; i < corners; i++) a->start[mesh->cell[i] + 2] += a->marked[mesh->cell[i]];
  for (int v = 0; v < mesh->nverts; v++) a->start[v + 2] += a->start[v + 1];
  a->cells = BIG_ARRAY(int, a->start[mesh->nverts + 1] + 1);
  for (size_t i = 0; i < corners; i++)
    if (a->marked[mesh->cell[i]]) a->cells[a->start[mesh->cell[i] + 1]++] = (int)(i / (size_t)nv);
}

static void around_open(Around *a, const Mesh *mesh, const Where *const *interfaces, int n) {
  *a = (Around){.mesh = mesh, .across = mesh_neighbours(mesh), .marked = BIG_ZEROED(char, mesh->nverts + 1)};
  for (int i = 0; i < n; i++) cut_facets(a, interfaces[i]);
  list_cells(a);
}

static void around_close(Around *a) { free(a->across), free(a->start), free(a->cells), free(a->marked); }

static bool facet_has(const Mesh *mesh, int cell, int facet, int vertex) {
  for (int q = 0; q < mesh->ref->facet_verts; q++)
    if (mesh->cell[(size_t)cell * (size_t)mesh->ref->nverts + (size_t)mesh->ref->facet[facet][q]] == vertex) return true;
  return false;
}

/* set[i]: number of the set of the i-th cell around the vertex, by their first cells; returns how many sets there are. */
static int sets_around(const Around *a, int vertex, int *set) {
  const Mesh *mesh = a->mesh;
  int m = mesh->ref->nfacets, n = a->start[vertex + 1] - a->start[vertex], count = 0;
  const int *cells = a->cells + a->start[vertex];
  for (int i = 0; i < n; i++) set[i] = -1;
  for (int first = 0; first < n; first++) {
    if (set[first] >= 0) continue;
    set[first] = count++;
    for (bool more = true; more;) {      /* few cells: passes until nothing changes */
      more = false;
      for (int i = 0; i < n; i++)
        for (int f = 0; set[i] == set[first] && f < m; f++) {
          int there = a->across[(size_t)cells[i] * (size_t)m + (size_t)f];
          if (there < 0 || !facet_has(mesh, cells[i], f, vertex)) continue;
          for (int k = 0; k < n; k++)
            if (cells[k] == there / m && set[k] < 0) set[k] = set[i], more = true;
        }
    }
  }
  return count;
}

/* The cells' vertices after the cut: [ncells][nverts]; *total: how many vertices there are then. */
static int *cut_cells(const Mesh *mesh, const Where *const *interfaces, int n, int *total) {
  Around a;
  around_open(&a, mesh, interfaces, n);
  int nv = mesh->ref->nverts, *cell = big_copy(mesh->cell, sizeof(int) * (size_t)mesh->ncells * (size_t)nv), *set = BIG_ARRAY(int, mesh->ncells + 1);
  *total = mesh->nverts;
  for (int v = 0; v < mesh->nverts; v++) {
    int sets = a.marked[v] ? sets_around(&a, v, set) : 1;
    for (int i = 0; sets > 1 && i < a.start[v + 1] - a.start[v]; i++)
      for (int q = 0; set[i] > 0 && q < nv; q++) {
        int *at = &cell[(size_t)a.cells[a.start[v] + i] * (size_t)nv + (size_t)q];
        if (*at == v) *at = *total + set[i] - 1;
      }
    *total += sets - 1;
  }
  free(set);
  around_close(&a);
  return cell;
}

/* --- the mesh --- */

static void copy_tables(const Mesh *from, Mesh *to) {
  size_t width = from->bend ? (size_t)(refcell_bends(from->ref) * from->dim) : 0;
  mesh_set_facets(to, from->nfacets);
  to->nboundary = from->nboundary;
  memcpy(to->facet_cell, from->facet_cell, sizeof(int) * (size_t)from->nfacets);
  memcpy(to->facet_cell2, from->facet_cell2, sizeof(int) * (size_t)from->nfacets);
  memcpy(to->facet_local, from->facet_local, sizeof(int) * (size_t)from->nfacets);
  if (from->region) to->region = big_copy(from->region, sizeof(int) * (size_t)from->ncells);
  to->nregions = from->nregions;
  to->ncurved = from->ncurved;
  if (from->ncurved) {
    to->curved = big_copy(from->curved, sizeof(int) * (size_t)from->ncurved);
    to->curved_of = big_copy(from->curved_of, sizeof(int) * (size_t)from->ncells);
    if (width) to->bend = big_copy(from->bend, sizeof(double) * width * (size_t)from->ncurved);
  }
  for (int i = 0; i < from->ngroups; i++) {
    const MeshGroup *g = &from->groups[i];
    size_t tuple = g->dim < from->dim - 1 ? (size_t)g->dim + 1 : 1;
    MeshGroup *copy = mesh_add_group(to, g->name, g->dim, big_copy(g->entity, sizeof(int) * tuple * (size_t)g->n), g->n);
    copy->count = g->count, copy->measure = g->measure, copy->exact = g->exact;
  }
}

/* cell[ncells][nverts] are the new vertices; place[nverts - mesh->nverts]: the old one where each further one lies. */
static Mesh *rebuilt(const Mesh *mesh, int nverts, const int *cell, const int *place) {
  Mesh *out = mesh_new(mesh->ref->shape, mesh->dim, nverts, mesh->ncells);
  size_t dim = (size_t)mesh->dim;
  memcpy(out->x, mesh->x, sizeof(double) * dim * (size_t)mesh->nverts);
  for (int i = mesh->nverts; i < nverts; i++) memcpy(out->x + (size_t)i * dim, mesh->x + (size_t)place[i - mesh->nverts] * dim, sizeof(double) * dim);
  memcpy(out->cell, cell, sizeof(int) * (size_t)mesh->ncells * (size_t)mesh->ref->nverts);
  copy_tables(mesh, out);
  if (mesh->geom) mesh_set_geom(out, mesh->geom);
  out->order = mesh->order, out->level = mesh->level;
  memcpy(out->lo, mesh->lo, sizeof out->lo);
  memcpy(out->hi, mesh->hi, sizeof out->hi);
  out->h_min = mesh->h_min, out->h_max = mesh->h_max, out->quality = mesh->quality, out->exact = mesh->exact;
  out->rank = mesh->rank, out->nranks = mesh->nranks;
  out->global_cells = mesh->global_cells;
  out->global_verts = nverts;
  return out;
}

static int *places(const Mesh *mesh, const int *cell, int nverts) {
  int *place = BIG_ARRAY(int, nverts - mesh->nverts + 1);
  for (size_t i = 0; i < (size_t)mesh->ncells * (size_t)mesh->ref->nverts; i++)
    if (cell[i] >= mesh->nverts) place[cell[i] - mesh->nverts] = mesh->cell[i];
  return place;
}

/* This rank's cells, with the vertices that they have in the cut whole mesh. */
static Mesh *cut_part(const Mesh *part, Mesh *whole) {
  int nv = part->ref->nverts, old = part->whole->nverts, nverts = part->nverts, *local = BIG_ARRAY(int, whole->nverts - old + 1), *cell = BIG_ARRAY(int, (size_t)part->ncells * (size_t)nv + 1);
  for (int i = 0; i < whole->nverts - old; i++) local[i] = -1;
  for (int c = 0; c < part->ncells; c++)
    for (int q = 0; q < nv; q++) {
      size_t at = (size_t)c * (size_t)nv + (size_t)q;
      int there = whole->cell[(size_t)part->cell_global[c] * (size_t)nv + (size_t)q];
      cell[at] = part->cell[at];
      if (there < old) continue;
      if (local[there - old] < 0) local[there - old] = nverts++;
      cell[at] = local[there - old];
    }
  int *place = places(part, cell, nverts);
  Mesh *out = rebuilt(part, nverts, cell, place);
  out->vertex_owner = BIG_ARRAY(int, nverts);
  out->vertex_global = BIG_ARRAY(long, nverts);
  memcpy(out->vertex_owner, part->vertex_owner, sizeof(int) * (size_t)part->nverts);
  memcpy(out->vertex_global, part->vertex_global, sizeof(long) * (size_t)part->nverts);
  for (int i = part->nverts; i < nverts; i++) out->vertex_owner[i] = part->vertex_owner[place[i - part->nverts]];
  for (int i = 0; i < whole->nverts - old; i++)
    if (local[i] >= 0) out->vertex_global[local[i]] = old + i;
  out->cell_global = big_copy(part->cell_global, sizeof(long) * (size_t)part->ncells);
  out->global_verts = whole->nverts;
  out->whole = whole;
  free(local), free(cell), free(place);
  return out;
}

static Mesh *cut_whole(const Mesh *mesh, const Where *const *interfaces, int n) {
  int nverts, *cell = cut_cells(mesh, interfaces, n, &nverts), *place = places(mesh, cell, nverts);
  Mesh *out = rebuilt(mesh, nverts, cell, place);
  free(cell), free(place);
  return out;
}

Mesh *mesh_cut(Mesh *mesh, const Where *const *interfaces, int n) {
  Mesh *out = mesh->whole ? cut_part(mesh, cut_whole(mesh->whole, interfaces, n)) : cut_whole(mesh, interfaces, n);
  out->uncut = mesh;
  return out;
}

int *mesh_cut_neighbours(const Mesh *mesh) {
  int m = mesh->ref->nfacets, nv = mesh->ref->nverts, *across = mesh_neighbours(mesh);
  for (int c = 0; c < mesh->ncells; c++)
    for (int f = 0; f < m; f++) {
      int *there = &across[(size_t)c * (size_t)m + (size_t)f], shared = 0;
      if (*there < 0) continue;
      const int *other = mesh->cell + (size_t)(*there / m) * (size_t)nv;
      for (int q = 0; q < mesh->ref->facet_verts; q++)
        for (int k = 0; k < nv; k++) shared += mesh->cell[(size_t)c * (size_t)nv + (size_t)mesh->ref->facet[f][q]] == other[k];
      if (shared == mesh->ref->facet_verts) *there = -1;
    }
  return across;
}
