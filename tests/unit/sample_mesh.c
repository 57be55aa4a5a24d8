#include "sample_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_names[] = {"left", "right", "bottom", "top", "front", "back", "hole"};
enum { SIDES = 7 };

typedef struct Facet { int v[3], cell, local; } Facet;

static int compare_facets(const void *a, const void *b) {
  return memcmp(((const Facet *)a)->v, ((const Facet *)b)->v, sizeof((Facet *)0)->v);
}

static void sort3(int *v, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (v[j] < v[i]) { int t = v[i]; v[i] = v[j]; v[j] = t; }
}

static double volume(const Mesh *m, int e) {
  double a[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int *v = m->cell + (size_t)e * (size_t)(m->dim + 1);
  for (int i = 0; i < m->dim; i++)
    for (int c = 0; c < m->dim; c++) a[i][c] = m->x[v[i + 1] * m->dim + c] - m->x[v[0] * m->dim + c];
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* Boundary facets by sorting; the side of each from the reference coordinates of its vertices. */
static void find_facets(Mesh *m, const double *reference) {
  int dim = m->dim, per = dim + 1;
  size_t total = (size_t)m->ncells * (size_t)per;
  Facet *all = calloc(total, sizeof *all);
  for (int e = 0; e < m->ncells; e++)
    for (int f = 0; f < per; f++) {
      Facet *facet = &all[(size_t)e * (size_t)per + (size_t)f];
      int k = 0;
      for (int a = 0; a < per; a++)
        if (a != f) facet->v[k++] = m->cell[e * per + a];
      sort3(facet->v, dim);
      facet->cell = e;
      facet->local = f;
    }
  qsort(all, total, sizeof *all, compare_facets);
  m->facet_cell = malloc(sizeof(int) * total);
  m->facet_cell2 = malloc(sizeof(int) * total);
  m->facet_local = malloc(sizeof(int) * total);
  m->groups = calloc(SIDES, sizeof *m->groups);
  for (int s = 0; s < SIDES; s++) m->groups[s] = (MeshGroup){.name = side_names[s], .dim = dim - 1, .entity = malloc(sizeof(int) * total)};
  for (size_t i = 0; i < total; i++) {
    if (i + 1 < total && !compare_facets(&all[i], &all[i + 1])) { i++; continue; }
    int f = m->nfacets++, side = SIDES - 1;
    m->facet_cell[f] = all[i].cell;
    m->facet_cell2[f] = -1;
    m->facet_local[f] = all[i].local;
    for (int s = 0; s < 2 * dim; s++) {
      bool on = true;
      for (int k = 0; k < dim; k++) on = on && fabs(reference[all[i].v[k] * dim + s / 2] - s % 2) < 1e-9;
      if (on) side = s;
    }
    m->groups[side].entity[m->groups[side].n++] = f;
  }
  m->nboundary = m->nfacets;
  for (int s = 0; s < SIDES; s++)
    if (m->groups[s].n) { m->groups[s].count = m->groups[s].n; m->groups[m->ngroups++] = m->groups[s]; }
    else free(m->groups[s].entity);
  free(all);
}

Mesh *sample_mesh(int dim, const int *n, SampleMap map, bool periodic, bool (*keep)(const double *centre)) {
  static const int split1[1][4] = {{0, 1}}, split2[2][4] = {{0, 1, 3}, {0, 3, 2}};
  static const int split3[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  int size[3] = {1, 1, 1}, cells[3] = {1, 1, 1}, pieces = dim == 1 ? 1 : dim == 2 ? 2 : 6;
  for (int d = 0; d < dim; d++) { cells[d] = n[d]; size[d] = n[d] + (d || !periodic); }
  Mesh *m = calloc(1, sizeof *m);
  m->refs = 1;
  m->dim = dim;
  m->ref = refcell_of(CELL_SIMPLEX, dim);
  m->nranks = 1;
  m->nverts = size[0] * size[1] * size[2];
  double *reference = malloc(sizeof(double) * (size_t)(m->nverts * dim));
  m->x = malloc(sizeof(double) * (size_t)(m->nverts * dim));
  for (int v = 0; v < m->nverts; v++) {
    int at[3] = {v % size[0], v / size[0] % size[1], v / size[0] / size[1]};
    for (int d = 0; d < dim; d++) reference[v * dim + d] = (double)at[d] / n[d] + (d == 0 && periodic ? 1e-3 : 0);
    memcpy(m->x + v * dim, reference + v * dim, sizeof(double) * (size_t)dim);
    if (map) map(m->x + v * dim);
  }
  m->cell = malloc(sizeof(int) * (size_t)(cells[0] * cells[1] * cells[2] * pieces * (dim + 1)));
  for (int k = 0; k < cells[2]; k++)
    for (int j = 0; j < cells[1]; j++)
      for (int i = 0; i < cells[0]; i++) {
        int corner[8];
        for (int c = 0; c < 8; c++) {
          int a = (i + (c & 1)) % size[0], b = (j + (c >> 1 & 1)) % size[1], d = (k + (c >> 2)) % size[2];
          corner[c] = a + size[0] * (b + size[1] * d);
        }
        for (int p = 0; p < pieces; p++) {
          const int *split = dim == 1 ? split1[p] : dim == 2 ? split2[p] : split3[p];
          int *v = m->cell + m->ncells * (dim + 1);
          double centre[3] = {0};
          for (int a = 0; a <= dim; a++) {
            v[a] = corner[split[a]];
            for (int d = 0; d < dim; d++) centre[d] += m->x[v[a] * dim + d] / (dim + 1);
          }
          if (keep && !keep(centre)) continue;
          m->ncells++;
          if (volume(m, m->ncells - 1) < 0) { int t = v[dim]; v[dim] = v[dim - 1]; v[dim - 1] = t; }
        }
      }
  find_facets(m, reference);
  free(reference);
  for (int d = 0; d < dim; d++) { m->lo[d] = INFINITY; m->hi[d] = -INFINITY; }
  for (int v = 0; v < m->nverts; v++)
    for (int d = 0; d < dim; d++) {
      m->lo[d] = fmin(m->lo[d], m->x[v * dim + d]);
      m->hi[d] = fmax(m->hi[d], m->x[v * dim + d]);
    }
  for (int e = 0; e < m->ncells; e++)
    for (int a = 0; a <= dim; a++)
      for (int b = 0; b < a; b++) {
        double sum = 0;
        for (int d = 0; d < dim; d++) sum += pow(m->x[m->cell[e * (dim + 1) + a] * dim + d] - m->x[m->cell[e * (dim + 1) + b] * dim + d], 2);
        m->h_max = fmax(m->h_max, sqrt(sum));
      }
  m->global_verts = m->nverts;
  m->global_cells = m->ncells;
  return m;
}

void sample_mesh_free(Mesh *m) {
  for (int g = 0; g < m->ngroups; g++) free(m->groups[g].entity);
  free(m->groups); free(m->x); free(m->cell); free(m->facet_cell); free(m->facet_cell2); free(m->facet_local);
  free(m->edge); free(m->cell_edge); free(m->face); free(m->cell_face); free(m->region);
  free(m);
}

NodalField sample_field(Mesh *mesh, const char *element, int ncomp, void (*f)(const double *x, double *out)) {
  int dim = mesh->dim;
  NodalField field = {.name = "u", .ncomp = ncomp, .element = element_find(element)};
  field.shape = ncomp == 1 ? SHAPE_SCALAR : ncomp == dim * dim ? shape_tensor(dim, dim) : shape_vector(ncomp);
  int nodes = element_nodes(field.element, dim), *layout = nodal_layout(mesh, field.element, &field.nnodes);
  double *values = malloc(sizeof(double) * (size_t)(field.nnodes * ncomp)), points[20 * 3];
  field.element->nodes(dim, points);
  for (int e = 0; e < mesh->ncells; e++)
    for (int a = 0; a < nodes; a++) {
      double x[3] = {0}, l[4] = {1};
      for (int d = 0; d < dim; d++) { l[d + 1] = points[a * dim + d]; l[0] -= l[d + 1]; }
      for (int b = 0; b <= dim; b++)
        for (int d = 0; d < dim; d++) x[d] += l[b] * mesh->x[mesh->cell[e * (dim + 1) + b] * dim + d];
      f(x, values + layout[e * nodes + a] * ncomp);
    }
  field.cell_node = layout;
  field.values = values;
  return field;
}

void sample_field_free(NodalField *field) {
  free((int *)field->cell_node);
  free((double *)field->values);
}
