/* Typical sizes of a map's outputs: root mean squares of norms over a fixed calibration bank, of the reference itself and never of a candidate. */
#ifndef MAP_SCALE_H
#define MAP_SCALE_H
#include "trace.h"

/* What is measured: the norm of an output, or of a field of outputs and inputs (of an equation its left side); its root mean square, or its largest value. */
typedef struct MapQuantity { Value *of; const char *kind; bool largest; } MapQuantity;

typedef struct MapScale {
  int output;
  Expr *of; const char *kind; bool largest;       /* as in MapQuantity */
  Where where; bool on_cells, whole;
  double at, from, until, value;
  Unit unit;
} MapScale;

/* RMS of norm(m(z).output, as measured); a number with its unit, not known while checking; poison after a report. Kept in the map.
 * Quantity NULL: the L2 norm of the output. */
Value *map_scale(Eval *ev, Value *map, int output, const MapQuantity *, const TraceMeasure *measure);
/* The same of any predictor of the map: what NONTRIV compares with the scale. Not kept. */
Value *map_response(Eval *ev, Value *subject, int output, const MapQuantity *, const TraceMeasure *measure);
/* The map's own predictor, with what it answered to the first inputs kept (map_memo.c); the map must be open. */
Predictor *map_remembered(MapValue *map);
/* The largest norm(m(z) - m(w))/distance(z, w) over pairs of that bank. */
Value *map_steepness(Eval *ev, Value *map, Span span);

#endif
