#include "border.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "problem.h"

/* ---- set-up ------------------------------------------------------------------------------------------------------------------------------ */

/* d a in direction of the test functions, at scalar level. */
static Expr *slope_of(const Pde *pde, Expr *a) {
  ExprPool *pool = pde->pool;
  Expr *terms[512], *sum = expr_zero(pool, SHAPE_SCALAR);
  int n = expr_terms(pool, a, 1u << SYMBOL_UNKNOWN, terms, 512);
  for (int i = 0; i < n && i < 512; i++) {
    Symbol test = terms[i]->symbol;
    test.kind = SYMBOL_TEST;
    Expr *part = expr_binary(pool, EXPR_MUL, expr_diff(pool, a, terms[i]), expr_term(pool, test, pde->unknowns[test.which].name, UNIT_ANY));
    sum = part ? expr_binary(pool, EXPR_ADD, sum, part) : NULL;
    if (!sum) return NULL;
  }
  return sum;
}

/* Where an integral runs: its names, which may begin with the kind of place ("@facets"). *degree: asked for, or as it was. */
static IntegralKind place_of(const Mesh *mesh, const Expr *integral, Where *where, int *degree) {
  Name *names = (Name *)integral->names;
  int n = integral->index[1];
  const char *kind = n && names[0][0] == '@' ? names[0] : NULL;
  if (kind) names++, n--;
  if (n && !strncmp(names[n - 1], "@degree ", 8)) *degree = atoi(names[--n] + 8);
  *where = (Where){.names = names, .n = n, .all = n == 0};
  if (!kind) {
    const MeshGroup *group = n ? mesh_group(mesh, names[0]) : NULL;
    return group && group->dim < mesh->dim ? INTEGRAL_FACET : INTEGRAL_CELL;
  }
  if (!strcmp(kind, "@interface")) *where = (Where){.interface = {names[0], names[1]}};
  return !strcmp(kind, "@cells") ? INTEGRAL_CELL : !strcmp(kind, "@interior") ? INTEGRAL_INTERIOR : INTEGRAL_FACET;
}

static Status add_functional(Problem *problem, Border *border, Expr *integral, Span span) {
  const Pde *pde = problem->pde;
  Data data = problem_data(problem, NAN);
  data.span = span;
  Where where;
  int degree = problem->degree;
  IntegralKind kind = place_of(problem->mesh, integral, &where, &degree);
  where.span = span;
  Functional *functional = &border->functional[border->nfunctionals++];
  *functional = (Functional){.measure = 1};
  Expr *a = expr_scalar(pde->pool, integral->arg[0], 0, pde->dim), *slope = a ? slope_of(pde, a) : NULL, *one = expr_const(pde->pool, 1, UNIT_NONE);
  if (!slope) {
    diag_report(problem->diags, E2013, span, "this integral has no derivative: %s", expr_error(pde->pool).text);
    return 1;
  }
  TRY(functional_part(&data, pde->unknowns, pde->nunknowns, &a, 1, 0, kind, &where, degree, true, &functional->value));
  if (!expr_is_zero(slope)) TRY(functional_part(&data, pde->unknowns, pde->nunknowns, &slope, 1, 1, kind, &where, degree, false, &functional->slope));
  functional->by = calloc((size_t)pde->nglobals + 1, sizeof(Part));
  for (int k = 0; k < pde->nglobals; k++) {
    Expr *by = expr_diff(pde->pool, a, pde->globals[k].symbol);
    if (by && !expr_is_zero(by)) TRY(functional_part(&data, pde->unknowns, pde->nunknowns, &by, 1, 0, kind, &where, degree, true, &functional->by[k]));
  }
  if (integral->index[0] != 1) return 0;
  Part measure;
  TRY(functional_part(&data, NULL, 0, &one, 1, 0, kind, &where, 1, true, &measure));
  double mine = 0;
  Status status = petsc_agree(assemble_numbers(&data, &measure, &mine));
  part_free(&measure);
  MPI_Allreduce(&mine, &functional->measure, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return status;
}

/* g = left - right in parameters that stand for the integrals, its derivatives, and the kernels of the integrals. */
static Status make_equation(Problem *problem, Expr *left, Expr *right, Span span, Border *border) {
  const Pde *pde = problem->pde;
  ExprPool *pool = pde->pool;
  ExprNamed named[2 * BORDERS_MAX], *list = named + pde->nglobals;
  int n = pde_name_globals(pde, named, BORDERS_MAX);
  Expr *difference = expr_binary(pool, EXPR_SUB, left, right), *g = difference ? expr_name_integrals(pool, difference, named, &n, pde->nglobals + BORDERS_MAX) : NULL;
  n -= pde->nglobals;
  border->g = g ? expr_scalar(pool, g, 0, pde->dim) : NULL;
  if (!border->g || (!n && border->constraint) || border->g->flags & (HAS_UNKNOWN | HAS_COORD | HAS_INTEGRAL)) {
    diag_report(problem->diags, E2013, span, "an equation of a number, or a constraint, is one between integrals of unknowns and numbers, of %d integrals at most", BORDERS_MAX);
    return 1;
  }
  border->functional = calloc((size_t)n + 1, sizeof(Functional));
  border->by = calloc((size_t)n + 1, sizeof(Expr *));
  border->names = calloc((size_t)n + 1, sizeof(Name));
  for (int k = 0; k < n; k++) {
    border->names[k] = list[k].name;
    border->by[k] = expr_diff(pool, border->g, list[k].symbol);
    TRY(add_functional(problem, border, list[k].value, span));
  }
  for (int k = 0; k < pde->nglobals; k++) border->by_global[k] = expr_diff(pool, border->g, pde->globals[k].symbol);
  return 0;
}

static Status too_many(Problem *problem, Span span) {
  const Pde *pde = problem->pde;
  int n = pde->nconstraints + pde->nglobals;
  if (n > BORDERS_MAX) diag_report(problem->diags, E0900, span, "%d constraints and integrals in one pde are more than this build takes (%d)", n, BORDERS_MAX);
  return n > BORDERS_MAX;
}

Status border_constraint(Problem *problem, const Constraint *constraint, Border *border) {
  const Pde *pde = problem->pde;
  *border = (Border){.constraint = constraint, .rows = 1ul << constraint->unknown, .constant = true};
  TRY(too_many(problem, constraint->span));
  TRY(make_equation(problem, constraint->left, constraint->right, constraint->span, border));
  const Unknown *unknown = &pde->unknowns[constraint->unknown];
  Symbol test = {.kind = SYMBOL_TEST, .which = (uint16_t)constraint->unknown};
  Expr *source = expr_term(pde->pool, test, unknown->name, UNIT_ANY);
  Data data = problem_data(problem, NAN);
  border->column = calloc(1, sizeof(Part));
  border->ncolumns = 1;
  return functional_part(&data, pde->unknowns, pde->nunknowns, &source, 1, 1, INTEGRAL_CELL, NULL, 1 + element_find(unknown->element)->degree, false, border->column);
}

/* The derivatives of the integrals of a step by the number. */
Status border_global(Problem *problem, const Global *global, Border *border) {
  const Pde *pde = problem->pde;
  const Integral *residual = problem->transient ? problem->step_form.residual : problem->form->residual;
  int n = problem->transient ? problem->step_form.nresidual : problem->form->nresidual;
  *border = (Border){.global = global, .constant = true};
  TRY(too_many(problem, global->span));
  TRY(global->held ? make_equation(problem, global->held, expr_zero(pde->pool, SHAPE_SCALAR), global->span, border)
                   : make_equation(problem, global->left, global->right, global->span, border));
  Integral *by = calloc((size_t)n + 1, sizeof *by);
  int m = 0;
  for (int i = 0; i < n; i++) {
    Expr *slope = expr_diff(pde->pool, residual[i].integrand, global->symbol), *tests[512];
    if (!slope || expr_is_zero(slope)) continue;
    int ntests = expr_terms(pde->pool, slope, 1u << SYMBOL_TEST, tests, 512);
    for (int k = 0; k < ntests && k < 512; k++) border->rows |= 1ul << tests[k]->symbol.which;
    border->constant &= !(slope->flags & (HAS_TIME | HAS_PREVIOUS | HAS_HOST));
    by[m] = residual[i];
    by[m++].integrand = slope;
  }
  Status status = m ? problem_parts(problem, by, m, 1, false, false, &border->column) : 0;
  if (!status) border->ncolumns = m;
  for (int i = 0; i < border->ncolumns; i++) border->column[i].integral = NULL;      /* by goes; blame has the residual's own parts */
  free(by);
  return status;
}

void border_free(Border *border, int nglobals) {
  for (int k = 0; k < border->nfunctionals; k++) {
    Functional *functional = &border->functional[k];
    part_free(&functional->value), part_free(&functional->slope);
    if (functional->by) problem_parts_free(functional->by, nglobals);
  }
  free(border->functional), free(border->by), free(border->names);
  problem_parts_free(border->column, border->ncolumns);
}

void border_rows(const Problem *problem, unsigned long rows[BORDERS_MAX]) {
  for (int m = 0; m < problem->nborders; m++) rows[m] = problem->border[m].rows;
}

/* ---- numbers --------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Look { const Data *data; const Border *border; const double *value; Status status; } Look;

/* Values of the integrals, then those of other parameters. */
static double leaf_value(Expr *leaf, void *user) {
  Look *look = user;
  for (int k = 0; k < look->border->nfunctionals; k++)
    if (leaf->op == EXPR_PARAM && leaf->name == look->border->names[k]) return look->value[k];
  double number = NAN;
  if (data_number(look->data, leaf, &number)) look->status = 1;
  return number;
}

static Status number_of(const Data *data, const Border *border, const double *value, Expr *e, double *out) {
  Look look = {data, border, value, 0};
  *out = expr_value(e, leaf_value, &look);
  return look.status;
}

static Status values_of(const Data *data, const Border *border, double *value) {
  double mine[BORDERS_MAX] = {0};
  for (int k = 0; k < border->nfunctionals; k++) TRY(petsc_agree(assemble_numbers(data, &border->functional[k].value, &mine[k])));
  MPI_Allreduce(mine, value, border->nfunctionals, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  for (int k = 0; k < border->nfunctionals; k++) value[k] /= border->functional[k].measure;
  return 0;
}

/* dg by the k-th number, through the integrals too. */
static Status slope_by_number(const Data *data, const Border *border, const double *value, int k, double *out) {
  TRY(number_of(data, border, value, border->by_global[k], out));
  for (int j = 0; j < border->nfunctionals; j++) {
    const Functional *functional = &border->functional[j];
    double mine = 0, all, slope;
    if (!functional->by[k].kernel) continue;
    TRY(petsc_agree(assemble_numbers(data, &functional->by[k], &mine)));
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    TRY(number_of(data, border, value, border->by[j], &slope));
    *out += slope * all / functional->measure;
  }
  return 0;
}

Status border_start(Problem *problem, const Data *data, double *u) {
  Data at = *data;
  at.unknown = u;
  for (int m = problem->pde->nconstraints, k = 0; m < problem->nborders; m++, k++) {      /* an integral in an integral comes before it */
    const Border *border = &problem->border[m];
    double value[BORDERS_MAX], g, slope, *own = &u[problem->space->multiplier + m];
    if (border->global->held) continue;                /* fields follow it: zero is as good a start as theirs */
    TRY(values_of(&at, border, value));
    TRY(number_of(&at, border, value, border->g, &g));
    TRY(slope_by_number(&at, border, value, k, &slope));
    if (isfinite(g / slope)) *own -= g / slope;
  }
  return 0;
}

/* ---- residual and matrix ------------------------------------------------------------------------------------------------------------------------ */

/* The row of a number as a vector over local dofs (owned rows complete), without the columns of numbers: those are in by_number. */
static Status row_of(const Data *data, const Border *border, double *row, double by_number[BORDERS_MAX]) {
  double value[BORDERS_MAX], slope;
  size_t n = (size_t)data->space->nlocal;
  TRY(values_of(data, border, value));
  double *one = malloc(sizeof(double) * (n + 1));
  memset(row, 0, sizeof(double) * n);
  Status status = 0;
  for (int k = 0; k < border->nfunctionals && !status; k++) {
    if (!border->functional[k].slope.kernel) continue;
    memset(one, 0, sizeof(double) * n);
    status = number_of(data, border, value, border->by[k], &slope);
    if (!status) status = assemble_vector(data, &border->functional[k].slope, 1, one);
    for (size_t i = 0; i < n; i++) row[i] += slope / border->functional[k].measure * one[i];
  }
  for (int k = 0; k < data->pde->nglobals && !status; k++) status = slope_by_number(data, border, value, k, &by_number[k]);
  free(one);
  return petsc_agree(status);
}

Status border_residual(Problem *problem, const Data *data, double *r) {
  const Space *space = problem->space;
  double *source = malloc(sizeof(double) * ((size_t)space->nlocal + 1));
  Status status = 0;
  for (int m = 0; m < problem->nborders && !status; m++) {
    const Border *border = &problem->border[m];
    double value[BORDERS_MAX], g = 0, lambda = data->unknown[space->multiplier + m];
    status = values_of(data, border, value);
    if (!status) status = number_of(data, border, value, border->g, &g);
    if (border->constraint) {
      memset(source, 0, sizeof(double) * (size_t)space->nlocal);
      if (!status) status = assemble_vector(data, border->column, border->ncolumns, source);
      for (int i = 0; i < space->nowned; i++) r[i] += lambda * source[i];
    }
    if (space->multiplier < space->nowned) r[space->multiplier + m] = g;
  }
  free(source);
  return petsc_agree(status);
}

Status border_jacobian(Problem *problem, const Data *data, Mat matrix) {
  const Space *space = problem->space;
  const char *prescribed = problem->bc->prescribed;
  size_t n = (size_t)space->nlocal;
  int first = problem->pde->nconstraints;
  bool ours = space->multiplier < space->nowned;
  double *row = malloc(sizeof(double) * (n + 1)), *column = malloc(sizeof(double) * (n + 1));
  Status status = 0;
  for (int m = 0; m < problem->nborders && !status; m++) {
    double by_number[BORDERS_MAX] = {0};
    PetscInt at = (PetscInt)space_global(space, space->multiplier + m);
    status = row_of(data, &problem->border[m], row, by_number);
    memset(column, 0, sizeof(double) * n);
    if (!status) status = assemble_vector(data, problem->border[m].column, problem->border[m].ncolumns, column);
    for (int i = 0; i < space->nowned && !status; i++) {
      PetscInt g = (PetscInt)space_global(space, i);
      if (prescribed[i] || (ours && i >= space->multiplier && i < space->multiplier + space->nmultipliers)) continue;
      if (row[i] != 0) status = MatSetValues(matrix, 1, &at, 1, &g, &row[i], ADD_VALUES);
      if (!status && column[i] != 0) status = MatSetValues(matrix, 1, &g, 1, &at, &column[i], ADD_VALUES);
    }
    for (int k = 0; k < problem->pde->nglobals && ours && !status; k++) {
      PetscInt g = (PetscInt)space_global(space, space->multiplier + first + k);
      if (by_number[k] != 0) status = MatSetValues(matrix, 1, &at, 1, &g, &by_number[k], ADD_VALUES);
    }
  }
  free(row), free(column);
  TRY(petsc_agree(status));
  TRY(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
}
