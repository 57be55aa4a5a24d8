#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool make_dirs(char *path) {
  for (char *p = path + 1; *p; p++)
    if (*p == '/') {
      *p = 0;
      bool made = !mkdir(path, 0700) || errno == EEXIST;
      *p = '/';
      if (!made) return false;
    }
  return !mkdir(path, 0700) || errno == EEXIST;
}

bool cache_dir(Buf *dir, bool make) {
  const char *own = getenv("PDE_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (own && *own) buf_puts(dir, own);
  else if (xdg && *xdg) buf_printf(dir, "%s/pde", xdg);
  else if (home && *home) buf_printf(dir, "%s/.cache/pde", home);
  return dir->len && (!make || make_dirs(dir->text));
}

/* --- what is in it --- */

typedef struct Entry { char name[80]; long long bytes; struct timespec used; } Entry;
typedef struct Entries { Entry *entry; int n, cap; long long bytes; } Entries;

static bool ends(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

static void add(Entries *all, const char *name, const struct stat *s) {
  if (all->n == all->cap) {
    int cap = all->cap ? 2 * all->cap : 256;
    Entry *more = realloc(all->entry, sizeof *more * (size_t)cap);
    if (!more) return;
    all->entry = more;
    all->cap = cap;
  }
  Entry *e = &all->entry[all->n++];
  memcpy(e->name, name, strlen(name) + 1);
  e->bytes = s->st_size;
  e->used = s->st_mtim;
  all->bytes += s->st_size;
}

static void list(const char *dir, bool clean, Entries *all) {
  DIR *open = opendir(dir);
  struct stat s;
  for (struct dirent *d; open && (d = readdir(open));) {
    bool kernel = ends(d->d_name, ".kernel"), left = d->d_name[0] == '.' && strstr(d->d_name, ".kernel.");     /* of a process that was killed while it wrote */
    if ((!kernel && !left) || strlen(d->d_name) >= sizeof all->entry->name || fstatat(dirfd(open), d->d_name, &s, AT_SYMLINK_NOFOLLOW) || !S_ISREG(s.st_mode)) continue;
    if (kernel) add(all, d->d_name, &s);
    else if (clean && s.st_mtim.tv_sec < time(NULL) - 24 * 3600) unlinkat(dirfd(open), d->d_name, 0);
  }
  if (open) closedir(open);
}

long long cache_use(const char *dir, int *files) {
  Entries all = {0};
  list(dir, false, &all);
  *files = all.n;
  free(all.entry);
  return all.bytes;
}

static int by_use(const void *a, const void *b) {
  const struct timespec *p = &((const Entry *)a)->used, *q = &((const Entry *)b)->used;
  return p->tv_sec != q->tv_sec ? (p->tv_sec < q->tv_sec ? -1 : 1) : (p->tv_nsec > q->tv_nsec) - (p->tv_nsec < q->tv_nsec);
}

void cache_trim(const char *dir, long long most) {
  Entries all = {0};
  list(dir, true, &all);
  if (all.bytes > most) {
    qsort(all.entry, (size_t)all.n, sizeof *all.entry, by_use);
    Buf path = {0};
    for (int i = 0; i < all.n && all.bytes > most / 4 * 3; i++) {
      buf_clear(&path);
      buf_printf(&path, "%s/%s", dir, all.entry[i].name);
      unlink(path.text);        /* another process may have been quicker */
      all.bytes -= all.entry[i].bytes;
    }
    buf_free(&path);
  }
  free(all.entry);
}
