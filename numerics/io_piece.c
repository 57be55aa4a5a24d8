#include "io_piece.h"

#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "mesh_build.h"

static void take_bends(const Mesh *mesh, const int *cells, Mesh *piece) {
  if (!mesh->ncurved) return;
  size_t width = mesh->bend ? (size_t)(refcell_bends(mesh->ref) * mesh->dim) : 0;
  piece->curved_of = BIG_ARRAY(int, piece->ncells + 1);
  piece->curved = BIG_ARRAY(int, piece->ncells + 1);
  if (width) piece->bend = BIG_ARRAY(double, width * (size_t)piece->ncells + 1);
  for (int c = 0; c < piece->ncells; c++) {
    int i = mesh->curved_of[cells[c]];
    piece->curved_of[c] = i < 0 ? -1 : piece->ncurved;
    if (i < 0) continue;
    if (width) memcpy(piece->bend + width * (size_t)piece->ncurved, mesh->bend + width * (size_t)i, width * sizeof *piece->bend);
    piece->curved[piece->ncurved++] = c;
  }
}

Mesh *piece_mesh(const Mesh *mesh, int **cells) {
  int m = mesh->ref->nverts, dim = mesh->dim, nverts = 0, ncells = 0, *vertex = BIG_ARRAY(int, mesh->nverts + 1);
  *cells = BIG_ARRAY(int, mesh->ncells + 1);
  for (int v = 0; v < mesh->nverts; v++) vertex[v] = -1;
  for (int c = 0; c < mesh->ncells; c++) {
    if (!mesh_owns_cell(mesh, c)) continue;
    (*cells)[ncells++] = c;
    for (int q = 0; q < m; q++) {
      int *at = &vertex[mesh->cell[(size_t)c * (size_t)m + (size_t)q]];
      if (*at < 0) *at = nverts++;
    }
  }
  Mesh *piece = mesh_new(mesh->ref->shape, dim, nverts, ncells);
  piece->nregions = mesh->nregions;
  piece->order = mesh->order;
  if (mesh->region) piece->region = BIG_ARRAY(int, ncells + 1);
  for (int v = 0; v < mesh->nverts; v++)
    if (vertex[v] >= 0) memcpy(piece->x + (size_t)vertex[v] * (size_t)dim, mesh->x + (size_t)v * (size_t)dim, sizeof(double) * (size_t)dim);
  for (int c = 0; c < ncells; c++) {
    for (int q = 0; q < m; q++) piece->cell[(size_t)c * (size_t)m + (size_t)q] = vertex[mesh->cell[(size_t)(*cells)[c] * (size_t)m + (size_t)q]];
    if (mesh->region) piece->region[c] = mesh->region[(*cells)[c]];
  }
  take_bends(mesh, *cells, piece);
  free(vertex);
  return piece;
}

void piece_field(const NodalField *field, const Mesh *piece, const int *cells, NodalField *out) {
  size_t nodes = (size_t)element_nodes(field->element, piece->dim), nc = (size_t)field->ncomp, each = nodes * nc;
  *out = *field;
  if (!field->cell_node) {      /* each cell has its own nodes */
    double *values = BIG_ARRAY(double, (size_t)piece->ncells * each + 1);
    for (int c = 0; c < piece->ncells; c++) memcpy(values + (size_t)c * each, field->values + (size_t)cells[c] * each, sizeof(double) * each);
    out->values = values;
    out->nnodes = piece->ncells * (int)nodes;
    return;
  }
  int *cell_node = BIG_ARRAY(int, (size_t)piece->ncells * nodes + 1);
  for (int c = 0; c < piece->ncells; c++) memcpy(cell_node + (size_t)c * nodes, field->cell_node + (size_t)cells[c] * nodes, sizeof(int) * nodes);
  out->cell_node = cell_node;
  out->values = big_copy(field->values, sizeof(double) * ((size_t)field->nnodes * nc));
}
