/* Solutions as values: their unknowns as fields, states in time, values at points, and the world in which expressions are evaluated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "eval.h"
#include "pde_value.h"
#include "temperature.h"
#include "trace.h"

static const char *const fact_names[] = {"times", "solver", "time", "smallest_step", "largest_step", "dofs", "cells", "ranks", "memory", "iterations",
                                         "newton_iterations", "residual", "seconds", "steps", "rejected", "steady"};
enum { TIMES, SOLVER, TIME, SMALLEST, LARGEST, DOFS, CELLS, RANKS, MEMORY, ITERATIONS, NEWTON, RESIDUAL, SECONDS, STEPS, REJECTED, STEADY, FACTS };

/* What a solution says of its solve, by name; NULL: no such name. */
static Value *solution_fact(Eval *ev, Value *sol, Name name) {
  int which = 0;
  while (which < FACTS && strcmp(fact_names[which], name)) which++;
  if (which == FACTS) return NULL;
  const Form *form = sol->solution_pde->pde->form;
  if (which == STEADY) return value_bool(!form || form->findings & FORM_STEADY);
  Unit unit = which >= TIME && which <= LARGEST ? host_time_unit(ev->host) : UNIT_NONE;
  if (!sol->solution) return which <= SOLVER ? value_unknown() : value_number_unknown(unit);
  SolutionInfo info;
  ev->host->api->solution_info(sol->solution, &info);
  switch (which) {
    case SOLVER: return info.solver ? value_string(info.solver, strlen(info.solver)) : value_string("none", 4);
    case TIME: return value_number(info.nstates ? info.times[info.nstates - 1] : 0, unit);
    case SMALLEST: return value_number(info.steps ? info.smallest : 0, unit);
    case LARGEST: return value_number(info.largest, unit);
    case DOFS: return value_int((double)info.ndofs);
    case CELLS: return value_int((double)info.cells);
    case RANKS: return value_int(info.ranks);
    case MEMORY: return value_number(info.memory, UNIT_NONE);
    case ITERATIONS: return value_int(info.iterations);
    case NEWTON: return value_int(info.newton_iterations);
    case RESIDUAL: return value_number(info.residual, UNIT_NONE);
    case SECONDS: return value_number(info.seconds, UNIT_NONE);
    case STEPS: return value_int((double)info.steps);
    case REJECTED: return value_int((double)info.rejected);
    default: break;
  }
  Value **items = malloc((size_t)(info.nstates + 1) * sizeof *items);
  for (int i = 0; i < info.nstates; i++) items[i] = value_number(info.times[i], host_time_unit(ev->host));
  Value *v = value_items(VALUE_LIST, items, info.nstates);
  for (int i = 0; i < info.nstates; i++) value_release(items[i]);
  free(items);
  return v;
}

/* Whose members there are, all of them: a name that is near is offered instead. */
static Value *no_member(Eval *ev, const Pde *pde, Name name, Span span) {
  enum { MOST = 64 };
  Name names[MOST + FACTS];
  Buf fields = {0}, facts = {0};
  int n = 0;
  for (int i = 0; i < pde->nunknowns && n < MOST; i++) names[n++] = pde->unknowns[i].name;
  for (int i = 0; i < pde->nglobals && n < MOST; i++)
    if (pde->globals[i].declared) names[n++] = pde->globals[i].name;
  for (int i = 0; i < n; i++) buf_printf(&fields, "%s%s", i ? ", " : "", names[i]);
  for (int i = 0; i < FACTS; i++) buf_printf(&facts, "%s%s", i ? ", " : "", names[n + i] = fact_names[i]);
  Diag *d = diag_report(&ev->host->diags, E0111, span, "the solution of `%s` has no member `%s`", pde->name, name);
  Name near = nearest_name(name, names, n + FACTS);
  if (near) diag_replace(diag_suggest(d, "did you mean `%s`?", near), "%s", near);
  else diag_suggest(d, "its unknowns are its members (%s), and what it says of the solve: %s", buf_str(&fields), buf_str(&facts));
  buf_free(&fields), buf_free(&facts);
  return value_poison();
}

Value *solution_member(Eval *ev, Value *sol, Name name, Span span) {
  const Pde *pde = sol->solution_pde->pde->pde;
  for (int i = 0; i < pde->nunknowns; i++) {
    if (strcmp(pde->unknowns[i].name, name)) continue;
    const Unknown *un = &pde->unknowns[i];
    Symbol s = {.kind = SYMBOL_FIELD, .which = (uint16_t)i, .serial = sol->serial, .time = ev->at_time};
    Deps deps = {&sol, 1};
    return value_field(expr_symbol(ev->host->pool, s, un->name, un->shape, un->unit), &deps);
  }
  for (int i = 0; i < pde->nglobals; i++) {
    const Global *g = &pde->globals[i];
    if (!g->declared || strcmp(g->name, name)) continue;
    double value;
    if (!sol->solution) return value_number_unknown(g->symbol->unit);
    if (ev->host->api->number(sol->solution, g->name, ev->at_time, &ev->host->diags, span, &value)) return value_poison();
    return value_number(value, g->symbol->unit);
  }
  Value *fact = solution_fact(ev, sol, name);
  return fact ? fact : no_member(ev, pde, name, span);
}

/* --- states in time --- */

typedef struct TimeChange { double time; Unit unit; } TimeChange;

static Expr *set_time(ExprPool *pool, Expr *leaf, void *user) {
  const TimeChange *change = user;
  if (leaf->op == EXPR_TIME) return expr_const(pool, change->time, leaf->unit);
  if (leaf->op != EXPR_SYMBOL || leaf->symbol.kind != SYMBOL_FIELD || !isnan(leaf->symbol.time)) return leaf;
  Symbol s = leaf->symbol;
  s.time = change->time;
  return expr_symbol(pool, s, leaf->name, leaf->shape, leaf->unit);
}

Value *with_field_time(Eval *ev, Value *field, double time) {
  TimeChange change = {time, host_time_unit(ev->host)};
  Value *v = value_field(expr_substitute(ev->host->pool, field->expr, set_time, &change), &field->deps);
  v->mesh_hint = value_retain(field->mesh_hint);
  return v;
}

/* --- the world of an expression --- */

/* The time beside a field: that of the last state of its one transient solution. */
static double time_of(Eval *ev, const Deps *deps) {
  double time = NAN;
  if (!isnan(ev->at_time)) return ev->at_time;
  for (int i = 0; deps && i < deps->n; i++) {
    if (deps->solutions[i]->kind != VALUE_SOLUTION || !deps->solutions[i]->solution) continue;
    SolutionInfo info;
    ev->host->api->solution_info(deps->solutions[i]->solution, &info);
    if (info.transient && info.nstates) time = info.times[info.nstates - 1];
  }
  return time;
}

/* Values of the file's params. */
static int file_params(Eval *ev, Binding *out, int max) {
  int n = 0;
  for (int m = 0; m < ev->host->nmodules; m++) {
    Module *module = ev->host->modules[m];
    Scope *scope = ev->dry ? module->dry_scope : module->scope;
    for (int i = 0; scope && i < scope->n && n < max; i++) {
      Slot *slot = &scope->slots[i];
      if (!slot->is_param || is_poison(slot->value) || is_unknown(slot->value) || slot->imported) continue;
      if (slot->value->kind != VALUE_NUMBER && slot->value->kind != VALUE_FIELD && slot->value->kind != VALUE_TUPLE) continue;      /* of text and lists no field is made */
      Expr *e = eval_to_expr(ev, slot->value, slot->span, NULL);
      if (e) out[n++] = (Binding){slot->name, e};
    }
  }
  return n;
}

void world_open(Eval *ev, const Deps *deps, double time, WorldBuffers *out) {
  enum { PARAMS = 512 };
  out->params = calloc(PARAMS, sizeof *out->params);
  out->solutions = calloc((size_t)(deps ? deps->n : 0) + 1, sizeof *out->solutions);
  int nsolutions = 0;
  for (int i = 0; deps && i < deps->n; i++)
    if (deps->solutions[i]->kind == VALUE_SOLUTION && deps->solutions[i]->solution) out->solutions[nsolutions++] = deps->solutions[i]->solution;
  out->world = (World){.params = out->params, .nparams = file_params(ev, out->params, PARAMS), .solutions = out->solutions, .nsolutions = nsolutions,
                       .functions = ev->host->functions, .nfunctions = ev->host->nfunctions, .time = isnan(time) ? time_of(ev, deps) : time};
}

void world_close(WorldBuffers *buffers) {
  free(buffers->params);
  free(buffers->solutions);
}

/* --- values at points --- */

Value *field_at_point(Eval *ev, Value *field, Argument *args, int n, Name side, Span span) {
  if (field->expr->flags & HAS_UNKNOWN) {
    diag_report(&ev->host->diags, E0501, span, "an unknown has no value at a point before it is solved for");
    return value_poison();
  }
  if (ev->trace && value_traced(field)) {
    diag_suggest(diag_report(&ev->host->diags, E3061, span, "a prediction has no value at a point in a contract"), "measure it: a mean with a weight, integral(w*f)/integral(w), max(abs(f)), norm(f, on: part)");
    return value_poison();
  }
  double x[3];
  bool known = true;
  for (int i = 0; i < n && i < 3; i++) {
    if (is_unknown(args[i].value)) known = false;
    else if (!eval_to_number(ev, args[i].value, args[i].span, "a coordinate", host_length_unit(ev->host), &x[i])) return value_poison();
  }
  Value *owner, *subject = value_subject(field);
  int dim = subject && subject->kind == VALUE_GEOMETRY ? geom_dim(subject->geom) : subject && subject->kind == VALUE_MESH && subject->mesh ? subject->mesh->dim : n;
  if (n != dim || n > 3) {
    diag_suggest(diag_report(&ev->host->diags, E0502, span, "a point of this field has %d coordinate%s; %d given", dim, dim == 1 ? "" : "s", n),
                 "write u(%s)", dim == 1 ? "x" : dim == 2 ? "x, y" : "x, y, z");
    return value_poison();
  }
  Expr *e = expr_specialise(ev->host->pool, field->expr, dim);
  if (!e) {
    diag_report(&ev->host->diags, E0301, span, "the field does not fit %d dimensions", dim);
    return value_poison();
  }
  int size = shape_size(e->shape, dim);
  double values[81];
  if (ev->dry || !known) {
    for (int i = 0; i < size; i++) values[i] = NAN;
  } else {
    Mesh *mesh = value_mesh(field, &owner);
    if (!mesh) {
      diag_suggest(diag_report(&ev->host->diags, E0512, span, "this field belongs to no mesh"), "use it together with a solution, or project it: project(f, m)");
      return value_poison();
    }
    const EngineApi *api = host_engine(ev->host, span);
    WorldBuffers w;
    world_open(ev, &field->deps, NAN, &w);
    Status status = !api || api->points(ev->host->engine, e, mesh, 1, x, side, &w.world, &ev->host->diags, span, values);
    world_close(&w);
    if (status) return value_poison();
  }
  if (e->shape.rank == 0) return temperature_kept(field, ev->dry || !known ? value_number_unknown(e->unit) : value_number(values[0], e->unit));
  Value **items = malloc((size_t)size * sizeof *items);
  for (int i = 0; i < size; i++) items[i] = ev->dry || !known ? value_number_unknown(e->unit) : value_number(values[i], e->unit);
  Value *v = value_items(VALUE_TUPLE, items, size);
  for (int i = 0; i < size; i++) value_release(items[i]);
  free(items);
  return v;
}
