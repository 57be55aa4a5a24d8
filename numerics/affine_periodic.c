/* Periodic sides: the isometry that carries one side onto the other is read off their areas (centre and mean normal); a node and its image carry equal
 * values, vectors turned with the isometry. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "affine.h"
#include "engine_internal.h"

typedef struct Side { double area, centre[3], normal[3]; } Side;      /* of all ranks; normal: integral of n over it, divided by the area */
typedef struct Isometry { double R[3][3], from[3], to[3]; bool turned; } Isometry;   /* x -> R (x - from) + to */

typedef struct PeriodicNode {    /* plain data, sent between ranks */
  double x[3], key;
  long dof;                      /* global, of the first component */
  unsigned prescribed;           /* bits by component */
} PeriodicNode;

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static Side measure_side(const Mesh *mesh, const int *facets, int n) {
  double mine[7] = {0}, all[7];
  for (int i = 0; i < n; i++) {
    if (!mesh_owns_facet(mesh, facets[i])) continue;
    int v[4], nv = mesh->ref->facet_verts;
    double area = mesh_facet_measure(mesh, facets[i]), normal[3] = {0};
    mesh_facet_vertices(mesh, facets[i], v);
    mesh_facet_normal(mesh, facets[i], normal);
    mine[0] += area;
    for (int d = 0; d < mesh->dim; d++) {
      for (int a = 0; a < nv; a++) mine[1 + d] += area * mesh->x[(size_t)v[a] * (size_t)mesh->dim + (size_t)d] / nv;
      mine[4 + d] += area * normal[d];
    }
  }
  memcpy(all, mine, sizeof all);
  if (mesh->nranks > 1) MPI_Allreduce(mine, all, 7, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  Side side = {.area = all[0]};
  for (int d = 0; d < 3 && side.area > 0; d++) side.centre[d] = all[1 + d] / side.area, side.normal[d] = all[4 + d] / side.area;
  return side;
}

static void put_names(Buf *out, const Where *where) {
  for (int i = 0; i < where->n; i++) buf_printf(out, "%s%s", i ? " + " : "", where->names[i]);
}

static Status no_images(const Data *data, const Periodic *periodic, const char *why) {
  Buf from = {0}, to = {0};
  put_names(&from, &periodic->from), put_names(&to, &periodic->to);
  Diag *diag = diag_report(data->diags, E2520, periodic->span, "`%s` and `%s` are no images of each other: %s", buf_str(&from), buf_str(&to), why);
  diag_suggest(diag, "periodic sides are carried onto each other by a translation, or by a rotation of the domain");
  buf_free(&from), buf_free(&to);
  return 1;
}

/* The smallest rotation that takes the inward normal of the one side to the outward normal of the other (Rodrigues' formula). */
static Status find_isometry(const Data *data, const Periodic *periodic, const Side *from, const Side *to, Isometry *out) {
  char text[160];
  double size = fmax(from->area, to->area), a[3], axis[3], gap = 0;
  if (fabs(from->area - to->area) > 1e-6 * size) {
    snprintf(text, sizeof text, "they measure %.6g and %.6g", from->area, to->area);
    return no_images(data, periodic, text);
  }
  double length = sqrt(dot3(from->normal, from->normal)), other = sqrt(dot3(to->normal, to->normal));
  if (length < 1e-6 || fabs(length - other) > 1e-6) return no_images(data, periodic, length < 1e-6 ? "they are closed" : "they are of different shape");
  *out = (Isometry){.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  memcpy(out->from, from->centre, sizeof out->from);
  memcpy(out->to, to->centre, sizeof out->to);
  for (int d = 0; d < 3; d++) a[d] = -from->normal[d], gap = fmax(gap, fabs(a[d] - to->normal[d]));
  if (gap < 1e-7) return 0;
  double c = dot3(a, to->normal) / (length * length);
  for (int d = 0; d < 3; d++) axis[d] = (a[(d + 1) % 3] * to->normal[(d + 2) % 3] - a[(d + 2) % 3] * to->normal[(d + 1) % 3]) / (length * length);
  if (c < -1 + 1e-9) return no_images(data, periodic, "both face the same way");
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      static const int sign[3][3] = {{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}};
      out->R[i][j] = (i == j) * c + sign[i][j] * (i == j ? 0 : axis[3 - i - j]) + axis[i] * axis[j] / (1 + c);
    }
  out->turned = true;
  return 0;
}

static void carry_back(const Isometry *map, const double *x, double *out) {      /* R^T (x - to) + from */
  for (int i = 0; i < 3; i++) {
    out[i] = map->from[i];
    for (int j = 0; j < 3; j++) out[i] += map->R[j][i] * (x[j] - map->to[j]);
  }
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------------------------------- */

/* A direction in which no two nodes of an ordinary mesh have the same place. */
static double key_of(const double *x) { return 0.36787944 * x[0] + 0.73105858 * x[1] + 0.57416431 * x[2]; }

/* Our own nodes on the facets, each once; a fresh array. dofs: their local ones. */
static PeriodicNode *side_nodes(const Data *data, const SpaceBlock *block, const char *prescribed, const int *facets, int nfacets, int *n, int **dofs) {
  const Mesh *mesh = data->mesh;
  const NodeSet *nodes = block->nodes;
  int dim = mesh->dim, on[CELL_FACETS][64], count[CELL_FACETS], most = 0, k = 0;
  double reference[64 * 3];
  nodes_reference(nodes->element, dim, reference);
  for (int f = 0; f < mesh->ref->nfacets; f++) {
    count[f] = nodes_on_facet(nodes->element, dim, f, on[f]);
    if (count[f] > most) most = count[f];
  }
  char *seen = calloc((size_t)nodes->n + 1, 1);
  PeriodicNode *out = malloc(sizeof *out * ((size_t)nfacets * (size_t)most + 1));
  *dofs = malloc(sizeof(int) * ((size_t)nfacets * (size_t)most + 1));
  for (int i = 0; i < nfacets; i++) {
    int cell = mesh->facet_cell[facets[i]], f = mesh->facet_local[facets[i]];
    for (int a = 0; a < count[f]; a++) {
      int node = nodes->cell[(size_t)cell * (size_t)nodes->per_cell + (size_t)on[f][a]], dof = space_dof(block, node);
      if (node >= nodes->nowned || seen[node]) continue;
      seen[node] = 1;
      PeriodicNode *at = &out[k];
      *at = (PeriodicNode){.dof = space_global(data->space, dof)};
      nodes_place(nodes, cell, reference + on[f][a] * dim, at->x);
      for (int c = 0; c < block->components; c++) at->prescribed |= (unsigned)(prescribed[dof + c] != 0) << c;
      (*dofs)[k++] = dof;
    }
  }
  free(seen);
  *n = k;
  return out;
}

static PeriodicNode *from_all_ranks(const Mesh *mesh, PeriodicNode *mine, int n, int *total) {
  *total = n;
  if (mesh->nranks <= 1) return mine;
  int nranks = petsc_nranks(), *count = malloc(2 * sizeof(int) * (size_t)nranks), *start = count + nranks;
  MPI_Allgather(&n, 1, MPI_INT, count, 1, MPI_INT, PETSC_COMM_WORLD);
  *total = 0;
  for (int r = 0; r < nranks; r++) start[r] = *total, *total += count[r];
  PeriodicNode *all = malloc(sizeof *all * ((size_t)*total + 1));
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof *all, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Allgatherv(mine, n, type, all, count, start, type, PETSC_COMM_WORLD);
  MPI_Type_free(&type);
  free(count), free(mine);
  return all;
}

static int by_place(const void *a, const void *b) {
  double p = ((const PeriodicNode *)a)->key, q = ((const PeriodicNode *)b)->key;
  return p < q ? -1 : p > q;
}

/* The node at x, keys ascending; NULL: none. */
static const PeriodicNode *node_at(const PeriodicNode *nodes, int n, const double *x, double tolerance) {
  double key = key_of(x);
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (nodes[mid].key < key - 2 * tolerance) lo = mid + 1;
    else hi = mid;
  }
  for (; lo < n && nodes[lo].key <= key + 2 * tolerance; lo++) {
    double gap[3] = {nodes[lo].x[0] - x[0], nodes[lo].x[1] - x[1], nodes[lo].x[2] - x[2]};
    if (dot3(gap, gap) <= tolerance * tolerance) return &nodes[lo];
  }
  return NULL;
}

static Status no_match(const Data *data, const Periodic *periodic, const PeriodicNode *from, int nfrom, const PeriodicNode *to, int nto, const Isometry *map) {
  double worst = 0, all;
  long mine = nto, total = nto;
  for (int i = 0; i < nto; i++) {
    double x[3], nearest = INFINITY;
    carry_back(map, to[i].x, x);
    for (int k = 0; k < nfrom; k++) {
      double gap[3] = {from[k].x[0] - x[0], from[k].x[1] - x[1], from[k].x[2] - x[2]};
      nearest = fmin(nearest, dot3(gap, gap));
    }
    worst = fmax(worst, sqrt(nearest));
  }
  all = worst;
  if (data->mesh->nranks > 1) MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  if (data->mesh->nranks > 1) MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  Buf a = {0}, b = {0};
  put_names(&a, &periodic->from), put_names(&b, &periodic->to);
  Diag *diag = diag_report(data->diags, E2520, periodic->span, "the mesh is not periodic: a node of `%s` is %.3g away from the nearest image of a node of `%s` (%d nodes there, %ld here)",
                           buf_str(&b), all, buf_str(&a), nfrom, total);
  diag_suggest(diag, "make the mesh with `mesh(..., periodic: %s to %s)`, or a structured one with `cells:`", buf_str(&a), buf_str(&b));
  buf_free(&a), buf_free(&b);
  return 1;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------------------------ */

/* u(image) = R u(node) for a vector; equal components otherwise. */
static void tie(const Data *data, const SpaceBlock *block, const char *prescribed, const Isometry *map, bool vector, const PeriodicNode *from, int dof, AffineRows *rows) {
  for (int i = 0; i < block->components; i++) {
    AffineRow *row = affine_row(rows);
    row->side = -1;
    for (int j = 0; j < block->components; j++) {
      double c = vector ? map->R[i][j] : i == j;
      if (fabs(c) < 1e-14) continue;
      row->dof[row->n] = from->dof + j;
      row->prescribed[row->n] = from->prescribed >> j & 1;
      row->coef[row->n++] = -c;
    }
    affine_entry(row, data->space, prescribed, dof + i, 1);
  }
}

static Status tie_block(const Pde *pde, const Data *data, int b, const Periodic *periodic, const Isometry *map, const char *prescribed, int *const facets[2],
                        const int n[2], AffineRows *rows) {
  const SpaceBlock *block = &data->space->block[b];
  const Mesh *mesh = data->mesh;
  Shape shape = pde->unknowns[b].shape;
  int nfrom, nto, *dof_from, *dof_to, missing = 0;
  double size = 0;
  for (int d = 0; d < mesh->dim; d++) size = fmax(size, mesh->hi[d] - mesh->lo[d]);
  if (map->turned && shape.rank > 1) {
    diag_report(data->diags, E2014, periodic->span, "tensors on sides that a rotation joins are not solved by this version");
    return 1;
  }
  PeriodicNode *from = side_nodes(data, block, prescribed, facets[0], n[0], &nfrom, &dof_from), *to = side_nodes(data, block, prescribed, facets[1], n[1], &nto, &dof_to);
  from = from_all_ranks(mesh, from, nfrom, &nfrom);
  for (int i = 0; i < nfrom; i++) from[i].key = key_of(from[i].x);
  qsort(from, (size_t)nfrom, sizeof *from, by_place);
  bool vector = map->turned && shape.rank == 1 && block->components == mesh->dim;
  for (int i = 0; i < nto; i++) {
    double x[3];
    carry_back(map, to[i].x, x);
    const PeriodicNode *match = node_at(from, nfrom, x, 1e-8 * size);
    if (match) tie(data, block, prescribed, map, vector, match, dof_to[i], rows);
    else missing++;
  }
  long mine[2] = {missing, nto}, all[2] = {missing, nto};
  if (mesh->nranks > 1) MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  Status status = all[0] || all[1] != nfrom ? no_match(data, periodic, from, nfrom, to, nto, map) : 0;
  free(from), free(to), free(dof_from), free(dof_to);
  return status;
}

Status affine_periodic(const Pde *pde, const Data *data, const char *prescribed, AffineRows *rows) {
  Status status = 0;
  for (int p = 0; p < pde->nperiodics && !status; p++) {
    const Periodic *periodic = &pde->periodics[p];
    int n[2], *facets[2] = {bc_facets(data->mesh, &periodic->from, &n[0]), bc_facets(data->mesh, &periodic->to, &n[1])};
    Side from = measure_side(data->mesh, facets[0], n[0]), to = measure_side(data->mesh, facets[1], n[1]);
    Isometry map;
    status = find_isometry(data, periodic, &from, &to, &map);
    for (int b = 0; b < data->space->nblocks && !status; b++) status = tie_block(pde, data, b, periodic, &map, prescribed, facets, n, rows);
    free(facets[0]), free(facets[1]);
  }
  return status;
}
