/* Colour maps, perceptually uniform, as tables of sRGB colours. */
#ifndef COLORMAP_H
#define COLORMAP_H
#include <stdint.h>

typedef enum ColormapId {
#define COLORMAP(name, doc, ...) COLORMAP_##name,
#include "colormap.def"
#undef COLORMAP
  COLORMAPS
} ColormapId;

enum { COLORMAP_ENTRIES = 1024 };

typedef struct Colormap {
  ColormapId id;
  double lo, hi;                        /* values of the first and the last colour */
  uint32_t rgb[COLORMAP_ENTRIES];       /* 0xRRGGBB */
} Colormap;

/* For data in [lo, hi]: diverging, symmetric about zero, where both signs are of comparable size; else sequential. */
void colormap_for(Colormap *map, double lo, double hi);
void colormap_make(Colormap *map, ColormapId id, double lo, double hi);
uint32_t colormap_at(const Colormap *map, double value);   /* clamped to the ends */

/* n distinguishable colours for groups and series, of equal weight; k counts from 0 and wraps. */
uint32_t colormap_category(int k);
uint32_t colormap_mix(uint32_t a, uint32_t b, double t);   /* t = 0: a */

#endif
