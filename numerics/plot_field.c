/* Fields as pictures: coloured cells of 2D meshes, surfaces and slices of 3D ones, with contours, arrows, mesh lines, deformed shape. */
#include <math.h>
#include <stdlib.h>

#include "plot_job.h"

enum { BAR = 20, BAR_GAP = 28, SAMPLES = 3 };

static void value_axis(PlotJob *job, double pixels, PlotFont font, PlotAxis *axis) {
  axis->v0 = job->lo / job->unit_scale;
  axis->v1 = job->hi / job->unit_scale;
  ticks_linear(&axis->ticks, axis->v0, axis->v1, (int)fmax(pixels / (3.4 * font.tick), 4));
  ticks_title(&axis->ticks, buf_str(&job->label), job->request->unit, &axis->title);
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
    double scale = page->font.tick / 15, spacing = scale * fmin(fmax(fmin(page->w, page->h) / 12, 18), 34);
    PlotArrow *arrows = layer_arrows(scene, page->x, page->y, page->w, page->h, spacing, spacing, &columns, &rows);
    if (arrows) layer_draw_arrows(canvas, arrows, columns * rows, scale);
    free(arrows);
  }
  canvas_unclip(canvas);
  return 0;
}

Status plot_field_picture(PlotJob *job) {
  Scene *scene = &job->scene;
  PlotFont font = plot_font(job->request->width > 0 ? job->request->width : 1000);
  Canvas *ruler = canvas_open(CANVAS_PNG, 1, 1);
  if (!ruler) return plot_memory(job);
  PlotPage page;
  PlotAxis bar = {0}, x, y;
  double aspect = scene_aspect(scene), right = 0, side = scene->flat ? 0 : 4.5 * font.tick, pixels = 600;
  bool stretch = scene->flat && (aspect > 30 || aspect < 1.0 / 30);
  for (int pass = 0; pass < 2; pass++) {     /* the bar's numbers depend on its height, and the height on the room they take */
    value_axis(job, pixels, font, &bar);
    right = side + BAR_GAP + bar_room(ruler, &bar, font, BAR) + 8;
    buf_free(&bar.title);
    if (plot_size_scene(job, right, stretch, &page)) { canvas_discard(ruler); return 1; }
    pixels = scene->flat ? page.h : 0.8 * page.h;
  }
  canvas_discard(ruler);
  TRY(plot_open_page(job, &page));
  if (draw_layers(job, &page)) { canvas_discard(page.canvas); return 1; }
  if (scene->flat) {
    plot_flat_axes(job, &page, &x, &y);
    axes_draw(page.canvas, &x, &y, page.font, false);
    buf_free(&x.title);
    buf_free(&y.title);
  } else layer_axes_3d(job, &page);
  bar = (PlotAxis){.p0 = page.y + page.h, .p1 = page.y};
  if (!scene->flat) { bar.p0 -= 0.12 * page.h; bar.p1 += 0.08 * page.h; }
  value_axis(job, pixels, page.font, &bar);
  Colormap shown = job->map;
  shown.lo /= job->unit_scale;
  shown.hi /= job->unit_scale;
  double marks[CONTOURS_MAX];
  for (int k = 0; k < job->nlevels; k++) marks[k] = job->levels[k] / job->unit_scale;
  bar_draw(page.canvas, &shown, &bar, page.x + page.w + side + BAR_GAP, BAR, page.font, marks, job->nlevels);
  buf_free(&bar.title);
  return canvas_save(page.canvas, job->request->path, job->diags, job->span);
}
