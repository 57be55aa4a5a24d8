#include "pde_facts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/element.h"
#include "../numerics/solver.h"
#include "builtin.h"

/* --- the solver, by the rules --- */

static const NamedRow solvers[] = {
#define SOLVER(name, method, preconditioner, package, store, title, doc) {name, title, doc},
#include "../numerics/solver.def"
#undef SOLVER
};
static const NamedRow schemes[] = {
#define SCHEME(name, order, family, levels, title, doc) {#name, title, doc},
#include "../numerics/scheme.def"
#undef SCHEME
};

const NamedRow *solver_docs(int *n) {
  *n = sizeof solvers / sizeof *solvers;
  return solvers;
}

const NamedRow *scheme_docs(int *n) {
  *n = sizeof schemes / sizeof *schemes;
  return schemes;
}

/* Can its mesh be a grid? A combined shape is meshed by Gmsh. */
static bool has_grids(const PdeValue *p) {
  const Value *geometry = value_geometry(p->geometry);
  if (geometry->kind == VALUE_MESH) return geometry->mesh && geometry->mesh->structured[0] > 0;
  const GeomNode *root = geometry->kind == VALUE_GEOMETRY ? geom_root(geometry->geom) : NULL;
  return root && root->op == GEOM_PRIMITIVE && (!strcmp(root->row->name, "interval") || !strcmp(root->row->name, "rectangle") || !strcmp(root->row->name, "box"));
}

/* Does geometric multigrid fit the equations? What multigrid_fits asks, as far as it is known without a mesh. */
static bool fits_grids(const PdeValue *p) {
  const Pde *pde = p->pde;
  const Element *element = element_find(pde->unknowns[0].element);
  if (pde->nunknowns != 1 || !(p->form->findings & FORM_LINEAR) || !element || element->degree > 2 || element_is_broken(element)) return false;
  for (int i = 0; i < p->form->njacobian; i++)
    if (p->form->jacobian[i].integrand->flags & (HAS_PREVIOUS | HAS_HOST)) return false;
  return has_grids(p);
}

/* A line about solvers. `grid`: only on a grid, and there instead of what stands above. */
typedef struct SolverFact { SolverRange range; bool grid; } SolverFact;

enum { SOLVER_FACTS = 12 };

/* The rules of solver.def for one process. What a mesh adds is not known yet: h: makes triangles, cells: a grid. */
static int solver_facts(const PdeValue *p, SolverFact out[SOLVER_FACTS]) {
  const Pde *pde = p->pde;
  if (p->form->findings & FORM_EIGENVALUE) return 0;
  SolverClass of = {.findings = p->form->findings, .dim = pde->dim, .nblocks = pde->nunknowns, .components = shape_size(pde->unknowns[0].shape, pde->dim),
                    .joined = form_joins_cells(p->form->jacobian, p->form->njacobian), .bordered = pde->nconstraints + pde->nglobals > 0, .reused = !(p->form->findings & FORM_STEADY), .nranks = 1};
  SolverRange ranges[SOLVER_FACTS];
  int found = 0;
  for (int grid = 0; grid <= fits_grids(p); grid++) {
    of.grids = grid;
    int n = solver_ranges(of, ranges, SOLVER_FACTS);
    for (int i = 0; i < n && found < SOLVER_FACTS; i++)
      if (!grid || !strcmp(solver_row(ranges[i].solver)->preconditioner, "mg")) out[found++] = (SolverFact){ranges[i], grid};
  }
  return found;
}

/* --- conditions side by side --- */

static void source_text(Buf *out, const Host *host, Span span) {
  const Source *source = source_of(host->sources, span);
  if (!source) return;
  const char *text = source->text + (span.start - source->base);
  bool blank = false;
  for (uint32_t i = 0; i < span.end - span.start; i++) {     /* on one line */
    bool space = text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
    if (!space) {
      if (blank && out->len) buf_putc(out, ' ');
      buf_putc(out, text[i]);
    }
    blank = space;
  }
}

/* An equation without a flux asks for no condition. */
static bool has_flux(const Form *form, int unknown) {
  for (int i = 0; i < form->nfluxes; i++)
    if (form->fluxes[i].unknown == unknown) return true;
  return form->nfluxes == 0;     /* a weak form names none */
}

/* What holds on a side for an unknown: one condition, or one a component. */
static void condition_text(Buf *out, const Host *host, const PdeValue *p, const GeomGroup *groups, int n, int group, int unknown) {
  const Pde *pde = p->pde;
  int components = shape_size(pde->unknowns[unknown].shape, pde->dim), last = -3;
  for (int c = 0; c < components; c++) {
    int found = form_coverage(p->form, groups, n, group, unknown, c);
    if (found == last) continue;
    if (c) buf_puts(out, ", ");
    if (found == -2) buf_puts(out, "periodic");
    else if (found < 0) buf_puts(out, has_flux(p->form, unknown) ? "zero flux (no condition)" : "-");
    else source_text(out, host, pde->conditions[found].span);
    last = found;
  }
}

static bool names(const Where *where, Name group) {
  for (int k = 0; k < where->n; k++)
    if (!strcmp(where->names[k], group)) return true;
  return false;
}

static bool mentioned(const Pde *pde, Name group) {
  for (int i = 0; i < pde->nconditions; i++)
    if (names(&pde->conditions[i].where, group)) return true;
  return false;
}

/* Boundaries that conditions name, and the sides that none of these is made of. */
static bool listed(const Pde *pde, const GeomGroup *groups, int n, const GeomGroup *group) {
  if (group->is_region) return false;
  if (!group->is_side) return mentioned(pde, group->name);
  if (mentioned(pde, group->name)) return true;
  for (int g = 0; g < n; g++)
    for (int k = 0; k < groups[g].nmembers; k++)
      if (!groups[g].is_side && !strcmp(groups[g].members[k], group->name) && mentioned(pde, groups[g].name)) return false;
  return true;
}

static const char *shown_name(const GeomGroup *group) { return group->bare ? group->bare : group->name; }

static void print_conditions(Buf *out, const Host *host, const PdeValue *p) {
  const GeomGroup *groups;
  int n = place_groups(p->geometry, &groups);
  size_t wide = 8, column[16];
  const Pde *pde = p->pde;
  int columns = pde->nunknowns < 16 ? pde->nunknowns : 16;
  for (int u = 0; u < columns; u++) column[u] = strlen(pde->unknowns[u].name);
  for (int pass = 0; pass < 2; pass++) {     /* widths, then text */
    if (pass) {
      buf_printf(out, "  %-*s", (int)wide, "boundary");
      for (int u = 0; u < columns; u++) buf_printf(out, u + 1 < columns ? "  %-*s" : "  %.*s", u + 1 < columns ? (int)column[u] : 64, pde->unknowns[u].name);
      buf_putc(out, '\n');
    }
    for (int g = 0; g < n; g++) {
      if (!listed(pde, groups, n, &groups[g])) continue;
      const char *name = shown_name(&groups[g]);
      if (strlen(name) > wide) wide = strlen(name);
      if (pass) buf_printf(out, "  %-*s", (int)wide, name);
      for (int u = 0; u < columns; u++) {
        Buf cell = {0};
        condition_text(&cell, host, p, groups, n, g, u);
        if (cell.len > column[u]) column[u] = cell.len;
        if (pass) buf_printf(out, "  %-*s", u + 1 < columns ? (int)column[u] : 0, buf_str(&cell));
        buf_free(&cell);
      }
      if (pass) buf_putc(out, '\n');
    }
  }
}

/* --- findings --- */

static void null_space_text(Buf *out, const PdeValue *p) {
  static const struct { unsigned finding; const char *text; } kinds[] = {
    {FORM_CONSTANT_KERNEL, "constants of"}, {FORM_RIGID_KERNEL, "rigid motions of"}, {FORM_PRESSURE_KERNEL, "constants, where the velocity is prescribed all around, of"}};
  for (int u = 0; u < p->pde->nunknowns; u++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      if (p->form->findings_of && (p->form->findings_of[u] & kinds[k].finding)) buf_printf(out, "%s%s %s", out->len ? ", " : "", kinds[k].text, p->pde->unknowns[u].name);
}

static const char *time_words(unsigned f) {
  return f & FORM_STEADY ? "steady" : f & FORM_SECOND_ORDER_TIME ? "second order in time" : "first order in time";
}

static void unknown_text(Buf *out, const Unknown *u) {
  buf_printf(out, "%s: ", u->name);
  shape_print(out, u->shape);
  buf_printf(out, " %s", u->element);
  if (unit_is_none(u->unit) || u->unit.any) return;
  buf_puts(out, " [");
  unit_print_short(out, u->unit);
  buf_putc(out, ']');
}

static void nonlocal_text(Buf *out, const Pde *pde) {
  int n = 0;
  for (int i = 0; i < pde->nglobals; i++)
    if (!pde->globals[i].declared) buf_printf(out, "%s%s", n++ ? ", " : "  nonlocal    ", pde->globals[i].name);
  if (n) buf_puts(out, n > 1 ? ": unknown numbers, a row and a column of the matrix each\n" : ": an unknown number, a row and a column of the matrix\n");
}

static void size_text(Buf *out, const SolverRange *range) {
  if (range->from == 0 && range->to == LONG_MAX) buf_puts(out, "any size");
  else if (range->to == LONG_MAX) buf_printf(out, "from %ld dofs", range->from);
  else if (range->from == 0) buf_printf(out, "to %ld dofs", range->to);
  else buf_printf(out, "%ld to %ld dofs", range->from, range->to);
}

void pde_facts_print(Buf *out, const Host *host, const PdeValue *p) {
  const Pde *pde = p->pde;
  if (!p->form) {
    buf_printf(out, "pde %s: not analysed, see the errors\n", pde->name);
    return;
  }
  unsigned f = p->form->findings;
  buf_printf(out, "pde %s  (%dD, %s, %s, %s)\n", pde->name, pde->dim, f & FORM_LINEAR ? "linear" : "nonlinear", f & FORM_SYMMETRIC ? "symmetric" : "not symmetric", time_words(f));
  buf_puts(out, "  unknowns    ");
  for (int u = 0; u < pde->nunknowns; u++) {
    if (u) buf_puts(out, ", ");
    unknown_text(out, &pde->unknowns[u]);
  }
  for (int i = 0; i < pde->nglobals; i++)
    if (pde->globals[i].declared) buf_printf(out, ", %s: number", pde->globals[i].name);
  buf_putc(out, '\n');
  nonlocal_text(out, pde);
  Buf kernel = {0};
  null_space_text(&kernel, p);
  if (f & FORM_SADDLE) buf_puts(out, "  structure   saddle point\n");
  if (f & FORM_EIGENVALUE) buf_puts(out, "  structure   eigenvalue problem\n");
  buf_printf(out, "  null space  %s\n", !kernel.len ? "none" : buf_str(&kernel));
  if (kernel.len && !p->failed) buf_puts(out, "              of the equations alone; the conditions fix them\n");
  buf_free(&kernel);
  for (int u = 0, n = 0; p->form->stabilised && u < p->pde->nunknowns; u++)
    if (p->form->stabilised >> u & 1)
      buf_printf(out, n++ ? ", %s" : "  stabilised  by SUPG: the equation of %s", p->pde->unknowns[u].name);
  if (p->form->stabilised) buf_putc(out, '\n');
  int named = 0;                                 /* a binding without a name keeps alive what the pde reads */
  for (int i = 0; i < p->nbindings; i++) {
    if (!p->bindings[i].name) continue;
    buf_printf(out, named++ ? ", %s = " : "  parameters  %s = ", p->bindings[i].name);
    expr_print(out, p->bindings[i].value, EXPR_TEXT);
  }
  if (named) buf_putc(out, '\n');
  SolverFact facts[SOLVER_FACTS];
  int n = solver_facts(p, facts);
  for (int i = 0; i < n; i++) {
    buf_printf(out, "%s%s, ", i ? "              " : "  solver      ", facts[i].range.solver);
    size_text(out, &facts[i].range);
    buf_printf(out, "%s: %s\n", facts[i].grid ? " on a grid (cells:) that can be halved" : "", facts[i].range.why);
  }
  print_conditions(out, host, p);
}

/* --- the same as data --- */

static Json *conditions_json(const Host *host, const PdeValue *p) {
  const GeomGroup *groups;
  int n = place_groups(p->geometry, &groups);
  Json *list = json_array();
  for (int g = 0; g < n; g++) {
    if (!listed(p->pde, groups, n, &groups[g])) continue;
    Json *row = json_object(), *of = json_object();
    for (int u = 0; u < p->pde->nunknowns; u++) {
      Buf cell = {0};
      condition_text(&cell, host, p, groups, n, g, u);
      json_put(of, p->pde->unknowns[u].name, json_string(buf_str(&cell)));
      buf_free(&cell);
    }
    json_put(row, "boundary", json_string(groups[g].name));
    json_put(row, "conditions", of);
    json_append(list, row);
  }
  return list;
}

static Json *unknowns_json(const Pde *pde) {
  Json *list = json_array();
  for (int u = 0; u < pde->nunknowns; u++) {
    const Unknown *un = &pde->unknowns[u];
    Buf shape = {0}, unit = {0};
    shape_print(&shape, un->shape);
    unit_print_short(&unit, un->unit);
    Json *node = json_object();
    json_put(node, "name", json_string(un->name));
    json_put(node, "shape", json_string(buf_str(&shape)));
    json_put(node, "element", json_string(un->element));
    json_put(node, "unit", json_string(unit.len ? buf_str(&unit) : NULL));
    json_append(list, node);
    buf_free(&shape);
    buf_free(&unit);
  }
  return list;
}

static Json *solvers_json(const PdeValue *p) {
  SolverFact facts[SOLVER_FACTS];
  int n = solver_facts(p, facts);
  Json *list = json_array();
  for (int i = 0; i < n; i++) {
    Json *node = json_object();
    json_put(node, "from_dofs", json_number((double)facts[i].range.from));
    json_put(node, "to_dofs", facts[i].range.to == LONG_MAX ? json_null() : json_number((double)facts[i].range.to));
    json_put(node, "solver", json_string(facts[i].range.solver));
    json_put(node, "why", json_string(facts[i].range.why));
    json_put(node, "grid", json_bool(facts[i].grid));
    json_append(list, node);
  }
  return list;
}

Json *pde_facts_json(const Host *host, const PdeValue *p) {
  Json *node = json_object();
  json_put(node, "name", json_string(p->pde->name));
  json_put(node, "ok", json_bool(!p->failed));
  json_put(node, "dimension", json_number(p->pde->dim));
  json_put(node, "unknowns", unknowns_json(p->pde));
  if (!p->form) return node;
  unsigned f = p->form->findings;
  json_put(node, "linear", json_bool(f & FORM_LINEAR));
  json_put(node, "symmetric", json_bool(f & FORM_SYMMETRIC));
  json_put(node, "steady", json_bool(f & FORM_STEADY));
  json_put(node, "time_order", json_number(f & FORM_STEADY ? 0 : f & FORM_SECOND_ORDER_TIME ? 2 : 1));
  Json *numbers = json_array();
  for (int i = 0; i < p->pde->nglobals; i++) json_append(numbers, json_string(p->pde->globals[i].name));
  json_put(node, "numbers", numbers);
  json_put(node, "saddle_point", json_bool(f & FORM_SADDLE));
  json_put(node, "eigenvalue", json_bool(f & FORM_EIGENVALUE));
  Buf kernel = {0};
  null_space_text(&kernel, p);
  json_put(node, "null_space", json_string(kernel.len ? buf_str(&kernel) : NULL));
  buf_free(&kernel);
  json_put(node, "conditions", conditions_json(host, p));
  json_put(node, "solvers", solvers_json(p));
  return node;
}
