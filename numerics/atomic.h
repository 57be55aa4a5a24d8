/* Files that are never half-written: a temporary file beside the target, fsync, rename. A target that exists and is no regular file
 * (a device, a pipe) is written directly; a symbolic link is followed. */
#ifndef ATOMIC_H
#define ATOMIC_H
#include <stdio.h>

#include "../lang/diag.h"

typedef struct Atomic {
  FILE *file;          /* write here */
  char *path, *temp;   /* temp NULL: written directly */
} Atomic;

Status atomic_begin(Atomic *atomic, const char *path, Diags *diags, Span span);     /* E2501 */
/* Brings the new content into place; on failure the old file is untouched and the temporary one gone. */
Status atomic_commit(Atomic *atomic, Diags *diags, Span span);                      /* E2501 */
void atomic_abort(Atomic *atomic);
/* For libraries that write to a name: closes `file` and leaves the empty file `temp` (or `path`) for them, then commits. */
const char *atomic_name(Atomic *atomic);
/* The report of a failure, with the way out: E2501. Returns 1. */
Status atomic_refuse(const char *path, const char *doing, int error, Diags *diags, Span span);
/* The whole text in one go. */
Status atomic_write(const char *path, const void *bytes, size_t n, Diags *diags, Span span);

#endif
