/* A run through time: the state, what the scheme keeps from before, the matrices at hand. A step is tried first, which changes none of this, and then
 * taken or tried anew with another length. */
#ifndef MARCH_H
#define MARCH_H
#include "newton.h"

enum { MARCH_MATRICES = 2 };

typedef struct Matrix {            /* a matrix with its factor, and the numbers of the scheme it was made for */
  System *system;
  double scheme[SCHEME_PARAMS];
  bool made;
  long used;                       /* number of the solve that used it last */
} Matrix;

typedef struct Matrices {
  Matrix of[MARCH_MATRICES];
  System spare;                    /* of the second, opened where two step lengths take turns */
  double seen[4][SCHEME_PARAMS];   /* numbers of matrices that were given up */
  int nseen;
  long solves;
} Matrices;

typedef struct March {
  System *system;                  /* of the caller; that of the first matrix */
  Matrices matrices;
  const SchemeRow *row;
  bool second_order, constant;
  double rho;
  double time;
  double *u, *next;                /* [nlocal] the state at `time`; that of the step that is tried */
  double *previous[SCHEME_LEVELS]; /* states before u, the nearest first */
  double *rate[SCHEME_LEVELS];     /* at u; NULL where none are kept */
  double *old_rate[SCHEME_LEVELS]; /* before the last step */
  double length[SCHEME_LEVELS];   /* of the last steps, the last first */
  long done;                       /* steps that the past at hand goes back, those of a run that this one continues included */
  double scheme[SCHEME_PARAMS];    /* of the step that was tried last */
  SchemeStart start;
  int guess;                       /* order of the polynomial that a step begins with: 0 the old state */
  double next_length, error;       /* of error control */
  double smallest, largest; long taken, rejected;      /* of this run */
} March;

/* The scheme is the problem's. Allocates; u is zero. march_close frees what open allocated, after a failure too. */
Status march_open(March *march, System *system, double rho);
void march_close(March *march);
/* The state at time + step into march->next. Fails after a report, the march as it was. Collective. */
Status march_try(March *march, double step, double end);
/* The polynomial of an order (0, 1, 2) through the last states at time + step. out[nlocal]. */
void march_extrapolate(const March *march, double step, int order, double *out);
/* next becomes u; end: its time. */
void march_take(March *march, double end);

/* How the state came to be, for fluxes and for a run that continues this one. The arrays are the march's, valid until the next step is taken. */
void march_record(const March *march, StepRecord *out);
/* Begins where another run ended. E2023 where that one is of other unknowns or another mesh. Collective. */
Status march_continue(March *march, const Solution *from);

#endif
