/* Queries of visible columns. An inner select computes the columns that are asked for, so that what is hidden is in no part of the statement; an outer one
 * filters, sorts and limits. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "lens.h"

typedef struct Query {
  const Ref **refs;                /* c0, c1, ... of the inner select: what is shown first */
  int n;
  bool scores;                     /* derived columns are among them */
  LensBind bind;
  Buf sql;
} Query;

static int position(Query *q, const Ref *ref) {
  for (int i = 0; i < q->n; i++)
    if (q->refs[i]->kind == ref->kind && q->refs[i]->index == ref->index && q->refs[i]->name == ref->name) return i;
  return -1;
}

static void need(Query *q, const Ref *ref) {
  if (position(q, ref) < 0) {
    q->refs = realloc(q->refs, (size_t)(q->n + 1) * sizeof *q->refs);
    q->refs[q->n++] = ref;
  }
  q->scores |= ref->kind == REF_DERIVED;
}

static void metric(Query *q, const char *name) {
  buf_puts(&q->sql, "(SELECT value FROM scores m WHERE m.name = ? AND m.candidate = b.id ORDER BY m.n DESC LIMIT 1)");
  lens_bind(&q->bind, cell_text(name));
}

/* All rows of the table are seen: they count from 1 without a gap. */
static bool unfiltered(const Lens *lens, const LensTable *table) {
  return table->table >= 0 && table->table != RECORD_candidates && view_shows_all(lens->view) && !strcmp(lens->view->subject, "run");
}

static void column(Query *q, const Lens *lens, const LensTable *table, const Ref *ref) {
  const char *name = table->table >= 0 && ref->kind == REF_COLUMN ? store_tables[table->table].columns[ref->index].name : NULL;
  switch (ref->kind) {
    case REF_COLUMN:
      if (table->table != RECORD_candidates) buf_printf(&q->sql, "\"%s\"", name);
      else if (ref->index == RECORD_candidates_id) buf_puts(&q->sql, "b.id");
      else buf_printf(&q->sql, "(SELECT k.\"%s\" FROM candidates k WHERE k.id = b.id AND k.\"%s\" IS NOT NULL ORDER BY k.n DESC LIMIT 1)", name, name);
      break;
    case REF_METRIC: metric(q, ref->name); break;
    case REF_CELL: buf_printf(&q->sql, "json_extract(r.value, '$[%d]')", ref->index); break;
    case REF_ORDINAL:
      if (unfiltered(lens, table)) buf_puts(&q->sql, "b.n");
      else buf_printf(&q->sql, "ROW_NUMBER() OVER (ORDER BY %s)", table->table >= 0 ? "b.n" : "r.key");
      break;
    case REF_DERIVED: buf_puts(&q->sql, "NULL"); break;      /* one level up */
  }
}

/* Candidates are their first row, with the last value of each column (column()). */
static void source(Query *q, const Lens *lens, const LensTable *table) {
  if (table->table < 0) {
    buf_puts(&q->sql, " FROM studies s, json_each(s.\"table\", '$.rows') r WHERE s.n = ?");
    lens_bind(&q->bind, cell_number(table->study));
  } else if (table->table == RECORD_candidates) {
    buf_puts(&q->sql, " FROM (SELECT MIN(n) AS n, id FROM candidates WHERE id IS NOT NULL");
    bool own = strcmp(lens->view->subject, "run") != 0;
    if (own) {
      buf_puts(&q->sql, " AND subject = ?");
      lens_bind(&q->bind, cell_text(lens->view->subject));
    }
    buf_puts(&q->sql, " GROUP BY id) b WHERE 1");
  } else {
    buf_printf(&q->sql, " FROM %s b WHERE 1", store_tables[table->table].name);
    lens_row_filter(lens, (StoreTable)table->table, &q->sql, &q->bind);
  }
}

static const char *const comparisons[] = {[OP_NONE] = "=", [OP_LT] = "<", [OP_GT] = ">", [OP_LE] = "<=", [OP_GE] = ">=", [OP_NE] = "<>"};

static void inner(Query *q, const Lens *lens, const LensTable *table) {
  buf_puts(&q->sql, "WITH a AS (SELECT ");
  for (int i = 0; i < q->n; i++) {
    column(q, lens, table, q->refs[i]);
    buf_printf(&q->sql, " AS c%d, ", i);
  }
  if (q->scores) {
    metric(q, "score");
    buf_puts(&q->sql, " AS score_, ");
  }
  buf_printf(&q->sql, "%s AS order_", table->table >= 0 ? "b.n" : "r.key");
  source(q, lens, table);
  buf_puts(&q->sql, "), t AS (SELECT ");
  for (int i = 0; i < q->n; i++) {
    if (q->refs[i]->kind == REF_DERIVED) buf_puts(&q->sql, derived_columns[q->refs[i]->index].sql);
    else buf_printf(&q->sql, "c%d", i);
    buf_printf(&q->sql, " AS c%d, ", i);
  }
  buf_puts(&q->sql, "order_ FROM a) ");
}

static void filter(Query *q, const LensQuery *query) {
  for (int i = 0; i < query->nwhere; i++) {
    const LensFilter *f = &query->where[i];
    buf_printf(&q->sql, " %s c%d %s ?", i ? "AND" : "WHERE", position(q, &f->of), comparisons[f->op]);
    lens_bind(&q->bind, f->value);
  }
}

/* Numbers first in either direction, then text ("nan"), then what is not there. */
static void order(Query *q, const LensQuery *query) {
  buf_puts(&q->sql, " ORDER BY ");
  for (int i = 0; i < query->nsort; i++) {
    int c = position(q, &query->sort[i].of);
    bool always = query->sort[i].of.kind == REF_ORDINAL;      /* and sorted by it already */
    if (!always) buf_printf(&q->sql, "c%d IS NULL, ", c);
    if (query->sort[i].of.type == STORE_NUMBER) buf_printf(&q->sql, "typeof(c%d) = 'text', ", c);
    buf_printf(&q->sql, "c%d %s, ", c, query->sort[i].descending ? "DESC" : "ASC");
  }
  buf_puts(&q->sql, "order_");
}

static void begin(Query *q, const LensQuery *query) {
  for (int i = 0; i < query->ncolumns; i++) need(q, &query->columns[i]);
  for (int i = 0; i < query->nsort; i++) need(q, &query->sort[i].of);
  for (int i = 0; i < query->nwhere; i++) need(q, &query->where[i].of);
}

static Status run(Lens *lens, Query *q, StoreRows *out) {
  Status status = store_select(lens->store, buf_str(&q->sql), q->bind.cells, q->bind.n, out);
  free(q->refs);
  free(q->bind.cells);
  buf_free(&q->sql);
  return status;
}

Status lens_rows(Lens *lens, const LensTable *table, const LensQuery *query, StoreRows *out) {
  Query q = {0};
  begin(&q, query);
  inner(&q, lens, table);
  buf_puts(&q.sql, "SELECT ");
  for (int i = 0; i < query->ncolumns; i++) buf_printf(&q.sql, "%sc%d", i ? ", " : "", position(&q, &query->columns[i]));
  buf_puts(&q.sql, " FROM t");
  filter(&q, query);
  order(&q, query);
  if (query->limit) buf_printf(&q.sql, " LIMIT %ld", query->limit);
  return run(lens, &q, out);
}

Status lens_count(Lens *lens, const LensTable *table, const LensQuery *query, double *out) {
  Query q = {0};
  StoreRows rows = {0};
  if (!query->nwhere && unfiltered(lens, table)) {
    buf_printf(&q.sql, "SELECT MAX(n) FROM %s", store_tables[table->table].name);
    TRY(run(lens, &q, &rows));
    *out = rows.nrows ? store_cell(&rows, 0, 0)->number : 0;
    store_rows_free(&rows);
    return 0;
  }
  for (int i = 0; i < query->nwhere; i++) need(&q, &query->where[i].of);
  inner(&q, lens, table);
  buf_puts(&q.sql, "SELECT COUNT(*) FROM t");
  filter(&q, query);
  TRY(run(lens, &q, &rows));
  *out = rows.nrows ? store_cell(&rows, 0, 0)->number : 0;
  store_rows_free(&rows);
  return 0;
}
