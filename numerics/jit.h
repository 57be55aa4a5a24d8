/* From KIR to running code: the choice between interpreter and native code, the caches, and the contract of the provider library jit.so
 * (kir_llvm.c), which is loaded when something must be compiled. No LLVM type here. */
#ifndef JIT_H
#define JIT_H
#include "kir.h"

enum { JIT_ABI = 1, JIT_LANES_MAX = 8, JIT_ERROR = 256 };

typedef enum JitForm { JIT_OBJECT, JIT_IR, JIT_ASM } JitForm;   /* a relocatable object, or texts */

/* What the exported function `const void *pde_provider(int abi)` of jit.so returns (NULL: another abi). */
typedef struct JitApi {
  int abi;
  const char *version;                         /* "LLVM 19.1.7" */
  /* One function of type KernelFn called `symbol`, for `width` lanes, on this very processor. vector_math: libmvec may be called.
   * false: `error` says why. */
  bool (*compile)(const Kir *kir, const char *symbol, int width, bool vector_math, JitForm form, Buf *out, char error[JIT_ERROR]);
  /* ORC LLJIT as the linker, for objects that code_load does not know. *owner goes to unlink. */
  bool (*link)(const char *object, size_t len, const char *symbol, KernelFn *fn, void **owner, char error[JIT_ERROR]);
  void (*unlink)(void *owner);
} JitApi;

/* Compiles with this provider from now on (tests of what happens when one errs). */
void jit_use_provider(KernelContext *context, const JitApi *api);

/* Largest difference of n entries relative to the largest entry of its lane, over all lanes; NaN equals NaN. */
double jit_difference(int n, int lanes, const double *a, int stride_a, const double *b, int stride_b);

/* jit_cache.c: objects on disk, in $PDE_CACHE, $XDG_CACHE_HOME/pde or ~/.cache/pde. An entry that is not exactly as it was written is a miss. */
bool cache_load(const char *id, Buf *object);
void cache_store(const char *id, const char *object, size_t len);   /* temporary file, fsync, rename; failure is silent: it is a cache */

/* jit_code.c: a loader of small ELF objects, so that cached code runs without LLVM. */
typedef struct Code Code;
typedef void *(*CodeSymbol)(const char *name);                      /* address of a function outside, NULL: unknown */
Code *code_load(const char *object, size_t len, const char *symbol, CodeSymbol outside, KernelFn *fn, char error[JIT_ERROR]);
void code_free(Code *code);

#endif
