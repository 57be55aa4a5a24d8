/* Source texts of a host and places in them. All texts share one 32-bit offset space, so a span is 8 bytes and knows
 * its file. Line and column are computed on demand. This is the only file of lang/ that reads files. */
#ifndef SOURCE_H
#define SOURCE_H
#include <stdint.h>

#include "arena.h"
#include "status.h"

typedef struct Span {
  uint32_t start, end;   /* [start, end), offsets in the source map; {0, 0} is "nowhere" */
} Span;

typedef struct Source {
  const char *path;      /* as the user gave it, or "<repl>", "<stdlib>/..." */
  const char *text;      /* NUL-terminated copy, may contain NUL bytes inside */
  uint32_t len, base;    /* the text occupies offsets [base, base + len] */
  uint32_t nlines;
  const uint32_t *line_start;   /* offsets relative to text */
} Source;

typedef struct SourceMap SourceMap;

typedef struct Place {
  const Source *source;  /* NULL for "nowhere" */
  int line, column;      /* from 1; columns count code points */
} Place;

SourceMap *sources_new(void);
void sources_free(SourceMap *map);
void sources_clear(SourceMap *map);      /* every text goes: nothing may refer to one any more */
void sources_escape(SourceMap *map, jmp_buf *escape);
const Source *source_add(SourceMap *map, const char *path, const char *text, size_t len);  /* copies; NULL: over 4 GB in all */
const Source *source_read(SourceMap *map, const char *path, const char **why);             /* NULL: *why says why */
const Source *source_of(const SourceMap *map, Span span);
Place source_place(const SourceMap *map, uint32_t offset);
Span span_join(Span a, Span b);         /* the smallest span that covers both; "nowhere" is neutral */

#endif
