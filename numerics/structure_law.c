/* Structures in the symbols of a space of laws. */
#include "structure_law.h"

#include <math.h>
#include <string.h>

typedef struct Build { const LawSpace *space; const StructureLanguage *language; } Build;

static Expr *number(const Build *b, double value) { return expr_const(b->space->pool, value, UNIT_NONE); }
static Expr *times(const Build *b, Expr *a, Expr *c) { return !a ? c : expr_binary(b->space->pool, EXPR_MUL, a, c); }

static Expr *derivative(const Build *b, Expr *e, const unsigned char d[2]) {
  for (int axis = 1; axis >= 0; axis--)
    for (int k = 0; k < d[axis]; k++) e = expr_dx(b->space->pool, e, axis, UNIT_NONE);
  return e;
}

static ExprOp function_op(const char *name) {
  for (int k = 0; k < LAW_FUNCTIONS; k++)
    if (!strcmp(law_functions[k].name, name)) return law_functions[k].op;
  return EXPR_OPS;
}

/* `field`: what the monomial is multiplied by, or NULL. */
static Expr *term_expr(const Build *b, const StructureTerm *term, Expr *field) {
  Expr *state = law_state(b->space), *e = field;
  const Monomial *g = &term->g;
  if (g->power) e = times(b, e, g->power == 1 ? state : expr_binary(b->space->pool, EXPR_POW, state, number(b, g->power)));
  if (g->function) e = times(b, e, expr_unary(b->space->pool, function_op(b->language->function[g->function - 1]), state));
  for (int k = 0; k < g->nd; k++) e = times(b, e, derivative(b, state, g->d[k]));
  e = derivative(b, e ? e : number(b, 1), term->outer);
  return term->factor == 1 ? e : times(b, number(b, term->factor), e);
}

StructureLanguage structure_language(const LawSpace *space, const char *function[LAW_FUNCTIONS]) {
  StructureLanguage language = {.state = space->state, .dims = space->dim, .order = space->order, .fields = space->fields, .function = function};
  for (int k = 0; k < LAW_FUNCTIONS; k++)
    if (space->functions >> k & 1) function[language.nfunctions++] = law_functions[k].name;
  return language;
}

Law *structure_law(const Structure *structure, const StructureLanguage *language, const LawSpace *space, Interner *names, LawFault *fault) {
  Build b = {space, language};
  LawUnknown unknown[STRUCTURE_GROUPS];
  int n = 0;
  Expr *right = NULL;
  for (int k = 0; k < structure->n; k++) {
    const StructureGroup *group = &structure->group[k];
    Expr *field = NULL;
    if (!(group->domain & STRUCTURE_KNOWN)) {
      char name[16];
      structure_field(k, language, name);
      unknown[n] = (LawUnknown){intern(names, name, strlen(name)), group->domain};
      field = law_field(space, n, unknown[n].name), n++;
    }
    for (int i = 0; i < group->n; i++) {
      Expr *e = term_expr(&b, &group->term[i], field);
      right = right ? expr_binary(space->pool, EXPR_ADD, right, e) : e;
    }
  }
  return law_new(space, unknown, n, NULL, right ? right : number(&b, 0), fault);
}
