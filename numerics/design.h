/* Where to look: designs in the unit cube, numbers by counter, mixtures of a bank. Point k of a design depends on its seed and on k alone, so that points
 * can be made in any order, in several processes, and after an interruption. Pure. */
#ifndef DESIGN_H
#define DESIGN_H
#include <stdbool.h>
#include <stdint.h>

/* --- numbers by counter: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC11), key = seed, counter = (place in
 * the sequence, stream, index). Sequences of other streams and indices have nothing in common. --- */
void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

typedef struct Draw { uint64_t seed, index; uint32_t stream, at; } Draw;      /* sample `index` of probe `stream` */
Draw draw_open(uint64_t seed, uint32_t stream, uint64_t index);
double draw_uniform(Draw *draw);                 /* [0, 1), 53 bits */
double draw_between(Draw *draw, double lo, double hi);
double draw_exponential(Draw *draw);
int draw_below(Draw *draw, int n);               /* 0 .. n - 1 */
double draw_sign(Draw *draw);                    /* 1 or -1 */
double draw_normal(Draw *draw);                  /* standard normal, out of one uniform number; the same bits on every machine */
double normal_quantile(double p);                /* x with P(X < x) = p, 0 < p < 1 */

/* --- designs --- */
typedef enum DesignKind {
  DESIGN_SOBOL,       /* Sobol's sequence with the directions of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008); coordinates beyond the 64th are random */
  DESIGN_LHS,         /* Latin hypercube: each of n slices of each coordinate has one point */
  DESIGN_RANDOM,
  DESIGN_GRID         /* m points in each coordinate, ends included, m^dim <= n */
} DesignKind;

enum { SOBOL_DIMS = 64 };

typedef struct Design {
  DesignKind kind;
  int dim;
  long n;             /* points asked for; LHS and GRID need it */
  uint64_t seed;
  bool scramble;      /* SOBOL: Owen's scrambling by the seed; not: the sequence itself, whose first point is the corner 0 */
} Design;

long design_size(const Design *design);                          /* points it has: n; of a grid m^dim */
void design_point(const Design *design, long index, double *u);  /* u[dim] in [0, 1); a grid's in [0, 1] */
bool design_kind(const char *name, DesignKind *out);             /* "sobol", "lhs", "random", "grid" */

/* --- mixtures of a bank: sum a_k z_k of a few of its members --- */
enum { MIXTURE_MEMBERS = 4 };
typedef struct MixtureDraw { int n, member[MIXTURE_MEMBERS]; double a[MIXTURE_MEMBERS]; } MixtureDraw;
/* rule: a value of Mixture (predict.h): balanced, uniform over sum |a_k| <= 1; convex, over a_k >= 0, sum 1; none, one member as it is. A few members and
 * not all: the mean of many histories is small and like every other. */
MixtureDraw mixture_draw(Draw *draw, int rule, int nbank);
void mixture_apply(const MixtureDraw *mixture, const double *bank, int width, double *out);      /* bank [nbank][width] */
/* The nearest coefficients that the rule allows: the l1 ball, the simplex (Duchi et al., ICML 2008); none: the largest becomes 1. */
void mixture_project(int rule, double *a, int n);

#endif
