/* Meshes of a given size: intervals by ourselves, everything else by Gmsh's provider; then numbering, orientation, names. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"
#include "geom_sizing.h"
#include "mesh_build.h"
#include "mesh_gmsh.h"

enum { CUTS_MAX = 32, STEPS = 2000 };

/* --- intervals --- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Ends, points of a polyline and places where regions end, rising. */
static int breakpoints(const Geom *geom, double *out, int max) {
  const GeomNode *root = geom_root(geom);
  const GeomGroup *groups;
  double lo[3], hi[3], size = geom_size(geom);
  int n = 0, ngroups = geom_groups(geom, &groups);
  geom_bounds(geom, lo, hi);
  out[n++] = lo[0];
  if (!strcmp(root->row->name, "polyline"))
    for (int i = 1; i + 1 < root->counts[0] && n < max - 1; i++) out[n++] = root->values[0][i];
  for (int i = 0; i < ngroups; i++) {
    GeomCut cuts[CUTS_MAX];
    int others, ncuts = groups[i].is_region && groups[i].predicate ? geom_cuts(groups[i].predicate, 1, size, cuts, CUTS_MAX, &others) : 0;
    for (int k = 0; k < ncuts; k++)
      for (int s = -1; s <= 1; s += 2) {
        double p = cuts[k].radius > 0 ? cuts[k].centre[0] + s * cuts[k].radius : cuts[k].offset * cuts[k].normal[0];
        if (p > lo[0] + 1e-9 * size && p < hi[0] - 1e-9 * size && n < max - 1) out[n++] = p;
      }
  }
  out[n++] = hi[0];
  qsort(out, (size_t)n, sizeof *out, by_value);
  int kept = 1;
  for (int i = 1; i < n; i++)
    if (out[i] - out[kept - 1] > 1e-9 * size) out[kept++] = out[i];
  out[kept - 1] = hi[0];
  return kept;
}

/* Divides a..b: cells of equal integral of 1/h. x takes the points after a; returns their number. x NULL: the number alone. */
static int divide(const GeomSizing *size, double a, double b, double *x) {
  double sum[STEPS + 1] = {0};
  bool uniform = geom_sizing_is_uniform(size);
  for (int i = 0; i < STEPS; i++) {   /* midpoint rule */
    double p[3] = {a + (b - a) * (i + 0.5) / STEPS};
    sum[i + 1] = sum[i] + (b - a) / STEPS / geom_sizing_at(size, p);
  }
  int n = (int)ceil(sum[STEPS] - 1e-6);
  if (n < 1) n = 1;
  for (int k = 1, i = 0; x && k <= n; k++) {
    double want = sum[STEPS] * k / n;
    while (i < STEPS - 1 && sum[i + 1] < want) i++;
    double s = k == n ? 1 : uniform ? (double)k / n : (i + (want - sum[i]) / (sum[i + 1] - sum[i])) / STEPS;
    x[k - 1] = k == n ? b : a + s * (b - a);
  }
  return n;
}

static Status line_mesh(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out) {
  GeomSizing *size = geom_sizing_new(geom, options, diags);
  if (!size) return 1;
  Status status = mesh_limits(1, geom_sizing_count(size), geom_sizing_count(size), diags, options->span);
  if (!status) {
    int most = geom_root(geom)->counts[0] + 2 * CUTS_MAX * 8 + 2, total = 0;
    double *at = BIG_ARRAY(double, most);
    int n = breakpoints(geom, at, most);
    for (int i = 0; i + 1 < n; i++) total += divide(size, at[i], at[i + 1], NULL);
    *out = mesh_new(CELL_SIMPLEX, 1, total + 1, total);
    double *x = (*out)->x;
    *x++ = at[0];
    for (int i = 0; i + 1 < n; i++) x += divide(size, at[i], at[i + 1], x);
    for (int c = 0; c < total; c++) (*out)->cell[2 * (size_t)c] = c, (*out)->cell[2 * (size_t)c + 1] = c + 1;
    free(at);
  }
  geom_sizing_free(size);
  return status;
}

static void mesh_add_boundary(Mesh *mesh) {
  int *neighbours = mesh_neighbours(mesh);
  mesh_boundary(mesh, neighbours);
  free(neighbours);
}

/* --- Gmsh --- */

static const GmshApi *provider(const MeshOptions *options, Diags *diags) {
  Buf why = {0};
  const GmshApi *api = mesh_provider(&why);
  if (!api) {
    Diag *diag = diag_report(diags, E1006, options->span, "this shape is meshed by Gmsh, which is not there");
    diag_note(diag, (Span){0, 0}, "%s", buf_str(&why));
    diag_suggest(diag, "install it (on Debian: apt-get install libgmsh4.8) with a pde that was built with it; rectangles, boxes and intervals take cells: and "
                       "need no Gmsh, and import_mesh reads .msh files without it");
  }
  buf_free(&why);
  return api;
}

/* The generator's cells as a mesh with its boundary, and where they came from. */
static Status gmsh_mesh(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out, GmshCells *cells, MeshTrace *trace) {
  GeomSizing *size = geom_sizing_new(geom, options, diags);   /* reports before a library is loaded for nothing */
  if (!size) return 1;
  double count = geom_sizing_count(size);
  geom_sizing_free(size);
  int dim = geom_dim(geom);
  TRY(mesh_limits(dim, dim == 2 ? count / 2 : count / 5, count, diags, options->span));
  if (dim == 3 && options->shape == CELL_TENSOR) {
    diag_suggest(diag_report(diags, E1060, options->span, "hexahedra fill boxes alone, as grids"), "write cells: [8, 8, 8], or leave `kind:` out: tetrahedra fill every shape");
    return 1;
  }
  const GmshApi *api = provider(options, diags);
  if (!api) return 1;
  TRY(api->cells(geom, options, diags, cells));
  Mesh *mesh = *out = mesh_new(options->shape, dim, cells->nnodes, cells->cells.count);
  for (int i = 0; i < cells->nnodes; i++)
    for (int d = 0; d < dim; d++) mesh->x[(size_t)i * dim + d] = cells->x[3 * (size_t)i + d];
  size_t width = (size_t)cells->cells.width;
  for (size_t i = 0; i < (size_t)mesh->ncells * width; i++) mesh->cell[i] = cells->cells.nodes[options->shape == CELL_TENSOR ? i ^ (i >> 1 & 1) : i];
  int turned, bad = mesh_orient(mesh, &turned), *old_vertex, *old_cell;
  if (bad >= 0) {
    diag_suggest(diag_report(diags, E1007, options->span, "Gmsh made a cell without volume (cell %d of %d)", bad, mesh->ncells), "try another h");
    return 1;
  }
  mesh_reorder(mesh, &old_vertex, &old_cell);
  mesh_add_boundary(mesh);
  *trace = mesh_trace(mesh, cells, old_vertex, old_cell);
  free(old_vertex);
  free(old_cell);
  return 0;
}

static bool is_curved(const Geom *geom) {
  const GeomSideRef *refs;
  for (int k = 0, n = geom_sides(geom, &refs); k < n; k++) {
    GeomSide side;
    geom_side(refs[k].primitive, refs[k].side, &side);
    if (refs[k].group >= 0 && side_is_curved(&side)) return true;
  }
  return false;
}

/* Chords of curved sides cut off or add something: a sphere in twelve segments a turn a tenth. More is no discretisation error. */
static Status check_measure(const Mesh *mesh, const Geom *geom, double exact, Diags *diags, Span span) {
  double sum = 0, allowed = is_curved(geom) ? 0.2 : 1e-6;
  for (int c = 0; c < mesh->ncells; c++) sum += mesh_cell_measure(mesh, c);
  if (!(exact > 0) || fabs(sum - exact) <= allowed * exact) return 0;
  diag_suggest(diag_report(diags, E1008, span, "the mesh has %s %.6g, its geometry %.6g", mesh->dim == 2 ? "area" : mesh->dim == 3 ? "volume" : "length", sum, exact),
               "take a smaller h, so that curved sides and details are resolved");
  return 1;
}

/* *flat: how many cells had to stay straight at a curved side. */
static Status generate(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out, int *flat) {
  Mesh *mesh = NULL;
  GmshCells cells = {0};
  MeshTrace trace = {0};
  double exact = geom_measure(geom);
  bool is_line = geom_dim(geom) == 1;
  Status status = is_line ? line_mesh(geom, options, diags, &mesh) : gmsh_mesh(geom, options, diags, &mesh, &cells, &trace);
  if (!status) {
    mesh_set_geom(mesh, geom);
    mesh_bounds(mesh);
    mesh_sizes(mesh, 0, mesh->ncells);
    mesh->exact = isnan(exact) && !is_line ? cells.measure : exact;
    mesh_bend(mesh, (MeshBends){0});      /* a quadrilateral that is no parallelogram has its area by quadrature */
    status = check_measure(mesh, geom, mesh->exact, diags, options->span);
  }
  if (!status) {
    if (is_line) mesh_add_boundary(mesh);
    mesh->order = options->order;
    status = mesh_name_groups(mesh, geom, NULL, diags, options->span);
  }
  if (!status) {
    bool tensor = options->shape == CELL_TENSOR;
    *flat = mesh_bend(mesh, (MeshBends){.edge = mesh->order > 1 || tensor ? mesh_edge_bends(mesh) : NULL});
    if (mesh->order == 1 && tensor) mesh_bend(mesh, (MeshBends){0});      /* straight after all: it was a question */
    if (mesh->ncurved) mesh_group_measures(mesh);
  }
  if (!status && !is_line) mesh_trace_measures(mesh, &trace);
  mesh_trace_free(&trace);
  gmsh_cells_free(&cells);
  if (status) {
    mesh_release(mesh);
    return 1;
  }
  *out = mesh;
  return 0;
}

/* Two triangles that are joined may each have an edge on one curve: then the quadrilateral has an angle of nearly 180 degrees there, and of 180 once it is
 * curved. Thirds of triangles have one edge on a curve. */
Status mesh_generate(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out) {
  int flat = 0, other_flat = 0;
  TRY(generate(geom, options, diags, out, &flat));
  if (flat && options->shape == CELL_TENSOR && !options->thirds) {
    MeshOptions thirds = *options;
    Diags quiet = {.sources = diags->sources};
    Mesh *other = NULL;
    thirds.thirds = true;
    if (!generate(geom, &thirds, &quiet, &other, &other_flat) && other_flat < flat) {
      mesh_release(*out);
      *out = other;
    } else mesh_release(other);
    diags_free(&quiet);
  }
  if (geom_dim(geom) > 1) mesh_check_quality(*out, diags, options->span);
  return 0;
}
