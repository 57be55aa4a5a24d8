/* Field expressions: a hash-consed DAG. Equal expressions of one pool are the same pointer, nodes are immutable and live as long
 * as their pool (one pool a host).
 *
 * Two levels share the node type. Tensor level: what the author wrote, with shapes and units (grad(u), dot(a, b), eps(u)).
 * Scalar level: the result of expr_scalar, one component at a time, made of scalar arithmetic over terminals, where a
 * derivative of a field is a terminal of its own (EXPR_TERM with derivative counts). Kernels are built from scalar level.
 *
 * Shapes: rank 0..3; an extent is 1..9 or EXTENT_DIM, the dimension of a domain that is not known yet (a field at file
 * level): EXTENT_DIM fits any extent; expr_specialise replaces it when the domain is known. */
#ifndef EXPR_H
#define EXPR_H
#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "expr_scatter.h"
#include "intern.h"
#include "unit.h"

enum { EXTENT_DIM = 15, RANK_MAX = 3 };

typedef struct Shape {
  uint8_t rank;
  uint8_t extent[RANK_MAX];
} Shape;

#define SHAPE_SCALAR ((Shape){0, {0, 0, 0}})
static inline Shape shape_vector(int n) { return (Shape){1, {(uint8_t)n, 0, 0}}; }
static inline Shape shape_tensor(int n, int m) { return (Shape){2, {(uint8_t)n, (uint8_t)m, 0}}; }
bool shape_equal(Shape a, Shape b);
bool shape_fits(Shape a, Shape b);         /* equal, an EXTENT_DIM fitting anything */
Shape shape_merge(Shape a, Shape b);       /* of two that fit */
int shape_size(Shape s, int dim);          /* number of components in dim dimensions, row-major */
void shape_print(Buf *out, Shape s);       /* "scalar", "vector 3", "tensor 2x2", "vector d" */

typedef enum ExprOp {
#define EXPR(op, arity, level, text, latex) EXPR_##op,
#include "expr.def"
#undef EXPR
  EXPR_OPS
} ExprOp;

/* What a scalar terminal or a symbol stands for. */
typedef enum SymbolKind {
  SYMBOL_UNKNOWN,     /* unknown `which` of the pde: the current iterate */
  SYMBOL_TEST,        /* test function of unknown `which` */
  SYMBOL_TRIAL,       /* direction of a Gateaux derivative (the Newton update), unknown `which` */
  SYMBOL_PREVIOUS,    /* unknown `which` one step back (dt count 0), filled by the time scheme; level 1, 2, ... in `level` */
  SYMBOL_FIELD        /* unknown `which` of solution `serial` (a known discrete field) */
} SymbolKind;

typedef struct Symbol {
  uint8_t kind;        /* SymbolKind */
  uint8_t level;       /* PREVIOUS: how many steps back; UNKNOWN: 0 */
  uint8_t side;        /* 0: the cell itself; 1, 2: the first, second cell of an interior facet */
  uint8_t component;   /* TERM: row-major component */
  uint8_t dx[3];       /* TERM: number of derivatives in x, y, z */
  uint8_t dt;          /* TERM: number of time derivatives */
  uint16_t which;      /* index of the unknown */
  uint32_t serial;     /* FIELD: Solution serial number */
  double time;         /* FIELD: state of a transient solution; NAN: the last (or the time of evaluation inside history) */
} Symbol;

/* Measured data of one to three variables, interpolated: of one by a polynomial on each interval, of more by products of linear functions. In SI units. */
typedef struct ExprTable {
  Name name;             /* for messages: "k" */
  Name id;               /* of the content: equal data, equal id */
  int n[3], dim;         /* knots in each variable, which rise */
  const double *knot[3];
  const double *value;   /* [n[0]][n[1]][n[2]] */
  const double *coef;    /* dim 1: [n[0] - 1][4], powers of x - knot; NULL else */
  const struct Scattered *scatter;   /* dim 2, scattered points: knot has the two ends of each range, n is 2 and value NULL */
  bool hold;             /* beyond the ends the value there holds; else there is none */
  Unit in[3], out;
} ExprTable;

typedef const struct Expr Expr;
struct Expr {
  uint8_t op;          /* ExprOp */
  uint8_t n;           /* number of arguments */
  Shape shape;
  Unit unit;
  uint32_t id;         /* creation number in its pool: arguments have smaller ids than their users */
  uint32_t hash;
  uint32_t flags;      /* ExprFlags, closed over the arguments */
  Name name;           /* PARAM, SYMBOL, HOSTCALL: the user's spelling; TERM: with its component, "u.x" */
  double value;        /* CONST */
  int index[3];        /* COORD, DX, NORMAL_COMPONENT: axis; COMPONENT: indices, -1 after the last; SIZE, REGIONS: side of a facet, as in Symbol;
                          INTEGRAL: 1 for a mean, number of names; PARAM: 1 for params of the file, 0 of the pde; of a vector or tensor on scalar
                          level also component, number of components; HOSTCALL on scalar level the same from index[0] on; TABLE: derivatives by each
                          argument */
  Symbol symbol;       /* SYMBOL, TERM */
  const ExprTable *table;   /* TABLE */
  const Name *names;   /* REGIONS: for each argument the region's canonical name, NULL for `others`, n of them; INTEGRAL: where, index[1] of them */
  Expr *arg[];
};

/* Closed over sub-expressions. */
enum ExprFlags {
  HAS_UNKNOWN = 1, HAS_TEST = 2, HAS_TIME = 4 /* t */, HAS_DT = 8 /* a time derivative */, HAS_COORD = 16, HAS_NORMAL = 32,
  HAS_FIELD = 64, HAS_PARAM = 128, HAS_DIM = 256 /* an EXTENT_DIM inside */, HAS_FACET = 512 /* jump, avg */,
  HAS_SIZE = 1024 /* h */, HAS_REGIONS = 2048, HAS_LAMBDA = 4096, HAS_INTEGRAL = 8192, HAS_HOST = 16384, HAS_TRIAL = 32768,
  HAS_PREVIOUS = 65536,
  HAS_SINGULAR = 131072   /* may be infinite or NaN where its terminals are finite: a division, log, sqrt, host call ... */
};

typedef struct ExprPool ExprPool;

ExprPool *expr_pool_new(Interner *names);     /* names borrowed */
void expr_pool_free(ExprPool *pool);
size_t expr_pool_bytes(const ExprPool *pool);

/* --- constructors. Where shapes or units do not fit they return NULL and expr_error says why; arguments are never NULL. --- */

typedef enum ExprErrorKind { EXPR_FINE, EXPR_SHAPE, EXPR_UNIT, EXPR_RANK, EXPR_ARITY, EXPR_POWER, EXPR_DIMENSION } ExprErrorKind;
typedef struct ExprError {
  ExprErrorKind kind;
  int argument;        /* the argument to blame, from 0; -1: their combination */
  char text[200];      /* "left is vector 2, right is scalar" */
} ExprError;
ExprError expr_error(const ExprPool *pool);   /* of the last constructor that returned NULL */

Expr *expr_const(ExprPool *pool, double value, Unit unit);
Expr *expr_zero(ExprPool *pool, Shape shape);             /* the literal 0: scalar with unit any fits every shape and unit */
Expr *expr_param(ExprPool *pool, Name name, Shape shape, Unit unit, bool of_file);
Expr *expr_coord(ExprPool *pool, int axis, Unit unit);    /* x y z */
Expr *expr_time(ExprPool *pool, Unit unit);
Expr *expr_normal(ExprPool *pool, int dim);               /* dim may be EXTENT_DIM */
Expr *expr_size(ExprPool *pool, Unit unit);               /* h */
Expr *expr_identity(ExprPool *pool, int dim);
Expr *expr_lambda(ExprPool *pool);                        /* the eigenvalue */
Expr *expr_symbol(ExprPool *pool, Symbol symbol, Name name, Shape shape, Unit unit);
Expr *expr_make(ExprPool *pool, ExprOp op, Expr *const *args, int n);       /* any op of expr.def that needs no payload */
Expr *expr_unary(ExprPool *pool, ExprOp op, Expr *a);
Expr *expr_binary(ExprPool *pool, ExprOp op, Expr *a, Expr *b);
Expr *expr_component(ExprPool *pool, Expr *a, const int *index, int n);     /* from 0, row-major order of indices */
Expr *expr_dx(ExprPool *pool, Expr *a, int axis, Unit length);              /* dx dy dz of the author; length: unit of x */
Expr *expr_regions(ExprPool *pool, Expr *const *args, const Name *names, int n);  /* region by region */
/* grad, div, curl, lap and eps divide by `length`, dt and dtt by `time`: the units of x and t in this program. */
void expr_set_base_units(ExprPool *pool, Unit length, Unit time);
/* integral of `a` over the boundaries or regions named (nonlocal term or constraint); no name: the whole domain. The first name may be the kind of
 * place: @cells, @facets (alone: the whole boundary), @interior, or @interface with its two regions. */
Expr *expr_integral(ExprPool *pool, Expr *a, const Name *where, int nwhere, bool mean);
/* Function of the host or a table, called with scalar arguments: name resolves in the evaluation context. */
Expr *expr_host_call(ExprPool *pool, Name name, Expr *const *args, int n, Shape shape, Unit unit);

/* A table of scalar arguments. A table is made in the pool from arrays that are copied; method of one variable: monotone cubics, or linear. */
const ExprTable *expr_table_new(ExprPool *pool, const ExprTable *from, bool cubic);
/* The same of values at scattered points; from has name, hold and units. Says what is wrong with the points (expr_scatter.h). */
ScatterFault expr_scatter_new(ExprPool *pool, const ExprTable *from, const double (*x)[2], const double *value, int n, int which[2], const ExprTable **out);
Expr *expr_table(ExprPool *pool, const ExprTable *table, Expr *const *args, int n);
/* Value, or a derivative, order[k] times by argument k. NAN outside of a table that does not hold. */
double expr_table_value(const ExprTable *table, const double *x, const int order[3]);

bool expr_is_zero(Expr *e);            /* structurally zero */
bool expr_is_const(Expr *e, double *value);

/* --- substitution and specialisation --- */
Expr *expr_specialise(ExprPool *pool, Expr *e, int dim);   /* every EXTENT_DIM becomes dim; NULL where that does not fit */
typedef Expr *(*ExprSubstitute)(ExprPool *pool, Expr *leaf, void *user);   /* the leaf itself: keep */
/* Leaves: SYMBOL, TERM, PARAM, TIME, COORD, NORMAL, SIZE, LAMBDA. The value has the leaf's shape, or is a scalar zero; units are not checked again
 * (a sum of unequal ones gets unit any). NULL: a shape does not fit. */
Expr *expr_substitute(ExprPool *pool, Expr *e, ExprSubstitute replace, void *user);

/* e with every part that is parts[k] written as the symbol names[k]: for messages in the author's words. */
Expr *expr_name_parts(ExprPool *pool, Expr *e, Expr *const *parts, const Name *names, int n);

/* e with a parameter in the place of every integral, named as that prints; each new one is appended to list, an integral inside of another before it.
 * NULL: more than max. */
typedef struct ExprNamed { Name name; Expr *symbol, *value; } ExprNamed;
Expr *expr_name_integrals(ExprPool *pool, Expr *e, ExprNamed *list, int *n, int max);
/* Another parameter like this one, whose name goes on with `suffix`. */
Expr *expr_param_beside(ExprPool *pool, Expr *param, const char *suffix);

/* --- scalar level --- */
/* Component `component` (row-major) of e in dim dimensions, with all derivatives carried down to terminals. e is specialised. Params are constants.
 * Inside jump and avg terminals, h and regions have a side, and n is the outward normal of that side's cell. Memoised in the pool: a second call
 * costs nothing. NULL: a derivative of a host function is needed (expr_error names it). */
Expr *expr_scalar(ExprPool *pool, Expr *e, int component, int dim);
Expr *expr_term(ExprPool *pool, Symbol symbol, Name name, Unit unit);
/* d e/d leaf for scalar level; leaf is a TERM, PARAM, TIME or COORD node. Integrals vary with a PARAM or TIME alone: by a TERM their derivative is 0
 * here (it is not local). NULL: a host function stands in between. */
Expr *expr_diff(ExprPool *pool, Expr *e, Expr *leaf);
/* The same, but zero where a root or its like has none: sqrt at 0, hypot at (0, 0). For searches that go downhill. */
Expr *expr_subgradient(ExprPool *pool, Expr *e, Expr *leaf);
/* Every max(0, a) as: a where it is positive, else slope*a. What is flat gets a direction for searches, and what is positive stays the larger. */
Expr *expr_leaky(ExprPool *pool, Expr *e, double slope);
/* Total derivative of a scalar-level expression along axis (0..2), terminals raising their counts. */
Expr *expr_diff_space(ExprPool *pool, Expr *e, int axis);
Expr *expr_diff_time(ExprPool *pool, Expr *e);
/* Visits every node below e, and e, at least once; false: its arguments are not looked at for its sake. */
void expr_visit(Expr *e, bool (*visit)(Expr *node, void *user), void *user);
/* All TERM leaves below e whose symbol kind is in the mask (1 << SYMBOL_X), each once, by id. Returns their number; out may be NULL. */
int expr_terms(ExprPool *pool, Expr *e, unsigned kinds, Expr **out, int max);
/* Total polynomial degree estimate in space; the callback gives that of each TERM, a COORD has 1; non-polynomials count as their argument + 2. */
/* Does its value jump where its terminals do not: if, a comparison, sign, floor, ceil, mod of what varies in space or with a field? */
bool expr_jumps(Expr *e);
int expr_degree(Expr *e, int (*degree)(Expr *terminal, void *user), void *user);
/* Value of a scalar-level expression; the callback gives the value of leaves, integrals, host calls, and of tables beyond their ends, and for REGIONS the number of the argument that
 * holds. == is within 1e-9 (a domain of size 1). The reference for kernels and tests. */
double expr_value(Expr *e, double (*terminal)(Expr *leaf, void *user), void *user);

/* --- printing and identity --- */
typedef enum ExprStyle { EXPR_TEXT, EXPR_UNICODE, EXPR_LATEX, EXPR_MATHML } ExprStyle;
void expr_print(Buf *out, Expr *e, ExprStyle style);
void expr_mathml_row(Buf *out, Expr *e);       /* EXPR_MATHML without its <math> element: as a part of another */
/* Canonical text: sums and products flattened and sorted, numbers to 15 digits, long parts as their SHA-256. Sums are not multiplied out. */
void expr_canon(Buf *out, Expr *e);
void expr_id(Expr *e, char hex[65]);           /* SHA-256 of the canonical text */
bool expr_same(Expr *a, Expr *b);              /* equal up to canonical form */
/* a == factor*b with a factor free of fields and coordinates (numbers, params)? */
bool expr_proportional(ExprPool *pool, Expr *a, Expr *b, Expr **factor);

/* Op properties, for checkers and documentation. */
const char *expr_op_text(ExprOp op);
int expr_op_arity(ExprOp op);                  /* -1: any */
ExprOp expr_op_of_function(const char *name);  /* "sin" -> EXPR_SIN, "grad" -> EXPR_GRAD; EXPR_OPS: none */

#endif
