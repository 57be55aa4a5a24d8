/* Cases as CSV: a header with names and units, `q [W/m], T`, and a row of numbers for each case. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset_csv.h"

enum { COLUMNS = 256 };

typedef struct Csv {
  const char *path;
  Diags *diags; Span span;
  ArrayFile *out;
  const Name *outputs; int noutputs;
  int ncolumns, cap;
} Csv;

static bool refuse(Csv *csv, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(Csv *csv, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diag_report(csv->diags, E3151, csv->span, "`%s` cannot be used: %s", csv->path, text);
  return false;
}

static void trim(const char **from, const char **to) {
  while (*from < *to && strchr(" \t\r\"", **from)) ++*from;
  while (*to > *from && strchr(" \t\r\"", (*to)[-1])) --*to;
}

/* `q [W/m]` */
static bool heading(Csv *csv, const char *from, const char *to) {
  trim(&from, &to);
  const char *open = memchr(from, '[', (size_t)(to - from)), *end = open ? open : to;
  char *end_of_number;
  const char *start = from;
  trim(&start, &end);
  if (start == end) return refuse(csv, "column %d has no name in the first line", csv->ncolumns + 1);
  text_number(start, &end_of_number);
  if (end_of_number == end) return refuse(csv, "its first line is numbers; it has to name the columns");
  if (open && to[-1] != ']') return refuse(csv, "the unit of column %d lacks its `]`", csv->ncolumns + 1);
  bool output = false;
  for (int k = 0; k < csv->noutputs; k++) output |= strlen(csv->outputs[k]) == (size_t)(end - start) && !memcmp(csv->outputs[k], start, (size_t)(end - start));
  Buf name = {0};
  buf_puts(&name, output ? "outputs/" : "inputs/");
  buf_add(&name, start, (size_t)(end - start));
  bool twice = arrays_find(csv->out, name.text) != NULL;
  NamedArray *array = arrays_add(csv->out, name.text, name.len);
  buf_free(&name);
  if (twice) return refuse(csv, "two columns are called `%.*s`", (int)(end - start), start);
  array->rank = 1;
  array->unit = open ? strndup(open + 1, (size_t)(to - open - 2)) : NULL;
  csv->ncolumns++;
  return true;
}

static bool number(Csv *csv, int column, int row, const char *from, const char *to) {
  trim(&from, &to);
  char cell[64], *end;
  size_t n = (size_t)(to - from);
  NamedArray *array = &csv->out->items[column];
  double x = NAN;
  if (n) {
    if (n >= sizeof cell) return refuse(csv, "row %d, column %d: `%.20s...` is no number", row, column + 1, from);
    memcpy(cell, from, n);
    cell[n] = 0;
    x = text_number(cell, &end);
    if (*end) return refuse(csv, "row %d, column %d: `%s` is no number", row, column + 1, cell);
  }
  if (row > csv->cap && column == 0) {
    csv->cap = 2 * row;
    for (int c = 0; c < csv->ncolumns; c++) csv->out->items[c].values = realloc(csv->out->items[c].values, (size_t)csv->cap * sizeof(double));
  }
  array->values[row - 1] = x;
  array->shape[0] = (size_t)row;
  return true;
}

static bool line(Csv *csv, int row, const char *from, const char *to) {
  int column = 0;
  for (const char *at = from;; at++, column++) {
    const char *comma = memchr(at, ',', (size_t)(to - at)), *end = comma ? comma : to;
    if (column == COLUMNS) return refuse(csv, "it has more than %d columns", COLUMNS);
    if (row && column == csv->ncolumns) return refuse(csv, "row %d has more cells than the first line has names", row);
    if (row ? !number(csv, column, row, at, end) : !heading(csv, at, end)) return false;
    if (!comma) break;
    at = comma;
  }
  return !row || column + 1 == csv->ncolumns || refuse(csv, "row %d has %d cells, the first line %d names", row, column + 1, csv->ncolumns);
}

bool dataset_csv_read(const char *path, const Name *outputs, int noutputs, Diags *diags, Span span, ArrayFile *out) {
  Csv csv = {.path = path, .diags = diags, .span = span, .out = out, .outputs = outputs, .noutputs = noutputs};
  FILE *file = fopen(path, "rb");
  *out = (ArrayFile){0};
  if (!file) return refuse(&csv, "it cannot be read: %s", strerror(errno));
  char *text = NULL;
  size_t cap = 0;
  bool fine = true;
  int row = 0;
  for (ssize_t n; fine && (n = getline(&text, &cap, file)) >= 0;) {
    while (n && (text[n - 1] == '\n' || text[n - 1] == '\r')) n--;
    if (n && text[0] != '#') fine = line(&csv, row++, text, text + n);
  }
  if (fine && row < 2) fine = refuse(&csv, "it has no rows");
  free(text);
  fclose(file);
  if (!fine) arrays_free(out);
  return fine;
}
