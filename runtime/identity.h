/* What makes a run through time the run that it is, as lines "name=value" that stand in its checkpoint: the pde by the digest of its equations and data,
 * the parameters in them by their values, the mesh by its cells, what is recorded by its text. Names of parameters are the user's; the others begin
 * with @. */
#ifndef IDENTITY_H
#define IDENTITY_H
#include "bi_solving.h"

/* mesh, record: NULL without one. */
void identity_print(Buf *out, Eval *ev, const PdeValue *p, const Mesh *mesh, const Ast *record);
/* A sentence on the first line in which two differ, into out; false: they do not. Lines end with an empty one, or the text. */
bool identity_differs(Buf *out, const char *before, const char *now);

#endif
