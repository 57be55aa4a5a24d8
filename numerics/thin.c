#include "thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_internal.h"
#include "field.h"
#include "petsc.h"
#include "sides.h"

/* --- places --- */

static int by_vertices(const void *a, const void *b) {
  const int *p = a, *q = b;
  return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : (p[1] > q[1]) - (p[1] < q[1]);
}

static int find(const ThinPlace *place, int v, int w) {
  int key[2] = {v < w ? v : w, v < w ? w : v};
  const int *found = bsearch(key, place->vertex, (size_t)place->n, 2 * sizeof(int), by_vertices);
  return found ? (int)((found - place->vertex) / 2) : -1;
}

static void take(ThinPlace *place, const Mesh *mesh, Name name, int dim) {
  const MeshGroup *group = mesh_group_of(mesh, name, dim);
  if (!group) return;
  place->vertex = realloc(place->vertex, sizeof(int) * 2 * (size_t)(place->n + group->n + 1));
  for (int i = 0; i < group->n; i++) {
    const int *v = group->entity + (size_t)i * (size_t)place->width;
    int p = v[0], q = v[place->width - 1];
    place->vertex[2 * place->n] = p < q ? p : q;
    place->vertex[2 * place->n++ + 1] = p < q ? q : p;
  }
}

static void add_hit(ThinPlace *place, int tuple, int cell, int a, int b) {
  if (tuple < 0) return;
  if ((place->nhits & (place->nhits - 1)) == 0) place->hit = realloc(place->hit, sizeof *place->hit * (size_t)(place->nhits ? 2 * place->nhits : 1));
  place->hit[place->nhits++] = (ThinHit){tuple, cell, a, b};
}

void thin_open(ThinPlace *place, const Mesh *mesh, const Where *where) {
  int dim = mesh->dim, edges = dim * (dim + 1) / 2, unique = 0;
  *place = (ThinPlace){.width = where->thin};
  for (int k = 0; k < where->n; k++) take(place, mesh, where->names[k], where->thin - 1);
  qsort(place->vertex, (size_t)place->n, 2 * sizeof(int), by_vertices);
  for (int i = 0; i < place->n; i++)
    if (!unique || by_vertices(place->vertex + 2 * i, place->vertex + 2 * (unique - 1))) memmove(place->vertex + 2 * unique++, place->vertex + 2 * i, 2 * sizeof(int));
  place->n = unique;
  for (int c = 0; c < mesh->ncells && unique; c++) {
    const int *v = mesh->cell + (size_t)c * (size_t)(dim + 1);
    for (int a = 0; a <= dim && place->width == 1; a++) add_hit(place, find(place, v[a], v[a]), c, a, a);
    for (int e = 0; e < edges && place->width == 2; e++) {
      int a = mesh_edge_vertices[dim][e][0], b = mesh_edge_vertices[dim][e][1];
      add_hit(place, find(place, v[a], v[b]), c, a, b);
    }
  }
}

void thin_close(ThinPlace *place) {
  free(place->vertex), free(place->hit);
  *place = (ThinPlace){0};
}

/* --- values --- */

typedef struct Samples {       /* at nq points of each tuple that counts on this rank */
  int nq, size;
  double *value;               /* [tuples][nq][size] mean over the cells there, or over those of the side */
  double *x;                   /* [tuples][nq][dim] */
  double *length;              /* [tuples] of a point 1; 0: another rank counts it */
} Samples;

static bool owned(const Mesh *mesh, const int *v) {
  if (!mesh->vertex_owner) return true;
  int p = mesh->vertex_owner[v[0]], q = mesh->vertex_owner[v[1]];
  return (p < q ? p : q) == mesh->rank;
}

static void samples_close(Samples *s) { free(s->value), free(s->x), free(s->length); }

static Status missing(const Data *data, const Where *where) {
  diag_report(data->diags, E2530, data->span, "`%s` does not touch all of `%s`", where->side, where->names[0]);
  return 1;
}

static Status sample(const Data *data, Expr *e, const Where *where, const double *s, int nq, Samples *out) {
  const Mesh *mesh = data->mesh;
  int dim = mesh->dim, size = shape_size(e->shape, dim), n = 0;
  ThinPlace place;
  thin_open(&place, mesh, where);
  size_t tuples = (size_t)place.n + 1, most = (size_t)(place.nhits + 1) * (size_t)nq;
  *out = (Samples){nq, size, calloc(tuples * (size_t)(nq * size), sizeof(double)), calloc(tuples * (size_t)(nq * dim), sizeof(double)), calloc(tuples, sizeof(double))};
  int *cell = malloc(sizeof(int) * most), *of = malloc(sizeof(int) * most), *count = calloc(tuples, sizeof(int));
  double *reference = malloc(sizeof(double) * most * (size_t)dim), *values = malloc(sizeof(double) * most * (size_t)size);
  char *in = where->side ? sides_cells(mesh, where->side) : NULL;
  bool all = field_jumps(e, data->world), gap = false;
  NodeSet nodes = {.mesh = data->mesh};
  for (int h = 0; h < place.nhits; h++) {
    const ThinHit *hit = &place.hit[h];
    if (!owned(mesh, place.vertex + 2 * hit->tuple) || (in && !in[hit->cell]) || (!all && count[hit->tuple])) continue;
    count[hit->tuple]++;
    const int *v = mesh->cell + (size_t)hit->cell * (size_t)(dim + 1);
    bool turned = v[hit->a] > v[hit->b];         /* s runs from the lower vertex in every cell */
    for (int q = 0; q < nq; q++, n++) {
      double bary[4] = {0}, t = turned ? 1 - s[q] : s[q];
      bary[hit->a] += 1 - t, bary[hit->b] += t;
      cell[n] = hit->cell, of[n] = hit->tuple * nq + q;
      memcpy(reference + (size_t)n * (size_t)dim, bary + 1, sizeof(double) * (size_t)dim);
      nodes_place(&nodes, hit->cell, reference + (size_t)n * (size_t)dim, out->x + (size_t)of[n] * (size_t)dim);
    }
    double square = 0;
    for (int d = 0; d < dim; d++) square += pow(mesh->x[(size_t)v[hit->a] * (size_t)dim + (size_t)d] - mesh->x[(size_t)v[hit->b] * (size_t)dim + (size_t)d], 2);
    out->length[hit->tuple] = place.width == 1 ? 1 : sqrt(square);
  }
  for (int i = 0; i < place.n; i++) gap |= owned(mesh, place.vertex + 2 * i) && !count[i];
  Points points = {.n = n, .cell = cell, .reference = reference};
  Status status = n ? data_evaluate_tensor(data, e, &points, values) : 0;
  for (int p = 0; p < n && !status; p++)
    for (int c = 0; c < size; c++) out->value[(size_t)of[p] * (size_t)size + (size_t)c] += values[(size_t)p * (size_t)size + (size_t)c] / count[of[p] / nq];
  if (!status && gap && in) status = missing(data, where);
  free(cell), free(of), free(count), free(reference), free(values), free(in);
  status = petsc_agree(status);
  if (status) samples_close(out);
  out->nq = place.n * nq;      /* of all tuples from here on */
  thin_close(&place);
  return status;
}

Status thin_integral(const Data *data, Expr *e, const Where *where, int degree, double *out) {
  const double *points, *weights;
  double middle = 0, total = 0;
  int nq = where->thin == 2 ? quad_rule(1, degree > 0 ? degree : 8, &points, &weights) : 1, size = shape_size(e->shape, data->mesh->dim);
  Samples samples;
  TRY(sample(data, e, where, where->thin == 2 ? points : &middle, nq, &samples));
  for (int q = 0; q < nq; q++) total += where->thin == 2 ? weights[q] : 1;
  double *mine = calloc((size_t)size, sizeof(double));
  for (int i = 0; i < samples.nq; i++)
    for (int c = 0; c < size; c++)
      mine[c] += samples.length[i / nq] * (where->thin == 2 ? weights[i % nq] : 1) / total * samples.value[(size_t)i * (size_t)size + (size_t)c];
  MPI_Allreduce(mine, out, size, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  free(mine);
  samples_close(&samples);
  return 0;
}

Status thin_extremum(const Data *data, Expr *e, const Where *where, bool largest, double *out, double *at) {
  static const double s[] = {0, 0.25, 0.5, 0.75, 1};
  int nq = where->thin == 2 ? 5 : 1, dim = data->mesh->dim;
  Samples samples;
  TRY(sample(data, e, where, s, nq, &samples));
  struct { double value; int rank; } best = {-INFINITY, petsc_rank()};
  double sign = largest ? 1 : -1, place[3] = {0};
  for (int i = 0; i < samples.nq; i++) {
    if (samples.length[i / nq] == 0 || !(sign * samples.value[(size_t)i * (size_t)samples.size] > best.value)) continue;
    best.value = sign * samples.value[(size_t)i * (size_t)samples.size];
    memcpy(place, samples.x + (size_t)i * (size_t)dim, sizeof(double) * (size_t)dim);
  }
  samples_close(&samples);
  if (petsc_nranks() > 1) {
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, PETSC_COMM_WORLD);
    MPI_Bcast(place, 3, MPI_DOUBLE, best.rank, PETSC_COMM_WORLD);
  }
  *out = sign * best.value;
  if (at) memcpy(at, place, sizeof place);
  return 0;
}
