/* A predictor of a map as a shared object, with its gradient:
 *
 *     gcc -O2 -shared -fPIC -o predict.so predict.c            (with -I DIR, where pde_predict.h is not on the path)
 *     model mine for slab { library: "./predict.so" }
 *
 * It predicts T = q x (1 - x)/2: one input, one scalar output, steady. */
#include <pde_predict.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Model { int nnodes; double *shape; } Model;

int pde_predict_abi(void) { return PDE_PREDICT_ABI; }

int pde_predict_open(const pde_predict_map *map, void **self, char *error, size_t size) {
  if (map->width != 1 || map->noutputs != 1 || map->components[0] != 1 || map->ntimes) {
    snprintf(error, size, "this model has one input and one scalar output, which is steady");
    return 1;
  }
  Model *model = malloc(sizeof *model);
  *model = (Model){map->nnodes, malloc((size_t)map->nnodes * sizeof(double))};
  for (int i = 0; i < map->nnodes; i++) {
    double x = map->nodes[i * map->dim];
    model->shape[i] = x * (1 - x) / 2;
  }
  *self = model;
  return 0;
}

int pde_predict(void *self, int n, const double *rows, double *const *out, char *error, size_t size) {
  const Model *model = self;
  (void)error, (void)size;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < model->nnodes; i++) out[0][(size_t)k * (size_t)model->nnodes + (size_t)i] = rows[k] * model->shape[i];
  return 0;
}

/* rows_bar += (dT/dq)^T T_bar: with it the search for the worst case has exact gradients. */
int pde_predict_pullback(void *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char *error, size_t size) {
  const Model *model = self;
  (void)rows, (void)error, (void)size;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < model->nnodes; i++) rows_bar[k] += model->shape[i] * out_bar[0][(size_t)k * (size_t)model->nnodes + (size_t)i];
  return 0;
}

void pde_predict_close(void *self) {
  Model *model = self;
  free(model->shape);
  free(model);
}
