#include "value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"
#include "hypothesis.h"
#include "search.h"
#include "eval.h"
#include "map_value.h"
#include "fit.h"
#include "samples.h"
#include "verdict.h"
#include "view.h"

static const char *const kind_names[VALUE_KINDS] = {
#define VALUE(kind, name, doc) [VALUE_##kind] = name,
#include "value.def"
#undef VALUE
};

Value *value_new(ValueKind kind) {
  Value *v = calloc(1, sizeof *v);
  if (!v) {
    fputs("pde: out of memory\n", stderr);
    exit(EXIT_ENVIRONMENT);
  }
  v->kind = kind;
  v->refs = 1;
  v->known = true;
  return v;
}

Value *value_retain(Value *v) {
  if (v) v->refs++;
  return v;
}

static void items_release(Value **items, int n) {
  for (int i = 0; i < n; i++) value_release(items[i]);
  free(items);
}

static void pde_value_free(PdeValue *p) {
  if (p->form && !p->base) form_free(p->form);
  for (int i = 0; i < p->nbindings; i++) value_release(p->binding_values[i]);
  for (int i = 0; i < p->ngiven; i++) value_release(p->given[i].value);
  free(p->given);
  free(p->bindings);
  free(p->binding_values);
  value_release(p->geometry);
  if (!p->base) arena_free(p->arena);
  value_release(p->base);
  program_release(p->program);
  free(p);
}

static void table_free(StudyTable *t) {
  for (int i = 0; i < t->ncolumns; i++) free(t->columns[i]);
  free(t->columns);
  free(t->units);
  free(t->shown);
  for (int i = 0; t->texts && i < t->nrows * t->ncolumns; i++) free(t->texts[i]);
  free(t->texts);
  free(t->cells);
  free(t->title);
  free(t);
}

static void function_free(Function *f) {
  free(f->params);
  value_release(f->other);
  scope_release(f->scope);
  program_release(f->program);
  free(f);
}

static void content_free(Value *v) {
  switch (v->kind) {
    case VALUE_STRING: free(v->text); break;
    case VALUE_TUPLE:
    case VALUE_LIST: items_release(v->items, v->n); break;
    case VALUE_RECORD:
      for (int i = 0; i < v->nfields; i++) value_release(v->fields[i].value);
      free(v->fields);
      break;
    case VALUE_FUNCTION:
    case VALUE_CONTRACT: function_free(v->function); break;
    case VALUE_FIELD:
      deps_free(&v->deps);
      value_release(v->mesh_hint);
      break;
    case VALUE_GEOMETRY: geom_release(v->geom); break;
    case VALUE_PLACE:
      free(v->where.names);
      value_release(v->subject);
      break;
    case VALUE_MESH:
      if (v->mesh) engine_mesh_release(v->mesh);
      value_release(v->mesh_geometry);
      free(v->mesh_groups);
      break;
    case VALUE_PDE: pde_value_free(v->pde); break;
    case VALUE_SOLUTION:
      if (v->solution) engine_solution_release(v->solution);
      value_release(v->solution_pde);
      value_release(v->solution_mesh);
      break;
    case VALUE_MODES:
      value_release(v->mode_list);
      value_release(v->mode_values);
      value_release(v->mode_imaginary);
      value_release(v->mode_residuals);
      break;
    case VALUE_STUDY: table_free(v->table); break;
    case VALUE_DATASET: dataset_free(v->dataset); break;
    case VALUE_DISCOVERY: discovery_free(v->discovery); break;
    case VALUE_POLICY: policy_free(v->policy); break;
    case VALUE_SEARCH: search_free(v->search); break;
    case VALUE_HYPOTHESIS: hypothesis_free(v->hypothesis); break;
    case VALUE_CONDITION:
      value_release(v->left);
      value_release(v->right);
      scope_release(v->equation_scope);
      program_release(v->equation_program);
      break;
    case VALUE_VERDICT:
      for (int i = 0; i < v->nverdicts; i++) verdict_clear(&v->verdicts[i]);
      free(v->verdicts);
      if (v->gate) free(v->gate->replay);
      free(v->gate);
      break;
    case VALUE_MAP: map_value_free(v->map); break;
    case VALUE_MODEL: model_value_free(v->model); break;
    case VALUE_PROBE: probe_value_free(v->probe); break;
    case VALUE_DOMAIN: value_release(v->domain_of); break;
    case VALUE_HISTORY:
      free(v->curve_x);
      free(v->curve_y);
      break;
    case VALUE_FIT: fit_free(v->fit); break;
    case VALUE_SAMPLES: samples_free(v->samples); break;
    case VALUE_MODULE: module_release(v->module); break;
    case VALUE_VIEW: view_free(v->view); break;
    case VALUE_THUNK: scope_release(v->thunk_scope); break;
    case VALUE_DECLARED: program_release(v->declared_program); break;
    default: break;
  }
}

void value_release(Value *v) {
  if (!v || --v->refs > 0) return;
  content_free(v);
  free(v);
}

Value *value_none(void) { return value_new(VALUE_NONE); }
Value *value_poison(void) { return value_new(VALUE_POISON); }

Value *value_unknown(void) {
  Value *v = value_new(VALUE_UNKNOWN);
  v->known = false;
  return v;
}

Value *value_bool(bool truth) {
  Value *v = value_new(VALUE_BOOL);
  v->truth = truth;
  return v;
}

Value *value_number(double x, Unit unit) {
  Value *v = value_new(VALUE_NUMBER);
  v->number = x;
  v->unit = unit;
  return v;
}

Value *value_int(double x) {
  Value *v = value_number(x, UNIT_NONE);
  v->integer = true;
  return v;
}

Value *value_number_unknown(Unit unit) {
  Value *v = value_number(NAN, unit);
  v->known = false;
  return v;
}

Value *value_string(const char *text, size_t len) {
  Value *v = value_new(VALUE_STRING);
  v->text = malloc(len + 1);
  if (len) memcpy(v->text, text, len);
  v->text[len] = 0;
  v->len = len;
  return v;
}

Value *value_items(ValueKind kind, Value **items, int n) {
  Value *v = value_new(kind);
  v->items = malloc((size_t)(n ? n : 1) * sizeof *v->items);
  v->n = n;
  for (int i = 0; i < n; i++) v->items[i] = value_retain(items[i]);
  return v;
}

Value *value_field(Expr *expr, const Deps *deps) {
  Value *v = value_new(VALUE_FIELD);
  v->expr = expr;
  if (deps) deps_union(&v->deps, deps);
  return v;
}

Value *value_word(Name word) {
  Value *v = value_new(VALUE_WORD);
  v->word = word;
  return v;
}

const char *value_kind_name(const Value *v) {
  if (v->kind == VALUE_NUMBER && v->integer) return "int";
  return kind_names[v->kind];
}

const char *value_article(const Value *v) { return strchr("aeio", value_kind_name(v)[0]) ? "an" : "a"; }

bool value_truthful(const Value *v, bool *out) {
  if (v->kind != VALUE_BOOL) return false;
  *out = v->truth;
  return true;
}

static bool items_equal(const Value *a, const Value *b) {
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (!value_equal(a->items[i], b->items[i])) return false;
  return true;
}

bool value_equal(const Value *a, const Value *b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case VALUE_NONE: return true;
    case VALUE_BOOL: return a->truth == b->truth;
    case VALUE_NUMBER: return a->number == b->number && unit_fits(a->unit, b->unit);
    case VALUE_STRING: return a->len == b->len && !memcmp(a->text, b->text, a->len);
    case VALUE_TUPLE:
    case VALUE_LIST: return items_equal(a, b);
    case VALUE_WORD: return a->word == b->word;
    case VALUE_FIELD: return a->expr == b->expr;
    case VALUE_RECORD:
      if (a->nfields != b->nfields) return false;
      for (int i = 0; i < a->nfields; i++)
        if (a->fields[i].name != b->fields[i].name || !value_equal(a->fields[i].value, b->fields[i].value)) return false;
      return true;
    case VALUE_RANGE: return a->from == b->from && a->to == b->to && a->by == b->by;
    default: return false;
  }
}

void deps_union(Deps *into, const Deps *more) {
  for (int i = 0; i < more->n; i++) {
    bool there = false;
    for (int k = 0; k < into->n && !there; k++) there = into->solutions[k] == more->solutions[i];
    if (there) continue;
    into->solutions = realloc(into->solutions, (size_t)(into->n + 1) * sizeof *into->solutions);
    into->solutions[into->n++] = value_retain(more->solutions[i]);
  }
}

void deps_free(Deps *deps) {
  items_release(deps->solutions, deps->n);
  *deps = (Deps){0};
}
