/* A pde as the numerics sees it: unknowns, equations, conditions as expressions. Filled by the evaluator from a declaration (or by a C
 * program), read by numerics. No syntax tree in it: places are spans. */
#ifndef PDE_LANG_H
#define PDE_LANG_H
#include "diag.h"
#include "expr.h"

/* Where a condition or an integral holds: canonical group names of the geometry or mesh. */
typedef struct Where {
  Name *names;           /* boundary (or region) groups: "left", "outer.left", "inlet"; their union */
  int n;
  bool all;              /* every boundary / the whole domain */
  bool others;           /* every boundary (or region) but those in names; the runtime puts there what the clauses beside it name */
  bool interior;         /* facets between cells */
  Name interface[2];     /* both set: facets where the two regions meet, n from the first to the second */
  Name side;             /* on facets between cells: the region on whose side what jumps is taken; NULL: the mean of both */
  bool is_point;         /* `on point (..)` */
  double point[3];
  Span span;
} Where;

typedef struct Unknown {
  Name name;
  Shape shape;           /* specialised to dim */
  Name element;          /* "P1", "P2", ... a row of element.def */
  Unit unit;
  Expr *symbol;          /* SYMBOL_UNKNOWN */
  Expr *test;            /* SYMBOL_TEST of the same shape */
  Span span;
  bool by_default;       /* nobody chose the element: on quadrilaterals and hexahedra it is Q1 */
} Unknown;

typedef struct Equation {
  int unknown;           /* whose test function multiplies it */
  Expr *left, *right;
  Span span;
} Equation;

/* A weak form: integral terms, linear in the test functions; lhs minus rhs. */
typedef struct WeakTerm {
  Expr *integrand;
  Where where;
  bool on_cells;         /* over cells (of where's regions, or all), else over facets */
  double sign;           /* +1 left, -1 right */
  int degree;            /* quadrature degree asked for, -1: chosen */
  Span span;
} WeakTerm;

typedef enum ConditionKind {
  CONDITION_DIRICHLET, CONDITION_NATURAL,
  CONDITION_NORMAL,      /* dot(u, n) == value of a vector unknown */
  CONDITION_TANGENTIAL,  /* cross(u, n) == value */
  CONDITION_NUMBER       /* u == V + value with an unknown number V */
} ConditionKind;

typedef struct Condition {
  ConditionKind kind;
  int unknown;           /* DIRICHLET: which; NATURAL: the equation's unknown whose flux it prescribes */
  int component;         /* -1: all */
  Expr *value;           /* DIRICHLET, NORMAL, TANGENTIAL: prescribed value; NATURAL: g in dot(F, n) = g, with F = flux `flux` of the form */
  int flux;              /* NATURAL: index into Form.fluxes */
  int number;            /* NUMBER: index into Pde.globals */
  Expr *left, *right;    /* as written */
  Where where;
  int order;             /* place in the text: the later clause wins a shared node */
  bool by_rest;          /* given through all or others: yields to a named one */
  bool implied;          /* the zero natural condition nobody wrote */
  Span span;
} Condition;

typedef struct Initial {
  int unknown, component;   /* component -1: all */
  int dt;                   /* 0: the value; 1: its rate */
  Expr *value;
  Span span;
} Initial;

typedef struct Constraint { /* an equation between integrals of unknowns and numbers: one multiplier */
  Expr *left, *right;       /* contain EXPR_INTEGRAL of the unknowns */
  int unknown;              /* whose equation takes the constant source */
  Span span;
} Constraint;

typedef struct Global {     /* an unknown number. form_weak makes one of every integral that it finds in the equations; others are declared: unknown V : number */
  Name name;
  bool declared;
  Expr *symbol;             /* the EXPR_PARAM that stands for it in the equations */
  Expr *before;             /* the one that stands for its value one step back */
  Expr *left, *right;       /* left == right, between integrals and numbers, determines it: symbol == integral(u). NULL: not known yet */
  Expr *held;               /* of one that conditions u == V name: what its row is, as the flux into those boundaries is what the rows of their nodes add up to; else NULL */
  bool fixes;               /* of such a one: its equation contains it, so that a constant is not free */
  bool bends;               /* the equations are not linear in it, or it is not linear in the unknowns */
  Span span;
} Global;

typedef struct Periodic { Where from, to; Span span; } Periodic;

typedef struct PdeParam {
  Name name;
  Expr *symbol;             /* EXPR_PARAM */
  Expr *value;              /* default: constant expressions, or any field */
  bool of_file;
} PdeParam;

typedef struct Pde {
  Name name;
  int dim;
  ExprPool *pool;           /* borrowed */
  Unknown *unknowns; int nunknowns;
  Equation *equations; int nequations;      /* strong form */
  WeakTerm *weak; int nweak;                /* or weak form */
  bool stabilize; Span stabilize_span;      /* `stabilize: supg` */
  Condition *conditions; int nconditions;
  Initial *initials; int ninitials;
  Constraint *constraints; int nconstraints;
  Global *globals; int nglobals;
  Periodic *periodics; int nperiodics;
  PdeParam *params; int nparams;
  Expr **parts; Name *part_names; int nparts;   /* fields that the author named, for messages in his words */
  Unit length, time;        /* units of x and t */
  const void *geometry;     /* Geom of the subject, borrowed (kept by the value that owns this), NULL: a mesh */
  Span span;
  Arena *arena;             /* owns the arrays */
} Pde;

/* The number that a leaf stands for, or NULL. */
const Global *pde_global(const Pde *pde, Expr *leaf);
/* Puts them into a list for expr_name_integrals, so that what it names is none of them; the number of them. */
int pde_name_globals(const Pde *pde, ExprNamed *list, int max);
/* Does e contain such a number? */
bool pde_has_globals(const Pde *pde, Expr *e);
/* e as the author wrote it: integrals in the place of those numbers. */
Expr *pde_written(const Pde *pde, Expr *e);

/* An expression of the pde, its named parts by their names: k*grad(T), not 50*(1 + x)*grad(T). */
void pde_print_expr(Buf *out, const Pde *pde, Expr *e);

#endif
