/* Laws solved forward from the denoised state, over an interval of time that their fields were not fitted on. */
#include <math.h>
#include <stdlib.h>

#include "hei_terms.h"

static void roll(const Hei *hei, const HeiData *data, const HeiCandidate *law, const double *coefficients, int trajectory, int interval, Rollout *out) {
  HeiNodes x = hei_nodes(hei->axis[0].n), y = hei_nodes(hei->axis[1].n);
  int nt = hei->start[interval + 1] - hei->start[interval];
  size_t values = (size_t)x.n * y.n * nt;
  double *u = malloc(sizeof(double) * 2 * values);
  HeiTerms terms = {0};
  hei_denoised(hei, trajectory, interval, x, y, u, u + values);
  hei_terms_open(hei, data, law, coefficients, x, y, &terms);
  RolloutData grid = {x.n, y.n, nt, x.step * (data->x[1] - data->x[0]) / (hei->axis[0].n - 1), y.n > 1 ? y.step * (data->y[1] - data->y[0]) / (hei->axis[1].n - 1) : 1,
                      data->t + hei->start[interval], u, u + values};
  rollout_run(&grid, terms.term, terms.n, NULL, out);
  hei_terms_close(&terms);
  free(u);
}

static void gather(const Rollout run[2], HeiRollout *out) {
  *out = (HeiRollout){.outcome = run[0].possible && run[1].possible ? HEI_OK : HEI_GRID, .blown_at = NAN};
  for (int w = 0; w < 2; w++) {
    out->direction[w] = run[w].error;
    out->growth = fmax(out->growth, run[w].growth);
    if (run[w].blown && !(out->blown && out->blown_at <= run[w].blown_at)) out->blown = true, out->blown_at = run[w].blown_at;
  }
  out->error = sqrt((run[0].error * run[0].error + run[1].error * run[1].error) / 2);
}

HeiOutcome hei_rollout(Hei *hei, const HeiData *data, const HeiCandidate *candidate, double *const coefficients[2], HeiRollout *out) {
  HeiLaw law;
  Rollout run[2];
  HeiOutcome outcome = hei_resolve(hei, candidate, &law);
  *out = (HeiRollout){outcome, NAN, {NAN, NAN}, NAN, false, NAN};
  if (outcome) return outcome;
  for (int w = 0; w < 2; w++) roll(hei, data, candidate, coefficients[w], w, hei->nintervals - 1, &run[w]);
  gather(run, out);
  return out->outcome;
}

HeiOutcome hei_rollout_sealed(Hei *hei, const HeiData *data, int end, const HeiCandidate *candidate, double *const coefficients[2], HeiRollout *out) {
  HeiOutcome outcome;
  *out = (HeiRollout){HEI_GRID, NAN, {NAN, NAN}, NAN, false, NAN};
  if (end <= data->start[HEI_INTERVALS]) return HEI_GRID;
  Hei *sealed = hei_open_sealed(hei, data, end, &outcome);
  if (!sealed) return out->outcome = outcome;
  outcome = hei_rollout(sealed, data, candidate, coefficients, out);
  hei_close(sealed);
  return outcome;
}
