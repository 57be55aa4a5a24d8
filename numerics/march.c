#include "march.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "compatible.h"
#include "engine_internal.h"
#include "petsc.h"

static double *state_new(const Space *space) { return big_zeroed(sizeof(double) * ((size_t)space->nlocal + 1)); }

Status march_open(March *march, System *system, double rho) {
  Problem *problem = system->problem;
  const Space *space = problem->space;
  *march = (March){.system = system, .row = problem->step_form.row, .rho = rho, .constant = problem->step.constant, .smallest = INFINITY};
  for (int i = 0; i < problem->pde->nunknowns; i++) march->second_order |= problem->step_form.rates[i];
  march->matrices.of[0].system = system;
  march->u = state_new(space), march->next = state_new(space);
  for (int k = 0; k < SCHEME_LEVELS; k++) march->previous[k] = state_new(space);
  for (int k = 0; k < SCHEME_LEVELS && problem->step_form.keeps_rates; k++) march->rate[k] = state_new(space), march->old_rate[k] = state_new(space);
  /* a factor needs no good start */
  bool direct = !strcmp(system->solver.row->method, KSPPREONLY) && problem->step.findings & FORM_LINEAR;
  march->guess = direct ? 0 : march->row->order;
  return 0;
}

void march_close(March *march) {
  free(march->u), free(march->next);
  for (int k = 0; k < SCHEME_LEVELS; k++) free(march->previous[k]);
  for (int k = 0; k < SCHEME_LEVELS; k++) free(march->rate[k]), free(march->old_rate[k]);
  if (march->matrices.spare.open) system_close(&march->matrices.spare);
}

/* ---- matrices -------------------------------------------------------------------------------------------------------------------------- */

/* The old time enters no matrix that is constant. */
static bool same_numbers(const double *a, const double *b) {
  for (int k = 0; k < SCHEME_PARAMS; k++)
    if (k != SCHEME_TIME_OLD && a[k] != b[k]) return false;
  return true;
}

static void give_up(Matrices *matrices, Matrix *matrix) {
  if (!matrix->made) return;
  memcpy(matrices->seen[matrices->nseen++ % 4], matrix->scheme, sizeof matrix->scheme);
  matrix->made = false;
}

static bool seen_before(const Matrices *matrices, const double *scheme) {
  for (int i = 0; i < matrices->nseen && i < 4; i++)
    if (same_numbers(matrices->seen[i], scheme)) return true;
  return false;
}

/* The matrix for the numbers of the step at hand: one that was made for them, else the older one, to be made anew. A second one is opened when numbers
 * come back that were given up: so two lengths that take turns are factored once each, and a single other step costs no memory. */
static Status matrix_for(March *march, Matrix **out, bool *fresh) {
  Matrices *m = &march->matrices;
  Matrix *first = &m->of[0], *second = &m->of[1];
  *fresh = true;
  *out = first;
  m->solves++;
  if (!march->constant) return 0;
  for (int k = 0; k < MARCH_MATRICES; k++)
    if (m->of[k].made && same_numbers(m->of[k].scheme, march->scheme)) {
      *out = &m->of[k];
      *fresh = false;
      (*out)->used = m->solves;
      return 0;
    }
  if (!second->system && first->made && seen_before(m, march->scheme)) {
    TRY(system_open(&m->spare, march->system->problem, march->system->options, true));
    second->system = &m->spare;
  }
  if (second->system && second->used < first->used) *out = second;
  give_up(m, *out);
  memcpy((*out)->scheme, march->scheme, sizeof march->scheme);
  (*out)->used = m->solves;
  return 0;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------------------- */

void march_extrapolate(const March *march, double step, int order, double *out) {
  int n = march->system->problem->space->nlocal;
  const double *u = march->u, *u1 = march->previous[0], *u2 = march->previous[1];
  double h1 = march->length[0], h2 = march->length[1];
  if (order < 1 || march->done < 1) {
    memcpy(out, u, sizeof(double) * (size_t)n);
    return;
  }
  if (order < 2 || march->done < 2) {
    double a = step / h1;
    for (int i = 0; i < n; i++) out[i] = u[i] + a * (u[i] - u1[i]);
    return;
  }
  double a = step * (step + h1) / (h1 + h2), d1 = 1 / h1, d2 = 1 / h2, b = step / h1;        /* Newton's form */
  for (int i = 0; i < n; i++) {
    double rise = u[i] - u1[i];
    out[i] = u[i] + b * rise + a * (rise * d1 - (u1[i] - u2[i]) * d2);
  }
}

Status march_try(March *march, double step, double end) {
  Problem *problem = march->system->problem;
  march->start = (SchemeStart){.step = step, .ratio = march->done ? step / march->length[0] : 1, .first = !march->done, .second_order = march->second_order, .rho = march->rho};
  scheme_coefficients(march->row, &march->start, march->scheme);
  march->scheme[SCHEME_TIME_OLD] = march->time;
  Data data = problem_data(problem, end);
  data.scheme = march->scheme;
  data.previous[0] = march->u, data.previous[1] = march->previous[0];
  for (int k = 0; k < SCHEME_LEVELS; k++) data.rate[k] = march->rate[k];
  march_extrapolate(march, step, march->guess, march->next);
  TRY(problem_prescribe(problem, &data, march->next));
  engine_stage(problem->engine, "prescribed values");
  Matrix *matrix;
  bool fresh;
  TRY(matrix_for(march, &matrix, &fresh));
  matrix->system->before = march->guess && march->done ? march->u : NULL;
  TRY(system_solve(matrix->system, &data, fresh, march->next));
  if (!march->done) TRY(compatible_data(problem, &data, march->next));
  matrix->made = true;
  if (matrix->system != march->system) march->system->solver.iterations = matrix->system->solver.iterations, march->system->solver.residual = matrix->system->solver.residual;
  return 0;
}

static void advance_rates(March *march, const double *u, const double *u1, const double *u2) {
  const Problem *problem = march->system->problem;
  const Space *space = problem->space;
  const double *r1 = march->rate[0], *r2 = march->rate[1];
  for (int b = 0; b < space->nblocks; b++) {
    const SpaceBlock *block = &space->block[b];
    SchemeRates by;
    scheme_rates(march->row, march->scheme, &march->start, problem->step_form.rates[b], &by);
    const double *p = by.r1, *q = by.r2;
    int owned = block->nodes->nowned * block->components, ghosts = (block->nodes->n - block->nodes->nowned) * block->components;
    for (int part = 0; part < 2; part++)
      for (int k = 0, i = part ? block->ghost : block->owned; k < (part ? ghosts : owned); k++, i++) {
        march->old_rate[0][i] = p[0] * u[i] + p[1] * u1[i] + p[2] * u2[i] + p[3] * r1[i] + p[4] * r2[i];
        march->old_rate[1][i] = q[0] * u[i] + q[1] * u1[i] + q[2] * u2[i] + q[3] * r1[i] + q[4] * r2[i];
      }
  }
  for (int k = 0; k < SCHEME_LEVELS; k++) {
    double *fresh = march->old_rate[k];
    march->old_rate[k] = march->rate[k];
    march->rate[k] = fresh;
  }
}

void march_take(March *march, double end) {
  if (march->rate[0]) advance_rates(march, march->next, march->u, march->previous[0]);
  double *oldest = march->previous[SCHEME_LEVELS - 1];
  for (int k = SCHEME_LEVELS - 1; k > 0; k--) march->previous[k] = march->previous[k - 1], march->length[k] = march->length[k - 1];
  march->previous[0] = march->u;
  march->u = march->next;
  march->next = oldest;
  march->length[0] = march->start.step;
  march->time = end;
  march->done++;
  march->taken++;
  march->smallest = fmin(march->smallest, march->start.step);
  march->largest = fmax(march->largest, march->start.step);
}

/* ---- continued runs -------------------------------------------------------------------------------------------------------------------- */

void march_record(const March *march, StepRecord *out) {
  *out = (StepRecord){.rho = march->rho, .next = march->next_length, .error = march->error, .done = march->done, .first = march->start.first};
  memcpy(out->scheme, march->scheme, sizeof out->scheme);
  memcpy(out->length, march->length, sizeof out->length);
  for (int k = 0; k < SCHEME_LEVELS && k < march->done; k++) out->previous[k] = march->previous[k];
  for (int k = 0; k < SCHEME_LEVELS; k++) out->rate[k] = march->old_rate[k];
}

static bool same_mesh(const Mesh *a, const Mesh *b) {
  if (a == b) return true;
  return a->ref == b->ref && a->ncells == b->ncells && a->nverts == b->nverts && !memcmp(a->cell, b->cell, sizeof(int) * (size_t)a->ncells * (size_t)a->ref->nverts) &&
         !memcmp(a->x, b->x, sizeof(double) * (size_t)a->nverts * (size_t)a->dim);
}

/* NULL, or why the states of one cannot be those of the other. */
static const char *differs(const Problem *problem, const Solution *from) {
  const Space *a = problem->space, *b = from->space;
  const char *what = a->nblocks != b->nblocks ? "it has other unknowns" : NULL;
  for (int i = 0; i < a->nblocks && !what; i++)
    if (a->block[i].nodes->element != b->block[i].nodes->element || a->block[i].components != b->block[i].components) what = "its unknowns are of other elements";
  if (petsc_agree(what != NULL)) return what ? what : "it has other unknowns";
  return petsc_agree(!same_mesh(a->mesh, b->mesh)) ? "it is on another mesh" : NULL;
}

/* Blocks lie alike in both spaces, but one that was loaded has no multipliers. */
static void copy_state(const Space *to, double *out, const Space *from, const double *v) {
  for (int b = 0; b < to->nblocks; b++) {
    const SpaceBlock *f = &from->block[b], *t = &to->block[b];
    memcpy(out + t->owned, v + f->owned, sizeof(double) * (size_t)(t->nodes->nowned * t->components));
  }
  for (int m = 0; m < to->nmultipliers && from->nmultipliers == to->nmultipliers && to->multiplier < to->nowned; m++) out[to->multiplier + m] = v[from->multiplier + m];
  space_ghosts(to, out);
}

Status march_continue(March *march, const Solution *from) {
  Problem *problem = march->system->problem;
  const char *why = differs(problem, from);
  if (why) {
    Diag *diag = diag_report(problem->diags, E2023, problem->span, "the run cannot begin with the solution of `from:`: %s", why);
    diag_suggest(diag, "solve on the mesh that the solution has, or give its fields as initial values: initially: u == (sol.u)");
    return 1;
  }
  int last = from->nstates - 1;
  const StepRecord *record = from->records ? from->records[last] : NULL;
  copy_state(problem->space, march->u, from->space, from->states[last]);
  if (!record || !from->scheme || strcmp(from->scheme, march->row->name)) return 0;     /* initial values, no more */
  march->done = record->done;
  march->next_length = record->next, march->error = record->error;
  memcpy(march->length, record->length, sizeof march->length);
  memcpy(march->scheme, record->scheme, sizeof march->scheme);
  march->start = (SchemeStart){.step = record->length[0], .ratio = record->length[1] > 0 ? record->length[0] / record->length[1] : 1, .first = record->first,
                               .second_order = march->second_order, .rho = record->rho};
  for (int k = 0; k < SCHEME_LEVELS; k++)
    if (record->previous[k]) copy_state(problem->space, march->previous[k], from->space, record->previous[k]);
  if (!march->rate[0]) return 0;
  /* the rates at the last state follow from those before it by the same arithmetic as in the run that is continued */
  for (int k = 0; k < SCHEME_LEVELS; k++)
    if (record->rate[k]) copy_state(problem->space, march->rate[k], from->space, record->rate[k]);
  advance_rates(march, march->u, march->previous[0], march->previous[1]);
  return 0;
}
