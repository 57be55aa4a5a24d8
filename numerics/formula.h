/* The inside of a predictor by formulas, for predict_formula*.c. */
#ifndef FORMULA_H
#define FORMULA_H
#include "formula_split.h"
#include "program.h"
#include "tape_internal.h"

/* Where a number of a kernel comes from: a leaf, t, a part, the world. */
typedef enum NumberKind { NUMBER_LEAF, NUMBER_TIME, NUMBER_PART, NUMBER_TIMED_PART, NUMBER_FIXED } NumberKind;
typedef struct Number { NumberKind kind; int index; double value; } Number;

typedef struct Formula {
  Predictor predictor;            /* the first member */
  Engine *engine;
  World world;                    /* while it is opened */
  Diags *diags; Span span;
  ExprPool *pool;
  TapeInput *leaf; int nleaves;
  int nexprs;                     /* components of all outputs */
  Split split;
  Program *main; Number *number;  /* over nodes; [main->np] */
  double **packed; int npacked;   /* by time, or one for all times */
  Program *numbers, *timed_numbers;      /* over samples; over samples and times */
  double *fixed, *timed_fixed;           /* their parameters */
  double domain;                  /* its size, for == */
  bool timed;                     /* something depends on time */
  struct FormulaAdjoint *adjoint;        /* made when first needed */
} Formula;

/* Values of the parts that are numbers, for n samples: number[part][n], timed[part][n*nt]. */
typedef struct Numbers { double *memory, **number, **timed; } Numbers;
void formula_numbers(const Formula *formula, int n, const double *rows, Numbers *out);
void numbers_free(Numbers *numbers);
double formula_leaf(const Formula *formula, int leaf, const double *row, double time);
/* p[main->np] for sample s at time k. */
void formula_params(const Formula *formula, const Numbers *numbers, const double *rows, int s, int k, const Number *number, int np, double *p);
Status formula_number(const Formula *formula, Expr *leaf, Number *out);
bool formula_fixed(const Formula *formula, Expr *leaf, double *out);      /* a number of the world that a forward program has too, or a constant */
/* A program of such rows over n samples and ntimes times: out[k][n*ntimes]. */
void formula_fill(const Formula *formula, Program *program, const double *p, int n, int ntimes, const double *rows, double *const *out);
/* Leaves of inputs, and t, as rows: which is the leaf, or nleaves. */
Expr *formula_rows(const Formula *formula, Expr *e);

int formula_pullback(Predictor *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char **error);
void formula_adjoint_free(Formula *formula);

#endif
