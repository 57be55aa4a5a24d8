#include "chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"

enum { WIDTH = 640, HEIGHT = 360, LEFT = 70, RIGHT = 14, TOP = 28, BOTTOM = 48, SERIES_MOST = 6, TICKS_MOST = 12, BINS = 24 };

/* --- scales: value to 0..1 --- */

typedef struct Axis {
  double lo, hi;
  bool log;
  double tick[TICKS_MOST];
  int nticks;
} Axis;

static bool usable(const Axis *a, double x) { return fabs(x) < 1e300 && (!a->log || x > 0); }

static double place(const Axis *a, double x) {
  if (a->log) return (log10(x) - log10(a->lo)) / (log10(a->hi) - log10(a->lo));
  return (x - a->lo) / (a->hi - a->lo);
}

static void widen(Axis *a) {
  if (!(a->lo <= a->hi)) a->lo = a->log ? 0.1 : 0, a->hi = 1;
  if (a->log) {
    double margin = a->hi > a->lo ? pow(a->hi / a->lo, 0.04) : 2;
    a->lo /= margin;
    a->hi *= margin;
    return;
  }
  double margin = a->hi > a->lo ? 0.04 * (a->hi - a->lo) : a->lo ? 0.1 * fabs(a->lo) : 1;
  a->lo -= margin;
  a->hi += margin;
}

static void add_tick(Axis *a, double x) {
  if (x >= a->lo && x <= a->hi && a->nticks < TICKS_MOST) a->tick[a->nticks++] = x;
}

/* Decades; where there are few of them, also 2 and 5, or steps as on a linear axis. */
static bool log_ticks(Axis *a, int wanted) {
  double decades = log10(a->hi / a->lo);
  if (decades < 0.7) return false;
  int from = (int)floor(log10(a->lo)), to = (int)ceil(log10(a->hi)), by = (to - from) / (wanted + 1) + 1;
  for (int k = from; k <= to; k += by) {
    add_tick(a, pow(10, k));
    if (decades < wanted / 2.5) add_tick(a, 2 * pow(10, k)), add_tick(a, 5 * pow(10, k));
  }
  return true;
}

/* Steps of 1, 2 or 5 times a power of ten. */
static void set_ticks(Axis *a, int wanted) {
  a->nticks = 0;
  if (a->log && log_ticks(a, wanted)) return;
  double raw = (a->hi - a->lo) / wanted, power = pow(10, floor(log10(raw))), step = raw / power > 5 ? 10 * power : raw / power > 2 ? 5 * power : raw / power > 1 ? 2 * power : power;
  for (double k = ceil(a->lo / step); k * step <= a->hi && a->nticks < TICKS_MOST; k++) a->tick[a->nticks++] = k * step;
}

static void tick_text(Buf *out, double x) {
  char text[32];
  snprintf(text, sizeof text, "%.4g", fabs(x) < 1e-300 ? 0 : x);
  for (char *s = text; *s; s++)
    if (*s == ',') *s = '.';
  buf_puts(out, text);
}

/* --- what is drawn --- */

typedef struct Chart {
  const ProjectedBlock *b;
  Axis x, y;
  int nseries;
  double bins[BINS];       /* of a histogram */
} Chart;

static double at(const ProjectedBlock *b, int r, int c) {
  const Cell *cell = store_cell(&b->rows, r, c);
  return cell->kind == CELL_NUMBER ? render_number(&b->columns[c], cell) : NAN;
}

static void extend(Axis *a, double x) {
  if (!usable(a, x)) return;
  a->lo = fmin(a->lo, x);
  a->hi = fmax(a->hi, x);
}

static void histogram(Chart *chart) {
  const ProjectedBlock *b = chart->b;
  for (int r = 0; r < b->rows.nrows; r++) {
    double x = at(b, r, 0);
    if (!usable(&chart->x, x)) continue;
    int k = (int)(place(&chart->x, x) * BINS);
    chart->bins[k < 0 ? 0 : k >= BINS ? BINS - 1 : k]++;
  }
  chart->y.lo = 0;
  for (int k = 0; k < BINS; k++) chart->y.hi = fmax(chart->y.hi, chart->bins[k]);
  chart->y.hi = chart->y.hi > 0 ? 1.05 * chart->y.hi : 1;
}

static void chart_open(const ProjectedBlock *b, Chart *chart, int xticks, int yticks) {
  *chart = (Chart){.b = b, .x = {INFINITY, -INFINITY, b->logx, {0}, 0}, .y = {INFINITY, -INFINITY, b->logy && !b->histogram, {0}, 0}};
  chart->nseries = b->histogram ? 1 : b->ncolumns - 1 < SERIES_MOST ? b->ncolumns - 1 : SERIES_MOST;
  for (int r = 0; r < b->rows.nrows; r++) {
    extend(&chart->x, at(b, r, 0));
    for (int s = 1; s <= chart->nseries && !b->histogram; s++)
      if (usable(&chart->x, at(b, r, 0))) extend(&chart->y, at(b, r, s));
  }
  widen(&chart->x);
  if (b->histogram) chart->y.lo = 0, chart->y.hi = 0, histogram(chart);
  else widen(&chart->y);
  set_ticks(&chart->x, xticks);
  set_ticks(&chart->y, yticks);
}

/* Up to which a check passes. */
static bool has_limit(const ProjectedColumn *c) { return !strcmp(c->name, "ratio") || !strcmp(c->name, "viol_max"); }

/* Rows that no other is lower than in one coordinate and not higher in the other, by x. */
static int front(const ProjectedBlock *b, int **out) {
  int *order = *out = malloc((size_t)(b->rows.nrows + 1) * sizeof *order), n = 0;
  for (int r = 0; r < b->rows.nrows; r++)
    if (isfinite(at(b, r, 0)) && isfinite(at(b, r, 1))) order[n++] = r;
  for (int gap = n / 2; gap > 0; gap /= 2)      /* Shell: no context is needed for the comparison */
    for (int i = gap; i < n; i++)
      for (int k = i; k >= gap; k -= gap) {
        int p = order[k - gap], q = order[k];
        bool after = at(b, p, 0) > at(b, q, 0) || (at(b, p, 0) == at(b, q, 0) && at(b, p, 1) > at(b, q, 1));
        if (!after) break;
        order[k - gap] = q;
        order[k] = p;
      }
  int kept = 0;
  double best = INFINITY;
  for (int i = 0; i < n; i++)
    if (at(b, order[i], 1) < best) best = at(b, order[i], 1), order[kept++] = order[i];
  return kept;
}

/* Zero on a logarithmic axis, and what is not finite: said, not lost. */
void chart_note(Buf *out, const ProjectedBlock *b) {
  Axis x = {.log = b->logx}, y = {.log = b->logy};
  int lost = 0;
  for (int r = 0; r < b->rows.nrows; r++)
    for (int c = b->histogram ? 0 : 1; c < b->ncolumns; c++) {
      bool there = store_cell(&b->rows, r, 0)->kind == CELL_NUMBER && store_cell(&b->rows, r, c)->kind == CELL_NUMBER;
      lost += there && !(usable(&x, at(b, r, 0)) && (b->histogram || usable(&y, at(b, r, c))));
    }
  if (!b->rows.nrows) buf_puts(out, "no rows");
  else if (lost) buf_printf(out, lost == 1 ? "%d point has no place on these axes: %s" : "%d points have no place on these axes: %s", lost, b->logx || b->logy ? "not above zero, or not finite" : "not finite");
}

/* --- SVG --- */

static double px(const Chart *c, double x) { return LEFT + place(&c->x, x) * (WIDTH - LEFT - RIGHT); }
static double py(const Chart *c, double y) { return HEIGHT - BOTTOM - place(&c->y, y) * (HEIGHT - TOP - BOTTOM); }

static void escaped(Buf *out, const char *s) {
  bool valid;
  for (int n; *s; s += n) {
    n = text_next(s, &valid);
    if (!valid) buf_puts(out, "\xEF\xBF\xBD");
    else if (*s == '&') buf_puts(out, "&amp;");
    else if (*s == '<') buf_puts(out, "&lt;");
    else if (*s == '>') buf_puts(out, "&gt;");
    else if (*s == '"') buf_puts(out, "&quot;");
    else buf_add(out, s, (size_t)n);
  }
}

static void svg_axes(Buf *out, const Chart *c) {
  for (int k = 0; k < c->x.nticks; k++) {
    double x = px(c, c->x.tick[k]);
    buf_printf(out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x, TOP, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 17);
    tick_text(out, c->x.tick[k]);
    buf_puts(out, "</text>");
  }
  for (int k = 0; k < c->y.nticks; k++) {
    double y = py(c, c->y.tick[k]);
    buf_printf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4);
    tick_text(out, c->y.tick[k]);
    buf_puts(out, "</text>");
  }
  buf_printf(out, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
}

static void label(Buf *text, const ProjectedColumn *c) { render_head(text, c); }

static void svg_labels(Buf *out, const Chart *c) {
  const ProjectedBlock *b = c->b;
  Buf x = {0}, y = {0};
  label(&x, &b->columns[0]);
  if (b->histogram) buf_puts(&y, "count");
  else if (c->nseries == 1) label(&y, &b->columns[1]);
  buf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
  escaped(out, buf_str(&x));
  buf_printf(out, "</text><text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">", (TOP + HEIGHT - BOTTOM) / 2);
  escaped(out, buf_str(&y));
  buf_puts(out, "</text>");
  for (int s = 0, at = LEFT; s < c->nseries && c->nseries > 1; s++) {      /* the key, above what it explains */
    buf_printf(out, "<g class=\"s%d\"><rect x=\"%d\" y=\"%d\" width=\"14\" height=\"3\"/></g><text x=\"%d\" y=\"%d\">", s, at, TOP - 17, at + 20, TOP - 12);
    escaped(out, b->columns[s + 1].name);
    buf_puts(out, "</text>");
    at += 44 + 9 * (int)strlen(b->columns[s + 1].name);
  }
  buf_free(&x);
  buf_free(&y);
}

static void svg_curve(Buf *out, const Chart *c, int s) {
  const ProjectedBlock *b = c->b;
  bool pen = false;
  buf_puts(out, "<path class=\"curve\" d=\"");
  for (int r = 0; r < b->rows.nrows; r++) {
    double x = at(b, r, 0), y = at(b, r, s);
    bool there = usable(&c->x, x) && usable(&c->y, y);
    if (there) buf_printf(out, "%s%.1f %.1f", pen ? "L" : "M", px(c, x), py(c, y));
    pen = there;
  }
  buf_puts(out, "\"/>");
}

/* One dot where several fall on the same pixel. */
static void svg_dots(Buf *out, const Chart *c, int s) {
  const ProjectedBlock *b = c->b;
  bool *seen = calloc(WIDTH * HEIGHT, sizeof *seen);
  for (int r = 0; r < b->rows.nrows; r++) {
    double x = at(b, r, 0), y = at(b, r, s);
    if (!usable(&c->x, x) || !usable(&c->y, y)) continue;
    double i = px(c, x), k = py(c, y);
    bool *cell = &seen[(int)k * WIDTH + (int)i];
    if (!*cell) buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", i, k);
    *cell = true;
  }
  free(seen);
}

static void svg_front(Buf *out, const Chart *c) {
  int *rows, n = front(c->b, &rows);
  buf_puts(out, "<g class=\"front\"><path class=\"curve\" d=\"");
  for (int i = 0; i < n; i++) {
    double x = at(c->b, rows[i], 0), y = at(c->b, rows[i], 1);
    if (!usable(&c->x, x) || !usable(&c->y, y)) continue;
    if (i) buf_printf(out, "H%.1fV%.1f", px(c, x), py(c, y));
    else buf_printf(out, "M%.1f %.1f", px(c, x), py(c, y));
  }
  buf_puts(out, "\"/></g>");
  free(rows);
}

static void svg_limit(Buf *out, const Chart *c) {
  const ProjectedBlock *b = c->b;
  if (has_limit(&b->columns[0]) && 1 >= c->x.lo && 1 <= c->x.hi) buf_printf(out, "<line class=\"limit\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", px(c, 1), TOP, px(c, 1), HEIGHT - BOTTOM);
  if (!b->histogram && has_limit(&b->columns[1]) && 1 >= c->y.lo && 1 <= c->y.hi) buf_printf(out, "<line class=\"limit\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, py(c, 1), WIDTH - RIGHT, py(c, 1));
}

static void svg_bars(Buf *out, const Chart *c) {
  double width = (double)(WIDTH - LEFT - RIGHT) / BINS;
  buf_puts(out, "<g class=\"s0\">");
  for (int k = 0; k < BINS; k++)
    if (c->bins[k] > 0) buf_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", LEFT + k * width + 0.5, py(c, c->bins[k]), width - 1, HEIGHT - BOTTOM - py(c, c->bins[k]));
  buf_puts(out, "</g>");
}

void chart_svg(Buf *out, const ProjectedBlock *b) {
  Chart c;
  chart_open(b, &c, 6, 5);
  buf_printf(out, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
  escaped(out, b->title ? b->title : "plot");
  buf_puts(out, "\">");
  svg_axes(out, &c);
  svg_limit(out, &c);
  if (b->histogram) svg_bars(out, &c);
  for (int s = 0; s < c.nseries && !b->histogram; s++) {
    buf_printf(out, "<g class=\"s%d\">", s);
    if (b->lines) svg_curve(out, &c, s + 1);
    if (!b->lines || b->rows.nrows <= 60) svg_dots(out, &c, s + 1);
    buf_puts(out, "</g>");
  }
  if (b->front) svg_front(out, &c);
  svg_labels(out, &c);
  buf_puts(out, "</svg>");
}

/* --- text --- */

static void text_points(const Chart *c, char *cells, int columns, int rows) {
  const ProjectedBlock *b = c->b;
  static const char marks[SERIES_MOST] = {'*', '+', 'x', 'o', '#', '@'};
  for (int s = c->nseries; s >= 1 && !b->histogram; s--)
    for (int r = 0; r < b->rows.nrows; r++) {
      double x = at(b, r, 0), y = at(b, r, s);
      if (!usable(&c->x, x) || !usable(&c->y, y)) continue;
      int i = (int)(place(&c->x, x) * (columns - 1) + 0.5), k = (int)((1 - place(&c->y, y)) * (rows - 1) + 0.5);
      cells[k * columns + i] = marks[s - 1];
    }
  for (int i = 0; i < columns && b->histogram; i++) {
    double top = place(&c->y, c->bins[i * BINS / columns]) * rows;
    for (int k = 0; k < rows; k++)
      if (rows - k <= top + 0.5 && c->bins[i * BINS / columns] > 0) cells[k * columns + i] = '#';
  }
}

void chart_text(Buf *out, const ProjectedBlock *b, int columns, int rows) {
  Chart c;
  columns = columns < 40 ? 28 : columns > 90 ? 78 : columns - 12;
  chart_open(b, &c, columns / 14, rows / 3);
  char *cells = malloc((size_t)(columns * rows));
  memset(cells, ' ', (size_t)(columns * rows));
  text_points(&c, cells, columns, rows);
  for (int k = 0; k < rows; k++) {
    Buf tick = {0};
    for (int t = 0; t < c.y.nticks; t++)
      if ((int)((1 - place(&c.y, c.y.tick[t])) * (rows - 1) + 0.5) == k && !tick.len) tick_text(&tick, c.y.tick[t]);
    int n = columns;
    while (n && cells[k * columns + n - 1] == ' ') n--;
    buf_printf(out, "%10s |%.*s\n", buf_str(&tick), n, cells + k * columns);
    buf_free(&tick);
  }
  buf_printf(out, "%10s +", "");
  for (int i = 0; i < columns; i++) buf_putc(out, '-');
  buf_putc(out, '\n');
  Buf line = {0};
  for (int t = 0; t < c.x.nticks; t++) {
    int i = 12 + (int)(place(&c.x, c.x.tick[t]) * (columns - 1) + 0.5);
    while ((int)line.len < i - 1) buf_putc(&line, ' ');
    tick_text(&line, c.x.tick[t]);
    buf_putc(&line, ' ');
  }
  buf_printf(out, "%s\n", buf_str(&line));
  buf_free(&line);
  free(cells);
}
