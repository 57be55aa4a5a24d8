/* A canonical law as an expression: for people, in every style of expr_print, and as a right side that reads back as the same law. Divergences are put
 * together again: C*lap(u) + dx(C)*dx(u) + dy(C)*dy(u) is written div(C*grad(u)). */
#include <string.h>

#include "law_gauge.h"

typedef struct Writing { LawAlgebra *s; ExprPool *pool; Expr *u; } Writing;

static Expr *number(Writing *w, double value) { return expr_const(w->pool, value, UNIT_NONE); }
static Expr *dx(Writing *w, Expr *e, int axis) { return expr_dx(w->pool, e, axis, UNIT_ANY); }
static Expr *times(Writing *w, Expr *a, Expr *b) { return a && b ? expr_binary(w->pool, EXPR_MUL, a, b) : a ? a : b; }

static Expr *derivative(Writing *w, Expr *e, int nx, int ny) {
  for (int k = 0; k < nx; k++) e = dx(w, e, 0);
  for (int k = 0; k < ny; k++) e = dx(w, e, 1);
  return e;
}

static Expr *sum_of(Writing *w, LawSum sum);

static Expr *power_of(Writing *w, LawPower p) {
  Expr *e = p.atom->op == EXPR_TERM ? derivative(w, w->u, p.atom->dx, p.atom->dy) : NULL;
  if (p.atom->op == EXPR_EXP && p.exponent < 0) return expr_unary(w->pool, EXPR_EXP, expr_binary(w->pool, EXPR_MUL, number(w, p.exponent), sum_of(w, p.atom->argument)));
  if (!e) e = expr_unary(w->pool, p.atom->op, sum_of(w, p.atom->argument));
  return p.exponent == 1 ? e : expr_binary(w->pool, EXPR_POW, e, number(w, p.exponent));
}

/* sum + or - |factor| * part; NULL: nothing before, or the constant 1. */
static Expr *append(Writing *w, Expr *sum, LawNumber factor, Expr *part) {
  LawNumber size = {factor.num < 0 ? -factor.num : factor.num, factor.den};
  Expr *e = part;
  if (size.num != 1 || !part) e = times(w, number(w, (double)size.num), part);
  if (size.den != 1) e = expr_binary(w->pool, EXPR_DIV, e, number(w, (double)size.den));
  if (!sum) return factor.num < 0 ? expr_unary(w->pool, EXPR_NEG, e) : e;
  return expr_binary(w->pool, factor.num < 0 ? EXPR_SUB : EXPR_ADD, sum, e);
}

static bool is_jet(LawTerm t, int nx, int ny) {
  return t.of.n == 1 && t.of.power[0].exponent == 1 && t.of.power[0].atom->op == EXPR_TERM && t.of.power[0].atom->dx == nx && t.of.power[0].atom->dy == ny;
}

static Expr *sum_of(Writing *w, LawSum sum) {
  Expr *e = NULL;
  int xx = -1, yy = -1;
  for (int i = 0; i < sum.n; i++) {
    if (is_jet(sum.term[i], 2, 0)) xx = i;
    if (is_jet(sum.term[i], 0, 2)) yy = i;
  }
  bool laplacian = xx >= 0 && yy >= 0 && law_number_order(sum.term[xx].factor, sum.term[yy].factor) == 0;
  for (int i = 0; i < sum.n; i++) {
    LawTerm t = sum.term[i];
    Expr *part = NULL;
    if (laplacian && i == (xx > yy ? xx : yy)) continue;
    if (laplacian && (i == xx || i == yy)) part = expr_unary(w->pool, EXPR_LAP, w->u);
    for (int k = 0; k < t.of.n && !part; k += t.of.n)
      for (int m = 0; m < t.of.n; m++) part = times(w, part, power_of(w, t.of.power[m]));
    e = append(w, e, t.factor, part);
  }
  return e ? e : expr_zero(w->pool, SHAPE_SCALAR);
}

static LawSum part_sum(const LawField *f, int nx, int ny) {
  for (int i = 0; i < f->nparts; i++)
    if (f->part[i].dx == nx && f->part[i].dy == ny) return f->part[i].g;
  return (LawSum){0};
}

/* Sums of a law are in the order of pivots; the algebra wants its own. */
static LawSum ordered(Writing *w, LawSum a) {
  LawTerm *term = ARENA_ARRAY(w->s->arena, LawTerm, a.n);
  if (a.n) memcpy(term, a.term, sizeof *term * (size_t)a.n);
  return law_sorted(w->s, term, a.n);
}

static LawSum minus(Writing *w, LawSum a, LawSum b) { return law_sum(w->s, a, law_scaled(w->s, b, (LawNumber){-1, 1})); }

static bool is_multiple_of_slope(LawSum g, int nx, int ny, LawNumber *factor) {
  if (g.n != 1 || !is_jet(g.term[0], nx, ny)) return false;
  *factor = g.term[0].factor;
  return true;
}

static Expr *times_sum(Writing *w, Expr *c, LawSum g) {
  Expr *e = sum_of(w, g);
  double one;
  return expr_is_const(e, &one) && one == 1 ? c : expr_binary(w->pool, EXPR_MUL, c, e);
}

static Expr *plus(Writing *w, Expr *a, Expr *b) {
  if (!a || !b) return a ? a : b;
  return b->op == EXPR_NEG ? expr_binary(w->pool, EXPR_SUB, a, b->arg[0]) : expr_binary(w->pool, EXPR_ADD, a, b);
}

/* dx(C*a) + dy(C*b) + C*rest, where that is shorter. */
static Expr *divergence(Writing *w, const LawField *f, Expr *c) {
  LawSum a = ordered(w, part_sum(f, 1, 0)), b = ordered(w, part_sum(f, 0, 1)), g = ordered(w, part_sum(f, 0, 0));
  LawSum rest = minus(w, minus(w, g, law_derivative(w->s, a, 0)), law_derivative(w->s, b, 1));
  LawNumber x, y;
  if (w->s->exhausted || rest.n >= g.n) return NULL;
  Expr *e = NULL;
  if (is_multiple_of_slope(a, 1, 0, &x) && is_multiple_of_slope(b, 0, 1, &y) && law_number_order(x, y) == 0)
    e = append(w, NULL, x, expr_unary(w->pool, EXPR_DIVERGENCE, expr_binary(w->pool, EXPR_MUL, c, expr_unary(w->pool, EXPR_GRAD, w->u))));
  else {
    if (a.n) e = dx(w, times_sum(w, c, a), 0);
    if (b.n) e = plus(w, e, dx(w, times_sum(w, c, b), 1));
  }
  return rest.n ? plus(w, e, times_sum(w, c, rest)) : e;
}

/* lap(C*g) */
static Expr *laplacian_of_product(Writing *w, const LawField *f, Expr *c) {
  LawSum g = ordered(w, part_sum(f, 2, 0)), gx = law_derivative(w->s, g, 0), gy = law_derivative(w->s, g, 1);
  LawSum lap = law_sum(w->s, law_derivative(w->s, gx, 0), law_derivative(w->s, gy, 1));
  bool fits = !minus(w, ordered(w, part_sum(f, 0, 2)), g).n && !part_sum(f, 1, 1).n && !minus(w, ordered(w, part_sum(f, 1, 0)), law_scaled(w->s, gx, (LawNumber){2, 1})).n &&
              !minus(w, ordered(w, part_sum(f, 0, 1)), law_scaled(w->s, gy, (LawNumber){2, 1})).n && !minus(w, ordered(w, part_sum(f, 0, 0)), lap).n;
  return fits && !w->s->exhausted ? expr_unary(w->pool, EXPR_LAP, times_sum(w, c, g)) : NULL;
}

static Expr *field_terms(Writing *w, const LawField *f, Expr *c) {
  bool second = false, first = false;
  for (int i = 0; i < f->nparts; i++) second |= f->part[i].dx + f->part[i].dy == 2, first |= f->part[i].dx + f->part[i].dy == 1;
  Expr *e = second ? laplacian_of_product(w, f, c) : first ? divergence(w, f, c) : NULL;
  for (int i = 0; i < f->nparts && !e; i += f->nparts)
    for (int k = 0; k < f->nparts; k++) e = plus(w, e, times_sum(w, derivative(w, c, f->part[k].dx, f->part[k].dy), f->part[k].g));
  return e;
}

/* The field scaled so that its factors are whole numbers. */
static LawField whole_factors(Writing *w, const LawField *f) {
  LawNumber scale = {1, 1};
  LawField out = *f;
  LawPart *part = ARENA_ARRAY(w->s->arena, LawPart, f->nparts);
  for (int i = 0; i < f->nparts; i++)
    for (int k = 0; k < f->part[i].g.n; k++) scale = law_times(w->s, scale, (LawNumber){law_times(w->s, scale, f->part[i].g.term[k].factor).den, 1});
  for (int i = 0; i < f->nparts; i++) part[i] = (LawPart){f->part[i].dx, f->part[i].dy, law_scaled(w->s, f->part[i].g, scale)};
  out.part = part;
  return out;
}

/* Names are made in one order, so that a form reads alike whatever the pool made before: fields, then the state. */
static Expr *form_in(LawAlgebra *s, const Law *law, const LawSpace *space, bool whole) {
  Expr *field[LAW_FIELDS], *e = NULL;
  for (int i = 0; i < law->nfields; i++) field[i] = law_field(space, i, law->field[i].name);
  Writing w = {s, space->pool, law_state(space)};
  for (int i = 0; i < law->nfields; i++) {
    LawField f = whole ? whole_factors(&w, &law->field[i]) : law->field[i];
    e = plus(&w, e, field_terms(&w, &f, field[i]));
  }
  if (law->known.n || !e) e = plus(&w, e, sum_of(&w, law->known));
  return e;
}

Expr *law_form(LawAlgebra *s, const Law *law) { return form_in(s, law, law->space, false); }

/* ---- texts ------------------------------------------------------------------------------------------------------------------------------------------------------------ */

static void print_equation(Buf *out, const LawSpace *space, Expr *right, ExprStyle style) {
  Expr *rate = expr_unary(space->pool, EXPR_DT, law_state(space));
  expr_print(out, rate, style);
  buf_puts(out, style == EXPR_TEXT ? " == " : " = ");
  expr_print(out, right, style);
}

/* In a pool of its own, whose printer orders factors by age. */
static void print_form(Buf *out, const Law *law, ExprStyle style, bool whole) {
  Interner *names = interner_new();
  Arena *arena = arena_new();
  if (!names || !arena) memory_out();
  LawAlgebra *s = ARENA_NEW(arena, LawAlgebra);
  LawSpace space = *law->space;
  space.pool = expr_pool_new(names);
  if (!space.pool) memory_out();
  s->arena = arena, s->work = LAW_WORK;
  law_algebra_know(s, law);
  print_equation(out, &space, form_in(s, law, &space, whole), style);
  expr_pool_free(space.pool);
  arena_free(arena);
  interner_free(names);
}

void law_print(Buf *out, const Law *law, ExprStyle style) { print_form(out, law, style, false); }
void law_print_author(Buf *out, const Law *law, ExprStyle style) { print_equation(out, law->space, law->right, style); }

static void print_declared(Buf *out, Name name, unsigned domain) {
  buf_printf(out, "%s(%s)", name, domain == (LAW_X | LAW_Y) ? "x, y" : domain == LAW_X ? "x" : domain == LAW_Y ? "y" : "");
}

void law_declare(Buf *out, const Law *law) {
  for (int i = 0; i < law->nfields; i++) {
    buf_puts(out, i ? ", " : "unknown field ");
    print_declared(out, law->field[i].name, law->field[i].domain);
  }
  if (law->nfields) buf_putc(out, '\n');
  print_form(out, law, EXPR_TEXT, true);
  buf_putc(out, '\n');
}

void law_tell(Buf *out, const Law *law, const LawAuthor *author) {
  bool any = false;
  if (author->fate != LAW_TOLD) {
    buf_puts(out, author->fate == LAW_DROPPED ? "not part of the law" : "not separately identifiable");
    return;
  }
  for (int i = 0; i < author->npulls; i++) {
    const LawPull *p = &author->pull[i];
    LawNumber f = p->factor;
    buf_puts(out, f.num < 0 ? (any ? " - " : "-") : any ? " + " : "");
    if (f.num < 0) f.num = -f.num;
    if (f.num != 1) buf_printf(out, "%lld*", (long long)f.num);
    for (int k = 0; k < p->dx; k++) buf_puts(out, "dx(");
    for (int k = 0; k < p->dy; k++) buf_puts(out, "dy(");
    buf_puts(out, law->field[p->field].name);
    for (int k = 0; k < p->dx + p->dy; k++) buf_putc(out, ')');
    if (f.den != 1) buf_printf(out, "/%lld", (long long)f.den);
    any = true;
  }
  LawNumber f = author->offset;
  if (!f.num && any) return;
  buf_puts(out, f.num < 0 ? (any ? " - " : "-") : any ? " + " : "");
  buf_printf(out, "%lld", (long long)(f.num < 0 ? -f.num : f.num));
  if (f.den != 1) buf_printf(out, "/%lld", (long long)f.den);
}
