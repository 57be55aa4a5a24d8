/* Typical sizes of a map's outputs: root mean squares of norms over a fixed calibration bank, of the reference itself and never of a candidate. */
#ifndef MAP_SCALE_H
#define MAP_SCALE_H
#include "trace.h"

typedef struct MapScale {
  int output;
  Where where; bool on_cells, whole;
  double at, from, until, value;
  Unit unit;
} MapScale;

/* RMS of norm(m(z).output, as measured); a number with its unit, not known while checking; poison after a report. Kept in the map. */
Value *map_scale(Eval *ev, Value *map, int output, const TraceMeasure *measure);
/* The same of any predictor of the map: what NONTRIV compares with the scale. Not kept. */
Value *map_response(Eval *ev, Value *subject, int output, const TraceMeasure *measure);

#endif
