#include "mesh_gmsh_periodic.h"
#include "mesh_gmsh_call.h"

#include <gmshc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"

enum { SAMPLES = 5 };

typedef struct Pieces { int *tag, n; double (*centre)[3]; double mass; } Pieces;      /* curves or faces of one side */

static void pieces_free(Pieces *p) { free(p->tag), free(p->centre); }

/* Does p lie on the boundary of that name, by itself or as a member of a sum? */
static bool on_group(const Geom *geom, Name name, const double *p, int depth) {
  const GeomGroup *groups;
  const GeomSideRef *refs;
  int n = geom_groups(geom, &groups), nrefs = geom_sides(geom, &refs);
  double near = 1e-6 * geom_size(geom);
  for (int g = 0; g < n; g++) {
    if (groups[g].is_region || strcmp(groups[g].name, name)) continue;
    if (groups[g].predicate && geom_predicate(groups[g].predicate, p, near)) return true;
    for (int k = 0; k < nrefs; k++)
      if (refs[k].group == g && geom_side_distance(refs[k].primitive, refs[k].side, p) < near) return true;
    for (int k = 0; k < groups[g].nmembers && depth < 8; k++)
      if (on_group(geom, groups[g].members[k], p, depth + 1)) return true;
  }
  return false;
}

/* Looked at in its inside: ends may belong to neighbours. */
static int lies_on(const Geom *geom, Name name, int dim, int tag, bool *out) {
  double *lo = NULL, *hi = NULL, at[2 * SAMPLES], *x = NULL;
  size_t nlo, nhi, nx;
  GMSH(gmshModelGetParametrizationBounds(dim, tag, &lo, &nlo, &hi, &nhi, &ierr));
  int n = 0;
  for (int i = 0; i < SAMPLES; i++)
    for (int d = 0; d < dim; d++) at[n++] = lo[d] + (hi[d] - lo[d]) * (0.3 + 0.4 * ((i + d * 2) % SAMPLES) / (SAMPLES - 1));
  gmshFree(lo), gmshFree(hi);
  GMSH(gmshModelGetValue(dim, tag, at, (size_t)n, &x, &nx, &ierr));
  *out = true;
  for (size_t i = 0; i + 2 < nx; i += 3) *out = *out && on_group(geom, name, x + i, 0);
  gmshFree(x);
  return 0;
}

static int find_pieces(const Geom *geom, Name name, Pieces *out) {
  int dim = geom_dim(geom) - 1, *entities = NULL, rc = 0;
  size_t n = 0;
  GMSH(gmshModelGetEntities(&entities, &n, dim, &ierr));
  *out = (Pieces){.tag = malloc(sizeof(int) * (n + 1)), .centre = malloc(sizeof *out->centre * (n + 1))};
  for (size_t i = 0; i + 1 < n && !rc; i += 2) {
    bool here = false;
    int ierr = 0;
    double mass = 0, *c = out->centre[out->n];
    rc = lies_on(geom, name, dim, entities[i + 1], &here);
    if (rc || !here) continue;
    gmshModelOccGetCenterOfMass(dim, entities[i + 1], &c[0], &c[1], &c[2], &ierr);
    if (!ierr) gmshModelOccGetMass(dim, entities[i + 1], &mass, &ierr);
    rc = ierr;
    out->mass += mass;
    out->tag[out->n++] = entities[i + 1];
  }
  gmshFree(entities);
  return rc;
}

static void mean_centre(const Pieces *p, double *out) {
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < p->n; i++)
    for (int d = 0; d < 3; d++) out[d] += p->centre[i][d] / p->n;
}

/* Pairs of pieces by the translation between the middles of the sides. */
static int join(const Geom *geom, const Pieces *from, const Pieces *to, bool *fits) {
  double a[3], b[3], map[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, near = 1e-6 * geom_size(geom);
  mean_centre(from, a), mean_centre(to, b);
  for (int d = 0; d < 3; d++) map[4 * d + 3] = b[d] - a[d];
  *fits = from->n && from->n == to->n && fabs(from->mass - to->mass) < 1e-6 * from->mass;
  for (int i = 0; i < to->n && *fits; i++) {
    int found = -1;
    for (int k = 0; k < from->n; k++) {
      double gap = 0;
      for (int d = 0; d < 3; d++) gap = fmax(gap, fabs(from->centre[k][d] + map[4 * d + 3] - to->centre[i][d]));
      if (gap < near) found = k;
    }
    *fits = found >= 0;
    if (*fits) GMSH(gmshModelMeshSetPeriodic(geom_dim(geom) - 1, &to->tag[i], 1, &from->tag[found], 1, map, 16, &ierr));
  }
  return 0;
}

int gmsh_periodic(const Geom *geom, const MeshPeriodic *periodic, int n, int *wrong) {
  for (int i = 0; i < n; i++) {
    Pieces from = {0}, to = {0};
    bool fits = false;
    int rc = find_pieces(geom, periodic[i].from, &from);
    if (!rc) rc = find_pieces(geom, periodic[i].to, &to);
    if (!rc) rc = join(geom, &from, &to, &fits);
    pieces_free(&from), pieces_free(&to);
    if (!rc && !fits) *wrong = i, rc = 1;
    if (rc) return rc;
  }
  return 0;
}
