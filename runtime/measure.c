#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"

static int dim_of(Value *subject) {
  if (!subject) return 0;
  if (subject->kind == VALUE_GEOMETRY) return geom_dim(subject->geom);
  if (subject->mesh) return subject->mesh->dim;
  return subject->mesh_geometry ? geom_dim(subject->mesh_geometry->geom) : 0;
}

static Mesh *mesh_of_place(Value *place, Value **owner) {
  return place && place->subject && place->subject->kind == VALUE_MESH ? value_mesh(place->subject, owner) : NULL;
}

void target_free(Target *t) { deps_free(&t->deps); }

/* A part of a geometry has sides and cells: a measure over its name could mean either. */
static bool ambiguous(Eval *ev, const Value *place, Span span) {
  const Value *subject = place->subject ? value_geometry(place->subject) : NULL;
  if (!subject || subject->kind != VALUE_GEOMETRY || place->where.n != 1 || place->where.all || place->where.interface[0]) return false;
  Name name = place->where.names[0];
  if (!geom_find_kind(subject->geom, NULL, name, true) || !geom_find_kind(subject->geom, NULL, name, false)) return false;
  Diag *d = diag_report(&ev->host->diags, E0212, span, "`%s` is a part: it could mean its cells or its sides", name);
  diag_suggest(d, "name which in the geometry: `region %s_cells = %s`, or `boundary %s_sides = ...`", name, name, name);
  return true;
}

/* The mesh of a measure: of the place, else of the solutions in the field. */
bool target_open(Eval *ev, Value *field, Value *place, Span span, Target *out) {
  *out = (Target){0};
  Expr *e = eval_to_expr(ev, field, span, &out->deps);
  if (!e) return false;
  if (place && ambiguous(ev, place, span)) return false;
  Value *owner = NULL;
  out->mesh = field->kind == VALUE_FIELD ? value_mesh(field, &owner) : NULL;
  if (place && mesh_of_place(place, &owner)) out->mesh = mesh_of_place(place, &owner);
  if (!out->mesh && place && place->subject && place->subject->kind == VALUE_GEOMETRY) out->mesh = place_only_mesh(ev, place->subject, &owner);
  Value *subject = place ? place->subject : value_subject(field);
  int dim = out->mesh ? out->mesh->dim : dim_of(subject);
  bool on_mesh = out->mesh || (ev->dry && (subject || (e->flags & HAS_FIELD)));
  if (!on_mesh) {
    const char *what = place && place->subject && place->subject->kind == VALUE_GEOMETRY ? "a geometry has no cells to integrate over" : "nothing says over which mesh";
    diag_suggest(diag_report(&ev->host->diags, E0512, span, "%s", what), "name a mesh: on: m");
    return false;
  }
  if (!dim) dim = 2;
  out->dim = dim;
  out->expr = expr_specialise(ev->host->pool, e, dim);
  if (!out->expr) {
    diag_report(&ev->host->diags, E0301, span, "in %d dimensions: %s", dim, expr_error(ev->host->pool).text);
    return false;
  }
  out->where = place ? place->where : (Where){.all = true};
  out->where.span = span;
  out->on_cells = !place || place->is_region;
  out->size = shape_size(out->expr->shape, dim);
  return true;
}

Unit measure_unit(Eval *ev, const Target *t) {
  Unit length = host_length_unit(ev->host), unit = t->expr->unit;
  Unit volume;
  unit_pow(length, t->dim - (t->on_cells ? 0 : 1), &volume);
  if (unit.any) unit = UNIT_NONE;
  return unit_mul(unit, volume);
}

bool measure_reduce(Eval *ev, Reduction kind, Target *t, int degree, double time, Span span, double *out, double *place) {
  const EngineApi *api = host_engine(ev->host, span);
  if (!api) return false;
  if (t->where.interior && kind != REDUCE_INTEGRAL) {
    diag_suggest(diag_report(&ev->host->diags, E0505, span, "on the facets between cells there are integrals alone"), "as integral(jump(u)^2, on: interior)");
    return false;
  }
  WorldBuffers w;
  world_open(ev, &t->deps, time, &w);
  Status status = api->reduce(ev->host->engine, kind, t->expr, t->mesh, &t->where, t->on_cells, degree, &w.world, &ev->host->diags, span, out, place);
  world_close(&w);
  return !status;
}

Value *measure_numbers(const double *values, int size, Unit unit, bool known) {
  if (size == 1) return known ? value_number(values[0], unit) : value_number_unknown(unit);
  Value **items = malloc((size_t)size * sizeof *items);
  for (int i = 0; i < size; i++) items[i] = known ? value_number(values[i], unit) : value_number_unknown(unit);
  Value *v = value_items(VALUE_TUPLE, items, size);
  for (int i = 0; i < size; i++) value_release(items[i]);
  free(items);
  return v;
}

Value *measure_too_early(Call *call) {
  if (ARG(0)->kind == VALUE_UNKNOWN) return value_unknown();
  if (ARG(0)->kind == VALUE_FIELD && (ARG(0)->expr->flags & HAS_UNKNOWN)) {
    REPORT(E0512, "an unknown is measured after solve, in its solution");
    return value_poison();
  }
  return NULL;
}
