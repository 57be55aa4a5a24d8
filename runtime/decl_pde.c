/* pde NAME(parameters) on GEOMETRY { clauses } -> Pde. Clauses are read in the order of the text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../numerics/element.h"
#include "builtin.h"
#include "decl_pde.h"
#include "eval.h"
#include "pde_value.h"

#define PUSH(b, array, count, type) (*(type *)grow((b)->arena, (void **)&(b)->pde->array, &(b)->pde->count, sizeof(type)))

/* Appends one zeroed entry to an arena array whose capacity is the next power of two. */
static void *grow(Arena *arena, void **array, int *n, size_t size) {
  if ((*n & (*n - 1)) == 0) {
    void *more = arena_alloc(arena, size * (size_t)(*n ? 2 * *n : 1));
    if (*n) memcpy(more, *array, size * (size_t)*n);
    *array = more;
  }
  return (char *)*array + size * (size_t)(*n)++;
}

/* --- values in clauses --- */

static Expr *specialised(PdeBuild *b, Value *v, Span span) {
  Deps deps = {0};
  Expr *e = eval_to_expr(b->ev, v, span, &deps);
  if (e) {
    Expr *s = expr_specialise(b->ev->host->pool, e, b->pde->dim);
    if (!s) {
      ExprError error = expr_error(b->ev->host->pool);
      if (error.kind == EXPR_DIMENSION)
        diag_suggest(diag_report(&b->ev->host->diags, E0301, span, "%s", error.text), "the geometry of `%s` has %s", b->pde->name, b->pde->dim == 1 ? "x alone" : b->pde->dim == 2 ? "x and y" : "x, y and z");
      else diag_report(&b->ev->host->diags, E0301, span, "in %d dimensions: %s", b->pde->dim, error.text);
    }
    e = s;
  }
  deps_union(&b->deps, &deps);
  deps_free(&deps);
  return e;
}

static Expr *field_of(PdeBuild *b, const Ast *node) {
  Value *v = eval_expr(b->ev, node);
  Expr *e = is_poison(v) ? NULL : specialised(b, v, node->span);
  value_release(v);
  return e;
}

static const Ast *bare(const Ast *node) {
  while (node->kind == AST_PAREN || (node->kind == AST_UNARY && node->op == OP_NEG)) node = node->kid[0];
  return node;
}

/* The way out of a mismatch of units: the bracket that a number lacks, or the unit of the factor that is missing. */
static void suggest_unit(Diag *d, const Ast *eq, Unit left, Unit right) {
  const Ast *a = bare(eq->kid[0]), *b = bare(eq->kid[1]);
  const Ast *number = unit_is_none(right) && b->kind == AST_NUMBER ? b : unit_is_none(left) && a->kind == AST_NUMBER ? a : NULL;
  Buf unit = {0};
  unit_print_short(&unit, number ? number == b ? left : right : unit_div(left, right));
  if (number) diag_suggest(d, "write `%s [%s]`", number->text, buf_str(&unit));
  else if (a->kind == AST_NAME) diag_suggest(d, "prescribe a value in the unit of `%s`", a->name);
  else diag_suggest(d, "the right side lacks a factor in %s", buf_str(&unit));
  buf_free(&unit);
}

static void suggest_shape(Diag *d, int dim, Shape left, Shape right) {
  if (left.rank == 1 && right.rank == 1) diag_suggest(d, "in %d dimension%s a vector has %d component%s", dim, dim == 1 ? "" : "s", dim, dim == 1 ? "" : "s");
  else if (left.rank + right.rank == 1) diag_suggest(d, "a vector is written %s; 0 fits every shape", dim == 3 ? "(a, b, c)" : "(a, b)");
  else diag_suggest(d, "both sides have one shape; 0 fits every one");
}

/* Both sides of an equation: shapes and units agree, or the message names both. */
static bool sides_agree(PdeBuild *b, const Ast *eq, Expr *left, Expr *right) {
  Diags *diags = &b->ev->host->diags;
  bool zero = expr_is_zero(left) || expr_is_zero(right);
  if (!zero && !shape_fits(left->shape, right->shape)) {
    Buf l = {0}, r = {0};
    shape_print(&l, left->shape);
    shape_print(&r, right->shape);
    Diag *d = diag_report(diags, E0301, eq->span, "left is a %s, right is a %s", buf_str(&l), buf_str(&r));
    diag_note(d, eq->kid[0]->span, "a %s", buf_str(&l));
    diag_note(d, eq->kid[1]->span, "a %s", buf_str(&r));
    suggest_shape(d, b->pde->dim, left->shape, right->shape);
    buf_free(&l);
    buf_free(&r);
    return false;
  }
  if (zero || unit_fits(left->unit, right->unit)) return true;
  Buf l = {0}, r = {0};
  unit_print(&l, left->unit);
  unit_print(&r, right->unit);
  Diag *d = diag_report(diags, E0302, eq->span, "left carries %s, right carries %s", unit_is_none(left->unit) ? "no unit" : buf_str(&l), unit_is_none(right->unit) ? "no unit" : buf_str(&r));
  diag_note(d, eq->kid[0]->span, unit_is_none(left->unit) ? "carries no unit" : "carries %s", buf_str(&l));
  diag_note(d, eq->kid[1]->span, unit_is_none(right->unit) ? "carries no unit" : "carries %s", buf_str(&r));
  suggest_unit(d, eq, left->unit, right->unit);
  buf_free(&l);
  buf_free(&r);
  return false;
}

static bool equation_sides(PdeBuild *b, const Ast *eq, Expr **left, Expr **right) {
  *left = field_of(b, eq->kid[0]);
  *right = field_of(b, eq->kid[1]);
  return *left && *right && sides_agree(b, eq, *left, *right);
}

static const Ast *as_equation(PdeBuild *b, const Ast *node, const char *what) {
  while (node->kind == AST_PAREN || (node->kind == AST_PHRASE && node->n == 1) || node->kind == AST_EXPR) node = node->kid[0];
  if (node->kind == AST_EQUATION) return node;
  Diag *d = diag_report(&b->ev->host->diags, E0209, node->span, "%s is an equation: left == right", what);
  if (node->kind == AST_ASSIGN) diag_suggest(d, "`=` gives a name a value; an equation is written with `==`");
  return NULL;
}

/* --- unknowns --- */

static const char *const shape_words[] = {"scalar", "vector", "tensor", "number"};

/* `scalar`, `vector P2`, `scalar P1 [K]`: words of the phrase after the colon. */
static bool unknown_type(PdeBuild *b, const Ast *phrase, Shape *shape, Name *element, Unit *unit, bool *has_unit, bool *number) {
  *shape = SHAPE_SCALAR;
  *element = NULL;
  *unit = UNIT_NONE;
  *has_unit = *number = false;
  bool shaped = false;
  for (int i = 0; i < phrase->n; i++) {
    const Ast *item = phrase->kid[i];
    if (item->kind == AST_INDEX && item->n == 2) {
      UnitScale scale;
      if (!eval_unit(b->ev, item->kid[1], &scale)) return false;
      *unit = scale.unit;
      *has_unit = true;
      item = item->kid[0];
    }
    if (item->kind != AST_NAME) {
      diag_suggest(diag_report(&b->ev->host->diags, E0209, item->span, "an unknown is scalar, vector or tensor, of an element"), "as in `unknown u : vector P2`");
      return false;
    }
    if (!shaped) {
      int d = b->pde->dim;
      if (!strcmp(item->name, "scalar")) *shape = SHAPE_SCALAR;
      else if (!strcmp(item->name, "number")) *number = true;
      else if (!strcmp(item->name, "vector")) *shape = shape_vector(d);
      else if (!strcmp(item->name, "tensor")) *shape = shape_tensor(d, d);
      else {
        Diag *g = diag_report(&b->ev->host->diags, E0209, item->span, "`%s` is no shape of an unknown", item->name);
        Name near = nearest_name(item->name, shape_words, 4);
        diag_suggest(g, near ? "did you mean `%s`?" : "it is scalar, vector or tensor, or a number", near);
        return false;
      }
      shaped = true;
    } else {
      *element = item->name;
      if (!element_find(item->name) && !pde_unknown_element(b->ev, item->name, item->span)) return false;
    }
  }
  return true;
}

static bool clause_unknown(PdeBuild *b, const Ast *clause) {
  Shape shape;
  Name element;
  Unit unit;
  bool has_unit, number;
  if (!clause->kid[1] || !(clause->flags & AST_WITH_COLON)) {
    diag_suggest(diag_report(&b->ev->host->diags, E0209, clause->span, "an unknown needs its shape"), "as in `unknown u : scalar P1`");
    return false;
  }
  if (!unknown_type(b, clause->kid[1], &shape, &element, &unit, &has_unit, &number)) {
    for (int i = 0; i < clause->kid[0]->n; i++) {      /* the names are known, so that nothing more is said about them */
      Value *nothing = value_poison();
      if (clause->kid[0]->kid[i]->kind == AST_NAME) scope_set(b->ev->scope, clause->kid[0]->kid[i]->name, nothing, clause->span);
      value_release(nothing);
    }
    return false;
  }
  if (number) return pde_numbers(b, clause->kid[0], unit, has_unit);
  for (int i = 0; i < clause->kid[0]->n; i++) {
    const Ast *item = clause->kid[0]->kid[i];
    if (item->kind != AST_NAME) continue;
    int which = b->pde->nunknowns;
    Unit u = has_unit ? unit : b->ev->host->uses_units ? (which < b->ninferred ? b->inferred[which] : UNIT_ANY) : UNIT_NONE;
    Unknown *un = &PUSH(b, unknowns, nunknowns, Unknown);
    Symbol s = {.kind = SYMBOL_UNKNOWN, .which = (uint16_t)which, .time = NAN}, t = {.kind = SYMBOL_TEST, .which = (uint16_t)which, .time = NAN};
    *un = (Unknown){.name = item->name, .shape = shape, .element = element ? element : intern_text(b->ev->host->names, "P1"), .by_default = !element, .unit = u, .span = item->span};
    un->symbol = expr_symbol(b->ev->host->pool, s, item->name, shape, u);
    Buf test = {0};
    buf_printf(&test, b->pde->nunknowns == 1 ? "v" : "v_%s", item->name);
    un->test = expr_symbol(b->ev->host->pool, t, intern_text(b->ev->host->names, buf_str(&test)), shape, UNIT_NONE);
    buf_free(&test);
    Value *v = value_field(un->symbol, NULL);
    Slot *slot = scope_set(b->ev->scope, item->name, v, item->span);
    slot->is_own = true;
    value_release(v);
  }
  return true;
}

static int unknown_named(const Pde *pde, Name name) {
  for (int i = 0; i < pde->nunknowns; i++)
    if (pde->unknowns[i].name == name) return i;
  return -1;
}

static bool report_no_unknown(PdeBuild *b, Name name, Span span) {
  Name names[16];
  int n = 0;
  for (int i = 0; i < b->pde->nunknowns && n < 16; i++) names[n++] = b->pde->unknowns[i].name;
  Diag *d = diag_report(&b->ev->host->diags, E0205, span, "`%s` is no unknown of this pde", name);
  Name near = nearest_name(name, names, n);
  if (near || n) diag_suggest(d, near ? "did you mean `%s`?" : "an unknown is `%s`", near ? near : names[0]);
  return false;
}

/* --- equations --- */

static void find_integrals(Expr *e, unsigned *outside, unsigned *inside) {
  if (e->op == EXPR_INTEGRAL) {
    *inside |= e->arg[0]->flags;
    return;
  }
  if (!(e->flags & HAS_INTEGRAL)) {      /* flags are those of all leaves: a shared part is not walked again and again */
    *outside |= e->flags;
    return;
  }
  for (int i = 0; i < e->n; i++) find_integrals(e->arg[i], outside, inside);
}

/* mean(p) == 0, integral(u) == 3: nothing but integrals, numbers and params. */
static bool is_constraint(Expr *left, Expr *right) {
  unsigned outside = 0, inside = 0;
  find_integrals(left, &outside, &inside);
  find_integrals(right, &outside, &inside);
  return (inside & HAS_UNKNOWN) && !(outside & (HAS_UNKNOWN | HAS_COORD | HAS_TIME | HAS_FIELD));
}

static int unknown_inside(Expr *e) {
  if (!(e->flags & HAS_UNKNOWN)) return -1;
  if (e->op == EXPR_SYMBOL && e->symbol.kind == SYMBOL_UNKNOWN) return e->symbol.which;
  for (int i = 0; i < e->n; i++) {
    int k = unknown_inside(e->arg[i]);
    if (k >= 0) return k;
  }
  return -1;
}

static bool clause_equation(PdeBuild *b, const Ast *eq, int unknown) {
  Expr *left, *right;
  if (!equation_sides(b, eq, &left, &right)) return false;
  if (unknown < 0 && is_constraint(left, right)) {
    int k = unknown_inside(left);
    if (k < 0) k = unknown_inside(right);
    PUSH(b, constraints, nconstraints, Constraint) = (Constraint){left, right, k, eq->span};
    return true;
  }
  if (unknown < 0) {
    if (b->pde->nunknowns != 1) {
      Diag *d = diag_report(&b->ev->host->diags, E0209, eq->span, b->pde->nunknowns ? "of several unknowns each equation says whose it is" : "an equation before the unknowns");
      int k = unknown_inside(left);
      if (b->pde->nunknowns) diag_suggest(d, "write `equation %s: ...`", b->pde->unknowns[k < 0 ? 0 : k].name);
      else diag_suggest(d, "begin with `unknown u : scalar P1`");
      return false;
    }
    unknown = 0;
  }
  Shape shape = expr_is_zero(left) ? right->shape : left->shape;
  if (!shape_fits(shape, b->pde->unknowns[unknown].shape) && !(expr_is_zero(left) && expr_is_zero(right))) {
    Buf have = {0}, want = {0};
    shape_print(&have, shape);
    shape_print(&want, b->pde->unknowns[unknown].shape);
    Diag *d = diag_report(&b->ev->host->diags, E0405, eq->span, "the equation of `%s` is a %s, as `%s` is; this is a %s", b->pde->unknowns[unknown].name, buf_str(&want), b->pde->unknowns[unknown].name, buf_str(&have));
    if (b->pde->nunknowns > 1) diag_suggest(d, "it is the equation of the unknown that it is labelled with: is the label right?");
    else if (!b->pde->unknowns[unknown].shape.rank) diag_suggest(d, "a scalar equation has a divergence around a vector: div(k*grad(%s))", b->pde->unknowns[unknown].name);
    else diag_suggest(d, "declare `%s` with that shape, or write an equation of a %s", b->pde->unknowns[unknown].name, buf_str(&want));
    buf_free(&have);
    buf_free(&want);
    return false;
  }
  PUSH(b, equations, nequations, Equation) = (Equation){unknown, left, right, eq->span};
  return true;
}

static bool clause_labelled(PdeBuild *b, const Ast *clause) {
  const Ast *head = clause->kid[0];
  if (head->n != 1 || head->kid[0]->kind != AST_NAME || !clause->kid[1]) {
    diag_suggest(diag_report(&b->ev->host->diags, E0209, clause->span, "an equation is labelled by its unknown"), "write `equation u: left == right`");
    return false;
  }
  int k = unknown_named(b->pde, head->kid[0]->name);
  Global *number = k < 0 ? pde_global_named(b->pde, head->kid[0]->name) : NULL;
  if (number) {
    const Ast *eq = as_equation(b, clause->kid[1], "`equation`");
    number->span = eq ? eq->span : number->span;
    return eq && equation_sides(b, eq, &number->left, &number->right);
  }
  if (k < 0) return report_no_unknown(b, head->kid[0]->name, head->kid[0]->span);
  const Ast *eq = as_equation(b, clause->kid[1], "`equation`");
  return eq && clause_equation(b, eq, k);
}

/* --- conditions --- */

static bool place_list(PdeBuild *b, const Ast *phrase, Where *where, bool *rest) {
  Arena *arena = b->arena;
  *where = (Where){.span = phrase->span};
  Name names[64];
  int n = 0;
  for (int i = 0; i < phrase->n; i++) {
    const Ast *item = phrase->kid[i];
    if (item->kind == AST_NAME && !strcmp(item->name, "others")) {
      where->others = *rest = true;
      continue;
    }
    if (item->kind == AST_CALL && item->kid[0]->kind == AST_NAME && !strcmp(item->kid[0]->name, "point")) {
      if (!pde_point(b, item, where)) return false;
      continue;
    }
    if (item->kind == AST_NAME && !strcmp(item->name, "interior")) {
      where->interior = true;
      continue;
    }
    Value *place = eval_place(b->ev, item, b->geometry);
    if (is_poison(place)) {
      value_release(place);
      return false;
    }
    if (place->kind != VALUE_PLACE || place->is_region) {
      diag_suggest(diag_report(&b->ev->host->diags, E0203, item->span, "a condition holds on a boundary; this is %s %s", place->kind == VALUE_PLACE ? "region" : value_article(place), value_kind_name(place)), "name the boundary, or write a field by region for coefficients");
      value_release(place);
      return false;
    }
    if (place->where.all) where->all = *rest = true;
    for (int k = 0; k < 2; k++) where->interface[k] = place->where.interface[k];
    for (int k = 0; k < place->where.n && n < 64; k++) names[n++] = place->where.names[k];
    value_release(place);
  }
  if (where->others) n = 0;     /* what stands beside `others` is among them; conditions_resolve takes away what other clauses name */
  where->names = ARENA_ARRAY(arena, Name, n ? n : 1);
  if (n) memcpy(where->names, names, (size_t)n * sizeof *names);
  where->n = n;
  return true;
}

/* where NULL: nowhere, as was reported; what is wrong in the equation is said as well. */
static bool one_condition(PdeBuild *b, const Ast *node, const Where *where, bool rest) {
  const Ast *eq = as_equation(b, node, "a condition");
  Expr *left, *right;
  if (!eq || !equation_sides(b, eq, &left, &right) || !where) return false;
  Condition *c = &PUSH(b, conditions, nconditions, Condition);
  *c = (Condition){.unknown = -1, .component = -1, .left = left, .right = right, .where = *where, .order = b->pde->nconditions - 1, .by_rest = rest, .flux = -1, .span = eq->span};
  return true;
}

static bool clause_on(PdeBuild *b, const Ast *clause) {
  Where where;
  bool rest = false;
  const Where *at = place_list(b, clause->kid[0], &where, &rest) ? &where : NULL;
  const Ast *body = clause->kid[1];
  if (body->kind != AST_BLOCK) return one_condition(b, body, at, rest);
  bool fine = at != NULL;
  for (int i = 0; i < body->n; i++)
    if (body->kid[i]) fine &= one_condition(b, body->kid[i], at, rest);
  return fine;
}

static bool clause_initially(PdeBuild *b, const Ast *node) {
  const Ast *eq = as_equation(b, node, "`initially`");
  Expr *left, *right;
  if (!eq || !equation_sides(b, eq, &left, &right)) return false;
  Initial init = {.unknown = -1, .component = -1, .value = right, .span = eq->span};
  Expr *e = left;
  if (e->op == EXPR_DT) {
    init.dt = 1;
    e = e->arg[0];
  }
  if (e->op == EXPR_COMPONENT) {
    init.component = e->index[0];
    e = e->arg[0];
  }
  if (e->op == EXPR_SYMBOL && e->symbol.kind == SYMBOL_UNKNOWN) init.unknown = e->symbol.which;
  if (init.unknown < 0) {
    diag_suggest(diag_report(&b->ev->host->diags, E0209, eq->kid[0]->span, "an initial condition gives an unknown its value"), "write `initially: %s == ...`", b->pde->nunknowns ? b->pde->unknowns[0].name : "u");
    return false;
  }
  PUSH(b, initials, ninitials, Initial) = init;
  return true;
}

static bool clause_initially_block(PdeBuild *b, const Ast *block) {
  bool fine = true;
  for (int i = 0; i < block->n; i++)
    if (block->kid[i]) fine &= clause_initially(b, block->kid[i]);
  return fine;
}

static bool clause_periodic(PdeBuild *b, const Ast *clause) {
  const Ast *phrase = clause->kid[0];
  const Ast *pair = phrase->n == 1 ? phrase->kid[0] : NULL;
  if (!pair || pair->kind != AST_BINARY || pair->op != OP_TO) {
    diag_suggest(diag_report(&b->ev->host->diags, E0209, clause->span, "`periodic` joins two boundaries"), "write `periodic left to right`");
    return false;
  }
  Where ends[2];
  for (int i = 0; i < 2; i++) {
    Value *place = eval_place(b->ev, pair->kid[i], b->geometry);
    if (is_poison(place)) {
      value_release(place);
      return false;
    }
    ends[i] = (Where){.n = place->where.n, .names = ARENA_ARRAY(b->arena, Name, place->where.n ? place->where.n : 1), .span = pair->kid[i]->span};
    for (int k = 0; k < place->where.n; k++) ends[i].names[k] = place->where.names[k];
    value_release(place);
  }
  PUSH(b, periodics, nperiodics, Periodic) = (Periodic){ends[0], ends[1], clause->span};
  return true;
}

/* --- names inside --- */

static bool clause_field(PdeBuild *b, const Ast *clause) {
  Eval *ev = b->ev;
  return decl_field(ev, clause) == FLOW_NEXT;
}

static bool clause_name(PdeBuild *b, const Ast *clause) {
  const Ast *target = clause->kid[0];
  if (target->kind != AST_NAME && target->kind != AST_TUPLE) {
    diag_suggest(diag_report(&b->ev->host->diags, E0209, target->span, "`=` gives a name a value; this is no name"), "an equation or a condition is written with `==`");
    return false;
  }
  return eval_statement(b->ev, clause, NULL) == FLOW_NEXT;
}

/* --- the clause table --- */

typedef bool (*ClauseRun)(PdeBuild *, const Ast *);
static const struct { const char *word; ClauseRun run; } clauses[] = {
    {"unknown", clause_unknown}, {"field", clause_field}, {"equation", clause_labelled}, {"weak", pde_clause_weak}, {"periodic", clause_periodic},
};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

static bool report_clause(PdeBuild *b, const Ast *node) {
  static const char *const words[] = {"unknown", "field", "equation", "weak", "periodic", "on", "initially"};
  Diag *d = diag_report(&b->ev->host->diags, E0202, node->span, "a pde has no clause `%s`", node->name ? node->name : "of this form");
  Name near = node->name ? nearest_name(node->name, words, 7) : NULL;
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else diag_suggest(d, "it has unknown, field, equation, weak, on, initially, periodic, and equations");
  return false;
}

static bool clause_stabilize(PdeBuild *b, const Ast *node) {
  const Ast *how = node->kid[1];
  while ((how->kind == AST_PHRASE || how->kind == AST_PAREN || how->kind == AST_EXPR) && how->n == 1) how = how->kid[0];
  if (how->kind != AST_NAME || strcmp(how->name, "supg")) {
    diag_suggest(diag_report(&b->ev->host->diags, E0209, node->span, "`stabilize` names a method that is known"), "write `stabilize: supg`");
    return false;
  }
  b->pde->stabilize = true;
  b->pde->stabilize_span = node->span;
  return true;
}

static bool clause_option(PdeBuild *b, const Ast *node) {
  const Ast *word = node->kid[0];
  if (word->kind == AST_NAME && !strcmp(word->name, "initially")) return clause_initially(b, node->kid[1]);
  if (word->kind == AST_NAME && !strcmp(word->name, "weak")) return pde_clause_weak(b, node);
  if (word->kind == AST_NAME && !strcmp(word->name, "stabilize")) return clause_stabilize(b, node);
  static const char *const words[] = {"initially", "weak", "unknown", "stabilize"};
  Diag *d = diag_report(&b->ev->host->diags, E0202, word->span, "a pde has no option `%s`", word->kind == AST_NAME ? word->name : "...");
  Name near = word->kind == AST_NAME ? nearest_name(word->name, words, 4) : NULL;
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  return false;
}

static bool clause_bare(PdeBuild *b, const Ast *node) {
  const Ast *e = node->kid[0];
  if (e->kind == AST_EQUATION) return clause_equation(b, e, -1);
  Diag *d = diag_report(&b->ev->host->diags, E0207, e->span, "this line states nothing");
  if (e->kind == AST_UNARY || e->kind == AST_BINARY) diag_suggest(d, "does it continue the equation above? then end that line with the operator");
  else if (e->kind == AST_CALL) diag_suggest(d, "an equation is left == right; calls such as print(...) stand outside of the pde");
  else diag_suggest(d, "an equation is left == right");
  return false;
}

static bool clause(PdeBuild *b, const Ast *node) {
  switch (node->kind) {
    case AST_EXPR: return clause_bare(b, node);
    case AST_ON: return clause_on(b, node);
    case AST_ASSIGN: return clause_name(b, node);
    case AST_OPTION: return clause_option(b, node);
    case AST_DECL:
      for (int i = 0; i < CLAUSES; i++)
        if (!strcmp(node->name, clauses[i].word)) return clauses[i].run(b, node);
      if (!strcmp(node->name, "fn")) return decl_fn(b->ev, node) == FLOW_NEXT;
      return report_clause(b, node);
    case AST_OPTIONS: return !strcmp(node->name, "initially") ? clause_initially_block(b, node->kid[0]) : report_clause(b, node);
    case AST_ASSERT:
    case AST_IF: return eval_statement(b->ev, node, NULL) == FLOW_NEXT;
    default: return report_clause(b, node);
  }
}

bool pde_clauses(PdeBuild *b, const Ast *block) {
  bool fine = true;
  for (int i = 0; i < block->n; i++)
    if (block->kid[i]) fine &= clause(b, block->kid[i]);
  return pde_number_rates(b, block) && fine;
}

/* The unit of an unknown that declares none: that of its first Dirichlet or initial value. */
void pde_infer_units(PdeBuild *b) {
  for (int k = 0; k < b->pde->nunknowns && k < PDE_UNKNOWNS_MAX; k++) {
    b->inferred[k] = UNIT_NONE;
    bool found = false;
    for (int i = 0; i < b->pde->nconditions && !found; i++) {
      const Condition *c = &b->pde->conditions[i];
      bool direct = c->left->op == EXPR_SYMBOL || (c->left->op == EXPR_COMPONENT && c->left->arg[0]->op == EXPR_SYMBOL);
      if (!direct || unknown_inside(c->left) != k || c->right->unit.any) continue;
      b->inferred[k] = c->right->unit;
      found = true;
    }
    for (int i = 0; i < b->pde->ninitials && !found; i++) {
      if (b->pde->initials[i].unknown != k || b->pde->initials[i].dt || b->pde->initials[i].value->unit.any) continue;
      b->inferred[k] = b->pde->initials[i].value->unit;
      found = true;
    }
    if (!b->pde->unknowns[k].unit.any) b->inferred[k] = b->pde->unknowns[k].unit;
  }
  b->ninferred = b->pde->nunknowns;
}
