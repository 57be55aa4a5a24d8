#include "petsc.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* PETSc is one per process, and so is this. */
static bool started_here;

/* Huge pages are 3 to 7 times faster at first touch; PETSc's own allocations get them too. */
enum { HUGE_FROM = 4 << 20, HUGE_PAGE = 2 << 20, LINE = 64 };

static void *huge_try(size_t bytes, bool zeroed) {
  size_t unit = bytes < HUGE_FROM ? LINE : HUGE_PAGE;
  size_t rounded = (bytes + unit - 1) / unit * unit;
  void *block = aligned_alloc(unit, rounded ? rounded : unit);
  if (!block) return NULL;
  if (unit == HUGE_PAGE) madvise(block, rounded, MADV_HUGEPAGE);
  if (zeroed) memset(block, 0, bytes);
  return block;
}

static PetscErrorCode petsc_malloc(size_t bytes, PetscBool zeroed, int line, const char *function, const char *file, void **out) {
  (void)line, (void)function, (void)file;
  *out = huge_try(bytes, zeroed);
  return *out ? 0 : PETSC_ERR_MEM;
}

static PetscErrorCode petsc_free(void *block, int line, const char *function, const char *file) {
  (void)line, (void)function, (void)file;
  free(block);
  return 0;
}

static PetscErrorCode petsc_realloc(size_t bytes, int line, const char *function, const char *file, void **out) {
  void *old = *out, *block;
  PetscErrorCode code = petsc_malloc(bytes, PETSC_FALSE, line, function, file, &block);
  if (code) return code;
  if (old) {
    size_t had = malloc_usable_size(old);
    memcpy(block, old, had < bytes ? had : bytes);
    free(old);
  }
  *out = block;
  return 0;
}

static void petsc_close(void) {
  PetscBool over = PETSC_FALSE;
  if (started_here && !PetscFinalized(&over) && !over) PetscFinalize();
}

/* A process outside mpiexec is a world of its own: without these Open MPI starts a daemon and probes networks, 0.8 s instead of 0.2.
 * isolated forbids MPI_Comm_spawn, so it is set for such a process only. BLAS threads would fight the ranks for the cores. */
static void environment(void) {
  if (!getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMIX_RANK")) {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);     /* isolated processes share one name: they would remove each other's directory */
    setenv("OMPI_MCA_btl", "self,vader", 0);
    setenv("OMPI_MCA_pml", "ob1", 0);
  }
  setenv("OMP_NUM_THREADS", "1", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
}

static Status options_insert(int argc, char **argv) {
  char *line[64];
  int n = 0;
  for (int i = 0; i < argc && n < 64; i++) line[n++] = argv[i];
  return PetscOptionsInsertArgs(NULL, n, line);
}

Status petsc_open(int argc, char **argv, Diags *diags) {
  PetscBool running = PETSC_FALSE;
  PetscInitialized(&running);
  if (!running) {
    environment();
    PetscMallocSet(petsc_malloc, petsc_free, petsc_realloc);
    static char name[] = "pde", no_signals[] = "-no_signal_handler", no_rc[] = "-skip_petscrc", silent[] = "-mat_cholmod_print", nothing[] = "0";
    static char *only[] = {name, no_signals, no_rc, silent, nothing, NULL};     /* CHOLMOD would write its complaints itself */
    int n = 5;
    char **args = only;
    if (PetscInitialize(&n, &args, NULL, NULL)) {
      diag_report(diags, E2000, (Span){0, 0}, "PETSc does not start");
      return 1;
    }
    started_here = true;
    atexit(petsc_close);
  }
  PetscGuard guard;
  petsc_enter(&guard, diags, (Span){0, 0});
  return petsc_leave(&guard, options_insert(argc, argv));
}

void petsc_forget(int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    if (argv[i][0] == '-' && strpbrk(argv[i], "abcdefghijklmnopqrstuvwxyz_") == argv[i] + 1) PetscOptionsClearValue(NULL, argv[i]);
}

void petsc_unused_options(Diags *diags, Span span) {
  PetscInt n = 0;
  char **names = NULL, **values = NULL;
  if (PetscOptionsLeftGet(NULL, &n, &names, &values)) return;
  for (int i = 0; i < n; i++) {
    if (!strcmp(names[i], "no_signal_handler") || !strcmp(names[i], "skip_petscrc") || !strcmp(names[i], "mat_cholmod_print")) continue;
    diag_report(diags, W2002, span, "the PETSc option `-%s` was not used by this solve", names[i]);
  }
  PetscOptionsLeftRestore(NULL, &n, &names, &values);
}

static PetscErrorCode on_error(MPI_Comm comm, int line, const char *function, const char *file, PetscErrorCode code, PetscErrorType type,
                               const char *message, void *user) {
  (void)comm;
  PetscGuard *guard = user;
  if (type == PETSC_ERROR_INITIAL && !guard->message[0]) {
    const char *text = NULL;
    PetscErrorMessage(code, &text, NULL);
    snprintf(guard->message, sizeof guard->message, "%s%s%s", text ? text : "", text && message && message[0] ? ": " : "", message ? message : "");
    guard->nframes = 0;
  }
  if (guard->nframes < 8) {
    const char *tail = file ? strstr(file, "/src/") : NULL;
    snprintf(guard->where[guard->nframes++], sizeof guard->where[0], "%s, %s:%d", function ? function : "?", tail ? tail + 1 : file ? file : "?", line);
  }
  return code;
}

void petsc_enter(PetscGuard *guard, Diags *diags, Span span) {
  *guard = (PetscGuard){.diags = diags, .span = span, .nerrors = diags->nerrors};
  PetscPushErrorHandler(on_error, guard);
}

int petsc_rank(void) {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank;
}

int petsc_nranks(void) {
  int n = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &n);
  return n;
}

Status petsc_agree(Status status) {
  if (petsc_nranks() == 1) return status;
  int mine = status != 0, any = 0;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  return any ? (status ? status : 1) : 0;
}

static void report_petsc(PetscGuard *guard, Status status) {
  Diag *diag = diag_report(guard->diags, E2000, guard->span, "PETSc: %s", guard->message[0] ? guard->message : "an error without a text");
  if (!guard->message[0]) diag_note(diag, (Span){0, 0}, "its code is %d", status);
  for (int i = 0; i < guard->nframes; i++) diag_note(diag, (Span){0, 0}, "in %s", guard->where[i]);
}

/* The report of rank `from`, for those that have none. */
static void share_report(PetscGuard *guard, int from, bool have) {
  struct { int code; Span span; char message[2048], suggestion[1024]; } packet = {0};
  const Diag *diag = petsc_rank() == from ? diags_last_error(guard->diags) : NULL;
  if (diag) {
    packet.code = diag->code;
    packet.span = diag->span;
    snprintf(packet.message, sizeof packet.message, "%s", diag->message ? diag->message : "");
    snprintf(packet.suggestion, sizeof packet.suggestion, "%s", diag->suggestion ? diag->suggestion : "");
  }
  MPI_Bcast(&packet, sizeof packet, MPI_BYTE, from, PETSC_COMM_WORLD);
  if (have) return;
  Diag *copy = diag_report(guard->diags, packet.code, packet.span, "%s", packet.message);
  if (packet.suggestion[0]) diag_suggest(copy, "%s", packet.suggestion);
}

Status petsc_leave(PetscGuard *guard, Status status) {
  PetscPopErrorHandler();
  bool reported = guard->diags->nerrors > guard->nerrors;
  int nranks = petsc_nranks(), rank = petsc_rank(), from = rank;
  if (nranks > 1) {
    /* a rank that only agreed to fail has nothing to say: first those with a report, then those with PETSc's message */
    int mine = !status ? 3 * nranks : reported ? rank : guard->message[0] ? nranks + rank : 2 * nranks + rank;
    MPI_Allreduce(&mine, &from, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD);
    if (from == 3 * nranks) return 0;
    from %= nranks;
  }
  if (!status && nranks == 1) return 0;
  if (!reported && rank == from) report_petsc(guard, status);
  if (nranks > 1) share_report(guard, from, reported || rank == from);
  return 1;
}

double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
