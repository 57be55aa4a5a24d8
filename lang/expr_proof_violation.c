/* Violations: a violation is 0 where the field below its norm is, or where integrals in it cancel; it is bounded where the ranges of its numbers bound it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proof.h"

enum { POINTS = 24, SUMS_MOST = 16 };

typedef struct Violation {
  const ProofDomain *d;
  const ProofReduction *reduction; int n;
  const ProofPrediction *prediction; int npredictions;
  Expr **field;                  /* of each reduction: its integrand with formulas for predictions, scalar level; NULL: it cannot be told */
  Interval *range;               /* of each: what its number may be */
  RangeLeaf *box; int nbox, cap; /* the domain's, and the leaves known so far */
  Expr *time;
  Buf why;                       /* of the numbers that are 0 */
  int zeros;
  bool on_grid;
} Violation;

static void know(Violation *v, RangeLeaf leaf) {
  if (v->nbox == v->cap) v->box = expr_memory(v->box, (size_t)(v->cap = 2 * v->cap + 32) * sizeof *v->box);
  v->box[v->nbox++] = leaf;
}

/* --- predictions as formulas --- */

/* The formula at one time; what a history is then is a number of its own. */
static Expr *at_time(Violation *v, Expr *formula, double time) {
  const ProofDomain *d = v->d;
  ProofSwap *swap = expr_memory(NULL, (size_t)(d->nhistories + 1) * sizeof *swap);
  int n = 0;
  swap[n++] = (ProofSwap){v->time, expr_const(d->pool, time, v->time->unit)};
  for (int i = 0; i < d->nhistories; i++) {
    Buf name = {0};
    Expr *leaf = d->histories[i];
    RangeLeaf r = {NULL, -INFINITY, INFINITY};
    buf_printf(&name, "%s@%.17g", leaf->name, time);
    r.leaf = expr_param(d->pool, intern_text(d->pool->names, buf_str(&name)), SHAPE_SCALAR, leaf->unit, true);
    buf_free(&name);
    bool known = false;
    for (int k = 0; k < v->nbox; k++) {
      known |= v->box[k].leaf == r.leaf;
      if (v->box[k].leaf == leaf) r.lo = v->box[k].lo, r.hi = v->box[k].hi;
    }
    if (!known) know(v, r);
    swap[n++] = (ProofSwap){leaf, r.leaf};
  }
  Expr *e = proof_swap(d, formula, swap, n);
  free(swap);
  return e;
}

static Expr *predicted(ExprPool *pool, Expr *leaf, void *user) {
  Violation *v = user;
  (void)pool;
  if (leaf->op != EXPR_SYMBOL || leaf->symbol.kind != SYMBOL_FIELD) return leaf;
  for (int i = 0; i < v->npredictions; i++) {
    const ProofPrediction *p = &v->prediction[i];
    if (p->serial != leaf->symbol.serial || p->which != leaf->symbol.which) continue;
    return isnan(leaf->symbol.time) ? p->formula : at_time(v, p->formula, leaf->symbol.time);
  }
  return leaf;
}

static Expr *formula_of(Violation *v, Expr *e) {
  Expr *f = expr_substitute(v->d->pool, e, predicted, v);
  return f ? proof_component(v->d, f, 0) : NULL;
}

/* --- does it hold between nodes? --- */

static bool terms_enter_linearly(const Violation *v, Expr *part) {
  int n = expr_terms(v->d->pool, part, 1 << SYMBOL_FIELD, NULL, 0);
  Expr **terms = expr_memory(NULL, (size_t)(n + 1) * sizeof *terms);
  expr_terms(v->d->pool, part, 1 << SYMBOL_FIELD, terms, n);
  bool plain = true;
  for (int i = 0; i < n; i++) plain &= !terms[i]->symbol.dx[0] && !terms[i]->symbol.dx[1] && !terms[i]->symbol.dx[2] && !terms[i]->symbol.dt;
  NormalDegrees g;
  Normals *s = normals_open(NULL, 0, terms, n);
  plain = plain && (expr_is_zero(part) || (normal_degrees(s, part, terms, n, &g) && g.natural && g.most <= 1));
  normals_close(s);
  free(terms);
  return plain;
}

/* A linear combination of predictions with the same coefficients everywhere, its square or its magnitude. */
static bool is_nodal(const Violation *v, Expr *e) {
  enum { PLACE = HAS_COORD | HAS_NORMAL | HAS_SIZE | HAS_REGIONS | HAS_TIME | HAS_HOST | HAS_FACET };
  if (e->flags & PLACE) return false;
  if ((e->op == EXPR_MUL || e->op == EXPR_INNER || e->op == EXPR_DOT) && e->arg[0] == e->arg[1]) return is_nodal(v, e->arg[0]);
  if (e->op == EXPR_ABS || e->op == EXPR_SQRT) return is_nodal(v, e->arg[0]);
  for (int k = 0, n = shape_size(e->shape, v->d->dim); k < n; k++) {
    Expr *part = expr_scalar(v->d->pool, e, k, v->d->dim);
    if (!part || !terms_enter_linearly(v, part)) return false;
  }
  return true;
}

/* --- numbers --- */

/* What is known, with t in the window of the reduction; free it. */
static RangeLeaf *box_of(const Violation *v, const ProofReduction *r) {
  RangeLeaf *box = expr_memory(NULL, (size_t)(v->nbox + 1) * sizeof *box);
  for (int i = 0; i < v->nbox; i++) {
    box[i] = v->box[i];
    if (!r->windowed || box[i].leaf != v->time) continue;
    box[i].lo = fmax(box[i].lo, r->from);
    box[i].hi = fmin(box[i].hi, r->until);
  }
  return box;
}

/* Zero throughout its place? The sentence goes to `why`. */
static bool is_zero(Violation *v, int k) {
  const ProofReduction *r = &v->reduction[k];
  int nzero = 0;
  ProofSwap *at = expr_memory(NULL, (size_t)(r->nat + v->n + 1) * sizeof *at);
  for (int i = 0; i < r->nat; i++) at[i] = r->at[i];
  for (int i = 0; i < k; i++)
    if (v->range[i].lo == 0 && v->range[i].hi == 0) at[r->nat + nzero++] = (ProofSwap){v->reduction[i].leaf, expr_zero(v->d->pool, SHAPE_SCALAR)};
  Buf text = {0};
  RangeLeaf *box = box_of(v, r);
  ProofDomain known = {v->d->pool, box, v->nbox, v->d->dim, v->d->histories, v->d->nhistories, v->d->work};
  bool zero = proof_zero_factor(&known, v->field[k], at, r->nat + nzero, &text);
  if (zero && v->zeros++ == 0) buf_puts(&v->why, buf_str(&text));
  buf_free(&text);
  free(box);
  free(at);
  return zero;
}

static RangeLeaf *pinned_box(const Violation *v, const ProofReduction *r, Expr **field, int *n) {
  RangeLeaf *box = expr_memory(NULL, (size_t)(v->nbox + r->nat + 1) * sizeof *box);
  RangeLeaf *all = box_of(v, r);
  ProofDomain known = {v->d->pool, all, v->nbox, v->d->dim, v->d->histories, v->d->nhistories, v->d->work};
  *field = proof_pinned(&known, *field, r->at, r->nat, box, n);
  free(all);
  return box;
}

static Interval range_of(const Violation *v, int k) {
  const ProofReduction *r = &v->reduction[k];
  Expr *field = v->field[k];
  int n;
  RangeLeaf *box = pinned_box(v, r, &field, &n);
  CertifiedRange c = expr_range(field, box, n, &(RangeOptions){.work = 30000, .tolerance = 0.01}, NULL, NULL);
  free(box);
  if (c.lo > c.hi) return INTERVAL_ALL;
  if (r->kind != PROOF_INTEGRAL) return (Interval){c.lo, c.hi, c.may_be_undefined, false};
  return (Interval){c.lo >= 0 ? 0 : -INFINITY, c.hi <= 0 ? 0 : INFINITY, c.may_be_undefined, false};   /* times a measure that is not known here */
}

/* Has the field values everywhere on its place? */
static bool is_defined(const Violation *v, int k) {
  Expr *field = v->field[k];
  int n;
  RangeLeaf *box = pinned_box(v, &v->reduction[k], &field, &n);
  CertifiedRange c = expr_range(field, box, n, &(RangeOptions){.decide = true, .within_lo = -INFINITY, .within_hi = INFINITY}, NULL, NULL);
  free(box);
  return !c.may_be_undefined;
}

static void settle(Violation *v, int k) {
  v->field[k] = formula_of(v, v->reduction[k].integrand);
  v->range[k] = INTERVAL_ALL;
  if (v->field[k] && is_zero(v, k)) {
    v->range[k] = interval_point(0);
    v->range[k].undefined = !is_defined(v, k);
    v->on_grid &= !v->reduction[k].windowed && is_nodal(v, v->reduction[k].integrand);
  } else if (v->field[k]) v->range[k] = range_of(v, k);
  know(v, (RangeLeaf){v->reduction[k].leaf, v->range[k].lo, v->range[k].hi});
}

/* --- sums in which integrals cancel --- */

static Expr *integral_leaf(ExprPool *pool, Expr *leaf, void *user) {
  const Violation *v = user;
  for (int k = 0; k < v->n; k++) {
    const ProofReduction *r = &v->reduction[k];
    if (r->leaf != leaf || r->kind != PROOF_INTEGRAL || !r->place || !v->field[k]) continue;
    return v->range[k].lo == 0 && v->range[k].hi == 0 ? expr_zero(pool, SHAPE_SCALAR) : expr_integral(pool, v->field[k], &r->place, 1, false);
  }
  return leaf;
}

/* What is integrated in the place of the integral: forms that cancel because integrals are linear cancel for any linear functional, the value at a point
 * among them. */
static Expr *integrated(ExprPool *pool, Expr *leaf, void *user) {
  const Violation *v = user;
  Expr *whole = integral_leaf(pool, leaf, user);
  for (int k = 0; k < v->n && whole != leaf && !expr_is_zero(whole); k++)
    if (v->reduction[k].leaf == leaf) return v->field[k];
  return whole;
}

static bool cancels(Violation *v, Expr *sum) {
  Expr *local = expr_substitute(v->d->pool, sum, integrated, v), *whole;
  if (!local || proof_nonzero(v->box, v->nbox, local, 0, POINTS, NULL, NULL, NULL)) return false;
  whole = expr_substitute(v->d->pool, sum, integral_leaf, v);
  return whole && whole->flags & HAS_INTEGRAL && proof_vanishes(v->box, v->nbox, whole, NULL, 0, v->d->work);
}

/* The violation with 0 for every sum that cancels; what was found goes to `why`. */
static Expr *cancelled(Violation *v, Expr *e) {
  bool integrals = false;
  for (int k = 0; k < v->n; k++) integrals |= v->reduction[k].kind == PROOF_INTEGRAL && v->reduction[k].place && v->range[k].lo != v->range[k].hi;
  if (!integrals) return e;
  Walk walk;
  walk_open(&walk, e, NULL, NULL);
  Expr **part = expr_memory(NULL, (size_t)walk.n * sizeof *part);
  Name *name = expr_memory(NULL, (size_t)walk.n * sizeof *name);
  int n = 0;
  for (int i = walk.n - 1; i >= 0 && n < SUMS_MOST; i--) {
    Expr *sum = walk.node[i];
    if ((sum->op != EXPR_ADD && sum->op != EXPR_SUB) || !(sum->flags & HAS_PARAM)) continue;
    if (!cancels(v, sum)) continue;
    Buf text = {0};
    buf_printf(&text, "0'%d", n);
    part[n] = sum;
    name[n++] = intern_text(v->d->pool->names, buf_str(&text));
    buf_free(&text);
    if (v->zeros++ == 0) buf_puts(&v->why, "an identity: its integrals cancel term by term");
    v->on_grid = false;
  }
  if (n) e = expr_name_parts(v->d->pool, e, part, name, n);
  for (int i = 0; i < n; i++) know(v, (RangeLeaf){expr_param(v->d->pool, name[i], part[i]->shape, part[i]->unit, true), 0, 0});
  walk_close(&walk);
  free(part);
  free(name);
  return e;
}

/* --- the violation --- */

static void conclude(Violation *v, Expr *e, double bound, ProofOfBound *out) {
  CertifiedRange r = expr_range(e, v->box, v->nbox, &(RangeOptions){.work = 40000, .tolerance = 0.01}, NULL, NULL);
  Buf text = {0};
  if (r.may_be_undefined || r.lo > r.hi || isnan(r.hi)) return;
  out->certified = r.hi;
  out->identity = r.hi <= 0 && r.lo >= 0;
  out->on_grid = out->identity && v->on_grid && v->zeros > 0;
  if (!(r.hi <= bound)) return;
  if (out->identity && v->zeros) buf_puts(&text, buf_str(&v->why));
  else if (out->identity) buf_puts(&text, "it is 0 over the domain, by certified ranges");
  else buf_printf(&text, "it is at most %.4g over the domain, by certified ranges", r.hi);
  proof_says(&out->proof, PROOF_HOLDS, &text);
  buf_free(&text);
}

ProofOfBound expr_prove_violation(const ProofDomain *d, Expr *violation, const ProofReduction *reductions, int n, const ProofPrediction *predictions, int npredictions, double bound) {
  Violation v = {.d = d, .reduction = reductions, .n = n, .prediction = predictions, .npredictions = npredictions, .on_grid = true};
  ProofOfBound out = {.certified = INFINITY};
  v.field = expr_memory(NULL, (size_t)(n + 1) * sizeof *v.field);
  v.range = expr_memory(NULL, (size_t)(n + 1) * sizeof *v.range);
  v.time = expr_time(d->pool, UNIT_NONE);
  for (int i = 0; i < d->n; i++) {
    know(&v, d->box[i]);
    if (d->box[i].leaf->op == EXPR_TIME) v.time = d->box[i].leaf;
  }
  for (int k = 0; k < n; k++) settle(&v, k);
  Expr *e = proof_component(d, violation, 0);
  bool undefined = false;
  for (int k = 0; k < n; k++) undefined |= v.range[k].undefined;   /* a number that may be none is no proof */
  if (e && !undefined) conclude(&v, cancelled(&v, e), bound, &out);
  buf_free(&v.why);
  free(v.field);
  free(v.range);
  free(v.box);
  return out;
}
