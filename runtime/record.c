#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../lang/sha256.h"
#include "bi_solving.h"
#include "pde_value.h"
#include "value_json.h"
#include "view.h"

enum { LARGEST_COPY = 64 << 20, LARGEST_FIELD = 4000000 };      /* bytes of a file, degrees of freedom over all states of a solution, that are kept */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void emit(Host *host) {
  Buf text = host->held;
  host->held = (Buf){0};
  if (text.len) host_print(host, buf_str(&text), text.len);
  buf_free(&text);
}

/* Also where the record cannot be written: what comes is not in it, and that was said. */
static void stop(Host *host) {
  store_close(host->record);
  host->record = NULL;
  host->record_open = false;
  emit(host);
}

void record_settle(Host *host) {
  if (!host->record_open) return;
  host->record_open = false;
  if (host->record && store_commit(host->record)) stop(host);
  emit(host);
}

void record_tick(Host *host) {
  if (host->record_open && now() - host->record_since > 0.02) record_settle(host);
}

bool record_holds(Host *host, const char *text, size_t len) {
  if (!host->record_open) return false;
  buf_add(&host->held, text, len);
  record_tick(host);
  return true;
}

static bool open_group(Host *host) {
  if (host->record_open) return true;
  if (store_begin(host->record)) {
    stop(host);
    return false;
  }
  host->record_open = true;
  host->record_since = now();
  return true;
}

void record_append(Host *host, StoreTable table, const Cell *cells, int n) {
  if (host->record && open_group(host) && store_append(host->record, table, cells, n)) stop(host);
}

static void setting(Host *host, const char *name, const char *value) {
  Cell row[RECORD_settings_COLUMNS] = {cell_text(name), cell_text(value)};
  record_append(host, RECORD_settings, row, RECORD_settings_COLUMNS);
}

static void course(Host *host, const char *what, Cell status) {
  Cell row[RECORD_course_COLUMNS] = {cell_text(what), status, cell_text(PDE_VERSION)};
  record_append(host, RECORD_course, row, RECORD_course_COLUMNS);
}

/* --- the run --- */

static void settings(Host *host, const char *command) {
  setting(host, "command", command);
  for (int i = 0; i < host->noverrides; i++) {
    Buf name = {0};
    buf_printf(&name, "-D %s", host->overrides[i].name);
    setting(host, buf_str(&name), host->overrides[i].text);
    buf_free(&name);
  }
  Buf rest = {0};
  for (int i = 0; i < host->engine_options.argc; i++) buf_printf(&rest, "%s%s", i ? " " : "", host->engine_options.argv[i]);
  if (rest.len) setting(host, "PETSc options", buf_str(&rest));
  buf_free(&rest);
  static const char *const variables[] = {"PDE_JIT", "OMP_NUM_THREADS"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (getenv(variables[i])) setting(host, variables[i], getenv(variables[i]));
}

Status record_start(Host *host, const char *dir, const char *command, const Source *script) {
  if (!host_is_first_rank(host)) return 0;
  TRY(store_create(dir, &host->diags, &host->record));
  course(host, "started", (Cell){0});
  settings(host, command);
  if (script) setting(host, "script", script->path);
  if (script) record_input(host, script->path, "script", script->text, script->len);
  record_settle(host);
  return host->record ? 0 : 1;
}

/* manifest.json: what a reader without SQLite wants to know. */
static Json *manifest(Host *host, ExitStatus status) {
  Json *root = json_object(), *options = json_object(), *inputs = json_array();
  StoreRows rows = {0};
  json_put(root, "v", json_number(RECORD_VERSION));
  json_put(root, "pde", json_string(PDE_VERSION));
  json_put(root, "status", json_number(status));
  if (!store_select(host->record, "SELECT name, value FROM settings ORDER BY n", NULL, 0, &rows))
    for (int i = 0; i < rows.nrows; i++) json_put(options, store_cell(&rows, i, 0)->text, json_string(store_cell(&rows, i, 1)->text));
  store_rows_free(&rows);
  if (!store_select(host->record, "SELECT path, role, bytes, sha256 FROM inputs ORDER BY n", NULL, 0, &rows))
    for (int i = 0; i < rows.nrows; i++) {
      Json *input = json_object();
      json_put(input, "path", json_string(store_cell(&rows, i, 0)->text));
      json_put(input, "role", json_string(store_cell(&rows, i, 1)->text));
      json_put(input, "bytes", json_number(store_cell(&rows, i, 2)->number));
      json_put(input, "sha256", json_string(store_cell(&rows, i, 3)->text));
      json_append(inputs, input);
    }
  store_rows_free(&rows);
  json_put(root, "settings", options);
  json_put(root, "inputs", inputs);
  return root;
}

/* Of PETSc, MPI and the others, as they were loaded; a line each. */
static void libraries(Host *host) {
  Buf text = {0};
  if (!host->api) return;
  host->api->versions(&text);
  while (text.len && text.text[text.len - 1] == '\n') text.text[--text.len] = 0;
  setting(host, "libraries", buf_str(&text));
  buf_free(&text);
}

void record_finish(Host *host, ExitStatus status) {
  if (!host->record) return;
  libraries(host);
  for (int i = 1; i < host->nmodules; i++) {
    const Source *source = host->modules[i]->program ? host->modules[i]->program->source : NULL;
    if (source && strcmp(source->path, "<stored script>")) record_input(host, source->path, "import", source->text, source->len);
  }
  course(host, "finished", cell_number(status));
  record_settle(host);
  if (!host->record) return;
  Buf path = {0}, text = {0};
  Json *root = manifest(host, status);
  json_print(&text, root, NULL);
  buf_putc(&text, '\n');
  buf_printf(&path, "%s/manifest.json", store_directory(host->record));
  host_write_file(host, buf_str(&path), &text, (Span){0, 0});
  json_free(root);
  buf_free(&path);
  buf_free(&text);
  stop(host);
}

/* --- what it does --- */

void record_printed(Host *host, const char *name, const Value *v, const char *text, const char *json) {
  if (!host->record) return;
  Buf unit = {0};
  bool number = v->kind == VALUE_NUMBER;
  if (number && !v->unit.any) unit_print_short(&unit, v->unit);
  Cell row[RECORD_printed_COLUMNS] = {cell_text(name), cell_text(value_kind_name(v)), cell_text(text), number ? cell_number(v->number) : (Cell){0}, cell_text(unit.len ? buf_str(&unit) : NULL), cell_text(json)};
  record_append(host, RECORD_printed, row, RECORD_printed_COLUMNS);
  buf_free(&unit);
}

/* As `pde run --json` writes it: a field of verdicts is a column of the same name. */
void record_verdict(Host *host, const Verdict *verdict) {
  if (!host->record) return;
  Json *json = verdict_to_json(verdict);
  Cell row[RECORD_verdicts_COLUMNS] = {{0}};
  Buf texts[RECORD_verdicts_COLUMNS] = {{0}};
  for (int c = 0; c < RECORD_verdicts_COLUMNS; c++) {
    const Json *field = json_get(json, store_tables[RECORD_verdicts].columns[c].name);
    double number;
    bool truth;
    if (field && json_number_of(field, &number)) row[c] = cell_number(number);
    else if (field && json_truth_of(field, &truth)) row[c] = cell_number(truth);
    else if (json_text_of(field)) row[c] = cell_text(json_text_of(field));
    else if (field && json_count(field)) {
      json_print(&texts[c], field, NULL);
      row[c] = cell_text(buf_str(&texts[c]));
    }
  }
  record_append(host, RECORD_verdicts, row, RECORD_verdicts_COLUMNS);
  for (int c = 0; c < RECORD_verdicts_COLUMNS; c++) buf_free(&texts[c]);
  json_free(json);
}

void record_file(Host *host, const char *path) {
  if (!host->record) return;
  struct stat st;
  char hex[65];
  double bytes;
  if (stat(path, &st) || !S_ISREG(st.st_mode)) return;      /* a pipe or device keeps nothing */
  bool keep = st.st_size <= LARGEST_COPY;
  if (keep && store_put_file(host->record, path, hex, &bytes)) return;
  Cell row[RECORD_files_COLUMNS] = {cell_text(path), cell_number((double)st.st_size), cell_text(keep ? hex : NULL)};
  record_append(host, RECORD_files, row, RECORD_files_COLUMNS);
}

void record_input(Host *host, const char *path, const char *role, const char *text, size_t len) {
  if (!host->record) return;
  char hex[65];
  if (store_put(host->record, text, len, hex)) return;
  Cell row[RECORD_inputs_COLUMNS] = {cell_text(path), cell_text(role), cell_number((double)len), cell_text(hex)};
  record_append(host, RECORD_inputs, row, RECORD_inputs_COLUMNS);
}

void record_data(Host *host, const char *path) {
  struct stat st;
  char hex[65];
  double bytes;
  if (!host->record || stat(path, &st) || !S_ISREG(st.st_mode)) return;
  bool keep = st.st_size <= LARGEST_COPY;
  if (keep && store_put_file(host->record, path, hex, &bytes)) return;
  Cell row[RECORD_inputs_COLUMNS] = {cell_text(path), cell_text("data"), cell_number((double)st.st_size), cell_text(keep ? hex : NULL)};
  record_append(host, RECORD_inputs, row, RECORD_inputs_COLUMNS);
}

void record_diag(Host *host, const Diag *diag) {
  static const char *const severities[] = {"error", "warning", "note"};
  if (!host->record) return;
  Place place = source_place(host->sources, diag->span.start);
  bool somewhere = diag->span.end && place.source;
  Cell row[RECORD_diagnostics_COLUMNS] = {cell_text(diag_rows[diag->code].code), cell_text(severities[diag->severity]), cell_text(diag->message), cell_text(somewhere ? place.source->path : NULL),
                                          somewhere ? cell_number(place.line) : (Cell){0}, somewhere ? cell_number(place.column) : (Cell){0}, cell_text(diag->suggestion)};
  record_append(host, RECORD_diagnostics, row, RECORD_diagnostics_COLUMNS);
}

/* --- what it made --- */

static void record_study(Host *host, Name name, const Value *v) {
  Buf text = {0};
  Json *json = value_to_json(v);
  json_print(&text, json_get(json, "value"), NULL);
  Cell row[RECORD_studies_COLUMNS] = {cell_text(name), cell_text(v->table->title), cell_number(v->table->nrows), cell_text(buf_str(&text))};
  record_append(host, RECORD_studies, row, RECORD_studies_COLUMNS);
  json_free(json);
  buf_free(&text);
}

static void record_history(Host *host, Name name, const Value *v) {
  Buf x_unit = {0}, unit = {0};
  unit_print_short(&x_unit, v->curve_xunit);
  unit_print_short(&unit, v->curve_yunit);
  for (int i = 0; i < v->ncurve && host->record; i++) {
    Cell row[RECORD_histories_COLUMNS] = {(Cell){0}, cell_text(name), cell_number(v->curve_x[i]), cell_number(v->curve_y[i]), cell_text(x_unit.len ? buf_str(&x_unit) : NULL), cell_text(unit.len ? buf_str(&unit) : NULL)};
    record_append(host, RECORD_histories, row, RECORD_histories_COLUMNS);
  }
  buf_free(&x_unit);
  buf_free(&unit);
}

static void record_equations(Host *host, Name name, const Value *v) {
  if (!v->pde->form || v->pde->failed) return;
  Buf text = {0};
  form_print(&text, v->pde->form, EXPR_TEXT);
  buf_putc(&text, '\n');
  form_print(&text, v->pde->form, EXPR_MATHML);
  Cell row[RECORD_equations_COLUMNS] = {cell_text(name), cell_text(buf_str(&text))};
  record_append(host, RECORD_equations, row, RECORD_equations_COLUMNS);
  buf_free(&text);
}

/* The file that save writes, so that views can draw it. */
static void record_fields(Host *host, Name name, const Value *v) {
  SolutionInfo info;
  host->api->solution_info(v->solution, &info);
  if (!host->record || !v->solution_pde || host->api->nranks() > 1 || (double)info.ndofs * (info.nstates > 0 ? info.nstates : 1) > LARGEST_FIELD) return;
  char path[] = "/tmp/pde-field-XXXXXX.h5", hex[65];
  int fd = mkstemps(path, 3);
  double bytes;
  if (fd < 0) return;
  close(fd);
  char *source = pde_source(v->solution_pde, NULL);
  int before = host->diags.nerrors;
  bool saved = !host->api->save(host->engine, v->solution, path, source, &host->diags, (Span){0, 0}) && host->diags.nerrors == before && !store_put_file(host->record, path, hex, &bytes);
  free(source);
  unlink(path);
  const Pde *pde = v->solution_pde->pde->pde;
  for (int i = 0; saved && i < pde->nunknowns; i++) {
    Buf unit = {0};
    unit_print_short(&unit, pde->unknowns[i].unit);
    Cell row[RECORD_fields_COLUMNS] = {cell_text(name), cell_text(pde->unknowns[i].name), cell_text("solution"), cell_text(unit.len ? buf_str(&unit) : NULL), cell_text("h5"), cell_text(hex)};
    record_append(host, RECORD_fields, row, RECORD_fields_COLUMNS);
    buf_free(&unit);
  }
}

static void record_solution(Host *host, Name name, const Value *v) {
  SolutionInfo info;
  host->api->solution_info(v->solution, &info);
  const Pde *pde = v->solution_pde ? v->solution_pde->pde->pde : NULL;
  if (!pde) return;
  Buf unknowns = {0};
  for (int i = 0; i < pde->nunknowns; i++) buf_printf(&unknowns, "%s%s", i ? ", " : "", pde->unknowns[i].name);
  Cell none = {0};
  Cell row[RECORD_solutions_COLUMNS] = {cell_text(name), cell_text(pde->name), cell_text(buf_str(&unknowns)), cell_number((double)info.ndofs), cell_number((double)info.mesh->global_cells),
                                        cell_text(info.solver), cell_number(info.iterations), cell_number(info.residual), info.transient ? cell_text(info.scheme) : none,
                                        info.transient ? cell_number((double)info.steps) : none, info.transient && info.nstates ? cell_number(info.times[info.nstates - 1]) : none};
  record_append(host, RECORD_solutions, row, RECORD_solutions_COLUMNS);
  buf_free(&unknowns);
}

static void record_number(Host *host, Name name, const Value *v) {
  Buf unit = {0};
  if (!v->unit.any) unit_print_short(&unit, v->unit);
  Cell row[RECORD_scores_COLUMNS] = {(Cell){0}, cell_text(name), cell_number(v->number), cell_text(unit.len ? buf_str(&unit) : NULL)};
  record_append(host, RECORD_scores, row, RECORD_scores_COLUMNS);
  buf_free(&unit);
}

static void record_view(Host *host, Name name, const Slot *slot) {
  const Source *source = slot->decl ? source_of(host->sources, slot->decl->span) : NULL;
  if (!source) return;
  char *text = strndup(source->text + (slot->decl->span.start - source->base), slot->decl->span.end - slot->decl->span.start);
  Cell row[RECORD_views_COLUMNS] = {cell_text(name), cell_text(text)};
  record_append(host, RECORD_views, row, RECORD_views_COLUMNS);
  free(text);
}

/* Its place among what is recorded; *new: it was not there. */
static int recorded(Host *host, Name name, Value *v, bool *new) {
  *new = false;
  for (int i = 0; i < host->nrecorded; i++)
    if (host->recorded[i].name == name && host->recorded[i].value == v) return i;
  *new = true;
  host->recorded = realloc(host->recorded, (size_t)(host->nrecorded + 1) * sizeof *host->recorded);
  host->recorded[host->nrecorded].name = name;
  host->recorded[host->nrecorded].value = value_retain(v);
  host->recorded[host->nrecorded].fields = false;
  return host->nrecorded++;
}

void record_names(Host *host, const Scope *scope, bool fields) {
  for (int i = 0; scope && host->record && i < scope->n; i++) {
    const Slot *slot = &scope->slots[i];
    Value *v = slot->value;
    bool number = v->kind == VALUE_NUMBER && !slot->imported;
    bool kept = (number || v->kind == VALUE_STUDY || v->kind == VALUE_HISTORY || v->kind == VALUE_PDE || v->kind == VALUE_VIEW || (v->kind == VALUE_SOLUTION && v->solution)) && v->known;
    if (!kept) continue;
    bool new;
    int at = recorded(host, slot->name, v, &new);
    if (fields && v->kind == VALUE_SOLUTION && !host->recorded[at].fields) {
      host->recorded[at].fields = true;
      record_fields(host, slot->name, v);
    }
    if (!new) continue;
    if (number) record_number(host, slot->name, v);
    else if (v->kind == VALUE_STUDY) record_study(host, slot->name, v);
    else if (v->kind == VALUE_HISTORY) record_history(host, slot->name, v);
    else if (v->kind == VALUE_PDE) record_equations(host, slot->name, v);
    else if (v->kind == VALUE_SOLUTION) record_solution(host, slot->name, v);
    else record_view(host, slot->name, slot);
  }
}
