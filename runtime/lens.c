#include "lens.h"

#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "json.h"

const DerivedColumn derived_columns[] = {
    {"rank", "score", "CASE WHEN score_ IS NULL THEN NULL ELSE RANK() OVER (ORDER BY score_ IS NULL, score_) END", "place by score; equal scores share it"},
    {"evaluation", "score", "CASE WHEN score_ IS NULL THEN NULL ELSE COUNT(score_) OVER (ORDER BY order_) END", "which of the scored candidates it is, in time"},
    {"best_so_far", "score", "MIN(score_) OVER (ORDER BY order_)", "lowest score up to it"},
};
const int derived_column_count = sizeof derived_columns / sizeof *derived_columns;

/* --- what a name of show or hide means --- */

/* `a` means the table a, the column a (unless `own`), and what is called a or a.b; `a.b` the column b of the table a, and what is called a.b. */
static bool means(const ViewName *entry, const char *table, const char *name, bool own) {
  if (entry->table) {
    size_t n = strlen(entry->table);
    if (!strcmp(entry->table, table) && name && !strcmp(entry->name, name)) return true;
    return name && !strncmp(name, entry->table, n) && name[n] == '.' && !strcmp(name + n + 1, entry->name);
  }
  size_t n = strlen(entry->name);
  if (!strcmp(entry->name, table)) return true;
  return name && !own && !strncmp(name, entry->name, n) && (!name[n] || name[n] == '.');
}

static bool hidden(const Lens *lens, const char *table, const char *name) {
  for (int i = 0; i < lens->view->nhide; i++)
    if (means(&lens->view->hide[i], table, name, false)) return true;
  return false;
}

static bool shown(const Lens *lens, const char *table, const char *name, bool row) {
  bool own = !row && strcmp(table, "candidates") != 0;
  for (int i = 0; i < lens->view->nshow; i++)
    if (means(&lens->view->show[i], table, name, own)) return true;
  return false;
}

static bool shows(const Lens *lens, const char *table, const char *name) { return !hidden(lens, table, name) && (!lens->view->nshow || shown(lens, table, name, false)); }

bool lens_shows_row(const Lens *lens, const char *table, const char *name) { return !hidden(lens, table, name) && (!lens->view->nshow || shown(lens, table, name, true)); }

/* Columns whose text calls a row: a hidden name hides such rows. */
static const char *const naming[] = {"name", "role", "contract"};

static int naming_column(StoreTable table, int k) { return store_column_find(table, naming[k]); }

/* Is any column of it named by show, or the table itself? If not, rows may still be, by their names. */
static bool shown_by_column(const Lens *lens, StoreTable table) {
  if (!lens->view->nshow) return true;
  for (int c = 0; c < store_tables[table].n; c++)
    if (shown(lens, store_tables[table].name, store_tables[table].columns[c].name, false)) return true;
  return shown(lens, store_tables[table].name, "n", false);
}

static bool has_named_rows(StoreTable table) { return store_column_find(table, "name") >= 0; }

bool lens_shows_table(const Lens *lens, StoreTable table) {
  if (table == RECORD_events) return view_shows_all(lens->view);
  if (table == RECORD_views && !view_shows_all(lens->view)) return false;      /* their text has hidden names */
  if (hidden(lens, store_tables[table].name, NULL)) return false;
  if (shown_by_column(lens, table) || has_named_rows(table)) return true;
  for (int k = 0; table == RECORD_candidates && k < lens->view->nshow; k++)     /* by a metric */
    if (!lens->view->show[k].table || !strcmp(lens->view->show[k].table, "candidates")) return true;
  return false;
}

/* --- rows that are let through --- */

void lens_bind(LensBind *bind, Cell cell) {
  bind->cells = realloc(bind->cells, (size_t)(bind->n + 1) * sizeof *bind->cells);
  bind->cells[bind->n++] = cell;
}

/* Name as it would call a row: a, or a.b. */
static Name row_name(const Lens *lens, const ViewName *entry) {
  if (!entry->table) return entry->name;
  Buf text = {0};
  buf_printf(&text, "%s.%s", entry->table, entry->name);
  Name name = intern_text(lens->ev->host->names, buf_str(&text));
  buf_free(&text);
  return name;
}

static void called(Buf *sql, LensBind *bind, const char *column, Name name, bool with_parts) {
  buf_printf(sql, "(\"%s\" = ?", column);
  lens_bind(bind, cell_text(name));
  if (with_parts) {
    buf_printf(sql, " OR substr(\"%s\", 1, length(?) + 1) = ? || '.'", column);
    lens_bind(bind, cell_text(name));
    lens_bind(bind, cell_text(name));
  }
  buf_putc(sql, ')');
}

void lens_row_filter(const Lens *lens, StoreTable table, Buf *sql, LensBind *bind) {
  const View *v = lens->view;
  if (strcmp(v->subject, "run") && store_column_find(table, "subject") >= 0 && table != RECORD_candidates) {
    buf_puts(sql, " AND (\"subject\" = ? OR \"subject\" IN (SELECT id FROM candidates WHERE subject = ?))");      /* its own, or of its candidates */
    lens_bind(bind, cell_text(v->subject));
    lens_bind(bind, cell_text(v->subject));
  }
  for (size_t k = 0; k < sizeof naming / sizeof *naming; k++) {
    if (naming_column(table, (int)k) < 0) continue;
    for (int i = 0; i < v->nhide; i++) {
      buf_printf(sql, " AND (\"%s\" IS NULL OR NOT ", naming[k]);
      called(sql, bind, naming[k], row_name(lens, &v->hide[i]), true);
      buf_putc(sql, ')');
    }
  }
  /* a difference and one of its sides give the other */
  if (table == RECORD_fields && (hidden(lens, "fields", "truth") || hidden(lens, "fields", "prediction"))) buf_puts(sql, " AND \"role\" <> 'difference'");
  if (shown_by_column(lens, table) || !has_named_rows(table)) return;
  buf_puts(sql, " AND (0");
  for (int i = 0; i < v->nshow; i++) {
    buf_puts(sql, " OR ");
    called(sql, bind, "name", row_name(lens, &v->show[i]), true);
  }
  buf_putc(sql, ')');
}

/* --- reports --- */

void lens_report(Lens *lens, Span span, Name table, Name name, const Name *known, int n) {
  Diags *diags = &lens->ev->host->diags;
  Diag *d = table ? diag_report(diags, E3211, span, "`%s` has no column `%s` that this view shows", table, name) : diag_report(diags, E3211, span, "the record has no `%s` that this view shows", name);
  Name near = n ? nearest_name(name, known, n) : NULL;
  if (near) {
    diag_suggest(d, "did you mean `%s`?", near);
    return;
  }
  Buf list = {0};
  for (int i = 0; i < n && i < 12; i++) buf_printf(&list, "%s`%s`", i ? ", " : "", known[i]);
  if (n) diag_suggest(d, "there is %s%s", buf_str(&list), n > 12 ? ", ..." : "");
  buf_free(&list);
}

/* --- tables --- */

void lens_table_free(LensTable *table) {
  free(table->columns);
  free(table->units);
  *table = (LensTable){.table = -1};
}

int lens_studies(Lens *lens, Name **out) {
  *out = NULL;
  if (!lens->store || !lens_shows_table(lens, RECORD_studies)) return 0;
  Buf sql = {0};
  LensBind bind = {0};
  StoreRows rows = {0};
  buf_puts(&sql, "SELECT DISTINCT name FROM studies WHERE name IS NOT NULL");
  lens_row_filter(lens, RECORD_studies, &sql, &bind);
  buf_puts(&sql, " ORDER BY n LIMIT 1000");
  Status status = store_select(lens->store, buf_str(&sql), bind.cells, bind.n, &rows);
  int n = status ? -1 : rows.nrows;
  if (n > 0) *out = malloc((size_t)n * sizeof **out);
  for (int i = 0; i < n; i++) (*out)[i] = intern_text(lens->ev->host->names, store_cell(&rows, i, 0)->kind == CELL_TEXT ? store_cell(&rows, i, 0)->text : "");
  store_rows_free(&rows);
  free(bind.cells);
  buf_free(&sql);
  return n;
}

/* The columns of a study, from the head of its JSON. */
static bool study_columns(Lens *lens, LensTable *out) {
  StoreRows rows = {0};
  Cell row = cell_number(out->study);
  if (store_select(lens->store, "SELECT json_extract(c.value, '$.name'), json_extract(c.value, '$.unit') FROM studies s, json_each(s.\"table\", '$.columns') c WHERE s.n = ?", &row, 1, &rows)) return false;
  out->ncolumns = rows.nrows;
  out->columns = calloc((size_t)rows.nrows + 1, sizeof *out->columns);
  out->units = calloc((size_t)rows.nrows + 1, sizeof *out->units);
  for (int i = 0; i < rows.nrows; i++) {
    const Cell *name = store_cell(&rows, i, 0), *unit = store_cell(&rows, i, 1);
    out->columns[i] = intern_text(lens->ev->host->names, name->kind == CELL_TEXT ? name->text : "");
    if (unit->kind == CELL_TEXT) out->units[i] = intern_text(lens->ev->host->names, unit->text);
  }
  store_rows_free(&rows);
  return true;
}

static bool find_study(Lens *lens, Name name, LensTable *out, bool *failed) {
  Name *studies;
  int n = lens_studies(lens, &studies);
  bool there = false;
  for (int i = 0; i < n; i++) there |= studies[i] == name;
  free(studies);
  *failed = n < 0;
  if (!there) return false;
  StoreRows rows = {0};
  Cell bind = cell_text(name);
  *failed = store_select(lens->store, "SELECT MAX(n) FROM studies WHERE name = ?", &bind, 1, &rows) != 0;
  *out = (LensTable){.name = name, .table = -1, .study = !*failed && rows.nrows ? store_cell(&rows, 0, 0)->number : 0};
  store_rows_free(&rows);
  if (!*failed) *failed = !study_columns(lens, out);
  return !*failed;
}

bool lens_table(Lens *lens, const ViewName *name, LensTable *out) {
  int t = name->table ? -1 : store_table_find(name->name);
  *out = (LensTable){.name = name->name, .table = t};
  if (t >= 0 && lens_shows_table(lens, (StoreTable)t)) return true;
  bool failed = false;
  if (t < 0 && !name->table && lens->store && find_study(lens, name->name, out, &failed)) return true;
  if (failed) return false;
  Name known[RECORD_TABLES + 1000], *studies = NULL;
  int n = 0, own = lens_studies(lens, &studies);
  for (int k = 0; k < RECORD_TABLES; k++)
    if (lens_shows_table(lens, (StoreTable)k)) known[n++] = store_tables[k].name;
  for (int k = 0; k < own; k++) known[n++] = studies[k];
  free(studies);
  lens_report(lens, name->span, NULL, name->name, known, n);
  return false;
}

/* --- columns --- */

/* With a list of what is shown, a table that it reaches by the names of rows alone has all its columns. */
static bool shows_column(const Lens *lens, StoreTable table, const char *name) {
  if (!shown_by_column(lens, table) && has_named_rows(table)) return !hidden(lens, store_tables[table].name, name);
  return shows(lens, store_tables[table].name, name);
}

/* Columns that hold whole values, in which hidden names may be: for views that hide nothing, or name them. */
static bool holds_everything(StoreTable table, int column) {
  return store_tables[table].columns[column].type == STORE_JSON && !(table == RECORD_verdicts);
}

static bool shows_derived(const Lens *lens, const DerivedColumn *d) {
  if (!shows(lens, "candidates", d->name)) return false;
  return shows(lens, "candidates", d->from) || (shown(lens, "candidates", d->name, false) && !shown(lens, "candidates", NULL, false));
}

static bool metric_exists(Lens *lens, Name name) {
  StoreRows rows = {0};
  Cell bind = cell_text(name);
  bool there = !store_select(lens->store, "SELECT 1 FROM scores WHERE name = ? AND candidate IS NOT NULL LIMIT 1", &bind, 1, &rows) && rows.nrows;
  store_rows_free(&rows);
  return there;
}

static bool find_fixed(Lens *lens, const LensTable *table, Name name, Ref *out) {
  StoreTable t = (StoreTable)table->table;
  int c = store_column_find(t, name);
  if (c >= 0) {
    if (!shows_column(lens, t, name) || (t == RECORD_studies && c == RECORD_studies_table)) return false;
    if (holds_everything(t, c) && !view_shows_all(lens->view) && !shown(lens, "", name, true)) return false;
    *out = (Ref){REF_COLUMN, c, name, NULL, store_tables[t].columns[c].type};
    return true;
  }
  if (!strcmp(name, "n")) {
    *out = (Ref){REF_ORDINAL, 0, name, NULL, STORE_INT};
    return shows_column(lens, t, name);
  }
  if (t != RECORD_candidates) return false;
  for (int k = 0; k < derived_column_count; k++)
    if (!strcmp(derived_columns[k].name, name)) {
      *out = (Ref){REF_DERIVED, k, name, NULL, k < 2 ? STORE_INT : STORE_NUMBER};
      return shows_derived(lens, &derived_columns[k]);
    }
  if (!shows(lens, "candidates", name) || hidden(lens, "scores", name)) return false;
  *out = (Ref){REF_METRIC, 0, name, NULL, STORE_NUMBER};
  return !lens->store || metric_exists(lens, name);
}

bool lens_find(Lens *lens, const LensTable *table, Name name, Ref *out) {
  if (table->table >= 0) return find_fixed(lens, table, name, out);
  for (int c = 0; c < table->ncolumns; c++)
    if (table->columns[c] == name) {
      *out = (Ref){REF_CELL, c, name, table->units[c], STORE_NUMBER};
      return !hidden(lens, table->name, name);
    }
  *out = (Ref){REF_ORDINAL, 0, name, NULL, STORE_INT};
  return !strcmp(name, "n") && !hidden(lens, table->name, name);
}

/* Names of metrics by stepping through the index, not through the rows. */
static const char metric_names[] =
    "WITH RECURSIVE t(x) AS (SELECT MIN(name) FROM scores UNION ALL SELECT (SELECT MIN(name) FROM scores WHERE name > t.x) FROM t WHERE t.x IS NOT NULL) "
    "SELECT x FROM t WHERE x IS NOT NULL AND EXISTS(SELECT 1 FROM scores WHERE name = x AND candidate IS NOT NULL) LIMIT 1000";

int lens_columns(Lens *lens, const LensTable *table, Ref **out) {
  Interner *names = lens->ev->host->names;
  int cap = table->table < 0 ? table->ncolumns : STORE_COLUMNS_MOST + derived_column_count + 1000, n = 0;
  Ref *refs = *out = calloc((size_t)cap + 1, sizeof *refs);
  if (table->table < 0) {
    for (int c = 0; c < table->ncolumns; c++) n += lens_find(lens, table, table->columns[c], &refs[n]);
    return n;
  }
  for (int c = 0; c < store_tables[table->table].n; c++) n += find_fixed(lens, table, intern_text(names, store_tables[table->table].columns[c].name), &refs[n]);
  if (table->table != RECORD_candidates) return n;
  StoreRows rows = {0};
  if (lens->store && !store_select(lens->store, metric_names, NULL, 0, &rows))
    for (int i = 0; i < rows.nrows; i++)
      if (store_cell(&rows, i, 0)->kind == CELL_TEXT) n += find_fixed(lens, table, intern_text(names, store_cell(&rows, i, 0)->text), &refs[n]);
  store_rows_free(&rows);
  Ref score;
  bool scored = find_fixed(lens, table, intern_text(names, "score"), &score);
  for (int k = 0; k < derived_column_count && scored; k++) n += find_fixed(lens, table, intern_text(names, derived_columns[k].name), &refs[n]);
  return n;
}

bool lens_column(Lens *lens, const LensTable *table, const ViewName *name, Ref *out) {
  Name wanted = name->table && name->table != table->name ? row_name(lens, name) : name->name;      /* a metric may be called sealed.score */
  int before = lens->ev->host->diags.nerrors;
  if (lens_find(lens, table, wanted, out)) return true;
  if (lens->ev->host->diags.nerrors > before) return false;
  Ref *refs;
  int n = lens_columns(lens, table, &refs);
  Name *known = calloc((size_t)n + 1, sizeof *known);
  for (int i = 0; i < n; i++) known[i] = refs[i].name;
  lens_report(lens, name->span, table->name, wanted, known, n);
  free(known);
  free(refs);
  return false;
}

bool lens_numeric(Lens *lens, const Ref *ref, Span span) {
  if (ref->type == STORE_NUMBER || ref->type == STORE_INT || ref->type == STORE_BOOL) return true;
  diag_suggest(diag_report(&lens->ev->host->diags, E3213, span, "`%s` is text and has no place on an axis", ref->name), "plot a number: plot ratio against n");
  return false;
}

/* --- before a run --- */

/* Names of metrics and the columns of studies are known only once there is a record. */
static bool known_before(const LensTable *table) { return table->table >= 0 && table->table != RECORD_candidates; }

/* Where one table alone has all the names of a plot, they are its columns. */
static bool check_plot(Lens *lens, const ViewBlock *b) {
  for (int t = 0; t < RECORD_TABLES; t++) {
    LensTable table = {.name = store_tables[t].name, .table = t};
    bool all = known_before(&table) && b->x.name && store_column_find((StoreTable)t, b->x.name) >= 0, fine = true;
    for (int i = 0; i < b->ncolumns; i++) all &= store_column_find((StoreTable)t, b->columns[i].of.name) >= 0;
    Ref ref;
    for (int i = 0; all && i < b->ncolumns; i++) fine &= !lens_find(lens, &table, b->columns[i].of.name, &ref) || lens_numeric(lens, &ref, b->columns[i].of.span);
    if (all) return fine && (!lens_find(lens, &table, b->x.name, &ref) || lens_numeric(lens, &ref, b->x.span));
  }
  return true;
}

static bool check_block(Lens *lens, const ViewBlock *b) {
  if (b->kind == VIEW_PLOT) return check_plot(lens, b);
  if (b->kind != VIEW_TABLE) return true;
  Slot *slot = !b->table.table && store_table_find(b->table.name) < 0 ? scope_lookup(lens->ev, b->table.name) : NULL;
  if (slot) {
    slot->used = true;
    return true;
  }
  if (store_table_find(b->table.name) < 0 && lens->ev->module != lens->ev->host->modules[0]) return true;      /* of an imported file only definitions run */
  LensTable table;
  Ref ref;
  if (!lens_table(lens, &b->table, &table)) return false;
  bool fine = true;
  for (int i = 0; known_before(&table) && i < b->ncolumns; i++) fine &= lens_column(lens, &table, &b->columns[i].of, &ref);
  for (int i = 0; known_before(&table) && i < b->nsort; i++) fine &= lens_column(lens, &table, &b->sort[i].of, &ref);
  for (int i = 0; known_before(&table) && i < b->nwhere; i++) fine &= lens_column(lens, &table, &b->where[i].of, &ref);
  return fine;
}

bool lens_check(Eval *ev, const View *view) {
  Lens lens = {ev, NULL, view};
  bool fine = true;
  for (int i = 0; i < view->nblocks; i++) fine &= check_block(&lens, &view->blocks[i]);
  return fine;
}
