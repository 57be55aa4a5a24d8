/* Views: what of a run record is shown, and to whom. A declaration is read into a View; view_project (projection.h) applies it to a record. */
#ifndef VIEW_H
#define VIEW_H
#include "eval.h"

/* A name as written: `score`, or `verdicts.ratio`, `sealed.score` with what stands before the dot in `table`. */
typedef struct ViewName { Name table, name; Span span; } ViewName;

typedef struct ViewColumn {
  ViewName of;
  Name format;               /* ".3g"; NULL: by type */
  Name unit_text;            /* of `drag to [mN]`; NULL: the record's own */
  UnitScale unit;
} ViewColumn;

typedef struct ViewSort { ViewName of; bool descending; } ViewSort;
typedef struct ViewFilter { ViewName of; AstOp op; double number; Name text; /* NULL: a number */ } ViewFilter;     /* OP_NONE: equal */

typedef enum ViewKind { VIEW_TABLE, VIEW_PLOT, VIEW_MAP, VIEW_VALUE } ViewKind;

typedef struct ViewBlock {
  ViewKind kind;
  Span span;
  ViewName table;            /* TABLE; span of the name */
  ViewColumn *columns; int ncolumns;     /* of a table; what a plot has upwards; fields of a map; values. None: all that is shown */
  ViewSort *sort; int nsort;
  ViewFilter *where; int nwhere;         /* all of them */
  long limit;                /* rows; 0: default */
  ViewName x;                /* PLOT; name NULL: a histogram */
  bool logx, logy, front;    /* front: those that no other is better than in both */
  Name of;                   /* MAP: the subject; NULL: any */
} ViewBlock;

typedef struct View {
  Name name, subject;        /* subject `run`: all there is */
  Name title;
  ViewName *show, *hide; int nshow, nhide;
  ViewBlock *blocks; int nblocks;
  bool built_in;             /* columns without a value are left out */
} View;

/* Reads `view NAME of SUBJECT { ... }`; NULL after a report. Owned. */
View *view_read(Eval *ev, const Ast *decl);
void view_free(View *view);
bool view_shows_all(const View *view);        /* it hides nothing */

/* Built in: rows of view.def, declarations in the language. Each needs a table that has rows. */
typedef struct BuiltinView { const char *name, *table, *title, *text; } BuiltinView;
extern const BuiltinView builtin_views[];
extern const int builtin_view_count;

Flow decl_view(Eval *ev, const Ast *decl);

#endif
