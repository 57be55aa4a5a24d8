/* A file driver of HDF5. A library of ours may not print, and HDF5 does where a file cannot be closed, at the end of the process, when its writing
 * failed (a full disk). Here every write succeeds as HDF5 sees it; the first error is kept for the one who opened the file. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io_h5_file.h"

typedef struct Disk {
  H5FD_t base;               /* HDF5's part, first */
  int fd, *error;
  haddr_t end, size;         /* of what is allocated; of the file */
} Disk;

typedef struct Info { int *error; } Info;

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t most) {
  const Info *info = H5Pget_driver_info(access);
  int how = (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) | (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) | (flags & H5F_ACC_CREAT ? O_CREAT : 0) | (flags & H5F_ACC_EXCL ? O_EXCL : 0);
  struct stat st;
  (void)most;
  Disk *disk = info ? calloc(1, sizeof *disk) : NULL;
  if (!disk) return NULL;
  disk->error = info->error;
  disk->fd = open(name, how | O_CLOEXEC, 0666);
  if (disk->fd >= 0 && !fstat(disk->fd, &st)) {
    disk->size = (haddr_t)st.st_size;
    return &disk->base;
  }
  *disk->error = errno;
  if (disk->fd >= 0) close(disk->fd);
  free(disk);
  return NULL;
}

static void failed(Disk *disk) {
  if (!*disk->error) *disk->error = errno ? errno : EIO;
}

static herr_t disk_close(H5FD_t *file) {
  Disk *disk = (Disk *)file;
  if (close(disk->fd)) failed(disk);
  free(disk);
  return 0;
}

static int disk_compare(const H5FD_t *a, const H5FD_t *b) { return a < b ? -1 : a > b; }

static herr_t disk_query(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  if (flags) *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t disk_end(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const Disk *)file)->end;
}

static herr_t disk_set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
  (void)type;
  ((Disk *)file)->end = end;
  return 0;
}

static haddr_t disk_size(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const Disk *)file)->size;
}

/* What was never written, or was lost, reads as zeros. */
static herr_t disk_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, void *to) {
  Disk *disk = (Disk *)file;
  char *p = to;
  (void)type, (void)transfer;
  while (n) {
    ssize_t got = pread(disk->fd, p, n, (off_t)at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failed(disk);
    if (got <= 0) break;
    p += got, n -= (size_t)got, at += (haddr_t)got;
  }
  memset(p, 0, n);
  return 0;
}

static herr_t disk_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, const void *from) {
  Disk *disk = (Disk *)file;
  const char *p = from;
  (void)type, (void)transfer;
  if (at + n > disk->size) disk->size = at + n;
  while (n && !*disk->error) {
    ssize_t done = pwrite(disk->fd, p, n, (off_t)at);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) failed(disk);
    else p += done, n -= (size_t)done, at += (haddr_t)done;
  }
  return 0;
}

static herr_t disk_truncate(H5FD_t *file, hid_t transfer, hbool_t closing) {
  Disk *disk = (Disk *)file;
  (void)transfer, (void)closing;
  if (disk->size == disk->end) return 0;
  if (!*disk->error && ftruncate(disk->fd, (off_t)disk->end)) failed(disk);
  disk->size = disk->end;
  return 0;
}

static const H5FD_class_t h5_disk = {
#if H5_VERSION_GE(1, 13, 0)
  .version = H5FD_CLASS_VERSION, .value = (H5FD_class_value_t)513,     /* of those left to applications */
#endif
  .name = "pde", .maxaddr = ((haddr_t)1 << 62) - 1, .fc_degree = H5F_CLOSE_WEAK, .fapl_size = sizeof(Info), .open = disk_open, .close = disk_close, .cmp = disk_compare,
  .query = disk_query, .get_eoa = disk_end, .set_eoa = disk_set_end, .get_eof = disk_size, .read = disk_read, .write = disk_write, .truncate = disk_truncate,
  .fl_map = H5FD_FLMAP_DICHOTOMY};

hid_t h5_disk_access(int *error) {
  hid_t driver = H5FDregister(&h5_disk), access = H5Pcreate(H5P_FILE_ACCESS);
  Info info = {error};
  *error = 0;
  bool ok = driver >= 0 && access >= 0 && H5Pset_driver(access, driver, &info) >= 0;
  if (driver >= 0) H5FDunregister(driver);        /* the access keeps it */
  if (ok) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}
