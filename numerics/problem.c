#include "mesh_cut.h"
#include "problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"

/* ---- the pde with its fields put in ---------------------------------------------------------------------------------------------------- */

/* A parameter that is a field becomes its expression, so that derivatives see it; one that is a number stays a parameter, so that a kernel serves
 * all its values. */
static Expr *field_of_param(ExprPool *pool, Expr *leaf, void *user) {
  (void)pool;
  const World *world = user;
  if (leaf->op != EXPR_PARAM) return leaf;
  for (int i = 0; i < world->nparams; i++)
    if (world->params[i].name == leaf->name) {
      Expr *value = world->params[i].value;
      unsigned varies = HAS_UNKNOWN | HAS_TIME | HAS_COORD | HAS_NORMAL | HAS_FIELD | HAS_SIZE | HAS_REGIONS | HAS_HOST | HAS_INTEGRAL;
      return value && (value->flags & varies || value->shape.rank) ? value : leaf;
    }
  return leaf;
}

static Expr *put_in(const Problem *problem, Expr *e) {
  if (!e) return NULL;
  for (int depth = 0; depth < 8 && e->flags & HAS_PARAM; depth++) {
    Expr *next = expr_substitute(problem->pde->pool, e, field_of_param, (void *)&problem->world);
    if (!next || next == e) break;
    e = next;
  }
  return e->flags & HAS_DIM ? expr_specialise(problem->pde->pool, e, problem->pde->dim) : e;
}

#define COPY(field, count, type)                                                                        \
  do {                                                                                                  \
    type *fresh_ = ARENA_ARRAY(copy->arena, type, (count) + 1);                                         \
    if (count) memcpy(fresh_, copy->field, sizeof(type) * (size_t)(count));                             \
    copy->field = fresh_;                                                                               \
  } while (0)

static Pde *pde_copy(Problem *problem, const Pde *pde) {
  Arena *arena = arena_new();
  Pde *copy = ARENA_NEW(arena, Pde);
  *copy = *pde;
  copy->arena = arena;
  problem->pde = copy;
  COPY(unknowns, pde->nunknowns, Unknown);
  problem_elements(copy->unknowns, copy->nunknowns, problem->mesh, problem->engine->options.names);
  COPY(equations, pde->nequations, Equation);
  COPY(weak, pde->nweak, WeakTerm);
  COPY(conditions, pde->nconditions, Condition);
  COPY(initials, pde->ninitials, Initial);
  COPY(constraints, pde->nconstraints, Constraint);
  COPY(globals, pde->nglobals, Global);
  for (int i = 0; i < copy->nequations; i++) {
    copy->equations[i].left = put_in(problem, copy->equations[i].left);
    copy->equations[i].right = put_in(problem, copy->equations[i].right);
  }
  for (int i = 0; i < copy->nweak; i++) copy->weak[i].integrand = put_in(problem, copy->weak[i].integrand);
  for (int i = 0; i < copy->nconditions; i++) {
    copy->conditions[i].left = put_in(problem, copy->conditions[i].left);
    copy->conditions[i].right = put_in(problem, copy->conditions[i].right);
    copy->conditions[i].value = put_in(problem, copy->conditions[i].value);
  }
  for (int i = 0; i < copy->ninitials; i++) copy->initials[i].value = put_in(problem, copy->initials[i].value);
  for (int i = 0; i < copy->nconstraints; i++) {
    copy->constraints[i].left = put_in(problem, copy->constraints[i].left);
    copy->constraints[i].right = put_in(problem, copy->constraints[i].right);
  }
  for (int i = 0; i < copy->nglobals; i++) {
    copy->globals[i].left = put_in(problem, copy->globals[i].left);
    copy->globals[i].right = put_in(problem, copy->globals[i].right);
    copy->globals[i].held = NULL;
  }
  return copy;
}

/* The world's bindings, then the defaults of parameters that it does not name. */
static void world_copy(Problem *problem, const Pde *pde, const World *world) {
  static const World none = {.time = NAN};
  if (!world) world = &none;
  problem->world = *world;
  int n = world->nparams + pde->nparams, k = 0;
  Binding *params = calloc((size_t)n + 1, sizeof *params);
  for (int i = 0; i < world->nparams; i++) params[k++] = world->params[i];
  for (int i = 0; i < pde->nparams; i++) {
    bool known = false;
    for (int j = 0; j < world->nparams; j++) known |= world->params[j].name == pde->params[i].name;
    if (!known && pde->params[i].value) params[k++] = (Binding){pde->params[i].name, pde->params[i].value};
  }
  problem->world.params = params;
  problem->world.nparams = k;
  Solution **solutions = calloc((size_t)world->nsolutions + 1, sizeof *solutions);
  for (int i = 0; i < world->nsolutions; i++) solutions[i] = solution_retain(world->solutions[i]);
  problem->world.solutions = solutions;
  HostFunction *functions = calloc((size_t)world->nfunctions + 1, sizeof *functions);
  if (world->nfunctions) memcpy(functions, world->functions, sizeof *functions * (size_t)world->nfunctions);
  problem->world.functions = functions;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------------------------ */

/* Fields of this very mesh are gathered, others are evaluated at the quadrature points. */
static bool field_on_mesh(const Symbol *symbol, const Element **element, int *components, void *user) {
  const Data *data = user;
  for (int i = 0; i < data->world->nsolutions; i++) {
    const Solution *solution = data->world->solutions[i];
    if (solution->serial != symbol->serial || !mesh_same_cells(solution->space->mesh, data->mesh)) continue;
    *element = solution->space->block[symbol->which].nodes->element;
    *components = solution->space->block[symbol->which].components;
    return true;
  }
  return false;
}

static int region_classes(Name canonical, int *classes, int max, void *user) { return mesh_region_classes(((const Data *)user)->mesh, canonical, classes, max); }

Status functional_part(const Data *data, const Unknown *unknowns, int nunknowns, Expr **integrand, int n, int rank, IntegralKind kind, const Where *where, int degree,
                       bool owned, Part *out) {
  *out = (Part){.span = data->span};
  TRY(part_place(out, data, where, kind, owned, true));
  LowerRequest request = {.dim = data->mesh->dim, .kind = kind, .rank = rank, .integrand = integrand, .n = n, .unknowns = unknowns, .nunknowns = nunknowns,
                          .field = field_on_mesh, .region = region_classes, .user = (void *)data, .degree = degree > 0 ? degree : -1, .span = data->span};
  Status status = petsc_agree(part_kernels(out, data, &request));
  if (status) part_free(out);
  return status;
}

static Status make_part(Problem *problem, const Integral *integral, int rank, bool symmetric, bool owned, Part *out) {
  Data data = problem_data(problem, NAN);
  const Pde *pde = problem->pde;
  *out = (Part){.integral = integral, .span = integral->span};
  bool rest = integral->where.others || (integral->source >= 0 && pde->conditions[integral->source].by_rest);
  TRY(part_place(out, &data, &integral->where, integral->kind, owned, rest));
  Expr *integrand = integral->integrand;
  LowerRequest request = {.dim = problem->mesh->dim, .kind = integral->kind, .rank = rank, .integrand = &integrand, .n = 1, .unknowns = pde->unknowns,
                          .nunknowns = pde->nunknowns, .field = field_on_mesh, .region = region_classes, .user = &data,
                          .degree = integral->degree > 0 ? integral->degree : problem->degree > 0 ? problem->degree : -1, .symmetric = symmetric,
                          .span = integral->span};
  return part_kernels(out, &data, &request);
}

void problem_parts_free(Part *parts, int n) {
  for (int i = 0; i < n; i++) part_free(&parts[i]);
  free(parts);
}

Status problem_parts(Problem *problem, const Integral *integrals, int n, int rank, bool symmetric, bool owned, Part **out) {
  Part *parts = calloc((size_t)n + 1, sizeof *parts);
  for (int i = 0; i < n; i++)
    if (petsc_agree(make_part(problem, &integrals[i], rank, symmetric, owned, &parts[i]))) {
      problem_parts_free(parts, n);
      return 1;
    }
  *out = parts;
  return 0;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------------------- */

Data problem_data(const Problem *problem, double time) {
  return (Data){.engine = problem->engine, .mesh = problem->mesh, .space = problem->space, .pde = problem->pde, .world = &problem->world, .time = time,
                .diags = problem->diags, .span = problem->span};
}

static bool changes(const Integral *jacobian, int n, unsigned flags) {
  for (int i = 0; i < n; i++)
    if (jacobian[i].integrand->flags & flags) return true;
  return false;
}

/* HAS_UNKNOWN is not asked for: a linear form says so in its findings, and trial terms are no unknowns. */
static bool constant_jacobian(const Integral *jacobian, int n, unsigned findings) {
  return findings & FORM_LINEAR && !changes(jacobian, n, HAS_TIME | HAS_PREVIOUS | HAS_HOST);
}

/* The form was classified with the defaults of the parameters; whether its matrix is definite depends on the values they have here. */
static unsigned findings_here(const Problem *problem, unsigned findings, const Integral *jacobian, int n) {
  Pde here = *problem->form->pde;
  if (!(findings & FORM_SYMMETRIC) || !here.nparams) return findings;
  bool other = false;
  here.params = calloc((size_t)here.nparams, sizeof *here.params);
  if (!here.params) return findings & ~(unsigned)FORM_DEFINITE_LIKELY;
  memcpy(here.params, problem->form->pde->params, sizeof *here.params * (size_t)here.nparams);
  for (int i = 0; i < here.nparams; i++)
    for (int j = 0; j < problem->world.nparams; j++)
      if (problem->world.params[j].name == here.params[i].name && problem->world.params[j].value != here.params[i].value) {
        here.params[i].value = problem->world.params[j].value;
        other = true;
      }
  if (other) findings = (findings & ~(unsigned)FORM_DEFINITE_LIKELY) | (form_classify(&here, jacobian, n) & FORM_DEFINITE_LIKELY);
  free(here.params);
  return findings;
}

static Status make_steps(Problem *problem, const SchemeRow *scheme) {
  const Form *form = problem->form;
  const Integral *residual = form->residual, *jacobian = form->jacobian;
  int nresidual = form->nresidual, njacobian = form->njacobian;
  Stepping *step = &problem->step;
  step->findings = form->findings;
  if (scheme) {
    TRY(scheme_step(form, scheme, problem->diags, &problem->step_form));
    problem->transient = true;
    const StepForm *made = &problem->step_form;
    residual = made->residual, nresidual = made->nresidual, jacobian = made->jacobian, njacobian = made->njacobian;
    step->findings = made->findings;
  }
  step->findings = findings_here(problem, step->findings, jacobian, njacobian);
  step->constant = constant_jacobian(jacobian, njacobian, step->findings);
  TRY(problem_parts(problem, residual, nresidual, 1, false, false, &step->residual));
  step->nresidual = nresidual;
  TRY(problem_parts(problem, jacobian, njacobian, 2, (step->findings & FORM_SYMMETRIC) != 0, false, &step->jacobian));
  step->njacobian = njacobian;
  return 0;
}

/* All but kernels and constraints. */
static Status begin(Problem *problem, const World *world, Pde *pde) {
  Engine *engine = problem->engine;
  world_copy(problem, pde, world);
  pde_copy(problem, pde);
  Data fields = problem_data(problem, NAN);
  TRY(data_prepare(&fields));
  TRY(form_weak(problem->pde, problem->diags, &problem->form));
  int numbers = problem->pde->nconstraints + problem->pde->nglobals;
  problem->border = calloc((size_t)numbers + 1, sizeof(Border));
  problem->space = space_new(problem->mesh, problem->pde->unknowns, pde->nunknowns, numbers, NULL);
  engine_stage(engine, "dofs");
  Data data = problem_data(problem, NAN);
  TRY(bc_fluxes_apart(problem->form, &data));
  bc_fluxes_beaten(problem->form, &data);
  TRY(bc_new(problem->pde, problem->form->findings_of, &data, &problem->bc));
  return affine_new(problem->pde, &data, problem->bc, &problem->affine);
}

static Status supported(const Pde *pde, const Mesh *mesh, Diags *diags, Span span) {
  if (pde->dim != mesh->dim) {
    diag_report(diags, E2005, span, "the pde lives in %d dimensions, the mesh in %d", pde->dim, mesh->dim);
    return 1;
  }
  return form_cells(pde, mesh->ref, diags, span);
}

void problem_elements(Unknown *unknowns, int n, const Mesh *mesh, Interner *names) {
  for (int i = 0; i < n; i++)
    if (unknowns[i].by_default) unknowns[i].element = intern_text(names, element_of(mesh->ref->shape, 1)->name);
}

Mesh *world_mesh(const World *world, Mesh *mesh) {
  Mesh *found = NULL;
  for (int i = 0; world && mesh && i < world->nsolutions; i++) {
    Mesh *own = world->solutions[i]->space->mesh;
    if (own == mesh) return mesh;
    if (mesh_same_cells(own, mesh)) found = own;
  }
  return found ? found : mesh;
}

Mesh *problem_mesh(const Unknown *unknowns, int n, Mesh *mesh) {
  int degree = 0;
  for (int i = 0; i < n; i++) {
    const Element *element = element_find(unknowns[i].element);
    if (element && element->degree > degree) degree = element->degree;
  }
  return degree < 2 ? mesh_straight(mesh) : mesh_retain(mesh);
}

/* Integrals over the facets between cells know affine cells only. */
static bool joins_cells(const Pde *pde) {
  for (int i = 0; i < pde->nweak; i++)
    if (pde->weak[i].where.interior) return true;
  for (int i = 0; i < pde->nconditions; i++)
    if (condition_cuts(&pde->conditions[i])) return true;
  return false;
}

/* Where a flux through an interface depends on a jump there, the mesh is cut. */
static Mesh *cut_at_interfaces(const Pde *pde, Mesh *mesh) {
  const Where **at = calloc((size_t)pde->nconditions + 1, sizeof *at);
  int n = 0;
  for (int i = 0; i < pde->nconditions; i++)
    if (condition_cuts(&pde->conditions[i])) at[n++] = &pde->conditions[i].where;
  Mesh *out = n ? mesh_cut(mesh, at, n) : mesh;
  free(at);
  return out;
}

Status problem_begin(Engine *engine, Pde *pde, Mesh *mesh, const World *world, int degree, Diags *diags, Span span, Problem **out) {
  *out = NULL;
  TRY(supported(pde, mesh, diags, span));
  Problem *problem = calloc(1, sizeof *problem);
  *problem = (Problem){.engine = engine, .mesh = joins_cells(pde) ? mesh_straight(mesh) : problem_mesh(pde->unknowns, pde->nunknowns, mesh), .degree = degree, .diags = diags, .span = span};
  problem->mesh = cut_at_interfaces(pde, problem->mesh);
  Status status = begin(problem, world, pde);
  if (status) problem_free(problem);
  else *out = problem;
  return status;
}

Status problem_borders(Problem *problem) {
  const Pde *pde = problem->pde;
  Status status = 0;
  for (int i = 0; i < pde->nconstraints && !status; i++, problem->nborders++) status = border_constraint(problem, &pde->constraints[i], &problem->border[i]);
  for (int i = 0; i < pde->nglobals && !status; i++, problem->nborders++) status = border_global(problem, &pde->globals[i], &problem->border[problem->nborders]);
  for (int i = 0; i < problem->nborders; i++) problem->step.constant &= problem->border[i].constant;
  return status;
}

Status problem_new(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const SchemeRow *scheme, int degree, Diags *diags, Span span, Problem **out) {
  Problem *problem;
  *out = NULL;
  TRY(problem_begin(engine, pde, mesh, world, degree, diags, span, &problem));
  Status status = make_steps(problem, scheme);
  engine_stage(engine, "kernels");
  if (!status) status = problem_borders(problem);
  if (status) problem_free(problem);
  else *out = problem;
  return status;
}

JoinedCells problem_joins_cells(const Problem *problem) {
  const Form *form = problem->form;
  if (!form_joins_cells(form->jacobian, form->njacobian)) return JOINED_NONE;
  for (int i = 0; i < form->njacobian; i++)
    if (form->jacobian[i].kind == INTEGRAL_INTERIOR && !form->jacobian[i].where.interface[0]) return JOINED_ALL;
  return JOINED_CUT;
}

static bool components_meet(const Kernel *kernel, int first, int n) {
  bool meet = kernel && !kernel->couples;
  for (int i = first; kernel && kernel->couples && i < first + n; i++)
    for (int j = first; j < first + n; j++) meet |= i != j && kernel->couples[i * kernel->ncomponents + j];
  return meet;
}

unsigned char *problem_apart(const Problem *problem) {
  const Space *space = problem->space;
  unsigned char *apart = calloc((size_t)space->nblocks + 1, 1);
  for (int b = 0, first = 0; b < space->nblocks; first += space->block[b++].components) {
    apart[b] = space->block[b].components > 1;
    for (int k = 0; k < problem->step.njacobian; k++)
      if (components_meet(problem->step.jacobian[k].kernel, first, space->block[b].components) || components_meet(problem->step.jacobian[k].curved, first, space->block[b].components))
        apart[b] = 0;
  }
  if (space->ghost) MPI_Allreduce(MPI_IN_PLACE, apart, space->nblocks, MPI_UNSIGNED_CHAR, MPI_MIN, PETSC_COMM_WORLD);
  return apart;
}

void problem_free(Problem *problem) {
  if (!problem) return;
  problem_parts_free(problem->step.residual, problem->step.nresidual);
  problem_parts_free(problem->step.jacobian, problem->step.njacobian);
  for (int i = 0; problem->border && i < problem->pde->nconstraints + problem->pde->nglobals; i++) border_free(&problem->border[i], problem->pde->nglobals);
  free(problem->border);
  if (problem->transient) scheme_step_free(&problem->step_form);
  affine_free(problem->affine);
  bc_free(problem->bc);
  space_release(problem->space);
  if (problem->form) form_free(problem->form);
  for (int i = 0; i < problem->world.nsolutions; i++) solution_release(problem->world.solutions[i]);
  free((void *)problem->world.params), free((void *)problem->world.solutions), free((void *)problem->world.functions);
  if (problem->pde) arena_free(problem->pde->arena);
  mesh_release(problem->mesh);
  free(problem);
}

Status problem_residual(Problem *problem, const Data *data, bool zero_prescribed, double *r) {
  memset(r, 0, sizeof(double) * (size_t)problem->space->nlocal);
  TRY(petsc_agree(assemble_vector(data, problem->step.residual, problem->step.nresidual, r)));
  if (problem->nborders) TRY(border_residual(problem, data, r));
  if (zero_prescribed) TRY(affine_condense(problem->affine, r));
  if (zero_prescribed) bc_zero(problem->bc, r);
  return 0;
}

Status problem_prescribe(Problem *problem, const Data *data, double *u) {
  TRY(bc_apply(problem->bc, data, u));
  return affine_apply(problem->affine, data, u);
}

Status problem_jacobian(Problem *problem, const Data *data, Pattern *pattern) {
  TRY(petsc_agree(assemble_matrix(data, problem->step.jacobian, problem->step.njacobian, pattern)));
  if (problem->nborders) TRY(border_jacobian(problem, data, pattern->matrix));
  return affine_system(problem->affine, pattern);
}
