/* Walks over the DAG and the maps they use. */
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"

void *expr_memory(void *old, size_t bytes) {
  void *p = memory_try(old, bytes);
  if (!p) memory_out();
  return p;
}

static uint32_t memo_slot(const Memo *memo, uint64_t key) {
  uint64_t h = (key + 1) * 0x9e3779b97f4a7c15u;   /* Fibonacci hashing */
  uint32_t at = (uint32_t)(h >> 32) & (memo->cap - 1);
  while (memo->keys[at] && memo->keys[at] != key + 1) at = (at + 1) & (memo->cap - 1);
  return at;
}

const void *memo_get(const Memo *memo, uint64_t key) {
  if (!memo->cap) return NULL;
  uint32_t at = memo_slot(memo, key);
  return memo->keys[at] ? memo->values[at] : NULL;
}

void memo_put(Memo *memo, uint64_t key, const void *value) {
  if (memo->used * 2 >= memo->cap) {
    Memo old = *memo;
    memo->cap = old.cap ? old.cap * 2 : 64;
    memo->keys = expr_memory(NULL, memo->cap * sizeof *memo->keys);
    memo->values = expr_memory(NULL, memo->cap * sizeof *memo->values);
    memset(memo->keys, 0, memo->cap * sizeof *memo->keys);
    for (uint32_t i = 0; i < old.cap; i++) {
      if (!old.keys[i]) continue;
      uint32_t at = memo_slot(memo, old.keys[i] - 1);
      memo->keys[at] = old.keys[i];
      memo->values[at] = old.values[i];
    }
    free(old.keys);
    free(old.values);
  }
  uint32_t at = memo_slot(memo, key);
  if (!memo->keys[at]) memo->used++;
  memo->keys[at] = key + 1;
  memo->values[at] = value;
}

void memo_free(Memo *memo) {
  free(memo->keys);
  free(memo->values);
  *memo = (Memo){0};
}

static void append(Walk *walk, Expr *e) {
  if (walk->n == walk->cap) {
    walk->cap = walk->cap ? walk->cap * 2 : 64;
    walk->node = expr_memory(walk->node, (size_t)walk->cap * sizeof *walk->node);
  }
  walk->node[walk->n++] = e;
  memo_put(&walk->position, e->id, (const void *)(uintptr_t)walk->n);
}

void walk_open(Walk *walk, Expr *root, WalkInto into, void *user) {
  typedef struct Visit { Expr *e; int next; } Visit;
  *walk = (Walk){0};
  int n = 0, cap = 64;
  Visit *stack = expr_memory(NULL, (size_t)cap * sizeof *stack);
  stack[n++] = (Visit){root, into && !into(root, user) ? root->n : 0};
  while (n) {
    Visit *top = &stack[n - 1];
    if (top->next == top->e->n) {
      append(walk, top->e);
      n--;
      continue;
    }
    Expr *arg = top->e->arg[top->next++];
    if (memo_get(&walk->position, arg->id)) continue;
    if (n == cap) stack = expr_memory(stack, (size_t)(cap *= 2) * sizeof *stack);
    stack[n++] = (Visit){arg, into && !into(arg, user) ? arg->n : 0};
  }
  free(stack);
}

int walk_at(const Walk *walk, Expr *e) { return (int)(uintptr_t)memo_get(&walk->position, e->id) - 1; }

void walk_close(Walk *walk) {
  free(walk->node);
  memo_free(&walk->position);
}

/* --- jumps --- */

static bool jumps_itself(Expr *e) {
  enum { VARIES = HAS_UNKNOWN | HAS_PREVIOUS | HAS_FIELD | HAS_COORD | HAS_HOST };
  switch (e->op) {
    case EXPR_IF: return e->arg[0]->flags & VARIES;
    case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: case EXPR_SIGN: case EXPR_FLOOR: case EXPR_CEIL: case EXPR_MOD: return e->flags & VARIES;
    default: return false;
  }
}

bool expr_jumps(Expr *e) {
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  bool found = false;
  for (int i = 0; i < walk.n && !found; i++) found = jumps_itself(walk.node[i]);
  walk_close(&walk);
  return found;
}

void expr_visit(Expr *e, bool (*visit)(Expr *node, void *user), void *user) {
  Walk walk;
  walk_open(&walk, e, visit, user);
  walk_close(&walk);
}
