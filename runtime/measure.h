/* What is measured, and where: the expression, mesh and place of a number out of a field. */
#ifndef MEASURE_H
#define MEASURE_H
#include "builtin.h"

typedef struct Target {
  Expr *expr;          /* specialised */
  Mesh *mesh;          /* NULL while checking */
  Where where;
  bool on_cells;
  Deps deps;
  int dim;             /* of the space: 2 where nothing says it while checking */
  int size;
} Target;

/* The mesh of a measure: of the place, else of the solutions in the field. place NULL: the whole mesh. false: it was reported (target_free all the same). */
bool target_open(Eval *ev, Value *field, Value *place, Span span, Target *out);
void target_free(Target *t);
Unit measure_unit(Eval *ev, const Target *t);           /* of the integral */
/* Of each component into out[t->size]; place, if not NULL, where an extremum lies. false: it was reported. */
bool measure_reduce(Eval *ev, Reduction kind, Target *t, int degree, double time, Span span, double *out, double *place);
Value *measure_numbers(const double *values, int size, Unit unit, bool known);      /* a number, or a tuple of several */
Value *measure_too_early(Call *call);                   /* of an argument that has no values yet: its answer, owned; NULL: measure it */

#endif
