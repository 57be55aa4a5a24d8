/* HDF5 files that come into being whole, and plain arrays in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "atomic.h"
#include "io_h5_file.h"
#include "io_h5_quiet.h"
#include "mesh_build.h"
#include "sha256.h"

bool h5_put_array(hid_t at, const char *name, hid_t type, int rank, const hsize_t *size, const void *data) {
  hid_t space = rank ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = set >= 0, empty = false;
  for (int i = 0; i < rank; i++) empty = empty || !size[i];
  if (ok && !empty) ok = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  return ok;
}

bool h5_digest(FILE *file, uint8_t digest[32]) {
  enum { CHUNK = 1 << 16 };
  Sha256 sha;
  uint8_t *bytes = big_alloc(CHUNK);
  sha256_start(&sha);
  bool ok = !fseek(file, SEAL_BYTES, SEEK_SET);
  for (size_t n; ok && (n = fread(bytes, 1, CHUNK, file)) > 0;) sha256_add(&sha, bytes, n);
  ok = ok && !ferror(file);
  free(bytes);
  sha256_end(&sha, digest);
  return ok;
}

static bool put_seal(const char *path) {
  FILE *file = fopen(path, "r+b");
  uint8_t seal[SEAL_BYTES] = {0};
  memcpy(seal, h5_magic, strlen(h5_magic));
  bool ok = file && h5_digest(file, seal + SEAL_DIGEST) && !fseek(file, 0, SEEK_SET) && fwrite(seal, 1, SEAL_BYTES, file) == SEAL_BYTES;
  if (file && fclose(file)) ok = false;
  return ok;
}

/* What the disk says, else what HDF5 does. */
static Status cannot_write(const char *path, int error, Diags *diags, Span span) {
  if (error) return atomic_refuse(path, "writing", error, diags, span);
  io_h5_quote(diag_report(diags, E2501, span, "`%s` cannot be written", path));
  return 1;
}

Status h5_write_file(const char *path, bool (*fill)(hid_t file, const void *user), const void *user, bool sealed, Diags *diags, Span span) {
  Atomic atomic;
  TRY(atomic_begin(&atomic, path, diags, span));
  IoH5Quiet quiet = io_h5_quiet();
  const char *name = atomic_name(&atomic);
  int error = 0;
  hid_t create = H5Pcreate(H5P_FILE_CREATE), access = h5_disk_access(&error);
  if (sealed) H5Pset_userblock(create, SEAL_BYTES);
  hid_t file = access >= 0 ? H5Fcreate(name, H5F_ACC_TRUNC, create, access) : -1;
  H5Pclose(create);
  if (access >= 0) H5Pclose(access);
  bool ok = file >= 0 && fill(file, user);
  if (!ok) cannot_write(path, error, diags, span);
  if (file >= 0 && (H5Fclose(file) < 0 || error) && ok) { ok = false; cannot_write(path, error, diags, span); }
  errno = 0;
  if (ok && sealed && !put_seal(name)) { ok = false; cannot_write(path, errno, diags, span); }
  io_h5_loud(quiet);
  if (ok) return atomic_commit(&atomic, diags, span);
  atomic_abort(&atomic);
  return 1;
}

typedef struct Arrays { const IoH5Array *items; int n; } Arrays;

static bool fill_arrays(hid_t file, const void *user) {
  const Arrays *arrays = user;
  for (int i = 0; i < arrays->n; i++) {
    const IoH5Array *a = &arrays->items[i];
    hsize_t size[2] = {(hsize_t)a->rows, (hsize_t)a->columns};
    if (!h5_put_array(file, a->name, a->ints ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, 2, size, a->ints ? (const void *)a->ints : a->doubles)) return false;
  }
  return true;
}

Status io_h5_write(const char *path, const IoH5Array *arrays, int n, Diags *diags, Span span) {
  Arrays user = {arrays, n};
  return h5_write_file(path, fill_arrays, &user, false, diags, span);
}
