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
  if (mesh->dim < 2 || mesh->ref->shape != CELL_SIMPLEX || mesh->nranks > 1 || !mesh->geom || space->nblocks != 1 || problem->nborders || problem->affine || !(problem->step.findings & FORM_LINEAR)) return false;
  for (int i = 0; i < problem->step.njacobian; i++)       /* of what the coarse grids know nothing */
    if (problem->step.jacobian[i].integral->integrand->flags & (HAS_PREVIOUS | HAS_HOST)) return false;
  if (problem_joins_cells(problem) || element_is_broken(space->block[0].nodes->element)) return false;
  return space->block[0].nodes->element->degree <= 2 && nests(mesh, space->block[0].components);
}

/* ---- interpolation: a node of the finer space lies on a node of the coarser one, or midway between two ------------------------------------- */

typedef struct Parents { int a, b; } Parents;

/* P1 on a grid and on the coarser one. Vertices go along x first, then y, then z; all diagonals of the cells run from low to high corners
 * (mesh_struct.c), so a vertex with odd coordinates is the middle of the coarse edge between them rounded down and rounded up. */
static Parents *parents_of_grid(const Mesh *fine, const Mesh *coarse) {
  int n[3] = {0}, m[3] = {0}, ratio[3] = {1, 1, 1};
  for (int d = 0; d < fine->dim; d++) n[d] = fine->structured[d], m[d] = coarse->structured[d], ratio[d] = n[d] / m[d];
  int row = m[0] + 1, layer = row * (m[1] + 1), v = 0;
  Parents *parents = big_alloc(sizeof(Parents) * (size_t)fine->nverts);
  for (int k = 0; k <= n[2]; k++)
    for (int j = 0; j <= n[1]; j++) {
      int down = row * (j / ratio[1]) + layer * (k / ratio[2]), up = row * ((j + ratio[1] - 1) / ratio[1]) + layer * ((k + ratio[2] - 1) / ratio[2]);
      for (int i = 0; i <= n[0]; i++) parents[v++] = (Parents){down + i / ratio[0], up + (i + ratio[0] - 1) / ratio[0]};
    }
  return parents;
}

/* P2 and P1 on one mesh: its nodes are the vertices and the middles of edges. */
static Parents *parents_of_edges(const NodeSet *fine, const NodeSet *coarse) {
  int dim = fine->mesh->dim;
  Parents *parents = big_alloc(sizeof(Parents) * (size_t)fine->n);
  for (int c = 0; c < fine->mesh->ncells; c++) {
    const int *node = fine->cell + (size_t)c * (size_t)fine->per_cell, *corner = coarse->cell + (size_t)c * (size_t)coarse->per_cell;
    for (int a = 0; a <= dim; a++) parents[node[a]] = (Parents){corner[a], corner[a]};
    for (int e = 0; e < fine->per_cell - dim - 1; e++) parents[node[dim + 1 + e]] = (Parents){corner[mesh_edge_vertices[dim][e][0]], corner[mesh_edge_vertices[dim][e][1]]};
  }
  return parents;
}

/* Prescribed values have no corrections. */
static Status interpolation(const Problem *fine, const Problem *coarse, Mat *out) {
  const SpaceBlock *to = &fine->space->block[0], *from = &coarse->space->block[0];
  Parents *parents = mesh_same_cells(fine->mesh, coarse->mesh) ? parents_of_edges(to->nodes, from->nodes) : parents_of_grid(fine->mesh, coarse->mesh);
  int n = fine->space->nowned, at = 0;
  int *row = big_alloc(sizeof(int) * (size_t)(n + 1)), *col = big_alloc(sizeof(int) * 2 * (size_t)n);
  double *value = big_alloc(sizeof(double) * 2 * (size_t)n);
  for (int node = 0; node < to->nodes->n; node++)
    for (int i = 0; i < to->components; i++) {
      int dof = space_dof(to, node) + i, a = space_dof(from, parents[node].a) + i, b = space_dof(from, parents[node].b) + i;
      row[dof] = at;
      if (fine->bc->prescribed[dof]) continue;
      if (!coarse->bc->prescribed[a < b ? a : b]) col[at] = a < b ? a : b, value[at++] = a == b ? 1 : 0.5;
      if (a != b && !coarse->bc->prescribed[a < b ? b : a]) col[at] = a < b ? b : a, value[at++] = 0.5;
    }
  row[n] = at;
  Status status = MatCreate(PETSC_COMM_SELF, out);
  if (!status) status = MatSetSizes(*out, n, coarse->space->nowned, n, coarse->space->nowned);
  if (!status) status = MatSetType(*out, MATSEQAIJ);
  if (!status) status = MatSeqAIJSetPreallocationCSR(*out, row, col, value);
  free(parents), free(row), free(col), free(value);
  return status;
}

/* ---- the hierarchy ------------------------------------------------------------------------------------------------------------------------- */

/* The same pde in P1, on the same mesh or on the next grid. NULL without a report where there is none, as when a part of the
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
    grids->linear.element = intern_text(fine->engine->options.names, "P1");
    pde.unknowns = &grids->linear;
    coarse = mesh_retain((Mesh *)mesh);
  } else {
    MeshOptions options = {.ncells_given = mesh->dim, .order = 1, .span = fine->span, .quiet = true};
    if (!halve(mesh, mesh->structured, options.cells) || mesh_structured(mesh->geom, &options, &quiet, &coarse)) coarse = NULL;
  }
  if (coarse && problem_new(fine->engine, &pde, coarse, &fine->world, fine->transient ? fine->step_form.row : NULL, fine->degree, &quiet, fine->span, &problem)) problem = NULL;
  if (problem) problem->diags = fine->diags;
  mesh_release(coarse);
  diags_free(&quiet);
  return problem;
}

/* Forward from zero before the coarse grid and backward after it: a symmetric cycle, as conjugate gradients need. */
static Status set_smoother(KSP smoother, KSPType type, MatSORType sweep) {
  PC pc;
  TRY(KSPGetPC(smoother, &pc));
  TRY(KSPSetType(smoother, type));
  TRY(KSPSetNormType(smoother, KSP_NORM_NONE));
  TRY(KSPSetTolerances(smoother, 0, 0, 1e50, 1));
  TRY(PCSetType(pc, PCSOR));
  return PCSORSetSymmetric(pc, sweep);
}

static Status set_level(PC pc, int level, Mat matrix) {
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
  TRY(set_smoother(down, KSPPREONLY, SOR_LOCAL_FORWARD_SWEEP));
  return set_smoother(up, KSPRICHARDSON, SOR_LOCAL_BACKWARD_SWEEP);
}

/* Level 0 is the coarsest for PCMG. */
static Status connect(Multigrid *grids, Problem *problem, const Pattern *pattern, PC pc) {
  int levels = grids->nlevels + 1;
  TRY(PCMGSetLevels(pc, levels, NULL));
  TRY(PCMGSetDistinctSmoothUp(pc));
  for (int k = 0; k < levels; k++) {
    int level = levels - 1 - k;                /* k steps down */
    TRY(set_level(pc, level, k ? grids->pattern[k - 1]->matrix : pattern->matrix));
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
    TRY(pattern_new(grids->problem[k]->space, last ? STORE_AIJ : pattern->store, false, grids->problem[k]->bc->prescribed, NULL, &grids->pattern[k]));
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
