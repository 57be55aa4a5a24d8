#include "hei_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hei_lapack.h"
#include "hei_spline.h"

enum { CUBIC = 3, GRID_MOST = 128 };

HeiNodes hei_nodes(int n) {
  if (n == 1) return (HeiNodes){0, 1, 1};
  int step = (n - 3) / GRID_MOST + 1;
  return (HeiNodes){1, step, (n - 3) / step + 1};
}

void hei_denoised(const Hei *hei, int trajectory, int interval, HeiNodes x, HeiNodes y, double *u, double *rate) {
  const HeiSmooth *smooth = &hei->smooth[trajectory];
  const HeiAxis *t = smooth->t;
  int first = hei->start[interval], nt = hei->start[interval + 1] - first, nx = hei->axis[0].n, ny = hei->axis[1].n;
  double *plane = malloc(sizeof(double) * nx * ny), *work = malloc(sizeof(double) * nx * smooth->y->nbasis);
  for (int order = 0; order < 2; order++) {
    double *slices = hei_slices(smooth, nt, t->u[order] + (size_t)first * t->nbasis), *out = order ? rate : u;
    for (int k = 0; k < nt; k++) {
      hei_slice(smooth, slices, k, 0, 0, work, plane);
      for (int i = 0; i < x.n; i++)
        for (int j = 0; j < y.n; j++) out[((size_t)k * x.n + i) * y.n + j] = plane[(size_t)(x.first + i * x.step) * ny + y.first + j * y.step];
    }
    free(slices);
  }
  free(plane), free(work);
}

/* Basis functions of fields on an axis, their derivative of order `order`, at the nodes used: [n][*nbasis]. */
static double *basis(const Hei *hei, int d, bool depends, int order, HeiNodes nodes, const double range[2], int *nbasis) {
  int total = hei->axis[d].n;
  *nbasis = depends && total > 1 ? hei->options.field + CUBIC : 1;
  double *x = malloc(sizeof(double) * nodes.n), *out = malloc(sizeof(double) * nodes.n * *nbasis);
  for (int i = 0; i < nodes.n; i++) x[i] = total > 1 ? range[0] + (range[1] - range[0]) * (nodes.first + i * nodes.step) / (total - 1) : 0;
  if (*nbasis > 1) hei_spline(hei->options.field, CUBIC, order, range[0], range[1], nodes.n, x, out);
  else for (int i = 0; i < nodes.n; i++) out[i] = !order;
  free(x);
  return out;
}

/* values[x.n][y.n] += factor d_x^dx d_y^dy C. */
static void add_field(const Hei *hei, const HeiData *data, unsigned domain, const HeiPart *part, const double *coefficients, HeiNodes x, HeiNodes y, double *values) {
  int p, q;
  double *bx = basis(hei, 0, domain & HEI_X, part->dx, x, data->x, &p), *by = basis(hei, 1, domain & HEI_Y, part->dy, y, data->y, &q), *lines = malloc(sizeof(double) * x.n * q);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, x.n, q, p, 1, bx, p, coefficients, q, 0, lines, q);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, x.n, y.n, q, part->factor, lines, q, by, q, 1, values, y.n);
  free(bx), free(by), free(lines);
}

static double *coefficient_of(HeiTerms *terms, const Hei *hei, int feature, size_t nodes) {
  for (int k = 0; k < terms->n; k++)
    if (terms->feature[k] == feature) return terms->coefficient[k];
  int k = terms->n++;
  terms->term = realloc(terms->term, sizeof *terms->term * terms->n);
  terms->feature = realloc(terms->feature, sizeof *terms->feature * terms->n);
  terms->coefficient = realloc(terms->coefficient, sizeof *terms->coefficient * terms->n);
  terms->feature[k] = feature;
  terms->coefficient[k] = calloc(nodes, sizeof(double));
  const HeiFeature *f = &hei->feature[feature];
  unsigned jets = f->jets;
  for (int jet = 0; f->linear && jet < HEI_JETS; jet++)
    if (f->linear[jet] != 0) jets |= 1u << jet;
  terms->term[k] = (RolloutTerm){jets, f->linear, f->values, f->user, terms->coefficient[k]};
  return terms->coefficient[k];
}

void hei_terms_open(const Hei *hei, const HeiData *data, const HeiCandidate *law, const double *coefficients, HeiNodes x, HeiNodes y, HeiTerms *terms) {
  size_t nodes = (size_t)x.n * y.n;
  for (int k = 0; k < law->nfields; k++) {
    const HeiField *field = &law->field[k];
    for (int i = 0; i < field->nparts; i++) add_field(hei, data, field->domain, &field->part[i], coefficients, x, y, coefficient_of(terms, hei, field->part[i].feature, nodes));
    coefficients += hei->weak[0].nfield[!!(field->domain & HEI_X)] * hei->weak[1].nfield[!!(field->domain & HEI_Y)];
  }
  for (int i = 0; i < law->nknown; i++) {
    double *c = coefficient_of(terms, hei, law->known[i].feature, nodes);
    for (size_t at = 0; at < nodes; at++) c[at] += law->known[i].factor;
  }
}

void hei_terms_close(HeiTerms *terms) {
  for (int k = 0; k < terms->n; k++) free(terms->coefficient[k]);
  free(terms->term), free(terms->feature), free(terms->coefficient);
}
