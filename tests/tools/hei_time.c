/* hei_time A B NX NT: scores of candidates on two files of float64 [NX][NX][NT] on the unit square and unit time, and the CPU seconds each took. Without
 * arguments: on waves in a moving medium of its own, 64 x 64 x 128. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../numerics/hei.h"

static double *read_file(const char *path, size_t n) {
  double *u = malloc(sizeof(double) * n);
  FILE *file = fopen(path, "rb");
  if (!file || fread(u, sizeof(double), n, file) != n) fprintf(stderr, "hei_time: %s is not %zu numbers\n", path, n), exit(2);
  fclose(file);
  return u;
}

static double *waves(int n, int nt, unsigned seed) {
  double *u = calloc((size_t)n * n * nt, sizeof(double));
  srand(seed);
  for (int m = 0; m < 14; m++) {
    double kx = 12. * rand() / RAND_MAX - 6, ky = 12. * rand() / RAND_MAX - 6, phase = 6.28 * rand() / RAND_MAX, size = 2. * rand() / RAND_MAX - 1;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < nt; k++) {
          double x = i / (n - 1.), y = j / (n - 1.), t = k / (nt - 1.);
          u[((size_t)i * n + j) * nt + k] += size * cos(kx * (x - 0.25 * t) + ky * (y + 0.1 * t) + phase) * exp(-0.008 * (kx * kx + ky * ky) * t);
        }
  }
  for (size_t k = 0; k < (size_t)n * n * nt; k++) u[k] += 0.05 * (rand() / (double)RAND_MAX + rand() / (double)RAND_MAX - rand() / (double)RAND_MAX - rand() / (double)RAND_MAX);
  return u;
}

static void report(Hei *hei, const char *name, const HeiCandidate *candidate) {
  HeiResult result;
  clock_t start = clock();
  hei_evaluate(hei, 1, candidate, &result);
  double first = (double)(clock() - start) / CLOCKS_PER_SEC;
  hei_result_free(&result);
  start = clock();
  hei_evaluate(hei, 1, candidate, &result);
  printf("%-34s %s  %.16g  %.16g %.16g  %.3f s, again %.3f s\n", name, hei_outcome_text(result.outcome), result.error, result.direction[0], result.direction[1], first,
         (double)(clock() - start) / CLOCKS_PER_SEC);
  hei_result_free(&result);
}

int main(int argc, char **argv) {
  int n = argc > 3 ? atoi(argv[3]) : 64, nt = argc > 4 ? atoi(argv[4]) : 128, q = nt / 4;
  size_t size = (size_t)n * n * nt;
  double *t = malloc(sizeof(double) * nt), *u[2];
  for (int k = 0; k < nt; k++) t[k] = k / (nt - 1.);
  for (int w = 0; w < 2; w++) u[w] = argc > 2 ? read_file(argv[1 + w], size) : waves(n, nt, 1 + w);
  HeiData data = {n, n, {0, 1}, {0, 1}, {0, q, 2 * q, 3 * q}, t, {u[0], u[1]}, nt, {HEI_SIDE_UNKNOWN, HEI_SIDE_UNKNOWN}};
  HeiOutcome outcome;
  clock_t start = clock();
  Hei *hei = hei_open(&data, &hei_for_scores, &outcome);
  if (!hei) return fprintf(stderr, "hei_time: %s\n", hei_outcome_text(outcome)), 2;
  printf("opened in %.3f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
  double laplace[HEI_JETS] = {0}, ux[HEI_JETS] = {0}, uy[HEI_JETS] = {0}, state[HEI_JETS] = {1};
  laplace[hei_jet(2, 0)] = laplace[hei_jet(0, 2)] = ux[hei_jet(1, 0)] = uy[hei_jet(0, 1)] = 1;
  HeiFeature feature[] = {{.key = "lap", .linear = laplace}, {.key = "ux", .linear = ux}, {.key = "uy", .linear = uy}, {.key = "u", .linear = state}};
  int id[4];
  for (int k = 0; k < 4; k++) id[k] = hei_feature(hei, &feature[k]);
  HeiPart lap = {0, 0, 1, id[0]}, px = {0, 0, 1, id[1]}, py = {0, 0, 1, id[2]}, pu = {0, 0, 1, id[3]}, div[] = {{0, 0, 1, id[0]}, {0, 1, 1, id[2]}, {1, 0, 1, id[1]}};
  HeiField advection[] = {{3, &py, 1}, {3, &lap, 1}, {3, &px, 1}}, reaction[] = {{3, &pu, 1}, {3, div, 3}};
  HeiField four[] = {{3, &pu, 1}, {3, &py, 1}, {3, &lap, 1}, {3, &px, 1}}, along[] = {{1, div, 3}}, whole[] = {{3, div, 3}};
  report(hei, "C0*uy+C1*lap(u)+C2*ux", &(HeiCandidate){advection, 3, NULL, 0});
  report(hei, "div(C0*grad(u))+C1*u", &(HeiCandidate){reaction, 2, NULL, 0});
  report(hei, "C0*lap(u)", &(HeiCandidate){advection + 1, 1, NULL, 0});
  report(hei, "div(X0*grad(u))", &(HeiCandidate){along, 1, NULL, 0});
  report(hei, "div(C0*grad(u))+uy", &(HeiCandidate){whole, 1, &py, 1});
  report(hei, "C0*u+C1*uy+C2*lap(u)+C3*ux", &(HeiCandidate){four, 4, NULL, 0});
  report(hei, "0", &(HeiCandidate){0});
  hei_close(hei);
  free(t), free(u[0]), free(u[1]);
}
