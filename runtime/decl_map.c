/* map NAME { input fx in -0.3..0.3, ..; input ux(t) from bank B; output u from solve(..) } */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"
#include "dataset.h"
#include "map_bank.h"

#define APPEND(arena, array, n, type) (*(type *)appended(arena, (void **)&(array), &(n), sizeof(type)))

static void *appended(Arena *arena, void **array, int *n, size_t size) {
  void *more = arena_alloc(arena, size * (size_t)(*n + 1));
  if (*n) memcpy(more, *array, size * (size_t)*n);
  *array = more;
  return (char *)more + size * (size_t)(*n)++;
}

static bool written_wrong(Eval *ev, const Ast *clause, const char *example) {
  diag_suggest(diag_report(&ev->host->diags, E0209, clause->span, "`%s` is written otherwise", clause->name), "as in `%s`", example);
  return false;
}

static bool new_name(Eval *ev, const MapValue *map, Name name, Span span) {
  if (map_input(map, name) < 0 && map_output(map, name) < 0) return true;
  diag_report(&ev->host->diags, E0106, span, "`%s` has two inputs or outputs called `%s`", map->spec.name, name);
  return false;
}

/* --- inputs --- */

static bool input_range(Eval *ev, MapValue *map, const Ast *item) {
  static const char *const example = "input fx in -0.3..0.3, fy in 0..1";
  if (item->kind != AST_BINARY || item->op != OP_IN || item->kid[0]->kind != AST_NAME) {
    diag_suggest(diag_report(&ev->host->diags, E0209, item->span, "an input has a range, or is a function of time from a bank"), "as in `%s` or `input ux(t) from bank loads`", example);
    return false;
  }
  if (!new_name(ev, map, item->kid[0]->name, item->span)) return false;
  Value *range = eval_expr(ev, item->kid[1]);
  bool fine = range->kind == VALUE_RANGE || range->kind == VALUE_UNKNOWN;
  if (!fine && !is_poison(range)) diag_suggest(diag_report(&ev->host->diags, E0505, item->kid[1]->span, "the values of an input are a range; this is %s %s", value_article(range), value_kind_name(range)), "as in `%s`", example);
  MapInput input = {.name = item->kid[0]->name, .unit = UNIT_NONE, .lo = 0, .hi = 1};
  if (fine && range->kind == VALUE_RANGE) {
    input.unit = range->range_unit.any ? UNIT_NONE : range->range_unit;
    if (range->known) input.lo = range->from, input.hi = range->to;
    if (!(input.lo < input.hi)) {
      diag_report(&ev->host->diags, E3012, item->kid[1]->span, "the input `%s` ranges from %g to %g", input.name, input.lo, input.hi);
      fine = false;
    }
  }
  value_release(range);
  if (fine) APPEND(map->arena, map->spec.inputs, map->spec.ninputs, MapInput) = input;
  return fine;
}

/* from bank NAME, bank "file", bank (ux: [..]), bank [..]: the value; several spellings that the grammar reads as a call or an index of `bank`. */
static Value *bank_of(Eval *ev, const Ast *phrase, int from, Span *span) {
  const Ast *item = from + 1 < phrase->n ? phrase->kid[from + 1] : NULL, *next = from + 2 < phrase->n ? phrase->kid[from + 2] : NULL;
  if (!item) return NULL;
  *span = item->span;
  bool word = item->kind == AST_NAME && !strcmp(item->name, "bank");
  if (word && next) {
    *span = next->span;
    return eval_expr(ev, next);
  }
  bool call = item->kind == AST_CALL && item->kid[0]->kind == AST_NAME && !strcmp(item->kid[0]->name, "bank"), index = item->kind == AST_INDEX && item->kid[0]->kind == AST_NAME && !strcmp(item->kid[0]->name, "bank");
  if (!call && !index) return NULL;
  Ast *value = ARENA_NEW(ev->module->program->arena, Ast);
  *value = *item;
  value->kind = call ? AST_TUPLE : AST_LIST;
  value->kid = item->kid + 1;
  value->n = item->n - 1;
  return eval_expr(ev, value);
}

/* Units of histories are those of the bank: the first item of each says it. */
static void history_units(MapValue *map) {
  const Value *bank = map->bank;
  for (int i = 0; is_unknown(bank) && map->host->uses_units && i < map->spec.ninputs; i++)
    if (map->spec.inputs[i].history) map->spec.inputs[i].unit = UNIT_ANY;      /* of a file: known when it is read */
  for (int i = 0; i < map->spec.ninputs; i++) {
    MapInput *input = &map->spec.inputs[i];
    const Value *column = bank->kind == VALUE_LIST ? bank : NULL;
    for (int k = 0; bank->kind == VALUE_RECORD && k < bank->nfields; k++)
      if (bank->fields[k].name == input->name) column = bank->fields[k].value;
    const Value *first = column && column->kind == VALUE_LIST && column->n ? column->items[0] : NULL;
    if (!input->history || !first) continue;
    Unit unit = first->kind == VALUE_NUMBER ? first->unit : first->kind == VALUE_FIELD ? first->expr->unit : first->kind == VALUE_HISTORY ? first->curve_yunit : UNIT_NONE;
    input->unit = unit.any ? UNIT_NONE : unit;
  }
}

static bool clause_input(Eval *ev, MapValue *map, const Ast *clause) {
  const Ast *phrase = clause->kid[0];
  int from = -1;
  for (int i = 0; phrase && i < phrase->n; i++)
    if (phrase->kid[i]->kind == AST_NAME && !strcmp(phrase->kid[i]->name, "from")) from = i;
  bool fine = phrase && phrase->n;
  if (from < 0) {
    for (int i = 0; fine && i < phrase->n; i++) fine = input_range(ev, map, phrase->kid[i]);
    return fine || (phrase && phrase->n ? false : written_wrong(ev, clause, "input fx in -0.3..0.3"));
  }
  for (int i = 0; i < from; i++) {
    const Ast *item = phrase->kid[i];
    bool of_time = item->kind == AST_CALL && item->n == 2 && item->kid[0]->kind == AST_NAME && item->kid[1]->kind == AST_NAME && !strcmp(item->kid[1]->name, "t");
    if (!of_time) return written_wrong(ev, clause, "input ux(t), uy(t) from bank loads");
    if (!new_name(ev, map, item->kid[0]->name, item->span)) return false;
    APPEND(map->arena, map->spec.inputs, map->spec.ninputs, MapInput) = (MapInput){.name = item->kid[0]->name, .unit = UNIT_NONE, .lo = -1, .hi = 1, .history = true};
  }
  if (map->bank) {
    diag_suggest(diag_report(&ev->host->diags, E3013, clause->span, "the histories of a map come from one bank"), "name them together: input ux(t), uy(t) from bank loads");
    return false;
  }
  map->bank = bank_of(ev, phrase, from, &map->bank_span);
  if (!map->bank || !from) return written_wrong(ev, clause, "input ux(t), uy(t) from bank loads");
  if (map->bank->kind == VALUE_STRING) {
    Value *file = map->bank;
    map->bank = ev->dry || !file->known ? value_unknown() : dataset_bank(ev, file->text, map->bank_span);
    value_release(file);
  }
  if (!is_poison(map->bank)) history_units(map);
  return !is_poison(map->bank);
}

/* --- outputs --- */

typedef struct Mentions { const MapValue *map; bool found; } Mentions;

static bool mention(const Ast *node, void *user) {
  Mentions *m = user;
  if (node->kind == AST_NAME && map_input(m->map, node->name) >= 0) m->found = true;
  return !m->found;
}

static bool mentions_input(const MapValue *map, const Ast *node) {
  Mentions m = {map, false};
  ast_walk(node, mention, &m);
  return m.found;
}

/* A copy of the call in which arguments that do not depend on the inputs, and cost something, are names of values made once: the mesh. */
static const Ast *taken_out(Eval *ev, MapValue *map, const Ast *call) {
  if (call->kind != AST_CALL) return call;
  Ast *copy = ARENA_NEW(map->arena, Ast);
  *copy = *call;
  copy->kid = ARENA_ARRAY(map->arena, Ast *, call->n);
  for (int i = 0; i < call->n; i++) {
    Ast *arg = copy->kid[i] = call->kid[i];
    if (i == 0 || arg->kind != AST_CALL || mentions_input(map, arg)) continue;
    Buf name = {0};
    buf_printf(&name, "%%%d", map->scope->n);
    Ast *read = copy->kid[i] = ARENA_NEW(map->arena, Ast);
    *read = (Ast){.kind = AST_NAME, .span = arg->span, .height = 1, .name = intern_text(ev->host->names, buf_str(&name))};
    buf_free(&name);
    Value *v = eval_expr(ev, arg);
    scope_set(map->scope, read->name, v, arg->span)->used = true;
    value_release(v);
  }
  return copy;
}

static int source_index(Eval *ev, MapValue *map, const Ast *expr, const Ast **seen) {
  for (int i = 0; i < map->nsources; i++)
    if (ast_equal(seen[i], expr)) return i;
  seen[map->nsources] = expr;
  APPEND(map->arena, map->sources, map->nsources, MapSource) = (MapSource){taken_out(ev, map, expr), NULL};
  return map->nsources - 1;
}

enum { SOURCES_MOST = 32 };
typedef struct Outputs { const Ast *seen[SOURCES_MOST]; int over_time, at_once; } Outputs;

static bool clause_output(Eval *ev, MapValue *map, const Ast *clause, Outputs *outputs) {
  const Ast *phrase = clause->kid[0];
  int from = -1;
  for (int i = 0; phrase && i < phrase->n; i++)
    if (phrase->kid[i]->kind == AST_NAME && !strcmp(phrase->kid[i]->name, "from")) from = i;
  if (from < 1 || from + 2 != phrase->n || map->nsources == SOURCES_MOST) return written_wrong(ev, clause, "output u from solve(p(fx, fy), m)");
  int source = source_index(ev, map, phrase->kid[from + 1], outputs->seen);
  for (int i = 0; i < from; i++) {
    const Ast *item = phrase->kid[i];
    bool over_time = item->kind == AST_CALL && item->n == 2 && item->kid[1]->kind == AST_NAME && !strcmp(item->kid[1]->name, "t");
    const Ast *name = over_time ? item->kid[0] : item;
    if (name->kind != AST_NAME) return written_wrong(ev, clause, "output u from solve(p(fx, fy), m)");
    if (!new_name(ev, map, name->name, item->span)) return false;
    if (over_time) outputs->over_time++;
    else outputs->at_once++;
    int n = map->spec.noutputs, copy = n;
    APPEND(map->arena, map->spec.outputs, map->spec.noutputs, MapOutput) = (MapOutput){.name = name->name};
    APPEND(map->arena, map->source_of, n, int) = source;
    APPEND(map->arena, map->member_of, copy, Name) = name->name;
  }
  return true;
}

/* A history that no run has given yet: some function of time. */
static Expr *some_history(Host *host, Unit unit) {
  Unit time = host_time_unit(host);
  return expr_binary(host->pool, EXPR_MUL, expr_const(host->pool, 1, unit_div(unit, time)), expr_time(host->pool, time));
}

static bool describe_output(Eval *ev, MapValue *map, int o, Value *sol) {
  MapOutput *out = &map->spec.outputs[o];
  if (sol->kind != VALUE_SOLUTION) {
    diag_suggest(diag_report(&ev->host->diags, E3010, map->sources[map->source_of[o]].expr->span, "outputs are unknowns of a solution; this is %s %s", value_article(sol), value_kind_name(sol)),
                 "as in `output u from solve(p(fx), m)`");
    return false;
  }
  Value *field = solution_member(ev, sol, map->member_of[o], map->sources[map->source_of[o]].expr->span);
  bool fine = field->kind == VALUE_FIELD;
  if (!fine && !is_poison(field)) diag_report(&ev->host->diags, E3010, map->span, "`%s` is a number of the solution, no unknown", out->name);
  if (fine) {
    out->shape = field->expr->shape;
    out->unit = field->expr->unit.any ? UNIT_NONE : field->expr->unit;
    map->dim = sol->solution_pde->pde->pde->dim;
    out->ncomp = shape_size(out->shape, map->dim);
    if (!map->subject) map->subject = value_retain(value_subject(sol));
    if (!map->mesh) map->mesh = value_retain(sol->solution_mesh);
    const Form *form = sol->solution_pde->pde->form;
    if (map->transient && form && form->findings & FORM_STEADY) {
      diag_suggest(diag_report(&ev->host->diags, E3011, map->span, "the solution of `%s` has no time", out->name), "write `output %s from ...`", out->name);
      fine = false;
    }
  }
  value_release(field);
  return fine;
}

/* Shapes and units of the outputs: the sources are read as while checking, on inputs that are not known. */
static bool describe_outputs(Eval *ev, MapValue *map) {
  Scope *scope = scope_new(SCOPE_DECL, map->scope);
  for (int i = 0; i < map->spec.ninputs; i++) {
    const MapInput *input = &map->spec.inputs[i];
    Value *v = input->history ? value_field(some_history(ev->host, input->unit), NULL) : value_number_unknown(input->unit);
    scope_set(scope, input->name, v, map->span)->is_own = true;
    value_release(v);
  }
  Eval inner = *ev;
  inner.scope = scope;
  inner.dry = true;
  bool fine = true;
  for (int s = 0; fine && s < map->nsources; s++) {
    Value *sol = map->sources[s].shown = eval_expr(&inner, map->sources[s].expr);
    fine = !is_poison(sol) && sol->kind != VALUE_UNKNOWN;
    for (int o = 0; fine && o < map->spec.noutputs; o++)
      if (map->source_of[o] == s) fine = describe_output(&inner, map, o, sol);
  }
  for (int i = 0; fine && ev->dry && i < map->spec.ninputs; i++) {
    Slot *slot = scope_find_own(scope, map->spec.inputs[i].name);
    if (slot && !slot->used) {
      diag_suggest(diag_report(&ev->host->diags, E0103, map->span, "the input `%s` of `%s` is never used", slot->name, map->spec.name), "give it to the pde: solve(p(%s), m)", slot->name);
      fine = false;
    }
  }
  scope_release(scope);
  return fine;
}

/* --- the declaration --- */

static bool clause_option(Eval *ev, MapValue *map, const Ast *clause) {
  static const char *const words[] = {"balanced", "convex", "none"};
  const Ast *value = clause->kid[1] && clause->kid[1]->n == 1 ? clause->kid[1]->kid[0] : NULL;
  bool mixture = clause->kid[0]->kind == AST_NAME && !strcmp(clause->kid[0]->name, "mixture");
  for (int i = 0; mixture && value && value->kind == AST_NAME && i < 3; i++)
    if (!strcmp(value->name, words[i])) return map->spec.mixture = (Mixture)i, true;
  bool smooth = clause->kid[0]->kind == AST_NAME && !strcmp(clause->kid[0]->name, "continuous");
  if (smooth && value && value->kind == AST_BOOL) return map->smooth = value->number != 0, true;
  diag_suggest(diag_report(&ev->host->diags, E0202, clause->span, "this is no option of a map"),
               "it has `mixture: balanced`, `convex` or `none`: how histories of the bank may be combined; and `continuous: true`: histories do not jump");
  return false;
}

static bool read_clauses(Eval *ev, MapValue *map, const Ast *block) {
  Outputs outputs = {0};
  bool fine = true;
  for (int pass = 0; pass < 2; pass++)        /* what is taken out of outputs needs the names of all inputs */
    for (int i = 0; i < block->n && fine; i++) {
      const Ast *s = block->kid[i];
      bool input = s && s->kind == AST_DECL && !strcmp(s->name, "input"), output = s && s->kind == AST_DECL && !strcmp(s->name, "output"), option = s && s->kind == AST_OPTION;
      if (!s || (pass == 0) == output) continue;
      if (pass == 1) fine = clause_output(ev, map, s, &outputs);
      else if (input) fine = clause_input(ev, map, s);
      else if (option) fine = clause_option(ev, map, s);
      else {
        diag_suggest(diag_report(&ev->host->diags, E0202, s->span, "this is no clause of a map"), "it has input, output and mixture:");
        fine = false;
      }
    }
  if (!fine) return false;
  if (!map->spec.ninputs || !map->spec.noutputs) {
    diag_suggest(diag_report(&ev->host->diags, E3012, map->span, "the map `%s` has no %s", map->spec.name, map->spec.ninputs ? "output" : "input"), "write `input q in 0..1` and `output T from solve(p(q), m)`");
    return false;
  }
  map->transient = outputs.over_time > 0;
  if (map->transient && outputs.at_once) {
    diag_suggest(diag_report(&ev->host->diags, E3011, map->span, "either all outputs of a map are over all times or none is"), "write `output u(t) from ...` for each");
    return false;
  }
  if (map_has_histories(map) && !map->transient) {
    diag_suggest(diag_report(&ev->host->diags, E3011, map->span, "inputs over time belong to outputs over time"), "write `output %s(t) from ...`", map->spec.outputs[0].name);
    return false;
  }
  Bank bank;
  if (!map->bank) return true;
  fine = bank_open(ev, map, &bank);
  bank_close(&bank);
  return fine;
}

Flow decl_map(Eval *ev, const Ast *decl) {
  const Ast *phrase = decl->kid[0], *block = decl->n > 2 ? decl->kid[2] : NULL;
  const Ast *item = phrase && phrase->n == 1 ? phrase->kid[0] : NULL;
  if (!item || item->kind != AST_NAME || !block) return written_wrong(ev, decl, "map slab { input q in 0..1; output T from solve(conduct(q), m) }"), FLOW_STOP;
  Value *v = value_new(VALUE_MAP);
  MapValue *map = v->map = calloc(1, sizeof *map);
  map->arena = arena_new();
  map->decl = decl;
  map->span = item->span;
  map->host = ev->host;
  map->spec.name = item->name;
  map->program = program_retain(ev->module->program);
  map->module = module_retain(ev->module);
  map->scope = scope_new(SCOPE_DECL, ev->scope);
  host_pin(ev->host, ev->scope);
  Eval inner = *ev;
  bool fine = read_clauses(&inner, map, block) && describe_outputs(&inner, map);
  bool quiet = !fine && map->nsources && map->sources[0].shown && map->sources[0].shown->kind == VALUE_UNKNOWN;      /* made of what a run decides */
  if (!fine) {
    value_release(v);
    v = quiet && ev->dry ? value_unknown() : value_poison();
  }
  Slot *slot = scope_set(ev->scope, item->name, v, item->span);
  slot->decl = decl;
  value_release(v);
  return fine || ev->dry ? FLOW_NEXT : FLOW_STOP;
}

/* --- its parts --- */

int map_input(const MapValue *map, Name name) {
  for (int i = 0; i < map->spec.ninputs; i++)
    if (map->spec.inputs[i].name == name) return i;
  return -1;
}

int map_output(const MapValue *map, Name name) {
  for (int i = 0; i < map->spec.noutputs; i++)
    if (map->spec.outputs[i].name == name) return i;
  return -1;
}

bool map_has_histories(const MapValue *map) {
  for (int i = 0; i < map->spec.ninputs; i++)
    if (map->spec.inputs[i].history) return true;
  return false;
}

static void report_no(Eval *ev, const char *what, const MapValue *map, Name name, Span span, const Name *names, int n) {
  Diag *d = diag_report(&ev->host->diags, E0111, span, "`%s` has no %s `%s`", map->spec.name, what, name);
  Name near = nearest_name(name, names, n);
  Buf list = {0};
  for (int i = 0; i < n; i++) buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
  if (near) diag_replace(diag_suggest(d, "did you mean `%s`?", near), "%s", near);
  else diag_suggest(d, "it has %s", buf_str(&list));
  buf_free(&list);
}

void report_no_input(Eval *ev, const MapValue *map, Name name, Span span) {
  Name names[64];
  int n = 0;
  for (int i = 0; i < map->spec.ninputs && n < 64; i++) names[n++] = map->spec.inputs[i].name;
  report_no(ev, "input", map, name, span, names, n);
}

void report_no_output(Eval *ev, const MapValue *map, Name name, Span span) {
  Name names[64];
  int n = 0;
  for (int i = 0; i < map->spec.noutputs && n < 64; i++) names[n++] = map->spec.outputs[i].name;
  report_no(ev, "output", map, name, span, names, n);
}

Value *value_map(Value *v) { return v->kind == VALUE_MAP ? v : v->kind == VALUE_MODEL ? v->model->map : NULL; }

void map_print_domain(Buf *out, const MapValue *map) {
  for (int i = 0; i < map->spec.ninputs; i++) {
    const MapInput *input = &map->spec.inputs[i];
    buf_printf(out, "%s%s in ", input->name, input->history ? "(t)" : "");
    buf_number(out, input->lo);
    buf_puts(out, "..");
    buf_number(out, input->hi);
    buf_puts(out, " [");
    unit_print(out, input->unit);
    buf_puts(out, "]\n");
  }
  for (int k = 0; k < map->spec.nbank; k++)
    for (int i = 0, n = map->spec.grid ? map->spec.width : 0; i < n && map->bank_rows; i++) {
      int width = 0;
      for (int h = 0; h < map->spec.ninputs; h++) width += map->spec.inputs[h].history * map->spec.grid->nt;
      if (i >= width) break;
      buf_number(out, map->bank_rows[(size_t)k * (size_t)width + (size_t)i]);
      buf_putc(out, i + 1 < width ? ' ' : '\n');
    }
  buf_printf(out, "mixture %d\n", map->spec.mixture);
}
