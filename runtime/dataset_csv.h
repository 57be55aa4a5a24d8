#ifndef DATASET_CSV_H
#define DATASET_CSV_H
#include "../lang/intern.h"
#include "../numerics/arrays.h"

/* Columns as arrays inputs/NAME, those among the outputs as outputs/NAME. false after a report (E3151). */
bool dataset_csv_read(const char *path, const Name *outputs, int noutputs, Diags *diags, Span span, ArrayFile *out);

#endif
