/* Local moves between laws, ranked by what the fitted fields say: a move that changes them by less than the two trajectories do comes first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "structure.h"

enum { MAX_POWER = 3, MAX_INTEGER = 9 };
static const double RESOLVED = 0.02, ALIKE = 0.8;     /* fields that differ by more between the trajectories are taken for noise */

static const double unmeasured[STRUCTURE_MOVES] = {
#define MOVE(NAME, rank, text) rank,
#include "structure.def"
};
const char *const structure_move_name[STRUCTURE_MOVES] = {
#define MOVE(NAME, rank, text) text,
#include "structure.def"
};

typedef struct Moves {
  const Structure *law;
  const StructureLanguage *language;
  const StructureEvidence *evidence;
  StructureSteps *out;
} Moves;

static bool has_field(const StructureGroup *group) { return !(group->domain & STRUCTURE_KNOWN); }
static unsigned whole(const Moves *m) { return m->language->dims == 1 ? STRUCTURE_X : STRUCTURE_X | STRUCTURE_Y; }

/* Keeps a law within the language once; groups without terms are left out. A negative rank: not measured, so many times what the move has without. */
static void offer(Moves *m, StructureMove move, double rank, const Structure *law) {
  Structure tidy = {0};
  for (int k = 0; k < law->n; k++)
    if (law->group[k].n) tidy.group[tidy.n++] = law->group[k];
  if (!structure_within(&tidy, m->language) || structure_equal(&tidy, m->law)) return;
  StructureSteps *out = m->out;
  for (int k = 0; k < out->n; k++)
    if (structure_equal(&out->step[k].law, &tidy)) return;
  if (out->n == out->room) out->step = realloc(out->step, sizeof *out->step * (out->room = 2 * out->room + 32));
  out->step[out->n++] = (StructureStep){move, rank < 0 ? -rank * unmeasured[move] : rank, rank >= 0, tidy};
}

/* ---- what the fields say --------------------------------------------------------------------------------------------------------------------------------------- */

static const double *value(const Moves *m, int k) { return m->evidence ? m->evidence->value[k] : NULL; }
static long anchors(const Moves *m) { return (long)m->evidence->nx * m->evidence->ny; }

/* Relative L2 difference of the fits, at least what the anchors resolve. */
static double uncertainty(const Moves *m, int k) { return fmin(fmax(m->evidence->difference[k], RESOLVED), ALIKE); }

/* A relative change of a field that stays, in its uncertainty. A field that is noise altogether is better dropped. */
static double in_uncertainty(const Moves *m, int k, double change) {
  double rank = change / uncertainty(m, k);
  return m->evidence->difference[k] >= ALIKE ? fmax(rank, 1) : rank;
}

static double norm(const double *a, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum += a[i] * a[i];
  return sqrt(sum);
}

static double distance(const double *a, const double *b, double factor, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum += (a[i] - factor * b[i]) * (a[i] - factor * b[i]);
  return sqrt(sum);
}

/* Two fields as one, *sign times: how much they differ by their mean size. */
static double rank_share(const Moves *m, int a, int b, int *sign) {
  const double *u = value(m, a), *v = value(m, b);
  *sign = 1;
  if (!u || !v) return -1;
  long n = anchors(m);
  double plus = distance(u, v, 1, n), minus = distance(u, v, -1, n), size = (norm(u, n) + norm(v, n)) / 2;
  if (minus < plus) *sign = -1;
  return fmin(plus, minus) / (size + 1e-300) / fmax(uncertainty(m, a), uncertainty(m, b));
}

/* C against its mean along the axis that it would no longer depend on. */
static double rank_depend(const Moves *m, int k, unsigned left) {
  const double *c = value(m, k);
  if (!c) return -1;
  int nx = m->evidence->nx, ny = m->evidence->ny;
  double sum = 0;
  for (int line = 0; line < (left == STRUCTURE_X ? nx : ny); line++) {
    int n = left == STRUCTURE_X ? ny : nx, step = left == STRUCTURE_X ? nx : 1, first = left == STRUCTURE_X ? line : line * nx;
    double mean = 0;
    for (int i = 0; i < n; i++) mean += c[first + i * step] / n;
    for (int i = 0; i < n; i++) sum += (c[first + i * step] - mean) * (c[first + i * step] - mean);
  }
  return in_uncertainty(m, k, sqrt(sum) / (norm(c, anchors(m)) + 1e-300));
}

static double rank_fix(const Moves *m, int k, int *integer) {
  const double *c = value(m, k);
  *integer = 1;
  if (!c) return -1;
  double mean = 0, sum = 0;
  long n = anchors(m);
  for (long i = 0; i < n; i++) mean += c[i] / (double)n;
  *integer = (int)fmax(-MAX_INTEGER, fmin(MAX_INTEGER, round(mean)));
  if (!*integer) *integer = mean < 0 ? -1 : 1;
  for (long i = 0; i < n; i++) sum += (c[i] - *integer) * (c[i] - *integer);
  return in_uncertainty(m, k, sqrt(sum) / (norm(c, n) + 1e-300));
}

/* out += factor * derivative of c along an axis, by central differences inside. */
static void add_slope(const StructureEvidence *e, const double *c, int axis, double factor, double *out) {
  int n = axis ? e->ny : e->nx;
  const double *x = axis ? e->y : e->x;
  for (int j = 0; j < e->ny; j++)
    for (int i = 0; i < e->nx; i++) {
      int at = axis ? j : i, lo = at ? at - 1 : at, hi = at + 1 < n ? at + 1 : at;
      double up = axis ? c[hi * e->nx + i] : c[j * e->nx + hi], down = axis ? c[lo * e->nx + i] : c[j * e->nx + lo];
      out[j * e->nx + i] += factor * (up - down) / (x[hi] - x[lo]);
    }
}

/* ---- moves -------------------------------------------------------------------------------------------------------------------------------------------------------- */

static void drop(Moves *m) {
  Structure stable = *m->law;
  double most = 0;
  for (int k = 0; k < m->law->n; k++) {
    Structure law = *m->law;
    double difference = m->evidence && has_field(&law.group[k]) ? m->evidence->difference[k] : -1;
    law.group[k].n = 0;
    offer(m, MOVE_DROP_FIELD, difference >= 0 ? 1 / fmax(difference, RESOLVED) : -1, &law);
    if (difference >= ALIKE) stable.group[k].n = 0, most = fmax(most, difference);
  }
  if (most > 0) offer(m, MOVE_DROP_FIELD, 0.9 / most, &stable);
  for (int k = 0; k < m->law->n; k++)
    for (int i = 0; i < m->law->group[k].n && m->law->group[k].n > 1; i++) {
      Structure law = *m->law;
      StructureGroup *group = &law.group[k];
      memmove(group->term + i, group->term + i + 1, sizeof *group->term * (size_t)(--group->n - i));
      offer(m, MOVE_DROP_TERM, -1, &law);
    }
}

static StructureTerm mirrored(StructureTerm term) {
  StructureTerm out = term;
  out.outer[0] = term.outer[1], out.outer[1] = term.outer[0];
  for (int k = 0; k < term.g.nd; k++) out.g.d[k][0] = term.g.d[k][1], out.g.d[k][1] = term.g.d[k][0];
  return out;
}

static bool same_term(StructureTerm a, StructureTerm b) { return !memcmp(&a, &b, sizeof a); }

static bool mirrors(const StructureGroup *a, const StructureGroup *b) {
  if (a->n != b->n || a->domain != b->domain || !has_field(a)) return false;
  for (int i = 0; i < a->n; i++)
    if (!same_term(mirrored(a->term[i]), b->term[i])) return false;
  return true;
}

static void share(Moves *m) {
  for (int a = 0; a < m->law->n; a++)
    for (int b = a + 1; b < m->law->n; b++) {
      Structure law = *m->law;
      StructureGroup *one = &law.group[a], *other = &law.group[b];
      if (!mirrors(one, other) || one->n + other->n > STRUCTURE_TERMS) continue;
      int sign;
      double rank = rank_share(m, a, b, &sign);
      for (int i = 0; i < other->n; i++) one->term[one->n] = other->term[i], one->term[one->n++].factor *= (signed char)sign;
      other->n = 0;
      offer(m, MOVE_SHARE, rank, &law);
    }
}

static void split(Moves *m) {
  for (int k = 0; k < m->law->n; k++) {
    Structure law = *m->law;
    StructureGroup group = law.group[k];
    if (!has_field(&group) || group.n < 2 || law.n + group.n - 1 > STRUCTURE_GROUPS) continue;
    for (int i = 0; i < group.n; i++) {
      StructureGroup *to = i ? &law.group[law.n++] : &law.group[k];
      *to = (StructureGroup){.domain = group.domain, .n = 1, .term = {group.term[i]}};
      to->term[0].factor = 1;
    }
    offer(m, MOVE_SPLIT, -1, &law);
  }
}

/* u^p or u^p d u: what a derivative can be taken of, and back, but for lower terms and factors. */
static bool into(StructureTerm *term, int axis) {
  Monomial *g = &term->g;
  if (g->function || g->nd != 1 || !g->d[0][axis]) return false;
  term->outer[axis]++;
  if (!--g->d[0][axis] && !g->d[0][!axis]) g->nd = 0, g->power++;
  return true;
}

static bool out_of(StructureTerm *term, int axis) {
  Monomial *g = &term->g;
  if (!term->outer[axis] || g->function || g->nd > 1 || (!g->nd && !g->power)) return false;
  term->outer[axis]--;
  if (!g->nd) g->nd = 1, g->power--;
  g->d[0][axis]++;
  return true;
}

/* Each term along its own axis: of a field that both directions share, one alone would tell x from y. */
static bool group_shift(StructureGroup *group, bool inwards) {
  for (int i = 0; i < group->n; i++) {
    StructureTerm *term = &group->term[i];
    if (inwards ? !into(term, 0) && !into(term, 1) : !out_of(term, 0) && !out_of(term, 1)) return false;
  }
  return has_field(group);
}

static void shift(Moves *m, bool inwards) {
  StructureMove move = inwards ? MOVE_INTO : MOVE_OUT_OF;
  Structure all = *m->law;
  int shifted = 0;
  for (int k = 0; k < all.n; k++) {
    Structure law = *m->law;
    if (!group_shift(&law.group[k], inwards)) continue;
    offer(m, move, -1, &law);
    all.group[k] = law.group[k], shifted++;
  }
  if (shifted > 1) offer(m, move, -1, &all);
}

static bool is_linear(const Monomial *g) { return !g->function && g->power + g->nd == 1; }

/* The group that is one field times this monomial, -1: there is none. */
static int plain_group(const Structure *law, const Monomial *g) {
  for (int k = 0; k < law->n; k++) {
    const StructureGroup *group = &law->group[k];
    if (has_field(group) && group->n == 1 && same_term(group->term[0], (StructureTerm){.factor = 1, .g = *g})) return k;
  }
  return -1;
}

/* The fields `chosen` go into the derivatives of their terms, and the fields of the lower terms that this gives go: they were the derivatives. Not all
 * have to be there; some may have been dropped before. */
static void absorb_chosen(Moves *m, unsigned chosen) {
  Structure law = *m->law;
  int lower[STRUCTURE_GROUPS], nlower = 0;
  long n = m->evidence ? anchors(m) : 0;
  double *slope = n ? calloc((size_t)n * STRUCTURE_GROUPS, sizeof *slope) : NULL;
  bool fits = true, measured = slope != NULL;
  for (int k = 0; k < law.n && fits; k++) {
    if (!(chosen >> k & 1)) continue;
    for (int i = 0; i < law.group[k].n && fits; i++) {
      StructureTerm *term = &law.group[k].term[i], before = *term;
      fits = is_linear(&term->g) && (into(term, 0) || into(term, 1));
      int at = fits ? plain_group(m->law, &term->g) : -1, axis = term->outer[1] > before.outer[1], p = 0;
      fits = fits && has_field(&law.group[k]) && !(at >= 0 && chosen >> at & 1);
      if (!fits || at < 0) continue;
      while (p < nlower && lower[p] != at) p++;
      if (p == nlower) lower[nlower++] = at;
      if (measured && value(m, k) && value(m, at)) add_slope(m->evidence, value(m, k), axis, before.factor, slope + at * n);
      else measured = false;
    }
  }
  double rank = -1;
  if (measured && fits) rank = 0;
  for (int p = 0; p < nlower && fits; p++) {
    int k = lower[p];
    law.group[k].n = 0;
    if (measured) rank = fmax(rank, distance(value(m, k), slope + k * n, 1, n) / (norm(value(m, k), n) + 1e-300) / uncertainty(m, k));
  }
  if (fits && nlower) offer(m, MOVE_ABSORB, rank, &law);
  free(slope);
}

static void absorb(Moves *m) {
  for (unsigned chosen = 1; chosen < 1u << m->law->n; chosen++) absorb_chosen(m, chosen);
}

/* Product rule with free fields: a field in front of each derivative that comes out. */
static void expand(Moves *m) {
  for (int k = 0; k < m->law->n; k++) {
    Structure law = *m->law;
    bool expanded = false, fits = has_field(&law.group[k]);
    for (int i = 0; i < law.group[k].n && fits; i++) {
      StructureTerm *term = &law.group[k].term[i];
      while (fits && (term->outer[0] || term->outer[1])) {
        Structure lower = {.n = 1, .group = {{.domain = law.group[k].domain, .n = 1, .term = {{.factor = 1, .g = term->g}}}}};
        fits = is_linear(&term->g) && (structure_join(&law, &lower) || plain_group(&law, &term->g) >= 0) && (out_of(term, 0) || out_of(term, 1));
        expanded = true;
      }
    }
    if (fits && expanded) offer(m, MOVE_EXPAND, -1, &law);
  }
}

/* An integer has no derivative: the outer ones of linear terms reach u. */
static void take_out(StructureGroup *group) {
  for (int i = 0; i < group->n; i++)
    while (is_linear(&group->term[i].g) && (out_of(&group->term[i], 0) || out_of(&group->term[i], 1))) {}
}

static void depend(Moves *m) {
  for (int k = 0; k < m->law->n; k++) {
    const StructureGroup *group = &m->law->group[k];
    Structure law = *m->law;
    if (!has_field(group)) {
      law.group[k].domain = whole(m);
      for (int i = 0; i < group->n; i++) law.group[k].term[i].factor = (signed char)(group->term[i].factor * group->term[0].factor < 0 ? -1 : 1);
      offer(m, MOVE_FREE, -1, &law);
      continue;
    }
    for (unsigned left = STRUCTURE_X; left <= STRUCTURE_Y && group->domain == 3; left++) {
      law.group[k].domain = left;
      offer(m, MOVE_DEPEND_LESS, rank_depend(m, k, left), &law);
    }
    if (group->domain != whole(m)) law.group[k].domain = whole(m), offer(m, MOVE_DEPEND_MORE, -1, &law);
    int integer;
    double rank = rank_fix(m, k, &integer);
    for (int sign = 1; sign >= -1; sign -= 2, rank *= 2) {
      law = *m->law;
      law.group[k].domain = STRUCTURE_KNOWN;
      take_out(&law.group[k]);
      for (int i = 0; i < group->n; i++) law.group[k].term[i].factor = (signed char)(group->term[i].factor * sign * integer);
      offer(m, MOVE_FIX, rank, &law);
    }
  }
}

/* The multiplier of all terms of a group, or the direction of a single one. */
static void change(Moves *m) {
  for (int k = 0; k < m->law->n; k++) {
    const StructureGroup *group = &m->law->group[k];
    for (int by = -1; by <= 1 + m->language->nfunctions; by++) {
      Structure law = *m->law;
      bool fits = true;
      for (int i = 0; i < group->n; i++) {
        Monomial *g = &law.group[k].term[i].g;
        if (by > 1) fits = fits && !group->term[i].outer[0] && !group->term[i].outer[1] && !g->nd, g->power = 0, g->function = (unsigned char)(by - 1);
        else if (by == 0) fits = fits && g->function, g->function = 0, g->power = 1;
        else fits = fits && !g->function && g->power + by >= 0 && g->power + by <= MAX_POWER, g->power = (unsigned char)(g->power + by);
      }
      if (fits) offer(m, MOVE_CHANGE, -1, &law);
    }
    if (group->n == 1 && m->language->dims == 2) {
      Structure law = *m->law;
      law.group[k].term[0] = mirrored(group->term[0]);
      offer(m, MOVE_CHANGE, -1, &law);
    }
  }
}

static void transfer(Moves *m) {
  for (int from = 0; from < m->law->n; from++)
    for (int i = 0; i < m->law->group[from].n; i++)
      for (int to = 0; to < m->law->n; to++) {
        Structure law = *m->law;
        StructureGroup *a = &law.group[from], *b = &law.group[to];
        if (from == to || !has_field(a) || !has_field(b) || b->n == STRUCTURE_TERMS) continue;
        b->term[b->n++] = a->term[i];
        memmove(a->term + i, a->term + i + 1, sizeof *a->term * (size_t)(--a->n - i));
        offer(m, MOVE_TRANSFER, -1, &law);
      }
}

void structure_moves(const Structure *law, const StructureLanguage *language, const Addition *addition, int nadditions, const StructureEvidence *evidence, StructureSteps *out) {
  Moves m = {law, language, evidence, out};
  out->n = 0;
  drop(&m), share(&m), absorb(&m), depend(&m), shift(&m, true), shift(&m, false);
  for (int k = 0; k < nadditions; k++) {
    Structure more = *law;
    if (structure_join(&more, &addition[k].law)) offer(&m, MOVE_ADD, -1 - 0.4 * k / nadditions, &more);
  }
  split(&m), change(&m), transfer(&m), expand(&m);
}

void structure_steps_free(StructureSteps *steps) {
  free(steps->step);
  *steps = (StructureSteps){0};
}
