/* Kernel IR: a flat program over registers, one double a lane (a cell a lane). Register i is what instruction i computes. Loops have uniform
 * counters, one a depth: 0 is the quadrature loop, 1 to 3 are nested in it or stand alone. Arrays are indexed by
 * base + sum of stride[d]*counter[d] + facet_stride*facet, in entries (an entry of a lane array is `width` doubles). */
#ifndef KIR_H
#define KIR_H
#include <stdbool.h>
#include <stdint.h>

#include "../lang/buf.h"
#include "kernel.h"

enum { KIR_DEPTHS = 4, KIR_ABI = 3 /* of KernelFn and of what a program means: part of every cache key */ };

typedef enum KirOp {
#define KIR(op, arity, text, lane, function) KIR_##op,
#include "kir.def"
#undef KIR
  KIR_OPS
} KirOp;

/* X W C OUT and locals are lane arrays; P and TAB are uniform. A local k is array KIR_LOCAL + k. */
typedef enum KirArray { KIR_X, KIR_W, KIR_C, KIR_P, KIR_TAB, KIR_OUT, KIR_LOCAL } KirArray;

typedef struct KirIndex {
  int base, facet;                /* facet: stride of the local facet number */
  int stride[KIR_DEPTHS];
} KirIndex;

typedef struct KirInst {
  uint8_t op;                     /* KirOp */
  int8_t depth, from;             /* LOOP: depth of its counter; depth of the counter it starts from, -1: zero */
  uint16_t array;                 /* LOAD, STORE, ACCUM; GATHER: TAB */
  int a, b, c;                    /* operand registers, -1 beyond the arity */
  int count;                      /* LOOP; GATHER: entries that it may read */
  KirIndex index;
  double value;                   /* CONST */
} KirInst;

typedef struct Kir {
  KirInst *inst; int n;
  int *local; int nlocals;        /* entries of the local arrays */
  int size[KIR_LOCAL];            /* entries of X W C P TAB OUT */
  int nfacets;                    /* 0: not a facet kernel */
} Kir;

typedef struct KirRow {
  const char *text;
  int arity;
  const char *function;
} KirRow;
extern const KirRow kir_rows[KIR_OPS];

/* realloc, and zeroed memory, for this room: without memory the process ends with status 7. */
void *kir_memory(void *old, size_t bytes);
void *kir_zeroed(size_t bytes);

void kir_free(Kir *kir);                     /* NULL is fine */
void kir_print(Buf *out, const Kir *kir);    /* readable, and exact: equal text, equal program */
/* Checks every rule above (operands defined before use and in scope, indices inside their arrays over all loops). NULL, or what is wrong. */
const char *kir_verify(const Kir *kir);
bool kir_has_functions(const Kir *kir);      /* calls of libm or libmvec */

/* --- builder: hash-conses values and puts each into the outermost section where its operands are known --- */

/* CELL: once, straight line. INIT: stores before the quadrature loop. POINT: its body. TAIL: after it. */
typedef enum KirSection { KIR_CELL, KIR_INIT, KIR_POINT, KIR_TAIL, KIR_SECTIONS } KirSection;

typedef struct KirBuilder KirBuilder;
typedef int KirValue;                        /* a value; KIR_ZERO is the constant 0, KIR_NONE none */
enum { KIR_NONE = -1 };

KirBuilder *kir_builder(void);
void kir_builder_free(KirBuilder *b);
KirValue kir_const(KirBuilder *b, double value);
KirValue kir_load(KirBuilder *b, int array, KirIndex index);
KirValue kir_op(KirBuilder *b, KirOp op, KirValue x, KirValue y, KirValue z);
KirValue kir_add(KirBuilder *b, KirValue x, KirValue y);         /* KIR_NONE is a structural zero in these four */
KirValue kir_sub(KirBuilder *b, KirValue x, KirValue y);
KirValue kir_mul(KirBuilder *b, KirValue x, KirValue y);
KirValue kir_mul_add(KirBuilder *b, KirValue x, KirValue y, KirValue z);  /* x*y + z */
KirValue kir_gather(KirBuilder *b, int base, int count, KirValue at);        /* of TAB; the builder vouches for 0 <= at < count, whole, and no NaN */
bool kir_is_const(const KirBuilder *b, KirValue x, double *value);
KirSection kir_section_of(const KirBuilder *b, KirValue x);     /* CELL or POINT (or TAIL) */
void kir_enter(KirBuilder *b, KirSection section);               /* where stores, loops and loads of locals go from now on */
void kir_loop(KirBuilder *b, int depth, int from, int count);    /* opens a loop in the section entered */
void kir_end(KirBuilder *b);
void kir_store(KirBuilder *b, KirOp op, int array, KirIndex index, KirValue x);   /* STORE or ACCUM */
int kir_local(KirBuilder *b, int entries);                       /* a new local array */
int kir_table(KirBuilder *b, const double *values, int n);       /* offset in TAB; equal tables are stored once */
/* The finished program: nq trips of the quadrature loop; sizes[KIR_X..KIR_OUT] but for TAB. *tables is malloced, *ntables its length. */
Kir *kir_finish(KirBuilder *b, int nq, const int sizes[KIR_LOCAL], int nfacets, double **tables);

/* --- interpreter: kir_interp.c --- */
typedef struct Interp Interp;                /* a program prepared for batches of `width` lanes */
Interp *interp_new(const Kir *kir, int width);          /* width a multiple of 8, at most 64; 0: chosen so that a batch stays in the cache */
void interp_free(Interp *interp);
int interp_width(const Interp *interp);
size_t interp_scratch(const Interp *interp); /* bytes, to be aligned to 64 */
void interp_run(const Interp *interp, const double *x, const double *w, const double *c, const double *p, const double *tab, long facet, double *out,
                void *scratch);

#endif
