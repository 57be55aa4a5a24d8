#include "engine_arrays.h"

#include <string.h>

#include "petsc.h"

Status engine_arrays_write(const char *path, const ArrayFile *file, Diags *diags, Span span) {
  size_t n = strlen(path);
  bool npz = n > 4 && !strcmp(path + n - 4, ".npz");
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  Status status = petsc_rank() ? 0 : npz ? npz_write(path, file, diags, span) : io_h5_arrays_write(path, file, diags, span);
  return petsc_leave(&guard, status);
}
