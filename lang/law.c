/* A law from an equation: its left side, its right side expanded and reduced, and what it is called. */
#include "law.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law_gauge.h"
#include "sha256.h"

enum { BASE = LAW_BLOCKS - 1 };

/* ---- left side ------------------------------------------------------------------------------------------------------------------------------------------------------ */

static bool rate_of_state(const LawSpace *space, Expr *e) { return e->op == EXPR_DT && e->arg[0] == law_state(space); }

static bool left_fits(const LawSpace *space, Expr *left, Expr *right, LawFault *fault) {
  char mend[160];
  if (!left || rate_of_state(space, left)) return true;
  snprintf(mend, sizeof mend, "write dt(%s) == ... with everything else on the right", space->state);
  if (left->op == EXPR_DTT) return law_fault(fault, E4003, "a law is of first order in time: what is left when the state is known at a moment is its rate", "the left side is of second order in time; only dt(%s) may stand there", space->state);
  if (rate_of_state(space, right)) return law_fault(fault, E4003, "exchange the two sides", "dt(%s) stands on the right side", space->state);
  return law_fault(fault, E4003, mend, "only dt(%s) may stand on the left", space->state);
}

static bool fields_fit(const LawSpace *space, const LawUnknown *unknown, int n, LawFault *fault) {
  unsigned all = space->dim == 1 ? LAW_X : LAW_X | LAW_Y;
  if (n > space->fields || n > LAW_FIELDS) return law_fault(fault, E4010, "share a field between terms, or leave out a term; `fields:` of the discovery sets the limit", "%d fields; at most %d are allowed", n, space->fields < LAW_FIELDS ? space->fields : LAW_FIELDS);
  for (int i = 0; i < n; i++) {
    if (unknown[i].domain & ~all) return law_fault(fault, E4007, "the data have one coordinate: declare `unknown field C(x)`", "the field `%s` depends on y, and the state does not", unknown[i].name);
    if (unknown[i].name == space->state) return law_fault(fault, E4008, "give the field another name", "the field `%s` has the name of the state", unknown[i].name);
    for (int k = 0; k < i; k++)
      if (unknown[k].name == unknown[i].name) return law_fault(fault, E4008, "give one of them another name", "two fields are called `%s`", unknown[i].name);
  }
  return true;
}

/* ---- canonical fields ------------------------------------------------------------------------------------------------------------------------------------------------ */

static const int ascending[LAW_BLOCKS] = {BASE, 3, 0, 4, 1, 2};      /* blocks by (dx, dy) */

/* The coefficient that is made 1: of the lowest derivative of the field. */
static LawNumber leading(const LawGauge *g, LawRow row) {
  for (int b = 0; b < LAW_BLOCKS; b++)
    for (int m = 0; m < g->n; m++)
      if (row.c[ascending[b] * g->n + m].num) return row.c[ascending[b] * g->n + m];
  return (LawNumber){1, 1};
}

static LawSum sum_of(LawGauge *g, const LawNumber *c) {
  int n = 0;
  for (int m = 0; m < g->n; m++) n += c[m].num != 0;
  LawTerm *term = ARENA_ARRAY(g->s->arena, LawTerm, n);
  n = 0;
  for (int m = 0; m < g->n; m++)
    if (c[m].num) term[n++] = (LawTerm){c[m], g->monomial[m]};
  return (LawSum){n, term};
}

static int parts_of(LawGauge *g, LawRow row, LawNumber scale, LawPart **out) {
  LawPart *part = *out = ARENA_ARRAY(g->s->arena, LawPart, LAW_BLOCKS);
  LawNumber *c = ARENA_ARRAY(g->s->arena, LawNumber, g->n);
  int n = 0;
  for (int b = 0; b < LAW_BLOCKS; b++) {
    bool any = false;
    for (int m = 0; m < g->n; m++) c[m] = law_over(g->s, row.c[ascending[b] * g->n + m], scale), any |= c[m].num != 0;
    if (any) part[n++] = (LawPart){law_blocks[ascending[b]].dx, law_blocks[ascending[b]].dy, sum_of(g, c)};
  }
  return n;
}

static int compare(int a, int b) { return (a > b) - (a < b); }

/* Terms of g are in the order of pivots here. */
static int part_order(const LawPart *a, const LawPart *b) {
  int c = compare(a->dx, b->dx);
  if (!c) c = compare(a->dy, b->dy);
  for (int i = 0; !c && i < a->g.n && i < b->g.n; i++) {
    c = law_monomial_order(a->g.term[i].of, b->g.term[i].of);
    if (!c) c = law_number_order(a->g.term[i].factor, b->g.term[i].factor);
  }
  return c ? c : compare(b->g.n, a->g.n);
}

/* X, then XY, then Y, then constants: as their names sort. */
static int field_order(const void *x, const void *y) {
  static const int rank[4] = {3, 0, 2, 1};
  const LawField *a = x, *b = y;
  int c = compare(rank[a->domain], rank[b->domain]);
  for (int i = 0; !c && i < a->nparts && i < b->nparts; i++) c = part_order(&a->part[i], &b->part[i]);
  return c ? c : compare(b->nparts, a->nparts);
}

/* ---- texts ------------------------------------------------------------------------------------------------------------------------------------------------------------ */

static const char *const letters[4] = {"K", "X", "Y", "C"};

static void print_field(Buf *out, const LawField *f, const char *name) {
  for (int i = 0; i < f->nparts; i++) {
    const LawPart *p = &f->part[i];
    if (i) buf_puts(out, " + ");
    for (int k = 0; k < p->dx; k++) buf_puts(out, "dx(");
    for (int k = 0; k < p->dy; k++) buf_puts(out, "dy(");
    buf_puts(out, name);
    for (int k = 0; k < p->dx + p->dy; k++) buf_putc(out, ')');
    bool one = p->g.n == 1 && !p->g.term[0].of.n && law_is_one(p->g.term[0].factor), parentheses = p->g.n > 1 || p->g.term[0].factor.num < 0;
    if (one) continue;
    buf_puts(out, parentheses ? "*(" : "*");
    law_print_sum(out, p->g);
    if (parentheses) buf_putc(out, ')');
  }
}

/* In names that no author chose; in one dimension a field of x is C as one of x and y is in two. */
static char *print_form(Arena *arena, int dim, LawSum known, const LawField *field, int n) {
  Buf text = {0};
  char name[16];
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "%s%d", letters[dim == 1 && field[i].domain ? 3 : field[i].domain], i + 1);
    if (i) buf_puts(&text, " + ");
    print_field(&text, &field[i], name);
  }
  if (n && known.n) buf_puts(&text, " + ");
  if (!n || known.n) law_print_sum(&text, known);
  char *copy = arena_text(arena, buf_str(&text), text.len);
  buf_free(&text);
  return copy;
}

/* The author's operators before any reduction, each scaled, in order: what is the same up to product rule, names, order and scale prints the same. */
static char *print_expanded(LawGauge *g, const Law *law) {
  LawField field[LAW_FIELDS];
  int n = 0;
  for (int i = 0; i < g->nauthors; i++) {
    LawPart *part;
    field[n] = (LawField){.domain = g->author[i].domain};
    field[n].nparts = parts_of(g, g->author[i], leading(g, g->author[i]), &part);
    field[n].part = part;
    n += field[n].nparts > 0;
  }
  qsort(field, (size_t)n, sizeof *field, field_order);
  return print_form(law->arena, law->space->dim, law->raw_known, field, n);
}

/* ---- names and fates --------------------------------------------------------------------------------------------------------------------------------------------------- */

static bool is_number(const LawOperator *o, LawNumber *value) {
  *value = o->c[0][0];
  for (int a = 0; a < LAW_SHIFTS * LAW_SHIFTS; a++)
    if (a && o->c[a / LAW_SHIFTS][a % LAW_SHIFTS].num) return false;
  return !o->opaque;
}

static bool is_nothing(const LawOperator *o) {
  LawNumber value;
  return is_number(o, &value) && !value.num;
}

/* Canonical field i is factor times author's field k alone, plus a constant: k, or -1. */
static int sole_author(const LawGauge *g, const LawOperator *row, LawNumber *factor) {
  int k = -1;
  for (int j = 0; j < g->nauthors; j++) {
    if (is_nothing(&row[j])) continue;
    if (k >= 0 || !is_number(&row[j], factor)) return -1;
    k = j;
  }
  return k;
}

static bool name_taken(const Law *law, const char *name) {
  if (!strcmp(law->space->state, name)) return true;
  for (int i = 0; i < law->nauthors; i++)
    if (!strcmp(law->author[i].name, name)) return true;
  for (int i = 0; i < law->nfields; i++)
    if (law->field[i].name && !strcmp(law->field[i].name, name)) return true;
  return false;
}

static void name_fields(Law *law, const LawGauge *g, LawOperator map[LAW_FIELDS][LAW_FIELDS], const LawNumber *offset) {
  LawNumber factor;
  for (int i = 0; i < law->nfields; i++) {
    int k = sole_author(g, map[i], &factor);
    if (k >= 0 && law_is_one(factor) && !offset[i].num) law->field[i].name = law->author[k].name;
  }
  for (int i = 0, next = 1; i < law->nfields; i++)
    while (!law->field[i].name) {
      const char *name = arena_printf(law->arena, "%s%d", letters[law->space->dim == 1 && law->field[i].domain ? 3 : law->field[i].domain], next++);
      if (!name_taken(law, name)) law->field[i].name = name;
    }
}

/* to -= by*from, as operators */
static void subtract_product(LawAlgebra *s, LawOperator *to, const LawOperator *by, const LawOperator *from) {
  to->opaque |= (by->opaque && !is_nothing(from)) || (from->opaque && !is_nothing(by));
  for (int a = 0; a < LAW_SHIFTS * LAW_SHIFTS; a++)
    for (int b = 0; b < LAW_SHIFTS * LAW_SHIFTS; b++) {
      LawNumber c = by->c[a / LAW_SHIFTS][a % LAW_SHIFTS], d = from->c[b / LAW_SHIFTS][b % LAW_SHIFTS];
      int dx = a / LAW_SHIFTS + b / LAW_SHIFTS, dy = a % LAW_SHIFTS + b % LAW_SHIFTS;
      if (!c.num || !d.num) continue;
      if (dx >= LAW_SHIFTS || dy >= LAW_SHIFTS) to->opaque = true;
      else to->c[dx][dy] = law_plus(s, to->c[dx][dy], law_minus(law_times(s, c, d)));
    }
}

/* Equations sum_k left[k] C_k = sum_i right[i] C'_i - offset are solved for the author's fields C_k with pivots that are numbers: what takes more (an
 * antiderivative) leaves a field open. */
typedef struct Relation { LawOperator left[LAW_FIELDS], right[LAW_FIELDS]; LawNumber constant; int solves; } Relation;

static void scale_relation(LawAlgebra *s, Relation *r, LawNumber by) {
  for (int k = 0; k < LAW_FIELDS; k++)
    for (int a = 0; a < LAW_SHIFTS * LAW_SHIFTS; a++) {
      LawNumber *left = &r->left[k].c[a / LAW_SHIFTS][a % LAW_SHIFTS], *right = &r->right[k].c[a / LAW_SHIFTS][a % LAW_SHIFTS];
      *left = law_over(s, *left, by), *right = law_over(s, *right, by);
    }
  r->constant = law_over(s, r->constant, by);
}

static bool solve_one(LawAlgebra *s, const LawGauge *g, Relation *r, int n) {
  LawNumber pivot;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < g->nauthors && r[i].solves < 0; k++) {
      if (!is_number(&r[i].left[k], &pivot) || !pivot.num) continue;
      scale_relation(s, &r[i], pivot);
      r[i].solves = k;
      for (int j = 0; j < n; j++) {
        LawOperator by = r[j].left[k];
        if (j == i || is_nothing(&by)) continue;
        for (int m = 0; m < LAW_FIELDS; m++) subtract_product(s, &r[j].left[m], &by, &r[i].left[m]), subtract_product(s, &r[j].right[m], &by, &r[i].right[m]);
        r[j].constant = law_plus(s, r[j].constant, law_minus(law_times(s, by.c[0][0], r[i].constant)));
      }
      return true;
    }
  return false;
}

static void tell(Law *law, const LawGauge *g, const Relation *r, LawAuthor *author, int k) {
  LawNumber value;
  if (r->left[k].opaque) return;
  for (int m = 0; m < g->nauthors; m++)
    if (m != k && !is_nothing(&r->left[m])) return;
  LawPull *pull = ARENA_ARRAY(law->arena, LawPull, LAW_FIELDS * LAW_SHIFTS * LAW_SHIFTS);
  int n = 0;
  for (int i = 0; i < law->nfields; i++) {
    if (r->right[i].opaque) return;
    for (int a = 0; a < LAW_SHIFTS * LAW_SHIFTS; a++) {
      int dx = a / LAW_SHIFTS, dy = a % LAW_SHIFTS;
      if (!r->right[i].c[dx][dy].num) continue;
      if (dx + dy > LAW_FIELD_ORDER) return;
      pull[n++] = (LawPull){i, dx, dy, r->right[i].c[dx][dy]};
    }
  }
  author->fate = LAW_TOLD, author->pull = pull, author->npulls = n, author->offset = r->constant;
  value = n ? pull[0].factor : (LawNumber){0, 1};
  author->same = n == 1 && !pull[0].dx && !pull[0].dy && law_is_one(value) && !r->constant.num;
}

static void find_fates(Law *law, LawAlgebra *s, const LawGauge *g, LawOperator map[LAW_FIELDS][LAW_FIELDS], const LawNumber *offset) {
  Relation *r = ARENA_ARRAY(law->arena, Relation, law->nfields);
  for (int i = 0; i < law->nfields; i++) {
    memcpy(r[i].left, map[i], sizeof r[i].left);
    for (int m = 0; m < LAW_FIELDS; m++)
      for (int a = 0; a < LAW_SHIFTS * LAW_SHIFTS; a++) r[i].right[m].c[a / LAW_SHIFTS][a % LAW_SHIFTS] = (LawNumber){m == i && !a, 1};
    r[i].constant = law_minus(offset[i]);
    r[i].solves = -1;
  }
  for (int k = 0; k < law->nauthors; k++) {
    bool any = false;
    for (int i = 0; i < law->nfields; i++) any |= !is_nothing(&map[i][k]);
    law->author[k].fate = any ? LAW_MIXED : LAW_DROPPED;
    law->author[k].offset = (LawNumber){0, 1};
  }
  while (solve_one(s, g, r, law->nfields)) {}
  for (int i = 0; i < law->nfields; i++)
    if (r[i].solves >= 0) tell(law, g, &r[i], &law->author[r[i].solves], r[i].solves);
}

/* ---- the law -------------------------------------------------------------------------------------------------------------------------------------------------------------- */

typedef struct Placed { LawField field; int row; LawNumber scale; } Placed;
static int placed_order(const void *a, const void *b) { return field_order(&((const Placed *)a)->field, &((const Placed *)b)->field); }

static void fill(Law *law, LawGauge *g, const LawUnknown *unknown, int n) {
  Placed placed[LAW_FIELDS];
  LawOperator (*map)[LAW_FIELDS] = (LawOperator(*)[LAW_FIELDS])ARENA_ARRAY(law->arena, LawOperator, LAW_FIELDS * LAW_FIELDS);
  LawNumber offset[LAW_FIELDS];
  for (int i = 0; i < g->nrows; i++) {
    LawPart *part;
    placed[i] = (Placed){.field = {.domain = g->row[i].domain}, .row = i, .scale = leading(g, g->row[i])};
    placed[i].field.nparts = parts_of(g, g->row[i], placed[i].scale, &part);
    placed[i].field.part = part;
  }
  if (g->nrows) qsort(placed, (size_t)g->nrows, sizeof *placed, placed_order);
  law->nfields = g->nrows;
  law->field = ARENA_ARRAY(law->arena, LawField, g->nrows);
  law->nauthors = n;
  law->author = ARENA_ARRAY(law->arena, LawAuthor, n);
  for (int k = 0; k < n; k++) law->author[k].name = unknown[k].name, law->author[k].domain = unknown[k].domain;
  for (int i = 0; i < g->nrows; i++) {       /* canonical coefficients are those of the row over its scale, so its field is that much larger */
    law->field[i] = placed[i].field;
    offset[i] = law_times(g->s, g->offset[placed[i].row], placed[i].scale);
    for (int k = 0; k < LAW_FIELDS; k++) {
      map[i][k] = g->map[placed[i].row][k];
      for (int a = 0; a < LAW_SHIFTS * LAW_SHIFTS; a++) {
        LawNumber *c = &map[i][k].c[a / LAW_SHIFTS][a % LAW_SHIFTS];
        if (!c->den) c->den = 1;
        *c = law_times(g->s, *c, placed[i].scale);
      }
    }
  }
  name_fields(law, g, map, offset);
  find_fates(law, g->s, g, map, offset);
}

static void keep_raw(Law *law, LawGauge *g) {
  law->raw = ARENA_ARRAY(law->arena, LawPart *, g->nauthors);
  law->nraw = ARENA_ARRAY(law->arena, int, g->nauthors);
  for (int k = 0; k < g->nauthors; k++) law->nraw[k] = parts_of(g, g->author[k], (LawNumber){1, 1}, &law->raw[k]);
  law->raw_known = sum_of(g, g->known.c + BASE * g->n);
}

static bool make(Law *law, LawAlgebra *s, const LawUnknown *unknown, int n, LawFault *fault) {
  LawSum sum = {0};
  LawGauge *g = ARENA_NEW(law->arena, LawGauge);
  g->s = s, g->dim = law->space->dim;
  if (!law_expand(s, law->space, unknown, n, law->right, &sum, &law->nodes, fault) || !law_gauge_rows(g, sum, unknown, n, fault)) return false;
  keep_raw(law, g);
  law_gauge_reduce(g);
  law_gauge_map(g);
  fill(law, g, unknown, n);
  law->known = sum_of(g, g->known.c + BASE * g->n);
  if (s->exhausted) return law_fault(fault, E4019, "powers of sums are what grows: multiply fewer of them", "the reduction of the law needs too many steps or too large numbers");
  law->form = law_form(s, law);
  law->key = print_form(law->arena, law->space->dim, law->known, law->field, law->nfields);
  law->expanded = print_expanded(g, law);
  char hex[65];
  sha256_hex(law->key, strlen(law->key), hex);
  snprintf(law->id, sizeof law->id, "c_%.12s", hex);
  return true;
}

Law *law_new(const LawSpace *space, const LawUnknown *unknown, int n, Expr *left, Expr *right, LawFault *fault) {
  if (!left_fits(space, left, right, fault) || !fields_fit(space, unknown, n, fault)) return NULL;
  Arena *arena = arena_new();
  if (!arena) memory_out();
  Law *law = ARENA_NEW(arena, Law);
  *law = (Law){.space = space, .arena = arena, .right = right};
  LawAlgebra *s = ARENA_NEW(arena, LawAlgebra);
  s->arena = arena, s->work = LAW_WORK;
  if (make(law, s, unknown, n, fault)) return law;
  law_free(law);
  return NULL;
}

void law_free(Law *law) {
  if (law) arena_free(law->arena);
}
