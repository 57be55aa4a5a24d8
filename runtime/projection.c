#include "projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "lens.h"

enum { ROWS_MOST = 1000, POINTS_MOST = 4000 };      /* of a table without a limit; of a curve: what a picture can show */

ProjectedBlock *projection_add(Projection *p, ProjectedKind kind, const char *title) {
  p->blocks = realloc(p->blocks, (size_t)(p->nblocks + 1) * sizeof *p->blocks);
  ProjectedBlock *b = &p->blocks[p->nblocks++];
  *b = (ProjectedBlock){.kind = kind, .title = title ? strdup(title) : NULL};
  return b;
}

static void free_columns(ProjectedBlock *b) {
  for (int c = 0; c < b->ncolumns; c++) {
    free(b->columns[c].name);
    free(b->columns[c].unit);
    free(b->columns[c].format);
  }
  free(b->columns);
}

void projection_free(Projection *p) {
  if (!p) return;
  for (int i = 0; i < p->nblocks; i++) {
    ProjectedBlock *b = &p->blocks[i];
    free_columns(b);
    store_rows_free(&b->rows);
    buf_free(&b->picture);
    free(b->title);
    free(b->media);
    free(b->note);
  }
  free(p->blocks);
  free(p->name);
  free(p->title);
  free(p->subject);
  free(p);
}

/* --- columns --- */

static ProjectedColumn *add_column(ProjectedBlock *b, const Ref *ref) {
  b->columns = realloc(b->columns, (size_t)(b->ncolumns + 1) * sizeof *b->columns);
  ProjectedColumn *c = &b->columns[b->ncolumns++];
  *c = (ProjectedColumn){.name = strdup(ref->name), .unit = ref->unit ? strdup(ref->unit) : NULL, .type = ref->type, .scale = 1};
  return c;
}

/* `drag to [mN]`: the record's unit has to be of the same quantity. */
static bool convert(Eval *ev, ProjectedColumn *c, const ViewColumn *wanted) {
  Unit have = UNIT_NONE;
  if (c->unit) {
    Buf text = {0};
    buf_printf(&text, "1 [%s]", c->unit);
    Value *v = host_eval_text(ev, buf_str(&text), "<unit of a column>");
    buf_free(&text);
    bool fine = v->kind == VALUE_NUMBER;
    if (fine) have = v->unit;
    value_release(v);
    if (!fine) return false;
  }
  if (!unit_fits(have, wanted->unit.unit)) {
    diag_report(&ev->host->diags, E0302, wanted->of.span, "the column `%s` is in %s and cannot be shown in %s", c->name, c->unit ? c->unit : "no unit", wanted->unit_text);
    return false;
  }
  free(c->unit);
  c->unit = strdup(wanted->unit_text);
  c->scale = wanted->unit.scale;
  c->offset = wanted->unit.offset;
  return true;
}

static bool take_columns(Lens *lens, const LensTable *table, const ViewBlock *view, ProjectedBlock *b, Ref **refs) {
  *refs = NULL;
  if (!view->ncolumns) {
    int n = lens_columns(lens, table, refs);
    for (int i = 0; i < n; i++) add_column(b, &(*refs)[i]);
    return true;
  }
  *refs = calloc((size_t)view->ncolumns, sizeof **refs);
  for (int i = 0; i < view->ncolumns; i++) {
    const ViewColumn *wanted = &view->columns[i];
    if (!lens_column(lens, table, &wanted->of, &(*refs)[i])) return false;
    ProjectedColumn *c = add_column(b, &(*refs)[i]);
    c->format = wanted->format ? strdup(wanted->format) : NULL;
    if (wanted->unit_text && !convert(lens->ev, c, wanted)) return false;
  }
  return true;
}

static bool take_conditions(Lens *lens, const LensTable *table, const ViewBlock *view, LensSort **sort, LensFilter **where) {
  *sort = calloc((size_t)view->nsort + 1, sizeof **sort);
  *where = calloc((size_t)view->nwhere + 1, sizeof **where);
  for (int i = 0; i < view->nsort; i++) {
    (*sort)[i].descending = view->sort[i].descending;
    if (!lens_column(lens, table, &view->sort[i].of, &(*sort)[i].of)) return false;
  }
  for (int i = 0; i < view->nwhere; i++) {
    const ViewFilter *f = &view->where[i];
    (*where)[i] = (LensFilter){.op = f->op, .value = f->text ? cell_text(f->text) : cell_number(f->number)};
    if (!lens_column(lens, table, &f->of, &(*where)[i].of)) return false;
  }
  return true;
}

/* Rows into the block; what SQLite keeps as "nan" is a number again, one unit of all rows goes to the head. */
static bool fill(Lens *lens, const LensTable *table, const ViewBlock *view, ProjectedBlock *b, const Ref *refs, long limit) {
  LensSort *sort;
  LensFilter *where;
  bool fine = take_conditions(lens, table, view, &sort, &where);
  LensQuery query = {refs, b->ncolumns, sort, view->nsort, where, view->nwhere, limit};
  fine = fine && (!b->ncolumns || !lens_rows(lens, table, &query, &b->rows));
  b->total = b->rows.nrows;
  if (fine && limit && b->rows.nrows == limit) fine = !lens_count(lens, table, &query, &b->total);
  for (int r = 0; r < b->rows.nrows; r++)
    for (int c = 0; c < b->ncolumns; c++) {
      Cell *cell = &b->rows.cells[r * b->rows.ncolumns + c];
      if (refs[c].type != STORE_NUMBER || cell->kind != CELL_TEXT || strcmp(cell->text, "nan")) continue;
      free((char *)cell->text);
      *cell = cell_number(NAN);
    }
  free(sort);
  free(where);
  return fine;
}

/* Columns that have no value in any row. */
static void drop_empty(ProjectedBlock *b) {
  int kept = 0;
  for (int c = 0; c < b->ncolumns; c++) {
    bool some = false;
    for (int r = 0; r < b->rows.nrows && !some; r++) some = store_cell(&b->rows, r, c)->kind != CELL_NULL;
    if (!some) {
      free(b->columns[c].name);
      free(b->columns[c].unit);
      free(b->columns[c].format);
      continue;
    }
    for (int r = 0; r < b->rows.nrows; r++) b->rows.cells[r * b->rows.ncolumns + kept] = b->rows.cells[r * b->rows.ncolumns + c];
    b->columns[kept++] = b->columns[c];
  }
  for (int r = 0; r < b->rows.nrows; r++) memmove(&b->rows.cells[r * kept], &b->rows.cells[r * b->rows.ncolumns], (size_t)kept * sizeof *b->rows.cells);
  b->ncolumns = b->rows.ncolumns = kept;
}

static const char *table_title(const LensTable *table) { return table->table >= 0 ? store_tables[table->table].title : table->name; }

static bool project_table(Lens *lens, Projection *p, const ViewBlock *view) {
  LensTable table;
  if (!lens_table(lens, &view->table, &table)) return false;
  ProjectedBlock *b = projection_add(p, PROJECTED_TABLE, table_title(&table));
  Ref *refs;
  bool fine = take_columns(lens, &table, view, b, &refs) && fill(lens, &table, view, b, refs, view->limit ? view->limit : ROWS_MOST);
  if (fine && lens->view->built_in && b->rows.nrows) drop_empty(b);
  free(refs);
  lens_table_free(&table);
  return fine;
}

/* --- plots --- */

/* The table that all names of a plot belong to: the one that a dot names, else the first that has them all. */
static bool has_all(Lens *lens, const LensTable *table, const ViewBlock *view) {
  Ref ref;
  for (int i = 0; i < view->ncolumns; i++)
    if (!lens_find(lens, table, view->columns[i].of.name, &ref)) return false;
  return !view->x.name || lens_find(lens, table, view->x.name, &ref);
}

static bool plot_table(Lens *lens, const ViewBlock *view, LensTable *out) {
  Interner *names = lens->ev->host->names;
  const ViewName *y = &view->columns[0].of;
  ViewName of = {NULL, y->table ? y->table : view->x.table, y->span};
  if (of.name) return lens_table(lens, &of, out);
  static const StoreTable first[] = {RECORD_candidates, RECORD_verdicts, RECORD_solutions, RECORD_histories};
  for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
    *out = (LensTable){.name = intern_text(names, store_tables[first[k]].name), .table = (int)first[k]};
    if (lens_shows_table(lens, first[k]) && has_all(lens, out, view)) return true;
  }
  Name *studies;
  int n = lens_studies(lens, &studies);
  for (int i = 0; i < n; i++) {
    ViewName study = {NULL, studies[i], y->span};
    if (!lens_table(lens, &study, out)) break;
    if (has_all(lens, out, view)) {
      free(studies);
      return true;
    }
    lens_table_free(out);
  }
  free(studies);
  if (n < 0) return false;
  *out = (LensTable){.name = intern_text(names, "candidates"), .table = RECORD_candidates};
  Ref ref;
  ViewName missing = lens_find(lens, out, y->name, &ref) && view->x.name ? view->x : *y;
  lens_report(lens, missing.span, NULL, missing.name, NULL, 0);
  return false;
}

/* Curves keep the extremes of every stretch, clouds one point of those that fall together: what a picture can show, not more. */
static void thin(ProjectedBlock *b) {
  int n = b->rows.nrows, every = n / (POINTS_MOST / 2);
  if (every < 2 || b->ncolumns != 2 || !b->lines) return;
  StoreRows *rows = &b->rows;
  int kept = 0;
  for (int from = 0; from < n; from += every) {
    int to = from + every < n ? from + every : n, low = from, high = from;
    for (int r = from; r < to; r++) {
      const Cell *y = store_cell(rows, r, 1);
      if (y->kind != CELL_NUMBER) continue;
      if (!(y->number >= store_cell(rows, low, 1)->number)) low = r;
      if (!(y->number <= store_cell(rows, high, 1)->number)) high = r;
    }
    int pick[2] = {low < high ? low : high, low < high ? high : low};
    for (int k = 0; k < (pick[0] != pick[1] ? 2 : 1); k++, kept++)
      for (int c = 0; c < 2; c++) {
        Cell keep = rows->cells[pick[k] * 2 + c];
        rows->cells[pick[k] * 2 + c] = rows->cells[kept * 2 + c];
        rows->cells[kept * 2 + c] = keep;
      }
  }
  for (int r = kept; r < n; r++)
    for (int c = 0; c < 2; c++)
      if (rows->cells[r * 2 + c].kind == CELL_TEXT) free((char *)rows->cells[r * 2 + c].text);
  rows->nrows = kept;
}

static void plot_title(Buf *out, const ViewBlock *view) {
  for (int i = 0; i < view->ncolumns; i++) buf_printf(out, "%s%s", i ? ", " : "", view->columns[i].of.name);
  if (view->x.name) buf_printf(out, " against %s", view->x.name);
}

/* `plot loss of ...` is a history: its rows are x and value. */
static bool project_history(Lens *lens, Projection *p, const ViewBlock *view, bool *is_one) {
  *is_one = false;
  const ViewName *y = &view->columns[0].of;
  if (view->ncolumns != 1 || !lens_shows_table(lens, RECORD_histories) || !lens_shows_row(lens, "histories", y->name)) return true;
  LensTable table = {.name = intern_text(lens->ev->host->names, "histories"), .table = RECORD_histories};
  ViewBlock one = {.kind = VIEW_PLOT, .span = view->span};
  ViewFilter filters[2] = {{.of = {NULL, intern_text(lens->ev->host->names, "name"), y->span}, .text = y->name},
                           {.of = {NULL, intern_text(lens->ev->host->names, "subject"), y->span}, .text = y->table}};
  one.where = filters;
  one.nwhere = y->table ? 2 : 1;
  Ref refs[2] = {{REF_COLUMN, RECORD_histories_x, intern_text(lens->ev->host->names, "x"), NULL, STORE_NUMBER},
                 {REF_COLUMN, RECORD_histories_value, intern_text(lens->ev->host->names, "value"), NULL, STORE_NUMBER}};
  Ref unit_refs[2] = {{REF_COLUMN, RECORD_histories_x_unit, intern_text(lens->ev->host->names, "x_unit"), NULL, STORE_TEXT},
                      {REF_COLUMN, RECORD_histories_unit, intern_text(lens->ev->host->names, "unit"), NULL, STORE_TEXT}};
  ProjectedBlock units = {0};
  for (int k = 0; k < 2; k++) add_column(&units, &unit_refs[k]);
  bool fine = fill(lens, &table, &one, &units, unit_refs, 1);
  *is_one = fine && units.rows.nrows;
  if (*is_one) {
    Buf title = {0};
    plot_title(&title, view);
    ProjectedBlock *b = projection_add(p, PROJECTED_PLOT, buf_str(&title));
    buf_free(&title);
    for (int k = 0; k < 2; k++) {
      const Cell *unit = store_cell(&units.rows, 0, k);
      refs[k].unit = unit->kind == CELL_TEXT ? unit->text : NULL;
      ProjectedColumn *c = add_column(b, &refs[k]);
      free(c->name);
      c->name = strdup(k ? y->name : view->x.name ? view->x.name : "x");
    }
    b->lines = true;
    b->logx = view->logx;
    b->logy = view->logy;
    fine = fill(lens, &table, &one, b, refs, 0);
    thin(b);
  }
  free_columns(&units);
  store_rows_free(&units.rows);
  return fine;
}

static bool project_plot(Lens *lens, Projection *p, const ViewBlock *view) {
  if (!view->ncolumns) {
    diag_suggest(diag_report(&lens->ev->host->diags, E3210, view->span, "`plot` names what is drawn"), "as in `plot score against viol_max`");
    return false;
  }
  bool is_history = false;
  if (!project_history(lens, p, view, &is_history)) return false;
  if (is_history) return true;
  LensTable table;
  if (!plot_table(lens, view, &table)) return false;
  Buf title = {0};
  plot_title(&title, view);
  ProjectedBlock *b = projection_add(p, PROJECTED_PLOT, buf_str(&title));
  buf_free(&title);
  int n = view->ncolumns + (view->x.name != NULL);
  Ref *refs = calloc((size_t)n, sizeof *refs);
  bool fine = true;
  for (int k = 0; fine && k < n; k++) {
    ViewName of = k || !view->x.name ? view->columns[k - (view->x.name != NULL)].of : view->x;
    if (of.table && (table.table < 0 || !strcmp(of.table, table.name))) of.table = NULL;
    fine = lens_column(lens, &table, &of, &refs[k]) && lens_numeric(lens, &refs[k], of.span);
    if (fine) add_column(b, &refs[k]);
  }
  b->histogram = !view->x.name;
  b->lines = view->x.name && (table.table < 0 || !strcmp(view->x.name, "evaluation") || !strcmp(view->x.name, "n") || !strcmp(view->x.name, "x"));
  b->logx = view->logx;
  b->logy = view->logy;
  b->front = view->front && view->x.name;
  fine = fine && fill(lens, &table, view, b, refs, view->limit);
  if (fine) thin(b);
  free(refs);
  lens_table_free(&table);
  return fine;
}

/* --- values --- */

/* A value is looked for among the metrics of the run, what it printed, and its settings: the last one of that name. */
static const struct { StoreTable table; const char *columns, *rows; } value_places[] = {
    {RECORD_scores, "value, unit", " AND candidate IS NULL"},
    {RECORD_printed, "COALESCE(value, text), unit", ""},
    {RECORD_settings, "value, NULL", ""},
};

static bool find_value(Lens *lens, Name name, StoreRows *out) {
  for (size_t k = 0; k < sizeof value_places / sizeof *value_places; k++) {
    StoreTable t = value_places[k].table;
    if (!lens_shows_table(lens, t) || !lens_shows_row(lens, store_tables[t].name, name)) continue;
    Buf sql = {0};
    LensBind bind = {0};
    buf_printf(&sql, "SELECT %s FROM %s WHERE name = ?%s", value_places[k].columns, store_tables[t].name, value_places[k].rows);
    lens_bind(&bind, cell_text(name));
    lens_row_filter(lens, t, &sql, &bind);
    buf_puts(&sql, " ORDER BY n DESC LIMIT 1");
    Status status = store_select(lens->store, buf_str(&sql), bind.cells, bind.n, out);
    buf_free(&sql);
    free(bind.cells);
    if (status || out->nrows) return !status;
    store_rows_free(out);
  }
  return true;
}

/* The status of the run, from its course. */
static bool find_course(Lens *lens, Name name, StoreRows *out) {
  if (strcmp(name, "status") || !lens_shows_table(lens, RECORD_course) || !lens_shows_row(lens, "course", name)) return true;
  return !store_select(lens->store, "SELECT CASE WHEN (SELECT what FROM course ORDER BY n DESC LIMIT 1) = 'finished' THEN (SELECT status FROM course ORDER BY n DESC LIMIT 1) ELSE 'not finished' END, NULL", NULL, 0, out);
}

static void put_value(ProjectedBlock *b, Name name, const StoreRows *found) {
  StoreRows *rows = &b->rows;
  rows->ncolumns = 3;
  rows->cells = realloc(rows->cells, (size_t)(rows->nrows + 1) * 3 * sizeof *rows->cells);
  Cell *row = &rows->cells[rows->nrows++ * 3];
  row[0] = cell_text(strdup(name));
  for (int k = 0; k < 2; k++) {
    row[1 + k] = *store_cell(found, 0, k);
    if (row[1 + k].kind == CELL_TEXT) row[1 + k].text = strdup(row[1 + k].text);
  }
}

static bool project_values(Lens *lens, Projection *p, const ViewBlock *view) {
  ProjectedBlock *b = projection_add(p, PROJECTED_VALUES, NULL);
  static const char *const heads[] = {"name", "value", "unit"};
  for (int k = 0; k < 3; k++) add_column(b, &(Ref){REF_COLUMN, 0, heads[k], NULL, STORE_TEXT});
  for (int i = 0; i < view->ncolumns; i++) {
    const ViewName *of = &view->columns[i].of;
    Name name = of->name;
    if (of->table) {
      Buf text = {0};
      buf_printf(&text, "%s.%s", of->table, of->name);
      name = intern_text(lens->ev->host->names, buf_str(&text));
      buf_free(&text);
    }
    StoreRows found = {0};
    bool fine = find_value(lens, name, &found);
    if (fine && !found.nrows) fine = find_course(lens, name, &found);
    if (fine && !found.nrows && lens->view->built_in) continue;
    if (fine && !found.nrows) {
      lens_report(lens, of->span, NULL, name, NULL, 0);
      fine = false;
    }
    if (fine) put_value(b, name, &found);
    store_rows_free(&found);
    if (!fine) return false;
  }
  b->total = b->rows.nrows;
  return true;
}

/* --- the whole --- */

/* A view without blocks: every table that has visible rows, with its visible columns. */
static bool project_default(Lens *lens, Projection *p) {
  Interner *names = lens->ev->host->names;
  for (int t = 0; t < RECORD_TABLES; t++) {
    if (!lens_shows_table(lens, (StoreTable)t)) continue;
    ViewBlock block = {.kind = VIEW_TABLE, .table = {NULL, intern_text(names, store_tables[t].name), {0, 0}}};
    int before = p->nblocks;
    if (!project_table(lens, p, &block)) return false;
    if (p->blocks[before].rows.nrows) continue;
    Projection last = {.blocks = &p->blocks[before], .nblocks = 1};
    free_columns(&last.blocks[0]);
    store_rows_free(&last.blocks[0].rows);
    free(last.blocks[0].title);
    p->nblocks--;
  }
  return true;
}

Projection *view_project(Eval *ev, Store *store, const View *view, ProjectedPictures pictures) {
  Lens lens = {ev, store, view};
  Projection *p = calloc(1, sizeof *p);
  p->name = strdup(view->name);
  p->subject = strdup(view->subject);
  p->title = strdup(view->title ? view->title : view->name);
  bool fine = view->nblocks || project_default(&lens, p);
  for (int i = 0; fine && i < view->nblocks; i++) {
    const ViewBlock *b = &view->blocks[i];
    switch (b->kind) {
      case VIEW_TABLE: fine = project_table(&lens, p, b); break;
      case VIEW_PLOT: fine = project_plot(&lens, p, b); break;
      case VIEW_MAP: fine = project_map(&lens, p, b, pictures); break;
      case VIEW_VALUE: fine = project_values(&lens, p, b); break;
    }
  }
  if (fine) return p;
  projection_free(p);
  return NULL;
}
