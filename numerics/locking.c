/* On triangles and tetrahedra with linear elements the divergence is constant on each cell, and there are about as many cells as there are free dofs (in
 * space more): where lambda/mu is large, div(u) = 0 on every cell leaves hardly any displacement but zero (Hughes, The Finite Element Method, 2000,
 * section 4.2; Brenner, Scott, The Mathematical Theory of Finite Element Methods, section 11.3). */
#include "locking.h"

#include <math.h>
#include <stdlib.h>

#include "engine_internal.h"
#include "petsc.h"

static const double STIFF = 40;      /* lambda/mu: a Poisson's ratio of 0.488 */

/* Coefficient of d_i v_a * d_j u_b in an integrand of the Jacobian; NULL: none. */
static Expr *coefficient(const Pde *pde, Expr *integrand, int unknown, int a, int i, int b, int j) {
  Symbol test = {.kind = SYMBOL_TEST, .which = (uint16_t)unknown, .component = (uint8_t)a}, trial = {.kind = SYMBOL_TRIAL, .which = (uint16_t)unknown, .component = (uint8_t)b};
  test.dx[i] = 1, trial.dx[j] = 1;
  Expr *terms[512], *made = integrand;
  int n = expr_terms(pde->pool, integrand, 1u << SYMBOL_TEST | 1u << SYMBOL_TRIAL, terms, 512), found = 0;
  for (int k = 0; k < n && k < 512 && made; k++) {
    const Symbol *s = &terms[k]->symbol, *of = s->kind == SYMBOL_TEST ? &test : &trial;
    bool same = s->which == of->which && s->component == of->component && !s->dt && s->dx[0] == of->dx[0] && s->dx[1] == of->dx[1] && s->dx[2] == of->dx[2];
    if (same) made = expr_diff(pde->pool, made, terms[k]), found++;
  }
  return found == 2 && made && !expr_is_zero(made) ? made : NULL;
}

static void note(double lambda, double mu, double *worst) {
  if (isfinite(lambda / mu)) *worst = fmax(*worst, lambda / mu);
}

/* The largest lambda/mu over the cells of one integral, in pieces: it costs little beside a solve. */
static Status ratio_over(Problem *problem, const Data *data, const Integral *integral, Expr *lambda, Expr *mu, double *worst) {
  enum { PIECE = 4096 };
  const Mesh *mesh = problem->mesh;
  int dim = mesh->dim;
  double ends[2];
  if (!((lambda->flags | mu->flags) & (HAS_UNKNOWN | HAS_FIELD | HAS_COORD | HAS_REGIONS | HAS_SIZE | HAS_HOST))) {
    TRY(data_constant(data, lambda, &ends[0]));
    TRY(data_constant(data, mu, &ends[1]));
    note(ends[0], ends[1], worst);
    return 0;
  }
  Part part = {.span = integral->span};
  TRY(part_place(&part, data, &integral->where, INTEGRAL_CELL, true, true));
  int most = part.all ? mesh->ncells : part.n, *cell = malloc(sizeof(int) * PIECE);
  double *reference = malloc(sizeof(double) * PIECE * 3), *value = malloc(sizeof(double) * PIECE * 2);
  for (int i = 0; i < PIECE * dim; i++) reference[i] = 1.0 / (dim + 1);
  Status status = 0;
  for (int from = 0; from < most && !status; from += PIECE) {
    int n = most - from < PIECE ? most - from : PIECE;
    for (int k = 0; k < n; k++) cell[k] = part.all ? from + k : part.item[from + k];
    Points points = {.n = n, .cell = cell, .reference = reference};
    status = data_evaluate(data, (Expr *[]){lambda, mu}, 2, &points, value);
    for (int k = 0; k < n && !status; k++) note(value[k], value[n + k], worst);
  }
  free(cell), free(reference), free(value);
  part_free(&part);
  return petsc_agree(status);
}

static void report(const Problem *problem, int u, double ratio) {
  const Unknown *unknown = &problem->pde->unknowns[u];
  Diag *diag = diag_report(problem->diags, W2070, problem->span, "`%s` resists changes of volume %.3g times as much as shear, like a material of Poisson's ratio %.5g, and its element %s locks: "
                           "it moves too little", unknown->name, ratio, ratio / (2 * (1 + ratio)), unknown->element);
  diag_note(diag, unknown->span, "the element is chosen here");
  diag_suggest(diag, "declare `unknown %s : vector %s`; very near to 0.5 take the pressure as a second unknown: equation p: div(%s) + p/lambda == 0", unknown->name,
               element_of(problem->mesh->ref->shape, 2)->name, unknown->name);
}

Status locking_check(Problem *problem, double time, const double *u) {
  const Pde *pde = problem->pde;
  const Form *form = problem->form;
  Data data = problem_data(problem, time);
  data.unknown = u;
  for (int k = 0; k < pde->nunknowns; k++) {
    const Element *element = element_find(pde->unknowns[k].element);
    if (pde->unknowns[k].shape.rank != 1 || pde->dim < 2 || pde->unknowns[k].shape.extent[0] != pde->dim || element->degree != 1 || element_is_broken(element)) continue;
    double worst = 0;
    for (int i = 0; i < form->njacobian; i++) {
      if (form->jacobian[i].kind != INTEGRAL_CELL) continue;
      Expr *lambda = coefficient(pde, form->jacobian[i].integrand, k, 0, 0, 1, 1), *mu = coefficient(pde, form->jacobian[i].integrand, k, 0, 1, 0, 1);
      if (lambda && mu) TRY(ratio_over(problem, &data, &form->jacobian[i], lambda, mu, &worst));
    }
    if (problem->mesh->nranks > 1) MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
    if (worst > STIFF) report(problem, k, worst);
  }
  return 0;
}
