/* Well-posedness from the text: what the form, its conditions and the names of the boundary show, without a mesh and without numbers. Errors are what
 * certainly has no unique solution; what depends on where a side lies (rotations held by single components, say) is left to the solver. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "element.h"
#include "form_internal.h"
#include "geom.h"

typedef struct Check {
  const Form *form;
  const Pde *pde;
  const GeomGroup *groups;
  int ngroups;
  Diags *diags;
  int errors;
} Check;

/* --- sides and conditions --- */

static bool is_side(const GeomGroup *groups, int n, int g) {
  if (groups[g].is_region) return false;
  for (int i = 0; i < n; i++)
    if (groups[i].is_side && !groups[i].is_region) return groups[g].is_side;
  return true;
}

static bool same(Name a, Name b) { return a == b || (a && b && !strcmp(a, b)); }

/* Is side g among the named groups, by itself or as a member of a sum? */
static bool contains(const GeomGroup *groups, int n, const Name *names, int nnames, Name side, int depth) {
  for (int i = 0; i < nnames; i++) {
    if (same(names[i], side)) return true;
    for (int g = 0; g < n && depth < 8; g++)
      if (same(groups[g].name, names[i]) && groups[g].nmembers && contains(groups, n, groups[g].members, groups[g].nmembers, side, depth + 1)) return true;
  }
  return false;
}

static bool covers(const GeomGroup *groups, int n, const Where *w, Name side) {
  if (w->is_point || w->interior || w->interface[0]) return false;
  if (w->all) return true;
  return contains(groups, n, w->names, w->n, side, 0) != w->others;
}

static bool holds_for(const Condition *c, int unknown, int component) {
  return c->unknown == unknown && (c->component < 0 || component < 0 || c->component == component);
}

int form_coverage(const Form *form, const GeomGroup *groups, int ngroups, int group, int unknown, int component) {
  const Pde *pde = form->pde;
  Name side = groups[group].name;
  int found = -1;
  for (int i = 0; i < pde->nperiodics; i++)
    if (covers(groups, ngroups, &pde->periodics[i].from, side) || covers(groups, ngroups, &pde->periodics[i].to, side)) return -2;
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    if (!holds_for(c, unknown, component) || !covers(groups, ngroups, &c->where, side)) continue;
    bool rest = c->where.all || c->where.others;
    if (found < 0 || !rest) found = i;
  }
  return found;
}

/* The first group of a condition that is given by a predicate: part of some side, nobody knows which. NULL: none. */
static Name partial_group(const Check *k, const Condition *c) {
  if (c->where.all || c->where.others || c->where.is_point) return NULL;
  for (int i = 0; i < c->where.n; i++)
    for (int g = 0; g < k->ngroups; g++)
      if (same(k->groups[g].name, c->where.names[i]) && k->groups[g].predicate) return c->where.names[i];
  return NULL;
}

static Diag *fault(Check *k, Diag *d) {
  k->errors++;
  return d;
}

/* --- each boundary has its condition --- */

static const Flux *flux_for(const Form *form, int unknown) {
  const Flux *found = NULL;
  for (int i = 0; i < form->nfluxes; i++)
    if (form->fluxes[i].unknown == unknown && (!found || form->fluxes[i].op == EXPR_ADD)) found = &form->fluxes[i];
  return found;
}

/* Sides without a condition for a component, as bits; at most 64 sides are told apart. */
static uint64_t uncovered(const Check *k, int unknown, int component) {
  uint64_t bits = 0;
  int n = 0;
  for (int g = 0; g < k->ngroups && n < 64; g++) {
    if (!is_side(k->groups, k->ngroups, g)) continue;
    if (form_coverage(k->form, k->groups, k->ngroups, g, unknown, component) == -1) bits |= (uint64_t)1 << n;
    n++;
  }
  return bits;
}

/* One report for an unknown: what further components lack is a note of it. */
static Diag *report_uncovered(Check *k, int unknown, int component, uint64_t bits, Diag *first) {
  const Flux *flux = flux_for(k->form, unknown);
  Buf sides = {0}, F = {0};
  char name[80];
  int n = 0, listed = 0;
  for (int g = 0; g < k->ngroups && n < 64; g++) {
    if (!is_side(k->groups, k->ngroups, g)) continue;
    if (bits >> n++ & 1) buf_printf(&sides, "%s%s", listed++ ? ", " : "", k->groups[g].bare ? k->groups[g].bare : k->groups[g].name);
  }
  for (int i = 0; i < k->pde->nconditions; i++)
    if (holds_for(&k->pde->conditions[i], unknown, component) && partial_group(k, &k->pde->conditions[i]))
      buf_printf(&sides, " (outside of %s)", partial_group(k, &k->pde->conditions[i]));
  pde_print_expr(&F, k->pde, flux->flux);
  unknown_component_text(k->pde, unknown, component, name);
  const char *row = strchr(name, '.');
  if (!row) row = "";
  Diag *d = first;
  if (first) diag_note(first, (Span){0, 0}, "`%s` has none on %s: dot(%s, n)%s == 0 holds there", name, buf_str(&sides), buf_str(&F), row);
  else d = diag_report(k->diags, W0401, k->pde->unknowns[unknown].span, "`%s` has no condition on %s: the natural one, dot(%s, n)%s == 0, holds there", name,
                       buf_str(&sides), buf_str(&F), row);
  /* `others` are the sides that no clause names: a side with a condition for another component is not among them */
  if (!first) diag_suggest(d, "to say so write `on %s: dot(%s, n)%s == 0`", *row ? buf_str(&sides) : "others", buf_str(&F), row);
  buf_free(&sides);
  buf_free(&F);
  return d;
}

static void check_coverage(Check *k) {
  for (int u = 0; u < k->pde->nunknowns; u++) {
    int size = shape_size(k->pde->unknowns[u].shape, k->pde->dim);
    if (!flux_for(k->form, u)) continue;
    uint64_t first = uncovered(k, u, 0);
    bool alike = true;
    for (int c = 1; c < size; c++) alike &= uncovered(k, u, c) == first;
    Diag *report = NULL;
    for (int c = 0; c < (alike ? 1 : size); c++) {
      uint64_t bits = uncovered(k, u, c);
      if (bits) report = report_uncovered(k, u, alike ? -1 : c, bits, report);
    }
  }
}

/* Two named conditions that meet on a side of which both name a larger or the same part; conditions on periodic sides. */
static void check_overlaps(Check *k) {
  const Pde *pde = k->pde;
  for (int g = 0; g < k->ngroups; g++) {
    if (!is_side(k->groups, k->ngroups, g)) continue;
    Name side = k->groups[g].name;
    for (int j = 0; j < pde->nconditions; j++) {
      const Condition *c = &pde->conditions[j];
      bool named = !c->where.all && !c->where.others;
      if (!named || !covers(k->groups, k->ngroups, &c->where, side)) continue;
      for (int p = 0; p < pde->nperiodics; p++)
        if (covers(k->groups, k->ngroups, &pde->periodics[p].from, side) || covers(k->groups, k->ngroups, &pde->periodics[p].to, side))
          diag_note(fault(k, diag_report(k->diags, E0413, c->span, "`%s` is periodic and has a condition too", side)), pde->periodics[p].span, "periodic here");
      for (int i = 0; i < j; i++) {
        const Condition *a = &pde->conditions[i];
        char name[80];
        if (a->where.all || a->where.others || !conditions_compete(k->form, a, c) || !covers(k->groups, k->ngroups, &a->where, side)) continue;
        unknown_component_text(pde, c->unknown, a->component < 0 ? c->component : a->component, name);
        diag_note(fault(k, diag_report(k->diags, E0413, c->span, "two conditions for `%s` on %s", name, side)), a->span, "the other is here");
      }
    }
  }
}

/* --- time --- */

static Span equation_with_rate(const Check *k, int unknown, int dt) {
  for (int i = 0; i < k->form->nterms; i++) {
    Expr *leaves[FORM_TERMS_MAX], *s = expr_scalar(k->pde->pool, k->form->terms[i].integrand, 0, k->pde->dim);
    int n = form_leaves(k->pde->pool, s, 1u << SYMBOL_UNKNOWN, leaves);
    for (int j = 0; j < n; j++)
      if (leaves[j]->symbol.which == unknown && leaves[j]->symbol.dt >= dt) return k->form->terms[i].span;
  }
  return (Span){0, 0};
}

static bool has_initial(const Check *k, int unknown, int dt) {
  unsigned bits = 0, full = (1u << shape_size(k->pde->unknowns[unknown].shape, k->pde->dim)) - 1;
  for (int i = 0; i < k->pde->ninitials; i++) {
    const Initial *in = &k->pde->initials[i];
    if (in->unknown == unknown && in->dt == dt) bits |= in->component < 0 ? full : 1u << in->component;
  }
  return bits == full;
}

static void need_initial(Check *k, int unknown, int dt) {
  const Unknown *u = &k->pde->unknowns[unknown];
  const char *rate = k->form->findings_of[unknown] & FORM_SECOND_ORDER_TIME ? "dtt" : "dt";
  if (has_initial(k, unknown, dt)) return;
  Diag *d = fault(k, diag_report(k->diags, dt ? E0421 : E0420, u->span, dt ? "`%s` needs `initially: dt(%s) == ...`" : "`%s` needs `initially: %s == ...`", u->name, u->name));
  diag_note(d, equation_with_rate(k, unknown, 1), "%s(%s) occurs here", rate, u->name);
  diag_suggest(d, dt ? "add `initially: dt(%s) == 0`" : "add `initially: %s == 0`", u->name);
}

static void check_time(Check *k) {
  const Pde *pde = k->pde;
  for (int i = 0; i < pde->ninitials; i++) {
    const Initial *in = &pde->initials[i];
    const char *name = pde->unknowns[in->unknown].name;
    unsigned of = k->form->findings_of[in->unknown];
    if ((of & FORM_STEADY) && !(k->form->findings & FORM_LINEAR)) continue;   /* Newton starts from it */
    if (of & FORM_STEADY) diag_report(k->diags, W0402, in->span, "the initial value of `%s` has no effect: dt(%s) occurs in no equation", name, name);
    else if (in->dt && !(of & FORM_SECOND_ORDER_TIME)) diag_report(k->diags, W0402, in->span, "the initial rate of `%s` has no effect: dtt(%s) occurs in no equation", name, name);
  }
  if (!(k->form->findings & FORM_STEADY) || !(k->form->findings & FORM_TIME_DATA)) return;
  for (int i = 0; i < k->form->nterms; i++)
    if (k->form->terms[i].integrand->flags & HAS_TIME)
      diag_suggest(fault(k, diag_report(k->diags, E0422, k->form->terms[i].span, "t occurs in a steady problem: no equation of `%s` contains a time derivative", pde->name)),
                   "add dt(%s) to its equation, or make t a parameter: pde %s(time = 0)", pde->unknowns[0].name, pde->name);
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].kind != CONDITION_NATURAL && pde->conditions[i].value->flags & HAS_TIME)
      diag_suggest(fault(k, diag_report(k->diags, E0422, pde->conditions[i].span, "t occurs in a steady problem: no equation of `%s` contains a time derivative", pde->name)),
                   "add dt(%s) to its equation, or make t a parameter: pde %s(time = 0)", pde->unknowns[0].name, pde->name);
}

/* --- what nothing holds --- */

/* Components of an unknown that occur in e. */
static unsigned mentioned(const Pde *pde, Expr *e, int unknown) {
  if (!(e->flags & HAS_UNKNOWN)) return 0;
  if (e->op == EXPR_SYMBOL) return e->symbol.kind == SYMBOL_UNKNOWN && e->symbol.which == unknown ? (1u << shape_size(pde->unknowns[unknown].shape, pde->dim)) - 1 : 0;
  if (e->op == EXPR_COMPONENT && e->arg[0]->op == EXPR_SYMBOL && e->shape.rank == 0 && e->arg[0]->shape.rank == 1)
    return mentioned(pde, e->arg[0], unknown) & 1u << e->index[0];
  unsigned bits = 0;
  for (int i = 0; i < e->n; i++) bits |= mentioned(pde, e->arg[i], unknown);
  return bits;
}

/* Components whose constant some condition or constraint fixes; a normal or tangential part may fix any. */
static unsigned fixed_components(const Check *k, int unknown, bool on_boundary_only) {
  const Pde *pde = k->pde;
  unsigned bits = 0, full = (1u << shape_size(pde->unknowns[unknown].shape, pde->dim)) - 1;
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    if (c->kind == CONDITION_NATURAL || c->unknown != unknown || (on_boundary_only && c->where.is_point)) continue;
    if (c->kind == CONDITION_NUMBER && !pde->globals[c->number].fixes) continue;
    bits |= c->component < 0 ? full : 1u << c->component;
  }
  for (int i = 0; i < pde->nconstraints && !on_boundary_only; i++)
    bits |= mentioned(pde, pde->constraints[i].left, unknown) | mentioned(pde, pde->constraints[i].right, unknown);
  return bits;
}

static int distinct_points(const Check *k, int unknown) {
  const Pde *pde = k->pde;
  int n = 0;
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    bool seen = !c->where.is_point || c->unknown != unknown || c->kind != CONDITION_DIRICHLET;
    for (int j = 0; j < i && !seen; j++)
      seen = pde->conditions[j].where.is_point && pde->conditions[j].unknown == unknown && !memcmp(pde->conditions[j].where.point, c->where.point, sizeof c->where.point);
    n += !seen;
  }
  return n;
}

static void check_rigid(Check *k, int u) {
  static const char *const axes[] = {"x", "y", "z"};
  const Pde *pde = k->pde;
  const char *name = pde->unknowns[u].name;
  unsigned loose = k->form->free_constants[u] & ~fixed_components(k, u, false);
  Buf list = {0};
  for (int c = 0, n = 0; c < pde->dim; c++)
    if (loose >> c & 1) buf_printf(&list, "%s%s", n++ ? ", " : "", axes[c]);
  if (loose) {
    Diag *d = fault(k, diag_report(k->diags, E0431, pde->unknowns[u].span, "nothing holds `%s` in %s: the body can be shifted without any strain", name, buf_str(&list)));
    diag_suggest(d, "prescribe `%s == 0` on a boundary, or the missing components at a point", name);
  } else if (k->form->free_constants[u] && !fixed_components(k, u, true) && !pde->nconstraints && !pde->nperiodics && distinct_points(k, u) < pde->dim) {
    Diag *d = fault(k, diag_report(k->diags, E0431, pde->unknowns[u].span, "`%s` is held at %d point%s only: the body can turn without any strain", name,
                                   distinct_points(k, u), distinct_points(k, u) == 1 ? "" : "s"));
    diag_suggest(d, "prescribe `%s == 0` on a boundary, or components at further points", name);
  }
  buf_free(&list);
}

static void check_constants(Check *k, int u) {
  const Pde *pde = k->pde;
  unsigned loose = k->form->free_constants[u] & ~fixed_components(k, u, false);
  char name[80];
  int c = 0;
  if (!loose) return;
  while (!(loose >> c & 1)) c++;
  unknown_component_text(pde, u, c, name);
  Diag *d = fault(k, diag_report(k->diags, E0430, pde->unknowns[u].span, "`%s` is determined up to a constant only: no condition prescribes it and no term contains it without a derivative", name));
  diag_suggest(d, "add `mean(%s) == 0`, prescribe it on a boundary or `on point (...)`, or give a flux that depends on it", name);
}

/* Is the velocity prescribed on every side, in every component or through it? */
static bool prescribed_all_around(const Check *k, int velocity) {
  const Pde *pde = k->pde;
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    if (c->kind == CONDITION_NATURAL && c->unknown == velocity && partial_group(k, c)) return false;
  }
  bool any = false;
  for (int g = 0; g < k->ngroups; g++) {
    if (!is_side(k->groups, k->ngroups, g)) continue;
    any = true;
    for (int c = 0; c < pde->dim; c++) {
      int found = form_coverage(k->form, k->groups, k->ngroups, g, velocity, c);
      bool through = found >= 0 && pde->conditions[found].kind != CONDITION_DIRICHLET && pde->conditions[found].kind != CONDITION_NORMAL;
      if (found == -1 || through) return false;
    }
  }
  return any;
}

static int tested_with_pressure(const Form *form, int pressure) {
  for (int i = 0; i < form->njacobian; i++) {
    CoefTable t = {0};
    int found = -1;
    coefs_of(form->pde, form->jacobian[i].integrand, SYMBOL_TRIAL, form->jacobian[i].kind, i, &t);
    for (int j = 0; j < t.n && found < 0; j++)
      if (t.items[j].trial.which == pressure) found = t.items[j].test.which;
    coefs_free(&t);
    if (found >= 0) return found;
  }
  return -1;
}

static void check_pressure(Check *k, int u) {
  const Pde *pde = k->pde;
  unsigned of = k->form->findings_of[u];
  const char *name = pde->unknowns[u].name;
  if (fixed_components(k, u, false)) return;
  int velocity = tested_with_pressure(k->form, u);
  bool through_gradient = of & FORM_CONSTANT_KERNEL;
  if (!through_gradient && !(of & FORM_PRESSURE_KERNEL && velocity >= 0 && prescribed_all_around(k, velocity))) return;
  Diag *d = fault(k, through_gradient
    ? diag_report(k->diags, E0432, pde->unknowns[u].span, "`%s` is determined up to a constant only: it occurs through its gradient alone", name)
    : diag_report(k->diags, E0432, pde->unknowns[u].span, "`%s` is determined up to a constant only: `%s` is prescribed on the whole boundary", name, pde->unknowns[velocity].name));
  diag_suggest(d, "add `mean(%s) == 0`%s", name, through_gradient ? "" : ", or prescribe the stress instead of the velocity where the fluid leaves");
}

/* An unknown without a block of its own and a vector whose divergence it is paired with: Babuska, Numer. Math. 20 (1973); Brezzi, RAIRO 8 (1974). On
 * simplices velocities of one degree more are stable with a continuous pressure (Taylor, Hood 1973), of two more with a discontinuous one. */
static void check_pair(Check *k, int u) {
  const Unknown *p = &k->pde->unknowns[u];
  int which = p->shape.rank ? -1 : tested_with_pressure(k->form, u);
  const Unknown *v = which < 0 || which == u ? NULL : &k->pde->unknowns[which];
  const Element *of_p = element_find(p->element), *of_v = v ? element_find(v->element) : NULL;
  if (!of_p || !of_v || v->shape.rank != 1 || k->pde->dim < 2) return;
  bool continuous = of_p->per_vertex > 0;
  int least = of_p->degree + (continuous ? 1 : 2);
  if (of_v->degree >= least) return;
  Diag *d = diag_report(k->diags, W0411, p->span, "`%s` in %s and `%s` in %s are no stable pair: `%s` may oscillate without bound, or the system be singular", v->name, v->element,
                        p->name, p->element, p->name);
  diag_note(d, v->span, "the inf-sup condition wants more of `%s` than this", v->name);
  char name = *of_v->name;
  if (continuous && of_p->degree > 1) diag_suggest(d, "take a lower degree for `%s`: `unknown %s : scalar %c1`, `unknown %s : vector %c2`", p->name, p->name, name, v->name, name);
  else diag_suggest(d, "write `unknown %s : vector %c%d`%s", v->name, name, least, least == 2 ? ", the pair of Taylor and Hood" : "");
}

static void check_kernels(Check *k) {
  for (int u = 0; u < k->pde->nunknowns; u++) {
    unsigned of = k->form->findings_of[u];
    if (of & FORM_SADDLE) check_pair(k, u);
    if (of & FORM_SADDLE) check_pressure(k, u);
    else if (!(of & FORM_STEADY)) continue;
    else if (of & FORM_RIGID_KERNEL) check_rigid(k, u);
    else check_constants(k, u);
  }
}

/* --- transport, backward heat --- */

static double diagonal(const Check *k, int u, int order, bool rates) {
  double sum = 0;
  for (int i = 0; i < k->form->njacobian; i++) {
    CoefTable t = {0};
    if (k->form->jacobian[i].kind == INTEGRAL_CELL) coefs_of(k->pde, k->form->jacobian[i].integrand, SYMBOL_TRIAL, INTEGRAL_CELL, i, &t);
    for (int j = 0; j < t.n; j++) {
      const Coef *c = &t.items[j];
      if (c->trial.which != u || !symbol_leads(c->test, c->trial) || symbol_order(c->test) != order || (c->trial.dt > 0) != rates) continue;
      double value = form_sample(k->pde, c->value, 1);
      if (isfinite(value)) sum += value;
    }
    coefs_free(&t);
  }
  return sum;
}

static void check_signs(Check *k) {
  for (int u = 0; u < k->pde->nunknowns; u++) {
    const Unknown *unknown = &k->pde->unknowns[u];
    unsigned of = k->form->findings_of[u];
    const Element *element = element_find(unknown->element);
    if (of & FORM_ADVECTIVE && element && !element_is_broken(element)) {    /* facet terms of a discontinuous one are its upwinding */
      Diag *d = diag_report(k->diags, W0403, unknown->span, "`%s` is transported without any diffusion: the solution may oscillate from cell to cell", unknown->name);
      diag_suggest(d, "add `stabilize: supg` to the pde, or a diffusion of %s", unknown->name);
    }
    if (!(of & FORM_STEADY) && diagonal(k, u, 0, true) < 0 && diagonal(k, u, 1, false) > 0) {
      Diag *d = diag_report(k->diags, W0404, unknown->span, "diffusion and time derivative of `%s` have signs that make the problem run backwards in time", unknown->name);
      diag_suggest(d, "write %s(%s) == div(k*grad(%s)) with a positive k", of & FORM_SECOND_ORDER_TIME ? "dtt" : "dt", unknown->name, unknown->name);
    }
  }
}

Status form_cells(const Pde *pde, const RefCell *cell, Diags *diags, Span span) {
  for (int i = 0; i < pde->nunknowns; i++) {
    const Unknown *unknown = &pde->unknowns[i];
    const Element *element = element_find(unknown->element), *same = element ? element_of(cell->shape, element->degree) : NULL;
    if (!element || unknown->by_default || element_fits(element, cell)) continue;
    Diag *d = diag_report(diags, E1020, span, "`%s` is of element %s, and the mesh has %s", unknown->name, unknown->element, cell->plural);
    diag_note(d, unknown->span, "the element is chosen here");
    const char *simplices = cell->dim == 2 ? "triangles" : "tetrahedra", *kind = cell->dim == 2 ? "quad" : "hex";
    if (cell->shape == CELL_SIMPLEX) diag_suggest(d, "write %s, or make the mesh with kind: %s", same ? same->name : "P1", kind);
    else if (element_is_broken(element)) diag_suggest(d, "discontinuous elements want %s: make the mesh without `kind:`", simplices);
    else diag_suggest(d, "write %s, or make the mesh of %s: without `kind:`", same ? same->name : "Q1 or Q2", simplices);
    return 1;
  }
  return 0;
}

Status form_check_start(const Form *form, Diags *diags) {
  Check k = {.form = form, .pde = form->pde, .diags = diags};
  for (int u = 0; u < form->pde->nunknowns; u++) {
    if (form->findings_of[u] & FORM_STEADY) continue;
    need_initial(&k, u, 0);
    if (form->findings_of[u] & FORM_SECOND_ORDER_TIME) need_initial(&k, u, 1);
  }
  return k.errors > 0;
}

Status form_check(const Form *form, const GeomGroup *groups, int ngroups, Diags *diags) {
  Check k = {.form = form, .pde = form->pde, .groups = groups, .ngroups = ngroups, .diags = diags};
  check_overlaps(&k);
  check_time(&k);
  check_kernels(&k);
  check_signs(&k);
  check_coverage(&k);
  return k.errors > 0;
}
