#include "map_bank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

void bank_close(Bank *bank) {
  free(bank->item);
  *bank = (Bank){0};
}

Expr *bank_function(Host *host, int n, const double *t, const double *values, Unit unit) {
  ExprTable table = {.name = intern_text(host->names, "history"), .n = {n, 1, 1}, .dim = 1, .knot = {t}, .value = values, .hold = true, .in = {host_time_unit(host)}, .out = unit};
  Expr *time = expr_time(host->pool, host_time_unit(host));
  if (n == 1) return expr_const(host->pool, values[0], unit);
  const ExprTable *kept = expr_table_new(host->pool, &table, false);
  return kept ? expr_table(host->pool, kept, &time, 1) : NULL;
}

/* One history: a number, a function of time, or measured values over time. */
static Expr *history_of(Eval *ev, const MapInput *input, Value *v, Span span) {
  Expr *e = NULL;
  if (v->kind == VALUE_HISTORY && !v->curve_in_space && v->ncurve) e = bank_function(ev->host, v->ncurve, v->curve_x, v->curve_y, v->curve_yunit);
  else e = eval_to_expr(ev, v, span, NULL);
  if (!e) return NULL;
  if (e->shape.rank || e->flags & (HAS_COORD | HAS_FIELD | HAS_UNKNOWN | HAS_NORMAL | HAS_SIZE | HAS_REGIONS)) {
    diag_suggest(diag_report(&ev->host->diags, E3013, span, "a history of `%s` is a function of time alone", input->name), "as in [sin(2*t), t*(1 - t)]");
    return NULL;
  }
  if (unit_fits(e->unit, input->unit)) return e;
  Buf have = {0}, want = {0};
  unit_print(&have, e->unit);
  unit_print(&want, input->unit);
  diag_report(&ev->host->diags, E0302, span, "the histories of `%s` carry %s; this one carries %s", input->name, unit_is_none(input->unit) ? "no unit" : buf_str(&want), unit_is_none(e->unit) ? "no unit" : buf_str(&have));
  buf_free(&have);
  buf_free(&want);
  return NULL;
}

static const Value *column_of(Eval *ev, const MapValue *map, const MapInput *input, int nhistories) {
  const Value *bank = map->bank;
  if (bank->kind == VALUE_LIST && nhistories == 1) return bank;
  for (int i = 0; bank->kind == VALUE_RECORD && i < bank->nfields; i++)
    if (bank->fields[i].name == input->name) return bank->fields[i].value;
  Diag *d = diag_report(&ev->host->diags, E3013, map->bank_span, "the bank of `%s` has no histories of `%s`", map->spec.name, input->name);
  diag_suggest(d, nhistories == 1 ? "a bank is a list of functions of time: [sin(2*t), t^2]" : "a bank of several inputs is a record of lists: (ux: [..], uy: [..])");
  return NULL;
}

bool bank_open(Eval *ev, const MapValue *map, Bank *out) {
  int n = -1;
  *out = (Bank){0};
  for (int i = 0; i < map->spec.ninputs; i++) out->nhistories += map->spec.inputs[i].history;
  if (is_unknown(map->bank)) return true;
  for (int i = 0, h = 0; i < map->spec.ninputs; i++) {
    const MapInput *input = &map->spec.inputs[i];
    if (!input->history) continue;
    const Value *column = column_of(ev, map, input, out->nhistories);
    if (!column) return bank_close(out), false;
    if (is_unknown(column)) return bank_close(out), true;
    if (column->kind != VALUE_LIST || !column->n || (n >= 0 && column->n != n)) {
      diag_report(&ev->host->diags, E3013, map->bank_span, n < 0 ? "the histories of `%s` are a list that is not empty" : "every input has as many histories as the others; `%s` has not", input->name);
      return bank_close(out), false;
    }
    if (n < 0) out->item = calloc((size_t)(n = out->n = column->n) * (size_t)out->nhistories, sizeof *out->item);
    for (int k = 0; k < n; k++)
      if (!(out->item[k * out->nhistories + h] = history_of(ev, input, column->items[k], map->bank_span))) return bank_close(out), false;
    h++;
  }
  return true;
}

/* --- values --- */

typedef struct Moment { const World *world; double time; } Moment;

static double moment_leaf(Expr *leaf, void *user) {
  const Moment *m = user;
  double x;
  if (leaf->op == EXPR_TIME) return m->time;
  for (int i = 0; leaf->op == EXPR_PARAM && i < m->world->nparams; i++)
    if (m->world->params[i].name == leaf->name && expr_is_const(m->world->params[i].value, &x)) return x;
  return NAN;
}

bool bank_values(Eval *ev, const MapValue *map, const Bank *bank, int n, const double *t, double *out) {
  WorldBuffers w;
  world_open(ev, NULL, NAN, &w);
  bool fine = true;
  for (int k = 0; fine && k < bank->n * bank->nhistories; k++)
    for (int i = 0; fine && i < n; i++) {
      Moment m = {&w.world, t[i]};
      double x = out[(size_t)k * (size_t)n + (size_t)i] = expr_value(bank->item[k], moment_leaf, &m);
      if (isfinite(x)) continue;
      diag_report(&ev->host->diags, E3013, map->bank_span, "history %d of the bank of `%s` is not finite at t = %g", k / bank->nhistories + 1, map->spec.name, t[i]);
      fine = false;
    }
  world_close(&w);
  return fine;
}
