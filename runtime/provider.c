/* Provider libraries: loaded at first use, each exports one symbol that hands out a table. */
#include "provider.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../numerics/cache.h"
#include "record.h"

#ifndef PDE_PROVIDER_DIR
#define PDE_PROVIDER_DIR "/usr/local/lib/pde"
#endif

const char *provider_dir(void) {
  const char *dir = getenv("PDE_LIBDIR");
  return dir && *dir ? dir : PDE_PROVIDER_DIR;
}

bool provider_exists(const char *name) {
  Buf path = {0};
  buf_printf(&path, "%s/%s.so", provider_dir(), name);
  bool there = access(buf_str(&path), R_OK) == 0;
  buf_free(&path);
  return there;
}

const void *provider_table(const char *name, int abi, Buf *why) {
  Buf path = {0};
  buf_printf(&path, "%s/%s.so", provider_dir(), name);
  void *library = dlopen(buf_str(&path), RTLD_LAZY | RTLD_LOCAL);
  if (!library) buf_puts(why, dlerror());
  buf_free(&path);
  if (!library) return NULL;
  union { void *object; ProviderEntry entry; } symbol = {dlsym(library, "pde_provider")};
  const void *table = symbol.object ? symbol.entry(abi) : NULL;
  if (!table) buf_printf(why, "%s.so is of another version of pde", name);
  return table;      /* never unloaded: PETSc and MPI cannot be started twice */
}

/* OpenBLAS picks its kernels by the model number of the processor, and runs one that is newer than itself with those of 2004: dense factors take three
 * times as long. What a processor can do does not depend on its number. Read when the library is loaded, so it has to be set before that. */
static void choose_blas_kernels(void) {
#ifdef __x86_64__
  __builtin_cpu_init();
  bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (wide) setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) setenv("OPENBLAS_CORETYPE", "Haswell", 0);
#endif
  setenv("OPENBLAS_NUM_THREADS", "1", 0);      /* how many share a product decides its last bits */
}

const EngineApi *host_engine_table(Host *host, Span span) {
  if (host->api) return host->api;
  choose_blas_kernels();
  Buf why = {0};
  const EngineApi *api = provider_table("engine", ENGINE_ABI, &why);
  if (!api) {
    Diag *d = diag_report(&host->diags, E0950, span, "the engine (meshes, solvers, files, pictures) cannot be loaded");
    diag_note(d, (Span){0, 0}, "%s", buf_str(&why));
    diag_suggest(d, "`pde doctor` says what is missing; PDE_LIBDIR names the directory of engine.so if it moved");
  }
  buf_free(&why);
  return api;
}

const EngineApi *host_engine(Host *host, Span span) {
  record_settle(host);
  if (host->engine) return host->api;
  const EngineApi *api = host_engine_table(host, span);
  if (!api) return NULL;
  const char *jit = getenv("PDE_JIT");
  if (jit && *jit && strcmp(jit, "llvm") && strcmp(jit, "interp") && strcmp(jit, "auto")) {
    diag_suggest(diag_report(&host->diags, E0951, span, "PDE_JIT=%s names no way to run kernels", jit), "it is llvm, interp or auto");
    return NULL;
  }
  EngineOptions *o = &host->engine_options;
  o->pool = host->pool;
  o->names = host->names;
  o->sources = host->sources;
  o->diags = &host->diags;
  o->interrupt = &host->interrupt;
  o->phase = &host->phase;
  o->on_progress = host->quiet ? NULL : host->on_progress;
  o->user = host->user;
  o->provider_dir = provider_dir();
  if (api->open(o, &host->engine)) return NULL;
  return host->api = api;
}

/* Values are freed wherever they are; the table is the same for all hosts of the process. */
static const EngineApi *loaded(void) {
  static const EngineApi *api;
  if (!api) {
    Buf why = {0};
    api = provider_table("engine", ENGINE_ABI, &why);
    buf_free(&why);
  }
  return api;
}

void engine_mesh_release(Mesh *mesh) { loaded()->mesh_release(mesh); }
void engine_solution_release(Solution *solution) { loaded()->solution_release(solution); }

Mesh *mesh_retained(Host *host, Mesh *mesh) {
  (void)host;
  mesh->refs++;
  return mesh;
}

bool host_is_first_rank(const Host *host) { return !host->api || host->api->rank() == 0; }

bool provider_cache(Buf *out) {
  Buf dir = {0};
  int files = 0;
  bool fine = cache_dir(&dir, true) && access(dir.text, W_OK | X_OK) == 0;
  double mega = fine ? (double)cache_use(dir.text, &files) / (1 << 20) : 0;
  if (fine) buf_printf(out, "%s: %d kernel%s, %.1f of at most %d MB; those used longest ago go first", dir.text, files, files == 1 ? "" : "s", mega, CACHE_MOST >> 20);
  else buf_printf(out, "%s cannot be written", dir.text ? dir.text : "no HOME, so no directory that");
  buf_free(&dir);
  return fine;
}
