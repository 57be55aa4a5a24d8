/* Primitives in Gmsh's model, from their sides; sweeps from their plane shape. */
#include <gmshc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"
#include "mesh_gmsh_shape.h"
#include "mesh_gmsh_call.h"

/* --- plane shapes: sides linked to loops, the outermost loop first --- */

typedef struct Edge { double from[2], to[2]; GeomSide side; bool taken; } Edge;
typedef struct Loop { int tag; double extent; } Loop;

/* A sequence of cubic pieces as one B-spline: double knots between them, as the first derivative is continuous. On a section of a sweep the poles map
 * like points, as its map is affine for fixed t. */
static int curve_edge(const GeomSide *s, const GeomNode *sweep, double t, int from, int to, int *out) {
  int pieces = s->last - s->first, npoles = 2 * pieces + 2, ierr = 0;
  int *poles = malloc((size_t)npoles * sizeof *poles), *times = malloc((size_t)(pieces + 1) * sizeof *times);
  for (int i = 0; i < pieces && !ierr; i++) {
    double b[4][2];
    curve_bezier(s->curve, s->first + i, b);
    for (int k = 1; k <= 2 && !ierr; k++) {
      double p[3] = {b[k][0], b[k][1], 0};
      if (sweep) sweep_up(sweep, b[k], t, p);
      poles[2 * i + k] = gmshModelOccAddPoint(p[0], p[1], p[2], 0, -1, &ierr);
    }
  }
  poles[0] = from;
  poles[npoles - 1] = to;
  for (int i = 0; i <= pieces; i++) times[i] = i == 0 || i == pieces ? 4 : 2;
  if (!ierr) *out = gmshModelOccAddBSpline(poles, (size_t)npoles, -1, 3, NULL, 0, s->curve->u + s->first, (size_t)pieces + 1, times, (size_t)pieces + 1, &ierr);
  for (int i = 1; i < npoles - 1 && !ierr; i++) gmshModelOccRemove((int[]){0, poles[i]}, 2, 0, &ierr);
  free(poles);
  free(times);
  return ierr;
}

/* The loop that edge `first` lies on: each edge is followed by the one that starts where it ends. Points close enough are one. */
static int chain(Edge *edges, int n, int first, int *lines, int *count, double *extent) {
  int start, from, ierr = 0;
  double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
  from = start = gmshModelOccAddPoint(edges[first].from[0], edges[first].from[1], 0, 0, -1, &ierr);
  *count = 0;
  for (int k = first; !ierr && !edges[k].taken;) {
    Edge *e = &edges[k];
    int next = first, to = start;
    double best = INFINITY;
    e->taken = true;
    for (int j = 0; j < n; j++) {
      double r = hypot(edges[j].from[0] - e->to[0], edges[j].from[1] - e->to[1]);
      if (r < best && (j == first || !edges[j].taken)) best = r, next = j;
    }
    if (next != first) to = gmshModelOccAddPoint(e->to[0], e->to[1], 0, 0, -1, &ierr);
    if (ierr) break;
    int *line = &lines[(*count)++];
    if (e->side.kind == SIDE_CURVE) ierr = curve_edge(&e->side, NULL, 0, from, to, line);
    else *line = gmshModelOccAddLine(from, to, -1, &ierr);
    for (int d = 0; d < 2; d++) lo[d] = fmin(lo[d], e->from[d]), hi[d] = fmax(hi[d], e->from[d]);
    from = to;
    k = next;
  }
  *extent = hypot(hi[0] - lo[0], hi[1] - lo[1]);
  return ierr;
}

static int by_extent(const void *a, const void *b) {
  double x = ((const Loop *)a)->extent, y = ((const Loop *)b)->extent;
  return (x < y) - (x > y);
}

static int plane_loops(const GeomNode *g, Loop *loops, int *nloops, Edge *edges, int *lines) {
  int n = geom_side_count(g), nedges = 0;
  for (int k = 0; k < n; k++) {
    GeomSide s;
    double d[2];
    geom_side(g, k, &s);
    if (s.kind == SIDE_CIRCLE) {
      int curve;
      GMSH(curve = gmshModelOccAddCircle(s.a[0], s.a[1], 0, s.radius, -1, 0, 2 * M_PI, &ierr));
      GMSH(loops[*nloops].tag = gmshModelOccAddCurveLoop(&curve, 1, -1, &ierr));
      loops[(*nloops)++].extent = 2 * M_SQRT2 * s.radius;
      continue;
    }
    Edge *e = &edges[nedges++];
    *e = (Edge){.from = {s.a[0], s.a[1]}, .to = {s.a[0] + s.u[0], s.a[1] + s.u[1]}, .side = s};
    if (s.kind == SIDE_CURVE) curve_at(s.curve, s.first, s.last, 0, e->from, d), curve_at(s.curve, s.first, s.last, 1, e->to, d);
  }
  for (int k = 0; k < nedges; k++) {
    int count;
    if (edges[k].taken) continue;
    Loop *loop = &loops[(*nloops)++];
    int rc = chain(edges, nedges, k, lines, &count, &loop->extent);
    if (rc) return rc;
    GMSH(loop->tag = gmshModelOccAddCurveLoop(lines, (size_t)count, -1, &ierr));
  }
  qsort(loops, (size_t)*nloops, sizeof *loops, by_extent);
  return 0;
}

static int plane_surface(const GeomNode *g, int *tag) {
  int n = geom_side_count(g), nloops = 0, ierr = 0;
  Loop *loops = calloc((size_t)n, sizeof *loops);
  Edge *edges = calloc((size_t)n, sizeof *edges);
  int *lines = calloc((size_t)n, sizeof *lines);
  int rc = plane_loops(g, loops, &nloops, edges, lines);
  for (int i = 0; i < nloops; i++) lines[i] = loops[i].tag;
  if (!rc) *tag = gmshModelOccAddPlaneSurface(lines, (size_t)nloops, -1, &ierr);
  free(loops);
  free(edges);
  free(lines);
  return rc ? rc : ierr;
}

/* --- sweeps --- */

static void keep_dim(GmshShape *out, const int *tags, size_t n, int dim) {
  for (size_t i = 0; i + 1 < n; i += 2)
    if (tags[i] == dim) gmsh_shape_push(out, dim, tags[i + 1]);
}

/* Everything below the top at once: pieces of the plane that meet give solids that meet. */
static int extruded(const GeomNode *leaf, GmshShape *plane, GmshShape *out) {
  const double *z = leaf->values[1];
  int *tags = NULL;
  size_t n = 0;
  GMSH(gmshModelOccTranslate(plane->tags, 2 * plane->n, 0, 0, z[0], &ierr));
  GMSH(gmshModelOccExtrude(plane->tags, 2 * plane->n, 0, 0, z[1] - z[0], &tags, &n, NULL, 0, NULL, 0, 0, &ierr));
  keep_dim(out, tags, n, 3);
  gmshFree(tags);
  return 0;
}

static int revolved(const GeomNode *leaf, GmshShape *plane, GmshShape *out) {
  int *tags = NULL;
  size_t n = 0;
  GMSH(gmshModelOccRotate(plane->tags, 2 * plane->n, 0, 0, 0, 1, 0, 0, M_PI / 2, &ierr));
  GMSH(gmshModelOccRevolve(plane->tags, 2 * plane->n, 0, 0, 0, 0, 0, 1, leaf->values[1][0], &tags, &n, NULL, 0, NULL, 0, 0, &ierr));
  keep_dim(out, tags, n, 3);
  gmshFree(tags);
  return 0;
}

/* The wire of the profile in one section of a loft. */
static int section_wire(const GeomNode *g, double t, int *wire) {
  int n = geom_side_count(g->base), edges[3], ends[3];
  for (int k = 0; k < n; k++) {
    GeomSide s;
    double q[3], p[3];
    geom_side(g->base, k, &s);
    side_point(&s, 0, 0, q);
    sweep_up(g, q, t, p);
    GMSH(ends[k] = gmshModelOccAddPoint(p[0], p[1], p[2], 0, -1, &ierr));
  }
  for (int k = 0; k < n; k++) {
    GeomSide s;
    int from = ends[k], to = ends[(k + 1) % n];
    geom_side(g->base, k, &s);
    if (s.kind == SIDE_CURVE) {
      int rc = curve_edge(&s, g, t, from, to, &edges[k]);
      if (rc) return rc;
    } else {
      GMSH(edges[k] = gmshModelOccAddLine(from, to, -1, &ierr));
    }
  }
  GMSH(*wire = gmshModelOccAddWire(edges, (size_t)n, -1, 1, &ierr));
  return 0;
}

static int lofted(const GeomNode *g, GmshShape *out) {
  int wires[2], *tags = NULL;
  size_t n = 0;
  for (int end = 0; end < 2; end++) {
    int rc = section_wire(g, end, &wires[end]);
    if (rc) return rc;
  }
  GMSH(gmshModelOccAddThruSections(wires, 2, &tags, &n, -1, 1, 1, -1, &ierr));
  keep_dim(out, tags, n, 3);
  gmshFree(tags);
  return 0;
}

static int swept(const GeomNode *node, GmshShape *out) {
  const GeomNode *leaf = node;
  while (leaf->op != GEOM_PRIMITIVE) leaf = leaf->a;
  if (leaf->row->ops->sweep == SWEEP_LOFT) return lofted(leaf, out);
  GmshShape plane = {0};
  int rc = gmsh_build(node->swept ? node->swept : leaf->base, &plane);
  if (!rc && plane.n) rc = leaf->row->ops->sweep == SWEEP_REVOLVE ? revolved(leaf, &plane, out) : extruded(leaf, &plane, out);
  gmsh_shape_free(&plane);
  return rc;
}

int gmsh_primitive(const GeomNode *g, GmshShape *out) {
  if (g->swept || g->base) return swept(g, out);
  GeomSide s;
  int tag;
  geom_side(g, 0, &s);
  switch (s.kind) {
  case SIDE_PATCH:
    GMSH(tag = gmshModelOccAddBox(g->values[0][0], g->values[1][0], g->values[2][0], g->values[0][1] - g->values[0][0], g->values[1][1] - g->values[1][0],
                                  g->values[2][1] - g->values[2][0], -1, &ierr));
    break;
  case SIDE_TUBE: GMSH(tag = gmshModelOccAddCylinder(s.a[0], s.a[1], s.a[2], s.u[0], s.u[1], s.u[2], s.radius, -1, 2 * M_PI, &ierr)); break;
  case SIDE_SPHERE: GMSH(tag = gmshModelOccAddSphere(s.a[0], s.a[1], s.a[2], s.radius, -1, -M_PI / 2, M_PI / 2, 2 * M_PI, &ierr)); break;
  default: {
    int rc = plane_surface(g, &tag);
    if (rc) return rc;
  }
  }
  gmsh_shape_push(out, g->row->dim, tag);
  return 0;
}
