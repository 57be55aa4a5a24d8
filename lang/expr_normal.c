/* Normal forms: arithmetic of sums of products of powers of atoms, the pass over an expression, and what can be asked of a form. */
#include "expr_normal.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "normal.h"

enum { TERMS_MOST = 3000, ATOMS_MOST = 20000, POWER_MOST = 16 };
static const long WORK_MOST = 3000000;

/* --- terms --- */

static int compare_powers(const Term *a, const Term *b) {
  for (int i = 0; i < a->n && i < b->n; i++) {
    if (a->power[i].atom != b->power[i].atom) return a->power[i].atom < b->power[i].atom ? -1 : 1;
    if (a->power[i].exp != b->power[i].exp) return a->power[i].exp < b->power[i].exp ? -1 : 1;
  }
  return a->n - b->n;
}

static int by_powers(const void *a, const void *b) { return compare_powers(a, b); }

/* Sums of exponents like 0.1 + 0.2 meet the decimal fraction that they are meant to be. */
static double sum_of_exponents(double a, double b) {
  double sum = a + b, near = round(sum * 60) / 60;
  return fabs(sum - near) <= 4 * DBL_EPSILON * (fabs(a) + fabs(b)) ? near : sum;
}

static double rounding_of_sum(double a, double b, double s) {
  double bb = s - a;
  return (a - (s - bb)) + (b - bb) == 0 ? 0 : DBL_EPSILON * fabs(s);
}

static double rounding_of_product(double a, double b, double p) { return fma(a, b, -p) == 0 ? 0 : DBL_EPSILON * fabs(p); }

/* Collects like terms of a list in place. */
static Normal collected(Term *term, int n) {
  qsort(term, (size_t)n, sizeof *term, by_powers);
  int kept = 0;
  for (int i = 0; i < n;) {
    Term t = term[i];
    int j = i + 1;
    for (; j < n && compare_powers(&term[j], &t) == 0; j++) {
      double sum = t.coef + term[j].coef;
      t.error += term[j].error + rounding_of_sum(t.coef, term[j].coef, sum);
      t.coef = sum;
    }
    if (t.coef != 0 && fabs(t.coef) > t.error) term[kept++] = t;
    i = j;
  }
  return (Normal){kept, term};
}

Normal normal_number(Normals *s, double value, double error) {
  if (fabs(value) <= error || value == 0) return (Normal){0};
  Term *t = ARENA_NEW(s->arena, Term);
  *t = (Term){.coef = value, .error = error};
  return (Normal){1, t};
}

Normal normal_constant(Normals *s, double value) {
  return normal_number(s, value, interval_decimal(value).hi - value);
}

Normal normal_atom(Normals *s, int atom, double exponent) {
  Term *t = ARENA_NEW(s->arena, Term);
  Power *p = ARENA_NEW(s->arena, Power);
  *p = (Power){atom, exponent};
  *t = (Term){.coef = 1, .n = 1, .power = p};
  return (Normal){1, t};
}

static Term weighted(Term t, double weight) {
  t.coef *= weight;
  t.error *= fabs(weight);
  return t;
}

Normal normal_sum(Normals *s, Normal a, double weight, Normal b) {
  if (!b.n) return a;
  if ((s->work -= a.n + b.n) < 0 || a.n + b.n > TERMS_MOST) s->exhausted = true;
  if (s->exhausted) return (Normal){0};
  Term *term = ARENA_ARRAY(s->arena, Term, a.n + b.n);
  int n = 0, i = 0, j = 0;
  while (i < a.n || j < b.n) {
    int order = i == a.n ? 1 : j == b.n ? -1 : compare_powers(&a.term[i], &b.term[j]);
    Term t = order <= 0 ? a.term[i] : weighted(b.term[j], weight);
    if (order == 0) {
      Term other = weighted(b.term[j], weight);
      double sum = t.coef + other.coef;
      t.error += other.error + rounding_of_sum(t.coef, other.coef, sum);
      t.coef = sum;
    }
    i += order <= 0, j += order >= 0;
    if (t.coef != 0 && fabs(t.coef) > t.error) term[n++] = t;
  }
  return (Normal){n, term};
}

/* A coefficient that leaves the range of doubles is not known any more: nothing may be concluded from its being 0. */
static void keep_watch(Normals *s, double coef, double a, double b) {
  const double least = 1e-250;
  if (!isfinite(coef) || (a != 0 && b != 0 && fabs(coef) < least)) s->exhausted = true;
}

Normal normal_scaled(Normals *s, Normal a, double value, double error) {
  Term *term = ARENA_ARRAY(s->arena, Term, a.n ? a.n : 1);
  for (int i = 0; i < a.n; i++) {
    double p = a.term[i].coef * value;
    keep_watch(s, p, a.term[i].coef, value);
    term[i] = a.term[i];
    term[i].coef = p;
    term[i].error = fabs(value) * a.term[i].error + error * (fabs(a.term[i].coef) + a.term[i].error) + rounding_of_product(a.term[i].coef, value, p);
  }
  return (Normal){a.n, term};
}

static Term times(Normals *s, const Term *a, const Term *b) {
  Power *p = ARENA_ARRAY(s->arena, Power, a->n + b->n + 1);
  int n = 0, i = 0, j = 0;
  while (i < a->n || j < b->n) {
    if (j == b->n || (i < a->n && a->power[i].atom < b->power[j].atom)) p[n++] = a->power[i++];
    else if (i == a->n || b->power[j].atom < a->power[i].atom) p[n++] = b->power[j++];
    else {
      double exp = sum_of_exponents(a->power[i].exp, b->power[j].exp);
      if (exp != 0) p[n++] = (Power){a->power[i].atom, exp};
      i++, j++;
    }
  }
  double coef = a->coef * b->coef;
  keep_watch(s, coef, a->coef, b->coef);
  double error = fabs(a->coef) * b->error + fabs(b->coef) * a->error + a->error * b->error + rounding_of_product(a->coef, b->coef, coef);
  return (Term){coef, error, n, p};
}

/* A term in which an atom has an exponent that a law lowers, as a form. */
static bool reduced(Normals *s, const Term *t, Normal *out) {
  for (int i = 0; i < t->n; i++) {
    double step;
    Normal into;
    int atom = t->power[i].atom;
    if (t->power[i].exp < 1 || !normal_reduction(s, atom, &step, &into) || t->power[i].exp < step) continue;
    Power *p = ARENA_ARRAY(s->arena, Power, t->n);
    Term rest = {t->coef, t->error, 0, p};
    for (int k = 0; k < t->n; k++) {
      Power q = t->power[k];
      if (k == i) q.exp = sum_of_exponents(q.exp, -step);
      if (q.exp != 0) p[rest.n++] = q;
    }
    *out = normal_product(s, (Normal){1, &rest}, into);
    return true;
  }
  return false;
}

Normal normal_product(Normals *s, Normal a, Normal b) {
  long pairs = (long)a.n * b.n;
  if (pairs > 20L * TERMS_MOST || (s->work -= pairs) < 0) s->exhausted = true;
  if (s->exhausted || !pairs) return (Normal){0};
  Term *term = ARENA_ARRAY(s->arena, Term, pairs);
  Normal lowered = {0};
  int n = 0;
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < b.n; j++) {
      Normal low;
      term[n] = times(s, &a.term[i], &b.term[j]);
      if (reduced(s, &term[n], &low)) lowered = normal_sum(s, lowered, 1, low);
      else n++;
    }
  Normal product = collected(term, n);
  if (product.n > TERMS_MOST) s->exhausted = true;
  return lowered.n ? normal_sum(s, product, 1, lowered) : product;
}

/* --- atoms --- */

const Normal *normal_keep(Normals *s, Normal a) {
  Normal *kept = ARENA_NEW(s->arena, Normal);
  *kept = a;
  return kept;
}

static bool same_terms(Normal a, Normal b) {
  if (a.n != b.n) return false;
  for (int i = 0; i < a.n; i++) {
    if (compare_powers(&a.term[i], &b.term[i])) return false;
    if (fabs(a.term[i].coef - b.term[i].coef) > a.term[i].error + b.term[i].error) return false;
  }
  return true;
}

static bool has_quotients(const Normals *s, Normal a) {
  for (int i = 0; i < a.n; i++)
    for (int k = 0; k < a.term[i].n; k++)
      if (s->atom[a.term[i].power[k].atom].op == ATOM_GROUP) return true;
  return false;
}

bool normal_same(Normals *s, Normal a, Normal b) {
  if (same_terms(a, b)) return true;
  if (!has_quotients(s, a) && !has_quotients(s, b)) return false;
  return normal_vanishes(s, normal_sum(s, a, -1, b));
}

/* Of functions of forms; what has none is the same node or another thing. */
static bool same_payload(Expr *a, Expr *b, int nargs) {
  if (a == b) return true;
  return a && b && nargs && a->op == b->op && a->name == b->name && a->table == b->table && a->n == b->n && !memcmp(a->index, b->index, sizeof a->index) && a->op != EXPR_INTEGRAL;
}

static bool same_place(Expr *a, Expr *b) {
  if (a->op != EXPR_INTEGRAL || b->op != EXPR_INTEGRAL || a->index[0] != b->index[0] || a->index[1] != b->index[1]) return false;
  for (int i = 0; i < a->index[1]; i++) if (a->names[i] != b->names[i]) return false;
  return true;
}

static bool leaf_in_space(Expr *e) {
  enum { PLACE = HAS_COORD | HAS_NORMAL | HAS_SIZE | HAS_REGIONS | HAS_FIELD | HAS_UNKNOWN | HAS_TEST | HAS_TRIAL | HAS_PREVIOUS | HAS_HOST | HAS_FACET };
  return (e->flags & PLACE) != 0 && e->op != EXPR_INTEGRAL;
}

static bool args_in_space(const Normals *s, const Atom *a) {
  for (int k = 0; k < a->nargs; k++)
    for (int i = 0; i < a->arg[k]->n; i++)
      for (int j = 0; j < a->arg[k]->term[i].n; j++)
        if (s->atom[a->arg[k]->term[i].power[j].atom].in_space) return true;
  return false;
}

int normal_find_atom(Normals *s, Atom draft) {
  for (int i = 0; i < s->natoms; i++) {
    const Atom *a = &s->atom[i];
    if (a->op != draft.op || a->nargs != draft.nargs || a->name != draft.name) continue;
    if (draft.op != ATOM_GROUP && draft.op != ATOM_LESS && !(draft.op == EXPR_INTEGRAL ? same_place(a->e, draft.e) : same_payload(a->e, draft.e, draft.nargs))) continue;
    bool same = true;
    for (int k = 0; k < draft.nargs && same; k++) same = normal_same(s, *s->atom[i].arg[k], *draft.arg[k]);   /* atoms may be made meanwhile */
    if (same) return i;
  }
  if (s->natoms == s->cap) s->atom = expr_memory(s->atom, (size_t)(s->cap = s->cap ? 2 * s->cap : 64) * sizeof *s->atom);
  if (s->natoms > ATOMS_MOST) s->exhausted = true;
  draft.in_space = draft.op != EXPR_INTEGRAL && (draft.nargs ? args_in_space(s, &draft) : draft.op == ATOM_REGION || leaf_in_space(draft.e));
  s->atom[s->natoms] = draft;
  return s->natoms++;
}

Interval normal_interval(const Normals *s, Expr *e) { return expr_range_once(e, s->box, s->nbox); }

Normal normal_opaque(Normals *s, Expr *e) {
  bool leaf = !e->n && e->op != EXPR_HOSTCALL;
  Interval range = normal_interval(s, e);
  bool sure = !interval_is_empty(range);
  if (leaf && sure && interval_is_point(range)) return normal_constant(s, range.lo);   /* pinned by the box */
  return normal_atom(s, normal_find_atom(s, (Atom){.op = leaf ? e->op : ATOM_OPAQUE, .e = e, .nonnegative = sure && range.lo >= 0, .positive = sure && range.lo > 0}), 1);
}

/* --- powers --- */

static void power_of_number(Normals *s, double c, double error, double exponent, double *value, double *bound) {
  if (exponent > 0 && exponent == floor(exponent) && exponent <= POWER_MOST) {
    *value = 1, *bound = 0;
    for (int i = 0; i < (int)exponent; i++) {
      double next = *value * c;
      *bound = *bound * fabs(c) + fabs(*value) * error + *bound * error + rounding_of_product(*value, c, next);
      *value = next;
    }
    keep_watch(s, *value, c, 1);
    return;
  }
  *value = pow(c, exponent);
  keep_watch(s, *value, c, 1);
  bool exact = exponent == -1 && error == 0 && fabs(frexp(c, &(int){0})) == 0.5;
  *bound = exact ? 0 : fabs(*value) * (fabs(exponent) * error / fabs(c) * 1.01 + 4 * DBL_EPSILON);
}

static int absolute(Normals *s, int atom) {
  Normal inner = normal_atom(s, atom, 1);
  return normal_find_atom(s, (Atom){.op = EXPR_ABS, .nargs = 1, .arg = {normal_keep(s, inner)}, .nonnegative = true});
}

/* (c x^p y^q ...)^r of one term; false: signs forbid it. */
static bool power_of_term(Normals *s, const Term *t, double r, Normal *out) {
  bool whole = r == floor(r);
  int unsure = 0;
  if (!whole && t->coef < 0) return false;
  for (int i = 0; i < t->n && !whole; i++) {
    double p = t->power[i].exp;
    if (!s->atom[t->power[i].atom].nonnegative && p == floor(p) && fmod(p, 2) != 0) unsure++;
  }
  if (unsure > 1) return false;
  double value, error;
  power_of_number(s, t->coef, t->error, r, &value, &error);
  *out = normal_number(s, value, error);
  for (int i = 0; i < t->n; i++) {
    double p = t->power[i].exp;
    int atom = t->power[i].atom;
    if (!whole && !s->atom[atom].nonnegative && p == floor(p) && fmod(p, 2) == 0) atom = absolute(s, atom);   /* sqrt(x^2) = |x| */
    *out = normal_product(s, *out, normal_atom(s, atom, p * r));
  }
  return true;
}

static double exponent_of(const Term *t, int atom) {
  for (int k = 0; k < t->n; k++) if (t->power[k].atom == atom) return t->power[k].exp;
  return 0;
}

/* The lowest exponent of an atom in the terms. */
static double least_exponent(Normal a, int atom) {
  double least = INFINITY;
  for (int i = 0; i < a.n; i++) least = fmin(least, exponent_of(&a.term[i], atom));
  return least;
}

Normal normal_content(Normals *s, Normal base, ContentKind kind, Normal *rest) {
  Normal content = normal_number(s, 1, 0), inverse = normal_number(s, 1, 0);
  *rest = base;
  for (int i = 0; i < base.n && base.n > 1; i++)
    for (int k = 0; k < base.term[i].n; k++) {
      Power p = base.term[i].power[k];
      if ((i && p.exp > 0) || exponent_of(inverse.term, p.atom) != 0) continue;   /* what is in every term is in the first, or stands below */
      double least = least_exponent(base, p.atom);
      if (kind == CONTENT_POSITIVE && !s->atom[p.atom].positive) continue;
      if (kind == CONTENT_SIGN_SURE && !s->atom[p.atom].nonnegative) least = least == floor(least) ? 2 * floor(least / 2) : 0;
      if (least == 0) continue;
      content.term[0] = times(s, content.term, normal_atom(s, p.atom, least).term);
      inverse.term[0] = times(s, inverse.term, normal_atom(s, p.atom, -least).term);
    }
  if (content.term[0].n) *rest = normal_product(s, base, inverse);
  return content;
}

static Normal power_of_sum(Normals *s, Normal base, double exponent, Expr *e);

Normal normal_power(Normals *s, Normal base, double exponent, Expr *e) {
  Normal one = normal_number(s, 1, 0), result = one;
  if (exponent == 0) return one;
  if (exponent == 1) return base;
  if (!base.n && exponent > 0) return base;
  if (exponent > 0 && exponent == floor(exponent) && exponent <= POWER_MOST && base.n > 1) {
    for (int i = 0; i < (int)exponent; i++) result = normal_product(s, result, base);
    return result;
  }
  if (base.n == 1 && power_of_term(s, base.term, exponent, &result)) return result;
  Normal rest, content = normal_content(s, base, exponent == floor(exponent) ? CONTENT_ANY : CONTENT_SIGN_SURE, &rest), front;
  if (content.n != 1 || !content.term[0].n || !power_of_term(s, content.term, exponent, &front)) return power_of_sum(s, base, exponent, e);
  return normal_product(s, front, power_of_sum(s, rest, exponent, NULL));
}

static Normal power_of_sum(Normals *s, Normal base, double exponent, Expr *e) {
  /* a sum as a whole: its first coefficient becomes 1, or -1 where the sign counts */
  bool whole = exponent == floor(exponent);
  double lead = base.n ? base.term[0].coef : 1, by = whole ? lead : fabs(lead), value, error;
  Normal group = base;
  if (base.n) {
    group = normal_scaled(s, base, 1 / by, frexp(by, &(int){0}) == 0.5 || frexp(by, &(int){0}) == -0.5 ? 0 : DBL_EPSILON / fabs(by));
    group.term[0].coef = by == lead ? 1 : -1;
    group.term[0].error = 0;   /* the rest is relative to it */
    for (int i = 1; i < base.n; i++) group.term[i].error += fabs(group.term[i].coef) * base.term[0].error / fabs(lead);
  }
  Interval range = e ? normal_interval(s, e) : INTERVAL_ALL;
  bool nonnegative = e && !range.undefined && !interval_is_empty(range) && (by > 0 ? range.lo >= 0 : range.hi <= 0);
  int atom = normal_find_atom(s, (Atom){.op = ATOM_GROUP, .nargs = 1, .arg = {normal_keep(s, group)}, .nonnegative = nonnegative});
  power_of_number(s, by, base.n ? base.term[0].error : 0, exponent, &value, &error);
  return normal_product(s, normal_number(s, value, error), normal_atom(s, atom, exponent));
}

/* Multiplied by what stands below, outer sums first, until nothing does: then zero is no term at all. */
bool normal_vanishes(Normals *s, Normal a) {
  for (int atom = s->natoms - 1; atom >= 0 && a.n && !s->exhausted; atom--) {
    double least = 0;
    for (int i = 0; i < a.n; i++)
      for (int k = 0; k < a.term[i].n; k++)
        if (a.term[i].power[k].atom == atom) least = fmin(least, a.term[i].power[k].exp);
    if (least < 0) a = normal_product(s, a, normal_atom(s, atom, ceil(-least)));
  }
  return !a.n && !s->exhausted;
}

/* --- the pass --- */

static bool depends_on(Normals *s, Expr *root, Expr *const *leaves, int n, Memo *memo) {
  const void *known = memo_get(memo, root->id);
  if (known) return (uintptr_t)known == 2;
  Walk walk;
  walk_open(&walk, root, NULL, NULL);
  for (int i = 0; i < walk.n; i++) {
    Expr *e = walk.node[i];
    bool depends = false;
    if (memo_get(memo, e->id)) continue;
    for (int k = 0; k < n; k++) depends |= leaves[k] == e;
    for (int k = 0; k < e->n && !depends; k++) depends = (uintptr_t)memo_get(memo, e->arg[k]->id) == 2;
    memo_put(memo, e->id, (const void *)(uintptr_t)(depends ? 2 : 1));
  }
  (void)s;
  walk_close(&walk);
  return (uintptr_t)memo_get(memo, root->id) == 2;
}

static bool whole(Normals *s, Expr *e) {
  if (e->n && memo_get(&s->held, e->id)) return true;
  return s->only && e->n && !depends_on(s, e, s->only, s->nonly, &s->relevant);
}

static bool is_sum(Expr *e, void *user) {
  (void)user;
  return e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_NEG;
}

void normals_keep_shared(Normals *s, Expr *e) {
  Walk sum, term;
  Memo first = {0};              /* the term in which a node was met first, from 1 */
  walk_open(&sum, e, is_sum, NULL);
  for (int i = 0; i < sum.n; i++) {
    if (is_sum(sum.node[i], NULL)) continue;
    walk_open(&term, sum.node[i], NULL, NULL);
    for (int k = 0; k + 1 < term.n; k++) {   /* not the term itself */
      Expr *part = term.node[k];
      uintptr_t met = (uintptr_t)memo_get(&first, part->id);
      if (!met) memo_put(&first, part->id, (const void *)(uintptr_t)(i + 1));
      else if (met != (uintptr_t)(i + 1) && part->n) memo_put(&s->held, part->id, part);
    }
    walk_close(&term);
  }
  walk_close(&sum);
  memo_free(&first);
}

static bool into(Expr *e, void *user) {
  Normals *s = user;
  return !memo_get(&s->known, e->id) && !whole(s, e);
}

static Normal form(Normals *s, Expr *root) {
  Walk walk;
  walk_open(&walk, root, into, s);
  for (int i = 0; i < walk.n; i++) {
    Expr *e = walk.node[i];
    Normal a[256], z;
    if (memo_get(&s->known, e->id)) continue;
    if (whole(s, e) || (!e->n && e->op != EXPR_CONST && e->op != EXPR_ZERO)) z = normal_opaque(s, e);
    else {
      for (int k = 0; k < e->n; k++) a[k] = *(const Normal *)memo_get(&s->known, e->arg[k]->id);
      bool before = s->exhausted;
      z = normal_rule(s, e, a);
      if (s->exhausted && !before && s->work > 0 && s->natoms <= ATOMS_MOST) {   /* this one is too large: it stays as it is */
        s->exhausted = false;
        z = normal_opaque(s, e);
      }
    }
    memo_put(&s->known, e->id, normal_keep(s, z));
  }
  walk_close(&walk);
  return *(const Normal *)memo_get(&s->known, root->id);
}

Normals *normals_open(const RangeLeaf *box, int nbox, Expr *const *only, int nonly) {
  Normals *s = expr_memory(NULL, sizeof *s);
  *s = (Normals){.arena = arena_new(), .box = box, .nbox = nbox, .only = only, .nonly = nonly, .work = WORK_MOST, .most = WORK_MOST};
  if (!s->arena) memory_out();
  return s;
}

void normals_limit(Normals *s, long work) {
  if (work < s->most) s->work -= s->most - work, s->most = work;
}

long normals_used(const Normals *s) { return s->work < 0 ? s->most : s->most - s->work; }

void normals_close(Normals *s) {
  if (!s) return;
  memo_free(&s->known);
  memo_free(&s->held);
  memo_free(&s->relevant);
  arena_free(s->arena);
  free(s->atom);
  free(s);
}

bool normal_is_zero(Normals *s, Expr *e) {
  Normal z = form(s, e);
  return !s->exhausted && normal_vanishes(s, z);
}

/* Does the atom depend on the leaves? (Not: is it one of them.) */
static bool atom_depends(Normals *s, int atom, Expr *const *leaves, int n, Memo *memo) {
  const Atom *a = &s->atom[atom];
  if (a->op < EXPR_OPS && !a->nargs) return false;
  if (a->op == ATOM_OPAQUE) return depends_on(s, a->e, leaves, n, memo);
  for (int k = 0; k < a->nargs; k++)
    for (int i = 0; i < a->arg[k]->n; i++)
      for (int j = 0; j < a->arg[k]->term[i].n; j++) {
        int inner = a->arg[k]->term[i].power[j].atom;
        bool is_leaf = false;
        for (int m = 0; m < n; m++) is_leaf |= s->atom[inner].e == leaves[m] && !s->atom[inner].nargs;
        if (is_leaf || atom_depends(s, inner, leaves, n, memo)) return true;
      }
  return false;
}

static bool term_degree(Normals *s, const Term *t, Expr *const *leaves, int n, Memo *memo, double *degree, bool *natural) {
  *degree = 0;
  for (int k = 0; k < t->n; k++) {
    const Atom *a = &s->atom[t->power[k].atom];
    bool is_leaf = false;
    for (int m = 0; m < n; m++) is_leaf |= a->e == leaves[m] && !a->nargs && a->op != ATOM_OPAQUE;
    if (is_leaf) {
      double p = t->power[k].exp;
      *degree = sum_of_exponents(*degree, p);
      *natural &= p == floor(p) && p >= 0;
    } else if (atom_depends(s, t->power[k].atom, leaves, n, memo)) return false;
  }
  return true;
}

bool normal_degrees(Normals *s, Expr *e, Expr *const *leaves, int n, NormalDegrees *out) {
  Normal z = form(s, e);
  Memo memo = {0};
  bool fine = !s->exhausted && z.n > 0;
  *out = (NormalDegrees){INFINITY, -INFINITY, true, z.n};
  for (int i = 0; i < z.n && fine; i++) {
    double degree;
    fine = term_degree(s, &z.term[i], leaves, n, &memo, &degree, &out->natural);
    out->least = fmin(out->least, degree);
    out->most = fmax(out->most, degree);
  }
  memo_free(&memo);
  return fine;
}

bool normal_depends(Normals *s, Expr *e, Expr *const *leaves, int n) {
  NormalDegrees d;
  Normal z = form(s, e);
  if (!z.n && !s->exhausted) return false;
  if (!normal_degrees(s, e, leaves, n, &d)) return true;
  if (d.least != 0 || d.most != 0) return true;
  for (int i = 0; i < z.n; i++)   /* fx/fy has the total degree 0 */
    for (int k = 0; k < z.term[i].n; k++)
      for (int m = 0; m < n; m++)
        if (s->atom[z.term[i].power[k].atom].e == leaves[m] && !s->atom[z.term[i].power[k].atom].nargs) return true;
  return false;
}
