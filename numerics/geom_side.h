/* Sides of primitives as data. A row of the table of primitives says which sides a shape has; distance, projection, inside, bounds
 * and what a mesh generator needs follow from that. */
#ifndef GEOM_SIDE_H
#define GEOM_SIDE_H
#include "geom.h"
#include "geom_curve.h"

typedef enum GeomSideKind { SIDE_POINT, SIDE_SEGMENT, SIDE_CIRCLE, SIDE_CURVE, SIDE_PATCH, SIDE_DISC, SIDE_TUBE, SIDE_SPHERE, SIDE_SWEPT, SIDE_CAP } GeomSideKind;

typedef struct GeomSide {
  GeomSideKind kind;
  double a[3];       /* POINT; SEGMENT, PATCH: origin; others: centre (TUBE: of its first end) */
  double u[3], v[3]; /* SEGMENT a..a+u; PATCH a + s u + t v, u x v points outward; DISC: outward unit normal u; TUBE: axis u, of its length */
  double radius;
  const GeomCurve *curve;  /* CURVE: its pieces first..last-1 */
  int first, last;
  const GeomNode *of;      /* SWEPT: by side `index` of of->base; CAP: the plane shape of->base where the sweep begins (index 0) or ends (1) */
  int index;
} GeomSide;

typedef enum GeomSweep { SWEEP_NONE, SWEEP_EXTRUDE, SWEEP_REVOLVE, SWEEP_LOFT } GeomSweep;

struct GeomOps {
  int nsides;                                                  /* 0: count says */
  void (*side)(const GeomNode *primitive, int side, GeomSide *out);
  double (*measure)(const GeomNode *primitive);
  /* NULL when the values make sense, else what is wrong with them; out has room for a text. */
  const char *(*check)(const GeomNode *primitive, char out[160]);
  int (*count)(const GeomNode *primitive);
  const char *(*name)(const GeomNode *primitive, int side, Arena *arena);   /* NULL: as listed in the row */
  const char *(*collective)(const GeomNode *primitive, int side);           /* a further name that sides share, or NULL */
  void (*prepare)(GeomNode *primitive, Arena *arena);          /* makes base and data of values that check has passed */
  GeomSweep sweep;
};

void geom_side(const GeomNode *primitive, int side, GeomSide *out);
void side_closest(const GeomSide *side, const double *p, double *out);     /* the point of the side nearest to p; all arrays [3] */
void side_point(const GeomSide *side, double s, double t, double *out);    /* point at parameters in [0, 1] */
void side_normal(const GeomSide *side, const double *p, double *n);        /* unit normal near p, either sign */
bool side_is_curved(const GeomSide *side);
int side_dim(const GeomSide *side);
const char *side_name(const GeomNode *primitive, int side, Arena *arena);

/* Sweeps: t in [0, 1] from the beginning to the end; q is a point of the plane shape. geom_sweep.c */
void sweep_up(const GeomNode *primitive, const double *q, double t, double *p);
void sweep_down(const GeomNode *primitive, const double *p, double *q, double *t);
double sweep_measure(const GeomNode *node);                    /* of a top of sweeps or a single one */
bool sweep_is_closed(const GeomNode *primitive);               /* a full turn: no caps */
bool sweep_contains(const GeomNode *primitive, const double *p);
void sweep_closest(const GeomSide *side, const double *p, double *out);
void sweep_point(const GeomSide *side, double s, double t, double *out);
void sweep_normal(const GeomSide *side, const double *p, double *n);
bool sweep_is_curved(const GeomSide *side);
void sweep_bounds(const GeomSide *side, double lo[3], double hi[3]);
void side_bounds(const GeomSide *side, int dim, double lo[3], double hi[3]);   /* widens lo..hi */

/* Integral of x^power over the plane shape below node (power 0: its area); NAN where no closed form is known. */
double geom_moment(const GeomNode *node, int power);
double geom_node_measure(const GeomNode *node);
void geom_node_bounds(const GeomNode *node, double lo[3], double hi[3]);
double geom_node_size(const GeomNode *node);
int geom_node_dim(const GeomNode *node);
/* Calls visit at points spread over a side until it returns false; true: it never did. */
typedef bool (*SideVisit)(const double *p, const double *normal, void *user);
bool geom_visit_side(const GeomNode *primitive, int side, SideVisit visit, void *user);

extern const struct GeomOps geom_perforated_ops, geom_airfoil_ops, geom_extrude_ops, geom_revolve_ops, geom_wing_ops;

/* Vectors of three. */
static inline double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void cross3(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
