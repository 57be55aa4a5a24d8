/* Layout shared by the printers. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"
#include "expr_print.h"

enum { PARTS_MAX = 1 << 16 };   /* x + x of x + x of ...: a DAG may be exponentially longer as a sum */

static void put(Parts *parts, Expr *e, bool inverse) {
  if (parts->n == parts->cap) {
    parts->cap = parts->cap ? parts->cap * 2 : 8;
    parts->at = expr_memory(parts->at, (size_t)parts->cap * sizeof *parts->at);
  }
  parts->at[parts->n++] = (Part){e, inverse};
}

void parts_free(Parts *parts) { free(parts->at); }

static bool is_sum(Expr *e) { return e->op == EXPR_ADD || e->op == EXPR_SUB; }

/* Down the longer side by a loop: sums of thousands of terms are chains. Terms come last first. */
static void collect_sum(Parts *parts, Expr *e) {
  while (is_sum(e) && parts->n < PARTS_MAX) {
    Expr *a = e->arg[0], *b = e->arg[1];
    if (e->op == EXPR_SUB) {
      put(parts, b, true);
      e = a;
    } else if (is_sum(a) && is_sum(b)) {
      collect_sum(parts, b);
      e = a;
    } else {
      put(parts, is_sum(b) ? a : b, false);
      e = is_sum(b) ? b : a;
    }
  }
  put(parts, e, false);
}

void parts_of_sum(Parts *parts, Expr *sum) {
  *parts = (Parts){0};
  collect_sum(parts, sum);
  for (int i = 0, j = parts->n - 1; i < j; i++, j--) {
    Part p = parts->at[i];
    parts->at[i] = parts->at[j];
    parts->at[j] = p;
  }
}

static void collect_product(Parts *parts, Expr *e, bool inverse) {
  while ((e->op == EXPR_MUL || (e->op == EXPR_DIV && !inverse)) && parts->n < PARTS_MAX) {
    Expr *a = e->arg[0], *b = e->arg[1];
    if (e->op == EXPR_DIV) {
      collect_product(parts, b, true);
      e = a;
    } else if (a->op == EXPR_MUL || a->op == EXPR_DIV) {
      collect_product(parts, b, inverse);
      e = a;
    } else {
      put(parts, a, inverse);
      e = b;
    }
  }
  put(parts, e, inverse);
}

static int factor_class(const Part *p) {
  int c = p->e->op == EXPR_CONST ? 0 : p->e->op == EXPR_PARAM && !p->e->shape.rank ? 1 : p->e->shape.rank ? 3 : 2;
  return c + (p->inverse ? 10 : 0);
}

static int by_class(const void *a, const void *b) {
  const Part *p = a, *q = b;
  int c = factor_class(p) - factor_class(q);
  return c ? c : p->e->id < q->e->id ? -1 : p->e->id > q->e->id;
}

void parts_of_product(Parts *parts, Expr *product) {
  *parts = (Parts){0};
  collect_product(parts, product, false);
  qsort(parts->at, (size_t)parts->n, sizeof *parts->at, by_class);
}

int parts_below(const Parts *parts) {
  int below = 0;
  for (int i = 0; i < parts->n; i++) below += parts->at[i].inverse;
  return below;
}

int text_prec(Expr *e) {
  PiMultiple pi;
  switch (e->op) {
    case EXPR_CONST:
      if (unit_is_none(e->unit) && is_multiple_of_pi(e->value, &pi)) return pi.times > 1 || pi.over > 1 ? PREC_PRODUCT : pi.negative ? PREC_PREFIX : pi.power > 1 ? PREC_POWER : PREC_ATOM;
      return e->value < 0 ? PREC_PREFIX : PREC_ATOM;
    case EXPR_ADD: case EXPR_SUB: return PREC_SUM;
    case EXPR_MUL: case EXPR_DIV: return PREC_PRODUCT;
    case EXPR_NEG: return e->arg[0]->op == EXPR_MUL || e->arg[0]->op == EXPR_DIV ? PREC_PRODUCT : PREC_PREFIX;
    case EXPR_POW: return PREC_POWER;
    case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: return PREC_COMPARE;
    case EXPR_EQ: case EXPR_NE: return PREC_EQUAL;
    case EXPR_AND: return PREC_AND;
    case EXPR_OR: return PREC_OR;
    case EXPR_NOT: return PREC_NOT;
    case EXPR_IF: return PREC_IF;
    default: return PREC_ATOM;
  }
}

/* --- numbers --- */

static bool multiple_of(double unit, double value, PiMultiple *out) {
  static const int divisors[] = {2, 3, 4, 6};
  double k = value / unit;
  out->over = 1;
  out->times = k >= 0.5 && k <= 64 ? (int)round(k) : 0;
  if (out->times && out->times * unit == value) return true;
  out->times = 1;
  for (int i = 0; i < 4; i++) if (unit / (out->over = divisors[i]) == value) return true;
  return false;
}

bool is_multiple_of_pi(double value, PiMultiple *out) {
  out->negative = value < 0;
  value = fabs(value);
  for (out->power = 1; out->power <= 2; out->power++)
    if (multiple_of(out->power == 1 ? M_PI : M_PI * M_PI, value, out)) return true;
  return false;
}

bool is_negative_number(Expr *e) { return e->op == EXPR_CONST && e->value < 0; }

void print_constant(Buf *out, double value) {
  char text[40];
  int digits = 1;
  for (; digits <= 8; digits++) {
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    double near = strtod(text, NULL);
    if (near != value && fabs(near - value) <= 4 * DBL_EPSILON * fabs(value)) {
      print_number(out, near);
      return;
    }
  }
  print_number(out, value);
}

void print_number(Buf *out, double value) {
  if (!isfinite(value) || value == 0) {
    buf_number(out, value == 0 ? 0 : value);
    return;
  }
  char text[40], digits[24];
  int n = 1, len = 0;
  for (; n < 17; n++) {
    snprintf(text, sizeof text, "%.*e", n - 1, value);
    if (strtod(text, NULL) == value) break;
  }
  snprintf(text, sizeof text, "%.*e", n - 1, value);
  const char *e = strchr(text, 'e');
  int exponent = atoi(e + 1);
  for (const char *c = text; c < e; c++) if (*c >= '0' && *c <= '9') digits[len++] = *c;   /* whatever the locale's point is */
  if (value < 0) buf_putc(out, '-');
  if (exponent < -4 || exponent > 9) {
    buf_putc(out, digits[0]);
    if (len > 1) buf_printf(out, ".%.*s", len - 1, digits + 1);
    buf_printf(out, "e%d", exponent);
  } else if (exponent < 0) {
    buf_printf(out, "0.%.*s%.*s", -exponent - 1, "0000", len, digits);
  } else {
    for (int i = 0; i < len || i <= exponent; i++) {
      if (i == exponent + 1) buf_putc(out, '.');
      buf_putc(out, i < len ? digits[i] : '0');
    }
  }
}

/* --- names --- */

static const char *const GREEK[][2] = {
  {"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"}, {"eta", "η"}, {"theta", "θ"},
  {"iota", "ι"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"}, {"nu", "ν"}, {"xi", "ξ"}, {"pi", "π"}, {"rho", "ρ"}, {"sigma", "σ"},
  {"tau", "τ"}, {"upsilon", "υ"}, {"phi", "φ"}, {"chi", "χ"}, {"psi", "ψ"}, {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"},
  {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"}, {"Pi", "Π"}, {"Sigma", "Σ"}, {"Phi", "Φ"}, {"Psi", "Ψ"}, {"Omega", "Ω"},
};

static const char *greek(const char *key, size_t len, int from) {
  for (size_t i = 0; i < sizeof GREEK / sizeof *GREEK; i++)
    if (strlen(GREEK[i][from]) == len && !memcmp(GREEK[i][from], key, len)) return GREEK[i][1 - from];
  return NULL;
}

const char *greek_letter(const char *name, size_t len) { return greek(name, len, 0); }
const char *greek_word(const char *letter, size_t len) { return greek(letter, len, 1); }

NameParts name_parts(const char *name) {
  NameParts p = {.base = name, .sub = "", .component = ""};
  size_t len = strcspn(name, ".[");
  if (name[len]) {
    p.component = name + len + 1;
    p.component_len = (int)strcspn(p.component, "]");
  }
  size_t base = strcspn(name, "_");
  if (base && base + 1 < len) {
    p.sub = name + base + 1;
    p.sub_len = (int)(len - base - 1);
  } else {
    base = len;
    while (base > 1 && name[base - 1] >= '0' && name[base - 1] <= '9') base--;
    p.sub = name + base;
    p.sub_len = (int)(len - base);
  }
  p.base_len = (int)base;
  return p;
}
