/* Sides of primitives as data. A row of the table of primitives says which sides a shape has; distance, projection, inside, bounds
 * and what a mesh generator needs follow from that. */
#ifndef GEOM_SIDE_H
#define GEOM_SIDE_H
#include "geom.h"

typedef enum GeomSideKind { SIDE_POINT, SIDE_SEGMENT, SIDE_CIRCLE, SIDE_PATCH, SIDE_DISC, SIDE_TUBE, SIDE_SPHERE } GeomSideKind;

typedef struct GeomSide {
  GeomSideKind kind;
  double a[3];       /* POINT; SEGMENT, PATCH: origin; others: centre (TUBE: of its first end) */
  double u[3], v[3]; /* SEGMENT a..a+u; PATCH a + s u + t v, u x v points outward; DISC: outward unit normal u; TUBE: axis u, of its length */
  double radius;
} GeomSide;

struct GeomOps {
  int nsides;                                                  /* 0: one a point of the list */
  void (*side)(const GeomNode *primitive, int side, GeomSide *out);
  double (*measure)(const GeomNode *primitive);
  /* NULL when the values make sense, else what is wrong with them; out has room for a text. */
  const char *(*check)(const GeomNode *primitive, char out[160]);
};

void geom_side(const GeomNode *primitive, int side, GeomSide *out);
void side_closest(const GeomSide *side, const double *p, double *out);     /* the point of the side nearest to p; all arrays [3] */
void side_point(const GeomSide *side, double s, double t, double *out);    /* point at parameters in [0, 1] */
void side_normal(const GeomSide *side, const double *p, double *n);        /* unit normal near p, either sign */
bool side_is_curved(const GeomSide *side);
int side_dim(const GeomSide *side);

/* Vectors of three. */
static inline double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void cross3(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
