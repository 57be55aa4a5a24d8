/* The domain of a flow around a body: a box that the body is taken out of, its sides named for what happens there. */
#include <math.h>
#include <string.h>

#include "geom_side.h"

/* Values: the ranges, then for each side whether the body stands on it or is cut by it. */
static const GeomNode *upright(const GeomNode *g, GeomNode *copy) {
  *copy = *g;
  copy->row = geom_row(g->row->dim == 2 ? "rectangle" : "box");
  return copy;
}
static int flow_count(const GeomNode *g) { return 2 * g->row->dim; }
static void flow_side(const GeomNode *g, int k, GeomSide *s) {
  GeomNode copy;
  geom_side(upright(g, &copy), k, s);
}
static double flow_measure(const GeomNode *g) {
  GeomNode copy;
  return geom_node_measure(upright(g, &copy));
}
static const char *flow_check(const GeomNode *g, char out[160]) {
  GeomNode copy;
  return upright(g, &copy)->row->ops->check(&copy, out);
}
static const char *flow_name(const GeomNode *g, int k, Arena *arena) {
  (void)arena;
  return k == 0 ? "inlet" : k == 1 ? "outlet" : g->values[g->row->dim][k] != 0 ? "symmetry" : "farfield";
}

#define FLOW_OPS &(const struct GeomOps){.count = flow_count, .side = flow_side, .measure = flow_measure, .check = flow_check, .name = flow_name}
#define X {"x", GEOM_RANGE, true, NULL, "extent along the flow"}
#define Y {"y", GEOM_RANGE, true, NULL, "extent in y"}
static const GeomRow rows[2] = {
  {"flow_around", 2, {X, Y, {"contact", GEOM_POINTS, false, NULL, ""}}, {0}, {0}, "", "flow_around(disk(radius: 0.5), x: -5..15, y: -5..5)", FLOW_OPS},
  {"flow_around", 3, {X, Y, {"z", GEOM_RANGE, true, NULL, "extent in z"}, {"contact", GEOM_POINTS, false, NULL, ""}}, {0}, {0}, "",
   "flow_around(sphere(radius: 0.5), x: -5..15, y: -5..5, z: -5..5)", FLOW_OPS}};

static const GeomNode *leaf_of(const GeomNode *node) {
  while (node->op != GEOM_PRIMITIVE) node = node->a;
  return node;
}

/* Five lengths of the body before it and to its sides, ten behind; a wing begins at its root. */
static void complete(const Geom *body, const double *lo, const double *hi, double ranges[3][2]) {
  double length = hi[0] - lo[0];
  bool half = leaf_of(geom_root(body))->row->ops->sweep == SWEEP_LOFT;
  for (int d = 0; d < geom_dim(body); d++) {
    if (isnan(ranges[d][0])) ranges[d][0] = d == 1 && half ? lo[d] : lo[d] - 5 * length;
    if (isnan(ranges[d][1])) ranges[d][1] = hi[d] + (d == 0 ? 10 : 5) * length;
  }
}

Geom *geom_flow_around(Geom *body, double ranges[3][2], Diags *diags, Span span) {
  int dim = geom_dim(body);
  double lo[3], hi[3], contact[6] = {0}, eps = 1e-9 * geom_size(body);
  if (dim < 2) {
    diag_report(diags, E1031, span, "a flow goes around a body of two or three dimensions; this one has %d", dim);
    return NULL;
  }
  geom_bounds(body, lo, hi);
  complete(body, lo, hi, ranges);
  for (int d = 0; d < dim; d++) {
    contact[2 * d] = lo[d] <= ranges[d][0] + eps;
    contact[2 * d + 1] = hi[d] >= ranges[d][1] - eps;
    bool outside = lo[d] >= ranges[d][1] - eps || hi[d] <= ranges[d][0] + eps;
    if (!outside && !(d == 0 && (contact[0] || contact[1])) && !(contact[2 * d] && contact[2 * d + 1])) continue;
    diag_suggest(diag_report(diags, E1031, span, "the body reaches from %c = %g to %g, the flow domain from %g to %g", "xyz"[d], lo[d], hi[d], ranges[d][0], ranges[d][1]),
                 d == 0 ? "between inlet and outlet the body must lie inside; give a wider x:" : "the flow must have room beside the body: give a wider %c:", "xyz"[d]);
    return NULL;
  }
  GeomArg args[8] = {{0}};
  for (int d = 0; d < dim; d++) args[d] = (GeomArg){.values = ranges[d], .n = 2};
  args[dim] = (GeomArg){.values = contact, .n = 6};
  Geom *box = geom_primitive(&rows[dim - 2], args, diags, span);
  if (!box) return NULL;
  const GeomNode *root = geom_root(body);
  Geom *named = root->part ? geom_retain(body) : geom_named(body, root->op == GEOM_PRIMITIVE ? root->row->name : "body");
  Geom *out = geom_combine(GEOM_DIFFERENCE, box, named, diags, span);
  geom_release(box);
  geom_release(named);
  return out;
}
