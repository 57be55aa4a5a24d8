/* Gradients of tapes against central differences: over every kind of entry, and over tapes made at random. Programs against expr_value. */
#include "tape_lab.h"

#include <unistd.h>

#include "../../numerics/design.h"
#include "../../numerics/engine_internal.h"
#include "../../numerics/program.h"

enum { WIDTH_MAX = 128 };

static double value_of(int target_, const double *rows, double smooth) {
  double value, gradient[WIDTH_MAX];
  char *failed;
  int status = tape()->gradient(tl.run, 1, rows, target_, smooth, &value, gradient, &failed);
  if (status) print_diags();
  if (failed) fprintf(stderr, "%s\n", failed);
  assert_int_equal(status, 0);
  assert_null(failed);
  return value;
}

/* Largest gap between the gradient and central differences (Richardson: fourth order), relative to the largest slope. */
static double gradient_error(int target_, const double *rows, double smooth) {
  int width = tl.tape.nprobes * tl.spec.width;
  double value, gradient[WIDTH_MAX], moved[WIDTH_MAX], size = 0, gap = 0;
  char *failed;
  assert_int_equal(tape()->gradient(tl.run, 1, rows, target_, smooth, &value, gradient, &failed), 0);
  assert_null(failed);
  for (int i = 0; i < width; i++) {
    double slope[2];
    for (int k = 0; k < 2; k++) {
      double h = 2e-4 * (k + 1), side[2];
      for (int s = 0; s < 2; s++) {
        memcpy(moved, rows, sizeof(double) * (size_t)width);
        moved[i] += s ? h : -h;
        side[s] = value_of(target_, moved, smooth);
      }
      slope[k] = (side[1] - side[0]) / (2 * h);
    }
    double difference = (4 * slope[0] - slope[1]) / 3;
    assert_false(isnan(gradient[i]));
    size = fmax(size, fabs(difference)), gap = fmax(gap, fabs(gradient[i] - difference));
  }
  return gap / fmax(size, 1e-3);
}

static void check_targets(const double *rows, double smooth, double tolerance) {
  double worst = 0;
  for (int k = 0; k < tl.tape.ntargets; k++) {
    const char *why = NULL;
    if (!tape()->differentiable(tl.run, k, &why)) fail_msg("target %d: %s", k, why);
    double error = gradient_error(k, rows, smooth);
    if (!(error < tolerance)) fail_msg("target %d: gradient off by %g", k, error);
    worst = fmax(worst, error);
  }
  print_message("gradients agree with differences to %.1e\n", worst);
}

/* u = (a sin(b x) + a y^2/c, exp(-b y) c a), with parts of place, of inputs, and mixed. */
static void smooth_map(const char *element_) {
  map_open(cube(3), element_, 1, NULL);
  Expr *a = map_input("a", -1, 1, false), *b = map_input("b", -1, 1, false), *c = map_input("c", 1, 2, false);
  map_output("u", shape_vector(2));
  Expr *ux = add(mul(a, un(EXPR_SIN, mul(b, X(0)))), over(mul(a, power(X(1), 2)), c));
  Expr *u = vec2(ux, mul(mul(un(EXPR_EXP, neg(mul(b, X(1)))), c), a));
  map_formula(&u);
}

static void test_steady(void **state) {
  num_open(2);
  smooth_map("P2");
  Expr *z[] = {probe(0, 0), probe(0, 1), probe(0, 2)}, *w[] = {mul(num(0.5), add(z[0], probe(1, 0))), z[1], add(z[2], mul(z[0], z[1]))};
  Expr *u = output_of(applied(z), 0), *v = output_of(applied(w), 0), *gap = sub(u, v);
  Expr *norm = un(EXPR_SQRT, over_cells(square(gap))), *size = un(EXPR_SQRT, over_cells(square(v)));
  target(over(norm, bin(EXPR_MAX, size, num(1e-3))));
  target(over_cells(mul(z[1], mul(X(0), inner(grad(u), eps(v))))));
  target(over_facets(dot(mul(z[0], grad(u)), nrm())->shape.rank ? comp(dot(grad(u), nrm()), 0) : zero(), "right top"));
  target(extreme(REDUCE_MAX, add(comp(u, 0), mul(z[2], comp(v, 1)))));
  target(extreme(REDUCE_MIN, mul(d_(comp(u, 1), 1), z[0])));
  Expr *mean = over_cells(comp(u, 0));
  target(over_cells(square(sub(comp(u, 0), mean))));      /* a reduction inside of another */
  target(reduced((TapeReduce){.kind = REDUCE_MAX, .integrand = un(EXPR_ABS, sub(comp(u, 0), mean)), .over = TAPE_FACETS, ALL_TIMES}));
  tape_ready();
  double rows[] = {0.7, 0.9, 1.3, -0.4, 0.2, 1.1};
  check_targets(rows, 0, 1e-7);
  check_targets(rows, 20, 1e-7);
  map_close();
  num_close();
}

static void test_transient(void **state) {
  num_open(1);
  enum { NT = 9 };
  double t[NT], rows[4 * NT];
  for (int k = 0; k < NT; k++) t[k] = 0.2 * k + 0.01 * k * k;
  map_open(cube(3), "P1", NT, t);
  Expr *p = map_input("p", -1, 1, true), *q = map_input("q", -1, 1, true);
  map_output("u", SHAPE_SCALAR), map_output("s", shape_vector(1));
  Expr *late = map_shifted(0, -0.3);
  Expr *f = mul(add(mul(X(0), p), mul(un(EXPR_COS, add(X(0), time_())), late)), add(num(1), square(q)));
  Expr *args[] = {mul(p, X(0))};
  Expr *outputs[] = {f, made(expr_make(lab.pool, EXPR_VECTOR, args, 1))};
  map_formula(outputs);
  Expr *z[] = {probe(0, 0), probe(0, 1)}, *shifted[] = {mul(z[0], probe_at(1, 0, -0.25)), add(z[1], mul(time_(), probe(1, 1)))};
  Expr *u = output_of(applied(z), 0), *v = output_of(applied(shifted), 0), *s = output_of(0, 1);
  target(over_cells(square(sub(u, v))));
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = mul(u, v), .at = 0.77, .from = NAN, .until = NAN}));
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = mul(un(EXPR_SIN, v), z[0]), .at = NAN, .from = 0.3, .until = 1.1}));
  target(over_cells(add(square(dt(u)), mul(dtt(v), comp(s, 0)))));
  Expr *energy = reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = add(square(u), square(dt(v))), .each_time = true, ALL_TIMES});
  Expr *peak = reduced((TapeReduce){.kind = REDUCE_MAX, .integrand = u, .each_time = true, ALL_TIMES});
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = over(energy, add(num(1), square(peak))), .over = TAPE_TIME, ALL_TIMES}));
  target(reduced((TapeReduce){.kind = REDUCE_MAX, .integrand = mul(energy, z[1]), .over = TAPE_TIME, ALL_TIMES}));
  target(extreme(REDUCE_MIN, sub(u, v)));
  target(reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = mul(output_at(0, 0, 0.5), u), ALL_TIMES}));
  tape_ready();
  for (int k = 0; k < 4 * NT; k++) rows[k] = sin(1.7 * k + 0.3) + 0.1 * k / NT;
  check_targets(rows, 0, 1e-6);
  check_targets(rows, 15, 1e-6);
  map_close();
  num_close();
}

/* Where a norm is zero its gradient is taken as zero, never as NaN. */
static void test_zero(void **state) {
  num_open(2);
  smooth_map("P1");
  Expr *z[] = {probe(0, 0), probe(0, 1), probe(0, 2)}, *u = output_of(applied(z), 0);
  target(un(EXPR_SQRT, over_cells(square(u))));
  target(over_cells(un(EXPR_ABS, u)));
  target(over_cells(un(EXPR_ABS, grad(u))));
  target(over_cells(bin(EXPR_HYPOT, comp(u, 0), comp(u, 1))));
  target(extreme(REDUCE_MAX, un(EXPR_ABS, comp(u, 0))));
  tape_ready();
  double rows[] = {0, 0.5, 1}, value, gradient[3];
  char *failed;
  for (int k = 0; k < tl.tape.ntargets; k++)
    for (double smooth = 0; smooth < 25; smooth += 20) {
      assert_int_equal(tape()->gradient(tl.run, 1, rows, k, smooth, &value, gradient, &failed), 0);
      assert_null(failed);
      assert_true(fabs(value) < 1e-15);
      for (int i = 0; i < 3; i++) assert_true(isfinite(gradient[i]));
    }
  map_close();
  num_close();
}

/* On the curved cells of a disk, or on its quadrilaterals, and by values on its rim. */
static void on_disk(CellShape shape) {
  num_open(2);
  GeomArg args[8] = {{.values = (double[]){0, 0}, .n = 2}, {.values = (double[]){1}, .n = 1}};
  Geom *disk = geom_primitive(geom_row("disk"), args, &lab.diags, here());
  MeshOptions options = {.h = 0.3, .order = 2, .shape = shape, .span = here(), .quiet = true};
  Mesh *mesh;
  int status = api->mesh_make(engine, disk, &options, &lab.diags, &mesh);
  if (status) print_diags();
  assert_int_equal(status, 0);
  assert_true(mesh->ncurved > 0);
  map_open(mesh, shape == CELL_TENSOR ? "Q2" : "P2", 1, NULL);
  Expr *a = map_input("a", -1, 1, false), *b = map_input("b", -1, 1, false);
  map_output("u", shape_vector(2));
  Expr *u = vec2(mul(a, X(0)), add(mul(a, X(1)), mul(b, mul(X(0), X(1)))));
  map_formula(&u);
  Expr *z[] = {probe(0, 0), probe(0, 1)}, *v = output_of(applied(z), 0);
  target(over_cells(square(v)));
  target(over_facets(dot(v, nrm()), "rim"));
  target(over_cells(un(EXPR_SQRT, add(num(0.1), inner(grad(v), grad(v))))));
  target(extreme(REDUCE_MAX, mul(comp(v, 1), d_(comp(v, 1), 0))));
  target(over_facets(square(sub(v, mul(z[0], nrm()))), "rim"));
  tape_ready();
  double rows[] = {0.8, 0}, values[5];
  run_one(rows, values);
  double tolerance = shape == CELL_TENSOR ? 0.05 : 1e-3;      /* the sides of quadrilaterals are chords */
  assert_true(fabs(values[0] - 0.64 * M_PI / 2) < tolerance && fabs(values[1] - 1.6 * M_PI) < tolerance && values[4] < tolerance);
  check_targets((double[]){0.8, 0.6}, 0, 1e-7);
  map_close();
  geom_release(disk);
  num_close();
}

static void test_curved(void **state) {
  char path[4096];
  snprintf(path, sizeof path, "%s/gmsh.so", getenv("PDE_LIBDIR") ? getenv("PDE_LIBDIR") : "pde");
  if (access(path, R_OK)) skip();
  on_disk(CELL_SIMPLEX), on_disk(CELL_TENSOR);
}

/* Where nothing is violated the smooth search still has a direction: max(0, a) is made leaky, also that of a field under a maximum. */
static void test_leaky(void **state) {
  num_open(2);
  smooth_map("P1");
  Expr *z[] = {probe(0, 0), probe(0, 1), probe(0, 2)}, *u = output_of(applied(z), 0), *nought = zero();
  Expr *low = extreme(REDUCE_MAX, bin(EXPR_MAX, nought, sub(comp(u, 1), num(50))));      /* far from violated */
  target(over(low, add(num(1), square(z[2]))));
  target(bin(EXPR_MAX, nought, sub(extreme(REDUCE_MAX, comp(u, 0)), num(0.1))));          /* violated */
  tape_ready();
  double rows[] = {0.7, 0.9, 1.3}, value, gradient[3], size = 0;
  char *failed;
  for (int smooth = 0; smooth < 2; smooth++) {
    assert_int_equal(tape()->gradient(tl.run, 1, rows, 0, 20 * smooth, &value, gradient, &failed), 0);
    size = fabs(gradient[0]) + fabs(gradient[1]) + fabs(gradient[2]);
    assert_true(smooth ? value < 0 && size > 0 : value == 0 && size == 0);
  }
  check_targets(rows, 20, 1e-7);
  double exact[2];
  run_one(rows, exact);
  assert_true(exact[0] == 0 && exact[1] > 0);
  map_close();
  num_close();
}

/* --- tapes at random --- */

static Draw dice;
static Expr *pick(Expr **from, int n) { return from[draw_below(&dice, n)]; }

/* A smooth scalar made of what is given, bounded in size. */
static Expr *random_expr(Expr **leaf, int n, int depth) {
  if (depth == 0 || draw_uniform(&dice) < 0.15) return pick(leaf, n);
  Expr *a = random_expr(leaf, n, depth - 1), *b = random_expr(leaf, n, depth - 1);
  switch (draw_below(&dice, 9)) {
    case 0: return add(a, b);
    case 1: return sub(a, mul(num(0.7), b));
    case 2: return mul(a, b);
    case 3: return un(EXPR_SIN, a);
    case 4: return un(EXPR_TANH, add(a, b));
    case 5: return over(a, add(num(2), square(b)));
    case 6: return un(EXPR_SQRT, add(num(1), square(a)));
    case 7: return un(EXPR_EXP, neg(square(a)));
    default: return un(EXPR_ATAN, sub(a, b));
  }
}

static void random_tape(int seed) {
  num_open(2);
  dice = draw_open(7, 0, (uint64_t)seed);
  map_open(cube(2), draw_below(&dice, 2) ? "P1" : "P2", 1, NULL);
  Expr *in[3], *place[6];
  for (int k = 0; k < 3; k++) in[k] = map_input((char[]){(char)('a' + k), 0}, -1, 1, false);
  memcpy(place, (Expr *[]){in[0], in[1], in[2], X(0), X(1), num(0.6)}, sizeof place);
  map_output("u", shape_vector(2)), map_output("p", SHAPE_SCALAR);
  Expr *outputs[] = {vec2(random_expr(place, 6, 3), random_expr(place, 6, 3)), random_expr(place, 6, 3)};
  map_formula(outputs);
  Expr *z[6], *field[16];
  for (int k = 0; k < 6; k++) z[k] = probe(k / 3, k % 3);
  int n = 0;
  for (int k = 0; k < 2; k++) {
    Expr *args[] = {random_expr(z, 6, 2), random_expr(z, 6, 1), pick(z, 6)};
    int a = applied(args);
    field[n++] = comp(output_of(a, 0), 0), field[n++] = comp(output_of(a, 0), 1), field[n++] = output_of(a, 1);
    field[n++] = d_(output_of(a, 1), draw_below(&dice, 2));
  }
  field[n++] = pick(z, 6), field[n++] = X(0), field[n++] = X(1);
  Expr *number[8];
  for (int k = 0; k < 3; k++) number[k] = pick(z, 6);
  for (int k = 3; k < 6; k++) {
    Expr *e = random_expr(field, n, 3);
    number[k] = k < 5 ? over_cells(e) : over_facets(e, "left top");
    field[n++] = number[k];
  }
  target(random_expr(number, 6, 3));
  target(add(number[3], mul(number[4], number[5])));
  tape_ready();
  double rows[6];
  for (int i = 0; i < 6; i++) rows[i] = draw_between(&dice, -0.9, 0.9);
  for (int k = 0; k < tl.tape.ntargets; k++) {
    double error = gradient_error(k, rows, 0);
    if (!(error < 2e-6)) fail_msg("tape %d, target %d: gradient off by %g", seed, k, error);
  }
  map_close();
  num_close();
}

static void test_random(void **state) {
  for (int seed = 0; seed < 25; seed++) random_tape(seed);
}

/* --- programs against the reference --- */

typedef struct RowsAt { Expr **leaf; int n; const double *const *row; int at; } RowsAt;
static double row_value(Expr *leaf, void *user) {
  RowsAt *k = user;
  for (int i = 0; i < k->n; i++)
    if (k->leaf[i] == leaf) return k->row[i][k->at];
  return NAN;
}

static void test_programs(void **state) {
  num_open(2);
  dice = draw_open(3, 0, 0);
  enum { POINTS = 200, LEAVES = 5 };
  Expr *leaf[LEAVES] = {X(0), X(1)};
  for (int k = 2; k < LEAVES; k++) leaf[k] = expr_term(lab.pool, (Symbol){.kind = SYMBOL_FIELD, .serial = 0x7f000000u, .which = (uint16_t)k}, nm("q"), UNIT_NONE);
  double memory[LEAVES][POINTS], values[2][POINTS];
  const double *row[LEAVES];
  for (int k = 0; k < LEAVES; k++) {
    row[k] = memory[k];
    for (int i = 0; i < POINTS; i++) memory[k][i] = draw_between(&dice, -2, 2);
  }
  static const ExprOp two[] = {EXPR_MIN, EXPR_MAX, EXPR_LT, EXPR_GE, EXPR_MOD, EXPR_ATAN2, EXPR_HYPOT, EXPR_AND, EXPR_EQ};
  static const ExprOp one[] = {EXPR_ABS, EXPR_SIGN, EXPR_FLOOR, EXPR_CEIL, EXPR_CBRT, EXPR_ERF, EXPR_SINH, EXPR_COSH, EXPR_TAN, EXPR_ASIN, EXPR_LOG, EXPR_NOT, EXPR_ACOS, EXPR_LOG10};
  for (int round = 0; round < 120; round++) {
    Expr *e[2];
    for (int k = 0; k < 2; k++) {
      Expr *a = random_expr(leaf, LEAVES, 3), *b = random_expr(leaf, LEAVES, 2);
      e[k] = round % 2 ? un(one[draw_below(&dice, 14)], a) : bin(two[draw_below(&dice, 9)], a, b);
      e[k] = made(expr_make(lab.pool, EXPR_IF, (Expr *[]){bin(EXPR_GT, a, num(0)), e[k], add(e[k], b)}, 3));
    }
    Program *program;
    assert_int_equal(program_open(engine->kernels, e, 2, POINTS, 1, &lab.diags, &program), 0);
    const double *in[16];
    for (int i = 0; i < program->nin; i++) {
      int k = 0;
      while (leaf[k] != program->input[i]) k++;
      in[i] = row[k];
    }
    double p[64];
    for (int i = 0; i < program->np; i++) assert_true(expr_is_const(program->param[i], &p[i]));
    double *out[2] = {values[0], values[1]};
    program_run(program, POINTS, in, p, out);
    for (int i = 0; i < POINTS; i++)
      for (int k = 0; k < 2; k++) {
        double reference = expr_value(e[k], row_value, &(RowsAt){leaf, LEAVES, row, i}), got = values[k][i];
        if (!(isnan(got) && isnan(reference)) && got != reference && !(fabs(got - reference) <= 1e-12 * (1 + fabs(reference))))
          fail_msg("round %d: %.17g is not %.17g", round, got, reference);
      }
    program_close(program);
  }
  num_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs), cmocka_unit_test(test_steady), cmocka_unit_test(test_transient), cmocka_unit_test(test_zero), cmocka_unit_test(test_leaky), cmocka_unit_test(test_curved), cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
