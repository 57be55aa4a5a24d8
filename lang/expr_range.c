/* Branch and bound for the largest and the smallest value over a box. A piece of the box is bounded by plain interval arithmetic and by the mean-value form
 * f(c) + G.(X - c), G an interval gradient, c where that form is sharpest (Baumann, BIT 28, 1988); where f is monotone in a leaf, only that face of the
 * piece remains. Pieces wait in a heap, the one with the largest bound first. For the smallest value the same is done with -f. */
#include "expr_range.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"
#include "range_tape.h"

typedef struct Piece {
  double bound;        /* f is nowhere above it */
  double slack;        /* what rounding may add to values that were looked for on a face */
  int cut;             /* the leaf to halve; -1: the piece is a point */
  Interval *box;
} Piece;

typedef struct Search {
  RangeTape *tape;
  int n;
  double sign;         /* 1: the largest value of f; -1: of -f */
  long work;           /* nodes still to be evaluated */
  long pieces;
  double best;         /* largest value seen */
  double *at;          /* where */
  double closed;       /* largest bound of pieces that are done with */
  double goal;         /* a bound that is low enough; NAN: as low as possible */
  Piece *heap;
  int count, cap;
  Interval *gradient;
  double *centre, *corner;
  Interval *point;
} Search;

static Interval signed_value(const Search *s, Interval z) { return s->sign > 0 ? z : interval_neg(z); }

/* --- heap --- */

static void push(Search *s, Piece piece) {
  if (s->count == s->cap) s->heap = expr_memory(s->heap, (size_t)(s->cap = s->cap ? 2 * s->cap : 64) * sizeof *s->heap);
  int at = s->count++;
  for (; at && s->heap[(at - 1) / 2].bound < piece.bound; at = (at - 1) / 2) s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = piece;
}

static Piece pop(Search *s) {
  Piece top = s->heap[0], last = s->heap[--s->count];
  int at = 0;
  for (int child; (child = 2 * at + 1) < s->count; at = child) {
    if (child + 1 < s->count && s->heap[child + 1].bound > s->heap[child].bound) child++;
    if (s->heap[child].bound <= last.bound) break;
    s->heap[at] = s->heap[child];
  }
  if (s->count) s->heap[at] = last;
  return top;
}

/* --- bounding a piece --- */

static void look_at(Search *s, const double *x) {
  double value = s->sign * range_tape_point(s->tape, x);
  s->work -= range_tape_nodes(s->tape);
  if (!(value > s->best) && !isnan(s->best)) return;
  if (isnan(value)) return;
  s->best = value;
  memcpy(s->at, x, (size_t)s->n * sizeof *x);
}

/* Where the mean-value form has its lowest upper bound in this leaf. */
static double sharpest(Interval g, Interval x) {
  if (g.lo >= 0) return x.hi;
  if (g.hi <= 0) return x.lo;
  double c = (g.hi * x.hi - g.lo * x.lo) / (g.hi - g.lo);
  return isfinite(c) ? fmin(fmax(c, x.lo), x.hi) : interval_middle(x);
}

/* Gradient of sign*f over the piece. */
static bool gradient_of(Search *s, double *error) {
  s->work -= 2 * range_tape_nodes(s->tape);
  if (!range_tape_gradient(s->tape, s->gradient, error)) return false;
  for (int k = 0; k < s->n && s->sign < 0; k++) s->gradient[k] = interval_neg(s->gradient[k]);
  return true;
}

/* Where sign*f rises or falls along a leaf throughout, the piece becomes that face. */
static bool shrink(Search *s, Interval *box) {
  bool smaller = false;
  for (int k = 0; k < s->n; k++) {
    Interval g = s->gradient[k];
    double end = g.lo >= 0 ? box[k].hi : box[k].lo;
    if (interval_is_point(box[k]) || (g.lo < 0 && g.hi > 0) || isinf(end)) continue;
    box[k] = interval_point(end);
    smaller = true;
  }
  return smaller;
}

static double mean_value_bound(Search *s, const Interval *box) {
  for (int k = 0; k < s->n; k++) {
    s->centre[k] = sharpest(s->gradient[k], box[k]);
    s->corner[k] = s->gradient[k].lo + s->gradient[k].hi >= 0 ? box[k].hi : box[k].lo;
    if (!isfinite(s->centre[k])) s->centre[k] = interval_middle(box[k]);
    if (!isfinite(s->corner[k])) s->corner[k] = s->centre[k];
    s->point[k] = interval_point(s->centre[k]);
  }
  look_at(s, s->centre);
  look_at(s, s->corner);
  Interval sum = signed_value(s, range_tape_value(s->tape, s->point));
  s->work -= range_tape_nodes(s->tape);
  for (int k = 0; k < s->n; k++)
    if (!interval_is_point(box[k])) sum = interval_add(sum, interval_mul(s->gradient[k], interval_sub(box[k], s->point[k])));
  return sum.hi;
}

/* Bounds the piece, which becomes smaller where that loses nothing. -INFINITY: it has no value at all. */
static double bound_of(Search *s, Piece *piece, bool *smooth) {
  Interval z = signed_value(s, range_tape_value(s->tape, piece->box));
  double bound = z.hi + piece->slack, error;
  s->work -= range_tape_nodes(s->tape);
  s->pieces++;
  *smooth = false;
  if (interval_is_empty(z)) return -INFINITY;
  for (int faces = 0; gradient_of(s, &error); faces++) {
    *smooth = true;
    if (faces < 3 && shrink(s, piece->box)) {
      piece->slack = fmax(piece->slack, error);
      z = signed_value(s, range_tape_value(s->tape, piece->box));
      s->work -= range_tape_nodes(s->tape);
      bound = fmin(bound, z.hi + piece->slack);
      continue;
    }
    double mean = mean_value_bound(s, piece->box) + fmax(error, piece->slack);
    return isnan(mean) ? bound : fmin(bound, mean);
  }
  for (int k = 0; k < s->n; k++) s->centre[k] = interval_middle(piece->box[k]);
  look_at(s, s->centre);
  *smooth = false;
  return bound;
}

/* --- the search --- */

/* The leaf along which f varies most, as far as is known; the widest otherwise. -1: the piece is a point. */
static int widest(const Search *s, const Interval *box, bool smooth, const Interval *whole) {
  int best = -1;
  double most = -1;
  for (int k = 0; k < s->n; k++) {
    double middle = interval_middle(box[k]), width = box[k].hi - box[k].lo;
    if (!(middle > box[k].lo && middle < box[k].hi)) continue;
    double reach = whole[k].hi - whole[k].lo, share = isfinite(reach) ? width / reach : INFINITY;
    if (smooth && isfinite(width)) {
      double steep = interval_magnitude(s->gradient[k]) * width;
      if (isfinite(steep)) share = steep;
    }
    if (share > most) most = share, best = k;
  }
  return best;
}

static void finish(Search *s, Piece *piece) {
  s->closed = fmax(s->closed, piece->bound);
  free(piece->box);
}

/* Its bound decides whether a piece waits or is done with. */
static void enter(Search *s, Piece piece, const Interval *whole, double within) {
  bool smooth;
  double bound = bound_of(s, &piece, &smooth);
  piece.bound = fmin(piece.bound, bound);
  piece.cut = widest(s, piece.box, smooth, whole);
  if (piece.bound == -INFINITY || piece.cut < 0 || piece.bound <= s->best + within || piece.bound <= s->goal) finish(s, &piece);
  else push(s, piece);
}

static Interval *copied(const Search *s, const Interval *box) {
  Interval *copy = expr_memory(NULL, (size_t)(s->n ? s->n : 1) * sizeof *copy);
  for (int k = 0; k < s->n; k++) copy[k] = box[k];
  return copy;
}

static void halve(const Search *s, Piece *piece, Piece *other) {
  *other = *piece;
  other->box = copied(s, piece->box);
  piece->box[piece->cut].hi = other->box[piece->cut].lo = interval_middle(piece->box[piece->cut]);
}

/* An upper bound of sign*f over the box. `opposite`: its smallest value seen so far, for the spread. */
static double maximise(Search *s, const Interval *whole, double tolerance, double opposite) {
  s->closed = -INFINITY;
  enter(s, (Piece){.bound = INFINITY, .box = copied(s, whole)}, whole, 0);
  while (s->count && s->work > 0) {
    double spread = s->best - fmin(opposite, s->best), within = isfinite(spread) ? tolerance * spread : 0;
    if (s->heap[0].bound <= s->best + within || s->best > s->goal) break;
    if (s->heap[0].bound == INFINITY && s->best > 1e250) break;   /* it has no bound */
    Piece piece = pop(s), other;
    halve(s, &piece, &other);
    enter(s, piece, whole, within);
    enter(s, other, whole, within);
  }
  double bound = fmax(s->closed, isnan(s->best) ? -INFINITY : s->best);
  if (s->count) bound = fmax(bound, s->heap[0].bound);
  while (s->count) free(s->heap[--s->count].box);
  return bound;
}

/* Is there a value at every point? Pieces where it is not clear are cut, the largest first, while the budget lasts. */
static bool defined_everywhere(Search *s, const Interval *whole, bool *seen) {
  bool defined = true;
  push(s, (Piece){.bound = 0, .box = copied(s, whole)});
  while (s->count && defined) {
    Piece piece = pop(s), other;
    Interval z = range_tape_value(s->tape, piece.box);
    s->work -= 2 * range_tape_nodes(s->tape);
    s->pieces++;
    if (z.undefined || z.infinite) {
      for (int i = 0; i < s->n; i++) s->centre[i] = interval_middle(piece.box[i]);
      *seen |= interval_is_empty(z) || isnan(range_tape_point(s->tape, s->centre));
      piece.cut = widest(s, piece.box, false, whole);
      defined = !*seen && piece.cut >= 0 && s->work > 0;
      if (defined) {
        piece.bound--;
        halve(s, &piece, &other);
        push(s, piece);
        push(s, other);
        continue;
      }
    }
    free(piece.box);
  }
  while (s->count) free(s->heap[--s->count].box);
  return defined;
}

static void open_search(Search *s, RangeTape *tape, int n) {
  size_t m = (size_t)(n ? n : 1);
  *s = (Search){.tape = tape, .n = n};
  s->gradient = expr_memory(NULL, 2 * m * sizeof *s->gradient);
  s->point = s->gradient + m;
  s->centre = expr_memory(NULL, 3 * m * sizeof *s->centre);
  s->corner = s->centre + m;
  s->at = s->corner + m;
}

static void close_search(Search *s) {
  free(s->gradient);
  free(s->centre);
  free(s->heap);
}

static RangeTape *tape_over(Expr *e, const RangeLeaf *box, int n, double size, Interval *whole) {
  Expr **leaves = expr_memory(NULL, (size_t)(n ? n : 1) * sizeof *leaves);
  for (int k = 0; k < n; k++) leaves[k] = box[k].leaf, whole[k] = interval(box[k].lo, box[k].hi);
  RangeTape *tape = range_tape_new(e, leaves, n, size);
  free(leaves);
  return tape;
}

static Interval once(Expr *e, const RangeLeaf *box, int n, bool decimals) {
  Interval *whole = expr_memory(NULL, (size_t)(n ? n : 1) * sizeof *whole);
  RangeTape *tape = tape_over(e, box, n, 1, whole);
  if (decimals) range_tape_decimals(tape);
  Interval z = range_tape_value(tape, whole);
  range_tape_free(tape);
  free(whole);
  return z;
}

Interval expr_range_once(Expr *e, const RangeLeaf *box, int n) { return once(e, box, n, false); }
Interval expr_range_decimals(Expr *e, const RangeLeaf *box, int n) { return once(e, box, n, true); }

CertifiedRange expr_range(Expr *e, const RangeLeaf *box, int n, const RangeOptions *options, double *at_lo, double *at_hi) {
  long work = options && options->work > 0 ? options->work : 400000;
  double tolerance = options && options->tolerance > 0 ? options->tolerance : 1e-3, opposite = INFINITY;
  Interval *whole = expr_memory(NULL, (size_t)(n ? n : 1) * sizeof *whole);
  RangeTape *tape = tape_over(e, box, n, options ? options->size : 1, whole);
  CertifiedRange r = {.seen_lo = NAN, .seen_hi = NAN};
  Interval root = range_tape_value(tape, whole);
  Search s;
  open_search(&s, tape, n);
  for (int side = 1; side >= -1; side -= 2) {
    s.sign = side;
    s.best = NAN;
    s.work = work / 2;
    s.goal = !options || !options->decide ? NAN : side > 0 ? options->within_hi : -options->within_lo;
    double bound = side * maximise(&s, whole, tolerance, opposite);
    if (side > 0) r.hi = bound, r.seen_hi = s.best;
    else r.lo = bound, r.seen_lo = -s.best;
    if (side > 0 && at_hi) memcpy(at_hi, s.at, (size_t)n * sizeof *at_hi);
    if (side < 0 && at_lo) memcpy(at_lo, s.at, (size_t)n * sizeof *at_lo);
    opposite = -s.best;
  }
  s.work = work / 4;
  r.may_be_undefined = (root.undefined || root.infinite) && !defined_everywhere(&s, whole, &r.undefined_seen);
  r.pieces = s.pieces;
  r.lo += 0.0, r.hi += 0.0;   /* no -0 */
  close_search(&s);
  range_tape_free(tape);
  free(whole);
  return r;
}
