/* HDF5 files as the readers and writers of io_h5_*.c see them. */
#ifndef IO_H5_FILE_H
#define IO_H5_FILE_H
#include <hdf5.h>
#include <stdint.h>

#include "io_h5.h"

enum { LAYOUT_VERSION = 1, SEAL_BYTES = 512, SEAL_DIGEST = 64 };
extern const char h5_format[], h5_magic[];

bool h5_put_array(hid_t at, const char *name, hid_t type, int rank, const hsize_t *size, const void *data);

/* Fills a new file by `fill` and brings it into place. sealed: the user block is kept for h5_digest. E2501. */
Status h5_write_file(const char *path, bool (*fill)(hid_t file, const void *user), const void *user, bool sealed, Diags *diags, Span span);
/* Digest of a file from its byte SEAL_BYTES on; false: it cannot be read. */
bool h5_digest(FILE *file, uint8_t digest[32]);

/* Access through h5_disk: writing goes on silently after the first failure, whose errno is left in *error, so that HDF5 can always close its file. To be
 * closed with H5Pclose; -1: HDF5 refused. */
hid_t h5_disk_access(int *error);

#endif
