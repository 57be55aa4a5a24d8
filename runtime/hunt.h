/* Builtin searches in the workspace of a discovery. They act through the hypothesis evaluation interface, as any agent does: laws as text, scores, evidence,
 * one submission; what is charged, cached and sealed is decided there (discover.h). So a search that was stopped goes on where it was: run again, it asks the
 * same and is answered from the archive.
 *
 *   beam      structure_search.h      random   laws from the grammar
 *   wgident   group selection, the baseline (hei_group.h): it reads the weak rows of the first two intervals itself; its laws are scored like others
 *
 * What was decided, and why, is in the record: a message for each trial, the curves `score` and `best_so_far`. */
#ifndef HUNT_H
#define HUNT_H
#include "../numerics/structure_search.h"
#include "discover.h"

typedef enum HuntAgent { HUNT_BEAM, HUNT_RANDOM, HUNT_WGIDENT, HUNT_AGENTS } HuntAgent;
extern const char *const hunt_agents[HUNT_AGENTS];

typedef struct HuntSpec {
  HuntAgent agent;
  StructureOptions options;          /* budget 0: what the discovery has left and used */
  double wall;                       /* seconds; 0: no limit */
  bool submit;                       /* at the end; else the recommendation is told alone */
  Span span;                         /* for reports */
} HuntSpec;

/* The result as `pde search --json` gives it, to be freed; NULL after a report: an error, or the user stopped it. *status non-zero with a result: it was
 * reported why nothing was submitted (E4082), or could be. */
Json *hunt_run(Discover *discover, const HuntSpec *spec, Status *status);

#endif
