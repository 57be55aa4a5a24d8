/* Many predictions of one map, kept as they come. */
#ifndef SAMPLING_H
#define SAMPLING_H
#include "../numerics/predict.h"
#include "dataset.h"

typedef struct Sampling {
  Eval *ev;
  Predictor *predictor;
  int n;
  const double *rows;          /* [n][width] */
  const char *file;            /* the data file that results, a journal beside it meanwhile; NULL: in memory */
  int processes;               /* that share the rows: this one, and others that run the script from its beginning up to this line */
  Span span;
} Sampling;

/* One of those other processes ends in here. The cases, with NAN where a prediction failed (W3151). NULL after a report. */
Cases *sampling_run(const Sampling *sampling);

#endif
