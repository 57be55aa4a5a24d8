/* Models read in another frame: mirrored, turned, moved, delayed, on another mesh, with other numbers of nodes. A contract compares them with the model itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "relabel.h"
#include "trace.h"

static bool same_times(const Grid *a, const Grid *b) {
  if (a->nt != b->nt) return false;
  for (int i = 0; i < a->nt; i++)
    if (!(fabs(a->t[i] - b->t[i]) <= 1e-9 * fabs(a->t[a->nt - 1] - a->t[0])) && a->nt > 1) return false;
  return true;
}

/* One row of inputs serves two maps: the same inputs and times in one order, the same outputs, in one space. */
static bool same_inputs(Eval *ev, const MapSpec *a, const MapSpec *b, Span span) {
  const char *differs = a->ninputs != b->ninputs ? "they have not as many inputs" : a->noutputs != b->noutputs ? "they have not as many outputs" : NULL;
  for (int i = 0; i < a->ninputs && !differs; i++)
    if (a->inputs[i].name != b->inputs[i].name || a->inputs[i].history != b->inputs[i].history) differs = "their inputs are others, or stand in another order";
  for (int o = 0; o < a->noutputs && !differs; o++)
    if (a->outputs[o].name != b->outputs[o].name || a->outputs[o].ncomp != b->outputs[o].ncomp) differs = "their outputs are others, or stand in another order";
  if (!differs && a->grid->mesh->dim != b->grid->mesh->dim) differs = "their meshes have not one dimension";
  if (!differs && !same_times(a->grid, b->grid)) differs = "their times are others";
  if (differs) diag_suggest(diag_report(&ev->host->diags, E3060, span, "`%s` and `%s` are no two resolutions of one map: %s", a->name, b->name, differs), "declare both with the same inputs, outputs and times, on two meshes");
  return !differs;
}

Predictor *framed_predictor(Eval *ev, ModelValue *m, Span span) {
  if (m->relabelled) return relabelled_predictor(ev, m->of->model, span);
  Predictor *inner = value_predictor(ev, m->of, span), *out = NULL;
  const TapeApi *api = ev->host->api->tape;
  const MapSpec *on = &m->map->map->spec;
  if (!inner || (inner->spec != on && !same_inputs(ev, inner->spec, on, span))) return NULL;
  Status status = m->frame ? api->frame(inner, on, m->frame, &ev->host->diags, span, &out) : api->impulse(inner, &ev->host->diags, span, &out);
  return status ? NULL : out;
}

static Value *subject_of(Call *call) {
  Value *v = ARG(0);
  if (value_map(v)) return v;
  if (v->kind != VALUE_UNKNOWN) diag_suggest(REPORT(E0505, "`%s` wants a model or map; this is %s %s", call->row->name, value_article(v), value_kind_name(v)), "as in a contract with a parameter `m: model`");
  return NULL;
}

static Value *nothing(Call *call) { return ARG(0)->kind == VALUE_UNKNOWN ? value_unknown() : value_poison(); }

static Frame *still(void) {
  Frame *f = calloc(1, sizeof *f);
  for (int i = 0; i < 3; i++) f->matrix[4 * i] = f->turn[4 * i] = 1;
  return f;
}

static Value *framed(Value *subject, Frame *frame) {
  Value *v = value_new(VALUE_MODEL), *map = value_map(subject);
  ModelValue *m = v->model = calloc(1, sizeof *m);
  m->name = subject->kind == VALUE_MODEL ? subject->model->name : map->map->spec.name;
  m->kind = "frame";
  m->map = value_retain(map);
  m->of = value_retain(subject);
  m->frame = frame;
  return v;
}

/* dim numbers of an argument; 0: they are not known yet, -1: after a report. */
static int numbers_of(Call *call, int at, int dim, Unit unit, double *out) {
  Value *v = ARG(at), *one[1] = {v}, **items = v->kind == VALUE_NUMBER ? one : v->items;
  int n = v->kind == VALUE_NUMBER ? 1 : v->kind == VALUE_TUPLE || v->kind == VALUE_LIST ? v->n : -1;
  if (v->kind == VALUE_UNKNOWN || (n > 0 && is_unknown(items[0]))) return 0;
  if (n != dim) {
    diag_report(&call->ev->host->diags, E0301, call->spans[at], "%d coordinates are wanted here", dim);
    return -1;
  }
  for (int i = 0; i < n; i++)
    if (!eval_to_number(call->ev, items[i], call->spans[at], "a coordinate", unit, &out[i])) return -1;
  return 1;
}

/* A frame that turns about a point: x is read at matrix (x - about) + about. */
static void fix_point(Frame *f, int dim, const double *about) {
  for (int i = 0; i < dim; i++) {
    f->shift[i] = about[i];
    for (int j = 0; j < dim; j++) f->shift[i] -= f->matrix[3 * i + j] * about[j];
  }
}

static Value *run_mirrored(Call *call) {
  Value *subject = subject_of(call);
  double normal[3] = {0}, through[3] = {0}, length = 0;
  if (!subject) return nothing(call);
  int dim = value_map(subject)->map->dim;
  int known = numbers_of(call, 1, dim, UNIT_NONE, normal), placed = known < 0 ? -1 : numbers_of(call, 2, dim, host_length_unit(call->ev->host), through);
  if (known < 0 || placed < 0) return value_poison();
  Frame *f = still();
  for (int i = 0; i < dim; i++) length += normal[i] * normal[i];
  for (int i = 0; i < dim && length > 0; i++)
    for (int j = 0; j < dim; j++) f->matrix[3 * i + j] -= 2 * normal[i] * normal[j] / length;
  memcpy(f->turn, f->matrix, sizeof f->turn);
  fix_point(f, dim, through);
  return framed(subject, f);
}

/* (R^-1 F)(x): the field at the turned point, its vectors turned back. In the plane, in 3D about the z axis. */
static Value *run_rotated(Call *call) {
  Value *subject = subject_of(call);
  double angle = 0, about[3] = {0};
  if (!subject) return nothing(call);
  int dim = value_map(subject)->map->dim, placed = numbers_of(call, 2, dim, host_length_unit(call->ev->host), about);
  if (dim < 2) {
    REPORT(E0301, "there is no rotation in one dimension");
    return value_poison();
  }
  if (placed < 0 || (!is_unknown(ARG(1)) && !eval_to_number(call->ev, ARG(1), call->spans[1], "an angle", UNIT_NONE, &angle))) return value_poison();
  Frame *f = still();
  double c = fabs(cos(angle)) < 1e-15 ? 0 : cos(angle), s = fabs(sin(angle)) < 1e-15 ? 0 : sin(angle);
  f->matrix[0] = f->matrix[4] = f->turn[0] = f->turn[4] = c;
  f->matrix[1] = -s, f->matrix[3] = s;
  f->turn[1] = s, f->turn[3] = -s;
  fix_point(f, dim, about);
  return framed(subject, f);
}

static Value *run_translated(Call *call) {
  Value *subject = subject_of(call);
  double by[3] = {0};
  if (!subject) return nothing(call);
  if (numbers_of(call, 1, value_map(subject)->map->dim, host_length_unit(call->ev->host), by) < 0) return value_poison();
  Frame *f = still();
  f->wrap = true;
  for (int i = 0; i < 3; i++) f->shift[i] = -by[i];
  return framed(subject, f);
}

static Value *run_carried(Call *call) {
  Value *subject = subject_of(call);
  double by[3] = {0};
  if (!subject) return nothing(call);
  Host *host = call->ev->host;
  if (numbers_of(call, 1, value_map(subject)->map->dim, unit_div(host_length_unit(host), host_time_unit(host)), by) < 0) return value_poison();
  Frame *f = still();
  f->wrap = true;
  memcpy(f->velocity, by, sizeof by);
  return framed(subject, f);
}

static bool timed(Call *call, Value *subject) {
  if (value_map(subject)->map->transient) return true;
  REPORT(E3027, "the outputs of `%s` have no time", value_map(subject)->map->spec.name);
  return false;
}

static Value *run_delayed(Call *call) {
  Value *subject = subject_of(call);
  double by = 0;
  if (!subject) return nothing(call);
  if (!timed(call, subject) || (!is_unknown(ARG(1)) && !eval_to_number(call->ev, ARG(1), call->spans[1], "a time", host_time_unit(call->ev->host), &by))) return value_poison();
  Frame *f = still();
  f->delay = by;
  return framed(subject, f);
}

static Value *run_backwards(Call *call) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  if (!timed(call, subject)) return value_poison();
  Frame *f = still();
  f->reverse = true;
  return framed(subject, f);
}

static Value *run_step_sum(Call *call) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  return timed(call, subject) ? framed(subject, NULL) : value_poison();
}

/* resampled(fine, m): a model of a map on another mesh, read at the nodes of m's. */
static Value *run_resampled(Call *call) {
  Value *fine = subject_of(call), *m = ARG(1);
  if (!fine || m->kind == VALUE_UNKNOWN) return fine ? value_unknown() : nothing(call);
  if (!value_map(m)) {
    diag_report(&call->ev->host->diags, E0505, call->spans[1], "`resampled` reads on the mesh of a model or map; this is %s %s", value_article(m), value_kind_name(m));
    return value_poison();
  }
  Value *v = framed(fine, still());
  value_release(v->model->map);
  v->model->map = value_retain(value_map(m));
  return v;
}

static Value *run_relabelled(Call *call) {
  Value *subject = subject_of(call);
  if (!subject) return nothing(call);
  Value *v = framed(subject, still());
  v->model->relabelled = can_be_relabelled(subject);
  return v;
}

const BuiltinRow builtin_frames[] = {
    {"mirrored", "(m: any, normal: any, through: any)", "models", "A model's mirror image in the plane through a point: its fields at mirrored points, vectors and tensors mirrored too. Off the nodes they are interpolated.", NULL, run_mirrored},
    {"rotated", "(m: any, angle: any, about: any)", "models", "A model turned back by an angle (in the plane; in 3D about the z axis): its fields at turned points, vectors and tensors turned back: what equals the model of turned loads.", NULL, run_rotated},
    {"translated", "(m: any, by: any)", "models", "A model moved: its fields at x - by. What leaves the box around the mesh comes in at the other side, as in periodic cells.", NULL, run_translated},
    {"carried", "(m: any, velocity: any)", "models", "A model seen by who moves along: its fields at x + velocity*t, in a periodic cell.", NULL, run_carried},
    {"delayed", "(m: any, by: any)", "models", "A model's fields that much later: at t - by, 0 before the first time.", NULL, run_delayed},
    {"backwards", "(m: any)", "models", "A model's fields in reverse: at the last time minus t.", NULL, run_backwards},
    {"resampled", "(fine: any, m: any)", "models", "A model of another map with the same inputs, outputs and times, its fields read at the nodes of m's mesh: two resolutions of one thing can be compared.", NULL, run_resampled},
    {"relabelled", "(m: any)", "models", "The same model asked with the nodes of its mesh in another order, its answers put back: a program or library that looks at numbers of nodes answers differently. A solver and a table keep their order.", NULL, run_relabelled},
    {"step_sum", "(m: any)", "models", "What a model's answers to unit steps add up to (Duhamel's sum): the answer of a linear, causal, time-invariant model, for histories that begin at 0, at evenly spaced times.", NULL, run_step_sum},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
