#include "cases.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reading {
  ArrayFile *file;
  Cases *cases;
  const char *where;
  Diags *diags; Span span;
} Reading;

static bool refuse(Reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(Reading *r, const char *format, ...) {
  char text[500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diag_suggest(diag_report(r->diags, E3151, r->span, "`%s` cannot be used: %s", r->where, text),
               "a data file holds inputs/NAME [N] or [N][nt], t [nt], nodes [nodes][dim], outputs/FIELD [N](nt)[nodes](components)");
  return false;
}

static void print_shape(Buf *out, const NamedArray *array) {
  for (int k = 0; k < array->rank; k++) buf_printf(out, "[%zu]", array->shape[k]);
}

static bool refuse_shape(Reading *r, const NamedArray *array, const char *expected) {
  Buf shape = {0};
  print_shape(&shape, array);
  refuse(r, "`%s` has the shape %s; expected was %s", array->name, shape.len ? shape.text : "of one number", expected);
  buf_free(&shape);
  return false;
}

/* Values in SI; the unit as told. */
static bool in_si(Reading *r, NamedArray *array, Unit *unit, bool *has) {
  UnitScale scale = {UNIT_NONE, 1, 0};
  *has = array->unit != NULL;
  if (array->unit && !unit_parse(array->unit, &scale)) return refuse(r, "the unit `%s` of `%s` is not known", array->unit, array->name);
  *unit = scale.unit;
  if (scale.scale != 1 || scale.offset != 0)
    for (size_t k = array_count(array); k-- > 0;) array->values[k] = array->values[k] * scale.scale + scale.offset;
  return true;
}

static void count_bad(Reading *r, const NamedArray *array) {
  size_t n = array_count(array), bad = 0, first = 0;
  for (size_t k = 0; k < n; k++)
    if (!isfinite(array->values[k]) && !bad++) first = k;
  size_t size = array->rank && array->shape[0] ? n / array->shape[0] : 1;
  if (bad) diag_report(r->diags, W3150, r->span, "`%s`: %zu of %zu values of `%s` are no finite numbers, the first in case %zu", r->where, bad, n, array->name, first / size);
}

static bool read_axis(Reading *r) {
  Cases *cases = r->cases;
  NamedArray *t = arrays_find(r->file, "t"), *nodes = arrays_find(r->file, "nodes");
  bool has;
  if (t) {
    if (t->rank != 1 || t->shape[0] < 1 || t->shape[0] > INT_MAX) return refuse_shape(r, t, "[nt]");
    if (!in_si(r, t, &cases->t_unit, &has)) return false;
    for (size_t k = 0; k < t->shape[0]; k++)
      if (!isfinite(t->values[k]) || (k && !(t->values[k] > t->values[k - 1]))) return refuse(r, "its times `t` do not rise at number %zu", k);
    cases->nt = (int)t->shape[0];
    cases->t = t->values;
    t->values = NULL;
  }
  if (nodes) {
    if (nodes->rank != 2 || nodes->shape[0] < 1 || nodes->shape[0] > INT_MAX || nodes->shape[1] < 1 || nodes->shape[1] > 3) return refuse_shape(r, nodes, "[nodes][dim]");
    if (!in_si(r, nodes, &cases->nodes_unit, &has)) return false;
    for (size_t k = array_count(nodes); k-- > 0;)
      if (!isfinite(nodes->values[k])) return refuse(r, "a coordinate of its `nodes` is no finite number");
    cases->nnodes = (int)nodes->shape[0];
    cases->dim = (int)nodes->shape[1];
    cases->nodes = nodes->values;
    nodes->values = NULL;
  }
  return true;
}

/* [N], [N][nt] of inputs; [N](nt)[nodes](components) of outputs. */
static bool read_shape(Reading *r, const NamedArray *array, bool output, CaseArray *out) {
  const Cases *cases = r->cases;
  const size_t *shape = array->shape;
  int at = 1;
  out->ncomp = 1;
  if (!output) {
    out->in_time = array->rank == 2;
    if (array->rank < 1 || array->rank > 2) return refuse_shape(r, array, "[N] or [N][nt]");
    if (out->in_time && !cases->nt) return refuse(r, "`%s` is a history, but the file has no times `t`", array->name);
    if (out->in_time && shape[1] != (size_t)cases->nt) return refuse(r, "`%s` has %zu times, `t` has %d", array->name, shape[1], cases->nt);
    return true;
  }
  out->in_time = at < array->rank && cases->nt && shape[at] == (size_t)cases->nt && (!cases->nnodes || array->rank > 2 || shape[at] != (size_t)cases->nnodes);
  at += out->in_time;
  out->on_nodes = at < array->rank && cases->nnodes && shape[at] == (size_t)cases->nnodes;
  at += out->on_nodes;
  for (; at < array->rank; at++) {
    if (!out->on_nodes || !shape[at] || shape[at] > 81) return refuse_shape(r, array, cases->nnodes ? "[N](nt)[nodes](components)" : "[N](nt), as the file has no `nodes`");
    out->ncomp *= (int)shape[at];
  }
  return out->ncomp <= 81 || refuse_shape(r, array, "[N](nt)[nodes](components)");
}

static bool read_array(Reading *r, NamedArray *array, const char *name, bool output, CaseArray *out) {
  Cases *cases = r->cases;
  if (!array->rank || array->shape[0] < 1 || array->shape[0] > INT_MAX) return refuse_shape(r, array, "[N]...");
  if (!cases->n) cases->n = (int)array->shape[0];
  if (array->shape[0] != (size_t)cases->n) return refuse(r, "`%s` has %zu cases, others have %d", array->name, array->shape[0], cases->n);
  if (!read_shape(r, array, output, out) || !in_si(r, array, &out->unit, &out->has_unit)) return false;
  count_bad(r, array);
  out->size = array_count(array) / (size_t)cases->n;
  out->name = strdup(name);
  out->values = array->values;
  array->values = NULL;
  return true;
}

/* Those named, or all of a folder. */
static bool read_folder(Reading *r, const char *folder, const char *const *names, int n, bool output, CaseArray **out, int *nout) {
  size_t len = strlen(folder);
  for (int k = 0; k < (names ? n : r->file->n); k++) {
    char full[300];
    NamedArray *array = NULL;
    if (names) {
      snprintf(full, sizeof full, "%s%s", folder, names[k]);
      array = arrays_find(r->file, full);
      if (!array) {
        Buf there = {0};
        for (int i = 0; i < r->file->n; i++) buf_printf(&there, "%s`%s`", i ? ", " : "", r->file->items[i].name);
        refuse(r, "there is no `%s` in it; there is %s", full, buf_str(&there));
        buf_free(&there);
        return false;
      }
    } else if (!strncmp(r->file->items[k].name, folder, len)) array = &r->file->items[k];
    if (!array) continue;
    *out = realloc(*out, (size_t)(*nout + 1) * sizeof **out);
    (*out)[*nout] = (CaseArray){0};
    if (!read_array(r, array, array->name + len, output, &(*out)[(*nout)++])) return false;
  }
  return true;
}

Cases *cases_from_arrays(ArrayFile *file, const char *const *inputs, int ninputs, const char *const *outputs, int noutputs, const char *where, Diags *diags, Span span) {
  Cases *cases = calloc(1, sizeof *cases);
  Reading r = {file, cases, where, diags, span};
  bool fine = read_axis(&r) && read_folder(&r, "inputs/", inputs, ninputs, false, &cases->inputs, &cases->ninputs) &&
              read_folder(&r, "outputs/", outputs, noutputs, true, &cases->outputs, &cases->noutputs);
  if (fine && !cases->n) fine = refuse(&r, "it holds no `inputs/NAME` and no `outputs/FIELD`");
  arrays_free(file);
  if (fine) return cases;
  cases_free(cases);
  return NULL;
}

static char *unit_text(Unit unit) {
  Buf text = {0};
  unit_print_short(&text, unit);
  if (!text.len) buf_puts(&text, "1");
  return text.text;
}

static void add(ArrayFile *file, const char *folder, const char *name, Unit unit, bool has_unit, int rank, const size_t *shape, const double *values) {
  Buf full = {0};
  buf_printf(&full, "%s%s", folder, name);
  NamedArray *array = arrays_add(file, full.text, full.len);
  buf_free(&full);
  array->rank = rank;
  memcpy(array->shape, shape, (size_t)rank * sizeof *shape);
  array->unit = has_unit ? unit_text(unit) : NULL;
  size_t bytes = array_count(array) * sizeof(double);
  array->values = malloc(bytes);
  if (bytes) memcpy(array->values, values, bytes);
}

static void add_case_array(const Cases *cases, ArrayFile *file, const char *folder, const CaseArray *a) {
  size_t shape[4] = {(size_t)cases->n};
  int rank = 1;
  if (a->in_time) shape[rank++] = (size_t)cases->nt;
  if (a->on_nodes) shape[rank++] = (size_t)cases->nnodes;
  if (a->ncomp > 1) shape[rank++] = (size_t)a->ncomp;
  add(file, folder, a->name, a->unit, a->has_unit, rank, shape, a->values);
}

void cases_to_arrays(const Cases *cases, ArrayFile *out) {
  *out = (ArrayFile){0};
  if (cases->t) add(out, "", "t", cases->t_unit, !unit_is_none(cases->t_unit), 1, (size_t[]){(size_t)cases->nt}, cases->t);
  if (cases->nodes) add(out, "", "nodes", cases->nodes_unit, !unit_is_none(cases->nodes_unit), 2, (size_t[]){(size_t)cases->nnodes, (size_t)cases->dim}, cases->nodes);
  for (int k = 0; k < cases->ninputs; k++) add_case_array(cases, out, "inputs/", &cases->inputs[k]);
  for (int k = 0; k < cases->noutputs; k++) add_case_array(cases, out, "outputs/", &cases->outputs[k]);
}

void cases_free(Cases *cases) {
  if (!cases) return;
  for (int k = 0; k < cases->ninputs + cases->noutputs; k++) {
    CaseArray *a = k < cases->ninputs ? &cases->inputs[k] : &cases->outputs[k - cases->ninputs];
    free(a->name);
    free(a->values);
  }
  free(cases->inputs);
  free(cases->outputs);
  free(cases->t);
  free(cases->nodes);
  free(cases);
}

static CaseArray *find(CaseArray *list, int n, const char *name) {
  for (int k = 0; k < n; k++)
    if (!strcmp(list[k].name, name)) return &list[k];
  return NULL;
}

CaseArray *cases_input(const Cases *cases, const char *name) { return find(cases->inputs, cases->ninputs, name); }
CaseArray *cases_output(const Cases *cases, const char *name) { return find(cases->outputs, cases->noutputs, name); }

static void print_name(Buf *out, const CaseArray *a, bool first) {
  Buf unit = {0};
  unit_print_short(&unit, a->unit);
  buf_printf(out, "%s%s%s", first ? "" : ", ", a->name, a->in_time ? "(t)" : "");
  if (unit.len) buf_printf(out, " [%s]", unit.text);
  buf_free(&unit);
}

void cases_print(Buf *out, const Cases *cases) {
  buf_printf(out, "%d case%s of ", cases->n, cases->n == 1 ? "" : "s");
  for (int k = 0; k < cases->ninputs; k++) print_name(out, &cases->inputs[k], k == 0);
  if (!cases->ninputs) buf_puts(out, "no inputs");
  if (cases->noutputs) buf_puts(out, " -> ");
  for (int k = 0; k < cases->noutputs; k++) {
    print_name(out, &cases->outputs[k], k == 0);
    if (cases->outputs[k].ncomp > 1) buf_printf(out, " (%d components)", cases->outputs[k].ncomp);
  }
  if (cases->nnodes) buf_printf(out, ", %d nodes", cases->nnodes);
  if (cases->nt) buf_printf(out, ", %d times", cases->nt);
}
