#include "doc_math.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT, LATEX, MATHML, STYLES };
typedef const char *Form[STYLES];        /* the same piece in each; $1 .. $3 are its parts */

typedef struct Pen { Buf *out; int style; } Pen;

/* What binds more tightly is larger. */
enum { ANY, CHOICE, OR, AND, COMPARE, SUM, PRODUCT, PREFIX, POWER, ATOM };

static void show(Pen pen, const Ast *e, int least);

/* --- names and numbers --- */

static const struct { const char *name, *sign, *latex; } letters[] = {
    {"alpha", "α", "\\alpha"}, {"beta", "β", "\\beta"}, {"gamma", "γ", "\\gamma"}, {"eta", "η", "\\eta"}, {"theta", "θ", "\\theta"}, {"kappa", "κ", "\\kappa"}, {"lambda", "λ", "\\lambda"},
    {"mu", "μ", "\\mu"}, {"nu", "ν", "\\nu"}, {"pi", "π", "\\pi"}, {"rho", "ρ", "\\rho"}, {"sigma", "σ", "\\sigma"}, {"phi", "φ", "\\varphi"}, {"Linf", "∞", "\\infty"}, {"max", "max", "\\max"}, {"min", "min", "\\min"},
};

static void latex_word(Buf *out, const char *text) {
  for (const char *s = text; *s; s++) {
    if (strchr("_%&#${}", *s)) buf_putc(out, '\\');
    buf_putc(out, *s);
  }
}

static void xml_text(Buf *out, const char *text) {
  for (const char *s = text; *s; s++) {
    if (*s == '<') buf_puts(out, "&lt;");
    else if (*s == '&') buf_puts(out, "&amp;");
    else buf_putc(out, *s);
  }
}

static void name(Pen pen, const char *text) {
  const char *sign = text, *latex = NULL;
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (!strcmp(letters[i].name, text)) sign = letters[i].sign, latex = letters[i].latex;
  if (pen.style == TEXT) buf_puts(pen.out, sign);
  else if (pen.style == MATHML) buf_printf(pen.out, "<mi>%s</mi>", sign);
  else if (latex || !text[1]) buf_puts(pen.out, latex ? latex : text);
  else {
    buf_puts(pen.out, "\\mathrm{");
    latex_word(pen.out, text);
    buf_putc(pen.out, '}');
  }
}

/* Words of our own: "if", "needs". */
static void word(Pen pen, const char *text) {
  if (pen.style == TEXT) buf_puts(pen.out, text);
  else if (pen.style == LATEX) buf_printf(pen.out, "\\text{%s}", text);
  else {
    buf_puts(pen.out, "<mtext>");
    for (const char *s = text; *s; s++) *s == ' ' ? buf_puts(pen.out, "&#xa0;") : buf_putc(pen.out, *s);
    buf_puts(pen.out, "</mtext>");
  }
}

static void raised(Buf *out, const char *digits) {
  static const char *const high[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (const char *s = digits; *s; s++) buf_puts(out, *s == '-' ? "⁻" : isdigit((unsigned char)*s) ? high[*s - '0'] : "");
}

/* 1e-2 is a power of ten, 5e-2 a multiple of one; everything else stands as it was written. */
static void number(Pen pen, const Ast *e) {
  const char *text = e->text ? e->text : "0", *exponent = strpbrk(text, "eE");
  size_t n = exponent ? (size_t)(exponent - text) : strlen(text);
  bool one = exponent && n == 1 && *text == '1';
  if (pen.style == MATHML) buf_puts(pen.out, "<mrow>");
  if (!one) buf_printf(pen.out, pen.style == MATHML ? "<mn>%.*s</mn>" : "%.*s", (int)n, text);
  if (exponent) {
    const char *power = exponent + 1 + (exponent[1] == '+');
    if (!one) buf_puts(pen.out, pen.style == TEXT ? "·" : pen.style == LATEX ? " \\cdot " : "<mo>·</mo>");
    if (pen.style == TEXT) buf_puts(pen.out, "10"), raised(pen.out, power);
    else buf_printf(pen.out, pen.style == LATEX ? "10^{%s}" : "<msup><mn>10</mn><mn>%s</mn></msup>", power);
  }
  if (pen.style == MATHML) buf_puts(pen.out, "</mrow>");
}

/* --- pieces --- */

static void fill(Pen pen, const Form form, const Ast *const *part, const int *least) {
  for (const char *s = form[pen.style]; *s; s++)
    if (*s == '$' && s[1] >= '1' && s[1] <= '3') {
      int k = *++s - '1';
      if (pen.style == MATHML) buf_puts(pen.out, "<mrow>");
      show(pen, part[k], least[k]);
      if (pen.style == MATHML) buf_puts(pen.out, "</mrow>");
    } else buf_putc(pen.out, *s);
}

static void fill_one(Pen pen, const Form form, const Ast *a, int least) { fill(pen, form, &a, &least); }

/* base with an index; text in braces where it is more than one letter. */
static void indexed(Pen pen, const Buf *base, const Buf *index) {
  const char *b = buf_str((Buf *)base), *i = buf_str((Buf *)index);
  if (!index->len) buf_puts(pen.out, b);
  else if (pen.style == LATEX) buf_printf(pen.out, "%s_{%s}", b, i);
  else if (pen.style == MATHML) buf_printf(pen.out, "<msub><mrow>%s</mrow><mrow>%s</mrow></msub>", b, i);
  else if (!strcmp(i, "∞")) buf_printf(pen.out, "%s%s", b, i);
  else buf_printf(pen.out, strpbrk(i, " (,") ? "%s_{%s}" : "%s_%s", b, i);
}

static void separate(Pen pen) {
  if (pen.out->len) buf_puts(pen.out, pen.style == MATHML ? "<mo>,</mo>" : ", ");
}

static void list(Pen pen, Ast *const *items, int n) {
  for (int i = 0; i < n; i++) {
    if (i) buf_puts(pen.out, pen.style == MATHML ? "<mo>,</mo>" : ", ");
    show(pen, items[i], ANY);
  }
}

static void bracket(Pen pen, const char *left, const char *right, Ast *const *items, int n) {
  static const char *const braces[] = {"%s", "%s", "<mo>%s</mo>"};
  if (pen.style == MATHML) buf_puts(pen.out, "<mrow>");
  buf_printf(pen.out, braces[pen.style], left);
  list(pen, items, n);
  buf_printf(pen.out, braces[pen.style], right);
  if (pen.style == MATHML) buf_puts(pen.out, "</mrow>");
}

/* --- operators --- */

static const struct BinaryRow { int op, prec, left, right; Form form; } binaries[] = {
    {OP_ADD, SUM, SUM, SUM, {"$1 + $2", "$1 + $2", "$1<mo>+</mo>$2"}},
    {OP_SUB, SUM, SUM, PRODUCT, {"$1 − $2", "$1 - $2", "$1<mo>−</mo>$2"}},
    {OP_MUL, PRODUCT, PRODUCT, PREFIX, {"$1 $2", "$1\\,$2", "$1<mspace width=\"0.17em\"/>$2"}},
    {OP_DIV, PRODUCT, PRODUCT, PREFIX, {"$1/$2", "\\frac{$1}{$2}", "<mfrac>$1$2</mfrac>"}},
    {OP_POW, POWER, ATOM, POWER, {"$1^$2", "{$1}^{$2}", "<msup>$1$2</msup>"}},
    {OP_CAT, SUM, SUM, PRODUCT, {"$1 ∪ $2", "$1 \\cup $2", "$1<mo>∪</mo>$2"}},
    {OP_DOT, PRODUCT, PRODUCT, PREFIX, {"$1·$2", "$1 \\cdot $2", "$1<mo>·</mo>$2"}},
    {OP_CROSS, PRODUCT, PRODUCT, PREFIX, {"$1×$2", "$1 \\times $2", "$1<mo>×</mo>$2"}},
    {OP_OUTER, PRODUCT, PRODUCT, PREFIX, {"$1⊗$2", "$1 \\otimes $2", "$1<mo>⊗</mo>$2"}},
    {OP_AND, AND, AND, AND, {"$1 and $2", "$1 \\wedge $2", "$1<mo>∧</mo>$2"}},
    {OP_OR, OR, OR, OR, {"$1 or $2", "$1 \\vee $2", "$1<mo>∨</mo>$2"}},
    {OP_LT, COMPARE, SUM, SUM, {"$1 < $2", "$1 < $2", "$1<mo>&lt;</mo>$2"}},
    {OP_GT, COMPARE, SUM, SUM, {"$1 > $2", "$1 > $2", "$1<mo>&gt;</mo>$2"}},
    {OP_LE, COMPARE, SUM, SUM, {"$1 ≤ $2", "$1 \\le $2", "$1<mo>≤</mo>$2"}},
    {OP_GE, COMPARE, SUM, SUM, {"$1 ≥ $2", "$1 \\ge $2", "$1<mo>≥</mo>$2"}},
    {OP_NE, COMPARE, SUM, SUM, {"$1 ≠ $2", "$1 \\ne $2", "$1<mo>≠</mo>$2"}},
    {OP_IN, COMPARE, SUM, SUM, {"$1 ∈ $2", "$1 \\in $2", "$1<mo>∈</mo>$2"}},
    {OP_AT, PREFIX, PREFIX, SUM, {"$1(t = $2)", "\\left.$1\\right|_{t = $2}", "<msub>$1<mrow><mo>|</mo><mi>t</mi><mo>=</mo>$2</mrow></msub>"}},
};
enum { BINARIES = sizeof binaries / sizeof *binaries };
static const Form equation = {"$1 = $2", "$1 = $2", "$1<mo>=</mo>$2"};

static const struct BinaryRow *binary_row(int op) {
  for (int i = 0; i < BINARIES; i++)
    if (binaries[i].op == op) return &binaries[i];
  return NULL;
}

static const Ast *bare(const Ast *e) { return e->kind == AST_PAREN ? bare(e->kid[0]) : e; }

static void binary(Pen pen, const Ast *e) {
  const struct BinaryRow *row = binary_row(e->op);
  const Ast *part[] = {e->kid[0], e->kid[1]};
  int least[] = {row->left, row->right};
  bool fraction = e->op == OP_DIV && pen.style != TEXT;        /* a bar is its own bracket */
  if (fraction) least[0] = least[1] = ANY;
  const Ast *power = e->op == OP_POW ? bare(e->kid[1]) : NULL;
  if (power && pen.style == TEXT && power->kind == AST_NUMBER && strspn(power->text, "0123456789") == strlen(power->text)) {
    show(pen, part[0], ATOM);
    raised(pen.out, power->text);
    return;
  }
  fill(pen, row->form, part, least);
}

static int precedence(const Ast *e) {
  const struct BinaryRow *row = e->kind == AST_BINARY ? binary_row(e->op) : NULL;
  if (row) return row->prec;
  switch (e->kind) {
    case AST_EQUATION:
    case AST_CHAIN: return COMPARE;
    case AST_IFEXPR: return CHOICE;
    case AST_UNARY: return e->op == OP_SQUARE || e->op == OP_CUBE ? POWER : e->op == OP_NEG ? SUM : PREFIX;
    default: return ATOM;
  }
}

/* --- functions --- */

/* sign: what carries the index that labels make (on: part); NULL: the whole. body: of the first arguments. */
static const struct FunctionRow { const char *name; int n; int least; Form sign, body; } functions[] = {
    {"norm", 1, ANY, {NULL}, {"‖$1‖", "\\left\\|$1\\right\\|", "<mo>‖</mo>$1<mo>‖</mo>"}},
    {"abs", 1, ANY, {NULL}, {"|$1|", "\\left|$1\\right|", "<mrow><mo>|</mo>$1<mo>|</mo></mrow>"}},
    {"sqrt", 1, ATOM, {NULL}, {"√$1", "\\sqrt{$1}", "<msqrt>$1</msqrt>"}},
    {"integral", 1, PRODUCT, {"∫", "\\int", "<mo>∫</mo>"}, {" $1", " $1", "$1"}},
    {"mean", 1, ANY, {"mean", "\\operatorname{mean}", "<mi>mean</mi>"}, {"($1)", "\\left($1\\right)", "<mo>(</mo>$1<mo>)</mo>"}},
    {"max", 1, ANY, {"max", "\\max", "<mi>max</mi>"}, {" $1", " $1", "$1"}},
    {"min", 1, ANY, {"min", "\\min", "<mi>min</mi>"}, {" $1", " $1", "$1"}},
    {"largest_rise", 1, PRODUCT, {"max Δ", "\\max \\Delta", "<mi>max</mi><mo>Δ</mo>"}, {" $1", " $1", "$1"}},
    {"dot", 2, PREFIX, {NULL}, {"$1·$2", "$1 \\cdot $2", "$1<mo>·</mo>$2"}},
    {"inner", 2, PREFIX, {NULL}, {"$1:$2", "$1 : $2", "$1<mo>:</mo>$2"}},
    {"outer", 2, PREFIX, {NULL}, {"$1⊗$2", "$1 \\otimes $2", "$1<mo>⊗</mo>$2"}},
    {"cross", 2, PREFIX, {NULL}, {"$1×$2", "$1 \\times $2", "$1<mo>×</mo>$2"}},
    {"grad", 1, PREFIX, {NULL}, {"∇$1", "\\nabla $1", "<mo>∇</mo>$1"}},
    {"div", 1, PREFIX, {NULL}, {"∇·$1", "\\nabla\\cdot $1", "<mo>∇</mo><mo>·</mo>$1"}},
    {"lap", 1, PREFIX, {NULL}, {"Δ$1", "\\Delta $1", "<mo>Δ</mo>$1"}},
    {"eps", 1, ANY, {NULL}, {"ε($1)", "\\varepsilon($1)", "<mi>ε</mi><mo>(</mo>$1<mo>)</mo>"}},
    {"dt", 1, PREFIX, {NULL}, {"∂ₜ$1", "\\partial_t $1", "<msub><mo>∂</mo><mi>t</mi></msub>$1"}},
    {"dtt", 1, PREFIX, {NULL}, {"∂ₜₜ$1", "\\partial_{tt} $1", "<msub><mo>∂</mo><mi>tt</mi></msub>$1"}},
    {"evaluate", 2, ANY, {NULL}, {"$1($2)", "$1($2)", "$1<mo>(</mo>$2<mo>)</mo>"}},
    {"right_side", 2, ANY, {NULL}, {"rhs $1($2)", "\\operatorname{rhs} $1($2)", "<mi>rhs</mi>$1<mo>(</mo>$2<mo>)</mo>"}},
    {"residual", 2, ANY, {NULL}, {"⟦$1⟧($2)", "\\llbracket $1 \\rrbracket($2)", "<mo>⟦</mo>$1<mo>⟧</mo><mo>(</mo>$2<mo>)</mo>"}},
    {"residual", 1, ANY, {NULL}, {"⟦$1⟧", "\\llbracket $1 \\rrbracket", "<mo>⟦</mo>$1<mo>⟧</mo>"}},
    {"scale", 1, ANY, {"S", "S", "<mi>S</mi>"}, {"", "", ""}},
    {"largest", 1, ANY, {"S∞", "S^\\infty", "<msup><mi>S</mi><mi>∞</mi></msup>"}, {"", "", ""}},
    {"measure", 1, ANY, {"|Ω|", "|\\Omega|", "<mo>|</mo><mi>Ω</mi><mo>|</mo>"}, {"", "", ""}},
    {"duration", 1, ANY, {"T", "T", "<mi>T</mi>"}, {"", "", ""}},
    {"domain", 1, ANY, {"Z", "Z", "<mi>Z</mi>"}, {"", "", ""}},
    {"upper", 2, ANY, {NULL}, {"max $2", "\\max $2", "<mi>max</mi>$2"}},
    {"lower", 2, ANY, {NULL}, {"min $2", "\\min $2", "<mi>min</mi>$2"}},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_call(const Ast *e, const char *callee) { return e->kind == AST_CALL && e->kid[0]->kind == AST_NAME && !strcmp(e->kid[0]->name, callee); }

static int plain_arguments(const Ast *call) {
  int n = 0;
  while (n + 1 < call->n && call->kid[n + 1]->kind != AST_ARG) n++;
  return n;
}

/* Labels of a measure as an index: the part, a window of time, what is measured. */
static void labels(Pen pen, const Ast *call) {
  static const struct { const char *label; Form form; } rows[] = {
      {"on", {"$1", "$1", "$1"}}, {"of", {"$1", "$1", "$1"}}, {"until", {"t ≤ $1", "t \\le $1", "<mi>t</mi><mo>≤</mo>$1"}},
      {"from", {"t ≥ $1", "t \\ge $1", "<mi>t</mi><mo>≥</mo>$1"}}, {"at", {"t = $1", "t = $1", "<mi>t</mi><mo>=</mo>$1"}}};
  for (int i = 1; i < call->n; i++)
    for (size_t k = 0; k < sizeof rows / sizeof *rows && call->kid[i]->kind == AST_ARG; k++)
      if (!strcmp(call->kid[i]->name, rows[k].label)) {
        separate(pen);
        fill_one(pen, rows[k].form, call->kid[i]->kid[0], ANY);
      }
}

static const struct FunctionRow *function_row(const Ast *call) {
  int n = plain_arguments(call);
  for (int i = 0; i < FUNCTIONS; i++)
    if (is_call(call, functions[i].name) && (n == functions[i].n || (!strcmp(functions[i].name, "norm") && n == 2))) return &functions[i];
  return NULL;
}

static void plain_call(Pen pen, const Ast *e) {
  show(pen, e->kid[0], ATOM);
  bracket(pen, "(", ")", e->kid + 1, e->n - 1);
}

static void call(Pen pen, const Ast *e) {
  const struct FunctionRow *row = function_row(e);
  if (!row) {
    plain_call(pen, e);
    return;
  }
  Buf base = {0}, index = {0};
  Pen on_index = {&index, pen.style}, on_base = {&base, pen.style};
  const Ast *part[] = {row->n ? e->kid[1] : NULL, row->n > 1 ? e->kid[2] : NULL};
  int least[] = {row->least, row->least};
  if (plain_arguments(e) > row->n) show(on_index, e->kid[row->n + 1], ANY);      /* norm(f, Linf) */
  if (row->n == 1 && is_call(part[0], "history")) {      /* a number at each time */
    part[0] = part[0]->kid[1];
    separate(on_index);
    name(on_index, "t");
  }
  labels(on_index, e);
  if (row->sign[TEXT]) {
    buf_puts(&base, row->sign[pen.style]);
    indexed(pen, &base, &index);
    fill(pen, row->body, part, least);
  } else {
    fill(on_base, row->body, part, least);
    indexed(pen, &base, &index);
  }
  buf_free(&base);
  buf_free(&index);
}

/* --- expressions --- */

static void with_index(Pen pen, const Ast *of, Ast *const *at, int n, const char *member) {
  Buf base = {0}, index = {0};
  show((Pen){&base, pen.style}, of, ATOM);
  if (member) name((Pen){&index, pen.style}, member);
  else list((Pen){&index, pen.style}, at, n);
  indexed(pen, &base, &index);
  buf_free(&base);
  buf_free(&index);
}

/* times(m)[0] is t₀, times(m)[-1] the last. */
static void time_of(Pen pen, const Ast *at) {
  Buf base = {0}, index = {0};
  name((Pen){&base, pen.style}, "t");
  if (at->kind == AST_UNARY) name((Pen){&index, pen.style}, "end");
  else show((Pen){&index, pen.style}, at, ANY);
  if (pen.style == TEXT && !strcmp(buf_str(&index), "0")) buf_puts(pen.out, "t₀");
  else indexed(pen, &base, &index);
  buf_free(&base);
  buf_free(&index);
}

static void changed(Pen pen, const Ast *e) {
  static const char *const open[] = {"[", "[", "<mo>[</mo>"}, *const close[] = {"]", "]", "<mo>]</mo>"}, *const arrow[] = {" ← ", " \\leftarrow ", "<mo>←</mo>"};
  show(pen, e->kid[0], ATOM);
  buf_puts(pen.out, open[pen.style]);
  for (int i = 1; i < e->n; i++) {
    if (i > 1) buf_puts(pen.out, pen.style == MATHML ? "<mo>,</mo>" : ", ");
    name(pen, e->kid[i]->name);
    buf_puts(pen.out, arrow[pen.style]);
    show(pen, e->kid[i]->kid[0], ANY);
  }
  buf_puts(pen.out, close[pen.style]);
}

static void choice(Pen pen, const Ast *e) {
  static const Form form = {"$2 if $1, else $3", "\\begin{cases} $2 & \\text{if } $1 \\\\ $3 & \\text{otherwise} \\end{cases}",
                            "<mo>{</mo><mtable><mtr><mtd>$2</mtd><mtd><mtext>if&#xa0;</mtext>$1</mtd></mtr><mtr><mtd>$3</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable>"};
  const Ast *part[] = {e->kid[0], e->kid[1], e->kid[2]};
  fill(pen, form, part, (int[]){OR, OR, OR});
}

static void chain(Pen pen, const Ast *e) {
  for (int i = 0; i < e->n; i++) {
    const struct BinaryRow *row = i ? binary_row(e->text[i - 1]) : NULL;
    const char *sign = row ? strstr(row->form[pen.style], "$1") + 2 : "";
    buf_add(pen.out, sign, strcspn(sign, "$"));
    show(pen, e->kid[i], SUM);
  }
}

static void unary(Pen pen, const Ast *e) {
  static const struct { int op; Form form; } rows[] = {
      {OP_NEG, {"−$1", "-$1", "<mo>−</mo>$1"}}, {OP_NOT, {"not $1", "\\neg $1", "<mo>¬</mo>$1"}}, {OP_GRAD, {"∇$1", "\\nabla $1", "<mo>∇</mo>$1"}},
      {OP_DIVERGENCE, {"∇·$1", "\\nabla\\cdot $1", "<mo>∇</mo><mo>·</mo>$1"}}, {OP_CURL, {"∇×$1", "\\nabla\\times $1", "<mo>∇</mo><mo>×</mo>$1"}},
      {OP_LAP, {"Δ$1", "\\Delta $1", "<mo>Δ</mo>$1"}}, {OP_DT, {"∂ₜ$1", "\\partial_t $1", "<msub><mo>∂</mo><mi>t</mi></msub>$1"}},
      {OP_SQUARE, {"$1²", "{$1}^2", "<msup>$1<mn>2</mn></msup>"}}, {OP_CUBE, {"$1³", "{$1}^3", "<msup>$1<mn>3</mn></msup>"}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].op == e->op) fill_one(pen, rows[i].form, e->kid[0], e->op == OP_SQUARE || e->op == OP_CUBE ? ATOM : PREFIX);
}

static void quoted(Pen pen, const Ast *e) {
  Buf text = {0};
  buf_printf(&text, "“%s”", e->text);
  if (pen.style == MATHML) buf_puts(pen.out, "<mtext>"), xml_text(pen.out, buf_str(&text)), buf_puts(pen.out, "</mtext>");
  else if (pen.style == LATEX) buf_puts(pen.out, "\\text{"), latex_word(pen.out, buf_str(&text)), buf_putc(pen.out, '}');
  else buf_puts(pen.out, buf_str(&text));
  buf_free(&text);
}

static void show_bare(Pen pen, const Ast *e) {
  static const Form range = {"$1..$2", "$1..$2", "$1<mo>..</mo>$2"};
  const Ast *part[] = {e->n ? e->kid[0] : NULL, e->n > 1 ? e->kid[1] : NULL};
  switch (e->kind) {
    case AST_NAME: name(pen, e->name); break;
    case AST_NUMBER: number(pen, e); break;
    case AST_STRING: quoted(pen, e); break;
    case AST_BOOL: word(pen, e->number != 0 ? "true" : "false"); break;
    case AST_TUPLE: bracket(pen, "(", ")", e->kid, e->n); break;
    case AST_LIST: bracket(pen, "[", "]", e->kid, e->n); break;
    case AST_CALL: call(pen, e); break;
    case AST_ARG:
      name(pen, e->name);
      buf_puts(pen.out, pen.style == MATHML ? "<mo>:</mo>" : ": ");
      if (e->n && e->kid[0]) show(pen, e->kid[0], ANY);
      break;
    case AST_INDEX: is_call(e->kid[0], "times") ? time_of(pen, e->kid[1]) : with_index(pen, e->kid[0], e->kid + 1, e->n - 1, NULL); break;
    case AST_MEMBER: with_index(pen, e->kid[0], NULL, 0, e->name); break;
    case AST_WITH: changed(pen, e); break;
    case AST_UNARY: unary(pen, e); break;
    case AST_BINARY:
      if (binary_row(e->op)) binary(pen, e);
      break;
    case AST_CHAIN: chain(pen, e); break;
    case AST_EQUATION: fill(pen, equation, part, (int[]){SUM, SUM}); break;
    case AST_RANGE: fill(pen, range, part, (int[]){SUM, SUM}); break;
    case AST_IFEXPR: choice(pen, e); break;
    default: word(pen, "…");
  }
}

static void show(Pen pen, const Ast *e, int least) {
  e = bare(e);      /* brackets are set anew, where they are needed */
  bool wrap = precedence(e) < least;
  if (wrap) buf_puts(pen.out, pen.style == LATEX ? "\\left(" : pen.style == MATHML ? "<mrow><mo>(</mo>" : "(");
  show_bare(pen, e);
  if (wrap) buf_puts(pen.out, pen.style == LATEX ? "\\right)" : pen.style == MATHML ? "<mo>)</mo></mrow>" : ")");
}

/* --- the lines of a contract --- */

static void line_begin(Pen pen, int depth) {
  static const char *const start[] = {"    ", "  & ", "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">"};
  static const char *const step[] = {"    ", "\\quad ", "<mspace width=\"2em\"/>"};
  buf_puts(pen.out, start[pen.style]);
  for (int i = 0; i < depth; i++) buf_puts(pen.out, step[pen.style]);
}

static void line_end(Pen pen) {
  static const char *const end[] = {"\n", " \\\\\n", "</math>\n"};
  buf_puts(pen.out, end[pen.style]);
}

static void probe(Pen pen, const Ast *phrase) {
  for (int i = 0; phrase && i < phrase->n; i++) {
    if (i) buf_puts(pen.out, pen.style == MATHML ? "<mo>,</mo>" : ", ");
    show(pen, phrase->kid[i]->kind == AST_WHERE ? phrase->kid[i]->kid[0] : phrase->kid[i], ANY);
  }
}

static void lines(Pen pen, const Ast *block, int depth);

static void line(Pen pen, const Ast *s, int depth) {
  bool assigns = s->kind == AST_ASSIGN, severity = assigns && s->kid[0]->kind == AST_NAME && !strcmp(s->kid[0]->name, "severity");
  bool is_probe = s->kind == AST_DECL && !strcmp(s->name, "probe");
  if (severity || (!assigns && !is_probe && s->kind != AST_NEEDS && s->kind != AST_FOR && s->kind != AST_IF)) return;
  line_begin(pen, depth);
  if (is_probe) probe(pen, s->kid[0]);
  else if (assigns) {
    fill(pen, equation, (const Ast *[]){s->kid[0], s->kid[1]}, (int[]){ANY, ANY});
  } else if (s->kind == AST_NEEDS) {
    word(pen, "needs ");
    show(pen, s->kid[0], ANY);
  } else if (s->kind == AST_IF) {
    word(pen, "if ");
    show(pen, s->kid[0], ANY);
  } else {
    word(pen, "for ");
    s->name ? name(pen, s->name) : show(pen, s->kid[0], ANY);
    word(pen, " in ");
    show(pen, s->kid[1], ANY);
  }
  line_end(pen);
  if (s->kind == AST_FOR) lines(pen, s->kid[2], depth + 1);
  if (s->kind == AST_IF) lines(pen, s->kid[1], depth + 1);
}

static void lines(Pen pen, const Ast *block, int depth) {
  for (int i = 0; i < block->n; i++)
    if (block->kid[i]) line(pen, block->kid[i], depth);
}

/* What the signs stand for, as far as they are used. */
static bool note_sign(const Ast *e, void *user) {
  static const char *const callees[] = {"residual", "scale", "largest"};
  for (int i = 0; i < 3; i++)
    if (is_call(e, callees[i])) *(int *)user |= 1 << i;
  return true;
}

static void legend(Buf *out, const Ast *block) {
  static const char *const meanings[] = {"⟦e⟧ the left side of e less its right side", "S the typical size of the map's own fields", "S∞ the largest size of the map's own fields"};
  int used = 0, said = 0;
  ast_walk(block, note_sign, &used);
  for (int i = 0; i < 3; i++)
    if (used & 1 << i) buf_printf(out, "%s%s", said++ ? ", " : "    with ", meanings[i]);
  if (said) buf_putc(out, '\n');
}

void doc_contract(Buf *out, const Ast *decl, ExprStyle style) {
  Pen pen = {out, style == EXPR_LATEX ? LATEX : style == EXPR_MATHML ? MATHML : TEXT};
  const Ast *block = decl->n > 2 ? decl->kid[2] : NULL;
  if (!block || block->kind != AST_BLOCK) return;
  buf_putc(out, '\n');
  if (pen.style == LATEX) buf_puts(out, "\\begin{aligned}\n");
  lines(pen, block, 0);
  if (pen.style == TEXT) legend(out, block);
  if (pen.style == LATEX) buf_puts(out, "\\end{aligned}\n");
}
