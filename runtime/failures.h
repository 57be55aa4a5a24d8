/* The bank of failures: probes that violated contracts once, in a JSON file; later audits judge them first.
 *   {"v":1,"failures":[{"id":"..","contract":"superposition(m, ..)","map":"slab","probe":{"z":{"E":5}},"violation":0.3,"tolerance":0.05}]}
 * Histories were mixed from the map's bank: "mixture":{"z":{"3":0.5,"7":-0.5}} says how, by the numbers of its members. */
#ifndef FAILURES_H
#define FAILURES_H
#include "audit.h"
#include "json.h"

typedef struct FailureBank {
  Json *list;                  /* of failures */
  char *path;
  bool changed;
} FailureBank;

/* A file that does not exist is an empty bank. NULL after a report. */
FailureBank *failures_open(Eval *ev, const char *path, Span span);
bool failures_close(Eval *ev, FailureBank *bank, Span span);          /* writes it if it has changed; false after a report */
/* Rows of the failures of this contract and map that fit its probes: [n][nprobes][width]; free it. *mixture: [n][nprobes][spec->nbank], what histories were
 * mixed with, NAN where it is not known or the bank is another one now; NULL: there are no histories. Free it too. */
double *failures_rows(const FailureBank *bank, const Trace *trace, const char *contract, int *n, double **mixture);
/* mixture: [nprobes][spec->nbank], or NULL where it is not known. */
void failures_add(FailureBank *bank, const Trace *trace, const char *contract, const char *id, const char *probe, const double *mixture, double violation, double tolerance);
/* Rows from the JSON of one probe set; false: it does not fit. */
bool failures_read_rows(const Json *probe, const Trace *trace, double *rows);

#endif
