/* Predictors of a map that are not ours: a program beside us, a shared library, a table of recorded cases. What they get and give is described byte by byte in
 * docs/predictors.md. A predictor that cannot be opened is one report (E3150, E3151, E3152); a prediction that fails says why in `error` and leaves the
 * predictor usable. NaN in what is predicted is passed on: who judges it says where it is. */
#ifndef FOREIGN_H
#define FOREIGN_H
#include "../numerics/cases.h"
#include "../numerics/predict.h"
#include "json.h"

enum { FOREIGN_PROTOCOL = 1 };

typedef struct ForeignOptions {
  double timeout;                    /* seconds for a batch; <= 0: 60 */
  double memory;                     /* bytes of address space of the program; <= 0: no limit */
  const char *directory;             /* relative names start there: beside the script; NULL */
  const volatile int *interrupt;     /* nonzero: stop waiting; NULL */
  Diags *diags; Span span;
} ForeignOptions;

/* The spec is borrowed, options are not kept but `interrupt`. Free with ops->free. */
Status foreign_process(const MapSpec *spec, const char *command, const ForeignOptions *options, Predictor **out);
/* In our own process: a crash of it is ours. `memory` and `timeout` do not apply. */
Status foreign_library(const MapSpec *spec, const char *path, const ForeignOptions *options, Predictor **out);
/* Predictions at the recorded inputs alone; takes the cases over, also where it fails. `where`: the file, for messages. */
Status foreign_record(const MapSpec *spec, Cases *cases, const char *where, const ForeignOptions *options, Predictor **out);
/* Its inputs, [n][width], rows of predictions that it can make; NULL: this predictor is no record. */
const double *foreign_record_rows(const Predictor *predictor, int *n);
/* Does an error text (or NULL) mean that the record has no such case (the contract is to be skipped), not that something failed? */
bool foreign_not_recorded(const char *error);

/* What both kinds are told of the map: {"name", "width", "inputs": [...], "outputs": [...], "dim", "nodes", "times", "cells"}. */
Json *foreign_map(const MapSpec *spec);
int foreign_cell_nodes(const MapSpec *spec);         /* nodes of a cell of the grid */
size_t foreign_values(const MapSpec *spec, int output);   /* values of an output in one prediction */
int foreign_times(const MapSpec *spec);              /* 0: steady */

#endif
