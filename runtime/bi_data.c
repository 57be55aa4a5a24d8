/* Histories, and cases of a map. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/design.h"
#include "builtin.h"
#include "dataset.h"
#include "map_value.h"
#include "sampling.h"

/* --- histories --- */

enum { P_COUNT, P_TIMES, P_KIND, P_AMPLITUDE, P_SMOOTHNESS, P_SEED, P_RATES };
enum { WAVES = 24, TIMES_MOST = 1000000 };

/* Made in time from 0 to 1, of size about 1; value and rate at tau. */
typedef struct Shape1 { double level, start, length, wave[WAVES]; } Shape1;
typedef struct HistoryKind {
  const char *name;
  void (*draw)(Draw *draw, int smoothness, Shape1 *out);
  double (*value)(const Shape1 *s, double tau, double *rate);
} HistoryKind;

/* Box and Muller: what histories were made of from the beginning. */
static double history_normal(Draw *draw) {
  double u = 1 - draw_uniform(draw), v = draw_uniform(draw);
  return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

/* Waves that begin with value and rate 0; coefficients fall as m^-(smoothness + 1), so that derivatives up to that order stay bounded with more waves. */
static void smooth_draw(Draw *draw, int smoothness, Shape1 *out) {
  for (int m = 0; m < WAVES; m++) out->wave[m] = history_normal(draw) / pow(m + 1, smoothness + 1);
}

static double smooth_value(const Shape1 *s, double tau, double *rate) {
  double value = 0;
  *rate = 0;
  for (int m = 0; m < WAVES; m++) {
    double k = PI * (m + 0.5);
    value += s->wave[m] * (1 - cos(k * tau)) / 2;
    *rate += s->wave[m] * k * sin(k * tau) / 2;
  }
  return value;
}

static void ramp_draw(Draw *draw, int smoothness, Shape1 *out) {
  (void)smoothness;
  out->level = draw_sign(draw);
  out->length = draw_between(draw, 0.2, 0.8);
  out->start = draw_between(draw, 0, 1 - out->length);
}

/* From 0 to the level by 10 x^3 - 15 x^4 + 6 x^5, which has two continuous derivatives. */
static double ramp_value(const Shape1 *s, double tau, double *rate) {
  double x = fmin(fmax((tau - s->start) / s->length, 0), 1);
  *rate = s->level * 30 * x * x * (1 - x) * (1 - x) / s->length;
  return s->level * x * x * x * (10 + x * (6 * x - 15));
}

static void pulse_draw(Draw *draw, int smoothness, Shape1 *out) {
  (void)smoothness;
  out->level = draw_sign(draw);
  out->length = draw_between(draw, 0.2, 0.6);
  out->start = draw_between(draw, 0, 1 - out->length);
}

/* sin^4: three continuous derivatives. */
static double pulse_value(const Shape1 *s, double tau, double *rate) {
  double x = PI * fmin(fmax((tau - s->start) / s->length, 0), 1), sine = sin(x);
  *rate = s->level * 4 * sine * sine * sine * cos(x) * PI / s->length;
  return s->level * sine * sine * sine * sine;
}

static const HistoryKind kinds[] = {{"smooth", smooth_draw, smooth_value}, {"ramp", ramp_draw, ramp_value}, {"pulse", pulse_draw, pulse_value}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static double number_or(Call *call, int at, double fallback) { return ARG(at) ? ARG(at)->number : fallback; }

static const HistoryKind *kind_of(Call *call) {
  const char *name = !ARG(P_KIND) ? "smooth" : ARG(P_KIND)->kind == VALUE_WORD ? ARG(P_KIND)->word : "";
  for (int k = 0; k < KINDS; k++)
    if (!strcmp(kinds[k].name, name)) return &kinds[k];
  diag_suggest(diag_report(&call->ev->host->diags, E0506, call->spans[P_KIND], "no kind of histories is called `%s`", name), "it is smooth, ramp or pulse");
  return NULL;
}

/* 0..2 by 0.02, or a list of times that rise. */
static double *times_of(Call *call, int *n, Unit *unit) {
  const Value *v = ARG(P_TIMES);
  double *t = NULL;
  *n = 0;
  if (v->kind == VALUE_RANGE && v->has_by && v->by > 0 && (v->to - v->from) / v->by < TIMES_MOST) {
    int steps = (int)floor((v->to - v->from) / v->by * (1 + 1e-12) + 1e-9);
    t = malloc(((size_t)steps + 1) * sizeof *t);
    for (*n = 0; *n <= steps; ++*n) t[*n] = v->from + *n * v->by;
    *unit = v->range_unit;
  } else if (v->kind == VALUE_LIST && v->n) {
    t = malloc((size_t)v->n * sizeof *t);
    for (*n = 0; *n < v->n && v->items[*n]->kind == VALUE_NUMBER; ++*n) {
      t[*n] = v->items[*n]->number;
      *unit = *n ? unit_merge(*unit, v->items[*n]->unit) : v->items[*n]->unit;
    }
    if (*n < v->n) *n = 0;
  }
  bool rises = *n > 1;
  for (int k = 1; k < *n; k++) rises = rises && t[k] > t[k - 1];
  if (rises) return t;
  free(t);
  diag_suggest(diag_report(&call->ev->host->diags, E0506, call->spans[P_TIMES], "the times of histories are at least two, and rise"), "write 0..2 by 0.02");
  return NULL;
}

typedef struct Made { Value *values, *rates; } Made;

/* History k, scaled so that its largest size is the amplitude times 0.3 to 1. */
static void make_history(const HistoryKind *kind, int k, int n, const double *t, Unit t_unit, double amplitude, Unit unit, int smoothness, uint64_t seed, Made *out) {
  Draw draw = draw_open(seed, 0, (uint64_t)k);
  Shape1 shape = {0};
  double *value = malloc((size_t)n * sizeof *value), *rate = malloc((size_t)n * sizeof *rate), largest = 0, span = t[n - 1] - t[0];
  double level = amplitude * draw_between(&draw, 0.3, 1);
  kind->draw(&draw, smoothness, &shape);
  for (int i = 0; i < n; i++) {
    value[i] = kind->value(&shape, (t[i] - t[0]) / span, &rate[i]);
    largest = fmax(largest, fabs(value[i]));
  }
  double scale = largest > 0 ? level / largest : 0;
  for (int i = 0; i < n; i++) {
    value[i] *= scale;
    rate[i] *= scale / span;
  }
  out->values->items[out->values->n++] = history_value(n, t, t_unit, value, unit, NULL);
  if (out->rates) out->rates->items[out->rates->n++] = history_value(n, t, t_unit, rate, unit_div(unit, t_unit), NULL);
  free(value);
  free(rate);
}

static Value *run_histories(Call *call) {
  bool rates = ARG(P_RATES) && ARG(P_RATES)->kind == VALUE_BOOL && ARG(P_RATES)->truth;
  const HistoryKind *kind = kind_of(call);
  if (!kind) return value_poison();
  for (int k = 0; k <= P_RATES; k++)
    if (ARG(k) && is_unknown(ARG(k))) return value_unknown();
  double count = ARG(P_COUNT)->number, smoothness = number_or(call, P_SMOOTHNESS, 3), amplitude = number_or(call, P_AMPLITUDE, 1);
  Unit unit = ARG(P_AMPLITUDE) ? ARG(P_AMPLITUDE)->unit : UNIT_NONE;
  if (!(count >= 1 && count <= 1e6) || !(smoothness >= 0 && smoothness <= 20)) {
    diag_report(&call->ev->host->diags, E0506, call->spans[count >= 1 && count <= 1e6 ? P_SMOOTHNESS : P_COUNT], "there are 1 to 1000000 histories, of smoothness 0 to 20");
    return value_poison();
  }
  int n;
  Unit t_unit = UNIT_NONE;
  double *t = times_of(call, &n, &t_unit);
  if (!t) return value_poison();
  Made made = {value_new(VALUE_LIST), rates ? value_new(VALUE_LIST) : NULL};
  made.values->items = calloc((size_t)count, sizeof(Value *));
  if (rates) made.rates->items = calloc((size_t)count, sizeof(Value *));
  for (int k = 0; k < (int)count; k++)
    make_history(kind, k, n, t, t_unit, amplitude, unit, (int)smoothness, (uint64_t)number_or(call, P_SEED, 1), &made);
  free(t);
  if (!rates) return made.values;
  Value *both = value_items(VALUE_TUPLE, (Value *[]){made.values, made.rates}, 2);
  value_release(made.values);
  value_release(made.rates);
  return both;
}

/* --- sample(map, n, ..) --- */

enum { S_MAP, S_COUNT, S_DESIGN, S_SEED, S_FILE, S_PROCESSES };
enum { SETS_MOST = 16, ROWS_MOST = 10000000 };

typedef struct Plan {
  const MapSpec *spec;
  DesignKind kind;
  uint64_t seed;
  int sets, count[SETS_MOST], total;
  int scalars;
} Plan;

static bool count_of(Call *call, Value *v, Span span, int *out) {
  if (v->kind == VALUE_NUMBER && v->number >= 1 && v->number <= ROWS_MOST && v->number == floor(v->number)) return *out = (int)v->number, true;
  diag_suggest(diag_report(&call->ev->host->diags, E0506, span, "a number of cases is from 1 to %d", ROWS_MOST), "write sample(map, 4000, 1000): two sets");
  return false;
}

static bool read_options(Call *call, Plan *plan) {
  Host *host = call->ev->host;
  double processes = number_or(call, S_PROCESSES, 1);
  plan->kind = DESIGN_SOBOL;
  plan->seed = (uint64_t)number_or(call, S_SEED, 1);
  if (ARG(S_DESIGN) && (ARG(S_DESIGN)->kind != VALUE_WORD || !design_kind(ARG(S_DESIGN)->word, &plan->kind))) {
    diag_report(&host->diags, E0506, call->spans[S_DESIGN], "a design is sobol, lhs, random or grid");
    return false;
  }
  if (!(processes >= 1 && processes <= 256) || (processes > 1 && !ARG(S_FILE))) {
    diag_suggest(diag_report(&host->diags, E0506, call->spans[S_PROCESSES], processes > 1 && processes <= 256 ? "processes share the rows through a file" : "there are 1 to 256 processes"),
                 "write file: \"cases.h5\", processes: 2");
    return false;
  }
  return !ARG(S_FILE) || is_unknown(ARG(S_FILE)) || dataset_writes(host, ARG(S_FILE)->text, call->spans[S_FILE]);
}

/* The sizes of the sets; a grid has m^dim points, at most those asked for. */
static bool read_sets(Call *call, Plan *plan) {
  plan->sets = call->nrest + 1;
  if (plan->sets > SETS_MOST) {
    REPORT(E0506, "at most %d sets are made at once", SETS_MOST);
    return false;
  }
  for (int k = 0; k < plan->sets; k++) {
    if (!count_of(call, k ? call->rest[k - 1] : ARG(S_COUNT), k ? call->rest_spans[k - 1] : call->spans[S_COUNT], &plan->count[k])) return false;
    Design design = {plan->kind, plan->scalars, plan->count[k], plan->seed, true};
    if (plan->scalars && plan->kind == DESIGN_GRID) plan->count[k] = (int)design_size(&design);
    plan->total += plan->count[k];
  }
  if (plan->scalars == plan->spec->ninputs || plan->total <= plan->spec->nbank) return true;
  diag_suggest(diag_report(&call->ev->host->diags, E3156, call->spans[S_COUNT], "%d cases need as many histories; the bank of `%s` has %d", plan->total, plan->spec->name, plan->spec->nbank), "histories(%d, ..) makes them", plan->total);
  return false;
}

/* Numbers by the design: points after each other of one sequence, or for lhs and grid a design for each set; case k has history k of the bank. */
static double *make_rows(const Plan *plan) {
  const MapSpec *spec = plan->spec;
  double *rows = malloc((size_t)plan->total * (size_t)spec->width * sizeof *rows), *u = malloc((size_t)plan->scalars * sizeof *u + 1);
  bool whole = plan->kind == DESIGN_SOBOL || plan->kind == DESIGN_RANDOM;
  for (int set = 0, k = 0; set < plan->sets; set++)
    for (int i = 0; i < plan->count[set]; i++, k++) {
      Design design = {plan->kind, plan->scalars, whole ? plan->total : plan->count[set], whole ? plan->seed : plan->seed + (uint64_t)set, true};
      double *row = rows + (size_t)k * (size_t)spec->width;
      size_t nt = (size_t)spec->grid->nt, histories = (size_t)(spec->ninputs - plan->scalars) * nt;
      if (plan->scalars) design_point(&design, whole ? k : i, u);
      for (int in = 0, scalar = 0, history = 0; in < spec->ninputs; in++) {
        const MapInput *input = &spec->inputs[in];
        if (input->history) memcpy(row + input->offset, spec->bank + (size_t)k * histories + (size_t)history++ * nt, nt * sizeof *row);
        else row[input->offset] = input->lo + u[scalar++] * (input->hi - input->lo);
      }
    }
  free(u);
  return rows;
}

static Value *run_sample(Call *call) {
  Host *host = call->ev->host;
  Plan plan = {0};
  Value *map = value_map(ARG(S_MAP));
  if (!map && ARG(S_MAP)->kind != VALUE_UNKNOWN) {
    diag_suggest(diag_report(&host->diags, E0505, call->spans[S_MAP], "cases are of a map or model; this is %s %s", value_article(ARG(S_MAP)), value_kind_name(ARG(S_MAP))), "declare it: map NAME { input ..; output .. from solve(..) }");
    return value_poison();
  }
  if (!read_options(call, &plan)) return value_poison();
  if (call->ev->dry || !map) {
    Value *set = dataset_value(NULL), *sets[SETS_MOST];
    for (int k = 0; k < SETS_MOST; k++) sets[k] = set;
    Value *v = call->nrest && call->nrest < SETS_MOST ? value_items(VALUE_TUPLE, sets, call->nrest + 1) : value_retain(set);
    value_release(set);
    return v;
  }
  Predictor *predictor = value_predictor(call->ev, ARG(S_MAP), call->span);
  if (!predictor) return value_poison();
  plan.spec = predictor->spec;
  for (int k = 0; k < plan.spec->ninputs; k++) plan.scalars += !plan.spec->inputs[k].history;
  if (!read_sets(call, &plan)) return value_poison();
  char *file = ARG(S_FILE) ? host_output_path(host, ARG(S_FILE)->text, call->spans[S_FILE]) : NULL;
  if (ARG(S_FILE) && !file) return value_poison();
  double *rows = make_rows(&plan);
  Cases *cases = sampling_run(&(Sampling){call->ev, predictor, plan.total, rows, file, (int)number_or(call, S_PROCESSES, 1), call->span});
  free(rows);
  free(file);
  if (!cases) return value_poison();
  if (plan.sets == 1) return dataset_value(cases);
  Value *v = value_new(VALUE_TUPLE);
  v->items = calloc((size_t)plan.sets, sizeof *v->items);
  for (int first = 0; v->n < plan.sets; first += plan.count[v->n++]) v->items[v->n] = dataset_value(dataset_part(cases, first, plan.count[v->n]));
  cases_free(cases);
  return v;
}

const BuiltinRow builtin_data[] = {
    {"histories", "(count: int, times: any, kind: word = smooth, amplitude: number = 1, smoothness: int = 3, seed: int = 1, rates: bool = false) -> list", "data",
     "Random functions of time that begin from rest (value and rate 0), for the bank of a map: history k depends on seed and k alone. kind: smooth, 24 waves (1 - cos((m - 1/2) pi t/T))/2 with normal coefficients "
     "that fall as m^-(smoothness + 1); ramp, to a level by a polynomial with two continuous derivatives; pulse, sin^4. The largest size is 0.3 to 1 times the amplitude, whose unit they carry. "
     "rates: true gives (histories, their derivatives by time).",
     "print(len(histories(5, 0..1 by 0.1, seed: 2))) -> 5", run_histories},
    {"sample", "(map: any, count: int, more..., design: word = sobol, seed: int = 1, file: string = none, processes: int = 1) -> dataset", "data",
     "Cases of a map or model: inputs by a design (sobol, lhs, random, grid) over their ranges, case k with history k of the bank, and the fields predicted for them, as a dataset; with several counts a tuple of them. Case k depends on the seed and k alone. "
     "file: (.h5, .npz) is where all cases go in their order; rows are kept beside it as they come, so that a run that was stopped goes on where it was, and one that is complete is read. processes: 2 shares the rows "
     "with a second process, which runs the script from its beginning up to this line; any run of the same script helps too. A row whose solve fails is NaN (W3151).",
     NULL, run_sample},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
