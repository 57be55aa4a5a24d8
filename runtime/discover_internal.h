/* What the files of discover_*.c share. */
#ifndef DISCOVER_INTERNAL_H
#define DISCOVER_INTERNAL_H
#include "../numerics/hei_api.h"
#include "../numerics/law_hei.h"
#include "discover.h"

struct Discover {
  Host *host;
  Workspace *work;
  const HeiApi *api;         /* NULL: the engine was not needed yet */
  Trajectory trajectory[SEAL_FILES];         /* without their states, which are in u */
  double *u[SEAL_FILES];     /* [nx][ny][nt] */
  HeiData data;
  struct { Hei *hei; LawFeatures *features; } scores, fields;      /* opened when they are needed */
  struct DiscoverReader *reader;
  const char *truth;         /* of a submission; borrowed while it runs */
};

/* Opens it at first use. E4036, E4037 for data that the evaluator cannot use. */
Status discover_evaluator(Discover *discover, bool for_fields, Hei **out, LawFeatures **features);

void discover_reader_free(struct DiscoverReader *reader);      /* discover_read.c */

/* Metrics of a candidate in the archive. */
typedef struct DiscoverMetric { const char *name; double value; } DiscoverMetric;
Status discover_put_metrics(Discover *discover, const char *id, const DiscoverMetric *metric, int n);
Status discover_put_candidate(Discover *discover, const char *id, const char *status, DiagCode code, const DiscoverCandidate *candidate);     /* candidate NULL: no text */
/* From the archive; *found false: it was neither scored nor failed. */
Status discover_archived(Discover *discover, const char *id, DiscoverAnswer *out, bool *found);
/* The candidate that has this id, read again from its text. E4049. */
Status discover_of_id(Discover *discover, const char *id, DiscoverCandidate *out);
/* What follows the sealed score: puts `forward` (the law solved on the sealed interval with the fitted fields) and `structure` (against the truth, where
 * there is one) into the report. whole: the trajectories with all four intervals. Non-zero after a report; the submission stays. */
Status discover_after(Discover *discover, const DiscoverCandidate *candidate, const Trajectory whole[SEAL_FILES], Json *report);
/* Evidence of a law, by the options for scores or those for fields; api->evidence_free. rollout NULL: without. */
Status discover_gather(Discover *discover, bool for_fields, const Law *law, HeiEvidence *out, HeiRollout *rollout);
double discover_rounded(double x);       /* to 6 significant digits */

#endif
