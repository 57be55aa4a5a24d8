#include "sampling_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[16] = "pde sampling 1\n";
enum { HEAD = 64 };                                       /* magic, identity, values of a row */
static const off_t APPENDING = (off_t)1 << 60, ROWS = (off_t)1 << 61;

/* What stands before and after the values of a row. */
typedef struct Front { int64_t row; int64_t failed; } Front;

struct Journal {
  char *path;
  int fd;
  bool write;
  int rows, done;
  size_t values, record;
  off_t seen;                                             /* records before it are taken in */
  int *place;                                             /* [rows] number of its record, -1: not in */
  bool *failed;
  char *buffer;                                           /* a record */
  Diags *diags; Span span;
};

static bool cannot(Journal *j, const char *doing) {
  diag_report(j->diags, E2501, j->span, "`%s`, which keeps the rows until all are there, cannot be used: %s failed, %s", j->path, doing, strerror(errno));
  return false;
}

/* FNV-1a over words of eight bytes. */
static uint64_t checksum(const char *bytes, size_t n) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t k = 0; k + 8 <= n; k += 8) {
    uint64_t word;
    memcpy(&word, bytes + k, sizeof word);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29;
  }
  return sum;
}

/* An open file description's lock on one byte: it ends with the process. */
static bool lock(Journal *j, off_t byte, bool wait) {
  struct flock what = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  int r;
  while ((r = fcntl(j->fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &what)) < 0 && errno == EINTR) {}
  return r == 0;
}

static void unlock(Journal *j, off_t byte) {
  struct flock what = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  fcntl(j->fd, F_OFD_SETLK, &what);
}

static bool read_at(Journal *j, void *to, size_t n, off_t at) {
  for (size_t done = 0; done < n;) {
    ssize_t r = pread(j->fd, (char *)to + done, n - done, at + (off_t)done);
    if (r < 0 && errno == EINTR) continue;
    if (r <= 0) return false;
    done += (size_t)r;
  }
  return true;
}

static bool write_at(Journal *j, const void *from, size_t n, off_t at) {
  for (size_t done = 0; done < n;) {
    ssize_t r = pwrite(j->fd, (const char *)from + done, n - done, at + (off_t)done);
    if (r < 0 && errno == EINTR) continue;
    if (r < 0) return false;
    done += (size_t)r;
  }
  return true;
}

static off_t size_of(Journal *j) {
  struct stat st;
  return fstat(j->fd, &st) ? 0 : st.st_size;
}

/* Whole records after those seen; the first that is none is where the file ends for us. */
static void take_in(Journal *j) {
  for (off_t end = size_of(j); j->seen + (off_t)j->record <= end; j->seen += (off_t)j->record) {
    Front front;
    uint64_t sum;
    if (!read_at(j, j->buffer, j->record, j->seen)) return;
    memcpy(&front, j->buffer, sizeof front);
    memcpy(&sum, j->buffer + j->record - sizeof sum, sizeof sum);
    if (sum != checksum(j->buffer, j->record - sizeof sum) || front.row < 0 || front.row >= j->rows) return;
    if (j->place[front.row] < 0) j->done++;
    j->place[front.row] = (int)((j->seen - HEAD) / (off_t)j->record);
    j->failed[front.row] = front.failed != 0;
  }
}

bool journal_update(Journal *j) {
  if (j->fd >= 0) take_in(j);
  return true;
}

/* Head of a new file; of an old one it has to be the same. */
static bool check_head(Journal *j, const uint8_t identity[32]) {
  char head[HEAD] = {0}, there[HEAD];
  uint64_t values = j->values;
  memcpy(head, MAGIC, sizeof MAGIC);
  memcpy(head + 16, identity, 32);
  memcpy(head + 48, &values, sizeof values);
  if (j->write && !lock(j, APPENDING, true)) return cannot(j, "locking");
  bool fine = true;
  if (size_of(j) < HEAD && j->write) fine = write_at(j, head, HEAD, 0) || cannot(j, "writing");
  else if (size_of(j) >= HEAD && (!read_at(j, there, HEAD, 0) || memcmp(head, there, HEAD))) {
    diag_suggest(diag_report(j->diags, E3155, j->span, "`%s` holds rows of another sampling: of another map, number, design or seed", j->path), "remove it, or give another `file:`");
    fine = false;
  }
  if (j->write) unlock(j, APPENDING);
  return fine;
}

Journal *journal_open(const char *path, const uint8_t identity[32], int rows, size_t values, bool write, Diags *diags, Span span) {
  Journal *j = calloc(1, sizeof *j);
  *j = (Journal){.path = strdup(path), .write = write, .rows = rows, .values = values, .seen = HEAD, .diags = diags, .span = span};
  j->record = sizeof(Front) + values * sizeof(double) + sizeof(uint64_t);
  j->place = malloc((size_t)rows * sizeof *j->place);
  j->failed = calloc((size_t)rows, sizeof *j->failed);
  j->buffer = malloc(j->record);
  for (int k = 0; k < rows; k++) j->place[k] = -1;
  j->fd = open(path, (write ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0666);
  bool fine = j->fd >= 0 ? check_head(j, identity) : !write || cannot(j, "opening");
  if (fine && j->fd >= 0) take_in(j);
  if (fine) return j;
  journal_close(j, false);
  return NULL;
}

int journal_done(const Journal *j) { return j->done; }

bool journal_has(const Journal *j, int row, bool *failed) {
  *failed = j->failed[row];
  return j->place[row] >= 0;
}

int journal_claim(Journal *j, int from) {
  for (int k = from; k < j->rows; k++) {
    if (j->place[k] >= 0 || !lock(j, ROWS + k, false)) continue;
    take_in(j);                                           /* it was perhaps finished just now */
    if (j->place[k] < 0) return k;
    unlock(j, ROWS + k);
  }
  return -1;
}

void journal_yield(Journal *j, int row) { unlock(j, ROWS + row); }

bool journal_append(Journal *j, int row, bool failed, const double *values) {
  Front front = {row, failed};
  size_t n = j->record - sizeof(uint64_t);
  if (!lock(j, APPENDING, true)) return cannot(j, "locking");
  take_in(j);                                             /* others' records, up to a torn one, which is written over */
  memcpy(j->buffer, &front, sizeof front);
  memcpy(j->buffer + sizeof front, values, j->values * sizeof *values);
  uint64_t sum = checksum(j->buffer, n);
  memcpy(j->buffer + n, &sum, sizeof sum);
  bool fine = write_at(j, j->buffer, j->record, j->seen);
  if (!fine) cannot(j, "writing");
  unlock(j, APPENDING);
  take_in(j);
  unlock(j, ROWS + row);
  return fine;
}

bool journal_read(Journal *j, int row, double *values) {
  return j->place[row] >= 0 && read_at(j, values, j->values * sizeof *values, HEAD + (off_t)j->place[row] * (off_t)j->record + (off_t)sizeof(Front));
}

void journal_close(Journal *j, bool remove) {
  if (!j) return;
  if (remove && j->write) unlink(j->path);
  if (j->fd >= 0) close(j->fd);
  free(j->path);
  free(j->place);
  free(j->failed);
  free(j->buffer);
  free(j);
}
