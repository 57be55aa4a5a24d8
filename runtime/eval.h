/* Evaluation of syntax trees. There is one evaluator: `check` is the same walk with `dry` set, where everything is computed but what needs the
 * engine; such results are values with a type and a unit that are not known (Value.known), and branches are all visited. So a script is
 * checked by the rules it runs by, and is checked as a whole before its first statement runs. */
#ifndef EVAL_H
#define EVAL_H
#include "host.h"
#include "value.h"

typedef struct Slot {
  Name name;
  Value *value;
  Span span;
  const Ast *decl;           /* DECL or ASSIGN that made it, for docs and messages; or NULL */
  bool used;                 /* looked up since it was bound */
  bool must_use;             /* a name that a block defines: unused is an error */
  bool is_param;             /* `param`: a symbol in field expressions */
  bool is_own;               /* introduced by the declaration: yields nothing to the coordinates */
  bool imported;
} Slot;

typedef enum ScopeKind { SCOPE_FILE, SCOPE_FUNCTION, SCOPE_DECL } ScopeKind;

struct Scope {
  int refs;
  ScopeKind kind;
  Scope *parent;             /* retained */
  Value *subject;            /* geometry or mesh whose boundaries and regions are names here; or NULL */
  Slot *slots;
  int n, cap;
};

Scope *scope_new(ScopeKind kind, Scope *parent);
Scope *scope_retain(Scope *scope);
void scope_release(Scope *scope);
Slot *scope_find_own(Scope *scope, Name name);
Slot *scope_set(Scope *scope, Name name, Value *value, Span span);     /* retains; rebinds an existing one */
void scope_drop(Scope *scope, Name name);
Scope *scope_file(Scope *scope);                                       /* the file scope at the end of the chain */

typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_STOP } Flow;

typedef struct Eval {
  Host *host;
  Module *module;
  Scope *scope;
  bool dry;                  /* checking */
  bool symbolic;             /* inside a field expression of a declaration: params are symbols, coordinates are known */
  bool weak;                 /* inside a weak form: integral(..) makes a term */
  bool in_test;
  bool keep_verdict;         /* `v = check ...` wants what was found */
  int depth;                 /* calls and nesting */
  double at_time;            /* of `E at t`; NAN: none */
  Value *last_transient;     /* the transient solution read last (borrowed), for history */
  Value *returned;           /* of FLOW_RETURN, owned */
  Value *place_subject;      /* geometry or mesh in whose names a place argument is read; borrowed */
  struct Trace *trace;       /* a contract over a model, or a formula, is being traced; NULL: no */
  const struct AuditPlan *audit;   /* how contracts over models are sampled; NULL: as checks are */
  int *calls_open;           /* functions on the stack, to stop unbounded recursion while checking */
} Eval;

/* Expressions: the result is owned and never NULL; poison after a report. */
Value *eval_expr(Eval *ev, const Ast *node);
Value *eval_place(Eval *ev, const Ast *node, Value *subject);          /* boundary or region by name, in the subject's names */
Value *eval_call_function(Eval *ev, Value *callee, Argument *args, int n, Span span);
bool eval_unit(Eval *ev, const Ast *node, UnitScale *out);             /* reports */
Value *eval_binary(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right);
Value *eval_unary(Eval *ev, AstOp op, Value *a, Span span);
Value *eval_member(Eval *ev, Value *of, Name name, Span span, Span name_span);
Value *eval_index(Eval *ev, Value *of, Value **index, int n, Span span);
Value *eval_name(Eval *ev, Name name, Span span);
void eval_report_unknown_name(Eval *ev, Name name, Span span);

/* Statements. */
Flow eval_block(Eval *ev, const Ast *block);
Flow eval_statement(Eval *ev, const Ast *node, Value **shown);         /* shown: value of a bare expression (REPL), or NULL */
Flow eval_call_statement(Eval *ev, const Ast *node);
void eval_weaken(Eval *ev, const Ast *body);                           /* checking: what a loop or branch assigns is not known after it */
void eval_unused(Eval *ev, Scope *scope);                              /* reports names that nothing used */
void eval_check_functions(Eval *ev, Scope *scope);                     /* checking: bodies that no call has visited */

/* Declarations: a row per kind of word that starts one. */
typedef Flow (*DeclRun)(Eval *ev, const Ast *decl);
typedef struct DeclRow {
  const char *word, *doc;
  DeclRun run;               /* NULL: read and resolved, refused with E0900 when run */
} DeclRow;
extern const DeclRow decl_rows[];
const DeclRow *decl_row(Name word);
Flow decl_geometry(Eval *ev, const Ast *decl);
Flow decl_pde(Eval *ev, const Ast *decl);
Flow decl_study(Eval *ev, const Ast *decl);
Flow decl_fn(Eval *ev, const Ast *decl);
Flow decl_field(Eval *ev, const Ast *decl);
Flow decl_param(Eval *ev, const Ast *decl);
Flow decl_contract(Eval *ev, const Ast *decl);
Flow decl_contracts(Eval *ev, const Ast *decl);
Flow decl_test(Eval *ev, const Ast *decl);
Flow decl_discovery(Eval *ev, const Ast *decl);
Flow decl_policy(Eval *ev, const Ast *decl);
Flow decl_search(Eval *ev, const Ast *decl);
Flow decl_hypothesis(Eval *ev, const Ast *decl);
Flow decl_dataset(Eval *ev, const Ast *decl);
Flow decl_unit(Eval *ev, const Ast *decl);
Flow decl_map(Eval *ev, const Ast *decl);
Flow decl_model(Eval *ev, const Ast *decl);
Flow stmt_audit(Eval *ev, const Ast *decl);
Flow decl_later(Eval *ev, const Ast *decl);
Flow stmt_check(Eval *ev, const Ast *decl);
Flow stmt_accept(Eval *ev, const Ast *decl);
Value *decl_value(Eval *ev, const Ast *decl);                          /* v = audit ..., v = check ... */

/* Conversions with reports. */
Expr *eval_to_expr(Eval *ev, Value *v, Span span, Deps *deps);         /* number, field, tuple, matrix of lists; NULL: reported (or poison) */
bool eval_to_number(Eval *ev, Value *v, Span span, const char *what, Unit unit, double *out);   /* unit any: no check */
Shape ast_shape_words(Eval *ev, const Ast *node, int dim);
Param *eval_params(Eval *ev, const Ast *call, int *n);                 /* of a declaration head f(a, b: type = 1); malloc */
Value *with_field_time(Eval *ev, Value *field, double time);           /* states of its solutions at that time */
Value *solution_member(Eval *ev, Value *sol, Name name, Span span);

/* Smaller services of the evaluator's files to each other. */
Slot *scope_lookup(Eval *ev, Name name);                               /* through the scopes, without marking it used */
bool value_format(Eval *ev, Buf *out, const Value *v, const char *format, Span span);
bool number_format(const char *format, char *out, size_t size);        /* ".3e" as a format of printf; false: it is none */
void number_print(Buf *out, const char *c_format, double x);           /* by such a format, whatever the locale */
Value *value_in_unit(Eval *ev, const Value *v, const UnitScale *scale, const Ast *unit, Span span);
Value *field_if(Eval *ev, Value *c, Value *a, Value *b, const Ast *node);
Expr *eval_truth_expr(Eval *ev, Value *v, Span span, Deps *deps);      /* a condition between fields as a 0/1 expression; NULL reported */
void resolve_later(Eval *ev, const Ast *decl);                         /* names of declarations whose runtime comes with later builds */
Value *host_eval_text(Eval *ev, const char *text, const char *origin);  /* an expression given as text (-D) */
Value *host_rebuild_pde(Eval *ev, const char *text, Span span);           /* from what save wrote; NULL after a report */
char *value_json(const Value *v);                                       /* malloc; as `pde run --json` writes it */
Name value_source_name(Eval *ev, Span span);                            /* the name that a span is, or NULL */
void host_add_unit(Host *host, Name name, UnitScale scale);
char *host_input_path(Eval *ev, const char *path, Span span);           /* beside the script, else as given; malloc; NULL after a report: forbidden */
Value *prelude_next(Eval *ev, Name name, int *next);                    /* those of one name in turn, from *next 0 on */
Value *prelude_name(Eval *ev, Name name);                               /* contracts of the standard library need no import; NULL: none */
Unit host_time_unit(const Host *host);
Unit host_length_unit(const Host *host);
bool host_own_unit(const Host *host, Name name, UnitScale *out);       /* declared by `unit NAME = ...` */

#define PI 3.14159265358979323846264338327950288

#endif
