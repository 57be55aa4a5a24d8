/* Diagnoses of numbers that are not finite. */
#ifndef BLAME_H
#define BLAME_H
#include "data.h"

/* Reports (code, span) the smallest part of a scalar-level expression that is not finite at one of the points while all its own parts are: its text, the
 * place, what went into it, and the way out. Parts with test functions have no value and are looked into. false: there is none, nothing is reported. */
bool blame_expression(const Data *data, Expr *e, const Points *points, DiagCode code, Span span);
/* The same at points of a cell. */
bool blame_in_cell(const Data *data, Expr *e, int cell, DiagCode code, Span span);

#endif
