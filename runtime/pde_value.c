/* pde declarations as values: head, parameters, form, and p(k: 2). */
#include "pde_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "decl_pde.h"

/* --- the head: NAME(parameters) on SUBJECT --- */

typedef struct Head {
  Name name;
  Span span;
  const Ast *call;       /* with parameters, or NULL */
  const Ast *subject;    /* after `on` */
} Head;

static bool read_head(Eval *ev, const Ast *decl, Head *head) {
  *head = (Head){0};
  const Ast *phrase = decl->kid[0];
  for (int i = 0; phrase && i < phrase->n; i++) {
    const Ast *item = phrase->kid[i];
    if (item->flags & AST_WITH_ON) head->subject = item;
    else if (!head->name && item->kind == AST_NAME) head->name = item->name, head->span = item->span;
    else if (!head->name && item->kind == AST_CALL && item->kid[0]->kind == AST_NAME) {
      head->name = item->kid[0]->name;
      head->span = item->kid[0]->span;
      head->call = item;
    }
  }
  if (head->name && head->subject) return true;
  Diag *d = diag_report(&ev->host->diags, E0209, decl->span, head->name ? "the pde `%s` says on which geometry it holds" : "a pde has a name", head->name);
  diag_suggest(d, "write `pde %s on GEOMETRY { ... }`", head->name ? head->name : "NAME");
  return false;
}

static Value *read_subject(Eval *ev, const Head *head, int *dim) {
  Value *v = eval_expr(ev, head->subject);
  if (is_poison(v)) return v;
  if (v->kind == VALUE_GEOMETRY) *dim = geom_dim(v->geom);
  else if (v->kind == VALUE_MESH && v->mesh) *dim = v->mesh->dim;
  else {
    if (v->kind != VALUE_UNKNOWN) diag_report(&ev->host->diags, E0505, head->subject->span, "a pde holds on a geometry or a mesh; this is %s %s", value_article(v), value_kind_name(v));
    value_release(v);
    return value_poison();
  }
  return v;
}

/* --- parameters --- */

static void add_binding(PdeValue *p, Name name, Expr *value, Value *keep) {
  p->bindings = realloc(p->bindings, (size_t)(p->nbindings + 1) * sizeof *p->bindings);
  p->binding_values = realloc(p->binding_values, (size_t)(p->nbindings + 1) * sizeof *p->binding_values);
  p->bindings[p->nbindings] = (Binding){name, value};
  p->binding_values[p->nbindings++] = value_retain(keep);
}

static Name component_name(Host *host, Name name, int i) {
  Buf text = {0};
  buf_printf(&text, "%s[%d]", name, i);
  Name out = intern_text(host->names, buf_str(&text));
  buf_free(&text);
  return out;
}

/* The symbol a parameter is inside the pde: one name for a scalar or a field, a name a component for a constant vector. */
static Value *param_value(Eval *ev, PdeValue *p, Name name, Value *value, int dim, Span span) {
  ExprPool *pool = ev->host->pool;
  if (value->kind == VALUE_NUMBER) {
    Expr *symbol = expr_param(pool, name, SHAPE_SCALAR, value->unit, false);
    add_binding(p, name, value->known ? expr_const(pool, value->number, value->unit) : symbol, NULL);
    Value *v = value_field(symbol, NULL);
    v->temperature = value->temperature;
    return v;
  }
  if (value->kind == VALUE_TUPLE) {
    Value **items = calloc((size_t)value->n + 1, sizeof *items);
    bool fine = true;
    for (int i = 0; i < value->n; i++) {
      items[i] = value->items[i]->kind == VALUE_NUMBER ? param_value(ev, p, component_name(ev->host, name, i), value->items[i], dim, span) : value_poison();
      fine &= !is_poison(items[i]);
    }
    Value *v = fine ? value_items(VALUE_TUPLE, items, value->n) : value_poison();
    for (int i = 0; i < value->n; i++) value_release(items[i]);
    free(items);
    if (fine) return v;
    value_release(v);
  }
  Expr *e = eval_to_expr(ev, value, span, NULL);
  if (!e) return value_poison();
  Expr *special = expr_specialise(pool, e, dim);
  if (!special) {
    diag_report(&ev->host->diags, E0301, span, "the default of `%s` does not fit %d dimensions", name, dim);
    return value_poison();
  }
  add_binding(p, name, special, value);
  return value_retain(value);      /* a field stands for itself: products with it are differentiated, so another one rebuilds the pde */
}

static const Argument *given_value(const PdeValue *p, Name name) {
  for (int i = p->ngiven - 1; i >= 0; i--)
    if (p->given[i].name == name) return &p->given[i];
  return NULL;
}

static bool bind_params(PdeBuild *b, PdeValue *p, const Ast *call, Eval *outer) {
  bool fine = true;
  for (int i = 1; call && i < call->n; i++) {
    const Ast *arg = call->kid[i];
    Name name = arg->kind == AST_ARG ? arg->name : arg->kind == AST_NAME ? arg->name : NULL;
    const Ast *fallback = arg->kind == AST_ARG && arg->n > 1 ? arg->kid[1] : NULL;
    if (!name || !fallback) {
      diag_suggest(diag_report(&b->ev->host->diags, E0209, arg->span, "a parameter of a pde has a default"), "write `%s = 1.0`: its unit and shape are read from it", name ? name : "k");
      fine = false;
      continue;
    }
    Eval inner = *outer;
    inner.symbolic = true;
    const Argument *given = given_value(p, name);
    Value *value = given ? value_retain(given->value) : eval_expr(&inner, fallback);
    Value *symbol = is_poison(value) ? value_poison() : param_value(b->ev, p, name, value, b->pde->dim, given ? given->span : fallback->span);
    Slot *slot = scope_set(b->ev->scope, name, symbol, arg->span);
    slot->is_own = true;
    fine &= !is_poison(symbol);
    value_release(symbol);
    value_release(value);
  }
  return fine;
}

/* --- building --- */

/* Fields that the author named, of the declaration and of the file: messages call them so. */
static void note_parts(Eval *ev, Pde *pde) {
  enum { PARTS = 64 };
  pde->parts = ARENA_ARRAY(pde->arena, Expr *, PARTS);
  pde->part_names = ARENA_ARRAY(pde->arena, Name, PARTS);
  for (Scope *s = ev->scope; s; s = s->parent)
    for (int i = 0; i < s->n && pde->nparts < PARTS; i++) {
      const Slot *slot = &s->slots[i];
      if (slot->value->kind != VALUE_FIELD || !slot->decl || !slot->value->expr->n) continue;
      Expr *e = expr_specialise(pde->pool, slot->value->expr, pde->dim);
      if (!e) continue;
      pde->parts[pde->nparts] = e;
      pde->part_names[pde->nparts++] = slot->name;
    }
}

static bool build_once(Eval *ev, const Ast *decl, const Head *head, PdeValue *p, PdeBuild *b, int dim) {
  Pde *pde = ARENA_NEW(p->arena, Pde);
  *pde = (Pde){.name = head->name, .dim = dim, .pool = ev->host->pool, .length = host_length_unit(ev->host), .time = host_time_unit(ev->host), .span = head->span, .arena = p->arena};
  pde->geometry = p->geometry->kind == VALUE_GEOMETRY ? p->geometry->geom : NULL;
  p->pde = pde;
  Scope *scope = scope_new(SCOPE_DECL, ev->scope);
  scope->subject = value_retain(p->geometry);
  host_pin(ev->host, scope);
  Eval inner = *ev;
  inner.scope = scope;
  inner.symbolic = true;
  inner.place_subject = p->geometry;
  b->ev = &inner;
  b->pde = pde;
  b->arena = p->arena;
  b->geometry = p->geometry;
  expr_set_base_units(ev->host->pool, pde->length, pde->time);
  bool fine = bind_params(b, p, head->call, ev);
  fine &= pde_clauses(b, decl->kid[2]);
  fine = fine && pde_check_regions(b);
  for (int i = 0; i < pde->nunknowns; i++) {
    Slot *slot = scope_find_own(scope, pde->unknowns[i].name);
    if (slot) slot->must_use = false;
  }
  for (int i = 0; head->call && i < head->call->n - 1; i++) {
    Slot *slot = head->call->kid[i + 1]->name ? scope_find_own(scope, head->call->kid[i + 1]->name) : NULL;
    if (slot) slot->must_use = true;
  }
  note_parts(&inner, pde);
  if (fine) eval_unused(&inner, scope);
  b->ev = ev;
  scope_release(scope);
  return fine;
}

static bool needs_inference(const PdeBuild *b) {
  for (int i = 0; b->ev->host->uses_units && i < b->pde->nunknowns; i++)
    if (b->pde->unknowns[i].unit.any) return true;
  return false;
}

static void forget_bindings(PdeValue *p) {
  for (int i = 0; i < p->nbindings; i++) value_release(p->binding_values[i]);
  p->nbindings = 0;
}

static bool build(Eval *ev, const Ast *decl, const Head *head, PdeValue *p, Deps *deps, int dim) {
  PdeBuild b = {0};
  bool fine = build_once(ev, decl, head, p, &b, dim);
  if (fine && needs_inference(&b)) {       /* the second reading knows the units of all unknowns */
    pde_infer_units(&b);
    forget_bindings(p);
    deps_free(&b.deps);
    fine = build_once(ev, decl, head, p, &b, dim);
  }
  deps_union(deps, &b.deps);
  deps_free(&b.deps);
  return fine;
}

/* The constants that its parameters and the params of the file are by default: what decides whether the equations are definite. */
static void note_defaults(Eval *ev, PdeValue *p) {
  ExprPool *pool = ev->host->pool;
  Pde *pde = p->pde;
  int n = p->nbindings;
  for (Scope *s = p->outer; s; s = s->parent) n += s->n;
  pde->params = ARENA_ARRAY(p->arena, PdeParam, n + 1);
  for (int i = 0; i < p->nbindings; i++) {
    const Binding *b = &p->bindings[i];
    if (!b->name || !b->value || b->value->op != EXPR_CONST) continue;
    pde->params[pde->nparams++] = (PdeParam){b->name, expr_param(pool, b->name, SHAPE_SCALAR, b->value->unit, false), b->value, false};
  }
  for (Scope *s = p->outer; s; s = s->parent)
    for (int i = 0; i < s->n; i++) {
      const Slot *slot = &s->slots[i];
      if (!slot->is_param || slot->value->kind != VALUE_NUMBER || !slot->value->known) continue;
      Unit unit = slot->value->unit.any ? UNIT_NONE : slot->value->unit;
      pde->params[pde->nparams++] = (PdeParam){slot->name, expr_param(pool, slot->name, SHAPE_SCALAR, unit, true), expr_const(pool, slot->value->number, unit), true};
    }
}

static bool analyse(Eval *ev, PdeValue *p) {
  for (int i = 0; ev->dry && i < p->nbindings; i++)
    if (p->binding_values[i] && p->binding_values[i]->kind == VALUE_UNKNOWN) return false;   /* a parameter of which nothing is known yet: when it runs */
  note_defaults(ev, p);
  if (form_weak(p->pde, &ev->host->diags, &p->form)) {
    p->form = NULL;
    return false;
  }
  const GeomGroup *groups;
  int n = place_groups(p->geometry, &groups);
  return !form_check(p->form, groups, n, &ev->host->diags);
}

/* A pde value from its declaration, with the parameters that were given; failed ones stay values so that later uses are quiet. */
static Value *pde_make(Eval *ev, const Ast *decl, const Head *head, PdeValue *p) {
  int dim = 0, errors = ev->host->diags.nerrors;
  Value *v = value_new(VALUE_PDE);
  v->pde = p;
  p->arena = arena_new();
  p->decl = decl;
  p->geometry = read_subject(ev, head, &dim);
  p->outer = ev->scope;
  host_pin(ev->host, ev->scope);
  Deps deps = {0};
  bool fine = !is_poison(p->geometry) && build(ev, decl, head, p, &deps, dim);
  if (fine) fine = analyse(ev, p);
  p->failed = !fine || ev->host->diags.nerrors > errors;
  /* solutions that coefficients read stay alive with the pde */
  for (int i = 0; i < deps.n; i++) add_binding(p, NULL, NULL, deps.solutions[i]);
  deps_free(&deps);
  if (p->pde && !is_poison(p->geometry)) return v;
  value_release(v);
  return value_poison();
}

bool pde_begins(Eval *ev, Value *pde, bool needs_start) {
  PdeValue *p = pde->pde, *own = p->base ? p->base->pde : p;
  p->used = own->used = true;
  return !needs_start || !p->form || !form_check_start(p->form, &ev->host->diags);
}

void pde_check_unused(Eval *ev, Scope *scope) {
  for (int i = 0; i < scope->n; i++) {
    Value *v = scope->slots[i].value;
    if (v->kind == VALUE_PDE && !scope->slots[i].imported && !v->pde->failed && !v->pde->used) pde_begins(ev, v, true);
  }
}

Flow decl_pde(Eval *ev, const Ast *decl) {
  Head head;
  if (!read_head(ev, decl, &head)) return FLOW_STOP;
  if (decl->n < 3 || !decl->kid[2]) {
    diag_report(&ev->host->diags, E0209, decl->span, "the pde `%s` has no block { ... }", head.name);
    return FLOW_STOP;
  }
  PdeValue *p = calloc(1, sizeof *p);
  p->program = program_retain(ev->module->program);
  Value *v = pde_make(ev, decl, &head, p);
  bool fine = !is_poison(v) && !p->failed;
  Slot *slot = scope_set(ev->scope, head.name, v, head.span);
  slot->decl = decl;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- p(k: 2) --- */

PdeValue *pde_copy(const PdeValue *from) {
  PdeValue *p = calloc(1, sizeof *p);
  *p = *from;
  p->geometry = value_retain(from->geometry);
  p->program = program_retain(from->program);
  p->given = malloc((size_t)(from->ngiven + 1) * sizeof *p->given);
  for (int i = 0; i < from->ngiven; i++) {
    p->given[i] = from->given[i];
    value_retain(p->given[i].value);
  }
  p->bindings = malloc((size_t)(from->nbindings + 1) * sizeof *p->bindings);
  p->binding_values = malloc((size_t)(from->nbindings + 1) * sizeof *p->binding_values);
  for (int i = 0; i < from->nbindings; i++) {
    p->bindings[i] = from->bindings[i];
    p->binding_values[i] = value_retain(from->binding_values[i]);
  }
  return p;
}

static int binding_of(const PdeValue *p, const char *name) {
  for (int i = 0; i < p->nbindings; i++)
    if (p->bindings[i].name && !strcmp(p->bindings[i].name, name)) return i;
  return -1;
}

bool pde_has_param(const PdeValue *p, Name name) {
  size_t n = strlen(name);
  for (int i = 0; i < p->nbindings; i++)
    if (p->bindings[i].name && (p->bindings[i].name == name || (!strncmp(p->bindings[i].name, name, n) && p->bindings[i].name[n] == '['))) return true;
  return false;
}

static bool bind_component(Eval *ev, PdeValue *p, int at, Expr *e, Value *keep, Name name, Span span) {
  Expr *old = p->bindings[at].value;
  Expr *special = expr_specialise(ev->host->pool, e, p->pde->dim);
  if (!special || !shape_fits(special->shape, old->shape)) {
    Buf have = {0}, want = {0};
    shape_print(&have, e->shape);
    shape_print(&want, old->shape);
    diag_report(&ev->host->diags, E0301, span, "the parameter `%s` is a %s; this is a %s", name, buf_str(&want), buf_str(&have));
    buf_free(&have);
    buf_free(&want);
    return false;
  }
  if (!unit_fits(special->unit, old->unit)) {
    Buf have = {0}, want = {0};
    unit_print(&have, special->unit);
    unit_print(&want, old->unit);
    diag_report(&ev->host->diags, E0302, span, "the parameter `%s` carries %s; this carries %s", name, buf_str(&want), buf_str(&have));
    buf_free(&have);
    buf_free(&want);
    return false;
  }
  p->bindings[at].value = special;
  value_release(p->binding_values[at]);
  p->binding_values[at] = value_retain(keep);
  return true;
}

bool pde_bind(Eval *ev, PdeValue *p, Name name, Value *value, Span span) {
  int at = binding_of(p, name);
  if (value->kind == VALUE_UNKNOWN) return true;
  if (at >= 0) {
    Expr *e = eval_to_expr(ev, value, span, NULL);
    return e && bind_component(ev, p, at, e, value, name, span);
  }
  if (value->kind != VALUE_TUPLE) {
    diag_report(&ev->host->diags, E0301, span, "the parameter `%s` is a vector; this is %s %s", name, value_article(value), value_kind_name(value));
    return false;
  }
  for (int i = 0; i < value->n; i++) {
    Name part = component_name(ev->host, name, i);
    at = binding_of(p, part);
    Expr *e = at < 0 ? NULL : eval_to_expr(ev, value->items[i], span, NULL);
    if (at < 0) diag_report(&ev->host->diags, E0301, span, "the parameter `%s` has fewer than %d components", name, value->n);
    if (!e || !bind_component(ev, p, at, e, NULL, name, span)) return false;
  }
  return true;
}

static void report_no_param(Eval *ev, const PdeValue *p, Name label, Span span) {
  Name names[64];
  int n = 0;
  for (int i = 0; i < p->nbindings && n < 64; i++)
    if (p->bindings[i].name) names[n++] = p->bindings[i].name;
  Diag *d = diag_report(&ev->host->diags, E0503, span, "`%s` has no parameter `%s`", p->pde->name, label);
  Name near = nearest_name(label, names, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else diag_suggest(d, n ? "its parameters stand in the head of its declaration" : "it has none: declare it as pde %s(%s = ...)", p->pde->name, label);
}

static void give(PdeValue *p, Name name, Value *value, Span span) {
  p->given = realloc(p->given, (size_t)(p->ngiven + 1) * sizeof *p->given);
  p->given[p->ngiven++] = (Argument){name, value_retain(value), span};
}

/* A number may replace a number where the form is; a field changes the form itself (products under a divergence). */
static bool is_number(const Expr *e) {
  return !(e->flags & (HAS_COORD | HAS_TIME | HAS_FIELD | HAS_REGIONS | HAS_NORMAL | HAS_SIZE | HAS_HOST));
}

static bool changes_form(const PdeValue *p, Name name, const Value *value) {
  int at = binding_of(p, name);
  bool numbers = value->kind == VALUE_NUMBER || value->kind == VALUE_UNKNOWN || (value->kind == VALUE_FIELD && is_number(value->expr));
  if (value->kind == VALUE_TUPLE) {
    numbers = true;
    for (int i = 0; i < value->n; i++) numbers &= value->items[i]->kind == VALUE_NUMBER;
  }
  return !numbers || (at >= 0 && !is_number(p->bindings[at].value));
}

static Value *rebuilt(Eval *ev, const PdeValue *from, Argument *args, int n) {
  PdeValue *p = calloc(1, sizeof *p);
  p->program = program_retain(from->program);
  for (int i = 0; i < from->ngiven; i++) give(p, from->given[i].name, from->given[i].value, from->given[i].span);
  for (int i = 0; i < n; i++) give(p, args[i].name, args[i].value, args[i].span);
  Eval inner = *ev;
  inner.scope = from->outer;
  inner.symbolic = false;
  Head head;
  read_head(&inner, from->decl, &head);
  Value *v = pde_make(&inner, from->decl, &head, p);
  if (is_poison(v) || !v->pde->failed) return v;
  value_release(v);
  return value_poison();
}

/* Arguments by position get the names of the head. */
static bool name_arguments(Eval *ev, const PdeValue *p, Argument *args, int n) {
  const Ast *phrase = p->decl ? p->decl->kid[0] : NULL, *call = phrase && phrase->n && phrase->kid[0]->kind == AST_CALL ? phrase->kid[0] : NULL;
  int position = 1;
  bool fine = true;
  for (int i = 0; i < n; i++) {
    if (!args[i].name) {
      if (!call || position >= call->n) {
        diag_report(&ev->host->diags, E0504, args[i].span, "`%s` has fewer parameters", p->pde->name);
        return false;
      }
      args[i].name = call->kid[position++]->name;
    }
    if (!pde_has_param(p, args[i].name)) {
      report_no_param(ev, p, args[i].name, args[i].span);
      fine = false;
    }
  }
  return fine;
}

/* Numbers, fields, and lists of them. */
static bool is_quantity(Eval *ev, const PdeValue *p, const Argument *arg) {
  if (arg->value->kind == VALUE_UNKNOWN || arg->value->kind == VALUE_NUMBER || arg->value->kind == VALUE_FIELD || arg->value->kind == VALUE_SAMPLES || arg->value->kind == VALUE_TUPLE || arg->value->kind == VALUE_LIST) return true;
  if (!is_poison(arg->value))
    diag_suggest(diag_report(&ev->host->diags, E0505, arg->span, "the parameter `%s` of `%s` is a number, a vector or a field; this is %s %s", arg->name, p->pde->name, value_article(arg->value),
                             value_kind_name(arg->value)), "write %s: 2, or %s: 1 + x", arg->name, arg->name);
  return false;
}

Value *pde_with_params(Eval *ev, Value *pde, Argument *args, int n, Span span) {
  (void)span;
  if (!name_arguments(ev, pde->pde, args, n)) return value_poison();
  for (int i = 0; i < n; i++)
    if (!is_quantity(ev, pde->pde, &args[i])) return value_poison();
  for (int i = 0; i < n; i++)
    if (changes_form(pde->pde, args[i].name, args[i].value)) return rebuilt(ev, pde->pde, args, n);
  PdeValue *p = pde_copy(pde->pde);
  p->base = value_retain(pde->pde->base ? pde->pde->base : pde);
  bool fine = true;
  for (int i = 0; i < n; i++) {
    give(p, args[i].name, args[i].value, args[i].span);
    fine &= pde_bind(ev, p, args[i].name, args[i].value, args[i].span);
  }
  Value *v = value_new(VALUE_PDE);
  v->pde = p;
  if (fine) return v;
  value_release(v);
  return value_poison();
}
