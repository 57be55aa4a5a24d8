/* libpde: the host library of the pde language. One host is used by one thread at a time; many hosts may live in one process. PETSc and MPI are
 * process-wide: a PETSc or MPI that the program has initialised is used and not finalised.
 *
 * Ownership: what is passed in is copied or read during the call, but for functions, their user data and the callbacks of the options, which have to live
 * as long as the host. Strings that come out are borrowed until the next call on the same host; what pde_get returns is released with pde_release. Numbers
 * are in SI base units, and angles in radians. No function prints, exits or installs signal handlers. Calls of all hosts of a process are serialised by one
 * lock, but for pde_interrupt. A call with a status other than PDE_OK has said why in pde_error. */
#ifndef PDE_H
#define PDE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PDE_API __attribute__((visibility("default")))
#else
#define PDE_API
#endif

typedef struct pde_host pde_host;
typedef struct pde_value pde_value;

/* The exit statuses of the command. */
typedef enum pde_status {
  PDE_OK = 0,            /* done and every hard contract passed */
  PDE_INPUT = 1,         /* the script is wrong: pde_error says where */
  PDE_CONTRACT = 2,      /* a hard contract, an assertion or a test failed */
  PDE_UNSUPPORTED = 4,   /* this build cannot run that */
  PDE_NUMERICS = 5,      /* no convergence, a number that is not finite */
  PDE_LIMIT = 6,         /* more time or memory than pde_limit allows */
  PDE_ENVIRONMENT = 7,   /* a library or file of the installation is missing */
  PDE_INTERNAL = 70,     /* a bug in pde */
  PDE_INTERRUPT = 130    /* pde_interrupt was called */
} pde_status;

typedef enum pde_jit { PDE_JIT_AUTO, PDE_JIT_LLVM, PDE_JIT_INTERP } pde_jit;

typedef struct pde_options {
  pde_jit jit;
  void (*on_output)(void *user, const char *text, size_t len);             /* what scripts print; NULL: dropped */
  void (*on_message)(void *user, int severity, const char *text);          /* diagnostics as text; severity 0 error, 1 warning; NULL: kept for pde_error only */
  void (*on_progress)(void *user, const char *text, double fraction);      /* during solves; NULL: none */
  void *user;
  const char *out_dir;      /* where scripts write files; NULL: as their paths say */
  int argc; char **argv;    /* options for PETSc, without a program name; or 0 */
} pde_options;

PDE_API pde_host *pde_open(const pde_options *options);    /* NULL when memory is out; options may be NULL */
PDE_API void pde_close(pde_host *host);                    /* releases every value that is left */

/* A function of n points at a time: args[k][i] is argument k at point i, out[c][i] component c of the result. All arrays are the caller's, for the time of
 * the call. Nonzero: it failed, and the script stops there (E0518, E2011). */
typedef int (*pde_function)(void *user, int n, const double *const *args, double *const *out);
/* Gives scripts a function. signature: "(y: real, t: real) -> real", or "-> vector 2", "-> vector 3"; 1 to 16 arguments. Arguments come in SI numbers, whatever
 * unit they have in the script, and results are numbers without a unit: `inflow(y, t)*1 [m/s]`. It may be called while a script runs, from its thread, and
 * while one is checked it is not. Kept until pde_close; a second definition replaces the first. PDE_INPUT: the name or signature. */
PDE_API pde_status pde_define(pde_host *host, const char *name, const char *signature, pde_function call, void *user);

/* Bounds for scripts of other people; 0 and NULL: none. */
typedef struct pde_limits {
  double seconds;           /* of the clock, for each call that checks or runs a script */
  size_t memory;            /* bytes by which the process may grow in such a call, counted a hundred times a second in what is resident */
  const char *files;        /* scripts read, write and import files below this directory alone, and see no environment; "": no files at all. Copied */
  int offline;              /* scripts may not reach the network: they start no programs and load no libraries (E0567), and nothing of ours reaches it for them */
} pde_limits;
/* For the calls that follow; limits NULL: lifts all. A script that takes more time or memory stops at the next safe place, as by pde_interrupt, with
 * PDE_LIMIT: what cannot be stopped in its middle (a factorisation, Gmsh) and what is allocated at once come on top, so a bound that nothing may
 * pass is one of the operating system, around a process. A file that it may not have is an error of the script, PDE_INPUT. What this
 * library reads and writes for itself (its parts, the cache of kernels) is not bounded. PDE_INPUT: no such directory (then no files at all). */
PDE_API pde_status pde_limit(pde_host *host, const pde_limits *limits);
/* Another value of a param, as -D gives it, for the next script alone; in SI where the param has a unit. PDE_OK: a param that is not there is an error of
 * that script. */
PDE_API pde_status pde_set(pde_host *host, const char *param, double value);

/* Parses and checks only: what errors a run would give before its first statement. PDE_OK, PDE_INPUT, PDE_UNSUPPORTED, PDE_ENVIRONMENT, PDE_LIMIT,
 * PDE_INTERNAL, PDE_INTERRUPT. */
PDE_API pde_status pde_check_string(pde_host *host, const char *source, const char *path);
/* Run a script from its text or file. What an earlier script defined is forgotten; values that pde_get handed out stay. Any status. path: what
 * diagnostics call it, and beside which imports are looked for; NULL: "<string>". */
PDE_API pde_status pde_run_string(pde_host *host, const char *source, const char *path);
PDE_API pde_status pde_run_file(pde_host *host, const char *path);
PDE_API void pde_interrupt(pde_host *host);                /* from a signal handler or another thread: the running call stops soon */
PDE_API const char *pde_error(pde_host *host);             /* diagnostics of the last call, rendered; "" when there were none; borrowed */

/* Names of the script that ran last. */
PDE_API pde_value *pde_get(pde_host *host, const char *name);                            /* NULL: no such name; owned */
PDE_API pde_status pde_number(pde_host *host, const char *name, double *out);            /* PDE_INPUT: no number of that name */
PDE_API const char *pde_kind(const pde_value *value);                                    /* "number", "solution", ... ; static */
PDE_API const char *pde_text(pde_host *host, const pde_value *value);                    /* as print shows it; borrowed */
PDE_API void pde_release(pde_value *value);

typedef struct pde_field_view {
  size_t nodes;             /* points at which the field has its degrees of freedom (vertices; and edge midpoints for P2) */
  int dim;                  /* space dimension */
  int components;           /* 1 for a scalar; row-major for tensors */
  const double *points;     /* [nodes][dim], metres */
  const double *values;     /* [nodes][components] */
  const char *unit;         /* "K"; "" without one */
  double time;              /* of the state; NAN for a steady solution */
} pde_field_view;

/* The last state of an unknown of a solution, without a copy of the values: valid until the value is released. Under mpiexec: the nodes of this process.
 * PDE_INPUT: the value is no solution, or has no such unknown. */
PDE_API pde_status pde_field(pde_value *solution, const char *unknown, pde_field_view *out);

PDE_API const char *pde_version(void);

#ifdef __cplusplus
}
#endif
#endif
