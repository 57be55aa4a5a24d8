/* The table of the engine: each entry checks, enters PETSc, calls one function of its room, leaves. */
#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eigen.h"
#include "engine_arrays.h"
#include "engine_files.h"
#include "engine_nodal.h"
#include "engine_internal.h"
#include "field.h"
#include "flux.h"
#include "hei_api.h"
#include "petsc.h"
#include "problem.h"
#include "reduce.h"
#include "solve.h"
#include "tape.h"
#include "time.h"

/* ---- the engine ------------------------------------------------------------------------------------------------------------------------------ */

void engine_stages(Engine *engine) {
  engine->nstages = 0;
  engine->stage_start = cpu_seconds();
}

void engine_stage(Engine *engine, const char *name) {
  double now = cpu_seconds(), passed = now - engine->stage_start;
  engine->stage_start = now;
  for (int i = 0; i < engine->nstages; i++)
    if (engine->stage[i].name == name) {
      engine->stage[i].seconds += passed;
      return;
    }
  int most = sizeof engine->stage / sizeof *engine->stage;
  if (engine->nstages < most) engine->stage[engine->nstages++] = (Stage){name, passed};
}

void engine_progress(Engine *engine, const char *text, double fraction) {
  if (engine->options.on_progress && petsc_rank() == 0) engine->options.on_progress(engine->options.user, text, fraction);
}

Status engine_interrupted(Engine *engine, Diags *diags, Span span) {
  volatile int *flag = engine->options.interrupt;
  if (!petsc_agree(flag && *flag)) return 0;
  diag_report(diags, E2090, span, "stopped");
  return 1;
}

void engine_phase(Engine *engine, EnginePhase phase) {
  if (engine->options.phase) *engine->options.phase = (int)phase;
}

static Status engine_open(const EngineOptions *options, Engine **out) {
  *out = NULL;
  Status status = petsc_open(options->argc, options->argv, options->diags);
  if (status) return status;
  Engine *engine = calloc(1, sizeof *engine);
  engine->options = *options;
  engine->kernels = kernels_open(options->pool, options->jit, options->diags);
  if (!engine->kernels) {
    free(engine);
    return 1;
  }
  *out = engine;
  return 0;
}

static void engine_close(Engine *engine) {
  if (!engine) return;
  petsc_forget(engine->options.argc, engine->options.argv);
  kernels_close(engine->kernels);
  free(engine->serials);
  free(engine);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------------------------------------ */

static Status engine_mesh_make(Engine *engine, const Geom *geom, const MeshOptions *options, Diags *diags, Mesh **out) {
  PetscGuard guard;
  petsc_enter(&guard, diags, options->span);
  engine_phase(engine, PHASE_MESH);
  Status status = mesh_make(geom, options, diags, out);
  engine_phase(engine, PHASE_FREE);
  if (petsc_leave(&guard, status)) return 1;
  if (!engine_interrupted(engine, diags, options->span)) return 0;
  mesh_release(*out);
  *out = NULL;
  return 1;
}

static Status engine_mesh_read(Engine *engine, const char *path, double scale, Diags *diags, Span span, Mesh **out) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, mesh_import(path, scale, engine->options.names, diags, span, out));
}

static Status engine_mesh_cad(Engine *engine, const char *path, double scale, const MeshOptions *options, Diags *diags, Mesh **out) {
  PetscGuard guard;
  petsc_enter(&guard, diags, options->span);
  return petsc_leave(&guard, mesh_import_cad(path, scale, options, engine->options.names, diags, out));
}

static Status engine_mesh_refine(Engine *engine, const Mesh *mesh, Diags *diags, Mesh **out) {
  (void)engine;
  PetscGuard guard;
  petsc_enter(&guard, diags, (Span){0, 0});
  Mesh *whole = NULL;
  Status status = mesh_refine(mesh_whole(mesh), diags, &whole);
  if (!status) *out = mesh_distribute(whole);
  return petsc_leave(&guard, status);
}

/* ---- solving ------------------------------------------------------------------------------------------------------------------------------------- */

static Status engine_solve(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const SolveOptions *options, Diags *diags, Span span, Solution **out) {
  PetscGuard guard;
  *out = NULL;
  petsc_enter(&guard, diags, span);
  Status status = petsc_leave(&guard, time_solve(engine, pde, mesh, world, options, diags, span, out));
  if (status && *out) solution_release(*out), *out = NULL;
  if (!status && engine->options.argc) petsc_unused_options(diags, span);
  return status;
}

static Status engine_eigensolve(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const EigenOptions *options, Diags *diags, Span span, EigenModes *out) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, eigen_solve(engine, pde, mesh, world, options, diags, span, out));
}

static void engine_solver_choice(Engine *engine, const Form *form, long ndofs, const char **solver, const char **why) {
  (void)engine;
  const Pde *pde = form->pde;
  SolverClass of = {.findings = form->findings, .dim = pde->dim, .nblocks = pde->nunknowns, .components = shape_size(pde->unknowns[0].shape, pde->dim),
                    .joined = form_joins_cells(form->jacobian, form->njacobian), .bordered = pde->nconstraints + pde->nglobals > 0, .reused = !(form->findings & FORM_STEADY), .ndofs = ndofs, .nranks = petsc_nranks()};
  *solver = solver_choose(&of, why)->name;
}

static void engine_solution_info(const Solution *solution, SolutionInfo *out) {
  *out = (SolutionInfo){.serial = solution->serial,
                        .pde = solution->pde,
                        .form = solution->problem ? solution->problem->form : NULL,
                        .mesh = solution->space->mesh,
                        .transient = solution->transient,
                        .nstates = solution->nstates,
                        .times = solution->times,
                        .ndofs = solution->space->nglobal,
                        .iterations = solution->iterations,
                        .newton_iterations = solution->newton_iterations,
                        .residual = solution->residual,
                        .solver = solution->solver,
                        .why = solution->why,
                        .scheme = solution->scheme,
                        .seconds = solution->seconds,
                        .memory = solution->memory,
                        .ranks = solution->space->mesh->nranks > 1 ? solution->space->mesh->nranks : 1,
                        .cells = solution->space->mesh->cell_global ? solution->space->mesh->global_cells : solution->space->mesh->ncells,
                        .steps = solution->steps,
                        .rejected = solution->rejected,
                        .smallest = solution->smallest,
                        .largest = solution->largest};
}

static Status engine_number(Solution *solution, Name name, double time, Diags *diags, Span span, double *out) {
  const Problem *problem = solution->problem;
  const double *values;
  TRY(solution_values(solution, time, diags, span, &values));
  for (int k = 0; problem && k < problem->pde->nglobals; k++)
    if (!strcmp(problem->pde->globals[k].name, name)) {
      *out = values[solution->space->multiplier + problem->pde->nconstraints + k];
      return 0;
    }
  diag_suggest(diag_report(diags, E2011, span, "the number `%s` is not kept with a solution that was loaded from a file", name), "solve it again in this session");
  return 1;
}

static Unknown *unknowns_copy(Arena *arena, const Unknown *unknowns, int n) {
  Unknown *copy = ARENA_ARRAY(arena, Unknown, n + 1);
  memcpy(copy, unknowns, sizeof(Unknown) * (size_t)n);
  return copy;
}

static Status project(Engine *engine, Mesh *mesh, const Unknown *unknowns, Expr *const *values, int n, const World *world, Diags *diags, Span span, Solution **out) {
  Arena *arena = arena_new();
  Unknown *own = unknowns_copy(arena, unknowns, n);
  problem_elements(own, n, mesh, engine->options.names);
  mesh = problem_mesh(own, n, mesh);
  Space *space = space_new(mesh, own, n, 0, NULL);
  mesh_release(mesh);
  Solution *solution = solution_new(engine, space);
  solution->arena = arena;
  solution->unknowns = own;
  solution->nunknowns = n;
  double *u = calloc((size_t)space->nlocal + 1, sizeof(double));
  Data data = {.engine = engine, .mesh = mesh, .world = world, .time = world ? world->time : NAN, .diags = diags, .span = span};
  Status status = data_prepare(&data);
  for (int i = 0; i < n && !status; i++) status = field_interpolate(&data, space, i, -1, values[i], field_jumps(values[i], world), u);
  if (!status) solution_push(solution, 0, u);
  free(u);
  space_release(space);
  if (status) solution_release(solution);
  else *out = solution;
  return status;
}

static Status engine_project(Engine *engine, Mesh *mesh, const Unknown *unknowns, Expr *const *values, int n, const World *world, Diags *diags, Span span,
                             Solution **out) {
  PetscGuard guard;
  *out = NULL;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, project(engine, mesh, unknowns, values, n, world, diags, span, out));
}

/* ---- numbers -------------------------------------------------------------------------------------------------------------------------------------- */

static Data over(Engine *engine, Mesh *mesh, const World *world, Diags *diags, Span span) {
  mesh = world_mesh(world, mesh);
  return (Data){.engine = engine, .mesh = mesh, .world = world, .time = world ? world->time : NAN, .diags = diags, .span = span};
}

static Status engine_reduce(Engine *engine, Reduction kind, Expr *e, Mesh *mesh, const Where *where, bool on_cells, int degree, const World *world, Diags *diags,
                            Span span, double *out, double *place) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  Data data = over(engine, mesh, world, diags, span);
  Status status = data_prepare(&data);
  if (!status)
    status = kind == REDUCE_INTEGRAL || kind == REDUCE_PART ? reduce_integral(&data, e, where, on_cells, degree, kind == REDUCE_INTEGRAL, out)
                                                            : reduce_extremum(&data, e, where, on_cells, kind == REDUCE_MAX, out, place);
  return petsc_leave(&guard, status);
}

static Status engine_points(Engine *engine, Expr *e, Mesh *mesh, int n, const double *x, Name side, const World *world, Diags *diags, Span span, double *out) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  Data data = over(engine, mesh, world, diags, span);
  Status status = data_prepare(&data);
  if (!status) status = reduce_points(&data, e, n, x, side, out);
  return petsc_leave(&guard, status);
}

static Status engine_flux(Engine *engine, Solution *sol, int unknown, const Where *where, double time, Diags *diags, Span span, double *out, bool *conservative) {
  (void)engine;
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, flux_integral(sol, unknown, where, time, diags, span, out, conservative));
}

static Status engine_residual(Engine *engine, Solution *sol, double time, Diags *diags, Span span, double *relative) {
  (void)engine;
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, flux_residual(sol, time, diags, span, relative));
}

static Status engine_dirichlet_error(Engine *engine, Solution *sol, double time, Diags *diags, Span span, double *out) {
  (void)engine;
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, flux_dirichlet_error(sol, time, diags, span, out));
}

/* ---- listings --------------------------------------------------------------------------------------------------------------------------------------- */

static void engine_versions(Buf *out) {
  char text[256];
  int major, minor, n;
  if (!PetscGetVersion(text, sizeof text)) buf_printf(out, "%s\n", text);
  MPI_Get_version(&major, &minor);
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_library_version(library, &n);
  library[strcspn(library, ",\n")] = 0;
  buf_printf(out, "MPI %d.%d, %s\n", major, minor, library);
}

static void engine_timings(Engine *engine, Buf *out) {
  double total = 0;
  for (int i = 0; i < engine->nstages; i++) {
    buf_printf(out, "%-20s %8.4f s\n", engine->stage[i].name, engine->stage[i].seconds);
    total += engine->stage[i].seconds;
  }
  if (engine->nstages) buf_printf(out, "%-20s %8.4f s\n", "in all", total);
  kernels_note(engine->kernels, out);
}

static void engine_solvers(Buf *out) {
  for (int i = 0; i < solver_row_count; i++) buf_printf(out, "%-16s %s. %s\n", solver_rows[i].name, solver_rows[i].title, solver_rows[i].doc);
}

static const EngineApi api = {
    .abi = ENGINE_ABI,
    .open = engine_open,
    .close = engine_close,
    .rank = petsc_rank,
    .nranks = petsc_nranks,
    .mesh_make = engine_mesh_make,
    .mesh_read = engine_mesh_read,
    .mesh_refine = engine_mesh_refine,
    .mesh_release = mesh_release,
    .mesh_info = mesh_info,
    .mesh_cad = engine_mesh_cad,
    .solve = engine_solve,
    .eigensolve = engine_eigensolve,
    .eigen_modes_free = eigen_modes_free,
    .solver_choice = engine_solver_choice,
    .solution_info = engine_solution_info,
    .number = engine_number,
    .solution_retain = solution_retain,
    .solution_release = solution_release,
    .project = engine_project,
    .reduce = engine_reduce,
    .points = engine_points,
    .flux = engine_flux,
    .residual = engine_residual,
    .dirichlet_error = engine_dirichlet_error,
    .plot = files_plot,
    .export = files_export,
    .save = files_save,
    .load = files_load,
    .kernel_text = files_kernel_text,
    .versions = engine_versions,
    .timings = engine_timings,
    .solvers = engine_solvers,
    .nodal = engine_nodal,
    .tape = &tape_api,
    .arrays_read = io_h5_arrays_read,
    .arrays_write = engine_arrays_write,
    .hei = &hei_api,
};

__attribute__((visibility("default"))) const void *pde_provider(int abi);
const void *pde_provider(int abi) { return abi == ENGINE_ABI ? &api : NULL; }
