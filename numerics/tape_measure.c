/* Integrals of a tape: the kernels of the pde room (a cell a lane), with places, nodes and cell data laid out once for all samples. The gradient of an
 * integral by the nodal values of its fields is a linear form, whose integrand is linear in test functions: the same kernels, of rank 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "tape_internal.h"

/* ---- opening ---------------------------------------------------------------------------------------------------------------------------- */

typedef struct Request { TapeRun *run; const Data *data; } Request;

static bool field_on_grid(const Symbol *symbol, const Element **element, int *components, void *user) {
  const TapeRun *run = ((Request *)user)->run;
  int apply = (int)(symbol->serial - TAPE_SERIAL);
  if (symbol->serial < TAPE_SERIAL || apply >= run->tape->napplies) return false;
  *element = run->grid->element;
  *components = run->tape->applies[apply].predictor->spec->outputs[symbol->which].ncomp;
  return true;
}

static int region_classes(Name canonical, int *classes, int max, void *user) { return mesh_region_classes(((Request *)user)->run->grid->mesh, canonical, classes, max); }

static Unknown *tests_of(const TapeRun *run, const FieldSet *fields) {
  Unknown *unknowns = calloc((size_t)fields->n + 1, sizeof *unknowns);
  for (int k = 0; k < fields->n; k++) {
    const MapOutput *output = tape_output(run, &fields->item[k]);
    unknowns[k] = (Unknown){.name = output->name, .shape = output->shape, .element = run->grid->element->name, .unit = output->unit};
  }
  return unknowns;
}

static void gather_places(const Mesh *mesh, const Kernel *kernel, const int *cell, double *x) {
  int width = kernel->width, dim = mesh->dim, nverts = mesh->ref->nverts, nbends = kernel->curved && mesh->bend ? mesh->ref->nedges * dim : 0;
  for (int l = 0; l < width; l++) {
    const int *v = mesh->cell + (size_t)cell[l] * (size_t)nverts;
    for (int i = 0; i < nverts * dim; i++) x[i * width + l] = mesh->x[(size_t)v[i / dim] * (size_t)dim + (size_t)(i % dim)];
    const double *bend = nbends ? mesh->bend + (size_t)mesh->curved_of[cell[l]] * (size_t)nbends : NULL;
    for (int i = 0; i < nbends; i++) x[(nverts * dim + i) * width + l] = bend[i];
  }
}

static void run_open(const TapeRun *tape, const Part *part, const Kernel *kernel, int from, int to, int facet, int ntimes, MeasureRun *run) {
  const Mesh *mesh = tape->grid->mesh;
  int width = kernel->width, per = tape->per, batches = (to - from + width - 1) / width;
  size_t lanes = (size_t)batches * (size_t)width;
  *run = (MeasureRun){.kernel = kernel, .n = to - from, .batches = batches, .facet = facet, .x = lanes_alloc((size_t)batches * (size_t)kernel->nx, width),
                      .node = malloc(sizeof(int) * lanes * (size_t)per), .cell = malloc(sizeof(int) * lanes), .facet_of = malloc(sizeof(int) * lanes),
                      .c = calloc((size_t)ntimes, sizeof(double *))};
  for (size_t i = 0; i < lanes; i++) {
    int at = from + (int)i < to ? from + (int)i : to - 1, item = part->all ? at : part->item[at];
    run->cell[i] = facet < 0 ? item : mesh->facet_cell[item];
    run->facet_of[i] = facet < 0 ? 0 : mesh->facet_local[item];
    int *node = run->node + i / (size_t)width * (size_t)(per * width) + i % (size_t)width;
    for (int a = 0; a < per; a++) node[a * width] = tape->grid->cell_node[(size_t)run->cell[i] * (size_t)per + (size_t)a];
  }
  for (int b = 0; b < batches; b++) gather_places(mesh, kernel, run->cell + b * width, run->x + (size_t)b * (size_t)(kernel->nx * width));
}

static void runs_open(const TapeRun *run, Measure *measure) {
  const Part *part = &measure->part;
  bool cells = part->kernel->kind == INTEGRAL_CELL;
  int each = cells ? 1 : run->grid->mesh->ref->nfacets;
  size_t w = 0, p = 0, out = 0, scratch = 0;
  measure->run = calloc(2 * CELL_FACETS, sizeof(MeasureRun));
  for (int g = 0; g < 2 * each; g++) {
    const Kernel *kernel = g < each ? part->kernel : part->curved;
    int from = part->all ? 0 : part->group[g], to = part->all ? (g ? 0 : part->n) : part->group[g + 1];
    if (to <= from || !kernel) continue;
    run_open(run, part, kernel, from, to, cells ? -1 : g % each, measure->ntimes, &measure->run[measure->nruns++]);
    w = fmax(w, (size_t)kernel->nw * (size_t)kernel->width), out = fmax(out, (size_t)kernel->nout * (size_t)kernel->width);
    p = fmax(p, kernel->np), scratch = fmax(scratch, kernel_scratch(kernel));
  }
  measure->w = lanes_alloc(w, 1), measure->p = lanes_alloc(p, 1), measure->out = lanes_alloc(out, 1), measure->scratch = lanes_alloc(scratch / sizeof(double) + 8, 1);
}

static IntegralKind kind_of(const TapeReduce *at) { return at->over == TAPE_FACETS ? INTEGRAL_FACET : INTEGRAL_CELL; }

static Status open_degree(TapeRun *run, const TapeReduce *at, const FieldSet *fields, Expr **integrand, int n, int rank, int ntimes, int degree, Measure **out) {
  Data data = tape_data(run, NAN, at->span);
  Measure *measure = calloc(1, sizeof *measure);
  *measure = (Measure){.part = {.span = at->span}, .rank = rank, .nvalues = n, .ntimes = ntimes, .fields = fields};
  *out = NULL;
  Unknown *tests = tests_of(run, fields);
  Request user = {run, &data};
  LowerRequest request = {.dim = run->dim, .kind = kind_of(at), .rank = rank, .integrand = integrand, .n = n, .unknowns = tests, .nunknowns = rank ? fields->n : 0,
                          .field = field_on_grid, .region = region_classes, .user = &user, .degree = degree > 0 ? degree : -1, .repeats = tape_visits(run, ntimes), .span = at->span};
  Status status = part_place(&measure->part, &data, &at->where, request.kind, true, false);
  if (!status) status = part_kernels(&measure->part, &data, &request);
  free(tests);
  if (status) {
    measure_close(measure);
    return 1;
  }
  runs_open(run, measure);
  *out = measure;
  return 0;
}

Status measure_open(TapeRun *run, const TapeReduce *at, const FieldSet *fields, Expr **integrand, int n, int rank, int ntimes, int degree, Measure **out) {
  TRY(open_degree(run, at, fields, integrand, n, rank, ntimes, degree, out));
  const Kernel *curved = (*out)->part.curved;
  if (degree > 0 || !curved || curved->degree == (*out)->part.kernel->degree) return 0;
  degree = curved->degree;      /* one degree for all cells, so that a gradient can be taken with the same */
  measure_close(*out);
  return open_degree(run, at, fields, integrand, n, rank, ntimes, degree, out);
}

void measure_close(Measure *measure) {
  if (!measure) return;
  for (int r = 0; r < measure->nruns; r++) {
    MeasureRun *run = &measure->run[r];
    for (int j = 0; j < measure->ntimes; j++) free(run->c[j]);
    free(run->x), free(run->node), free(run->cell), free(run->facet_of), free(run->c);
  }
  free(measure->run), free(measure->w), free(measure->p), free(measure->out), free(measure->scratch);
  part_free(&measure->part);
  free(measure);
}

/* ---- data of cells ------------------------------------------------------------------------------------------------------------------------ */

static Status at_points(const Data *data, const MeasureRun *run, const KernelData *item, double *c) {
  const Kernel *kernel = run->kernel;
  int width = kernel->width, dim = data->mesh->dim, nq = item->n;
  size_t total = (size_t)run->batches * (size_t)width * (size_t)nq;
  double *reference = malloc(sizeof(double) * total * (size_t)dim), *value = malloc(sizeof(double) * total);
  int *cell = malloc(sizeof(int) * total), *facet = malloc(sizeof(int) * total);
  for (size_t i = 0; i < total; i++) {
    size_t lane = i / (size_t)nq, q = i % (size_t)nq;
    cell[i] = run->cell[lane];
    facet[i] = run->facet_of[lane];
    if (run->facet < 0) memcpy(reference + i * (size_t)dim, kernel->points + q * (size_t)dim, sizeof(double) * (size_t)dim);
    else refcell_facet_point(data->mesh->ref, facet[i], kernel->points + q * (size_t)(dim - 1), reference + i * (size_t)dim);
  }
  Points points = {.n = (int)total, .cell = cell, .reference = reference, .facet = run->facet < 0 ? NULL : facet};
  Expr *e = item->expr;
  Status status = data_evaluate(data, &e, 1, &points, value);
  for (size_t i = 0; i < total && !status; i++) {
    size_t lane = i / (size_t)nq, q = i % (size_t)nq;
    c[(lane / (size_t)width * (size_t)kernel->nc + (size_t)item->offset + q) * (size_t)width + lane % (size_t)width] = value[i];
  }
  free(reference), free(value), free(cell), free(facet);
  return status;
}

static Status data_of(TapeRun *tape, const Measure *measure, MeasureRun *run, double time, int j, const double **out) {
  const Kernel *kernel = run->kernel;
  const Mesh *mesh = tape->grid->mesh;
  if (measure->ntimes == 1) j = 0;
  *out = run->c[j];
  if (run->c[j] || !kernel->nc) return 0;
  double *c = lanes_alloc((size_t)run->batches * (size_t)kernel->nc, kernel->width);
  Data data = tape_data(tape, time, measure->part.span);
  Status status = 0;
  for (int i = 0; i < kernel->ndata && !status; i++) {
    const KernelData *item = &kernel->data[i];
    if (item->kind == KERNEL_AT_POINTS) {
      status = at_points(&data, run, item, c);
      continue;
    }
    for (int lane = 0; lane < run->batches * kernel->width; lane++)
      c[((size_t)(lane / kernel->width) * (size_t)kernel->nc + (size_t)item->offset) * (size_t)kernel->width + (size_t)(lane % kernel->width)] =
          item->kind == KERNEL_REGION ? (mesh->region ? mesh->region[run->cell[lane]] : 0) : item->kind == KERNEL_SIZE ? cell_size(mesh, run->cell[lane]) : 1e-9 * tape->domain;
  }
  if (status) free(c);
  else run->c[j] = c;
  *out = run->c[j];
  return status;
}

/* ---- running ------------------------------------------------------------------------------------------------------------------------------ */

static inline __attribute__((always_inline)) void gather(const int *node, const double *values, int entries, int m, int width, double *w) {
  for (int a = 0; a < entries; a++)
    for (int l = 0; l < width; l++) {
      const double *value = values + (size_t)node[a * width + l] * (size_t)m;
      for (int c = 0; c < m; c++) w[(a * m + c) * width + l] = value[c];
    }
}

static void gather_field(const int *node, const double *values, int per, int m, int width, double *w) {
  if (per == 3 && m == 1 && width == 8) gather(node, values, 3, 1, 8, w);
  else if (per == 3 && m == 2 && width == 8) gather(node, values, 3, 2, 8, w);
  else if (per == 6 && m == 2 && width == 8) gather(node, values, 6, 2, 8, w);
  else gather(node, values, per, m, width, w);
}

typedef void (*BatchUse)(const TapeRun *tape, const Measure *measure, const MeasureRun *run, int batch, void *user);

static Status each_batch(TapeRun *tape, Measure *measure, int sample, double time, int j, const double *const *field, BatchUse use, void *user) {
  for (int r = 0; r < measure->nruns; r++) {
    MeasureRun *run = &measure->run[r];
    const Kernel *kernel = run->kernel;
    int width = kernel->width, from[64];
    const double *c;
    TRY(data_of(tape, measure, run, time, j, &c));
    tape_params(tape, kernel->params, kernel->np, sample, time, measure->p);
    for (int f = 0; f < kernel->nfields; f++) from[f] = fields_find(measure->fields, &kernel->fields[f].symbol);
    for (int b = 0; b < run->batches; b++) {
      const int *node = run->node + (size_t)b * (size_t)(tape->per * width);
      for (int f = 0; f < kernel->nfields; f++)
        gather_field(node, field[from[f]], tape->per, kernel->fields[f].components, width, measure->w + (size_t)kernel->fields[f].offset * (size_t)width);
      kernel_run(kernel, run->x + (size_t)b * (size_t)(kernel->nx * width), measure->w, c ? c + (size_t)b * (size_t)(kernel->nc * width) : NULL, measure->p,
                 run->facet < 0 ? 0 : run->facet, measure->out, measure->scratch);
      use(tape, measure, run, b, user);
    }
  }
  return 0;
}

static int lanes_of(const MeasureRun *run, int batch) {
  int left = run->n - batch * run->kernel->width;
  return left < run->kernel->width ? left : run->kernel->width;
}

static void add_numbers(const TapeRun *tape, const Measure *measure, const MeasureRun *run, int batch, void *user) {
  (void)tape;
  double *out = user;
  int width = run->kernel->width, lanes = lanes_of(run, batch);
  for (int k = 0; k < measure->nvalues; k++) {
    double sum = 0;
    for (int l = 0; l < lanes; l++) sum += measure->out[k * width + l];
    out[k] += sum;
  }
}

Status measure_numbers(TapeRun *run, Measure *measure, int sample, double time, int j, const double *const *field, double *out) {
  memset(out, 0, sizeof(double) * (size_t)measure->nvalues);
  return each_batch(run, measure, sample, time, j, field, add_numbers, out);
}

typedef struct Scatter { double scale; double *const *bar; const int *components; } Scatter;

static void add_vector(const TapeRun *tape, const Measure *measure, const MeasureRun *run, int batch, void *user) {
  const Scatter *to = user;
  int width = run->kernel->width, lanes = lanes_of(run, batch), per = tape->per;
  const int *node = run->node + (size_t)batch * (size_t)(per * width);
  const double *out = measure->out;
  for (int k = 0; k < measure->fields->n; k++) {
    int m = to->components[k];
    for (int a = 0; a < per; a++)
      for (int l = 0; l < lanes; l++)
        for (int c = 0; c < m; c++) to->bar[k][(size_t)node[a * width + l] * (size_t)m + (size_t)c] += to->scale * out[(a * m + c) * width + l];
    out += per * m * width;
  }
}

Status measure_vector(TapeRun *run, Measure *measure, int sample, double time, int j, const double *const *field, double scale, double *const *bar) {
  int components[64];
  for (int k = 0; k < measure->fields->n; k++)
    components[k] = tape_output(run, &measure->fields->item[k])->ncomp;
  return each_batch(run, measure, sample, time, j, field, add_vector, &(Scatter){scale, bar, components});
}
