/* What the renderers share, and the table of them. */
#include "render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "eval.h"

const RendererRow renderers[] = {
#define RENDERER(name, extension, pictures, doc, render) {#name, extension, pictures, doc, render},
#include "view.def"
#undef RENDERER
};
const int renderer_count = sizeof renderers / sizeof *renderers;

const RendererRow *renderer_find(const char *name) {
  for (int i = 0; i < renderer_count; i++)
    if (!strcmp(renderers[i].name, name)) return &renderers[i];
  return NULL;
}

const RendererRow *renderer_of_path(const char *path) {
  const char *dot = strrchr(path, '.');
  for (int i = 0; dot && i < renderer_count; i++)
    if (*renderers[i].extension && !strcmp(renderers[i].extension, dot)) return &renderers[i];
  return NULL;
}

/* --- text --- */

int text_next(const char *text, bool *valid) {
  const unsigned char *s = (const unsigned char *)text;
  int n = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : (s[0] & 0xF0) == 0xE0 ? 3 : s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;
  *valid = n > 0 && (n > 1 || (s[0] >= 0x20 && s[0] != 0x7F));
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) *valid = false, n = 1;
  if (n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))) *valid = false;
  if (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))) *valid = false;
  if (n == 2 && s[0] == 0xC2 && s[1] < 0xA0) *valid = false;      /* C1 controls */
  return n > 0 ? n : 1;
}

int text_width(const char *s) {
  int width = 0;
  bool valid;
  for (; *s; s += text_next(s, &valid)) width++;
  return width;
}

size_t equation_text(const char *cell) {
  const char *math = strstr(cell, "\n<math");
  size_t n = math ? (size_t)(math - cell) : strlen(cell);
  while (n && (cell[n - 1] == '\n' || cell[n - 1] == ' ')) n--;
  return n;
}

const char *equation_mathml(const char *cell) {
  const char *math = strstr(cell, "\n<math");
  return math ? math + 1 : !strncmp(cell, "<math", 5) ? cell : NULL;
}

/* --- cells --- */

bool render_is_number(const ProjectedColumn *c) { return c->type == STORE_NUMBER || c->type == STORE_INT; }

double render_number(const ProjectedColumn *c, const Cell *cell) { return (cell->number - c->offset) / c->scale; }

static void number(Buf *out, const ProjectedColumn *c, double x) {
  char format[24], text[64];
  if (c->format && number_format(c->format, format, sizeof format)) {
    Buf wide = {0};
    number_print(&wide, format, x);
    buf_puts(out, buf_str(&wide) + strspn(buf_str(&wide), " "));
    buf_free(&wide);
  } else if (isnan(x)) buf_puts(out, "nan");
  else if (x == floor(x) && fabs(x) < 1e15) buf_printf(out, "%.0f", x);
  else {
    snprintf(text, sizeof text, "%.4g", x);
    for (char *s = text; *s; s++)
      if (*s == ',') *s = '.';
    buf_puts(out, text);
  }
}

static void moment(Buf *out, double seconds) {
  time_t whole = (time_t)seconds;
  struct tm tm;
  char text[40];
  if (!isfinite(seconds) || fabs(seconds) > 1e11 || !gmtime_r(&whole, &tm)) {
    buf_puts(out, "?");
    return;
  }
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
  buf_printf(out, "%s.%03d", text, (int)(1000 * (seconds - (double)whole)));
}

void render_cell(Buf *out, const ProjectedColumn *c, const Cell *cell) {
  if (cell->kind == CELL_NULL) return;
  if (cell->kind == CELL_NUMBER) {
    if (c->type == STORE_BOOL) buf_puts(out, cell->number ? "yes" : "no");
    else if (c->type == STORE_TIME) moment(out, cell->number);
    else number(out, c, render_number(c, cell));
  } else if (c->type == STORE_ARTEFACT) buf_add(out, cell->text, strnlen(cell->text, 12));
  else if (c->type == STORE_EQUATION) buf_add(out, cell->text, equation_text(cell->text));
  else buf_puts(out, cell->text);
}

void render_head(Buf *out, const ProjectedColumn *c) { buf_printf(out, c->unit ? "%s [%s]" : "%s", c->name, c->unit); }

static void count(Buf *out, double n) {
  char text[40];
  snprintf(text, sizeof text, "%.0f", n);
  size_t len = strlen(text);
  for (size_t i = 0; i < len; i++) {
    if (i && (len - i) % 3 == 0) buf_putc(out, ',');
    buf_putc(out, text[i]);
  }
}

void render_rows_note(Buf *out, const ProjectedBlock *b) {
  if (!b->rows.nrows) buf_puts(out, "no rows");
  else if (b->total > b->rows.nrows) {
    count(out, b->rows.nrows);
    buf_puts(out, " of ");
    count(out, b->total);
    buf_puts(out, " rows");
  }
}
