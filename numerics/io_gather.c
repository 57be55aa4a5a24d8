#include "io_gather.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "big.h"

static int rank_of(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/* Everybody's n items of `bytes` each, one rank after the other, on rank 0 (NULL elsewhere); total: their number on rank 0. */
static void *collect(const void *mine, size_t n, size_t bytes, size_t *total) {
  int size, rank = rank_of(), count = (int)n;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *counts = calloc((size_t)size, sizeof(int)), *starts = calloc((size_t)size + 1, sizeof(int));
  MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) starts[r + 1] = starts[r] + counts[r];
  *total = rank ? 0 : (size_t)starts[size];
  void *out = rank ? NULL : big_alloc(*total * bytes + 1);
  MPI_Datatype item;      /* counts are of items, so arrays may pass 2 GB */
  MPI_Type_contiguous((int)bytes, MPI_BYTE, &item);
  MPI_Type_commit(&item);
  MPI_Gatherv(mine, count, item, out, counts, starts, item, 0, MPI_COMM_WORLD);
  MPI_Type_free(&item);
  free(counts);
  free(starts);
  return out;
}

Status gather_mesh(Mesh *mesh, Mesh **out) {
  *out = mesh->nranks <= 1 ? mesh_retain(mesh) : rank_of() == 0 ? mesh_retain((Mesh *)mesh_whole(mesh)) : NULL;
  return 0;
}

Status gather_field(Mesh *mesh, Mesh *whole, const NodalField *field, NodalField *out) {
  int nodes = element_nodes(field->element, mesh->dim), nc = field->ncomp, *layout = NULL;
  size_t row = (size_t)nodes * (size_t)nc, n = 0, total, bytes = sizeof(long) + row * sizeof(double);
  *out = (NodalField){0};
  char *mine = big_alloc(bytes * ((size_t)mesh->ncells + 1)), *all;      /* a record a cell: its global number, its values */
  for (int e = 0; e < mesh->ncells; e++) {
    if (!mesh_owns_cell(mesh, e)) continue;
    long cell = mesh->cell_global ? mesh->cell_global[e] : e;
    memcpy(mine + n * bytes, &cell, sizeof cell);
    nodal_cell(field, mesh->dim, e, (double *)(void *)(mine + n * bytes + sizeof cell));
    n++;
  }
  if (mesh->nranks > 1) { all = collect(mine, n, bytes, &total); free(mine); }
  else { all = mine; total = n; }
  if (!all) return 0;
  *out = *field;
  out->nnodes = whole->ncells * nodes;
  if (field->cell_node) layout = nodal_layout(whole, field->element, &out->nnodes);
  double *values = BIG_ZEROED(double, (size_t)out->nnodes * (size_t)nc + 1);
  for (size_t i = 0; i < total; i++) {
    long cell;
    memcpy(&cell, all + i * bytes, sizeof cell);
    const char *from = all + i * bytes + sizeof cell;
    for (int a = 0; a < nodes; a++) {
      size_t at = (size_t)cell * (size_t)nodes + (size_t)a, node = layout ? (size_t)layout[at] : at;
      memcpy(values + node * (size_t)nc, from + (size_t)a * (size_t)nc * sizeof(double), (size_t)nc * sizeof(double));
    }
  }
  free(all);
  out->cell_node = layout;
  out->values = values;
  return 0;
}

void gathered_free(NodalField *field) {
  free((int *)field->cell_node);
  free((double *)field->values);
  *field = (NodalField){0};
}
