/* Values over time and along lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_discovery.h"
#include "bi_solving.h"
#include "measure.h"
#include "temperature.h"
#include "trace.h"

static Value *curve(int n, Unit xunit, Unit yunit) {
  Value *v = value_new(VALUE_HISTORY);
  v->curve_x = calloc((size_t)n + 1, sizeof(double));
  v->curve_y = calloc((size_t)n + 1, sizeof(double));
  v->ncurve = n;
  v->curve_xunit = xunit;
  v->curve_yunit = yunit;
  return v;
}

/* The measured expression as its author wrote it, for axes; NULL where it is long. */
static Name written(const Call *call) {
  enum { LONG = 40 };
  const Source *source = source_of(call->ev->host->sources, call->spans[0]);
  size_t n = call->spans[0].end - call->spans[0].start;
  const char *text = source ? source->text + (call->spans[0].start - source->base) : NULL;
  return text && n && n <= LONG && !memchr(text, '\n', n) ? intern(call->ev->host->names, text, n) : NULL;
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
  if (call->ev->trace) return trace_history(call->ev, ARG(0)->thunk);
  Slot *slot = ARG(0)->thunk->kind == AST_NAME ? scope_lookup(call->ev, ARG(0)->thunk->name) : NULL;
  if (slot && slot->value->kind == VALUE_DISCOVERY) {
    slot->used = true;
    return history_of_discovery(call->ev, slot->value, call->span);
  }
  Eval inner = *call->ev;
  Search s = {call->ev, NULL};
  ast_walk(ARG(0)->thunk, find_solution, &s);
  if (call->ev->dry || !s.found || !s.found->solution) {
    inner.at_time = 0;
    Value *v = eval_expr(&inner, ARG(0)->thunk);
    if (call->ev->dry && v->kind == VALUE_UNKNOWN) return v;      /* of a model or a solution: nobody knows yet */
    bool poison = is_poison(v);
    Unit unit = v->kind == VALUE_NUMBER ? v->unit : UNIT_NONE;
    Value *h = poison ? value_poison() : temperature_kept(v, curve(0, host_time_unit(call->ev->host), unit));
    value_release(v);
    if (poison || call->ev->dry) return h;
    value_release(h);
    REPORT(E0505, "history wants an expression of a transient solution");
    return value_poison();
  }
  SolutionInfo info;
  call->ev->host->api->solution_info(s.found->solution, &info);
  Value *v = curve(info.nstates, host_time_unit(call->ev->host), UNIT_NONE);
  v->curve_name = written(call);
  for (int i = 0; i < info.nstates; i++) {
    inner.at_time = info.times[i];
    Value *x = eval_expr(&inner, ARG(0)->thunk);
    double y;
    bool fine = eval_to_number(call->ev, x, call->spans[0], "each value of a history", UNIT_ANY, &y);
    if (x->kind == VALUE_NUMBER) v->curve_yunit = x->unit;
    temperature_kept(x, v);
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
  Value *early = measure_too_early(call);
  if (early) return early;
  Target t;
  bool fine = target_open(ev, ARG(0), NULL, call->span, &t);
  if (fine && t.expr->shape.rank) {
    REPORT(E0301, "along wants a scalar field");
    fine = false;
  }
  if (!fine || ev->dry) {
    Value *v = fine ? curve(0, host_length_unit(ev->host), t.expr->unit) : value_poison();
    v->curve_in_space = fine;
    target_free(&t);
    return temperature_kept(ARG(0), v);
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
    v->curve_name = written(call);
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
  return temperature_kept(ARG(0), v);
}

const BuiltinRow builtin_curves[] = {
    {"history", "(expression: thunk)", "measures", "The expression at every kept state of its transient solution: plot(history(sol.T(1, 0.2))). Its .times and .values are lists. Of a discovery: the list of its candidates in order of time.", NULL, run_history},
    {"along", "(u: field, from: any, to: any, n: int = 101, on: place = none)", "measures", "Values at n points on a straight line, against the distance from its start; on: a region, on whose side what jumps is taken. .distances and .values are lists.", NULL, run_along},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
