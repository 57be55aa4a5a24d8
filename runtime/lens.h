/* What of a record a view lets through. All names of a view (columns of tables, sorts, conditions, axes, fields, values) become data through a lens and
 * through nothing else: what is hidden is not found, is not suggested, is not counted and is not read, exactly as if it were not there.
 *
 * Rules. `show` lists what is visible, all else is hidden; `hide` takes away. A name means a table, a column, or rows that are called so (metrics,
 * histories, fields, printed values, studies, contracts); `a` also means everything called `a.b`. `hide` means columns of every table, `show` those of
 * candidates alone: others are shown as `verdicts.ratio`, or with their table, so that nobody shows more than they meant. A derived column (rank of
 * score) is hidden with what it is derived from, unless `show` names it. Events, which tell of everything, are visible to views that hide nothing. */
#ifndef LENS_H
#define LENS_H
#include "store.h"
#include "view.h"

typedef struct Lens {
  Eval *ev;                  /* host's names, diagnostics, units */
  Store *store;              /* NULL while checking */
  const View *view;
} Lens;

/* A table of the record, or a study of its own name. */
typedef struct LensTable {
  Name name;
  int table;                 /* StoreTable; -1: a study */
  double study;              /* row of `studies` */
  Name *columns, *units; int ncolumns;     /* of a study; freed by lens_table_free */
} LensTable;

typedef enum RefKind { REF_COLUMN, REF_ORDINAL, REF_METRIC, REF_DERIVED, REF_CELL } RefKind;

/* A column that may be read. */
typedef struct Ref {
  RefKind kind;
  int index;                 /* of the column, derived column, or cell of a study */
  Name name, unit;           /* unit NULL: none, or row by row */
  StoreType type;
} Ref;

/* All return false after a report. Only the tables themselves are looked up while checking. */
bool lens_table(Lens *lens, const ViewName *name, LensTable *out);
bool lens_column(Lens *lens, const LensTable *table, const ViewName *name, Ref *out);
int lens_columns(Lens *lens, const LensTable *table, Ref **out);         /* all that are visible; free */
bool lens_find(Lens *lens, const LensTable *table, Name name, Ref *out); /* without a report */
void lens_table_free(LensTable *table);
bool lens_shows_table(const Lens *lens, StoreTable table);
int lens_studies(Lens *lens, Name **out);                                /* names of visible studies; free; -1 after a report */
void lens_report(Lens *lens, Span span, Name table, Name name, const Name *known, int n);

/* May rows that are called so be seen in that table? */
bool lens_shows_row(const Lens *lens, const char *table, const char *name);

bool lens_numeric(Lens *lens, const Ref *ref, Span span);      /* it has a place on an axis; E3213 */
bool lens_check(Eval *ev, const View *view);     /* the names of the blocks, as far as they are known before a run */

/* --- lens_query.c --- */

typedef struct LensSort { Ref of; bool descending; } LensSort;
typedef struct LensFilter { Ref of; AstOp op; Cell value; } LensFilter;

typedef struct LensQuery {
  const Ref *columns; int ncolumns;
  const LensSort *sort; int nsort;
  const LensFilter *where; int nwhere;
  long limit;                /* 0: none */
} LensQuery;

Status lens_rows(Lens *lens, const LensTable *table, const LensQuery *query, StoreRows *out);
Status lens_count(Lens *lens, const LensTable *table, const LensQuery *query, double *out);     /* without the limit */

/* WHERE of the rows of a table that the view lets through: " AND ..." and its bindings. */
typedef struct LensBind { Cell *cells; int n; } LensBind;
void lens_row_filter(const Lens *lens, StoreTable table, Buf *sql, LensBind *bind);
void lens_bind(LensBind *bind, Cell cell);

typedef struct DerivedColumn { const char *name, *from, *sql, *doc; } DerivedColumn;
extern const DerivedColumn derived_columns[];    /* of candidates; sql over score_ and order_ */
extern const int derived_column_count;

#endif
