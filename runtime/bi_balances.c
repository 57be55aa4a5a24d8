/* Fluxes and balances: what passes a boundary, and whether the equations add up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_contracts.h"
#include "bi_solving.h"
#include "measure.h"
#include "trace.h"

bool measure_unknown(Call *call, Value *v, Value **sol, int *unknown, double *time) {
  *time = NAN;
  if (v->kind == VALUE_SOLUTION) {
    *sol = v;
    *unknown = 0;
    *time = call->ev->at_time;
    if (v->solution_pde->pde->pde->nunknowns == 1) return true;
    diag_suggest(REPORT(E0505, "the solution has several unknowns: whose flux?"), "write flux(sol.%s, ...)", v->solution_pde->pde->pde->unknowns[0].name);
    return false;
  }
  if (v->kind == VALUE_FIELD && v->expr->op == EXPR_SYMBOL && v->expr->symbol.kind == SYMBOL_FIELD && v->deps.n == 1) {
    *sol = v->deps.solutions[0];
    *unknown = v->expr->symbol.which;
    *time = v->expr->symbol.time;
    return true;
  }
  diag_suggest(REPORT(E0505, "`%s` wants an unknown of a solution", call->row->name), "write %s(sol.T, part); of any other expression: integral(dot(F, n), on: part)", call->row->name);
  return false;
}

static const Flux *flux_of(const Form *form, int unknown) {
  for (int i = 0; i < form->nfluxes; i++)
    if (form->fluxes[i].unknown == unknown) return &form->fluxes[i];
  return NULL;
}

/* A test function counts as a number 1, its derivatives as 1 over a length: the unit of what the form says on a part. */
typedef struct UnitTest { int unknown; Unit length; } UnitTest;

static Expr *unit_test(ExprPool *pool, Expr *leaf, void *user) {
  const UnitTest *test = user;
  if (leaf->op != EXPR_TERM || leaf->symbol.kind != SYMBOL_TEST) return leaf;
  if (leaf->symbol.which != test->unknown) return expr_zero(pool, SHAPE_SCALAR);
  Unit unit;
  unit_pow(test->length, -(leaf->symbol.dx[0] + leaf->symbol.dx[1] + leaf->symbol.dx[2]), &unit);
  return expr_const(pool, 1, unit);
}

static Unit weak_unit(Eval *ev, const PdeValue *p, int unknown) {
  UnitTest test = {unknown, host_length_unit(ev->host)};
  Unit volume;
  for (int i = 0; i < p->form->nresidual; i++) {
    const Integral *in = &p->form->residual[i];
    Expr *e = expr_substitute(ev->host->pool, in->integrand, unit_test, &test);
    if (!e || e->unit.any) continue;
    unit_pow(test.length, p->pde->dim - (in->kind != INTEGRAL_CELL), &volume);
    return unit_mul(e->unit, volume);
  }
  return UNIT_NONE;
}

static Value *run_flux(Call *call) {
  Eval *ev = call->ev;
  Value *sol;
  int unknown;
  double time, values[9];
  if (ARG(0)->kind == VALUE_UNKNOWN || (ARG(1) && ARG(1)->kind == VALUE_UNKNOWN)) return value_unknown();
  if (!measure_unknown(call, ARG(0), &sol, &unknown, &time)) return value_poison();
  if (ARG(1) && ARG(1)->kind == VALUE_PLACE && ARG(1)->where.interior) {
    REPORT(E0505, "a flux passes a boundary, not all facets between cells");
    return value_poison();
  }
  const PdeValue *p = sol->solution_pde->pde;
  const Flux *flux = p->form ? flux_of(p->form, unknown) : NULL;
  bool weak = p->form && p->pde->nweak > 0;
  if (!flux && !weak) {
    REPORT(E0505, "the equation of `%s` has no flux: nothing in it is integrated by parts", p->pde->unknowns[unknown].name);
    return value_poison();
  }
  Unit area, unit;
  unit_pow(host_length_unit(ev->host), p->pde->dim - 1, &area);
  unit = weak ? weak_unit(ev, p, unknown) : unit_mul(flux->flux->unit.any ? UNIT_NONE : flux->flux->unit, area);
  int size = shape_size(p->pde->unknowns[unknown].shape, p->pde->dim);
  if (ev->dry) return measure_numbers(values, size, unit, false);
  bool conservative = true;
  if (ev->host->api->flux(ev->host->engine, sol->solution, unknown, &ARG(1)->where, time, &ev->host->diags, call->span, values, &conservative)) return value_poison();
  return measure_numbers(values, size, unit, true);
}

/* What the equation of an unknown produces inside, less what leaves: |sources + flux| over their sizes; for a conservative solve round-off. */
typedef struct Tests { int which, component; } Tests;

static Expr *constant_test(ExprPool *pool, Expr *leaf, void *user) {
  const Tests *t = user;
  if (leaf->op != EXPR_TERM || leaf->symbol.kind != SYMBOL_TEST) return leaf;
  bool value = leaf->symbol.which == t->which && leaf->symbol.component == t->component && !leaf->symbol.dx[0] && !leaf->symbol.dx[1] && !leaf->symbol.dx[2];
  return value ? expr_const(pool, 1, UNIT_NONE) : expr_zero(pool, SHAPE_SCALAR);
}

typedef struct ToField { Call *call; Value *sol; uint32_t serial; } ToField;

/* An integral in the equations, or another unknown number, has the value that the solution gives it. */
static Expr *solved_number(ExprPool *pool, Expr *leaf, const ToField *f) {
  const Host *host = f->call->ev->host;
  const Global *g = pde_global(f->sol->solution_pde->pde->pde, leaf);
  double value;
  if (!g || host->api->number(f->sol->solution, g->name, f->call->ev->at_time, &f->call->ev->host->diags, f->call->span, &value)) return leaf;
  return expr_const(pool, value, leaf->unit);
}

static Expr *solved(ExprPool *pool, Expr *leaf, void *user) {
  const ToField *f = user;
  if (leaf->op == EXPR_PARAM) return solved_number(pool, leaf, f);
  if (leaf->op != EXPR_TERM || leaf->symbol.kind != SYMBOL_UNKNOWN) return leaf;
  Symbol s = leaf->symbol;
  s.kind = SYMBOL_FIELD;
  s.serial = f->serial;
  s.time = NAN;
  return expr_term(pool, s, leaf->name, leaf->unit);
}

static bool source_integral(Call *call, Value *sol, const Integral *in, Tests test, double *sum, double *size) {
  Eval *ev = call->ev;
  ExprPool *pool = ev->host->pool;
  ToField to = {call, sol, sol->serial};
  Expr *e = expr_substitute(pool, expr_substitute(pool, in->integrand, constant_test, &test), solved, &to);
  if (expr_is_zero(e)) return true;
  Target t = {.expr = e, .where = in->where, .on_cells = in->kind == INTEGRAL_CELL, .size = 1};
  Value *owner;
  t.mesh = value_mesh(sol, &owner);
  double x;
  WorldBuffers w;
  solve_world(ev, sol->solution_pde->pde, &w);
  Solution *all[64];
  int n = 0;
  for (int i = 0; i < w.world.nsolutions && n < 63; i++) all[n++] = w.world.solutions[i];
  all[n++] = sol->solution;
  w.world.solutions = all;
  w.world.nsolutions = n;
  Status status = ev->host->api->reduce(ev->host->engine, REDUCE_PART, t.expr, t.mesh, &t.where, t.on_cells, in->degree, &w.world, &ev->host->diags, call->span, &x, NULL);
  world_close(&w);
  if (status) return false;
  *sum += x;
  *size += fabs(x);
  return true;
}

static Expr *solved_symbol(ExprPool *pool, Expr *leaf, void *user) {
  const ToField *f = user;
  if (leaf->op == EXPR_PARAM) return solved_number(pool, leaf, f);
  if (leaf->op != EXPR_SYMBOL || leaf->symbol.kind != SYMBOL_UNKNOWN) return leaf;
  Symbol s = {.kind = SYMBOL_FIELD, .which = leaf->symbol.which, .serial = f->serial, .time = NAN};
  return expr_symbol(pool, s, leaf->name, leaf->shape, leaf->unit);
}

/* The integral of |F| over the domain by its diameter: what passes a section, where nothing enters or leaves (stress of a free, heated body). 0 if it
 * cannot be had. */
static double inner_flux(Call *call, Value *sol, const Flux *flux) {
  Eval *ev = call->ev;
  ToField to = {call, sol, sol->serial};
  Expr *F = expr_substitute(ev->host->pool, flux->flux, solved_symbol, &to);
  Expr *size = F ? expr_unary(ev->host->pool, EXPR_ABS, F) : NULL;
  Value *owner;
  Mesh *mesh = value_mesh(sol, &owner);
  double x = 0, diameter = 0;
  Where all = {.all = true, .span = call->span};
  for (int i = 0; i < mesh->dim; i++) diameter += (mesh->hi[i] - mesh->lo[i]) * (mesh->hi[i] - mesh->lo[i]);
  if (!size) return 0;
  WorldBuffers w;
  solve_world(ev, sol->solution_pde->pde, &w);
  Solution *solutions[64];
  int n = 0;
  for (int i = 0; i < w.world.nsolutions && n < 63; i++) solutions[n++] = w.world.solutions[i];
  solutions[n++] = sol->solution;
  w.world.solutions = solutions;
  w.world.nsolutions = n;
  Status status = ev->host->api->reduce(ev->host->engine, REDUCE_PART, size, mesh, &all, true, -1, &w.world, &ev->host->diags, call->span, &x, NULL);
  world_close(&w);
  return status ? 0 : x / sqrt(diameter);
}

static Value *run_imbalance(Call *call) {
  Eval *ev = call->ev;
  Value *sol;
  int unknown;
  double time, values[9], worst = 0;
  if (ARG(0)->kind == VALUE_UNKNOWN) return value_unknown();
  if (!measure_unknown(call, ARG(0), &sol, &unknown, &time)) return value_poison();
  const PdeValue *p = sol->solution_pde->pde;
  if (p->form && !(p->form->findings & FORM_STEADY)) {
    REPORT(E0505, "imbalance is of steady problems; use the history of an integral for transient ones");
    return value_poison();
  }
  const Flux *flux = p->form ? flux_of(p->form, unknown) : NULL;
  if (ev->dry) return value_number_unknown(UNIT_NONE);
  int size = shape_size(p->pde->unknowns[unknown].shape, p->pde->dim);
  bool conservative = true;
  double factor = 1;
  for (int i = 0; i < size; i++) values[i] = 0;
  Where all = {.all = true, .span = call->span};
  if (flux && (ev->host->api->flux(ev->host->engine, sol->solution, unknown, &all, time, &ev->host->diags, call->span, values, &conservative) || (expr_is_const(flux->factor, &factor), false))) return value_poison();
  /* the largest of the parts' sizes over all components: a component that nothing loads is measured by the others */
  double total[9] = {0}, scale = 0;
  for (int c = 0; c < size; c++) {
    double sum = 0, parts = 0;
    for (int i = 0; p->form && i < p->form->nresidual; i++) {
      if (p->form->residual[i].kind != INTEGRAL_CELL) continue;
      if (!source_integral(call, sol, &p->form->residual[i], (Tests){unknown, c}, &sum, &parts)) return value_poison();
    }
    total[c] = fabs(sum + factor * values[c]);
    scale = fmax(scale, parts);
  }
  for (int i = 0; flux && i < p->pde->nconditions; i++) {
    const Condition *condition = &p->pde->conditions[i];
    if (condition->unknown != unknown || condition->where.is_point || condition->where.others) continue;     /* the rest may be empty */
    if (ev->host->api->flux(ev->host->engine, sol->solution, unknown, &condition->where, time, &ev->host->diags, call->span, values, &conservative)) return value_poison();
    for (int c = 0; c < size; c++) scale = fmax(scale, fabs(values[c]));
  }
  if (flux) scale = fmax(scale, inner_flux(call, sol, flux));
  for (int c = 0; c < size && scale > 0; c++) worst = fmax(worst, total[c] / scale);
  return value_number(worst, UNIT_NONE);
}

static Value *run_algebraic_residual(Call *call) {
  if (call->ev->dry) return value_number_unknown(UNIT_NONE);
  double x;
  if (call->ev->host->api->residual(call->ev->host->engine, ARG(0)->solution, call->ev->at_time, &call->ev->host->diags, call->span, &x)) return value_poison();
  return value_number(x, UNIT_NONE);
}

static Value *run_boundary_error(Call *call) {
  if (call->ev->dry) return value_number_unknown(UNIT_NONE);
  double x;
  if (call->ev->host->api->dirichlet_error(call->ev->host->engine, ARG(0)->solution, call->ev->at_time, &call->ev->host->diags, call->span, &x)) return value_poison();
  return value_number(x, UNIT_NONE);
}

/* Left minus right of an equation between fields. */
static Value *run_residual(Call *call) {
  Value *law = ARG(0);
  if (law->kind == VALUE_UNKNOWN || (ARG(1) && ARG(1)->kind == VALUE_UNKNOWN)) return value_unknown();
  if (ARG(1) && call->ev->trace && value_traced(ARG(1))) return trace_residual(call->ev, law, ARG(1), call->span);
  if (law->kind != VALUE_CONDITION) {
    REPORT(E0505, "residual wants an equation between fields; this is %s %s", value_article(law), value_kind_name(law));
    return value_poison();
  }
  return eval_binary(call->ev, OP_SUB, law->left, law->right, call->span, call->span, call->span);
}

const BuiltinRow builtin_balances[] = {
    {"flux", "(u: any, on: place) -> number", "measures", "Integral of dot(F, n) over a boundary or interface, F the flux of that unknown's equation, n out of the domain. By reactions where the unknown is prescribed, so that balances close to round-off. Of a weak form where it is prescribed: q, where integral(q*v, on: part) would have to stand on the right.", NULL, run_flux},
    {"imbalance", "(u: any) -> number", "measures", "|sources + boundary flux| of the equation of an unknown, relative to the largest source or flux of a condition, the worst component; steady problems.", NULL, run_imbalance},
    {"algebraic_residual", "(sol: solution) -> number", "measures", "Norm of the discrete residual at the free dofs, relative to the norm of its parts.", NULL, run_algebraic_residual},
    {"boundary_error", "(sol: solution) -> number", "measures", "Largest difference between an unknown and its prescribed value at the prescribed nodes.", NULL, run_boundary_error},
    {"residual", "(law: any, f: any = none) -> field", "measures", "Left minus right of an equation between fields. In a contract over a model its outputs are those of the prediction f = m(z), its inputs those of the probe; of an inequality what exceeds the bound.", NULL, run_residual},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
