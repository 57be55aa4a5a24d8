#include "mesh_gmsh_shape.h"
#include "mesh_gmsh_call.h"

#include <gmshc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"

enum { CUTS_MAX = 32 };

void gmsh_shape_free(GmshShape *shape) {
  free(shape->tags);
  *shape = (GmshShape){0};
}

void gmsh_shape_push(GmshShape *shape, int dim, int tag) {
  shape->tags = realloc(shape->tags, 2 * (shape->n + 1) * sizeof *shape->tags);
  shape->tags[2 * shape->n] = dim;
  shape->tags[2 * shape->n++ + 1] = tag;
}

/* --- combining --- */

typedef void (*Boolean)(int *, size_t, int *, size_t, int **, size_t *, int ***, size_t **, size_t *, const int, const int, const int, int *);

/* a = a op b; keeps pieces of dimension dim, of the first `objects` inputs alone if that is not 0. */
static int boolean(Boolean operation, GmshShape *a, const GmshShape *b, int dim, bool of_objects) {
  int *out = NULL, **map = NULL, ierr = 0;
  size_t n = 0, *map_n = NULL, nn = 0, objects = a->n;
  operation(a->tags, 2 * a->n, b->tags, 2 * b->n, &out, &n, &map, &map_n, &nn, -1, 1, 1, &ierr);
  if (!ierr) {
    a->n = 0;
    for (size_t k = 0; k < (of_objects ? (objects < nn ? objects : nn) : 1); k++) {
      const int *list = of_objects ? map[k] : out;
      size_t len = of_objects ? map_n[k] : n;
      for (size_t i = 0; i + 1 < len; i += 2) {
        bool known = false;
        for (size_t q = 0; q < a->n; q++) known |= a->tags[2 * q] == list[i] && a->tags[2 * q + 1] == list[i + 1];
        if (list[i] == dim && !known) gmsh_shape_push(a, list[i], list[i + 1]);
      }
    }
  }
  for (size_t k = 0; k < nn; k++) gmshFree(map[k]);
  gmshFree(map);
  gmshFree(map_n);
  gmshFree(out);
  return ierr;
}

int gmsh_build(const GeomNode *node, GmshShape *out) {
  if (node->swept || node->op == GEOM_PRIMITIVE) return gmsh_primitive(node, out);
  GmshShape b = {0};
  int dim, rc = gmsh_build(node->a, out);
  if (!rc) rc = gmsh_build(node->b, &b);
  dim = geom_node_dim(node);
  if (!rc && out->n && b.n) {
    /* The pieces of a union stay apart, with a common border: named parts are regions. Fuse would also leave shapes that only touch lying twice. */
    Boolean op = node->op == GEOM_DIFFERENCE ? gmshModelOccCut : node->op == GEOM_INTERSECTION ? gmshModelOccIntersect : gmshModelOccFragment;
    rc = boolean(op, out, &b, dim, false);
  } else if (!rc && node->op == GEOM_UNION) {
    for (size_t i = 0; i < b.n; i++) gmsh_shape_push(out, dim, b.tags[2 * i + 1]);
  } else if (!rc && node->op == GEOM_INTERSECTION) {
    out->n = 0;
  }
  gmsh_shape_free(&b);
  return rc;
}

/* --- regions: cuts through the whole shape --- */

static void perpendicular(const double *n, double *u, double *v) {
  int k = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double e[3] = {k == 0, k == 1, k == 2};
  cross3(n, e, u);
  double length = sqrt(dot3(u, u));
  for (int d = 0; d < 3; d++) u[d] /= length;
  cross3(n, u, v);
}

static int add_line(const double *middle, const double *along, double reach, GmshShape *out) {
  int p, q, line;
  GMSH(p = gmshModelOccAddPoint(middle[0] - reach * along[0], middle[1] - reach * along[1], middle[2] - reach * along[2], 0, -1, &ierr));
  GMSH(q = gmshModelOccAddPoint(middle[0] + reach * along[0], middle[1] + reach * along[1], middle[2] + reach * along[2], 0, -1, &ierr));
  GMSH(line = gmshModelOccAddLine(p, q, -1, &ierr));
  gmsh_shape_push(out, 1, line);
  return 0;
}

static int add_plane(const double *middle, const double *normal, double reach, GmshShape *out) {
  double u[3], v[3];
  int points[4], lines[4], loop, surface;
  perpendicular(normal, u, v);
  for (int k = 0; k < 4; k++) {
    double s = k == 0 || k == 3 ? -reach : reach, t = k < 2 ? -reach : reach;
    GMSH(points[k] = gmshModelOccAddPoint(middle[0] + s * u[0] + t * v[0], middle[1] + s * u[1] + t * v[1], middle[2] + s * u[2] + t * v[2], 0, -1, &ierr));
  }
  for (int k = 0; k < 4; k++) GMSH(lines[k] = gmshModelOccAddLine(points[k], points[(k + 1) % 4], -1, &ierr));
  GMSH(loop = gmshModelOccAddCurveLoop(lines, 4, -1, &ierr));
  GMSH(surface = gmshModelOccAddPlaneSurface(&loop, 1, -1, &ierr));
  gmsh_shape_push(out, 2, surface);
  return 0;
}

typedef struct Frame { double centre[3], size; int dim; } Frame;

static Frame frame_of(const Geom *geom) {
  double lo[3], hi[3];
  geom_bounds(geom, lo, hi);
  return (Frame){{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2}, geom_size(geom), geom_dim(geom)};
}

/* The surface of a cut across the shape; nothing where it passes the shape by. */
static int add_cut(const Frame *f, const GeomCut *cut, GmshShape *out) {
  if (cut->radius > 0) {
    int tag;
    if (f->dim == 2) GMSH(tag = gmshModelOccAddCircle(cut->centre[0], cut->centre[1], 0, cut->radius, -1, 0, 2 * M_PI, &ierr));
    else GMSH(tag = gmshModelOccAddSphere(cut->centre[0], cut->centre[1], cut->centre[2], cut->radius, -1, -M_PI / 2, M_PI / 2, 2 * M_PI, &ierr));
    gmsh_shape_push(out, f->dim == 2 ? 1 : 3, tag);
    return 0;
  }
  double off = cut->offset - dot3(cut->normal, f->centre), middle[3], along[3] = {-cut->normal[1], cut->normal[0], 0};
  if (fabs(off) >= f->size / 2) return 0;
  for (int d = 0; d < 3; d++) middle[d] = f->centre[d] + off * cut->normal[d];
  return f->dim == 2 ? add_line(middle, along, 0.6 * f->size, out) : add_plane(middle, cut->normal, 0.6 * f->size, out);
}

static bool same_cut(const GeomCut *a, const GeomCut *b, double size) {
  double d = 0, e = 0;
  for (int k = 0; k < 3; k++) {
    d += fabs(a->normal[k] * b->offset - b->normal[k] * a->offset) + fabs(a->centre[k] - b->centre[k]);
    e += a->normal[k] * b->normal[k];
  }
  return fabs(a->radius - b->radius) < 1e-10 * size && d < 1e-10 * size && (a->radius > 0 || (fabs(fabs(e) - 1) < 1e-10 && fabs(fabs(a->offset) - fabs(b->offset)) < 1e-10 * size));
}

int gmsh_shape(const Geom *geom, GmshShape *out) {
  Frame frame = frame_of(geom);
  int rc = gmsh_build(geom_root(geom), out);
  const GeomGroup *groups;
  GeomCut cuts[CUTS_MAX];
  GmshShape tools = {0};
  int n = geom_groups(geom, &groups), ncuts = 0;
  for (int i = 0; i < n && !rc; i++) {
    int others;
    if (!groups[i].is_region || !groups[i].predicate) continue;
    int more = geom_cuts(groups[i].predicate, frame.dim, frame.size, cuts + ncuts, CUTS_MAX - ncuts, &others);
    for (int k = ncuts; k < ncuts + more; k++) {
      bool known = false;
      for (int j = 0; j < k; j++) known |= same_cut(&cuts[j], &cuts[k], frame.size);
      if (!known && !rc) rc = add_cut(&frame, &cuts[k], &tools);
    }
    ncuts += more;
  }
  if (!rc && tools.n && out->n) rc = boolean(gmshModelOccFragment, out, &tools, frame.dim, true);
  gmsh_shape_free(&tools);
  return rc;
}

/* --- boundaries: points (2D) and lines (3D) where a named boundary ends --- */

static bool on_equalities(const GeomCut *cuts, int n, const double *p, double eps) {
  bool any = false, all_miss = true;
  for (int k = 0; k < n; k++) {
    if (!cuts[k].equality) continue;
    double r[3] = {p[0] - cuts[k].centre[0], p[1] - cuts[k].centre[1], p[2] - cuts[k].centre[2]};
    any = true;
    if (fabs(cuts[k].radius > 0 ? sqrt(dot3(r, r)) - cuts[k].radius : dot3(cuts[k].normal, p) - cuts[k].offset) < eps) all_miss = false;
  }
  return !any || !all_miss;
}

/* Points of side s on the line normal.p == offset. */
static int meet_line(const GeomSide *s, const GeomCut *cut, double p[2][3]) {
  double a = dot3(cut->normal, s->a) - cut->offset, u = dot3(cut->normal, s->u);
  memset(p, 0, 6 * sizeof(double));
  if (s->kind == SIDE_SEGMENT) {
    double t = -a / u;
    if (!(t > 1e-9 && t < 1 - 1e-9)) return 0;
    for (int d = 0; d < 2; d++) p[0][d] = s->a[d] + t * s->u[d];
    return 1;
  }
  if (s->kind != SIDE_CIRCLE || fabs(a) >= s->radius) return 0;
  double half = sqrt(s->radius * s->radius - a * a), along[2] = {-cut->normal[1], cut->normal[0]};
  for (int k = 0; k < 2; k++)
    for (int d = 0; d < 2; d++) p[k][d] = s->a[d] - a * cut->normal[d] + (k ? half : -half) * along[d];
  return 2;
}

static int add_ends_2d(const Geom *geom, const GeomCut *cuts, int ncuts, double size, GmshShape *tools) {
  const GeomSideRef *refs;
  int nrefs = geom_sides(geom, &refs);
  for (int c = 0; c < ncuts; c++) {
    if (cuts[c].equality || cuts[c].radius > 0) continue;
    for (int k = 0; k < nrefs; k++) {
      GeomSide s;
      double p[2][3];
      geom_side(refs[k].primitive, refs[k].side, &s);
      int n = refs[k].group < 0 ? 0 : meet_line(&s, &cuts[c], p);
      for (int i = 0; i < n; i++) {
        int tag;
        if (fabs(geom_level(geom, p[i])) > 1e-9 * size || !on_equalities(cuts, ncuts, p[i], 1e-9 * size)) continue;
        GMSH(tag = gmshModelOccAddPoint(p[i][0], p[i][1], 0, 0, -1, &ierr));
        gmsh_shape_push(tools, 0, tag);
      }
    }
  }
  return 0;
}

/* The line where plane e of the boundary and the plane i that ends it meet. */
static int add_ends_3d(const Frame *f, const GeomCut *cuts, int ncuts, GmshShape *tools) {
  for (int e = 0; e < ncuts; e++)
    for (int i = 0; i < ncuts; i++) {
      if (!cuts[e].equality || cuts[i].equality || cuts[e].radius > 0 || cuts[i].radius > 0) continue;
      const double *m = cuts[e].normal, *n = cuts[i].normal;
      double along[3], c = dot3(m, n), det = 1 - c * c, middle[3];
      if (det < 1e-12) continue;
      cross3(m, n, along);
      double a = cuts[e].offset - dot3(m, f->centre), b = cuts[i].offset - dot3(n, f->centre), s = (a - c * b) / det, t = (b - c * a) / det;
      for (int d = 0; d < 3; d++) middle[d] = f->centre[d] + s * m[d] + t * n[d], along[d] /= sqrt(det);
      double r[3] = {middle[0] - f->centre[0], middle[1] - f->centre[1], middle[2] - f->centre[2]};
      if (dot3(r, r) > f->size * f->size / 4) continue;
      int rc = add_line(middle, along, 0.6 * f->size, tools);
      if (rc) return rc;
    }
  return 0;
}

int gmsh_cut_boundaries(const Geom *geom, GmshShape *shape) {
  Frame frame = frame_of(geom);
  const GeomGroup *groups;
  GmshShape tools = {0};
  int n = geom_groups(geom, &groups), rc = 0;
  for (int i = 0; i < n && !rc; i++) {
    GeomCut cuts[CUTS_MAX];
    int others;
    if (groups[i].is_region || !groups[i].predicate) continue;
    int ncuts = geom_cuts(groups[i].predicate, frame.dim, frame.size, cuts, CUTS_MAX, &others);
    rc = frame.dim == 2 ? add_ends_2d(geom, cuts, ncuts, frame.size, &tools) : add_ends_3d(&frame, cuts, ncuts, &tools);
  }
  if (!rc && tools.n && shape->n) rc = boolean(gmshModelOccFragment, shape, &tools, frame.dim, true);
  gmsh_shape_free(&tools);
  return rc;
}

int gmsh_remove_loose(int dim) {
  for (int d = dim - 1; d >= 0; d--) {
    int *entities = NULL;
    size_t n = 0;
    GMSH(gmshModelGetEntities(&entities, &n, d, &ierr));
    for (size_t i = 0; i + 1 < n; i += 2) {
      int *up = NULL, *down = NULL, ierr = 0;
      size_t nup = 0, ndown = 0;
      gmshModelGetAdjacencies(d, entities[i + 1], &up, &nup, &down, &ndown, &ierr);
      if (!ierr && !nup) gmshModelRemoveEntities(entities + i, 2, 1, &ierr);
      gmshFree(up);
      gmshFree(down);
    }
    gmshFree(entities);
  }
  return 0;
}
