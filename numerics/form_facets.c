/* Facets between cells: where jump and avg may stand, what has one value there, and whether discontinuous unknowns are joined at all. */
#include <stdio.h>

#include "element.h"
#include "form_internal.h"

static bool is_broken(const Pde *pde, int unknown) {
  const Element *element = element_find(pde->unknowns[unknown].element);
  return element && element_is_broken(element);
}

static Status report_place(Build *b, Span span) {
  Diag *d = diag_report(b->diags, E0449, span, "jump and avg live on the facets between cells");
  diag_suggest(d, "write them in a weak form, under integral(..., on: interior)");
  return 1;
}

Status facets_places(Build *b) {
  const Pde *pde = b->pde;
  for (int i = 0; i < pde->nequations; i++)
    if ((pde->equations[i].left->flags | pde->equations[i].right->flags) & HAS_FACET) return report_place(b, pde->equations[i].span);
  for (int i = 0; i < pde->nconditions; i++)
    if (!pde->conditions[i].where.interface[0] && (pde->conditions[i].left->flags | pde->conditions[i].right->flags) & HAS_FACET) return report_place(b, pde->conditions[i].span);
  for (int i = 0; i < pde->nweak; i++)
    if (pde->weak[i].integrand->flags & HAS_FACET && !pde->weak[i].where.interior) return report_place(b, pde->weak[i].span);
  return 0;
}

/* --- one value on a facet --- */

static Status report_two(Build *b, Span span, const char *what) {
  Diag *d = diag_report(b->diags, E0447, span, "%s has two values on the facets between cells", what);
  diag_suggest(d, "say which: jump(u) is the difference of the two, avg(u) their mean; avg(u) + jump(u)/2 is the first");
  return 1;
}

/* A field by regions outside of jump and avg. */
static bool has_bare_regions(Expr *e, int depth) {
  if (!(e->flags & HAS_REGIONS) || depth > 64) return false;
  if (e->op == EXPR_REGIONS && !e->index[0]) return true;
  for (int i = 0; i < e->n; i++)
    if (has_bare_regions(e->arg[i], depth + 1)) return true;
  return false;
}

static Status check_values(Build *b, const Integral *integral) {
  const Pde *pde = b->pde;
  Expr *leaves[FORM_TERMS_MAX];
  int n = form_leaves(b->pool, integral->integrand, ~0u, leaves);
  for (int i = 0; i < n; i++) {
    Symbol s = leaves[i]->symbol;
    char name[80], text[120];
    if (s.side) continue;
    bool cut = integral->where.interface[0] != NULL;      /* unknowns jump there */
    if (s.kind == SYMBOL_FIELD ? !symbol_order(s) : !symbol_order(s) && !cut && !is_broken(pde, s.which)) continue;
    if (s.kind == SYMBOL_FIELD) snprintf(name, sizeof name, "%s", leaves[i]->name);
    else if (s.kind == SYMBOL_TEST) snprintf(name, sizeof name, "%s", pde->unknowns[s.which].test->name);
    else unknown_component_text(pde, s.which, s.component, name);
    snprintf(text, sizeof text, symbol_order(s) ? "a derivative of `%s`" : "`%s`", name);
    return report_two(b, integral->span, text);
  }
  return has_bare_regions(integral->integrand, 0) ? report_two(b, integral->span, "a field by regions") : 0;
}

/* --- discontinuous unknowns --- */

enum { UNCOUPLED_U = 1, UNCOUPLED_V = 2 };

/* An integral over cells with a derivative of a discontinuous function stops at the facets: what crosses them is an integral over the facets. */
static Status check_joined(Build *b) {
  const Form *form = b->form;
  const Pde *pde = b->pde;
  for (int u = 0; u < pde->nunknowns; u++) {
    if (!is_broken(pde, u)) continue;
    unsigned derived = 0, joined = 0;
    Span span = pde->unknowns[u].span;
    for (int i = 0; i < form->nresidual; i++) {
      const Integral *r = &form->residual[i];
      Expr *leaves[FORM_TERMS_MAX];
      int n = form_leaves(b->pool, r->integrand, 1u << SYMBOL_UNKNOWN | 1u << SYMBOL_TEST, leaves);
      for (int k = 0; k < n; k++) {
        Symbol s = leaves[k]->symbol;
        unsigned bit = s.kind == SYMBOL_TEST ? UNCOUPLED_V : UNCOUPLED_U;
        if (s.which != u) continue;
        if (r->kind == INTEGRAL_INTERIOR) joined |= bit;
        else if (r->kind == INTEGRAL_CELL && symbol_order(s) && !(derived & bit)) derived |= bit, span = r->span;
      }
    }
    if (!(derived & ~joined)) continue;
    const char *name = pde->unknowns[u].name;
    Diag *d = diag_report(b->diags, E0445, span, "`%s` is discontinuous (%s): its derivatives end at the facets, and no term joins the cells", name, pde->unknowns[u].element);
    diag_suggest(d, "write the weak form with integrals over the facets, integral(..., on: interior) with jump(%s) and avg(%s), or take a continuous element (P1)", name, name);
    return 1;
  }
  return 0;
}

static Status check_prescribed(Build *b) {
  const Pde *pde = b->pde;
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    if (c->kind != CONDITION_DIRICHLET || !is_broken(pde, c->unknown)) continue;
    const Unknown *u = &pde->unknowns[c->unknown];
    Diag *d = diag_report(b->diags, E0446, c->span, "`%s` is discontinuous (%s): it has no values on a boundary that could be prescribed", u->name, u->element);
    diag_suggest(d, "put the value into the weak form, as integral(..., on: ...) over that boundary: the inflow of upwinding, the penalty of interior penalty");
    return 1;
  }
  return 0;
}

Status facets_check(Build *b) {
  TRY(check_prescribed(b));
  for (int i = 0; i < b->form->nresidual; i++)
    if (b->form->residual[i].kind == INTEGRAL_INTERIOR) TRY(check_values(b, &b->form->residual[i]));
  return check_joined(b);
}

bool form_joins_cells(const Integral *jacobian, int n) {
  for (int i = 0; i < n; i++)
    if (jacobian[i].kind == INTEGRAL_INTERIOR) return true;
  return false;
}
