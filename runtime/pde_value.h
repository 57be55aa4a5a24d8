/* A declared pde as a value: its parameters, the world of its expressions, terms of weak forms and constraints. */
#ifndef PDE_VALUE_H
#define PDE_VALUE_H
#include "eval.h"

Value *pde_with_params(Eval *ev, Value *pde, Argument *args, int n, Span span);   /* p(k: 2) */
/* integral(e, on: place), mean(e) where unknowns are symbols: a term of a weak form or of a constraint. The names of EXPR_INTEGRAL start with
 * "@cells", "@facets", "@interior" or "@interface"; the group names follow (none: everything). */
Value *pde_integral_term(Eval *ev, const Ast *node, bool mean);
Where where_of_names(Arena *arena, const Name *names, int n, bool *on_cells);
Value *field_at_point(Eval *ev, Value *field, Argument *args, int n, Name side, Span span);   /* side: a region, or NULL */
/* Sets a parameter in a fresh bindings array; false after a report. */
bool pde_bind(Eval *ev, PdeValue *pde, Name name, Value *value, Span span);
/* A pde is solved (needs_start: with what it says it begins with), or asked for eigenvalues. False after a report (E0420, E0421). */
bool pde_begins(Eval *ev, Value *pde, bool needs_start);
void pde_check_unused(Eval *ev, Scope *scope);      /* at the end of a check: what the pdes begin with that nothing solved */
bool pde_has_param(const PdeValue *pde, Name name);
PdeValue *pde_copy(const PdeValue *from);       /* own bindings, shared pde and form are retained through the original value */

#endif
