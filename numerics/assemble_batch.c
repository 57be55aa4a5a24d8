#include "assemble_batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"

static void batch_close(Batch *batch) {
  free(batch->field), free(batch->x), free(batch->w), free(batch->c), free(batch->p), free(batch->out), free(batch->scratch), free(batch->cell);
  free(batch->points), free(batch->order[0]);
  for (int f = 0; batch->field_node && f < batch->kernel->nfields; f++) free(batch->field_node[f]);
  for (int b = 0; batch->block_node && batch->kernel->rank > 0 && b < batch->data->space->nblocks; b++) free(batch->block_node[b]);
  free(batch->field_node), free(batch->block_node), free(batch->nodes);
}

/* Room for the second cells, and how the nodes of either stand in the order that both share. */
static void batch_pairs(Batch *batch) {
  const Kernel *kernel = batch->kernel;
  const Space *space = batch->data->space;
  int width = kernel->width, dim = batch->data->mesh->dim, nblocks = kernel->rank > 0 ? space->nblocks : 0;
  batch->order[0] = calloc(2 * (size_t)width, 1);
  batch->order[1] = batch->order[0] + width;
  batch->field_node = calloc((size_t)kernel->nfields + 1, sizeof(uint8_t *));
  batch->block_node = calloc((size_t)nblocks + 1, sizeof(uint8_t *));
  batch->nodes = calloc(2 * (size_t)(nblocks ? space->per_cell : 0) + 1, sizeof(int));
  for (int f = 0; f < kernel->nfields; f++) batch->field_node[f] = mesh_interior_nodes(kernel->fields[f].element, dim);
  for (int b = 0; b < nblocks; b++) batch->block_node[b] = mesh_interior_nodes(space->block[b].nodes->element, dim);
  for (int k = 0, n = dim == 1 ? 2 : dim == 2 ? 6 : INTERIOR_ORDERS; k < n; k++) mesh_interior_vertices(dim, k, batch->places[k]);
}

static Status batch_open(Batch *batch, const Data *data, const Part *part, const Kernel *kernel) {
  int width = kernel->width;
  *batch = (Batch){.kernel = kernel, .data = data, .part = part, .field = calloc((size_t)kernel->nfields + 1, sizeof(FieldData)),
                   .x = lanes_alloc((size_t)kernel->nx, width), .w = lanes_alloc((size_t)kernel->nw, width), .c = lanes_alloc((size_t)kernel->nc, width),
                   .p = lanes_alloc((size_t)kernel->np, 1), .out = lanes_alloc((size_t)kernel->nout, width), .scratch = lanes_alloc(kernel_scratch(kernel) / sizeof(double) + 8, 1),
                   .cell = calloc(3 * (size_t)width, sizeof(int))};
  batch->facet = batch->cell + width;
  batch->cell2 = batch->facet + width;
  if (kernel->kind == INTEGRAL_INTERIOR) batch_pairs(batch);
  Status status = 0;
  for (int f = 0; f < kernel->nfields && !status; f++) status = data_field(data, &kernel->fields[f].symbol, &batch->field[f]);
  for (int i = 0; i < kernel->np && !status; i++) status = data_number(data, kernel->params[i], &batch->p[i]);
  if (status) batch_close(batch);
  return status;
}

static inline __attribute__((always_inline)) void gather_vertices(Batch *batch, int nverts, int dim, int width) {
  const Mesh *mesh = batch->data->mesh;
  for (int l = 0; l < width; l++) {
    const int *v = mesh->cell + (size_t)batch->cell[l] * (size_t)nverts;
    for (int a = 0; a < nverts; a++) {
      const double *from = mesh->x + (size_t)v[a] * (size_t)dim;
      for (int d = 0; d < dim; d++) batch->x[(a * dim + d) * width + l] = from[d];
    }
  }
}

static void gather_pairs(Batch *batch) {
  const Mesh *mesh = batch->data->mesh;
  int dim = mesh->dim, width = batch->kernel->width;
  for (int side = 0; side < 2; side++)
    for (int l = 0; l < width; l++) {
      const int *v = mesh->cell + (size_t)(side ? batch->cell2 : batch->cell)[l] * (size_t)(dim + 1), *place = batch->places[batch->order[side][l]];
      for (int a = 0; a <= dim; a++)
        for (int d = 0; d < dim; d++) batch->x[((side * (dim + 1) + a) * dim + d) * width + l] = mesh->x[(size_t)v[place[a]] * (size_t)dim + (size_t)d];
    }
}

static void gather_bends(Batch *batch) {
  const Mesh *mesh = batch->data->mesh;
  int width = batch->kernel->width, n = refcell_bends(mesh->ref) * mesh->dim;
  double *x = batch->x + mesh->ref->nverts * mesh->dim * width;
  for (int l = 0; l < width; l++) {
    const double *from = mesh->bend + (size_t)mesh->curved_of[batch->cell[l]] * (size_t)n;
    for (int i = 0; i < n; i++) x[i * width + l] = from[i];
  }
}

static void gather_places(Batch *batch) {
  const Mesh *mesh = batch->data->mesh;
  int dim = mesh->dim, width = batch->kernel->width, nverts = mesh->ref->nverts;
  if (batch->kernel->kind == INTEGRAL_INTERIOR) gather_pairs(batch);
  else if (nverts == 3 && width == 8) gather_vertices(batch, 3, 2, 8);
  else if (nverts == 4 && dim == 3 && width == 8) gather_vertices(batch, 4, 3, 8);
  else gather_vertices(batch, nverts, dim, width);
  if (batch->kernel->curved && mesh->bend) gather_bends(batch);
}

static void gather_field(Batch *batch, const KernelField *field, const FieldData *from) {
  const NodeSet *nodes = from->block->nodes;
  int width = batch->kernel->width, per = nodes->per_cell, m = field->components;
  double *w = batch->w + (size_t)field->offset * (size_t)width;
  if (batch->field_node) {
    int side = field->symbol.side == 2;
    for (int l = 0; l < width; l++) {
      const int *node = nodes->cell + (size_t)(side ? batch->cell2 : batch->cell)[l] * (size_t)per;
      const uint8_t *place = batch->field_node[field - batch->kernel->fields] + batch->order[side][l] * per;
      for (int a = 0; a < per; a++)
        for (int i = 0; i < m; i++) w[(a * m + i) * width + l] = from->values[space_dof(from->block, node[place[a]]) + i];
    }
    return;
  }
  for (int l = 0; l < width; l++) {
    const int *node = nodes->cell + (size_t)batch->cell[l] * (size_t)per;
    for (int a = 0; a < per; a++) {
      const double *value = from->values + space_dof(from->block, node[a]);
      for (int i = 0; i < m; i++) w[(a * m + i) * width + l] = value[i];
    }
  }
}

/* Reference coordinates in the cell of quadrature point q; of a facet kernel the points are those of the facet. vertex: the cell's vertices in the order
 * in which the facet's come first, NULL: those without the opposite one, ascending. */
static void cell_point(const Kernel *kernel, const Mesh *mesh, int facet, const int *vertex, int q, double *out) {
  int dim = mesh->dim;
  if (kernel->kind == INTEGRAL_CELL) {
    memcpy(out, kernel->points + (size_t)q * (size_t)dim, sizeof(double) * (size_t)dim);
    return;
  }
  const double *p = kernel->points + (size_t)q * (size_t)(dim - 1);
  if (!vertex) {
    refcell_facet_point(mesh->ref, facet, p, out);
    return;
  }
  double bary[4] = {0}, rest = 1;
  for (int d = 0; d < dim - 1; d++) rest -= p[d];
  for (int k = 0; k < dim; k++) bary[vertex[k]] = k ? p[k - 1] : rest;
  for (int d = 0; d < dim; d++) out[d] = bary[d + 1];
}

static Status gather_at_points(Batch *batch, const KernelData *item) {
  const Kernel *kernel = batch->kernel;
  const Mesh *mesh = batch->data->mesh;
  int width = kernel->width, dim = mesh->dim, nq = item->n;
  size_t total = (size_t)width * (size_t)nq;
  double *reference = malloc(sizeof(double) * total * (size_t)dim), *value = malloc(sizeof(double) * total);
  int *cell = malloc(sizeof(int) * total), *facet = malloc(sizeof(int) * total);
  bool on_facets = kernel->kind != INTEGRAL_CELL;
  for (int q = 0; q < nq; q++)
    for (int l = 0; l < width; l++) {
      size_t at = (size_t)q * (size_t)width + (size_t)l;
      const int *vertex = batch->field_node ? batch->places[batch->order[item->side][l]] : NULL;
      cell[at] = (item->side ? batch->cell2 : batch->cell)[l];
      facet[at] = vertex ? vertex[dim] : on_facets ? mesh->facet_local[batch->facet[l]] : 0;
      cell_point(kernel, mesh, facet[at], vertex, q, reference + at * (size_t)dim);
    }
  Points points = {.n = (int)total, .cell = cell, .reference = reference, .facet = on_facets ? facet : NULL};
  Expr *e = item->expr;
  Status status = data_evaluate(batch->data, &e, 1, &points, batch->c + (size_t)item->offset * (size_t)width);
  free(reference), free(value), free(cell), free(facet);
  return status;
}

static Status gather_data(Batch *batch, const KernelData *item) {
  const Mesh *mesh = batch->data->mesh;
  int width = batch->kernel->width;
  double *c = batch->c + (size_t)item->offset * (size_t)width;
  if (item->kind == KERNEL_AT_POINTS) return gather_at_points(batch, item);
  const int *cell = item->side ? batch->cell2 : batch->cell;
  for (int l = 0; l < width; l++)
    c[l] = item->kind == KERNEL_REGION ? (mesh->region ? mesh->region[cell[l]] : 0)
           : item->kind == KERNEL_SIZE ? cell_size(mesh, cell[l])
                                       : 1e-9 * domain_size(mesh);
  return 0;
}

/* Items [at, at + lanes) of the part; lanes beyond repeat the last one and do not count. */
static Status batch_run(Batch *batch, int at, int end, int facet) {
  const Kernel *kernel = batch->kernel;
  const Part *part = batch->part;
  const Mesh *mesh = batch->data->mesh;
  int width = kernel->width;
  batch->lanes = end - at < width ? end - at : width;
  for (int l = 0; l < width; l++) {
    int i = at + (l < batch->lanes ? l : batch->lanes - 1);
    if (part->pair) {
      batch->cell[l] = part->pair[i].cell[0], batch->cell2[l] = part->pair[i].cell[1];
      batch->order[0][l] = part->pair[i].order[0], batch->order[1][l] = part->pair[i].order[1];
      continue;
    }
    int item = part->all ? i : part->item[i];
    batch->cell[l] = facet < 0 ? item : mesh->facet_cell[item];
    batch->facet[l] = item;
  }
  gather_places(batch);
  for (int f = 0; f < kernel->nfields; f++) gather_field(batch, &kernel->fields[f], &batch->field[f]);
  for (int i = 0; i < kernel->ndata; i++) TRY(gather_data(batch, &kernel->data[i]));
  kernel_run(kernel, batch->x, batch->w, batch->c, batch->p, facet < 0 ? 0 : facet, batch->out, batch->scratch);
  return 0;
}

/* Batches of one run of items. */
static Status run_batches(const Data *data, const Part *part, const Kernel *kernel, int from, int to, int facet, BatchUse use, void *user) {
  if (from == to) return 0;
  Batch batch;
  TRY(batch_open(&batch, data, part, kernel));
  Status status = 0;
  volatile int *interrupt = data->engine->options.interrupt;
  for (int at = from; at < to && !status; at += kernel->width) {
    if (interrupt && *interrupt) {
      diag_report(data->diags, E2090, data->span, "stopped");
      status = 1;
      break;
    }
    status = batch_run(&batch, at, to, facet);
    if (!status) status = use(&batch, user);
  }
  batch_close(&batch);
  return status;
}

Status each_batch(const Data *data, const Part *part, BatchUse use, void *user) {
  if (!part->n) return 0;
  IntegralKind kind = part->kernel->kind;
  if (part->all || kind == INTEGRAL_INTERIOR) return run_batches(data, part, part->kernel, 0, part->n, -1, use, user);
  int runs = part_runs(data->mesh, kind);
  for (int g = 0; g < 2 * runs; g++)
    TRY(run_batches(data, part, g < runs ? part->kernel : part->curved, part->group[g], part->group[g + 1], kind == INTEGRAL_CELL ? -1 : g % runs, use, user));
  return 0;
}
