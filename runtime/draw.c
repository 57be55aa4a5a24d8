#include "draw.h"

#include <stdlib.h>
#include <string.h>

#include "../numerics/design.h"
#include "foreign.h"

static void draw_histories(const MapSpec *spec, Draw *draw, double *row, double *a) {
  int nt = spec->grid->nt, width = 0, h = 0;
  for (int i = 0; i < spec->ninputs; i++) width += spec->inputs[i].history ? nt : 0;
  MixtureDraw mixture = mixture_draw(draw, spec->mixture, spec->nbank);
  double *histories = calloc((size_t)width + 1, sizeof *histories);
  mixture_apply(&mixture, spec->bank, width, histories);
  for (int i = 0; i < spec->ninputs; i++)
    if (spec->inputs[i].history) memcpy(row + spec->inputs[i].offset, histories + (size_t)h++ * (size_t)nt, (size_t)nt * sizeof *row);
  free(histories);
  for (int k = 0; a && k < spec->nbank; k++) a[k] = 0;
  for (int k = 0; a && k < mixture.n; k++) a[mixture.member[k]] += mixture.a[k];
}

void draw_row(const MapSpec *spec, uint64_t seed, long sample, int probe, double *row, double *a) {
  Draw draw = draw_open(seed, (uint32_t)probe, (uint64_t)sample);
  for (int i = 0; i < spec->ninputs; i++)
    if (!spec->inputs[i].history) row[spec->inputs[i].offset] = draw_between(&draw, spec->inputs[i].lo, spec->inputs[i].hi);
  if (spec->nbank) draw_histories(spec, &draw, row, a);
}

void draw_rows(const MapSpec *spec, int nprobes, uint64_t seed, long first, int n, double *rows) {
  for (int k = 0; k < n; k++)
    for (int p = 0; p < nprobes; p++) draw_row(spec, seed, first + k, p, rows + ((size_t)k * (size_t)nprobes + (size_t)p) * (size_t)spec->width, NULL);
}

void draw_probes(const Trace *t, int nprobes, uint64_t seed, long first, int n, double *rows) {
  const double *record = NULL;
  int nrecord = 0, width = t->m->spec.width;
  for (int a = 0; a < t->napplies && !record; a++) record = foreign_record_rows(t->applies[a].predictor, &nrecord);
  if (!record) {
    draw_rows(&t->m->spec, nprobes, seed, first, n, rows);
    return;
  }
  for (int k = 0; k < n; k++)
    for (int p = 0; p < nprobes; p++) {
      Draw draw = draw_open(seed, (uint32_t)p, (uint64_t)(first + k));
      memcpy(rows + ((size_t)k * (size_t)nprobes + (size_t)p) * (size_t)width, record + (size_t)draw_below(&draw, nrecord) * (size_t)width, (size_t)width * sizeof *rows);
    }
}
