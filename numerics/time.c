#include "time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "big.h"
#include "compatible.h"
#include "engine_files.h"
#include "engine_internal.h"
#include "locking.h"
#include "march.h"
#include "peclet.h"
#include "petsc.h"
#include "start.h"
#include "step_control.h"

/* ---- initial values ------------------------------------------------------------------------------------------------------------------------ */

static Status put_initials(Problem *problem, const Initial *initials, int n, int dt, double time, double *u) {
  for (int i = 0; i < n; i++) {
    if (initials[i].dt != dt) continue;
    Data data = problem_data(problem, time);
    data.span = initials[i].span;
    TRY(field_interpolate(&data, problem->space, initials[i].unknown, initials[i].component, initials[i].value, field_jumps(initials[i].value, &problem->world), u));
  }
  return 0;
}

static double *state_new(const Space *space) { return big_zeroed(sizeof(double) * ((size_t)space->nlocal + 1)); }

/* ---- steady ---------------------------------------------------------------------------------------------------------------------------------- */

static Status steady(System *system, Solution *solution) {
  Problem *problem = system->problem;
  double *u = state_new(problem->space);
  Data data = problem_data(problem, problem->world.time);
  Status status = put_initials(problem, problem->pde->initials, problem->pde->ninitials, 0, data.time, u);
  if (!status) status = put_initials(problem, system->options->start, system->options->nstart, 0, data.time, u);
  if (!status) status = problem_prescribe(problem, &data, u);
  engine_stage(problem->engine, "prescribed values");
  if (!status && !problem->pde->ninitials && !system->options->nstart) status = start_extend(problem, system->options, u);
  if (!status) status = border_start(problem, &data, u);
  if (!status) status = system_solve(system, &data, true, u);
  if (!status) status = compatible_data(problem, &data, u);
  if (!status) solution_push(solution, 0, u);
  free(u);
  return status;
}

/* ---- through time ---------------------------------------------------------------------------------------------------------------------------- */

enum { HALVINGS_MOST = 10, VAIN_MOST = 4 };     /* halvings of a step that fails; vain attempts before the past is dropped */

typedef struct Drive {
  March march;
  StepControl control;           /* of an automatic step */
  Solution *solution;
  Solution *live;                /* the state at hand as a solution, for those who look at the run as it goes */
  const SolveOptions *options;
  Diags failure;                 /* reports of a step that may be tried again */
  bool fatal;                    /* the last failure is none of them */
  bool halved;                   /* said */
  double next;                   /* length of the next step */
  int vain;                      /* attempts in a row whose error was not below that of the longer one before, and that one */
  double vain_step, vain_error;
  bool jumped;
} Drive;

static Problem *problem_of(const Drive *drive) { return drive->march.system->problem; }

static Status bad_time(const Problem *problem, const char *what) {
  Diag *diag = diag_report(problem->diags, E2010, problem->span, "%s", what);
  diag_suggest(diag, "write solve(p, m, time: 0..1, step: 0.1)");
  return 1;
}

static Status check_times(const Problem *problem, const SolveOptions *options) {
  if (!isfinite(options->t0) || !isfinite(options->t1) || !(options->t1 > options->t0 || (options->from && options->t1 == options->t0))) return bad_time(problem, "the time span is empty");
  if (!options->automatic && (!(options->step > 0) || !isfinite(options->step))) return bad_time(problem, "a transient solve needs a positive step");
  for (int i = 0; i < options->noutputs; i++)
    if (!(options->outputs[i] >= fmin(options->origin, options->t0) && options->outputs[i] <= options->t1 * (1 + 1e-14))) return bad_time(problem, "an output time lies outside of the time span");
  return 0;
}

/* ---- what a run shows of itself ---- */

static void live_open(Drive *drive) {
  Problem *problem = problem_of(drive);
  Solution *live = drive->live = solution_new(problem->engine, problem->space);
  solution_push(live, drive->march.time, drive->march.u);
  live->problem = problem;
  live->pde = problem->pde;
  live->unknowns = drive->solution->unknowns, live->nunknowns = drive->solution->nunknowns;
  live->transient = live->live = true;
  live->scheme = drive->march.row->name;
}

static void live_close(Drive *drive) {
  if (!drive->live) return;
  drive->live->problem = NULL;           /* belongs to the solution */
  solution_release(drive->live);
}

static Status show(Drive *drive, bool step) {
  const SolveOptions *options = drive->options;
  bool save = options->checkpoint && step && (drive->march.taken % options->checkpoint_every == 0 || drive->march.time >= options->t1);
  if (!options->on_step && !save) return 0;
  solution_renew(drive->live, drive->march.time, drive->march.u);
  if (step) {
    StepRecord record;
    march_record(&drive->march, &record);
    solution_record(drive->live, &record);
  }
  Problem *problem = problem_of(drive);
  if (options->on_step) TRY(petsc_agree(options->on_step(options->user, drive->live)));
  return save ? files_save(problem->engine, drive->live, options->checkpoint, options->source, problem->diags, problem->span) : 0;
}

/* The step that was taken last: into the solution if its turn has come, to those who look on. */
static Status publish(Drive *drive, bool must) {
  const SolveOptions *options = drive->options;
  const March *march = &drive->march;
  Problem *problem = problem_of(drive);
  if (must || march->taken % drive->solution->kept_every == 0) {
    StepRecord record;
    march_record(march, &record);
    solution_push(drive->solution, march->time, march->u);
    solution_record(drive->solution, &record);
  }
  TRY(show(drive, true));
  char text[64];
  snprintf(text, sizeof text, "t = %.4g", march->time);
  engine_progress(problem->engine, text, (march->time - options->t0) / (options->t1 - options->t0));
  return engine_interrupted(problem->engine, problem->diags, problem->span);
}

/* ---- trying steps ---- */

static void pass_on(Diags *from, Diags *to, bool errors) {
  for (int i = 0; i < from->n; i++) {
    const Diag *d = from->items[i];
    if (d->severity == DIAG_ERROR && !errors) continue;
    Diag *copy = diag_report(to, d->code, d->span, "%s", d->message);
    for (int k = 0; k < d->nnotes; k++) diag_note(copy, d->notes[k].span, "%s", d->notes[k].text);
    if (d->suggestion) diag_suggest(copy, "%s", d->suggestion);
  }
  diags_clear(from);
}

static bool interrupted(const Diags *diags) {
  for (int i = 0; i < diags->n; i++)
    if (diags->items[i]->code == E2090) return true;
  return false;
}

/* A step of a nonlinear problem may fail where a shorter one would not; its reports are held back, drive->fatal says whether it may be tried again. */
static Status attempt(Drive *drive, double step, double end) {
  March *march = &drive->march;
  Problem *problem = problem_of(drive);
  drive->fatal = true;
  if (problem->step.findings & FORM_LINEAR) return march_try(march, step, end);
  Diags *own = problem->diags;
  drive->failure.sources = own->sources;
  problem->diags = &drive->failure;
  Status status = march_try(march, step, end);
  if (status && march->guess && march->done && !interrupted(&drive->failure)) {      /* an extrapolated start may lie where the equations have no values */
    int guess = march->guess;
    diags_clear(&drive->failure);
    march->guess = 0;
    status = march_try(march, step, end);
    march->guess = guess;
  }
  problem->diags = own;
  drive->fatal = petsc_agree(status && interrupted(&drive->failure));
  if (!status || drive->fatal) pass_on(&drive->failure, own, drive->fatal);
  return status;
}

static void say_halved(Drive *drive, double step, double end) {
  Problem *problem = problem_of(drive);
  drive->march.rejected++;
  if (!drive->halved && petsc_rank() == 0)
    diag_suggest(diag_report(problem->diags, W2021, problem->span, "no solution was found in the step from t = %.6g to %.6g: it was done in two halves", drive->march.time, end),
                 "a shorter step than %.3g, or `step: auto`, would spare the vain attempts", step);
  drive->halved = true;
}

/* One step of a fixed length, in halves where it fails. */
static Status advance(Drive *drive, double step, double end, int depth) {
  if (!attempt(drive, step, end)) {
    march_take(&drive->march, end);
    return 0;
  }
  if (drive->fatal) return 1;
  Problem *problem = problem_of(drive);
  if (depth == HALVINGS_MOST) {
    pass_on(&drive->failure, problem->diags, true);
    if (problem->diags->n) diag_note(problem->diags->items[problem->diags->n - 1], (Span){0, 0}, "in the step from t = %.6g, which was halved %d times, down to %.3g", drive->march.time, depth, step);
    return 1;
  }
  say_halved(drive, step, end);
  double middle = drive->march.time + step / 2;
  TRY(advance(drive, step / 2, middle, depth + 1));
  return advance(drive, end - middle, end, depth + 1);
}

/* ---- fixed steps ---- */

/* Equal steps up to `end`, as near to options->step as divides the way there from `base`. A run that goes on from a checkpoint has some of them behind
 * it; its times are those of the run that was not stopped. */
static Status equal_steps(Drive *drive, double base, double end) {
  const SolveOptions *options = drive->options;
  double from = drive->march.time;
  for (;; base = from) {
    long n = (long)ceil((end - base) / options->step - 1e-9);
    if (n < 1) n = 1;
    double step = (end - base) / (double)n;
    if (fabs(step - options->step) < 1e-11 * options->step) step = options->step;       /* so that one matrix serves all */
    long done = lround((from - base) / step);
    if (fabs(base + (double)done * step - from) > 1e-9 * step) continue;
    for (long k = done + 1; k <= n; k++) {
      TRY(advance(drive, step, k == n ? end : base + (double)k * step, 0));
      TRY(publish(drive, k == n));
    }
    return 0;
  }
}

/* Said once, before the first step: what becomes of a step that does not divide the way from one output to the next. */
static void say_adjusted(const Drive *drive, const double *ends, int n) {
  const SolveOptions *options = drive->options;
  Problem *problem = problem_of(drive);
  double from = drive->march.time;
  for (int i = 0; i < n && !options->automatic && petsc_rank() == 0; i++) {
    double way = ends[i] - from, count = fmax(1, ceil(way / options->step - 1e-9)), step = way / count;
    if (way <= 1e-12 * (options->t1 - options->t0)) continue;
    if (count > 1 && fabs(step - options->step) > 1e-9 * options->step) {
      Diag *diag = diag_report(problem->diags, W2020, problem->span, "the step %.6g does not divide the time from %.6g to %.6g: %g steps of %.6g are taken there", options->step, from, ends[i], count, step);
      diag_suggest(diag, "take a step that divides the times between outputs, so that all steps are equal");
      return;
    }
    from = ends[i];
  }
}

/* ---- automatic steps ---- */

static Status too_short(Drive *drive, double step, double error) {
  const SolveOptions *options = drive->options;
  Problem *problem = problem_of(drive);
  Diag *diag = diag_report(problem->diags, E2020, problem->span, "at t = %.6g the tolerance %.3g would need a step shorter than %.3g", drive->march.time, drive->control.tol, step);
  if (error > 0) diag_note(diag, (Span){0, 0}, "the last step that was tried, %.3g, had an error of %.3g", drive->march.start.step, error * drive->control.tol);
  for (int i = 0; i < drive->failure.n; i++) diag_note(diag, drive->failure.items[i]->span.start == problem->span.start ? (Span){0, 0} : drive->failure.items[i]->span, "the last step that was tried failed: %s", drive->failure.items[i]->message);
  if (drive->failure.n) diag_note(diag, (Span){0, 0}, "a solution that grows beyond all bounds in finite time ends so: there is none after that time");
  diags_clear(&drive->failure);
  diag_suggest(diag, "raise `tol:`, lower `step_min:`, say with `floor:` how small is negligible%s, or look for what jumps at that time", options->scheme && !strcmp(options->scheme, "crank_nicolson") ? ", take the scheme bdf2, which damps oscillations" : "");
  return 1;
}

static double shortest(const Drive *drive) {
  const SolveOptions *options = drive->options;
  return options->step_min > 0 ? options->step_min : 1e-12 * (options->t1 - options->t0);
}

/* The length after an attempt that failed or was too far off. */
static Status shorter(Drive *drive, double step, double error) {
  drive->march.rejected++;
  drive->next = step * (error > 0 ? control_factor(&drive->control, error, 0) : 0.25);
  return drive->next >= shortest(drive) ? 0 : too_short(drive, shortest(drive), error);
}

/* A run without a past has no polynomial to compare with: one step against two halves of it, of which the halves stay. */
static Status first_steps(Drive *drive, double *step, double end) {
  March *march = &drive->march;
  size_t bytes = sizeof(double) * (size_t)problem_of(drive)->space->nlocal;
  double *whole = malloc(bytes + sizeof(double));
  Status status;
  for (;;) {
    March before = *march;
    double error = 0, middle = march->time + *step / 2;
    status = attempt(drive, *step, end);
    if (!status) memcpy(whole, march->next, bytes), status = attempt(drive, *step / 2, middle);
    if (!status) march_take(march, middle), status = attempt(drive, end - middle, end);
    if (!status) error = control_difference(&drive->control, whole, 1);
    if (!status && error <= 1) break;
    if (status && drive->fatal) break;
    Matrices matrices = march->matrices;
    *march = before;
    march->matrices = matrices;
    if ((status = shorter(drive, *step, error)) != 0) break;
    *step = drive->next;
    end = march->time + *step;
  }
  free(whole);
  if (status) return 1;
  march_take(march, end);
  drive->next = *step;
  return 0;
}

/* Length of the step at hand: the one that is wanted, or what ends with the way; no short rest is left over. */
static double clip(const Drive *drive, double end, double *to) {
  double left = end - drive->march.time, step = drive->next;
  *to = step >= left * (1 - 1e-10) ? end : step > left / 2 ? drive->march.time + left / 2 : drive->march.time + step;
  return *to == end ? left : step > left / 2 ? left / 2 : step;
}

/* Data jump where errors do not fall with the length of the step: what came before is no help there, and the run begins anew with the step that
 * crosses the jump. */
static bool jumps(Drive *drive, double step, double error) {
  bool falls = error < 0.5 * drive->vain_error;
  if (step > 0.7 * drive->vain_step && step < drive->vain_step) return false;
  drive->vain = step < drive->vain_step && !falls ? drive->vain + 1 : 0;
  drive->vain_step = step, drive->vain_error = error;
  if (drive->vain < VAIN_MOST) return false;
  drive->vain = 0;
  return true;
}

static double longest_step(const SolveOptions *options) { return options->step_max > 0 ? options->step_max : (options->t1 - options->t0) / 10; }

static Status automatic_steps(Drive *drive, double end) {
  const SolveOptions *options = drive->options;
  March *march = &drive->march;
  double longest = longest_step(options);
  while (march->time < end) {
    double to, step = clip(drive, end, &to);
    if (march->done < 2) {
      march->done = 0;
      TRY(first_steps(drive, &step, to));
      if (drive->jumped) march->done = 0;              /* the states before the jump are still among the last ones */
      drive->jumped = false;
    } else {
      double error = 0;
      bool failed = attempt(drive, step, to) != 0;
      if (failed && drive->fatal) return 1;
      if (!failed) error = control_error(&drive->control);
      if (failed || error > 1) {
        TRY(shorter(drive, step, error));
        if (jumps(drive, step, error)) march->done = 0, drive->jumped = true, drive->next = step;
        continue;
      }
      march_take(march, to);
      double wanted = step * control_factor(&drive->control, error, march->error);
      drive->next = fmin(step < drive->next ? fmax(wanted, fmin(drive->next, 2 * step)) : wanted, longest);
      march->error = error;
    }
    control_accept(&drive->control);
    march->next_length = drive->next;
    TRY(publish(drive, march->time >= end));
  }
  return 0;
}

/* Where most of the steps follow an unknown that is small beside what becomes of it, `floor:` is what spares them. */
static void say_small(const Drive *drive) {
  enum { MANY = 40 };
  const Problem *problem = drive->march.system->problem;
  int unknown = 0;
  double floor = 0;
  long small = control_small(&drive->control, &unknown, &floor), all = drive->march.taken;
  if (small < MANY || 2 * small < all || petsc_rank() != 0) return;
  Diag *diag = diag_report(problem->diags, W2081, problem->span, "%ld of %ld steps were taken while `%s` was below a thousandth of its later size", small, all, problem->pde->unknowns[unknown].name);
  diag_suggest(diag, "errors are relative to the size so far; if so small a `%s` does not matter, say so: `floor: %.1g`", problem->pde->unknowns[unknown].name, floor);
}

/* ---- the run ---- */

static Status begin(Drive *drive) {
  March *march = &drive->march;
  const SolveOptions *options = drive->options;
  Problem *problem = problem_of(drive);
  march->time = options->t0;
  if (options->from) {
    TRY(march_continue(march, options->from));
  } else {
    TRY(put_initials(problem, problem->pde->initials, problem->pde->ninitials, 0, options->t0, march->u));
    TRY(put_initials(problem, options->start, options->nstart, 0, options->t0, march->u));
    if (march->second_order) {
      TRY(put_initials(problem, problem->pde->initials, problem->pde->ninitials, 1, options->t0, march->rate[0]));
      TRY(put_initials(problem, options->start, options->nstart, 1, options->t0, march->rate[0]));
    }
  }
  if (!march->done) {
    Data data = problem_data(problem, options->t0);
    TRY(border_start(problem, &data, march->u));
  }
  solution_push(drive->solution, options->t0, march->u);
  drive->solution->continued = march->done > 0;
  if (options->from && march->done) {
    StepRecord record;
    march_record(march, &record);
    solution_record(drive->solution, &record);
  }
  live_open(drive);
  if (!options->automatic) return show(drive, false);
  control_open(&drive->control, march, options->tol, options->floor, longest_step(options));
  control_accept(&drive->control);
  drive->next = march->next_length > 0 ? march->next_length : options->step > 0 ? options->step : sqrt(options->tol) / 100 * (options->t1 - options->t0);
  if (options->step_max > 0) drive->next = fmin(drive->next, options->step_max);
  drive->next = fmax(drive->next, options->step_min);
  return show(drive, false);
}

static int by_value(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

static Status go(Drive *drive) {
  const SolveOptions *options = drive->options;
  TRY(check_times(problem_of(drive), options));
  TRY(begin(drive));
  double *ends = malloc(sizeof(double) * (size_t)(options->noutputs + 1));
  int n = 0;
  for (int i = 0; i < options->noutputs; i++) ends[n++] = options->outputs[i];
  ends[n++] = options->t1;
  qsort(ends, (size_t)n, sizeof(double), by_value);
  say_adjusted(drive, ends, n);
  Status status = 0;
  double base = fmin(options->origin, options->t0);
  for (int i = 0; i < n && !status; base = fmax(base, ends[i++])) {
    if (ends[i] <= drive->march.time + 1e-12 * (options->t1 - options->t0)) continue;
    status = options->automatic ? automatic_steps(drive, ends[i]) : equal_steps(drive, base, ends[i]);
  }
  free(ends);
  return status;
}

static Status transient(System *system, Solution *solution) {
  const SolveOptions *options = system->options;
  Drive drive = {.solution = solution, .options = options};
  Status status = march_open(&drive.march, system, options->has_rho ? options->rho : SCHEME_RHO);
  solution->kept_every = options->keep_every > 0 ? options->keep_every : 1;
  solution->transient = true;
  if (!status) status = go(&drive);
  if (!status && options->automatic) say_small(&drive);
  solution->steps = drive.march.taken, solution->rejected = drive.march.rejected;
  solution->smallest = drive.march.smallest, solution->largest = drive.march.largest;
  system->newton_iterations += drive.march.matrices.spare.newton_iterations;
  if (options->automatic) control_close(&drive.control);
  live_close(&drive);
  march_close(&drive.march);
  diags_free(&drive.failure);
  return status;
}

/* ---- the way in ------------------------------------------------------------------------------------------------------------------------------ */

static bool has_op(Expr *e, ExprOp op) {
  if (!e || !(e->flags & HAS_DT)) return false;
  bool found = e->op == op || (e->op == EXPR_TERM && op == EXPR_DT);
  for (int i = 0; i < e->n && !found; i++) found = has_op(e->arg[i], op);
  return found;
}

static bool pde_has(const Pde *pde, ExprOp op) {
  bool found = false;
  for (int i = 0; i < pde->nequations; i++) found |= has_op(pde->equations[i].left, op) || has_op(pde->equations[i].right, op);
  for (int i = 0; i < pde->nweak; i++) found |= has_op(pde->weak[i].integrand, op);
  for (int i = 0; i < pde->nconditions; i++) found |= has_op(pde->conditions[i].left, op) || has_op(pde->conditions[i].right, op);
  return found;
}

/* Without a wish: second order, damping what is too fast for the step; for waves, which must not be damped, the mean rule. */
static Status find_scheme(const Pde *pde, const SolveOptions *options, Diags *diags, Span span, const SchemeRow **row) {
  *row = NULL;
  bool waves = pde_has(pde, EXPR_DTT);
  if (!options->transient && (waves || pde_has(pde, EXPR_DT))) {
    Diag *diag = diag_report(diags, E2010, span, "`%s` has a time derivative, so its solution needs a time span and a step", pde->name ? pde->name : "this pde");
    diag_suggest(diag, "write solve(p, m, time: 0..1, step: 0.1)");
    return 1;
  }
  if (!options->transient) return 0;
  const char *name = options->scheme ? options->scheme : waves ? "crank_nicolson" : "bdf2";
  *row = scheme_row(name);
  if (*row) return 0;
  Name names[16];
  int n = 0;
  for (const char *const *at = scheme_names(); at[n] && n < 16; n++) names[n] = at[n];
  const char *near = nearest_name(name, names, n);
  Diag *diag = diag_report(diags, E2009, span, "there is no time scheme `%s`", name);
  for (int i = 0; i < n; i++) diag_note(diag, (Span){0, 0}, "`%s`: %s", names[i], scheme_row(names[i])->title);
  if (near) diag_suggest(diag, "did you mean `%s`?", near);
  return 1;
}

static void describe(Solution *solution, const System *system, const SchemeRow *scheme) {
  solution->transient = scheme != NULL;
  solution->iterations = system->solver.iterations;
  solution->newton_iterations = system->newton_iterations;
  solution->residual = system->solver.worst;
  solution->solver = system->solver.row->name;
  solution->why = system->solver.why;
  solution->scheme = scheme ? scheme->name : NULL;
}

/* Bytes of the largest process. Collective. */
static double peak_memory(void) {
  struct rusage usage = {0};
  getrusage(RUSAGE_SELF, &usage);
  double mine = 1024.0 * (double)usage.ru_maxrss, most = mine;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return most;
}

/* A mesh of another geometry than the pde's: the names of its sides may mean other places. */
static Status same_domain(const Pde *pde, const Mesh *mesh, Diags *diags, Span span) {
  const Geom *geom = pde->geometry;
  if (!geom || !mesh->geom || geom == mesh->geom || pde->dim != mesh->dim || geom_dim(geom) != geom_dim(mesh->geom)) return 0;
  double lo[2][3], hi[2][3], size = fmax(geom_size(geom), geom_size(mesh->geom));
  geom_bounds(geom, lo[0], hi[0]);
  geom_bounds(mesh->geom, lo[1], hi[1]);
  bool same = true, apart = false;
  Buf box[2] = {{0}, {0}};
  for (int d = 0; d < pde->dim; d++) {
    same &= fabs(lo[0][d] - lo[1][d]) <= 1e-9 * size && fabs(hi[0][d] - hi[1][d]) <= 1e-9 * size;
    apart |= fmin(hi[0][d], hi[1][d]) <= fmax(lo[0][d], lo[1][d]);
    for (int k = 0; k < 2; k++) buf_printf(&box[k], "%s%c %.6g..%.6g", d ? ", " : "", "xyz"[d], lo[k][d], hi[k][d]);
  }
  if (!same) {
    Diag *diag = diag_report(diags, apart ? E2005 : W2003, span, "the pde is on a geometry of %s, the mesh is of another one of %s", buf_str(&box[0]), buf_str(&box[1]));
    diag_suggest(diag, "solve on a mesh of the pde's geometry, or declare the pde on the geometry of the mesh");
  }
  buf_free(&box[0]), buf_free(&box[1]);
  return apart && !same;
}

Status time_solve(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const SolveOptions *options, Diags *diags, Span span, Solution **out) {
  *out = NULL;
  double start = cpu_seconds();
  engine_stages(engine);
  const SchemeRow *scheme;
  TRY(find_scheme(pde, options, diags, span, &scheme));
  Problem *problem;
  TRY(same_domain(pde, mesh, diags, span));
  TRY(problem_new(engine, pde, mesh, world, scheme, options->degree, diags, span, &problem));
  Solution *solution = solution_new(engine, problem->space);
  solution->problem = problem;
  solution->pde = pde;
  solution->unknowns = pde->unknowns;
  solution->nunknowns = pde->nunknowns;
  System system;
  Status status = system_open(&system, problem, options, scheme && problem->step.constant && !options->automatic);
  if (!status) status = scheme ? transient(&system, solution) : steady(&system, solution);
  if (!status) describe(solution, &system, scheme);
  if (!status && solution->nstates) {
    double last = solution->times && solution->transient ? solution->times[solution->nstates - 1] : world ? world->time : NAN;
    status = peclet_check(problem, last, solution->states[solution->nstates - 1]);
    if (!status) status = locking_check(problem, last, solution->states[solution->nstates - 1]);
  }
  system_close(&system);
  solution->seconds = cpu_seconds() - start;
  if (!status) solution->memory = peak_memory();
  if (status) solution_release(solution);
  else *out = solution;
  return status;
}
