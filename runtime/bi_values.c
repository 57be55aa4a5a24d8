/* Values: lists, text, the environment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"
#include "lookup.h"

static Value *run_print(Call *call) {
  Host *host = call->ev->host;
  if (call->ev->dry) return value_none();
  Buf line = {0};
  for (int i = 0; i < call->nrest; i++) {
    if (i) buf_putc(&line, ' ');
    value_print(&line, call->rest[i]);
  }
  buf_putc(&line, '\n');
  host_note_printed(host, call);
  if (!host->json) host_print(host, buf_str(&line), line.len);
  buf_free(&line);
  return value_none();
}

static Value *run_len(Call *call) {
  Value *v = ARG(0);
  if (is_unknown(v)) return value_number_unknown(UNIT_NONE);
  switch (v->kind) {
    case VALUE_LIST:
    case VALUE_TUPLE: return value_int(v->n);
    case VALUE_STRING: return value_int((double)v->len);
    case VALUE_RECORD: return value_int(v->nfields);
    case VALUE_RANGE: return value_int(floor((v->to - v->from) / (v->has_by ? v->by : 1) + 1e-9) + 1);
    default: break;
  }
  REPORT(E0505, "%s %s has no length", value_article(v), value_kind_name(v));
  return value_poison();
}

static Value *run_sum(Call *call) {
  Value *list = ARG(0), *total = value_number(0, UNIT_ANY);
  total->integer = true;
  if (is_unknown(list) || list->kind == VALUE_RANGE) {
    value_release(total);
    return value_unknown();
  }
  for (int i = 0; i < list->n && !is_poison(total); i++) {
    Value *next = eval_binary(call->ev, OP_ADD, total, list->items[i], call->span, call->span, call->spans[0]);
    value_release(total);
    total = next;
  }
  return total;
}

static Value *run_env(Call *call) {
  if (is_unknown(ARG(0))) return value_unknown();
  if (call->ev->host->limits.files || !strcmp(ARG(0)->text, "PDE_LLM_API_KEY")) {
    diag_report(&call->ev->host->diags, E0567, call->spans[0], call->ev->host->limits.files ? "this host keeps scripts from its environment" : "`%s` is a secret that scripts do not see", ARG(0)->text);
    return value_poison();
  }
  const char *text = getenv(ARG(0)->text);
  return value_string(text ? text : "", text ? strlen(text) : 0);
}

static Value *run_string(Call *call) {
  Buf out = {0};
  value_print(&out, ARG(0));
  Value *v = value_string(buf_str(&out), out.len);
  buf_free(&out);
  return v;
}

/* linspace(a, b, n): n numbers at equal distances, both ends among them. */
static Value *run_linspace(Call *call) {
  double a, b, n;
  Unit unit = ARG(0)->kind == VALUE_NUMBER ? ARG(0)->unit : UNIT_NONE;
  if (is_unknown(ARG(0)) || is_unknown(ARG(1)) || is_unknown(ARG(2))) return value_unknown();
  if (!eval_to_number(call->ev, ARG(0), call->spans[0], "the start", UNIT_ANY, &a) || !eval_to_number(call->ev, ARG(1), call->spans[1], "the end", unit, &b) ||
      !eval_to_number(call->ev, ARG(2), call->spans[2], "the count", UNIT_NONE, &n))
    return value_poison();
  if (n < 1 || n > 1e7) {
    REPORT(E0506, "linspace makes 1 to 10,000,000 numbers, not %g", n);
    return value_poison();
  }
  int count = (int)n;
  Value **items = malloc((size_t)count * sizeof *items);
  for (int i = 0; i < count; i++) items[i] = value_number(count == 1 ? a : a + (b - a) * i / (count - 1), unit_merge(unit, ARG(1)->unit));
  Value *v = value_items(VALUE_LIST, items, count);
  for (int i = 0; i < count; i++) value_release(items[i]);
  free(items);
  return v;
}

const BuiltinRow builtin_values[] = {
    {"print", "(values...)", "values", "Prints values, blanks between them, and a new line. Numbers print with their unit.", "print(1 + 1) -> 2", run_print},
    {"len", "(list) -> int", "values", "Number of items of a list, tuple, range, string or record.", "print(len([4, 5, 6])) -> 3", run_len},
    {"sum", "(list: list)", "values", "Sum of the items of a list.", "print(sum([1, 2, 3])) -> 6", run_sum},
    {"str", "(value) -> string", "values", "The value as print shows it.", "print(str(1.5) ++ \"!\") -> 1.5!", run_string},
    {"tabulate", "(columns: record, title: string = none) -> study", "values",
     "A table from lists of numbers or text, one list a column: print shows it aligned, export writes it as .csv, t.NAME gives a column back.",
     "print(tabulate((n: [8, 16], error: [0.04, 0.01])).error) -> [0.04, 0.01]", run_table},
    {"env", "(name: string) -> string", "values", "Environment variable, or the empty string.", "print(env(\"NO_SUCH_VARIABLE\")) -> ", run_env},
    {"linspace", "(from: number, to: number, count: int) -> list", "values", "Numbers at equal distances, both ends among them.", "print(linspace(0, 1, 3)) -> [0, 0.5, 1]", run_linspace},
    {"table", "(path: string, value: any = none, by: any = none, method: word = linear, outside: word = error) -> table", "values",
     "Measured data of a CSV file as a function of one to three variables, which is called with numbers or fields: k(T). Its first row names the columns, with "
     "units in brackets: T [degC], k [W/m/K]. The last column is the value of the ones before it, or value: \"k\", by: \"T\" (several: by: [\"x\", \"y\"], with a row "
     "for every combination; points of a plane may lie anywhere, and are interpolated linearly on their Delaunay triangulation). Between the rows it is linear, or method: monotone, a cubic without overshoot (Fritsch and Carlson 1980); Newton's method takes the "
     "derivative of that. Outside of the rows it has no value, unless outside: hold.", NULL, lookup_table},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
