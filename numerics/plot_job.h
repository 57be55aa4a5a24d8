/* What plot.c hands to the kinds of pictures, and what they share. */
#ifndef PLOT_JOB_H
#define PLOT_JOB_H
#include "plot.h"
#include "plot_axes.h"
#include "plot_raster.h"
#include "plot_scene.h"

enum { CONTOURS_MAX = 100 };

typedef struct PlotJob {
  const PlotRequest *request;
  Mesh *mesh;
  const NodalField *field, *deform;
  double deform_scale;
  double unit_scale, length_scale;      /* SI values are divided by them */
  double lo, hi;                        /* colour or value range, SI */
  double levels[CONTOURS_MAX]; int nlevels;       /* contours, SI */
  Colormap map;                         /* SI */
  Scene scene;
  Buf label, note;                      /* "|u|"; "deformation ×200, slice x = 0.5 m" */
  Diags *diags;
  Span span;
} PlotJob;

/* A page: the canvas with its title drawn, the plot's rectangle and the fonts. */
typedef struct PlotPage {
  Canvas *canvas;
  PlotFont font;
  int width, height;
  double x, y, w, h;           /* rectangle of the data */
} PlotPage;

CanvasFormat plot_format(const char *path);
Status plot_memory(PlotJob *job);           /* reports E0001 */
/* Sizes the page for a plot of `aspect` (width over height; 0: fills a page of 5:3) with that many pixels beside it. */
void plot_size_page(const PlotJob *job, double aspect, double left, double right, double bottom, PlotPage *page);
Status plot_open_page(PlotJob *job, PlotPage *page);   /* its canvas, with the titles */
double plot_title_room(const PlotJob *job, PlotFont font);
/* Axes of a flat scene for the page's rectangle, as the view maps it; the caller frees their titles. */
void plot_flat_axes(const PlotJob *job, const PlotPage *page, PlotAxis *x, PlotAxis *y);
/* Sizes the page of a scene with `right` pixels beside it for a bar or a legend, and fits the scene into it. */
Status plot_size_scene(PlotJob *job, double right, bool stretch, PlotPage *page);
void plot_draw_titles(PlotJob *job, PlotPage *page);

Status plot_field_picture(PlotJob *job);    /* 2D fields, surfaces, slices */
Status plot_mesh_picture(PlotJob *job);
Status plot_lines_picture(PlotJob *job);    /* series, and fields over intervals */
Status plot_terminal(PlotJob *job);         /* any of them, as text */

/* --- layers of a scene, in plot_layers.c --- */
typedef struct PlotLayerStyle {
  const Colormap *map;                      /* NULL: colour_of */
  uint32_t (*colour_of)(const void *user, const SceneTriangle *triangle);
  const void *user;
  double line_width; uint32_t line_rgb; double line_alpha;   /* mesh lines; 0: none */
} PlotLayerStyle;
bool layer_cells(Raster *raster, const Scene *scene, const PlotLayerStyle *style);
void layer_raster_outline(Raster *raster, const Scene *scene, double width, uint32_t rgb, double alpha);
void layer_raster_contours(Raster *raster, const Scene *scene, const double *levels, int n);
void layer_outline(Canvas *canvas, const Scene *scene, double width, uint32_t rgb);
void layer_ghost(Canvas *canvas, const Scene *scene);
void layer_contours(Canvas *canvas, const Scene *scene, const double *levels, int n);
typedef struct PlotArrow { double x, y, dx, dy, z; bool there; } PlotArrow;
/* Arrows on a grid of `spacing` pixels, the longest as long as the spacing; [*columns * *rows], free it. */
PlotArrow *layer_arrows(const Scene *scene, double x, double y, double w, double h, double spacing_x, double spacing_y, int *columns, int *rows);
void layer_draw_arrows(Canvas *canvas, const PlotArrow *arrows, int n, double scale);
double scene_shade(const Scene *scene, const double *normal);
/* Box and numbered edges around a surface. */
void layer_box(Canvas *canvas, const Scene *scene);
double layer_axes_3d_left(const PlotJob *job, Canvas *canvas, PlotFont font);    /* room for the z axis */
void layer_axes_3d(PlotJob *job, PlotPage *page);

/* The boundary groups as they are seen: every facet has one owner, the smallest group that holds it. */
typedef struct PlotGroups {
  int *owner;                  /* [nfacets] row, or -1 */
  LegendRow *rows; int nrows;  /* rows with a colour first: `owners` of them; then unions of others, as text */
  int owners;
  Buf *texts;
  int *group;                  /* [owners] index into the mesh's groups */
} PlotGroups;
bool plot_groups(const Mesh *mesh, PlotGroups *out);
void plot_groups_free(PlotGroups *groups);

#endif
