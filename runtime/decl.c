/* The words that start a declaration or statement, and the small ones: fn, field, param, unit, and the kinds of later builds. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "eval.h"
#include "view.h"

const DeclRow decl_rows[] = {
    {"geometry", "a shape with named boundaries and regions", decl_geometry},
    {"pde", "unknowns, equations and conditions on a geometry or mesh", decl_pde},
    {"study", "a refinement study or a sweep, with its table", decl_study},
    {"fn", "a function", decl_fn},
    {"field", "a field over any domain", decl_field},
    {"param", "a number that -D or solve may change", decl_param},
    {"unit", "a unit of your own", decl_unit},
    {"contract", "a typed physics check", decl_contract},
    {"contracts", "a pack of contracts", decl_contracts},
    {"test", "statements that `pde test` runs", decl_test},
    {"check", "checks a subject against contracts", stmt_check},
    {"accept", "in a test: the contract must pass", stmt_accept},
    {"reject", "in a test: the contract must fail", stmt_accept},
    {"skip", "in a test: the contract must find that it does not apply", stmt_accept},
    {"map", "inputs to fields, through a solve", decl_map},
    {"model", "a predictor of a map", decl_model},
    {"dataset", "cases of a map, from a file", decl_dataset},
    {"discovery", "state, trajectories and language of a search for laws", decl_discovery},
    {"hypothesis", "a law with unknown fields", decl_hypothesis},
    {"surrogate", "a network for a map", NULL},
    {"view", "what of a run is shown, and to whom", decl_view},
    {"policy", "how an agent may search", decl_policy},
    {"search", "a search under a policy", decl_search},
    {"audit", "a model against contracts, with an adversary", stmt_audit},
    {NULL, NULL, NULL},
};

const DeclRow *decl_row(Name word) {
  for (const DeclRow *row = decl_rows; row->word; row++)
    if (!strcmp(row->word, word)) return row;
  return NULL;
}

static Flow malformed(Eval *ev, const Ast *decl, const char *example) {
  diag_suggest(diag_report(&ev->host->diags, E0209, decl->span, "`%s` is written otherwise", decl->name), "as in `%s`", example);
  return FLOW_STOP;
}

/* --- fn --- */

Param *eval_params(Eval *ev, const Ast *call, int *n) {
  *n = call->n - 1;
  Param *params = calloc((size_t)(*n ? *n : 1), sizeof *params);
  for (int i = 0; i < *n; i++) {
    const Ast *arg = call->kid[i + 1];
    params[i].span = arg->span;
    params[i].name = arg->name;
    if (arg->kind == AST_ARG) {
      params[i].type = arg->n ? arg->kid[0] : NULL;
      params[i].fallback = arg->n > 1 ? arg->kid[1] : NULL;
    } else if (arg->kind != AST_NAME) {
      diag_report(&ev->host->diags, E0209, arg->span, "a parameter is a name");
      free(params);
      return NULL;
    }
    for (int k = 0; k < i; k++)
      if (params[k].name == params[i].name) {
        diag_report(&ev->host->diags, E0106, arg->span, "two parameters are called `%s`", arg->name);
        free(params);
        return NULL;
      }
  }
  return params;
}

static Value *function_value(Eval *ev, const Ast *decl, const Ast *call, const Ast *body) {
  int n;
  Param *params = eval_params(ev, call, &n);
  if (!params) return value_poison();
  Value *v = value_new(VALUE_FUNCTION);
  Function *f = v->function = calloc(1, sizeof *f);
  *f = (Function){.name = call->kid[0]->name, .params = params, .nparams = n, .body = body, .decl = decl};
  f->scope = scope_retain(ev->scope);
  f->program = program_retain(ev->module->program);
  host_pin(ev->host, ev->scope);
  return v;
}

Flow decl_fn(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *body = decl->n > 2 && decl->kid[2] ? decl->kid[2] : decl->n > 1 ? decl->kid[1] : NULL;
  const Ast *call = phrase && phrase->n == 1 && phrase->kid[0]->kind == AST_CALL ? phrase->kid[0] : NULL;
  if (!call || call->kid[0]->kind != AST_NAME || !body) return malformed(ev, decl, "fn f(a, b = 1) = a + b");
  Value *v = function_value(ev, decl, call, body);
  bool fine = !is_poison(v);
  Slot *slot = scope_set(ev->scope, call->kid[0]->name, v, call->kid[0]->span);
  slot->decl = decl;
  slot->must_use = ev->scope->kind != SCOPE_FILE;
  slot->is_own = true;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- field --- */

/* field k { on steel: 1; on others: 2 }: region by region. */
static Value *field_by_region(Eval *ev, const Ast *block) {
  Expr *args[64];
  Name names[64];
  int n = 0;
  Deps deps = {0};
  bool fine = true;
  for (int i = 0; i < block->n; i++) {
    const Ast *s = block->kid[i];
    if (!s) continue;
    if (s->kind != AST_ON || s->kid[1]->kind == AST_BLOCK) {
      diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "a field by region holds `on REGION: value` lines"), "as in `on steel: 7850`");
      fine = false;
      continue;
    }
    Value *v = eval_expr(ev, s->kid[1]);
    Expr *e = is_poison(v) ? NULL : eval_to_expr(ev, v, s->kid[1]->span, &deps);
    value_release(v);
    fine &= e != NULL;
    for (int k = 0; k < s->kid[0]->n && e && n < 64; k++) {
      const Ast *region = s->kid[0]->kid[k];
      if (region->kind != AST_NAME) {
        diag_report(&ev->host->diags, E0204, region->span, "a region is named here");
        fine = false;
        continue;
      }
      names[n] = strcmp(region->name, "others") ? region->name : NULL;
      for (int j = 0; j < n; j++)
        if (names[j] == names[n]) {
          diag_report(&ev->host->diags, E0106, region->span, "the region `%s` has two values", region->name);
          fine = false;
        }
      args[n++] = e;
    }
  }
  Expr *e = fine && n ? expr_regions(ev->host->pool, args, names, n) : NULL;
  if (fine && !e) {
    ExprError error = expr_error(ev->host->pool);
    diag_report(&ev->host->diags, n && error.kind == EXPR_UNIT ? E0302 : E0301, block->span, n ? "the values differ: %s" : "a field by region needs values", error.text);
  }
  Value *v = e ? value_field(e, &deps) : value_poison();
  deps_free(&deps);
  return v;
}

Flow decl_field(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *value = decl->n > 1 ? decl->kid[1] : NULL, *block = decl->n > 2 ? decl->kid[2] : NULL;
  const Ast *item = phrase && phrase->n == 1 ? phrase->kid[0] : NULL;
  if (item && item->kind == AST_CALL && value) return decl_fn(ev, decl);      /* a field that depends on an unknown */
  if (!item || item->kind != AST_NAME || (!value && !block) || (decl->flags & AST_WITH_COLON)) return malformed(ev, decl, "field k = 1 + x^2");
  Eval inner = *ev;
  inner.symbolic = true;
  Value *v = block ? field_by_region(&inner, block) : eval_expr(&inner, value);
  if (!is_poison(v) && v->kind != VALUE_FIELD && v->kind != VALUE_UNKNOWN) {
    Deps deps = {0};
    Expr *e = eval_to_expr(&inner, v, value->span, &deps);
    Temperature temperature = v->temperature;
    value_release(v);
    v = e ? value_field(e, &deps) : value_poison();
    v->temperature = temperature;
    deps_free(&deps);
  }
  bool fine = !is_poison(v);
  Slot *slot = scope_set(ev->scope, item->name, v, item->span);
  slot->decl = decl;
  slot->must_use = ev->scope->kind != SCOPE_FILE;
  slot->is_own = true;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- param and unit --- */

/* -D name=value; given twice, the last one counts. */
static Value *overridden(Eval *ev, Name name, Value *fallback, Span span) {
  const Override *last = NULL;
  for (int i = 0; i < ev->host->noverrides; i++) {
    if (ev->host->overrides[i].name != name) continue;
    ev->host->overrides[i].used = true;
    last = &ev->host->overrides[i];
  }
  if (!last) return value_retain(fallback);
  Value *v = host_eval_text(ev, last->text, "-D");
  if (last->in_si && v->kind == VALUE_NUMBER && fallback->kind == VALUE_NUMBER) v->unit = fallback->unit;
  if (is_poison(v) || fallback->kind != VALUE_NUMBER || v->kind != VALUE_NUMBER || unit_fits(v->unit, fallback->unit)) return v;
  Buf want = {0}, have = {0};
  unit_print(&want, fallback->unit);
  unit_print(&have, v->unit);
  Diag *d = diag_report(&ev->host->diags, E0302, span, "-D %s=%s carries %s; the param carries %s", name, last->text, unit_is_none(v->unit) ? "no unit" : buf_str(&have),
                        unit_is_none(fallback->unit) ? "no unit" : buf_str(&want));
  buf_clear(&want);
  unit_print_short(&want, fallback->unit);
  if (unit_is_none(v->unit)) diag_suggest(d, "write -D '%s=%s [%s]'", name, last->text, buf_str(&want));
  else if (unit_is_none(fallback->unit)) diag_suggest(d, "write the number without a unit");
  else diag_suggest(d, "write -D '%s=... [%s]', or any unit of the same quantity", name, buf_str(&want));
  buf_free(&want);
  buf_free(&have);
  value_release(v);
  return value_poison();
}

Flow decl_param(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *value = decl->n > 1 ? decl->kid[1] : NULL;
  const Ast *item = phrase && phrase->n == 1 ? phrase->kid[0] : NULL;
  if (!item || item->kind != AST_NAME || !value || (decl->flags & AST_WITH_COLON)) return malformed(ev, decl, "param nu = 0.3");
  Value *fallback = eval_expr(ev, value);
  Value *v = is_poison(fallback) ? value_retain(fallback) : overridden(ev, item->name, fallback, item->span);
  value_release(fallback);
  bool fine = !is_poison(v);
  Slot *slot = scope_set(ev->scope, item->name, v, item->span);
  slot->decl = decl;
  slot->is_param = true;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

Flow decl_unit(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *value = decl->n > 1 ? decl->kid[1] : NULL;
  const Ast *item = phrase && phrase->n == 1 ? phrase->kid[0] : NULL;
  if (!item || item->kind != AST_NAME || !value) return malformed(ev, decl, "unit furlong = 201.168 [m]");
  Value *v = eval_expr(ev, value);
  bool fine = v->kind == VALUE_NUMBER;
  if (!fine && !is_poison(v)) diag_report(&ev->host->diags, E0303, value->span, "a unit is a number with a unit; this is %s %s", value_article(v), value_kind_name(v));
  if (fine) host_add_unit(ev->host, item->name, (UnitScale){v->unit, v->number, 0});
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- kinds that are read, resolved, and refused --- */

static Name head_name(const Ast *phrase) {
  if (!phrase || !phrase->n) return NULL;
  const Ast *item = phrase->kid[0];
  return item->kind == AST_NAME ? item->name : item->kind == AST_CALL && item->kid[0]->kind == AST_NAME ? item->kid[0]->name : NULL;
}

Flow decl_later(Eval *ev, const Ast *decl) {
  Name name = head_name(decl->kid[0]);
  resolve_later(ev, decl);
  if (name && strcmp(decl->name, "audit")) {
    Value *v = value_new(VALUE_DECLARED);
    v->declared = decl;
    v->declared_kind = decl->name;
    v->declared_name = name;
    v->declared_program = program_retain(ev->module->program);
    Slot *slot = scope_set(ev->scope, name, v, decl->kid[0]->span);
    slot->decl = decl;
    value_release(v);
  }
  if (ev->dry) {
    ev->host->needs_later = true;
    if (!ev->host->checking_only) diag_report(&ev->host->diags, E0900, decl->span, "this build reads `%s` and checks its names, but cannot run it yet", decl->name);
    return FLOW_NEXT;
  }
  diag_report(&ev->host->diags, E0900, decl->span, "this build reads `%s` and checks its names, but cannot run it yet", decl->name);
  return FLOW_STOP;
}

Value *decl_value(Eval *ev, const Ast *decl) {
  if (!strcmp(decl->name, "check") || !strcmp(decl->name, "audit")) {
    ev->keep_verdict = true;
    Flow flow = decl_row(decl->name)->run(ev, decl);
    ev->keep_verdict = false;
    Value *v = ev->returned;
    ev->returned = NULL;
    if (v) return v;
    return flow == FLOW_STOP ? value_poison() : value_unknown();
  }
  const DeclRow *row = decl_row(decl->name);
  if (row && !row->run) {
    decl_later(ev, decl);
    return ev->dry ? value_unknown() : value_poison();
  }
  const Ast *phrase = decl->kid[0], *next = phrase && phrase->n ? phrase->kid[0] : NULL;
  const Slot *slot = scope_lookup(ev, decl->name);
  bool number = !strcmp(decl->name, "pi") || !strcmp(decl->name, "π") || (strlen(decl->name) == 1 && strchr("xyzth", decl->name[0])) ||
                (slot && (slot->value->kind == VALUE_NUMBER || slot->value->kind == VALUE_FIELD));
  Diag *d = diag_report(&ev->host->diags, E0209, decl->span, "`%s ...` gives no value", decl->name);
  if (number && next && next->kind == AST_NAME) diag_suggest(d, "a product is written with `*`: %s*%s", decl->name, next->name);
  else if (number) diag_suggest(d, "a product is written with `*`: %s*(...)", decl->name);
  else diag_suggest(d, "a call needs parentheses: %s(...)", decl->name);
  return value_poison();
}
