#include "intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct Interner {
  Arena *arena;
  Name *slots;
  uint32_t cap, used;
};

Interner *interner_new(void) {
  Interner *names = memory_try(NULL, sizeof *names);
  if (!names) return NULL;
  *names = (Interner){.arena = arena_new(), .cap = 256};
  if (names->arena) names->slots = memory_try(NULL, names->cap * sizeof *names->slots);
  if (!names->slots) {
    interner_free(names);
    return NULL;
  }
  memset(names->slots, 0, names->cap * sizeof *names->slots);
  return names;
}

void interner_free(Interner *names) {
  if (!names) return;
  arena_free(names->arena);
  free(names->slots);
  free(names);
}

void interner_escape(Interner *names, jmp_buf *escape) { arena_escape(names->arena, escape); }

static uint32_t hash_text(const char *text, size_t len) {
  uint32_t h = 2166136261u;   /* FNV-1a */
  for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

static void grow(Interner *names) {
  uint32_t cap = names->cap * 2;
  Name *slots = memory_try(NULL, cap * sizeof *slots);
  if (!slots) return;   /* stays correct while a slot is free; full tables are prevented by growing at half */
  memset(slots, 0, cap * sizeof *slots);
  for (uint32_t i = 0; i < names->cap; i++) {
    Name name = names->slots[i];
    if (!name) continue;
    uint32_t h = hash_text(name, strlen(name)) & (cap - 1);
    while (slots[h]) h = (h + 1) & (cap - 1);
    slots[h] = name;
  }
  free(names->slots);
  names->slots = slots;
  names->cap = cap;
}

Name intern(Interner *names, const char *text, size_t len) {
  if (names->used * 2 >= names->cap) grow(names);
  uint32_t h = hash_text(text, len) & (names->cap - 1);
  for (; names->slots[h]; h = (h + 1) & (names->cap - 1))
    if (!strncmp(names->slots[h], text, len) && !names->slots[h][len]) return names->slots[h];
  if (names->used + 2 >= names->cap) return arena_text(names->arena, text, len);
  names->used++;
  return names->slots[h] = arena_text(names->arena, text, len);
}

Name intern_text(Interner *names, const char *text) { return intern(names, text, strlen(text)); }

/* Optimal string alignment distance of two short words, at most limit + 1. */
static int distance(const char *a, const char *b, int limit) {
  enum { MAX = 64 };
  int la = (int)strlen(a), lb = (int)strlen(b);
  if (la >= MAX || lb >= MAX || abs(la - lb) > limit) return limit + 1;
  int d[3][MAX + 1];
  for (int j = 0; j <= lb; j++) d[0][j] = j;
  for (int i = 1; i <= la; i++) {
    int *row = d[i % 3], *up = d[(i + 2) % 3], *up2 = d[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= lb; j++) {
      int cost = a[i - 1] != b[j - 1], best = up[j - 1] + cost;
      if (up[j] + 1 < best) best = up[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && up2[j - 2] + 1 < best) best = up2[j - 2] + 1;
      row[j] = best;
    }
  }
  return d[la % 3][lb];
}

Name nearest_name(const char *word, const Name *candidates, int n) {
  int len = (int)strlen(word), limit = len < 3 ? 1 : len < 8 ? 2 : 3, best = limit + 1;
  Name found = NULL;
  for (int i = 0; i < n; i++) {
    int d = distance(word, candidates[i], limit);
    if (d < best && d < len) best = d, found = candidates[i];
  }
  return found;
}
