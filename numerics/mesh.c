#include "mesh.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

const int mesh_edge_vertices[4][6][2] = {
  {{0, 0}}, {{0, 1}}, {{1, 2}, {0, 2}, {0, 1}}, {{2, 3}, {1, 3}, {1, 2}, {0, 3}, {0, 2}, {0, 1}}};

static uint32_t next_serial(void) {
  static atomic_uint serial;
  return atomic_fetch_add(&serial, 1) + 1;
}

Mesh *mesh_new(CellShape shape, int dim, int nverts, int ncells) {
  Mesh *mesh = big_zeroed(sizeof *mesh);
  mesh->refs = 1;
  mesh->dim = dim;
  mesh->ref = refcell_of(shape, dim);
  mesh->nverts = nverts;
  mesh->ncells = ncells;
  mesh->x = BIG_ARRAY(double, (size_t)nverts * dim);
  mesh->cell = BIG_ARRAY(int, (size_t)ncells * mesh->ref->nverts);
  mesh->global_verts = nverts;
  mesh->global_cells = ncells;
  mesh->nranks = 1;
  mesh->nregions = 1;
  mesh->exact = NAN;
  mesh->serial = next_serial();
  return mesh;
}

Mesh *mesh_retain(Mesh *mesh) {
  mesh->refs++;
  return mesh;
}

void mesh_release(Mesh *mesh) {
  if (!mesh || --mesh->refs) return;
  if (mesh->base) {
    mesh_free_straight(mesh);
    return;
  }
  for (int i = 0; i < mesh->ngroups; i++) free(mesh->groups[i].entity);
  mesh_free_locator(mesh);
  geom_release((Geom *)mesh->geom);
  mesh_release(mesh->whole);
  mesh_release(mesh->uncut);
  void *arrays[] = {mesh->x, mesh->cell, mesh->facet_cell, mesh->facet_cell2, mesh->facet_local, mesh->edge, mesh->cell_edge, mesh->face,
                    mesh->cell_face, mesh->curved, mesh->curved_of, mesh->bend, mesh->groups, mesh->region, mesh->vertex_owner, mesh->vertex_global, mesh->cell_global, mesh};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

void mesh_set_geom(Mesh *mesh, const Geom *geom) { mesh->geom = geom_retain((Geom *)geom); }

/* --- sizes --- */

static double det3(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* v = x[j] - x[i], padded with zeros to three components */
static void edge_vector(const Mesh *mesh, int i, int j, double v[3]) {
  int dim = mesh->dim;
  for (int d = 0; d < 3; d++) v[d] = d < dim ? mesh->x[(size_t)j * dim + d] - mesh->x[(size_t)i * dim + d] : 0;
}

static double length3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double triangle_area(const double a[3], const double b[3]) {
  double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  return length3(n) / 2;
}

double mesh_signed_measure(const Mesh *mesh, int cell) {
  if (mesh->ref->shape == CELL_TENSOR) return mesh_curved_measure(mesh, cell);
  const int *v = mesh->cell + (size_t)cell * (mesh->dim + 1);
  double e[3][3];
  for (int k = 0; k < mesh->dim; k++) edge_vector(mesh, v[0], v[k + 1], e[k]);
  if (mesh->dim == 1) return e[0][0];
  if (mesh->dim == 2) return (e[0][0] * e[1][1] - e[0][1] * e[1][0]) / 2;
  return det3(e[0], e[1], e[2]) / 6;
}

void mesh_facet_vertices(const Mesh *mesh, int facet, int *v) {
  const int *cell = mesh->cell + (size_t)mesh->facet_cell[facet] * mesh->ref->nverts;
  for (int k = 0; k < mesh->ref->facet_verts; k++) v[k] = cell[mesh->ref->facet[mesh->facet_local[facet]][k]];
}

/* Smallest sine of an angle (2D) or normalised volume of three edges (3D) at a corner of a tensor cell: 1 for bricks. */
static double tensor_quality(const Mesh *mesh, const int *v) {
  double least = 1;
  for (int w = 0; w < mesh->ref->nverts; w++) {
    double e[3][3] = {{0}}, scale = 1, sign = 1;
    for (int k = 0; k < mesh->dim; k++) {
      edge_vector(mesh, v[w], v[w ^ 1 << k], e[k]);
      scale *= length3(e[k]);
      if (w >> k & 1) sign = -sign;
    }
    if (mesh->dim == 2) e[2][2] = 1;
    least = fmin(least, sign * det3(e[0], e[1], e[2]) / scale);
  }
  return least;
}

/* Radius ratio dim * inradius / circumradius: 1 for the regular simplex. In 2D 2r/R = 16 A^2 / (abc s); in 3D R = S/(6V) with S the area of a triangle whose
 * sides are the products of opposite edges, r = 3V / sum of areas. */
static double cell_quality(const Mesh *mesh, const int *v) {
  if (mesh->ref->shape == CELL_TENSOR) return tensor_quality(mesh, v);
  double l[6];
  for (int k = 0; k < (mesh->dim == 2 ? 3 : 6); k++) {
    double e[3];
    edge_vector(mesh, v[mesh_edge_vertices[mesh->dim][k][0]], v[mesh_edge_vertices[mesh->dim][k][1]], e);
    l[k] = length3(e);
  }
  double e[3][3];
  for (int k = 0; k < mesh->dim; k++) edge_vector(mesh, v[0], v[k + 1], e[k]);
  if (mesh->dim == 2) {
    double area = triangle_area(e[0], e[1]), s = (l[0] + l[1] + l[2]) / 2;
    return 8 * area * area / (s * l[0] * l[1] * l[2]);
  }
  double volume = fabs(det3(e[0], e[1], e[2])) / 6, f[3], g[3], p = l[0] * l[5], q = l[1] * l[4], r = l[2] * l[3], s = (p + q + r) / 2;
  for (int d = 0; d < 3; d++) f[d] = e[1][d] - e[0][d], g[d] = e[2][d] - e[0][d];
  double areas = triangle_area(e[0], e[1]) + triangle_area(e[0], e[2]) + triangle_area(e[1], e[2]) + triangle_area(f, g);
  double heron = sqrt(fmax(0, s * (s - p) * (s - q) * (s - r)));
  return 3 * (3 * volume / areas) / (heron / (6 * volume));
}

double mesh_cell_quality(const Mesh *mesh, int cell) { return mesh->dim > 1 ? cell_quality(mesh, mesh->cell + (size_t)cell * mesh->ref->nverts) : 1; }

void mesh_sizes(Mesh *mesh, int first, int n) {
  double least = INFINITY, most = 0, quality = 1;
  for (int c = first; c < first + n; c++) {
    const int *v = mesh->cell + (size_t)c * mesh->ref->nverts;
    double longest = 0;
    for (int k = 0; k < mesh->ref->nedges; k++) {
      double e[3];
      edge_vector(mesh, v[mesh->ref->edge[k][0]], v[mesh->ref->edge[k][1]], e);
      double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
      if (square > longest) longest = square;
    }
    if (longest < least) least = longest;
    if (longest > most) most = longest;
    if (mesh->dim > 1) {
      double q = cell_quality(mesh, v);
      if (!(q >= quality)) quality = q;
    }
  }
  mesh->h_min = n ? sqrt(least) : 0;
  mesh->h_max = sqrt(most);
  mesh->quality = quality;
}

void mesh_bounds(Mesh *mesh) {
  for (int d = 0; d < 3; d++) {
    double lo = d < mesh->dim && mesh->nverts ? INFINITY : 0, hi = d < mesh->dim && mesh->nverts ? -INFINITY : 0;
    if (d < mesh->dim)
      for (int i = 0; i < mesh->nverts; i++) {
        double x = mesh->x[(size_t)i * mesh->dim + d];
        if (x < lo) lo = x;
        if (x > hi) hi = x;
      }
    mesh->lo[d] = lo;
    mesh->hi[d] = hi;
  }
}

Status mesh_limits(int dim, double nverts, double ncells, Diags *diags, Span span) {
  enum { BYTES_A_CELL = 150 };   /* cells, coordinates, edges, and a P1 matrix: below that nothing can be solved */
  double memory = (double)big_memory();
  if (nverts >= 2147483647.0 || ncells * (dim + 1) * 2 >= 2147483647.0 || ncells * BYTES_A_CELL > memory) {
    diag_suggest(diag_report(diags, E1004, span, "this mesh would have about %.2g cells and %.2g vertices; %s", ncells, nverts,
                             ncells * BYTES_A_CELL > memory ? "the memory of this machine does not hold it" : "more than 32-bit numbers count"),
                 "take fewer cells or a larger h");
    return 1;
  }
  return 0;
}

/* --- orientation --- */

/* The sign of det J of a straight tensor cell at all nodes of its quadratic map, 0: it changes, or is next to none. */
static int tensor_sign(const Mesh *mesh, const int *v) {
  int dim = mesh->dim, sign = 0;
  double scale = 0;
  for (int w = 1; w < mesh->ref->nverts; w++) {
    double e[3];
    edge_vector(mesh, v[0], v[w], e);
    scale = fmax(scale, length3(e));
  }
  for (int p = 0, n = dim == 2 ? 9 : 27; p < n; p++) {
    double X[3] = {p % 3 / 2.0, p / 3 % 3 / 2.0, p / 9 / 2.0}, dN[CELL_VERTS * 3], J[3][3] = {{0}}, K[3][3];
    refcell_map(mesh->ref, false, X, NULL, dN, NULL);
    for (int w = 0; w < mesh->ref->nverts; w++)
      for (int d = 0; d < dim; d++)
        for (int k = 0; k < dim; k++) J[d][k] += dN[w * dim + k] * mesh->x[(size_t)v[w] * dim + d];
    double det = mesh_invert(dim, J, K);
    int now = !(fabs(det) > 1e-14 * pow(scale, dim)) ? 0 : det > 0 ? 1 : -1;
    if (!now || (sign && now != sign)) return 0;
    sign = now;
  }
  return sign;
}

static int orient_tensors(Mesh *mesh, int *turned) {
  int m = mesh->ref->nverts;
  for (int c = 0; c < mesh->ncells; c++) {
    int *v = mesh->cell + (size_t)c * m, sign = tensor_sign(mesh, v);
    if (!sign) return c;
    if (sign > 0) continue;
    for (int w = 0; w < m; w += 2) {
      int t = v[w];
      v[w] = v[w + 1];
      v[w + 1] = t;
    }
    ++*turned;
  }
  return -1;
}

int mesh_orient(Mesh *mesh, int *turned) {
  int m = mesh->dim + 1;
  *turned = 0;
  if (mesh->ref->shape == CELL_TENSOR) return orient_tensors(mesh, turned);
  for (int c = 0; c < mesh->ncells; c++) {
    int *v = mesh->cell + (size_t)c * m;
    double volume = mesh_signed_measure(mesh, c), scale = 0, e[3];
    for (int k = 1; k < m; k++) {
      edge_vector(mesh, v[0], v[k], e);
      scale = fmax(scale, length3(e));
    }
    if (!(fabs(volume) > 1e-14 * pow(scale, mesh->dim))) return c;
    if (volume > 0) continue;
    int t = v[m - 1];
    v[m - 1] = v[m - 2];
    v[m - 2] = t;
    ++*turned;
  }
  return -1;
}

static bool is_lowest_owner(const Mesh *mesh, const int *v, int n) {
  int owner = mesh->vertex_owner[v[0]];
  for (int k = 1; k < n; k++)
    if (mesh->vertex_owner[v[k]] < owner) owner = mesh->vertex_owner[v[k]];
  return owner == mesh->rank;
}

bool mesh_owns_cell(const Mesh *mesh, int cell) {
  return !mesh->vertex_owner || is_lowest_owner(mesh, mesh->cell + (size_t)cell * mesh->ref->nverts, mesh->ref->nverts);
}

bool mesh_owns_facet(const Mesh *mesh, int facet) {
  int v[4] = {0};
  if (!mesh->vertex_owner) return true;
  mesh_facet_vertices(mesh, facet, v);
  return is_lowest_owner(mesh, v, mesh->ref->facet_verts);
}

const Mesh *mesh_whole(const Mesh *mesh) { return mesh->whole ? mesh->whole : mesh; }
