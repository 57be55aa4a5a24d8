/* A contract over a model is evaluated once, with symbols for its probes: what its body computes becomes a tape (numerics/tape.h). While a trace is open
 * (Eval.trace), a value that depends on a probe is a field whose dependencies hold the map (value_traced). The same machine makes the
 * outputs of a formula, where the inputs themselves are the symbols. */
#ifndef TRACE_H
#define TRACE_H
#include "builtin.h"
#include "map_value.h"

typedef struct TraceNeed { Expr *condition; char *reason; Span span; } TraceNeed;

typedef struct Trace {
  Host *host;
  Arena *arena;                /* of arrays on the tape */
  Value *map;                  /* retained; its inputs are what probes hold */
  const MapValue *m;
  bool formula;                /* leaves are the inputs of a formula, called as they are */
  Name *probes; int nprobes;
  TapeInput *inputs; int ninputs;
  TapeApply *applies; Value **applied; int napplies;       /* applied: models, retained */
  TapeReduce *reduces; int nreduces;
  Expr **wheres; Span *where_spans; int nwheres;           /* conditions of probes */
  TraceNeed *needs; int nneeds;                            /* preconditions that depend on probes */
  Expr **jumps; int njumps;                                /* of glued histories that were predicted from */
  const Predictor *rows_from;  /* a record whose inputs are the probes, whoever predicts; or NULL */
  bool each_time;              /* inside history(..): numbers stay functions of time */
} Trace;

/* map: a map or model. */
Trace *trace_new(Eval *ev, Value *map);
void trace_free(Trace *trace);

bool value_traced(const Value *v);                          /* depends on a probe */
Value *trace_value(Trace *trace, Expr *e);                  /* a traced field */
Expr *trace_leaf(Trace *trace, int probe, int input, double shift);
/* The leaf of an input that e is; NULL: none. */
const TapeInput *trace_input_of(const Trace *trace, Expr *e);
bool trace_varies(const Trace *trace, Expr *e);             /* in time */
bool trace_has_fields(const Trace *trace, Expr *e);         /* in space: predictions, coordinates, normals */
bool trace_predicted(const Trace *trace, Expr *e);          /* on a prediction, through any number made of it */
/* e with every history and t taken dt later: e(t + dt). NULL: a prediction is inside. */
Expr *trace_shift(Trace *trace, Expr *e, double dt);
/* e at one time: predictions of that state, numbers for histories; after a report poison. */
Value *trace_at(Eval *ev, Value *v, double time, Span span);
/* `E at (t - 0.1)`, `E at 0` in a formula. */
Value *trace_at_moving(Eval *ev, Value *v, Value *time, Span span);

Value *trace_probe(Trace *trace, Name name);                /* a new one */
/* probe z, w in domain(m) where C */
bool trace_probe_clause(Eval *ev, const Ast *clause);
Value *probe_member(Eval *ev, Value *probe, Name name, Span span);
Value *probe_index(Eval *ev, Value *probe, Value *index, Span span);        /* z[loads] */
Value *probe_with(Eval *ev, const Ast *node, Value *probe);                 /* z with (E: 2*z.E) */
Value *probe_splice(Call *call);
Value *probe_shift(Call *call);
Value *probe_held(Call *call);
Value *probe_distance(Call *call);
Value *trace_distance(Eval *ev, const ProbeValue *p, const ProbeValue *q, Span span);

/* m(z) */
Value *trace_apply(Eval *ev, Value *subject, Argument *args, int n, Span span);
/* residual(law, f): left minus right, outputs from f, inputs from its probe. */
Value *trace_residual(Eval *ev, Value *law, Value *f, Span span);
/* A field of outputs and inputs that was given as an argument, for one prediction; of an equation its left side, or its right one. */
Value *trace_evaluate(Eval *ev, Value *quantity, Value *f, bool right, Span span);
/* The names that a condition about a map is read in: outputs and inputs as placeholders. */
void trace_law_names(Eval *ev, Value *map, Scope *scope, Span span);

/* The predictor of a model that reads another in a frame; bi_frames.c. NULL after a report. */
Predictor *framed_predictor(Eval *ev, ModelValue *m, Span span);

/* A number made of a field. */
typedef struct TraceMeasure {
  Value *place;                /* NULL: the whole mesh */
  double at, from, until;      /* NAN: none */
  int degree;
  Span span;
} TraceMeasure;
bool trace_measure_open(Call *call, int place, int from, int at, int until, TraceMeasure *out);       /* argument numbers, -1: none */
Value *trace_integral(Eval *ev, Value *v, const TraceMeasure *m, bool mean);
Value *trace_norm(Eval *ev, Value *v, const char *kind, const TraceMeasure *m);
Value *trace_extremum(Eval *ev, Value *v, const TraceMeasure *m, bool max);
Value *trace_history(Eval *ev, const Ast *expression);
/* The largest increase of a number that is a function of time, from one of the grid's times to the next; at least 0. */
Value *trace_largest_rise(Eval *ev, Value *history, Span span);
/* Records of predictions add, subtract and scale, field by field. */
Value *trace_records(Eval *ev, AstOp op, Value *a, Value *b, Span span, Span left, Span right);

#endif
