/* Step forms. Let D(w) = (a0*w + a1*w1 + a2*w2)/step be the difference quotient of the scheme, w1, w2 one and two steps back.
 *
 * BDF family, everything at the new time:
 *   dt(u) = D(u),   dtt(u) = D(r) with the rate r = D(u):  dtt(u) = (a0*D(u) + a1*r1 + a2*r2)/step.
 * Mean family (trapezoidal rule), rows with a time derivative:  (R(u, t) + R(u1, t_old))/2 with dt(u) = (u - u1)/step in both, and
 *   (r - r1)/step for dtt(u), where (r + r1)/2 = (u - u1)/step gives r = 2*(u - u1)/step - r1, hence
 *   dtt(u) = 2*((u - u1)/step - r1)/step  (Newmark, beta = 1/4, gamma = 1/2).
 * Unknowns without a time derivative (multipliers) and rows without one (constraints) are taken at the new time. */
#include "scheme.h"

#include <string.h>

#include "form_internal.h"

const SchemeRow scheme_rows[] = {
#define SCHEME(name, order, family, levels, title, doc) {#name, order, family, levels, title, doc},
#include "scheme.def"
#undef SCHEME
};
const int scheme_row_count = sizeof scheme_rows/sizeof *scheme_rows;

static const char *const names[] = {
#define SCHEME(name, order, family, levels, title, doc) #name,
#include "scheme.def"
#undef SCHEME
  NULL};

const char *const *scheme_names(void) { return names; }

const SchemeRow *scheme_row(const char *name) {
  for (int i = 0; i < scheme_row_count; i++)
    if (!strcmp(scheme_rows[i].name, name)) return &scheme_rows[i];
  return NULL;
}

const char *const scheme_params[SCHEME_PARAMS] = {"step#", "t_old#", "a0#", "a1#", "a2#"};

int scheme_param(Name name) {
  for (int i = 0; i < SCHEME_PARAMS; i++)
    if (!strcmp(name, scheme_params[i])) return i;
  return -1;
}

/* y' = D(y) with a step ratio w: the derivative at t_n of the parabola through t_n, t_n-1, t_n-2 (Hairer, Norsett, Wanner I, section III.5). */
void scheme_coefficients(const SchemeRow *row, int done, double ratio, double a[3]) {
  a[0] = 1, a[1] = -1, a[2] = 0;
  if (row->family != SCHEME_BDF || row->levels < 2 || done < 1) return;
  a[0] = (1 + 2*ratio)/(1 + ratio);
  a[1] = -(1 + ratio);
  a[2] = ratio*ratio/(1 + ratio);
}

void scheme_rate(const SchemeRow *row, int done, double ratio, double b[3], double *c1) {
  scheme_coefficients(row, done, ratio, b);
  *c1 = 0;
  if (row->family != SCHEME_MIDPOINT) return;
  b[0] = 2, b[1] = -2, b[2] = 0;
  *c1 = -1;
}

typedef struct Step {
  const Pde *pde;
  const SchemeRow *row;
  const bool *dynamic;
  Expr *param[SCHEME_PARAMS];
  bool old;               /* the copy at the old time */
  int only;               /* test terms of this row are kept */
} Step;

static Expr *state(const Step *s, Expr *leaf, int level, bool rate) {
  Symbol symbol = leaf->symbol;
  Unit unit = leaf->unit;
  for (int k = 0; k < leaf->symbol.dt - rate; k++) unit = unit_mul(unit, s->pde->time);
  symbol.dt = 0;
  symbol.level = (uint8_t)(level + (rate ? SCHEME_RATE : 0));
  if (level) symbol.kind = SYMBOL_PREVIOUS;
  return expr_term(s->pde->pool, symbol, leaf->name, unit);
}

static Expr *over_step(const Step *s, Expr *e) { return expr_binary(s->pde->pool, EXPR_DIV, e, s->param[SCHEME_STEP]); }

/* a0*w + a1*w1 + a2*w2 over step; w: the new value. */
static Expr *quotient(const Step *s, Expr *leaf, Expr *w, bool rate) {
  ExprPool *pool = s->pde->pool;
  Expr *sum = NULL, *at[3] = {w, state(s, leaf, 1, rate), s->row->levels > 1 ? state(s, leaf, 2, rate) : NULL};
  if (s->row->levels < 2) return over_step(s, expr_binary(pool, EXPR_SUB, at[0], at[1]));
  for (int k = 0; k < 3; k++) {
    Expr *part = expr_binary(pool, EXPR_MUL, s->param[SCHEME_A0 + k], at[k]);
    sum = sum ? expr_binary(pool, EXPR_ADD, sum, part) : part;
  }
  return over_step(s, sum);
}

static Expr *replace(ExprPool *pool, Expr *leaf, void *user) {
  const Step *s = user;
  if (leaf->op == EXPR_TIME && s->old) return s->param[SCHEME_TIME_OLD];
  if (leaf->op != EXPR_TERM) return leaf;
  Symbol symbol = leaf->symbol;
  if (symbol.kind == SYMBOL_TEST) return symbol.which == s->only ? leaf : expr_zero(pool, SHAPE_SCALAR);
  if (symbol.kind != SYMBOL_UNKNOWN || !s->dynamic[symbol.which]) return leaf;
  if (!symbol.dt) return s->old ? state(s, leaf, 1, false) : leaf;
  Expr *rate = quotient(s, leaf, state(s, leaf, 0, false), false);
  if (symbol.dt == 1) return rate;
  if (s->row->family == SCHEME_BDF) return quotient(s, leaf, rate, true);
  Expr *half = over_step(s, expr_binary(pool, EXPR_SUB, rate, state(s, leaf, 1, true)));
  return expr_binary(pool, EXPR_MUL, expr_const(pool, 2, UNIT_NONE), half);
}

static bool row_is_dynamic(const Form *form, int row) {
  bool found = false;
  for (int i = 0; i < form->nresidual; i++) {
    CoefTable t = {0};
    coefs_of(form->pde, form->residual[i].integrand, SYMBOL_UNKNOWN, form->residual[i].kind, i, &t);
    for (int k = 0; k < t.n; k++) found |= t.items[k].test.which == row && t.items[k].trial.dt > 0;
    coefs_free(&t);
  }
  return found;
}

static Expr *step_integrand(Step *s, Expr *e, const bool *dynamic_row) {
  ExprPool *pool = s->pde->pool;
  Expr *sum = NULL;
  for (s->only = 0; s->only < s->pde->nunknowns; s->only++) {
    s->old = false;
    Expr *part = expr_substitute(pool, e, replace, s);
    if (part && s->row->family == SCHEME_MIDPOINT && dynamic_row[s->only]) {
      s->old = true;
      Expr *old = expr_substitute(pool, e, replace, s);
      part = old ? expr_binary(pool, EXPR_ADD, part, old) : NULL;
      if (part) part = expr_binary(pool, EXPR_MUL, expr_const(pool, 0.5, UNIT_NONE), part);
    }
    if (!part) return NULL;
    if (expr_is_zero(part)) continue;
    sum = sum ? expr_binary(pool, EXPR_ADD, sum, part) : part;
    if (!sum) return NULL;
  }
  return sum ? form_by_tests(pool, sum) : expr_zero(pool, SHAPE_SCALAR);
}

Status scheme_step(const Form *form, const SchemeRow *row, Diags *diags, StepForm *out) {
  const Pde *pde = form->pde;
  Arena *arena = arena_new();
  *out = (StepForm){.form = form, .row = row, .levels = row->levels, .arena = arena};
  if (!arena) {
    diag_report(diags, E0001, pde->span, "memory is out");
    return 1;
  }
  out->rates = ARENA_ARRAY(arena, bool, pde->nunknowns + 1);
  out->dynamic = ARENA_ARRAY(arena, bool, pde->nunknowns + 1);
  bool *dynamic_row = ARENA_ARRAY(arena, bool, pde->nunknowns + 1);
  for (int u = 0; u < pde->nunknowns; u++) {
    out->dynamic[u] = !(form->findings_of[u] & FORM_STEADY);
    out->rates[u] = form->findings_of[u] & FORM_SECOND_ORDER_TIME;
    dynamic_row[u] = row_is_dynamic(form, u);
  }
  Step s = {.pde = pde, .row = row, .dynamic = out->dynamic};
  for (int i = 0; i < SCHEME_PARAMS; i++)
    s.param[i] = expr_param(pde->pool, scheme_params[i], SHAPE_SCALAR, i <= SCHEME_TIME_OLD ? pde->time : UNIT_NONE, false);
  out->residual = ARENA_ARRAY(arena, Integral, form->nresidual + 1);
  out->jacobian = ARENA_ARRAY(arena, Integral, form->nresidual + 1);
  for (int i = 0; i < form->nresidual; i++) {
    Expr *e = step_integrand(&s, form->residual[i].integrand, dynamic_row);
    if (!e) {
      diag_report(diags, E0999, form->residual[i].span, "the form of a time step cannot be made: %s", expr_error(pde->pool).text);
      scheme_step_free(out);
      return 1;
    }
    out->residual[out->nresidual] = form->residual[i];
    out->residual[out->nresidual++].integrand = e;
  }
  out->njacobian = form_linearise(pde, arena, out->residual, out->nresidual, out->jacobian);
  out->findings = form_classify(pde, out->jacobian, out->njacobian);
  return 0;
}

void scheme_step_free(StepForm *step) {
  if (step->arena) arena_free(step->arena);
  *step = (StepForm){0};
}
