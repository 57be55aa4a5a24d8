/* Uniform refinement: every cell into 2^dim of the same volume, through the midpoints of its edges. Groups go to the children; new vertices on
 * curved sides of the geometry move onto them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

typedef struct Refine {
  Mesh *old, *fine;
  int nlocal;        /* edges of a cell */
  int *number;       /* [old vertices] in the fine mesh */
} Refine;

/* An old vertex is followed by the midpoints of the edges to higher ones: near things keep near numbers. */
static int midpoint_number(const Refine *r, int edge) { return edge + r->old->edge[2 * (size_t)edge] + 1; }

/* Children by vertex: 0..dim the parent's, then the midpoint of local edge k as dim+1+k (edges of mesh_edge_vertices). */
static const int line_children[2][2] = {{0, 2}, {2, 1}};
static const int triangle_children[4][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}, {3, 4, 5}};
/* Four tetrahedra at the corners; the octahedron between is cut along one of its three diagonals. Midpoints: 4 of 23, 5 of 13, 6 of 12, 7 of 03, 8 of 02,
 * 9 of 01; diagonals 4-9, 5-8, 6-7. */
static const int corner_children[4][4] = {{0, 9, 8, 7}, {9, 1, 6, 5}, {8, 6, 2, 4}, {7, 5, 4, 3}};
static const int inner_children[3][4][4] = {
  {{9, 4, 8, 7}, {9, 4, 7, 5}, {9, 4, 5, 6}, {9, 4, 6, 8}},
  {{8, 5, 7, 9}, {8, 5, 9, 6}, {8, 5, 6, 4}, {8, 5, 4, 7}},
  {{7, 6, 9, 8}, {7, 6, 8, 4}, {7, 6, 4, 5}, {7, 6, 5, 9}}};

static void midpoints(const Refine *r) {
  const Mesh *old = r->old;
  int dim = old->dim;
  for (int v = 0; v < old->nverts; v++) memcpy(r->fine->x + (size_t)r->number[v] * dim, old->x + (size_t)v * dim, (size_t)dim * sizeof *old->x);
  for (int e = 0; e < old->nedges; e++) {
    const double *a = old->x + (size_t)old->edge[2 * (size_t)e] * dim, *b = old->x + (size_t)old->edge[2 * (size_t)e + 1] * dim;
    double *x = r->fine->x + (size_t)midpoint_number(r, e) * dim;
    for (int d = 0; d < dim; d++) x[d] = (a[d] + b[d]) / 2;
  }
}

static double square(const Mesh *mesh, int a, int b) {
  double s = 0;
  for (int d = 0; d < mesh->dim; d++) {
    double e = mesh->x[(size_t)a * mesh->dim + d] - mesh->x[(size_t)b * mesh->dim + d];
    s += e * e;
  }
  return s;
}

/* The shortest diagonal keeps the shapes of all later generations bounded (Bey 1995 picks one by numbering, with the same aim). */
static int diagonal(const Mesh *fine, const int *v) {
  double a = square(fine, v[4], v[9]), b = square(fine, v[5], v[8]), c = square(fine, v[6], v[7]);
  return a <= b && a <= c ? 0 : b <= c ? 1 : 2;
}

static void children(const Refine *r) {
  const Mesh *old = r->old;
  int dim = old->dim, m = dim + 1;
  int *out = r->fine->cell;
  for (int c = 0; c < old->ncells; c++) {
    int v[10];
    for (int q = 0; q < m; q++) v[q] = r->number[old->cell[(size_t)c * m + q]];
    for (int k = 0; k < r->nlocal; k++) v[m + k] = midpoint_number(r, old->cell_edge[(size_t)c * r->nlocal + k]);
    int inner = dim == 3 ? diagonal(r->fine, v) : 0;
    for (int t = 0; t < 1 << dim; t++) {
      const int *pick = dim == 1 ? line_children[t] : dim == 2 ? triangle_children[t] : t < 4 ? corner_children[t] : inner_children[inner][t - 4];
      for (int q = 0; q < m; q++) *out++ = v[pick[q]];
    }
  }
}

/* Child and local facet of the 2^(dim-1) pieces of local facet `local` of the parent: the corner children have theirs at the same place, the piece in the
 * middle (3D) is found by its vertices. */
static int facet_children(const Refine *r, int cell, int local, int child[4], int facet[4]) {
  int dim = r->old->dim, m = dim + 1, n = 0;
  if (dim == 1) {
    child[0] = 2 * cell + (local == 0), facet[0] = local;
    return 1;
  }
  for (int q = 0; q < m; q++)
    if (q != local) child[n] = (cell << dim) + q, facet[n++] = local;
  if (dim == 2) return n;
  int want[3], k = 0;
  for (int e = 0; e < 6; e++)
    if (mesh_edge_vertices[3][e][0] != local && mesh_edge_vertices[3][e][1] != local) want[k++] = midpoint_number(r, r->old->cell_edge[(size_t)cell * 6 + e]);
  for (int t = 4; t < 8; t++) {
    const int *v = r->fine->cell + ((size_t)cell * 8 + t) * 4;
    int off = -1, hits = 0;
    for (int q = 0; q < 4; q++) {
      bool on = v[q] == want[0] || v[q] == want[1] || v[q] == want[2];
      hits += on;
      if (!on) off = q;
    }
    if (hits == 3) child[n] = 8 * cell + t, facet[n++] = off;
  }
  return n;
}

static void facets(const Refine *r) {
  const Mesh *old = r->old;
  Mesh *fine = r->fine;
  int pieces = 1 << (old->dim - 1);
  mesh_set_facets(fine, old->nfacets * pieces);
  fine->nboundary = old->nboundary * pieces;
  for (int f = 0; f < old->nfacets; f++) {
    int child[4], local[4], n = facet_children(r, old->facet_cell[f], old->facet_local[f], child, local);
    for (int k = 0; k < n; k++) {
      fine->facet_cell[(size_t)f * pieces + k] = child[k];
      fine->facet_local[(size_t)f * pieces + k] = local[k];
    }
    if (old->facet_cell2[f] < 0) continue;
    /* the other cell has the same facet: its pieces by their vertices */
    int m = old->dim + 1, v[3], w[3], other = old->facet_cell2[f];
    mesh_facet_vertices(old, f, v);
    int opposite = 0;
    for (int q = 0; q < m; q++) {
      bool on = false;
      for (int k = 0; k < old->dim; k++) on |= v[k] == old->cell[(size_t)other * m + q];
      if (!on) opposite = q;
    }
    int child2[4], local2[4], n2 = facet_children(r, other, opposite, child2, local2);
    for (int k = 0; k < n; k++) {
      mesh_facet_vertices(fine, f * pieces + k, w);
      for (int j = 0; j < n2; j++) {
        int hits = 0;
        for (int q = 0; q < m; q++)
          for (int i = 0; i < old->dim; i++) hits += fine->cell[(size_t)child2[j] * m + q] == w[i];
        if (hits == old->dim) fine->facet_cell2[(size_t)f * pieces + k] = child2[j];
      }
    }
  }
}

/* Groups: cells and facets have their children in runs; tuples of vertices (curves, points) are halved. */
static void groups(const Refine *r) {
  const Mesh *old = r->old;
  for (int i = 0; i < old->ngroups; i++) {
    const MeshGroup *g = &old->groups[i];
    int pieces = 1 << g->dim, *entity;
    if (g->dim >= old->dim - 1) {
      entity = BIG_ARRAY(int, (size_t)g->n * pieces);
      for (int k = 0; k < g->n * pieces; k++) entity[k] = g->entity[k / pieces] * pieces + k % pieces;
    } else if (g->dim == 0) {
      entity = BIG_ARRAY(int, g->n);
      for (int k = 0; k < g->n; k++) entity[k] = r->number[g->entity[k]];
    } else {   /* an edge of the mesh, in the bucket of its lower vertex: edges are sorted by it */
      entity = BIG_ARRAY(int, (size_t)g->n * 4);
      for (int k = 0; k < g->n; k++) {
        int a = g->entity[2 * k], b = g->entity[2 * k + 1], lo = 0, hi = old->nedges - 1, low = a < b ? a : b, high = a < b ? b : a;
        while (lo < hi) {
          int mid = (lo + hi) / 2;
          if (old->edge[2 * (size_t)mid] < low) lo = mid + 1;
          else hi = mid;
        }
        while (old->edge[2 * (size_t)lo + 1] != high) lo++;
        int w[4] = {r->number[a], midpoint_number(r, lo), midpoint_number(r, lo), r->number[b]};
        memcpy(entity + 4 * (size_t)k, w, sizeof w);
      }
    }
    mesh_add_group(r->fine, g->name, g->dim, entity, g->n * pieces)->exact = g->exact;
  }
}

/* --- curved sides --- */

/* Bends of the edges of a mesh without a geometry, from its cells. */
static double *own_bends(Mesh *mesh) {
  if (!mesh->ncurved || !mesh->bend) return NULL;
  int dim = mesh->dim, ne = mesh->ref->nedges;
  double *bend = BIG_ZEROED(double, (size_t)mesh->nedges * dim);
  for (int i = 0; i < mesh->ncurved; i++)
    for (int e = 0; e < ne; e++)
      memcpy(bend + (size_t)mesh->cell_edge[(size_t)mesh->curved[i] * ne + e] * dim, mesh->bend + ((size_t)i * ne + e) * dim, sizeof(double) * (size_t)dim);
  return bend;
}

/* Midpoints of bent edges are where the edges' middles are. */
static void move_midpoints(const Refine *r) {
  int dim = r->old->dim;
  double *bend = r->old->geom ? mesh_edge_bends(r->old) : own_bends(r->old);
  for (int e = 0; bend && e < r->old->nedges; e++)
    for (int d = 0; d < dim; d++) r->fine->x[(size_t)midpoint_number(r, e) * dim + d] += bend[(size_t)e * dim + d];
  free(bend);
}

/* Reference coordinates in the parent of a vertex of a child. */
static void place_in_parent(const Refine *r, int cell, int vertex, double *X) {
  const RefCell *ref = r->old->ref;
  for (int q = 0; q < ref->nverts; q++)
    if (r->number[r->old->cell[(size_t)cell * ref->nverts + q]] == vertex) refcell_vertex(ref, q, X);
  for (int k = 0; k < ref->nedges; k++) {
    double a[3], b[3];
    if (midpoint_number(r, r->old->cell_edge[(size_t)cell * ref->nedges + k]) != vertex) continue;
    refcell_vertex(ref, ref->edge[k][0], a);
    refcell_vertex(ref, ref->edge[k][1], b);
    for (int d = 0; d < ref->dim; d++) X[d] = (a[d] + b[d]) / 2;
  }
}

/* Without a geometry the children are pieces of their parents: a quadratic map on a part of the cell is quadratic again. */
static double *inherited_bends(const Refine *r) {
  const Mesh *old = r->old;
  Mesh *fine = r->fine;
  const RefCell *ref = old->ref;
  int dim = old->dim;
  mesh_edges(fine);
  double *bend = BIG_ZEROED(double, (size_t)fine->nedges * dim);
  for (int i = 0; i < old->ncurved; i++)
    for (int t = 0; t < 1 << dim; t++) {
      int cell = old->curved[i], child = (cell << dim) + t;
      for (int e = 0; e < ref->nedges; e++) {
        double X[2][3], middle[3], end[2][3], x[3];
        for (int k = 0; k < 2; k++) {
          place_in_parent(r, cell, fine->cell[(size_t)child * ref->nverts + ref->edge[e][k]], X[k]);
          mesh_map(old, cell, X[k], end[k], NULL);
        }
        for (int d = 0; d < dim; d++) middle[d] = (X[0][d] + X[1][d]) / 2;
        mesh_map(old, cell, middle, x, NULL);
        double *to = bend + (size_t)fine->cell_edge[(size_t)child * ref->nedges + e] * dim, size = 0;
        for (int d = 0; d < dim; d++) {
          to[d] = x[d] - (end[0][d] + end[1][d]) / 2;
          size = fmax(size, fabs(end[1][d] - end[0][d]));
        }
        for (int d = 0; d < dim; d++)
          if (fabs(to[d]) < 1e-14 * size) to[d] = 0;
      }
    }
  return bend;
}

static void bend_children(const Refine *r) {
  if (r->old->geom && r->old->order > 1) mesh_bend(r->fine, mesh_edge_bends(r->fine));
  else if (r->old->ncurved) mesh_bend(r->fine, inherited_bends(r));
}

static bool inverted(const Mesh *mesh) {
  for (int c = 0; c < mesh->ncells; c++)
    if (!(mesh_signed_measure(mesh, c) > 0)) return true;
  return false;
}

static Status refine_whole(Mesh *old, Diags *diags, Mesh **out) {
  Refine r = {.old = old, .nlocal = old->dim == 1 ? 1 : old->dim == 2 ? 3 : 6};
  int children_each = 1 << old->dim;
  mesh_edges(old);
  TRY(mesh_limits(old->dim, (double)old->nverts + old->nedges, (double)old->ncells * children_each, diags, (Span){0, 0}));
  Mesh *fine = r.fine = mesh_new(CELL_SIMPLEX, old->dim, old->nverts + old->nedges, old->ncells * children_each);
  if (old->geom) mesh_set_geom(fine, old->geom);
  r.number = BIG_ARRAY(int, old->nverts);
  for (int v = 0, e = 0; v < old->nverts; v++) {
    while (e < old->nedges && old->edge[2 * (size_t)e] < v) e++;
    r.number[v] = v + e;
  }
  midpoints(&r);
  children(&r);
  move_midpoints(&r);
  if (inverted(fine)) midpoints(&r);   /* a side bent more than its cells are high: rather stay on the chords */
  facets(&r);
  groups(&r);
  if (old->region) {
    fine->region = BIG_ARRAY(int, fine->ncells);
    for (int c = 0; c < fine->ncells; c++) fine->region[c] = old->region[c >> old->dim];
  }
  fine->nregions = old->nregions;
  fine->level = old->level + 1;
  fine->exact = old->exact;
  fine->order = old->order;
  bend_children(&r);
  for (int d = 0; d < 3; d++) fine->lo[d] = old->lo[d], fine->hi[d] = old->hi[d];
  mesh_bounds(fine);
  mesh_sizes(fine, 0, fine->ncells);
  mesh_group_measures(fine);
  free(r.number);
  *out = fine;
  return 0;
}

/* A grid of twice as many cells is the refinement of a grid (in 3D too: Freudenthal), and stays a grid. Named predicates keep to the children of their
 * cells and facets, so a mesh that has them is refined as any other. */
static bool stays_grid(const Mesh *mesh) {
  const GeomGroup *list;
  if (!mesh->structured[0] || !mesh->geom) return false;
  for (int i = 0, n = geom_groups(mesh->geom, &list); i < n; i++)
    if (list[i].predicate) return false;
  return true;
}

Status mesh_refine(const Mesh *mesh, Diags *diags, Mesh **out) {
  Mesh *whole = (Mesh *)mesh_whole(mesh);   /* it may number its edges, which changes nothing else */
  if (!stays_grid(whole)) return refine_whole(whole, diags, out);
  MeshOptions options = {.ncells_given = whole->dim};
  for (int d = 0; d < whole->dim; d++) options.cells[d] = 2 * whole->structured[d];
  TRY(mesh_structured(whole->geom, &options, diags, out));
  (*out)->level = whole->level + 1;
  return 0;
}
