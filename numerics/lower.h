/* From integrals and expressions to KIR: lower.c (requests, fields), lower_geometry.c (cells and facets), lower_expr.c (scalar expressions), lower_block.c
 * (contraction with the tables of test and trial functions), lower_table.c (tables of elements), lower_lookup.c (measured data). */
#ifndef LOWER_H
#define LOWER_H
#include "kernel.h"
#include "kir.h"

typedef struct Lowered {      /* a kernel without code */
  Kernel *kernel;             /* fn and code are empty, id too; tables set */
  Kir *kir;
} Lowered;

Status lower_integral(ExprPool *pool, const LowerRequest *request, Diags *diags, Lowered *out);
Status lower_pointwise(ExprPool *pool, Expr *const *exprs, int n, Diags *diags, Lowered *out);
void lower_kernel_free(Kernel *kernel);      /* the arrays of a kernel and the kernel; not its code */

/* --- inside --- */

enum { OPS_MAX = 10 };        /* value, 3 first and 6 second derivatives of a basis function */

/* Values and derivatives by reference coordinates of an element's functions at the quadrature points: op 0 the value, 1..dim first derivatives, then
 * second ones (i <= j, row by row). */
typedef struct Table {
  const Element *element;
  int nodes, nq, nfacets;     /* nfacets 1 for cells */
  double *value[OPS_MAX];     /* [facet][q][node] */
  bool constant[OPS_MAX];     /* the same at all points of all facets: value[op][node] */
  bool zero[OPS_MAX];
  int offset[OPS_MAX];        /* in TAB, -1: not there yet */
} Table;

typedef struct ExprValue {
  Expr *key;
  KirValue value;
} ExprValue;

typedef struct Lower {
  ExprPool *pool;
  const LowerRequest *request;      /* NULL: pointwise */
  Diags *diags;
  Span span;
  Kernel *kernel;
  KirBuilder *b;
  bool failed;                      /* reported */
  int dim, nq, nfacets, ops;        /* nfacets 1 for cells and for facets between two; ops: number of derivative ops */
  int sides;                        /* 2 on facets between cells, whose cells have the facet opposite their last vertex (mesh_interior.h) */
  const double *weights;
  double reference_measure;
  Table *tables; int ntables;
  const RefCell *cell;
  bool curved;                      /* the map of the cell is not affine: K and scale vary over it */
  KirValue map[2][CELL_MAP][3];     /* by side: its nodes, as refcell_map counts them */
  double *map_value[3];             /* N, dN, d2N of the map at [facet][q], made on demand */
  int map_table[3];                 /* their offsets in TAB, -1: not there yet */
  KirValue K[2][3][3];              /* dX_k/dx_j of reference by physical coordinates */
  KirValue scale;                   /* |det J|, of facets times the ratio of their measures */
  KirValue normal[3], point[3];     /* KIR_NONE until needed */
  KirValue weight;                  /* weight of the point times scale */
  ExprValue *memo; int nmemo, memo_cap;
  KirValue (*integral)[2]; int nintegrals;   /* values that vary over the cell and their integrals */
  int largest;                      /* degree of the elements that occur */
  int components;                   /* of all unknowns together */
  bool varies;                      /* something is left in the quadrature loop */
} Lower;

/* lower_expr.c: KIR_NONE is zero. On failure it has reported and sets failed. */
KirValue lower_expr(Lower *lo, Expr *e);
KirValue lower_zero(Lower *lo, KirValue x);        /* KIR_NONE as a constant */
bool lower_is_polynomial(Expr *e);                 /* in the coordinates, if fields and their derivatives are */

/* lower_geometry.c */
void lower_geometry(Lower *lo);                    /* sets map, K, scale, weight */
KirValue lower_point(Lower *lo, int axis);
KirValue lower_normal(Lower *lo, int axis);
KirValue lower_bending(Lower *lo, int m, int i, int j);   /* d2X_m/dx_i dx_j, where the map is not affine */

/* lower.c: terminals */
void lower_fail(Lower *lo, const char *found, const char *suggestion);
KirValue lower_term(Lower *lo, Expr *term);
KirValue lower_data(Lower *lo, KernelDataKind kind, Expr *expr, int side);
KirValue lower_size(Lower *lo, int side);          /* h; of a facet between cells the mean of both */
KirValue lower_regions(Lower *lo, Expr *e, const KirValue *args);
KirValue lower_input(Lower *lo, Expr *leaf);       /* pointwise: a further input */

/* lower_table.c */
Table *lower_table(Lower *lo, const Element *element);
void table_free(Table *table);
double *table_points(const Lower *lo);             /* reference coordinates of the cell at [facet][q]; free it */
int table_op(int dim, const uint8_t dx[3]);        /* op of a derivative by any coordinates of that pattern */
/* A table entry as a value: a constant where it is the same everywhere, else a load; node_depth: depth of the loop over nodes, or -1: node `a`. */
KirValue table_entry(Lower *lo, Table *t, int op, int a, int node_depth);

/* lower_lookup.c: a node TABLE whose arguments have these values. */
KirValue lower_lookup(Lower *lo, Expr *e, const KirValue *args);

/* lower_block.c: adds sum over physical derivative ops of coefficient*op(test)[*op(trial)] to the output. */
typedef struct Argument {     /* a component of a test or trial function */
  Table *table;
  int first, step;            /* its dof of node a is first + a*step */
  int side;                   /* 0, or 1 for the second cell of a facet */
} Argument;
void lower_values(Lower *lo, const KirValue *value, int n);                                      /* rank 0 */
void lower_vector(Lower *lo, const Argument *test, KirValue c[OPS_MAX]);                         /* rank 1 */
/* rank 2. mirror: the block is also written transposed; upper: it is its own transpose, the half above the diagonal is computed. */
void lower_matrix(Lower *lo, const Argument *test, const Argument *trial, KirValue c[OPS_MAX][OPS_MAX], bool mirror, bool upper);
void lower_blank(Lower *lo, const Argument *test, const Argument *trial);                        /* zeros; trial NULL: rank 1 */

#endif
