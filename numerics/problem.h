/* A pde on a mesh in a world of values: its form with the field-valued parameters put in, kernels, prescribed values, constraints, spaces. */
#ifndef PROBLEM_H
#define PROBLEM_H
#include "affine.h"
#include "assemble.h"
#include "border.h"
#include "field.h"

typedef struct Stepping {        /* integrals of one kind of step (or of the steady problem) with kernels */
  Part *residual; int nresidual;
  Part *jacobian; int njacobian;
  unsigned findings;             /* of its Jacobian */
  bool constant;                 /* the Jacobian does not change from step to step while step sizes do not */
} Stepping;

typedef struct Problem {
  Engine *engine;
  Pde *pde;                      /* a copy with field-valued parameters put in, owned with its arena */
  Form *form;
  Mesh *mesh;
  Space *space;
  World world;                   /* copy; solutions retained */
  Bc *bc;
  Affine *affine;                /* NULL: no dof depends on others */
  Border *border; int nborders;
  Stepping step;
  StepForm step_form; bool transient;
  int degree;
  Diags *diags; Span span;       /* of the call that runs now */
} Problem;

/* scheme: NULL for a steady problem. Collective. The mesh and pde stay the caller's (mesh is retained). */
Status problem_new(Engine *engine, Pde *pde, Mesh *mesh, const World *world, const SchemeRow *scheme, int degree, Diags *diags, Span span, Problem **out);
/* The same without kernels (step is empty) and borders, for those who make their own integrals of the form; problem_borders adds them. */
Status problem_begin(Engine *engine, Pde *pde, Mesh *mesh, const World *world, int degree, Diags *diags, Span span, Problem **out);
Status problem_borders(Problem *problem);
/* A reference to the mesh that unknowns of these elements live on: without bends where no element is of degree 2 or more. */
Mesh *problem_mesh(const Unknown *unknowns, int n, Mesh *mesh);
/* Elements that nobody chose become the linear ones of the mesh's cells. */
void problem_elements(Unknown *unknowns, int n, const Mesh *mesh, Interner *names);
/* The mesh to look at fields on: where those on the cells of this one are all on straight cells, these (borrowed). */
Mesh *world_mesh(const World *world, Mesh *mesh);
void problem_free(Problem *problem);
JoinedCells problem_joins_cells(const Problem *problem);      /* the Jacobian has integrals over the facets between cells */
/* [nunknowns] for free(): no component of the unknown meets another of its own in the Jacobian of a step (Pattern.apart). Collective. */
unsigned char *problem_apart(const Problem *problem);
Data problem_data(const Problem *problem, double time);
/* Kernels of integrals on the problem's mesh. rank 1 residual, 2 jacobian. */
Status problem_parts(Problem *problem, const Integral *integrals, int n, int rank, bool symmetric, bool owned, Part **out);
void problem_parts_free(Part *parts, int n);
/* Writes what is prescribed at data->time into u[nlocal]: values, and dofs that follow others. Collective. */
Status problem_prescribe(Problem *problem, const Data *data, double *u);
/* r[nlocal] := the residual at data->unknown, constraints included; where asked condensed to the dofs that are solved for, the other rows zero. Ghost rows hold rubbish. */
Status problem_residual(Problem *problem, const Data *data, bool zero_prescribed, double *r);
Status problem_jacobian(Problem *problem, const Data *data, Pattern *pattern);

/* --- functionals over the mesh, for reductions and constraints --- */
/* A kernel for scalar-level integrands (rank 0, several at once; or rank 1 with unknowns) over `where`. */
Status functional_part(const Data *data, const Unknown *unknowns, int nunknowns, Expr **integrand, int n, int rank, IntegralKind kind, const Where *where, int degree,
                       bool owned, Part *out);

#endif
