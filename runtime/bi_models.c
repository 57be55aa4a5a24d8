/* What contracts ask of models: their domain, its sizes, and probes made of probes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map_scale.h"
#include "measure.h"
#include "trace.h"

/* The map or model of an argument; NULL after a report, or where nothing is known. */
static Value *subject_of(Call *call) {
  Value *v = ARG(0);
  if (value_map(v) || v->kind == VALUE_UNKNOWN) return value_map(v) ? v : NULL;
  diag_suggest(diag_report(&call->ev->host->diags, E0505, call->spans[0], "`%s` wants a model or map; this is %s %s", call->row->name, value_article(v), value_kind_name(v)), "as in a contract with a parameter `m: model`");
  return NULL;
}

static Value *nothing(Call *call) { return ARG(0)->kind == VALUE_UNKNOWN ? value_unknown() : value_poison(); }

static Value *run_domain(Call *call) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  Value *v = value_new(VALUE_DOMAIN);
  v->domain_of = value_retain(value_map(subject));
  return v;
}

static Value *run_has_histories(Call *call) {
  Value *subject = subject_of(call);
  return subject ? value_bool(map_has_histories(value_map(subject)->map)) : nothing(call);
}

static Value *run_duration(Call *call) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  Unit unit = host_time_unit(call->ev->host);
  const MapValue *map = value_map(subject)->map;
  if (!map->transient) return value_number(0, unit);
  if (call->ev->dry) return value_number_unknown(unit);
  if (!map_open(call->ev, value_map(subject), call->span)) return value_poison();
  const Grid *grid = map->spec.grid;
  return value_number(grid->t[grid->nt - 1] - grid->t[0], unit);
}

static Value *run_times(Call *call) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  Unit unit = host_time_unit(call->ev->host);
  const MapValue *map = value_map(subject)->map;
  if (!map->transient) return value_items(VALUE_LIST, NULL, 0);
  if (call->ev->dry) {
    Value *one = value_number_unknown(unit), *list = value_items(VALUE_LIST, &one, 1);
    list->known = false;
    value_release(one);
    return list;
  }
  if (!map_open(call->ev, value_map(subject), call->span)) return value_poison();
  const Grid *grid = map->spec.grid;
  Value **items = calloc((size_t)grid->nt, sizeof *items);
  for (int i = 0; i < grid->nt; i++) items[i] = value_number(grid->t[i], unit);
  Value *list = value_items(VALUE_LIST, items, grid->nt);
  for (int i = 0; i < grid->nt; i++) value_release(items[i]);
  free(items);
  return list;
}

/* The part of an argument `of:` that names an output; -1: it is none. */
static int named_output(const MapValue *map, const Value *of) { return of && of->kind == VALUE_WORD ? map_output(map, of->word) : -1; }

/* Of several outputs the norm divides each by its scale, so theirs together is 1. */
static Value *all_outputs(Call *call, Value *subject, const TraceMeasure *m) {
  const MapValue *map = value_map(subject)->map;
  double sum = 0;
  for (int o = 0; o < map->spec.noutputs; o++) {
    Value *size = map_response(call->ev, subject, o, NULL, m), *of = is_poison(size) ? value_poison() : map_scale(call->ev, value_map(subject), o, NULL, m);
    bool fine = !is_poison(size) && !is_poison(of);
    if (fine && !call->ev->dry) sum += pow(size->number / of->number, 2);
    value_release(size);
    value_release(of);
    if (!fine) return value_poison();
  }
  return call->ev->dry ? value_number_unknown(UNIT_NONE) : value_number(sqrt(sum), UNIT_NONE);
}

typedef enum Sized { SIZED_SCALE, SIZED_LARGEST, SIZED_RESPONSE } Sized;

static Value *sized(Call *call, Sized what) {
  Value *subject = subject_of(call), *of = ARG(5);
  TraceMeasure m;
  if (!subject) return nothing(call);
  for (int k = 1; k <= 5; k++)
    if (ARG(k) && ARG(k)->kind == VALUE_UNKNOWN) return value_unknown();
  if (!trace_measure_open(call, 1, 2, 3, 4, &m)) return value_poison();
  const MapValue *map = value_map(subject)->map;
  if ((!isnan(m.at) || !isnan(m.from) || !isnan(m.until)) && !map->transient) {
    diag_report(&call->ev->host->diags, E3027, call->span, "the outputs of `%s` have no time", map->spec.name);
    return value_poison();
  }
  int output = named_output(map, of);
  bool whole = !of || (of->kind == VALUE_WORD && output < 0);
  if (whole && map->spec.noutputs > 1) return what == SIZED_RESPONSE ? all_outputs(call, subject, &m) : value_number(1, UNIT_NONE);
  MapQuantity q = {.of = whole || output >= 0 ? NULL : of, .kind = what == SIZED_LARGEST ? "Linf" : "L2", .largest = what == SIZED_LARGEST};
  if (output < 0) output = 0;
  return what == SIZED_RESPONSE ? map_response(call->ev, subject, output, &q, &m) : map_scale(call->ev, value_map(subject), output, &q, &m);
}

static Value *run_scale(Call *call) { return sized(call, SIZED_SCALE); }
static Value *run_largest(Call *call) { return sized(call, SIZED_LARGEST); }
static Value *run_response(Call *call) { return sized(call, SIZED_RESPONSE); }

/* --- fields that are given as arguments --- */

static Value *evaluated(Call *call, bool right) {
  if (ARG(0)->kind == VALUE_UNKNOWN || ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  if (call->ev->trace && value_traced(ARG(1))) return trace_evaluate(call->ev, ARG(0), ARG(1), right, call->span);
  diag_suggest(REPORT(E3026, "`%s` is of one prediction, in a contract over a model", call->row->name), "write %s(q, m(z)) with a parameter `q: field` or `q: condition`", call->row->name);
  return value_poison();
}

static Value *run_evaluate(Call *call) { return evaluated(call, false); }
static Value *run_right_side(Call *call) { return evaluated(call, true); }

/* Length, area or volume of the body or a part of it. */
static Value *run_measure(Call *call) {
  Eval *ev = call->ev;
  Value *subject = subject_of(call), *place = ARG(1), *owner = NULL;
  if (!subject) return nothing(call);
  if (place && place->kind == VALUE_UNKNOWN) return value_unknown();
  const MapValue *map = value_map(subject)->map;
  Target t = {.expr = expr_const(ev->host->pool, 1, UNIT_NONE), .where = place ? place->where : (Where){.all = true}, .on_cells = !place || place->is_region, .dim = map->dim, .size = 1};
  Unit unit = measure_unit(ev, &t);
  if (ev->dry) return value_number_unknown(unit);
  double x;
  if (!map_open(ev, value_map(subject), call->span)) return value_poison();
  t.mesh = value_mesh(map->mesh, &owner);
  t.where.span = call->span;
  return measure_reduce(ev, REDUCE_INTEGRAL, &t, -1, NAN, call->span, &x, NULL) ? value_number(x, unit) : value_poison();
}

static Value *bound_of(Call *call, bool upper) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  const MapValue *map = value_map(subject)->map;
  if (ARG(1)->kind == VALUE_UNKNOWN) return value_unknown();
  int k = ARG(1)->kind == VALUE_WORD ? map_input(map, ARG(1)->word) : -2;
  if (k < 0) {
    if (k == -1) report_no_input(call->ev, map, ARG(1)->word, call->spans[1]);
    else diag_suggest(diag_report(&call->ev->host->diags, E3023, call->spans[1], "an input is named here; this is %s %s", value_article(ARG(1)), value_kind_name(ARG(1))), "as in a parameter `source: input`");
    return value_poison();
  }
  const MapInput *input = &map->spec.inputs[k];
  if (input->history && call->ev->dry) return value_number_unknown(input->unit);
  if (input->history && !map_open(call->ev, value_map(subject), call->span)) return value_poison();
  return value_number(upper ? input->hi : input->lo, input->unit);
}

static Value *run_upper(Call *call) { return bound_of(call, true); }
static Value *run_lower(Call *call) { return bound_of(call, false); }

static Value *run_steepness(Call *call) {
  Value *subject = subject_of(call);
  return subject ? map_steepness(call->ev, value_map(subject), call->span) : nothing(call);
}

/* --- bumps --- */

/* A lower bound: the distance to the middle of a facet less its own reach. */
static double boundary_distance(const Mesh *mesh, const double *x) {
  double nearest = INFINITY;
  int nv = mesh->ref->facet_verts, dim = mesh->dim;
  for (int f = 0; f < mesh->nboundary; f++) {
    double middle[3] = {0}, reach = 0, d = 0;
    const int *cell = &mesh->cell[mesh->facet_cell[f] * mesh->ref->nverts];
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < nv; k++) {
        const double *v = &mesh->x[cell[mesh->ref->facet[mesh->facet_local[f]][k]] * dim];
        double r = 0;
        for (int i = 0; i < dim && !pass; i++) middle[i] += v[i] / nv;
        for (int i = 0; i < dim && pass; i++) r += pow(v[i] - middle[i], 2);
        reach = fmax(reach, sqrt(r));
      }
    for (int i = 0; i < dim; i++) d += pow(x[i] - middle[i], 2);
    nearest = fmin(nearest, sqrt(d) - reach);
  }
  return nearest;
}

static Expr *bump(Host *host, int dim, const double *at, double radius) {
  ExprPool *pool = host->pool;
  Unit length = host_length_unit(host);
  Expr *sum = expr_const(pool, 1, UNIT_NONE);
  for (int i = 0; i < dim; i++) {
    Expr *gap = expr_binary(pool, EXPR_DIV, expr_binary(pool, EXPR_SUB, expr_coord(pool, i, length), expr_const(pool, at[i], length)), expr_const(pool, radius, length));
    sum = expr_binary(pool, EXPR_SUB, sum, expr_binary(pool, EXPR_MUL, gap, gap));
  }
  Expr *inside = expr_binary(pool, EXPR_MAX, sum, expr_const(pool, 0, UNIT_NONE));
  return expr_binary(pool, EXPR_MUL, inside, inside);
}

/* Every step-th node that is far enough from the boundary, as many as are wanted. */
static Value *run_bumps(Call *call) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  Eval *ev = call->ev;
  int want = ARG(1) && !is_unknown(ARG(1)) ? (int)ARG(1)->number : 12;
  if (ev->dry) {
    Value *one = value_unknown(), *list = value_items(VALUE_LIST, &one, 1);
    list->known = false;
    value_release(one);
    return list;
  }
  if (!map_open(ev, value_map(subject), call->span)) return value_poison();
  const Grid *grid = value_map(subject)->map->spec.grid;
  const Mesh *mesh = grid->mesh;
  int n = 0, dim = mesh->dim;
  double *reach = malloc(sizeof *reach * (size_t)grid->nnodes), most = 0;
  for (int i = 0; i < grid->nnodes; i++) most = fmax(most, reach[i] = boundary_distance(mesh, &grid->x[i * dim]));
  Value **items = calloc((size_t)want + 1, sizeof *items);
  int inner = 0;
  for (int i = 0; i < grid->nnodes; i++) inner += reach[i] > 0.3 * most;
  for (int i = 0, k = 0; i < grid->nnodes && n < want; i++)
    if (reach[i] > 0.3 * most && (long)k++ * want / inner >= n) items[n++] = value_field(bump(ev->host, dim, &grid->x[i * dim], reach[i]), NULL);
  Value *list = value_items(VALUE_LIST, items, n);
  for (int i = 0; i < n; i++) value_release(items[i]);
  free(items);
  free(reach);
  return list;
}

const BuiltinRow builtin_models[] = {
    {"domain", "(m: any)", "models", "The admissible inputs of a model: `probe z in domain(m)`.", NULL, run_domain},
    {"has_histories", "(m: any) -> bool", "models", "Is an input of the model a function of time?", NULL, run_has_histories},
    {"duration", "(m: any) -> number", "models", "How long the outputs of a model run; 0 where they have no time.", NULL, run_duration},
    {"times", "(m: any) -> list", "models", "The times at which the outputs of a model have values; empty where they have no time.", NULL, run_times},
    {"scale", "(m: any, on: place = none, from: side = none, at: number = none, until: number = none, of: any = none) -> number", "models",
     "The typical size of the outputs: the root mean square of norm(m(z)) over 16 fixed inputs, of the map itself and never of a candidate; on a part (on:) and in a time window as "
     "norm takes them; of one output, or of a field made of outputs and inputs (of:). Of several outputs 1: norm divides each by its own scale.",
     NULL, run_scale},
    {"largest", "(m: any, on: place = none, from: side = none, at: number = none, until: number = none, of: any = none) -> number", "models",
     "The largest magnitude of the outputs of the map itself over the same 16 inputs; arguments as of scale.", NULL, run_largest},
    {"response", "(m: any, on: place = none, from: side = none, at: number = none, until: number = none, of: any = none) -> number", "models",
     "The same root mean square of a model's own predictions: what is far below scale(m) responds to nothing.", NULL, run_response},
    {"evaluate", "(q: any, f: any) -> field", "models",
     "In a contract over a model: a field of outputs and inputs that is a parameter (stress: field), for the prediction f = m(z); of an equation its left side.", NULL, run_evaluate},
    {"right_side", "(law: any, f: any) -> field", "models", "The right side of an equation that is a parameter (law: condition), for the prediction f = m(z): the prescribed data.", NULL, run_right_side},
    {"measure", "(m: any, on: place = none) -> number", "models", "The length, area or volume of the body that a model predicts on, or of a part of it.", NULL, run_measure},
    {"upper", "(m: any, input: any) -> number", "models", "The upper end of an input's range; of a history the largest value in the bank.", NULL, run_upper},
    {"lower", "(m: any, input: any) -> number", "models", "The lower end of an input's range; of a history the smallest value in the bank.", NULL, run_lower},
    {"splice", "(p: any, q: any, at: number)", "models", "A probe whose histories are those of p up to that time and those of q after it; its numbers are those of p.", NULL, probe_splice},
    {"shift", "(p: any, by: number)", "models", "A probe whose histories come that much later; before, they keep their first value.", NULL, probe_shift},
    {"held", "(p: any, at: number, rates: any = none)", "models", "A probe whose histories keep the value that they have at that time; those named in rates: are 0 after it.", NULL, probe_held},
    {"distance", "(p: any, q: any)", "models", "How far two probes are apart: the root of the sum of squares over the inputs, each in the width of its range; of histories the mean over time.", NULL, probe_distance},
    {"steepness", "(m: any) -> number", "models", "The largest norm(m(z) - m(w))/distance(z, w) of the map itself over 16 fixed pairs of inputs: how fast its fields change.", NULL, run_steepness},
    {"bumps", "(m: any, count: int = 12) -> list", "models", "Smooth functions that vanish on the boundary of a model's body, to test weak forms with: (1 - r^2/R^2)^2 about nodes of its mesh, R the distance to the boundary.", NULL, run_bumps},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
