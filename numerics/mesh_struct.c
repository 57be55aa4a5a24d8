/* Structured meshes of intervals, rectangles and boxes. The grid's rectangles and boxes are the cells, or they are cut: rectangles from lower left to upper
 * right, boxes into six tetrahedra round the diagonal from the lowest to the highest corner (Kuhn), so that neighbours fit and refinement of the grid nests. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

/* Corner w of a cube: offsets w & 1, w >> 1 & 1, w >> 2. */
static const int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 1, 7, 5}, {0, 5, 7, 4}, {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 2, 6, 7}};

typedef struct Grid {
  int dim, n[3];               /* boxes of the grid a direction */
  const RefCell *cell;         /* what its boxes are cut into */
  int pieces;                  /* so many of them */
  double lo[3], hi[3];
} Grid;

static void grid_coordinates(const Grid *g, Mesh *mesh) {
  double *line[3];
  for (int d = 0; d < 3; d++) {
    line[d] = BIG_ARRAY(double, g->n[d] + 1);
    /* from both ends, so that the ends and the middle of symmetric domains are exact */
    for (int i = 0; i <= g->n[d]; i++) line[d][i] = g->n[d] ? (g->lo[d] * (g->n[d] - i) + g->hi[d] * i) / g->n[d] : 0;
    if (g->n[d]) line[d][0] = g->lo[d], line[d][g->n[d]] = g->hi[d];
  }
  double *x = mesh->x;
  if (g->dim == 1) memcpy(x, line[0], (size_t)(g->n[0] + 1) * sizeof *x);
  else if (g->dim == 2)
    for (int j = 0; j <= g->n[1]; j++)
      for (int i = 0; i <= g->n[0]; i++, x += 2) x[0] = line[0][i], x[1] = line[1][j];
  else
    for (int k = 0; k <= g->n[2]; k++)
      for (int j = 0; j <= g->n[1]; j++)
        for (int i = 0; i <= g->n[0]; i++, x += 3) x[0] = line[0][i], x[1] = line[1][j], x[2] = line[2][k];
  for (int d = 0; d < 3; d++) free(line[d]);
}

/* The corners of the cells of a box. */
static int box_cells(const Grid *g, int corner[6][CELL_VERTS]) {
  static const int triangles[2][3] = {{0, 1, 3}, {0, 3, 2}};
  bool cut = g->cell->shape == CELL_SIMPLEX && g->dim > 1;
  for (int t = 0; t < g->pieces; t++)
    for (int q = 0; q < g->cell->nverts; q++) corner[t][q] = !cut ? q : g->dim == 2 ? triangles[t][q] : tetrahedra[t][q];
  return g->pieces;
}

static void grid_cells(const Grid *g, int *cell) {
  int row = g->n[0] + 1, layer = row * (g->n[1] + 1), nv = g->cell->nverts, corner[6][CELL_VERTS], offset[6][CELL_VERTS];
  int pieces = box_cells(g, corner), ny = g->dim > 1 ? g->n[1] : 1, nz = g->dim > 2 ? g->n[2] : 1;
  for (int t = 0; t < pieces; t++)
    for (int q = 0; q < nv; q++) offset[t][q] = (corner[t][q] & 1) + (corner[t][q] >> 1 & 1) * row + (corner[t][q] >> 2) * layer;
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < g->n[0]; i++)
        for (int t = 0; t < pieces; t++, cell += nv)
          for (int q = 0; q < nv; q++) cell[q] = i + row * j + layer * k + offset[t][q];
}

/* The local facets that lie on side `side` (2*axis + upper) of a box: cell of the box and local facet. */
static int box_facets(const Grid *g, int side, int out[2][2]) {
  int n = 0, axis = side / 2, upper = side % 2, corner[6][CELL_VERTS], pieces = box_cells(g, corner);
  for (int t = 0; t < pieces; t++)
    for (int f = 0; f < g->cell->nfacets; f++) {
      bool on = true;
      for (int q = 0; q < g->cell->facet_verts; q++) on &= (corner[t][g->cell->facet[f][q]] >> axis & 1) == upper;
      if (on) out[n][0] = t, out[n++][1] = f;
    }
  return n;
}

/* Boundary facets side by side: x_min, x_max, y_min, ... which is also the order of the sides of interval, rectangle and box. */
static int *grid_facets(const Grid *g, Mesh *mesh) {
  int local[2][2], per_side = box_facets(g, 0, local);
  size_t total = 0;
  int n[3] = {g->n[0], g->dim > 1 ? g->n[1] : 1, g->dim > 2 ? g->n[2] : 1};
  for (int d = 0; d < g->dim; d++) total += 2 * (size_t)per_side * n[(d + 1) % 3] * n[(d + 2) % 3];
  mesh_set_facets(mesh, (int)total);
  int *side_of = BIG_ARRAY(int, total), f = 0;
  for (int side = 0; side < 2 * g->dim; side++) {
    int count = box_facets(g, side, local), from[3] = {0}, to[3] = {n[0], n[1], n[2]}, axis = side / 2;
    from[axis] = side % 2 ? n[axis] - 1 : 0;
    to[axis] = from[axis] + 1;
    for (int k = from[2]; k < to[2]; k++)
      for (int j = from[1]; j < to[1]; j++)
        for (int i = from[0]; i < to[0]; i++)
          for (int q = 0; q < count; q++, f++) {
            mesh->facet_cell[f] = (i + n[0] * (j + n[1] * k)) * g->pieces + local[q][0];
            mesh->facet_local[f] = local[q][1];
            side_of[f] = side;
          }
  }
  return side_of;
}

static Status check_cells(const Geom *geom, const MeshOptions *o, Diags *diags, Grid *g) {
  g->dim = geom_dim(geom);
  TRY(geom_check_grid(geom, diags, o->span));
  if (o->ncells_given != g->dim) {
    static const char *const examples[4] = {"", "[32]", "[32, 32]", "[8, 8, 8]"};
    diag_suggest(diag_report(diags, E1004, o->span, "`cells:` has %d number%s, but the domain is %dD", o->ncells_given, o->ncells_given == 1 ? "" : "s", g->dim),
                 "for example cells: %s", examples[g->dim]);
    return 1;
  }
  g->cell = refcell_of(o->shape, g->dim);
  g->pieces = g->cell->shape == CELL_TENSOR || g->dim == 1 ? 1 : g->dim == 2 ? 2 : 6;
  double verts = 1, cells = g->pieces;
  for (int d = 0; d < g->dim; d++) {
    g->n[d] = o->cells[d];
    if (g->n[d] < 1) {
      diag_report(diags, E1004, o->span, "`cells:` has %d in direction %c; it must be 1 or more", g->n[d], 'x' + d);
      return 1;
    }
    verts *= g->n[d] + 1.0;
    cells *= g->n[d];
  }
  geom_bounds(geom, g->lo, g->hi);
  return mesh_limits(g->dim, verts, cells, diags, o->span);
}

Status mesh_structured(const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out) {
  Grid g = {0};
  TRY(check_cells(geom, options, diags, &g));
  size_t verts = 1, cells = (size_t)g.pieces;
  for (int d = 0; d < g.dim; d++) verts *= (size_t)g.n[d] + 1, cells *= (size_t)g.n[d];
  Mesh *mesh = mesh_new(g.cell->shape, g.dim, (int)verts, (int)cells);
  mesh_set_geom(mesh, geom);
  mesh->exact = geom_measure(geom);
  grid_coordinates(&g, mesh);
  grid_cells(&g, mesh->cell);
  for (int d = 0; d < 3; d++) mesh->structured[d] = g.n[d], mesh->lo[d] = g.lo[d], mesh->hi[d] = g.hi[d];
  mesh_sizes(mesh, 0, g.pieces);   /* all boxes are equal */
  int *side = grid_facets(&g, mesh);
  Status status = mesh_name_groups(mesh, geom, side, diags, options->span);
  free(side);
  if (status) {
    mesh_release(mesh);
    return status;
  }
  *out = mesh;
  return 0;
}
