/* Comma-separated text: t (of transient results), x, y, z, then every field; units in brackets in the header. Numbers in the shortest form
 * that reads back the same, with a decimal point in every locale. */
#include <stdlib.h>
#include <string.h>

#include "atomic.h"
#include "io_points.h"

/* A cell of the header, quoted where it needs to be (RFC 4180). */
static void header_cell(Buf *out, const char *name, const char *suffix, const char *unit) {
  Buf text = {0};
  buf_printf(&text, "%s%s", name, suffix);
  if (unit && *unit) buf_printf(&text, " [%s]", unit);
  if (out->len) buf_putc(out, ',');
  bool quote = strpbrk(buf_str(&text), ",\"\n") != NULL;
  if (quote) buf_putc(out, '"');
  for (const char *p = buf_str(&text); *p; p++) {
    if (*p == '"') buf_putc(out, '"');
    buf_putc(out, *p);
  }
  if (quote) buf_putc(out, '"');
  buf_free(&text);
}

static void component_suffix(const NodalField *field, int c, char *out, size_t n) {
  static const char letter[] = "xyz";
  int columns = field->shape.rank == 2 ? field->shape.extent[1] : 1;
  if (field->ncomp == 1) out[0] = 0;
  else if (field->shape.rank == 1 && c < 3) snprintf(out, n, ".%c", letter[c]);
  else if (field->shape.rank == 2 && columns <= 3 && c / columns < 3) snprintf(out, n, ".%c%c", letter[c / columns], letter[c % columns]);
  else snprintf(out, n, ".%d", c + 1);
}

static Status write_states(FILE *file, const IoPoints *points, const IoResult *result, Diags *diags, Span span) {
  int dim = result->mesh->dim;
  double **values = calloc((size_t)result->nfields + 1, sizeof *values);
  Status status = 0;
  Buf line = {0};
  for (int s = 0; values && s < result->nstates && !status; s++) {
    for (int f = 0; f < result->nfields; f++) {
      free(values[f]);
      values[f] = io_points_values(points, result, s, f);
      if (!values[f]) status = 1;
    }
    for (int p = 0; p < points->n && !status; p++) {
      buf_clear(&line);
      if (result->times) { buf_number(&line, result->times[s]); buf_putc(&line, ','); }
      for (int c = 0; c < dim; c++) {
        if (c) buf_putc(&line, ',');
        buf_number(&line, points->x[3 * (size_t)p + (size_t)c]);
      }
      for (int f = 0; f < result->nfields; f++)
        for (int c = 0; c < result->fields[f].ncomp; c++) {
          buf_putc(&line, ',');
          buf_number(&line, values[f][(size_t)p * (size_t)result->fields[f].ncomp + (size_t)c]);
        }
      buf_putc(&line, '\n');
      fwrite(line.text, 1, line.len, file);
    }
  }
  if (!values || status) status = 1, diag_report(diags, E0001, span, "the machine refused memory for the file");
  for (int f = 0; values && f < result->nfields; f++) free(values[f]);
  free(values);
  buf_free(&line);
  return status;
}

Status io_write_csv(const char *path, const IoResult *result, Diags *diags, Span span) {
  IoPoints points;
  Atomic atomic;
  TRY(io_check_finite(result, diags, span));
  TRY(io_points_open(&points, result, diags, span));
  if (atomic_begin(&atomic, path, diags, span)) { io_points_close(&points); return 1; }
  Buf header = {0};
  if (result->times) header_cell(&header, "t", "", result->time_unit);
  for (int c = 0; c < result->mesh->dim; c++) header_cell(&header, (const char *[]){"x", "y", "z"}[c], "", result->length_unit);
  for (int f = 0; f < result->nfields; f++)
    for (int c = 0; c < result->fields[f].ncomp; c++) {
      char suffix[16];
      component_suffix(&result->fields[f], c, suffix, sizeof suffix);
      header_cell(&header, result->fields[f].name ? result->fields[f].name : "field", suffix, result->fields[f].unit);
    }
  buf_putc(&header, '\n');
  fwrite(header.text, 1, header.len, atomic.file);
  buf_free(&header);
  Status status = write_states(atomic.file, &points, result, diags, span);
  io_points_close(&points);
  if (status) { atomic_abort(&atomic); return 1; }
  TRY(atomic_commit(&atomic, diags, span));
  if (result->on_file) result->on_file(result->user, path);
  return 0;
}
