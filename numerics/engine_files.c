#define _GNU_SOURCE
#include "engine_files.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "field.h"
#include "io.h"
#include "io_gather.h"
#include "io_piece.h"
#include "petsc.h"
#include "plot.h"
#include "problem.h"

/* ---- sampling ------------------------------------------------------------------------------------------------------------------------------------ */

/* The degree that shows an expression: that of its fields, linear where it is constant on cells anyway. */
static const Element *element_for(Expr *e, const World *world, CellShape shape) {
  int degree = e->flags & (HAS_COORD | HAS_HOST) ? 2 : 1;
  for (int i = 0; world && e->flags & HAS_FIELD && i < world->nsolutions; i++)
    for (int b = 0; b < world->solutions[i]->space->nblocks; b++)
      if (world->solutions[i]->space->block[b].nodes->element->degree > degree) degree = world->solutions[i]->space->block[b].nodes->element->degree;
  return element_of(shape, degree > 1 ? 2 : 1);
}

typedef struct Sample { NodalField field; int *cell_node; double *values; NodeSet *nodes; } Sample;

static void sample_free(Sample *sample) {
  free(sample->cell_node), free(sample->values);
  nodes_release(sample->nodes);
}

/* Values at the nodes of a P1 or P2 element; what jumps gets its own nodes on each cell. */
static Status sample_expr(const Data *data, Expr *e, Sample *out) {
  Mesh *mesh = data->mesh;
  int dim = mesh->dim, size = shape_size(e->shape, dim);
  const Element *element = element_for(e, data->world, mesh->ref->shape);
  int per = element_nodes(element, dim);
  bool jumps = field_jumps(e, data->world);
  *out = (Sample){.field = {.shape = e->shape, .ncomp = size, .element = element}};
  int n = jumps ? mesh->ncells * per : 0, *cell;
  double *reference;
  if (jumps) {
    double points[64 * 3];
    nodes_reference(element, dim, points);
    cell = malloc(sizeof(int) * ((size_t)n + 1));
    reference = malloc(sizeof(double) * ((size_t)n * (size_t)dim + 1));
    for (int i = 0; i < n; i++) {
      cell[i] = i / per;
      memcpy(reference + (size_t)i * (size_t)dim, points + (i % per) * dim, sizeof(double) * (size_t)dim);
    }
  } else {
    out->nodes = nodes_new(mesh, element);
    n = out->nodes->n;
    field_node_points(out->nodes, &cell, &reference);
    out->field.cell_node = out->nodes->cell;
  }
  out->field.nnodes = n;
  out->field.values = out->values = malloc(sizeof(double) * ((size_t)n * (size_t)size + 1));
  Points points = {.n = n, .cell = cell, .reference = reference};
  Status status = data_evaluate_tensor(data, e, &points, out->values);
  free(cell), free(reference);
  return status;
}

static Status draw(Engine *engine, const PlotRequest *request, Mesh *mesh, const World *world, Diags *diags, Span span) {
  mesh = world_mesh(world, mesh);
  Data data = {.engine = engine, .mesh = mesh, .world = world, .time = world ? world->time : NAN, .diags = diags, .span = span};
  Sample sample[2] = {0};
  Expr *exprs[2] = {request->kind == PLOT_FIELD ? request->expr : NULL, request->deform};
  NodalField whole[2] = {0};
  bool have[2] = {false, false};
  Status status = mesh ? data_prepare(&data) : 0;
  Mesh *drawn = NULL;
  if (mesh && !status) status = gather_mesh(mesh, &drawn);
  for (int i = 0; i < 2 && mesh && !status; i++) {
    if (!exprs[i]) continue;
    status = petsc_agree(sample_expr(&data, exprs[i], &sample[i]));
    if (!status) status = petsc_agree(gather_field(mesh, drawn, &sample[i].field, &whole[i]));
    have[i] = !status;
  }
  if (!status && petsc_rank() == 0) {
    engine_phase(engine, PHASE_WRITING);
    status = plot_draw(request, drawn, have[0] ? &whole[0] : NULL, have[1] ? &whole[1] : NULL, diags, span);
    engine_phase(engine, PHASE_FREE);
  }
  for (int i = 0; i < 2; i++) {
    if (have[i]) gathered_free(&whole[i]);
    sample_free(&sample[i]);
  }
  if (drawn) mesh_release(drawn);
  return status;
}

Status files_plot(Engine *engine, const PlotRequest *request, Mesh *mesh, const World *world, Diags *diags, Span span) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, draw(engine, request, mesh, world, diags, span));
}

/* ---- solutions to files ---------------------------------------------------------------------------------------------------------------------------- */

/* The numbers of a file's /march: what stands in a StepRecord beside its arrays, of which a bit each says whether they are there. */
enum { MARCH_DONE, MARCH_FIRST, MARCH_RHO, MARCH_NEXT, MARCH_ERROR, MARCH_ARRAYS, MARCH_EVERY, MARCH_CONTINUED, MARCH_LENGTH,
       MARCH_SCHEME = MARCH_LENGTH + SCHEME_LEVELS, MARCH_NUMBERS = MARCH_SCHEME + SCHEME_PARAMS, MARCH_ARRAYS_MOST = 2 * SCHEME_LEVELS };

static int record_arrays(const StepRecord *record, const double *out[MARCH_ARRAYS_MOST], int *bits) {
  int n = 0;
  *bits = 0;
  for (int k = 0; k < MARCH_ARRAYS_MOST; k++) {
    const double *values = k < SCHEME_LEVELS ? record->previous[k] : record->rate[k - SCHEME_LEVELS];
    if (values) out[n++] = values, *bits |= 1 << k;
  }
  return n;
}

static void record_numbers(const Solution *solution, const StepRecord *record, int bits, double *out) {
  out[MARCH_DONE] = (double)record->done, out[MARCH_FIRST] = record->first, out[MARCH_RHO] = record->rho;
  out[MARCH_NEXT] = record->next, out[MARCH_ERROR] = record->error, out[MARCH_ARRAYS] = bits;
  out[MARCH_EVERY] = solution->kept_every, out[MARCH_CONTINUED] = solution->continued;
  memcpy(out + MARCH_LENGTH, record->length, sizeof record->length);
  memcpy(out + MARCH_SCHEME, record->scheme, sizeof record->scheme);
}

typedef struct Gathered {        /* solutions as an IoResult on rank 0, or each rank's share of them */
  IoResult result;
  NodalField *all;               /* [(nstates + nhistory)*nfields], each owned */
  const double **values;
  int *cells;                    /* those of a share */
  double *numbers;               /* of one solution: those beside its fields */
  double march[MARCH_NUMBERS];
} Gathered;

static void free_gathered(Gathered *g) {
  for (int i = 0; g->all && i < (g->result.nstates + g->result.nhistory) * g->result.nfields; i++) gathered_free(&g->all[i]);
  free(g->all), free(g->result.fields), free(g->values), free(g->numbers), free(g->cells);
  if (g->result.mesh) mesh_release(g->result.mesh);
}

/* Nodes of its own for each cell: a field that jumps elsewhere than the mesh is cut. */
static void take_apart(NodalField *field, const Mesh *mesh, double **own) {
  size_t row = (size_t)element_nodes(field->element, mesh->dim) * (size_t)field->ncomp;
  double *values = malloc(sizeof(double) * (row * (size_t)mesh->ncells + 1));
  for (int e = 0; e < mesh->ncells; e++) nodal_cell(field, mesh->dim, e, values + (size_t)e * row);
  free(*own);
  field->values = *own = values;
  field->nnodes = mesh->ncells * element_nodes(field->element, mesh->dim);
  field->cell_node = NULL;
}

/* The first rank has them (space.h). */
static void gather_numbers(const Solution *solution, const double *const *before, int nbefore, Gathered *out) {
  const Space *space = solution->space;
  int n = out->result.nnumbers = space->nmultipliers;
  double *to = out->numbers = calloc((size_t)((solution->nstates + nbefore) * n) + 1, sizeof(double));
  for (int k = 0; k < solution->nstates + nbefore; k++, to += n)
    memcpy(to, (k < solution->nstates ? solution->states[k] : before[k - solution->nstates]) + space->multiplier, sizeof(double) * (size_t)n);
  out->result.numbers = out->numbers;
}

static Status gather_solutions(Solution *const *sols, int n, bool shares, Diags *diags, Span span, Gathered *out) {
  Mesh *mesh = sols[0]->space->mesh;
  for (int i = 1; i < n; i++)
    if (sols[i]->space->mesh == mesh->base) mesh = mesh->base;
  for (int i = 0; i < n && !mesh->uncut; i++)
    if (sols[i]->space->mesh->uncut && mesh_same_cells(sols[i]->space->mesh, mesh)) mesh = sols[i]->space->mesh;
  *out = (Gathered){.result = {.nstates = sols[0]->nstates, .times = sols[0]->transient ? sols[0]->times : NULL}};
  for (int i = 0; i < n; i++) {
    bool fits = mesh_same_cells(sols[i]->space->mesh, mesh) && sols[i]->nstates == sols[0]->nstates;
    for (int k = 0; fits && k < sols[0]->nstates; k++) fits = sols[i]->times[k] == sols[0]->times[k];
    if (!fits) {
      diag_report(diags, E2005, span, "one file holds solutions on one mesh with the same times");
      return 1;
    }
    out->result.nfields += sols[i]->nunknowns;
  }
  int nf = out->result.nfields, ns = out->result.nstates, f = 0, bits, nh = 0;
  const StepRecord *record = n == 1 && sols[0]->records ? sols[0]->records[ns - 1] : NULL;
  const double *before[MARCH_ARRAYS_MOST];
  if (record) {
    nh = out->result.nhistory = record_arrays(record, before, &bits);
    record_numbers(sols[0], record, bits, out->march);
    out->result.march = out->march, out->result.nmarch = MARCH_NUMBERS;
  }
  if (n == 1) gather_numbers(sols[0], before, nh, out);
  out->result.fields = calloc((size_t)nf + 1, sizeof(NodalField));
  out->all = calloc((size_t)(nf * (ns + nh)) + 1, sizeof(NodalField));
  out->values = calloc((size_t)(nf * (ns + nh)) + 1, sizeof(double *));
  if (shares) out->result.mesh = piece_mesh(mesh, &out->cells);
  else TRY(gather_mesh(mesh, &out->result.mesh));
  for (int i = 0; i < n; i++)
    for (int u = 0; u < sols[i]->nunknowns; u++, f++)
      for (int k = 0; k < ns + nh; k++) {
        NodalField local;
        double *own;
        solution_nodal(sols[i], u, k < ns ? sols[i]->states[k] : before[k - ns], &local, &own);
        if (sols[i]->space->mesh->uncut && sols[i]->space->mesh != mesh) take_apart(&local, mesh, &own);
        Buf unit = {0};
        unit_print_short(&unit, sols[i]->unknowns[u].unit);
        Status status = 0;
        if (shares) piece_field(&local, out->result.mesh, out->cells, &out->all[k * nf + f]);
        else status = gather_field(mesh, out->result.mesh, &local, &out->all[k * nf + f]);
        free(own), buf_free(&unit);
        TRY(status);
        if (k == 0) out->result.fields[f] = out->all[f];
        out->values[k * nf + f] = out->all[k * nf + f].values;
      }
  out->result.values = out->values;
  out->result.history = out->values + ns * nf;
  return 0;
}

/* Units as text, kept for the time of writing. */
static char *unit_text(Unit unit) {
  Buf text = {0};
  unit_print_short(&text, unit);
  return text.text;
}

typedef Status (*Write)(const char *path, const IoResult *result, Diags *diags, Span span);

static Status write_solutions(Engine *engine, Solution *const *sols, int n, const char *path, const char *source, Write write, Diags *diags, Span span) {
  Gathered g = {0};
  const IoRow *row = io_row(path);
  bool shares = row && row->parts && write == io_export;
  Status status = gather_solutions(sols, n, shares, diags, span, &g);
  if (!status && (shares || petsc_rank() == 0)) {
    const Pde *pde = sols[0]->pde;
    char **units = calloc((size_t)g.result.nfields + 2, sizeof(char *));
    int f = 0;
    for (int i = 0; i < n; i++)
      for (int u = 0; u < sols[i]->nunknowns; u++, f++) g.result.fields[f].unit = units[f] = unit_text(sols[i]->unknowns[u].unit);
    char *length = pde ? unit_text(pde->length) : NULL, *time = pde ? unit_text(pde->time) : NULL;
    g.result.length_unit = length;
    g.result.time_unit = time;
    g.result.source = source;
    engine_phase(engine, PHASE_WRITING);
    status = write(path, &g.result, diags, span);
    engine_phase(engine, PHASE_FREE);
    for (int i = 0; i < f; i++) free(units[i]);
    free(units), free(length), free(time);
  }
  free_gathered(&g);
  return status;
}

Status files_export(Engine *engine, Solution *const *sols, int n, const char *path, Diags *diags, Span span) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, write_solutions(engine, sols, n, path, NULL, io_export, diags, span));
}

/* What the pde's source does not say stands in comments after it: the time scheme, so that fluxes of a loaded solution are those of its own steps, and
 * the values of parameters. A parameter that is a field is not kept, and such a solution is loaded without its pde. */
static const char scheme_mark[] = "\n# scheme: ", param_mark[] = "\n# parameter ";

static char *source_with_values(const Solution *solution, const char *source, Diags *diags, Span span) {
  Buf text = {0};
  if (!source) return NULL;
  buf_printf(&text, "%s%s%s", source, scheme_mark, solution->scheme ? solution->scheme : "none");
  const World *world = solution->problem ? &solution->problem->world : NULL;
  for (int i = 0; world && i < world->nparams; i++) {
    double value;
    buf_printf(&text, "%s%s ", param_mark, world->params[i].name);
    if (expr_is_const(world->params[i].value, &value)) buf_number(&text, value);
    else {
      buf_puts(&text, "field");
      Diag *diag = diag_report(diags, W2532, span, "the parameter `%s` is a field, which the file does not keep: the solution comes back without its pde", world->params[i].name);
      diag_suggest(diag, "declare the field beside the pde (field %s = ...) if fluxes are wanted of the loaded solution", world->params[i].name);
    }
  }
  buf_putc(&text, '\n');
  return text.text;
}

Status files_save(Engine *engine, const Solution *sol, const char *path, const char *pde_source, Diags *diags, Span span) {
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  Solution *one = (Solution *)sol;
  char *source = source_with_values(sol, pde_source, diags, span);
  Status status = write_solutions(engine, &one, 1, path, source, io_save, diags, span);
  free(source);
  return petsc_leave(&guard, status);
}

/* ---- files to solutions ------------------------------------------------------------------------------------------------------------------------------ */

/* at: number of the state, those of the history counted after the others. */
static void take_state(const Space *space, const IoResult *result, int at, double *u) {
  const Mesh *mesh = space->mesh;
  const double *const *values = at < result->nstates ? result->values + (size_t)at * (size_t)result->nfields : result->history + (size_t)(at - result->nstates) * (size_t)result->nfields;
  if (space->nmultipliers && result->nnumbers == space->nmultipliers)
    memcpy(u + space->multiplier, result->numbers + (size_t)at * (size_t)result->nnumbers, sizeof(double) * (size_t)result->nnumbers);
  for (int b = 0; b < space->nblocks; b++) {
    const SpaceBlock *block = &space->block[b];
    const NodalField *field = &result->fields[b];
    int per = block->nodes->per_cell, m = block->components;
    for (size_t i = 0; i < (size_t)mesh->ncells * (size_t)per; i++) {
      size_t cell = i / (size_t)per, there = (mesh->cell_global ? (size_t)mesh->cell_global[cell] : cell) * (size_t)per + i % (size_t)per;
      size_t node = field->cell_node ? (size_t)field->cell_node[there] : there;
      memcpy(u + space_dof(block, block->nodes->cell[i]), values[b] + node * (size_t)m, sizeof(double) * (size_t)m);
    }
  }
}

/* What the file says of the step to the last state. */
static void take_record(Solution *solution, const IoResult *result) {
  const double *numbers = result->march;
  int bits = result->nmarch == MARCH_NUMBERS ? (int)numbers[MARCH_ARRAYS] : -1, n = 0;
  if (bits < 0 || bits >= 1 << MARCH_ARRAYS_MOST || __builtin_popcount((unsigned)bits) != result->nhistory) return;
  StepRecord record = {.done = (long)numbers[MARCH_DONE], .first = numbers[MARCH_FIRST] != 0, .rho = numbers[MARCH_RHO], .next = numbers[MARCH_NEXT],
                       .error = numbers[MARCH_ERROR]};
  memcpy(record.length, numbers + MARCH_LENGTH, sizeof record.length);
  memcpy(record.scheme, numbers + MARCH_SCHEME, sizeof record.scheme);
  solution->kept_every = (int)numbers[MARCH_EVERY], solution->continued = numbers[MARCH_CONTINUED] != 0;
  double *arrays[MARCH_ARRAYS_MOST];
  for (int k = 0; k < MARCH_ARRAYS_MOST; k++) {
    if (!(bits >> k & 1)) continue;
    double *u = arrays[n] = calloc((size_t)solution->space->nlocal + 1, sizeof(double));
    take_state(solution->space, result, result->nstates + n, u);
    if (k < SCHEME_LEVELS) record.previous[k] = u;
    else record.rate[k - SCHEME_LEVELS] = u;
    n++;
  }
  solution_record(solution, &record);
  for (int k = 0; k < n; k++) free(arrays[k]);
}

/* Where every step is kept the states before are there, and with them what fluxes need, as long as the scheme keeps no rates. */
static void make_records(Solution *solution, const SchemeRow *row, double rho) {
  for (int k = 1; k < solution->nstates - 1 && solution->kept_every == 1; k++) {
    double length = solution->times[k] - solution->times[k - 1], before = k > 1 ? solution->times[k - 1] - solution->times[k - 2] : 0;
    if (k == 1 && solution->continued) continue;
    SchemeStart start = {.step = length, .ratio = before > 0 ? length / before : 1, .first = k == 1, .rho = rho};
    StepRecord record = {.length = {length, before}, .previous = {solution->states[k - 1], k > 1 ? solution->states[k - 2] : NULL}, .first = k == 1, .done = k, .rho = rho};
    scheme_coefficients(row, &start, record.scheme);
    record.scheme[SCHEME_TIME_OLD] = solution->times[k - 1];
    solution->records[k] = malloc(sizeof record);
    *solution->records[k] = record;
  }
}

static void take_states(Solution *solution, const IoResult *result) {
  double *u = calloc((size_t)solution->space->nlocal + 1, sizeof(double));
  for (int k = 0; k < result->nstates; k++) {
    take_state(solution->space, result, k, u);
    solution_push(solution, result->times ? result->times[k] : 0, u);
  }
  free(u);
  solution->kept_every = 1;
  if (!result->times) return;
  if (result->nmarch) take_record(solution, result);
  const StepRecord *last = solution->records[solution->nstates - 1];
  const SchemeRow *row = scheme_row(solution->scheme ? solution->scheme : "");
  if (last && row && !last->rate[0]) make_records(solution, row, last->rho);
}

static Unknown *loaded_unknowns(Engine *engine, Arena *arena, const IoResult *result) {
  Unknown *unknowns = ARENA_ARRAY(arena, Unknown, result->nfields + 1);
  for (int f = 0; f < result->nfields; f++) {
    const NodalField *field = &result->fields[f];
    UnitScale scale;
    Unit unit = field->unit && field->unit[0] && unit_symbol(field->unit, &scale) ? scale.unit : UNIT_NONE;
    unknowns[f] = (Unknown){.name = intern_text(engine->options.names, field->name), .shape = field->shape, .unit = unit,
                            .element = intern_text(engine->options.names, field->element->name)};
  }
  return unknowns;
}

typedef struct Stored { const SchemeRow *scheme; Binding params[64]; int nparams; bool whole; } Stored;

/* Reads the comments and cuts them off. */
static Stored take_values(Engine *engine, char *source) {
  Stored out = {0};
  char *mark = source ? strstr(source, scheme_mark) : NULL;
  if (!mark) return out;
  out.whole = true;
  locale_t plain = newlocale(LC_ALL_MASK, "C", 0);      /* the host's may have a decimal comma */
  for (char *at = strstr(mark + 1, param_mark); at && out.nparams < 64; at = strstr(at + 1, param_mark)) {
    char *name = at + sizeof param_mark - 1, *end = name + strcspn(name, " \n"), *rest;
    char *number = *end ? end + 1 : end;
    double value = strtod_l(number, &rest, plain);
    if (rest == number) out.whole = false;
    out.params[out.nparams++] = (Binding){intern(engine->options.names, name, (size_t)(end - name)), expr_const(engine->options.pool, value, UNIT_ANY)};
  }
  freelocale(plain);
  *mark = 0;
  char *name = mark + sizeof scheme_mark - 1;
  name[strcspn(name, "\n")] = 0;
  out.scheme = scheme_row(name);
  return out;
}

static bool fits_file(const Pde *pde, const IoResult *result) {
  bool fits = pde && pde->nunknowns == result->nfields;
  for (int i = 0; fits && i < pde->nunknowns; i++)
    fits = shape_size(pde->unknowns[i].shape, pde->dim) == result->fields[i].ncomp && !strcmp(pde->unknowns[i].element, result->fields[i].element->name);
  return fits;
}

/* Every rank reads the file and keeps its part. */
static Status load(Engine *engine, const char *path, Diags *diags, Span span, Pde *(*rebuild)(void *, const char *), void *user, Solution **out) {
  IoLoaded loaded;
  TRY(petsc_agree(io_load(path, engine->options.names, diags, span, &loaded)));
  const IoResult *result = &loaded.result;
  char *source = result->source && result->source[0] ? strdup(result->source) : NULL;
  Stored stored = take_values(engine, source);
  Pde *pde = rebuild && source ? rebuild(user, source) : NULL;
  free(source);
  bool fits = stored.whole && fits_file(pde, result) && (!result->times || stored.scheme);
  World world = {.params = stored.params, .nparams = stored.nparams, .time = NAN};
  Arena *arena = arena_new();
  Unknown *unknowns = loaded_unknowns(engine, arena, result);
  Mesh *mesh = mesh_distribute(mesh_retain(result->mesh));
  Problem *problem = NULL;
  Status status = fits ? problem_new(engine, pde, mesh, &world, stored.scheme, 0, diags, span, &problem) : 0;
  if (!status && problem && problem->space->nmultipliers != result->nnumbers) {      /* fluxes would be those of other numbers */
    problem_free(problem);
    problem = NULL, fits = false;
  }
  if (!status) {
    Space *space = problem ? space_retain(problem->space) : space_new(mesh, unknowns, result->nfields, 0, NULL);
    Solution *solution = *out = solution_new(engine, space);
    space_release(space);
    solution->arena = arena;
    solution->unknowns = fits ? pde->unknowns : unknowns;
    solution->nunknowns = result->nfields;
    solution->pde = fits ? pde : NULL;
    solution->problem = problem;
    solution->scheme = stored.scheme ? stored.scheme->name : NULL;
    solution->transient = result->times != NULL;
    take_states(solution, result);
  } else arena_free(arena);
  mesh_release(mesh);
  io_loaded_free(&loaded);
  return status;
}

Status files_load(Engine *engine, const char *path, Diags *diags, Span span, Pde *(*rebuild)(void *user, const char *pde_source), void *user, Solution **out) {
  *out = NULL;
  PetscGuard guard;
  petsc_enter(&guard, diags, span);
  return petsc_leave(&guard, load(engine, path, diags, span, rebuild, user, out));
}

/* ---- listings ------------------------------------------------------------------------------------------------------------------------------------------ */

static int no_regions(Name canonical, int *classes, int max, void *user) {
  (void)canonical, (void)user;
  if (max > 0) classes[0] = 0;
  return 1;
}

static bool no_field(const Symbol *symbol, const Element **element, int *components, void *user) {
  (void)symbol, (void)element, (void)components, (void)user;
  return false;
}

static Status list_integrals(Engine *engine, const Pde *pde, const Integral *integrals, int n, int rank, bool symmetric, const char *what, Diags *diags, Buf *out) {
  const Element *element = element_find(pde->unknowns[0].element);
  for (int i = 0; i < n; i++) {
    Expr *integrand = integrals[i].integrand;
    LowerRequest request = {.dim = pde->dim, .shape = element ? element->shape : CELL_SIMPLEX, .kind = integrals[i].kind, .rank = rank, .integrand = &integrand, .n = 1, .unknowns = pde->unknowns,
                            .nunknowns = pde->nunknowns, .field = no_field, .region = no_regions, .degree = integrals[i].degree > 0 ? integrals[i].degree : -1,
                            .symmetric = symmetric, .visits = 1000000, .span = integrals[i].span};
    Kernel *kernel;
    TRY(kernel_integral(engine->kernels, &request, diags, &kernel));
    buf_printf(out, "# %s, integral %d of %d over %s, quadrature degree %d\n", rank == 1 ? "residual" : "jacobian", i + 1, n,
               integrals[i].kind == INTEGRAL_CELL ? "cells" : "facets", kernel->degree);
    Status status = kernel_text(engine->kernels, kernel, what, diags, out);
    kernel_release(kernel);
    TRY(status);
  }
  return 0;
}

Status files_kernel_text(Engine *engine, Pde *pde, const char *what, Diags *diags, Buf *out) {
  Form *form;
  TRY(form_weak(pde, diags, &form));
  const SchemeRow *row = form->findings & FORM_STEADY ? NULL : scheme_row("backward_euler");
  StepForm step = {.residual = form->residual, .nresidual = form->nresidual, .jacobian = form->jacobian, .njacobian = form->njacobian, .findings = form->findings};
  Status status = row ? scheme_step(form, row, diags, &step) : 0;
  if (!status) status = list_integrals(engine, pde, step.residual, step.nresidual, 1, false, what, diags, out);
  if (!status) status = list_integrals(engine, pde, step.jacobian, step.njacobian, 2, (step.findings & FORM_SYMMETRIC) != 0, what, diags, out);
  if (row) scheme_step_free(&step);
  form_free(form);
  return status;
}
