/* Pictures for a terminal: fields and meshes in half blocks, curves in braille dots, with the numbers of the axes around them. Without colour
 * shades of characters stand for values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_curves.h"
#include "plot_job.h"

enum { BAR_COLUMNS = 14, LEFT = 9 };
static const char *const shades[] = {".", ":", "-", "=", "+", "*", "#", "%", "@"};
enum { SHADES = 9 };

/* ---- cells of the terminal ---- */

typedef struct Glyph {
  char text[8];                /* UTF-8, empty: half blocks of the two colours, or a blank */
  int32_t upper, lower, ink;   /* 0xRRGGBB, -1: none */
} Glyph;

typedef struct Sheet { int columns, rows; Glyph *glyphs; bool colour, deep; } Sheet;

static bool sheet_open(Sheet *sheet, int columns, int rows, bool colour) {
  const char *depth = getenv("COLORTERM");
  *sheet = (Sheet){columns, rows, calloc((size_t)columns * (size_t)rows, sizeof *sheet->glyphs), colour,
                   depth && (strstr(depth, "truecolor") || strstr(depth, "24bit"))};
  for (int i = 0; sheet->glyphs && i < columns * rows; i++) sheet->glyphs[i] = (Glyph){"", -1, -1, -1};
  return sheet->glyphs != NULL;
}

static Glyph *at(Sheet *sheet, int column, int row) {
  return column < 0 || row < 0 || column >= sheet->columns || row >= sheet->rows ? NULL : &sheet->glyphs[row * sheet->columns + column];
}

static int utf8_length(const char *p) {
  unsigned char c = (unsigned char)*p;
  return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

static int columns_of(const char *text) {
  int n = 0;
  for (const char *p = text; *p && n < 1000; n++)
    for (int k = utf8_length(p); k && *p; k--) p++;
  return n;
}

static void write_text(Sheet *sheet, int column, int row, const char *text, int32_t ink) {
  for (const char *p = text; *p; column++) {
    int n = utf8_length(p);
    Glyph *g = at(sheet, column, row);
    if (g) {
      memset(g->text, 0, sizeof g->text);
      for (int k = 0; k < n && p[k]; k++) g->text[k] = p[k];
      g->ink = ink;
    }
    for (int k = 0; k < n && *p; k++) p++;
  }
}

/* The nearest of the 6x6x6 colours and greys of a 256-colour terminal. */
static int indexed(int32_t rgb) {
  int c[3] = {rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255}, q[3], grey = (c[0] + c[1] + c[2]) / 3;
  for (int i = 0; i < 3; i++) q[i] = c[i] < 48 ? 0 : c[i] < 115 ? 1 : (c[i] - 35) / 40;
  int spread = abs(c[0] - grey) + abs(c[1] - grey) + abs(c[2] - grey);
  if (spread < 18) return grey < 4 ? 16 : grey > 246 ? 231 : 232 + (grey - 4) * 24 / 243;
  return 16 + 36 * q[0] + 6 * q[1] + q[2];
}

static void set_colour(Buf *out, const Sheet *sheet, int ground, int32_t rgb) {
  if (rgb < 0) buf_printf(out, "\033[%d9m", ground);
  else if (sheet->deep) buf_printf(out, "\033[%d8;2;%d;%d;%dm", ground, rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255);
  else buf_printf(out, "\033[%d8;5;%dm", ground, indexed(rgb));
}

static void print_sheet(Sheet *sheet, Buf *out) {
  for (int row = 0; row < sheet->rows; row++) {
    int32_t ink = -1, ground = -1;
    size_t end = 0, start = out->len;
    for (int column = 0; column < sheet->columns; column++) {
      const Glyph *g = at(sheet, column, row);
      const char *text = g->text;
      int32_t want_ink = g->ink, want_ground = -1;
      if (!*text && sheet->colour) {
        if (g->upper >= 0 && g->lower >= 0) { text = "▀"; want_ink = g->upper; want_ground = g->lower; }
        else if (g->upper >= 0) { text = "▀"; want_ink = g->upper; }
        else if (g->lower >= 0) { text = "▄"; want_ink = g->lower; }
      } else if (*text && g->upper >= 0 && g->lower >= 0) want_ground = (int32_t)colormap_mix((uint32_t)g->upper, (uint32_t)g->lower, 0.5);
      if (sheet->colour && want_ink != ink) set_colour(out, sheet, 3, ink = want_ink);
      if (sheet->colour && want_ground != ground) set_colour(out, sheet, 4, ground = want_ground);
      buf_puts(out, *text ? text : " ");
      if (*text) end = out->len - start;
    }
    if (sheet->colour && (ink >= 0 || ground >= 0)) buf_puts(out, "\033[0m");
    else if (out->text) out->text[out->len = start + end] = 0;     /* no blanks at the end of a line */
    buf_putc(out, '\n');
  }
  free(sheet->glyphs);
}

/* ---- around the data ---- */

static void write_title(PlotJob *job, Sheet *sheet) {
  Buf text = {0};
  if (job->request->title) buf_puts(&text, job->request->title);
  if (job->note.len) buf_printf(&text, text.len ? "  (%s)" : "%s", buf_str(&job->note));
  write_text(sheet, (int)fmax((sheet->columns - columns_of(buf_str(&text))) / 2, 0), 0, buf_str(&text), -1);
  buf_free(&text);
}

/* Numbers left of and under a rectangle of terminal cells. */
static void write_axes(Sheet *sheet, int left, int top, int columns, int rows, PlotAxis *x, PlotAxis *y) {
  int last = -3;
  for (int k = 0; k < y->ticks.n; k++) {
    int row = (int)floor(axis_pixel(y, y->ticks.value[k]));
    if (row < top || row >= top + rows) continue;
    Buf text = {0};
    ticks_label(&y->ticks, k, &text);
    write_text(sheet, left - 1 - columns_of(buf_str(&text)), row, buf_str(&text), -1);
    write_text(sheet, left - 1, row, "┤", -1);
    buf_free(&text);
  }
  for (int column = left; column < left + columns; column++) write_text(sheet, column, top + rows, "─", -1);
  for (int row = top; row < top + rows; row++)
    if (!*at(sheet, left - 1, row)->text) write_text(sheet, left - 1, row, "│", -1);
  write_text(sheet, left - 1, top + rows, "└", -1);
  for (int k = 0; k < x->ticks.n; k++) {
    int column = (int)floor(axis_pixel(x, x->ticks.value[k]));
    if (column < left || column >= left + columns) continue;
    write_text(sheet, column, top + rows, "┬", -1);
    Buf text = {0};
    ticks_label(&x->ticks, k, &text);
    int wide = columns_of(buf_str(&text)), start = column - wide / 2;
    if (start > last + 1 && start + wide <= sheet->columns) {
      write_text(sheet, start, top + rows + 1, buf_str(&text), -1);
      last = start + wide - 1;
    }
    buf_free(&text);
  }
}

static void write_titles_of_axes(Sheet *sheet, int left, int columns, int row, const PlotAxis *x, const PlotAxis *y) {
  write_text(sheet, left + (columns - columns_of(buf_str(&x->title))) / 2, row, buf_str(&x->title), -1);
  write_text(sheet, 0, 1, buf_str(&y->title), -1);
}

static const char *shade_of(const Colormap *map, double value) {
  double t = map->hi > map->lo ? (value - map->lo) / (map->hi - map->lo) : 0.5;
  int k = (int)(t * SHADES);
  return shades[k < 0 ? 0 : k >= SHADES ? SHADES - 1 : k];
}

static void write_bar(PlotJob *job, Sheet *sheet, const Colormap *grey, int column, int top, int rows) {
  PlotAxis axis = {.v0 = job->lo / job->unit_scale, .v1 = job->hi / job->unit_scale, .p0 = top + rows, .p1 = top};
  bool constant = !(job->hi > job->lo);
  ticks_linear(&axis.ticks, axis.v0, axis.v1, rows / 3 > 2 ? rows / 3 : 2);
  ticks_title(&axis.ticks, buf_str(&job->label), job->request->unit, &axis.title);
  for (int row = 0; row < rows; row++)
    for (int c = 0; c < 2; c++) {
      Glyph *g = at(sheet, column + c, top + row);
      double value[2];
      for (int half = 0; half < 2; half++) value[half] = job->hi + (job->lo - job->hi) * (row + 0.25 + 0.5 * half) / rows;
      if (!g) continue;
      if (!sheet->colour) { write_text(sheet, column + c, top + row, shade_of(grey, (value[0] + value[1]) / 2), -1); continue; }
      g->upper = (int32_t)colormap_at(&job->map, value[0]);
      g->lower = (int32_t)colormap_at(&job->map, value[1]);
    }
  for (int k = 0; k < axis.ticks.n; k++) {
    int row = constant ? top + rows / 2 : (int)floor(axis_pixel(&axis, axis.ticks.value[k]));
    if (row < top || row >= top + rows) row = row < top ? top : top + rows - 1;
    Buf text = {0};
    ticks_label(&axis.ticks, k, &text);
    write_text(sheet, column + 3, row, buf_str(&text), -1);
    buf_free(&text);
  }
  write_text(sheet, sheet->columns - columns_of(buf_str(&axis.title)), top - 1, buf_str(&axis.title), -1);
  buf_free(&axis.title);
}

/* The size asked for, 80 by 24 if none; smaller ones than numbers and a bar need are not made. */
static void window(const PlotRequest *request, int *columns, int *rows) {
  enum { LEAST_COLUMNS = 34, LEAST_ROWS = 10 };
  *columns = request->width <= 0 ? 80 : request->width < LEAST_COLUMNS ? LEAST_COLUMNS : request->width;
  *rows = request->height <= 0 ? 24 : request->height < LEAST_ROWS ? LEAST_ROWS : request->height;
}

/* ---- fields ---- */

static void put_arrows(PlotJob *job, Sheet *sheet, int left, int top, int columns, int rows) {
  static const char *const names[] = {"→", "↗", "↑", "↖", "←", "↙", "↓", "↘"};
  int nx, ny;
  Scene cells = job->scene;            /* pixels to terminal cells is 1 by 2: arrows on every fourth column and second row */
  PlotArrow *arrows = layer_arrows(&cells, 0, 0, columns, 2 * rows, 4, 4, &nx, &ny);
  for (int i = 0; arrows && i < nx * ny; i++) {
    if (!arrows[i].there || hypot(arrows[i].dx, arrows[i].dy) < 0.15) continue;
    int k = (int)lround(atan2(-arrows[i].dy, arrows[i].dx) / (M_PI / 4)), column = left + (int)arrows[i].x, row = top + (int)(arrows[i].y / 2);
    const Glyph *g = at(sheet, column, row);
    int32_t under = g && g->upper >= 0 ? g->upper : 0;
    bool dark = (under >> 16 & 255) * 0.3 + (under >> 8 & 255) * 0.6 + (under & 255) * 0.1 < 110;
    if (g && (g->upper >= 0 || *g->text)) write_text(sheet, column, row, names[(k + 8) % 8], sheet->colour ? (dark ? 0xFFFFFF : 0x000000) : -1);
  }
  free(arrows);
}

static void put_pixels(PlotJob *job, Sheet *sheet, const uint32_t *pixels, int left, int top, int columns, int rows, const Colormap *grey) {
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      uint32_t half[2] = {pixels[(2 * row) * columns + column], pixels[(2 * row + 1) * columns + column]};
      Glyph *g = at(sheet, left + column, top + row);
      int32_t colour[2];
      for (int k = 0; k < 2; k++) {       /* at least half covered; then undo the mixing with nothing */
        uint32_t alpha = half[k] >> 24, out = 0;
        for (int shift = 16; alpha >= 128 && shift >= 0; shift -= 8) {
          uint32_t c = (half[k] >> shift & 255) * 255 / alpha;
          out = out << 8 | (c > 255 ? 255 : c);
        }
        colour[k] = alpha >= 128 ? (int32_t)out : -1;
      }
      if (sheet->colour) { g->upper = colour[0]; g->lower = colour[1]; continue; }
      int32_t seen = colour[0] >= 0 ? colour[0] : colour[1];
      if (seen >= 0) write_text(sheet, left + column, top + row, shade_of(grey, seen & 255), -1);
    }
  (void)job;
}

static Status terminal_field(PlotJob *job) {
  const PlotRequest *request = job->request;
  Scene *scene = &job->scene;
  int columns, rows;
  window(request, &columns, &rows);
  int top = 2, left = scene->flat ? LEFT : 1, w = columns - left - BAR_COLUMNS, h = rows - top - (scene->flat ? 3 : 0);
  double aspect = scene_aspect(scene);
  if (aspect > (double)w / (2 * h)) h = (int)fmax(ceil(w / aspect / 2), 3);     /* no empty lines */
  else w = (int)fmax(ceil(2 * h * aspect), 4);
  if (h > rows - top - 3) h = rows - top - 3;
  Sheet sheet;
  Raster raster;
  if (!sheet_open(&sheet, left + w + BAR_COLUMNS, top + h + (scene->flat ? 3 : 0), request->colour)) return plot_memory(job);
  scene_fit(scene, 0, 0, w, 2 * h, scene->flat && (aspect > 30 || aspect < 1.0 / 30));
  if (!raster_open(&raster, w, 2 * h, 4, !scene->flat)) { free(sheet.glyphs); return plot_memory(job); }
  /* without colour the map is a ramp of blue: its last byte is the value */
  Colormap grey = {.lo = 0, .hi = 255}, ramp = job->map;
  for (int i = 0; i < COLORMAP_ENTRIES; i++) ramp.rgb[i] = (uint32_t)(i * 255 / (COLORMAP_ENTRIES - 1));
  ramp.lo = job->lo;
  ramp.hi = job->hi;
  PlotLayerStyle style = {.map = request->colour ? &job->map : &ramp};
  if (!request->colour) { Scene unlit = *scene; unlit.light[0] = unlit.light[1] = unlit.light[2] = 0; layer_cells(&raster, &unlit, &style); }
  else layer_cells(&raster, scene, &style);
  uint32_t *pixels = raster_pixels(&raster);
  raster_close(&raster);
  if (!pixels) { free(sheet.glyphs); return plot_memory(job); }
  put_pixels(job, &sheet, pixels, left, top, w, h, &grey);
  free(pixels);
  if (request->arrows && job->field->ncomp > 1) put_arrows(job, &sheet, left, top, w, h);
  write_title(job, &sheet);
  if (scene->flat) {
    PlotPage page = {.x = 0, .y = 0, .w = w, .h = 2 * h, .font = {.tick = 1.6}};
    PlotAxis x, y;
    plot_flat_axes(job, &page, &x, &y);
    y.p0 = top + h; y.p1 = top;
    x.p0 = left; x.p1 = left + w;
    write_axes(&sheet, left, top, w, h, &x, &y);
    write_titles_of_axes(&sheet, left, w, top + h + 2, &x, &y);
    buf_free(&x.title);
    buf_free(&y.title);
  }
  Colormap shown = {.lo = job->lo, .hi = job->hi};
  write_bar(job, &sheet, &shown, left + w + 2, top, h);
  print_sheet(&sheet, request->out);
  return 0;
}

/* ---- braille: eight dots a cell, two columns by four rows ---- */

typedef struct Dots { int columns, rows; unsigned char *bits; int32_t *ink; } Dots;

static bool dots_open(Dots *dots, int columns, int rows) {
  size_t n = (size_t)columns * (size_t)rows;
  *dots = (Dots){columns, rows, calloc(n, 1), calloc(n, sizeof(int32_t))};
  for (size_t i = 0; dots->ink && i < n; i++) dots->ink[i] = -1;
  return dots->bits && dots->ink;
}

static void dots_close(Dots *dots) {
  free(dots->bits);
  free(dots->ink);
}

static void dot(Dots *dots, int x, int y, int32_t ink) {
  static const unsigned char bit[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
  if (x < 0 || y < 0 || x >= 2 * dots->columns || y >= 4 * dots->rows) return;
  int i = y / 4 * dots->columns + x / 2;
  dots->bits[i] |= bit[y % 4][x % 2];
  if (ink >= 0) dots->ink[i] = ink;
}

static void dot_line(Dots *dots, double x0, double y0, double x1, double y1, int32_t ink) {
  int steps = (int)fmin(ceil(fmax(fabs(x1 - x0), fabs(y1 - y0))) + 1, 4000);
  for (int i = 0; i <= steps; i++) {
    double t = (double)i / steps;
    dot(dots, (int)floor(x0 + t * (x1 - x0)), (int)floor(y0 + t * (y1 - y0)), ink);
  }
}

static void put_dots(Sheet *sheet, const Dots *dots, int left, int top) {
  for (int row = 0; row < dots->rows; row++)
    for (int column = 0; column < dots->columns; column++) {
      unsigned bits = dots->bits[row * dots->columns + column];
      if (!bits) continue;
      unsigned code = 0x2800 + bits;
      char text[4] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 63)), (char)(0x80 | (code & 63)), 0};
      write_text(sheet, left + column, top + row, text, sheet->colour ? dots->ink[row * dots->columns + column] : -1);
    }
}

/* A colour that shows on dark and on light grounds. */
static int32_t bright(int k) { return (int32_t)colormap_mix(colormap_category(k), 0xFFFFFF, 0.2); }

static Status terminal_lines(PlotJob *job) {
  const PlotRequest *request = job->request;
  PlotCurves curves;
  TRY(plot_curves(job, &curves));
  int columns, rows, top = 2, left = LEFT + 1;
  window(request, &columns, &rows);
  int named = 0, w = columns - left - 1, h;
  for (int k = 0; k < curves.ncurves; k++) named += request->kind == PLOT_LINES && request->series[k].label;
  h = rows - top - 3 - (named ? 1 : 0);
  Sheet sheet;
  Dots dots;
  if (!dots_open(&dots, w, h) || !sheet_open(&sheet, columns, rows, request->colour)) { plot_curves_free(&curves); dots_close(&dots); return plot_memory(job); }
  PlotAxis x = {.p0 = 0, .p1 = 2 * w - 1}, y = {.p0 = 4 * h - 1, .p1 = 0};
  bool field = request->kind != PLOT_LINES;
  plot_curves_range(curves.x, curves.n, request->logx, NAN, NAN, 0, &x.v0, &x.v1);
  plot_curves_range(curves.y, curves.n, request->logy, request->lo / job->unit_scale, request->hi / job->unit_scale, 0.03, &y.v0, &y.v1);
  if (request->logx) ticks_log(&x.ticks, x.v0, x.v1, w / 10); else ticks_linear(&x.ticks, x.v0, x.v1, w / 10 > 2 ? w / 10 : 2);
  if (request->logy) ticks_log(&y.ticks, y.v0, y.v1, h / 3); else ticks_linear(&y.ticks, y.v0, y.v1, h / 3 > 2 ? h / 3 : 2);
  ticks_title(&x.ticks, field ? "x" : request->xlabel, field ? request->length_unit : NULL, &x.title);
  ticks_title(&y.ticks, request->ylabel ? request->ylabel : field ? buf_str(&job->label) : NULL, request->unit, &y.title);
  for (int k = 0; k < curves.ncurves; k++)
    for (int i = curves.start[k]; i < curves.start[k + 1]; i++) {
      int before = i > curves.start[k] ? i - 1 : i;
      dot_line(&dots, axis_pixel(&x, curves.x[before]), axis_pixel(&y, curves.y[before]), axis_pixel(&x, curves.x[i]), axis_pixel(&y, curves.y[i]), bright(k));
    }
  put_dots(&sheet, &dots, left, top);
  dots_close(&dots);
  plot_curves_free(&curves);
  write_title(job, &sheet);
  x.p0 = left; x.p1 = left + w - 0.5;
  y.p0 = top + h - 0.5; y.p1 = top;
  write_axes(&sheet, left, top, w, h, &x, &y);
  write_titles_of_axes(&sheet, left, w, top + h + 2, &x, &y);
  int column = left;
  for (int k = 0; named && k < request->nseries; k++) {
    const char *label = request->series[k].label ? request->series[k].label : "";
    write_text(&sheet, column, top + h + 3, "──", bright(k));
    write_text(&sheet, column + 3, top + h + 3, label, -1);
    column += 6 + columns_of(label);
  }
  buf_free(&x.title);
  buf_free(&y.title);
  print_sheet(&sheet, request->out);
  return 0;
}

/* ---- meshes ---- */

typedef struct MeshDots { Dots *dots; const Scene *scene; const PlotGroups *groups; } MeshDots;

static void dot_edges(void *user, const SceneTriangle *t) {
  MeshDots *m = user;
  for (int i = 0; i < 3; i++) {
    if (!t->edge[i]) continue;
    if (!m->scene->flat) {          /* the side away from the viewer is hidden */
      double facing = 0;
      for (int c = 0; c < 3; c++) facing += m->scene->toward[c] * t->normal[i][c];
      if (facing < 0) continue;
    }
    double p[3], q[3];
    int k = t->facet >= 0 ? m->groups->owner[t->facet] : -1;
    scene_project(m->scene, t->x[i], p);
    scene_project(m->scene, t->x[(i + 1) % 3], q);
    dot_line(m->dots, p[0], p[1], q[0], q[1], k >= 0 ? bright(k) : -1);
  }
}

static void dot_outline(void *user, const double *a, const double *b, int facet) {
  MeshDots *m = user;
  double p[3], q[3];
  int k = facet >= 0 ? m->groups->owner[facet] : -1;
  scene_project(m->scene, a, p);
  scene_project(m->scene, b, q);
  dot_line(m->dots, p[0], p[1], q[0], q[1], k >= 0 ? bright(k) : -1);
}

static Status terminal_mesh(PlotJob *job) {
  const PlotRequest *request = job->request;
  Scene *scene = &job->scene;
  PlotGroups groups;
  if (!plot_groups(job->mesh, &groups)) return plot_memory(job);
  int columns, rows, names = 0;
  window(request, &columns, &rows);
  for (int k = 0; k < groups.nrows; k++) names = (int)fmax(names, columns_of(groups.rows[k].text) + 5);
  if (names > columns / 2) names = columns / 2;
  int top = 2, left = scene->flat ? LEFT : 1, w = columns - left - names, h = rows - top - 3;
  double aspect = job->mesh->dim == 1 ? 1e9 : scene_aspect(scene);
  if (aspect > 2.0 * w / (4 * h)) h = (int)fmax(ceil(2 * w / aspect / 4), job->mesh->dim == 1 ? 1 : 3);
  else w = (int)fmax(ceil(4 * h * aspect / 2), 4);
  Sheet sheet;
  Dots dots;
  int tall = top + (h > groups.nrows ? h : groups.nrows) + 3;
  if (!dots_open(&dots, w, h) || !sheet_open(&sheet, left + w + names, tall, request->colour)) {
    dots_close(&dots);
    plot_groups_free(&groups);
    return plot_memory(job);
  }
  PlotAxis x = {0}, y = {0};
  if (job->mesh->dim == 1) {
    const Mesh *mesh = job->mesh;
    x = (PlotAxis){.v0 = mesh->lo[0] / job->length_scale, .v1 = mesh->hi[0] / job->length_scale, .p0 = 0, .p1 = 2 * w - 1};
    ticks_linear(&x.ticks, x.v0, x.v1, w / 10 > 2 ? w / 10 : 2);
    ticks_title(&x.ticks, "x", request->length_unit, &x.title);
    y = (PlotAxis){.v0 = 0, .v1 = 1};
    for (int v = 0; v < mesh->nverts; v++) {
      double at_x = axis_pixel(&x, mesh->x[v] / job->length_scale);
      dot_line(&dots, at_x, 0, at_x, 3, -1);
    }
    dot_line(&dots, 0, 2, 2 * w, 2, -1);
  } else {
    MeshDots user = {&dots, scene, &groups};
    scene_fit(scene, 0, 0, 2 * w - 1, 4 * h - 1, false);
    double cell_dots = scene->mesh->h_max * hypot(scene->view.m[0][0], scene->view.m[0][1]);
    if (cell_dots > 3) scene_triangles(scene, dot_edges, &user);      /* finer cells would fill the picture: the outline alone */
    scene_outline(scene, dot_outline, &user);
    if (scene->flat) {
      PlotPage page = {.w = 2 * w, .h = 4 * h, .font = {.tick = 3.2}};
      plot_flat_axes(job, &page, &x, &y);
    }
  }
  put_dots(&sheet, &dots, left, top);
  write_title(job, &sheet);
  if (scene->flat || job->mesh->dim == 1) {
    x.p0 = left; x.p1 = left + w - 0.5;
    y.p0 = top + h - 0.5; y.p1 = top;
    write_axes(&sheet, left, top, w, h, &x, &y);
    write_titles_of_axes(&sheet, left, w, top + h + 2, &x, &y);
  }
  for (int k = 0; k < groups.nrows; k++) {
    if (k < groups.owners) write_text(&sheet, left + w + 2, top + k, "━━", bright(k));
    write_text(&sheet, left + w + 5, top + k, groups.rows[k].text, -1);
  }
  buf_free(&x.title);
  buf_free(&y.title);
  dots_close(&dots);
  plot_groups_free(&groups);
  print_sheet(&sheet, request->out);
  return 0;
}

Status plot_terminal(PlotJob *job) {
  if (job->request->kind == PLOT_MESH) return terminal_mesh(job);
  return job->request->kind == PLOT_LINES || job->mesh->dim == 1 ? terminal_lines(job) : terminal_field(job);
}
