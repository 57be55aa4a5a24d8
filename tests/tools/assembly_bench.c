/* What assembly costs on the cases of tests/bench, one case a process, JSON on one line: CPU seconds from nothing to the assembled system, repeated
 * assembly of the matrix, and the time of the kernels from IR to code.
 * make tools/assembly_bench && PDE_LIBDIR=$PWD/pde tools/assembly_bench b1|b2p1|b2p2|b3|stokes [cells along x] */
#include <time.h>

#include "num_lab.h"

#include "../../numerics/engine_internal.h"
#include "../../numerics/solve.h"

enum { REPEATS = 9 };

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void poisson(int dim, const char *space) {
  Expr *u = scalar("u"), *source = num(dim * M_PI * M_PI);
  element(0, space);
  for (int d = 0; d < dim; d++) source = mul(source, un(EXPR_SIN, mul(num(M_PI), X(d))));
  equation(0, neg(lap(u)), source);
  on("all", u, num(0));
}

static void cantilever(void) {
  double E = 1000, nu = 0.3;
  Expr *mu = param("mu", E / (2 * (1 + nu))), *lambda = param("lambda", E * nu / ((1 + nu) * (1 - 2 * nu))), *u = vector("u");
  Expr *sigma = add(mul(mul(lambda, tr(eps(u))), ident()), mul(num(2), mul(mu, eps(u))));
  Expr *none = expr_zero(lab.pool, u->shape);
  equation(0, div_(sigma), none);
  on("x_min", u, none);
  on("x_max", dot(sigma, nrm()), vec3(num(0), num(0), num(-0.01)));
  on("others", dot(sigma, nrm()), none);
}

static void stokes(void) {
  Expr *u = vector("u"), *p = scalar("p"), *none = expr_zero(lab.pool, u->shape);
  element(0, "P2");
  element(1, "P1");
  equation(0, div_(sub(un(EXPR_GRAD, u), mul(p, ident()))), none);
  equation(1, div_(u), num(0));
  on("left", u, none);
  on("bottom", u, none);
  on("top", u, none);
}

static StoreKind store_of(const Problem *problem) {
  const Space *space = problem->space;
  const char *why;
  SolverClass of = {.findings = problem->step.findings, .dim = problem->mesh->dim, .nblocks = space->nblocks, .components = space->block[0].components,
                    .grids = multigrid_fits(problem), .ndofs = space->nglobal, .nranks = 1};
  return solver_choose(&of, &why)->store;
}

/* What one assembly must move at least: entries zeroed, then read and written; cells, vertices and the places of each element matrix's entries read once. */
static double least_bytes(const Problem *problem, double entries) {
  const Mesh *mesh = problem->mesh;
  double dofs = 0;
  for (int b = 0; b < problem->space->nblocks; b++) dofs += element_nodes(problem->space->block[b].nodes->element, mesh->dim);
  return 8 * 3 * entries + mesh->ncells * (4.0 * (mesh->dim + 1) + dofs * dofs) + 8.0 * mesh->dim * mesh->nverts;
}

static int ascending(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* From no mesh to matrix and right-hand side; then the matrix again and again. */
static void measure(const char *name, const double *lengths, const int *cells) {
  double start = seconds(), repeat[REPEATS];
  Mesh *mesh = boxed(lengths, cells);
  double meshed = seconds();
  Problem *problem;
  Pattern *pattern;
  assert_int_equal(problem_new(engine, &lab.pde, mesh, &world, NULL, 0, &lab.diags, here(), &problem), 0);
  double posed = seconds();
  unsigned char *apart = problem_apart(problem);
  assert_int_equal(pattern_new(problem->space, store_of(problem), problem_joins_cells(problem), apart, problem->bc->prescribed, NULL, &pattern), 0);
  free(apart);
  double sparse = seconds();
  Data data = problem_data(problem, NAN);
  double *u = calloc((size_t)problem->space->nlocal + 1, sizeof(double)), *r = malloc(sizeof(double) * ((size_t)problem->space->nlocal + 1));
  data.unknown = u;
  assert_int_equal(problem_jacobian(problem, &data, pattern), 0);
  double matrix = seconds();
  assert_int_equal(problem_residual(problem, &data, true, r), 0);
  double end = seconds();
  for (int i = 0; i < REPEATS; i++) {
    double from = seconds();
    assert_int_equal(problem_jacobian(problem, &data, pattern), 0);
    repeat[i] = seconds() - from;
  }
  qsort(repeat, REPEATS, sizeof *repeat, ascending);
  MatInfo info;
  assert_int_equal(MatGetInfo(pattern->matrix, MAT_LOCAL, &info), 0);
  Buf note = {0};
  kernels_note(engine->kernels, &note);
  printf("{\"case\": \"%s\", \"cells\": %d, \"dofs\": %ld, \"setup\": %.5f, \"mesh\": %.5f, \"problem\": %.5f, \"pattern\": %.5f, \"matrix\": %.5f, \"vector\": %.5f, "
         "\"repeat\": %.6f, \"repeat_min\": %.6f, \"ns_per_cell\": %.3f, \"entries\": %.0f, \"bytes\": %.0f, \"kernels\": \"%s\"}\n",
         name, mesh->ncells, problem->space->nglobal, end - start, meshed - start, posed - meshed, sparse - posed, matrix - sparse, end - matrix,
         repeat[REPEATS / 2], repeat[0], 1e9 * repeat[REPEATS / 2] / mesh->ncells, info.nz_used, least_bytes(problem, info.nz_used), buf_str(&note));
  buf_free(&note);
  free(u), free(r);
  pattern_free(pattern);
  problem_free(problem);
  api->mesh_release(mesh);
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  bool b1 = !strcmp(name, "b1"), b2p1 = !strcmp(name, "b2p1"), b2p2 = !strcmp(name, "b2p2"), b3 = !strcmp(name, "b3"), flow = !strcmp(name, "stokes");
  if (!b1 && !b2p1 && !b2p2 && !b3 && !flow) {
    fprintf(stderr, "usage: assembly_bench b1|b2p1|b2p2|b3|stokes [cells along x]\n");
    return 1;
  }
  int n = argc > 2 ? atoi(argv[2]) : b1 ? 512 : b2p1 ? 48 : b2p2 ? 24 : flow ? 96 : 32;
  double lengths[3] = {b3 ? 2 : 1, b3 ? 0.4 : 1, b3 ? 0.4 : 1};
  int cells[3] = {n, b3 ? n / 2 : n, b3 ? n / 2 : n};
  num_open(b1 || flow ? 2 : 3);
  if (b3) cantilever();
  else if (flow) stokes();
  else poisson(b1 ? 2 : 3, b2p2 ? "P2" : "P1");
  measure(name, lengths, cells);
  num_close();
  return 0;
}
