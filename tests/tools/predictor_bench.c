/* predictor_bench COMMAND: what a predictor that is a program costs beyond its own work. A map of one input and one scalar output on n nodes; predictions are compared
 * with q x (1 - x)/2. Prints bytes and milliseconds of one exchange, the median of 21, and the fit a + b*MB. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/child.h"
#include "runtime/foreign.h"

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double measure(const char *command, int nodes, int rows, bool *right) {
  enum { TIMES = 21 };
  Diags diags = {0};
  double *x = malloc((size_t)nodes * sizeof *x), none = NAN, seconds[TIMES], *q = malloc((size_t)rows * sizeof *q), *T = malloc((size_t)rows * (size_t)nodes * sizeof *T);
  int *cells = malloc((size_t)nodes * 2 * sizeof *cells);
  for (int i = 0; i < nodes; i++) {
    x[i] = (double)i / (nodes - 1);
    cells[2 * i] = i;
    cells[2 * i + 1] = i + 1;
  }
  Mesh mesh = {.dim = 1, .ncells = nodes - 1, .nverts = nodes};
  Grid grid = {.mesh = &mesh, .element = element_find("P1"), .nnodes = nodes, .cell_node = cells, .x = x, .nt = 1, .t = &none};
  MapInput input = {.name = "q", .lo = 0, .hi = 1};
  MapOutput output = {.name = "T", .shape = SHAPE_SCALAR, .ncomp = 1};
  MapSpec spec = {.name = "slab", .inputs = &input, .ninputs = 1, .width = 1, .outputs = &output, .noutputs = 1, .grid = &grid};
  ForeignOptions options = {.diags = &diags, .timeout = 60};
  Predictor *p = NULL;
  char *error = NULL;
  *right = true;
  if (foreign_process(&spec, command, &options, &p)) {
    fprintf(stderr, "%s\n", diags.items[0]->message);
    exit(1);
  }
  for (int k = 0; k < TIMES; k++) {
    for (int r = 0; r < rows; r++) q[r] = k + r + 0.5;
    double begin = child_clock();
    if (p->ops->predict(p, rows, q, (double *[]){T}, &error)) {
      fprintf(stderr, "%s\n", error);
      exit(1);
    }
    seconds[k] = child_clock() - begin;
    for (int r = 0; r < rows; r++)
      for (int i = 0; i < nodes; i++) *right &= fabs(T[(size_t)r * (size_t)nodes + (size_t)i] - q[r] * (x[i] * (1 - x[i]) / 2)) <= 1e-15 * fabs(q[r]);
  }
  p->ops->free(p);
  free(x);
  free(cells);
  free(q);
  free(T);
  qsort(seconds, TIMES, sizeof *seconds, by_size);
  return seconds[TIMES / 2];
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "predictor_bench COMMAND\n"), 1;
  static const int nodes[] = {11, 1000, 10000, 16384}, rows[] = {1, 8, 13, 64};
  double first = 0, mb = 0, t = 0;
  bool all = true;
  for (int k = 0; k < 4; k++) {
    bool right;
    mb = 8e-6 * nodes[k] * rows[k];
    t = measure(argv[1], nodes[k], rows[k], &right);
    all &= right;
    if (!k) first = t;
    printf("predictor %-8.4g MB  %8.3f ms%s\n", mb, 1e3 * t, right ? "" : "  WRONG");
  }
  printf("predictor %.2f ms + %.2f ms a MB\n", 1e3 * first, 1e3 * (t - first) / mb);
  return !all;
}
