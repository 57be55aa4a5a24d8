/* Maps and tapes built by hand, on meshes of num_lab.h. */
#ifndef TAPE_LAB_H
#define TAPE_LAB_H
#include "num_lab.h"

#include "../../numerics/tape.h"

enum { TAPE_MAX = 32 };

typedef struct TapeLab {
  Mesh *mesh;
  Grid *grid;
  MapSpec spec;
  MapInput inputs[8];
  MapOutput outputs[4];
  Expr *symbol[8];              /* of the inputs, in formulas */
  TapeInput leaf[TAPE_MAX];     /* of formulas */
  int nleaves;
  Predictor *predictor;
  Tape tape;
  TapeInput input[TAPE_MAX];
  TapeApply apply[TAPE_MAX];
  TapeReduce reduce[TAPE_MAX];
  Expr *target[TAPE_MAX];
  TapeRun *run;
} TapeLab;

static TapeLab tl;

static inline const TapeApi *tape(void) { return api->tape; }

static inline void map_open(Mesh *mesh, const char *element, int nt, const double *t) {
  tl = (TapeLab){.mesh = mesh};
  int status = tape()->grid(engine, mesh, element, nt, t, &tl.grid);
  if (status) print_diags();
  assert_int_equal(status, 0);
  tl.spec = (MapSpec){.name = nm("m"), .inputs = tl.inputs, .outputs = tl.outputs, .grid = tl.grid};
}

static inline Expr *map_input(const char *name, double lo, double hi, bool history) {
  MapInput *in = &tl.inputs[tl.spec.ninputs];
  *in = (MapInput){nm(name), UNIT_NONE, lo, hi, history, tl.spec.width};
  tl.spec.width += history ? tl.grid->nt : 1;
  Expr *p = expr_param(lab.pool, nm(name), SHAPE_SCALAR, UNIT_NONE, false);
  tl.symbol[tl.spec.ninputs] = p;
  tl.leaf[tl.nleaves++] = (TapeInput){p, 0, tl.spec.ninputs++, 0};
  return p;
}

/* A history of a formula at t + shift. */
static inline Expr *map_shifted(int input, double shift) {
  char name[64];
  snprintf(name, sizeof name, "%s(t%+g)", tl.inputs[input].name, shift);
  Expr *p = expr_param(lab.pool, nm(name), SHAPE_SCALAR, UNIT_NONE, false);
  tl.leaf[tl.nleaves++] = (TapeInput){p, 0, input, shift};
  return p;
}

static inline void map_output(const char *name, Shape shape) {
  tl.outputs[tl.spec.noutputs++] = (MapOutput){nm(name), UNIT_NONE, shape, shape_size(shape, lab.pde.dim)};
}

static inline void map_formula(Expr *const *outputs) {
  int status = tape()->formula(engine, &tl.spec, outputs, tl.leaf, tl.nleaves, &world, &lab.diags, here(), &tl.predictor);
  if (status) print_diags();
  assert_int_equal(status, 0);
  tl.tape = (Tape){.pool = lab.pool, .spec = &tl.spec, .inputs = tl.input, .applies = tl.apply, .reduces = tl.reduce, .targets = tl.target};
}

/* Input of a probe, as a symbol of the tape. */
static inline Expr *probe_at(int probe, int input, double shift) {
  char name[64];
  snprintf(name, sizeof name, "z%d.%s%+g", probe, tl.inputs[input].name, shift);
  Expr *p = expr_param(lab.pool, nm(name), SHAPE_SCALAR, UNIT_NONE, false);
  for (int k = 0; k < tl.tape.ninputs; k++) if (tl.input[k].leaf == p) return p;
  tl.input[tl.tape.ninputs++] = (TapeInput){p, probe, input, shift};
  if (probe >= tl.tape.nprobes) tl.tape.nprobes = probe + 1;
  return p;
}
static inline Expr *probe(int k, int input) { return probe_at(k, input, 0); }

static inline int applied(Expr **args) {
  Expr **copy = arena_alloc(lab.pde.arena, 8 * sizeof(Expr *));
  memcpy(copy, args, (size_t)tl.spec.ninputs * sizeof *copy);
  tl.apply[tl.tape.napplies] = (TapeApply){tl.predictor, copy};
  return tl.tape.napplies++;
}

static inline Expr *output_at(int apply, int output, double time) {
  Symbol s = {.kind = SYMBOL_FIELD, .serial = TAPE_SERIAL + (uint32_t)apply, .which = (uint16_t)output, .time = time};
  return expr_symbol(lab.pool, s, tl.outputs[output].name, tl.outputs[output].shape, UNIT_NONE);
}
static inline Expr *output_of(int apply, int output) { return output_at(apply, output, NAN); }

static inline Expr *reduced(TapeReduce r) {
  char name[32];
  snprintf(name, sizeof name, "reduce%d", tl.tape.nreduces);
  r.leaf = expr_param(lab.pool, nm(name), SHAPE_SCALAR, UNIT_NONE, false);
  r.span = here();
  if (!r.where.n) r.where.all = true;
  tl.reduce[tl.tape.nreduces++] = r;
  return r.leaf;
}
#define ALL_TIMES .at = NAN, .from = NAN, .until = NAN
static inline Expr *over_cells(Expr *e) { return reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = e, .over = TAPE_CELLS, ALL_TIMES}); }
static inline Expr *over_facets(Expr *e, const char *where_) {
  return reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = e, .over = TAPE_FACETS, .where = where(where_), ALL_TIMES});
}
static inline Expr *extreme(Reduction kind, Expr *e) { return reduced((TapeReduce){.kind = kind, .integrand = e, .over = TAPE_CELLS, ALL_TIMES}); }

static inline int target(Expr *e) {
  tl.target[tl.tape.ntargets] = e;
  return tl.tape.ntargets++;
}

static inline void tape_ready(void) {
  int status = tape()->open(engine, &tl.tape, &world, &lab.diags, &tl.run);
  if (status) print_diags();
  assert_int_equal(status, 0);
}

/* Values of all targets for one sample. */
static inline void run_one(const double *rows, double *values) {
  char *failed;
  int status = tape()->run(tl.run, 1, rows, values, &failed);
  if (status) print_diags();
  if (failed) fprintf(stderr, "%s\n", failed);
  assert_int_equal(status, 0);
  assert_null(failed);
}

static inline void map_close(void) {
  if (tl.run) tape()->close(tl.run);
  if (tl.predictor) tl.predictor->ops->free(tl.predictor);
  tape()->grid_free(tl.grid);
  api->mesh_release(tl.mesh);
}

#endif
