/* CAD files (STEP, BREP, IGES) filled with cells: solids and faces are the pieces, with the names that the file has for them. */
#include <ctype.h>
#include <gmshc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_gmsh_fill.h"
#include "mesh_gmsh_call.h"

/* Solids that touch get a common border. */
static int conform(int *tags, size_t n) {
  int *out = NULL, **map = NULL, ierr = 0;
  size_t nout = 0, *map_n = NULL, nmap = 0;
  if (n <= 2) return 0;
  gmshModelOccFragment(tags, 2, tags + 2, n - 2, &out, &nout, &map, &map_n, &nmap, -1, 1, 1, &ierr);
  for (size_t k = 0; k < nmap; k++) gmshFree(map[k]);
  gmshFree(map);
  gmshFree(map_n);
  gmshFree(out);
  return ierr;
}

static int load(const char *path, int *dim) {
  int *tags = NULL, ierr = 0;
  size_t n = 0;
  gmshModelOccImportShapes(path, &tags, &n, 1, "", &ierr);
  *dim = !ierr && n ? tags[0] : 0;
  if (!ierr && n) ierr = conform(tags, n);
  if (!ierr) gmshModelOccSynchronize(&ierr);
  gmshFree(tags);
  return ierr;
}

/* What follows the last slash, as a name of the language; NULL for none, and for what Open CASCADE writes where there was none. */
static char *usable(const char *name) {
  const char *last = strrchr(name, '/'), *own = last ? last + 1 : name;
  if (!isalpha((unsigned char)*own) || !strncmp(own, "Open CASCADE", 12)) return NULL;
  char *out = strdup(own);
  for (char *c = out; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
  return out;
}

static int names_of(int dim, char ***out) {
  int *entities = NULL, ierr = 0;
  size_t n = 0;
  gmshModelGetEntities(&entities, &n, dim, &ierr);
  *out = calloc(n / 2 + 1, sizeof **out);
  for (size_t i = 0; i + 1 < n && !ierr; i += 2) {
    char *name = NULL;
    gmshModelGetEntityName(dim, entities[i + 1], &name, &ierr);
    if (!ierr && name) (*out)[i / 2] = usable(name);
    gmshFree(name);
  }
  gmshFree(entities);
  return ierr;
}

/* Open CASCADE's tolerances are absolute: it works in the units of the file, and what comes out is scaled. */
static void scale_cells(GmshCells *cells, int dim, double scale) {
  for (size_t i = 0; i < 3 * (size_t)cells->nnodes; i++) cells->x[i] *= scale;
  for (size_t i = 0; i < 3 * (size_t)cells->nmiddles; i++) cells->middle[i] *= scale;
  for (int i = 0; i < cells->cells.n; i++) cells->cells.measure[i] *= pow(scale, dim);
  for (int i = 0; i < cells->facets.n; i++) cells->facets.measure[i] *= pow(scale, dim - 1);
}

static int work(const char *path, double scale, const MeshOptions *o, GmshCad *out) {
  const struct { const char *name; double value; } options[] = {
    {"Mesh.MeshSizeFromPoints", 0}, {"Mesh.MeshSizeFromCurvature", o->curvature > 0 ? o->curvature : 12}, {"Mesh.ElementOrder", 1}};
  GMSH(gmshModelAdd("pde", &ierr));
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) GMSH(gmshOptionSetNumber(options[i].name, options[i].value, &ierr));
  int rc = load(path, &out->dim);
  if (rc || out->dim < 2) return rc;
  double lo[3], hi[3];
  GMSH(gmshModelGetBoundingBox(-1, -1, &lo[0], &lo[1], &lo[2], &hi[0], &hi[1], &hi[2], &ierr));
  out->is_plane = out->dim == 3 || (fabs(lo[2]) < 1e-6 * (hi[0] - lo[0]) && fabs(hi[2]) < 1e-6 * (hi[0] - lo[0]));
  out->size = scale * sqrt(pow(hi[0] - lo[0], 2) + pow(hi[1] - lo[1], 2) + pow(hi[2] - lo[2], 2));
  double h = o->h > 0 ? o->h : out->size / 20;
  if (!out->is_plane || !(h <= out->size && h > 1e-4 * out->size)) return 0;
  GMSH(gmshOptionSetNumber("Mesh.MeshSizeMax", h / scale, &ierr));
  if ((rc = gmsh_fill(out->dim, false)) || (rc = gmsh_copy_cells(out->dim, CELL_SIMPLEX, o->order > 1, &out->cells))) return rc;
  scale_cells(&out->cells, out->dim, scale);
  for (int i = 0; i < out->cells.cells.n; i++) out->cells.measure += fabs(out->cells.cells.measure[i]);
  if ((rc = names_of(out->dim, &out->names))) return rc;
  return names_of(out->dim - 1, &out->facet_names);
}

Status gmsh_cad(const char *path, double scale, const MeshOptions *options, Diags *diags, GmshCad *out) {
  int ierr = 0;
  char *error = NULL;
  *out = (GmshCad){0};
  gmshInitialize(0, NULL, 0, &ierr);
  gmshOptionSetNumber("General.Terminal", 0, &ierr);
  gmshOptionSetNumber("General.NumThreads", 1, &ierr);
  gmshOptionSetNumber("Mesh.RandomSeed", 1, &ierr);
  gmshOptionSetNumber("General.AbortOnError", 2, &ierr);
  gmshLoggerStart(&ierr);
  int rc = work(path, scale, options, out);
  if (rc) {
    gmshLoggerGetLastError(&error, &ierr);
    diag_suggest(diag_report(diags, E1034, options->span, "%s: %s", path, !ierr && error && *error ? error : "Gmsh can't read it"),
                 "STEP (.step, .stp), BREP (.brep) and IGES (.igs) files are read");
    if (!ierr) gmshFree(error);
  }
  gmshLoggerStop(&ierr);
  gmshFinalize(&ierr);
  return rc != 0;
}
