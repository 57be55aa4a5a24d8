/* A tape made ready: expressions brought to scalar level, their leaves found, steps put in order, times planned, kernels built. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "field.h"
#include "tape_adjoint.h"

/* ---- leaves --------------------------------------------------------------------------------------------------------------------------------- */

Data tape_data(const TapeRun *run, double time, Span span) {
  return (Data){.engine = run->engine, .mesh = run->grid->mesh, .world = &run->world, .time = time, .diags = run->diags, .span = span};
}

double tape_span_tolerance(const Grid *grid) { return 1e-9 * (grid->t[grid->nt - 1] - grid->t[0]); }

int fields_find(const FieldSet *fields, const Symbol *symbol) {
  for (int k = 0; k < fields->n; k++) {
    const Symbol *s = &fields->item[k].symbol;
    if (s->serial == symbol->serial && s->which == symbol->which && s->level == symbol->level && !memcmp(&s->time, &symbol->time, sizeof s->time)) return k;
  }
  return -1;
}

const MapOutput *tape_output(const TapeRun *run, const TapeField *field) { return &run->tape->applies[field->apply].predictor->spec->outputs[field->output]; }

static int find_source(const TapeRun *run, Expr *leaf) {
  for (int k = 0; k < run->nsources; k++)
    if (run->source[k].leaf == leaf) return k;
  return -1;
}

static void add_source(TapeRun *run, SourceKind kind, int index, double value, Expr *leaf) {
  run->source = realloc(run->source, sizeof(TapeSource) * (size_t)(run->nsources + 1));
  run->source[run->nsources++] = (TapeSource){kind, index, value, leaf};
}

int tape_source(TapeRun *run, Expr *leaf) {
  int found = find_source(run, leaf);
  if (found >= 0) return found;
  if (leaf->op == EXPR_TIME) add_source(run, FROM_TIME, 0, NAN, leaf);
  else {
    double value;
    Data data = tape_data(run, NAN, (Span){0, 0});
    if (data_number(&data, leaf, &value)) return -1;
    add_source(run, FROM_WORLD, 0, value, leaf);
  }
  return run->nsources - 1;
}

Status tape_sources(TapeRun *run, Expr *const *leaf, int n) {
  for (int i = 0; i < n; i++)
    if (leaf[i]->op != EXPR_CONST && tape_source(run, leaf[i]) < 0) return 1;
  return 0;
}

typedef struct ToRows { TapeRun *run; bool by_time; } ToRows;

static Expr *to_row(ExprPool *pool, Expr *leaf, void *user) {
  const ToRows *to = user;
  if (leaf->op != EXPR_PARAM && !(leaf->op == EXPR_TIME && to->by_time)) return leaf;
  int source = leaf->op == EXPR_TIME ? tape_source(to->run, leaf) : find_source(to->run, leaf);
  if (source < 0 || to->run->source[source].kind == FROM_WORLD) return leaf;
  return expr_term(pool, (Symbol){.kind = SYMBOL_FIELD, .serial = TAPE_ROWS, .which = (uint16_t)source}, leaf->name, leaf->unit);
}

Expr *tape_rows(TapeRun *run, Expr *e, bool by_time) { return expr_substitute(run->pool, e, to_row, &(ToRows){run, by_time}); }

/* ---- what an expression needs ------------------------------------------------------------------------------------------------------------------ */

typedef struct Scan { TapeRun *run; Needs *needs; FieldSet *fields; bool failed; Span span; } Scan;

static void needs_open(const TapeRun *run, Needs *needs) {
  *needs = (Needs){.apply = calloc((size_t)run->tape->napplies + 1, 1), .reduce = calloc((size_t)run->tape->nreduces + 1, 1)};
}
static void needs_close(Needs *needs) { free(needs->apply), free(needs->reduce); }

static bool is_transient(const TapeRun *run, uint32_t serial) {
  for (int i = 0; i < run->world.nsolutions; i++)
    if (run->world.solutions[i]->serial == serial) return run->world.solutions[i]->transient;
  return false;
}

static Status no_time(TapeRun *run, Span span, const char *what, double at) {
  const Grid *grid = run->grid;
  Diag *diag = diag_report(run->diags, E3100, span, "%s, but the outputs of `%s` are %s", what, run->spec->name, grid->nt > 1 ? "given at other times" : "steady");
  if (grid->nt > 1) diag_note(diag, (Span){0, 0}, "its times go from %g to %g in %d steps; asked for: %g", grid->t[0], grid->t[grid->nt - 1], grid->nt - 1, at);
  return 1;
}

static int add_field(Scan *scan, Symbol symbol) {
  FieldSet *fields = scan->fields;
  symbol.component = symbol.dt = 0;
  memset(symbol.dx, 0, sizeof symbol.dx);
  int found = fields_find(fields, &symbol);
  if (found >= 0) return found;
  fields->item = realloc(fields->item, sizeof(TapeField) * (size_t)(fields->n + 1));
  fields->item[fields->n] = (TapeField){symbol, (int)(symbol.serial - TAPE_SERIAL), symbol.which, symbol.level, symbol.time};
  return fields->n++;
}

/* max(0, a)? Then a. */
static Expr *positive_part(Expr *e) {
  double c;
  if (e->op != EXPR_MAX) return NULL;
  if (expr_is_const(e->arg[0], &c) && c == 0) return e->arg[1];
  return expr_is_const(e->arg[1], &c) && c == 0 ? e->arg[0] : NULL;
}

/* Notes what a leaf depends on; the term of an application gets its time derivatives as its level. */
static Expr *scan_leaf(ExprPool *pool, Expr *leaf, void *user) {
  Scan *scan = user;
  TapeRun *run = scan->run;
  const Grid *grid = run->grid;
  if (leaf->op == EXPR_TIME) {
    scan->needs->time = true;
    if (isnan(grid->t[0]) && !scan->failed) scan->failed = no_time(run, scan->span, "`t` occurs", NAN);
  }
  if (leaf->op == EXPR_PARAM) {
    int k = find_source(run, leaf);
    if (k < 0) return leaf;
    const TapeSource *source = &run->source[k];
    if (source->kind == FROM_INPUT) scan->needs->time = scan->needs->time || run->spec->inputs[run->tape->inputs[source->index].input].history;
    if (source->kind == FROM_REDUCE) {
      scan->needs->reduce[source->index] = true;
      scan->needs->time = scan->needs->time || run->tape->reduces[source->index].each_time;
      if (run->reduce[source->index].positive) return expr_binary(pool, EXPR_MAX, expr_zero(pool, SHAPE_SCALAR), leaf);
    }
  }
  if (leaf->op != EXPR_TERM || leaf->symbol.kind != SYMBOL_FIELD) return leaf;
  Symbol s = leaf->symbol;
  if (s.serial < TAPE_SERIAL || s.serial - TAPE_SERIAL >= (uint32_t)run->tape->napplies) {
    scan->needs->time = scan->needs->time || (isnan(s.time) && is_transient(run, s.serial));
    return leaf;
  }
  scan->needs->apply[s.serial - TAPE_SERIAL] = true;
  if (grid->nt > 1 && isnan(s.time)) scan->needs->time = true;
  if (!isnan(s.time) && grid->nt > 1 && !(s.time >= grid->t[0] - tape_span_tolerance(grid) && s.time <= grid->t[grid->nt - 1] + tape_span_tolerance(grid)) && !scan->failed)
    scan->failed = no_time(run, scan->span, "a field is asked for at a time", s.time);
  if (s.dt && grid->nt < s.dt + 1 && !scan->failed) scan->failed = no_time(run, scan->span, "a derivative in time occurs", NAN);
  if (s.dt > 3 && !scan->failed) scan->failed = no_time(run, scan->span, "a derivative in time of fourth or higher order occurs", NAN);
  s.level = s.dt;
  s.dt = 0;
  if (!scan->fields) return leaf;
  add_field(scan, s);
  return expr_term(pool, s, leaf->name, leaf->unit);
}

static Expr *scan_expr(TapeRun *run, Expr *e, Needs *needs, FieldSet *fields, Span span) {
  Expr *scalar = expr_scalar(run->pool, e, 0, run->dim);
  if (!scalar) {
    diag_report(run->diags, E2011, span, "this expression has no value over a mesh: %s", expr_error(run->pool).text);
    return NULL;
  }
  Scan scan = {.run = run, .needs = needs, .fields = fields, .span = span};
  Expr *out = expr_substitute(run->pool, scalar, scan_leaf, &scan);
  return scan.failed ? NULL : out;
}

/* ---- times ------------------------------------------------------------------------------------------------------------------------------------------ */

static bool inside(const Grid *grid, double t) {
  double slack = tape_span_tolerance(grid);
  return t >= grid->t[0] - slack && t <= grid->t[grid->nt - 1] + slack;
}

static void plan_add(TimePlan *plan, double time, double weight) {
  plan->time[plan->n] = time;
  plan->weight[plan->n++] = weight;
}

/* Trapezoidal rule over lo..hi: the grid's times in between, and the ends. */
static void plan_trapezoid(const Grid *grid, double lo, double hi, TimePlan *plan) {
  double slack = tape_span_tolerance(grid);
  plan_add(plan, lo, 0);
  for (int k = 0; k < grid->nt; k++)
    if (grid->t[k] > lo + slack && grid->t[k] < hi - slack) plan_add(plan, grid->t[k], 0);
  plan_add(plan, hi, 0);
  for (int k = 0; k + 1 < plan->n; k++) {
    double half = (plan->time[k + 1] - plan->time[k]) / 2;
    plan->weight[k] += half, plan->weight[k + 1] += half;
  }
}

static Status plan_times(TapeRun *run, ReduceRun *r, bool varies) {
  const TapeReduce *from = r->from;
  const Grid *grid = run->grid;
  TimePlan *plan = &r->plan;
  bool transient = grid->nt > 1, window = !isnan(from->from) || !isnan(from->until);
  *plan = (TimePlan){0, malloc(sizeof(double) * (size_t)(grid->nt + 2)), malloc(sizeof(double) * (size_t)(grid->nt + 2))};
  r->nvalues = from->each_time ? grid->nt : 1;
  if (!isnan(from->at)) {
    if (transient ? !inside(grid, from->at) : isnan(grid->t[0]) || fabs(grid->t[0] - from->at) > 1e-9 * fabs(from->at)) return no_time(run, from->span, "a value is asked for at a time", from->at);
    plan_add(plan, from->at, 1);
  } else if (from->each_time) {
    for (int k = 0; k < grid->nt; k++) plan_add(plan, grid->t[k], 1);
  } else if (transient && varies) {
    double lo = isnan(from->from) ? grid->t[0] : from->from, hi = isnan(from->until) ? grid->t[grid->nt - 1] : from->until;
    if (!inside(grid, lo) || !inside(grid, hi)) return no_time(run, from->span, "a window of time is asked for", inside(grid, lo) ? hi : lo);
    if (!(hi > lo)) return no_time(run, from->span, "a window of time is asked for that ends before it begins", hi);
    if (from->kind == REDUCE_INTEGRAL) plan_trapezoid(grid, lo, hi, plan);
    for (int k = 0; k < grid->nt && from->kind != REDUCE_INTEGRAL; k++)
      if (grid->t[k] >= lo - tape_span_tolerance(grid) && grid->t[k] <= hi + tape_span_tolerance(grid)) plan_add(plan, grid->t[k], 1);
    if (!plan->n) return no_time(run, from->span, "none of the times lies in the window that is asked for", lo);
  } else {
    if (window && !transient) return no_time(run, from->span, "a window of time is asked for", isnan(from->from) ? from->until : from->from);
    plan_add(plan, grid->t[0], 1);
  }
  return 0;
}

static void plan_fields(TapeRun *run, ReduceRun *r) {
  const Grid *grid = run->grid;
  r->blend = calloc((size_t)(r->plan.n * r->fields.n) + 1, sizeof(Blend));
  for (int j = 0; j < r->plan.n; j++)
    for (int f = 0; f < r->fields.n; f++) {
      const TapeField *field = &r->fields.item[f];
      double time = isnan(field->time) ? r->plan.time[j] : field->time;
      Blend *blend = &r->blend[j * r->fields.n + f];
      if (field->dt) blend_rate(grid->t, grid->nt, time, field->dt, blend);
      else blend_linear(grid->t, grid->nt, time, false, blend);
    }
}

/* ---- entries ------------------------------------------------------------------------------------------------------------------------------------------ */

static Status apply_open(TapeRun *run, int index) {
  ApplyRun *a = &run->apply[index];
  const TapeApply *from = a->from = &run->tape->applies[index];
  const MapSpec *spec = from->predictor->spec;
  Expr **numbers = calloc((size_t)spec->ninputs + 1, sizeof(Expr *)), **series = calloc((size_t)spec->ninputs + 1, sizeof(Expr *));
  Status status = 0;
  a->arg = calloc((size_t)spec->ninputs + 1, sizeof(Expr *));
  a->scalar = calloc((size_t)spec->ninputs + 1, sizeof(int)), a->history = calloc((size_t)spec->ninputs + 1, sizeof(int));
  needs_open(run, &a->needs);
  for (int i = 0; i < spec->ninputs && !status; i++) {
    Needs needs;
    needs_open(run, &needs);
    a->arg[i] = scan_expr(run, from->args[i], &needs, NULL, (Span){0, 0});
    status = !a->arg[i];
    for (int k = 0; k < run->tape->napplies; k++) a->needs.apply[k] |= needs.apply[k];
    for (int k = 0; k < run->tape->nreduces; k++) a->needs.reduce[k] |= needs.reduce[k];
    if (!status && needs.time && !spec->inputs[i].history) {
      diag_report(run->diags, E3102, (Span){0, 0}, "the input `%s` of `%s` is a number, and is given something that depends on time", spec->inputs[i].name, spec->name);
      status = 1;
    }
    if (!status && memchr(needs.apply, 1, (size_t)run->tape->napplies)) {
      diag_report(run->diags, E3102, (Span){0, 0}, "the input `%s` of `%s` is given a field, and takes numbers or functions of time", spec->inputs[i].name, spec->name);
      status = 1;
    }
    needs_close(&needs);
    if (status) break;
    Expr *row = tape_rows(run, a->arg[i], true);
    if (spec->inputs[i].history) series[a->nhistories] = row, a->history[a->nhistories++] = i;
    else numbers[a->nscalars] = row, a->scalar[a->nscalars++] = i;
  }
  KernelContext *kernels = run->engine->kernels;
  if (!status && a->nscalars) status = program_open(kernels, numbers, a->nscalars, 0, run->domain, run->diags, &a->scalars);
  if (!status && a->nhistories) status = program_open(kernels, series, a->nhistories, 0, run->domain, run->diags, &a->series);
  if (!status && a->scalars) status = tape_sources(run, a->scalars->param, a->scalars->np);
  if (!status && a->series) status = tape_sources(run, a->series->param, a->series->np);
  free(numbers), free(series);
  return status;
}

static Status reduce_scan(TapeRun *run, int index) {
  ReduceRun *r = &run->reduce[index];
  needs_open(run, &r->needs);
  r->integrand = scan_expr(run, r->from->integrand, &r->needs, &r->fields, r->from->span);
  if (!r->integrand) return 1;
  if (r->positive) r->integrand = positive_part(r->integrand);
  if (r->fields.n > 60) {
    diag_report(run->diags, E3101, r->from->span, "more than 60 fields stand in one integral");
    return 1;
  }
  const Where *where = &r->from->where;
  if (r->from->over == TAPE_FACETS && (where->interior || where->interface[0])) {
    Diag *diag = diag_report(run->diags, E3101, r->from->span, "the fields of a map are measured in regions and on boundaries, not between cells");
    diag_suggest(diag, "name a boundary: on: left");
    return 1;
  }
  TRY(plan_times(run, r, r->needs.time));
  plan_fields(run, r);
  return 0;
}

static Status reduce_open(TapeRun *run, int index) {
  ReduceRun *r = &run->reduce[index];
  Expr *e = r->integrand;
  if (r->from->over == TAPE_TIME) {
    Expr *row = tape_rows(run, e, true);
    if (e->flags & (HAS_COORD | HAS_FIELD | HAS_NORMAL | HAS_SIZE | HAS_REGIONS)) {
      diag_report(run->diags, E3101, r->from->span, "a field is measured over time alone: say where, or take its integral or maximum first");
      return 1;
    }
    TRY(program_open(run->engine->kernels, &row, 1, 0, run->domain, run->diags, &r->program));
    return tape_sources(run, r->program->param, r->program->np);
  }
  if (r->from->kind == REDUCE_INTEGRAL) {
    TRY(measure_open(run, r->from, &r->fields, &e, 1, 0, r->plan.n, r->from->degree, &r->measure));
    TRY(tape_sources(run, r->measure->part.kernel->params, r->measure->part.kernel->np));
    return r->measure->part.curved ? tape_sources(run, r->measure->part.curved->params, r->measure->part.curved->np) : 0;
  }
  TRY(extremum_open(run, r->from, &r->fields, &e, 1, r->plan.n, NULL, &r->extremum));
  return tape_sources(run, r->extremum->program->param, r->extremum->program->np);
}

static Status target_open(TapeRun *run, int index) {
  TargetRun *t = &run->target[index];
  needs_open(run, &t->direct);
  t->e = scan_expr(run, run->tape->targets[index], &t->direct, NULL, (Span){0, 0});
  if (!t->e) return 1;
  if (t->direct.time || memchr(t->direct.apply, 1, (size_t)run->tape->napplies)) {
    diag_report(run->diags, E3102, (Span){0, 0}, "a contract's value is a number, and this depends on %s", t->direct.time ? "time" : "place");
    return 1;
  }
  Expr *row = tape_rows(run, t->e, true);
  TRY(program_open(run->engine->kernels, &row, 1, 0, run->domain, run->diags, &t->program));
  return tape_sources(run, t->program->param, t->program->np);
}

/* ---- order -------------------------------------------------------------------------------------------------------------------------------------------- */

static void order_needs(TapeRun *run, const Needs *needs);

static void order_step(TapeRun *run, bool reduces, int index) {
  uint8_t *state = &run->state[reduces][index];
  if (*state) return;
  *state = 1;
  order_needs(run, reduces ? &run->reduce[index].needs : &run->apply[index].needs);
  run->step[run->nsteps++] = (TapeStep){reduces, index};
}

static void order_needs(TapeRun *run, const Needs *needs) {
  for (int k = 0; k < run->tape->napplies; k++) if (needs->apply[k]) order_step(run, false, k);
  for (int k = 0; k < run->tape->nreduces; k++) if (needs->reduce[k]) order_step(run, true, k);
}

static void mark(const TapeRun *run, const Needs *needs, bool *step) {
  for (int s = 0; s < run->nsteps; s++) {
    const TapeStep *at = &run->step[s];
    if (step[s] || !(at->reduces ? needs->reduce : needs->apply)[at->index]) continue;
    step[s] = true;
    mark(run, at->reduces ? &run->reduce[at->index].needs : &run->apply[at->index].needs, step);
  }
}

static void order_steps(TapeRun *run) {
  const Tape *tape = run->tape;
  run->step = calloc((size_t)(tape->napplies + tape->nreduces) + 1, sizeof(TapeStep));
  run->state[0] = calloc((size_t)tape->napplies + 1, 1), run->state[1] = calloc((size_t)tape->nreduces + 1, 1);
  for (int k = 0; k < tape->ntargets; k++) order_needs(run, &run->target[k].direct);
  for (int k = 0; k < tape->ntargets; k++) {
    TargetRun *t = &run->target[k];
    t->needs = calloc((size_t)run->nsteps + 1, sizeof(bool));
    mark(run, &t->direct, t->needs);
    for (int s = 0; s < run->nsteps; s++) t->fields = t->fields || (t->needs[s] && !run->step[s].reduces);
  }
}

static void choose_capacity(TapeRun *run) {
  double bytes = 8;
  for (int k = 0; k < run->tape->napplies; k++) {
    const MapSpec *spec = run->tape->applies[k].predictor->spec;
    for (int o = 0; o < spec->noutputs; o++) bytes += 8. * run->grid->nt * run->grid->nnodes * spec->outputs[o].ncomp;
  }
  double most = TAPE_BYTES / 2 / bytes;      /* half is for gradients */
  run->capacity = most < 1 ? 1 : most > 1024 ? 1024 : (int)most;
}

static Status open_all(TapeRun *run) {
  const Tape *tape = run->tape;
  for (int k = 0; k < tape->ninputs; k++) add_source(run, FROM_INPUT, k, 0, tape->inputs[k].leaf);
  for (int k = 0; k < tape->nreduces; k++) add_source(run, FROM_REDUCE, k, 0, tape->reduces[k].leaf);
  for (int k = 0; k < tape->nreduces; k++) {
    ReduceRun *r = &run->reduce[k];
    r->from = &tape->reduces[k];
    Expr *e = r->from->kind == REDUCE_MAX ? expr_scalar(run->pool, r->from->integrand, 0, run->dim) : NULL;
    r->positive = e && positive_part(e);
  }
  for (int k = 0; k < tape->napplies; k++) TRY(apply_open(run, k));
  for (int k = 0; k < tape->nreduces; k++) TRY(reduce_scan(run, k));
  for (int k = 0; k < tape->ntargets; k++) TRY(target_open(run, k));
  order_steps(run);
  for (int s = 0; s < run->nsteps; s++)
    if (run->step[s].reduces) TRY(reduce_open(run, run->step[s].index));
  choose_capacity(run);
  return 0;
}

Status tape_open(Engine *engine, const Tape *tape, const World *world, Diags *diags, TapeRun **out) {
  TapeRun *run = calloc(1, sizeof *run);
  const Grid *grid = tape->spec->grid;
  *run = (TapeRun){.engine = engine, .tape = tape, .diags = diags, .pool = tape->pool, .spec = tape->spec, .grid = grid, .dim = grid->mesh->dim,
                   .per = element_nodes(grid->element, grid->mesh->dim)};
  if (world) run->world = *world;
  run->domain = domain_size(grid->mesh);
  run->apply = calloc((size_t)tape->napplies + 1, sizeof(ApplyRun));
  run->reduce = calloc((size_t)tape->nreduces + 1, sizeof(ReduceRun));
  run->target = calloc((size_t)tape->ntargets + 1, sizeof(TargetRun));
  *out = run;
  if (!open_all(run)) return 0;
  tape_close(run);
  *out = NULL;
  return 1;
}

static void free_arrays(double **array, int n) {
  for (int k = 0; array && k < n; k++) free(array[k]);
  free(array);
}

void tape_close(TapeRun *run) {
  if (!run) return;
  tape_adjoint_close(run);
  for (int k = 0; k < run->tape->napplies; k++) {
    ApplyRun *a = &run->apply[k];
    int noutputs = a->from ? a->from->predictor->spec->noutputs : 0;
    program_close(a->scalars), program_close(a->series);
    free_arrays(a->out, noutputs), free_arrays(a->bar, noutputs);
    free(a->arg), free(a->scalar), free(a->history), free(a->row), free(a->row_bar);
    needs_close(&a->needs);
  }
  for (int k = 0; k < run->tape->nreduces; k++) {
    ReduceRun *r = &run->reduce[k];
    measure_close(r->measure), extremum_close(r->extremum), program_close(r->program);
    free(r->fields.item), free(r->plan.time), free(r->plan.weight), free(r->blend), free(r->value), free(r->active_time), free(r->active_point), free(r->bar);
    needs_close(&r->needs);
  }
  for (int k = 0; k < run->tape->ntargets; k++) {
    program_close(run->target[k].program);
    needs_close(&run->target[k].direct);
    free(run->target[k].needs);
  }
  free(run->apply), free(run->reduce), free(run->target), free(run->source), free(run->step), free(run->state[0]), free(run->state[1]), free(run->blended);
  free(run);
}
