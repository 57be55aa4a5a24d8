#include "predictor_rounded.h"

#include <math.h>
#include <stdlib.h>

typedef struct Rounded { Predictor base; Predictor *inner; bool single; } Rounded;

static double to_52_bits(double x) {
  int e;
  double m = frexp(x, &e);
  return isfinite(x) ? ldexp(rint(ldexp(m, 52)), e - 52) : x;
}

static int rounded_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  const Rounded *r = (const Rounded *)self;
  const MapSpec *spec = self->spec;
  int bad = r->inner->ops->predict(r->inner, n, rows, out, error);
  self->calls += n;
  for (int o = 0; o < spec->noutputs && !bad; o++) {
    size_t values = (size_t)n * (size_t)spec->grid->nt * (size_t)spec->grid->nnodes * (size_t)spec->outputs[o].ncomp;
    for (size_t i = 0; i < values; i++) out[o][i] = r->single ? (double)(float)out[o][i] : to_52_bits(out[o][i]);
  }
  return bad;
}

static void rounded_free(Predictor *self) { free(self); }

static const PredictorOps rounded_ops = {.kind = "rounded", .batch = 16, .predict = rounded_predict, .free = rounded_free};

Predictor *predictor_rounded(Predictor *inner, bool single) {
  Rounded *r = calloc(1, sizeof *r);
  *r = (Rounded){.base = {.ops = &rounded_ops, .spec = inner->spec, .name = inner->name}, .inner = inner, .single = single};
  return &r->base;
}
