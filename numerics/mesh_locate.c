/* Point location: a uniform grid of bins, each with one cell near it; from there a walk towards the point across the facet that it lies
 * farthest outside of; where the walk leaves the mesh (a hole, a notch) all cells that meet the bin are tried. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

static const double tolerance = 1e-10;   /* of a coordinate that is zero on a facet: relative to the cell's height */
enum { STEPS_MAX = 100 };

typedef struct Locator {
  int *neighbours;
  int n[3];
  double lo[3], step[3];
  int *start, *cells;      /* cells whose bounding box meets the bin */
} Locator;

void mesh_free_locator(Mesh *mesh) {
  Locator *l = mesh->locator;
  if (!l) return;
  free(l->neighbours);
  free(l->start);
  free(l->cells);
  free(l);
  mesh->locator = NULL;
}

static int bin_of(const Locator *l, int d, double x) {
  double i = floor((x - l->lo[d]) / l->step[d]);
  return i < 0 || isnan(i) ? 0 : i >= l->n[d] ? l->n[d] - 1 : (int)i;
}

/* The box of the vertices and, of a bent simplex, of the control points of its edges (the cell lies in the hull of its Bezier points); that of another
 * bent cell is widened by all its bends. */
static void cell_box(const Mesh *mesh, int cell, double box[2][3]) {
  const RefCell *ref = mesh->ref;
  int dim = mesh->dim, bends = mesh->bend && mesh_is_curved(mesh, cell) ? refcell_bends(ref) : 0;
  double node[CELL_MAP * 3];
  mesh_map_nodes(mesh, cell, node);
  for (int d = 0; d < dim; d++) {
    double wide = 0;
    box[0][d] = INFINITY, box[1][d] = -INFINITY;
    for (int g = 0; g < ref->nverts + bends; g++) {
      double x = node[g * dim + d];
      if (g >= ref->nverts && ref->shape == CELL_TENSOR) {
        wide += fabs(x);
        continue;
      }
      if (g >= ref->nverts) {
        const int *end = ref->edge[g - ref->nverts];
        x = (node[end[0] * dim + d] + node[end[1] * dim + d]) / 2 + 2 * x;
      }
      box[0][d] = fmin(box[0][d], x);
      box[1][d] = fmax(box[1][d], x);
    }
    box[0][d] -= wide, box[1][d] += wide;
  }
}

/* Bins from..to that the cell's box, widened by the tolerance, meets. */
static void cell_bins(const Locator *l, const Mesh *mesh, int cell, int from[3], int to[3]) {
  int dim = mesh->dim;
  double box[2][3];
  for (int d = 0; d < 3; d++) from[d] = to[d] = 0;
  cell_box(mesh, cell, box);
  for (int d = 0; d < dim; d++) {
    double lo = box[0][d], hi = box[1][d];
    double margin = 1e-9 * (hi - lo) + 1e-12 * l->step[d];
    from[d] = bin_of(l, d, lo - margin);
    to[d] = bin_of(l, d, hi + margin);
  }
}

static Locator *build(const Mesh *mesh) {
  Locator *l = big_zeroed(sizeof *l);
  double lo[3] = {0}, hi[3] = {0}, volume = 1;
  l->neighbours = mesh_neighbours(mesh);
  for (int d = 0; d < mesh->dim; d++) {
    lo[d] = INFINITY, hi[d] = -INFINITY;
    for (int i = 0; i < mesh->nverts; i++) {
      double x = mesh->x[(size_t)i * mesh->dim + d];
      lo[d] = fmin(lo[d], x);
      hi[d] = fmax(hi[d], x);
    }
    for (int i = 0; i < mesh->ncurved; i++) {
      double box[2][3];
      cell_box(mesh, mesh->curved[i], box);
      lo[d] = fmin(lo[d], box[0][d]);
      hi[d] = fmax(hi[d], box[1][d]);
    }
    volume *= hi[d] - lo[d];
  }
  /* about as many bins as half the cells, of equal sides */
  double side = pow(volume / fmax(1, mesh->ncells / 2.0), 1.0 / mesh->dim);
  size_t nbins = 1;
  for (int d = 0; d < 3; d++) {
    double extent = d < mesh->dim ? hi[d] - lo[d] : 0;
    l->n[d] = d < mesh->dim ? (int)fmax(1, fmin(20000, ceil(extent / side))) : 1;
    l->lo[d] = lo[d];
    l->step[d] = extent > 0 ? extent / l->n[d] : 1;
    nbins *= (size_t)l->n[d];
  }
  l->start = BIG_ZEROED(int, nbins + 2);
  for (int pass = 0; pass < 2; pass++) {   /* count, then fill */
    for (int c = 0; c < mesh->ncells; c++) {
      int from[3], to[3];
      cell_bins(l, mesh, c, from, to);
      for (int k = from[2]; k <= to[2]; k++)
        for (int j = from[1]; j <= to[1]; j++)
          for (int i = from[0]; i <= to[0]; i++) {
            size_t b = (size_t)i + (size_t)l->n[0] * ((size_t)j + (size_t)l->n[1] * (size_t)k);
            if (pass) l->cells[l->start[b + 1]++] = c;
            else l->start[b + 2]++;
          }
    }
    if (pass) break;
    for (size_t b = 0; b < nbins; b++) l->start[b + 2] += l->start[b + 1];
    l->cells = BIG_ARRAY(int, l->start[nbins + 1] + 1);
  }
  return l;
}

static int walk(const Locator *l, const Mesh *mesh, int cell, const double *p, double *X) {
  int m = mesh->ref->nfacets;
  for (int step = 0; step < STEPS_MAX; step++) {
    if (mesh_unmap(mesh, cell, p, X) >= -tolerance) return cell;
    int across = -1;
    double worst = 0;
    for (int q = 0; q < m; q++) {
      double depth = refcell_facet_depth(mesh->ref, q, X);
      if (depth < worst && l->neighbours[(size_t)cell * m + q] >= 0) worst = depth, across = q;
    }
    if (across < 0) return -1;
    cell = l->neighbours[(size_t)cell * m + across] / m;
  }
  return -1;
}

int mesh_locate(Mesh *mesh, const double *p, double *X) {
  if (!mesh->ncells) return -1;
  if (!mesh->locator) mesh->locator = build(mesh);
  const Locator *l = mesh->locator;
  size_t bin = 0, stride = 1;
  for (int d = 0; d < mesh->dim; d++) {
    double margin = 1e-9 * l->step[d];
    if (!(p[d] >= l->lo[d] - margin && p[d] <= l->lo[d] + l->n[d] * l->step[d] + margin)) return -1;
    bin += stride * (size_t)bin_of(l, d, p[d]);
    stride *= (size_t)l->n[d];
  }
  int n = l->start[bin + 1] - l->start[bin];
  const int *cells = l->cells + l->start[bin];
  if (n > 4) {   /* few cells are tried faster than walked to */
    int found = walk(l, mesh, cells[n / 2], p, X);
    if (found >= 0) return found;
  }
  /* the best of the bin, which holds every cell that contains p */
  int best = -1;
  double most = -INFINITY, trial[3];
  for (int i = 0; i < n; i++) {
    double least = mesh_unmap(mesh, cells[i], p, trial);
    if (least <= most) continue;
    most = least;
    best = cells[i];
    memcpy(X, trial, (size_t)mesh->dim * sizeof *X);
  }
  return most >= -tolerance ? best : -1;
}
