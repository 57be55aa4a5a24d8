/* Weak rows. The derivatives of the smoothed u are exact, so nothing is integrated by parts and tests may overlap the sides; sums over the nodes are done
 * an axis at a time. Row (theta, psi_i, psi_j) of a field's operator has at coefficient (p, r)
 *   sum_xyt theta(t) psi_i(x) psi_j(y) sum_(a,b) phi_p^(a)(x) phi_r^(b)(y) g_ab(x, y, t). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_internal.h"
#include "hei_lapack.h"
#include "hei_spline.h"

enum { CUBIC = 3, TRIM = 2, TRIM_KNOWN = 1 };       /* tests centred outside are left out, and those at a side that is not known: derivatives are worst there */
static const double LOST = 0.1, KEPT = 0.25;        /* of a test's mass where values are lost; of an interval's rows, or it says nothing */

/* ---- bases ------------------------------------------------------------------------------------------------------------------------------------------------- */

/* Cubic B-splines on the nodes, `trim` of them left out at either end, each of norm 1. */
static double *tests(int intervals, int trim, double a, double b, int n, const double *x, int *count) {
  int all = intervals + CUBIC;
  double *basis = malloc(sizeof(double) * n * all);
  hei_spline(intervals, CUBIC, 0, a, b, n, x, basis);
  *count = all - 2 * trim;
  double *test = malloc(sizeof(double) * *count * n);
  for (int k = 0; k < *count; k++) {
    for (int i = 0; i < n; i++) test[(size_t)k * n + i] = basis[(size_t)i * all + k + trim];
    cblas_dscal(n, 1 / cblas_dnrm2(n, test + (size_t)k * n, 1), test + (size_t)k * n, 1);
  }
  free(basis);
  return test;
}

/* The pairs of a test and a field function that meet at some node: two of three. */
static void find_pairs(HeiWeakAxis *axis, int in) {
  int q = axis->nfield[in], *next;
  axis->pair[in] = malloc(sizeof *axis->pair[in] * axis->ntests * q);
  for (int i = 0; i < axis->ntests; i++)
    for (int p = 0; p < q; p++) {
      bool meet = false;
      for (int x = 0; x < axis->n && !meet; x++) meet = axis->test[(size_t)i * axis->n + x] != 0 && axis->field[in][(size_t)x * q + p] != 0;
      if (meet) next = axis->pair[in][axis->npairs[in]++], next[0] = i, next[1] = p;
    }
}

static double *product(const HeiWeakAxis *axis, int in, const double *field) {
  double *out = malloc(sizeof(double) * axis->npairs[in] * axis->n), *at = out;
  for (int k = 0; k < axis->npairs[in]; k++)
    for (int x = 0; x < axis->n; x++) *at++ = axis->test[(size_t)axis->pair[in][k][0] * axis->n + x] * field[(size_t)x * axis->nfield[in] + axis->pair[in][k][1]];
  return out;
}

static void weak_axis_open(HeiWeakAxis *axis, const HeiOptions *options, HeiFold fold, double a, double b, int n, const double *x) {
  int q = n == 1 ? 1 : options->field + CUBIC;
  double *derivative = calloc((size_t)n * q, sizeof(double));
  *axis = (HeiWeakAxis){.n = n, .ntests = 1, .nfield = {1, q}};
  axis->field[0] = malloc(sizeof(double) * n), axis->field[1] = malloc(sizeof(double) * n * q);
  for (int i = 0; i < n; i++) axis->field[0][i] = 1;
  axis->bend = calloc((size_t)q * q, sizeof(double)), axis->mass = malloc(sizeof(double) * q * q), axis->slope = calloc((size_t)q * q, sizeof(double));
  if (n == 1) axis->field[1][0] = axis->mass[0] = 1, (axis->test = malloc(sizeof(double)))[0] = 1;
  else {
    axis->test = tests(options->tests_space, fold ? TRIM_KNOWN : TRIM, a, b, n, x, &axis->ntests);
    hei_spline(options->field, CUBIC, 0, a, b, n, x, axis->field[1]);
    hei_penalty(q, 2, axis->bend), hei_penalty(q, 1, axis->slope);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, q, q, n, (double)q / n, axis->field[1], q, axis->field[1], q, 0, axis->mass, q);
  }
  find_pairs(axis, 0), find_pairs(axis, 1);
  axis->product[0][0] = product(axis, 0, axis->field[0]);
  for (int k = 0; k < 3; k++) {
    if (n == 1) derivative[0] = k == 0;
    else hei_spline(options->field, CUBIC, k, a, b, n, x, derivative);
    axis->product[1][k] = product(axis, 1, derivative);
  }
  free(derivative);
}

static void weak_axis_close(HeiWeakAxis *axis) {
  free(axis->test), free(axis->field[0]), free(axis->field[1]), free(axis->bend), free(axis->mass), free(axis->slope), free(axis->product[0][0]), free(axis->pair[0]), free(axis->pair[1]);
  for (int k = 0; k < 3; k++) free(axis->product[1][k]);
}

/* |second differences|^2 in either direction and twice the mixed one, of mean diagonal 1. */
static double *penalty(const HeiWeakAxis *x, const HeiWeakAxis *y, unsigned domain) {
  int p = x->nfield[!!(domain & HEI_X)], q = y->nfield[!!(domain & HEI_Y)], n = p * q;
  double *out = malloc(sizeof(double) * n * n), trace = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int a = i / q * p + j / q, b = i % q * q + j % q;
      out[(size_t)i * n + j] = domain == HEI_X ? x->bend[a] : domain == HEI_Y ? y->bend[b]
                                               : x->bend[a] * y->mass[b] + x->mass[a] * y->bend[b] + 2 * x->slope[a] * y->slope[b];
    }
  for (int i = 0; i < n; i++) trace += out[(size_t)i * n + i];
  cblas_dscal(n * n, n / trace, out, 1);
  return out;
}

/* ---- weights ----------------------------------------------------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(int n, const double *value) {
  double *copy = malloc(sizeof(double) * n), middle;
  memcpy(copy, value, sizeof(double) * n);
  qsort(copy, n, sizeof(double), ascending);
  middle = (copy[(n - 1) / 2] + copy[n / 2]) / 2;
  free(copy);
  return middle;
}

/* out[ntests][nbasis]: the tests of an axis against derivative `order` of the smoother's basis. */
static double *against(const HeiWeakAxis *weak, const HeiAxis *axis, int order) {
  double *out = malloc(sizeof(double) * weak->ntests * axis->nbasis);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, weak->ntests, axis->nbasis, axis->n, 1, weak->test, axis->n, axis->u[order], axis->nbasis, 0, out, axis->nbasis);
  return out;
}

/* out[ntime][tests][tests] += factor * sum_abc f_abc^2 X_ia Y_jb T_kc^2, with X = x1*x2 and Y = y1*y2: a variance of rows, since the filtered noise is
 * white in the smoother's coefficients. */
static void variance(const Hei *hei, const double *square, const double *x1, const double *x2, const double *y1, const double *y2, const double *time, double factor,
                     double *out) {
  int na = hei->axis[0].nbasis, nb = hei->axis[1].nbasis, nc = hei->axis[2].nbasis, mx = hei->weak[0].ntests, my = hei->weak[1].ntests, mt = hei->ntime;
  double *x = malloc(sizeof(double) * mx * na), *y = malloc(sizeof(double) * my * nb), *t = malloc(sizeof(double) * mt * nc),
         *slices = malloc(sizeof(double) * mt * na * nb), *half = malloc(sizeof(double) * mx * nb);
  for (int k = 0; k < mx * na; k++) x[k] = x1[k] * x2[k];
  for (int k = 0; k < my * nb; k++) y[k] = y1[k] * y2[k];
  for (int k = 0; k < mt * nc; k++) t[k] = time[k] * time[k];
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, mt, na * nb, nc, factor, t, nc, square, nc, 0, slices, na * nb);
  for (int k = 0; k < mt; k++) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, mx, nb, na, 1, x, na, slices + (size_t)k * na * nb, nb, 0, half, nb);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, mx, my, nb, 1, half, nb, y, nb, 1, out + (size_t)k * mx * my, my);
  }
  free(x), free(y), free(t), free(slices), free(half);
}

/* Rows whose test looks at values that are lost weigh nothing. */
static void drop_rows(Hei *hei, int trajectory, int interval) {
  double *share = malloc(sizeof(double) * hei->nrows), dropped = 0;
  hei_lost_rows(hei, trajectory, interval, share);
  for (int k = 0; k < hei->nrows; k++)
    if (share[k] > LOST) hei->weight[trajectory][interval][hei->place[k]] = 0, dropped++;
  if (interval < HEI_INTERVALS) hei->prepared[trajectory].dropped[interval] = dropped / hei->nrows;
  free(share);
}

/* The inverse square root of the rows' noise in u_t and in lap u, each relative to its median: the same for all candidates. */
static void weigh(Hei *hei, int trajectory) {
  int na = hei->axis[0].nbasis, nb = hei->axis[1].nbasis, nc = hei->axis[2].nbasis, n = hei->nrows;
  double *square = malloc(sizeof(double) * na * nb * nc), *rate = malloc(sizeof(double) * n), *laplace = malloc(sizeof(double) * n);
  double *x0 = against(&hei->weak[0], &hei->axis[0], 0), *x2 = against(&hei->weak[0], &hei->axis[0], 2), *y0 = against(&hei->weak[1], &hei->axis[1], 0),
         *y2 = against(&hei->weak[1], &hei->axis[1], 2);
  for (int a = 0, k = 0; a < na; a++)
    for (int b = 0; b < nb; b++)
      for (int c = 0; c < nc; c++, k++) square[k] = pow(hei_filter(&hei->smooth[trajectory], a, b, c), 2);
  for (int interval = 0; interval < hei->nintervals; interval++) {
    double *const *time = hei->time[interval], *weight = hei->weight[trajectory][interval] = malloc(sizeof(double) * n), mean = 0;
    memset(rate, 0, sizeof(double) * n), memset(laplace, 0, sizeof(double) * n);
    variance(hei, square, x0, x0, y0, y0, time[1], 1, rate);
    variance(hei, square, x2, x2, y0, y0, time[0], 1, laplace);
    variance(hei, square, x0, x0, y2, y2, time[0], 1, laplace);
    variance(hei, square, x2, x0, y0, y2, time[0], 2, laplace);
    double rate_median = median(n, rate), laplace_median = median(n, laplace);
    for (int k = 0; k < n; k++) rate[k] = rate[k] / rate_median + laplace[k] / laplace_median, mean += rate[k] / n;
    for (int k = 0; k < n; k++) weight[hei->place[k]] = 1 / sqrt(rate[k] / mean);
    if (hei->lost[trajectory]) drop_rows(hei, trajectory, interval);
  }
  free(square), free(rate), free(laplace), free(x0), free(x2), free(y0), free(y2);
}

/* ---- opening ----------------------------------------------------------------------------------------------------------------------------------------------- */

/* Rows in the order time, x, y; those whose test is next to a side come after all others. */
static void place_rows(Hei *hei) {
  int mx = hei->weak[0].ntests, my = hei->weak[1].ntests, next = 0;
  hei->nrows = hei->ntime * mx * my;
  hei->place = malloc(sizeof(int) * hei->nrows);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < hei->nrows; k++) {
      int i = k / my % mx, j = k % my;
      if ((i == 0 || i == mx - 1 || (my > 1 && (j == 0 || j == my - 1))) == side) hei->place[k] = next++;
    }
    if (!side) hei->ninner = next;
  }
}

HeiOutcome hei_weak_open(Hei *hei, const HeiData *data) {
  int nc = hei->axis[2].nbasis;
  for (int d = 0; d < 2; d++) {
    int n = hei->axis[d].n;
    const double *ends = d ? data->y : data->x;
    double *x = malloc(sizeof(double) * n);
    for (int i = 0; i < n; i++) x[i] = n > 1 ? ends[0] + (ends[1] - ends[0]) * i / (n - 1) : 0;
    weak_axis_open(&hei->weak[d], &hei->options, hei->axis[d].fold, ends[0], ends[1], n, x);
    free(x);
  }
  for (int k = 0; k < hei->nintervals; k++) {
    int first = hei->start[k], n = hei->start[k + 1] - first;
    hei->theta[k] = tests(hei->options.tests_time, 0, data->t[first], data->t[first + n - 1], n, data->t + first, &hei->ntime);
    for (int order = 0; order < 2; order++) {
      hei->time[k][order] = malloc(sizeof(double) * hei->ntime * nc);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, hei->ntime, nc, n, 1, hei->theta[k], n, hei->axis[2].u[order] + (size_t)first * nc, nc, 0,
                  hei->time[k][order], nc);
    }
  }
  place_rows(hei);
  for (int w = 0; w < 2; w++) {
    weigh(hei, w);
    free(hei->lost[w]), hei->lost[w] = NULL;
  }
  for (unsigned domain = 1; domain < 4; domain++)
    if (hei->axis[1].n > 1 || domain == HEI_X) hei->penalty[domain] = penalty(&hei->weak[0], &hei->weak[1], domain);
  for (int w = 0; w < 2; w++)
    for (int k = 0; k < HEI_INTERVALS; k++)
      if (hei->prepared[w].dropped[k] > 1 - KEPT) return HEI_MISSING;
  return HEI_OK;
}

void hei_weak_close(Hei *hei) {
  for (int d = 0; d < 2; d++) weak_axis_close(&hei->weak[d]);
  for (int k = 0; k < HEI_ALL_INTERVALS; k++) free(hei->theta[k]), free(hei->time[k][0]), free(hei->time[k][1]), free(hei->weight[0][k]), free(hei->weight[1][k]);
  for (int k = 0; k < 4; k++) free(hei->penalty[k]);
  for (int k = 0; k < hei->nterms; k++) free(hei->term[k].part);
  free(hei->place), free(hei->term);
}

/* ---- averages ---------------------------------------------------------------------------------------------------------------------------------------------- */

/* Adds nodes [nx][ny] to the row `row` of an average. */
static void add_row(const Hei *hei, int row, double factor, const double *nodes, double *out) {
  int ny = hei->axis[1].n;
  for (int i = 0; i < hei->axis[0].n; i++) cblas_daxpy(ny, factor, nodes + (size_t)i * ny, 1, out + ((size_t)i * hei->ntime + row) * ny, 1);
}

/* A linear combination of derivatives commutes with the average over time. */
static void average_linear(const Hei *hei, const HeiFeature *feature, int trajectory, const double *time, double *out) {
  const HeiSmooth *smooth = &hei->smooth[trajectory];
  int n = hei->axis[0].n * hei->axis[1].n;
  double *slices = hei_slices(smooth, hei->ntime, time), *work = malloc(sizeof(double) * hei->axis[0].n * hei->axis[1].nbasis), *jet = malloc(sizeof(double) * n);
  memset(out, 0, sizeof(double) * hei->ntime * n);
  for (int row = 0; row < hei->ntime; row++)
    for (int i = 0; i <= HEI_ORDER; i++)
      for (int j = 0; i + j <= HEI_ORDER; j++) {
        double factor = feature->linear[hei_jet(i, j)];
        if (factor == 0) continue;
        hei_slice(smooth, slices, row, i, j, work, jet);
        add_row(hei, row, factor, jet, out);
      }
  free(slices), free(work), free(jet);
}

/* Any other feature is evaluated a snapshot at a time. */
static void average_values(const Hei *hei, const HeiFeature *feature, int trajectory, int interval, double *out) {
  const HeiSmooth *smooth = &hei->smooth[trajectory];
  int n = hei->axis[0].n * hei->axis[1].n, nc = hei->axis[2].nbasis, first = hei->start[interval], snapshots = hei->start[interval + 1] - first;
  double *slices = hei_slices(smooth, snapshots, hei->axis[2].u[0] + (size_t)first * nc), *work = malloc(sizeof(double) * hei->axis[0].n * hei->axis[1].nbasis);
  double *jet[HEI_JETS] = {0}, *value = malloc(sizeof(double) * n);
  for (int k = 0; k < HEI_JETS; k++)
    if (feature->jets >> k & 1) jet[k] = malloc(sizeof(double) * n);
  memset(out, 0, sizeof(double) * hei->ntime * n);
  for (int t = 0; t < snapshots; t++) {
    for (int i = 0; i <= HEI_ORDER; i++)
      for (int j = 0; i + j <= HEI_ORDER; j++)
        if (jet[hei_jet(i, j)]) hei_slice(smooth, slices, t, i, j, work, jet[hei_jet(i, j)]);
    feature->values(feature->user, (const double *const *)jet, n, value);
    for (int k = 0; k < hei->ntime; k++) {
      double theta = hei->theta[interval][(size_t)k * snapshots + t];
      if (theta != 0) add_row(hei, k, theta, value, out);
    }
  }
  for (int k = 0; k < HEI_JETS; k++) free(jet[k]);
  free(slices), free(work), free(value);
}

/* [nx][ntime][ny]: a feature against the tests over time. */
static const double *average(Hei *hei, int index, int trajectory, int interval) {
  bool make;
  HeiCell *cell = hei_cell(&hei->cache, HEI_AVERAGE, index, 0, trajectory, interval, (size_t)hei->ntime * hei->axis[0].n * hei->axis[1].n, &make);
  if (!make) return cell->data;
  const HeiFeature *feature = &hei->feature[index];
  if (feature->linear) average_linear(hei, feature, trajectory, hei->time[interval][index == HEI_RATE], cell->data);
  else average_values(hei, feature, trajectory, interval, cell->data);
  hei_cell_made(&hei->cache, cell);
  return cell->data;
}

/* ---- rows and Gram blocks ---------------------------------------------------------------------------------------------------------------------------------- */

int hei_term(Hei *hei, unsigned domain, const HeiPart *part, int nparts) {
  if (hei->axis[1].n == 1) domain &= HEI_X;
  for (int k = 0; k < hei->nterms; k++) {
    const HeiTerm *old = &hei->term[k];
    bool same = old->domain == domain && old->nparts == nparts;
    for (int i = 0; same && i < nparts; i++)
      same = old->part[i].dx == part[i].dx && old->part[i].dy == part[i].dy && old->part[i].factor == part[i].factor && old->part[i].feature == part[i].feature;
    if (same) return k;
  }
  hei->term = realloc(hei->term, sizeof *hei->term * (hei->nterms + 1));
  HeiTerm *term = &hei->term[hei->nterms];
  *term = (HeiTerm){domain, hei->weak[0].nfield[!!(domain & HEI_X)] * hei->weak[1].nfield[!!(domain & HEI_Y)], malloc(sizeof(HeiPart) * nparts), nparts};
  memcpy(term->part, part, sizeof(HeiPart) * nparts);
  return hei->nterms++;
}

/* Into work[pairs of x][ntime][ny]: the parts with derivative dy of the field against the tests over x. False: there are none. */
static bool contract_x(Hei *hei, const HeiTerm *term, int dy, int trajectory, int interval, double *work) {
  const HeiWeakAxis *x = &hei->weak[0];
  int in_x = !!(term->domain & HEI_X), n = hei->ntime * hei->axis[1].n;
  bool any = false;
  if (dy && !(term->domain & HEI_Y)) return false;
  for (int p = 0; p < term->nparts; p++) {
    const HeiPart *part = &term->part[p];
    if (part->dy != dy || (part->dx && !in_x)) continue;       /* the derivative of a field that does not depend on it */
    const double *feature = average(hei, part->feature, trajectory, interval);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, x->npairs[in_x], n, x->n, part->factor, x->product[in_x][part->dx], x->n, feature, n, any, work, n);
    any = true;
  }
  return any;
}

const double *hei_rows(Hei *hei, int index, int trajectory, int interval) {
  const HeiTerm *term = &hei->term[index];
  bool make;
  HeiCell *cell = hei_cell(&hei->cache, HEI_ROWS, index, 0, trajectory, interval, (size_t)hei->nrows * term->n, &make);
  if (!make) return cell->data;
  const HeiWeakAxis *x = &hei->weak[0], *y = &hei->weak[1];
  int in_x = !!(term->domain & HEI_X), in_y = !!(term->domain & HEI_Y), mx = x->npairs[in_x], my = y->npairs[in_y], n = term->n;
  const double *weight = hei->weight[trajectory][interval];
  int lines = mx * hei->ntime;
  double *rows = cell->data, *work = malloc(sizeof(double) * lines * y->n), *table = calloc((size_t)lines * my, sizeof(double));
  memset(rows, 0, cell->bytes);
  for (int dy = 0; dy < 3; dy++)
    if (contract_x(hei, term, dy, trajectory, interval, work))
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, lines, my, y->n, 1, work, y->n, y->product[in_y][dy], y->n, 1, table, my);
  for (int a = 0; a < mx; a++)
    for (int k = 0; k < hei->ntime; k++)
      for (int b = 0; b < my; b++) {
        const int *in_a = x->pair[in_x][a], *in_b = y->pair[in_y][b], row = hei->place[(k * x->ntests + in_a[0]) * y->ntests + in_b[0]];
        rows[(size_t)row * n + in_a[1] * y->nfield[in_y] + in_b[1]] = weight[row] * table[((size_t)a * hei->ntime + k) * my + b];
      }
  free(work), free(table);
  hei_cell_made(&hei->cache, cell);
  return rows;
}

/* An order of terms by what they are, not by when they came: a Gram block is always the product of the same factors in the same order. */
static int compare_terms(const Hei *hei, int a, int b) {
  const HeiTerm *x = &hei->term[a], *y = &hei->term[b];
  if (x->domain != y->domain) return x->domain < y->domain ? -1 : 1;
  if (x->nparts != y->nparts) return x->nparts - y->nparts;
  for (int k = 0; k < x->nparts; k++) {
    const HeiPart *p = &x->part[k], *q = &y->part[k];
    int key = strcmp(hei->feature[p->feature].key, hei->feature[q->feature].key);
    if (key) return key;
    if (p->dx != q->dx) return p->dx - q->dx;
    if (p->dy != q->dy) return p->dy - q->dy;
    if (p->factor != q->factor) return p->factor < q->factor ? -1 : 1;
  }
  return 0;
}

/* out[m][n] = before*out + left'right, of `rows` rows; half of the work when they are the same. */
static void gram(int m, int n, int rows, const double *left, const double *right, double before, double *out) {
  if (left != right) {
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, rows, 1, left, m, right, n, before, out, n);
    return;
  }
  cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, m, rows, 1, left, m, before, out, m);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < i; j++) out[(size_t)i * m + j] = out[(size_t)j * m + i];
}

const double *hei_gram(Hei *hei, int a, int b, int trajectory, int interval, bool *transposed) {
  *transposed = compare_terms(hei, a, b) > 0;
  int first = *transposed ? b : a, second = *transposed ? a : b, m = hei->term[first].n, n = hei->term[second].n;
  bool make;
  HeiCell *cell = hei_cell(&hei->cache, HEI_GRAM, first, second, trajectory, interval, (size_t)2 * m * n, &make);
  if (!make) return cell->data;
  const double *left = hei_rows(hei, first, trajectory, interval), *right = hei_rows(hei, second, trajectory, interval);
  double *all = cell->data, *inner = all + (size_t)m * n;
  int ring = hei->nrows - hei->ninner;
  gram(m, n, hei->ninner, left, right, 0, inner);
  memcpy(all, inner, sizeof(double) * m * n);
  gram(m, n, ring, left + (size_t)hei->ninner * m, right + (size_t)hei->ninner * n, 1, all);
  hei_cell_made(&hei->cache, cell);
  return all;
}
