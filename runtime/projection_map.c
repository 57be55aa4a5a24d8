/* Pictures of a view: fields that the record holds, drawn by the engine on one scale, and files that the run drew. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "lens.h"
#include "projection.h"

enum { FIELDS_MOST = 24 };

/* --- files that the run drew --- */

static const char *media_of(const char *path) {
  const char *dot = path ? strrchr(path, '.') : NULL;
  return !dot ? NULL : !strcmp(dot, ".png") ? "image/png" : !strcmp(dot, ".svg") ? "image/svg+xml" : NULL;
}

static bool project_pictures(Lens *lens, Projection *p, ProjectedPictures pictures) {
  Buf sql = {0};
  LensBind bind = {0};
  StoreRows rows = {0};
  buf_puts(&sql, "SELECT path, sha256 FROM files WHERE sha256 IS NOT NULL AND (path LIKE '%.png' OR path LIKE '%.svg')");
  lens_row_filter(lens, RECORD_files, &sql, &bind);
  buf_puts(&sql, " ORDER BY n LIMIT 200");
  bool fine = !lens_shows_table(lens, RECORD_files) || !store_select(lens->store, buf_str(&sql), bind.cells, bind.n, &rows);
  for (int r = 0; fine && r < rows.nrows; r++) {
    const Cell *path = store_cell(&rows, r, 0), *hex = store_cell(&rows, r, 1);
    const char *media = path->kind == CELL_TEXT ? media_of(path->text) : NULL;
    if (!media || hex->kind != CELL_TEXT) continue;
    ProjectedBlock *b = projection_add(p, PROJECTED_PICTURE, path->text);
    if (pictures == PICTURES_IMAGE) fine = !store_get(lens->store, hex->text, &b->picture);
    b->media = strdup(media);
  }
  store_rows_free(&rows);
  free(bind.cells);
  buf_free(&sql);
  return fine;
}

/* --- fields --- */

typedef struct MapField {
  const char *subject, *name, *role, *unit, *hex;
  Value *value;        /* loaded */
} MapField;

static const char *text_of(const StoreRows *rows, int r, int c) { return store_cell(rows, r, c)->kind == CELL_TEXT ? store_cell(rows, r, c)->text : ""; }

/* `of submitted`: the candidate with that status. */
static Name subject_of(Lens *lens, Name of) {
  LensTable candidates = {.name = intern_text(lens->ev->host->names, "candidates"), .table = RECORD_candidates};
  Ref status;
  if (!of || strcmp(of, "submitted") || !lens_shows_table(lens, RECORD_candidates) || !lens_find(lens, &candidates, intern_text(lens->ev->host->names, "status"), &status)) return of;
  StoreRows rows = {0};
  if (!store_select(lens->store, "SELECT id FROM candidates WHERE status = 'submitted' ORDER BY n DESC LIMIT 1", NULL, 0, &rows) && rows.nrows) of = intern_text(lens->ev->host->names, text_of(&rows, 0, 0));
  store_rows_free(&rows);
  return of;
}

/* The last of each subject, name and role that the clause asks for: by name, by role, or `fields` for all; `sol.T` says the subject itself. */
static bool find_fields(Lens *lens, const ViewBlock *b, StoreRows *rows) {
  Buf sql = {0};
  LensBind bind = {0};
  Name of = subject_of(lens, b->of);
  buf_puts(&sql, "SELECT subject, name, role, unit, sha256, MAX(n) FROM fields WHERE sha256 IS NOT NULL");
  lens_row_filter(lens, RECORD_fields, &sql, &bind);
  if (of) {
    buf_puts(&sql, " AND subject = ?");
    lens_bind(&bind, cell_text(of));
  }
  buf_puts(&sql, " AND (0");
  for (int i = 0; i < b->ncolumns; i++) {
    const ViewName *name = &b->columns[i].of;
    if (!name->table && !strcmp(name->name, "fields")) buf_puts(&sql, " OR 1");
    buf_puts(&sql, name->table ? " OR (name = ? AND subject = ?)" : " OR name = ? OR role = ?");
    lens_bind(&bind, cell_text(name->name));
    lens_bind(&bind, cell_text(name->table ? name->table : name->name));
  }
  buf_printf(&sql, ") GROUP BY subject, name, role ORDER BY MAX(n) LIMIT %d", FIELDS_MOST);
  bool fine = !store_select(lens->store, buf_str(&sql), bind.cells, bind.n, rows);
  free(bind.cells);
  buf_free(&sql);
  return fine;
}

static Value *load_field(Lens *lens, const MapField *f) {
  Eval *ev = lens->ev;
  char *path;
  if (store_path(lens->store, f->hex, &path)) return value_poison();
  struct Store *record = ev->host->record;      /* what a view reads is no input of the run */
  ev->host->record = NULL;
  Value *text = value_string(path, strlen(path));
  Argument arg = {NULL, text, {0, 0}};
  Value *solution = builtin_apply(ev, builtin_find(ev->host, "load"), &arg, 1, (Span){0, 0});
  Value *field = is_poison(solution) ? value_poison() : solution_member(ev, solution, intern_text(ev->host->names, f->name), (Span){0, 0});
  ev->host->record = record;
  value_release(solution);
  value_release(text);
  free(path);
  return field;
}

static double extreme(Lens *lens, Value *field, const char *which) {
  Eval *ev = lens->ev;
  Value *size = field->kind == VALUE_FIELD && field->expr->shape.rank ? builtin_apply(ev, builtin_find(ev->host, "abs"), &(Argument){NULL, field, {0, 0}}, 1, (Span){0, 0}) : value_retain(field);
  Value *v = is_poison(size) ? value_retain(size) : builtin_apply(ev, builtin_find(ev->host, which), &(Argument){NULL, size, {0, 0}}, 1, (Span){0, 0});
  double x = v->kind == VALUE_NUMBER ? v->number : NAN;
  value_release(size);
  value_release(v);
  return x;
}

static bool draw(Lens *lens, const MapField *f, double lo, double hi, const char *title, ProjectedPictures pictures, Buf *out) {
  Host *host = lens->ev->host;
  Value *owner = NULL;
  Mesh *mesh = value_mesh(f->value, &owner);
  char path[] = "/tmp/pde-map-XXXXXX.png";
  int fd = pictures == PICTURES_IMAGE ? mkstemps(path, 4) : -1;
  if (!mesh || (pictures == PICTURES_IMAGE && fd < 0)) {
    diag_report(&host->diags, E3213, (Span){0, 0}, "the field `%s` cannot be drawn: %s", f->name, mesh ? "there is no room in /tmp" : "it has no mesh");
    return false;
  }
  PlotRequest r = {.kind = PLOT_FIELD, .expr = expr_specialise(host->pool, f->value->expr, mesh->dim), .lo = lo, .hi = hi, .deform_scale = NAN, .title = title, .label = f->name,
                   .unit = f->unit[0] ? f->unit : NULL, .unit_scale = 1, .length_scale = 1, .length_unit = host->uses_units ? "m" : NULL, .out = out, .width = pictures == PICTURES_TEXT ? 72 : 0};
  if (pictures == PICTURES_IMAGE) r.path = path;
  const EngineApi *api = host_engine(host, (Span){0, 0});
  WorldBuffers w;
  world_open(lens->ev, &f->value->deps, NAN, &w);
  bool fine = api && !api->plot(host->engine, &r, mesh, &w.world, &host->diags, (Span){0, 0});
  world_close(&w);
  if (fd < 0) return fine;
  close(fd);
  FILE *file = fine ? fopen(path, "rb") : NULL;
  char block[1 << 16];
  if (file)
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) buf_add(out, block, n);
  if (file) fclose(file);
  unlink(path);
  return fine;
}

static bool wants_difference(const ViewBlock *b, const MapField *fields, int n, int *truth, int *prediction) {
  bool asked = false;
  *truth = *prediction = -1;
  for (int i = 0; i < b->ncolumns; i++) asked |= !strcmp(b->columns[i].of.name, "difference");
  for (int i = 0; i < n; i++) {
    if (!strcmp(fields[i].role, "difference")) asked = false;
    if (!strcmp(fields[i].role, "truth")) *truth = i;
    if (!strcmp(fields[i].role, "prediction")) *prediction = i;
  }
  return asked && *truth >= 0 && *prediction >= 0;
}

static void map_title(Buf *out, const MapField *f) {
  buf_printf(out, "%s%s%s", f->subject, f->subject[0] ? "." : "", f->name);
  if (strcmp(f->role, "solution")) buf_printf(out, ", %s", f->role);
}

bool project_map(Lens *lens, Projection *p, const ViewBlock *view, ProjectedPictures pictures) {
  if (view->ncolumns == 1 && !view->columns[0].of.table && !strcmp(view->columns[0].of.name, "pictures")) return project_pictures(lens, p, pictures);
  StoreRows rows = {0};
  if (lens_shows_table(lens, RECORD_fields) && !find_fields(lens, view, &rows)) return false;
  MapField fields[FIELDS_MOST + 1];
  int n = rows.nrows, truth, prediction;
  bool fine = true, alone = lens->ev->host->api == NULL || lens->ev->host->api->nranks() == 1;
  double lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < n; i++) fields[i] = (MapField){text_of(&rows, i, 0), text_of(&rows, i, 1), text_of(&rows, i, 2), text_of(&rows, i, 3), text_of(&rows, i, 4), NULL};
  bool drawn = pictures != PICTURES_NONE && alone;
  for (int i = 0; drawn && fine && i < n; i++) {
    fields[i].value = load_field(lens, &fields[i]);
    fine = !is_poison(fields[i].value);
  }
  if (fine && drawn && wants_difference(view, fields, n, &truth, &prediction)) {
    fields[n] = fields[prediction];
    fields[n].role = "difference";
    fields[n].value = eval_binary(lens->ev, OP_SUB, fields[prediction].value, fields[truth].value, view->span, view->span, view->span);
    fine = !is_poison(fields[n++].value);
  }
  for (int i = 0; drawn && fine && i < n; i++) {
    lo = fmin(lo, extreme(lens, fields[i].value, "min"));
    hi = fmax(hi, extreme(lens, fields[i].value, "max"));
  }
  for (int i = 0; fine && i < n; i++) {
    Buf title = {0};
    map_title(&title, &fields[i]);
    ProjectedBlock *b = projection_add(p, PROJECTED_PICTURE, buf_str(&title));
    if (drawn) {
      fine = draw(lens, &fields[i], lo < hi ? lo : NAN, lo < hi ? hi : NAN, buf_str(&title), pictures, &b->picture);
      b->media = strdup(pictures == PICTURES_IMAGE ? "image/png" : "text/plain");
    } else if (!alone) b->note = strdup("drawn by `pde view`, on one process");
    buf_free(&title);
  }
  if (fine && !n) {
    ProjectedBlock *b = projection_add(p, PROJECTED_PICTURE, "fields");
    b->note = strdup("no field of that name is in the record");
  }
  for (int i = 0; drawn && i < n; i++) value_release(fields[i].value);
  store_rows_free(&rows);
  return fine;
}
