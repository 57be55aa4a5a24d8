#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct SourceMap {
  Arena *arena;
  Source **items;
  int n, cap;
  uint32_t next;
};

SourceMap *sources_new(void) {
  SourceMap *map = memory_try(NULL, sizeof *map);
  if (!map) return NULL;
  *map = (SourceMap){.arena = arena_new(), .next = 1};
  if (!map->arena) {
    free(map);
    return NULL;
  }
  return map;
}

void sources_free(SourceMap *map) {
  if (!map) return;
  arena_free(map->arena);
  free(map);
}

void sources_clear(SourceMap *map) {
  arena_free(map->arena);
  *map = (SourceMap){.arena = arena_new(), .next = 1};
  if (!map->arena) memory_out();
}

void sources_escape(SourceMap *map, jmp_buf *escape) { arena_escape(map->arena, escape); }

static void index_lines(SourceMap *map, Source *source) {
  uint32_t lines = 1;
  for (uint32_t i = 0; i < source->len; i++) lines += source->text[i] == '\n';
  uint32_t *start = ARENA_ARRAY(map->arena, uint32_t, lines), k = 1;
  for (uint32_t i = 0; i < source->len; i++)
    if (source->text[i] == '\n') start[k++] = i + 1;
  source->line_start = start;
  source->nlines = lines;
}

const Source *source_add(SourceMap *map, const char *path, const char *text, size_t len) {
  if (len >= UINT32_MAX - map->next - 2) return NULL;
  Source *source = ARENA_NEW(map->arena, Source);
  source->path = arena_text(map->arena, path, strlen(path));
  source->text = arena_text(map->arena, text, len);
  source->len = (uint32_t)len;
  source->base = map->next;
  index_lines(map, source);
  if (map->n == map->cap) {
    int cap = map->cap ? map->cap * 2 : 8;
    Source **items = ARENA_ARRAY(map->arena, Source *, cap);
    if (map->n) memcpy(items, map->items, (size_t)map->n * sizeof *items);
    map->items = items;
    map->cap = cap;
  }
  map->items[map->n++] = source;
  map->next += (uint32_t)len + 2;
  return source;
}

const Source *source_read(SourceMap *map, const char *path, const char **why) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    *why = strerror(errno);
    return NULL;
  }
  char *text = NULL;
  size_t len = 0, cap = 0, got;
  do {
    if (cap - len < 65536) {
      cap = cap ? cap * 2 : 131072;
      char *more = memory_try(text, cap);
      if (!more) {
        free(text);
        fclose(file);
        *why = "out of memory";
        return NULL;
      }
      text = more;
    }
    got = fread(text + len, 1, cap - len, file);
    len += got;
  } while (got);
  const Source *source = NULL;
  if (ferror(file)) *why = strerror(errno);
  else if (!(source = source_add(map, path, text, len))) *why = "the file is too large";
  free(text);
  fclose(file);
  return source;
}

const Source *source_of(const SourceMap *map, Span span) {
  if (!span.start) return NULL;
  int lo = 0, hi = map->n - 1;
  while (lo <= hi) {
    int mid = (lo + hi) / 2;
    const Source *s = map->items[mid];
    if (span.start < s->base) hi = mid - 1;
    else if (span.start > s->base + s->len + 1) lo = mid + 1;
    else return s;
  }
  return NULL;
}

Place source_place(const SourceMap *map, uint32_t offset) {
  const Source *s = source_of(map, (Span){offset, offset});
  if (!s) return (Place){0};
  uint32_t at = offset - s->base, lo = 0, hi = s->nlines;
  if (at > s->len) at = s->len;
  while (hi - lo > 1) {
    uint32_t mid = (lo + hi) / 2;
    if (s->line_start[mid] <= at) lo = mid;
    else hi = mid;
  }
  int column = 1;
  for (uint32_t i = s->line_start[lo]; i < at; i++) column += ((unsigned char)s->text[i] & 0xC0) != 0x80;
  return (Place){s, (int)lo + 1, column};
}

Span span_join(Span a, Span b) {
  if (!a.start) return b;
  if (!b.start) return a;
  return (Span){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}
