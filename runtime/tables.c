/* Studies and histories as CSV. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

static void header(Buf *out, const char *name, Unit unit) {
  Buf u = {0};
  unit_print_short(&u, unit);
  buf_printf(out, u.len ? "%s [%s]" : "%s", name, buf_str(&u));
  buf_free(&u);
}

static void cell(Buf *out, double x) {
  if (x == x) buf_number(out, x);
}

static void study_csv(Buf *out, const StudyTable *t) {
  for (int c = 0; c < t->ncolumns; c++) {
    if (c) buf_putc(out, ',');
    header(out, t->columns[c], t->units[c]);
  }
  buf_putc(out, '\n');
  for (int r = 0; r < t->nrows; r++)
    for (int c = 0; c < t->ncolumns; c++) {
      cell(out, t->cells[r * t->ncolumns + c]);
      buf_putc(out, c + 1 < t->ncolumns ? ',' : '\n');
    }
}

static void history_csv(Buf *out, const Value *v) {
  header(out, v->curve_in_space ? "distance" : "t", v->curve_xunit);
  buf_putc(out, ',');
  header(out, "value", v->curve_yunit);
  buf_putc(out, '\n');
  for (int i = 0; i < v->ncurve; i++) {
    cell(out, v->curve_x[i]);
    buf_putc(out, ',');
    cell(out, v->curve_y[i]);
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
  char *file = host_output_path(host, path);
  bool fine = !host_is_first_rank(host) || host_write_file(host, file, &text, call->spans[1]);
  if (fine) host_record_file(host, file);
  free(file);
  buf_free(&text);
  return fine ? value_none() : value_poison();
}
