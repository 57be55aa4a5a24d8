/* Cells that follow curved sides. An edge of a boundary facet whose vertices lie on a curved side gets its middle moved onto it; every cell at such an edge
 * has a quadratic map (Lenoir, SIAM J. Numer. Anal. 23 (1986) 562: with it elements of degree 2 lose no order). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "geom_side.h"
#include "mesh_build.h"

enum { CURVED_SIDES = 64, ALTERNATIONS = 40 };
static const double LEAST_SLOPE = 0.1;   /* det J of a bent cell over that of its straight one */

/* --- bends of edges --- */

typedef struct Side { const GeomNode *primitive; int side; } Side;

static int curved_sides(const Geom *geom, Side *out) {
  const GeomSideRef *refs;
  int n = 0;
  for (int k = 0, nrefs = geom_sides(geom, &refs); k < nrefs && n < CURVED_SIDES; k++) {
    GeomSide side;
    geom_side(refs[k].primitive, refs[k].side, &side);
    if (refs[k].group >= 0 && side_is_curved(&side)) out[n++] = (Side){refs[k].primitive, refs[k].side};
  }
  return n;
}

/* The curved side that all vertices of a facet lie on, -1: none. */
static int side_of(const Mesh *mesh, int facet, const Side *sides, int nsides, double eps) {
  int v[4];
  mesh_facet_vertices(mesh, facet, v);
  for (int k = 0; k < nsides; k++) {
    bool on = true;
    for (int q = 0; q < mesh->ref->facet_verts && on; q++) {
      double p[3] = {0};
      memcpy(p, mesh->x + (size_t)v[q] * mesh->dim, sizeof(double) * (size_t)mesh->dim);
      on = geom_side_distance(sides[k].primitive, sides[k].side, p) < eps;
    }
    if (on) return k;
  }
  return -1;
}

/* Onto one side, or where two of them meet. */
static void project(const Side *sides, int one, int two, double *p) {
  for (int k = 0; k < (two < 0 ? 1 : ALTERNATIONS); k++) {
    geom_side_project(sides[one].primitive, sides[one].side, p);
    if (two >= 0) geom_side_project(sides[two].primitive, sides[two].side, p);
  }
}

double *mesh_edge_bends(Mesh *mesh) {
  Side sides[CURVED_SIDES];
  int dim = mesh->dim, nsides = mesh->geom && dim > 1 && mesh->ref->shape == CELL_SIMPLEX ? curved_sides(mesh->geom, sides) : 0;
  if (!nsides) return NULL;
  mesh_edges(mesh);
  int *on = BIG_ARRAY(int, 2 * (size_t)mesh->nedges);
  memset(on, 255, 2 * (size_t)mesh->nedges * sizeof *on);
  double eps = 1e-7 * geom_size(mesh->geom);
  bool any = false;
  for (int f = 0; f < mesh->nboundary; f++) {
    int k = side_of(mesh, f, sides, nsides, eps), local = mesh->facet_local[f];
    if (k < 0) continue;
    any = true;
    for (int e = 0; e < mesh->ref->nedges; e++) {
      if (mesh->ref->edge[e][0] == local || mesh->ref->edge[e][1] == local) continue;
      int *to = on + 2 * (size_t)mesh->cell_edge[(size_t)mesh->facet_cell[f] * mesh->ref->nedges + e];
      if (to[0] < 0) to[0] = k;
      else if (to[0] != k) to[1] = k;
    }
  }
  double *bend = any ? BIG_ZEROED(double, (size_t)mesh->nedges * dim) : NULL;
  for (int e = 0; any && e < mesh->nedges; e++) {
    if (on[2 * (size_t)e] < 0) continue;
    const double *a = mesh->x + (size_t)mesh->edge[2 * (size_t)e] * dim, *b = mesh->x + (size_t)mesh->edge[2 * (size_t)e + 1] * dim;
    double p[3] = {0};
    for (int d = 0; d < dim; d++) p[d] = (a[d] + b[d]) / 2;
    project(sides, on[2 * (size_t)e], on[2 * (size_t)e + 1], p);
    for (int d = 0; d < dim; d++) bend[(size_t)e * dim + d] = p[d] - (a[d] + b[d]) / 2;
  }
  free(on);
  return bend;
}

/* --- bends of cells --- */

static bool is_bent(const Mesh *mesh, const double *bend, int cell) {
  for (int e = 0; e < mesh->ref->nedges; e++) {
    const double *b = bend + (size_t)mesh->cell_edge[(size_t)cell * mesh->ref->nedges + e] * mesh->dim;
    for (int d = 0; d < mesh->dim; d++)
      if (b[d] != 0) return true;
  }
  return false;
}

static void free_bends(Mesh *mesh) {
  free(mesh->curved), free(mesh->curved_of), free(mesh->bend);
  mesh->curved = mesh->curved_of = NULL;
  mesh->bend = NULL;
  mesh->ncurved = 0;
}

static void list_bends(Mesh *mesh, const double *bend) {
  int dim = mesh->dim, ne = mesh->ref->nedges, n = 0;
  free_bends(mesh);
  for (int c = 0; c < mesh->ncells; c++) n += is_bent(mesh, bend, c);
  if (!n) return;
  mesh->curved = BIG_ARRAY(int, n);
  mesh->curved_of = BIG_ARRAY(int, mesh->ncells);
  mesh->bend = BIG_ARRAY(double, (size_t)n * ne * dim);
  for (int c = 0; c < mesh->ncells; c++) {
    mesh->curved_of[c] = is_bent(mesh, bend, c) ? mesh->ncurved : -1;
    if (mesh->curved_of[c] < 0) continue;
    double *to = mesh->bend + (size_t)mesh->ncurved * ne * dim;
    for (int e = 0; e < ne; e++) memcpy(to + e * dim, bend + (size_t)mesh->cell_edge[(size_t)c * ne + e] * dim, sizeof(double) * (size_t)dim);
    mesh->curved[mesh->ncurved++] = c;
  }
}

/* det J at the nodes of the quadratic element and the points of a rule stays well above zero. */
static bool is_valid(const Mesh *mesh, int cell) {
  const double *rule, *w;
  double points[10 * 3], J[3][3], K[3][3], straight = mesh_signed_measure(mesh, cell) / mesh->ref->measure;
  const Element *quadratic = element_find("P2");
  int n = element_nodes(quadratic, mesh->dim), nq = quad_rule(mesh->dim, 4, &rule, &w);
  quadratic->nodes(mesh->dim, points);
  for (int p = 0; p < n + nq; p++) {
    mesh_map(mesh, cell, p < n ? points + p * mesh->dim : rule + (p - n) * mesh->dim, NULL, J);
    if (!(mesh_invert(mesh->dim, J, K) > LEAST_SLOPE * straight)) return false;
  }
  return true;
}

/* A side bent more than its cells are high stays on its chord there. */
int mesh_bend(Mesh *mesh, double *bend) {
  int flat = 0;
  if (!bend) return 0;
  for (bool good = false; !good;) {
    good = true;
    list_bends(mesh, bend);
    for (int i = 0; i < mesh->ncurved; i++) {
      int c = mesh->curved[i];
      if (is_valid(mesh, c)) continue;
      good = false;
      flat++;
      for (int e = 0; e < mesh->ref->nedges; e++)
        memset(bend + (size_t)mesh->cell_edge[(size_t)c * mesh->ref->nedges + e] * mesh->dim, 0, sizeof(double) * (size_t)mesh->dim);
    }
  }
  free(bend);
  return flat;
}

/* --- the straight mesh --- */

/* Shares all arrays of the base but the groups, whose measures differ. */
Mesh *mesh_straight(Mesh *mesh) {
  if (!mesh->ncurved || mesh->ref->shape != CELL_SIMPLEX) return mesh_retain(mesh);
  if (mesh->straight) return mesh_retain(mesh->straight);
  Mesh *out = big_zeroed(sizeof *out);
  mesh_edges(mesh);
  mesh_faces(mesh);
  *out = *mesh;
  out->refs = 1;
  out->base = mesh_retain(mesh);
  out->ncurved = 0;
  out->curved = out->curved_of = NULL;
  out->bend = NULL;
  out->locator = NULL;
  out->whole = mesh->whole ? mesh_straight(mesh->whole) : NULL;
  out->groups = BIG_ARRAY(MeshGroup, mesh->ngroups + 1);
  memcpy(out->groups, mesh->groups, (size_t)mesh->ngroups * sizeof *mesh->groups);
  if (!out->whole) mesh_group_measures(out);
  else
    for (int i = 0; i < out->ngroups; i++) out->groups[i].measure = out->whole->groups[i].measure;
  return mesh->straight = out;
}

void mesh_free_straight(Mesh *mesh) {
  mesh->base->straight = NULL;
  mesh_free_locator(mesh);
  mesh_release(mesh->whole);
  mesh_release(mesh->base);
  free(mesh->groups);
  free(mesh);
}

bool mesh_same_cells(const Mesh *a, const Mesh *b) { return a == b || (a && b && (a->base == b || b->base == a)); }
