/* Grids of maps (predict.h), and solutions on them; entries of the tape's table. */
#ifndef TAPE_GRID_H
#define TAPE_GRID_H
#include "engine.h"
#include "predict.h"

Status grid_make(Engine *engine, Mesh *mesh, const char *element, int nt, const double *t, Grid **out);
void grid_free(Grid *grid);
Status grid_sample(Engine *engine, Solution *solution, int unknown, const Grid *grid, Diags *diags, Span span, double *out);

#endif
