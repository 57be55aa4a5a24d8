/* solve, project, refinement studies and sweeps. */
#include "bi_solving.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/element.h"
#include "builtin.h"
#include "pde_value.h"
#include "watch.h"

/* --- options --- */

static bool positive(Call *call, int at, const char *what, Unit unit, double *out) {
  if (!ARG(at) || is_unknown(ARG(at))) return true;
  if (!eval_to_number(call->ev, ARG(at), call->spans[at], what, unit, out)) return false;
  if (*out > 0) return true;
  diag_report(&call->ev->host->diags, E0506, call->spans[at], "%s is positive, not %g", what, *out);
  return false;
}

static bool below_one(Call *call, int at, double *out) {
  if (!positive(call, at, "a tolerance", UNIT_NONE, out)) return false;
  if (*out < 1) return true;
  diag_suggest(diag_report(&call->ev->host->diags, E0506, call->spans[at], "a relative tolerance is below 1, not %g", *out), "1e-10 is usual");
  return false;
}

enum { PDE, MESH, TIME, STEP, SCHEME, SOLVER, RTOL, ATOL, ITERATIONS, NEWTON, DEGREE, KEEP, OUTPUTS, PROGRESS, TOL, STEP_MIN, STEP_MAX, RHO, FROM, RECORD, PROBES, CHECKPOINT,
       EVERY, RESUME, FLOOR };

static bool time_window(Call *call, SolveOptions *o) {
  Value *r = ARG(TIME);
  o->transient = true;
  if (is_unknown(r)) return true;
  if (!unit_fits(r->range_unit, host_time_unit(call->ev->host))) {
    diag_suggest(diag_report(&call->ev->host->diags, E0302, call->spans[TIME], "times carry %s in this program", host_time_unit(call->ev->host).e[2] ? "s" : "no unit"), host_time_unit(call->ev->host).e[2] ? "write time: %g [s]..%g [s]" : "write time: %g..%g", r->from, r->to);
    return false;
  }
  o->t0 = o->origin = r->from;
  o->t1 = r->to;
  if (o->t1 > o->t0) return true;
  diag_report(&call->ev->host->diags, E0506, call->spans[TIME], "the time runs from %g to %g", o->t0, o->t1);
  return false;
}

/* Where item i of a list stands that is written in the call; else where the argument does. */
static Span item_span(const Call *call, int at, int i) {
  Span span = call->spans[at];
  const Source *source = source_of(call->ev->host->sources, span);
  const char *text = source ? source->text + (span.start - source->base) : "";
  uint32_t n = source ? span.end - span.start : 0, from = 1;
  if (!n || text[0] != '[' || text[n - 1] != ']') return span;
  for (uint32_t k = 1, depth = 0; k < n; k++) {
    depth += text[k] == '(' || text[k] == '[';
    if (!depth && (text[k] == ',' || k == n - 1) && i-- == 0) {
      uint32_t to = k;
      while (from < to && text[from] <= ' ') from++;
      while (to > from && text[to - 1] <= ' ') to--;
      return (Span){span.start + from, span.start + to};
    }
    if (!depth && text[k] == ',') from = k + 1;
    depth -= text[k] == ')' || (text[k] == ']' && depth);
  }
  return span;
}

static bool read_outputs(Call *call, SolveOptions *o) {
  Value *list = ARG(OUTPUTS);
  if (!list || is_unknown(list) || list->kind == VALUE_RANGE) return true;
  o->outputs = calloc((size_t)list->n + 1, sizeof *o->outputs);
  for (int i = 0; i < list->n; i++) {
    Span span = item_span(call, OUTPUTS, i);
    if (!eval_to_number(call->ev, list->items[i], span, "a time", host_time_unit(call->ev->host), &o->outputs[i])) return false;
    if (!is_unknown(list->items[i]) && !is_unknown(ARG(TIME)) && !(o->outputs[i] >= fmin(o->origin, o->t0) && o->outputs[i] <= o->t1 * (1 + 1e-14))) {
      diag_report(&call->ev->host->diags, E0506, span, "the output time %g lies outside of the run, which goes from %g to %g", o->outputs[i], o->t0, o->t1);
      return false;
    }
    o->noutputs++;
  }
  return true;
}

static const char *word_of(Value *v) { return !v ? NULL : v->kind == VALUE_WORD ? v->word : v->kind == VALUE_STRING ? v->text : NULL; }

/* A word in the place of a number: step: auto, keep: last. */
static bool is_word(Call *call, int at, const char *word) { return ARG(at) && ARG(at)->kind == VALUE_WORD && !strcmp(ARG(at)->word, word); }

static bool number_or_word(Call *call, int at, const char *word) {
  Value *v = ARG(at);
  if (!v || is_unknown(v) || is_word(call, at, word) || v->kind == VALUE_NUMBER || (v->kind == VALUE_FIELD && v->expr->op == EXPR_CONST)) return true;
  diag_report(&call->ev->host->diags, E0505, call->spans[at], "this is a number or the word `%s`, not a %s", word, value_kind_name(v));
  return false;
}

/* step: 0.01, or step: auto with the tolerance that it is chosen for. */
static bool read_step(Call *call, SolveOptions *o) {
  Unit time = host_time_unit(call->ev->host);
  o->automatic = is_word(call, STEP, "auto");
  o->tol = 1e-3;
  static const int of_auto[] = {TOL, STEP_MIN, STEP_MAX, FLOOR};
  static const char *const names[] = {"tol", "step_min", "step_max", "floor"};
  for (int i = 0; i < 4 && !o->automatic; i++)
    if (ARG(of_auto[i])) {
      diag_suggest(diag_report(&call->ev->host->diags, E0515, call->spans[of_auto[i]], "`%s:` belongs to an automatic step", names[i]), "write step: auto, %s: ...", names[i]);
      return false;
    }
  if (!number_or_word(call, STEP, "auto")) return false;
  if (!o->automatic) {
    if (!positive(call, STEP, "a step", time, &o->step)) return false;
    if (ARG(TIME) && !is_unknown(ARG(TIME)) && o->step > (o->t1 - o->t0) * (1 + 1e-9))
      diag_suggest(diag_report(&call->ev->host->diags, W2020, call->spans[STEP], "the step %g is longer than the whole time, %g: one step of that is taken", o->step, o->t1 - o->t0),
                   "take a step that divides the time, or step: auto");
    return true;
  }
  bool fine = positive(call, TOL, "a tolerance", UNIT_NONE, &o->tol) && positive(call, FLOOR, "a floor", UNIT_ANY, &o->floor) && positive(call, STEP_MIN, "a step", time, &o->step_min) && positive(call, STEP_MAX, "a step", time, &o->step_max);
  if (fine && ARG(TIME) && !is_unknown(ARG(TIME)) && o->step_min > o->t1 - o->t0) {
    diag_report(&call->ev->host->diags, E0506, call->spans[STEP_MIN], "the shortest step, %g, is longer than the whole time, %g", o->step_min, o->t1 - o->t0);
    return false;
  }
  if (!fine || !(o->step_max > 0) || o->step_min <= o->step_max) return fine;
  diag_report(&call->ev->host->diags, E0506, call->spans[STEP_MIN], "the shortest step, %g, is longer than the longest, %g", o->step_min, o->step_max);
  return false;
}

static bool read_rho(Call *call, SolveOptions *o) {
  if (!ARG(RHO) || is_unknown(ARG(RHO))) return true;
  if (!eval_to_number(call->ev, ARG(RHO), call->spans[RHO], "rho_inf", UNIT_NONE, &o->rho)) return false;
  o->has_rho = true;
  bool alpha = word_of(ARG(SCHEME)) && !strcmp(word_of(ARG(SCHEME)), "generalized_alpha");
  if (alpha && o->rho >= 0 && o->rho <= 1) return true;
  if (!alpha) diag_suggest(diag_report(&call->ev->host->diags, E0515, call->spans[RHO], "`rho_inf:` belongs to the scheme generalized_alpha"), "add scheme: generalized_alpha");
  else diag_report(&call->ev->host->diags, E0506, call->spans[RHO], "rho_inf is between 0, which damps most, and 1, which damps nothing; not %g", o->rho);
  return false;
}

/* The run begins where that of `from:` ended. */
static bool read_from(Call *call, SolveOptions *o) {
  Value *from = ARG(FROM);
  o->continues = from != NULL;
  if (!from || from->kind != VALUE_SOLUTION || !from->solution) return true;
  SolutionInfo info;
  call->ev->host->api->solution_info(from->solution, &info);
  o->from = from->solution;
  if (!info.transient || is_unknown(ARG(TIME))) return true;
  double last = info.times[info.nstates - 1];
  if (fabs(o->t0 - last) <= 1e-9 * fmax(fabs(last), o->t1 - o->t0)) {
    o->t0 = o->origin = last;
    return true;
  }
  diag_suggest(diag_report(&call->ev->host->diags, E2022, call->spans[TIME], "the run begins at t = %g, the solution of `from:` ends at t = %g", o->t0, last),
               "write time: sol.time..%g, with the name of that solution", o->t1);
  return false;
}

static bool read_options(Call *call, const Form *form, SolveOptions *o) {
  double n = 0;
  *o = (SolveOptions){.quiet = call->ev->host->quiet, .keep_every = 1};
  bool steady = !form || (form->findings & FORM_STEADY);
  if (form && form->findings & FORM_EIGENVALUE) {
    diag_suggest(REPORT(E0515, "the pde has an eigenvalue, `lambda`: solve finds no values for it"), "write eigensolve(p, m, count: 6)");
    return false;
  }
  if (ARG(TIME) && steady && form) {
    diag_suggest(diag_report(&call->ev->host->diags, E0515, call->spans[TIME], "the pde has no dt: a steady problem takes no time"), "leave time: and step: out");
    return false;
  }
  if (!ARG(TIME) && !steady) {
    diag_suggest(REPORT(E0515, "the pde has a dt: solve needs the time it runs over"), "add time: 0..1, step: 0.01");
    return false;
  }
  if (ARG(TIME) && !time_window(call, o)) return false;
  if (ARG(TIME) && !ARG(STEP)) {
    diag_suggest(REPORT(E0515, "solve over a time needs a step"), "add step: %g, or step: auto", (o->t1 - o->t0) / 100);
    return false;
  }
  bool fine = read_step(call, o) && read_rho(call, o) && read_from(call, o) && below_one(call, RTOL, &o->rtol) && positive(call, ATOL, "a tolerance", UNIT_ANY, &o->atol);
  fine = fine && positive(call, ITERATIONS, "a number of iterations", UNIT_NONE, &n);
  o->max_iterations = (int)n;
  n = 0;
  fine = fine && positive(call, NEWTON, "a number of Newton steps", UNIT_NONE, &n);
  o->max_newton = (int)n;
  n = 0;
  fine = fine && positive(call, DEGREE, "a quadrature degree", UNIT_NONE, &n);
  if (fine && n > QUAD_MAX) {
    diag_report(&call->ev->host->diags, E0506, call->spans[DEGREE], "a quadrature degree is from 1 to %d, not %g", QUAD_MAX, n);
    return false;
  }
  o->degree = (int)n;
  n = 1;
  fine = fine && number_or_word(call, KEEP, "last") && (is_word(call, KEEP, "last") || positive(call, KEEP, "keep", UNIT_NONE, &n));
  o->keep_every = is_word(call, KEEP, "last") ? INT_MAX : (int)n;
  if (fine && ARG(EVERY) && !ARG(CHECKPOINT)) {
    diag_suggest(diag_report(&call->ev->host->diags, E0502, call->spans[EVERY], "`every:` says how often a checkpoint is renewed, and there is none"), "add checkpoint: \"run.h5\"");
    return false;
  }
  n = 10;
  fine = fine && positive(call, EVERY, "every", UNIT_NONE, &n);
  o->checkpoint_every = n < 1 ? 1 : (int)n;
  o->scheme = word_of(ARG(SCHEME));
  o->solver = word_of(ARG(SOLVER));
  return fine && read_outputs(call, o);
}

/* A sweep takes the options of a run through time among its own arguments. */
bool sweep_options(Call *call, const Form *form, SolveOptions *o) {
  static const int own[][2] = {{TIME, 3}, {STEP, 4}, {SCHEME, 5}, {TOL, 6}, {SOLVER, 7}};
  Value *args[FLOOR + 1] = {NULL};
  Span spans[FLOOR + 1];
  for (int i = 0; i <= FLOOR; i++) spans[i] = call->span;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) args[own[i][0]] = call->args[own[i][1]], spans[own[i][0]] = call->spans[own[i][1]];
  Call solve = *call;
  solve.args = args, solve.spans = spans;
  bool fine = read_options(&solve, form, o);
  o->quiet = true;
  return fine;
}

/* --- parameters --- */

/* A parameter whose value is an expression of file params becomes a constant or a field without params. */
typedef struct Closing { const Binding *params; int n; } Closing;

static Expr *close_param(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  const Closing *c = user;
  if (leaf->op != EXPR_PARAM) return leaf;
  for (int i = 0; i < c->n; i++)
    if (c->params[i].name == leaf->name) return c->params[i].value;
  return leaf;
}

Value *solve_with_params(Call *call, Value *pde) {
  Argument *own = calloc((size_t)call->nextra + 1, sizeof *own);
  int n = 0;
  for (int i = 0; i < call->nextra; i++)
    if (pde_has_param(pde->pde, call->extra[i].name)) own[n++] = call->extra[i];
  Value *v = pde_with_params(call->ev, pde, own, n, call->span);
  free(own);
  for (int i = 0; i < call->nextra && !is_poison(v); i++) {
    Argument *a = &call->extra[i];
    if (pde_has_param(pde->pde, a->name) || solve_file_param(call->ev, v->pde, a)) continue;
    value_release(v);
    v = value_poison();
  }
  return v;
}

static void suggest_quantity(Diag *d, Unit unit) {
  Buf text = {0};
  unit_print_short(&text, unit);
  diag_suggest(d, unit_is_none(unit) ? "write it without a unit, as it was declared" : "write it in [%s], or in any unit of the same quantity", buf_str(&text));
  buf_free(&text);
}

/* A label that names a param of the file overrides it for this solve; anything else is unknown. */
bool solve_file_param(Eval *ev, PdeValue *p, const Argument *a) {
  Slot *slot = scope_find_own(scope_file(ev->scope), a->name);
  if (slot && slot->is_param) {
    Expr *e = eval_to_expr(ev, a->value, a->span, NULL);
    if (!e) return false;
    if (e->flags & (HAS_COORD | HAS_TIME | HAS_FIELD | HAS_REGIONS)) {
      diag_suggest(diag_report(&ev->host->diags, E0505, a->span, "the param `%s` of the file is a number; this is a field", a->name), "make it a parameter of the pde: pde %s(%s = ...)", p->pde->name, a->name);
      return false;
    }
    if (slot->value->kind == VALUE_NUMBER && !unit_fits(e->unit, slot->value->unit)) {
      Buf have = {0}, want = {0};
      unit_print(&have, e->unit);
      unit_print(&want, slot->value->unit);
      Diag *d = diag_report(&ev->host->diags, E0302, a->span, "the param `%s` carries %s; this carries %s", a->name, unit_is_none(slot->value->unit) ? "no unit" : buf_str(&want),
                            unit_is_none(e->unit) ? "no unit" : buf_str(&have));
      diag_note(d, slot->span, "declared here");
      suggest_quantity(d, slot->value->unit);
      buf_free(&have);
      buf_free(&want);
      return false;
    }
    p->bindings = realloc(p->bindings, (size_t)(p->nbindings + 1) * sizeof *p->bindings);
    p->binding_values = realloc(p->binding_values, (size_t)(p->nbindings + 1) * sizeof *p->binding_values);
    p->bindings[p->nbindings] = (Binding){a->name, e};
    p->binding_values[p->nbindings++] = value_retain(a->value);
    return true;
  }
  int n = 0;
  const BuiltinParam *params = builtin_params(ev->host, builtin_find(ev->host, "solve"), &n, &(bool){0}, &(int){0});
  Name names[96];
  int m = 0;
  for (int i = 0; i < n; i++) names[m++] = params[i].name;
  for (int i = 0; i < p->nbindings && m < 96; i++)
    if (p->bindings[i].name) names[m++] = p->bindings[i].name;
  Diag *d = diag_report(&ev->host->diags, E0503, a->span, "`%s` is neither a parameter of `%s` nor an option of solve", a->name, p->pde->name);
  Name near = nearest_name(a->name, names, m);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  return false;
}

/* World of a solve: the pde's bindings first (they win), then the file's params; the deps of coefficient fields. */
void solve_world(Eval *ev, const PdeValue *p, WorldBuffers *out) {
  Deps deps = {0};
  for (int i = 0; i < p->nbindings; i++) {
    Value *v = p->binding_values[i];
    if (!v) continue;
    if (v->kind == VALUE_FIELD) deps_union(&deps, &v->deps);
    else if (v->kind == VALUE_SOLUTION) {
      Deps one = {&v, 1};
      deps_union(&deps, &one);
    }
  }
  world_open(ev, &deps, NAN, out);
  Binding *all = calloc((size_t)(out->world.nparams + p->nbindings) + 1, sizeof *all);
  int n = 0;
  for (int i = p->nbindings - 1; i >= 0; i--)
    if (p->bindings[i].name) all[n++] = p->bindings[i];
  for (int i = 0; i < out->world.nparams; i++) {
    bool there = false;
    for (int k = 0; k < n && !there; k++) there = all[k].name == out->params[i].name;
    if (!there) all[n++] = out->params[i];
  }
  Closing closing = {all, n};
  for (int round = 0; round < 4; round++)
    for (int i = 0; i < n; i++)
      if (all[i].value->flags & HAS_PARAM) all[i].value = expr_substitute(ev->host->pool, all[i].value, close_param, &closing);
  free(out->params);
  out->params = all;
  out->world.params = all;
  out->world.nparams = n;
  deps_free(&deps);
}

/* --- solve --- */

Value *solution_value(Eval *ev, Solution *solution, Value *pde, Value *mesh) {
  Value *v = value_new(VALUE_SOLUTION);
  v->solution = solution;
  v->solution_pde = value_retain(pde);
  v->solution_mesh = value_retain(mesh);
  if (solution) {
    SolutionInfo info;
    ev->host->api->solution_info(solution, &info);
    v->serial = info.serial;
  } else v->serial = --ev->host->next_serial;
  return v;
}

Value *solve_on(Eval *ev, Value *pde, Value *mesh, const SolveOptions *o, Span span) {
  if (pde->pde->failed || !pde_begins(ev, pde, o->transient && !o->from && !o->continues)) return value_poison();
  if (ev->dry) return solution_value(ev, NULL, pde, mesh);
  const EngineApi *api = host_engine(ev->host, span);
  if (!api) return value_poison();
  WorldBuffers w;
  solve_world(ev, pde->pde, &w);
  Solution *solution = NULL;
  Status status = api->solve(ev->host->engine, pde->pde->pde, mesh->mesh, &w.world, o, &ev->host->diags, span, &solution);
  world_close(&w);
  if (!o->quiet) host_flush_diags(ev->host);      /* a study adds to the report which of its solves it was */
  return status ? value_poison() : solution_value(ev, solution, pde, mesh);
}

bool solve_mesh_matches(Call *call, Value *pde, Value *mesh) {
  int want = pde->pde->pde->dim, have = mesh->mesh ? mesh->mesh->dim : mesh->mesh_geometry ? geom_dim(mesh->mesh_geometry->geom) : want;
  int shape = mesh->mesh ? (int)mesh->mesh->ref->shape : mesh->mesh_shape;
  if (want == have) return shape < 0 || !form_cells(pde->pde->pde, refcell_of((CellShape)shape, have), &call->ev->host->diags, call->span);
  diag_suggest(diag_report(&call->ev->host->diags, E0301, call->spans[MESH], "`%s` holds in %d dimensions; the mesh has %d", pde->pde->pde->name, want, have),
               "take a mesh of the geometry that `%s` is declared on", pde->pde->pde->name);
  return false;
}

static Value *run_solve(Call *call) {
  Value *pde = ARG(PDE), *mesh = ARG(MESH);
  if (pde->kind == VALUE_UNKNOWN) return value_unknown();
  if (pde->pde->failed) return value_poison();
  if (mesh->kind == VALUE_MESH && !solve_mesh_matches(call, pde, mesh)) return value_poison();
  SolveOptions o;
  if (!read_options(call, pde->pde->form, &o)) {
    free(o.outputs);
    return value_poison();
  }
  Value *bound = call->nextra ? solve_with_params(call, pde) : value_retain(pde);
  Watch watch;
  WatchRequest request = {.ev = call->ev, .pde = bound, .mesh = mesh, .options = &o, .record = ARG(RECORD), .probes = ARG(PROBES), .checkpoint = ARG(CHECKPOINT),
                          .resume = ARG(RESUME) && ARG(RESUME)->kind == VALUE_BOOL && ARG(RESUME)->truth, .spans = {call->spans[RECORD], call->spans[PROBES], call->spans[CHECKPOINT]},
                          .span = call->span};
  bool fine = !is_poison(bound) && watch_open(&watch, &request);
  Value *v = fine ? solve_on(call->ev, bound, mesh, &o, call->span) : value_poison();
  if (fine) watch_close(&watch);
  value_release(bound);
  free(o.outputs);
  return v;
}

/* project((u: f, v: g), m) or project(f, m): fields by nodal interpolation, as a solution without a pde to solve. */
static Value *run_project(Call *call) {
  Value *what = ARG(0), *mesh = ARG(1);
  Host *host = call->ev->host;
  if (is_unknown(what) || mesh->kind == VALUE_UNKNOWN) return value_unknown();
  int n = what->kind == VALUE_RECORD ? what->nfields : 1;
  Value *subject = value_subject(mesh);
  int dim = mesh->mesh ? mesh->mesh->dim : subject && subject->kind == VALUE_GEOMETRY ? geom_dim(subject->geom) : 2;
  Value *pde = value_new(VALUE_PDE);
  PdeValue *p = pde->pde = calloc(1, sizeof *p);
  p->arena = arena_new();
  p->geometry = value_retain(mesh);
  p->pde = ARENA_NEW(p->arena, Pde);
  Unknown *unknowns = ARENA_ARRAY(p->arena, Unknown, n);
  Expr **values = ARENA_ARRAY(p->arena, Expr *, n);
  const char *element = ARG(2) ? word_of(ARG(2)) : NULL;
  *p->pde = (Pde){.name = "projection", .dim = dim, .pool = host->pool, .unknowns = unknowns, .nunknowns = n, .span = call->span, .arena = p->arena, .length = host_length_unit(host), .time = host_time_unit(host)};
  Deps deps = {0};
  bool fine = true;
  for (int i = 0; i < n && fine; i++) {
    Value *v = what->kind == VALUE_RECORD ? what->fields[i].value : what;
    Name name = what->kind == VALUE_RECORD ? what->fields[i].name : intern_text(host->names, "u");
    Expr *e = eval_to_expr(call->ev, v, call->spans[0], &deps);
    e = e ? expr_specialise(host->pool, e, dim) : NULL;
    if (!(fine = e != NULL)) break;
    values[i] = e;
    Symbol s = {.kind = SYMBOL_UNKNOWN, .which = (uint16_t)i, .time = NAN}, t = {.kind = SYMBOL_TEST, .which = (uint16_t)i, .time = NAN};
    unknowns[i] = (Unknown){.name = name, .shape = e->shape, .element = intern_text(host->names, element ? element : "P1"), .by_default = !element, .unit = e->unit, .span = call->span};
    unknowns[i].symbol = expr_symbol(host->pool, s, name, e->shape, e->unit);
    unknowns[i].test = expr_symbol(host->pool, t, intern_text(host->names, "v"), e->shape, UNIT_NONE);
  }
  Solution *solution = NULL;
  if (fine && !call->ev->dry) {
    const EngineApi *api = host_engine(host, call->span);
    WorldBuffers w;
    world_open(call->ev, &deps, NAN, &w);
    fine = api && !api->project(host->engine, mesh->mesh, unknowns, values, n, &w.world, &host->diags, call->span, &solution);
    world_close(&w);
  }
  Value *v = fine ? solution_value(call->ev, solution, pde, mesh) : value_poison();
  value_release(pde);
  deps_free(&deps);
  return v;
}

const BuiltinRow builtin_solving[] = {
    {"solve",
     "(pde: pde, mesh: mesh, time: range = none, step: any = none, scheme: word = bdf2, solver: word = none, rtol: number = 1e-10, atol: number = none, "
     "max_iterations: int = none, max_newton: int = 30, degree: int = none, keep: any = 1, outputs: list = none, on_progress: word = none, tol: number = 1e-3, "
     "step_min: number = none, step_max: number = none, rho_inf: number = 0.8, from: solution = none, record: thunk = none, probes: string = none, "
     "checkpoint: string = none, every: int = 10, resume: bool = false, floor: number = none, ...) -> solution",
     "solving",
     "Solves a pde on a mesh. Further labels set parameters of the pde or params of the file. solver: is chosen by class and size (`pde check` says which). rtol: the true "
     "relative residual every linear solve must reach. No convergence is an error with status 5. For problems with dt, time: a..b and step: h, or step: auto with tol:, the "
     "largest error of a step relative to the largest norm of the unknown so far (step_min:, step_max: bound it; norms below floor: count as that large). scheme: backward_euler, crank_nicolson, bdf2 or "
     "generalized_alpha with rho_inf:. outputs: times hit exactly. keep: every n-th state is kept, keep: last the last alone. from: begins where another solution ended, "
     "with all that its scheme keeps. record: numbers of the unknowns that go to the file probes: after every step. checkpoint: a file that is renewed after every n-th "
     "step (every:) and the last; resume: true begins from it if it is there, and takes its state where that is the end. Then pde, parameters, mesh and record: are those of the file.",
     NULL, run_solve},
    {"project", "(fields: any, mesh: mesh, element: word = P1) -> solution", "solving",
     "Fields by nodal interpolation on a mesh: project((u: (x, y)), m).u; a single field is called u.", NULL, run_project},
    {"refine",
     "(pde: pde, exact: record, cells: list = none, mesh: mesh = none, levels: int = none, steps: list = none, time: range = none, scheme: word = bdf2, solver: word = none, rtol: number = 1e-10, on: any = none, kind: word = none, ...) -> study",
     "solving",
     "Refinement study: solves on finer meshes (cells: [8, 16, 32] structured, with kind: quad or hex of such cells; or mesh: m, levels: 3 uniformly refined) or with smaller steps (steps: [0.1, 0.05], on one mesh), and compares with the exact fields. "
     "Columns: h or step, dofs, L2 and H1 errors of each field, observed orders. Order = log(e1/e2)/log(h1/h2).",
     NULL, run_refine},
    {"sweep",
     "(pde: pde, mesh: mesh, measure: thunk, time: range = none, step: any = none, scheme: word = bdf2, tol: number = 1e-3, solver: word = none, ...) -> study",
     "solving",
     "Solves once for every value of a parameter, sweep(p, m, k: [0.1, 1, 10], measure: (mean_u: integral(u, square), top: max(u))), and tabulates the measures; the unknowns are names in them, "
     "of a run through time their last states.",
     NULL, run_sweep},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
