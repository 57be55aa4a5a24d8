/* Small charts of a projected plot: SVG that takes its colours from the page, and text. */
#ifndef CHART_H
#define CHART_H
#include "projection.h"

void chart_svg(Buf *out, const ProjectedBlock *b);
void chart_text(Buf *out, const ProjectedBlock *b, int columns, int rows);
void chart_note(Buf *out, const ProjectedBlock *b);       /* what is not in the picture, if anything */

#endif
