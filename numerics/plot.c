#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plot_job.h"

Status plot_memory(PlotJob *job) {
  diag_report(job->diags, E0001, job->span, "the machine refused memory for the picture");
  return 1;
}

CanvasFormat plot_format(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && !strcasecmp(dot, ".svg") ? CANVAS_SVG : CANVAS_PNG;
}

/* ---- the page ---- */

double plot_title_room(const PlotJob *job, PlotFont font) {
  double room = 0.9 * font.tick;
  if (job->request->title) room += 1.5 * font.title;
  if (job->note.len) room += 1.5 * font.tick;
  return room;
}

void plot_draw_titles(PlotJob *job, PlotPage *page) {
  double y = 0.8 * page->font.tick, middle = fmin(fmax(page->x + page->w / 2, 0), page->width);
  const char *texts[2] = {job->request->title, job->note.len ? buf_str(&job->note) : NULL};
  double sizes[2] = {page->font.title, page->font.tick};
  for (int i = 0; i < 2; i++) {
    if (!texts[i]) continue;
    double size = sizes[i], wide = canvas_text_width(page->canvas, texts[i], size, i == 0), room = page->width - 16;
    if (wide > room) { size *= room / wide; wide = room; }      /* a long title gets smaller before it would be cut */
    double x = fmin(fmax(middle, wide / 2 + 8), page->width - wide / 2 - 8);
    canvas_paint(page->canvas, i ? 0x555555 : PLOT_INK, 1);
    canvas_text(page->canvas, x, y, texts[i], size, i == 0, 0.5, 0, 0);
    y += 1.5 * sizes[i];
  }
}

void plot_size_page(const PlotJob *job, double aspect, double left, double right, double bottom, PlotPage *page) {
  const PlotRequest *request = job->request;
  int width = request->width > 0 ? request->width : 1000;
  *page = (PlotPage){.font = plot_font(width), .width = width};
  double top = plot_title_room(job, page->font), least = 140;
  double w = fmax(width - left - right, 40), h = aspect > 0 ? w / aspect : 0.6 * w;
  if (request->height > 0) h = fmax(request->height - top - bottom, 40);
  else if (aspect > 0) {
    double most = 0.86 * width;
    if (h > most) {                /* tall: a narrower page */
      h = most;
      if (request->width <= 0) w = fmax(h * aspect, 0.3 * width);
    }
    h = fmax(h, least);
  }
  page->width = request->width > 0 ? width : (int)ceil(left + w + right);
  page->height = request->height > 0 ? request->height : (int)ceil(top + h + bottom);
  page->x = floor(left) + 0.5;     /* lines of one pixel lie on pixels */
  page->y = floor(top) + 0.5;
  page->w = floor(w);
  page->h = floor(h);
}

Status plot_open_page(PlotJob *job, PlotPage *page) {
  page->canvas = canvas_open(plot_format(job->request->path), page->width, page->height);
  if (!page->canvas) return plot_memory(job);
  plot_draw_titles(job, page);
  return 0;
}

void plot_flat_axes(const PlotJob *job, const PlotPage *page, PlotAxis *x, PlotAxis *y) {
  const SceneView *view = &job->scene.view;
  PlotAxis *axis[2] = {x, y};
  for (int c = 0; c < 2; c++) {
    double p0 = c ? page->y + page->h : page->x, p1 = c ? page->y : page->x + page->w, k = view->m[c][c] * job->length_scale;
    *axis[c] = (PlotAxis){.v0 = (p0 - view->m[c][3]) / k, .v1 = (p1 - view->m[c][3]) / k, .p0 = p0, .p1 = p1};
    ticks_linear(&axis[c]->ticks, axis[c]->v0, axis[c]->v1, (int)fmax(fabs(p1 - p0) / ((c ? 4 : 5.5) * page->font.tick), 2));
    ticks_title(&axis[c]->ticks, job->scene.label[c], job->request->length_unit, &axis[c]->title);
  }
}

Status plot_size_scene(PlotJob *job, double right, bool stretch, PlotPage *page) {
  Scene *scene = &job->scene;
  PlotFont font = plot_font(job->request->width > 0 ? job->request->width : 1000);
  Canvas *ruler = canvas_open(CANVAS_PNG, 1, 1);
  if (!ruler) return plot_memory(job);
  double aspect = stretch ? 3 : scene_aspect(scene), left = 80, bottom = 60;
  if (!scene->flat) { left = layer_axes_3d_left(job, ruler, font); bottom = 3.6 * font.tick; }
  for (int pass = 0; pass < 3; pass++) {     /* the room depends on the ticks, and they on the room */
    plot_size_page(job, aspect, left, right, bottom, page);
    scene_fit(scene, page->x, page->y, page->w, page->h, stretch);
    if (!scene->flat) break;
    PlotAxis x, y;
    plot_flat_axes(job, page, &x, &y);
    double need_left = axis_room(ruler, &y, font, true) + 6, need_bottom = axis_room(ruler, &x, font, false) + 6;
    left = pass ? fmax(left, need_left) : need_left;
    bottom = pass ? fmax(bottom, need_bottom) : need_bottom;
    buf_free(&x.title);
    buf_free(&y.title);
  }
  canvas_discard(ruler);
  return 0;
}

/* ---- checks and choices ---- */

static Status check_path(PlotJob *job) {
  const char *path = job->request->path, *dot;
  if (!path) return 0;
  dot = strrchr(path, '.');
  if (dot && (!strcasecmp(dot, ".png") || !strcasecmp(dot, ".svg"))) return 0;
  Diag *d = diag_report(job->diags, E2510, job->span, "a picture is a .png or .svg file, found `%s`", path);
  diag_suggest(d, "name it `%.*s.png`", dot && !strchr(dot, '/') ? (int)(dot - path) : (int)strlen(path), path);
  return 1;
}

/* Place of a node, for messages: the mean of a cell that has it. */
static Status check_finite(PlotJob *job, const NodalField *field, const char *what) {
  if (!field) return 0;
  long bad = nodal_first_bad(field);
  if (bad < 0) return 0;
  int node = (int)(bad / field->ncomp), nodes = element_nodes(field->element, job->mesh->dim), cell = 0;
  if (!field->cell_node) cell = node / nodes;
  else
    for (long i = 0; i < (long)job->mesh->ncells * nodes; i++)
      if (field->cell_node[i] == node) { cell = (int)(i / nodes); break; }
  Buf place = {0};
  for (int c = 0; c < job->mesh->dim; c++) {
    double mean = 0;
    for (int a = 0, nv = job->mesh->ref->nverts; a < nv; a++)
      mean += job->mesh->x[(size_t)job->mesh->cell[(size_t)cell * (size_t)nv + (size_t)a] * (size_t)job->mesh->dim + (size_t)c] / nv;
    if (c) buf_puts(&place, ", ");
    ticks_number(&place, mean, 4);
  }
  Diag *d = diag_report(job->diags, E2511, job->span, "%s is %s near (%s), so it is not drawn", what, isnan(field->values[bad]) ? "NaN" : "infinite", buf_str(&place));
  diag_suggest(d, "look for a division by zero, a root or logarithm of a negative number there");
  buf_free(&place);
  return 1;
}

/* A round factor that makes the largest displacement about a tenth of the body. 1 where that is nearly so already. */
static double choose_deform_scale(const PlotJob *job) {
  const NodalField *u = job->deform;
  double most = 0, size = 0;
  for (int i = 0; i < u->nnodes; i++) {
    double sum = 0;
    for (int c = 0; c < u->ncomp; c++) sum += pow(u->values[(size_t)i * (size_t)u->ncomp + (size_t)c], 2);
    most = fmax(most, sqrt(sum));
  }
  for (int c = 0; c < job->mesh->dim; c++) size = fmax(size, job->mesh->hi[c] - job->mesh->lo[c]);
  if (!(most > 0)) return 1;
  double raw = 0.12 * size / most;
  if (raw > 0.4 && raw < 3) return 1;
  double power = pow(10, floor(log10(raw))), ratio = raw / power;
  return power * (ratio < 2 ? 1 : ratio < 5 ? 2 : 5);
}

static void add_note(PlotJob *job, const char *text) {
  if (job->note.len) buf_puts(&job->note, ", ");
  buf_puts(&job->note, text);
}

static void describe(PlotJob *job) {
  const PlotRequest *request = job->request;
  if (job->deform && job->deform_scale != 1) {
    add_note(job, "displacement ×");
    ticks_number(&job->note, job->deform_scale, 4);
  }
  if (request->has_slice) {
    add_note(job, "slice ");
    bool first = true;
    for (int c = 0; c < 3; c++) {
      double a = request->slice[c];
      if (a == 0) continue;
      if (!first || a < 0) buf_puts(&job->note, a < 0 ? (first ? "−" : " − ") : " + ");
      if (fabs(a) != 1) { ticks_number(&job->note, fabs(a), 4); buf_puts(&job->note, " "); }
      buf_printf(&job->note, "%c", "xyz"[c]);
      first = false;
    }
    buf_puts(&job->note, " = ");
    ticks_number(&job->note, request->slice[3] / job->length_scale, 5);
    if (request->length_unit && *request->length_unit) buf_printf(&job->note, " %s", request->length_unit);
  }
  const char *label = request->label ? request->label : job->field && job->field->name ? job->field->name : "";
  bool bars = job->field && job->field->ncomp > 1 && *label && *label != '|';
  if (bars) buf_printf(&job->label, "|%s|", label);
  else buf_puts(&job->label, label);
}

static void choose_range(PlotJob *job, double lo, double hi) {
  const PlotRequest *request = job->request;
  double size = fmax(fabs(lo), fabs(hi));
  if (hi - lo <= 1e-12 * size) lo = hi = 0.5 * (lo + hi);       /* constant up to rounding */
  job->lo = isfinite(request->lo) ? request->lo : lo;
  job->hi = isfinite(request->hi) ? request->hi : hi;
  if (job->hi < job->lo) { double t = job->lo; job->lo = job->hi; job->hi = t; }
  if (job->field && job->field->ncomp > 1) colormap_make(&job->map, COLORMAP_sequential, job->lo, job->hi);
  else colormap_for(&job->map, job->lo, job->hi);
  if (!request->contours || !(job->hi > job->lo)) return;
  if (request->levels > 0) {      /* as many as were asked for, at equal distances; else at round numbers */
    for (int k = 1; k <= request->levels && job->nlevels < CONTOURS_MAX; k++) job->levels[job->nlevels++] = job->lo + k * (job->hi - job->lo) / (request->levels + 1);
    return;
  }
  Ticks ticks;
  ticks_linear(&ticks, job->lo / job->unit_scale, job->hi / job->unit_scale, 14);
  double margin = 1e-6 * (job->hi - job->lo);
  for (int k = 0; k < ticks.n; k++) {
    double level = ticks.value[k] * job->unit_scale;
    if (level > job->lo + margin && level < job->hi - margin) job->levels[job->nlevels++] = level;
  }
}

static Status nothing(PlotJob *job, const char *why) {
  Diag *d = diag_report(job->diags, E2512, job->span, "%s", why);
  if (job->request->has_slice && job->mesh) {
    Buf box = {0};
    for (int c = 0; c < job->mesh->dim; c++) {
      buf_printf(&box, "%s%c from ", c ? ", " : "", "xyz"[c]);
      ticks_number(&box, job->mesh->lo[c], 5);
      buf_puts(&box, " to ");
      ticks_number(&box, job->mesh->hi[c], 5);
    }
    diag_suggest(d, "the mesh has %s", buf_str(&box));
    buf_free(&box);
  }
  return 1;
}

static Status draw_scene(PlotJob *job) {
  const PlotRequest *request = job->request;
  bool slice = request->has_slice && job->mesh->dim == 3 && request->kind == PLOT_FIELD;
  if (!scene_open(&job->scene, job->mesh, job->field, job->deform, job->deform_scale, slice ? request->slice : NULL)) return plot_memory(job);
  if (job->scene.empty) return nothing(job, slice ? "the slicing plane does not meet the mesh" : "the mesh has no cells");
  if (job->field) {
    scene_fit(&job->scene, 0, 0, 800, 800, false);
    scene_range(&job->scene);
    choose_range(job, job->scene.value_lo, job->scene.value_hi);
  }
  if (job->scene.flat)       /* air between the shape and the axes */
    for (int c = 0; c < 2; c++) {
      double air = 0.025 * fmax(job->scene.hi[0] - job->scene.lo[0], job->scene.hi[1] - job->scene.lo[1]);
      job->scene.lo[c] -= air;
      job->scene.hi[c] += air;
    }
  if (!request->path) return plot_terminal(job);
  return request->kind == PLOT_MESH ? plot_mesh_picture(job) : plot_field_picture(job);
}

Status plot_draw(const PlotRequest *request, Mesh *mesh, const NodalField *field, const NodalField *deform, Diags *diags, Span span) {
  PlotJob job = {.request = request, .mesh = mesh, .field = request->kind == PLOT_FIELD ? field : NULL, .deform = deform,
                 .unit_scale = request->unit_scale > 0 ? request->unit_scale : 1,
                 .length_scale = request->length_scale > 0 ? request->length_scale : 1, .diags = diags, .span = span};
  TRY(check_path(&job));
  if (request->kind != PLOT_LINES && (!mesh || mesh->ncells == 0)) return nothing(&job, "the mesh has no cells");
  TRY(check_finite(&job, job.field, request->label ? request->label : "the field"));
  TRY(check_finite(&job, deform, "the displacement"));
  if (deform) job.deform_scale = isfinite(request->deform_scale) ? request->deform_scale : choose_deform_scale(&job);
  describe(&job);
  bool lines = request->kind == PLOT_LINES || (mesh->dim == 1 && request->kind == PLOT_FIELD);
  Status status = lines ? (request->path ? plot_lines_picture(&job) : plot_terminal(&job))
                  : mesh->dim == 1 ? (request->path ? plot_mesh_picture(&job) : plot_terminal(&job)) : draw_scene(&job);
  scene_close(&job.scene);
  buf_free(&job.label);
  buf_free(&job.note);
  return status;
}
