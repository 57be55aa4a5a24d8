/* Integration by parts. The residual left - right of an equation is walked through sums, signs, products and dt, with the function that tests
 * the sub-expression carried along: c*div(F) tested with v is div(F) tested with c*v, hence
 *     integral(c*div(F)*v) = -integral(inner(F, grad(c*v))) + boundary integral(dot(F, n)*c*v),
 * exact for any c that has derivatives (an unknown included). curl and dx are divergences of tensors made from F, so one rule serves all four:
 *     (curl F)_i = d_j (e_ijk F_k),    dx(F)_i = d_j (F_i delta_jx). */
#include "form_internal.h"

typedef struct Walk {
  Build *b;
  int unknown, component;      /* component: the row of a vector written by components, else -1 */
  Span span;
} Walk;

typedef struct Way {           /* from the residual to the sub-expression */
  double sign;
  Expr *factor;                /* constant factors collected, NULL: 1 */
  Expr *test;                  /* tests the sub-expression: same shape */
  bool varies;                 /* test carries a coefficient that varies */
  int dt;                      /* time derivatives outside */
} Way;

/* A derivative in space of an unknown somewhere below. */
static bool has_unknown_derivative(const Build *b, Expr *e) {
  if (!(e->flags & HAS_UNKNOWN)) return false;
  for (int k = 0; k < shape_size(e->shape, b->dim); k++) {
    Expr *leaves[FORM_TERMS_MAX], *s = expr_scalar(b->pool, e, k, b->dim);
    int n = form_leaves(b->pool, s, 1u << SYMBOL_UNKNOWN, leaves);
    for (int i = 0; i < n; i++)
      if (symbol_order(leaves[i]->symbol)) return true;
  }
  return false;
}

static bool is_integrable(const Build *b, Expr *e) {
  switch (e->op) {
    case EXPR_LAP: return e->arg[0]->flags & HAS_UNKNOWN;
    case EXPR_DIVERGENCE: case EXPR_CURL: case EXPR_DX: return has_unknown_derivative(b, e->arg[0]);
    default: return false;
  }
}

/* An integrable operator outermost: under sums, signs, factors, rows and dt only. */
static bool has_integrable(const Build *b, Expr *e) {
  if (!(e->flags & HAS_UNKNOWN)) return false;
  if (is_integrable(b, e)) return true;
  switch (e->op) {
    case EXPR_ADD: case EXPR_SUB: case EXPR_NEG: case EXPR_MUL: case EXPR_VECTOR: case EXPR_DT: case EXPR_DTT: break;
    case EXPR_DIV: return has_integrable(b, e->arg[0]);
    default: return false;
  }
  for (int i = 0; i < e->n; i++)
    if (has_integrable(b, e->arg[i])) return true;
  return false;
}

/* Constant factors: numbers, parameters, lambda and what is made of them. */
static bool is_constant(Expr *e) {
  return e->shape.rank == 0 && !(e->flags & HAS_VARYING);
}

static Expr *times(Build *b, Expr *factor, Expr *e) { return factor ? build_binary(b, EXPR_MUL, factor, e) : e; }

/* The tensor whose divergence op(F) is; NULL: none here (a tensor-valued dx). */
static Expr *flux_of(Build *b, Expr *e) {
  Expr *F = e->arg[0], *zero = expr_zero(b->pool, SHAPE_SCALAR);
  int d = b->dim;
  if (e->op == EXPR_DIVERGENCE) return F;
  if (e->op == EXPR_LAP) return build_unary(b, EXPR_GRAD, F);
  if (e->op == EXPR_DX) {
    Expr *row[3], *rows[9];
    if (F->shape.rank > 1) return NULL;
    int n = F->shape.rank ? F->shape.extent[0] : 1;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++) row[j] = j == e->index[0] ? build_component(b, F, i) : zero;
      if (b->failed || !(rows[i] = expr_make(b->pool, EXPR_VECTOR, row, d))) return NULL;
    }
    return F->shape.rank ? expr_make(b->pool, EXPR_TENSOR, rows, n) : rows[0];
  }
  if (d == 2 && F->shape.rank == 1) {          /* dF_y/dx - dF_x/dy */
    Expr *v[2] = {build_component(b, F, 1), build_unary(b, EXPR_NEG, build_component(b, F, 0))};
    return b->failed ? NULL : expr_make(b->pool, EXPR_VECTOR, v, 2);
  }
  if (d == 2 && F->shape.rank == 0) {          /* (dF/dy, -dF/dx) */
    Expr *r0[2] = {zero, F}, *r1[2] = {build_unary(b, EXPR_NEG, F), zero};
    Expr *rows[2] = {expr_make(b->pool, EXPR_VECTOR, r0, 2), expr_make(b->pool, EXPR_VECTOR, r1, 2)};
    return rows[0] && rows[1] ? expr_make(b->pool, EXPR_TENSOR, rows, 2) : NULL;
  }
  if (d == 3 && F->shape.rank == 1) {
    Expr *c[3], *m[3];
    for (int i = 0; i < 3; i++) c[i] = build_component(b, F, i), m[i] = build_unary(b, EXPR_NEG, c[i]);
    if (b->failed) return NULL;
    Expr *r0[3] = {zero, c[2], m[1]}, *r1[3] = {m[2], zero, c[0]}, *r2[3] = {c[1], m[0], zero};
    Expr *rows[3] = {expr_make(b->pool, EXPR_VECTOR, r0, 3), expr_make(b->pool, EXPR_VECTOR, r1, 3), expr_make(b->pool, EXPR_VECTOR, r2, 3)};
    return rows[0] && rows[1] && rows[2] ? expr_make(b->pool, EXPR_TENSOR, rows, 3) : NULL;
  }
  return NULL;
}

static Expr *in_time(Build *b, Expr *e, int dt) {
  for (; dt > 0; dt--) e = build_unary(b, EXPR_DT, e);
  return e;
}

static Status report_refused(Walk *w, Expr *e) {
  Build *b = w->b;
  Buf text = {0};
  expr_print(&text, e, EXPR_TEXT);
  Diag *d = diag_report(b->diags, E0405, w->span, "the equation of `%s` does not fit its test function at `%s`: %s",
                        b->pde->unknowns[w->unknown].name, buf_str(&text), b->failed ? b->why.text : "no divergence of that shape is known");
  diag_suggest(d, "an equation has the shape of the unknown it is labelled with");
  buf_free(&text);
  return 1;
}

static Status add_flux(Walk *w, Expr *e, Way way) {
  Build *b = w->b;
  Expr *F = flux_of(b, e), *written = e->op == EXPR_LAP ? F : e->arg[0], *gradient = build_unary(b, EXPR_GRAD, way.test);
  if (F) F = times(b, way.factor, in_time(b, F, way.dt));
  if (written) written = times(b, way.factor, in_time(b, written, way.dt));
  Expr *term = F ? build_product(b, F, gradient) : NULL;
  if (!term) return report_refused(w, e);
  build_term(b, w->unknown, INTEGRAL_CELL, -way.sign, term, w->span);
  Form *form = b->form;
  if (form->nfluxes == b->fluxcap) {
    Flux *old = form->fluxes;
    b->fluxcap = b->fluxcap ? 2*b->fluxcap : 8;
    form->fluxes = ARENA_ARRAY(form->arena, Flux, b->fluxcap);
    for (int i = 0; i < form->nfluxes; i++) form->fluxes[i] = old[i];
  }
  form->fluxes[form->nfluxes++] = (Flux){
    .unknown = w->unknown, .component = w->component, .flux = F, .written = written,
    .op = (ExprOp)e->op, .axis = e->index[0], .factor = number_of(b, way.sign), .test = way.test, .span = w->span};
  return b->failed ? report_refused(w, e) : 0;
}

static Status add_plain(Walk *w, Expr *e, Way way) {
  Build *b = w->b;
  if (form_is_zero(e)) return 0;
  Expr *term = times(b, way.factor, build_product(b, in_time(b, e, way.dt), way.test));
  if (!term) return report_refused(w, e);
  build_term(b, w->unknown, INTEGRAL_CELL, way.sign, term, w->span);
  return 0;
}

static Status walk(Walk *w, Expr *e, Way way);

typedef struct FieldParam { const Pde *pde; Name found; } FieldParam;

static Expr *note_field_param(ExprPool *pool, Expr *leaf, void *user) {
  FieldParam *f = user;
  (void)pool;
  for (int i = 0; leaf->op == EXPR_PARAM && i < f->pde->nparams; i++)
    if (f->pde->params[i].symbol == leaf && f->pde->params[i].value && f->pde->params[i].value->flags & HAS_VARYING) f->found = leaf->name;
  return leaf;
}

/* A parameter counts as a constant; one whose value is a field would need its gradient here. */
static Status check_factor(Walk *w, Expr *factor) {
  FieldParam f = {w->b->pde, NULL};
  if (!(factor->flags & HAS_PARAM)) return 0;
  expr_substitute(w->b->pool, factor, note_field_param, &f);
  if (!f.found) return 0;
  Diag *d = diag_report(w->b->diags, E0409, w->span, "the parameter `%s` is a field and stands before a divergence, where it counts as a constant", f.found);
  diag_suggest(d, "write it inside, div(%s*grad(u)), or name the field: `field c = ...`", f.found);
  return 1;
}

static Status walk_product(Walk *w, Expr *factor, Expr *rest, Way way) {
  Build *b = w->b;
  TRY(check_factor(w, factor));
  if (is_constant(factor)) {
    way.factor = way.factor ? build_binary(b, EXPR_MUL, way.factor, factor) : factor;
  } else {                                      /* a vector factor of a scalar divergence leaves dot(factor, test) */
    way.test = factor->shape.rank ? build_product(b, factor, way.test) : build_binary(b, EXPR_MUL, factor, way.test);
    way.varies = true;
  }
  return b->failed ? report_refused(w, rest) : walk(w, rest, way);
}

static Status walk(Walk *w, Expr *e, Way way) {
  Build *b = w->b;
  if (!has_integrable(b, e)) {
    if (e->op == EXPR_ADD || e->op == EXPR_SUB) {
      TRY(walk(w, e->arg[0], way));
      if (e->op == EXPR_SUB) way.sign = -way.sign;
      return walk(w, e->arg[1], way);
    }
    if (e->op == EXPR_NEG) return way.sign = -way.sign, walk(w, e->arg[0], way);
    return add_plain(w, e, way);
  }
  if (is_integrable(b, e)) return add_flux(w, e, way);
  switch (e->op) {
    case EXPR_NEG: way.sign = -way.sign; return walk(w, e->arg[0], way);
    case EXPR_ADD: case EXPR_SUB:
      TRY(walk(w, e->arg[0], way));
      if (e->op == EXPR_SUB) way.sign = -way.sign;
      return walk(w, e->arg[1], way);
    case EXPR_MUL: {
      bool second = has_integrable(b, e->arg[1]);
      Expr *factor = second ? e->arg[0] : e->arg[1], *rest = second ? e->arg[1] : e->arg[0];
      if (way.dt && !is_constant(factor)) return add_plain(w, e, way);      /* dt(c(t)*div(F)): left to the check of second derivatives */
      return walk_product(w, factor, rest, way);
    }
    case EXPR_DIV: {
      Expr *inverse = build_binary(b, EXPR_DIV, number_of(b, 1), e->arg[1]);
      if (way.dt && !is_constant(e->arg[1])) return add_plain(w, e, way);
      return inverse ? walk_product(w, inverse, e->arg[0], way) : report_refused(w, e);
    }
    case EXPR_DT: way.dt++; return walk(w, e->arg[0], way);
    case EXPR_DTT: way.dt += 2; return walk(w, e->arg[0], way);
    case EXPR_VECTOR:
      for (int i = 0; i < e->n; i++) {
        Walk row = *w;
        Way down = way;
        row.component = i;
        down.test = build_component(b, way.test, i);
        if (b->failed) return report_refused(w, e);
        TRY(walk(&row, e->arg[i], down));
      }
      return 0;
    default: return add_plain(w, e, way);
  }
}

/* Second derivatives that are under no divergence have no meaning in H1. */
static Status check_orders(Build *b, const Equation *eq, int first) {
  Form *form = b->form;
  for (int i = first; i < form->nterms; i++) {
    Expr *leaves[FORM_TERMS_MAX], *e = form->terms[i].integrand;
    Expr *s = expr_scalar(b->pool, e, 0, b->dim);
    int n = form_leaves(b->pool, s, 1u << SYMBOL_UNKNOWN, leaves);
    for (int k = 0; k < n; k++) {
      Symbol sym = leaves[k]->symbol;
      const char *name = b->pde->unknowns[sym.which].name;
      int order = symbol_order(sym);
      if (sym.dt > 2) {
        diag_report(b->diags, E0407, eq->span, "`%s` has %d time derivatives in the equation of `%s`; at most two are known", name, sym.dt,
                    b->pde->unknowns[eq->unknown].name);
        return 1;
      }
      if (order < 2) continue;
      Buf text = {0};
      expr_print(&text, e, EXPR_TEXT);
      Diag *d = diag_report(b->diags, E0406, eq->span, "derivatives of order %d of `%s` remain after integration by parts, in %s", order, name, buf_str(&text));
      if (order > 2) diag_suggest(d, "an equation of fourth order is written as two: a second unknown w with w == lap(%s)", name);
      else diag_suggest(d, "write the second derivatives as an outermost divergence: div(k*grad(%s)), and grad(div(u)) as div(div(u)*I)", name);
      buf_free(&text);
      return 1;
    }
  }
  return 0;
}

Status parts_equation(Build *b, int equation) {
  const Equation *eq = &b->pde->equations[equation];
  Walk w = {b, eq->unknown, -1, eq->span};
  Way way = {1, NULL, b->test[eq->unknown], false, 0};
  int first = b->form->nterms;
  b->failed = false;
  TRY(walk(&w, eq->left, way));
  way.sign = -1;
  TRY(walk(&w, eq->right, way));
  return check_orders(b, eq, first);
}
