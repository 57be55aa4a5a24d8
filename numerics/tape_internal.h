/* The inside of the tape, for numerics/tape_*.c: a tape made ready. Samples are worked on in chunks, so that what all applications of a chunk predict fits
 * into TAPE_BYTES; within a chunk every step is done for all samples before the next one. */
#ifndef TAPE_INTERNAL_H
#define TAPE_INTERNAL_H
#include <math.h>

#include "assemble.h"
#include "program.h"
#include "tape.h"

enum { TAPE_BYTES = 256 << 20, BLEND_MAX = 12 };
#define TAPE_ROWS 0x7f000000u         /* serial of the terms that leaves become where they differ from sample to sample; which: their Source */

/* A value between grid times: sum of weight[k] * value[at[k]]. n 0: zero. */
typedef struct Blend { int n, at[BLEND_MAX]; double weight[BLEND_MAX]; } Blend;
void blend_linear(const double *t, int nt, double at, bool zero_before, Blend *out);
/* The order-th derivative in time: differences of second order at the grid's times, linear between them. false: too few times. */
bool blend_rate(const double *t, int nt, double at, int order, Blend *out);

/* Where the number of a leaf comes from. */
typedef enum SourceKind { FROM_INPUT, FROM_REDUCE, FROM_TIME, FROM_WORLD } SourceKind;
typedef struct TapeSource { SourceKind kind; int index; double value; Expr *leaf; } TapeSource;   /* value: FROM_WORLD */

/* One state of one output of an application, a leaf of an integrand: dt derivatives in time, at `time` or (NAN) the time of evaluation. */
typedef struct TapeField { Symbol symbol; int apply, output, dt; double time; } TapeField;

typedef struct FieldSet { TapeField *item; int n; } FieldSet;

/* What an expression needs at once: applications, reductions; does it depend on time? */
typedef struct Needs { bool *apply, *reduce, time; } Needs;

/* Times at which a reduction is evaluated. */
typedef struct TimePlan { int n; double *time, *weight; } TimePlan;

typedef struct MeasureRun {           /* cells, or facets of one local number, that one kernel serves */
  const Kernel *kernel;
  int n, batches, facet;
  double *x;                          /* [batch][nx][width] */
  int *node, *cell;                   /* [batch][element node][width]; [batch][width] */
  int *facet_of;                      /* [batch][width] */
  double **c;                         /* by time of the plan, made when first needed: [batch][nc][width] */
} MeasureRun;

typedef struct Measure {              /* integrals over a place, for many states: what does not change between them is gathered once */
  Part part;
  MeasureRun *run; int nruns;
  int rank, nvalues, ntimes;          /* ntimes 1: the data are the same at all times */
  double *w, *p, *out; void *scratch;
  const FieldSet *fields;
} Measure;

typedef struct Extremum {             /* values at nodes and quadrature points */
  Program *program;
  int n, per;                         /* points; nodes of a cell */
  int *cell, *facet;                  /* facet NULL: of cells */
  double *reference;
  struct ExtremumInput {              /* of the program: a row for each time (ntimes 1: one for all), or a field's */
    double **row; int ntimes;
    int field, component;             /* field -1: row */
    const double *coef;               /* [n][per] */
  } *input;
  double **coef; uint8_t (*dx)[3]; int ncoefs;
} Extremum;

typedef struct ReduceRun {
  const TapeReduce *from;
  Expr *integrand;                    /* scalar level, time derivatives as levels */
  bool positive;                      /* a maximum of max(0, a): that of a is taken, and its leaf stands for max(0, leaf) */
  Needs needs;
  FieldSet fields;
  TimePlan plan;
  Blend *blend;                       /* [plan.n][fields.n] */
  Measure *measure;                   /* integrals */
  Extremum *extremum;
  Program *program;                   /* over time alone */
  int nvalues;                        /* 1, or nt: a function of time */
  double *value;                      /* [capacity][nvalues] */
  int *active_time, *active_point;    /* [capacity][nvalues] of extrema */
  double *bar;                        /* [capacity][nvalues], of gradients */
  bool differentiable;
  struct ReduceAdjoint *adjoint;      /* made when a gradient is first asked for */
} ReduceRun;

typedef struct ApplyRun {
  const TapeApply *from;
  Expr **arg;                         /* scalar level */
  Needs needs;
  Program *scalars, *series;          /* those that are numbers; those that are functions of time (over samples and times); NULL: none */
  int *scalar, *history;              /* their inputs */
  int nscalars, nhistories;
  double *row;                        /* [capacity][width] */
  int room;                           /* samples that fit into out */
  double **out;                       /* by output: [capacity][nt][nnodes][ncomp] */
  double **bar;                       /* the same, of gradients */
  double *row_bar;
  int bar_room;
  bool differentiable;
  struct ApplyAdjoint *adjoint;
} ApplyRun;

typedef struct TargetRun {
  Expr *e;
  Program *program;
  Needs direct;
  bool *needs;                        /* [nsteps] */
  bool fields;                        /* an application among them */
  struct TargetAdjoint *adjoint;
} TargetRun;

typedef struct TapeStep { bool reduces; int index; } TapeStep;

struct TapeRun {
  Engine *engine;
  const Tape *tape;
  World world;
  Diags *diags;
  ExprPool *pool;
  const MapSpec *spec;
  const Grid *grid;
  int dim, per;                       /* nodes of a cell */
  double domain;
  TapeSource *source; int nsources;   /* inputs, then reductions, then t, then what the world says */
  TapeStep *step; int nsteps;
  uint8_t *state[2];                  /* while the steps are put in order: of applications, of reductions */
  ApplyRun *apply;
  ReduceRun *reduce;
  TargetRun *target;
  int capacity;
  double *blended;                    /* scratch: states between times, [fields][nnodes*ncomp] */
  size_t blended_room;
  /* the chunk at work */
  int n;
  const double *rows;                 /* [n][nprobes*width] */
  char **failed;
};

/* --- tape_open.c --- */
double tape_span_tolerance(const Grid *grid);
Status tape_open(Engine *engine, const Tape *tape, const World *world, Diags *diags, TapeRun **out);
void tape_close(TapeRun *run);
int fields_find(const FieldSet *fields, const Symbol *symbol);     /* -1: not among them */
const MapOutput *tape_output(const TapeRun *run, const TapeField *field);
Status tape_sources(TapeRun *run, Expr *const *leaf, int n);    /* each has a value */
/* A scalar level expression with every leaf of the tape, and t where by_time, as the row of its source; others stay. */
Expr *tape_rows(TapeRun *run, Expr *e, bool by_time);
int tape_source(TapeRun *run, Expr *leaf);      /* of a PARAM or TIME leaf; FROM_WORLD: registered; -1: it has no value (reported) */
Data tape_data(const TapeRun *run, double time, Span span);
/* How often one place will be looked at, about. */
static inline long tape_visits(const TapeRun *run, int ntimes) { return (run->tape->samples > 0 ? run->tape->samples : 1L) * (ntimes > 0 ? ntimes : 1); }

/* --- tape_run.c --- */
Status tape_run(TapeRun *run, int n, const double *rows, double *values, char **failed);
bool tape_place(const TapeRun *run, int reduce, double *x, double *time);
bool tape_cheap(const TapeRun *run, int target);
Status tape_run_cheap(TapeRun *run, int n, const double *rows, int target, double *values);
Status tape_interrupted(const TapeRun *run);
/* One chunk: all steps that a target needs (NULL: all). */
void tape_forward(TapeRun *run, int n, const double *rows, const bool *needs, char **failed, double smooth);
void tape_target(TapeRun *run, int target, Program *program, int n, double *out, int stride);
/* exp(x), and 0 where that is below 1e-13: most points are far from the largest. */
static inline double smooth_weight(double x) { return x < -30 ? 0 : exp(x); }
/* The largest of sign*v, times sign, and where. smooth > 0: log of the mean of exp. NAN where one is. */
double tape_largest(const double *v, int n, double sign, double smooth, int *at);
double tape_value(const TapeRun *run, const TapeSource *source, int sample, double time);
/* Rows of the inputs of a program whose leaves are rows (tape_rows), over n samples and ntimes times (sample-major). free() the memory. */
double *tape_fill(const TapeRun *run, const Program *program, int n, int ntimes, const double *time, const double **in);
void tape_fail(TapeRun *run, int sample, const char *format, ...) __attribute__((format(printf, 3, 4)));
double *tape_params(const TapeRun *run, Expr *const *param, int np, int sample, double time, double *out);
/* Nodal arrays of the fields of a reduction at time j of its plan. */
void tape_fields(TapeRun *run, const ReduceRun *reduce, int sample, int j, const double **out);

/* --- tape_measure.c: rank 0: nvalues integrands; rank 1: one, linear in test functions, unknown k for field k --- */
Status measure_open(TapeRun *run, const TapeReduce *at, const FieldSet *fields, Expr **integrand, int n, int rank, int ntimes, int degree, Measure **out);
void measure_close(Measure *measure);
/* out[nvalues] of rank 0, overwritten; of rank 1 bar[k][nnodes][ncomp of field k] += scale * the vector. j: time of the plan. */
Status measure_numbers(TapeRun *run, Measure *measure, int sample, double time, int j, const double *const *field, double *out);
Status measure_vector(TapeRun *run, Measure *measure, int sample, double time, int j, const double *const *field, double scale, double *const *bar);

/* --- tape_extremum.c --- */
/* like: at the same points as another one; NULL. */
Status extremum_open(TapeRun *run, const TapeReduce *at, const FieldSet *fields, Expr *const *exprs, int n, int ntimes, const Extremum *like, Extremum **out);
void extremum_close(Extremum *extremum);
/* Values of expression k at `count` points from `from` on: out[k][count]. */
Status extremum_values(TapeRun *run, Extremum *extremum, const FieldSet *fields, int sample, double time, int j, const double *const *field, int from, int count,
                       double *const *out);
/* What makes a derivative of a field at all points of its nodes' values: [n][per]. */
const double *extremum_coefficients(const TapeRun *run, Extremum *extremum, const uint8_t *dx);
void extremum_place(const TapeRun *run, const Extremum *extremum, int point, double *x);

#endif
