/* Expressions as presentation MathML (MathML Core). */
#include <math.h>
#include <string.h>

#include "expr_pool.h"
#include "expr_print.h"

typedef struct Writer {
  Buf *out;
  size_t limit;
  bool full;
  int depth;
} Writer;

static void show(Writer *w, Expr *e, int least);

static void put(Writer *w, const char *text) { buf_puts(w->out, text); }

static void escaped(Writer *w, const char *tag, const char *text, size_t len) {
  buf_printf(w->out, "<%s>", tag);
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '<') put(w, "&lt;");
    else if (text[i] == '>') put(w, "&gt;");
    else if (text[i] == '&') put(w, "&amp;");
    else buf_putc(w->out, text[i]);
  }
  buf_printf(w->out, "</%s>", tag);
}

static void op(Writer *w, const char *sign) { escaped(w, "mo", sign, strlen(sign)); }
static void word(Writer *w, const char *text) { escaped(w, "mi", text, strlen(text)); }

static void number(Writer *w, double value) {
  Buf text = {0};
  print_constant(&text, value);
  const char *digits = buf_str(&text);
  if (*digits == '-') op(w, "−"), digits++;
  const char *e = strchr(digits, 'e');
  escaped(w, "mn", digits, e ? (size_t)(e - digits) : strlen(digits));
  if (e) buf_printf(w->out, "<mo>·</mo><msup><mn>10</mn><mn>%s</mn></msup>", e + 1);
  buf_free(&text);
}

static void letters(Writer *w, const char *text, int len) {
  const char *letter = greek_letter(text, (size_t)len);
  if (letter) word(w, letter);
  else escaped(w, "mi", text, (size_t)len);
}

static void name(Writer *w, const char *text) {
  NameParts p = name_parts(text ? text : "?");
  bool sub = p.sub_len || p.component_len;
  if (sub) put(w, "<msub>");
  letters(w, p.base, p.base_len);
  if (!sub) return;
  put(w, "<mrow>");
  if (p.sub_len) letters(w, p.sub, p.sub_len);
  if (p.component_len) letters(w, p.component, p.component_len);
  put(w, "</mrow></msub>");
}

static void constant(Writer *w, Expr *e) {
  PiMultiple pi;
  if (unit_is_none(e->unit) && is_multiple_of_pi(e->value, &pi)) {
    if (pi.negative) op(w, "−");
    if (pi.over > 1) put(w, pi.times > 1 ? "<mfrac><mrow>" : "<mfrac>");
    if (pi.times > 1) buf_printf(w->out, "<mn>%d</mn>", pi.times);
    put(w, pi.power > 1 ? "<msup><mi>π</mi><mn>2</mn></msup>" : "<mi>π</mi>");
    if (pi.over > 1) buf_printf(w->out, "%s<mn>%d</mn></mfrac>", pi.times > 1 ? "</mrow>" : "", pi.over);
    return;
  }
  number(w, e->value);
  if (e->unit.any || unit_is_none(e->unit)) return;
  Buf unit = {0};
  unit_print_short(&unit, e->unit);
  escaped(w, "mtext", buf_str(&unit), unit.len);
  buf_free(&unit);
}

static void term(Writer *w, Expr *e) {
  const Symbol *s = &e->symbol;
  if (e->op == EXPR_TERM && (s->dt || s->dx[0] || s->dx[1] || s->dx[2])) {
    put(w, "<msub><mo>∂</mo><mrow>");
    for (int k = 0; k < s->dt; k++) word(w, "t");
    for (int axis = 0; axis < 3; axis++) for (int k = 0; k < s->dx[axis]; k++) buf_printf(w->out, "<mi>%c</mi>", "xyz"[axis]);
    put(w, "</mrow></msub>");
  }
  if (s->kind == SYMBOL_TRIAL) word(w, "δ");
  if (s->kind == SYMBOL_PREVIOUS) put(w, "<msup>");
  name(w, e->name);
  if (s->kind == SYMBOL_PREVIOUS) buf_printf(w->out, "<mrow><mo>(</mo><mo>−</mo><mn>%d</mn><mo>)</mo></mrow></msup>", s->level ? s->level : 1);
}

static void sum(Writer *w, Expr *e) {
  Parts parts;
  parts_of_sum(&parts, e);
  for (int i = 0; i < parts.n; i++) {
    Expr *e = parts.at[i].e;
    bool turned = i && is_negative_number(e);
    if (i) op(w, parts.at[i].inverse != turned ? "−" : "+");
    if (turned) {
      struct Expr positive = *e;
      positive.value = -e->value;
      show(w, &positive, PREC_PRODUCT);
    } else show(w, e, i && parts.at[i].inverse ? PREC_PRODUCT : PREC_SUM);
  }
  parts_free(&parts);
}

static void factors(Writer *w, const Parts *parts, bool below, bool alone) {
  bool first = true;
  put(w, "<mrow>");
  for (int i = 0; i < parts->n; i++) {
    if (parts->at[i].inverse != below) continue;
    if (!first) put(w, parts->at[i].e->op == EXPR_CONST ? "<mo>·</mo>" : "<mo>&#x2062;</mo>");
    show(w, parts->at[i].e, alone ? PREC_IF : first ? PREC_PRODUCT : PREC_PREFIX);
    first = false;
  }
  put(w, "</mrow>");
}

static void product(Writer *w, Expr *e) {
  Parts parts;
  parts_of_product(&parts, e);
  int below = parts_below(&parts), above = parts.n - below;
  if (below) put(w, "<mfrac>");
  factors(w, &parts, false, below && above == 1);
  if (below) {
    factors(w, &parts, true, below == 1);
    put(w, "</mfrac>");
  }
  parts_free(&parts);
}

static void list(Writer *w, Expr *e) {
  for (int i = 0; i < e->n; i++) {
    if (i) op(w, ",");
    show(w, e->arg[i], PREC_IF);
  }
}

static bool is_tall(Expr *e, void *user) {
  bool *tall = user;
  if (e->op == EXPR_DIV || e->op == EXPR_IF || e->op == EXPR_REGIONS || e->op == EXPR_TENSOR || e->op == EXPR_VECTOR || e->op == EXPR_INTEGRAL) *tall = true;
  return !*tall;
}

/* Brackets about one line do not stretch: fonts whose next size is twice as large would double them for a y. */
static const char *stretch(Expr *e) {
  bool tall = false;
  expr_visit(e, is_tall, &tall);
  return tall ? "" : " stretchy=\"false\"";
}

static void call(Writer *w, Expr *e, const char *function) {
  if (function) word(w, function);
  else name(w, e->name);
  buf_printf(w->out, "<mo>&#x2061;</mo><mrow><mo%s>(</mo>", stretch(e));
  list(w, e);
  buf_printf(w->out, "<mo%s>)</mo></mrow>", stretch(e));
}

static void element(Writer *w, const char *tag, Expr *a, int least, Expr *b) {
  buf_printf(w->out, "<%s><mrow>", tag);
  show(w, a, least);
  put(w, "</mrow>");
  if (b) {
    put(w, "<mrow>");
    show(w, b, PREC_IF);
    put(w, "</mrow>");
  }
  buf_printf(w->out, "</%s>", tag);
}

static void prefix(Writer *w, Expr *e, const char *one, const char *two) {
  op(w, one);
  if (two) op(w, two);
  show(w, e->arg[0], PREC_PREFIX);
}

static void partial(Writer *w, Expr *e, const char *by) {
  buf_printf(w->out, "<msub><mo>∂</mo><mi>%s</mi></msub>", by);
  show(w, e->arg[0], PREC_PREFIX);
}

static void infix(Writer *w, Expr *e, const char *sign, int prec) {
  show(w, e->arg[0], prec == PREC_PRODUCT ? PREC_PRODUCT : prec + 1);
  op(w, sign);
  show(w, e->arg[1], prec + 1);
}

static void fence(Writer *w, Expr *e, const char *left, const char *right) {
  put(w, "<mrow>");
  op(w, left);
  list(w, e);
  op(w, right);
  put(w, "</mrow>");
}

static void matrix(Writer *w, Expr *e) {
  put(w, "<mrow><mo>(</mo><mtable>");
  for (int i = 0; i < e->n; i++) {
    Expr *row = e->arg[i];
    bool cells = e->op == EXPR_TENSOR && row->op == EXPR_VECTOR;
    put(w, "<mtr>");
    for (int j = 0; j < (cells ? row->n : 1); j++) {
      put(w, "<mtd>");
      show(w, cells ? row->arg[j] : row, PREC_IF);
      put(w, "</mtd>");
    }
    put(w, "</mtr>");
  }
  put(w, "</mtable><mo>)</mo></mrow>");
}

/* Rows of value and the condition or region under which it holds. */
static void cases(Writer *w, Expr *e) {
  bool choice = e->op == EXPR_IF;
  put(w, "<mrow><mo>{</mo><mtable>");
  for (int i = choice ? 1 : 0; i < e->n; i++) {
    put(w, "<mtr><mtd>");
    show(w, e->arg[i], PREC_IF);
    put(w, "</mtd><mtd>");
    if (choice && i == 1) show(w, e->arg[0], PREC_IF);
    else if (choice) put(w, "<mtext>otherwise</mtext>");
    else escaped(w, "mtext", e->names[i] ? e->names[i] : "others", strlen(e->names[i] ? e->names[i] : "others"));
    put(w, "</mtd></mtr>");
  }
  put(w, "</mtable></mrow>");
}

static void integral(Writer *w, Expr *e) {
  put(w, e->index[1] ? "<msub>" : "");
  e->index[0] ? word(w, "mean") : op(w, "∫");
  for (int i = 0; i < e->index[1]; i++) {
    if (!i) put(w, "<mrow>");
    else op(w, ",");
    name(w, e->names[i]);
  }
  put(w, e->index[1] ? "</mrow></msub>" : "");
  show(w, e->arg[0], PREC_PREFIX);
}

static void component(Writer *w, Expr *e) {
  put(w, "<msub><mrow>");
  show(w, e->arg[0], PREC_ATOM);
  put(w, "</mrow><mrow>");
  for (int k = 0; k < 3 && e->index[k] >= 0; k++) {
    if (e->index[1] < 0 && e->arg[0]->shape.rank == 1 && e->index[0] < 3) buf_printf(w->out, "<mi>%c</mi>", "xyz"[e->index[0]]);
    else buf_printf(w->out, "<mn>%d</mn>", e->index[k]);
  }
  put(w, "</mrow></msub>");
}

static void leaf(Writer *w, Expr *e) {
  static const char *const axis[] = {"x", "y", "z"};
  switch (e->op) {
    case EXPR_CONST: constant(w, e); break;
    case EXPR_ZERO: put(w, "<mn>0</mn>"); break;
    case EXPR_COORD: word(w, axis[e->index[0]]); break;
    case EXPR_PARAM: name(w, e->name); break;
    case EXPR_LAMBDA: word(w, "λ"); break;
    case EXPR_SYMBOL: case EXPR_TERM: term(w, e); break;
    case EXPR_NORMAL_COMPONENT: buf_printf(w->out, "<msub><mi>n</mi><mi>%s</mi></msub>", axis[e->index[0]]); break;
    default: word(w, expr_op_text((ExprOp)e->op));
  }
}

static void show_bare(Writer *w, Expr *e) {
  static const char *const axis[] = {"x", "y", "z"};
  switch (e->op) {
    case EXPR_ADD: case EXPR_SUB: sum(w, e); break;
    case EXPR_NEG: op(w, "−"); show(w, e->arg[0], text_prec(e) == PREC_PRODUCT ? PREC_PRODUCT : PREC_PREFIX); break;
    case EXPR_MUL: case EXPR_DIV: product(w, e); break;
    case EXPR_POW: element(w, "msup", e->arg[0], PREC_ATOM, e->arg[1]); break;
    case EXPR_SQRT: element(w, "msqrt", e->arg[0], PREC_IF, NULL); break;
    case EXPR_ABS: fence(w, e, "|", "|"); break;
    case EXPR_LT: infix(w, e, "<", PREC_COMPARE); break;
    case EXPR_LE: infix(w, e, "≤", PREC_COMPARE); break;
    case EXPR_GT: infix(w, e, ">", PREC_COMPARE); break;
    case EXPR_GE: infix(w, e, "≥", PREC_COMPARE); break;
    case EXPR_EQ: infix(w, e, "=", PREC_EQUAL); break;
    case EXPR_NE: infix(w, e, "≠", PREC_EQUAL); break;
    case EXPR_AND: infix(w, e, "∧", PREC_AND); break;
    case EXPR_OR: infix(w, e, "∨", PREC_OR); break;
    case EXPR_NOT: op(w, "¬"); show(w, e->arg[0], PREC_NOT); break;
    case EXPR_IF: case EXPR_REGIONS: cases(w, e); break;
    case EXPR_VECTOR: case EXPR_TENSOR: matrix(w, e); break;
    case EXPR_COMPONENT: component(w, e); break;
    case EXPR_DOT: infix(w, e, "·", PREC_PRODUCT); break;
    case EXPR_INNER: infix(w, e, ":", PREC_PRODUCT); break;
    case EXPR_OUTER: infix(w, e, "⊗", PREC_PRODUCT); break;
    case EXPR_CROSS: infix(w, e, "×", PREC_PRODUCT); break;
    case EXPR_INV: put(w, "<msup><mrow>"); show(w, e->arg[0], PREC_ATOM); put(w, "</mrow><mn>-1</mn></msup>"); break;
    case EXPR_TRANSPOSE: put(w, "<msup><mrow>"); show(w, e->arg[0], PREC_ATOM); put(w, "</mrow><mi>T</mi></msup>"); break;
    case EXPR_GRAD: prefix(w, e, "∇", NULL); break;
    case EXPR_DIVERGENCE: prefix(w, e, "∇", "·"); break;
    case EXPR_CURL: prefix(w, e, "∇", "×"); break;
    case EXPR_LAP: prefix(w, e, "Δ", NULL); break;
    case EXPR_DX: partial(w, e, axis[e->index[0]]); break;
    case EXPR_DT: partial(w, e, "t"); break;
    case EXPR_DTT: partial(w, e, "tt"); break;
    case EXPR_EPS: call(w, e, "ε"); break;
    case EXPR_JUMP: fence(w, e, "⟦", "⟧"); break;
    case EXPR_INTEGRAL: integral(w, e); break;
    case EXPR_HOSTCALL: case EXPR_TABLE: call(w, e, NULL); break;
    default: e->n ? call(w, e, expr_op_text((ExprOp)e->op)) : leaf(w, e);
  }
}

static int prec_of(Expr *e) {
  switch (e->op) {
    case EXPR_DOT: case EXPR_INNER: case EXPR_OUTER: case EXPR_CROSS: case EXPR_INTEGRAL: return PREC_PRODUCT;
    case EXPR_GRAD: case EXPR_DIVERGENCE: case EXPR_CURL: case EXPR_LAP: case EXPR_DX: case EXPR_DT: case EXPR_DTT: return PREC_PREFIX;
    default: return text_prec(e);
  }
}

static void show(Writer *w, Expr *e, int least) {
  if (w->out->len >= w->limit || w->depth >= PRINT_DEPTH) {
    if (!w->full) put(w, "<mo>…</mo>");
    w->full = w->out->len >= w->limit;
    return;
  }
  w->depth++;
  bool wrap = prec_of(e) < least;
  if (wrap) buf_printf(w->out, "<mrow><mo%s>(</mo>", stretch(e));
  show_bare(w, e);
  if (wrap) buf_printf(w->out, "<mo%s>)</mo></mrow>", stretch(e));
  w->depth--;
}

void expr_mathml_row(Buf *out, Expr *e) {
  buf_puts(out, "<mrow>");
  show(&(Writer){out, out->len + PRINT_LIMIT, false, 0}, e, PREC_IF);
  buf_puts(out, "</mrow>");
}

void expr_print_mathml(Buf *out, Expr *e) {
  buf_puts(out, "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">");
  expr_mathml_row(out, e);
  buf_puts(out, "</math>");
}
