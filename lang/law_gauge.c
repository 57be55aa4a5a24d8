/* Gauge reduction: exact linear algebra on what the fields multiply. A row is the operator of one field, a column is a derivative of the field times a monomial
 * of the state; columns are in the order of pivots, the highest derivatives of the field and then of the state first.
 *
 * Fields of all coordinates come first, then those of x alone, of y alone, and constants: what a field of more coordinates reaches, one of fewer need not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law_gauge.h"

enum { BASE = LAW_BLOCKS - 1 };      /* the block of the field itself */
const LawBlock law_blocks[LAW_BLOCKS] = {{0, 2}, {1, 1}, {2, 0}, {0, 1}, {1, 0}, {0, 0}};

int law_block(int dx, int dy) {
  int k = 0;
  while (law_blocks[k].dx != dx || law_blocks[k].dy != dy) k++;
  return k;
}

/* ---- rows --------------------------------------------------------------------------------------------------------------------------------------------------------- */

static LawRow row_new(LawGauge *g, unsigned domain) {
  LawRow row = {ARENA_ARRAY(g->s->arena, LawNumber, g->width), domain, -1};
  for (int k = 0; k < g->width; k++) row.c[k].den = 1;
  return row;
}

static LawRow row_copy(LawGauge *g, LawRow row) {
  LawRow copy = row_new(g, row.domain);
  memcpy(copy.c, row.c, sizeof *row.c * (size_t)g->width);
  return copy;
}

static bool block_zero(const LawGauge *g, LawRow row, int block) {
  for (int m = 0; m < g->n; m++)
    if (row.c[block * g->n + m].num) return false;
  return true;
}

static int first_column(const LawGauge *g, LawRow row) {
  for (int k = 0; k < g->width; k++)
    if (row.c[k].num) return k;
  return -1;
}

static bool is_pure(const LawGauge *g, LawRow row) { return first_column(g, row) >= BASE * g->n; }

/* row[at ..] -= factor*by[from ..], n columns */
static void subtract(LawGauge *g, LawRow row, int at, LawNumber factor, LawRow by, int from, int n) {
  if (!factor.num) return;
  g->s->work -= n;
  if (g->s->work < 0) g->s->exhausted = true;
  for (int k = 0; k < n && !g->s->exhausted; k++)
    if (by.c[from + k].num) row.c[at + k] = law_plus(g->s, row.c[at + k], law_minus(law_times(g->s, factor, by.c[from + k])));
}

/* Reduced row echelon form; rows that vanish are dropped. */
static int echelon(LawGauge *g, LawRow *row, int n) {
  int rank = 0;
  for (int column = 0; column < g->width && rank < n && !g->s->exhausted; column++) {
    int k = rank;
    while (k < n && !row[k].c[column].num) k++;
    if (k == n) continue;
    LawRow pivot = row[k];
    row[k] = row[rank], row[rank] = pivot;
    LawNumber lead = pivot.c[column];
    for (int i = column; i < g->width; i++)
      if (pivot.c[i].num) pivot.c[i] = law_over(g->s, pivot.c[i], lead);
    for (int i = 0; i < n; i++)
      if (i != rank) subtract(g, row[i], 0, row[i].c[column], pivot, 0, g->width);
    row[rank++].pivot = column;
  }
  return rank;
}

/* What pure rows reach by derivatives of their fields is taken out of every block. True: something was. */
static bool reduce_by_pure(LawGauge *g, LawRow row, const LawRow *pure, int n) {
  bool changed = false;
  for (int block = 0; block < LAW_BLOCKS; block++)
    for (int i = 0; i < n; i++) {
      LawNumber factor = row.c[block * g->n + pure[i].pivot - BASE * g->n];
      changed |= factor.num != 0;
      subtract(g, row, block * g->n, factor, pure[i], BASE * g->n, g->n);
    }
  return changed;
}

static bool reduce_by_rows(LawGauge *g, LawRow row, const LawRow *by, int n) {
  bool changed = false;
  for (int i = 0; i < n; i++) {
    changed |= row.c[by[i].pivot].num != 0;
    subtract(g, row, 0, row.c[by[i].pivot], by[i], 0, g->width);
  }
  return changed;
}

/* A differential operator with constant coefficients that stands to the left of all: it is the field's own, since every field is such an operator of another.
 * Operators that are one monomial, or all there is. content[block]; true: it is more than a number. */
static bool divide(LawGauge *g, LawRow row, LawNumber content[LAW_BLOCKS]) {
  for (int k = 0; k < LAW_BLOCKS; k++) content[k] = (LawNumber){k == BASE, 1};
  int first = first_column(g, row), dx = LAW_FIELD_ORDER, dy = LAW_FIELD_ORDER;
  if (first < 0 || is_pure(g, row)) return false;
  int lead = first / g->n, m = first % g->n;
  bool proportional = true;
  for (int block = 0; block < LAW_BLOCKS; block++) {
    if (block_zero(g, row, block)) continue;
    if (law_blocks[block].dx < dx) dx = law_blocks[block].dx;
    if (law_blocks[block].dy < dy) dy = law_blocks[block].dy;
    LawNumber ratio = law_over(g->s, row.c[block * g->n + m], row.c[first]);
    for (int k = 0; k < g->n; k++) proportional &= law_number_order(row.c[block * g->n + k], law_times(g->s, ratio, row.c[lead * g->n + k])) == 0;
  }
  if (proportional) {
    for (int block = 0; block < LAW_BLOCKS; block++) content[block] = law_over(g->s, row.c[block * g->n + m], row.c[first]);
    memmove(row.c + BASE * g->n, row.c + lead * g->n, sizeof *row.c * (size_t)g->n);
    memset(row.c, 0, sizeof *row.c * (size_t)(BASE * g->n));
    for (int k = 0; k < BASE * g->n; k++) row.c[k].den = 1;
    return true;
  }
  if (!dx && !dy) return false;
  content[BASE].num = 0, content[law_block(dx, dy)].num = 1;
  LawRow old = row_copy(g, row);
  for (int k = 0; k < g->width; k++) row.c[k] = (LawNumber){0, 1};
  for (int block = 0; block < LAW_BLOCKS; block++)
    if (!block_zero(g, old, block)) memcpy(row.c + law_block(law_blocks[block].dx - dx, law_blocks[block].dy - dy) * g->n, old.c + block * g->n, sizeof *row.c * (size_t)g->n);
  return true;
}

/* ---- reduction of the fields of one domain ------------------------------------------------------------------------------------------------------------------------ */

/* Rows in canonical form: the pure ones first, then the others; given rows are reached already, by fields of more coordinates. Returns the number. */
static int settle(LawGauge *g, LawRow *row, int n, const LawReached *given, int *npure) {
  LawNumber content[LAW_BLOCKS];
  for (bool again = true; again && !g->s->exhausted;) {
    again = false;
    int m = 0, pure = 0;
    for (int i = 0; i < n; i++) {
      reduce_by_pure(g, row[i], given->pure, given->npure);
      reduce_by_rows(g, row[i], given->other, given->nother);
      reduce_by_pure(g, row[i], given->pure, given->npure);
      divide(g, row[i], content);
      if (first_column(g, row[i]) >= 0) row[m++] = row[i];
    }
    n = m;
    for (int i = 0; i < n; i++)
      if (is_pure(g, row[i])) {
        LawRow swap = row[pure];
        row[pure++] = row[i], row[i] = swap;
      }
    *npure = echelon(g, row, pure);
    memmove(row + *npure, row + pure, sizeof *row * (size_t)(n - pure));
    n += *npure - pure;
    for (int i = *npure; i < n; i++) reduce_by_pure(g, row[i], row, *npure);
    n = *npure + echelon(g, row + *npure, n - *npure);
    for (int i = *npure; i < n; i++) {
      bool divided = divide(g, row[i], content);
      again |= divided || is_pure(g, row[i]);
    }
  }
  return n;
}

/* What fields of fewer coordinates can do already: rows of fields of more, without the derivatives that vanish there. */
static LawReached reached(LawGauge *g, const LawRow *row, int n, unsigned domain) {
  LawReached none = {0}, out = {0};
  LawRow *given = ARENA_ARRAY(g->s->arena, LawRow, n);
  int m = 0;
  for (int i = 0; i < n; i++) {
    if ((row[i].domain & domain) != domain || row[i].domain == domain) continue;
    given[m] = row_copy(g, row[i]);
    for (int k = 0; k < BASE * g->n; k++)
      if ((law_blocks[k / g->n].dx && !(domain & LAW_X)) || (law_blocks[k / g->n].dy && !(domain & LAW_Y))) given[m].c[k] = (LawNumber){0, 1};
    if (first_column(g, given[m]) >= 0) m++;
  }
  m = settle(g, given, m, &none, &out.npure);
  out.pure = given, out.other = given + out.npure, out.nother = m - out.npure;
  return out;
}

static void reduce_fields(LawGauge *g) {
  static const unsigned order[2][4] = {{LAW_X, 0}, {LAW_X | LAW_Y, LAW_X, LAW_Y, 0}};
  g->row = ARENA_ARRAY(g->s->arena, LawRow, LAW_FIELDS);
  for (int k = 0; k < (g->dim == 1 ? 2 : 4) && !g->s->exhausted; k++) {
    LawDomain *domain = &g->domain[g->ndomains++];
    *domain = (LawDomain){.domain = order[g->dim - 1][k], .first = g->nrows};
    domain->given = reached(g, g->row, g->nrows, domain->domain);
    int n = 0;
    for (int i = 0; i < g->nauthors; i++)
      if (g->author[i].domain == domain->domain) g->row[g->nrows + n++] = row_copy(g, g->author[i]);
    n = settle(g, g->row + g->nrows, n, &domain->given, &domain->npure);
    for (int i = 0; i < n; i++) g->row[g->nrows + i].domain = domain->domain;
    g->nrows += n;
    domain->n = n;
  }
}

/* Known terms that fields reach by a constant are theirs. offset[i]: what field i takes. */
static void reduce_known(LawGauge *g) {
  int n = g->nrows;
  if (!n) return;
  LawRow *row = ARENA_ARRAY(g->s->arena, LawRow, n), known = g->known;
  int width = g->width, base = BASE * g->n;
  g->width = base + g->n + n;        /* tags behind: which combination of fields a row is */
  for (int i = 0; i < n; i++) {
    row[i] = row_new(g, 0);
    row[i].c[base + g->n + i].num = 1;
    memcpy(row[i].c + base, g->row[i].c + base, sizeof *row[i].c * (size_t)g->n);
  }
  g->known = row_new(g, 0);
  memcpy(g->known.c, known.c, sizeof *known.c * (size_t)width);
  int rank = echelon(g, row, n);
  while (rank && row[rank - 1].pivot >= base + g->n) rank--;      /* no function of u: combinations that constants do not reach */
  reduce_by_rows(g, g->known, row, rank);
  for (int i = 0; i < n; i++) g->offset[i] = law_minus(g->known.c[base + g->n + i]);
  g->width = width;
}

/* ---- monomials ---------------------------------------------------------------------------------------------------------------------------------------------------- */

static int by_pivot(const void *a, const void *b) { return law_pivot_order(*(const LawMonomial *)a, *(const LawMonomial *)b); }

static LawMonomial without_field(LawGauge *g, LawMonomial of, const LawAtom **field, int *count) {
  LawPower *power = ARENA_ARRAY(g->s->arena, LawPower, of.n);
  int n = 0;
  *field = NULL, *count = 0;
  for (int i = 0; i < of.n; i++)
    if (of.power[i].atom->field) *field = of.power[i].atom, *count += of.power[i].exponent;
    else power[n++] = of.power[i];
  return (LawMonomial){n, power};
}

static int find_monomial(const LawGauge *g, LawMonomial of) {
  for (int i = 0; i < g->n; i++)
    if (law_monomial_same(g->monomial[i], of)) return i;
  return -1;
}

bool law_gauge_rows(LawGauge *g, LawSum sum, const LawUnknown *unknown, int n, LawFault *fault) {
  const LawAtom *field;
  int count;
  g->monomial = ARENA_ARRAY(g->s->arena, LawMonomial, sum.n);
  for (int i = 0; i < sum.n; i++) {
    LawMonomial of = without_field(g, sum.term[i].of, &field, &count);
    if (count > 1) {
      const LawAtom *other = NULL;
      for (int k = 0; k < sum.term[i].of.n; k++)
        if (sum.term[i].of.power[k].atom->field && sum.term[i].of.power[k].atom != field) other = sum.term[i].of.power[k].atom;
      return law_fault(fault, E4006, "a law is linear in its fields; a product of fields is one field", "a term multiplies the field `%s` by %s%s%s", unknown[field->field - 1].name, other ? "the field `" : "itself",
                       other ? unknown[other->field - 1].name : "", other ? "`" : "");
    }
    if (find_monomial(g, of) < 0) g->monomial[g->n++] = of;
  }
  if (g->n > LAW_MONOMIALS) return law_fault(fault, E4019, "powers of sums are what grows: multiply fewer of them", "the law multiplied out has %d different functions of the state; at most %d are allowed", g->n, LAW_MONOMIALS);
  if (g->n) qsort(g->monomial, (size_t)g->n, sizeof *g->monomial, by_pivot);
  g->width = LAW_BLOCKS * g->n;
  g->author = ARENA_ARRAY(g->s->arena, LawRow, n);
  g->nauthors = n;
  g->known = row_new(g, 0);
  for (int i = 0; i < n; i++) g->author[i] = row_new(g, unknown[i].domain);
  for (int i = 0; i < sum.n; i++) {
    int m = find_monomial(g, without_field(g, sum.term[i].of, &field, &count));
    if (field) g->author[field->field - 1].c[law_block(field->dx, field->dy) * g->n + m] = sum.term[i].factor;
    else g->known.c[BASE * g->n + m] = sum.term[i].factor;
  }
  return true;
}

void law_gauge_reduce(LawGauge *g) {
  reduce_fields(g);
  reduce_known(g);
}

/* ---- what the author's fields became -------------------------------------------------------------------------------------------------------------------------------- */

static void add_operator(LawGauge *g, LawOperator *to, LawNumber factor, const LawNumber *content, int shift) {
  for (int k = 0; k < LAW_BLOCKS; k++) {
    if (!content[k].num || !factor.num) continue;
    int dx = law_blocks[k].dx + law_blocks[shift].dx, dy = law_blocks[k].dy + law_blocks[shift].dy;
    if (dx > LAW_SHIFTS - 1 || dy > LAW_SHIFTS - 1) to->opaque = true;
    else to->c[dx][dy] = law_plus(g->s, to->c[dx][dy], law_times(g->s, factor, content[k]));
  }
}

static void read_pure(LawGauge *g, LawRow v, int first, int n, int k, const LawNumber *content) {
  for (int block = 0; block < LAW_BLOCKS; block++)
    for (int i = first; i < first + n; i++) {
      LawNumber c = v.c[block * g->n + g->row[i].pivot - BASE * g->n];
      add_operator(g, &g->map[i][k], c, content, block);
      subtract(g, v, block * g->n, c, g->row[i], BASE * g->n, g->n);
    }
}

/* Canonical field i is sum_k map[i][k] C_k + offset[i], for author's fields C_k. */
void law_gauge_map(LawGauge *g) {
  for (int i = 0; i < g->nrows; i++)
    for (int k = 0; k < g->nauthors; k++)
      for (int a = 0; a < LAW_SHIFTS * LAW_SHIFTS; a++) g->map[i][k].c[a / LAW_SHIFTS][a % LAW_SHIFTS].den = 1;
  for (int k = 0; k < g->nauthors && !g->s->exhausted; k++) {
    LawRow v = row_copy(g, g->author[k]);
    LawNumber one[LAW_BLOCKS], content[LAW_BLOCKS];
    for (int b = 0; b < LAW_BLOCKS; b++) one[b] = (LawNumber){b == BASE, 1};
    for (int d = 0; d < g->ndomains; d++) {
      const LawDomain *domain = &g->domain[d];
      if ((domain->domain & v.domain) != v.domain) continue;
      if (domain->domain != v.domain) {      /* fields of more coordinates that multiply a function alone: read exactly */
        read_pure(g, v, domain->first, domain->npure, k, one);
        continue;
      }
      bool changed = reduce_by_pure(g, v, domain->given.pure, domain->given.npure) | reduce_by_rows(g, v, domain->given.other, domain->given.nother);
      changed |= reduce_by_pure(g, v, domain->given.pure, domain->given.npure);
      for (int i = 0; i < domain->first && changed; i++) g->map[i][k].opaque |= (g->row[i].domain & v.domain) == v.domain;
      read_pure(g, v, domain->first, domain->npure, k, one);
      divide(g, v, content);
      read_pure(g, v, domain->first, domain->npure, k, content);
      for (int i = domain->first + domain->npure; i < domain->first + domain->n; i++) {
        LawNumber c = v.c[g->row[i].pivot];
        add_operator(g, &g->map[i][k], c, content, BASE);
        subtract(g, v, 0, c, g->row[i], 0, g->width);
      }
      read_pure(g, v, domain->first, domain->npure, k, content);
      for (int i = 0; i < g->nrows && first_column(g, v) >= 0; i++) g->map[i][k].opaque = true;
    }
  }
}
