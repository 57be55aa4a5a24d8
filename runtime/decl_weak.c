/* Weak forms, integral terms, points, fields by region: the rarer clauses of a pde. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/element.h"
#include "builtin.h"
#include "decl_pde.h"
#include "pde_value.h"

/* --- integral(e, on: place, degree: n) as a term --- */

static const Ast *labelled(const Ast *call, const char *label) {
  for (int i = 1; i < call->n; i++)
    if (call->kid[i]->kind == AST_ARG && !strcmp(call->kid[i]->name, label)) return call->kid[i]->n ? call->kid[i]->kid[0] : NULL;
  return NULL;
}

static Value *scope_subject(Eval *ev) {
  for (Scope *s = ev->scope; s; s = s->parent)
    if (s->subject) return s->subject;
  return ev->place_subject;
}

/* Names of EXPR_INTEGRAL: the kind of place, then groups; none is the whole domain. */
static int term_names(Eval *ev, const Ast *place, Name *out, int max) {
  Interner *names = ev->host->names;
  int n = 0;
  if (!place) return 0;
  if (place->kind == AST_NAME && !strcmp(place->name, "interior")) {
    out[n++] = intern_text(names, "@interior");
    return n;
  }
  Value *v = eval_place(ev, place, scope_subject(ev));
  if (is_poison(v) || v->kind != VALUE_PLACE) {
    value_release(v);
    return -1;
  }
  if (v->where.interface[0]) {
    out[n++] = intern_text(names, "@interface");
    out[n++] = v->where.interface[0];
    out[n++] = v->where.interface[1];
  } else {
    out[n++] = intern_text(names, v->is_region ? "@cells" : "@facets");
    for (int i = 0; i < v->where.n && n < max; i++) out[n++] = v->where.names[i];
  }
  value_release(v);
  return n;
}

/* degree: 4 stands as the last name, "@degree 4". */
static bool degree_name(Eval *ev, const Ast *node, Name *out) {
  double degree = 0;
  Value *v = eval_expr(ev, node);
  bool fine = is_unknown(v) || eval_to_number(ev, v, node->span, "a quadrature degree", UNIT_NONE, &degree);
  value_release(v);
  if (fine && (degree != (int)degree || degree < 0 || degree > QUAD_MAX)) {
    diag_report(&ev->host->diags, E0506, node->span, "a quadrature degree is 0 to %d, not %g", QUAD_MAX, degree);
    fine = false;
  }
  Buf text = {0};
  buf_printf(&text, "@degree %d", (int)degree);
  *out = intern_text(ev->host->names, buf_str(&text));
  buf_free(&text);
  return fine;
}

static int degree_of_names(const Name *names, int n) {
  return n && !strncmp(names[n - 1], "@degree ", 8) ? atoi(names[n - 1] + 8) : -1;
}

Value *pde_integral_term(Eval *ev, const Ast *node, bool mean) {
  const Ast *integrand = NULL, *place = labelled(node, "on"), *degree = labelled(node, "degree");
  for (int i = 1, k = 0; i < node->n; i++) {
    if (node->kid[i]->kind == AST_ARG) continue;
    if (k++ == 0) integrand = node->kid[i];
    else if (!place) place = node->kid[i];
  }
  if (!integrand) {
    diag_report(&ev->host->diags, E0502, node->span, "an integral needs its integrand");
    return value_poison();
  }
  Value *v = eval_expr(ev, integrand);
  Deps deps = {0};
  Expr *e = is_poison(v) ? NULL : eval_to_expr(ev, v, integrand->span, &deps);
  value_release(v);
  Name names[66];
  int n = e ? term_names(ev, place, names, 65) : -1;
  if (n == 0 && degree) names[n++] = intern_text(ev->host->names, "@cells");
  if (n > 0 && degree && !degree_name(ev, degree, &names[n++])) n = -1;
  Expr *term = n < 0 ? NULL : expr_integral(ev->host->pool, e, names, n, mean);
  if (n >= 0 && !term) diag_report(&ev->host->diags, E0301, integrand->span, "an integrand is a scalar: %s", expr_error(ev->host->pool).text);
  Value *result = term ? value_field(term, &deps) : value_poison();
  deps_free(&deps);
  return result;
}

Where where_of_names(Arena *arena, const Name *names, int n, bool *on_cells) {
  Where where = {0};
  if (degree_of_names(names, n) >= 0) n--;
  const char *kind = n ? names[0] : "@cells";
  *on_cells = !strcmp(kind, "@cells");
  where.interior = !strcmp(kind, "@interior");
  if (!strcmp(kind, "@interface")) {
    where.interface[0] = names[1];
    where.interface[1] = names[2];
    return where;
  }
  where.n = n > 1 ? n - 1 : 0;
  where.names = ARENA_ARRAY(arena, Name, where.n + 1);
  for (int i = 0; i < where.n; i++) where.names[i] = names[i + 1];
  where.all = where.n == 0;
  return where;
}

/* --- weak v, q: sum of integrals == sum of integrals --- */

static void weak_push(PdeBuild *b, WeakTerm term) {
  Pde *pde = b->pde;
  WeakTerm *more = ARENA_ARRAY(b->arena, WeakTerm, pde->nweak + 1);
  if (pde->nweak) memcpy(more, pde->weak, (size_t)pde->nweak * sizeof *more);
  more[pde->nweak++] = term;
  pde->weak = more;
}

/* Takes a sum of integrals apart; factors free of integrals stay with their integrand. */
static bool weak_terms(PdeBuild *b, Expr *e, double sign, Expr *factor, Span span) {
  ExprPool *pool = b->ev->host->pool;
  if (expr_is_zero(e)) return true;
  switch (e->op) {
    case EXPR_ADD: return weak_terms(b, e->arg[0], sign, factor, span) && weak_terms(b, e->arg[1], sign, factor, span);
    case EXPR_SUB: return weak_terms(b, e->arg[0], sign, factor, span) && weak_terms(b, e->arg[1], -sign, factor, span);
    case EXPR_NEG: return weak_terms(b, e->arg[0], -sign, factor, span);
    case EXPR_MUL: {
      int k = e->arg[0]->flags & HAS_TEST ? 0 : e->arg[1]->flags & HAS_TEST ? 1 : e->arg[0]->flags & HAS_INTEGRAL ? 0 : 1;
      Expr *other = e->arg[1 - k];                      /* may be an integral itself, a number */
      if (other->flags & HAS_TEST) break;
      return weak_terms(b, e->arg[k], sign, factor ? expr_binary(pool, EXPR_MUL, factor, other) : other, span);
    }
    case EXPR_DIV:
      if (e->arg[1]->flags & HAS_TEST) break;
      Expr *inverse = expr_binary(pool, EXPR_DIV, expr_const(pool, 1, UNIT_NONE), e->arg[1]);
      return weak_terms(b, e->arg[0], sign, factor ? expr_binary(pool, EXPR_MUL, factor, inverse) : inverse, span);
    case EXPR_INTEGRAL: {
      bool on_cells;
      Where where = where_of_names(b->arena, e->names, e->index[1], &on_cells);
      Expr *integrand = expr_specialise(pool, factor ? expr_binary(pool, EXPR_MUL, factor, e->arg[0]) : e->arg[0], b->pde->dim);
      if (!integrand) break;
      where.span = span;
      weak_push(b, (WeakTerm){integrand, where, on_cells, sign, degree_of_names(e->names, e->index[1]), span});
      return true;
    }
    default: break;
  }
  Diag *d = diag_report(&b->ev->host->diags, E0209, span, "a weak form is a sum of integrals on each side");
  diag_suggest(d, "as in weak v: integral(dot(grad(u), grad(v))) == integral(f*v)");
  return false;
}

static bool name_tests(PdeBuild *b, const Ast *clause) {
  Pde *pde = b->pde;
  const Ast *phrase = clause->kind == AST_DECL ? clause->kid[0] : NULL;
  int n = phrase ? phrase->n : 1;
  if (n != pde->nunknowns) {
    diag_suggest(diag_report(&b->ev->host->diags, E0209, clause->span, "%d test function%s for %d unknown%s", n, n == 1 ? "" : "s", pde->nunknowns, pde->nunknowns == 1 ? "" : "s"),
                 "`weak` names one test function for each unknown, in order");
    return false;
  }
  for (int i = 0; i < n; i++) {
    Name name = phrase ? phrase->kid[i]->name : intern_text(b->ev->host->names, "v");
    if (!name) return false;
    Unknown *un = &pde->unknowns[i];
    Symbol s = {.kind = SYMBOL_TEST, .which = (uint16_t)i, .time = NAN};
    un->test = expr_symbol(b->ev->host->pool, s, name, un->shape, UNIT_ANY);
    Value *v = value_field(un->test, NULL);
    Slot *slot = scope_set(b->ev->scope, name, v, clause->span);
    slot->is_own = true;
    value_release(v);
  }
  return true;
}

bool pde_clause_weak(PdeBuild *b, const Ast *clause) {
  if (!name_tests(b, clause)) return false;
  const Ast *body = clause->kid[1];
  while (body && (body->kind == AST_PHRASE || body->kind == AST_PAREN) && body->n == 1) body = body->kid[0];
  if (!body || body->kind != AST_EQUATION) {
    diag_report(&b->ev->host->diags, E0209, clause->span, "a weak form is an equation between sums of integrals");
    return false;
  }
  bool fine = true;
  for (int side = 0; side < 2; side++) {
    Value *v = eval_expr(b->ev, body->kid[side]);
    Deps deps = {0};
    Expr *e = is_poison(v) ? NULL : eval_to_expr(b->ev, v, body->kid[side]->span, &deps);
    deps_union(&b->deps, &deps);
    deps_free(&deps);
    value_release(v);
    fine = fine && e && weak_terms(b, e, side ? -1 : 1, NULL, body->kid[side]->span);
  }
  return fine;
}

/* --- on point (x, y) --- */

bool pde_point(PdeBuild *b, const Ast *call, Where *where) {
  if (call->n - 1 != b->pde->dim) {
    diag_report(&b->ev->host->diags, E0301, call->span, "a point of this geometry has %d coordinates", b->pde->dim);
    return false;
  }
  where->is_point = true;
  for (int i = 0; i < b->pde->dim; i++) {
    Value *v = eval_expr(b->ev, call->kid[i + 1]);
    bool fine = eval_to_number(b->ev, v, call->kid[i + 1]->span, "a coordinate", host_length_unit(b->ev->host), &where->point[i]);
    value_release(v);
    if (!fine) return false;
  }
  return true;
}

/* "P1, P2 and P3": what there is. */
static void element_names(Buf *out) {
  for (int i = 0; i < element_count; i++) buf_printf(out, "%s%s", !i ? "" : i == element_count - 1 ? " and " : ", ", elements[i].name);
}

bool pde_unknown_element(Eval *ev, Name name, Span span) {
  static const char *const later[] = {"P0", "P4", "DG2", "RT1", "N1curl1", "Q3"};
  for (size_t i = 0; i < sizeof later / sizeof *later; i++)
    if (!strcmp(name, later[i])) {
      Buf there = {0};
      element_names(&there);
      diag_suggest(diag_report(&ev->host->diags, E0900, span, "the element %s is not in this build", name), "%s are", buf_str(&there));
      buf_free(&there);
      return true;
    }
  Name names[16];
  int n = 0;
  for (int i = 0; i < element_count && n < 16; i++) names[n++] = elements[i].name;
  Diag *d = diag_report(&ev->host->diags, E0211, span, "`%s` is no element", name);
  /* CG2 and Lagrange2, as UFL has them */
  size_t family = !strncmp(name, "CG", 2) ? 2 : !strncmp(name, "Lagrange", 8) ? 8 : 0;
  char lagrange[] = {'P', family ? name[family] ? name[family] : '1' : 0, 0};
  Name near = nearest_name(family && !name[family + (name[family] != 0)] ? lagrange : name, names, n);
  Buf there = {0};
  element_names(&there);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else diag_suggest(d, "elements are %s", buf_str(&there));
  buf_free(&there);
  return false;
}

/* --- fields by region --- */

typedef struct RegionUse { Name name; Span span; } RegionUse;

static bool region_named(const Ast *node, void *user) {
  RegionUse *use = user;
  if (node->kind == AST_NAME && node->name == use->name && !use->span.start) use->span = node->span;
  return true;
}

/* Where a field by region names that region: in the declaration of a field of these scopes, else the pde. */
static Span region_use(PdeBuild *b, Name name) {
  for (Scope *s = b->ev->scope; s; s = s->parent)
    for (int i = 0; i < s->n; i++) {
      const Slot *slot = &s->slots[i];
      RegionUse use = {name, {0, 0}};
      if (slot->value->kind != VALUE_FIELD || !(slot->value->expr->flags & HAS_REGIONS) || !slot->decl) continue;
      ast_walk(slot->decl, region_named, &use);
      if (use.span.start) return use.span;
    }
  return b->pde->span;
}

static bool regions_of(PdeBuild *b, Expr *e, Expr **seen, int *nseen) {
  if (!(e->flags & HAS_REGIONS)) return true;
  for (int i = 0; i < *nseen; i++)
    if (seen[i] == e) return true;
  if (*nseen < 256) seen[(*nseen)++] = e;
  bool fine = true;
  for (int i = 0; e->op == EXPR_REGIONS && i < e->n; i++) {
    if (!e->names[i]) continue;
    const GeomGroup *groups;
    int n = place_groups(b->geometry, &groups), m = 0;
    bool known = false;                      /* a part that other shapes touch is a boundary and a region */
    for (int k = 0; k < n; k++) known |= groups[k].is_region && !strcmp(groups[k].name, e->names[i]);
    if (!known) {
      Diag *d = diag_report(&b->ev->host->diags, E0204, region_use(b, e->names[i]), "the geometry of `%s` has no region `%s`", b->pde->name, e->names[i]);
      Name *names = malloc((size_t)(n + 1) * sizeof *names);
      for (int k = 0; k < n; k++)
        if (groups[k].is_region) names[m++] = groups[k].name;
      Name near = nearest_name(e->names[i], names, m);
      free(names);
      if (near) diag_suggest(d, "did you mean `%s`?", near);
      else diag_suggest(d, "declare it in the geometry: region %s = where ...", e->names[i]);
      diag_note(d, b->pde->span, "the pde is here");
      fine = false;
    }
  }
  for (int i = 0; i < e->n; i++) fine &= regions_of(b, e->arg[i], seen, nseen);
  return fine;
}

bool pde_check_regions(PdeBuild *b) {
  Expr *seen[256];
  int n = 0;
  bool fine = true;
  for (int i = 0; i < b->pde->nequations; i++) fine &= regions_of(b, b->pde->equations[i].left, seen, &n) & regions_of(b, b->pde->equations[i].right, seen, &n);
  for (int i = 0; i < b->pde->nweak; i++) fine &= regions_of(b, b->pde->weak[i].integrand, seen, &n);
  for (int i = 0; i < b->pde->nconditions; i++) fine &= regions_of(b, b->pde->conditions[i].right, seen, &n);
  return fine;
}
