/* What the files of the form room share; nobody else includes it. */
#ifndef FORM_INTERNAL_H
#define FORM_INTERNAL_H
#include "form.h"

enum { FORM_TERMS_MAX = 512 };     /* TERMs of one kind in one integrand: 3 unknowns of 9 components with 4 derivatives are 108 */

/* What makes an expression differ from place to place, from time to time or with the solution. */
enum { HAS_VARYING = HAS_UNKNOWN | HAS_TEST | HAS_TRIAL | HAS_PREVIOUS | HAS_FIELD | HAS_TIME | HAS_DT | HAS_COORD | HAS_NORMAL | HAS_FACET | HAS_SIZE
                   | HAS_REGIONS | HAS_INTEGRAL | HAS_HOST };

/* A form under construction. A constructor that refuses leaves `failed` set; the caller that knows the place reports it. */
typedef struct Build {
  Pde *pde;
  ExprPool *pool;
  Diags *diags;
  Form *form;
  int dim, termcap, fluxcap;
  bool failed;
  ExprError why;
  Expr *test[64];                  /* tests with unit any: rows of several equations add up */
} Build;

Expr *build_unary(Build *b, ExprOp op, Expr *a);             /* NULL in, NULL out */
Expr *build_binary(Build *b, ExprOp op, Expr *x, Expr *y);
Expr *build_product(Build *b, Expr *x, Expr *y);             /* x*y, dot or inner: contracts all indices of equal shapes */
Expr *build_component(Build *b, Expr *a, int component);     /* row-major */
Expr *number_of(Build *b, double value);
FormTerm *build_term(Build *b, int unknown, IntegralKind kind, double sign, Expr *integrand, Span span);

/* TERMs of those kinds below e (NULL: none), at most FORM_TERMS_MAX. */
int form_leaves(ExprPool *pool, Expr *e, unsigned kinds, Expr *out[FORM_TERMS_MAX]);
bool form_is_zero(Expr *e);              /* the literal 0, or a number 0 */
/* sum over test terms v of (d e/d v)*v: the normal form of integrands. */
Expr *form_by_tests(ExprPool *pool, Expr *e);

/* form_parts.c: the residual of one equation as terms and fluxes, integrated by parts. */
Status parts_equation(Build *b, int equation);

/* form_globals.c: integrals inside the equations become numbers; the equations of numbers that are values on boundaries; whether the equations stay linear
 * with them; components of an unknown that they see. */
Status globals_resolve(Build *b);
Status globals_held(Build *b);           /* after conditions_resolve */
void globals_findings(Form *form);
unsigned globals_see(const Pde *pde, int unknown);

/* form_conditions.c: kinds, fluxes, values; facet terms of natural conditions; `all` yields to names. */
Status conditions_resolve(Build *b);

/* form_supg.c: the streamline terms that the pde asks for. */
Status supg_terms(Build *b);

/* form_facets.c: before and after the terms are made. */
Status facets_places(Build *b);          /* jump and avg stand in integrals over the facets between cells (E0449) */
Status facets_check(Build *b);           /* one value on a facet (E0447), discontinuous unknowns are joined (E0445) and not prescribed (E0446) */

/* G == factor*dot(F, n), or one component of it, for a flux of the form. */
bool conditions_match_flux(Build *b, Expr *G, int *flux, int *component, Expr **factor);
/* May not hold at one place together. */
bool conditions_compete(const Form *form, const Condition *a, const Condition *c);

/* form_findings.c: the Jacobian as a table of coefficients. */
typedef struct Coef {
  IntegralKind kind;
  int integral;
  Symbol test, trial;              /* trial: kind TRIAL */
  Expr *test_leaf;
  Name trial_name;
  Expr *value;
} Coef;
typedef struct CoefTable { Coef *items; int n, cap; } CoefTable;

void coefs_of(const Pde *pde, Expr *integrand, unsigned trial_kind, IntegralKind kind, int integral, CoefTable *out);
void coefs_free(CoefTable *table);
/* Are two scalar-level expressions equal as functions? Canonical form first, then values at random points of their terminals. */
bool form_identical(Expr *a, Expr *b);
/* a == factor*b with factor free of fields and coordinates, as functions. */
bool form_proportional(ExprPool *pool, Expr *a, Expr *b, Expr **factor);
/* Value at a positive sample: parameters at their defaults, terminals between 0.4 and 1.6. NAN where it has none. */
double form_sample(const Pde *pde, Expr *e, unsigned seed);
int symbol_order(Symbol s);        /* space derivatives in all */
bool symbol_leads(Symbol a, Symbol b);   /* same unknown, component and space derivatives, whatever kind and dt */
void findings_fill(Form *form);

void form_print_mathml(Buf *out, const Form *form);      /* form_print in EXPR_MATHML */
/* Names as people read them. */
const char *unknown_component_text(const Pde *pde, int unknown, int component, char out[80]);

#endif
