#include "pde.h"

const Global *pde_global(const Pde *pde, Expr *leaf) {
  for (int i = 0; leaf->op == EXPR_PARAM && i < pde->nglobals; i++)
    if (pde->globals[i].symbol == leaf) return &pde->globals[i];
  return NULL;
}

int pde_name_globals(const Pde *pde, ExprNamed *list, int max) {
  int n = 0;
  for (; n < pde->nglobals && n < max; n++) list[n] = (ExprNamed){pde->globals[n].name, pde->globals[n].symbol, pde->globals[n].symbol};
  return n;
}

typedef struct Seen { const Pde *pde; bool found; } Seen;

static Expr *look(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  Seen *seen = user;
  seen->found |= pde_global(seen->pde, leaf) != NULL;
  return leaf;
}

bool pde_has_globals(const Pde *pde, Expr *e) {
  Seen seen = {pde, false};
  if (pde->nglobals && e && e->flags & HAS_PARAM) expr_substitute(pde->pool, e, look, &seen);
  return seen.found;
}

static Expr *integral_of(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  const Global *global = pde_global(user, leaf);
  return global && !global->declared ? global->right : leaf;
}

Expr *pde_written(const Pde *pde, Expr *e) {
  for (int i = 0; i < 4 && pde_has_globals(pde, e); i++) {     /* one may stand inside another */
    Expr *written = expr_substitute(pde->pool, e, integral_of, (void *)pde);
    if (!written) break;
    e = written;
  }
  return e;
}

void pde_print_expr(Buf *out, const Pde *pde, Expr *e) {
  e = pde_written(pde, e);
  expr_print(out, pde->nparts ? expr_name_parts(pde->pool, e, pde->parts, pde->part_names, pde->nparts) : e, EXPR_TEXT);
}
