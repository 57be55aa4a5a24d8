/* Pixels of the plotter: triangles with a value interpolated at each pixel, with depth, at several samples a pixel. */
#ifndef PLOT_RASTER_H
#define PLOT_RASTER_H
#include <stdbool.h>
#include <stdint.h>

#include "colormap.h"

typedef struct Raster {
  int width, height, samples;   /* of pixels; samples*samples a pixel */
  int w, h;                     /* of samples */
  uint32_t *argb;               /* [h][w], 0xFFRRGGBB or 0 where nothing was drawn */
  float *depth;                 /* [h][w], greater is nearer; NULL in flat pictures */
} Raster;

/* x, y in pixels (y down), centre of the first pixel at 0.5; shade 1 leaves the colour as it is. */
typedef struct RasterVertex { double x, y, z, value, shade; } RasterVertex;

bool raster_open(Raster *raster, int width, int height, int samples, bool depth);   /* false: memory is out */
void raster_close(Raster *raster);
void raster_triangle(Raster *raster, const RasterVertex v[3], const Colormap *map);
void raster_fill(Raster *raster, const RasterVertex v[3], uint32_t rgb);            /* one colour, shaded */
/* A line of `thick` pixels, drawn where it is not behind what is there by more than `bias` in depth; alpha 0..1. */
void raster_line(Raster *raster, const RasterVertex *a, const RasterVertex *b, double thick, uint32_t rgb, double alpha, double bias);
/* Whether a point is visible in a raster with depth. */
bool raster_visible(const Raster *raster, double x, double y, double z, double bias);
/* The mean of the samples of each pixel, premultiplied ARGB [height][width]; NULL: memory is out. Free it. */
uint32_t *raster_pixels(const Raster *raster);

#endif
