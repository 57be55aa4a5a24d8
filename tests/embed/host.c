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
  CHECK(pde_field(sol, "u", &u) == PDE_OK);
  CHECK(u.nodes == 33 * 33 && u.dim == 2 && u.components == 1 && isnan(u.time) && !strcmp(u.unit, ""));
  double worst = 0, low = 1, high = 0;
  for (size_t i = 0; i < u.nodes; i++) {
    double x = u.points[2 * i], y = u.points[2 * i + 1];
    worst = fmax(worst, fabs(u.values[i] - sin(M_PI * x) * sin(M_PI * y)));
    low = fmin(low, fmin(x, y));
    high = fmax(high, fmax(x, y));
  }
  CHECK(worst < 1e-3 && low == 0 && high == 1);
  CHECK(pde_field(sol, "w", &u) == PDE_INPUT && strstr(pde_error(host), "`w`"));
  CHECK(pde_field(name, "u", &u) == PDE_INPUT);
  CHECK(pde_set(host, "k", 2) == PDE_OK && pde_run_string(host, poisson, "p.pde") == PDE_OK);
  double half;
  CHECK(pde_number(host, "top", &half) == PDE_OK && fabs(half - top / 2) < 1e-9);
  CHECK(pde_field(sol, "u", &u) == PDE_OK && fabs(u.values[0]) < 2);     /* a value outlives the next script */
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
  CHECK(pde_run_string(host, "surrogate s {\n}\n", NULL) == PDE_UNSUPPORTED);
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
  static const char *const bad[] = {"", "real", "(a: real) -> vector 4", "(a: real) -> vector 2 3", "(a: real)", "(a real) -> real", "(a: real,) -> real", "() -> real", "(a: real) -> vector", "(a: int) -> real", "(a: real) -> real x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(pde_define(host, "f", bad[i], profile, &p) == PDE_INPUT && *pde_error(host));
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

/* A field with a divergence and a curl, in the plane and in space. */
static int swirl(void *user, int n, const double *const *args, double *const *out) {
  int dim = *(int *)user;
  for (int i = 0; i < n; i++) {
    out[0][i] = 2 * args[0][i] - args[1][i];
    out[1][i] = args[0][i] + 3 * args[1][i];
    if (dim == 3) out[2][i] = 7 * args[2][i];
  }
  return 0;
}

static int vectors(void) {
  int two = 2, three = 3;
  pde_host *host = pde_open(NULL);
  CHECK(pde_define(host, "swirl", " (x: real, y: real)->vector 2 ", swirl, &two) == PDE_OK);
  CHECK(pde_define(host, "swirl3", "(x, y, z) -> vector 3", swirl, &three) == PDE_OK);
  CHECK(pde_define(host, "swirl", "(x: real, y: real) -> vector 2", NULL, NULL) == PDE_INPUT);
  CHECK(pde_run_string(host,
          "s = rectangle(x: 0..1, y: 0..1)\nm = mesh(s, cells: [4, 4])\nv = swirl(1, 2)\na = v[0]\nb = v[1]\nu = project((u: swirl(x, y)), m).u\n"
          "d = integral(div(u))\nc = integral(curl(u))\ne = norm(u - (2*x - y, x + 3*y))\nf = norm(swirl(x, y)[1] - x - 3*y, on: m)\nthrough = integral(dot(swirl(x, y), n), on: m.right)\n"
          "w = project((u: swirl3(x, y, z)), mesh(box(x: 0..1, y: 0..1, z: 0..1), cells: [2, 2, 2])).u\ng = integral(div(w))\n", "v.pde") == PDE_OK);
  double a, b, c, d, e, f, g, through;
  CHECK(pde_number(host, "a", &a) == PDE_OK && a == 0 && pde_number(host, "b", &b) == PDE_OK && b == 7);
  CHECK(pde_number(host, "d", &d) == PDE_OK && fabs(d - 5) < 1e-12 && pde_number(host, "c", &c) == PDE_OK && fabs(c - 2) < 1e-12);
  CHECK(pde_number(host, "e", &e) == PDE_OK && e < 1e-12 && pde_number(host, "f", &f) == PDE_OK && f < 1e-12);
  CHECK(pde_number(host, "through", &through) == PDE_OK && fabs(through - 1.5) < 1e-12 && pde_number(host, "g", &g) == PDE_OK && fabs(g - 12) < 1e-12);
  /* as the data of a problem: the harmonic field is found again */
  CHECK(pde_run_string(host,
          "s = rectangle(x: 0..1, y: 0..1)\npde p on s {\n  unknown u : vector P1\n  lap(u) == 0\n  on all: u == swirl(x, y)\n}\nsol = solve(p, mesh(s, cells: [4, 4]))\n"
          "e = norm(sol.u - (2*x - y, x + 3*y))\n", "v.pde") == PDE_OK);
  CHECK(pde_number(host, "e", &e) == PDE_OK && e < 1e-10);
  CHECK(pde_run_string(host, "v = swirl(1)\n", NULL) == PDE_INPUT);
  pde_close(host);
  return 0;
}

static int units(void) {
  pde_host *host = pde_open(NULL);
  CHECK(pde_set(host, "L", 0.25) == PDE_OK && pde_run_string(host, "param L = 60 [mm]\na = L/(1 [m])\nb = L\n", NULL) == PDE_OK);
  double a;
  CHECK(pde_number(host, "a", &a) == PDE_OK && a == 0.25 && pde_number(host, "b", &a) == PDE_OK && a == 0.25);
  CHECK(pde_set(host, "M", 1) == PDE_OK && pde_run_string(host, "param L = 1\n", NULL) == PDE_INPUT && strstr(pde_error(host), "E0520"));
  pde_close(host);
  return 0;
}

static int say(const char *text, char *out, const char *directory) {
  return snprintf(out, 1024, text, directory);
}

static int limits(void) {
  char directory[] = "limits-XXXXXX", outside[] = "outside-XXXXXX", text[1024];
  CHECK(mkdtemp(directory) && mkdtemp(outside));
  pde_host *host = pde_open(NULL);
  /* time */
  CHECK(pde_limit(host, &(pde_limits){.seconds = 0.2}) == PDE_OK);
  CHECK(pde_run_string(host, "i = 0\nwhile i < 1 { i = i*1 }\n", "slow.pde") == PDE_LIMIT);
  CHECK(strstr(pde_error(host), "E0566") && strstr(pde_error(host), "slow.pde:2") && !strstr(pde_error(host), "E2090") && strstr(pde_error(host), "0.2 s"));
  CHECK(pde_run_string(host, "x = 1\n", NULL) == PDE_OK && !*pde_error(host));
  CHECK(pde_limit(host, &(pde_limits){.seconds = 60}) == PDE_OK && pde_run_string(host, poisson, NULL) == PDE_OK);
  CHECK(pde_limit(host, &(pde_limits){.seconds = -1}) == PDE_INPUT && pde_limit(host, &(pde_limits){.seconds = NAN}) == PDE_INPUT);
  /* memory */
  CHECK(pde_limit(host, &(pde_limits){.memory = 100000000, .seconds = 60}) == PDE_OK);
  CHECK(pde_run_string(host, "a = []\nfor i in 1..1000 { a = a ++ [linspace(0, 1, 50000)] }\n", "large.pde") == PDE_LIMIT);
  CHECK(strstr(pde_error(host), "E0566") && strstr(pde_error(host), "100 MB"));
  CHECK(pde_run_string(host, poisson, NULL) == PDE_OK);
  /* files: those of a directory */
  static const char *const ways[] = {"export(tabulate((a: [1, 2])), \"%s/a.csv\")\n", "t = table(\"%s/a.csv\")\n", "plot(mesh(interval(0, 1), cells: [2]), \"%s/a.svg\")\n",
                                     "save(project(x, mesh(interval(0, 1), cells: [2])), \"%s/a.h5\")\n", "s = load(\"%s/a.h5\")\n", "export(project(x, mesh(interval(0, 1), cells: [2])), \"%s/a.vtu\")\n"};
  CHECK(pde_limit(host, &(pde_limits){.files = directory}) == PDE_OK);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    say(ways[i], text, directory);
    pde_run_string(host, text, NULL);
    CHECK(!strstr(pde_error(host), "E0567"));
    say(ways[i], text, outside);
    CHECK(pde_run_string(host, text, NULL) == PDE_INPUT && strstr(pde_error(host), "E0567"));
    snprintf(text, sizeof text, "%s/../%s", directory, outside);
    char crooked[1024];
    say(ways[i], crooked, text);
    CHECK(pde_run_string(host, crooked, NULL) == PDE_INPUT && strstr(pde_error(host), "E0567"));
  }
  snprintf(text, sizeof text, "../%s", outside);
  char link[256], dangling[256];
  snprintf(link, sizeof link, "%s/link", directory), snprintf(dangling, sizeof dangling, "%s/dangling.csv", directory);
  CHECK(!symlink(text, link));
  snprintf(text, sizeof text, "../%s/new.csv", outside);
  CHECK(!symlink(text, dangling));
  say(ways[0], text, link);
  CHECK(pde_run_string(host, text, NULL) == PDE_INPUT && strstr(pde_error(host), "E0567"));
  snprintf(text, sizeof text, "export(tabulate((a: [1])), \"%s\")\n", dangling);
  CHECK(pde_run_string(host, text, NULL) == PDE_INPUT && strstr(pde_error(host), "E0567"));
  CHECK(pde_run_string(host, "print(env(\"HOME\"))\n", NULL) == PDE_INPUT && strstr(pde_error(host), "E0567"));
  CHECK(pde_run_string(host, "import \"heat/conduction\"\n", NULL) == PDE_OK);      /* it is not a file */
  CHECK(pde_run_string(host, "geometry s = interval(0, 1)\npde p(q = 1) on s {\n  unknown u : scalar P1\n  -lap(u) == q\n  on all: u == 0\n}\n"
                             "map m { input q in 0..1; output u from solve(p(q), mesh(s, cells: [2])) }\nmodel f for m { process: \"touch ran\" }\nd = sample(f, 2)\n", NULL) == PDE_INPUT &&
        strstr(pde_error(host), "E0567"));
  CHECK(pde_limit(host, &(pde_limits){.files = "/nowhere/at/all"}) == PDE_INPUT);
  /* none */
  CHECK(pde_limit(host, &(pde_limits){.files = ""}) == PDE_OK);
  say(ways[0], text, directory);
  CHECK(pde_run_string(host, text, NULL) == PDE_INPUT && strstr(pde_error(host), "E0567"));
  CHECK(pde_limit(host, NULL) == PDE_OK && pde_run_string(host, text, NULL) == PDE_OK);
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
  CHECK(pde_field(sol, "u", &u) == PDE_OK && u.nodes == 33 * 33);     /* b does not notice that a went */
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

static int flat(const char *what, long grown, int solves) {     /* a mesh of these has 10 kB, a solution with its matrix 30 */
  if (grown <= 512) return 0;
  printf("# %s: %ld kB more after %d solves\n", what, grown, solves);
  return failed(__LINE__, "memory is flat");
}

typedef struct Marks { int quarter, end; long at[2]; } Marks;
static int mark(void *user, int n, const double *const *args, double *const *out) {
  Marks *marks = user;
  (void)n;
  if (args[0][0] == marks->quarter) marks->at[0] = resident();
  if (args[0][0] == marks->end) marks->at[1] = resident();
  out[0][0] = 0;
  return 0;
}

/* Many scripts in one host, and many solves in one script: with other data, on other meshes, through time. */
static int memory(int solves) {
  static const char small[] =
    "param k = 1\ngeometry s = rectangle(x: 0..1, y: 0..1)\npde p on s {\n  unknown u : scalar P2\n  -div(k*grad(u)) == 2*pi^2*sin(pi*x)*sin(pi*y)\n  on all: u == 0\n}\n"
    "sol = solve(p, mesh(s, cells: [4, 4]))\ntop = max(sol.u)\n";
  pde_host *host = pde_open(NULL);
  long start = 0;
  for (int i = 0; i < solves; i++) {
    CHECK(pde_set(host, "k", 1 + i) == PDE_OK && pde_run_string(host, small, NULL) == PDE_OK);
    pde_value *sol = pde_get(host, "sol");
    pde_field_view u;
    CHECK(pde_field(sol, "u", &u) == PDE_OK);
    pde_release(sol);
    if (i == solves / 4) start = resident();
  }
  if (flat("scripts", resident() - start, solves - solves / 4)) return 1;
  char loop[2048];
  Marks marks = {solves / 4, solves, {0, 0}};
  CHECK(pde_define(host, "mark", "(i: real) -> real", mark, &marks) == PDE_OK);
  snprintf(loop, sizeof loop,
           "geometry s = rectangle(x: 0..1, y: 0..1)\npde p(k = 1) on s {\n  unknown u : scalar P2\n  -div(k*grad(u)) == 1\n  on all: u == 0\n}\n"
           "pde q on s {\n  unknown u : scalar P1\n  dt(u) == lap(u)\n  on all: u == 0\n  initially: u == x*(1 - x)*y*(1 - y)\n}\n"
           "top = 0\nbefore = solve(p, mesh(s, cells: [4, 4]))\n"
           "for i in 1..%d {\n  m = mesh(s, cells: [4, 4])\n  a = solve(p, m, k: i)\n  b = solve(q, m, time: 0..0.02, step: 0.01)\n"
           "  top = max(a.u) + integral(a.u*before.u) + flux(b.u, left) + mark(i)\n  before = a\n}\n", solves);
  CHECK(pde_run_string(host, loop, "loop.pde") == PDE_OK);
  pde_close(host);
  return flat("a loop", marks.at[1] - marks.at[0], solves - solves / 4);
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
    {"values", values}, {"errors", errors}, {"petsc", petsc}, {"callback", callback}, {"vectors", vectors}, {"units", units}, {"limits", limits}, {"two_hosts", two_hosts},
    {"threads", threads}, {"interrupt", interrupt}, {"many_hosts", many_hosts}, {"comma", comma}};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    if (!strcmp(tests[i].name, test)) return tests[i].run();
  if (!strcmp(test, "memory")) return memory(argc > 2 ? atoi(argv[2]) : 1000);
  return failed(__LINE__, "no such test");
}
