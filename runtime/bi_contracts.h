/* Measures that contracts are made of. */
#ifndef BI_CONTRACTS_H
#define BI_CONTRACTS_H
#include "builtin.h"

/* The solution and unknown that a field is; false after a report. */
bool measure_unknown(Call *call, Value *v, Value **sol, int *unknown, double *time);
Value *run_data_bounds(Call *call);

#endif
