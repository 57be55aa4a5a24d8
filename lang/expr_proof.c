/* Claims: each is a residual, made by substitution; the normal form decides whether it vanishes, interval arithmetic at points whether it does not. */
#include "expr_proof.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proof.h"

enum { LEAVES_MOST = 64 };

/* --- sentences --- */

void proof_says(Proof *p, ProofTruth truth, const Buf *text) {
  p->truth = truth;
  snprintf(p->reason, sizeof p->reason, "%s", buf_str(text));
}

void proof_print(Buf *out, Expr *e) {
  Buf text = {0};
  expr_print(&text, e, EXPR_TEXT);
  if (text.len <= 60) buf_puts(out, buf_str(&text));
  else buf_printf(out, "%.56s ...", text.text);
  buf_free(&text);
}

void proof_print_leaves(Buf *out, Expr *const *leaves, int n) {
  for (int i = 0; i < n && i < 6; i++) {
    if (i) buf_puts(out, i == n - 1 ? " and " : ", ");
    proof_print(out, leaves[i]);
  }
  if (n > 6) buf_puts(out, ", ...");
}

void proof_print_place(Buf *out, const ProofSwap *at, int n) {
  for (int i = 0; i < n && i < 6; i++) {
    if (i) buf_puts(out, ", ");
    proof_print(out, at[i].leaf);
    buf_puts(out, " = ");
    proof_print(out, at[i].value);
  }
}

/* --- substitution --- */

typedef struct Swaps { const ProofSwap *swap; int n; } Swaps;

static Expr *swapped(ExprPool *pool, Expr *leaf, void *user) {
  const Swaps *s = user;
  (void)pool;
  for (int i = 0; i < s->n; i++) if (s->swap[i].leaf == leaf) return s->swap[i].value;
  return leaf;
}

Expr *proof_swap(const ProofDomain *d, Expr *e, const ProofSwap *swap, int n) { return expr_substitute(d->pool, e, swapped, &(Swaps){swap, n}); }

Expr *proof_pinned(const ProofDomain *d, Expr *e, const ProofSwap *at, int n, RangeLeaf *box, int *nbox) {
  ProofSwap rest[LEAVES_MOST];
  int nrest = 0;
  *nbox = 0;
  for (int i = 0; i < d->n; i++) box[(*nbox)++] = d->box[i];
  for (int i = 0; i < n; i++) {
    double value;
    int k = 0;
    if (!expr_is_const(at[i].value, &value)) {
      if (nrest < LEAVES_MOST) rest[nrest++] = at[i];
      continue;
    }
    while (k < *nbox && box[k].leaf != at[i].leaf) k++;
    if (k == *nbox) ++*nbox;
    box[k] = (RangeLeaf){at[i].leaf, value, value};
  }
  return nrest ? proof_swap(d, e, rest, nrest) : e;
}

Expr *proof_op(const ProofDomain *d, ExprOp op, Expr *a, Expr *b) {
  bool lenient = d->pool->lenient;
  d->pool->lenient = true;
  Expr *z = expr_binary(d->pool, op, a, b);
  d->pool->lenient = lenient;
  return z;
}

Expr *proof_component(const ProofDomain *d, Expr *e, int k) {
  bool derived = false;   /* somewhere in it something that depends on a history; that it is below the derivative is assumed */
  if (e->flags & HAS_DT && d->nhistories) {
    Walk walk;
    walk_open(&walk, e, NULL, NULL);
    for (int i = 0; i < walk.n; i++)
      for (int h = 0; h < d->nhistories; h++) derived |= walk.node[i] == d->histories[h];
    walk_close(&walk);
  }
  return derived ? NULL : expr_scalar(d->pool, e, k, d->dim);
}

static Expr *number(const ProofDomain *d, double value) { return expr_const(d->pool, value, UNIT_NONE); }
static Expr *add(const ProofDomain *d, Expr *a, Expr *b) { return proof_op(d, EXPR_ADD, a, b); }
static Expr *sub(const ProofDomain *d, Expr *a, Expr *b) { return proof_op(d, EXPR_SUB, a, b); }
static Expr *mul(const ProofDomain *d, Expr *a, Expr *b) { return proof_op(d, EXPR_MUL, a, b); }

/* A leaf beside another, as a second point of the domain: its name cannot be written in a script. */
static Expr *other(const ProofDomain *d, Expr *leaf) {
  Buf name = {0};
  proof_print(&name, leaf);
  buf_puts(&name, "'");
  Expr *e = expr_param(d->pool, intern_text(d->pool->names, buf_str(&name)), SHAPE_SCALAR, leaf->unit, false);
  buf_free(&name);
  return e;
}

/* --- the domain of a residual --- */

typedef struct Claim {
  const ProofDomain *d;
  Expr *residual;                /* has to vanish */
  RangeLeaf box[2 * LEAVES_MOST + 8];
  int n;                         /* the domain's leaves, then further ones of the residual */
  ProofSwap within[4 * LEAVES_MOST];   /* values that have to lie in the range of their leaf */
  int nwithin;
  Expr *only[2 * LEAVES_MOST + 8];
  int nonly;
} Claim;

static RangeLeaf range_of(const ProofDomain *d, Expr *leaf) {
  for (int i = 0; i < d->n; i++) if (d->box[i].leaf == leaf) return d->box[i];
  return (RangeLeaf){leaf, -INFINITY, INFINITY};
}

static bool open_claim(Claim *c, const ProofDomain *d, Expr *const *leaves, int n) {
  if (n > LEAVES_MOST || d->n > LEAVES_MOST) return false;
  *c = (Claim){.d = d, .n = d->n};
  memcpy(c->box, d->box, (size_t)d->n * sizeof *d->box);
  for (int i = 0; i < n; i++) c->only[c->nonly++] = leaves[i];
  return true;
}

static void further_leaf(Claim *c, Expr *leaf, double lo, double hi) {
  c->box[c->n++] = (RangeLeaf){leaf, lo, hi};
  c->only[c->nonly++] = leaf;
}

static Expr *second(Claim *c, Expr *leaf) {
  RangeLeaf r = range_of(c->d, leaf);
  Expr *e = other(c->d, leaf);
  further_leaf(c, e, r.lo, r.hi);
  return e;
}

/* e with the leaves replaced; the values count only where they lie in the domain. */
static Expr *at(Claim *c, Expr *e, const ProofSwap *swap, int n) {
  for (int i = 0; i < n && c->nwithin < 4 * LEAVES_MOST; i++) c->within[c->nwithin++] = swap[i];
  return proof_swap(c->d, e, swap, n);
}

/* --- decisions --- */

bool proof_vanishes(const RangeLeaf *box, int n, Expr *e, Expr *const *only, int nonly, long *work) {
  enum { ONLY, SHARED, WHOLE, WAYS, LOOKS = 12 };
  if (expr_is_zero(e)) return true;
  if (proof_nonzero(box, n, e, 0, LOOKS, NULL, NULL, NULL)) return false;   /* cheap beside multiplying out what does not cancel */
  for (int way = only && nonly ? ONLY : SHARED; way < WAYS; way++) {
    Normals *s = normals_open(box, n, way == ONLY ? only : NULL, way == ONLY ? nonly : 0);
    if (work) normals_limit(s, *work / 4);
    if (way == SHARED) normals_keep_shared(s, e);
    bool zero = normal_is_zero(s, e);
    if (work) *work -= normals_used(s);
    normals_close(s);
    if (zero) return true;
  }
  return false;
}

static bool inside_domain(const RangeLeaf *at, int n, const void *user) {
  const Claim *c = user;
  for (int i = 0; i < c->nwithin; i++) {
    RangeLeaf r = range_of(c->d, c->within[i].leaf);
    Interval v = expr_range_once(c->within[i].value, at, n);
    double slack = isfinite(r.hi - r.lo) ? 1e-9 * (r.hi - r.lo) : 0;
    if (!(v.lo >= r.lo - slack && v.hi <= r.hi + slack)) return false;
  }
  return true;
}

static void witness(Proof *p, const Claim *c, const ProofPoint *point) {
  Buf text = {0};
  buf_puts(&text, "at ");
  int shown = 0;
  for (int i = 0; i < point->n && shown < 5; i++) {
    bool used = false;
    for (int k = 0; k < c->nonly; k++) used |= c->only[k] == point->at[i].leaf;
    if (c->nonly && !used) continue;
    if (shown++) buf_puts(&text, ", ");
    proof_print(&text, point->at[i].leaf);
    buf_printf(&text, " = %.4g", point->at[i].lo);
  }
  buf_printf(&text, " the difference is %.4g", interval_middle(point->value));
  proof_says(p, PROOF_FAILS, &text);
  buf_free(&text);
}

enum { FIRST_TRIES = 4, TRIES = 24 };   /* before a proof is looked for, and in all */

static bool refute(const Claim *c, int first, int last, Proof *p) {
  ProofPoint point;
  if (!proof_nonzero(c->box, c->n, c->residual, first, last, inside_domain, c, &point)) return false;
  witness(p, c, &point);
  free(point.at);
  return true;
}

/* Holds with the reason in text, or fails at a point, or is open. */
static Proof judged(Claim *c, Buf *text) {
  Proof p = {0};
  if (!refute(c, 0, FIRST_TRIES, &p)) {
    if (proof_vanishes(c->box, c->n, c->residual, c->only, c->nonly, c->d->work)) proof_says(&p, PROOF_HOLDS, text);
    else refute(c, FIRST_TRIES, TRIES, &p);
  }
  buf_free(text);
  return p;
}

/* --- components --- */

typedef Proof (*Part)(const ProofDomain *d, Expr *e, const void *user);

static Proof every_component(const ProofDomain *d, Expr *e, Part part, const void *user) {
  Proof all = {.truth = PROOF_HOLDS}, p;
  Buf text = {0};
  for (int k = 0, n = shape_size(e->shape, d->dim); k < n; k++) {
    Expr *component = proof_component(d, e, k);
    p = component ? part(d, component, user) : (Proof){0};
    if (p.truth != PROOF_HOLDS) all = p;
    if (p.truth == PROOF_FAILS) break;
    if (k && strstr(buf_str(&text), p.reason)) continue;
    buf_printf(&text, "%s%s", k ? "; " : "", p.reason);
  }
  if (all.truth == PROOF_HOLDS) proof_says(&all, PROOF_HOLDS, &text);
  buf_free(&text);
  return all;
}

/* --- claims over sets of leaves --- */

typedef struct Over {
  Expr *const *leaves;
  int n;
  double number;        /* power, degree */
  bool flag;            /* odd */
} Over;

static Proof structural_zero(void) { return (Proof){PROOF_HOLDS, "it is 0"}; }

static Proof independent(const ProofDomain *d, Expr *e, const void *user) {
  const Over *o = user;
  Claim c;
  if (!open_claim(&c, d, o->leaves, o->n)) return (Proof){0};
  ProofSwap swap[LEAVES_MOST];
  for (int i = 0; i < o->n; i++) swap[i] = (ProofSwap){o->leaves[i], second(&c, o->leaves[i])};
  c.residual = sub(d, proof_swap(d, e, swap, o->n), e);
  Buf text = {0};
  proof_print_leaves(&text, o->leaves, o->n);
  bool absent = expr_is_zero(c.residual) || proof_swap(d, e, swap, o->n) == e;
  buf_puts(&text, absent ? (o->n == 1 ? " does not occur in it" : " do not occur in it") : (o->n == 1 ? " cancels in it" : " cancel in it"));
  return judged(&c, &text);
}

static bool degrees(const ProofDomain *d, Expr *e, const Over *o, NormalDegrees *out) {
  for (int all = 0; all < 2; all++) {
    Normals *s = normals_open(d->box, d->n, all ? NULL : o->leaves, all ? 0 : o->n);
    bool known = normal_degrees(s, e, o->leaves, o->n, out);
    normals_close(s);
    if (known) return true;
  }
  return false;
}

static void say_degree(Buf *text, const ProofDomain *d, Expr *e, const Over *o, const char *otherwise) {
  NormalDegrees g;
  if (!degrees(d, e, o, &g)) {
    buf_puts(text, otherwise);
    return;
  }
  proof_print_leaves(text, o->leaves, o->n);
  if (g.least == g.most && g.most == 1 && g.natural) buf_printf(text, o->n == 1 ? " is a factor of %s, to the first power" : " are factors: %s has one of them, to the first power", g.terms == 1 ? "the product" : "every term");
  else if (g.least == g.most) buf_printf(text, " enter%s %s with the exponent %g", o->n == 1 ? "s" : "", g.terms == 1 ? "the product" : "every term", g.most);
  else buf_printf(text, " enter%s the terms as polynomials with degrees %g to %g", o->n == 1 ? "s" : "", g.least, g.most);
}

static Proof linear(const ProofDomain *d, Expr *e, const void *user) {
  const Over *o = user;
  Claim c;
  if (!open_claim(&c, d, o->leaves, o->n)) return (Proof){0};
  ProofSwap b[LEAVES_MOST], sum[LEAVES_MOST], scaled[LEAVES_MOST];
  Expr *factor = expr_param(d->pool, intern_text(d->pool->names, "c'"), SHAPE_SCALAR, UNIT_NONE, false);
  for (int i = 0; i < o->n; i++) {
    b[i] = (ProofSwap){o->leaves[i], second(&c, o->leaves[i])};
    sum[i] = (ProofSwap){o->leaves[i], add(d, o->leaves[i], b[i].value)};
    scaled[i] = (ProofSwap){o->leaves[i], mul(d, factor, o->leaves[i])};
  }
  Claim homogeneous = c;
  further_leaf(&homogeneous, factor, -2, 2);
  homogeneous.residual = sub(d, at(&homogeneous, e, scaled, o->n), mul(d, factor, e));
  c.residual = sub(d, sub(d, at(&c, e, sum, o->n), e), proof_swap(d, e, b, o->n));
  Buf text = {0}, none = {0};
  say_degree(&text, d, e, o, "F(a + b) - F(a) - F(b) cancels term by term");
  Proof p = judged(&c, &text);
  if (p.truth != PROOF_HOLDS) return p;
  Proof q = judged(&homogeneous, &none);
  return q.truth == PROOF_HOLDS ? p : q;
}

static double binomial(int n, int k) {
  double b = 1;
  for (int i = 1; i <= k; i++) b = b * (n - k + i) / i;
  return b;
}

/* The difference of order degree + 1 in any direction vanishes. */
static Proof polynomial(const ProofDomain *d, Expr *e, const void *user) {
  const Over *o = user;
  Claim c;
  int order = (int)o->number + 1;
  if (order < 1 || order > 12 || !open_claim(&c, d, o->leaves, o->n)) return (Proof){0};
  Expr *step[LEAVES_MOST];
  ProofSwap swap[LEAVES_MOST];
  for (int i = 0; i < o->n; i++) step[i] = second(&c, o->leaves[i]);
  c.residual = expr_zero(d->pool, SHAPE_SCALAR);
  for (int k = 0; k <= order; k++) {   /* from the leaf to its second value, in equal steps */
    for (int i = 0; i < o->n; i++) {
      Expr *far = sub(d, step[i], o->leaves[i]);
      swap[i] = (ProofSwap){o->leaves[i], add(d, o->leaves[i], mul(d, number(d, (double)k), proof_op(d, EXPR_DIV, far, number(d, order))))};
    }
    double weight = binomial(order, k) * ((order - k) % 2 ? -1 : 1);
    c.residual = add(d, c.residual, mul(d, number(d, weight), at(&c, e, swap, o->n)));
  }
  Buf text = {0};
  say_degree(&text, d, e, o, "its difference of the next order cancels term by term");
  return judged(&c, &text);
}

static Proof scaling(const ProofDomain *d, Expr *e, const void *user) {
  const Over *o = user;
  Claim c;
  if (!open_claim(&c, d, o->leaves, o->n)) return (Proof){0};
  Expr *factor = expr_param(d->pool, intern_text(d->pool->names, "c'"), SHAPE_SCALAR, UNIT_NONE, false);
  further_leaf(&c, factor, 0.25, 4);
  ProofSwap swap[LEAVES_MOST];
  for (int i = 0; i < o->n; i++) swap[i] = (ProofSwap){o->leaves[i], mul(d, factor, o->leaves[i])};
  c.residual = sub(d, at(&c, e, swap, o->n), mul(d, proof_op(d, EXPR_POW, factor, number(d, o->number)), e));
  c.box[c.n - 1].hi = INFINITY;   /* any positive factor; */
  c.box[c.n - 1].lo = DBL_MIN;
  Buf text = {0};
  say_degree(&text, d, e, o, "the factor comes out of every term");
  return judged(&c, &text);
}

static Proof parity(const ProofDomain *d, Expr *e, const void *user) {
  const Over *o = user;
  Claim c;
  if (!open_claim(&c, d, o->leaves, o->n)) return (Proof){0};
  ProofSwap swap[LEAVES_MOST];
  for (int i = 0; i < o->n; i++) swap[i] = (ProofSwap){o->leaves[i], proof_op(d, EXPR_MUL, number(d, -1), o->leaves[i])};
  Expr *mirrored = at(&c, e, swap, o->n);
  c.residual = o->flag ? add(d, mirrored, e) : sub(d, mirrored, e);
  Buf text = {0};
  NormalDegrees g;
  if (degrees(d, e, o, &g)) {
    buf_printf(&text, "every term has %s powers of ", o->flag ? "odd" : "even");
    proof_print_leaves(&text, o->leaves, o->n);
  } else {
    buf_puts(&text, "with the sign of ");
    proof_print_leaves(&text, o->leaves, o->n);
    buf_puts(&text, o->flag ? " every term changes its own" : " no term changes");
  }
  return judged(&c, &text);
}

/* F at another place of one leaf, against F or -F. */
static Proof moved(const ProofDomain *d, Expr *e, Expr *leaf, Expr *place, bool odd, Buf *text) {
  Claim c;
  ProofSwap swap = {leaf, place};
  if (!open_claim(&c, d, &leaf, 1)) return (Proof){0};
  Expr *there = at(&c, e, &swap, 1);
  c.residual = odd ? add(d, there, e) : sub(d, there, e);
  return judged(&c, text);
}

static Proof periodic(const ProofDomain *d, Expr *e, const void *user) {
  const Over *o = user;
  Buf text = {0};
  buf_puts(&text, "only whole periods are added inside its functions of ");
  proof_print_leaves(&text, o->leaves, 1);
  return moved(d, e, o->leaves[0], add(d, o->leaves[0], number(d, o->number)), false, &text);
}

static Proof mirror(const ProofDomain *d, Expr *e, const void *user) {
  const Over *o = user;
  Buf text = {0};
  Expr *centre = number(d, 2 * o->number), *place = sub(d, centre, o->leaves[0]);
  buf_printf(&text, "with ");
  proof_print(&text, place);
  buf_puts(&text, " for ");
  proof_print_leaves(&text, o->leaves, 1);
  buf_puts(&text, o->flag ? " every term changes its sign" : " every term is the same");
  return moved(d, e, o->leaves[0], place, o->flag, &text);
}

static Proof over(const ProofDomain *d, Expr *e, Part part, Expr *const *leaves, int n, double value, bool flag) {
  if (expr_is_zero(e)) return structural_zero();
  return every_component(d, e, part, &(Over){leaves, n, value, flag});
}

Proof expr_prove_independent(const ProofDomain *d, Expr *e, Expr *const *leaves, int n) { return over(d, e, independent, leaves, n, 0, false); }
Proof expr_prove_linear(const ProofDomain *d, Expr *e, Expr *const *leaves, int n) { return over(d, e, linear, leaves, n, 0, false); }
Proof expr_prove_affine(const ProofDomain *d, Expr *e, Expr *const *leaves, int n) { return over(d, e, polynomial, leaves, n, 1, false); }
Proof expr_prove_polynomial(const ProofDomain *d, Expr *e, Expr *const *leaves, int n, int degree) { return over(d, e, polynomial, leaves, n, degree, false); }
Proof expr_prove_scaling(const ProofDomain *d, Expr *e, Expr *const *leaves, int n, double power) { return over(d, e, scaling, leaves, n, power, false); }
Proof expr_prove_parity(const ProofDomain *d, Expr *e, Expr *const *leaves, int n, bool odd) { return over(d, e, parity, leaves, n, 0, odd); }
Proof expr_prove_periodic(const ProofDomain *d, Expr *e, Expr *leaf, double period) { return over(d, e, periodic, &leaf, 1, period, false); }
Proof expr_prove_mirror(const ProofDomain *d, Expr *e, Expr *leaf, double centre, bool odd) { return over(d, e, mirror, &leaf, 1, centre, odd); }

/* --- zero, equal --- */

typedef struct Place { const ProofSwap *at; int n; } Place;

static Proof zero_there(const ProofDomain *d, Expr *e, const void *user) {
  const Place *place = user;
  Claim c;
  Buf text = {0};
  Proof p = {0};
  if (!open_claim(&c, d, NULL, 0)) return p;
  c.residual = proof_pinned(d, e, place->at, place->n, c.box, &c.n);
  if (!refute(&c, 0, FIRST_TRIES, &p)) {
    if (proof_zero_factor(d, e, place->at, place->n, &text)) proof_says(&p, PROOF_HOLDS, &text);
    else refute(&c, FIRST_TRIES, TRIES, &p);
  }
  buf_free(&text);
  return p;
}

Proof expr_prove_zero_at(const ProofDomain *d, Expr *e, const ProofSwap *at, int n) { return every_component(d, e, zero_there, &(Place){at, n}); }
Proof expr_prove_zero(const ProofDomain *d, Expr *e) { return expr_prove_zero_at(d, e, NULL, 0); }

Proof expr_prove_equal(const ProofDomain *d, Expr *a, Expr *b) {
  if (a == b) return (Proof){PROOF_HOLDS, "both are the same expression"};
  Proof p = expr_prove_zero(d, sub(d, a, b));
  if (p.truth == PROOF_HOLDS) snprintf(p.reason, sizeof p.reason, "an identity: multiplied out, both have the same terms");
  return p;
}

Proof expr_prove_equal_at(const ProofDomain *d, Expr *e, Expr *there, const ProofSwap *at, int n) {
  Proof p = expr_prove_zero_at(d, sub(d, e, there), at, n);
  if (p.truth != PROOF_HOLDS) return p;
  Buf text = {0};
  Expr *rest = e->op == EXPR_ADD ? (e->arg[0] == there ? e->arg[1] : e->arg[1] == there ? e->arg[0] : NULL) : NULL;
  Proof q = rest ? expr_prove_zero_at(d, rest, at, n) : (Proof){0};
  if (q.truth == PROOF_HOLDS) {
    buf_puts(&text, "beside ");
    proof_print(&text, there);
    buf_printf(&text, " nothing is left: %s", q.reason);
  } else {
    buf_puts(&text, "multiplied out, both have the same terms at ");
    proof_print_place(&text, at, n);
  }
  proof_says(&p, PROOF_HOLDS, &text);
  buf_free(&text);
  return p;
}

/* --- what to try --- */

static bool degrees_of_all(const ProofDomain *d, Expr *e, Expr *const *leaves, int n, NormalDegrees *all) {
  *all = (NormalDegrees){INFINITY, -INFINITY, true, 0};
  for (int k = 0, m = shape_size(e->shape, d->dim); k < m; k++) {
    Expr *part = proof_component(d, e, k);
    NormalDegrees g;
    if (!part) return false;
    if (expr_is_zero(part)) continue;
    if (!degrees(d, part, &(Over){leaves, n, 0, false}, &g)) return false;
    all->least = fmin(all->least, g.least);
    all->most = fmax(all->most, g.most);
    all->natural &= g.natural;
  }
  return all->least <= all->most;
}

bool expr_scaling_power(const ProofDomain *d, Expr *e, Expr *const *leaves, int n, double *power) {
  NormalDegrees g;
  if (!degrees_of_all(d, e, leaves, n, &g) || g.least != g.most) return false;
  *power = g.most;
  return true;
}

bool expr_polynomial_degree(const ProofDomain *d, Expr *e, Expr *const *leaves, int n, int *degree) {
  NormalDegrees g;
  if (!degrees_of_all(d, e, leaves, n, &g) || !g.natural) return false;
  *degree = (int)g.most;
  return true;
}
