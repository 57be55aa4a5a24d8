/* Tables of a script's own; studies, tables and histories as CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"

/* --- tabulate((name: [..], ..)) --- */

/* One cell: a number, whose unit the column takes from its first, or text. False after a report. */
static bool fill(Call *call, StudyTable *t, int r, int c, const Value *v) {
  int at = r * t->ncolumns + c;
  bool first = true;
  for (int k = 0; k < r; k++) first &= t->texts[k * t->ncolumns + c] != NULL;
  if (v->kind == VALUE_STRING || v->kind == VALUE_WORD) t->texts[at] = strdup(v->kind == VALUE_STRING ? v->text : v->word);
  else if (v->kind == VALUE_NUMBER && (first || unit_fits(v->unit, t->units[c]))) {
    t->cells[at] = v->number;
    if (first || t->units[c].any) t->units[c] = v->unit;
    if (first) t->shown[c] = v->shown;
  } else if (v->kind == VALUE_NUMBER) {
    diag_report(&call->ev->host->diags, E0302, call->spans[0], "row %d of the column `%s` has another unit than the rows above it", r + 1, t->columns[c]);
    return false;
  } else {
    diag_suggest(diag_report(&call->ev->host->diags, E0505, call->spans[0], "the cells of a table are numbers or text; row %d of `%s` is %s %s", r + 1, t->columns[c], value_article(v), value_kind_name(v)), "str(value) gives its text");
    return false;
  }
  return true;
}

Value *run_table(Call *call) {
  Value *columns = ARG(0);
  if (is_unknown(columns)) return value_unknown();
  int n = columns->nfields, rows = 0;
  bool known = !call->ev->dry;
  for (int c = 0; c < n; c++) {
    const Value *list = columns->fields[c].value;
    if (list->kind == VALUE_UNKNOWN || !list->known) known = false;
    else if (list->kind != VALUE_LIST) {
      diag_suggest(diag_report(&call->ev->host->diags, E0505, columns->fields[c].span, "the column `%s` is a list of cells; this is %s %s", columns->fields[c].name, value_article(list), value_kind_name(list)), "write tabulate((step: [0.1, 0.05], error: [1e-2, 3e-3]))");
      return value_poison();
    } else if (known && c && list->n != rows) {
      diag_report(&call->ev->host->diags, E0506, columns->fields[c].span, "the column `%s` has %d rows, `%s` before it %d", columns->fields[c].name, list->n, columns->fields[c - 1].name, rows);
      return value_poison();
    } else rows = list->n;
  }
  StudyTable *t = table_new(n);
  t->nrows = known ? rows : 0;
  t->cells = calloc((size_t)(rows * n) + 1, sizeof *t->cells);
  t->texts = calloc((size_t)(rows * n) + 1, sizeof *t->texts);
  if (ARG(1) && ARG(1)->kind == VALUE_STRING) t->title = strdup(ARG(1)->text);
  for (int k = 0; k < rows * n; k++) t->cells[k] = NAN;
  bool fine = true;
  for (int c = 0; c < n; c++) {
    t->columns[c] = strdup(columns->fields[c].name);
    for (int r = 0; fine && r < t->nrows; r++) fine = fill(call, t, r, c, columns->fields[c].value->items[r]);
  }
  Value *v = study_value(t);
  if (fine) return v;
  value_release(v);
  return value_poison();
}

/* --- as CSV --- */

static void cell(Buf *out, double x) {
  if (x == x) buf_number(out, x);
}

/* Quoted where a comma, a quote or a new line is in it (RFC 4180). */
static void text_cell(Buf *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    buf_puts(out, text);
    return;
  }
  buf_putc(out, '"');
  for (; *text; text++) {
    if (*text == '"') buf_putc(out, '"');
    buf_putc(out, *text);
  }
  buf_putc(out, '"');
}

static void study_csv(Buf *out, const StudyTable *t) {
  for (int c = 0; c < t->ncolumns; c++) {
    if (c) buf_putc(out, ',');
    shown_heading(out, t->columns[c], &t->shown[c], t->units[c]);
  }
  buf_putc(out, '\n');
  for (int r = 0; r < t->nrows; r++)
    for (int c = 0; c < t->ncolumns; c++) {
      const char *text = t->texts ? t->texts[r * t->ncolumns + c] : NULL;
      if (text) text_cell(out, text);
      else cell(out, shown_number(&t->shown[c], t->cells[r * t->ncolumns + c]));
      buf_putc(out, c + 1 < t->ncolumns ? ',' : '\n');
    }
}

static void history_csv(Buf *out, const Value *v) {
  shown_heading(out, v->curve_in_space ? "distance" : "t", &(Shown){0}, v->curve_xunit);
  buf_putc(out, ',');
  shown_heading(out, "value", &v->shown, v->curve_yunit);
  buf_putc(out, '\n');
  for (int i = 0; i < v->ncurve; i++) {
    cell(out, v->curve_x[i]);
    buf_putc(out, ',');
    cell(out, shown_number(&v->shown, v->curve_y[i]));
    buf_putc(out, '\n');
  }
}

Value *export_table(Call *call, Value *what, const char *path) {
  Host *host = call->ev->host;
  const char *dot = strrchr(path, '.');
  if (ARG(1)->known && (!dot || strcmp(dot, ".csv"))) {
    diag_suggest(diag_report(&host->diags, E0516, call->spans[1], "tables are written as .csv; `%s` is not", path), "write export(s, \"study.csv\")");
    return value_poison();
  }
  if (call->ev->dry) return value_none();
  Buf text = {0};
  if (what->kind == VALUE_STUDY) study_csv(&text, what->table);
  else history_csv(&text, what);
  char *file = host_output_path(host, path, call->spans[1]);
  bool fine = file && (!host_is_first_rank(host) || host_write_file(host, file, &text, call->spans[1]));
  if (fine) host_record_file(host, file);
  free(file);
  buf_free(&text);
  return fine ? value_none() : value_poison();
}
