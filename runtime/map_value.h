/* Maps, models and probes as values: what contracts over models are about. */
#ifndef MAP_VALUE_H
#define MAP_VALUE_H
#include "../numerics/tape.h"
#include "eval.h"

/* The text of one output: `solve(conduct(q), m)`. What in it does not depend on the inputs is evaluated once, under names of the map's scope. */
typedef struct MapSource {
  const Ast *expr;
  Value *shown;                /* while checking, and for shapes: a solution that is not known; or a field of one */
} MapSource;

struct MapValue {
  MapSpec spec;                /* grid NULL until map_open */
  const Ast *decl;
  Program *program; Module *module; Scope *scope;   /* retained; scope: child of the one it was declared in, holds what is evaluated once */
  Arena *arena;                /* of the arrays here and of rewritten syntax */
  MapSource *sources; int nsources;
  int *source_of;              /* of each output */
  Name *member_of;             /* the unknown that an output is, where its source is a solution */
  bool smooth;                 /* histories are continuous: a glued one that jumps is outside of the domain */
  bool transient;              /* outputs over all times: output u(t) */
  Value *bank;                 /* as written; NULL: box mode */
  Span bank_span;
  double *bank_rows;           /* [nbank][nhistories*nt] at the times of the grid, owned */
  Value *subject;              /* geometry or mesh in whose names boundaries are read */
  Value *mesh;                 /* of its solutions: not known while checking */
  int dim;
  Span span;
  Predictor *solver;           /* made by map_open */
  Predictor *remembered;       /* map_remembered */
  enum { MAP_CLOSED, MAP_OPEN, MAP_FAILED } state;
  struct MapScale *scales; int nscales;    /* of scale(m) and its like, computed once */
  Host *host;
};

struct ModelValue {
  Name name;
  Value *map;                  /* retained */
  Predictor *predictor;        /* NULL while checking */
  const char *kind;            /* "formula", "process", "library", "record", "frame" */
  struct ModelForeign *foreign;   /* a program, a shared object, a file; NULL: a formula */
  Value *of; struct Frame *frame;  /* another model or map read in a frame (NULL: Duhamel's sum of it); retained, owned; of NULL: a model by itself */
  bool relabelled;             /* of: asked with its nodes in another order (relabel.h) */
  bool single;                 /* predicts in single precision */
  Expr **outputs;              /* of a formula: specialised expressions of coordinates, time and leaves; NULL otherwise */
  TapeInput *leaves; int nleaves;
  const Ast *decl; Program *program;
};

struct ProbeValue {
  Value *map;                  /* retained */
  Name name;                   /* NULL: made from others */
  Expr **args; int nargs;      /* of each input: a scalar; of a history a function of time */
  Expr *jump;                  /* of a glued history: how far it jumps, relative to its bounds; NULL: not glued */
};

void map_value_free(MapValue *map);
void model_value_free(ModelValue *model);
void probe_value_free(ProbeValue *probe);

/* The map of a map or model, the predictor that answers for it (a map's is its solver; it is opened). */
Value *value_map(Value *v);                    /* borrowed; NULL: neither map nor model */
int map_input(const MapValue *map, Name name);           /* -1: none */
int map_output(const MapValue *map, Name name);
bool map_has_histories(const MapValue *map);
/* Solves once in the middle of Z for mesh and times, reads the bank. Reports once; false: failed, now or before. Not while checking. */
bool map_open(Eval *ev, Value *map, Span span);
Predictor *value_predictor(Eval *ev, Value *subject, Span span);     /* NULL after a report; not while checking */
/* A new predictor of a formula or foreign model for a map that is laid out so, the caller's; NULL after a report. */
Predictor *model_predictor(Eval *ev, ModelValue *m, const MapSpec *spec, Span span);
Value **map_take_inputs(Eval *ev, const MapValue *map, Argument *args, int n, Span span);   /* by label or position, each owned; free() the array; NULL after a report */
Value *map_call(Eval *ev, Value *map, Argument *args, int n, Span span);        /* m(fx: 0.1, ..): the solution, or a record of fields */
Value *model_call(Eval *ev, Value *model, Argument *args, int n, Span span);    /* of a formula: its outputs as fields */
void report_no_input(Eval *ev, const MapValue *map, Name name, Span span);
void report_no_output(Eval *ev, const MapValue *map, Name name, Span span);
Value *map_member(Eval *ev, Value *map, Name name, Span span);
/* The text of the map's declaration, of its inputs as numbers: for vset. */
void map_print_domain(Buf *out, const MapValue *map);

#endif
