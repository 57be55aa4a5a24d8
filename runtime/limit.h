/* What the scripts of other people may take: time and memory, watched while a call runs, and files. */
#ifndef LIMIT_H
#define LIMIT_H
#include "host.h"

/* A thread looks at time and memory from here on, and stops the script as an interrupt does. Nothing without a bound. */
void limit_begin(Host *host);
void limit_end(Host *host);
/* Reports that say the user stopped it say which bound did. */
void limit_explain(Host *host);
void limit_free(Limits *limits);

/* False after a report (E0567). */
bool host_may_read(Host *host, const char *path, Span span);
bool host_may_write(Host *host, const char *path, Span span);

#endif
