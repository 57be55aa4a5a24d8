/* Values of expressions at the nodes and quadrature points of cells or facets, the places where the largest and the smallest are looked for (as in
 * reduce.c). What interpolates a field there does not change between samples: rows of a sparse matrix, made once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "nodal.h"
#include "tape_internal.h"

enum { SAMPLES_MAX = 128, CHUNK = 1024, QUADRATURE = 4 };

/* ---- points -------------------------------------------------------------------------------------------------------------------------------- */

static int cell_samples(const RefCell *ref, double *nodes, double *quadrature, int *nquad) {
  const Element *quadratic = element_of(ref->shape, 2);
  const double *points, *weights;
  *nquad = quad_on(ref->shape, ref->dim, QUADRATURE, &points, &weights);
  quadratic->nodes(ref->dim, nodes);
  memcpy(quadrature, points, sizeof(double) * (size_t)(*nquad * ref->dim));
  return element_nodes(quadratic, ref->dim);
}

static void add_point(Extremum *e, int dim, int cell, int facet, const double *X) {
  if (!(e->n & (e->n - 1))) {      /* room doubles */
    size_t room = e->n ? 2 * (size_t)e->n : 1;
    e->cell = realloc(e->cell, sizeof(int) * room);
    if (facet >= 0) e->facet = realloc(e->facet, sizeof(int) * room);
    e->reference = realloc(e->reference, sizeof(double) * room * (size_t)dim);
  }
  e->cell[e->n] = cell;
  if (facet >= 0) e->facet[e->n] = facet;
  memcpy(e->reference + (size_t)e->n * (size_t)dim, X, sizeof(double) * (size_t)dim);
  e->n++;
}

/* once: a node that several cells share has one value and is taken once. */
static void add_cells(Extremum *e, const Mesh *mesh, const Part *part, bool once) {
  double nodes[SAMPLES_MAX * 3], quadrature[SAMPLES_MAX * 3];
  int nquad, n = cell_samples(mesh->ref, nodes, quadrature, &nquad), dim = mesh->dim, total;
  int *layout = nodal_layout((Mesh *)mesh, element_of(mesh->ref->shape, 2), &total);
  char *seen = calloc((size_t)total + 1, 1);
  for (int i = 0; i < part->n; i++) {
    int cell = part->all ? i : part->item[i];
    for (int a = 0; a < n; a++) {
      int node = layout[(size_t)cell * (size_t)n + (size_t)a];
      if (!once || !seen[node]) add_point(e, dim, cell, -1, nodes + a * dim);
      seen[node] = 1;
    }
    for (int q = 0; q < nquad; q++) add_point(e, dim, cell, -1, quadrature + q * dim);
  }
  free(layout), free(seen);
}

static void add_facets(Extremum *e, const Mesh *mesh, const Part *part) {
  const RefCell *ref = mesh->ref;
  const Element *quadratic = element_of(ref->shape, 2);
  double nodes[SAMPLES_MAX * 3], X[3];
  const double *points = NULL, *weights;
  int dim = mesh->dim, nquad = dim > 1 ? quad_on(ref->shape, dim - 1, QUADRATURE, &points, &weights) : 0, on[SAMPLES_MAX];
  quadratic->nodes(dim, nodes);
  for (int i = 0; i < part->n; i++) {
    int facet = part->item[i], local = mesh->facet_local[facet], n = nodes_on_facet(quadratic, dim, local, on);
    for (int a = 0; a < n; a++) add_point(e, dim, mesh->facet_cell[facet], local, nodes + on[a] * dim);
    for (int q = 0; q < nquad; q++) {
      refcell_facet_point(ref, local, points + q * (dim - 1), X);
      add_point(e, dim, mesh->facet_cell[facet], local, X);
    }
  }
}

static Status place_points(const Data *data, const TapeReduce *at, bool once, Extremum *e) {
  Part part = {.span = at->span};
  bool cells = at->over != TAPE_FACETS;
  TRY(part_place(&part, data, &at->where, cells ? INTEGRAL_CELL : INTEGRAL_FACET, true, false));
  if (cells) add_cells(e, data->mesh, &part, once);
  else add_facets(e, data->mesh, &part);
  part_free(&part);
  return 0;
}

void extremum_place(const TapeRun *run, const Extremum *e, int point, double *x) {
  mesh_map(run->grid->mesh, e->cell[point], e->reference + (size_t)point * (size_t)run->dim, x, NULL);
}

/* ---- inputs of the program ------------------------------------------------------------------------------------------------------------------- */

const double *extremum_coefficients(const TapeRun *run, Extremum *e, const uint8_t *dx) {
  for (int k = 0; k < e->ncoefs; k++)
    if (!memcmp(e->dx[k], dx, 3)) return e->coef[k];
  e->coef = realloc(e->coef, sizeof(double *) * (size_t)(e->ncoefs + 1));
  e->dx = realloc(e->dx, sizeof *e->dx * (size_t)(e->ncoefs + 1));
  memcpy(e->dx[e->ncoefs], dx, 3);
  double *coef = e->coef[e->ncoefs++] = malloc(sizeof(double) * ((size_t)e->n * (size_t)e->per + 1));
  for (int p = 0; p < e->n; p++)
    data_basis(run->grid->mesh, e->cell[p], e->reference + (size_t)p * (size_t)run->dim, run->grid->element, dx, coef + (size_t)p * (size_t)e->per);
  return coef;
}

static bool one_valued(Expr *const *exprs, int n, const FieldSet *fields, ExprPool *pool) {
  bool yes = true;
  for (int k = 0; k < n; k++) {
    Expr *term[256];
    int nterms = expr_terms(pool, exprs[k], 1u << SYMBOL_FIELD, term, 256);
    yes = yes && nterms <= 256 && !(exprs[k]->flags & (HAS_NORMAL | HAS_SIZE | HAS_REGIONS));
    for (int i = 0; i < nterms && i < 256; i++) {
      const Symbol *s = &term[i]->symbol;
      yes = yes && fields_find(fields, s) >= 0 && !(s->dx[0] + s->dx[1] + s->dx[2]);
    }
  }
  return yes;
}

static void copy_points(const Extremum *from, int dim, Extremum *e) {
  e->n = from->n;
  e->cell = memcpy(malloc(sizeof(int) * (size_t)e->n), from->cell, sizeof(int) * (size_t)e->n);
  if (from->facet) e->facet = memcpy(malloc(sizeof(int) * (size_t)e->n), from->facet, sizeof(int) * (size_t)e->n);
  e->reference = memcpy(malloc(sizeof(double) * (size_t)(e->n * dim)), from->reference, sizeof(double) * (size_t)(e->n * dim));
}

Status extremum_open(TapeRun *run, const TapeReduce *at, const FieldSet *fields, Expr *const *exprs, int n, int ntimes, const Extremum *like, Extremum **out) {
  Extremum *e = calloc(1, sizeof *e);
  Data data = tape_data(run, NAN, at->span);
  e->per = run->per;
  *out = NULL;
  Status status = 0;
  if (like) copy_points(like, run->dim, e);
  else status = place_points(&data, at, one_valued(exprs, n, fields, run->pool), e);
  if (!status) status = program_open(run->engine->kernels, exprs, n, (long)e->n * tape_visits(run, ntimes), run->domain, run->diags, &e->program);
  if (status) {
    extremum_close(e);
    return 1;
  }
  e->input = calloc((size_t)e->program->nin + 1, sizeof *e->input);
  for (int i = 0; i < e->program->nin; i++) {
    Expr *leaf = e->program->input[i];
    int field = leaf->op == EXPR_TERM ? fields_find(fields, &leaf->symbol) : -1;
    bool changes = leaf->op == EXPR_TERM || leaf->op == EXPR_HOSTCALL;
    e->input[i] = (struct ExtremumInput){.field = field, .component = leaf->op == EXPR_TERM ? leaf->symbol.component : 0, .ntimes = changes ? ntimes : 1};
    if (field >= 0) e->input[i].coef = extremum_coefficients(run, e, leaf->symbol.dx);
    else e->input[i].row = calloc((size_t)e->input[i].ntimes, sizeof(double *));
  }
  *out = e;
  return 0;
}

void extremum_close(Extremum *e) {
  if (!e) return;
  for (int i = 0; e->program && e->input && i < e->program->nin; i++) {
    for (int j = 0; e->input[i].row && j < e->input[i].ntimes; j++) free(e->input[i].row[j]);
    free(e->input[i].row);
  }
  for (int k = 0; k < e->ncoefs; k++) free(e->coef[k]);
  program_close(e->program);
  free(e->input), free(e->coef), free(e->dx), free(e->cell), free(e->facet), free(e->reference);
  free(e);
}

/* ---- values ------------------------------------------------------------------------------------------------------------------------------------ */

static Status make_rows(TapeRun *run, Extremum *e, double time, int j) {
  Points points = {.n = e->n, .cell = e->cell, .reference = e->reference, .facet = e->facet};
  Data data = tape_data(run, time, (Span){0, 0});
  for (int i = 0; i < e->program->nin; i++) {
    struct ExtremumInput *input = &e->input[i];
    int at = input->ntimes == 1 ? 0 : j;
    if (input->field >= 0 || input->row[at]) continue;
    double *row = malloc(sizeof(double) * ((size_t)e->n + 1));
    if (data_leaf(&data, e->program->input[i], &points, row)) {
      free(row);
      return 1;
    }
    input->row[at] = row;
  }
  return 0;
}

static void interpolate(const TapeRun *run, const Extremum *e, const struct ExtremumInput *input, const double *values, int m, int from, int n, double *out) {
  for (int p = 0; p < n; p++) {
    const double *coef = input->coef + (size_t)(from + p) * (size_t)e->per;
    const int *node = run->grid->cell_node + (size_t)e->cell[from + p] * (size_t)e->per;
    double s = 0;
    for (int a = 0; a < e->per; a++) s += coef[a] * values[(size_t)node[a] * (size_t)m + (size_t)input->component];
    out[p] = s;
  }
}

Status extremum_values(TapeRun *run, Extremum *e, const FieldSet *fields, int sample, double time, int j, const double *const *field, int from, int count, double *const *out) {
  Program *program = e->program;
  TRY(make_rows(run, e, time, j));
  double *p = malloc(sizeof(double) * ((size_t)program->np + 1)), *scratch = malloc(sizeof(double) * CHUNK * ((size_t)program->nin + 1)), **to = malloc(sizeof(double *) * ((size_t)program->nout + 1));
  const double **in = malloc(sizeof(double *) * ((size_t)program->nin + 1));
  tape_params(run, program->param, program->np, sample, time, p);
  for (int at = from; at < from + count; at += CHUNK) {
    int n = from + count - at < CHUNK ? from + count - at : CHUNK;
    for (int i = 0; i < program->nin; i++) {
      const struct ExtremumInput *input = &e->input[i];
      if (input->field < 0) {
        in[i] = input->row[input->ntimes == 1 ? 0 : j] + at;
        continue;
      }
      const TapeField *f = &fields->item[input->field];
      in[i] = scratch + (size_t)i * CHUNK;
      interpolate(run, e, input, field[input->field], tape_output(run, f)->ncomp, at, n, (double *)in[i]);
    }
    for (int k = 0; k < program->nout; k++) to[k] = out[k] + (at - from);
    program_run(program, n, in, p, to);
  }
  free(p), free(scratch), free(in), free(to);
  return 0;
}
