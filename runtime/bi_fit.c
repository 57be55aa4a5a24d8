/* fit(hypothesis): one given law, its fields from trajectories. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/trajectory.h"
#include "builtin.h"
#include "fit.h"
#include "hypothesis.h"
#include "trajectory_read.h"

enum { F_LAW, F_TRAJECTORIES, F_BOOTSTRAP };
enum { TRAJECTORIES_MOST = 64, REPLICATES_MOST = 10000 };

/* Samples [nt][ny][nx] as a trajectory; false after a report. */
static bool from_samples(Call *call, const DiscoveryValue *d, const SamplesValue *s, Span span, Trajectory *out) {
  static const char *const order[2][3] = {{"t", "x", NULL}, {"t", "y", "x"}};
  int dim = d->space.dim;
  bool fits = s->naxes == dim + 1;
  for (int k = 0; k <= dim && fits; k++) fits = !strcmp(s->axis[k].name, order[dim - 1][k]);
  if (!fits) {
    diag_report(&call->ev->host->diags, E4061, span, "a trajectory of `%s` has times and %d coordinate%s", d->name, dim, dim == 1 ? "" : "s");
    return false;
  }
  double **to[3] = {&out->t, dim == 1 ? &out->x : &out->y, &out->x};
  *out = (Trajectory){.dim = dim, .nx = s->axis[dim].n, .ny = dim == 2 ? s->axis[1].n : 1, .nt = s->axis[0].n, .space = s->axis[dim].unit, .time = s->axis[0].unit, .state = s->unit};
  for (int k = 0; k <= dim; k++) *to[k] = memcpy(malloc((size_t)s->axis[k].n * sizeof(double)), s->axis[k].at, (size_t)s->axis[k].n * sizeof(double));
  out->u = memcpy(malloc(samples_count(s) * sizeof(double)), s->values, samples_count(s) * sizeof(double));
  return true;
}

static bool from_file(Call *call, const DiscoveryValue *d, const char *name, Span span, Trajectory *out) {
  TrajectoryForm form = {.state = d->space.state, .dim = d->space.dim};
  char *path = host_input_path(call->ev, name, span);
  bool fine = path && !trajectory_read(call->ev->host, path, &form, span, out);
  free(path);
  return fine;
}

/* Those of the discovery, or other files or samples of the same system. */
static bool read_trajectories(Call *call, const DiscoveryValue *d, Trajectory *out, int *n) {
  Value *v = ARG(F_TRAJECTORIES), *one[1] = {v};
  bool list = v && (v->kind == VALUE_LIST || v->kind == VALUE_TUPLE);
  Value **items = list ? v->items : one;
  int count = !v ? d->npaths : list ? v->n : 1;
  Span span = v ? call->spans[F_TRAJECTORIES] : call->span;
  const char *first = "the first trajectory";
  bool fine = count >= 1 && count <= TRAJECTORIES_MOST;
  for (*n = 0; *n < count && fine;) {
    Value *item = v ? items[*n] : NULL;
    const char *where = item && item->kind == VALUE_SAMPLES ? item->samples->name : item ? item->text : d->path[*n];
    long missing;
    if (item && item->kind != VALUE_STRING && item->kind != VALUE_SAMPLES) {
      fine = false;
      break;
    }
    if (!(item && item->kind == VALUE_SAMPLES ? from_samples(call, d, item->samples, span, &out[*n]) : from_file(call, d, where, span, &out[*n]))) return false;
    if (!(*n)++) first = where;
    if (trajectory_values(&out[*n - 1], 0, out[*n - 1].nt, where, &call->ev->host->diags, span, &missing)) return false;
    if (*n > 1 && trajectory_agree(&out[0], first, &out[*n - 1], where, &call->ev->host->diags, span)) return false;
  }
  if (fine) return true;
  diag_suggest(diag_report(&call->ev->host->diags, E0505, span, "trajectories are 1 to %d files or samples", TRAJECTORIES_MOST), "write trajectories: [\"A.h5\", \"B.h5\"]");
  return false;
}

/* As the author wrote it. */
static char *equation_text(const HypothesisValue *h, Name state) {
  Buf text = {0};
  buf_printf(&text, "dt(%s) == ", state);
  expr_print(&text, h->law->right, EXPR_TEXT);
  return text.text;
}

static Value *run_fit(Call *call) {
  Value *v = ARG(F_LAW);
  Host *host = call->ev->host;
  if (v->kind == VALUE_UNKNOWN) return fit_value(NULL);
  if (v->kind != VALUE_HYPOTHESIS) {
    diag_suggest(diag_report(&host->diags, E0505, call->spans[F_LAW], "`fit` wants a hypothesis; this is %s %s", value_article(v), value_kind_name(v)), "declare one: hypothesis law for d { unknown field D(x, y); dt(u) == div(D*grad(u)) }");
    return value_poison();
  }
  const HypothesisValue *h = v->hypothesis;
  const DiscoveryValue *d = h->discovery->discovery;
  double replicates = ARG(F_BOOTSTRAP) && ARG(F_BOOTSTRAP)->known ? ARG(F_BOOTSTRAP)->number : 0;
  if (!h->law) {
    Diag *bad = diag_report(&host->diags, h->fault.code, h->place, "%s", h->fault.found);
    if (*h->fault.mend) diag_suggest(bad, "%s", h->fault.mend);
    return value_poison();
  }
  if (!(replicates >= 0 && replicates <= REPLICATES_MOST)) {
    diag_report(&host->diags, E0506, call->spans[F_BOOTSTRAP], "a bootstrap has 0 to %d replicates, not %g", REPLICATES_MOST, replicates);
    return value_poison();
  }
  if (call->ev->dry) return fit_value(NULL);
  Trajectory trajectory[TRAJECTORIES_MOST];
  int n = 0;
  FitValue *fit = NULL;
  if (read_trajectories(call, d, trajectory, &n)) {
    char *equation = equation_text(h, d->space.state);
    fit = fit_run(&(FitRequest){host, h->name, d->space.state, equation, h->law, trajectory, n, (int)replicates, call->span});
    free(equation);
  }
  for (int k = 0; k < n; k++) trajectory_free(&trajectory[k]);
  return fit ? fit_value(fit) : value_poison();
}

const BuiltinRow builtin_fit[] = {
    {"fit", "(law: any, trajectories: any = none, bootstrap: int = 0) -> fit", "discovery",
     "Fits the unknown fields of one given law, a hypothesis, to the trajectories of its discovery, or to others: trajectories: [\"A.h5\", \"B.h5\", ...], files or samples (one is enough; two tell what carries over). "
     "f.NAME are the fields, samples on the grid of the data that stand for coefficients of any pde; f.NAME.band is their standard deviation, .information the share of a value that the data tell (0 to 1), .identifiable, "
     ".stability (relative difference between the trajectories), .revealed (share of the domain that is told). Of the law: .score, what it leaves of u_t in time that was not fitted (1: nothing is explained), and .noise_ceiling, what noise alone leaves; .error_ab, .error_ba, "
     ".standard_error; .rollout, its error solved forward over that of no change; .explained, .blown, .transfer, .leak, .backward, .constant_rate, .sources, .homogeneous, for contracts. bootstrap: n makes the band of n refits with noise added once more; 0, the "
     "limit of many block bootstraps. Nothing is sealed: for the choice between laws use a discovery.",
     NULL, run_fit},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
