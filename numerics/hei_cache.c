/* Blocks that candidates share. There are thousands at most and each costs far more than a look along the list. */
#include <stdlib.h>

#include "hei_internal.h"

HeiCell *hei_cell(HeiCache *cache, HeiCellKind kind, int a, int b, int trajectory, int interval) {
  for (int k = 0; k < cache->n; k++) {
    HeiCell *cell = &cache->cell[k];
    if (cell->kind == kind && cell->a == a && cell->b == b && cell->trajectory == trajectory && cell->interval == interval) return cell->used = ++cache->clock, cell;
  }
  if (cache->n == cache->room) {
    cache->room = cache->room ? 2 * cache->room : 64;
    cache->cell = realloc(cache->cell, sizeof *cache->cell * cache->room);
  }
  cache->cell[cache->n] = (HeiCell){kind, a, b, trajectory, interval, NULL, 0, ++cache->clock};
  return &cache->cell[cache->n++];
}

double *hei_cell_new(HeiCache *cache, HeiCell *cell, size_t n) {
  cell->bytes = sizeof(double) * n;
  cache->bytes += cell->bytes;
  return cell->data = malloc(cell->bytes);
}

static int by_age(const void *a, const void *b) {
  long x = ((const HeiCell *)a)->used, y = ((const HeiCell *)b)->used;
  return (y > x) - (y < x);
}

void hei_cache_shrink(HeiCache *cache, size_t budget) {
  if (cache->bytes <= budget) return;
  qsort(cache->cell, cache->n, sizeof *cache->cell, by_age);
  while (cache->n && cache->bytes > budget) {
    HeiCell *oldest = &cache->cell[--cache->n];
    cache->bytes -= oldest->bytes;
    free(oldest->data);
  }
}

void hei_cache_free(HeiCache *cache) {
  for (int k = 0; k < cache->n; k++) free(cache->cell[k].data);
  free(cache->cell);
}
