/* make tools/tape_large && PDE_LIBDIR=pde tools/tape_large [PROBES]: contracts over outputs as large as those of the transient elastodynamics map: 4681 nodes,
 * 101 times, 2 components, four histories. Time of each, of its gradient, and the memory of all. */
#include "tape_lab.h"

#include <sys/resource.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { NT = 101, HISTORIES = 4 };

static void strip_map(void) {
  double lengths[3] = {1, 0.2, 1}, t[NT];
  int cells[3] = {75, 15, 1};
  for (int k = 0; k < NT; k++) t[k] = 2. * k / (NT - 1);
  map_open(boxed(lengths, cells), "P2", NT, t);
  Expr *in[HISTORIES], *sum[2] = {num(0), num(0)};
  for (int i = 0; i < HISTORIES; i++) in[i] = map_input((char[]){(char)('a' + i), 0}, -1, 1, true);
  map_output("u", shape_vector(2));
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < HISTORIES; i++)
      for (int k = 0; k < 4; k++) {
        Expr *shape = mul(un(EXPR_SIN, mul(num(1 + k + i), X(0))), un(EXPR_COS, mul(num(2 * c + k), X(1))));
        sum[c] = add(sum[c], mul(shape, k ? map_shifted(i, -0.1 * k) : in[i]));
      }
  Expr *u = vec2(sum[0], sum[1]);
  map_formula(&u);
}

static Expr *norm(Expr *e, double until) {
  return un(EXPR_SQRT, reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = square(e), .at = NAN, .from = NAN, .until = until}));
}
static Expr *call(Expr **in) { return output_of(applied(in), 0); }

static Expr *contract(int which) {
  Expr *z[HISTORIES], *w[HISTORIES], *h[HISTORIES], *half = num(0.5);
  for (int i = 0; i < HISTORIES; i++) z[i] = probe(0, i), w[i] = probe(1, i);
  Expr *u = call(z);
  switch (which) {
    case 0: {      /* superposition */
      for (int i = 0; i < HISTORIES; i++) h[i] = mul(half, add(z[i], w[i]));
      Expr *sum = call(h);
      return over(norm(sub(sum, mul(half, add(u, call(w)))), NAN), norm(sum, NAN));
    }
    case 1: {      /* causality */
      for (int i = 0; i < HISTORIES; i++) h[i] = made(expr_make(lab.pool, EXPR_IF, (Expr *[]){bin(EXPR_LE, time_(), num(1)), z[i], w[i]}, 3));
      return over(norm(sub(u, call(h)), 1), norm(u, 1));
    }
    case 2: return over(un(EXPR_SQRT, over_facets(square(sub(u, vec2(z[0], z[1]))), "right")), norm(u, NAN));
    case 3: {      /* energy, by rates */
      Expr *e = reduced((TapeReduce){.kind = REDUCE_INTEGRAL, .integrand = add(square(dt(u)), inner(eps(u), eps(u))), .each_time = true, ALL_TIMES});
      return reduced((TapeReduce){.kind = REDUCE_MAX, .integrand = e, .over = TAPE_TIME, ALL_TIMES});
    }
    default: return extreme(REDUCE_MAX, un(EXPR_ABS, u));
  }
}

int main(int argc, char **argv) {
  static const char *const names[] = {"superposition", "causality", "trace", "energy", "bound"};
  int probes = argc > 1 ? atoi(argv[1]) : 16;
  num_open(2);
  double start = now();
  strip_map();
  printf("%d nodes, %d times; the map and its formula %.3f s\n", tl.grid->nnodes, tl.grid->nt, now() - start);
  size_t width = 2 * NT * HISTORIES;
  double *rows = malloc(sizeof(double) * width * (size_t)probes), *values = malloc(sizeof(double) * (size_t)probes), *gradient = malloc(sizeof(double) * width * (size_t)probes);
  char **failed = calloc((size_t)probes, sizeof(char *));
  for (size_t i = 0; i < width * (size_t)probes; i++) rows[i] = sin(0.05 * (double)(i % NT) * (double)(1 + i / NT % 7));
  for (int c = 0; c < 5; c++) {
    tl.tape = (Tape){.pool = lab.pool, .spec = &tl.spec, .inputs = tl.input, .applies = tl.apply, .reduces = tl.reduce, .targets = tl.target};
    start = now();
    target(contract(c));
    tape_ready();
    double ready = now();
    if (tape()->run(tl.run, probes, rows, values, failed)) print_diags();
    double ran = now();
    if (tape()->gradient(tl.run, probes < 4 ? probes : 4, rows, 0, 20, values, gradient, failed)) print_diags();
    printf("%-14s opened %6.3f s, %d probes %7.3f s (%.1f ms each), a gradient %.1f ms; v = %.6g\n", names[c], ready - start, probes, ran - ready, 1e3 * (ran - ready) / probes,
           1e3 * (now() - ran) / (probes < 4 ? probes : 4), values[0]);
    tape()->close(tl.run);
    tl.run = NULL;
  }
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  printf("memory at most %ld MB\n", use.ru_maxrss / 1024);
  map_close();
  num_close();
  return 0;
}
