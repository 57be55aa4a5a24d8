/* Builtin functions: rows with signature, documentation, example and handler. Arity, types, help, completion and `pde doc` read the rows;
 * every example is run by a test. */
#ifndef BUILTIN_H
#define BUILTIN_H
#include "eval.h"

enum { BUILTIN_PARAMS_MOST = 48 };

typedef struct BuiltinParam {
  Name name;
  Name type;            /* any number int bool string list field place mesh geometry pde solution study word function record thunk value */
  const char *fallback; /* text of the default, NULL: required */
} BuiltinParam;

typedef struct Call {
  Eval *ev;
  const struct BuiltinRow *row;
  Value **args;         /* by parameter; NULL: absent. Borrowed */
  Span *spans;          /* of each argument; the call's where absent */
  Argument *extra;      /* labelled arguments of a row that ends with ...; borrowed values */
  int nextra;
  Value **rest;         /* further positional arguments of a row that ends with ... */
  Span *rest_spans;
  int nrest;
  Span span;
} Call;

typedef struct BuiltinRow {
  const char *name;
  const char *signature;    /* "(u: field, on: place = all) -> number" */
  const char *group;        /* mathematics, fields, geometry, solving, values, output, contracts */
  const char *doc;          /* what it gives; shapes, units, errors; source of a formula */
  const char *example;      /* a statement or expression; "-> result" after it is compared with what it prints */
  Value *(*run)(Call *call);    /* result owned; poison after a report */
} BuiltinRow;

/* The tables of the bi_*.c files, each ended by a row without a name. */
extern const BuiltinRow builtin_math[], builtin_values[], builtin_geometry[], builtin_solving[], builtin_modes[], builtin_measures[], builtin_balances[], builtin_curves[], builtin_contracts[], builtin_models[], builtin_frames[], builtin_output[], builtin_records[], builtin_discovery[], builtin_data[], builtin_random[], builtin_samples[], builtin_fit[];
int builtin_count(void);
const BuiltinRow *builtin_at(int k);

const BuiltinRow *builtin_find(Host *host, const char *name);
bool builtin_is_word(const char *name);             /* an option word: bdf2, H1, L2, mumps, ... */
const char *const *builtin_words(int *n);
bool builtin_is_later(const char *name);            /* a function of kinds that this build does not run */
const BuiltinParam *builtin_params(Host *host, const BuiltinRow *row, int *n, bool *open, int *rest);   /* *rest: 0, or 1 + the number of parameters before `values...` */
void builtins_free(Host *host);

/* Places. */
Value *place_by_name(Eval *ev, Value *subject, Name part, Name name);          /* NULL: no such name */
int place_groups(Value *subject, const GeomGroup **groups);                    /* of a geometry; a mesh of a file gives its groups */
void place_report_unknown(Eval *ev, Value *subject, Name part, Name name, Span span);
Value *place_union(Eval *ev, Value *a, Value *b, Span span);
bool place_region(Eval *ev, Value *place, Span span, Name *out);                  /* its one region; E0530 */
bool place_take_side(Eval *ev, Value **place, Value *side, Span span);            /* from: side of an argument's place (NULL: nothing to do); E0530 */
Value *place_all(Eval *ev, Value *subject);
Value *place_whole(Value *subject);                                            /* the whole domain as a region */

/* What an argument's mesh or geometry is: for places, integrals, norms. Borrowed; NULL: none. */
Value *value_subject(Value *v);
Mesh *value_mesh(Value *v, Value **owner);
Value *value_geometry(Value *subject);                                         /* of a mesh its geometry; borrowed */
Mesh *place_only_mesh(Eval *ev, Value *geometry, Value **owner);               /* borrowed; NULL: none, or several */

/* World in which the expression of a field has values. */
typedef struct WorldBuffers { World world; Binding *params; Solution **solutions; } WorldBuffers;
void world_open(Eval *ev, const Deps *deps, double time, WorldBuffers *out);
void world_close(WorldBuffers *buffers);

Value *geometry_primitive(Call *call);
Value *run_certified_range(Call *call);
Value *export_data(Call *call, Value *what, const Value *path);    /* a dataset, a record of lists of histories */
Value *export_table(Call *call, Value *what, const char *path);   /* a study or history as CSV */

Value *verdict_member(Eval *ev, Value *v, Name name, Span span);
Value *modes_member(Eval *ev, Value *v, Name name, Span span);
Value *study_member(Eval *ev, Value *v, Name name, Span span);
Value *eval_builtin_call(Eval *ev, const BuiltinRow *row, const Ast *node, Value *self);
Value *builtin_apply(Eval *ev, const BuiltinRow *row, Argument *args, int n, Span span);
void report_call_labels(Eval *ev, const char *what, const char *signature, Name label, Span span, const Name *known, int n);

#define ARG(k) (call->args[k])
#define REPORT(code, ...) diag_report(&call->ev->host->diags, code, call->span, __VA_ARGS__)

#endif
