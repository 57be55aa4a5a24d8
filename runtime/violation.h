/* The form of a violation: a/max(b, floor), a/b, or any number. */
#ifndef VIOLATION_H
#define VIOLATION_H
#include "trace.h"

typedef struct Violation {
  Expr *value;
  Expr *numerator, *denominator;      /* NULL: no quotient */
  Expr *size, *floor;                 /* denominator = max(size, floor); NULL: no floor */
} Violation;

Violation violation_of(const Trace *trace, Expr *e);

#endif
