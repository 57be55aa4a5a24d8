#include "geom_sizing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"

enum { SPOTS = 400, SAMPLES = 4096, CUTS_MAX = 16 };
static const double growth = 0.2;   /* beyond its reach a fine size grows by this much a length */

typedef struct Near {
  double h, within;
  int *sides, nsides;           /* refs of whole sides */
  double *spots; int nspots;    /* [nspots][3] points of a boundary that a predicate names */
  const GeomNode *part;
  Expr *region;
  GeomCut cuts[CUTS_MAX]; int ncuts;
} Near;

struct GeomSizing {
  const Geom *geom;
  int dim;
  double h;
  Expr *field;
  Near *near; int nnear;
  double least, most, count;
};

static double near_distance(const GeomSizing *s, const Near *n, const double *p) {
  double best = INFINITY;
  const GeomSideRef *refs;
  geom_sides(s->geom, &refs);
  for (int i = 0; i < n->nsides; i++) best = fmin(best, geom_side_distance(refs[n->sides[i]].primitive, refs[n->sides[i]].side, p));
  for (int i = 0; i < n->nspots; i++) {
    double r2 = 0;
    for (int d = 0; d < s->dim; d++) r2 += (p[d] - n->spots[3 * i + d]) * (p[d] - n->spots[3 * i + d]);
    best = fmin(best, sqrt(r2));
  }
  if (n->part) best = fmin(best, fmax(0, geom_node_level(n->part, p)));
  if (n->region) {
    if (geom_predicate(n->region, p, 0)) return 0;
    for (int i = 0; i < n->ncuts; i++) {
      double r[3] = {0}, q[3] = {0};
      for (int d = 0; d < s->dim; d++) q[d] = p[d], r[d] = p[d] - n->cuts[i].centre[d];
      best = fmin(best, fabs(n->cuts[i].radius > 0 ? sqrt(dot3(r, r)) - n->cuts[i].radius : dot3(n->cuts[i].normal, q) - n->cuts[i].offset));
    }
  }
  return best;
}

double geom_sizing_at(const GeomSizing *s, const double *p) {
  double h = s->h > 0 ? s->h : INFINITY;
  if (s->field) {
    double own = geom_value(s->field, p, s->dim);
    if (!(own > 0)) return NAN;
    h = fmin(h, own);
  }
  for (int i = 0; i < s->nnear; i++) h = fmin(h, s->near[i].h + growth * fmax(0, near_distance(s, &s->near[i], p) - s->near[i].within));
  return h;
}

/* Adds the sides or points of a boundary group, through its members. */
static void add_boundary(GeomSizing *s, Near *n, const GeomGroup *group) {
  const GeomGroup *groups;
  const GeomSideRef *refs;
  int nrefs = geom_sides(s->geom, &refs);
  geom_groups(s->geom, &groups);
  for (int k = 0; k < group->nmembers; k++) {
    const GeomGroup *member = geom_find_kind(s->geom, NULL, group->members[k], group->is_region);
    if (member) add_boundary(s, n, member);
  }
  for (int k = 0; k < nrefs; k++) {
    if (refs[k].group < 0) continue;
    if (group->is_side && refs[k].group == (int)(group - groups)) {
      n->sides = realloc(n->sides, (size_t)(n->nsides + 1) * sizeof *n->sides);
      n->sides[n->nsides++] = k;
    } else if (group->predicate && !group->is_region) {
      GeomSide side;
      geom_side(refs[k].primitive, refs[k].side, &side);
      for (int i = 0; i < SPOTS; i++) {
        double p[3], a = side_dim(&side) == 2 ? (i % 20 + 0.5) / 20 : (i + 0.5) / SPOTS;
        side_point(&side, a, (i / 20 + 0.5) / 20, p);
        if (!geom_predicate(group->predicate, p, 1e-9 * geom_size(s->geom))) continue;
        n->spots = realloc(n->spots, (size_t)(n->nspots + 1) * 3 * sizeof *n->spots);
        memcpy(n->spots + 3 * n->nspots++, p, sizeof p);
      }
    }
  }
}

static Status add_near(GeomSizing *s, const MeshNear *near, Diags *diags, Span span) {
  Near *n = &s->near[s->nnear++];
  *n = (Near){.h = near->h, .within = fmax(0, near->within)};
  if (!(near->h > 0)) {
    diag_report(diags, E1004, span, "the size near `%s` is %g; it must be positive", near->group, near->h);
    return 1;
  }
  if (!strcmp(near->group, "all")) {
    const GeomGroup *groups;
    for (int i = 0, total = geom_groups(s->geom, &groups); i < total; i++)
      if (groups[i].is_side) add_boundary(s, n, &groups[i]);
    return 0;
  }
  const GeomGroup *region = geom_find_kind(s->geom, NULL, near->group, true), *boundary = geom_find_kind(s->geom, NULL, near->group, false);
  n->part = near->is_part || !boundary ? geom_part(s->geom, near->group) : NULL;
  if (n->part) return 0;
  if (boundary) add_boundary(s, n, boundary);
  else if (region && region->predicate) {
    int others;
    n->region = region->predicate;
    n->ncuts = geom_cuts(n->region, s->dim, geom_size(s->geom), n->cuts, CUTS_MAX, &others);
  } else if (!region) {
    diag_report(diags, E1004, span, "`near` names `%s`, which is no boundary, region or part of the geometry", near->group);
    return 1;
  }
  return 0;
}

static double halton(int i, int base) {
  double f = 1, r = 0;
  for (; i > 0; i /= base) r += (f /= base) * (i % base);
  return r;
}

/* Least and greatest size and the number of cells over points of the domain. */
static Status sample(GeomSizing *s, Diags *diags, Span span) {
  double lo[3], hi[3], volume = 1, density = 0;
  geom_bounds(s->geom, lo, hi);
  for (int d = 0; d < s->dim; d++) volume *= hi[d] - lo[d];
  s->least = INFINITY;
  s->most = 0;
  static const int base[3] = {2, 3, 5};
  /* of the volume h^d of a cube: a segment 1, an equilateral triangle 0.43, a tetrahedron of a good mesh about 0.22 */
  double share = s->dim == 1 ? 1 : s->dim == 2 ? 0.43 : 0.22;
  int n = geom_sizing_is_uniform(s) ? 1024 : SAMPLES;
  for (int i = 1; i <= n; i++) {
    double p[3] = {0};
    for (int d = 0; d < s->dim; d++) p[d] = lo[d] + (hi[d] - lo[d]) * halton(i, base[d]);
    if (geom_level(s->geom, p) > 0) continue;
    double h = geom_sizing_at(s, p);
    if (!(h > 0) || isinf(h)) {
      diag_suggest(diag_report(diags, E1004, span, "the mesh size is %g at (%g, %g, %g); it must be positive and finite", s->field ? geom_value(s->field, p, s->dim) : h,
                               p[0], p[1], p[2]), "give h: a field that is positive in the whole domain");
      return 1;
    }
    s->least = fmin(s->least, h);
    s->most = fmax(s->most, h);
    density += 1 / (share * pow(h, s->dim));
  }
  for (int i = 0; i < s->nnear; i++) s->least = fmin(s->least, s->near[i].h);
  if (!(s->most > 0)) s->most = s->least = s->h > 0 ? s->h : geom_size(s->geom) / 10;
  s->count = density / n * volume;
  return 0;
}

GeomSizing *geom_sizing_new(const Geom *geom, const MeshOptions *o, Diags *diags) {
  double size = geom_size(geom);
  if (!o->h_field && !(o->h > 0 && o->h <= size)) {
    Diag *diag = o->h > 0 ? diag_report(diags, E1004, o->span, "the mesh size h is %g, but the domain has a diagonal of %g", o->h, size)
                 : o->h < 0 || isnan(o->h) ? diag_report(diags, E1004, o->span, "the mesh size h is %g; it must be positive", o->h)
                                           : diag_report(diags, E1004, o->span, "the mesh has no size");
    diag_suggest(diag, "for example h: %.2g", size / 20);
    return NULL;
  }
  GeomSizing *s = malloc(sizeof *s);
  *s = (GeomSizing){.geom = geom, .dim = geom_dim(geom), .h = o->h_field ? 0 : o->h, .field = o->h_field, .near = calloc((size_t)o->nnear + 1, sizeof(Near))};
  Status status = 0;
  for (int i = 0; i < o->nnear && !status; i++) status = add_near(s, &o->near[i], diags, o->span);
  if (status || sample(s, diags, o->span)) {
    geom_sizing_free(s);
    return NULL;
  }
  return s;
}

void geom_sizing_free(GeomSizing *s) {
  if (!s) return;
  for (int i = 0; i < s->nnear; i++) {
    free(s->near[i].sides);
    free(s->near[i].spots);
  }
  free(s->near);
  free(s);
}

double geom_sizing_least(const GeomSizing *s) { return s->least; }
double geom_sizing_most(const GeomSizing *s) { return s->most; }
double geom_sizing_count(const GeomSizing *s) { return s->count; }
bool geom_sizing_is_uniform(const GeomSizing *s) { return !s->field && !s->nnear; }
