/* The pool: interning of nodes, leaves, and the constructors with a payload. */
#include "expr.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"

/* --- op properties --- */

static const struct { const char *text; int arity; char level; } OPS[] = {
#define EXPR(op, arity, level, text, latex) {text, arity, level},
#include "expr.def"
#undef EXPR
};

const char *expr_op_text(ExprOp op) { return OPS[op].text; }
int expr_op_arity(ExprOp op) { return OPS[op].arity; }

ExprOp expr_op_of_function(const char *name) {
  char first = name[0];
  if ((first < 'a' || first > 'z')) return EXPR_OPS;
  for (int op = EXPR_SQRT; op < EXPR_OPS; op++) {
    if (op == EXPR_AND || op == EXPR_OR || op == EXPR_NOT || op == EXPR_IF) continue;
    if (!strcmp(OPS[op].text, name)) return (ExprOp)op;
  }
  return EXPR_OPS;
}

bool expr_is_commutative(ExprOp op) {
  return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_INNER || op == EXPR_EQ || op == EXPR_NE || op == EXPR_AND || op == EXPR_OR;
}

/* --- the pool --- */

ExprPool *expr_pool_new(Interner *names) {
  ExprPool *pool = memory_try(NULL, sizeof *pool);
  if (!pool) return NULL;
  *pool = (ExprPool){.arena = arena_new(), .names = names, .cap = 1024};
  if (pool->arena) pool->slots = memory_try(NULL, pool->cap * sizeof *pool->slots);
  if (!pool->slots) {
    expr_pool_free(pool);
    return NULL;
  }
  memset(pool->slots, 0, pool->cap * sizeof *pool->slots);
  return pool;
}

void expr_pool_free(ExprPool *pool) {
  if (!pool) return;
  memo_free(&pool->derivatives);
  memo_free(&pool->components);
  arena_free(pool->arena);
  free(pool->slots);
  free(pool);
}

size_t expr_pool_bytes(const ExprPool *pool) {
  size_t entry = sizeof(uint64_t) + sizeof(void *);
  return arena_bytes(pool->arena) + pool->cap * sizeof *pool->slots + (pool->derivatives.cap + pool->components.cap) * entry;
}

void expr_set_base_units(ExprPool *pool, Unit length, Unit time) {
  if (unit_equal(pool->length, length) && unit_equal(pool->time, time)) return;
  pool->length = length;
  pool->time = time;
  memo_free(&pool->derivatives);   /* their terminals carry the old units */
  memo_free(&pool->components);
}

ExprError expr_error(const ExprPool *pool) { return pool->error; }

Expr *expr_fail(ExprPool *pool, ExprErrorKind kind, int argument, const char *format, ...) {
  va_list args;
  va_start(args, format);
  pool->error = (ExprError){.kind = kind, .argument = argument};
  vsnprintf(pool->error.text, sizeof pool->error.text, format, args);
  va_end(args);
  return NULL;
}

/* --- interning --- */

static uint32_t mix(uint32_t h, uint64_t value) {
  uint64_t m = (h ^ value) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(m ^ m >> 32);
}

static uint64_t bits(double value) {
  uint64_t b;
  memcpy(&b, &value, sizeof b);
  return b;
}

static int count_names(const struct Expr *e) { return e->op == EXPR_REGIONS ? e->n : e->op == EXPR_INTEGRAL ? e->index[1] : 0; }

static uint32_t hash_node(const struct Expr *e, Expr *const *args) {
  const Symbol *s = &e->symbol;
  uint32_t h = mix(17, (uint64_t)e->op | (uint64_t)e->n << 8 | (uint64_t)e->shape.rank << 16);
  h = mix(h, (uint64_t)e->shape.extent[0] | (uint64_t)e->shape.extent[1] << 8 | (uint64_t)e->shape.extent[2] << 16);
  for (int i = 0; i < UNIT_BASES; i++) if (e->unit.e[i]) h = mix(h, (uint64_t)(i + 1) << 16 | (uint16_t)e->unit.e[i]);
  if (e->unit.any) h = mix(h, 3);
  if (e->op == EXPR_CONST) h = mix(h, bits(e->value));
  if (e->name) h = mix(h, (uintptr_t)e->name);
  for (int i = 0; i < 3; i++) if (e->index[i]) h = mix(h, (uint64_t)(i + 1) << 32 | (uint32_t)e->index[i]);
  if (e->op == EXPR_SYMBOL || e->op == EXPR_TERM) {
    h = mix(h, (uint64_t)s->kind | (uint64_t)s->level << 8 | (uint64_t)s->side << 16 | (uint64_t)s->component << 24 | (uint64_t)s->which << 32);
    h = mix(h, (uint64_t)s->dx[0] | (uint64_t)s->dx[1] << 8 | (uint64_t)s->dx[2] << 16 | (uint64_t)s->dt << 24 | (uint64_t)s->serial << 32);
    if (s->kind == SYMBOL_FIELD) h = mix(h, bits(s->time));
  }
  for (int i = 0, m = count_names(e); i < m; i++) h = mix(h, (uintptr_t)e->names[i]);
  for (int i = 0; i < e->n; i++) h = mix(h, args[i]->id + 1u);
  return h;
}

static bool same_symbol(const Symbol *a, const Symbol *b) {
  return a->kind == b->kind && a->level == b->level && a->side == b->side && a->component == b->component && !memcmp(a->dx, b->dx, sizeof a->dx) &&
         a->dt == b->dt && a->which == b->which && a->serial == b->serial && (a->kind != SYMBOL_FIELD || bits(a->time) == bits(b->time));
}

static bool same_node(Expr *e, const struct Expr *draft, Expr *const *args) {
  if (e->hash != draft->hash || e->op != draft->op || e->n != draft->n || e->name != draft->name || e->table != draft->table) return false;
  if (!shape_equal(e->shape, draft->shape) || !unit_equal(e->unit, draft->unit) || memcmp(e->index, draft->index, sizeof e->index)) return false;
  if (e->op == EXPR_CONST && bits(e->value) != bits(draft->value)) return false;
  if ((e->op == EXPR_SYMBOL || e->op == EXPR_TERM) && !same_symbol(&e->symbol, &draft->symbol)) return false;
  for (int i = 0; i < e->n; i++) if (e->arg[i] != args[i]) return false;
  for (int i = 0, m = count_names(e); i < m; i++) if (e->names[i] != draft->names[i]) return false;
  return true;
}

static bool has_dim(Shape s) {
  for (int i = 0; i < s.rank; i++) if (s.extent[i] == EXTENT_DIM) return true;
  return false;
}

static bool natural_power(Expr *power) {
  return power->op == EXPR_ZERO || (power->op == EXPR_CONST && power->value >= 0 && power->value == floor(power->value));
}

/* May a finite argument give an infinity or NaN? (An overflow of a polynomial is left out of account.) */
static bool singular(const struct Expr *e, Expr *const *args) {
  switch (e->op) {
    case EXPR_DIV: return args[1]->op != EXPR_CONST || args[1]->value == 0;
    case EXPR_POW: return !natural_power(args[1]);
    case EXPR_SQRT: case EXPR_EXP: case EXPR_LOG: case EXPR_LOG10: case EXPR_TAN: case EXPR_ASIN: case EXPR_ACOS: case EXPR_SINH:
    case EXPR_COSH: case EXPR_MOD: case EXPR_INV: case EXPR_HOSTCALL: return true;
    case EXPR_CONST: return !isfinite(e->value);
    case EXPR_TABLE: return !e->table->hold;
    default: return false;
  }
}

static uint32_t own_flags(const struct Expr *e, Expr *const *args) {
  static const uint32_t of_symbol[] = {[SYMBOL_UNKNOWN] = HAS_UNKNOWN, [SYMBOL_TEST] = HAS_TEST, [SYMBOL_TRIAL] = HAS_TRIAL,
                                       [SYMBOL_PREVIOUS] = HAS_PREVIOUS, [SYMBOL_FIELD] = HAS_FIELD};
  uint32_t flags = (has_dim(e->shape) ? HAS_DIM : 0) | (singular(e, args) ? HAS_SINGULAR : 0);
  switch (e->op) {
    case EXPR_PARAM: return flags | HAS_PARAM;
    case EXPR_COORD: return flags | HAS_COORD;
    case EXPR_TIME: return flags | HAS_TIME;
    case EXPR_NORMAL: case EXPR_NORMAL_COMPONENT: return flags | HAS_NORMAL;
    case EXPR_SIZE: return flags | HAS_SIZE;
    case EXPR_LAMBDA: return flags | HAS_LAMBDA;
    case EXPR_SYMBOL: case EXPR_TERM: return flags | of_symbol[e->symbol.kind] | (e->symbol.dt ? HAS_DT : 0) | (e->symbol.side ? HAS_FACET : 0);
    case EXPR_DT: case EXPR_DTT: return flags | HAS_DT;
    case EXPR_JUMP: case EXPR_AVG: return flags | HAS_FACET;
    case EXPR_REGIONS: return flags | HAS_REGIONS;
    case EXPR_INTEGRAL: return flags | HAS_INTEGRAL;
    case EXPR_HOSTCALL: return flags | HAS_HOST;
    default: return flags;
  }
}

/* A gradient of a vector, times a scalar, or a sum of such. */
static bool gradient(const struct Expr *e, Expr *const *args) {
  switch (e->op) {
    case EXPR_GRAD: return e->shape.rank == 2;
    case EXPR_NEG: case EXPR_DIV: return expr_is_gradient(args[0]);
    case EXPR_MUL: return expr_is_gradient(args[0]) || expr_is_gradient(args[1]);
    case EXPR_ADD: case EXPR_SUB: return expr_is_gradient(args[0]) && expr_is_gradient(args[1]);
    default: return false;
  }
}

static void grow(ExprPool *pool) {
  uint32_t cap = pool->cap * 2;
  Expr **slots = expr_memory(NULL, cap * sizeof *slots);
  memset(slots, 0, cap * sizeof *slots);
  for (uint32_t i = 0; i < pool->cap; i++) {
    if (!pool->slots[i]) continue;
    uint32_t at = pool->slots[i]->hash & (cap - 1);
    while (slots[at]) at = (at + 1) & (cap - 1);
    slots[at] = pool->slots[i];
  }
  free(pool->slots);
  pool->slots = slots;
  pool->cap = cap;
}

Expr *expr_intern(ExprPool *pool, const struct Expr *draft, Expr *const *args) {
  struct Expr key;
  memcpy(&key, draft, sizeof key);
  key.hash = hash_node(&key, args);
  if (pool->used * 2 >= pool->cap) grow(pool);
  uint32_t at = key.hash & (pool->cap - 1);
  for (; pool->slots[at]; at = (at + 1) & (pool->cap - 1))
    if (same_node(pool->slots[at], &key, args)) return pool->slots[at];

  struct Expr *e = arena_alloc(pool->arena, sizeof *e + key.n * sizeof e->arg[0]);
  memcpy(e, &key, sizeof *e);
  e->flags = own_flags(&key, args);
  for (int i = 0; i < key.n; i++) {
    e->arg[i] = args[i];
    e->flags |= args[i]->flags & ~(uint32_t)IS_GRADIENT;
  }
  if (gradient(&key, args)) e->flags |= IS_GRADIENT;
  int names = count_names(&key);
  if (names) {
    Name *copy = ARENA_ARRAY(pool->arena, Name, names);
    memcpy(copy, key.names, (size_t)names * sizeof *copy);
    e->names = copy;
  }
  e->id = pool->used++;
  return pool->slots[at] = e;
}

/* --- leaves --- */

static Expr *leaf(ExprPool *pool, struct Expr draft) { return expr_intern(pool, &draft, NULL); }

Expr *expr_const(ExprPool *pool, double value, Unit unit) { return leaf(pool, (struct Expr){.op = EXPR_CONST, .unit = unit, .value = value}); }
Expr *expr_zero(ExprPool *pool, Shape shape) { return leaf(pool, (struct Expr){.op = EXPR_ZERO, .shape = shape, .unit = UNIT_ANY}); }

Expr *expr_param(ExprPool *pool, Name name, Shape shape, Unit unit, bool of_file) {
  return leaf(pool, (struct Expr){.op = EXPR_PARAM, .shape = shape, .unit = unit, .name = name, .index = {of_file, 0, 0}});
}

Expr *expr_coord(ExprPool *pool, int axis, Unit unit) { return leaf(pool, (struct Expr){.op = EXPR_COORD, .unit = unit, .index = {axis, 0, 0}}); }
Expr *expr_time(ExprPool *pool, Unit unit) { return leaf(pool, (struct Expr){.op = EXPR_TIME, .unit = unit}); }
Expr *expr_normal(ExprPool *pool, int dim) { return leaf(pool, (struct Expr){.op = EXPR_NORMAL, .shape = shape_vector(dim)}); }
Expr *expr_size(ExprPool *pool, Unit unit) { return leaf(pool, (struct Expr){.op = EXPR_SIZE, .unit = unit}); }
Expr *expr_identity(ExprPool *pool, int dim) { return leaf(pool, (struct Expr){.op = EXPR_IDENTITY, .shape = shape_tensor(dim, dim)}); }
Expr *expr_lambda(ExprPool *pool) { return leaf(pool, (struct Expr){.op = EXPR_LAMBDA, .unit = UNIT_ANY}); }

Expr *expr_symbol(ExprPool *pool, Symbol symbol, Name name, Shape shape, Unit unit) {
  return leaf(pool, (struct Expr){.op = EXPR_SYMBOL, .shape = shape, .unit = unit, .name = name, .symbol = symbol});
}

Expr *expr_term(ExprPool *pool, Symbol symbol, Name name, Unit unit) {
  return leaf(pool, (struct Expr){.op = EXPR_TERM, .unit = unit, .name = name, .symbol = symbol});
}

bool expr_is_zero(Expr *e) { return e->op == EXPR_ZERO; }

bool expr_is_const(Expr *e, double *value) {
  if (e->op != EXPR_CONST && (e->op != EXPR_ZERO || e->shape.rank)) return false;
  *value = e->op == EXPR_CONST ? e->value : 0;
  return true;
}

/* --- operations --- */

Expr *expr_make(ExprPool *pool, ExprOp op, Expr *const *args, int n) {
  int arity = expr_op_arity(op);
  if ((arity >= 0 && n != arity) || n == 0 || n > 255)
    return expr_fail(pool, EXPR_ARITY, -1, "%s takes %d argument%s, not %d", expr_op_text(op), arity < 0 ? 1 : arity, arity == 1 ? "" : "s", n);
  Shape shape = SHAPE_SCALAR;
  Unit unit = UNIT_NONE;
  if (!expr_rule(pool, op, args, n, &shape, &unit)) return NULL;
  Expr *simple = expr_simplify(pool, op, args, n, shape, unit);
  if (simple) return simple;
  struct Expr draft = {.op = (uint8_t)op, .n = (uint8_t)n, .shape = shape, .unit = unit};
  if (expr_is_commutative(op) && args[0]->id > args[1]->id) return expr_intern(pool, &draft, (Expr *[]){args[1], args[0]});
  return expr_intern(pool, &draft, args);
}

Expr *expr_unary(ExprPool *pool, ExprOp op, Expr *a) { return expr_make(pool, op, &a, 1); }
Expr *expr_binary(ExprPool *pool, ExprOp op, Expr *a, Expr *b) { return expr_make(pool, op, (Expr *[]){a, b}, 2); }

Expr *expr_component(ExprPool *pool, Expr *a, const int *index, int n) {
  Buf shape = {0};
  shape_print(&shape, a->shape);
  struct Expr draft = {.op = EXPR_COMPONENT, .n = 1, .unit = a->unit, .index = {-1, -1, -1}};
  bool fine = n >= 1 && n <= a->shape.rank;
  if (!fine) {
    expr_fail(pool, EXPR_RANK, 0, "%d ind%s for a %s", n, n == 1 ? "ex" : "ices", buf_str(&shape));
  } else {
    for (int i = 0; i < n; i++) {
      int extent = a->shape.extent[i];
      draft.index[i] = index[i];
      if (index[i] >= 0 && index[i] < (extent == EXTENT_DIM ? 3 : extent)) continue;
      expr_fail(pool, EXPR_RANK, 0, "index %d is outside of a %s (counted from 0)", index[i], buf_str(&shape));
      fine = false;
    }
  }
  buf_free(&shape);
  if (!fine) return NULL;
  draft.shape.rank = (uint8_t)(a->shape.rank - n);
  for (int i = n; i < a->shape.rank; i++) draft.shape.extent[i - n] = a->shape.extent[i];
  if (a->op == EXPR_ZERO) return expr_zero(pool, draft.shape);
  if (a->op == EXPR_VECTOR && a->shape.extent[0] != EXTENT_DIM) return a->arg[index[0]];
  if (a->op == EXPR_TENSOR) return n == 1 ? a->arg[index[0]] : expr_component(pool, a->arg[index[0]], index + 1, n - 1);
  return expr_intern(pool, &draft, &a);
}

Expr *expr_dx(ExprPool *pool, Expr *a, int axis, Unit length) {
  if (pool->dim && axis >= pool->dim) return expr_fail(pool, EXPR_DIMENSION, 0, "there is no d%c in %d dimension%s", "xyz"[axis], pool->dim, pool->dim == 1 ? "" : "s");
  if (!(a->flags & ~(uint32_t)(HAS_SINGULAR | HAS_DIM))) return expr_zero(pool, a->shape);
  struct Expr draft = {.op = EXPR_DX, .n = 1, .shape = a->shape, .unit = unit_div(a->unit, length), .index = {axis, 0, 0}};
  return expr_intern(pool, &draft, &a);
}

static Expr *regions(ExprPool *pool, Expr *const *args, const Name *names, int n, int side) {
  struct Expr draft = {.op = EXPR_REGIONS, .n = (uint8_t)n, .names = names, .index = {side, 0, 0}};
  if (n < 1 || n > 255) return expr_fail(pool, EXPR_ARITY, -1, "%d regions, 1 to 255 are possible", n);
  if (!expr_common(pool, args, n, 0, &draft.shape, &draft.unit)) return NULL;
  bool all_zero = true;
  for (int i = 0; i < n; i++) all_zero &= expr_is_zero(args[i]);
  if (all_zero) return expr_zero(pool, draft.shape);
  if (n == 1 && !names[0]) return args[0];
  return expr_intern(pool, &draft, args);
}

Expr *expr_regions(ExprPool *pool, Expr *const *args, const Name *names, int n) { return regions(pool, args, names, n, 0); }

Expr *expr_integral(ExprPool *pool, Expr *a, const Name *where, int nwhere, bool mean) {
  /* The measure's unit depends on the domain: volume, area or length. Unless units are off it is settled by the checker. */
  Unit unit = mean || unit_is_none(pool->length) ? a->unit : UNIT_ANY;
  struct Expr draft = {.op = EXPR_INTEGRAL, .n = 1, .shape = a->shape, .unit = unit, .names = where, .index = {mean, nwhere, 0}};
  return expr_intern(pool, &draft, &a);
}

Expr *expr_host_call(ExprPool *pool, Name name, Expr *const *args, int n, Shape shape, Unit unit) {
  if (n > 255) return expr_fail(pool, EXPR_ARITY, -1, "%d arguments, 255 are possible", n);
  for (int i = 0; i < n; i++)
    if (args[i]->shape.rank) return expr_fail(pool, EXPR_SHAPE, i, "argument %d of %s is no scalar", i + 1, name);
  struct Expr draft = {.op = EXPR_HOSTCALL, .n = (uint8_t)n, .shape = shape, .unit = unit, .name = name};
  return expr_intern(pool, &draft, args);
}

Expr *expr_rebuild(ExprPool *pool, Expr *e, Expr *const *args) {
  switch (e->op) {
    case EXPR_COMPONENT: return expr_component(pool, args[0], e->index, e->index[1] < 0 ? 1 : e->index[2] < 0 ? 2 : 3);
    case EXPR_DX: return expr_dx(pool, args[0], e->index[0], pool->length);
    case EXPR_REGIONS: return regions(pool, args, e->names, e->n, e->index[0]);
    case EXPR_INTEGRAL: return expr_integral(pool, args[0], e->names, e->index[1], e->index[0]);
    case EXPR_HOSTCALL: case EXPR_TABLE: {
      struct Expr draft;
      memcpy(&draft, e, sizeof draft);
      return expr_intern(pool, &draft, args);
    }
    default: return e->n ? expr_make(pool, (ExprOp)e->op, args, e->n) : e;
  }
}

Expr *expr_retype(ExprPool *pool, Expr *leaf_, Shape shape) {
  struct Expr draft;
  memcpy(&draft, leaf_, sizeof draft);
  draft.shape = shape;
  return expr_intern(pool, &draft, NULL);
}
