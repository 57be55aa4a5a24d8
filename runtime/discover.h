/* The hypothesis evaluation interface: what commands, scripts, builtin searches and agents ask of a workspace. The one place that scores, charges and
 * freezes; all of its answers come out of run.db, so a new answer and a cached one are the same.
 *
 *   archive    a candidate is its canonical id; equivalent texts share it. What was scored, or failed in its fit, is answered again for nothing
 *   charges    one unique evaluation, reserved before and committed with the scores in one transaction (ledger.h). What is no hypothesis of the language and
 *              what cannot be fitted costs nothing; both are recorded
 *   numbers    leave rounded to 6 significant digits; the record keeps the doubles beside them as exact.score, exact.error_ab, exact.error_ba
 *   sealed     discover_submit alone, once it has frozen the run, reads the sealed interval
 *
 * A call that returns non-zero has reported once and changed nothing that was answered before. Texts of a hypothesis: discover_read. */
#ifndef DISCOVER_H
#define DISCOVER_H
#include "../lang/law.h"
#include "json.h"
#include "workspace.h"

enum { DISCOVER_BATCH = 32 };

typedef struct Discover Discover;

Status discover_open(Host *host, const char *dir, Discover **out);
void discover_close(Discover *discover);         /* NULL is fine */
Workspace *discover_workspace(Discover *discover);

/* One hypothesis. law NULL: `fault` says why it is none. Borrowed. */
typedef struct DiscoverCandidate {
  const Law *law;
  const LawFault *fault;
  bool reported;             /* what is wrong was reported already: in the text as such */
  const char *name;          /* as declared; NULL: none */
  const char *text;          /* the whole declaration: it is what the archive keeps */
  Span span;                 /* for reports */
} DiscoverCandidate;

/* A hypothesis from text: one `hypothesis NAME for DISCOVERY { ... }`, or the lines between its braces alone. What is none is a candidate without law.
 * *out is valid until the workspace is closed. */
void discover_read(Discover *discover, const char *text, size_t len, const char *path, DiscoverCandidate *out);

/* ---- scores ---- */

typedef struct DiscoverAnswer {
  char id[16];               /* empty: it is no hypothesis of the language */
  bool valid;                /* it has scores */
  DiagCode code;             /* where it has none: why. E4042: the budget is used up */
  int field;                 /* E4047: of the law, which field; else -1 */
  double score, error_ab, error_ba, standard_error;      /* NAN: none */
  double stability;          /* largest relative difference of a field between the two fits; 0: no field */
  int fields, rank;          /* declared fields after reduction; place in the archive by score, from 1 */
  bool cached;
  int charged;
} DiscoverAnswer;

/* Up to DISCOVER_BATCH candidates, each answered as if it came alone, in order. settled_too: answers from the archive are given after the submission
 * (E4043 otherwise, and for what is new). */
Status discover_score(Discover *discover, int n, const DiscoverCandidate *candidate, bool settled_too, DiscoverAnswer *answer);
/* The diagnostic that an answer without scores stands for. */
Diag *discover_report(Discover *discover, const DiscoverCandidate *candidate, const DiscoverAnswer *answer);

typedef struct DiscoverCounts { double used, limit; int scored, failed, invalid; char submitted[16]; /* empty: not yet */ } DiscoverCounts;
Status discover_counts(Discover *discover, DiscoverCounts *out);

/* ---- replies, as `--json` gives them; NULL after a report ---- */

Json *discover_answer_json(const DiscoverCandidate *candidate, const DiscoverAnswer *answer, const DiscoverCounts *counts);
Json *discover_validate_json(const DiscoverCandidate *candidate);
Json *discover_status_json(Discover *discover);
Json *discover_history_json(Discover *discover, bool ranked, int offset, int limit);      /* limit 0: all */
Json *discover_evidence_json(Discover *discover, const char *id);
/* truth: a hypothesis file that the report compares with; or NULL. */
Json *discover_submit_json(Discover *discover, const char *id, const char *reason, const char *truth);
Json *discover_budget_json(const DiscoverCounts *counts);

#endif
