/* Sizes of cells: a number, a field, and finer sizes near groups. */
#ifndef GEOM_SIZING_H
#define GEOM_SIZING_H
#include "mesh.h"

typedef struct GeomSizing GeomSizing;
GeomSizing *geom_sizing_new(const Geom *geom, const MeshOptions *options, Diags *diags);   /* NULL: reported */
void geom_sizing_free(GeomSizing *size);
double geom_sizing_at(const GeomSizing *size, const double *p);   /* size asked for at p; NAN: the field is not positive there */
double geom_sizing_least(const GeomSizing *size);      /* over a sample of the domain */
double geom_sizing_most(const GeomSizing *size);
double geom_sizing_count(const GeomSizing *size);      /* estimated number of cells */
bool geom_sizing_is_uniform(const GeomSizing *size);

#endif
