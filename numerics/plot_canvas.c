#include "plot_canvas.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic.h"

struct Canvas {
  cairo_surface_t *surface;
  cairo_t *cr;
  CanvasFormat format;
  Buf svg;                     /* what the SVG surface wrote so far */
  uint32_t rgb;
  double alpha;
};

static cairo_status_t collect(void *user, const unsigned char *bytes, unsigned n) {
  buf_add(user, (const char *)bytes, n);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t put(void *user, const unsigned char *bytes, unsigned n) {
  return fwrite(bytes, 1, n, user) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

Canvas *canvas_open(CanvasFormat format, int width, int height) {
  Canvas *canvas = calloc(1, sizeof *canvas);
  if (!canvas) return NULL;
  canvas->format = format;
  canvas->surface = format == CANVAS_SVG ? cairo_svg_surface_create_for_stream(collect, &canvas->svg, width, height)
                                         : cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  if (format == CANVAS_SVG) cairo_svg_surface_set_document_unit(canvas->surface, CAIRO_SVG_UNIT_PX);
  canvas->cr = cairo_create(canvas->surface);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_set_font_options(canvas->cr, options);
  cairo_font_options_destroy(options);
  cairo_set_line_join(canvas->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(canvas->cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_source_rgb(canvas->cr, 1, 1, 1);
  cairo_rectangle(canvas->cr, 0, 0, width, height);
  cairo_fill(canvas->cr);
  return canvas;
}

void canvas_discard(Canvas *canvas) {
  cairo_destroy(canvas->cr);
  cairo_surface_destroy(canvas->surface);
  buf_free(&canvas->svg);
  free(canvas);
}

Status canvas_save(Canvas *canvas, const char *path, Diags *diags, Span span) {
  cairo_status_t drawn = cairo_status(canvas->cr);
  if (canvas->format == CANVAS_SVG) cairo_surface_finish(canvas->surface);
  if (drawn == CAIRO_STATUS_SUCCESS) drawn = cairo_surface_status(canvas->surface);
  Atomic atomic;
  Status status = atomic_begin(&atomic, path, diags, span);
  if (!status) {
    cairo_status_t written = drawn;
    if (canvas->format == CANVAS_SVG) fwrite(buf_str(&canvas->svg), 1, canvas->svg.len, atomic.file);
    else if (drawn == CAIRO_STATUS_SUCCESS) written = cairo_surface_write_to_png_stream(canvas->surface, put, atomic.file);
    if (written != CAIRO_STATUS_SUCCESS && written != CAIRO_STATUS_WRITE_ERROR) {
      atomic_abort(&atomic);
      diag_report(diags, E2501, span, "`%s` cannot be written: cairo says \"%s\"", path, cairo_status_to_string(written));
      status = 1;
    } else status = atomic_commit(&atomic, diags, span);
  }
  canvas_discard(canvas);
  return status;
}

int canvas_image_scale(const Canvas *canvas) { return canvas->format == CANVAS_SVG ? 2 : 1; }

static void ink(Canvas *canvas) {
  uint32_t c = canvas->rgb;
  cairo_set_source_rgba(canvas->cr, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0, canvas->alpha);
}

void canvas_paint(Canvas *canvas, uint32_t rgb, double alpha) {
  canvas->rgb = rgb;
  canvas->alpha = alpha;
  ink(canvas);
}

void canvas_pen(Canvas *canvas, double width, double dash) {
  cairo_set_line_width(canvas->cr, width);
  double dashes[2] = {dash, dash};
  cairo_set_dash(canvas->cr, dashes, dash > 0 ? 2 : 0, 0);
}

void canvas_move(Canvas *canvas, double x, double y) { cairo_move_to(canvas->cr, x, y); }
void canvas_line(Canvas *canvas, double x, double y) { cairo_line_to(canvas->cr, x, y); }
void canvas_close(Canvas *canvas) { cairo_close_path(canvas->cr); }
void canvas_stroke(Canvas *canvas) { cairo_stroke(canvas->cr); }

void canvas_circle(Canvas *canvas, double x, double y, double r) {
  cairo_new_sub_path(canvas->cr);
  cairo_arc(canvas->cr, x, y, r, 0, 2 * M_PI);
  cairo_close_path(canvas->cr);
}

void canvas_rect(Canvas *canvas, double x, double y, double w, double h) { cairo_rectangle(canvas->cr, x, y, w, h); }

void canvas_fill(Canvas *canvas, bool keep) {
  if (keep) cairo_fill_preserve(canvas->cr);
  else cairo_fill(canvas->cr);
}

void canvas_clip(Canvas *canvas, double x, double y, double w, double h) {
  cairo_save(canvas->cr);
  cairo_rectangle(canvas->cr, x, y, w, h);
  cairo_clip(canvas->cr);
}

void canvas_unclip(Canvas *canvas) { cairo_restore(canvas->cr); }

void canvas_image(Canvas *canvas, double x, double y, double w, double h, const uint32_t *argb, int pw, int ph) {
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pw, ph);
  unsigned char *data = cairo_image_surface_get_data(image);
  if (data) {
    int stride = cairo_image_surface_get_stride(image);
    for (int row = 0; row < ph; row++) memcpy(data + (size_t)row * (size_t)stride, argb + (size_t)row * (size_t)pw, sizeof *argb * (size_t)pw);
    cairo_surface_mark_dirty(image);
    cairo_save(canvas->cr);
    cairo_translate(canvas->cr, x, y);
    cairo_scale(canvas->cr, w / pw, h / ph);
    cairo_set_source_surface(canvas->cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(canvas->cr), canvas->format == CANVAS_SVG ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
    cairo_rectangle(canvas->cr, 0, 0, pw, ph);
    cairo_fill(canvas->cr);
    cairo_restore(canvas->cr);
    ink(canvas);
  }
  cairo_surface_destroy(image);
}

static void font(Canvas *canvas, double size, bool bold) {
  cairo_select_font_face(canvas->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(canvas->cr, size);
}

double canvas_text_width(Canvas *canvas, const char *text, double size, bool bold) {
  cairo_text_extents_t e;
  font(canvas, size, bold);
  cairo_text_extents(canvas->cr, text, &e);
  return e.x_advance;
}

void canvas_text(Canvas *canvas, double x, double y, const char *text, double size, bool bold, double ax, double ay, int angle) {
  double width = canvas_text_width(canvas, text, size, bold);
  cairo_save(canvas->cr);
  cairo_translate(canvas->cr, x, y);
  cairo_rotate(canvas->cr, -M_PI / 2 * angle);
  cairo_move_to(canvas->cr, -ax * width, (1 - ay) * CANVAS_CAPS * size);
  cairo_show_text(canvas->cr, text);
  cairo_restore(canvas->cr);
  cairo_new_path(canvas->cr);
}
