/* Unknown numbers: integrals inside field equations, nonlocal terms, each of which becomes a parameter of the form and a number with the equation
 * `number == integral`; and those that the author declares, with equations of their own. What the form is otherwise does not change. */
#include <string.h>

#include "form_internal.h"

enum { GLOBALS_MAX = 64 };

typedef struct Found { ExprNamed list[2*GLOBALS_MAX]; int first, n; } Found;      /* from first on: integrals of one expression */

static Status replace(Build *b, Found *found, Expr **e, Span span) {
  if (!*e || !((*e)->flags & HAS_INTEGRAL)) return 0;
  int first = found->n;
  Expr *made = expr_name_integrals(b->pool, *e, found->list, &found->n, GLOBALS_MAX);
  if (!made) {
    diag_report(b->diags, E0900, span, "more than %d integrals inside the equations of one pde are not in this build", GLOBALS_MAX);
    return 1;
  }
  *e = made;
  Pde *pde = b->pde;
  Global *all = ARENA_ARRAY(pde->arena, Global, pde->nglobals + found->n - first + 1);
  if (pde->nglobals) memcpy(all, pde->globals, (size_t)pde->nglobals*sizeof *all);
  pde->globals = all;
  for (int k = first; k < found->n; k++) {
    const ExprNamed *it = &found->list[k];
    if (it->value->flags & (HAS_DT | HAS_TEST)) {
      Diag *d = diag_report(b->diags, E0900, span, it->value->flags & HAS_DT ? "an integral of a time derivative inside an equation is not in this build"
                                                                            : "an integral that contains a test function stands inside another integral");
      diag_suggest(d, it->value->flags & HAS_DT ? "take the integral of the unknown, as an unknown of its own if need be" : "a weak form is a sum of integrals; what multiplies them has no test function");
      return 1;
    }
    all[pde->nglobals++] = (Global){.name = it->name, .symbol = it->symbol, .before = expr_param_beside(b->pool, it->symbol, " one step back"), .left = it->symbol,
                                    .right = it->value, .span = span};
  }
  return 0;
}

Status globals_resolve(Build *b) {
  Pde *pde = b->pde;
  Found found = {.n = 0};
  for (int i = 0; i < pde->nglobals; i++) {
    if (pde->globals[i].left) continue;
    diag_suggest(diag_report(b->diags, E0401, pde->globals[i].span, "`%s` has no equation", pde->globals[i].name), "add `equation %s: integral(...) == ...`", pde->globals[i].name);
    return 1;
  }
  for (int i = 0; i < pde->nglobals && i < GLOBALS_MAX; i++)
    found.list[found.n++] = (ExprNamed){pde->globals[i].name, pde->globals[i].symbol, pde->globals[i].declared ? pde->globals[i].symbol : pde->globals[i].right};
  for (int i = 0; i < pde->nequations; i++) {
    TRY(replace(b, &found, &pde->equations[i].left, pde->equations[i].span));
    TRY(replace(b, &found, &pde->equations[i].right, pde->equations[i].span));
  }
  for (int i = 0; i < pde->nweak; i++) TRY(replace(b, &found, &pde->weak[i].integrand, pde->weak[i].span));
  for (int i = 0; i < pde->nconditions; i++) {
    TRY(replace(b, &found, &pde->conditions[i].left, pde->conditions[i].span));
    TRY(replace(b, &found, &pde->conditions[i].right, pde->conditions[i].span));
  }
  return 0;
}

/* ---- numbers that are values on boundaries ---- */

static Expr *back_again(ExprPool *pool, Expr *leaf, void *user) {
  const Found *found = user;
  for (int k = found->first; k < found->n; k++)
    if (leaf == found->list[k].symbol) return found->list[k].value ? found->list[k].value : expr_zero(pool, SHAPE_SCALAR);
  return leaf;
}

/* Is the integral over the boundaries of the conditions u == V alone, all of them? */
static bool over_its_boundaries(const Pde *pde, int number, Expr *integral) {
  int n = integral->index[1], seen = 0, named = 0;
  const Name *names = integral->names;
  if (n < 2 || strcmp(names[0], "@facets")) return false;
  for (int k = 1; k < n && strncmp(names[k], "@degree", 7); k++) {
    bool known = false;
    for (int i = 0; i < pde->nconditions && !known; i++)
      for (int l = 0; pde->conditions[i].kind == CONDITION_NUMBER && pde->conditions[i].number == number && l < pde->conditions[i].where.n; l++)
        known |= pde->conditions[i].where.names[l] == names[k];
    named++;
    seen += known;
  }
  int all = 0;
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].kind == CONDITION_NUMBER && pde->conditions[i].number == number) all += pde->conditions[i].where.n;
  return seen == named && named == all;
}

static Status report_flux(Build *b, const Global *g, const Condition *c) {
  Diag *d = diag_report(b->diags, E2070, g->span, "the equation of `%s` does not say what flows through the boundary whose value it is", g->name);
  diag_note(d, c->span, "the value is given here");
  Buf flux = {0}, where = {0};
  for (int i = 0; i < b->form->nfluxes && !flux.len; i++)
    if (b->form->fluxes[i].unknown == c->unknown) pde_print_expr(&flux, b->pde, b->form->fluxes[i].flux);
  for (int k = 0; k < c->where.n; k++) buf_printf(&where, "%s%s", k ? " + " : "", c->where.names[k]);
  diag_suggest(d, "write `equation %s: integral(dot(%s, n), on: %s) == ...`, with all boundaries where `%s` is the value", g->name, flux.len ? buf_str(&flux) : "F", buf_str(&where), g->name);
  buf_free(&flux), buf_free(&where);
  return 1;
}

/* a*integral(dot(F, n)) + rest == 0, and the rows of the nodes on the boundary add up to -factor*integral(dot(F, n)): together with `held` in the row of the
 * number, which they are added to, that is zero where held = -factor*rest/a. */
static Status hold(Build *b, int number, const Condition *c) {
  Pde *pde = b->pde;
  Global *g = &pde->globals[number];
  Found found;
  found.first = found.n = pde_name_globals(pde, found.list, GLOBALS_MAX);
  Expr *difference = build_binary(b, EXPR_SUB, g->left, g->right), *named = difference ? expr_name_integrals(b->pool, difference, found.list, &found.n, 2*GLOBALS_MAX) : NULL;
  if (named) named = expr_scalar(b->pool, named, 0, b->dim);
  for (int k = found.first; named && k < found.n; k++) {
    Expr *ratio, *slope = expr_diff(b->pool, named, found.list[k].symbol);
    int flux, component;
    if (!slope || expr_is_zero(slope) || slope->flags & HAS_VARYING || pde_has_globals(pde, slope)) continue;
    if (!over_its_boundaries(pde, number, found.list[k].value) || !conditions_match_flux(b, found.list[k].value->arg[0], &flux, &component, &ratio)) continue;
    const Flux *f = &b->form->fluxes[flux];
    if (f->unknown != c->unknown || (component >= 0 && component != c->component && c->component >= 0) || found.list[k].value->index[0]) continue;
    bool in_slope = false;
    for (int l = found.first; l < found.n; l++) {
      Expr *second = expr_diff(b->pool, slope, found.list[l].symbol);
      in_slope |= second && !expr_is_zero(second);
    }
    if (in_slope) continue;
    found.list[k].value = NULL;
    Expr *rest = expr_substitute(b->pool, named, back_again, &found);
    Expr *scale = build_binary(b, EXPR_DIV, f->factor, build_binary(b, EXPR_MUL, slope, ratio));
    g->held = rest && scale ? expr_is_zero(rest) ? rest : build_unary(b, EXPR_NEG, build_binary(b, EXPR_MUL, scale, rest)) : NULL;
    g->fixes = rest && pde_has_globals(pde, rest);
    if (g->held) return 0;
  }
  return report_flux(b, g, c);
}

/* The equation of a number in parameters that stand for its integrals, as left minus right. */
static Expr *equation_of(const Pde *pde, const Global *g, Found *found) {
  found->first = found->n = pde_name_globals(pde, found->list, GLOBALS_MAX);
  Expr *difference = g->held ? g->held : expr_binary(pde->pool, EXPR_SUB, g->left, g->right);
  Expr *named = difference ? expr_name_integrals(pde->pool, difference, found->list, &found->n, 2*GLOBALS_MAX) : NULL;
  return named ? expr_scalar(pde->pool, named, 0, pde->dim) : NULL;
}

/* Is what an equation says independent of all numbers and integrals, as `V == V` is? */
static bool says_nothing(const Pde *pde, const Global *g) {
  Found found;
  Expr *e = equation_of(pde, g, &found), *zero = expr_zero(pde->pool, SHAPE_SCALAR);
  bool nothing = e != NULL;
  for (int k = 0; k < found.n && nothing; k++) {
    Expr *slope = expr_diff(pde->pool, e, found.list[k].symbol);
    nothing = slope && (expr_is_zero(slope) || form_identical(slope, zero));
  }
  return nothing;
}

static Status report_nothing(Build *b, const Global *g) {
  Expr *difference = build_binary(b, EXPR_SUB, g->left, g->right);
  bool holds = difference && form_identical(difference, expr_zero(b->pool, SHAPE_SCALAR));
  Diag *d = diag_report(b->diags, E2080, g->span, "the equation of `%s` %s, whatever `%s` and the fields are", g->name, holds ? "always holds" : "never holds", g->name);
  diag_suggest(d, "write what determines `%s`, as `equation %s: integral(...) == ...`", g->name, g->name);
  return 1;
}

Status globals_held(Build *b) {
  const Pde *pde = b->pde;
  Status status = 0;
  for (int i = 0; i < pde->nglobals; i++) {
    const Condition *first = NULL;
    for (int k = 0; k < pde->nconditions; k++) {
      const Condition *c = &pde->conditions[k];
      if (c->kind != CONDITION_NUMBER || c->number != i) continue;
      if (!first) first = c;
      if (c->unknown == first->unknown && c->component == first->component) continue;
      diag_note(diag_report(b->diags, E2070, c->span, "`%s` is the value of two unknowns or components", pde->globals[i].name), first->span, "the other is here");
      status = 1;
    }
    if (first && !status) status |= hold(b, i, first);
    else if (!first && says_nothing(pde, &pde->globals[i])) status |= report_nothing(b, &pde->globals[i]);
  }
  return status;
}

/* ---- findings ---- */

/* Does e change with an unknown or a number? */
static bool varies(const Pde *pde, Expr *e) { return !e || e->flags & HAS_UNKNOWN || pde_has_globals(pde, e); }

/* Is the integrand linear in the unknowns and numbers? */
static bool is_linear(const Pde *pde, Expr *integrand) {
  Expr *a = expr_scalar(pde->pool, integrand, 0, pde->dim), *leaves[FORM_TERMS_MAX];
  int n = a ? form_leaves(pde->pool, a, 1u << SYMBOL_UNKNOWN, leaves) : 0;
  bool linear = a != NULL;
  for (int i = 0; i < n && linear; i++) linear = !varies(pde, expr_diff(pde->pool, a, leaves[i]));
  for (int k = 0; k < pde->nglobals && linear; k++) linear = !varies(pde, expr_diff(pde->pool, a, pde->globals[k].symbol));
  return linear;
}

/* Does e change with a number or an integral? */
static bool moves(const Pde *pde, Expr *e, const Found *found) {
  bool any = !e || pde_has_globals(pde, e);
  for (int k = found->first; k < found->n && !any; k++) {
    Expr *slope = expr_diff(pde->pool, e, found->list[k].symbol);
    any = !slope || !expr_is_zero(slope);
  }
  return any;
}

static bool equation_bends(const Pde *pde, const Global *g) {
  Found found;
  Expr *e = equation_of(pde, g, &found);
  bool bends = !e;
  for (int k = found.first; k < found.n && !bends; k++) bends = !is_linear(pde, found.list[k].value->arg[0]) || moves(pde, expr_diff(pde->pool, e, found.list[k].symbol), &found);
  for (int k = 0; k < pde->nglobals && !bends; k++) bends = moves(pde, expr_diff(pde->pool, e, pde->globals[k].symbol), &found);
  return bends;
}

void globals_findings(Form *form) {
  Pde *pde = form->pde;
  for (int i = 0; i < pde->nglobals; i++) {
    Global *g = &pde->globals[i];
    g->bends = equation_bends(pde, g);
    for (int k = 0; k < form->nresidual && !g->bends; k++) {
      Expr *slope = expr_diff(pde->pool, form->residual[k].integrand, g->symbol);
      g->bends = varies(pde, slope);
    }
  }
}

unsigned globals_see(const Pde *pde, int unknown) {
  unsigned bits = 0;
  for (int i = 0; i < pde->nglobals; i++) {
    Found found;
    if (!equation_of(pde, &pde->globals[i], &found)) continue;
    for (int j = found.first; j < found.n; j++) {
      Expr *a = expr_scalar(pde->pool, found.list[j].value->arg[0], 0, pde->dim), *leaves[FORM_TERMS_MAX];
      int n = form_leaves(pde->pool, a, 1u << SYMBOL_UNKNOWN, leaves);
      for (int k = 0; k < n; k++)
        if (leaves[k]->symbol.which == unknown && !symbol_order(leaves[k]->symbol) && leaves[k]->symbol.component < 32) bits |= 1u << leaves[k]->symbol.component;
    }
  }
  return bits;
}
