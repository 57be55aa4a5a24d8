#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "blame.h"
#include "engine_internal.h"
#include "petsc.h"
#include "problem.h"

/* Serial numbers come back, so that a loop of solves makes no more expressions than its first turn: they name the fields of solutions in them. Whoever
 * holds such an expression holds the solution. */
static uint32_t serial_take(Engine *engine) {
  uint32_t s = engine->free_serial;
  while (s < engine->nserials && engine->serials[s]) s++;
  if (s == engine->nserials) {
    uint32_t more = engine->nserials ? 2 * engine->nserials : 16;
    engine->serials = realloc(engine->serials, more * sizeof *engine->serials);
    memset(engine->serials + s, 0, (more - s) * sizeof *engine->serials);
    engine->nserials = more;
  }
  engine->serials[s] = true;
  engine->free_serial = s + 1;
  return s + 1;
}

static void serial_give(Engine *engine, uint32_t serial) {
  uint32_t s = serial - 1;
  engine->serials[s] = false;
  if (s < engine->free_serial) engine->free_serial = s;
}

Solution *solution_new(Engine *engine, Space *space) {
  Solution *solution = calloc(1, sizeof *solution);
  *solution = (Solution){.refs = 1, .serial = serial_take(engine), .engine = engine, .space = space_retain(space)};
  return solution;
}

Solution *solution_retain(Solution *solution) {
  solution->refs++;
  return solution;
}

static void record_free(StepRecord *record) {
  if (!record) return;
  for (int l = 0; l < SCHEME_LEVELS; l++) {
    if (record->own_previous[l]) free((double *)record->previous[l]);
    free((double *)record->rate[l]);
  }
  free(record);
}

void solution_release(Solution *solution) {
  if (!solution || --solution->refs) return;
  if (!solution->is_whole) serial_give(solution->engine, solution->serial);
  for (int k = 0; k < solution->nstates; k++) free(solution->states[k]), record_free(solution->records[k]);
  free(solution->records);
  for (int k = 0; k < BLENDS_MAX; k++) free(solution->blend[k].values);
  free(solution->states), free(solution->times);
  solution_release(solution->whole);
  problem_free(solution->problem);
  if (solution->arena) arena_free(solution->arena);
  space_release(solution->space);
  free(solution);
}

void solution_push(Solution *solution, double time, const double *values) {
  if (solution->nstates == solution->cap) {
    solution->cap = solution->cap ? 2 * solution->cap : 4;
    solution->states = realloc(solution->states, sizeof(double *) * (size_t)solution->cap);
    solution->times = realloc(solution->times, sizeof(double) * (size_t)solution->cap);
    solution->records = realloc(solution->records, sizeof(StepRecord *) * (size_t)solution->cap);
  }
  size_t bytes = sizeof(double) * (size_t)solution->space->nlocal;
  double *copy = big_alloc(bytes + sizeof(double));
  memcpy(copy, values, bytes);
  solution->times[solution->nstates] = time;
  solution->records[solution->nstates] = NULL;
  solution->states[solution->nstates++] = copy;
}

void solution_renew(Solution *solution, double time, const double *values) {
  memcpy(solution->states[0], values, sizeof(double) * (size_t)solution->space->nlocal);
  solution->times[0] = time;
  record_free(solution->records[0]);
  solution->records[0] = NULL;
  solution_release(solution->whole);
  solution->whole = NULL;
}

static const double *copied(const Solution *solution, const double *values) {
  size_t bytes = sizeof(double) * (size_t)solution->space->nlocal;
  return values ? memcpy(big_alloc(bytes + sizeof(double)), values, bytes) : NULL;
}

void solution_record(Solution *solution, const StepRecord *record) {
  int last = solution->nstates - 1;
  StepRecord *own = malloc(sizeof *own);
  *own = *record;
  double time = solution->times[last];
  for (int l = 0; l < SCHEME_LEVELS; l++) {
    time -= record->length[l];
    int k = last - 1 - l;
    bool kept = record->previous[l] && k >= 0 && fabs(solution->times[k] - time) <= 1e-9 * record->length[l];
    own->previous[l] = kept ? solution->states[k] : copied(solution, record->previous[l]);
    own->own_previous[l] = !kept && own->previous[l];
    own->rate[l] = copied(solution, record->rate[l]);
  }
  if (solution->kept_every != 1 && last > 0) record_free(solution->records[last - 1]), solution->records[last - 1] = NULL;
  record_free(solution->records[last]);
  solution->records[last] = own;
}

static Status outside_time(const Solution *solution, double time, Diags *diags, Span span) {
  Diag *diag = diag_report(diags, E2007, span, "the time %g lies outside of the solution's, %g to %g", time, solution->times[0],
                           solution->times[solution->nstates - 1]);
  diag_suggest(diag, solution->transient ? "nothing is extrapolated: solve over a longer time:, or ask for an earlier one" : "the solution is steady: leave the time away");
  return 1;
}

Status solution_values(Solution *solution, double time, Diags *diags, Span span, const double **values) {
  int n = solution->nstates;
  if (isnan(time) || !solution->transient) {
    *values = solution->states[n - 1];
    return 0;
  }
  double first = solution->times[0], last = solution->times[n - 1], slack = 1e-9 * (last - first);
  if (!(time >= first - slack && time <= last + slack)) return outside_time(solution, time, diags, span);
  int k = 0;
  while (k + 1 < n && solution->times[k + 1] <= time) k++;
  double gap = k + 1 < n ? solution->times[k + 1] - solution->times[k] : 1, part = k + 1 < n ? (time - solution->times[k]) / gap : 0;
  if (part < 1e-12) part = 0;
  if (part == 0 || part > 1 - 1e-12) {
    *values = solution->states[part == 0 ? k : k + 1];
    return 0;
  }
  for (int i = 0; i < BLENDS_MAX; i++)
    if (solution->blend[i].values && solution->blend[i].time == time) {
      *values = solution->blend[i].values;
      return 0;
    }
  int slot = solution->next_blend++ % BLENDS_MAX, m = solution->space->nlocal;
  if (!solution->blend[slot].values) solution->blend[slot].values = big_alloc(sizeof(double) * ((size_t)m + 1));
  double *out = solution->blend[slot].values;
  solution->blend[slot].time = time;
  for (int i = 0; i < m; i++) out[i] = (1 - part) * solution->states[k][i] + part * solution->states[k + 1][i];
  *values = out;
  return 0;
}

void solution_nodal(const Solution *solution, int unknown, const double *state, NodalField *out, double **own) {
  const SpaceBlock *block = &solution->space->block[unknown];
  const NodeSet *nodes = block->nodes;
  *out = (NodalField){.name = solution->unknowns[unknown].name, .shape = solution->unknowns[unknown].shape, .ncomp = block->components,
                      .element = nodes->element, .nnodes = nodes->n, .cell_node = nodes->cell};
  *own = NULL;
  if (!solution->space->ghost) {
    out->values = state + block->owned;
    return;
  }
  double *values = *own = malloc(sizeof(double) * ((size_t)nodes->n * (size_t)block->components + 1));
  for (int i = 0; i < nodes->n; i++)
    memcpy(values + (size_t)i * (size_t)block->components, state + space_dof(block, i), sizeof(double) * (size_t)block->components);
  out->values = values;
}

/* Every rank puts what it owns into the numbering of the whole mesh; the sum over the ranks is complete. */
static void gather_state(const Solution *solution, const Space *whole, const double *state, double *out) {
  const Space *space = solution->space;
  const Mesh *mesh = space->mesh;
  memset(out, 0, sizeof(double) * (size_t)whole->nlocal);
  for (int b = 0; b < space->nblocks; b++) {
    const NodeSet *from = space->block[b].nodes, *to = whole->block[b].nodes;
    int per = from->per_cell, m = space->block[b].components;
    for (int c = 0; c < mesh->ncells; c++)
      for (int a = 0; a < per; a++) {
        int node = from->cell[(size_t)c * (size_t)per + (size_t)a];
        if (node >= from->nowned) continue;
        int there = to->cell[(size_t)mesh->cell_global[c] * (size_t)per + (size_t)a];
        memcpy(out + space_dof(&whole->block[b], there), state + space_dof(&space->block[b], node), sizeof(double) * (size_t)m);
      }
  }
  MPI_Allreduce(MPI_IN_PLACE, out, whole->nlocal, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
}

Status solution_whole(Solution *solution) {
  if (solution->whole || !solution->space->ghost) return 0;
  Space *space = space_new((Mesh *)mesh_whole(solution->space->mesh), solution->unknowns, solution->nunknowns, 0, NULL);
  Solution *whole = solution_new(solution->engine, space);
  serial_give(solution->engine, whole->serial);
  whole->serial = solution->serial;
  whole->is_whole = true;
  whole->transient = solution->transient;
  double *state = big_alloc(sizeof(double) * ((size_t)space->nlocal + 1));
  for (int k = 0; k < solution->nstates; k++) {
    gather_state(solution, space, solution->states[k], state);
    solution_push(whole, solution->times[k], state);
  }
  free(state);
  space_release(space);
  solution->whole = whole;
  return 0;
}

/* ---- interpolation ---------------------------------------------------------------------------------------------------------------------- */

void field_node_points(const NodeSet *nodes, int **cell, double **reference) {
  int dim = nodes->mesh->dim, per = nodes->per_cell;
  double points[64 * 3];
  nodes_reference(nodes->element, dim, points);
  *cell = big_alloc(sizeof(int) * ((size_t)nodes->n + 1));
  *reference = big_zeroed(sizeof(double) * ((size_t)nodes->n * (size_t)dim + 1));
  memset(*cell, 255, sizeof(int) * (size_t)nodes->n);
  for (int c = 0; c < nodes->mesh->ncells; c++)
    for (int a = 0; a < per; a++) {
      int node = nodes->cell[(size_t)c * (size_t)per + (size_t)a];
      if ((*cell)[node] >= 0) continue;
      (*cell)[node] = c;
      memcpy(*reference + (size_t)node * (size_t)dim, points + a * dim, sizeof(double) * (size_t)dim);
    }
}

static bool is_broken(const Symbol *symbol, const World *world) {
  for (int i = 0; world && symbol->kind == SYMBOL_FIELD && i < world->nsolutions; i++)
    if (world->solutions[i]->serial == symbol->serial)
      return world->solutions[i]->space->mesh->uncut || element_is_broken(world->solutions[i]->space->block[symbol->which].nodes->element);
  return false;
}

bool field_jumps(Expr *e, const World *world) {
  if (e->flags & HAS_REGIONS) return true;
  if (e->op == EXPR_TERM || e->op == EXPR_SYMBOL) return e->symbol.dx[0] + e->symbol.dx[1] + e->symbol.dx[2] > 0 || is_broken(&e->symbol, world);
  if (e->op == EXPR_GRAD || e->op == EXPR_DIVERGENCE || e->op == EXPR_CURL || e->op == EXPR_LAP || e->op == EXPR_EPS || e->op == EXPR_DX)
    return (e->flags & HAS_FIELD) != 0;
  for (int i = 0; i < e->n; i++)
    if (field_jumps(e->arg[i], world)) return true;
  return false;
}

static Status not_finite(const Data *data, const NodeSet *nodes, int cell, const double *reference, Expr *e) {
  Points point = {.n = 1, .cell = &cell, .reference = reference};
  if (blame_expression(data, e, &point, E2003, data->span)) return 1;
  double x[3];
  nodes_place(nodes, cell, reference, x);
  Buf place = {0}, text = {0};
  for (int d = 0; d < nodes->mesh->dim; d++) buf_printf(&place, "%s%g", d ? ", " : "", x[d]);
  expr_print(&text, e, EXPR_TEXT);
  diag_report(data->diags, E2003, data->span, "`%.200s` is not finite at (%s)", buf_str(&text), buf_str(&place));
  buf_free(&place), buf_free(&text);
  return 1;
}

static Status interpolate_once(const Data *data, const SpaceBlock *block, int component, Expr *value, double *u) {
  const NodeSet *nodes = block->nodes;
  int dim = data->mesh->dim, *cell, m = component < 0 ? block->components : 1;
  double *reference, *out = big_zeroed(sizeof(double) * ((size_t)nodes->n * (size_t)m + 1));
  field_node_points(nodes, &cell, &reference);
  Points points = {.n = nodes->n, .cell = cell, .reference = reference};
  Status status = expr_is_zero(value) ? 0 : data_evaluate_tensor(data, value, &points, out);
  for (int i = 0; i < nodes->n && !status; i++)
    for (int c = 0; c < m && !status; c++) {
      double v = out[(size_t)i * (size_t)m + (size_t)c];
      if (!isfinite(v)) status = not_finite(data, nodes, cell[i], reference + (size_t)i * (size_t)dim, value);
      u[space_dof(block, i) + (component < 0 ? c : component)] = v;
    }
  free(cell), free(reference), free(out);
  return status;
}

/* Mean over the cells at each node, by cells in chunks; each owned cell counts on its rank. */
static Status interpolate_mean(const Data *data, const Space *space, const SpaceBlock *block, int component, Expr *value, double *u) {
  const NodeSet *nodes = block->nodes;
  const Mesh *mesh = data->mesh;
  int dim = mesh->dim, per = nodes->per_cell, m = component < 0 ? block->components : 1;
  enum { CHUNK = 1024 };
  double points[64 * 3];
  nodes_reference(nodes->element, dim, points);
  size_t most = (size_t)CHUNK * (size_t)per;
  double *sum = calloc((size_t)space->nlocal + 1, sizeof(double)), *count = calloc((size_t)space->nlocal + 1, sizeof(double));
  double *reference = malloc(sizeof(double) * most * (size_t)dim), *out = malloc(sizeof(double) * most * (size_t)m);
  int *cell = malloc(sizeof(int) * most);
  Status status = 0;
  for (int at = 0; at < mesh->ncells && !status; at += CHUNK) {
    int n = 0;
    for (int c = at; c < mesh->ncells && c < at + CHUNK; c++)
      for (int a = 0; a < per && mesh_owns_cell(mesh, c); a++, n++) {
        cell[n] = c;
        memcpy(reference + (size_t)n * (size_t)dim, points + a * dim, sizeof(double) * (size_t)dim);
      }
    Points where = {.n = n, .cell = cell, .reference = reference};
    status = data_evaluate_tensor(data, value, &where, out);
    for (int i = 0; i < n && !status; i++) {
      int node = nodes->cell[(size_t)cell[i] * (size_t)per + (size_t)(i % per)];
      for (int c = 0; c < m; c++) {
        int dof = space_dof(block, node) + (component < 0 ? c : component);
        sum[dof] += out[(size_t)i * (size_t)m + (size_t)c];
        count[dof] += 1;
      }
    }
  }
  status = petsc_agree(status);
  if (!status) {
    space_collect(space, sum);
    space_collect(space, count);
    for (int i = 0; i < space->nowned; i++)
      if (count[i] > 0) u[i] = sum[i] / count[i];
    space_ghosts(space, u);
  }
  free(sum), free(count), free(reference), free(out), free(cell);
  return status;
}

Status field_interpolate(const Data *data, const Space *space, int which, int component, Expr *value, bool average, double *u) {
  const SpaceBlock *block = &space->block[which];
  int size = shape_size(value->shape, data->mesh->dim), m = component < 0 ? block->components : 1;
  if (size != m && !expr_is_zero(value)) {
    diag_report(data->diags, E2005, data->span, "a value with %d component%s does not fit an unknown with %d", size, size == 1 ? "" : "s", m);
    return 1;
  }
  return average ? interpolate_mean(data, space, block, component, value, u) : petsc_agree(interpolate_once(data, block, component, value, u));
}
