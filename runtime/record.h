/* What a run puts into its record as it happens. Every function does nothing without a record, and is called before what it records is shown. Rows of
 * some 20 ms are committed together, and what is printed in that time is held until then, so that nothing is told of that a kill could undo. The first
 * failure is reported (E3204) and ends the recording; the run goes on and ends with status 7. Under mpiexec the first rank writes. */
#ifndef RECORD_H
#define RECORD_H
#include "eval.h"
#include "store.h"

/* dir NULL: one that lasts as long as the run, for scripts that render views. script: its source; NULL: none. */
Status record_start(Host *host, const char *dir, const char *command, const Source *script);
void record_finish(Host *host, ExitStatus status);      /* manifest, last event; closes the record */

bool record_holds(Host *host, const char *text, size_t len);      /* text waits for a commit */
void record_tick(Host *host);                           /* commits if it is time to; called wherever a run may be interrupted */
void record_settle(Host *host);                         /* commits: before what may take long */

void record_append(Host *host, StoreTable table, const Cell *cells, int n);      /* a row of any table */
void record_printed(Host *host, const char *name, const Value *v, const char *text, const char *json);
void record_verdict(Host *host, const Verdict *verdict);
void record_file(Host *host, const char *path);
void record_input(Host *host, const char *path, const char *role, const char *text, size_t len);
void record_data(Host *host, const char *path);
void record_diag(Host *host, const Diag *diag);
/* Numbers, solutions, studies, histories, equations and views that have a name in the scope and are not in the record yet; of solutions, if they are
 * wanted, the fields. */
void record_names(Host *host, const Scope *scope, bool fields);

#endif
