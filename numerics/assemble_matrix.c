/* Matrices: where the entries of a cell go is in the pattern. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "assemble.h"
#include "assemble_batch.h"

typedef struct Target {
  const Pattern *pattern;
  double *values, *off;
  int *dof, *size, *block; /* of the cell's nodes: offset of the first element dof, components, number of the unknown */
  unsigned char *meets;    /* [nblocks][nblocks] does the kernel of the part write more than zeros there? */
} Target;

static inline __attribute__((always_inline)) void add_near(const Batch *batch, const Target *to, int per, int width) {
  const Pattern *pattern = to->pattern;
  for (int l = 0; l < batch->lanes; l++) {
    size_t cell = (size_t)batch->cell[l];
    const int *node = pattern->cell_node + cell * (size_t)per;
    const uint8_t *near = pattern->near + cell * (size_t)(per * per);
    const double *out = batch->out + l;
    for (int a = 0; a < per; a++) {
      double *row = to->values + pattern->row[node[a]];
      for (int b = 0; b < per; b++) row[near[a * per + b]] += out[(a * per + b) * width];
    }
  }
}

static void add_far(const Batch *batch, const Target *to, int per) {
  int width = batch->kernel->width, entries = per * per;
  for (int l = 0; l < batch->lanes; l++) {
    const int *map = to->pattern->map + (size_t)batch->cell[l] * (size_t)entries;
    const double *out = batch->out + l;
    for (int k = 0; k < entries; k++) to->values[map[k]] += out[(size_t)k * (size_t)width];
  }
}

/* Constant trip counts for the common elements. */
static void add_scalars(const Batch *batch, const Target *to, int per) {
  int width = batch->kernel->width;
  if (!to->pattern->near) add_far(batch, to, per);
  else if (width != 8) add_near(batch, to, per, width);
  else if (per == 3) add_near(batch, to, 3, 8);
  else if (per == 4) add_near(batch, to, 4, 8);
  else if (per == 6) add_near(batch, to, 6, 8);
  else if (per == 10) add_near(batch, to, 10, 8);
  else add_near(batch, to, per, 8);
}

static inline __attribute__((always_inline)) void add_block_rows(const Batch *batch, const Target *to, int bs, int per, int width, bool near) {
  const Pattern *pattern = to->pattern;
  int n = per * bs;
  for (int l = 0; l < batch->lanes; l++) {
    size_t cell = (size_t)batch->cell[l], first = cell * (size_t)(per * per);
    const int *node = pattern->cell_node + cell * (size_t)per;
    for (int a = 0; a < per; a++)
      for (int b = 0; b < per; b++) {
        size_t at = first + (size_t)(a * per + b);
        if (near ? pattern->near[at] == NEAR_NONE : pattern->map[at] == MAP_NONE) continue;
        int p = near ? pattern->row[node[a]] + pattern->near[at] : pattern->map[at];
        double *v = to->values + (size_t)p * (size_t)(bs * bs);
        const double *out = batch->out + ((size_t)(a * bs) * (size_t)n + (size_t)(b * bs)) * (size_t)width + l;
        for (int j = 0; j < bs; j++)
          for (int i = 0; i < bs; i++) v[j * bs + i] += out[(size_t)(i * n + j) * (size_t)width];
      }
  }
}

static void add_blocks(const Batch *batch, const Target *to, int bs) {
  int width = batch->kernel->width, per = to->pattern->space->per_cell;
  bool near = to->pattern->near != NULL;
  if (near && bs == 3 && per == 4 && width == 8) add_block_rows(batch, to, 3, 4, 8, true);
  else if (near && bs == 2 && per == 3 && width == 8) add_block_rows(batch, to, 2, 3, 8, true);
  else if (near && bs == 3) add_block_rows(batch, to, 3, per, width, true);
  else if (near && bs == 2) add_block_rows(batch, to, 2, per, width, true);
  else add_block_rows(batch, to, bs, per, width, near);
}

/* Rows of one node, columns of the nodes of one block: `rows` and `wide` are their components, constants where it counts. */
static inline __attribute__((always_inline)) void add_strip(double *values, const int *map, int nodes, int down, const double *out, int n, int width, int rows, int wide) {
  for (int i = 0; i < rows; i++) {
    double *row = values + (ptrdiff_t)i * down;
    const double *from = out + (size_t)(i * n) * (size_t)width;
    for (int b = 0; b < nodes; b++)
      for (int j = 0; j < wide; j++) row[map[b] + j] += from[(size_t)(b * wide + j) * (size_t)width];
  }
}

/* The same of an unknown whose components do not meet: entries (i, i) alone. */
static inline __attribute__((always_inline)) void add_apart(double *values, const int *map, int nodes, int down, const double *out, int n, int width, int rows) {
  for (int i = 0; i < rows; i++) {
    double *row = values + (ptrdiff_t)i * down;
    const double *from = out + (size_t)(i * n + i) * (size_t)width;
    for (int b = 0; b < nodes; b++) row[map[b]] += from[(size_t)(b * rows) * (size_t)width];
  }
}

/* Constant trip counts for numbers, vectors of two and of three. */
static inline __attribute__((always_inline)) void add_strips(double *values, const int *map, int nodes, int down, const double *out, int n, int width, int rows, int wide, bool apart) {
  if (apart && rows == 2) add_apart(values, map, nodes, down, out, n, width, 2);
  else if (apart && rows == 3) add_apart(values, map, nodes, down, out, n, width, 3);
  else if (apart) add_apart(values, map, nodes, down, out, n, width, rows);
  else if (rows == 2 && wide == 2) add_strip(values, map, nodes, down, out, n, width, 2, 2);
  else if (rows == 2 && wide == 1) add_strip(values, map, nodes, down, out, n, width, 2, 1);
  else if (rows == 1 && wide == 2) add_strip(values, map, nodes, down, out, n, width, 1, 2);
  else if (rows == 3 && wide == 3) add_strip(values, map, nodes, down, out, n, width, 3, 3);
  else if (rows == 3 && wide == 1) add_strip(values, map, nodes, down, out, n, width, 3, 1);
  else if (rows == 1 && wide == 3) add_strip(values, map, nodes, down, out, n, width, 1, 3);
  else if (rows == 1 && wide == 1) add_strip(values, map, nodes, down, out, n, width, 1, 1);
  else add_strip(values, map, nodes, down, out, n, width, rows, wide);
}

/* Several blocks on one rank. */
static inline __attribute__((always_inline)) void add_mixed(const Batch *batch, const Target *to, int width) {
  const Pattern *pattern = to->pattern;
  const Space *space = pattern->space;
  const unsigned char *meets = to->meets;
  int per = space->per_cell, n = space->dofs_per_cell;
  for (int l = 0; l < batch->lanes; l++) {
    const int *map = pattern->map + (size_t)batch->cell[l] * (size_t)(per * per);
    const double *out = batch->out + l;
    for (int r = 0, a = 0; r < space->nblocks; r++) {
      const NodeSet *nodes = space->block[r].nodes;
      int rows = space->block[r].components;
      for (int k = 0; k < nodes->per_cell; k++, a++, out += (size_t)(rows * n * width)) {
        int row = space_dof(&space->block[r], nodes->cell[(size_t)batch->cell[l] * (size_t)nodes->per_cell + (size_t)k]), down = pattern->row[row + 1] - pattern->row[row];
        const int *strip = map + a * per;
        const double *columns = out;
        for (int c = 0; c < space->nblocks; c++) {
          int wide = space->block[c].components, count = space->block[c].nodes->per_cell;
          if (meets[r * space->nblocks + c]) add_strips(to->values, strip, count, down, columns, n, width, rows, wide, r == c && pattern->apart[r]);
          strip += count;
          columns += (size_t)(count * wide * width);
        }
      }
    }
  }
}

static void add_general(const Batch *batch, const Target *to) {
  const Pattern *pattern = to->pattern;
  const Space *space = pattern->space;
  int width = batch->kernel->width, per = space->per_cell, n = space->dofs_per_cell;
  for (int l = 0; l < batch->lanes; l++) {
    const int *map = pattern->map + (size_t)batch->cell[l] * (size_t)(per * per);
    int a = 0;
    for (int block = 0; block < space->nblocks; block++) {
      const NodeSet *nodes = space->block[block].nodes;
      for (int k = 0; k < nodes->per_cell; k++, a++) {
        int node = nodes->cell[(size_t)batch->cell[l] * (size_t)nodes->per_cell + (size_t)k];
        if (node >= nodes->nowned) continue;
        int row = space_dof(&space->block[block], node);
        int down = pattern->row[row + 1] - pattern->row[row], down_off = to->off ? pattern->off_row[row + 1] - pattern->off_row[row] : 0;
        for (int b = 0; b < per; b++) {
          int p = map[a * per + b];
          double *v = p < 0 ? to->off + ~p : to->values + p;
          int stride = p < 0 ? down_off : down;
          const double *out = batch->out + ((size_t)to->dof[a] * (size_t)n + (size_t)to->dof[b]) * (size_t)width + l;
          bool apart = to->block[a] == to->block[b] && pattern->apart[to->block[a]];
          for (int i = 0; i < to->size[a]; i++)
            for (int j = apart ? i : 0; j < (apart ? i + 1 : to->size[b]); j++) v[i * stride + (apart ? 0 : j)] += out[(size_t)(i * n + j) * (size_t)width];
        }
      }
    }
  }
}

/* The entries of two nodes, whose first is at place p. */
static void add_node_block(const Target *to, int row, int p, const double *out, int width, int columns, int rows, int wide) {
  const int *start = p < 0 ? to->pattern->off_row : to->pattern->row;
  int down = start[row + 1] - start[row];
  double *v = p < 0 ? to->off + ~p : to->values + p;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < wide; j++) v[i * down + j] += out[((size_t)i * (size_t)columns + (size_t)j) * (size_t)width];
}

/* The cell's nodes, through all blocks, at the places of the order of a side. */
static void nodes_at(const Batch *batch, int side, int lane, int *out) {
  const Space *space = batch->data->space;
  for (int b = 0, k = 0, first = 0; b < space->nblocks; b++) {
    int per = space->block[b].nodes->per_cell;
    for (int a = 0; a < per; a++) out[k++] = first + batch->block_node[b][batch->order[side][lane] * per + a];
    first += per;
  }
}

/* First local dof of an owned node counted through all blocks, or -1. */
static int owned_dof(const Space *space, int node) {
  int b = 0;
  while (b + 1 < space->nblocks && node >= space->block[b + 1].first_node) b++;
  node -= space->block[b].first_node;
  return node < space->block[b].nodes->nowned ? space_dof(&space->block[b], node) : -1;
}

/* Facets between cells: the rows of either cell, with the columns of both. */
static void add_pairs(const Batch *batch, const Target *to) {
  const Pattern *pattern = to->pattern;
  const Space *space = pattern->space;
  int per = space->per_cell, n = space->dofs_per_cell, width = batch->kernel->width, dim = space->mesh->dim, *at[2] = {batch->nodes, batch->nodes + per};
  size_t entries = (size_t)per * (size_t)per;
  for (int l = 0; l < batch->lanes; l++) {
    for (int side = 0; side < 2; side++) nodes_at(batch, side, l, at[side]);
    for (int row = 0; row < 2; row++) {
      size_t cell = (size_t)(row ? batch->cell2 : batch->cell)[l], facet = (size_t)batch->places[batch->order[row][l]][dim];
      const int *map[2] = {pattern->map + cell * entries, pattern->over + (cell * (size_t)(dim + 1) + facet) * entries};
      for (int k = 0; k < per; k++) {
        int dof = owned_dof(space, pattern->cell_node[cell * (size_t)per + (size_t)at[row][k]]);
        for (int column = 0; column < 2 && dof >= 0; column++)
          for (int j = 0; j < per; j++) {
            const double *out = batch->out + ((size_t)(row * n + to->dof[k]) * (size_t)(2 * n) + (size_t)(column * n + to->dof[j])) * (size_t)width + l;
            add_node_block(to, dof, map[row != column][at[row][k] * per + at[column][j]], out, width, 2 * n, to->size[k], to->size[j]);
          }
      }
    }
  }
}

static Status add_matrix(Batch *batch, void *user) {
  const Target *to = user;
  if (batch->block_node) {
    add_pairs(batch, to);
    return 0;
  }
  const Pattern *pattern = to->pattern;
  const Space *space = pattern->space;
  if (pattern->store != STORE_AIJ) add_blocks(batch, to, pattern->bs);
  else if (!space->ghost && space->nblocks == 1 && space->block[0].components == 1) add_scalars(batch, to, space->per_cell);
  else if (!space->ghost && batch->kernel->width == 8) add_mixed(batch, to, 8);
  else add_general(batch, to);
  return 0;
}

static void target_open(Target *to, const Pattern *pattern) {
  const Space *space = pattern->space;
  *to = (Target){.pattern = pattern, .dof = calloc(3 * (size_t)space->per_cell, sizeof(int)), .meets = calloc((size_t)(space->nblocks * space->nblocks) + 1, 1)};
  to->size = to->dof + space->per_cell, to->block = to->size + space->per_cell;
  for (int b = 0, a = 0, dof = 0; b < space->nblocks; b++)
    for (int k = 0; k < space->block[b].nodes->per_cell; k++, a++) {
      to->dof[a] = dof;
      to->size[a] = space->block[b].components;
      to->block[a] = b;
      dof += space->block[b].components;
    }
}

static void target_close(Target *to) { free(to->dof), free(to->meets); }

static void target_part(Target *to, const Part *part) {
  const Space *space = to->pattern->space;
  int n = space->nblocks, first[65] = {0};
  memset(to->meets, 0, (size_t)(n * n));
  for (int b = 0; b < n; b++) first[b + 1] = first[b] + space->block[b].components;
  for (int which = 0; which < 2; which++) {
    const Kernel *kernel = which ? part->curved : part->kernel;
    for (int r = 0; kernel && r < n; r++)
      for (int c = 0; c < n; c++)
        for (int i = first[r]; i < first[r + 1]; i++)
          for (int j = first[c]; j < first[c + 1]; j++) to->meets[r * n + c] |= !kernel->couples || kernel->couples[i * kernel->ncomponents + j];
  }
}

static size_t value_count(const Pattern *pattern, bool off) {
  const Space *space = pattern->space;
  if (pattern->store == STORE_AIJ) return (size_t)(off ? pattern->off_row : pattern->row)[space->nowned];
  return (size_t)pattern->row[space->nnodes] * (size_t)(pattern->bs * pattern->bs);
}

/* Mean size of the diagonal, so that the rows of prescribed dofs are of the matrix's own magnitude. */
static double diagonal_scale(const Pattern *pattern) {
  Vec diagonal;
  double sum = 0;
  PetscInt n = 0;
  if (MatCreateVecs(pattern->matrix, &diagonal, NULL)) return 1;
  MatGetDiagonal(pattern->matrix, diagonal);
  VecGetSize(diagonal, &n);
  VecNorm(diagonal, NORM_1, &sum);
  VecDestroy(&diagonal);
  double scale = sum / (n > pattern->nunit ? n : 1);
  return isfinite(scale) && scale > 0 ? scale : 1;
}

static void prescribe(const Pattern *pattern, double *values, double *off) {
  for (int i = 0; i < pattern->nzero; i++) {
    int p = pattern->zero[i];
    *(p < 0 ? off + ~p : values + p) = 0;
  }
  for (int i = 0; i < pattern->nunit; i++) values[pattern->unit[i]] = pattern->scale;
}

Status assemble_matrix(const Data *data, const Part *parts, int n, Pattern *pattern) {
  Target to;
  target_open(&to, pattern);
  Status status = pattern_begin(pattern, &to.values, &to.off);
  if (!status) {
    memset(to.values, 0, sizeof(double) * value_count(pattern, false));
    if (to.off) memset(to.off, 0, sizeof(double) * value_count(pattern, true));
    for (int i = 0; i < n && !status; i++) {
      target_part(&to, &parts[i]);
      status = each_batch(data, &parts[i], add_matrix, &to);
    }
    prescribe(pattern, to.values, to.off);
    Status ended = pattern_end(pattern, &to.values, &to.off);
    if (!status) status = ended;
  }
  if (!status && pattern->scale == 0) {
    /* diagonal entries of prescribed rows were zero, so the sum is that of the free ones */
    pattern->scale = diagonal_scale(pattern);
    status = pattern_begin(pattern, &to.values, &to.off);
    if (!status) {
      prescribe(pattern, to.values, to.off);
      status = pattern_end(pattern, &to.values, &to.off);
    }
  }
  target_close(&to);
  return status;
}
