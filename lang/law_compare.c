/* In what two texts of one law differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law.h"

typedef struct Operator { char *text; int field; } Operator;      /* of an author's field, as expanded */

static int by_text(const void *a, const void *b) { return strcmp(((const Operator *)a)->text, ((const Operator *)b)->text); }

static int operators(const Law *law, Arena *arena, Operator out[LAW_FIELDS]) {
  for (int k = 0; k < law->nauthors; k++) {
    Buf text = {0};
    buf_printf(&text, "%u", law->author[k].domain);
    for (int i = 0; i < law->nraw[k]; i++) {
      buf_printf(&text, ";%d,%d:", law->raw[k][i].dx, law->raw[k][i].dy);
      law_print_sum(&text, law->raw[k][i].g);
    }
    out[k] = (Operator){arena_text(arena, buf_str(&text), text.len), k};
    buf_free(&text);
  }
  qsort(out, (size_t)law->nauthors, sizeof *out, by_text);
  return law->nauthors;
}

typedef struct Renaming { const Law *law; int rank[LAW_FIELDS]; } Renaming;

static Expr *rename_field(ExprPool *pool, Expr *leaf, void *user) {
  const Renaming *r = user;
  (void)pool;
  if (leaf->op != EXPR_SYMBOL || !leaf->symbol.which || leaf->symbol.which > r->law->nauthors) return leaf;
  int rank = r->rank[leaf->symbol.which - 1];
  return law_field(r->law->space, rank, (const char *[]){"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8"}[rank]);
}

/* The author's text, up to order, with fields called by what they multiply. */
static char *written(const Law *law, const Operator *sorted, Arena *arena) {
  Renaming r = {.law = law};
  for (int k = 0; k < law->nauthors; k++) r.rank[sorted[k].field] = k;
  Expr *e = expr_substitute(law->space->pool, law->right, rename_field, &r);
  Buf text = {0};
  if (e) expr_canon(&text, e);
  char *copy = arena_text(arena, buf_str(&text), text.len);
  buf_free(&text);
  return copy;
}

LawRelation law_relation(const Law *a, const Law *b) {
  if (strcmp(a->key, b->key)) return LAW_OTHER;
  if (strcmp(a->expanded, b->expanded)) return LAW_BY_FIELDS;
  Arena *arena = arena_new();
  if (!arena) memory_out();
  Operator x[LAW_FIELDS], y[LAW_FIELDS];
  int n = operators(a, arena, x), m = operators(b, arena, y);
  bool same = n == m;
  for (int k = 0; same && k < n; k++) same = !strcmp(x[k].text, y[k].text);
  LawRelation relation = !same ? LAW_BY_SCALE : strcmp(written(a, x, arena), written(b, y, arena)) ? LAW_BY_RULES : LAW_EXACT;
  arena_free(arena);
  return relation;
}

const char *law_relation_text(LawRelation relation) {
  static const char *const texts[] = {"the same law up to the order of terms and the names of fields", "the same law by the product and the chain rule", "the same law by sign and scale of its fields",
                                      "the same law by another choice of fields", "another law"};
  return texts[relation];
}
