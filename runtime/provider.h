/* Provider libraries (engine, jit, gmsh, net) by name. */
#ifndef PROVIDER_H
#define PROVIDER_H
#include "host.h"

const char *provider_dir(void);                 /* PDE_LIBDIR, else the path compiled in */
bool provider_exists(const char *name);
const void *provider_table(const char *name, int abi, Buf *why);   /* NULL: *why says why */

/* What the directory of compiled kernels holds and may hold; false: it cannot be written. */
bool provider_cache(Buf *out);

#endif
