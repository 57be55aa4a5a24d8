/* Where kernels and expressions get their numbers: the current iterate, earlier steps, known fields, parameters, time, host functions. */
#ifndef DATA_H
#define DATA_H
#include "engine.h"
#include "scheme.h"
#include "space.h"

typedef struct Data {
  Engine *engine;
  Mesh *mesh;
  const Space *space;                /* of the unknowns; NULL: the expression has none */
  const Pde *pde;                    /* whose numbers (Global) stand beside the fields in `unknown`; NULL: none */
  const double *unknown;             /* [nlocal] current iterate */
  const double *previous[SCHEME_LEVELS], *rate[SCHEME_LEVELS];   /* k + 1 steps back */
  const World *world;
  double time;                       /* t of this evaluation; NAN: not known */
  const double *scheme;              /* [SCHEME_PARAMS] values of scheme_params; NULL outside of a step */
  Diags *diags; Span span;
} Data;

/* Once before expressions with fields of other meshes are evaluated: with several ranks those fields are gathered. Collective. */
Status data_prepare(const Data *data);

/* Dofs of a symbol's field. false: unknown serial or level (reported). */
typedef struct FieldData {
  const Space *space;
  const SpaceBlock *block;
  const double *values;              /* [space->nlocal] */
} FieldData;
Status data_field(const Data *data, const Symbol *symbol, FieldData *out);
/* Value of a PARAM, TIME or CONST leaf. */
Status data_number(const Data *data, Expr *leaf, double *out);
/* Value of an expression without fields and coordinates. */
Status data_constant(const Data *data, Expr *e, double *out);
const HostFunction *data_host(const Data *data, Name name);
/* Diameter of a cell (its longest edge), the h of the language. */
double cell_size(const Mesh *mesh, int cell);
double domain_size(const Mesh *mesh);                   /* longest side of its bounding box: what `==` is within 1e-9 of */

/* Zeroed lane arrays for kernels, aligned to a cache line; freed by free(). */
double *lanes_alloc(size_t entries, int width);

/* --- expressions at points of cells --- */
typedef struct Points {
  int n;
  const int *cell;                   /* [n] local cell of data->mesh */
  const double *reference;           /* [n][dim] reference coordinates in it */
  const int *facet;                  /* [n] local facet for the normal, or NULL: n is not known */
} Points;

/* Value of a leaf: TERM, COORD, NORMAL_COMPONENT, SIZE, HOSTCALL; of REGIONS the number of the argument that holds; of others a number. */
Status data_leaf(const Data *data, Expr *leaf, const Points *points, double *out);
/* The derivative with dx[3] of each function of an element at a point of a cell: out[element_nodes]. */
void data_basis(const Mesh *mesh, int cell, const double *X, const Element *element, const uint8_t *dx, double *out);
/* Values of n scalar-level expressions: out[i*npoints + p]. */
Status data_evaluate(const Data *data, Expr *const *exprs, int n, const Points *points, double *out);
/* Components of a tensor-level expression: out[p*size + c]. */
Status data_evaluate_tensor(const Data *data, Expr *e, const Points *points, double *out);

#endif
