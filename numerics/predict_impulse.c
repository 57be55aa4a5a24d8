/* Duhamel's sum as a predictor: what a linear, causal, time-invariant model would answer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict_frame.h"

typedef struct Impulse { Predictor base; Predictor *inner; int nhistories; int *history; double *amplitude; } Impulse;

static size_t output_size(const MapSpec *spec, int o) { return (size_t)spec->grid->nnodes * (size_t)spec->outputs[o].ncomp; }

/* The row of sample s with a step in one history and rest in the others. */
static void step_row(const Impulse *f, const double *row, int h, double *out) {
  const MapSpec *spec = f->base.spec;
  int nt = spec->grid->nt;
  memcpy(out, row, (size_t)spec->width * sizeof *out);
  for (int k = 0; k < f->nhistories; k++)
    for (int j = 0; j < nt; j++) out[spec->inputs[f->history[k]].offset + j] = k == h && j > 0 ? f->amplitude[h] : 0;
}

/* out[j] += (a[k] - a[k-1])/amplitude * h[j - k + 1], for all k up to j. */
static void convolve(int nt, size_t each, const double *a, double amplitude, const double *answer, double *out) {
  for (int j = 1; j < nt; j++)
    for (int k = 1; k <= j; k++) {
      double w = (a[k] - a[k - 1]) / amplitude;
      const double *h = answer + (size_t)(j - k + 1) * each;
      if (w == 0) continue;
      for (size_t i = 0; i < each; i++) out[(size_t)j * each + i] += w * h[i];
    }
}

static int impulse_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  Impulse *f = (Impulse *)self;
  const MapSpec *spec = self->spec;
  size_t nt = (size_t)spec->grid->nt, width = (size_t)spec->width;
  double *steps = malloc((size_t)n * width * sizeof *steps), **answer = calloc((size_t)spec->noutputs + 1, sizeof *answer);
  int bad = 0;
  for (int o = 0; o < spec->noutputs; o++) {
    answer[o] = malloc((size_t)n * nt * output_size(spec, o) * sizeof(double));
    memset(out[o], 0, (size_t)n * nt * output_size(spec, o) * sizeof(double));
  }
  self->calls += n;
  for (int h = 0; h < f->nhistories && !bad; h++) {
    for (int s = 0; s < n; s++) step_row(f, rows + (size_t)s * width, h, steps + (size_t)s * width);
    bad = f->inner->ops->predict(f->inner, n, steps, answer, error);
    for (int o = 0; o < spec->noutputs && !bad; o++) {
      size_t each = output_size(spec, o);
      for (int s = 0; s < n; s++)
        convolve((int)nt, each, rows + (size_t)s * width + spec->inputs[f->history[h]].offset, f->amplitude[h], answer[o] + (size_t)s * nt * each, out[o] + (size_t)s * nt * each);
    }
  }
  for (int o = 0; o < spec->noutputs; o++) free(answer[o]);
  free(answer), free(steps);
  return bad;
}

static void impulse_free(Predictor *self) {
  Impulse *f = (Impulse *)self;
  free(f->history), free(f->amplitude);
  free(f);
}

static const PredictorOps impulse_ops = {.kind = "impulse", .batch = 16, .predict = impulse_predict, .free = impulse_free};

Status impulse_open(Predictor *inner, Diags *diags, Span span, Predictor **out) {
  const MapSpec *spec = inner->spec;
  const Grid *grid = spec->grid;
  *out = NULL;
  for (int j = 2; j < grid->nt; j++)
    if (fabs(grid->t[j] - grid->t[j - 1] - (grid->t[1] - grid->t[0])) > 1e-6 * (grid->t[1] - grid->t[0])) {
      diag_report(diags, E3100, span, "steps are added up over evenly spaced times; those of `%s` are not", spec->name);
      return 1;
    }
  Impulse *f = calloc(1, sizeof *f);
  *f = (Impulse){.base = {&impulse_ops, spec, 0}, .inner = inner};
  f->history = calloc((size_t)spec->ninputs + 1, sizeof *f->history), f->amplitude = calloc((size_t)spec->ninputs + 1, sizeof *f->amplitude);
  for (int i = 0; i < spec->ninputs; i++) {
    if (!spec->inputs[i].history) continue;
    double reach = fmax(fabs(spec->inputs[i].lo), fabs(spec->inputs[i].hi));
    f->amplitude[f->nhistories] = reach > 0 ? reach : 1;
    f->history[f->nhistories++] = i;
  }
  *out = &f->base;
  return 0;
}
