/* For the terminal and as Markdown. */
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "render.h"

enum { CELL_WIDEST = 60 };

/* --- the terminal --- */

/* Nothing of a record moves the cursor or changes colours. */
static void plain(Buf *out, const char *s, int most) {
  bool valid;
  int width = 0, all = text_width(s);
  for (int n; *s; s += n) {
    n = text_next(s, &valid);
    if (all > most && width == most - 1) {
      buf_puts(out, "…");
      return;
    }
    if (valid) buf_add(out, s, (size_t)n);
    else buf_puts(out, *s == '\n' || *s == '\t' ? " " : "?");
    width++;
  }
}

static void pad(Buf *out, int n) {
  while (n-- > 0) buf_putc(out, ' ');
}

static void term_cell(Buf *out, const char *text, int width, bool right, bool last) {
  Buf shown = {0};
  plain(&shown, text, width);
  int gap = width - text_width(buf_str(&shown));
  if (right) pad(out, gap);
  buf_puts(out, buf_str(&shown));
  if (!right && !last) pad(out, gap);
  buf_free(&shown);
}

/* Equations of several lines get a paragraph instead of a cell. */
static bool has_paragraphs(const ProjectedBlock *b) {
  for (int c = 0; c < b->ncolumns; c++)
    for (int r = 0; r < b->rows.nrows && b->columns[c].type == STORE_EQUATION; r++) {
      const Cell *cell = store_cell(&b->rows, r, c);
      if (cell->kind == CELL_TEXT && memchr(cell->text, '\n', equation_text(cell->text))) return true;
    }
  return false;
}

static void term_paragraphs(Buf *out, const ProjectedBlock *b) {
  for (int r = 0; r < b->rows.nrows; r++)
    for (int c = 0; c < b->ncolumns; c++) {
      Buf text = {0};
      render_cell(&text, &b->columns[c], store_cell(&b->rows, r, c));
      buf_printf(out, "  %s: ", b->columns[c].name);
      for (const char *s = buf_str(&text); *s;) {
        size_t n = strcspn(s, "\n");
        char *line = strndup(s, n);
        plain(out, line, 4000);
        free(line);
        s += n + (s[n] == '\n');
        if (*s) buf_puts(out, "\n      ");
      }
      buf_putc(out, '\n');
      buf_free(&text);
    }
}

static void term_table(Buf *out, const ProjectedBlock *b, const RenderOptions *o) {
  int *width = calloc((size_t)b->ncolumns + 1, sizeof *width);
  Buf *text = calloc((size_t)b->rows.nrows * (size_t)b->ncolumns + 1, sizeof *text);
  for (int c = 0; c < b->ncolumns; c++) {
    Buf head = {0};
    render_head(&head, &b->columns[c]);
    width[c] = text_width(buf_str(&head));
    for (int r = 0; r < b->rows.nrows; r++) {
      Buf *cell = &text[r * b->ncolumns + c];
      render_cell(cell, &b->columns[c], store_cell(&b->rows, r, c));
      int w = text_width(buf_str(cell));
      if (w > width[c]) width[c] = w > CELL_WIDEST ? CELL_WIDEST : w;
    }
    buf_free(&head);
  }
  if (o->colour) buf_puts(out, "\033[1m");
  for (int c = 0; c < b->ncolumns; c++) {
    Buf head = {0};
    render_head(&head, &b->columns[c]);
    buf_puts(out, "  ");
    term_cell(out, buf_str(&head), width[c], render_is_number(&b->columns[c]), c + 1 == b->ncolumns);
    buf_free(&head);
  }
  buf_puts(out, o->colour ? "\033[0m\n" : "\n");
  for (int r = 0; r < b->rows.nrows; r++) {
    for (int c = 0; c < b->ncolumns; c++) {
      buf_puts(out, "  ");
      term_cell(out, buf_str(&text[r * b->ncolumns + c]), width[c], store_cell(&b->rows, r, c)->kind == CELL_NUMBER && b->columns[c].type != STORE_TIME, c + 1 == b->ncolumns);
    }
    buf_putc(out, '\n');
  }
  for (int k = 0; k < b->rows.nrows * b->ncolumns; k++) buf_free(&text[k]);
  free(text);
  free(width);
}

static void term_values(Buf *out, const ProjectedBlock *b) {
  for (int r = 0; r < b->rows.nrows; r++) {
    Buf value = {0};
    render_cell(&value, &(ProjectedColumn){.type = STORE_NUMBER, .scale = 1}, store_cell(&b->rows, r, 1));
    buf_puts(out, "  ");
    plain(out, store_cell(&b->rows, r, 0)->text, 200);
    buf_puts(out, " = ");
    plain(out, buf_str(&value), 4000);
    if (store_cell(&b->rows, r, 2)->kind == CELL_TEXT) {
      buf_puts(out, " [");
      plain(out, store_cell(&b->rows, r, 2)->text, 60);
      buf_putc(out, ']');
    }
    buf_putc(out, '\n');
    buf_free(&value);
  }
}

static void note(Buf *out, const ProjectedBlock *b, const char *before, const char *after) {
  Buf text = {0};
  if (b->kind == PROJECTED_PLOT) chart_note(&text, b);
  else render_rows_note(&text, b);
  if (text.len) buf_printf(out, "%s%s%s\n", before, buf_str(&text), after);
  buf_free(&text);
}

static bool is_drawn_text(const ProjectedBlock *b) { return b->media && !strcmp(b->media, "text/plain") && b->picture.len; }

void render_term(Buf *out, const Projection *p, const RenderOptions *o) {
  plain(out, p->title, 400);
  buf_putc(out, '\n');
  for (int i = 0; i < p->nblocks; i++) {
    const ProjectedBlock *b = &p->blocks[i];
    buf_putc(out, '\n');
    if (b->title) {
      plain(out, b->title, 400);
      buf_putc(out, '\n');
    }
    switch (b->kind) {
      case PROJECTED_TABLE:
        if (b->rows.nrows && has_paragraphs(b)) term_paragraphs(out, b);
        else if (b->rows.nrows) term_table(out, b, o);
        note(out, b, "  ", "");
        break;
      case PROJECTED_PLOT:
        if (b->rows.nrows) chart_text(out, b, o->columns ? o->columns : 80, 16);
        note(out, b, "  ", "");
        break;
      case PROJECTED_PICTURE:
        if (is_drawn_text(b)) buf_add(out, b->picture.text, b->picture.len);
        else buf_printf(out, "  %s\n", b->note ? b->note : "a picture: the HTML report shows it");
        break;
      case PROJECTED_VALUES: term_values(out, b); break;
    }
  }
}

/* --- Markdown --- */

static void md_text(Buf *out, const char *s) {
  bool valid;
  for (int n; *s; s += n) {
    n = text_next(s, &valid);
    if (!valid) buf_puts(out, *s == '\n' || *s == '\t' ? " " : "\xEF\xBF\xBD");
    else if (*s == '<') buf_puts(out, "&lt;");
    else if (*s == '&') buf_puts(out, "&amp;");
    else {
      if (strchr("\\`*_{}[]#|>~!", *s)) buf_putc(out, '\\');
      buf_add(out, s, (size_t)n);
    }
  }
}

static void md_table(Buf *out, const ProjectedBlock *b) {
  for (int c = 0; c < b->ncolumns; c++) {
    Buf head = {0};
    render_head(&head, &b->columns[c]);
    buf_puts(out, "| ");
    md_text(out, buf_str(&head));
    buf_putc(out, ' ');
    buf_free(&head);
  }
  buf_puts(out, "|\n");
  for (int c = 0; c < b->ncolumns; c++) buf_puts(out, render_is_number(&b->columns[c]) ? "| ---: " : "| --- ");
  buf_puts(out, "|\n");
  for (int r = 0; r < b->rows.nrows; r++) {
    for (int c = 0; c < b->ncolumns; c++) {
      Buf text = {0};
      render_cell(&text, &b->columns[c], store_cell(&b->rows, r, c));
      buf_puts(out, "| ");
      md_text(out, buf_str(&text));
      buf_putc(out, ' ');
      buf_free(&text);
    }
    buf_puts(out, "|\n");
  }
}

static void md_values(Buf *out, const ProjectedBlock *b) {
  for (int r = 0; r < b->rows.nrows; r++) {
    Buf value = {0};
    render_cell(&value, &(ProjectedColumn){.type = STORE_NUMBER, .scale = 1}, store_cell(&b->rows, r, 1));
    buf_puts(out, "- ");
    md_text(out, store_cell(&b->rows, r, 0)->text);
    buf_puts(out, ": ");
    md_text(out, buf_str(&value));
    if (store_cell(&b->rows, r, 2)->kind == CELL_TEXT) {
      buf_putc(out, ' ');
      md_text(out, store_cell(&b->rows, r, 2)->text);
    }
    buf_putc(out, '\n');
    buf_free(&value);
  }
}

static void md_fenced(Buf *out, const char *text) { buf_printf(out, "```text\n%s```\n", text); }

void render_md(Buf *out, const Projection *p, const RenderOptions *o) {
  (void)o;
  buf_puts(out, "# ");
  md_text(out, p->title);
  buf_putc(out, '\n');
  for (int i = 0; i < p->nblocks; i++) {
    const ProjectedBlock *b = &p->blocks[i];
    buf_putc(out, '\n');
    if (b->title) {
      buf_puts(out, "## ");
      md_text(out, b->title);
      buf_puts(out, "\n\n");
    }
    Buf chart = {0};
    switch (b->kind) {
      case PROJECTED_TABLE:
        if (b->rows.nrows) md_table(out, b);
        note(out, b, b->rows.nrows ? "\n*" : "*", "*");
        break;
      case PROJECTED_PLOT:
        if (b->rows.nrows) chart_text(&chart, b, 80, 16), md_fenced(out, buf_str(&chart));
        note(out, b, b->rows.nrows ? "\n*" : "*", "*");
        break;
      case PROJECTED_PICTURE:
        if (is_drawn_text(b)) md_fenced(out, b->picture.text);
        else buf_printf(out, "*%s*\n", b->note ? b->note : "a picture: the HTML report shows it");
        break;
      case PROJECTED_VALUES: md_values(out, b); break;
    }
    buf_free(&chart);
  }
}
