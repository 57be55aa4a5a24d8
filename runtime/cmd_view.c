/* pde view: what a run recorded, through a view that is built in or that its script declared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "command.h"
#include "lens.h"
#include "projection.h"
#include "render.h"

/* An evaluator without a script: for names, units, and the engine where fields are drawn. */
static Eval open_eval(Host *host) {
  const Source *source = source_add(host->sources, "<view>", "", 0);
  Module *module = module_add(host, intern_text(host->names, "<view>"), parse_program(source, host->names, &host->diags, NULL));
  module->scope = scope_new(SCOPE_FILE, NULL);
  return (Eval){.host = host, .module = module, .scope = module->scope, .at_time = NAN};
}

static View *read_text(Eval *ev, const char *text, const char *origin) {
  Host *host = ev->host;
  const Source *source = source_add(host->sources, intern_text(host->names, origin), text, strlen(text));
  Program *program = source ? parse_program(source, host->names, &host->diags, NULL) : NULL;
  const Ast *decl = program && !host->diags.nerrors && program->root->n == 1 ? program->root->kid[0] : NULL;
  View *view = decl && decl->kind == AST_DECL && !strcmp(decl->name, "view") ? view_read(ev, decl) : NULL;
  if (!view && !host->diags.nerrors) diag_report(&host->diags, E3203, (Span){0, 0}, "the record holds something else in place of a view");
  program_release(program);
  return view;
}

static View *read_built_in(Eval *ev, const char *text) {
  View *view = read_text(ev, text, "<built-in view>");
  if (view) view->built_in = true;
  return view;
}

/* --- which view --- */

static bool has_rows(Eval *ev, Store *store, const char *table) {
  Buf sql = {0};
  StoreRows rows = {0};
  buf_printf(&sql, "SELECT 1 FROM %s LIMIT 1", table);
  bool some = !store_select(store, buf_str(&sql), NULL, 0, &rows) && rows.nrows;
  store_rows_free(&rows);
  buf_free(&sql);
  return some && !ev->host->diags.nerrors;
}

/* What `summary` shows: the clauses of the built-in views that tell of the result, of the tables that have rows. */
static const char *const summary_views[] = {"verdicts", "candidates", "equations", "solutions", "printed", "fields", "files", "diagnostics"};

enum { SUMMARY_ROWS = 20 };

static View *summary(Eval *ev, Store *store) {
  View *all = read_built_in(ev, "view summary of run { title \"Summary\"; value command, script, status }");
  for (size_t k = 0; all && k < sizeof summary_views / sizeof *summary_views; k++)
    for (int i = 0; i < builtin_view_count; i++) {
      const BuiltinView *row = &builtin_views[i];
      if (strcmp(row->name, summary_views[k]) || !has_rows(ev, store, row->table)) continue;
      View *one = read_built_in(ev, row->text);
      for (int b = 0; one && b < one->nblocks; b++) {
        all->blocks = realloc(all->blocks, (size_t)(all->nblocks + 1) * sizeof *all->blocks);
        ViewBlock *block = &all->blocks[all->nblocks++];
        *block = one->blocks[b];
        if (block->kind == VIEW_TABLE) block->limit = SUMMARY_ROWS;
      }
      if (one) one->nblocks = 0;
      view_free(one);
    }
  return all;
}

static View *script_view(Eval *ev, Store *store, const char *name) {
  StoreRows rows = {0};
  Cell bind = cell_text(name);
  View *view = NULL;
  if (!store_select(store, "SELECT text FROM views WHERE name = ? AND text IS NOT NULL ORDER BY n DESC LIMIT 1", &bind, 1, &rows) && rows.nrows && store_cell(&rows, 0, 0)->kind == CELL_TEXT)
    view = read_text(ev, store_cell(&rows, 0, 0)->text, "<view of the script>");
  store_rows_free(&rows);
  return view;
}

static void unknown_view(Eval *ev, Store *store, const char *name) {
  Host *host = ev->host;
  Name names[256];
  int n = 0;
  StoreRows rows = {0};
  if (store_select(store, "SELECT DISTINCT name FROM views WHERE name IS NOT NULL LIMIT 200", NULL, 0, &rows)) return;
  names[n++] = "summary";
  for (int i = 0; i < builtin_view_count; i++) names[n++] = builtin_views[i].name;
  for (int i = 0; i < rows.nrows; i++)
    if (store_cell(&rows, i, 0)->kind == CELL_TEXT) names[n++] = intern_text(host->names, store_cell(&rows, i, 0)->text);
  store_rows_free(&rows);
  Diag *d = diag_report(&host->diags, E3212, (Span){0, 0}, "the record has no view `%s`", name);
  Name near = nearest_name(name, names, n);
  if (near) diag_suggest(d, "did you mean `%s`?", near);
  else diag_suggest(d, "`pde view RECORD` lists them");
}

static View *find_view(Eval *ev, Store *store, const char *name) {
  View *view = script_view(ev, store, name);
  if (view || ev->host->diags.nerrors) return view;
  if (!strcmp(name, "summary")) return summary(ev, store);
  for (int i = 0; i < builtin_view_count; i++)
    if (!strcmp(builtin_views[i].name, name)) return read_built_in(ev, builtin_views[i].text);
  unknown_view(ev, store, name);
  return NULL;
}

/* --- the list --- */

typedef struct Listing { Json *views, *tables; Buf text; } Listing;

static void list_view(Listing *l, const char *name, const char *title, bool own) {
  Json *view = json_object();
  json_put(view, "name", json_string(name));
  json_put(view, "title", json_string(title));
  json_append(l->views, view);
  buf_printf(&l->text, "  %-14s %s\n", name, own ? "declared by the script" : title);
}

static void list_columns(Listing *l, Lens *lens, const LensTable *table, Json *json) {
  Ref *refs;
  Json *columns = json_array();
  int n = lens_columns(lens, table, &refs);
  size_t width = 0;
  for (int c = 0; c < n; c++) {
    json_append(columns, json_string(refs[c].name));
    if (c && width > 76) buf_puts(&l->text, ",\n                          "), width = 0;
    else if (c) buf_puts(&l->text, ", ");
    buf_puts(&l->text, refs[c].name);
    width += strlen(refs[c].name) + 2;
  }
  buf_putc(&l->text, '\n');
  json_put(json, "columns", columns);
  free(refs);
}

/* Rows are only added, so the last has their number. */
static double row_count(Store *store, const char *table) {
  Buf sql = {0};
  StoreRows rows = {0};
  buf_printf(&sql, "SELECT MAX(n) FROM %s", table);
  double n = !store_select(store, buf_str(&sql), NULL, 0, &rows) && rows.nrows ? store_cell(&rows, 0, 0)->number : 0;
  store_rows_free(&rows);
  buf_free(&sql);
  return n;
}

static void list_table(Listing *l, Lens *lens, const LensTable *table, double rows) {
  Json *json = json_object();
  json_put(json, "name", json_string(table->name));
  json_put(json, "rows", json_number(rows));
  buf_printf(&l->text, "  %-14s %8.0f  ", table->name, rows);
  list_columns(l, lens, table, json);
  json_append(l->tables, json);
}

static bool list(Eval *ev, Store *store, Invocation *in) {
  Host *host = ev->host;
  View all = {.name = "all", .subject = "run"};
  Lens lens = {ev, store, &all};
  Listing l = {json_array(), json_array(), {0}};
  StoreRows own = {0};
  buf_puts(&l.text, "views\n");
  list_view(&l, "summary", "what came out", false);
  for (int i = 0; i < builtin_view_count; i++)
    if (has_rows(ev, store, builtin_views[i].table)) list_view(&l, builtin_views[i].name, builtin_views[i].title, false);
  if (!store_select(store, "SELECT DISTINCT name FROM views WHERE name IS NOT NULL ORDER BY n LIMIT 200", NULL, 0, &own))
    for (int i = 0; i < own.nrows; i++)
      if (store_cell(&own, i, 0)->kind == CELL_TEXT) list_view(&l, intern_text(host->names, store_cell(&own, i, 0)->text), NULL, true);
  store_rows_free(&own);
  buf_puts(&l.text, "tables             rows  columns\n");
  for (int t = 0; t < RECORD_TABLES; t++) {
    double n = row_count(store, store_tables[t].name);
    LensTable table = {.name = intern_text(host->names, store_tables[t].name), .table = t};
    if (n > 0) list_table(&l, &lens, &table, n);
  }
  Name *studies;
  int n = lens_studies(&lens, &studies);
  for (int i = 0; i < n; i++) {
    LensTable table;
    double rows = 0;
    if (!lens_table(&lens, &(ViewName){NULL, studies[i], {0, 0}}, &table)) break;
    lens_count(&lens, &table, &(LensQuery){0}, &rows);
    list_table(&l, &lens, &table, rows);
    lens_table_free(&table);
  }
  if (n >= 0) free(studies);
  bool fine = !host->diags.nerrors;
  if (in->json && fine) {
    in->result = json_object();
    json_put(in->result, "views", l.views);
    json_put(in->result, "tables", l.tables);
  } else {
    json_free(l.views);
    json_free(l.tables);
  }
  if (fine && !in->json) command_print("%s", buf_str(&l.text));
  buf_free(&l.text);
  return fine;
}

/* --- the command --- */

static const RendererRow *choose(Invocation *in, const char *file) {
  const char *format = invocation_option(in, "--format");
  const RendererRow *row = format ? renderer_find(format) : file ? renderer_of_path(file) : renderer_find("term");
  if (row) return row;
  Buf names = {0};
  for (int i = 0; i < renderer_count; i++) buf_printf(&names, "%s%s", i ? ", " : "", renderers[i].name);
  Diag *d = format ? diag_report(&in->host->diags, E0960, (Span){0, 0}, "pde view: there is no format `%s`", format)
                   : diag_report(&in->host->diags, E0516, (Span){0, 0}, "the name `%s` says no format of a view", file);
  diag_suggest(d, "formats are %s", buf_str(&names));
  buf_free(&names);
  return NULL;
}

static void show(Eval *ev, Store *store, Invocation *in, const RendererRow *row, const char *file) {
  View *view = find_view(ev, store, in->arguments[1]);
  Projection *p = view ? view_project(ev, store, view, in->json && !file ? PICTURES_NONE : row->pictures) : NULL;
  if (p && in->json && !file) in->result = projection_json(p);
  else if (p) {
    Buf out = {0};
    row->render(&out, p, &(RenderOptions){.colour = ev->host->colour && !file, .columns = ev->host->columns});
    if (file) host_write_file(ev->host, file, &out, (Span){0, 0});
    else host_print(ev->host, buf_str(&out), out.len);
    buf_free(&out);
  }
  projection_free(p);
  view_free(view);
}

ExitStatus cmd_view(Invocation *in) {
  Host *host = in->host;
  const char *file = invocation_option(in, "-o");
  const RendererRow *row = choose(in, file);
  Store *store = NULL;
  if (row && in->narguments < 2 && (file || invocation_option(in, "--format"))) {
    diag_suggest(diag_report(&host->diags, E0960, (Span){0, 0}, "pde view: which view? `pde view %s` lists them", in->arguments[0]), "`pde view %s summary`", in->arguments[0]);
    return host_finish(host);
  }
  if (row && !store_open(in->arguments[0], false, &host->diags, &store)) {
    Eval ev = open_eval(host);
    if (in->narguments > 1) show(&ev, store, in, row, file);
    else list(&ev, store, in);
  }
  store_close(store);
  return host_finish(host);
}
