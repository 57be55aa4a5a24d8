/* A quantity on a regular grid: what instruments give, and what fields are exported as. Axes in the order of files: t, then z, y, x, each where it is. */
#ifndef SAMPLES_H
#define SAMPLES_H
#include "builtin.h"

enum { SAMPLE_AXES = 4 };

typedef struct SampleAxis {
  Name name;                  /* t z y x */
  Unit unit;
  int n;
  double *at;                 /* [n] rising; NULL while checking */
} SampleAxis;

struct SamplesValue {
  Name name;                  /* of the quantity: h */
  Unit unit;
  SampleAxis axis[SAMPLE_AXES]; int naxes;
  double *values;             /* row-major by the axes; NaN: missing. NULL while checking */
  const ExprTable *table;     /* the same as a function, once somebody asked for it */
  Argument *member; int nmembers;      /* what is known of them: the band of a fitted field; owned */
};

Value *samples_value(SamplesValue *samples);                         /* takes it over; known if it has values */
SamplesValue *samples_like(const SamplesValue *from, bool values);   /* a copy of names, axes and, if asked for, values (else zeroed) */
void samples_free(SamplesValue *samples);
size_t samples_count(const SamplesValue *samples);
int samples_axis(const SamplesValue *samples, const char *name);     /* -1: none */
long samples_missing(const SamplesValue *samples);
double samples_rms(const SamplesValue *samples);                     /* of what is not missing */
void samples_print(Buf *out, const SamplesValue *samples);
Value *samples_member(Eval *ev, Value *of, Name name, Span span);
Value *samples_at(Eval *ev, Value *of, double time, Span span);      /* linear between times */
/* Linear between the nodes, and beyond them that of the nearest: a coefficient of any pde. NULL after a report: missing values. */
Expr *samples_expr(Eval *ev, Value *of, Span span);
/* Its rectangle as a structured mesh with a vertex at each node, for pictures. Owned; NULL after a report. */
Value *samples_mesh(Eval *ev, const SamplesValue *samples, Span span);

/* Pearson's r, and |a - b| over |b|, over places where both have a value; weight[n] or NULL. */
typedef struct Agreement { double correlation, relative_l2; long places; } Agreement;
Agreement samples_agreement(size_t n, const double *a, const double *b, const double *weight);

/* By extension, .h5 .hdf5 .npz: t, x, y and NAME [nt][ny][nx]; of several that share their axes all in one file. false, NULL after a report. */
bool samples_write(Eval *ev, const SamplesValue *const *samples, const Name *names, int n, const char *path, Span span);
SamplesValue *samples_read(Eval *ev, const char *path, const char *name, Span span);
/* export(s, "f.h5"), export((D: d, k: k), "f.h5") */
Value *export_samples(Call *call, Value *what, const Value *path);

#endif
