#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic.h"
#include "cache.h"
#include "jit.h"
#include "../lang/sha256.h"

enum { OBJECT_MAX = 64 << 20 };

/* File: this header, then the object. */
typedef struct CacheHeader {
  char magic[8];
  uint32_t abi, len;
  char id[65], digest[65], zero[2];   /* no padding: every byte is checked */
} CacheHeader;
_Static_assert(sizeof(CacheHeader) == 148, "CacheHeader has padding");

static const char magic[8] = "PDEKERN";

static bool read_all(int fd, void *to, size_t len) {
  char *p = to;
  while (len) {
    ssize_t n = read(fd, p, len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    len -= (size_t)n;
  }
  return true;
}

/* It will be executed: nobody else may have written it. */
static bool is_ours(int fd, const CacheHeader *h) {
  struct stat s;
  return !fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid() && !(s.st_mode & 022) && (size_t)s.st_size == sizeof *h + h->len;
}

static bool read_entry(int fd, const char *id, Buf *object) {
  CacheHeader h;
  char digest[65];
  if (!read_all(fd, &h, sizeof h) || memcmp(h.magic, magic, sizeof magic) || h.abi != JIT_ABI || h.len > OBJECT_MAX) return false;
  if (memcmp(h.id, id, 65) || h.zero[0] || h.zero[1] || !is_ours(fd, &h)) return false;
  char *bytes = malloc(h.len + 1);
  bool good = bytes && read_all(fd, bytes, h.len);
  if (good) sha256_hex(bytes, h.len, digest);
  good = good && !memcmp(digest, h.digest, sizeof digest);
  if (good) buf_add(object, bytes, h.len);
  free(bytes);
  return good;
}

bool cache_load(const char *id, Buf *object) {
  Buf path = {0};
  bool good = false;
  if (cache_dir(&path, false)) {
    buf_printf(&path, "/%s.kernel", id);
    int fd = open(path.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0) {
      good = read_entry(fd, id, object);
      if (good) futimens(fd, NULL);      /* the time of its last use, for cache_trim */
      close(fd);
    }
  }
  buf_free(&path);
  return good;
}

/* A cache that cannot be written is none: what goes wrong stays unsaid. */
static void write_entry(const char *path, const CacheHeader *h, const char *object) {
  Diags unsaid = {.limit = 1};
  Atomic atomic;
  if (!atomic_begin(&atomic, path, &unsaid, (Span){0, 0})) {
    bool good = !fchmod(fileno(atomic.file), 0600) && fwrite(h, sizeof *h, 1, atomic.file) == 1 && fwrite(object, 1, h->len, atomic.file) == h->len;
    if (good) atomic_commit(&atomic, &unsaid, (Span){0, 0});
    else atomic_abort(&atomic);
  }
  diags_free(&unsaid);
}

void cache_store(const char *id, const char *object, size_t len) {
  Buf dir = {0}, path = {0};
  CacheHeader h = {.abi = JIT_ABI, .len = (uint32_t)len};
  if (len <= OBJECT_MAX && cache_dir(&dir, true)) {
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.id, id, 65);
    sha256_hex(object, len, h.digest);
    buf_printf(&path, "%s/%s.kernel", dir.text, id);
    write_entry(path.text, &h, object);
    if (id[0] == '0') cache_trim(dir.text, CACHE_MOST);      /* one in sixteen: looking through the directory takes longer than storing */
  }
  buf_free(&dir);
  buf_free(&path);
}
