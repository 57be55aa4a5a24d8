/* Geometries and meshes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"

/* --- primitives of the geometry table --- */

typedef struct Numbers { double *values; int n, room; } Numbers;

static void add(Numbers *out, double x) {
  if (out->n == out->room) out->values = realloc(out->values, (size_t)(out->room = 2 * out->room + 4) * sizeof *out->values);
  out->values[out->n++] = x;
}

static bool take_number(Call *call, Value *v, Span span, bool is_length, Numbers *out) {
  double x = NAN;
  Unit unit = is_length ? host_length_unit(call->ev->host) : UNIT_NONE;
  if (!is_unknown(v) && !eval_to_number(call->ev, v, span, is_length ? "a length" : "a number", unit, &x)) return false;
  add(out, x);
  return true;
}

static bool take_range(Call *call, const GeomParam *p, Value *v, Span span, Numbers *out) {
  Unit unit = p->is_length ? host_length_unit(call->ev->host) : UNIT_NONE;
  if (v->known && !unit_fits(v->range_unit, unit)) {
    Buf want = {0};
    unit_print(&want, unit);
    diag_suggest(diag_report(&call->ev->host->diags, E0305, span, "lengths carry %s in a program with units", unit_is_none(unit) ? "no unit" : buf_str(&want)), "write 0 [mm]..60 [mm]");
    buf_free(&want);
    return false;
  }
  add(out, v->known ? v->from : NAN);
  add(out, v->known ? v->to : NAN);
  return true;
}

/* "2412", or the path of a point file. */
static bool take_profile(Call *call, Value *v, Span span, Numbers *out) {
  if (v->kind != VALUE_STRING) {
    diag_suggest(diag_report(&call->ev->host->diags, E0505, span, "a profile is a string; this is %s %s", value_article(v), value_kind_name(v)),
                 "write \"2412\" for NACA 2412, or the path of a point file");
    return false;
  }
  const char *text = v->text;
  if (strspn(text, "0123456789") == strlen(text)) {
    double digits = 0;
    for (const char *s = text; *s; s++) digits = 10 * digits + (*s - '0');
    if (strlen(text) == 4) {
      add(out, digits);
      return true;
    }
    diag_suggest(diag_report(&call->ev->host->diags, E1000, span, "\"%s\" has %zu digits; NACA profiles have four here", text, strlen(text)),
                 "write \"2412\": camber 2%% at 40%% of the chord, thickness 12%%");
    return false;
  }
  char *path = host_input_path(call->ev, text, span);
  Status status = !path || geom_profile_read(path, &call->ev->host->diags, span, &out->values, &out->n);
  free(path);
  out->n *= 2;
  return !status;
}

static bool take_argument(Call *call, const GeomParam *p, Value *v, Span span, Numbers *out) {
  if (is_unknown(v) || v->kind == VALUE_UNKNOWN) {
    add(out, NAN);
    return true;
  }
  if (p->kind == GEOM_NUMBER) return take_number(call, v, span, p->is_length, out);
  if (p->kind == GEOM_RANGE) return take_range(call, p, v, span, out);
  if (p->kind == GEOM_PROFILE) return take_profile(call, v, span, out);
  if (p->kind == GEOM_SHAPE) {
    if (v->kind != VALUE_GEOMETRY) diag_report(&call->ev->host->diags, E0505, span, "`%s` is a geometry; this is %s %s", p->name, value_article(v), value_kind_name(v));
    return v->kind == VALUE_GEOMETRY;
  }
  for (int i = 0; i < v->n; i++) {
    Value *item = v->items[i];
    if (p->kind == GEOM_POINTS && (item->kind == VALUE_TUPLE || item->kind == VALUE_LIST)) {
      for (int k = 0; k < item->n; k++)
        if (!take_number(call, item->items[k], span, p->is_length, out)) return false;
    } else if (!take_number(call, item, span, p->is_length, out)) return false;
  }
  return true;
}

static Value *geometry_value(Geom *geom) {
  if (!geom) return value_poison();
  Value *v = value_new(VALUE_GEOMETRY);
  v->geom = geom;
  return v;
}

Value *geometry_primitive(Call *call) {
  const GeomRow *row = geom_row(call->row->name);
  Numbers numbers[8] = {{0}};
  GeomArg args[8] = {{0}};
  bool fine = true, known = true;
  for (int i = 0; i < 8 && row->params[i].name && fine; i++) {
    if (!ARG(i)) continue;
    fine = take_argument(call, &row->params[i], ARG(i), call->spans[i], &numbers[i]);
    args[i] = (GeomArg){numbers[i].values, numbers[i].n, ARG(i)->kind == VALUE_GEOMETRY ? ARG(i)->geom : NULL};
    for (int k = 0; k < numbers[i].n; k++) known &= !isnan(numbers[i].values[k]);
  }
  Value *out = !fine ? value_poison() : !known ? value_unknown() : geometry_value(geom_primitive(row, args, &call->ev->host->diags, call->span));
  for (int i = 0; i < 8; i++) free(numbers[i].values);
  return out;
}

static Value *run_flow_around(Call *call) {
  Value *body = ARG(0);
  static const GeomParam range = {"x", GEOM_RANGE, true, NULL, NULL};
  double ranges[3][2];
  bool known = true, fine = true;
  if (is_unknown(body)) return value_unknown();
  if (body->kind != VALUE_GEOMETRY) {
    diag_report(&call->ev->host->diags, E0505, call->spans[0], "flow_around takes the geometry of a body; this is %s %s", value_article(body), value_kind_name(body));
    return value_poison();
  }
  for (int d = 0; d < 3 && fine; d++) {
    Numbers numbers = {0};
    ranges[d][0] = ranges[d][1] = NAN;
    if (!ARG(d + 1)) continue;
    if (d >= geom_dim(body->geom)) {
      diag_report(&call->ev->host->diags, E0502, call->spans[d + 1], "the body has %d dimensions, and z is the third", geom_dim(body->geom));
      return value_poison();
    }
    fine = take_range(call, &range, ARG(d + 1), call->spans[d + 1], &numbers);
    if (fine) memcpy(ranges[d], numbers.values, sizeof ranges[d]);
    if (fine) known &= !isnan(ranges[d][0]);
    free(numbers.values);
  }
  if (!fine) return value_poison();
  return known ? geometry_value(geom_flow_around(body->geom, ranges, &call->ev->host->diags, call->span)) : value_unknown();
}

/* --- mesh --- */

static bool read_cells(Call *call, Value *v, Span span, MeshOptions *o) {
  if (is_unknown(v)) return true;
  Value *one[1] = {v}, **items = v->kind == VALUE_NUMBER ? one : v->items;
  int n = v->kind == VALUE_NUMBER ? 1 : v->kind == VALUE_LIST || v->kind == VALUE_TUPLE ? v->n : 0;
  if (n < 1 || n > 3) {
    diag_suggest(diag_report(&call->ev->host->diags, E0505, span, "cells are a list with a number per direction"), "write cells: [32, 32]");
    return false;
  }
  for (int i = 0; i < n; i++) {
    double k;
    if (is_unknown(items[i])) continue;
    if (!eval_to_number(call->ev, items[i], span, "a number of cells", UNIT_NONE, &k)) return false;
    if (k < 1 || k != floor(k) || k > 1e6) {
      diag_suggest(diag_report(&call->ev->host->diags, E0506, span, "the number of cells in a direction is a whole number from 1 to 1,000,000, not %g", k), "write %g, say", k >= 1 && k <= 1e6 ? floor(k) : 32);
      return false;
    }
    o->cells[i] = (int)k;
  }
  o->ncells_given = n;
  return true;
}

static bool read_size(Call *call, Value *v, Span span, int dim, MeshOptions *o) {
  if (is_unknown(v)) return true;
  if (v->kind == VALUE_NUMBER) {
    if (!eval_to_number(call->ev, v, span, "h", host_length_unit(call->ev->host), &o->h)) return false;
    if (o->h > 0) return true;
    diag_suggest(diag_report(&call->ev->host->diags, E0506, span, "the cell size h is positive, not %g", o->h), "a tenth of the domain's size is a start");
    return false;
  }
  int before = call->ev->host->diags.nerrors;
  if (v->kind != VALUE_FIELD) {
    diag_suggest(diag_report(&call->ev->host->diags, E0505, span, "h is a length or a scalar field; this is %s %s", value_article(v), value_kind_name(v)), "write h: 0.1");
    return false;
  }
  Expr *e = eval_to_expr(call->ev, v, span, NULL);
  e = e ? expr_specialise(call->ev->host->pool, e, dim) : NULL;
  o->h_field = e && e->shape.rank == 0 ? expr_scalar(call->ev->host->pool, e, 0, dim) : NULL;
  if (!o->h_field && call->ev->host->diags.nerrors == before) diag_report(&call->ev->host->diags, E0505, span, "h is a length or a scalar field");
  return o->h_field != NULL;
}

/* near(hole, 0.005, within: 0.1) gives a record that size: takes, alone or in a list. */
static bool read_near(Call *call, Value *v, Span span, MeshOptions *o) {
  if (is_unknown(v)) return true;
  Value *one[1] = {v}, **items = v->kind == VALUE_LIST ? v->items : one;
  int n = v->kind == VALUE_LIST ? v->n : 1;
  o->near = calloc((size_t)n + 1, sizeof *o->near);
  for (int i = 0; i < n; i++) {
    Value *r = items[i];
    if (r->kind != VALUE_RECORD || r->nfields != 3 || r->fields[0].value->kind != VALUE_PLACE) {
      diag_suggest(diag_report(&call->ev->host->diags, E0505, span, "size: takes near(...)"), "write size: near(hole, 0.005, within: 0.1)");
      return false;
    }
    const Value *place = r->fields[0].value;
    o->near[o->nnear++] = (MeshNear){place->where.n ? place->where.names[0] : "all", false, r->fields[1].value->number, r->fields[2].value->number};
  }
  return true;
}

static bool read_curvature(Call *call, Value *v, Span span, MeshOptions *o) {
  if (!eval_to_number(call->ev, v, span, "cells a turn", UNIT_NONE, &o->curvature)) return false;
  if (o->curvature >= 3 && o->curvature <= 1e5) return true;
  diag_suggest(diag_report(&call->ev->host->diags, E1004, span, "curvature: is the number of cells that a full turn of a curved side takes; %g are too %s", o->curvature,
                           o->curvature < 3 ? "few" : "many"), "write curvature: 20");
  return false;
}

/* periodic: left to right, or a list of such pairs; read from the syntax tree. */
static bool read_periodic(Call *call, Value *v, Value *geometry, MeshOptions *o) {
  const Ast *node = v->thunk;
  int n = node->kind == AST_LIST || node->kind == AST_TUPLE ? node->n : 1;
  o->periodic = calloc((size_t)n + 1, sizeof *o->periodic);
  for (int i = 0; i < n; i++) {
    const Ast *pair = node->kind == AST_LIST || node->kind == AST_TUPLE ? node->kid[i] : node;
    if (pair->kind != AST_BINARY || pair->op != OP_TO) {
      diag_suggest(diag_report(&call->ev->host->diags, E0505, pair->span, "`periodic:` joins two boundaries"), "write periodic: left to right");
      return false;
    }
    Name name[2];
    for (int k = 0; k < 2; k++) {
      Value *place = eval_place(call->ev, pair->kid[k], geometry);
      bool fine = place->kind == VALUE_PLACE && !place->is_region && place->where.n == 1;
      if (!fine && !is_poison(place)) diag_report(&call->ev->host->diags, E0505, pair->kid[k]->span, "`periodic:` wants one boundary on either side of `to`");
      if (fine) name[k] = place->where.names[0];
      value_release(place);
      if (!fine) return false;
    }
    o->periodic[o->nperiodic++] = (MeshPeriodic){name[0], name[1], pair->span};
  }
  return true;
}

static Value *run_near(Call *call) {
  Value *v = value_new(VALUE_RECORD);
  static const char *const labels[] = {"place", "h", "within"};
  v->fields = calloc(3, sizeof *v->fields);
  v->nfields = 3;
  for (int i = 0; i < 3; i++) {
    double x;
    if (!ARG(i)) {
      v->fields[i] = (Argument){intern_text(call->ev->host->names, labels[i]), value_number(0, host_length_unit(call->ev->host)), call->span};
      continue;
    }
    if (i && !is_unknown(ARG(i)) && !eval_to_number(call->ev, ARG(i), call->spans[i], "a length", host_length_unit(call->ev->host), &x)) {
      v->nfields = i;
      value_release(v);
      return value_poison();
    }
    v->fields[i] = (Argument){intern_text(call->ev->host->names, labels[i]), value_retain(ARG(i)), call->spans[i]};
    if (is_unknown(ARG(i))) v->known = false;
  }
  return v;
}

static Value *mesh_value(Mesh *mesh, Value *geometry, int shape) {
  Value *v = value_new(VALUE_MESH);
  v->mesh = mesh;
  v->mesh_shape = mesh ? (int)mesh->ref->shape : shape;
  v->mesh_geometry = value_retain(geometry);
  return v;
}

static bool read_order(Call *call, Value *v, Span span, MeshOptions *o) {
  double order;
  if (!eval_to_number(call->ev, v, span, "order", UNIT_NONE, &order)) return false;
  if (order == 1 || order == 2) {
    o->order = (int)order;
    return true;
  }
  diag_suggest(REPORT(E1022, "cells have the order 1 (straight) or 2 (curved); this is %g", order), "leave order: out: cells follow curved sides");
  return false;
}

/* Triangles and tetrahedra, or quadrilaterals and hexahedra: quad in the plane, hex in space. */
static bool read_kind(Call *call, Value *v, Span span, int dim, MeshOptions *o) {
  static const char *const of[2][4] = {{"", "", "tri", "tet"}, {"", "", "quad", "hex"}};
  const char *kind = v->kind == VALUE_WORD ? v->word : v->kind == VALUE_STRING ? v->text : "";
  o->shape = !strcmp(kind, "quad") || !strcmp(kind, "hex") ? CELL_TENSOR : CELL_SIMPLEX;
  if (is_unknown(v) || !strcmp(kind, of[o->shape][dim])) return true;
  Diag *d = diag_report(&call->ev->host->diags, E1060, span, "the cells of a %dD geometry are not of kind `%s`", dim, kind);
  if (dim == 1) diag_suggest(d, "an interval has intervals as cells: leave `kind:` out");
  else diag_suggest(d, "write kind: %s", of[o->shape][dim]);
  return false;
}

static Value *run_mesh(Call *call) {
  Eval *ev = call->ev;
  Value *geometry = ARG(0);
  if (geometry->kind == VALUE_UNKNOWN) return value_unknown();
  if (geometry->kind != VALUE_GEOMETRY) {
    Diag *d = diag_report(&ev->host->diags, E0505, call->spans[0], "mesh wants a geometry; this is %s %s", value_article(geometry), value_kind_name(geometry));
    diag_suggest(d, geometry->kind == VALUE_PDE ? "mesh the geometry that the pde holds on" : "write mesh(rectangle(x: 0..1, y: 0..1), h: 0.1)");
    return value_poison();
  }
  MeshOptions o = {.order = 2, .span = call->span, .quiet = ev->host->quiet};
  bool fine = true;
  if (!ARG(1) && !ARG(2)) {
    diag_suggest(REPORT(E0502, "a mesh needs its size"), "give h: (triangles and tetrahedra by Gmsh) or cells: [n, m] (a structured grid)");
    return value_poison();
  }
  if (ARG(1)) fine &= read_size(call, ARG(1), call->spans[1], geom_dim(geometry->geom), &o);
  if (ARG(2)) fine &= read_cells(call, ARG(2), call->spans[2], &o);
  if (ARG(3)) fine &= read_near(call, ARG(3), call->spans[3], &o);
  if (ARG(7)) fine &= read_periodic(call, ARG(7), geometry, &o);
  if (fine && ARG(4)) fine = read_kind(call, ARG(4), call->spans[4], geom_dim(geometry->geom), &o);
  if (fine && o.shape == CELL_TENSOR && geom_dim(geometry->geom) == 3 && !o.ncells_given) {
    diag_suggest(diag_report(&ev->host->diags, E1060, call->spans[4], "hexahedra fill boxes alone, as grids: with `h:` the cells of a solid are tetrahedra"),
                 "write cells: [8, 8, 8], or leave `kind:` out");
    fine = false;
  }
  if (fine && ARG(5) && !is_unknown(ARG(5))) fine = read_order(call, ARG(5), call->spans[5], &o);
  if (fine && o.ncells_given && o.ncells_given != geom_dim(geometry->geom)) {
    diag_suggest(diag_report(&ev->host->diags, E0502, call->spans[2], "a %dD geometry takes %d numbers of cells; %d given", geom_dim(geometry->geom), geom_dim(geometry->geom), o.ncells_given),
                 geom_dim(geometry->geom) == 1 ? "write cells: [%d]" : geom_dim(geometry->geom) == 2 ? "write cells: [%d, %d]" : "write cells: [%d, %d, %d]", o.cells[0], o.cells[0], o.cells[0]);
    fine = false;
  }
  if (fine && o.ncells_given) fine = !geom_check_grid(geometry->geom, &ev->host->diags, call->spans[2]);
  if (fine && ARG(6) && !is_unknown(ARG(6))) fine = read_curvature(call, ARG(6), call->spans[6], &o);
  Mesh *mesh = NULL;
  if (fine && !ev->dry) {
    const EngineApi *api = host_engine(ev->host, call->span);
    fine = api && !api->mesh_make(ev->host->engine, geometry->geom, &o, &ev->host->diags, &mesh);
  }
  free(o.near), free(o.periodic);
  return fine ? mesh_value(mesh, geometry, ARG(4) && is_unknown(ARG(4)) ? -1 : (int)o.shape) : value_poison();
}

static double unit_scale_of(Call *call, Value *v, Span span, bool *fine) {
  if (!v) {
    if (call->ev->host->uses_units) {
      diag_suggest(REPORT(E0305, "in a program with units a file says its unit of length"), "write unit: [mm]");
      *fine = false;
    }
    return 1;
  }
  if (v->kind == VALUE_NUMBER && unit_fits(v->unit, host_length_unit(call->ev->host))) return v->number;
  diag_report(&call->ev->host->diags, E0305, span, "the unit of a file is a length: unit: [mm]");
  *fine = false;
  return 1;
}

/* unit: [mm] is written as a list of a unit's name; it is read from the syntax tree. */
static bool file_scale(Call *call, Value *unit, double *scale) {
  bool fine = true;
  if (!unit || unit->kind != VALUE_THUNK) {
    *scale = unit_scale_of(call, NULL, call->span, &fine);
    return fine;
  }
  const Ast *node = unit->thunk;
  UnitScale read;
  if (node->kind != AST_LIST || node->n != 1) {
    diag_suggest(diag_report(&call->ev->host->diags, E0305, node->span, "the unit of a file is written in brackets"), "write unit: [mm]");
    return false;
  }
  if (!eval_unit(call->ev, node->kid[0], &read)) return false;
  *scale = read.scale;
  return true;
}

static Value *run_import_mesh(Call *call) {
  double scale;
  if (!file_scale(call, ARG(1), &scale)) return value_poison();
  if (is_unknown(ARG(0))) return value_unknown();
  const EngineApi *api = host_engine(call->ev->host, call->span);
  Mesh *mesh = NULL;
  char *path = host_input_path(call->ev, ARG(0)->text, call->spans[0]);
  Status status = !api || !path || api->mesh_read(call->ev->host->engine, path, scale, &call->ev->host->diags, call->span, &mesh);
  free(path);
  return status ? value_poison() : mesh_value(mesh, NULL, CELL_SIMPLEX);
}

/* Read while checking too: the names of its boundaries are needed. */
static Value *run_import_cad(Call *call) {
  MeshOptions o = {.order = 2, .span = call->span, .quiet = call->ev->host->quiet};
  double scale;
  if ((ARG(1) && !read_size(call, ARG(1), call->spans[1], 3, &o)) || (ARG(3) && !is_unknown(ARG(3)) && !read_curvature(call, ARG(3), call->spans[3], &o))) return value_poison();
  if (!file_scale(call, ARG(2), &scale)) return value_poison();
  if (is_unknown(ARG(0)) || (ARG(1) && is_unknown(ARG(1)))) return value_unknown();
  if (o.h_field) {
    diag_report(&call->ev->host->diags, E0505, call->spans[1], "h of import_cad is a length");
    return value_poison();
  }
  const EngineApi *api = host_engine(call->ev->host, call->span);
  Mesh *mesh = NULL;
  char *path = host_input_path(call->ev, ARG(0)->text, call->spans[0]);
  Status status = !api || !path || api->mesh_cad(call->ev->host->engine, path, scale, &o, &call->ev->host->diags, &mesh);
  free(path);
  return status ? value_poison() : mesh_value(mesh, NULL, CELL_SIMPLEX);
}

/* Counts, edges, quality, and every named boundary and region against the geometry. */
static Value *run_report(Call *call) {
  Value *v = ARG(0);
  if (call->ev->dry || !v->mesh) return value_string("", 0);
  const EngineApi *api = host_engine(call->ev->host, call->span);
  if (!api) return value_poison();
  Buf out = {0};
  api->mesh_info(v->mesh, &out);
  Value *text = value_string(buf_str(&out), out.len);
  buf_free(&out);
  return text;
}

static Value *run_refined(Call *call) {
  Value *v = ARG(0);
  if (call->ev->dry || !v->mesh) return mesh_value(NULL, v->mesh_geometry, v->mesh_shape);
  const EngineApi *api = host_engine(call->ev->host, call->span);
  Mesh *fine = NULL;
  if (!api || api->mesh_refine(call->ev->host->engine, v->mesh, &call->ev->host->diags, &fine)) return value_poison();
  return mesh_value(fine, v->mesh_geometry, v->mesh_shape);
}

/* Diagonal of the bounding box: a length scale for contracts. */
static Value *run_diameter(Call *call) {
  Value *subject = value_subject(ARG(0));
  Unit unit = host_length_unit(call->ev->host);
  if (!subject) return call->ev->dry ? value_number_unknown(unit) : (REPORT(E0505, "%s %s has no extent", value_article(ARG(0)), value_kind_name(ARG(0))), value_poison());
  double lo[3] = {0}, hi[3] = {0}, d = 0;
  if (subject->kind == VALUE_GEOMETRY) geom_bounds(subject->geom, lo, hi);
  else if (subject->mesh) memcpy(lo, subject->mesh->lo, sizeof lo), memcpy(hi, subject->mesh->hi, sizeof hi);
  else return value_number_unknown(unit);
  for (int i = 0; i < 3; i++) d += (hi[i] - lo[i]) * (hi[i] - lo[i]);
  return value_number(sqrt(d), unit);
}

const BuiltinRow builtin_geometry[] = {
    {"mesh", "(geometry, h: any = none, cells: list = none, size: any = none, kind: word = none, order: int = 2, curvature: number = none, periodic: thunk = none) -> mesh", "geometry",
     "Meshes a geometry: cells: [n, m] makes a structured grid of an interval, rectangle or box, with kind: quad (hex in space) of quadrilaterals (hexahedra) instead of triangles (tetrahedra); h: a mesh by Gmsh of that cell size, finer where size: near(...) says, with curvature: 20 cells at least to a full turn of curved sides; periodic: left to right (or a list of such pairs) gives both sides the same nodes. "
     "Cells follow curved sides; order: 1 makes them straight. Every named boundary and region must get cells, else it is an error.", "m = mesh(rectangle(x: 0..1, y: 0..1), cells: [2, 2])", run_mesh},
    {"flow_around", "(body: any, x: range = none, y: range = none, z: range = none) -> geometry", "geometry",
     "The domain of a flow around a body: a box without it. Boundaries: inlet (x_min), outlet (x_max), farfield (the other sides), symmetry (a side that the body "
     "stands on or is cut by), and the body by the name of its part or its shape (airfoil, wing, disk, sphere, ...; airfoil.upper). By default the box reaches five "
     "lengths of the body before it and to its sides and ten behind it; under a wing it begins at the root.",
     "geometry g = flow_around(airfoil(\"0012\", angle: 0.1), x: -5..10, y: -5..5)", run_flow_around},
    {"near", "(place: place, h: number, within: number = none)", "geometry", "A finer cell size near a boundary, region or part, for mesh(..., size:); up to the distance within, then growing by a fifth of the way. size: takes a list of them too.", NULL, run_near},
    {"import_mesh", "(path: string, unit: thunk = none) -> mesh", "geometry", "Reads a Gmsh file (.msh 2.2 or 4.1, text or binary). Its physical names are boundaries and regions. In a program with units say unit: [mm].", NULL, run_import_mesh},
    {"import_cad", "(path: string, h: number = none, unit: thunk = none, curvature: number = none) -> mesh", "geometry",
     "Reads a CAD file (STEP, BREP, IGES) through Gmsh and meshes it with cells of size h (a twentieth of its diagonal), 12 (or curvature:) at least to a full turn of curved faces. The mesh serves "
     "as the geometry too. Boundaries are its faces, regions its solids: by their names in the file, else surface1, solid1, ... (mesh_report lists them with their areas). "
     "In a program with units say unit: [mm].", NULL, run_import_cad},
    {"mesh_report", "(mesh: mesh) -> string", "geometry", "What a mesh is like: counts, shortest and longest edge, quality (worst, quartiles, a bar for each tenth of the radius ratio), and length, area or volume of the "
     "whole and of every named boundary and region against the geometry, where that is known.", NULL, run_report},
    {"refined", "(mesh: mesh) -> mesh", "geometry", "Each cell cut into 2^dim; new vertices on curved sides move onto them.", "m = refined(mesh(interval(0, 1), cells: [2]))", run_refined},
    {"diameter", "(of) -> number", "geometry", "Diagonal of the bounding box of a geometry, mesh, solution or field; a length.", "print(diameter(rectangle(x: 0..3, y: 0..4))) -> 5", run_diameter},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
