/* Curves: series with markers and a legend, linear or logarithmic, observed orders of convergence, and fields over intervals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_job.h"
#include "plot_curves.h"

enum { PIECES = 16, MARKED = 40 };

/* ---- curves from a request ---- */

static void take(PlotCurves *curves, double x, double y) {
  curves->x[curves->n] = x;
  curves->y[curves->n++] = y;
}

static Status curves_of_series(PlotJob *job, PlotCurves *out) {
  const PlotRequest *request = job->request;
  size_t total = 0;
  for (int k = 0; k < request->nseries; k++) total += (size_t)request->series[k].n;
  out->start = malloc(sizeof(int) * ((size_t)request->nseries + 1));
  out->x = malloc(sizeof(double) * (total + 1));
  out->y = malloc(sizeof(double) * (total + 1));
  if (!out->start || !out->x || !out->y) return plot_memory(job);
  for (int k = 0; k < request->nseries; k++) {
    const PlotSeries *s = &request->series[k];
    out->start[k] = out->n;
    for (int i = 0; i < s->n; i++) {
      double x = s->x[i], y = s->y[i] / job->unit_scale;
      const char *name = s->label ? s->label : "the series";
      if (!isfinite(x) || !isfinite(y)) {
        diag_report(job->diags, E2511, job->span, "point %d of %s is not finite, so it is not drawn", i + 1, name);
        return 1;
      }
      if ((request->logx && x <= 0) || (request->logy && y <= 0)) {
        Buf value = {0};
        ticks_number(&value, request->logx && x <= 0 ? x : y, 4);
        Diag *d = diag_report(job->diags, E2513, job->span, "point %d of %s has %s %s on a logarithmic axis", i + 1, name,
                              request->logx && x <= 0 ? "x =" : "y =", buf_str(&value));
        diag_suggest(d, "leave the point out, or use a linear axis");
        buf_free(&value);
        return 1;
      }
      take(out, x, y);
    }
  }
  out->start[request->nseries] = out->n;
  out->ncurves = request->nseries;
  return 0;
}

static int by_place(const void *a, const void *b) {
  const double *p = a, *q = b;
  return p[0] < q[0] ? -1 : p[0] > q[0];
}

/* A field over an interval, a curve for each component. Cells are taken from left to right and each is subdivided; where the field jumps the
 * curve has a vertical step. */
static Status curves_of_field(PlotJob *job, PlotCurves *out) {
  const Mesh *mesh = job->mesh;
  int pieces = job->field->element->degree > 1 ? PIECES : 1, nc = job->field->ncomp;
  size_t per = (size_t)mesh->ncells * (size_t)(pieces + 1);
  double (*place)[2] = malloc(sizeof *place * (size_t)mesh->ncells);
  out->start = malloc(sizeof(int) * ((size_t)nc + 1));
  out->x = malloc(sizeof(double) * per * (size_t)nc);
  out->y = malloc(sizeof(double) * per * (size_t)nc);
  if (!place || !out->start || !out->x || !out->y) { free(place); return plot_memory(job); }
  for (int e = 0; e < mesh->ncells; e++) {
    place[e][0] = mesh->x[mesh->cell[2 * e]] + mesh->x[mesh->cell[2 * e + 1]];
    place[e][1] = e;
  }
  qsort(place, (size_t)mesh->ncells, sizeof *place, by_place);
  for (int c = 0; c < nc; c++) {
    out->start[c] = out->n;
    for (int k = 0; k < mesh->ncells; k++) {
      int e = (int)place[k][1];
      double a = mesh->x[mesh->cell[2 * e]], b = mesh->x[mesh->cell[2 * e + 1]], points[PIECES + 1], basis[(PIECES + 1) * 20], v[(PIECES + 1) * 9];
      for (int i = 0; i <= pieces; i++) points[i] = a < b ? (double)i / pieces : 1 - (double)i / pieces;
      nodal_at(job->field, 1, e, pieces + 1, points, basis, v);
      for (int i = 0; i <= pieces; i++) take(out, (a + points[i] * (b - a)) / job->length_scale, v[i * nc + c] / job->unit_scale);
    }
  }
  out->start[nc] = out->n;
  out->ncurves = nc;
  free(place);
  return 0;
}

Status plot_curves(PlotJob *job, PlotCurves *out) {
  *out = (PlotCurves){0};
  Status status = job->request->kind == PLOT_LINES ? curves_of_series(job, out) : curves_of_field(job, out);
  if (!status && !out->n) {
    diag_report(job->diags, E2512, job->span, "there is no point to draw");
    status = 1;
  }
  if (status) plot_curves_free(out);
  return status;
}

void plot_curves_free(PlotCurves *curves) {
  free(curves->start);
  free(curves->x);
  free(curves->y);
  *curves = (PlotCurves){0};
}

/* ---- ranges ---- */

void plot_curves_range(const double *values, int n, bool log, double lo, double hi, double air, double *v0, double *v1) {
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < n; i++) { least = fmin(least, values[i]); most = fmax(most, values[i]); }
  if (log) {
    double factor = least < most ? pow(most / least, air) : 3;
    *v0 = least / factor;
    *v1 = most * factor;
  } else {
    double size = fmax(fabs(least), fabs(most));
    if (most - least <= 1e-12 * size || most == least) {     /* constant: a band around it, so the axis has round numbers */
      double half = size > 0 ? 0.5 * size : 1;
      least -= half;
      most += half;
    }
    *v0 = least - air * (most - least);
    *v1 = most + air * (most - least);
  }
  if (isfinite(lo) && (!log || lo > 0)) *v0 = lo;
  if (isfinite(hi) && (!log || hi > 0)) *v1 = hi;
  if (!(*v1 > *v0)) *v1 = *v0 + 1;
}

static void lines_axes(const PlotJob *job, const PlotCurves *curves, PlotAxis *x, PlotAxis *y) {
  const PlotRequest *request = job->request;
  *x = *y = (PlotAxis){0};
  bool field = request->kind != PLOT_LINES;
  plot_curves_range(curves->x, curves->n, request->logx, NAN, NAN, request->logx ? 0.07 : field ? 0.0 : 0.03, &x->v0, &x->v1);
  plot_curves_range(curves->y, curves->n, request->logy, request->lo / job->unit_scale, request->hi / job->unit_scale, 0.06, &y->v0, &y->v1);
}

static void lines_ticks(const PlotJob *job, PlotAxis *x, PlotAxis *y, double w, double h, PlotFont font) {
  const PlotRequest *request = job->request;
  bool field = request->kind != PLOT_LINES;
  int nx = (int)fmax(w / (5.5 * font.tick), 2), ny = (int)fmax(h / (3.2 * font.tick), 2);
  if (request->logx) ticks_log(&x->ticks, x->v0, x->v1, nx); else ticks_linear(&x->ticks, x->v0, x->v1, nx);
  if (request->logy) ticks_log(&y->ticks, y->v0, y->v1, ny); else ticks_linear(&y->ticks, y->v0, y->v1, ny);
  x->title = y->title = (Buf){0};
  ticks_title(&x->ticks, field ? "x" : request->xlabel, field ? request->length_unit : NULL, &x->title);
  ticks_title(&y->ticks, request->ylabel ? request->ylabel : field ? buf_str(&job->label) : NULL, request->unit, &y->title);
}

/* ---- legend ---- */

/* The corner with the fewest points of curves under the legend. */
static void place_legend(const PlotCurves *curves, const PlotAxis *x, const PlotAxis *y, double w, double h, double *lx, double *ly) {
  int best = -1, fewest = 0;
  for (int corner = 0; corner < 4; corner++) {
    double cx = corner & 1 ? x->p0 + 10 : x->p1 - w - 10, cy = corner & 2 ? y->p0 - h - 10 : y->p1 + 10;
    int hit = 0;
    for (int k = 0; k < curves->ncurves; k++)
      for (int i = curves->start[k]; i + 1 < curves->start[k + 1]; i++)
        for (int s = 0; s <= 8; s++) {
          double px = axis_pixel(x, curves->x[i]), py = axis_pixel(y, curves->y[i]);
          px += s / 8.0 * (axis_pixel(x, curves->x[i + 1]) - px);
          py += s / 8.0 * (axis_pixel(y, curves->y[i + 1]) - py);
          if (px > cx - 8 && px < cx + w + 8 && py > cy - 8 && py < cy + h + 8) hit++;
        }
    if (best < 0 || hit < fewest) { best = corner; fewest = hit; *lx = cx; *ly = cy; }
  }
}

/* ---- observed orders ---- */

/* Slope between the last two points (towards small x) of a straight log-log series, rounded to halves; 0: not a convergence curve. */
static double observed_order(const PlotCurves *c, int k, int *a, int *b) {
  int i0 = c->start[k], n = c->start[k + 1] - i0;
  if (n < 2 || n > 12) return 0;
  *a = i0 + n - 2;
  *b = i0 + n - 1;
  if (c->x[i0] < c->x[*b]) { *a = i0; *b = i0 + 1; }
  double slope = log(c->y[*b] / c->y[*a]) / log(c->x[*b] / c->x[*a]), rounded = round(2 * slope) / 2;
  if (n > 2) {      /* the segment before must agree, or it is no straight line yet */
    int p = *a == i0 ? *b : *a - 1, q = *a == i0 ? *b + 1 : *a;
    double before = log(c->y[q] / c->y[p]) / log(c->x[q] / c->x[p]);
    if (fabs(before - slope) > 0.4) return 0;
  }
  return rounded > 0 && fabs(slope - rounded) < 0.2 ? rounded : 0;
}

/* A right triangle below the segment, with 1 and the order on its legs. */
static void draw_slopes(Canvas *canvas, const PlotCurves *c, const PlotAxis *x, const PlotAxis *y, PlotFont font) {
  for (int k = 0; k < c->ncurves; k++) {
    int a, b;
    double order = observed_order(c, k, &a, &b);
    if (order == 0) continue;
    double xa = axis_pixel(x, c->x[a]), xb = axis_pixel(x, c->x[b]), ya = axis_pixel(y, c->y[a]);
    double decade_x = (x->p1 - x->p0) / log(x->v1 / x->v0), decade_y = (y->p0 - y->p1) / log(y->v1 / y->v0);
    double width = fmin(0.5 * fabs(xb - xa), 90), left = fmin(xa, xb) + 0.5 * (fabs(xb - xa) - width), right = left + width;
    double slope = order * decade_y / decade_x;                                   /* pixels up per pixel right */
    double on_right = ya - (right - xa) * slope + 0.9 * font.tick, on_left = on_right + width * slope;
    if (on_left > y->p0 - 4) continue;
    canvas_move(canvas, left, on_left);
    canvas_line(canvas, right, on_left);
    canvas_line(canvas, right, on_right);
    canvas_close(canvas);
    canvas_paint(canvas, 0x888888, 0.18);
    canvas_fill(canvas, true);
    canvas_paint(canvas, 0x555555, 1);
    canvas_pen(canvas, 1, 0);
    canvas_stroke(canvas);
    Buf text = {0};
    ticks_number(&text, order, 2);
    canvas_text(canvas, right + 5, (on_left + on_right) / 2, buf_str(&text), 0.9 * font.tick, false, 0, 0.5, 0);
    if (on_left + 1.1 * font.tick < y->p0) canvas_text(canvas, (left + right) / 2, on_left + 4, "1", 0.9 * font.tick, false, 0.5, 0, 0);
    buf_free(&text);
  }
}

static const char *const component_names[] = {"x", "y", "z"};

Status plot_lines_picture(PlotJob *job) {
  const PlotRequest *request = job->request;
  PlotCurves curves;
  TRY(plot_curves(job, &curves));
  PlotAxis x, y;
  lines_axes(job, &curves, &x, &y);
  int width = request->width > 0 ? request->width : 1000;
  PlotFont font = plot_font(width);
  lines_ticks(job, &x, &y, 0.85 * width, 0.5 * width, font);
  Canvas *ruler = canvas_open(CANVAS_PNG, 1, 1);
  double left = ruler ? axis_room(ruler, &y, font, true) + 6 : 80, bottom = ruler ? axis_room(ruler, &x, font, false) + 6 : 60;
  if (ruler) canvas_discard(ruler);
  buf_free(&x.title);
  buf_free(&y.title);
  PlotPage page;
  plot_size_page(job, 0, left, 1.6 * font.tick, bottom, &page);
  if (plot_open_page(job, &page)) { plot_curves_free(&curves); return 1; }
  x.p0 = page.x; x.p1 = page.x + page.w;
  y.p0 = page.y + page.h; y.p1 = page.y;
  lines_ticks(job, &x, &y, page.w, page.h, font);
  axes_draw(page.canvas, &x, &y, page.font, true);
  canvas_clip(page.canvas, page.x - 6, page.y - 6, page.w + 12, page.h + 12);
  if (request->logx && request->logy) draw_slopes(page.canvas, &curves, &x, &y, page.font);
  LegendRow rows[64];
  Buf texts[64] = {{0}};
  int nrows = 0;
  for (int k = 0; k < curves.ncurves; k++) {
    uint32_t rgb = colormap_category(k);
    int n = curves.start[k + 1] - curves.start[k], marker = request->kind == PLOT_LINES && n <= MARKED ? k : -1;
    canvas_paint(page.canvas, rgb, 1);
    canvas_pen(page.canvas, 2.2 * font.tick / 15, 0);
    for (int i = curves.start[k]; i < curves.start[k + 1]; i++) {
      double px = axis_pixel(&x, curves.x[i]), py = axis_pixel(&y, curves.y[i]);
      if (i == curves.start[k]) canvas_move(page.canvas, px, py); else canvas_line(page.canvas, px, py);
    }
    canvas_stroke(page.canvas);
    for (int i = curves.start[k]; marker >= 0 && i < curves.start[k + 1]; i++)
      marker_draw(page.canvas, marker, axis_pixel(&x, curves.x[i]), axis_pixel(&y, curves.y[i]), 0.3 * font.tick, rgb);
    if (nrows == 64) continue;
    bool named = request->kind == PLOT_LINES ? request->series[k].label != NULL : curves.ncurves > 1;
    if (!named) continue;
    if (request->kind == PLOT_LINES) buf_puts(&texts[nrows], request->series[k].label);
    else buf_printf(&texts[nrows], "%s", k < 3 ? component_names[k] : "");
    rows[nrows] = (LegendRow){buf_str(&texts[nrows]), rgb, marker, true};
    nrows++;
  }
  canvas_unclip(page.canvas);
  /* one curve whose name the axis or title says needs no legend */
  if (nrows > 1 || (nrows == 1 && !request->ylabel)) {
    double w, h, lx = 0, ly = 0;
    legend_size(page.canvas, rows, nrows, page.font, &w, &h);
    place_legend(&curves, &x, &y, w, h, &lx, &ly);
    legend_draw(page.canvas, rows, nrows, lx, ly, page.font, true);
  }
  for (int k = 0; k < nrows; k++) buf_free(&texts[k]);
  buf_free(&x.title);
  buf_free(&y.title);
  plot_curves_free(&curves);
  return canvas_save(page.canvas, request->path, job->diags, job->span);
}
