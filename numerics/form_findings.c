/* The Jacobian as a table of coefficients c[test term][trial term], and what it tells: linear, symmetric, saddle, kernels. Equality of coefficients is
 * decided by canonical form first, then by values at random points: two different expressions in analytic functions agree there with probability zero. */
#include <math.h>
#include <stdlib.h>

#include "form_internal.h"

enum { SAMPLES = 6 };

int symbol_order(Symbol s) { return s.dx[0] + s.dx[1] + s.dx[2]; }

bool symbol_leads(Symbol a, Symbol b) {
  return a.which == b.which && a.component == b.component && a.side == b.side && a.dx[0] == b.dx[0] && a.dx[1] == b.dx[1] && a.dx[2] == b.dx[2];
}

/* --- values at samples --- */

typedef struct Sample { const Pde *pde; uint64_t seed; } Sample;

static double uniform(uint64_t seed, uint64_t key) {          /* splitmix64, Steele, Lea, Flood 2014; in (0.4, 1.6) */
  uint64_t z = seed*0x9e3779b97f4a7c15u + key*0xbf58476d1ce4e5b9u + 0x94d049bb133111ebu;
  z = (z ^ (z >> 30))*0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27))*0x94d049bb133111ebu;
  z ^= z >> 31;
  return 0.4 + 1.2*((double)(z >> 11)*0x1p-53);
}

static double sample_leaf(Expr *leaf, void *user) {
  const Sample *s = user;
  if (leaf->op == EXPR_REGIONS) return (double)(s->seed % leaf->n);      /* which of them: the same in all that are given by the same regions */
  if (leaf->op == EXPR_TABLE) {                                          /* where it has values */
    double middle[3];
    for (int k = 0; k < leaf->n; k++) middle[k] = leaf->table->knot[k][0] + (0.01 + 0.6*uniform(s->seed, leaf->id + k))*(leaf->table->knot[k][leaf->table->n[k] - 1] - leaf->table->knot[k][0]);
    return expr_table_value(leaf->table, middle, leaf->index);
  }
  if (leaf->op == EXPR_PARAM && s->pde) {
    double value;
    for (int i = 0; i < s->pde->nparams; i++) {
      Expr *known = s->pde->params[i].value;
      if (s->pde->params[i].symbol == leaf && known && expr_is_const(known, &value)) return value;
    }
  }
  /* Every other sample is near a uniform state: the determinant of I + grad(u), say, is positive there. */
  bool slope = leaf->op == EXPR_TERM && symbol_order(leaf->symbol) && s->seed % 2 == 0;
  return (slope ? 0.1 : 1)*uniform(s->seed, leaf->id);
}

double form_sample(const Pde *pde, Expr *e, unsigned seed) {
  Sample s = {pde, seed};
  return expr_value(e, sample_leaf, &s);
}

static bool close(double a, double b) { return fabs(a - b) <= 1e-9*(fabs(a) + fabs(b)); }

/* Agreement in value, NANs and cancellation left out of the count. */
static bool agree(Expr *a, Expr *b, double factor) {
  int seen = 0;
  for (unsigned k = 1; k <= SAMPLES; k++) {
    double x = form_sample(NULL, a, k), y = factor*form_sample(NULL, b, k);
    if (!isfinite(x) || !isfinite(y)) continue;
    if (!close(x, y) && fabs(x - y) > 1e-13) return false;
    seen++;
  }
  return seen >= 2;
}

bool form_identical(Expr *a, Expr *b) {
  if (a == b || expr_same(a, b)) return true;
  return agree(a, b, 1);
}

static Expr *one_for_all(ExprPool *pool, Expr *leaf, void *user) {
  (void)user;
  return leaf->op != EXPR_CONST && leaf->flags & HAS_VARYING && !leaf->shape.rank ? expr_const(pool, 1, leaf->unit) : leaf;
}

/* The symbolic ratio: that of the derivatives by some leaf, with 1 for everything but the parameters; a candidate that values confirm or not. */
bool form_proportional(ExprPool *pool, Expr *a, Expr *b, Expr **factor) {
  if (form_identical(a, b)) return *factor = expr_const(pool, 1, UNIT_NONE), true;
  if (expr_proportional(pool, a, b, factor)) return true;
  double x = form_sample(NULL, a, 1), y = form_sample(NULL, b, 1);
  if (isfinite(x) && isfinite(y) && y != 0 && !((a->flags | b->flags) & HAS_PARAM) && agree(a, b, x/y)) {
    double ratio = x/y, whole = nearbyint(ratio);
    *factor = expr_const(pool, close(ratio, whole) ? whole : ratio, UNIT_NONE);
    return true;
  }
  Expr *leaves[FORM_TERMS_MAX];
  int n = form_leaves(pool, b, ~0u, leaves);
  for (int i = 0; i < n; i++) {
    Expr *da = expr_diff(pool, a, leaves[i]), *db = expr_diff(pool, b, leaves[i]);
    if (!da || !db || expr_is_zero(da) || expr_is_zero(db)) continue;
    da = expr_substitute(pool, da, one_for_all, NULL);
    db = expr_substitute(pool, db, one_for_all, NULL);
    if (!da || !db || expr_is_zero(db)) continue;
    Expr *ratio = expr_binary(pool, EXPR_DIV, da, db);
    if (!ratio || ratio->flags & HAS_VARYING) continue;
    Expr *product = expr_binary(pool, EXPR_MUL, ratio, b);
    if (product && form_identical(a, product)) return *factor = ratio, true;
  }
  return false;
}

/* --- the table --- */

static void coefs_push(CoefTable *t, Coef c) {
  if (t->n == t->cap) {
    t->cap = t->cap ? 2*t->cap : 64;
    t->items = realloc(t->items, (size_t)t->cap*sizeof *t->items);
  }
  t->items[t->n++] = c;
}

void coefs_free(CoefTable *t) {
  free(t->items);
  *t = (CoefTable){0};
}

void coefs_of(const Pde *pde, Expr *integrand, unsigned trial_kind, IntegralKind kind, int integral, CoefTable *out) {
  Expr *tests[FORM_TERMS_MAX], *trials[FORM_TERMS_MAX];
  int ntests = form_leaves(pde->pool, integrand, 1u << SYMBOL_TEST, tests);
  for (int i = 0; i < ntests; i++) {
    Expr *g = expr_diff(pde->pool, integrand, tests[i]);
    int ntrials = !g ? 0 : form_leaves(pde->pool, g, 1u << trial_kind, trials);
    for (int j = 0; j < ntrials; j++) {
      Expr *c = expr_diff(pde->pool, g, trials[j]);
      if (!c || expr_is_zero(c)) continue;       /* without a derivative: refused before (E0408) */
      Coef coef = {kind, integral, tests[i]->symbol, trials[j]->symbol, tests[i], trials[j]->name, c};
      coef.trial.kind = SYMBOL_TRIAL;
      coefs_push(out, coef);
    }
  }
}

static const Coef *find_coef(const CoefTable *t, int integral, Symbol test, Symbol trial, int dt) {
  for (int i = 0; i < t->n; i++) {
    const Coef *c = &t->items[i];
    if (c->integral == integral && c->trial.dt == dt && symbol_leads(c->test, test) && symbol_leads(c->trial, trial)) return c;
  }
  return NULL;
}

static bool is_symmetric(const CoefTable *t) {
  for (int i = 0; i < t->n; i++) {
    const Coef *c = &t->items[i], *mirror = find_coef(t, c->integral, c->trial, c->test, c->trial.dt);
    if (!mirror || (mirror != c && !form_identical(c->value, mirror->value))) return false;
  }
  return true;
}

/* Is the matrix of coefficients of one integral and one dt count positive semidefinite at a sample? Elimination with diagonal pivots. */
static bool is_psd(const Pde *pde, const CoefTable *t, int integral, int dt, unsigned seed) {
  enum { N = 96 };
  static const double small = 1e-10;
  Symbol rows[N];
  int n = 0;
  for (int i = 0; i < t->n; i++) {
    const Coef *c = &t->items[i];
    int k = 0;
    if (c->integral != integral || c->trial.dt != dt) continue;
    while (k < n && !symbol_leads(rows[k], c->test)) k++;
    if (k == N) return false;
    if (k == n) rows[n++] = c->test;
  }
  double *A = memory_try(NULL, sizeof *A*(size_t)(n*n + 1)), scale = 0;
  bool ok = A != NULL, done[N] = {false};
  for (int i = 0; ok && i < n; i++)
    for (int j = 0; j < n; j++) {
      const Coef *c = find_coef(t, integral, rows[i], rows[j], dt);
      A[i*n + j] = c ? form_sample(pde, c->value, seed) : 0;
      if (!isfinite(A[i*n + j])) A[i*n + j] = 0;
      if (fabs(A[i*n + j]) > scale) scale = fabs(A[i*n + j]);
    }
  for (int step = 0; ok && step < n; step++) {
    int p = -1;
    for (int i = 0; i < n; i++)
      if (!done[i] && (p < 0 || A[i*n + i] > A[p*n + p])) p = i;
    if (A[p*n + p] <= small*scale) {            /* what is left must vanish */
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          if (!done[i] && !done[j] && fabs(A[i*n + j]) > small*scale) ok = false;
      break;
    }
    done[p] = true;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (!done[i] && !done[j]) A[i*n + j] -= A[i*n + p]*A[p*n + j]/A[p*n + p];
  }
  free(A);
  return ok;
}

static bool is_definite(const Pde *pde, const CoefTable *t, int nintegrals) {
  for (int k = 0; k < nintegrals; k++)
    for (int dt = 0; dt <= 2; dt++)
      for (unsigned seed = 1; seed <= 3; seed++)
        if (!is_psd(pde, t, k, dt, seed)) return false;
  return true;
}

/* Facts of one unknown's own block. */
typedef struct BlockFacts { bool any, diffusive, advective, mass_only, dt, dtt; } BlockFacts;

static BlockFacts block_facts(const CoefTable *t, int which) {
  BlockFacts f = {.mass_only = true};
  for (int i = 0; i < t->n; i++) {
    const Coef *c = &t->items[i];
    if (c->trial.which == which && c->trial.dt == 1) f.dt = true;
    if (c->trial.which == which && c->trial.dt > 1) f.dt = f.dtt = true;
    if (c->test.which != which || c->trial.which != which) continue;
    int a = symbol_order(c->test), b = symbol_order(c->trial);
    f.any = true;
    if (a + b || c->kind == INTEGRAL_INTERIOR) f.mass_only = false;
    if (a && b) f.diffusive = true;
    if (!a != !b && c->kind == INTEGRAL_CELL && c->trial.dt == 0) f.advective = true;
  }
  f.mass_only &= f.any;
  return f;
}

static CoefTable table_of(const Pde *pde, const Integral *jacobian, int n) {
  CoefTable t = {0};
  for (int i = 0; i < n; i++) coefs_of(pde, jacobian[i].integrand, SYMBOL_TRIAL, jacobian[i].kind, i, &t);
  return t;
}

static unsigned classify_table(const Pde *pde, const CoefTable *t, int n) {
  unsigned found = FORM_LINEAR;
  for (int i = 0; i < t->n; i++)
    if (t->items[i].value->flags & HAS_UNKNOWN || pde_has_globals(pde, t->items[i].value)) found &= ~(unsigned)FORM_LINEAR;
  for (int i = 0; i < pde->nglobals; i++)
    if (pde->globals[i].bends) found &= ~(unsigned)FORM_LINEAR;
  bool symmetric = !pde->nglobals && is_symmetric(t);
  if (symmetric) found |= FORM_SYMMETRIC;
  for (int u = 0; u < pde->nunknowns; u++) {
    BlockFacts f = block_facts(t, u);
    if (!f.any) found |= FORM_SADDLE;
    if (f.advective) found |= FORM_ADVECTIVE;
  }
  if (symmetric && !(found & FORM_SADDLE) && is_definite(pde, t, n)) found |= FORM_DEFINITE_LIKELY;
  return found;
}

unsigned form_classify(const Pde *pde, const Integral *jacobian, int n) {
  CoefTable t = table_of(pde, jacobian, n);
  unsigned found = classify_table(pde, &t, n);
  coefs_free(&t);
  return found;
}

/* --- kernels --- */

/* On a facet between cells a constant shows in the sum over both sides: jump(u) does not see it. */
static bool cancels(const Pde *pde, const CoefTable *t, const Coef *c) {
  Symbol other = c->trial;
  if (c->kind != INTEGRAL_INTERIOR || !other.side) return false;
  other.side = (uint8_t)(3 - other.side);
  const Coef *mate = find_coef(t, c->integral, c->test, other, c->trial.dt);
  Expr *minus = mate ? expr_unary(pde->pool, EXPR_NEG, mate->value) : NULL;
  return minus && form_identical(c->value, minus);
}

static unsigned constants_unseen(const Pde *pde, const CoefTable *t, int u) {
  unsigned bits = 0;
  int size = shape_size(pde->unknowns[u].shape, pde->dim);
  for (int c = 0; c < size && c < 32; c++) {
    bool seen = false;
    for (int i = 0; i < t->n; i++) {
      Symbol s = t->items[i].trial;
      seen |= s.which == u && s.component == c && (symbol_order(s) == 0 || s.dt > 0) && !cancels(pde, t, &t->items[i]);
    }
    if (!seen) bits |= 1u << c;
  }
  return bits;
}

/* Sum over gradients of the trial with a skew matrix in their place vanishes: c[a][k,j] == c[a][j,k]. */
static bool sees_eps_only(const Pde *pde, const CoefTable *t, int u) {
  Shape shape = pde->unknowns[u].shape;
  if (shape.rank != 1 || shape.extent[0] != pde->dim || pde->dim < 2) return false;
  bool any = false;
  for (int i = 0; i < t->n; i++) {
    const Coef *c = &t->items[i];
    if (c->trial.which != u) continue;
    if (symbol_order(c->trial) != 1) return false;
    any = true;
    int k = c->trial.component, j = 0;
    while (!c->trial.dx[j]) j++;
    Symbol turned = c->trial;
    turned.component = (uint8_t)j;
    turned.dx[j] = 0;
    turned.dx[k] = 1;
    const Coef *other = find_coef(t, c->integral, c->test, turned, c->trial.dt);
    if (!other || (other != c && !form_identical(other->value, c->value))) return false;
  }
  return any;
}

/* p occurs as c*p*div(v) with one constant c for the rows of one vector unknown, and in no other way: then a constant p works against
 * the boundary values of v alone. */
static bool is_pressure(const Pde *pde, const CoefTable *t, int u) {
  int velocity = -1, seen = 0;
  Expr *first = NULL;
  if (pde->unknowns[u].shape.rank) return false;
  for (int i = 0; i < t->n; i++) {
    const Coef *c = &t->items[i];
    if (c->trial.which != u) continue;
    int k = c->test.component;
    if (c->kind != INTEGRAL_CELL || symbol_order(c->trial) || c->trial.dt || symbol_order(c->test) != 1 || k > 2 || !c->test.dx[k]) return false;
    if (velocity >= 0 && velocity != c->test.which) return false;
    if (c->value->flags & HAS_VARYING) return false;
    if (first && !form_identical(first, c->value)) return false;
    velocity = c->test.which;
    first = c->value;
    seen++;
  }
  return velocity >= 0 && velocity != u && seen == pde->dim;
}

void findings_fill(Form *form) {
  const Pde *pde = form->pde;
  CoefTable t = table_of(pde, form->jacobian, form->njacobian);
  globals_findings(form);
  form->findings |= classify_table(pde, &t, form->njacobian) | FORM_STEADY | FORM_MASS_ONLY;
  for (int u = 0; u < pde->nunknowns; u++) {
    BlockFacts f = block_facts(&t, u);
    unsigned *of = &form->findings_of[u];
    *of = (f.dt ? 0 : FORM_STEADY) | (f.any ? 0 : FORM_SADDLE) | (f.dtt ? FORM_SECOND_ORDER_TIME : 0) | (f.mass_only ? FORM_MASS_ONLY : 0)
        | (f.advective && !f.diffusive ? FORM_ADVECTIVE : 0);
    form->free_constants[u] = constants_unseen(pde, &t, u) & ~globals_see(pde, u);
    if (form->free_constants[u]) *of |= FORM_CONSTANT_KERNEL;
    if (!globals_see(pde, u) && sees_eps_only(pde, &t, u)) *of |= FORM_RIGID_KERNEL;
    if (!f.any && is_pressure(pde, &t, u)) *of |= FORM_PRESSURE_KERNEL;
    if (f.dt) form->findings &= ~(unsigned)FORM_STEADY;
    if (!f.mass_only) form->findings &= ~(unsigned)FORM_MASS_ONLY;
    form->findings |= *of & (FORM_SECOND_ORDER_TIME | FORM_CONSTANT_KERNEL | FORM_RIGID_KERNEL | FORM_PRESSURE_KERNEL);
  }
  coefs_free(&t);
  for (int i = 0; i < form->nresidual; i++) {
    if (form->residual[i].integrand->flags & HAS_TIME) form->findings |= FORM_TIME_DATA;
    if (form->residual[i].integrand->flags & HAS_LAMBDA) form->findings |= FORM_EIGENVALUE;
  }
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].value && pde->conditions[i].value->flags & HAS_TIME) form->findings |= FORM_TIME_DATA;
}
