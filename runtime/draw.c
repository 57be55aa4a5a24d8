#include "draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): its state is a counter, so a sample is found without those before it. */
typedef struct Stream { uint64_t state; } Stream;

static uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double uniform(Stream *s) { return (double)(mixed(s->state += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53; }

static Stream stream_of(uint64_t seed, long sample, int probe) {
  return (Stream){mixed(mixed(seed + 0x9e3779b97f4a7c15u) ^ ((uint64_t)sample * 0xd1342543de82ef95u)) + (uint64_t)probe * 0xda942042e4dd58b5u};
}

enum { MIXED_MOST = 4 };

/* A member of the bank every fourth time, else a mixture of up to MIXED_MOST: coefficients uniform on the simplex, with signs and a common
 * factor below 1 where the mixture is balanced. */
static void draw_histories(const MapSpec *spec, Stream *s, int width, double *out, double *coefficients) {
  int at[MIXED_MOST], n = spec->mixture == MIXTURE_NONE || spec->nbank == 1 || uniform(s) < 0.25 ? 1 : 2 + (int)(uniform(s) * (MIXED_MOST - 1));
  double weight[MIXED_MOST], sum = 0, factor = 1;
  for (int k = 0; k < n; k++) {
    at[k] = (int)(uniform(s) * spec->nbank);
    weight[k] = n == 1 ? 1 : -log(1 - uniform(s));
    sum += weight[k];
  }
  if (n > 1 && spec->mixture == MIXTURE_BALANCED) factor = pow(uniform(s), 1.0 / n);
  memset(out, 0, (size_t)width * sizeof *out);
  for (int k = 0; k < n; k++) {
    double a = factor * weight[k] / sum * (n > 1 && spec->mixture == MIXTURE_BALANCED && uniform(s) < 0.5 ? -1 : 1);
    if (coefficients) coefficients[at[k]] += a;
    const double *member = spec->bank + (size_t)at[k] * (size_t)width;
    for (int i = 0; i < width; i++) out[i] += a * member[i];
  }
}

static void draw_probe(const MapSpec *spec, Stream *s, double *row, double *coefficients) {
  int nt = spec->grid->nt, width = 0, h = 0;
  for (int i = 0; i < spec->ninputs; i++) width += spec->inputs[i].history ? nt : 0;
  double *histories = calloc((size_t)width + 1, sizeof *histories);
  for (int i = 0; i < spec->ninputs; i++) {
    const MapInput *input = &spec->inputs[i];
    if (!input->history) row[input->offset] = input->lo + (input->hi - input->lo) * uniform(s);
  }
  if (width && spec->nbank) draw_histories(spec, s, width, histories, coefficients);
  for (int i = 0; i < spec->ninputs; i++)
    if (spec->inputs[i].history) memcpy(row + spec->inputs[i].offset, histories + (size_t)h++ * (size_t)nt, (size_t)nt * sizeof *row);
  free(histories);
}

void draw_row(const MapSpec *spec, uint64_t seed, long sample, int probe, double *row, double *a) {
  Stream s = stream_of(seed, sample, probe);
  for (int k = 0; a && k < spec->nbank; k++) a[k] = 0;
  draw_probe(spec, &s, row, a);
}

void draw_rows(const MapSpec *spec, int nprobes, uint64_t seed, long first, int n, double *rows) {
  for (int k = 0; k < n; k++)
    for (int p = 0; p < nprobes; p++) draw_row(spec, seed, first + k, p, rows + ((size_t)k * (size_t)nprobes + (size_t)p) * (size_t)spec->width, NULL);
}

static const double *recorded_rows(const Trace *t, int *n) {
  const double *record = t->rows_from ? foreign_record_rows(t->rows_from, n) : NULL;
  for (int a = 0; a < t->napplies && !record; a++) record = foreign_record_rows(t->applies[a].predictor, n);
  return record;
}

bool draw_is_recorded(const Trace *t) {
  int n;
  return recorded_rows(t, &n) != NULL;
}

void draw_probes(const Trace *t, int nprobes, uint64_t seed, long first, int n, double *rows) {
  int nrecord = 0, width = t->m->spec.width;
  const double *record = recorded_rows(t, &nrecord);
  if (!record) {
    draw_rows(&t->m->spec, nprobes, seed, first, n, rows);
    return;
  }
  for (int k = 0; k < n; k++)
    for (int p = 0; p < nprobes; p++) {
      Stream s = stream_of(seed, first + k, p);
      memcpy(rows + ((size_t)k * (size_t)nprobes + (size_t)p) * (size_t)width, record + (size_t)(uniform(&s) * nrecord) * (size_t)width, (size_t)width * sizeof *rows);
    }
}
