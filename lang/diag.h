/* Diagnostics: one type from the scanner to the solver. A code is a row of diag.def; a report goes to the host's sink. */
#ifndef DIAG_H
#define DIAG_H
#include <stdbool.h>

#include "buf.h"
#include "source.h"

typedef enum DiagSeverity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } DiagSeverity;

/* Exit statuses of CLI.md, "Conventions". */
typedef enum ExitStatus {
  EXIT_DONE = 0, EXIT_INPUT = 1, EXIT_CONTRACT = 2, EXIT_CLARIFY = 3, EXIT_UNSUPPORTED = 4, EXIT_NUMERICS = 5,
  EXIT_BUDGET = 6, EXIT_ENVIRONMENT = 7, EXIT_BUG = 70, EXIT_INTERRUPT = 130
} ExitStatus;

typedef enum DiagCode {
#define DIAG(code, name, severity, status, title, doc, bad, good) code,
#include "diag.def"
#undef DIAG
  DIAG_CODES
} DiagCode;

typedef struct DiagRow {
  const char *code, *name;      /* "E0203", "unknown-boundary" */
  DiagSeverity severity;
  ExitStatus status;
  const char *title, *doc;      /* one line; a paragraph for `pde doc CODE` */
  const char *bad, *good;       /* a script that causes it and one that mends it; NULL where no script alone can */
} DiagRow;

extern const DiagRow diag_rows[DIAG_CODES];
const DiagRow *diag_row_of(const char *code);   /* NULL: no such code */

typedef struct DiagNote {
  Span span;        /* may be nowhere */
  char *text;
} DiagNote;

typedef struct Diag {
  DiagCode code;
  DiagSeverity severity;
  Span span;
  char *message;
  DiagNote *notes;
  int nnotes;
  char *suggestion;             /* the way out, a sentence; or NULL */
  char *replacement;            /* text that may replace the span mechanically; or NULL */
} Diag;

typedef struct Diags {
  SourceMap *sources;           /* borrowed; for places */
  Diag **items;
  int n, cap, nerrors, limit;   /* at most `limit` are kept (0: 50); the rest is counted in `dropped` */
  int dropped;
} Diags;

/* Reports; the result takes notes and a suggestion and is never NULL. A second report of one code at one span is dropped. */
Diag *diag_report(Diags *diags, DiagCode code, Span span, const char *format, ...) __attribute__((format(printf, 4, 5)));
Diag *diag_note(Diag *diag, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
Diag *diag_suggest(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
Diag *diag_replace(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* file:line:column: error[E0203]: message, the source line with the span underlined, notes, help. colour: ANSI. */
void diag_print(Buf *out, const SourceMap *sources, const Diag *diag, bool colour);

ExitStatus diags_status(const Diags *diags);    /* of the gravest error so far; EXIT_DONE when none */
Diag *diags_last_error(const Diags *diags);       /* of those kept; NULL: none */
void diags_clear(Diags *diags);
void diags_free(Diags *diags);

#endif
