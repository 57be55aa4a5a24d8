/* The fields of a probe that is judged again: what the subject predicts there, what the map's own solver says, and how they differ. */
#include <math.h>
#include <stdlib.h>

#include "judge.h"

typedef struct Fields { double **out; size_t *values; int n; } Fields;

static Fields fields_open(const MapSpec *spec) {
  Fields f = {calloc((size_t)spec->noutputs + 1, sizeof *f.out), calloc((size_t)spec->noutputs + 1, sizeof *f.values), spec->noutputs};
  for (int o = 0; o < f.n; o++) {
    f.values[o] = (size_t)spec->grid->nt * (size_t)spec->grid->nnodes * (size_t)spec->outputs[o].ncomp;
    f.out[o] = calloc(f.values[o] + 1, sizeof **f.out);
  }
  return f;
}

static void fields_close(Fields *f) {
  for (int o = 0; o < f->n; o++) free(f->out[o]);
  free(f->out), free(f->values);
}

typedef struct Size { double rms, most; } Size;

/* Over nodes (and times), of magnitudes; b NULL: of a, else of a - b. */
static Size size_of(const double *a, const double *b, size_t values, int ncomp) {
  Size s = {0, 0};
  size_t places = values / (size_t)ncomp;
  for (size_t i = 0; i < places; i++) {
    double square = 0;
    for (int c = 0; c < ncomp; c++) {
      double x = a[i * (size_t)ncomp + (size_t)c] - (b ? b[i * (size_t)ncomp + (size_t)c] : 0);
      square += x * x;
    }
    s.rms += square / (double)places;
    if (!(sqrt(square) <= s.most)) s.most = sqrt(square);
  }
  s.rms = sqrt(s.rms);
  return s;
}

static void print_line(Buf *out, const char *what, Size s) { buf_printf(out, "    %-11s  root mean square %.6g, largest %.6g\n", what, s.rms, s.most); }

static void print_probe(Buf *out, const Judge *j, Predictor *subject, Predictor *solver, int probe, const double *row) {
  const MapSpec *spec = &j->trace->m->spec;
  Fields given = fields_open(spec), truth = fields_open(spec);
  char *error = NULL, *unsolved = NULL;
  bool fine = !subject->ops->predict(subject, 1, row, given.out, &error), own = solver == subject, known = !own && !solver->ops->predict(solver, 1, row, truth.out, &unsolved);
  for (int o = 0; o < spec->noutputs && fine; o++) {
    int ncomp = spec->outputs[o].ncomp;
    Size p = size_of(given.out[o], NULL, given.values[o], ncomp), t = size_of(truth.out[o], NULL, truth.values[o], ncomp);
    buf_printf(out, "  %s at %s, over nodes%s\n", spec->outputs[o].name, j->trace->probes[probe], spec->grid->nt > 1 ? " and times" : "");
    print_line(out, own ? "map" : "prediction", p);
    if (!known) continue;
    Size d = size_of(given.out[o], truth.out[o], given.values[o], ncomp);
    print_line(out, "map", t);
    print_line(out, "difference", d);
    if (t.rms > 0) buf_printf(out, "    relative     %.6g\n", d.rms / t.rms);
  }
  if (error) buf_printf(out, "  at %s: %s\n", j->trace->probes[probe], error);
  if (unsolved) buf_printf(out, "  the map at %s: %s\n", j->trace->probes[probe], unsolved);
  free(error);
  free(unsolved);
  fields_close(&given);
  fields_close(&truth);
}

void judge_print_fields(Buf *out, const Judge *j, const double *rows) {
  Value *subject = j->plan->subject;
  if (!subject || !j->trace->nprobes) return;
  Predictor *p = value_predictor(j->ev, subject, j->trace->m->span), *solver = value_map(subject)->map->solver;
  for (int probe = 0; probe < j->trace->nprobes && p && solver; probe++) print_probe(out, j, p, solver, probe, rows + (size_t)probe * (size_t)j->trace->m->spec.width);
}
