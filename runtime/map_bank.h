/* Banks of histories: the recorded loads that function-valued inputs are drawn from. */
#ifndef MAP_BANK_H
#define MAP_BANK_H
#include "map_value.h"

typedef struct Bank {
  Expr **item;                 /* [n][nhistories]: functions of time */
  int n, nhistories;
} Bank;

/* Reads the bank of a map: a list of functions of time, or a record of lists. While checking units alone are looked at, n may be 0. false after a report. */
bool bank_open(Eval *ev, const MapValue *map, Bank *out);
void bank_close(Bank *bank);
/* Their values at n times, out[nbank][nhistories][n]; false after a report (a value that is not finite). */
bool bank_values(Eval *ev, const MapValue *map, const Bank *bank, int n, const double *t, double *out);
/* One function of time from values at times; held beyond its ends. */
Expr *bank_function(Host *host, int n, const double *t, const double *values, Unit unit);

#endif
