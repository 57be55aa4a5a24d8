/* Numbering. Assembly and products with matrices are several times faster where neighbours have near numbers. */
#include <stdlib.h>
#include <string.h>

#include "mesh_build.h"

MeshGraph mesh_vertex_graph(const Mesh *mesh) {
  int m = mesh->ref->nverts, n = mesh->nverts;
  int *first = BIG_ZEROED(int, n + 1), *list = BIG_ARRAY(int, (size_t)mesh->ncells * m), *at = BIG_ARRAY(int, n), *seen = BIG_ARRAY(int, n);
  size_t slots = (size_t)mesh->ncells * m;
  for (size_t i = 0; i < slots; i++) first[mesh->cell[i] + 1]++;
  for (int i = 0; i < n; i++) first[i + 1] += first[i], at[i] = first[i], seen[i] = -1;
  for (size_t i = 0; i < slots; i++) list[at[mesh->cell[i]]++] = (int)(i / m);
  MeshGraph g = {BIG_ARRAY(int, n + 1), NULL};
  for (int pass = 0; pass < 2; pass++) {   /* count, then fill */
    int total = 0;
    for (int i = 0; i < n; i++) seen[i] = -1;
    for (int i = 0; i < n; i++) {
      g.start[i] = total;
      seen[i] = i;
      for (int k = first[i]; k < first[i + 1]; k++) {
        const int *v = mesh->cell + (size_t)list[k] * m;
        for (int q = 0; q < m; q++) {
          if (seen[v[q]] == i) continue;
          seen[v[q]] = i;
          if (pass) g.to[total] = v[q];
          total++;
        }
      }
    }
    g.start[n] = total;
    if (!pass) g.to = BIG_ARRAY(int, total);
  }
  free(first);
  free(list);
  free(at);
  free(seen);
  return g;
}

/* Breadth first from root over vertices with mark[v] == 0; fills order from `from`, each level by rising degree. Returns the end; *levels counts. */
static int breadth_first(const MeshGraph *g, int root, int *order, int from, char *mark, int *levels) {
  int end = from + 1, level_end = end;
  order[from] = root;
  mark[root] = 1;
  *levels = 0;
  for (int i = from; i < end; i++) {
    if (i == level_end) ++*levels, level_end = end;
    int begin = end;
    for (int k = g->start[order[i]]; k < g->start[order[i] + 1]; k++) {
      int v = g->to[k];
      if (mark[v]) continue;
      mark[v] = 1;
      int degree = g->start[v + 1] - g->start[v], j = end++;
      for (; j > begin && g->start[order[j - 1] + 1] - g->start[order[j - 1]] > degree; j--) order[j] = order[j - 1];
      order[j] = v;
    }
  }
  return end;
}

/* Cuthill and McKee (1969) reversed, each component from a vertex at its far end (George and Liu 1979, one sweep at a time while it grows longer). */
static int *cuthill_mckee(const MeshGraph *g, int n) {
  int *order = BIG_ARRAY(int, n), done = 0;
  char *mark = BIG_ZEROED(char, n);
  for (int v = 0; v < n; v++) {
    if (mark[v]) continue;
    int root = v, levels = -1, now, end;
    for (int sweep = 0; sweep < 6; sweep++) {
      end = breadth_first(g, root, order, done, mark, &now);
      if (now <= levels) break;
      levels = now;
      if (sweep == 5) break;
      root = order[end - 1];
      for (int i = done; i < end; i++) mark[order[i]] = 0;
    }
    done = end;
  }
  free(mark);
  for (int i = 0; i < n / 2; i++) {
    int t = order[i];
    order[i] = order[n - 1 - i];
    order[n - 1 - i] = t;
  }
  return order;
}

/* Cells by their lowest vertex, then by their order before. */
static int *sorted_cells(const Mesh *mesh) {
  int m = mesh->ref->nverts, *first = BIG_ZEROED(int, mesh->nverts + 1), *order = BIG_ARRAY(int, mesh->ncells), *least = BIG_ARRAY(int, mesh->ncells);
  for (int c = 0; c < mesh->ncells; c++) {
    const int *v = mesh->cell + (size_t)c * m;
    least[c] = v[0];
    for (int q = 1; q < m; q++)
      if (v[q] < least[c]) least[c] = v[q];
    first[least[c] + 1]++;
  }
  for (int i = 0; i < mesh->nverts; i++) first[i + 1] += first[i];
  for (int c = 0; c < mesh->ncells; c++) order[first[least[c]]++] = c;
  free(first);
  free(least);
  return order;
}

void mesh_reorder(Mesh *mesh, int **old_vertex, int **old_cell) {
  int m = mesh->ref->nverts, dim = mesh->dim, n = mesh->nverts;
  MeshGraph g = mesh_vertex_graph(mesh);
  int *order = cuthill_mckee(&g, n), *number = BIG_ARRAY(int, n);
  free(g.start);
  free(g.to);
  double *x = BIG_ARRAY(double, (size_t)n * dim);
  for (int i = 0; i < n; i++) {
    number[order[i]] = i;
    memcpy(x + (size_t)i * dim, mesh->x + (size_t)order[i] * dim, (size_t)dim * sizeof *x);
  }
  free(mesh->x);
  mesh->x = x;
  for (size_t i = 0; i < (size_t)mesh->ncells * m; i++) mesh->cell[i] = number[mesh->cell[i]];
  int *cells = sorted_cells(mesh), *cell = BIG_ARRAY(int, (size_t)mesh->ncells * m);
  for (int c = 0; c < mesh->ncells; c++) memcpy(cell + (size_t)c * m, mesh->cell + (size_t)cells[c] * m, (size_t)m * sizeof *cell);
  free(mesh->cell);
  mesh->cell = cell;
  free(number);
  if (old_vertex) *old_vertex = order;
  else free(order);
  if (old_cell) *old_cell = cells;
  else free(cells);
}
