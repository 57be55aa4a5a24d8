/* From an expression to a polynomial. What no law can contain is looked for first, on the author's tree, so that every message is about his text and no work
 * is done that it would not bound. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law_sum.h"

enum { DEPTH_MAX = 4 * LAW_NODES };

bool law_fault(LawFault *fault, DiagCode code, const char *mend, const char *found, ...) {
  va_list args;
  va_start(args, found);
  fault->code = code;
  vsnprintf(fault->found, sizeof fault->found, found, args);
  va_end(args);
  snprintf(fault->mend, sizeof fault->mend, "%s", mend);
  return false;
}

Expr *law_state(const LawSpace *space) {
  return expr_symbol(space->pool, (Symbol){.kind = SYMBOL_UNKNOWN, .time = NAN}, space->state, SHAPE_SCALAR, space->unit);
}

Expr *law_field(const LawSpace *space, int k, Name name) {
  return expr_symbol(space->pool, (Symbol){.kind = SYMBOL_UNKNOWN, .which = (uint16_t)(1 + k), .time = NAN}, name, SHAPE_SCALAR, UNIT_ANY);
}

/* ---- what the text may contain ---------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Reading {
  const LawSpace *space;
  const LawUnknown *unknown;
  int n;
  LawFault *fault;
  bool in_function;
} Reading;

static const struct LawFunction *function_row(ExprOp op) {
  for (int i = 0; i < LAW_FUNCTIONS; i++)
    if (law_functions[i].op == op) return &law_functions[i];
  return NULL;
}

static void list_functions(char *out, size_t size, unsigned allowed) {
  size_t n = 0;
  for (int i = 0; i < LAW_FUNCTIONS; i++)
    if (allowed >> i & 1) n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", law_functions[i].name);
  if (!n) snprintf(out, size, "none");
}

static bool symbol_fits(Reading *r, Expr *e, int derivatives) {
  const Symbol *s = &e->symbol;
  if (s->kind != SYMBOL_UNKNOWN || s->which > r->n) return law_fault(r->fault, E4017, "a law is made of the state, its derivatives, unknown fields and whole numbers", "`%s` is neither the state `%s` nor an unknown field", e->name ? e->name : "?", r->space->state);
  if (!s->which) {
    if (derivatives <= r->space->order) return true;
    char mend[120];
    snprintf(mend, sizeof mend, "this candidate language goes up to order %d; %s", r->space->order, r->space->order < LAW_ORDER ? "`order:` of the discovery can be raised to 4" : "no order is higher");
    return law_fault(r->fault, E4014, mend, "a derivative of `%s` of order %d", r->space->state, derivatives);
  }
  if (r->in_function) return law_fault(r->fault, E4018, "a law is linear in its fields: let the field multiply the function", "the field `%s` stands inside a function", e->name);
  if (derivatives > LAW_FIELD_ORDER) return law_fault(r->fault, E4015, "a field is differentiated at most twice", "the field `%s` is differentiated %d times", e->name, derivatives);
  return true;
}

static bool constant_fits(Reading *r, double value) {
  if (value == floor(value) && fabs(value) <= 1e6) return true;
  Buf text = {0};
  buf_number(&text, value);
  bool whole = value == floor(value);
  law_fault(r->fault, E4005, "constants are whole numbers up to 1000000; a factor belongs to an unknown field, which takes any value", "%s is a constant of your own%s", buf_str(&text), whole ? ", too large to be part of a structure" : "");
  buf_free(&text);
  return false;
}

static bool power_fits(Reading *r, Expr *e) {
  double p;
  if (!expr_is_const(e->arg[1], &p)) return law_fault(r->fault, E4013, "an exponent is a whole number from 1", "an exponent that is no number");
  if (p == floor(p) && p >= 0 && p <= LAW_EXPONENT) return true;
  return p > LAW_EXPONENT && p == floor(p) ? law_fault(r->fault, E4019, "an exponent is 64 at most", "the exponent %g", p)
                                           : law_fault(r->fault, E4013, "an exponent is a whole number from 1", "the exponent %g makes the term unbounded or undefined where its base is zero or negative", p);
}

static bool function_fits(Reading *r, Expr *e) {
  const struct LawFunction *row = function_row(e->op);
  char allowed[80], mend[200];
  list_functions(allowed, sizeof allowed, r->space->functions);
  if (row && (r->space->functions >> (row - law_functions) & 1)) return true;
  if (row) {
    snprintf(mend, sizeof mend, "allowed: %s. The discovery says so in `language { functions: [...] }`", allowed);
    return law_fault(r->fault, E4012, mend, "this candidate language has no function `%s`", row->name);
  }
  snprintf(mend, sizeof mend, "functions that a language can allow: tanh, sin, cos, exp; allowed here: %s", allowed);
  return law_fault(r->fault, E4013, mend, "`%s` is not bounded, or has no derivative, for some values of its argument", expr_op_text(e->op));
}

static bool quotient_fits(Reading *r, Expr *e) {
  double value;
  if (expr_is_const(e->arg[1], &value)) return law_fault(r->fault, E4005, "drop the number: an unknown field takes any factor", "division by %g is a constant of your own", value);
  return law_fault(r->fault, E4013, "multiply by a field, or by tanh of what is in the denominator", "a quotient is unbounded where its denominator is zero");
}

/* Number of nodes as a tree, at most LAW_NODES + 1; 0: a fault. derivatives: how many act on e from above. */
static int read_tree(Reading *r, Expr *e, int derivatives, int depth) {
  int inner = derivatives, nodes = e->op == EXPR_NEG || e->op == EXPR_VECTOR || e->op == EXPR_COMPONENT ? 0 : 1, before = r->in_function;
  double value;
  if (depth > DEPTH_MAX) return LAW_NODES + 1;
  if (expr_is_const(e, &value)) return constant_fits(r, value);
  switch (e->op) {
    case EXPR_SYMBOL: return symbol_fits(r, e, derivatives);
    case EXPR_ADD: case EXPR_SUB: case EXPR_NEG: case EXPR_MUL: case EXPR_VECTOR: case EXPR_COMPONENT: case EXPR_DOT: case EXPR_INNER: case EXPR_OUTER: case EXPR_TRACE:
    case EXPR_TRANSPOSE: case EXPR_IDENTITY: case EXPR_TENSOR: break;
    case EXPR_POW:
      if (!power_fits(r, e)) return 0;
      break;
    case EXPR_GRAD: case EXPR_DIVERGENCE: case EXPR_DX: inner++; break;
    case EXPR_LAP: inner += 2; break;
    case EXPR_DT: case EXPR_DTT:
      law_fault(r->fault, E4004, "the right side has derivatives in space alone: the law says how the state changes at a moment", "`%s` on the right side", expr_op_text(e->op));
      return 0;
    case EXPR_COORD: case EXPR_TIME: case EXPR_NORMAL: case EXPR_SIZE:
      law_fault(r->fault, E4016, "let an unknown field depend on the place: `unknown field C(x, y)`", "the law depends on `%s` by a formula", e->op == EXPR_COORD ? (const char *[]){"x", "y", "z"}[e->index[0]] : expr_op_text(e->op));
      return 0;
    case EXPR_PARAM:
      law_fault(r->fault, E4005, "an unknown field takes any value; constants are whole numbers", "the parameter `%s` is a constant of your own", e->name);
      return 0;
    case EXPR_DIV: quotient_fits(r, e); return 0;
    case EXPR_HOSTCALL: case EXPR_TABLE: case EXPR_REGIONS: case EXPR_INTEGRAL: case EXPR_LAMBDA: case EXPR_JUMP: case EXPR_AVG: case EXPR_CURL: case EXPR_EPS: case EXPR_SYM:
    case EXPR_DEV: case EXPR_DET: case EXPR_INV: case EXPR_CROSS: case EXPR_TERM: case EXPR_NORMAL_COMPONENT:
      law_fault(r->fault, E4017, "a law is made of the state, its derivatives, unknown fields, whole numbers, + - * ^ and the functions of its language", "`%s` is not in the language of laws", e->name ? e->name : expr_op_text(e->op));
      return 0;
    default:
      if (!function_fits(r, e)) return 0;
      r->in_function = true;
  }
  for (int i = 0; i < e->n && nodes <= LAW_NODES; i++) {
    int below = read_tree(r, e->arg[i], inner, depth + 1);
    if (r->fault->code != DIAG_CODES) return 0;
    nodes += below;
  }
  r->in_function = before;
  return nodes;
}

/* ---- expansion ---------------------------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Known { uint32_t id; LawSum sum; } Known;
typedef struct Expansion {
  LawAlgebra *s;
  const LawUnknown *unknown;
  LawFault *fault;
  Known *known;            /* of nodes, open addressing */
  int room, used;
} Expansion;

static LawSum *recall(Expansion *x, uint32_t id, bool *found) {
  if (2 * x->used >= x->room) {
    Known *old = x->known;
    int n = x->room;
    x->room = n ? 2 * n : 256;
    x->known = ARENA_ARRAY(x->s->arena, Known, x->room);
    x->used = 0;
    for (int i = 0; i < n; i++)
      if (old[i].id) *recall(x, old[i].id - 1, &(bool){false}) = old[i].sum;
  }
  uint32_t at = (id * 2654435761u) % (uint32_t)x->room;
  while (x->known[at].id && x->known[at].id != id + 1) at = (at + 1) % (uint32_t)x->room;
  *found = x->known[at].id != 0;
  if (!*found) x->known[at].id = id + 1, x->used++;
  return &x->known[at].sum;
}

static bool expand(Expansion *x, Expr *e, LawSum *out);

static bool terminal(Expansion *x, Expr *e, LawSum *out) {
  const Symbol *s = &e->symbol;
  *out = (LawSum){0};
  if (s->which) {
    unsigned domain = x->unknown[s->which - 1].domain;
    if ((s->dx[0] && !(domain & LAW_X)) || (s->dx[1] && !(domain & LAW_Y))) return true;     /* it does not depend on that */
  }
  *out = law_jet_sum(x->s, s->which, s->dx[0], s->dx[1]);
  return true;
}

static bool operation(Expansion *x, Expr *e, LawSum *out) {
  LawAlgebra *s = x->s;
  LawSum a, b;
  double value;
  if (expr_is_const(e, &value)) {
    *out = law_constant(s, (LawNumber){(int64_t)value, 1});
    if (value != floor(value) || fabs(value) > 1e15) s->exhausted = true;
    return true;
  }
  if (e->op == EXPR_TERM) return terminal(x, e, out);
  if (!expand(x, e->arg[0], &a)) return false;
  if (e->op == EXPR_POW) {
    *out = expr_is_const(e->arg[1], &value) ? law_power(s, a, (int)value) : (LawSum){0};
    return true;
  }
  if (e->n > 1 && !expand(x, e->arg[1], &b)) return false;
  switch (e->op) {
    case EXPR_ADD: *out = law_sum(s, a, b); return true;
    case EXPR_SUB: *out = law_sum(s, a, law_scaled(s, b, (LawNumber){-1, 1})); return true;
    case EXPR_NEG: *out = law_scaled(s, a, (LawNumber){-1, 1}); return true;
    case EXPR_MUL: *out = law_product(s, a, b); return true;
    default: break;
  }
  if (law_has_field(a)) return law_fault(x->fault, E4018, "a law is linear in its fields: let the field multiply the function", "a field stands inside `%s`", expr_op_text(e->op));
  if (a.n == 1 && !a.term[0].of.n) return law_fault(x->fault, E4005, "an unknown field takes any value; constants are whole numbers", "`%s` of a number is a constant of your own", expr_op_text(e->op));
  *out = law_function(s, e->op, a);
  return true;
}

static bool expand(Expansion *x, Expr *e, LawSum *out) {
  bool found;
  *out = *recall(x, e->id, &found);
  if (found) return true;
  if (x->s->exhausted) return true;
  if (!operation(x, e, out)) return false;
  *recall(x, e->id, &found) = *out;
  return true;
}

bool law_expand(LawAlgebra *s, const LawSpace *space, const LawUnknown *unknown, int n, Expr *right, LawSum *out, int *nodes, LawFault *fault) {
  fault->code = DIAG_CODES;
  Reading r = {space, unknown, n, fault, false};
  *nodes = read_tree(&r, right, 0, 0);
  if (fault->code != DIAG_CODES) return false;
  if (*nodes > space->nodes) return law_fault(fault, E4011, "leave out what the data do not ask for, or factor common parts; `nodes:` of the discovery sets the limit", "the right side has %s%d operators, functions, names and numbers; at most %d are allowed", *nodes > LAW_NODES ? "more than " : "", *nodes > LAW_NODES ? LAW_NODES : *nodes, space->nodes);
  Expr *scalar = expr_specialise(space->pool, right, space->dim);
  if (scalar) scalar = expr_scalar(space->pool, scalar, 0, space->dim);
  if (!scalar) return law_fault(fault, E4017, "write it with the derivatives of the state", "%.200s", expr_error(space->pool).text);
  Expansion x = {.s = s, .unknown = unknown, .fault = fault};
  if (!expand(&x, scalar, out)) return false;
  if (s->exhausted) return law_fault(fault, E4019, "powers of sums are what grows: multiply fewer of them", "the law multiplied out has too many terms or too large numbers");
  return true;
}
