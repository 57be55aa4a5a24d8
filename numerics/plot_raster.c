#include "plot_raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool raster_open(Raster *raster, int width, int height, int samples, bool depth) {
  *raster = (Raster){.width = width, .height = height, .samples = samples, .w = width * samples, .h = height * samples};
  size_t n = (size_t)raster->w * (size_t)raster->h;
  raster->argb = calloc(n, sizeof *raster->argb);
  raster->depth = depth ? malloc(n * sizeof *raster->depth) : NULL;
  if (!raster->argb || (depth && !raster->depth)) {
    raster_close(raster);
    return false;
  }
  for (size_t i = 0; depth && i < n; i++) raster->depth[i] = -INFINITY;
  return true;
}

void raster_close(Raster *raster) {
  free(raster->argb);
  free(raster->depth);
  *raster = (Raster){0};
}

static uint32_t shaded(uint32_t rgb, double shade) {
  if (shade == 1) return 0xFF000000u | rgb;
  uint32_t out = 0xFF;
  for (int shift = 16; shift >= 0; shift -= 8) {
    double c = (double)(rgb >> shift & 255);
    /* above 1 towards white: a highlight keeps its hue dark enough to be read */
    c = shade < 1 ? c * shade : c + (shade - 1) * (255 - c);
    out = out << 8 | (uint32_t)(fmin(c, 255) + 0.5);
  }
  return out;
}

/* Barycentric coordinates are affine along a row: each row starts where the three edge functions are all nonnegative. Samples on an edge
 * that two triangles share are drawn by both, which is harmless for opaque paint and leaves no gaps. */
static void scan(Raster *raster, const RasterVertex v[3], const Colormap *map, uint32_t rgb) {
  double s = raster->samples, x[3], y[3];
  for (int i = 0; i < 3; i++) { x[i] = v[i].x * s - 0.5; y[i] = v[i].y * s - 0.5; }
  double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  if (!(fabs(area) > 1e-12)) return;
  int row0 = (int)fmax(ceil(fmin(fmin(y[0], y[1]), y[2]) - 1e-6), 0), row1 = (int)fmin(floor(fmax(fmax(y[0], y[1]), y[2]) + 1e-6), raster->h - 1);
  int col0 = (int)fmax(ceil(fmin(fmin(x[0], x[1]), x[2]) - 1e-6), 0), col1 = (int)fmin(floor(fmax(fmax(x[0], x[1]), x[2]) + 1e-6), raster->w - 1);
  double l1x = (y[2] - y[0]) / area, l1y = -(x[2] - x[0]) / area;     /* gradients of barycentric coordinates 1 and 2 */
  double l2x = -(y[1] - y[0]) / area, l2y = (x[1] - x[0]) / area;
  double scale = map && map->hi > map->lo ? (COLORMAP_ENTRIES - 1) / (map->hi - map->lo) : 0;
  double base = map ? (scale ? (v[0].value - map->lo) * scale : (COLORMAP_ENTRIES - 1) / 2.0) : 0;
  double d1 = map ? (v[1].value - v[0].value) * scale : 0, d2 = map ? (v[2].value - v[0].value) * scale : 0;
  bool lit = v[0].shade != 1 || v[1].shade != 1 || v[2].shade != 1;
  for (int row = row0; row <= row1; row++) {
    size_t at = (size_t)row * (size_t)raster->w;
    for (int col = col0; col <= col1; col++) {
      double l1 = (col - x[0]) * l1x + (row - y[0]) * l1y, l2 = (col - x[0]) * l2x + (row - y[0]) * l2y;
      if (l1 < -1e-6 || l2 < -1e-6 || l1 + l2 > 1 + 1e-6) continue;
      if (raster->depth) {
        float z = (float)(v[0].z + l1 * (v[1].z - v[0].z) + l2 * (v[2].z - v[0].z));
        if (z < raster->depth[at + (size_t)col]) continue;
        raster->depth[at + (size_t)col] = z;
      }
      uint32_t c = rgb;
      if (map) {
        double t = base + l1 * d1 + l2 * d2;
        c = map->rgb[t <= 0 ? 0 : t >= COLORMAP_ENTRIES - 1 ? COLORMAP_ENTRIES - 1 : (int)(t + 0.5)];
      }
      double shade = lit ? v[0].shade + l1 * (v[1].shade - v[0].shade) + l2 * (v[2].shade - v[0].shade) : 1;
      raster->argb[at + (size_t)col] = shaded(c, shade);
    }
  }
}

void raster_triangle(Raster *raster, const RasterVertex v[3], const Colormap *map) { scan(raster, v, map, 0); }
void raster_fill(Raster *raster, const RasterVertex v[3], uint32_t rgb) { scan(raster, v, NULL, rgb); }

static void blend(uint32_t *to, uint32_t rgb, double alpha) {
  *to = *to ? 0xFF000000u | colormap_mix(*to & 0xFFFFFF, rgb, alpha) : 0xFF000000u | colormap_mix(0xFFFFFF, rgb, alpha);
}

void raster_line(Raster *raster, const RasterVertex *a, const RasterVertex *b, double thick, uint32_t rgb, double alpha, double bias) {
  double s = raster->samples, ax = a->x * s - 0.5, ay = a->y * s - 0.5, dx = (b->x - a->x) * s, dy = (b->y - a->y) * s;
  double half = 0.5 * thick * s, length2 = dx * dx + dy * dy;
  int row0 = (int)fmax(floor(fmin(ay, ay + dy) - half), 0), row1 = (int)fmin(ceil(fmax(ay, ay + dy) + half), raster->h - 1);
  int col0 = (int)fmax(floor(fmin(ax, ax + dx) - half), 0), col1 = (int)fmin(ceil(fmax(ax, ax + dx) + half), raster->w - 1);
  double reach = fabs(dy) > 1e-9 ? half * sqrt(length2) / fabs(dy) + half : INFINITY;   /* half a row's width of the strip */
  for (int row = row0; row <= row1; row++) {
    double middle = reach < INFINITY ? ax + (row - ay) / dy * dx : ax;
    /* of a line that is nearly level both may lie far outside of what an int holds */
    int from = (int)fmin(fmax(floor(middle - reach), col0), col1 + 1), to = (int)fmax(fmin(ceil(middle + reach), col1), col0 - 1);
    for (int col = from; col <= to; col++) {
      double px = col - ax, py = row - ay;
      double t = length2 > 0 ? fmin(fmax((px * dx + py * dy) / length2, 0), 1) : 0;
      double ex = px - t * dx, ey = py - t * dy;
      if (ex * ex + ey * ey > half * half) continue;
      size_t at = (size_t)row * (size_t)raster->w + (size_t)col;
      if (raster->depth && a->z + t * (b->z - a->z) + bias < raster->depth[at]) continue;
      blend(&raster->argb[at], rgb, alpha);
    }
  }
}

bool raster_visible(const Raster *raster, double x, double y, double z, double bias) {
  int col = (int)(x * raster->samples), row = (int)(y * raster->samples);
  if (col < 0 || row < 0 || col >= raster->w || row >= raster->h) return false;
  return !raster->depth || z + bias >= raster->depth[(size_t)row * (size_t)raster->w + (size_t)col];
}

uint32_t *raster_pixels(const Raster *raster) {
  uint32_t *out = malloc(sizeof *out * (size_t)raster->width * (size_t)raster->height);
  int s = raster->samples;
  for (int row = 0; out && row < raster->height; row++)
    for (int col = 0; col < raster->width; col++) {
      unsigned sum[4] = {0};
      for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
          uint32_t c = raster->argb[(size_t)(row * s + i) * (size_t)raster->w + (size_t)(col * s + j)];
          for (int k = 0; k < 4; k++) sum[k] += c >> (8 * k) & 255;
        }
      uint32_t c = 0;
      for (int k = 3; k >= 0; k--) c = c << 8 | (sum[k] + (unsigned)(s * s) / 2) / (unsigned)(s * s);
      out[(size_t)row * (size_t)raster->width + (size_t)col] = c;
    }
  return out;
}
