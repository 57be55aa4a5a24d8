/* model NAME(inputs) for MAP { u.x = ..; u.y = .. }, or { process: ".." }, { library: ".." }, { file: ".." } */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_foreign.h"
#include "trace.h"

void model_value_free(ModelValue *m) {
  if (m->predictor) m->predictor->ops->free(m->predictor);
  model_foreign_free(m->foreign);
  value_release(m->map);
  value_release(m->of);
  free(m->frame);
  free(m->outputs);
  free(m->leaves);
  program_release(m->program);
  free(m);
}

/* --- formulas --- */

/* Components of the outputs, row-major, as far as they are given. */
typedef struct Formula { Expr *whole, *part[9]; Span span; } Formula;

static int component_of(const MapOutput *out, Name member, int dim) {
  int index = 0, n = 0;
  for (const char *c = member; *c; c++, n++) {
    if (*c < 'x' || *c - 'x' >= dim || n == 2) return -1;
    index = index * dim + (*c - 'x');
  }
  return n == out->shape.rank ? index : -1;
}

static Expr *fitting(Eval *ev, const MapValue *map, const MapOutput *out, Value *v, Shape shape, Span span, const char *what) {
  Expr *e = eval_to_expr(ev, v, span, NULL), *s = e ? expr_specialise(ev->host->pool, e, map->dim) : NULL;
  if (e && !s) diag_report(&ev->host->diags, E0301, span, "in %d dimensions: %s", map->dim, expr_error(ev->host->pool).text);
  if (!s) return NULL;
  Buf have = {0}, want = {0};
  bool zero = expr_is_zero(s), fits = zero || shape_fits(s->shape, shape), unit = zero || unit_fits(s->unit, out->unit);
  if (!fits) {
    shape_print(&have, s->shape);
    shape_print(&want, shape);
    diag_report(&ev->host->diags, E0301, span, "%s `%s` is a %s; this is a %s", what, out->name, buf_str(&want), buf_str(&have));
  } else if (!unit) {
    unit_print(&have, s->unit);
    unit_print(&want, out->unit);
    diag_report(&ev->host->diags, E0302, span, "%s `%s` carries %s; this carries %s", what, out->name, unit_is_none(out->unit) ? "no unit" : buf_str(&want), unit_is_none(s->unit) ? "no unit" : buf_str(&have));
  }
  buf_free(&have);
  buf_free(&want);
  if (!fits || !unit) return NULL;
  return zero ? expr_zero(ev->host->pool, shape) : s;
}

/* u = .., u.x = ..: an output or a component of it. */
static bool formula_output(Eval *ev, const MapValue *map, const Ast *s, int o, Name member, Formula *f) {
  const MapOutput *out = &map->spec.outputs[o];
  int k = member ? component_of(out, member, map->dim) : -1;
  if (member && k < 0) {
    Buf shape = {0};
    shape_print(&shape, out->shape);
    diag_report(&ev->host->diags, E0111, s->kid[0]->span, "the output `%s` is a %s; it has no `%s`", out->name, buf_str(&shape), member);
    buf_free(&shape);
    return false;
  }
  if (f->whole || (k >= 0 && f->part[k])) {
    diag_note(diag_report(&ev->host->diags, E0106, s->kid[0]->span, "`%s%s%s` is given twice", out->name, member ? "." : "", member ? member : ""), f->span, "here already");
    return false;
  }
  Value *v = eval_expr(ev, s->kid[1]);
  Expr *e = is_poison(v) ? NULL : fitting(ev, map, out, v, member ? SHAPE_SCALAR : out->shape, s->kid[1]->span, member ? "a component of" : "the output");
  value_release(v);
  f->span = s->span;
  if (member) f->part[k] = e;
  else f->whole = e;
  return e != NULL;
}

static Expr *assembled(ExprPool *pool, const MapOutput *out, const Formula *f) {
  int rows = out->shape.extent[0], columns = out->shape.rank == 2 ? out->shape.extent[1] : 1;
  Expr *row[9];
  if (f->whole) return f->whole;
  if (out->shape.rank == 1) return expr_make(pool, EXPR_VECTOR, (Expr *const *)f->part, rows);
  for (int i = 0; i < rows; i++) row[i] = expr_make(pool, EXPR_VECTOR, (Expr *const *)&f->part[i * columns], columns);
  return expr_make(pool, EXPR_TENSOR, row, rows);
}

static bool complete(Eval *ev, const MapValue *map, const Formula *f, int o, const Ast *decl) {
  const MapOutput *out = &map->spec.outputs[o];
  if (f->whole) return true;
  for (int k = 0; k < out->ncomp; k++) {
    if (out->shape.rank && f->part[k]) continue;
    bool begun = false;
    for (int i = 0; i < out->ncomp && out->shape.rank; i++) begun |= f->part[i] != NULL;
    char member[3] = {0};
    if (out->shape.rank == 1) member[0] = (char)('x' + k);
    else if (out->shape.rank == 2) member[0] = (char)('x' + k / out->shape.extent[1]), member[1] = (char)('x' + k % out->shape.extent[1]);
    Diag *d = diag_report(&ev->host->diags, E3015, decl->kid[0]->span, begun ? "the model gives `%s` without `%s.%s`" : "the model does not give the output `%s` of `%s`", out->name, begun ? out->name : map->spec.name, member);
    diag_suggest(d, begun ? "write `%s.%s = ...`" : "write `%s = ...`", out->name, member);
    return false;
  }
  return true;
}

/* Inputs are names of the formula: a number, or the value of a history at the time t. */
static Scope *formula_scope(Eval *ev, const MapValue *map, Span span) {
  Scope *scope = scope_new(SCOPE_DECL, ev->scope);
  scope->subject = value_retain(map->subject);
  for (int i = 0; i < map->spec.ninputs; i++) {
    Value *v = trace_value(ev->trace, trace_leaf(ev->trace, 0, i, 0));
    scope_set(scope, map->spec.inputs[i].name, v, span)->is_own = true;
    value_release(v);
  }
  return scope;
}

static bool read_formula(Eval *ev, ModelValue *m, const Ast *decl) {
  const MapValue *map = m->map->map;
  const Ast *block = decl->kid[2];
  Formula *given = calloc((size_t)map->spec.noutputs, sizeof *given);
  Trace *trace = trace_new(ev, m->map);
  trace->formula = true;
  Eval inner = *ev;
  inner.trace = trace;
  inner.symbolic = true;
  inner.scope = formula_scope(&inner, map, decl->kid[0]->span);
  bool fine = true;
  for (int i = 0; i < block->n; i++) {
    const Ast *s = block->kid[i], *target = s && s->kind == AST_ASSIGN ? s->kid[0] : NULL;
    if (!s) continue;
    Name member = target && target->kind == AST_MEMBER && target->kid[0]->kind == AST_NAME ? target->name : NULL, name = member ? target->kid[0]->name : target ? target->name : NULL;
    int o = name ? map_output(map, name) : -1;
    if (o >= 0) fine &= formula_output(&inner, map, s, o, member, &given[o]);
    else if (member) report_no_output(ev, map, name, target->span), fine = false;
    else if (s->kind == AST_ASSIGN || s->kind == AST_FOR || s->kind == AST_IF) fine &= eval_statement(&inner, s, NULL) == FLOW_NEXT;
    else {
      diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "this is no clause of a model"), "it has outputs as formulas, `u = ...`, or process:, library:, file:");
      fine = false;
    }
  }
  for (int o = 0; o < map->spec.noutputs && fine; o++) fine = complete(ev, map, &given[o], o, decl);
  if (fine) {
    m->outputs = calloc((size_t)map->spec.noutputs, sizeof *m->outputs);
    for (int o = 0; o < map->spec.noutputs; o++) m->outputs[o] = assembled(ev->host->pool, &map->spec.outputs[o], &given[o]);
    m->kind = "formula";
    m->leaves = calloc((size_t)trace->ninputs + 1, sizeof *m->leaves);
    memcpy(m->leaves, trace->inputs, (size_t)trace->ninputs * sizeof *m->leaves);
    m->nleaves = trace->ninputs;
    eval_unused(&inner, inner.scope);
  }
  scope_release(inner.scope);
  trace_free(trace);
  free(given);
  return fine;
}

/* --- the declaration --- */

/* The names in parentheses, if there are any, are the inputs of the map in their order. */
static bool inputs_agree(Eval *ev, const MapValue *map, const Ast *head) {
  if (head->kind != AST_CALL) return true;
  for (int i = 1; i < head->n; i++) {
    bool fits = i <= map->spec.ninputs && head->kid[i]->kind == AST_NAME && head->kid[i]->name == map->spec.inputs[i - 1].name;
    if (fits) continue;
    if (head->kid[i]->kind == AST_NAME && map_input(map, head->kid[i]->name) < 0) report_no_input(ev, map, head->kid[i]->name, head->kid[i]->span);
    else diag_suggest(diag_report(&ev->host->diags, E3016, head->kid[i]->span, "a model names the inputs of its map in their order"), "the first is `%s`", map->spec.inputs[0].name);
    return false;
  }
  if (head->n - 1 == map->spec.ninputs) return true;
  diag_suggest(diag_report(&ev->host->diags, E3016, head->span, "`%s` has %d inputs; the model names %d", map->spec.name, map->spec.ninputs, head->n - 1), "the next is `%s`", map->spec.inputs[head->n - 1].name);
  return false;
}

static Value *map_of(Eval *ev, const Ast *item) {
  Value *v = eval_expr(ev, item);
  if (v->kind == VALUE_MAP || v->kind == VALUE_UNKNOWN || is_poison(v)) return v;
  diag_suggest(diag_report(&ev->host->diags, E0505, item->span, "a model is for a map; this is %s %s", value_article(v), value_kind_name(v)), "declare it: map NAME { input ..; output .. from solve(..) }");
  value_release(v);
  return value_poison();
}

static bool read_model(Eval *ev, ModelValue *m, const Ast *decl, const Ast *head) {
  if (!inputs_agree(ev, m->map->map, head)) return false;
  return model_foreign_kind(decl->kid[2]) ? model_foreign_read(ev, m, decl->kid[2]) : read_formula(ev, m, decl);
}

Flow decl_model(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  const Ast *head = phrase && phrase->n == 2 ? phrase->kid[0] : NULL, *name = head && head->kind == AST_CALL ? head->kid[0] : head;
  if (!name || name->kind != AST_NAME || !(phrase->kid[1]->flags & AST_WITH_FOR) || !block) {
    diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "`model` is written otherwise"), "as in `model guess(q) for slab { T = q*x*(1 - x)/2 }`");
    return FLOW_STOP;
  }
  Value *map = map_of(ev, phrase->kid[1]), *v = NULL;
  bool fine = map->kind == VALUE_MAP;
  if (fine) {
    v = value_new(VALUE_MODEL);
    ModelValue *m = v->model = calloc(1, sizeof *m);
    m->name = name->name;
    m->map = value_retain(map);
    m->decl = decl;
    m->program = program_retain(ev->module->program);
    fine = read_model(ev, m, decl, head);
    if (!fine) value_release(v);
  }
  if (!fine) v = map->kind == VALUE_UNKNOWN ? value_unknown() : value_poison();
  value_release(map);
  scope_set(ev->scope, name->name, v, name->span)->decl = decl;
  fine |= v->kind == VALUE_UNKNOWN;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- predictors --- */

Predictor *model_predictor(Eval *ev, ModelValue *m, const MapSpec *spec, Span span) {
  Predictor *p = NULL;
  if (m->foreign) return model_foreign_open(ev, m, spec);
  if (!m->outputs) return NULL;
  WorldBuffers w;
  world_open(ev, NULL, NAN, &w);
  Status status = ev->host->api->tape->formula(ev->host->engine, spec, m->outputs, m->leaves, m->nleaves, &w.world, &ev->host->diags, span, &p);
  world_close(&w);
  return status ? NULL : p;
}

Predictor *value_predictor(Eval *ev, Value *subject, Span span) {
  Value *map = value_map(subject);
  if (!map_open(ev, map, span)) return NULL;
  if (subject->kind == VALUE_MAP) return map->map->solver;
  ModelValue *m = subject->model;
  if (!m->predictor) m->predictor = m->of ? framed_predictor(ev, m, span) : model_predictor(ev, m, &map->map->spec, span);
  if (m->predictor) m->predictor->name = m->name;
  return m->predictor;
}

/* --- m(q: 2) by hand: the formula with values put in --- */

typedef struct Given { const ModelValue *m; Expr **value; Host *host; } Given;

static Expr *move_time(ExprPool *pool, Expr *leaf, void *user) {
  const double *dt = user;
  return leaf->op == EXPR_TIME ? expr_binary(pool, EXPR_ADD, leaf, expr_const(pool, *dt, leaf->unit)) : leaf;
}

static Expr *put_in(ExprPool *pool, Expr *leaf, void *user) {
  Given *g = user;
  for (int i = 0; i < g->m->nleaves; i++) {
    if (g->m->leaves[i].leaf != leaf) continue;
    double dt = g->m->leaves[i].shift;
    Expr *value = g->value[g->m->leaves[i].input];
    return dt == 0 ? value : expr_substitute(pool, value, move_time, &dt);
  }
  return leaf;
}

Value *model_call(Eval *ev, Value *v, Argument *args, int n, Span span) {
  const ModelValue *m = v->model;
  const MapSpec *spec = &m->map->map->spec;
  if (!m->outputs && !ev->dry) {
    diag_suggest(diag_report(&ev->host->diags, E3017, span, "the fields of this model are known on a grid alone"), "audit it, or sample its map");
    return value_poison();
  }
  if (!ev->dry && !map_open(ev, m->map, span)) return value_poison();
  Value **inputs = map_take_inputs(ev, m->map->map, args, n, span);
  if (!inputs) return value_poison();
  Expr **values = calloc((size_t)spec->ninputs, sizeof *values);
  for (int i = 0; i < spec->ninputs; i++) values[i] = eval_to_expr(ev, inputs[i], span, NULL);
  Given given = {m, values, ev->host};
  Value *result = spec->noutputs > 1 ? value_new(VALUE_RECORD) : NULL;
  if (result) result->fields = calloc((size_t)spec->noutputs, sizeof *result->fields);
  for (int o = 0; o < spec->noutputs; o++) {
    Expr *e = m->outputs ? expr_substitute(ev->host->pool, m->outputs[o], put_in, &given) : NULL;
    Value *field = e ? value_field(e, NULL) : value_unknown();
    if (e) field->mesh_hint = value_retain(m->map->map->mesh);
    if (result) result->fields[result->nfields++] = (Argument){spec->outputs[o].name, field, span};
    else result = field;
  }
  for (int i = 0; i < spec->ninputs; i++) value_release(inputs[i]);
  free(inputs);
  free(values);
  return result;
}
