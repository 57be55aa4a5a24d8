/* Cells that follow curved sides. An edge of a facet of the boundary, or between two regions, whose vertices lie on a curved side gets its middle moved onto
 * it; every cell at such an edge has a quadratic map (Lenoir, SIAM J. Numer. Anal. 23 (1986) 562: with it elements of degree 2 lose no order). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "geom_side.h"
#include "mesh_build.h"

enum { CURVED_SIDES = 64, CUTS = 32, ALTERNATIONS = 40 };
static const double FARTHEST = 0.35;      /* of a facet's middle from its side, in lengths of the facet: a turn in three chords has 0.29 */
static const double LEAST_SLOPE = 0.1;   /* det J of a bent cell over that of its straight one */

/* --- bends of edges --- */

/* A side of a primitive, or (primitive NULL) a circle or sphere where a region ends. inside: no part of the boundary. */
typedef struct Side { const GeomNode *primitive; int side; GeomCut cut; bool inside; } Side;

static int curved_sides(const Geom *geom, int dim, Side *out) {
  const GeomSideRef *refs;
  const GeomGroup *groups;
  int n = 0;
  for (int k = 0, nrefs = geom_sides(geom, &refs); k < nrefs && n < CURVED_SIDES; k++) {
    GeomSide side;
    geom_side(refs[k].primitive, refs[k].side, &side);
    if (side_is_curved(&side)) out[n++] = (Side){.primitive = refs[k].primitive, .side = refs[k].side, .inside = refs[k].group < 0};
  }
  for (int i = 0, ngroups = geom_groups(geom, &groups); i < ngroups; i++) {
    GeomCut cuts[CUTS];
    int others, ncuts = groups[i].is_region && groups[i].predicate ? geom_cuts(groups[i].predicate, dim, geom_size(geom), cuts, CUTS, &others) : 0;
    for (int k = 0; k < ncuts && n < CURVED_SIDES; k++)
      if (cuts[k].radius > 0) out[n++] = (Side){.cut = cuts[k], .inside = true};
  }
  return n;
}

static double off_side(const Side *side, const double *p) {
  const double *c = side->cut.centre;
  if (side->primitive) return geom_side_distance(side->primitive, side->side, p);
  return fabs(sqrt((p[0] - c[0]) * (p[0] - c[0]) + (p[1] - c[1]) * (p[1] - c[1]) + (p[2] - c[2]) * (p[2] - c[2])) - side->cut.radius);
}

static void put_on_side(const Side *side, double *p) {
  if (side->primitive) {
    geom_side_project(side->primitive, side->side, p);
    return;
  }
  double r[3], length;
  for (int d = 0; d < 3; d++) r[d] = p[d] - side->cut.centre[d];
  length = sqrt(dot3(r, r));
  for (int d = 0; d < 3 && length > 0; d++) p[d] = side->cut.centre[d] + side->cut.radius / length * r[d];
}

/* The curved side that all vertices of a facet lie on, and its middle nearly; -1: none. */
static int side_of(const Mesh *mesh, int facet, const Side *sides, int nsides, double eps) {
  int v[4], nv = mesh->ref->facet_verts;
  double x[4][3] = {{0}}, mid[3] = {0}, length = 0;
  mesh_facet_vertices(mesh, facet, v);
  for (int q = 0; q < nv; q++) {
    double square = 0;
    for (int d = 0; d < mesh->dim; d++) {
      x[q][d] = mesh->x[(size_t)v[q] * mesh->dim + d];
      mid[d] += x[q][d] / nv;
      square += (x[q][d] - x[0][d]) * (x[q][d] - x[0][d]);
    }
    length = fmax(length, sqrt(square));
  }
  for (int k = 0; k < nsides; k++) {
    bool on = !sides[k].inside || facet >= mesh->nboundary;
    for (int q = 0; q < nv && on; q++) on = off_side(&sides[k], x[q]) < eps;
    if (on && off_side(&sides[k], mid) < FARTHEST * length) return k;
  }
  return -1;
}

/* Onto one side, or where two of them meet. */
static void project(const Side *sides, int one, int two, double *p) {
  for (int k = 0; k < (two < 0 ? 1 : ALTERNATIONS); k++) {
    put_on_side(&sides[one], p);
    if (two >= 0) put_on_side(&sides[two], p);
  }
}

static bool on_facet(const RefCell *cell, int facet, int vertex) {
  for (int q = 0; q < cell->facet_verts; q++)
    if (cell->facet[facet][q] == vertex) return true;
  return false;
}

double *mesh_edge_bends(Mesh *mesh) {
  Side sides[CURVED_SIDES];
  int dim = mesh->dim, nsides = mesh->geom && dim > 1 ? curved_sides(mesh->geom, dim, sides) : 0;
  if (!nsides) return NULL;
  mesh_edges(mesh);
  int *on = BIG_ARRAY(int, 2 * (size_t)mesh->nedges);
  memset(on, 255, 2 * (size_t)mesh->nedges * sizeof *on);
  double eps = 1e-7 * geom_size(mesh->geom);
  bool any = false;
  for (int f = 0; f < mesh->nfacets; f++) {
    int k = side_of(mesh, f, sides, nsides, eps), local = mesh->facet_local[f];
    if (k < 0) continue;
    any = true;
    for (int e = 0; e < mesh->ref->nedges; e++) {
      if (!on_facet(mesh->ref, local, mesh->ref->edge[e][0]) || !on_facet(mesh->ref, local, mesh->ref->edge[e][1])) continue;
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

double *mesh_bend_at(const Mesh *mesh, const MeshBends *bends, int cell, int k) {
  const RefCell *ref = mesh->ref;
  double *of = bends->edge;
  size_t entity = 0;
  if (k < ref->nedges) {
    if (of) entity = (size_t)mesh->cell_edge[(size_t)cell * ref->nedges + k];
  } else if (k - ref->nedges < ref->nfacets && mesh->dim == 3) {
    of = bends->face;
    if (of) entity = (size_t)mesh->cell_face[(size_t)cell * ref->nfacets + k - ref->nedges];
  } else {
    of = bends->cell;
    entity = (size_t)cell;
  }
  return of ? of + entity * mesh->dim : NULL;
}

/* At a node of the quadratic map the functions of the other nodes of its kind are zero. */
void mesh_node_bends(const RefCell *cell, int given, double *node) {
  double place[CELL_MAP * 3], N[CELL_MAP];
  int dim = cell->dim, n = refcell_map_nodes(cell, true);
  element_of(cell->shape, 2)->nodes(dim, place);
  for (int g = cell->nverts; g < n; g++) {
    double size = 0;
    refcell_map(cell, true, place + g * dim, N, NULL, NULL);
    for (int d = 0; d < dim; d++) {
      double x = g < given ? node[g * dim + d] : 0;
      for (int k = 0; k < g && g < given; k++) x -= N[k] * node[k * dim + d];
      node[g * dim + d] = x;
      for (int k = 1; k < cell->nverts; k++) size = fmax(size, fabs(node[k * dim + d] - node[d]));
    }
    for (int d = 0; d < dim; d++)      /* straight up to rounding is straight */
      if (fabs(node[g * dim + d]) < 1e-14 * size) node[g * dim + d] = 0;
  }
}

static bool is_bent(const Mesh *mesh, const MeshBends *bends, int cell) {
  for (int k = 0, n = refcell_bends(mesh->ref); k < n; k++) {
    const double *b = mesh_bend_at(mesh, bends, cell, k);
    for (int d = 0; b && d < mesh->dim; d++)
      if (b[d] != 0) return true;
  }
  return false;
}

/* Is a straight tensor cell no parallelogram, no parallelepiped? */
static bool is_skew(const Mesh *mesh, int cell) {
  const RefCell *ref = mesh->ref;
  const int *v = mesh->cell + (size_t)cell * ref->nverts;
  const double *x = mesh->x, *origin = x + (size_t)v[0] * mesh->dim;
  if (ref->shape == CELL_SIMPLEX) return false;
  double size = 0, off = 0;
  for (int w = 1; w < ref->nverts; w++)
    for (int d = 0; d < mesh->dim; d++) {
      double p = x[(size_t)v[w] * mesh->dim + d] - origin[d], q = p;
      for (int k = 0; k < mesh->dim; k++)
        if (w >> k & 1) q -= x[(size_t)v[ref->axis[k]] * mesh->dim + d] - origin[d];
      size = fmax(size, fabs(p)), off = fmax(off, fabs(q));
    }
  return off > 1e-12 * size;
}

static void free_bends(Mesh *mesh) {
  free(mesh->curved), free(mesh->curved_of), free(mesh->bend);
  mesh->curved = mesh->curved_of = NULL;
  mesh->bend = NULL;
  mesh->ncurved = 0;
}

static void list_bends(Mesh *mesh, const MeshBends *bends) {
  int dim = mesh->dim, per = refcell_bends(mesh->ref), n = 0, bent = 0;
  free_bends(mesh);
  mesh->curved_of = BIG_ARRAY(int, mesh->ncells);
  for (int c = 0; c < mesh->ncells; c++) {
    bool is = is_bent(mesh, bends, c);
    bent += is;
    mesh->curved_of[c] = is || is_skew(mesh, c) ? n++ : -1;
  }
  if (!n) {
    free_bends(mesh);
    return;
  }
  mesh->ncurved = n;
  mesh->curved = BIG_ARRAY(int, n);
  if (bent) mesh->bend = BIG_ZEROED(double, (size_t)n * per * dim);
  for (int c = 0; c < mesh->ncells; c++) {
    int i = mesh->curved_of[c];
    if (i < 0) continue;
    mesh->curved[i] = c;
    for (int k = 0; bent && k < per; k++) {
      const double *b = mesh_bend_at(mesh, bends, c, k);
      if (b) memcpy(mesh->bend + ((size_t)i * per + k) * dim, b, sizeof(double) * (size_t)dim);
    }
  }
}

/* det J of the cell without its bends. */
static double straight_slope(const Mesh *mesh, int cell, const double *X) {
  double node[CELL_MAP * 3], dN[CELL_VERTS * 3], J[3][3] = {{0}}, K[3][3];
  mesh_map_nodes(mesh, cell, node);
  refcell_map(mesh->ref, false, X, NULL, dN, NULL);
  for (int g = 0; g < mesh->ref->nverts; g++)
    for (int d = 0; d < mesh->dim; d++)
      for (int k = 0; k < mesh->dim; k++) J[d][k] += dN[g * mesh->dim + k] * node[g * mesh->dim + d];
  return mesh_invert(mesh->dim, J, K);
}

/* det J at the nodes of the quadratic element and the points of a rule stays well above zero. */
static bool is_valid(const Mesh *mesh, int cell) {
  const double *rule, *w;
  double points[CELL_MAP * 3], J[3][3], K[3][3];
  const Element *quadratic = element_of(mesh->ref->shape, 2);
  int dim = mesh->dim, n = element_nodes(quadratic, dim), nq = quad_on(mesh->ref->shape, dim, 4, &rule, &w);
  quadratic->nodes(dim, points);
  for (int p = 0; p < n + nq; p++) {
    const double *X = p < n ? points + p * dim : rule + (p - n) * dim;
    mesh_map(mesh, cell, X, NULL, J);
    if (!(mesh_invert(dim, J, K) > LEAST_SLOPE * straight_slope(mesh, cell, X))) return false;
  }
  return true;
}

/* A side bent more than its cells are high stays on its chord there. */
int mesh_bend(Mesh *mesh, MeshBends bends) {
  int flat = 0, per = refcell_bends(mesh->ref);
  if (mesh->dim < 2 || (mesh->ref->shape == CELL_SIMPLEX && !bends.edge)) return 0;
  mesh_edges(mesh);
  if (bends.face) mesh_faces(mesh);
  for (bool good = false; !good;) {
    good = true;
    list_bends(mesh, &bends);
    for (int i = 0; i < mesh->ncurved && mesh->bend; i++) {
      int c = mesh->curved[i];
      if (!is_bent(mesh, &bends, c) || is_valid(mesh, c)) continue;
      good = false;
      flat++;
      for (int k = 0; k < per; k++) {
        double *b = mesh_bend_at(mesh, &bends, c, k);
        if (b) memset(b, 0, sizeof(double) * (size_t)mesh->dim);
      }
    }
  }
  free(bends.edge), free(bends.face), free(bends.cell);
  return flat;
}

MeshBends mesh_bends(Mesh *mesh) {
  int dim = mesh->dim, per = refcell_bends(mesh->ref);
  if (!mesh->bend) return (MeshBends){0};
  bool tensor = mesh->ref->shape == CELL_TENSOR;
  mesh_edges(mesh);
  if (tensor) mesh_faces(mesh);
  MeshBends out = {BIG_ZEROED(double, (size_t)mesh->nedges * dim), tensor && dim == 3 ? BIG_ZEROED(double, (size_t)mesh->nfaces * dim) : NULL,
                   tensor ? BIG_ZEROED(double, (size_t)mesh->ncells * dim) : NULL};
  for (int i = 0; i < mesh->ncurved; i++)
    for (int k = 0; k < per; k++) {
      double *b = mesh_bend_at(mesh, &out, mesh->curved[i], k);
      if (b) memcpy(b, mesh->bend + ((size_t)i * per + k) * dim, sizeof(double) * (size_t)dim);
    }
  return out;
}

/* --- the straight mesh --- */

/* Shares all arrays of the base but the groups, whose measures differ. */
Mesh *mesh_straight(Mesh *mesh) {
  if (!mesh->bend) return mesh_retain(mesh);
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
  if (out->ref->shape == CELL_TENSOR) list_bends(out, &(MeshBends){0});
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
  free_bends(mesh);
  free(mesh->groups);
  free(mesh);
}

static const Mesh *origin(const Mesh *mesh) {
  while (mesh && (mesh->base || mesh->uncut)) mesh = mesh->base ? mesh->base : mesh->uncut;
  return mesh;
}

bool mesh_same_cells(const Mesh *a, const Mesh *b) { return a == b || (a && b && origin(a) == origin(b)); }
