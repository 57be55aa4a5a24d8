/* Plain arrays into an HDF5 file, for the formats that keep their numbers there. Solutions: io_save and io_load of io.h. */
#ifndef IO_H5_H
#define IO_H5_H
#include "io.h"

typedef struct IoH5Array {
  const char *name;              /* "/points" */
  const double *doubles;         /* or */
  const int *ints;
  long rows, columns;
} IoH5Array;

Status io_h5_write(const char *path, const IoH5Array *arrays, int n, Diags *diags, Span span);

#endif
