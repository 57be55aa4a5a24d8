#include "colormap.h"

#include <math.h>
#include <stdbool.h>

enum { POINTS = 9 };
static const double paths[COLORMAPS][POINTS][3] = {
#define COLORMAP(name, doc, ...) {__VA_ARGS__},
#include "colormap.def"
#undef COLORMAP
};

/* Both signs count as comparable from this ratio of the smaller to the larger bound on. */
static const double BALANCE = 0.25;

static double gamma_encode(double v) { return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055; }

/* OKLab to linear sRGB; matrices of https://bottosson.github.io/posts/oklab. */
static void oklab_to_linear(const double lab[3], double rgb[3]) {
  double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
  double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
  double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
  l = l * l * l; m = m * m * m; s = s * s * s;
  rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static bool in_gamut(const double rgb[3]) {
  for (int c = 0; c < 3; c++)
    if (rgb[c] < -1e-6 || rgb[c] > 1 + 1e-6) return false;
  return true;
}

/* A colour outside of sRGB gives up chroma, never lightness. */
static uint32_t oklab_to_rgb(const double lab[3]) {
  double rgb[3], keep = 1, lo = 0, hi = 1;
  oklab_to_linear(lab, rgb);
  for (int i = 0; i < 20 && (i || !in_gamut(rgb)); i++) {     /* bisection: steps would show as bands */
    keep = 0.5 * (lo + hi);
    oklab_to_linear((double[3]){lab[0], lab[1] * keep, lab[2] * keep}, rgb);
    if (in_gamut(rgb)) lo = keep; else hi = keep;
  }
  uint32_t out = 0;
  for (int c = 0; c < 3; c++) out = out << 8 | (uint32_t)lround(255 * gamma_encode(fmin(fmax(rgb[c], 0), 1)));
  return out;
}

static void point_of(ColormapId id, int k, double lab[3]) {
  const double *p = paths[id][k < 0 ? 0 : k >= POINTS ? POINTS - 1 : k];
  double hue = p[2] * M_PI / 180;
  lab[0] = p[0];
  lab[1] = p[1] * cos(hue);
  lab[2] = p[1] * sin(hue);
}

void colormap_make(Colormap *map, ColormapId id, double lo, double hi) {
  map->id = id;
  map->lo = lo;
  map->hi = hi;
  for (int i = 0; i < COLORMAP_ENTRIES; i++) {
    double at = (double)i / (COLORMAP_ENTRIES - 1) * (POINTS - 1), q[4][3], lab[3];
    int k = at >= POINTS - 1 ? POINTS - 2 : (int)at;
    double t = at - k;
    for (int j = 0; j < 4; j++) point_of(id, k - 1 + j, q[j]);
    lab[0] = q[1][0] + t * (q[2][0] - q[1][0]);
    for (int c = 1; c < 3; c++)   /* Catmull-Rom: no kinks in hue */
      lab[c] = q[1][c] + 0.5 * t * (q[2][c] - q[0][c] + t * (2 * q[0][c] - 5 * q[1][c] + 4 * q[2][c] - q[3][c] +
               t * (3 * (q[1][c] - q[2][c]) + q[3][c] - q[0][c])));
    map->rgb[i] = oklab_to_rgb(lab);
  }
}

void colormap_for(Colormap *map, double lo, double hi) {
  double most = fmax(fabs(lo), fabs(hi));
  bool diverging = lo < 0 && hi > 0 && fmin(-lo, hi) >= BALANCE * most;
  if (diverging) colormap_make(map, COLORMAP_diverging, -most, most);
  else colormap_make(map, COLORMAP_sequential, lo, hi);
}

uint32_t colormap_at(const Colormap *map, double value) {
  double t = map->hi > map->lo ? (value - map->lo) / (map->hi - map->lo) : 0.5;
  int i = (int)(fmin(fmax(t, 0), 1) * (COLORMAP_ENTRIES - 1) + 0.5);
  return map->rgb[i];
}

uint32_t colormap_category(int k) {
  /* hues far apart for neighbours, of similar lightness and chroma; told apart with red-green blindness by lightness too */
  static const double colours[][3] = {
    {0.55, 0.16, 255}, {0.64, 0.19, 45}, {0.58, 0.13, 155}, {0.53, 0.20, 350}, {0.74, 0.14, 85},
    {0.48, 0.17, 300}, {0.70, 0.11, 215}, {0.45, 0.13, 25}, {0.60, 0.13, 120}, {0.45, 0.03, 260},
  };
  const double *p = colours[k % (int)(sizeof colours / sizeof *colours)];
  double hue = p[2] * M_PI / 180;
  return oklab_to_rgb((double[3]){p[0], p[1] * cos(hue), p[1] * sin(hue)});
}

uint32_t colormap_mix(uint32_t a, uint32_t b, double t) {
  uint32_t out = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    double x = (double)(a >> shift & 255), y = (double)(b >> shift & 255);
    out = out << 8 | (uint32_t)lround(fmin(fmax(x + t * (y - x), 0), 255));
  }
  return out;
}
