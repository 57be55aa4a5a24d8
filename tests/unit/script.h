/* One script, parsed, with all that it needs; for the tests of lang/. */
#ifndef TEST_SCRIPT_H
#define TEST_SCRIPT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "lang/ast.h"

typedef struct Script {
  SourceMap *sources;
  Interner *names;
  Diags diags;
  Program *program;
  bool incomplete;
} Script;

static inline Script script_parse(const char *text, size_t len) {
  Script s = {.sources = sources_new(), .names = interner_new()};
  s.diags.sources = s.sources;
  const Source *source = source_add(s.sources, "test.pde", text, len);
  s.program = parse_program(source, s.names, &s.diags, &s.incomplete);
  assert_non_null(s.program);
  assert_non_null(s.program->root);
  return s;
}

static inline void script_free(Script *s) {
  program_release(s->program);
  diags_free(&s->diags);
  interner_free(s->names);
  sources_free(s->sources);
}

/* "E0012 1:5-1:6; ..." in the order of the report. */
static inline void script_errors(const Script *s, Buf *out) {
  for (int i = 0; i < s->diags.n; i++) {
    const Diag *d = s->diags.items[i];
    Place from = source_place(s->sources, d->span.start), to = source_place(s->sources, d->span.end);
    buf_printf(out, "%s%s %d:%d-%d:%d", i ? "; " : "", diag_rows[d->code].code, from.line, from.column, to.line, to.column);
  }
}

static inline void script_shape(const Script *s, Buf *out) {
  for (int i = 0; i < s->program->root->n; i++) {
    if (i) buf_putc(out, ' ');
    ast_print(out, s->program->root->kid[i]);
  }
}

/* The whole text of a file below tests/. */
static inline char *script_read(const char *name, size_t *len) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", TEST_SRCDIR, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("cannot open %s", path);
  Buf text = {0};
  char block[4096];
  for (size_t n; (n = fread(block, 1, sizeof block, file));) buf_add(&text, block, n);
  fclose(file);
  *len = text.len;
  return text.text;
}

/* The example scripts, one for each feature of the language. */
static const char *const script_names[] = {
  "01-hello", "02-units-cooling-fin", "03-transient-heat", "04-navier-stokes", "05-elasticity-fn", "06-regions", "07-periodic-mean",
  "08-weak-dg", "09-eigen-wave", "10-unicode", "11-study", "12-contract-library", "13-audit", "14-foreign-predictor",
  "15-surrogate", "16-histories", "17-discovery", "18-fit-then-forward", "19-views", "20-policy", "21-surrogate-search",
  "22-functions-loops", "23-names", "24-thermoelastic", "25-solution-contracts-and-tests",
};
enum { SCRIPTS = sizeof script_names / sizeof *script_names };

static inline char *script_example(int i, size_t *len) {
  char name[128];
  snprintf(name, sizeof name, "lang/scripts/%s.pde", script_names[i]);
  return script_read(name, len);
}

#endif
