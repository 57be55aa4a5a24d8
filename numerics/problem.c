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

static int region_classes(Name canonical, int *classes, int max, void *user) {
  const Mesh *mesh = ((const Data *)user)->mesh;
  const MeshGroup *group = mesh_group_of(mesh, canonical, mesh->dim);
  int n = 0;
  for (int i = 0; group && i < group->n; i++) {
    int klass = mesh->region ? mesh->region[group->entity[i]] : 0, k = 0;
    while (k < n && classes[k] != klass) k++;
    if (k == n && n < max) classes[n++] = klass;
  }
  return n;
}

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

/* ---- constraints --------------------------------------------------------------------------------------------------------------------------- */

typedef struct Collect { Problem *problem; Border *border; bool failed; } Collect;

/* d a in direction of the test functions, at scalar level. */
static Expr *slope_of(const Pde *pde, Expr *a) {
  ExprPool *pool = pde->pool;
  Expr *terms[512], *sum = expr_zero(pool, SHAPE_SCALAR);
  int n = expr_terms(pool, a, 1u << SYMBOL_UNKNOWN, terms, 512);
  for (int i = 0; i < n; i++) {
    Symbol test = terms[i]->symbol;
    test.kind = SYMBOL_TEST;
    Expr *part = expr_binary(pool, EXPR_MUL, expr_diff(pool, a, terms[i]), expr_term(pool, test, pde->unknowns[test.which].name, UNIT_ANY));
    sum = part ? expr_binary(pool, EXPR_ADD, sum, part) : NULL;
    if (!sum) return NULL;
  }
  return sum;
}

/* Where an integral runs: its names, which may begin with the kind of place ("@facets"). */
static IntegralKind place_of(const Mesh *mesh, const Expr *integral, Where *where) {
  Name *names = (Name *)integral->names;
  int n = integral->index[1];
  const char *kind = n && names[0][0] == '@' ? names[0] : NULL;
  if (kind) names++, n--;
  if (n && !strncmp(names[n - 1], "@degree", 7)) n--;      /* a quadrature degree asked for: constraints are of low degree anyway */
  *where = (Where){.names = names, .n = n, .all = n == 0};
  if (!kind) {
    const MeshGroup *group = n ? mesh_group(mesh, names[0]) : NULL;
    return group && group->dim < mesh->dim ? INTEGRAL_FACET : INTEGRAL_CELL;
  }
  if (!strcmp(kind, "@interface")) *where = (Where){.interface = {names[0], names[1]}};
  return !strcmp(kind, "@cells") ? INTEGRAL_CELL : !strcmp(kind, "@interior") ? INTEGRAL_INTERIOR : INTEGRAL_FACET;
}

static Status add_functional(Collect *collect, Expr *integral) {
  Problem *problem = collect->problem;
  const Pde *pde = problem->pde;
  Border *border = collect->border;
  Data data = problem_data(problem, NAN);
  Where where;
  IntegralKind kind = place_of(problem->mesh, integral, &where);
  where.span = border->constraint->span;
  border->functional = realloc(border->functional, sizeof(Functional) * (size_t)(border->nfunctionals + 1));
  Functional *functional = &border->functional[border->nfunctionals++];
  *functional = (Functional){.measure = 1};
  Expr *a = expr_scalar(pde->pool, integral->arg[0], 0, pde->dim), *slope = a ? slope_of(pde, a) : NULL, *one = expr_const(pde->pool, 1, UNIT_NONE);
  if (!slope) return 1;
  TRY(functional_part(&data, pde->unknowns, pde->nunknowns, &a, 1, 0, kind, &where, problem->degree, true, &functional->value));
  TRY(functional_part(&data, pde->unknowns, pde->nunknowns, &slope, 1, 1, kind, &where, problem->degree, false, &functional->slope));
  if (integral->index[0] != 1) return 0;
  Part measure;
  TRY(functional_part(&data, NULL, 0, &one, 1, 0, kind, &where, 1, true, &measure));
  double mine = 0;
  Status status = petsc_agree(assemble_numbers(&data, &measure, &mine));
  part_free(&measure);
  MPI_Allreduce(&mine, &functional->measure, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return status;
}

static Expr *integral_to_param(ExprPool *pool, Expr *leaf, void *user) {
  Collect *collect = user;
  if (leaf->op != EXPR_INTEGRAL) return leaf;
  char name[32];
  snprintf(name, sizeof name, "integral#%d", collect->border->nfunctionals);
  if (add_functional(collect, leaf)) collect->failed = true;
  Border *border = collect->border;
  border->names = realloc(border->names, sizeof(Name) * (size_t)border->nfunctionals);
  border->names[border->nfunctionals - 1] = intern_text(collect->problem->engine->options.names, name);
  return expr_param(pool, border->names[border->nfunctionals - 1], SHAPE_SCALAR, leaf->unit, false);
}

static Expr *replace_integrals(Collect *collect, Expr *e) {
  ExprPool *pool = collect->problem->pde->pool;
  if (e->op == EXPR_INTEGRAL) return integral_to_param(pool, e, collect);
  if (!(e->flags & HAS_INTEGRAL) || !e->n) return e;
  Expr *args[8];
  for (int i = 0; i < e->n && i < 8; i++) {
    args[i] = replace_integrals(collect, e->arg[i]);
    if (!args[i]) return NULL;
  }
  return expr_make(pool, e->op, args, e->n);
}

static Status make_border(Problem *problem, const Constraint *constraint, Border *border) {
  ExprPool *pool = problem->pde->pool;
  *border = (Border){.constraint = constraint};
  Expr *difference = expr_binary(pool, EXPR_SUB, constraint->left, constraint->right);
  Collect collect = {.problem = problem, .border = border};
  Expr *g = difference ? replace_integrals(&collect, difference) : NULL;
  border->g = g ? expr_scalar(pool, g, 0, problem->pde->dim) : NULL;
  if (collect.failed || !border->g || !border->nfunctionals || border->g->flags & (HAS_UNKNOWN | HAS_COORD)) {
    if (!collect.failed) diag_report(problem->diags, E2013, constraint->span, "a constraint is an equation between integrals of unknowns and numbers");
    return 1;
  }
  border->by = calloc((size_t)border->nfunctionals, sizeof(Expr *));
  for (int k = 0; k < border->nfunctionals; k++)
    border->by[k] = expr_diff(pool, border->g, expr_param(pool, border->names[k], SHAPE_SCALAR, UNIT_NONE, false));
  const Unknown *unknown = &problem->pde->unknowns[constraint->unknown];
  Symbol test = {.kind = SYMBOL_TEST, .which = (uint16_t)constraint->unknown};
  Expr *source = expr_term(pool, test, unknown->name, UNIT_ANY);
  Data data = problem_data(problem, NAN);
  return functional_part(&data, problem->pde->unknowns, problem->pde->nunknowns, &source, 1, 1, INTEGRAL_CELL, NULL, 1 + element_find(unknown->element)->degree, false,
                         &border->source);
}

static void border_free(Border *border) {
  for (int k = 0; k < border->nfunctionals; k++) part_free(&border->functional[k].value), part_free(&border->functional[k].slope);
  free(border->functional), free(border->by), free(border->names);
  part_free(&border->source);
}

/* Values of the integrals, then g or dg by one of them. */
static double border_leaf(Expr *leaf, void *user) {
  struct { const Data *data; const Border *border; const double *value; Status status; } *look = user;
  for (int k = 0; k < look->border->nfunctionals; k++)
    if (leaf->op == EXPR_PARAM && leaf->name == look->border->names[k]) return look->value[k];
  double number = NAN;
  if (data_number(look->data, leaf, &number)) look->status = 1;
  return number;
}

static Status border_number(const Data *data, const Border *border, const double *value, Expr *e, double *out) {
  struct { const Data *data; const Border *border; const double *value; Status status; } look = {data, border, value, 0};
  *out = expr_value(e, border_leaf, &look);
  return look.status;
}

static Status border_values(const Data *data, const Border *border, double *value) {
  double mine[16] = {0};
  for (int k = 0; k < border->nfunctionals && k < 16; k++) TRY(petsc_agree(assemble_numbers(data, &border->functional[k].value, &mine[k])));
  MPI_Allreduce(mine, value, border->nfunctionals < 16 ? border->nfunctionals : 16, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  for (int k = 0; k < border->nfunctionals && k < 16; k++) value[k] /= border->functional[k].measure;
  return 0;
}

/* The row of a constraint as a vector over local dofs (owned rows complete). */
static Status border_row(const Data *data, const Border *border, double *row) {
  double value[16], slope;
  size_t n = (size_t)data->space->nlocal;
  TRY(border_values(data, border, value));
  double *one = malloc(sizeof(double) * (n + 1));
  memset(row, 0, sizeof(double) * n);
  Status status = 0;
  for (int k = 0; k < border->nfunctionals && !status; k++) {
    memset(one, 0, sizeof(double) * n);
    status = border_number(data, border, value, border->by[k], &slope);
    if (!status) status = assemble_vector(data, &border->functional[k].slope, 1, one);
    for (size_t i = 0; i < n; i++) row[i] += slope / border->functional[k].measure * one[i];
  }
  free(one);
  return petsc_agree(status);
}

static Status border_residual(Problem *problem, const Data *data, double *r) {
  const Space *space = problem->space;
  double *source = malloc(sizeof(double) * ((size_t)space->nlocal + 1));
  Status status = 0;
  for (int m = 0; m < problem->nborders && !status; m++) {
    double value[16], g = 0, lambda = data->unknown[space->multiplier + m];
    memset(source, 0, sizeof(double) * (size_t)space->nlocal);
    status = border_values(data, &problem->border[m], value);
    if (!status) status = border_number(data, &problem->border[m], value, problem->border[m].g, &g);
    if (!status) status = assemble_vector(data, &problem->border[m].source, 1, source);
    for (int i = 0; i < space->nowned; i++) r[i] += lambda * source[i];
    if (space->multiplier < space->nowned) r[space->multiplier + m] = g;
  }
  free(source);
  return petsc_agree(status);
}

Status problem_border_jacobian(Problem *problem, const Data *data, Mat matrix) {
  const Space *space = problem->space;
  const char *prescribed = problem->bc->prescribed;
  size_t n = (size_t)space->nlocal;
  double *row = malloc(sizeof(double) * (n + 1)), *source = malloc(sizeof(double) * (n + 1));
  Status status = 0;
  for (int m = 0; m < problem->nborders && !status; m++) {
    PetscInt at = (PetscInt)space_global(space, space->multiplier + m);
    status = border_row(data, &problem->border[m], row);
    memset(source, 0, sizeof(double) * n);
    if (!status) status = assemble_vector(data, &problem->border[m].source, 1, source);
    for (int i = 0; i < space->nowned && !status; i++) {
      PetscInt g = (PetscInt)space_global(space, i);
      if (g == at || prescribed[i]) continue;
      if (row[i] != 0) status = MatSetValues(matrix, 1, &at, 1, &g, &row[i], ADD_VALUES);
      if (!status && source[i] != 0) status = MatSetValues(matrix, 1, &g, 1, &at, &source[i], ADD_VALUES);
    }
  }
  free(row), free(source);
  TRY(petsc_agree(status));
  TRY(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------------------- */

Data problem_data(const Problem *problem, double time) {
  return (Data){.engine = problem->engine, .mesh = problem->mesh, .space = problem->space, .world = &problem->world, .time = time, .diags = problem->diags,
                .span = problem->span};
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
  problem->space = space_new(problem->mesh, problem->pde->unknowns, pde->nunknowns, pde->nconstraints, NULL);
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
  return false;
}

Status problem_begin(Engine *engine, Pde *pde, Mesh *mesh, const World *world, int degree, Diags *diags, Span span, Problem **out) {
  *out = NULL;
  TRY(supported(pde, mesh, diags, span));
  Problem *problem = calloc(1, sizeof *problem);
  *problem = (Problem){.engine = engine, .mesh = joins_cells(pde) ? mesh_straight(mesh) : problem_mesh(pde->unknowns, pde->nunknowns, mesh), .degree = degree, .diags = diags, .span = span};
  problem->border = calloc((size_t)pde->nconstraints + 1, sizeof(Border));
  Status status = begin(problem, world, pde);
  if (status) problem_free(problem);
  else *out = problem;
  return status;
}

Status problem_borders(Problem *problem) {
  Status status = 0;
  for (int i = 0; i < problem->pde->nconstraints && !status; i++, problem->nborders++)
    status = make_border(problem, &problem->pde->constraints[i], &problem->border[i]);
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

bool problem_joins_cells(const Problem *problem) {
  return form_joins_cells(problem->form->jacobian, problem->form->njacobian);
}

void problem_free(Problem *problem) {
  if (!problem) return;
  problem_parts_free(problem->step.residual, problem->step.nresidual);
  problem_parts_free(problem->step.jacobian, problem->step.njacobian);
  for (int i = 0; i < problem->nborders; i++) border_free(&problem->border[i]);
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
  if (problem->nborders) TRY(problem_border_jacobian(problem, data, pattern->matrix));
  return affine_system(problem->affine, pattern);
}
