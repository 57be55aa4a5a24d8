/* Canonical form: every expression as  number * factor^power * ... , the factors sorted by their text; a sum is one factor, its terms sorted
 * and scaled so that the first has coefficient 1. So a - b and -(b - a), dot(k*F, n) and k*dot(F, n), 2*x + 3*x and 5*x are the same.
 * Scalar factors leave the arguments of linear operations, numbers also those of derivatives. Texts beyond TEXT_MAX stand as their SHA-256, so
 * the work is linear in the DAG, not in the tree. Numbers are kept to 15 digits. Independent of the pool, its ids and the
 * order of construction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"
#include "expr_print.h"
#include "sha256.h"

enum { TEXT_MAX = 1000 };

typedef struct Factor {
  const char *text;
  double power;
  Expr *e;          /* the factor is e/norm; NULL: not at hand as an expression */
  double norm;
  bool tensor;
} Factor;

typedef struct Canon {
  double coef;
  int n;
  Factor *f;
} Canon;

typedef struct Canons {
  Arena *arena;
  Walk walk;
  Canon *of;
} Canons;

static const Canon *canon_of(const Canons *c, Expr *e) { return &c->of[walk_at(&c->walk, e)]; }

/* --- texts --- */

/* To 15 digits, so that the order of operations does not show. */
static void put_number(Buf *out, double value) {
  double scale = isfinite(value) && value != 0 ? pow(10, 14 - floor(log10(fabs(value)))) : 0;
  print_number(out, isfinite(scale) && scale > 0 ? round(value * scale) / scale : value);
}

static void put_factors(Buf *out, const Canon *c, bool lead) {
  for (int i = 0; i < c->n; i++) {
    if (i || lead) buf_putc(out, '*');
    buf_puts(out, c->f[i].text);
    if (c->f[i].power == 1) continue;
    buf_putc(out, '^');
    print_number(out, c->f[i].power);
  }
}

static void put_canon(Buf *out, const Canon *c) {
  if (c->coef == 0 || !c->n) put_number(out, c->coef);
  else if (c->coef == -1) buf_putc(out, '-');
  else if (c->coef != 1) put_number(out, c->coef);
  if (c->coef != 0) put_factors(out, c, c->coef != 1 && c->coef != -1);
}

/* Takes the text out of buf; a long one becomes its digest. */
static const char *keep(Canons *c, Buf *buf) {
  const char *text;
  if (buf->len > TEXT_MAX) {
    char hex[65];
    sha256_hex(buf->text, buf->len, hex);
    text = arena_printf(c->arena, "#%s", hex);
  } else text = arena_text(c->arena, buf_str(buf), buf->len);
  buf_free(buf);
  return text;
}

static const char *text_of(Canons *c, const Canon *canon, bool with_number) {
  Buf buf = {0};
  if (with_number) put_canon(&buf, canon);
  else if (canon->n) put_factors(&buf, canon, false);
  else buf_putc(&buf, '1');
  return keep(c, &buf);
}

static void put_symbol(Buf *out, Expr *e) {
  const Symbol *s = &e->symbol;
  buf_printf(out, "%c%d", "utdpf"[s->kind], s->which);
  if (s->level) buf_printf(out, "-%d", s->level);
  if (s->serial) buf_printf(out, "@%u", s->serial);
  if (s->kind == SYMBOL_FIELD && !isnan(s->time)) {
    buf_puts(out, "=");
    print_number(out, s->time);
  }
  if (e->op == EXPR_TERM) buf_printf(out, ".%d", s->component);
  else for (int i = 0; i < e->shape.rank; i++) buf_printf(out, "%c%d", i ? 'x' : ':', e->shape.extent[i]);
  for (int axis = 0; axis < 3; axis++) if (s->dx[axis]) buf_printf(out, "_%c%d", "xyz"[axis], s->dx[axis]);
  if (s->dt) buf_printf(out, "_t%d", s->dt);
  if (s->side) buf_printf(out, "|%d", s->side);
}

/* --- building --- */

static void times(Canons *c, Canon *into, const Factor *factor, double power) {
  int at = 0, order = 1;
  while (at < into->n && (order = strcmp(into->f[at].text, factor->text)) < 0) at++;
  if (at < into->n && order == 0) {
    if ((into->f[at].power += power) == 0) memmove(into->f + at, into->f + at + 1, (size_t)(--into->n - at) * sizeof *into->f);
    return;
  }
  Factor *f = ARENA_ARRAY(c->arena, Factor, into->n + 1);
  if (at) memcpy(f, into->f, (size_t)at * sizeof *f);
  if (at < into->n) memcpy(f + at + 1, into->f + at, (size_t)(into->n - at) * sizeof *f);
  f[at] = *factor;
  f[at].power = power;
  into->f = f;
  into->n++;
}

static void times_canon(Canons *c, Canon *into, const Canon *by, double power) {
  into->coef *= pow(by->coef, power);
  for (int i = 0; i < by->n; i++) times(c, into, &by->f[i], by->f[i].power * power);
}

static Canon single(Canons *c, const char *text, Expr *e, double norm) {
  Canon canon = {.coef = 1};
  times(c, &canon, &(Factor){.text = text, .e = e, .norm = norm, .tensor = e && e->shape.rank > 0}, 1);
  return canon;
}

/* The scalar factors of arg go to `into`; the text of what remains comes back. */
static const char *pull(Canons *c, Expr *arg, Canon *into) {
  const Canon *canon = canon_of(c, arg);
  Canon rest = {.coef = 1};
  into->coef *= canon->coef;
  for (int i = 0; i < canon->n; i++) times(c, canon->f[i].tensor ? &rest : into, &canon->f[i], canon->f[i].power);
  return text_of(c, &rest, false);
}

static Canon bilinear(Canons *c, Expr *e) {
  Canon canon = {.coef = 1};
  Expr *a = e->arg[0], *b = e->arg[1];
  const char *s = pull(c, a, &canon), *t = pull(c, b, &canon), *swap = s;
  bool along = e->op == EXPR_DOT && a->shape.rank == 1 && b->shape.rank == 2 && expr_is_gradient(b);
  bool symmetric = e->op == EXPR_INNER || (e->op == EXPR_DOT && a->shape.rank == 1 && b->shape.rank == 1);
  if (along || ((symmetric || e->op == EXPR_CROSS) && strcmp(s, t) > 0)) {
    s = t, t = swap;
    if (e->op == EXPR_CROSS) canon.coef = -canon.coef;
  }
  const char *name = symmetric && a->shape.rank == 1 ? "dot" : expr_op_text((ExprOp)e->op);
  const char *text = arena_printf(c->arena, "%s(%s,%s)", name, s, t);
  bool whole = canon.coef == 1 && !canon.n;   /* nothing was pulled out: the node is the factor */
  Factor f = {.text = text, .e = whole ? e : NULL, .norm = 1, .tensor = e->shape.rank > 0};
  times(c, &canon, &f, 1);
  return canon;
}

static Canon linear(Canons *c, Expr *e) {
  Canon canon = {.coef = 1};
  const char *s = pull(c, e->arg[0], &canon);
  bool whole = canon.coef == 1 && !canon.n;
  Buf text = {0};
  buf_printf(&text, "%s", e->op == EXPR_COMPONENT ? "part" : expr_op_text((ExprOp)e->op));
  for (int i = 0; i < 3 && e->op == EXPR_COMPONENT && e->index[i] >= 0; i++) buf_printf(&text, "%d", e->index[i]);
  buf_printf(&text, "(%s)", s);
  Factor f = {.text = keep(c, &text), .e = whole ? e : NULL, .norm = 1, .tensor = e->shape.rank > 0};
  times(c, &canon, &f, 1);
  return canon;
}

static Canon derivative(Canons *c, Expr *e) {
  const Canon *arg = canon_of(c, e->arg[0]);
  if (arg->coef == 0) return (Canon){.coef = 0};
  Buf text = {0};
  if (e->op == EXPR_DX) buf_printf(&text, "d%c(", "xyz"[e->index[0]]);
  else buf_printf(&text, "%s(", e->op == EXPR_INTEGRAL && e->index[0] ? "mean" : expr_op_text((ExprOp)e->op));
  buf_puts(&text, text_of(c, arg, false));
  for (int i = 0; e->op == EXPR_INTEGRAL && i < e->index[1]; i++) buf_printf(&text, "%c%s", i ? '+' : ';', e->names[i]);
  buf_putc(&text, ')');
  Canon canon = single(c, keep(c, &text), e, arg->coef);
  canon.coef = arg->coef;
  return canon;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static Canon general(Canons *c, Expr *e) {
  const char **args = ARENA_ARRAY(c->arena, const char *, e->n);
  for (int i = 0; i < e->n; i++) args[i] = text_of(c, canon_of(c, e->arg[i]), true);
  ExprOp op = (ExprOp)e->op;
  bool sorted = op == EXPR_EQ || op == EXPR_NE || op == EXPR_AND || op == EXPR_OR || op == EXPR_MIN || op == EXPR_MAX || op == EXPR_HYPOT;
  if (op == EXPR_GT || op == EXPR_GE) {   /* a > b is b < a */
    const char *a = args[0];
    args[0] = args[1], args[1] = a;
    op = op == EXPR_GT ? EXPR_LT : EXPR_LE;
  }
  if (sorted) qsort(args, e->n, sizeof *args, by_text);
  Buf text = {0};
  if (op == EXPR_HOSTCALL) buf_printf(&text, "%s!%d", e->name, e->index[0]);
  else if (op == EXPR_TABLE) buf_printf(&text, "table!%s!%d.%d.%d", e->table->id, e->index[0], e->index[1], e->index[2]);
  else if (op == EXPR_VECTOR || op == EXPR_TENSOR || op == EXPR_REGIONS) buf_puts(&text, op == EXPR_VECTOR ? "vector" : op == EXPR_TENSOR ? "tensor" : "regions");
  else buf_puts(&text, expr_op_text(op));
  if (op == EXPR_REGIONS && e->index[0]) buf_printf(&text, "|%d", e->index[0]);
  buf_putc(&text, '(');
  for (int i = 0; i < e->n; i++) {
    if (i) buf_putc(&text, ',');
    if (op == EXPR_REGIONS) buf_printf(&text, "%s:", e->names[i] ? e->names[i] : "");
    buf_puts(&text, args[i]);
  }
  buf_putc(&text, ')');
  return single(c, keep(c, &text), e, 1);
}

static Canon leaf(Canons *c, Expr *e) {
  Buf text = {0};
  switch (e->op) {
    case EXPR_ZERO: return (Canon){.coef = 0};
    case EXPR_CONST:
      if (e->unit.any || unit_is_none(e->unit) || e->value == 0) return (Canon){.coef = e->value};
      buf_putc(&text, '[');
      unit_print_short(&text, e->unit);
      buf_putc(&text, ']');
      break;
    case EXPR_PARAM:
      buf_printf(&text, "$%s%s", e->index[0] ? "$" : "", e->name);
      if (e->index[2]) buf_printf(&text, ".%d", e->index[1]);
      break;
    case EXPR_COORD: buf_putc(&text, "xyz"[e->index[0]]); break;
    case EXPR_NORMAL_COMPONENT: buf_printf(&text, "n.%d", e->index[0]); break;
    case EXPR_SIZE: buf_printf(&text, e->index[0] ? "h|%d" : "h", e->index[0]); break;
    case EXPR_SYMBOL: case EXPR_TERM: put_symbol(&text, e); break;
    default: buf_puts(&text, expr_op_text((ExprOp)e->op));
  }
  Canon canon = single(c, keep(c, &text), e, e->op == EXPR_CONST ? e->value : 1);
  if (e->op == EXPR_CONST) canon.coef = e->value;
  return canon;
}

static Canon power(Canons *c, Expr *e) {
  double exponent;
  const Canon *base = canon_of(c, e->arg[0]);
  if (!expr_is_const(e->arg[1], &exponent) || exponent != floor(exponent) || fabs(exponent) > 64 || base->coef == 0) return general(c, e);
  Canon canon = {.coef = 1};
  times_canon(c, &canon, base, exponent);
  return canon;
}

static Canon product(Canons *c, Expr *e) {
  const Canon *a = canon_of(c, e->arg[0]), *b = canon_of(c, e->arg[1]);
  if (a->coef == 0) return (Canon){.coef = 0};
  if (e->op == EXPR_DIV && b->coef == 0) return general(c, e);
  if (b->coef == 0) return (Canon){.coef = 0};
  Canon canon = {.coef = 1};
  times_canon(c, &canon, a, 1);
  times_canon(c, &canon, b, e->op == EXPR_DIV ? -1 : 1);
  return canon;
}

/* --- sums --- */

typedef struct Term {
  const char *text;
  double coef;
  const Canon *canon;
} Term;

static bool is_sum(Expr *e) { return e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_NEG; }
static bool into_sum(Expr *e, void *user) { (void)user; return is_sum(e); }

static int by_term(const void *a, const void *b) { return strcmp(((const Term *)a)->text, ((const Term *)b)->text); }

/* Terms below the sum with their total weights; equal ones collected, vanished ones left out, sorted. Users come before arguments. */
static Term *terms_of(Canons *c, Expr *e, int *count) {
  Walk walk;
  walk_open(&walk, e, into_sum, NULL);
  double *weight = expr_memory(NULL, (size_t)walk.n * sizeof *weight);
  for (int i = 0; i < walk.n; i++) weight[i] = i == walk.n - 1;
  Term *terms = ARENA_ARRAY(c->arena, Term, walk.n);
  int n = 0;
  for (int i = walk.n - 1; i >= 0; i--) {
    Expr *node = walk.node[i];
    if (is_sum(node)) {
      for (int k = 0; k < node->n; k++) weight[walk_at(&walk, node->arg[k])] += node->op == EXPR_ADD || (node->op == EXPR_SUB && k == 0) ? weight[i] : -weight[i];
      continue;
    }
    const Canon *canon = canon_of(c, node);
    if (canon->coef != 0) terms[n++] = (Term){text_of(c, canon, false), canon->coef * weight[i], canon};
  }
  free(weight);
  walk_close(&walk);
  qsort(terms, (size_t)n, sizeof *terms, by_term);
  int kept = 0;
  for (int i = 0; i < n;) {
    Term t = terms[i];
    double size = fabs(t.coef);
    int j = i + 1;
    for (; j < n && !strcmp(terms[j].text, t.text); j++) {
      t.coef += terms[j].coef;
      size += fabs(terms[j].coef);
    }
    if (fabs(t.coef) > 1e-15 * size) terms[kept++] = t;
    i = j;
  }
  *count = kept;
  return terms;
}

static Canon sum(Canons *c, Expr *e) {
  int n;
  Term *terms = terms_of(c, e, &n);
  if (!n) return (Canon){.coef = 0};
  if (n == 1) {
    Canon canon = *terms[0].canon;
    canon.coef = terms[0].coef;
    return canon;
  }
  double lead = terms[0].coef;
  Buf text = {0};
  buf_putc(&text, '(');
  for (int i = 0; i < n; i++) {
    double ratio = terms[i].coef / lead;
    if (i && ratio > 0) buf_putc(&text, '+');
    if (ratio == -1) buf_putc(&text, '-');
    else if (ratio != 1) {
      put_number(&text, ratio);
      buf_putc(&text, '*');
    }
    buf_puts(&text, terms[i].text);
  }
  buf_putc(&text, ')');
  Canon canon = single(c, keep(c, &text), e, lead);
  canon.coef = lead;
  return canon;
}

/* --- the pass --- */

static Canon canonise(Canons *c, Expr *e) {
  if (!e->n && e->op != EXPR_HOSTCALL) return leaf(c, e);
  switch (e->op) {
    case EXPR_ADD: case EXPR_SUB: case EXPR_NEG: return sum(c, e);
    case EXPR_MUL: case EXPR_DIV: return product(c, e);
    case EXPR_POW: return power(c, e);
    case EXPR_DOT: case EXPR_INNER: case EXPR_OUTER: case EXPR_CROSS: return bilinear(c, e);
    case EXPR_TRACE: case EXPR_TRANSPOSE: case EXPR_SYM: case EXPR_DEV: case EXPR_COMPONENT: return linear(c, e);
    case EXPR_GRAD: case EXPR_DIVERGENCE: case EXPR_CURL: case EXPR_LAP: case EXPR_EPS: case EXPR_DX: case EXPR_DT: case EXPR_DTT: case EXPR_AVG:
    case EXPR_INTEGRAL: return derivative(c, e);
    case EXPR_JUMP: return e->n == 1 ? derivative(c, e) : general(c, e);
    default: return general(c, e);
  }
}

static void canons_open(Canons *c, Expr *root) {
  *c = (Canons){.arena = arena_new()};
  if (!c->arena) memory_out();
  walk_open(&c->walk, root, NULL, NULL);
  int n = c->walk.n;
  c->of = ARENA_ARRAY(c->arena, Canon, n);
  /* a sum inside a sum is part of the outer one: only those that something else uses get a form of their own */
  bool *needed = ARENA_ARRAY(c->arena, bool, n);
  needed[n - 1] = true;
  for (int i = n - 1; i >= 0; i--) {
    Expr *e = c->walk.node[i];
    for (int k = 0; !is_sum(e) && k < e->n; k++) needed[walk_at(&c->walk, e->arg[k])] = true;
  }
  for (int i = 0; i < n; i++) if (needed[i] || !is_sum(c->walk.node[i])) c->of[i] = canonise(c, c->walk.node[i]);
}

static const Canon *canons_root(const Canons *c) { return &c->of[c->walk.n - 1]; }

static void canons_close(Canons *c) {
  walk_close(&c->walk);
  arena_free(c->arena);
}

void expr_canon(Buf *out, Expr *e) {
  Canons c;
  canons_open(&c, e);
  put_canon(out, canons_root(&c));
  canons_close(&c);
}

void expr_id(Expr *e, char hex[65]) {
  Buf text = {0};
  expr_canon(&text, e);
  sha256_hex(buf_str(&text), text.len, hex);
  buf_free(&text);
}

bool expr_same(Expr *a, Expr *b) {
  if (a == b) return true;
  Buf one = {0}, two = {0};
  expr_canon(&one, a);
  expr_canon(&two, b);
  bool same = one.len == two.len && !memcmp(buf_str(&one), buf_str(&two), one.len);
  buf_free(&one);
  buf_free(&two);
  return same;
}

/* --- proportional --- */

enum { FREE = HAS_PARAM | HAS_SINGULAR | HAS_TIME | HAS_LAMBDA };   /* what a constant factor may depend on */

static bool constant(const Factor *f) { return f->e && !f->tensor && !(f->e->flags & ~(uint32_t)FREE) && f->power == floor(f->power); }

static Canon quotient(Canons *c, const Canon *a, const Canon *b) {
  Canon q = {.coef = 1};
  times_canon(c, &q, a, 1);
  times_canon(c, &q, b, -1);
  return q;
}

/* A form of constant factors alone as an expression; NULL: it has others. */
static Expr *as_factor(ExprPool *pool, const Canon *q) {
  double coef = q->coef;
  Expr *above = NULL, *below = NULL;
  for (int i = 0; i < q->n; i++) {
    const Factor *f = &q->f[i];
    if (!constant(f)) return NULL;
    coef /= pow(f->norm, f->power);
    Expr *e = expr_binary(pool, EXPR_POW, f->e, expr_const(pool, fabs(f->power), UNIT_NONE)), **side = f->power > 0 ? &above : &below;
    *side = *side ? expr_binary(pool, EXPR_MUL, *side, e) : e;
  }
  Expr *number = expr_const(pool, coef, UNIT_NONE), *factor = above ? expr_binary(pool, EXPR_MUL, number, above) : number;
  return below ? expr_binary(pool, EXPR_DIV, factor, below) : factor;
}

/* constants * sum: takes it apart; false: it is something else. */
static bool split_sum(Canons *c, const Canon *canon, Canon *constants, Expr **sum) {
  *constants = (Canon){.coef = canon->coef};
  *sum = NULL;
  for (int i = 0; i < canon->n; i++) {
    const Factor *f = &canon->f[i];
    if (constant(f)) times(c, constants, f, f->power);
    else if (*sum || !f->e || !is_sum(f->e) || f->power != 1) return false;
    else {
      *sum = f->e;
      constants->coef /= f->norm;
    }
  }
  return *sum != NULL;
}

/* Is every term of s the multiple q of a term of t? Both have n terms with different texts. */
static bool scaled_terms(Canons *c, const Term *s, const Term *t, int n, const Canon *q) {
  for (int i = 0; i < n; i++) {
    Canon product = *t[i].canon;
    product.coef = t[i].coef;
    times_canon(c, &product, q, 1);
    Term key = {.text = text_of(c, &product, false)};
    const Term *found = bsearch(&key, s, (size_t)n, sizeof *s, by_term);
    if (!found || fabs(found->coef - product.coef) > 1e-13 * fabs(found->coef)) return false;
  }
  return true;
}

static Expr *ratio_of_sums(Canons *ca, Canons *cb, ExprPool *pool) {
  Canon of_a, of_b;
  Expr *a, *b, *factor = NULL;
  if (!split_sum(ca, canons_root(ca), &of_a, &a) || !split_sum(cb, canons_root(cb), &of_b, &b)) return NULL;
  int n, m;
  Term *s = terms_of(ca, a, &n), *t = terms_of(cb, b, &m);
  Canon outside = quotient(ca, &of_a, &of_b);
  for (int j = 0; n == m && j < m && !factor; j++) {   /* which term of b belongs to the first of a? */
    Canon first = *s[0].canon, other = *t[j].canon;
    first.coef = s[0].coef;
    other.coef = t[j].coef;
    Canon q = quotient(ca, &first, &other);
    if (!as_factor(pool, &q) || !scaled_terms(ca, s, t, n, &q)) continue;
    times_canon(ca, &q, &outside, 1);
    factor = as_factor(pool, &q);
  }
  return factor;
}

bool expr_proportional(ExprPool *pool, Expr *a, Expr *b, Expr **factor) {
  Canons ca, cb;
  canons_open(&ca, a);
  canons_open(&cb, b);
  bool lenient = pool->lenient;
  pool->lenient = true;
  Expr *found = NULL;
  if (canons_root(&ca)->coef != 0 && canons_root(&cb)->coef != 0) {
    Canon q = quotient(&ca, canons_root(&ca), canons_root(&cb));
    found = as_factor(pool, &q);
    if (!found) found = ratio_of_sums(&ca, &cb, pool);
  }
  pool->lenient = lenient;
  canons_close(&ca);
  canons_close(&cb);
  if (found && factor) *factor = found;
  return found != NULL;
}
