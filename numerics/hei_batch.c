/* Candidates of a batch, each evaluated as if it were alone, by as many threads as the options allow. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "hei_fit.h"

typedef struct Batch {
  Hei *hei;
  int n, *order;                     /* the largest laws first, so that no thread is left with one at the end */
  HeiLaw *law;
  HeiResult *result;
  atomic_int next;
} Batch;

static void *work(void *given) {
  Batch *batch = given;
  for (int k; (k = atomic_fetch_add(&batch->next, 1)) < batch->n;) {
    HeiResult *result = &batch->result[batch->order[k]];
    if (result->outcome) continue;
    int place = hei_cache_enter(&batch->hei->cache);
    result->outcome = hei_fit(batch->hei, &batch->law[batch->order[k]], result);
    hei_cache_leave(&batch->hei->cache, place, batch->hei->options.budget);
  }
  return NULL;
}

static int size_of(const HeiLaw *law) { return law->nfields; }

void hei_evaluate(Hei *hei, int n, const HeiCandidate *candidate, HeiResult *result) {
  Batch batch = {.hei = hei, .n = n, .order = malloc(sizeof(int) * (n + 1)), .law = malloc(sizeof(HeiLaw) * (n + 1)), .result = result};
  pthread_t thread[HEI_MAX_THREADS];
  int threads = hei->options.threads < n ? hei->options.threads : n, started = 0;
  for (int k = 0; k < n; k++) {
    result[k] = (HeiResult){.error = NAN, .direction = {NAN, NAN}, .standard_error = NAN};
    result[k].outcome = hei_resolve(hei, &candidate[k], &batch.law[k]);
    int at = k;
    for (; at && size_of(&batch.law[batch.order[at - 1]]) < size_of(&batch.law[k]); at--) batch.order[at] = batch.order[at - 1];
    batch.order[at] = k;
  }
  while (started < threads - 1 && started < HEI_MAX_THREADS - 1 && !pthread_create(&thread[started], NULL, work, &batch)) started++;
  work(&batch);
  for (int k = 0; k < started; k++) pthread_join(thread[k], NULL);
  free(batch.order), free(batch.law);
}
