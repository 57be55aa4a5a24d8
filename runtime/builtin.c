/* The index of builtin functions: rows of the bi_*.c tables and the primitives of the geometry table; their signatures parsed once a host. */
#include "../numerics/element.h"
#include "builtin.h"
#include "choice.h"

#include <stdlib.h>
#include <string.h>

static const BuiltinRow *const tables[] = {builtin_math, builtin_values, builtin_geometry, builtin_solving, builtin_modes, builtin_measures, builtin_balances, builtin_curves, builtin_contracts, builtin_models, builtin_frames, builtin_output, builtin_records, builtin_discovery, builtin_data, builtin_random, builtin_samples, builtin_fit};
enum { TABLES = sizeof tables / sizeof *tables };

int builtin_count(void) {
  int n = 0;
  for (int t = 0; t < TABLES; t++)
    for (const BuiltinRow *r = tables[t]; r->name; r++) n++;
  return n;
}

const BuiltinRow *builtin_at(int k) {
  for (int t = 0; t < TABLES; t++)
    for (const BuiltinRow *r = tables[t]; r->name; r++)
      if (k-- == 0) return r;
  return NULL;
}

typedef struct Parsed {
  const BuiltinRow *row;
  BuiltinParam *params;
  int n;
  bool open;
  int rest;
} Parsed;

typedef struct BuiltinIndex {
  Parsed *items;
  int n;
  BuiltinRow *shapes;       /* one a primitive of geom_rows */
  Arena *arena;
} BuiltinIndex;

/* --- option words --- */

static const char *const words[] = {
    "uniform", "normal", "smooth", "ramp", "pulse", "lhs", "random", "grid", "bar", "hard", "soft", "tri", "quad", "hex", "sobol",
    "mean", "error", "hold", "linear", "monotone", "degC", "term", "builtin", "tanh", "none", "default", "viridis", "auto", "last"};

bool builtin_is_word(const char *name) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], name)) return true;
  return choice_has(name) || element_find(name) != NULL;
}

static const char *const later[] = {"train", "llm", "import_cad",
                                    "mean_error", "adam", "perforated", "airfoil", "wing", "extrude", "revolve"};

bool builtin_is_later(const char *name) {
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    if (!strcmp(later[i], name)) return true;
  return false;
}

const char *const *builtin_words(int *n) {
  *n = sizeof words / sizeof *words;
  return words;
}

/* --- geometry primitives as functions --- */

static const char *shape_type(GeomArgKind kind) {
  return kind == GEOM_RANGE ? "range" : kind == GEOM_NUMBER ? "number" : kind == GEOM_PROFILE || kind == GEOM_SHAPE ? "any" : "list";
}

static BuiltinRow shape_row(Arena *arena, const GeomRow *g) {
  Buf sig = {0};
  buf_putc(&sig, '(');
  for (int i = 0; i < 8 && g->params[i].name; i++) {
    buf_printf(&sig, "%s%s: %s", i ? ", " : "", g->params[i].name, shape_type(g->params[i].kind));
    if (g->params[i].fallback) buf_printf(&sig, " = %s", g->params[i].fallback);
  }
  buf_puts(&sig, ") -> geometry");
  BuiltinRow row = {g->name, arena_text(arena, sig.text, sig.len), "geometry", g->doc, g->example, geometry_primitive};
  buf_free(&sig);
  return row;
}

static BuiltinIndex *index_of(Host *host) {
  if (host->builtins) return host->builtins;
  BuiltinIndex *ix = host->builtins = calloc(1, sizeof *ix);
  ix->arena = arena_new();
  ix->shapes = calloc((size_t)geom_row_count + 1, sizeof *ix->shapes);
  for (int i = 0; i < geom_row_count; i++) ix->shapes[i] = shape_row(ix->arena, &geom_rows[i]);
  return ix;
}

const BuiltinRow *builtin_find(Host *host, const char *name) {
  for (int t = 0; t < TABLES; t++)
    for (const BuiltinRow *r = tables[t]; r->name; r++)
      if (!strcmp(r->name, name)) return r;
  BuiltinIndex *ix = index_of(host);
  for (int i = 0; i < geom_row_count; i++)
    if (!strcmp(ix->shapes[i].name, name)) return &ix->shapes[i];
  return NULL;
}

/* --- signatures: "(u: field, on: place = all, ...) -> number"; "..." takes further labels, "values..." further values --- */

static const char *skip(const char *s) {
  while (*s == ' ') s++;
  return s;
}

static const char *token(const char *s, const char *stops, Name *out, Interner *names) {
  const char *end = s;
  int depth = 0;
  while (*end && (depth || !strchr(stops, *end))) {
    if (*end == '(' || *end == '[') depth++;
    if (*end == ')' || *end == ']') depth--;
    end++;
  }
  const char *last = end;
  while (last > s && last[-1] == ' ') last--;
  *out = intern(names, s, (size_t)(last - s));
  return end;
}

static void parse(Host *host, BuiltinIndex *ix, Parsed *p) {
  const char *s = p->row->signature + 1;
  p->params = ARENA_ARRAY(ix->arena, BuiltinParam, BUILTIN_PARAMS_MOST);
  for (s = skip(s); *s && *s != ')' && p->n < BUILTIN_PARAMS_MOST; s = skip(s)) {
    BuiltinParam *param = &p->params[p->n];
    if (!strncmp(s, "...", 3)) {
      p->open = true;
      s += 3;
    } else {
      s = token(s, ":=,)", &param->name, host->names);
      size_t len = strlen(param->name);
      if (len > 3 && !strcmp(param->name + len - 3, "...")) p->rest = p->n + 1;
      else {
        param->type = intern_text(host->names, "any");
        if (*s == ':') s = token(skip(s + 1), "=,)", &param->type, host->names);
        if (*s == '=') {
          Name fallback;
          s = token(skip(s + 1), ",)", &fallback, host->names);
          param->fallback = fallback;
        }
        p->n++;
      }
    }
    if (*s == ',') s++;
  }
}

const BuiltinParam *builtin_params(Host *host, const BuiltinRow *row, int *n, bool *open, int *rest) {
  BuiltinIndex *ix = index_of(host);
  Parsed *p = NULL;
  for (int i = 0; i < ix->n && !p; i++)
    if (ix->items[i].row == row) p = &ix->items[i];
  if (!p) {
    ix->items = realloc(ix->items, (size_t)(ix->n + 1) * sizeof *ix->items);
    p = &ix->items[ix->n++];
    *p = (Parsed){.row = row};
    parse(host, ix, p);
  }
  *n = p->n;
  *open = p->open;
  *rest = p->rest;
  return p->params;
}

void builtins_free(Host *host) {
  BuiltinIndex *ix = host->builtins;
  if (!ix) return;
  free(ix->items);
  free(ix->shapes);
  arena_free(ix->arena);
  free(ix);
  host->builtins = NULL;
}
