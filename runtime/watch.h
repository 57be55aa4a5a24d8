/* Those who look at a run as it goes: numbers that are written to a file after every step, and the file from which a run that was killed goes on. */
#ifndef WATCH_H
#define WATCH_H
#include "bi_solving.h"

typedef struct WatchRequest {
  Eval *ev;
  Value *pde, *mesh;             /* borrowed */
  SolveOptions *options;         /* completed by watch_open */
  Value *record, *probes, *checkpoint;   /* arguments of solve; NULL: absent */
  bool resume;
  Span spans[3], span;           /* of these three; of the call */
} WatchRequest;

typedef struct Watch {
  WatchRequest request;
  const Ast *columns;            /* fields of the record */
  int fd;                        /* of the file, on the first rank; -1 */
  char *path, *checkpoint, *source;
  Buf identity, differs;         /* of this run; a sentence on what is another run's in the checkpoint */
  bool titled, begun;            /* the header is there; rows up to options->t0 are */
  Solution *resumed;
} Watch;

/* Checks (while checking: evaluates the record once), opens the file, reads the checkpoint of a run that goes on. false after a report; nothing is
 * to be closed then. */
bool watch_open(Watch *watch, const WatchRequest *request);
void watch_close(Watch *watch);

#endif
