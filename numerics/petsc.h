/* PETSc's life in this process, and its errors as our diagnostics. For numerics alone. A function between petsc_enter and
 * petsc_leave may return PETSc's code or ours: both are Status, and TRY passes both on. */
#ifndef PETSC_BRIDGE_H
#define PETSC_BRIDGE_H
#include <petscksp.h>
#undef I                 /* complex.h; and PETSc counts messages by macros over MPI's names */
#undef MPI_Allgather
#undef MPI_Allreduce
#undef MPI_Alltoall
#undef MPI_Alltoallv
#undef MPI_Bcast
#undef MPI_Gather
#undef MPI_Gatherv
#undef MPI_Scan
#include "../lang/diag.h"

_Static_assert(sizeof(PetscInt) == 4, "position maps and patterns are 32-bit: PETSc must be built with 32-bit indices");

/* Starts PETSc (and MPI) unless the caller of the library has. argv: PETSc options, without a program name. Ends at exit of the process,
 * and only where we started it. */
Status petsc_open(int argc, char **argv, Diags *diags);

/* Warns of options after `--` that nothing has asked for: a misspelt one would otherwise do nothing in silence. Once each. */
void petsc_unused_options(Diags *diags, Span span);

/* Takes the options of petsc_open back: they are the process's, and were one host's. */
void petsc_forget(int argc, char **argv);

typedef struct PetscGuard {
  Diags *diags;
  Span span;
  int nerrors;           /* reported before we entered */
  char message[2048];    /* PETSc's first message; "" so far none */
  char where[8][160];    /* its frames: function, file, line */
  int nframes;
} PetscGuard;

/* Round every entry of the engine. leave: the greatest status over all ranks; where a rank failed without a report of ours, PETSc's
 * message becomes E2000 at span; the report of the lowest failing rank is repeated on the ranks that have none. */
void petsc_enter(PetscGuard *guard, Diags *diags, Span span);
Status petsc_leave(PetscGuard *guard, Status status);

/* Inside an entry, before ranks that may disagree go on to collective calls: nonzero on all where it is nonzero on one. */
Status petsc_agree(Status status);
int petsc_rank(void);
int petsc_nranks(void);

double cpu_seconds(void);

#endif
