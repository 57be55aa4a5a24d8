#include "probe_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"

/* ---- points and rows --------------------------------------------------------------------------------------------------------------------------------- */

void probe_space_open(const MapSpec *spec, int nprobes, ProbeSpace *out) {
  *out = (ProbeSpace){.spec = spec, .nprobes = nprobes, .scalar = malloc(sizeof(int) * ((size_t)spec->ninputs + 1)), .block = calloc((size_t)nprobes + 1, sizeof(AdversaryBlock))};
  for (int i = 0; i < spec->ninputs; i++) {
    if (spec->inputs[i].history) out->histories = true;
    else out->scalar[out->nscalars++] = i;
  }
  out->dim = nprobes * out->nscalars;
  for (int p = 0; p < nprobes && out->histories; p++) {
    out->block[out->nblocks++] = (AdversaryBlock){out->dim, spec->nbank, spec->mixture};
    out->dim += spec->nbank;
  }
}

void probe_space_close(ProbeSpace *space) { free(space->scalar), free(space->block); }

void probe_space_problem(const ProbeSpace *space, AdversaryProblem *problem) {
  problem->dim = space->dim;
  problem->nbox = space->nprobes * space->nscalars;
  problem->block = space->block;
  problem->nblocks = space->nblocks;
}

static int history_width(const ProbeSpace *space) {
  int n = 0;
  for (int i = 0; i < space->spec->ninputs; i++) n += space->spec->inputs[i].history ? space->spec->grid->nt : 0;
  return n;
}

static const MapInput *number(const ProbeSpace *space, int k) { return &space->spec->inputs[space->scalar[k % space->nscalars]]; }
static double *in_row(const ProbeSpace *space, const double *rows, int k) {
  return (double *)rows + (size_t)(k / space->nscalars) * (size_t)space->spec->width + number(space, k)->offset;
}

void probe_space_rows(const ProbeSpace *space, const double *u, double *rows) {
  const MapSpec *spec = space->spec;
  int wide = history_width(space), nt = spec->grid ? spec->grid->nt : 0;
  memset(rows, 0, sizeof(double) * (size_t)(space->nprobes * spec->width));
  for (int k = 0; k < space->nprobes * space->nscalars; k++) {
    const MapInput *in = number(space, k);
    *in_row(space, rows, k) = u[k] <= 0 ? in->lo : u[k] >= 1 ? in->hi : in->lo + u[k] * (in->hi - in->lo);
  }
  for (int b = 0; b < space->nblocks; b++)
    for (int m = 0; m < spec->nbank; m++) {
      double a = u[space->block[b].first + m];
      if (a == 0) continue;
      const double *member = spec->bank + (size_t)m * (size_t)wide;
      for (int i = 0; i < spec->ninputs; i++) {
        if (!spec->inputs[i].history) continue;
        double *to = rows + (size_t)b * (size_t)spec->width + spec->inputs[i].offset;
        for (int k = 0; k < nt; k++) to[k] += a * member[k];
        member += nt;
      }
    }
}

void probe_space_gradient(const ProbeSpace *space, const double *rows_bar, double *u_bar) {
  const MapSpec *spec = space->spec;
  int wide = history_width(space), nt = spec->grid ? spec->grid->nt : 0;
  for (int k = 0; k < space->nprobes * space->nscalars; k++) u_bar[k] = *in_row(space, rows_bar, k) * (number(space, k)->hi - number(space, k)->lo);
  for (int b = 0; b < space->nblocks; b++)
    for (int m = 0; m < spec->nbank; m++) {
      const double *member = spec->bank + (size_t)m * (size_t)wide;
      double sum = 0;
      for (int i = 0; i < spec->ninputs; i++) {
        if (!spec->inputs[i].history) continue;
        const double *from = rows_bar + (size_t)b * (size_t)spec->width + spec->inputs[i].offset;
        for (int k = 0; k < nt; k++) sum += from[k] * member[k];
        member += nt;
      }
      u_bar[space->block[b].first + m] = sum;
    }
}

void probe_space_point(const ProbeSpace *space, const double *rows, const double *const *a, double *u) {
  for (int k = 0; k < space->nprobes * space->nscalars; k++) {
    const MapInput *in = number(space, k);
    u[k] = in->hi > in->lo ? (*in_row(space, rows, k) - in->lo) / (in->hi - in->lo) : 0;
  }
  for (int b = 0; b < space->nblocks; b++) memcpy(u + space->block[b].first, a[b], sizeof(double) * (size_t)space->block[b].n);
}

/* ---- the simplest that violates ------------------------------------------------------------------------------------------------------------------------ */

typedef struct Shrink {
  const ProbeSpace *space;
  const AdversaryProblem *problem;
  double threshold, *u, *trial, value;
  long used;
  bool changed;
} Shrink;

static bool try_trial(Shrink *s) {
  double value = NAN;
  s->used++;
  if (s->problem->check) value = s->problem->check(s->problem->user, s->trial);
  else if (s->problem->evaluate(s->problem->user, 1, s->trial, 0, &value, NULL)) value = NAN;
  if (!(value >= s->threshold)) return false;
  memcpy(s->u, s->trial, sizeof(double) * (size_t)s->space->dim);
  s->value = value;
  return s->changed = true;
}

static double rounded(double x, int digits) {
  double scale = x == 0 ? 1 : pow(10, digits - 1 - floor(log10(fabs(x))));
  return round(x * scale) / scale;
}

enum { FORMS = 8 };

/* The simplest forms of a number, the simplest first; NAN: not possible. */
static void forms_of(const ProbeSpace *space, const double *u, int k, double *out) {
  const MapInput *in = number(space, k);
  double x = in->lo + u[k] * (in->hi - in->lo), first = in->lo + u[k % space->nscalars] * (in->hi - in->lo);
  double form[FORMS] = {in->lo <= 0 && in->hi >= 0 ? 0 : NAN, (in->lo + in->hi) / 2, in->lo, in->hi, k >= space->nscalars ? first : NAN, rounded(x, 1), rounded(x, 2), rounded(x, 3)};
  for (int i = 0; i < FORMS; i++) out[i] = form[i] >= in->lo && form[i] <= in->hi ? (form[i] - in->lo) / (in->hi - in->lo) : NAN;
}

static void shrink_number(Shrink *s, int k) {
  double form[FORMS];
  if (!(number(s->space, k)->hi > number(s->space, k)->lo)) return;
  forms_of(s->space, s->u, k, form);
  for (int i = 0; i < FORMS; i++) {
    if (isnan(form[i])) continue;
    if (fabs(form[i] - s->u[k]) < 1e-12) return;      /* it is as simple already */
    memcpy(s->trial, s->u, sizeof(double) * (size_t)s->space->dim);
    s->trial[k] = form[i];
    if (try_trial(s)) return;
  }
}

static int largest_of(const double *a, int n) {
  int best = 0;
  for (int k = 1; k < n; k++)
    if (fabs(a[k]) > fabs(a[best])) best = k;
  return best;
}

static int smallest_of(const double *a, int n) {
  int best = -1;
  for (int k = 0; k < n; k++)
    if (a[k] != 0 && (best < 0 || fabs(a[k]) < fabs(a[best]))) best = k;
  return best;
}

static void shrink_block(Shrink *s, const AdversaryBlock *block) {
  const ProbeSpace *space = s->space;
  size_t bytes = sizeof(double) * (size_t)space->dim;
  double *a = s->trial + block->first;
  int n = block->n, members = 0;
  for (int k = 0; k < n; k++) members += s->u[block->first + k] != 0;
  if (!members || block->rule == MIXTURE_NONE) return;
  for (int form = 0; form < 3; form++) {      /* nothing at all, the first probe's, the largest member alone */
    memcpy(s->trial, s->u, bytes);
    int best = largest_of(a, n);
    double sign = a[best] < 0 ? -1 : 1;
    if (form == 0 && block->rule == MIXTURE_CONVEX) continue;
    if (form == 1 && block == space->block) continue;
    if (form == 1) memcpy(a, s->u + space->block[0].first, sizeof(double) * (size_t)n);
    else memset(a, 0, sizeof(double) * (size_t)n);
    if (form == 2) a[best] = sign;
    if (!memcmp(s->trial, s->u, bytes) || try_trial(s)) return;
  }
  for (int k; members > 1; members--) {      /* one member less */
    memcpy(s->trial, s->u, bytes);
    if ((k = smallest_of(a, n)) < 0) break;
    a[k] = 0;
    mixture_project(block->rule, a, n);
    if (!try_trial(s)) break;
  }
  for (int digits = 1; digits <= 2 && block->rule == MIXTURE_BALANCED; digits++) {
    double sum = 0;
    memcpy(s->trial, s->u, bytes);
    for (int k = 0; k < n; k++) sum += fabs(a[k] = rounded(a[k], digits));
    if (!memcmp(s->trial, s->u, bytes) || (sum <= 1 && try_trial(s))) return;
  }
}

long probe_space_shrink(const ProbeSpace *space, const AdversaryProblem *problem, double threshold, double *u, double *value) {
  Shrink s = {.space = space, .problem = problem, .threshold = threshold, .u = u, .trial = malloc(sizeof(double) * ((size_t)space->dim + 1)), .value = *value, .changed = true};
  for (int pass = 0; pass < 3 && s.changed; pass++) {
    s.changed = false;
    for (int b = 0; b < space->nblocks; b++) shrink_block(&s, &space->block[b]);
    for (int k = space->nprobes * space->nscalars - 1; k >= 0; k--) shrink_number(&s, k);
  }
  free(s.trial);
  *value = s.value;
  return s.used;
}
