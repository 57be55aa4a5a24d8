/* The provider gmsh.so. Gmsh is one to a process: each call opens it, works and closes it. */
#include "mesh_gmsh.h"

#include <gmshc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom_sizing.h"
#include "mesh_gmsh_shape.h"

#define GMSH(call)          \
  do {                      \
    int ierr = 0;           \
    call;                   \
    if (ierr) return ierr;  \
  } while (0)

/* HXT is two to eight times as fast as the older Delaunay algorithm, but orders vertices by their addresses: it need not give the same mesh
 * twice. It is taken where that saves more than a second, and where one size holds everywhere: it takes its sizes from the surface. */
enum { ALGORITHM_FRONTAL = 6, ALGORITHM_DELAUNAY_3D = 1, ALGORITHM_HXT = 10, SEGMENTS_A_TURN = 12, LARGE = 60000 };
#define EQUILATERAL 0.1179   /* volume of a regular tetrahedron of edge 1, 1/(6 sqrt(2)) */

static double size_callback(int dim, int tag, double x, double y, double z, void *user) {
  (void)dim;
  (void)tag;
  double p[3] = {x, y, z}, h = geom_sizing_at(user, p);
  return h > 0 ? h : geom_sizing_least(user);
}

static int set_options(const GeomSizing *size, int dim) {
  bool uniform = geom_sizing_is_uniform(size);
  const struct { const char *name; double value; } options[] = {
    {"General.Terminal", 0},
    {"General.NumThreads", 1},
    {"General.AbortOnError", 2},
    {"Mesh.RandomSeed", 1},
    {"Mesh.MaxNumThreads1D", 1}, {"Mesh.MaxNumThreads2D", 1}, {"Mesh.MaxNumThreads3D", 1},
    {"Mesh.Algorithm", ALGORITHM_FRONTAL},
    {"Mesh.Algorithm3D", ALGORITHM_DELAUNAY_3D},
    {"Mesh.MeshSizeMax", geom_sizing_most(size)},
    {"Mesh.MeshSizeMin", 0},
    {"Mesh.MeshSizeFromPoints", 0},
    {"Mesh.MeshSizeFromCurvature", SEGMENTS_A_TURN},
    {"Mesh.MeshSizeExtendFromBoundary", uniform},
    {"Mesh.ElementOrder", 1},
    {"Mesh.SaveAll", 1},
  };
  (void)dim;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) GMSH(gmshOptionSetNumber(options[i].name, options[i].value, &ierr));
  if (!uniform) GMSH(gmshModelMeshSetSizeCallback(size_callback, (void *)size, &ierr));
  return 0;
}

static int measure(const GmshShape *shape, double *out) {
  *out = 0;
  for (size_t i = 0; i < shape->n; i++) {
    double mass;
    GMSH(gmshModelOccGetMass(shape->tags[2 * i], shape->tags[2 * i + 1], &mass, &ierr));
    *out += fabs(mass);
  }
  return 0;
}

/* Node tags have gaps, and nodes that no cell uses may be there. */
static int copy_cells(int dim, GmshCells *out) {
  size_t *tags = NULL, ntags = 0, *elements = NULL, nelements = 0, *nodes = NULL, nnodes = 0, nx = 0, nu = 0;
  double *x = NULL, *u = NULL;
  int ierr = 0;
  gmshModelMeshGetElementsByType(dim == 2 ? 2 : 4, &elements, &nelements, &nodes, &nnodes, -1, 0, 1, &ierr);
  if (!ierr) gmshModelMeshGetNodes(&tags, &ntags, &x, &nx, &u, &nu, -1, -1, 0, 0, &ierr);
  if (!ierr) {
    size_t most = 0;
    for (size_t i = 0; i < ntags; i++)
      if (tags[i] > most) most = tags[i];
    int *number = malloc((most + 1) * sizeof *number), used = 0;
    for (size_t i = 0; i <= most; i++) number[i] = -1;
    for (size_t i = 0; i < nnodes; i++) number[nodes[i]] = 0;
    out->x = malloc((ntags + 1) * 3 * sizeof *out->x);
    for (size_t i = 0; i < ntags; i++) {
      if (number[tags[i]]) continue;
      memcpy(out->x + 3 * (size_t)used, x + 3 * i, 3 * sizeof *x);
      number[tags[i]] = used++;
    }
    out->cell = malloc((nnodes + 1) * sizeof *out->cell);
    for (size_t i = 0; i < nnodes; i++) out->cell[i] = number[nodes[i]];
    out->nnodes = used;
    out->ncells = (int)nelements;
    free(number);
  }
  gmshFree(tags);
  gmshFree(elements);
  gmshFree(nodes);
  gmshFree(x);
  gmshFree(u);
  return ierr;
}

static int work(const Geom *geom, const GeomSizing *size, GmshShape *shape, GmshCells *out) {
  int dim = geom_dim(geom), rc;
  GMSH(gmshModelAdd("pde", &ierr));
  if ((rc = set_options(size, dim)) || (rc = gmsh_shape(geom, shape))) return rc;
  GMSH(gmshModelOccSynchronize(&ierr));
  if (!shape->n) return 0;
  if ((rc = gmsh_cut_boundaries(geom, shape))) return rc;
  GMSH(gmshModelOccSynchronize(&ierr));
  if ((rc = gmsh_remove_loose(dim)) || (rc = measure(shape, &out->measure))) return rc;
  bool fast = dim == 3 && geom_sizing_is_uniform(size) && out->measure > LARGE * EQUILATERAL * pow(geom_sizing_most(size), 3);
  if (fast) GMSH(gmshOptionSetNumber("Mesh.Algorithm3D", ALGORITHM_HXT, &ierr));
  int failed = 0;
  gmshModelMeshGenerate(dim, &failed);
  if (failed && dim == 3) {   /* one algorithm gives up where the other may not */
    GMSH(gmshOptionSetNumber("Mesh.Algorithm3D", fast ? ALGORITHM_DELAUNAY_3D : ALGORITHM_HXT, &ierr));
    GMSH(gmshModelMeshClear(NULL, 0, &ierr));
    GMSH(gmshModelMeshGenerate(dim, &ierr));
  } else if (failed) {
    return failed;
  }
  return copy_cells(dim, out);
}

static void report(Diags *diags, const MeshOptions *options) {
  char *error = NULL;
  int ierr = 0;
  gmshLoggerGetLastError(&error, &ierr);
  diag_suggest(diag_report(diags, E1007, options->span, "Gmsh could not mesh the shape: %s", !ierr && error && *error ? error : "it does not say why"),
               "try a smaller h; look for sides that nearly touch");
  if (!ierr && error) gmshFree(error);
}

static Status cells(const Geom *geom, const MeshOptions *options, Diags *diags, GmshCells *out) {
  GeomSizing *size = geom_sizing_new(geom, options, diags);
  GmshShape shape = {0};
  int ierr = 0;
  *out = (GmshCells){0};
  if (!size) return 1;
  gmshInitialize(0, NULL, 0, &ierr);
  gmshOptionSetNumber("General.Terminal", 0, &ierr);
  gmshLoggerStart(&ierr);
  int rc = work(geom, size, &shape, out);
  if (rc) report(diags, options);
  else if (!shape.n) {
    diag_suggest(diag_report(diags, E1009, options->span, "nothing is left of the shape: it has no %s", geom_dim(geom) == 2 ? "area" : "volume"),
                 "look at the places and sizes of what is combined by - and &");
    rc = 1;
  }
  gmshLoggerStop(&ierr);
  gmshFinalize(&ierr);
  gmsh_shape_free(&shape);
  geom_sizing_free(size);
  if (rc) {
    free(out->x);
    free(out->cell);
    *out = (GmshCells){0};
  }
  return rc != 0;
}

static void version(Buf *out) { buf_printf(out, "Gmsh %s", GMSH_API_VERSION); }

static const GmshApi api = {GMSH_ABI, cells, version};

__attribute__((visibility("default"))) const void *pde_provider(int abi) { return abi == GMSH_ABI ? &api : NULL; }
