/* Bounds that the data of a solved problem give its unknown, by the comparison principle (Protter and Weinberger, Maximum Principles in
 * Differential Equations, 1967, chapters 2 and 3): a constant M above all prescribed and initial values bounds the solution from above if it
 * is a supersolution, that is, if the equation and the natural conditions, evaluated for the constant, have no part that pushes upwards.
 * So sources, reactions, Robin and radiation data are all judged by inserting constants; nothing of it is known by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_contracts.h"
#include "bi_solving.h"

typedef struct Judge {
  Call *call;
  Value *sol;
  int unknown;
  const Pde *pde;
  const Form *form;
  Mesh *mesh;
  WorldBuffers world;
  Solution **solutions;
  Expr *level;                /* the constant that stands for the unknown */
  Binding *params;            /* params[0] binds it */
  const double *times;        /* NULL: steady */
  int ntimes;
  double sign;                /* of the diffusion in the residual */
  bool failed;                /* an evaluation reported an error */
} Judge;

/* --- substitutions --- */

static bool plain(Symbol s) { return !s.dx[0] && !s.dx[1] && !s.dx[2] && !s.dt; }

static Expr *state(Judge *j, Expr *leaf) {
  Symbol s = leaf->symbol;
  s.kind = SYMBOL_FIELD;
  s.serial = j->sol->serial;
  s.time = NAN;
  return expr_term(j->call->ev->host->pool, s, leaf->name, leaf->unit);
}

/* The unknown is a constant; its equation is tested with 1, the others are left out; other unknowns are as solved. */
static Expr *constant_state(ExprPool *pool, Expr *leaf, void *user) {
  Judge *j = user;
  if (leaf->op != EXPR_TERM) return leaf;
  bool own = leaf->symbol.which == j->unknown, value = plain(leaf->symbol);
  if (leaf->symbol.kind == SYMBOL_TEST) return own && value ? expr_const(pool, 1, UNIT_NONE) : expr_zero(pool, SHAPE_SCALAR);
  if (leaf->symbol.kind == SYMBOL_UNKNOWN) return !own ? state(j, leaf) : value ? j->level : expr_zero(pool, SHAPE_SCALAR);
  return leaf;
}

/* What a constant leaves of the flux: terms with a derivative of the test function. */
static Expr *constant_flux(ExprPool *pool, Expr *leaf, void *user) {
  Judge *j = user;
  if (leaf->op != EXPR_TERM || leaf->symbol.kind != SYMBOL_TEST) return constant_state(pool, leaf, user);
  return leaf->symbol.which == j->unknown && !plain(leaf->symbol) ? leaf : expr_zero(pool, SHAPE_SCALAR);
}

typedef struct Axis { Judge *judge; int axis; } Axis;

static Expr *principal(ExprPool *pool, Expr *leaf, void *user) {
  const Axis *a = user;
  if (leaf->op != EXPR_TERM) return leaf;
  Symbol s = leaf->symbol;
  if (s.kind == SYMBOL_UNKNOWN) return state(a->judge, leaf);
  if (s.kind != SYMBOL_TEST && s.kind != SYMBOL_TRIAL) return leaf;
  bool along = s.which == a->judge->unknown && s.dx[a->axis] == 1 && s.dx[0] + s.dx[1] + s.dx[2] == 1 && !s.dt;
  return along ? expr_const(pool, 1, UNIT_NONE) : expr_zero(pool, SHAPE_SCALAR);
}

/* --- extremes over space and time --- */

static bool extremes(Judge *j, Expr *e, const Where *where, bool on_cells, double *lo, double *hi) {
  Host *host = j->call->ev->host;
  *lo = INFINITY;
  *hi = -INFINITY;
  for (int k = 0; k < (j->times ? j->ntimes : 1) && !j->failed; k++) {
    double a, b;
    j->world.world.time = j->times ? j->times[k] : NAN;
    j->failed = host->api->reduce(host->engine, REDUCE_MIN, e, j->mesh, where, on_cells, -1, &j->world.world, &host->diags, j->call->span, &a, NULL) ||
                host->api->reduce(host->engine, REDUCE_MAX, e, j->mesh, where, on_cells, -1, &j->world.world, &host->diags, j->call->span, &b, NULL);
    if (j->failed) break;
    *lo = fmin(*lo, a);
    *hi = fmax(*hi, b);
    if (!(e->flags & (HAS_FIELD | HAS_TIME))) break;
  }
  return !j->failed;
}

/* --- what the equation is --- */

/* NULL: a comparison principle holds; else why not. */
static const char *applicable(Judge *j) {
  ExprPool *pool = j->call->ev->host->pool;
  if (!j->form) return "the solution has no equation";
  if (j->pde->unknowns[j->unknown].shape.rank) return "a maximum principle is of scalar unknowns";
  if (j->pde->nglobals) return "an integral or an unknown number in the equations acts everywhere at once";
  for (int i = 0; i < j->pde->nconstraints; i++)
    if (j->pde->constraints[i].unknown == j->unknown) return "a constraint on an integral takes the place of boundary data";
  for (int i = 0; i < j->pde->nconditions; i++)
    if (j->pde->conditions[i].unknown == j->unknown && j->pde->conditions[i].where.is_point) return "a value at a point is no boundary datum";
  for (int axis = 0; axis < j->pde->dim; axis++) {
    bool any = false;
    for (int i = 0; i < j->form->njacobian; i++) {
      const Integral *in = &j->form->jacobian[i];
      if (in->kind == INTEGRAL_INTERIOR) return "integrals over facets between cells are not judged";
      if (in->kind != INTEGRAL_CELL) continue;
      Axis a = {j, axis};
      Expr *e = expr_substitute(pool, in->integrand, principal, &a);
      double lo, hi;
      if (!e || expr_is_zero(e)) continue;
      if (!extremes(j, e, &in->where, true, &lo, &hi)) return NULL;
      double sign = lo > 0 ? 1 : hi < 0 ? -1 : 0;
      if (!sign || (j->sign && sign != j->sign)) return "the diffusion is not of one sign";
      j->sign = sign;
      any = true;
    }
    if (!any) return "the equation has no diffusion in some direction";
  }
  for (int i = 0; i < j->form->nresidual; i++) {
    Expr *e = expr_substitute(pool, j->form->residual[i].integrand, constant_flux, j);
    if (e && !expr_is_zero(e)) return "the flux of a constant is not zero";
  }
  return NULL;
}

/* --- data --- */

static bool data_range(Judge *j, double *lo, double *hi) {
  *lo = INFINITY;
  *hi = -INFINITY;
  double a, b;
  for (int i = 0; i < j->pde->nconditions; i++) {
    const Condition *c = &j->pde->conditions[i];
    if (c->kind != CONDITION_DIRICHLET || c->unknown != j->unknown) continue;
    Expr *value = expr_scalar(j->call->ev->host->pool, c->value, 0, j->pde->dim);
    if (!value || !extremes(j, value, &c->where, false, &a, &b)) return false;
    *lo = fmin(*lo, a);
    *hi = fmax(*hi, b);
  }
  if (!j->times) return true;
  Symbol s = {.kind = SYMBOL_FIELD, .which = (uint16_t)j->unknown, .serial = j->sol->serial, .time = j->times[0]};
  const Unknown *u = &j->pde->unknowns[j->unknown];
  Where all = {.all = true, .span = j->call->span};
  int n = j->ntimes;
  j->ntimes = 1;
  bool fine = extremes(j, expr_term(j->call->ev->host->pool, s, u->name, u->unit), &all, true, &a, &b);
  j->ntimes = n;
  *lo = fmin(*lo, a);
  *hi = fmax(*hi, b);
  return fine;
}

/* Nothing pushes the constant c beyond itself: up = 1, upwards; up = -1, downwards. */
static bool holds(Judge *j, double c, double up) {
  ExprPool *pool = j->call->ev->host->pool;
  j->params[0].value = expr_const(pool, c, j->level->unit);
  for (int i = 0; i < j->form->nresidual && !j->failed; i++) {
    const Integral *in = &j->form->residual[i];
    Expr *e = expr_substitute(pool, in->integrand, constant_state, j);
    double lo, hi;
    if (!e || expr_is_zero(e)) continue;
    if (!extremes(j, e, &in->where, in->kind == INTEGRAL_CELL, &lo, &hi)) return false;
    double push = up * j->sign > 0 ? -lo : hi;
    if (push > 1e-10 * fmax(fabs(lo), fabs(hi)) && push > 1e-300) return false;
  }
  return !j->failed;
}

/* The tightest constant at or beyond `data` that bounds; false: the data bound nothing on this side. */
static bool bound(Judge *j, double data, double start, double width, double up, double *out) {
  double from = isfinite(data) ? data : start, good = from, bad = from;
  bool found = isfinite(data) && holds(j, from, up);
  if (found) return *out = from, true;
  for (int k = 0; k < 16 && !found && !j->failed; k++) {
    good = from + up * width * pow(4, k);
    found = holds(j, good, up);
    if (!found) bad = good;
  }
  if (!isfinite(data) && found && bad == from)   /* no datum to start from: it may lie on the other side of `start` */
    for (int k = 0; k < 16 && holds(j, bad, up) && !j->failed; k++) good = bad, bad = from - up * width * pow(4, k);
  for (int k = 0; k < 40 && found && !j->failed && fabs(good - bad) > 1e-9 * width; k++) {
    double middle = 0.5 * (good + bad);
    if (holds(j, middle, up)) good = middle;
    else bad = middle;
  }
  *out = good;
  return found;
}

/* --- the builtin --- */

static Value *answer(Call *call, Unit unit, bool known, const double bounds[3], const char *reason) {
  static const char *const labels[] = {"low", "high", "scale", "bounded", "reason"};
  Value *v = value_new(VALUE_RECORD);
  v->known = true;
  v->nfields = 5;
  v->fields = calloc(5, sizeof *v->fields);
  for (int i = 0; i < 5; i++) {
    Value *x = i < 3 ? known ? value_number(bounds[i], unit) : value_number_unknown(unit) : i < 4 ? value_bool(!*reason) : value_string(reason, strlen(reason));
    x->known = known;
    v->fields[i] = (Argument){intern_text(call->ev->host->names, labels[i]), x, call->span};
  }
  return v;
}

Value *run_data_bounds(Call *call) {
  Eval *ev = call->ev;
  ExprPool *pool = ev->host->pool;
  Judge j = {.call = call};
  double time, data[2], range[2], bounds[3] = {-INFINITY, INFINITY, 1};
  bool has[2] = {false, false};
  if (ARG(0)->kind == VALUE_UNKNOWN) return value_unknown();
  if (!measure_unknown(call, ARG(0), &j.sol, &j.unknown, &time)) return value_poison();
  j.pde = j.sol->solution_pde->pde->pde;
  j.form = j.sol->solution_pde->pde->form;
  Unit unit = j.pde->unknowns[j.unknown].unit;
  if (ev->dry || !j.sol->solution) return answer(call, unit, false, bounds, "");
  Value *owner;
  j.mesh = value_mesh(j.sol, &owner);
  SolutionInfo info;
  ev->host->api->solution_info(j.sol->solution, &info);
  if (info.transient && info.nstates > 1) j.times = info.times, j.ntimes = info.nstates;

  solve_world(ev, j.sol->solution_pde->pde, &j.world);
  World *w = &j.world.world;
  j.params = calloc((size_t)w->nparams + 1, sizeof *j.params);
  memcpy(j.params + 1, w->params, (size_t)w->nparams * sizeof *j.params);
  Name level = intern_text(ev->host->names, "(level)");
  j.level = expr_param(pool, level, SHAPE_SCALAR, unit, false);
  j.params[0] = (Binding){level, expr_const(pool, 0, unit)};
  w->params = j.params;
  w->nparams++;
  j.solutions = calloc((size_t)w->nsolutions + 1, sizeof *j.solutions);
  memcpy(j.solutions, w->solutions, (size_t)w->nsolutions * sizeof *j.solutions);
  j.solutions[w->nsolutions++] = j.sol->solution;
  w->solutions = j.solutions;

  const char *reason = applicable(&j);
  if (!reason && !j.failed && data_range(&j, &data[0], &data[1])) {
    Symbol s = {.kind = SYMBOL_FIELD, .which = (uint16_t)j.unknown, .serial = j.sol->serial, .time = NAN};
    Where all = {.all = true, .span = call->span};
    extremes(&j, expr_term(pool, s, j.pde->unknowns[j.unknown].name, unit), &all, true, &range[0], &range[1]);
    double width = fmax(range[1] - range[0], 1e-6 * fmax(fabs(range[0]), fabs(range[1])));
    if (!(width > 0)) width = 1;
    for (int side = 0; side < 2 && !j.failed; side++) {
      double found;
      if ((has[side] = bound(&j, data[side], range[side], width, side ? 1 : -1, &found))) bounds[side] = found;
    }
    bounds[2] = has[0] && has[1] && bounds[1] - bounds[0] > 1e-12 * width ? bounds[1] - bounds[0] : width;
    if (!has[0] && !has[1]) reason = "sources or boundary data bound it on neither side";
  }
  Value *v = j.failed ? value_poison() : answer(call, unit, true, bounds, reason ? reason : "");
  w->params = j.world.params;   /* what world_close frees */
  free(j.params);
  free(j.solutions);
  world_close(&j.world);
  return v;
}
