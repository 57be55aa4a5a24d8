/* A program of the user's that runs beside us and talks over its standard input and output. Nothing here waits longer than it was told to: while we wait
 * for its words ours are still written and its standard error is still read, so full pipes never hold both up. It runs in a process group of its
 * own, has none of our files but the three pipes, and is always waited for: no SIGPIPE, no zombie. It is started by posix_spawn, which is safe beside MPI and
 * threads. */
#ifndef CHILD_H
#define CHILD_H
#include <stdbool.h>
#include <stddef.h>

#include "../lang/buf.h"

typedef struct Child Child;

typedef struct ChildOptions {
  const char *command;               /* for /bin/sh -c */
  const char *directory;             /* it starts there; NULL: where we are */
  double memory;                     /* bytes of address space, for each of its processes; <= 0: no limit */
  const volatile int *interrupt;     /* nonzero: stop waiting; NULL */
} ChildOptions;

typedef enum ChildResult { CHILD_FINE, CHILD_ENDED /* no more output */, CHILD_LATE, CHILD_STOPPED /* interrupt */, CHILD_LONG /* line */ } ChildResult;

typedef struct ChildPart { const void *bytes; size_t n; } ChildPart;

double child_clock(void);            /* seconds of a clock that never goes back; deadlines are on it */

Child *child_start(const ChildOptions *options, char **error);   /* NULL: *error says why (malloc). The texts are copied */
/* Queues what is to be written; the parts must live until the answer was read. */
void child_send(Child *child, const ChildPart *parts, int n);
/* The next line without its end, at most `most` bytes. */
ChildResult child_line(Child *child, Buf *line, size_t most, double deadline);
ChildResult child_read(Child *child, void *to, size_t n, double deadline);
bool child_has_read_all(const Child *child);     /* everything that was sent is written */
bool child_has_more(Child *child);               /* it has written more than was read, so far */
/* Waits at most `grace` seconds for its end (standard input is closed first), then kills it with all of its group. Says how it ended: "it ended with status 3", and
 * what it last wrote to standard error. Frees the child. */
void child_end(Child *child, double grace, Buf *how);

#endif
