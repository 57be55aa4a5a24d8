/* Why an expression is zero at a place: a factor that is, in every term. */
#include <stdlib.h>
#include <string.h>

#include "proof.h"

enum { DEPTH_MOST = 500, FACTORS_MOST = 4, NODES_MOST = 20000 };

typedef struct Search {
  const ProofDomain *d;
  const ProofSwap *at;
  int n;
  Memo known;                    /* of nodes: 1 no, 2 yes */
  Expr *factor[FACTORS_MOST];
  int nfactors;
  bool more, terms;              /* further factors; a sum of several terms */
} Search;

static int nodes_below(Expr *e) {
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  int n = walk.n;
  walk_close(&walk);
  return n;
}

/* As a whole: its normal form at the place. */
static bool zero_as_it_stands(const Search *s, Expr *e) {
  Expr *there = proof_swap(s->d, e, s->at, s->n);
  if (expr_is_zero(there)) return true;
  if (s->n && nodes_below(there) > NODES_MOST) return false;
  RangeLeaf *box = expr_memory(NULL, (size_t)(s->d->n + s->n) * sizeof *box);
  int n;
  Expr *pinned = proof_pinned(s->d, e, s->at, s->n, box, &n);
  bool zero = proof_vanishes(box, n, pinned, NULL, 0, s->d->work);
  free(box);
  return zero;
}

static bool vanishes(Search *s, Expr *e, int depth);

static bool by_parts(Search *s, Expr *e, int depth) {
  double power;
  if (depth > DEPTH_MOST) return false;
  switch (e->op) {
    case EXPR_NEG: return vanishes(s, e->arg[0], depth + 1);
    case EXPR_DIV: return vanishes(s, e->arg[0], depth + 1);
    case EXPR_MUL: {
      bool second = e->arg[1]->id < e->arg[0]->id;   /* the older one is the smaller one, more often than not */
      return vanishes(s, e->arg[second], depth + 1) || vanishes(s, e->arg[!second], depth + 1);
    }
    case EXPR_POW: return expr_is_const(e->arg[1], &power) && power > 0 && vanishes(s, e->arg[0], depth + 1);
    case EXPR_ADD: case EXPR_SUB: return vanishes(s, e->arg[0], depth + 1) && vanishes(s, e->arg[1], depth + 1);
    case EXPR_IF: return vanishes(s, e->arg[1], depth + 1) && vanishes(s, e->arg[2], depth + 1);
    case EXPR_REGIONS: {
      bool all = true;
      for (int k = 0; k < e->n && all; k++) all = vanishes(s, e->arg[k], depth + 1);
      return all;
    }
    default: return false;
  }
}

static bool is_sum(Expr *e) { return e->op == EXPR_ADD || e->op == EXPR_SUB; }
static bool is_product(Expr *e) { return e->op == EXPR_MUL || e->op == EXPR_DIV || e->op == EXPR_NEG || e->op == EXPR_POW; }

static bool vanishes(Search *s, Expr *e, int depth) {
  const void *known = memo_get(&s->known, e->id);
  if (known) return (uintptr_t)known == 2;
  /* at no place in particular what cancels are sums as a whole, but for sums of squares */
  bool whole = !s->n && is_sum(e) && !(is_product(e->arg[0]) && is_product(e->arg[1]));
  bool zero = expr_is_zero(e) || (!whole && by_parts(s, e, depth));
  if (!zero && !is_product(e) && depth <= DEPTH_MOST && (s->n ? proof_swap(s->d, e, s->at, s->n) != e : !depth || is_sum(e))) zero = zero_as_it_stands(s, e);
  memo_put(&s->known, e->id, (const void *)(uintptr_t)(zero ? 2 : 1));
  return zero;
}

/* The factors, from the memo of what vanishes. */
static void name_factors(Search *s, Expr *e, int depth) {
  if (expr_is_zero(e) || depth > DEPTH_MOST) return;
  bool sum = e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_IF;
  int first = e->op == EXPR_IF, parts = 0;
  for (int k = first; k < e->n && sum; k++) parts += (uintptr_t)memo_get(&s->known, e->arg[k]->id) == 2;
  if (sum && parts == e->n - first) {
    s->terms = true;
    for (int k = first; k < e->n; k++) name_factors(s, e->arg[k], depth + 1);
    return;
  }
  for (int k = 0; k < e->n && is_product(e); k++)
    if ((uintptr_t)memo_get(&s->known, e->arg[k]->id) == 2) {
      name_factors(s, e->arg[k], depth + 1);
      return;
    }
  for (int k = 0; k < s->nfactors; k++) if (s->factor[k] == e) return;
  if (s->nfactors < FACTORS_MOST) s->factor[s->nfactors++] = e;
  else s->more = true;
}

static void say(const Search *s, Expr *e, Buf *text) {
  if (!s->n) {
    buf_puts(text, expr_is_zero(e) ? "it is 0" : "an identity: multiplied out, its terms cancel");
    return;
  }
  bool one = s->nfactors == 1 && !s->more;
  if (!s->nfactors) buf_puts(text, "it is 0");
  else if (one && s->factor[0] == e) {
    proof_print(text, e);
    buf_puts(text, " is 0");
  } else {
    buf_printf(text, "%s%s", s->terms ? "every term has a factor that is 0" : "the factor ", "");
    if (one && !s->terms) proof_print(text, s->factor[0]), buf_puts(text, " is 0");
  }
  buf_puts(text, " at ");
  proof_print_place(text, s->at, s->n);
  if (!s->terms) return;
  buf_puts(text, ": ");
  for (int k = 0; k < s->nfactors; k++) {
    if (k) buf_puts(text, ", ");
    proof_print(text, s->factor[k]);
  }
  if (s->more) buf_puts(text, ", ...");
}

bool proof_zero_factor(const ProofDomain *d, Expr *e, const ProofSwap *at, int n, Buf *text) {
  Search s = {.d = d, .at = at, .n = n};
  bool zero = vanishes(&s, e, 0);
  if (zero) {
    name_factors(&s, e, 0);
    say(&s, e, text);
  } else if (is_product(e) && zero_as_it_stands(&s, e)) {   /* a product of which neither side is zero alone */
    zero = true;
    buf_printf(text, "%s its terms cancel%s", n ? "multiplied out," : "an identity: multiplied out,", n ? " at " : "");
    proof_print_place(text, at, n);
  }
  memo_free(&s.known);
  return zero;
}
