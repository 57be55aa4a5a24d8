#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { INPUT, OUTPUT, ERRORS, LIFE, PIPES };                    /* as it sees them; LIFE carries nothing: it ends with us */

/* However this process ends, its end of LIFE is closed: the watcher then ends the whole process group. It holds none of the other pipes. */
static const char watcher[] = "( { read -r _ <&3; kill -9 0; } </dev/null 3<&3 >/dev/null 2>&1 & )\nexec 3<&-\n";
enum { PARTS = 16, BUFFER = 1 << 16, LAST_WORDS = 2000, PIPE_BYTES = 1 << 20 };

struct Child {
  pid_t pid;
  int fd[PIPES];                     /* our ends; -1: closed */
  const volatile int *interrupt;
  ChildPart part[PARTS];             /* still to be written */
  int nparts, next;
  char *buffer;                      /* read from it, not yet taken: [from, to) */
  size_t from, to;
  char words[LAST_WORDS]; size_t nwords;   /* the end of its standard error */
};

double child_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- start ---- */

static char *said(const char *doing, int error) {
  Buf text = {0};
  buf_printf(&text, "%s failed: %s", doing, strerror(error));
  return text.text;
}

/* Ours without what an MPI launcher told this process: a program that uses MPI itself would take it for its own. */
static char **environment(void) {
  int n = 0, kept = 0;
  while (environ[n]) n++;
  char **copy = malloc(((size_t)n + 1) * sizeof *copy);
  for (int k = 0; k < n; k++)
    if (strncmp(environ[k], "OMPI_", 5) && strncmp(environ[k], "PMIX_", 5) && strncmp(environ[k], "PMI_", 4) && strncmp(environ[k], "PRTE_", 5)) copy[kept++] = environ[k];
  copy[kept] = NULL;
  return copy;
}

static void close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* The pipes: ends of the child in its[], ours in fd[], all closed by exec. A number below PIPES would be overwritten by the others' dup2. */
static int make_pipes(int fd[PIPES], int its[PIPES]) {
  for (int k = 0; k < PIPES; k++) fd[k] = its[k] = -1;
  for (int k = 0; k < PIPES; k++) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return errno;
    for (int e = 0; e < 2; e++)
      if (ends[e] < PIPES) {
        int higher = fcntl(ends[e], F_DUPFD_CLOEXEC, PIPES);
        if (higher < 0) return errno;
        close(ends[e]);
        ends[e] = higher;
      }
    bool reads = k == INPUT || k == LIFE;
    its[k] = ends[!reads];
    fd[k] = ends[reads];
    if (fcntl(fd[k], F_SETFL, O_NONBLOCK) < 0) return errno;
    if (k < ERRORS) fcntl(fd[k], F_SETPIPE_SZ, PIPE_BYTES);     /* refused: it is slower */
  }
  return 0;
}

static int spawn(pid_t *pid, const char *command, const char *directory, const int its[PIPES]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int k = 0; k < PIPES; k++) posix_spawn_file_actions_adddup2(&actions, its[k], k);
  posix_spawn_file_actions_addclosefrom_np(&actions, PIPES);
  if (directory && *directory) posix_spawn_file_actions_addchdir_np(&actions, directory);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  char *argv[] = {"sh", "-c", (char *)command, NULL}, **env = environment();
  int error = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, env);
  free(env);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

Child *child_start(const ChildOptions *options, char **error) {
  int its[PIPES];
  Child *child = calloc(1, sizeof *child);
  child->interrupt = options->interrupt;
  int failed = make_pipes(child->fd, its);
  const char *doing = "making its pipes";
  if (!failed) {
    Buf command = {0};
    buf_puts(&command, watcher);
    if (options->memory > 0) buf_printf(&command, "ulimit -v %.0f || exit 126\n", options->memory / 1024 < 1 ? 1 : options->memory / 1024);
    buf_puts(&command, options->command);
    failed = spawn(&child->pid, command.text, options->directory, its);
    doing = "starting it";
    buf_free(&command);
  }
  for (int k = 0; k < PIPES; k++) close_fd(&its[k]);
  if (!failed) {
    child->buffer = malloc(BUFFER);
    return child;
  }
  *error = said(doing, failed);
  for (int k = 0; k < PIPES; k++) close_fd(&child->fd[k]);
  free(child);
  return NULL;
}

/* ---- talk ---- */

/* write() without the signal that a closed pipe sends. One that was pending before stays. */
static ssize_t write_quietly(int fd, const void *bytes, size_t n) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  bool was = sigismember(&pending, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  ssize_t wrote = write(fd, bytes, n);
  int error = errno;
  if (wrote < 0 && error == EPIPE && !was) {
    struct timespec now = {0};
    while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) {}
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return wrote;
}

void child_send(Child *child, const ChildPart *parts, int n) {
  child->next = child->nparts = 0;
  for (int k = 0; k < n && k < PARTS; k++)
    if (parts[k].n) child->part[child->nparts++] = parts[k];
}

bool child_has_read_all(const Child *child) { return child->next == child->nparts; }

/* What still lies in the pipe counts too: an answer is read up to its announced end, not beyond. */
bool child_has_more(Child *child) {
  if (child->from == child->to) {
    ssize_t n = read(child->fd[OUTPUT], child->buffer, BUFFER);
    child->from = 0;
    child->to = n > 0 ? (size_t)n : 0;
  }
  return child->from < child->to;
}

/* Writes what the pipe takes. A closed pipe is no failure yet: its output says why. */
static void write_some(Child *child) {
  while (child->next < child->nparts) {
    ChildPart *part = &child->part[child->next];
    ssize_t n = write_quietly(child->fd[INPUT], part->bytes, part->n);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) close_fd(&child->fd[INPUT]);
    if (n < 0) return;
    part->bytes = (const char *)part->bytes + n;
    part->n -= (size_t)n;
    if (!part->n) child->next++;
  }
}

/* Keeps the last of what it writes to standard error. */
static void hear(Child *child) {
  char text[4096];
  for (;;) {
    ssize_t n = read(child->fd[ERRORS], text, sizeof text);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      close_fd(&child->fd[ERRORS]);
      return;
    }
    size_t take = (size_t)n > LAST_WORDS ? LAST_WORDS : (size_t)n;
    size_t keep = child->nwords + take > LAST_WORDS ? LAST_WORDS - take : child->nwords;
    memmove(child->words, child->words + (child->nwords - keep), keep);
    memcpy(child->words + keep, text + ((size_t)n - take), take);
    child->nwords = keep + take;
  }
}

/* Waits until there is output of it, writing and hearing meanwhile; then reads up to n bytes. */
static ChildResult read_some(Child *child, void *to, size_t n, double deadline, size_t *got) {
  for (;;) {
    if (child->interrupt && *child->interrupt) return CHILD_STOPPED;
    if (child->next < child->nparts && child->fd[INPUT] >= 0) write_some(child);
    ssize_t r = read(child->fd[OUTPUT], to, n);
    if (r > 0) {
      *got = (size_t)r;
      return CHILD_FINE;
    }
    if (r == 0 || (errno != EAGAIN && errno != EINTR)) return CHILD_ENDED;
    double left = deadline - child_clock();
    if (left <= 0) return CHILD_LATE;
    bool writing = child->next < child->nparts && child->fd[INPUT] >= 0;
    struct pollfd fds[] = {{writing ? child->fd[INPUT] : -1, POLLOUT, 0}, {child->fd[OUTPUT], POLLIN, 0}, {child->fd[ERRORS], POLLIN, 0}};
    poll(fds, sizeof fds / sizeof *fds, left > 0.1 ? 100 : (int)(left * 1e3) + 1);
    if (fds[ERRORS].revents) hear(child);
  }
}

ChildResult child_read(Child *child, void *to, size_t n, double deadline) {
  size_t have = child->to - child->from, take = have < n ? have : n;
  memcpy(to, child->buffer + child->from, take);
  child->from += take;
  for (size_t done = take, got; done < n; done += got) {
    ChildResult result = read_some(child, (char *)to + done, n - done, deadline, &got);
    if (result) return result;
  }
  return CHILD_FINE;
}

ChildResult child_line(Child *child, Buf *line, size_t most, double deadline) {
  buf_clear(line);
  for (;;) {
    char *start = child->buffer + child->from, *end = memchr(start, '\n', child->to - child->from);
    size_t n = end ? (size_t)(end - start) : child->to - child->from;
    if (line->len + n > most) return CHILD_LONG;
    buf_add(line, start, n);
    child->from += n + (end != NULL);
    if (end) return CHILD_FINE;
    child->from = child->to = 0;
    ChildResult result = read_some(child, child->buffer, BUFFER, deadline, &child->to);
    if (result) return result;
  }
}

/* ---- end ---- */

/* Did it end within so many seconds? It is not waited for yet, so that its number stays its own. -1: somebody else has waited for it. */
static int await(Child *child, double seconds) {
  double deadline = child_clock() + seconds;
  for (long pause = 20000;; pause = pause < 5000000 ? 2 * pause : pause) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno != EINTR) return -1;
    if (info.si_pid == child->pid) return 1;
    if (child->fd[ERRORS] >= 0) hear(child);          /* so that it can finish what it says */
    if (child_clock() >= deadline) return 0;
    nanosleep(&(struct timespec){0, pause}, NULL);
  }
}

static void describe(Buf *how, int ended, int status, bool killed) {
  if (killed) buf_puts(how, "it was stopped");
  else if (ended < 0) buf_puts(how, "it ended");
  else if (WIFSIGNALED(status)) buf_printf(how, "signal %d (%s) ended it", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else buf_printf(how, "it ended with status %d", WEXITSTATUS(status));
  if (!killed && ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) buf_puts(how, ", a command that is not there");
  if (!killed && ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 126) buf_puts(how, ", a command or limit that cannot be used");
}

/* Its last line that says something, control characters as blanks. */
static void quote_last_words(const Child *child, Buf *how) {
  size_t end = child->nwords;
  while (end && strchr(" \t\r\n", child->words[end - 1])) end--;
  size_t start = end;
  while (start && child->words[start - 1] != '\n') start--;
  if (start == end) return;
  if (end - start > 300) start = end - 300;
  buf_puts(how, "; its last words: `");
  for (; start < end; start++) buf_putc(how, (unsigned char)child->words[start] < ' ' ? ' ' : child->words[start]);
  buf_puts(how, "`");
}

void child_end(Child *child, double grace, Buf *how) {
  int status = 0;
  if (child->fd[INPUT] >= 0) write_some(child);
  close_fd(&child->fd[INPUT]);
  int ended = await(child, grace);
  bool killed = !ended;
  if (killed) {
    kill(-child->pid, SIGTERM);
    ended = await(child, 0.3);
  }
  if (ended >= 0) {
    kill(-child->pid, SIGKILL);                       /* processes of its own outlive it otherwise */
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {}
  }
  if (child->fd[ERRORS] >= 0) hear(child);
  if (how) {
    describe(how, ended, status, killed);
    quote_last_words(child, how);
  }
  for (int k = 0; k < PIPES; k++) close_fd(&child->fd[k]);
  free(child->buffer);
  free(child);
}
