/* A tape in reverse: from one target back through reductions, predictions and arguments to the rows of the probes. Every step adds to the bars of what it
 * was made of: of sources (rows, reductions) and of the nodal values that were predicted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"
#include "tape_adjoint.h"

enum { CHUNK = 1024 };

typedef struct Reverse {
  TapeRun *run;
  const bool *needs;
  double smooth;
  double *gradient;        /* [n][nprobes*width] */
} Reverse;

/* --- sources --- */

static void add_to_source(const Reverse *rev, int source, int sample, double time, double bar) {
  TapeRun *run = rev->run;
  const Grid *grid = run->grid;
  const TapeSource *s = &run->source[source];
  Blend blend = {1, {0}, {1}};
  double *to;
  if (bar == 0) return;
  if (s->kind == FROM_REDUCE) {
    ReduceRun *r = &run->reduce[s->index];
    to = r->bar + (size_t)sample * (size_t)r->nvalues;
    if (r->nvalues > 1) blend_linear(grid->t, grid->nt, time, false, &blend);
  } else {
    const TapeInput *leaf = &run->tape->inputs[s->index];
    const MapInput *input = &run->spec->inputs[leaf->input];
    to = rev->gradient + ((size_t)sample * (size_t)run->tape->nprobes + (size_t)leaf->probe) * (size_t)run->spec->width + input->offset;
    if (input->history && grid->nt > 1) blend_linear(grid->t, grid->nt, time + leaf->shift, true, &blend);
  }
  for (int k = 0; k < blend.n; k++) to[blend.at[k]] += blend.weight[k] * bar;
}

/* Outputs of a program whose inputs are rows, over samples and times: a fresh array [nout][n*ntimes]. */
static double *run_slopes(TapeRun *run, Program *program, int n, int ntimes, const double *time) {
  size_t lanes = (size_t)n * (size_t)ntimes;
  const double **in = malloc(sizeof(double *) * ((size_t)program->nin + 1));
  double *memory = tape_fill(run, program, n, ntimes, time, in), *p = malloc(sizeof(double) * ((size_t)program->np + 1));
  double *values = malloc(sizeof(double) * (lanes * (size_t)program->nout + 1)), **out = malloc(sizeof(double *) * ((size_t)program->nout + 1));
  for (int k = 0; k < program->nout; k++) out[k] = values + lanes * (size_t)k;
  tape_params(run, program->param, program->np, 0, NAN, p);
  program_run(program, (int)lanes, in, p, out);
  free(in), free(memory), free(p), free(out);
  return values;
}

/* --- nodal values --- */

/* Arrays for the bars of a reduction's fields at time j: those of the predictions themselves where a state is one of them, else zeroed scratch. */
static void open_bars(TapeRun *run, const ReduceRun *r, int sample, int j, double *scratch, double **bar) {
  for (int f = 0; f < r->fields.n; f++) {
    const TapeField *field = &r->fields.item[f];
    const Blend *blend = &r->blend[j * r->fields.n + f];
    size_t each = (size_t)run->grid->nnodes * (size_t)tape_output(run, field)->ncomp;
    if (blend->n == 1 && blend->weight[0] == 1) {
      bar[f] = run->apply[field->apply].bar[field->output] + ((size_t)sample * (size_t)run->grid->nt + (size_t)blend->at[0]) * each;
      continue;
    }
    bar[f] = memset(scratch, 0, sizeof(double) * each);
    scratch += each;
  }
}

static void close_bars(TapeRun *run, const ReduceRun *r, int sample, int j, double *const *bar) {
  for (int f = 0; f < r->fields.n; f++) {
    const TapeField *field = &r->fields.item[f];
    const Blend *blend = &r->blend[j * r->fields.n + f];
    size_t each = (size_t)run->grid->nnodes * (size_t)tape_output(run, field)->ncomp;
    double *to = run->apply[field->apply].bar[field->output] + (size_t)sample * (size_t)run->grid->nt * each;
    if (blend->n == 1 && blend->weight[0] == 1) continue;
    for (int k = 0; k < blend->n; k++)
      for (size_t i = 0; i < each; i++) to[(size_t)blend->at[k] * each + i] += blend->weight[k] * bar[f][i];
  }
}

static double *bar_scratch(const TapeRun *run, const ReduceRun *r) {
  size_t most = 1;
  for (int f = 0; f < r->fields.n; f++) most += (size_t)run->grid->nnodes * (size_t)tape_output(run, &r->fields.item[f])->ncomp;
  return malloc(sizeof(double) * most);
}

/* --- integrals --- */

static double weight_of(const ReduceRun *r, int sample, int j) {
  const double *bar = r->bar + (size_t)sample * (size_t)r->nvalues;
  return r->nvalues > 1 ? bar[j] : bar[0] * r->plan.weight[j];
}

static Status reverse_integral(const Reverse *rev, ReduceRun *r, int sample) {
  TapeRun *run = rev->run;
  ReduceAdjoint *a = r->adjoint;
  const double *field[64];
  double *bar[64], *scratch = bar_scratch(run, r), *slope = malloc(sizeof(double) * ((size_t)a->nby + 1));
  Status status = 0;
  for (int j = 0; j < r->plan.n && !status; j++) {
    double weight = weight_of(r, sample, j), time = r->plan.time[j];
    if (weight == 0) continue;
    tape_fields(run, r, sample, j, field);
    if (a->numbers) {
      status = measure_numbers(run, a->numbers, sample, time, j, field, slope);
      for (int k = 0; k < a->nby && !status; k++) add_to_source(rev, a->by[k], sample, time, weight * slope[k]);
    }
    if (!a->vector || status) continue;
    open_bars(run, r, sample, j, scratch, bar);
    status = measure_vector(run, a->vector, sample, time, j, field, weight, bar);
    close_bars(run, r, sample, j, bar);
  }
  free(scratch), free(slope);
  return status;
}

/* --- extrema --- */

/* d largest/d v[i]. Of the smooth one too through its sharpness, which is relative to the largest size. */
static void largest_slopes(const double *v, int n, double sign, double smooth, double *weight) {
  int at;
  double value = tape_largest(v, n, sign, 0, &at), size = 0;
  int widest = 0;
  memset(weight, 0, sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    if (fabs(v[i]) > size) size = fabs(v[i]), widest = i;
  if (!(smooth > 0) || size == 0) {
    weight[at] = 1;
    return;
  }
  double sharpness = smooth / size, sum = 0, mean = 0;
  for (int i = 0; i < n; i++) sum += weight[i] = smooth_weight(sharpness * sign * (v[i] - value));
  for (int i = 0; i < n; i++) weight[i] /= sum, mean += weight[i] * v[i];
  weight[widest] += (tape_largest(v, n, sign, smooth, &at) - mean) / size * (v[widest] > 0 ? 1 : -1);
}

static void scatter_points(const TapeRun *run, const ReduceRun *r, const ExtremumTerm *term, int from, int n, const double *weight, double *bar) {
  const Extremum *e = r->adjoint->slopes;
  int m = tape_output(run, &r->fields.item[term->field])->ncomp;
  for (int p = 0; p < n; p++) {
    if (weight[p] == 0) continue;
    const int *node = run->grid->cell_node + (size_t)e->cell[from + p] * (size_t)e->per;
    const double *coef = term->coef + (size_t)(from + p) * (size_t)e->per;
    for (int a = 0; a < e->per; a++) bar[(size_t)node[a] * (size_t)m + (size_t)term->component] += coef[a] * weight[p];
  }
}

/* weight [points] at time j. */
static Status reverse_points(const Reverse *rev, ReduceRun *r, int sample, int j, const double *weight, double *scratch) {
  TapeRun *run = rev->run;
  ReduceAdjoint *a = r->adjoint;
  Extremum *e = a->slopes;
  const double *field[64];
  double *bar[64], time = r->plan.time[j];
  if (!e) return 0;      /* nothing varies */
  int nout = e->program->nout;
  double *values = malloc(sizeof(double) * CHUNK * (size_t)nout), **out = malloc(sizeof(double *) * (size_t)nout);
  Status status = 0;
  tape_fields(run, r, sample, j, field);
  open_bars(run, r, sample, j, scratch, bar);
  for (int at = 0; at < e->n && !status; at += CHUNK) {
    int last = e->n - at < CHUNK ? e->n : at + CHUNK, from = at;
    while (from < last && weight[from] == 0) from++;
    while (last > from && weight[last - 1] == 0) last--;
    int n = last - from;
    if (!n) continue;
    for (int k = 0; k < nout; k++) out[k] = values + (size_t)n * (size_t)k;
    status = extremum_values(run, e, &r->fields, sample, time, j, field, from, n, out);
    for (int k = 0; k < nout && !status; k++) {
      double sum = 0;
      for (int p = 0; p < n; p++) sum += out[k][p] = weight[from + p] == 0 ? 0 : out[k][p] * weight[from + p];
      if (k < a->nby) add_to_source(rev, a->by[k], sample, time, sum);
      else scatter_points(run, r, &a->term[k - a->nby], from, n, out[k], bar[a->term[k - a->nby].field]);
    }
  }
  close_bars(run, r, sample, j, bar);
  free(values), free(out);
  return status;
}

static Status reverse_extremum(const Reverse *rev, ReduceRun *r, int sample) {
  TapeRun *run = rev->run;
  int n = r->extremum->n, nt = r->plan.n, groups = r->nvalues > 1 ? nt : 1, each = r->nvalues > 1 ? 1 : nt;
  double sign = r->from->kind == REDUCE_MAX ? 1 : -1, *scratch = bar_scratch(run, r);
  double *values = malloc(sizeof(double) * (size_t)n * (size_t)each), *weight = malloc(sizeof(double) * (size_t)n * (size_t)each);
  const double *field[64];
  Status status = 0;
  for (int g = 0; g < groups && !status; g++) {
    double bar = r->bar[(size_t)sample * (size_t)r->nvalues + (size_t)g];
    if (bar == 0) continue;
    for (int k = 0; k < each && !status; k++) {
      double *to = values + (size_t)k * (size_t)n;
      tape_fields(run, r, sample, g + k, field);
      status = extremum_values(run, r->extremum, &r->fields, sample, r->plan.time[g + k], g + k, field, 0, n, &to);
    }
    largest_slopes(values, n * each, sign, rev->smooth, weight);
    for (int i = 0; i < n * each; i++) weight[i] = fabs(weight[i]) < 1e-14 ? 0 : weight[i] * bar;
    for (int k = 0; k < each && !status; k++) status = reverse_points(rev, r, sample, g + k, weight + (size_t)k * (size_t)n, scratch);
  }
  free(values), free(weight), free(scratch);
  return status;
}

/* --- functions of time --- */

static void reverse_series(const Reverse *rev, ReduceRun *r, int n) {
  TapeRun *run = rev->run;
  ReduceAdjoint *a = r->adjoint;
  int nt = r->plan.n;
  size_t lanes = (size_t)n * (size_t)nt;
  if (!a->program) return;
  double *slope = run_slopes(run, a->program, n, nt, r->plan.time), *weight = malloc(sizeof(double) * (size_t)nt);
  double *values = r->from->kind == REDUCE_INTEGRAL ? NULL : run_slopes(run, r->program, n, nt, r->plan.time);
  for (int s = 0; s < n; s++) {
    if (run->failed[s]) continue;
    const double *bar = r->bar + (size_t)s * (size_t)r->nvalues;
    if (r->nvalues == 1 && values) largest_slopes(values + (size_t)s * (size_t)nt, nt, r->from->kind == REDUCE_MAX ? 1 : -1, rev->smooth, weight);
    for (int j = 0; j < nt; j++) {
      double w = r->nvalues > 1 ? bar[j] : bar[0] * (values ? weight[j] : r->plan.weight[j]);
      for (int k = 0; k < a->nby; k++) add_to_source(rev, a->by[k], s, r->plan.time[j], w == 0 ? 0 : w * slope[lanes * (size_t)k + (size_t)s * (size_t)nt + (size_t)j]);
    }
  }
  free(slope), free(weight), free(values);
}

static void reverse_reduce(const Reverse *rev, ReduceRun *r, int n) {
  TapeRun *run = rev->run;
  if (r->program) reverse_series(rev, r, n);
  for (int s = 0; s < n && !r->program; s++) {
    if (run->failed[s]) continue;
    if (r->measure ? reverse_integral(rev, r, s) : reverse_extremum(rev, r, s)) tape_fail(run, s, "the gradient of an integral could not be taken");
  }
}

/* --- applications --- */

static void reverse_arguments(const Reverse *rev, ApplyRun *a, const ArgumentSlopes *slopes, int n, int ntimes) {
  TapeRun *run = rev->run;
  const MapSpec *spec = a->from->predictor->spec;
  size_t lanes = (size_t)n * (size_t)ntimes;
  if (!slopes->program) return;
  double *slope = run_slopes(run, slopes->program, n, ntimes, run->grid->t);
  for (int k = 0; k < slopes->n; k++)
    for (int s = 0; s < n; s++)
      for (int j = 0; j < ntimes && !run->failed[s]; j++) {
        double bar = a->row_bar[(size_t)s * (size_t)spec->width + (size_t)(spec->inputs[slopes->input[k]].offset + j)];
        add_to_source(rev, slopes->source[k], s, run->grid->t[j], bar == 0 ? 0 : bar * slope[lanes * (size_t)k + (size_t)s * (size_t)ntimes + (size_t)j]);
      }
  free(slope);
}

static void reverse_apply(const Reverse *rev, ApplyRun *a, int n) {
  TapeRun *run = rev->run;
  Predictor *predictor = a->from->predictor;
  char *error = NULL;
  memset(a->row_bar, 0, sizeof(double) * (size_t)n * (size_t)predictor->spec->width);
  if (predictor->ops->pullback(predictor, n, a->row, (const double *const *)a->bar, a->row_bar, &error)) {
    for (int s = 0; s < n; s++) tape_fail(run, s, "the gradient of `%s`: %s", predictor->spec->name, error ? error : "it failed");
    free(error);
    return;
  }
  reverse_arguments(rev, a, &a->adjoint->scalars, n, 1);
  reverse_arguments(rev, a, &a->adjoint->series, n, run->grid->nt);
}

/* --- the whole --- */

static void zero_bars(const Reverse *rev, int n) {
  TapeRun *run = rev->run;
  for (int s = 0; s < run->nsteps; s++) {
    if (!rev->needs[s]) continue;
    if (run->step[s].reduces) {
      ReduceRun *r = &run->reduce[run->step[s].index];
      if (!r->bar) r->bar = malloc(sizeof(double) * ((size_t)run->capacity * (size_t)r->nvalues + 1));
      memset(r->bar, 0, sizeof(double) * (size_t)n * (size_t)r->nvalues);
      continue;
    }
    ApplyRun *a = &run->apply[run->step[s].index];
    const MapSpec *spec = a->from->predictor->spec;
    if (!a->row_bar) a->row_bar = malloc(sizeof(double) * ((size_t)run->capacity * (size_t)spec->width + 1));
    if (!a->bar) a->bar = calloc((size_t)spec->noutputs + 1, sizeof(double *));
    for (int o = 0; o < spec->noutputs; o++) {
      size_t each = (size_t)run->grid->nt * (size_t)run->grid->nnodes * (size_t)spec->outputs[o].ncomp * sizeof(double);
      if (a->bar_room < n) free(a->bar[o]), a->bar[o] = big_alloc((size_t)n * each + 8);
      memset(a->bar[o], 0, (size_t)n * each);
    }
    if (a->bar_room < n) a->bar_room = n;
  }
}

static void reverse(const Reverse *rev, const TargetRun *t, int n) {
  TapeRun *run = rev->run;
  double none = NAN;
  zero_bars(rev, n);
  const TargetAdjoint *a = t->adjoint;
  bool leaky = rev->smooth > 0 && a->leaky;
  Program *slopes = leaky ? a->leaky_slopes : a->program;
  if (slopes) {
    const int *by = leaky ? a->leaky_by : a->by;
    double *slope = run_slopes(run, slopes, n, 1, &none);
    for (int k = 0; k < slopes->nout; k++)
      for (int s = 0; s < n; s++)
        if (!run->failed[s]) add_to_source(rev, by[k], s, NAN, slope[(size_t)k * (size_t)n + (size_t)s]);
    free(slope);
  }
  for (int s = run->nsteps - 1; s >= 0; s--) {
    if (!rev->needs[s]) continue;
    if (run->step[s].reduces) reverse_reduce(rev, &run->reduce[run->step[s].index], n);
    else reverse_apply(rev, &run->apply[run->step[s].index], n);
  }
}

Status tape_gradient(TapeRun *run, int n, const double *rows, int target, double smooth, double *values, double *gradient, char **failed) {
  size_t width = (size_t)run->tape->nprobes * (size_t)run->spec->width;
  const TargetRun *t = &run->target[target];
  const char *why;
  memset(failed, 0, sizeof(char *) * (size_t)n);
  if (!tape_differentiable(run, target, &why)) {
    diag_report(run->diags, E3104, (Span){0, 0}, "a gradient of a contract over `%s` is not known: %s", run->spec->name, why);
    return 1;
  }
  for (int at = 0; at < n; at += run->capacity) {
    int some = n - at < run->capacity ? n - at : run->capacity;
    TRY(tape_interrupted(run));
    tape_forward(run, some, rows + (size_t)at * width, t->needs, failed + at, smooth);
    tape_target(run, target, smooth > 0 && t->adjoint->leaky ? t->adjoint->leaky : t->program, some, values + at, 1);
    double *to = memset(gradient + (size_t)at * width, 0, sizeof(double) * (size_t)some * width);
    reverse(&(Reverse){run, t->needs, smooth, to}, t, some);
    for (int s = 0; s < some; s++)
      for (size_t i = 0; i < width && run->failed[s]; i++) to[(size_t)s * width + i] = NAN;
  }
  return 0;
}
