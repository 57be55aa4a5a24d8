/* An engine and meshes round the pdes of pde_make.h. */
#ifndef NUM_LAB_H
#define NUM_LAB_H
#include "pde_make.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../numerics/engine.h"

const void *pde_provider(int abi);

static const EngineApi *api;
static Engine *engine;
static World world;

static inline void print_diags(void) {
  for (int i = 0; i < lab.diags.n; i++) {
    Buf text = {0};
    diag_print(&text, lab.sources, lab.diags.items[i], false);
    fprintf(stderr, "%s", buf_str(&text));
    buf_free(&text);
  }
}

static inline void num_open(int dim) {
  lab_open(dim);
  api = pde_provider(ENGINE_ABI);
  assert_non_null(api);
  EngineOptions options = {.pool = lab.pool, .names = lab.names, .sources = lab.sources, .diags = &lab.diags, .jit = JIT_AUTO};
  const char *jit = getenv("PDE_JIT");
  if (jit && !strcmp(jit, "interp")) options.jit = JIT_INTERP;
  assert_int_equal(api->open(&options, &engine), 0);
  world = (World){.time = NAN};
}

static inline void num_close(void) {
  api->close(engine);
  lab_close();
}

/* [0, lengths]^dim in n cells a direction. */
static inline Mesh *boxed(const double *lengths, const int *n) {
  static const char *names[] = {"", "interval", "rectangle", "box"};
  int dim = lab.pde.dim;
  double range[3][2] = {{0, lengths[0]}, {0, dim > 1 ? lengths[1] : 1}, {0, dim > 2 ? lengths[2] : 1}};
  const GeomRow *row = geom_row(names[dim]);
  GeomArg args[8] = {0};
  if (dim == 1) args[0] = (GeomArg){.values = &range[0][0], .n = 1}, args[1] = (GeomArg){.values = &range[0][1], .n = 1};
  else
    for (int d = 0; d < dim; d++) args[d] = (GeomArg){.values = range[d], .n = 2};
  Geom *geom = geom_primitive(row, args, &lab.diags, here());
  if (!geom) print_diags();
  assert_non_null(geom);
  MeshOptions options = {.ncells_given = dim, .order = 1, .span = here(), .quiet = true};
  for (int d = 0; d < dim; d++) options.cells[d] = n[d];
  Mesh *mesh;
  Status status = api->mesh_make(engine, geom, &options, &lab.diags, &mesh);
  if (status) print_diags();
  assert_int_equal(status, 0);
  geom_release(geom);
  return mesh;
}
static inline Mesh *cube(int n) {
  double one[3] = {1, 1, 1};
  int cells[3] = {n, n, n};
  return boxed(one, cells);
}

static inline void element(int u, const char *name) { lab.unknowns[u].element = nm(name); }

static inline Solution *solved_with(Mesh *mesh, const SolveOptions *options) {
  Solution *solution = NULL;
  Status status = api->solve(engine, &lab.pde, mesh, &world, options, &lab.diags, here(), &solution);
  if (status) print_diags();
  assert_int_equal(status, 0);
  assert_non_null(solution);
  return solution;
}
static inline Solution *solved(Mesh *mesh) { return solved_with(mesh, &(SolveOptions){0}); }

static inline SolutionInfo info(Solution *solution) {
  SolutionInfo out;
  api->solution_info(solution, &out);
  return out;
}

static Solution *known[8];

/* The field of an unknown of a solution, by slot of the world. */
static inline Expr *field_of(int slot, Solution *solution, int u) {
  known[slot] = solution;
  world.solutions = known;
  if (world.nsolutions <= slot) world.nsolutions = slot + 1;
  Symbol symbol = {.kind = SYMBOL_FIELD, .which = (uint16_t)u, .serial = info(solution).serial, .time = NAN};
  return expr_symbol(lab.pool, symbol, lab.unknowns[u].name, lab.unknowns[u].shape, UNIT_NONE);
}

static inline double integral(Expr *e, Mesh *mesh, const char *on) {
  double out[9];
  Where w = where(on ? on : "all");
  Status status = api->reduce(engine, REDUCE_INTEGRAL, e, mesh, &w, on == NULL, 0, &world, &lab.diags, here(), out, NULL);
  if (status) print_diags();
  assert_int_equal(status, 0);
  return out[0];
}
static inline Expr *square(Expr *e) { return e->shape.rank ? inner(e, e) : mul(e, e); }
static inline double norm_l2(Expr *e, Mesh *mesh) { return sqrt(integral(square(e), mesh, NULL)); }
static inline double norm_h1(Expr *e, Mesh *mesh) { return sqrt(integral(square(grad(e)), mesh, NULL)); }

static inline double value_at(Expr *e, Mesh *mesh, double x, double y, double z) {
  double p[3] = {x, y, z}, out[9];
  Status status = api->points(engine, e, mesh, 1, p, NULL, &world, &lab.diags, here(), out);
  if (status) print_diags();
  assert_int_equal(status, 0);
  return out[0];
}

#endif
