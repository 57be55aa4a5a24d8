/* What the tests of meshes share: a host's tables, shapes in one line, and what holds for every whole mesh. */
#ifndef MESH_WORLD_H
#define MESH_WORLD_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "numerics/mesh.h"

typedef struct World { Interner *names; ExprPool *pool; Diags diags; } World;
static World w;
static const Span span = {1, 2};

static inline int setup(void **state) {
  w.names = interner_new();
  w.pool = expr_pool_new(w.names);
  memset(&w.diags, 0, sizeof w.diags);
  return 0;
}
static inline int teardown(void **state) {
  diags_free(&w.diags);
  expr_pool_free(w.pool);
  interner_free(w.names);
  return 0;
}

static inline Expr *num(double v) { return expr_const(w.pool, v, UNIT_NONE); }
static inline Expr *coord(int axis) { return expr_coord(w.pool, axis, UNIT_NONE); }
static inline Expr *op2(ExprOp op, Expr *a, Expr *b) { return expr_binary(w.pool, op, a, b); }
static inline Name name(const char *text) { return intern_text(w.names, text); }

/* shape("disk", 3, (int[]){2, 1}, 0.0, 0.0, 1.0): values of each parameter in turn */
static inline Geom *shape(const char *row, const int *counts, const double *values) {
  GeomArg args[8] = {{0}};
  const GeomRow *r = geom_row(row);
  for (int k = 0; k < 8 && r->params[k].name; k++) {
    args[k] = (GeomArg){.values = values, .n = counts[k]};
    values += counts[k];
  }
  return geom_primitive(r, args, &w.diags, span);
}
#define SHAPE(row, counts, ...) shape(row, (const int[8]){counts}, (const double[]){__VA_ARGS__})
#define N(...) __VA_ARGS__

static inline Geom *part(Geom *geom, const char *text) {
  Geom *out = geom_named(geom, name(text));
  geom_release(geom);
  return out;
}
static inline Geom *combined(GeomOp op, Geom *a, Geom *b) {
  Geom *out = geom_combine(op, a, b, &w.diags, span);
  geom_release(a);
  geom_release(b);
  return out;
}
static inline Geom *with_group(Geom *geom, const char *text, Expr *predicate, bool is_region) {
  Geom *out = geom_with_group(geom, w.names, &(GeomGroup){.name = name(text), .predicate = predicate, .is_region = is_region, .span = {5, 6}}, &w.diags);
  geom_release(geom);
  return out;
}
static inline Geom *grid_geom(int dim, double ax, double bx, double ay, double by, double az, double bz) {
  double v[] = {ax, bx, ay, by, az, bz};
  return dim == 1 ? shape("interval", (int[]){1, 1}, v) : shape(dim == 2 ? "rectangle" : "box", (int[]){2, 2, 2}, v);
}
static inline Mesh *grid(Geom *geom, int nx, int ny, int nz) {
  Mesh *mesh = NULL;
  MeshOptions o = {.cells = {nx, ny, nz}, .ncells_given = geom_dim(geom), .span = span};
  mesh_structured(geom, &o, &w.diags, &mesh);
  geom_release(geom);
  return mesh;
}
static inline Mesh *generated(Geom *geom, double h) {
  Mesh *mesh = NULL;
  mesh_generate(geom, &(MeshOptions){.h = h, .span = span}, &w.diags, &mesh);
  geom_release(geom);
  return mesh;
}

/* Positive cells, normals that sum to zero, group facets on the boundary, the divergence theorem for x/dim. Returns the measure. */
static inline double check_closed(const Mesh *mesh, double *surface) {
  double volume = 0, boundary = 0, sum[3] = {0}, flux = 0;
  int dim = mesh->dim;
  for (int c = 0; c < mesh->ncells; c++) {
    assert_true(mesh_cell_measure(mesh, c) > 0);
    volume += mesh_cell_measure(mesh, c);
  }
  for (int f = 0; f < mesh->nboundary; f++) {
    double n[3], area = mesh_facet_measure(mesh, f);
    int v[4], nv = mesh->ref->facet_verts;
    mesh_facet_normal(mesh, f, n);
    mesh_facet_vertices(mesh, f, v);
    boundary += area;
    for (int d = 0; d < dim; d++) {
      double mid = 0;
      for (int k = 0; k < nv; k++) mid += mesh->x[v[k] * dim + d] / nv;
      sum[d] += area * n[d];
      flux += area * n[d] * mid / dim;
    }
  }
  assert_true(fabs(flux - volume) <= 1e-11 * (volume + boundary));
  for (int d = 0; d < dim; d++) assert_true(fabs(sum[d]) <= 1e-11 * boundary);
  for (int f = mesh->nboundary; f < mesh->nfacets; f++) {   /* facets between regions: both cells have them */
    int v[4], shared = 0, m = mesh->ref->nverts, nv = mesh->ref->facet_verts;
    mesh_facet_vertices(mesh, f, v);
    for (int k = 0; k < m; k++)
      for (int q = 0; q < nv; q++) shared += mesh->cell[mesh->facet_cell2[f] * m + k] == v[q];
    assert_int_equal(shared, nv);
  }
  if (surface) *surface = boundary;
  return volume;
}

static inline void check_group(const Mesh *mesh, const char *text, long count, double measure) {
  const MeshGroup *g = mesh_group(mesh, text);
  assert_non_null(g);
  assert_int_equal(g->count, count);
  assert_true(fabs(g->measure - measure) < 1e-12);
}

/* Measure of a group within a share of the exact one. */
static inline void check_measure(const Mesh *mesh, const char *text, bool region, double exact, double tolerance) {
  const MeshGroup *g = mesh_group_of(mesh, text, mesh->dim - !region);
  assert_non_null(g);
  assert_true(fabs(g->measure - exact) <= tolerance * exact);
}

#endif
