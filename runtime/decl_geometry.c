/* geometry NAME = shape, geometry NAME { parts, shape, boundaries, regions }. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "eval.h"

static Value *geometry_value(Geom *geom) {
  Value *v = value_new(VALUE_GEOMETRY);
  v->geom = geom;
  return v;
}

static bool declared_name(Eval *ev, const Ast *decl, Name *name, Span *span) {
  const Ast *phrase = decl->kid[0];
  if (phrase && phrase->n == 1 && phrase->kid[0]->kind == AST_NAME) {
    *name = phrase->kid[0]->name;
    *span = phrase->kid[0]->span;
    return true;
  }
  diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "`%s` is followed by a name", decl->name), "write `%s NAME = ...` or `%s NAME { ... }`", decl->name, decl->name);
  return false;
}

/* Assignments of the block: parts by name, the last of them or `shape` is the whole. */
static Value *parts(Eval *ev, const Ast *block) {
  Value *shape = NULL, *only = NULL;
  int count = 0;
  for (int i = 0; i < block->n; i++) {
    const Ast *s = block->kid[i];
    if (!s || s->kind != AST_ASSIGN || s->kid[0]->kind != AST_NAME) continue;
    Name name = s->kid[0]->name;
    Value *v = eval_expr(ev, s->kid[1]);
    if (v->kind == VALUE_GEOMETRY && strcmp(name, "shape")) {
      Value *named = geometry_value(geom_named(v->geom, name));
      value_release(v);
      v = named;
      value_release(only);
      only = value_retain(v);
      count++;
    }
    if (v->kind == VALUE_GEOMETRY && !strcmp(name, "shape")) {
      value_release(shape);
      shape = value_retain(v);
    }
    Slot *slot = scope_set(ev->scope, name, v, s->kid[0]->span);
    slot->is_own = true;
    value_release(v);
  }
  for (int i = 0; i < ev->scope->n && !shape; i++)
    if (ev->scope->slots[i].value->kind == VALUE_UNKNOWN || is_poison(ev->scope->slots[i].value)) shape = value_retain(ev->scope->slots[i].value);
  if (!shape && count == 1) shape = value_retain(only);
  value_release(only);
  return shape;
}

static bool group_clause(Eval *ev, const Ast *clause, Value **shape) {
  Name name;
  Span span;
  if (!declared_name(ev, clause, &name, &span)) return false;
  bool is_region = !strcmp(clause->name, "region");
  if (clause->n < 2 || !clause->kid[1]) {
    diag_suggest(diag_report(&ev->host->diags, E0209, clause->span, "`%s %s` says no place", clause->name, name), "write `%s %s = where ...` or `= part.side`", clause->name, name);
    return false;
  }
  const Ast *what = clause->kid[1];
  GeomGroup group = {.name = name, .bare = name, .is_region = is_region, .span = span};
  Value *place = NULL;
  if (what->kind == AST_WHERE) {
    Value *truth = eval_expr(ev, what);
    Deps deps = {0};
    Expr *e = is_poison(truth) ? NULL : eval_truth_expr(ev, truth, what->span, &deps);
    deps_free(&deps);
    value_release(truth);
    if (!e) return false;
    int dim = geom_dim((*shape)->geom);
    Expr *special = expr_specialise(ev->host->pool, e, dim);
    group.predicate = special ? expr_scalar(ev->host->pool, special, 0, dim) : NULL;
    if (!group.predicate) {
      diag_report(&ev->host->diags, E0301, what->span, "this condition does not fit %d dimensions", dim);
      return false;
    }
  } else {
    place = eval_place(ev, what, *shape);
    if (is_poison(place) || place->kind != VALUE_PLACE) {
      value_release(place);
      return false;
    }
    group.members = place->where.names;
    group.nmembers = place->where.n;
    if (place->where.all && !is_region) {
      static const char *const everything[] = {"all"};
      group.members = (const Name *)everything;
      group.nmembers = 1;
    }
  }
  Geom *more = geom_with_group((*shape)->geom, ev->host->names, &group, &ev->host->diags);
  value_release(place);
  if (!more) return false;
  value_release(*shape);
  *shape = geometry_value(more);
  return true;
}

static Value *geometry_block(Eval *ev, const Ast *decl, const Ast *block) {
  Scope *scope = scope_new(SCOPE_DECL, ev->scope);
  Eval inner = *ev;
  inner.scope = scope;
  Value *shape = parts(&inner, block);
  bool fine = true;
  if (shape && shape->kind != VALUE_GEOMETRY) {       /* reported, or of a kind that this build cannot make */
    scope_release(scope);
    return shape;
  }
  if (!shape) {
    diag_suggest(diag_report(&ev->host->diags, E0206, decl->span, "the geometry has no shape"), "say which part it is, or how they combine: shape = outer - hole");
    scope_release(scope);
    return value_poison();
  }
  for (int i = 0; i < block->n; i++) {
    const Ast *s = block->kid[i];
    if (!s || s->kind == AST_ASSIGN) continue;
    if (s->kind == AST_DECL && (!strcmp(s->name, "boundary") || !strcmp(s->name, "region"))) fine &= group_clause(&inner, s, &shape);
    else {
      Diag *d = diag_report(&ev->host->diags, E0202, s->span, "a geometry holds parts (name = shape), `boundary NAME = ...` and `region NAME = ...`");
      (void)d;
      fine = false;
    }
  }
  scope_release(scope);
  if (fine) return shape;
  value_release(shape);
  return value_poison();
}

Flow decl_geometry(Eval *ev, const Ast *decl) {
  Name name;
  Span span;
  if (!declared_name(ev, decl, &name, &span)) return FLOW_STOP;
  const Ast *value = decl->n > 1 ? decl->kid[1] : NULL, *block = decl->n > 2 ? decl->kid[2] : NULL;
  Value *v;
  if (block) v = geometry_block(ev, decl, block);
  else if (value) v = eval_expr(ev, value);
  else {
    diag_report(&ev->host->diags, E0209, decl->span, "a geometry is `geometry NAME = shape` or `geometry NAME { ... }`");
    v = value_poison();
  }
  if (!is_poison(v) && v->kind != VALUE_GEOMETRY && v->kind != VALUE_UNKNOWN) {
    diag_report(&ev->host->diags, E0505, value ? value->span : decl->span, "`%s` is no geometry but %s %s", name, value_article(v), value_kind_name(v));
    value_release(v);
    v = value_poison();
  }
  Slot *slot = scope_set(ev->scope, name, v, span);
  slot->decl = decl;
  bool fine = !is_poison(v);
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}
