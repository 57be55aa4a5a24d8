/* Tables of measured data as values that are called: table("k.csv"). */
#ifndef LOOKUP_H
#define LOOKUP_H
#include "builtin.h"

Value *lookup_table(Call *call);      /* the handler of table(...) */
Value *lookup_call(Eval *ev, const ExprTable *table, Argument *args, int n, Span span);

#endif
