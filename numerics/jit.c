/* Kernels of a host: lowering, one code for each program, interpreter or native by choice, size of the job and what the disk cache holds. */
#include "jit.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#if defined __x86_64__
#include <cpuid.h>
#elif defined __linux__
#include <sys/auxv.h>
#endif

#include "lower.h"
#include "../lang/sha256.h"

#ifndef PDE_PROVIDER_DIR
#define PDE_PROVIDER_DIR "/usr/local/lib/pde"
#endif

enum {
  FEW_VISITS = 20000,     /* below, compiling costs more than interpreting */
  CODES_KEPT = 512,
  PROGRAM_MAX = 12000     /* instructions; the time to compile grows faster than their number, and here it is seconds */
};

/* The code of one program; shared by the kernels that have it and by the context. */
typedef struct KernelCode {
  int refs;
  char id[65];
  Kir *kir;
  Interp *interp;                /* made when first needed */
  KernelFn fn;                   /* native, or NULL */
  int width;                     /* of fn */
  Code *code;                    /* owner of fn: our loader, ... */
  void *linked;                  /* ... or the linker of the provider */
  const JitApi *linker;
  bool interpret;                /* native code was refused: never again */
  struct KernelCode *next;
} KernelCode;

typedef enum ProviderState { PROVIDER_UNKNOWN, PROVIDER_LOADED, PROVIDER_ABSENT } ProviderState;

struct KernelContext {
  ExprPool *pool;
  JitChoice choice;
  Diags *diags;
  KernelCode *codes;
  ProviderState state;
  const JitApi *provider;
  Buf path, why;                 /* of the provider; why it is absent */
  char platform[65];             /* digest of processor, provider and versions: part of every key */
  int compiled, cached, interpreted, reused, rejected;
  double lower_seconds, load_seconds, compile_seconds, check_seconds;
};

static void *take(size_t bytes) {
  void *p = NULL;
  bytes = (bytes + 63) & ~(size_t)63;
  if (posix_memalign(&p, 64, bytes ? bytes : 64)) kir_memory(NULL, SIZE_MAX);   /* ends the process */
  return memset(p, 0, bytes ? bytes : 64);
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- platform --- */

static int native_width(void) {
#if defined __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") ? 8 : __builtin_cpu_supports("avx2") ? 4 : 2;
#else
  return 2;
#endif
}

static void add_processor(Buf *key) {
#if defined __x86_64__
  unsigned a, b, c, d;
  if (__get_cpuid(0, &a, &b, &c, &d)) buf_printf(key, "x86-64 %x %x %x\n", b, c, d);
  if (__get_cpuid(1, &a, &b, &c, &d)) buf_printf(key, "%x %x %x\n", a, c, d);   /* not b: it names the core we run on */
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) buf_printf(key, "%x %x %x\n", b, c, d);
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d)) buf_printf(key, "%x %x %x %x\n", a, b, c, d);
  buf_printf(key, "%d\n", native_width());   /* what the system saves of it */
#elif defined __linux__
  buf_printf(key, "%lx %lx\n", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#endif
}

static bool has_vector_math(void) {
#if defined __x86_64__
  return dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL) != NULL;   /* stays: code calls it */
#else
  return false;
#endif
}

/* The provider is known by its file, so that cached code of another compiler is never taken and LLVM need not be asked. */
static void describe_platform(KernelContext *context) {
  const char *dir = getenv("PDE_LIBDIR");
  struct stat s;
  Buf key = {0};
  buf_printf(&context->path, "%s/jit.so", dir && *dir ? dir : PDE_PROVIDER_DIR);
  if (context->choice == JIT_INTERP) context->state = PROVIDER_ABSENT, buf_puts(&context->why, "the interpreter was asked for");
  else if (stat(context->path.text, &s)) context->state = PROVIDER_ABSENT, buf_printf(&context->why, "%s is not there", context->path.text);
  else buf_printf(&key, "provider %lld %lld %lld\n", (long long)s.st_size, (long long)s.st_mtim.tv_sec, (long long)s.st_mtim.tv_nsec);
  buf_printf(&key, "kir %d jit %d level 2\n", KIR_ABI, JIT_ABI);
  add_processor(&key);
  sha256_hex(key.text, key.len, context->platform);
  buf_free(&key);
}

static const JitApi *provider(KernelContext *context) {
  if (context->state != PROVIDER_UNKNOWN) return context->provider;
  double start = cpu_seconds();
  context->state = PROVIDER_ABSENT;
  void *handle = dlopen(context->path.text, RTLD_LAZY | RTLD_LOCAL);   /* never closed: LLVM does not like to be unloaded */
  if (!handle) buf_printf(&context->why, "%s", dlerror());
  else {
    const void *(*entry)(int) = (const void *(*)(int))dlsym(handle, "pde_provider");
    const JitApi *api = entry ? entry(JIT_ABI) : NULL;
    if (api && api->abi == JIT_ABI) {
      context->provider = api;
      context->state = PROVIDER_LOADED;
    } else
      buf_printf(&context->why, "%s is of another version", context->path.text);
  }
  context->load_seconds += cpu_seconds() - start;
  return context->provider;
}

void jit_use_provider(KernelContext *context, const JitApi *api) {
  context->provider = api;
  context->state = PROVIDER_LOADED;
}

/* --- functions that native code calls --- */

static void *outside(const char *name) {
  if (!strncmp(name, "_ZGV", 4)) {
    void *handle = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
    return handle ? dlsym(handle, name) : NULL;
  }
  static const struct { const char *name; double (*one)(double); double (*two)(double, double); } math[] = {
      {"cbrt", cbrt, NULL}, {"exp", exp, NULL},   {"log", log, NULL},   {"log10", log10, NULL}, {"sin", sin, NULL},     {"cos", cos, NULL},
      {"tan", tan, NULL},   {"asin", asin, NULL}, {"acos", acos, NULL}, {"atan", atan, NULL},   {"sinh", sinh, NULL},   {"cosh", cosh, NULL},
      {"tanh", tanh, NULL}, {"erf", erf, NULL},   {"pow", NULL, pow},   {"atan2", NULL, atan2}, {"hypot", NULL, hypot}, {"floor", floor, NULL},
      {"ceil", ceil, NULL}};
  for (size_t i = 0; i < sizeof math / sizeof *math; i++)
    if (!strcmp(math[i].name, name)) return math[i].one ? (void *)math[i].one : (void *)math[i].two;
  return NULL;
}

/* --- codes --- */

static void code_release(KernelCode *code) {
  if (!code || --code->refs) return;
  if (code->linker) code->linker->unlink(code->linked);
  code_free(code->code);
  interp_free(code->interp);
  kir_free(code->kir);
  free(code);
}

static void make_id(const KernelContext *context, const Kir *kir, char id[65]) {
  Buf text = {0};
  kir_print(&text, kir);
  buf_puts(&text, context->platform);
  if (kir_has_functions(kir)) buf_printf(&text, "vector math %d", has_vector_math());
  sha256_hex(text.text, text.len, id);
  buf_free(&text);
}

static void symbol_of(const KernelCode *code, char symbol[32]) {
  memcpy(symbol, "kernel_", 7);
  memcpy(symbol + 7, code->id, 16);
  symbol[23] = 0;
}

/* Makes fn from an object: by our loader, else by the provider's linker where that is loaded. */
static bool install(KernelContext *context, KernelCode *code, const Buf *object, bool may_link) {
  char symbol[32], error[JIT_ERROR] = "";
  symbol_of(code, symbol);
  code->width = native_width();
  code->code = code_load(object->text, object->len, symbol, outside, &code->fn, error);
  if (code->code) return true;
  const JitApi *api = may_link ? provider(context) : NULL;
  if (api && api->link(object->text, object->len, symbol, &code->fn, &code->linked, error)) {
    code->linker = api;
    return true;
  }
  code->fn = NULL;
  return false;
}

static bool from_cache(KernelContext *context, KernelCode *code) {
  Buf object = {0};
  bool good = cache_load(code->id, &object) && install(context, code, &object, false);
  buf_free(&object);
  return good;
}

/* --- check of native code against the interpreter --- */

/* The same number for an entry of a lane in every layout: uniform in [0.5, 1.5). */
static double sample(int array, int entry, int lane) {
  uint64_t h = (uint64_t)(array + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)(entry + 1) * 0xbf58476d1ce4e5b9u ^ (uint64_t)(lane + 1) * 0x94d049bb133111ebu;
  h ^= h >> 31, h *= 0xbf58476d1ce4e5b9u, h ^= h >> 29;
  return .5 + (double)(h >> 11) * 0x1p-53;
}

static double sample_entry(const Kernel *kernel, int array, int entry, int lane) {
  double v = sample(array, entry, lane);
  if (array == KIR_X) {          /* the reference cell, each vertex moved by up to 0.15, bent by little: it has an inverse */
    const RefCell *cell = refcell_of(kernel->shape, kernel->dim);
    int vertex = entry / kernel->dim, axis = entry % kernel->dim;
    double X[3];
    if (vertex >= cell->nverts) return (cell->shape == CELL_SIMPLEX ? .1 : .02) * (v - 1);
    refcell_vertex(cell, vertex, X);
    return X[axis] + .3 * (v - 1);
  }
  for (int i = 0; array == KIR_C && i < kernel->ndata; i++) {
    if (entry != kernel->data[i].offset) continue;
    if (kernel->data[i].kind == KERNEL_REGION) return floor(4 * (v - .5));
    if (kernel->data[i].kind == KERNEL_DOMAIN_EPS) return 1e-9;
  }
  return v;
}

static double *samples(const Kernel *kernel, int array, int n, int width, int first) {
  double *v = take(sizeof(double) * (size_t)n * (size_t)width);
  for (int k = 0; k < n; k++)
    for (int l = 0; l < width; l++) v[k * width + l] = sample_entry(kernel, array, k, first + l);
  return v;
}

static void run_sample(const Kernel *kernel, const KernelCode *code, const Interp *interp, int width, int first, long facet, double *out) {
  double *x = samples(kernel, KIR_X, kernel->nx, width, first), *w = samples(kernel, KIR_W, kernel->nw, width, first);
  double *c = samples(kernel, KIR_C, kernel->nc, width, first), *p = samples(kernel, KIR_P, kernel->np, 1, 0);
  if (interp) {
    void *scratch = take(interp_scratch(interp));
    interp_run(interp, x, w, c, p, kernel->tables, facet, out, scratch);
    free(scratch);
  } else
    code->fn(x, w, c, p, kernel->tables, facet, out);
  free(x), free(w), free(c), free(p);
}

/* Largest difference relative to the largest entry of the same lane; INFINITY where only one is a number. */
double jit_difference(int n, int lanes, const double *a, int stride_a, const double *b, int stride_b) {
  double worst = 0;
  for (int l = 0; l < lanes; l++) {
    double largest = 0, gap = 0;
    for (int k = 0; k < n; k++) {
      double u = a[k * stride_a + l], v = b[k * stride_b + l];
      if (isnan(u) && isnan(v)) continue;
      if (u == v) {
        if (isfinite(u)) largest = fmax(largest, fabs(u));
        continue;
      }
      if (!isfinite(u) || !isfinite(v)) return INFINITY;
      largest = fmax(largest, fmax(fabs(u), fabs(v)));
      gap = fmax(gap, fabs(u - v));
    }
    if (gap > 0) worst = fmax(worst, gap / largest);
  }
  return worst;
}

enum { CHECK_LANES = 8 };

/* Agreement on eight random cells, on each facet, to 1e-13 of the largest entry. */
static bool agrees(const Kernel *kernel, const KernelCode *code) {
  Interp *interp = interp_new(code->kir, CHECK_LANES);
  double *reference = take(sizeof(double) * (size_t)kernel->nout * CHECK_LANES), *native = take(sizeof(double) * (size_t)kernel->nout * (size_t)code->width);
  bool good = true;
  for (long facet = 0; facet < (code->kir->nfacets ? code->kir->nfacets : 1) && good; facet++) {
    run_sample(kernel, code, interp, CHECK_LANES, 0, facet, reference);
    for (int first = 0; first < CHECK_LANES && good; first += code->width) {
      run_sample(kernel, code, NULL, code->width, first, facet, native);
      good = jit_difference(kernel->nout, code->width, reference + first, CHECK_LANES, native, code->width) <= 1e-13;
    }
  }
  free(reference);
  free(native);
  interp_free(interp);
  return good;
}

/* --- building --- */

static void drop_native(KernelCode *code) {
  if (code->linker) code->linker->unlink(code->linked);
  code_free(code->code);
  code->code = NULL;
  code->linker = NULL;
  code->linked = NULL;
  code->fn = NULL;
  code->interpret = true;
}

static void compile(KernelContext *context, KernelCode *code, const Kernel *kernel, Diags *diags, Span span) {
  const JitApi *api = provider(context);
  char symbol[32], error[JIT_ERROR] = "";
  Buf object = {0};
  if (!api) return;
  double start = cpu_seconds();
  symbol_of(code, symbol);
  bool vector_math = kir_has_functions(code->kir) && has_vector_math();
  bool good = api->compile(code->kir, symbol, native_width(), vector_math, JIT_OBJECT, &object, error) && install(context, code, &object, true);
  context->compile_seconds += cpu_seconds() - start;
  start = cpu_seconds();
  if (!good) {
    code->interpret = true;
    context->rejected++;
  } else if (!agrees(kernel, code)) {
    drop_native(code);   /* and never stored */
    context->rejected++;
    diag_suggest(diag_report(diags, W2110, span, "native code and interpreter differ by more than 1e-13 on a kernel; it is interpreted"),
                 "PDE_JIT=interp interprets all kernels");
  } else {
    context->compiled++;
    if (code->code) cache_store(code->id, object.text, object.len);
  }
  context->check_seconds += cpu_seconds() - start;
  buf_free(&object);
}

static void make_native(KernelContext *context, KernelCode *code, const Kernel *kernel, long visits, Diags *diags, Span span) {
  if (code->fn || code->interpret || context->state == PROVIDER_ABSENT || code->kir->n > PROGRAM_MAX) return;
  if (from_cache(context, code)) {
    context->cached++;
    return;
  }
  if (context->choice == JIT_LLVM || visits >= FEW_VISITS) compile(context, code, kernel, diags, span);
}

/* A host that makes kernels without end keeps the last ones only; those in use stay. */
static void forget_codes(KernelContext *context) {
  int n = 0;
  for (KernelCode **at = &context->codes; *at;) {
    KernelCode *code = *at;
    if (++n > CODES_KEPT && code->refs == 1) {
      *at = code->next;
      code_release(code);
    } else
      at = &code->next;
  }
}

/* Gives the lowered kernel its code; takes over kir. */
static void bind_code(KernelContext *context, Lowered *low, long visits, Diags *diags, Span span, Kernel **out) {
  Kernel *kernel = low->kernel;
  make_id(context, low->kir, kernel->id);
  KernelCode *code = context->codes;
  while (code && memcmp(code->id, kernel->id, 64)) code = code->next;
  if (code) {
    kir_free(low->kir);
    context->reused++;
  } else {
    code = kir_zeroed(sizeof *code);
    code->refs = 1;
    code->kir = low->kir;
    memcpy(code->id, kernel->id, 65);
    code->next = context->codes;
    context->codes = code;
    forget_codes(context);
  }
  make_native(context, code, kernel, visits, diags, span);
  if (!code->fn) {
    if (!code->interp) code->interp = interp_new(code->kir, 0);
    context->interpreted++;
  }
  kernel->fn = code->fn;
  kernel->width = code->fn ? code->width : interp_width(code->interp);
  kernel->code = code;
  code->refs++;
  *out = kernel;
}

/* --- kernel.h --- */

KernelContext *kernels_open(ExprPool *pool, JitChoice choice, Diags *diags) {
  KernelContext *context = kir_zeroed(sizeof *context);
  const char *wish = getenv("PDE_JIT");
  context->pool = pool;
  context->diags = diags;
  context->choice = choice;
  if (choice == JIT_AUTO && wish) context->choice = !strcmp(wish, "llvm") ? JIT_LLVM : !strcmp(wish, "interp") ? JIT_INTERP : JIT_AUTO;
  describe_platform(context);
  return context;
}

void kernels_close(KernelContext *context) {
  if (!context) return;
  for (KernelCode *code = context->codes, *next; code; code = next) {
    next = code->next;
    code_release(code);
  }
  buf_free(&context->path);
  buf_free(&context->why);
  free(context);
}

void kernels_note(const KernelContext *context, Buf *out) {
  buf_printf(out, "kernels: %d compiled, %d from the disk cache, %d interpreted, %d used again", context->compiled, context->cached, context->interpreted,
             context->reused);
  if (context->rejected) buf_printf(out, ", %d refused as native code", context->rejected);
  buf_printf(out, "; lowering %.1f ms", 1e3 * context->lower_seconds);
  if (context->provider)
    buf_printf(out, ", loading %s %.1f ms, compiling %.1f ms, checking %.1f ms", context->provider->version, 1e3 * context->load_seconds,
               1e3 * context->compile_seconds, 1e3 * context->check_seconds);
  else if (context->why.len)
    buf_printf(out, "; no native code: %s", context->why.text);
}

Status kernel_integral(KernelContext *context, const LowerRequest *request, Diags *diags, Kernel **out) {
  Lowered low;
  double start = cpu_seconds();
  TRY(lower_integral(context->pool, request, diags, &low));
  context->lower_seconds += cpu_seconds() - start;
  bind_code(context, &low, request->visits, diags, request->span, out);
  return 0;
}

Status kernel_pointwise(KernelContext *context, Expr *const *exprs, int n, long visits, Diags *diags, Kernel **out) {
  Lowered low;
  double start = cpu_seconds();
  TRY(lower_pointwise(context->pool, exprs, n, diags, &low));
  context->lower_seconds += cpu_seconds() - start;
  bind_code(context, &low, visits, diags, (Span){0, 0}, out);
  return 0;
}

size_t kernel_scratch(const Kernel *kernel) { return kernel->fn ? 0 : interp_scratch(((KernelCode *)kernel->code)->interp); }

void kernel_run(const Kernel *kernel, const double *x, const double *w, const double *c, const double *p, long facet, double *out, void *scratch) {
  if (kernel->fn) kernel->fn(x, w, c, p, kernel->tables, facet, out);
  else interp_run(((KernelCode *)kernel->code)->interp, x, w, c, p, kernel->tables, facet, out, scratch);
}

Kernel *kernel_retain(Kernel *kernel) {
  kernel->refs++;
  return kernel;
}

void kernel_release(Kernel *kernel) {
  if (!kernel || --kernel->refs) return;
  code_release(kernel->code);
  lower_kernel_free(kernel);
}

Status kernel_text(KernelContext *context, const Kernel *kernel, const char *what, Diags *diags, Buf *out) {
  const KernelCode *code = kernel->code;
  char symbol[32], error[JIT_ERROR] = "";
  buf_printf(out, "; rank %d, quadrature degree %d (%d points)%s%s\n", kernel->rank, kernel->degree, kernel->nq, kernel->symmetric ? ", symmetric" : "",
             kernel->constant_tensor ? ", reference tensor" : "");
  if (!strcmp(what, "ir")) {
    kir_print(out, code->kir);
    return 0;
  }
  const JitApi *api = context->choice == JIT_INTERP ? NULL : provider(context);
  symbol_of(code, symbol);
  if (api && api->compile(code->kir, symbol, native_width(), kir_has_functions(code->kir) && has_vector_math(), !strcmp(what, "asm") ? JIT_ASM : JIT_IR, out,
                          error))
    return 0;
  diag_suggest(diag_report(diags, E2103, (Span){0, 0}, "there is no native code to show: %s", api ? error : context->why.text),
               "`pde kernel --ir` shows what the interpreter runs");
  return 1;
}
