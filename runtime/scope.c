#include <stdlib.h>
#include <string.h>

#include "eval.h"

Scope *scope_new(ScopeKind kind, Scope *parent) {
  Scope *scope = calloc(1, sizeof *scope);
  scope->refs = 1;
  scope->kind = kind;
  scope->parent = parent ? scope_retain(parent) : NULL;
  return scope;
}

Scope *scope_retain(Scope *scope) {
  if (scope) scope->refs++;
  return scope;
}

void scope_release(Scope *scope) {
  if (!scope || --scope->refs > 0) return;
  for (int i = 0; i < scope->n; i++) value_release(scope->slots[i].value);
  free(scope->slots);
  value_release(scope->subject);
  scope_release(scope->parent);
  free(scope);
}

Slot *scope_find_own(Scope *scope, Name name) {
  for (int i = 0; i < scope->n; i++)
    if (scope->slots[i].name == name) return &scope->slots[i];
  return NULL;
}

Slot *scope_set(Scope *scope, Name name, Value *value, Span span) {
  Slot *slot = scope_find_own(scope, name);
  value_retain(value);
  if (slot) {
    value_release(slot->value);
    slot->value = value;
    slot->span = span;
    return slot;
  }
  if (scope->n == scope->cap) {
    scope->cap = scope->cap ? scope->cap * 2 : 8;
    scope->slots = realloc(scope->slots, (size_t)scope->cap * sizeof *scope->slots);
  }
  slot = &scope->slots[scope->n++];
  *slot = (Slot){.name = name, .value = value, .span = span};
  return slot;
}

void scope_drop(Scope *scope, Name name) {
  Slot *slot = scope_find_own(scope, name);
  if (!slot) return;
  value_release(slot->value);
  *slot = scope->slots[--scope->n];
}

Scope *scope_file(Scope *scope) {
  while (scope->parent) scope = scope->parent;
  return scope;
}
