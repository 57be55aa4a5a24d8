/* law_search [options] NAME LAW A B ...: for systems whose law is known, which law a search submits, after how many evaluations it first met the true
 * one, and where the competing structures rank.
 *
 *   NAME        groundwater, variable, reaction, advection, orthotropic: whose competitors are looked at
 *   A B         files of float64 [N][N][NT] without noise on the unit square and unit time
 *   -n N,NT     size of the data (64,128)
 *   -e 5,10     noise in percent of the root mean square of a trajectory
 *   -s 0,1,2    seeds of the noise
 *   -o          additions and moves in no order of plausibility
 *   -r          random search instead
 *   -v          every trial */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../numerics/design.h"
#include "../unit/search_lab.h"

enum { MOST = 16, COMPETITORS = 16, GROUP_SIZES = 5 };

typedef struct System { const char *name, *truth, *competitor[COMPETITORS]; } System;
/* As rows of structure.def; `truth` first, then what has to rank below (Hypothesize, Evaluate, Refine; tables of the five systems). */
#define DIV "x.x y.y"
#define LAP ".xx .yy"
static const System systems[] = {
    {"groundwater", DIV, {DIV "|.u", DIV "|.1", LAP, "", "x.x|y.y", ".xx|.yy", DIV "|.x|.y", LAP "|.u", DIV "|.F", "xx.u yy.u", DIV "|.xx*yy"}},
    {"variable", LAP, {LAP " .U*xx .U*yy", LAP "|.xx*yy", LAP "|.F", ".xx|.yy", "", LAP "|.u", DIV, LAP "|.x|.y", "x.x|y.y", "xx.u yy.u", LAP "|.1"}},
    {"reaction", DIV "|.u", {DIV "|.u|.x|.y", ".xx|.yy|.x|.y|.u", "x.x|y.y|.u", LAP "|.x|.y|.u", "", ".u", DIV, LAP "|.u", ".xx|.yy|.u", DIV "|.u|.1", DIV "|.F", DIV "|.U", DIV "|.u|.u*U"}},
    {"advection", LAP "|.x|.y", {LAP "|x.u|y.u", LAP "|.x|.y|.F", LAP "|.x|.y|.u", ".xx|.yy|.x|.y|.u", LAP, ".x|.y", "", LAP "|.x", LAP "|.y", ".xx|.yy|.x|.y", DIV, LAP "|.x|.y|.1"}},
    {"orthotropic", "x.x|y.y", {"x.x|y.y|.xx*yy", ".xx|.yy", DIV, "", LAP, "x.x|y.y|.u", "x.x|y.y|.1", "x.x|.yy", ".xx|y.y", ".xx|.yy|.x|.y", DIV "|.x|.y", DIV "|.u"}},
};

typedef struct Run {
  SearchLab lab;
  StructureJudge judge;
  StructureHunt hunt;
  Structure truth;
  char truth_id[72];
} Run;

static double *read_file(const char *path, size_t n) {
  double *u = malloc(sizeof(double) * n);
  FILE *file = fopen(path, "rb");
  if (!file || fread(u, sizeof(double), n, file) != n) fprintf(stderr, "law_search: %s is not %zu numbers\n", path, n), exit(2);
  fclose(file);
  return u;
}

/* Normal numbers by Box and Muller, a stream for each system, seed and trajectory. */
static double *noisy(const double *u, size_t n, double level, int system, int seed, int trajectory) {
  double *out = malloc(sizeof(double) * n), square = 0;
  Draw draw = draw_open((uint64_t)(1000 + seed), (uint32_t)(2 * system + trajectory), 0);
  for (size_t k = 0; k < n; k++) square += u[k] * u[k] / (double)n;
  for (size_t k = 0; k < n; k++) {
    double a = draw_uniform(&draw), b = draw_uniform(&draw);
    out[k] = u[k] + level * sqrt(square) * sqrt(-2 * log(1 - a)) * cos(2 * M_PI * b);
  }
  return out;
}

static const char *text_of(const Run *run, const Structure *law) {
  static char text[2][400];
  static int turn;
  Buf buf = {0};
  structure_text(law, &run->lab.language, &buf);
  char *out = text[turn ^= 1];
  snprintf(out, sizeof text[0], "%s", buf_str(&buf));
  buf_free(&buf);
  return out;
}

static bool same_law(Run *run, const Structure *structure) {
  Law *law = search_lab_law(&run->lab, structure);
  bool same = law && !strcmp(law->id, run->truth_id);
  law_free(law);
  return same;
}

/* ---- the baseline ---------------------------------------------------------------------------------------------------------------------------------------------- */

static void baseline(Run *run) {
  Structure term[HEI_GROUPS];
  HeiField field[HEI_GROUPS];
  HeiSupport support[GROUP_SIZES];
  int n = structure_library(&run->lab.language, term, HEI_GROUPS), chosen, best = -1;
  for (int k = 0; k < n; k++) {
    Law *law = search_lab_law(&run->lab, &term[k]);
    field[k] = law_candidate(run->lab.features, law)->field[0];
    law_free(law);
  }
  clock_t start = clock();
  HeiOutcome outcome = hei_group(run->lab.hei, n, field, GROUP_SIZES, support, &chosen);
  if (outcome) { printf("  wgident: %s\n", hei_outcome_text(outcome)); return; }
  double price = INFINITY;
  Structure law[GROUP_SIZES];
  StructureScore score[GROUP_SIZES];
  for (int k = 0; k < GROUP_SIZES; k++) {
    law[k] = (Structure){0};
    for (int i = 0; i < support[k].n; i++) structure_join(&law[k], &term[support[k].group[i]]);
    run->judge.score(run->judge.user, &law[k], &score[k]);
    if (score[k].state == STRUCTURE_SCORED && structure_price(&structure_defaults, &score[k]) < price) price = structure_price(&structure_defaults, &score[k]), best = k;
  }
  printf("  wgident: by residual %s (%.4f, %s), by score %s (%.4f, %s), %.1f s\n", text_of(run, &law[chosen]), score[chosen].error, same_law(run, &law[chosen]) ? "true" : "not true",
         best < 0 ? "none" : text_of(run, &law[best]), best < 0 ? NAN : score[best].error, best >= 0 && same_law(run, &law[best]) ? "true" : "not true", (double)(clock() - start) / CLOCKS_PER_SEC);
}

/* ---- one search ------------------------------------------------------------------------------------------------------------------------------------------------ */

/* How many competitors the submission rule prefers to the truth. */
static int above_truth(Run *run, const System *system, const StructureOptions *options) {
  StructureScore truth, other;
  run->judge.score(run->judge.user, &run->truth, &truth);
  int above = 0;
  for (int k = 0; k < COMPETITORS && system->competitor[k]; k++) {
    Structure law = structure_read(system->competitor[k], &run->lab.language);
    run->judge.score(run->judge.user, &law, &other);
    if (other.state != STRUCTURE_SCORED || !strcmp(other.id, truth.id)) continue;
    bool worse = other.difference >= options->stability || structure_price(options, &other) > structure_price(options, &truth);
    if (!worse) above++, printf("  above the truth: %s, %.5f against %.5f\n", text_of(run, &law), other.error, truth.error);
  }
  return above;
}

/* The evaluation that met the truth first, 0: none. */
static int search(Run *run, const System *system, const StructureOptions *options, bool verbose, bool *hit, int *above) {
  clock_t start = clock();
  structure_hunt(&run->lab.language, options, &run->judge, &run->hunt);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  const StructureHunt *hunt = &run->hunt;
  const StructureChoice *choice = &hunt->choice;
  int first = 0;
  for (int k = hunt->n - 1; k >= 0; k--)
    if (!strcmp(hunt->trial[k].score.id, run->truth_id)) first = k + 1;
  *hit = choice->submit >= 0 && !strcmp(hunt->trial[choice->submit].score.id, run->truth_id);
  for (int k = 0; k < hunt->n && verbose; k++) {
    const StructureTrial *trial = &hunt->trial[k];
    printf("  %2d from %2d %-30s %5.2f  %.5f +- %.5f  K %d  %.2f  %s\n", k + 1, trial->parent + 1, trial->parent >= 0 ? structure_move_name[trial->move] : "", trial->rank, trial->score.error,
           trial->score.deviation, trial->score.fields, trial->score.difference, text_of(run, &trial->law));
  }
  *above = above_truth(run, system, options);
  if (choice->submit < 0) printf("  nothing to submit");
  else printf("  submits %s %.4f (%s)%s, noise ceiling %.4f, one standard error: %s", text_of(run, &hunt->trial[choice->submit].law), hunt->trial[choice->submit].score.error,
              *hit ? "true" : "not true", choice->recommended ? "" : ", not recommended", choice->ceiling, text_of(run, &hunt->trial[choice->one_error].law));
  printf("; %d evaluations, truth first at %d, %d competitors above it, %.1f s\n", hunt->scored, first, *above, seconds);
  structure_hunt_free(&run->hunt);
  return first;
}

static int numbers(const char *text, int *out) {
  int n = 0;
  for (char *s = (char *)text; *s && n < MOST; s += *s == ',') out[n++] = (int)strtol(s, &s, 10);
  return n;
}

static int rising(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
  int size[MOST] = {64, 128}, noise[MOST] = {5}, nnoise = 1, seed[MOST] = {0}, nseeds = 1;
  bool verbose = false, with_baseline = true;
  StructureOptions options = structure_defaults;
  for (int option; (option = getopt(argc, argv, "n:e:s:b:orvw")) != -1;)
    switch (option) {
      case 'n': numbers(optarg, size); break;
      case 'e': nnoise = numbers(optarg, noise); break;
      case 's': nseeds = numbers(optarg, seed); break;
      case 'b': options.budget = atoi(optarg); break;
      case 'o': options.shuffled = true; break;
      case 'r': options.method = STRUCTURE_RANDOM; break;
      case 'v': verbose = true; break;
      case 'w': with_baseline = false; break;
      default: return 1;
    }
  size_t n = (size_t)size[0] * size[0] * size[1];
  double *t = malloc(sizeof(double) * size[1]);
  for (int k = 0; k < size[1]; k++) t[k] = k / (size[1] - 1.);
  for (int e = 0; e < nnoise; e++) {
    int hits = 0, above = 0, runs = 0, first[200];
    for (int a = optind; a + 2 < argc; a += 3) {
      int number = 0;
      while (number < 5 && strcmp(systems[number].name, argv[a])) number++;
      if (number == 5) return fprintf(stderr, "law_search: no system %s\n", argv[a]), 1;
      double *clean[2] = {read_file(argv[a + 1], n), read_file(argv[a + 2], n)};
      for (int s = 0; s < nseeds; s++) {
        Run run = {0};
        double *u[2];
        HeiOutcome outcome;
        for (int w = 0; w < 2; w++) u[w] = noisy(clean[w], n, noise[e] / 100., number, seed[s], w);
        int q = size[1] / 4;
        HeiData data = {.nx = size[0], .ny = size[0], .x = {0, 1}, .y = {0, 1}, .start = {0, q, 2 * q, 3 * q}, .t = t, .u = {u[0], u[1]}, .stride = size[1]};
        if (!search_lab_open(&run.lab, &data, &hei_for_scores, 3, &outcome)) return fprintf(stderr, "law_search: %s\n", hei_outcome_text(outcome)), 2;
        run.judge = search_lab_judge(&run.lab);
        run.truth = structure_read(systems[number].truth, &run.lab.language);
        Law *law = search_lab_law(&run.lab, &run.truth);
        snprintf(run.truth_id, sizeof run.truth_id, "%s", law->id);
        law_free(law);
        printf("%s, noise %d %%, seed %d\n", systems[number].name, noise[e], seed[s]);
        bool hit;
        int over;
        int at = search(&run, &systems[number], &options, verbose, &hit, &over);
        if (with_baseline) baseline(&run);
        hits += hit, above += over, first[runs++] = at ? at : options.budget + 1;
        fflush(stdout);
        search_lab_close(&run.lab);
        free(u[0]), free(u[1]);
      }
      free(clean[0]), free(clean[1]);
    }
    if (!runs) continue;
    qsort(first, (size_t)runs, sizeof *first, rising);
    printf("noise %d %%: the truth is submitted in %d of %d runs, first met after %d evaluations (median; at most %d), %d competitors above it\n", noise[e], hits, runs, first[runs / 2], first[runs - 1], above);
  }
  free(t);
}
