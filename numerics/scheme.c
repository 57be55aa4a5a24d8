/* Step forms. Let D(w) = (a0*w + a1*w1 + a2*w2)/step be the difference quotient of the scheme, w1, w2 one and two steps back.
 *
 * BDF family, everything at the new time:
 *   dt(u) = D(u),   dtt(u) = D(r) with the rate r = D(u):  dtt(u) = (a0*D(u) + a1*r1 + a2*r2)/step.
 * Mean family (trapezoidal rule), rows with a time derivative:  (R(u, t) + R(u1, t_old))/2 with dt(u) = (u - u1)/step in both, and
 *   (r - r1)/step for dtt(u), where (r + r1)/2 = (u - u1)/step gives r = 2*(u - u1)/step - r1, hence
 *   dtt(u) = 2*((u - u1)/step - r1)/step  (Newmark, beta = 1/4, gamma = 1/2).
 * Generalized-alpha, rows with a time derivative at the time t_old + s*step, there with u = s*u + (1 - s)*u1 and
 *   dt(u)  = a0*(u - u1)/step + b1*r1                                   unknowns of first order in time, r1 the rate
 *   dt(u)  = c0*(u - u1)/step + c1*r1 + c2*step*r2                      of second order, r2 the acceleration
 *   dtt(u) = (d0*(u - u1)/step + d1*r1)/step + d2*r2
 * Unknowns without a time derivative (multipliers) and rows without one (constraints) are taken at the new time. */
#include "scheme.h"

#include <math.h>
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

const char *const scheme_params[SCHEME_PARAMS] = {"step#", "t_old#", "a0#", "a1#", "a2#", "share#", "b1#", "c0#", "c1#", "c2#", "d0#", "d1#", "d2#"};

int scheme_param(Name name) {
  for (int i = 0; i < SCHEME_PARAMS; i++)
    if (!strcmp(name, scheme_params[i])) return i;
  return -1;
}

/* ---- numbers of a step ------------------------------------------------------------------------------------------------------------------- */

/* Generalized-alpha: shares of the acceleration (or of the rate, of first order) and of the state, and the numbers of Newmark's formulas, by which the
 * order is 2 and fast modes are damped most for a given rho_inf. The accelerations are those of a time shift*step after their own, shift = f - m; where
 * the length changes, m and gamma are those for which the times still agree: with w the ratio of the lengths
 *   (1 - m)*shift/w + m*(1 + shift) = f,   (1 - gamma)*shift/w + gamma*(1 + shift) = 1/2. */
typedef struct Alpha { double m, f, gamma, beta, shift; } Alpha;

static Alpha alpha_of(const SchemeStart *start, bool second_order) {
  double rho = start->rho, w = start->ratio;
  Alpha a = {.m = second_order ? (2 - rho)/(1 + rho) : (3 - rho)/(1 + rho)/2, .f = 1/(1 + rho)};
  a.shift = a.f - a.m;
  a.beta = (1 - a.shift)*(1 - a.shift)/4;
  double whole = 1 + a.shift - a.shift/w;
  a.m = (a.f - a.shift/w)/whole;
  a.gamma = (0.5 - a.shift/w)/whole;
  return a;
}

static void alpha_first_order(const SchemeStart *start, double *p) {
  Alpha a = alpha_of(start, false);
  p[SCHEME_A0] = a.m/a.gamma;
  p[SCHEME_A1] = -p[SCHEME_A0];
  p[SCHEME_B1] = 1 - p[SCHEME_A0];
}

static void alpha_second_order(const SchemeStart *start, double *p) {
  Alpha a = alpha_of(start, true);
  double new_rate = a.gamma/a.beta;                    /* at the new time: dt(u) = new_rate*(u - u1)/step + (1 - new_rate)*r1 + ... */
  p[SCHEME_C0] = a.f*new_rate;
  p[SCHEME_C1] = 1 - p[SCHEME_C0];
  p[SCHEME_C2] = a.f*(1 - new_rate/2);
  p[SCHEME_D0] = a.m/a.beta;
  p[SCHEME_D1] = -p[SCHEME_D0];
  p[SCHEME_D2] = 1 - a.m/(2*a.beta);
}

/* BDF2: y' = D(y) with a step ratio w is the derivative at t_n of the parabola through t_n, t_n-1, t_n-2 (Hairer, Norsett, Wanner I, section III.5). */
void scheme_coefficients(const SchemeRow *row, const SchemeStart *start, double p[SCHEME_PARAMS]) {
  double w = start->ratio;
  for (int k = SCHEME_A0; k < SCHEME_PARAMS; k++) p[k] = 0;
  p[SCHEME_STEP] = start->step;
  p[SCHEME_SHARE] = 1;
  p[SCHEME_A0] = 1, p[SCHEME_A1] = -1;
  if (row->family == SCHEME_BDF && row->levels > 1 && !start->first) {
    p[SCHEME_A0] = (1 + 2*w)/(1 + w);
    p[SCHEME_A1] = -(1 + w);
    p[SCHEME_A2] = w*w/(1 + w);
  }
  if (row->family != SCHEME_ALPHA) return;
  if (!start->first) {
    p[SCHEME_SHARE] = alpha_of(start, false).f;
    alpha_first_order(start, p);
    alpha_second_order(start, p);
    return;
  }
  if (start->second_order) p[SCHEME_SHARE] = 0.5;      /* the mean rule: dtt(u) = 2*((u - u1)/step - r1)/step */
  p[SCHEME_C0] = 1;
  p[SCHEME_D0] = 2, p[SCHEME_D1] = -2;
}

static void bdf_rates(const double *p, double h, SchemeRates *out) {
  for (int k = 0; k < 3; k++) out->r1[k] = p[SCHEME_A0 + k]/h;
  out->r2[3] = 1;                                      /* what was one step back is two steps back now */
}

static void mean_rates(double h, SchemeRates *out) {
  *out = (SchemeRates){.r1 = {2/h, -2/h, 0, -1}, .r2 = {[3] = 1}};
}

static void alpha_rates(const SchemeStart *start, bool second_order, SchemeRates *out) {
  double h = start->step;
  Alpha a = alpha_of(start, second_order);
  if (start->first && !second_order) *out = (SchemeRates){.r1 = {1/h, -1/h}};
  else if (start->first) {                             /* the acceleration is that of the middle of the step: first order is enough to begin with */
    *out = (SchemeRates){.r1 = {2/h, -2/h, 0, -1}, .r2 = {2/h/h, -2/h/h, 0, -2/h}};
  } else if (!second_order) *out = (SchemeRates){.r1 = {1/(a.gamma*h), -1/(a.gamma*h), 0, 1 - 1/a.gamma}};
  else {
    double c = a.gamma/a.beta;
    *out = (SchemeRates){.r1 = {c/h, -c/h, 0, 1 - c, h*(1 - c/2)}, .r2 = {1/(a.beta*h*h), -1/(a.beta*h*h), 0, -1/(a.beta*h), 1 - 1/(2*a.beta)}};
  }
}

void scheme_rates(const SchemeRow *row, const double p[SCHEME_PARAMS], const SchemeStart *start, bool second_order, SchemeRates *out) {
  *out = (SchemeRates){{0}, {0}};
  if (row->family == SCHEME_BDF) bdf_rates(p, start->step, out);
  else if (row->family == SCHEME_MIDPOINT) mean_rates(start->step, out);
  else alpha_rates(start, second_order, out);
}

/* Errors of one step from exact data over h^(p+1) y^(p+1). BDF2: the parabola's derivative is off by h (h + h1)/6 y^(3). Generalized-alpha: its rates
 * are those of a time s*step later, of first order also off by e*h^2 y^(3), since states and rates between the times are taken linearly. */
static double error_constant(const SchemeRow *row, const SchemeStart *start) {
  double w = start->ratio;
  if (row->order == 1) return 0.5;
  if (row->family == SCHEME_BDF) return (1 + w)*(1 + w)/(6*w*(1 + 2*w));
  if (row->family == SCHEME_MIDPOINT) return 1./12;
  Alpha a = alpha_of(start, start->second_order);
  double s = a.shift, e = (a.f*(1 - a.f) - a.m*(1 - a.m))/2;
  return start->second_order ? a.beta + s/2 - 1./6 : 1./12 - s*s/2 + e;
}

double scheme_error_share(const SchemeRow *row, const SchemeStart *start, const double before[2]) {
  double h = start->step, mine = fabs(error_constant(row, start));
  double line = (1 + before[0]/h)/2, extrapolated = row->order == 1 ? line : line*(1 + (before[0] + before[1])/h)/3;
  return mine/(mine + extrapolated);
}

/* ---- substitution ------------------------------------------------------------------------------------------------------------------------ */

typedef struct Step {
  const Pde *pde;
  const SchemeRow *row;
  const bool *dynamic, *second;      /* [unknown] has a time derivative; a second one */
  const bool *dynamic_row;
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

/* PREVIOUS rate (order 1) or acceleration (2) one step back, of generalized-alpha. */
static Expr *rate_of(const Step *s, Expr *leaf, int order) {
  Symbol symbol = leaf->symbol;
  Unit unit = leaf->unit;
  for (int k = order; k < symbol.dt; k++) unit = unit_mul(unit, s->pde->time);
  for (int k = symbol.dt; k < order; k++) unit = unit_div(unit, s->pde->time);
  symbol.dt = 0;
  symbol.level = (uint8_t)(SCHEME_RATE + order);
  symbol.kind = SYMBOL_PREVIOUS;
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

static Expr *times(const Step *s, SchemeParam p, Expr *e) { return expr_binary(s->pde->pool, EXPR_MUL, s->param[p], e); }
static Expr *plus(const Step *s, Expr *a, Expr *b) { return a && b ? expr_binary(s->pde->pool, EXPR_ADD, a, b) : NULL; }

/* Generalized-alpha: what stands for u, dt(u), dtt(u) and t in a row with a time derivative. */
static Expr *at_share(const Step *s, Expr *leaf) {
  ExprPool *pool = s->pde->pool;
  Expr *one = expr_const(pool, 1, UNIT_NONE), *rest = expr_binary(pool, EXPR_SUB, one, s->param[SCHEME_SHARE]);
  if (leaf->op == EXPR_TIME) return expr_binary(pool, EXPR_SUB, leaf, expr_binary(pool, EXPR_MUL, rest, s->param[SCHEME_STEP]));
  Expr *u = state(s, leaf, 0, false), *old = state(s, leaf, 1, false);
  if (!leaf->symbol.dt) return plus(s, times(s, SCHEME_SHARE, u), expr_binary(pool, EXPR_MUL, rest, old));
  Expr *rise = over_step(s, expr_binary(pool, EXPR_SUB, u, old)), *rate = rate_of(s, leaf, 1), *acceleration = rate_of(s, leaf, 2);
  if (!s->second[leaf->symbol.which]) return plus(s, times(s, SCHEME_A0, rise), times(s, SCHEME_B1, rate));
  if (leaf->symbol.dt == 1) return plus(s, plus(s, times(s, SCHEME_C0, rise), times(s, SCHEME_C1, rate)), times(s, SCHEME_C2, times(s, SCHEME_STEP, acceleration)));
  return plus(s, over_step(s, plus(s, times(s, SCHEME_D0, rise), times(s, SCHEME_D1, rate))), times(s, SCHEME_D2, acceleration));
}

static Expr *replace(ExprPool *pool, Expr *leaf, void *user) {
  const Step *s = user;
  bool between = s->row->family == SCHEME_ALPHA && s->dynamic_row[s->only];
  if (leaf->op == EXPR_TIME) return s->old ? s->param[SCHEME_TIME_OLD] : between ? at_share(s, leaf) : leaf;
  const Global *number = pde_global(s->pde, leaf);
  if (number && s->old) return number->before;
  if (number && between) {
    Expr *rest = expr_binary(pool, EXPR_SUB, expr_const(pool, 1, UNIT_NONE), s->param[SCHEME_SHARE]);
    return plus(s, times(s, SCHEME_SHARE, leaf), expr_binary(pool, EXPR_MUL, rest, number->before));
  }
  if (leaf->op != EXPR_TERM) return leaf;
  Symbol symbol = leaf->symbol;
  if (symbol.kind == SYMBOL_TEST) return symbol.which == s->only ? leaf : expr_zero(pool, SHAPE_SCALAR);
  if (symbol.kind != SYMBOL_UNKNOWN || !s->dynamic[symbol.which]) return leaf;
  if (between) return at_share(s, leaf);
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

static Expr *step_integrand(Step *s, Expr *e) {
  ExprPool *pool = s->pde->pool;
  Expr *sum = NULL;
  for (s->only = 0; s->only < s->pde->nunknowns; s->only++) {
    s->old = false;
    Expr *part = expr_substitute(pool, e, replace, s);
    if (part && s->row->family == SCHEME_MIDPOINT && s->dynamic_row[s->only]) {
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
    out->keeps_rates |= out->rates[u] || row->family == SCHEME_ALPHA;
    dynamic_row[u] = row_is_dynamic(form, u);
  }
  Step s = {.pde = pde, .row = row, .dynamic = out->dynamic, .second = out->rates, .dynamic_row = dynamic_row};
  for (int i = 0; i < SCHEME_PARAMS; i++)
    s.param[i] = expr_param(pde->pool, scheme_params[i], SHAPE_SCALAR, i <= SCHEME_TIME_OLD ? pde->time : UNIT_NONE, false);
  out->residual = ARENA_ARRAY(arena, Integral, form->nresidual + 1);
  out->jacobian = ARENA_ARRAY(arena, Integral, form->nresidual + 1);
  for (int i = 0; i < form->nresidual; i++) {
    Expr *e = step_integrand(&s, form->residual[i].integrand);
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
