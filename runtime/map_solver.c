/* A map opened: where its fields have values, the bank at the times of its grid, and the map's own predictor, which solves for each row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"
#include "map_bank.h"
#include "map_scale.h"

void map_value_free(MapValue *map) {
  const TapeApi *tape = map->spec.grid ? map->host->api->tape : NULL;
  if (map->remembered) map->remembered->ops->free(map->remembered);
  if (map->solver) map->solver->ops->free(map->solver);
  if (tape) tape->grid_free(map->spec.grid);
  for (int i = 0; i < map->nsources; i++) value_release(map->sources[i].shown);
  for (int i = 0; i < map->nscales; i++) free(map->scales[i].where.names);
  free(map->scales);
  free(map->bank_rows);
  value_release(map->bank);
  value_release(map->subject);
  value_release(map->mesh);
  scope_release(map->scope);
  module_release(map->module);
  program_release(map->program);
  arena_free(map->arena);
  free(map);
}

/* --- one evaluation --- */

/* The inputs as names of a scope of their own; values are borrowed. */
static Scope *row_scope(const MapValue *map, Value *const *inputs) {
  Scope *scope = scope_new(SCOPE_DECL, map->scope);
  for (int i = 0; i < map->spec.ninputs; i++) {
    Slot *slot = scope_set(scope, map->spec.inputs[i].name, inputs[i], map->span);
    slot->is_own = slot->used = true;
  }
  return scope;
}

static Eval eval_of(const MapValue *map, Scope *scope, bool dry) { return (Eval){.host = map->host, .module = map->module, .scope = scope, .dry = dry, .at_time = NAN}; }

/* One solution for each source; false after a report. */
static bool solve_sources(const MapValue *map, Value *const *inputs, bool dry, Value **out) {
  Scope *scope = row_scope(map, inputs);
  Eval ev = eval_of(map, scope, dry);
  bool fine = true;
  for (int s = 0; s < map->nsources; s++) {
    out[s] = fine ? eval_expr(&ev, map->sources[s].expr) : value_poison();
    fine = fine && out[s]->kind == VALUE_SOLUTION;
  }
  scope_release(scope);
  return fine;
}

static void release_all(Value **items, int n) {
  for (int i = 0; i < n; i++) value_release(items[i]);
  free(items);
}

/* A row of inputs as values: numbers, and functions of the grid's times. */
static Value **row_values(const MapValue *map, const double *row) {
  Value **inputs = calloc((size_t)map->spec.ninputs, sizeof *inputs);
  for (int i = 0; i < map->spec.ninputs; i++) {
    const MapInput *input = &map->spec.inputs[i];
    if (!input->history) inputs[i] = value_number(row[input->offset], input->unit);
    else {
      Expr *e = bank_function(map->host, map->spec.grid->nt, map->spec.grid->t, row + input->offset, input->unit);
      inputs[i] = e ? value_field(e, NULL) : value_poison();
    }
  }
  return inputs;
}

/* --- the predictor --- */

/* Contracts of one audit ask for the fields of the same rows again and again, as do scales of several quantities: the last ones are kept. */
typedef struct Kept { double *row, *fields; } Kept;      /* row[width], the outputs one after another */
enum { KEPT_BYTES = 64 << 20, KEPT_MOST = 512 };
typedef struct MapSolver { Predictor base; MapValue *map; Kept *kept; int nkept, next; } MapSolver;

static size_t output_size(const MapSpec *spec, int o) { return (size_t)spec->grid->nt * (size_t)spec->grid->nnodes * (size_t)spec->outputs[o].ncomp; }

static size_t row_size(const MapSpec *spec) {
  size_t size = 0;
  for (int o = 0; o < spec->noutputs; o++) size += output_size(spec, o);
  return size;
}

static bool recall(const MapSolver *solver, const double *row, int k, double *const *out) {
  const MapSpec *spec = &solver->map->spec;
  int i = 0;
  while (i < solver->nkept && memcmp(solver->kept[i].row, row, sizeof *row * (size_t)spec->width)) i++;
  if (i == solver->nkept) return false;
  const double *from = solver->kept[i].fields;
  for (int o = 0; o < spec->noutputs; from += output_size(spec, o), o++) memcpy(out[o] + (size_t)k * output_size(spec, o), from, sizeof *from * output_size(spec, o));
  return true;
}

static void keep(MapSolver *solver, const double *row, int k, double *const *out) {
  const MapSpec *spec = &solver->map->spec;
  size_t size = row_size(spec), room = KEPT_BYTES / (sizeof(double) * (size + (size_t)spec->width + 1));
  int most = room < KEPT_MOST ? (int)room : KEPT_MOST;
  if (!most) return;
  if (solver->nkept < most) {
    solver->next = solver->nkept++;
    solver->kept = realloc(solver->kept, (size_t)solver->nkept * sizeof *solver->kept);
    solver->kept[solver->next] = (Kept){malloc(sizeof(double) * (size_t)(spec->width + 1)), malloc(sizeof(double) * size)};
  } else solver->next = (solver->next + 1) % solver->nkept;
  memcpy(solver->kept[solver->next].row, row, sizeof *row * (size_t)spec->width);
  double *to = solver->kept[solver->next].fields;
  for (int o = 0; o < spec->noutputs; to += output_size(spec, o), o++) memcpy(to, out[o] + (size_t)k * output_size(spec, o), sizeof *to * output_size(spec, o));
}

static int unknown_of(const Value *sol, Name name) {
  const Pde *pde = sol->solution_pde->pde->pde;
  for (int i = 0; i < pde->nunknowns; i++)
    if (pde->unknowns[i].name == name) return i;
  return 0;
}

static bool sample_outputs(const MapValue *map, Value *const *sols, int k, double *const *out) {
  Host *host = map->host;
  const Grid *grid = map->spec.grid;
  for (int o = 0; o < map->spec.noutputs; o++) {
    Value *sol = sols[map->source_of[o]];
    double *to = out[o] + (size_t)k * (size_t)grid->nt * (size_t)grid->nnodes * (size_t)map->spec.outputs[o].ncomp;
    if (host->api->tape->sample(host->engine, sol->solution, unknown_of(sol, map->member_of[o]), grid, &host->diags, map->span, to)) return false;
  }
  return true;
}

static char *last_error(Host *host) {
  Diag *d = diags_last_error(&host->diags);
  Buf text = {0};
  buf_printf(&text, "%s: %s", d ? diag_rows[d->code].code : "error", d ? d->message : "the solve failed");
  char *copy = strdup(buf_str(&text));
  buf_free(&text);
  return copy;
}

/* What the solves say goes into a sink of its own: the caller gets the error as text. */
static int solver_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  MapSolver *solver = (MapSolver *)self;
  MapValue *map = solver->map;
  Host *host = map->host;
  Diags kept = host->diags;
  bool quiet = host->quiet, fine = true;
  int shown = host->shown_diags;
  host->diags = (Diags){.sources = host->sources};
  host->quiet = true;
  for (int k = 0; k < n && fine; k++) {
    const double *row = rows + (size_t)k * (size_t)map->spec.width;
    if (recall(solver, row, k, out)) continue;
    Value **inputs = row_values(map, row), **sols = calloc((size_t)map->nsources, sizeof *sols);
    fine = solve_sources(map, inputs, false, sols) && sample_outputs(map, sols, k, out);
    if (fine) keep(solver, row, k, out);
    release_all(sols, map->nsources);
    release_all(inputs, map->spec.ninputs);
  }
  self->calls += n;
  if (!fine && error) *error = last_error(host);
  diags_free(&host->diags);
  host->diags = kept;
  host->quiet = quiet;
  host->shown_diags = shown;
  return !fine;
}

static void solver_free(Predictor *self) {
  MapSolver *solver = (MapSolver *)self;
  for (int i = 0; i < solver->nkept; i++) free(solver->kept[i].row), free(solver->kept[i].fields);
  free(solver->kept);
  free(solver);
}

static const PredictorOps solver_ops = {"solver", false, 1, solver_predict, NULL, solver_free};

/* --- opening --- */

/* The middle of every range, and the first histories of the bank. */
static Value **middle(const MapValue *map, const Bank *bank) {
  Value **inputs = calloc((size_t)map->spec.ninputs, sizeof *inputs);
  for (int i = 0, h = 0; i < map->spec.ninputs; i++) {
    const MapInput *input = &map->spec.inputs[i];
    inputs[i] = input->history ? value_field(bank->item[h++], NULL) : value_number((input->lo + input->hi) / 2, input->unit);
  }
  return inputs;
}

/* An element that nobody chose is the linear one of the mesh. */
static const char *finest_element(const MapValue *map, Value *const *sols, const Mesh *mesh) {
  const Element *linear = element_of(mesh->ref->shape, 1), *best = NULL;
  for (int o = 0; o < map->spec.noutputs; o++) {
    const Value *sol = sols[map->source_of[o]];
    const Unknown *unknown = &sol->solution_pde->pde->pde->unknowns[unknown_of(sol, map->member_of[o])];
    const Element *e = unknown->by_default ? linear : element_find(unknown->element);
    if (e && (!best || e->degree > best->degree)) best = e;
  }
  return best && best->degree > 0 ? best->name : linear->name;
}

static bool open_grid(Eval *ev, MapValue *map, Value *const *sols, Span span) {
  SolutionInfo info;
  const EngineApi *api = ev->host->api;
  double never = NAN;
  api->solution_info(sols[0]->solution, &info);
  bool over_time = map->transient && info.transient;
  if (!api->tape->grid(ev->host->engine, info.mesh, finest_element(map, sols, info.mesh), over_time ? info.nstates : 1, over_time ? info.times : &never, &map->spec.grid)) return true;
  diag_report(&ev->host->diags, E3014, span, "the fields of `%s` cannot be laid out", map->spec.name);
  return false;
}

/* Places of inputs in a row; the bank at the grid's times, and the range of its values. */
static bool lay_out(Eval *ev, MapValue *map, const Bank *bank) {
  const Grid *grid = map->spec.grid;
  int width = 0, nh = bank->nhistories, nt = grid->nt;
  for (int i = 0; i < map->spec.ninputs; i++) {
    map->spec.inputs[i].offset = width;
    width += map->spec.inputs[i].history ? nt : 1;
  }
  map->spec.width = width;
  if (!nh) return true;
  map->bank_rows = calloc((size_t)bank->n * (size_t)nh * (size_t)nt, sizeof(double));
  if (!bank_values(ev, map, bank, nt, grid->t, map->bank_rows)) return false;
  map->spec.bank = map->bank_rows;
  map->spec.nbank = bank->n;
  for (int i = 0, h = 0; i < map->spec.ninputs; i++) {
    MapInput *input = &map->spec.inputs[i];
    if (!input->history) continue;
    input->lo = INFINITY, input->hi = -INFINITY;
    for (int k = 0; k < bank->n * nt; k++) {
      double x = map->bank_rows[(size_t)(k / nt * nh + h) * (size_t)nt + (size_t)(k % nt)];
      input->lo = fmin(input->lo, x);
      input->hi = fmax(input->hi, x);
    }
    h++;
  }
  return true;
}

static bool open_now(Eval *ev, MapValue *map, Span span) {
  const EngineApi *api = host_engine(ev->host, span);
  Bank bank = {0};
  if (!api || (map->bank && !bank_open(ev, map, &bank))) return false;
  Value **inputs = middle(map, &bank), **sols = calloc((size_t)map->nsources, sizeof *sols);
  bool quiet = ev->host->quiet;
  ev->host->quiet = true;
  bool fine = solve_sources(map, inputs, false, sols);
  ev->host->quiet = quiet;
  Diag *d = fine ? NULL : diags_last_error(&ev->host->diags);
  if (d) diag_note(d, map->span, "in the middle of the inputs of `%s`", map->spec.name);
  fine = fine && open_grid(ev, map, sols, span) && lay_out(ev, map, &bank);
  if (fine) {
    MapSolver *solver = calloc(1, sizeof *solver);
    *solver = (MapSolver){.base = {&solver_ops, &map->spec, 0}, .map = map};
    map->solver = &solver->base;
    value_release(map->mesh);
    map->mesh = value_retain(sols[0]->solution_mesh);
  }
  release_all(sols, map->nsources);
  release_all(inputs, map->spec.ninputs);
  bank_close(&bank);
  return fine;
}

bool map_open(Eval *ev, Value *v, Span span) {
  MapValue *map = v->map;
  if (map->state == MAP_CLOSED) map->state = open_now(ev, map, span) ? MAP_OPEN : MAP_FAILED;
  return map->state == MAP_OPEN;
}

/* --- m(fx: 0.1, fy: 0) by hand --- */

/* Answered all the same; what a map says about its inputs, and what models learn of it, ends there. */
static void warn_outside(Eval *ev, const MapValue *map, const MapInput *input, double x, Span span) {
  double slack = 1e-9 * fmax(input->hi - input->lo, fmax(fabs(input->lo), fabs(input->hi)));
  if (ev->dry || !(x < input->lo - slack || x > input->hi + slack)) return;
  diag_suggest(diag_report(&ev->host->diags, W3029, span, "`%s` is %g here, outside of its range %g..%g in `%s`", input->name, x, input->lo, input->hi, map->spec.name),
               "widen the range in the map, or take a value within it");
}

static bool take_input(Eval *ev, const MapValue *map, const Argument *arg, int position, Value **inputs) {
  int k = arg->name ? map_input(map, arg->name) : position;
  if (k < 0) return report_no_input(ev, map, arg->name, arg->span), false;
  if (k >= map->spec.ninputs || inputs[k]) {
    diag_report(&ev->host->diags, E0504, arg->span, inputs[k < map->spec.ninputs ? k : 0] && k < map->spec.ninputs ? "`%s`: input %d is given twice" : "`%s` has %d inputs", map->spec.name, k < map->spec.ninputs ? k + 1 : map->spec.ninputs);
    return false;
  }
  const MapInput *input = &map->spec.inputs[k];
  if (input->history) {
    Expr *e = arg->value->kind == VALUE_HISTORY ? bank_function(ev->host, arg->value->ncurve, arg->value->curve_x, arg->value->curve_y, arg->value->curve_yunit) : eval_to_expr(ev, arg->value, arg->span, NULL);
    inputs[k] = e ? value_field(e, NULL) : NULL;
    return e != NULL;
  }
  double x = NAN;
  if (!is_unknown(arg->value) && !eval_to_number(ev, arg->value, arg->span, "an input", input->unit, &x)) return false;
  if (!is_unknown(arg->value)) warn_outside(ev, map, input, x, arg->span);
  inputs[k] = is_unknown(arg->value) ? value_number_unknown(input->unit) : value_number(x, input->unit);
  return true;
}

/* Inputs by label or position, owned; NULL after a report. */
Value **map_take_inputs(Eval *ev, const MapValue *map, Argument *args, int n, Span span) {
  Value **inputs = calloc((size_t)map->spec.ninputs, sizeof *inputs);
  bool fine = true;
  for (int i = 0, position = 0; i < n && fine; i++) fine = take_input(ev, map, &args[i], args[i].name ? -1 : position++, inputs);
  for (int i = 0; i < map->spec.ninputs && fine; i++) {
    if (inputs[i]) continue;
    diag_suggest(diag_report(&ev->host->diags, E0502, span, "`%s` needs its input `%s`", map->spec.name, map->spec.inputs[i].name), "write %s(%s: ...)", map->spec.name, map->spec.inputs[i].name);
    fine = false;
  }
  if (fine) return inputs;
  release_all(inputs, map->spec.ninputs);
  return NULL;
}

Value *map_call(Eval *ev, Value *v, Argument *args, int n, Span span) {
  const MapValue *map = v->map;
  Value **inputs = map_take_inputs(ev, map, args, n, span);
  if (!inputs) return value_poison();
  Value **sols = calloc((size_t)map->nsources, sizeof *sols), *result = NULL;
  bool fine = solve_sources(map, inputs, ev->dry, sols);
  if (fine && map->nsources == 1) result = value_retain(sols[0]);
  else if (fine) {
    result = value_new(VALUE_RECORD);
    result->fields = calloc((size_t)map->spec.noutputs, sizeof *result->fields);
    for (int o = 0; o < map->spec.noutputs; o++)
      result->fields[result->nfields++] = (Argument){map->spec.outputs[o].name, solution_member(ev, sols[map->source_of[o]], map->member_of[o], span), span};
  }
  release_all(sols, map->nsources);
  release_all(inputs, map->spec.ninputs);
  return result ? result : value_poison();
}
