/* What the runtime asks of the engine (PETSc, MPI, meshing, files, pictures). The engine is a provider library that is loaded at first use and
 * hands out one table; no PETSc type appears here. All calls are collective over the ranks of an mpiexec run: every rank makes
 * the same calls and gets the same scalar results. Places are spans of the script. A failing call has reported once. */
#ifndef ENGINE_H
#define ENGINE_H
#include "../lang/pde.h"
#include "arrays.h"
#include "form.h"
#include "kernel.h"
#include "mesh.h"

enum { ENGINE_ABI = 7 };

typedef struct Engine Engine;          /* one per host */
typedef struct Solution Solution;      /* reference-counted, immutable once returned */

typedef enum EnginePhase { PHASE_FREE, PHASE_SETUP, PHASE_FACTOR, PHASE_MESH, PHASE_WRITING, ENGINE_PHASES } EnginePhase;

typedef struct EngineOptions {
  ExprPool *pool; Interner *names; SourceMap *sources; Diags *diags;
  JitChoice jit;
  int argc; char **argv;               /* PETSc options after `--` */
  volatile int *interrupt;             /* nonzero: stop soon (E2090, status 130) */
  volatile int *phase;                 /* what cannot be stopped in its middle just now, an EnginePhase; for who interrupts */
  void (*on_progress)(void *user, const char *text, double fraction);   /* NULL: silent */
  void *user;
  const char *provider_dir;
} EngineOptions;

typedef struct Binding { Name name; Expr *value; } Binding;              /* value of a parameter: a constant or a field */
typedef struct HostFunction {                                            /* callback: n points at a time; args[k][i], out[c][i] */
  Name name; int nargs, ncomponents;
  int (*call)(void *user, int n, const double *const *args, double *const *out);
  void *user;
} HostFunction;

/* The world in which expressions have values. */
typedef struct World {
  const Binding *params; int nparams;
  Solution *const *solutions; int nsolutions;     /* those whose serials occur */
  const HostFunction *functions; int nfunctions;
  double time;                                    /* t, where no state beside it says otherwise; NAN: t is not known */
} World;

typedef struct SolveOptions {
  double t0, t1, step; bool transient;
  double origin;                       /* where the run began that this one goes on with, so that steps fall on the same times; else t0 */
  bool automatic;                      /* the step follows from the error of each; `step` is the first one tried, 0: chosen */
  double tol;                          /* largest error of a step, relative to the largest norm of the unknown so far */
  double floor;                        /* and where that norm is smaller, relative to this one; in SI units */
  double step_min, step_max;           /* <= 0: 1e-12 and a tenth of the time span */
  double rho; bool has_rho;            /* rho_inf of generalized-alpha; not given: 0.8 */
  const Solution *from;                /* a run that this one continues, or whose last state is the initial one; NULL */
  bool continues;                      /* there will be one: while checking it is not known */
  Status (*on_step)(void *user, Solution *state);     /* told the initial state and each step: a solution of one state, valid until the next; NULL */
  void *user;
  const char *checkpoint; int checkpoint_every;       /* file that keeps the state after every n-th step and the last; NULL */
  const char *source;                  /* of the pde, for that file */
  const char *scheme;                  /* a row of scheme.def; NULL: bdf2, crank_nicolson for dtt */
  const char *solver;                  /* NULL: chosen; "mumps", "cg+hypre", ... rows of solver.def */
  double rtol, atol; int max_iterations, max_newton;    /* <= 0: default */
  int degree;                          /* quadrature degree, <= 0: chosen */
  double *outputs; int noutputs;       /* exact output times that must be hit */
  int keep_every;                      /* states kept: every n-th step (1) */
  bool quiet;
  const struct Initial *start; int nstart;   /* values to start from, over the pde's own initial ones; the first guess of a steady problem; NULL */
} SolveOptions;

typedef struct SolutionInfo {
  uint32_t serial;
  const Pde *pde; const Form *form; Mesh *mesh;  /* borrowed */
  bool transient; int nstates; const double *times;
  long ndofs; int iterations, newton_iterations; /* of the last linear solve; in all */
  double residual;                               /* true relative residual of the last linear solve */
  const char *solver, *why, *scheme;             /* what was used, and the reason it was chosen */
  double seconds;
  double memory; int ranks; long cells;                /* peak bytes of the largest process at the end of the solve; cells of the whole mesh */
  long steps, rejected; double smallest, largest;      /* of a transient solve: steps taken, attempts given up, shortest and longest step */
} SolutionInfo;

typedef struct EigenOptions {
  int count;                           /* eigenvalues wanted */
  double near; bool has_near;          /* those nearest to it; otherwise the smallest */
  double rtol;                         /* of |A u - lambda B u| over the sizes of both terms */
  int degree, max_iterations;          /* <= 0: chosen */
} EigenOptions;

typedef struct EigenModes {            /* by rising real part; freed by eigen_modes_free */
  int n;
  Solution **mode;                     /* normalised to u' B u = 1 in SI numbers, the entry of largest size positive */
  double *value, *imaginary, *residual;
  Unit unit;
  bool symmetric, counted;             /* counted: the inertia of the shifted matrix says that none is missing between the first and the last */
} EigenModes;

typedef enum Reduction { REDUCE_INTEGRAL, REDUCE_MAX, REDUCE_MIN, REDUCE_PART /* the integral as a form takes it: jumps are not spoken of */ } Reduction;

typedef struct PlotSeries { const double *x, *y; int n; const char *label; } PlotSeries;
typedef enum PlotKind { PLOT_FIELD, PLOT_MESH, PLOT_LINES } PlotKind;
typedef struct PlotRequest {
  PlotKind kind;
  Expr *expr;                          /* FIELD: scalar or vector, tensor level, specialised; */
  Expr *deform; double deform_scale;   /* displacement that moves the mesh, or NULL; scale NAN: chosen and printed in the title */
  bool arrows, contours, mesh_lines; int levels;
  double slice[4]; bool has_slice;     /* plane a x + b y + c z = d of a 3D field; otherwise its surface is drawn */
  double lo, hi;                       /* colour range, NAN: of the data */
  const char *title, *label, *unit, *xlabel, *ylabel;   /* NULL: none */
  double unit_scale;                   /* values are divided by it for display */
  double length_scale; const char *length_unit;
  bool logx, logy;
  PlotSeries *series; int nseries;
  int width, height;                   /* pixels, 0: default; terminal: columns and rows */
  const char *path;                    /* .png .svg; NULL: the terminal, text with ANSI colours goes to out */
  Buf *out; bool colour;
} PlotRequest;

/* The last state of an unknown at the nodes of this rank. values are borrowed from the solution; points and own_values (or NULL) are freed by the caller. */
typedef struct NodalView {
  int nodes, dim, components;
  double *points;                      /* [nodes][dim] */
  const double *values;                /* [nodes][components] */
  double *own_values;
  double time;                         /* NAN: steady */
} NodalView;

typedef struct EngineApi {
  int abi;
  Status (*open)(const EngineOptions *options, Engine **out);
  void (*close)(Engine *engine);
  int (*rank)(void); int (*nranks)(void);

  /* meshes */
  Status (*mesh_make)(Engine *, const Geom *geom, const MeshOptions *options, Diags *, Mesh **out);   /* structured if cells are given */
  Status (*mesh_read)(Engine *, const char *path, double scale, Diags *, Span, Mesh **out);
  Status (*mesh_refine)(Engine *, const Mesh *mesh, Diags *, Mesh **out);
  void (*mesh_release)(Mesh *mesh);
  void (*mesh_info)(const Mesh *mesh, Buf *out);
  Status (*mesh_cad)(Engine *, const char *path, double scale, const MeshOptions *options, Diags *, Mesh **out);

  /* solving */
  Status (*solve)(Engine *, Pde *pde, Mesh *mesh, const World *world, const SolveOptions *options, Diags *, Span, Solution **out);
  void (*solver_choice)(Engine *, const Form *form, long ndofs, const char **solver, const char **why);
  void (*solution_info)(const Solution *, SolutionInfo *out);
  Solution *(*solution_retain)(Solution *);
  void (*solution_release)(Solution *);
  /* An unknown number of the pde at a time (NAN: the last). E2011 where it is not known: of a solution from a file. */
  Status (*number)(Solution *, Name name, double time, Diags *, Span, double *out);
  /* Modes of A u == lambda*B u, where lambda is written or stands for time derivatives (form_eigen.h). Errors E2060, E2061. */
  Status (*eigensolve)(Engine *, Pde *pde, Mesh *mesh, const World *world, const EigenOptions *options, Diags *, Span, EigenModes *out);
  void (*eigen_modes_free)(EigenModes *modes);
  /* Interpolates (or L2-projects) expressions into the spaces of a pde-less solution: one unknown each. */
  Status (*project)(Engine *, Mesh *mesh, const Unknown *unknowns, Expr *const *values, int n, const World *world, Diags *, Span, Solution **out);

  /* expressions over a mesh; e is tensor level and specialised; out has one entry a component */
  Status (*reduce)(Engine *, Reduction kind, Expr *e, Mesh *mesh, const Where *where, bool on_cells, int degree, const World *world, Diags *, Span,
                   double *out, double *place /* [3] of max and min, or NULL */);
  Status (*points)(Engine *, Expr *e, Mesh *mesh, int n, const double *x /* [n][dim] */, Name side, const World *world, Diags *, Span, double *out /* [n][size] */);
  /* integral of dot(F, n) over `where`, F = flux of that unknown's equation, by reactions where the unknown is prescribed; out: a value per component of
   * the equation. conservative: set to false where it had to integrate the gradient directly. */
  Status (*flux)(Engine *, Solution *sol, int unknown, const Where *where, double time, Diags *, Span, double *out, bool *conservative);
  /* Consistent reactions moment-free: residual norm of the discrete equations with the boundary rows left out, relative; for contracts. */
  Status (*residual)(Engine *, Solution *sol, double time, Diags *, Span, double *relative);
  /* sup over the prescribed dofs of |u - g|; for contracts. */
  Status (*dirichlet_error)(Engine *, Solution *sol, double time, Diags *, Span, double *out);

  /* pictures and files; formats by extension */
  Status (*plot)(Engine *, const PlotRequest *request, Mesh *mesh, const World *world, Diags *, Span);
  Status (*export)(Engine *, Solution *const *sols, int n, const char *path, Diags *, Span);
  Status (*save)(Engine *, const Solution *sol, const char *path, const char *pde_source, Diags *, Span);
  Status (*load)(Engine *, const char *path, Diags *, Span, Pde *(*rebuild)(void *user, const char *pde_source), void *user, Solution **out);

  /* listings for `pde kernel`: what = ir, llvm, asm */
  Status (*kernel_text)(Engine *, Pde *pde, const char *what, Diags *, Buf *out);
  void (*versions)(Buf *out);          /* PETSc, MPI, HDF5, cairo, LLVM, Gmsh as loaded */
  void (*timings)(Engine *, Buf *out); /* stages of the last solve */
  void (*solvers)(Buf *out);           /* the table behind `solver:`, a line each: name, title, for what */
  Status (*nodal)(Engine *, Solution *sol, int unknown, NodalView *out);
  const struct TapeApi *tape;          /* audits: tape.h */
  Status (*arrays_read)(const char *path, Diags *, Span, ArrayFile *out);      /* HDF5; arrays.h */
  Status (*arrays_write)(const char *path, const ArrayFile *file, Diags *, Span);   /* .npz, else HDF5; the first rank writes */
  const struct HeiApi *hei;            /* laws with unknown fields: hei_api.h */
} EngineApi;

typedef const void *(*ProviderEntry)(int abi);   /* the exported symbol pde_provider of each provider library */

#endif
