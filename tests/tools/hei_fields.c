/* hei_fields A B NX NY NT TRUTH|- [noise=SD_OF_RMS] [seed=N] [clean] [score] [field=N] [tests=N] [side=free|flux|periodic] [open]
 * [block|snapshots|scattered=SHARE] [color=RHO] TERM...
 * Missing: a block of an eighth of the sides, every tenth snapshot and five in a row, or values here and there; color: noise correlated in time (AR(1)).
 * Fits a law to two files of float64 [NX][NY][NT] on the unit square and unit time (open: the last node is one step before the end) and says how good score, fields and their bands are. TERM: one field each,
 * of div lap dxx dyy uxx uyy ux uy u 1 u^2 u^3 tanh sin, with - before it when the truth is its negative. TRUTH: float64 [field][NX][NY]. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../numerics/hei.h"

static double *read_file(const char *path, size_t n) {
  double *u = malloc(sizeof(double) * n);
  FILE *file = fopen(path, "rb");
  if (!file || fread(u, sizeof(double), n, file) != n) fprintf(stderr, "hei_fields: %s is not %zu numbers\n", path, n), exit(2);
  fclose(file);
  return u;
}

static uint64_t state;
static double uniform(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u, z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static void add_noise(double *u, size_t n, int nt, double share, double color, uint64_t seed) {
  double square = 0, last = 0;
  state = seed;
  for (size_t k = 0; k < n; k++) square += u[k] * u[k] / n;
  for (size_t k = 0; k < n; k++) {
    double white = sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
    last = color > 0 && k % nt ? color * last + sqrt(1 - color * color) * white : white;
    u[k] += share * sqrt(square) * last;
  }
}

enum { BLOCK = 1, SNAPSHOTS = 2 };

static void lose(double *u, int nx, int ny, int nt, int kind, double scattered) {
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nt; k++)
        if ((kind & BLOCK && abs(8 * i - 3 * nx) < nx / 2 && (ny == 1 || abs(8 * j - 5 * ny) < ny / 2)) || (kind & SNAPSHOTS && (k % 10 == 3 || (k > nt / 2 && k < nt / 2 + 6))) ||
            (scattered > 0 && uniform() < scattered)) u[((size_t)i * ny + j) * nt + k] = NAN;
}

static void square(void *user, const double *const *jet, long n, double *out) { for (long i = 0; i < n; i++) out[i] = jet[0][i] * jet[0][i]; }
static void cube(void *user, const double *const *jet, long n, double *out) { for (long i = 0; i < n; i++) out[i] = jet[0][i] * jet[0][i] * jet[0][i]; }
static void tangent(void *user, const double *const *jet, long n, double *out) { for (long i = 0; i < n; i++) out[i] = tanh(jet[0][i]); }
static void sine(void *user, const double *const *jet, long n, double *out) { for (long i = 0; i < n; i++) out[i] = sin(jet[0][i]); }
static void one(void *user, const double *const *jet, long n, double *out) { for (long i = 0; i < n; i++) out[i] = 1; }

static int jet_feature(Hei *hei, const char *key, int i, int j, int k, int l) {
  double linear[HEI_JETS] = {0};
  linear[hei_jet(i, j)] = linear[hei_jet(k, l)] = 1;
  return hei_feature(hei, &(HeiFeature){.key = key, .linear = linear});
}

static int value_feature(Hei *hei, const char *key, void (*values)(void *, const double *const *, long, double *)) {
  return hei_feature(hei, &(HeiFeature){.key = key, .jets = 1, .values = values});
}

typedef struct Term { HeiPart part[3]; HeiField field; double sign; } Term;

static bool term(Hei *hei, const char *name, Term *out) {
  int lap = jet_feature(hei, "uxx+uyy", 2, 0, 0, 2), ux = jet_feature(hei, "ux", 1, 0, 1, 0), uy = jet_feature(hei, "uy", 0, 1, 0, 1), u = jet_feature(hei, "u", 0, 0, 0, 0);
  int uxx = jet_feature(hei, "uxx", 2, 0, 2, 0), uyy = jet_feature(hei, "uyy", 0, 2, 0, 2);
  out->sign = *name == '-' ? -1 : 1;
  name += *name == '-';
  struct { const char *name; int n; HeiPart part[3]; } known[] = {
      {"div", 3, {{0, 0, 1, lap}, {0, 1, 1, uy}, {1, 0, 1, ux}}}, {"lap", 1, {{0, 0, 1, lap}}}, {"dxx", 2, {{0, 0, 1, uxx}, {1, 0, 1, ux}}},
      {"dyy", 2, {{0, 0, 1, uyy}, {0, 1, 1, uy}}}, {"uxx", 1, {{0, 0, 1, uxx}}}, {"uyy", 1, {{0, 0, 1, uyy}}}, {"ux", 1, {{0, 0, 1, ux}}}, {"uy", 1, {{0, 0, 1, uy}}},
      {"u", 1, {{0, 0, 1, u}}}, {"1", 1, {{0, 0, 1, value_feature(hei, "1", one)}}}, {"u^2", 1, {{0, 0, 1, value_feature(hei, "u^2", square)}}},
      {"u^3", 1, {{0, 0, 1, value_feature(hei, "u^3", cube)}}}, {"tanh", 1, {{0, 0, 1, value_feature(hei, "tanh(u)", tangent)}}},
      {"sin", 1, {{0, 0, 1, value_feature(hei, "sin(u)", sine)}}}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(name, known[k].name)) return memcpy(out->part, known[k].part, sizeof out->part), out->field = (HeiField){3, out->part, known[k].n}, true;
  return false;
}

static void compare(const char *name, int n, const HeiFieldEvidence *e, const double *truth, double sign) {
  double error = 0, size = 0, mt = 0, mv = 0, vt = 0, tt = 0, vv = 0, inside = 0, twice = 0;
  for (int i = 0; i < n; i++) mt += truth[i] / n, mv += sign * e->value[i] / n;
  for (int i = 0; i < n; i++) {
    double d = sign * e->value[i] - truth[i], a = truth[i] - mt, b = sign * e->value[i] - mv;
    error += d * d, size += truth[i] * truth[i], vt += a * b, tt += a * a, vv += b * b;
    inside += (fabs(d) < e->deviation[i]) / (double)n, twice += (fabs(d) < 2 * e->deviation[i]) / (double)n;
  }
  printf("  %-5s r %.4f L2 %.4f expected %.4f within 1 sd %.2f 2 sd %.2f", name, vt / sqrt(tt * vv), sqrt(error / size), e->uncertainty, inside, twice);
}

int main(int argc, char **argv) {
  if (argc < 8) return fprintf(stderr, "usage: hei_fields A B NX NY NT TRUTH|- [option]... TERM...\n"), 2;
  int nx = atoi(argv[3]), ny = atoi(argv[4]), nt = atoi(argv[5]), q = nt / 4, next = 7;
  size_t size = (size_t)nx * ny * nt;
  double *t = malloc(sizeof(double) * nt), *u[2], share = 0, color = 0, scattered = 0;
  uint64_t seed = 0;
  HeiOptions options = hei_for_fields;
  HeiSide side = HEI_SIDE_UNKNOWN;
  bool open = false;
  int missing = 0;
  for (; next < argc; next++) {
    if (!strncmp(argv[next], "noise=", 6)) share = atof(argv[next] + 6);
    else if (!strncmp(argv[next], "seed=", 5)) seed = strtoull(argv[next] + 5, NULL, 10);
    else if (!strncmp(argv[next], "field=", 6)) options.field = atoi(argv[next] + 6);
    else if (!strncmp(argv[next], "tests=", 6)) options.tests_space = atoi(argv[next] + 6);
    else if (!strcmp(argv[next], "score")) options = hei_for_scores;
    else if (!strcmp(argv[next], "each")) options.each = true;
    else if (!strcmp(argv[next], "open")) open = true;
    else if (!strcmp(argv[next], "block")) missing |= BLOCK;
    else if (!strcmp(argv[next], "snapshots")) missing |= SNAPSHOTS;
    else if (!strncmp(argv[next], "scattered=", 10)) scattered = atof(argv[next] + 10);
    else if (!strncmp(argv[next], "color=", 6)) color = atof(argv[next] + 6);
    else if (!strncmp(argv[next], "side=", 5)) side = argv[next][5] == 'p' ? HEI_SIDE_PERIODIC : argv[next][6] == 'l' ? HEI_SIDE_ZERO_FLUX : HEI_SIDE_FREE;
    else break;
  }
  for (int k = 0; k < nt; k++) t[k] = k / (nt - 1.);
  for (int w = 0; w < 2; w++) {
    u[w] = read_file(argv[1 + w], size);
    if (share > 0) add_noise(u[w], size, nt, share, color, 1000 * seed + 7919 * w + 17);
    lose(u[w], nx, ny, nt, missing, scattered);
  }
  HeiData data = {nx, ny, {0, open ? 1 - 1. / nx : 1}, {0, open ? 1 - 1. / ny : 1}, {0, q, 2 * q, 3 * q}, t, {u[0], u[1]}, nt, {side, side}};
  options = hei_options_for(&options, &data);
  HeiOutcome outcome;
  clock_t start = clock();
  Hei *hei = hei_open(&data, &options, &outcome);
  if (!hei) return fprintf(stderr, "hei_fields: %s\n", hei_outcome_text(outcome)), 2;
  printf("opened in %.3f s;", (double)(clock() - start) / CLOCKS_PER_SEC);
  for (int w = 0; w < 2; w++) {
    HeiPrepared p;
    hei_prepared(hei, w, &p);
    printf(" noise %.4f of signal, %d modes, correlations %.3f %.3f %.3f, %ld missing (rows dropped %.2f %.2f %.2f), sides %d %d;", p.sigma / p.signal, p.modes,
           p.correlation[0], p.correlation[1], p.correlation[2], p.missing, p.dropped[0], p.dropped[1], p.dropped[2], p.side[0], p.side[1]);
  }
  int nfields = argc - next;
  Term *terms = calloc(nfields + 1, sizeof *terms);
  HeiField *fields = calloc(nfields + 1, sizeof *fields);
  for (int k = 0; k < nfields; k++) {
    if (!term(hei, argv[next + k], &terms[k])) return fprintf(stderr, "hei_fields: no term %s\n", argv[next + k]), 2;
    fields[k] = terms[k].field;
  }
  HeiCandidate law = {fields, nfields, NULL, 0};
  HeiResult result;
  HeiEvidence evidence;
  HeiSealedScore sealed;
  start = clock();
  hei_evaluate(hei, 1, &law, &result);
  if (result.outcome) return fprintf(stderr, "hei_fields: %s\n", hei_outcome_text(result.outcome)), 1;
  double scored = (double)(clock() - start) / CLOCKS_PER_SEC;
  start = clock();
  if ((outcome = hei_evidence(hei, &law, &result, &evidence))) return fprintf(stderr, "hei_fields: %s\n", hei_outcome_text(outcome)), 1;
  double known = (double)(clock() - start) / CLOCKS_PER_SEC;
  if ((outcome = hei_score_sealed(hei, &data, nt, 1, &law, &result, &sealed))) return fprintf(stderr, "hei_fields: %s\n", hei_outcome_text(outcome)), 1;
  printf("\n score %.12g (%.6g %.6g) +- %.4f, ceiling %.4f%s, sealed %.12g +- %.4f; condition %.3g; %.3f s, evidence %.3f s\n", result.error, result.direction[0],
         result.direction[1], result.standard_error, evidence.noise_ceiling, evidence.explained ? "" : " NOT EXPLAINED", sealed.error, sealed.standard_error,
         evidence.pooled.condition, scored, known);
  double *truth = *argv[6] == '-' ? NULL : read_file(argv[6], (size_t)nfields * nx * ny);
  for (int k = 0; k < nfields; k++) {
    const HeiFieldEvidence *e = &evidence.field[k];
    if (truth) compare(argv[next + k], nx * ny, e, truth + (size_t)k * nx * ny, terms[k].sign);
    printf(" smoothness %.3g %.3g dof %.1f difference %.3f stability %.3f r %.4f revealed %.2f%s\n", result.smoothness[0][k], result.smoothness[1][k], e->freedom,
           result.difference[k], e->stability, e->correlation, e->revealed, e->identifiable ? "" : " NOT IDENTIFIABLE");
  }
  hei_evidence_free(&evidence), hei_result_free(&result), hei_close(hei);
  free(t), free(u[0]), free(u[1]), free(terms), free(fields), free(truth);
}
