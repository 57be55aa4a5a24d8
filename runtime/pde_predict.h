/* A predictor of a map as a shared object: model NAME for MAP { library: "./p.so" }. The object exports the functions declared here; it is
 * compiled against this header alone and linked with nothing of ours:
 *
 *     gcc -O2 -shared -fPIC -o p.so p.c
 *
 * Fields are predicted at the nodes and times of the map's grid, numbers are in SI units. Everything of the map stays valid until pde_predict_close.
 * Calls come one at a time, from one thread, for one `self` after the other as pde pleases. It runs in the process of pde: what crashes here, crashes there. */
#ifndef PDE_PREDICT_H
#define PDE_PREDICT_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PDE_PREDICT_ABI 1
#define PDE_PREDICT_EXPORT __attribute__((visibility("default")))

typedef struct pde_predict_map {
  int abi;                       /* PDE_PREDICT_ABI of the caller */
  const char *json;              /* {"name": .., "width": .., "inputs": [{"name", "unit", "min", "max", "history", "offset", "length"}], "outputs": [{"name", "unit",
                                    "shape", "components"}], "dim", "nodes", "times", "cells", "element"}; as for programs, docs/predictors.md */
  int width;                     /* numbers in a row of inputs: one for a number, one for each time for a history */
  int noutputs;
  const int *components;         /* [noutputs] */
  int dim, nnodes;
  const double *nodes;           /* [nnodes][dim] */
  int ntimes;                    /* 0: steady */
  const double *times;           /* [ntimes] */
  int ncells, cell_nodes;
  const int *cells;              /* [ncells][cell_nodes] numbers of nodes: vertices first */
} pde_predict_map;

/* PDE_PREDICT_ABI of the object. Another number than the caller's: it is refused. */
PDE_PREDICT_EXPORT int pde_predict_abi(void);
/* All return 0, or not 0 after writing why into error[size] (NUL-terminated; empty is fine). */
PDE_PREDICT_EXPORT int pde_predict_open(const pde_predict_map *map, void **self, char *error, size_t size);
/* rows [n][width]; out[o] is [n][ntimes or 1][nnodes][components[o]], to be filled. */
PDE_PREDICT_EXPORT int pde_predict(void *self, int n, const double *rows, double *const *out, char *error, size_t size);
/* Optional. rows_bar [n][width] += (d out/d rows)^T out_bar: with it an adversary has exact gradients. */
PDE_PREDICT_EXPORT int pde_predict_pullback(void *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char *error, size_t size);
PDE_PREDICT_EXPORT void pde_predict_close(void *self);

#ifdef __cplusplus
}
#endif
#endif
