/* Names of declarations whose runtime comes with later builds: resolved, no more. What a kind introduces is collected first; every other
 * name in its expressions must be known in the file, the language or its subject. Kinds whose words are columns and settings (view, policy,
 * discovery, search) resolve their subjects only. */
#include <string.h>

#include "builtin.h"
#include "eval.h"
#include "map_value.h"

enum { NAMES_MAX = 512 };

typedef struct Names {
  Eval *ev;
  Name items[NAMES_MAX];
  int n;
} Names;

static void add(Names *names, Name name) {
  if (name && names->n < NAMES_MAX) names->items[names->n++] = name;
}

static bool has(const Names *names, Name name) {
  for (int i = 0; i < names->n; i++)
    if (names->items[i] == name) return true;
  return false;
}

/* Whatever stands where a clause introduces names: plain names and heads of calls (state h(x, y, t), unknown field C(x, y)). */
static void add_phrase(Names *names, const Ast *phrase) {
  for (int i = 0; phrase && i < phrase->n; i++) {
    const Ast *item = phrase->kid[i];
    while (item->kind == AST_BINARY && item->op == OP_IN) item = item->kid[0];      /* input q in 0..1 */
    if (item->kind == AST_NAME) add(names, item->name);
    if (item->kind != AST_CALL || item->kid[0]->kind != AST_NAME) continue;
    add(names, item->kid[0]->name);
    for (int k = 1; k < item->n; k++)
      if (item->kid[k]->kind == AST_NAME || item->kid[k]->kind == AST_ARG) add(names, item->kid[k]->name);
  }
}

static bool collect(const Ast *node, void *user) {
  Names *names = user;
  if (node->kind == AST_DECL || node->kind == AST_ASSIGN) {
    if (node->kind == AST_DECL) add_phrase(names, node->kid[0]);
    const Ast *target = node->kind == AST_ASSIGN ? node->kid[0] : NULL;
    while (target && target->kind == AST_MEMBER) target = target->kid[0];
    if (target && target->kind == AST_NAME) add(names, target->name);
  }
  return node->kind != AST_CALL;
}

static const char *const known_words[] = {"mlp", "resnet", "linear", "standardize", "features", "conv1d", "fourier", "lifting", "envelope", "where", "bank", "from", "in",
                                          "for", "of", "against", "with", "sobol", "process", "library", "batch", "wall", NULL};

static bool known_word(Name name) {
  for (int i = 0; known_words[i]; i++)
    if (!strcmp(known_words[i], name)) return true;
  return false;
}

static bool resolve(const Ast *node, void *user) {
  Names *names = user;
  Eval *ev = names->ev;
  if (node->kind == AST_NUMBER || node->kind == AST_STRING) return false;     /* a unit is no name */
  if (node->kind == AST_OPTION) {                                             /* the word before the colon is none */
    ast_walk(node->kid[1], resolve, user);
    if (node->n > 2 && node->kid[2]) ast_walk(node->kid[2], resolve, user);
    return false;
  }
  if (node->kind == AST_MEMBER) {
    ast_walk(node->kid[0], resolve, user);
    return false;
  }
  if (node->kind != AST_NAME) return true;
  Slot *slot = scope_lookup(ev, node->name);
  if (slot) slot->used = true;
  if (slot || has(names, node->name) || known_word(node->name) || builtin_is_word(node->name) || builtin_find(ev->host, node->name) || builtin_is_later(node->name)) return true;
  if (strlen(node->name) == 1 && strchr("xyztnhI", node->name[0])) return true;
  if (!strcmp(node->name, "pi") || !strcmp(node->name, "others") || !strcmp(node->name, "all") || !strcmp(node->name, "interior")) return true;
  eval_report_unknown_name(ev, node->name, node->span);
  return true;
}

static bool subjects_only(Name word) {
  return !strcmp(word, "policy") || !strcmp(word, "discovery") || !strcmp(word, "search");
}

void resolve_later(Eval *ev, const Ast *decl) {
  Names names = {.ev = ev};
  const Ast *phrase = decl->kid[0];
  bool audit = !strcmp(decl->name, "audit");
  /* subjects after for, of, on, against */
  for (int i = 0; phrase && i < phrase->n; i++) {
    const Ast *item = phrase->kid[i];
    bool after_word = i && phrase->kid[i - 1]->kind == AST_NAME && (!strcmp(phrase->kid[i - 1]->name, "of") || !strcmp(phrase->kid[i - 1]->name, "against"));
    if ((item->flags & (AST_WITH_ON | AST_WITH_FOR)) || after_word || (audit && i == 0)) ast_walk(item, resolve, &names);
  }
  if (subjects_only(decl->name) || audit) return;
  add_phrase(&names, phrase);
  for (int k = 1; k < decl->n; k++)
    if (decl->kid[k]) ast_walk(decl->kid[k], collect, &names);
  for (int i = 0; phrase && i < phrase->n; i++)       /* names of the subject: inputs and outputs of a map, state of a discovery */
    if (phrase->kid[i]->flags & AST_WITH_FOR) {
      Slot *slot = phrase->kid[i]->kind == AST_NAME ? scope_lookup(ev, phrase->kid[i]->name) : NULL;
      if (slot && slot->value->kind == VALUE_MAP) ast_walk(slot->value->map->decl, collect, &names);
      if (slot && slot->value->kind == VALUE_DECLARED) ast_walk(slot->value->declared, collect, &names);
    }
  for (int k = 1; k < decl->n; k++)
    if (decl->kid[k]) ast_walk(decl->kid[k], resolve, &names);
}
