/* Fields as pictures: coloured cells of 2D meshes, surfaces and slices of 3D ones, with contours, arrows, mesh lines, deformed shape. */
#include <math.h>
#include <stdlib.h>

#include "plot_job.h"

enum { BAR = 20, BAR_GAP = 28, SAMPLES = 3 };

static void value_axis(PlotJob *job, double pixels, PlotFont font, PlotAxis *axis) {
  axis->v0 = job->lo / job->unit_scale;
  axis->v1 = job->hi / job->unit_scale;
  ticks_linear(&axis->ticks, axis->v0, axis->v1, (int)fmax(pixels / (2.6 * font.tick), 2));
  ticks_title(&axis->ticks, buf_str(&job->label), job->request->unit, &axis->title);
}

/* Axes of a flat scene for the page's rectangle, as the view maps it. */
static void flat_axes(PlotJob *job, const PlotPage *page, PlotAxis *x, PlotAxis *y) {
  const SceneView *view = &job->scene.view;
  double s = job->length_scale;
  *x = (PlotAxis){.v0 = (page->x - view->m[0][3]) / view->m[0][0] / s, .v1 = (page->x + page->w - view->m[0][3]) / view->m[0][0] / s,
                  .p0 = page->x, .p1 = page->x + page->w};
  *y = (PlotAxis){.v0 = (page->y + page->h - view->m[1][3]) / view->m[1][1] / s, .v1 = (page->y - view->m[1][3]) / view->m[1][1] / s,
                  .p0 = page->y + page->h, .p1 = page->y};
  ticks_linear(&x->ticks, x->v0, x->v1, (int)fmax(page->w / (5.5 * page->font.tick), 2));
  ticks_linear(&y->ticks, y->v0, y->v1, (int)fmax(page->h / (4 * page->font.tick), 2));
  ticks_title(&x->ticks, job->scene.label[0], job->request->length_unit, &x->title);
  ticks_title(&y->ticks, job->scene.label[1], job->request->length_unit, &y->title);
}

/* The raster of the scene in the page's rectangle, drawn into it. */
static Status draw_cells(PlotJob *job, PlotPage *page) {
  const PlotRequest *request = job->request;
  Scene *scene = &job->scene, zoomed = *scene;
  int scale = canvas_image_scale(page->canvas), w = (int)ceil(page->w), h = (int)ceil(page->h);
  Raster raster;
  if (!raster_open(&raster, w * scale, h * scale, scale > 1 ? 2 : SAMPLES, !scene->flat)) return plot_memory(job);
  for (int i = 0; i < 3; i++) {     /* from the page to the raster */
    for (int j = 0; j < 4; j++) zoomed.view.m[i][j] = scale * (scene->view.m[i][j] - (j < 3 ? 0 : i == 0 ? page->x : i == 1 ? page->y : 0));
  }
  double cell_pixels = scene->mesh->h_max > 0 ? fabs(scene->view.m[0][0]) * scene->mesh->h_max : 20;
  PlotLayerStyle style = {.map = &job->map, .line_rgb = 0, .line_alpha = 0.45, .line_width = request->mesh_lines ? (cell_pixels > 8 ? 0.8 : 0.5) * scale : 0};
  layer_cells(&raster, &zoomed, &style);
  if (!scene->flat) {
    layer_raster_outline(&raster, &zoomed, 1.1 * scale, 0x111111, 0.8);
    if (job->nlevels) layer_raster_contours(&raster, &zoomed, job->levels, job->nlevels);
  }
  uint32_t *pixels = raster_pixels(&raster);
  raster_close(&raster);
  if (!pixels) return plot_memory(job);
  canvas_image(page->canvas, page->x, page->y, w, h, pixels, w * scale, h * scale);
  free(pixels);
  return 0;
}

static Status draw_layers(PlotJob *job, PlotPage *page) {
  Scene *scene = &job->scene;
  Canvas *canvas = page->canvas;
  if (!scene->flat) layer_box(canvas, scene);
  if (!scene->flat && scene->deform) layer_ghost(canvas, scene);
  TRY(draw_cells(job, page));
  canvas_clip(canvas, page->x, page->y, page->w, page->h);
  if (scene->flat && job->nlevels) layer_contours(canvas, scene, job->levels, job->nlevels);
  if (scene->flat) layer_outline(canvas, scene, 1.4, PLOT_INK);
  if (scene->flat && scene->deform) layer_ghost(canvas, scene);
  if (job->request->arrows && job->field->ncomp > 1) {
    int columns, rows;
    double scale = page->font.tick / 15, spacing = 34 * scale;
    PlotArrow *arrows = layer_arrows(scene, page->x, page->y, page->w, page->h, spacing, spacing, &columns, &rows);
    if (arrows) layer_draw_arrows(canvas, arrows, columns * rows, scale);
    free(arrows);
  }
  canvas_unclip(canvas);
  return 0;
}

Status plot_field_picture(PlotJob *job) {
  Scene *scene = &job->scene;
  int width = job->request->width > 0 ? job->request->width : 1000;
  PlotFont font = plot_font(width);
  /* room beside the plot, measured with ticks for a plot of about the final size */
  Canvas *ruler = canvas_open(CANVAS_PNG, 1, 1);
  if (!ruler) return plot_memory(job);
  PlotAxis bar = {0}, x = {0}, y = {0};
  double aspect = scene_aspect(scene), guess_w = 0.78 * width, guess_h = fmin(guess_w / aspect, 0.8 * width);
  bool stretch = scene->flat && (aspect > 30 || aspect < 1.0 / 30);
  value_axis(job, guess_h, font, &bar);
  double right = BAR_GAP + bar_room(ruler, &bar, font, BAR) + 8, left = 16, bottom = 16;
  if (scene->flat) {
    scene_fit(scene, 0, 0, guess_w, guess_h, stretch);
    PlotPage guess = {.w = guess_w, .h = guess_h, .font = font};
    flat_axes(job, &guess, &x, &y);
    left = axis_room(ruler, &y, font, true) + 6;
    bottom = axis_room(ruler, &x, font, false) + 6;
    buf_free(&x.title);
    buf_free(&y.title);
  } else { left = 5.2 * font.tick; bottom = 4.2 * font.tick; right += 4.5 * font.tick; }
  buf_free(&bar.title);
  canvas_discard(ruler);
  PlotPage page;
  TRY(plot_open_page(job, stretch ? 3 : aspect, left, right, bottom, &page));
  scene_fit(scene, page.x, page.y, page.w, page.h, stretch);
  if (draw_layers(job, &page)) { canvas_discard(page.canvas); return 1; }
  double bar_x = page.x + page.w + BAR_GAP;
  if (scene->flat) {
    flat_axes(job, &page, &x, &y);
    axes_draw(page.canvas, &x, &y, page.font, false);
    buf_free(&x.title);
    buf_free(&y.title);
  } else {
    layer_axes_3d(job, &page);
    bar_x = page.width - right + 4.5 * font.tick + BAR_GAP;
  }
  bar = (PlotAxis){.p0 = page.y + page.h, .p1 = page.y};
  if (!scene->flat) { bar.p0 -= 0.12 * page.h; bar.p1 += 0.08 * page.h; }
  value_axis(job, bar.p0 - bar.p1, page.font, &bar);
  Colormap shown = job->map;
  shown.lo /= job->unit_scale;
  shown.hi /= job->unit_scale;
  double marks[40];
  for (int k = 0; k < job->nlevels; k++) marks[k] = job->levels[k] / job->unit_scale;
  bar_draw(page.canvas, &shown, &bar, bar_x, BAR, page.font, marks, job->nlevels);
  buf_free(&bar.title);
  return canvas_save(page.canvas, job->request->path, job->diags, job->span);
}
