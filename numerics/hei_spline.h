/* Uniform B-splines on an axis and the difference penalties of P-splines. Pure. */
#ifndef HEI_SPLINE_H
#define HEI_SPLINE_H

enum { HEI_DEGREE_MAX = 5 };

/* out[n][intervals + degree]: the derivative of order `order` of each B-spline of a uniform, unclamped knot sequence on [a, b], at n points. */
void hei_spline(int intervals, int degree, int order, double a, double b, int n, const double *x, double *out);
/* out[n][n] = D'D with D the differences of order `order`. */
void hei_penalty(int n, int order, double *out);

#endif
