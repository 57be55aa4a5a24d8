#include "pde.h"

void pde_print_expr(Buf *out, const Pde *pde, Expr *e) {
  expr_print(out, pde->nparts ? expr_name_parts(pde->pool, e, pde->parts, pde->part_names, pde->nparts) : e, EXPR_TEXT);
}
