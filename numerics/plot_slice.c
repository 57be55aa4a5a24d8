/* Slices: a plane cuts the tetrahedra into triangles and quadrilaterals, drawn in coordinates of the plane; hexahedra are cut as six tetrahedra. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_scene.h"

enum { MOST = 16, NODES = 27 };

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Distance of a vertex from the plane. The tiny shift puts vertices on the plane to one side, so a cut through them is whole. */
static double height(const Scene *scene, int v) {
  const double *x = scene->position + 3 * (size_t)v;
  return dot(scene->axis[2], x) - dot(scene->axis[2], scene->origin);
}

static bool cuts(const Scene *scene) {
  const Mesh *mesh = scene->mesh;
  int nv = mesh->ref->nverts;
  for (int e = 0; e < mesh->ncells; e++) {
    int above = 0;
    for (int a = 0; a < nv; a++) above += height(scene, mesh->cell[(size_t)nv * (size_t)e + (size_t)a]) > 0;
    if (above % nv) return true;
  }
  return false;
}

bool scene_slice_open(Scene *scene, const double *plane) {
  double length = sqrt(dot(plane, plane)), *n = scene->axis[2], *s = scene->axis[0], *t = scene->axis[1];
  if (!(length > 0)) return true;     /* no plane: the scene stays empty */
  int zeros = 0, along = 0;
  for (int i = 0; i < 3; i++) {
    n[i] = plane[i] / length;
    if (fabs(n[i]) < 1e-12) zeros++; else along = i;
  }
  if (zeros == 2) {    /* x = d and the like: the picture has the other two coordinates */
    int first = along == 0 ? 1 : 0, second = along == 2 ? 1 : 2;
    s[first] = t[second] = 1;
    snprintf(scene->label[0], sizeof scene->label[0], "%c", "xyz"[first]);
    snprintf(scene->label[1], sizeof scene->label[1], "%c", "xyz"[second]);
  } else {             /* upward in the picture is z where the plane is steep, else y */
    double up[3] = {0, fabs(n[2]) < 0.9 ? 0 : 1, fabs(n[2]) < 0.9 ? 1 : 0}, along_n = dot(up, n), size = 0;
    for (int i = 0; i < 3; i++) t[i] = up[i] - along_n * n[i];
    size = sqrt(dot(t, t));
    for (int i = 0; i < 3; i++) t[i] /= size;
    s[0] = t[1] * n[2] - t[2] * n[1]; s[1] = t[2] * n[0] - t[0] * n[2]; s[2] = t[0] * n[1] - t[1] * n[0];
    int largest = fabs(s[0]) >= fabs(s[1]) - 1e-12 ? (fabs(s[0]) >= fabs(s[2]) - 1e-12 ? 0 : 2) : (fabs(s[1]) >= fabs(s[2]) ? 1 : 2);
    if (s[largest] < 0)
      for (int i = 0; i < 3; i++) s[i] = -s[i];
    snprintf(scene->label[0], sizeof scene->label[0], "s");
    snprintf(scene->label[1], sizeof scene->label[1], "t");
  }
  double diagonal = 0;
  for (int i = 0; i < 3; i++) diagonal = fmax(diagonal, scene->mesh->hi[i] - scene->mesh->lo[i]);
  for (int side = -1; side <= 1; side += 2) {   /* a plane on the boundary is moved inward by a hair */
    for (int i = 0; i < 3; i++) scene->origin[i] = n[i] * (plane[3] / length + side * 1e-10 * diagonal);
    if (cuts(scene)) break;
  }
  return true;
}

static void in_plane(const Scene *scene, const double *x, double *out) {
  out[0] = dot(scene->axis[0], x);
  out[1] = dot(scene->axis[1], x);
  out[2] = 0;
}

/* Do the corners at both ends of two edges of a tetrahedron lie on one facet of the cell that it is a part of? */
static bool on_facet(const RefCell *cell, const int *tet, const int *p, const int *q) {
  int want = 1 << tet[p[0]] | 1 << tet[p[1]] | 1 << tet[q[0]] | 1 << tet[q[1]];
  for (int f = 0; f < cell->nfacets; f++) {
    int has = 0;
    for (int k = 0; k < cell->facet_verts; k++) has |= 1 << cell->facet[f][k];
    if ((has & want) == want) return true;
  }
  return false;
}

/* Corners of the cut through a tetrahedron of cell e as reference points and positions; their number: 0, 3 or 4, in order around. side[k]: the way from
 * corner k to the next lies on the surface of the cell. */
static int cut(const Scene *scene, int e, const int *tet, double ref[4][3], double x[4][3], bool side[4]) {
  static const int ring3[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const RefCell *cell = scene->mesh->ref;
  int v[4];
  double h[4], X[4][3];
  for (int a = 0; a < 4; a++) v[a] = scene->mesh->cell[(size_t)cell->nverts * (size_t)e + (size_t)tet[a]], refcell_vertex(cell, tet[a], X[a]);
  int above = 0, mask = 0, pair[4][2], n = 0;
  for (int a = 0; a < 4; a++) {
    h[a] = height(scene, v[a]);
    if (h[a] > 0) { above++; mask |= 1 << a; }
  }
  if (above == 0 || above == 4) return 0;
  if (above == 2) {
    int in[2], out[2], ni = 0, no = 0;
    for (int a = 0; a < 4; a++) { if (mask >> a & 1) in[ni++] = a; else out[no++] = a; }
    int around[4][2] = {{in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]}, {in[1], out[0]}};
    memcpy(pair, around, sizeof around);
    n = 4;
  } else {
    int alone = 0;
    for (int a = 0; a < 4; a++)
      if ((mask >> a & 1) == (above == 1)) alone = a;
    for (int k = 0; k < 3; k++) { pair[k][0] = alone; pair[k][1] = ring3[alone][k]; }
    n = 3;
  }
  for (int k = 0; k < n; k++) {
    int a = pair[k][0], b = pair[k][1];
    double t = h[a] / (h[a] - h[b]), p[3];
    for (int i = 0; i < 3; i++) {
      ref[k][i] = (1 - t) * X[a][i] + t * X[b][i];
      p[i] = (1 - t) * scene->position[3 * (size_t)v[a] + (size_t)i] + t * scene->position[3 * (size_t)v[b] + (size_t)i];
    }
    in_plane(scene, p, x[k]);
    side[k] = on_facet(cell, tet, pair[k], pair[(k + 1) % n]);
  }
  return n;
}

static void draw_piece(const Scene *scene, int e, const double *const ref[3], const double *const x[3], const bool edge[3], SceneDraw draw, void *user) {
  enum { POINTS = (MOST + 1) * (MOST + 2) / 2 };
  double corner[3][3], points[POINTS * 3], xs[POINTS][3], basis[POINTS * NODES], values[POINTS * 9];
  for (int i = 0; i < 3; i++) memcpy(corner[i], x[i], sizeof corner[i]);
  int n = scene_subdivisions(scene, corner, 3, false), at[MOST + 2], k = 0, ncomp = scene->field ? scene->field->ncomp : 0;
  for (int j = 0; j <= n; j++) {
    at[j] = k;
    for (int i = 0; i + j <= n; i++, k++) {
      double l[3] = {(double)(n - i - j) / n, (double)i / n, (double)j / n};
      for (int c = 0; c < 3; c++) {
        points[3 * k + c] = l[0] * ref[0][c] + l[1] * ref[1][c] + l[2] * ref[2][c];
        xs[k][c] = l[0] * x[0][c] + l[1] * x[1][c] + l[2] * x[2][c];
      }
    }
  }
  if (ncomp) nodal_at(scene->field, 3, e, k, points, basis, values);
  SceneTriangle t = {.cell = e, .facet = -1};
  for (int j = 0; j < n; j++)
    for (int i = 0; i + j < n; i++)
      for (int flip = 0; flip < (i + j < n - 1 ? 2 : 1); flip++) {
        int ij[3][2] = {{i + flip, j}, {i + 1, j + flip}, {i, j + 1}};
        for (int c = 0; c < 3; c++) {
          int p = at[ij[c][1]] + ij[c][0];
          const double *v = values + p * ncomp;
          memcpy(t.x[c], xs[p], sizeof xs[p]);
          if (!ncomp) continue;
          double sum = 0;
          for (int d = 0; d < ncomp; d++) sum += v[d] * v[d];
          t.value[c] = ncomp == 1 ? v[0] : sqrt(sum);
          if (ncomp == 3) in_plane(scene, v, t.vector[c]);
        }
        t.edge[0] = !flip && j == 0 && edge[0];
        t.edge[1] = !flip && i + j == n - 1 && edge[1];
        t.edge[2] = !flip && i == 0 && edge[2];
        draw(user, &t);
      }
}

void scene_slice_triangles(const Scene *scene, SceneDraw draw, void *user) {
  static const int whole[1][4] = {{0, 1, 2, 3}}, six[6][4] = {{0, 1, 3, 7}, {0, 1, 7, 5}, {0, 5, 7, 4}, {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 2, 6, 7}};
  bool tensor = scene->mesh->ref->shape == CELL_TENSOR;
  for (int e = 0; e < scene->mesh->ncells; e++)
    for (int piece = 0; piece < (tensor ? 6 : 1); piece++) {
      double ref[4][3], x[4][3];
      bool side[4];
      int n = cut(scene, e, tensor ? six[piece] : whole[0], ref, x, side);
      for (int k = 1; k + 1 < n; k++) {
        bool edge[3] = {k == 1 && side[0], side[k], k + 2 == n && side[n - 1]};
        draw_piece(scene, e, (const double *const[3]){ref[0], ref[k], ref[k + 1]}, (const double *const[3]){x[0], x[k], x[k + 1]}, edge, draw, user);
      }
    }
}

/* Where a triangle of a facet meets the plane. */
static void slice_triangle(const Scene *scene, int facet, const int *v, SceneSegment draw, void *user) {
  double h[3], end[3][3];
  int n = 0;
  for (int i = 0; i < 3; i++) h[i] = height(scene, v[i]);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    if ((h[i] > 0) == (h[j] > 0)) continue;
    double t = h[i] / (h[i] - h[j]), p[3];
    for (int c = 0; c < 3; c++) p[c] = (1 - t) * scene->position[3 * (size_t)v[i] + (size_t)c] + t * scene->position[3 * (size_t)v[j] + (size_t)c];
    in_plane(scene, p, end[n++]);
  }
  if (n == 2) draw(user, end[0], end[1], facet);
}

void scene_slice_outline(const Scene *scene, SceneSegment draw, void *user) {
  const Mesh *mesh = scene->mesh;
  for (int f = 0; f < mesh->nfacets; f++) {
    int local[4], n = scene_ring(mesh->ref, mesh->facet_local[f], local);
    const int *cell = mesh->cell + (size_t)mesh->ref->nverts * (size_t)mesh->facet_cell[f];
    for (int k = 1; k + 1 < n; k++) {
      int v[3] = {cell[local[0]], cell[local[k]], cell[local[k + 1]]};
      slice_triangle(scene, f, v, draw, user);
    }
  }
}
