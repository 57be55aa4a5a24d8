/* A contract as mathematics: its probes, preconditions, the names in its body and the formula of its violation, from its syntax tree. */
#ifndef DOC_MATH_H
#define DOC_MATH_H
#include "../lang/ast.h"
#include "../lang/expr.h"

/* Appends lines in Unicode (EXPR_TEXT, EXPR_UNICODE), one aligned environment (EXPR_LATEX), or a block of <math> (EXPR_MATHML). decl: `contract c(...) { ... }`. */
void doc_contract(Buf *out, const Ast *decl, ExprStyle style);

#endif
