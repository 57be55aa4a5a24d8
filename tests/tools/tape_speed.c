/* make tools/tape_speed && PDE_LIBDIR=pde tools/tape_speed: how long an audit's numerics take: 28 contracts with 64 probes each over a formula with the
 * inputs, nodes and components of the parametric elasticity map, and one gradient of each. Status 0 if the audit takes less than 2 s of a core. */
#include "tape_lab.h"

#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { FX, FY, YOUNG, NU, CONTRACTS = 28, PROBES = 64 };

static Expr *polynomial(int seed) {
  Expr *sum = num(0);
  for (int i = 0; i < 4; i++)
    for (int j = 0; i + j < 4; j++) sum = add(sum, mul(num(sin(1.3 * seed + 3 * i + 7 * j)), mul(power(X(0), i), power(X(1), j))));
  return sum;
}

static void elasticity_map(void) {
  double one[3] = {1, 1, 1};
  int cells[3] = {50, 50, 1};
  map_open(boxed(one, cells), "P1", 1, NULL);
  Expr *fx = map_input("fx", -0.3, 0.3, false), *fy = map_input("fy", -0.3, 0.3, false), *E = map_input("E", 5, 20, false), *nu = map_input("nu", 0.15, 0.35, false);
  map_output("u", shape_vector(2));
  Expr *term[4];
  for (int k = 0; k < 4; k++) term[k] = add(polynomial(k), add(mul(nu, polynomial(4 + k)), mul(square(nu), polynomial(8 + k))));
  Expr *x = over(fx, E), *y = over(fy, E);
  Expr *u = vec2(mul(add(mul(x, term[0]), mul(y, term[1])), sub(num(1), X(0))), mul(add(mul(x, term[2]), mul(y, term[3])), X(1)));
  map_formula(&u);
}

static Expr *norm(Expr *e) { return un(EXPR_SQRT, over_cells(square(e))); }
static Expr *ratio(Expr *a, Expr *b) { return over(a, bin(EXPR_MAX, b, num(1e-6))); }
static Expr *call(Expr *fx, Expr *fy, Expr *E, Expr *nu) { return output_of(applied((Expr *[]){fx, fy, E, nu}), 0); }

/* The families of the catalogue in turn. */
static Expr *contract(int which) {
  Expr *z[4], *w[4], *half = num(0.5);
  for (int k = 0; k < 4; k++) z[k] = probe(0, k), w[k] = probe(1, k);
  Expr *u = call(z[0], z[1], z[2], z[3]);
  switch (which % 8) {
    case 0: {
      Expr *a = call(mul(half, z[0]), mul(half, z[1]), z[2], z[3]), *b = call(mul(half, w[0]), mul(half, w[1]), z[2], z[3]);
      Expr *c = call(mul(half, add(z[0], w[0])), mul(half, add(z[1], w[1])), z[2], z[3]);
      return ratio(norm(sub(sub(c, a), b)), norm(c));
    }
    case 1: return ratio(norm(sub(mul(half, u), call(z[0], z[1], mul(num(2), z[2]), z[3]))), norm(u));
    case 2: return ratio(norm(add(u, call(neg(z[0]), neg(z[1]), z[2], z[3]))), norm(u));
    case 3: return ratio(un(EXPR_SQRT, over_facets(square(comp(u, 0)), "right")), norm(u));
    case 4: return extreme(REDUCE_MAX, un(EXPR_ABS, u));
    case 5: {
      Expr *v = call(w[0], w[1], z[2], z[3]);
      return ratio(un(EXPR_ABS, sub(over_facets(comp(u, 0), "top"), over_facets(comp(v, 0), "top"))), norm(v));
    }
    case 6: return ratio(norm(sub(call(mul(w[0], z[0]), z[1], z[2], z[3]), u)), norm(u));
    default: return over_cells(inner(eps(u), eps(u)));
  }
}

int main(void) {
  double opened = 0, ran = 0, slopes = 0, sum = 0;
  num_open(2);
  double start = now();
  elasticity_map();
  printf("the map and its formula   %8.3f s\n", now() - start);
  double *rows = malloc(sizeof(double) * PROBES * 8), values[PROBES], *gradient = malloc(sizeof(double) * PROBES * 8);
  char *failed[PROBES];
  for (int s = 0; s < PROBES; s++)
    for (int k = 0; k < 8; k++) rows[8 * s + k] = (k % 4 < 2 ? 0.3 : k % 4 == 2 ? 20 : 0.35) * (0.6 + 0.4 * sin(3 * s + k));
  for (int c = 0; c < CONTRACTS; c++) {
    tl.tape = (Tape){.pool = lab.pool, .spec = &tl.spec, .inputs = tl.input, .applies = tl.apply, .reduces = tl.reduce, .targets = tl.target};
    start = now();
    target(contract(c));
    tape_ready();
    double at = now();
    opened += at - start;
    if (tape()->run(tl.run, PROBES, rows, values, failed)) print_diags();
    double end = now();
    ran += end - at;
    if (tape()->gradient(tl.run, PROBES, rows, 0, 20, values, gradient, failed)) print_diags();
    slopes += now() - end;
    if (getenv("EACH")) printf("contract %d: opened %.4f ran %.4f (%.1f us a probe) gradient %.4f\n", c % 8, at - start, end - at, 1e6 * (end - at) / PROBES, now() - end);
    for (int s = 0; s < PROBES; s++) sum += values[s];
    tape()->close(tl.run);
    tl.run = NULL;
  }
  printf("%d contracts opened       %8.3f s\n%d probes each           %8.3f s   (%ld predictions)\n%d gradients each        %8.3f s\nchecksum %.6g\n", CONTRACTS, opened, PROBES, ran,
         tl.predictor->calls / 2, PROBES, slopes, sum);
  free(rows), free(gradient);
  map_close();
  num_close();
  return opened + ran < 2 ? 0 : 2;
}
