/* From a pde to integrals: integration by parts with the fluxes named, conditions classified and matched, the Jacobian derived, findings about
 * well-posedness. Pure: no PETSc. */
#ifndef FORM_H
#define FORM_H
#include "../lang/pde.h"

typedef enum IntegralKind { INTEGRAL_CELL, INTEGRAL_FACET, INTEGRAL_INTERIOR } IntegralKind;

typedef struct Flux {
  int unknown;            /* equation it belongs to */
  int component;          /* of that equation: its other rows do not see this flux; -1: all of it */
  Expr *flux;             /* tensor level: k*grad(T), as the author wrote it, constant factors kept, without outer sign; rank of the test + 1 */
  Expr *written;          /* what stood under the operator: grad(u) for lap(u), F for curl(F) and dx(F) */
  ExprOp op;              /* EXPR_DIVERGENCE, LAP, CURL, DX; EXPR_ADD: the sum of the fluxes of an equation that has several */
  int axis;               /* DX */
  Expr *factor;           /* the residual of that equation contains  factor * integral(dot(flux, n)*test)  over the boundary (+1 or -1; constant
                             factors belong to the flux); after integration by parts the cell term is -factor * inner(flux, grad(test)) */
  Expr *test;             /* `test` above: the test function, or c*test where the author wrote c*div(F) with c that varies */
  Span span;
} Flux;

typedef struct Integral {
  IntegralKind kind;
  Where where;            /* regions of a CELL integral (all by default), boundaries of a FACET one */
  Expr *integrand;        /* scalar level, a sum of  coefficient*TEST  (residual) or  coefficient*TEST*TRIAL  (jacobian) over TERMs; unknowns are
                             TERMs of SYMBOL_UNKNOWN; dt counts > 0 are still there: the time scheme replaces them. The unit is any: rows of
                             several equations share an integral */
  int degree;             /* asked for, or -1 */
  int source;             /* index of the condition it comes from, -1: an equation or weak term */
  Span span;
} Integral;

typedef struct FormTerm { /* one integral of one equation as the author would write it: sign*integral(integrand) */
  int unknown;            /* row; -1: a weak form, whose terms test all rows */
  IntegralKind kind;
  Where where;
  double sign;
  Expr *integrand;        /* tensor level */
  int degree, source;
  Span span;
} FormTerm;

typedef enum FormFinding {       /* facts for `pde check`; bits */
  FORM_LINEAR = 1, FORM_SYMMETRIC = 2, FORM_STEADY = 4, FORM_SECOND_ORDER_TIME = 8, FORM_SADDLE = 16 /* an unknown without its own diagonal block */,
  FORM_ADVECTIVE = 32, FORM_DEFINITE_LIKELY = 64 /* symmetric, diagonal principal part of one sign */, FORM_CONSTANT_KERNEL = 128 /* constants of an unknown are in the kernel */,
  FORM_RIGID_KERNEL = 256 /* depends on vector gradients through eps only */, FORM_MASS_ONLY = 512, FORM_TIME_DATA = 1024 /* coefficients or data depend on t */,
  FORM_EIGENVALUE = 2048 /* lambda occurs */, FORM_PRESSURE_KERNEL = 4096 /* of an unknown: constants are in the kernel where the velocity is prescribed all around */
} FormFinding;

typedef struct Form {
  Pde *pde;               /* conditions are completed in place: kind, flux, value; `all` that yields to a name becomes `others` with that name
                             taken away (by component where only some yield) */
  FormTerm *terms; int nterms;            /* for the reader */
  Integral *residual; int nresidual;      /* for kernels: terms that share kind, place and degree are one integral */
  Integral *jacobian; int njacobian;      /* d residual in direction TRIAL; dt counts of trials kept */
  Flux *fluxes; int nfluxes;
  unsigned findings;
  unsigned *findings_of;  /* per unknown: CONSTANT_KERNEL, RIGID_KERNEL, PRESSURE_KERNEL, SADDLE, STEADY, ADVECTIVE (without any diffusion), MASS_ONLY */
  unsigned long stabilised;  /* bit u: the equation of unknown u has its streamline term */
  unsigned *free_constants;  /* per unknown: bit c: no integral sees a constant added to component c */
  Arena *arena;           /* owns the arrays */
} Form;

/* Strong or weak pde -> Form. Classifies conditions, matches natural ones to fluxes (reports those that name none, printing the fluxes there are),
 * derives the Jacobian, finds linear/symmetric/steady. Does not look at geometry beyond pde->dim. *out is freed by form_free.
 * Errors E0401..E0419, E0440.., E0900. May be called again on the same pde. */
Status form_weak(Pde *pde, Diags *diags, Form **out);
void form_free(Form *form);

/* d residual in direction TRIAL, with the terms' places; integrals without an unknown have none. out: room for n; returns their number. */
int form_linearise(const Pde *pde, Arena *arena, const Integral *residual, int n, Integral *out);
/* What an equation of a continuous unknown in strong form does with one component of it in its own row, left minus right: coefficients of its derivatives, scalar
 * level, NULL: zero. false: no first derivative occurs. */
typedef struct Transport {
  int unknown, component, degree;
  Expr *residual;             /* tensor level */
  Expr *velocity[3], *diffusion[3] /* of the second derivative along each axis */, *reaction;
} Transport;
bool form_transport(const Pde *pde, int equation, int component, Transport *out);

/* Does a condition prescribe a flux through an interface, dot(F, n) on interface(a, b), so that the unknown may jump there? */
bool condition_cuts(const Condition *c);
/* Does a Jacobian have integrals over the facets between cells? */
bool form_joins_cells(const Integral *jacobian, int n);
/* Findings of a Jacobian alone: LINEAR, SYMMETRIC, SADDLE, ADVECTIVE, DEFINITE_LIKELY. */
unsigned form_classify(const Pde *pde, const Integral *jacobian, int n);

/* Well-posedness from the text: coverage of boundaries (each side of each unknown's components has a condition or is listed with a warning), pure Neumann, rigid motions, floating pressure, contradictory conditions, t in a steady problem, pure transport without
 * stabilisation. groups: geom_groups of the subject, or the groups of a mesh (all are boundaries then). Reports all it finds, errors E0413,
 * E0420..E0439, warnings W0401..; fails where there was an error. */
struct GeomGroup;
Status form_check(const Form *form, const struct GeomGroup *groups, int ngroups, Diags *diags);
/* What a run through time begins with: E0420, E0421 for each unknown without an initial value or rate. Eigenvalues and runs that continue others need none. */
Status form_check_start(const Form *form, Diags *diags);

/* Do all elements live on cells of that shape? Else E1020. */
struct RefCell;
Status form_cells(const Pde *pde, const struct RefCell *cell, Diags *diags, Span span);

/* The condition that holds on side `group` for a component of an unknown: index into pde->conditions, -1: none (zero natural flux), -2: periodic. */
int form_coverage(const Form *form, const struct GeomGroup *groups, int ngroups, int group, int unknown, int component);

/* "weak form" text: one line an integral, in text, Unicode or LaTeX, fluxes named. */
void form_print(Buf *out, const Form *form, ExprStyle style);

#endif
