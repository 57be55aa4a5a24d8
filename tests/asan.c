/* Linked into every program of a sanitizer build.
 *
 * Open MPI loads its components with dlopen and closes them in MPI_Finalize; leaks that are found afterwards would have no
 * names to be suppressed by, so nothing is ever unloaded. What MPI allocates in MPI_Init and MPI_Finalize is not looked at
 * (their frames have no frame pointers, so suppression by name alone misses some), nor what hwloc, fontconfig, Open CASCADE and the
 * like keep until the process ends. PETSc 3.18 leaves 64 bytes in DMDestroy, where no frame pointer names it: what PETSc allocates is not
 * looked at either (that solves leave nothing behind is for the memory test of a host). Our own leaks are still found. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/lsan_interface.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC visibility push(default)    /* libasan.so, PETSc and Open MPI have to find these */
int dlclose(void *handle);
int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Finalize(void);
const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);
const char *__ubsan_default_options(void);
#pragma GCC visibility pop

int dlclose(void *handle) {
  (void)handle;
  return 0;
}

/* Each provider has its own copy of the lower layers, so the same names occur several times on purpose. */
const char *__asan_default_options(void) { return "detect_odr_violation=0"; }

/* Tests look at standard error. The sanitizer crashes on a thread that dies under its eyes, as MPI's do at the end: leaks are looked for in a child, which
 * has one thread, before that, and no more at the exit. */
const char *__lsan_default_options(void) { return "print_suppressions=0:leak_check_at_exit=0"; }

const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }

const char *__lsan_default_suppressions(void) {
  return "leak:libopen-pal\nleak:libopen-rte\nleak:libmpi.so\nleak:libhwloc\nleak:libevent\nleak:libpmix\nleak:mca_\n"
         "leak:libfontconfig\nleak:libpixman\nleak:libgmsh\nleak:petsc_malloc\nleak:TPrsStd_DriverTable\n";
}

/* The standard's second name of each MPI function, from the library that a provider has loaded. */
static void *mpi_function(const char *name) {
  void *library = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
  void *found = library ? dlsym(library, name) : NULL;
  if (!found) abort();
  return found;
}

int MPI_Init(int *argc, char ***argv) {
  int (*real)(int *, char ***) = (int (*)(int *, char ***))mpi_function("PMPI_Init");
  __lsan_disable();
  int status = real(argc, argv);
  __lsan_enable();
  return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int (*real)(int *, char ***, int, int *) = (int (*)(int *, char ***, int, int *))mpi_function("PMPI_Init_thread");
  __lsan_disable();
  int status = real(argc, argv, required, provided);
  __lsan_enable();
  return status;
}

static bool looked;

enum { LEAKS = 99, ATTEMPTS = 5 };

/* What it says about threads that are not in this process is no finding: its report is shown when there are leaks. */
static void look_in_child(void) {
  int out = dup(STDERR_FILENO), report = memfd_create("leaks", 0);
  dup2(report, STDERR_FILENO);
  if (!__lsan_do_recoverable_leak_check()) _exit(0);
  char text[4096];
  lseek(report, 0, SEEK_SET);
  for (ssize_t n; (n = read(report, text, sizeof text)) > 0;)
    if (write(out, text, (size_t)n) < 0) break;
  _exit(LEAKS);
}

/* A child that ends otherwise is the sanitizer's own failure, which comes once in some hundred processes: the test goes on, and run.sh says how many
 * processes were not looked at. */
static void not_looked_at(void) {
  const char *path = getenv("LEAKS_NOT_LOOKED_FOR");
  FILE *list = path ? fopen(path, "a") : NULL;
  if (list) fputs("x", list), fclose(list);
  else fputs("asan.c: leaks could not be looked for\n", stderr);
}

static void look_for_leaks(void) {
  if (looked) return;
  looked = true;
  fflush(NULL);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    pid_t child = fork();
    if (child == 0) look_in_child();
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status == 0) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == LEAKS) _exit(1);
  }
  not_looked_at();
}

__attribute__((constructor)) static void look_at_exit(void) { atexit(look_for_leaks); }

int MPI_Finalize(void) {
  look_for_leaks();
  int (*real)(void) = (int (*)(void))mpi_function("PMPI_Finalize");
  __lsan_disable();
  int status = real();
  __lsan_enable();
  return status;
}
