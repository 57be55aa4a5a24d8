/* Affine constraints between dofs: sum of coefficients * dofs = right side. Rows come from periodic sides (affine_periodic.c) and from prescribed
 * normal or tangential parts of vectors (affine_normal.c), and from unknown numbers that are values on a boundary (affine_number.c). Elimination makes lines of them, slave = sum of coefficients * masters + right sides, and the
 * problem is solved for the masters: u = C w + b, residual C^T r, Jacobian C^T J C (the condensation of constraints, as in Bangerth, Hartmann, Kanschat
 * 2007, section 3.3). Prescribed dofs are never slaves. A problem without such conditions has none of this: Affine is NULL, and every function takes it. */
#ifndef AFFINE_H
#define AFFINE_H
#include "bc.h"
#include "pattern.h"

enum { AFFINE_ENTRIES = 4 };

typedef struct AffineRow {       /* a constraint between few dofs; plain data, sent between ranks as it is */
  int n;
  bool prescribed[AFFINE_ENTRIES];
  long dof[AFFINE_ENTRIES];      /* global */
  double coef[AFFINE_ENTRIES];   /* of largest magnitude about 1; of equal ones the last entry becomes the slave */
  int point, npoints;            /* right side: sum of weight*dot(direction, value of the condition) over points of this rank; none: zero */
  double direction[3];
  int unknown, node, side;       /* of a normal or tangential part: its node on this rank, and the group of the side (affine_sides); side -1: periodic */
} AffineRow;

typedef struct AffinePoint { int condition, cell, facet; double reference[3], weight; } AffinePoint;

typedef struct AffineRows {      /* what the constructors below append to */
  AffineRow *row; int n, cap;
  AffinePoint *point; int npoints, point_cap;
} AffineRows;

AffineRow *affine_row(AffineRows *rows);                          /* appends a zeroed one */
void affine_entry(AffineRow *row, const Space *space, const char *prescribed, int dof, double coef);   /* local dof */
AffinePoint *affine_point(AffineRows *rows);

/* For each facet the smallest boundary group that it is in, the number of groups: none; free it. */
int *affine_sides(const Mesh *mesh);
/* Rows of this rank, each on one rank only. Collective. */
Status affine_periodic(const Pde *pde, const Data *data, const char *prescribed, AffineRows *rows);
Status affine_normal(const Pde *pde, const Data *data, const char *prescribed, AffineRows *rows);
Status affine_number(const Pde *pde, const Data *data, const char *prescribed, AffineRows *rows);

typedef struct Affine Affine;
/* *out is NULL where the pde has no such condition. Collective, as all below. E2520 where periodic sides do not match. */
Status affine_new(const Pde *pde, const Data *data, const Bc *bc, Affine **out);
void affine_free(Affine *affine);
/* Slaves of u[nlocal] := what their masters and data->time say, ghosts included. */
Status affine_apply(Affine *affine, const Data *data, double *u);
/* r[nowned] := C^T r; zero at slaves. */
Status affine_condense(const Affine *affine, double *r);
/* d[nowned]: slaves := the change that their masters' changes make. */
Status affine_expand(const Affine *affine, double *d);
bool affine_is_slave(const Affine *affine, int dof);      /* an owned one */
/* Takes out of the residual r[nlocal] of an unknown what holds its normal and tangential parts, a force along them at each node, and adds up per component
 * what belongs to sides with asked facets; of this rank. Not collective. */
void affine_reactions(const Affine *affine, const Bc *bc, const Mesh *mesh, int unknown, const char *asked, double *r, double *sum);
/* pattern->system := C^T J C with pattern->scale on the diagonal of slaves. */
Status affine_system(const Affine *affine, Pattern *pattern);

#endif
