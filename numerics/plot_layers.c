/* Layers of a scene: cells, lines, contours, arrows, on a raster or a canvas. */
#include <math.h>
#include <stdlib.h>

#include "plot_job.h"

static const double LINE_BIAS = 1.5;     /* pixels of depth by which a line wins against the surface it lies on */

/* Ambient plus diffuse light; kept high so that colours can be compared with the bar. */
double scene_shade(const Scene *scene, const double *n) {
  double lit = n[0] * scene->light[0] + n[1] * scene->light[1] + n[2] * scene->light[2];
  return 0.76 + 0.24 * fmax(lit, 0);
}

typedef struct Layer {
  Raster *raster;
  Canvas *canvas;
  const Scene *scene;
  const PlotLayerStyle *style;
  const double *levels; int nlevels, pending;
  double width, alpha, bias;
  uint32_t rgb;
  PlotArrow *arrows; int columns, rows;
  double x, y, sx, sy;
} Layer;

static void corners(const Scene *scene, const SceneTriangle *t, RasterVertex v[3]) {
  for (int i = 0; i < 3; i++) {
    double p[3];
    scene_project(scene, t->x[i], p);
    v[i] = (RasterVertex){p[0], p[1], p[2], t->value[i], scene->flat ? 1 : scene_shade(scene, t->normal[i])};
  }
}

static void paint_cell(void *user, const SceneTriangle *t) {
  Layer *layer = user;
  RasterVertex v[3];
  corners(layer->scene, t, v);
  if (layer->style->map) raster_triangle(layer->raster, v, layer->style->map);
  else raster_fill(layer->raster, v, layer->style->colour_of(layer->style->user, t));
}

static void paint_edges(void *user, const SceneTriangle *t) {
  Layer *layer = user;
  RasterVertex v[3];
  corners(layer->scene, t, v);
  for (int i = 0; i < 3; i++)
    if (t->edge[i]) raster_line(layer->raster, &v[i], &v[(i + 1) % 3], layer->style->line_width, layer->style->line_rgb, layer->style->line_alpha, LINE_BIAS);
}

bool layer_cells(Raster *raster, const Scene *scene, const PlotLayerStyle *style) {
  Layer layer = {.raster = raster, .scene = scene, .style = style};
  scene_triangles(scene, paint_cell, &layer);
  if (style->line_width > 0) scene_triangles(scene, paint_edges, &layer);
  return true;
}

static void paint_segment(void *user, const double *a, const double *b, int facet) {
  (void)facet;
  Layer *layer = user;
  double p[3], q[3];
  scene_project(layer->scene, a, p);
  scene_project(layer->scene, b, q);
  RasterVertex v = {p[0], p[1], p[2], 0, 1}, w = {q[0], q[1], q[2], 0, 1};
  raster_line(layer->raster, &v, &w, layer->width, layer->rgb, layer->alpha, LINE_BIAS);
}

void layer_raster_outline(Raster *raster, const Scene *scene, double width, uint32_t rgb, double alpha) {
  Layer layer = {.raster = raster, .scene = scene, .width = width, .rgb = rgb, .alpha = alpha};
  scene_outline(scene, paint_segment, &layer);
}

/* Vector segments; stroked in bundles, which keeps the path short. */
static void put_segment(Layer *layer, const double *p, const double *q) {
  canvas_move(layer->canvas, p[0], p[1]);
  canvas_line(layer->canvas, q[0], q[1]);
  if (++layer->pending % 1000 == 0) canvas_stroke(layer->canvas);
}

static void stroke_segment(void *user, const double *a, const double *b, int facet) {
  Layer *layer = user;
  double p[3], q[3];
  if (facet >= layer->scene->mesh->nboundary && layer->width > 0) return;   /* between regions: drawn by the second pass */
  scene_project(layer->scene, a, p);
  scene_project(layer->scene, b, q);
  put_segment(layer, p, q);
}

void layer_outline(Canvas *canvas, const Scene *scene, double width, uint32_t rgb) {
  Layer layer = {.canvas = canvas, .scene = scene, .width = width};
  canvas_paint(canvas, rgb, 1);
  canvas_pen(canvas, width, 0);
  scene_outline(scene, stroke_segment, &layer);
  canvas_stroke(canvas);
  if (scene->mesh->nfacets > scene->mesh->nboundary && scene->flat) {
    layer.width = 0;
    canvas_paint(canvas, rgb, 0.35);
    canvas_pen(canvas, 1, 0);
    scene_outline(scene, stroke_segment, &layer);
    canvas_stroke(canvas);
  }
}

void layer_ghost(Canvas *canvas, const Scene *scene) {
  Layer layer = {.canvas = canvas, .scene = scene, .width = 1};
  canvas_paint(canvas, 0x707070, 0.9);
  canvas_pen(canvas, 1.2, 5);
  scene_ghost(scene, stroke_segment, &layer);
  canvas_stroke(canvas);
  canvas_pen(canvas, 1, 0);
}

/* ---- contours: a level crosses a small triangle in a segment ---- */

static void cross_triangle(void *user, const SceneTriangle *t) {
  Layer *layer = user;
  double lo = fmin(fmin(t->value[0], t->value[1]), t->value[2]), hi = fmax(fmax(t->value[0], t->value[1]), t->value[2]);
  double step = layer->nlevels > 1 ? layer->levels[1] - layer->levels[0] : fabs(layer->levels[0]);
  if (hi - lo <= 1e-7 * step) return;      /* flat up to rounding: a level there has no line */
  for (int k = 0; k < layer->nlevels; k++) {
    double level = layer->levels[k], end[2][3];
    int n = 0;
    for (int i = 0; i < 3 && n < 2; i++) {
      int j = (i + 1) % 3;
      if ((t->value[i] >= level) == (t->value[j] >= level)) continue;
      double s = (level - t->value[i]) / (t->value[j] - t->value[i]);
      for (int c = 0; c < 3; c++) end[n][c] = t->x[i][c] + s * (t->x[j][c] - t->x[i][c]);
      n++;
    }
    if (n < 2) continue;
    if (layer->raster) { paint_segment(layer, end[0], end[1], -1); continue; }
    double p[3], q[3];
    scene_project(layer->scene, end[0], p);
    scene_project(layer->scene, end[1], q);
    put_segment(layer, p, q);
  }
}

void layer_raster_contours(Raster *raster, const Scene *scene, const double *levels, int n) {
  Layer layer = {.raster = raster, .scene = scene, .levels = levels, .nlevels = n, .width = 1.1, .rgb = 0, .alpha = 0.75};
  scene_triangles(scene, cross_triangle, &layer);
}

void layer_contours(Canvas *canvas, const Scene *scene, const double *levels, int n) {
  Layer layer = {.canvas = canvas, .scene = scene, .levels = levels, .nlevels = n};
  canvas_paint(canvas, 0, 0.7);
  canvas_pen(canvas, 1.1, 0);
  scene_triangles(scene, cross_triangle, &layer);
  canvas_stroke(canvas);
}

/* ---- arrows ---- */

static void sample_triangle(void *user, const SceneTriangle *t) {
  Layer *layer = user;
  double p[3][3];
  for (int i = 0; i < 3; i++) scene_project(layer->scene, t->x[i], p[i]);
  double area = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
  if (fabs(area) < 1e-12) return;
  double lo[2], hi[2], at[2] = {layer->x, layer->y}, step[2] = {layer->sx, layer->sy};
  for (int c = 0; c < 2; c++) {
    lo[c] = ceil((fmin(fmin(p[0][c], p[1][c]), p[2][c]) - at[c]) / step[c] - 0.5);
    hi[c] = floor((fmax(fmax(p[0][c], p[1][c]), p[2][c]) - at[c]) / step[c] - 0.5);
  }
  for (int row = (int)fmax(lo[1], 0); row <= (int)fmin(hi[1], layer->rows - 1); row++)
    for (int column = (int)fmax(lo[0], 0); column <= (int)fmin(hi[0], layer->columns - 1); column++) {
      double x = layer->x + (column + 0.5) * layer->sx, y = layer->y + (row + 0.5) * layer->sy;
      double l1 = ((x - p[0][0]) * (p[2][1] - p[0][1]) - (y - p[0][1]) * (p[2][0] - p[0][0])) / area;
      double l2 = ((p[1][0] - p[0][0]) * (y - p[0][1]) - (p[1][1] - p[0][1]) * (x - p[0][0])) / area;
      if (l1 < -1e-9 || l2 < -1e-9 || l1 + l2 > 1 + 1e-9) continue;
      PlotArrow *arrow = &layer->arrows[row * layer->columns + column];
      double z = p[0][2] + l1 * (p[1][2] - p[0][2]) + l2 * (p[2][2] - p[0][2]), v[3];
      if (arrow->there && arrow->z >= z) continue;
      for (int c = 0; c < 3; c++) v[c] = t->vector[0][c] + l1 * (t->vector[1][c] - t->vector[0][c]) + l2 * (t->vector[2][c] - t->vector[0][c]);
      *arrow = (PlotArrow){.x = x, .y = y, .z = z, .there = true};
      for (int c = 0; c < 3; c++) {
        arrow->dx += layer->scene->view.m[0][c] * v[c];
        arrow->dy += layer->scene->view.m[1][c] * v[c];
      }
    }
}

PlotArrow *layer_arrows(const Scene *scene, double x, double y, double w, double h, double spacing_x, double spacing_y, int *columns, int *rows) {
  *columns = (int)fmax(floor(w / spacing_x), 1);
  *rows = (int)fmax(floor(h / spacing_y), 1);
  int n = *columns * *rows;
  PlotArrow *arrows = calloc((size_t)n, sizeof *arrows);
  if (!arrows) return NULL;
  Layer layer = {.scene = scene, .arrows = arrows, .columns = *columns, .rows = *rows, .sx = spacing_x, .sy = spacing_y,
                 .x = x + (w - *columns * spacing_x) / 2, .y = y + (h - *rows * spacing_y) / 2};
  scene_triangles(scene, sample_triangle, &layer);
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, hypot(arrows[i].dx, arrows[i].dy));
  for (int i = 0; most > 0 && i < n; i++) {
    arrows[i].dx *= fmin(spacing_x, spacing_y) / most;
    arrows[i].dy *= fmin(spacing_x, spacing_y) / most;
  }
  return arrows;
}

/* Centred on its point; a white rim keeps it readable on dark colours. */
static void draw_arrow(Canvas *canvas, const PlotArrow *a, double scale) {
  double length = hypot(a->dx, a->dy);
  if (length < 4) return;
  scale *= fmin(fmax(length / 16, 0.55), 1);      /* short ones are thin */
  double ux = a->dx / length, uy = a->dy / length, head = fmin(9 * scale, 0.5 * length), half = 0.4 * head;
  double x0 = a->x - a->dx / 2, y0 = a->y - a->dy / 2, x1 = a->x + a->dx / 2, y1 = a->y + a->dy / 2;
  for (int pass = 0; pass < 2; pass++) {
    canvas_paint(canvas, pass ? 0x101010 : 0xFFFFFF, pass ? 1 : 0.65);
    canvas_pen(canvas, (pass ? 1.5 : 3.6) * scale, 0);
    canvas_move(canvas, x0, y0);
    canvas_line(canvas, x1 - 0.7 * head * ux, y1 - 0.7 * head * uy);
    canvas_stroke(canvas);
    canvas_move(canvas, x1, y1);
    canvas_line(canvas, x1 - head * ux - half * uy, y1 - head * uy + half * ux);
    canvas_line(canvas, x1 - 0.75 * head * ux, y1 - 0.75 * head * uy);
    canvas_line(canvas, x1 - head * ux + half * uy, y1 - head * uy - half * ux);
    canvas_close(canvas);
    if (pass) { canvas_fill(canvas, false); continue; }
    canvas_pen(canvas, 2.2 * scale, 0);
    canvas_stroke(canvas);
  }
}

void layer_draw_arrows(Canvas *canvas, const PlotArrow *arrows, int n, double scale) {
  for (int i = 0; i < n; i++)
    if (arrows[i].there) draw_arrow(canvas, &arrows[i], scale);
}

/* ---- around a surface ---- */

static void box_corner(const Scene *scene, int corner, double *x) {
  for (int i = 0; i < 3; i++) x[i] = corner >> i & 1 ? scene->hi[i] : scene->lo[i];
}

void layer_box(Canvas *canvas, const Scene *scene) {
  canvas_paint(canvas, 0xC8C8C8, 1);
  canvas_pen(canvas, 1, 0);
  for (int corner = 0; corner < 8; corner++)
    for (int i = 0; i < 3; i++) {
      if (corner >> i & 1) continue;
      double a[3], b[3], p[3], q[3];
      box_corner(scene, corner, a);
      box_corner(scene, corner | 1 << i, b);
      scene_project(scene, a, p);
      scene_project(scene, b, q);
      canvas_move(canvas, p[0], p[1]);
      canvas_line(canvas, q[0], q[1]);
    }
  canvas_stroke(canvas);
}

double layer_axes_3d_left(const PlotJob *job, Canvas *canvas, PlotFont font) {
  Ticks ticks;
  Buf title = {0};
  double widest = 0, s = job->length_scale;
  ticks_linear(&ticks, job->scene.lo[2] / s, job->scene.hi[2] / s, 8);
  for (int k = 0; k < ticks.n; k++) {
    Buf text = {0};
    ticks_label(&ticks, k, &text);
    widest = fmax(widest, canvas_text_width(canvas, buf_str(&text), font.tick, false));
    buf_free(&text);
  }
  ticks_title(&ticks, "z", job->request->length_unit, &title);
  widest += canvas_text_width(canvas, buf_str(&title), font.label, false);
  buf_free(&title);
  return widest + 14 + 1.2 * font.tick;
}

/* Numbers along three edges of the box that lie on its silhouette: x in front, y to the right, z to the left. */
void layer_axes_3d(PlotJob *job, PlotPage *page) {
  static const struct { int corner, outward; double sign; } edge[3] = {{0, 1, -1}, {1, 0, 1}, {0, 0, -1}};
  const Scene *scene = &job->scene;
  Canvas *canvas = page->canvas;
  for (int d = 0; d < 3; d++) {
    double a[3], b[3], p[3], q[3], out[2], length, pixels;
    box_corner(scene, edge[d].corner, a);
    box_corner(scene, edge[d].corner | 1 << d, b);
    scene_project(scene, a, p);
    scene_project(scene, b, q);
    for (int c = 0; c < 2; c++) out[c] = edge[d].sign * scene->view.m[c][edge[d].outward];
    length = hypot(out[0], out[1]);
    pixels = hypot(q[0] - p[0], q[1] - p[1]);
    for (int c = 0; c < 2; c++) out[c] /= length > 0 ? length : 1;
    Ticks ticks;
    double lo = a[d] / job->length_scale, hi = b[d] / job->length_scale, widest = 0;
    if (!(hi > lo)) continue;
    ticks_linear(&ticks, lo, hi, (int)fmax(pixels / (4.2 * page->font.tick), 1));
    canvas_paint(canvas, PLOT_INK, 1);
    canvas_pen(canvas, 1, 0);
    canvas_move(canvas, p[0], p[1]);
    canvas_line(canvas, q[0], q[1]);
    canvas_stroke(canvas);
    double ax = 0.5 - 0.5 * out[0], ay = 0.5 - 0.5 * out[1];     /* the text's box is beside its tick */
    for (int k = 0; k < ticks.n; k++) {
      double t = (ticks.value[k] - lo) / (hi - lo), x = p[0] + t * (q[0] - p[0]), y = p[1] + t * (q[1] - p[1]);
      canvas_move(canvas, x, y);
      canvas_line(canvas, x + 6 * out[0], y + 6 * out[1]);
      canvas_stroke(canvas);
      if (d == 0 && hypot(x - p[0], y - p[1]) < 1.5 * page->font.tick) continue;   /* the corner's number is that of the z axis */
      Buf text = {0};
      ticks_label(&ticks, k, &text);
      canvas_text(canvas, x + 10 * out[0], y + 10 * out[1], buf_str(&text), page->font.tick, false, ax, ay, 0);
      widest = fmax(widest, canvas_text_width(canvas, buf_str(&text), page->font.tick, false));
      buf_free(&text);
    }
    Buf title = {0};
    char name[2] = {"xyz"[d], 0};
    ticks_title(&ticks, name, job->request->length_unit, &title);
    double away = 14 + fabs(out[0]) * widest + (0.4 + 1.5 * fabs(out[1])) * page->font.tick;
    canvas_text(canvas, (p[0] + q[0]) / 2 + away * out[0], (p[1] + q[1]) / 2 + away * out[1], buf_str(&title), page->font.label, false, ax, ay, 0);
    buf_free(&title);
  }
}
