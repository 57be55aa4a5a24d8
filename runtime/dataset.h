/* Data sets as values: cases of a map in memory, from a file or from sample(...). */
#ifndef DATASET_H
#define DATASET_H
#include "../numerics/cases.h"
#include "eval.h"

struct DatasetValue {
  Cases *cases;                /* owned; NULL while checking */
  Name name;                   /* as declared, or NULL */
  Name *inputs, *outputs;      /* as the declaration lists them; NULL: whatever the file holds */
  int ninputs, noutputs;
};

/* Takes the cases over. */
Value *dataset_value(Cases *cases);
void dataset_free(DatasetValue *data);
Value *dataset_member(Eval *ev, Value *data, Name name, Span span);
Cases *dataset_part(const Cases *cases, int first, int n);      /* a copy of n cases */
void dataset_print(Buf *out, const DatasetValue *data);

/* By extension: .h5 .hdf5 (with the engine), .npz, .csv (each column an input, those named in outputs a number of outputs). NULL after a report. */
Cases *dataset_read(Eval *ev, const char *path, const Name *inputs, int ninputs, const Name *outputs, int noutputs, Span span);
bool dataset_write(Eval *ev, const Cases *cases, const char *path, Span span);     /* .h5 .hdf5 .npz; false after a report */
bool dataset_writes(Host *host, const char *path, Span span);                      /* is it such a name? E3153 */
/* Histories of a file for `bank`: (ux: [...], uy: [...]). */
Value *dataset_bank(Eval *ev, const char *path, Span span);
Value *history_value(int n, const double *t, Unit t_unit, const double *values, Unit unit, Name name);   /* copies */

#endif
