/* Unknown numbers of a pde: the potential of an electrode, the shift of a rigid plate. */
#include <string.h>

#include "decl_pde.h"

Global *pde_global_named(const Pde *pde, Name name) {
  for (int i = 0; i < pde->nglobals; i++)
    if (!strcmp(pde->globals[i].name, name)) return &pde->globals[i];
  return NULL;
}

bool pde_numbers(PdeBuild *b, const Ast *names, Unit unit, bool has_unit) {
  Pde *pde = b->pde;
  ExprPool *pool = b->ev->host->pool;
  Unit own = has_unit ? unit : UNIT_NONE;
  for (int i = 0; i < names->n; i++) {
    const Ast *item = names->kid[i];
    if (item->kind != AST_NAME) continue;
    Expr *symbol = expr_param(pool, item->name, SHAPE_SCALAR, own, false);
    Global *all = ARENA_ARRAY(b->arena, Global, pde->nglobals + 1);
    if (pde->nglobals) memcpy(all, pde->globals, (size_t)pde->nglobals * sizeof *all);
    all[pde->nglobals++] = (Global){.name = item->name, .declared = true, .symbol = symbol, .before = symbol, .span = item->span};
    pde->globals = all;
    Value *v = value_field(symbol, NULL);
    scope_set(b->ev->scope, item->name, v, item->span)->is_own = true;
    value_release(v);
  }
  return true;
}

typedef struct Rates { PdeBuild *b; const Ast *rate; } Rates;

static bool number_inside(const Ast *node, void *user) {
  Rates *rates = user;
  const Global *g = node->kind == AST_NAME ? pde_global_named(rates->b->pde, node->name) : NULL;
  if (g && g->declared && rates->rate) {
    diag_suggest(diag_report(&rates->b->ev->host->diags, E0900, rates->rate->span, "the rate of an unknown number, here of `%s`, is not in this build", g->name), "a number follows from the fields at the same time");
    rates->rate = NULL;
  }
  return true;
}

static bool find_rates(const Ast *node, void *user) {
  PdeBuild *b = user;
  bool call = node->kind == AST_CALL && node->kid[0]->kind == AST_NAME && (!strcmp(node->kid[0]->name, "dt") || !strcmp(node->kid[0]->name, "dtt"));
  if (!call && !(node->kind == AST_UNARY && node->op == OP_DT)) return true;
  Rates rates = {b, node};
  ast_walk(node, number_inside, &rates);
  return rates.rate != NULL;
}

/* To the expressions a number is a parameter, whose rate is zero: that must not pass for the author's. */
bool pde_number_rates(PdeBuild *b, const Ast *block) {
  int before = b->ev->host->diags.n;
  if (b->pde->nglobals) ast_walk(block, find_rates, b);
  return b->ev->host->diags.n == before;
}
