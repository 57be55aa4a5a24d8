/* Numbers made of predictions: integrals, norms, extrema, over space, boundary and time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map_scale.h"
#include "trace.h"

/* --- what is asked --- */

static bool a_time(Call *call, int at, double *out) {
  *out = NAN;
  if (at < 0 || !ARG(at)) return true;
  if (is_unknown(ARG(at))) return *out = 0, true;      /* while checking: some time */
  return eval_to_number(call->ev, ARG(at), call->spans[at], "a time", host_time_unit(call->ev->host), out);
}

bool trace_measure_open(Call *call, int place, int from, int at, int until, TraceMeasure *out) {
  *out = (TraceMeasure){.place = place < 0 ? NULL : ARG(place), .degree = -1, .span = call->span};
  if (from >= 0 && ARG(from) && ARG(from)->kind == VALUE_PLACE) {
    diag_suggest(diag_report(&call->ev->host->diags, E3027, call->spans[from], "predictions have no sides of facets: `from:` is a time here"), "leave `from:` out, or give a time");
    return false;
  }
  if (!a_time(call, from, &out->from) || !a_time(call, at, &out->at) || !a_time(call, until, &out->until)) return false;
  if (isnan(out->at)) out->at = call->ev->at_time;
  bool windowed = !isnan(out->from) || !isnan(out->until) || !isnan(out->at);
  if (windowed && call->ev->trace && !call->ev->trace->m->transient) {
    diag_suggest(diag_report(&call->ev->host->diags, E3027, call->span, "the outputs of `%s` have no time", call->ev->trace->m->spec.name), "declare an output over all times as `output u(t) from ...`");
    return false;
  }
  return true;
}

/* --- entries of the tape --- */

typedef struct Site { Where where; TapeOver over; int power; /* of the length in its measure */ } Site;

static bool site_of(Eval *ev, const TraceMeasure *m, Site *out) {
  Trace *t = ev->trace;
  *out = (Site){.where = {.all = true, .span = m->span}, .over = TAPE_CELLS, .power = t->m->dim};
  if (!m->place) return true;
  const Where *w = &m->place->where;
  if (w->interior || w->is_point) {
    diag_suggest(diag_report(&ev->host->diags, E3027, m->span, "predictions are measured over cells and boundaries"), "name a boundary or a region");
    return false;
  }
  out->where = *w;
  out->where.span = m->span;
  out->where.names = ARENA_ARRAY(t->arena, Name, w->n + 1);
  if (w->n) memcpy(out->where.names, w->names, (size_t)w->n * sizeof(Name));
  if (m->place->is_region) return true;
  out->over = TAPE_FACETS;
  out->power--;
  return true;
}

static bool same_where(const Where *a, const Where *b) {
  if (a->n != b->n || a->all != b->all || a->others != b->others || a->interface[0] != b->interface[0] || a->interface[1] != b->interface[1]) return false;
  for (int i = 0; i < a->n; i++)
    if (a->names[i] != b->names[i]) return false;
  return true;
}

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static Expr *add_reduce(Eval *ev, TapeReduce r, Unit unit) {
  Trace *t = ev->trace;
  for (int i = 0; i < t->nreduces; i++) {
    const TapeReduce *old = &t->reduces[i];
    if (old->kind == r.kind && old->integrand == r.integrand && old->over == r.over && old->each_time == r.each_time && same_where(&old->where, &r.where) && same_number(old->at, r.at) &&
        same_number(old->from, r.from) && same_number(old->until, r.until) && old->degree == r.degree)
      return old->leaf;
  }
  static const char *const words[] = {"integral", "max", "min"};
  Buf name = {0};
  buf_printf(&name, "#%s%d", words[r.kind], t->nreduces);
  r.leaf = expr_param(ev->host->pool, intern_text(ev->host->names, buf_str(&name)), SHAPE_SCALAR, unit, true);
  buf_free(&name);
  t->reduces = realloc(t->reduces, (size_t)(t->nreduces + 1) * sizeof *t->reduces);
  t->reduces[t->nreduces++] = r;
  return r.leaf;
}

static Unit measure_power(Eval *ev, int length, int time) {
  Unit a, b;
  unit_pow(host_length_unit(ev->host), length, &a);
  unit_pow(host_time_unit(ev->host), time, &b);
  return unit_mul(a, b);
}

/* One number of a scalar, specialised expression. */
static Expr *reduced(Eval *ev, Reduction kind, Expr *e, const Site *site, const TraceMeasure *m) {
  Trace *t = ev->trace;
  bool varies = trace_varies(t, e), everywhere = trace_has_fields(t, e) || m->place;
  if (!everywhere && !varies && kind != REDUCE_INTEGRAL) return e;          /* a number already */
  if (!everywhere && varies && kind != REDUCE_INTEGRAL) everywhere = false;
  TapeReduce r = {.kind = kind, .integrand = e, .over = site->over, .where = site->where, .at = m->at, .from = m->from, .until = m->until, .degree = m->degree, .span = m->span};
  bool one_time = !isnan(m->at);
  if (one_time) r.from = r.until = NAN;
  if (varies && !everywhere && (kind != REDUCE_INTEGRAL || !m->place)) r.over = TAPE_TIME;
  r.each_time = t->each_time && varies && !one_time && r.over != TAPE_TIME;
  bool over_time = varies && !one_time && !r.each_time;
  Unit unit = e->unit.any ? UNIT_NONE : e->unit;
  if (kind == REDUCE_INTEGRAL) unit = unit_mul(unit, measure_power(ev, r.over == TAPE_TIME ? 0 : site->power, over_time ? 1 : 0));
  return add_reduce(ev, r, unit);
}

static Expr *specialised(Eval *ev, Value *v, Span span) {
  Expr *e = eval_to_expr(ev, v, span, NULL), *s = e ? expr_specialise(ev->host->pool, e, ev->trace->m->dim) : NULL;
  if (e && !s) diag_report(&ev->host->diags, E0301, span, "in %d dimensions: %s", ev->trace->m->dim, expr_error(ev->host->pool).text);
  return s;
}

static double window_length(const MapValue *map, const TraceMeasure *m) {
  const Grid *grid = map->spec.grid;
  if (!grid) return 1;         /* while checking */
  return (isnan(m->until) ? grid->t[grid->nt - 1] : m->until) - (isnan(m->from) ? grid->t[0] : m->from);
}

Value *trace_integral(Eval *ev, Value *v, const TraceMeasure *m, bool mean) {
  Trace *t = ev->trace;
  ExprPool *pool = ev->host->pool;
  Site site;
  Expr *e = specialised(ev, v, m->span);
  if (!e || !site_of(ev, m, &site)) return value_poison();
  int size = shape_size(e->shape, t->m->dim);
  Value *items[81];
  for (int i = 0; i < size && i < 81; i++) {
    int at[3] = {i, 0, 0};
    if (e->shape.rank == 2) at[0] = i / e->shape.extent[1], at[1] = i % e->shape.extent[1];
    Expr *part = e->shape.rank ? expr_component(pool, e, at, e->shape.rank) : e;
    Expr *total = reduced(ev, REDUCE_INTEGRAL, part, &site, m);
    if (mean) {
      Expr *size_of = reduced(ev, REDUCE_INTEGRAL, expr_const(pool, 1, UNIT_NONE), &site, m);
      bool over_time = trace_varies(t, part) && isnan(m->at) && !t->each_time;
      if (over_time) size_of = expr_binary(pool, EXPR_MUL, size_of, expr_const(pool, window_length(t->m, m), host_time_unit(ev->host)));
      total = expr_binary(pool, EXPR_DIV, total, size_of);
    }
    items[i] = trace_value(t, total);
  }
  if (size == 1) return items[0];
  Value *tuple = value_items(VALUE_TUPLE, items, size);
  for (int i = 0; i < size; i++) value_release(items[i]);
  return tuple;
}

static Expr *square_of(ExprPool *pool, Expr *e) { return e->shape.rank ? expr_binary(pool, EXPR_INNER, e, e) : expr_binary(pool, EXPR_MUL, e, e); }

static Expr *magnitude(ExprPool *pool, Expr *e) { return expr_unary(pool, EXPR_ABS, e); }

static Expr *norm_square(Eval *ev, Expr *e, const char *kind, const Site *site, const TraceMeasure *m) {
  ExprPool *pool = ev->host->pool;
  Expr *g = strcmp(kind, "L2") ? expr_unary(pool, EXPR_GRAD, e) : NULL, *sum = NULL;
  if (strcmp(kind, "L2") && !g) {
    diag_report(&ev->host->diags, E0301, m->span, "%s needs a gradient: %s", kind, expr_error(pool).text);
    return NULL;
  }
  if (strcmp(kind, "H1semi")) sum = reduced(ev, REDUCE_INTEGRAL, square_of(pool, e), site, m);
  if (!g) return sum;
  Expr *slope = reduced(ev, REDUCE_INTEGRAL, square_of(pool, g), site, m);
  Expr *both = sum ? expr_binary(pool, EXPR_ADD, sum, slope) : slope;
  if (!both) diag_suggest(diag_report(&ev->host->diags, E0302, m->span, "H1 adds a value and a gradient, whose units differ in this program"), "use L2 or H1semi");
  return both;
}

/* The norm of several outputs: the root of the sum of squares of each over its scale. */
static Value *norm_of_record(Eval *ev, Value *v, const char *kind, const TraceMeasure *m) {
  ExprPool *pool = ev->host->pool;
  Expr *sum = NULL;
  for (int i = 0; i < v->nfields; i++) {
    int output = map_output(ev->trace->m, v->fields[i].name);
    Value *norm = trace_norm(ev, v->fields[i].value, kind, m), *scale = is_poison(norm) || output < 0 ? value_poison() : map_scale(ev, ev->trace->map, output, NULL, m);
    Expr *s = is_poison(scale) ? NULL : eval_to_expr(ev, scale, m->span, NULL);
    Expr *part = s ? expr_binary(pool, EXPR_DIV, norm->expr, s) : NULL;
    value_release(norm);
    value_release(scale);
    if (!part) return value_poison();
    Expr *square = expr_binary(pool, EXPR_MUL, part, part);
    sum = sum ? expr_binary(pool, EXPR_ADD, sum, square) : square;
  }
  return trace_value(ev->trace, expr_unary(pool, EXPR_SQRT, sum));
}

Value *trace_norm(Eval *ev, Value *v, const char *kind, const TraceMeasure *m) {
  if (v->kind == VALUE_RECORD) return norm_of_record(ev, v, kind, m);
  ExprPool *pool = ev->host->pool;
  Site site;
  Expr *e = specialised(ev, v, m->span);
  if (!e || !site_of(ev, m, &site)) return value_poison();
  if (!strcmp(kind, "Linf")) return trace_value(ev->trace, reduced(ev, REDUCE_MAX, magnitude(pool, e), &site, m));
  bool number = !trace_has_fields(ev->trace, e) && !trace_varies(ev->trace, e) && !m->place;
  Expr *square = number ? square_of(pool, e) : norm_square(ev, e, kind, &site, m);       /* of numbers: their length */
  return square ? trace_value(ev->trace, expr_unary(pool, EXPR_SQRT, square)) : value_poison();
}

Value *trace_extremum(Eval *ev, Value *v, const TraceMeasure *m, bool max) {
  Site site;
  if (v->kind == VALUE_LIST || v->kind == VALUE_TUPLE) {
    Expr *best = NULL;
    for (int i = 0; i < v->n; i++) {
      Expr *e = eval_to_expr(ev, v->items[i], m->span, NULL);
      best = e && best ? expr_binary(ev->host->pool, max ? EXPR_MAX : EXPR_MIN, best, e) : e;
      if (!best) return value_poison();
    }
    return best ? trace_value(ev->trace, best) : value_poison();
  }
  Expr *e = v->kind == VALUE_RECORD ? NULL : specialised(ev, v, m->span);
  if (e && e->shape.rank == 0 && site_of(ev, m, &site)) return trace_value(ev->trace, reduced(ev, max ? REDUCE_MAX : REDUCE_MIN, e, &site, m));
  if (v->kind == VALUE_RECORD || (e && e->shape.rank))
    diag_suggest(diag_report(&ev->host->diags, E0301, m->span, "%s wants a scalar field", max ? "max" : "min"), "take a component, or the magnitude: %s(abs(m(z)))", max ? "max" : "min");
  return value_poison();
}

/* history(norm(m(z))): the number as a function of time, for max, min and integral. */
Value *trace_history(Eval *ev, const Ast *expression) {
  bool outer = ev->trace->each_time;
  ev->trace->each_time = true;
  Value *v = eval_expr(ev, expression);
  ev->trace->each_time = outer;
  return v;
}

Value *trace_largest_rise(Eval *ev, Value *history, Span span) {
  Trace *t = ev->trace;
  ExprPool *pool = ev->host->pool;
  if (history->kind != VALUE_FIELD || history->expr->shape.rank || trace_has_fields(t, history->expr)) {
    diag_suggest(diag_report(&ev->host->diags, E0505, span, "largest_rise wants a function of time; this is %s %s", value_article(history), value_kind_name(history)), "write largest_rise(history(integral(...)))");
    return value_poison();
  }
  const Grid *grid = t->m->spec.grid;
  Unit unit = history->expr->unit;
  Expr *rise = expr_const(pool, 0, unit);
  for (int i = 1; grid && i < grid->nt; i++) {
    Value *before = trace_at(ev, history, grid->t[i - 1], span), *after = trace_at(ev, history, grid->t[i], span);
    rise = expr_binary(pool, EXPR_MAX, rise, expr_binary(pool, EXPR_SUB, after->expr, before->expr));
    value_release(before);
    value_release(after);
  }
  return trace_value(t, rise);
}
