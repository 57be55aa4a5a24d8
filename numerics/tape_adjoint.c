/* Derivatives of everything on a tape by what it is made of, as programs and linear forms; made when a gradient is first asked for. */
#include "tape_adjoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"

static const double LEAK = 0.1;

/* Derivatives of e by each source that it depends on. by_rows: e is made of rows. */
typedef struct Slopes { Expr **item; int *source; int n; bool failed; } Slopes;

static void add_slope(Slopes *slopes, Expr *e, int source) {
  slopes->item = realloc(slopes->item, sizeof(Expr *) * (size_t)(slopes->n + 1));
  slopes->source = realloc(slopes->source, sizeof(int) * (size_t)(slopes->n + 1));
  slopes->item[slopes->n] = e;
  slopes->source[slopes->n++] = source;
}

static void slopes_of(TapeRun *run, Expr *e, bool by_rows, Slopes *out) {
  *out = (Slopes){0};
  for (int k = 0; k < run->nsources && !out->failed; k++) {
    const TapeSource *source = &run->source[k];
    if (source->kind != FROM_INPUT && source->kind != FROM_REDUCE) continue;
    Expr *d = expr_subgradient(run->pool, e, by_rows ? tape_rows(run, source->leaf, true) : source->leaf);
    out->failed = !d;
    if (d && !expr_is_zero(d)) add_slope(out, d, k);
  }
}

static void slopes_close(Slopes *slopes) { free(slopes->item), free(slopes->source); }

/* ---- targets and arguments ---------------------------------------------------------------------------------------------------------------------- */

static bool open_slopes(TapeRun *run, Expr *e, Program **program, int **by, int *nby) {
  Slopes slopes;
  slopes_of(run, e, true, &slopes);
  bool good = !slopes.failed;
  if (good && slopes.n) good = !program_open(run->engine->kernels, slopes.item, slopes.n, 0, run->domain, run->diags, program);
  *by = slopes.source, *nby = slopes.n;
  free(slopes.item);
  return good;
}

static bool open_target(TapeRun *run, TargetRun *t) {
  TargetAdjoint *a = t->adjoint;
  Expr *e = tape_rows(run, t->e, true), *leaky = expr_leaky(run->pool, e, LEAK);
  if (!open_slopes(run, e, &a->program, &a->by, &a->nby)) return false;
  if (leaky == e) return true;
  return !program_open(run->engine->kernels, &leaky, 1, 0, run->domain, run->diags, &a->leaky) && !tape_sources(run, a->leaky->param, a->leaky->np) &&
         open_slopes(run, leaky, &a->leaky_slopes, &a->leaky_by, &a->nleaky_by);
}

static bool open_arguments(TapeRun *run, ApplyRun *apply, const int *input, int n, ArgumentSlopes *out) {
  Expr **item = NULL;
  bool good = true;
  for (int i = 0; i < n && good; i++) {
    Slopes slopes;
    slopes_of(run, tape_rows(run, apply->arg[input[i]], true), true, &slopes);
    good = !slopes.failed;
    for (int k = 0; k < slopes.n && good; k++) {
      item = realloc(item, sizeof(Expr *) * (size_t)(out->n + 1));
      out->input = realloc(out->input, sizeof(int) * (size_t)(out->n + 1));
      out->source = realloc(out->source, sizeof(int) * (size_t)(out->n + 1));
      item[out->n] = slopes.item[k], out->input[out->n] = input[i], out->source[out->n++] = slopes.source[k];
    }
    slopes_close(&slopes);
  }
  if (good && out->n) good = !program_open(run->engine->kernels, item, out->n, 0, run->domain, run->diags, &out->program);
  free(item);
  return good;
}

static bool open_apply(TapeRun *run, ApplyRun *apply) {
  apply->adjoint = calloc(1, sizeof *apply->adjoint);
  return open_arguments(run, apply, apply->scalar, apply->nscalars, &apply->adjoint->scalars) && open_arguments(run, apply, apply->history, apply->nhistories, &apply->adjoint->series);
}

/* ---- reductions -------------------------------------------------------------------------------------------------------------------------------------- */

static int field_terms(const TapeRun *run, const ReduceRun *r, Expr ***out) {
  int n = expr_terms(run->pool, r->integrand, 1u << SYMBOL_FIELD, NULL, 0), kept = 0;
  *out = malloc(sizeof(Expr *) * ((size_t)n + 1));
  expr_terms(run->pool, r->integrand, 1u << SYMBOL_FIELD, *out, n);
  for (int i = 0; i < n; i++)
    if (fields_find(&r->fields, &(*out)[i]->symbol) >= 0) (*out)[kept++] = (*out)[i];
  return kept;
}

/* The linear form: sum over the leaves of the integrand's derivative times the test function's. */
static Expr *linear_form(TapeRun *run, const ReduceRun *r) {
  Expr **term, *sum = expr_zero(run->pool, SHAPE_SCALAR);
  int n = field_terms(run, r, &term);
  for (int i = 0; i < n && sum; i++) {
    Expr *slope = expr_subgradient(run->pool, r->integrand, term[i]);
    Symbol test = term[i]->symbol;
    test.kind = SYMBOL_TEST;
    test.which = (uint16_t)fields_find(&r->fields, &term[i]->symbol);
    test.level = 0, test.serial = 0, test.time = 0;
    sum = slope ? tape_add_product(run->pool, sum, slope, expr_term(run->pool, test, term[i]->name, UNIT_ANY)) : NULL;
  }
  free(term);
  return sum;
}

static bool open_integral(TapeRun *run, ReduceRun *r) {
  ReduceAdjoint *a = r->adjoint;
  int degree = r->measure->part.kernel->degree;
  Slopes slopes;
  slopes_of(run, r->integrand, false, &slopes);
  Expr *form = linear_form(run, r);
  bool good = !slopes.failed && form;
  if (good && slopes.n) good = !measure_open(run, r->from, &r->fields, slopes.item, slopes.n, 0, r->plan.n, degree, &a->numbers);
  if (good && !expr_is_zero(form)) good = !measure_open(run, r->from, &r->fields, &form, 1, 1, r->plan.n, degree, &a->vector);
  a->by = slopes.source, a->nby = slopes.n;
  free(slopes.item);
  return good;
}

static bool open_extremum(TapeRun *run, ReduceRun *r) {
  ReduceAdjoint *a = r->adjoint;
  Slopes slopes;
  slopes_of(run, r->integrand, false, &slopes);
  bool good = !slopes.failed;
  a->nby = slopes.n;
  Expr **term;
  int n = field_terms(run, r, &term);
  for (int i = 0; i < n && good; i++) {
    Expr *d = expr_subgradient(run->pool, r->integrand, term[i]);
    good = d != NULL;
    if (!d || expr_is_zero(d)) continue;
    term[a->nterms++] = term[i];
    add_slope(&slopes, d, -1);
  }
  if (good && slopes.n) good = !extremum_open(run, r->from, &r->fields, slopes.item, slopes.n, r->plan.n, r->extremum, &a->slopes);
  a->by = slopes.source;
  a->term = calloc((size_t)a->nterms + 1, sizeof *a->term);
  for (int i = 0; i < a->nterms && good; i++)
    a->term[i] = (ExtremumTerm){fields_find(&r->fields, &term[i]->symbol), term[i]->symbol.component, extremum_coefficients(run, a->slopes, term[i]->symbol.dx)};
  free(term), free(slopes.item);
  return good;
}

static bool open_series(TapeRun *run, ReduceRun *r) {
  return open_slopes(run, tape_rows(run, r->integrand, true), &r->adjoint->program, &r->adjoint->by, &r->adjoint->nby);
}

static bool open_reduce(TapeRun *run, ReduceRun *r) {
  r->adjoint = calloc(1, sizeof *r->adjoint);
  return r->program ? open_series(run, r) : r->measure ? open_integral(run, r) : open_extremum(run, r);
}

Expr *tape_add_product(ExprPool *pool, Expr *sum, Expr *a, Expr *b) {
  /* units of derivatives are of no use here: without one, every sum fits */
  if (expr_is_zero(a) || expr_is_zero(b)) return sum;
  Expr *product = expr_binary(pool, EXPR_MUL, a, b);
  return product ? expr_binary(pool, EXPR_ADD, sum, product) : NULL;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------------------------------------------- */

static const char *open_needed(TapeRun *run, TargetRun *t) {
  if (!open_target(run, t)) return "a function without a known derivative stands in its value";
  for (int s = 0; s < run->nsteps; s++) {
    if (!t->needs[s]) continue;
    if (run->step[s].reduces) {
      ReduceRun *r = &run->reduce[run->step[s].index];
      if (!r->adjoint) r->differentiable = open_reduce(run, r);
      if (!r->differentiable) return "a function without a known derivative stands in an integral or extremum";
    } else {
      ApplyRun *a = &run->apply[run->step[s].index];
      const PredictorOps *ops = a->from->predictor->ops;
      if (!ops->differentiable || !ops->pullback) return "the model gives no gradients";
      if (!a->adjoint) a->differentiable = open_apply(run, a);
      if (!a->differentiable) return "a function without a known derivative stands in an argument of the model";
    }
  }
  return NULL;
}

bool tape_differentiable(const TapeRun *run, int target, const char **why_not) {
  TargetRun *t = &((TapeRun *)run)->target[target];      /* what is made here is kept, and changes no value */
  if (!t->adjoint) {
    t->adjoint = calloc(1, sizeof *t->adjoint);
    t->adjoint->why_not = open_needed((TapeRun *)run, t);
  }
  if (why_not) *why_not = t->adjoint->why_not;
  return !t->adjoint->why_not;
}

static void arguments_close(ArgumentSlopes *slopes) { program_close(slopes->program), free(slopes->input), free(slopes->source); }

void tape_adjoint_close(TapeRun *run) {
  for (int k = 0; k < run->tape->ntargets; k++) {
    TargetAdjoint *a = run->target[k].adjoint;
    if (a) program_close(a->program), program_close(a->leaky), program_close(a->leaky_slopes), free(a->by), free(a->leaky_by);
    free(a);
  }
  for (int k = 0; k < run->tape->napplies; k++) {
    ApplyAdjoint *a = run->apply[k].adjoint;
    if (a) arguments_close(&a->scalars), arguments_close(&a->series);
    free(a);
  }
  for (int k = 0; k < run->tape->nreduces; k++) {
    ReduceAdjoint *a = run->reduce[k].adjoint;
    if (!a) continue;
    measure_close(a->vector), measure_close(a->numbers), extremum_close(a->slopes), program_close(a->program);
    free(a->by), free(a->term), free(a);
  }
}
