/* Numbers from fields: integrals, extrema, values at points. e is tensor level and specialised. Collective; all ranks get the same results. */
#ifndef REDUCE_H
#define REDUCE_H
#include "data.h"

/* degree -1: chosen; compare: and where e jumps compared with another one (W2095). */
Status reduce_integral(const Data *data, Expr *e, const Where *where, bool on_cells, int degree, bool compare, double *out);
/* Over nodes and quadrature points; out by component, place of the first component's. */
Status reduce_extremum(const Data *data, Expr *e, const Where *where, bool on_cells, bool largest, double *out, double *place);
/* x [n][dim], out [n][size]. Where several cells meet and e jumps: their mean. side: only the cells of that region count; or NULL. */
Status reduce_points(const Data *data, Expr *e, int n, const double *x, Name side, double *out);

#endif
