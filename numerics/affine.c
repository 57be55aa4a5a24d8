/* Every rank has all rows (there are as many as nodes on the constrained sides) and eliminates them in the same way; the lines of the slaves that it owns
 * become rows of the matrix C. */
#include "affine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"

typedef struct Sum { int n, cap, *key; double *coef; } Sum;      /* of dofs (numbers in the table below) or right sides */

typedef struct Line { int slave; Sum masters, right; } Line;

struct Affine {
  const Space *space;
  const Pde *pde;
  AffineRows mine;
  int nrows, first;              /* of all ranks; the number of our first */
  int *count, *start;            /* of each rank */
  bool homogeneous;              /* no row has a right side */
  double *right;                 /* [nrows] at the last affine_apply */
  long *dof; int ndofs;          /* global dofs that occur in rows, ascending */
  bool *prescribed;
  int *line_of;                  /* [ndofs] its line, or -1 */
  Line *line; int nlines;
  Line *check; int nchecks;      /* rows between prescribed dofs alone: slave is -1 */
  char *slave;                   /* [nowned] */
  Mat full, open;                /* C; and without the columns of prescribed dofs */
  Vec in, out;
  bool checked;
};

/* ---- rows ---------------------------------------------------------------------------------------------------------------------------------- */

static void *room(void *array, int n, int *cap, size_t size) {
  if (n < *cap) return array;
  *cap = *cap ? 2 * *cap : 64;
  return realloc(array, size * (size_t)*cap);
}

AffineRow *affine_row(AffineRows *rows) {
  rows->row = room(rows->row, rows->n, &rows->cap, sizeof(AffineRow));
  AffineRow *row = &rows->row[rows->n++];
  memset(row, 0, sizeof *row);
  return row;
}

void affine_entry(AffineRow *row, const Space *space, const char *prescribed, int dof, double coef) {
  row->dof[row->n] = space_global(space, dof);
  row->prescribed[row->n] = prescribed[dof];
  row->coef[row->n++] = coef;
}

AffinePoint *affine_point(AffineRows *rows) {
  rows->point = room(rows->point, rows->npoints, &rows->point_cap, sizeof(AffinePoint));
  AffinePoint *point = &rows->point[rows->npoints++];
  memset(point, 0, sizeof *point);
  return point;
}

/* All ranks' rows in the order of ranks. */
static AffineRow *gather(Affine *affine) {
  int nranks = affine->space->mesh->nranks > 1 ? petsc_nranks() : 1, rank = nranks > 1 ? petsc_rank() : 0;
  affine->count = calloc(2 * (size_t)nranks, sizeof(int));
  affine->start = affine->count + nranks;
  affine->count[rank] = affine->mine.n;
  if (nranks > 1) MPI_Allgather(&affine->mine.n, 1, MPI_INT, affine->count, 1, MPI_INT, PETSC_COMM_WORLD);
  for (int r = 0; r < nranks; r++) affine->start[r] = affine->nrows, affine->nrows += affine->count[r];
  affine->first = affine->start[rank];
  AffineRow *all = malloc(sizeof *all * ((size_t)affine->nrows + 1));
  if (nranks == 1) {
    if (affine->mine.n) memcpy(all, affine->mine.row, sizeof *all * (size_t)affine->mine.n);
    return all;
  }
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof *all, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Allgatherv(affine->mine.row, affine->mine.n, type, all, affine->count, affine->start, type, PETSC_COMM_WORLD);
  MPI_Type_free(&type);
  return all;
}

static int by_dof(const void *a, const void *b) {
  long p = *(const long *)a, q = *(const long *)b;
  return p < q ? -1 : p > q;
}

static int find_dof(const Affine *affine, long dof) {
  const long *at = bsearch(&dof, affine->dof, (size_t)affine->ndofs, sizeof(long), by_dof);
  return at ? (int)(at - affine->dof) : -1;
}

static void number_dofs(Affine *affine, const AffineRow *row) {
  size_t total = 0;
  for (int i = 0; i < affine->nrows; i++) total += (size_t)row[i].n;
  affine->dof = malloc(sizeof(long) * (total + 1));
  int n = 0;
  for (int i = 0; i < affine->nrows; i++)
    for (int k = 0; k < row[i].n; k++) affine->dof[n++] = row[i].dof[k];
  qsort(affine->dof, (size_t)n, sizeof(long), by_dof);
  for (int i = 0; i < n; i++)
    if (!affine->ndofs || affine->dof[i] != affine->dof[affine->ndofs - 1]) affine->dof[affine->ndofs++] = affine->dof[i];
  affine->prescribed = calloc((size_t)affine->ndofs + 1, sizeof(bool));
  affine->line_of = malloc(sizeof(int) * ((size_t)affine->ndofs + 1));
  for (int i = 0; i < affine->ndofs; i++) affine->line_of[i] = -1;
  for (int i = 0; i < affine->nrows; i++)
    for (int k = 0; k < row[i].n; k++)
      if (row[i].prescribed[k]) affine->prescribed[find_dof(affine, row[i].dof[k])] = true;
}

/* ---- elimination --------------------------------------------------------------------------------------------------------------------------- */

static void sum_add(Sum *sum, int key, double coef) {
  for (int i = 0; i < sum->n; i++)
    if (sum->key[i] == key) {
      sum->coef[i] += coef;
      return;
    }
  if (sum->n == sum->cap) {
    sum->cap = sum->cap ? 2 * sum->cap : 4;
    sum->key = realloc(sum->key, sizeof(int) * (size_t)sum->cap);
    sum->coef = realloc(sum->coef, sizeof(double) * (size_t)sum->cap);
  }
  sum->key[sum->n] = key;
  sum->coef[sum->n++] = coef;
}

static void sum_free(Sum *sum) { free(sum->key), free(sum->coef); }

/* Puts lines in until no slave is left. left = right in, both may change. */
static void substitute(const Affine *affine, Sum *left, Sum *right, double sign) {
  for (int i = 0; i < left->n;) {
    int line = affine->line_of[left->key[i]];
    if (line < 0 || left->coef[i] == 0) {
      i++;
      continue;
    }
    const Line *by = &affine->line[line];
    double c = left->coef[i];
    left->key[i] = left->key[--left->n];
    left->coef[i] = left->coef[left->n];
    for (int k = 0; k < by->masters.n; k++) sum_add(left, by->masters.key[k], c * by->masters.coef[k]);
    for (int k = 0; k < by->right.n; k++) sum_add(right, by->right.key[k], sign * c * by->right.coef[k]);
    i = 0;
  }
}

/* What becomes the slave: the largest coefficient, of equal ones the last. -1: nothing is free. */
static int pivot(const Affine *affine, const Sum *left) {
  int best = -1;
  for (int i = 0; i < left->n; i++) {
    if (affine->prescribed[left->key[i]] || fabs(left->coef[i]) < 1e-8) continue;
    if (best < 0 || fabs(left->coef[i]) > (1 - 1e-9) * fabs(left->coef[best])) best = i;
  }
  return best;
}

static void eliminate(Affine *affine, const AffineRow *row, int number) {
  Line line = {.slave = -1};
  for (int k = 0; k < row->n; k++) sum_add(&line.masters, find_dof(affine, row->dof[k]), row->coef[k]);
  if (row->npoints) sum_add(&line.right, number, 1);
  substitute(affine, &line.masters, &line.right, -1);
  int at = pivot(affine, &line.masters);
  if (at < 0) {                  /* it says nothing new; whether it contradicts is seen when there are values */
    affine->check[affine->nchecks++] = line;
    return;
  }
  double c = line.masters.coef[at];
  line.slave = line.masters.key[at];
  line.masters.key[at] = line.masters.key[--line.masters.n];
  line.masters.coef[at] = line.masters.coef[line.masters.n];
  int n = 0;
  for (int i = 0; i < line.masters.n; i++) {
    if (fabs(line.masters.coef[i]) < 1e-14 * fabs(c)) continue;
    line.masters.key[n] = line.masters.key[i];
    line.masters.coef[n++] = -line.masters.coef[i] / c;
  }
  line.masters.n = n;
  for (int i = 0; i < line.right.n; i++) line.right.coef[i] /= c;
  affine->line_of[line.slave] = affine->nlines;
  affine->line[affine->nlines++] = line;
}

static void eliminate_all(Affine *affine, const AffineRow *row) {
  affine->line = calloc((size_t)affine->nrows + 1, sizeof(Line));
  affine->check = calloc((size_t)affine->nrows + 1, sizeof(Line));
  for (int i = 0; i < affine->nrows; i++) eliminate(affine, &row[i], i);
  /* a line's masters were free when it was made; later lines may have made slaves of them */
  for (int i = affine->nlines - 1; i >= 0; i--) substitute(affine, &affine->line[i].masters, &affine->line[i].right, 1);
}

/* ---- the matrices C ------------------------------------------------------------------------------------------------------------------------- */

static const Line *line_of(const Affine *affine, int dof) {
  if (!affine->slave[dof]) return NULL;
  return &affine->line[affine->line_of[find_dof(affine, space_global(affine->space, dof))]];
}

static int by_column(const void *a, const void *b) {
  const struct { int col; double value; } *p = a, *q = b;
  return p->col < q->col ? -1 : p->col > q->col;
}

static Status make_matrix(const Affine *affine, bool open, int bs, Mat *out) {
  const Space *space = affine->space;
  int n = space->nowned, at = 0;
  size_t cap = (size_t)n + 1;
  for (int i = 0; i < affine->nlines; i++) cap += (size_t)affine->line[i].masters.n;
  int *row = malloc(sizeof(int) * ((size_t)n + 1)), *col = malloc(sizeof(int) * cap);
  double *value = malloc(sizeof(double) * cap);
  for (int i = 0; i < n; i++) {
    const Line *line = line_of(affine, i);
    struct { int col; double value; } entry[256];
    int m = 0;
    row[i] = at;
    if (!line) {
      col[at] = (int)space_global(space, i), value[at++] = 1;
      continue;
    }
    for (int k = 0; k < line->masters.n && m < 256; k++) {
      int key = line->masters.key[k];
      if (!open || !affine->prescribed[key]) entry[m].col = (int)affine->dof[key], entry[m++].value = line->masters.coef[k];
    }
    qsort(entry, (size_t)m, sizeof entry[0], by_column);
    for (int k = 0; k < m; k++) col[at] = entry[k].col, value[at++] = entry[k].value;
  }
  row[n] = at;
  bool spread = space->ghost != NULL;
  Status status = MatCreate(spread ? PETSC_COMM_WORLD : PETSC_COMM_SELF, out);
  if (!status) status = MatSetSizes(*out, n, n, PETSC_DETERMINE, PETSC_DETERMINE);
  if (!status) status = MatSetType(*out, spread ? MATMPIAIJ : MATSEQAIJ);
  if (!status) status = MatSetBlockSize(*out, bs);
  if (!status) status = spread ? MatMPIAIJSetPreallocationCSR(*out, row, col, value) : MatSeqAIJSetPreallocationCSR(*out, row, col, value);
  free(row), free(col), free(value);
  return status;
}

static Status make_matrices(Affine *affine) {
  const Space *space = affine->space;
  int bs = space->nblocks == 1 && !space->nmultipliers ? space->block[0].components : 1;
  affine->slave = calloc((size_t)space->nowned + 1, 1);
  for (int i = 0; i < affine->nlines; i++) {
    long at = affine->dof[affine->line[i].slave] - space->first;
    if (at >= 0 && at < space->nowned) affine->slave[at] = 1;
  }
  TRY(make_matrix(affine, false, bs, &affine->full));
  TRY(make_matrix(affine, true, bs, &affine->open));
  return MatCreateVecs(affine->full, &affine->in, &affine->out);
}

static bool ties(const Condition *c) { return c->kind == CONDITION_NORMAL || c->kind == CONDITION_TANGENTIAL || c->kind == CONDITION_NUMBER; }

Status affine_new(const Pde *pde, const Data *data, const Bc *bc, Affine **out) {
  bool any = pde->nperiodics > 0;
  for (int i = 0; i < pde->nconditions; i++) any |= ties(&pde->conditions[i]);
  *out = NULL;
  if (!any) return 0;
  Affine *affine = calloc(1, sizeof *affine);
  *affine = (Affine){.space = data->space, .pde = pde, .homogeneous = true};
  Status status = affine_periodic(pde, data, bc->prescribed, &affine->mine);
  if (!status) status = affine_normal(pde, data, bc->prescribed, &affine->mine);
  if (!status) status = affine_number(pde, data, bc->prescribed, &affine->mine);
  if (petsc_agree(status)) {
    affine_free(affine);
    return 1;
  }
  AffineRow *row = gather(affine);
  for (int i = 0; i < affine->nrows; i++) affine->homogeneous &= !row[i].npoints;
  affine->right = calloc((size_t)affine->nrows + 1, sizeof(double));
  number_dofs(affine, row);
  eliminate_all(affine, row);
  free(row);
  status = make_matrices(affine);
  if (status) affine_free(affine);
  else *out = affine;
  return status;
}

void affine_free(Affine *affine) {
  if (!affine) return;
  for (int i = 0; i < affine->nlines; i++) sum_free(&affine->line[i].masters), sum_free(&affine->line[i].right);
  for (int i = 0; i < affine->nchecks; i++) sum_free(&affine->check[i].masters), sum_free(&affine->check[i].right);
  free(affine->line), free(affine->check), free(affine->mine.row), free(affine->mine.point), free(affine->count), free(affine->right);
  free(affine->dof), free(affine->prescribed), free(affine->line_of), free(affine->slave);
  MatDestroy(&affine->full), MatDestroy(&affine->open);
  VecDestroy(&affine->in), VecDestroy(&affine->out);
  free(affine);
}

/* ---- values --------------------------------------------------------------------------------------------------------------------------------- */

static Status not_finite(const Data *data, const Condition *condition) {
  Buf text = {0};
  expr_print(&text, condition->value, EXPR_TEXT);
  diag_report(data->diags, E2003, condition->span, "the prescribed value `%.200s` is not finite somewhere on its boundary", buf_str(&text));
  buf_free(&text);
  return 1;
}

/* Adds what one condition gives to the right sides of our rows. */
static Status add_condition(Affine *affine, const Data *data, int index, double *right) {
  const Condition *condition = &affine->pde->conditions[index];
  int dim = data->mesh->dim, n = 0, size = shape_size(condition->value->shape, dim);
  if (expr_is_zero(condition->value)) return 0;
  size_t cap = (size_t)affine->mine.npoints + 1;
  int *cell = malloc(sizeof(int) * cap), *facet = malloc(sizeof(int) * cap), *number = malloc(sizeof(int) * cap);
  double *reference = malloc(sizeof(double) * 3 * cap), *value = malloc(sizeof(double) * (size_t)size * cap);
  for (int i = 0; i < affine->mine.npoints; i++) {
    const AffinePoint *point = &affine->mine.point[i];
    number[i] = point->condition == index ? n : -1;
    if (number[i] < 0) continue;
    cell[n] = point->cell, facet[n] = point->facet;
    memcpy(reference + (size_t)n++ * (size_t)dim, point->reference, sizeof(double) * (size_t)dim);
  }
  Points points = {.n = n, .cell = cell, .facet = facet, .reference = reference};
  Status status = n ? data_evaluate_tensor(data, condition->value, &points, value) : 0;
  for (int i = 0; i < n * size && !status; i++)
    if (!isfinite(value[i])) status = not_finite(data, condition);
  for (int i = 0; i < affine->mine.n && !status; i++) {
    const AffineRow *row = &affine->mine.row[i];
    for (int p = row->point; p < row->point + row->npoints; p++)
      for (int c = 0; c < size && c < 3 && number[p] >= 0; c++) right[i] += affine->mine.point[p].weight * row->direction[c] * value[number[p] * size + c];
  }
  free(number);
  free(cell), free(facet), free(reference), free(value);
  return status;
}

static Status right_sides(Affine *affine, const Data *data) {
  if (affine->homogeneous) return 0;
  double *mine = calloc((size_t)affine->mine.n + 1, sizeof(double));
  Status status = 0;
  for (int i = 0; i < affine->pde->nconditions && !status; i++) {
    if (ties(&affine->pde->conditions[i])) status = add_condition(affine, data, i, mine);
  }
  status = petsc_agree(status);
  if (!status && affine->space->ghost) MPI_Allgatherv(mine, affine->mine.n, MPI_DOUBLE, affine->right, affine->count, affine->start, MPI_DOUBLE, PETSC_COMM_WORLD);
  else if (!status) memcpy(affine->right, mine, sizeof(double) * (size_t)affine->mine.n);
  free(mine);
  return status;
}

static double right_of(const Affine *affine, const Sum *right) {
  double sum = 0;
  for (int i = 0; i < right->n; i++) sum += right->coef[i] * affine->right[right->key[i]];
  return sum;
}

/* Rows between prescribed values alone: do the values agree with them? */
static void compare(const Affine *affine, const Data *data, const double *u) {
  double worst = 0, size = 0;
  double *value = calloc(2 * (size_t)affine->ndofs + 1, sizeof(double)), *all = value + affine->ndofs;
  for (int i = 0; i < affine->ndofs; i++) {
    long at = affine->dof[i] - affine->space->first;
    if (affine->prescribed[i] && at >= 0 && at < affine->space->nowned) value[i] = u[at];
  }
  memcpy(all, value, sizeof(double) * (size_t)affine->ndofs);
  if (affine->space->ghost) MPI_Allreduce(value, all, affine->ndofs, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  for (int i = 0; i < affine->nchecks; i++) {
    const Line *check = &affine->check[i];
    double gap = -right_of(affine, &check->right);
    size = fmax(size, fabs(gap));
    for (int k = 0; k < check->masters.n; k++) {
      gap += check->masters.coef[k] * all[check->masters.key[k]];
      size = fmax(size, fabs(check->masters.coef[k] * all[check->masters.key[k]]));
    }
    worst = fmax(worst, fabs(gap));
  }
  free(value);
  if (worst <= 1e-9 * size) return;
  Span span = affine->pde->nperiodics ? affine->pde->periodics[0].span : data->span;
  Diag *diag = diag_report(data->diags, W2520, span, "prescribed values contradict %s by up to %.3g where they share nodes",
                           affine->pde->nperiodics ? "the periodicity" : "the normal or tangential parts", worst);
  diag_suggest(diag, "the prescribed values are kept there; give values that agree where the sides meet");
}

static Status copy(Vec to, const double *from, int n) {
  double *v;
  TRY(VecGetArrayWrite(to, &v));
  memcpy(v, from, sizeof(double) * (size_t)n);
  return VecRestoreArrayWrite(to, &v);
}

/* v := C v or C^T v over owned dofs. */
static Status times(const Affine *affine, Mat matrix, bool transposed, double *v) {
  const double *out;
  int n = affine->space->nowned;
  TRY(copy(affine->in, v, n));
  TRY(transposed ? MatMultTranspose(matrix, affine->in, affine->out) : MatMult(matrix, affine->in, affine->out));
  TRY(VecGetArrayRead(affine->out, &out));
  memcpy(v, out, sizeof(double) * (size_t)n);
  return VecRestoreArrayRead(affine->out, &out);
}

Status affine_apply(Affine *affine, const Data *data, double *u) {
  if (!affine) return 0;
  TRY(right_sides(affine, data));
  TRY(times(affine, affine->full, false, u));
  for (int i = 0; i < affine->space->nowned && !affine->homogeneous; i++) {
    const Line *line = line_of(affine, i);
    if (line) u[i] += right_of(affine, &line->right);
  }
  space_ghosts(affine->space, u);
  if (!affine->checked && affine->nchecks) compare(affine, data, u);
  affine->checked = true;
  return 0;
}

Status affine_condense(const Affine *affine, double *r) { return affine ? times(affine, affine->open, true, r) : 0; }
Status affine_expand(const Affine *affine, double *d) { return affine ? times(affine, affine->open, false, d) : 0; }

bool affine_is_slave(const Affine *affine, int dof) { return affine && affine->slave[dof]; }

/* The rows from `first` on at one node hold it by forces along their coefficients: of all of r that prescribed components do not take. */
static int node_reaction(const Affine *affine, const SpaceBlock *block, const char *prescribed, int first, const bool *asked_side, double *r, double *sum) {
  const AffineRow *row = &affine->mine.row[first];
  int m = block->components, base = space_dof(block, row->node), n = 0, used = 0, taken[3];
  double basis[6][3], along[3][3];
  for (int d = 0; d < m; d++)
    if (prescribed[base + d]) memset(basis[n], 0, sizeof basis[n]), basis[n++][d] = 1;
  for (; first + used < affine->mine.n && row[used].side >= 0 && row[used].unknown == row->unknown && row[used].node == row->node; used++) {}
  int held = n, k = 0;
  for (int i = 0; i < used && n < m && k < 3; i++) {      /* rows that say something new, by Gram and Schmidt */
    double v[3] = {0}, length = 0;
    for (int e = 0; e < row[i].n; e++) v[row[i].dof[e] - affine->space->first - base] = row[i].coef[e];
    memcpy(along[k], v, sizeof v);
    for (int j = 0; j < n; j++) {
      double c = basis[j][0] * v[0] + basis[j][1] * v[1] + basis[j][2] * v[2];
      for (int d = 0; d < 3; d++) v[d] -= c * basis[j][d];
    }
    for (int d = 0; d < 3; d++) length += v[d] * v[d];
    if (length < 1e-12) continue;
    for (int d = 0; d < 3; d++) basis[n][d] = v[d] / sqrt(length);
    n++;
    taken[k++] = i;
  }
  for (int i = k - 1; i >= 0; i--) {                       /* the last basis vector is seen by its own row alone */
    double *q = basis[held + i], force = 0, own = 0;
    for (int d = 0; d < m; d++) force += q[d] * r[base + d], own += q[d] * along[i][d];
    for (int d = 0; d < m; d++) {
      double part = force / own * along[i][d];
      r[base + d] -= part;
      if (asked_side[row[taken[i]].side]) sum[d] += part;
    }
  }
  return used;
}

void affine_reactions(const Affine *affine, const Bc *bc, const Mesh *mesh, int unknown, const char *asked, double *r, double *sum) {
  int *side = affine_sides(mesh);
  bool *asked_side = calloc((size_t)mesh->ngroups + 1, sizeof *asked_side);
  for (int f = 0; f < mesh->nfacets; f++)
    if (asked[f]) asked_side[side[f]] = true;
  for (int i = 0; i < affine->mine.n;) {
    const AffineRow *row = &affine->mine.row[i];
    if (row->side < 0 || row->unknown != unknown) i++;
    else i += node_reaction(affine, &affine->space->block[unknown], bc->prescribed, i, asked_side, r, sum);
  }
  free(side), free(asked_side);
}

/* ---- the system ------------------------------------------------------------------------------------------------------------------------------ */

/* The product, and room for the diagonal of the slaves, whose rows are empty in it. */
static Status open_system(const Affine *affine, Pattern *pattern) {
  Mat diagonal;
  int n = affine->space->nowned, first = (int)affine->space->first;
  TRY(MatPtAP(pattern->matrix, affine->open, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &pattern->product));
  int *row = malloc(sizeof(int) * ((size_t)n + 1)), *col = malloc(sizeof(int) * ((size_t)n + 1)), at = 0;
  for (int i = 0; i < n; i++) {
    row[i] = at;
    if (affine->slave[i]) col[at++] = first + i;
  }
  row[n] = at;
  bool spread = affine->space->ghost != NULL;
  Status status = MatCreate(spread ? PETSC_COMM_WORLD : PETSC_COMM_SELF, &diagonal);
  if (!status) status = MatSetSizes(diagonal, n, n, PETSC_DETERMINE, PETSC_DETERMINE);
  if (!status) status = MatSetType(diagonal, spread ? MATMPIAIJ : MATSEQAIJ);
  if (!status) status = spread ? MatMPIAIJSetPreallocationCSR(diagonal, row, col, NULL) : MatSeqAIJSetPreallocationCSR(diagonal, row, col, NULL);
  if (!status) status = MatDuplicate(pattern->product, MAT_COPY_VALUES, &pattern->system);
  if (!status) status = MatAXPY(pattern->system, 1, diagonal, DIFFERENT_NONZERO_PATTERN);
  MatDestroy(&diagonal);
  free(row), free(col);
  return status;
}

Status affine_system(const Affine *affine, Pattern *pattern) {
  if (!affine) return 0;
  if (!pattern->product) TRY(open_system(affine, pattern));
  else TRY(MatPtAP(pattern->matrix, affine->open, MAT_REUSE_MATRIX, PETSC_DEFAULT, &pattern->product));
  TRY(MatCopy(pattern->product, pattern->system, SUBSET_NONZERO_PATTERN));
  for (int i = 0; i < affine->space->nowned; i++)
    if (affine->slave[i]) {
      PetscInt at = (PetscInt)(affine->space->first + i);
      TRY(MatSetValues(pattern->system, 1, &at, 1, &at, &pattern->scale, INSERT_VALUES));
    }
  TRY(MatAssemblyBegin(pattern->system, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(pattern->system, MAT_FINAL_ASSEMBLY);
}
