#include "big.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_FROM = 4 << 20, HUGE_PAGE = 2 << 20 };

static void *need(void *p, size_t bytes) {
  if (p) return p;
  fprintf(stderr, "pde: out of memory: %zu bytes asked for\n", bytes);
  exit(7);
}

void *big_alloc(size_t bytes) {
  if (bytes < HUGE_FROM) return need(malloc(bytes ? bytes : 1), bytes);
  size_t whole = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
  void *p = NULL;
  if (whole < bytes || posix_memalign(&p, HUGE_PAGE, whole)) need(NULL, bytes);
  madvise(p, whole, MADV_HUGEPAGE);   /* advice: a kernel without huge pages may refuse it */
  return p;
}

void *big_zeroed(size_t bytes) {
  if (bytes < HUGE_FROM) return need(calloc(bytes ? bytes : 1, 1), bytes);
  return memset(big_alloc(bytes), 0, bytes);
}

void *big_resize(void *old, size_t used, size_t bytes) {
  if (bytes < HUGE_FROM && used < HUGE_FROM) return need(realloc(old, bytes ? bytes : 1), bytes);
  void *p = big_alloc(bytes);
  if (used) memcpy(p, old, used < bytes ? used : bytes);
  free(old);
  return p;
}

void *big_copy(const void *from, size_t bytes) {
  void *p = big_alloc(bytes);
  return bytes ? memcpy(p, from, bytes) : p;
}

size_t big_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (size_t)pages * (size_t)size : SIZE_MAX;
}
