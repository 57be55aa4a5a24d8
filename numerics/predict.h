/* What can be audited: a map from inputs Z to fields, and whatever predicts its fields (the solver itself, a formula, a table, a foreign program). All
 * predictors of a map speak in arrays on one grid, so a contract does not know which of them it judges. No PETSc, no expressions but in tape.h. */
#ifndef PREDICT_H
#define PREDICT_H
#include "../lang/diag.h"
#include "../lang/expr.h"
#include "element.h"
#include "mesh.h"

typedef struct MapInput {
  Name name;
  Unit unit;
  double lo, hi;               /* of a number: its range; of a history: bounds of its values over the bank */
  bool history;                /* a function of time, given at the grid's times */
  int offset;                  /* in a row of inputs: one number, or nt of them */
} MapInput;

typedef struct MapOutput {
  Name name;
  Unit unit;
  Shape shape;                 /* specialised */
  int ncomp;
} MapOutput;

/* Where fields have values: Lagrange nodes of one element on a whole (undistributed) mesh, and times. */
typedef struct Grid {
  Mesh *mesh;                  /* retained; whole */
  const Element *element;      /* continuous; the one of highest degree among the outputs */
  int nnodes;
  int *cell_node;              /* [ncells][element_nodes] as nodal_layout */
  double *x;                   /* [nnodes][dim] */
  int nt; double *t;           /* rising; nt 1 and t NAN: steady */
} Grid;

/* How histories of a bank may be combined into new ones: sum a_k z_k with sum |a_k| <= 1; with a_k >= 0 and sum 1; not at all. */
typedef enum Mixture { MIXTURE_BALANCED, MIXTURE_CONVEX, MIXTURE_NONE } Mixture;

typedef struct MapSpec {
  Name name;
  MapInput *inputs; int ninputs;
  int width;                   /* numbers in a row of inputs: scalars 1, histories nt each, at their offsets */
  MapOutput *outputs; int noutputs;
  Grid *grid;
  const double *bank; int nbank;   /* [nbank][all histories, in order: nhistories*nt]; borrowed; NULL: box mode */
  Mixture mixture;
} MapSpec;

/* Outputs of n predictions: out[o] is [n][nt][nnodes][ncomp of o]. SI units. */
typedef struct Predictor Predictor;
typedef struct PredictorOps {
  const char *kind;            /* "solver", "formula", "process", "library", "record" */
  bool differentiable;         /* pullback gives exact gradients */
  int batch;                   /* predictions a call that it likes best */
  /* rows [n][width]. Nonzero: `error` says why (malloc; the caller frees it), what was predicted is undefined; nothing is reported to Diags. */
  int (*predict)(Predictor *self, int n, const double *rows, double *const *out, char **error);
  /* rows_bar [n][width] += (d out / d rows)^T out_bar. NULL where not differentiable. */
  int (*pullback)(Predictor *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char **error);
  void (*free)(Predictor *self);
} PredictorOps;
struct Predictor {             /* the first member of what an implementation allocates */
  const PredictorOps *ops;
  const MapSpec *spec;         /* borrowed: the map outlives its predictors */
  long calls;                  /* predictions so far, counted by predict: the cost of an adversary */
  const char *name;            /* of the model, for messages, borrowed; NULL: that of the map */
};

#endif
