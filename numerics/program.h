/* Scalar-level expressions at many points at once. Leaves that differ from point to point are inputs, one row of numbers each; parameters and t are one
 * number for all points. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include "kernel.h"

typedef struct Program {
  Kernel *kernel;
  int nin, nout, np;
  Expr *const *input;            /* [nin] leaves, borrowed from the kernel */
  Expr *const *param;            /* [np] PARAM, TIME, CONST leaves */
  double *w, *c, *out;           /* lanes of one batch */
  void *scratch;
} Program;

/* visits: points it will see; whether native code pays. domain: size of the domain, for == ; NULL in *out on failure, which is reported. */
Status program_open(KernelContext *context, Expr *const *exprs, int n, long visits, double domain, Diags *diags, Program **out);
void program_close(Program *program);     /* NULL is fine */
/* in[k]: n numbers; p[np]; out[k]: n numbers, NULL where they are not wanted. */
void program_run(Program *program, int n, const double *const *in, const double *p, double *const *out);

/* Points that are used again and again: rows laid out by batches once. packed[batch][input][lane], free() it. */
double *program_pack(const Program *program, int n, const double *const *in);
/* Values of batch k of packed points: [nout][width], valid until the next run. */
const double *program_batch(Program *program, const double *packed, int batch, const double *p);

#endif
