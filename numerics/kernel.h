/* Kernels: a lowered integral or a pointwise expression, ready to run on batches of cells (a cell a lane). One interface for the interpreter
 * and the JIT. All data by argument, flat arrays: an entry k of a per-cell quantity is at [k*width + lane]. */
#ifndef KERNEL_H
#define KERNEL_H
#include "../lang/diag.h"
#include "../lang/expr.h"
#include "element.h"
#include "form.h"

/* x: vertex coordinates [vertices*dim], vertex-major (of curved kernels all nodes of the map, as refcell_map counts them), on facets between cells of one
 * side, then the other; w: gathered dofs of the fields; c: cell data; p: uniform parameters;
 * tab: constant tables (Kernel.tables); facet: local facet number of the batch; out: accumulated into by nobody: overwritten.
 * x, w, c and out are aligned to 64 bytes. */
typedef void (*KernelFn)(const double *x, const double *w, const double *c, const double *p, const double *tab, long facet, double *out);

typedef struct KernelField {     /* a discrete field whose dofs of the cell are gathered into w */
  Symbol symbol;                 /* kind UNKNOWN, PREVIOUS or FIELD with which, level, serial, time, side; component, dx, dt are 0 */
  const Element *element;
  int components, offset;        /* dof of node a, component i: w[(offset + a*components + i)*width + lane] */
} KernelField;

typedef enum KernelDataKind { KERNEL_REGION, KERNEL_SIZE, KERNEL_DOMAIN_EPS, KERNEL_AT_POINTS } KernelDataKind;
typedef struct KernelData {      /* per-cell numbers in c */
  KernelDataKind kind;           /* REGION: Mesh.region of the cell; SIZE: h (diameter); DOMAIN_EPS: 1e-9 of the domain's size (also pointwise);
                                    AT_POINTS: value of `expr` at each quadrature point */
  Expr *expr;                    /* AT_POINTS: a TERM of a foreign mesh's field or a HOSTCALL */
  int side;                      /* 1: of the second cell of a facet */
  int offset, n;
} KernelData;

typedef struct Kernel Kernel;
struct Kernel {
  int refs;
  int dim, rank;                 /* rank 0 value(s), 1 vector, 2 matrix; -1 pointwise */
  IntegralKind kind;
  CellShape shape;
  bool curved;                   /* for cells whose map is not affine */
  int width;                     /* lanes of a batch */
  int nx, nw, nc, np, nout;      /* entries of x, w, c, p, out */
  bool symmetric;                /* rank 2: the element matrix is symmetric (all entries are still written) */
  unsigned char *couples;        /* rank 2 but between cells: [ncomponents][ncomponents] of all unknowns: is anything but zeros written there? Else NULL */
  int ncomponents;
  int ntest, ntrial;             /* element dofs: unknown by unknown, node by node, component by component */
  KernelField *fields; int nfields;
  KernelData *data; int ndata;
  Expr **params;                 /* [np] PARAM, TIME or CONST leaves */
  Expr **inputs; int ninputs;    /* pointwise: the leaves whose values w takes, in order (TERM, COORD, NORMAL_COMPONENT, SIZE, HOSTCALL; a REGIONS node
                                    stands for the number of its argument that holds there, any other number gives NaN) */
  int nq; const double *points;  /* reference quadrature points [nq][dim] ([nq][dim-1] of the facet, whose vertices are the
                                    cell's but vertex `facet`, ascending), borrowed */
  int degree;                    /* quadrature degree used */
  bool constant_tensor;          /* built by the reference-tensor route */
  KernelFn fn;                   /* native code, or NULL: interpreted */
  const double *tables;
  void *code;                    /* owner of the code: IR for the interpreter, tracker of the JIT */
  char id[65];                   /* cache key */
};

/* out[nout*width] is overwritten; x, w, c hold kernel->width lanes. scratch: see kernel_scratch, aligned to 64 bytes. */
void kernel_run(const Kernel *kernel, const double *x, const double *w, const double *c, const double *p, long facet, double *out, void *scratch);
size_t kernel_scratch(const Kernel *kernel);     /* bytes the interpreter needs, 0 for native code */
Kernel *kernel_retain(Kernel *kernel);
void kernel_release(Kernel *kernel);

typedef struct KernelContext KernelContext;      /* cache of kernels of one host; owns the JIT session */
typedef enum JitChoice { JIT_AUTO, JIT_LLVM, JIT_INTERP } JitChoice;
KernelContext *kernels_open(ExprPool *pool, JitChoice choice, Diags *diags);
void kernels_close(KernelContext *context);
void kernels_note(const KernelContext *context, Buf *out);   /* what was compiled, cached, interpreted, and how long it took */

typedef struct LowerRequest {
  int dim;
  CellShape shape;
  bool curved;                   /* for cells whose map is not affine */
  bool bent;                     /* curved: by bends too, of the edges at least */
  IntegralKind kind;
  int rank;                      /* number of arguments: 0 functional, 1 test, 2 test and trial */
  Expr **integrand; int n;       /* scalar level; n > 1 only for rank 0 (several values in one kernel) */
  const Unknown *unknowns; int nunknowns;         /* of the pde: elements and shapes of tests, trials and UNKNOWN/PREVIOUS fields */
  /* element and components of a FIELD on this very mesh; false: foreign, its values come at the quadrature points */
  bool (*field)(const Symbol *symbol, const Element **element, int *components, void *user);
  int (*region)(Name canonical, int *classes, int max, void *user);   /* the region classes (Mesh.region) that make up a region; their number */
  void *user;
  int degree;                    /* -1: chosen from the integrand */
  bool symmetric;
  long visits;                   /* how many cells it will see: below 20,000 the interpreter is chosen unless cached */
  long repeats;                  /* of a part: how often each of its cells is seen; 0 is 1 */
  Span span;
} LowerRequest;

/* A kernel for an integral over cells or facets; from the cache where the same was built before. */
Status kernel_integral(KernelContext *context, const LowerRequest *request, Diags *diags, Kernel **out);
/* A kernel that evaluates n scalar-level expressions at points given the values of their leaves. */
Status kernel_pointwise(KernelContext *context, Expr *const *exprs, int n, long visits, Diags *diags, Kernel **out);
/* Listing of the kernel: what = "ir", "llvm", "asm". */
Status kernel_text(KernelContext *context, const Kernel *kernel, const char *what, Diags *diags, Buf *out);

#endif
