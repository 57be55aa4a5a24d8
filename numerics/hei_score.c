/* What a law with given fields leaves unexplained in an interval, and how sure that number is. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hei_fit.h"
#include "hei_lapack.h"

/* Blocks of neighbouring test functions: functions three apart overlap by a thousandth. */
enum { BLOCK = 3, REPLICATES = 400 };

void hei_residual(Hei *hei, const HeiLaw *law, const double *coefficients, int trajectory, int interval, int rows, double *out) {
  memcpy(out, hei_rows(hei, HEI_RATE, trajectory, interval), sizeof(double) * rows);
  if (law->known >= 0) cblas_daxpy(rows, -1, hei_rows(hei, law->known, trajectory, interval), 1, out, 1);
  for (int k = 0; k < law->nfields; k++) {
    int n = hei->term[law->term[k]].n;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, rows, n, -1, hei_rows(hei, law->term[k], trajectory, interval), n, coefficients, 1, 1, out, 1);
    coefficients += n;
  }
}

/* ---- standard error ---------------------------------------------------------------------------------------------------------------------------------------- */

/* Inner tests in space, summed over time: squares of the residual and of u_t, over all blocks of tests, which go around at the ends so that each test is in as
 * many of them (the circular block bootstrap: Politis and Romano, 1992). */
typedef struct Blocks { int n, draws; double *square, *null; } Blocks;

static int wrap(int k, int n) { return k % n; }

static Blocks blocks_open(const Hei *hei, const double *residual, const double *rate) {
  int mx = hei->weak[0].ntests, my = hei->weak[1].ntests, sx = mx > 2, sy = my > 2, nx = mx - 2 * sx, ny = my - 2 * sy, bx = nx < BLOCK ? nx : BLOCK, by = ny < BLOCK ? ny : BLOCK;
  Blocks blocks = {nx * ny, (nx * ny + bx * by - 1) / (bx * by), calloc(nx * ny, sizeof(double)), calloc(nx * ny, sizeof(double))};
  double *square = calloc(2 * (size_t)nx * ny, sizeof(double)), *null = square + nx * ny;
  for (int k = 0; k < hei->ntime; k++)
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++) {
        int row = hei->place[(k * mx + i + sx) * my + j + sy];
        square[i * ny + j] += residual[row] * residual[row], null[i * ny + j] += rate[row] * rate[row];
      }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int a = 0; a < bx; a++)
        for (int b = 0; b < by; b++) {
          int from = wrap(i + a, nx) * ny + wrap(j + b, ny);
          blocks.square[i * ny + j] += square[from], blocks.null[i * ny + j] += null[from];
        }
  free(square);
  return blocks;
}

static uint64_t next_random(uint64_t *state) {      /* SplitMix64: Steele, Lea and Flood (2014) */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

double hei_uniform(uint64_t *state) { return ((next_random(state) >> 11) + 0.5) * 0x1p-53; }

static double standard_error(const Blocks blocks[2]) {
  uint64_t state = 0;
  double sum = 0, sum_of_squares = 0;
  for (int replicate = 0; replicate < REPLICATES; replicate++) {
    double mean = 0;
    for (int w = 0; w < 2; w++) {
      double square = 0, null = 0;
      for (int k = 0; k < blocks[w].draws; k++) {
        int block = (int)(hei_uniform(&state) * blocks[w].n);
        square += blocks[w].square[block], null += blocks[w].null[block];
      }
      if (null > 0) mean += square / null / 2;
    }
    sum += sqrt(mean), sum_of_squares += mean;
  }
  return sqrt(fmax(sum_of_squares - sum * sum / REPLICATES, 0) / (REPLICATES - 1));
}

/* ---- score ------------------------------------------------------------------------------------------------------------------------------------------------- */

HeiOutcome hei_score(Hei *hei, const HeiLaw *law, int interval, double *const coefficients[2], double *error, double direction[2], double *deviation) {
  int rows = hei->ninner;
  Blocks blocks[2] = {{0}, {0}};
  HeiOutcome outcome = HEI_OK;
  double *rest = malloc(sizeof(double) * rows);
  for (int w = 0; w < 2; w++) {
    const double *rate = hei_rows(hei, HEI_RATE, 1 - w, interval);
    double null = cblas_ddot(rows, rate, 1, rate, 1);
    hei_residual(hei, law, coefficients[w], 1 - w, interval, rows, rest);
    direction[w] = sqrt(cblas_ddot(rows, rest, 1, rest, 1) / null);
    if (!(null > 0)) outcome = HEI_CONSTANT;
    else if (!isfinite(direction[w])) outcome = HEI_NOT_FINITE;
    blocks[w] = blocks_open(hei, rest, rate);
  }
  if (!outcome) {
    *error = sqrt((direction[0] * direction[0] + direction[1] * direction[1]) / 2);
    *deviation = standard_error(blocks);
  }
  for (int w = 0; w < 2; w++) free(blocks[w].square), free(blocks[w].null);
  free(rest);
  return outcome;
}
