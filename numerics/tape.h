/* The tape of a contract over a model: its body, evaluated once with symbols for the probes. Everything on it is an expression (lang/expr.h), so shapes
 * and units were checked when it was made; what is no plain expression stands in a table here and is a leaf of the expressions made later:
 *
 *   input      the number or history `input` of probe `probe`: an EXPR_PARAM leaf with a name of its own ("z.E"); a history has the value at time t + shift
 *   apply      one call of a predictor with an expression for each input (a number, or a function of t through histories and TIME): its outputs are
 *              EXPR_SYMBOL/TERM leaves of kind SYMBOL_FIELD with serial = TAPE_SERIAL + index, which = output; symbol.time: fixed by `at`, NAN: the time
 *              of evaluation; dt counts are difference quotients on the grid's times
 *   reduce     a number made of a field: an EXPR_PARAM leaf; with each_time it is a function of time that an outer reduction over time alone consumes
 *
 * In time everything is linear between the grid's times: fields, histories, functions of time. A history is 0 before the first time. Windows end between
 * times too, where fields are interpolated: two histories that are equal up to a time s inside of a step are equal at its end. Times come from steps, so t and
 * a given time may differ in the last digits; windows have a slack of 1e-9 of the span. A derivative in time of a leaf (an input, a
 * reduction) is no entry of the tape: expr_scalar takes a leaf for a constant. Take it of the field, inside of the integral.
 *
 * Tables are in the order of evaluation: an entry refers to earlier ones only. Evaluation is batched over probes; gradients are by reverse mode: derivatives of
 * the expressions by their leaves (expr_diff), transposed interpolation, the predictor's pullback. */
#ifndef TAPE_H
#define TAPE_H
#include "../lang/pde.h"
#include "engine.h"
#include "predict.h"
#include "predict_frame.h"

#define TAPE_SERIAL 0x70000000u

typedef struct TapeInput { Expr *leaf; int probe, input; double shift; } TapeInput;
typedef struct TapeApply { Predictor *predictor; Expr **args; /* [spec->ninputs], scalar level or specialised scalars */ } TapeApply;

typedef enum TapeOver { TAPE_CELLS, TAPE_FACETS, TAPE_TIME /* a function of time only */ } TapeOver;
typedef struct TapeReduce {
  Expr *leaf;
  Reduction kind;              /* integral, max, min */
  Expr *integrand;             /* scalar, specialised; fields, coordinates, time, normal on facets, leaves of earlier entries */
  TapeOver over;
  Where where;                 /* of cells or facets */
  bool each_time;              /* no reduction over time: the leaf is a function of time */
  double at, from, until;      /* at: one time (NAN: none); else the window from..until (NAN: from the start, to the end), where the field varies in time:
                                  integral by the trapezoidal rule, max and min over grid times */
  int degree;                  /* quadrature, <= 0: chosen */
  Span span;
} TapeReduce;

typedef struct Tape {
  ExprPool *pool;
  const MapSpec *spec;         /* of the model's map: probes are rows of its inputs */
  int nprobes;
  TapeInput *inputs; int ninputs;
  TapeApply *applies; int napplies;
  TapeReduce *reduces; int nreduces;
  Expr **targets; int ntargets;   /* scalars wanted: violation, numerator, denominator, conditions of probes ... */
  int samples;                 /* about how many it will be run on: whether native code pays */
} Tape;

typedef struct TapeRun TapeRun;   /* a tape made ready: sites, programs, work space */

/* In the engine's table. Errors of the tape itself (an operator that has no derivative is none: that target is not differentiable) are reported once.
 * rows: [n][nprobes][width]. values: [n][ntargets]. failed[k]: NULL or malloc'ed text why sample k has no value (a predictor failed, a NaN and where). */
typedef struct TapeApi {
  Status (*open)(Engine *, const Tape *tape, const World *world, Diags *, TapeRun **out);       /* tape and what the world points to are borrowed until close */
  Status (*run)(TapeRun *, int n, const double *rows, double *values, char **failed);
  /* Where and when (NAN: steady) the last sample of the last run took the maximum or minimum of a reduction; x[dim]. false: it is none, or was not run. */
  bool (*place)(const TapeRun *, int reduce, double *x, double *time);
  /* Targets whose value needs no field (conditions on inputs): without calling a predictor. */
  bool (*cheap)(const TapeRun *, int target);
  Status (*run_cheap)(TapeRun *, int n, const double *rows, int target, double *values);
  bool (*differentiable)(const TapeRun *, int target, const char **why_not);
  /* Value and gradient of one target by the rows: gradient [n][nprobes][width]. smooth > 0: max and min over sites become log-sum-exp with that sharpness,
   * relative to the largest size, and where the target has max(0, a) a negative a counts a tenth (for a search; never for a verdict). */
  Status (*gradient)(TapeRun *, int n, const double *rows, int target, double smooth, double *values, double *gradient, char **failed);
  void (*close)(TapeRun *);
  /* Nodes, times: of a mesh and an element; x of the nodes. */
  Status (*grid)(Engine *, Mesh *mesh, const char *element, int nt, const double *t, Grid **out);
  void (*grid_free)(Grid *);
  /* A formula: outputs as expressions of coordinates, time and PARAM leaves, one for each input in order (histories: value at t + shift, leaf by leaf). */
  Status (*formula)(Engine *, const MapSpec *spec, Expr *const *outputs, const TapeInput *leaves, int nleaves, const World *world, Diags *, Span, Predictor **out);
  Status (*frame)(Predictor *inner, const MapSpec *on, const Frame *frame, Diags *, Span, Predictor **out);      /* predict_frame.h */
  Status (*impulse)(Predictor *inner, Diags *, Span, Predictor **out);
  /* A solution's outputs on the grid: out[nt][nnodes][ncomp]. */
  Status (*sample)(Engine *, Solution *sol, int unknown, const Grid *grid, Diags *, Span, double *out);
} TapeApi;

extern const TapeApi tape_api;     /* inside the engine; others have it as EngineApi.tape */

#endif
