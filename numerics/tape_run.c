/* A tape forward: arguments, predictions, reductions, targets, for a chunk of samples at a time. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"
#include "tape_internal.h"

void tape_fail(TapeRun *run, int sample, const char *format, ...) {
  if (run->failed[sample]) return;      /* the first reason is the cause of the others */
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  run->failed[sample] = (strdup)(text);
}

/* ---- numbers of leaves -------------------------------------------------------------------------------------------------------------------------- */

static double blended(const Blend *blend, const double *values) {
  double sum = 0;
  for (int k = 0; k < blend->n; k++) sum += blend->weight[k] * values[blend->at[k]];
  return sum;
}

double tape_value(const TapeRun *run, const TapeSource *source, int sample, double time) {
  const Grid *grid = run->grid;
  Blend blend;
  if (source->kind == FROM_TIME) return time;
  if (source->kind == FROM_WORLD) return source->value;
  if (source->kind == FROM_REDUCE) {
    const ReduceRun *r = &run->reduce[source->index];
    const double *values = r->value + (size_t)sample * (size_t)r->nvalues;
    if (r->nvalues == 1) return *values;
    blend_linear(grid->t, grid->nt, time, false, &blend);
    return blended(&blend, values);
  }
  const TapeInput *leaf = &run->tape->inputs[source->index];
  const MapInput *input = &run->spec->inputs[leaf->input];
  const double *z = run->rows + ((size_t)sample * (size_t)run->tape->nprobes + (size_t)leaf->probe) * (size_t)run->spec->width + input->offset;
  if (!input->history || grid->nt < 2) return *z;
  blend_linear(grid->t, grid->nt, time + leaf->shift, true, &blend);
  return blended(&blend, z);
}

double *tape_params(const TapeRun *run, Expr *const *param, int np, int sample, double time, double *out) {
  for (int i = 0; i < np; i++) {
    if (param[i]->op == EXPR_CONST) {
      out[i] = param[i]->value;
      continue;
    }
    int k = 0;
    while (run->source[k].leaf != param[i]) k++;      /* found when the tape was opened */
    out[i] = tape_value(run, &run->source[k], sample, time);
  }
  return out;
}

double *tape_fill(const TapeRun *run, const Program *program, int n, int ntimes, const double *time, const double **in) {
  size_t lanes = (size_t)n * (size_t)ntimes;
  double *memory = malloc(sizeof(double) * (lanes * (size_t)program->nin + 1));
  for (int i = 0; i < program->nin; i++) {
    double *row = memory + lanes * (size_t)i;
    const TapeSource *source = &run->source[program->input[i]->symbol.which];
    for (int s = 0; s < n; s++)
      for (int j = 0; j < ntimes; j++) row[(size_t)s * (size_t)ntimes + (size_t)j] = tape_value(run, source, s, time[j]);
    in[i] = row;
  }
  return memory;
}

/* Outputs of a program over samples and times: out[k], each n*ntimes. */
static void run_program(TapeRun *run, Program *program, int n, int ntimes, const double *time, double *const *out) {
  const double **in = malloc(sizeof(double *) * ((size_t)program->nin + 1));
  double *memory = tape_fill(run, program, n, ntimes, time, in), *p = malloc(sizeof(double) * ((size_t)program->np + 1));
  tape_params(run, program->param, program->np, 0, NAN, p);
  program_run(program, n * ntimes, in, p, out);
  free(in), free(memory), free(p);
}

/* ---- applications --------------------------------------------------------------------------------------------------------------------------------- */

static void fill_rows(TapeRun *run, ApplyRun *a, int n) {
  const MapSpec *spec = a->from->predictor->spec;
  const Grid *grid = run->grid;
  int most = a->nscalars > a->nhistories ? a->nscalars : a->nhistories;
  double *values = malloc(sizeof(double) * ((size_t)n * (size_t)grid->nt * (size_t)most + 1)), **out = malloc(sizeof(double *) * ((size_t)most + 1));
  size_t width = (size_t)spec->width, nt = (size_t)grid->nt;
  for (int k = 0; k < most; k++) out[k] = values + (size_t)n * nt * (size_t)k;
  if (a->scalars) run_program(run, a->scalars, n, 1, &grid->t[0], out);
  for (int k = 0; k < a->nscalars; k++)
    for (int s = 0; s < n; s++) a->row[(size_t)s * width + (size_t)spec->inputs[a->scalar[k]].offset] = out[k][s];
  if (a->series) run_program(run, a->series, n, grid->nt, grid->t, out);
  for (int k = 0; k < a->nhistories; k++)
    for (int s = 0; s < n; s++) memcpy(a->row + (size_t)s * width + spec->inputs[a->history[k]].offset, out[k] + (size_t)s * nt, sizeof(double) * nt);
  free(values), free(out);
}

static bool all_finite(const double *v, size_t n) {
  long bad = 0;
  for (size_t i = 0; i < n; i++) bad += !(fabs(v[i]) <= 0x1.fffffffffffffp1023);      /* counted, so that lanes can */
  return bad == 0;
}

static void describe_row(const MapSpec *spec, const Grid *grid, const double *row, Buf *out) {
  for (int i = 0; i < spec->ninputs; i++) {
    const MapInput *input = &spec->inputs[i];
    if (input->history) buf_printf(out, "%s%s(t) from %g to %g", i ? ", " : "", input->name, row[input->offset], row[input->offset + grid->nt - 1]);
    else buf_printf(out, "%s%s = %.10g", i ? ", " : "", input->name, row[input->offset]);
  }
}

static const char *name_of(const Predictor *p) { return p->name ? p->name : p->spec->name; }

static void fail_output(TapeRun *run, const ApplyRun *a, int sample, int output) {
  const MapSpec *spec = a->from->predictor->spec;
  const Grid *grid = run->grid;
  const MapOutput *o = &spec->outputs[output];
  size_t each = (size_t)grid->nt * (size_t)grid->nnodes * (size_t)o->ncomp, i = 0;
  const double *v = a->out[output] + (size_t)sample * each;
  while (i < each && isfinite(v[i])) i++;
  size_t node = i / (size_t)o->ncomp % (size_t)grid->nnodes, k = i / (size_t)o->ncomp / (size_t)grid->nnodes;
  Buf place = {0}, inputs = {0};
  for (int d = 0; d < run->dim; d++) buf_printf(&place, "%s%g", d ? ", " : "", grid->x[node * (size_t)run->dim + (size_t)d]);
  if (grid->nt > 1) buf_printf(&place, "; t = %g", grid->t[k]);
  describe_row(spec, grid, a->row + (size_t)sample * (size_t)spec->width, &inputs);
  tape_fail(run, sample, "`%s` predicts %s for %s at (%s), with %s", name_of(a->from->predictor), isnan(v[i]) ? "a value that is not a number" : "an infinite value", o->name,
            buf_str(&place), buf_str(&inputs));
  buf_free(&place), buf_free(&inputs);
}

static void check_outputs(TapeRun *run, const ApplyRun *a, int n) {
  const MapSpec *spec = a->from->predictor->spec;
  for (int o = 0; o < spec->noutputs; o++) {
    size_t each = (size_t)run->grid->nt * (size_t)run->grid->nnodes * (size_t)spec->outputs[o].ncomp;
    for (int s = 0; s < n; s++)
      if (!run->failed[s] && !all_finite(a->out[o] + (size_t)s * each, each)) fail_output(run, a, s, o);
  }
}

typedef struct Asking { TapeRun *run; ApplyRun *apply; char *last; int same; } Asking;      /* last: text of the last failure; same: how often in a row */

/* n samples from `at` on. Nonzero: it failed, `last` says why. */
static int ask(Asking *asking, int at, int n) {
  Predictor *predictor = asking->apply->from->predictor;
  const MapSpec *spec = predictor->spec;
  const Grid *grid = asking->run->grid;
  char *error = NULL;
  double **out = malloc(sizeof(double *) * ((size_t)spec->noutputs + 1));
  for (int o = 0; o < spec->noutputs; o++) out[o] = asking->apply->out[o] + (size_t)at * (size_t)grid->nt * (size_t)grid->nnodes * (size_t)spec->outputs[o].ncomp;
  int bad = predictor->ops->predict(predictor, n, asking->apply->row + (size_t)at * (size_t)spec->width, out, &error);
  free(out);
  if (bad) {
    bool again = asking->last && error && !strcmp(asking->last, error);
    asking->same = again ? asking->same + 1 : 1;
    free(asking->last);
    asking->last = error ? error : strdup("the prediction failed");
  } else {
    free(error);
    asking->same = 0;
  }
  return bad;
}

/* In calls of as many samples as the predictor likes; where one fails, one by one, to know which it is. A predictor that fails with one text again and again
 * is not asked any more. */
static void predict(TapeRun *run, ApplyRun *a, int n) {
  enum { ENOUGH = 8 };
  const Predictor *predictor = a->from->predictor;
  int batch = predictor->ops->batch > 0 ? predictor->ops->batch : n;
  Asking asking = {.run = run, .apply = a};
  for (int at = 0; at < n; at += batch) {
    int some = n - at < batch ? n - at : batch;
    bool given_up = asking.same >= ENOUGH;
    if (!given_up && !ask(&asking, at, some)) continue;
    for (int s = at; s < at + some; s++) {
      if (given_up || (some > 1 && asking.same >= ENOUGH)) tape_fail(run, s, "`%s` was not asked any more after %d failures in a row: %s", name_of(predictor), ENOUGH, asking.last);
      else if (some == 1 || (!run->failed[s] && ask(&asking, s, 1))) tape_fail(run, s, "`%s`: %s", name_of(predictor), asking.last);
    }
  }
  free(asking.last);
}

static void apply_room(TapeRun *run, ApplyRun *a, int n) {
  const MapSpec *spec = a->from->predictor->spec;
  if (!a->row) a->row = malloc(sizeof(double) * ((size_t)run->capacity * (size_t)spec->width + 1));
  if (a->room >= n) return;
  if (!a->out) a->out = calloc((size_t)spec->noutputs + 1, sizeof(double *));
  for (int o = 0; o < spec->noutputs; o++) {
    free(a->out[o]);
    a->out[o] = big_alloc(sizeof(double) * (size_t)n * (size_t)run->grid->nt * (size_t)run->grid->nnodes * (size_t)spec->outputs[o].ncomp + 8);
  }
  a->room = n;
}

static void forward_apply(TapeRun *run, ApplyRun *a, int n) {
  const MapSpec *spec = a->from->predictor->spec;
  apply_room(run, a, n);
  fill_rows(run, a, n);
  for (int s = 0; s < n; s++)
    if (!run->failed[s] && !all_finite(a->row + (size_t)s * (size_t)spec->width, (size_t)spec->width)) tape_fail(run, s, "an input of `%s` is not a number", name_of(a->from->predictor));
  predict(run, a, n);
  check_outputs(run, a, n);
}

/* ---- reductions ------------------------------------------------------------------------------------------------------------------------------------ */

void tape_fields(TapeRun *run, const ReduceRun *r, int sample, int j, const double **out) {
  const Grid *grid = run->grid;
  size_t most = 0, nodes = (size_t)grid->nnodes;
  for (int f = 0; f < r->fields.n; f++) most += nodes * (size_t)tape_output(run, &r->fields.item[f])->ncomp;
  if (most > run->blended_room) {
    free(run->blended);
    run->blended = big_alloc(sizeof(double) * most);
    run->blended_room = most;
  }
  double *to = run->blended;
  for (int f = 0; f < r->fields.n; f++) {
    const TapeField *field = &r->fields.item[f];
    const Blend *blend = &r->blend[j * r->fields.n + f];
    size_t each = nodes * (size_t)tape_output(run, field)->ncomp;
    const double *values = run->apply[field->apply].out[field->output] + (size_t)sample * (size_t)grid->nt * each;
    if (blend->n == 1 && blend->weight[0] == 1) {
      out[f] = values + (size_t)blend->at[0] * each;
      continue;
    }
    for (size_t i = 0; i < each; i++) to[i] = blend->weight[0] * values[(size_t)blend->at[0] * each + i];
    for (int k = 1; k < blend->n; k++)
      for (size_t i = 0; i < each; i++) to[i] += blend->weight[k] * values[(size_t)blend->at[k] * each + i];
    out[f] = to;
    to += each;
  }
}

static Status reduce_integral_sample(TapeRun *run, ReduceRun *r, int sample) {
  const double *field[64];
  double *value = r->value + (size_t)sample * (size_t)r->nvalues;
  *value = 0;
  for (int j = 0; j < r->plan.n; j++) {
    double part;
    tape_fields(run, r, sample, j, field);
    TRY(measure_numbers(run, r->measure, sample, r->plan.time[j], j, field, &part));
    if (r->nvalues > 1) value[j] = part;
    else *value += r->plan.weight[j] * part;
  }
  return 0;
}

/* The sum of exp(sharpness*(v - largest)) over all, for the smooth maximum. */
static double exponentials(const double *v, int n, double sign, double sharpness, double largest) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += smooth_weight(sharpness * (sign * v[i] - largest));
  return sum;
}

/* The largest over a row of values; smooth: log of the mean of exp, with a sharpness relative to the largest size. */
double tape_largest(const double *v, int n, double sign, double smooth, int *at) {
  double largest = -INFINITY, size = 0;
  *at = 0;
  for (int i = 0; i < n; i++) {
    if (isnan(v[i])) {
      *at = i;
      return NAN;
    }
    size = fmax(size, fabs(v[i]));
    if (sign * v[i] > largest) largest = sign * v[i], *at = i;
  }
  if (!(smooth > 0) || size == 0 || !isfinite(size)) return sign * largest;
  double sharpness = smooth / size;
  return sign * (largest + log(exponentials(v, n, sign, sharpness, largest) / n) / sharpness);
}

static Status reduce_extremum_sample(TapeRun *run, ReduceRun *r, int sample, double smooth) {
  const double *field[64];
  int n = r->extremum->n, all = r->nvalues > 1 ? n : n * r->plan.n, at;
  double *values = malloc(sizeof(double) * (size_t)all), sign = r->from->kind == REDUCE_MAX ? 1 : -1;
  Status status = 0;
  for (int j = 0; j < r->plan.n && !status; j++) {
    double *to = r->nvalues > 1 ? values : values + (size_t)j * (size_t)n;
    tape_fields(run, r, sample, j, field);
    status = extremum_values(run, r->extremum, &r->fields, sample, r->plan.time[j], j, field, 0, n, &to);
    if (r->nvalues > 1) r->value[(size_t)sample * (size_t)r->nvalues + (size_t)j] = tape_largest(values, n, sign, smooth, &at);
  }
  if (!status && r->nvalues == 1) {
    r->value[sample] = tape_largest(values, all, sign, smooth, &at);
    r->active_time[sample] = at / n, r->active_point[sample] = at % n;
  }
  free(values);
  return status;
}

static void reduce_series(TapeRun *run, ReduceRun *r, int n, double smooth) {
  int nt = r->plan.n, at;
  double *values = malloc(sizeof(double) * (size_t)n * (size_t)nt), sign = r->from->kind == REDUCE_MAX ? 1 : -1;
  run_program(run, r->program, n, nt, r->plan.time, &values);
  for (int s = 0; s < n; s++) {
    const double *v = values + (size_t)s * (size_t)nt;
    double *value = r->value + (size_t)s * (size_t)r->nvalues;
    if (r->nvalues > 1) memcpy(value, v, sizeof(double) * (size_t)nt);
    else if (r->from->kind != REDUCE_INTEGRAL) *value = tape_largest(v, nt, sign, smooth, &at), r->active_time[s] = at;
    else {
      *value = 0;
      for (int j = 0; j < nt; j++) *value += r->plan.weight[j] * v[j];
    }
  }
  free(values);
}

static const char *kind_text(const TapeReduce *from) { return from->kind == REDUCE_INTEGRAL ? "integral" : from->kind == REDUCE_MAX ? "maximum" : "minimum"; }

static void forward_reduce(TapeRun *run, ReduceRun *r, int n, double smooth) {
  if (!r->value) {
    r->value = malloc(sizeof(double) * ((size_t)run->capacity * (size_t)r->nvalues + 1));
    r->active_time = calloc((size_t)run->capacity + 1, sizeof(int)), r->active_point = calloc((size_t)run->capacity + 1, sizeof(int));
  }
  if (r->program) reduce_series(run, r, n, smooth);
  for (int s = 0; s < n; s++) {
    double *value = r->value + (size_t)s * (size_t)r->nvalues;
    if (run->failed[s]) {
      for (int k = 0; k < r->nvalues; k++) value[k] = NAN;
      continue;
    }
    Status status = r->measure ? reduce_integral_sample(run, r, s) : r->extremum ? reduce_extremum_sample(run, r, s, smooth) : 0;
    if (status) tape_fail(run, s, "the %s could not be taken", kind_text(r->from));
    for (int k = 0; k < r->nvalues && !run->failed[s]; k++) {
      if (isfinite(value[k])) continue;
      Buf text = {0};
      expr_print(&text, r->from->integrand, EXPR_TEXT);
      tape_fail(run, s, "the %s of `%.300s` is %s", kind_text(r->from), buf_str(&text), isnan(value[k]) ? "not a number" : "infinite");
      buf_free(&text);
    }
  }
}

/* ---- the whole --------------------------------------------------------------------------------------------------------------------------------------- */

void tape_forward(TapeRun *run, int n, const double *rows, const bool *needs, char **failed, double smooth) {
  run->n = n;
  run->rows = rows;
  run->failed = failed;
  for (int s = 0; s < run->nsteps; s++) {
    if (needs && !needs[s]) continue;
    if (run->step[s].reduces) forward_reduce(run, &run->reduce[run->step[s].index], n, smooth);
    else forward_apply(run, &run->apply[run->step[s].index], n);
  }
}

/* Values of one target over the chunk. */
void tape_target(TapeRun *run, int target, Program *program, int n, double *out, int stride) {
  double *values = malloc(sizeof(double) * ((size_t)n + 1)), none = NAN;
  run_program(run, program, n, 1, &none, &values);
  for (int s = 0; s < n; s++) {
    bool bad = isnan(values[s]);
    if (bad && !run->failed[s]) {
      Buf text = {0};
      expr_print(&text, run->tape->targets[target], EXPR_TEXT);
      tape_fail(run, s, "`%.300s` is not a number", buf_str(&text));
      buf_free(&text);
    }
    out[(size_t)s * (size_t)stride] = run->failed[s] ? NAN : values[s];
  }
  free(values);
}

Status tape_interrupted(const TapeRun *run) {
  volatile int *interrupt = run->engine->options.interrupt;
  if (!interrupt || !*interrupt) return 0;
  diag_report(run->diags, E2090, (Span){0, 0}, "stopped");
  return 1;
}

Status tape_run(TapeRun *run, int n, const double *rows, double *values, char **failed) {
  size_t width = (size_t)run->tape->nprobes * (size_t)run->spec->width;
  int ntargets = run->tape->ntargets;
  memset(failed, 0, sizeof(char *) * (size_t)n);
  for (int at = 0; at < n; at += run->capacity) {
    int some = n - at < run->capacity ? n - at : run->capacity;
    TRY(tape_interrupted(run));
    tape_forward(run, some, rows + (size_t)at * width, NULL, failed + at, 0);
    for (int k = 0; k < ntargets; k++) tape_target(run, k, run->target[k].program, some, values + (size_t)at * (size_t)ntargets + k, ntargets);
  }
  return 0;
}

bool tape_place(const TapeRun *run, int reduce, double *x, double *time) {
  const ReduceRun *r = &run->reduce[reduce];
  if (!r->extremum || !r->value || r->nvalues > 1 || run->n < 1 || isnan(r->value[run->n - 1])) return false;
  extremum_place(run, r->extremum, r->active_point[run->n - 1], x);
  *time = r->plan.time[r->active_time[run->n - 1]];
  return true;
}

bool tape_cheap(const TapeRun *run, int target) { return !run->target[target].fields; }

Status tape_run_cheap(TapeRun *run, int n, const double *rows, int target, double *values) {
  char **failed = calloc((size_t)n + 1, sizeof(char *));
  for (int at = 0; at < n; at += run->capacity) {
    int some = n - at < run->capacity ? n - at : run->capacity;
    tape_forward(run, some, rows + (size_t)at * (size_t)run->tape->nprobes * (size_t)run->spec->width, run->target[target].needs, failed + at, 0);
    tape_target(run, target, run->target[target].program, some, values + at, 1);
  }
  for (int s = 0; s < n; s++) free(failed[s]);
  free(failed);
  return 0;
}
