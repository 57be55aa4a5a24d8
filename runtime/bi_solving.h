/* Solving, shared by solve, studies and sweeps. */
#ifndef BI_SOLVING_H
#define BI_SOLVING_H
#include "builtin.h"
#include "eval.h"

Value *solve_on(Eval *ev, Value *pde, Value *mesh, const SolveOptions *options, Span span);   /* owned solution or poison */
Value *solution_value(Eval *ev, Solution *solution, Value *pde, Value *mesh);          /* takes the solution; NULL while checking */
/* A number of a solution's fields: its unknowns are names in the expression. Owned; poison after a report. */
Value *measure_of(Eval *ev, Value *sol, const Ast *expression, Span span);
/* What load needs to rebuild the pde: its name, lines "name=value" (those given and the values of its parameters), the script. lines may be NULL. malloc */
char *pde_source(const Value *pde, const char *lines);
bool sweep_options(Call *call, const Form *form, SolveOptions *o);
void solve_world(Eval *ev, const PdeValue *p, WorldBuffers *out);
bool solve_file_param(Eval *ev, PdeValue *p, const Argument *a);
Value *solution_value(Eval *ev, Solution *solution, Value *pde, Value *mesh);      /* solution NULL while checking */
Value *solve_with_params(Call *call, Value *pde);               /* the pde with the further labels of a call as its parameters */
bool solve_mesh_matches(Call *call, Value *pde, Value *mesh);   /* false after a report; pde and mesh are the first two arguments */
Value *run_refine(Call *call);
Value *run_sweep(Call *call);
StudyTable *table_new(int ncolumns);            /* without rows; the names of its columns are to be set */
Value *study_value(StudyTable *t);              /* takes the table */
Value *run_table(Call *call);

/* integral, norm over a mesh: false after a report. */
bool measure_integral(Eval *ev, Value *field, Value *place, int degree, double time, Span span, double *out, int *size, Unit *unit);
bool measure_norm(Eval *ev, Value *field, const char *kind, Value *place, double time, Span span, double *out, Unit *unit);

#endif
