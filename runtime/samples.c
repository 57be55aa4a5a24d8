#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


Value *samples_value(SamplesValue *samples) {
  Value *v = value_new(VALUE_SAMPLES);
  v->samples = samples;
  v->known = samples->values != NULL;
  return v;
}

SamplesValue *samples_like(const SamplesValue *from, bool values) {
  SamplesValue *s = calloc(1, sizeof *s);
  *s = *from;
  s->table = NULL;
  s->member = NULL, s->nmembers = 0;
  s->values = NULL;
  for (int d = 0; d < s->naxes; d++) {
    size_t bytes = (size_t)s->axis[d].n * sizeof(double);
    s->axis[d].at = NULL;
    if (from->axis[d].at) s->axis[d].at = memcpy(malloc(bytes + 1), from->axis[d].at, bytes);
  }
  if (!from->values) return s;
  s->values = calloc(samples_count(s) + 1, sizeof(double));
  if (values) memcpy(s->values, from->values, samples_count(s) * sizeof(double));
  return s;
}

void samples_free(SamplesValue *samples) {
  if (!samples) return;
  for (int d = 0; d < samples->naxes; d++) free(samples->axis[d].at);
  free(samples->values);
  for (int k = 0; k < samples->nmembers; k++) value_release(samples->member[k].value);
  free(samples->member);
  free(samples);
}

size_t samples_count(const SamplesValue *samples) {
  size_t n = 1;
  for (int d = 0; d < samples->naxes; d++) n *= (size_t)samples->axis[d].n;
  return n;
}

int samples_axis(const SamplesValue *samples, const char *name) {
  for (int d = 0; d < samples->naxes; d++)
    if (!strcmp(samples->axis[d].name, name)) return d;
  return -1;
}

long samples_missing(const SamplesValue *samples) {
  long n = 0;
  for (size_t k = samples_count(samples); k-- > 0;) n += isnan(samples->values[k]);
  return n;
}

double samples_rms(const SamplesValue *samples) {
  double sum = 0;
  size_t n = samples_count(samples), there = 0;
  for (size_t k = 0; k < n; k++)
    if (!isnan(samples->values[k])) sum += samples->values[k] * samples->values[k], there++;
  return there ? sqrt(sum / (double)there) : NAN;
}

Agreement samples_agreement(size_t n, const double *a, const double *b, const double *weight) {
  double sum = 0, ma = 0, mb = 0, aa = 0, bb = 0, ab = 0, miss = 0, size = 0;
  Agreement out = {NAN, NAN, 0};
  for (size_t k = 0; k < n; k++) {
    if (isnan(a[k]) || isnan(b[k])) continue;
    double w = weight ? weight[k] : 1;
    sum += w, ma += w * a[k], mb += w * b[k], miss += w * (a[k] - b[k]) * (a[k] - b[k]), size += w * b[k] * b[k];
    out.places++;
  }
  ma /= sum, mb /= sum;
  for (size_t k = 0; k < n; k++) {
    if (isnan(a[k]) || isnan(b[k])) continue;
    double w = weight ? weight[k] : 1;
    aa += w * (a[k] - ma) * (a[k] - ma), bb += w * (b[k] - mb) * (b[k] - mb), ab += w * (a[k] - ma) * (b[k] - mb);
  }
  if (aa > 0 && bb > 0) out.correlation = ab / sqrt(aa * bb);
  if (size > 0) out.relative_l2 = sqrt(miss / size);
  return out;
}

void samples_print(Buf *out, const SamplesValue *s) {
  buf_printf(out, "samples of %s", s->name);
  if (!unit_is_none(s->unit) && !s->unit.any) {
    buf_puts(out, " [");
    unit_print_short(out, s->unit);
    buf_putc(out, ']');
  }
  if (!s->values) return;
  buf_puts(out, ":");
  for (int d = s->naxes - 1; d >= 0; d--) {
    const SampleAxis *a = &s->axis[d];
    buf_printf(out, "%s %s %d from ", d == s->naxes - 1 ? "" : ",", a->name, a->n);
    value_print_number(out, a->at[0], false);
    buf_puts(out, " to ");
    value_print_number(out, a->at[a->n - 1], false);
  }
  long missing = samples_missing(s);
  if (missing) buf_printf(out, "; %ld of %zu values are missing", missing, samples_count(s));
}

/* --- members --- */

static Value *axis_list(const SampleAxis *axis) {
  Value *v = value_new(VALUE_LIST);
  v->items = calloc((size_t)axis->n + 1, sizeof *v->items);
  for (; v->n < axis->n; v->n++) v->items[v->n] = value_number(axis->at[v->n], axis->unit);
  return v;
}

Value *samples_member(Eval *ev, Value *of, Name name, Span span) {
  const SamplesValue *s = of->samples;
  int d = samples_axis(s, name);
  for (int k = 0; k < s->nmembers; k++)
    if (s->member[k].name == name) return value_retain(s->member[k].value);
  bool rms = !strcmp(name, "rms"), missing = !strcmp(name, "missing"), count = !strcmp(name, "count");
  if (d < 0 && !rms && !missing && !count) {
    Buf there = {0};
    for (int k = 0; k < s->naxes; k++) buf_printf(&there, ".%s, ", s->axis[k].name);
    for (int k = 0; k < s->nmembers; k++) buf_printf(&there, ".%s, ", s->member[k].name);
    diag_suggest(diag_report(&ev->host->diags, E0111, span, "samples have no member `%s`", name), "they have %s.count, .missing and .rms", buf_str(&there));
    buf_free(&there);
    return value_poison();
  }
  if (!of->known) return d >= 0 ? value_unknown() : value_number_unknown(rms ? s->unit : UNIT_NONE);
  if (d >= 0) return axis_list(&s->axis[d]);
  return rms ? value_number(samples_rms(s), s->unit) : value_int(count ? (double)samples_count(s) : (double)samples_missing(s));
}

Value *samples_at(Eval *ev, Value *of, double time, Span span) {
  const SamplesValue *s = of->samples;
  if (!s->naxes || strcmp(s->axis[0].name, "t")) {
    diag_report(&ev->host->diags, E4061, span, "the samples of `%s` have no times", s->name);
    return value_poison();
  }
  SamplesValue head = *s;
  head.naxes--;
  memmove(head.axis, head.axis + 1, sizeof head.axis - sizeof *head.axis);
  SamplesValue *slice = samples_like(&head, false);
  if (!of->known || isnan(time)) {
    free(slice->values);
    slice->values = NULL;
    return samples_value(slice);
  }
  const SampleAxis *t = &s->axis[0];
  double gap = 1e-9 * (t->at[t->n - 1] - t->at[0]);
  if (time < t->at[0] - gap || time > t->at[t->n - 1] + gap) {
    diag_report(&ev->host->diags, E4061, span, "t = %g is outside of the samples of `%s`, which go from %g to %g", time, s->name, t->at[0], t->at[t->n - 1]);
    samples_free(slice);
    return value_poison();
  }
  int k = 0;
  while (k < t->n - 2 && t->at[k + 1] <= time) k++;
  double w = t->n > 1 ? fmin(fmax((time - t->at[k]) / (t->at[k + 1] - t->at[k]), 0), 1) : 0;
  size_t n = samples_count(slice);
  const double *a = s->values + (size_t)k * n, *b = w > 0 ? a + n : a;
  for (size_t i = 0; i < n; i++) slice->values[i] = w > 0 && w < 1 ? (1 - w) * a[i] + w * b[i] : w > 0 ? b[i] : a[i];
  return samples_value(slice);
}

/* --- as a field --- */

Expr *samples_expr(Eval *ev, Value *of, Span span) {
  SamplesValue *s = of->samples;
  ExprPool *pool = ev->host->pool;
  Expr *at[SAMPLE_AXES];
  if (!of->known) return expr_param(pool, intern_text(ev->host->names, "?"), SHAPE_SCALAR, s->unit, true);
  long missing = samples_missing(s);
  if (missing || s->naxes > 3) {
    diag_report(&ev->host->diags, E4061, span, missing ? "%ld values of `%s` are missing: it is no field" : "samples with more than three axes are no field", missing, s->name);
    return NULL;
  }
  if (!s->table) {
    ExprTable table = {.name = s->name, .dim = s->naxes, .hold = true, .out = s->unit, .value = s->values};
    for (int d = 0; d < s->naxes; d++) table.n[d] = s->axis[d].n, table.knot[d] = s->axis[d].at, table.in[d] = s->axis[d].unit;
    s->table = expr_table_new(pool, &table, false);
  }
  for (int d = 0; d < s->naxes; d++) {
    const SampleAxis *a = &s->axis[d];
    at[d] = !strcmp(a->name, "t") ? expr_time(pool, a->unit) : expr_coord(pool, a->name[0] - 'x', a->unit);
  }
  return expr_table(pool, s->table, at, s->naxes);
}

static Value *axis_range(const SampleAxis *axis) {
  Value *v = value_new(VALUE_RANGE);
  v->from = axis->at[0], v->to = axis->at[axis->n - 1], v->range_unit = axis->unit;
  return v;
}

Value *samples_mesh(Eval *ev, const SamplesValue *s, Span span) {
  Name x = intern_text(ev->host->names, "x"), y = intern_text(ev->host->names, "y"), cells = intern_text(ev->host->names, "cells");
  int dx = samples_axis(s, "x"), dy = samples_axis(s, "y");
  Value *count = value_new(VALUE_LIST), *shape;
  count->items = calloc(2, sizeof *count->items);
  count->items[count->n++] = value_int(s->axis[dx].n - 1);
  if (dy >= 0) count->items[count->n++] = value_int(s->axis[dy].n - 1);
  if (dy >= 0) {
    Argument args[] = {{x, axis_range(&s->axis[dx]), span}, {y, axis_range(&s->axis[dy]), span}};
    shape = builtin_apply(ev, builtin_find(ev->host, "rectangle"), args, 2, span);
    value_release(args[0].value), value_release(args[1].value);
  } else {
    const SampleAxis *a = &s->axis[dx];
    Argument args[] = {{NULL, value_number(a->at[0], a->unit), span}, {NULL, value_number(a->at[a->n - 1], a->unit), span}};
    shape = builtin_apply(ev, builtin_find(ev->host, "interval"), args, 2, span);
    value_release(args[0].value), value_release(args[1].value);
  }
  Argument args[] = {{NULL, shape, span}, {cells, count, span}};
  Value *mesh = is_poison(shape) ? value_poison() : builtin_apply(ev, builtin_find(ev->host, "mesh"), args, 2, span);
  value_release(shape), value_release(count);
  if (mesh->kind == VALUE_MESH) return mesh;
  value_release(mesh);
  return NULL;
}
