#include "limit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- time and memory --- */

struct LimitWatch {
  Host *host;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t over;
  bool done;
  struct timespec start;
  size_t resident;
};

static size_t resident(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long total, pages = 0;
  if (file && fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
  if (file) fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static double since(const struct timespec *start, const struct timespec *now) { return (double)(now->tv_sec - start->tv_sec) + 1e-9 * (double)(now->tv_nsec - start->tv_nsec); }

static LimitHit exceeded(const struct LimitWatch *watch, const struct timespec *now) {
  const Limits *limits = &watch->host->limits;
  if (limits->seconds > 0 && since(&watch->start, now) > limits->seconds) return LIMIT_TIME;
  if (limits->memory && resident() > watch->resident + limits->memory) return LIMIT_MEMORY;
  return LIMIT_NONE;
}

static void *look(void *user) {
  enum { PERIOD = 10000000 };     /* ns */
  struct LimitWatch *watch = user;
  struct timespec now;
  pthread_mutex_lock(&watch->lock);
  while (!watch->done) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    LimitHit hit = exceeded(watch, &now);
    if (hit) {
      watch->host->limits.hit = hit;
      watch->host->interrupt = 1;
      break;
    }
    now.tv_nsec += PERIOD;
    if (now.tv_nsec >= 1000000000) now.tv_sec++, now.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&watch->over, &watch->lock, &now);
  }
  pthread_mutex_unlock(&watch->lock);
  return NULL;
}

void limit_begin(Host *host) {
  Limits *limits = &host->limits;
  limits->hit = LIMIT_NONE;
  if (!(limits->seconds > 0) && !limits->memory) return;
  struct LimitWatch *watch = calloc(1, sizeof *watch);
  pthread_condattr_t kind;
  sigset_t all, before;
  watch->host = host;
  watch->resident = resident();
  clock_gettime(CLOCK_MONOTONIC, &watch->start);
  pthread_mutex_init(&watch->lock, NULL);
  pthread_condattr_init(&kind);
  pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
  pthread_cond_init(&watch->over, &kind);
  pthread_condattr_destroy(&kind);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);      /* signals are for the threads of the program */
  bool started = !pthread_create(&watch->thread, NULL, look, watch);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (started) {
    limits->watch = watch;
    return;
  }
  pthread_cond_destroy(&watch->over);
  pthread_mutex_destroy(&watch->lock);
  free(watch);
  diag_report(&host->diags, E0999, (Span){0, 0}, "the limits of the script cannot be watched: no thread can be started");
}

void limit_end(Host *host) {
  struct LimitWatch *watch = host->limits.watch;
  if (!watch) return;
  pthread_mutex_lock(&watch->lock);
  watch->done = true;
  pthread_cond_signal(&watch->over);
  pthread_mutex_unlock(&watch->lock);
  pthread_join(watch->thread, NULL);
  pthread_cond_destroy(&watch->over);
  pthread_mutex_destroy(&watch->lock);
  free(watch);
  host->limits.watch = NULL;
}

void limit_explain(Host *host) {
  const Limits *limits = &host->limits;
  for (int i = 0; limits->hit && i < host->diags.n; i++) {
    Diag *d = host->diags.items[i];
    if (d->code != E2090) continue;
    diag_note(d, (Span){0, 0}, "%s", d->message);
    Buf text = {0};
    if (limits->hit == LIMIT_TIME) buf_printf(&text, "the script took longer than %g s, which is its limit", limits->seconds);
    else buf_printf(&text, "the script took more than %.4g MB of memory, which is its limit", (double)limits->memory / 1e6);
    free(d->message);
    d->message = text.text;
    d->code = E0566;
  }
}

void limit_free(Limits *limits) {
  free(limits->files);
  *limits = (Limits){0};
}

/* --- files --- */

/* The place of a path in the file system, of which the end need not exist: malloc, or NULL where that cannot be told. */
static char *resolve(const char *path) {
  char *real = realpath(path, NULL);
  struct stat st;
  if (real || errno != ENOENT || !lstat(path, &st)) return real;      /* a link to nowhere would be followed when it is written */
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) return NULL;
  char *parent = !slash ? strdup(".") : slash == path ? strdup("/") : strndup(path, (size_t)(slash - path)), *above = resolve(parent);
  free(parent);
  if (!above) return NULL;
  Buf text = {0};
  buf_printf(&text, "%s/%s", above, name);
  free(above);
  return text.text;
}

static bool below(const char *directory, const char *path) {
  char *top = realpath(directory, NULL), *place = resolve(path);
  size_t n = top ? strlen(top) : 0;
  bool inside = top && place && !strncmp(top, place, n) && (place[n] == '/' || !place[n] || !strcmp(top, "/"));
  free(top), free(place);
  return inside;
}

static bool allowed(Host *host, const char *path, const char *what, Span span) {
  const char *files = host->limits.files;
  if (!files || (*files && below(files, path))) return true;
  if (*files) diag_report(&host->diags, E0567, span, "`%s` may not be %s: this host keeps scripts within `%s`", path, what, files);
  else diag_report(&host->diags, E0567, span, "`%s` may not be %s: this host keeps scripts from all files", path, what);
  return false;
}

bool host_may_read(Host *host, const char *path, Span span) { return allowed(host, path, "read", span); }
bool host_may_write(Host *host, const char *path, Span span) { return allowed(host, path, "written", span); }
