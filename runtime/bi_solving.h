/* Solving, shared by solve, studies and sweeps. */
#ifndef BI_SOLVING_H
#define BI_SOLVING_H
#include "builtin.h"
#include "eval.h"

Value *solve_on(Eval *ev, Value *pde, Value *mesh, const SolveOptions *options, Span span);   /* owned solution or poison */
void solve_world(Eval *ev, const PdeValue *p, WorldBuffers *out);
bool solve_file_param(Eval *ev, PdeValue *p, const Argument *a);
Value *run_refine(Call *call);
Value *run_sweep(Call *call);

/* integral, norm over a mesh: false after a report. */
bool measure_integral(Eval *ev, Value *field, Value *place, int degree, double time, Span span, double *out, int *size, Unit *unit);
bool measure_norm(Eval *ev, Value *field, const char *kind, Value *place, double time, Span span, double *out, Unit *unit);

#endif
