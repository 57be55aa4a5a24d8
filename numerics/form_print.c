/* The weak form as text: in EXPR_TEXT what one could write after `weak`, in Unicode and LaTeX as in a paper. Below them the fluxes and
 * the values that are prescribed. */
#include <stdio.h>
#include <string.h>

#include "form_internal.h"

static void put(Buf *out, Expr *e, ExprStyle style, bool product) {
  bool sum = product && (e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_IF);
  if (sum) buf_puts(out, "(");
  expr_print(out, e, style);
  if (sum) buf_puts(out, ")");
}

static void put_names(Buf *out, const Where *w, ExprStyle style) {
  bool latex = style == EXPR_LATEX;
  for (int i = 0; i < w->n; i++) buf_printf(out, latex ? "%s\\mathrm{%s}" : "%s%s", i ? ", " : "", w->names[i]);
}

/* Over where: ", on: left, right" in text, a subscript elsewhere. */
static void put_where(Buf *out, const FormTerm *t, ExprStyle style) {
  const Where *w = &t->where;
  bool cells = t->kind == INTEGRAL_CELL;
  if (style == EXPR_TEXT) {
    if (cells && w->all) return;
    buf_puts(out, ", on: ");
    if (w->all) buf_puts(out, "all");
    else if (w->others) buf_puts(out, "others");
    else put_names(out, w, style);
    if (w->others && w->n) {
      buf_puts(out, " (all but ");
      put_names(out, w, style);
      buf_puts(out, ")");
    }
    return;
  }
  bool latex = style == EXPR_LATEX;
  buf_puts(out, latex ? (cells ? "_{\\Omega" : "_{\\partial\\Omega") : (cells ? "_Ω" : "_∂Ω"));
  if (!w->all) {
    buf_puts(out, w->others ? (latex ? "\\setminus(" : "∖(") : "(");
    put_names(out, w, style);
    buf_puts(out, ")");
  }
  if (latex) buf_puts(out, "}");
}

static void put_integral(Buf *out, const FormTerm *t, ExprStyle style) {
  const char *measure = t->kind == INTEGRAL_CELL ? "x" : "s";
  if (style == EXPR_TEXT) {
    buf_puts(out, "integral(");
    expr_print(out, t->integrand, style);
    put_where(out, t, style);
    buf_puts(out, ")");
    return;
  }
  buf_puts(out, style == EXPR_LATEX ? "\\int" : "∫");
  put_where(out, t, style);
  buf_puts(out, " ");
  put(out, t->integrand, style, true);
  buf_printf(out, style == EXPR_LATEX ? "\\,\\mathrm{d}%s" : " d%s", measure);
}

static void put_rows(Buf *out, const Form *form, int row, ExprStyle style) {
  int n = 0;
  const char *indent = style == EXPR_LATEX ? "&" : "    ";
  for (int i = 0; i < form->nterms; i++) {
    FormTerm term = form->terms[i], *t = &term;
    if (t->unknown != row) continue;
    t->integrand = pde_written(form->pde, t->integrand);
    buf_puts(out, n ? (style == EXPR_LATEX ? "\\\\\n" : "\n") : "");
    buf_printf(out, "%s%s", indent, t->sign < 0 ? "- " : n ? "+ " : style == EXPR_LATEX ? "" : "  ");
    put_integral(out, t, style);
    n++;
  }
  if (n) buf_puts(out, style == EXPR_LATEX ? " = 0" : style == EXPR_TEXT ? " == 0\n" : " = 0\n");
}

static void put_fluxes(Buf *out, const Form *form, ExprStyle style) {
  for (int i = 0; i < form->nfluxes; i++) {
    const Flux *f = &form->fluxes[i];
    const char *name = form->pde->unknowns[f->unknown].name;
    if (style == EXPR_LATEX) buf_printf(out, "F_{%s} &= ", name);
    else buf_printf(out, "  %s of %s: ", f->op == EXPR_ADD ? "sum of the fluxes" : "flux", name);
    expr_print(out, pde_written(form->pde, f->flux), style);
    buf_puts(out, style == EXPR_LATEX ? "\\\\\n" : "\n");
  }
}

static void put_place(Buf *out, const Where *w, ExprStyle style) {
  if (w->is_point) buf_puts(out, "a point");
  else if (w->all) buf_puts(out, "all");
  else if (w->others) buf_puts(out, "others");
  else put_names(out, w, style);
}

static void put_conditions(Buf *out, const Pde *pde, ExprStyle style) {
  bool latex = style == EXPR_LATEX;
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    const char *is = style == EXPR_TEXT ? "==" : latex ? "&=" : "=";
    char name[80];
    if (c->kind == CONDITION_NATURAL) continue;
    unknown_component_text(pde, c->unknown, c->component, name);
    char *dot = latex && c->component >= 0 ? strchr(name, '.') : NULL;
    if (dot) *dot = '_';
    if (c->kind == CONDITION_DIRICHLET || c->kind == CONDITION_NUMBER) buf_printf(out, "%s%s %s ", latex ? "" : "  ", name, is);
    else if (latex) buf_printf(out, c->kind == CONDITION_NORMAL ? "%s\\cdot n %s " : "%s\\times n %s ", name, is);
    else buf_printf(out, "  %s(%s, n) %s ", c->kind == CONDITION_NORMAL ? "dot" : "cross", name, is);
    if (c->kind == CONDITION_NUMBER) buf_printf(out, expr_is_zero(c->value) ? "%s" : "%s + ", pde->globals[c->number].name);
    if (c->kind != CONDITION_NUMBER || !expr_is_zero(c->value)) expr_print(out, c->value, style);
    buf_puts(out, latex ? " && \\text{on }" : " on ");
    if (latex && (c->where.is_point || c->where.all || c->where.others)) buf_puts(out, "\\text{");
    put_place(out, &c->where, latex ? EXPR_LATEX : EXPR_TEXT);
    if (latex && (c->where.is_point || c->where.all || c->where.others)) buf_puts(out, "}");
    buf_puts(out, latex ? "\\\\\n" : "\n");
  }
}

void form_print(Buf *out, const Form *form, ExprStyle style) {
  if (style == EXPR_MATHML) {
    form_print_mathml(out, form);
    return;
  }
  const Pde *pde = form->pde;
  bool latex = style == EXPR_LATEX;
  if (latex) {
    buf_puts(out, "\\begin{aligned}\n");
  } else {
    buf_puts(out, "find ");
    for (int u = 0; u < pde->nunknowns; u++) buf_printf(out, "%s%s", u ? ", " : "", pde->unknowns[u].name);
    buf_puts(out, " such that for all ");
    for (int u = 0; u < pde->nunknowns; u++) buf_printf(out, "%s%s", u ? ", " : "", pde->unknowns[u].test->name);
    buf_puts(out, "\n");
  }
  if (pde->nweak) {
    put_rows(out, form, -1, style);
  } else {
    for (int u = 0; u < pde->nunknowns; u++) {
      if (!latex && pde->nunknowns > 1) buf_printf(out, "  equation %s:\n", pde->unknowns[u].name);
      put_rows(out, form, u, style);
      if (latex && u + 1 < pde->nunknowns) buf_puts(out, "\\\\\n");
    }
  }
  if (latex) buf_puts(out, form->nfluxes ? "\\\\\n" : "\n");
  put_fluxes(out, form, style);
  put_conditions(out, pde, style);
  if (latex) buf_puts(out, "\\end{aligned}\n");
}
