/* The provider gmsh.so. Gmsh is one to a process: each call opens it, works and closes it. */
#include "mesh_gmsh.h"
#include "mesh_gmsh_call.h"

#include <gmshc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"
#include "geom_sizing.h"
#include "mesh_gmsh_fill.h"
#include "mesh_gmsh_periodic.h"
#include "mesh_gmsh_shape.h"

/* HXT is two to eight times as fast as the older Delaunay algorithm, but orders vertices by their addresses: it need not give the same mesh
 * twice. It is taken where that saves more than a second, and where one size holds everywhere: it takes its sizes from the surface. */
enum { ALGORITHM_MESHADAPT = 1, ALGORITHM_DELAUNAY = 5, ALGORITHM_FRONTAL = 6, ALGORITHM_DELAUNAY_3D = 1, ALGORITHM_FRONTAL_3D = 4, ALGORITHM_HXT = 10 };
enum { SEGMENTS_A_TURN = 12, LARGE = 60000, RECOMBINE_FULL_QUAD = 3 /* blossom */, ALL_QUADRILATERALS = 1 };
#define EQUILATERAL 0.1179   /* volume of a regular tetrahedron of edge 1, 1/(6 sqrt(2)) */

static double size_callback(int dim, int tag, double x, double y, double z, void *user) {
  (void)dim;
  (void)tag;
  double p[3] = {x, y, z}, h = geom_sizing_at(user, p);
  return h > 0 ? h : geom_sizing_least(user);
}

static bool has_wing(const Geom *geom) {
  const GeomSideRef *refs;
  for (int i = 0, n = geom_sides(geom, &refs); i < n; i++)
    if (refs[i].primitive->row->ops->sweep == SWEEP_LOFT) return true;
  return false;
}

/* The nose of a wing is so sharp that cells of its curvature, which Gmsh makes on the surface alone, give slivers beside it: there sizes are the script's. */
static double segments_a_turn(const Geom *geom, const MeshOptions *options) {
  return options->curvature > 0 ? options->curvature : has_wing(geom) ? 0 : SEGMENTS_A_TURN;
}

static int set_options(const Geom *geom, const MeshOptions *asked, const GeomSizing *size) {
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
    {"Mesh.MeshSizeFromCurvature", segments_a_turn(geom, asked)},
    {"Mesh.MeshSizeExtendFromBoundary", uniform},
    {"Mesh.ElementOrder", 1},
    {"Mesh.SaveAll", 1},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) GMSH(gmshOptionSetNumber(options[i].name, options[i].value, &ierr));
  if (asked->shape == CELL_TENSOR && !asked->thirds) {      /* half as fine, triangles joined, then each cell cut into quadrilaterals: none is left over */
    GMSH(gmshOptionSetNumber("Mesh.RecombineAll", 1, &ierr));
    GMSH(gmshOptionSetNumber("Mesh.RecombinationAlgorithm", RECOMBINE_FULL_QUAD, &ierr));
  }
  if (asked->shape == CELL_TENSOR && asked->thirds) {
    GMSH(gmshOptionSetNumber("Mesh.SubdivisionAlgorithm", ALL_QUADRILATERALS, &ierr));
    GMSH(gmshOptionSetNumber("Mesh.MeshSizeFactor", 2, &ierr));
  }
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

/* Elements of the pieces of dimension dim, by tags of nodes. */
static int copy_pieces(int dim, CellShape shape, GmshPieces *out) {
  static const int types[2][4] = {{15, 1, 2, 4}, {15, 1, 3, 5}}, widths[2][4] = {{1, 2, 3, 4}, {1, 2, 4, 8}};
  int *entities = NULL, ierr = 0;
  size_t n = 0, width = (size_t)(out->width = widths[shape][dim]);
  gmshModelGetEntities(&entities, &n, dim, &ierr);
  out->measure = malloc((n + 1) * sizeof *out->measure);
  for (size_t i = 0; i + 1 < n && !ierr; i += 2) {
    size_t *tags = NULL, ntags = 0, *nodes = NULL, nnodes = 0;
    gmshModelMeshGetElementsByType(types[shape][dim], &tags, &ntags, &nodes, &nnodes, entities[i + 1], 0, 1, &ierr);
    if (!ierr) gmshModelOccGetMass(dim, entities[i + 1], &out->measure[out->n], &ierr);
    if (!ierr) {
      out->nodes = realloc(out->nodes, ((size_t)out->count * width + nnodes + 1) * sizeof *out->nodes);
      out->piece = realloc(out->piece, ((size_t)out->count + ntags + 1) * sizeof *out->piece);
      for (size_t k = 0; k < nnodes; k++) out->nodes[(size_t)out->count * width + k] = (int)nodes[k];
      for (size_t k = 0; k < ntags; k++) out->piece[out->count + (int)k] = out->n;
      out->count += (int)ntags;
      out->n++;
    }
    gmshFree(tags);
    gmshFree(nodes);
  }
  gmshFree(entities);
  return ierr;
}

/* The point of the shape's entity next to the middle of each edge of its elements. x: places by number, number: of a node by its tag. */
static int entity_middles(int dim, int tag, const int *number, const double *x, GmshCells *out) {
  static const int type[3] = {0, 1, 2}, edge[3][2] = {{0, 1}, {1, 2}, {2, 0}};
  size_t *tags = NULL, ntags = 0, *nodes = NULL, nnodes = 0, width = (size_t)dim + 1, edges = dim == 2 ? 3 : 1, n = 0, np = 0, nq = 0;
  int ierr = 0, first = out->nmiddles;
  gmshModelMeshGetElementsByType(type[dim], &tags, &ntags, &nodes, &nnodes, tag, 0, 1, &ierr);
  if (ierr || !ntags) return ierr;
  size_t most = (size_t)first + edges * ntags;
  out->ends = realloc(out->ends, 2 * most * sizeof *out->ends);
  out->middle = realloc(out->middle, 3 * most * sizeof *out->middle);
  double *from = malloc(3 * edges * ntags * sizeof *from), *on = NULL, *parameters = NULL;
  for (size_t f = 0; f < ntags; f++)
    for (size_t k = 0; k < edges; k++) {
      int a = number[nodes[f * width + (size_t)edge[k][0]]], b = number[nodes[f * width + (size_t)edge[k][1]]];
      if (a < 0 || b < 0) continue;
      for (int d = 0; d < 3; d++) from[3 * n + (size_t)d] = (x[3 * a + d] + x[3 * b + d]) / 2;
      out->ends[2 * out->nmiddles] = a, out->ends[2 * out->nmiddles++ + 1] = b, n++;
    }
  gmshModelGetClosestPoint(dim, tag, from, 3 * n, &on, &np, &parameters, &nq, &ierr);
  if (!ierr && np == 3 * n) memcpy(out->middle + 3 * first, on, np * sizeof *on);
  else out->nmiddles = first;
  free(from);
  gmshFree(tags), gmshFree(nodes), gmshFree(on), gmshFree(parameters);
  return ierr;
}

/* Surfaces first, then curves, whose middles count where both have one. */
static int copy_middles(int dim, const int *number, GmshCells *out) {
  int rc = 0;
  for (int d = dim - 1; d > 0 && !rc; d--) {
    int *entities = NULL;
    size_t n = 0;
    gmshModelGetEntities(&entities, &n, d, &rc);
    for (size_t i = 0; i + 1 < n && !rc; i += 2) rc = entity_middles(d, entities[i + 1], number, out->x, out);
    gmshFree(entities);
  }
  return rc;
}

/* Node tags have gaps, and nodes that no cell uses may be there. */
int gmsh_copy_cells(int dim, CellShape shape, bool middles, GmshCells *out) {
  size_t *tags = NULL, ntags = 0, nx = 0, nu = 0;
  double *x = NULL, *u = NULL;
  int ierr = copy_pieces(dim, shape, &out->cells);
  if (!ierr) ierr = copy_pieces(dim - 1, shape, &out->facets);
  if (!ierr) gmshModelMeshGetNodes(&tags, &ntags, &x, &nx, &u, &nu, -1, -1, 0, 0, &ierr);
  if (!ierr) {
    size_t most = 0, ncell = (size_t)out->cells.count * (size_t)out->cells.width, nfacet = (size_t)out->facets.count * (size_t)out->facets.width;
    for (size_t i = 0; i < ntags; i++)
      if (tags[i] > most) most = tags[i];
    int *number = malloc((most + 1) * sizeof *number), used = 0;
    for (size_t i = 0; i <= most; i++) number[i] = -1;
    for (size_t i = 0; i < ncell; i++) number[out->cells.nodes[i]] = 0;
    out->x = malloc((ntags + 1) * 3 * sizeof *out->x);
    for (size_t i = 0; i < ntags; i++) {
      if (number[tags[i]]) continue;
      memcpy(out->x + 3 * (size_t)used, x + 3 * i, 3 * sizeof *x);
      number[tags[i]] = used++;
    }
    for (size_t i = 0; i < ncell; i++) out->cells.nodes[i] = number[out->cells.nodes[i]];
    for (size_t i = 0; i < nfacet; i++) out->facets.nodes[i] = number[out->facets.nodes[i]];
    out->nnodes = used;
    if (middles) ierr = copy_middles(dim, number, out);
    free(number);
  }
  gmshFree(tags);
  gmshFree(x);
  gmshFree(u);
  return ierr;
}

/* One algorithm gives up where another may not. */
int gmsh_fill(int dim, bool fast) {
  const struct { int surface, volume; } more[] = {
    {ALGORITHM_FRONTAL, fast ? ALGORITHM_DELAUNAY_3D : ALGORITHM_HXT}, {ALGORITHM_DELAUNAY, ALGORITHM_DELAUNAY_3D}, {ALGORITHM_MESHADAPT, ALGORITHM_FRONTAL_3D}};
  int failed = 0;
  gmshModelMeshGenerate(dim, &failed);
  for (size_t i = dim == 3 ? 0 : 1; failed && i < sizeof more / sizeof *more; i++) {
    GMSH(gmshOptionSetNumber("Mesh.Algorithm", more[i].surface, &ierr));
    GMSH(gmshOptionSetNumber("Mesh.Algorithm3D", more[i].volume, &ierr));
    GMSH(gmshModelMeshClear(NULL, 0, &ierr));
    failed = 0;
    gmshModelMeshGenerate(dim, &failed);
  }
  return failed;
}

/* Triangles that recombination left would be lost without a word. */
static int only_quadrilaterals(void) {
  size_t *tags = NULL, n = 0, *nodes = NULL, nnodes = 0;
  int ierr = 0;
  gmshModelMeshGetElementsByType(2, &tags, &n, &nodes, &nnodes, -1, 0, 1, &ierr);
  gmshFree(tags);
  gmshFree(nodes);
  return ierr ? ierr : n > 0;
}

static int work(const Geom *geom, const MeshOptions *options, const GeomSizing *size, GmshShape *shape, GmshCells *out, int *wrong) {
  int dim = geom_dim(geom), rc;
  GMSH(gmshModelAdd("pde", &ierr));
  if ((rc = set_options(geom, options, size)) || (rc = gmsh_shape(geom, shape))) return rc;
  GMSH(gmshModelOccSynchronize(&ierr));
  if (!shape->n) return 0;
  if ((rc = gmsh_cut_boundaries(geom, shape))) return rc;
  GMSH(gmshModelOccSynchronize(&ierr));
  if ((rc = gmsh_remove_loose(dim)) || (rc = measure(shape, &out->measure))) return rc;
  bool large = out->measure > LARGE * EQUILATERAL * pow(geom_sizing_most(size), 3);
  bool fast = dim == 3 && geom_sizing_is_uniform(size) && (large || has_wing(geom));   /* in the wedge behind a wing Delaunay leaves flat cells */
  if (fast) GMSH(gmshOptionSetNumber("Mesh.Algorithm3D", ALGORITHM_HXT, &ierr));
  if ((rc = gmsh_periodic(geom, options->periodic, options->nperiodic, wrong))) return rc;
  if ((rc = gmsh_fill(dim, fast))) return rc;
  if ((rc = options->shape == CELL_TENSOR ? only_quadrilaterals() : 0)) return rc;
  return gmsh_copy_cells(dim, options->shape, false, out);
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
  int wrong = -1, rc = work(geom, options, size, &shape, out, &wrong);
  if (rc && wrong >= 0) {
    const MeshPeriodic *periodic = &options->periodic[wrong];
    diag_suggest(diag_report(diags, E2520, periodic->span, "`%s` and `%s` are no images of each other under a translation", periodic->from, periodic->to),
                 "the mesh joins straight and equal sides; for others leave `periodic:` out, with a uniform h their nodes may fit by themselves");
  } else if (rc) report(diags, options);
  else if (!shape.n) {
    diag_suggest(diag_report(diags, E1009, options->span, "nothing is left of the shape: it has no %s", geom_dim(geom) == 2 ? "area" : "volume"),
                 "look at the places and sizes of what is combined by - and &");
    rc = 1;
  }
  gmshLoggerStop(&ierr);
  gmshFinalize(&ierr);
  gmsh_shape_free(&shape);
  geom_sizing_free(size);
  if (rc) gmsh_cells_free(out);
  return rc != 0;
}

static void version(Buf *out) { buf_printf(out, "Gmsh %s", GMSH_API_VERSION); }

static const GmshApi api = {GMSH_ABI, cells, gmsh_cad, version};

__attribute__((visibility("default"))) const void *pde_provider(int abi) { return abi == GMSH_ABI ? &api : NULL; }
