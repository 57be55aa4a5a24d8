#include "form_eigen.h"

#include <string.h>

enum { RATE = 1, ACCELERATION = 2 };

typedef struct Split {
  ExprPool *pool;
  unsigned derivatives;         /* RATE, ACCELERATION seen */
} Split;

/* The mode u of u*exp(-lambda*t), and of u*cos(sqrt(lambda)*t). */
static Expr *mode_of_rate(ExprPool *pool, Expr *leaf, void *user) {
  Split *split = user;
  if (leaf->op != EXPR_TERM || leaf->symbol.kind != SYMBOL_TRIAL || !leaf->symbol.dt) return leaf;
  split->derivatives |= leaf->symbol.dt == 1 ? RATE : ACCELERATION;
  Symbol still = leaf->symbol;
  still.dt = 0;
  Expr *u = expr_term(pool, still, leaf->name, UNIT_ANY);
  return expr_unary(pool, EXPR_NEG, expr_binary(pool, EXPR_MUL, expr_lambda(pool), u));
}

static Expr *no_lambda(ExprPool *pool, Expr *leaf, void *user) {
  (void)user;
  return leaf->op == EXPR_LAMBDA ? expr_zero(pool, SHAPE_SCALAR) : leaf;
}

static Expr *no_unknown(ExprPool *pool, Expr *leaf, void *user) {
  (void)user;
  return leaf->op == EXPR_TERM && leaf->symbol.kind == SYMBOL_UNKNOWN ? expr_zero(pool, SHAPE_SCALAR) : leaf;
}

static Status refuse(Diags *diags, Span at, const char *what, const char *way) {
  diag_suggest(diag_report(diags, E2060, at, "%s", what), "%s", way);
  return 1;
}

static Status check_homogeneous(const Form *form, Diags *diags) {
  ExprPool *pool = form->pde->pool;
  if (form->pde->nglobals) return refuse(diags, form->pde->globals[0].span, "an integral inside the equations of an eigenvalue problem is not in this build", "leave it out, or solve in time");
  for (int i = 0; i < form->nresidual; i++) {
    Expr *rest = expr_substitute(pool, form->residual[i].integrand, no_unknown, NULL);
    if (!rest || expr_is_zero(rest)) continue;
    return refuse(diags, form->residual[i].span, "an eigenvalue problem has no sources: here is a term without an unknown",
                  "leave sources and prescribed fluxes out: a mode is a solution of the homogeneous problem");
  }
  return 0;
}

static void add(Integral *list, int *n, const Integral *like, Expr *integrand) {
  if (expr_is_zero(integrand)) return;
  list[*n] = *like;
  list[(*n)++].integrand = integrand;
}

static Status split_integral(Split *split, const Integral *jacobian, Diags *diags, EigenForm *out) {
  ExprPool *pool = split->pool;
  Expr *lambda = expr_lambda(pool), *whole = expr_substitute(pool, jacobian->integrand, mode_of_rate, split);
  Expr *slope = whole ? expr_diff(pool, whole, lambda) : NULL, *rest = whole ? expr_substitute(pool, whole, no_lambda, NULL) : NULL;
  if (!slope || !rest) {
    diag_report(diags, E0999, jacobian->span, "the derivative by lambda failed");
    return 1;
  }
  if (slope->flags & HAS_LAMBDA)
    return refuse(diags, jacobian->span, "lambda is not of first degree here", "problems A u == lambda*B u are solved; a quadratic one becomes so with a further unknown for lambda*u");
  add(out->stiffness, &out->nstiffness, jacobian, rest);
  add(out->mass, &out->nmass, jacobian, expr_unary(pool, EXPR_NEG, slope));
  return 0;
}

/* The unit of A u over that of B u, from the first equation that has lambda or a rate. */
static Unit unit_of(const Form *form, unsigned derivatives) {
  const Pde *pde = form->pde;
  ExprPool *pool = pde->pool;
  if (derivatives) return unit_div(UNIT_NONE, derivatives & ACCELERATION ? unit_mul(pde->time, pde->time) : pde->time);
  Unit unit = UNIT_NONE;
  for (int i = 0; i < pde->nequations + pde->nweak; i++) {
    Expr *e = i < pde->nequations ? expr_binary(pool, EXPR_SUB, pde->equations[i].left, pde->equations[i].right) : pde->weak[i - pde->nequations].integrand;
    Expr *by = e && e->flags & HAS_LAMBDA ? expr_diff(pool, e, expr_lambda(pool)) : NULL;
    if (!by) continue;
    Expr *rest = expr_substitute(pool, e, no_lambda, NULL);
    if (rest && !expr_is_zero(rest)) unit = unit_div(rest->unit, by->unit);
    if (!unit.any) return unit;
  }
  return unit.any ? UNIT_NONE : unit;
}

/* Unknowns that no integral of B tests leave B with a kernel: a pressure. */
static bool all_massive(const Pde *pde, const EigenForm *eigen) {
  for (int u = 0; u < pde->nunknowns; u++) {
    bool found = false;
    for (int i = 0; i < eigen->nmass && !found; i++) {
      Expr *terms[512];
      int n = expr_terms(pde->pool, eigen->mass[i].integrand, 1u << SYMBOL_TEST, terms, 512);
      for (int k = 0; k < n && !found; k++) found = terms[k]->symbol.which == u;
    }
    if (!found) return false;
  }
  return true;
}

Status form_eigen(const Form *form, Arena *arena, Diags *diags, Span span, EigenForm *out) {
  const Pde *pde = form->pde;
  Split split = {.pool = pde->pool};
  *out = (EigenForm){.stiffness = ARENA_ARRAY(arena, Integral, form->njacobian + 1), .mass = ARENA_ARRAY(arena, Integral, form->njacobian + 1)};
  if (!(form->findings & FORM_LINEAR)) return refuse(diags, span, "an eigenvalue problem is linear in its unknowns; this pde is not", "linearise it about a known state: its modes belong to that state");
  TRY(check_homogeneous(form, diags));
  for (int i = 0; i < form->njacobian; i++) TRY(split_integral(&split, &form->jacobian[i], diags, out));
  if (!out->nmass) return refuse(diags, span, "nothing in this pde makes an eigenvalue", "write `lambda`, as in -lap(u) == lambda*u, or a time derivative: dt(u) and dtt(u) are read as -lambda*u");
  if (split.derivatives == (RATE | ACCELERATION))
    return refuse(diags, span, "dt and dtt together make a quadratic eigenvalue problem, which is not solved", "leave the damping out, or add an unknown v with dt(u) == v");
  if (!out->nstiffness) return refuse(diags, span, "no term is without lambda: every eigenvalue is zero", "one side has to have a term without lambda, as in -lap(u) == lambda*u");
  out->symmetric = form_classify(pde, out->stiffness, out->nstiffness) & form_classify(pde, out->mass, out->nmass) & FORM_SYMMETRIC;
  out->definite = all_massive(pde, out);
  out->unit = unit_of(form, split.derivatives);
  return 0;
}
