/* Values of the language: reference-counted and immutable. A callee borrows its arguments; a result is owned by the caller. */
#ifndef VALUE_H
#define VALUE_H
#include "../lang/ast.h"
#include "../lang/expr.h"
#include "../numerics/engine.h"

typedef enum ValueKind {
#define VALUE(kind, name, doc) VALUE_##kind,
#include "value.def"
#undef VALUE
  VALUE_KINDS
} ValueKind;

/* What a value in K is, where it was given by degrees: see temperature.h. */
typedef enum Temperature { TEMPERATURE_PLAIN, TEMPERATURE_ABSOLUTE, TEMPERATURE_DIFFERENCE } Temperature;

/* The unit that `to` chose: (x - offset)/scale is shown for x in SI. unit NULL: the value's own. */
typedef struct Shown { double scale, offset; const char *unit; } Shown;

typedef struct Value Value;
typedef struct Module Module;
typedef struct Scope Scope;

/* A field keeps alive the solutions that its expression reads. */
typedef struct Deps {
  Value **solutions;
  int n;
} Deps;

typedef struct Argument {       /* a labelled value of a record or call; name NULL: positional */
  Name name;
  Value *value;
  Span span;
} Argument;

/* Parameter of a user function, contract or pde. */
typedef struct Param {
  Name name;
  const Ast *type;              /* annotation after the colon, or NULL */
  const Ast *fallback;          /* default expression, or NULL */
  Span span;
} Param;

typedef struct Function {
  Name name;
  Param *params;
  int nparams;
  const Ast *body;              /* BLOCK, or an expression */
  const Ast *decl;
  Scope *scope;                 /* where it was defined; names are looked up late */
  Program *program;             /* retained */
  bool checked;                 /* its body has been checked once without a call */
  int dry_calls;                /* while checking; at some number they say nothing new */
  Value *other;                 /* contracts: one of the same name about another kind of subject, retained; or NULL */
} Function;

typedef struct PdeValue {
  Pde *pde;
  Form *form;
  Value *geometry;              /* VALUE_GEOMETRY or VALUE_MESH it was declared on */
  Arena *arena;
  const Ast *decl;
  Program *program;             /* retained: spans and doc */
  Binding *bindings;            /* parameter values: defaults, changed by p(k: 2) */
  Value **binding_values;       /* what keeps them alive */
  int nbindings;
  Scope *outer;                 /* where it was declared; the host keeps it */
  Argument *given; int ngiven;  /* parameters that were given values, retained */
  struct Value *base;           /* p(k: 2) shares pde and form of p, which it retains; NULL: owns them */
  bool failed;                  /* the checker found errors: it cannot be solved */
  bool used;                    /* solved, or asked for eigenvalues: what it begins with was looked at then */
} PdeValue;

typedef struct MapValue MapValue;           /* map_value.h */
typedef struct ModelValue ModelValue;
typedef struct ProbeValue ProbeValue;
typedef struct FitValue FitValue;           /* fit.h */
typedef struct SamplesValue SamplesValue;   /* samples.h */

typedef enum VerdictStatus { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIPPED, VERDICT_ERROR, VERDICT_SKIPPED_FLOOR, VERDICT_OOD } VerdictStatus;

/* Of one contract on one subject; see CLI.md. Texts are owned. */
typedef struct Verdict {
  char *contract, *subject;
  Name call;                    /* the contract with its arguments, as written; or NULL */
  char *id;                     /* of the worst probe, for --replay; NULL: no probes */
  bool hard, automatic;         /* automatic: of every audit, not asked for */
  VerdictStatus status;
  double violation, tolerance;
  double numerator, denominator;   /* of the worst probe; NAN: the violation has no such form */
  bool floor;                   /* the denominator there was its floor */
  char *probe;                  /* the worst probe as JSON: {"z":{"E":5,...},...}; NULL: none */
  int samples, excluded, outside;  /* probes judged; left out because a precondition does not hold there; outside of Z (ood_stress) */
  int repeated;                 /* of those asked for, drawn before: there are no more to draw, and they are not judged again */
  double adversary; int adversary_calls;   /* worst violation that the search found, NAN: not searched; predictions that it cost */
  char *adversary_why;          /* why there was no search; or NULL */
  char *adversary_probe, *adversary_id;   /* the simplest violating probe that it found; or NULL */
  double adversary_kept;        /* the violation there */
  double calibration, rounding; /* the same violation of the reference; what rounding that to the model's precision makes of it; NAN: not measured */
  bool proved; double bound;    /* certified for all of Z: by a proof; by a range (NAN: none) */
  char *reason;                 /* of a skip, an error or a proof; or NULL */
  Span span;
} Verdict;

typedef struct DatasetValue DatasetValue;   /* dataset.h */
/* What an audit as a whole found; a `check` has none. */
typedef struct Gate {
  const char *state;            /* "pass", "fail", "no_active_hard", "error" */
  double viol_max, threshold;   /* over active hard contracts, of violation/tolerance */
  char vset[65];                /* hash of the verification setting */
  char *replay;                 /* name of the failure bank or NULL */
} Gate;

typedef struct StudyTable {     /* named columns of numbers or of text */
  char **columns;
  Unit *units;
  Shown *shown;                 /* [ncolumns]; cells are in SI */
  int ncolumns, nrows;
  double *cells;                /* [nrows][ncolumns]; NAN: empty, or text */
  char **texts;                 /* of a script's own table: [nrows][ncolumns], NULL where the cell is a number; NULL: a study of numbers */
  char *title;
} StudyTable;

struct Value {
  ValueKind kind;
  int refs;
  bool known;                   /* false only while checking: a value of this type that is not computed */
  bool stale;                   /* the REPL redefined something it was made from */
  Temperature temperature;      /* NUMBER, FIELD, HISTORY */
  Shown shown;                  /* of the same */
  union {
    bool truth;
    struct { double number; Unit unit; bool integer; Name param; /* PARAM binding or NULL */ };
    struct { char *text; size_t len; };
    struct { Value **items; int n; };                             /* TUPLE, LIST */
    struct { Argument *fields; int nfields; };                    /* RECORD */
    struct { double from, to, by; bool has_by; Unit range_unit; bool range_integer; };
    Function *function;
    const struct BuiltinRow *builtin;
    const HostFunction *host_function;
    const ExprTable *lookup;                                      /* TABLE; lives as long as the host */
    struct { Expr *expr; Deps deps; Value *mesh_hint; };          /* FIELD */
    Geom *geom;
    struct { Where where; bool is_region; Value *subject; };      /* PLACE; names are interned, array owned */
    struct { Mesh *mesh; Value *mesh_geometry; GeomGroup *mesh_groups; int nmesh_groups; int mesh_shape; };   /* MESH; mesh NULL while checking; CellShape of its cells, -1: not known */
    PdeValue *pde;
    struct { Solution *solution; Value *solution_pde; Value *solution_mesh; uint32_t serial; };   /* solution NULL while checking */
    StudyTable *table;
    DatasetValue *dataset;
    struct DiscoveryValue *discovery;
    struct HypothesisValue *hypothesis;
    struct PolicyValue *policy;
    struct SearchValue *search;
    struct { Value *mode_list, *mode_values, *mode_imaginary, *mode_residuals; bool modes_counted; };   /* MODES: lists; unknown values while checking */
    struct { Value *left, *right; const Ast *equation; Scope *equation_scope; Program *equation_program; };   /* CONDITION */
    struct { Verdict *verdicts; int nverdicts; Gate *gate; /* of an audit, owned; or NULL */ };
    MapValue *map;
    ModelValue *model;
    ProbeValue *probe;
    SamplesValue *samples;
    FitValue *fit;
    Value *domain_of;                                             /* DOMAIN: the map, retained */
    struct { double *curve_x, *curve_y; int ncurve; Unit curve_xunit, curve_yunit; bool curve_in_space; Name curve_name; /* as written, or NULL */ };    /* HISTORY */
    Module *module;
    struct View *view;
    struct { Name word; };                                        /* WORD, OUTPUT */
    struct { const Ast *thunk; Scope *thunk_scope; };             /* THUNK: an argument that is evaluated later */
    struct { const Ast *declared; Name declared_kind, declared_name; Program *declared_program; };   /* DECLARED */
  };
};

Value *value_new(ValueKind kind);
Value *value_retain(Value *v);
void value_release(Value *v);

Value *value_none(void);
Value *value_poison(void);             /* an error was reported; everything made from it is silent poison */
Value *value_unknown(void);            /* checking: any type */
Value *value_bool(bool truth);
Value *value_number(double x, Unit unit);
Value *value_int(double x);
Value *value_number_unknown(Unit unit);
Value *value_string(const char *text, size_t len);
Value *value_items(ValueKind kind, Value **items, int n);        /* TUPLE or LIST; retains the items */
Value *value_field(Expr *expr, const Deps *deps);                /* retains the deps */
Value *value_word(Name word);

static inline bool is_poison(const Value *v) { return v->kind == VALUE_POISON; }
static inline bool is_unknown(const Value *v) { return v->kind == VALUE_UNKNOWN || !v->known; }

const char *value_kind_name(const Value *v);                     /* "number", "list", ... */
const char *value_article(const Value *v);                       /* a or an, before that */
bool value_truthful(const Value *v, bool *out);                  /* false: no bool */
bool value_equal(const Value *a, const Value *b);
void deps_union(Deps *into, const Deps *more);                   /* retains */
void deps_free(Deps *deps);

/* As print() and the REPL show it; json as `pde run --json` does. */
void value_print(Buf *out, const Value *v);
void value_print_number(Buf *out, double x, bool integer);
double shown_number(const Shown *shown, double x);
void shown_unit(Buf *out, const Shown *shown, Unit unit);        /* what stands in brackets; nothing where there is no unit */
void shown_heading(Buf *out, const char *name, const Shown *shown, Unit unit);   /* "T [degC]" */

#endif
