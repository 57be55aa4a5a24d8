/* Tensor level to scalar level: every node gives the array of its components, derivatives carried down to the terminals. Nodes are
 * taken once for each side of a facet, with an explicit stack, so work is linear in the DAG and depth is no limit. */
#include <stdlib.h>
#include <string.h>

#include "expr_pool.h"

typedef struct Lowering {
  ExprPool *pool;
  int dim;
  bool *failed;   /* a derivative is not known; the pool's error is set */
} Lowering;

typedef struct Item {
  Expr *e;
  int side;       /* 0: the cell, 1 and 2: the cells of a facet, inside jump and avg */
} Item;

typedef Expr *const *Components;

/* Arguments as components in row-major order: C(0)[i*m + j]. */
typedef struct Args {
  Components c[512];
} Args;

/* --- scalar arithmetic; a structural zero drops its term --- */

static Expr *zero(ExprPool *p) { return expr_zero(p, SHAPE_SCALAR); }
static Expr *add(ExprPool *p, Expr *a, Expr *b) { return expr_binary(p, EXPR_ADD, a, b); }
static Expr *sub(ExprPool *p, Expr *a, Expr *b) { return expr_binary(p, EXPR_SUB, a, b); }
static Expr *half(ExprPool *p, Expr *a) { return expr_binary(p, EXPR_MUL, expr_const(p, 0.5, UNIT_NONE), a); }

static Expr *mul(ExprPool *p, Expr *a, Expr *b) {
  return expr_is_zero(a) || expr_is_zero(b) ? zero(p) : expr_binary(p, EXPR_MUL, a, b);
}

static int extent(const Lowering *l, Shape s, int index) { return s.extent[index] == EXTENT_DIM ? l->dim : s.extent[index]; }

static Expr *known(const Lowering *l, Expr *derivative) {
  if (derivative) return derivative;
  *l->failed = true;
  return zero(l->pool);
}

static Expr *ddx(const Lowering *l, Expr *e, int axis) { return axis < l->dim ? known(l, expr_diff_space(l->pool, e, axis)) : zero(l->pool); }
static Expr *ddt(const Lowering *l, Expr *e) { return known(l, expr_diff_time(l->pool, e)); }

/* --- leaves --- */

/* u.x, u[3], sigma[0, 1] */
static Name component_name(const Lowering *l, Expr *e, int component) {
  Shape s = e->shape;
  if (!s.rank || !e->name) return e->name;
  Buf text = {0};
  if (s.rank == 1 && extent(l, s, 0) <= 3) buf_printf(&text, "%s.%c", e->name, "xyz"[component]);
  else if (s.rank == 1) buf_printf(&text, "%s[%d]", e->name, component);
  else buf_printf(&text, "%s[%d, %d]", e->name, component / extent(l, s, 1), component % extent(l, s, 1));
  Name name = intern_text(l->pool->names, buf_str(&text));
  buf_free(&text);
  return name;
}

static Expr *term(const Lowering *l, Expr *e, int component, int side) {
  Symbol s = e->symbol;
  s.component = (uint8_t)component;
  if (side) s.side = (uint8_t)side;
  return expr_term(l->pool, s, component_name(l, e, component), e->unit);
}

/* A leaf or call of several components becomes one node a component. */
static Expr *part(const Lowering *l, Expr *e, int component, int count, int at, Expr *const *args) {
  struct Expr draft;
  memcpy(&draft, e, sizeof draft);
  draft.shape = SHAPE_SCALAR;
  if (e->shape.rank) {
    draft.index[at] = component;
    draft.index[at + 1] = count;
  }
  return expr_intern(l->pool, &draft, args);
}

static Expr *leaf(const Lowering *l, Expr *e, int component, int count, int side) {
  ExprPool *p = l->pool;
  switch (e->op) {
    case EXPR_ZERO: return zero(p);
    case EXPR_SYMBOL: return term(l, e, component, side);
    case EXPR_PARAM: return part(l, e, component, count, 1, NULL);
    case EXPR_IDENTITY: return component / extent(l, e->shape, 1) == component % extent(l, e->shape, 1) ? expr_const(p, 1, UNIT_NONE) : zero(p);
    case EXPR_SIZE: {
      struct Expr draft;
      memcpy(&draft, e, sizeof draft);
      if (side) draft.index[0] = side;
      return expr_intern(p, &draft, NULL);
    }
    case EXPR_NORMAL: {
      struct Expr draft = {.op = EXPR_NORMAL_COMPONENT, .index = {component, 0, 0}};
      Expr *n = expr_intern(p, &draft, NULL);
      return side == 2 ? expr_unary(p, EXPR_NEG, n) : n;   /* n2 = -n1 */
    }
    default: return e;
  }
}

/* --- tensor algebra --- */

/* sum over k of a[a0 + k*da] * b[b0 + k*db] */
static Expr *contract(ExprPool *p, Components a, int a0, int da, Components b, int b0, int db, int n) {
  Expr *sum = zero(p);
  for (int k = 0; k < n; k++) sum = add(p, sum, mul(p, a[a0 + k * da], b[b0 + k * db]));
  return sum;
}

static void dot(const Lowering *l, Expr *e, const Args *x, Expr **out) {
  Shape s = e->arg[0]->shape, t = e->arg[1]->shape;
  int n = extent(l, s, s.rank - 1), left = shape_size(s, l->dim) / n, right = shape_size(t, l->dim) / n;
  bool along = s.rank == 1 && t.rank == 2 && expr_is_gradient(e->arg[1]);
  for (int i = 0; i < left; i++)
    for (int j = 0; j < right; j++)
      out[i * right + j] = along ? contract(l->pool, x->c[0], 0, 1, x->c[1], j * n, 1, n) : contract(l->pool, x->c[0], i * n, 1, x->c[1], j, right, n);
}

static Expr *minor2(ExprPool *p, Components a, int i, int j, int k, int m) { return sub(p, mul(p, a[i], a[j]), mul(p, a[k], a[m])); }

/* Cofactor C[i][j] of an n x n matrix, n <= 3. */
static Expr *cofactor(ExprPool *p, Components a, int n, int i, int j) {
  if (n == 1) return expr_const(p, 1, UNIT_NONE);
  if (n == 2) {
    Expr *m = a[(1 - i) * 2 + 1 - j];
    return (i + j) % 2 ? expr_unary(p, EXPR_NEG, m) : m;
  }
  int r = (i + 1) % 3, s = (i + 2) % 3, u = (j + 1) % 3, v = (j + 2) % 3;   /* cyclic: the sign is in the order */
  return minor2(p, a, r * 3 + u, s * 3 + v, r * 3 + v, s * 3 + u);
}

static Expr *determinant(ExprPool *p, Components a, int n) {
  Expr *sum = zero(p);
  for (int j = 0; j < n; j++) sum = add(p, sum, mul(p, a[j], cofactor(p, a, n, 0, j)));
  return sum;
}

static void inverse(ExprPool *p, Components a, int n, Expr **out) {
  Expr *det = determinant(p, a, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Expr *c = cofactor(p, a, n, j, i);
      out[i * n + j] = expr_is_zero(c) ? c : expr_binary(p, EXPR_DIV, c, det);
    }
}

static void cross(const Lowering *l, Expr *e, const Args *x, Expr **out) {
  Components a = x->c[0], b = x->c[1];
  ExprPool *p = l->pool;
  if (extent(l, e->arg[0]->shape, 0) == 2) {
    out[0] = sub(p, mul(p, a[0], b[1]), mul(p, a[1], b[0]));
    return;
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = sub(p, mul(p, a[j], b[k]), mul(p, a[k], b[j]));
  }
}

static Expr *magnitude(ExprPool *p, Components a, int n) {
  if (n == 1) return expr_unary(p, EXPR_ABS, a[0]);
  Expr *sum = contract(p, a, 0, 1, a, 0, 1, n);
  return expr_is_zero(sum) ? sum : expr_unary(p, EXPR_SQRT, sum);
}

static Expr *trace(ExprPool *p, Components a, int n) {
  Expr *sum = zero(p);
  for (int i = 0; i < n; i++) sum = add(p, sum, a[i * n + i]);
  return sum;
}

/* --- derivatives --- */

static void curl(const Lowering *l, Expr *e, Components a, Expr **out) {
  ExprPool *p = l->pool;
  Shape s = e->arg[0]->shape;
  if (s.rank == 0) {
    out[0] = ddx(l, a[0], 1);
    out[1] = expr_unary(p, EXPR_NEG, ddx(l, a[0], 0));
  } else if (extent(l, s, 0) == 2) {
    out[0] = sub(p, ddx(l, a[1], 0), ddx(l, a[0], 1));
  } else {
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      out[i] = sub(p, ddx(l, a[k], j), ddx(l, a[j], k));
    }
  }
}

static Expr *laplacian(const Lowering *l, Expr *a) {
  Expr *sum = zero(l->pool);
  for (int k = 0; k < l->dim; k++) sum = add(l->pool, sum, ddx(l, ddx(l, a, k), k));
  return sum;
}

static void divergence(const Lowering *l, Expr *e, Components a, int count, Expr **out) {
  int m = extent(l, e->arg[0]->shape, e->arg[0]->shape.rank - 1);
  for (int i = 0; i < count; i++) {
    out[i] = zero(l->pool);
    for (int j = 0; j < m; j++) out[i] = add(l->pool, out[i], ddx(l, a[i * m + j], j));
  }
}

static void symmetric_gradient(const Lowering *l, Components a, Expr **out) {
  int n = l->dim;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[i * n + j] = i == j ? ddx(l, a[i], i) : half(l->pool, add(l->pool, ddx(l, a[i], j), ddx(l, a[j], i)));
}

/* jump(v) = v1 - v2; jump(v, n) = v1 n1 + v2 n2, contracted where v is a vector or tensor. Args: v, n of side 1, then of side 2. */
static void jump(const Lowering *l, Expr *e, const Args *x, int count, Expr **out) {
  ExprPool *p = l->pool;
  if (e->n == 1) {
    for (int i = 0; i < count; i++) out[i] = sub(p, x->c[0][i], x->c[1][i]);
    return;
  }
  int n = extent(l, e->arg[1]->shape, 0);
  bool scalar = !e->arg[0]->shape.rank;
  for (int i = 0; i < count; i++)
    out[i] = scalar ? add(p, mul(p, x->c[0][0], x->c[1][i]), mul(p, x->c[2][0], x->c[3][i]))
                    : add(p, contract(p, x->c[0], i * n, 1, x->c[1], 0, 1, n), contract(p, x->c[2], i * n, 1, x->c[3], 0, 1, n));
}

/* --- one node --- */

static Expr *at(const Args *x, int k, Expr *e, int i) { return x->c[k][e->arg[k]->shape.rank ? i : 0]; }   /* a scalar beside a tensor */

/* A zero component is exact; only a literal 0*f of the author keeps IEEE's NaN where f is infinite. */
static bool drops(Expr *e, Expr *const *args, int k) { return expr_is_zero(args[k]) && !(e->arg[k]->op == EXPR_ZERO && !e->arg[k]->shape.rank); }

static void elementwise(const Lowering *l, Expr *e, int side, const Args *x, int count, Expr **out) {
  Expr *args[256];
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < e->n; k++) args[k] = at(x, k, e, i);
    if ((e->op == EXPR_MUL && (drops(e, args, 0) || drops(e, args, 1))) || (e->op == EXPR_DIV && drops(e, args, 0))) out[i] = zero(l->pool);
    else if (e->op == EXPR_REGIONS) {
      struct Expr sided;
      memcpy(&sided, e, sizeof sided);
      if (side) sided.index[0] = side;
      out[i] = expr_rebuild(l->pool, &sided, args);
    } else if (e->op == EXPR_HOSTCALL) out[i] = part(l, e, i, count, 0, args);
    else out[i] = expr_rebuild(l->pool, e, args);
  }
}

static int component_offset(const Lowering *l, Expr *e, int *size) {
  Shape s = e->arg[0]->shape;
  int offset = 0;
  *size = shape_size(e->shape, l->dim);
  for (int i = 0; i < s.rank - e->shape.rank; i++) offset = offset * extent(l, s, i) + e->index[i];
  return offset * *size;
}

static void lower_node(const Lowering *l, Expr *e, int side, const Args *x, int count, Expr **out) {
  ExprPool *p = l->pool;
  Components a = x->c[0], b = x->c[1];
  int n = e->shape.rank ? extent(l, e->shape, e->shape.rank - 1) : 0, size;
  switch (e->op) {
    case EXPR_VECTOR: for (int i = 0; i < count; i++) out[i] = x->c[i][0]; return;
    case EXPR_TENSOR: for (int i = 0; i < count; i++) out[i] = at(x, i / n, e, i % n); return;
    case EXPR_COMPONENT: {
      int offset = component_offset(l, e, &size);
      for (int i = 0; i < count; i++) out[i] = a[offset + i];
      return;
    }
    case EXPR_ABS: out[0] = magnitude(p, a, shape_size(e->arg[0]->shape, l->dim)); return;
    case EXPR_DOT: dot(l, e, x, out); return;
    case EXPR_INNER: out[0] = contract(p, a, 0, 1, b, 0, 1, shape_size(e->arg[0]->shape, l->dim)); return;
    case EXPR_OUTER:
      size = shape_size(e->arg[1]->shape, l->dim);
      for (int i = 0; i < count; i++) out[i] = mul(p, a[i / size], b[i % size]);
      return;
    case EXPR_CROSS: cross(l, e, x, out); return;
    case EXPR_TRACE: out[0] = trace(p, a, extent(l, e->arg[0]->shape, 0)); return;
    case EXPR_DET: out[0] = determinant(p, a, extent(l, e->arg[0]->shape, 0)); return;
    case EXPR_INV: inverse(p, a, n, out); return;
    case EXPR_TRANSPOSE: {
      int rows = extent(l, e->shape, 0);
      for (int i = 0; i < count; i++) out[i] = a[i % n * rows + i / n];
      return;
    }
    case EXPR_DEV: {
      Expr *mean = expr_binary(p, EXPR_DIV, trace(p, a, n), expr_const(p, n, UNIT_NONE));
      for (int i = 0; i < count; i++) out[i] = i / n == i % n ? sub(p, a[i], mean) : a[i];
      return;
    }
    case EXPR_SYM:
      for (int i = 0; i < count; i++) out[i] = i / n == i % n ? a[i] : half(p, add(p, a[i], a[i % n * n + i / n]));
      return;
    case EXPR_GRAD: for (int i = 0; i < count; i++) out[i] = ddx(l, a[i / l->dim], i % l->dim); return;
    case EXPR_DIVERGENCE: divergence(l, e, a, count, out); return;
    case EXPR_CURL: curl(l, e, a, out); return;
    case EXPR_LAP: for (int i = 0; i < count; i++) out[i] = laplacian(l, a[i]); return;
    case EXPR_EPS: symmetric_gradient(l, a, out); return;
    case EXPR_DX: for (int i = 0; i < count; i++) out[i] = ddx(l, a[i], e->index[0]); return;
    case EXPR_DT: for (int i = 0; i < count; i++) out[i] = ddt(l, a[i]); return;
    case EXPR_DTT: for (int i = 0; i < count; i++) out[i] = ddt(l, ddt(l, a[i])); return;
    case EXPR_JUMP: jump(l, e, x, count, out); return;
    case EXPR_AVG: for (int i = 0; i < count; i++) out[i] = half(p, add(p, a[i], b[i])); return;
    default: elementwise(l, e, side, x, count, out);
  }
}

/* --- the pass --- */

static uint64_t key_of(const Lowering *l, Item item) { return ((uint64_t)item.e->id * 4 + (uint64_t)item.side) * 4 + (uint64_t)l->dim; }
static Components done(const Lowering *l, Item item) { return memo_get(&l->pool->components, key_of(l, item)); }

static bool two_sided(Item item) { return !item.side && (item.e->op == EXPR_JUMP || item.e->op == EXPR_AVG); }
static int child_count(Item item) { return two_sided(item) ? 2 * item.e->n : item.e->n; }
static Item child(Item item, int k) { return two_sided(item) ? (Item){item.e->arg[k % item.e->n], 1 + k / item.e->n} : (Item){item.e->arg[k], item.side}; }

/* Components of one item whose children are done. false: a derivative is not known, the error is set. */
static bool lower_item(const Lowering *l, Item item) {
  int count = shape_size(item.e->shape, l->dim);
  Expr **out = ARENA_ARRAY(l->pool->arena, Expr *, count);
  Args x;
  for (int k = 0, n = child_count(item); k < n; k++) x.c[k] = done(l, child(item, k));
  if (item.side && (item.e->op == EXPR_JUMP || item.e->op == EXPR_AVG))   /* inside another jump or avg: one-valued there */
    return expr_fail(l->pool, EXPR_DIMENSION, 0, "%s inside jump or avg", expr_op_text((ExprOp)item.e->op)) != NULL;
  if (item.e->n || item.e->op == EXPR_HOSTCALL) lower_node(l, item.e, item.side, &x, count, out);
  else for (int i = 0; i < count; i++) out[i] = leaf(l, item.e, i, count, item.side);
  for (int i = 0; i < count; i++) if (!out[i]) *l->failed = true;
  if (*l->failed) return false;
  memo_put(&l->pool->components, key_of(l, item), out);
  return true;
}

static bool lower_all(const Lowering *l, Item root) {
  int n = 0, cap = 64;
  bool fine = true;
  Item *stack = expr_memory(NULL, (size_t)cap * sizeof *stack);
  stack[n++] = root;
  while (n && fine) {
    Item top = stack[n - 1];
    if (done(l, top)) {
      n--;
      continue;
    }
    int waiting = n;
    for (int k = child_count(top) - 1; k >= 0; k--) {
      Item c = child(top, k);
      if (done(l, c)) continue;
      if (n == cap) stack = expr_memory(stack, (size_t)(cap *= 2) * sizeof *stack);
      stack[n++] = c;
    }
    if (n == waiting) fine = lower_item(l, top);
  }
  free(stack);
  return fine;
}

Expr *expr_scalar(ExprPool *pool, Expr *e, int component, int dim) {
  bool failed = false;
  Lowering l = {pool, dim, &failed};
  Item root = {e, 0};
  bool lenient = pool->lenient;
  pool->lenient = true;
  bool fine = done(&l, root) || lower_all(&l, root);
  pool->lenient = lenient;
  return fine ? done(&l, root)[component] : NULL;
}
