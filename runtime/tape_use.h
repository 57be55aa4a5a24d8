/* A trace made ready to be evaluated: the tape with its targets, opened in the engine. */
#ifndef TAPE_USE_H
#define TAPE_USE_H
#include "trace.h"

typedef struct TapeUse {
  Tape tape;
  TapeRun *run;
  const TapeApi *api;
  WorldBuffers world;
} TapeUse;

/* targets are borrowed until tape_use_close; deps: solutions that the expressions read, or NULL; samples: about how many it will be
 * run on, for the choice of code. false after a report. */
bool tape_use_open(Eval *ev, Trace *trace, Expr **targets, int ntargets, const Deps *deps, int samples, TapeUse *out);
void tape_use_close(TapeUse *use);
void failures_free(char **failed, int n);       /* of TapeApi.run */

#endif
