/* Geometries: primitives (rows of a table) combined by + - &, parts with names, named boundaries and regions. Pure C: the checker needs the
 * names without an engine. A Geom is immutable and reference-counted; lengths are in metres (or dimensionless). */
#ifndef GEOM_H
#define GEOM_H
#include "../lang/diag.h"
#include "../lang/expr.h"

typedef struct Geom Geom;

/* PROFILE: a number of four NACA digits, or the points of a file; SHAPE: a geometry one dimension lower */
typedef enum GeomArgKind { GEOM_NUMBER, GEOM_RANGE, GEOM_POINT, GEOM_POINTS, GEOM_PROFILE, GEOM_SHAPE } GeomArgKind;

typedef struct GeomParam {
  const char *name;             /* label and position: "x", "center", "radius", "a" */
  GeomArgKind kind;
  bool is_length;               /* carries the length unit in programs with units (an angle or ratio does not) */
  const char *fallback;         /* default as text ("(0, 0)", "1"), NULL: required */
  const char *doc;
} GeomParam;

typedef struct GeomArg {        /* NUMBER: 1 value; RANGE: 2; POINT: dim; POINTS: n*dim; PROFILE: 1 or 2n */
  const double *values;
  int n;                        /* number of values; 0: absent, the fallback is used */
  const Geom *shape;            /* SHAPE: borrowed, kept by what is made of it */
} GeomArg;

typedef struct GeomRow {
  const char *name;             /* "rectangle" */
  int dim;
  GeomParam params[8];          /* ended by name NULL */
  const char *sides[12];        /* boundary names, ended by NULL; rows whose sides depend on their values name them themselves */
  const char *aliases[24];      /* pairs alias, side: "x_min", "left"; ended by NULL */
  const char *doc, *example;
  const struct GeomOps *ops;    /* what the shape is: geom_side.h */
} GeomRow;

extern const GeomRow geom_rows[];
extern const int geom_row_count;
const GeomRow *geom_row(const char *name);

typedef enum GeomOp { GEOM_PRIMITIVE, GEOM_UNION, GEOM_DIFFERENCE, GEOM_INTERSECTION } GeomOp;

/* args in the order of row->params. Reports bad values (empty range, radius <= 0, self-crossing polygon) at span. */
Geom *geom_primitive(const GeomRow *row, const GeomArg *args, Diags *diags, Span span);
/* The contour of an airfoil from a point file, in the order of Selig or Lednicer: [n][2] for free(), as it stands there. Reports E1030 with the line. */
Status geom_profile_read(const char *path, Diags *diags, Span span, double **points, int *n);
/* A box without the body: sides inlet, outlet, farfield, and symmetry where the body stands on or is cut by one. ranges[d][k] NAN: the default; filled in.
 * The body is a part: by its own name, that of its primitive, or `body`. */
Geom *geom_flow_around(Geom *body, double ranges[3][2], Diags *diags, Span span);
Geom *geom_combine(GeomOp op, Geom *a, Geom *b, Diags *diags, Span span);   /* retains a and b; reports differing dimensions */
Geom *geom_named(Geom *geom, Name part);    /* the same shape as a part of that name: its sides are "part.side" */
Geom *geom_retain(Geom *geom);
void geom_release(Geom *geom);
int geom_dim(const Geom *geom);
Status geom_check_grid(const Geom *geom, Diags *diags, Span span);   /* `cells:` makes grids of intervals, rectangles and boxes: else E1005 */
void geom_bounds(const Geom *geom, double lo[3], double hi[3]);
double geom_measure(const Geom *geom);      /* exact length, area or volume; NAN where no closed form is known */

/* Names of groups compare as texts (strcmp): those of sides belong to the Geom and live as long as it does.
 *
 * Groups: sides of primitives ("left", or "outer.left" for a named part), named boundaries and regions, and `all`. */
typedef struct GeomGroup {
  Name name;             /* canonical */
  Name bare;             /* spelling without the part where only one part has it, else NULL */
  Name part;             /* NULL: the geometry itself */
  bool is_region;
  bool is_side;          /* a side of a primitive; else a named group */
  const Name *members;   /* named by a sum of groups: their canonical names */
  int nmembers;
  Expr *predicate;       /* named by `where`: scalar level in COORD, NULL otherwise */
  Span span;
} GeomGroup;

/* A copy of geom with one more named group (members or predicate; region: cells). Reports a clash of names. */
Geom *geom_with_group(Geom *geom, Interner *names, const GeomGroup *group, Diags *diags);
int geom_groups(const Geom *geom, const GeomGroup **groups);     /* borrowed; sides that vanish from the boundary are absent where that is plain */
/* part NULL: bare or canonical spelling, or an alias of a side; NULL: none (or two meanings). A named part is a boundary (all its sides) and, where it
 * adds material, a region too: geom_find prefers the boundary, geom_find_kind looks for one kind. */
const GeomGroup *geom_find(const Geom *geom, Name part, Name name);
const GeomGroup *geom_find_kind(const Geom *geom, Name part, Name name, bool region);
int geom_parts(const Geom *geom, const Name **parts);            /* named parts */

/* --- for mesh generators --- */
typedef struct GeomNode {       /* the CSG tree */
  GeomOp op;
  const GeomRow *row;           /* PRIMITIVE */
  const double *values[8];      /* PRIMITIVE: by parameter */
  int counts[8];
  Name part;                    /* name of the part this node is, or NULL */
  const struct GeomNode *a, *b;
  const struct GeomNode *base;  /* PRIMITIVE that a plane shape sweeps: that shape, itself primitive */
  const struct GeomNode *swept; /* top of a tree of sweeps: the plane tree that they come from */
  const void *data;             /* PRIMITIVE: what its row made of the values (a curve) */
} GeomNode;
const GeomNode *geom_root(const Geom *geom);
const GeomNode *geom_part(const Geom *geom, const char *part);   /* the node of a named part, NULL: none */
typedef struct GeomSideRef { const GeomNode *primitive; int side; int group; Name bare; } GeomSideRef;   /* group: index into geom_groups, -1: vanished */
int geom_sides(const Geom *geom, const GeomSideRef **sides);     /* every side of every primitive, borrowed */
/* Distance of point p from side `side` (index into row->sides) of a primitive: zero on it. */
double geom_side_distance(const GeomNode *primitive, int side, const double *p);
int geom_side_count(const GeomNode *primitive);
/* Exact curved sides: moves p (near the side) onto it. */
void geom_side_project(const GeomNode *primitive, int side, double *p);
/* Signed distance-like level of the whole shape: negative inside. */
double geom_level(const Geom *geom, const double *p);
double geom_node_level(const GeomNode *node, const double *p);
double geom_size(const Geom *geom);         /* diagonal of the bounds */
double geom_value(Expr *e, const double *p, int dim);   /* of a scalar-level expression of x y z */
/* Truth of a predicate at p; eps: tolerance of ==. */
bool geom_predicate(Expr *predicate, const double *p, double eps);
/* Truth on a facet with nv vertices [nv][dim] and the midpoint mid: == wants all of them, an inequality the midpoint alone, so that neither a
 * facet across a corner is caught nor the last facet of a range lost. */
bool geom_predicate_facet(Expr *predicate, const double *vertices, int nv, int dim, const double *mid, double eps);
/* The comparisons of a predicate as surfaces where its truth may change: normal.p == offset, or |p - centre| == radius (radius > 0). */
typedef struct GeomCut { bool equality; double normal[3], offset, centre[3], radius; Expr *comparison; } GeomCut;
/* Returns their number; *others: comparisons that are neither. */
int geom_cuts(Expr *predicate, int dim, double size, GeomCut *cuts, int max, int *others);

#endif
