/* discovery d { state u(x, y, t); trajectories: "a.h5", "b.h5"; language { order: 2; functions: [tanh]; fields: 5; nodes: 40 }; budget: 64 } */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"

static const char example[] = "as in discovery d { state u(x, y, t); trajectories: \"a.h5\", \"b.h5\"; language { order: 2; functions: [tanh]; fields: 5; nodes: 40 }; budget: 64 }";

static bool refuse(Eval *ev, DiagCode code, Span span, const char *text, const char *word) {
  diag_suggest(diag_report(&ev->host->diags, code, span, text, word), "%s", example);
  return false;
}

/* state u(x, y, t) */
static bool read_state(Eval *ev, DiscoveryValue *d, const Ast *s) {
  const Ast *call = s->kid[0] && s->kid[0]->n == 1 ? s->kid[0]->kid[0] : NULL;
  static const char *const coordinates[2][3] = {{"x", "t"}, {"x", "y", "t"}};
  if (!call || call->kind != AST_CALL || call->kid[0]->kind != AST_NAME || call->n < 3 || call->n > 4) return refuse(ev, E0209, s->span, "the state depends on x, y and t, or on x and t%s", "");
  d->space.dim = call->n - 2;
  for (int k = 1; k < call->n; k++)
    if (call->kid[k]->kind != AST_NAME || strcmp(call->kid[k]->name, coordinates[d->space.dim - 1][k - 1])) return refuse(ev, E0209, call->kid[k]->span, "the state depends on x, y and t, or on x and t, in this order%s", "");
  d->space.state = call->kid[0]->name;
  return true;
}

static bool read_trajectories(Eval *ev, DiscoveryValue *d, const Ast *s) {
  const Ast *phrase = s->kid[1];
  d->path = calloc((size_t)phrase->n + 1, sizeof *d->path);
  d->trajectories_span = s->span;
  for (int k = 0; k < phrase->n; k++) {
    Value *v = eval_expr(ev, phrase->kid[k]);
    bool text = v->kind == VALUE_STRING && v->known, fine = text || v->kind == VALUE_UNKNOWN || v->kind == VALUE_STRING;
    if (text) d->path[d->npaths++] = strdup(v->text);
    if (!fine && !is_poison(v)) refuse(ev, E0209, phrase->kid[k]->span, "`trajectories:` are names of files%s", "");
    value_release(v);
    if (!fine) return false;
  }
  return true;
}

static bool read_count(Eval *ev, const Ast *s, Name word, double least, double most, double *out) {
  Value *v = s->kid[1]->n == 1 ? eval_expr(ev, s->kid[1]->kid[0]) : value_none();
  bool number = v->kind == VALUE_NUMBER && v->known, fine = v->kind == VALUE_UNKNOWN || (v->kind == VALUE_NUMBER && !v->known);
  if (number && v->number == floor(v->number) && v->number >= least && v->number <= most) {
    *out = v->number;
    fine = true;
  }
  if (!fine && !is_poison(v)) diag_report(&ev->host->diags, E0209, s->span, "`%s:` is a whole number from %g to %g", word, least, most);
  value_release(v);
  return fine;
}

static bool read_functions(Eval *ev, DiscoveryValue *d, const Ast *s) {
  const Ast *list = s->kid[1]->n == 1 && s->kid[1]->kid[0]->kind == AST_LIST ? s->kid[1]->kid[0] : NULL;
  if (!list) return refuse(ev, E0209, s->span, "`functions:` is a list of names%s", "");
  for (int k = 0; k < list->n; k++) {
    int row = 0;
    Name name = list->kid[k]->kind == AST_NAME ? list->kid[k]->name : "";
    while (row < LAW_FUNCTIONS && strcmp(law_functions[row].name, name)) row++;
    if (row == LAW_FUNCTIONS) {
      Diag *diag = diag_report(&ev->host->diags, E0209, list->kid[k]->span, "`%s` is no function that laws may have", name);
      diag_suggest(diag, "they are %s, %s, %s and %s", law_functions[0].name, law_functions[1].name, law_functions[2].name, law_functions[3].name);
      return false;
    }
    d->space.functions |= 1u << row;
  }
  return true;
}

static Name option_word(const Ast *s) { return s->kind == AST_OPTION && s->kid[0]->kind == AST_NAME ? s->kid[0]->name : ""; }

static bool read_language(Eval *ev, DiscoveryValue *d, const Ast *block) {
  double order = d->space.order, fields = d->space.fields, nodes = d->space.nodes;
  for (int i = 0; i < block->n; i++) {
    const Ast *s = block->kid[i];
    Name word = s ? option_word(s) : "";
    bool fine = true;
    if (!s) continue;
    if (!strcmp(word, "order")) fine = read_count(ev, s, word, 1, LAW_ORDER, &order);
    else if (!strcmp(word, "fields")) fine = read_count(ev, s, word, 0, LAW_FIELDS, &fields);
    else if (!strcmp(word, "nodes")) fine = read_count(ev, s, word, 1, LAW_NODES, &nodes);
    else if (!strcmp(word, "functions")) fine = read_functions(ev, d, s);
    else fine = refuse(ev, E0202, s->span, *word ? "a language has no option `%s`: it has order, functions, fields and nodes" : "this is no option of a language%s", word);
    if (!fine) return false;
  }
  d->space.order = (int)order;
  d->space.fields = (int)fields;
  d->space.nodes = (int)nodes;
  return true;
}

static bool read_clause(Eval *ev, DiscoveryValue *d, const Ast *s) {
  Name word = s->kind == AST_OPTION ? option_word(s) : s->kind == AST_DECL || s->kind == AST_OPTIONS ? s->name : "";
  if (s->kind == AST_DECL && !strcmp(word, "state")) return read_state(ev, d, s);
  if (s->kind == AST_OPTION && !strcmp(word, "trajectories") && !d->path) return read_trajectories(ev, d, s);
  if (s->kind == AST_OPTION && !strcmp(word, "budget")) return read_count(ev, s, word, 1, 1e6, &d->budget);
  if (s->kind == AST_OPTIONS && !strcmp(word, "language")) return read_language(ev, d, s->kid[0]);
  return refuse(ev, E0202, s->span, *word ? "a discovery has no clause `%s` of this form, or not twice" : "this is no clause of a discovery%s", word);
}

Flow decl_discovery(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL, *item = phrase && phrase->n == 1 ? phrase->kid[0] : NULL;
  if (!item || item->kind != AST_NAME || !block) return refuse(ev, E0209, decl->span, "`discovery` is written otherwise%s", ""), FLOW_STOP;
  Value *v = value_new(VALUE_DISCOVERY);
  DiscoveryValue *d = v->discovery = calloc(1, sizeof *d);
  *d = (DiscoveryValue){.name = item->name, .budget = 64, .declaration = discovery_text(ev->host, decl->span), .span = decl->span, .trajectories_span = decl->span,
                        .space = {.pool = ev->host->pool, .unit = UNIT_ANY, .order = 2, .fields = 5, .nodes = 40}};
  bool fine = true;
  for (int i = 0; i < block->n && fine; i++)
    if (block->kid[i]) fine = read_clause(ev, d, block->kid[i]);
  if (fine && !d->space.state) fine = refuse(ev, E0209, decl->span, "the discovery `%s` has no state", item->name);
  if (fine && !d->path) fine = refuse(ev, E0209, decl->span, "the discovery `%s` has no trajectories", item->name);
  if (!fine) {
    value_release(v);
    v = value_poison();
  }
  scope_set(ev->scope, item->name, v, item->span)->decl = decl;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}
