/* Where an unknown is prescribed, its equation is not tested: what the residual lacks there is the flux,
 *   r(u)[phi_i] + factor*integral(q*phi_i) = 0  for the nodes i on the prescribed part,
 * so q is the trace function whose boundary mass vector is -r/factor (Gresho, Lee, Sani 1987; Carey, Chow, Seager 1985). Summed over the whole part the
 * test functions are 1, and the balance holds to rounding. Between two regions the same with the cells of the first alone. */
#include "flux.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "petsc.h"
#include "sides.h"

/* ---- the residual at a state -------------------------------------------------------------------------------------------------------------- */

typedef struct State {
  Data data;
  double *zero;
} State;

static Status gone(Diags *diags, Span span, const char *what) {
  Diag *diag = diag_report(diags, E2011, span, "%s", what);
  diag_suggest(diag, "solve it again in this session");
  return 1;
}

static Status state_open(Solution *solution, int k, Diags *diags, Span span, State *out) {
  Problem *problem = solution->problem;
  problem->diags = diags;
  problem->span = span;
  *out = (State){.data = problem_data(problem, solution->transient ? solution->times[k] : problem->world.time)};
  out->data.unknown = solution->states[k];
  if (!solution->transient) return 0;
  const StepRecord *record = solution->records[k];
  out->zero = calloc((size_t)solution->space->nlocal + 1, sizeof(double));
  for (int l = 0; l < SCHEME_LEVELS; l++) {
    out->data.previous[l] = record->previous[l] ? record->previous[l] : out->zero;
    out->data.rate[l] = record->rate[l] ? record->rate[l] : out->zero;
  }
  out->data.scheme = record->scheme;
  return 0;
}

static void state_close(State *state) { free(state->zero); }

/* The step that ends at a time: an index from 1 on, but of a run that goes on or began where another ended. Between steps the nearer end is taken by
 * the caller. */
static int step_at(const Solution *solution, double time) {
  if (!solution->transient) return 0;
  int n = solution->nstates, k = n - 1, least = solution->records[0] ? 0 : 1;
  if (!isnan(time))
    while (k > least && solution->times[k - 1] >= time - 1e-9 * (solution->times[n - 1] - solution->times[0])) k--;
  return k < least ? least : k;
}

/* Nothing has flowed yet: the first state of a run that goes on. */
static bool begins(const Solution *solution) { return solution->live && !solution->records[0]; }

static Status check(const Solution *solution, double time, Diags *diags, Span span) {
  if (!solution->problem) return gone(diags, span, "the equations of this solution are not known: it was loaded from a file or projected");
  if (!solution->transient) return 0;
  if (solution->nstates < 2 && !solution->records[0]) return gone(diags, span, "this transient solution has a single state");
  const double *unused;
  if (!isnan(time)) TRY(solution_values((Solution *)solution, time, diags, span, &unused));
  if (solution->records[step_at(solution, time)]) return 0;
  Diag *diag = diag_report(diags, E2021, span, "the step that ends at t = %g is not known any more, and fluxes by reactions are those of a step",
                           solution->times[step_at(solution, time)]);
  diag_note(diag, (Span){0, 0}, "what came before a state is kept with the last one, and with all where every step is kept");
  diag_suggest(diag, "solve without `keep:`, or write the flux as the run goes: record: (q: flux(...)), probes: \"q.csv\"");
  return 1;
}

/* ---- facets ----------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Trace {           /* facets with a flux to be found, and those of them that are asked for */
  const Space *space;
  const SpaceBlock *block;
  int *facet, n;
  bool *asked;
  int component;
  int on[CELL_FACETS][64], count[CELL_FACETS];   /* nodes of the cell on a local facet */
  double *mass[CELL_FACETS];     /* by local facet: nodes x nodes of the facet, for unit measure; then the integrals of their functions */
  double **own;                  /* [n] the same of a facet of a curved cell, with its measure; NULL: affine */
  double *measure;               /* [n] by which they are multiplied */
} Trace;

/* Mass matrix of the functions on a local facet, and after it their integrals; of a facet of the mesh, or -1: of the reference facet, for unit measure. */
static double *facet_mass(const Trace *trace, int local, int facet) {
  const Element *element = trace->block->nodes->element;
  const Mesh *mesh = trace->space->mesh;
  int dim = mesh->dim, m = trace->count[local], cell = facet < 0 ? -1 : mesh->facet_cell[facet];
  const double *points = NULL, *weights = NULL;
  int nq = dim > 1 ? quad_on(mesh->ref->shape, dim - 1, 2 * element->degree + (cell < 0 ? 0 : 4), &points, &weights) : 1;
  double total = 0, phi[64], *mass = calloc((size_t)(m * (m + 1)) + 1, sizeof(double));
  for (int q = 0; q < nq; q++) total += dim > 1 ? weights[q] : 1;
  for (int q = 0; q < nq; q++) {
    double X[3], n[3], weight = dim > 1 ? weights[q] / total : 1;
    refcell_facet_point(mesh->ref, local, points ? points + q * (dim - 1) : X, X);
    if (cell >= 0) weight = weights[q] * mesh_normal(mesh, cell, local, X, n);
    element->tabulate(dim, 1, X, phi, NULL, NULL);
    for (int i = 0; i < m; i++) {
      mass[m * m + i] += weight * phi[trace->on[local][i]];
      for (int j = 0; j < m; j++) mass[i * m + j] += weight * phi[trace->on[local][i]] * phi[trace->on[local][j]];
    }
  }
  return mass;
}

static void trace_masses(Trace *trace) {
  const Mesh *mesh = trace->space->mesh;
  for (int f = 0; f < mesh->ref->nfacets; f++) {
    trace->count[f] = nodes_on_facet(trace->block->nodes->element, mesh->dim, f, trace->on[f]);
    trace->mass[f] = facet_mass(trace, f, -1);
  }
  trace->own = calloc((size_t)trace->n + 1, sizeof(double *));
  trace->measure = malloc(sizeof(double) * ((size_t)trace->n + 1));
  for (int k = 0; k < trace->n; k++) {
    int facet = trace->facet[k];
    bool curved = mesh_is_curved(mesh, mesh->facet_cell[facet]) && mesh->dim > 1;
    if (curved) trace->own[k] = facet_mass(trace, mesh->facet_local[facet], facet);
    trace->measure[k] = curved ? 1 : mesh_facet_measure(mesh, facet);
  }
}

static const double *mass_of(const Trace *trace, int k) {
  return trace->own[k] ? trace->own[k] : trace->mass[trace->space->mesh->facet_local[trace->facet[k]]];
}

static void trace_free(Trace *trace) {
  for (int k = 0; k < trace->n; k++) free(trace->own[k]);
  free(trace->facet), free(trace->asked), free(trace->own), free(trace->measure);
  for (int f = 0; f < CELL_FACETS; f++) free(trace->mass[f]);
}

static int facet_dof(const Trace *trace, int facet, int i) {
  const Mesh *mesh = trace->space->mesh;
  const NodeSet *nodes = trace->block->nodes;
  int node = nodes->cell[(size_t)mesh->facet_cell[facet] * (size_t)nodes->per_cell + (size_t)trace->on[mesh->facet_local[facet]][i]];
  return space_dof(trace->block, node) + trace->component;
}

/* y := M x over the owned facets of all ranks. */
static void mass_times(const Trace *trace, const double *x, double *y) {
  const Mesh *mesh = trace->space->mesh;
  memset(y, 0, sizeof(double) * (size_t)trace->space->nlocal);
  for (int k = 0; k < trace->n; k++) {
    int facet = trace->facet[k], local = mesh->facet_local[facet], m = trace->count[local];
    if (!mesh_owns_facet(mesh, facet)) continue;
    const double *mass = mass_of(trace, k);
    for (int i = 0; i < m; i++) {
      double s = 0;
      for (int j = 0; j < m; j++) s += mass[i * m + j] * x[facet_dof(trace, facet, j)];
      y[facet_dof(trace, facet, i)] += trace->measure[k] * s;
    }
  }
  space_collect(trace->space, y);
  space_ghosts(trace->space, y);
}

static double product(const Space *space, const double *a, const double *b) {
  double sum = 0, all;
  for (int i = 0; i < space->nowned; i++) sum += a[i] * b[i];
  all = sum;
  if (space->ghost) MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return all;
}

/* Conjugate gradients on the boundary mass matrix, scaled by its diagonal; its condition does not grow with refinement. */
static void mass_solve(const Trace *trace, const double *b, double *q) {
  const Space *space = trace->space;
  const Mesh *mesh = space->mesh;
  size_t n = (size_t)space->nlocal;
  double *work = calloc(5 * n + 1, sizeof(double)), *r = work, *p = work + n, *z = work + 2 * n, *Ap = work + 3 * n, *diagonal = work + 4 * n;
  for (int k = 0; k < trace->n; k++) {
    int facet = trace->facet[k], local = mesh->facet_local[facet], m = trace->count[local];
    if (!mesh_owns_facet(mesh, facet)) continue;
    for (int i = 0; i < m; i++) diagonal[facet_dof(trace, facet, i)] += trace->measure[k] * mass_of(trace, k)[i * m + i];
  }
  space_collect(space, diagonal);
  space_ghosts(space, diagonal);
  memset(q, 0, sizeof(double) * n);
  for (size_t i = 0; i < n; i++) r[i] = diagonal[i] > 0 ? b[i] : 0, p[i] = z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0;
  double rz = product(space, r, z), first = rz;
  for (int k = 0; k < 500 && rz > 1e-30 * first && rz > 0; k++) {
    mass_times(trace, p, Ap);
    double alpha = rz / product(space, p, Ap);
    for (size_t i = 0; i < n; i++) q[i] += alpha * p[i], r[i] -= alpha * Ap[i];
    for (size_t i = 0; i < n; i++) z[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0;
    double next = product(space, r, z);
    for (size_t i = 0; i < n; i++) p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
  free(work);
}

static double trace_integral(const Trace *trace, const double *q) {
  const Mesh *mesh = trace->space->mesh;
  double sum = 0;
  for (int k = 0; k < trace->n; k++) {
    int facet = trace->facet[k], local = mesh->facet_local[facet];
    if (!trace->asked[k] || !mesh_owns_facet(mesh, facet)) continue;
    double s = 0;
    int m = trace->count[local];
    for (int i = 0; i < m; i++) s += mass_of(trace, k)[m * m + i] * q[facet_dof(trace, facet, i)];
    sum += trace->measure[k] * s;
  }
  return sum;
}

/* ---- which facets ------------------------------------------------------------------------------------------------------------------------------ */

/* Marks the facets of a condition or place; out[nfacets]. */
static void mark_where(const Mesh *mesh, const Where *where, char *out, char value) {
  int n, *facets = bc_facets(mesh, where, &n);
  for (int i = 0; i < n; i++) out[facets[i]] = value;
  free(facets);
}

enum { FREE, PRESCRIBED, NATURAL, HELD /* in its normal or tangential part */ };

static bool is_part(const Condition *c) { return c->kind == CONDITION_NORMAL || c->kind == CONDITION_TANGENTIAL; }

static void classify(const Problem *problem, int unknown, int component, bool whole, char *out) {
  const Pde *pde = problem->pde;
  memset(out, FREE, (size_t)problem->mesh->nfacets);
  for (int pass = NATURAL; pass >= PRESCRIBED; pass--)          /* Dirichlet beats natural */
    for (int i = 0; i < pde->nconditions; i++) {
      const Condition *condition = &pde->conditions[i];
      bool fits = condition->unknown == unknown && (condition->component < 0 || condition->component == component) && !condition->where.is_point;
      if (fits && (condition->kind != CONDITION_NATURAL) == (pass == PRESCRIBED)) mark_where(problem->mesh, &condition->where, out, whole && is_part(condition) ? HELD : (char)pass);
    }
  for (int i = 0; i < pde->nperiodics; i++) {      /* what leaves through one side enters through the other */
    mark_where(problem->mesh, &pde->periodics[i].from, out, PRESCRIBED);
    mark_where(problem->mesh, &pde->periodics[i].to, out, PRESCRIBED);
  }
}

/* ---- residual of a part of the cells ------------------------------------------------------------------------------------------------------------ */

/* The part's items whose cell counts; in NULL: all of them. */
static Part restrict_part(const Part *part, const Mesh *mesh, const char *in) {
  Part out = *part;
  out.kernel = kernel_retain(part->kernel);
  out.curved = part->curved ? kernel_retain(part->curved) : NULL;
  out.all = part->all && !in;
  if (part->pair) {
    out.pair = malloc(sizeof *out.pair * ((size_t)part->n + 1));
    memcpy(out.pair, part->pair, sizeof *out.pair * (size_t)part->n);
    return out;
  }
  if (out.all) return out;
  out.item = malloc(sizeof(int) * ((size_t)part->n + 1));
  out.n = 0;
  bool cells = part->kernel->kind == INTEGRAL_CELL;
  for (int i = 0; i < part->n; i++) {
    int item = part->all ? i : part->item[i];
    if (!in || in[cells ? item : mesh->facet_cell[item]]) out.item[out.n++] = item;
  }
  part_group(&out, mesh, part->kernel->kind);
  return out;
}

static Status residual_of(Problem *problem, const Data *data, const char *in, double *r) {
  memset(r, 0, sizeof(double) * (size_t)problem->space->nlocal);
  Status status = 0;
  for (int i = 0; i < problem->step.nresidual && !status; i++) {
    if (in && problem->step.residual[i].integral->where.interface[0]) continue;      /* a source on the interface belongs to neither side */
    Part part = restrict_part(&problem->step.residual[i], problem->mesh, in);
    status = assemble_vector(data, &part, 1, r);
    part_free(&part);
  }
  status = petsc_agree(status);
  if (!status) space_ghosts(problem->space, r);
  return status;
}

/* ---- the flux ------------------------------------------------------------------------------------------------------------------------------------- */

/* The equation's flux as a whole: the sum where there are several. */
static const Flux *flux_of(const Form *form, int unknown, int component) {
  const Flux *found = NULL;
  for (int i = 0; i < form->nfluxes; i++) {
    const Flux *flux = &form->fluxes[i];
    if (flux->unknown != unknown || (flux->component >= 0 && flux->component != component)) continue;
    if (!found || flux->op == EXPR_ADD) found = flux;
  }
  return found;
}

/* A weak form names no flux: its reaction q is what would have to stand on the right as integral(q*v, on: part), so that for
 * integral(dot(F, grad(v))) == ... it is dot(F, n). */
static Status factor_of(const Data *data, const Flux *flux, double *out) {
  *out = -1;
  if (!flux) return 0;
  Expr *factor = expr_scalar(data->engine->options.pool, flux->factor, 0, data->mesh->dim);
  return factor ? data_constant(data, factor, out) : 1;
}

/* Facets whose flux is found together: prescribed ones, and the interface. */
static void make_trace(const Problem *problem, int unknown, int component, const char *kind, const char *asked, const char *in, Trace *trace) {
  const Mesh *mesh = problem->mesh;
  *trace = (Trace){.space = problem->space, .block = &problem->space->block[unknown], .component = component,
                   .facet = malloc(sizeof(int) * ((size_t)mesh->nfacets + 1)), .asked = calloc((size_t)mesh->nfacets + 1, sizeof(bool))};
  for (int f = 0; f < mesh->nfacets; f++) {
    bool boundary = f < mesh->nboundary;
    bool here = in ? (asked[f] && !boundary) || (boundary && kind[f] == PRESCRIBED && in[mesh->facet_cell[f]]) : boundary && kind[f] == PRESCRIBED;
    if (!here) continue;
    trace->asked[trace->n] = asked[f];
    trace->facet[trace->n++] = f;
  }
  trace_masses(trace);
}

static Status by_reactions(Problem *problem, const Data *data, int unknown, int component, const char *kind, const char *asked, const char *in, const double *r,
                           double *out) {
  const Flux *flux = flux_of(problem->form, unknown, component);
  double factor;
  TRY(factor_of(data, flux, &factor));
  Trace trace;
  make_trace(problem, unknown, component, kind, asked, in, &trace);
  size_t n = (size_t)problem->space->nlocal;
  double *b = calloc(n + 1, sizeof(double)), *q = calloc(n + 1, sizeof(double));
  for (size_t i = 0; i < n; i++) b[i] = -r[i] / factor;
  mass_solve(&trace, b, q);
  *out += trace_integral(&trace, q);
  trace_free(&trace);
  free(b), free(q);
  return 0;
}

/* Integral over some facets of a scalar expression that may contain the unknowns. */
static Status facet_integral(Problem *problem, const Data *data, Expr *e, const char *asked, double *out) {
  Part part;
  Where all = {.all = true};
  TRY(functional_part(data, problem->pde->unknowns, problem->pde->nunknowns, &e, 1, 0, INTEGRAL_FACET, &all, problem->degree, true, &part));
  free(part.item);
  const Mesh *mesh = problem->mesh;
  part.item = malloc(sizeof(int) * ((size_t)mesh->nfacets + 1));
  part.n = 0;
  for (int i = 0; i < mesh->nfacets; i++)
    if (asked[i] && mesh_owns_facet(mesh, i)) part.item[part.n++] = i;
  part_group(&part, mesh, INTEGRAL_FACET);
  Status status = assemble_numbers(data, &part, out);
  part_free(&part);
  return status;
}

/* Where natural data are given the flux is what they say, Robin's with the unknown in it. */
static Status by_data(Problem *problem, const Data *data, int unknown, int component, const char *kind, const char *asked, double *out) {
  const Pde *pde = problem->pde;
  const Mesh *mesh = problem->mesh;
  char *here = malloc((size_t)mesh->nfacets + 1);
  Status status = 0;
  for (int i = 0; i < pde->nconditions && !status; i++) {
    const Condition *condition = &pde->conditions[i];
    if (condition->kind != CONDITION_NATURAL || condition->unknown != unknown || (condition->component >= 0 && condition->component != component)) continue;
    if (condition_cuts(condition) || !condition->value || expr_is_zero(condition->value)) continue;
    memset(here, 0, (size_t)mesh->nfacets + 1);
    mark_where(mesh, &condition->where, here, 1);
    for (int f = 0; f < mesh->nfacets; f++) here[f] = here[f] && asked[f] && kind[f] == NATURAL;
    int row = condition->component >= 0 || !condition->value->shape.rank ? 0 : component;
    Expr *g = expr_scalar(pde->pool, condition->value, row, pde->dim);
    status = petsc_agree(g ? facet_integral(problem, data, g, here, out) : 1);
  }
  free(here);
  return status;
}

/* dot(F, n) from the gradient of one side. */
static Status directly(Problem *problem, const Data *data, int unknown, int component, const char *asked, double *out) {
  ExprPool *pool = problem->pde->pool;
  const Flux *flux = flux_of(problem->form, unknown, component);
  Expr *normal = expr_binary(pool, EXPR_DOT, flux->flux, expr_normal(pool, problem->pde->dim));
  Expr *e = normal ? expr_scalar(pool, normal, normal->shape.rank ? component : 0, problem->pde->dim) : NULL;
  return e ? facet_integral(problem, data, e, asked, out) : 1;
}

/* The condition that says what goes through an interface where the mesh is cut; *sign: -1 where it names the two regions the other way round. NULL: none. */
static const Condition *through_cut(const Pde *pde, int unknown, int component, const Where *where, double *sign) {
  for (int i = 0; where->interface[0] && i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    if (c->kind != CONDITION_NATURAL || !condition_cuts(c) || c->unknown != unknown || (c->component >= 0 && c->component != component)) continue;
    bool same = !strcmp(c->where.interface[0], where->interface[0]) && !strcmp(c->where.interface[1], where->interface[1]);
    bool turned = !strcmp(c->where.interface[0], where->interface[1]) && !strcmp(c->where.interface[1], where->interface[0]);
    *sign = same ? 1 : -1;
    if (same || turned) return c;
  }
  return NULL;
}

static Status by_jump(Problem *problem, const Data *data, const Condition *condition, int component, double sign, double *out) {
  const Pde *pde = problem->pde;
  int row = condition->component >= 0 || !condition->value->shape.rank ? 0 : component;
  Expr *g = expr_scalar(pde->pool, condition->value, row, pde->dim);
  double sum = 0;
  Part part;
  if (!g) return 1;
  TRY(functional_part(data, pde->unknowns, pde->nunknowns, &g, 1, 0, INTEGRAL_INTERIOR, &condition->where, problem->degree, true, &part));
  Status status = petsc_agree(assemble_numbers(data, &part, &sum));
  part_free(&part);
  *out += sign * sum;
  return status;
}

/* What the facets of a weak form let through is known by the reactions alone. */
static Status weak_prescribed(const Problem *problem, int unknown, const char *asked, const char *kind, Diags *diags, Span span) {
  const Mesh *mesh = problem->mesh;
  bool free = false;
  for (int f = 0; f < mesh->nfacets; f++) free |= asked[f] && kind[f] != PRESCRIBED;
  if (!petsc_agree(free)) return 0;
  Name name = problem->pde->unknowns[unknown].name;
  Diag *diag = diag_report(diags, E2531, span, "a weak form gives the flux of `%s` where it is prescribed; here it is not, or not everywhere", name);
  diag_suggest(diag, "integrate the flux that the form means: integral(dot(F, n), on: part)");
  return 1;
}

static Status flux_at(Solution *solution, int k, int unknown, const Where *where, Diags *diags, Span span, double *out, bool *conservative) {
  Problem *problem = solution->problem;
  const Mesh *mesh = problem->mesh;
  int components = problem->space->block[unknown].components;
  State state;
  TRY(state_open(solution, k, diags, span, &state));
  char *asked = calloc((size_t)mesh->nfacets + 1, 1), *kind = calloc((size_t)mesh->nfacets + 1, 1);
  char *in = where->interface[0] ? sides_cells(mesh, where->interface[0]) : NULL;
  double *r = calloc((size_t)problem->space->nlocal + 1, sizeof(double)), *mine = calloc((size_t)components + 1, sizeof(double));
  mark_where(mesh, where, asked, 1);
  Status status = residual_of(problem, &state.data, in, r);
  bool weak = problem->pde->nweak > 0, apart = problem->affine && !in && !weak;
  double held[9] = {0}, factor = 1;
  if (!status && apart) {
    affine_reactions(problem->affine, problem->bc, mesh, unknown, asked, r, held);
    space_ghosts(problem->space, r);
  }
  for (int c = 0; c < components && !status; c++) {
    if (!weak && !flux_of(problem->form, unknown, c)) continue;  /* nothing was integrated by parts: nothing flows */
    classify(problem, unknown, c, apart, kind);
    if (apart) status = factor_of(&state.data, flux_of(problem->form, unknown, c), &factor);
    mine[c] -= held[c] / factor;
    double sign;
    const Condition *through = through_cut(problem->pde, unknown, c, where, &sign);
    if (through) {
      status = by_jump(problem, &state.data, through, c, sign, &mine[c]);
      continue;
    }
    if (weak) status = weak_prescribed(problem, unknown, asked, kind, diags, span);
    if (status) break;
    status = by_reactions(problem, &state.data, unknown, c, kind, asked, in, r, &mine[c]);
    if (!status && !in && !weak) status = by_data(problem, &state.data, unknown, c, kind, asked, &mine[c]);
    if (in || weak) continue;
    char *inner = calloc((size_t)mesh->nfacets + 1, 1);
    int n = 0, all;
    for (int f = mesh->nboundary; f < mesh->nfacets; f++) n += inner[f] = asked[f];
    MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
    if (all && !status) {
      *conservative = false;
      status = petsc_agree(directly(problem, &state.data, unknown, c, inner, &mine[c]));
    }
    free(inner);
  }
  if (!status) MPI_Allreduce(mine, out, components, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  state_close(&state);
  free(asked), free(kind), free(in), free(r), free(mine);
  return status;
}

Status flux_integral(Solution *solution, int unknown, const Where *where, double time, Diags *diags, Span span, double *out, bool *conservative) {
  *conservative = true;
  if (solution->problem && begins(solution)) {
    for (int c = 0; c < solution->space->block[unknown].components; c++) out[c] = NAN;
    return 0;
  }
  TRY(check(solution, time, diags, span));
  int n;
  free(bc_facets(solution->space->mesh, where, &n));
  long mine = n, all = n;
  if (solution->space->ghost) MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  if (!all) {
    diag_report(diags, E2012, span, "`%s` has no facet on the mesh of this solution", where->n ? where->names[0] : "that boundary");
    return 1;
  }
  return flux_at(solution, step_at(solution, time), unknown, where, diags, span, out, conservative);
}

/* ---- for contracts -------------------------------------------------------------------------------------------------------------------------------- */

Status flux_residual(Solution *solution, double time, Diags *diags, Span span, double *relative) {
  TRY(check(solution, time, diags, span));
  Problem *problem = solution->problem;
  const Space *space = problem->space;
  State state;
  TRY(state_open(solution, step_at(solution, time), diags, span, &state));
  double *r = calloc((size_t)space->nlocal + 1, sizeof(double)), *size = calloc((size_t)space->nlocal + 1, sizeof(double));
  Status status = problem_residual(problem, &state.data, true, r);
  if (!status) status = petsc_agree(assemble_sizes(&state.data, problem->step.residual, problem->step.nresidual, size));
  double norm = 0, scale = 0;
  for (int i = 0; i < space->nowned; i++) {
    norm += r[i] * r[i];
    if (!problem->bc->prescribed[i]) scale += size[i] * size[i];
  }
  double mine[2] = {norm, scale}, all[2] = {norm, scale};
  if (space->ghost) MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  *relative = all[1] > 0 ? sqrt(all[0] / all[1]) : 0;
  state_close(&state);
  free(r), free(size);
  return status;
}

Status flux_dirichlet_error(Solution *solution, double time, Diags *diags, Span span, double *out) {
  if (!solution->problem) return gone(diags, span, "the conditions of this solution are not known: it was loaded from a file or projected");
  Problem *problem = solution->problem;
  const Space *space = problem->space;
  problem->diags = diags;
  problem->span = span;
  const double *values;
  TRY(solution_values(solution, time, diags, span, &values));
  double at = !solution->transient ? problem->world.time : isnan(time) ? solution->times[solution->nstates - 1] : time, most = 0;
  Data data = problem_data(problem, at);
  double *u = malloc(sizeof(double) * ((size_t)space->nlocal + 1));
  memcpy(u, values, sizeof(double) * (size_t)space->nlocal);
  Status status = problem_prescribe(problem, &data, u);
  for (int i = 0; i < space->nowned && !status; i++)
    if (problem->bc->prescribed[i]) most = fmax(most, fabs(u[i] - values[i]));
  *out = most;
  if (!status && space->ghost) MPI_Allreduce(&most, out, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  free(u);
  return status;
}
