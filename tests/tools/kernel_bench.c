/* Nanoseconds a cell of the common kernels, native and interpreted, without gathering and scattering; and the time from expressions to callable code.
 * make tools/kernel_bench && PDE_LIBDIR=$PWD/pde tools/kernel_bench */
#include <time.h>

#include "kernel_make.h"

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Case {
  const char *name;
  Kernel *kernel;
  double build;        /* seconds */
} Case;

static double nanoseconds(const Kernel *k) {
  int W = k->width;
  double *x = lanes((size_t)k->nx * W), *w = lanes((size_t)k->nw * W), *c = lanes((size_t)k->nc * W), *p = lanes((size_t)k->np), *out = lanes((size_t)k->nout * W);
  double *scratch = lanes(kernel_scratch(k) / sizeof(double)), best = 1e9;
  for (int i = 0; i < k->nx * W; i++) x[i] = vertex(i / W / k->dim, i / W % k->dim, i % W);
  for (int i = 0; i < k->nw * W; i++) w[i] = noise(i, 0, 0);
  for (int i = 0; i < k->np; i++) p[i] = param_value(k->params[i]);
  for (int repeat = 0; repeat < 7; repeat++) {
    int n = 40000 / W + 1;
    double start = seconds();
    for (int i = 0; i < n; i++) kernel_run(k, x, w, c, p, 0, out, scratch);
    double one = (seconds() - start) / n / W * 1e9;
    if (one < best) best = one;
  }
  free(x), free(w), free(c), free(p), free(out), free(scratch);
  return best;
}

static Case make(const char *name, int rank, Expr *e, bool symmetric) {
  Case made = {.name = name};
  LowerRequest r = request(INTEGRAL_CELL, rank, &e, 1);
  r.symmetric = symmetric;
  double start = seconds();
  if (kernel_integral(bench.kernels, &r, &bench.diags, &made.kernel)) exit(1);
  made.build = seconds() - start;
  return made;
}

static Expr *elasticity(SymbolKind u) {
  Expr *div_u = num(0), *div_v = num(0), *s = num(0);
  for (int i = 0; i < bench.dim; i++) {
    div_u = add(div_u, term(u, 0, i, i));
    div_v = add(div_v, V(i, i));
    for (int j = 0; j < bench.dim; j++) s = add(s, mul(mul(par("mu"), add(term(u, 0, i, j), term(u, 0, j, i))), V(i, j)));
  }
  return add(mul(mul(par("lambda"), div_u), div_v), s);
}

static Expr *load(void) {
  Expr *f = num(1);
  for (int i = 0; i < bench.dim; i++) f = mul(f, e_sin(mul(num(M_PI), coord(i))));
  return mul(mul(mul(num(bench.dim), num(9.8)), f), V(0, -1));
}

static int make_all(Case *out) {
  static const struct { int dim; const char *element, *name; } spaces[] = {{2, "P1", "triangle P1"}, {2, "P2", "triangle P2"}, {3, "P1", "tetrahedron P1"}, {3, "P2", "tetrahedron P2"}};
  static char names[32][64];
  int n = 0;
  for (int s = 0; s < 4; s++) {
    problem(spaces[s].dim);
    unknown("u", spaces[s].element, SHAPE_SCALAR);
    Expr *k = add(num(1), mul(coord(0), coord(0)));
    struct { const char *what; int rank; Expr *e; bool symmetric; } forms[] = {
        {"stiffness", 2, dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0), true}, {"k(x) stiffness", 2, mul(k, dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0)), true},
        {"load, sines", 1, load(), false}};
    for (int f = 0; f < 3; f++, n++) {
      snprintf(names[n], sizeof names[n], "%s %s", spaces[s].name, forms[f].what);
      out[n] = make(names[n], forms[f].rank, forms[f].e, forms[f].symmetric);
    }
    problem(spaces[s].dim);
    unknown("u", spaces[s].element, shape_vector(spaces[s].dim));
    for (int f = 0; f < 3; f++, n++) {
      snprintf(names[n], sizeof names[n], "%s elasticity%s", spaces[s].name, f == 0 ? "" : f == 1 ? ", all entries" : " residual");
      out[n] = make(names[n], f == 2 ? 1 : 2, elasticity(f == 2 ? SYMBOL_UNKNOWN : SYMBOL_TRIAL), f == 0);
    }
  }
  return n;
}

int main(void) {
  Case cases[2][32];
  double ns[2][32];
  int n = 0;
  static const JitChoice choices[2] = {JIT_LLVM, JIT_INTERP};
  for (int j = 0; j < 2; j++) {
    bench_open(choices[j]);
    n = make_all(cases[j]);
    for (int i = 0; i < n; i++) {
      ns[j][i] = nanoseconds(cases[j][i].kernel);
      kernel_release(cases[j][i].kernel);
    }
    Buf note = {0};
    kernels_note(bench.kernels, &note);
    printf("%s\n", buf_str(&note));
    buf_free(&note);
    bench_close();
  }
  double b3 = 0;
  for (int i = 0; i < n; i++)
    if (!strcmp(cases[0][i].name, "tetrahedron P1 elasticity") || !strcmp(cases[0][i].name, "tetrahedron P1 elasticity residual")) b3 += cases[0][i].build;
  printf("linear elasticity P1 in 3D, matrix and residual: %.1f ms from expressions to code\n", 1e3 * b3);
  printf("%-40s %10s %10s %8s %10s\n", "ns a cell", "native", "interp", "ratio", "build ms");
  for (int i = 0; i < n; i++)
    printf("%-40s %10.2f %10.2f %8.1f %10.2f\n", cases[0][i].name, ns[0][i], ns[1][i], ns[1][i] / ns[0][i], 1e3 * cases[0][i].build);
  return 0;
}
