/* A predictor whose outputs are rounded, for the floor of a tolerance: what rounding alone makes of a violation. */
#ifndef PREDICTOR_ROUNDED_H
#define PREDICTOR_ROUNDED_H
#include "../numerics/predict.h"

/* single: to single precision; else to one bit less than double, whose last one rounding has spoilt already. inner is borrowed. Free with ops->free. */
Predictor *predictor_rounded(Predictor *inner, bool single);

#endif
