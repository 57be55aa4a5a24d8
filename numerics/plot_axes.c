#include "plot_axes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

/* printf's text with our decimal point and a true minus. */
static void put_fixed(Buf *out, double value, int decimals) {
  char text[64];
  snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
  bool zero = strspn(text, "0.,") == strlen(text);
  if (value < 0 && !zero) buf_puts(out, "\u2212");
  for (char *p = text; *p; p++)
    if ((*p < '0' || *p > '9')) *p = '.';
  buf_puts(out, text);
}

void ticks_superscript(Buf *out, int number) {
  static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char text[16];
  snprintf(text, sizeof text, "%d", abs(number));
  if (number < 0) buf_puts(out, "⁻");
  for (char *p = text; *p; p++) buf_puts(out, digit[*p - '0']);
}

void ticks_number(Buf *out, double value, int digits) {
  if (value == 0) { buf_puts(out, "0"); return; }
  char text[40];
  snprintf(text, sizeof text, "%.*e", digits - 1, value);
  int exponent = atoi(strchr(text, 'e') + 1);
  bool scientific = exponent < -3 || exponent > 5;
  double mantissa = scientific ? value / pow(10, exponent) : value;
  int decimals = scientific ? digits - 1 : digits - 1 - exponent;
  Buf number = {0};
  put_fixed(&number, mantissa, decimals < 0 ? 0 : decimals);
  if (strchr(buf_str(&number), '.')) {
    while (number.text[number.len - 1] == '0') number.text[--number.len] = 0;
    if (number.text[number.len - 1] == '.') number.text[--number.len] = 0;
  }
  buf_puts(out, buf_str(&number));
  buf_free(&number);
  if (scientific) {
    buf_puts(out, "×10");
    ticks_superscript(out, exponent);
  }
}

/* ---- ticks ---- */

static double round_step(double span, int most) {
  double raw = span / (most < 1 ? 1 : most), power = pow(10, floor(log10(raw))), ratio = raw / power;
  return power * (ratio <= 1 + 1e-9 ? 1 : ratio <= 2 + 1e-9 ? 2 : ratio <= 5 + 1e-9 ? 5 : 10);
}

void ticks_linear(Ticks *ticks, double lo, double hi, int most) {
  *ticks = (Ticks){0};
  double span = hi - lo, size = fmax(fabs(lo), fabs(hi));
  if (!(span > 1e-13 * size)) {      /* one value */
    ticks->n = 1;
    ticks->value[0] = lo;
    ticks->decimals = -1;
    return;
  }
  double step = round_step(span, most);
  double first = ceil(lo / step - 1e-9);
  for (int k = 0; k < 40; k++) {
    double value = (first + k) * step;
    if (value > hi + 1e-9 * step) break;
    ticks->value[ticks->n++] = fabs(value) < 1e-9 * step ? 0 : value;
  }
  int power = (int)floor(log10(size) + 1e-9);
  if (power >= 5 || power < -3) ticks->exponent = power;
  int digits = (int)ceil(ticks->exponent - log10(step) - 1e-9);
  ticks->decimals = digits < 0 ? 0 : digits;
}

void ticks_log(Ticks *ticks, double lo, double hi, int most) {
  *ticks = (Ticks){.log = true};
  int from = (int)floor(log10(lo) + 1e-9), to = (int)ceil(log10(hi) - 1e-9);
  int stride = (to - from) / (most < 1 ? 1 : most) + 1;
  bool few = to - from <= 2;        /* within two decades 2 and 5 get numbers too */
  ticks->exponent = from < -2 || to > 3;      /* all numbers as powers of ten, or none */
  for (int p = from; p <= to && ticks->n < 36; p++)
    for (int m = 1; m < 10 && ticks->n < 40; m++) {
      if (m > 1 && (to - from > 3 || stride > 1) && !few) continue;
      double value = m * pow(10, p);
      if (value < lo * (1 - 1e-9) || value > hi * (1 + 1e-9)) continue;
      bool numbered = m == 1 ? (p - from) % stride == 0 : few && (m == 2 || m == 5);
      ticks->minor[ticks->n] = !numbered;
      ticks->value[ticks->n++] = value;
    }
}

void ticks_label(const Ticks *ticks, int k, Buf *out) {
  double value = ticks->value[k];
  if (ticks->minor[k]) return;
  if (ticks->log) {
    int power = (int)floor(log10(value) + 1e-9);
    double mantissa = value / pow(10, power);
    if (!ticks->exponent) { put_fixed(out, value, power < 0 ? -power : 0); return; }
    if (mantissa > 1.5) buf_printf(out, "%.0f×", mantissa);
    buf_puts(out, "10");
    ticks_superscript(out, power);
  } else if (ticks->decimals < 0) ticks_number(out, value, 6);
  else put_fixed(out, value / pow(10, ticks->exponent), ticks->decimals);
}

void ticks_title(const Ticks *ticks, const char *label, const char *unit, Buf *out) {
  bool factor = ticks->exponent && !ticks->log && ticks->decimals >= 0, units = unit && *unit;
  if (label) buf_puts(out, label);
  if (!factor && !units) return;
  if (out->len) buf_puts(out, " ");
  buf_puts(out, "[");
  if (factor) {
    buf_puts(out, "×10");
    ticks_superscript(out, ticks->exponent);
    if (units) buf_puts(out, " ");
  }
  if (units) buf_puts(out, unit);
  buf_puts(out, "]");
}

/* ---- axes ---- */

enum { TICK = 6, GAP = 5 };

PlotFont plot_font(int width) {
  double s = fmin(fmax(width / 1000.0, 0.75), 2.5);
  return (PlotFont){15 * s, 17 * s, 19 * s};
}

double axis_pixel(const PlotAxis *axis, double value) {
  double t = axis->ticks.log ? log(value / axis->v0) / log(axis->v1 / axis->v0) : (value - axis->v0) / (axis->v1 - axis->v0);
  return axis->p0 + t * (axis->p1 - axis->p0);
}

static double widest(Canvas *canvas, const Ticks *ticks, double size) {
  double most = 0;
  for (int k = 0; k < ticks->n; k++) {
    Buf text = {0};
    ticks_label(ticks, k, &text);
    most = fmax(most, canvas_text_width(canvas, buf_str(&text), size, false));
    buf_free(&text);
  }
  return most;
}

double axis_room(Canvas *canvas, const PlotAxis *axis, PlotFont font, bool vertical) {
  double numbers = vertical ? widest(canvas, &axis->ticks, font.tick) : font.tick;
  return TICK + GAP + numbers + (axis->title.len ? 1.3 * font.label + GAP : 0) + GAP;
}

static void draw_ticks(Canvas *canvas, const PlotAxis *axis, PlotFont font, bool vertical, double at) {
  for (int k = 0; k < axis->ticks.n; k++) {
    double p = axis_pixel(axis, axis->ticks.value[k]), length = axis->ticks.minor[k] ? TICK * 0.55 : TICK;
    canvas_paint(canvas, PLOT_INK, 1);
    canvas_pen(canvas, 1, 0);
    canvas_move(canvas, vertical ? at : p, vertical ? p : at);
    canvas_line(canvas, vertical ? at - length : p, vertical ? p : at + length);
    canvas_stroke(canvas);
    Buf text = {0};
    ticks_label(&axis->ticks, k, &text);
    if (vertical) canvas_text(canvas, at - TICK - GAP, p, buf_str(&text), font.tick, false, 1, 0.5, 0);
    else canvas_text(canvas, p, at + TICK + GAP, buf_str(&text), font.tick, false, 0.5, 0, 0);
    buf_free(&text);
  }
}

void axes_draw(Canvas *canvas, const PlotAxis *x, const PlotAxis *y, PlotFont font, bool grid) {
  double left = x->p0, right = x->p1, bottom = y->p0, top = y->p1;
  if (grid) {
    canvas_pen(canvas, 1, 0);
    for (int vertical = 0; vertical < 2; vertical++) {
      const PlotAxis *axis = vertical ? y : x;
      for (int k = 0; k < axis->ticks.n; k++) {
        double p = axis_pixel(axis, axis->ticks.value[k]);
        canvas_paint(canvas, PLOT_FAINT, axis->ticks.minor[k] ? 0.45 : 0.9);
        canvas_move(canvas, vertical ? left : p, vertical ? p : bottom);
        canvas_line(canvas, vertical ? right : p, vertical ? p : top);
        canvas_stroke(canvas);
      }
    }
  }
  canvas_paint(canvas, PLOT_INK, 1);
  canvas_pen(canvas, 1, 0);
  canvas_rect(canvas, left, top, right - left, bottom - top);
  canvas_stroke(canvas);
  draw_ticks(canvas, x, font, false, bottom);
  draw_ticks(canvas, y, font, true, left);
  canvas_paint(canvas, PLOT_INK, 1);
  canvas_text(canvas, (left + right) / 2, bottom + TICK + 2 * GAP + font.tick, buf_str(&x->title), font.label, false, 0.5, 0, 0);
  double room = TICK + 2 * GAP + widest(canvas, &y->ticks, font.tick);
  canvas_text(canvas, left - room - 0.3 * font.label, (top + bottom) / 2, buf_str(&y->title), font.label, false, 0.5, 1, 1);
}

/* ---- colour bar ---- */

double bar_room(Canvas *canvas, const PlotAxis *axis, PlotFont font, double width) {
  return width + TICK + GAP + widest(canvas, &axis->ticks, font.tick) + (axis->title.len ? 1.3 * font.label + 2 * GAP : 0);
}

void bar_draw(Canvas *canvas, const Colormap *map, const PlotAxis *axis, double x, double width, PlotFont font, const double *marks, int nmarks) {
  enum { STEPS = 256 };
  uint32_t column[STEPS];
  double top = axis->p1, bottom = axis->p0;
  for (int i = 0; i < STEPS; i++)
    column[i] = 0xFF000000u | colormap_at(map, axis->v1 + (axis->v0 - axis->v1) * (i + 0.5) / STEPS);
  canvas_image(canvas, x, top, width, bottom - top, column, 1, STEPS);
  canvas_paint(canvas, 0, 0.55);
  canvas_pen(canvas, 1, 0);
  for (int k = 0; k < nmarks; k++) {
    double p = axis_pixel(axis, marks[k]);
    canvas_move(canvas, x, p);
    canvas_line(canvas, x + width, p);
    canvas_stroke(canvas);
  }
  canvas_paint(canvas, PLOT_INK, 1);
  canvas_rect(canvas, x, top, width, bottom - top);
  canvas_stroke(canvas);
  double room = 0;
  for (int k = 0; k < axis->ticks.n; k++) {
    double p = axis->ticks.n == 1 && axis->ticks.decimals < 0 ? (top + bottom) / 2 : axis_pixel(axis, axis->ticks.value[k]);
    Buf text = {0};
    ticks_label(&axis->ticks, k, &text);
    canvas_move(canvas, x + width, p);
    canvas_line(canvas, x + width + TICK, p);
    canvas_stroke(canvas);
    canvas_text(canvas, x + width + TICK + GAP, p, buf_str(&text), font.tick, false, 0, 0.5, 0);
    room = fmax(room, canvas_text_width(canvas, buf_str(&text), font.tick, false));
    buf_free(&text);
  }
  canvas_text(canvas, x + width + TICK + 3 * GAP + room, (top + bottom) / 2, buf_str(&axis->title), font.label, false, 0.5, 0, 1);
}

/* ---- legend ---- */

void marker_draw(Canvas *canvas, int marker, double x, double y, double r, uint32_t rgb) {
  static const double corner[3][4][2] = {
    {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}, {{0, -1.25}, {1.15, 0.85}, {-1.15, 0.85}, {0, -1.25}}, {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}}};
  if (marker < 0) return;
  int kind = marker % 4;
  if (!kind) canvas_circle(canvas, x, y, r);
  else {
    for (int i = 0; i < 4; i++) {
      double px = x + r * corner[kind - 1][i][0], py = y + r * corner[kind - 1][i][1];
      if (i) canvas_line(canvas, px, py); else canvas_move(canvas, px, py);
    }
    canvas_close(canvas);
  }
  canvas_pen(canvas, 1.6, 0);
  canvas_paint(canvas, 0xFFFFFF, 1);
  canvas_fill(canvas, true);
  canvas_paint(canvas, rgb, 1);
  canvas_stroke(canvas);
}

static const double SWATCH = 1.7, ROW = 1.45, PAD = 0.55;   /* in units of the text size */

void legend_size(Canvas *canvas, const LegendRow *rows, int n, PlotFont font, double *width, double *height) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, canvas_text_width(canvas, rows[i].text, font.tick, false));
  *width = most + (SWATCH + 0.5 + 2 * PAD) * font.tick;
  *height = (n * ROW + 2 * PAD - (ROW - 1)) * font.tick;
}

void legend_draw(Canvas *canvas, const LegendRow *rows, int n, double x, double y, PlotFont font, bool framed) {
  double w, h, s = font.tick;
  legend_size(canvas, rows, n, font, &w, &h);
  if (framed) {
    canvas_rect(canvas, x, y, w, h);
    canvas_paint(canvas, 0xFFFFFF, 0.88);
    canvas_fill(canvas, true);
    canvas_paint(canvas, 0xBBBBBB, 1);
    canvas_pen(canvas, 1, 0);
    canvas_stroke(canvas);
  }
  for (int i = 0; i < n; i++) {
    double cy = y + (PAD + 0.5 + ROW * i) * s, cx = x + PAD * s;
    canvas_paint(canvas, rows[i].rgb, 1);
    if (rows[i].line) {
      canvas_pen(canvas, 2.2, 0);
      canvas_move(canvas, cx, cy);
      canvas_line(canvas, cx + SWATCH * s, cy);
      canvas_stroke(canvas);
      marker_draw(canvas, rows[i].marker, cx + SWATCH * s / 2, cy, 0.28 * s, rows[i].rgb);
    } else {
      canvas_rect(canvas, cx, cy - 0.4 * s, SWATCH * s, 0.8 * s);
      canvas_fill(canvas, false);
    }
    canvas_paint(canvas, PLOT_INK, 1);
    canvas_text(canvas, cx + (SWATCH + 0.5) * s, cy, rows[i].text, s, false, 0, 0.5, 0);
  }
}
