/* Structures in the symbols of a space of laws. */
#include "structure_law.h"

#include <math.h>
#include <string.h>

typedef struct Build { const LawSpace *space; const StructureLanguage *language; } Build;

static Expr *number(const Build *b, double value) { return expr_const(b->space->pool, value, UNIT_NONE); }
static Expr *times(const Build *b, Expr *a, Expr *c) { return !a ? c : expr_binary(b->space->pool, EXPR_MUL, a, c); }

static Expr *derivative(const Build *b, Expr *e, const unsigned char d[2]) {
  for (int axis = 1; axis >= 0; axis--)
    for (int k = 0; k < d[axis]; k++) e = expr_dx(b->space->pool, e, axis, UNIT_NONE);
  return e;
}

static ExprOp function_op(const char *name) {
  for (int k = 0; k < LAW_FUNCTIONS; k++)
    if (!strcmp(law_functions[k].name, name)) return law_functions[k].op;
  return EXPR_OPS;
}

/* `field`: what the monomial is multiplied by, or NULL. */
static Expr *term_expr(const Build *b, const StructureTerm *term, Expr *field) {
  Expr *state = law_state(b->space), *e = field;
  const Monomial *g = &term->g;
  if (g->power) e = times(b, e, g->power == 1 ? state : expr_binary(b->space->pool, EXPR_POW, state, number(b, g->power)));
  if (g->function) e = times(b, e, expr_unary(b->space->pool, function_op(b->language->function[g->function - 1]), state));
  for (int k = 0; k < g->nd; k++) e = times(b, e, derivative(b, state, g->d[k]));
  e = derivative(b, e ? e : number(b, 1), term->outer);
  return term->factor == 1 ? e : times(b, number(b, term->factor), e);
}

StructureLanguage structure_language(const LawSpace *space, const char *function[LAW_FUNCTIONS]) {
  StructureLanguage language = {.state = space->state, .dims = space->dim, .order = space->order, .fields = space->fields, .function = function};
  for (int k = 0; k < LAW_FUNCTIONS; k++)
    if (space->functions >> k & 1) function[language.nfunctions++] = law_functions[k].name;
  return language;
}

Law *structure_law(const Structure *structure, const StructureLanguage *language, const LawSpace *space, Interner *names, LawFault *fault) {
  Build b = {space, language};
  LawUnknown unknown[STRUCTURE_GROUPS];
  int n = 0;
  Expr *right = NULL;
  for (int k = 0; k < structure->n; k++) {
    const StructureGroup *group = &structure->group[k];
    Expr *field = NULL;
    if (!(group->domain & STRUCTURE_KNOWN)) {
      char name[16];
      structure_field(k, language, name);
      unknown[n] = (LawUnknown){intern(names, name, strlen(name)), group->domain};
      field = law_field(space, n, unknown[n].name), n++;
    }
    for (int i = 0; i < group->n; i++) {
      Expr *e = term_expr(&b, &group->term[i], field);
      right = right ? expr_binary(space->pool, EXPR_ADD, right, e) : e;
    }
  }
  return law_new(space, unknown, n, NULL, right ? right : number(&b, 0), fault);
}

/* ---- evidence ---------------------------------------------------------------------------------------------------------------------------------------------------- */

static const double REVEALED = 0.5;       /* a field that is known in less of the domain is told as not revealed */

static int anchors_of(int n) { return n < STRUCTURE_ANCHORS ? n : STRUCTURE_ANCHORS; }
static int node_of(int anchor, int n) { return (int)((anchor + 0.5) / anchors_of(n) * (n - 1) + 0.5); }

void structure_anchors(int nx, int ny, const double x[2], const double y[2], double anchor[2][STRUCTURE_ANCHORS]) {
  for (int axis = 0; axis < 2; axis++) {
    int n = axis ? ny : nx;
    const double *ends = axis ? y : x;
    for (int k = 0; k < anchors_of(n); k++) anchor[axis][k] = n > 1 ? ends[0] + (ends[1] - ends[0]) * node_of(k, n) / (n - 1) : 0;
  }
}

/* The author's field, where it is one canonical field times a number; -1: it is none. */
static int canonical_of(const LawAuthor *author, double *factor) {
  if (author->fate != LAW_TOLD || author->npulls != 1 || author->pull[0].dx || author->pull[0].dy || author->offset.num) return -1;
  *factor = law_number(author->pull[0].factor);
  return author->pull[0].field;
}

void structure_evidence(const Structure *structure, const Law *law, const HeiEvidence *of, int nx, int ny, double anchor[2][STRUCTURE_ANCHORS],
                        StructurePlane values[STRUCTURE_GROUPS], StructureEvidence *out) {
  int columns = anchors_of(nx), rows = anchors_of(ny);
  *out = (StructureEvidence){.nx = columns, .ny = rows, .x = anchor[0], .y = anchor[1], .ceiling = of->noise_ceiling, .unexplained = !of->explained};
  for (int k = 0, author = 0; k < structure->n; k++) {
    out->difference[k] = -1;
    if (structure->group[k].domain & STRUCTURE_KNOWN) continue;
    double factor;
    int at = canonical_of(&law->author[author++], &factor);
    if (at < 0) continue;
    const HeiFieldEvidence *field = &of->field[at];
    for (int j = 0; j < rows; j++)
      for (int i = 0; i < columns; i++) values[k][j * columns + i] = factor * field->value[node_of(i, nx) * ny + node_of(j, ny)];
    out->value[k] = values[k], out->difference[k] = field->stability, out->hidden[k] = !field->identifiable || field->revealed < REVEALED;
  }
}
