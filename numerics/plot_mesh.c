/* Meshes as pictures: cells with their sides, boundaries coloured by name, regions tinted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_job.h"

/* ---- who owns a facet ---- */

/* Boundary groups, the largest first: the smaller ones, which say more, take their facets from it. */
static int sort_groups(const Mesh *mesh, int *order) {
  int n = 0;
  for (int g = 0; g < mesh->ngroups; g++) {
    if (mesh->groups[g].dim != mesh->dim - 1) continue;
    int at = n++;
    for (; at > 0 && mesh->groups[order[at - 1]].n < mesh->groups[g].n; at--) order[at] = order[at - 1];
    order[at] = g;
  }
  return n;
}

/* A group without facets of its own is a union of others: its row names them. */
static void describe_union(const Mesh *mesh, const MeshGroup *group, const int *owner, PlotGroups *out, Buf *text) {
  enum { LONG = 24 };      /* columns, beyond which the names are counted: the picture wants its place */
  bool *seen = calloc((size_t)out->owners + 1, sizeof *seen);
  int parts = 0, more = 0;
  for (int i = 0; seen && i < group->n; i++)
    if (owner[group->entity[i]] >= 0) seen[owner[group->entity[i]]] = true;
  buf_printf(text, "%s = ", group->name);
  for (int k = 0; seen && k < out->owners; k++)
    if (seen[k] && parts && text->len + strlen(mesh->groups[out->group[k]].name) > LONG) more++;
    else if (seen[k]) buf_printf(text, "%s%s", parts++ ? " + " : "", mesh->groups[out->group[k]].name);
  if (more) buf_printf(text, " + %d more", more);
  free(seen);
}

bool plot_groups(const Mesh *mesh, PlotGroups *out) {
  *out = (PlotGroups){0};
  size_t most = (size_t)mesh->ngroups + 1;
  int *order = malloc(sizeof(int) * most), n, *row_of = malloc(sizeof(int) * most);
  out->owner = malloc(sizeof(int) * ((size_t)mesh->nfacets + 1));
  out->rows = calloc(most, sizeof *out->rows);
  out->texts = calloc(most, sizeof *out->texts);
  out->group = malloc(sizeof(int) * most);
  bool ok = order && row_of && out->owner && out->rows && out->texts && out->group;
  if (ok) {
    n = sort_groups(mesh, order);
    for (int f = 0; f < mesh->nfacets; f++) out->owner[f] = -1;
    for (int k = 0; k < n; k++) {
      const MeshGroup *group = &mesh->groups[order[k]];
      row_of[k] = -1;
      for (int i = 0; i < group->n; i++) out->owner[group->entity[i]] = order[k];
    }
    for (int k = 0; k < n; k++)
      for (int f = 0; f < mesh->nfacets; f++)
        if (out->owner[f] == order[k]) { row_of[k] = 0; break; }
    for (int k = 0; k < n; k++) {      /* in the order of the mesh, which is that of the geometry */
      int g = -1;
      for (int j = 0; j < n; j++)
        if (row_of[j] == 0 && (g < 0 || order[j] < order[g])) g = j;
      if (g < 0) break;
      row_of[g] = 1;
      out->group[out->owners++] = order[g];
    }
    for (int f = 0; f < mesh->nfacets; f++)
      for (int k = 0; k < out->owners; k++)
        if (out->owner[f] == out->group[k]) { out->owner[f] = k; break; }
    for (int k = 0; k < out->owners; k++) {
      buf_puts(&out->texts[out->nrows], mesh->groups[out->group[k]].name);
      out->rows[out->nrows++] = (LegendRow){.rgb = colormap_category(k), .marker = -1, .line = mesh->dim < 3};
    }
    for (int k = n - 1; k >= 0; k--) {
      if (row_of[k] == 1) continue;
      describe_union(mesh, &mesh->groups[order[k]], out->owner, out, &out->texts[out->nrows]);
      out->rows[out->nrows++] = (LegendRow){.rgb = 0xFFFFFF, .marker = -1};
    }
    for (int k = 0; k < out->nrows; k++) out->rows[k].text = buf_str(&out->texts[k]);
  }
  free(order);
  free(row_of);
  if (!ok) plot_groups_free(out);
  return ok;
}

void plot_groups_free(PlotGroups *groups) {
  for (int k = 0; k < groups->nrows; k++) buf_free(&groups->texts[k]);
  free(groups->owner);
  free(groups->rows);
  free(groups->texts);
  free(groups->group);
  *groups = (PlotGroups){0};
}

/* ---- the picture ---- */

static uint32_t surface_tint(int k) { return colormap_mix(colormap_category(k), 0xFFFFFF, 0.35); }

static uint32_t tint_of(const void *user, const SceneTriangle *t) {
  const PlotGroups *groups = ((const void *const *)user)[0];
  const Mesh *mesh = ((const void *const *)user)[1];
  if (t->facet >= 0) {
    int k = groups->owner[t->facet];
    return k < 0 ? 0xDDE2E8 : surface_tint(k);
  }
  if (!mesh->region || mesh->nregions < 2) return 0xEAF0F6;
  return colormap_mix(colormap_category(mesh->region[t->cell] + 6), 0xFFFFFF, 0.72);
}

typedef struct Stroke { Canvas *canvas; const Scene *scene; const PlotGroups *groups; int row; } Stroke;

static void stroke_owned(void *user, const double *a, const double *b, int facet) {
  Stroke *stroke = user;
  if (stroke->groups->owner[facet] != stroke->row) return;
  double p[3], q[3];
  scene_project(stroke->scene, a, p);
  scene_project(stroke->scene, b, q);
  canvas_move(stroke->canvas, p[0], p[1]);
  canvas_line(stroke->canvas, q[0], q[1]);
}

static Status draw_cells(PlotJob *job, PlotPage *page, const PlotGroups *groups) {
  Scene *scene = &job->scene, zoomed = *scene;
  int scale = canvas_image_scale(page->canvas), w = (int)page->w, h = (int)page->h;
  Raster raster;
  if (!raster_open(&raster, w * scale, h * scale, scale > 1 ? 2 : 3, !scene->flat)) return plot_memory(job);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) zoomed.view.m[i][j] = scale * (scene->view.m[i][j] - (j < 3 ? 0 : i == 0 ? page->x : i == 1 ? page->y : 0));
  double pixels_a_cell = scene->mesh->h_max > 0 ? hypot(scene->view.m[0][0], scene->view.m[0][1]) * scene->mesh->h_max : 20;
  const void *user[2] = {groups, job->mesh};
  PlotLayerStyle style = {.colour_of = tint_of, .user = user, .line_rgb = 0x33475C, .line_width = fmin(fmax(pixels_a_cell / 14, 0.45), 1.2) * scale,
                          .line_alpha = fmin(fmax(pixels_a_cell / 10, 0.25), 0.9)};
  layer_cells(&raster, &zoomed, &style);
  if (!scene->flat) layer_raster_outline(&raster, &zoomed, 1.3 * scale, 0x111111, 0.9);
  uint32_t *pixels = raster_pixels(&raster);
  raster_close(&raster);
  if (!pixels) return plot_memory(job);
  canvas_image(page->canvas, page->x, page->y, w, h, pixels, w * scale, h * scale);
  free(pixels);
  return 0;
}

static void draw_boundaries(PlotJob *job, PlotPage *page, const PlotGroups *groups) {
  Stroke stroke = {page->canvas, &job->scene, groups, -1};
  for (int k = -1; k < groups->owners; k++) {
    stroke.row = k;
    canvas_paint(page->canvas, k < 0 ? PLOT_INK : groups->rows[k].rgb, 1);
    canvas_pen(page->canvas, k < 0 ? 1.4 : 3.4, 0);
    scene_outline(&job->scene, stroke_owned, &stroke);
    canvas_stroke(page->canvas);
  }
}

static Status picture_of_surface(PlotJob *job, PlotGroups *groups) {
  Scene *scene = &job->scene;
  PlotFont font = plot_font(job->request->width > 0 ? job->request->width : 1000);
  Canvas *ruler = canvas_open(CANVAS_PNG, 1, 1);
  if (!ruler) return plot_memory(job);
  double legend_w = 0, legend_h = 0, gap = scene->flat ? 0 : 4 * font.tick;
  if (groups->nrows) legend_size(ruler, groups->rows, groups->nrows, font, &legend_w, &legend_h);
  canvas_discard(ruler);
  for (int k = 0; !scene->flat && k < groups->owners; k++) groups->rows[k].rgb = surface_tint(k);
  PlotPage page;
  TRY(plot_size_scene(job, gap + legend_w + 20, false, &page));
  if (page.y + legend_h + 8 > page.height && job->request->height <= 0) page.height = (int)(page.y + legend_h + 8);
  TRY(plot_open_page(job, &page));
  if (!scene->flat) layer_box(page.canvas, scene);
  if (draw_cells(job, &page, groups)) { canvas_discard(page.canvas); return 1; }
  if (scene->flat) {
    draw_boundaries(job, &page, groups);
    if (scene->deform) layer_ghost(page.canvas, scene);
    PlotAxis x, y;
    plot_flat_axes(job, &page, &x, &y);
    axes_draw(page.canvas, &x, &y, page.font, false);
    buf_free(&x.title);
    buf_free(&y.title);
  } else layer_axes_3d(job, &page);
  if (groups->nrows) legend_draw(page.canvas, groups->rows, groups->nrows, page.x + page.w + gap + 8, page.y, page.font, false);
  return canvas_save(page.canvas, job->request->path, job->diags, job->span);
}

/* An interval is a line with its vertices; boundary points are discs. */
static Status picture_of_interval(PlotJob *job, PlotGroups *groups) {
  const Mesh *mesh = job->mesh;
  int width = job->request->width > 0 ? job->request->width : 1000;
  PlotFont font = plot_font(width);
  double legend_w = 0, legend_h = 0, s = job->length_scale;
  Canvas *ruler = canvas_open(CANVAS_PNG, 1, 1);
  if (!ruler) return plot_memory(job);
  if (groups->nrows) legend_size(ruler, groups->rows, groups->nrows, font, &legend_w, &legend_h);
  canvas_discard(ruler);
  PlotPage page;
  plot_size_page(job, (width - 60 - legend_w) / 140, 30, legend_w + 30, 4 * font.tick, &page);
  TRY(plot_open_page(job, &page));
  double air = 0.03 * (mesh->hi[0] - mesh->lo[0]), middle = page.y + page.h / 2;
  PlotAxis x = {.v0 = (mesh->lo[0] - air) / s, .v1 = (mesh->hi[0] + air) / s, .p0 = page.x, .p1 = page.x + page.w};
  PlotAxis y = {.v0 = 0, .v1 = 1, .p0 = page.y + page.h, .p1 = page.y};
  ticks_linear(&x.ticks, x.v0, x.v1, (int)fmax(page.w / (5.5 * font.tick), 2));
  ticks_title(&x.ticks, "x", job->request->length_unit, &x.title);
  axes_draw(page.canvas, &x, &y, page.font, false);
  buf_free(&x.title);
  double tall = mesh->nverts > page.w / 3 ? 3 : 10;
  canvas_pen(page.canvas, 1.4, 0);
  canvas_paint(page.canvas, 0x33475C, 1);
  for (int e = 0; e < mesh->ncells; e++) {
    double a = axis_pixel(&x, mesh->x[mesh->cell[2 * e]] / s), b = axis_pixel(&x, mesh->x[mesh->cell[2 * e + 1]] / s);
    canvas_move(page.canvas, a, middle);
    canvas_line(page.canvas, b, middle);
    canvas_move(page.canvas, a, middle - tall);
    canvas_line(page.canvas, a, middle + tall);
    canvas_move(page.canvas, b, middle - tall);
    canvas_line(page.canvas, b, middle + tall);
    canvas_stroke(page.canvas);
  }
  for (int f = 0; f < mesh->nfacets; f++) {
    int v = mesh->cell[2 * mesh->facet_cell[f] + 1 - mesh->facet_local[f]], k = groups->owner[f];
    canvas_circle(page.canvas, axis_pixel(&x, mesh->x[v] / s), middle, 7);
    canvas_paint(page.canvas, k < 0 ? PLOT_INK : groups->rows[k].rgb, 1);
    canvas_fill(page.canvas, false);
  }
  for (int k = 0; k < groups->owners; k++) groups->rows[k].line = false;
  if (groups->nrows) legend_draw(page.canvas, groups->rows, groups->nrows, page.x + page.w + 8, page.y, page.font, false);
  return canvas_save(page.canvas, job->request->path, job->diags, job->span);
}

Status plot_mesh_picture(PlotJob *job) {
  PlotGroups groups;
  if (!plot_groups(job->mesh, &groups)) return plot_memory(job);
  Status status = job->mesh->dim == 1 ? picture_of_interval(job, &groups) : picture_of_surface(job, &groups);
  plot_groups_free(&groups);
  return status;
}
