/* Refinement studies and sweeps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"
#include "pde_value.h"

/* --- tables --- */

StudyTable *table_new(int ncolumns) {
  StudyTable *t = calloc(1, sizeof *t);
  t->columns = calloc((size_t)ncolumns + 1, sizeof *t->columns);
  t->units = calloc((size_t)ncolumns + 1, sizeof *t->units);
  t->shown = calloc((size_t)ncolumns + 1, sizeof *t->shown);
  t->ncolumns = ncolumns;
  return t;
}

static double *table_row(StudyTable *t) {
  t->cells = realloc(t->cells, (size_t)(t->nrows + 1) * (size_t)t->ncolumns * sizeof *t->cells);
  double *row = t->cells + (size_t)t->nrows++ * (size_t)t->ncolumns;
  for (int c = 0; c < t->ncolumns; c++) row[c] = NAN;
  return row;
}

Value *study_value(StudyTable *t) {
  Value *v = value_new(VALUE_STUDY);
  v->table = t;
  return v;
}

Value *study_member(Eval *ev, Value *v, Name name, Span span) {
  const StudyTable *t = v->table;
  for (int c = 0; c < t->ncolumns; c++) {
    if (strcmp(t->columns[c], name)) continue;
    Value **items = malloc((size_t)(t->nrows + 1) * sizeof *items);
    for (int r = 0; r < t->nrows; r++) {
      const char *text = t->texts ? t->texts[r * t->ncolumns + c] : NULL;
      items[r] = text ? value_string(text, strlen(text)) : value_number(t->cells[r * t->ncolumns + c], t->units[c]);
      if (!text) items[r]->shown = t->shown[c];
    }
    Value *list = value_items(VALUE_LIST, items, t->nrows);
    if (ev->dry) list->known = false;
    for (int r = 0; r < t->nrows; r++) value_release(items[r]);
    free(items);
    return list;
  }
  if (ev->dry && t->nrows == 0) return value_unknown();
  Name names[64];
  int n = 0;
  for (int c = 0; c < t->ncolumns && n < 64; c++) names[n++] = t->columns[c];
  Diag *d = diag_report(&ev->host->diags, E0111, span, "the study has no column `%s`", name);
  Name near = nearest_name(name, names, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  return value_poison();
}

/* --- refine --- */

enum { R_PDE, R_EXACT, R_CELLS, R_MESH, R_LEVELS, R_STEPS, R_TIME, R_SCHEME, R_SOLVER, R_RTOL, R_ON, R_KIND };

typedef struct Level {
  Value *mesh;
  double h, step;
} Level;

static char *column_name(const char *what, Name field, int nfields) {
  Buf text = {0};
  if (nfields > 1) buf_printf(&text, "%s_%s", what, field);
  else buf_puts(&text, what);
  char *name = strdup(buf_str(&text));
  buf_free(&text);
  return name;
}

/* Columns: h (or step), dofs, then for each field L2, order, H1, order. */
static StudyTable *refine_table(const Value *exact, bool by_step, Unit length, Unit time) {
  static const char *const words[] = {"L2", "order_L2", "H1", "order_H1"};
  StudyTable *t = table_new(2 + 4 * exact->nfields);
  t->columns[0] = strdup(by_step ? "step" : "h");
  t->units[0] = by_step ? time : length;
  t->columns[1] = strdup("dofs");
  for (int i = 0; i < exact->nfields; i++)
    for (int k = 0; k < 4; k++) t->columns[2 + 4 * i + k] = column_name(words[k], exact->fields[i].name, exact->nfields);
  return t;
}

static void orders(StudyTable *t, int r) {
  if (!r) return;
  double *now = t->cells + (size_t)r * (size_t)t->ncolumns, *before = now - t->ncolumns;
  for (int c = 2; c + 1 < t->ncolumns; c += 2) now[c + 1] = log(before[c] / now[c]) / log(before[0] / now[0]);
}

static bool errors_of(Call *call, Value *sol, const Value *exact, double time, StudyTable *t, double *row) {
  Eval *ev = call->ev;
  for (int i = 0; i < exact->nfields; i++) {
    Value *field = solution_member(ev, sol, exact->fields[i].name, exact->fields[i].span);
    if (is_poison(field)) {
      value_release(field);
      return false;
    }
    Value *diff = eval_binary(ev, OP_SUB, field, exact->fields[i].value, call->span, exact->fields[i].span, exact->fields[i].span);
    value_release(field);
    bool fine = !is_poison(diff);
    for (int k = 0; k < 2 && fine && !ev->dry; k++) {
      Unit unit;
      fine = measure_norm(ev, diff, k ? "H1semi" : "L2", NULL, time, call->span, &row[2 + 4 * i + 2 * k], &unit);
      if (k == 1 && fine) {   /* the full H1 norm, as everywhere: L2 and seminorm with the length 1 */
        row[2 + 4 * i + 2] = hypot(row[2 + 4 * i], row[2 + 4 * i + 2]);
      }
      t->units[2 + 4 * i + 2 * k] = UNIT_NONE;
    }
    value_release(diff);
    if (!fine) return false;
  }
  return true;
}

/* Which solve of a study failed. */
static void note_case(Eval *ev, const char *what, const Value *value, int i, int n) {
  Diag *d = ev->dry ? NULL : diags_last_error(&ev->host->diags);
  Buf text = {0};
  value_print(&text, value);
  if (d) diag_note(d, (Span){0, 0}, "this is of %s = %s, number %d of %d of the study", what, buf_str(&text), i + 1, n);
  buf_free(&text);
}

static Value *structured(Call *call, Value *geometry, int n) {
  Eval *ev = call->ev;
  Value *items[3];
  double lo[3] = {0}, hi[3] = {0};
  int dim = geom_dim(geometry->geom);
  geom_bounds(geometry->geom, lo, hi);
  double shortest = INFINITY;
  for (int i = 0; i < dim; i++) shortest = fmin(shortest, hi[i] - lo[i]);
  for (int i = 0; i < dim; i++) items[i] = value_int(fmax(1, round(n * (hi[i] - lo[i]) / shortest)));
  Value *cells = value_items(VALUE_LIST, items, dim);
  Argument args[3] = {{NULL, geometry, call->span}, {intern_text(ev->host->names, "cells"), cells, call->spans[R_CELLS]},
                      {intern_text(ev->host->names, "kind"), ARG(R_KIND), call->spans[R_KIND]}};
  Value *mesh = builtin_apply(ev, builtin_find(ev->host, "mesh"), args, ARG(R_KIND) ? 3 : 2, call->span);
  for (int i = 0; i < dim; i++) value_release(items[i]);
  value_release(cells);
  return mesh;
}

static bool refine_levels(Call *call, Level **levels, int *n) {
  Eval *ev = call->ev;
  Value *pde = ARG(R_PDE), *list = ARG(R_STEPS) ? ARG(R_STEPS) : ARG(R_CELLS);
  if (!list && !ARG(R_LEVELS)) {
    diag_suggest(REPORT(E0502, "a refinement study says what is refined"), "give cells: [8, 16, 32], or mesh: m with levels: 3, or mesh: m with steps: [0.1, 0.05]");
    return false;
  }
  bool known = list ? !is_unknown(list) && list->kind != VALUE_RANGE : !is_unknown(ARG(R_LEVELS));
  *n = !known ? 1 : list ? list->n : (int)ARG(R_LEVELS)->number;
  if (ev->dry && *n > 1) *n = 1;
  *levels = calloc((size_t)*n + 1, sizeof **levels);
  Value *mesh = ARG(R_MESH) ? value_retain(ARG(R_MESH)) : NULL;
  bool fine = true;
  for (int i = 0; i < *n && fine; i++) {
    Level *l = &(*levels)[i];
    double x = NAN;
    if (list && known) fine = eval_to_number(ev, list->items[i], call->spans[ARG(R_STEPS) ? R_STEPS : R_CELLS], ARG(R_STEPS) ? "a step" : "a number of cells", ARG(R_STEPS) ? host_time_unit(ev->host) : UNIT_NONE, &x);
    if (!fine) break;
    if (ARG(R_STEPS) || ARG(R_LEVELS)) {
      if (!mesh) {
        diag_suggest(REPORT(E0502, "the study needs the mesh it starts from"), "add mesh: m");
        fine = false;
        break;
      }
      l->step = ARG(R_STEPS) ? x : NAN;
      if (ARG(R_LEVELS) && i) {
        Argument arg = {NULL, mesh, call->span};
        Value *finer = builtin_apply(ev, builtin_find(ev->host, "refined"), &arg, 1, call->span);
        value_release(mesh);
        mesh = finer;
      }
      l->mesh = value_retain(mesh);
    } else {
      Value *geometry = pde->pde->geometry;
      if (geometry->kind != VALUE_GEOMETRY) {
        REPORT(E0502, "cells: refines a structured grid of the pde's geometry; this pde is on a mesh");
        fine = false;
        break;
      }
      l->mesh = ev->dry && isnan(x) ? value_new(VALUE_MESH) : structured(call, geometry, (int)x);
      if (ev->dry && isnan(x)) l->mesh->mesh_shape = -1;
      l->step = NAN;
    }
    fine = !is_poison(l->mesh);
    l->h = l->mesh->kind == VALUE_MESH && l->mesh->mesh ? l->mesh->mesh->h_max : NAN;
  }
  value_release(mesh);
  return fine;
}

static Value *refine_pde(Call *call) {
  Value *pde = ARG(R_PDE);
  if (!call->nextra) return value_retain(pde);
  return pde_with_params(call->ev, pde, call->extra, call->nextra, call->span);
}

Value *run_refine(Call *call) {
  Eval *ev = call->ev;
  Value *pde = ARG(R_PDE), *exact = ARG(R_EXACT);
  if (pde->kind == VALUE_UNKNOWN || exact->kind == VALUE_UNKNOWN) return value_unknown();
  if (pde->pde->failed) return value_poison();
  bool transient = pde->pde->form && !(pde->pde->form->findings & FORM_STEADY);
  SolveOptions o = {.quiet = true, .keep_every = 1, .transient = transient};
  if (transient && !ARG(R_TIME)) {
    diag_suggest(REPORT(E0515, "the pde has a dt: the study needs the time it runs over"), "add time: 0..1 and steps: [...]");
    return value_poison();
  }
  if (ARG(R_TIME) && !is_unknown(ARG(R_TIME))) o.t0 = o.origin = ARG(R_TIME)->from, o.t1 = ARG(R_TIME)->to;
  o.scheme = ARG(R_SCHEME) ? (ARG(R_SCHEME)->kind == VALUE_WORD ? ARG(R_SCHEME)->word : ARG(R_SCHEME)->text) : NULL;
  o.solver = ARG(R_SOLVER) ? (ARG(R_SOLVER)->kind == VALUE_WORD ? ARG(R_SOLVER)->word : ARG(R_SOLVER)->text) : NULL;
  if (ARG(R_RTOL) && !is_unknown(ARG(R_RTOL))) o.rtol = ARG(R_RTOL)->number;
  Level *levels = NULL;
  int n = 0;
  bool fine = refine_levels(call, &levels, &n);
  Value *bound = fine ? refine_pde(call) : value_poison();
  fine = fine && !is_poison(bound);
  StudyTable *t = refine_table(exact, ARG(R_STEPS) != NULL, host_length_unit(ev->host), host_time_unit(ev->host));
  for (int i = 0; i < n && fine; i++) {
    o.step = transient ? levels[i].step : 0;
    if (transient && isnan(o.step)) o.step = (o.t1 - o.t0) / 64;
    Value *sol = solve_on(ev, bound, levels[i].mesh, &o, call->span);
    fine = !is_poison(sol);
    if (fine) {
      double *row = table_row(t);
      row[0] = ARG(R_STEPS) ? levels[i].step : levels[i].h;
      if (sol->solution) {
        SolutionInfo info;
        ev->host->api->solution_info(sol->solution, &info);
        row[1] = (double)info.ndofs;
      }
      fine = errors_of(call, sol, exact, transient ? o.t1 : NAN, t, row);
      if (fine && !ev->dry) orders(t, t->nrows - 1);
    }
    if (!fine) {
      Value *at = value_number(ARG(R_STEPS) ? levels[i].step : levels[i].h, ARG(R_STEPS) ? host_time_unit(ev->host) : host_length_unit(ev->host));
      note_case(ev, ARG(R_STEPS) ? "step" : "h", at, i, n);
      value_release(at);
    }
    value_release(sol);
  }
  for (int i = 0; i < n; i++) value_release(levels[i].mesh);
  free(levels);
  value_release(bound);
  Value *v = study_value(t);
  if (ev->dry) t->nrows = 0;
  if (fine) return v;
  value_release(v);
  return value_poison();
}

/* --- sweep --- */

Value *measure_of(Eval *ev, Value *sol, const Ast *expression, Span span) {
  Scope *scope = scope_new(SCOPE_DECL, ev->scope);
  const Pde *pde = sol->solution_pde->pde->pde;
  scope->subject = value_retain(value_subject(sol));
  for (int i = 0; i < pde->nunknowns; i++) {
    Value *field = solution_member(ev, sol, pde->unknowns[i].name, span);
    scope_set(scope, pde->unknowns[i].name, field, span)->is_own = true;
    value_release(field);
  }
  for (int i = 0; i < pde->nglobals; i++) {
    if (!pde->globals[i].declared) continue;
    Value *number = solution_member(ev, sol, pde->globals[i].name, span);
    scope_set(scope, pde->globals[i].name, number, span)->is_own = true;
    value_release(number);
  }
  Eval inner = *ev;
  inner.scope = scope;
  inner.place_subject = value_subject(sol);
  Value *v = eval_expr(&inner, expression);
  scope_release(scope);
  return v;
}

static bool sweep_row(Call *call, Value *sol, const Ast *measures, StudyTable *t, double *row) {
  Eval *ev = call->ev;
  bool fine = true;
  for (int i = 0; i < measures->n && fine; i++) {
    Value *v = measure_of(ev, sol, measures->kid[i]->kid[0], call->span);
    fine = !is_poison(v);
    if (fine && v->kind == VALUE_NUMBER) {
      row[i + 1] = v->number;
      t->units[i + 1] = v->unit;
      t->shown[i + 1] = v->shown;
    } else if (fine && v->kind != VALUE_UNKNOWN) {
      diag_report(&ev->host->diags, E0505, measures->kid[i]->span, "a measure is a number; this is %s %s", value_article(v), value_kind_name(v));
      fine = false;
    }
    value_release(v);
  }
  return fine;
}

Value *run_sweep(Call *call) {
  Eval *ev = call->ev;
  Value *pde = ARG(0), *mesh = ARG(1);
  const Ast *measures = ARG(2)->thunk;
  if (pde->kind == VALUE_UNKNOWN) return value_unknown();
  if (pde->pde->failed) return value_poison();
  if (measures->kind != AST_TUPLE || !measures->n || measures->kid[0]->kind != AST_ARG) {
    diag_suggest(diag_report(&ev->host->diags, E0505, call->spans[2], "measure: is a record"), "write measure: (mean_u: integral(u, square), top: max(u))");
    return value_poison();
  }
  if (call->nextra != 1 || (call->extra[0].value->kind != VALUE_LIST && !is_unknown(call->extra[0].value))) {
    diag_suggest(REPORT(E0502, "a sweep runs over the values of one parameter"), "write k: [0.1, 1, 10]");
    return value_poison();
  }
  SolveOptions o;
  if (!sweep_options(call, pde->pde->form, &o)) return value_poison();
  Argument *over = &call->extra[0];
  bool known = over->value->kind == VALUE_LIST;
  int n = !known ? 0 : ev->dry ? (over->value->n > 0) : over->value->n;
  StudyTable *t = table_new(1 + measures->n);
  t->columns[0] = strdup(over->name);
  for (int i = 0; i < measures->n; i++) t->columns[i + 1] = strdup(measures->kid[i]->name);
  bool fine = true;
  for (int i = 0; i < n && fine; i++) {
    Argument arg = {over->name, over->value->items[i], over->span};
    Value *bound = pde_with_params(ev, pde, &arg, 1, call->span);
    Value *sol = is_poison(bound) ? value_poison() : solve_on(ev, bound, mesh, &o, call->span);
    fine = !is_poison(sol);
    if (fine) {
      double *row = table_row(t);
      row[0] = arg.value->kind == VALUE_NUMBER ? arg.value->number : NAN;
      if (arg.value->kind == VALUE_NUMBER) t->units[0] = arg.value->unit, t->shown[0] = arg.value->shown;
      fine = sweep_row(call, sol, measures, t, row);
    }
    if (!fine) note_case(ev, over->name, arg.value, i, n);
    value_release(sol);
    value_release(bound);
  }
  if (ev->dry) t->nrows = 0;
  Value *v = study_value(t);
  if (fine) return v;
  value_release(v);
  return value_poison();
}

/* study s = refine(..) */
Flow decl_study(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *value = decl->n > 1 ? decl->kid[1] : NULL;
  const Ast *item = phrase && phrase->n == 1 ? phrase->kid[0] : NULL;
  if (!item || item->kind != AST_NAME || !value) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "a study has a name and what it does"), "write `study s = refine(p, exact: (u: f), cells: [8, 16, 32])`");
    return FLOW_STOP;
  }
  Value *v = eval_expr(ev, value);
  bool fine = !is_poison(v);
  if (fine && v->kind == VALUE_STUDY && !v->table->title) {
    Buf title = {0};
    buf_printf(&title, "study %s", item->name);
    v->table->title = strdup(buf_str(&title));
    buf_free(&title);
  }
  scope_set(ev->scope, item->name, v, item->span)->decl = decl;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}
