/* Laws: evolution equations u_t = known(u) + sum_k L_k(C_k) of one observed state u with unknown coefficient fields C_k, each L_k linear in its field and
 * its derivatives, with coefficients that are polynomials in the derivatives of u and in functions of them. A law is made from the right side of an
 * equation and is always kept in its canonical form:
 *
 *   expansion   product and chain rule, multiplied out, in exact rational arithmetic: forms that differ by these rules become one
 *   gauge       fields are linear unknowns, so laws that reach the same set of equations by other fields are one law. Fields that multiply a function of u
 *               alone are row reduced and absorb what other fields' derivatives multiply by the same functions (C1 absorbs dx(C0) beside C1*ux); the others
 *               are row reduced with constant coefficients, the highest derivatives of fields first; known terms give way to fields that reach them by a
 *               constant; what only derivatives of a field reach is the field's own (dx(C)*u is C*u)
 *   order       coefficients of a field are scaled to begin with 1, terms and fields come in one order
 *
 * Equal laws have equal keys and ids; cached results, charges and archives go by them. The author's fields are functions of the canonical ones, or cannot be
 * told from each other: LawAuthor says which. */
#ifndef LAW_H
#define LAW_H
#include "diag.h"
#include "expr.h"

enum { LAW_FIELDS = 8, LAW_ORDER = 4, LAW_FIELD_ORDER = 2, LAW_NODES = 400, LAW_FUNCTIONS = 4 };
enum { LAW_X = 1, LAW_Y = 2 };       /* what a field depends on; 0: a constant */

typedef struct LawNumber { int64_t num, den; } LawNumber;    /* den > 0, no common factor */

typedef struct LawAtom LawAtom;      /* equal atoms of one law are one pointer */
typedef struct LawPower { const LawAtom *atom; int exponent; } LawPower;
typedef struct LawMonomial { int n; const LawPower *power; } LawMonomial;      /* of jets and functions; n 0: the constant 1 */
typedef struct LawTerm { LawNumber factor; LawMonomial of; } LawTerm;
typedef struct LawSum { int n; const LawTerm *term; } LawSum;                  /* in canonical order; n 0: zero */
struct LawAtom {
  ExprOp op;                         /* EXPR_TERM: d_x^dx d_y^dy of the state (or of an author's field, while a law is made); else a function of `argument` */
  int dx, dy, field;                 /* field: 0, or 1 + number of the author's field */
  LawSum argument;
};

/* ---- what the laws of one discovery share -------------------------------------------------------------------------------------------------------------------- */

/* Functions that a candidate language may allow. They are bounded where their arguments are, and their derivatives are among them. */
extern const struct LawFunction { ExprOp op; const char *name; bool odd, even; } law_functions[LAW_FUNCTIONS];

typedef struct LawSpace {
  ExprPool *pool;                    /* borrowed */
  int dim;                           /* 1 or 2 */
  Name state;
  Unit unit;                         /* of the state; UNIT_ANY where nothing is known of it */
  int order;                         /* highest derivative of the state, 1 .. LAW_ORDER */
  unsigned functions;                /* bits 1 << row of law_functions */
  int fields, nodes;                 /* at most that many, up to LAW_FIELDS and LAW_NODES */
} LawSpace;

Expr *law_state(const LawSpace *space);
Expr *law_field(const LawSpace *space, int k, Name name);    /* the symbol of author's field k, from 0 */

/* ---- making ------------------------------------------------------------------------------------------------------------------------------------------------------ */

/* Why a text is no law: a code of diag.def (E4000 .. E4029) that is stable, so that searches may count and learn from it. */
typedef struct LawFault {
  DiagCode code;
  char found[320], mend[240];        /* sentences for a person: what was found; the way out */
} LawFault;

typedef struct LawUnknown { Name name; unsigned domain; } LawUnknown;          /* a field that the author declares */

typedef struct LawPart { int dx, dy; LawSum g; } LawPart;                      /* d_x^dx d_y^dy C * g */
typedef struct LawField {
  Name name;                         /* the author's, where this is his field as it stands; else a fresh one: C1, X1, Y1 */
  unsigned domain;
  const LawPart *part; int nparts;
} LawField;

/* What an author's field is in terms of the canonical ones: sum of factor * d_x^dx d_y^dy C_field, plus offset. */
typedef struct LawPull { int field, dx, dy; LawNumber factor; } LawPull;
typedef enum LawFate {
  LAW_TOLD,                          /* pull gives it */
  LAW_MIXED,                         /* only sums with other fields or derivatives of it are determined */
  LAW_DROPPED                        /* it vanishes from the law, or another field does all that it could do */
} LawFate;
typedef struct LawAuthor {
  Name name;
  unsigned domain;
  LawFate fate;
  const LawPull *pull; int npulls;
  LawNumber offset;
  bool same;                         /* it is one canonical field as it stands */
} LawAuthor;

typedef struct Law {
  const LawSpace *space;             /* borrowed: it outlives its laws */
  Arena *arena;
  LawSum known;
  LawField *field; int nfields;      /* K of the rules that weigh complexity */
  LawAuthor *author; int nauthors;
  LawPart **raw; int *nraw; LawSum raw_known;    /* before the gauge reduction: parts by author's field */
  int nodes;                         /* operators, functions, names and numbers of the text */
  char *key;                         /* the canonical form, one line, whatever the author's names: "C1*(uyy + uxx) + dy(C1)*uy + dx(C1)*ux" */
  char id[16];                       /* "c_" and 12 hexadecimal digits of the SHA-256 of the key */
  char *expanded;                    /* the same of the raw form: laws that have it in common differ by product rule, names, order and scale at most */
  Expr *right;                       /* as the author wrote it, in his symbols */
  Expr *form;                        /* the canonical form as one reads it: its field i is law_field(space, i, field[i].name) */
} Law;

/* left == right, of the shape dt(state) == ...; left NULL: that is understood. NULL after filling *fault. Work is bounded: what would need more than some
 * thousand terms, or numbers beyond 64 bits, is E4019. */
Law *law_new(const LawSpace *space, const LawUnknown *unknown, int n, Expr *left, Expr *right, LawFault *fault);
void law_free(Law *law);

/* In what two laws of one state differ: the strongest that holds. */
typedef enum LawRelation { LAW_EXACT, LAW_BY_RULES, LAW_BY_SCALE, LAW_BY_FIELDS, LAW_OTHER } LawRelation;
LawRelation law_relation(const Law *a, const Law *b);
const char *law_relation_text(LawRelation relation);

/* dt(u) == the canonical form, or as the author wrote it, on one line. */
void law_print(Buf *out, const Law *law, ExprStyle style);
void law_print_author(Buf *out, const Law *law, ExprStyle style);
/* The canonical form as the body of a hypothesis, which reads back as the same law where its known terms have whole factors: "unknown field C(x, y)\ndt(u) == div(C*grad(u))\n". */
void law_declare(Buf *out, const Law *law);
/* An author's field in terms of the canonical ones: "C1 - dx(C)", "not separately identifiable", "not part of the law". */
void law_tell(Buf *out, const Law *law, const LawAuthor *author);

/* ---- numbers and sums, for those who evaluate laws ----------------------------------------------------------------------------------------------------------------- */

static inline double law_number(LawNumber a) { return (double)a.num / (double)a.den; }
bool law_quotient(LawNumber a, LawNumber b, LawNumber *out);       /* false: it takes more than 62 bits */
/* Is the sum linear in the state and its derivatives, without constant? out[law_jet(dx, dy)] are its coefficients then. */
static inline int law_jet(int dx, int dy) { return (dx + dy) * (dx + dy + 1) / 2 + dy; }
enum { LAW_JETS = (LAW_ORDER + 1) * (LAW_ORDER + 2) / 2 };
bool law_linear(LawSum sum, double out[LAW_JETS]);
unsigned law_jets(LawSum sum);       /* bits 1 << law_jet of what it contains */
void law_print_sum(Buf *out, LawSum sum);      /* u^3 + 2*ux*uxx: in one way, with the state called u */

#endif
