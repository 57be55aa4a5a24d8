/* Shared by the files that read a pde declaration. */
#ifndef DECL_PDE_H
#define DECL_PDE_H
#include "eval.h"

enum { PDE_UNKNOWNS_MAX = 32 };

typedef struct PdeBuild {
  Eval *ev;                  /* symbolic, in the declaration's scope */
  Pde *pde;
  Arena *arena;
  Value *geometry;           /* of the subject */
  Deps deps;                 /* solutions that its expressions read */
  Unit inferred[PDE_UNKNOWNS_MAX];
  int ninferred;             /* units known from a first reading */
} PdeBuild;

bool pde_clauses(PdeBuild *b, const Ast *block);
void pde_infer_units(PdeBuild *b);
bool pde_clause_weak(PdeBuild *b, const Ast *clause);
bool pde_point(PdeBuild *b, const Ast *call, Where *where);       /* point (0, 0) */
/* decl_number.c: unknown V : number [V]; equation V: left == right. */
bool pde_numbers(PdeBuild *b, const Ast *names, Unit unit, bool has_unit);
Global *pde_global_named(const Pde *pde, Name name);                    /* NULL: none of that name */
bool pde_number_rates(PdeBuild *b, const Ast *block);             /* dt of a number: refused */
bool pde_unknown_element(Eval *ev, Name name, Span span);         /* reports; true: one of later builds */
bool pde_check_regions(PdeBuild *b);                              /* names of fields by region exist in the geometry */

#endif
