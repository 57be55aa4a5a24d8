#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

const DiagRow diag_rows[DIAG_CODES] = {
#define DIAG(code, name, severity, status, title, doc, bad, good) \
  [code] = {#code, #name, severity, status, title, doc, bad, good},
#include "diag.def"
#undef DIAG
};

enum { KEPT_BY_DEFAULT = 50 };

const DiagRow *diag_row_of(const char *code) {
  for (int i = 0; i < DIAG_CODES; i++)
    if (!strcmp(diag_rows[i].code, code)) return &diag_rows[i];
  return NULL;
}

static char *format_text(const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  char *text = malloc((size_t)(len < 0 ? 0 : len) + 1);
  if (!text) memory_out();
  text[0] = 0;
  if (len > 0) vsnprintf(text, (size_t)len + 1, format, again);
  va_end(again);
  return text;
}

static void diag_free(Diag *diag) {
  for (int i = 0; i < diag->nnotes; i++) free(diag->notes[i].text);
  free(diag->notes);
  free(diag->message);
  free(diag->suggestion);
  free(diag->replacement);
  free(diag);
}

static void *grow(void *old, size_t bytes) {
  void *p = realloc(old, bytes);
  if (!p) memory_out();
  return p;
}

/* Reports beyond the limit and repeats still need something to hang notes on: the last slot is reused for them. */
static Diag *spare(Diags *diags) {
  Diag *d = diags->items[diags->n];
  if (d) diag_free(d);
  return diags->items[diags->n] = memset(grow(NULL, sizeof(Diag)), 0, sizeof(Diag));
}

static bool repeated(const Diags *diags, DiagCode code, Span span) {
  for (int i = 0; i < diags->n; i++) {
    const Diag *d = diags->items[i];
    if (d->code == code && d->span.start == span.start && d->span.end == span.end && span.start) return true;
  }
  return false;
}

Diag *diag_report(Diags *diags, DiagCode code, Span span, const char *format, ...) {
  if (diags->n + 1 >= diags->cap) {
    int cap = diags->cap ? diags->cap * 2 : 16;
    diags->items = grow(diags->items, (size_t)cap * sizeof *diags->items);
    memset(diags->items + diags->cap, 0, (size_t)(cap - diags->cap) * sizeof *diags->items);
    diags->cap = cap;
  }
  Diag *diag = spare(diags);
  va_list args;
  va_start(args, format);
  *diag = (Diag){.code = code, .severity = diag_rows[code].severity, .span = span, .message = format_text(format, args)};
  va_end(args);
  if (repeated(diags, code, span)) return diag;
  if (diag->severity == DIAG_ERROR) diags->nerrors++;
  if (diags->n >= (diags->limit ? diags->limit : KEPT_BY_DEFAULT)) {
    diags->dropped++;
    return diag;
  }
  diags->n++;
  return diag;
}

Diag *diag_note(Diag *diag, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag->notes = grow(diag->notes, (size_t)(diag->nnotes + 1) * sizeof *diag->notes);
  diag->notes[diag->nnotes++] = (DiagNote){span, format_text(format, args)};
  va_end(args);
  return diag;
}

Diag *diag_suggest(Diag *diag, const char *format, ...) {
  va_list args;
  va_start(args, format);
  free(diag->suggestion);
  diag->suggestion = format_text(format, args);
  va_end(args);
  return diag;
}

Diag *diag_replace(Diag *diag, const char *format, ...) {
  va_list args;
  va_start(args, format);
  free(diag->replacement);
  diag->replacement = format_text(format, args);
  va_end(args);
  return diag;
}

static const char *severity_word(DiagSeverity severity) {
  return severity == DIAG_ERROR ? "error" : severity == DIAG_WARNING ? "warning" : "note";
}

/* The line of the place with the span underlined. Long lines are cut to a window around the span. */
static void print_excerpt(Buf *out, const SourceMap *sources, Span span, bool colour) {
  Place from = source_place(sources, span.start);
  if (!from.source) return;
  const Source *s = from.source;
  uint32_t begin = s->line_start[from.line - 1];
  uint32_t end = from.line < (int)s->nlines ? s->line_start[from.line] - 1 : s->len;
  uint32_t at = span.start - s->base, stop = span.end > span.start ? span.end - s->base : at + 1;
  if (at > end) at = end;
  if (stop > end) stop = end > at ? end : at + 1;
  enum { BEFORE = 70, WINDOW = 120 };
  uint32_t left = begin, right = end;
  if (end - begin > WINDOW) {
    if (at - begin > BEFORE) left = at - BEFORE;
    while (left > begin && (s->text[left] & 0xC0) == 0x80) left--;
    if (end - left > WINDOW) right = left + WINDOW;
    while (right < end && (s->text[right] & 0xC0) == 0x80) right++;
    if (stop > right) stop = right > at ? right : at + 1;
  }
  buf_printf(out, "%6d | ", from.line);
  for (uint32_t i = left; i < right; i++) {
    unsigned char c = (unsigned char)s->text[i];
    if (c == '\t') buf_putc(out, ' ');
    else if (c < 32 || c == 127) buf_puts(out, "?");
    else buf_putc(out, (char)c);
  }
  buf_puts(out, "\n       | ");
  for (uint32_t i = left; i < at && i < right; i++)
    if (((unsigned char)s->text[i] & 0xC0) != 0x80) buf_putc(out, ' ');
  if (colour) buf_puts(out, "\033[1;31m");
  int marks = 0;
  for (uint32_t i = at; i < stop; i++)
    if (i >= s->len || ((unsigned char)s->text[i] & 0xC0) != 0x80) buf_putc(out, marks++ ? '~' : '^');
  if (colour) buf_puts(out, "\033[0m");
  buf_putc(out, '\n');
}

static void print_place(Buf *out, const SourceMap *sources, Span span) {
  Place p = source_place(sources, span.start);
  if (p.source) buf_printf(out, "%s:%d:%d: ", p.source->path, p.line, p.column);
}

void diag_print(Buf *out, const SourceMap *sources, const Diag *diag, bool colour) {
  const char *paint = !colour ? "" : diag->severity == DIAG_ERROR ? "\033[1;31m" : "\033[1;35m", *plain = colour ? "\033[0m" : "";
  print_place(out, sources, diag->span);
  buf_printf(out, "%s%s[%s]%s: %s\n", paint, severity_word(diag->severity), diag_rows[diag->code].code, plain, diag->message);
  print_excerpt(out, sources, diag->span, colour);
  for (int i = 0; i < diag->nnotes; i++) {
    buf_puts(out, "  note: ");
    print_place(out, sources, diag->notes[i].span);
    buf_printf(out, "%s\n", diag->notes[i].text);
    print_excerpt(out, sources, diag->notes[i].span, colour);
  }
  if (diag->suggestion) buf_printf(out, "  help: %s\n", diag->suggestion);
}

/* The order in which statuses win when several errors were reported. */
static int gravity(ExitStatus status) {
  switch (status) {
    case EXIT_BUG: return 9;
    case EXIT_INTERRUPT: return 8;
    case EXIT_ENVIRONMENT: return 7;
    case EXIT_INPUT: return 6;
    case EXIT_UNSUPPORTED: return 5;
    case EXIT_CLARIFY: return 4;
    case EXIT_BUDGET: return 3;
    case EXIT_NUMERICS: return 2;
    case EXIT_CONTRACT: return 1;
    case EXIT_DONE: return 0;
  }
  return 9;
}

ExitStatus diags_status(const Diags *diags) {
  ExitStatus status = EXIT_DONE;
  for (int i = 0; i < diags->n; i++) {
    const Diag *d = diags->items[i];
    if (d->severity == DIAG_ERROR && gravity(diag_rows[d->code].status) > gravity(status)) status = diag_rows[d->code].status;
  }
  return status;
}

Diag *diags_last_error(const Diags *diags) {
  for (int i = diags->n - 1; i >= 0; i--)
    if (diags->items[i]->severity == DIAG_ERROR) return diags->items[i];
  return NULL;
}

void diags_clear(Diags *diags) {
  for (int i = 0; i < diags->cap; i++)
    if (diags->items[i]) {
      diag_free(diags->items[i]);
      diags->items[i] = NULL;
    }
  diags->n = diags->nerrors = diags->dropped = 0;
}

void diags_free(Diags *diags) {
  diags_clear(diags);
  free(diags->items);
  diags->items = NULL;
  diags->cap = 0;
}
