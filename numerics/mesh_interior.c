#include "mesh_interior.h"

#include <math.h>
#include <stdlib.h>

/* Orders are numbered as permutations by the rank of each choice among what is left (Lehmer code). */
void mesh_interior_vertices(int dim, int order, int vertex[4]) {
  int left[4] = {0, 1, 2, 3}, n = dim + 1;
  for (int k = 0; k <= dim; k++, n--) {
    int choice = order % n;
    order /= n;
    vertex[k] = left[choice];
    for (int i = choice; i < n - 1; i++) left[i] = left[i + 1];
  }
}

static uint8_t order_number(int dim, const int *vertex) {
  int order = 0, weight = 1, n = dim + 1;
  for (int k = 0; k <= dim; k++, n--) {
    int choice = vertex[k];
    for (int i = 0; i < k; i++) choice -= vertex[i] < vertex[k];
    order += weight * choice;
    weight *= n;
  }
  return (uint8_t)order;
}

static long global_vertex(const Mesh *mesh, int v) { return mesh->vertex_global ? mesh->vertex_global[v] : v; }

static uint8_t order_of(const Mesh *mesh, int cell, int facet) {
  const int *v = mesh->cell + (size_t)cell * (size_t)(mesh->dim + 1);
  int vertex[4], n = 0;
  for (int a = 0; a <= mesh->dim; a++) {
    if (a == facet) continue;
    int k = n++;
    for (; k > 0 && global_vertex(mesh, v[vertex[k - 1]]) > global_vertex(mesh, v[a]); k--) vertex[k] = vertex[k - 1];
    vertex[k] = a;
  }
  vertex[n] = facet;
  return order_number(mesh->dim, vertex);
}

/* The order of the cell across a cut that goes with `order` of the first one: its own vertices, in the places of those. */
static uint8_t order_like(const Mesh *mesh, int cell, uint8_t order, int other, int other_facet) {
  int dim = mesh->dim, vertex[4], like[4];
  const int *v = mesh->cell + (size_t)cell * (size_t)(dim + 1), *w = mesh->cell + (size_t)other * (size_t)(dim + 1);
  mesh_interior_vertices(dim, order, vertex);
  for (int k = 0; k < dim; k++) {
    double least = INFINITY;
    for (int a = 0; a <= dim; a++) {
      double gap = 0;
      for (int d = 0; d < dim; d++) gap = fmax(gap, fabs(mesh->x[(size_t)v[vertex[k]] * (size_t)dim + (size_t)d] - mesh->x[(size_t)w[a] * (size_t)dim + (size_t)d]));
      if (a != other_facet && gap < least) least = gap, like[k] = a;
    }
  }
  like[dim] = other_facet;
  return order_number(dim, like);
}

/* As for every entity: the lowest rank among the owners of its vertices, which has both cells. */
static bool owns(const Mesh *mesh, int cell, int facet) {
  int lowest = mesh->nranks;
  for (int a = 0; a <= mesh->dim && mesh->vertex_owner; a++) {
    int owner = mesh->vertex_owner[mesh->cell[(size_t)cell * (size_t)(mesh->dim + 1) + (size_t)a]];
    if (a != facet && owner < lowest) lowest = owner;
  }
  return !mesh->vertex_owner || lowest == mesh->rank;
}

static bool is_first(const Mesh *mesh, int cell, int other) {
  return mesh->cell_global ? mesh->cell_global[cell] < mesh->cell_global[other] : cell < other;
}

FacetPair *mesh_interior(const Mesh *mesh, bool owned, int *n) {
  int m = mesh->dim + 1, *across = mesh_neighbours(mesh), count = 0;
  FacetPair *pairs = malloc(sizeof *pairs * ((size_t)mesh->ncells * (size_t)m / 2 + 1));
  for (int c = 0; c < mesh->ncells; c++)
    for (int f = 0; f < m; f++) {
      int there = across[(size_t)c * (size_t)m + (size_t)f];
      if (there < 0 || !is_first(mesh, c, there / m) || (owned && !owns(mesh, c, f))) continue;
      uint8_t order = order_of(mesh, c, f);
      pairs[count++] = (FacetPair){{c, there / m}, {order, order_like(mesh, c, order, there / m, there % m)}};
    }
  free(across);
  *n = count;
  return pairs;
}

uint8_t *mesh_interior_nodes(const Element *element, int dim) {
  int nodes = element_nodes(element, dim), orders = dim == 1 ? 2 : dim == 2 ? 6 : 24;
  double points[64 * 3];
  uint8_t *out = malloc((size_t)(orders * nodes) + 1);
  element->nodes(dim, points);
  for (int order = 0; order < orders; order++) {
    int vertex[4];
    mesh_interior_vertices(dim, order, vertex);
    for (int a = 0; a < nodes; a++) {
      double at[4] = {1}, real[4];      /* barycentric coordinates of place a, then of the same point by the cell's own vertices */
      for (int d = 0; d < dim; d++) at[d + 1] = points[a * dim + d], at[0] -= at[d + 1];
      for (int k = 0; k <= dim; k++) real[vertex[k]] = at[k];
      for (int b = 0; b < nodes; b++) {
        double gap = 0;
        for (int d = 0; d < dim; d++) gap = fmax(gap, fabs(points[b * dim + d] - real[d + 1]));
        if (gap < 1e-9) out[order * nodes + a] = (uint8_t)b;
      }
    }
  }
  return out;
}
