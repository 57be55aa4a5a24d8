#include "pattern.h"

#include <stdlib.h>
#include <string.h>

#include "big.h"
#include "mesh_cut.h"

typedef struct IntList { int *at, n, cap; } IntList;

static void push(IntList *list, int value) {
  if (list->n == list->cap) list->at = realloc(list->at, sizeof(int) * (size_t)(list->cap = list->cap ? 2 * list->cap : 1024));
  list->at[list->n++] = value;
}

static int *ints(size_t n, bool zeroed) { return (zeroed ? big_zeroed(sizeof(int) * (n ? n : 1)) : big_alloc(sizeof(int) * (n ? n : 1))); }

static void cell_nodes(Pattern *pattern) {
  const Space *space = pattern->space;
  if (space->nblocks == 1) {
    pattern->cell_node = space->block[0].nodes->cell;
    pattern->borrowed = true;
    return;
  }
  int nc = space->mesh->ncells, per = space->per_cell, at = 0;
  pattern->cell_node = ints((size_t)nc * (size_t)per, false);
  for (int b = 0; b < space->nblocks; b++) {
    const NodeSet *nodes = space->block[b].nodes;
    for (int c = 0; c < nc; c++)
      for (int a = 0; a < nodes->per_cell; a++)
        pattern->cell_node[(size_t)c * (size_t)per + (size_t)(at + a)] =
            space->block[b].first_node + nodes->cell[(size_t)c * (size_t)nodes->per_cell + (size_t)a];
    at += nodes->per_cell;
  }
}

/* What the row loop needs to know of nodes. */
typedef struct Nodes {
  int *dof;              /* first local dof */
  unsigned char *size;   /* components */
  unsigned char *block;
  const unsigned char *apart;
  unsigned char *fixed;  /* some component is prescribed */
  int *order;            /* rank among columns: owned by dof, then ghosts by global number; NULL: the node's number */
  int *first_cell, *cells;   /* corners c*per_cell + a at each node */
} Nodes;

static int by_global(const void *a, const void *b) {
  const long *p = a, *q = b;
  return p[0] < q[0] ? -1 : p[0] > q[0];
}

static void order_ghosts(const Space *space, Nodes *nodes) {
  long *pair = malloc(sizeof(long) * 2 * (size_t)(space->nnodes + 1));
  int n = 0;
  nodes->order = ints((size_t)space->nnodes, false);
  for (int i = 0; i < space->nnodes; i++) {
    if (nodes->dof[i] < space->nowned) nodes->order[i] = nodes->dof[i];
    else pair[2 * n] = space_global(space, nodes->dof[i]), pair[2 * n++ + 1] = i;
  }
  qsort(pair, (size_t)n, 2 * sizeof(long), by_global);
  for (int k = 0; k < n; k++) nodes->order[pair[2 * k + 1]] = space->nowned + k;
  free(pair);
}

static void nodes_open(const Pattern *pattern, const char *prescribed, Nodes *nodes) {
  const Space *space = pattern->space;
  int nn = space->nnodes, per = space->per_cell;
  size_t corners = (size_t)space->mesh->ncells * (size_t)per;
  *nodes = (Nodes){.dof = ints((size_t)nn, false), .size = malloc((size_t)nn + 1), .block = malloc((size_t)nn + 1), .fixed = calloc((size_t)nn + 1, 1), .apart = pattern->apart};
  for (int b = 0; b < space->nblocks; b++) {
    const SpaceBlock *block = &space->block[b];
    for (int i = 0; i < block->nodes->n; i++) {
      int at = block->first_node + i, dof = space_dof(block, i);
      nodes->dof[at] = dof;
      nodes->size[at] = (unsigned char)block->components;
      nodes->block[at] = (unsigned char)b;
      for (int k = 0; k < block->components; k++) nodes->fixed[at] |= (unsigned char)prescribed[dof + k];
    }
  }
  if (space->ghost) order_ghosts(space, nodes);
  int *first = nodes->first_cell = ints((size_t)nn + 2, true);
  for (size_t i = 0; i < corners; i++) first[pattern->cell_node[i] + 2]++;
  for (int i = 0; i < nn; i++) first[i + 2] += first[i + 1];
  nodes->cells = ints(corners, false);
  for (size_t i = 0; i < corners; i++) nodes->cells[first[pattern->cell_node[i] + 1]++] = (int)i;
}

static void nodes_close(Nodes *nodes) {
  free(nodes->dof), free(nodes->size), free(nodes->block), free(nodes->fixed), free(nodes->order), free(nodes->first_cell), free(nodes->cells);
}

/* Do nodes of r's unknown meet those of c's, the same, component by component alone? */
static inline bool is_apart(const Nodes *nodes, int r, int c) { return nodes->block[r] == nodes->block[c] && nodes->apart[nodes->block[r]]; }
/* Columns of node c in each row of node r. */
static inline int columns_of(const Nodes *nodes, int r, int c) { return is_apart(nodes, r, c) ? 1 : nodes->size[c]; }

static inline int column_at(const Nodes *nodes, int q, int n, int *out) {
  int k = n;
  if (nodes->order)
    for (; k > 0 && nodes->order[out[k - 1]] > nodes->order[q]; k--) out[k] = out[k - 1];
  else
    for (; k > 0 && out[k - 1] > q; k--) out[k] = out[k - 1];
  out[k] = q;
  return n + 1;
}

/* Those that the neighbours of the cells around the node add. */
static int columns_across(const Pattern *pattern, const Nodes *nodes, int node, int n, int *mark, int *out) {
  int per = pattern->space->per_cell, m = pattern->space->mesh->dim + 1;
  for (int i = nodes->first_cell[node]; i < nodes->first_cell[node + 1]; i++)
    for (int f = 0; f < m; f++) {
      int there = pattern->across[(size_t)(nodes->cells[i] / per) * (size_t)m + (size_t)f];
      for (int b = 0; there >= 0 && b < per; b++) {
        int q = pattern->cell_node[(size_t)(there / m) * (size_t)per + (size_t)b];
        if (mark[q] == node + 1) continue;
        mark[q] = node + 1;
        n = column_at(nodes, q, n, out);
      }
    }
  return n;
}

static void map_row_across(Pattern *pattern, const Nodes *nodes, int node, const int *place) {
  int per = pattern->space->per_cell, m = pattern->space->mesh->dim + 1;
  for (int i = nodes->first_cell[node]; i < nodes->first_cell[node + 1]; i++)
    for (int f = 0; f < m; f++) {
      size_t cell = (size_t)(nodes->cells[i] / per), a = (size_t)(nodes->cells[i] % per);
      int there = pattern->across[cell * (size_t)m + (size_t)f];
      int *over = pattern->over + ((cell * (size_t)m + (size_t)f) * (size_t)per + a) * (size_t)per;
      for (int b = 0; there >= 0 && b < per; b++) over[b] = place[pattern->cell_node[(size_t)(there / m) * (size_t)per + (size_t)b]];
    }
}

/* Columns of a row of nodes, each once, in order. */
static inline int columns(const Pattern *pattern, const Nodes *nodes, int per, int node, int *mark, int *out) {
  int n = 0;
  bool upper = pattern->store == STORE_SBAIJ;
  for (int i = nodes->first_cell[node]; i < nodes->first_cell[node + 1]; i++) {
    const int *around = pattern->cell_node + (unsigned)nodes->cells[i] / (unsigned)per * (size_t)per;
    for (int b = 0; b < per; b++) {
      int q = around[b];
      if (mark[q] == node + 1 || (upper && q < node)) continue;
      mark[q] = node + 1;
      n = column_at(nodes, q, n, out);
    }
  }
  return n;
}

static inline void map_row(Pattern *pattern, const Nodes *nodes, int per, int node, const int *place) {
  bool upper = pattern->store == STORE_SBAIJ;
  for (int i = nodes->first_cell[node]; i < nodes->first_cell[node + 1]; i++) {
    const int *around = pattern->cell_node + (unsigned)nodes->cells[i] / (unsigned)per * (size_t)per;
    int *map = pattern->map + (size_t)nodes->cells[i] * (size_t)per;
    for (int b = 0; b < per; b++) map[b] = upper && around[b] < node ? MAP_NONE : place[around[b]];
  }
}

static inline void near_row(Pattern *pattern, const Nodes *nodes, int per, int node, const uint8_t *place) {
  bool upper = pattern->store == STORE_SBAIJ;
  for (int i = nodes->first_cell[node]; i < nodes->first_cell[node + 1]; i++) {
    const int *around = pattern->cell_node + (unsigned)nodes->cells[i] / (unsigned)per * (size_t)per;
    uint8_t *near = pattern->near + (size_t)nodes->cells[i] * (size_t)per;
    for (int b = 0; b < per; b++) near[b] = upper && around[b] < node ? NEAR_NONE : place[around[b]];
  }
}

typedef struct Rows { IntList zero, unit; const char *prescribed; } Rows;

/* Entries of the block of two nodes that couple a prescribed dof. place: of the first entry (AIJ) or of the block; stride: one row down. */
static void fix_block(Rows *rows, const Nodes *nodes, int r, int c, int place, bool off, int down, int right) {
  bool apart = is_apart(nodes, r, c);
  for (int i = 0; i < nodes->size[r]; i++)
    for (int j = apart ? i : 0; j < (apart ? i + 1 : nodes->size[c]); j++) {
      int at = place + i * down + (apart ? 0 : j * right);
      bool fixed_row = rows->prescribed[nodes->dof[r] + i], fixed_col = rows->prescribed[nodes->dof[c] + j];
      if (!fixed_row && !fixed_col) continue;
      if (r == c && i == j) push(&rows->unit, at);
      else push(&rows->zero, off ? ~at : at);
    }
}

static void grow(int **list, size_t *cap, size_t need) {
  if (need <= *cap) return;
  size_t bigger = need + need / 2;
  int *fresh = ints(bigger, false);
  memcpy(fresh, *list, sizeof(int) * *cap);
  free(*list);
  *list = fresh;
  *cap = bigger;
}

static size_t guess(const Space *space, int block) {   /* neighbours of a node on common meshes */
  static const int p1[4] = {1, 3, 8, 17};
  int dim = space->mesh->dim, p = space->per_cell;
  size_t each = p == dim + 1 ? (size_t)p1[dim] : (size_t)(3 * p);
  return each * (size_t)(space->nnodes + 1) * (size_t)block;
}

/* Rows and columns are nodes: (S)BAIJ, and AIJ of one scalar unknown, on one rank. Inlined for constant numbers of nodes. Fills near or map,
 * whichever is there; false: a row is too long for near. */
static inline __attribute__((always_inline)) bool node_rows(Pattern *pattern, const Nodes *nodes, Rows *rows, int per, int *mark, int *place, int *work) {
  const Space *space = pattern->space;
  int nn = space->nnodes, bs = pattern->bs, n = 0;
  size_t cap = guess(space, 1);
  uint8_t *rank = (uint8_t *)place;
  pattern->row = ints((size_t)nn + 1, false);
  pattern->col = ints(cap, false);
  for (int r = 0; r < nn; r++) {
    int k = columns(pattern, nodes, per, r, mark, work);
    if (pattern->near && k > NEAR_NONE) return false;
    grow(&pattern->col, &cap, (size_t)(n + k));
    pattern->row[r] = n;
    for (int i = 0; i < k; i++) {
      int c = work[i];
      pattern->col[n + i] = c;
      if (pattern->near) rank[c] = (uint8_t)i;
      else place[c] = n + i;
      if (nodes->fixed[r] | nodes->fixed[c]) fix_block(rows, nodes, r, c, bs * bs * (n + i), false, 1, bs);
    }
    if (pattern->near) near_row(pattern, nodes, per, r, rank);
    else map_row(pattern, nodes, per, r, place);
    n += k;
  }
  pattern->row[nn] = n;
  return true;
}

static void rows_by_nodes(Pattern *pattern, const Nodes *nodes, Rows *rows, int *mark, int *place, int *work) {
  const Space *space = pattern->space;
  int per = space->per_cell;
  size_t entries = (size_t)space->mesh->ncells * (size_t)per * (size_t)per;
  pattern->near = big_alloc(entries ? entries : 1);
  bool fits = per == 3    ? node_rows(pattern, nodes, rows, 3, mark, place, work)
              : per == 4  ? node_rows(pattern, nodes, rows, 4, mark, place, work)
              : per == 6  ? node_rows(pattern, nodes, rows, 6, mark, place, work)
              : per == 10 ? node_rows(pattern, nodes, rows, 10, mark, place, work)
                          : node_rows(pattern, nodes, rows, per, mark, place, work);
  if (fits) return;
  free(pattern->near), free(pattern->row), free(pattern->col);
  pattern->near = NULL;
  pattern->map = ints(entries, false);
  rows->zero.n = rows->unit.n = 0;
  memset(mark, 0, sizeof(int) * (size_t)space->nnodes);
  node_rows(pattern, nodes, rows, per, mark, place, work);
}

/* Columns of multipliers in the rows of block b. */
static int multiplier_columns(const Space *space, const unsigned long *multiplier_rows, int b, int *out) {
  int n = 0;
  for (int m = 0; m < space->nmultipliers; m++)
    if (multiplier_rows[m] >> b & 1) out[n++] = space->multiplier + m;
  return n;
}

/* The rows of the multipliers couple to everything. */
static void rows_of_multipliers(Pattern *pattern, size_t *cap, int *n, int *noff) {
  const Space *space = pattern->space;
  if (!space->nmultipliers || space->multiplier >= space->nowned) return;
  for (int m = 0; m < space->nmultipliers; m++) {
    pattern->row[space->multiplier + m] = *n;
    if (pattern->off_row) pattern->off_row[space->multiplier + m] = *noff;
    grow(&pattern->col, cap, (size_t)*n + (size_t)*noff + (size_t)space->nglobal);
    for (long g = 0; g < space->nglobal; g++) pattern->col[*n + *noff + g] = (int)g;
    *n += space->nowned;
    *noff += (int)space->nglobal - space->nowned;
  }
}

/* How many columns come before a multiplier: the owned ones, and ghosts with smaller global numbers. */
static int ghosts_before(const Space *space, const Nodes *nodes, const int *work, int k, int multiplier) {
  long at = space_global(space, multiplier);
  int i = 0;
  while (i < k && (nodes->dof[work[i]] < space->nowned || space_global(space, nodes->dof[work[i]]) < at)) i++;
  return i;
}

/* AIJ: rows are dofs, in the order of blocks. With several ranks col holds global numbers, the diagonal part of each row first. */
static void scalar_rows(Pattern *pattern, const Nodes *nodes, Rows *rows, int *mark, int *place, int *work, const unsigned long *multiplier_rows) {
  const Space *space = pattern->space;
  bool spread = space->ghost != NULL;
  int n = 0, noff = 0, extra[16];
  size_t cap = guess(space, 1);
  pattern->row = ints((size_t)space->nowned + 1, false);
  if (spread) pattern->off_row = ints((size_t)space->nowned + 1, false);
  pattern->col = ints(cap, false);
  for (int b = 0; b < space->nblocks; b++) {
    const SpaceBlock *block = &space->block[b];
    int nextra = multiplier_columns(space, multiplier_rows, b, extra), m = block->components;
    for (int node = 0; node < block->nodes->nowned; node++) {
      int r = block->first_node + node, k = columns(pattern, nodes, space->per_cell, r, mark, work), wide = 0, wide_off = 0;
      if (pattern->across) k = columns_across(pattern, nodes, r, k, mark, work);
      for (int i = 0; i < k; i++) *(nodes->dof[work[i]] < space->nowned ? &wide : &wide_off) += columns_of(nodes, r, work[i]);
      bool ours = space->multiplier < space->nowned;
      int in = ours ? nextra : 0, out = nextra - in, length = wide + in, length_off = wide_off + out;
      int after = out ? ghosts_before(space, nodes, work, k, extra[0]) : k;      /* columns up to here precede the multipliers of rank 0 */
      grow(&pattern->col, &cap, (size_t)n + (size_t)noff + (size_t)m * (size_t)(length + length_off));
      int at = 0, at_off = 0;
      for (int i = 0; i < k; i++) {
        int c = work[i];
        bool off = nodes->dof[c] >= space->nowned;
        if (i == after) at_off += out;
        int start = off ? noff + at_off : n + at;
        place[c] = off ? ~start : start;
        if (nodes->fixed[r] | nodes->fixed[c]) fix_block(rows, nodes, r, c, start, off, off ? length_off : length, 1);
        *(off ? &at_off : &at) += columns_of(nodes, r, c);
      }
      map_row(pattern, nodes, space->per_cell, r, place);
      if (pattern->across) map_row_across(pattern, nodes, r, place);
      for (int i = 0; i < m; i++) {
        int dof = nodes->dof[r] + i, *to = pattern->col + n + noff;
        pattern->row[dof] = n;
        if (spread) pattern->off_row[dof] = noff;
        for (int q = 0; q < k; q++)
          for (int j = 0, width = columns_of(nodes, r, work[q]); j < width; j++) {
            if (q && nodes->dof[work[q]] >= space->nowned && nodes->dof[work[q - 1]] < space->nowned && !j)
              for (int e = 0; e < in; e++) *to++ = (int)space_global(space, extra[e]);
            if (q == after && !j)
              for (int e = 0; e < out; e++) *to++ = (int)space_global(space, extra[e]);
            *to++ = (int)space_global(space, nodes->dof[work[q]] + (is_apart(nodes, r, work[q]) ? i : j));
          }
        if (wide_off == 0)
          for (int e = 0; e < in; e++) *to++ = (int)space_global(space, extra[e]);
        for (int e = 0; after == k && e < out; e++) *to++ = (int)space_global(space, extra[e]);
        for (int e = 0; rows->prescribed[dof] && e < in; e++) push(&rows->zero, n + wide + e);
        n += length;
        noff += length_off;
      }
    }
  }
  rows_of_multipliers(pattern, &cap, &n, &noff);
  pattern->row[space->nowned] = n;
  if (spread) pattern->off_row[space->nowned] = noff;
}

static Status make_matrix(Pattern *pattern) {
  const Space *space = pattern->space;
  int n = space->nowned, bs = pattern->bs;
  if (space->ghost) {
    int *start = ints((size_t)n + 1, false);
    for (int i = 0; i <= n; i++) start[i] = pattern->row[i] + pattern->off_row[i];
    TRY(MatCreate(PETSC_COMM_WORLD, &pattern->matrix));
    TRY(MatSetSizes(pattern->matrix, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
    TRY(MatSetType(pattern->matrix, MATMPIAIJ));
    TRY(MatSetBlockSize(pattern->matrix, bs));
    TRY(MatMPIAIJSetPreallocationCSR(pattern->matrix, start, pattern->col, NULL));
    free(start);
    free(pattern->col);
    pattern->col = NULL;
    return 0;
  }
  if (pattern->store == STORE_AIJ) {
    pattern->values = big_zeroed(sizeof(double) * ((size_t)pattern->row[n] + 1));
    TRY(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, pattern->row, pattern->col, pattern->values, &pattern->matrix));
    return MatSetBlockSize(pattern->matrix, bs);
  }
  bool half = pattern->store == STORE_SBAIJ;
  TRY(MatCreate(PETSC_COMM_SELF, &pattern->matrix));
  TRY(MatSetSizes(pattern->matrix, n, n, n, n));
  TRY(MatSetType(pattern->matrix, half ? MATSEQSBAIJ : MATSEQBAIJ));
  TRY(MatSetBlockSize(pattern->matrix, bs));
  TRY(half ? MatSeqSBAIJSetPreallocationCSR(pattern->matrix, bs, pattern->row, pattern->col, NULL)
           : MatSeqBAIJSetPreallocationCSR(pattern->matrix, bs, pattern->row, pattern->col, NULL));
  free(pattern->col);
  pattern->col = NULL;
  return 0;
}

Status pattern_new(Space *space, StoreKind store, JoinedCells across, const unsigned char *apart, const char *prescribed, const unsigned long *multiplier_rows, Pattern **out) {
  Pattern *pattern = *out = calloc(1, sizeof *pattern);
  *pattern = (Pattern){.space = space_retain(space), .store = store, .bs = space->nblocks == 1 && !space->nmultipliers ? space->block[0].components : 1};
  pattern->apart = calloc((size_t)space->nblocks + 1, 1);
  if (apart && space->nblocks > 1 && !across) memcpy(pattern->apart, apart, (size_t)space->nblocks);
  cell_nodes(pattern);
  Nodes nodes;
  nodes_open(pattern, prescribed, &nodes);
  int *mark = ints((size_t)space->nnodes, true), *place = ints((size_t)space->nnodes, false), *work = ints((size_t)space->nnodes, false);
  Rows rows = {.prescribed = prescribed};
  bool simple = store != STORE_AIJ || (!across && !space->ghost && space->nblocks == 1 && space->block[0].components == 1 && !space->nmultipliers);
  if (across) {
    pattern->across = across == JOINED_ALL ? mesh_neighbours(space->mesh) : mesh_cut_neighbours(space->mesh);
    pattern->over = ints((size_t)space->mesh->ncells * (size_t)(space->mesh->dim + 1) * (size_t)space->per_cell * (size_t)space->per_cell, false);
  }
  if (simple) rows_by_nodes(pattern, &nodes, &rows, mark, place, work);
  else {
    size_t entries = (size_t)space->mesh->ncells * (size_t)space->per_cell * (size_t)space->per_cell;
    pattern->map = ints(entries, false);
    if (space->ghost)
      for (size_t i = 0; i < entries; i++) pattern->map[i] = MAP_NONE;
    scalar_rows(pattern, &nodes, &rows, mark, place, work, multiplier_rows);
  }
  pattern->zero = rows.zero.at, pattern->nzero = rows.zero.n;
  pattern->unit = rows.unit.at, pattern->nunit = rows.unit.n;
  free(mark), free(place), free(work);
  nodes_close(&nodes);
  return make_matrix(pattern);
}

void pattern_last(Pattern *pattern) {
  free(pattern->map), free(pattern->near), free(pattern->over);
  pattern->map = pattern->over = NULL, pattern->near = NULL;
}

void pattern_free(Pattern *pattern) {
  if (!pattern) return;
  MatDestroy(&pattern->matrix), MatDestroy(&pattern->system), MatDestroy(&pattern->product);
  if (!pattern->borrowed) free(pattern->cell_node);
  free(pattern->map), free(pattern->near), free(pattern->across), free(pattern->over), free(pattern->row), free(pattern->off_row), free(pattern->col), free(pattern->values), free(pattern->zero), free(pattern->unit), free(pattern->apart);
  space_release(pattern->space);
  free(pattern);
}

Status pattern_begin(Pattern *pattern, double **values, double **off) {
  *off = NULL;
  if (pattern->space->ghost) {
    Mat diagonal, rest;
    TRY(MatMPIAIJGetSeqAIJ(pattern->matrix, &diagonal, &rest, NULL));
    TRY(MatSeqAIJGetArray(diagonal, values));
    return MatSeqAIJGetArray(rest, off);
  }
  return pattern->store == STORE_AIJ    ? MatSeqAIJGetArray(pattern->matrix, values)
         : pattern->store == STORE_BAIJ ? MatSeqBAIJGetArray(pattern->matrix, values)
                                        : MatSeqSBAIJGetArray(pattern->matrix, values);
}

Status pattern_end(Pattern *pattern, double **values, double **off) {
  Mat matrix = pattern->matrix;
  if (pattern->space->ghost) {
    Mat diagonal, rest;
    TRY(MatMPIAIJGetSeqAIJ(matrix, &diagonal, &rest, NULL));
    TRY(MatSeqAIJRestoreArray(diagonal, values));
    TRY(MatSeqAIJRestoreArray(rest, off));
  } else {
    TRY(pattern->store == STORE_AIJ    ? MatSeqAIJRestoreArray(matrix, values)
        : pattern->store == STORE_BAIJ ? MatSeqBAIJRestoreArray(matrix, values)
                                       : MatSeqSBAIJRestoreArray(matrix, values));
  }
  TRY(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
}
