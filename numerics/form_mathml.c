/* The weak form as a block of presentation MathML: a row a term, a flux, a prescribed value. */
#include <string.h>

#include "form_internal.h"

static void put_text(Buf *out, const char *tag, const char *text) {
  buf_printf(out, "<%s>", tag);
  for (; *text; text++) {
    if (*text == '<') buf_puts(out, "&lt;");
    else if (*text == '&') buf_puts(out, "&amp;");
    else buf_putc(out, *text);
  }
  buf_printf(out, "</%s>", tag);
}

static void put_names(Buf *out, const Where *w) {
  for (int i = 0; i < w->n; i++) {
    if (i) buf_puts(out, "<mo>,</mo>");
    put_text(out, "mtext", w->names[i]);
  }
}

static void put_domain(Buf *out, const FormTerm *t) {
  const Where *w = &t->where;
  buf_puts(out, t->kind == INTEGRAL_CELL ? "<mi>Ω</mi>" : "<mrow><mo>∂</mo><mi>Ω</mi></mrow>");
  if (w->all || !w->n) return;
  buf_puts(out, w->others ? "<mo>∖</mo><mo>(</mo>" : "<mo>(</mo>");
  put_names(out, w);
  buf_puts(out, "<mo>)</mo>");
}

static void put_term(Buf *out, const Pde *pde, const FormTerm *t, bool first, bool last) {
  Expr *e = pde_written(pde, t->integrand);
  bool sum = e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_IF;
  buf_puts(out, "<mtr><mtd><mrow>");
  if (t->sign < 0 || !first) put_text(out, "mo", t->sign < 0 ? "−" : "+");
  buf_puts(out, "<msub><mo>∫</mo><mrow>");
  put_domain(out, t);
  buf_puts(out, sum ? "</mrow></msub><mo>(</mo>" : "</mrow></msub>");
  expr_mathml_row(out, e);
  buf_printf(out, "%s<mi>d</mi><mi>%s</mi>%s</mrow></mtd></mtr>\n", sum ? "<mo>)</mo>" : "", t->kind == INTEGRAL_CELL ? "x" : "s", last ? "<mo>=</mo><mn>0</mn>" : "");
}

static void put_equation(Buf *out, const Form *form, int row) {
  int last = -1, n = 0;
  for (int i = 0; i < form->nterms; i++)
    if (form->terms[i].unknown == row) last = i;
  for (int i = 0; i <= last; i++)
    if (form->terms[i].unknown == row) put_term(out, form->pde, &form->terms[i], n++ == 0, i == last);
}

static void put_condition(Buf *out, const Pde *pde, const Condition *c) {
  char name[80];
  unknown_component_text(pde, c->unknown, c->component, name);
  buf_puts(out, "<mtr><mtd><mrow>");
  put_text(out, "mi", name);
  if (c->kind == CONDITION_NORMAL || c->kind == CONDITION_TANGENTIAL) buf_puts(out, c->kind == CONDITION_NORMAL ? "<mo>·</mo><mi>n</mi>" : "<mo>×</mo><mi>n</mi>");
  buf_puts(out, "<mo>=</mo>");
  if (c->kind == CONDITION_NUMBER) put_text(out, "mi", pde->globals[c->number].name);
  if (c->kind == CONDITION_NUMBER && !expr_is_zero(c->value)) put_text(out, "mo", "+");
  if (c->kind != CONDITION_NUMBER || !expr_is_zero(c->value)) expr_mathml_row(out, c->value);
  buf_puts(out, "<mspace width=\"1em\"/><mtext>on&#160;</mtext>");
  if (c->where.is_point || c->where.all || c->where.others) put_text(out, "mtext", c->where.is_point ? "a point" : c->where.all ? "all" : "others");
  else put_names(out, &c->where);
  buf_puts(out, "</mrow></mtd></mtr>\n");
}

void form_print_mathml(Buf *out, const Form *form) {
  const Pde *pde = form->pde;
  buf_puts(out, "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><mtable columnalign=\"left\">\n");
  for (int u = pde->nweak ? -1 : 0; u < (pde->nweak ? 0 : pde->nunknowns); u++) put_equation(out, form, u);
  for (int i = 0; i < form->nfluxes; i++) {
    buf_puts(out, "<mtr><mtd><mrow><msub><mi>F</mi>");
    put_text(out, "mi", pde->unknowns[form->fluxes[i].unknown].name);
    buf_puts(out, "</msub><mo>=</mo>");
    expr_mathml_row(out, pde_written(pde, form->fluxes[i].flux));
    buf_puts(out, "</mrow></mtd></mtr>\n");
  }
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].kind != CONDITION_NATURAL) put_condition(out, pde, &pde->conditions[i]);
  buf_puts(out, "</mtable></math>\n");
}
