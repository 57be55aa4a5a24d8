/* Meshes of CAD files: boundaries are the faces, regions the solids, by their names in the file or by number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

static Status check(const char *path, const GmshCad *cad, const MeshOptions *o, Diags *diags) {
  if (cad->dim < 2) {
    diag_report(diags, E1034, o->span, "%s has no solid and no face", path);
  } else if (!cad->is_plane) {
    diag_suggest(diag_report(diags, E1034, o->span, "%s has faces in space, but no solid", path), "export solids, or faces in the plane z = 0 for a plane domain");
  } else if (!cad->cells.cells.count) {
    diag_suggest(diag_report(diags, E1004, o->span, "the mesh size h is %g, but the shape in %s has a diagonal of %g", o->h, path, cad->size), "for example h: %.2g; and look at unit:", cad->size / 20);
  } else return 0;
  return 1;
}

/* Pieces of the same name are one group; those without are numbered in the order of the file. */
static void add_groups(Mesh *mesh, Interner *names, char *const *named, const char *kind, int dim, const int *piece, int total, int npieces) {
  bool *done = BIG_ZEROED(bool, npieces);
  int *of = BIG_ARRAY(int, npieces), number = 0;
  bool *present = BIG_ZEROED(bool, npieces);
  for (int i = 0; i < total; i++)
    if (piece[i] >= 0) present[piece[i]] = true;
  for (int p = 0; p < npieces; p++) {
    char text[64];
    if (!present[p]) continue;
    snprintf(text, sizeof text, "%s%d", kind, ++number);
    if (done[p]) continue;
    for (int q = 0; q < npieces; q++) {
      of[q] = q == p || (q > p && named[p] && named[q] && !strcmp(named[p], named[q]));
      done[q] |= of[q];
    }
    int n = 0, *entity = BIG_ARRAY(int, total);
    for (int i = 0; i < total; i++)
      if (piece[i] >= 0 && of[piece[i]]) entity[n++] = i;
    mesh_add_group(mesh, intern_text(names, named[p] ? named[p] : text), dim, entity, n);
  }
  free(done);
  free(of);
  free(present);
}

static int edge_between(const Mesh *mesh, const int *first, int a, int b) {
  int low = a < b ? a : b, high = a < b ? b : a;
  for (int e = first[low]; e < first[low + 1]; e++)
    if (mesh->edge[2 * (size_t)e + 1] == high) return e;
  return -1;
}

/* Edges of facets run through their middles on the curves and faces of the file. */
static void follow_faces(Mesh *mesh, const GmshCells *cells, const int *old_vertex, double size) {
  int dim = mesh->dim;
  mesh_edges(mesh);
  int *number = BIG_ARRAY(int, mesh->nverts), *first = BIG_ZEROED(int, mesh->nverts + 1);
  double *bend = BIG_ZEROED(double, (size_t)mesh->nedges * dim);
  for (int i = 0; i < mesh->nverts; i++) number[old_vertex[i]] = i;
  for (int e = 0; e < mesh->nedges; e++) first[mesh->edge[2 * (size_t)e] + 1]++;
  for (int i = 0; i < mesh->nverts; i++) first[i + 1] += first[i];
  for (int k = 0; k < cells->nmiddles; k++) {
    int a = number[cells->ends[2 * k]], b = number[cells->ends[2 * k + 1]], e = edge_between(mesh, first, a, b);
    double off[3] = {0}, most = 0;
    for (int d = 0; d < dim && e >= 0; d++) {
      off[d] = cells->middle[3 * (size_t)k + d] - (mesh->x[(size_t)a * dim + d] + mesh->x[(size_t)b * dim + d]) / 2;
      most = fmax(most, fabs(off[d]));
    }
    if (most > 1e-9 * size) memcpy(bend + (size_t)e * dim, off, sizeof(double) * (size_t)dim);      /* straight but for rounding stays straight */
  }
  free(number);
  free(first);
  mesh->order = 2;
  mesh_bend(mesh, (MeshBends){.edge = bend});
}

static Status build(const char *path, const GmshCad *cad, Interner *names, const MeshOptions *o, Diags *diags, Mesh **out) {
  const GmshCells *cells = &cad->cells;
  int turned, *old_vertex, *old_cell;
  Mesh *mesh = mesh_new(CELL_SIMPLEX, cad->dim, cells->nnodes, cells->cells.count);
  for (int i = 0; i < cells->nnodes; i++)
    for (int d = 0; d < cad->dim; d++) mesh->x[(size_t)i * cad->dim + d] = cells->x[3 * (size_t)i + d];
  memcpy(mesh->cell, cells->cells.nodes, (size_t)cells->cells.count * (cad->dim + 1) * sizeof *mesh->cell);
  if (mesh_orient(mesh, &turned) >= 0) {
    diag_report(diags, E1007, o->span, "Gmsh made a cell without volume of %s", path);
    mesh_release(mesh);
    return 1;
  }
  mesh_reorder(mesh, &old_vertex, &old_cell);
  int *neighbours = mesh_neighbours(mesh);
  mesh_boundary(mesh, neighbours);
  MeshTrace trace = mesh_trace(mesh, cells, old_vertex, old_cell);
  mesh_bounds(mesh);
  mesh_sizes(mesh, 0, mesh->ncells);
  mesh->exact = cells->measure;
  add_groups(mesh, names, cad->facet_names, cad->dim == 3 ? "surface" : "curve", cad->dim - 1, trace.facet, mesh->nboundary, cells->facets.n);
  add_groups(mesh, names, cad->names, cad->dim == 3 ? "solid" : "face", cad->dim, trace.cell, mesh->ncells, cells->cells.n);
  mesh_classify_regions(mesh, neighbours);
  if (cells->nmiddles) follow_faces(mesh, cells, old_vertex, cad->size);
  mesh_group_measures(mesh);
  mesh_trace_measures(mesh, &trace);
  mesh_trace_free(&trace);
  free(neighbours);
  free(old_vertex);
  free(old_cell);
  *out = mesh;
  return 0;
}

static void free_names(char **names, int n) {
  for (int i = 0; names && i < n; i++) free(names[i]);
  free(names);
}

Status mesh_read_cad(const char *path, double scale, const MeshOptions *o, Interner *names, Diags *diags, Mesh **out) {
  Buf why = {0};
  const GmshApi *api = mesh_provider(&why);
  FILE *file = fopen(path, "rb");
  if (!file) {
    diag_report(diags, E1034, o->span, "%s can't be opened", path);
    buf_free(&why);
    return 1;
  }
  fclose(file);
  if (!api) {
    diag_note(diag_report(diags, E1006, o->span, "CAD files are read by Gmsh, which is not there"), (Span){0, 0}, "%s", buf_str(&why));
    buf_free(&why);
    return 1;
  }
  buf_free(&why);
  GmshCad cad;
  Status status = api->cad(path, scale, o, diags, &cad) || check(path, &cad, o, diags) || build(path, &cad, names, o, diags, out);
  free_names(cad.names, cad.cells.cells.n);
  free_names(cad.facet_names, cad.cells.facets.n);
  gmsh_cells_free(&cad.cells);
  return status;
}
