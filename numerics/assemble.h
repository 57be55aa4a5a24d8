/* Integrals over batches of cells or facets into vectors, matrices and numbers. */
#ifndef ASSEMBLE_H
#define ASSEMBLE_H
#include "part.h"
#include "pattern.h"

/* r[nlocal] += the integrals; rows of ghosts hold rubbish afterwards. */
Status assemble_vector(const Data *data, const Part *parts, int n, double *r);
/* The same with the absolute values of what the cells contribute: the scale that r is small against. */
Status assemble_sizes(const Data *data, const Part *parts, int n, double *r);
/* The matrix is zeroed first; prescribed rows and columns keep the diagonal pattern->scale alone. */
Status assemble_matrix(const Data *data, const Part *parts, int n, Pattern *pattern);
/* out[nout] += sums over the items, ranks not added. */
Status assemble_numbers(const Data *data, const Part *part, double *out);
/* Names the first item whose kernel output is not finite, with place and inputs (E2003); returns 0 if there is none on this rank. */
Status assemble_blame(const Data *data, const Part *parts, int n);

#endif
