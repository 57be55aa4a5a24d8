#include "plot_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, NODES = 27 };           /* subdivisions of a side; nodes of an element */
static const double FINE_PIXELS = 7;      /* a curved field is drawn by pieces of about this size */
static const double CREASE = 0.77;        /* cosine: surfaces that meet at more than 40 degrees have an edge */

/* The subdivided triangle of a facet or 2D cell, one of two where that has four corners: reference points and the elements' bases there, made when first used. */
typedef struct Table { int npoints; double *points, *field, *deform; } Table;
struct SceneTables { Table of[2 * CELL_FACETS][MOST + 1]; };

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static bool unit(double *v) {
  double length = sqrt(dot(v, v));
  for (int i = 0; i < 3; i++) v[i] = length > 0 ? v[i] / length : 0;
  return length > 0;
}

static void cross_of(const double *p, const double *q, const double *r, double *n) {
  double a[3], b[3];
  for (int i = 0; i < 3; i++) { a[i] = q[i] - p[i]; b[i] = r[i] - p[i]; }
  n[0] = a[1] * b[2] - a[2] * b[1]; n[1] = a[2] * b[0] - a[0] * b[2]; n[2] = a[0] * b[1] - a[1] * b[0];
}

int scene_ring(const RefCell *cell, int facet, int *vertex) {
  static const int tetra[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}, triangle[3] = {0, 1, 2}, ahead[4] = {0, 1, 3, 2}, back[4] = {0, 2, 3, 1};
  if (cell->shape == CELL_SIMPLEX) {
    memcpy(vertex, cell->dim == 3 ? tetra[facet] : triangle, sizeof triangle);
    return 3;
  }
  /* the axes of facet 2k + s are the other two, ascending: their turn points along k, but for k = 1 */
  bool outward = cell->dim == 2 || (facet / 2 != 1) == (facet % 2 == 1);
  for (int q = 0; q < 4; q++) {
    int at = (outward ? ahead : back)[q];
    vertex[q] = cell->dim == 2 ? at : cell->facet[facet][at];
  }
  return 4;
}

void scene_project(const Scene *scene, const double *x, double *out) {
  const SceneView *v = &scene->view;
  for (int i = 0; i < 3; i++) out[i] = dot(v->m[i], x) + v->m[i][3];
}

/* ---- moved vertices, normals ---- */

static bool place_vertices(Scene *scene) {
  Mesh *mesh = scene->mesh;
  int dim = mesh->dim;
  scene->position = calloc((size_t)mesh->nverts * 3 + 3, sizeof(double));
  if (!scene->position) return false;
  for (int v = 0; v < mesh->nverts; v++)
    for (int i = 0; i < dim; i++) scene->position[(size_t)v * 3 + (size_t)i] = mesh->x[(size_t)v * (size_t)dim + (size_t)i];
  if (!scene->deform) return true;
  double u[NODES * 9];
  for (int e = 0; e < mesh->ncells; e++) {
    nodal_cell(scene->deform, dim, e, u);
    for (int a = 0; a < mesh->ref->nverts; a++) {
      size_t v = (size_t)mesh->cell[(size_t)e * (size_t)mesh->ref->nverts + (size_t)a];
      for (int i = 0; i < dim; i++)   /* the vertices are the first nodes; where the field jumps the last cell wins */
        scene->position[v * 3 + (size_t)i] = mesh->x[v * (size_t)dim + (size_t)i] + scene->deform_scale * u[a * scene->deform->ncomp + i];
    }
  }
  return true;
}

/* Vertices around a facet of a solid; their number. */
static int facet_corners(const Mesh *mesh, int facet, int *vertex) {
  int local[4], n = scene_ring(mesh->ref, mesh->facet_local[facet], local);
  for (int i = 0; i < n; i++) vertex[i] = mesh->cell[(size_t)mesh->facet_cell[facet] * (size_t)mesh->ref->nverts + (size_t)local[i]];
  return n;
}

/* The normal at a corner is the mean over the facets around the vertex that bend away little. */
static bool smooth_normals(Scene *scene) {
  Mesh *mesh = scene->mesh;
  size_t nf = (size_t)mesh->nboundary;
  scene->normals = malloc(sizeof *scene->normals * (nf + 1));
  double (*flat)[3] = malloc(sizeof *flat * (nf + 1));
  int *start = calloc((size_t)mesh->nverts + 2, sizeof(int)), *around = malloc(sizeof(int) * (4 * nf + 1));
  bool ok = scene->normals && flat && start && around;
  for (size_t f = 0; ok && f < nf; f++) {
    int v[4], n = facet_corners(mesh, (int)f, v);
    cross_of(scene->position + 3 * (size_t)v[0], scene->position + 3 * (size_t)v[1], scene->position + 3 * (size_t)v[2], flat[f]);
    for (int i = 0; i < n; i++) start[v[i] + 2]++;
  }
  for (int v = 0; ok && v < mesh->nverts; v++) start[v + 2] += start[v + 1];
  for (size_t f = 0; ok && f < nf; f++) {
    int v[4], n = facet_corners(mesh, (int)f, v);
    for (int i = 0; i < n; i++) around[start[v[i] + 1]++] = (int)f;
  }
  for (size_t f = 0; ok && f < nf; f++) {
    int v[4], corners = facet_corners(mesh, (int)f, v);
    double own = sqrt(dot(flat[f], flat[f]));
    for (int i = 0; i < corners; i++) {
      double n[3] = {0};
      for (int k = start[v[i]]; k < start[v[i] + 1]; k++) {
        const double *m = flat[around[k]];
        if (dot(flat[f], m) >= CREASE * own * sqrt(dot(m, m)))
          for (int c = 0; c < 3; c++) n[c] += m[c];
      }
      unit(n);
      for (int c = 0; c < 3; c++) scene->normals[f][i][c] = (float)n[c];
    }
  }
  free(flat); free(start); free(around);
  return ok;
}

static void grow_box(Scene *scene, const double *x) {
  for (int i = 0; i < 3; i++) {
    scene->lo[i] = fmin(scene->lo[i], x[i]);
    scene->hi[i] = fmax(scene->hi[i], x[i]);
  }
}

static void grow_by_triangle(void *user, const SceneTriangle *t) {
  Scene *scene = user;
  scene->empty = false;
  for (int i = 0; i < 3; i++) grow_box(scene, t->x[i]);
}

bool scene_open(Scene *scene, Mesh *mesh, const NodalField *field, const NodalField *deform, double deform_scale, const double *plane) {
  *scene = (Scene){.mesh = mesh, .field = field, .deform = deform, .deform_scale = deform_scale, .sliced = plane != NULL, .empty = true,
                   .flat = mesh->dim < 3 || plane, .label = {"x", "y"}};
  scene->tables = calloc(1, sizeof *scene->tables);
  if (!scene->tables || !place_vertices(scene)) return false;
  for (int i = 0; i < 3; i++) { scene->lo[i] = INFINITY; scene->hi[i] = -INFINITY; }
  if (plane) {
    if (!scene_slice_open(scene, plane)) return false;
    scene_triangles(scene, grow_by_triangle, scene);
    return true;
  }
  for (int v = 0; v < mesh->nverts; v++) grow_box(scene, scene->position + 3 * (size_t)v);
  scene->empty = mesh->ncells == 0;
  return mesh->dim < 3 || smooth_normals(scene);
}

void scene_close(Scene *scene) {
  for (int f = 0; scene->tables && f < 2 * CELL_FACETS; f++)
    for (int n = 0; n <= MOST; n++) {
      Table *table = &scene->tables->of[f][n];
      free(table->points); free(table->field); free(table->deform);
    }
  free(scene->tables);
  free(scene->normals);
  free(scene->position);
  *scene = (Scene){0};
}

/* ---- the view ---- */

/* Orthographic, from the front, a little from the right and from above; plates are seen more from above. */
static void camera(Scene *scene, double axes[3][3]) {
  double extent[3];
  for (int i = 0; i < 3; i++) extent[i] = scene->hi[i] - scene->lo[i];
  bool plate = extent[2] < 0.15 * fmin(extent[0], extent[1]);
  double turn = 32 * M_PI / 180, lift = (plate ? 42 : 24) * M_PI / 180;
  double right[3] = {cos(turn), sin(turn), 0}, up[3] = {-sin(lift) * sin(turn), sin(lift) * cos(turn), cos(lift)};
  double toward[3] = {cos(lift) * sin(turn), -cos(lift) * cos(turn), sin(lift)};
  memcpy(axes[0], right, sizeof right);
  memcpy(axes[1], up, sizeof up);
  memcpy(axes[2], toward, sizeof toward);
  memcpy(scene->toward, toward, sizeof toward);
  for (int i = 0; i < 3; i++) scene->light[i] = toward[i] + 0.55 * up[i] - 0.35 * right[i];
  unit(scene->light);
}

/* Extent of the box along the viewer's axes. */
static void seen_box(Scene *scene, double axes[3][3], double lo[3], double hi[3]) {
  if (scene->flat) memset(axes, 0, 9 * sizeof(double)), axes[0][0] = axes[1][1] = axes[2][2] = 1;
  else camera(scene, axes);
  for (int i = 0; i < 3; i++) { lo[i] = INFINITY; hi[i] = -INFINITY; }
  for (int corner = 0; corner < 8; corner++) {
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = corner >> i & 1 ? scene->hi[i] : scene->lo[i];
    for (int i = 0; i < 3; i++) {
      lo[i] = fmin(lo[i], dot(axes[i], x));
      hi[i] = fmax(hi[i], dot(axes[i], x));
    }
  }
}

double scene_aspect(const Scene *scene) {
  Scene copy = *scene;
  double axes[3][3], lo[3], hi[3];
  seen_box(&copy, axes, lo, hi);
  double w = hi[0] - lo[0], h = hi[1] - lo[1];
  return h > 1e-12 * w ? w / h : w > 0 ? 1e12 : 1;
}

void scene_fit(Scene *scene, double x, double y, double width, double height, bool stretch) {
  double axes[3][3], lo[3], hi[3], scale[2], size[2] = {width, height}, at[2] = {x, y};
  seen_box(scene, axes, lo, hi);
  for (int i = 0; i < 2; i++) scale[i] = hi[i] > lo[i] ? size[i] / (hi[i] - lo[i]) : 1;
  if (!stretch) scale[0] = scale[1] = fmin(scale[0], scale[1]);
  for (int i = 0; i < 3; i++) {
    double s = i == 2 ? scale[0] : i == 1 ? -scale[1] : scale[0];
    for (int j = 0; j < 3; j++) scene->view.m[i][j] = s * axes[i][j];
    scene->view.m[i][3] = i == 2 ? -s * lo[2] : at[i] + size[i] / 2 - s * (lo[i] + hi[i]) / 2;
  }
}

/* ---- triangles ---- */

int scene_subdivisions(const Scene *scene, const double (*corner)[3], int n, bool curved) {
  bool tensor = scene->mesh->ref->shape == CELL_TENSOR;      /* whose linear functions have products of coordinates */
  int degree = curved || (tensor && (scene->field || scene->deform)) ? 2 : 1;
  if (scene->field && scene->field->ncomp > 1) degree = 2;   /* a magnitude is curved */
  else if (scene->field && scene->field->element->degree > degree) degree = scene->field->element->degree;
  if (scene->deform && scene->deform->element->degree > degree) degree = scene->deform->element->degree;
  if (degree < 2) return 1;
  double p[4][3], most = 0;
  for (int i = 0; i < n; i++) scene_project(scene, corner[i], p[i]);
  for (int i = 0; i < n; i++) most = fmax(most, hypot(p[i][0] - p[(i + 1) % n][0], p[i][1] - p[(i + 1) % n][1]));
  int pieces = (int)ceil(most / FINE_PIXELS);
  return pieces < 1 ? 1 : pieces > MOST ? MOST : pieces;
}

/* Points of the subdivided triangle between three corners of facet f: row j, column i at (i, j)/n. */
static Table *table_of(const Scene *scene, int f, int half, const int *vertex, int n) {
  Table *table = &scene->tables->of[2 * f + half][n];
  if (table->points) return table;
  int dim = scene->mesh->dim, k = 0;
  double corner[3][3] = {{0}};
  for (int a = 0; a < 3; a++) refcell_vertex(scene->mesh->ref, vertex[a], corner[a]);
  table->npoints = (n + 1) * (n + 2) / 2;
  size_t np = (size_t)table->npoints;
  table->points = calloc(np * (size_t)dim, sizeof(double));
  for (int j = 0; table->points && j <= n; j++)
    for (int i = 0; i + j <= n; i++, k++) {
      double l[3] = {(double)(n - i - j) / n, (double)i / n, (double)j / n};
      for (int a = 0; a < 3; a++)
        for (int c = 0; c < dim; c++) table->points[k * dim + c] += l[a] * corner[a][c];
    }
  const NodalField *fields[2] = {scene->field, scene->deform};
  double **basis[2] = {&table->field, &table->deform};
  for (int c = 0; table->points && c < 2; c++) {
    if (!fields[c]) continue;
    *basis[c] = malloc(sizeof(double) * np * (size_t)element_nodes(fields[c]->element, dim));
    if (*basis[c]) fields[c]->element->tabulate(dim, table->npoints, table->points, *basis[c], NULL, NULL);
  }
  return table;
}

static void combine(const NodalField *field, int dim, int cell, int npoints, const double *basis, double *out) {
  int nodes = element_nodes(field->element, dim), ncomp = field->ncomp;
  double u[NODES * 9];
  nodal_cell(field, dim, cell, u);
  for (int p = 0; p < npoints; p++)
    for (int c = 0; c < ncomp; c++) {
      double sum = 0;
      for (int a = 0; a < nodes; a++) sum += basis[p * nodes + a] * u[a * ncomp + c];
      out[p * ncomp + c] = sum;
    }
}

static double magnitude(const double *v, int n) {
  if (n == 1) return v[0];
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

/* A triangle of one cell of a 2D mesh or of one facet of a surface: corner 0 of the ring around it, and two that follow each other. */
static void draw_half(const Scene *scene, int cell, int facet, const int *ring, int corners, int half, SceneDraw draw, void *user) {
  enum { POINTS = (MOST + 1) * (MOST + 2) / 2 };
  const Mesh *mesh = scene->mesh;
  int dim = mesh->dim, f = facet < 0 ? 0 : mesh->facet_local[facet], place[3] = {0, half + 1, half + 2}, local[3], vertex[3];
  bool side[3] = {half == 0, true, half + 3 == corners};    /* of the cell, not between the halves */
  double corner[3][3], x[POINTS][3], values[POINTS * 9];
  for (int i = 0; i < 3; i++) {
    local[i] = ring[place[i]];
    vertex[i] = mesh->cell[(size_t)cell * (size_t)mesh->ref->nverts + (size_t)local[i]];
    memcpy(corner[i], scene->position + 3 * (size_t)vertex[i], sizeof corner[i]);
  }
  bool curved = mesh_is_curved(mesh, cell);
  int n = scene_subdivisions(scene, corner, 3, curved), ncomp = scene->field ? scene->field->ncomp : 0;
  const Table *table = table_of(scene, f, half, local, n);
  if (!table->points || (scene->field && !table->field) || (scene->deform && !table->deform)) return;
  if (scene->field) combine(scene->field, dim, cell, table->npoints, table->field, values);
  double moved[POINTS * 9];
  bool moves = scene->deform && n > 1, bent = n > 1 && (moves || curved);
  if (moves) combine(scene->deform, dim, cell, table->npoints, table->deform, moved);
  int at[MOST + 2], k = 0;
  for (int j = 0; j <= n; j++) {
    at[j] = k;
    for (int i = 0; i + j <= n; i++, k++) {
      double l[3] = {(double)(n - i - j) / n, (double)i / n, (double)j / n}, mapped[3] = {0};
      if (curved) mesh_map(mesh, cell, table->points + k * dim, mapped, NULL);
      for (int c = 0; c < 3; c++) {
        if (!bent) { x[k][c] = l[0] * corner[0][c] + l[1] * corner[1][c] + l[2] * corner[2][c]; continue; }
        x[k][c] = mapped[c];
        for (int a = 0; c < dim && a < 3 && !curved; a++) x[k][c] += l[a] * mesh->x[(size_t)vertex[a] * (size_t)dim + (size_t)c];
        if (moves && c < dim) x[k][c] += scene->deform_scale * moved[k * scene->deform->ncomp + c];
      }
    }
  }
  SceneTriangle t = {.cell = cell, .facet = facet};
  for (int j = 0; j < n; j++)
    for (int i = 0; i + j < n; i++)
      for (int flip = 0; flip < (i + j < n - 1 ? 2 : 1); flip++) {
        int ij[3][2] = {{i + flip, j}, {i + 1, j + flip}, {i, j + 1}};   /* upright: (i,j) (i+1,j) (i,j+1); flipped: (i+1,j) (i+1,j+1) (i,j+1) */
        for (int c = 0; c < 3; c++) {
          int p = at[ij[c][1]] + ij[c][0];
          memcpy(t.x[c], x[p], sizeof x[p]);
          if (ncomp) {
            t.value[c] = magnitude(values + p * ncomp, ncomp);
            for (int d = 0; d < 3; d++) t.vector[c][d] = d < ncomp ? values[p * ncomp + d] : 0;
          }
          if (facet < 0) continue;
          double l[3] = {(double)(n - ij[c][0] - ij[c][1]) / n, (double)ij[c][0] / n, (double)ij[c][1] / n};
          for (int d = 0; d < 3; d++) {
            t.normal[c][d] = 0;
            for (int a = 0; a < 3; a++) t.normal[c][d] += l[a] * (double)scene->normals[facet][place[a]][d];
          }
          unit(t.normal[c]);
        }
        t.edge[0] = !flip && side[0] && j == 0 && vertex[0] < vertex[1];
        t.edge[1] = !flip && side[1] && i + j == n - 1 && vertex[1] < vertex[2];
        t.edge[2] = !flip && side[2] && i == 0 && vertex[2] < vertex[0];
        draw(user, &t);
      }
}

static void draw_patch(const Scene *scene, int cell, int facet, SceneDraw draw, void *user) {
  int ring[4], n = scene_ring(scene->mesh->ref, facet < 0 ? 0 : scene->mesh->facet_local[facet], ring);
  for (int half = 0; half + 2 < n; half++) draw_half(scene, cell, facet, ring, n, half, draw, user);
}

void scene_triangles(const Scene *scene, SceneDraw draw, void *user) {
  const Mesh *mesh = scene->mesh;
  if (scene->sliced) scene_slice_triangles(scene, draw, user);
  else if (mesh->dim == 2)
    for (int e = 0; e < mesh->ncells; e++) draw_patch(scene, e, -1, draw, user);
  else if (mesh->dim == 3)
    for (int f = 0; f < mesh->nboundary; f++) draw_patch(scene, mesh->facet_cell[f], f, draw, user);
}

static void grow_range(void *user, const SceneTriangle *t) {
  Scene *scene = user;
  for (int i = 0; i < 3; i++) {
    scene->value_lo = fmin(scene->value_lo, t->value[i]);
    scene->value_hi = fmax(scene->value_hi, t->value[i]);
  }
}

void scene_range(Scene *scene) {
  scene->value_lo = INFINITY;
  scene->value_hi = -INFINITY;
  scene_triangles(scene, grow_range, scene);
}

/* ---- outlines ---- */

static void outline_2d(const Scene *scene, bool moved, SceneSegment draw, void *user) {
  enum { MOST_PIECES = MOST };
  const Mesh *mesh = scene->mesh;
  for (int f = 0; f < mesh->nfacets; f++) {
    int e = mesh->facet_cell[f], v[4];
    double corner[2][3] = {{0}}, end[2][2];
    mesh_facet_vertices(mesh, f, v);
    for (int i = 0; i < 2; i++) refcell_vertex(mesh->ref, mesh->ref->facet[mesh->facet_local[f]][i], end[i]);
    for (int i = 0; i < 2; i++)
      for (int c = 0; c < 2; c++) corner[i][c] = moved ? scene->position[3 * (size_t)v[i] + (size_t)c] : mesh->x[2 * (size_t)v[i] + (size_t)c];
    bool curved = mesh_is_curved(mesh, e), moves = moved && scene->deform;
    int n = moves || curved ? scene_subdivisions(scene, corner, 2, curved) : 1;
    double points[(MOST_PIECES + 1) * 2], basis[(MOST_PIECES + 1) * NODES], u[(MOST_PIECES + 1) * 9], last[3] = {0}, next[3] = {0};
    for (int k = 0; k <= n; k++)
      for (int c = 0; c < 2; c++) points[2 * k + c] = end[0][c] + (double)k / n * (end[1][c] - end[0][c]);
    if (n > 1 && moves) nodal_at(scene->deform, 2, e, n + 1, points, basis, u);
    for (int k = 0; k <= n; k++) {
      double place[2];
      mesh_map(mesh, e, points + 2 * k, place, NULL);
      for (int c = 0; c < 2; c++) {
        if (n == 1) { next[c] = corner[k][c]; continue; }
        next[c] = place[c] + (moves ? scene->deform_scale * u[k * scene->deform->ncomp + c] : 0);
      }
      if (k) draw(user, last, next, f);
      memcpy(last, next, sizeof last);
    }
  }
}

typedef struct Side { int v[2], facet; } Side;

static int compare_sides(const void *a, const void *b) {
  const Side *s = a, *t = b;
  if (s->v[0] != t->v[0]) return s->v[0] < t->v[0] ? -1 : 1;
  return s->v[1] < t->v[1] ? -1 : s->v[1] > t->v[1];
}

/* Edges where two boundary facets meet at an angle. */
static void outline_3d(const Scene *scene, const double *position, int stride, SceneSegment draw, void *user) {
  const Mesh *mesh = scene->mesh;
  size_t n = 0;
  Side *sides = malloc(sizeof *sides * (4 * (size_t)mesh->nboundary + 1));
  if (!sides) return;
  for (int f = 0; f < mesh->nboundary; f++) {
    int v[4], corners = facet_corners(mesh, f, v);
    for (int i = 0; i < corners; i++) {
      int a = v[i], b = v[(i + 1) % corners];
      sides[n++] = (Side){{a < b ? a : b, a < b ? b : a}, f};
    }
  }
  qsort(sides, n, sizeof *sides, compare_sides);
  for (size_t i = 0; i < n; i++) {
    bool sharp = true;
    if (i + 1 < n && !compare_sides(&sides[i], &sides[i + 1])) {
      double normal[2][3];
      for (int k = 0; k < 2; k++) {
        int v[4];
        facet_corners(mesh, sides[i + (size_t)k].facet, v);
        cross_of(position + stride * v[0], position + stride * v[1], position + stride * v[2], normal[k]);
        unit(normal[k]);
      }
      sharp = dot(normal[0], normal[1]) < CREASE;
      i++;
    }
    if (sharp) draw(user, position + stride * sides[i].v[0], position + stride * sides[i].v[1], -1);
  }
  free(sides);
}

void scene_outline(const Scene *scene, SceneSegment draw, void *user) {
  if (scene->sliced) scene_slice_outline(scene, draw, user);
  else if (scene->mesh->dim == 2) outline_2d(scene, true, draw, user);
  else if (scene->mesh->dim == 3) outline_3d(scene, scene->position, 3, draw, user);
}

void scene_ghost(const Scene *scene, SceneSegment draw, void *user) {
  if (!scene->deform || scene->sliced) return;
  if (scene->mesh->dim == 2) outline_2d(scene, false, draw, user);
  else if (scene->mesh->dim == 3) outline_3d(scene, scene->mesh->x, 3, draw, user);
}
