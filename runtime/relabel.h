/* A model asked with the nodes of its map in another order, its answers put back into theirs: what it makes of the order alone shows. */
#ifndef RELABEL_H
#define RELABEL_H
#include "map_value.h"

/* A predictor of `of` (a formula, a program or a shared object) on renumbered nodes; it owns all that it needs. NULL after a report. The map is open. */
Predictor *relabelled_predictor(Eval *ev, ModelValue *of, Span span);
bool can_be_relabelled(const Value *model);      /* a solver, a table and what is read in a frame have an order of their own */

#endif
