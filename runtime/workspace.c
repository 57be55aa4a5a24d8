#include "workspace.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../numerics/atomic.h"
#include "trajectory_read.h"

enum { LEAST_SNAPSHOTS = 5 };        /* of an interval: more than the knot intervals of the test functions */

static const Span nowhere;

static char *join(const char *dir, const char *name) {
  Buf path = {0};
  buf_printf(&path, "%s/%s", dir, name);
  char *text = strdup(buf_str(&path));
  buf_free(&path);
  return text;
}

bool workspace_exists(const char *dir) {
  char *db = join(dir, "run.db");
  bool there = access(db, F_OK) == 0;
  free(db);
  return there;
}

/* ---- making ---- */

static bool make_under(Host *host, const char *dir, const char *name) {
  char *path = join(dir, name);
  bool fine = mkdir(path, 0777) == 0;
  if (!fine) diag_report(&host->diags, E3204, nowhere, "`%s` cannot be made: %s", path, strerror(errno));
  free(path);
  return fine;
}

static bool write_text(Host *host, const char *dir, const char *name, const Buf *text) {
  char *path = join(dir, name);
  bool fine = host_write_file(host, path, text, nowhere);
  free(path);
  return fine;
}

static Status setting(Store *store, const char *name, const char *value) {
  Cell row[RECORD_settings_COLUMNS] = {cell_text(name), cell_text(value)};
  return store_append(store, RECORD_settings, row, RECORD_settings_COLUMNS);
}

/* data/STEM.npz: of two files with one stem the second gets a number. */
static void data_names(const WorkspaceSpec *spec, char **names) {
  for (int k = 0; k < spec->npaths; k++) {
    const char *slash = strrchr(spec->path[k], '/'), *base = slash ? slash + 1 : spec->path[k], *dot = strrchr(base, '.');
    Buf name = {0};
    buf_puts(&name, "data/");
    buf_add(&name, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
    buf_puts(&name, ".npz");
    if (k && !strcmp(names[0], buf_str(&name))) {
      name.len -= strlen(".npz");
      buf_puts(&name, "-2.npz");
    }
    names[k] = strdup(buf_str(&name));
    buf_free(&name);
  }
}

static Status write_data(Host *host, Store *store, const char *dir, const WorkspaceSpec *spec, const Trajectory *trajectory, const int *start, char **names) {
  for (int k = 0; k < spec->npaths; k++) {
    ArrayFile file;
    char *path = join(dir, names[k]), hex[65];
    struct stat st = {0};
    trajectory_to_arrays(&trajectory[k], spec->state, 0, start[TRAJECTORY_SEALED], &file);
    Status status = npz_write(path, &file, &host->diags, nowhere);
    if (!status) status = seal_digest(path, hex) ? 0 : atomic_refuse(path, "read", errno, &host->diags, nowhere);
    if (!status) stat(path, &st);
    arrays_free(&file);
    free(path);
    TRY(status);
    Cell row[RECORD_inputs_COLUMNS] = {cell_text(names[k]), cell_text("data"), cell_number((double)st.st_size), cell_text(hex)};
    TRY(store_append(store, RECORD_inputs, row, RECORD_inputs_COLUMNS));
  }
  return 0;
}

static Status write_rows(Store *store, Diags *diags, const WorkspaceSpec *spec, const Trajectory *trajectory, const int *start, const char *commitment, const long *missing) {
  Buf text = {0};
  Ledger *ledger = NULL;
  Cell course[RECORD_course_COLUMNS] = {cell_text("started"), {0}, cell_text(PDE_VERSION)};
  TRY(store_append(store, RECORD_course, course, RECORD_course_COLUMNS));
  if (spec->script) TRY(setting(store, "script", spec->script));
  TRY(setting(store, "discovery", spec->discovery));
  TRY(setting(store, "declaration", spec->declaration));
  TRY(setting(store, "state", spec->state));
  TRY(setting(store, "commitment", commitment));
  buf_printf(&text, "%d %d %d", spec->dim, trajectory->nx, trajectory->ny);
  TRY(setting(store, "grid", buf_str(&text)));
  buf_clear(&text);
  for (int k = 0; k <= TRAJECTORY_SEALED; k++) buf_printf(&text, "%s%d", k ? " " : "", start[k]);
  TRY(setting(store, "intervals", buf_str(&text)));
  buf_clear(&text);
  buf_printf(&text, "%ld %ld", missing[0], missing[1]);
  TRY(setting(store, "missing", buf_str(&text)));
  TRY(setting(store, "times", trajectory_uniform(trajectory, 0, start[TRAJECTORY_SEALED]) ? "uniform" : "nonuniform"));
  buf_free(&text);
  TRY(ledger_open(store, "unique_evals", "user", diags, &ledger));
  Status status = ledger_limit(ledger, spec->budget, "the budget of the discovery");
  ledger_close(ledger);
  return status;
}

static Status fill(Host *host, const WorkspaceSpec *spec, const char *dir, const Trajectory *trajectory, const int *start, const Seal *seal, const long *missing) {
  Store *store = NULL;
  Buf text = {0};
  char *names[SEAL_FILES] = {0};
  data_names(spec, names);
  Status status = store_create(dir, &host->diags, &store);
  if (!status) status = !make_under(host, dir, "data") || !make_under(host, dir, "notes");
  if (!status) status = store_begin(store);
  if (!status) status = write_data(host, store, dir, spec, trajectory, start, names);
  if (!status) status = write_rows(store, &host->diags, spec, trajectory, start, seal->commitment, missing);
  if (!status) status = store_commit(store);
  if (!status) {
    workspace_task(spec, trajectory, start, names, seal->commitment, &text);
    status = !write_text(host, dir, "TASK.md", &text);
    buf_clear(&text);
    workspace_language(spec, &text);
    if (!status) status = !write_text(host, dir, "LANGUAGE.md", &text);
    buf_clear(&text);
    buf_printf(&text, "# Notes on %s\n\nWhat was tried, what it taught, what comes next. This file is yours.\n", spec->discovery);
    if (!status) status = !write_text(host, dir, "notes/notes.md", &text);
  }
  for (int k = 0; k < SEAL_FILES; k++) free(names[k]);
  buf_free(&text);
  store_close(store);
  return status;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *walk) {
  (void)st;
  (void)flag;
  (void)walk;
  return remove(path);
}

/* Under a name beside `dir`, which it then gets. */
static Status put_in_place(Host *host, const WorkspaceSpec *spec, const char *dir, const Trajectory *trajectory, const int *start, const Seal *seal, const long *missing, bool *made) {
  Buf temp = {0};
  size_t n = strlen(dir);
  while (n > 1 && dir[n - 1] == '/') n--;
  buf_add(&temp, dir, n);
  char *final = strdup(buf_str(&temp));
  buf_puts(&temp, ".XXXXXX");
  Status status = 0;
  if (!mkdtemp(temp.text)) {
    diag_report(&host->diags, E3204, nowhere, "the workspace `%s` cannot be made: %s", dir, strerror(errno));
    status = 1;
  } else {
    chmod(temp.text, 0755);
    status = fill(host, spec, temp.text, trajectory, start, seal, missing);
    *made = !status && rename(temp.text, final) == 0;
    if (!status && !*made && !(spec->shared && workspace_exists(final))) {
      diag_suggest(diag_report(&host->diags, E3200, nowhere, "`%s` cannot become a workspace: %s", dir, strerror(errno)), "name a new directory");
      status = 1;
    }
    if (!*made) nftw(temp.text, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  }
  free(final);
  buf_free(&temp);
  return status;
}

static Status check_data(Host *host, const WorkspaceSpec *spec, const Trajectory *trajectory, const int *start, long *missing) {
  for (int k = 0; k < spec->npaths; k++)
    TRY(trajectory_values(&trajectory[k], 0, start[TRAJECTORY_SEALED], spec->path[k], &host->diags, spec->span, &missing[k]));
  if (missing[0] || missing[1])
    diag_report(&host->diags, W4030, spec->span, "of %zu values of `%s` in the first three intervals %ld are missing in `%s` and %ld in `%s`",
                (size_t)start[TRAJECTORY_SEALED] * trajectory_nodes(&trajectory[0]), spec->state, missing[0], spec->path[0], missing[1], spec->path[1]);
  return 0;
}

Status workspace_make(Host *host, const WorkspaceSpec *spec, const char *dir) {
  TrajectoryForm form = {.state = spec->state, .dim = spec->dim};
  Trajectory trajectory[SEAL_FILES] = {{0}};
  Seal seal = {0};
  int start[TRAJECTORY_INTERVALS + 1];
  long missing[SEAL_FILES] = {0};
  bool made = false;
  if (spec->npaths != SEAL_FILES) {
    diag_suggest(diag_report(&host->diags, E4038, spec->span, "a discovery has %d trajectories, not %d: laws are fitted on one and scored on the other", SEAL_FILES, spec->npaths), "trajectories: \"a.npz\", \"b.npz\"");
    return 1;
  }
  Status status = 0;
  for (int k = 0; k < spec->npaths && !status; k++) status = trajectory_read(host, spec->path[k], &form, spec->span, &trajectory[k]);
  if (!status) status = trajectory_agree(&trajectory[0], spec->path[0], &trajectory[1], spec->path[1], &host->diags, spec->span);
  if (!status) status = trajectory_cut(&trajectory[0], LEAST_SNAPSHOTS, spec->path[0], &host->diags, spec->span, start);
  if (!status) status = check_data(host, spec, trajectory, start, missing);
  if (!status) {
    status = seal_make(host, spec->path, trajectory, spec->npaths, &form, start, spec->span, &seal);
    if (!status) status = put_in_place(host, spec, dir, trajectory, start, &seal, missing, &made);
    if (!made) seal_remove(&seal);
    seal_free(&seal);
  }
  for (int k = 0; k < SEAL_FILES; k++) trajectory_free(&trajectory[k]);
  return status;
}

/* ---- opening ---- */

static char *get_setting(Store *store, const char *name) {
  StoreRows rows = {0};
  Cell bind = cell_text(name);
  char *value = NULL;
  if (!store_select(store, "SELECT value FROM settings WHERE name = ? ORDER BY n LIMIT 1", &bind, 1, &rows) && rows.nrows && store_cell(&rows, 0, 0)->kind == CELL_TEXT)
    value = strdup(store_cell(&rows, 0, 0)->text);
  store_rows_free(&rows);
  return value;
}

static bool read_settings(Workspace *w) {
  char *grid = get_setting(w->store, "grid"), *intervals = get_setting(w->store, "intervals"), *commitment = get_setting(w->store, "commitment");
  w->discovery = get_setting(w->store, "discovery");
  w->declaration = get_setting(w->store, "declaration");
  w->state = get_setting(w->store, "state");
  bool fine = grid && intervals && commitment && w->discovery && w->declaration && w->state && strlen(commitment) == 64;
  fine = fine && sscanf(grid, "%d %d %d", &w->dim, &w->nx, &w->ny) == 3;
  fine = fine && sscanf(intervals, "%d %d %d %d", &w->start[0], &w->start[1], &w->start[2], &w->start[3]) == 4;
  char *missing = get_setting(w->store, "missing"), *times = get_setting(w->store, "times");
  fine = fine && missing && times && sscanf(missing, "%ld %ld", &w->missing[0], &w->missing[1]) == 2;
  w->uniform = fine && !strcmp(times, "uniform");
  free(missing);
  free(times);
  if (fine) strcpy(w->commitment, commitment);
  free(grid);
  free(intervals);
  free(commitment);
  return fine;
}

static bool read_inputs(Workspace *w) {
  StoreRows rows = {0};
  if (store_select(w->store, "SELECT path, sha256 FROM inputs WHERE role = 'data' ORDER BY n LIMIT 2", NULL, 0, &rows)) return false;
  bool fine = rows.nrows == SEAL_FILES;
  for (int k = 0; fine && k < SEAL_FILES; k++) {
    const Cell *path = store_cell(&rows, k, 0), *hex = store_cell(&rows, k, 1);
    fine = path->kind == CELL_TEXT && hex->kind == CELL_TEXT && strlen(hex->text) == 64;
    if (!fine) break;
    w->data[k] = join(w->dir, path->text);
    strcpy(w->sha256[k], hex->text);
  }
  store_rows_free(&rows);
  return fine;
}

Status workspace_open(Host *host, const char *dir, Workspace **out) {
  *out = NULL;
  if (!workspace_exists(dir)) {
    diag_suggest(diag_report(&host->diags, E4040, nowhere, "`%s` is no workspace of a discovery", dir), "make one by `pde init SCRIPT --run DIR`, and name it with --run");
    return 1;
  }
  Workspace *w = calloc(1, sizeof *w);
  w->host = host;
  w->dir = strdup(dir);
  Status status = store_open(dir, true, &host->diags, &w->store);
  if (!status && (!read_settings(w) || !read_inputs(w))) {
    if (!host->diags.nerrors) diag_suggest(diag_report(&host->diags, E4040, nowhere, "`%s` is the record of a run, but no workspace of a discovery", dir), "make one by `pde init SCRIPT --run DIR`");
    status = 1;
  }
  if (!status) status = ledger_open(w->store, "unique_evals", "user", &host->diags, &w->ledger);
  if (!status) *out = w;
  else workspace_close(w);
  return status;
}

void workspace_close(Workspace *w) {
  if (!w) return;
  ledger_close(w->ledger);
  store_close(w->store);
  for (int k = 0; k < SEAL_FILES; k++) free(w->data[k]);
  free(w->dir);
  free(w->discovery);
  free(w->declaration);
  free(w->state);
  free(w);
}

Status workspace_data(Workspace *w, int k, Trajectory *out) {
  Host *host = w->host;
  TrajectoryForm form = {.state = w->state, .dim = w->dim};
  char hex[65];
  *out = (Trajectory){0};
  if (seal_digest(w->data[k], hex) && !strcmp(hex, w->sha256[k])) return trajectory_read(host, w->data[k], &form, nowhere, out);
  diag_suggest(diag_report(&host->diags, E3205, nowhere, "`%s` is missing or was changed", w->data[k]), "the data of a workspace are fixed: make a new one");
  return 1;
}

HeiData workspace_hei_data_of(const Workspace *w, const Trajectory *grid, double *const u[SEAL_FILES]) {
  HeiData data = {.nx = grid->nx, .ny = grid->ny, .x = {grid->x[0], grid->x[grid->nx - 1]}, .t = grid->t, .stride = grid->nt};
  if (grid->y) data.y[0] = grid->y[0], data.y[1] = grid->y[grid->ny - 1];
  for (int k = 0; k <= HEI_INTERVALS; k++) data.start[k] = w->start[k];
  for (int k = 0; k < SEAL_FILES; k++) data.u[k] = u[k];
  return data;
}

HeiData workspace_hei_data(const Workspace *w, const Trajectory trajectory[SEAL_FILES], double *u[SEAL_FILES]) {
  for (int k = 0; k < SEAL_FILES; k++) u[k] = trajectory_by_nodes(&trajectory[k]);
  return workspace_hei_data_of(w, &trajectory[0], u);
}
