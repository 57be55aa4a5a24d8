#include "nodal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of one kind of entity: `per` a piece, numbered from *next on. reversed: the piece is run through against its own direction. */
static void place_nodes(int *cell_node, int *at, int base, int per, int entity, bool reversed) {
  for (int k = 0; k < per; k++) cell_node[(*at)++] = base + entity * per + (reversed ? per - 1 - k : k);
}

int *nodal_layout(Mesh *mesh, const Element *element, int *nnodes) {
  const RefCell *ref = mesh->ref;
  int dim = mesh->dim, nv = ref->nverts, nodes = element_nodes(element, dim);
  bool edges = dim >= 2 && element->per_edge, faces = dim == 3 && element->per_face;
  int per_cell = element_inside(element, dim);
  if (edges) mesh_edges(mesh);
  if (faces) mesh_faces(mesh);
  int edge_base = mesh->nverts * element->per_vertex;
  int face_base = edge_base + (edges ? mesh->nedges * element->per_edge : 0);
  int cell_base = face_base + (faces ? mesh->nfaces * element->per_face : 0);
  *nnodes = cell_base + mesh->ncells * per_cell;
  int *out = malloc(sizeof(int) * ((size_t)mesh->ncells * (size_t)nodes + 1));
  if (!out) return NULL;
  for (int e = 0; e < mesh->ncells; e++) {
    int *node = out + (size_t)e * (size_t)nodes, at = 0;
    const int *v = mesh->cell + (size_t)e * (size_t)nv;
    for (int a = 0; a < nv; a++) place_nodes(node, &at, 0, element->per_vertex, v[a], false);
    for (int k = 0; edges && k < ref->nedges; k++) {
      int edge = mesh->cell_edge[(size_t)e * (size_t)ref->nedges + (size_t)k];
      bool reversed = v[ref->edge[k][0]] != mesh->edge[2 * (size_t)edge];
      place_nodes(node, &at, edge_base, element->per_edge, edge, reversed);
    }
    for (int k = 0; faces && k < ref->nfacets; k++)
      place_nodes(node, &at, face_base, element->per_face, mesh->cell_face[(size_t)e * (size_t)ref->nfacets + (size_t)k], false);
    place_nodes(node, &at, cell_base, per_cell, e, false);
  }
  return out;
}

void nodal_cell(const NodalField *field, int dim, int cell, double *out) {
  int nodes = element_nodes(field->element, dim);
  for (int a = 0; a < nodes; a++) {
    size_t i = (size_t)cell * (size_t)nodes + (size_t)a;
    size_t node = field->cell_node ? (size_t)field->cell_node[i] : i;
    memcpy(out + (size_t)a * (size_t)field->ncomp, field->values + node * (size_t)field->ncomp, sizeof(double) * (size_t)field->ncomp);
  }
}

void nodal_at(const NodalField *field, int dim, int cell, int n, const double *points, double *basis, double *out) {
  int nodes = element_nodes(field->element, dim), ncomp = field->ncomp;
  field->element->tabulate(dim, n, points, basis, NULL, NULL);
  memset(out, 0, sizeof(double) * (size_t)n * (size_t)ncomp);
  for (int a = 0; a < nodes; a++) {
    size_t i = (size_t)cell * (size_t)nodes + (size_t)a;
    const double *value = field->values + (field->cell_node ? (size_t)field->cell_node[i] : i) * (size_t)ncomp;
    for (int p = 0; p < n; p++)
      for (int c = 0; c < ncomp; c++) out[p * ncomp + c] += basis[p * nodes + a] * value[c];
  }
}

long nodal_first_bad(const NodalField *field) {
  size_t n = (size_t)field->nnodes * (size_t)field->ncomp;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(field->values[i])) return (long)i;
  return -1;
}
