/* Linked into every program of a sanitizer build.
 *
 * Open MPI loads its components with dlopen and closes them in MPI_Finalize; leaks that are found afterwards would have no
 * names to be suppressed by, so nothing is ever unloaded. What MPI allocates in MPI_Init and MPI_Finalize is not looked at
 * (their frames have no frame pointers, so suppression by name alone misses some), nor what hwloc, fontconfig and the like
 * keep until the process ends. PETSc 3.18 leaves 64 bytes in DMDestroy, where no frame pointer names it: what PETSc allocates is not
 * looked at either (that solves leave nothing behind is for the memory test of a host). Our own leaks are still found. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/lsan_interface.h>
#include <stdlib.h>

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

/* Tests look at standard error. */
const char *__lsan_default_options(void) { return "print_suppressions=0"; }

const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }

const char *__lsan_default_suppressions(void) {
  return "leak:libopen-pal\nleak:libopen-rte\nleak:libmpi.so\nleak:libhwloc\nleak:libevent\nleak:libpmix\nleak:mca_\n"
         "leak:libfontconfig\nleak:libpixman\nleak:libgmsh\nleak:petsc_malloc\n";
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

int MPI_Finalize(void) {
  int (*real)(void) = (int (*)(void))mpi_function("PMPI_Finalize");
  __lsan_disable();
  int status = real();
  __lsan_enable();
  return status;
}
