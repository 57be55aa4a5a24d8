#include "trajectory.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of a grid may differ by this much of a step: coordinates are often kept in single precision. */
static const double STEP_TOLERANCE = 1e-3;

typedef struct Reading {
  ArrayFile *file;
  const TrajectoryForm *form;
  const char *where;
  Diags *diags; Span span;
  Trajectory *out;
} Reading;

static Status refuse(Reading *r, DiagCode code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static Status refuse(Reading *r, DiagCode code, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  Diag *d = diag_report(r->diags, code, r->span, "`%s` is no trajectory of `%s`: %s", r->where, r->form->state, text);
  if (code == E4030 || code == E4031)
    diag_suggest(d, r->form->columns ? "the columns of the table are %s and `%s`" : "a trajectory holds %s, and the state `%s`%s",
                 r->form->columns ? (r->form->dim == 2 ? "t, x, y" : "t, x") : (r->form->dim == 2 ? "t [nt], x [nx], y [ny]" : "t [nt], x [nx]"), r->form->state,
                 r->form->dim == 2 ? " [nt][ny][nx]" : " [nt][nx]");
  return 1;
}

void trajectory_free(Trajectory *t) {
  free(t->x);
  free(t->y);
  free(t->t);
  free(t->u);
  *t = (Trajectory){0};
}

/* ---- arrays ---- */

static Status find(Reading *r, const char *name, NamedArray **out) {
  if ((*out = arrays_find(r->file, name))) return 0;
  Buf there = {0};
  for (int i = 0; i < r->file->n && i < 20; i++) buf_printf(&there, "%s`%s`", i ? ", " : "", r->file->items[i].name);
  Status status = there.len ? refuse(r, E4030, "there is no `%s` in it; there is %s", name, buf_str(&there)) : refuse(r, E4030, "there are no arrays in it");
  buf_free(&there);
  return status;
}

static Status in_si(Reading *r, NamedArray *array, Unit *unit) {
  UnitScale scale = {UNIT_NONE, 1, 0};
  if (array->unit && !unit_parse(array->unit, &scale)) return refuse(r, E4034, "the unit `%s` of `%s` is not known", array->unit, array->name);
  *unit = scale.unit;
  if (scale.scale != 1 || scale.offset != 0)
    for (size_t k = array_count(array); k-- > 0;) array->values[k] = array->values[k] * scale.scale + scale.offset;
  return 0;
}

static void print_shape(Buf *out, const NamedArray *array) {
  for (int k = 0; k < array->rank; k++) buf_printf(out, "[%zu]", array->shape[k]);
  if (!array->rank) buf_puts(out, "of one number");
}

static Status refuse_shape(Reading *r, const NamedArray *array, const char *expected) {
  Buf shape = {0};
  print_shape(&shape, array);
  Status status = refuse(r, E4031, "`%s` has the shape %s; expected was %s", array->name, buf_str(&shape), expected);
  buf_free(&shape);
  return status;
}

static Status increases(Reading *r, const char *name, const double *values, int n) {
  for (int k = 0; k < n; k++) {
    if (!isfinite(values[k])) return refuse(r, E4032, "`%s` is no finite number at place %d", name, k);
    if (k && !(values[k] > values[k - 1])) return refuse(r, E4032, "`%s` does not increase at place %d: %.9g comes after %.9g", name, k, values[k], values[k - 1]);
  }
  return 0;
}

static Status is_regular(Reading *r, const char *name, const double *values, int n) {
  double step = n > 1 ? (values[n - 1] - values[0]) / (n - 1) : 0;
  for (int k = 1; k + 1 < n; k++)
    if (fabs(values[k] - (values[0] + k * step)) > STEP_TOLERANCE * step) {
      refuse(r, E4033, "`%s` is not in equal steps: at place %d it is %.9g where equal steps give %.9g", name, k, values[k], values[0] + k * step);
      diag_suggest(diags_last_error(r->diags), "interpolate the state to a regular grid first; times may have any steps");
      return 1;
    }
  return 0;
}

static Status read_axis(Reading *r, const char *name, double **values, int *n, Unit *unit) {
  NamedArray *array;
  TRY(find(r, name, &array));
  if (array->rank != 1 || array->shape[0] < 1 || array->shape[0] > INT_MAX) return refuse_shape(r, array, "a list of numbers");
  TRY(in_si(r, array, unit));
  TRY(increases(r, name, array->values, (int)array->shape[0]));
  *n = (int)array->shape[0];
  *values = array->values;
  array->values = NULL;
  return 0;
}

static bool has_shape(const NamedArray *array, int rank, const size_t *shape) {
  bool same = array->rank == rank;
  for (int k = 0; same && k < rank; k++) same = array->shape[k] == shape[k];
  return same;
}

static Status read_state(Reading *r) {
  Trajectory *out = r->out;
  NamedArray *array;
  TRY(find(r, r->form->state, &array));
  size_t nt = (size_t)out->nt, ny = (size_t)out->ny, nx = (size_t)out->nx;
  size_t shape[3] = {nt, r->form->dim == 2 ? ny : nx, nx}, last[3] = {r->form->dim == 2 ? ny : nx, r->form->dim == 2 ? nx : nt, nt}, swapped[3] = {nt, nx, ny};
  int rank = r->form->dim + 1;
  if (!has_shape(array, rank, shape)) {
    Buf expected = {0};
    buf_printf(&expected, r->form->dim == 2 ? "[nt][ny][nx], here [%zu][%zu][%zu]" : "[nt][nx], here [%zu][%zu]", shape[0], shape[1], shape[2]);
    if (has_shape(array, rank, last)) buf_puts(&expected, ": time comes first");
    else if (r->form->dim == 2 && has_shape(array, rank, swapped)) buf_puts(&expected, ": y comes before x");
    Status status = refuse_shape(r, array, buf_str(&expected));
    buf_free(&expected);
    return status;
  }
  TRY(in_si(r, array, &out->state));
  out->u = array->values;
  array->values = NULL;
  return 0;
}

/* ---- tables ---- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What occurs in a column, sorted, each once. */
static Status distinct(Reading *r, const NamedArray *column, double **values, int *n) {
  size_t count = column->shape[0], kept = 0;
  double *sorted = malloc(count * sizeof *sorted);
  memcpy(sorted, column->values, count * sizeof *sorted);
  for (size_t k = 0; k < count; k++)
    if (!isfinite(sorted[k])) {
      free(sorted);
      return refuse(r, E4032, "row %zu has no `%s`", k + 1, column->name);
    }
  qsort(sorted, count, sizeof *sorted, by_value);
  for (size_t k = 0; k < count; k++)
    if (!kept || sorted[k] != sorted[kept - 1]) sorted[kept++] = sorted[k];
  *values = sorted;
  *n = (int)kept;
  return 0;
}

static size_t place_of(const double *values, int n, double x) { return (size_t)((const double *)bsearch(&x, values, (size_t)n, sizeof x, by_value) - values); }

static Status fill(Reading *r, const NamedArray *state, const NamedArray *t, const NamedArray *x, const NamedArray *y) {
  Trajectory *out = r->out;
  double size = (double)out->nt * out->ny * out->nx;
  size_t rows = state->shape[0], total = (size_t)out->nt * trajectory_nodes(out);
  if (size > 4e9 || (size > 1000 && (double)rows < 0.01 * size))
    return refuse(r, E4033, "its %zu rows are no grid: they have %d times, %d values of x%s", rows, out->nt, out->nx, y ? " and many of y" : "");
  out->u = malloc(total * sizeof *out->u);
  unsigned char *seen = calloc(total, 1);
  for (size_t k = 0; k < total; k++) out->u[k] = NAN;
  Status status = 0;
  for (size_t k = 0; k < rows && !status; k++) {
    size_t at = place_of(out->t, out->nt, t->values[k]) * (size_t)out->ny;
    at = (at + (y ? place_of(out->y, out->ny, y->values[k]) : 0)) * (size_t)out->nx + place_of(out->x, out->nx, x->values[k]);
    if (seen[at]) status = refuse(r, E4031, "row %zu is the second one at its place and time", k + 1);
    seen[at] = 1;
    out->u[at] = state->values[k];
  }
  free(seen);
  return status;
}

static Status read_columns(Reading *r) {
  Trajectory *out = r->out;
  NamedArray *t, *x, *y = NULL, *state;
  Unit y_unit;
  TRY(find(r, "t", &t));
  TRY(find(r, "x", &x));
  if (r->form->dim == 2) TRY(find(r, "y", &y));
  TRY(find(r, r->form->state, &state));
  TRY(in_si(r, t, &out->time));
  TRY(in_si(r, x, &out->space));
  if (y) TRY(in_si(r, y, &y_unit));
  TRY(in_si(r, state, &out->state));
  TRY(distinct(r, t, &out->t, &out->nt));
  TRY(distinct(r, x, &out->x, &out->nx));
  out->ny = 1;
  if (y) TRY(distinct(r, y, &out->y, &out->ny));
  if (y && !unit_equal(out->space, y_unit)) return refuse(r, E4034, "`x` and `y` have different units");
  return fill(r, state, t, x, y);
}

/* ---- the whole ---- */

static Status read(Reading *r) {
  Trajectory *out = r->out;
  Unit y_unit = UNIT_NONE;
  NamedArray *y = arrays_find(r->file, "y");
  out->dim = r->form->dim;
  if (r->form->dim == 1 && y) return refuse(r, E4031, "it has a `y`, but the state is declared as `%s(x, t)`", r->form->state);
  if (r->form->columns) TRY(read_columns(r));
  else {
    TRY(read_axis(r, "t", &out->t, &out->nt, &out->time));
    TRY(read_axis(r, "x", &out->x, &out->nx, &out->space));
    out->ny = 1;
    if (r->form->dim == 2) TRY(read_axis(r, "y", &out->y, &out->ny, &y_unit));
    if (r->form->dim == 2 && !unit_equal(out->space, y_unit)) return refuse(r, E4034, "`x` and `y` have different units");
    TRY(read_state(r));
  }
  TRY(is_regular(r, "x", out->x, out->nx));
  if (out->y) TRY(is_regular(r, "y", out->y, out->ny));
  return 0;
}

Status trajectory_from_arrays(ArrayFile *file, const TrajectoryForm *form, const char *where, Diags *diags, Span span, Trajectory *out) {
  *out = (Trajectory){0};
  Reading r = {file, form, where, diags, span, out};
  Status status = read(&r);
  if (status) trajectory_free(out);
  return status;
}

Status trajectory_cut(const Trajectory *t, int least, const char *where, Diags *diags, Span span, int start[TRAJECTORY_INTERVALS + 1]) {
  double from = t->t[0], length = t->t[t->nt - 1] - from;
  start[0] = 0;
  start[TRAJECTORY_INTERVALS] = t->nt;
  for (int i = 1, k = 0; i < TRAJECTORY_INTERVALS; i++) {
    while (k < t->nt && t->t[k] - from < length * i / TRAJECTORY_INTERVALS) k++;
    start[i] = k;
  }
  for (int i = 0; i < TRAJECTORY_INTERVALS; i++)
    if (start[i + 1] - start[i] < least) {
      Diag *d = diag_report(diags, E4036, span, "`%s` has %d snapshots in quarter %d of its time span; %d are the least", where, start[i + 1] - start[i], i + 1, least);
      diag_suggest(d, "time is cut in four equal parts: to fit, to choose, to score, and the sealed one");
      return 1;
    }
  return 0;
}

Status trajectory_values(const Trajectory *t, int first, int last, const char *where, Diags *diags, Span span, long *missing) {
  size_t nodes = trajectory_nodes(t), n = (size_t)(last - first) * nodes;
  const double *u = t->u + (size_t)first * nodes;
  *missing = 0;
  for (size_t k = 0; k < n; k++) {
    if (isinf(u[k])) {
      diag_report(diags, E4037, span, "`%s`: the state is infinite in snapshot %d, node (%zu, %zu)", where, first + (int)(k / nodes), k % nodes % (size_t)t->nx, k % nodes / (size_t)t->nx);
      return 1;
    }
    *missing += isnan(u[k]) != 0;
  }
  if (n && *missing == (long)n) {
    diag_report(diags, E4037, span, "`%s`: every value of the state is missing (NaN)", where);
    return 1;
  }
  return 0;
}

static bool same_values(const double *a, int na, const double *b, int nb) {
  if (na != nb) return false;
  double size = na ? fabs(a[na - 1] - a[0]) : 0, tolerance = STEP_TOLERANCE * size / (na > 1 ? na - 1 : 1);
  for (int k = 0; k < na; k++)
    if (fabs(a[k] - b[k]) > tolerance) return false;
  return true;
}

static bool same_unit(Unit a, const char *where_a, Unit b, const char *where_b, const char *what, Diags *diags, Span span) {
  if (unit_equal(a, b)) return true;
  Buf one = {0}, other = {0};
  unit_print(&one, a);
  unit_print(&other, b);
  diag_report(diags, E4034, span, "%s is in %s in `%s` and in %s in `%s`", what, buf_str(&one), where_a, buf_str(&other), where_b);
  buf_free(&one);
  buf_free(&other);
  return false;
}

Status trajectory_agree(const Trajectory *a, const char *where_a, const Trajectory *b, const char *where_b, Diags *diags, Span span) {
  if (!same_unit(a->space, where_a, b->space, where_b, "space", diags, span) || !same_unit(a->time, where_a, b->time, where_b, "time", diags, span) ||
      !same_unit(a->state, where_a, b->state, where_b, "the state", diags, span)) return 1;
  const char *what = !same_values(a->x, a->nx, b->x, b->nx) ? "x" : a->y && !same_values(a->y, a->ny, b->y, b->ny) ? "y" : !same_values(a->t, a->nt, b->t, b->nt) ? "t" : NULL;
  if (!what) return 0;
  Diag *d = diag_report(diags, E4035, span, "`%s` and `%s` have different `%s`", where_a, where_b, what);
  diag_suggest(d, "the trajectories of a discovery are measured at the same places and times");
  return 1;
}

bool trajectory_uniform(const Trajectory *t, int first, int last) {
  double step = last - first > 1 ? (t->t[last - 1] - t->t[first]) / (last - first - 1) : 0;
  for (int k = first + 1; k + 1 < last; k++)
    if (fabs(t->t[k] - (t->t[first] + (k - first) * step)) > STEP_TOLERANCE * step) return false;
  return true;
}

/* ---- out again ---- */

static void put(ArrayFile *file, const char *name, Unit unit, int rank, const size_t *shape, const double *values) {
  NamedArray *array = arrays_add(file, name, strlen(name));
  Buf text = {0};
  array->rank = rank;
  memcpy(array->shape, shape, (size_t)rank * sizeof *shape);
  size_t n = array_count(array);
  array->values = malloc(n * sizeof *values + 1);
  memcpy(array->values, values, n * sizeof *values);
  if (!unit_is_none(unit)) unit_print_short(&text, unit);
  array->unit = text.len ? strdup(buf_str(&text)) : NULL;
  buf_free(&text);
}

void trajectory_to_arrays(const Trajectory *t, const char *state, int first, int last, ArrayFile *out) {
  size_t nt = (size_t)(last - first), nx = (size_t)t->nx, ny = (size_t)t->ny;
  *out = (ArrayFile){0};
  put(out, "t", t->time, 1, &nt, t->t + first);
  put(out, "x", t->space, 1, &nx, t->x);
  if (t->y) put(out, "y", t->space, 1, &ny, t->y);
  put(out, state, t->state, t->dim + 1, t->dim == 2 ? (size_t[]){nt, ny, nx} : (size_t[]){nt, nx}, t->u + (size_t)first * trajectory_nodes(t));
}

static void add_doubles(Sha256 *sha, const double *values, size_t n) {
  for (size_t k = 0; k < n; k++) {
    double x = isnan(values[k]) ? NAN : values[k];
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &x, sizeof bits);
    for (int b = 0; b < 8; b++) bytes[b] = (uint8_t)(bits >> (8 * b));
    sha256_add(sha, bytes, sizeof bytes);
  }
}

void trajectory_digest(const Trajectory *t, int first, int last, Sha256 *sha) {
  add_doubles(sha, t->t + first, (size_t)(last - first));
  add_doubles(sha, t->u + (size_t)first * trajectory_nodes(t), (size_t)(last - first) * trajectory_nodes(t));
}

double *trajectory_by_nodes(const Trajectory *t) {
  size_t nt = (size_t)t->nt, nx = (size_t)t->nx, ny = (size_t)t->ny;
  double *out = malloc(nt * nx * ny * sizeof *out + 1);
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < nx; i++) {
      double *line = out + (i * ny + j) * nt;
      for (size_t k = 0; k < nt; k++) line[k] = t->u[(k * ny + j) * nx + i];
    }
  return out;
}
