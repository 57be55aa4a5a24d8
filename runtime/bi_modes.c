/* eigensolve and what it gives. */
#include <stdlib.h>
#include <string.h>

#include "../numerics/form_eigen.h"
#include "bi_solving.h"
#include "pde_value.h"

enum { PDE, MESH, COUNT, NEAR, RTOL, DEGREE };

static Value *modes_new(Value *list, Value *values, Value *imaginary, Value *residuals) {
  Value *v = value_new(VALUE_MODES);
  v->mode_list = list;
  v->mode_values = values;
  v->mode_imaginary = imaginary;
  v->mode_residuals = residuals;
  return v;
}

/* While checking: as many modes as are asked for, none of them computed. */
static Value *modes_unknown(Eval *ev, Value *pde, Value *mesh, Unit unit, int count) {
  Value **modes = calloc((size_t)count, sizeof *modes), **numbers = calloc((size_t)count, sizeof *numbers);
  for (int i = 0; i < count; i++) modes[i] = solution_value(ev, NULL, pde, mesh), numbers[i] = value_number_unknown(unit);
  Value *v = modes_new(value_items(VALUE_LIST, modes, count), value_items(VALUE_LIST, numbers, count), value_unknown(), value_unknown());
  for (int i = 0; i < count; i++) value_release(modes[i]), value_release(numbers[i]);
  free(modes), free(numbers);
  return v;
}

static Value *numbers_of(const double *x, int n, Unit unit) {
  Value **items = calloc((size_t)n + 1, sizeof *items);
  for (int i = 0; i < n; i++) items[i] = value_number(x[i], unit);
  Value *v = value_items(VALUE_LIST, items, n);
  for (int i = 0; i < n; i++) value_release(items[i]);
  free(items);
  return v;
}

static Value *modes_value(Eval *ev, Value *pde, Value *mesh, EigenModes *found) {
  Value **items = calloc((size_t)found->n + 1, sizeof *items);
  bool complex = false;
  for (int i = 0; i < found->n; i++) {
    items[i] = solution_value(ev, ev->host->api->solution_retain(found->mode[i]), pde, mesh);
    complex |= found->imaginary[i] != 0;
  }
  Value *v = modes_new(value_items(VALUE_LIST, items, found->n), numbers_of(found->value, found->n, found->unit),
                       numbers_of(found->imaginary, complex ? found->n : 0, found->unit), numbers_of(found->residual, found->n, UNIT_NONE));
  v->modes_counted = found->counted;
  for (int i = 0; i < found->n; i++) value_release(items[i]);
  free(items);
  return v;
}

static bool read_options(Call *call, Unit unit, EigenOptions *o) {
  Eval *ev = call->ev;
  double count = 6, rtol = 1e-8;
  if (ARG(COUNT) && !is_unknown(ARG(COUNT)) && !eval_to_number(ev, ARG(COUNT), call->spans[COUNT], "a count", UNIT_NONE, &count)) return false;
  if (!(count >= 1 && count <= 10000)) {
    diag_report(&ev->host->diags, E0506, call->spans[COUNT], "a count of eigenvalues is from 1 to 10000, not %g", count);
    return false;
  }
  if (ARG(RTOL) && !is_unknown(ARG(RTOL)) && !eval_to_number(ev, ARG(RTOL), call->spans[RTOL], "a tolerance", UNIT_NONE, &rtol)) return false;
  if (!(rtol > 0 && rtol < 1)) {
    diag_report(&ev->host->diags, E0506, call->spans[RTOL], "a tolerance lies between 0 and 1, not at %g", rtol);
    return false;
  }
  double degree = 0;
  if (ARG(DEGREE) && !is_unknown(ARG(DEGREE)) && !eval_to_number(ev, ARG(DEGREE), call->spans[DEGREE], "a quadrature degree", UNIT_NONE, &degree)) return false;
  *o = (EigenOptions){.count = (int)count, .rtol = rtol, .degree = (int)degree, .has_near = ARG(NEAR) != NULL};
  return !ARG(NEAR) || is_unknown(ARG(NEAR)) || eval_to_number(ev, ARG(NEAR), call->spans[NEAR], "near", unit, &o->near);
}

static Value *solve_modes(Call *call, Value *pde, Value *mesh, const EigenOptions *o) {
  Eval *ev = call->ev;
  const EngineApi *api = host_engine(ev->host, call->span);
  if (!api) return value_poison();
  WorldBuffers w;
  solve_world(ev, pde->pde, &w);
  EigenModes found;
  Status status = api->eigensolve(ev->host->engine, pde->pde->pde, mesh->mesh, &w.world, o, &ev->host->diags, call->span, &found);
  world_close(&w);
  host_flush_diags(ev->host);
  if (status) return value_poison();
  Value *v = modes_value(ev, pde, mesh, &found);
  api->eigen_modes_free(&found);
  return v;
}

static Value *run_eigensolve(Call *call) {
  Value *pde = ARG(PDE), *mesh = ARG(MESH);
  if (pde->kind == VALUE_UNKNOWN || mesh->kind == VALUE_UNKNOWN) return value_unknown();
  if (pde->pde->failed) return value_poison();
  if (!solve_mesh_matches(call, pde, mesh)) return value_poison();
  Eval *ev = call->ev;
  pde_begins(ev, pde, false);
  EigenForm form;
  EigenOptions o;
  Arena *arena = arena_new();
  Status status = form_eigen(pde->pde->form, arena, &ev->host->diags, call->span, &form);
  Unit unit = form.unit;
  arena_free(arena);
  if (status || !read_options(call, unit, &o)) return value_poison();
  Value *bound = call->nextra ? solve_with_params(call, pde) : value_retain(pde), *v;
  if (is_poison(bound)) v = value_poison();
  else v = ev->dry ? modes_unknown(ev, bound, mesh, unit, o.count) : solve_modes(call, bound, mesh, &o);
  value_release(bound);
  return v;
}

Value *modes_member(Eval *ev, Value *v, Name name, Span span) {
  const struct { const char *name; Value *value; } members[] = {
      {"values", v->mode_values}, {"modes", v->mode_list}, {"imaginary", v->mode_imaginary}, {"residuals", v->mode_residuals}};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (!strcmp(name, members[i].name)) return value_retain(members[i].value);
  Diag *d = diag_report(&ev->host->diags, E0111, span, "modes have no member `%s`", name);
  diag_suggest(d, "they have .values, .imaginary, .residuals and .modes; modes[0].u is an unknown of the first");
  return value_poison();
}

const BuiltinRow builtin_modes[] = {
    {"eigensolve", "(pde: pde, mesh: mesh, count: int = 6, near: number = none, rtol: number = 1e-8, degree: int = none, ...) -> modes", "solving",
     "Eigenvalues of a linear pde without sources that contains `lambda`, as in -lap(u) == lambda*u, and their modes. dt(u) and dtt(u) are read as -lambda*u, so the "
     "eigenvalues of a wave equation are squares of angular frequencies. The smallest come first; near: asks for those nearest to a value. Prescribed unknowns are "
     "eliminated. modes.values is the list, modes[0].u an unknown of the first mode, with u' B u = 1 (B: what lambda multiplies) and its largest entry "
     "positive; modes.residuals are |A u - lambda B u| over the sizes of both terms, modes.imaginary is empty unless some are complex. Symmetric problems are "
     "counted by inertia: a missed copy of a multiple eigenvalue is looked for. Krylov-Schur with shift and invert (SLEPc).",
     NULL, run_eigensolve},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
