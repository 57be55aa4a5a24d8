/* A trajectory denoised: u as the spline z_abc U_a(x) U_b(y) U_c(t), in bases that make the penalties diagonal. Pure but for BLAS and LAPACK. */
#ifndef HEI_DENOISE_H
#define HEI_DENOISE_H
#include "hei.h"

/* How a spline goes on beyond the ends of its axis: as it likes, as its mirror image, or at the other end. The B-splines that are each other's images
 * are one function then, so that the noise of the coefficients stays white. */
typedef enum HeiFold { HEI_FOLD_NONE, HEI_FOLD_MIRROR, HEI_FOLD_WRAP } HeiFold;

/* A basis on the nodes of an axis: U = B V with V'(B'B)V = 1 and V'D4'D4 V = diag(w). */
typedef struct HeiAxis {
  int n, nbasis;                     /* nodes, functions; an axis of one node has the constant alone */
  HeiFold fold;
  double *u[HEI_ORDER + 1];          /* [n][nbasis]: derivatives of the basis at the nodes, up to `orders` */
  int orders;
  double *w;                         /* [nbasis] */
} HeiAxis;

typedef struct HeiSmooth {
  const HeiAxis *x, *y, *t;          /* shared by trajectories */
  double *z;                         /* [x][y][t] filtered coefficients */
  double space, time;                /* the penalties' factors */
  double sigma;                      /* standard deviation of the noise */
  double validation;                 /* log of the least score of cross validation of the first fit, times the number of values: twice a log-likelihood */
  int modes;
  double *noise;                     /* [modes][t->nbasis] what white noise in the modes kept becomes; NULL: all are kept, noise is white in t's basis */
} HeiSmooth;

/* Nodes x[n] in [a, b]; n 1: the constant. HEI_FOLD_WRAP: b is one period after a. */
HeiOutcome hei_axis_open(HeiAxis *axis, int intervals, int orders, HeiFold fold, double a, double b, int n, const double *x);
void hei_axis_close(HeiAxis *axis);

/* Where singular values are noise: below factor*sigma*(sqrt(nodes*time) + sqrt(snapshots*space)); factor 0: all are kept. With white noise time and space are
 * 1; with noise that is correlated, the largest over the mean of its spectrum. */
typedef struct HeiEdge { double factor, space, time; } HeiEdge;

/* u[nx][ny][stride], of which the first t->n snapshots are read; `observed` of these values were measured, the others filled in. */
void hei_smooth_open(HeiSmooth *smooth, const HeiAxis *x, const HeiAxis *y, const HeiAxis *t, const double *u, int stride, double observed, HeiEdge edge);
void hei_smooth_close(HeiSmooth *smooth);
/* z = (Ux (x) Uy (x) time)' u, a plane of nodes at a time, z[x->nbasis][y->nbasis][t->nbasis]; time[t->n][t->nbasis]. */
void hei_transform(const HeiAxis *x, const HeiAxis *y, const HeiAxis *t, const double *u, int stride, const double *time, double *z);
/* What the filter leaves of coefficient (a, b, c). */
double hei_filter(const HeiSmooth *smooth, int a, int b, int c);

/* The smoothed trajectory against `rows` weights over time (row-major [rows][t->nbasis], what basis function c amounts to in row r), derivative (i, j) in
 * space, row by row: out[nx][ny]. `slices` is made once by hei_slices for all derivatives. */
double *hei_slices(const HeiSmooth *smooth, int rows, const double *weight);       /* [rows][x->nbasis][y->nbasis], the caller's */
void hei_slice(const HeiSmooth *smooth, const double *slices, int row, int i, int j, double *work, double *out);   /* work[nx][y->nbasis] */

#endif
