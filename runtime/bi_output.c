/* Pictures and files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bi_solving.h"
#include "builtin.h"
#include "pde_value.h"
#include "samples.h"

enum { P_WHAT, P_PATH, P_TITLE, P_DEFORM, P_SCALE, P_ARROWS, P_CONTOURS, P_MESH, P_RANGE, P_SLICE, P_WIDTH, P_HEIGHT, P_LOGX, P_LOGY, P_LABEL };

static bool flag(Value *v) { return v && v->kind == VALUE_BOOL && v->truth; }

static bool is_picture(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".png") || !strcmp(dot, ".svg"));
}

typedef struct Labels { Buf unit, label, xlabel, ylabel; } Labels;

static void labels_free(Labels *l) {
  buf_free(&l->unit);
  buf_free(&l->label);
  buf_free(&l->xlabel);
  buf_free(&l->ylabel);
}

/* The numbers of the unit that `to` chose; without one, of the field's own. */
static Expr *in_shown_unit(ExprPool *pool, Expr *e, const Shown *shown) {
  if (!shown->unit) return e;
  if (shown->offset != 0) e = expr_binary(pool, EXPR_SUB, e, expr_const(pool, shown->offset, e->unit));
  return shown->scale != 1 ? expr_binary(pool, EXPR_DIV, e, expr_const(pool, shown->scale, UNIT_NONE)) : e;
}

/* Field: its expression names it, its unit follows. */
static bool plot_field(Call *call, PlotRequest *r, Labels *l, Value *field, Deps *deps, Mesh **mesh) {
  Eval *ev = call->ev;
  Value *owner = NULL;
  if (field->kind == VALUE_SAMPLES && samples_axis(field->samples, "t") >= 0) {
    diag_suggest(diag_report(&ev->host->diags, E4061, call->spans[P_WHAT], "samples at many times are no picture"), "name one: plot(%s at %g)", field->samples->name, field->samples->axis[0].at[0]);
    return false;
  }
  Expr *e = eval_to_expr(ev, field, call->spans[P_WHAT], deps);
  *mesh = field->kind == VALUE_FIELD ? value_mesh(field, &owner) : NULL;
  if (!e) return false;
  if (field->kind == VALUE_SAMPLES) {
    Value *own = samples_mesh(ev, field->samples, call->spans[P_WHAT]);
    if (!own) return false;
    deps->solutions = realloc(deps->solutions, ((size_t)deps->n + 1) * sizeof *deps->solutions);
    deps->solutions[deps->n++] = own;                   /* it lives as long as the picture is made */
    *mesh = own->mesh;
    buf_puts(&l->label, field->samples->name);
  }
  if (!*mesh) {
    diag_suggest(REPORT(E0512, "this field belongs to no mesh"), "plot it over one: plot(project(f, m).u)");
    return false;
  }
  r->expr = expr_specialise(ev->host->pool, e, (*mesh)->dim);
  if (!r->expr) {
    REPORT(E0301, "the field does not fit %d dimensions", (*mesh)->dim);
    return false;
  }
  r->kind = PLOT_FIELD;
  if (!l->label.len) expr_print(&l->label, r->expr, EXPR_UNICODE);
  if (l->label.len > 40) buf_clear(&l->label);
  shown_unit(&l->unit, &field->shown, r->expr->unit);
  r->expr = in_shown_unit(ev->host->pool, r->expr, &field->shown);
  r->lo = shown_number(&field->shown, r->lo), r->hi = shown_number(&field->shown, r->hi);
  if (ARG(P_DEFORM)) {
    Expr *d = eval_to_expr(ev, ARG(P_DEFORM), call->spans[P_DEFORM], deps);
    r->deform = d ? expr_specialise(ev->host->pool, d, (*mesh)->dim) : NULL;
    if (!r->deform || r->deform->shape.rank != 1) {
      diag_report(&ev->host->diags, E0505, call->spans[P_DEFORM], "deform: takes a displacement, a vector field");
      return false;
    }
  }
  return true;
}

static void plot_history(PlotRequest *r, Labels *l, const Value *h, PlotSeries *series, double **store) {
  double *y = *store = malloc(((size_t)h->ncurve + 1) * sizeof *y);
  for (int i = 0; i < h->ncurve; i++) y[i] = shown_number(&h->shown, h->curve_y[i]);
  *series = (PlotSeries){h->curve_x, y, h->ncurve, NULL};
  r->kind = PLOT_LINES;
  r->series = series;
  r->nseries = 1;
  shown_heading(&l->xlabel, h->curve_in_space ? "distance" : "t", &(Shown){0}, h->curve_xunit);
  shown_heading(&l->ylabel, h->curve_name ? h->curve_name : "value", &h->shown, h->curve_yunit);
}

/* A study: errors against h or step, log-log; a sweep: its measures against the parameter. */
static PlotSeries *plot_study(PlotRequest *r, Labels *l, Value *v, double **store) {
  const StudyTable *t = v->table;
  PlotSeries *series = calloc((size_t)t->ncolumns + 1, sizeof *series);
  double *data = *store = calloc((size_t)t->ncolumns * (size_t)(t->nrows + 1), sizeof *data);
  for (int c = 0; c < t->ncolumns; c++)
    for (int k = 0; k < t->nrows; k++) data[c * t->nrows + k] = shown_number(&t->shown[c], t->cells[k * t->ncolumns + c]);
  bool refinement = t->ncolumns > 1 && !strcmp(t->columns[1], "dofs");
  int n = 0;
  for (int c = refinement ? 2 : 1; c < t->ncolumns; c++)
    if (strncmp(t->columns[c], "order", 5)) series[n++] = (PlotSeries){data, data + c * t->nrows, t->nrows, t->columns[c]};
  r->kind = PLOT_LINES;
  r->series = series;
  r->nseries = n;
  r->logx = r->logy = refinement;
  shown_heading(&l->xlabel, t->columns[0], &t->shown[0], t->units[0]);
  buf_puts(&l->ylabel, refinement ? "error" : "value");
  return series;
}

/* Pixels of a file, columns and rows of the terminal. */
static bool read_pixels(Call *call, int at, const char *what, int *out) {
  enum { LARGEST = 20000 };
  if (!ARG(at) || is_unknown(ARG(at))) return true;
  double n = ARG(at)->number;
  *out = (int)n;
  if (n >= 1 && n <= LARGEST) return true;
  diag_report(&call->ev->host->diags, E0506, call->spans[at], "%s of a picture is from 1 to %d, not %g", what, LARGEST, n);
  return false;
}

enum { CONTOURS_MOST = 100 };

static bool read_view(Call *call, PlotRequest *r) {
  r->lo = r->hi = r->deform_scale = NAN;
  r->unit_scale = r->length_scale = 1;
  r->title = ARG(P_TITLE) && ARG(P_TITLE)->kind == VALUE_STRING ? ARG(P_TITLE)->text : NULL;
  r->arrows = flag(ARG(P_ARROWS));
  r->mesh_lines = flag(ARG(P_MESH));
  r->logx |= flag(ARG(P_LOGX));
  r->logy |= flag(ARG(P_LOGY));
  if (ARG(P_CONTOURS)) {
    r->contours = ARG(P_CONTOURS)->kind == VALUE_NUMBER || flag(ARG(P_CONTOURS));
    double n = ARG(P_CONTOURS)->kind == VALUE_NUMBER ? ARG(P_CONTOURS)->number : 0;
    if (r->contours && ARG(P_CONTOURS)->kind == VALUE_NUMBER && !is_unknown(ARG(P_CONTOURS)) && !(n >= 1 && n <= CONTOURS_MOST && n == floor(n))) {
      diag_report(&call->ev->host->diags, E0506, call->spans[P_CONTOURS], "contours: is a number of lines from 1 to %d, not %g", CONTOURS_MOST, n);
      return false;
    }
    r->levels = (int)n;
  }
  if (ARG(P_RANGE)) r->lo = ARG(P_RANGE)->from, r->hi = ARG(P_RANGE)->to;
  if (ARG(P_SCALE)) r->deform_scale = ARG(P_SCALE)->number;
  if (!read_pixels(call, P_WIDTH, "a width", &r->width) || !read_pixels(call, P_HEIGHT, "a height", &r->height)) return false;
  if (ARG(P_SLICE)) {
    if (ARG(P_SLICE)->kind == VALUE_RANGE || ARG(P_SLICE)->n != 4) {
      diag_suggest(diag_report(&call->ev->host->diags, E0505, call->spans[P_SLICE], "slice: is a plane a x + b y + c z = d"), "write slice: (0, 0, 1, 0.5)");
      return false;
    }
    for (int i = 0; i < 4; i++)
      if (!eval_to_number(call->ev, ARG(P_SLICE)->items[i], call->spans[P_SLICE], "a number of the plane", UNIT_ANY, &r->slice[i])) return false;
    r->has_slice = true;
  }
  return true;
}

static Value *run_plot(Call *call) {
  Eval *ev = call->ev;
  Host *host = ev->host;
  Value *what = ARG(P_WHAT);
  const char *path = ARG(P_PATH) ? ARG(P_PATH)->text : NULL;
  if (path && ARG(P_PATH)->known && !is_picture(path)) {
    diag_suggest(diag_report(&host->diags, E0516, call->spans[P_PATH], "pictures are .png or .svg; `%s` is neither", path), "write plot(u, \"u.png\")");
    return value_poison();
  }
  bool fits = what->kind == VALUE_FIELD || what->kind == VALUE_SAMPLES || what->kind == VALUE_MESH || what->kind == VALUE_HISTORY || what->kind == VALUE_STUDY || what->kind == VALUE_UNKNOWN || what->kind == VALUE_NUMBER;
  if (!fits) {
    Diag *d = diag_report(&host->diags, E0505, call->spans[P_WHAT], "plot draws fields, samples, meshes, histories and studies; this is %s %s", value_article(what), value_kind_name(what));
    if (what->kind == VALUE_SOLUTION && what->solution_pde) diag_suggest(d, "name the field: plot(sol.%s)", what->solution_pde->pde->pde->unknowns[0].name);
    return value_poison();
  }
  if (ev->dry) return value_none();
  PlotRequest r = {0};
  Labels l = {{0}, {0}, {0}, {0}};
  Deps deps = {0};
  Mesh *mesh = NULL;
  PlotSeries one, *many = NULL;
  double *store = NULL;
  bool fine = read_view(call, &r);
  if (fine && what->kind == VALUE_HISTORY) plot_history(&r, &l, what, &one, &store);
  else if (fine && what->kind == VALUE_STUDY) many = plot_study(&r, &l, what, &store);
  else if (fine && what->kind == VALUE_MESH) r.kind = PLOT_MESH, mesh = what->mesh;
  else if (fine) fine = plot_field(call, &r, &l, what, &deps, &mesh);
  r.unit = l.unit.len ? buf_str(&l.unit) : NULL;
  r.label = ARG(P_LABEL) && ARG(P_LABEL)->kind == VALUE_STRING ? ARG(P_LABEL)->text : l.label.len ? buf_str(&l.label) : NULL;
  r.xlabel = l.xlabel.len ? buf_str(&l.xlabel) : NULL;
  r.ylabel = l.ylabel.len ? buf_str(&l.ylabel) : NULL;
  if (host->uses_units) r.length_unit = "m";
  char *file = path ? host_output_path(host, path, call->spans[P_PATH]) : NULL;
  fine = fine && (file || !path);
  Buf drawn = {0};
  r.path = file;
  r.out = &drawn;
  r.colour = host->colour;
  r.width = r.width ? r.width : file ? 0 : host->columns;
  const EngineApi *api = fine ? host_engine(host, call->span) : NULL;
  if (fine) {
    WorldBuffers w;
    world_open(ev, &deps, NAN, &w);
    fine = api && !api->plot(host->engine, &r, mesh, &w.world, &host->diags, call->span);
    world_close(&w);
  }
  if (fine && file) host_record_file(host, file);
  else if (fine) host_print(host, buf_str(&drawn), drawn.len);
  buf_free(&drawn);
  free(file);
  free(many);
  free(store);
  labels_free(&l);
  deps_free(&deps);
  return fine ? value_none() : value_poison();
}

/* --- files --- */

static Value *run_export(Call *call) {
  Host *host = call->ev->host;
  Value *what = ARG(0);
  Solution *sols[32];
  int n = 0;
  if (what->kind == VALUE_SOLUTION) sols[n++] = what->solution;
  else if (what->kind == VALUE_LIST || what->kind == VALUE_TUPLE) {
    for (int i = 0; i < what->n && n < 32; i++)
      if (what->items[i]->kind == VALUE_SOLUTION) sols[n++] = what->items[i]->solution;
  } else if (what->kind == VALUE_FIELD && what->deps.n) sols[n++] = what->deps.solutions[0]->solution;
  if (what->kind == VALUE_STUDY || what->kind == VALUE_HISTORY) return export_table(call, what, ARG(1)->text);
  if (what->kind == VALUE_SAMPLES || (what->kind == VALUE_RECORD && what->nfields && what->fields[0].value->kind == VALUE_SAMPLES)) return export_samples(call, what, ARG(1));
  if (what->kind == VALUE_DATASET || what->kind == VALUE_RECORD) return export_data(call, what, ARG(1));
  if (!n && what->kind != VALUE_UNKNOWN) {
    diag_report(&host->diags, E0505, call->spans[0], "export writes solutions, studies, histories, samples and datasets; this is %s %s", value_article(what), value_kind_name(what));
    return value_poison();
  }
  if (what->kind == VALUE_UNKNOWN) return value_none();
  const char *dot = ARG(1)->known && ARG(1)->text ? strrchr(ARG(1)->text, '.') : ".vtu";
  if (!dot || (strcmp(dot, ".vtu") && strcmp(dot, ".pvtu") && strcmp(dot, ".pvd") && strcmp(dot, ".xdmf") && strcmp(dot, ".csv"))) {
    diag_suggest(diag_report(&host->diags, E0516, call->spans[1], "results are written as .vtu, .pvtu, .pvd, .xdmf or .csv; `%s` is none of them", ARG(1)->text),
                 "ParaView opens .vtu: write export(sol, \"%.*s.vtu\")", dot ? (int)(dot - ARG(1)->text) : (int)strlen(ARG(1)->text), ARG(1)->text);
    return value_poison();
  }
  if (call->ev->dry) return value_none();
  const EngineApi *api = host_engine(host, call->span);
  char *path = host_output_path(host, ARG(1)->text, call->spans[1]);
  Status status = !api || !path || api->export(host->engine, sols, n, path, &host->diags, call->span);
  if (!status) host_record_file(host, path);
  free(path);
  return status ? value_poison() : value_none();
}

char *pde_source(const Value *pde, const char *lines) {
  const PdeValue *p = pde->pde;
  Buf text = {0};
  double x;
  buf_printf(&text, "%s\n%s", p->pde->name, lines ? lines : "");
  for (int i = 0; i < p->nbindings; i++)
    if (p->bindings[i].name && expr_is_const(p->bindings[i].value, &x)) {
      buf_printf(&text, "%s=", p->bindings[i].name);
      buf_number(&text, x);
      buf_putc(&text, '\n');
    }
  buf_putc(&text, '\n');
  const Source *source = p->program ? p->program->source : NULL;
  if (source) buf_add(&text, source->text, source->len);
  char *out = strdup(buf_str(&text));
  buf_free(&text);
  return out;
}

static Value *run_save(Call *call) {
  Host *host = call->ev->host;
  if (call->ev->dry || !ARG(0)->solution) return value_none();
  const EngineApi *api = host_engine(host, call->span);
  char *path = host_output_path(host, ARG(1)->text, call->spans[1]), *source = pde_source(ARG(0)->solution_pde, NULL);
  Status status = !api || !path || api->save(host->engine, ARG(0)->solution, path, source, &host->diags, call->span);
  if (!status) host_record_file(host, path);
  free(path);
  free(source);
  return status ? value_poison() : value_none();
}

typedef struct Rebuilt { Eval *ev; Value *pde; Span span; } Rebuilt;

static Pde *rebuild(void *user, const char *text) {
  Rebuilt *r = user;
  r->pde = host_rebuild_pde(r->ev, text, r->span);
  return r->pde ? r->pde->pde->pde : NULL;
}

static Value *run_load(Call *call) {
  Host *host = call->ev->host;
  if (call->ev->dry) return value_unknown();
  const EngineApi *api = host_engine(host, call->span);
  char *path = host_input_path(call->ev, ARG(0)->text, call->spans[0]);
  Rebuilt r = {call->ev, NULL, call->span};
  Solution *solution = NULL;
  Status status = !api || !path || api->load(host->engine, path, &host->diags, call->span, rebuild, &r, &solution);
  free(path);
  if (status || !r.pde) {
    value_release(r.pde);
    if (!status) api->solution_release(solution);
    return value_poison();
  }
  SolutionInfo info;
  api->solution_info(solution, &info);
  Value *mesh = value_new(VALUE_MESH);
  mesh->mesh = mesh_retained(host, info.mesh);
  if (r.pde->pde->geometry->kind == VALUE_GEOMETRY) mesh->mesh_geometry = value_retain(r.pde->pde->geometry);
  Value *v = value_new(VALUE_SOLUTION);
  v->solution = solution;
  v->serial = info.serial;
  v->solution_pde = r.pde;
  v->solution_mesh = mesh;
  return v;
}

const BuiltinRow builtin_output[] = {
    {"plot",
     "(what: any, path: string = none, title: string = none, deform: field = none, scale: number = none, arrows: bool = false, contours: any = none, mesh: bool = false, range: range = none, slice: list = none, width: int = none, height: int = none, logx: bool = false, logy: bool = false, label: string = none)",
     "output",
     "Draws a field, samples of one, a mesh, a history or a study as PNG or SVG; without a path, in the terminal. Vectors are coloured by magnitude, arrows: true adds arrows; contours: 10 adds ten lines at equal distances, contours: true some at round numbers; deform: u moves the mesh by scale (chosen if left out); "
     "3D fields are drawn on the surface, or on slice: (a, b, c, d), the plane a x + b y + c z = d.",
     NULL, run_plot},
    {"export", "(what: any, path: string)", "output", "Writes a solution for other programs, by extension: .vtu (all unknowns; P2 as quadratic cells; transient: a .pvd beside them), .pvtu (the same in pieces, each written by its own rank of a parallel run), .pvd, .xdmf, .csv; a study or history as .csv; samples, or a record of some on one grid, as .h5 or .npz; a dataset, or a record of lists of histories, (ux: [..], uy: [..]), as .h5 or .npz: a bank for maps.", NULL, run_export},
    {"save", "(sol: solution, path: string)", "output", "Writes a solution with its mesh, states and pde to an HDF5 file; load gives it back.", NULL, run_save},
    {"load", "(path: string) -> solution", "output", "Reads what save wrote; the solution keeps its pde.", NULL, run_load},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
