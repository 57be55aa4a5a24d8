/* Pictures from a PlotRequest and sampled fields: PNG and SVG by cairo, or text for a terminal. The mesh is whole (under MPI: gathered, and
 * called on rank 0). Lengths and values are SI; request->length_scale and unit_scale turn them into what is shown. */
#ifndef PLOT_H
#define PLOT_H
#include "engine.h"
#include "nodal.h"

/* FIELD: field is what request->expr stands for, deform (or NULL) the displacement of request->deform, a vector with dim components; both may
 * jump between cells. MESH: mesh alone, or with deform. LINES: neither mesh nor fields. A field with values that are not finite is refused
 * (E2511, names the place). An extension other than .png and .svg: E2510. The file is written atomically. */
Status plot_draw(const PlotRequest *request, Mesh *mesh, const NodalField *field, const NodalField *deform, Diags *diags, Span span);

#endif
