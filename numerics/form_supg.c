/* Streamline upwinding (SUPG): the strong residual R of an equation, tested with tau*dot(b, grad(v)) beside v (Brooks and Hughes, Comput. Methods Appl.
 * Mech. Eng. 32 (1982) 199). b is what stands before grad(u) in R, k what stands before its second derivatives. tau is that of Shakib, Hughes and Johan
 * (ibid. 89 (1991) 141), with h by the degree p of the element:
 *     tau = 1/sqrt((2 |b|/h)^2 + (12 k/h^2)^2 + s^2),   h = cell size/p,   s what stands before u.
 * R vanishes at the solution, so no order is lost; dt(u) is a part of R (Burman, ibid. 199 (2010) 1114). Of vectors each component has its own b, k and s, from
 * its own row, and tau*b.grad(v_i)*R_i is added up over them: of the momentum of a flow b is the velocity in all of them (Tezduyar, Adv. Appl. Mech. 28 (1991) 1,
 * without the pressure's term, which stable pairs of elements do not need). */
#include <math.h>
#include <string.h>

#include "element.h"
#include "form_internal.h"

static Expr *plus(Build *b, Expr *sum, Expr *e) { return sum ? build_binary(b, EXPR_ADD, sum, e) : e; }

/* A coefficient of the value that comes from a derivative, as dx(u) in u*dx(u), is no reaction. */
static bool has_slopes(ExprPool *pool, Expr *c) {
  Expr *leaves[FORM_TERMS_MAX];
  int n = form_leaves(pool, c, 1u << SYMBOL_UNKNOWN, leaves);
  for (int i = 0; i < n; i++)
    if (symbol_order(leaves[i]->symbol)) return true;
  return false;
}

bool form_transport(const Pde *pde, int equation, int component, Transport *out) {
  const Equation *eq = &pde->equations[equation];
  const Unknown *unknown = &pde->unknowns[eq->unknown];
  const Element *element = element_find(unknown->element);
  Expr *leaves[FORM_TERMS_MAX];
  *out = (Transport){.unknown = eq->unknown, .component = component};
  if (!element || element_is_broken(element)) return false;
  Expr *r = expr_binary(pde->pool, EXPR_SUB, eq->left, eq->right), *s = r ? expr_scalar(pde->pool, r, component, pde->dim) : NULL;
  int n = form_leaves(pde->pool, s, 1u << SYMBOL_UNKNOWN, leaves);
  bool moves = false;
  for (int i = 0; i < n; i++) {
    Symbol at = leaves[i]->symbol;
    Expr *c = at.which != eq->unknown || at.component != component || at.dt ? NULL : expr_diff(pde->pool, s, leaves[i]);
    if (!c || expr_is_zero(c)) continue;
    if (symbol_order(at) == 0 && !has_slopes(pde->pool, c)) out->reaction = c;
    for (int d = 0; d < pde->dim; d++) {
      if (symbol_order(at) == 1 && at.dx[d]) out->velocity[d] = c, moves = true;
      if (symbol_order(at) == 2 && at.dx[d] == 2) out->diffusion[d] = c;
    }
  }
  out->residual = r;
  out->degree = element->degree;
  return moves;
}

/* The mean of the second derivatives' coefficients, with the sign that they have in the equation; NULL: none. */
static Expr *mean_diffusion(Build *b, const Transport *t) {
  Expr *sum = NULL;
  for (int d = 0; d < b->dim; d++)
    if (t->diffusion[d]) sum = plus(b, sum, t->diffusion[d]);
  return sum ? build_binary(b, EXPR_DIV, sum, number_of(b, b->dim)) : NULL;
}

static Expr *square(Build *b, Expr *e) { return build_binary(b, EXPR_MUL, e, e); }

static Expr *tau_of(Build *b, const Transport *t) {
  Expr *h = build_binary(b, EXPR_DIV, expr_size(b->pool, b->pde->length), number_of(b, t->degree)), *speed2 = NULL, *k = mean_diffusion(b, t);
  for (int d = 0; d < b->dim; d++)
    if (t->velocity[d]) speed2 = plus(b, speed2, square(b, t->velocity[d]));
  Expr *sum = build_binary(b, EXPR_DIV, build_binary(b, EXPR_MUL, number_of(b, 4), speed2), square(b, h));
  if (k) sum = plus(b, sum, square(b, build_binary(b, EXPR_DIV, build_binary(b, EXPR_MUL, number_of(b, 12), k), square(b, h))));
  if (t->reaction) sum = plus(b, sum, square(b, t->reaction));
  sum = plus(b, sum, expr_const(b->pool, 1e-30, UNIT_ANY));      /* where nothing moves, diffuses or reacts b is 0 */
  return build_binary(b, EXPR_DIV, number_of(b, 1), build_unary(b, EXPR_SQRT, sum));
}

static Expr *velocity_of(Build *b, const Transport *t) {
  Expr *row[3], *zero = expr_zero(b->pool, SHAPE_SCALAR);
  for (int d = 0; d < b->dim; d++) row[d] = t->velocity[d] ? t->velocity[d] : zero;
  return expr_make(b->pool, EXPR_VECTOR, row, b->dim);
}

/* tau*dot(b, grad(v))*R of one component; of a scalar unknown, and of a vector all of whose components are carried alike, in one piece. */
static Expr *streamline(Build *b, const Transport *t, bool whole) {
  Expr *v = b->test[t->unknown], *r = t->residual, *velocity = velocity_of(b, t);
  if (!whole) v = build_component(b, v, t->component), r = build_component(b, r, t->component);
  Expr *slope = build_unary(b, EXPR_GRAD, v), *along = v && v->shape.rank ? build_binary(b, EXPR_DOT, velocity, slope) : build_product(b, velocity, slope);
  return along && r ? build_binary(b, EXPR_MUL, tau_of(b, t), build_product(b, along, r)) : NULL;
}

static bool same_transport(const Transport *a, const Transport *b) {
  return a->reaction == b->reaction && !memcmp(a->velocity, b->velocity, sizeof a->velocity) && !memcmp(a->diffusion, b->diffusion, sizeof a->diffusion);
}

static Status add_terms(Build *b, int equation) {
  enum { MOST = 81 };
  const Equation *eq = &b->pde->equations[equation];
  const Unknown *unknown = &b->pde->unknowns[eq->unknown];
  int size = shape_size(unknown->shape, b->dim), moving = 0;
  Transport t[MOST];
  bool moves[MOST], alike = unknown->shape.rank < 2;
  for (int c = 0; c < size && c < MOST; c++) moving += moves[c] = form_transport(b->pde, equation, c, &t[c]);
  for (int c = 1; c < size && c < MOST; c++) alike &= moves[c] && same_transport(&t[c], &t[0]);
  Expr *sum = NULL;
  b->failed = false;
  for (int c = 0; c < (alike && moving ? 1 : size) && c < MOST && !b->failed; c++)
    if (moves[c]) sum = plus(b, sum, streamline(b, &t[c], alike));
  if (!moving) return 0;
  if (!sum || b->failed) {
    diag_report(b->diags, E0448, eq->span, "the equation of `%s` cannot be stabilised: %s", unknown->name, b->why.text);
    return 1;
  }
  /* R and b change their signs together: the product always diffuses along the streamlines */
  build_term(b, eq->unknown, INTEGRAL_CELL, 1, sum, eq->span);
  b->form->stabilised |= 1ul << eq->unknown;
  return 0;
}

Status supg_terms(Build *b) {
  const Pde *pde = b->pde;
  if (!pde->stabilize) return 0;
  for (int i = 0; i < pde->nequations; i++) TRY(add_terms(b, i));
  if (b->form->stabilised) return 0;
  Diag *d = diag_report(b->diags, E0448, pde->stabilize_span, "`stabilize: supg` finds nothing to stabilise: no equation of a continuous unknown has its first derivatives");
  diag_suggest(d, pde->nweak ? "it reads equations in strong form, as dt(c) + dot(b, grad(c)) == div(k*grad(c))" : "leave it out");
  return 1;
}
