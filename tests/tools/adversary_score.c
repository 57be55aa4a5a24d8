/* make tools/adversary_score && tools/adversary_score: how often the adversary finds 95% of a planted violation, beside a random search of the same cost.
 * Status 0 if it finds all with exact slopes, and compact ones without them no worse than the random search. */
#include <stdio.h>

#include "planted.h"

int main(void) {
  int bad = 0;
  printf("20 seeds, budget %ld evaluations\n%-8s %-9s %3s %9s %8s %8s %10s %10s\n", adversary_budget(&(AdversaryOptions){0}), "planted", "slopes", "dim", "found 95%", "least", "random's",
         ">= random", "calls");
  for (PlantedKind kind = PLANTED_SMOOTH; kind <= PLANTED_NEEDLE; kind++)
    for (int gradients = 1; gradients >= 0; gradients--)
      for (int dim = 4; dim <= 8; dim += 2) {
        int good = 0, least_random = 0;
        double least = 1, random = 1;
        long calls = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
          PlantedScore score = planted_search(kind, dim, seed, gradients);
          good += score.found >= 0.95, least_random += score.found >= score.random;
          least = fmin(least, score.found), random = fmin(random, score.random);
          calls += score.calls;
        }
        bad += (gradients && good < 20) || ((gradients || kind == PLANTED_COMPACT) && least_random < 20);
        printf("%-8s %-9s %3d %6d/20 %8.4f %8.4f %7d/20 %10ld\n", planted_names[kind], gradients ? "exact" : "none", dim, good, least, random, least_random, calls / 20);
      }
  return bad ? 2 : 0;
}
