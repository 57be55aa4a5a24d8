/* A predictor that looks at the order of the nodes: its answer is 1.1 times as large where node 1 is not the neighbour of node 0 on a line of 8 cells. */
#include <math.h>
#include <pde_predict.h>
#include <stdlib.h>

typedef struct Model { int nnodes; double factor, x[64]; } Model;

int pde_predict_abi(void) { return PDE_PREDICT_ABI; }

int pde_predict_open(const pde_predict_map *map, void **self, char *error, size_t size) {
  if (map->nnodes > 64 || map->dim != 1) return 1;
  Model *model = malloc(sizeof *model);
  (void)error, (void)size;
  model->nnodes = map->nnodes;
  model->factor = fabs(map->nodes[1] - map->nodes[0]) < 0.126 ? 1 : 1.1;
  for (int i = 0; i < map->nnodes; i++) model->x[i] = map->nodes[i];
  *self = model;
  return 0;
}

int pde_predict(void *self, int n, const double *rows, double *const *out, char *error, size_t size) {
  const Model *model = self;
  (void)error, (void)size;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < model->nnodes; i++) out[0][k * model->nnodes + i] = model->factor * rows[k] * model->x[i] * (1 - model->x[i]) / 2;
  return 0;
}

void pde_predict_close(void *self) { free(self); }
