/* Rows of a sampling as they come, so that none is made twice and a kill loses at most those in work: FILE.part beside the data file. Records have one size and a
 * checksum and are appended under a lock, so a torn one is the last, and goes. Several processes work on one journal: a row in work is a locked byte, which the
 * system frees when its process ends, however that happens. */
#ifndef SAMPLING_JOURNAL_H
#define SAMPLING_JOURNAL_H
#include "../lang/diag.h"

typedef struct Journal Journal;

/* identity: what rows they are (SHA-256); values: numbers of one row. write: creates it where it is missing; else it is read alone. Rows that are there are in. NULL after a report: E3155,
 * E2501. */
Journal *journal_open(const char *path, const uint8_t identity[32], int rows, size_t values, bool write, Diags *diags, Span span);
/* Takes in what others have appended since; false after a report. */
bool journal_update(Journal *journal);
int journal_done(const Journal *journal);                /* rows that are in */
bool journal_has(const Journal *journal, int row, bool *failed);
/* The first row from `from` on that is not in and that nobody else works on, which is now ours; -1: none. */
int journal_claim(Journal *journal, int from);
void journal_yield(Journal *journal, int row);           /* not ours any more */
bool journal_append(Journal *journal, int row, bool failed, const double *values);   /* and yields it; false after a report */
bool journal_read(Journal *journal, int row, double *values);
void journal_close(Journal *journal, bool remove);

#endif
