/* Strong or weak pde -> integrals: the order of the work. */
#include "form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "form_internal.h"

/* --- expressions that may refuse --- */

/* A derivative that is made outside of expr_specialise has the extent `d`. */
static Expr *kept(Build *b, Expr *made) {
  if (made && made->flags & HAS_DIM) made = expr_specialise(b->pool, made, b->dim);
  if (!made && !b->failed) b->failed = true, b->why = expr_error(b->pool);
  return made;
}

Expr *build_unary(Build *b, ExprOp op, Expr *a) { return a ? kept(b, expr_unary(b->pool, op, a)) : NULL; }
Expr *build_binary(Build *b, ExprOp op, Expr *x, Expr *y) { return x && y ? kept(b, expr_binary(b->pool, op, x, y)) : NULL; }
Expr *number_of(Build *b, double value) { return expr_const(b->pool, value, UNIT_NONE); }

Expr *build_product(Build *b, Expr *x, Expr *y) {
  if (!x || !y) return NULL;
  if (!x->shape.rank && !y->shape.rank) return build_binary(b, EXPR_MUL, x, y);
  return build_binary(b, x->shape.rank == 1 && y->shape.rank == 1 ? EXPR_DOT : EXPR_INNER, x, y);
}

Expr *build_component(Build *b, Expr *a, int component) {
  int index[RANK_MAX] = {0};
  if (!a) return NULL;
  for (int k = a->shape.rank - 1; k >= 0; k--) {
    index[k] = component % a->shape.extent[k];
    component /= a->shape.extent[k];
  }
  if (!a->shape.rank || expr_is_zero(a)) return a->shape.rank ? expr_zero(b->pool, SHAPE_SCALAR) : a;
  return kept(b, expr_component(b->pool, a, index, a->shape.rank));
}

/* -3*v is 3*v and a sign: e without the sign of its factors, which *sign takes. */
static Expr *without_sign(Build *b, Expr *e, double *sign) {
  switch (e->op) {
    case EXPR_NEG:
      *sign = -*sign;
      return without_sign(b, e->arg[0], sign);
    case EXPR_CONST:
      if (e->value >= 0) return e;
      *sign = -*sign;
      return kept(b, expr_const(b->pool, -e->value, e->unit));
    case EXPR_MUL:
    case EXPR_DIV: {
      Expr *left = without_sign(b, e->arg[0], sign), *right = e->op == EXPR_MUL ? without_sign(b, e->arg[1], sign) : e->arg[1];
      return !left || !right ? NULL : left == e->arg[0] && right == e->arg[1] ? e : build_binary(b, e->op, left, right);
    }
    default: return e;
  }
}

FormTerm *build_term(Build *b, int unknown, IntegralKind kind, double sign, Expr *integrand, Span span) {
  Form *form = b->form;
  Expr *plain = without_sign(b, integrand, &sign);
  if (form->nterms == b->termcap) {
    FormTerm *old = form->terms;
    b->termcap = b->termcap ? 2*b->termcap : 16;
    form->terms = ARENA_ARRAY(form->arena, FormTerm, b->termcap);
    if (form->nterms) memcpy(form->terms, old, (size_t)form->nterms*sizeof *old);
  }
  FormTerm *t = &form->terms[form->nterms++];
  *t = (FormTerm){.unknown = unknown, .kind = kind, .where = {.all = true}, .sign = sign, .integrand = plain, .degree = -1, .source = -1, .span = span};
  return t;
}

/* --- who is tested with what --- */

static Expr *note_unknown(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  if (leaf->op == EXPR_SYMBOL && leaf->symbol.kind == SYMBOL_UNKNOWN) ((bool *)user)[leaf->symbol.which] = true;
  return leaf;
}

static Status check_rows(Build *b) {
  Pde *pde = b->pde;
  Status status = 0;
  int *row = ARENA_ARRAY(b->form->arena, int, pde->nunknowns + 1);
  bool *used = ARENA_ARRAY(b->form->arena, bool, pde->nunknowns + 1);
  for (int i = 0; i < pde->nequations; i++) {
    const Equation *eq = &pde->equations[i];
    Expr *sides[2] = {eq->left, eq->right};
    bool any = false;
    for (int k = 0; k < 2; k++) {
      any |= sides[k]->flags & HAS_UNKNOWN || pde_has_globals(pde, sides[k]);
      expr_substitute(b->pool, sides[k], note_unknown, used);
    }
    const char *name = pde->unknowns[eq->unknown].name;
    if (!any) {
      Diag *d = diag_report(b->diags, E0404, eq->span, "no unknown of `%s` occurs in this equation", pde->name);
      diag_suggest(d, "an equation between known quantities is a check: `assert norm(a - b) < tol`");
      status = 1;
    }
    if (row[eq->unknown]) {
      Diag *d = diag_report(b->diags, E0402, eq->span, "`%s` has two equations", name);
      diag_note(d, pde->equations[row[eq->unknown] - 1].span, "the first is here");
      if (pde->nunknowns > 1) diag_suggest(d, "label each with the unknown whose test function multiplies it: `equation %s: ...`", name);
      status = 1;
    }
    row[eq->unknown] = i + 1;
  }
  for (int u = 0; u < pde->nunknowns && pde->nequations; u++) {
    const Unknown *unknown = &pde->unknowns[u];
    if (!row[u]) {
      Diag *d = diag_report(b->diags, E0401, unknown->span, "`%s` has no equation: %d unknowns, %d equations", unknown->name, pde->nunknowns, pde->nequations);
      diag_suggest(d, "add `equation %s: ... == ...`", unknown->name);
      status = 1;
    } else if (!used[u]) {
      diag_report(b->diags, E0403, unknown->span, "the unknown `%s` occurs in no equation", unknown->name);
      status = 1;
    }
  }
  if (!pde->nequations && !pde->nweak) {
    diag_report(b->diags, E0401, pde->span, "`%s` has no equation", pde->name);
    status = 1;
  }
  return status;
}

/* --- weak forms --- */

typedef struct Retest { Build *b; } Retest;

static Expr *retest(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  Build *b = ((Retest *)user)->b;
  return leaf->op == EXPR_SYMBOL && leaf->symbol.kind == SYMBOL_TEST ? b->test[leaf->symbol.which] : leaf;
}

/* A summand of an integrand without a test function, or NULL. */
static Expr *untested(Expr *e) {
  if (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_NEG) return e->flags & HAS_TEST ? NULL : e;
  for (int i = 0; i < e->n; i++) {
    Expr *found = untested(e->arg[i]);
    if (found) return found;
  }
  return NULL;
}

static Status weak_terms(Build *b) {
  Pde *pde = b->pde;
  unsigned tested = 0;
  for (int i = 0; i < pde->nweak; i++) {
    const WeakTerm *w = &pde->weak[i];
    Expr *e = w->integrand, *leaves[FORM_TERMS_MAX];
    if (w->where.interface[0]) {
      diag_report(b->diags, E0900, w->span, "integrals over an interface in a weak form are not in this build");
      return 1;
    }
    if (e->shape.rank) {
      Buf shape = {0};
      shape_print(&shape, e->shape);
      diag_suggest(diag_report(b->diags, E0440, w->span, "the integrand of a weak form is a scalar; this one is a %s", buf_str(&shape)),
                   "contract it with the test function: dot(F, v), inner(S, grad(v))");
      buf_free(&shape);
      return 1;
    }
    if (expr_is_zero(e)) continue;
    Retest r = {b};
    e = expr_substitute(b->pool, e, retest, &r);
    Expr *s = e ? expr_scalar(b->pool, e, 0, b->dim) : NULL, *rest = NULL;
    int n = form_leaves(b->pool, s, 1u << SYMBOL_TEST, leaves);
    bool linear = n > 0;
    for (int k = 0; k < n; k++) {       /* linear and homogeneous: s == sum of d s/d v * v, each factor free of v */
      Expr *g = expr_diff(b->pool, s, leaves[k]);
      if (!g || g->flags & HAS_TEST) {
        linear = false;
        break;
      }
      Expr *part = build_binary(b, EXPR_MUL, g, leaves[k]);
      rest = rest ? build_binary(b, EXPR_ADD, rest, part) : part;
      tested |= 1u << leaves[k]->symbol.which;
    }
    if (!linear || !rest || !form_identical(s, rest)) {
      Expr *lost = untested(e);
      Buf term = {0};
      if (lost) expr_print(&term, lost, EXPR_TEXT);
      Diag *d = lost ? diag_report(b->diags, E0440, w->span, "the term `%.200s` has no test function in it", buf_str(&term))
                     : diag_report(b->diags, E0440, w->span, n ? "the integrand is not linear in the test functions" : "the integrand has no test function in it");
      buf_free(&term);
      diag_suggest(d, "each term of a weak form is linear in the test functions named after `weak`");
      return 1;
    }
    FormTerm *t = build_term(b, -1, w->on_cells ? INTEGRAL_CELL : w->where.interior ? INTEGRAL_INTERIOR : INTEGRAL_FACET, w->sign, e, w->span);
    t->where = w->where;
    t->degree = w->degree;
  }
  for (int u = 0; u < pde->nunknowns && pde->nweak; u++)
    if (!(tested >> u & 1)) {
      diag_report(b->diags, E0401, pde->unknowns[u].span, "no term of the weak form has the test function of `%s` in it", pde->unknowns[u].name);
      return 1;
    }
  return 0;
}

/* --- signs --- */

/* Coefficients of the cell terms of every row, before the signs are chosen. */
static CoefTable *row_tables(Build *b) {
  int n = b->pde->nunknowns;
  CoefTable *rows = ARENA_ARRAY(b->form->arena, CoefTable, n);
  for (int i = 0; i < b->form->nterms; i++) {
    const FormTerm *t = &b->form->terms[i];
    Expr *s = expr_scalar(b->pool, t->integrand, 0, b->dim);
    if (!s || t->unknown < 0) continue;
    if (t->sign < 0) s = expr_unary(b->pool, EXPR_NEG, s);
    coefs_of(b->pde, s, SYMBOL_UNKNOWN, INTEGRAL_CELL, 0, &rows[t->unknown]);
  }
  return rows;
}

/* +1 or -1 of the sum over diagonal coefficients whose test has `order` derivatives (dt counts aside), 0 where there is none. */
static double diagonal_sign(const Pde *pde, const CoefTable *t, int u, int order) {
  double sum = 0;
  for (int i = 0; i < t->n; i++) {
    const Coef *c = &t->items[i];
    if (c->trial.which != u || !symbol_leads(c->test, c->trial) || symbol_order(c->test) != order) continue;
    double value = form_sample(pde, c->value, 1);
    if (isfinite(value)) sum += value;
  }
  return (sum > 0) - (sum < 0);
}

/* Votes of the other rows for the sign that makes the system symmetric. */
static int symmetry_vote(const CoefTable *rows, const double *sign, int n, int u) {
  int votes = 0;
  for (int i = 0; i < rows[u].n; i++) {
    const Coef *c = &rows[u].items[i];
    int j = c->trial.which;
    if (j == u || j >= n) continue;
    for (int k = 0; k < rows[j].n; k++) {
      const Coef *m = &rows[j].items[k];
      if (!symbol_leads(m->trial, c->test) || !symbol_leads(m->test, c->trial) || m->trial.dt != c->trial.dt) continue;
      double x = form_sample(NULL, c->value, 3), y = sign[j]*form_sample(NULL, m->value, 3);
      if (fabs(x - y) <= 1e-9*fabs(x)) votes++;
      else if (fabs(x + y) <= 1e-9*fabs(x)) votes--;
    }
  }
  return votes;
}

/* Every row times +1 or -1: principal parts positive; a row without its own unknown as symmetry asks. */
static void choose_signs(Build *b) {
  Form *form = b->form;
  int n = b->pde->nunknowns;
  double *sign = ARENA_ARRAY(form->arena, double, n);
  CoefTable *rows = row_tables(b);
  for (int u = 0; u < n; u++) {
    sign[u] = diagonal_sign(b->pde, &rows[u], u, 1);
    if (sign[u] == 0) sign[u] = diagonal_sign(b->pde, &rows[u], u, 0);
  }
  for (int u = 0; u < n; u++) {
    if (sign[u] != 0) continue;
    int votes = symmetry_vote(rows, sign, n, u);
    sign[u] = votes < 0 ? -1 : 1;
    for (int i = 0; votes == 0 && i < form->nfluxes; i++)
      if (form->fluxes[i].unknown == u) {
        double factor = form_sample(b->pde, form->fluxes[i].factor, 1);
        sign[u] = factor > 0 ? -1 : 1;
        break;
      }
  }
  for (int i = 0; i < form->nterms; i++)
    if (form->terms[i].unknown >= 0) form->terms[i].sign *= sign[form->terms[i].unknown];
  for (int i = 0; i < form->nfluxes; i++) {
    Flux *f = &form->fluxes[i];
    if (sign[f->unknown] < 0) f->factor = build_unary(b, EXPR_NEG, f->factor);
  }
  for (int u = 0; u < n; u++) coefs_free(&rows[u]);
}

/* The sum of the fluxes of an equation that has several, with the factor of the first, as one more flux. */
static void add_totals(Build *b) {
  Form *form = b->form;
  int n = form->nfluxes;
  for (int u = 0; u < b->pde->nunknowns; u++) {
    Expr *sum = NULL, *first = NULL;
    int count = 0;
    const Flux *lead = NULL;
    for (int i = 0; i < n; i++) {
      const Flux *f = &form->fluxes[i];
      if (f->unknown != u) continue;
      if (f->component >= 0 || f->test != b->test[u]) { count = 0; break; }
      if (!first) first = f->factor, lead = f;
      Expr *ratio = build_binary(b, EXPR_DIV, f->factor, first);
      double value;
      Expr *part = ratio && expr_is_const(ratio, &value) && value == 1 ? f->flux : build_binary(b, EXPR_MUL, ratio, f->flux);
      sum = sum ? build_binary(b, EXPR_ADD, sum, part) : part;
      count++;
    }
    if (count < 2 || !sum) { b->failed = false; continue; }
    Flux total = {.unknown = u, .component = -1, .flux = sum, .written = sum, .op = EXPR_ADD, .factor = first, .test = b->test[u], .span = lead->span};
    Flux *all = ARENA_ARRAY(form->arena, Flux, form->nfluxes + 1);
    memcpy(all, form->fluxes, (size_t)form->nfluxes*sizeof *all);
    all[form->nfluxes++] = total;
    form->fluxes = all;
  }
}

/* --- terms -> integrals --- */

static bool where_equal(const Where *a, const Where *b) {
  if (a->all != b->all || a->others != b->others || a->interior != b->interior || a->is_point != b->is_point || a->n != b->n) return false;
  if (a->interface[0] != b->interface[0] || a->interface[1] != b->interface[1]) return false;
  for (int i = 0; i < a->n; i++) {
    bool found = false;
    for (int j = 0; j < b->n; j++) found |= a->names[i] == b->names[j];
    if (!found) return false;
  }
  return true;
}

int form_leaves(ExprPool *pool, Expr *e, unsigned kinds, Expr *out[FORM_TERMS_MAX]) {
  int n = e ? expr_terms(pool, e, kinds, out, FORM_TERMS_MAX) : 0;
  return n < FORM_TERMS_MAX ? n : FORM_TERMS_MAX;
}

Expr *form_by_tests(ExprPool *pool, Expr *e) {
  Expr *tests[FORM_TERMS_MAX], *sum = NULL;
  int n = form_leaves(pool, e, 1u << SYMBOL_TEST, tests);
  for (int i = 0; i < n; i++) {
    Expr *factor = expr_diff(pool, e, tests[i]);
    if (!factor || expr_is_zero(factor)) continue;
    Expr *part = expr_binary(pool, EXPR_MUL, factor, tests[i]);
    sum = sum ? expr_binary(pool, EXPR_ADD, sum, part) : part;
  }
  return sum ? sum : expr_zero(pool, SHAPE_SCALAR);
}

static Status collect_integrals(Build *b) {
  Form *form = b->form;
  Expr **sums = ARENA_ARRAY(form->arena, Expr *, form->nterms + 1);
  form->residual = ARENA_ARRAY(form->arena, Integral, form->nterms + 1);
  for (int i = 0; i < form->nterms; i++) {
    const FormTerm *t = &form->terms[i];
    b->failed = false;
    Expr *s = kept(b, expr_scalar(b->pool, t->integrand, 0, b->dim));
    if (s && t->sign < 0) s = build_unary(b, EXPR_NEG, s);
    if (s && expr_is_zero(s)) continue;
    int k = 0;
    while (k < form->nresidual && !(form->residual[k].kind == t->kind && form->residual[k].degree == t->degree && where_equal(&form->residual[k].where, &t->where)))
      k++;
    if (k == form->nresidual) {
      form->residual[form->nresidual++] = (Integral){.kind = t->kind, .where = t->where, .degree = t->degree, .source = t->source, .span = t->span};
    } else {
      if (form->residual[k].source != t->source) form->residual[k].source = -1;
      form->residual[k].span = span_join(form->residual[k].span, t->span);
    }
    if (s) sums[k] = sums[k] ? build_binary(b, EXPR_ADD, sums[k], s) : s;
    if (b->failed || !s) {
      diag_report(b->diags, E0405, t->span, "this term has no scalar form: %s", b->why.text);
      return 1;
    }
  }
  for (int k = 0; k < form->nresidual; k++) {
    if (expr_terms(b->pool, sums[k], 1u << SYMBOL_TEST | 1u << SYMBOL_UNKNOWN, NULL, 0) > FORM_TERMS_MAX) {
      diag_report(b->diags, E0900, form->residual[k].span, "an integral with more than %d values and derivatives of unknowns is not in this build", FORM_TERMS_MAX);
      return 1;
    }
    form->residual[k].integrand = form_by_tests(b->pool, sums[k]);
  }
  return 0;
}

/* Newton needs the derivative of every coefficient; functions of the host have none. */
static Status check_derivatives(Build *b) {
  for (int i = 0; i < b->form->nresidual; i++) {
    const Integral *r = &b->form->residual[i];
    Expr *leaves[FORM_TERMS_MAX];
    int n = form_leaves(b->pool, r->integrand, 1u << SYMBOL_UNKNOWN, leaves);
    for (int k = 0; k < n; k++) {
      if (expr_diff(b->pool, r->integrand, leaves[k])) continue;
      Diag *d = diag_report(b->diags, E0408, r->span, "the derivative by `%s` is not known: %s", b->pde->unknowns[leaves[k]->symbol.which].name, expr_error(b->pool).text);
      diag_suggest(d, "a function of an unknown is written as an expression; functions of the host and tables take coordinates, t and known fields");
      return 1;
    }
  }
  return 0;
}

int form_linearise(const Pde *pde, Arena *arena, const Integral *residual, int n, Integral *out) {
  ExprPool *pool = pde->pool;
  (void)arena;
  int count = 0;
  for (int k = 0; k < n; k++) {
    CoefTable t = {0};
    Expr *sum = NULL;
    coefs_of(pde, residual[k].integrand, SYMBOL_UNKNOWN, residual[k].kind, k, &t);
    for (int i = 0; i < t.n; i++) {
      const Coef *c = &t.items[i];
      Expr *du = expr_term(pool, c->trial, c->trial_name, UNIT_ANY);
      Expr *part = expr_binary(pool, EXPR_MUL, expr_binary(pool, EXPR_MUL, c->value, c->test_leaf), du);
      sum = sum ? expr_binary(pool, EXPR_ADD, sum, part) : part;
    }
    coefs_free(&t);
    if (!sum) continue;
    out[count] = residual[k];
    out[count++].integrand = sum;
  }
  return count;
}

/* --- all of it --- */

static Status derive(Build *b) {
  Pde *pde = b->pde;
  Form *form = b->form;
  for (int u = 0; u < pde->nunknowns; u++) {
    const Unknown *unknown = &pde->unknowns[u];
    b->test[u] = expr_symbol(b->pool, (Symbol){.kind = SYMBOL_TEST, .which = (uint16_t)u}, unknown->test->name, unknown->shape, UNIT_ANY);
  }
  TRY(globals_resolve(b));
  TRY(facets_places(b));
  TRY(check_rows(b));
  Status status = 0;
  for (int i = 0; i < pde->nequations; i++) status |= parts_equation(b, i);
  if (status) return status;
  choose_signs(b);
  add_totals(b);
  TRY(supg_terms(b));
  TRY(weak_terms(b));
  TRY(conditions_resolve(b));
  TRY(globals_held(b));
  TRY(collect_integrals(b));
  TRY(facets_check(b));
  TRY(check_derivatives(b));
  form->jacobian = ARENA_ARRAY(form->arena, Integral, form->nresidual + 1);
  form->njacobian = form_linearise(pde, form->arena, form->residual, form->nresidual, form->jacobian);
  findings_fill(form);
  return 0;
}

Status form_weak(Pde *pde, Diags *diags, Form **out) {
  Arena *arena = arena_new();
  *out = NULL;
  if (!arena) {
    diag_report(diags, E0001, pde->span, "memory is out");
    return 1;
  }
  Form *form = ARENA_NEW(arena, Form);
  Build b = {.pde = pde, .pool = pde->pool, .diags = diags, .form = form, .dim = pde->dim};
  form->arena = arena;
  form->pde = pde;
  form->findings_of = ARENA_ARRAY(arena, unsigned, pde->nunknowns + 1);
  form->free_constants = ARENA_ARRAY(arena, unsigned, pde->nunknowns + 1);
  if (pde->nunknowns > (int)(sizeof b.test/sizeof *b.test)) {
    diag_report(diags, E0900, pde->span, "%d unknowns in one pde are more than this build takes (64)", pde->nunknowns);
    arena_free(arena);
    return 1;
  }
  if (derive(&b)) {
    arena_free(arena);
    return 1;
  }
  *out = form;
  return 0;
}

void form_free(Form *form) {
  if (form) arena_free(form->arena);
}
