/* A large run record to measure `pde view` on: record_bench DIR [candidates [events]]. Each candidate has 4 scores and 3 verdicts; what is missing to the
 * number of events are points of its history of losses. Then: time pde view DIR [VIEW]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "source.h"
#include "store.h"

static Store *store;

static void put(StoreTable table, const Cell *row, int n) {
  if (store_append(store, table, row, n)) exit(1);
}

static void candidate(int k) {
  static const char *const metrics[] = {"score", "error_ab", "error_ba", "viol_max"};
  static const char *const contracts[] = {"superposition", "causality", "trace"};
  char id[16], parent[16];
  snprintf(id, sizeof id, "c_%05d", k);
  snprintf(parent, sizeof parent, "c_%05d", k / 2);
  Cell row[RECORD_candidates_COLUMNS] = {cell_text(id), cell_text("gw"), cell_text(k ? parent : NULL), cell_text("scored"), cell_text(NULL), cell_text("dt(h) == dx(C*dx(h)) + dy(C*dy(h))"), cell_text("dt(h) == dx(C*dx(h)) + dy(C*dy(h))")};
  put(RECORD_candidates, row, RECORD_candidates_COLUMNS);
  for (int m = 0; m < 4; m++) {
    Cell score[] = {cell_text(id), cell_text(metrics[m]), cell_number(0.5 + fabs(sin(k * 0.37 + m)) / (1 + 0.001 * k))};
    put(RECORD_scores, score, 3);
  }
  for (int c = 0; c < 3; c++) {
    double ratio = fabs(cos(k * 0.11 + c));
    Cell verdict[] = {cell_text(contracts[c]), cell_text(id), cell_text("gw"), cell_text("hard"), cell_text(ratio <= 1 ? "pass" : "fail"), cell_number(0.05 * ratio), cell_number(0.05), cell_number(ratio)};
    put(RECORD_verdicts, verdict, 8);
  }
}

int main(int argc, char **argv) {
  int candidates = argc > 2 ? atoi(argv[2]) : 10000;
  long events = argc > 3 ? atol(argv[3]) : 1000000;
  Diags diags = {.sources = sources_new()};
  if (argc < 2 || store_create(argv[1], &diags, &store)) {
    fprintf(stderr, "record_bench DIR [candidates [events]]: %s\n", diags.n ? diags.items[0]->message : "DIR is missing");
    return 1;
  }
  long each = (events - 8L * candidates) / candidates;
  for (int k = 0; k < candidates; k++) {
    if (k % 100 == 0 && store_begin(store)) return 1;
    candidate(k);
    char id[16];
    snprintf(id, sizeof id, "c_%05d", k);
    for (long i = 0; i < each; i++) {
      Cell point[] = {cell_text(id), cell_text("loss"), cell_number((double)i), cell_number(exp(-0.05 * (double)i) + 1e-3 * k)};
      put(RECORD_histories, point, 4);
    }
    if ((k % 100 == 99 || k + 1 == candidates) && store_commit(store)) return 1;
  }
  store_close(store);
  diags_free(&diags);
  sources_free(diags.sources);
  return 0;
}
