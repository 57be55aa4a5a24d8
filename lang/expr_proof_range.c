/* Facts of order: bounds, signs, monotony, causality. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proof.h"
#include "range_tape.h"

static void print_end(Buf *out, double x) {
  if (isinf(x)) buf_puts(out, x > 0 ? "infinity" : "-infinity");
  else buf_printf(out, "%.6g", x);
}

/* Bounds whatever the leaves are: squares, exp, tanh. */
static bool by_form(Expr *e, double lo, double hi, Interval *form) {
  *form = expr_range_once(e, NULL, 0);
  return !interval_is_empty(*form) && form->lo >= lo && form->hi <= hi;
}

/* The sentence for a bound by form: what kind of expression it is. */
static void say_form(Buf *text, Expr *e, Interval form) {
  bool sum = e->op == EXPR_ADD, product = e->op == EXPR_MUL || e->op == EXPR_DIV;
  proof_print(text, e);
  if (form.lo >= 0 && isinf(form.hi) && form.lo == 0) {
    buf_puts(text, sum ? " is a sum of terms that are not negative" : product ? " is a product of factors whose signs cancel" : " is never negative");
    return;
  }
  buf_puts(text, " lies in ");
  print_end(text, form.lo);
  buf_puts(text, "..");
  print_end(text, form.hi);
  buf_puts(text, " whatever its parts are");
}

static CertifiedRange decided(const ProofDomain *d, Expr *e, double lo, double hi, double *at_lo, double *at_hi) {
  return expr_range(e, d->box, d->n, &(RangeOptions){.decide = true, .within_lo = lo, .within_hi = hi}, at_lo, at_hi);
}

/* Of what is inside for sure, a sharper range to show. */
static CertifiedRange sharper(const ProofDomain *d, Expr *e, CertifiedRange r) {
  CertifiedRange s = expr_range(e, d->box, d->n, &(RangeOptions){.work = 20000, .tolerance = 0.01}, NULL, NULL);
  r.lo = fmax(r.lo, s.lo);
  r.hi = fmin(r.hi, s.hi);
  return r;
}

static void say_range(Buf *text, CertifiedRange r) {
  buf_puts(text, "its values over the domain lie in ");
  print_end(text, r.lo);
  buf_puts(text, "..");
  print_end(text, r.hi);
}

static Proof bounds(const ProofDomain *d, Expr *e, double lo, double hi) {
  Proof p = {0};
  Buf text = {0};
  Interval form;
  if (by_form(e, lo, hi, &form)) {
    say_form(&text, e, form);
    proof_says(&p, PROOF_HOLDS, &text);
    buf_free(&text);
    return p;
  }
  double *at_lo = expr_memory(NULL, 2 * (size_t)(d->n + 1) * sizeof *at_lo), *at_hi = at_lo + d->n + 1;
  CertifiedRange r = decided(d, e, lo, hi, at_lo, at_hi);
  bool below = r.seen_lo < lo, above = r.seen_hi > hi;
  if (r.lo >= lo && r.hi <= hi && r.lo <= r.hi) {
    say_range(&text, sharper(d, e, r));
    proof_says(&p, PROOF_HOLDS, &text);
  } else if (below || above) {   /* certainly, and not by rounding? */
    RangeLeaf *at = expr_memory(NULL, (size_t)(d->n + 1) * sizeof *at);
    for (int k = 0; k < d->n; k++) at[k] = (RangeLeaf){d->box[k].leaf, (below ? at_lo : at_hi)[k], (below ? at_lo : at_hi)[k]};
    Interval there = expr_range_once(e, at, d->n);
    if (!there.undefined && (there.hi < lo || there.lo > hi)) {
      buf_puts(&text, "at ");
      int shown = 0;
      for (int k = 0; k < d->n && shown < 5; k++) {
        if (proof_swap(d, e, &(ProofSwap){d->box[k].leaf, expr_zero(d->pool, SHAPE_SCALAR)}, 1) == e) continue;
        if (shown++) buf_puts(&text, ", ");
        proof_print(&text, d->box[k].leaf);
        buf_printf(&text, " = %.4g", at[k].lo);
      }
      if (!shown) buf_clear(&text);
      buf_printf(&text, "%sit is %.6g", shown ? " " : "", interval_middle(there));
      proof_says(&p, PROOF_FAILS, &text);
    }
    free(at);
  }
  free(at_lo);
  buf_free(&text);
  return p;
}

Proof expr_prove_bounds(const ProofDomain *d, Expr *e, double lo, double hi) {
  Proof all = {.truth = PROOF_HOLDS};
  for (int k = 0, n = shape_size(e->shape, d->dim); k < n; k++) {
    Expr *part = proof_component(d, e, k);
    Proof p = part ? bounds(d, part, lo, hi) : (Proof){0};
    if (p.truth == PROOF_FAILS) return p;
    if (p.truth == PROOF_OPEN || k == 0) all = p;
  }
  return all;
}

/* The slope along leaf k of the domain, by one evaluation; false where e may jump somewhere: then its derivative does not tell. */
static bool is_continuous(const ProofDomain *d, Expr *e, int at, Interval *slope) {
  Expr **leaf = expr_memory(NULL, (size_t)(d->n + 1) * sizeof *leaf);
  Interval *box = expr_memory(NULL, 2 * (size_t)(d->n + 1) * sizeof *box);
  double error;
  for (int k = 0; k < d->n; k++) leaf[k] = d->box[k].leaf, box[k] = interval(d->box[k].lo, d->box[k].hi);
  RangeTape *tape = range_tape_new(e, leaf, d->n, 1);
  range_tape_value(tape, box);
  bool continuous = range_tape_gradient(tape, box + d->n + 1, &error);
  *slope = at >= 0 ? box[d->n + 1 + at] : INTERVAL_ALL;
  range_tape_free(tape);
  free(box);
  free(leaf);
  return continuous;
}

static int index_of(const ProofDomain *d, Expr *leaf) {
  for (int k = 0; k < d->n; k++) if (d->box[k].leaf == leaf) return k;
  return -1;
}

/* Near a point: does e certainly change against the direction? */
static bool goes_back(const ProofDomain *d, Expr *e, int k, bool rising, const double *x, Buf *text) {
  RangeLeaf *at = expr_memory(NULL, (size_t)(d->n + 1) * sizeof *at);
  double width = d->box[k].hi - d->box[k].lo;
  bool back = false;
  for (int i = 0; i < d->n; i++) at[i] = (RangeLeaf){d->box[i].leaf, x[i], x[i]};
  for (int side = -1; side <= 1 && !back && isfinite(width); side += 2) {
    double y = x[k] + side * 1e-3 * width;
    if (y < d->box[k].lo || y > d->box[k].hi) continue;
    at[k].lo = at[k].hi = x[k];
    Interval here = expr_range_once(e, at, d->n);
    at[k].lo = at[k].hi = y;
    Interval there = expr_range_once(e, at, d->n), low = side > 0 ? here : there, high = side > 0 ? there : here;
    back = !here.undefined && !there.undefined && (rising ? high.hi < low.lo : high.lo > low.hi);
    if (!back) continue;
    proof_print(text, d->box[k].leaf);
    buf_printf(text, " from %.6g to %.6g %s it from %.6g to %.6g", fmin(x[k], y), fmax(x[k], y), rising ? "lowers" : "raises", interval_middle(low), interval_middle(high));
  }
  free(at);
  return back;
}

static Proof monotone(const ProofDomain *d, Expr *e, Expr *leaf, bool rising) {
  Proof p = {0};
  Buf text = {0};
  Expr *slope = expr_diff(d->pool, e, leaf);
  int k = index_of(d, leaf);
  if (!slope) return p;
  double *at = expr_memory(NULL, 2 * (size_t)(d->n + 1) * sizeof *at), *at_hi = at + d->n + 1;
  Interval once;
  bool continuous = is_continuous(d, e, k, &once);
  CertifiedRange r = decided(d, slope, rising ? 0 : -INFINITY, rising ? INFINITY : 0, at, at_hi);
  if (continuous) r.lo = fmax(r.lo, once.lo), r.hi = fmin(r.hi, once.hi);
  if (k >= 0 && (rising ? r.seen_lo < 0 : r.seen_hi > 0) && goes_back(d, e, k, rising, rising ? at : at_hi, &text)) proof_says(&p, PROOF_FAILS, &text);
  else if (r.lo <= r.hi && (rising ? r.lo >= 0 : r.hi <= 0) && continuous) {
    r = sharper(d, slope, r);
    buf_puts(&text, "its derivative by ");
    proof_print(&text, leaf);
    buf_puts(&text, " lies in ");
    print_end(&text, r.lo);
    buf_puts(&text, "..");
    print_end(&text, r.hi);
    buf_puts(&text, " over the domain");
    proof_says(&p, PROOF_HOLDS, &text);
  }
  free(at);
  buf_free(&text);
  return p;
}

Proof expr_prove_monotone(const ProofDomain *d, Expr *e, Expr *leaf, bool rising) {
  Proof all = {.truth = PROOF_HOLDS};
  for (int k = 0, n = shape_size(e->shape, d->dim); k < n; k++) {
    Expr *part = proof_component(d, e, k);
    Proof p = part ? monotone(d, part, leaf, rising) : (Proof){0};
    if (p.truth == PROOF_FAILS) return p;
    if (p.truth == PROOF_OPEN || k == 0) all = p;
  }
  return all;
}

Proof expr_prove_causal(const ProofDomain *d, Expr *e, const ProofHistory *histories, int n) {
  double latest = -INFINITY;
  Proof p = {.truth = PROOF_HOLDS};
  Buf text = {0};
  for (int i = 0; i < n; i++) {
    Expr *leaf = histories[i].leaf;
    Proof absent = expr_prove_independent(d, e, &leaf, 1);
    if (absent.truth == PROOF_HOLDS) continue;
    latest = fmax(latest, histories[i].ahead);
    if (histories[i].ahead <= 0) continue;
    if (absent.truth == PROOF_OPEN) p.truth = PROOF_OPEN;
    if (absent.truth != PROOF_FAILS) continue;
    proof_print(&text, leaf);
    buf_printf(&text, " is read %.4g later than t, and %s", histories[i].ahead, absent.reason);
    proof_says(&p, PROOF_FAILS, &text);
    buf_free(&text);
    return p;
  }
  if (p.truth == PROOF_HOLDS) {
    if (latest == -INFINITY) buf_puts(&text, "no input of time is read");
    else if (latest == 0) buf_puts(&text, "inputs of time are read at t and before, not later");
    else buf_printf(&text, "inputs of time are read at t - %.4g and before, not later", -latest);
    proof_says(&p, PROOF_HOLDS, &text);
  }
  buf_free(&text);
  return p;
}
