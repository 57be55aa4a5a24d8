/* Groups of a mesh: the names of its geometry given to facets and cells, region classes, selections. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"
#include "mesh_build.h"

enum { CUTS_MAX = 32 };

MeshGroup *mesh_add_group(Mesh *mesh, Name name, int dim, int *entity, int n) {
  mesh->groups = big_resize(mesh->groups, (size_t)mesh->ngroups * sizeof *mesh->groups, (size_t)(mesh->ngroups + 1) * sizeof *mesh->groups);
  MeshGroup *g = &mesh->groups[mesh->ngroups++];
  *g = (MeshGroup){.name = name, .dim = dim, .entity = entity, .n = n, .count = n, .exact = NAN};
  return g;
}

const MeshGroup *mesh_group_of(const Mesh *mesh, const char *name, int dim) {
  for (int i = 0; i < mesh->ngroups; i++)
    if (mesh->groups[i].dim == dim && !strcmp(mesh->groups[i].name, name)) return &mesh->groups[i];
  return NULL;
}

const MeshGroup *mesh_group(const Mesh *mesh, const char *name) {
  const MeshGroup *found = NULL;
  for (int dim = mesh->dim - 1; !found && dim >= 0; dim--) found = mesh_group_of(mesh, name, dim);
  return found ? found : mesh_group_of(mesh, name, mesh->dim);
}

static double tuple_measure(const Mesh *mesh, int dim, const int *v) {
  double square = 0;
  if (dim == 0) return 1;
  for (int d = 0; d < mesh->dim; d++) {
    double e = mesh->x[(size_t)v[1] * mesh->dim + d] - mesh->x[(size_t)v[0] * mesh->dim + d];
    square += e * e;
  }
  return sqrt(square);
}

void mesh_group_measures(Mesh *mesh) {
  for (int i = 0; i < mesh->ngroups; i++) {
    MeshGroup *g = &mesh->groups[i];
    g->count = g->n;
    g->measure = 0;
    for (int k = 0; k < g->n; k++)
      g->measure += g->dim == mesh->dim       ? mesh_cell_measure(mesh, g->entity[k])
                    : g->dim == mesh->dim - 1 ? mesh_facet_measure(mesh, g->entity[k])
                                              : tuple_measure(mesh, g->dim, g->entity + (size_t)k * (g->dim + 1));
  }
}

/* --- sides: which facet lies on which side --- */

typedef struct Facet {
  double x[4][3], mid[3];      /* vertices, midpoint; zeros beyond dim */
} Facet;

static void load_facet(const Mesh *mesh, int f, Facet *out) {
  int v[4], nv = mesh->ref->facet_verts;
  memset(out, 0, sizeof *out);
  mesh_facet_vertices(mesh, f, v);
  for (int k = 0; k < nv; k++)
    for (int d = 0; d < mesh->dim; d++) {
      out->x[k][d] = mesh->x[(size_t)v[k] * mesh->dim + d];
      out->mid[d] += out->x[k][d] / nv;
    }
}

static double distance(const GeomSide *side, const double *p) {
  double c[3];
  side_closest(side, p, c);
  for (int d = 0; d < 3; d++) c[d] -= p[d];
  return sqrt(dot3(c, c));
}

typedef struct Naming {
  Mesh *mesh;
  const Geom *geom;
  const GeomSideRef *refs;
  GeomSide *sides;
  int nrefs;
  double eps, near;            /* tolerance of == in predicates; of a vertex on a side */
  int *ref;                    /* [nboundary] the side a facet lies on, -1 */
  char *in;                    /* [nboundary] of the group being filled */
  Diags *diags;
  Span span;
} Naming;

static double off_side(const Naming *n, int k, const Facet *f) {
  double worst = 0;
  for (int q = 0; q < n->mesh->ref->facet_verts; q++) worst = fmax(worst, distance(&n->sides[k], f->x[q]));
  return worst < n->near ? 0 : worst;
}

/* The side with all vertices nearest, then the midpoint (of a chord it is off by h^2/8r). */
static Status find_sides(Naming *n) {
  int strays = 0;
  double where[3] = {0};
  for (int f = 0; f < n->mesh->nboundary; f++) {
    Facet facet;
    load_facet(n->mesh, f, &facet);
    double best = INFINITY, best_mid = INFINITY;
    n->ref[f] = -1;
    for (int k = 0; k < n->nrefs; k++) {
      if (n->refs[k].group < 0) continue;
      double off = off_side(n, k, &facet);
      if (off > best) continue;
      double mid = distance(&n->sides[k], facet.mid);
      if (off < best || mid < best_mid) best = off, best_mid = mid, n->ref[f] = k;
    }
    if (best == 0) continue;
    if (!strays++) memcpy(where, facet.mid, sizeof where);
  }
  if (!strays) return 0;
  diag_suggest(diag_report(n->diags, E1008, n->span, "%d facet%s of the boundary lie%s on no side of the shape, the first at (%g, %g, %g)", strays, strays == 1 ? "" : "s",
                           strays == 1 ? "s" : "", where[0], where[1], where[2]), "a side may be nearly covered by another shape: make the piece that is left larger, or cover it whole");
  return 1;
}

/* Does facet f lie on side k too? Sides of two primitives may coincide. */
static bool on_side(const Naming *n, int f, int k) {
  int own = n->ref[f];
  if (own == k) return true;
  if (own < 0 || n->sides[k].kind != n->sides[own].kind) return false;
  Facet facet;
  load_facet(n->mesh, f, &facet);
  return off_side(n, k, &facet) == 0 && fabs(distance(&n->sides[k], facet.mid) - distance(&n->sides[own], facet.mid)) < n->near;
}

static void mark_side_group(Naming *n, int group) {
  for (int k = 0; k < n->nrefs; k++)
    if (n->refs[k].group == group)
      for (int f = 0; f < n->mesh->nboundary; f++)
        if (!n->in[f] && on_side(n, f, k)) n->in[f] = 1;
}

/* --- predicates on facets and cells --- */

static const double *curved_mid(const Naming *n, int f, Facet *facet) {
  int own = n->ref[f];
  if (own >= 0 && side_is_curved(&n->sides[own])) {
    double p[3];
    side_closest(&n->sides[own], facet->mid, p);
    memcpy(facet->mid, p, sizeof p);
  }
  return facet->mid;
}

/* Does the truth of the predicate change within the facet or cell? Looked at just inside of its vertices. */
static bool straddles(Expr *predicate, const double x[][3], int nv, const double *mid, double eps) {
  bool first = false;
  for (int k = 0; k < nv; k++) {
    double p[3];
    for (int d = 0; d < 3; d++) p[d] = x[k][d] + 1e-5 * (mid[d] - x[k][d]);
    bool now = geom_predicate(predicate, p, eps);
    if (k && now != first) return true;
    first = now;
  }
  return false;
}

static int mark_predicate(Naming *n, Expr *predicate) {
  int across = 0, dim = n->mesh->dim, nv = n->mesh->ref->facet_verts, others, ncuts;
  GeomCut cuts[CUTS_MAX];
  ncuts = geom_cuts(predicate, dim, geom_size(n->geom), cuts, CUTS_MAX, &others);
  for (int f = 0; f < n->mesh->nboundary; f++) {
    Facet facet;
    double flat[12];
    load_facet(n->mesh, f, &facet);
    for (int k = 0; k < nv; k++)
      for (int d = 0; d < dim; d++) flat[k * dim + d] = facet.x[k][d];
    n->in[f] = geom_predicate_facet(predicate, flat, nv, dim, curved_mid(n, f, &facet), n->eps);
    if (dim == 1) continue;
    /* a facet is across the end of the group if it would belong with its midpoint elsewhere on it */
    bool changes = false;
    for (int c = 0; c < ncuts && !changes; c++) {
      if (cuts[c].equality || cuts[c].radius > 0) continue;
      int below = 0, above = 0;
      for (int k = 0; k < nv; k++) {
        double s = dot3(cuts[c].normal, facet.x[k]) - cuts[c].offset;
        below |= s < -1e-6 * n->mesh->h_min, above |= s > 1e-6 * n->mesh->h_min;
      }
      changes = below && above;
    }
    if (!changes) continue;
    for (int k = 0; k < nv; k++) {
      double p[3];
      for (int d = 0; d < 3; d++) p[d] = facet.x[k][d] + 1e-5 * (facet.mid[d] - facet.x[k][d]);
      if (geom_predicate_facet(predicate, flat, nv, dim, p, 1e-4 * n->mesh->h_max) != n->in[f]) {
        across++;
        break;
      }
    }
  }
  return across;
}

/* Cells by their centroid; *across counts those that lie on both sides. */
static void mark_cells(const Naming *n, Expr *predicate, char *in, int *across) {
  const Mesh *mesh = n->mesh;
  int dim = mesh->dim, m = mesh->ref->nverts, others, ncuts;
  GeomCut cuts[CUTS_MAX];
  ncuts = geom_cuts(predicate, dim, geom_size(n->geom), cuts, CUTS_MAX, &others);
  double tolerance = 1e-6 * mesh->h_min;
  *across = 0;
  for (int c = 0; c < mesh->ncells; c++) {
    double x[CELL_VERTS][3] = {{0}}, mid[3] = {0};
    for (int k = 0; k < m; k++)
      for (int d = 0; d < dim; d++) {
        x[k][d] = mesh->x[(size_t)mesh->cell[(size_t)c * m + k] * dim + d];
        mid[d] += x[k][d] / m;
      }
    in[c] = geom_predicate(predicate, mid, n->eps);
    bool look = others > 0;
    for (int i = 0; i < ncuts && !look; i++) {
      int below = 0, above = 0;
      for (int k = 0; k < m; k++) {
        double r[3] = {x[k][0] - cuts[i].centre[0], x[k][1] - cuts[i].centre[1], x[k][2] - cuts[i].centre[2]};
        /* cells follow a circle by chords: their vertices lie on it */
        double s = cuts[i].radius > 0 ? sqrt(dot3(r, r)) - cuts[i].radius : dot3(cuts[i].normal, x[k]) - cuts[i].offset;
        below |= s < -tolerance, above |= s > tolerance;
      }
      look = below && above && !cuts[i].equality;
    }
    if (look && straddles(predicate, (const double(*)[3])x, m, mid, n->eps)) ++*across;
  }
}

static void warn_across(const Naming *n, const GeomGroup *group, int across, const char *what) {
  diag_suggest(diag_report(n->diags, W1000, group->span.start ? group->span : n->span,
                           "%d %s%s across the border of %s `%s`, which the mesh does not follow; each counts as its midpoint does", across, what,
                           across == 1 ? " lies" : "s lie", group->is_region ? "region" : "boundary", group->name),
               n->mesh->structured[0] ? "choose cells: so that a grid line meets the border, or mesh with h:, which follows straight borders and circles"
                                      : "borders that are straight lines, planes or circles are followed; or make the region a part of the shape");
}

/* --- parts: cells inside of a named shape --- */

static bool covers(const GeomNode *node, const GeomNode *part) {
  if (node == part) return true;
  if (node->op == GEOM_DIFFERENCE) return covers(node->a, part);
  return node->op == GEOM_INTERSECTION && (covers(node->a, part) || covers(node->b, part));
}

static void mark_part(const Naming *n, const char *part, char *in) {
  const Mesh *mesh = n->mesh;
  const GeomNode *node = geom_part(n->geom, part);
  if (covers(geom_root(n->geom), node)) {
    memset(in, 1, (size_t)mesh->ncells);
    return;
  }
  int dim = mesh->dim, m = mesh->ref->nverts;
  for (int c = 0; c < mesh->ncells; c++) {
    double mid[3] = {0};
    for (int k = 0; k < m; k++)
      for (int d = 0; d < dim; d++) mid[d] += mesh->x[(size_t)mesh->cell[(size_t)c * m + k] * dim + d] / m;
    in[c] = geom_node_level(node, mid) < 0;
  }
}

/* --- all groups --- */

static int *listed(const char *in, int total, int *n) {
  *n = 0;
  for (int i = 0; i < total; i++) *n += in[i];
  int *out = BIG_ARRAY(int, *n);
  for (int i = 0, k = 0; i < total; i++)
    if (in[i]) out[k++] = i;
  return out;
}

static void mark_members(const Naming *n, const GeomGroup *group, int dim, char *in) {
  for (int k = 0; k < group->nmembers; k++) {
    const MeshGroup *member = mesh_group_of(n->mesh, group->members[k], dim);
    for (int i = 0; member && i < member->n; i++) in[member->entity[i]] = 1;
  }
}

static Status report_empty(const Naming *n, const GeomGroup *group) {
  const GeomGroup *groups;
  int total = geom_groups(n->geom, &groups);
  Buf sides = {0};
  for (int i = 0; i < total; i++)
    if (groups[i].is_side && strcmp(groups[i].name, group->name)) buf_printf(&sides, "%s%s", sides.len ? ", " : "", groups[i].name);
  Diag *diag = diag_report(n->diags, E1003, group->span.start ? group->span : n->span, "%s `%s` has no %s of the mesh", group->is_region ? "region" : "boundary",
                           group->name, group->is_region ? "cell" : "facet");
  static const char *const axis[3] = {"x", "y", "z"};
  Buf extent = {0};
  for (int d = 0; d < n->mesh->dim; d++) buf_printf(&extent, "%s%s %.6g..%.6g", d ? ", " : "", axis[d], n->mesh->lo[d], n->mesh->hi[d]);
  diag_note(diag, (Span){0, 0}, "the domain has %s", buf_str(&extent));
  if (!group->is_region) {
    diag_note(diag, (Span){0, 0}, "its sides are %s", buf_str(&sides));
    diag_suggest(diag, group->predicate ? "`where` must hold on whole facets of the boundary: x == 0 and 0.1 < y < 0.4, say; or name a side"
                                        : "this side is not on the boundary of the whole shape, or too short for the mesh");
  } else {
    diag_suggest(diag, "`where` must hold at the midpoint of one cell or more");
  }
  buf_free(&extent);
  buf_free(&sides);
  return 1;
}

static Status name_boundary(Naming *n, const GeomGroup *group, int index) {
  Mesh *mesh = n->mesh;
  int across = 0, count;
  memset(n->in, 0, (size_t)mesh->nboundary);
  if (group->is_side) mark_side_group(n, index);
  else if (group->predicate) across = mark_predicate(n, group->predicate);
  else mark_members(n, group, mesh->dim - 1, n->in);
  int *entity = listed(n->in, mesh->nboundary, &count);
  mesh_add_group(mesh, group->name, mesh->dim - 1, entity, count);
  if (!count && !group->is_side) return report_empty(n, group);      /* a side that another shape covers or cuts off is missed only by those who use it */
  if (across) warn_across(n, group, across, "facet");
  return 0;
}

static Status name_region(Naming *n, const GeomGroup *group) {
  Mesh *mesh = n->mesh;
  char *in = BIG_ZEROED(char, mesh->ncells);
  int across = 0, count;
  if (group->predicate) mark_cells(n, group->predicate, in, &across);
  else if (group->nmembers) mark_members(n, group, mesh->dim, in);
  else mark_part(n, group->name, in);
  int *entity = listed(in, mesh->ncells, &count);
  free(in);
  mesh_add_group(mesh, group->name, mesh->dim, entity, count);
  if (!count) return report_empty(n, group);
  if (across) warn_across(n, group, across, "cell");
  return 0;
}

Status mesh_name_groups(Mesh *mesh, const Geom *geom, const int *facet_side, Diags *diags, Span span) {
  const GeomGroup *groups;
  Naming n = {.mesh = mesh, .geom = geom, .near = 1e-6 * geom_size(geom), .diags = diags, .span = span};
  Status status = 0;
  int total = geom_groups(geom, &groups);
  n.eps = (facet_side ? 1e-9 : 1e-7) * geom_size(geom);   /* vertices where a generator cut curves are exact to about 1e-7 */
  n.nrefs = geom_sides(geom, &n.refs);
  n.sides = BIG_ARRAY(GeomSide, n.nrefs);
  n.ref = BIG_ARRAY(int, mesh->nboundary);
  n.in = BIG_ARRAY(char, mesh->nboundary);
  for (int k = 0; k < n.nrefs; k++) geom_side(n.refs[k].primitive, n.refs[k].side, &n.sides[k]);
  if (facet_side) memcpy(n.ref, facet_side, (size_t)mesh->nboundary * sizeof *n.ref);
  else status = find_sides(&n);
  for (int i = 0; i < total && !(status && i == 0); i++) status |= groups[i].is_region ? name_region(&n, &groups[i]) : name_boundary(&n, &groups[i], i);
  free(n.sides);
  free(n.ref);
  free(n.in);
  if (status) return 1;
  mesh_classify_regions(mesh, NULL);
  mesh_group_measures(mesh);
  return 0;
}

/* --- region classes --- */

static void refine_classes(Mesh *mesh, const MeshGroup *group) {
  char *in = BIG_ZEROED(char, mesh->ncells);
  for (int i = 0; i < group->n; i++) in[group->entity[i]] = 1;
  int *renamed = BIG_ARRAY(int, 2 * mesh->nregions), count = 0;
  for (int i = 0; i < 2 * mesh->nregions; i++) renamed[i] = -1;
  for (int c = 0; c < mesh->ncells; c++) {
    int key = 2 * mesh->region[c] + in[c];
    if (renamed[key] < 0) renamed[key] = count++;
    mesh->region[c] = renamed[key];
  }
  mesh->nregions = count;
  free(renamed);
  free(in);
}

/* Facets between two classes stand twice in the table, once from either side, so that an interface can be looked at both ways. */
static void add_interfaces(Mesh *mesh, const int *neighbours) {
  int m = mesh->ref->nfacets, n = 0;
  size_t slots = (size_t)mesh->ncells * m;
  for (size_t s = 0; s < slots; s++) n += neighbours[s] >= 0 && mesh->region[s / m] != mesh->region[neighbours[s] / m];
  int f = mesh_more_facets(mesh, n);
  for (size_t s = 0; s < slots; s++) {
    if (neighbours[s] < 0 || mesh->region[s / m] == mesh->region[neighbours[s] / m]) continue;
    mesh->facet_cell[f] = (int)(s / m);
    mesh->facet_local[f] = (int)(s % m);
    mesh->facet_cell2[f++] = neighbours[s] / m;
  }
}

void mesh_classify_regions(Mesh *mesh, const int *neighbours) {
  bool partial = false;
  for (int i = 0; i < mesh->ngroups; i++) partial |= mesh->groups[i].dim == mesh->dim && mesh->groups[i].n < mesh->ncells;
  mesh->nregions = 1;
  if (!partial) return;
  mesh->region = BIG_ZEROED(int, mesh->ncells);
  for (int i = 0; i < mesh->ngroups; i++)
    if (mesh->groups[i].dim == mesh->dim) refine_classes(mesh, &mesh->groups[i]);
  int *own = neighbours ? NULL : mesh_neighbours(mesh);
  add_interfaces(mesh, own ? own : neighbours);
  free(own);
}

/* --- selections --- */

static int *select_groups(const Mesh *mesh, int dim, int total, const Name *names, int n, bool all, bool others, int *count) {
  char *in = BIG_ZEROED(char, total);
  for (int i = 0; i < n; i++) {
    const MeshGroup *g = mesh_group_of(mesh, names[i], dim);
    for (int k = 0; g && k < g->n; k++) in[g->entity[k]] = 1;
  }
  int whole = dim == mesh->dim ? total : mesh->nboundary;
  if (all || others)
    for (int i = 0; i < whole; i++) in[i] = all || !in[i];
  if (others)
    for (int i = whole; i < total; i++) in[i] = 0;
  int *out = listed(in, total, count);
  free(in);
  return out;
}

int *mesh_select_cells(const Mesh *mesh, const Name *names, int n, bool all, bool others, int *count) {
  return select_groups(mesh, mesh->dim, mesh->ncells, names, n, all, others, count);
}

int *mesh_select_facets(const Mesh *mesh, const Name *names, int n, bool all, bool others, int *count) {
  return select_groups(mesh, mesh->dim - 1, mesh->nfacets, names, n, all, others, count);
}

int *mesh_select_interface(const Mesh *mesh, Name from, Name to, int *count) {
  char *in = BIG_ZEROED(char, mesh->ncells);
  const MeshGroup *a = mesh_group_of(mesh, from, mesh->dim), *b = mesh_group_of(mesh, to, mesh->dim);
  for (int i = 0; a && i < a->n; i++) in[a->entity[i]] |= 1;
  for (int i = 0; b && i < b->n; i++) in[b->entity[i]] |= 2;
  int *out = BIG_ARRAY(int, mesh->nfacets - mesh->nboundary), n = 0;
  /* cells of both regions lie on neither side of an interface */
  for (int f = mesh->nboundary; f < mesh->nfacets; f++)
    if (mesh->facet_cell2[f] >= 0 && in[mesh->facet_cell[f]] == 1 && in[mesh->facet_cell2[f]] == 2) out[n++] = f;
  free(in);
  *count = n;
  return out;
}

int mesh_region_classes(const Mesh *mesh, Name region, int *classes, int max) {
  const MeshGroup *group = mesh_group_of(mesh, region, mesh->dim);
  int n = 0;
  for (int i = 0; group && i < group->n; i++) {
    int klass = mesh->region ? mesh->region[group->entity[i]] : 0, k = 0;
    while (k < n && classes[k] != klass) k++;
    if (k == n && n < max) classes[n++] = klass;
  }
  return n;
}
