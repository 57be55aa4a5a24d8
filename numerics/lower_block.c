/* Contraction of coefficients with the tables of test and trial functions. Three ways, chosen for each pair of derivatives:
 *   moments    both tables are constant (gradients of P1): the coefficient is integrated over the cell, then multiplied by the constants;
 *   reference  the coefficient is constant over the cell: it meets a reference tensor, integrated here (Kirby and Logg, TOMS 32 (2006) 417);
 *   points     otherwise: in the quadrature loop.
 * Coefficients come by physical derivatives. M(p, r) = the factor of reference derivative r in physical derivative p. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lower.h"

/* What is unrolled: blocks of few entries in kernels of few blocks, so that a program stays below some 2,000 instructions (time to compile grows faster
 * than their number), and more of a single block when only a reference tensor is contracted, whose zeros then vanish. */
enum { SMALL = 36, SMALL_TOTAL = 400, TENSOR_TOTAL = 1000 };

static int op_order(int dim, int op) { return op == 0 ? 0 : op <= dim ? 1 : 2; }

/* The axes (i <= j) of a second derivative. */
static void op_axes(int dim, int op, int *i, int *j) {
  *j = 0;
  int at = 1 + dim;
  for (*i = 0; *i < dim; ++*i)
    for (*j = *i; *j < dim; ++*j)
      if (at++ == op) return;
}

static KirValue factor(Lower *lo, int side, int p, int r) {
  int order = op_order(lo->dim, p), i, j, k, l;
  if (order == 2 && lo->curved && op_order(lo->dim, r) == 1) {
    op_axes(lo->dim, p, &i, &j);
    return lower_bending(lo, r - 1, i, j);
  }
  if (order != op_order(lo->dim, r)) return KIR_NONE;
  if (order == 0) return kir_const(lo->b, 1);
  if (order == 1) return lo->K[side][r - 1][p - 1];
  op_axes(lo->dim, p, &i, &j);
  op_axes(lo->dim, r, &k, &l);
  KirValue straight = kir_mul(lo->b, lo->K[side][k][i], lo->K[side][l][j]);
  return k == l ? straight : kir_add(lo->b, straight, kir_mul(lo->b, lo->K[side][l][i], lo->K[side][k][j]));
}

/* All derivatives of p's order are the same at all points; in a curved cell those in space are not. */
static bool is_constant(const Lower *lo, const Table *t, int p) {
  if (lo->curved) return false;
  for (int r = 0; r < lo->ops; r++)
    if (op_order(lo->dim, r) == op_order(lo->dim, p) && !t->constant[r]) return false;
  return true;
}

static KirIndex at(int base) { return (KirIndex){.base = base}; }

/* Does a value times dx have a constant factor in the quadrature? */
static bool is_uniform(const Lower *lo, KirValue c) { return !lo->curved && kir_section_of(lo->b, c) == KIR_CELL; }

/* Integral over the cell (facet) of a value; each one once. */
static KirValue integral(Lower *lo, KirValue c) {
  KirBuilder *b = lo->b;
  if (c == KIR_NONE) return KIR_NONE;
  if (is_uniform(lo, c)) return kir_mul(b, c, kir_mul(b, lo->scale, kir_const(b, lo->reference_measure)));
  for (int i = 0; i < lo->nintegrals; i++)
    if (lo->integral[i][0] == c) return lo->integral[i][1];
  int sum = kir_local(b, 1);
  lo->varies = true;
  kir_enter(b, KIR_INIT);
  kir_store(b, KIR_STORE, sum, at(0), kir_const(b, 0));
  kir_enter(b, KIR_POINT);
  kir_store(b, KIR_ACCUM, sum, at(0), kir_mul(b, c, lo->weight));
  kir_enter(b, KIR_TAIL);
  KirValue value = kir_load(b, sum, at(0));
  lo->integral = kir_memory(lo->integral, sizeof *lo->integral * (size_t)(lo->nintegrals + 1));
  lo->integral[lo->nintegrals][0] = c;
  lo->integral[lo->nintegrals++][1] = value;
  return value;
}

/* Sum of coefficient*product terms: equal coefficients together, in an order that depends on the values alone, so that symmetric entries
 * are one value. */
typedef struct Term {
  KirValue coefficient, product;
} Term;

static int by_value(const void *x, const void *y) {
  const Term *a = x, *b = y;
  if (a->coefficient != b->coefficient) return a->coefficient < b->coefficient ? -1 : 1;
  return a->product < b->product ? -1 : a->product > b->product;
}

static KirValue sum_terms(Lower *lo, Term *term, int n) {
  KirValue total = KIR_NONE;
  qsort(term, (size_t)n, sizeof *term, by_value);
  for (int i = 0, j; i < n; i = j) {
    KirValue products = KIR_NONE;
    for (j = i; j < n && term[j].coefficient == term[i].coefficient; j++) products = kir_add(lo->b, products, term[j].product);
    total = kir_mul_add(lo->b, term[i].coefficient, products, total);
  }
  return total;
}

/* --- rank 0 --- */

void lower_values(Lower *lo, const KirValue *value, int n) {
  for (int k = 0; k < n; k++) {
    KirValue v = lower_zero(lo, integral(lo, value[k]));
    kir_enter(lo->b, KIR_TAIL);
    kir_store(lo->b, KIR_STORE, KIR_OUT, at(k), v);
  }
}

/* --- rank 1 --- */

static bool reference_coefficients(Lower *lo, int side, const KirValue *c, KirValue *out) {
  bool any = false;
  for (int r = 0; r < lo->ops; r++) {
    Term term[OPS_MAX];
    int n = 0;
    for (int p = 0; p < lo->ops; p++) {
      KirValue m = c[p] == KIR_NONE ? KIR_NONE : factor(lo, side, p, r);
      if (m != KIR_NONE) term[n++] = (Term){c[p], m};
    }
    out[r] = sum_terms(lo, term, n);
    any = any || out[r] != KIR_NONE;
  }
  return any;
}

static KirIndex vector_place(const Argument *test, int a, int depth) {
  KirIndex index = {.base = test->first + (depth < 0 ? a * test->step : 0)};
  if (depth >= 0) index.stride[depth] = test->step;
  return index;
}

/* integral of op r of node a over the reference cell, as a value; several facets: a table by facet. */
static KirValue vector_moment(Lower *lo, const Table *t, int r, int a, int depth) {
  double sum[CELL_FACETS * 32] = {0};
  if (t->zero[r]) return KIR_NONE;
  for (int f = 0; f < t->nfacets; f++)
    for (int q = 0; q < t->nq; q++)
      for (int n = 0; n < t->nodes; n++) sum[f * t->nodes + n] += lo->weights[q] * t->value[r][(f * t->nq + q) * t->nodes + n];
  for (int n = 0; n < t->nodes; n++)
    if (fabs(sum[n]) < 1e-16) sum[n] = 0;
  if (t->nfacets == 1 && depth < 0) return sum[a] ? kir_const(lo->b, sum[a]) : KIR_NONE;
  KirIndex index = {.base = kir_table(lo->b, sum, t->nfacets * t->nodes), .facet = t->nfacets > 1 ? t->nodes : 0};
  if (depth < 0) index.base += a;
  else index.stride[depth] = 1;
  return kir_load(lo->b, KIR_TAB, index);
}

void lower_vector(Lower *lo, const Argument *test, KirValue c[OPS_MAX]) {
  Table *t = test->table;
  KirBuilder *b = lo->b;
  KirValue moment[OPS_MAX], constant[OPS_MAX], point[OPS_MAX], cm[OPS_MAX], cc[OPS_MAX], cp[OPS_MAX];
  for (int p = 0; p < lo->ops; p++) {
    moment[p] = constant[p] = point[p] = KIR_NONE;
    if (c[p] == KIR_NONE) continue;
    if (is_constant(lo, t, p)) moment[p] = integral(lo, c[p]);
    else if (is_uniform(lo, c[p])) constant[p] = kir_mul(b, c[p], lo->scale);
    else point[p] = kir_mul(b, c[p], lo->weight);
  }
  bool has_moments = reference_coefficients(lo, test->side, moment, cm), has_constants = reference_coefficients(lo, test->side, constant, cc);
  bool has_points = reference_coefficients(lo, test->side, point, cp);
  if (has_points) {
    lo->varies = true;
    lower_blank(lo, test, NULL);
    kir_enter(b, KIR_POINT);
    for (int a = 0; a < t->nodes; a++) {
      KirValue sum = KIR_NONE;
      for (int r = 0; r < lo->ops; r++)
        if (cp[r] != KIR_NONE) sum = kir_mul_add(b, cp[r], table_entry(lo, t, r, a, -1), sum);
      if (sum != KIR_NONE) kir_store(b, KIR_ACCUM, KIR_OUT, vector_place(test, a, -1), sum);
    }
    if (!has_moments && !has_constants) return;
  }
  kir_enter(b, KIR_TAIL);
  for (int a = 0; a < t->nodes; a++) {
    KirValue sum = KIR_NONE;
    for (int r = 0; r < lo->ops; r++) {
      if (cm[r] != KIR_NONE) sum = kir_mul_add(b, cm[r], table_entry(lo, t, r, a, -1), sum);
      if (cc[r] != KIR_NONE) sum = kir_mul_add(b, cc[r], vector_moment(lo, t, r, a, -1), sum);
    }
    kir_store(b, has_points ? KIR_ACCUM : KIR_STORE, KIR_OUT, vector_place(test, a, -1), lower_zero(lo, sum));
  }
}

/* --- rank 2 --- */

typedef struct Block {
  Lower *lo;
  const Argument *test, *trial;
  bool mirror, upper, accumulate;   /* accumulate: the quadrature loop has written to it already */
} Block;

static KirIndex matrix_place(const Block *k, bool transposed, int a, int b, bool loops) {
  int columns = k->lo->kernel->ntrial;
  const Argument *row = k->test, *column = k->trial;
  int row_stride = transposed ? 1 : columns, column_stride = transposed ? columns : 1;
  KirIndex index = {.base = row->first * row_stride + column->first * column_stride};
  if (loops) {
    index.stride[1] = row->step * row_stride;
    index.stride[2] = column->step * column_stride;
  } else
    index.base += a * row->step * row_stride + b * column->step * column_stride;
  return index;
}

static void matrix_store(const Block *k, int a, int b, bool loops, KirValue value) {
  KirBuilder *builder = k->lo->b;
  KirOp op = k->accumulate ? KIR_ACCUM : KIR_STORE;
  kir_store(builder, op, KIR_OUT, matrix_place(k, false, a, b, loops), value);
  if (k->mirror && !k->accumulate && (loops || !k->upper || a != b)) kir_store(builder, op, KIR_OUT, matrix_place(k, true, a, b, loops), value);
}

static int entries(const Block *k) { return k->test->table->nodes * k->trial->table->nodes; }
static bool is_small(const Block *k) { return entries(k) <= SMALL && entries(k) * k->lo->components * k->lo->components <= SMALL_TOTAL; }
static bool is_small_tensor(const Block *k, int nterms) { return entries(k) * nterms * k->lo->components * k->lo->components <= TENSOR_TOTAL; }

/* row, column: sides. C[r][s] = sum over p, t of c[p][t] M(p, r) M(t, s) */
static bool transform(Lower *lo, int row, int column, KirValue c[OPS_MAX][OPS_MAX], KirValue out[OPS_MAX][OPS_MAX]) {
  bool any = false;
  for (int r = 0; r < lo->ops; r++)
    for (int s = 0; s < lo->ops; s++) {
      Term term[OPS_MAX * OPS_MAX];
      int n = 0;
      for (int p = 0; p < lo->ops; p++)
        for (int t = 0; t < lo->ops; t++) {
          if (c[p][t] == KIR_NONE) continue;
          KirValue m = factor(lo, row, p, r), u = m == KIR_NONE ? KIR_NONE : factor(lo, column, t, s);
          if (u != KIR_NONE) term[n++] = (Term){c[p][t], kir_mul(lo->b, m, u)};
        }
      out[r][s] = sum_terms(lo, term, n);
      any = any || out[r][s] != KIR_NONE;
    }
  return any;
}

/* values[s] = sum over r of C[r][s] T_r[a] */
static void contract_rows(const Block *k, KirValue C[OPS_MAX][OPS_MAX], int a, int depth, KirValue *values) {
  Lower *lo = k->lo;
  for (int s = 0; s < lo->ops; s++) {
    values[s] = KIR_NONE;
    for (int r = 0; r < lo->ops; r++)
      if (C[r][s] != KIR_NONE) values[s] = kir_mul_add(lo->b, C[r][s], table_entry(lo, k->test->table, r, a, depth), values[s]);
  }
}

static KirValue contract_columns(const Block *k, const KirValue *values, int b, int depth, KirValue sum) {
  for (int s = 0; s < k->lo->ops; s++)
    if (values[s] != KIR_NONE) sum = kir_mul_add(k->lo->b, values[s], table_entry(k->lo, k->trial->table, s, b, depth), sum);
  return sum;
}

static void matrix_points(Block *k, KirValue C[OPS_MAX][OPS_MAX]) {
  Lower *lo = k->lo;
  KirBuilder *b = lo->b;
  int rows = k->test->table->nodes, columns = k->trial->table->nodes;
  KirValue values[OPS_MAX];
  lo->varies = true;
  lower_blank(lo, k->test, k->trial);
  k->accumulate = true;
  kir_enter(b, KIR_POINT);
  if (is_small(k)) {
    for (int a = 0; a < rows; a++) {
      contract_rows(k, C, a, -1, values);
      for (int j = k->upper ? a : 0; j < columns; j++) {
        KirValue v = contract_columns(k, values, j, -1, KIR_NONE);
        if (v != KIR_NONE) matrix_store(k, a, j, false, v);
      }
    }
    return;
  }
  kir_loop(b, 1, -1, rows);
  contract_rows(k, C, 0, 1, values);
  kir_loop(b, 2, k->upper ? 1 : -1, columns);
  matrix_store(k, 0, 0, true, lower_zero(lo, contract_columns(k, values, 0, 2, KIR_NONE)));
  kir_end(b);
  kir_end(b);
}

enum { TENSOR_MAX = CELL_FACETS * 27 * 27 };

/* Reference tensor of ops r, s: [facet][a][b], with round-off cleaned so that equal entries are equal. Returns false where it is zero. */
static bool reference_tensor(const Block *k, int r, int s, double *R) {
  const Table *t = k->test->table, *u = k->trial->table;
  int n = t->nfacets * t->nodes * u->nodes;
  double largest = 0;
  memset(R, 0, sizeof(double) * (size_t)n);
  for (int f = 0; f < t->nfacets; f++)
    for (int q = 0; q < t->nq; q++)
      for (int a = 0; a < t->nodes; a++)
        for (int b = 0; b < u->nodes; b++)
          R[(f * t->nodes + a) * u->nodes + b] += k->lo->weights[q] * t->value[r][(f * t->nq + q) * t->nodes + a] * u->value[s][(f * t->nq + q) * u->nodes + b];
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(R[i]));
  for (int i = 0; i < n; i++) {
    if (fabs(R[i]) < 1e-15 * largest || fabs(R[i]) < 1e-17) R[i] = 0;
    for (int j = 0; j < i; j++)
      if (fabs(R[i] - R[j]) < 4e-16 * largest) {
        R[i] = R[j];
        break;
      }
  }
  return largest > 1e-17;
}

typedef struct TensorTerm {
  KirValue coefficient;
  int table;             /* its offset in TAB */
  double *R;
} TensorTerm;

/* The tensors with a coefficient; those of one coefficient (G_rs = G_sr) are added up. Returns their number. */
static int tensor_terms(const Block *k, KirValue C[OPS_MAX][OPS_MAX], TensorTerm *term) {
  Lower *lo = k->lo;
  int n = 0, size = k->test->table->nfacets * k->test->table->nodes * k->trial->table->nodes;
  for (int r = 0; r < lo->ops; r++)
    for (int s = 0; s < lo->ops; s++) {
      double R[TENSOR_MAX];
      if (C[r][s] == KIR_NONE || !reference_tensor(k, r, s, R)) continue;
      int i = 0;
      while (i < n && term[i].coefficient != C[r][s]) i++;
      if (i == n) {
        term[n++] = (TensorTerm){C[r][s], 0, kir_zeroed(sizeof(double) * (size_t)size)};
      }
      for (int j = 0; j < size; j++) term[i].R[j] += R[j];
    }
  for (int i = 0; i < n; i++) term[i].table = kir_table(lo->b, term[i].R, size);
  return n;
}

static KirValue tensor_entry(const Block *k, const TensorTerm *term, int a, int b, bool loops) {
  const Table *t = k->test->table, *u = k->trial->table;
  int columns = u->nodes;
  if (!loops && t->nfacets == 1) return term->R[a * columns + b] ? kir_const(k->lo->b, term->R[a * columns + b]) : KIR_NONE;
  KirIndex index = {.base = term->table, .facet = t->nfacets > 1 ? t->nodes * columns : 0};
  if (loops) {
    index.stride[1] = columns;
    index.stride[2] = 1;
  } else
    index.base += a * columns + b;
  return kir_load(k->lo->b, KIR_TAB, index);
}

/* Moments and reference tensors, after the quadrature loop. */
static void matrix_tail(Block *k, KirValue moment[OPS_MAX][OPS_MAX], const TensorTerm *term, int nterms) {
  Lower *lo = k->lo;
  KirBuilder *b = lo->b;
  int rows = k->test->table->nodes, columns = k->trial->table->nodes;
  kir_enter(b, KIR_TAIL);
  if (is_small(k) || is_small_tensor(k, nterms)) {
    for (int a = 0; a < rows; a++) {
      KirValue values[OPS_MAX];
      contract_rows(k, moment, a, -1, values);
      for (int j = k->upper ? a : 0; j < columns; j++) {
        KirValue v = contract_columns(k, values, j, -1, KIR_NONE);
        for (int i = 0; i < nterms; i++) v = kir_mul_add(b, term[i].coefficient, tensor_entry(k, &term[i], a, j, false), v);
        matrix_store(k, a, j, false, lower_zero(lo, v));
      }
    }
    return;
  }
  kir_loop(b, 1, -1, rows);
  kir_loop(b, 2, k->upper ? 1 : -1, columns);
  KirValue v = KIR_NONE;
  for (int i = 0; i < nterms; i++) v = kir_mul_add(b, term[i].coefficient, tensor_entry(k, &term[i], 0, 0, true), v);
  matrix_store(k, 0, 0, true, lower_zero(lo, v));
  kir_end(b);
  kir_end(b);
}

/* out[b][a] = out[a][b], where the quadrature loop left one half. */
static void matrix_mirror(const Block *k) {
  KirBuilder *b = k->lo->b;
  kir_enter(b, KIR_TAIL);
  kir_loop(b, 1, -1, k->test->table->nodes);
  kir_loop(b, 2, k->upper ? 1 : -1, k->trial->table->nodes);
  kir_store(b, KIR_STORE, KIR_OUT, matrix_place(k, true, 0, 0, true), kir_load(b, KIR_OUT, matrix_place(k, false, 0, 0, true)));
  kir_end(b);
  kir_end(b);
}

static void clear(KirValue c[OPS_MAX][OPS_MAX]) {
  for (int p = 0; p < OPS_MAX; p++)
    for (int t = 0; t < OPS_MAX; t++) c[p][t] = KIR_NONE;
}

void lower_matrix(Lower *lo, const Argument *test, const Argument *trial, KirValue c[OPS_MAX][OPS_MAX], bool mirror, bool upper) {
  Block k = {lo, test, trial, mirror, upper, false};
  KirValue moment[OPS_MAX][OPS_MAX], constant[OPS_MAX][OPS_MAX], point[OPS_MAX][OPS_MAX], C[OPS_MAX][OPS_MAX];
  clear(moment), clear(constant), clear(point);
  for (int p = 0; p < lo->ops; p++)
    for (int t = 0; t < lo->ops; t++) {
      if (c[p][t] == KIR_NONE) continue;
      if (is_small(&k) && is_constant(lo, test->table, p) && is_constant(lo, trial->table, t)) moment[p][t] = integral(lo, c[p][t]);
      else if (is_uniform(lo, c[p][t])) constant[p][t] = kir_mul(lo->b, c[p][t], lo->scale);
      else point[p][t] = kir_mul(lo->b, c[p][t], lo->weight);
    }
  if (transform(lo, test->side, trial->side, point, C)) matrix_points(&k, C);
  TensorTerm term[OPS_MAX * OPS_MAX];
  int nterms = transform(lo, test->side, trial->side, constant, C) ? tensor_terms(&k, C, term) : 0;
  bool has_moments = transform(lo, test->side, trial->side, moment, C);
  if (has_moments || nterms || !k.accumulate) matrix_tail(&k, C, term, nterms);
  if (k.accumulate && mirror) matrix_mirror(&k);
  for (int i = 0; i < nterms; i++) free(term[i].R);
}

/* --- zeros --- */

void lower_blank(Lower *lo, const Argument *test, const Argument *trial) {
  KirBuilder *b = lo->b;
  KirValue zero = kir_const(b, 0);
  kir_enter(b, KIR_INIT);
  kir_loop(b, 1, -1, test->table->nodes);
  if (trial) {
    Block k = {lo, test, trial, false, false, false};
    kir_loop(b, 2, -1, trial->table->nodes);
    kir_store(b, KIR_STORE, KIR_OUT, matrix_place(&k, false, 0, 0, true), zero);
    kir_end(b);
  } else
    kir_store(b, KIR_STORE, KIR_OUT, vector_place(test, 0, 1), zero);
  kir_end(b);
}
