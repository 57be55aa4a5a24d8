/* KIR to machine code by LLVM 19; the provider library jit.so. A cell a SIMD lane: every register is a vector of `width` doubles, loops stay loops,
 * and few passes run: default<O2> takes two to ten times as long and its vectoriser makes such loops slower. The only file that knows LLVM. */
#include <dlfcn.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit.h"

#if LLVM_VERSION_MAJOR != 19
#error "kir_llvm.c is written for the C interface of LLVM 19"
#endif

static const char passes[] = "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,reassociate,loop-mssa(licm),gvn)";

typedef struct Emitter {
  const Kir *kir;
  int width;
  bool vector_math;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef number, vector, integer, pointer;
  LLVMValueRef function;
  LLVMValueRef *value;                 /* of each register */
  LLVMValueRef *local;                 /* of each local array */
  LLVMValueRef counter[KIR_DEPTHS];
  LLVMBasicBlockRef body[KIR_DEPTHS];  /* of the open loop of a depth */
  int open[KIR_DEPTHS], nopen;         /* LOOP instructions */
} Emitter;

static LLVMValueRef splat_const(const Emitter *e, double v) {
  LLVMValueRef lane[JIT_LANES_MAX];
  for (int l = 0; l < e->width; l++) lane[l] = LLVMConstReal(e->number, v);
  return LLVMConstVector(lane, (unsigned)e->width);
}

static LLVMValueRef splat(const Emitter *e, LLVMValueRef scalar) {
  LLVMValueRef undefined = LLVMGetPoison(e->vector), zero = LLVMConstInt(e->integer, 0, 0);
  LLVMValueRef one = LLVMBuildInsertElement(e->builder, undefined, scalar, zero, "");
  LLVMValueRef mask = LLVMConstNull(LLVMVectorType(LLVMInt32TypeInContext(e->context), (unsigned)e->width));
  return LLVMBuildShuffleVector(e->builder, one, undefined, mask, "");
}

/* --- memory --- */

static LLVMValueRef index_of(const Emitter *e, const KirIndex *index) {
  LLVMValueRef at = LLVMConstInt(e->integer, (unsigned long long)index->base, 1);
  for (int d = 0; d < KIR_DEPTHS; d++)
    if (index->stride[d]) {
      LLVMValueRef step = LLVMBuildNSWMul(e->builder, e->counter[d], LLVMConstInt(e->integer, (unsigned long long)index->stride[d], 1), "");
      at = LLVMBuildNSWAdd(e->builder, at, step, "");
    }
  if (index->facet) {
    LLVMValueRef step = LLVMBuildNSWMul(e->builder, LLVMGetParam(e->function, 5), LLVMConstInt(e->integer, (unsigned long long)index->facet, 1), "");
    at = LLVMBuildNSWAdd(e->builder, at, step, "");
  }
  return at;
}

static bool is_uniform(int array) { return array == KIR_P || array == KIR_TAB; }

static LLVMValueRef place(const Emitter *e, const KirInst *in) {
  static const unsigned parameter[] = {[KIR_X] = 0, [KIR_W] = 1, [KIR_C] = 2, [KIR_P] = 3, [KIR_TAB] = 4, [KIR_OUT] = 6};
  if (in->array >= KIR_LOCAL && e->kir->local[in->array - KIR_LOCAL] == 1) return e->local[in->array - KIR_LOCAL];   /* mem2reg takes it */
  LLVMValueRef base = in->array < KIR_LOCAL ? LLVMGetParam(e->function, parameter[in->array]) : e->local[in->array - KIR_LOCAL], at = index_of(e, &in->index);
  return LLVMBuildInBoundsGEP2(e->builder, is_uniform(in->array) ? e->number : e->vector, base, &at, 1, "");
}

static LLVMValueRef load(const Emitter *e, const KirInst *in) {
  LLVMValueRef address = place(e, in);
  if (is_uniform(in->array)) {
    LLVMValueRef scalar = LLVMBuildLoad2(e->builder, e->number, address, "");
    LLVMSetAlignment(scalar, sizeof(double));
    return splat(e, scalar);
  }
  LLVMValueRef v = LLVMBuildLoad2(e->builder, e->vector, address, "");
  LLVMSetAlignment(v, (unsigned)e->width * sizeof(double));
  return v;
}

/* Lane by lane: from tab, at the whole numbers in a register. */
static LLVMValueRef gather(const Emitter *e, const KirInst *in) {
  LLVMTypeRef integers = LLVMVectorType(e->integer, (unsigned)e->width);
  LLVMValueRef at = LLVMBuildFPToSI(e->builder, e->value[in->a], integers, ""), result = LLVMGetPoison(e->vector), base = LLVMConstInt(e->integer, (unsigned long long)in->index.base, 1);
  for (int l = 0; l < e->width; l++) {
    LLVMValueRef lane = LLVMConstInt(e->integer, (unsigned long long)l, 0);
    LLVMValueRef place = LLVMBuildNSWAdd(e->builder, LLVMBuildExtractElement(e->builder, at, lane, ""), base, "");
    LLVMValueRef address = LLVMBuildInBoundsGEP2(e->builder, e->number, LLVMGetParam(e->function, 4), &place, 1, "");
    LLVMValueRef v = LLVMBuildLoad2(e->builder, e->number, address, "");
    LLVMSetAlignment(v, sizeof(double));
    result = LLVMBuildInsertElement(e->builder, result, v, lane, "");
  }
  return result;
}

static LLVMValueRef contract(LLVMValueRef v) {
  if (LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v)) LLVMSetFastMathFlags(v, LLVMFastMathAllowContract);
  return v;
}

static void store(const Emitter *e, const KirInst *in) {
  LLVMValueRef address = place(e, in), v = e->value[in->a];
  unsigned align = (unsigned)e->width * sizeof(double);
  if (in->op == KIR_ACCUM) {
    LLVMValueRef old = LLVMBuildLoad2(e->builder, e->vector, address, "");
    LLVMSetAlignment(old, align);
    v = contract(LLVMBuildFAdd(e->builder, old, v, ""));
  }
  LLVMSetAlignment(LLVMBuildStore(e->builder, v, address), align);
}

/* --- functions --- */

static LLVMValueRef intrinsic(const Emitter *e, const char *name, LLVMValueRef *args, int n) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(e->module, id, (LLVMTypeRef *)&e->vector, 1);
  return LLVMBuildCall2(e->builder, LLVMIntrinsicGetType(e->context, id, (LLVMTypeRef *)&e->vector, 1), f, args, (unsigned)n, "");
}

static LLVMValueRef declared(const Emitter *e, const char *name, LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetNamedFunction(e->module, name);
  if (f) return f;
  f = LLVMAddFunction(e->module, name, type);
  static const char *const facts[] = {"nounwind", "willreturn", "nofree", "nosync"};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->context, LLVMGetEnumAttributeKindForName(facts[i], strlen(facts[i])), 0));
  /* memory(none): math without errno */
  LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->context, LLVMGetEnumAttributeKindForName("memory", 6), 0));
  return f;
}

/* A function of libm for all lanes: libmvec's (Vector Function ABI for x86-64, names _ZGV<isa>N<lanes><v per argument>_name), else lane by lane. */
static LLVMValueRef call_math(const Emitter *e, const char *name, LLVMValueRef *args, int n) {
  LLVMTypeRef type = e->vector_math ? e->vector : e->number, types[2] = {type, type}, f = LLVMFunctionType(type, types, (unsigned)n, 0);
  char full[64];
  snprintf(full, sizeof full, "_ZGV%cN%d%s_%s", e->width == 8 ? 'e' : e->width == 4 ? 'd' : 'b', e->width, n == 2 ? "vv" : "v", name);
  LLVMValueRef callee = declared(e, e->vector_math ? full : name, f);
  if (e->vector_math) return LLVMBuildCall2(e->builder, f, callee, args, (unsigned)n, "");
  LLVMValueRef result = LLVMGetPoison(e->vector);
  for (int l = 0; l < e->width; l++) {
    LLVMValueRef lane = LLVMConstInt(e->integer, (unsigned long long)l, 0), scalar[2];
    for (int k = 0; k < n; k++) scalar[k] = LLVMBuildExtractElement(e->builder, args[k], lane, "");
    result = LLVMBuildInsertElement(e->builder, result, LLVMBuildCall2(e->builder, f, callee, scalar, (unsigned)n, ""), lane, "");
  }
  return result;
}

/* --- arithmetic --- */

static LLVMValueRef truth(const Emitter *e, LLVMValueRef bits) { return LLVMBuildUIToFP(e->builder, bits, e->vector, ""); }
static LLVMValueRef compare(const Emitter *e, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b) { return LLVMBuildFCmp(e->builder, p, a, b, ""); }

static LLVMValueRef compute(const Emitter *e, const KirInst *in) {
  LLVMBuilderRef B = e->builder;
  LLVMValueRef a[3] = {in->a < 0 ? NULL : e->value[in->a], in->b < 0 ? NULL : e->value[in->b], in->c < 0 ? NULL : e->value[in->c]};
  LLVMValueRef zero = splat_const(e, 0);
  if (kir_rows[in->op].function) return call_math(e, kir_rows[in->op].function, a, kir_rows[in->op].arity);
  switch (in->op) {
    case KIR_CONST: return splat_const(e, in->value);
    case KIR_LOAD: return load(e, in);
    case KIR_GATHER: return gather(e, in);
    case KIR_ADD: return contract(LLVMBuildFAdd(B, a[0], a[1], ""));
    case KIR_SUB: return contract(LLVMBuildFSub(B, a[0], a[1], ""));
    case KIR_MUL: return contract(LLVMBuildFMul(B, a[0], a[1], ""));
    case KIR_DIV: return LLVMBuildFDiv(B, a[0], a[1], "");
    case KIR_FMA: return intrinsic(e, "llvm.fmuladd", a, 3);
    case KIR_NEG: return contract(LLVMBuildFNeg(B, a[0], ""));
    case KIR_ABS: return intrinsic(e, "llvm.fabs", a, 1);
    case KIR_SQRT: return intrinsic(e, "llvm.sqrt", a, 1);
    case KIR_FLOOR: return intrinsic(e, "llvm.floor", a, 1);
    case KIR_CEIL: return intrinsic(e, "llvm.ceil", a, 1);
    case KIR_SIGN: return LLVMBuildFSub(B, truth(e, compare(e, LLVMRealOGT, a[0], zero)), truth(e, compare(e, LLVMRealOLT, a[0], zero)), "");
    case KIR_MIN: return LLVMBuildSelect(B, LLVMBuildOr(B, compare(e, LLVMRealOLT, a[1], a[0]), compare(e, LLVMRealUNO, a[1], a[1]), ""), a[1], a[0], "");
    case KIR_MAX: return LLVMBuildSelect(B, LLVMBuildOr(B, compare(e, LLVMRealOLT, a[0], a[1]), compare(e, LLVMRealUNO, a[1], a[1]), ""), a[1], a[0], "");
    case KIR_LT: return truth(e, compare(e, LLVMRealOLT, a[0], a[1]));
    case KIR_LE: return truth(e, compare(e, LLVMRealOLE, a[0], a[1]));
    case KIR_EQ: return truth(e, compare(e, LLVMRealOEQ, a[0], a[1]));
    case KIR_NE: return truth(e, compare(e, LLVMRealUNE, a[0], a[1]));
    case KIR_AND: return truth(e, LLVMBuildAnd(B, compare(e, LLVMRealUNE, a[0], zero), compare(e, LLVMRealUNE, a[1], zero), ""));
    case KIR_OR: return truth(e, LLVMBuildOr(B, compare(e, LLVMRealUNE, a[0], zero), compare(e, LLVMRealUNE, a[1], zero), ""));
    case KIR_NOT: return truth(e, compare(e, LLVMRealOEQ, a[0], zero));
    case KIR_SELECT: return LLVMBuildSelect(B, compare(e, LLVMRealUNE, a[0], zero), a[1], a[2], "");
    default: return NULL;
  }
}

/* --- loops: every loop runs at least once, so the test stands at its end --- */

static void open_loop(Emitter *e, int i) {
  const KirInst *in = &e->kir->inst[i];
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder), body = LLVMAppendBasicBlockInContext(e->context, e->function, "loop");
  LLVMBuildBr(e->builder, body);
  LLVMPositionBuilderAtEnd(e->builder, body);
  LLVMValueRef counter = LLVMBuildPhi(e->builder, e->integer, "i"), first = in->from < 0 ? LLVMConstInt(e->integer, 0, 0) : e->counter[in->from];
  LLVMAddIncoming(counter, &first, &before, 1);
  e->counter[in->depth] = counter;
  e->body[in->depth] = body;
  e->open[e->nopen++] = i;
}

static void close_loop(Emitter *e) {
  const KirInst *in = &e->kir->inst[e->open[--e->nopen]];
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(e->builder), after = LLVMAppendBasicBlockInContext(e->context, e->function, "after");
  LLVMValueRef next = LLVMBuildNSWAdd(e->builder, e->counter[in->depth], LLVMConstInt(e->integer, 1, 0), "");
  LLVMValueRef more = LLVMBuildICmp(e->builder, LLVMIntSLT, next, LLVMConstInt(e->integer, (unsigned long long)in->count, 0), "");
  LLVMBuildCondBr(e->builder, more, e->body[in->depth], after);
  LLVMAddIncoming(e->counter[in->depth], &next, &latch, 1);
  LLVMPositionBuilderAtEnd(e->builder, after);
}

/* --- the function --- */

static void add_fact(Emitter *e, unsigned index, const char *name, uint64_t value) {
  LLVMAddAttributeAtIndex(e->function, index, LLVMCreateEnumAttribute(e->context, LLVMGetEnumAttributeKindForName(name, strlen(name)), value));
}

static void add_setting(Emitter *e, const char *name, const char *value) {
  LLVMAddAttributeAtIndex(e->function, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(e->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value)));
}

static void open_function(Emitter *e, const char *symbol) {
  LLVMTypeRef p = e->pointer, types[] = {p, p, p, p, p, e->integer, p};
  e->function = LLVMAddFunction(e->module, symbol, LLVMFunctionType(LLVMVoidTypeInContext(e->context), types, 7, 0));
  for (unsigned k = 0; k < 7; k++) {
    if (k == 5) continue;
    bool lanes = k < 3 || k == 6;
    add_fact(e, k + 1, "noalias", 0);
    add_fact(e, k + 1, "align", lanes ? (uint64_t)e->width * sizeof(double) : sizeof(double));
    if (k != 6) add_fact(e, k + 1, "readonly", 0);
  }
  add_fact(e, LLVMAttributeFunctionIndex, "nounwind", 0);
  char bits[16];
  snprintf(bits, sizeof bits, "%d", e->width * 64);
  add_setting(e, "min-legal-vector-width", bits);   /* else some processors are tuned to halve 512-bit vectors */
  add_setting(e, "prefer-vector-width", bits);
  LLVMPositionBuilderAtEnd(e->builder, LLVMAppendBasicBlockInContext(e->context, e->function, "entry"));
  for (int k = 0; k < e->kir->nlocals; k++) {
    int n = e->kir->local[k];
    e->local[k] = LLVMBuildAlloca(e->builder, n == 1 ? e->vector : LLVMArrayType2(e->vector, (uint64_t)n), "local");
    LLVMSetAlignment(e->local[k], (unsigned)e->width * sizeof(double));
  }
}

static void emit_program(Emitter *e, const char *symbol) {
  open_function(e, symbol);
  for (int i = 0; i < e->kir->n; i++) {
    const KirInst *in = &e->kir->inst[i];
    switch (in->op) {
      case KIR_LOOP: open_loop(e, i); break;
      case KIR_END: close_loop(e); break;
      case KIR_STORE: case KIR_ACCUM: store(e, in); break;
      default: e->value[i] = compute(e, in);
    }
  }
  LLVMBuildRetVoid(e->builder);
}

/* --- compiling --- */

/* The machine we run on; NULL and a text on failure. */
static LLVMTargetMachineRef host_machine(char error[JIT_ERROR]) {
  char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures(), *why = NULL;
  LLVMTargetRef target = NULL;
  LLVMTargetMachineRef machine = NULL;
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter()) snprintf(error, JIT_ERROR, "LLVM was built without this machine");
  else if (LLVMGetTargetFromTriple(triple, &target, &why)) snprintf(error, JIT_ERROR, "%s", why);
  else machine = LLVMCreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelSmall);
  if (!machine && !*error) snprintf(error, JIT_ERROR, "LLVM does not know this machine");
  LLVMDisposeMessage(why);
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return machine;
}

static void emitter_open(Emitter *e, const Kir *kir, int width, bool vector_math) {
  *e = (Emitter){.kir = kir, .width = width, .vector_math = vector_math, .context = LLVMContextCreate()};
  e->module = LLVMModuleCreateWithNameInContext("kernel", e->context);
  e->builder = LLVMCreateBuilderInContext(e->context);
  e->number = LLVMDoubleTypeInContext(e->context);
  e->vector = LLVMVectorType(e->number, (unsigned)width);
  e->integer = LLVMInt64TypeInContext(e->context);
  e->pointer = LLVMPointerTypeInContext(e->context, 0);
  e->value = kir_zeroed(sizeof *e->value * ((size_t)kir->n + 1));
  e->local = kir_zeroed(sizeof *e->local * ((size_t)kir->nlocals + 1));
}

static void emitter_close(Emitter *e) {
  LLVMDisposeBuilder(e->builder);
  LLVMDisposeModule(e->module);
  LLVMContextDispose(e->context);
  free(e->value);
  free(e->local);
}

static bool verify(LLVMModuleRef module, char error[JIT_ERROR]) {
  char *why = NULL;
  bool bad = LLVMVerifyModule(module, LLVMReturnStatusAction, &why);
  if (bad) snprintf(error, JIT_ERROR, "%s", why);
  LLVMDisposeMessage(why);
  return !bad;
}

static bool optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, char error[JIT_ERROR]) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failed) return true;
  char *why = LLVMGetErrorMessage(failed);
  snprintf(error, JIT_ERROR, "%s", why);
  LLVMDisposeErrorMessage(why);
  return false;
}

static bool write_code(LLVMModuleRef module, LLVMTargetMachineRef machine, JitForm form, Buf *out, char error[JIT_ERROR]) {
  char *why = NULL;
  LLVMMemoryBufferRef bytes = NULL;
  if (form == JIT_IR) {
    char *text = LLVMPrintModuleToString(module);
    buf_puts(out, text);
    LLVMDisposeMessage(text);
    return true;
  }
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, form == JIT_ASM ? LLVMAssemblyFile : LLVMObjectFile, &why, &bytes)) {
    snprintf(error, JIT_ERROR, "%s", why);
    LLVMDisposeMessage(why);
    return false;
  }
  buf_add(out, LLVMGetBufferStart(bytes), LLVMGetBufferSize(bytes));
  LLVMDisposeMemoryBuffer(bytes);
  return true;
}

static bool compile(const Kir *kir, const char *symbol, int width, bool vector_math, JitForm form, Buf *out, char error[JIT_ERROR]) {
  Emitter e;
  *error = 0;
  if (width > JIT_LANES_MAX) return false;
  LLVMTargetMachineRef machine = host_machine(error);
  if (!machine) return false;
  emitter_open(&e, kir, width, vector_math);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMSetModuleDataLayout(e.module, layout);
  LLVMSetTarget(e.module, triple);
  emit_program(&e, symbol);
  bool good = verify(e.module, error) && optimise(e.module, machine, error) && write_code(e.module, machine, form, out, error);
  LLVMDisposeMessage(triple);
  LLVMDisposeTargetData(layout);
  emitter_close(&e);
  LLVMDisposeTargetMachine(machine);
  return good;
}

/* --- linking by ORC --- */

typedef struct Linked {
  LLVMOrcLLJITRef jit;
  LLVMOrcResourceTrackerRef tracker;
} Linked;

static bool consume(LLVMErrorRef failed, char error[JIT_ERROR]) {
  if (!failed) return true;
  char *why = LLVMGetErrorMessage(failed);
  snprintf(error, JIT_ERROR, "%s", why);
  LLVMDisposeErrorMessage(why);
  return false;
}

static void unlink_code(void *owner) {
  Linked *linked = owner;
  char error[JIT_ERROR];
  if (linked->tracker) {
    consume(LLVMOrcResourceTrackerRemove(linked->tracker), error);
    LLVMOrcReleaseResourceTracker(linked->tracker);
  }
  if (linked->jit) consume(LLVMOrcDisposeLLJIT(linked->jit), error);
  free(linked);
}

/* Functions of this process and of libmvec. */
static bool add_outside(LLVMOrcLLJITRef jit, char error[JIT_ERROR]) {
  LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(jit);
  LLVMOrcDefinitionGeneratorRef process = NULL, vector = NULL;
  char prefix = LLVMOrcLLJITGetGlobalPrefix(jit);
  if (!consume(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process, prefix, NULL, NULL), error)) return false;
  LLVMOrcJITDylibAddGenerator(dylib, process);
  if (dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL) &&
      consume(LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(&vector, "libmvec.so.1", prefix, NULL, NULL), error))
    LLVMOrcJITDylibAddGenerator(dylib, vector);
  return true;
}

static bool link_code(const char *object, size_t len, const char *symbol, KernelFn *fn, void **owner, char error[JIT_ERROR]) {
  Linked *linked = kir_zeroed(sizeof *linked);
  LLVMOrcExecutorAddress address = 0;
  if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter()) snprintf(error, JIT_ERROR, "LLVM was built without this machine");
  else if (consume(LLVMOrcCreateLLJIT(&linked->jit, NULL), error) && add_outside(linked->jit, error)) {
    linked->tracker = LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(linked->jit));
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy(object, len, symbol);   /* the LLJIT takes it */
    if (consume(LLVMOrcLLJITAddObjectFileWithRT(linked->jit, linked->tracker, bytes), error) &&
        consume(LLVMOrcLLJITLookup(linked->jit, &address, symbol), error) && address) {
      void *code = (void *)(uintptr_t)address;
      memcpy(fn, &code, sizeof code);
      *owner = linked;
      return true;
    }
  }
  unlink_code(linked);
  return false;
}

__attribute__((visibility("default"))) const void *pde_provider(int abi);
const void *pde_provider(int abi) {
  static const JitApi api = {JIT_ABI, "LLVM " LLVM_VERSION_STRING, compile, link_code, unlink_code};
  return abi == JIT_ABI ? &api : NULL;
}
