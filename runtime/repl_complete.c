/* Completion of a session: names, members, boundaries, labels, commands. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "dataset.h"
#include "doc.h"
#include "pde_facts.h"
#include "repl_session.h"

typedef struct Found {
  const char *word;
  size_t n;
  char **items;
  int count;
} Found;

/* suffix: what follows the name, as ": " after a label. */
static void offer(Found *found, const char *name, const char *suffix) {
  if (!name || name[0] == '@' || strncmp(name, found->word, found->n)) return;
  size_t length = strlen(name);
  for (int i = 0; i < found->count; i++)
    if (!strncmp(found->items[i], name, length) && !strcmp(found->items[i] + length, suffix)) return;
  char *item = malloc(length + strlen(suffix) + 1);
  strcat(strcpy(item, name), suffix);
  found->items = realloc(found->items, (size_t)(found->count + 1) * sizeof *found->items);
  found->items[found->count++] = item;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

/* --- members --- */

static void offer_groups(Found *found, Value *subject, bool bare) {
  const GeomGroup *groups;
  int n = place_groups(subject, &groups);
  for (int i = 0; i < n; i++) offer(found, bare && groups[i].bare ? groups[i].bare : groups[i].name, "");
}

static void offer_members(Found *found, Value *v) {
  static const char *const of_solution[] = {"times", "time", "dofs", "cells", "ranks", "memory", "iterations", "newton_iterations", "residual", "solver", "seconds", "steps", "rejected", "smallest_step", "largest_step", "steady"};
  static const char *const of_modes[] = {"values", "imaginary", "residuals", "modes"};
  static const char *const of_verdict[] = {"passed", "gate", "worst"};
  switch (v->kind) {
    case VALUE_SOLUTION:
      for (int i = 0; i < v->solution_pde->pde->pde->nunknowns; i++) offer(found, v->solution_pde->pde->pde->unknowns[i].name, "");
      for (int i = 0; i < v->solution_pde->pde->pde->nglobals; i++)
        if (v->solution_pde->pde->pde->globals[i].declared) offer(found, v->solution_pde->pde->pde->globals[i].name, "");
      for (size_t i = 0; i < sizeof of_solution / sizeof *of_solution; i++) offer(found, of_solution[i], "");
      break;
    case VALUE_RECORD:
      for (int i = 0; i < v->nfields; i++) offer(found, v->fields[i].name, "");
      break;
    case VALUE_MODULE: {
      Scope *scope = v->module->scope ? v->module->scope : v->module->dry_scope;
      for (int i = 0; scope && i < scope->n; i++)
        if (scope->slots[i].name[0] != '_') offer(found, scope->slots[i].name, "");
      break;
    }
    case VALUE_MODES:
      for (int i = 0; i < 4; i++) offer(found, of_modes[i], "");
      break;
    case VALUE_DATASET:
      offer(found, "count", "");
      for (int i = 0; v->dataset->cases && i < v->dataset->cases->ninputs; i++) offer(found, v->dataset->cases->inputs[i].name, "");
      for (int i = 0; v->dataset->cases && i < v->dataset->cases->noutputs; i++) offer(found, v->dataset->cases->outputs[i].name, "");
      break;
    case VALUE_STUDY:
      for (int i = 0; i < v->table->ncolumns; i++) offer(found, v->table->columns[i], "");
      break;
    case VALUE_VERDICT:
      for (int i = 0; i < 3; i++) offer(found, of_verdict[i], "");
      break;
    case VALUE_FIELD:
      if (v->expr->shape.rank == 1)
        for (const char *c = "x\0y\0z"; c - "x\0y\0z" < 6; c += 2) offer(found, c, "");
      break;
    case VALUE_GEOMETRY:
    case VALUE_MESH: offer_groups(found, v, true); break;
    default: break;
  }
}

/* The value of a chain of names that ends before `end`; NULL: none. Nothing is computed and nothing reported. */
static Value *chain_value(Session *session, const char *before, size_t end) {
  size_t start = end;
  while (start && (in_word(before[start - 1]) || before[start - 1] == '.')) start--;
  if (start == end) return NULL;
  char *text = strndup(before + start, end - start);
  Diags kept = session->host->diags;
  session->host->diags = (Diags){.sources = session->host->sources};
  Value *v = session_value(session, text, true);
  diags_free(&session->host->diags);
  session->host->diags = kept;
  free(text);
  return v;
}

/* --- where the cursor is --- */

/* The word before the innermost open parenthesis: "solve" in `x = solve(p, m, ti`; empty: none. */
static void open_call(const char *before, size_t end, char *out, size_t size) {
  int depth = 0;
  out[0] = 0;
  for (size_t i = end; i-- > 0;) {
    char c = before[i];
    if (c == ')' || c == ']') depth++;
    if ((c == '(' || c == '[') && depth-- == 0) {
      size_t stop = i, start = i;
      while (start && in_word(before[start - 1])) start--;
      if (c == '(' && stop > start && stop - start < size) {
        memcpy(out, before + start, stop - start);
        out[stop - start] = 0;
      }
      return;
    }
    if (c == '{' || c == '}') return;
  }
}

/* `on ` starts a clause or a label: boundaries follow, also after `on a, `. */
static bool after_on(const char *before, size_t start) {
  size_t line = start;
  while (line && before[line - 1] != '\n' && before[line - 1] != '{' && before[line - 1] != ';' && before[line - 1] != '(') line--;
  while (line < start && isspace((unsigned char)before[line])) line++;
  for (size_t i = start; i > line; i--) {     /* the nearest `on` with only names and commas after it */
    char c = before[i - 1];
    if (!in_word(c) && c != ' ' && c != ',' && c != '.' && c != ':') return false;
    bool on = i >= 2 && !strncmp(before + i - 2, "on", 2) && (i == 2 || !in_word(before[i - 3])) && !in_word(before[i]);
    if (on) {
      const char *colon = memchr(before + i, ':', start - i);
      return !colon || colon == before + i;
    }
  }
  return false;
}

/* `pde NAME on GEOMETRY {` in the same input: the geometry of a clause. */
static Value *declared_subject(Session *session, const char *before, size_t start) {
  const char *open = NULL;
  for (const char *s = before; s < before + start; s++)
    if (*s == '{') open = s;
  if (!open) return NULL;
  size_t end = (size_t)(open - before);
  while (end && before[end - 1] == ' ') end--;
  size_t from = end;
  while (from && in_word(before[from - 1])) from--;
  char *name = strndup(before + from, end - from);
  Slot *slot = session_slot(session, name);
  free(name);
  return slot && (slot->value->kind == VALUE_GEOMETRY || slot->value->kind == VALUE_MESH) ? slot->value : NULL;
}

static void offer_places(Session *session, Found *found, const char *before, size_t start) {
  Value *subject = declared_subject(session, before, start);
  Scope *scope = session->module->scope;
  if (subject) offer_groups(found, subject, true);
  for (int i = 0; !subject && i < scope->n; i++)
    if (scope->slots[i].value->kind == VALUE_GEOMETRY || scope->slots[i].value->kind == VALUE_MESH) {
      offer_groups(found, scope->slots[i].value, true);
      offer(found, scope->slots[i].name, "");
    }
  static const char *const always[] = {"all", "others", "interior", "interface", "point"};
  for (int i = 0; i < 5; i++) offer(found, always[i], "");
}

static void offer_labels(Session *session, Found *found, const char *callee) {
  const BuiltinRow *row = builtin_find(session->host, callee);
  if (row) {
    int n, rest;
    bool open;
    const BuiltinParam *params = builtin_params(session->host, row, &n, &open, &rest);
    for (int i = 0; i < n; i++) offer(found, params[i].name, ": ");
  }
  Slot *slot = session_slot(session, callee);
  const Value *v = slot ? slot->value : NULL;
  if (v && (v->kind == VALUE_FUNCTION || v->kind == VALUE_CONTRACT))
    for (int i = 0; i < v->function->nparams; i++) offer(found, v->function->params[i].name, ": ");
  if (v && v->kind == VALUE_PDE)
    for (int i = 0; i < v->pde->nbindings; i++) offer(found, v->pde->bindings[i].name, ": ");
}

static void offer_names(Session *session, Found *found) {
  Scope *scope = session->module->scope;
  for (int i = 0; i < scope->n; i++) offer(found, scope->slots[i].name, "");
  for (int i = 0; i < builtin_count(); i++) offer(found, builtin_at(i)->name, "");
  for (int i = 0; i < geom_row_count; i++) offer(found, geom_rows[i].name, "");
  for (const DeclRow *d = decl_rows; d->word; d++)
    if (d->run) offer(found, d->word, "");
  for (int i = 0; doc_keywords[i][0]; i++) offer(found, doc_keywords[i][0], "");
  for (int i = 0; i < element_count; i++) offer(found, elements[i].name, "");
  int n;
  const NamedRow *schemes = scheme_docs(&n);
  for (int i = 0; i < n; i++) offer(found, schemes[i].name, "");
  static const char *const others[] = {"unknown", "equation", "initially", "boundary", "region", "shape", "scalar", "vector", "tensor", "number", "weak", "periodic", "L2", "H1", "H1semi", "Linf"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) offer(found, others[i], "");
}

/* --- \nabla: mathematical letters by their names --- */

static const char *const letters[][2] = {
  {"\\nabla", "∇"}, {"\\Delta", "Δ"}, {"\\partial", "∂"}, {"\\cdot", "·"}, {"\\times", "×"}, {"\\otimes", "⊗"}, {"\\pi", "π"}, {"\\le", "≤"}, {"\\ge", "≥"},
  {"\\ne", "≠"}, {"\\in", "∈"}, {"\\alpha", "α"}, {"\\beta", "β"}, {"\\gamma", "γ"}, {"\\epsilon", "ε"}, {"\\kappa", "κ"}, {"\\lambda", "λ"}, {"\\mu", "μ"},
  {"\\nu", "ν"}, {"\\rho", "ρ"}, {"\\sigma", "σ"}, {"\\tau", "τ"}, {"\\phi", "φ"}, {"\\omega", "ω"}, {"\\Omega", "Ω"}, {"\\theta", "θ"}};
enum { LETTERS = sizeof letters / sizeof *letters };

static void offer_letters(Found *found) {
  for (int i = 0; i < LETTERS; i++)
    if (strlen(letters[i][0]) == found->n && !strncmp(letters[i][0], found->word, found->n)) {
      Found exact = {.word = letters[i][1], .n = 0, .items = found->items, .count = found->count};
      offer(&exact, letters[i][1], "");
      found->items = exact.items;
      found->count = exact.count;
      return;
    }
  for (int i = 0; i < LETTERS; i++) offer(found, letters[i][0], "");
}

int session_complete(Session *session, const char *before, size_t *start, char ***out) {
  size_t end = strlen(before), at = end;
  while (at && in_word(before[at - 1])) at--;
  Found found = {.word = before + at, .n = end - at};
  const char *line = strrchr(before, '\n') ? strrchr(before, '\n') + 1 : before;
  while (*line == ' ') line++;
  if (at && before[at - 1] == '\\') {
    found.word--;
    found.n++;
    at--;
    offer_letters(&found);
  } else if (*line == ':' && !strpbrk(line, " \t")) {
    for (const SessionCommand *c = session_commands; c->name; c++) offer(&found, c->name, " ");
  } else if (!strncmp(line, ":d", 2) || !strncmp(line, ":h", 2)) {
    Name *names;
    int n = doc_names(session->host, &names);
    for (int i = 0; i < n; i++) offer(&found, names[i], "");
    free(names);
  } else if (at && before[at - 1] == '.' && (at < 2 || before[at - 2] != '.')) {
    Value *v = chain_value(session, before, at - 1);
    if (v) offer_members(&found, v);
    value_release(v);
  } else if (after_on(before, at)) {
    offer_places(session, &found, before, at);
  } else {
    char callee[64];
    open_call(before, at, callee, sizeof callee);
    if (*callee) offer_labels(session, &found, callee);
    offer_names(session, &found);
  }
  *start = at;
  *out = found.items;
  return found.count;
}
