/* Samples in files: t [nt], x [nx], y [ny] and the quantity by its name, [nt][ny][nx]; units as attributes (HDF5). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/arrays.h"
#include "samples.h"

static bool named(const char *path, const char *extension) {
  size_t n = strlen(path), m = strlen(extension);
  return n > m && !strcmp(path + n - m, extension);
}

static bool is_h5(const char *path) { return named(path, ".h5") || named(path, ".hdf5"); }

/* ---- writing ---- */

static void put(ArrayFile *file, const char *name, Unit unit, const double *values, int rank, const size_t *shape) {
  NamedArray *a = arrays_add(file, name, strlen(name));
  Buf text = {0};
  unit_print_short(&text, unit);
  if (text.len) a->unit = strdup(buf_str(&text));
  buf_free(&text);
  a->rank = rank;
  memcpy(a->shape, shape, (size_t)rank * sizeof *shape);
  size_t bytes = array_count(a) * sizeof(double);
  a->values = memcpy(malloc(bytes + 1), values, bytes);
}

static bool same_axes(const SamplesValue *a, const SamplesValue *b) {
  if (a->naxes != b->naxes) return false;
  for (int d = 0; d < a->naxes; d++) {
    const SampleAxis *p = &a->axis[d], *q = &b->axis[d];
    if (p->name != q->name || p->n != q->n || memcmp(p->at, q->at, (size_t)p->n * sizeof(double))) return false;
  }
  return true;
}

bool samples_write(Eval *ev, const SamplesValue *const *samples, const Name *names, int n, const char *path, Span span) {
  Host *host = ev->host;
  ArrayFile file = {0};
  for (int k = 1; k < n; k++)
    if (!same_axes(samples[0], samples[k])) {
      diag_report(&host->diags, E4061, span, "samples in one file share their axes; `%s` and `%s` have others", names[0], names[k]);
      return false;
    }
  for (int d = samples[0]->naxes - 1; d >= 0; d--) {
    const SampleAxis *a = &samples[0]->axis[d];
    put(&file, a->name, a->unit, a->at, 1, (size_t[]){(size_t)a->n});
  }
  for (int k = 0; k < n; k++) {
    size_t shape[SAMPLE_AXES];
    for (int d = 0; d < samples[k]->naxes; d++) shape[d] = (size_t)samples[k]->axis[d].n;
    put(&file, names[k], samples[k]->unit, samples[k]->values, samples[k]->naxes, shape);
  }
  const EngineApi *api = is_h5(path) || host->api ? host_engine(host, span) : NULL;      /* with it ranks agree */
  Status status = api ? api->arrays_write(path, &file, &host->diags, span) : is_h5(path) || npz_write(path, &file, &host->diags, span);
  arrays_free(&file);
  return !status;
}

/* A record of samples, or one by its own name. */
Value *export_samples(Call *call, Value *what, const Value *path) {
  Host *host = call->ev->host;
  const SamplesValue *samples[32];
  Name names[32];
  int n = 0;
  bool known = is_unknown(path) == false;
  for (int k = 0; k < (what->kind == VALUE_RECORD ? what->nfields : 1) && n < 32; k++) {
    const Value *v = what->kind == VALUE_RECORD ? what->fields[k].value : what;
    if (v->kind != VALUE_SAMPLES) {
      diag_report(&host->diags, E0505, call->spans[0], "`%s` is %s %s; beside samples there are samples alone", what->fields[k].name, value_article(v), value_kind_name(v));
      return value_poison();
    }
    known &= v->known;
    samples[n] = v->samples;
    names[n++] = what->kind == VALUE_RECORD ? what->fields[k].name : v->samples->name;
  }
  if (!is_unknown(path) && !is_h5(path->text) && !named(path->text, ".npz")) {
    diag_suggest(diag_report(&host->diags, E3153, call->spans[1], "samples are written as .h5 or .npz; `%s` is neither", path->text), "write export(s, \"measured.h5\")");
    return value_poison();
  }
  if (call->ev->dry || !known) return value_none();
  char *file = host_output_path(host, path->text, call->spans[1]);
  bool fine = file && samples_write(call->ev, samples, names, n, file, call->spans[1]);
  if (fine) host_record_file(host, file);
  free(file);
  return fine ? value_none() : value_poison();
}

/* ---- reading ---- */

typedef struct Reading { Eval *ev; const char *path; Span span; } Reading;

static bool refuse(Reading *r, const char *name, const char *why) {
  diag_suggest(diag_report(&r->ev->host->diags, E4060, r->span, "`%s` cannot be used: `%s` %s", r->path, name, why), "it holds x [nx], y [ny], t [nt] where there are times, and the quantity [nt][ny][nx]");
  return false;
}

static bool in_si(Reading *r, NamedArray *a, Unit *unit) {
  UnitScale scale = {UNIT_NONE, 1, 0};
  if (a->unit && !unit_parse(a->unit, &scale)) return refuse(r, a->name, "has a unit that is not known");
  *unit = scale.unit;
  if (scale.scale != 1 || scale.offset != 0)
    for (size_t k = array_count(a); k-- > 0;) a->values[k] = a->values[k] * scale.scale + scale.offset;
  return true;
}

static bool read_axes(Reading *r, ArrayFile *file, SamplesValue *s) {
  static const char *const order[] = {"t", "z", "y", "x"};
  for (int k = 0; k < SAMPLE_AXES; k++) {
    NamedArray *a = arrays_find(file, order[k]);
    SampleAxis *axis = &s->axis[s->naxes];
    if (!a) continue;
    if (a->rank != 1 || !a->shape[0]) return refuse(r, a->name, "is no list of coordinates");
    *axis = (SampleAxis){.name = intern_text(r->ev->host->names, order[k]), .n = (int)a->shape[0]};
    if (!in_si(r, a, &axis->unit)) return false;
    for (int i = 0; i < axis->n; i++)
      if (!isfinite(a->values[i]) || (i && !(a->values[i] > a->values[i - 1]))) return refuse(r, a->name, "does not rise strictly");
    s->naxes++;
    axis->at = memcpy(malloc(a->shape[0] * sizeof(double)), a->values, a->shape[0] * sizeof(double));
  }
  return s->naxes ? true : refuse(r, "x", "is missing");
}

static bool fits_axes(const NamedArray *a, const SamplesValue *s) {
  bool fits = a->rank == s->naxes;
  for (int d = 0; d < a->rank && fits; d++) fits = a->shape[d] == (size_t)s->axis[d].n;
  return fits;
}

/* The quantity asked for, or the only one. A field of a file with times may be still: it has the axes without t. */
static NamedArray *find_quantity(Reading *r, ArrayFile *file, SamplesValue *s, const char *name) {
  NamedArray *only = NULL;
  int n = 0;
  for (int k = 0; k < file->n; k++) {
    NamedArray *a = &file->items[k];
    if (name ? !strcmp(a->name, name) : samples_axis(s, a->name) < 0) only = a, n++;
  }
  if (n != 1) {
    refuse(r, name ? name : "the quantity", !n ? "is not in it" : "is not the only one: name it");
    return NULL;
  }
  if (s->naxes > 1 && !strcmp(s->axis[0].name, "t") && only->rank == s->naxes - 1) {
    free(s->axis[0].at);
    memmove(s->axis, s->axis + 1, sizeof s->axis - sizeof *s->axis);
    s->naxes--;
  }
  if (fits_axes(only, s)) return only;
  refuse(r, only->name, "has not the shape of its axes");
  return NULL;
}

SamplesValue *samples_read(Eval *ev, const char *path, const char *name, Span span) {
  Host *host = ev->host;
  Reading r = {ev, path, span};
  ArrayFile file = {0};
  const EngineApi *api = is_h5(path) ? host_engine(host, span) : NULL;
  if (is_h5(path) ? !api || api->arrays_read(path, &host->diags, span, &file) : npz_read(path, &host->diags, span, &file)) return NULL;
  SamplesValue *s = calloc(1, sizeof *s);
  NamedArray *a = read_axes(&r, &file, s) ? find_quantity(&r, &file, s, name) : NULL;
  if (a && in_si(&r, a, &s->unit)) {
    s->name = intern_text(host->names, a->name);
    s->values = memcpy(malloc(array_count(a) * sizeof(double) + 1), a->values, array_count(a) * sizeof(double));
  }
  arrays_free(&file);
  if (s->values) return s;
  samples_free(s);
  return NULL;
}
