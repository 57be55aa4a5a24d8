/* What a mesh is like, in lines: counts, edges, quality, and every boundary and region against the geometry. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

enum { BINS = 10, BAR = 30 };

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const char *quality_name(const Mesh *mesh) {
  return mesh->ref->shape == CELL_SIMPLEX ? "radius ratio" : mesh->dim == 2 ? "least sine at a corner" : "least solid sine at a corner";
}

/* Thin cells cost digits and iterations: told with their number and the place of the worst. */
void mesh_check_quality(const Mesh *mesh, Diags *diags, Span span) {
  double limit = mesh->dim == 2 ? 0.05 : 0.02, mid[3] = {0};
  if (mesh->dim == 1 || mesh->quality >= limit) return;
  int thin = 0, worst = 0, m = mesh->ref->nverts;
  for (int c = 0; c < mesh->ncells; c++) {
    thin += mesh_cell_quality(mesh, c) < limit;
    if (mesh_cell_quality(mesh, c) < mesh_cell_quality(mesh, worst)) worst = c;
  }
  for (int k = 0; k < m; k++)
    for (int d = 0; d < mesh->dim; d++) mid[d] += mesh->x[(size_t)mesh->cell[(size_t)worst * m + k] * mesh->dim + d] / m;
  diag_suggest(diag_report(diags, W1010, span, "%d cell%s of %d %s nearly flat (%s below %g), the worst (%.2g) at (%g, %g, %g)", thin, thin == 1 ? "" : "s",
                           mesh->ncells, thin == 1 ? "is" : "are", quality_name(mesh), limit, mesh->quality, mid[0], mid[1], mid[2]),
               mesh->geom ? "take a smaller h there: size: near(...), or look for sides that nearly touch" : "look at the mesh there, and make it finer or smoother before it is written");
}

static void print_edges(const Mesh *mesh, Buf *out) {
  double least = INFINITY, most = 0;
  for (int c = 0; c < mesh->ncells; c++)
    for (int k = 0; k < mesh->ref->nedges; k++) {
      double s = 0;
      const int *v = mesh->cell + (size_t)c * mesh->ref->nverts, *e = mesh->ref->edge[k];
      for (int d = 0; d < mesh->dim; d++) {
        double r = mesh->x[(size_t)v[e[1]] * mesh->dim + d] - mesh->x[(size_t)v[e[0]] * mesh->dim + d];
        s += r * r;
      }
      least = fmin(least, s), most = fmax(most, s);
    }
  buf_printf(out, "  edges     %.4g to %.4g\n", sqrt(least), sqrt(most));
}

/* Quartiles, and a bar for each tenth. */
static void print_quality(const Mesh *mesh, Buf *out) {
  double *q = BIG_ARRAY(double, mesh->ncells);
  int bins[BINS] = {0}, most = 1;
  for (int c = 0; c < mesh->ncells; c++) {
    q[c] = mesh_cell_quality(mesh, c);
    int bin = (int)(q[c] * BINS);
    bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
  }
  qsort(q, (size_t)mesh->ncells, sizeof *q, rising);
  int n = mesh->ncells - 1;
  buf_printf(out, "  quality   worst %.3f, quartiles %.3f %.3f %.3f (%s; 1: %s)\n", q[0], q[n / 4], q[n / 2], q[(int)(0.75 * n)], quality_name(mesh),
             mesh->ref->shape == CELL_SIMPLEX ? "regular" : mesh->dim == 2 ? "rectangle" : "brick");
  for (int k = 0; k < BINS; k++)
    if (bins[k] > most) most = bins[k];
  for (int k = 0; k < BINS; k++) {
    if (!bins[k]) continue;
    buf_printf(out, "    %.1f..%.1f %8d ", k / 10.0, (k + 1) / 10.0, bins[k]);
    for (int i = 0; i < 1 + (int)((double)BAR * bins[k] / most); i++) buf_puts(out, "#");
    buf_puts(out, "\n");
  }
  free(q);
}

static void print_measure(const char *what, double measure, double exact, Buf *out) {
  buf_printf(out, "%s %.8g", what, measure);
  if (isnan(exact)) return;
  double off = measure - exact;
  if (fabs(off) <= 1e-9 * fabs(exact)) buf_puts(out, ", that of the geometry");
  else buf_printf(out, ", of the geometry %.8g (%+.3g%%)", exact, 100 * off / exact);
}

void mesh_info(const Mesh *mesh, Buf *out) {
  static const char *const measures[4] = {"", "length", "area", "volume"}, *const entities[4] = {"point", "edge", "facet", "cell"};
  const Mesh *whole = mesh_whole(mesh);
  double sum = 0;
  for (int c = 0; c < whole->ncells; c++) sum += mesh_cell_measure(whole, c);
  buf_printf(out, "mesh, %dD: %ld %s, %ld vertices, ", mesh->dim, mesh->global_cells, mesh->ref->shape == CELL_TENSOR ? mesh->ref->plural : "cells", mesh->global_verts);
  print_measure(measures[mesh->dim], sum, mesh->exact, out);
  buf_puts(out, "\n");
  print_edges(whole, out);
  if (mesh->dim > 1) print_quality(whole, out);
  for (int i = 0; i < mesh->ngroups; i++) {
    const MeshGroup *g = &mesh->groups[i];
    const char *kind = g->dim == mesh->dim ? "region" : g->dim == mesh->dim - 1 ? "boundary" : g->dim == 1 ? "curve" : "point";
    buf_printf(out, "  %-9s %-20s %8ld %s%s", kind, g->name, g->count, entities[3 - (mesh->dim - g->dim)], g->count == 1 ? "" : "s");
    if (g->dim > 0) {
      buf_puts(out, ", ");
      print_measure(measures[g->dim], g->measure, g->exact, out);
    }
    buf_puts(out, "\n");
  }
  if (out->len) out->text[--out->len] = 0;   /* the last line's end */
}
