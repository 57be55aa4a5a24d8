/* Conditions whose boundaries share facets under different names: two values, two fluxes, a value and a flux. */
#include <math.h>
#include <stdlib.h>

#include "bc.h"
#include "petsc.h"

/* Facets that two conditions share, each counted by the rank that owns it; collective. shared: room for all facets, or NULL. */
static long shared_facets(const Mesh *mesh, const Condition *a, const Condition *b, int *shared, int *nshared) {
  int n[2], found = 0;
  int *facets[2];
  const Condition *const both[2] = {a, b};
  for (int k = 0; k < 2; k++) facets[k] = mesh_select_facets(mesh, both[k]->where.names, both[k]->where.n, false, false, &n[k]);
  long mine = 0, total;
  for (int i = 0, j = 0; i < n[0]; i++) {      /* both rise */
    while (j < n[1] && facets[1][j] < facets[0][i]) j++;
    if (j == n[1]) break;
    if (facets[1][j] != facets[0][i]) continue;
    mine += mesh_owns_facet(mesh, facets[0][i]);
    if (shared) shared[found] = facets[0][i];
    found++;
  }
  if (nshared) *nshared = found;
  total = mine;
  if (mesh->nranks > 1) MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  free(facets[0]), free(facets[1]);
  return total;
}

/* Given by the names of boundaries: what all and others give yields, and the two sides of an interface add up. */
static bool by_name(const Condition *c) {
  return !c->implied && !c->by_rest && !c->where.is_point && !c->where.interface[0] && !c->where.interior && !c->where.all && !c->where.others && c->where.n > 0;
}

static void put_names(Buf *out, const Where *where) {
  for (int i = 0; i < where->n; i++) buf_printf(out, "%s%s", i ? " + " : "", where->names[i]);
}

static void report_shared(const Data *data, Name unknown, const Condition *a, const Condition *b, long count) {
  const Condition *first = a->order <= b->order ? a : b, *later = first == a ? b : a;
  Buf one = {0}, two = {0};
  put_names(&one, &first->where), put_names(&two, &later->where);
  Diag *diag = diag_report(data->diags, E0413, later->span, "two conditions for `%s` hold on %ld facet%s that `%s` and `%s` share", unknown, count,
                           count == 1 ? "" : "s", buf_str(&one), buf_str(&two));
  diag_note(diag, first->span, "the other is here");
  if (data->scheme) diag_note(diag, (Span){0, 0}, "their values part at t = %g", data->time);
  diag_suggest(diag, "give the rest of the larger boundary by `others`, or by a boundary with a `where` that leaves the smaller one out");
  buf_free(&one), buf_free(&two);
}

static bool same_component(const Condition *a, const Condition *b) {
  return a->unknown == b->unknown && (a->component < 0 || b->component < 0 || a->component == b->component);
}

/* --- fluxes --- */

/* Two fluxes of one equation may both be prescribed, unless one is their sum. */
static bool fluxes_meet(const Form *form, const Condition *a, const Condition *b) {
  return a->flux == b->flux || form->fluxes[a->flux].op == EXPR_ADD || form->fluxes[b->flux].op == EXPR_ADD;
}

Status bc_fluxes_apart(const Form *form, const Data *data) {
  const Pde *pde = form->pde;
  Status status = 0;
  for (int j = 1; j < pde->nconditions; j++)
    for (int i = 0; i < j; i++) {
      const Condition *a = &pde->conditions[i], *b = &pde->conditions[j];
      if (a->kind != CONDITION_NATURAL || b->kind != CONDITION_NATURAL || !by_name(a) || !by_name(b) || !same_component(a, b) || !fluxes_meet(form, a, b)) continue;
      if (a->value && b->value && expr_is_zero(a->value) && expr_is_zero(b->value)) continue;
      long count = shared_facets(data->mesh, a, b, NULL, NULL);
      if (!count) continue;
      report_shared(data, pde->unknowns[a->unknown].name, a, b, count);
      status = 1;
    }
  return status;
}

/* A value beats a flux. A zero flux on the larger boundary says what holds on its rest; one that nothing is left of was meant. */
static void warn_beaten(const Form *form, const Data *data, const Condition *value, const Condition *flux) {
  int n, all = 0;
  long shared = shared_facets(data->mesh, value, flux, NULL, NULL), mine = 0, total;
  if (!shared) return;
  int *facets = mesh_select_facets(data->mesh, flux->where.names, flux->where.n, false, false, &n);
  for (int i = 0; i < n; i++) mine += mesh_owns_facet(data->mesh, facets[i]);
  free(facets);
  total = mine;
  if (data->mesh->nranks > 1) MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  all = shared == total;
  if (!all && flux->value && expr_is_zero(flux->value)) return;
  Buf one = {0}, two = {0};
  put_names(&one, &flux->where), put_names(&two, &value->where);
  Diag *diag = diag_report(data->diags, W2005, flux->span, "the flux prescribed on `%s` is without effect on %s%ld facet%s: `%s` prescribes the value of `%s` there", buf_str(&one),
                           all ? "all of its " : "", shared, shared == 1 ? "" : "s", buf_str(&two), form->pde->unknowns[value->unknown].name);
  diag_note(diag, value->span, "a prescribed value beats a flux");
  diag_suggest(diag, "give the flux by a boundary that leaves the other one out, or by `others`");
  buf_free(&one), buf_free(&two);
}

void bc_fluxes_beaten(const Form *form, const Data *data) {
  const Pde *pde = form->pde;
  for (int i = 0; i < pde->nconditions; i++)
    for (int j = 0; j < pde->nconditions; j++) {
      const Condition *a = &pde->conditions[i], *b = &pde->conditions[j];
      if (a->kind == CONDITION_DIRICHLET && b->kind == CONDITION_NATURAL && by_name(a) && by_name(b) && same_component(a, b)) warn_beaten(form, data, a, b);
    }
}

/* --- two values --- */

static void add_overlap(Bc *bc, const Data *data, int a, int b) {
  const Mesh *mesh = data->mesh;
  const BcClause *one = &bc->clause[a], *two = &bc->clause[b];
  int n, *shared = malloc(sizeof(int) * ((size_t)mesh->nfacets + 1));
  BcOverlap overlap = {.a = a, .b = b, .facets = shared_facets(mesh, one->condition, two->condition, shared, &n)};
  const NodeSet *nodes = bc->space->block[one->condition->unknown].nodes;
  int *mark = overlap.facets ? calloc((size_t)nodes->n + 1, sizeof(int)) : NULL;
  if (overlap.facets) {
    BcClause common = {0};
    bc_facet_nodes(&common, mesh, nodes, shared, n, mark, -1);
    overlap.at = malloc(sizeof *overlap.at * ((size_t)common.n + 1));
    for (int k = 0; k < one->n; k++)
      if (mark[one->node[k]] == -1) mark[one->node[k]] = k + 1;
    for (int k = 0; k < two->n; k++)
      if (mark[two->node[k]] > 0) overlap.at[overlap.n][0] = mark[two->node[k]] - 1, overlap.at[overlap.n++][1] = k;
    free(common.node), free(common.cell), free(common.facet), free(common.reference);
    bc->overlap = realloc(bc->overlap, sizeof *bc->overlap * (size_t)(bc->noverlaps + 1));
    bc->overlap[bc->noverlaps++] = overlap;
  }
  free(mark), free(shared);
}

void bc_find_overlaps(Bc *bc, const Data *data) {
  for (int j = 1; j < bc->nclauses; j++)
    for (int i = 0; i < j; i++) {
      const Condition *a = bc->clause[i].condition, *b = bc->clause[j].condition;
      if (by_name(a) && by_name(b) && same_component(a, b) && a->value != b->value) add_overlap(bc, data, i, j);
    }
}

void bc_free_overlaps(Bc *bc) {
  for (int i = 0; i < bc->noverlaps; i++) free(bc->overlap[i].at);
  free(bc->overlap);
}

Status bc_values_apart(const Bc *bc, const Data *data) {
  Status status = 0;
  for (int i = 0; i < bc->noverlaps; i++) {
    const BcOverlap *overlap = &bc->overlap[i];
    const BcClause *a = &bc->clause[overlap->a], *b = &bc->clause[overlap->b];
    int components = bc->space->block[a->condition->unknown].components, differs = 0, any;
    for (int k = 0; k < overlap->n && !differs; k++)
      for (int c = 0; c < components; c++) {
        double x, y;
        if (!bc_value(a, components, overlap->at[k][0], c, &x) || !bc_value(b, components, overlap->at[k][1], c, &y)) continue;
        differs |= fabs(x - y) > 1e-9 * fmax(1e-300, fmax(fabs(x), fabs(y)));
      }
    any = differs;
    if (data->mesh->nranks > 1) MPI_Allreduce(&differs, &any, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
    if (any) report_shared(data, bc->unknowns[a->condition->unknown].name, a->condition, b->condition, overlap->facets), status = 1;
  }
  return status;
}
