/* Data files under several ranks: the first writes, all learn how it went. */
#ifndef ENGINE_ARRAYS_H
#define ENGINE_ARRAYS_H
#include "arrays.h"

Status engine_arrays_write(const char *path, const ArrayFile *file, Diags *diags, Span span);   /* .npz, else HDF5; collective */

#endif
