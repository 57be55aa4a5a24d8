/* What the printers share: how sums and products are laid out, precedences, names, numbers. Seen by expr_print.c, expr_mathml.c, expr_layout.c. */
#ifndef EXPR_PRINT_H
#define EXPR_PRINT_H
#include "expr.h"

/* From loose to tight, as in the grammar (LANGUAGE.md, section 10). */
enum { PREC_IF, PREC_OR, PREC_AND, PREC_NOT, PREC_EQUAL, PREC_COMPARE, PREC_SUM, PREC_PRODUCT, PREC_PREFIX, PREC_POWER, PREC_ATOM };

/* A DAG may be exponentially longer as text, and as deep as a loop makes it; what is left out is shown as ... */
enum { PRINT_LIMIT = 1 << 20 /* bytes */, PRINT_DEPTH = 1000 };

typedef struct Part {
  Expr *e;
  bool inverse;   /* subtracted, or in the denominator */
} Part;

typedef struct Parts {
  Part *at;
  int n, cap;
} Parts;

void parts_of_sum(Parts *parts, Expr *sum);         /* in display order, with signs */
void parts_of_product(Parts *parts, Expr *product); /* numerator first: numbers, parameters, scalars, tensors; then the denominator */
int parts_below(const Parts *parts);                /* how many are in the denominator */
void parts_free(Parts *parts);

int text_prec(Expr *e);                 /* precedence as text */
typedef struct PiMultiple { int times, over, power; bool negative; } PiMultiple;
bool is_multiple_of_pi(double value, PiMultiple *out);         /* |value| == times*pi^power/over exactly, power 1 or 2 */
bool is_negative_number(Expr *e);                              /* a sum shows it by its sign */
void print_number(Buf *out, double value);                     /* 100, 0.25, 2e11: shortest that reads back, no locale */
void print_constant(Buf *out, double value);                   /* the same, but 0.41^2 as 0.1681: rounding in the last digits is not shown */
const char *greek_letter(const char *name, size_t len);        /* "sigma" -> "σ"; NULL */
const char *greek_word(const char *letter, size_t len);        /* "σ" -> "sigma"; NULL */

/* sigma_y, u.x, x1 taken apart. */
typedef struct NameParts {
  const char *base, *sub, *component;   /* "sigma", "y", "x"; sub and component may be empty */
  int base_len, sub_len, component_len;
} NameParts;
NameParts name_parts(const char *name);

void expr_print_mathml(Buf *out, Expr *e);

#endif
