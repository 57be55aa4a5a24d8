/* What a view lets through of a record: copied out of it, in the order of the view's clauses. Renderers get this and no record. */
#ifndef PROJECTION_H
#define PROJECTION_H
#include "store.h"
#include "view.h"

typedef struct ProjectedColumn {
  char *name, *unit, *format;      /* unit, format NULL: none */
  StoreType type;
  double scale, offset;            /* shown = (value - offset)/scale */
} ProjectedColumn;

typedef enum ProjectedKind { PROJECTED_TABLE, PROJECTED_PLOT, PROJECTED_PICTURE, PROJECTED_VALUES } ProjectedKind;

typedef struct ProjectedBlock {
  ProjectedKind kind;
  char *title;
  ProjectedColumn *columns; int ncolumns;
  StoreRows rows;                  /* TABLE, VALUES (one row a value: name, value), PLOT: first column x unless histogram */
  double total;                    /* rows of the table; more than rows.nrows where it was cut */
  bool histogram, lines, logx, logy, front;
  char *media; Buf picture;        /* PICTURE: image/svg+xml, image/png or text/plain; empty: note says why */
  char *note;
} ProjectedBlock;

typedef struct Projection {
  char *name, *title, *subject;
  ProjectedBlock *blocks; int nblocks;
} Projection;

typedef enum ProjectedPictures { PICTURES_NONE, PICTURES_TEXT, PICTURES_IMAGE } ProjectedPictures;     /* how fields are drawn */

/* NULL after a report. Needs no engine unless the view has maps that are drawn. Owned. */
Projection *view_project(Eval *ev, Store *store, const View *view, ProjectedPictures pictures);
void projection_free(Projection *projection);

/* For projection_map.c: a new block at the end. */
ProjectedBlock *projection_add(Projection *projection, ProjectedKind kind, const char *title);
struct Lens;
bool project_map(struct Lens *lens, Projection *projection, const ViewBlock *block, ProjectedPictures pictures);

#endif
