/* For other programs: JSON and CSV, with all digits. */
#include <math.h>
#include <string.h>

#include "render.h"

/* --- JSON --- */

static Json *json_cell(const ProjectedColumn *c, const Cell *cell) {
  if (cell->kind == CELL_NULL) return json_null();
  if (cell->kind == CELL_NUMBER) return c->type == STORE_BOOL ? json_bool(cell->number != 0) : json_number(render_number(c, cell));
  Json *parsed = c->type == STORE_JSON ? json_parse(cell->text, strlen(cell->text)) : NULL;
  if (parsed) return parsed;
  if (c->type != STORE_EQUATION) return json_string(cell->text);
  Json *equation = json_object();
  char *text = strndup(cell->text, equation_text(cell->text));
  json_put(equation, "text", json_string(text));
  json_put(equation, "mathml", json_string(equation_mathml(cell->text)));
  free(text);
  return equation;
}

static const char *const type_names[] = {"text", "number", "int", "bool", "json", "equation", "artefact", "time"};

static Json *json_columns(const ProjectedBlock *b) {
  Json *columns = json_array();
  for (int c = 0; c < b->ncolumns; c++) {
    Json *column = json_object();
    json_put(column, "name", json_string(b->columns[c].name));
    json_put(column, "unit", json_string(b->columns[c].unit));
    json_put(column, "type", json_string(type_names[b->columns[c].type]));
    json_append(columns, column);
  }
  return columns;
}

static Json *json_rows(const ProjectedBlock *b) {
  Json *rows = json_array();
  for (int r = 0; r < b->rows.nrows; r++) {
    Json *row = json_array();
    for (int c = 0; c < b->ncolumns; c++) json_append(row, json_cell(&b->columns[c], store_cell(&b->rows, r, c)));
    json_append(rows, row);
  }
  return rows;
}

static Json *json_values(const ProjectedBlock *b) {
  Json *values = json_object();
  for (int r = 0; r < b->rows.nrows; r++) {
    Json *value = json_object();
    json_put(value, "value", json_cell(&(ProjectedColumn){.type = STORE_NUMBER, .scale = 1}, store_cell(&b->rows, r, 1)));
    json_put(value, "unit", json_string(store_cell(&b->rows, r, 2)->kind == CELL_TEXT ? store_cell(&b->rows, r, 2)->text : NULL));
    json_put(values, store_cell(&b->rows, r, 0)->text, value);
  }
  return values;
}

static const char *const kind_names[] = {"table", "plot", "picture", "values"};

Json *projection_json(const Projection *p) {
  Json *root = json_object(), *blocks = json_array();
  for (int i = 0; i < p->nblocks; i++) {
    const ProjectedBlock *b = &p->blocks[i];
    Json *block = json_object();
    json_put(block, "kind", json_string(b->kind == PROJECTED_PLOT && b->histogram ? "histogram" : kind_names[b->kind]));
    json_put(block, "title", json_string(b->title));
    if (b->kind == PROJECTED_VALUES) json_put(block, "values", json_values(b));
    else if (b->kind == PROJECTED_PICTURE) json_put(block, "note", json_string(b->note));
    else {
      json_put(block, "columns", json_columns(b));
      json_put(block, "rows", json_rows(b));
      json_put(block, "total", json_number(b->total));
    }
    json_append(blocks, block);
  }
  json_put(root, "view", json_string(p->name));
  json_put(root, "subject", json_string(p->subject));
  json_put(root, "title", json_string(p->title));
  json_put(root, "blocks", blocks);
  return root;
}

void render_json(Buf *out, const Projection *p, const RenderOptions *o) {
  (void)o;
  Json *root = projection_json(p), *paths = json_array();
  Buf text = {0};
  json_print(&text, root, paths);      /* the paths are known once all is printed */
  if (json_count(paths)) {
    Json *again = json_array();
    json_put(root, "nonfinite", paths);
    buf_clear(&text);
    json_print(&text, root, again);
    json_free(again);
  } else json_free(paths);
  buf_printf(out, "%s\n", buf_str(&text));
  buf_free(&text);
  json_free(root);
}

/* --- CSV (RFC 4180) --- */

/* Quoted where a comma, quote or line end is in it. A text that a spreadsheet would read as a formula gets an apostrophe before it. */
static void csv_text(Buf *out, const char *s) {
  bool formula = *s && strchr("=+-@\t\r", *s), quoted = strpbrk(s, ",\"\r\n") != NULL, valid;
  if (quoted) buf_putc(out, '"');
  if (formula) buf_putc(out, '\'');
  for (int n; *s; s += n) {
    n = text_next(s, &valid);
    if (*s == '"') buf_putc(out, '"');
    if (valid || *s == '\n' || *s == '\r' || *s == '\t') buf_add(out, s, (size_t)n);
    else buf_puts(out, "\xEF\xBF\xBD");
  }
  if (quoted) buf_putc(out, '"');
}

static void csv_cell(Buf *out, const ProjectedColumn *c, const Cell *cell) {
  if (cell->kind == CELL_NULL) return;
  if (cell->kind == CELL_NUMBER) {
    double x = render_number(c, cell);
    if (isfinite(x)) buf_number(out, x);
    else buf_puts(out, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    return;
  }
  char *text = c->type == STORE_EQUATION ? strndup(cell->text, equation_text(cell->text)) : NULL;
  csv_text(out, text ? text : cell->text);
  free(text);
}

void render_csv(Buf *out, const Projection *p, const RenderOptions *o) {
  (void)o;
  bool first = true;
  for (int i = 0; i < p->nblocks; i++) {
    const ProjectedBlock *b = &p->blocks[i];
    if (b->kind == PROJECTED_PICTURE) continue;
    if (!first) buf_puts(out, "\n");
    first = false;
    for (int c = 0; c < b->ncolumns; c++) {
      Buf head = {0};
      if (c) buf_putc(out, ',');
      render_head(&head, &b->columns[c]);
      csv_text(out, buf_str(&head));
      buf_free(&head);
    }
    buf_puts(out, "\n");
    for (int r = 0; r < b->rows.nrows; r++)
      for (int c = 0; c < b->ncolumns; c++) {
        csv_cell(out, &b->columns[c], store_cell(&b->rows, r, c));
        buf_puts(out, c + 1 < b->ncolumns ? "," : "\n");
      }
  }
}
