#include "multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "engine_internal.h"

enum { COARSEST = 1500, COARSEST_MOST = 20000 };     /* dofs below which a factor solves the rest; most of them if halving ends before */

static double vertices(const int *cells, int dim) {
  double n = 1;
  for (int d = 0; d < dim; d++) n *= cells[d] + 1;
  return n;
}

/* Half as many cells in the directions in which they are short, so that they become cubes: a point smoother is no good on long ones. false: the grid
 * cannot be halved there. */
static bool halve(const Mesh *mesh, const int *cells, int *coarse) {
  double h[3], shortest = INFINITY;
  for (int d = 0; d < mesh->dim; d++) {
    if (cells[d] <= 0) return false;
    h[d] = (mesh->hi[d] - mesh->lo[d]) / cells[d];
    shortest = fmin(shortest, h[d]);
  }
  bool halved = false;
  for (int d = 0; d < mesh->dim; d++) {
    bool is_short = h[d] < 1.5 * shortest, even = cells[d] % 2 == 0 && cells[d] >= 4;
    if (is_short && !even) return false;
    coarse[d] = is_short ? cells[d] / 2 : cells[d];
    halved |= is_short;
  }
  return halved;
}

/* Can it be halved, and until few dofs are left? */
static bool nests(const Mesh *mesh, int components) {
  int cells[3] = {mesh->structured[0], mesh->structured[1], mesh->structured[2]};
  if (!halve(mesh, cells, cells)) return false;
  while (components * vertices(cells, mesh->dim) > COARSEST && halve(mesh, cells, cells)) {}
  return components * vertices(cells, mesh->dim) <= COARSEST_MOST;
}

bool multigrid_fits(const Problem *problem) {
  const Mesh *mesh = problem->mesh;
  const Space *space = problem->space;
  if (mesh->dim < 2 || mesh->nranks > 1 || !mesh->geom || space->nblocks != 1 || problem->nborders || problem->affine || !(problem->step.findings & FORM_LINEAR)) return false;
  for (int i = 0; i < problem->step.njacobian; i++)       /* of what the coarse grids know nothing */
    if (problem->step.jacobian[i].integral->integrand->flags & (HAS_PREVIOUS | HAS_HOST)) return false;
  if (problem_joins_cells(problem) || element_is_broken(space->block[0].nodes->element)) return false;
  return space->block[0].nodes->element->degree <= 2 && nests(mesh, space->block[0].components);
}

/* ---- interpolation: a node of the finer space lies on a node of the coarser one, or in the middle of some ------------------------------------ */

enum { PARENTS = CELL_VERTS };

typedef struct Prolongation {
  const Problem *fine, *coarse;
  int *where;                    /* on one mesh: of each node a cell*per_cell + its place there; NULL: on a grid and the coarser one */
} Prolongation;

/* On a grid. Vertices go along x first, then y, then z. Linear functions of simplices: all diagonals of the cells run from low to high corners
 * (mesh_struct.c), so a vertex with odd coordinates is the middle of the coarse edge between them rounded down and rounded up. Those of tensor cells: the
 * middle of all vertices with coordinates rounded in either way. */
static int parents_on_grid(const Mesh *fine, const Mesh *coarse, int v, int *out) {
  int at = v, step = 1, n = 1;
  bool tensor = fine->ref->shape == CELL_TENSOR;
  out[0] = out[1] = 0;
  for (int d = 0, odd = 0; d < fine->dim; d++) {
    int ratio = fine->structured[d] / coarse->structured[d], i = at % (fine->structured[d] + 1), down = i / ratio, up = (i + ratio - 1) / ratio;
    at /= fine->structured[d] + 1;
    if (up > down && (tensor || !odd)) {
      for (int k = 0; k < n; k++) out[n + k] = out[k];
      for (int k = 0; k < n; k++) out[k] += step * down, out[n + k] += step * up;
      n *= 2, odd = 1;
    } else {
      for (int k = 0; k < n; k++) out[k] += step * (k < n / 2 || up == down ? down : up);
    }
    step *= coarse->structured[d] + 1;
  }
  return n;
}

/* Degrees 2 and 1 on one mesh: its nodes are the vertices and the middles of edges, of tensor cells those of faces and cells too. */
static int parents_in_cell(const NodeSet *fine, const NodeSet *coarse, int where, int *out) {
  const RefCell *ref = fine->mesh->ref;
  const int *corner = coarse->cell + (size_t)(where / fine->per_cell) * (size_t)coarse->per_cell;
  int a = where % fine->per_cell, n = 0;
  if (a < ref->nverts) out[n++] = corner[a];
  else if ((a -= ref->nverts) < ref->nedges) out[n++] = corner[ref->edge[a][0]], out[n++] = corner[ref->edge[a][1]];
  else if (ref->dim == 3 && (a -= ref->nedges) < ref->nfacets)
    while (n < ref->facet_verts) out[n] = corner[ref->facet[a][n]], n++;
  else
    while (n < ref->nverts) out[n] = corner[n], n++;
  return n;
}

static void prolongation_open(const Problem *fine, const Problem *coarse, Prolongation *out) {
  *out = (Prolongation){.fine = fine, .coarse = coarse};
  if (!mesh_same_cells(fine->mesh, coarse->mesh)) return;
  const NodeSet *nodes = fine->space->block[0].nodes;
  out->where = big_alloc(sizeof(int) * (size_t)nodes->n);
  for (int i = 0; i < nodes->mesh->ncells * nodes->per_cell; i++) out->where[nodes->cell[i]] = i;
}

static int parents(const Prolongation *p, int node, int *out) {
  return p->where ? parents_in_cell(p->fine->space->block[0].nodes, p->coarse->space->block[0].nodes, p->where[node], out)
                  : parents_on_grid(p->fine->mesh, p->coarse->mesh, node, out);
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Prescribed values have no corrections. */
static Status interpolation(const Problem *fine, const Problem *coarse, Mat *out) {
  const SpaceBlock *to = &fine->space->block[0], *from = &coarse->space->block[0];
  Prolongation p;
  int n = fine->space->nowned, at = 0, of[PARENTS];
  prolongation_open(fine, coarse, &p);
  size_t most = 0;
  for (int node = 0; node < to->nodes->n; node++) most += (size_t)parents(&p, node, of) * (size_t)to->components;
  int *row = big_alloc(sizeof(int) * (size_t)(n + 1)), *col = big_alloc(sizeof(int) * most);
  double *value = big_alloc(sizeof(double) * most);
  for (int node = 0; node < to->nodes->n; node++) {
    int m = parents(&p, node, of);
    qsort(of, (size_t)m, sizeof *of, by_number);
    for (int i = 0; i < to->components; i++) {
      row[space_dof(to, node) + i] = at;
      if (fine->bc->prescribed[space_dof(to, node) + i]) continue;
      for (int k = 0; k < m; k++) {
        int dof = space_dof(from, of[k]) + i;
        if (!coarse->bc->prescribed[dof]) col[at] = dof, value[at++] = 1.0 / m;
      }
    }
  }
  row[n] = at;
  Status status = MatCreate(PETSC_COMM_SELF, out);
  if (!status) status = MatSetSizes(*out, n, coarse->space->nowned, n, coarse->space->nowned);
  if (!status) status = MatSetType(*out, MATSEQAIJ);
  if (!status) status = MatSeqAIJSetPreallocationCSR(*out, row, col, value);
  free(p.where), free(row), free(col), free(value);
  return status;
}

/* ---- the hierarchy ------------------------------------------------------------------------------------------------------------------------- */

/* The same pde in the linear element, on the same mesh or on the next grid. NULL without a report where there is none, as when a part of the
 * boundary is too short for its cells. */
static Problem *coarser(const Problem *fine, Multigrid *grids) {
  const Mesh *mesh = fine->mesh;
  bool linear = fine->space->block[0].nodes->element->degree == 1;
  Diags quiet = {.sources = fine->diags->sources};
  Mesh *coarse = NULL;
  Problem *problem = NULL;
  Pde pde = *fine->pde;
  if (!linear) {
    grids->linear = pde.unknowns[0];
    grids->linear.element = intern_text(fine->engine->options.names, element_of(mesh->ref->shape, 1)->name);
    pde.unknowns = &grids->linear;
    coarse = mesh_retain((Mesh *)mesh);
  } else {
    MeshOptions options = {.ncells_given = mesh->dim, .shape = mesh->ref->shape, .order = 1, .span = fine->span, .quiet = true};
    if (!halve(mesh, mesh->structured, options.cells) || mesh_structured(mesh->geom, &options, &quiet, &coarse)) coarse = NULL;
  }
  if (coarse && problem_new(fine->engine, &pde, coarse, &fine->world, fine->transient ? fine->step_form.row : NULL, fine->degree, &quiet, fine->span, &problem)) problem = NULL;
  if (problem) problem->diags = fine->diags;
  mesh_release(coarse);
  diags_free(&quiet);
  return problem;
}

/* Forward from zero before the coarse grid and backward after it: a symmetric cycle, as conjugate gradients need. */
static Status set_smoother(KSP smoother, KSPType type, MatSORType sweep, int sweeps) {
  PC pc;
  TRY(KSPGetPC(smoother, &pc));
  TRY(KSPSetType(smoother, type));
  TRY(KSPSetNormType(smoother, KSP_NORM_NONE));
  TRY(KSPSetTolerances(smoother, 0, 0, 1e50, 1));
  TRY(PCSetType(pc, PCSOR));
  TRY(PCSORSetIterations(pc, 1, sweeps));
  return PCSORSetSymmetric(pc, sweep);
}

static Status set_level(PC pc, int level, int sweeps, Mat matrix) {
  KSP down, up;
  if (!level) {
    PC factor;
    TRY(PCMGGetCoarseSolve(pc, &down));
    TRY(KSPSetOperators(down, matrix, matrix));
    TRY(KSPSetType(down, KSPPREONLY));
    TRY(KSPGetPC(down, &factor));
    return PCSetType(factor, PCCHOLESKY);
  }
  TRY(PCMGGetSmootherDown(pc, level, &down));
  TRY(PCMGGetSmootherUp(pc, level, &up));
  TRY(KSPSetOperators(down, matrix, matrix));
  TRY(KSPSetOperators(up, matrix, matrix));
  TRY(set_smoother(down, KSPPREONLY, SOR_LOCAL_FORWARD_SWEEP, sweeps));
  return set_smoother(up, KSPRICHARDSON, SOR_LOCAL_BACKWARD_SWEEP, sweeps);
}

/* Level 0 is the coarsest for PCMG. */
static Status connect(Multigrid *grids, Problem *problem, const Pattern *pattern, PC pc) {
  int levels = grids->nlevels + 1;
  TRY(PCMGSetLevels(pc, levels, NULL));
  TRY(PCMGSetDistinctSmoothUp(pc));
  for (int k = 0; k < levels; k++) {
    int level = levels - 1 - k;                /* k steps down */
    TRY(set_level(pc, level, k ? 2 : 1, k ? grids->pattern[k - 1]->matrix : pattern->matrix));
    if (!level) break;
    Mat up;
    TRY(interpolation(k ? grids->problem[k - 1] : problem, grids->problem[k], &up));
    TRY(PCMGSetInterpolation(pc, level, up));
    TRY(MatDestroy(&up));
  }
  return 0;
}

Status multigrid_open(Multigrid *grids, Problem *problem, const Pattern *pattern, PC pc) {
  const Problem *fine = problem;
  while (grids->nlevels < MULTIGRID_MOST && (fine->space->nowned > COARSEST || !grids->nlevels)) {
    Problem *next = coarser(fine, grids);
    if (!next) break;
    fine = grids->problem[grids->nlevels++] = next;
  }
  for (int k = 0; k < grids->nlevels; k++) {
    bool last = k == grids->nlevels - 1;       /* the factor wants AIJ */
    TRY(pattern_new(grids->problem[k]->space, last ? STORE_AIJ : pattern->store, false, NULL, grids->problem[k]->bc->prescribed, NULL, &grids->pattern[k]));
    TRY(MatSetOption(grids->pattern[k]->matrix, MAT_SPD, PETSC_TRUE));
  }
  return connect(grids, problem, pattern, pc);
}

Status multigrid_assemble(Multigrid *grids, const Data *data) {
  for (int k = 0; k < grids->nlevels; k++) {
    Data coarse = problem_data(grids->problem[k], data->time);
    coarse.scheme = data->scheme;
    coarse.diags = data->diags;
    TRY(problem_jacobian(grids->problem[k], &coarse, grids->pattern[k]));
  }
  return 0;
}

void multigrid_close(Multigrid *grids) {
  for (int k = 0; k < grids->nlevels; k++) pattern_free(grids->pattern[k]), problem_free(grids->problem[k]);
  *grids = (Multigrid){0};
}
