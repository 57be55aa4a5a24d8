/* A host program of the tests, built against an installed copy. host TEST: prints nothing and ends with 0, or says what is wrong. */
#include <locale.h>
#include <math.h>
#include <pde.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed(int line, const char *what) {
  printf("# host.c:%d: %s\n", line, what);
  return 1;
}
#define CHECK(c) \
  if (!(c)) return failed(__LINE__, #c)

static const char poisson[] =
  "param k = 1\ngeometry s = rectangle(x: 0..1, y: 0..1)\npde p on s {\n  unknown u : scalar P2\n  -div(k*grad(u)) == 2*pi^2*sin(pi*x)*sin(pi*y)\n  on all: u == 0\n}\n"
  "sol = solve(p, mesh(s, cells: [16, 16]))\ntop = max(sol.u)\nname = \"poisson\"\nprint(top)\n";

typedef struct Heard { char output[512]; int messages; const char *last; } Heard;
static void hear_output(void *user, const char *text, size_t len) {
  Heard *heard = user;
  strncat(heard->output, text, len < 500 - strlen(heard->output) ? len : 0);
}
static void hear_message(void *user, int severity, const char *text) {
  (void)severity;
  (void)text;
  ((Heard *)user)->messages++;
}

static int values(void) {
  Heard heard = {0};
  pde_host *host = pde_open(&(pde_options){.on_output = hear_output, .on_message = hear_message, .user = &heard});
  CHECK(host);
  CHECK(pde_run_string(host, poisson, "p.pde") == PDE_OK);
  CHECK(!strcmp(pde_error(host), "") && heard.messages == 0);
  double top, read;
  CHECK(pde_number(host, "top", &top) == PDE_OK && fabs(top - 1) < 1e-3);
  CHECK(sscanf(heard.output, "%lf", &read) == 1 && fabs(read - top) < 1e-9);
  CHECK(pde_number(host, "name", &read) == PDE_INPUT && strstr(pde_error(host), "string"));
  CHECK(pde_number(host, "nothing", &read) == PDE_INPUT);
  CHECK(!pde_get(host, "nothing"));
  pde_value *sol = pde_get(host, "sol"), *name = pde_get(host, "name");
  CHECK(sol && name && !strcmp(pde_kind(sol), "solution") && !strcmp(pde_text(host, name), "poisson"));
  pde_field_view u;
  CHECK(pde_field(host, sol, "u", &u) == PDE_OK);
  CHECK(u.nodes == 33 * 33 && u.dim == 2 && u.components == 1 && isnan(u.time) && !strcmp(u.unit, ""));
  double worst = 0, low = 1, high = 0;
  for (size_t i = 0; i < u.nodes; i++) {
    double x = u.points[2 * i], y = u.points[2 * i + 1];
    worst = fmax(worst, fabs(u.values[i] - sin(M_PI * x) * sin(M_PI * y)));
    low = fmin(low, fmin(x, y));
    high = fmax(high, fmax(x, y));
  }
  CHECK(worst < 1e-3 && low == 0 && high == 1);
  CHECK(pde_field(host, sol, "w", &u) == PDE_INPUT && strstr(pde_error(host), "`w`"));
  CHECK(pde_field(host, name, "u", &u) == PDE_INPUT);
  CHECK(pde_set(host, "k", 2) == PDE_OK && pde_run_string(host, poisson, "p.pde") == PDE_OK);
  double half;
  CHECK(pde_number(host, "top", &half) == PDE_OK && fabs(half - top / 2) < 1e-9);
  CHECK(pde_field(host, sol, "u", &u) == PDE_OK && fabs(u.values[0]) < 2);     /* a value outlives the next script */
  CHECK(pde_run_string(host, poisson, "p.pde") == PDE_OK && pde_number(host, "top", &half) == PDE_OK && fabs(half - top) < 1e-9);   /* of one run alone */
  pde_release(sol);
  pde_close(host);     /* name is released with it */
  return 0;
}

static int errors(void) {
  pde_host *host = pde_open(NULL);
  CHECK(pde_run_string(host, "x = yy\n", "bad.pde") == PDE_INPUT && strstr(pde_error(host), "bad.pde:1:5: error[E0101]"));
  CHECK(pde_run_string(host, "x = (\n", NULL) == PDE_INPUT);
  CHECK(pde_check_string(host, poisson, NULL) == PDE_OK);
  CHECK(pde_run_file(host, "/nowhere/x.pde") == PDE_INPUT && strstr(pde_error(host), "E0961"));
  CHECK(pde_run_string(host, "assert 1 > 2, \"no\"\n", NULL) == PDE_CONTRACT);
  CHECK(pde_run_string(host, "check 3 against 3 <= 2\n", NULL) == PDE_CONTRACT);
  CHECK(pde_run_string(host, "discovery gw {\n  state h(x, y, t)\n  trajectories: \"a.h5\"\n  budget: 64\n}\n", NULL) == PDE_UNSUPPORTED);
  /* one linear iteration cannot reach the tolerance; the process lives on */
  char weak[1024];
  snprintf(weak, sizeof weak, "%s", poisson);
  char *call = strstr(weak, "))\ntop");
  memmove(call + strlen(", solver: \"cg+jacobi\", max_iterations: 1") + 1, call + 1, strlen(call + 1) + 1);
  memcpy(call, "), solver: \"cg+jacobi\", max_iterations: 1)", strlen("), solver: \"cg+jacobi\", max_iterations: 1)") - 1);
  CHECK(pde_run_string(host, weak, "weak.pde") == PDE_NUMERICS && strstr(pde_error(host), "weak.pde:"));
  CHECK(pde_run_string(host, poisson, NULL) == PDE_OK && !strcmp(pde_error(host), ""));
  pde_close(host);
  return 0;
}

/* A PETSc that refuses: an option that names no preconditioner. */
static int petsc(void) {
  char *argv[] = {"-pc_type", "nonsense"};
  pde_host *host = pde_open(&(pde_options){.argc = 2, .argv = argv});
  CHECK(pde_run_string(host, poisson, "p.pde") == PDE_NUMERICS);
  CHECK(strstr(pde_error(host), "E2000"));
  CHECK(pde_run_string(host, "x = 1 + 1\n", NULL) == PDE_OK);
  pde_close(host);
  return 0;
}

typedef struct Profile { double height; int calls, points; } Profile;
static int profile(void *user, int n, const double *const *args, double *const *out) {
  Profile *p = user;
  p->calls++;
  p->points += n;
  for (int i = 0; i < n; i++) {
    if (args[0][i] < 0) return 1;
    out[0][i] = p->height * args[0][i] * args[1][i];
  }
  return 0;
}

static int callback(void) {
  Profile p = {3, 0, 0};
  pde_host *host = pde_open(NULL);
  CHECK(pde_define(host, "profile", "(a: real, b: real) -> real", profile, &p) == PDE_OK);
  static const char *const bad[] = {"", "real", "(a: real)", "(a real) -> real", "(a: real,) -> real", "() -> real", "(a: real) -> vector", "(a: int) -> real", "(a: real) -> real x"};
  for (int i = 0; i < 9; i++) CHECK(pde_define(host, "f", bad[i], profile, &p) == PDE_INPUT && *pde_error(host));
  CHECK(pde_define(host, "no name", "(a: real) -> real", profile, &p) == PDE_INPUT);
  /* 3 x y is harmonic: the discrete solution is exact */
  CHECK(pde_run_string(host,
          "geometry s = rectangle(x: 0..1, y: 0..1)\npde p on s {\n  unknown u : scalar P2\n  -lap(u) == 0\n  on all: u == profile(x, y)\n}\n"
          "sol = solve(p, mesh(s, cells: [4, 4]))\ne = norm(sol.u - 3*x*y)\nd = norm(sol.u - profile(x, y))\nv = profile(2, 5)\n", "p.pde") == PDE_OK);
  double e, d, v;
  CHECK(pde_number(host, "e", &e) == PDE_OK && e < 1e-12);
  CHECK(pde_number(host, "d", &d) == PDE_OK && d < 1e-12);
  CHECK(pde_number(host, "v", &v) == PDE_OK && v == 30);
  CHECK(p.points > 40 && p.calls < p.points);     /* many points a call */
  CHECK(pde_run_string(host, "v = profile(-1, 5)\n", "p.pde") != PDE_OK && strstr(pde_error(host), "E0518"));
  CHECK(pde_run_string(host, "v = profile(1)\n", "p.pde") == PDE_INPUT);
  pde_close(host);
  return 0;
}

static int two_hosts(void) {
  pde_host *a = pde_open(NULL), *b = pde_open(&(pde_options){.jit = PDE_JIT_INTERP});
  Profile pa = {1, 0, 0}, pb = {2, 0, 0};
  pde_define(a, "profile", "(a: real, b: real) -> real", profile, &pa);
  pde_define(b, "profile", "(a: real, b: real) -> real", profile, &pb);
  double x, y;
  CHECK(pde_run_string(a, "v = profile(1, 1)\n", NULL) == PDE_OK && pde_run_string(b, "v = profile(1, 1)\n", NULL) == PDE_OK);
  CHECK(pde_number(a, "v", &x) == PDE_OK && pde_number(b, "v", &y) == PDE_OK && x == 1 && y == 2);
  CHECK(pde_run_string(a, poisson, NULL) == PDE_OK && pde_run_string(b, poisson, NULL) == PDE_OK);
  CHECK(pde_number(a, "top", &x) == PDE_OK && pde_number(b, "top", &y) == PDE_OK && fabs(x - y) < 1e-12);
  pde_value *sol = pde_get(b, "sol");
  pde_close(a);
  pde_field_view u;
  CHECK(pde_field(b, sol, "u", &u) == PDE_OK && u.nodes == 33 * 33);     /* b does not notice that a went */
  CHECK(pde_run_string(b, poisson, NULL) == PDE_OK);
  pde_close(b);
  return 0;
}

static void *run_often(void *user) {
  pde_host *host = pde_open(NULL);
  for (int i = 0; i < 5; i++)
    if (pde_run_string(host, poisson, NULL) != PDE_OK) *(int *)user = 1;
  pde_close(host);
  return NULL;
}

static int threads(void) {
  pthread_t a, b;
  int bad_a = 0, bad_b = 0;
  pthread_create(&a, NULL, run_often, &bad_a);
  pthread_create(&b, NULL, run_often, &bad_b);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  CHECK(!bad_a && !bad_b);
  return 0;
}

static pde_host *running;
static void *stop_soon(void *user) {
  (void)user;
  usleep(500000);
  pde_interrupt(running);
  return NULL;
}

static int interrupt(void) {
  running = pde_open(NULL);
  pthread_t stopper;
  pthread_create(&stopper, NULL, stop_soon, NULL);
  CHECK(pde_run_string(running, "i = 0\nwhile i < 1 { i = i*1 }\n", NULL) == PDE_INTERRUPT);
  pthread_join(stopper, NULL);
  CHECK(pde_run_string(running, poisson, NULL) == PDE_OK);
  pde_close(running);
  return 0;
}

static long resident(void) {     /* kB */
  char line[256];
  long kb = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "VmRSS:", 6)) kb = atol(line + 6);
  if (status) fclose(status);
  return kb;
}

static int memory(int solves) {
  pde_host *host = pde_open(NULL);
  long start = 0;
  for (int i = 0; i < solves; i++) {
    CHECK(pde_run_string(host, poisson, NULL) == PDE_OK);
    pde_value *sol = pde_get(host, "sol");
    pde_field_view u;
    CHECK(pde_field(host, sol, "u", &u) == PDE_OK);
    pde_release(sol);
    if (i == solves / 4) start = resident();
  }
  long grown = resident() - start;
  pde_close(host);
  if (grown > 512 + 3 * (solves - solves / 4)) {     /* 3 kB a solve: the text and the expressions of a script; a mesh or matrix has 100 */
    printf("# %ld kB more after %d solves\n", grown, solves - solves / 4);
    return failed(__LINE__, "memory is flat");
  }
  return 0;
}

static int many_hosts(void) {
  for (int i = 0; i < 500; i++) {
    pde_host *host = pde_open(NULL);
    CHECK(host && pde_run_string(host, "x = 1.5\n", NULL) == PDE_OK);
    pde_close(host);
  }
  return 0;
}

static int comma(void) {
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "it_IT.UTF-8"};
  const char *set = NULL;
  for (int i = 0; i < 5 && !set; i++) set = setlocale(LC_ALL, names[i]);
  if (!set) return 77;
  Heard heard = {0};
  pde_host *host = pde_open(&(pde_options){.on_output = hear_output, .user = &heard});
  CHECK(pde_set(host, "k", 0.5) == PDE_OK);
  CHECK(pde_run_string(host, "param k = 1\nx = 1.5e-3 + k\nprint(x)\nprint(f\"{x:.3f}\")\n", NULL) == PDE_OK);
  double x;
  CHECK(pde_number(host, "x", &x) == PDE_OK && x == 0.5015);
  CHECK(!strcmp(heard.output, "0.5015\n0.501\n") || !strcmp(heard.output, "0.5015\n0.502\n"));
  CHECK(pde_run_string(host, poisson, NULL) == PDE_OK);
  pde_close(host);
  return 0;
}

int main(int argc, char **argv) {
  const char *test = argc > 1 ? argv[1] : "";
  static const struct { const char *name; int (*run)(void); } tests[] = {
    {"values", values}, {"errors", errors}, {"petsc", petsc}, {"callback", callback}, {"two_hosts", two_hosts},
    {"threads", threads}, {"interrupt", interrupt}, {"many_hosts", many_hosts}, {"comma", comma}};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    if (!strcmp(tests[i].name, test)) return tests[i].run();
  if (!strcmp(test, "memory")) return memory(argc > 2 ? atoi(argv[2]) : 200);
  return failed(__LINE__, "no such test");
}
