#include "geom.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geom_side.h"

enum { PARAMS_MAX = 8 };

struct Geom {
  int refs;
  GeomNode node;
  Geom *a, *b;                 /* retained: children, or the geometry this one is a copy of */
  double *values;              /* of a primitive */
  const GeomNode *root;        /* node, or that of `a` for a copy with more groups */
  GeomGroup *groups;           /* sides, then parts, then named groups */
  int ngroups, nsides_groups, nparts_groups;
  GeomSideRef *sides;
  int nsides;
  Name *parts;
  int nparts;
  Arena *arena;                /* names and member lists */
};

static Geom *geom_new(void) {
  Geom *geom = memory_try(NULL, sizeof *geom);
  Arena *arena = geom ? arena_new() : NULL;
  if (!arena) {
    fputs("pde: out of memory\n", stderr);
    exit(EXIT_ENVIRONMENT);
  }
  *geom = (Geom){.refs = 1, .arena = arena, .root = &geom->node};
  return geom;
}

Geom *geom_retain(Geom *geom) {
  geom->refs++;
  return geom;
}

void geom_release(Geom *geom) {
  if (!geom || --geom->refs) return;
  geom_release(geom->a);
  geom_release(geom->b);
  free(geom->groups);
  arena_free(geom->arena);
  free(geom);
}

const GeomNode *geom_root(const Geom *geom) { return geom->root; }

int geom_dim(const Geom *geom) { return geom_node_dim(geom->root); }
double geom_level(const Geom *geom, const double *p) { return geom_node_level(geom->root, p); }

int geom_groups(const Geom *geom, const GeomGroup **groups) {
  *groups = geom->groups;
  return geom->ngroups;
}

int geom_parts(const Geom *geom, const Name **parts) {
  *parts = geom->parts;
  return geom->nparts;
}

int geom_sides(const Geom *geom, const GeomSideRef **sides) {
  *sides = geom->sides;
  return geom->nsides;
}

void geom_bounds(const Geom *geom, double lo[3], double hi[3]) { geom_node_bounds(geom->root, lo, hi); }
double geom_size(const Geom *geom) { return geom_node_size(geom->root); }
double geom_measure(const Geom *geom) { return geom_node_measure(geom->root); }

Status geom_check_grid(const Geom *geom, Diags *diags, Span span) {
  const char *name = geom->root->op == GEOM_PRIMITIVE ? geom->root->row->name : NULL;
  if (name && (!strcmp(name, "interval") || !strcmp(name, "rectangle") || !strcmp(name, "box"))) return 0;
  Diag *diag = diag_report(diags, E1005, span, "`cells:` makes a grid of an interval, a rectangle or a box; this is %s%s",
                           !name ? "" : strchr("aeiou", name[0]) ? "an " : "a ", name ? name : "a combined shape");
  diag_suggest(diag, "give a size instead of a number: mesh(..., h: %.2g)", geom_size(geom) / 20);
  return 1;
}

/* --- groups --- */

static const char *joined(Geom *geom, const char *part, const char *name) { return part ? arena_printf(geom->arena, "%s.%s", part, name) : name; }

static int group_index(const Geom *geom, const char *name) {
  for (int i = 0; i < geom->ngroups; i++)
    if (!geom->groups[i].is_region && !strcmp(geom->groups[i].name, name)) return i;
  return -1;
}

static GeomGroup *add_group(Geom *geom, const GeomGroup *group) {
  geom->groups = memory_try(geom->groups, (size_t)(geom->ngroups + 1) * sizeof *geom->groups);
  if (!geom->groups) {
    fputs("pde: out of memory\n", stderr);
    exit(EXIT_ENVIRONMENT);
  }
  geom->groups[geom->ngroups] = *group;
  return &geom->groups[geom->ngroups++];
}

typedef struct Probe { const GeomNode *root; double step; } Probe;

/* Goes on while p is no boundary point of the whole: there one of the two sides is inside and the other is not. */
static bool is_no_boundary(const double *p, const double *n, void *user) {
  const Probe *probe = user;
  double in[3], out[3];
  for (int d = 0; d < 3; d++) {
    in[d] = p[d] - probe->step * n[d];
    out[d] = p[d] + probe->step * n[d];
  }
  return (geom_node_level(probe->root, in) < 0) == (geom_node_level(probe->root, out) < 0);
}

static int count_leaves(const GeomNode *node) {
  return node->op == GEOM_PRIMITIVE ? geom_side_count(node) : count_leaves(node->a) + count_leaves(node->b);
}

/* Sides below node, whose nearest named ancestor is part. */
static void collect_sides(Geom *geom, const GeomNode *node, Name part, double step) {
  if (node->part) part = node->part;
  if (node->op != GEOM_PRIMITIVE) {
    collect_sides(geom, node->a, part, step);
    collect_sides(geom, node->b, part, step);
    return;
  }
  Probe probe = {geom->root, step};
  for (int k = 0; k < geom_side_count(node); k++) {
    GeomSideRef *ref = &geom->sides[geom->nsides++];
    Name bare = side_name(node, k, geom->arena);
    *ref = (GeomSideRef){node, k, -1, bare};
    if ((geom->root->op != GEOM_PRIMITIVE || node->base) && geom_visit_side(node, k, is_no_boundary, &probe)) continue;
    Name name = joined(geom, part, bare);
    ref->group = group_index(geom, name);
    if (ref->group >= 0) continue;
    ref->group = geom->ngroups;
    add_group(geom, &(GeomGroup){.name = name, .bare = part ? bare : NULL, .part = part, .is_side = true});
  }
}

static bool below(const GeomNode *node, const GeomNode *what) {
  return node == what || (node->op != GEOM_PRIMITIVE && (below(node->a, what) || below(node->b, what)));
}

static bool has_member(const GeomGroup *group, Name name) {
  for (int k = 0; k < group->nmembers; k++)
    if (group->members[k] == name) return true;
  return false;
}

/* The collective name of a side that is left and lies below node, or NULL. */
static const char *shared_name(const Geom *geom, const GeomNode *node, int side) {
  const GeomSideRef *ref = &geom->sides[side];
  const struct GeomOps *ops = ref->primitive->row->ops;
  return ref->group >= 0 && ops->collective && below(node, ref->primitive) ? ops->collective(ref->primitive, ref->side) : NULL;
}

/* Names that several sides share: the holes of a perforated plate, the ends of an extruded one that is made of parts. */
static void collect_collectives(Geom *geom, const GeomNode *node, Name part) {
  if (node->part) part = node->part;
  if (node->op != GEOM_PRIMITIVE && !node->swept) {
    collect_collectives(geom, node->a, part);
    collect_collectives(geom, node->b, part);
    return;
  }
  for (int i = 0; i < geom->nsides; i++) {
    Name shared = shared_name(geom, node, i), name = shared ? joined(geom, part, shared) : NULL;
    if (!shared || group_index(geom, name) >= 0) continue;
    GeomGroup group = {.name = name, .bare = part ? shared : NULL, .part = part, .members = ARENA_ARRAY(geom->arena, Name, geom->nsides)};
    bool is_new = false;
    for (int k = i; k < geom->nsides; k++) {
      const char *other = shared_name(geom, node, k);
      Name side = geom->groups[geom->sides[k].group < 0 ? 0 : geom->sides[k].group].name;
      if (!other || strcmp(other, shared) || has_member(&group, side)) continue;
      ((Name *)group.members)[group.nmembers++] = side;
      is_new |= strcmp(geom->sides[k].bare, shared) != 0;
    }
    if (group.nmembers < 2 && !is_new) continue;
    for (int k = 0; k < geom->ngroups; k++)
      if (has_member(&group, geom->groups[k].name) && geom->groups[k].bare && !strcmp(geom->groups[k].bare, shared)) geom->groups[k].bare = NULL;
    add_group(geom, &group);
  }
}

/* Parts: a boundary of all their sides, and where they add material a region of the cells inside. */
static void collect_parts(Geom *geom, const GeomNode *node, bool adds) {
  if (node->op != GEOM_PRIMITIVE) {
    collect_parts(geom, node->a, adds);
    collect_parts(geom, node->b, adds && node->op != GEOM_DIFFERENCE);
  }
  if (!node->part) return;
  for (int i = 0; i < geom->nparts; i++)
    if (!strcmp(geom->parts[i], node->part)) return;
  geom->parts[geom->nparts++] = node->part;
  Name *members = ARENA_ARRAY(geom->arena, Name, geom->nsides + 1);
  int n = 0;
  for (int i = 0; i < geom->nsides; i++) {
    if (geom->sides[i].group < 0 || !below(node, geom->sides[i].primitive)) continue;
    Name name = geom->groups[geom->sides[i].group].name;
    int k = 0;
    while (k < n && members[k] != name) k++;
    if (k == n) members[n++] = name;
  }
  if (n) add_group(geom, &(GeomGroup){.name = node->part, .part = node->part, .members = members, .nmembers = n});
  if (adds) add_group(geom, &(GeomGroup){.name = node->part, .part = node->part, .is_region = true});
}

static void clear_ambiguous(Geom *geom) {
  for (int i = 0; i < geom->ngroups; i++) {
    GeomGroup *g = &geom->groups[i];
    if (!g->bare) continue;
    bool alone = true;
    Name bare = g->bare;
    for (int j = 0; j < geom->ngroups; j++) {
      GeomGroup *o = &geom->groups[j];
      if (j == i || o->is_region != g->is_region) continue;
      if (!strcmp(o->name, bare)) alone = false;
      if (j > i && o->bare && !strcmp(o->bare, bare)) o->bare = NULL, alone = false;
    }
    if (!alone) g->bare = NULL;
  }
}

static int count_nodes(const GeomNode *node) {
  return node->op == GEOM_PRIMITIVE ? 1 : 1 + count_nodes(node->a) + count_nodes(node->b);
}

static void collect(Geom *geom) {
  geom->sides = ARENA_ARRAY(geom->arena, GeomSideRef, count_leaves(geom->root));
  geom->parts = ARENA_ARRAY(geom->arena, Name, count_nodes(geom->root));
  collect_sides(geom, geom->root, NULL, 1e-7 * geom_node_size(geom->root));
  geom->nsides_groups = geom->ngroups;
  collect_collectives(geom, geom->root, NULL);
  collect_parts(geom, geom->root, true);
  geom->nparts_groups = geom->ngroups;
}

/* Named groups of a part come along: under the part's name if they had none. */
static Name renamed(Geom *geom, const Geom *from, Name part, Name name) {
  if (!part) return name;
  for (int i = 0; i < from->ngroups; i++)
    if (!strcmp(from->groups[i].name, name)) return from->groups[i].part ? name : joined(geom, part, name);
  return name;
}

/* Do x and y of a plane shape mean the same in what is swept from it? */
static bool keeps_coordinates(const GeomNode *node) {
  while (node->op != GEOM_PRIMITIVE) node = node->a;
  return node->row->ops->sweep == SWEEP_EXTRUDE;
}

static bool inherit(Geom *geom, const Geom *from, Name part, Diags *diags, Span span) {
  for (int i = from->nparts_groups; i < from->ngroups; i++) {
    GeomGroup g = from->groups[i];
    if (g.predicate && geom_dim(from) != geom_dim(geom) && !keeps_coordinates(geom->root)) continue;
    if (part && !g.part) {
      g.bare = g.name;
      g.part = part;
      g.name = joined(geom, part, g.name);
    }
    Name *members = ARENA_ARRAY(geom->arena, Name, g.nmembers + 1);
    for (int k = 0; k < g.nmembers; k++) members[k] = renamed(geom, from, part, g.members[k]);
    g.members = members;
    bool clash = false;
    for (int k = 0; k < geom->ngroups; k++)
      if (geom->groups[k].is_region == g.is_region && !strcmp(geom->groups[k].name, g.name)) clash = true;
    if (!clash) add_group(geom, &g);
    else if (diags) {
      diag_suggest(diag_report(diags, E1002, span, "both shapes have a %s named `%s`", g.is_region ? "region" : "boundary", g.name),
                   "give the shapes names of their own inside of the geometry, or rename one of the two");
      return false;
    }
  }
  return true;
}

static const char *fallback_number(const char *text, double *value) {
  while (*text && !strchr("+-.0123456789", *text)) text++;
  char *end;
  if (text[0] == '.' && text[1] == '.') text += 2;   /* the dots of a range */
  int sign = 1;
  if (*text == '-') sign = -1, text++;
  *value = 0;
  double scale = 1;
  for (end = (char *)text; *end >= '0' && *end <= '9'; end++) *value = 10 * *value + (*end - '0');
  if (end[0] == '.' && end[1] >= '0' && end[1] <= '9')
    for (end++; *end >= '0' && *end <= '9'; end++) *value += (scale /= 10) * (*end - '0');
  *value *= sign;
  return end;
}

static int wanted_values(const GeomRow *row, const GeomParam *param) {
  return param->kind == GEOM_NUMBER || param->kind == GEOM_PROFILE ? 1 : param->kind == GEOM_RANGE ? 2 : row->dim;
}

static Status bad_values(const GeomRow *row, Diags *diags, Span span, const char *format, ...) {
  char text[200];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  diag_suggest(diag_report(diags, E1000, span, "%s", text), "for example %s", row->example);
  return 1;
}

/* Values of parameter k, its fallback where they are absent. */
static Status take_values(Geom *geom, int k, const GeomArg *arg, Diags *diags, Span span) {
  const GeomRow *row = geom->node.row;
  const GeomParam *param = &row->params[k];
  int n = arg->n, want = param->kind == GEOM_PROFILE && n > 1 ? 2 : wanted_values(row, param);
  bool many = param->kind == GEOM_POINTS || (param->kind == GEOM_PROFILE && n > 1);
  if (!n && !param->fallback) return bad_values(row, diags, span, "%s needs `%s`: %s", row->name, param->name, param->doc);
  if (n && (many ? n % want != 0 : n != want))
    return bad_values(row, diags, span, "`%s` of %s has %d number%s, it takes %s%d", param->name, row->name, n, n == 1 ? "" : "s", many ? "multiples of " : "", want);
  double *values = ARENA_ARRAY(geom->arena, double, n > 3 ? n : 3);
  const char *text = param->fallback;
  for (int i = 0; i < (n ? n : want); i++) {
    if (n) values[i] = arg->values[i];
    else text = fallback_number(text, &values[i]);
    if (!isfinite(values[i])) return bad_values(row, diags, span, "`%s` of %s is not a finite number", param->name, row->name);
  }
  geom->node.values[k] = values;
  geom->node.counts[k] = n ? n : want;
  return 0;
}

/* The plane tree again, each of its primitives swept. Sweeping commutes with + - &, so parts and names stay where they are. */
static void sweep_tree(Geom *geom, const GeomNode *plane, GeomNode *out) {
  GeomNode values = geom->node;
  *out = *plane;
  out->base = out->swept = NULL;
  if (plane->op == GEOM_PRIMITIVE) {
    *out = values;
    out->part = plane->part;
    out->base = plane;
    out->swept = NULL;
    return;
  }
  GeomNode *a = ARENA_ARRAY(geom->arena, GeomNode, 2), *b = a + 1;
  sweep_tree(geom, plane->a, a);
  sweep_tree(geom, plane->b, b);
  out->a = a;
  out->b = b;
}

static Status take_shape(Geom *geom, const GeomArg *arg, Diags *diags, Span span) {
  const GeomRow *row = geom->node.row;
  if (!arg->shape) return bad_values(row, diags, span, "%s needs `%s`: %s", row->name, row->params[0].name, row->params[0].doc);
  if (geom_dim(arg->shape) != row->dim - 1)
    return bad_values(row, diags, span, "%s takes a shape of %d dimensions; this one has %d", row->name, row->dim - 1, geom_dim(arg->shape));
  geom->a = geom_retain((Geom *)arg->shape);
  geom->node.swept = arg->shape->root;
  return 0;
}

Geom *geom_primitive(const GeomRow *row, const GeomArg *args, Diags *diags, Span span) {
  Geom *geom = geom_new();
  char text[160];
  Status status = 0;
  geom->node = (GeomNode){.op = GEOM_PRIMITIVE, .row = row};
  for (int k = 0; k < PARAMS_MAX && row->params[k].name && !status; k++)
    status = row->params[k].kind == GEOM_SHAPE ? take_shape(geom, &args[k], diags, span) : take_values(geom, k, &args[k], diags, span);
  const char *fault = status ? NULL : row->ops->check(&geom->node, text);
  if (fault) status = bad_values(row, diags, span, "%s: %s", row->name, fault);
  if (status) {
    geom_release(geom);
    return NULL;
  }
  if (row->ops->prepare) row->ops->prepare(&geom->node, geom->arena);
  if (geom->a) {
    GeomNode top;
    sweep_tree(geom, geom->a->root, &top);
    top.swept = geom->a->root;
    geom->node = top;
  }
  collect(geom);
  if (geom->a) {
    inherit(geom, geom->a, NULL, NULL, span);
    clear_ambiguous(geom);
  }
  return geom;
}

Geom *geom_combine(GeomOp op, Geom *a, Geom *b, Diags *diags, Span span) {
  if (geom_dim(a) != geom_dim(b)) {
    diag_report(diags, E1001, span, "the shapes have different dimensions: the left one is %dD, the right one %dD", geom_dim(a), geom_dim(b));
    return NULL;
  }
  if (geom_dim(a) == 1) {
    diag_suggest(diag_report(diags, E1001, span, "intervals can't be combined by + - &"), "polyline([a, b, c]) is an interval with points between");
    return NULL;
  }
  Geom *geom = geom_new();
  geom->node = (GeomNode){.op = op, .a = a->root, .b = b->root};
  geom->a = geom_retain(a);
  geom->b = geom_retain(b);
  collect(geom);
  if (!inherit(geom, a, NULL, diags, span) || (b != a && !inherit(geom, b, NULL, diags, span))) {
    geom_release(geom);
    return NULL;
  }
  clear_ambiguous(geom);
  return geom;
}

Geom *geom_named(Geom *from, Name part) {
  Geom *geom = geom_new();
  geom->node = *from->root;
  geom->node.part = arena_text(geom->arena, part, strlen(part));
  geom->a = geom_retain(from);
  collect(geom);
  inherit(geom, from, geom->node.part, NULL, (Span){0, 0});
  clear_ambiguous(geom);
  return geom;
}

Geom *geom_with_group(Geom *from, Interner *names, const GeomGroup *group, Diags *diags) {
  (void)names;
  const GeomGroup *other = geom_find_kind(from, NULL, group->name, group->is_region);
  if (other && !strcmp(other->name, group->name)) {
    Diag *diag = diag_report(diags, E1002, group->span, "there is already a %s named `%s`", group->is_region ? "region" : "boundary", group->name);
    if (other->is_side) diag_suggest(diag, "it is a side of a shape; choose another name");
    else diag_note(diag, other->span, "defined here");
    return NULL;
  }
  if (group->is_region && !group->predicate && !group->nmembers) {
    Diag *diag = diag_report(diags, E1003, group->span, "region `%s` names a part that the shape does not contain", group->name);
    diag_suggest(diag, "shape = a + b keeps `a` and `b` as parts; or write region %s = where ...", group->name);
    return NULL;
  }
  Geom *geom = geom_new();
  geom->root = from->root;
  geom->a = geom_retain(from);
  collect(geom);
  inherit(geom, from, NULL, NULL, group->span);
  GeomGroup copy = *group;
  copy.name = arena_text(geom->arena, group->name, strlen(group->name));
  Name *members = ARENA_ARRAY(geom->arena, Name, group->nmembers + from->nsides_groups + 1);   /* `all` stands for all sides */
  copy.nmembers = 0;
  for (int k = 0; k < group->nmembers; k++) {
    if (!group->is_region && !strcmp(group->members[k], "all")) {   /* all sides of this geometry, also where it becomes a part */
      for (int i = 0; i < from->nsides_groups; i++) members[copy.nmembers++] = from->groups[i].name;
      break;
    }
    const GeomGroup *member = geom_find_kind(from, NULL, group->members[k], group->is_region);
    members[copy.nmembers++] = member ? member->name : arena_text(geom->arena, group->members[k], strlen(group->members[k]));
  }
  copy.members = members;
  add_group(geom, &copy);
  clear_ambiguous(geom);
  return geom;
}

/* --- finding --- */

/* The canonical name of an alias of a side: "x_min", "outer.x_min"; NULL: none. */
static const char *unaliased(const Geom *geom, const GeomNode *node, const char *name) {
  if (node->op != GEOM_PRIMITIVE) {
    const char *found = unaliased(geom, node->a, name);
    return found ? found : unaliased(geom, node->b, name);
  }
  for (int k = 0; k + 1 < 24 && node->row->aliases[k]; k += 2)
    if (!strcmp(node->row->aliases[k], name)) return node->row->aliases[k + 1];
  return node->base ? unaliased(geom, node->base, name) : NULL;
}

static const GeomGroup *find_spelling(const Geom *geom, const char *part, const char *name, bool region) {
  const GeomGroup *found = NULL;
  for (int i = 0; i < geom->ngroups; i++) {
    const GeomGroup *g = &geom->groups[i];
    if (g->is_region != region) continue;
    if (part) {
      size_t n = strlen(part);
      if (!strncmp(g->name, part, n) && g->name[n] == '.' && !strcmp(g->name + n + 1, name)) return g;
    } else if (!strcmp(g->name, name)) {
      return g;
    } else if (g->bare && !strcmp(g->bare, name)) {
      found = g;
    }
  }
  return found;
}

const GeomGroup *geom_find_kind(const Geom *geom, Name part, Name name, bool region) {
  const GeomGroup *found = find_spelling(geom, part, name, region);
  if (found || region) return found;
  char prefix[128];
  const char *dot = part ? NULL : strrchr(name, '.');
  if (dot && (size_t)(dot - name) < sizeof prefix) {
    memcpy(prefix, name, (size_t)(dot - name));
    prefix[dot - name] = 0;
    part = prefix;
    name = dot + 1;
  }
  const GeomNode *node = part ? geom_part(geom, part) : geom->root;
  const char *canonical = node ? unaliased(geom, node, name) : NULL;
  return canonical ? find_spelling(geom, part, canonical, false) : NULL;
}

const GeomGroup *geom_find(const Geom *geom, Name part, Name name) {
  const GeomGroup *found = geom_find_kind(geom, part, name, false);
  return found ? found : geom_find_kind(geom, part, name, true);
}

static const GeomNode *find_part(const GeomNode *node, const char *part) {
  if (node->part && !strcmp(node->part, part)) return node;
  if (node->op == GEOM_PRIMITIVE) return NULL;
  const GeomNode *found = find_part(node->a, part);
  return found ? found : find_part(node->b, part);
}

const GeomNode *geom_part(const Geom *geom, const char *part) { return find_part(geom->root, part); }
