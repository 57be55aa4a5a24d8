/* Cases of a map: inputs and the fields that belong to them, in memory and in the layout of a data file:
 *   inputs/NAME [N] or [N][nt], t [nt], nodes [nodes][dim], outputs/FIELD [N](nt)[nodes](components); units as attributes. Values in memory are in SI. */
#ifndef CASES_H
#define CASES_H
#include "../lang/unit.h"
#include "arrays.h"

typedef struct CaseArray {
  char *name;
  Unit unit; bool has_unit;          /* of an array without one: UNIT_NONE */
  bool in_time;                      /* a history; an output at the times t */
  bool on_nodes;                     /* an output with a value at every node; else a number a case (and time) */
  int ncomp;                         /* of an output; 1 */
  size_t size;                       /* values of one case */
  double *values;                    /* [n][size] */
} CaseArray;

typedef struct Cases {
  int n;
  CaseArray *inputs; int ninputs;
  CaseArray *outputs; int noutputs;
  int nt; double *t;                 /* 0, NULL: nothing depends on time */
  Unit t_unit;
  int nnodes, dim; double *nodes;    /* [nnodes][dim]; 0, NULL: no output is a field */
  Unit nodes_unit;
} Cases;

/* From what a file holds, which is emptied; inputs, outputs: names that are read, in their order (NULL: all there are). where: the file's name. NULL after a report: E3151; NaN and
 * infinities are counted and told by W3150. */
Cases *cases_from_arrays(ArrayFile *file, const char *const *inputs, int ninputs, const char *const *outputs, int noutputs, const char *where, Diags *diags, Span span);
void cases_to_arrays(const Cases *cases, ArrayFile *out);
void cases_free(Cases *cases);       /* NULL is fine */
CaseArray *cases_input(const Cases *cases, const char *name);
CaseArray *cases_output(const Cases *cases, const char *name);
/* "12 cases of fx [N/m], ux(t) -> u (2 components, 441 nodes, 21 times)" */
void cases_print(Buf *out, const Cases *cases);

#endif
