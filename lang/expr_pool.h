/* The inside of the expression room, seen by expr_*.c and canon.c alone: the pool, interning, walks and memos. */
#ifndef EXPR_POOL_H
#define EXPR_POOL_H
#include "expr.h"

/* Map from 64-bit keys to pointers. */
typedef struct Memo {
  uint64_t *keys;         /* key + 1; 0: free */
  const void **values;
  uint32_t cap, used;
} Memo;

const void *memo_get(const Memo *memo, uint64_t key);   /* NULL: none */
void memo_put(Memo *memo, uint64_t key, const void *value);
void memo_free(Memo *memo);

struct ExprPool {
  Arena *arena;
  Interner *names;
  Expr **slots;           /* open addressing by hash */
  uint32_t cap, used;     /* used: number of nodes and the next id */
  Unit length, time;      /* of x and t: what derivatives divide by */
  int dim;                /* while specialising: what GRAD and its like take for EXTENT_DIM; else 0 */
  bool lenient;           /* units that do not fit give UNIT_ANY: derivatives and substitutions of what was checked before */
  ExprError error;
  Memo derivatives;       /* scalar level, key id*4 + axis (3: time) */
  Memo components;        /* expr_scalar, key (id, side, dim): array of components */
};

/* Reachable nodes, each once, arguments before their users; no recursion, so any depth is fine. */
typedef struct Walk {
  Expr **node;
  int n, cap;
  Memo position;          /* id -> index + 1 */
} Walk;

typedef bool (*WalkInto)(Expr *e, void *user);          /* look at the arguments of e? NULL: always */
void walk_open(Walk *walk, Expr *root, WalkInto into, void *user);
int walk_at(const Walk *walk, Expr *e);
void walk_close(Walk *walk);

enum { IS_GRADIENT = 1 << 30 };   /* bit of Expr.flags of the node alone, not handed on to its users */

void *expr_memory(void *old, size_t bytes);             /* realloc that ends the process with 70 when memory is out */

/* The node equal to the draft (payload, shape and unit set; n arguments), made if there is none. No simplification. */
Expr *expr_intern(ExprPool *pool, const struct Expr *draft, Expr *const *args);
Expr *expr_rebuild(ExprPool *pool, Expr *e, Expr *const *args);   /* e with other arguments, payload kept */
Expr *expr_retype(ExprPool *pool, Expr *leaf, Shape shape);       /* a leaf with another shape */
Expr *expr_fail(ExprPool *pool, ExprErrorKind kind, int argument, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Shape and unit of an operation; false: the error is set. */
bool expr_rule(ExprPool *pool, ExprOp op, Expr *const *args, int n, Shape *shape, Unit *unit);
/* Shape and unit common to values that stand side by side (branches, regions, sums); a scalar zero fits all. */
bool expr_common(ExprPool *pool, Expr *const *args, int n, int first, Shape *shape, Unit *unit);
/* An equal, simpler expression, or NULL. */
Expr *expr_simplify(ExprPool *pool, ExprOp op, Expr *const *args, int n, Shape shape, Unit unit);
/* Value of a scalar operation on numbers; false: op is not one. */
bool expr_compute(ExprOp op, const double *a, double *value);
bool expr_is_commutative(ExprOp op);
/* dot(v, grad(w)) is the derivative along v: is e, as the right side of dot, a gradient of a vector (or a linear combination)? */
static inline bool expr_is_gradient(Expr *e) { return (e->flags & IS_GRADIENT) != 0; }

#endif
