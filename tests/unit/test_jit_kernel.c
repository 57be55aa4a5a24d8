/* Native code: every row of kir.def and random expressions against the interpreter, the loaders, the disk cache and what can happen to it. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_make.h"

static char directory[64];

static const JitApi *provider(void) {
  Buf path = {0};
  buf_printf(&path, "%s/jit.so", getenv("PDE_LIBDIR") ? getenv("PDE_LIBDIR") : "pde");
  void *handle = dlopen(path.text, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fail_msg("%s", dlerror());
  buf_free(&path);
  const JitApi *api = ((const void *(*)(int))dlsym(handle, "pde_provider"))(JIT_ABI);
  assert_non_null(api);
  assert_null(((const void *(*)(int))dlsym(handle, "pde_provider"))(JIT_ABI + 1));
  return api;
}

static void *from_process(const char *name) {
  void *vector = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL), *found = vector ? dlsym(vector, name) : NULL;
  return found ? found : dlsym(RTLD_DEFAULT, name);
}

/* --- rows --- */

static const double probes[] = {.5, -1.25, 2, 0, -0., 1, -1, 3.75, -2.5, .01, -1e3, INFINITY, -INFINITY, NAN, .1, 7};
enum { PROBES = sizeof probes / sizeof *probes };

static bool near(double a, double b) { return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-14 * fmax(fabs(a), fabs(b)); }

static Kir *row_program(int op) {
  double *tables;
  KirBuilder *b = kir_builder();
  KirValue w[3];
  for (int k = 0; k < 3; k++) w[k] = kir_load(b, KIR_W, (KirIndex){.base = k});
  kir_enter(b, KIR_TAIL);
  kir_store(b, KIR_STORE, KIR_OUT, (KirIndex){0}, kir_op(b, (KirOp)op, w[0], w[1], w[2]));
  Kir *kir = kir_finish(b, 1, (int[]){0, 3, 0, 0, 0, 1}, 0, &tables);
  free(tables);
  kir_builder_free(b);
  return kir;
}

static void compare_row(const Kir *kir, KernelFn fn, int width, const char *what) {
  Interp *interp = interp_new(kir, 8);
  double *scratch = lanes(interp_scratch(interp) / sizeof(double)), *in = lanes(24), *native_in = lanes(24), *out = lanes(8), *native = lanes(8);
  for (int shift = 0; shift < PROBES; shift++)
    for (int half = 0; half < PROBES; half += 8) {
      for (int l = 0; l < 8; l++)
        for (int k = 0; k < 3; k++) in[8 * k + l] = probes[(half + l + shift * k) % PROBES];
      interp_run(interp, NULL, in, NULL, NULL, NULL, 0, out, scratch);
      for (int first = 0; first < 8; first += width) {
        for (int k = 0; k < 3; k++) memcpy(native_in + k * width, in + 8 * k + first, sizeof(double) * (size_t)width);
        fn(NULL, native_in, NULL, NULL, NULL, 0, native);
        for (int l = 0; l < width; l++)
          if (!near(native[l], out[first + l])) fail_msg("%s(%g, %g, %g) = %.17g, interpreted %.17g", what, in[first + l], in[8 + first + l], in[16 + first + l], native[l], out[first + l]);
      }
    }
  free(scratch), free(in), free(native_in), free(out), free(native);
  interp_free(interp);
}

/* A row for a number of lanes, by both math libraries; by ORC's linker too where asked. */
static void check_row(const JitApi *api, int op, int width, bool by_orc) {
  Kir *kir = row_program(op);
  for (int vector = 0; vector < (kir_rows[op].function ? 2 : 1); vector++) {
    Buf object = {0};
    char error[JIT_ERROR] = "";
    KernelFn fn = NULL;
    void *owner = NULL;
    if (!api->compile(kir, "row", width, vector, JIT_OBJECT, &object, error)) fail_msg("%s: %s", kir_rows[op].text, error);
    Code *code = code_load(object.text, object.len, "row", from_process, &fn, error);
    if (!code) fail_msg("%s: %s", kir_rows[op].text, error);
    compare_row(kir, fn, width, kir_rows[op].text);
    code_free(code);
    if (by_orc) {
      if (!api->link(object.text, object.len, "row", &fn, &owner, error)) fail_msg("%s: %s", kir_rows[op].text, error);
      compare_row(kir, fn, width, kir_rows[op].text);
      api->unlink(owner);
    }
    buf_free(&object);
  }
  kir_free(kir);
}

static void test_rows(void **state) {
  const JitApi *api = provider();
  int widest = __builtin_cpu_supports("avx512f") ? 8 : __builtin_cpu_supports("avx2") ? 4 : 2;
  for (int width = 2; width <= widest; width *= 2)
    for (int op = KIR_ADD; op < KIR_OPS; op++) check_row(api, op, width, width == widest && (op % 5 == 0 || kir_rows[op].function));
}

/* --- random expressions --- */

static uint32_t seed = 1;
static int pick(int n) { return (int)((seed = seed * 1664525u + 1013904223u) >> 8) % n; }

static Expr *random_expr(int depth) {
  static const ExprOp one[] = {EXPR_NEG, EXPR_SIN, EXPR_COS, EXPR_ATAN, EXPR_TANH, EXPR_ABS, EXPR_SIGN, EXPR_ERF, EXPR_CBRT, EXPR_FLOOR, EXPR_CEIL};
  static const ExprOp two[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_ADD, EXPR_MUL, EXPR_MIN, EXPR_MAX, EXPR_HYPOT, EXPR_ATAN2, EXPR_LT, EXPR_GE};
  if (!depth || !pick(8)) {
    switch (pick(5)) {
      case 0: return num(pick(7) - 3);
      case 1: return num(.1 * (1 + pick(30)));
      case 2: return par("a");
      case 3: return coord(pick(3));
      default: return U(pick(3), pick(4) - 1);
    }
  }
  switch (pick(9)) {
    case 0: case 1: case 2: return expr_unary(bench.pool, one[pick(sizeof one / sizeof *one)], random_expr(depth - 1));
    case 3: return e_sqrt(add(num(1), pw(random_expr(depth - 1), num(2))));
    case 4: return quot(random_expr(depth - 1), add(num(1), pw(random_expr(depth - 1), num(2))));
    case 5: return cond(expr_binary(bench.pool, EXPR_LT, random_expr(depth - 1), random_expr(depth - 1)), random_expr(depth - 1), random_expr(depth - 1));
    default: return expr_binary(bench.pool, two[pick(sizeof two / sizeof *two)], random_expr(depth - 1), random_expr(depth - 1));
  }
}

typedef struct Inputs { const Kernel *kernel; int lane; } Inputs;
static double input_value(Expr *leaf, int lane) { return 2 * noise((int)leaf->id, lane, 9) - 1; }
static double input_terminal(Expr *leaf, void *user) { return leaf->op == EXPR_PARAM || leaf->op == EXPR_CONST ? param_value(leaf) : input_value(leaf, ((Inputs *)user)->lane); }

static double *run_pointwise(const Kernel *k) {
  int W = k->width;
  double *w = lanes((size_t)k->nw * W), *p = lanes((size_t)k->np), *out = lanes((size_t)k->nout * W), *scratch = lanes(kernel_scratch(k) / sizeof(double));
  for (int i = 0; i < k->nw; i++)
    for (int l = 0; l < W; l++) w[i * W + l] = input_value(k->inputs[i], l);
  for (int i = 0; i < k->np; i++) p[i] = param_value(k->params[i]);
  kernel_run(k, NULL, w, NULL, p, 0, out, scratch);
  free(w), free(p), free(scratch);
  return out;
}

/* Floor, sign and comparisons jump where round-off decides: such an entry may differ in a lane, but not often. */
static void test_random(void **state) {
  int jumps = 0, entries = 0;
  problem(3);
  KernelContext *interp = kernels_open(bench.pool, JIT_INTERP, &bench.diags);
  for (int round = 0; round < 40; round++) {
    Expr *e[4];
    Kernel *a = NULL, *b = NULL;
    for (int i = 0; i < 4; i++) e[i] = random_expr(5);
    assert_int_equal(kernel_pointwise(bench.kernels, e, 4, 1000000, &bench.diags, &a), 0);
    assert_int_equal(kernel_pointwise(interp, e, 4, 1000000, &bench.diags, &b), 0);
    assert_true(a->fn && !b->fn);
    double *u = run_pointwise(a), *v = run_pointwise(b);
    for (int l = 0; l < a->width; l++)
      for (int i = 0; i < 4; i++, entries++) {
        Inputs at = {a, l};
        double x = u[i * a->width + l], y = v[i * b->width + l], z = expr_value(e[i], input_terminal, &at);
        if (fabs(x - y) > 1e-13 * fmax(1, fabs(y)) || fabs(y - z) > 1e-13 * fmax(1, fabs(z))) jumps++;
      }
    free(u), free(v);
    kernel_release(a), kernel_release(b);
  }
  kernels_close(interp);
  assert_true(entries > 300);
  assert_true(jumps <= entries / 200);
}

/* --- cache --- */

static bool is_entry(const char *name) {
  size_t n = strlen(name);
  return *name != '.' && n > 7 && !strcmp(name + n - 7, ".kernel");
}

static char *find_entry(void) {
  static char path[400];
  DIR *dir = opendir(directory);
  *path = 0;
  for (struct dirent *d; dir && (d = readdir(dir));)
    if (is_entry(d->d_name)) snprintf(path, sizeof path, "%s/%s", directory, d->d_name);
  if (dir) closedir(dir);
  return *path ? path : NULL;
}

static void empty_cache(void) {
  DIR *dir = opendir(directory);
  for (struct dirent *d; dir && (d = readdir(dir));)
    if (strcmp(d->d_name, ".") && strcmp(d->d_name, "..")) {
      char path[400];
      snprintf(path, sizeof path, "%s/%s", directory, d->d_name);
      unlink(path);
    }
  if (dir) closedir(dir);
}

/* A kernel in a fresh context; what kernels_note says of it. */
static void expect_note(const char *what) {
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  KernelContext *kernels = kernels_open(bench.pool, JIT_LLVM, &bench.diags);
  Expr *e = mul(e_sin(coord(0)), mul(D(0, -1), V(0, -1)));
  LowerRequest r = request(INTEGRAL_CELL, 2, &e, 1);
  Kernel *k = NULL;
  Buf note = {0};
  assert_int_equal(kernel_integral(kernels, &r, &bench.diags, &k), 0);
  double *out = run_kernel(k, 0), *reference = lanes((size_t)k->nout);
  reference_tensor_of(&r, k, 0, 0, reference);
  assert_true(jit_difference(k->nout, 1, reference, 1, out, k->width) < 1e-12);
  free(out), free(reference);
  kernels_note(kernels, &note);
  if (!strstr(note.text, what)) fail_msg("'%s' for '%s'", note.text, what);
  buf_free(&note);
  kernel_release(k);
  kernels_close(kernels);
}

static void read_file(const char *path, Buf *out) {
  char bytes[65536];
  int fd = open(path, O_RDONLY);
  ssize_t n = read(fd, bytes, sizeof bytes);
  assert_in_range(n, 1, sizeof bytes - 1);
  buf_add(out, bytes, (size_t)n);
  close(fd);
}

static void write_file(const char *path, const char *bytes, size_t n) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_int_equal(write(fd, bytes, n), n);
  close(fd);
}

static void test_cache(void **state) {
  static const char compiled[] = "1 compiled, 0 from the disk cache", cached[] = "0 compiled, 1 from the disk cache";
  empty_cache();
  expect_note(compiled);
  expect_note(cached);
  char *path = find_entry();
  assert_non_null(path);
  Buf good = {0};
  read_file(path, &good);
  for (size_t keep = 0; keep < good.len; keep += 1 + good.len / 7) {   /* truncated: a miss, and mended */
    write_file(path, good.text, keep);
    expect_note(compiled);
    expect_note(cached);
  }
  char id[65];
  memcpy(id, strrchr(path, '/') + 1, 64);
  id[64] = 0;
  for (size_t i = 0; i < good.len; i += 3) {                            /* any byte changed: a miss */
    Buf object = {0};
    char *bad = malloc(good.len);
    memcpy(bad, good.text, good.len);
    bad[i] ^= 1 << i % 8;
    write_file(path, bad, good.len);
    assert_false(cache_load(id, &object));
    free(bad);
    buf_free(&object);
  }
  write_file(path, good.text, good.len);
  Buf object = {0};
  assert_true(cache_load(id, &object));
  chmod(path, 0666);                                                   /* somebody else could have written it */
  assert_false(cache_load(id, &object));
  buf_free(&object);
  buf_free(&good);
}

/* Damaged objects are refused or load, and never crash the loader. */
static void test_damaged_objects(void **state) {
  const JitApi *api = provider();
  Kir *kir = row_program(KIR_SIN);
  Buf object = {0};
  char error[JIT_ERROR] = "";
  int refused = 0;
  assert_true(api->compile(kir, "row", 8, true, JIT_OBJECT, &object, error));
  for (size_t i = 0; i < object.len; i++)
    for (int how = 0; how < 3; how++) {
      KernelFn fn = NULL;
      char old = object.text[i];
      object.text[i] = how == 0 ? (char)0xff : how == 1 ? (char)(old ^ 0x80) : (char)(old + 1);
      Code *code = code_load(object.text, object.len, "row", from_process, &fn, error);
      refused += !code;
      code_free(code);
      object.text[i] = old;
    }
  for (size_t n = 0; n < object.len; n++) {
    KernelFn fn = NULL;
    char *part = malloc(n + 1);
    memcpy(part, object.text, n);
    Code *code = code_load(part, n, "row", from_process, &fn, error);
    refused += !code;
    code_free(code);
    free(part);
  }
  assert_true(refused > 100);
  buf_free(&object);
  kir_free(kir);
}

/* A writer that is killed leaves whole entries only. */
static void test_killed_writer(void **state) {
  static char bytes[200000];
  char id[65];
  memset(bytes, 'x', sizeof bytes);
  memset(id, 'a', 64);
  id[64] = 0;
  for (int round = 0; round < 20; round++) {
    pid_t child = fork();
    if (!child)
      for (int i = 0;; i++) {
        id[0] = (char)('a' + i % 16);
        cache_store(id, bytes, 1000 + (size_t)(i % 190) * 1000);
      }
    usleep(2000 + 1700 * (useconds_t)round);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  DIR *dir = opendir(directory);
  int entries = 0;
  for (struct dirent *d; (d = readdir(dir));)
    if (is_entry(d->d_name)) {
      Buf object = {0};
      memcpy(id, d->d_name, 64);
      if (strspn(id, "abcdefghijklmnop") == 64) {
        assert_true(cache_load(id, &object));
        entries++;
      }
      buf_free(&object);
    }
  closedir(dir);
  assert_true(entries > 0);
}

static void test_texts(void **state) {
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  Expr *e = dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0);
  LowerRequest r = request(INTEGRAL_CELL, 2, &e, 1);
  Kernel *k = NULL;
  assert_int_equal(kernel_integral(bench.kernels, &r, &bench.diags, &k), 0);
  static const char *const what[] = {"ir", "llvm", "asm"}, *const sign[] = {"r0 = x[", "define void @kernel_", "kernel_"};
  for (int i = 0; i < 3; i++) {
    Buf text = {0};
    assert_int_equal(kernel_text(bench.kernels, k, what[i], &bench.diags, &text), 0);
    assert_non_null(strstr(text.text, sign[i]));
    buf_free(&text);
  }
  kernel_release(k);
}

/* Small jobs are interpreted unless the code is there already. */
static void test_choice(void **state) {
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  Expr *e = mul(num(1.25), mul(D(0, 0), V(0, -1)));
  LowerRequest r = request(INTEGRAL_CELL, 2, &e, 1);
  static const struct { long visits; bool native; } rows[] = {{100, false}, {1000000, true}, {100, true}};
  empty_cache();
  unsetenv("PDE_JIT");
  for (int i = 0; i < 3; i++) {
    KernelContext *kernels = kernels_open(bench.pool, JIT_AUTO, &bench.diags);
    Kernel *k = NULL;
    r.visits = rows[i].visits;
    assert_int_equal(kernel_integral(kernels, &r, &bench.diags, &k), 0);
    assert_int_equal(k->fn != NULL, rows[i].native);
    kernels_close(kernels);      /* kernels live on */
    free(run_kernel(k, 0));
    kernel_release(k);
  }
}

/* A compiler that errs by one operation is found out, told of, and the kernel is interpreted; so is one that refuses. */
static const JitApi *honest;

static bool compile_wrongly(const Kir *kir, const char *symbol, int width, bool vector_math, JitForm form, Buf *out, char error[JIT_ERROR]) {
  for (int i = kir->n - 1; i >= 0; i--)
    if (kir->inst[i].op == KIR_MUL || kir->inst[i].op == KIR_ADD) {
      ((KirInst *)kir->inst)[i].op ^= KIR_MUL ^ KIR_ADD;
      bool good = honest->compile(kir, symbol, width, vector_math, form, out, error);
      ((KirInst *)kir->inst)[i].op ^= KIR_MUL ^ KIR_ADD;
      return good;
    }
  return false;
}

static bool compile_never(const Kir *kir, const char *symbol, int width, bool vector_math, JitForm form, Buf *out, char error[JIT_ERROR]) {
  snprintf(error, JIT_ERROR, "no");
  return false;
}

static void test_disagreement(void **state) {
  JitApi wrong = *(honest = provider()), refusing = *honest;
  wrong.compile = compile_wrongly;
  refusing.compile = compile_never;
  problem(2);
  unknown("u", "P1", SHAPE_SCALAR);
  Expr *e = mul(add(par("k"), par("s")), dot_grad(SYMBOL_TRIAL, SYMBOL_TEST, 0));
  LowerRequest r = request(INTEGRAL_CELL, 2, &e, 1);
  empty_cache();
  for (int refuse = 0; refuse < 2; refuse++) {
    KernelContext *own = bench.kernels;
    bench.kernels = kernels_open(bench.pool, JIT_LLVM, &bench.diags);
    jit_use_provider(bench.kernels, refuse ? &refusing : &wrong);
    Kernel *k = check_kernel(&r, "interpreted after all");
    assert_null(k->fn);
    kernel_release(k);
    kernels_close(bench.kernels);
    bench.kernels = own;
    assert_int_equal(bench.diags.n, !refuse);
    if (!refuse) assert_int_equal(bench.diags.items[0]->code, W2110);
    diags_clear(&bench.diags);
    assert_null(find_entry());
  }
}

static int open_all(void **state) {
  strcpy(directory, "/tmp/pde-kernels-XXXXXX");
  if (!mkdtemp(directory)) return 1;
  setenv("PDE_CACHE", directory, 1);
  bench_open(JIT_LLVM);
  return 0;
}

static int close_all(void **state) {
  int n = bench.diags.n;
  for (int i = 0; i < n; i++) printf("# %s\n", bench.diags.items[i]->message);
  bench_close();
  empty_cache();
  rmdir(directory);
  return n;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),           cmocka_unit_test(test_random),       cmocka_unit_test(test_cache), cmocka_unit_test(test_damaged_objects),
                                     cmocka_unit_test(test_killed_writer), cmocka_unit_test(test_texts),        cmocka_unit_test(test_choice),
                                     cmocka_unit_test(test_disagreement)};
  return cmocka_run_group_tests(tests, open_all, close_all);
}
