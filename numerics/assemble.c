#include "assemble.h"

#include "blame.h"
#include "engine_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>


/* ---- places -------------------------------------------------------------------------------------------------------------------------- */

static int run_count(const Mesh *mesh, IntegralKind kind) { return kind == INTEGRAL_CELL ? 1 : mesh->ref->nfacets; }

void part_group(Part *part, const Mesh *mesh, IntegralKind kind) {
  int runs = run_count(mesh, kind), at = 0, *sorted = malloc(sizeof(int) * (size_t)(part->n + 1));
  for (int g = 0; g < 2 * runs; g++) {
    part->group[g] = at;
    for (int i = 0; i < part->n; i++) {
      int item = part->item[i], cell = kind == INTEGRAL_CELL ? item : mesh->facet_cell[item];
      if (mesh_is_curved(mesh, cell) == (g >= runs) && (kind == INTEGRAL_CELL || mesh->facet_local[item] == g % runs)) sorted[at++] = item;
    }
    if (!mesh->ncurved && g == runs - 1) break;
  }
  for (int g = mesh->ncurved ? 2 * runs : runs; g <= 2 * CELL_FACETS; g++) part->group[g] = at;
  free(part->item);
  part->item = sorted;
}

Status part_kernels(Part *part, const Data *data, LowerRequest *request) {
  const Mesh *mesh = data->mesh;
  KernelContext *kernels = data->engine->kernels;
  int straight = part->all || request->kind == INTEGRAL_INTERIOR ? part->n : part->group[run_count(mesh, request->kind)];
  request->shape = mesh->ref->shape;
  request->bent = mesh->bend != NULL;
  request->curved = false;
  request->visits = straight;
  TRY(kernel_integral(kernels, request, data->diags, &part->kernel));
  request->curved = true;
  request->visits = part->n - straight;
  bool wanted = request->visits || (mesh->ncurved && request->kind == INTEGRAL_FACET);      /* the facets may be changed later */
  return wanted ? kernel_integral(kernels, request, data->diags, &part->curved) : 0;
}

/* A facet between two cells is on the rank of one of its vertices, with both cells; it may be missing where one of the cells is owned. */
static void keep_owned(Part *part, const Mesh *mesh, IntegralKind kind) {
  int k = 0;
  for (int i = 0; i < part->n; i++)
    if (kind == INTEGRAL_CELL ? mesh_owns_cell(mesh, part->item[i]) : mesh_owns_facet(mesh, part->item[i])) part->item[k++] = part->item[i];
  part->n = k;
}

static void where_text(const Where *where, char *out, size_t size) {
  Buf text = {0};
  if (where->interface[0]) buf_printf(&text, "interface(%s, %s)", where->interface[0], where->interface[1]);
  for (int i = 0; i < where->n; i++) buf_printf(&text, "%s`%s`", i ? ", " : "", where->names[i]);
  snprintf(out, size, "%s", text.len ? buf_str(&text) : where->interior ? "interior" : "all");
  buf_free(&text);
}

Status part_place(Part *part, const Data *data, const Where *where, IntegralKind kind, bool owned, bool may_be_empty) {
  const Mesh *mesh = data->mesh;
  if (kind == INTEGRAL_INTERIOR && mesh->ref->shape == CELL_TENSOR) {
    Diag *diag = diag_report(data->diags, E1061, where ? where->span : data->span, "this joins cells across their facets, and the mesh has %s", mesh->ref->plural);
    diag_suggest(diag, "make the mesh without `kind:`, of %s", refcell_of(CELL_SIMPLEX, mesh->dim)->plural);
    return 1;
  }
  if (kind == INTEGRAL_INTERIOR) {
    part->pair = mesh_interior(mesh, owned, &part->n);
    return 0;
  }
  bool whole = kind == INTEGRAL_CELL && (!where || where->all || (!where->n && !where->others));
  if (whole && (!owned || mesh->nranks <= 1)) {      /* the same on all ranks, which need not agree on it */
    part->n = mesh->ncells;
    part->all = !mesh->ncurved;
    if (part->all) return 0;
    part->item = mesh_select_cells(mesh, NULL, 0, true, false, &part->n);
    part_group(part, mesh, kind);
    return 0;
  }
  if (kind == INTEGRAL_CELL) part->item = mesh_select_cells(mesh, where ? where->names : NULL, where ? where->n : 0, whole, where && where->others, &part->n);
  else if (where->interface[0]) part->item = mesh_select_interface(mesh, where->interface[0], where->interface[1], &part->n);
  else part->item = mesh_select_facets(mesh, where->names, where->n, where->all || (!where->n && !where->others), where->others, &part->n);
  if (owned) keep_owned(part, mesh, kind);
  part_group(part, mesh, kind);
  long n = part->n, total = n;
  if (mesh->nranks > 1) MPI_Allreduce(&n, &total, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  if (total || may_be_empty) return 0;
  char name[256];
  where_text(where, name, sizeof name);
  diag_report(data->diags, E2012, where->span, "%s has no %s on this mesh", name, kind == INTEGRAL_CELL ? "cell" : "facet");
  return 1;
}

void part_free(Part *part) {
  free(part->item), free(part->pair);
  kernel_release(part->kernel);
  kernel_release(part->curved);
  *part = (Part){0};
}

/* ---- batches -------------------------------------------------------------------------------------------------------------------------- */

typedef struct Batch {
  const Kernel *kernel;
  const Data *data;
  const Part *part;
  FieldData *field;
  double *x, *w, *c, *p, *out;
  void *scratch;
  int *cell, *facet;          /* of the lanes */
  int *cell2;                 /* on facets between cells: the second ones, and the orders of both, in which places and dofs are gathered */
  uint8_t *order[2];
  int places[INTERIOR_ORDERS][4];
  uint8_t **field_node, **block_node;   /* mesh_interior_nodes of the kernel's fields, of the space's blocks; NULL in other integrals */
  int *nodes;                 /* scratch for the nodes of both */
  int lanes;                  /* that count */
  double *points;             /* AT_POINTS: scratch */
} Batch;

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

typedef Status (*BatchUse)(Batch *batch, void *user);

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

static Status each_batch(const Data *data, const Part *part, BatchUse use, void *user) {
  if (!part->n) return 0;
  IntegralKind kind = part->kernel->kind;
  if (part->all || kind == INTEGRAL_INTERIOR) return run_batches(data, part, part->kernel, 0, part->n, -1, use, user);
  int runs = run_count(data->mesh, kind);
  for (int g = 0; g < 2 * runs; g++)
    TRY(run_batches(data, part, g < runs ? part->kernel : part->curved, part->group[g], part->group[g + 1], kind == INTEGRAL_CELL ? -1 : g % runs, use, user));
  return 0;
}

/* ---- vectors and numbers -------------------------------------------------------------------------------------------------------------- */

/* The rows of both cells of each facet. */
static void add_vector_pairs(Batch *batch, double *r) {
  const Space *space = batch->data->space;
  int width = batch->kernel->width, offset = 0;
  for (int side = 0; side < 2; side++)
    for (int b = 0; b < space->nblocks; b++) {
      const SpaceBlock *block = &space->block[b];
      int per = block->nodes->per_cell, m = block->components;
      for (int l = 0; l < batch->lanes; l++) {
        const int *node = block->nodes->cell + (size_t)(side ? batch->cell2 : batch->cell)[l] * (size_t)per;
        const uint8_t *place = batch->block_node[b] + batch->order[side][l] * per;
        for (int a = 0; a < per; a++)
          for (int i = 0; i < m; i++) r[space_dof(block, node[place[a]]) + i] += batch->out[(offset + a * m + i) * width + l];
      }
      offset += per * m;
    }
}

static Status add_vector(Batch *batch, void *user) {
  double *r = user;
  if (batch->block_node) {
    add_vector_pairs(batch, r);
    return 0;
  }
  const Space *space = batch->data->space;
  int width = batch->kernel->width, offset = 0;
  for (int b = 0; b < space->nblocks; b++) {
    const SpaceBlock *block = &space->block[b];
    const NodeSet *nodes = block->nodes;
    int per = nodes->per_cell, m = block->components;
    for (int l = 0; l < batch->lanes; l++) {
      const int *node = nodes->cell + (size_t)batch->cell[l] * (size_t)per;
      for (int a = 0; a < per; a++) {
        double *to = r + space_dof(block, node[a]);
        for (int i = 0; i < m; i++) to[i] += batch->out[(offset + a * m + i) * width + l];
      }
    }
    offset += per * m;
  }
  return 0;
}

Status assemble_vector(const Data *data, const Part *parts, int n, double *r) {
  for (int i = 0; i < n; i++) TRY(each_batch(data, &parts[i], add_vector, r));
  return 0;
}

static Status add_sizes(Batch *batch, void *user) {
  for (int i = 0; i < batch->kernel->nout * batch->kernel->width; i++) batch->out[i] = fabs(batch->out[i]);
  return add_vector(batch, user);
}

Status assemble_sizes(const Data *data, const Part *parts, int n, double *r) {
  for (int i = 0; i < n; i++) TRY(each_batch(data, &parts[i], add_sizes, r));
  return 0;
}

static Status add_numbers(Batch *batch, void *user) {
  double *out = user;
  int width = batch->kernel->width;
  for (int i = 0; i < batch->kernel->nout; i++)
    for (int l = 0; l < batch->lanes; l++) out[i] += batch->out[i * width + l];
  return 0;
}

Status assemble_numbers(const Data *data, const Part *part, double *out) { return each_batch(data, part, add_numbers, out); }

/* ---- matrices ------------------------------------------------------------------------------------------------------------------------- */

typedef struct Target {
  const Pattern *pattern;
  double *values, *off;
  int *dof, *size;         /* of the cell's nodes: offset of the first element dof, components */
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
  for (int b = 0; b < nodes; b++)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < wide; j++) values[map[b] + i * down + j] += out[(size_t)(i * n + b * wide + j) * (size_t)width];
}

/* Several blocks on one rank. */
static inline __attribute__((always_inline)) void add_mixed(const Batch *batch, const Target *to, int width) {
  const Pattern *pattern = to->pattern;
  const Space *space = pattern->space;
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
          if (rows == 2 && wide == 2) add_strip(to->values, strip, count, down, columns, n, width, 2, 2);
          else if (rows == 3 && wide == 3) add_strip(to->values, strip, count, down, columns, n, width, 3, 3);
          else if (rows == 1 && wide == 1) add_strip(to->values, strip, count, down, columns, n, width, 1, 1);
          else add_strip(to->values, strip, count, down, columns, n, width, rows, wide);
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
          for (int i = 0; i < to->size[a]; i++)
            for (int j = 0; j < to->size[b]; j++) v[i * stride + j] += out[(size_t)(i * n + j) * (size_t)width];
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
  *to = (Target){.pattern = pattern, .dof = calloc(2 * (size_t)space->per_cell, sizeof(int))};
  to->size = to->dof + space->per_cell;
  for (int b = 0, a = 0, dof = 0; b < space->nblocks; b++)
    for (int k = 0; k < space->block[b].nodes->per_cell; k++, a++) {
      to->dof[a] = dof;
      to->size[a] = space->block[b].components;
      dof += space->block[b].components;
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
    for (int i = 0; i < n && !status; i++) status = each_batch(data, &parts[i], add_matrix, &to);
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
  free(to.dof);
  return status;
}

/* ---- blame ---------------------------------------------------------------------------------------------------------------------------- */

static void blame_inputs(const Batch *batch, int lane, Diag *diag) {
  const Kernel *kernel = batch->kernel;
  int width = kernel->width;
  for (int f = 0; f < kernel->nfields; f++) {
    const KernelField *field = &kernel->fields[f];
    double lo = INFINITY, hi = -INFINITY;
    bool bad = false;
    int n = batch->field[f].block->nodes->per_cell * field->components;
    for (int k = 0; k < n; k++) {
      double v = batch->w[(field->offset + k) * width + lane];
      if (isfinite(v)) lo = fmin(lo, v), hi = fmax(hi, v);
      else bad = true;
    }
    static const char *kind[] = {"the unknown", "a test function", "a direction", "the previous step of the unknown", "a given field"};
    if (bad) diag_note(diag, (Span){0, 0}, "%s (number %d) is not finite there", kind[field->symbol.kind], field->symbol.which + 1);
    else diag_note(diag, (Span){0, 0}, "%s (number %d) lies between %g and %g there", kind[field->symbol.kind], field->symbol.which + 1, lo, hi);
  }
  for (int i = 0; i < kernel->np; i++)
    if (kernel->params[i]->op == EXPR_PARAM) diag_note(diag, (Span){0, 0}, "%s = %g", kernel->params[i]->name, batch->p[i]);
}

static Status blame_batch(Batch *batch, void *user) {
  const Part *part = user;
  const Mesh *mesh = batch->data->mesh;
  int width = batch->kernel->width, dim = mesh->dim;
  for (int l = 0; l < batch->lanes; l++)
    for (int k = 0; k < batch->kernel->nout; k++) {
      if (isfinite(batch->out[k * width + l])) continue;
      if (part->integral && part->integral->kind == INTEGRAL_CELL && blame_in_cell(batch->data, part->integral->integrand, batch->cell[l], E2003, part->span)) return 1;
      if (part->measured && blame_in_cell(batch->data, part->measured, batch->cell[l], E2003, part->span)) return 1;
      double centre[3], middle[3];
      refcell_centre(mesh->ref, middle);
      mesh_map(mesh, batch->cell[l], middle, centre, NULL);
      Buf text = {0}, place = {0};
      if (part->integral || part->measured) expr_print(&text, part->integral ? part->integral->integrand : part->measured, EXPR_TEXT);
      for (int d = 0; d < dim; d++) buf_printf(&place, "%s%g", d ? ", " : "", centre[d]);
      Diag *diag = diag_report(batch->data->diags, E2003, part->span, "the integral of `%.200s%s` is not finite on the cell at (%s)",
                               buf_str(&text), text.len > 200 ? "..." : "", buf_str(&place));
      buf_free(&text), buf_free(&place);
      blame_inputs(batch, l, diag);
      return 1;
    }
  return 0;
}

Status assemble_blame(const Data *data, const Part *parts, int n) {
  for (int i = 0; i < n; i++) {
    Part part = parts[i];
    TRY(each_batch(data, &parts[i], blame_batch, &part));
  }
  return 0;
}
