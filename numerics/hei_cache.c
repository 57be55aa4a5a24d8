/* Blocks that candidates share, and threads. There are thousands at most and each costs far more than a look along the list. Who first needs a block makes
 * it; others wait. A block needs blocks of lower kinds only (averages, rows, Gram), so nobody waits in a circle. */
#include <stdlib.h>
#include <string.h>

#include "hei_internal.h"

void hei_cache_open(HeiCache *cache) { pthread_mutex_init(&cache->lock, NULL), pthread_cond_init(&cache->made, NULL); }

HeiCell *hei_cell(HeiCache *cache, HeiCellKind kind, int a, int b, int trajectory, int interval, size_t n, bool *make) {
  pthread_mutex_lock(&cache->lock);
  HeiCell *cell = NULL;
  for (int k = 0; k < cache->n && !cell; k++) {
    HeiCell *old = cache->cell[k];
    if (old->kind == kind && old->a == a && old->b == b && old->trajectory == trajectory && old->interval == interval) cell = old;
  }
  *make = !cell;
  if (!cell) {
    if (cache->n == cache->room) cache->cell = realloc(cache->cell, sizeof(HeiCell *) * (cache->room = cache->room ? 2 * cache->room : 64));
    cell = cache->cell[cache->n++] = malloc(sizeof *cell);
    *cell = (HeiCell){kind, a, b, trajectory, interval, malloc(sizeof(double) * n), sizeof(double) * n, 0, false};
    cache->bytes += cell->bytes;
  }
  cell->used = ++cache->clock;
  while (!*make && !cell->made) pthread_cond_wait(&cache->made, &cache->lock);
  pthread_mutex_unlock(&cache->lock);
  return cell;
}

void hei_cell_made(HeiCache *cache, HeiCell *cell) {
  pthread_mutex_lock(&cache->lock);
  cell->made = true;
  pthread_cond_broadcast(&cache->made);
  pthread_mutex_unlock(&cache->lock);
}

int hei_cache_enter(HeiCache *cache) {
  pthread_mutex_lock(&cache->lock);
  int place = 0;
  while (place < HEI_MAX_THREADS - 1 && cache->since[place]) place++;
  cache->since[place] = ++cache->clock;
  pthread_mutex_unlock(&cache->lock);
  return place;
}

static int by_age(const void *a, const void *b) {
  long x = (*(HeiCell *const *)a)->used, y = (*(HeiCell *const *)b)->used;
  return (y > x) - (y < x);
}

void hei_cache_leave(HeiCache *cache, int place, size_t budget) {
  pthread_mutex_lock(&cache->lock);
  cache->since[place] = 0;
  long since = cache->clock + 1;
  for (int k = 0; k < HEI_MAX_THREADS; k++)
    if (cache->since[k] && cache->since[k] < since) since = cache->since[k];
  if (cache->bytes > budget) qsort(cache->cell, cache->n, sizeof *cache->cell, by_age);
  while (cache->n && cache->bytes > budget && cache->cell[cache->n - 1]->used < since) {
    HeiCell *oldest = cache->cell[--cache->n];
    cache->bytes -= oldest->bytes;
    free(oldest->data), free(oldest);
  }
  pthread_mutex_unlock(&cache->lock);
}

void hei_cache_close(HeiCache *cache) {
  for (int k = 0; k < cache->n; k++) free(cache->cell[k]->data), free(cache->cell[k]);
  free(cache->cell);
  pthread_mutex_destroy(&cache->lock), pthread_cond_destroy(&cache->made);
}
