#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/design.h"

/* ---- a pair of trajectories ----------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Job {
  const FitRequest *of;
  const HeiApi *api;
  HeiData data;
  double *u[2];                        /* [nx][ny][nt] */
  bool single;                         /* one trajectory stands for both */
  Hei *hei; LawFeatures *features; const HeiCandidate *law; HeiResult result; HeiEvidence evidence;
} Job;

/* Thirds of the time: fields from the first, smoothness by the second, judged on the third; at last fields from all. */
static void cut(const Trajectory *t, int start[HEI_INTERVALS + 1]) {
  start[0] = 0, start[HEI_INTERVALS] = t->nt;
  for (int k = 1; k < HEI_INTERVALS; k++) {
    double edge = t->t[0] + (t->t[t->nt - 1] - t->t[0]) * k / HEI_INTERVALS;
    for (start[k] = start[k - 1]; start[k] < t->nt && t->t[start[k]] < edge;) start[k]++;
  }
}

static bool refuse(const Job *job, HeiOutcome outcome) {
  const FitRequest *r = job->of;
  Diag *d;
  if (outcome == HEI_VANISHES)
    d = diag_report(&r->host->diags, E4062, r->span, "`%s` cannot be fitted: what `%s` multiplies is zero on the data", r->name, r->law->field[job->result.at].name);
  else d = diag_report(&r->host->diags, E4062, r->span, "`%s` cannot be fitted: %s", r->name, job->api->outcome_text(outcome));
  if (outcome == HEI_GRID) diag_suggest(d, "some thirty snapshots and as many nodes in each direction are a start");
  if (outcome == HEI_SINGULAR) diag_suggest(d, "leave one of the fields out, or measure another excitation");
  return false;
}

static bool job_fit(Job *job, bool evidence) {
  HeiOptions options = job->api->options_for(job->api->for_fields, &job->data);
  HeiOutcome outcome;
  job->hei = job->api->open(&job->data, &options, &outcome);
  if (!job->hei) return refuse(job, outcome);
  job->features = law_features_new(job->hei, job->api->feature);
  job->law = law_candidate(job->features, job->of->law);
  job->api->evaluate(job->hei, 1, job->law, &job->result);
  outcome = job->result.outcome;
  if (!outcome && evidence) outcome = job->api->evidence(job->hei, job->law, &job->result, &job->evidence);
  if (!outcome && !evidence) outcome = job->api->pool(job->hei, job->law, &job->result, &job->evidence.pooled);
  return outcome ? refuse(job, outcome) : true;
}

static void job_close(Job *job) {
  if (job->api && job->hei) {
    job->api->evidence_free(&job->evidence);
    job->api->result_free(&job->result);
    job->api->close(job->hei);
    law_features_free(job->features);
  }
  free(job->u[0]);
  if (!job->single) free(job->u[1]);
}

static void job_open(Job *job, const FitRequest *r, const HeiApi *api, int first) {
  const Trajectory *a = &r->trajectory[first], *b = first + 1 < r->n ? a + 1 : NULL;
  *job = (Job){.of = r, .api = api, .single = !b};
  job->u[0] = trajectory_by_nodes(a);
  job->u[1] = b ? trajectory_by_nodes(b) : job->u[0];
  job->data = (HeiData){.nx = a->nx, .ny = a->ny, .x = {a->x[0], a->x[a->nx - 1]}, .t = a->t, .u = {job->u[0], job->u[1]}, .stride = a->nt};
  if (a->dim > 1) job->data.y[0] = a->y[0], job->data.y[1] = a->y[a->ny - 1];
  cut(a, job->data.start);
}

/* ---- bands ------------------------------------------------------------------------------------------------------------------------------------------------- */

/* Replicates: noise of the size that was found is added once more and everything is done again; the spread of the fields about those of the data. */
static bool bootstrap(const Job *job, int replicates, int first) {
  const FitRequest *r = job->of;
  size_t nodes = (size_t)job->data.nx * (size_t)job->data.ny, values = nodes * (size_t)job->data.stride;
  int nfields = job->evidence.nfields;
  double *sum = calloc(nodes * (size_t)nfields + 1, sizeof *sum), *value = malloc(nodes * sizeof *value);
  bool fine = true;
  for (int k = 0; k < replicates && fine; k++) {
    Job again;
    job_open(&again, r, job->api, first);
    for (int w = 0; w < 2 - job->single; w++) {
      HeiPrepared prepared;
      job->api->prepared(job->hei, w, &prepared);
      for (size_t i = 0; i < values; i++) {
        Draw draw = draw_open((uint64_t)k, (uint32_t)(first + w), i);
        again.u[w][i] += prepared.sigma * draw_normal(&draw);
      }
    }
    fine = job_fit(&again, false);
    for (int f = 0; f < nfields && fine; f++) {
      job->api->field_values(again.hei, r->law->field[f].domain, again.evidence.pooled.coefficients + again.result.first[f], value);
      for (size_t i = 0; i < nodes; i++) sum[(size_t)f * nodes + i] += (value[i] - job->evidence.field[f].value[i]) * (value[i] - job->evidence.field[f].value[i]);
    }
    job_close(&again);
  }
  for (int f = 0; f < nfields && fine; f++)
    for (size_t i = 0; i < nodes; i++) job->evidence.field[f].deviation[i] = sqrt(sum[(size_t)f * nodes + i] / replicates);
  free(sum), free(value);
  return fine;
}

/* ---- fields ------------------------------------------------------------------------------------------------------------------------------------------------ */

/* A canonical field over all pairs: the mean by the inverse of its variance. */
typedef struct Canonical { double *value, *deviation, *information; double stability, correlation, uncertainty, revealed, freedom; bool identifiable; } Canonical;

static void canonical_add(Canonical *c, const HeiFieldEvidence *f, size_t nodes, bool first) {
  if (first) {
    *c = (Canonical){malloc(nodes * sizeof(double)), malloc(nodes * sizeof(double)), malloc(nodes * sizeof(double)), f->stability, f->correlation, f->uncertainty, f->revealed, f->freedom, f->identifiable};
    memcpy(c->value, f->value, nodes * sizeof(double)), memcpy(c->deviation, f->deviation, nodes * sizeof(double)), memcpy(c->information, f->information, nodes * sizeof(double));
    return;
  }
  for (size_t i = 0; i < nodes; i++) {
    double a = 1 / fmax(c->deviation[i] * c->deviation[i], 1e-300), b = 1 / fmax(f->deviation[i] * f->deviation[i], 1e-300);
    c->value[i] = (a * c->value[i] + b * f->value[i]) / (a + b);
    c->deviation[i] = 1 / sqrt(a + b);
    c->information[i] = fmax(c->information[i], f->information[i]);
  }
  c->stability = fmax(c->stability, f->stability), c->uncertainty = fmin(c->uncertainty, f->uncertainty), c->revealed = fmax(c->revealed, f->revealed);
  c->identifiable |= f->identifiable;
}

static void canonical_free(Canonical *c) { free(c->value), free(c->deviation), free(c->information); }

/* [nx][ny] as samples [ny][nx]. */
static Value *plane(const FitRequest *r, Name name, Unit unit, const double *values) {
  const Trajectory *t = &r->trajectory[0];
  SamplesValue *s = calloc(1, sizeof *s);
  s->name = name, s->unit = unit;
  for (int d = t->dim - 1; d >= 0; d--) {
    int n = d ? t->ny : t->nx;
    s->axis[s->naxes++] = (SampleAxis){intern_text(r->host->names, d ? "y" : "x"), t->space, n, memcpy(malloc((size_t)n * sizeof(double)), d ? t->y : t->x, (size_t)n * sizeof(double))};
  }
  s->values = malloc(samples_count(s) * sizeof(double));
  for (int i = 0; i < t->nx; i++)
    for (int j = 0; j < t->ny; j++) s->values[(size_t)j * (size_t)t->nx + (size_t)i] = values[(size_t)i * (size_t)t->ny + (size_t)j];
  return samples_value(s);
}

static void give(SamplesValue *s, Host *host, const char *name, Value *v) {
  s->member = realloc(s->member, ((size_t)s->nmembers + 1) * sizeof *s->member);
  s->member[s->nmembers++] = (Argument){.name = intern_text(host->names, name), .value = v};
}

static void add_field(FitValue *fit, const FitRequest *r, Name name, Unit unit, const Canonical *c, const double *value, const double *deviation) {
  fit->field = realloc(fit->field, ((size_t)fit->nfields + 1) * sizeof *fit->field);
  FitField *f = &fit->field[fit->nfields++];
  *f = (FitField){name, plane(r, name, unit, value), c->stability, c->correlation, c->uncertainty, c->revealed, c->freedom, c->identifiable};
  SamplesValue *s = f->samples->samples;
  give(s, r->host, "band", plane(r, intern_text(r->host->names, "band"), unit, deviation));
  give(s, r->host, "information", plane(r, intern_text(r->host->names, "information"), UNIT_NONE, c->information));
  give(s, r->host, "stability", value_number(c->stability, UNIT_NONE));
  give(s, r->host, "uncertainty", value_number(c->uncertainty, UNIT_NONE));
  give(s, r->host, "revealed", value_number(c->revealed, UNIT_NONE));
  give(s, r->host, "identifiable", value_bool(c->identifiable));
}

/* Can the author's field be given by values of canonical ones? Derivatives of those are not. */
static bool by_values(const LawAuthor *a) {
  bool fine = a->fate == LAW_TOLD && a->npulls;
  for (int k = 0; k < a->npulls && fine; k++) fine = !a->pull[k].dx && !a->pull[k].dy;
  return fine;
}

/* In the author's names what they tell; canonical fields that none of them does under their own. */
static void add_fields(FitValue *fit, const FitRequest *r, const Canonical *c, const Unit *unit, size_t nodes) {
  bool shown[LAW_FIELDS] = {false};
  double *value = malloc(nodes * sizeof *value), *deviation = malloc(nodes * sizeof *deviation);
  for (int a = 0; a < r->law->nauthors; a++) {
    const LawAuthor *author = &r->law->author[a];
    if (!by_values(author)) continue;
    for (size_t i = 0; i < nodes; i++) value[i] = law_number(author->offset), deviation[i] = 0;
    for (int k = 0; k < author->npulls; k++) {
      double factor = law_number(author->pull[k].factor);
      const Canonical *from = &c[author->pull[k].field];
      for (size_t i = 0; i < nodes; i++) value[i] += factor * from->value[i], deviation[i] = hypot(deviation[i], factor * from->deviation[i]);
      shown[author->pull[k].field] = true;
    }
    add_field(fit, r, author->name, unit[author->pull[0].field], &c[author->pull[0].field], value, deviation);
  }
  for (int k = 0; k < r->law->nfields; k++)
    if (!shown[k]) add_field(fit, r, r->law->field[k].name, unit[k], &c[k], c[k].value, c[k].deviation);
  free(value), free(deviation);
}

/* ---- the law as a whole --------------------------------------------------------------------------------------------------------------------------------------- */

static void take_scores(FitValue *fit, Job *job) {
  const HeiResult *result = &job->result;
  HeiResult null;
  HeiPrepared prepared;
  fit->score = result->error, fit->error_ab = result->direction[0], fit->error_ba = result->direction[1], fit->standard_error = result->standard_error;
  fit->noise_ceiling = job->evidence.noise_ceiling, fit->explained = job->evidence.explained, fit->condition = job->evidence.pooled.condition;
  job->api->evaluate(job->hei, 1, &(HeiCandidate){0}, &null);
  fit->null_score = null.outcome ? NAN : null.error;
  job->api->result_free(&null);
  job->api->prepared(job->hei, 0, &prepared);
  fit->noise = prepared.sigma;
  if (prepared.correlated)
    diag_report(&job->of->host->diags, W4062, job->of->span, "the noise is not white: neighbouring residuals correlate by %.2f in x, %.2f in y, %.2f in t", prepared.correlation[0], prepared.correlation[1], prepared.correlation[2]);
}

static void take_nature(FitValue *fit, Job *job) {
  double *pooled[2] = {job->evidence.pooled.coefficients, job->evidence.pooled.coefficients}, *weight = NULL;
  size_t nodes = (size_t)job->data.nx * (size_t)job->data.ny;
  HeiRollout roll;
  HeiNature nature;
  if (job->evidence.nfields) weight = memcpy(malloc(nodes * sizeof *weight), job->evidence.field[0].information, nodes * sizeof *weight);
  for (int k = 1; k < job->evidence.nfields; k++)
    for (size_t i = 0; i < nodes; i++) weight[i] = fmin(weight[i], job->evidence.field[k].information[i]);
  job->api->rollout(job->hei, &job->data, job->law, pooled, &roll);
  job->api->nature(job->hei, &job->data, job->law, pooled[0], weight, &nature);
  fit->rollout = roll.error, fit->growth = roll.growth, fit->blown = roll.blown, fit->blown_at = roll.blown_at;
  fit->constant_rate = nature.constant_rate, fit->leak = nature.leak, fit->backward = nature.backward;
  free(weight);
}

static void say(const FitValue *fit, const FitRequest *r) {
  for (int k = 0; k < fit->nfields; k++)
    if (!fit->field[k].identifiable)
      diag_suggest(diag_report(&r->host->diags, W4063, r->span, "`%s` is not to be believed: its expected relative error is %.2g, and it differs by %.2g between trajectories", fit->field[k].name,
                               fit->field[k].uncertainty, fit->field[k].stability), "look at `.information`: where it is small, the excitations do not tell the field");
  if (!fit->explained)
    diag_report(&r->host->diags, W4064, r->span, "`%s` does not explain the data: it leaves %.3g of u_t, noise alone would leave %.3g", r->name, fit->score, fit->noise_ceiling);
  if (fit->blown) diag_report(&r->host->diags, W4065, r->span, "`%s` with these fields blows up when it is solved forward, at t = %g", r->name, fit->blown_at);
}

static FitValue *fit_new(const FitRequest *r, Unit *unit) {
  const Trajectory *t = &r->trajectory[0];
  FitValue *fit = calloc(1, sizeof *fit);
  fit->law = r->name, fit->trajectories = r->n, fit->state_unit = t->state;
  fit->equation = strdup(r->equation ? r->equation : ""), fit->key = strdup(r->law->key);
  memcpy(fit->id, r->law->id, sizeof fit->id);
  fit->transfer = fit->rollout = fit->growth = fit->constant_rate = fit->leak = fit->backward = NAN;
  fit->sources = fit_has_sources(r->law), fit->homogeneous = fit_known_fits(r->law->known, t->state, t->space, t->time);
  for (int k = 0; k < r->law->nfields; k++) unit[k] = fit_field_unit(&r->law->field[k], t->state, t->space, t->time, &fit->homogeneous);
  return fit;
}

FitValue *fit_run(const FitRequest *r) {
  const EngineApi *engine = host_engine(r->host, r->span);
  Canonical canonical[LAW_FIELDS] = {{0}};
  Unit unit[LAW_FIELDS];
  bool fine = engine != NULL;
  FitValue *fit = fit_new(r, unit);
  size_t nodes = trajectory_nodes(&r->trajectory[0]);
  for (int first = 0; first < r->n && fine; first += 2) {
    Job job;
    job_open(&job, r, engine->hei, first);
    fine = job_fit(&job, true) && (!r->bootstrap || bootstrap(&job, r->bootstrap, first));
    for (int k = 0; k < r->law->nfields && fine; k++) {
      HeiFieldEvidence *f = &job.evidence.field[k];
      for (size_t i = 0; i < nodes && job.single && !r->bootstrap; i++) f->deviation[i] *= sqrt(2);      /* it was counted twice */
      canonical_add(&canonical[k], f, nodes, !first);
    }
    if (fine && !first) take_scores(fit, &job), take_nature(fit, &job);
    job_close(&job);
  }
  if (fine) {
    add_fields(fit, r, canonical, unit, nodes);
    for (int k = 0; k < r->law->nfields && r->n > 1; k++) fit->transfer = isnan(fit->transfer) ? canonical[k].stability : fmax(fit->transfer, canonical[k].stability);
    say(fit, r);
  }
  for (int k = 0; k < r->law->nfields; k++) canonical_free(&canonical[k]);
  if (fine) return fit;
  fit_free(fit);
  return NULL;
}

void fit_free(FitValue *fit) {
  if (!fit) return;
  for (int k = 0; k < fit->nfields; k++) value_release(fit->field[k].samples);
  free(fit->field), free(fit->equation), free(fit->key), free(fit);
}
