/* The host: everything one embedding of the language owns. Behind pde.h. */
#ifndef HOST_H
#define HOST_H
#include <stdio.h>

#include "../lang/ast.h"
#include "../numerics/engine.h"
#include "value.h"

typedef struct pde_host Host;

struct Module {
  int refs;
  Name path;                 /* as resolved */
  Program *program;
  Scope *scope, *dry_scope;  /* file scopes of a run and of a check */
  enum { MODULE_NEW, MODULE_RUNNING, MODULE_READY, MODULE_FAILED } state, dry_state;
};

typedef struct Override {    /* -D name=value */
  Name name;
  char *text;
  bool in_si;                /* a number of pde_set, which has the unit of the param */
  bool used;
} Override;

typedef enum LimitHit { LIMIT_NONE, LIMIT_TIME, LIMIT_MEMORY } LimitHit;

typedef struct Limits {      /* of pde_limit; zeros: none */
  double seconds;
  size_t memory;
  char *files;               /* owned; NULL: all, "": none */
  bool offline;
  volatile LimitHit hit;
  struct LimitWatch *watch;
} Limits;

struct Call;
typedef struct Printed { Name name; char *text, *json; } Printed;

struct pde_host {
  Interner *names;
  SourceMap *sources;
  Diags diags;
  ExprPool *pool;
  bool uses_units;           /* the running program does */
  bool checking_only;        /* `pde check`: kinds of later builds are no error */
  bool needs_later;          /* the script uses such kinds */
  Name *unit_names; UnitScale *units; int nunits;   /* declared by `unit` */
  /* engine, loaded at first use */
  const EngineApi *api;
  Engine *engine;
  EngineOptions engine_options;
  char *jit;
  volatile int interrupt, phase;      /* asked to stop; an EnginePhase that has to end before */
  Limits limits;
  uint32_t next_serial;      /* of solutions that exist only while checking: counts down from the top */
  Module **modules; int nmodules;
  Scope **pinned; int npinned;     /* scopes that functions refer to */
  Override *overrides; int noverrides;
  char *out_dir, *record_dir, *run_dir;     /* --out, --record, --run */
  const char *command;       /* that runs; for the record */
  struct Store *record;      /* of the run: record.h; or NULL */
  struct { Name name; Value *value; bool fields; } *recorded; int nrecorded;     /* named values that are in it; of solutions their fields too */
  bool record_open; double record_since; Buf held;      /* rows that are not committed yet, and what waits for them to be printed */
  bool has_views;            /* the script declares views: they need a record */
  struct { Name name; struct Discover *of; } *discoveries; int ndiscoveries;     /* workspaces of the script's discoveries: declared.h */
  bool quiet, json, interactive, colour;
  int columns;               /* width of the terminal, 0: unknown */
  /* results */
  Printed *printed; int nprinted;
  Verdict *verdicts; int nverdicts;
  char **files; int nfiles;
  bool contract_failed, assert_failed;
  const char *replay;        /* `pde audit --replay`: the id of the one probe that audits judge; NULL */
  int audits; bool replayed; /* audits that ran; the probe was found */
  int tests_passed, tests_failed; const char *test_filter; bool run_tests;
  void (*on_output)(void *user, const char *text, size_t len);
  void (*on_message)(void *user, int severity, const char *text);
  void (*on_progress)(void *user, const char *text, double fraction);
  void *user;
  char *error_text;          /* rendered diagnostics of the last failed call */
  int shown_diags;           /* how many diagnostics were handed to on_message */
  HostFunction *functions; int nfunctions;
  struct BuiltinIndex *builtins;
  struct pde_value *handles; /* values that the embedding program holds: api.c */
  char *text;                /* what pde_text gave last */
};

/* Engine: loads the provider; NULL after a report (E0950, status 7). */
const EngineApi *host_engine(Host *host, Span span);
/* Its functions that need neither PETSc nor MPI, which are not started: hei, arrays_read. */
const EngineApi *host_engine_table(Host *host, Span span);
void engine_mesh_release(Mesh *mesh);
void engine_solution_release(Solution *solution);
Mesh *mesh_retained(Host *host, Mesh *mesh);
bool host_is_first_rank(const Host *host);

void host_print(Host *host, const char *text, size_t len);
/* Does the user want to stop? E2090 the first time, with the place that was reached. */
bool host_stopped(Host *host, Span span);
void host_flush_diags(Host *host);      /* hands new diagnostics to on_message */
char *host_output_path(Host *host, const char *path, Span span);   /* under --out; malloc; NULL after a report: forbidden */
/* The whole text or nothing under that name; false after a report. */
bool host_write_file(Host *host, const char *path, const Buf *text, Span span);
void host_record_file(Host *host, const char *path);
void host_note_printed(Host *host, struct Call *call);
void host_pin(Host *host, Scope *scope);

const HostFunction *host_function_find(const Host *host, const char *name);

/* The way of a script: host_begin, host_load_text (NULL after reports), host_execute. */
Host *host_new(void);
void host_free(Host *host);
void host_begin(Host *host);
void host_forget(Host *host);           /* drops the modules of earlier scripts with all their values */
Module *host_load_text(Host *host, const char *text, size_t len, const char *path);
ExitStatus host_execute(Host *host, Module *module, bool check_only);
ExitStatus host_finish(Host *host);     /* shows what is left and gives the status */

/* Modules. */
Module *module_add(Host *host, Name path, Program *program);                         /* takes the program */
Module *module_load(Host *host, const char *path, const Module *from, Span span);   /* finds and parses; NULL after a report */
Module *module_retain(Module *module);
void module_release(Module *module);
ExitStatus module_run(Host *host, Module *module, bool dry);

#endif
