/* Random numbers and random fields by seeds. Number k of a sequence depends on the seed and on k alone (design.h), so the same script has the same ones on
 * every machine, on any number of processes and after any change elsewhere in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/design.h"
#include "builtin.h"

enum { NUMBERS_MOST = 10000000, WAVES_MOST = 2000 };

static bool whole(Call *call, int at, const char *what, double least, double most, double fallback, double *out) {
  *out = ARG(at) ? ARG(at)->number : fallback;
  if (*out >= least && *out <= most) return true;
  diag_report(&call->ev->host->diags, E0506, call->spans[at], "%s is from %.0f to %.0f, not %g", what, least, most, *out);
  return false;
}

static bool all_known(const Call *call, int n) {
  for (int k = 0; k < n; k++)
    if (ARG(k) && is_unknown(ARG(k))) return false;
  return true;
}

/* --- random_numbers --- */

enum { N_COUNT, N_KIND, N_RANGE, N_SEED };

static Value *run_random_numbers(Call *call) {
  const char *kind = !ARG(N_KIND) ? "uniform" : ARG(N_KIND)->kind == VALUE_WORD ? ARG(N_KIND)->word : ARG(N_KIND)->text;
  bool normal = !strcmp(kind, "normal");
  double count, seed;
  if (!normal && strcmp(kind, "uniform")) {
    diag_suggest(diag_report(&call->ev->host->diags, E0506, call->spans[N_KIND], "no kind of random numbers is called `%s`", kind), "it is uniform, over range:, or normal, of mean 0 and deviation 1");
    return value_poison();
  }
  if (normal && ARG(N_RANGE)) {
    diag_report(&call->ev->host->diags, E0515, call->spans[N_RANGE], "normal numbers have no range: they have mean 0 and deviation 1");
    return value_poison();
  }
  if (!all_known(call, 4)) return value_unknown();
  if (!whole(call, N_COUNT, "a count", 1, NUMBERS_MOST, 1, &count) || !whole(call, N_SEED, "a seed", 0, 0x1p53, 1, &seed)) return value_poison();
  double lo = ARG(N_RANGE) ? ARG(N_RANGE)->from : 0, hi = ARG(N_RANGE) ? ARG(N_RANGE)->to : 1;
  Unit unit = ARG(N_RANGE) ? ARG(N_RANGE)->range_unit : UNIT_NONE;
  Value *list = value_new(VALUE_LIST);
  list->items = calloc((size_t)count, sizeof *list->items);
  for (int k = 0; k < (int)count; k++) {
    Draw draw = draw_open((uint64_t)seed, 0, (uint64_t)k);
    list->items[list->n++] = value_number(normal ? draw_normal(&draw) : draw_between(&draw, lo, hi), unit);
  }
  return list;
}

/* --- sums of waves --- */

typedef struct Wave { double a, k[3], phase, omega; } Wave;      /* a cos(k.x + phase) cos(omega t) */

static Expr *wave_expr(Host *host, const Wave *w, int dim) {
  ExprPool *pool = host->pool;
  Unit length = host_length_unit(host), time = host_time_unit(host);
  Expr *angle = expr_const(pool, w->phase, UNIT_NONE);
  for (int i = 0; i < dim; i++)
    angle = expr_binary(pool, EXPR_ADD, angle, expr_binary(pool, EXPR_MUL, expr_const(pool, w->k[i], unit_div(UNIT_NONE, length)), expr_coord(pool, i, length)));
  Expr *e = expr_binary(pool, EXPR_MUL, expr_const(pool, w->a, UNIT_NONE), expr_unary(pool, EXPR_COS, angle));
  if (!(w->omega > 0)) return e;
  Expr *turn = expr_binary(pool, EXPR_MUL, expr_const(pool, w->omega, unit_div(UNIT_NONE, time)), expr_time(pool, time));
  return expr_binary(pool, EXPR_MUL, e, expr_unary(pool, EXPR_COS, turn));
}

/* By halves, so that the expression is no deeper than the logarithm of their number. */
static Expr *wave_sum(Host *host, const Wave *w, int n, int dim) {
  if (n == 1) return wave_expr(host, w, dim);
  return expr_binary(host->pool, EXPR_ADD, wave_sum(host, w, n / 2, dim), wave_sum(host, w + n / 2, n - n / 2, dim));
}

/* A direction without preference: normal numbers, normalised; nothing but a square root. */
static void draw_direction(Draw *draw, int dim, double *out) {
  double square = 0;
  for (int i = 0; i < dim; i++) out[i] = draw_normal(draw), square += out[i] * out[i];
  for (int i = 0; i < dim; i++) out[i] /= sqrt(square);
}

static bool read_dim(Call *call, int at, int *dim) {
  double n;
  if (!whole(call, at, "a dimension", 1, 3, 2, &n)) return false;
  *dim = (int)n;
  return true;
}

/* --- random_field --- */

enum { F_LENGTH, F_SEED, F_MODES, F_DIM };

static Value *run_random_field(Call *call) {
  Host *host = call->ev->host;
  double length = 1, seed = 1, modes = 1;
  int dim = 2;
  if (!all_known(call, 4)) return value_unknown();
  if (!eval_to_number(call->ev, ARG(F_LENGTH), call->spans[F_LENGTH], "a correlation length", host_length_unit(host), &length)) return value_poison();
  if (!(length > 0)) {
    diag_report(&host->diags, E0506, call->spans[F_LENGTH], "a correlation length is positive, not %g", length);
    return value_poison();
  }
  if (!whole(call, F_SEED, "a seed", 0, 0x1p53, 1, &seed) || !whole(call, F_MODES, "a number of modes", 1, WAVES_MOST, 200, &modes) || !read_dim(call, F_DIM, &dim)) return value_poison();
  int n = (int)modes;
  Wave *wave = calloc((size_t)n, sizeof *wave);
  for (int m = 0; m < n; m++) {
    Draw draw = draw_open((uint64_t)seed, 1, (uint64_t)m);
    wave[m].a = draw_normal(&draw) * sqrt(2.0 / n);
    wave[m].phase = draw_between(&draw, 0, 2 * PI);
    for (int i = 0; i < dim; i++) wave[m].k[i] = draw_normal(&draw) / length;
  }
  Value *v = value_field(wave_sum(host, wave, n, dim), NULL);
  free(wave);
  return v;
}

/* --- random_waves --- */

enum { W_COUNT, W_WAVENUMBER, W_FREQUENCY, W_SEED, W_DIM };

static bool read_cycles(Call *call, int at, const char *what, Unit unit, double *lo, double *hi) {
  *lo = *hi = 0;
  if (!ARG(at)) return true;
  *lo = ARG(at)->from, *hi = ARG(at)->to;
  if (!unit_fits(ARG(at)->range_unit, unit)) {
    Buf want = {0};
    unit_print(&want, unit);
    diag_report(&call->ev->host->diags, E0302, call->spans[at], "%s carries %s", what, unit_is_none(unit) ? "no unit here" : buf_str(&want));
    buf_free(&want);
    return false;
  }
  if (*lo >= 0 && *hi >= *lo) return true;
  diag_report(&call->ev->host->diags, E0506, call->spans[at], "%s goes from a number that is not negative upwards", what);
  return false;
}

static Value *run_random_waves(Call *call) {
  Host *host = call->ev->host;
  double count, seed, k0, k1, f0, f1;
  int dim;
  if (!all_known(call, 5)) return value_unknown();
  if (!whole(call, W_COUNT, "a number of waves", 1, WAVES_MOST, 1, &count) || !whole(call, W_SEED, "a seed", 0, 0x1p53, 1, &seed) || !read_dim(call, W_DIM, &dim) ||
      !read_cycles(call, W_WAVENUMBER, "a wavenumber", unit_div(UNIT_NONE, host_length_unit(host)), &k0, &k1) ||
      !read_cycles(call, W_FREQUENCY, "a frequency", unit_div(UNIT_NONE, host_time_unit(host)), &f0, &f1))
    return value_poison();
  int n = (int)count;
  Wave *wave = calloc((size_t)n, sizeof *wave);
  for (int m = 0; m < n; m++) {
    Draw draw = draw_open((uint64_t)seed, 2, (uint64_t)m);
    double k = 2 * PI * draw_between(&draw, k0, k1);
    draw_direction(&draw, dim, wave[m].k);
    for (int i = 0; i < dim; i++) wave[m].k[i] *= k;
    wave[m].phase = draw_between(&draw, 0, 2 * PI);
    wave[m].a = draw_normal(&draw) * sqrt(2.0 / n);
    wave[m].omega = 2 * PI * draw_between(&draw, f0, f1);
  }
  Value *v = value_field(wave_sum(host, wave, n, dim), NULL);
  free(wave);
  return v;
}

const BuiltinRow builtin_random[] = {
    {"random_numbers", "(count: int, kind: word = uniform, range: range = 0..1, seed: int = 1) -> list", "random",
     "Random numbers: kind: uniform over range:, whose unit they carry, or normal, of mean 0 and deviation 1. Number k depends on the seed and on k alone, to the last bit on every machine.",
     "print(random_numbers(3, seed: 7)[1] == random_numbers(2, seed: 7)[1]) -> true", run_random_numbers},
    {"random_field", "(length: number, seed: int = 1, modes: int = 200, dim: int = 2) -> field", "random",
     "A smooth Gaussian random field of mean 0 and variance 1 over all its draws, with the covariance exp(-r^2/(2 length^2)): a sum of cosines with normal amplitudes and wave vectors (Shinozuka and Deodatis 1991). "
     "exp(s*random_field(0.2, seed: 3)) is log-normal. Where it is evaluated often, interpolate it once: project(f, m).u.",
     "print(certified_range(random_field(0.3, modes: 1), x: 0..1, y: 0..1)[1] < 5) -> true", run_random_field},
    {"random_waves", "(count: int, wavenumber: range, frequency: range = none, seed: int = 1, dim: int = 2) -> field", "random",
     "A sum of plane waves sqrt(2/count) sum a cos(k.x + p) cos(w t) of random amplitudes (normal), phases and directions; |k|/2pi is uniform in wavenumber:, cycles a unit of length, w/2pi in frequency:, cycles a unit of time. An excitation "
     "that reveals coefficients everywhere.",
     "field g = random_waves(14, wavenumber: 0.6..2.4, frequency: 0..1.2, seed: 1000)", run_random_waves},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
