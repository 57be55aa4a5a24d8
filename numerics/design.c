#include "design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict.h"

/* ---- numbers by counter ------------------------------------------------------------------------------------------------------------------------- */

void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
  for (int round = 0; round < 10; round++) {
    uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
    uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1], (uint32_t)a};
    memcpy(c, next, sizeof c);
    k[0] += 0x9E3779B9u, k[1] += 0xBB67AE85u;
  }
  memcpy(out, c, sizeof c);
}

Draw draw_open(uint64_t seed, uint32_t stream, uint64_t index) { return (Draw){seed, index, stream, 0}; }

static void bits(Draw *draw, uint32_t out[4]) {
  philox((uint32_t[]){draw->at++, draw->stream, (uint32_t)draw->index, (uint32_t)(draw->index >> 32)}, (uint32_t[]){(uint32_t)draw->seed, (uint32_t)(draw->seed >> 32)}, out);
}

double draw_uniform(Draw *draw) {
  uint32_t b[4];
  bits(draw, b);
  return (double)(((uint64_t)b[0] << 32 | b[1]) >> 11) * 0x1p-53;
}

double draw_between(Draw *draw, double lo, double hi) {
  double u = draw_uniform(draw);
  return lo + u * (hi - lo);
}

double draw_exponential(Draw *draw) { return -log1p(-draw_uniform(draw)); }
int draw_below(Draw *draw, int n) { return (int)(draw_uniform(draw) * n); }
double draw_sign(Draw *draw) { return draw_uniform(draw) < 0.5 ? -1 : 1; }

/* ---- Sobol ------------------------------------------------------------------------------------------------------------------------------------------ */

typedef struct SobolRow { uint8_t s, a; uint16_t m[9]; } SobolRow;
static const SobolRow sobol_rows[SOBOL_DIMS - 1] = {
#define SOBOL(s, a, ...) {s, a, {__VA_ARGS__}},
#include "design_sobol.def"
#undef SOBOL
};

/* Point `index` of coordinate `dim`: the exclusive or of the directions at the bits of index (not in Gray code order: any point at once). */
static uint32_t sobol(int dim, uint32_t index) {
  uint32_t v[32], x = 0;
  int used = 0;
  for (uint32_t i = index; i; i >>= 1) used++;
  for (int i = 0; i < used && !dim; i++) v[i] = 1u << (31 - i);
  if (dim) {
    const SobolRow *row = &sobol_rows[dim - 1];
    int s = row->s;
    for (int i = 0; i < used; i++) {
      if (i < s) {
        v[i] = (uint32_t)row->m[i] << (31 - i);
        continue;
      }
      v[i] = v[i - s] ^ v[i - s] >> s;
      for (int k = 1; k < s; k++)
        if (row->a >> (s - 1 - k) & 1) v[i] ^= v[i - k];
    }
  }
  for (int i = 0; i < used; i++)
    if (index >> i & 1) x ^= v[i];
  return x;
}

static uint32_t reversed(uint32_t x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return __builtin_bswap32(x);
}

/* Owen's nested uniform scrambling by a hash (Laine and Karras; constants of Burley, Practical hash-based Owen scrambling, JCGT 9, 2020). */
static uint32_t scrambled(uint32_t x, uint32_t seed) {
  x = reversed(x) + seed;
  x ^= x * 0x6c50b47cu, x ^= x * 0xb82f1e52u, x ^= x * 0xc7afe638u, x ^= x * 0x8d22f6e6u;
  return reversed(x);
}

static const uint32_t STREAM_SCRAMBLE = 0xfffffff0u, STREAM_ORDER = 0xfffffff1u, STREAM_PLACE = 0xfffffff2u;      /* beyond all probes */

static double sobol_number(const Design *design, long index, int dim) {
  uint32_t x = sobol(dim, (uint32_t)index), key[4];
  if (!design->scramble) return x * 0x1p-32;
  Draw draw = draw_open(design->seed, STREAM_SCRAMBLE, (uint64_t)dim);
  bits(&draw, key);
  Draw below = draw_open(design->seed, STREAM_SCRAMBLE, (uint64_t)index << 8 | (uint64_t)dim | 1ull << 62);
  return (scrambled(x, key[0]) + draw_uniform(&below)) * 0x1p-32;      /* the digits beyond 32 are random */
}

/* ---- Latin hypercube ------------------------------------------------------------------------------------------------------------------------------------ */

/* A permutation of 0..n-1 that needs no table: a Feistel network on the next even number of bits, walked until it falls below n. */
static uint64_t permuted(uint64_t seed, int dim, uint64_t index, uint64_t n) {
  int half = 1;
  while ((1ull << 2 * half) < n) half++;
  uint32_t mask = (uint32_t)((1ull << half) - 1);
  do {
    uint32_t left = (uint32_t)(index >> half), right = (uint32_t)index & mask, hash[4];
    for (uint32_t round = 0; round < 6; round++) {
      philox((uint32_t[]){right, (uint32_t)dim, round, STREAM_ORDER}, (uint32_t[]){(uint32_t)seed, (uint32_t)(seed >> 32)}, hash);
      uint32_t next = left ^ (hash[0] & mask);
      left = right, right = next;
    }
    index = (uint64_t)left << half | right;
  } while (index >= n);
  return index;
}

/* ---- designs ---------------------------------------------------------------------------------------------------------------------------------------------- */

static long grid_side(const Design *design) {
  long m = 1;
  for (;; m++) {
    double all = 1;
    for (int d = 0; d < design->dim; d++) all *= (double)(m + 1);
    if (all > (double)design->n) return m;
  }
}

long design_size(const Design *design) {
  if (design->kind != DESIGN_GRID) return design->n;
  long m = grid_side(design), all = 1;
  for (int d = 0; d < design->dim; d++) all *= m;
  return all;
}

void design_point(const Design *design, long index, double *u) {
  Draw draw = draw_open(design->seed, STREAM_PLACE, (uint64_t)index);
  long side = design->kind == DESIGN_GRID ? grid_side(design) : 1, rest = index;
  for (int d = 0; d < design->dim; d++) {
    double random = draw_uniform(&draw);
    if (design->kind == DESIGN_GRID) {
      u[d] = side > 1 ? (double)(rest % side) / (double)(side - 1) : 0.5;
      rest /= side;
    } else if (design->kind == DESIGN_LHS)
      u[d] = ((double)permuted(design->seed, d, (uint64_t)(index % design->n), (uint64_t)design->n) + random) / (double)design->n;
    else u[d] = design->kind == DESIGN_SOBOL && d < SOBOL_DIMS ? sobol_number(design, index, d) : random;
  }
}

bool design_kind(const char *name, DesignKind *out) {
  static const char *names[] = {"sobol", "lhs", "random", "grid"};
  for (int k = 0; k < 4; k++)
    if (!strcmp(name, names[k])) {
      *out = (DesignKind)k;
      return true;
    }
  return false;
}

/* ---- mixtures ------------------------------------------------------------------------------------------------------------------------------------------------ */

MixtureDraw mixture_draw(Draw *draw, int rule, int nbank) {
  MixtureDraw out = {.n = rule == MIXTURE_NONE ? 1 : 1 + draw_below(draw, nbank < MIXTURE_MEMBERS ? nbank : MIXTURE_MEMBERS)};
  double sum = rule == MIXTURE_BALANCED ? draw_exponential(draw) : 0;      /* the slack to 1 is one more share */
  for (int k = 0; k < out.n; k++) {
    bool again = true;
    while (again) {
      out.member[k] = draw_below(draw, nbank);
      again = false;
      for (int i = 0; i < k; i++) again = again || out.member[i] == out.member[k];
    }
    sum += out.a[k] = draw_exponential(draw);
  }
  for (int k = 0; k < out.n; k++) out.a[k] = rule == MIXTURE_NONE ? 1 : sum > 0 ? out.a[k] / sum : 1.0 / out.n;
  for (int k = 0; k < out.n && rule == MIXTURE_BALANCED; k++) out.a[k] *= draw_sign(draw);
  return out;
}

void mixture_apply(const MixtureDraw *mixture, const double *bank, int width, double *out) {
  memset(out, 0, sizeof(double) * (size_t)width);
  for (int k = 0; k < mixture->n; k++)
    for (int i = 0; i < width; i++) out[i] += mixture->a[k] * bank[(size_t)mixture->member[k] * (size_t)width + (size_t)i];
}

static int falling(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* The threshold t with sum max(v - t, 0) = 1. */
static double threshold(const double *v, int n) {
  double *sorted = malloc(sizeof(double) * (size_t)n), sum = 0, t = 0;
  memcpy(sorted, v, sizeof(double) * (size_t)n);
  qsort(sorted, (size_t)n, sizeof *sorted, falling);
  for (int k = 0; k < n; k++) {
    sum += sorted[k];
    if (sorted[k] - (sum - 1) / (k + 1) > 0) t = (sum - 1) / (k + 1);
  }
  free(sorted);
  return t;
}

void mixture_project(int rule, double *a, int n) {
  if (rule == MIXTURE_NONE) {
    int best = 0;
    for (int k = 1; k < n; k++) if (a[k] > a[best]) best = k;
    for (int k = 0; k < n; k++) a[k] = k == best;
    return;
  }
  double *size = malloc(sizeof(double) * (size_t)n), sum = 0;
  for (int k = 0; k < n; k++) sum += size[k] = rule == MIXTURE_CONVEX ? a[k] : fabs(a[k]);
  if (rule == MIXTURE_CONVEX || sum > 1) {
    double t = threshold(size, n);
    for (int k = 0; k < n; k++) {
      double left = fmax(size[k] - t, 0);
      a[k] = rule == MIXTURE_CONVEX ? left : copysign(left, a[k]);
    }
  }
  free(size);
}
