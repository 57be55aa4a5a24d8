#include "reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "field.h"
#include "petsc.h"
#include "problem.h"
#include "sides.h"

static Status scalars(const Data *data, Expr *e, Expr ***out, int *size) {
  ExprPool *pool = data->engine->options.pool;
  *size = shape_size(e->shape, data->mesh->dim);
  *out = malloc(sizeof(Expr *) * (size_t)*size);
  for (int c = 0; c < *size; c++) {
    (*out)[c] = expr_scalar(pool, e, c, data->mesh->dim);
    if ((*out)[c]) continue;
    diag_report(data->diags, E2011, data->span, "this expression has no value over a mesh: %s", expr_error(pool).text);
    free(*out);
    return 1;
  }
  return 0;
}

/* Are there items at all? A silent zero would hide a misspelt mesh. */
static Status some(const Data *data, const Part *part, const Where *where) {
  long n = part->n, all = n;
  if (data->mesh->nranks > 1) MPI_Allreduce(&n, &all, 1, MPI_LONG, MPI_SUM, PETSC_COMM_WORLD);
  if (all) return 0;
  diag_report(data->diags, E2012, data->span, "`%s` is empty on this mesh", where && where->n ? where->names[0] : "the domain");
  return 1;
}

/* By rank in order, so that the sum does not depend on the library's tree. */
static void sum_ranks(const Mesh *mesh, const double *mine, int size, double *out) {
  int nranks = mesh->nranks > 1 ? mesh->nranks : 1;
  double *all = malloc(sizeof(double) * (size_t)(nranks * size));
  if (nranks > 1) MPI_Allgather(mine, size, MPI_DOUBLE, all, size, MPI_DOUBLE, PETSC_COMM_WORLD);
  else memcpy(all, mine, sizeof(double) * (size_t)size);
  for (int c = 0; c < size; c++) {
    out[c] = 0;
    for (int r = 0; r < nranks; r++) out[c] += all[r * size + c];
  }
  free(all);
}

/* Adds the integral over a part, or over those of its facets that sides picks. */
static Status add_integral(const Data *data, Expr *e, const Where *where, IntegralKind kind, int *degree, const Sides *sides, SidePick pick, double *mine) {
  Expr **component;
  int size;
  TRY(scalars(data, sides ? sides_expr(data, e, pick) : e, &component, &size));
  double *sum = calloc((size_t)size, sizeof(double)), weight = sides ? sides_weight(sides, pick) : 1;
  Part part;
  Status status = functional_part(data, NULL, 0, component, size, 0, kind, where, *degree, true, &part);
  free(component);
  const Kernel *kernel = status ? NULL : part.kernel ? part.kernel : part.curved;
  if (kernel) *degree = kernel->degree;
  if (!status) {
    status = some(data, &part, where);
    if (sides) sides_part(sides, data->mesh, pick, &part);
    if (!status) status = assemble_numbers(data, &part, sum);
    bool bad = false;
    for (int c = 0; c < size; c++) {
      bad |= !isfinite(sum[c]);
      mine[c] += weight * sum[c];
    }
    part.measured = e;
    if (!status && bad) status = assemble_blame(data, &part, 1);
    part_free(&part);
  }
  free(sum);
  return petsc_agree(status);
}

/* *degree: -1: chosen, and on return the one that was. */
static Status integrate(const Data *data, Expr *e, const Where *where, bool on_cells, int *degree, double *out) {
  Sides sides = {0};
  int size = shape_size(e->shape, data->mesh->dim);
  double *mine = calloc((size_t)size, sizeof(double));
  IntegralKind kind = on_cells ? INTEGRAL_CELL : where && where->interior ? INTEGRAL_INTERIOR : INTEGRAL_FACET;
  Status status = kind == INTEGRAL_FACET ? sides_open(&sides, data, e, where) : 0;
  for (SidePick pick = 0; pick < (sides.both ? SIDE_PICKS : 1) && !status; pick++)
    status = add_integral(data, e, where, kind, degree, sides.both ? &sides : NULL, pick, mine);
  if (!status) sum_ranks(data->mesh, mine, size, out);
  sides_close(&sides);
  free(mine);
  return status;
}

/* Across a jump within a cell no degree is exact: what another one gives shows about how far off the first is. */
static Status say_jumps(const Data *data, Expr *e, const Where *where, bool on_cells, int degree, const double *value) {
  enum { FURTHER = 6 };
  const double notable = 1e-6, noise = 1e-25;      /* squares of rounding errors differ in any way */
  int other = degree + FURTHER <= QUAD_MAX ? degree + FURTHER : degree - FURTHER, size = shape_size(e->shape, data->mesh->dim), worst = 0;
  double *check = calloc((size_t)size, sizeof(double)), scale = 0;
  Status status = integrate(data, e, where, on_cells, &other, check);
  for (int c = 0; c < size && !status; c++) {
    scale = fmax(scale, fmax(fabs(value[c]), fabs(check[c])));
    if (fabs(value[c] - check[c]) > fabs(value[worst] - check[worst])) worst = c;
  }
  double error = fabs(value[worst] - check[worst]);
  if (!status && error > fmax(notable * scale, noise)) {
    Diag *d = diag_report(data->diags, W2095, data->span, "what is integrated jumps inside cells: the integral is uncertain by about %.2g, %.2g of its size", error, error / scale);
    diag_note(d, (Span){0, 0}, "degree %d, which was chosen, gives %.9g, degree %d %.9g", degree, value[worst], other, check[worst]);
    diag_suggest(d, "let the mesh follow the jump (`region a = where ...` in the geometry), refine it there, or choose `degree:` yourself");
  }
  free(check);
  return status;
}

Status reduce_integral(const Data *data, Expr *e, const Where *where, bool on_cells, int degree, bool compare, double *out) {
  int used = degree;
  TRY(integrate(data, e, where, on_cells, &used, out));
  if (data->mesh->nranks > 1) MPI_Allreduce(MPI_IN_PLACE, &used, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);      /* a rank may have no cells there */
  return compare && degree < 0 && used >= 0 && expr_jumps(e) ? say_jumps(data, e, where, on_cells, used, out) : 0;
}

/* ---- extrema -------------------------------------------------------------------------------------------------------------------------------- */

enum { SAMPLES_MAX = 64 };

/* Reference points of a cell: the nodes of its quadratic element, and a quadrature rule's. */
static int sample_points(const RefCell *ref, double *out) {
  const Element *quadratic = element_of(ref->shape, 2);
  const double *points, *weights;
  int n = element_nodes(quadratic, ref->dim), nq = quad_on(ref->shape, ref->dim, 4, &points, &weights);
  quadratic->nodes(ref->dim, out);
  memcpy(out + n * ref->dim, points, sizeof(double) * (size_t)(nq * ref->dim));
  return n + nq;
}

/* Those of a facet, in the cell's coordinates. */
static int sample_facet(const RefCell *ref, int facet, double *out) {
  double on[SAMPLES_MAX * 3];
  const double *points, *weights;
  int dim = ref->dim, n = 0, nq = dim > 1 ? quad_on(ref->shape, dim - 1, 4, &points, &weights) : 0, nodes[SAMPLES_MAX];
  const Element *quadratic = element_of(ref->shape, 2);
  quadratic->nodes(dim, on);
  int k = nodes_on_facet(quadratic, dim, facet, nodes);
  for (int i = 0; i < k; i++, n++) memcpy(out + n * dim, on + nodes[i] * dim, sizeof(double) * (size_t)dim);
  for (int q = 0; q < nq; q++, n++) refcell_facet_point(ref, facet, points + q * (dim - 1), out + n * dim);
  return n;
}

/* At facets between cells: the mean of both sides, or the values of the one that counts. values hold those of the near side. */
static Status other_sides(const Data *data, Expr *e, const Sides *sides, const Points *near, const int *item, double *values) {
  const Mesh *mesh = data->mesh;
  NodeSet nodes = {.mesh = data->mesh};
  int dim = mesh->dim, size = shape_size(e->shape, dim), n = 0;
  size_t most = (size_t)near->n + 1;
  int *cell = malloc(sizeof(int) * most), *facet = malloc(sizeof(int) * most), *of = malloc(sizeof(int) * most);
  double *reference = malloc(sizeof(double) * most * (size_t)dim), *far = malloc(sizeof(double) * most * (size_t)size);
  for (int p = 0; p < near->n; p++) {
    int twin = sides->twin[item[p]];
    if (twin < 0 || (sides->in && sides->in[near->cell[p]])) continue;
    double x[3];
    nodes_place(&nodes, near->cell[p], near->reference + (size_t)p * (size_t)dim, x);
    cell[n] = mesh->facet_cell[twin], facet[n] = mesh->facet_local[twin], of[n] = p;
    mesh_unmap(mesh, cell[n], x, reference + (size_t)n * (size_t)dim);
    n++;
  }
  Points points = {.n = n, .cell = cell, .reference = reference, .facet = facet};
  Status status = n ? data_evaluate_tensor(data, sides_expr(data, e, SIDE_FAR), &points, far) : 0;
  for (int k = 0; k < n * size && !status; k++) {
    double *v = &values[of[k / size] * size + k % size];
    *v = sides->in ? far[k] : 0.5 * (*v + far[k]);
  }
  free(cell), free(facet), free(of), free(reference), free(far);
  return status;
}

typedef struct Best { double value; int rank; } Best;

Status reduce_extremum(const Data *data, Expr *e, const Where *where, bool on_cells, bool largest, double *out, double *place) {
  enum { CHUNK = 512 };
  const Mesh *mesh = data->mesh;
  int dim = mesh->dim, size = shape_size(e->shape, dim);
  Part part = {.span = data->span};
  Sides sides = {0};
  TRY(part_place(&part, data, where, on_cells ? INTEGRAL_CELL : INTEGRAL_FACET, true, true));
  Status status = some(data, &part, where);
  if (!status && !on_cells) status = sides_open(&sides, data, e, where);
  if (status) part_free(&part);
  TRY(status);
  double sample[CELL_FACETS][SAMPLES_MAX * 3];
  int count[CELL_FACETS];
  for (int f = 0; f < (on_cells ? 1 : mesh->ref->nfacets); f++) count[f] = on_cells ? sample_points(mesh->ref, sample[f]) : sample_facet(mesh->ref, f, sample[f]);
  size_t most = (size_t)CHUNK * SAMPLES_MAX;
  int *cell = malloc(sizeof(int) * most), *facet = malloc(sizeof(int) * most), *of = malloc(sizeof(int) * most);
  double *reference = malloc(sizeof(double) * most * (size_t)dim), *values = malloc(sizeof(double) * most * (size_t)size);
  Best *best = calloc((size_t)size, sizeof *best);
  double mine_at[3] = {0}, sign = largest ? 1 : -1;
  for (int c = 0; c < size; c++) best[c] = (Best){-INFINITY, mesh->rank};
  for (int at = 0; at < part.n && !status; at += CHUNK) {
    int n = 0;
    for (int i = at; i < part.n && i < at + CHUNK; i++) {
      int item = part.all ? i : part.item[i], f = on_cells ? 0 : mesh->facet_local[item];
      for (int k = 0; k < count[f]; k++, n++) {
        cell[n] = on_cells ? item : mesh->facet_cell[item];
        facet[n] = f;
        of[n] = item;
        memcpy(reference + (size_t)n * (size_t)dim, sample[f] + k * dim, sizeof(double) * (size_t)dim);
      }
    }
    Points points = {.n = n, .cell = cell, .reference = reference, .facet = on_cells ? NULL : facet};
    status = data_evaluate_tensor(data, e, &points, values);
    if (!status && sides.both) status = other_sides(data, e, &sides, &points, of, values);
    for (int p = 0; p < n && !status; p++)
      for (int c = 0; c < size; c++) {
        double v = values[(size_t)p * (size_t)size + (size_t)c];
        if (isnan(v)) {
          diag_report(data->diags, E2003, data->span, "the expression is not a number somewhere on the mesh");
          status = 1;
        }
        if (!(sign * v > best[c].value)) continue;
        best[c].value = sign * v;
        NodeSet nodes = {.mesh = data->mesh};
        if (c == 0) nodes_place(&nodes, cell[p], reference + (size_t)p * (size_t)dim, mine_at);
      }
  }
  status = petsc_agree(status);
  if (!status && mesh->nranks > 1) MPI_Allreduce(MPI_IN_PLACE, best, size, MPI_DOUBLE_INT, MPI_MAXLOC, PETSC_COMM_WORLD);
  if (!status && mesh->nranks > 1) MPI_Bcast(mine_at, 3, MPI_DOUBLE, best[0].rank, PETSC_COMM_WORLD);
  for (int c = 0; c < size && !status; c++) out[c] = sign * best[c].value;
  if (!status && place) memcpy(place, mine_at, sizeof mine_at);
  free(cell), free(facet), free(of), free(reference), free(values), free(best);
  sides_close(&sides);
  part_free(&part);
  return status;
}

/* ---- points ------------------------------------------------------------------------------------------------------------------------------------ */

typedef struct Around { int *first, *cells; } Around;    /* cells at each vertex */

/* Cells on either side of a cut share no vertices, but the place. */
static const Mesh *before_cuts(const Mesh *mesh) { return mesh->uncut ? mesh->uncut : mesh; }

static void around_open(const Mesh *mesh, Around *around) {
  mesh = before_cuts(mesh);
  int per = mesh->ref->nverts;
  size_t corners = (size_t)mesh->ncells * (size_t)per;
  around->first = calloc((size_t)mesh->nverts + 2, sizeof(int));
  around->cells = malloc(sizeof(int) * (corners + 1));
  for (size_t i = 0; i < corners; i++) around->first[mesh->cell[i] + 2]++;
  for (int v = 0; v < mesh->nverts; v++) around->first[v + 2] += around->first[v + 1];
  for (size_t i = 0; i < corners; i++) around->cells[around->first[mesh->cell[i] + 1]++] = (int)(i / (size_t)per);
}

typedef struct Hits { int n, cap, *point, *cell; double *reference; } Hits;

static void hit(Hits *hits, int dim, int point, int cell, const double *X) {
  if (hits->n == hits->cap) {
    hits->cap = hits->cap ? 2 * hits->cap : 64;
    hits->point = realloc(hits->point, sizeof(int) * (size_t)hits->cap);
    hits->cell = realloc(hits->cell, sizeof(int) * (size_t)hits->cap);
    hits->reference = realloc(hits->reference, sizeof(double) * (size_t)hits->cap * (size_t)dim);
  }
  hits->point[hits->n] = point;
  hits->cell[hits->n] = cell;
  memcpy(hits->reference + (size_t)hits->n++ * (size_t)dim, X, sizeof(double) * (size_t)dim);
}

/* Owned cells that contain the point: one, or all where every counts. */
static void find_cells(const Data *data, const Around *around, bool all, const char *side, int p, const double *x, Hits *hits) {
  Mesh *mesh = data->mesh;
  int dim = mesh->dim, before = hits->n;
  double X[3];
  int cell = mesh_locate(mesh, x, X);
  if (cell < 0) return;
  bool near = refcell_depth(mesh->ref, X) < 1e-9;
  bool simple = mesh_owns_cell(mesh, cell) && !(all && near) && (!side || side[cell]);
  if (simple) {
    hit(hits, dim, p, cell, X);
    return;
  }
  const int *v = before_cuts(mesh)->cell + (size_t)cell * (size_t)mesh->ref->nverts;
  for (int a = 0; a < mesh->ref->nverts; a++)
    for (int i = around->first[v[a]]; i < around->first[v[a] + 1]; i++) {
      int other = around->cells[i];
      bool seen = !mesh_owns_cell(mesh, other) || (side && !side[other]);
      for (int k = before; k < hits->n; k++) seen |= hits->cell[k] == other;
      if (seen || mesh_unmap(mesh, other, x, X) < -1e-9) continue;
      hit(hits, dim, p, other, X);
      if (!all) return;
    }
}

static Status outside(const Data *data, const double *x, Name side) {
  const Mesh *mesh = data->mesh;
  Buf place = {0}, box = {0};
  for (int d = 0; d < mesh->dim; d++) {
    buf_printf(&place, "%s%.10g", d ? ", " : "", x[d]);
    buf_printf(&box, "%s%g..%g", d ? " x " : "", mesh->lo[d], mesh->hi[d]);
  }
  Diag *diag = diag_report(data->diags, E2006, data->span, "the point (%s) lies outside of %s%s%s", buf_str(&place), side ? "the region `" : "the domain", side ? side : "",
                           side ? "`" : "");
  diag_note(diag, (Span){0, 0}, "the mesh fills a part of the box %s", buf_str(&box));
  diag_suggest(diag, "nothing is extrapolated: take a point of the domain");
  buf_free(&place), buf_free(&box);
  return 1;
}

Status reduce_points(const Data *data, Expr *e, int n, const double *x, Name side, double *out) {
  const Mesh *mesh = data->mesh;
  int dim = mesh->dim, size = shape_size(e->shape, dim);
  bool all = field_jumps(e, data->world), spread = mesh->nranks > 1;
  char *in = side ? sides_cells(mesh, side) : NULL;
  Around around;
  around_open(mesh, &around);
  Hits hits = {0};
  for (int p = 0; p < n; p++) find_cells(data, &around, all, in, p, x + (size_t)p * (size_t)dim, &hits);
  double *values = malloc(sizeof(double) * ((size_t)hits.n * (size_t)size + 1)), *sum = calloc((size_t)n * (size_t)(size + 1) + 1, sizeof(double));
  Points points = {.n = hits.n, .cell = hits.cell, .reference = hits.reference};
  Status status = petsc_agree(data_evaluate_tensor(data, e, &points, values));
  for (int i = 0; i < hits.n && !status; i++) {
    double *to = sum + (size_t)hits.point[i] * (size_t)(size + 1);
    for (int c = 0; c < size; c++) to[c] += values[(size_t)i * (size_t)size + (size_t)c];
    to[size] += 1;
  }
  if (spread && !status) MPI_Allreduce(MPI_IN_PLACE, sum, n * (size + 1), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  for (int p = 0; p < n && !status; p++) {
    const double *from = sum + (size_t)p * (size_t)(size + 1);
    if (from[size] == 0) status = outside(data, x + (size_t)p * (size_t)dim, side);
    for (int c = 0; c < size && !status; c++) out[(size_t)p * (size_t)size + (size_t)c] = from[c] / from[size];
  }
  free(hits.point), free(hits.cell), free(hits.reference), free(values), free(sum), free(around.first), free(around.cells), free(in);
  return status;
}
