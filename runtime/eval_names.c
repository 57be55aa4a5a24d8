/* Names: scopes, the subject's boundaries and regions, coordinates, builtins, option words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "dataset.h"
#include "doc.h"
#include "eval.h"
#include "fit.h"
#include "hypothesis.h"
#include "samples.h"
#include "trace.h"
#include "temperature.h"

Slot *scope_lookup(Eval *ev, Name name) {
  for (Scope *s = ev->scope; s; s = s->parent) {
    Slot *slot = scope_find_own(s, name);
    if (slot) return slot;
  }
  return NULL;
}

Unit host_length_unit(const Host *host) {
  UnitScale metre;
  return host->uses_units && unit_symbol("m", &metre) ? metre.unit : UNIT_NONE;
}

Unit host_time_unit(const Host *host) {
  UnitScale second;
  return host->uses_units && unit_symbol("s", &second) ? second.unit : UNIT_NONE;
}

/* x y z t n h I, where nothing else has the name. */
static Expr *coordinate(Eval *ev, Name name) {
  if (name[0] == 0 || name[1] != 0) return NULL;
  ExprPool *pool = ev->host->pool;
  switch (name[0]) {
    case 'x': return expr_coord(pool, 0, host_length_unit(ev->host));
    case 'y': return expr_coord(pool, 1, host_length_unit(ev->host));
    case 'z': return expr_coord(pool, 2, host_length_unit(ev->host));
    case 't': return expr_time(pool, host_time_unit(ev->host));
    case 'n': return expr_normal(pool, EXTENT_DIM);
    case 'h': return expr_size(pool, host_length_unit(ev->host));
    case 'I': return expr_identity(pool, EXTENT_DIM);
    default: return NULL;
  }
}

/* A param is a symbol inside field expressions: solve and -D may still change it. */
static Value *param_symbol(Eval *ev, const Slot *slot) {
  ExprPool *pool = ev->host->pool;
  const Value *v = slot->value;
  Expr *e = NULL;
  if (v->kind == VALUE_NUMBER) e = expr_param(pool, slot->name, SHAPE_SCALAR, v->unit.any ? UNIT_NONE : v->unit, true);
  if (!e) return value_retain((Value *)v);
  Value *symbol = value_field(e, NULL);
  symbol->temperature = v->temperature;
  return symbol;
}

static Value *subject_place(Eval *ev, Scope *scope, Name name, Span span) {
  if (!scope->subject) return NULL;
  (void)span;
  Value *v = place_by_name(ev, scope->subject, NULL, name);
  return v;
}

Value *eval_name(Eval *ev, Name name, Span span) {
  Expr *coord = coordinate(ev, name);
  for (Scope *s = ev->scope; s; s = s->parent) {
    Slot *slot = scope_find_own(s, name);
    if (slot && coord && s->kind == SCOPE_FILE && ev->symbolic && slot->value->kind != VALUE_FUNCTION) {
      slot->used = true;
      Diag *d = diag_report(&ev->host->diags, E0102, span, "`%s` is the file's variable, but in a field expression it is read as %s", name,
                            name[0] == 't' ? "the time" : name[0] == 'n' ? "the normal" : name[0] == 'h' ? "the cell size" : name[0] == 'I' ? "the identity" : "the coordinate");
      diag_note(d, slot->span, "defined here");
      diag_suggest(d, "give the variable another name");
      return value_poison();
    }
    if (slot) {
      slot->used = true;
      if (slot->is_param && ev->symbolic) return param_symbol(ev, slot);
      if (slot->value->kind == VALUE_DECLARED && ev->dry) return value_unknown();
      bool at_a_time = ev->at_time == ev->at_time && slot->value->kind == VALUE_FIELD && slot->value->deps.n;   /* inside history: each state */
      return at_a_time ? with_field_time(ev, slot->value, ev->at_time) : value_retain(slot->value);
    }
    Value *place = subject_place(ev, s, name, span);
    if (place) return place;
  }
  if (coord) return value_field(coord, NULL);
  if (!strcmp(name, "pi") || !strcmp(name, "π")) return value_number(PI, UNIT_NONE);
  if (!strcmp(name, "lambda") && ev->symbolic) return value_field(expr_lambda(ev->host->pool), NULL);
  const BuiltinRow *row = builtin_find(ev->host, name);
  if (row) {
    Value *v = value_new(VALUE_BUILTIN);
    v->builtin = row;
    return v;
  }
  if (builtin_is_word(name)) return value_word(name);
  const HostFunction *host_function = host_function_find(ev->host, name);
  if (host_function) {
    Value *v = value_new(VALUE_HOSTCALL);
    v->host_function = host_function;
    return v;
  }
  Value *prelude = prelude_name(ev, name);
  if (prelude) return prelude;
  if (builtin_is_later(name)) {
    ev->host->needs_later = true;
    if (!ev->host->checking_only) diag_report(&ev->host->diags, E0900, span, "this build cannot run `%s` yet", name);
    return ev->dry ? value_unknown() : value_poison();
  }
  eval_report_unknown_name(ev, name, span);
  return value_poison();
}

/* What other programs and textbooks call them. */
static const struct { const char *theirs, *ours; } aliases[] = {
    {"laplacian", "lap"}, {"laplace", "lap"}, {"nabla", "grad"}, {"gradient", "grad"}, {"divergence", "div"}, {"rot", "curl"}, {"trace", "tr"},
    {"strain", "eps"}, {"symgrad", "eps"}, {"sym", "eps"}, {"ln", "log"}, {"arctan", "atan"}, {"arcsin", "asin"}, {"arccos", "acos"}, {"fabs", "abs"},
    {"sqr", "sqrt"}, {"trans", "transpose"}, {"Identity", "I"}, {"identity", "I"}, {"FacetNormal", "n"}, {"diff", "dx"}, {"ds", "integral"},
    {"int2d", "integral"}, {"int1d", "integral"}, {"circle", "disk"}, {"square", "rectangle"}, {"Rectangle", "rectangle"}, {"line", "interval"},
    {"cube", "box"}, {"ball", "sphere"}, {"printf", "print"}, {"save_vtk", "export"}, {"crank_nicholson", "crank_nicolson"}, {"length", "len"},
};
enum { ALIASES = sizeof aliases / sizeof *aliases };

static const char *alias_of(Name name) {
  for (int i = 0; i < ALIASES; i++)
    if (!strcmp(aliases[i].theirs, name)) return aliases[i].ours;
  return NULL;
}

/* A name that is missing is said once; what follows from it is no news. */
static bool already_said(Host *host, Name name) {
  Buf said = {0};
  buf_printf(&said, "`%s` is not known here", name);
  bool found = false;
  for (int i = 0; i < host->diags.n && !found; i++) found = host->diags.items[i]->code == E0101 && !strcmp(host->diags.items[i]->message, buf_str(&said));
  buf_free(&said);
  return found;
}

/* The place where the file defines that name after all, below its use; NULL: nowhere. */
static const Ast *defined_below(const Eval *ev, Name name, Span use) {
  const Ast *root = ev->module && ev->module->program ? ev->module->program->root : NULL;
  for (int i = 0; root && i < root->n; i++) {
    const Ast *node = root->kid[i];
    if (node && node->span.start > use.start && doc_declared_name(node) == name) return node->kid[0];
  }
  return NULL;
}

/* Candidates for "did you mean": every visible name, builtins, option words, the subject's groups. */
void eval_report_unknown_name(Eval *ev, Name name, Span span) {
  if (already_said(ev->host, name)) return;
  if (ev->host->diags.dropped) {      /* counted, not shown */
    diag_report(&ev->host->diags, E0101, span, "`%s` is not known here", name);
    return;
  }
  int n = 0, cap = 512;
  Name *all = malloc((size_t)cap * sizeof *all);
  const char *where = NULL;
  for (Scope *s = ev->scope; s; s = s->parent) {
    for (int i = 0; i < s->n && n < cap; i++) all[n++] = s->slots[i].name;
    if (!s->subject) continue;
    const GeomGroup *groups;
    int ngroups = place_groups(s->subject, &groups);
    for (int i = 0; i < ngroups && n < cap; i++) all[n++] = groups[i].bare ? groups[i].bare : groups[i].name;
    where = "the geometry";
  }
  for (int i = 0; i < builtin_count() && n < cap; i++) all[n++] = builtin_at(i)->name;
  int nwords;
  const char *const *words = builtin_words(&nwords);
  for (int i = 0; i < nwords && n < cap; i++) all[n++] = words[i];
  Diag *d = diag_report(&ev->host->diags, E0101, span, "`%s` is not known here", name);
  const char *near = alias_of(name);
  const Ast *below = defined_below(ev, name, span);
  if (!near) near = nearest_name(name, all, n);
  if (below) diag_suggest(diag_note(d, below->span, "it is defined here, below"), "a name is known below its definition: move one of the two");
  else if (near) diag_replace(diag_suggest(d, "did you mean `%s`?", near), "%s", near);
  else if (where) diag_suggest(d, "define it above, or use a name of %s", where);
  else diag_suggest(d, "define it above its use: `%s = ...`", name);
  free(all);
}

/* --- members and indices --- */

static Value *component(Eval *ev, Value *of, const int *index, int n, Span span) {
  Expr *e = expr_component(ev->host->pool, of->expr, index, n);
  if (!e) {
    Buf shape = {0};
    shape_print(&shape, of->expr->shape);
    diag_report(&ev->host->diags, E0506, span, "there is no such component in a %s", buf_str(&shape));
    buf_free(&shape);
    return value_poison();
  }
  Value *v = value_field(e, &of->deps);
  v->mesh_hint = value_retain(of->mesh_hint);
  return v;
}

static Value *field_member(Eval *ev, Value *of, Name name, Span span) {
  int index[2], n = 0;
  for (const char *c = name; *c && n < 2; c++, n++) {
    if (*c < 'x' || *c > 'z') break;
    index[n] = *c - 'x';
  }
  if (n == (int)strlen(name) && n == of->expr->shape.rank) return component(ev, of, index, n, span);
  Buf shape = {0};
  shape_print(&shape, of->expr->shape);
  Diag *d = diag_report(&ev->host->diags, E0111, span, "this is a %s; it has no `%s`", buf_str(&shape), name);
  if (of->expr->shape.rank == 0) diag_suggest(d, "leave `.%s` out: a scalar has no components", name);
  else if (of->expr->shape.rank == 1) diag_suggest(d, "components are .x .y .z, or [0] [1] [2]");
  else if (of->expr->shape.rank == 2) diag_suggest(d, "components are .xx .xy ..., or [0, 1]");
  buf_free(&shape);
  return value_poison();
}

static Value *record_member(Eval *ev, Value *of, Name name, Span span) {
  Name names[32];
  int n = 0;
  for (int i = 0; i < of->nfields; i++) {
    if (of->fields[i].name == name) return value_retain(of->fields[i].value);
    if (n < 32) names[n++] = of->fields[i].name;
  }
  Diag *d = diag_report(&ev->host->diags, E0111, span, "the record has no `%s`", name);
  Name near = nearest_name(name, names, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  return value_poison();
}

static Value *module_member(Eval *ev, Value *of, Name name, Span span) {
  Scope *scope = ev->dry ? of->module->dry_scope : of->module->scope;
  Slot *slot = scope ? scope_find_own(scope, name) : NULL;
  if (slot && name[0] != '_') {
    slot->used = true;
    return value_retain(slot->value);
  }
  Diag *d = diag_report(&ev->host->diags, name[0] == '_' ? E0109 : E0111, span,
                        name[0] == '_' ? "`%s` is private to `%s`" : "`%s` is not defined in `%s`", name, of->module->path);
  if (!slot && scope) {
    Name names[128];
    int n = 0;
    for (int i = 0; i < scope->n && n < 128; i++) names[n++] = scope->slots[i].name;
    Name near = nearest_name(name, names, n);
    if (near) diag_suggest(d, "did you mean `%s`?", near);
  }
  return value_poison();
}

/* h.values beside h.times, or h.distances of values along a line. */
static Value *history_member(Eval *ev, Value *of, Name name, Span span) {
  const char *at = of->curve_in_space ? "distances" : "times";
  bool values = !strcmp(name, "values");
  if (!values && strcmp(name, at)) {
    diag_suggest(diag_report(&ev->host->diags, E0111, span, "a history has no member `%s`", name), "it has .%s and .values", at);
    return value_poison();
  }
  if (ev->dry) return value_unknown();
  Value **items = calloc((size_t)of->ncurve + 1, sizeof *items);
  for (int i = 0; i < of->ncurve; i++) items[i] = values ? temperature_kept(of, value_number(of->curve_y[i], of->curve_yunit)) : value_number(of->curve_x[i], of->curve_xunit);
  Value *v = value_items(VALUE_LIST, items, of->ncurve);
  for (int i = 0; i < of->ncurve; i++) value_release(items[i]);
  free(items);
  return v;
}

Value *eval_member(Eval *ev, Value *of, Name name, Span span, Span name_span) {
  switch (of->kind) {
    case VALUE_POISON: return value_poison();
    case VALUE_UNKNOWN: return value_unknown();
    case VALUE_FIELD: return field_member(ev, of, name, name_span);
    case VALUE_RECORD: return record_member(ev, of, name, name_span);
    case VALUE_MODULE: return module_member(ev, of, name, name_span);
    case VALUE_SOLUTION: return solution_member(ev, of, name, name_span);
    case VALUE_GEOMETRY:
    case VALUE_MESH: {
      Value *place = place_by_name(ev, of, NULL, name);
      if (place) return place;
      place_report_unknown(ev, of, NULL, name, name_span);
      return value_poison();
    }
    case VALUE_PLACE: {
      Value *place = of->where.n == 1 && of->subject ? place_by_name(ev, of->subject, of->where.names[0], name) : NULL;
      if (place) return place;
      place_report_unknown(ev, of->subject, of->where.n ? of->where.names[0] : NULL, name, name_span);
      return value_poison();
    }
    case VALUE_PROBE: return probe_member(ev, of, name, name_span);
    case VALUE_VERDICT: return verdict_member(ev, of, name, name_span);
    case VALUE_MODES: return modes_member(ev, of, name, name_span);
    case VALUE_DATASET: return dataset_member(ev, of, name, name_span);
    case VALUE_STUDY: return study_member(ev, of, name, name_span);
    case VALUE_HYPOTHESIS: return hypothesis_member(ev, of, name, name_span);
    case VALUE_FIT: return fit_member(ev, of, name, name_span);
    case VALUE_SAMPLES: return samples_member(ev, of, name, name_span);
    case VALUE_HISTORY: return history_member(ev, of, name, name_span);
    case VALUE_TUPLE:
      if (strlen(name) == 1 && name[0] >= 'x' && name[0] <= 'z' && name[0] - 'x' < of->n) return value_retain(of->items[name[0] - 'x']);
      break;
    default: break;
  }
  diag_report(&ev->host->diags, E0111, span, "%s %s has no member `%s`", value_article(of), value_kind_name(of), name);
  return value_poison();
}

/* m(z)[u] where u names the only output: the prediction itself. */
static Value *only_output(Eval *ev, Value *of, Name name, Span span) {
  const MapValue *map = ev->trace->m;
  if (map_output(map, name) >= 0) return value_retain(of);
  report_no_output(ev, map, name, span);
  return value_poison();
}

Value *eval_index(Eval *ev, Value *of, Value **index, int n, Span span) {
  if (of->kind == VALUE_UNKNOWN) return value_unknown();
  if (of->kind == VALUE_PROBE && n == 1) return probe_index(ev, of, index[0], span);
  if (of->kind == VALUE_MODES) return eval_index(ev, of->mode_list, index, n, span);
  if (of->kind == VALUE_FIELD && n == 1 && index[0]->kind == VALUE_WORD && ev->trace && value_traced(of)) return only_output(ev, of, index[0]->word, span);
  if (of->kind == VALUE_FIELD) {
    int at[3];
    if (n > 3) return value_poison();
    for (int i = 0; i < n; i++) {
      double k;
      if (!eval_to_number(ev, index[i], span, "an index", UNIT_NONE, &k)) return value_poison();
      at[i] = (int)k;
    }
    return component(ev, of, at, n, span);
  }
  bool listlike = of->kind == VALUE_LIST || of->kind == VALUE_TUPLE;
  if (n == 1 && listlike && index[0]->kind == VALUE_RANGE) {
    Value *r = index[0];
    if (!r->known || !of->known) return value_unknown();
    int from = (int)r->from, to = (int)r->to;
    if (from < 0) from += of->n;
    if (to < 0) to += of->n;
    if (from < 0 || to >= of->n || to < from - 1) {
      diag_report(&ev->host->diags, E0506, span, "the slice %d..%d leaves a list of %d", (int)r->from, (int)r->to, of->n);
      return value_poison();
    }
    return value_items(of->kind, of->items + from, to - from + 1);
  }
  if (n == 1 && of->kind == VALUE_SOLUTION && index[0]->kind == VALUE_WORD) return solution_member(ev, of, index[0]->word, span);
  if (n == 1 && of->kind == VALUE_RECORD && index[0]->kind == VALUE_WORD) return record_member(ev, of, index[0]->word, span);
  if (n != 1 || !listlike) {
    diag_report(&ev->host->diags, E0508, span, "%s %s cannot be indexed%s", value_article(of), value_kind_name(of), n == 1 ? "" : " by several numbers");
    return value_poison();
  }
  if (is_unknown(index[0])) return of->n && of->items[0]->kind == VALUE_NUMBER ? value_number_unknown(of->items[0]->unit) : value_unknown();
  double k;
  if (!eval_to_number(ev, index[0], span, "an index", UNIT_NONE, &k)) return value_poison();
  if (!of->known && of->kind == VALUE_LIST) return value_unknown();
  int at = (int)k;
  if (k != floor(k) || at >= of->n || at < -of->n) {
    Diag *d = diag_report(&ev->host->diags, E0506, span, "index %g leaves a list of %d", k, of->n);
    diag_suggest(d, "indices run from 0 to %d, or from -1 at the end", of->n - 1);
    return value_poison();
  }
  return value_retain(of->items[at < 0 ? at + of->n : at]);
}
