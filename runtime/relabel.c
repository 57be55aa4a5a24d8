#include "relabel.h"

#include <stdlib.h>
#include <string.h>

typedef struct Relabelled {
  Predictor base;
  Predictor *inner;
  MapSpec spec;                /* as the map's, but its grid */
  Grid grid;                   /* x and cell_node are its own */
  int *number;                 /* of each node of the map: its number here */
} Relabelled;

static int common_divisor(int a, int b) { return b ? common_divisor(b, a % b) : a; }

/* Node i becomes step*i mod n: near nodes part. */
static int *renumber(int n) {
  int step = (int)(0.618 * n) + 1, *number = malloc(sizeof *number * (size_t)n);
  while (common_divisor(n, step) > 1) step++;
  for (int i = 0; i < n; i++) number[i] = (int)((long)step * i % n);
  return number;
}

static void renumber_grid(Relabelled *r, const Grid *from) {
  int n = from->nnodes, dim = from->mesh->dim, entries = from->mesh->ncells * element_nodes(from->element, dim);
  r->grid = *from;
  r->number = renumber(n);
  r->grid.x = malloc(sizeof(double) * (size_t)n * (size_t)dim);
  r->grid.cell_node = malloc(sizeof(int) * (size_t)entries);
  for (int i = 0; i < n; i++) memcpy(&r->grid.x[r->number[i] * dim], &from->x[i * dim], sizeof(double) * (size_t)dim);
  for (int k = 0; k < entries; k++) r->grid.cell_node[k] = r->number[from->cell_node[k]];
}

static int relabelled_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  Relabelled *r = (Relabelled *)self;
  const MapSpec *spec = self->spec;
  size_t nodes = (size_t)spec->grid->nnodes, times = (size_t)n * (size_t)spec->grid->nt;
  double **in = calloc((size_t)spec->noutputs + 1, sizeof *in);
  for (int o = 0; o < spec->noutputs; o++) in[o] = malloc(sizeof(double) * times * nodes * (size_t)spec->outputs[o].ncomp);
  int bad = r->inner->ops->predict(r->inner, n, rows, in, error);
  self->calls += n;
  for (int o = 0; o < spec->noutputs; o++) {
    size_t nc = (size_t)spec->outputs[o].ncomp;
    for (size_t j = 0; j < times && !bad; j++)
      for (size_t i = 0; i < nodes; i++) memcpy(&out[o][(j * nodes + i) * nc], &in[o][(j * nodes + (size_t)r->number[i]) * nc], sizeof(double) * nc);
    free(in[o]);
  }
  free(in);
  return bad;
}

static void relabelled_free(Predictor *self) {
  Relabelled *r = (Relabelled *)self;
  if (r->inner) r->inner->ops->free(r->inner);
  free(r->grid.x);
  free(r->grid.cell_node);
  free(r->number);
  free(r);
}

static const PredictorOps ops = {.kind = "relabelled", .batch = 16, .predict = relabelled_predict, .free = relabelled_free};

bool can_be_relabelled(const Value *model) { return model->kind == VALUE_MODEL && !model->model->of && strcmp(model->model->kind, "record"); }

Predictor *relabelled_predictor(Eval *ev, ModelValue *of, Span span) {
  Relabelled *r = calloc(1, sizeof *r);
  const MapSpec *spec = &of->map->map->spec;
  renumber_grid(r, spec->grid);
  r->spec = *spec;
  r->spec.grid = &r->grid;
  r->base = (Predictor){&ops, spec, 0, of->name};
  r->inner = model_predictor(ev, of, &r->spec, span);
  if (r->inner) return &r->base;
  relabelled_free(&r->base);
  return NULL;
}
