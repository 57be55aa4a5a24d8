/* Linked into every program of a sanitizer build.
 *
 * Open MPI loads its components with dlopen and closes them in MPI_Finalize; leaks that are found afterwards would have no
 * names to be suppressed by, so nothing is ever unloaded. What is suppressed is memory that MPI, hwloc, and libraries that
 * initialise themselves keep until the process ends; our own leaks are still found. */
int dlclose(void *handle);
const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);
const char *__ubsan_default_options(void);

int dlclose(void *handle) {
  (void)handle;
  return 0;
}

/* Each provider has its own copy of the lower layers, so the same names occur several times on purpose. */
const char *__asan_default_options(void) { return "detect_odr_violation=0"; }

const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }

const char *__lsan_default_suppressions(void) {
  return "leak:libopen-pal\nleak:libopen-rte\nleak:libmpi.so\nleak:libhwloc\nleak:libevent\nleak:libpmix\nleak:mca_\n"
         "leak:libfontconfig\nleak:libLLVM\nleak:PetscInitialize\nleak:SlepcInitialize\nleak:libgmsh\n";
}
