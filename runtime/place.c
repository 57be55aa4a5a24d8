/* Boundaries and regions by name. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "eval.h"
#include "map_value.h"

Value *value_subject(Value *v) {
  switch (v->kind) {
    case VALUE_GEOMETRY:
    case VALUE_MESH: return v;
    case VALUE_PDE: return v->pde->geometry;
    case VALUE_MAP: return v->map->subject;
    case VALUE_MODEL: return v->model->map->map->subject;
    case VALUE_SOLUTION: return v->solution_pde ? v->solution_pde->pde->geometry : v->solution_mesh;
    case VALUE_PLACE: return v->subject;
    case VALUE_FIELD:
      if (v->deps.n) return value_subject(v->deps.solutions[0]);
      return v->mesh_hint;
    case VALUE_TUPLE:
    case VALUE_LIST:
      for (int i = 0; i < v->n; i++) {
        Value *s = value_subject(v->items[i]);
        if (s) return s;
      }
      return NULL;
    default: return NULL;
  }
}

Value *value_geometry(Value *subject) { return subject && subject->kind == VALUE_MESH && subject->mesh_geometry ? subject->mesh_geometry : subject; }

/* The mesh that the file has of a geometry: of its meshes and solutions, where they all have the same. */
Mesh *place_only_mesh(Eval *ev, Value *geometry, Value **owner) {
  Mesh *found = NULL;
  Scope *file = scope_file(ev->scope);
  for (int i = 0; i < file->n; i++) {
    Value *v = file->slots[i].value, *of = v->kind == VALUE_SOLUTION ? v->solution_mesh : v->kind == VALUE_MESH ? v : NULL;
    if (!of || of->kind != VALUE_MESH || !of->mesh || of->mesh_geometry != geometry || of->mesh == found) continue;
    if (found) return NULL;
    found = of->mesh;
    *owner = of;
  }
  return found;
}

Mesh *value_mesh(Value *v, Value **owner) {
  switch (v->kind) {
    case VALUE_MESH:
      *owner = v;
      return v->mesh;
    case VALUE_MAP: return v->map->mesh ? value_mesh(v->map->mesh, owner) : NULL;
    case VALUE_SOLUTION: return v->solution_mesh ? value_mesh(v->solution_mesh, owner) : NULL;
    case VALUE_FIELD:
      if (v->deps.n) return value_mesh(v->deps.solutions[0], owner);
      return v->mesh_hint ? value_mesh(v->mesh_hint, owner) : NULL;
    default: return NULL;
  }
}

/* Boundary facets of a file that no physical name holds are a side as well: what holds there is to be said. */
static bool has_unnamed(const Mesh *m) {
  bool *named = calloc((size_t)m->nboundary + 1, sizeof *named);
  int left = m->nboundary;
  for (int i = 0; i < m->ngroups; i++)
    for (int k = 0; m->groups[i].dim == m->dim - 1 && strcmp(m->groups[i].name, "all") && k < m->groups[i].n; k++) {
      int facet = m->groups[i].entity[k];
      if (facet >= m->nboundary || named[facet]) continue;
      named[facet] = true;
      left--;
    }
  free(named);
  return left > 0;
}

static void groups_of_mesh(Value *v) {
  const Mesh *m = v->mesh;
  v->mesh_groups = calloc((size_t)m->ngroups + 2, sizeof *v->mesh_groups);
  for (int i = 0; i < m->ngroups; i++) {
    if (m->groups[i].dim < m->dim - 1) continue;
    v->mesh_groups[v->nmesh_groups++] = (GeomGroup){.name = m->groups[i].name, .bare = m->groups[i].name, .is_region = m->groups[i].dim == m->dim, .is_side = true};
  }
  if (has_unnamed(m)) v->mesh_groups[v->nmesh_groups++] = (GeomGroup){.name = "(unnamed facets)", .bare = "(unnamed facets)", .is_side = true};
}

int place_groups(Value *subject, const GeomGroup **groups) {
  *groups = NULL;
  if (subject->kind == VALUE_GEOMETRY) return geom_groups(subject->geom, groups);
  if (subject->kind != VALUE_MESH) return 0;
  if (subject->mesh_geometry) return place_groups(subject->mesh_geometry, groups);
  if (!subject->mesh) return 0;
  if (!subject->mesh_groups) groups_of_mesh(subject);
  *groups = subject->mesh_groups;
  return subject->nmesh_groups;
}

static Value *place_of(Name canonical, bool is_region, Value *subject) {
  Value *v = value_new(VALUE_PLACE);
  v->where.names = malloc(sizeof(Name));
  v->where.names[0] = canonical;
  v->where.n = 1;
  v->is_region = is_region;
  v->subject = value_retain(subject);
  return v;
}

static const GeomGroup *find_group(Value *subject, Name part, Name name) {
  if (subject->kind == VALUE_MESH && subject->mesh_geometry) return find_group(subject->mesh_geometry, part, name);
  if (subject->kind == VALUE_GEOMETRY) return geom_find(subject->geom, part, name);
  const GeomGroup *groups;
  int n = place_groups(subject, &groups);
  for (int i = 0; i < n && !part; i++)
    if (!strcmp(groups[i].name, name)) return &groups[i];
  return NULL;
}

static bool is_part(Value *subject, Name name) {
  if (subject->kind == VALUE_MESH && subject->mesh_geometry) return is_part(subject->mesh_geometry, name);
  if (subject->kind != VALUE_GEOMETRY) return false;
  const Name *parts;
  int n = geom_parts(subject->geom, &parts);
  for (int i = 0; i < n; i++)
    if (parts[i] == name) return true;
  return false;
}

Value *place_all(Eval *ev, Value *subject) {
  (void)ev;
  Value *v = value_new(VALUE_PLACE);
  v->where.all = true;
  v->subject = value_retain(subject);
  return v;
}

/* The facets between cells. */
static Value *place_interior(Value *subject) {
  Value *v = value_new(VALUE_PLACE);
  v->where.interior = true;
  v->subject = value_retain(subject);
  return v;
}

Value *place_whole(Value *subject) {
  Value *v = value_new(VALUE_PLACE);
  v->where.all = true;
  v->is_region = true;
  v->subject = value_retain(subject);
  return v;
}

/* A part of a geometry stands for all its sides (`on hole`), unless a region or boundary has the name. */
Value *place_by_name(Eval *ev, Value *subject, Name part, Name name) {
  const GeomGroup *group = find_group(subject, part, name);
  if (group) return place_of(group->name, group->is_region, subject);
  if (part) return NULL;
  if (!strcmp(name, "all")) return place_all(ev, subject);
  if (!strcmp(name, "interior")) return place_interior(subject);
  if (!is_part(subject, name)) return NULL;
  return place_of(name, false, subject);
}

/* A side of a part that the difference or intersection has removed. */
static bool vanished(Value *subject, Name part, Name name) {
  if (subject->kind == VALUE_MESH && subject->mesh_geometry) subject = subject->mesh_geometry;
  if (subject->kind != VALUE_GEOMETRY) return false;
  const GeomSideRef *sides;
  int n = geom_sides(subject->geom, &sides);
  for (int i = 0; i < n; i++) {
    const GeomNode *p = sides[i].primitive;
    if (sides[i].group < 0 && p->part && !strcmp(p->part, part) && !strcmp(sides[i].bare, name)) return true;
  }
  return false;
}

void place_report_unknown(Eval *ev, Value *subject, Name part, Name name, Span span) {
  const GeomGroup *groups;
  int n = subject ? place_groups(subject, &groups) : 0, m = 0;
  Name *names = malloc((size_t)(n + 1) * sizeof *names);
  Buf list = {0};
  for (int i = 0; i < n; i++) {
    if (groups[i].name[0] == '(') continue;      /* facets without a name cannot be meant */
    if (part && (!groups[i].part || strcmp(groups[i].part, part))) continue;
    if (part && !strcmp(groups[i].name, part)) continue;
    Name shown = part && strchr(groups[i].name, '.') ? strchr(groups[i].name, '.') + 1 : groups[i].bare ? groups[i].bare : groups[i].name;
    bool twice = false;                      /* a part is a boundary and a region */
    for (int k = 0; k < m; k++) twice |= !strcmp(names[k], shown);
    if (twice) continue;
    names[m++] = shown;
    buf_printf(&list, "%s%s", list.len ? ", " : "", shown);
  }
  if (part && vanished(subject, part, name)) {
    Diag *gone = diag_report(&ev->host->diags, E0203, span, "nothing is left of `%s.%s`: the shape has cut it away", part, name);
    if (m) diag_suggest(gone, "of `%s` there are still %s", part, buf_str(&list));
    buf_free(&list);
    free(names);
    return;
  }
  Diag *d = part ? diag_report(&ev->host->diags, E0203, span, "`%s` has no boundary or region `%s`", part, name)
                 : diag_report(&ev->host->diags, E0203, span, "the geometry has no boundary or region `%s`", name);
  Name near = nearest_name(name, names, m);
  if (near) diag_replace(diag_suggest(d, "did you mean `%s`?", near), "%s", near);
  else if (m) diag_suggest(d, "it has %s", buf_str(&list));
  else if (subject && subject->kind == VALUE_MESH) diag_suggest(d, "the mesh has no named boundary: give physical groups names in Gmsh, or use `all`");
  if (near && m) diag_note(d, (Span){0, 0}, "it has %s", buf_str(&list));
  buf_free(&list);
  free(names);
}

Value *place_union(Eval *ev, Value *a, Value *b, Span span) {
  if (a->is_region != b->is_region) {
    diag_report(&ev->host->diags, E0508, span, "a boundary and a region do not add up");
    return value_poison();
  }
  Value *v = value_new(VALUE_PLACE);
  v->where.all = a->where.all || b->where.all;
  v->where.n = a->where.n + b->where.n;
  v->where.names = malloc((size_t)(v->where.n + 1) * sizeof(Name));
  for (int i = 0; i < v->where.n; i++) v->where.names[i] = i < a->where.n ? a->where.names[i] : b->where.names[i - a->where.n];
  v->is_region = a->is_region;
  v->subject = value_retain(a->subject);
  return v;
}

/* A part of a difference or sum names its sides; its cells have a name only where a region of the geometry gives them one. */
static void report_no_region(Eval *ev, const Value *place, Span span) {
  Diags *diags = &ev->host->diags;
  bool is_place = place->kind == VALUE_PLACE;
  Name name = is_place && place->where.n == 1 && !place->where.all ? place->where.names[0] : NULL;
  Diag *d;
  if (name) d = diag_report(diags, E0530, span, "`%s` is a %s here, which has two sides: one region is wanted, on whose side values are taken", name, is_part(place->subject, name) ? "part, the name of its boundary" : "boundary");
  else if (is_place) d = diag_report(diags, E0530, span, "one region is wanted here, on whose side values are taken; this is %s", place->is_region ? "several" : "a boundary");
  else d = diag_report(diags, E0530, span, "one region is wanted here, on whose side values are taken; this is %s %s", value_article(place), value_kind_name(place));
  if (name && is_part(place->subject, name)) diag_suggest(d, "declare the cells of the part as a region in the geometry: `region %s_cells = %s`", name, name);
  else diag_suggest(d, "as in grad(sol.u)(0.5, 0.5, from: steel)");
}

bool place_region(Eval *ev, Value *place, Span span, Name *out) {
  bool region = place->kind == VALUE_PLACE && place->is_region && place->where.n == 1 && !place->where.all;
  if (region) *out = place->where.names[0];
  if (region || place->kind == VALUE_UNKNOWN) return true;
  report_no_region(ev, place, span);
  return false;
}

/* Sets the side of a place that an argument holds; a copy, because values do not change. */
bool place_take_side(Eval *ev, Value **place, Value *side, Span span) {
  Name name = NULL;
  if (!side) return true;
  if (!place_region(ev, side, span, &name)) return false;
  if (*place && (*place)->kind == VALUE_UNKNOWN) return true;
  if (!*place || (*place)->is_region) {
    diag_suggest(diag_report(&ev->host->diags, E0530, span, "`from:` chooses a side of facets, and this place has cells"), "as in integral(dx(sol.u), on: interface(a, b), from: a)");
    return false;
  }
  const Where *where = &(*place)->where;
  Value *sided = value_new(VALUE_PLACE);
  sided->where = *where;
  sided->where.names = malloc((size_t)(where->n + 1) * sizeof(Name));
  if (where->n) memcpy(sided->where.names, where->names, (size_t)where->n * sizeof(Name));
  sided->where.side = name;
  sided->subject = value_retain((*place)->subject);
  value_release(*place);
  *place = sided;
  return true;
}

/* The region of that name: a part names its sides and its cells, and here its cells are meant. */
static Value *as_region(const Value *place) {
  const GeomGroup *groups;
  int n = place->where.n == 1 ? place_groups(place->subject, &groups) : 0;
  for (int i = 0; i < n; i++)
    if (groups[i].is_region && !strcmp(groups[i].name, place->where.names[0])) return place_of(groups[i].name, true, place->subject);
  return NULL;
}

static Value *region_beside(Eval *ev, const Ast *node, Value *subject) {
  Value *place = eval_place(ev, node, subject);
  if (is_poison(place) || place->kind == VALUE_UNKNOWN || (place->is_region && place->where.n == 1)) return place;
  Value *region = place->is_region ? NULL : as_region(place);
  if (!region) {
    diag_suggest(diag_report(&ev->host->diags, E0204, node->span, "interface(a, b) names two regions; this is none"),
                 "a region is declared by `region a = where ...`; a part of a union is one too");
    region = value_poison();
  }
  value_release(place);
  return region;
}

/* interface(a, b), also m.interface(a, b): facets where two regions meet. */
static Value *place_interface(Eval *ev, const Ast *node, Value *subject) {
  if (node->n != 3) {
    diag_report(&ev->host->diags, E0502, node->span, "interface(a, b) names two regions");
    return value_poison();
  }
  Value *v = value_new(VALUE_PLACE);
  for (int i = 0; i < 2; i++) {
    Value *side = region_beside(ev, node->kid[i + 1], subject);
    if (is_poison(side) || side->kind == VALUE_UNKNOWN) {
      value_release(v);
      return side;
    }
    v->where.interface[i] = side->where.names[0];
    if (!v->subject) v->subject = value_retain(side->subject);
    value_release(side);
  }
  return v;
}

static bool is_interface(const Ast *node) {
  return node->kind == AST_CALL && (node->kid[0]->kind == AST_NAME || node->kid[0]->kind == AST_MEMBER) && !strcmp(node->kid[0]->name, "interface");
}

/* integral(1, brick): without a subject, the name of a boundary or region of the only geometry in the file that has it. */
static Value *place_anywhere(Eval *ev, Name part, Name name) {
  Value *found = NULL;
  Scope *file = scope_file(ev->scope);
  for (int i = 0; i < file->n; i++) {
    if (file->slots[i].value->kind != VALUE_GEOMETRY && file->slots[i].value->kind != VALUE_MESH) continue;
    Value *v = place_by_name(ev, file->slots[i].value, part, name);
    if (!v) continue;
    bool other = found && value_geometry(found->subject) != value_geometry(v->subject);
    value_release(found);
    found = v;
    if (!other) continue;
    value_release(found);
    return NULL;
  }
  return found;
}

/* While checking: a mesh of a file that only the run names may have any names. */
static bool names_unknown(Eval *ev) {
  for (Scope *s = ev->scope; s; s = s->parent)
    for (int i = 0; i < s->n; i++)
      if (s->slots[i].value->kind == VALUE_UNKNOWN) return true;
  return false;
}

/* The subject's names first; then whatever the expression gives (a place by its part, a geometry, a mesh). */
Value *eval_place(Eval *ev, const Ast *node, Value *subject) {
  if (subject && node->kind == AST_NAME) {
    Value *v = place_by_name(ev, subject, NULL, node->name);
    if (v) {
      Slot *slot = scope_lookup(ev, node->name);
      if (slot) slot->used = true;
      return v;
    }
    if (!scope_lookup(ev, node->name)) {
      place_report_unknown(ev, subject, NULL, node->name, node->span);
      return value_poison();
    }
  }
  if (subject && node->kind == AST_MEMBER && node->kid[0]->kind == AST_NAME) {
    Value *v = place_by_name(ev, subject, node->kid[0]->name, node->name);
    if (v) return v;
    if (is_part(subject, node->kid[0]->name)) {
      place_report_unknown(ev, subject, node->kid[0]->name, node->name, node->span);
      return value_poison();
    }
  }
  if (!subject && node->kind == AST_NAME && !scope_lookup(ev, node->name)) {
    Value *v = place_anywhere(ev, NULL, node->name);
    if (!v && !strcmp(node->name, "interior")) v = place_interior(NULL);   /* of the mesh that the fields have */
    if (v) return v;
    if (ev->dry && names_unknown(ev)) return value_unknown();
  }
  if (!subject && node->kind == AST_MEMBER && node->kid[0]->kind == AST_NAME && !scope_lookup(ev, node->kid[0]->name)) {
    Value *v = place_anywhere(ev, node->kid[0]->name, node->name);
    if (v) return v;
  }
  if (node->kind == AST_PAREN) return eval_place(ev, node->kid[0], subject);
  if (node->kind == AST_BINARY && node->op == OP_ADD) {
    Value *a = eval_place(ev, node->kid[0], subject), *b = eval_place(ev, node->kid[1], subject);
    Value *v = is_poison(a) || is_poison(b) ? value_poison() : place_union(ev, a, b, node->span);
    value_release(a);
    value_release(b);
    return v;
  }
  if (is_interface(node)) {
    if (node->kid[0]->kind == AST_NAME) return place_interface(ev, node, subject);
    Value *of = eval_expr(ev, node->kid[0]->kid[0]), *own = value_subject(of);
    Value *v = is_poison(of) ? value_retain(of) : place_interface(ev, node, own ? of : subject);
    value_release(of);
    return v;
  }
  Value *v = eval_expr(ev, node);
  if (is_poison(v) || v->kind == VALUE_PLACE || v->kind == VALUE_UNKNOWN) return v;
  if (v->kind == VALUE_GEOMETRY || v->kind == VALUE_MESH || (v->kind == VALUE_SOLUTION && v->solution_mesh)) {
    Value *whole = place_whole(v->kind == VALUE_SOLUTION ? v->solution_mesh : v);
    value_release(v);
    return whole;
  }
  diag_report(&ev->host->diags, E0505, node->span, "a boundary, region, geometry or mesh is wanted here; this is %s %s", value_article(v), value_kind_name(v));
  value_release(v);
  return value_poison();
}
