#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chunk {
  struct Chunk *next;
  size_t size, used;
} Chunk;

struct Arena {
  Chunk *chunks;
  jmp_buf *escape;
  size_t bytes;
};

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 1024 * 1024, HEADER = (sizeof(Chunk) + 15) & ~15 };

static _Thread_local long fail_countdown;

void memory_fail_at(long n) { fail_countdown = n; }

bool memory_due(void) { return fail_countdown && --fail_countdown == 0; }
bool memory_armed(void) { return fail_countdown != 0; }

void *memory_try(void *old, size_t bytes) {
  if (memory_due()) return NULL;
  return realloc(old, bytes ? bytes : 1);
}

Arena *arena_new(void) {
  Arena *arena = memory_try(NULL, sizeof *arena);
  if (arena) memset(arena, 0, sizeof *arena);
  return arena;
}

void arena_free(Arena *arena) {
  if (!arena) return;
  for (Chunk *c = arena->chunks, *next; c; c = next) {
    next = c->next;
    free(c);
  }
  free(arena);
}

void arena_escape(Arena *arena, jmp_buf *escape) { arena->escape = escape; }

void memory_out(void) {
  fputs("pde: out of memory\n", stderr);
  exit(7);      /* as CLI.md: the environment lacks something */
}

static void out_of_memory(Arena *arena) {
  if (arena->escape) longjmp(*arena->escape, 1);
  memory_out();
}

void *arena_alloc(Arena *arena, size_t bytes) {
  size_t want = (bytes + 15) & ~(size_t)15;
  Chunk *c = arena->chunks;
  if (!c || c->size - c->used < want) {
    size_t size = c ? c->size * 2 : FIRST_CHUNK;
    if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
    if (size < want) size = want;
    c = memory_try(NULL, HEADER + size);
    if (!c) out_of_memory(arena);
    *c = (Chunk){.next = arena->chunks, .size = size};
    arena->chunks = c;
    arena->bytes += size;
  }
  void *p = (char *)c + HEADER + c->used;
  c->used += want;
  return memset(p, 0, want);
}

char *arena_text(Arena *arena, const char *text, size_t len) {
  char *copy = arena_alloc(arena, len + 1);
  if (len) memcpy(copy, text, len);
  return copy;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  char *out = arena_alloc(arena, (size_t)(len < 0 ? 0 : len) + 1);
  if (len > 0) vsnprintf(out, (size_t)len + 1, format, again);
  va_end(again);
  va_end(args);
  return out;
}

size_t arena_bytes(const Arena *arena) { return arena->bytes; }
