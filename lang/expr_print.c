/* Expressions as text of the language, as Unicode for the terminal, and as LaTeX. */
#include "expr_print.h"

#include <math.h>
#include <string.h>

#include "expr_pool.h"

typedef struct Printer {
  Buf *out;
  ExprStyle style;
  size_t limit;      /* length of out at which printing gives up */
  bool full;
  int depth;
} Printer;

static void show(Printer *p, Expr *e, int least);

static void put(Printer *p, const char *text) { buf_puts(p->out, text); }

/* One of three spellings. */
static void token(Printer *p, const char *text, const char *unicode, const char *latex) {
  put(p, p->style == EXPR_TEXT ? text : p->style == EXPR_UNICODE ? unicode : latex);
}

static void open(Printer *p) { token(p, "(", "(", "\\left("); }
static void close(Printer *p) { token(p, ")", ")", "\\right)"); }

/* --- names and numbers --- */

static void superscript(Printer *p, const char *digits) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (; *digits; digits++) put(p, *digits == '-' ? "⁻" : raised[*digits - '0']);
}

static bool all_digits(const char *text, int len) {
  for (int i = 0; i < len; i++) if (text[i] < '0' || text[i] > '9') return false;
  return len > 0;
}

static void latex_word(Printer *p, const char *word, int len) {
  const char *letter = greek_letter(word, (size_t)len), *name = greek_word(word, (size_t)len);
  if (name) buf_printf(p->out, "\\%s", name);
  else if (letter) buf_printf(p->out, "\\%.*s", len, word);
  else if (len == 1 || all_digits(word, len)) buf_add(p->out, word, (size_t)len);
  else {
    put(p, "\\mathrm{");
    for (int i = 0; i < len; i++) buf_printf(p->out, word[i] == '_' ? "\\%c" : "%c", word[i]);
    put(p, "}");
  }
}

static void latex_name(Printer *p, const char *name) {
  NameParts parts = name_parts(name);
  latex_word(p, parts.base, parts.base_len);
  if (!parts.sub_len && !parts.component_len) return;
  put(p, "_{");
  if (parts.sub_len) latex_word(p, parts.sub, parts.sub_len);
  if (parts.sub_len && parts.component_len) put(p, ",");
  buf_add(p->out, parts.component, (size_t)parts.component_len);
  put(p, "}");
}

static void unicode_name(Printer *p, const char *name) {
  NameParts parts = name_parts(name);
  const char *letter = greek_letter(parts.base, (size_t)parts.base_len);
  if (letter) put(p, letter);
  else buf_add(p->out, parts.base, (size_t)parts.base_len);
  const char *rest = parts.base + parts.base_len;
  if (all_digits(parts.sub, parts.sub_len)) {
    for (int i = 0; i < parts.sub_len; i++) buf_printf(p->out, "\xe2\x82%c", 0x80 + parts.sub[i] - '0');   /* U+2080 and on */
    rest = parts.sub + parts.sub_len;
  }
  put(p, rest);
}

static void name(Printer *p, const char *text) {
  if (!text) text = "?";
  if (p->style == EXPR_TEXT) put(p, text);
  else if (p->style == EXPR_UNICODE) unicode_name(p, text);
  else latex_name(p, text);
}

static void number(Printer *p, double value) {
  Buf text = {0};
  print_constant(&text, value);
  const char *e = p->style == EXPR_LATEX ? strchr(buf_str(&text), 'e') : NULL;
  if (!e) put(p, buf_str(&text));
  else buf_printf(p->out, "%.*s \\cdot 10^{%s}", (int)(e - text.text), text.text, e + 1);
  buf_free(&text);
}

static void constant(Printer *p, Expr *e) {
  PiMultiple pi;
  if (unit_is_none(e->unit) && is_multiple_of_pi(e->value, &pi)) {
    if (pi.negative) put(p, "-");
    if (pi.times > 1) buf_printf(p->out, p->style == EXPR_TEXT ? "%d*" : "%d", pi.times);
    token(p, "pi", "π", "\\pi");
    if (pi.power > 1) token(p, "^2", "²", "^{2}");
    if (pi.over > 1) buf_printf(p->out, "/%d", pi.over);
    return;
  }
  number(p, e->value);
  if (e->unit.any || unit_is_none(e->unit)) return;
  Buf unit = {0};
  unit_print_short(&unit, e->unit);
  if (p->style != EXPR_LATEX) buf_printf(p->out, " [%s]", buf_str(&unit));
  else {
    put(p, "\\,\\mathrm{");
    for (const char *c = buf_str(&unit); *c; c++) *c == '*' ? put(p, "\\,") : buf_putc(p->out, *c);
    put(p, "}");
  }
  buf_free(&unit);
}

/* --- terminals of the scalar level --- */

static void symbol(Printer *p, Expr *e) {
  const Symbol *s = &e->symbol;
  bool dressed = s->kind == SYMBOL_TRIAL || s->kind == SYMBOL_PREVIOUS;
  if (s->kind == SYMBOL_TRIAL) token(p, "delta(", "δ", "\\delta ");
  if (s->kind == SYMBOL_PREVIOUS && p->style == EXPR_TEXT) s->level > 1 ? buf_printf(p->out, "prev%d(", s->level) : put(p, "prev(");
  name(p, e->name);
  if (dressed && p->style == EXPR_TEXT) put(p, ")");
  if (s->kind == SYMBOL_PREVIOUS && p->style != EXPR_TEXT) {
    int level = s->level ? s->level : 1;
    if (p->style == EXPR_LATEX) buf_printf(p->out, "^{(-%d)}", level);
    else {
      char digits[2] = {(char)('0' + level % 10), 0};
      put(p, "⁽⁻");
      superscript(p, digits);
      put(p, "⁾");
    }
  }
  if (s->side) buf_printf(p->out, p->style == EXPR_LATEX ? "|_{%d}" : "|%d", s->side);
  if (s->kind == SYMBOL_FIELD && !isnan(s->time)) {
    token(p, " at ", "|t=", "|_{t=");
    number(p, s->time);
    token(p, "", "", "}");
  }
}

static void term(Printer *p, Expr *e) {
  const Symbol *s = &e->symbol;
  int depth = 0;
  if (p->style == EXPR_LATEX) {
    if (s->dt || s->dx[0] || s->dx[1] || s->dx[2]) {
      put(p, "\\partial_{");
      for (int k = 0; k < s->dt; k++) put(p, "t");
      for (int axis = 0; axis < 3; axis++) for (int k = 0; k < s->dx[axis]; k++) buf_putc(p->out, "xyz"[axis]);
      put(p, "} ");
    }
  } else {
    for (int k = 0; k < s->dt; k++, depth++) token(p, "dt(", "∂t ", "");
    for (int axis = 0; axis < 3; axis++)
      for (int k = 0; k < s->dx[axis]; k++, depth++) buf_printf(p->out, p->style == EXPR_TEXT ? "d%c(" : "∂%c ", "xyz"[axis]);
  }
  symbol(p, e);
  if (p->style == EXPR_TEXT) for (int k = 0; k < depth; k++) put(p, ")");
}

/* --- arithmetic --- */

static void sum(Printer *p, Expr *e) {
  Parts parts;
  parts_of_sum(&parts, e);
  for (int i = 0; i < parts.n; i++) {
    Expr *e = parts.at[i].e;
    bool turned = i && is_negative_number(e);      /* u - -3 is u + 3 */
    if (i) put(p, parts.at[i].inverse != turned ? " - " : " + ");
    if (turned) {
      struct Expr positive = *e;
      positive.value = -e->value;
      show(p, &positive, PREC_PRODUCT);
    } else show(p, e, i && parts.at[i].inverse ? PREC_PRODUCT : PREC_SUM);
  }
  parts_free(&parts);
}

static bool starts_with_digit(Expr *e) {
  PiMultiple pi;
  while (e->op == EXPR_POW) e = e->arg[0];
  return e->op == EXPR_CONST && !(unit_is_none(e->unit) && is_multiple_of_pi(e->value, &pi) && pi.times == 1);
}

static void factors(Printer *p, const Parts *parts, bool below, int least) {
  bool first = true;
  for (int i = 0; i < parts->n; i++) {
    Expr *e = parts->at[i].e;
    if (parts->at[i].inverse != below) continue;
    if (!first) p->style == EXPR_TEXT ? put(p, "*") : put(p, starts_with_digit(e) ? (p->style == EXPR_LATEX ? " \\cdot " : "·") : p->style == EXPR_LATEX ? "\\," : " ");
    show(p, e, first ? least : PREC_PREFIX);
    first = false;
  }
}

static void product(Printer *p, Expr *e) {
  Parts parts;
  parts_of_product(&parts, e);
  int below = parts_below(&parts);
  if (p->style == EXPR_LATEX && below) {
    put(p, "\\frac{");
    factors(p, &parts, false, parts.n - below == 1 ? PREC_IF : PREC_PRODUCT);
    put(p, "}{");
    factors(p, &parts, true, below == 1 ? PREC_IF : PREC_PRODUCT);
    put(p, "}");
  } else {
    factors(p, &parts, false, PREC_PRODUCT);
    if (below) put(p, "/");
    if (below > 1) put(p, "(");
    factors(p, &parts, true, below > 1 ? PREC_PRODUCT : PREC_POWER);
    if (below > 1) put(p, ")");
  }
  parts_free(&parts);
}

static void power(Printer *p, Expr *e) {
  double value;
  Expr *base = e->arg[0], *exponent = e->arg[1];
  if (p->style == EXPR_LATEX) {
    bool raised = (base->op == EXPR_TERM || base->op == EXPR_SYMBOL) && base->symbol.kind == SYMBOL_PREVIOUS;   /* has a superscript already */
    if (raised) put(p, "{");
    show(p, base, PREC_ATOM);
    put(p, raised ? "}^{" : "^{");
    show(p, exponent, PREC_IF);
    put(p, "}");
  } else if (p->style == EXPR_UNICODE && expr_is_const(exponent, &value) && value == floor(value) && fabs(value) < 1000) {
    Buf digits = {0};
    buf_printf(&digits, "%d", (int)value);
    show(p, base, PREC_ATOM);
    superscript(p, buf_str(&digits));
    buf_free(&digits);
  } else {
    show(p, base, PREC_ATOM);
    put(p, "^");
    show(p, exponent, PREC_POWER);
  }
}

static void infix(Printer *p, Expr *e, const char *op, int prec, bool spaced) {
  show(p, e->arg[0], prec == PREC_PRODUCT ? PREC_PRODUCT : prec + 1);
  if (spaced) put(p, " ");
  put(p, op);
  if (spaced) put(p, " ");
  show(p, e->arg[1], prec + 1);
}

/* --- functions, operators, brackets --- */

static void list(Printer *p, Expr *e) {
  for (int i = 0; i < e->n; i++) {
    if (i) put(p, ", ");
    show(p, e->arg[i], PREC_IF);
  }
}

static void call(Printer *p, Expr *e, const char *function) {
  put(p, function);
  open(p);
  list(p, e);
  close(p);
}

static void prefix(Printer *p, Expr *e, const char *op) {
  put(p, op);
  show(p, e->arg[0], PREC_PREFIX);
}

static void bracket(Printer *p, Expr *e, const char *left, const char *right) {
  put(p, left);
  list(p, e);
  put(p, right);
}

/* A named vector's component: one subscript in LaTeX, sigma_{1,y}. */
static void named_component(Printer *p, const char *of, int component, bool letter) {
  Buf text = {0};
  buf_printf(&text, letter ? "%s.%c" : "%s[%d]", of ? of : "?", letter ? "xyz"[component] : component);
  name(p, buf_str(&text));
  buf_free(&text);
}

static void component(Printer *p, Expr *e) {
  bool letter = e->index[1] < 0 && e->arg[0]->shape.rank == 1 && e->index[0] < 3;
  if (letter && e->arg[0]->op == EXPR_SYMBOL && e->arg[0]->symbol.kind == SYMBOL_UNKNOWN) {
    named_component(p, e->arg[0]->name, e->index[0], true);
    return;
  }
  token(p, "", "", "{");
  show(p, e->arg[0], PREC_ATOM);
  token(p, "", "", "}");
  token(p, letter ? "." : "[", letter ? "." : "[", "_{");
  if (letter) buf_putc(p->out, "xyz"[e->index[0]]);
  else for (int k = 0; k < 3 && e->index[k] >= 0; k++) buf_printf(p->out, k ? (p->style == EXPR_LATEX ? "%d" : ", %d") : "%d", e->index[k]);
  token(p, letter ? "" : "]", letter ? "" : "]", "}");
}

static void matrix(Printer *p, Expr *e) {
  if (p->style != EXPR_LATEX) {
    put(p, e->op == EXPR_VECTOR ? "(" : "[");
    for (int i = 0; i < e->n; i++) {
      bool row = e->op == EXPR_TENSOR && e->arg[i]->op == EXPR_VECTOR;
      if (i) put(p, ", ");
      if (row) bracket(p, e->arg[i], "[", "]");
      else show(p, e->arg[i], PREC_IF);
    }
    put(p, e->op == EXPR_VECTOR ? ")" : "]");
    return;
  }
  put(p, "\\begin{pmatrix} ");
  for (int i = 0; i < e->n; i++) {
    Expr *row = e->arg[i];
    if (i) put(p, " \\\\ ");
    if (e->op == EXPR_VECTOR || row->op != EXPR_VECTOR) show(p, row, PREC_IF);
    else for (int j = 0; j < row->n; j++) {
      if (j) put(p, " & ");
      show(p, row->arg[j], PREC_IF);
    }
  }
  put(p, " \\end{pmatrix}");
}

static void condition(Printer *p, Expr *e) {
  if (p->style == EXPR_LATEX) {
    put(p, "\\begin{cases} ");
    show(p, e->arg[1], PREC_IF);
    put(p, " & ");
    show(p, e->arg[0], PREC_IF);
    put(p, " \\\\ ");
    show(p, e->arg[2], PREC_IF);
    put(p, " & \\text{otherwise} \\end{cases}");
    return;
  }
  put(p, "if ");
  show(p, e->arg[0], PREC_IF);
  put(p, " then ");
  show(p, e->arg[1], PREC_IF);
  put(p, " else ");
  show(p, e->arg[2], PREC_IF);
}

static void regions(Printer *p, Expr *e) {
  token(p, "{ ", "{ ", "\\begin{cases} ");
  for (int i = 0; i < e->n; i++) {
    const char *where = e->names[i] ? e->names[i] : "others";
    if (i) token(p, "; ", "; ", " \\\\ ");
    if (p->style != EXPR_LATEX) buf_printf(p->out, "on %s: ", where);
    show(p, e->arg[i], PREC_IF);
    if (p->style == EXPR_LATEX) {
      put(p, " & \\text{on }");
      latex_name(p, where);
    }
  }
  token(p, " }", " }", " \\end{cases}");
}

static void integral(Printer *p, Expr *e) {
  const Name *names = e->names;
  int n = e->index[1];
  if (n && names[0][0] == '@') names++, n--;       /* the kind of place */
  if (p->style == EXPR_LATEX) {
    put(p, e->index[0] ? "\\operatorname{mean}" : "\\int");
    if (n) put(p, "_{");
    for (int i = 0; i < n; i++) {
      if (i) put(p, ", ");
      latex_name(p, names[i]);
    }
    if (n) put(p, "}");
    put(p, " ");
    show(p, e->arg[0], PREC_PREFIX);
    return;
  }
  token(p, e->index[0] ? "mean(" : "integral(", e->index[0] ? "mean(" : "∫(", "");
  show(p, e->arg[0], PREC_IF);
  for (int i = 0; i < n; i++) {
    put(p, i ? " + " : ", on: ");
    name(p, names[i]);
  }
  put(p, ")");
}

static void tensor(Printer *p, Expr *e) {
  bool text = p->style == EXPR_TEXT, latex = p->style == EXPR_LATEX;
  switch (e->op) {
    case EXPR_DOT: infix(p, e, latex ? " \\cdot " : "·", PREC_PRODUCT, false); break;
    case EXPR_INNER: infix(p, e, e->arg[0]->shape.rank == 1 ? (latex ? " \\cdot " : "·") : latex ? " : " : ":", PREC_PRODUCT, false); break;
    case EXPR_OUTER: infix(p, e, latex ? " \\otimes " : "⊗", PREC_PRODUCT, false); break;
    case EXPR_CROSS: infix(p, e, latex ? " \\times " : "×", PREC_PRODUCT, false); break;
    case EXPR_GRAD: prefix(p, e, latex ? "\\nabla " : "∇"); break;
    case EXPR_DIVERGENCE: prefix(p, e, latex ? "\\nabla\\cdot " : "∇·"); break;
    case EXPR_CURL: prefix(p, e, latex ? "\\nabla\\times " : "∇×"); break;
    case EXPR_LAP: prefix(p, e, latex ? "\\Delta " : "Δ"); break;
    case EXPR_DT: prefix(p, e, latex ? "\\partial_t " : "∂t "); break;
    case EXPR_DTT: prefix(p, e, latex ? "\\partial_{tt} " : "∂tt "); break;
    case EXPR_DX:
      buf_printf(p->out, latex ? "\\partial_%c " : "∂%c ", "xyz"[e->index[0]]);
      show(p, e->arg[0], PREC_PREFIX);
      break;
    case EXPR_EPS: call(p, e, latex ? "\\varepsilon" : "ε"); break;
    case EXPR_INV:
    case EXPR_TRANSPOSE:
      show(p, e->arg[0], PREC_ATOM);
      put(p, e->op == EXPR_INV ? (latex ? "^{-1}" : "⁻¹") : latex ? "^{\\mathsf{T}}" : "ᵀ");
      break;
    case EXPR_JUMP: bracket(p, e, latex ? "[\\![" : "⟦", latex ? "]\\!]" : "⟧"); break;
    case EXPR_AVG: bracket(p, e, latex ? "\\{\\!\\{" : "{{", latex ? "\\}\\!\\}" : "}}"); break;
    default: call(p, e, text ? expr_op_text((ExprOp)e->op) : ""); break;
  }
}

static const char *latex_of(ExprOp op) {
  static const char *const latex[] = {
#define EXPR(op, arity, level, text, latex) latex,
#include "expr.def"
#undef EXPR
  };
  return latex[op];
}

static void function(Printer *p, Expr *e) {
  const char *text = expr_op_text((ExprOp)e->op);
  bool latex = p->style == EXPR_LATEX, unicode = p->style == EXPR_UNICODE;
  if (e->op == EXPR_DX) {
    buf_printf(p->out, "d%c(", "xyz"[e->index[0]]);
    list(p, e);
    put(p, ")");
  } else if (e->op == EXPR_ABS && (latex || unicode)) bracket(p, e, latex ? "\\left|" : "|", latex ? "\\right|" : "|");
  else if ((e->op == EXPR_SQRT || e->op == EXPR_CBRT) && latex) bracket(p, e, e->op == EXPR_SQRT ? "\\sqrt{" : "\\sqrt[3]{", "}");
  else if ((e->op == EXPR_SQRT || e->op == EXPR_CBRT) && unicode) call(p, e, e->op == EXPR_SQRT ? "√" : "∛");
  else call(p, e, latex ? latex_of((ExprOp)e->op) : text);
}

static bool has_own_sign(ExprOp op) {
  switch (op) {
    case EXPR_DOT: case EXPR_INNER: case EXPR_OUTER: case EXPR_CROSS: case EXPR_GRAD: case EXPR_DIVERGENCE: case EXPR_CURL: case EXPR_LAP:
    case EXPR_DT: case EXPR_DTT: case EXPR_DX: case EXPR_EPS: case EXPR_INV: case EXPR_TRANSPOSE: case EXPR_JUMP: case EXPR_AVG: return true;
    default: return false;
  }
}

/* Precedence in this style: what text writes as a call may be an operator here. */
static int prec_of(const Printer *p, Expr *e) {
  if (p->style == EXPR_TEXT) return text_prec(e);
  bool derived = e->op == EXPR_TERM && (e->symbol.dt || e->symbol.dx[0] || e->symbol.dx[1] || e->symbol.dx[2] || e->symbol.kind == SYMBOL_TRIAL);
  switch (e->op) {
    case EXPR_DOT: case EXPR_INNER: case EXPR_OUTER: case EXPR_CROSS: return PREC_PRODUCT;
    case EXPR_GRAD: case EXPR_DIVERGENCE: case EXPR_CURL: case EXPR_LAP: case EXPR_DT: case EXPR_DTT: case EXPR_DX: return PREC_PREFIX;
    case EXPR_INV: case EXPR_TRANSPOSE: return PREC_POWER;
    case EXPR_INTEGRAL: return p->style == EXPR_LATEX ? PREC_PRODUCT : PREC_ATOM;
    case EXPR_TERM: return derived ? PREC_PREFIX : PREC_ATOM;
    default: return text_prec(e);
  }
}

static void relation(Printer *p, Expr *e) {
  static const struct { const char *unicode; int prec; } of[] = {
    [EXPR_LT - EXPR_LT] = {"<", PREC_COMPARE},  [EXPR_LE - EXPR_LT] = {"≤", PREC_COMPARE}, [EXPR_GT - EXPR_LT] = {">", PREC_COMPARE},
    [EXPR_GE - EXPR_LT] = {"≥", PREC_COMPARE},  [EXPR_EQ - EXPR_LT] = {"=", PREC_EQUAL},   [EXPR_NE - EXPR_LT] = {"≠", PREC_EQUAL},
    [EXPR_AND - EXPR_LT] = {"and", PREC_AND},   [EXPR_OR - EXPR_LT] = {"or", PREC_OR},
  };
  int k = e->op - EXPR_LT;
  infix(p, e, p->style == EXPR_TEXT ? expr_op_text((ExprOp)e->op) : p->style == EXPR_UNICODE ? of[k].unicode : latex_of((ExprOp)e->op), of[k].prec, true);
}

static void show_bare(Printer *p, Expr *e) {
  switch (e->op) {
    case EXPR_CONST: constant(p, e); break;
    case EXPR_ZERO: put(p, "0"); break;
    case EXPR_COORD: buf_putc(p->out, "xyz"[e->index[0]]); break;
    case EXPR_TIME: put(p, "t"); break;
    case EXPR_NORMAL: put(p, "n"); break;
    case EXPR_SIZE: put(p, "h"); break;
    case EXPR_IDENTITY: put(p, "I"); break;
    case EXPR_LAMBDA: token(p, "lambda", "λ", "\\lambda"); break;
    case EXPR_PARAM:
      if (e->index[2]) named_component(p, e->name, e->index[1], e->index[2] <= 3);
      else name(p, e->name);
      break;
    case EXPR_SYMBOL: symbol(p, e); break;
    case EXPR_TERM: term(p, e); break;
    case EXPR_NORMAL_COMPONENT: buf_printf(p->out, p->style == EXPR_LATEX ? "n_{%c}" : "n.%c", "xyz"[e->index[0]]); break;
    case EXPR_ADD: case EXPR_SUB: sum(p, e); break;
    case EXPR_NEG:
      put(p, "-");
      show(p, e->arg[0], text_prec(e) == PREC_PRODUCT ? PREC_PRODUCT : PREC_PREFIX);
      break;
    case EXPR_MUL: case EXPR_DIV: product(p, e); break;
    case EXPR_POW: power(p, e); break;
    case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE: case EXPR_AND: case EXPR_OR: relation(p, e); break;
    case EXPR_NOT:
      token(p, "not ", "not ", "\\lnot ");
      show(p, e->arg[0], PREC_NOT);
      break;
    case EXPR_IF: condition(p, e); break;
    case EXPR_VECTOR: case EXPR_TENSOR: matrix(p, e); break;
    case EXPR_COMPONENT: component(p, e); break;
    case EXPR_REGIONS: regions(p, e); break;
    case EXPR_INTEGRAL: integral(p, e); break;
    case EXPR_HOSTCALL: case EXPR_TABLE:
      name(p, e->name);
      for (int k = 0; e->op == EXPR_TABLE && k < e->n; k++)
        for (int i = 0; i < e->index[k]; i++) token(p, "'", "′", "'");
      open(p);
      list(p, e);
      close(p);
      break;
    default: p->style != EXPR_TEXT && has_own_sign((ExprOp)e->op) ? tensor(p, e) : function(p, e);
  }
}

static void show(Printer *p, Expr *e, int least) {
  if (p->out->len >= p->limit || p->depth >= PRINT_DEPTH) {
    if (!p->full) token(p, "...", "…", "\\dots ");
    p->full = p->out->len >= p->limit;
    return;
  }
  p->depth++;
  bool wrap = prec_of(p, e) < least;
  if (wrap) open(p);
  show_bare(p, e);
  if (wrap) close(p);
  p->depth--;
}

void expr_print(Buf *out, Expr *e, ExprStyle style) {
  if (style == EXPR_MATHML) {
    expr_print_mathml(out, e);
    return;
  }
  show(&(Printer){out, style, out->len + PRINT_LIMIT, false, 0}, e, PREC_IF);
}
