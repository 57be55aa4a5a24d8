/* Which part of an expression is not a number: the smallest one that is not finite where all its own parts are. */
#include "blame.h"

#include <math.h>
#include <stdlib.h>

enum { NODES_MAX = 2000, LOOKS = 2 * CELL_VERTS + 1 };

typedef struct Search {
  const Data *data;
  const Points *points;
  double *value;               /* [points] */
  Expr *seen[NODES_MAX];
  int nseen;
  Expr *guilty;
  int at;                      /* the point */
} Search;

/* What has a value at a point: no test function, no time derivative, no normal away from a facet. */
static bool has_value(const Search *s, const Expr *e) {
  unsigned without = HAS_TEST | HAS_TRIAL | HAS_DT | HAS_INTEGRAL | HAS_LAMBDA | (s->points->facet ? 0u : HAS_NORMAL);
  return !(e->flags & without) && e->shape.rank == 0;
}

static bool visited(Search *s, Expr *e) {
  for (int i = 0; i < s->nseen; i++)
    if (s->seen[i] == e) return true;
  if (s->nseen == NODES_MAX) return true;
  s->seen[s->nseen++] = e;
  return false;
}

static bool not_finite(Search *s, Expr *e) {
  if (data_evaluate(s->data, &e, 1, s->points, s->value)) return false;
  for (int p = 0; p < s->points->n; p++)
    if (!isfinite(s->value[p])) return s->at = p, true;
  return false;
}

/* Parts before the whole: what is found first has finite parts. */
static bool search(Search *s, Expr *e) {
  if (s->guilty || visited(s, e)) return s->guilty != NULL;
  if (e->op == EXPR_REGIONS) {
    if (has_value(s, e) && not_finite(s, e)) s->guilty = e;
    return s->guilty != NULL;
  }
  for (int k = 0; k < e->n; k++)
    if (e->op != EXPR_IF && search(s, e->arg[k])) return true;
  if (e->n && has_value(s, e) && not_finite(s, e)) s->guilty = e;
  return s->guilty != NULL;
}

static double value_there(Search *s, Expr *e) { return data_evaluate(s->data, &e, 1, s->points, s->value) ? NAN : s->value[s->at]; }

static void explain(Search *s, Buf *out, const char **way_out) {
  Expr *e = s->guilty;
  double a = e->n && e->op != EXPR_REGIONS ? value_there(s, e->arg[0]) : NAN, b = e->n > 1 && e->op != EXPR_REGIONS ? value_there(s, e->arg[1]) : NAN;
  switch (e->op) {
    case EXPR_REGIONS:
      buf_puts(out, "no region that it names covers that cell");
      *way_out = "name every region of the geometry, or add `on others: ...`";
      break;
    case EXPR_TABLE:
      for (int k = 0; k < e->n; k++) {
        const ExprTable *table = e->table;
        buf_printf(out, "%s%g, and the table goes from %g to %g", k ? "; " : "at ", value_there(s, e->arg[k]), table->knot[k][0], table->knot[k][table->n[k] - 1]);
      }
      *way_out = "extend the data, or write `outside: hold` to keep the value at the ends";
      break;
    case EXPR_DIV:
      if (b == 0) buf_printf(out, "%g divided by 0", a);
      *way_out = "keep the divisor away from 0: max(r, 1e-6), say";
      break;
    case EXPR_LOG: case EXPR_LOG10: case EXPR_SQRT: case EXPR_ASIN: case EXPR_ACOS:
      buf_printf(out, "%s(%g)", expr_op_text((ExprOp)e->op), a);
      *way_out = "keep its argument in range: max(s, 0), say";
      break;
    case EXPR_POW:
      buf_printf(out, "(%g)^%g", a, b);
      *way_out = "keep its base positive: max(s, 0)^p, say";
      break;
    default:
      if (e->n == 1) buf_printf(out, "%s(%g)", expr_op_text((ExprOp)e->op), a);
      else if (e->n == 2) buf_printf(out, "of %g and %g", a, b);
  }
}

bool blame_expression(const Data *data, Expr *e, const Points *points, DiagCode code, Span span) {
  Search *s = calloc(1, sizeof *s);
  s->data = data;
  s->points = points;
  s->value = malloc(sizeof(double) * ((size_t)points->n + 1));
  bool found = s->value && search(s, e);
  if (found) {
    int dim = data->mesh->dim, cell = points->cell[s->at];
    const double *reference = points->reference + (size_t)s->at * (size_t)dim;
    Buf place = {0}, text = {0}, why = {0};
    double x[3];
    mesh_map(data->mesh, cell, reference, x, NULL);
    for (int d = 0; d < dim; d++) buf_printf(&place, "%s%g", d ? ", " : "", fabs(x[d]) < 1e-12 * data->mesh->h_max ? 0 : x[d]);
    expr_print(&text, s->guilty, EXPR_TEXT);
    const char *way_out = NULL;
    explain(s, &why, &way_out);
    Diag *d = diag_report(data->diags, code, span, "`%.200s%s` %s at (%s)%s%s", buf_str(&text), text.len > 200 ? "..." : "",
                          s->guilty->op == EXPR_REGIONS ? "has no value" : "is not finite", buf_str(&place), why.len ? ": " : "", buf_str(&why));
    if (way_out) diag_suggest(d, "%s", way_out);
    buf_free(&place), buf_free(&text), buf_free(&why);
  }
  free(s->value);
  free(s);
  return found;
}

/* Looked at in the middle, on the way to each vertex, and in the vertices. */
bool blame_in_cell(const Data *data, Expr *e, int cell, DiagCode code, Span span) {
  const RefCell *ref = data->mesh->ref;
  int dim = ref->dim, n = 0, cells[LOOKS];
  double reference[3 * LOOKS], middle[3], vertex[3];
  refcell_centre(ref, middle);
  for (int k = 0; k < 1 + 2 * ref->nverts; k++) {
    double part = k == 0 ? 0 : k <= ref->nverts ? 0.6 : 1;
    refcell_vertex(ref, k ? (k - 1) % ref->nverts : 0, vertex);
    for (int d = 0; d < dim; d++) reference[n * dim + d] = (1 - part) * middle[d] + part * vertex[d];
    cells[n++] = cell;
  }
  Points points = {.n = n, .cell = cells, .reference = reference};
  return blame_expression(data, e, &points, code, span);
}
