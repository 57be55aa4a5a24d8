/* The host of the command: results to standard output, diagnostics and progress to standard error, Ctrl-C stops what runs. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

/* --- under mpiexec --- */

bool command_first_rank(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  return !rank || !strcmp(rank, "0");
}

/* --- progress: a bar on a terminal, else a line every few seconds --- */

typedef struct Progress {
  bool terminal, drawn, first_rank;
  struct timespec start, last;
} Progress;

static Progress progress;     /* of the terminal, of which a process has one */

static double since(const struct timespec *from) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)(t.tv_sec - from->tv_sec) + 1e-9 * (double)(t.tv_nsec - from->tv_nsec);
}

void command_progress_clear(void) {
  if (progress.drawn) fputs("\r\033[K", stderr);
  progress.drawn = false;
}

static void draw_bar(const char *text, double fraction) {
  enum { WIDTH = 24 };
  int full = fraction <= 0 ? 0 : fraction >= 1 ? WIDTH : (int)(fraction * WIDTH);
  fputs("\r\033[K", stderr);
  if (fraction >= 0 && fraction == fraction) {
    fputc('[', stderr);
    for (int i = 0; i < WIDTH; i++) fputc(i < full ? '#' : ' ', stderr);
    fprintf(stderr, "] %3.0f%% ", 100 * (fraction > 1 ? 1 : fraction));
  }
  fprintf(stderr, "%.100s", text);
  fflush(stderr);
  progress.drawn = true;
}

static void show_progress(void *user, const char *text, double fraction) {
  (void)user;
  double interval = progress.terminal ? 0.1 : 5, settle = progress.terminal ? 0.3 : 5;   /* what is quick shows nothing */
  if (!progress.first_rank || since(&progress.start) < settle || since(&progress.last) < interval) return;
  clock_gettime(CLOCK_MONOTONIC, &progress.last);
  if (progress.terminal) draw_bar(text, fraction);
  else if (fraction >= 0 && fraction == fraction) fprintf(stderr, "%s: %.0f%%\n", text, 100 * fraction);
  else fprintf(stderr, "%s\n", text);
}

/* --- output --- */

static void show_output(void *user, const char *text, size_t len) {
  (void)user;
  if (!progress.first_rank) return;
  command_progress_clear();
  fwrite(text, 1, len, stdout);
  if (progress.terminal) fflush(stdout);
}

static void show_message(void *user, int severity, const char *text) {
  (void)user;
  (void)severity;
  if (!progress.first_rank) return;
  command_progress_clear();
  fflush(stdout);
  fputs(text, stderr);
}

void command_print(const char *format, ...) {
  if (!progress.first_rank) return;
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
}

/* --- Ctrl-C --- *
 * The first asks for a stop at the next safe point and says at once what has to end before. A second one ends the process, unless a file is being
 * written: then that is finished first. A session has more to lose: there the second one only says what is going on, and the third ends it.
 * Nothing is jumped out of: PETSc, MUMPS, hypre and Gmsh would be left with locks held and memory lost. */

static Host *volatile interruptible;
volatile sig_atomic_t command_at_prompt, command_interrupted;
static volatile sig_atomic_t presses;      /* since the host began what it does */

static const char *const phase_names[ENGINE_PHASES] = {
    [PHASE_SETUP] = "the set-up of the solver", [PHASE_FACTOR] = "the factorisation", [PHASE_MESH] = "the mesh generation", [PHASE_WRITING] = "the file is written",
};

static void tell(const char *a, const char *b, const char *c) {
  char text[160];
  size_t n = 0;
  const char *const part[] = {a, b, c};
  for (int i = 0; i < 3; i++)
    for (const char *s = part[i]; s && *s && n < sizeof text; s++) text[n++] = *s;
  if (write(STDERR_FILENO, text, n) < 0) return;
}

static void on_interrupt(int signal) {
  (void)signal;
  if (command_at_prompt) {
    command_interrupted = 1;
    return;
  }
  Host *host = interruptible;
  if (!host) _exit(EXIT_INTERRUPT);
  int error = errno, phase = host->phase;
  if (!host->interrupt) presses = 0;
  presses++;
  host->interrupt = 1;
  bool session = host->interactive, writing = phase == PHASE_WRITING;
  if (presses > (session || writing ? 2 : 1)) _exit(EXIT_INTERRUPT);
  const char *what = phase_names[phase], *next = session ? "; the session stays\n" : "; Ctrl-C again ends pde at once\n";
  if (!progress.first_rank) {}
  else if (presses == 1 && !what) tell("\nstopping", next, NULL);
  else if (presses == 1) tell(writing ? "\nstopping when " : "\nstopping after ", what, next);
  else if (writing) tell("\nstopping when ", what, "; Ctrl-C once more ends pde and leaves the file as it was\n");
  else tell("\nstill waiting for ", what ? what : "a place to stop at", "; Ctrl-C once more ends pde and the session\n");
  errno = error;
}

/* --- the host --- */

static JitChoice jit_of_environment(void) {
  const char *jit = getenv("PDE_JIT");
  return jit && !strcmp(jit, "llvm") ? JIT_LLVM : jit && !strcmp(jit, "interp") ? JIT_INTERP : JIT_AUTO;
}

/* A build tree and an installation that was moved find their own providers: beside bin/, in pde/ or lib/pde/. */
static void find_providers(void) {
  char self[4096];
  ssize_t n = getenv("PDE_LIBDIR") ? 0 : readlink("/proc/self/exe", self, sizeof self - 32);
  if (n <= 0) return;
  self[n] = 0;
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(self, '/');
    if (!slash) return;
    *slash = 0;
  }
  static const char *const places[] = {"/pde", "/lib/pde"};
  for (int i = 0; i < 2; i++) {
    Buf dir = {0}, engine = {0};
    buf_printf(&dir, "%s%s", self, places[i]);
    buf_printf(&engine, "%s/engine.so", buf_str(&dir));
    bool there = access(buf_str(&engine), R_OK) == 0;
    if (there) setenv("PDE_LIBDIR", buf_str(&dir), 1);
    buf_free(&dir);
    buf_free(&engine);
    if (there) return;
  }
}

Host *command_host(void) {
  find_providers();
  Host *host = host_new();
  if (!host) return NULL;
  const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
  bool plain = (no_colour && *no_colour) || !term || !strcmp(term, "dumb");
  progress.first_rank = command_first_rank();
  progress.terminal = isatty(STDERR_FILENO) && !plain;
  clock_gettime(CLOCK_MONOTONIC, &progress.start);
  host->colour = isatty(STDERR_FILENO) && !plain;
  host->on_output = show_output;
  host->on_message = show_message;
  host->on_progress = show_progress;
  host->engine_options.jit = jit_of_environment();
  struct winsize size;
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) host->columns = size.ws_col;
  interruptible = host;
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  return host;
}

void command_host_free(Host *host) {
  interruptible = NULL;
  host_free(host);
}

/* --- files --- */

char *command_read(Host *host, const char *path, size_t *len) {
  bool standard = !strcmp(path, "-");
  struct stat status;
  FILE *file = standard ? stdin : fopen(path, "rb");
  const char *why = file ? NULL : strerror(errno);
  if (file && !standard && fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) why = "it is a directory";
  Buf text = {0};
  char block[65536];
  for (size_t n; !why && (n = fread(block, 1, sizeof block, file)) > 0;) buf_add(&text, block, n);
  if (!why && ferror(file)) why = strerror(errno);
  if (file && !standard) fclose(file);
  if (why) {
    diag_report(&host->diags, E0961, (Span){0, 0}, "`%s` cannot be read: %s", path, why);
    buf_free(&text);
    return NULL;
  }
  *len = text.len;
  if (!text.text) buf_add(&text, "", 0);
  return text.text ? text.text : calloc(1, 1);
}

Module *command_load(Invocation *in, const char *path) {
  size_t len, n = strlen(path);
  if (n > 5 && !strcmp(path + n - 5, ".json")) {
    diag_report(&in->host->diags, E0900, (Span){0, 0}, "`%s`: JSON specifications are not in this build", path);
    return NULL;
  }
  char *text = command_read(in->host, path, &len);
  Module *module = text ? host_load_text(in->host, text, len, strcmp(path, "-") ? path : "<stdin>") : NULL;
  free(text);
  return module;
}

/* --- options that several commands have --- */

static void make_directories(Host *host, const char *path) {
  char *step = strdup(path);
  bool ok = true;
  for (char *s = step + 1; ok && *s; s++)
    if (*s == '/') {
      *s = 0;
      ok = mkdir(step, 0777) == 0 || errno == EEXIST;
      *s = '/';
    }
  ok = ok && (mkdir(step, 0777) == 0 || errno == EEXIST);
  if (!ok) diag_report(&host->diags, E0517, (Span){0, 0}, "the directory `%s` cannot be made: %s", path, strerror(errno));
  free(step);
}

static void add_override(Host *host, const char *text) {
  const char *eq = strchr(text, '=');
  if (!eq || eq == text) {
    diag_suggest(diag_report(&host->diags, E0960, (Span){0, 0}, "-D %s: a name and a value are wanted", text), "as in -D nu=0.25");
    return;
  }
  host->overrides = realloc(host->overrides, (size_t)(host->noverrides + 1) * sizeof *host->overrides);
  host->overrides[host->noverrides++] = (Override){.name = intern(host->names, text, (size_t)(eq - text)), .text = strdup(eq + 1)};
}

void command_use_options(Invocation *in) {
  Host *host = in->host;
  for (int i = 0; i < in->noptions; i++) {
    const char *name = in->options[i].name, *value = in->options[i].value;
    if (!strcmp(name, "-D")) add_override(host, value);
    if (!strcmp(name, "--quiet")) in->quiet = host->quiet = true;
    if (!strcmp(name, "--record") && command_first_rank()) {     /* which writes it */
      free(host->record_dir);
      host->record_dir = strdup(value);
    }
    if (!strcmp(name, "--run")) {
      free(host->run_dir);
      host->run_dir = strdup(value);
    }
    if (!strcmp(name, "--out")) {
      make_directories(host, value);
      free(host->out_dir);
      host->out_dir = strdup(value);
    }
  }
  if (in->json) {
    host->json = true;
    host->on_output = NULL;     /* standard output is the envelope alone */
  }
  host->engine_options.argc = in->nrest;
  host->engine_options.argv = in->rest;
}
