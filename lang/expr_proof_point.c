/* Points where an expression is certainly not zero, and not by rounding of its constants alone: what refutes a claim, or spares the search for its proof. */
#include <stdlib.h>
#include <string.h>

#include "proof.h"
#include "range_tape.h"

static uint64_t scramble(uint64_t z) {   /* splitmix64 (Steele, Lea, Flood 2014) */
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static double drawn(uint64_t key, RangeLeaf r, int attempt) {
  double share = (double)(scramble(key) >> 11) / 9007199254740992.0, lo = r.lo, hi = r.hi;
  if (lo == -INFINITY) lo = hi == INFINITY ? -2 : hi - 3;
  if (hi == INFINITY) hi = lo + 3;
  if (attempt % 3 == 1 && lo < 0 && hi > 0) lo /= 2, hi /= 2;    /* so that sums stay inside */
  if (attempt % 3 == 2 && lo > 0) hi = fmax(lo, hi / 2);
  return lo + share * (hi - lo);
}

/* The leaves of the box, then those below e that it does not name. Returns their number. */
static int leaves_of(const RangeLeaf *box, int nbox, Expr *e, RangeLeaf **out) {
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  RangeLeaf *all = expr_memory(NULL, (size_t)(nbox + walk.n) * sizeof *all);
  int n = nbox;
  if (nbox) memcpy(all, box, (size_t)nbox * sizeof *all);
  for (int i = 0; i < walk.n; i++) {
    Expr *leaf = walk.node[i];
    bool known = leaf->n || leaf->op == EXPR_CONST || leaf->op == EXPR_ZERO || leaf->op == EXPR_HOSTCALL;
    for (int k = 0; k < n && !known; k++) known = all[k].leaf == leaf;
    if (!known) all[n++] = (RangeLeaf){leaf, leaf->op == EXPR_SIZE ? 0.01 : -INFINITY, INFINITY};
  }
  walk_close(&walk);
  *out = all;
  return n;
}

bool proof_nonzero(const RangeLeaf *box, int nbox, Expr *e, int first, int last, ProofAdmits admits, const void *user, ProofPoint *out) {
  RangeLeaf *whole;
  int n = leaves_of(box, nbox, e, &whole);
  RangeLeaf *at = expr_memory(NULL, (size_t)(n + 1) * sizeof *at);
  Expr **leaf = expr_memory(NULL, (size_t)(n + 1) * sizeof *leaf);
  Interval *x = expr_memory(NULL, (size_t)(n + 1) * sizeof *x), r = INTERVAL_NONE;
  for (int i = 0; i < n; i++) leaf[i] = whole[i].leaf;
  RangeTape *tape = range_tape_new(e, leaf, n, 1);
  range_tape_decimals(tape);
  bool found = false;
  for (int attempt = first; attempt < last && !found; attempt++) {
    for (int i = 0; i < n; i++) {
      double value = drawn((uint64_t)attempt * 1000 + (uint64_t)i, whole[i], attempt);
      at[i] = (RangeLeaf){leaf[i], value, value};
      x[i] = interval_point(value);
    }
    if (admits && !admits(at, n, user)) continue;
    r = range_tape_value(tape, x);
    found = !r.undefined && !r.infinite && !interval_is_empty(r) && !interval_has(r, 0);
  }
  range_tape_free(tape);
  free(whole);
  free(leaf);
  free(x);
  if (found && out) *out = (ProofPoint){at, n, r};
  else free(at);
  return found;
}
