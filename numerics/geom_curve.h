/* Plane curves of cubic pieces with a continuous derivative (Hermite form): profiles of airfoils. */
#ifndef GEOM_CURVE_H
#define GEOM_CURVE_H
#include <stdbool.h>

#include "../lang/arena.h"

typedef struct GeomCurve {
  int n;              /* pieces */
  double *u;          /* [n+1] parameters at their ends, rising */
  double (*p)[2];     /* [n+1] points */
  double (*d)[2];     /* [n+1] derivatives with respect to u */
} GeomCurve;

GeomCurve *curve_new(Arena *arena, int pieces);
void curve_spline(GeomCurve *curve);                                   /* u from chord lengths, d of the natural cubic spline through p */
void curve_bezier(const GeomCurve *curve, int piece, double b[4][2]);  /* control points */
/* The functions below look at the pieces first..last-1; s in [0, 1] runs over them evenly in u. */
void curve_at(const GeomCurve *curve, int first, int last, double s, double p[2], double d[2]);
void curve_closest(const GeomCurve *curve, int first, int last, const double p[2], double out[2], double tangent[2]);
bool curve_crossed(const GeomCurve *curve, int first, int last, const double p[2]);   /* odd crossings with the ray from p along +x */
void curve_extent(const GeomCurve *curve, int first, int last, const double direction[2], double *lo, double *hi);
/* Integral of f(p) dx, dy over the curve: f gets the point and the derivative with respect to the parameter. Gauss points: exact to degree 9 a piece. */
double curve_integral(const GeomCurve *curve, int first, int last, double (*f)(const double *p, const double *d, void *user), void *user);

#endif
