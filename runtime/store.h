/* The run record: a directory with run.db (SQLite), artefacts named by the SHA-256 of their bytes, and a manifest. Rows are appended, each with an event,
 * and never changed; when store_append or store_commit has returned, what was appended survives a kill and a power cut. Several processes may read and
 * append at once. The one file that knows SQLite.
 *
 * Errors: E3200 the directory is in use, E3201 no record, E3202 of a newer pde, E3203 damaged, E3204 cannot be written, E3205 an artefact is missing or
 * damaged. */
#ifndef STORE_H
#define STORE_H
#include <stdbool.h>

#include "../lang/diag.h"
#include "../lang/status.h"

enum { RECORD_VERSION = 1 };

typedef enum StoreType { STORE_TEXT, STORE_NUMBER, STORE_INT, STORE_BOOL, STORE_JSON, STORE_EQUATION, STORE_ARTEFACT, STORE_TIME } StoreType;

/* RECORD_verdicts, and RECORD_verdicts_contract within it. */
typedef enum StoreTable {
#define TABLE(table, event, title) RECORD_##table,
#define COLUMN(table, name, type, doc)
#define END(table)
#include "record.def"
#undef TABLE
#undef COLUMN
#undef END
  RECORD_TABLES
} StoreTable;

#define TABLE(table, event, title) enum {
#define COLUMN(table, name, type, doc) RECORD_##table##_##name,
#define END(table) RECORD_##table##_COLUMNS };
#include "record.def"
#undef TABLE
#undef COLUMN
#undef END

enum { STORE_COLUMNS_MOST = 24 };

typedef struct StoreColumn { const char *name; StoreType type; const char *doc; } StoreColumn;
typedef struct StoreTableRow { const char *name, *event, *title; StoreColumn columns[STORE_COLUMNS_MOST]; int n; } StoreTableRow;
extern const StoreTableRow store_tables[RECORD_TABLES];
int store_table_find(const char *name);                       /* -1: no such table */
int store_column_find(StoreTable table, const char *name);

typedef struct Cell {
  enum { CELL_NULL, CELL_NUMBER, CELL_TEXT } kind;
  double number;           /* NaN and infinity are kept as such */
  const char *text;        /* borrowed when appending; owned by the StoreRows it is in */
} Cell;
static inline Cell cell_number(double x) { return (Cell){CELL_NUMBER, x, NULL}; }
static inline Cell cell_text(const char *text) { return (Cell){text ? CELL_TEXT : CELL_NULL, 0, text}; }

typedef struct Store Store;

/* dir NULL: a record that lives as long as the store, for views that a script renders. */
Status store_create(const char *dir, Diags *diags, Store **out);
Status store_open(const char *dir, bool append, Diags *diags, Store **out);
void store_close(Store *store);
const char *store_directory(const Store *store);

/* One row: cells by column (store.h's enumerations), those beyond n are NULL. Committed on return, unless between begin and commit: then together with
 * the others, all or none. */
Status store_append(Store *store, StoreTable table, const Cell *cells, int n);
Status store_begin(Store *store);
Status store_commit(Store *store);
void store_rollback(Store *store);        /* nothing, where the failure ended the transaction already */

/* Artefacts. hex: the name that store_put gives. */
Status store_put(Store *store, const void *bytes, size_t n, char hex[65]);
Status store_put_file(Store *store, const char *path, char hex[65], double *bytes);
Status store_get(Store *store, const char *hex, Buf *out);               /* compared with its name */
Status store_path(Store *store, const char *hex, char **out);            /* of the file, once it was compared; malloc */

/* Rows of a statement whose text the callers in store_query.c build. ? are bound in order. */
typedef struct StoreRows {
  Cell *cells;             /* [nrows][ncolumns] */
  int nrows, ncolumns;
} StoreRows;
Status store_select(Store *store, const char *sql, const Cell *bind, int nbind, StoreRows *out);
void store_rows_free(StoreRows *rows);
static inline const Cell *store_cell(const StoreRows *rows, int r, int c) { return &rows->cells[(size_t)r * (size_t)rows->ncolumns + (size_t)c]; }

#endif
