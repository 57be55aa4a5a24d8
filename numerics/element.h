/* Finite elements on simplices (later tensor cells): rows of element.def, dofs per entity, tabulation. Basis by barycentric coordinates; nodes are
 * Lagrange points in the order vertices, edges (mesh_edge_vertices order), faces, interior. */
#ifndef ELEMENT_H
#define ELEMENT_H
#include <stdbool.h>

#include "refcell.h"

typedef struct Element {
  const char *name;             /* "P2" */
  int degree;
  int per_vertex, per_edge, per_face, per_cell;   /* dofs per entity (scalar element) */
  const char *doc;
  /* Basis functions and their derivatives by reference coordinates at n reference points: out[(p*nodes + a)] , dout[((p*nodes + a)*dim + j)],
   * d2out[((p*nodes+a)*dim + i)*dim + j]; any of them NULL. Reference simplex: vertex 0 at the origin, vertex i at e_i. */
  void (*tabulate)(int dim, int n, const double *points, double *out, double *dout, double *d2out);
  void (*nodes)(int dim, double *points);          /* reference coordinates of the nodes */
  CellShape shape;              /* of the cells that it lives on */
} Element;

extern const Element elements[];
extern const int element_count;
const Element *element_find(const char *name);     /* NULL: unknown */
const Element *element_of(CellShape shape, int degree);   /* the continuous one of that degree */
bool element_fits(const Element *element, const RefCell *cell);
int element_nodes(const Element *element, int dim);/* dofs of a scalar element on a simplex of that dimension */
int element_inside(const Element *element, int dim);  /* those of them that belong to the cell alone: all of a discontinuous element */
bool element_is_broken(const Element *element);       /* discontinuous: DG0, DG1 */

/* Quadrature on the reference simplex of dim 0..3, exact for polynomials of `degree`; points [n][dim], weights sum to the reference
 * measure (1, 1/2, 1/6). Returns n; points and weights are static tables or cached, borrowed. Degree is at most QUAD_MAX. */
enum { QUAD_MAX = 20 };
int quad_rule(int dim, int degree, const double **points, const double **weights);
/* The same on the reference cell of a shape: on the unit square and cube Gauss rules in each coordinate, exact to `degree` in each. */
int quad_on(CellShape shape, int dim, int degree, const double **points, const double **weights);

#endif
