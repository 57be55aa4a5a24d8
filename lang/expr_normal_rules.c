/* Normal forms of operations: what each makes of the forms of its arguments, and the laws of its atoms. */
#include <float.h>
#include <math.h>

#include "normal.h"

static Normal number(Normals *s, double value) { return normal_number(s, value, 0); }
static Normal negated(Normals *s, Normal a) { return normal_scaled(s, a, -1, 0); }
static Normal minus(Normals *s, Normal a, Normal b) { return normal_sum(s, a, -1, b); }
static Normal plus(Normals *s, Normal a, Normal b) { return normal_sum(s, a, 1, b); }
static Normal product(Normals *s, Normal a, Normal b) { return normal_product(s, a, b); }

static Normal applied(Normals *s, int op, Expr *e, Normal arg, bool nonnegative) {
  return normal_atom(s, normal_find_atom(s, (Atom){.op = op, .e = e, .nargs = 1, .arg = {normal_keep(s, arg)}, .nonnegative = nonnegative}), 1);
}

/* A function of numbers alone, to rounding. */
static bool of_numbers(Normals *s, ExprOp op, const Normal *a, int n, Normal *z) {
  Interval x[3], value;
  if (n > 3) return false;
  for (int k = 0; k < n; k++) {
    if (!normal_is_number(a[k])) return false;
    double c = a[k].n ? a[k].term[0].coef : 0, error = a[k].n ? a[k].term[0].error : 0;
    x[k] = interval(c - error, c + error);
  }
  if (!interval_compute(op, x, 1, &value) || interval_is_empty(value) || value.undefined || !isfinite(value.lo) || !isfinite(value.hi)) return false;
  double middle = interval_middle(value), radius = fmax(value.hi - middle, middle - value.lo);
  if (value.lo <= 0 && value.hi >= 0 && radius > 1e-12) return false;   /* a number that may or may not be zero is none */
  *z = normal_number(s, middle, radius);
  return true;
}

/* The first coefficient besides the constant: its sign is the sign of the form. */
static double lead(Normal a) {
  int first = a.n > 1 && a.term[0].n == 0 ? 1 : 0;
  return a.n ? a.term[first].coef : 0;
}

/* --- functions --- */

static Normal odd(Normals *s, Expr *e, Normal a) {
  if (!a.n) return a;
  return lead(a) < 0 ? negated(s, applied(s, e->op, NULL, negated(s, a), false)) : applied(s, e->op, NULL, a, false);
}

static Normal even(Normals *s, Expr *e, Normal a, bool nonnegative) { return applied(s, e->op, NULL, lead(a) < 0 ? negated(s, a) : a, nonnegative); }

/* a = rest + quarters*(pi/2) + what remains of the constant. */
static Normal without_turns(Normals *s, Normal a, int *quarters) {
  *quarters = 0;
  if (a.n < 2 || a.term[0].n) return a;
  double c = a.term[0].coef, error = a.term[0].error + 8 * DBL_EPSILON * fabs(c), k = round(c / M_PI_2);
  if (k == 0 || fabs(k) > 1e6) return a;
  double left = c - k * M_PI_2;
  Normal rest = {a.n - 1, a.term + 1};
  if (fabs(left) <= error) {
    *quarters = (int)fmod(fmod(k, 4) + 4, 4);
    return rest;
  }
  double turns = round(c / (2 * M_PI));
  return turns == 0 ? a : plus(s, normal_number(s, c - turns * (2 * M_PI), error), rest);
}

static ExprOp const WAVES[2] = {EXPR_SIN, EXPR_COS};

/* sin(a + quarters*pi/2) of a form without turns, by its atoms; cos is a quarter ahead. */
static Normal wave(Normals *s, Normal a, int quarters) {
  static const int sign[4] = {1, 1, -1, -1};
  int q;
  a = without_turns(s, a, &q);
  q = (q + quarters) % 4;
  bool cosine = q % 2, flip = lead(a) < 0;
  Normal z = applied(s, WAVES[cosine], NULL, flip ? negated(s, a) : a, false);
  return sign[q] * (flip && !cosine ? -1 : 1) < 0 ? negated(s, z) : z;
}

/* exp of a sum is the product of exp of its terms, each to the power of its coefficient. */
static Normal exponential(Normals *s, Normal a) {
  Normal z = number(s, 1);
  for (int i = 0; i < a.n; i++) {
    Term t = a.term[i];
    if (t.n == 0) {
      double value = exp(t.coef);
      if (value == 0) s->exhausted = true;       /* too small for a double, but not 0 */
      z = normal_scaled(s, z, value, value * (t.error * 1.01 + 4 * DBL_EPSILON));
      continue;
    }
    double exponent = t.coef;
    t.coef = 1, t.error = 0;
    Normal inner = plus(s, (Normal){0}, (Normal){1, &t});
    int atom = normal_find_atom(s, (Atom){.op = EXPR_EXP, .nargs = 1, .arg = {normal_keep(s, inner)}, .nonnegative = true, .positive = true});
    z = product(s, z, normal_atom(s, atom, exponent));
  }
  return z;
}

/* |c x^p y^q| is |c| |x|^p |y|^q; of a sum it is an atom, its first coefficient 1. */
static Normal magnitude(Normals *s, Normal a, Expr *of) {
  Interval range = of ? normal_interval(s, of) : INTERVAL_ALL;
  if (!a.n || (!interval_is_empty(range) && range.lo >= 0)) return a;
  if (!interval_is_empty(range) && range.hi <= 0) return negated(s, a);
  Normal rest, content = normal_content(s, a, CONTENT_ANY, &rest);
  if (content.n == 1 && content.term[0].n) return product(s, magnitude(s, content, NULL), magnitude(s, rest, NULL));
  if (a.n > 1) {
    double c = a.term[0].coef;
    bool exact = fabs(frexp(c, &(int){0})) == 0.5;
    Normal scaled = normal_scaled(s, a, 1 / c, exact ? 0 : DBL_EPSILON / fabs(c));
    scaled.term[0].coef = 1;
    return normal_scaled(s, applied(s, EXPR_ABS, NULL, scaled, true), fabs(c), a.term[0].error);
  }
  Normal z = normal_number(s, fabs(a.term[0].coef), a.term[0].error);
  for (int i = 0; i < a.term[0].n; i++) {
    Power p = a.term[0].power[i];
    bool keeps = s->atom[p.atom].nonnegative || p.exp != floor(p.exp) || fmod(p.exp, 2) == 0;
    int atom = p.atom;
    if (!keeps) {
      Normal inner = normal_atom(s, p.atom, 1);
      atom = normal_find_atom(s, (Atom){.op = EXPR_ABS, .nargs = 1, .arg = {normal_keep(s, inner)}, .nonnegative = true});
    }
    z = product(s, z, normal_atom(s, atom, p.exp));
  }
  return z;
}

static Normal sign(Normals *s, Normal a, Expr *of) {
  Interval range = normal_interval(s, of);
  if (!a.n) return a;
  if (!interval_is_empty(range) && (range.lo > 0 || range.hi < 0)) return number(s, range.lo > 0 ? 1 : -1);
  normal_content(s, a, CONTENT_POSITIVE, &a);
  double c = lead(a);
  Normal scaled = normal_scaled(s, a, 1 / c, fabs(frexp(c, &(int){0})) == 0.5 ? 0 : DBL_EPSILON / fabs(c));
  Normal z = applied(s, EXPR_SIGN, NULL, scaled, false);
  return c < 0 ? negated(s, z) : z;
}

/* max(a, b) = (a + b + |a - b|)/2 */
static Normal extreme(Normals *s, const Normal *a, double which) {
  Normal half = normal_scaled(s, plus(s, a[0], a[1]), 0.5, 0), apart = magnitude(s, minus(s, a[0], a[1]), NULL);
  return normal_sum(s, half, 0.5 * which, apart);
}

/* --- conditions: 0 or 1 --- */

/* a < b; both sides are compared through their difference, up to a positive factor. */
static Normal less(Normals *s, Normal a, Normal b) {
  Normal d = minus(s, a, b);
  if (normal_is_number(d)) return d.n && d.term[0].coef < 0 ? number(s, 1) : (Normal){0};
  normal_content(s, d, CONTENT_POSITIVE, &d);
  double c = fabs(lead(d));
  d = normal_scaled(s, d, 1 / c, fabs(frexp(c, &(int){0})) == 0.5 ? 0 : DBL_EPSILON / c);
  return applied(s, ATOM_LESS, NULL, d, true);
}

static Normal opposite(Normals *s, Normal a) { return minus(s, number(s, 1), a); }

static bool is_condition(Expr *e) { return e->op >= EXPR_LT && e->op <= EXPR_NOT; }

static Normal equal(Normals *s, Normal a, Normal b) {
  Normal d = minus(s, a, b);
  if (!d.n) return number(s, 1);
  return applied(s, EXPR_EQ, NULL, lead(d) < 0 ? negated(s, d) : d, true);
}

static Normal condition(Normals *s, Expr *e, const Normal *a) {
  Interval truth = normal_interval(s, e);
  if (interval_is_point(truth) && !truth.undefined) return number(s, truth.lo);
  switch (e->op) {
    case EXPR_LT: return less(s, a[0], a[1]);
    case EXPR_GT: return less(s, a[1], a[0]);
    case EXPR_LE: return opposite(s, less(s, a[1], a[0]));
    case EXPR_GE: return opposite(s, less(s, a[0], a[1]));
    case EXPR_EQ: return equal(s, a[0], a[1]);
    case EXPR_NE: return opposite(s, equal(s, a[0], a[1]));
    case EXPR_NOT: return is_condition(e->arg[0]) ? opposite(s, a[0]) : normal_opaque(s, e);
    default: break;
  }
  if (!is_condition(e->arg[0]) || !is_condition(e->arg[1])) return normal_opaque(s, e);
  Normal both = product(s, a[0], a[1]);
  return e->op == EXPR_AND ? both : minus(s, plus(s, a[0], a[1]), both);
}

static Normal choice(Normals *s, Expr *e, const Normal *a) {
  if (!is_condition(e->arg[0])) return normal_opaque(s, e);
  return plus(s, a[2], product(s, a[0], minus(s, a[1], a[2])));
}

/* The sum over the regions of what holds there; `others` are what the named ones are not. */
static Normal regions(Normals *s, Expr *e, const Normal *a) {
  Normal z = {0}, rest = number(s, 1), other = {0};
  if (e->index[0]) return normal_opaque(s, e);
  for (int k = 0; k < e->n; k++) {
    if (!e->names[k]) {
      other = a[k];
      continue;
    }
    Normal in = normal_atom(s, normal_find_atom(s, (Atom){.op = ATOM_REGION, .name = e->names[k], .nonnegative = true}), 1);
    z = plus(s, z, product(s, in, a[k]));
    rest = minus(s, rest, in);
  }
  return plus(s, z, product(s, rest, other));
}

/* Linear: a sum term by term, what is the same everywhere in front. */
static Normal integral(Normals *s, Expr *e, Normal a) {
  Normal z = {0};
  for (int i = 0; i < a.n; i++) {
    const Term *t = &a.term[i];
    Power *out = ARENA_ARRAY(s->arena, Power, t->n ? t->n : 1), *in = ARENA_ARRAY(s->arena, Power, t->n ? t->n : 1);
    int nout = 0, nin = 0;
    for (int k = 0; k < t->n; k++) {
      if (s->atom[t->power[k].atom].in_space) in[nin++] = t->power[k];
      else out[nout++] = t->power[k];
    }
    Term front = {t->coef, t->error, nout, out}, inside = {1, 0, nin, in};
    Normal f = {1, &front}, g = {1, &inside};
    bool whole = !nin && e->index[0];   /* the mean of 1 */
    z = plus(s, z, whole ? plus(s, (Normal){0}, f) : product(s, f, applied(s, EXPR_INTEGRAL, e, *normal_keep(s, plus(s, (Normal){0}, g)), false)));
  }
  return z;
}

static Normal general(Normals *s, Expr *e, const Normal *a) {
  if (e->n > 3 || e->shape.rank) return normal_opaque(s, e);
  Atom draft = {.op = e->op, .e = e, .nargs = e->n};
  for (int k = 0; k < e->n; k++) draft.arg[k] = normal_keep(s, a[k]);
  return e->n ? normal_atom(s, normal_find_atom(s, draft), 1) : normal_opaque(s, e);
}

static Normal power(Normals *s, Expr *e, const Normal *a) {
  if (!normal_is_number(a[1])) return general(s, e, a);
  double exponent = a[1].n ? a[1].term[0].coef : 0;
  if (!a[0].n && exponent <= 0) return exponent == 0 ? number(s, 1) : normal_opaque(s, e);
  return normal_power(s, a[0], exponent, e->arg[0]);
}

static bool takes_scalars(Expr *e) {
  bool scalars = !e->shape.rank;
  for (int k = 0; k < e->n; k++) scalars &= !e->arg[k]->shape.rank;
  return scalars;
}

Normal normal_rule(Normals *s, Expr *e, const Normal *a) {
  Normal z;
  if (!takes_scalars(e)) return normal_opaque(s, e);
  if (e->op >= EXPR_SQRT && e->op <= EXPR_HYPOT && of_numbers(s, (ExprOp)e->op, a, e->n, &z)) return z;
  switch (e->op) {
    case EXPR_CONST: return normal_constant(s, e->value);
    case EXPR_ZERO: return (Normal){0};
    case EXPR_ADD: return plus(s, a[0], a[1]);
    case EXPR_SUB: return minus(s, a[0], a[1]);
    case EXPR_NEG: return negated(s, a[0]);
    case EXPR_MUL: return product(s, a[0], a[1]);
    case EXPR_DIV: return a[1].n ? product(s, a[0], normal_power(s, a[1], -1, e->arg[1])) : normal_opaque(s, e);
    case EXPR_POW: return power(s, e, a);
    case EXPR_SQRT: return normal_power(s, a[0], 0.5, e->arg[0]);
    case EXPR_CBRT: case EXPR_ASIN: case EXPR_ATAN: case EXPR_SINH: case EXPR_TANH: case EXPR_ERF: return odd(s, e, a[0]);
    case EXPR_COSH: return even(s, e, a[0], true);
    case EXPR_EXP: return exponential(s, a[0]);
    case EXPR_SIN: return wave(s, a[0], 0);
    case EXPR_COS: return wave(s, a[0], 1);
    case EXPR_TAN: return product(s, wave(s, a[0], 0), normal_power(s, wave(s, a[0], 1), -1, NULL));
    case EXPR_ABS: return magnitude(s, a[0], e->arg[0]);
    case EXPR_SIGN: return sign(s, a[0], e->arg[0]);
    case EXPR_MIN: return extreme(s, a, -1);
    case EXPR_MAX: return extreme(s, a, 1);
    case EXPR_HYPOT: return normal_power(s, plus(s, product(s, a[0], a[0]), product(s, a[1], a[1])), 0.5, NULL);
    case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: case EXPR_AND: case EXPR_OR: case EXPR_NOT: return condition(s, e, a);
    case EXPR_IF: return choice(s, e, a);
    case EXPR_REGIONS: return regions(s, e, a);
    case EXPR_INTEGRAL: return integral(s, e, a[0]);
    default: return general(s, e, a);
  }
}

/* --- laws of atoms --- */

bool normal_reduction(Normals *s, int atom, double *power, Normal *into) {
  Atom a = s->atom[atom];
  Normal other;
  *power = 2;
  switch (a.op) {
    case ATOM_GROUP: *power = 1; *into = *a.arg[0]; return true;           /* multiplied out */
    case EXPR_SIN:   /* sin^2 = 1 - cos^2 */
      other = applied(s, EXPR_COS, NULL, *a.arg[0], false);
      *into = minus(s, number(s, 1), product(s, other, other));
      return true;
    case EXPR_COSH:   /* cosh^2 = 1 + sinh^2 */
      other = applied(s, EXPR_SINH, NULL, *a.arg[0], false);
      *into = plus(s, number(s, 1), product(s, other, other));
      return true;
    case EXPR_CBRT: *power = 3; *into = *a.arg[0]; return true;
    case EXPR_ABS: *into = product(s, *a.arg[0], *a.arg[0]); return true;
    case EXPR_SIGN: return false;
    case ATOM_LESS: case ATOM_REGION: case EXPR_EQ: *into = normal_atom(s, atom, 1); return true;   /* 0 and 1 are their own squares */
    default: return false;
  }
}
