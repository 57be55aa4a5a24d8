/* Solutions: states of the unknowns of a pde over a mesh. Reference-counted, immutable once returned. */
#ifndef FIELD_H
#define FIELD_H
#include "data.h"
#include "nodal.h"

struct Problem;
enum { BLENDS_MAX = 8 };

/* How a state came to be from those before it: what fluxes by reactions and a run that continues need. The arrays are nlocal long. */
typedef struct StepRecord {
  double scheme[SCHEME_PARAMS];
  double length[SCHEME_LEVELS];            /* of this step and the one before */
  const double *previous[SCHEME_LEVELS];   /* states before it, the nearest first; NULL: there was none */
  const double *rate[SCHEME_LEVELS];       /* rates before it; NULL: the scheme keeps none */
  long done;                               /* steps so far */
  bool first;                              /* nothing was known before it but a state */
  double rho, next, error;                 /* rho_inf; of error control: length of the next step, error of this one */
  bool own_previous[SCHEME_LEVELS];        /* arrays that go with the record; others are kept states */
} StepRecord;

struct Solution {
  int refs;
  uint32_t serial;
  Engine *engine;
  Space *space;
  const Unknown *unknowns; int nunknowns;   /* the pde's, or in arena */
  Arena *arena;                /* of a projected or loaded one, else NULL */
  Pde *pde;                    /* borrowed, NULL: projected or loaded without one */
  struct Problem *problem;     /* owned: form, kernels, conditions, world; NULL as pde */
  int nstates, cap;            /* states in the order of time */
  double *times;
  double **states;             /* [nstates][nlocal] values with ghosts */
  bool is_whole;               /* another solution's on all cells, with its serial number */
  StepRecord **records;        /* [nstates] owned; NULL: it is no result of a step, or what came before it was not kept */
  int kept_every;              /* steps from one kept state to the next */
  bool transient;
  bool continued;              /* the first state is no initial one: another run ended there */
  bool live;                   /* the state of a run that goes on */
  Solution *whole;             /* the same states over mesh_whole, complete on each rank; made by solution_whole */
  struct { double time; double *values; } blend[BLENDS_MAX]; int next_blend;   /* states between steps */
  int iterations, newton_iterations;
  double residual, seconds;
  double memory;               /* peak bytes of the largest process when it was solved */
  const char *solver, *why, *scheme;
  long steps, rejected;        /* of a transient solve */
  double smallest, largest;    /* step */
};

Solution *solution_new(Engine *engine, Space *space);
Solution *solution_retain(Solution *solution);
void solution_release(Solution *solution);
/* Copies a state (nlocal values). */
void solution_push(Solution *solution, double time, const double *values);
/* The only state becomes another one (a live solution's), its record is dropped. */
void solution_renew(Solution *solution, double time, const double *values);
/* Keeps how the last state came to be; arrays are copied unless they are those of a state kept before. Records of earlier states are dropped unless
 * every step is kept. */
void solution_record(Solution *solution, const StepRecord *record);
/* The state at a time, linear between steps; NAN: the last. E2007 outside. Borrowed; interpolated states are kept with the solution, the last few of
 * them, so a caller holds at most BLENDS_MAX at once. */
Status solution_values(Solution *solution, double time, Diags *diags, Span span, const double **values);

/* Makes `whole` where a distributed solution is to be evaluated on another mesh, whose cells lie elsewhere. Collective. */
Status solution_whole(Solution *solution);

/* An unknown's state (values of all local dofs) as arrays for pictures and files. *own: free it; NULL where the state itself serves. */
void solution_nodal(const Solution *solution, int unknown, const double *state, NodalField *out, double **own);

/* One local cell and the reference coordinates there for each local node of a block. *cell [n], *reference [n][dim]: free both. */
void field_node_points(const NodeSet *nodes, int **cell, double **reference);
/* Nodal interpolation into component (-1: all) of a block; u[nlocal], ghosts included. average: over the cells that share a node, for what jumps. */
Status field_interpolate(const Data *data, const Space *space, int block, int component, Expr *value, bool average, double *u);
/* Does e jump between cells: derivatives of fields, values by region, fields of discontinuous elements (world: where fields are found, may be NULL)? */
bool field_jumps(Expr *e, const World *world);

#endif
