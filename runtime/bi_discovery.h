/* What other builtin functions take of the hypothesis evaluation interface. */
#ifndef BI_DISCOVERY_H
#define BI_DISCOVERY_H
#include "eval.h"

Value *history_of_discovery(Eval *ev, const Value *discovery, Span span);      /* history(d): the candidates in order of time */

#endif
