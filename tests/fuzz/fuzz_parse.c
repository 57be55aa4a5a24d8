/* Any text gives a program; one without errors is formatted to the same tree, and formatting that again changes nothing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/fmt.h"

static void demand(bool fact, const char *what, const Buf *text) {
  if (fact) return;
  fprintf(stderr, "%s\n%s\n", what, buf_str(text));
  abort();
}

static void reparse(SourceMap *sources, Interner *names, Diags *diags, const Program *program) {
  Buf once = {0}, twice = {0};
  fmt_program(&once, program);
  const Source *source = source_add(sources, "formatted", buf_str(&once), once.len);
  Program *again = parse_program(source, names, diags, NULL);
  demand(diags->nerrors == 0, "the formatted text does not parse", &once);
  demand(ast_equal(program->root, again->root), "formatting changed the tree", &once);
  demand(program->ncomments == again->ncomments, "formatting lost a comment", &once);
  fmt_program(&twice, again);
  demand(once.len == twice.len && !memcmp(buf_str(&once), buf_str(&twice), once.len), "formatting twice differs", &once);
  program_release(again);
  buf_free(&once);
  buf_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceMap *sources = sources_new();
  Interner *names = interner_new();
  Diags diags = {.sources = sources};
  bool incomplete;
  const Source *source = source_add(sources, "fuzz", (const char *)data, size);
  Program *program = parse_program(source, names, &diags, &incomplete);
  Buf out = {0};
  ast_print(&out, program->root);
  buf_clear(&out);
  for (int i = 0; i < diags.n; i++) {
    const Diag *d = diags.items[i];
    diag_print(&out, sources, d, false);
    demand(d->span.start >= source->base && d->span.start <= d->span.end && d->span.end <= source->base + source->len + 1,
           "a diagnostic lies outside of its source", &out);
  }
  demand(!incomplete || diags.nerrors > 0, "incomplete without an error", &out);
  demand(program->nerrors == diags.nerrors || diags.dropped || diags.n < program->nerrors, "errors are miscounted", &out);
  demand(ast_equal(program->root, program->root), "a tree differs from itself", &out);
  if (!program->nerrors) reparse(sources, names, &diags, program);
  buf_free(&out);
  program_release(program);
  diags_free(&diags);
  interner_free(names);
  sources_free(sources);
  return 0;
}
