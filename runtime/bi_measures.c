/* Integrals, norms, extrema, fluxes, histories: numbers out of fields. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_contracts.h"
#include "bi_solving.h"
#include "builtin.h"

/* --- what is measured, and where --- */

static int dim_of(Value *subject) {
  if (!subject) return 0;
  if (subject->kind == VALUE_GEOMETRY) return geom_dim(subject->geom);
  if (subject->mesh) return subject->mesh->dim;
  return subject->mesh_geometry ? geom_dim(subject->mesh_geometry->geom) : 0;
}

static Mesh *mesh_of_place(Value *place, Value **owner) {
  return place && place->subject && place->subject->kind == VALUE_MESH ? value_mesh(place->subject, owner) : NULL;
}

typedef struct Target {
  Expr *expr;          /* specialised */
  Mesh *mesh;          /* NULL while checking */
  Where where;
  bool on_cells;
  Deps deps;
  int size;
} Target;

static void target_free(Target *t) { deps_free(&t->deps); }

/* A part of a geometry has sides and cells: a measure over its name could mean either. */
static bool ambiguous(Eval *ev, const Value *place, Span span) {
  const Value *subject = place->subject ? value_geometry(place->subject) : NULL;
  if (!subject || subject->kind != VALUE_GEOMETRY || place->where.n != 1 || place->where.all || place->where.interface[0]) return false;
  Name name = place->where.names[0];
  if (!geom_find_kind(subject->geom, NULL, name, true) || !geom_find_kind(subject->geom, NULL, name, false)) return false;
  Diag *d = diag_report(&ev->host->diags, E0212, span, "`%s` is a part: it could mean its cells or its sides", name);
  diag_suggest(d, "name which in the geometry: `region %s_cells = %s`, or `boundary %s_sides = ...`", name, name, name);
  return true;
}

/* The mesh of a measure: of the place, else of the solutions in the field. */
static bool target(Eval *ev, Value *field, Value *place, Span span, Target *out) {
  *out = (Target){0};
  Expr *e = eval_to_expr(ev, field, span, &out->deps);
  if (!e) return false;
  if (place && ambiguous(ev, place, span)) return false;
  Value *owner = NULL;
  out->mesh = field->kind == VALUE_FIELD ? value_mesh(field, &owner) : NULL;
  if (place && mesh_of_place(place, &owner)) out->mesh = mesh_of_place(place, &owner);
  if (!out->mesh && place && place->subject && place->subject->kind == VALUE_GEOMETRY) out->mesh = place_only_mesh(ev, place->subject, &owner);
  Value *subject = place ? place->subject : value_subject(field);
  int dim = out->mesh ? out->mesh->dim : dim_of(subject);
  bool on_mesh = out->mesh || (ev->dry && (subject || (e->flags & HAS_FIELD)));
  if (!on_mesh) {
    const char *what = place && place->subject && place->subject->kind == VALUE_GEOMETRY ? "a geometry has no cells to integrate over" : "nothing says over which mesh";
    diag_suggest(diag_report(&ev->host->diags, E0512, span, "%s", what), "name a mesh: on: m");
    return false;
  }
  if (!dim) dim = 2;
  out->expr = expr_specialise(ev->host->pool, e, dim);
  if (!out->expr) {
    diag_report(&ev->host->diags, E0301, span, "in %d dimensions: %s", dim, expr_error(ev->host->pool).text);
    return false;
  }
  out->where = place ? place->where : (Where){.all = true};
  out->where.span = span;
  out->on_cells = !place || place->is_region;
  out->size = shape_size(out->expr->shape, dim);
  return true;
}

static Unit measure_unit(Eval *ev, const Target *t) {
  Unit length = host_length_unit(ev->host), unit = t->expr->unit;
  int dim = t->mesh ? t->mesh->dim : 2;
  Unit volume;
  unit_pow(length, t->on_cells ? dim : dim - 1, &volume);
  if (unit.any) unit = UNIT_NONE;
  return unit_mul(unit, volume);
}

static bool reduce(Eval *ev, Reduction kind, Target *t, int degree, double time, Span span, double *out, double *place) {
  const EngineApi *api = host_engine(ev->host, span);
  if (!api) return false;
  WorldBuffers w;
  world_open(ev, &t->deps, time, &w);
  Status status = api->reduce(ev->host->engine, kind, t->expr, t->mesh, &t->where, t->on_cells, degree, &w.world, &ev->host->diags, span, out, place);
  world_close(&w);
  return !status;
}

static Value *numbers(const double *values, int size, Unit unit, bool known) {
  if (size == 1) return known ? value_number(values[0], unit) : value_number_unknown(unit);
  Value **items = malloc((size_t)size * sizeof *items);
  for (int i = 0; i < size; i++) items[i] = known ? value_number(values[i], unit) : value_number_unknown(unit);
  Value *v = value_items(VALUE_TUPLE, items, size);
  for (int i = 0; i < size; i++) value_release(items[i]);
  free(items);
  return v;
}

static int degree_of(Call *call, int at) { return ARG(at) && !is_unknown(ARG(at)) ? (int)ARG(at)->number : -1; }

static Value *unknown_field(Call *call) {
  if (ARG(0)->kind == VALUE_UNKNOWN) return value_unknown();
  if (ARG(0)->kind == VALUE_FIELD && (ARG(0)->expr->flags & HAS_UNKNOWN)) {
    REPORT(E0512, "an unknown is measured after solve, in its solution");
    return value_poison();
  }
  return NULL;
}

/* --- integral and mean --- */

static Value *run_integral(Call *call) {
  Value *early = unknown_field(call);
  if (early) return early;
  if (ARG(1) && ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  Target t;
  double values[81];
  if (!place_take_side(call->ev, &ARG(1), ARG(3), call->spans[3])) return value_poison();
  if (!target(call->ev, ARG(0), ARG(1), call->span, &t)) return target_free(&t), value_poison();
  Unit unit = measure_unit(call->ev, &t);
  bool fine = call->ev->dry || reduce(call->ev, REDUCE_INTEGRAL, &t, degree_of(call, 2), NAN, call->span, values, NULL);
  Value *v = fine ? numbers(values, t.size, unit, !call->ev->dry) : value_poison();
  target_free(&t);
  return v;
}

static Value *run_mean(Call *call) {
  Value *early = unknown_field(call);
  if (early) return early;
  if (ARG(1) && ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  Target t;
  double values[81], volume;
  if (!place_take_side(call->ev, &ARG(1), ARG(3), call->spans[3])) return value_poison();
  if (!target(call->ev, ARG(0), ARG(1), call->span, &t)) return target_free(&t), value_poison();
  Unit unit = t.expr->unit.any ? UNIT_NONE : t.expr->unit;
  Target one = t;
  one.expr = expr_const(call->ev->host->pool, 1, UNIT_NONE);
  one.size = 1;
  bool fine = call->ev->dry || (reduce(call->ev, REDUCE_INTEGRAL, &t, degree_of(call, 2), NAN, call->span, values, NULL) && reduce(call->ev, REDUCE_INTEGRAL, &one, -1, NAN, call->span, &volume, NULL));
  for (int i = 0; fine && !call->ev->dry && i < t.size; i++) values[i] /= volume;
  Value *v = fine ? numbers(values, t.size, unit, !call->ev->dry) : value_poison();
  target_free(&t);
  return v;
}

/* --- norm --- */

static Expr *square_of(ExprPool *pool, Expr *e) {
  return e->shape.rank ? expr_binary(pool, EXPR_INNER, e, e) : expr_binary(pool, EXPR_MUL, e, e);
}

static bool linf(Eval *ev, Target *t, double time, Span span, double *out) {
  if (t->expr->shape.rank) t->expr = expr_unary(ev->host->pool, EXPR_ABS, t->expr);
  double hi, lo;
  if (!reduce(ev, REDUCE_MAX, t, -1, time, span, &hi, NULL) || !reduce(ev, REDUCE_MIN, t, -1, time, span, &lo, NULL)) return false;
  *out = fmax(fabs(hi), fabs(lo));
  return true;
}

bool measure_norm(Eval *ev, Value *field, const char *kind, Value *place, double time, Span span, double *out, Unit *unit) {
  ExprPool *pool = ev->host->pool;
  Target t;
  bool fine = target(ev, field, place, span, &t);
  *out = NAN;
  *unit = UNIT_NONE;
  if (fine && !strcmp(kind, "Linf")) {
    *unit = t.expr->unit;
    fine = ev->dry || linf(ev, &t, time, span, out);
  } else if (fine) {
    bool value = strcmp(kind, "H1semi") != 0, gradient = strcmp(kind, "L2") != 0;
    Expr *e = t.expr, *g = gradient ? expr_unary(pool, EXPR_GRAD, e) : NULL;
    if (gradient && !g) {
      diag_report(&ev->host->diags, E0301, span, "%s needs a gradient: %s", kind, expr_error(pool).text);
      fine = false;
    } else if (value && gradient && !unit_is_none(host_length_unit(ev->host)) && !e->unit.any) {
      diag_suggest(diag_report(&ev->host->diags, E0302, span, "H1 adds a value and a gradient, whose units differ in this program"), "use L2 or H1semi");
      fine = false;
    } else {
      double sum = 0, part;
      Unit volume;
      unit_pow(host_length_unit(ev->host), (t.mesh ? t.mesh->dim : 2) - (t.on_cells ? 0 : 1), &volume);
      Unit square = unit_mul(volume, unit_mul((value ? e : g)->unit, (value ? e : g)->unit));
      if (!unit_pow(square, 0.5, unit) || unit->any) *unit = UNIT_NONE;
      for (int k = 0; k < 2 && fine && !ev->dry; k++) {
        if (k ? !gradient : !value) continue;
        t.expr = square_of(pool, k ? g : e);
        fine = reduce(ev, REDUCE_INTEGRAL, &t, -1, time, span, &part, NULL);
        sum += part;
      }
      *out = sqrt(fmax(sum, 0));
    }
  }
  target_free(&t);
  return fine;
}

static Value *run_norm(Call *call) {
  Value *early = unknown_field(call);
  if (early) return early;
  if (ARG(2) && ARG(2)->kind == VALUE_UNKNOWN) return value_unknown();
  const char *kind = ARG(1) && ARG(1)->kind == VALUE_WORD ? ARG(1)->word : "L2";
  static const char *const kinds[] = {"L2", "H1", "H1semi", "Linf"};
  bool known = false;
  for (int i = 0; i < 4; i++) known |= !strcmp(kinds[i], kind);
  if (!known) {
    diag_suggest(diag_report(&call->ev->host->diags, E0505, call->spans[1], "`%s` is no norm", kind), "norms are L2, H1, H1semi, Linf");
    return value_poison();
  }
  double out;
  Unit unit;
  if (!place_take_side(call->ev, &ARG(2), ARG(3), call->spans[3])) return value_poison();
  if (!measure_norm(call->ev, ARG(0), kind, ARG(2), NAN, call->span, &out, &unit)) return value_poison();
  return call->ev->dry ? value_number_unknown(unit) : value_number(out, unit);
}

/* --- max and min: of a field over its mesh (and a time window), of several values pointwise --- */

static Value *pointwise(Call *call, bool max) {
  Value *best = value_retain(ARG(0));
  for (int i = 0; i < call->nrest; i++) {
    Value *other = call->rest[i], *next;
    if (is_poison(best)) break;
    if (best->kind == VALUE_UNKNOWN || other->kind == VALUE_UNKNOWN) next = value_unknown();
    else if (best->kind == VALUE_NUMBER && other->kind == VALUE_NUMBER && unit_fits(best->unit, other->unit)) {
      bool take = max ? other->number > best->number || isnan(other->number) : other->number < best->number || isnan(other->number);
      next = !best->known || !other->known ? value_number_unknown(unit_merge(best->unit, other->unit)) : value_retain(take ? other : best);
    } else {
      Deps deps = {0};
      Expr *a = eval_to_expr(call->ev, best, call->spans[0], &deps), *b = eval_to_expr(call->ev, other, call->rest_spans[i], &deps);
      Expr *e = a && b ? expr_binary(call->ev->host->pool, max ? EXPR_MAX : EXPR_MIN, a, b) : NULL;
      if (a && b && !e) diag_report(&call->ev->host->diags, expr_error(call->ev->host->pool).kind == EXPR_UNIT ? E0302 : E0301, call->span, "%s: %s", call->row->name, expr_error(call->ev->host->pool).text);
      next = e ? value_field(e, &deps) : value_poison();
      deps_free(&deps);
    }
    value_release(best);
    best = next;
  }
  return best;
}

static Value *list_extremum(Call *call, bool max) {
  Value *list = ARG(0);
  if (!list->n) {
    REPORT(E0506, "an empty list has no %s", call->row->name);
    return value_poison();
  }
  int best = 0;
  for (int i = 1; i < list->n; i++) {
    if (list->items[i]->kind != VALUE_NUMBER || list->items[best]->kind != VALUE_NUMBER) return value_unknown();
    if (max ? list->items[i]->number > list->items[best]->number : list->items[i]->number < list->items[best]->number) best = i;
  }
  return value_retain(list->items[best]);
}

/* All states in a time window. */
static bool window_extremum(Call *call, Target *t, Value *window, bool max, double *best) {
  Eval *ev = call->ev;
  if (t->deps.n != 1 || !t->deps.solutions[0]->solution) {
    REPORT(E0512, "time: needs a field of one transient solution");
    return false;
  }
  SolutionInfo info;
  ev->host->api->solution_info(t->deps.solutions[0]->solution, &info);
  *best = max ? -INFINITY : INFINITY;
  for (int i = 0; i < info.nstates; i++) {
    double slack = 1e-9 * (fabs(window->to) + fabs(window->from));
    if (info.times[i] < window->from - slack || info.times[i] > window->to + slack) continue;
    Value *field = value_field(t->expr, &t->deps), *at = with_field_time(ev, field, info.times[i]);
    Target now = *t;
    now.expr = at->expr;
    double x;
    bool fine = reduce(ev, max ? REDUCE_MAX : REDUCE_MIN, &now, -1, info.times[i], call->span, &x, NULL);
    value_release(field);
    value_release(at);
    if (!fine) return false;
    *best = max ? fmax(*best, x) : fmin(*best, x);
  }
  return true;
}

static Value *extremum(Call *call, bool max) {
  if (call->nrest) return pointwise(call, max);
  if (ARG(0)->kind == VALUE_NUMBER || is_unknown(ARG(0))) return value_retain(ARG(0));
  if (ARG(0)->kind == VALUE_LIST) return list_extremum(call, max);
  if (ARG(0)->kind == VALUE_HISTORY) {
    double best = max ? -INFINITY : INFINITY;
    for (int i = 0; i < ARG(0)->ncurve; i++) best = max ? fmax(best, ARG(0)->curve_y[i]) : fmin(best, ARG(0)->curve_y[i]);
    return call->ev->dry ? value_number_unknown(ARG(0)->curve_yunit) : value_number(best, ARG(0)->curve_yunit);
  }
  Value *early = unknown_field(call);
  if (early) return early;
  Target t;
  double x = NAN;
  if (!place_take_side(call->ev, &ARG(1), ARG(3), call->spans[3])) return value_poison();
  bool fine = target(call->ev, ARG(0), ARG(1), call->span, &t);
  if (fine && t.expr->shape.rank) {
    diag_suggest(REPORT(E0301, "%s wants a scalar field; this is a vector or tensor", call->row->name), "take its magnitude: %s(abs(u))", call->row->name);
    fine = false;
  }
  if (fine && !call->ev->dry) {
    if (ARG(2)) fine = window_extremum(call, &t, ARG(2), max, &x);
    else fine = reduce(call->ev, max ? REDUCE_MAX : REDUCE_MIN, &t, -1, NAN, call->span, &x, NULL);
  }
  Value *v = !fine ? value_poison() : call->ev->dry ? value_number_unknown(t.expr->unit) : value_number(x, t.expr->unit.any ? UNIT_NONE : t.expr->unit);
  target_free(&t);
  return v;
}

static Value *run_max(Call *call) { return extremum(call, true); }
static Value *run_min(Call *call) { return extremum(call, false); }

/* --- fluxes and balances --- */

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

static Value *run_flux(Call *call) {
  Eval *ev = call->ev;
  Value *sol;
  int unknown;
  double time, values[9];
  if (ARG(0)->kind == VALUE_UNKNOWN || (ARG(1) && ARG(1)->kind == VALUE_UNKNOWN)) return value_unknown();
  if (!measure_unknown(call, ARG(0), &sol, &unknown, &time)) return value_poison();
  const PdeValue *p = sol->solution_pde->pde;
  const Flux *flux = p->form ? flux_of(p->form, unknown) : NULL;
  if (!flux) {
    REPORT(E0505, "the equation of `%s` has no flux: nothing in it is integrated by parts", p->pde->unknowns[unknown].name);
    return value_poison();
  }
  Unit area, unit;
  unit_pow(host_length_unit(ev->host), p->pde->dim - 1, &area);
  unit = unit_mul(flux->flux->unit.any ? UNIT_NONE : flux->flux->unit, area);
  int size = shape_size(p->pde->unknowns[unknown].shape, p->pde->dim);
  if (ev->dry) return numbers(values, size, unit, false);
  bool conservative = true;
  if (ev->host->api->flux(ev->host->engine, sol->solution, unknown, &ARG(1)->where, time, &ev->host->diags, call->span, values, &conservative)) return value_poison();
  return numbers(values, size, unit, true);
}

/* What the equation of an unknown produces inside, less what leaves: |sources + flux| over their sizes; for a conservative solve round-off. */
typedef struct Tests { int which, component; } Tests;

static Expr *constant_test(ExprPool *pool, Expr *leaf, void *user) {
  const Tests *t = user;
  if (leaf->op != EXPR_TERM || leaf->symbol.kind != SYMBOL_TEST) return leaf;
  bool value = leaf->symbol.which == t->which && leaf->symbol.component == t->component && !leaf->symbol.dx[0] && !leaf->symbol.dx[1] && !leaf->symbol.dx[2];
  return value ? expr_const(pool, 1, UNIT_NONE) : expr_zero(pool, SHAPE_SCALAR);
}

typedef struct ToField { uint32_t serial; } ToField;

static Expr *solved(ExprPool *pool, Expr *leaf, void *user) {
  const ToField *f = user;
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
  ToField to = {sol->serial};
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
  Status status = ev->host->api->reduce(ev->host->engine, REDUCE_INTEGRAL, t.expr, t.mesh, &t.where, t.on_cells, in->degree, &w.world, &ev->host->diags, call->span, &x, NULL);
  world_close(&w);
  if (status) return false;
  *sum += x;
  *size += fabs(x);
  return true;
}

static Expr *solved_symbol(ExprPool *pool, Expr *leaf, void *user) {
  const ToField *f = user;
  if (leaf->op != EXPR_SYMBOL || leaf->symbol.kind != SYMBOL_UNKNOWN) return leaf;
  Symbol s = {.kind = SYMBOL_FIELD, .which = leaf->symbol.which, .serial = f->serial, .time = NAN};
  return expr_symbol(pool, s, leaf->name, leaf->shape, leaf->unit);
}

/* The integral of |F| over the domain by its diameter: what passes a section, where nothing enters or leaves (stress of a free, heated body). 0 if it
 * cannot be had. */
static double inner_flux(Call *call, Value *sol, const Flux *flux) {
  Eval *ev = call->ev;
  ToField to = {sol->serial};
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
  Status status = ev->host->api->reduce(ev->host->engine, REDUCE_INTEGRAL, size, mesh, &all, true, -1, &w.world, &ev->host->diags, call->span, &x, NULL);
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
  if (law->kind == VALUE_UNKNOWN) return value_unknown();
  if (law->kind != VALUE_CONDITION) {
    REPORT(E0505, "residual wants an equation between fields; this is a %s", value_kind_name(law));
    return value_poison();
  }
  return eval_binary(call->ev, OP_SUB, law->left, law->right, call->span, call->span, call->span);
}

/* --- over time and along lines --- */

static Value *curve(int n, Unit xunit, Unit yunit) {
  Value *v = value_new(VALUE_HISTORY);
  v->curve_x = calloc((size_t)n + 1, sizeof(double));
  v->curve_y = calloc((size_t)n + 1, sizeof(double));
  v->ncurve = n;
  v->curve_xunit = xunit;
  v->curve_yunit = yunit;
  return v;
}

/* The transient solution that an expression names. */
typedef struct Search { Eval *ev; Value *found; } Search;

static bool find_solution(const Ast *node, void *user) {
  Search *s = user;
  Slot *slot = node->kind == AST_NAME ? scope_lookup(s->ev, node->name) : NULL;
  if (!slot || s->found) return !s->found;
  if (slot->value->kind == VALUE_SOLUTION) s->found = slot->value;
  else if (slot->value->kind == VALUE_FIELD && slot->value->deps.n) s->found = slot->value->deps.solutions[0];
  return !s->found;
}

static Value *run_history(Call *call) {
  Eval inner = *call->ev;
  Search s = {call->ev, NULL};
  ast_walk(ARG(0)->thunk, find_solution, &s);
  if (call->ev->dry || !s.found || !s.found->solution) {
    inner.at_time = 0;
    Value *v = eval_expr(&inner, ARG(0)->thunk);
    bool poison = is_poison(v);
    Unit unit = v->kind == VALUE_NUMBER ? v->unit : UNIT_NONE;
    value_release(v);
    if (poison) return value_poison();
    if (call->ev->dry) return curve(0, host_time_unit(call->ev->host), unit);
    REPORT(E0505, "history wants an expression of a transient solution");
    return value_poison();
  }
  SolutionInfo info;
  call->ev->host->api->solution_info(s.found->solution, &info);
  Value *v = curve(info.nstates, host_time_unit(call->ev->host), UNIT_NONE);
  for (int i = 0; i < info.nstates; i++) {
    inner.at_time = info.times[i];
    Value *x = eval_expr(&inner, ARG(0)->thunk);
    double y;
    bool fine = eval_to_number(call->ev, x, call->spans[0], "each value of a history", UNIT_ANY, &y);
    if (x->kind == VALUE_NUMBER) v->curve_yunit = x->unit;
    value_release(x);
    if (!fine) {
      value_release(v);
      return value_poison();
    }
    v->curve_x[i] = info.times[i];
    v->curve_y[i] = y;
  }
  return v;
}

static bool read_point(Call *call, int at, int dim, double *x) {
  Value *v = ARG(at);
  Value *one[1] = {v}, **items = v->kind == VALUE_NUMBER ? one : v->items;
  int n = v->kind == VALUE_NUMBER ? 1 : v->n;
  if (n != dim) {
    diag_report(&call->ev->host->diags, E0301, call->spans[at], "a point has %d coordinates here; %d given", dim, n);
    return false;
  }
  for (int i = 0; i < n; i++)
    if (!eval_to_number(call->ev, items[i], call->spans[at], "a coordinate", host_length_unit(call->ev->host), &x[i])) return false;
  return true;
}

/* along(sol.T, (0, 0), (1, 0), n: 101): values at equal distances on a line, against the distance from its start. */
static Value *run_along(Call *call) {
  Eval *ev = call->ev;
  Value *early = unknown_field(call);
  if (early) return early;
  Target t;
  bool fine = target(ev, ARG(0), NULL, call->span, &t);
  if (fine && t.expr->shape.rank) {
    REPORT(E0301, "along wants a scalar field");
    fine = false;
  }
  if (!fine || ev->dry) {
    Value *v = fine ? curve(0, host_length_unit(ev->host), t.expr->unit) : value_poison();
    v->curve_in_space = fine;
    target_free(&t);
    return v;
  }
  double a[3] = {0}, b[3] = {0};
  int dim = t.mesh->dim, n = ARG(3) ? (int)ARG(3)->number : 101;
  Name side = NULL;
  if (ARG(4) && !place_region(ev, ARG(4), call->spans[4], &side)) return target_free(&t), value_poison();
  fine = read_point(call, 1, dim, a) && read_point(call, 2, dim, b);
  if (fine && (n < 2 || n > 1000000)) {
    REPORT(E0506, "along takes 2 to 1,000,000 points");
    fine = false;
  }
  Value *v = fine ? curve(n, host_length_unit(ev->host), t.expr->unit) : value_poison();
  if (fine) {
    v->curve_in_space = true;
    double *x = malloc((size_t)n * (size_t)dim * sizeof *x), length = 0;
    for (int i = 0; i < dim; i++) length += (b[i] - a[i]) * (b[i] - a[i]);
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < dim; i++) x[k * dim + i] = a[i] + (b[i] - a[i]) * k / (n - 1);
      v->curve_x[k] = sqrt(length) * k / (n - 1);
    }
    WorldBuffers w;
    world_open(ev, &t.deps, NAN, &w);
    Status status = ev->host->api->points(ev->host->engine, t.expr, t.mesh, n, x, side, &w.world, &ev->host->diags, call->span, v->curve_y);
    world_close(&w);
    free(x);
    if (status) {
      value_release(v);
      v = value_poison();
    }
  }
  target_free(&t);
  return v;
}

static Value *run_order(Call *call) {
  Value *s = ARG(0);
  const char *norm = ARG(1)->kind == VALUE_WORD ? ARG(1)->word : ARG(1)->text;
  if (call->ev->dry || s->kind == VALUE_UNKNOWN) return value_number_unknown(UNIT_NONE);
  Buf column = {0};
  buf_printf(&column, "order_%s", norm);
  const StudyTable *t = s->table;
  double order = NAN;
  bool found = false;
  for (int c = 0; c < t->ncolumns; c++)
    if (!strncmp(t->columns[c], buf_str(&column), column.len) && (t->columns[c][column.len] == 0 || t->columns[c][column.len] == '_')) {
      found = true;
      double x = t->nrows ? t->cells[(t->nrows - 1) * t->ncolumns + c] : NAN;
      order = isnan(order) ? x : fmin(order, x);
    }
  buf_free(&column);
  if (found) return value_number(order, UNIT_NONE);
  REPORT(E0505, "the study has no %s errors", norm);
  return value_poison();
}

const BuiltinRow builtin_measures[] = {
    {"integral", "(u: field, on: place = none, degree: int = none, from: side = none)", "measures", "Integral over the mesh of the solutions in u, or over a mesh, region or boundary (on:). On facets between cells what jumps counts as the mean of both sides, or from: one region's. Of a vector a tuple. Unit: that of u times a volume or area.", "print(integral(x, on: mesh(interval(0, 1), cells: [4]))) -> 0.5", run_integral},
    {"mean", "(u: field, on: place = none, degree: int = none, from: side = none)", "measures", "integral(u)/integral(1).", "print(mean(x, on: mesh(interval(0, 1), cells: [4]))) -> 0.5", run_mean},
    {"norm", "(u: field, kind: word = L2, on: place = none, from: side = none) -> number", "measures", "L2 (root of the integral of |u|^2), H1 (with the gradient), H1semi (the gradient alone), Linf (over nodes and quadrature points).", "print(norm(2, on: mesh(interval(0, 1), cells: [4]))) -> 2", run_norm},
    {"max", "(u, values..., on: place = none, time: range = none, from: side = none)", "measures", "Largest value of a field over nodes and quadrature points of its mesh, of a part (on:), over a time window (time:); of a list; of several values, pointwise.", "print(max(1, 5, 3)) -> 5", run_max},
    {"min", "(u, values..., on: place = none, time: range = none, from: side = none)", "measures", "Smallest value; as max.", "print(min([4, 2, 8])) -> 2", run_min},
    {"flux", "(u: any, on: place) -> number", "measures", "Integral of dot(F, n) over a boundary or interface, F the flux of that unknown's equation, n out of the domain. By reactions where the unknown is prescribed, so that balances close to round-off.", NULL, run_flux},
    {"imbalance", "(u: any) -> number", "measures", "|sources + boundary flux| of the equation of an unknown, relative to the largest source or flux of a condition, the worst component; steady problems.", NULL, run_imbalance},
    {"algebraic_residual", "(sol: solution) -> number", "measures", "Norm of the discrete residual at the free dofs, relative to the norm of its parts.", NULL, run_algebraic_residual},
    {"boundary_error", "(sol: solution) -> number", "measures", "Largest difference between an unknown and its prescribed value at the prescribed nodes.", NULL, run_boundary_error},
    {"residual", "(law: any) -> field", "measures", "Left minus right of an equation between fields.", NULL, run_residual},
    {"history", "(expression: thunk)", "measures", "The expression at every kept state of its transient solution: plot(history(sol.T(1, 0.2))). Its .times and .values are lists.", NULL, run_history},
    {"along", "(u: field, from: any, to: any, n: int = 101, on: place = none)", "measures", "Values at n points on a straight line, against the distance from its start; on: a region, on whose side what jumps is taken. .distances and .values are lists.", NULL, run_along},
    {"observed_order", "(study: study, norm: word) -> number", "measures", "The observed order of the last refinement, the smallest of all fields.", NULL, run_order},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
