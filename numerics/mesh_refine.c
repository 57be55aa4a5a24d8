/* Uniform refinement: every cell into 2^dim, through the middles of its edges; quadrilaterals and hexahedra through those of their faces and their own too.
 * Groups go to the children; new vertices on curved sides of the geometry move onto them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "mesh_build.h"

typedef struct Refine {
  Mesh *old, *fine;
  int *vertex, *edge, *face, *middle;   /* the fine vertex on each of the old mesh's entities; faces and middles of tensor cells alone */
  int nverts;                           /* of the fine mesh */
} Refine;

static bool is_tensor(const Refine *r) { return r->old->ref->shape == CELL_TENSOR; }

/* New vertices follow the old one that is the lowest of their entity: near things keep near numbers. Entities have it first (cells anywhere). */
static void number(Refine *r) {
  Mesh *old = r->old;
  const RefCell *ref = old->ref;
  int *next = BIG_ZEROED(int, old->nverts + 1), nf = is_tensor(r) && old->dim == 3 ? old->nfaces : 0, nc = is_tensor(r) ? old->ncells : 0;
  int *lowest = BIG_ARRAY(int, nc + 1);
  for (int c = 0; c < nc; c++) {
    const int *v = old->cell + (size_t)c * ref->nverts;
    lowest[c] = v[0];
    for (int q = 1; q < ref->nverts; q++)
      if (v[q] < lowest[c]) lowest[c] = v[q];
  }
  for (int v = 0; v < old->nverts; v++) next[v + 1]++;
  for (int e = 0; e < old->nedges; e++) next[old->edge[2 * (size_t)e] + 1]++;
  for (int f = 0; f < nf; f++) next[old->face[(size_t)ref->facet_verts * f] + 1]++;
  for (int c = 0; c < nc; c++) next[lowest[c] + 1]++;
  for (int v = 0; v < old->nverts; v++) next[v + 1] += next[v];
  r->nverts = next[old->nverts];
  r->vertex = BIG_ARRAY(int, old->nverts), r->edge = BIG_ARRAY(int, old->nedges), r->face = BIG_ARRAY(int, nf), r->middle = BIG_ARRAY(int, nc);
  for (int v = 0; v < old->nverts; v++) r->vertex[v] = next[v]++;
  for (int e = 0; e < old->nedges; e++) r->edge[e] = next[old->edge[2 * (size_t)e]]++;
  for (int f = 0; f < nf; f++) r->face[f] = next[old->face[(size_t)ref->facet_verts * f]]++;
  for (int c = 0; c < nc; c++) r->middle[c] = next[lowest[c]]++;
  free(next);
  free(lowest);
}

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

/* Where the straight edges and the bends (NULL: none) put the middle of points with the weights of a tensor cell's map. */
static void put_middle(const Refine *r, int cell, const double *X, const double *bend, double *x) {
  const Mesh *old = r->old;
  const RefCell *ref = old->ref;
  double N[CELL_MAP];
  int dim = old->dim;
  refcell_map(ref, true, X, N, NULL, NULL);
  for (int d = 0; d < dim; d++) {
    x[d] = 0;
    for (int q = 0; q < ref->nverts; q++) x[d] += N[q] * old->x[(size_t)old->cell[(size_t)cell * ref->nverts + q] * dim + d];
    for (int k = 0; bend && k < ref->nedges; k++) x[d] += N[ref->nverts + k] * bend[(size_t)old->cell_edge[(size_t)cell * ref->nedges + k] * dim + d];
  }
}

/* Of faces and cells of tensor cells; from_map: where the cell's own map puts them, with bends of faces and cells. */
static void middles(const Refine *r, const double *bend, bool from_map) {
  const Mesh *old = r->old;
  const RefCell *ref = old->ref;
  int dim = old->dim, faces = dim == 3 ? ref->nfacets : 0;
  for (int c = 0; c < old->ncells; c++)
    for (int f = 0; f <= faces; f++) {
      double X[3] = {0.5, 0.5, 0.5}, x[3];
      if (f < faces) X[f / 2] = f & 1;
      if (from_map) mesh_map(old, c, X, x, NULL);
      else put_middle(r, c, X, bend, x);
      int to = f < faces ? r->face[old->cell_face[(size_t)c * faces + f]] : r->middle[c];
      memcpy(r->fine->x + (size_t)to * dim, x, sizeof(double) * (size_t)dim);
    }
}

static void place_vertices(const Refine *r) {
  const Mesh *old = r->old;
  int dim = old->dim;
  for (int v = 0; v < old->nverts; v++) memcpy(r->fine->x + (size_t)r->vertex[v] * dim, old->x + (size_t)v * dim, (size_t)dim * sizeof *old->x);
  for (int e = 0; e < old->nedges; e++) {
    const double *a = old->x + (size_t)old->edge[2 * (size_t)e] * dim, *b = old->x + (size_t)old->edge[2 * (size_t)e + 1] * dim;
    double *x = r->fine->x + (size_t)r->edge[e] * dim;
    for (int d = 0; d < dim; d++) x[d] = (a[d] + b[d]) / 2;
  }
  if (is_tensor(r)) middles(r, NULL, false);
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

static void simplex_children(const Refine *r) {
  const Mesh *old = r->old;
  int dim = old->dim, m = dim + 1, nlocal = old->ref->nedges;
  int *out = r->fine->cell;
  for (int c = 0; c < old->ncells; c++) {
    int v[10];
    for (int q = 0; q < m; q++) v[q] = r->vertex[old->cell[(size_t)c * m + q]];
    for (int k = 0; k < nlocal; k++) v[m + k] = r->edge[old->cell_edge[(size_t)c * nlocal + k]];
    int inner = dim == 3 ? diagonal(r->fine, v) : 0;
    for (int t = 0; t < 1 << dim; t++) {
      const int *pick = dim == 1 ? line_children[t] : dim == 2 ? triangle_children[t] : t < 4 ? corner_children[t] : inner_children[inner][t - 4];
      for (int q = 0; q < m; q++) *out++ = v[pick[q]];
    }
  }
}

/* The nodes of Q2 are the vertices of the children: child t has its corner w at half of t + w along each axis. */
static void tensor_children(const Refine *r) {
  const Mesh *old = r->old;
  const RefCell *ref = old->ref;
  int dim = old->dim, node_at[27], v[27], *out = r->fine->cell;
  double place[27 * 3];
  const Element *q2 = element_of(CELL_TENSOR, 2);
  q2->nodes(dim, place);
  for (int k = 0, n = element_nodes(q2, dim); k < n; k++)
    node_at[(int)(2 * place[k * dim]) + 3 * (int)(2 * place[k * dim + 1]) + (dim == 3 ? 9 * (int)(2 * place[k * dim + 2]) : 0)] = k;
  for (int c = 0; c < old->ncells; c++) {
    int n = 0;
    for (int q = 0; q < ref->nverts; q++) v[n++] = r->vertex[old->cell[(size_t)c * ref->nverts + q]];
    for (int k = 0; k < ref->nedges; k++) v[n++] = r->edge[old->cell_edge[(size_t)c * ref->nedges + k]];
    for (int k = 0; dim == 3 && k < ref->nfacets; k++) v[n++] = r->face[old->cell_face[(size_t)c * ref->nfacets + k]];
    v[n] = r->middle[c];
    for (int t = 0; t < ref->nverts; t++)
      for (int w = 0; w < ref->nverts; w++) *out++ = v[node_at[(t & 1) + (w & 1) + 3 * ((t >> 1 & 1) + (w >> 1 & 1)) + 9 * ((t >> 2) + (w >> 2))]];
  }
}

/* Child and local facet of the 2^(dim-1) pieces of local facet `local` of the parent: the corner children have theirs at the same place, the piece in the
 * middle (3D) is found by its vertices. */
static int facet_children(const Refine *r, int cell, int local, int child[4], int facet[4]) {
  int dim = r->old->dim, m = dim + 1, n = 0;
  if (is_tensor(r)) {
    for (int t = 0; t < 1 << dim; t++)
      if ((t >> local / 2 & 1) == (local & 1)) child[n] = (cell << dim) + t, facet[n++] = local;
    return n;
  }
  if (dim == 1) {
    child[0] = 2 * cell + (local == 0), facet[0] = local;
    return 1;
  }
  for (int q = 0; q < m; q++)
    if (q != local) child[n] = (cell << dim) + q, facet[n++] = local;
  if (dim == 2) return n;
  int want[3], k = 0;
  for (int e = 0; e < 6; e++)
    if (mesh_edge_vertices[3][e][0] != local && mesh_edge_vertices[3][e][1] != local) want[k++] = r->edge[r->old->cell_edge[(size_t)cell * 6 + e]];
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

/* Do the vertices v lie on local facet f of a cell? */
static bool is_facet(const Mesh *mesh, int cell, int f, const int *v) {
  const RefCell *ref = mesh->ref;
  for (int q = 0; q < ref->facet_verts; q++) {
    int at = mesh->cell[(size_t)cell * ref->nverts + ref->facet[f][q]];
    bool on = false;
    for (int k = 0; k < ref->facet_verts; k++) on |= v[k] == at;
    if (!on) return false;
  }
  return true;
}

static void facets(const Refine *r) {
  const Mesh *old = r->old;
  Mesh *fine = r->fine;
  int pieces = 1 << (old->dim - 1);
  mesh_set_facets(fine, old->nfacets * pieces);
  fine->nboundary = old->nboundary * pieces;
  for (int f = 0; f < old->nfacets; f++) {
    int child[4], local[4], n = facet_children(r, old->facet_cell[f], old->facet_local[f], child, local), other = old->facet_cell2[f];
    for (int k = 0; k < n; k++) {
      fine->facet_cell[(size_t)f * pieces + k] = child[k];
      fine->facet_local[(size_t)f * pieces + k] = local[k];
    }
    if (other < 0) continue;
    /* the other cell has the same facet: its pieces by their vertices */
    int v[4], opposite = 0;
    mesh_facet_vertices(old, f, v);
    while (opposite + 1 < old->ref->nfacets && !is_facet(old, other, opposite, v)) opposite++;
    int child2[4], local2[4], n2 = facet_children(r, other, opposite, child2, local2);
    for (int k = 0; k < n; k++) {
      mesh_facet_vertices(fine, f * pieces + k, v);
      for (int j = 0; j < n2; j++)
        if (is_facet(fine, child2[j], local2[j], v)) fine->facet_cell2[(size_t)f * pieces + k] = child2[j];
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
      for (int k = 0; k < g->n; k++) entity[k] = r->vertex[g->entity[k]];
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
        int w[4] = {r->vertex[a], r->edge[lo], r->edge[lo], r->vertex[b]};
        memcpy(entity + 4 * (size_t)k, w, sizeof w);
      }
    }
    mesh_add_group(r->fine, g->name, g->dim, entity, g->n * pieces)->exact = g->exact;
  }
}

/* --- curved sides --- */

/* The middles of bent edges are where the edges put them, and those of the faces and cells between follow. */
static void move_middles(const Refine *r) {
  int dim = r->old->dim;
  MeshBends bends = r->old->geom ? (MeshBends){.edge = mesh_edge_bends(r->old)} : mesh_bends(r->old);
  for (int e = 0; bends.edge && e < r->old->nedges; e++)
    for (int d = 0; d < dim; d++) r->fine->x[(size_t)r->edge[e] * dim + d] += bends.edge[(size_t)e * dim + d];
  if (is_tensor(r)) middles(r, bends.edge, !r->old->geom);
  free(bends.edge), free(bends.face), free(bends.cell);
}

/* Reference coordinates in the parent of the vertices of child t. */
static void places_in_parent(const Refine *r, int cell, int t, double X[CELL_VERTS][3]) {
  const RefCell *ref = r->old->ref;
  const int *child = r->fine->cell + (((size_t)cell << ref->dim) + t) * ref->nverts;
  for (int w = 0; w < ref->nverts && is_tensor(r); w++)
    for (int d = 0; d < ref->dim; d++) X[w][d] = ((t >> d & 1) + (w >> d & 1)) / 2.0;
  for (int w = 0; w < ref->nverts && !is_tensor(r); w++) {
    for (int q = 0; q < ref->nverts; q++)
      if (r->vertex[r->old->cell[(size_t)cell * ref->nverts + q]] == child[w]) refcell_vertex(ref, q, X[w]);
    for (int k = 0; k < ref->nedges; k++) {
      double a[3], b[3];
      if (r->edge[r->old->cell_edge[(size_t)cell * ref->nedges + k]] != child[w]) continue;
      refcell_vertex(ref, ref->edge[k][0], a);
      refcell_vertex(ref, ref->edge[k][1], b);
      for (int d = 0; d < ref->dim; d++) X[w][d] = (a[d] + b[d]) / 2;
    }
  }
}

/* Without a geometry the children are pieces of their parents: a quadratic map on a part of the cell is quadratic again. */
static MeshBends inherited_bends(const Refine *r) {
  Mesh *old = r->old, *fine = r->fine;
  const RefCell *ref = old->ref;
  int dim = old->dim, nodes = refcell_map_nodes(ref, true);
  double place[CELL_MAP * 3], node[CELL_MAP * 3], corner[CELL_VERTS][3], N[CELL_MAP];
  element_of(ref->shape, 2)->nodes(dim, place);
  mesh_edges(fine);
  mesh_faces(fine);
  MeshBends bends = {BIG_ZEROED(double, (size_t)fine->nedges * dim), is_tensor(r) && dim == 3 ? BIG_ZEROED(double, (size_t)fine->nfaces * dim) : NULL,
                     is_tensor(r) ? BIG_ZEROED(double, (size_t)fine->ncells * dim) : NULL};
  for (int i = 0; i < old->ncurved; i++)
    for (int t = 0; t < 1 << dim; t++) {
      int cell = old->curved[i];
      places_in_parent(r, cell, t, corner);
      for (int g = 0; g < nodes; g++) {
        double X[3] = {0};
        refcell_map(ref, false, place + g * dim, N, NULL, NULL);
        for (int w = 0; w < ref->nverts; w++)
          for (int d = 0; d < dim; d++) X[d] += N[w] * corner[w][d];
        mesh_map(old, cell, X, node + g * dim, NULL);
      }
      mesh_node_bends(ref, nodes, node);
      for (int k = 0; k < nodes - ref->nverts; k++)
        memcpy(mesh_bend_at(fine, &bends, (cell << dim) + t, k), node + (ref->nverts + k) * dim, sizeof(double) * (size_t)dim);
    }
  return bends;
}

static void bend_children(const Refine *r) {
  bool curved = r->old->geom && r->old->order > 1;
  if (curved) mesh_bend(r->fine, (MeshBends){.edge = mesh_edge_bends(r->fine)});
  else mesh_bend(r->fine, !r->old->geom && r->old->bend ? inherited_bends(r) : (MeshBends){0});
}

static bool inverted(const Mesh *mesh) {
  for (int c = 0; c < mesh->ncells; c++)
    if (!(mesh_signed_measure(mesh, c) > 0)) return true;
  return false;
}

static Status refine_whole(Mesh *old, Diags *diags, Mesh **out) {
  Refine r = {.old = old};
  bool tensor = old->ref->shape == CELL_TENSOR;
  int children_each = 1 << old->dim;
  mesh_edges(old);
  if (tensor) mesh_faces(old);
  double nverts = (double)old->nverts + old->nedges + (tensor ? (double)old->nfaces + old->ncells : 0);
  TRY(mesh_limits(old->dim, nverts, (double)old->ncells * children_each, diags, (Span){0, 0}));
  number(&r);
  Mesh *fine = r.fine = mesh_new(old->ref->shape, old->dim, r.nverts, old->ncells * children_each);
  if (old->geom) mesh_set_geom(fine, old->geom);
  place_vertices(&r);
  if (tensor) tensor_children(&r);
  else simplex_children(&r);
  move_middles(&r);
  if (inverted(fine)) place_vertices(&r);   /* a side bent more than its cells are high: rather stay on the chords */
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
  free(r.vertex), free(r.edge), free(r.face), free(r.middle);
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
  MeshOptions options = {.ncells_given = whole->dim, .shape = whole->ref->shape};
  for (int d = 0; d < whole->dim; d++) options.cells[d] = 2 * whole->structured[d];
  TRY(mesh_structured(whole->geom, &options, diags, out));
  (*out)->level = whole->level + 1;
  return 0;
}
