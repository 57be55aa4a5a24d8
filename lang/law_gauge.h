/* The inside of the gauge reduction, between law_gauge.c and law.c. */
#ifndef LAW_GAUGE_H
#define LAW_GAUGE_H
#include "law_sum.h"

enum { LAW_BLOCKS = 6, LAW_MONOMIALS = 256, LAW_SHIFTS = 5 };

typedef struct LawBlock { int dx, dy; } LawBlock;
extern const LawBlock law_blocks[LAW_BLOCKS];          /* derivatives of a field in the order of pivots; the field itself is the last */
int law_block(int dx, int dy);

typedef struct LawRow {
  LawNumber *c;            /* [LAW_BLOCKS][monomials] */
  unsigned domain;
  int pivot;               /* its column, after a reduction */
} LawRow;

/* What fields of more coordinates reach among fields of fewer. */
typedef struct LawReached { LawRow *pure, *other; int npure, nother; } LawReached;
typedef struct LawDomain { unsigned domain; int first, n, npure; LawReached given; } LawDomain;

/* sum of c[a][b] d_x^a d_y^b; opaque: something that is not kept */
typedef struct LawOperator { LawNumber c[LAW_SHIFTS][LAW_SHIFTS]; bool opaque; } LawOperator;

typedef struct LawGauge {
  LawAlgebra *s;
  int dim;
  LawMonomial *monomial;
  int n, width;            /* of monomials, of columns */
  LawRow *author, known;   /* as expanded; known is reduced in place */
  int nauthors;
  LawRow *row;             /* canonical, by domains: pure ones first */
  int nrows;
  LawDomain domain[4];
  int ndomains;
  LawNumber offset[LAW_FIELDS];
  LawOperator map[LAW_FIELDS][LAW_FIELDS];
} LawGauge;

bool law_gauge_rows(LawGauge *g, LawSum sum, const LawUnknown *unknown, int n, LawFault *fault);
void law_gauge_reduce(LawGauge *g);
void law_gauge_map(LawGauge *g);

#endif
