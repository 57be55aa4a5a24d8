#include "predict_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Framed {
  Predictor base;
  Predictor *inner;
  int dim, per;                /* nodes of a cell */
  int nspaces;                 /* 1, or one for each time */
  int *node;                   /* [nspaces][nnodes][per] */
  double *weight;
  int *time;                   /* [nt][2], and their weights */
  double *time_weight;
  double turn[9];
} Framed;

/* --- outputs --- */

static size_t spec_size(const MapSpec *spec, int o) { return (size_t)spec->grid->nt * (size_t)spec->grid->nnodes * (size_t)spec->outputs[o].ncomp; }
static size_t output_size(const Predictor *p, int o) { return spec_size(p->spec, o); }

/* out (ncomp) += weight * turned in; back: the transpose of it. */
static void turned(const Framed *f, const MapOutput *o, bool back, double weight, const double *in, double *out) {
  int d = f->dim;
  if (!o->shape.rank) {
    out[0] += weight * in[0];
    return;
  }
#define TURN(i, j) (back ? f->turn[(j) * 3 + (i)] : f->turn[(i) * 3 + (j)])
  if (o->shape.rank == 1) {
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) out[i] += weight * TURN(i, j) * in[j];
    return;
  }
  for (int i = 0; i < d; i++)
    for (int k = 0; k < d; k++)
      for (int j = 0; j < d; j++)
        for (int l = 0; l < d; l++) out[i * d + k] += weight * TURN(i, j) * TURN(k, l) * in[j * d + l];
#undef TURN
}

/* One output of one sample: out += the inner's, read in the frame; back: in += the transpose. */
static void transfer(const Framed *f, const MapOutput *o, bool back, const double *from, double *to) {
  const Grid *grid = f->base.spec->grid;
  size_t nc = (size_t)o->ncomp, nodes = (size_t)grid->nnodes, from_nodes = (size_t)f->inner->spec->grid->nnodes;
  for (int j = 0; j < grid->nt; j++)
    for (int s = 0; s < 2; s++) {
      double tw = f->time_weight[2 * j + s];
      if (tw == 0) continue;
      size_t space = f->nspaces > 1 ? (size_t)j * nodes : 0, read = (size_t)f->time[2 * j + s] * from_nodes;
      for (size_t i = 0; i < nodes; i++)
        for (int k = 0; k < f->per; k++) {
          double w = tw * f->weight[(space + i) * (size_t)f->per + (size_t)k];
          if (w == 0) continue;
          size_t here = ((size_t)j * nodes + i) * nc, there = (read + (size_t)f->node[(space + i) * (size_t)f->per + (size_t)k]) * nc;
          turned(f, o, back, w, from + (back ? here : there), to + (back ? there : here));
        }
    }
}

static double **inner_arrays(const Framed *f, int n) {
  const MapSpec *spec = f->inner->spec;
  double **arrays = calloc((size_t)spec->noutputs + 1, sizeof *arrays);
  for (int o = 0; o < spec->noutputs; o++) arrays[o] = calloc((size_t)n * spec_size(spec, o) + 1, sizeof **arrays);
  return arrays;
}

static void outputs_free(const Framed *f, double **arrays) {
  for (int o = 0; o < f->base.spec->noutputs; o++) free(arrays[o]);
  free(arrays);
}

static int frame_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  Framed *f = (Framed *)self;
  const MapSpec *spec = self->spec;
  double **in = inner_arrays(f, n);
  int bad = f->inner->ops->predict(f->inner, n, rows, in, error);
  self->calls += n;
  for (int o = 0; o < spec->noutputs && !bad; o++) {
    size_t each = output_size(self, o), read = spec_size(f->inner->spec, o);
    memset(out[o], 0, (size_t)n * each * sizeof(double));
    for (int s = 0; s < n; s++) transfer(f, &spec->outputs[o], false, in[o] + (size_t)s * read, out[o] + (size_t)s * each);
  }
  outputs_free(f, in);
  return bad;
}

static int frame_pullback(Predictor *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char **error) {
  Framed *f = (Framed *)self;
  const MapSpec *spec = self->spec;
  double **bar = inner_arrays(f, n);
  for (int o = 0; o < spec->noutputs; o++) {
    size_t each = output_size(self, o), read = spec_size(f->inner->spec, o);
    for (int s = 0; s < n; s++) transfer(f, &spec->outputs[o], true, out_bar[o] + (size_t)s * each, bar[o] + (size_t)s * read);
  }
  int bad = f->inner->ops->pullback(f->inner, n, rows, (const double *const *)bar, rows_bar, error);
  outputs_free(f, bar);
  return bad;
}

static void frame_free(Predictor *self) {
  Framed *f = (Framed *)self;
  free(f->node), free(f->weight), free(f->time), free(f->time_weight);
  free(f);
}

static const PredictorOps frame_ops = {.kind = "frame", .differentiable = true, .batch = 16, .predict = frame_predict, .pullback = frame_pullback, .free = frame_free};
static const PredictorOps frame_ops_forward = {.kind = "frame", .batch = 16, .predict = frame_predict, .free = frame_free};

/* --- where nodes and times are read --- */

typedef struct Box { double lo[3], hi[3], middle[3]; } Box;

static Box box_of(const Grid *grid, int dim) {
  Box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0}};
  for (int i = 0; i < grid->nnodes; i++)
    for (int d = 0; d < dim; d++) {
      double x = grid->x[(size_t)i * (size_t)dim + (size_t)d];
      b.lo[d] = fmin(b.lo[d], x), b.hi[d] = fmax(b.hi[d], x);
      b.middle[d] += x / grid->nnodes;
    }
  return b;
}

static void image(const Frame *frame, const Box *box, int dim, const double *x, double t, double *p) {
  for (int i = 0; i < dim; i++) {
    double width = box->hi[i] - box->lo[i], slack = 1e-9 * width;
    p[i] = frame->shift[i] + frame->velocity[i] * t;
    for (int j = 0; j < dim; j++) p[i] += frame->matrix[i * 3 + j] * x[j];
    if (!frame->wrap || !(width > 0)) continue;
    if (p[i] < box->lo[i] - slack || p[i] > box->hi[i] + slack) p[i] -= width * floor((p[i] - box->lo[i]) / width);
    p[i] = fmin(fmax(p[i], box->lo[i]), box->hi[i]);
  }
}

/* A point of a curved side may lie outside of its chords by a little: it is drawn inwards, by 2 % of the way to the middle at most. */
static int locate(Mesh *mesh, const Box *box, int dim, const double *p, double *X) {
  static const double pull[] = {0, 1e-9, 1e-6, 1e-4, 1e-3, 5e-3, 2e-2};
  for (size_t k = 0; k < sizeof pull / sizeof *pull; k++) {
    double q[3];
    for (int d = 0; d < dim; d++) q[d] = p[d] + pull[k] * (box->middle[d] - p[d]);
    int cell = mesh_locate(mesh, q, X);
    if (cell >= 0) return cell;
  }
  return -1;
}

static Status read_places(Framed *f, const Frame *frame, Diags *diags, Span span) {
  const Grid *grid = f->base.spec->grid, *from = f->inner->spec->grid;
  int dim = f->dim;
  Box box = box_of(from, dim);
  size_t rows = (size_t)f->nspaces * (size_t)grid->nnodes;
  f->node = calloc(rows * (size_t)f->per + 1, sizeof *f->node);
  f->weight = calloc(rows * (size_t)f->per + 1, sizeof *f->weight);
  for (int j = 0; j < f->nspaces; j++)
    for (int i = 0; i < grid->nnodes; i++) {
      double p[3] = {0}, X[3] = {0};
      const double *x = &grid->x[(size_t)i * (size_t)dim];
      image(frame, &box, dim, x, f->nspaces > 1 ? grid->t[j] - grid->t[0] : 0, p);
      int cell = locate(from->mesh, &box, dim, p, X);
      if (cell < 0) {
        diag_report(diags, E3101, span, "the point (%g, %g, %g) is read at (%g, %g, %g), where there is no mesh", x[0], dim > 1 ? x[1] : 0, dim > 2 ? x[2] : 0, p[0], p[1], p[2]);
        return 1;
      }
      size_t at = ((size_t)j * (size_t)grid->nnodes + (size_t)i) * (size_t)f->per;
      from->element->tabulate(dim, 1, X, f->weight + at, NULL, NULL);
      for (int k = 0; k < f->per; k++) {
        f->node[at + (size_t)k] = from->cell_node[(size_t)cell * (size_t)f->per + (size_t)k];
        if (fabs(f->weight[at + (size_t)k]) < 1e-13) f->weight[at + (size_t)k] = 0;
      }
    }
  return 0;
}

static void read_times(Framed *f, const Frame *frame) {
  const Grid *grid = f->base.spec->grid;
  int nt = grid->nt;
  f->time = calloc(2 * (size_t)nt + 1, sizeof *f->time);
  f->time_weight = calloc(2 * (size_t)nt + 1, sizeof *f->time_weight);
  for (int j = 0; j < nt; j++) {
    if (nt == 1) {
      f->time_weight[0] = 1;
      continue;
    }
    double first = grid->t[0], last = grid->t[nt - 1], slack = 1e-9 * (last - first);
    double t = frame->reverse ? first + last - grid->t[j] : grid->t[j] - frame->delay;
    if (t < first - slack) continue;
    t = fmin(fmax(t, first), last);
    int k = 0;
    while (k < nt - 2 && grid->t[k + 1] <= t) k++;
    double s = (t - grid->t[k]) / (grid->t[k + 1] - grid->t[k]);
    if (s < 1e-9) s = 0;
    if (s > 1 - 1e-9) s = 1;
    f->time[2 * j] = k, f->time[2 * j + 1] = k + 1;
    f->time_weight[2 * j] = 1 - s, f->time_weight[2 * j + 1] = s;
  }
}

Status frame_open(Predictor *inner, const MapSpec *on, const Frame *frame, Diags *diags, Span span, Predictor **out) {
  const Grid *grid = on->grid;
  Framed *f = calloc(1, sizeof *f);
  bool moves = frame->velocity[0] != 0 || frame->velocity[1] != 0 || frame->velocity[2] != 0;
  f->base = (Predictor){inner->ops->pullback ? &frame_ops : &frame_ops_forward, on, 0, NULL};
  f->inner = inner;
  f->dim = grid->mesh->dim;
  f->per = element_nodes(inner->spec->grid->element, f->dim);
  f->nspaces = moves ? grid->nt : 1;
  memcpy(f->turn, frame->turn, sizeof f->turn);
  Status status = read_places(f, frame, diags, span);
  if (!status) read_times(f, frame);
  *out = status ? NULL : &f->base;
  if (status) frame_free(&f->base);
  return status;
}
