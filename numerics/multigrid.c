#include "multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COARSE = 8 };             /* cells a side below which a factor solves the rest */

static bool halves(const int *cells) { return cells[0] % 2 == 0 && cells[1] % 2 == 0 && cells[0] > COARSE && cells[1] > COARSE; }

bool multigrid_fits(const Problem *problem) {
  const Mesh *mesh = problem->mesh;
  const Space *space = problem->space;
  const int *cells = mesh->structured;
  if (mesh->dim != 2 || mesh->nranks > 1 || !mesh->geom || cells[0] <= 0 || cells[1] <= 0 || cells[0] % 4 || cells[1] % 4) return false;
  return halves(cells) && space->nblocks == 1 && space->block[0].components == 1 && space->block[0].nodes->element->degree == 1 && !problem->nborders &&
         (problem->step.findings & FORM_LINEAR);
}

/* Vertices by place: [(nx + 1)*(ny + 1)]. NULL: the mesh is no such grid. */
static int *grid_of(const Mesh *mesh) {
  int nx = mesh->structured[0], ny = mesh->structured[1];
  int *at = malloc(sizeof(int) * (size_t)(nx + 1) * (size_t)(ny + 1));
  memset(at, 255, sizeof(int) * (size_t)(nx + 1) * (size_t)(ny + 1));
  for (int v = 0; v < mesh->nverts; v++) {
    long i = lround((mesh->x[2 * v] - mesh->lo[0]) / (mesh->hi[0] - mesh->lo[0]) * nx), j = lround((mesh->x[2 * v + 1] - mesh->lo[1]) / (mesh->hi[1] - mesh->lo[1]) * ny);
    if (i >= 0 && i <= nx && j >= 0 && j <= ny) at[i + (nx + 1) * j] = v;
  }
  for (int k = 0; k < (nx + 1) * (ny + 1); k++)
    if (at[k] < 0) {
      free(at);
      return NULL;
    }
  return at;
}

/* Linear interpolation: a fine vertex lies on a coarse one or on the middle of a coarse edge; the diagonals run from lower left to upper right.
 * Prescribed values have no corrections. */
static Status interpolation(const Problem *fine, const Problem *coarse, Mat *out) {
  const int *cells = fine->mesh->structured;
  int nx = cells[0], ny = cells[1], mx = nx / 2 + 1, n = fine->space->nowned, m = coarse->space->nowned;
  int *from = grid_of(coarse->mesh), *to = grid_of(fine->mesh);
  Status status = MatCreateSeqAIJ(PETSC_COMM_SELF, n, m, 2, NULL, out);
  for (int j = 0; j <= ny && !status; j++)
    for (int i = 0; i <= nx && !status; i++) {
      PetscInt row = to[i + (nx + 1) * j];
      if (fine->bc->prescribed[row]) continue;
      PetscInt a = from[i / 2 + mx * (j / 2)], b = from[(i + 1) / 2 + mx * ((j + 1) / 2)];
      double one = 1, half = 0.5;
      if (a == b && !coarse->bc->prescribed[a]) status = MatSetValues(*out, 1, &row, 1, &a, &one, INSERT_VALUES);
      if (a != b && !coarse->bc->prescribed[a]) status = MatSetValues(*out, 1, &row, 1, &a, &half, INSERT_VALUES);
      if (!status && a != b && !coarse->bc->prescribed[b]) status = MatSetValues(*out, 1, &row, 1, &b, &half, INSERT_VALUES);
    }
  free(from), free(to);
  TRY(status);
  TRY(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY);
}

static Status coarser(const Problem *fine, Problem **out) {
  const Mesh *mesh = fine->mesh;
  MeshOptions options = {.ncells_given = 2, .cells = {mesh->structured[0] / 2, mesh->structured[1] / 2}, .order = 1, .span = fine->span, .quiet = true};
  Mesh *coarse;
  TRY(mesh_structured(mesh->geom, &options, fine->diags, &coarse));
  Status status = problem_new(fine->engine, fine->pde, coarse, &fine->world, fine->transient ? fine->step_form.row : NULL, fine->degree, fine->diags, fine->span, out);
  mesh_release(coarse);
  return status;
}

static Status set_smoother(PC pc, int level) {
  KSP smoother;
  PC inner;
  TRY(PCMGGetSmoother(pc, level, &smoother));
  TRY(KSPGetPC(smoother, &inner));
  if (!level) {
    TRY(KSPSetType(smoother, KSPPREONLY));
    return PCSetType(inner, PCCHOLESKY);
  }
  TRY(KSPSetType(smoother, KSPRICHARDSON));
  TRY(KSPSetNormType(smoother, KSP_NORM_NONE));
  TRY(KSPSetTolerances(smoother, 0, 0, 1e50, 1));
  TRY(PCSetType(inner, PCSOR));
  return PCSORSetSymmetric(inner, SOR_LOCAL_SYMMETRIC_SWEEP);
}

/* Level 0 is the coarsest for PCMG. */
static Status connect(Multigrid *grids, Problem *problem, const Pattern *pattern, PC pc) {
  int levels = grids->nlevels + 1;
  TRY(PCMGSetLevels(pc, levels, NULL));
  for (int k = 0; k < levels; k++) {
    int level = levels - 1 - k;                /* k halvings */
    const Problem *fine = k ? grids->problem[k - 1] : problem;
    Mat matrix = k ? grids->pattern[k - 1]->matrix : pattern->matrix, up;
    KSP smoother;
    TRY(PCMGGetSmoother(pc, level, &smoother));
    TRY(KSPSetOperators(smoother, matrix, matrix));
    TRY(set_smoother(pc, level));
    if (!level) break;
    TRY(interpolation(fine, grids->problem[k], &up));
    TRY(PCMGSetInterpolation(pc, level, up));
    TRY(MatDestroy(&up));
  }
  return 0;
}

Status multigrid_open(Multigrid *grids, Problem *problem, const Pattern *pattern, PC pc) {
  const Problem *fine = problem;
  while (grids->nlevels < 15 && halves(fine->mesh->structured)) {
    int k = grids->nlevels;
    TRY(coarser(fine, &grids->problem[k]));
    grids->nlevels++;
    TRY(pattern_new(grids->problem[k]->space, STORE_AIJ, grids->problem[k]->bc->prescribed, NULL, &grids->pattern[k]));
    TRY(MatSetOption(grids->pattern[k]->matrix, MAT_SPD, PETSC_TRUE));
    fine = grids->problem[k];
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
  for (int k = 0; k < 16; k++) pattern_free(grids->pattern[k]), problem_free(grids->problem[k]);
  *grids = (Multigrid){0};
}
