/* Checked allocation for numerics/ and runtime/: every file there is compiled with this header before all others (Makefile), so that plain malloc,
 * calloc, realloc and strdup never give NULL: memory_out ends the process instead, with status 7. Who can go on without memory writes (malloc)(n), which
 * is the library's own. What big.h, the arenas and the front end allocate is checked there. */
#ifndef MEMORY_H
#define MEMORY_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE          /* it comes before what a file defines for itself */
#endif
#include <stdlib.h>
#include <string.h>

#include "arena.h"

static inline void *memory_got(void *p) {
  if (!p || memory_due()) memory_out();
  return p;
}
static inline void *memory_malloc(size_t bytes) { return memory_got((malloc)(bytes ? bytes : 1)); }
static inline void *memory_calloc(size_t n, size_t bytes) { return memory_got((calloc)(n ? n : 1, bytes ? bytes : 1)); }
static inline void *memory_realloc(void *old, size_t bytes) { return memory_got((realloc)(old, bytes ? bytes : 1)); }
static inline char *memory_strdup(const char *text) { return memory_got((strdup)(text)); }
static inline char *memory_strndup(const char *text, size_t n) { return memory_got((strndup)(text, n)); }

#undef strdup
#undef strndup
#define malloc(bytes) memory_malloc(bytes)
#define calloc(n, bytes) memory_calloc(n, bytes)
#define realloc(old, bytes) memory_realloc(old, bytes)
#define strdup(text) memory_strdup(text)
#define strndup(text, n) memory_strndup(text, n)
#define arena_new() ((Arena *)memory_got(arena_new()))

#endif
