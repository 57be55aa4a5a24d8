/* The directory of compiled kernels: $PDE_CACHE, else pde under $XDG_CACHE_HOME or ~/.cache. It is bounded: beyond CACHE_MOST the files that were used
 * longest ago go, so that it can be left alone. Any number of processes may use it at once: a file is whole or not there, and one that is taken away
 * while it is read stays readable. */
#ifndef CACHE_H
#define CACHE_H
#include <stdbool.h>

#include "../lang/buf.h"

enum { CACHE_MOST = 256 << 20 };      /* bytes */

/* make: with its parents, for the user alone. false: there is none, or it cannot be made; dir has what was tried. */
bool cache_dir(Buf *dir, bool make);
/* Its kernels: their number and bytes. */
long long cache_use(const char *dir, int *files);
/* Removes the kernels that were used longest ago until three quarters of `most` bytes are left, where there are more than `most`; and what a
 * process that was killed has left behind a day ago. */
void cache_trim(const char *dir, long long most);

#endif
