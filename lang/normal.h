/* The inside of normal forms, seen by expr_normal*.c alone: terms, atoms, and their arithmetic. */
#ifndef NORMAL_H
#define NORMAL_H
#include "expr_normal.h"
#include "expr_pool.h"

typedef struct Power { int atom; double exp; } Power;

typedef struct Term {
  double coef, error;      /* the exact coefficient is within error of coef */
  int n;
  const Power *power;      /* sorted by atom; exponents are not 0 */
} Term;

typedef struct Normal {
  int n;
  Term *term;              /* sorted by powers, the constant first; none of them is zero */
} Normal;

/* What an atom is besides an operation of expr.def applied to args. */
enum { ATOM_OPAQUE = EXPR_OPS, ATOM_GROUP /* a sum as a whole, below a division or root */, ATOM_LESS /* 1 where args[0] < 0, else 0 */, ATOM_REGION /* 1 in a region */ };

typedef struct Atom {
  int op;
  Expr *e;                 /* leaf, opaque part; of a function whatever stands for its payload (table, name, indices) */
  Name name;               /* REGION; INTEGRAL: NULL */
  int nargs;
  const Normal *arg[3];
  bool nonnegative;        /* where it is defined */
  bool positive;
  bool in_space;           /* depends on the place */
} Atom;

struct Normals {
  Arena *arena;
  const RangeLeaf *box;
  int nbox;
  Expr *const *only;
  int nonly;
  Atom *atom;
  int natoms, cap;
  Memo known;              /* of nodes: Normal */
  Memo held;               /* nodes that are atoms as they stand */
  Memo relevant;           /* of nodes: 1 + does it depend on `only`? */
  long work, most;         /* products of terms still to be made, and at first */
  bool exhausted;
};

Normal normal_number(Normals *s, double value, double error);
Normal normal_constant(Normals *s, double value);              /* as written in a script */
Normal normal_sum(Normals *s, Normal a, double weight, Normal b);   /* a + weight*b, weight 1 or -1 or a power of two */
Normal normal_product(Normals *s, Normal a, Normal b);
/* base = content * rest: the product of powers of atoms that is in every term, as far as its sign is sure: of nonnegative atoms and even powers, or of positive
 * atoms alone. Content 1 where there is none. */
typedef enum ContentKind { CONTENT_ANY, CONTENT_SIGN_SURE, CONTENT_POSITIVE } ContentKind;
Normal normal_content(Normals *s, Normal base, ContentKind kind, Normal *rest);
Normal normal_power(Normals *s, Normal base, double exponent, Expr *base_expr);   /* the base as an expression, for its sign; or NULL */
Normal normal_atom(Normals *s, int atom, double exponent);
Normal normal_scaled(Normals *s, Normal a, double value, double error);
bool normal_same(Normals *s, Normal a, Normal b);
bool normal_vanishes(Normals *s, Normal a);
static inline bool normal_is_number(Normal a) { return a.n == 0 || (a.n == 1 && a.term[0].n == 0); }

int normal_find_atom(Normals *s, Atom draft);                 /* the atom equal to the draft, made if there is none */
const Normal *normal_keep(Normals *s, Normal a);
Normal normal_opaque(Normals *s, Expr *e);
Interval normal_interval(const Normals *s, Expr *e);          /* by the box; of an unknown leaf anything */

/* The rule of a node, given the forms of its arguments. */
Normal normal_rule(Normals *s, Expr *e, const Normal *a);
/* A lower form of atom^2 (or ^3): *power is how many; false: there is none. */
bool normal_reduction(Normals *s, int atom, double *power, Normal *into);

#endif
