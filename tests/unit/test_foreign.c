/* Programs and shared objects as predictors. This test is its own child: `test_foreign child WHAT` speaks the protocol, well or badly. Nothing that it does
 * may hang, kill or leak anything here, and every failure says what happened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../runtime/child.h"
#include "../../runtime/foreign.h"
#include "../../runtime/pde_predict.h"

/* ---- the child: no cJSON, as little as a program needs ---- */

enum { NODES = 40, WIDTH = 3, CELLS = 39 };       /* of the map below: a, and two values of a history; one output of two components, two times */

static bool is(const char *what, const char *mode) { return !strcmp(what, mode); }

static long number_after(const char *line, const char *key) {
  const char *at = strstr(line, key);
  return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

static bool get(void *to, size_t n) { return fread(to, 1, n, stdin) == n; }

static void put(const void *from, size_t n) {
  fwrite(from, 1, n, stdout);
  fflush(stdout);
}

static void sleep_long(void) {
  for (;;) pause();
}

static void answer_badly(const char *what, long id, long rows) {
  size_t n = (size_t)rows * 2 * NODES * 2;
  double *u = calloc(n ? n : 1, sizeof *u);
  char head[400];
  snprintf(head, sizeof head, "{\"message\":\"fields\",\"id\":%ld,\"arrays\":[{\"name\":\"u\",\"shape\":[%ld,2,%d,2]}]}\n", id, rows, NODES);
  if (is(what, "garbage")) puts("Epoch 3: loss 0.01");
  else if (is(what, "wrong-shape")) printf("{\"message\":\"fields\",\"id\":%ld,\"arrays\":[{\"name\":\"u\",\"shape\":[%ld,%d]}]}\n", id, rows, NODES);
  else if (is(what, "wrong-name")) printf("{\"message\":\"fields\",\"id\":%ld,\"arrays\":[{\"name\":\"v\",\"shape\":[1]}]}\n", id);
  else if (is(what, "negative-shape")) printf("{\"message\":\"fields\",\"id\":%ld,\"arrays\":[{\"name\":\"u\",\"shape\":[-1,1e300]}]}\n", id);
  else if (is(what, "nothing")) printf("{\"message\":\"fields\",\"id\":%ld,\"arrays\":[]}\n", id);
  else if (is(what, "null")) puts("null");
  else if (is(what, "deep")) for (int k = 0; k < 100000; k++) putchar('[');
  else if (is(what, "other-id")) printf("{\"message\":\"fields\",\"id\":%ld,\"arrays\":[]}\n", id + 7);
  else if (is(what, "other-message")) printf("{\"message\":\"ready\",\"id\":%ld,\"protocol\":1}\n", id);
  else if (is(what, "endless-line")) {
    signal(SIGPIPE, SIG_IGN);
    while (fputs("                                                                ", stdout) >= 0) {}
  } else if (is(what, "short")) {
    put(head, strlen(head));
    put(u, n * 4);
    fputs("out of data\n", stderr);
    exit(0);
  } else if (is(what, "stalls")) {
    put(head, strlen(head));
    put(u, n * 4);
    sleep_long();
  } else if (is(what, "more")) {
    put(head, strlen(head));
    fwrite(u, sizeof *u, n, stdout);
    fputs("done", stdout);
  } else if (is(what, "nan")) {
    u[5] = NAN;
    put(head, strlen(head));
    put(u, n * sizeof *u);
  }
  if (is(what, "deep")) putchar('\n');
  fflush(stdout);
  free(u);
}

static void answer_well(const char *what, long id, long rows, const double *z, const double *bar) {
  size_t n = (size_t)rows * 2 * NODES * 2;
  double *u = malloc((n + 1) * sizeof *u), *g = calloc((size_t)rows * WIDTH + 1, sizeof *g);
  for (long r = 0; r < rows; r++)
    for (int t = 0; t < 2; t++)
      for (int i = 0; i < NODES; i++)
        for (int c = 0; c < 2; c++) {
          size_t at = (size_t)(((r * 2 + t) * NODES + i) * 2 + c);
          u[at] = (c + 1) * z[r * WIDTH] * i + z[r * WIDTH + 1 + t];
          if (bar) {
            g[r * WIDTH] += (c + 1) * i * bar[at];
            g[r * WIDTH + 1 + t] += bar[at];
          }
        }
  if (is(what, "noisy"))
    for (int k = 0; k < 40000; k++) fprintf(stderr, "warning %d: this much is written to standard error\n", k);
  if (bar) printf("{\"message\":\"gradient\",\"id\":%ld,\"arrays\":[{\"name\":\"gradient\",\"shape\":[%ld,%d]}]}\n", id, rows, WIDTH);
  else printf("{\"message\":\"fields\",\"id\":%ld,\"arrays\":[{\"name\":\"u\",\"shape\":[%ld,2,%d,2]}]}\n", id, rows, NODES);
  fwrite(bar ? g : u, sizeof *u, bar ? (size_t)rows * WIDTH : n, stdout);
  fflush(stdout);
  free(u);
  free(g);
}

/* Its files: the three pipes alone, and the one that reads the list. */
static int open_files(void) {
  int n = 0;
  DIR *dir = opendir("/proc/self/fd");
  for (struct dirent *e; dir && (e = readdir(dir));) n += e->d_name[0] != '.';
  if (dir) closedir(dir);
  return n - 1;
}

static int serve(const char *what) {
  char line[100000];
  double skipped[CELLS * 2 + NODES + 2];
  if (is(what, "dies-at-once")) raise(SIGSEGV);
  if (is(what, "exits-at-once")) {
    fputs("Traceback:\nModuleNotFoundError: No module named 'torch'\n", stderr);
    return 3;
  }
  if (is(what, "greets")) puts("Loading the model ...");
  if (is(what, "never-reads")) sleep_long();
  if (is(what, "closes-input")) {
    fclose(stdin);
    sleep_long();
  }
  if (is(what, "files") && open_files() != 3) return 9;
  if (!fgets(line, sizeof line, stdin) || !strstr(line, "\"message\":\"open\"") || !get(skipped, sizeof skipped)) return 4;
  if (skipped[1] != 1.0 / CELLS || skipped[NODES + 1] != 1 || skipped[NODES + 2 * CELLS + 1] != 0.5) return 5;
  long id = number_after(line, "\"id\":");
  printf("{\"message\":\"ready\",\"id\":%ld,\"protocol\":%d,\"batch\":8,\"gradients\":%s}\n", id, is(what, "protocol") ? 2 : 1, is(what, "gradients") ? "true" : "false");
  fflush(stdout);
  if (is(what, "hungry") && !memset(malloc(4000000000u), 1, 4000000000u)) return 6;
  if (is(what, "family") && !fork()) sleep_long();
  while (fgets(line, sizeof line, stdin)) {
    if (strstr(line, "\"close\"")) break;
    long rows = number_after(line, "\"rows\":");
    id = number_after(line, "\"id\":");
    bool pullback = strstr(line, "\"pullback\"");
    double *z = malloc((size_t)rows * WIDTH * sizeof *z), *bar = malloc((size_t)rows * 4 * NODES * sizeof *bar);
    if (is(what, "early")) answer_well(what, id, rows, calloc((size_t)rows * WIDTH, sizeof *z), NULL), sleep_long();
    if (!get(z, (size_t)rows * WIDTH * sizeof *z) || (pullback && !get(bar, (size_t)rows * 4 * NODES * sizeof *bar))) return 7;
    if (is(what, "fragile") && z[0] > 10) abort();
    if (is(what, "slow") && z[0] > 10) sleep_long();
    if (is(what, "refuses") && z[0] > 10) printf("{\"message\":\"error\",\"id\":%ld,\"reason\":\"a = %g is outside of the training range\"}\n", id, z[0]);
    else if (is(what, "good") || is(what, "noisy") || is(what, "gradients") || is(what, "fragile") || is(what, "slow") || is(what, "refuses") || is(what, "family") ||
             is(what, "clings") || is(what, "files"))
      answer_well(what, id, rows, z, pullback ? bar : NULL);
    else if (is(what, "babbles")) {
      answer_well(what, id, rows, z, NULL);
      nanosleep(&(struct timespec){0, 200000000}, NULL);
      puts("done");
    } else answer_badly(what, id, rows);
    fflush(stdout);
    free(z);
    free(bar);
  }
  if (is(what, "clings")) {
    signal(SIGTERM, SIG_IGN);
    sleep_long();
  }
  return 0;
}

/* ---- the map ---- */

static char self_path[400];
static SourceMap *sources;
static Interner *names;
static Diags diags;
static Mesh mesh;
static Grid grid;
static MapInput inputs[2];
static MapOutput outputs[1];
static MapSpec spec;
static double node_x[NODES], times[2] = {0, 0.5};
static int cell_node[CELLS * 2];

static void make_map(void) {
  for (int i = 0; i < NODES; i++) node_x[i] = (double)i / CELLS;
  for (int c = 0; c < CELLS; c++) {
    cell_node[2 * c] = c;
    cell_node[2 * c + 1] = c + 1;
  }
  mesh = (Mesh){.dim = 1, .ncells = CELLS, .nverts = NODES};
  grid = (Grid){.mesh = &mesh, .element = element_find("P1"), .nnodes = NODES, .cell_node = cell_node, .x = node_x, .nt = 2, .t = times};
  inputs[0] = (MapInput){.name = intern_text(names, "a"), .lo = 0, .hi = 20};
  inputs[1] = (MapInput){.name = intern_text(names, "load"), .history = true, .offset = 1, .lo = -1, .hi = 1};
  outputs[0] = (MapOutput){.name = intern_text(names, "u"), .shape = shape_vector(2), .ncomp = 2};
  spec = (MapSpec){.name = intern_text(names, "bar"), .inputs = inputs, .ninputs = 2, .width = WIDTH, .outputs = outputs, .noutputs = 1, .grid = &grid};
}

static ForeignOptions options(double timeout) { return (ForeignOptions){.timeout = timeout, .diags = &diags}; }

static Predictor *open_child(const char *what, const ForeignOptions *opts) {
  char command[500];
  Predictor *p = NULL;
  snprintf(command, sizeof command, "exec '%s' child %s", self_path, what);
  foreign_process(&spec, command, opts, &p);
  return p;
}

/* It cannot be opened, and the report says so. */
static void refused(const char *what, double timeout, const char *word) {
  ForeignOptions opts = options(timeout);
  diags_clear(&diags);
  Predictor *p = open_child(what, &opts);
  assert_null(p);
  assert_int_equal(diags.nerrors, 1);
  if (!strstr(diags.items[0]->message, word)) fail_msg("%s: `%s` is not in: %s", what, word, diags.items[0]->message);
  diags_clear(&diags);
}

static int predict(Predictor *p, int n, double a, double *u, char **error) {
  double *rows = malloc((size_t)n * WIDTH * sizeof *rows), *out[1] = {u};
  for (int k = 0; k < n; k++) {
    rows[k * WIDTH] = a + k;
    rows[k * WIDTH + 1] = 0.25;
    rows[k * WIDTH + 2] = -0.5;
  }
  *error = NULL;
  int failed = p->ops->predict(p, n, rows, out, error);
  assert_true(failed ? *error != NULL : *error == NULL);
  free(rows);
  return failed;
}

static void predicts(Predictor *p, int n, double a) {
  double *u = malloc((size_t)n * 4 * NODES * sizeof *u);
  char *error;
  if (predict(p, n, a, u, &error)) fail_msg("%s", error);
  for (int k = 0; k < n; k++)
    for (int t = 0; t < 2; t++)
      for (int i = 0; i < NODES; i++)
        for (int c = 0; c < 2; c++) assert_true(u[((k * 2 + t) * NODES + i) * 2 + c] == (c + 1) * (a + k) * i + (t ? -0.5 : 0.25));
  free(u);
}

/* Opens, but the prediction fails with such a reason. */
static void fails(const char *what, double timeout, const char *word) {
  ForeignOptions opts = options(timeout);
  double u[4 * NODES];
  char *error;
  Predictor *p = open_child(what, &opts);
  assert_non_null(p);
  assert_true(predict(p, 1, 1, u, &error));
  if (!strstr(error, word)) fail_msg("%s: `%s` is not in: %s", what, word, error);
  free(error);
  p->ops->free(p);
}

/* ---- tests ---- */

static void good_ones(void **state) {
  ForeignOptions opts = options(20);
  Predictor *p = open_child("good", &opts);
  assert_non_null(p);
  assert_string_equal(p->ops->kind, "process");
  assert_false(p->ops->differentiable);
  assert_int_equal(p->ops->batch, 8);
  predicts(p, 1, 2);
  predicts(p, 100, -3);              /* several batches */
  assert_int_equal(p->calls, 101);
  p->ops->free(p);
  p = open_child("noisy", &opts);    /* its standard error never blocks it */
  predicts(p, 20, 2);
  p->ops->free(p);
  p = open_child("files", &opts);
  assert_non_null(p);
  predicts(p, 1, 2);
  p->ops->free(p);
}

static void gradients(void **state) {
  ForeignOptions opts = options(20);
  Predictor *p = open_child("gradients", &opts);
  assert_true(p->ops->differentiable);
  double rows[10 * WIDTH] = {0}, bar[10 * 4 * NODES], g[10 * WIDTH];
  const double *bars[1] = {bar};
  char *error = NULL;
  for (int k = 0; k < 10 * 4 * NODES; k++) bar[k] = k % 3;
  for (int k = 0; k < 10 * WIDTH; k++) g[k] = 1;      /* it is added */
  assert_int_equal(p->ops->pullback(p, 10, rows, bars, g, &error), 0);
  for (int k = 0; k < 10; k++) {
    double a = 1, h[2] = {1, 1};
    for (int t = 0; t < 2; t++)
      for (int i = 0; i < NODES; i++)
        for (int c = 0; c < 2; c++) {
          double b = (((k * 2 + t) * NODES + i) * 2 + c) % 3;
          a += (c + 1) * i * b;
          h[t] += b;
        }
    assert_true(g[k * WIDTH] == a && g[k * WIDTH + 1] == h[0] && g[k * WIDTH + 2] == h[1]);
  }
  p->ops->free(p);
}

static void not_opened(void **state) {
  ForeignOptions opts = options(5);
  Predictor *p = NULL;
  refused("dies-at-once", 5, "signal 11");
  refused("exits-at-once", 5, "No module named 'torch'");
  refused("exits-at-once", 5, "status 3");
  refused("greets", 5, "`Loading the model ...`");
  refused("protocol", 5, "version 2");
  diags_clear(&diags);
  assert_true(foreign_process(&spec, "no-such-program-here --x", &opts, &p));
  assert_non_null(strstr(diags.items[0]->message, "a command that is not there"));
  diags_clear(&diags);
  opts.directory = "/no/such/directory";
  assert_true(foreign_process(&spec, "cat", &opts, &p));
  assert_true(strstr(diags.items[0]->message, "No such file") || strstr(diags.items[0]->message, "status 127"));   /* valgrind's spawn cannot tell */
  diags_clear(&diags);
}

static void bad_answers(void **state) {
  fails("garbage", 5, "Epoch 3: loss 0.01");
  fails("null", 5, "`null`");
  fails("deep", 5, "where only messages");
  fails("wrong-shape", 5, "[1, 40]; expected was [1, 2, 40, 2]");
  fails("wrong-name", 5, "an array `v`");
  fails("negative-shape", 5, "without a shape");
  fails("nothing", 5, "did not give the array `u`");
  fails("other-id", 5, "answered with the id");
  fails("other-message", 5, "expected was `fields`");
  fails("endless-line", 5, "a line of more than");
  fails("short", 5, "out of data");
  fails("stalls", 0.3, "longer than 0.3 s while it wrote the 1280 bytes of `u`");
  fails("more", 5, "more than it announced");
}

/* What comes too much, but late, belongs to no answer: the prediction is good and the next one is refused. */
static void late_bytes(void **state) {
  ForeignOptions opts = options(20);
  double u[4 * NODES];
  char *error;
  Predictor *p = open_child("babbles", &opts);
  predicts(p, 1, 1);
  nanosleep(&(struct timespec){0, 600000000}, NULL);
  assert_true(predict(p, 1, 1, u, &error));
  assert_non_null(strstr(error, "more than it announced"));
  free(error);
  predicts(p, 1, 2);           /* by a new one */
  p->ops->free(p);
}

static void not_a_number(void **state) {
  ForeignOptions opts = options(5);
  double u[4 * NODES];
  char *error;
  Predictor *p = open_child("nan", &opts);
  assert_int_equal(predict(p, 1, 1, u, &error), 0);
  assert_true(isnan(u[5]) && u[4] == 0);
  p->ops->free(p);
}

/* Both pipes full: it answers without reading what it is asked. */
static void early_answer(void **state) {
  enum { MANY = 60000 };
  ForeignOptions opts = options(60);
  Predictor *p = open_child("early", &opts);
  PredictorOps ops = *p->ops;
  double *u = malloc(sizeof *u * MANY * 4 * NODES), *rows = calloc(MANY * WIDTH, sizeof *rows), *out[1] = {u};
  char *error = NULL;
  ((PredictorOps *)p->ops)->batch = MANY;
  assert_true(ops.predict(p, MANY, rows, out, &error));
  assert_non_null(strstr(error, "before it had read"));
  free(error);
  free(u);
  free(rows);
  p->ops->free(p);
}

/* A crash or a refusal at one input costs that prediction alone. */
static void recovers(void **state) {
  static const char *const kinds[3] = {"fragile", "slow", "refuses"}, *const words[3] = {"signal 6", "longer than 0.3 s", "a = 11 is outside of the training range"};
  for (int k = 0; k < 3; k++) {
    ForeignOptions opts = options(k == 1 ? 0.3 : 20);
    double u[4 * NODES];
    char *error;
    Predictor *p = open_child(kinds[k], &opts);
    predicts(p, 1, 1);
    for (int again = 0; again < 3; again++) {
      assert_true(predict(p, 1, 11, u, &error));
      if (!strstr(error, words[k])) fail_msg("%s", error);
      free(error);
      predicts(p, 2, 1);
    }
    for (int again = 0; again < 5; again++) {      /* one that only crashes is given up, and says so at once */
      assert_true(predict(p, 1, 11, u, &error));
      if (k < 2 && again > 2) assert_non_null(strstr(error, "started twice"));
      free(error);
    }
    p->ops->free(p);
  }
}

static void limits(void **state) {
  ForeignOptions opts = options(20);
  opts.memory = 1e9;
  double u[4 * NODES], begin = child_clock();
  char *error;
  Predictor *p = open_child("hungry", &opts);
  assert_non_null(p);
  assert_true(predict(p, 1, 1, u, &error));
  assert_non_null(strstr(error, "signal 11"));
  free(error);
  p->ops->free(p);
  volatile int interrupt = 0;
  opts = options(60);
  opts.interrupt = &interrupt;
  p = open_child("slow", &opts);
  interrupt = 1;
  assert_true(predict(p, 1, 11, u, &error));
  assert_non_null(strstr(error, "interrupted"));
  assert_true(child_clock() - begin < 15);
  free(error);
  p->ops->free(p);
}

static void endings(void **state) {
  ForeignOptions opts = options(5);
  double begin = child_clock();
  Predictor *p = open_child("clings", &opts);
  predicts(p, 1, 1);
  p->ops->free(p);
  assert_true(child_clock() - begin < 4);
  p = open_child("family", &opts);
  predicts(p, 1, 1);
  p->ops->free(p);
}

/* A child that never reads or closes its input is late, it does not kill us. */
static void deaf(void **state) {
  ChildOptions opts = {.command = "exec 0<&-; sleep 100"};
  char *error = NULL, *big = calloc(1, 4000000);
  Child *child = child_start(&opts, &error);
  Buf line = {0}, how = {0};
  child_send(child, &(ChildPart){big, 4000000}, 1);
  assert_int_equal(child_line(child, &line, 100, child_clock() + 0.3), CHILD_LATE);
  assert_false(child_has_read_all(child));
  child_end(child, 0, &how);
  assert_non_null(strstr(how.text, "it was stopped"));
  free(big);
  buf_free(&line);
  buf_free(&how);
}

static void nothing_is_left(void **state) {
  int status;
  assert_int_equal(waitpid(-1, &status, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
  assert_int_equal(open_files(), *(int *)*state);
}

/* ---- shared objects ---- */

static char *library(const char *text) {
  static int n;
  static char path[100];
  char command[900];
  snprintf(path, sizeof path, "/tmp/pde-predict-%d-%d.so", (int)getpid(), n++);
  snprintf(command, sizeof command, "printf '%%s' '#include \"pde_predict.h\"\n#include <stdio.h>\n%s' | ${CC:-cc} -I '%s/../runtime' -x c -shared -fPIC -o '%s' -", text, TEST_SRCDIR, path);
  return system(command) ? NULL : path;
}

static void libraries(void **state) {
  static const char GOOD[] = "int pde_predict_abi(void) { return PDE_PREDICT_ABI; }\nstatic const pde_predict_map *m;\n"
      "int pde_predict_open(const pde_predict_map *map, void **self, char *e, size_t n) { m = map; *self = &m; return 0; }\n"
      "int pde_predict(void *self, int n, const double *z, double *const *out, char *e, size_t size) {\n"
      "  if (z[0] > 10) { snprintf(e, size, \"a is too large\"); return 1; }\n"
      "  for (int k = 0; k < n*m->ntimes*m->nnodes*m->components[0]; k++) out[0][k] = z[0];\n  return 0; }\n"
      "void pde_predict_close(void *self) {}\n";
  ForeignOptions opts = options(0);
  Predictor *p = NULL;
  double u[4 * NODES];
  char *error, *path = library(GOOD);
  if (!path) {
    skip();
    return;
  }
  assert_int_equal(foreign_library(&spec, path, &opts, &p), 0);
  assert_false(p->ops->differentiable);
  assert_int_equal(predict(p, 1, 7, u, &error), 0);
  for (int k = 0; k < 4 * NODES; k++) assert_true(u[k] == 7);
  assert_true(predict(p, 1, 11, u, &error));
  assert_non_null(strstr(error, "a is too large"));
  free(error);
  p->ops->free(p);
  unlink(path);
  path = library("int pde_predict_abi(void) { return 99; }\n int pde_predict_open(const pde_predict_map *m, void **s, char *e, size_t n) { return 0; }\n"
                 "int pde_predict(void *s, int n, const double *z, double *const *o, char *e, size_t k) { return 0; }\nvoid pde_predict_close(void *s) {}\n");
  assert_true(foreign_library(&spec, path, &opts, &p));
  assert_non_null(strstr(diags.items[0]->message, "its is 99"));
  unlink(path);
  diags_clear(&diags);
  path = library("int other;\n");
  assert_true(foreign_library(&spec, path, &opts, &p));
  assert_non_null(strstr(diags.items[0]->message, "does not export"));
  unlink(path);
  diags_clear(&diags);
  assert_true(foreign_library(&spec, "nothing-here.so", &opts, &p));
  assert_non_null(strstr(diags.items[0]->message, "cannot be loaded"));
  diags_clear(&diags);
}

/* ---- records ---- */

static Cases *recorded(int n) {
  Cases *cases = calloc(1, sizeof *cases);
  *cases = (Cases){.n = n, .ninputs = 2, .noutputs = 1, .nt = 2, .nnodes = NODES, .dim = 1};
  cases->inputs = calloc(2, sizeof *cases->inputs);
  cases->outputs = calloc(1, sizeof *cases->outputs);
  cases->inputs[0] = (CaseArray){.name = strdup("load"), .in_time = true, .ncomp = 1, .size = 2, .values = calloc((size_t)n * 2, sizeof(double))};
  cases->inputs[1] = (CaseArray){.name = strdup("a"), .ncomp = 1, .size = 1, .values = calloc((size_t)n, sizeof(double))};
  cases->outputs[0] = (CaseArray){.name = strdup("u"), .in_time = true, .on_nodes = true, .ncomp = 2, .size = 4 * NODES, .values = calloc((size_t)n * 4 * NODES, sizeof(double))};
  cases->t = calloc(2, sizeof(double));
  cases->t[1] = 0.5;
  cases->nodes = malloc(NODES * sizeof(double));
  for (int i = 0; i < NODES; i++) cases->nodes[i] = node_x[NODES - 1 - i];      /* in another order */
  for (int k = 0; k < n; k++) {
    cases->inputs[1].values[k] = k;
    cases->inputs[0].values[2 * k] = 0.25;
    cases->inputs[0].values[2 * k + 1] = -0.5;
    for (int t = 0; t < 2; t++)
      for (int i = 0; i < NODES; i++)
        for (int c = 0; c < 2; c++) cases->outputs[0].values[(((size_t)k * 2 + (size_t)t) * NODES + (size_t)(NODES - 1 - i)) * 2 + (size_t)c] = (c + 1) * k * i + (t ? -0.5 : 0.25);
  }
  return cases;
}

static void records(void **state) {
  ForeignOptions opts = options(0);
  Predictor *p = NULL;
  double u[4 * NODES];
  char *error;
  int n = 0;
  assert_int_equal(foreign_record(&spec, recorded(12), "bar.h5", &opts, &p), 0);
  predicts(p, 12, 0);
  assert_true(predict(p, 1, 1.5, u, &error));
  assert_true(foreign_not_recorded(error));
  assert_non_null(strstr(error, "a = 1.5"));
  free(error);
  const double *rows = foreign_record_rows(p, &n);
  assert_int_equal(n, 12);
  assert_true(rows[3 * WIDTH] == 3 && rows[3 * WIDTH + 2] == -0.5);
  p->ops->free(p);
  struct { const char *word; int what; } wrong[] = {{"3 times", 0}, {"39 nodes", 1}, {"node 39", 2}, {"no input `a`", 3}, {"no output `u`", 4}, {"components", 5}, {"is in m", 6}};
  for (int k = 0; k < 7; k++) {
    Cases *cases = recorded(3);
    if (k == 0) cases->nt = 3;
    if (k == 1) cases->nnodes = 39;
    if (k == 2) cases->nodes[0] += 1e-6;
    if (k == 3) cases->inputs[1].name[0] = 'b';
    if (k == 4) cases->outputs[0].name[0] = 'v';
    if (k == 5) cases->outputs[0].ncomp = 1;
    if (k == 6) cases->inputs[1].unit.e[0] = UNIT_DENOMINATOR, cases->inputs[1].has_unit = true;
    assert_true(foreign_record(&spec, cases, "bar.h5", &opts, &p));
    assert_int_equal(diags.nerrors, 1);
    if (!strstr(diags.items[0]->message, wrong[k].word)) fail_msg("%s", diags.items[0]->message);
    diags_clear(&diags);
  }
}

/* The sanitizer catches the signals that children die of, wants terabytes of address space, and is not in the libraries that are built here. */
#ifdef __SANITIZE_ADDRESS__
static void left_out(void **state) {
  (void)state;
  skip();
}
#define OUTSIDE_OF_ASAN(test) cmocka_unit_test(((void)test, left_out))
#else
#define OUTSIDE_OF_ASAN(test) cmocka_unit_test(test)
#endif

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "child")) return serve(argv[2]);
  int files = open_files();
  void *state = &files;
  ssize_t len = readlink("/proc/self/exe", self_path, sizeof self_path - 1);
  if (len <= 0) return 1;
  names = interner_new();
  sources = sources_new();
  diags.sources = sources;
  make_map();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_ones), cmocka_unit_test(gradients), OUTSIDE_OF_ASAN(not_opened), cmocka_unit_test(bad_answers), cmocka_unit_test(late_bytes), cmocka_unit_test(not_a_number),
      cmocka_unit_test(early_answer), cmocka_unit_test(recovers), OUTSIDE_OF_ASAN(limits), cmocka_unit_test(endings), cmocka_unit_test(deaf),
      OUTSIDE_OF_ASAN(libraries), cmocka_unit_test(records), cmocka_unit_test_prestate(nothing_is_left, state)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  diags_free(&diags);
  sources_free(sources);
  interner_free(names);
  return failed;
}
