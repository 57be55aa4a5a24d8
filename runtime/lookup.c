/* Measured data: CSV files as functions. A file is a source text of the host, so that what is wrong in it is shown in its own line. */
#include "lookup.h"

#include <ctype.h>
#include <stdarg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

enum { COLUMNS_MAX = 64, VARIABLES_MAX = 3 };

typedef struct Column {
  char name[64];
  Span span;
  UnitScale unit;
  bool has_unit;
} Column;

typedef struct Csv {             /* numbers as they stand in the file */
  const Source *source;
  char separator;
  Column column[COLUMNS_MAX];
  int ncolumns, nrows, cap;
  double *cell;                  /* [nrows][ncolumns] */
  Span *row;                     /* of each row */
} Csv;

static Diag *refuse(Call *call, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
static Diag *refuse(Call *call, Span span, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  Diag *d = diag_report(&call->ev->host->diags, E2521, span, "%s", text);
  diag_note(d, call->span, "read here");
  return d;
}

/* --- lines and fields --- */

typedef struct Field { const char *start, *end; } Field;

static int split(const char *line, const char *end, char separator, Field *out) {
  int n = 0;
  while (n < COLUMNS_MAX) {
    const char *stop = memchr(line, separator, (size_t)(end - line));
    Field f = {line, stop ? stop : end};
    while (f.start < f.end && (isspace((unsigned char)*f.start) || *f.start == '"')) f.start++;
    while (f.end > f.start && (isspace((unsigned char)f.end[-1]) || f.end[-1] == '"')) f.end--;
    out[n++] = f;
    if (!stop) break;
    line = stop + 1;
  }
  return n;
}

static bool is_number(Field f, double *out) {
  char text[64], *rest;
  size_t n = (size_t)(f.end - f.start);
  if (!n || n >= sizeof text) return false;
  memcpy(text, f.start, n);
  text[n] = 0;
  *out = text_number(text, &rest);
  return !*rest;
}

static Span span_of(const Csv *csv, const char *from, const char *to) {
  uint32_t base = csv->source->base;
  return (Span){base + (uint32_t)(from - csv->source->text), base + (uint32_t)(to - csv->source->text)};
}

/* `T [degC]`: the unit's value at 1 and at 0 gives its scale and offset. */
static bool column_unit(Call *call, const char *text, size_t n, Column *out) {
  Buf one = {0};
  double at[2];
  bool fine = true;
  for (int k = 0; k < 2 && fine; k++) {
    one.len = 0;
    buf_printf(&one, "%d.0 [%.*s]", k, (int)n, text);
    Value *v = host_eval_text(call->ev, buf_str(&one), "<unit of a column>");
    fine = v->kind == VALUE_NUMBER;
    at[k] = fine ? v->number : 0;
    if (k && fine) out->unit.unit = v->unit;
    value_release(v);
  }
  buf_free(&one);
  out->unit.scale = at[1] - at[0];
  out->unit.offset = at[0];
  return fine;
}

static bool read_header(Call *call, Csv *csv, const Field *field, int n) {
  for (int i = 0; i < n; i++) {
    Column *column = &csv->column[i];
    const char *open = memchr(field[i].start, '[', (size_t)(field[i].end - field[i].start)), *end = open ? open : field[i].end;
    *column = (Column){.span = span_of(csv, field[i].start, field[i].end), .unit = {UNIT_NONE, 1, 0}};
    while (end > field[i].start && isspace((unsigned char)end[-1])) end--;
    snprintf(column->name, sizeof column->name, "%.*s", (int)(end - field[i].start), field[i].start);
    if (!*column->name) return refuse(call, column->span, "column %d of the table has no name", i + 1), false;
    for (int k = 0; k < i; k++)
      if (!strcmp(csv->column[k].name, column->name)) return refuse(call, column->span, "two columns of the table are named `%s`", column->name), false;
    if (!open) continue;
    const char *close = memchr(open, ']', (size_t)(field[i].end - open));
    if (!close) return refuse(call, column->span, "the unit of column `%s` lacks its `]`", column->name), false;
    column->has_unit = true;
    if (!column_unit(call, open + 1, (size_t)(close - open - 1), column)) {
      diag_note(call->ev->host->diags.items[call->ev->host->diags.n - 1], column->span, "the unit of this column");
      return false;
    }
  }
  csv->ncolumns = n;
  return true;
}

static bool read_row(Call *call, Csv *csv, const Field *field, int n) {
  Span line = span_of(csv, field[0].start, field[n - 1].end);
  if (n != csv->ncolumns) return refuse(call, line, "this row has %d value%s; the table has %d columns", n, n == 1 ? "" : "s", csv->ncolumns), false;
  if (csv->nrows == csv->cap) {
    csv->cap = csv->cap ? 2 * csv->cap : 256;
    csv->cell = realloc(csv->cell, sizeof(double) * (size_t)csv->cap * (size_t)csv->ncolumns);
    csv->row = realloc(csv->row, sizeof(Span) * (size_t)csv->cap);
  }
  for (int i = 0; i < n; i++) {
    double value;
    Span span = span_of(csv, field[i].start, field[i].end);
    if (!is_number(field[i], &value)) {
      bool empty = span.start == span.end;
      Diag *d = refuse(call, empty ? line : span, empty ? "column `%s` is empty in this row" : "what stands in column `%s` is no number", csv->column[i].name);
      if (memchr(field[i].start, ',', (size_t)(field[i].end - field[i].start))) diag_suggest(d, "numbers are written with a point: 1.5");
      return false;
    }
    if (!isfinite(value)) return refuse(call, span, "a value in column `%s` is not finite", csv->column[i].name), false;
    csv->cell[(size_t)csv->nrows * (size_t)csv->ncolumns + (size_t)i] = value * csv->column[i].unit.scale + csv->column[i].unit.offset;
  }
  csv->row[csv->nrows++] = line;
  return true;
}

static bool read_csv(Call *call, Csv *csv) {
  const char *at = csv->source->text, *end = at + csv->source->len;
  bool header = true, fine = true;
  if (end - at >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3)) at += 3;
  while (at < end && fine) {
    const char *stop = memchr(at, '\n', (size_t)(end - at)), *line = at, *last = stop ? stop : end;
    at = stop ? stop + 1 : end;
    while (line < last && isspace((unsigned char)*line)) line++;
    while (last > line && isspace((unsigned char)last[-1])) last--;
    if (line == last || *line == '#') continue;
    if (header) csv->separator = memchr(line, ';', (size_t)(last - line)) ? ';' : memchr(line, '\t', (size_t)(last - line)) ? '\t' : ',';
    Field field[COLUMNS_MAX];
    int n = split(line, last, csv->separator, field);
    double unused;
    if (header && is_number(field[0], &unused)) {
      diag_suggest(refuse(call, span_of(csv, line, last), "the table has no header: its first row is numbers"), "name the columns, with units if there are any: T [degC], k [W/m/K]");
      return false;
    }
    fine = header ? read_header(call, csv, field, n) : read_row(call, csv, field, n);
    header = false;
  }
  if (fine && csv->nrows < 2) return refuse(call, (Span){csv->source->base, csv->source->base}, "the table has %d row%s; at least two are needed", csv->nrows, csv->nrows == 1 ? "" : "s"), false;
  return fine;
}

/* --- columns --- */

static int find_column(Call *call, const Csv *csv, Value *name, Span span) {
  Name names[COLUMNS_MAX];
  const char *wanted = name->kind == VALUE_STRING ? name->text : name->kind == VALUE_WORD ? name->word : NULL;
  for (int i = 0; i < csv->ncolumns; i++) {
    names[i] = csv->column[i].name;
    if (wanted && !strcmp(wanted, names[i])) return i;
  }
  Diag *d = diag_report(&call->ev->host->diags, E2521, span, wanted ? "the table has no column `%s`" : "a column is given by its name%s", wanted ? wanted : ", a text");
  Name near = wanted ? nearest_name(wanted, names, csv->ncolumns) : NULL;
  Buf list = {0};
  for (int i = 0; i < csv->ncolumns; i++) buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
  if (near) diag_suggest(d, "did you mean \"%s\"?", near);
  else diag_suggest(d, "its columns are %s", buf_str(&list));
  buf_free(&list);
  return -1;
}

/* Columns of the variables and of the value; without a wish the first ones and the last. */
static int choose_columns(Call *call, const Csv *csv, int variable[VARIABLES_MAX], int *value) {
  int n = 0;
  *value = csv->ncolumns - 1;
  if (ARG(1) && (*value = find_column(call, csv, ARG(1), call->spans[1])) < 0) return 0;
  if (ARG(2)) {
    Value *by = ARG(2), *one[1] = {by}, **items = by->kind == VALUE_LIST || by->kind == VALUE_TUPLE ? by->items : one;
    int count = by->kind == VALUE_LIST || by->kind == VALUE_TUPLE ? by->n : 1;
    if (count > VARIABLES_MAX) return diag_report(&call->ev->host->diags, E2521, call->spans[2], "a table has one to three variables, not %d", count), 0;
    for (int i = 0; i < count; i++)
      if ((variable[n++] = find_column(call, csv, items[i], call->spans[2])) < 0) return 0;
    return n;
  }
  if (ARG(1)) return variable[0] = 0, 1;
  if (csv->ncolumns < 2 || csv->ncolumns > VARIABLES_MAX + 1) {
    diag_suggest(diag_report(&call->ev->host->diags, E2521, call->span, "the table has %d column%s: which is the value, and by which variable?", csv->ncolumns, csv->ncolumns == 1 ? "" : "s"),
                 "write table(\"...\", value: \"%s\", by: \"%s\")", csv->column[csv->ncolumns - 1].name, csv->column[0].name);
    return 0;
  }
  for (int i = 0; i + 1 < csv->ncolumns; i++) variable[n++] = i;
  return n;
}

static double cell(const Csv *csv, int row, int column) { return csv->cell[(size_t)row * (size_t)csv->ncolumns + (size_t)column]; }

/* --- one variable --- */

static bool rising(Call *call, const Csv *csv, int column) {
  for (int i = 1; i < csv->nrows; i++) {
    double a = cell(csv, i - 1, column), b = cell(csv, i, column);
    if (b > a) continue;
    Diag *d = refuse(call, csv->row[i], b == a ? "two rows have the same `%s`" : "the rows are not sorted: `%s` falls here", csv->column[column].name);
    if (b < a) diag_suggest(d, "sort the rows by `%s`", csv->column[column].name);
    else diag_suggest(d, "keep one of them, or their mean");
    return false;
  }
  return true;
}

static const ExprTable *of_one(Call *call, const Csv *csv, int variable, int value, ExprTable *table, bool cubic) {
  if (!rising(call, csv, variable)) return NULL;
  double *x = malloc(2 * sizeof *x * (size_t)csv->nrows), *y = x + csv->nrows;
  for (int i = 0; i < csv->nrows; i++) x[i] = cell(csv, i, variable), y[i] = cell(csv, i, value);
  table->n[0] = csv->nrows;
  table->knot[0] = x;
  table->value = y;
  const ExprTable *made = expr_table_new(call->ev->host->pool, table, cubic);
  free(x);
  return made;
}

/* --- several variables: the rows are a grid, in any order --- */

static int by_number(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static int distinct(const Csv *csv, int column, double *out) {
  int n = 0;
  for (int i = 0; i < csv->nrows; i++) out[i] = cell(csv, i, column);
  qsort(out, (size_t)csv->nrows, sizeof *out, by_number);
  double gap = 1e-9 * (out[csv->nrows - 1] - out[0]);
  for (int i = 0; i < csv->nrows; i++)
    if (!n || out[i] > out[n - 1] + gap) out[n++] = out[i];
  return n;
}

static int place_of(const double *knot, int n, double x) {
  int best = 0;
  for (int lo = 0, hi = n - 1; lo <= hi;) {
    int middle = (lo + hi) / 2;
    if (fabs(knot[middle] - x) <= fabs(knot[best] - x)) best = middle;
    if (knot[middle] < x) lo = middle + 1;
    else hi = middle - 1;
  }
  return best;
}

/* Rows that are no grid of two variables: points anywhere in the plane. */
static const ExprTable *of_scattered(Call *call, const Csv *csv, const int *variable, int value, ExprTable *table) {
  double (*x)[2] = malloc(sizeof *x * (size_t)csv->nrows), *values = malloc(sizeof *values * (size_t)csv->nrows);
  int which[2];
  const ExprTable *made = NULL;
  for (int i = 0; i < csv->nrows; i++) {
    for (int d = 0; d < 2; d++) x[i][d] = cell(csv, i, variable[d]);
    values[i] = cell(csv, i, value);
  }
  ScatterFault fault = expr_scatter_new(call->ev->host->pool, table, (const double (*)[2])x, values, csv->nrows, which, &made);
  if (fault == SCATTER_TWICE) diag_note(refuse(call, csv->row[which[1]], "two rows have the same variables"), csv->row[which[0]], "the other row");
  if (fault == SCATTER_LINE) {
    Diag *d = refuse(call, csv->column[variable[0]].span, "the points lie on one line: they say nothing of what is beside it");
    diag_suggest(d, "name one variable, by: \"%s\"", csv->column[variable[0]].name);
  }
  free(x), free(values);
  return fault ? NULL : made;
}

static const ExprTable *of_several(Call *call, const Csv *csv, const int *variable, int value, ExprTable *table) {
  double *knot[VARIABLES_MAX] = {NULL}, *values = NULL;
  const ExprTable *made = NULL;
  size_t total = 1;
  for (int d = 0; d < table->dim; d++) {
    knot[d] = malloc(sizeof(double) * (size_t)csv->nrows);
    table->knot[d] = knot[d];
    table->n[d] = distinct(csv, variable[d], knot[d]);
    total *= (size_t)table->n[d];
  }
  if (table->dim == 2 && total != (size_t)csv->nrows) {
    for (int d = 0; d < 2; d++) free(knot[d]);
    return of_scattered(call, csv, variable, value, table);
  }
  int *from = calloc(total < 100000000 ? total + 1 : 1, sizeof *from);
  bool fine = true;
  if (total != (size_t)csv->nrows && total > (size_t)csv->nrows) {
    Diag *d = refuse(call, csv->column[variable[0]].span, "the rows are no grid: %d rows, and %zu combinations of different `%s`, `%s` and `%s`", csv->nrows, total, csv->column[variable[0]].name,
                     csv->column[variable[1]].name, csv->column[variable[2]].name);
    diag_suggest(d, "a table of three variables has a row for every combination of their values; points anywhere may be given in two variables");
    fine = false;
  }
  values = malloc(sizeof(double) * (total < 100000000 ? total + 1 : 1));
  for (int i = 0; i < csv->nrows && fine; i++) {
    size_t at = 0;
    for (int d = 0; d < table->dim; d++) at = at * (size_t)table->n[d] + (size_t)place_of(knot[d], table->n[d], cell(csv, i, variable[d]));
    if (from[at]) {
      diag_note(refuse(call, csv->row[i], "two rows have the same variables"), csv->row[from[at] - 1], "the other row");
      fine = false;
    }
    from[at] = i + 1;
    values[at] = cell(csv, i, value);
  }
  for (int d = 0; d < table->dim && fine; d++)
    if (table->n[d] < 2) fine = (refuse(call, csv->column[variable[d]].span, "`%s` has one value only: it is no variable", csv->column[variable[d]].name), false);
  table->value = values;
  if (fine) made = expr_table_new(call->ev->host->pool, table, false);
  for (int d = 0; d < table->dim; d++) free(knot[d]);
  free(from), free(values);
  return made;
}

/* --- the function --- */

static bool option(Call *call, int k, const char *const words[2], bool *second) {
  const char *word = !ARG(k) ? words[0] : ARG(k)->kind == VALUE_WORD ? ARG(k)->word : ARG(k)->text;
  *second = !strcmp(word, words[1]);
  if (*second || !strcmp(word, words[0])) return true;
  diag_suggest(diag_report(&call->ev->host->diags, E0506, call->spans[k], "`%s` is none of %s and %s", word, words[0], words[1]), "write %s or %s", words[0], words[1]);
  return false;
}

Value *lookup_table(Call *call) {
  static const char *const methods[2] = {"linear", "monotone"}, *const beyond[2] = {"error", "hold"};
  Host *host = call->ev->host;
  bool cubic, hold;
  if (!ARG(0)->known) return value_unknown();
  if (!option(call, 3, methods, &cubic) || !option(call, 4, beyond, &hold)) return value_poison();
  const char *why;
  char *path = host_input_path(call->ev, ARG(0)->text, call->spans[0]);
  if (!path) return value_poison();
  Csv csv = {.source = source_read(host->sources, path, &why)};
  free(path);
  if (!csv.source && call->ev->dry) return value_unknown();      /* the script may write it */
  if (!csv.source) {
    diag_report(&host->diags, E2521, call->spans[0], "`%s` cannot be read: %s", ARG(0)->text, why);
    return value_poison();
  }
  int variable[VARIABLES_MAX], value, n = read_csv(call, &csv) ? choose_columns(call, &csv, variable, &value) : 0;
  const ExprTable *made = NULL;
  if (n) {
    ExprTable table = {.dim = n, .hold = hold, .name = intern_text(host->names, csv.column[value].name), .out = csv.column[value].unit.unit};
    for (int d = 0; d < n; d++) table.in[d] = csv.column[variable[d]].unit.unit;
    if (n > 1 && cubic) diag_report(&host->diags, E0506, call->spans[3], "monotone cubics are of one variable; a table of %d is interpolated linearly", n);
    else made = n == 1 ? of_one(call, &csv, variable[0], value, &table, cubic) : of_several(call, &csv, variable, value, &table);
  }
  free(csv.cell), free(csv.row);
  if (!made) return value_poison();
  Value *v = value_new(VALUE_TABLE);
  v->lookup = made;
  return v;
}

static Value *outside(Eval *ev, const ExprTable *table, const double *x, Span span) {
  Buf text = {0};
  for (int d = 0; d < table->dim; d++) {
    Buf unit = {0};
    unit_print_short(&unit, table->in[d]);
    buf_printf(&text, table->scatter ? "%s%g (points from %g to %g%s%s)" : "%s%g (of %g to %g%s%s)", d ? ", " : "", x[d], table->knot[d][0], table->knot[d][table->n[d] - 1], unit.len ? " " : "", buf_str(&unit));
    buf_free(&unit);
  }
  diag_suggest(diag_report(&ev->host->diags, E2522, span, "the table `%s` has no value at %s", table->name, buf_str(&text)),
               table->scatter ? "outside: hold takes the value at the nearest point of the convex hull of its points" : "outside: hold keeps the value at the ends");
  buf_free(&text);
  return value_poison();
}

Value *lookup_call(Eval *ev, const ExprTable *table, Argument *args, int n, Span span) {
  Expr *exprs[VARIABLES_MAX] = {NULL};
  double numbers[VARIABLES_MAX];
  bool fields = false, known = true;
  Deps deps = {0};
  if (n != table->dim) {
    diag_report(&ev->host->diags, E0502, span, "the table `%s` takes %d argument%s; %d given", table->name, table->dim, table->dim == 1 ? "" : "s", n);
    return value_poison();
  }
  for (int i = 0; i < n; i++) {
    Value *v = args[i].value;
    if (v->kind == VALUE_UNKNOWN) return value_unknown();
    fields |= v->kind != VALUE_NUMBER;
    known &= v->known;
    if (!(exprs[i] = eval_to_expr(ev, v, args[i].span, &deps))) return value_poison();
    numbers[i] = v->kind == VALUE_NUMBER ? v->number : NAN;
  }
  Expr *e = expr_table(ev->host->pool, table, exprs, n);
  Value *v = NULL;
  if (!e) {
    ExprError error = expr_error(ev->host->pool);
    diag_report(&ev->host->diags, error.kind == EXPR_UNIT ? E0302 : E0301, error.argument >= 0 ? args[error.argument].span : span, "%s", error.text);
    v = value_poison();
  } else if (fields) v = value_field(e, &deps);
  else if (!known) v = value_number_unknown(table->out);
  else {
    double value = expr_table_value(table, numbers, (int[3]){0, 0, 0});
    v = isnan(value) ? outside(ev, table, numbers, span) : value_number(value, table->out);
  }
  deps_free(&deps);
  return v;
}
