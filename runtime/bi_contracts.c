/* Measures that only contracts need: the unknown of any solution, mirror symmetry, the bounds that data give. */
#include "bi_contracts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"
#include "trace.h"

static Value *run_unknown_of(Call *call) {
  if (!ARG(0)->solution_pde) return value_unknown();
  const Pde *pde = ARG(0)->solution_pde->pde->pde;
  bool named = ARG(1) && ARG(1)->kind == VALUE_WORD && strcmp(ARG(1)->word, "none");
  if (named) return solution_member(call->ev, ARG(0), ARG(1)->word, call->span);
  if (pde->nunknowns == 1) return solution_member(call->ev, ARG(0), pde->unknowns[0].name, call->span);
  diag_suggest(REPORT(E0505, "the solution of `%s` has several unknowns: which one?", pde->name), "name it: u: %s", pde->unknowns[0].name);
  return value_poison();
}

static Value *run_largest_rise(Call *call) {
  Value *h = ARG(0);
  if (h->kind == VALUE_UNKNOWN) return value_unknown();
  if (call->ev->trace && value_traced(h)) return trace_largest_rise(call->ev, h, call->span);
  if (h->kind != VALUE_HISTORY) {
    REPORT(E0505, "largest_rise wants a history; this is %s %s", value_article(h), value_kind_name(h));
    return value_poison();
  }
  double rise = 0;
  for (int i = 1; i < h->ncurve; i++) {
    double step = h->curve_y[i] - h->curve_y[i - 1];
    if (step > rise || isnan(step)) rise = step;
  }
  return call->ev->dry ? value_number_unknown(h->curve_yunit) : value_number(rise, h->curve_yunit);
}

/* --- mirror symmetry --- */

static bool vector_of(Call *call, int at, int dim, Unit unit, double *out) {
  Value *v = ARG(at), *one[1] = {v}, **items = v->kind == VALUE_NUMBER ? one : v->items;
  int n = v->kind == VALUE_NUMBER ? 1 : v->kind == VALUE_TUPLE || v->kind == VALUE_LIST ? v->n : 0;
  if (n != dim) {
    diag_report(&call->ev->host->diags, E0301, call->spans[at], "%d coordinates are wanted here; %d given", dim, n);
    return false;
  }
  for (int i = 0; i < n; i++)
    if (!eval_to_number(call->ev, items[i], call->spans[at], "a coordinate", unit, &out[i])) return false;
  return true;
}

static void reflect(int dim, const double *normal, const double *through, const double *x, double *out) {
  double distance = 0;
  for (int i = 0; i < dim; i++) distance += (x[i] - (through ? through[i] : 0)) * normal[i];
  for (int i = 0; i < dim; i++) out[i] = x[i] - 2 * distance * normal[i];
}

/* Centres of the cells of the whole mesh and their mirror images: x[0 .. n) and x[n .. 2n). */
static double *mirrored_centres(const Mesh *mesh, const double *normal, const double *through) {
  int dim = mesh->dim, nv = mesh->ref->nverts, n = mesh->ncells;
  double *x = calloc((size_t)n * 2 * (size_t)dim, sizeof *x);
  for (int c = 0; c < n; c++) {
    for (int k = 0; k < nv; k++)
      for (int i = 0; i < dim; i++) x[c * dim + i] += mesh->x[mesh->cell[c * nv + k] * dim + i] / nv;
    reflect(dim, normal, through, &x[c * dim], &x[(n + c) * dim]);
  }
  return x;
}

static double cell_volume(const Mesh *mesh, int c) {
  int dim = mesh->dim;
  const int *v = &mesh->cell[c * mesh->ref->nverts];
  double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < dim; k++)
    for (int i = 0; i < dim; i++) e[k][i] = mesh->x[v[mesh->ref->axis[k]] * dim + i] - mesh->x[v[0] * dim + i];
  return fabs(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) + e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]));
}

/* Root mean squares over the cells, weighted by volume, of F(x) - M F(Mx) and of F. */
static double compare(const Mesh *mesh, int size, const double *normal, const double *values) {
  double difference = 0, total = 0;
  for (int c = 0; c < mesh->ncells; c++) {
    const double *f = &values[(size_t)c * (size_t)size], *g = &values[(size_t)(mesh->ncells + c) * (size_t)size];
    double image[3] = {g[0]}, w = cell_volume(mesh, c);
    if (size > 1) reflect(size, normal, NULL, g, image);
    for (int i = 0; i < size; i++) {
      difference += w * (f[i] - image[i]) * (f[i] - image[i]);
      total += w * f[i] * f[i];
    }
  }
  return total > 0 ? sqrt(difference / total) : difference > 0 ? INFINITY : 0;
}

static Value *run_asymmetry(Call *call) {
  Eval *ev = call->ev;
  if (ARG(0)->kind == VALUE_UNKNOWN) return value_unknown();
  if (ev->dry) return value_number_unknown(UNIT_NONE);
  Deps deps = {0};
  Value *owner = NULL, *result = value_poison();
  Expr *e = eval_to_expr(ev, ARG(0), call->span, &deps);
  Mesh *mesh = e && ARG(0)->kind == VALUE_FIELD ? value_mesh(ARG(0), &owner) : NULL;
  double normal[3] = {0}, through[3] = {0}, length = 0;
  if (e && !mesh) REPORT(E0512, "asymmetry wants a field of a solution");
  e = mesh ? expr_specialise(ev->host->pool, e, mesh->dim) : NULL;
  bool fine = e && vector_of(call, 1, mesh->dim, UNIT_NONE, normal) && vector_of(call, 2, mesh->dim, host_length_unit(ev->host), through);
  if (fine && e->shape.rank > 1) {
    REPORT(E0301, "asymmetry is of scalars and vectors");
    fine = false;
  }
  for (int i = 0; fine && i < mesh->dim; i++) length += normal[i] * normal[i];
  if (fine && !(length > 0)) {
    diag_report(&ev->host->diags, E0506, call->spans[1], "the normal of the mirror is zero");
    fine = false;
  }
  if (fine) {
    for (int i = 0; i < mesh->dim; i++) normal[i] /= sqrt(length);
    const Mesh *whole = mesh->whole ? mesh->whole : mesh;
    int size = shape_size(e->shape, mesh->dim);
    double *x = mirrored_centres(whole, normal, through), *values = calloc((size_t)whole->ncells * 2 * (size_t)size, sizeof *values);
    WorldBuffers w;
    world_open(ev, &deps, NAN, &w);
    if (!ev->host->api->points(ev->host->engine, e, mesh, 2 * whole->ncells, x, NULL, &w.world, &ev->host->diags, call->span, values)) {
      value_release(result);
      result = value_number(compare(whole, size, normal, values), UNIT_NONE);
    }
    world_close(&w);
    free(values);
    free(x);
  }
  deps_free(&deps);
  return result;
}

const BuiltinRow builtin_contracts[] = {
    {"unknown_of", "(sol: solution, name: word = none) -> field", "contracts", "The unknown of that name, or the only unknown of a solution, as a field.", NULL, run_unknown_of},
    {"data_bounds", "(u: any) -> value", "contracts",
     "Bounds that boundary values, initial values, sources and natural data give a scalar unknown by the comparison principle: a record (low, high, scale, bounded, reason); an open side is infinite. "
     "A constant is a bound if inserting it leaves nothing in the equation and its natural conditions that pushes beyond it. "
     "reason says why there is none. Source: Protter and Weinberger, Maximum Principles in Differential Equations, 1967.",
     NULL, run_data_bounds},
    {"largest_rise", "(history: any) -> number", "contracts", "The largest increase of a history from one kept state to the next; 0 where it never rises.", NULL, run_largest_rise},
    {"asymmetry", "(u: field, normal: any, through: any) -> number", "contracts",
     "Root mean square of u - M u(M x) over that of u, M the mirror in the plane through a point with that normal (vectors are mirrored too). A point whose image is outside of the domain is an error.",
     NULL, run_asymmetry},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
