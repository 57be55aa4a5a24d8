#include "proof_use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Setting {
  Eval *ev;
  Trace *trace;
  ExprPool *pool;
  RangeLeaf *box; int nbox, cap;
  Expr **histories; int nhistories;
  ProofPrediction *predictions; int npredictions;
  ProofReduction *reductions;
  ProofSwap (*places)[4];          /* of each reduction: coordinates that are pinned there, and t */
} Setting;

static void range(Setting *s, Expr *leaf, double lo, double hi) {
  if (s->nbox == s->cap) s->box = realloc(s->box, (size_t)(s->cap = 2 * s->cap + 16) * sizeof *s->box);
  s->box[s->nbox++] = (RangeLeaf){leaf, lo, hi};
}

static Expr *coordinate(const Setting *s, int axis) { return expr_coord(s->pool, axis, host_length_unit(s->ev->host)); }
static Expr *time_leaf(const Setting *s) { return expr_time(s->pool, host_time_unit(s->ev->host)); }

/* --- the domain: inputs of probes, place and time, params of the file --- */

static void inputs(Setting *s) {
  const Trace *t = s->trace;
  s->histories = malloc(((size_t)t->ninputs + 1) * sizeof *s->histories);
  for (int i = 0; i < t->ninputs; i++) {
    const MapInput *in = &t->m->spec.inputs[t->inputs[i].input];
    double lo = in->lo, hi = in->hi;
    if (in->history) {             /* 0 before the first time; mixtures reach to both sides */
      if (t->m->spec.mixture == MIXTURE_BALANCED) hi = fmax(fabs(lo), fabs(hi)), lo = -hi;
      lo = fmin(lo, 0), hi = fmax(hi, 0);
      s->histories[s->nhistories++] = t->inputs[i].leaf;
    }
    range(s, t->inputs[i].leaf, lo, hi);
  }
}

static void place_and_time(Setting *s) {
  const Grid *grid = s->trace->m->spec.grid;
  for (int axis = 0; axis < grid->mesh->dim; axis++) range(s, coordinate(s, axis), grid->mesh->lo[axis], grid->mesh->hi[axis]);
  if (grid->nt > 1) range(s, time_leaf(s), grid->t[0], grid->t[grid->nt - 1]);
}

static void params(Setting *s) {
  WorldBuffers w;
  world_open(s->ev, NULL, NAN, &w);
  for (int i = 0; i < w.world.nparams; i++) {
    double value;
    Expr *e = w.world.params[i].value;
    if (expr_is_const(e, &value)) range(s, expr_param(s->pool, w.world.params[i].name, SHAPE_SCALAR, e->unit, true), value, value);
  }
  world_close(&w);
}

/* --- predictions --- */

typedef struct Given { Trace *trace; const ModelValue *model; Expr *const *args; bool refused; } Given;

static Expr *given(ExprPool *pool, Expr *leaf, void *user) {
  Given *g = user;
  (void)pool;
  for (int i = 0; i < g->model->nleaves; i++) {
    const TapeInput *in = &g->model->leaves[i];
    if (in->leaf != leaf) continue;
    Expr *arg = in->shift == 0 ? g->args[in->input] : trace_shift(g->trace, g->args[in->input], in->shift);
    if (!arg) g->refused = true;
    return arg ? arg : leaf;
  }
  return leaf;
}

static void predictions(Setting *s) {
  Trace *t = s->trace;
  int most = t->napplies * t->m->spec.noutputs;
  s->predictions = malloc(((size_t)most + 1) * sizeof *s->predictions);
  for (int a = 0; a < t->napplies; a++) {
    const Value *of = t->applied[a];
    if (of->kind != VALUE_MODEL || !of->model->outputs) continue;
    for (int o = 0; o < t->m->spec.noutputs; o++) {
      Given g = {t, of->model, t->applies[a].args, false};
      Expr *formula = expr_substitute(s->pool, of->model->outputs[o], given, &g);
      if (formula && !g.refused) s->predictions[s->npredictions++] = (ProofPrediction){TAPE_SERIAL + (uint32_t)a, (uint16_t)o, formula};
    }
  }
}

/* --- places --- */

/* The value that a coordinate has on all facets of the groups; NAN: several, or a facet bends. */
static double plane(const Mesh *mesh, const Where *where, int axis) {
  double value = NAN, slack = 1e-12 * (mesh->hi[axis] - mesh->lo[axis]);
  for (int i = 0; i < where->n; i++) {
    bool found = false;
    for (int g = 0; g < mesh->ngroups; g++) {
      const MeshGroup *group = &mesh->groups[g];
      if (group->name != where->names[i] || group->dim != mesh->dim - 1) continue;
      found = true;
      for (int k = 0; k < group->n; k++) {
        int facet = group->entity[k], cell = mesh->facet_cell[facet];
        if (mesh_is_curved(mesh, cell)) return NAN;
        for (int v = 0; v < mesh->ref->facet_verts; v++) {
          double x = mesh->x[(size_t)mesh->cell[cell * mesh->ref->nverts + mesh->ref->facet[mesh->facet_local[facet]][v]] * (size_t)mesh->dim + (size_t)axis];
          if (isnan(value)) value = x;
          if (!(fabs(x - value) <= slack)) return NAN;
        }
      }
    }
    if (!found) return NAN;
  }
  return value;
}

static int pins(Setting *s, const TapeReduce *r, ProofSwap *at) {
  const Mesh *mesh = s->trace->m->spec.grid->mesh;
  const Where *w = &r->where;
  int n = 0;
  bool named = r->over == TAPE_FACETS && !w->all && !w->others && !w->interior && !w->interface[0] && !w->is_point;
  for (int axis = 0; axis < mesh->dim && named; axis++) {
    double value = plane(mesh, w, axis);
    Expr *leaf = coordinate(s, axis);
    if (!isnan(value)) at[n++] = (ProofSwap){leaf, expr_const(s->pool, value, leaf->unit)};
  }
  if (!isnan(r->at)) at[n++] = (ProofSwap){time_leaf(s), expr_const(s->pool, r->at, time_leaf(s)->unit)};
  return n;
}

static Name place_name(Setting *s, const TapeReduce *r) {
  Buf text = {0};
  const Where *w = &r->where;
  buf_printf(&text, "#place %d %d %d %d %d %s %s", r->over, w->all, w->others, w->interior, r->each_time, w->interface[0] ? w->interface[0] : "", w->interface[1] ? w->interface[1] : "");
  for (int i = 0; i < w->n; i++) buf_printf(&text, " %s", w->names[i]);
  buf_printf(&text, " %.17g %.17g %.17g", r->at, r->from, r->until);
  Name name = intern_text(s->ev->host->names, buf_str(&text));
  buf_free(&text);
  return name;
}

static void reductions(Setting *s) {
  static const ProofReductionKind kinds[] = {[REDUCE_INTEGRAL] = PROOF_INTEGRAL, [REDUCE_MAX] = PROOF_MAX, [REDUCE_MIN] = PROOF_MIN};
  const Trace *t = s->trace;
  s->reductions = calloc((size_t)t->nreduces + 1, sizeof *s->reductions);
  s->places = calloc((size_t)t->nreduces + 1, sizeof *s->places);
  for (int k = 0; k < t->nreduces; k++) {
    const TapeReduce *r = &t->reduces[k];
    bool windowed = !isnan(r->from) || !isnan(r->until);
    s->reductions[k] = (ProofReduction){r->leaf, kinds[r->kind], r->integrand, place_name(s, r), s->places[k], pins(s, r, s->places[k]), windowed,
                                        isnan(r->from) ? -INFINITY : r->from, isnan(r->until) ? INFINITY : r->until};
  }
}

ProofOfBound proof_of_violation(Eval *ev, Trace *trace, Expr *violation, double bound, long *work) {
  Setting s = {.ev = ev, .trace = trace, .pool = ev->host->pool};
  predictions(&s);                 /* first: shifted histories become leaves of the trace */
  if (trace->napplies && !s.npredictions) {   /* nothing is known of what others predict */
    free(s.predictions);
    return (ProofOfBound){.certified = INFINITY};
  }
  inputs(&s);
  place_and_time(&s);
  params(&s);
  reductions(&s);
  ProofDomain domain = {.pool = s.pool, .box = s.box, .n = s.nbox, .dim = trace->m->dim, .histories = s.histories, .nhistories = s.nhistories, .work = work};
  ProofOfBound proof = expr_prove_violation(&domain, violation, s.reductions, trace->nreduces, s.predictions, s.npredictions, bound);
  free(s.box);
  free(s.histories);
  free(s.predictions);
  free(s.reductions);
  free(s.places);
  return proof;
}
