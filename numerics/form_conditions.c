/* Conditions: which prescribe an unknown, which a flux, and of what equation; `all` yields to names; natural data become facet terms. */
#include <stdio.h>
#include <string.h>

#include "form_internal.h"

/* --- prescribed values --- */

/* u or u.x: an unknown or one component of it. */
static bool is_target(const Pde *pde, Expr *e, int *unknown, int *component) {
  Expr *symbol = e->op == EXPR_COMPONENT ? e->arg[0] : e;
  if (symbol->op != EXPR_SYMBOL || symbol->symbol.kind != SYMBOL_UNKNOWN) return false;
  *unknown = symbol->symbol.which;
  *component = -1;
  if (e->op != EXPR_COMPONENT) return true;
  if (e->shape.rank) return false;                /* a row of a tensor */
  *component = 0;
  for (int k = 0; k < symbol->shape.rank; k++) *component = *component*shape_size((Shape){1, {symbol->shape.extent[k], 0, 0}}, pde->dim) + e->index[k];
  return true;
}

bool form_is_zero(Expr *e) {
  double value;
  return expr_is_zero(e) || (e->shape.rank == 0 && expr_is_const(e, &value) && value == 0);
}

static Status report_shape(Build *b, Span span, const char *what, Shape found, Shape expected) {
  Buf f = {0}, x = {0};
  shape_print(&f, found);
  shape_print(&x, expected);
  diag_report(b->diags, E0411, span, "the value for `%s` is a %s; a %s is expected", what, buf_str(&f), buf_str(&x));
  buf_free(&f);
  buf_free(&x);
  return 1;
}

static Status check_value(Build *b, Span span, const char *what, Expr **value, Shape shape, Unit unit) {
  if (form_is_zero(*value)) {
    *value = expr_zero(b->pool, shape);
    return 0;
  }
  if (!shape_fits((*value)->shape, shape)) return report_shape(b, span, what, (*value)->shape, shape);
  if (!unit_fits((*value)->unit, unit)) {
    Buf f = {0}, x = {0};
    unit_print(&f, (*value)->unit);
    unit_print(&x, unit);
    diag_report(b->diags, E0411, span, "the value for `%s` has the unit %s; %s is expected", what, buf_str(&f), buf_str(&x));
    buf_free(&f);
    buf_free(&x);
    return 1;
  }
  return 0;
}

const char *unknown_component_text(const Pde *pde, int unknown, int component, char out[80]) {
  const Unknown *u = &pde->unknowns[unknown];
  static const char axes[] = "xyz";
  if (component < 0 || u->shape.rank == 0) snprintf(out, 80, "%s", u->name);
  else if (u->shape.rank == 1 && u->shape.extent[0] <= 3) snprintf(out, 80, "%s.%c", u->name, axes[component]);
  else if (u->shape.rank == 1) snprintf(out, 80, "%s[%d]", u->name, component);
  else snprintf(out, 80, "%s[%d, %d]", u->name, component/u->shape.extent[1], component % u->shape.extent[1]);
  return out;
}

typedef struct Without { Expr *number; } Without;

static Expr *without_number(ExprPool *pool, Expr *leaf, void *user) {
  return leaf == ((Without *)user)->number ? expr_zero(pool, SHAPE_SCALAR) : leaf;
}

/* u == V + a(x) with an unknown number V. */
static Status numbered(Build *b, Condition *c, const char *name, Expr *value) {
  const Pde *pde = b->pde;
  const Unknown *u = &pde->unknowns[c->unknown];
  Expr *s = value->shape.rank ? NULL : expr_scalar(b->pool, value, 0, b->dim), *slope;
  double one;
  c->kind = CONDITION_NUMBER;
  for (c->number = 0; s && c->number < pde->nglobals; c->number++) {
    Expr *symbol = pde->globals[c->number].symbol;
    slope = expr_diff(b->pool, s, symbol);
    if (!pde->globals[c->number].declared || !slope || !expr_is_const(slope, &one) || one != 1) continue;
    c->value = expr_substitute(b->pool, value, without_number, &(Without){symbol});
    if (!c->value || pde_has_globals(pde, c->value)) break;
    if (c->where.is_point || c->where.interior) {
      diag_report(b->diags, E0412, c->span, "an unknown number is the value of `%s` on a boundary, not %s", name, c->where.is_point ? "at a point" : "between all cells");
      return 1;
    }
    return check_value(b, c->span, name, &c->value, SHAPE_SCALAR, u->unit);
  }
  Diag *d = diag_report(b->diags, E0412, c->span, "the value prescribed for `%s` depends on the unknowns", name);
  diag_suggest(d, "an unknown number may stand in it as a summand, `%s == V` or `%s == V + x`, of one component", name, name);
  return 1;
}

static Status dirichlet(Build *b, Condition *c, Expr *value) {
  char name[80];
  const Unknown *u = &b->pde->unknowns[c->unknown];
  unknown_component_text(b->pde, c->unknown, c->component, name);
  c->kind = CONDITION_DIRICHLET;
  c->flux = -1;
  if (value->flags & HAS_UNKNOWN) {
    diag_suggest(diag_report(b->diags, E0412, c->span, "the value prescribed for `%s` depends on an unknown", name),
                 "a prescribed value is known beforehand; a relation between unknowns is written as a flux condition, or with a penalty in weak form");
    return 1;
  }
  if (value->flags & HAS_NORMAL) {
    diag_report(b->diags, E0412, c->span, "the value prescribed for `%s` contains the normal n, which nodes at corners do not have; write it by components", name);
    return 1;
  }
  if (pde_has_globals(b->pde, value)) return numbered(b, c, name, value);
  c->value = value;
  return check_value(b, c->span, name, &c->value, c->component < 0 ? u->shape : SHAPE_SCALAR, u->unit);
}

/* --- natural conditions --- */

/* dot(F, n) by components at scalar level. */
static Expr *flux_component(Build *b, const Flux *f, int k) {
  Expr *Fn = build_binary(b, EXPR_DOT, f->flux, expr_normal(b->pool, b->dim));
  return Fn ? expr_scalar(b->pool, Fn, k, b->dim) : NULL;
}

static Shape flux_shape(const Flux *f) {        /* of dot(F, n) */
  Shape s = f->flux->shape;
  s.extent[--s.rank] = 0;
  return s;
}

typedef struct Match { int flux, component; Expr *factor; } Match;

/* G == factor*dot(F, n), all components with one factor. */
static bool matches_whole(Build *b, Expr *G, const Flux *f, Expr **factor) {
  int n = shape_size(flux_shape(f), b->dim);
  *factor = NULL;
  for (int k = 0; k < n; k++) {
    Expr *g = expr_scalar(b->pool, G, k, b->dim), *F = flux_component(b, f, k), *ratio;
    if (!g || !F || expr_is_zero(g) != expr_is_zero(F)) return false;
    if (expr_is_zero(g)) continue;
    if (*factor) {
      Expr *scaled = expr_binary(b->pool, EXPR_MUL, *factor, F);
      if (!scaled || !form_identical(g, scaled)) return false;
    } else if (form_proportional(b->pool, g, F, &ratio)) {
      *factor = ratio;
    } else {
      return false;
    }
  }
  return *factor != NULL;
}

static bool match_flux(Build *b, Expr *G, Match *out) {
  if (!(G->flags & HAS_NORMAL)) return false;
  for (int i = 0; i < b->form->nfluxes; i++) {
    const Flux *f = &b->form->fluxes[i];
    Shape s = flux_shape(f);
    if (shape_fits(G->shape, s)) {
      Expr *factor;
      if (matches_whole(b, G, f, &factor)) return *out = (Match){i, f->component, factor}, true;
    } else if (G->shape.rank == 0) {
      Expr *g = expr_scalar(b->pool, G, 0, b->dim), *factor;
      for (int k = 0; g && k < shape_size(s, b->dim); k++) {
        Expr *F = flux_component(b, f, k);
        if (F && !expr_is_zero(F) && form_proportional(b->pool, g, F, &factor)) return *out = (Match){i, k, factor}, true;
      }
    }
  }
  return false;
}

bool conditions_match_flux(Build *b, Expr *G, int *flux, int *component, Expr **factor) {
  Match match;
  if (!match_flux(b, G, &match)) return false;
  *flux = match.flux, *component = match.component, *factor = match.factor;
  return true;
}

/* Additive terms of e, signs inside. */
static int collect_terms(Build *b, Expr *e, bool negative, Expr **out, int n, int max) {
  if (e->op == EXPR_ADD || e->op == EXPR_SUB) {
    n = collect_terms(b, e->arg[0], negative, out, n, max);
    return collect_terms(b, e->arg[1], negative != (e->op == EXPR_SUB), out, n, max);
  }
  if (e->op == EXPR_NEG) return collect_terms(b, e->arg[0], !negative, out, n, max);
  if (n < max && !expr_is_zero(e)) out[n++] = negative ? expr_unary(b->pool, EXPR_NEG, e) : e;
  return n;
}

static Expr *sum_of(Build *b, Expr *const *terms, const bool *taken, bool which, int n) {
  Expr *sum = NULL;
  for (int i = 0; i < n; i++)
    if (taken[i] == which) sum = sum ? build_binary(b, EXPR_ADD, sum, terms[i]) : terms[i];
  return sum;
}

/* Finds dot(F, n) in left == right: a whole side; all terms with n and an unknown; one term. data: what it equals. */
static bool find_flux(Build *b, const Condition *c, Match *match, Expr **data) {
  enum { MAX = 64 };
  Expr *terms[MAX];
  bool taken[MAX];
  if (match_flux(b, c->left, match)) return *data = c->right, true;
  if (match_flux(b, c->right, match)) return *data = c->left, true;
  int n = collect_terms(b, c->left, false, terms, 0, MAX);
  n = collect_terms(b, c->right, true, terms, n, MAX);
  for (int only = -1; only < n && n < MAX; only++) {
    for (int i = 0; i < n; i++) taken[i] = only < 0 ? (terms[i]->flags & HAS_NORMAL && terms[i]->flags & HAS_UNKNOWN) : i == only;
    Expr *G = sum_of(b, terms, taken, true, n), *rest = sum_of(b, terms, taken, false, n);
    if (!G || !match_flux(b, G, match)) continue;
    *data = rest ? build_unary(b, EXPR_NEG, rest) : expr_zero(b->pool, SHAPE_SCALAR);
    return true;
  }
  return false;
}

/* dot(F, n) as one writes it for this flux. */
static void print_trace(Buf *out, const Pde *pde, const Flux *f) {
  static const char axes[] = "xyz";
  if (f->op == EXPR_DX) {
    bool sum = f->written->op == EXPR_ADD || f->written->op == EXPR_SUB;
    buf_puts(out, sum ? "(" : "");
    pde_print_expr(out, pde, f->written);
    buf_printf(out, "%s*n.%c", sum ? ")" : "", axes[f->axis]);
    return;
  }
  bool cross = f->op == EXPR_CURL && f->flux->shape.rank == 2 && f->written->shape.rank == 1;
  buf_puts(out, cross ? "cross(n, " : "dot(");
  pde_print_expr(out, pde, cross ? f->written : f->flux);
  buf_puts(out, cross ? ")" : ", n)");
}

static Status report_no_flux(Build *b, const Condition *c) {
  const Pde *pde = b->pde;
  bool normal = (c->left->flags | c->right->flags) & HAS_NORMAL;
  if (!normal) {
    Diag *d = diag_report(b->diags, E0415, c->span, "this prescribes neither an unknown nor a flux");
    Buf trace = {0};
    for (int i = 0; i < b->form->nfluxes && !trace.len; i++)
      if (b->form->fluxes[i].op != EXPR_ADD) print_trace(&trace, b->form->pde, &b->form->fluxes[i]);
    if (trace.len) diag_suggest(d, "write `%s == value`, or give the flux: `%s == value`", pde->unknowns[0].name, buf_str(&trace));
    else diag_suggest(d, "write `%s == value`; the equations have no flux", pde->unknowns[0].name);
    buf_free(&trace);
    return 1;
  }
  Buf text = {0}, first = {0};
  int n = 0;
  for (int i = 0; i < b->form->nfluxes; i++) {
    const Flux *f = &b->form->fluxes[i];
    if (f->op == EXPR_ADD) continue;
    Buf trace = {0};
    print_trace(&trace, pde, f);
    buf_printf(&text, "%s%s (of %s)", n++ ? ", " : "", buf_str(&trace), pde->unknowns[f->unknown].name);
    if (!first.len) buf_puts(&first, buf_str(&trace));
    buf_free(&trace);
  }
  Diag *d = diag_report(b->diags, E0410, c->span, n ? "the condition names no flux of the equations; `%s` has %s" : "the condition names a flux, and `%s` has none%s",
                        pde->name, buf_str(&text));
  if (n) diag_suggest(d, "write `%s == ...`", buf_str(&first));
  else diag_suggest(d, "only the argument of an outermost div, lap, curl, dx, dy or dz is integrated by parts and leaves a flux");
  buf_free(&text);
  buf_free(&first);
  return 1;
}

/* dot(u, n), cross(u, n), cross(n, u): the normal or tangential part of a vector unknown. */
static bool is_part(Expr *e, int *unknown, ConditionKind *kind, bool *turned) {
  if (e->op != EXPR_DOT && e->op != EXPR_CROSS) return false;
  for (int k = 0; k < 2; k++) {
    Expr *u = e->arg[k];
    if (u->op != EXPR_SYMBOL || u->symbol.kind != SYMBOL_UNKNOWN || u->shape.rank != 1 || e->arg[1 - k]->op != EXPR_NORMAL) continue;
    *unknown = u->symbol.which;
    *kind = e->op == EXPR_DOT ? CONDITION_NORMAL : CONDITION_TANGENTIAL;
    *turned = e->op == EXPR_CROSS && k == 1;
    return true;
  }
  return false;
}

static Status part(Build *b, Condition *c, Expr *which, Expr *value, bool turned) {
  const Unknown *u = &b->pde->unknowns[c->unknown];
  char name[96];
  snprintf(name, sizeof name, "%s(%s, n)", c->kind == CONDITION_NORMAL ? "dot" : "cross", u->name);
  if (value->flags & HAS_UNKNOWN || pde_has_globals(b->pde, value)) {
    diag_suggest(diag_report(b->diags, E0412, c->span, "the value prescribed for `%s` depends on an unknown", name), "a prescribed value is known beforehand");
    return 1;
  }
  if (c->where.is_point || c->where.interior) {
    diag_report(b->diags, E0412, c->span, "`%s` cannot be prescribed %s: there is no one normal", name, c->where.is_point ? "at a point" : "between all cells");
    return 1;
  }
  TRY(check_value(b, c->span, name, &value, which->shape, u->unit));
  c->value = turned && !expr_is_zero(value) ? build_unary(b, EXPR_NEG, value) : value;
  return c->value == NULL;
}

/* On an interface jump(F, n) = dot(F1, n1) + dot(F2, n2) is what the two sides' boundary terms add up to: it is matched as dot(F, n) on a side is. */
static bool jump_to_trace(Build *b, Condition *c) {
  Expr **side[2] = {&c->left, &c->right};
  for (int k = 0; k < 2; k++) {
    Expr *e = *side[k];
    if (e->op != EXPR_JUMP || e->n != 2 || e->arg[1]->op != EXPR_NORMAL) continue;
    *side[k] = build_binary(b, EXPR_DOT, e->arg[0], e->arg[1]);
    return *side[k] != NULL;
  }
  return false;
}

bool condition_cuts(const Condition *c) {
  const Expr *sides[2] = {c->left, c->right};
  bool normal = false;
  if (!c->where.interface[0] || c->kind == CONDITION_NORMAL || c->kind == CONDITION_TANGENTIAL) return false;
  for (int k = 0; k < 2; k++) {
    if (sides[k]->op == EXPR_JUMP && sides[k]->n == 2) return false;
    normal |= (sides[k]->flags & HAS_NORMAL) != 0;
  }
  return normal;
}

static Status natural(Build *b, Condition *c) {
  const Pde *pde = b->pde;
  Match match;
  Expr *data, *difference = build_binary(b, EXPR_SUB, c->left, c->right);
  if (!difference) {
    diag_report(b->diags, E0411, c->span, "the two sides of the condition do not fit: %s", b->why.text);
    return 1;
  }
  if (pde->nweak) {
    Diag *d = diag_report(b->diags, E0414, c->span, "a weak form has its fluxes in its boundary integrals; conditions beside it prescribe unknowns");
    diag_suggest(d, "add `integral(g*v, on: ...)` to the weak form");
    return 1;
  }
  Condition trace = *c;                              /* c stays as written: forms are derived again */
  bool jumps = c->where.interface[0] && jump_to_trace(b, &trace);
  if (!find_flux(b, &trace, &match, &data)) return report_no_flux(b, c);
  const Flux *f = &b->form->fluxes[match.flux];
  char name[80];
  if (c->where.is_point) {
    diag_report(b->diags, E0412, c->span, "a flux cannot be prescribed at a point");
    return 1;
  }
  if (c->where.interface[0] && !jumps && !condition_cuts(c)) return report_no_flux(b, c);
  if (c->where.interior) {
    diag_report(b->diags, E0900, c->span, "flux conditions between all cells are not in this build");
    return 1;
  }
  c->kind = CONDITION_NATURAL;
  c->unknown = f->unknown;
  c->component = match.component;
  c->flux = match.flux;
  double factor;
  bool plain = expr_is_const(match.factor, &factor) && factor == 1;
  c->value = plain || form_is_zero(data) ? data : build_binary(b, EXPR_DIV, data, match.factor);
  bool scalar = c->component >= 0;
  Shape shape = scalar ? SHAPE_SCALAR : flux_shape(f);
  if (!c->value) return 1;
  snprintf(name, sizeof name, "flux of %s", pde->unknowns[f->unknown].name);
  return check_value(b, c->span, name, &c->value, shape, UNIT_ANY);
}

static Status classify(Build *b, Condition *c) {
  int u, k;
  b->failed = false;
  if (form_is_zero(c->left)) c->left = expr_zero(b->pool, SHAPE_SCALAR);
  if (form_is_zero(c->right)) c->right = expr_zero(b->pool, SHAPE_SCALAR);
  bool left = is_target(b->pde, c->left, &u, &k), right = !left && is_target(b->pde, c->right, &u, &k);
  Expr *other = left ? c->right : c->left;
  bool robin = other->flags & HAS_UNKNOWN && other->flags & HAS_NORMAL;      /* dot(F, n) == u prescribes a flux */
  ConditionKind kind;
  bool turned, part_left = is_part(c->left, &u, &kind, &turned), part_right = !part_left && is_part(c->right, &u, &kind, &turned);
  Match match;
  Expr *data;
  if ((part_left || part_right) && (b->pde->nweak || !find_flux(b, c, &match, &data))) {
    c->unknown = u;
    c->kind = kind;
    c->component = c->flux = -1;
    return part(b, c, part_left ? c->left : c->right, part_left ? c->right : c->left, turned);
  }
  if ((!left && !right) || robin) return natural(b, c);
  c->unknown = u;
  c->component = k;
  return dirichlet(b, c, other);
}

/* --- several conditions on one boundary --- */

static bool is_rest(const Condition *c) { return !c->where.is_point && (c->where.all || c->where.others); }
static bool is_named(const Condition *c) { return !c->where.is_point && !is_rest(c) && c->where.n > 0; }

static bool is_vector_part(const Condition *c) { return c->kind == CONDITION_NORMAL || c->kind == CONDITION_TANGENTIAL; }

static bool components_meet(const Condition *a, const Condition *c) {
  return a->unknown == c->unknown && (a->component < 0 || c->component < 0 || a->component == c->component);
}

/* Two fluxes of one equation may both be prescribed, unless one is their sum. */
bool conditions_compete(const Form *form, const Condition *a, const Condition *c) {
  if (!components_meet(a, c)) return false;
  if (is_vector_part(a) && is_vector_part(c) && a->kind != c->kind) return false;      /* normal and tangential part: the whole vector */
  if (a->kind != CONDITION_NATURAL || c->kind != CONDITION_NATURAL || a->flux == c->flux) return true;
  return form->fluxes[a->flux].op == EXPR_ADD || form->fluxes[c->flux].op == EXPR_ADD;
}

static Status check_pairs(Build *b) {
  Pde *pde = b->pde;
  Status status = 0;
  for (int j = 1; j < pde->nconditions; j++)
    for (int i = 0; i < j; i++) {
      const Condition *a = &pde->conditions[i], *c = &pde->conditions[j];
      const char *common = is_rest(a) && is_rest(c) ? "every boundary" : NULL;
      if (!conditions_compete(b->form, a, c)) continue;
      for (int k = 0; is_named(a) && is_named(c) && k < a->where.n; k++)
        for (int l = 0; l < c->where.n; l++)
          if (a->where.names[k] == c->where.names[l]) common = a->where.names[k];
      if (!common) continue;
      char name[80];
      unknown_component_text(pde, c->unknown, a->component < 0 ? c->component : a->component, name);
      Diag *d = diag_report(b->diags, E0413, c->span, "two conditions for `%s` on %s", name, common);
      diag_note(d, a->span, "the other is here");
      diag_suggest(d, "on a boundary each component of an unknown has one condition");
      status = 1;
    }
  return status;
}

static int add_names(const Where *w, Name *out, int n, int max) {
  for (int k = 0; k < w->n; k++) {
    bool known = false;
    for (int l = 0; l < n; l++) known |= out[l] == w->names[k];
    if (!known && n < max) out[n++] = w->names[k];
  }
  return n;
}

/* Names of the clauses to which condition i yields for one component, `all` to those of that component, `others` to those of that unknown; and periodic
 * sides. */
static int yields_to(Build *b, int i, int component, Name *out, int max) {
  const Pde *pde = b->pde;
  Condition probe = pde->conditions[i];
  int n = probe.where.others ? add_names(&probe.where, out, 0, max) : 0;
  probe.component = component;
  for (int k = 0; k < pde->nperiodics; k++) {
    n = add_names(&pde->periodics[k].from, out, n, max);
    n = add_names(&pde->periodics[k].to, out, n, max);
  }
  for (int j = 0; j < pde->nconditions; j++) {
    const Condition *c = &pde->conditions[j];
    bool beside = probe.where.others ? c->unknown == probe.unknown : conditions_compete(b->form, &probe, c);
    if (j != i && is_named(c) && beside) n = add_names(&c->where, out, n, max);
  }
  return n;
}

static void take_away(Build *b, Condition *c, const Name *names, int n) {
  if (!n) return;
  c->where.all = false;
  c->where.others = true;
  c->where.names = ARENA_ARRAY(b->pde->arena, Name, n);
  memcpy(c->where.names, names, (size_t)n*sizeof *names);
  c->where.n = n;
}

/* Condition c restricted to one component, as if written so. */
static Condition restricted(Build *b, Condition c, int component) {
  Expr **sides[3] = {&c.left, &c.right, &c.value};
  for (int k = 0; k < 3; k++) *sides[k] = build_component(b, *sides[k], component);
  c.component = component;
  return c;
}

/* `all` yields to a name component by component, `others` unknown by unknown. */
static void yield_to_names(Build *b) {
  enum { MAX = 256 };
  Pde *pde = b->pde;
  int total = 0, n = 0;
  for (int i = 0; i < pde->nconditions; i++) total += shape_size(pde->unknowns[pde->conditions[i].unknown].shape, b->dim);
  Condition *all = ARENA_ARRAY(pde->arena, Condition, total + 1);
  for (int i = 0; i < pde->nconditions; i++) {
    Condition c = pde->conditions[i];
    if (!is_rest(&c)) {
      all[n++] = c;
      continue;
    }
    int size = c.component >= 0 || is_vector_part(&c) ? 1 : shape_size(pde->unknowns[c.unknown].shape, b->dim), counts[81] = {0};
    Name names[9][MAX];
    bool same = true;
    for (int k = 0; k < size && k < 9; k++) {
      counts[k] = yields_to(b, i, c.component >= 0 || is_vector_part(&c) ? c.component : k, names[k], MAX);
      same &= counts[k] == counts[0] && !memcmp(names[k], names[0], (size_t)counts[k]*sizeof(Name));
    }
    for (int k = 0; k < (same ? 1 : size); k++) {
      all[n] = same ? c : restricted(b, c, k);
      take_away(b, &all[n++], names[k], counts[k]);
    }
  }
  pde->conditions = all;
  pde->nconditions = n;
}

/* --- natural data as terms --- */

static Status facet_term(Build *b, int index) {
  const Condition *c = &b->pde->conditions[index];
  const Flux *f = &b->form->fluxes[c->flux];
  if (expr_is_zero(c->value)) return 0;
  bool row = c->component >= 0 && f->component < 0 && f->test->shape.rank;
  Expr *test = row ? build_component(b, f->test, c->component) : f->test, *factor = f->factor;
  double value;
  if (condition_cuts(c)) test = build_unary(b, EXPR_JUMP, test);      /* n is the outward normal of the first side, and minus that of the second */
  Expr *e = build_product(b, c->value, test);
  if (e && !(expr_is_const(factor, &value) && value == 1)) e = build_binary(b, EXPR_MUL, factor, e);
  if (!e) {
    diag_report(b->diags, E0411, c->span, "the prescribed flux does not fit its test function: %s", b->why.text);
    return 1;
  }
  FormTerm *t = build_term(b, c->unknown, condition_cuts(c) ? INTEGRAL_INTERIOR : INTEGRAL_FACET, 1, e, c->span);
  t->where = c->where;
  t->source = index;
  return 0;
}

static Status check_initials(Build *b) {
  Status status = 0;
  char name[80];
  for (int i = 0; i < b->pde->ninitials; i++) {
    Initial *in = &b->pde->initials[i];
    const Unknown *u = &b->pde->unknowns[in->unknown];
    Unit unit = u->unit;
    unknown_component_text(b->pde, in->unknown, in->component, name);
    for (int k = 0; k < in->dt; k++) unit = unit_div(unit, b->pde->time);
    if (in->value->flags & HAS_UNKNOWN) {
      diag_report(b->diags, E0412, in->span, "the initial value of `%s` depends on an unknown", name);
      status = 1;
      continue;
    }
    status |= check_value(b, in->span, name, &in->value, in->component < 0 ? u->shape : SHAPE_SCALAR, unit);
  }
  return status;
}

/* The mesh is cut for all unknowns: each says what goes through. */
static Status check_cuts(Build *b) {
  const Pde *pde = b->pde;
  for (int i = 0; i < pde->nconditions; i++) {
    const Condition *c = &pde->conditions[i];
    if (!condition_cuts(c)) continue;
    for (int u = 0; u < pde->nunknowns; u++) {
      bool said = false;
      for (int j = 0; j < pde->nconditions && !said; j++) {
        const Where *w = &pde->conditions[j].where;
        said = pde->conditions[j].unknown == u && condition_cuts(&pde->conditions[j]) && w->interface[0] &&
               ((!strcmp(w->interface[0], c->where.interface[0]) && !strcmp(w->interface[1], c->where.interface[1])) ||
                (!strcmp(w->interface[0], c->where.interface[1]) && !strcmp(w->interface[1], c->where.interface[0])));
      }
      if (said) continue;
      Diag *d = diag_report(b->diags, E1070, pde->unknowns[u].span, "`%s` has no flux on interface(%s, %s), where another unknown jumps", pde->unknowns[u].name, c->where.interface[0], c->where.interface[1]);
      diag_note(d, c->span, "the mesh is cut there by this condition, for all unknowns of the pde");
      diag_suggest(d, "give the flux of `%s` through the interface too, as a function of jump(%s), or solve for it in a pde of its own", pde->unknowns[u].name, pde->unknowns[u].name);
      return 1;
    }
  }
  return 0;
}

Status conditions_resolve(Build *b) {
  Pde *pde = b->pde;
  Status status = check_initials(b);
  for (int i = 0; i < pde->nconditions; i++) status |= classify(b, &pde->conditions[i]);
  if (status) return status;
  TRY(check_pairs(b));
  TRY(check_cuts(b));
  yield_to_names(b);
  for (int i = 0; i < pde->nconditions; i++)
    if (pde->conditions[i].kind == CONDITION_NATURAL) status |= facet_term(b, i);
  return status;
}
