#include "atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Status atomic_refuse(const char *path, const char *doing, int error, Diags *diags, Span span) {
  Diag *d = diag_report(diags, E2501, span, "`%s` cannot be written: %s failed, %s", path, doing, strerror(error));
  if (error == ENOENT) diag_suggest(d, "make its directory first, or give another path");
  else if (error == EACCES || error == EROFS || error == EPERM) diag_suggest(d, "write to a directory of your own, with --out DIR or another path");
  else if (error == ENOSPC || error == EDQUOT || error == EFBIG) diag_suggest(d, "free some space; the file that was there before is untouched");
  return 1;
}

static void forget(Atomic *atomic) {
  free(atomic->path);
  free(atomic->temp);
  *atomic = (Atomic){0};
}

static char *join(const char *a, size_t n, const char *b, const char *c) {
  size_t len = n + strlen(b) + strlen(c) + 1;
  char *text = malloc(len);
  if (text) snprintf(text, len, "%.*s%s%s", (int)n, a, b, c);
  return text;
}

Status atomic_begin(Atomic *atomic, const char *path, Diags *diags, Span span) {
  *atomic = (Atomic){0};
  struct stat st;
  bool exists = !stat(path, &st);
  if (exists && S_ISDIR(st.st_mode)) return atomic_refuse(path, "opening", EISDIR, diags, span);
  char *real = exists ? realpath(path, NULL) : NULL;
  atomic->path = real ? real : strdup(path);
  if (!atomic->path) return atomic_refuse(path, "memory", ENOMEM, diags, span);
  if (exists && !S_ISREG(st.st_mode)) {
    atomic->file = fopen(path, "wb");
    if (atomic->file) return 0;
    int error = errno;
    forget(atomic);
    return atomic_refuse(path, "opening", error, diags, span);
  }
  const char *slash = strrchr(atomic->path, '/');
  size_t directory = slash ? (size_t)(slash + 1 - atomic->path) : 0;
  char *hidden = join(atomic->path, directory, ".", atomic->path + directory);
  atomic->temp = hidden ? join(hidden, strlen(hidden), ".", "XXXXXX") : NULL;
  free(hidden);
  int fd = atomic->temp ? mkstemp(atomic->temp) : -1;
  if (fd >= 0) {
    mode_t mask = umask(0);
    umask(mask);
    /* mkstemp made it private; the result has the rights of the file it replaces, or of a new file */
    if (fchmod(fd, exists ? st.st_mode & 07777 : 0666 & ~mask)) { /* a file system without rights: keep the private ones */ }
    atomic->file = fdopen(fd, "wb");
    if (atomic->file) return 0;
    close(fd);
    unlink(atomic->temp);
  }
  int error = errno;
  forget(atomic);
  return atomic_refuse(path, "opening", error, diags, span);
}

const char *atomic_name(Atomic *atomic) {
  if (atomic->file) fclose(atomic->file);
  atomic->file = NULL;
  return atomic->temp ? atomic->temp : atomic->path;
}

/* The content must be on the disk before the name points to it, and the name before we say so. */
static int sync_file(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  int error = fsync(fd) ? errno : 0;
  close(fd);
  return error == EINVAL || error == EROFS ? 0 : error;   /* some file systems cannot sync directories */
}

Status atomic_commit(Atomic *atomic, Diags *diags, Span span) {
  int error = 0;
  const char *doing = "writing";
  if (atomic->file) {
    if (fflush(atomic->file) || ferror(atomic->file)) error = errno ? errno : EIO;
    if (fclose(atomic->file) && !error) error = errno;
    atomic->file = NULL;
  }
  if (atomic->temp) {
    if (!error) error = sync_file(atomic->temp);
    if (!error && rename(atomic->temp, atomic->path)) { error = errno; doing = "renaming"; }
    if (error) unlink(atomic->temp);
  }
  if (error) {
    atomic_refuse(atomic->path, doing, error, diags, span);
    forget(atomic);
    return 1;
  }
  if (atomic->temp) {
    char *slash = strrchr(atomic->path, '/');
    if (slash) slash[slash == atomic->path] = 0;
    sync_file(slash ? atomic->path : ".");   /* the file is whole either way */
  }
  forget(atomic);
  return 0;
}

void atomic_abort(Atomic *atomic) {
  if (atomic->file) fclose(atomic->file);
  if (atomic->temp) unlink(atomic->temp);
  forget(atomic);
}

Status atomic_write(const char *path, const void *bytes, size_t n, Diags *diags, Span span) {
  Atomic atomic;
  TRY(atomic_begin(&atomic, path, diags, span));
  if (n) fwrite(bytes, 1, n, atomic.file);   /* ferror is looked at by the commit */
  return atomic_commit(&atomic, diags, span);
}
