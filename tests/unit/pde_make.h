/* Pdes built by hand for the tests of forms: short names for expressions, one pool at a time, terminals with reproducible values. */
#ifndef PDE_MAKE_H
#define PDE_MAKE_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../numerics/form.h"
#include "../../numerics/geom.h"

enum { LAB_MAX = 24 };

typedef struct Lab {
  SourceMap *sources;
  Interner *names;
  ExprPool *pool;
  Diags diags;
  Pde pde;
  Unknown unknowns[4];
  Equation equations[LAB_MAX];
  WeakTerm weak[LAB_MAX];
  Condition conditions[LAB_MAX];
  Initial initials[LAB_MAX];
  Constraint constraints[LAB_MAX];
  Periodic periodics[LAB_MAX];
  PdeParam params[LAB_MAX];
  Form *form;
  uint32_t place;
} Lab;

static Lab lab;

static inline Name nm(const char *text) { return intern_text(lab.names, text); }
static inline Span here(void) { lab.place += 10; return (Span){lab.place, lab.place + 5}; }

static inline void lab_open(int dim) {
  lab = (Lab){.sources = sources_new(), .names = interner_new()};
  lab.pool = expr_pool_new(lab.names);
  lab.diags.sources = lab.sources;
  expr_set_base_units(lab.pool, UNIT_NONE, UNIT_NONE);
  lab.pde = (Pde){.name = nm("p"), .dim = dim, .pool = lab.pool, .unknowns = lab.unknowns, .equations = lab.equations, .weak = lab.weak,
                  .conditions = lab.conditions, .initials = lab.initials, .constraints = lab.constraints, .periodics = lab.periodics, .params = lab.params,
                  .length = UNIT_NONE, .time = UNIT_NONE, .arena = arena_new()};
}

static inline void lab_close(void) {
  form_free(lab.form);
  diags_free(&lab.diags);
  arena_free(lab.pde.arena);
  expr_pool_free(lab.pool);
  interner_free(lab.names);
  sources_free(lab.sources);
}

/* --- expressions --- */

static inline Expr *made(Expr *e) {
  if (!e) fail_msg("expression refused: %s", expr_error(lab.pool).text);
  return e->flags & HAS_DIM ? expr_specialise(lab.pool, e, lab.pde.dim) : e;
}
static inline Expr *un(ExprOp op, Expr *a) { return made(expr_unary(lab.pool, op, a)); }
static inline Expr *bin(ExprOp op, Expr *a, Expr *b) { return made(expr_binary(lab.pool, op, a, b)); }
static inline Expr *num(double v) { return expr_const(lab.pool, v, UNIT_NONE); }
static inline Expr *zero(void) { return expr_zero(lab.pool, SHAPE_SCALAR); }
static inline Expr *add(Expr *a, Expr *b) { return bin(EXPR_ADD, a, b); }
static inline Expr *sub(Expr *a, Expr *b) { return bin(EXPR_SUB, a, b); }
static inline Expr *mul(Expr *a, Expr *b) { return bin(EXPR_MUL, a, b); }
static inline Expr *over(Expr *a, Expr *b) { return bin(EXPR_DIV, a, b); }
static inline Expr *neg(Expr *a) { return un(EXPR_NEG, a); }
static inline Expr *power(Expr *a, double n) { return bin(EXPR_POW, a, num(n)); }
static inline Expr *dot(Expr *a, Expr *b) { return bin(EXPR_DOT, a, b); }
static inline Expr *inner(Expr *a, Expr *b) { return bin(EXPR_INNER, a, b); }
static inline Expr *grad(Expr *a) { return un(EXPR_GRAD, a); }
static inline Expr *div_(Expr *a) { return un(EXPR_DIVERGENCE, a); }
static inline Expr *lap(Expr *a) { return un(EXPR_LAP, a); }
static inline Expr *curl(Expr *a) { return un(EXPR_CURL, a); }
static inline Expr *eps(Expr *a) { return un(EXPR_EPS, a); }
static inline Expr *tr(Expr *a) { return un(EXPR_TRACE, a); }
static inline Expr *dt(Expr *a) { return un(EXPR_DT, a); }
static inline Expr *dtt(Expr *a) { return un(EXPR_DTT, a); }
static inline Expr *d_(Expr *a, int axis) { return made(expr_dx(lab.pool, a, axis, UNIT_NONE)); }
static inline Expr *X(int axis) { return expr_coord(lab.pool, axis, UNIT_NONE); }
static inline Expr *time_(void) { return expr_time(lab.pool, UNIT_NONE); }
static inline Expr *nrm(void) { return expr_normal(lab.pool, lab.pde.dim); }
static inline Expr *ident(void) { return expr_identity(lab.pool, lab.pde.dim); }
static inline Expr *vec2(Expr *a, Expr *b) { Expr *v[] = {a, b}; return made(expr_make(lab.pool, EXPR_VECTOR, v, 2)); }
static inline Expr *vec3(Expr *a, Expr *b, Expr *c) { Expr *v[] = {a, b, c}; return made(expr_make(lab.pool, EXPR_VECTOR, v, 3)); }
static inline Expr *comp(Expr *a, int i) { return made(expr_component(lab.pool, a, &i, 1)); }

static inline Expr *param(const char *name, double value) {
  Expr *p = expr_param(lab.pool, nm(name), SHAPE_SCALAR, UNIT_NONE, false);
  lab.params[lab.pde.nparams++] = (PdeParam){nm(name), p, num(value), false};
  return p;
}

/* --- declarations --- */

static inline Expr *unknown(const char *name, Shape shape, const char *test) {
  int u = lab.pde.nunknowns++;
  Expr *symbol = expr_symbol(lab.pool, (Symbol){.kind = SYMBOL_UNKNOWN, .which = (uint16_t)u}, nm(name), shape, UNIT_NONE);
  Expr *v = expr_symbol(lab.pool, (Symbol){.kind = SYMBOL_TEST, .which = (uint16_t)u}, nm(test), shape, UNIT_ANY);
  lab.unknowns[u] = (Unknown){nm(name), shape, nm("P1"), UNIT_NONE, symbol, v, here(), false};
  return symbol;
}
static inline Expr *scalar(const char *name) { return unknown(name, SHAPE_SCALAR, "v"); }
static inline Expr *vector(const char *name) { return unknown(name, shape_vector(lab.pde.dim), "v"); }

static inline void equation(int u, Expr *left, Expr *right) { lab.equations[lab.pde.nequations++] = (Equation){u, left, right, here()}; }

/* "all", "others but a b" , or names with blanks between. */
static inline Where where(const char *text) {
  Where w = {.span = here()};
  Name *names = arena_alloc(lab.pde.arena, 8*sizeof(Name));
  char copy[200], *save = NULL;
  strncpy(copy, text, sizeof copy - 1);
  copy[sizeof copy - 1] = 0;
  for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
    if (!strcmp(word, "all")) w.all = true;
    else if (!strcmp(word, "others")) w.others = true;
    else names[w.n++] = nm(word);
  }
  w.names = names;
  return w;
}

static inline void on(const char *boundary, Expr *left, Expr *right) {
  Where w = where(boundary);
  int i = lab.pde.nconditions++;
  lab.conditions[i] = (Condition){.left = left, .right = right, .where = w, .order = i, .by_rest = w.all || w.others, .span = here()};
}
static inline void on_point(double x, double y, Expr *left, Expr *right) {
  on("", left, right);
  Where *w = &lab.conditions[lab.pde.nconditions - 1].where;
  w->is_point = true;
  w->point[0] = x;
  w->point[1] = y;
}
static inline void initially(int u, int rate, Expr *value) { lab.initials[lab.pde.ninitials++] = (Initial){u, -1, rate, value, here()}; }
static inline void mean_zero(int u) {
  Expr *mean = made(expr_integral(lab.pool, lab.unknowns[u].symbol, NULL, 0, true));
  lab.constraints[lab.pde.nconstraints++] = (Constraint){mean, zero(), u, here()};
}
static inline void periodic(const char *a, const char *b) {
  Where from = where(a), to = where(b);
  lab.periodics[lab.pde.nperiodics++] = (Periodic){from, to, here()};
}
static inline void weak(Expr *integrand, const char *place, double sign) {
  WeakTerm t = {.integrand = integrand, .on_cells = !place, .sign = sign, .degree = -1, .span = here()};
  t.where = place ? where(place) : (Where){.all = true};
  lab.weak[lab.pde.nweak++] = t;
}

static inline void complain(void) {
  Buf text = {0};
  for (int i = 0; i < lab.diags.n; i++) diag_print(&text, lab.sources, lab.diags.items[i], false);
  print_message("%s", buf_str(&text));
  buf_free(&text);
}
static inline Form *derive(void) {
  Status status = form_weak(&lab.pde, &lab.diags, &lab.form);
  if (status) complain();
  assert_int_equal(status, 0);
  return lab.form;
}
static inline const Diag *reported(DiagCode code) {
  for (int i = 0; i < lab.diags.n; i++)
    if (lab.diags.items[i]->code == code) return lab.diags.items[i];
  return NULL;
}
static inline const Diag *refused(DiagCode code) {
  assert_int_not_equal(form_weak(&lab.pde, &lab.diags, &lab.form), 0);
  const Diag *d = reported(code);
  if (!d) complain();
  assert_non_null(d);
  return d;
}

/* --- values --- */

static inline double noise(uint64_t key) {
  key = (key + 0x9e3779b97f4a7c15u)*0xbf58476d1ce4e5b9u;
  key ^= key >> 29;
  key *= 0x94d049bb133111ebu;
  key ^= key >> 32;
  return 0.3 + 1.1*((double)(key >> 11)*0x1p-53);
}
static inline double term(int kind, int which, int component, int dx, int dy, int dz, int rate) {
  return noise((uint64_t)kind*1000003u + (uint64_t)which*50021u + (uint64_t)component*4099u + (uint64_t)(dx*64 + dy*8 + dz)*17u + (uint64_t)rate*7919u);
}
/* u, its derivative along an axis; the test, its derivative */
static inline double U(int which, int c) { return term(SYMBOL_UNKNOWN, which, c, 0, 0, 0, 0); }
static inline double dU(int which, int c, int a) { return term(SYMBOL_UNKNOWN, which, c, a == 0, a == 1, a == 2, 0); }
static inline double V(int which, int c) { return term(SYMBOL_TEST, which, c, 0, 0, 0, 0); }
static inline double dV(int which, int c, int a) { return term(SYMBOL_TEST, which, c, a == 0, a == 1, a == 2, 0); }
static inline double dW(int which, int c, int a) { return term(SYMBOL_TRIAL, which, c, a == 0, a == 1, a == 2, 0); }
static inline double W(int which, int c) { return term(SYMBOL_TRIAL, which, c, 0, 0, 0, 0); }
static inline double rate(int which, int c) { return term(SYMBOL_UNKNOWN, which, c, 0, 0, 0, 1); }
static inline double coord(int axis) { return noise(900 + (uint64_t)axis); }
static inline double normal(int axis) { return noise(800 + (uint64_t)axis); }

static inline double leaf_value(Expr *leaf, void *user) {
  const double *shift = user;      /* the unknown moved by shift times the trial */
  if (leaf->op == EXPR_TERM) {
    Symbol s = leaf->symbol;
    double value = term(s.kind, s.which, s.component, s.dx[0], s.dx[1], s.dx[2], s.dt);
    if (shift && s.kind == SYMBOL_UNKNOWN) value += *shift*term(SYMBOL_TRIAL, s.which, s.component, s.dx[0], s.dx[1], s.dx[2], s.dt);
    return value;
  }
  if (leaf->op == EXPR_COORD) return coord(leaf->index[0]);
  if (leaf->op == EXPR_NORMAL_COMPONENT) return normal(leaf->index[0]);
  if (leaf->op == EXPR_TIME) return noise(700);
  for (int i = 0; i < lab.pde.nparams; i++)
    if (lab.params[i].symbol == leaf) return lab.params[i].value->value;
  fail_msg("a terminal without a value");
  return NAN;
}
static inline double value(Expr *e) { return expr_value(e, leaf_value, NULL); }
static inline double value_moved(Expr *e, double shift) { return expr_value(e, leaf_value, &shift); }

/* The only integral of that kind, over `place` (NULL: whatever). */
static inline const Integral *integral_of(const Integral *list, int n, IntegralKind kind, const char *place) {
  for (int i = 0; i < n; i++)
    if (list[i].kind == kind && (!place || (list[i].where.n && list[i].where.names[0] == nm(place)))) return &list[i];
  return NULL;
}
static inline Expr *cell(void) {
  const Integral *found = integral_of(lab.form->residual, lab.form->nresidual, INTEGRAL_CELL, NULL);
  assert_non_null(found);
  return found->integrand;
}
static inline Expr *facet(const char *place) {
  const Integral *found = integral_of(lab.form->residual, lab.form->nresidual, INTEGRAL_FACET, place);
  assert_non_null(found);
  return found->integrand;
}

/* The Jacobian against central differences of the residual in direction of the trial. */
static inline void check_jacobian(void) {
  for (int i = 0; i < lab.form->njacobian; i++) {
    const Integral *J = &lab.form->jacobian[i];
    double moved = 0, derived = 0, h = 1e-5;
    for (int k = 0; k < lab.form->nresidual; k++)
      if (lab.form->residual[k].kind == J->kind && lab.form->residual[k].where.names == J->where.names && lab.form->residual[k].where.all == J->where.all)
        moved += (value_moved(lab.form->residual[k].integrand, h) - value_moved(lab.form->residual[k].integrand, -h))/(2*h);
    derived = value(J->integrand);
    assert_true(fabs(moved - derived) <= 1e-7*(1 + fabs(derived)));
  }
}

static inline void near_(double a, double b) {
  if (!(fabs(a - b) <= 1e-11*(1 + fabs(b)))) fail_msg("%.17g is not %.17g", a, b);
}

#endif
