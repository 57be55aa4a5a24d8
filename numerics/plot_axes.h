/* Ticks, axes, colour bar, legend and title: the parts of a picture around the data. */
#ifndef PLOT_AXES_H
#define PLOT_AXES_H
#include "colormap.h"
#include "plot_canvas.h"

/* Round numbers in [lo, hi]: value k is (first + k)*step; shown divided by 10^exponent, with `decimals` (-1: one number
 * alone). Log axes: powers of ten, and 2, 5 of them where there are few; exponent: written as 10^k. */
typedef struct Ticks {
  int n;
  double value[40];
  bool minor[40];          /* drawn shorter and without a number */
  int decimals, exponent;
  bool log;
} Ticks;

void ticks_linear(Ticks *ticks, double lo, double hi, int most);
void ticks_log(Ticks *ticks, double lo, double hi, int most);
/* "0.25", "−3", "10⁻³"; a true minus sign, a decimal point in any locale. */
void ticks_label(const Ticks *ticks, int k, Buf *out);
void ticks_number(Buf *out, double value, int digits);     /* one number alone: 1.25×10⁻⁵ */
void ticks_superscript(Buf *out, int number);
/* "T [K]", with the factor of the ticks "T [×10³ K]"; empty if there is nothing to say. */
void ticks_title(const Ticks *ticks, const char *label, const char *unit, Buf *out);

/* Sizes of text in pixels for a picture of that width. */
typedef struct PlotFont { double tick, label, title; } PlotFont;
PlotFont plot_font(int width);

/* An axis: from pixel p0 (value v0) to p1 (value v1). */
typedef struct PlotAxis {
  double v0, v1, p0, p1;
  Ticks ticks;
  Buf title;
} PlotAxis;

double axis_pixel(const PlotAxis *axis, double value);
/* Room that the numbers and the title of an axis take beside the plot: below an x axis, left of a y axis. */
double axis_room(Canvas *canvas, const PlotAxis *axis, PlotFont font, bool vertical);
/* Frame with both axes; the plot's rectangle is that of the axes. grid: faint lines at the ticks. */
void axes_draw(Canvas *canvas, const PlotAxis *x, const PlotAxis *y, PlotFont font, bool grid);

double bar_room(Canvas *canvas, const PlotAxis *axis, PlotFont font, double width);
/* Colours of [v0, v1] of the axis, bottom to top; marks: contour levels. constant: one colour, one number. */
void bar_draw(Canvas *canvas, const Colormap *map, const PlotAxis *axis, double x, double width, PlotFont font, const double *marks, int nmarks);

typedef struct LegendRow { const char *text; uint32_t rgb; int marker; bool line; } LegendRow;   /* marker: -1 none */
void legend_size(Canvas *canvas, const LegendRow *rows, int n, PlotFont font, double *width, double *height);
void legend_draw(Canvas *canvas, const LegendRow *rows, int n, double x, double y, PlotFont font, bool framed);
void marker_draw(Canvas *canvas, int marker, double x, double y, double r, uint32_t rgb);

#define PLOT_INK 0x222222u
#define PLOT_FAINT 0xDDDDDDu

#endif
