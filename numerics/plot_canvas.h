/* What a picture is drawn on: lines, fills, text and images, in pixels with y down. plot_canvas.c alone knows cairo. Colours are
 * 0xRRGGBB. Drawing cannot fail: errors are kept and told by canvas_save. */
#ifndef PLOT_CANVAS_H
#define PLOT_CANVAS_H
#include <stdbool.h>
#include <stdint.h>

#include "../lang/diag.h"

typedef struct Canvas Canvas;
typedef enum CanvasFormat { CANVAS_PNG, CANVAS_SVG } CanvasFormat;

Canvas *canvas_open(CanvasFormat format, int width, int height);    /* white; NULL: memory is out */
Status canvas_save(Canvas *canvas, const char *path, Diags *diags, Span span);   /* frees the canvas */
void canvas_discard(Canvas *canvas);
int canvas_image_scale(const Canvas *canvas);     /* pixels of an image per unit: 2 in vector formats, for zooming */

void canvas_paint(Canvas *canvas, uint32_t rgb, double alpha);      /* of all that follows */
void canvas_pen(Canvas *canvas, double width, double dash);         /* dash 0: solid */
void canvas_move(Canvas *canvas, double x, double y);
void canvas_line(Canvas *canvas, double x, double y);
void canvas_close(Canvas *canvas);
void canvas_circle(Canvas *canvas, double x, double y, double r);   /* a path of its own */
void canvas_rect(Canvas *canvas, double x, double y, double w, double h);
void canvas_stroke(Canvas *canvas);
void canvas_fill(Canvas *canvas, bool keep);      /* keep: the path stays, to be stroked */
void canvas_clip(Canvas *canvas, double x, double y, double w, double h);
void canvas_unclip(Canvas *canvas);
/* Premultiplied ARGB, rows downward, stretched to w by h without smoothing. */
void canvas_image(Canvas *canvas, double x, double y, double w, double h, const uint32_t *argb, int pw, int ph);

/* Text with its box's fraction (ax, ay) at (x, y): ax 0 left, 1 right; ay 0 top of capitals, 1 baseline. angle in quarter turns to the left. */
void canvas_text(Canvas *canvas, double x, double y, const char *text, double size, bool bold, double ax, double ay, int angle);
double canvas_text_width(Canvas *canvas, const char *text, double size, bool bold);
#define CANVAS_CAPS 0.73      /* height of capitals over the size */

#endif
