/* Calls: of functions of the script, of builtins, of fields at points, of pdes with other parameters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "choice.h"
#include "lookup.h"
#include "contract.h"
#include "eval.h"
#include "measure.h"
#include "pde_value.h"
#include "trace.h"

enum { CALL_DEPTH_MAX = 400, DRY_CALLS_MAX = 5000 };

/* --- functions of the script --- */

static int param_index(const Function *f, Name name) {
  for (int i = 0; i < f->nparams; i++)
    if (f->params[i].name == name) return i;
  return -1;
}

void report_call_labels(Eval *ev, const char *what, const char *signature, Name label, Span span, const Name *known, int n) {
  Diag *d = diag_report(&ev->host->diags, E0503, span, "`%s` has no argument `%s`", what, label);
  Name near = nearest_name(label, known, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else if (signature) diag_suggest(d, "it is called as %s%s", what, signature);
}

static bool bind_arguments(Eval *ev, Function *f, Argument *args, int n, Value **bound, Span span) {
  int position = 0;
  bool fine = true;
  for (int i = 0; i < n; i++) {
    int k = args[i].name ? param_index(f, args[i].name) : position++;
    if (args[i].name && k < 0) {
      Name names[32];
      int m = 0;
      for (int j = 0; j < f->nparams && m < 32; j++) names[m++] = f->params[j].name;
      report_call_labels(ev, f->name, NULL, args[i].name, args[i].span, names, m);
      fine = false;
    } else if (k >= f->nparams) {
      diag_report(&ev->host->diags, E0504, args[i].span, "`%s` takes %d argument%s", f->name, f->nparams, f->nparams == 1 ? "" : "s");
      return false;
    } else if (bound[k]) {
      diag_report(&ev->host->diags, E0504, args[i].span, "`%s` is given twice", f->params[k].name);
      fine = false;
    } else bound[k] = value_retain(args[i].value);
  }
  for (int k = 0; fine && k < f->nparams; k++) {
    if (bound[k]) continue;
    if (!f->params[k].fallback) {
      Diag *d = diag_report(&ev->host->diags, E0502, span, "`%s` needs an argument `%s`", f->name, f->params[k].name);
      diag_note(d, f->params[k].span, "declared here");
      Buf form = {0};
      for (int j = 0; j < f->nparams; j++) buf_printf(&form, "%s%s", j ? ", " : "", f->params[j].name);
      diag_suggest(d, "it is called as %s(%s)", f->name, buf_str(&form));
      buf_free(&form);
      fine = false;
      break;
    }
    Eval inner = *ev;
    inner.scope = f->scope;
    bound[k] = eval_expr(&inner, f->params[k].fallback);
    fine = !is_poison(bound[k]);
  }
  return fine;
}

static Value *run_body(Eval *ev, Function *f, Scope *scope) {
  Eval inner = *ev;
  inner.scope = scope;
  inner.returned = NULL;
  inner.depth = ev->depth + 1;
  if (f->body->kind != AST_BLOCK) return eval_expr(&inner, f->body);
  Flow flow = eval_block(&inner, f->body);
  eval_unused(&inner, scope);
  if (flow == FLOW_STOP) {
    value_release(inner.returned);
    return value_poison();
  }
  return inner.returned ? inner.returned : value_none();
}

static bool all_known(Value **values, int n) {
  for (int i = 0; i < n; i++)
    if (is_unknown(values[i])) return false;
  return true;
}

Value *eval_call_function(Eval *ev, Value *callee, Argument *args, int n, Span span) {
  Function *f = callee->function;
  Value **bound = calloc((size_t)(f->nparams ? f->nparams : 1), sizeof *bound);
  Value *result = NULL;
  if (ev->depth > CALL_DEPTH_MAX * 4) {
    diag_suggest(diag_report(&ev->host->diags, E0511, span, "calls of `%s` nest too deeply", f->name), "a recursion needs an end: if ... { return ... } before it calls itself");
    result = value_poison();
  } else if (!bind_arguments(ev, f, args, n, bound, span)) result = value_poison();
  for (int i = 0; !result && i < f->nparams; i++)
    if (is_poison(bound[i])) result = value_poison();
  /* while checking, a function that is already open on unknown arguments says nothing new */
  if (!result && ev->dry && f->checked && !all_known(bound, f->nparams) && ev->depth > CALL_DEPTH_MAX) result = value_unknown();
  if (!result && ev->dry && ++f->dry_calls > DRY_CALLS_MAX) result = value_unknown();
  if (!result) {
    Scope *scope = scope_new(SCOPE_FUNCTION, f->scope);
    for (int i = 0; i < f->nparams; i++) {
      Slot *slot = scope_set(scope, f->params[i].name, bound[i], f->params[i].span);
      slot->is_own = true;
    }
    f->checked = true;
    Eval inner = *ev;
    if (inner.depth < CALL_DEPTH_MAX && ev->dry && !all_known(bound, f->nparams)) inner.depth += 40;   /* bounds recursion on unknowns */
    result = run_body(&inner, f, scope);
    scope_release(scope);
  }
  for (int i = 0; i < f->nparams; i++) value_release(bound[i]);
  free(bound);
  return result;
}

/* --- evaluation of arguments --- */

/* subject: of a field, whose regions `from:` may name. */
static bool eval_arguments(Eval *ev, const Ast *node, Value *subject, Argument *args) {
  bool fine = true;
  for (int i = 1; i < node->n; i++) {
    const Ast *arg = node->kid[i];
    Argument *a = &args[i - 1];
    a->span = arg->span;
    if (arg->kind == AST_ARG && (!arg->n || !arg->kid[0])) {
      Diag *d = diag_report(&ev->host->diags, E0503, arg->span, "an argument is labelled with a colon");
      diag_suggest(d, "write `%s: ...` for `%s = ...`", arg->name, arg->name);
      a->value = value_poison();
      fine = false;
      continue;
    }
    a->name = arg->kind == AST_ARG ? arg->name : NULL;
    if (a->name && !strcmp(a->name, "unit")) {      /* unit: [mm] of functions that come with later builds */
      a->value = value_unknown();
      continue;
    }
    if (a->name && subject && !strcmp(a->name, "from")) a->value = eval_place(ev, arg->kid[0], subject);
    else a->value = eval_expr(ev, arg->kind == AST_ARG ? arg->kid[0] : arg);
    fine &= !is_poison(a->value);
  }
  return fine;
}

/* A field called with numbers is its value at that point; a point may be one tuple, and from: the region on whose side it is taken. */
static Value *call_field(Eval *ev, Value *field, Argument *args, int n, Span span) {
  Name side = NULL;
  for (int i = 0; i < n; i++) {
    if (!args[i].name || strcmp(args[i].name, "from")) continue;
    if (!place_region(ev, args[i].value, args[i].span, &side)) return value_poison();
    Argument last = args[n - 1];      /* the caller frees them all */
    args[n - 1] = args[i];
    args[i] = last;
    n--;
  }
  Argument point[3];
  Value *tuple = n == 1 && (args[0].value->kind == VALUE_TUPLE || args[0].value->kind == VALUE_LIST) ? args[0].value : NULL;
  bool of_time = n == 1 && args[0].value->kind == VALUE_FIELD && args[0].value->expr->op == EXPR_TIME;
  if (of_time && !(field->expr->flags & (HAS_COORD | HAS_NORMAL | HAS_SIZE | HAS_FIELD | HAS_UNKNOWN | HAS_REGIONS))) return value_retain(field);      /* ux(t): of time alone */
  for (int i = 0; tuple && i < tuple->n && i < 3; i++) point[i] = (Argument){NULL, tuple->items[i], args[0].span};
  if (tuple) args = point, n = tuple->n < 3 ? tuple->n : 3;
  for (int i = 0; i < n; i++)
    if (args[i].value->kind == VALUE_NUMBER && args[i].value->unit.any == false && !unit_fits(args[i].value->unit, host_length_unit(ev->host))) {
      double unused;
      eval_to_number(ev, args[i].value, args[i].span, "a coordinate", host_length_unit(ev->host), &unused);
      return value_poison();
    }
  return field_at_point(ev, field, args, n, side, span);
}

/* A function of the embedding program: of numbers at once, of fields as part of the expression. */
static Value *call_host(Eval *ev, const HostFunction *f, Argument *args, int n, Span span) {
  Expr *exprs[16];
  double numbers[16], result[3] = {NAN, NAN, NAN};
  bool fields = false;
  Deps deps = {0};
  if (n != f->nargs || n > 16) {
    diag_report(&ev->host->diags, E0502, span, "`%s` takes %d argument%s; %d given", f->name, f->nargs, f->nargs == 1 ? "" : "s", n);
    return value_poison();
  }
  for (int i = 0; i < n; i++) {
    fields |= args[i].value->kind == VALUE_FIELD;
    if (args[i].value->kind == VALUE_UNKNOWN) return value_unknown();
    if (!(exprs[i] = eval_to_expr(ev, args[i].value, args[i].span, &deps))) return value_poison();
  }
  Value *v;
  if (fields) {
    Shape shape = f->ncomponents > 1 ? (Shape){1, {(uint8_t)f->ncomponents, 0, 0}} : SHAPE_SCALAR;
    Expr *e = expr_host_call(ev->host->pool, f->name, exprs, n, shape, UNIT_NONE);
    v = e ? value_field(e, &deps) : value_poison();
  } else if (ev->dry) v = measure_numbers(result, f->ncomponents, UNIT_NONE, false);
  else {
    const double *columns[16];
    double *out[3] = {&result[0], &result[1], &result[2]};
    for (int i = 0; i < n; i++) {
      numbers[i] = args[i].value->number;
      columns[i] = &numbers[i];
    }
    if (f->call(f->user, 1, columns, out)) {
      diag_report(&ev->host->diags, E0518, span, "the host function `%s` failed", f->name);
      v = value_poison();
    } else v = measure_numbers(result, f->ncomponents, UNIT_NONE, true);
  }
  deps_free(&deps);
  return v;
}

static Value *call_value(Eval *ev, Value *callee, Argument *args, int n, const Ast *node) {
  switch (callee->kind) {
    case VALUE_POISON: return value_poison();
    case VALUE_UNKNOWN: return value_unknown();
    case VALUE_FUNCTION: return eval_call_function(ev, callee, args, n, node->span);
    case VALUE_FIELD: return call_field(ev, callee, args, n, node->span);
    case VALUE_TABLE: return lookup_call(ev, callee->lookup, args, n, node->span);
    case VALUE_HOSTCALL: return call_host(ev, callee->host_function, args, n, node->span);
    case VALUE_MAP:
    case VALUE_MODEL:
      if (n && args[0].value->kind == VALUE_UNKNOWN && !args[0].name) return value_unknown();
      if (ev->trace && !ev->trace->formula) return trace_apply(ev, callee, args, n, node->span);
      return callee->kind == VALUE_MAP ? map_call(ev, callee, args, n, node->span) : model_call(ev, callee, args, n, node->span);
    case VALUE_PDE: return pde_with_params(ev, callee, args, n, node->span);
    case VALUE_CONTRACT: {
      Diag *d = diag_report(&ev->host->diags, E0501, node->span, "a contract is not called by itself");
      diag_suggest(d, "use it in `check SUBJECT against %s(...)`, in a pack, or in a test by accept and reject", callee->function->name);
      return value_poison();
    }
    default: break;
  }
  Diag *d = diag_report(&ev->host->diags, E0501, node->kid[0]->span, "%s %s cannot be called", value_article(callee), value_kind_name(callee));
  if (callee->kind == VALUE_NUMBER) diag_suggest(d, "a product needs its sign: 2*(a + b)");
  return value_poison();
}

/* integral(..) inside a weak form or beside unknowns is a term, not a number. */
static bool is_term(Eval *ev, const BuiltinRow *row) {
  return ev->symbolic && (!strcmp(row->name, "integral") || !strcmp(row->name, "mean"));
}

Value *eval_call_node(Eval *ev, const Ast *node) {
  Value *callee = eval_expr(ev, node->kid[0]);
  const BuiltinRow *row = callee->kind == VALUE_BUILTIN ? callee->builtin : NULL;
  /* a contract may share its name with a measure: residual(sol) is checked, residual(law) is computed */
  if (callee->kind == VALUE_CONTRACT && node->kid[0]->kind == AST_NAME) row = builtin_find(ev->host, node->kid[0]->name);
  if (row) {
    value_release(callee);
    if (is_term(ev, row)) return pde_integral_term(ev, node, !strcmp(row->name, "mean"));
    return eval_builtin_call(ev, row, node, NULL);
  }
  if (is_poison(callee)) return callee;
  int n = node->n - 1;
  Argument *args = calloc((size_t)(n ? n : 1), sizeof *args);
  Value *subject = callee->kind == VALUE_FIELD ? value_subject(callee) : NULL;
  Value *v = eval_arguments(ev, node, subject, args) ? call_value(ev, callee, args, n, node) : value_poison();
  for (int i = 0; i < n; i++) value_release(args[i].value);
  free(args);
  value_release(callee);
  return v;
}

/* --- builtins --- */

/* from: is a region, on whose side values are taken; of predictions, which have no sides, a time. */
static bool is_a_time(Eval *ev, const Ast *node, Value *subject) {
  Value *place = node->kind == AST_NAME && subject ? place_by_name(ev, subject, NULL, node->name) : NULL;
  value_release(place);
  return ev->trace && !place;
}

static Value *eval_typed(Eval *ev, const Ast *node, const BuiltinParam *param, Value **args, int nargs) {
  if (!strcmp(param->type, "thunk")) {
    Value *v = value_new(VALUE_THUNK);
    v->thunk = node;
    v->thunk_scope = scope_retain(ev->scope);
    return v;
  }
  if (!strcmp(param->type, "place") || !strcmp(param->type, "side")) {
    Value *subject = NULL;
    for (int i = 0; i < nargs && !subject; i++)
      if (args[i]) subject = value_subject(args[i]);
    if (!subject) subject = ev->place_subject;
    if (!strcmp(param->type, "side") && is_a_time(ev, node, subject)) return eval_expr(ev, node);
    return eval_place(ev, node, subject);
  }
  if (node->kind == AST_NAME && choice_exists(param) && !scope_lookup(ev, node->name)) return value_word(node->name);
  return eval_expr(ev, node);
}

/* Types an argument may have, by the name in the signature. */
static bool type_fits(const char *type, const Value *v) {
  if (v->kind == VALUE_UNKNOWN || !strcmp(type, "any") || !strcmp(type, "thunk")) return true;
  if (!strcmp(type, "number")) return v->kind == VALUE_NUMBER || (v->kind == VALUE_FIELD && v->expr->op == EXPR_CONST);
  if (!strcmp(type, "int")) return v->kind == VALUE_NUMBER && (!v->known || v->number == floor(v->number));
  if (!strcmp(type, "bool")) return v->kind == VALUE_BOOL;
  if (!strcmp(type, "string")) return v->kind == VALUE_STRING;
  if (!strcmp(type, "list")) return v->kind == VALUE_LIST || v->kind == VALUE_TUPLE || v->kind == VALUE_RANGE;
  if (!strcmp(type, "field")) return v->kind == VALUE_FIELD || v->kind == VALUE_SAMPLES || v->kind == VALUE_NUMBER || v->kind == VALUE_TUPLE || v->kind == VALUE_LIST;
  if (!strcmp(type, "side")) return v->kind == VALUE_PLACE || v->kind == VALUE_NUMBER;
  if (!strcmp(type, "place")) return v->kind == VALUE_PLACE;
  if (!strcmp(type, "mesh")) return v->kind == VALUE_MESH;
  if (!strcmp(type, "geometry")) return v->kind == VALUE_GEOMETRY || v->kind == VALUE_MESH;
  if (!strcmp(type, "pde")) return v->kind == VALUE_PDE;
  if (!strcmp(type, "solution")) return v->kind == VALUE_SOLUTION;
  if (!strcmp(type, "study")) return v->kind == VALUE_STUDY;
  if (!strcmp(type, "word")) return v->kind == VALUE_WORD || v->kind == VALUE_STRING;
  if (!strcmp(type, "range")) return v->kind == VALUE_RANGE;
  if (!strcmp(type, "record")) return v->kind == VALUE_RECORD;
  if (!strcmp(type, "function")) return v->kind == VALUE_FUNCTION || v->kind == VALUE_BUILTIN;
  return true;
}

static bool check_type(Eval *ev, const BuiltinRow *row, const BuiltinParam *param, Value *v, Span span) {
  if (is_poison(v)) return false;
  bool outputs = ev->trace && v->kind == VALUE_RECORD && !strcmp(param->type, "field") && value_traced(v);      /* m(z) of several outputs */
  if (outputs || type_fits(param->type, v)) return choice_check(ev, param, v, span);
  Diag *d = diag_report(&ev->host->diags, E0505, span, "`%s` wants %s %s for `%s`; this is %s %s", row->name, !strcmp(param->type, "int") ? "an" : "a", param->type, param->name, value_article(v), value_kind_name(v));
  if (v->kind == VALUE_SOLUTION && !strcmp(param->type, "field")) diag_suggest(d, "name the unknown: a solution's fields are its members, as in sol.u");
  else diag_suggest(d, "it is called as %s%s", row->name, row->signature);
  return false;
}

static const BuiltinParam *find_param(const BuiltinParam *params, int n, Name label, int *at) {
  for (int i = 0; i < n; i++)
    if (params[i].name == label) {
      *at = i;
      return &params[i];
    }
  return NULL;
}

typedef struct Collected {
  Call call;
  Value **owned;
  int nowned;
} Collected;

static void collected_free(Collected *c, int nparams) {
  for (int i = 0; i < nparams; i++) value_release(c->call.args[i]);
  for (int i = 0; i < c->call.nextra; i++) value_release(c->call.extra[i].value);
  for (int i = 0; i < c->call.nrest; i++) value_release(c->call.rest[i]);
  free(c->call.args);
  free(c->call.spans);
  free(c->call.extra);
  free(c->call.rest);
  free(c->call.rest_spans);
}

/* The second argument of integral, norm, mean, max, min may be a place, geometry or mesh: `on` by position. */
static bool place_by_position(Eval *ev, const BuiltinParam *params, int n, int position, const Ast *arg, Value **args, int *at) {
  Value *subject = args[0] ? value_subject(args[0]) : NULL, *named = arg->kind == AST_NAME && subject ? place_by_name(ev, subject, NULL, arg->name) : NULL;
  value_release(named);
  bool word = arg->kind == AST_NAME && !named && position < n && !scope_lookup(ev, arg->name) && choice_likely(&params[position], arg->name);
  if (word) return false;
  for (int k = 1; k < n; k++) {
    if (args[k] || strcmp(params[k].type, "place")) continue;
    if (arg->kind != AST_NAME && arg->kind != AST_MEMBER && arg->kind != AST_BINARY && arg->kind != AST_CALL) return false;
    if (arg->kind == AST_NAME && builtin_is_word(arg->name) && !scope_lookup(ev, arg->name)) return false;
    *at = k;
    return true;
  }
  return false;
}

static bool take_argument(Eval *ev, Collected *c, const BuiltinParam *params, int n, bool open, int rest, const Ast *arg, int *position) {
  Call *call = &c->call;
  int at = -1;
  const Ast *value = arg;
  if (arg->kind == AST_ARG) {
    if (!arg->n || !arg->kid[0]) {
      diag_suggest(diag_report(&ev->host->diags, E0503, arg->span, "an argument is labelled with a colon"), "write `%s: ...` for `%s = ...`", arg->name, arg->name);
      return false;
    }
    value = arg->kid[0];
    if (!find_param(params, n, arg->name, &at)) {
      if (open) {
        call->extra[call->nextra++] = (Argument){arg->name, eval_expr(ev, value), arg->span};
        return !is_poison(call->extra[call->nextra - 1].value);
      }
      Name names[BUILTIN_PARAMS_MOST];
      int m = 0;
      for (int i = 0; i < n; i++) names[m++] = params[i].name;
      report_call_labels(ev, call->row->name, call->row->signature, arg->name, arg->span, names, m);
      return false;
    }
  } else {
    int positional = rest ? rest - 1 : n;
    while (*position < positional && call->args[*position]) ++*position;
    if (!rest && *position >= 1 && place_by_position(ev, params, n, *position, value, call->args, &at)) { }
    else if (*position < positional) at = (*position)++;
    else if (rest) {
      call->rest[call->nrest] = eval_expr(ev, value);
      call->rest_spans[call->nrest++] = value->span;
      return !is_poison(call->rest[call->nrest - 1]);
    } else {
      diag_suggest(diag_report(&ev->host->diags, E0504, arg->span, "`%s` has too many arguments", call->row->name), "it is called as %s%s", call->row->name, call->row->signature);
      return false;
    }
  }
  if (call->args[at]) {
    diag_report(&ev->host->diags, E0504, arg->span, "`%s` is given twice", params[at].name);
    return false;
  }
  Value *outer = ev->place_subject;
  for (int i = 0; i < n && !ev->place_subject; i++)
    if (call->args[i]) ev->place_subject = value_subject(call->args[i]);    /* near(hole, ..) inside mesh(channel, ..) */
  call->args[at] = eval_typed(ev, value, &params[at], call->args, n);
  ev->place_subject = outer;
  call->spans[at] = value->span;
  return check_type(ev, call->row, &params[at], call->args[at], value->span);
}

static bool required_given(Eval *ev, const Call *call, const BuiltinParam *params, int n) {
  for (int i = 0; i < n; i++) {
    if (call->args[i] || params[i].fallback) continue;
    Diag *d = diag_report(&ev->host->diags, E0502, call->span, "`%s` needs an argument `%s`", call->row->name, params[i].name);
    Buf form = {0};
    bool more = false;
    for (int k = 0; k < n; k++) {
      more |= params[k].fallback != NULL;
      if (!params[k].fallback) buf_printf(&form, "%s%s: %s", form.len ? ", " : "", params[k].name, params[k].type);
    }
    diag_suggest(d, "it is called as %s(%s%s)", call->row->name, buf_str(&form), more ? ", ..." : "");
    buf_free(&form);
    return false;
  }
  return true;
}

Value *eval_builtin_call(Eval *ev, const BuiltinRow *row, const Ast *node, Value *self) {
  bool open;
  int rest, n, count = node->n - 1, position = 0;
  const BuiltinParam *params = builtin_params(ev->host, row, &n, &open, &rest);
  Collected c = {.call = {.ev = ev, .row = row, .span = node->span}};
  c.call.args = calloc((size_t)n + 1, sizeof(Value *));
  c.call.spans = malloc(((size_t)n + 1) * sizeof(Span));
  c.call.extra = calloc((size_t)count + 1, sizeof(Argument));
  c.call.rest = calloc((size_t)count + 1, sizeof(Value *));
  c.call.rest_spans = calloc((size_t)count + 1, sizeof(Span));
  for (int i = 0; i < n; i++) c.call.spans[i] = node->span;
  if (self) {
    c.call.args[0] = value_retain(self);
    position = 1;
  }
  bool fine = true;
  for (int i = 1; i < node->n; i++) fine &= take_argument(ev, &c, params, n, open, rest, node->kid[i], &position);
  fine = fine && required_given(ev, &c.call, params, n);
  Value *v = fine ? row->run(&c.call) : value_poison();
  collected_free(&c, n);
  return v;
}

/* A call with values at hand: by the stdlib of contracts, hosts and tests. */
Value *builtin_apply(Eval *ev, const BuiltinRow *row, Argument *args, int nargs, Span span) {
  bool open;
  int rest, n, position = 0;
  const BuiltinParam *params = builtin_params(ev->host, row, &n, &open, &rest);
  Call call = {.ev = ev, .row = row, .span = span};
  call.args = calloc((size_t)n + 1, sizeof(Value *));
  call.spans = malloc(((size_t)n + 1) * sizeof(Span));
  for (int i = 0; i < n; i++) call.spans[i] = span;
  bool fine = true;
  for (int i = 0; i < nargs && fine; i++) {
    int at = position;
    if (args[i].name) fine = find_param(params, n, args[i].name, &at) != NULL;
    else position++;
    if (!fine || at >= n) break;
    call.args[at] = args[i].value;
    fine = check_type(ev, row, &params[at], args[i].value, args[i].span);
  }
  fine = fine && required_given(ev, &call, params, n);
  Value *v = fine ? row->run(&call) : value_poison();
  free(call.args);
  free(call.spans);
  return v;
}
