/* A predictor that knows recorded cases alone. Nothing is interpolated: a probe is one of the recorded inputs, or it is not recorded. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"

static const double SAME = 1e-9;     /* of the range of an input, the size of the domain, the time span */
static const char NOT_RECORDED[] = "not recorded: ";

typedef struct Record {
  Predictor base;
  Cases *cases;
  CaseArray **output;                /* [noutputs] of the map */
  double *rows;                      /* [n][width] */
  double *slack;                     /* [width] by how much an input may differ */
  int *node;                         /* [nnodes] of the grid: number in the file; NULL: the same order */
} Record;

bool foreign_not_recorded(const char *error) { return error && strstr(error, NOT_RECORDED); }

/* ---- predictions ---- */

static int find_row(const Record *r, const double *row) {
  int width = r->base.spec->width;
  for (int k = 0; k < r->cases->n; k++) {
    const double *at = r->rows + (size_t)k * (size_t)width;
    int c = 0;
    while (c < width && fabs(at[c] - row[c]) <= r->slack[c]) c++;
    if (c == width) return k;
  }
  return -1;
}

static char *no_such_case(const Record *r, const double *row) {
  const MapSpec *spec = r->base.spec;
  Buf text = {0};
  buf_puts(&text, NOT_RECORDED);
  buf_puts(&text, "no case has");
  for (int k = 0; k < spec->ninputs; k++) {
    const MapInput *in = &spec->inputs[k];
    if (in->history) buf_printf(&text, "%s this history %s", k ? "," : "", in->name);
    else buf_printf(&text, "%s %s = %.10g", k ? "," : "", in->name, row[in->offset]);
  }
  buf_printf(&text, " (%d cases)", r->cases->n);
  return text.text;
}

static void copy_case(const Record *r, int o, int k, double *out) {
  const CaseArray *a = r->output[o];
  const Grid *grid = r->base.spec->grid;
  const double *from = a->values + (size_t)k * a->size;
  if (!r->node) {
    memcpy(out, from, a->size * sizeof *out);
    return;
  }
  size_t comp = (size_t)a->ncomp, state = (size_t)grid->nnodes * comp;
  for (int t = 0; t < grid->nt; t++)
    for (int i = 0; i < grid->nnodes; i++) memcpy(out + (size_t)t * state + (size_t)i * comp, from + (size_t)t * state + (size_t)r->node[i] * comp, comp * sizeof *out);
}

static int record_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  Record *r = (Record *)self;
  self->calls += n;
  for (int k = 0; k < n; k++) {
    const double *row = rows + (size_t)k * (size_t)self->spec->width;
    int found = find_row(r, row);
    if (found < 0) {
      *error = no_such_case(r, row);
      return 1;
    }
    for (int o = 0; o < self->spec->noutputs; o++) copy_case(r, o, found, out[o] + (size_t)k * foreign_values(self->spec, o));
  }
  return 0;
}

static void record_free(Predictor *self) {
  Record *r = (Record *)self;
  cases_free(r->cases);
  free(r->output);
  free(r->rows);
  free(r->slack);
  free(r->node);
  free(r);
}

static const PredictorOps record_ops = {.kind = "record", .batch = 256, .predict = record_predict, .free = record_free};

const double *foreign_record_rows(const Predictor *predictor, int *n) {
  if (predictor->ops != &record_ops) return NULL;
  const Record *r = (const Record *)predictor;
  *n = r->cases->n;
  return r->rows;
}

/* ---- the record's place on the map ---- */

typedef struct Keyed { double key; int node; } Keyed;

static int by_key(const void *a, const void *b) {
  double x = ((const Keyed *)a)->key, y = ((const Keyed *)b)->key;
  return (x > y) - (x < y);
}

/* Along a direction that no mesh is aligned with, few nodes have one key. */
static double key_of(const double *x, int dim) {
  static const double direction[3] = {0.7236067977, 0.5257311121, 0.4472135955};
  double key = 0;
  for (int d = 0; d < dim; d++) key += direction[d] * x[d];
  return key;
}

static double distance(const double *a, const double *b, int dim) {
  double most = 0;
  for (int d = 0; d < dim; d++) most = fmax(most, fabs(a[d] - b[d]));
  return most;
}

static double extent(const double *x, int n, int dim) {
  double size = 0;
  for (int d = 0; d < dim; d++) {
    double lo = x[d], hi = x[d];
    for (int i = 0; i < n; i++) {
      lo = fmin(lo, x[i * dim + d]);
      hi = fmax(hi, x[i * dim + d]);
    }
    size = fmax(size, hi - lo);
  }
  return size;
}

/* Numbers in the file of the grid's nodes. The number of a node that is not there, or -1. */
static int match_nodes(Record *r, double tolerance) {
  const Grid *grid = r->base.spec->grid;
  int n = grid->nnodes, dim = grid->mesh->dim, missing = -1;
  const double *x = grid->x, *y = r->cases->nodes;
  bool same = true;
  for (int i = 0; i < n && same; i++) same = distance(x + i * dim, y + i * dim, dim) <= tolerance;
  if (same) return -1;
  Keyed *keyed = malloc((size_t)n * sizeof *keyed);
  for (int i = 0; i < n; i++) keyed[i] = (Keyed){key_of(y + i * dim, dim), i};
  qsort(keyed, (size_t)n, sizeof *keyed, by_key);
  r->node = malloc((size_t)n * sizeof *r->node);
  for (int i = 0; i < n && missing < 0; i++) {
    double key = key_of(x + i * dim, dim) - 3 * tolerance;
    int lo = 0, hi = n;
    while (lo < hi) {
      int mid = (lo + hi) / 2;
      if (keyed[mid].key < key) lo = mid + 1;
      else hi = mid;
    }
    r->node[i] = -1;
    for (; lo < n && keyed[lo].key <= key + 6 * tolerance && r->node[i] < 0; lo++)
      if (distance(x + i * dim, y + keyed[lo].node * dim, dim) <= tolerance) r->node[i] = keyed[lo].node;
    if (r->node[i] < 0) missing = i;
  }
  free(keyed);
  return missing;
}

typedef struct Fitting { Record *record; const char *where; const ForeignOptions *options; } Fitting;

static bool refuse(const Fitting *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(const Fitting *f, const char *format, ...) {
  char line[600];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  diag_report(f->options->diags, E3152, f->options->span, "the cases of `%s` are not of the map `%s`: %s", f->where, f->record->base.spec->name, line);
  return false;
}

static bool unit_is_map(const Fitting *f, const CaseArray *a, Unit unit) {
  if (!a->has_unit || unit_fits(a->unit, unit)) return true;
  Buf have = {0}, want = {0};
  unit_print(&have, a->unit);
  unit_print(&want, unit);
  refuse(f, "`%s` is in %s there, in %s here", a->name, buf_str(&have), buf_str(&want));
  buf_free(&have);
  buf_free(&want);
  return false;
}

static bool fit_inputs(const Fitting *f) {
  Record *r = f->record;
  const MapSpec *spec = r->base.spec;
  const Cases *cases = r->cases;
  r->rows = malloc((size_t)cases->n * (size_t)spec->width * sizeof *r->rows);
  r->slack = malloc((size_t)spec->width * sizeof *r->slack);
  for (int k = 0; k < spec->ninputs; k++) {
    const MapInput *in = &spec->inputs[k];
    const CaseArray *a = cases_input(cases, in->name);
    int length = in->history ? spec->grid->nt : 1;
    if (!a) return refuse(f, "it has no input `%s`", in->name);
    if (a->in_time != in->history) return refuse(f, "its input `%s` is %s, here it is %s", in->name, a->in_time ? "a history" : "a number", in->history ? "a history" : "a number");
    if (!unit_is_map(f, a, in->unit)) return false;
    double slack = SAME * fmax(in->hi - in->lo, fmax(fabs(in->lo), fabs(in->hi)));
    for (int c = 0; c < length; c++) r->slack[in->offset + c] = slack;
    for (int i = 0; i < cases->n; i++) memcpy(r->rows + (size_t)i * (size_t)spec->width + in->offset, a->values + (size_t)i * a->size, (size_t)length * sizeof *r->rows);
  }
  return true;
}

static bool fit_times(const Fitting *f) {
  const MapSpec *spec = f->record->base.spec;
  const Cases *cases = f->record->cases;
  int nt = foreign_times(spec);
  if (cases->nt != nt && (nt || cases->nt)) return refuse(f, "it has %d times, the map %d", cases->nt, nt);
  double span = nt ? spec->grid->t[nt - 1] - spec->grid->t[0] : 0;
  for (int k = 0; k < nt; k++)
    if (fabs(cases->t[k] - spec->grid->t[k]) > SAME * fmax(span, fabs(spec->grid->t[k]))) return refuse(f, "its time %d is %g s, that of the map %g s", k, cases->t[k], spec->grid->t[k]);
  return true;
}

static bool fit_nodes(const Fitting *f) {
  const Grid *grid = f->record->base.spec->grid;
  const Cases *cases = f->record->cases;
  if (cases->nnodes != grid->nnodes || cases->dim != grid->mesh->dim)
    return refuse(f, "it has %d nodes in %dD, the map's grid %d in %dD; nothing is interpolated", cases->nnodes, cases->dim, grid->nnodes, grid->mesh->dim);
  int missing = match_nodes(f->record, SAME * extent(grid->x, grid->nnodes, grid->mesh->dim));
  if (missing < 0) return true;
  Buf place = {0};
  for (int d = 0; d < grid->mesh->dim; d++) buf_printf(&place, "%s%g", d ? ", " : "", grid->x[missing * grid->mesh->dim + d]);
  refuse(f, "the grid's node %d at (%s) is not among its nodes", missing, place.text);
  buf_free(&place);
  return false;
}

static bool fit_outputs(const Fitting *f) {
  Record *r = f->record;
  const MapSpec *spec = r->base.spec;
  r->output = calloc((size_t)spec->noutputs + 1, sizeof *r->output);
  for (int o = 0; o < spec->noutputs; o++) {
    const MapOutput *out = &spec->outputs[o];
    CaseArray *a = r->output[o] = cases_output(r->cases, out->name);
    if (!a) return refuse(f, "it has no output `%s`", out->name);
    if (!a->on_nodes || a->ncomp != out->ncomp) return refuse(f, "its output `%s` has %d components%s, that of the map %d", out->name, a->ncomp, a->on_nodes ? "" : " and is no field", out->ncomp);
    if (a->in_time != (foreign_times(spec) > 0)) return refuse(f, "its output `%s` %s", out->name, a->in_time ? "depends on time" : "does not depend on time");
    if (!unit_is_map(f, a, out->unit)) return false;
  }
  return true;
}

Status foreign_record(const MapSpec *spec, Cases *cases, const char *where, const ForeignOptions *options, Predictor **out) {
  Record *r = calloc(1, sizeof *r);
  r->base = (Predictor){.ops = &record_ops, .spec = spec};
  r->cases = cases;
  Fitting fitting = {r, where, options};
  *out = &r->base;
  if (fit_times(&fitting) && fit_nodes(&fitting) && fit_inputs(&fitting) && fit_outputs(&fitting)) return 0;
  record_free(*out);
  *out = NULL;
  return 1;
}
