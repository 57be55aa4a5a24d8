#include "store.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../lang/sha256.h"
#include "../numerics/atomic.h"

/* SQLite is loaded with the first record: linked, it would cost every start of pde 0.2 ms, as much as an empty program does. */
#define SQLITE_FUNCTIONS(F) \
  F(bind_double) F(bind_int64) F(bind_null) F(bind_text) F(busy_timeout) F(clear_bindings) F(close) F(column_count) \
  F(column_double) F(column_text) F(column_type) F(db_config) F(errmsg) F(errstr) F(exec) F(extended_result_codes) \
  F(finalize) F(last_insert_rowid) F(limit) F(open_v2) F(prepare_v2) F(reset) F(step)

static struct {
#define F(name) __typeof__(&sqlite3_##name) name;
  SQLITE_FUNCTIONS(F)
#undef F
  const char *why;       /* it is not there; NULL: it is */
} sqlite;

static void load_sqlite(void) {
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) sqlite.why = strdup(dlerror());
#define F(name)                                                                     \
  if (library && !(sqlite.name = (__typeof__(sqlite.name))dlsym(library, "sqlite3_" #name))) sqlite.why = "it lacks sqlite3_" #name;
  SQLITE_FUNCTIONS(F)
#undef F
}

static pthread_once_t sqlite_once = PTHREAD_ONCE_INIT;

static Status need_sqlite(Diags *diags) {
  pthread_once(&sqlite_once, load_sqlite);
  if (!sqlite.why) return 0;
  Diag *d = diag_report(diags, E3204, (Span){0, 0}, "SQLite, which keeps run records, cannot be loaded: %s", sqlite.why);
  diag_suggest(d, "install it: apt install libsqlite3-0");
  return 1;
}

enum { APPLICATION_ID = 0x50444552 /* "PDER" */, WAIT_MS = 20000, LONGEST_CELL = 64 << 20 };

const StoreTableRow store_tables[RECORD_TABLES] = {
#define TABLE(table, event, title) [RECORD_##table] = {#table, event, title, {
#define COLUMN(table, name, type, doc) {#name, STORE_##type, doc},
#define END(table) }, RECORD_##table##_COLUMNS},
#include "record.def"
#undef TABLE
#undef COLUMN
#undef END
};

int store_table_find(const char *name) {
  for (int t = 0; t < RECORD_TABLES; t++)
    if (!strcmp(store_tables[t].name, name)) return t;
  return -1;
}

int store_column_find(StoreTable table, const char *name) {
  for (int c = 0; c < store_tables[table].n; c++)
    if (!strcmp(store_tables[table].columns[c].name, name)) return c;
  return -1;
}

struct Store {
  sqlite3 *db;
  Diags *diags;
  char *dir;
  bool temporary, grouped, damaged;
  sqlite3_stmt *append[RECORD_TABLES], *event;
};

const char *store_directory(const Store *store) { return store->dir; }

/* --- errors --- */

static const Span nowhere;

/* What SQLite answered, as a diagnostic. */
static Status failed(Store *store, int rc) {
  const char *why = store->db ? sqlite.errmsg(store->db) : sqlite.errstr(rc);
  switch (rc & 0xff) {
    case SQLITE_NOMEM: diag_report(store->diags, E0001, nowhere, "memory is out, reading the record `%s`", store->dir); break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_MISMATCH:
    case SQLITE_ERROR:      /* our own statements are right: the schema is not what it was */
      if (store->damaged) break;      /* it was said, and every further look says the same */
      store->damaged = true;
      diag_suggest(diag_report(store->diags, E3203, nowhere, "the record `%s` is damaged: %s", store->dir, why), "the artefacts beside run.db and manifest.json may still be whole");
      break;
    default: {
      Diag *d = diag_report(store->diags, E3204, nowhere, "the record `%s` cannot be %s: %s", store->dir, (rc & 0xff) == SQLITE_CANTOPEN ? "opened" : "written", why);
      if ((rc & 0xff) == SQLITE_FULL) diag_suggest(d, "free some space; what was recorded before is whole");
      else if ((rc & 0xff) == SQLITE_BUSY) diag_suggest(d, "another process holds it for longer than %d s", WAIT_MS / 1000);
      else if ((rc & 0xff) == SQLITE_READONLY) diag_suggest(d, "write to a directory of your own");
    }
  }
  return 1;
}

static Status execute(Store *store, const char *sql) {
  int rc = sqlite.exec(store->db, sql, NULL, NULL, NULL);
  return rc ? failed(store, rc) : 0;
}

/* --- opening --- */

static char *join(const char *dir, const char *name) {
  Buf path = {0};
  buf_printf(&path, "%s/%s", dir, name);
  char *text = strdup(buf_str(&path));
  buf_free(&path);
  return text;
}

static void settle(sqlite3 *db) {
  sqlite.busy_timeout(db, WAIT_MS);
  sqlite.limit(db, SQLITE_LIMIT_LENGTH, LONGEST_CELL);
  sqlite.extended_result_codes(db, 1);
  sqlite.db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite.db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);      /* a record may come from anybody */
}

static Status open_database(Store *store, int flags) {
  char *path = join(store->dir, "run.db");
  int rc = sqlite.open_v2(path, &store->db, flags, NULL);
  free(path);
  if (rc) return failed(store, rc);
  settle(store->db);
  return 0;
}

static Status pragma(Store *store, const char *name, double *out) {
  Buf sql = {0};
  StoreRows rows = {0};
  buf_printf(&sql, "PRAGMA %s", name);
  Status status = store_select(store, buf_str(&sql), NULL, 0, &rows);
  *out = !status && rows.nrows ? store_cell(&rows, 0, 0)->number : 0;
  store_rows_free(&rows);
  buf_free(&sql);
  return status;
}

static const char *const type_names[] = {[STORE_TEXT] = "TEXT", [STORE_NUMBER] = "REAL", [STORE_INT] = "INTEGER", [STORE_BOOL] = "INTEGER", [STORE_JSON] = "TEXT", [STORE_EQUATION] = "TEXT", [STORE_ARTEFACT] = "TEXT", [STORE_TIME] = "REAL"};

/* What the views look rows up by. */
static const char indices[] =
    "CREATE INDEX candidates_id ON candidates(id, n);"
    "CREATE INDEX scores_name ON scores(name, candidate, n);"
    "CREATE INDEX histories_name ON histories(subject, name, n);"
    "CREATE INDEX verdicts_subject ON verdicts(subject, n);"
    "CREATE INDEX budget_key ON budget(resource, key);";

static void schema(Buf *sql) {
  for (int t = 0; t < RECORD_TABLES; t++) {
    const StoreTableRow *row = &store_tables[t];
    buf_printf(sql, "CREATE TABLE %s(n INTEGER PRIMARY KEY", row->name);
    for (int c = 0; c < row->n; c++) buf_printf(sql, ", \"%s\" %s", row->columns[c].name, type_names[row->columns[c].type]);
    buf_puts(sql, ");");
    static const char *const changes[] = {"UPDATE", "DELETE"};
    for (int k = 0; k < 2; k++)
      buf_printf(sql, "CREATE TRIGGER %s_no_%s BEFORE %s ON %s BEGIN SELECT RAISE(ABORT, 'a run record is append-only'); END;", row->name, changes[k], changes[k], row->name);
  }
  buf_puts(sql, indices);
}

static Status make_schema(Store *store) {
  Buf sql = {0};
  buf_printf(&sql, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; BEGIN IMMEDIATE; PRAGMA application_id=%d; PRAGMA user_version=%d;", APPLICATION_ID, RECORD_VERSION);
  schema(&sql);
  buf_puts(&sql, "COMMIT");
  Status status = execute(store, buf_str(&sql));
  buf_free(&sql);
  return status;
}

static bool is_empty(const char *dir);
static Status make_directories(Store *store, const char *path);

static Store *new_store(const char *dir, Diags *diags) {
  Store *store = calloc(1, sizeof *store);
  store->diags = diags;
  store->dir = strdup(dir);
  return store;
}

/* Who makes the file made the record: two processes that want the same directory do not both get it. */
static Status claim(Store *store) {
  char *path = join(store->dir, "run.db");
  int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  int error = errno;
  free(path);
  if (fd >= 0) {
    close(fd);
    return 0;
  }
  if (error == EEXIST) diag_suggest(diag_report(store->diags, E3200, nowhere, "`%s` is the record of another run", store->dir), "name a new directory, or remove this one first");
  else diag_report(store->diags, E3204, nowhere, "the record `%s` cannot be made: %s", store->dir, strerror(error));
  return 1;
}

Status store_create(const char *dir, Diags *diags, Store **out) {
  char temporary[] = "/tmp/pde-record-XXXXXX";
  *out = NULL;
  TRY(need_sqlite(diags));
  if (!dir && !mkdtemp(temporary)) {
    diag_report(diags, E3204, nowhere, "there is no room for a record in /tmp: %s", strerror(errno));
    return 1;
  }
  Store *store = new_store(dir ? dir : temporary, diags);
  store->temporary = !dir;
  Status status = make_directories(store, store->dir);
  if (!status && dir && !is_empty(store->dir)) {
    char *db = join(store->dir, "run.db");
    bool record = access(db, F_OK) == 0;
    free(db);
    diag_suggest(diag_report(diags, E3200, nowhere, record ? "`%s` is the record of another run" : "`%s` is not empty", store->dir), "name a new directory, or remove this one first");
    status = 1;
  }
  char *artefacts = join(store->dir, "artefacts");
  if (!status) status = claim(store);
  if (!status && mkdir(artefacts, 0777)) {
    diag_report(diags, E3204, nowhere, "`%s` cannot be made: %s", artefacts, strerror(errno));
    status = 1;
  }
  free(artefacts);
  if (!status) status = open_database(store, SQLITE_OPEN_READWRITE);
  if (!status) status = make_schema(store);
  if (!status && store->temporary) status = execute(store, "PRAGMA synchronous=OFF");
  if (!status) *out = store;
  else store_close(store);
  return status;
}

/* A directory that cannot be written to has no place for SQLite's shared memory: what it holds does not change. */
static Status open_to_read(Store *store) {
  Buf uri = {0};
  bool fixed = access(store->dir, W_OK) != 0;
  buf_puts(&uri, "file:");
  for (const char *s = store->dir; *s; s++)
    if (strchr("%?#", *s)) buf_printf(&uri, "%%%02X", (unsigned char)*s);
    else buf_putc(&uri, *s);
  buf_printf(&uri, "/run.db%s", fixed ? "?immutable=1" : "");
  int rc = sqlite.open_v2(buf_str(&uri), &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
  buf_free(&uri);
  if (rc) return failed(store, rc);
  settle(store->db);
  return 0;
}

static Status recognise(Store *store) {
  double application, version;
  TRY(pragma(store, "application_id", &application));
  TRY(pragma(store, "user_version", &version));
  if (application != APPLICATION_ID) {
    diag_report(store->diags, E3201, nowhere, "`%s/run.db` is a database, but no run record of pde", store->dir);
    return 1;
  }
  if (version == RECORD_VERSION) return 0;
  diag_suggest(diag_report(store->diags, E3202, nowhere, "the record `%s` has format %g; this pde reads format %d", store->dir, version, RECORD_VERSION), "use the version of pde that manifest.json names");
  return 1;
}

Status store_open(const char *dir, bool append, Diags *diags, Store **out) {
  *out = NULL;
  TRY(need_sqlite(diags));
  Store *store = new_store(dir, diags);
  char *path = join(dir, "run.db");
  struct stat st;
  Status status = 0;
  if (stat(path, &st) || !S_ISREG(st.st_mode)) {
    Diag *d = diag_report(diags, E3201, nowhere, "`%s` is no run record: it has no run.db", dir);
    diag_suggest(d, "a record is made by `pde run FILE --record DIR`");
    status = 1;
  }
  free(path);
  if (!status) status = append ? open_database(store, SQLITE_OPEN_READWRITE) : open_to_read(store);
  if (!status) status = recognise(store);
  if (!status && append) status = execute(store, "PRAGMA synchronous=FULL");
  if (!status) *out = store;
  else store_close(store);
  return status;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *walk) {
  (void)st;
  (void)flag;
  (void)walk;
  return remove(path);
}

void store_close(Store *store) {
  if (!store) return;
  for (int t = 0; t < RECORD_TABLES; t++) sqlite.finalize(store->append[t]);
  sqlite.finalize(store->event);
  sqlite.close(store->db);
  if (store->temporary) nftw(store->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  free(store->dir);
  free(store);
}

/* --- directories --- */

static bool is_empty(const char *path) {
  DIR *dir = opendir(path);
  bool empty = true;
  for (struct dirent *e; dir && empty && (e = readdir(dir));) empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
  if (dir) closedir(dir);
  return empty;
}

static Status make_directories(Store *store, const char *path) {
  char *step = strdup(path);
  bool fine = true;
  for (char *s = step + 1; fine && *s; s++)
    if (*s == '/') {
      *s = 0;
      fine = mkdir(step, 0777) == 0 || errno == EEXIST;
      *s = '/';
    }
  fine = fine && (mkdir(step, 0777) == 0 || errno == EEXIST);
  struct stat st;
  int error = fine ? 0 : errno;
  if (fine && (stat(step, &st) || !S_ISDIR(st.st_mode))) error = ENOTDIR;
  free(step);
  if (!error) return 0;
  diag_report(store->diags, E3204, nowhere, "the directory `%s` cannot be made: %s", path, strerror(error));
  return 1;
}

/* --- appending --- */

static int bind(sqlite3_stmt *statement, int k, const Cell *cell) {
  if (cell->kind == CELL_TEXT) return sqlite.bind_text(statement, k, cell->text, -1, SQLITE_TRANSIENT);
  if (cell->kind == CELL_NULL) return sqlite.bind_null(statement, k);
  if (isnan(cell->number)) return sqlite.bind_text(statement, k, "nan", -1, SQLITE_STATIC);     /* SQLite has none */
  if (fabs(cell->number) < 9e15 && cell->number == floor(cell->number)) return sqlite.bind_int64(statement, k, (sqlite3_int64)cell->number);
  return sqlite.bind_double(statement, k, cell->number);
}

static Status prepare(Store *store, const char *sql, sqlite3_stmt **out) {
  int rc = sqlite.prepare_v2(store->db, sql, -1, out, NULL);
  return rc ? failed(store, rc) : 0;
}

static Status prepare_append(Store *store, StoreTable table) {
  if (!store->event) TRY(prepare(store, "INSERT INTO events(time, kind, row) VALUES(?, ?, ?)", &store->event));
  if (store->append[table]) return 0;
  Buf sql = {0};
  buf_printf(&sql, "INSERT INTO %s VALUES(NULL", store_tables[table].name);
  for (int c = 0; c < store_tables[table].n; c++) buf_puts(&sql, ", ?");
  buf_putc(&sql, ')');
  Status status = prepare(store, buf_str(&sql), &store->append[table]);
  buf_free(&sql);
  return status;
}

static int step(sqlite3_stmt *statement) {
  int rc = sqlite.step(statement);
  sqlite.reset(statement);
  sqlite.clear_bindings(statement);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int append_row(Store *store, StoreTable table, const Cell *cells, int n) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int rc = SQLITE_OK;
  for (int c = 0; c < n && !rc; c++) rc = bind(store->append[table], c + 1, &cells[c]);
  if (!rc) rc = step(store->append[table]);
  if (rc) return rc;
  sqlite3_int64 row = sqlite.last_insert_rowid(store->db);
  sqlite.bind_double(store->event, 1, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
  sqlite.bind_text(store->event, 2, store_tables[table].name, -1, SQLITE_STATIC);
  sqlite.bind_int64(store->event, 3, row);
  return step(store->event);
}

void store_rollback(Store *store) {
  if (store->grouped) sqlite.exec(store->db, "ROLLBACK", NULL, NULL, NULL);
  store->grouped = false;
}

Status store_append(Store *store, StoreTable table, const Cell *cells, int n) {
  TRY(prepare_append(store, table));
  bool alone = !store->grouped;
  if (alone) TRY(store_begin(store));
  int rc = append_row(store, table, cells, n < store_tables[table].n ? n : store_tables[table].n);
  if (rc) {
    failed(store, rc);
    store_rollback(store);
    return 1;
  }
  return alone ? store_commit(store) : 0;
}

/* IMMEDIATE: the right to write is waited for here, where nothing is lost. */
Status store_begin(Store *store) {
  TRY(execute(store, "BEGIN IMMEDIATE"));
  store->grouped = true;
  return 0;
}

Status store_commit(Store *store) {
  if (execute(store, "COMMIT")) {
    store_rollback(store);
    return 1;
  }
  store->grouped = false;
  return 0;
}

/* --- artefacts --- */

static char *artefact_path(const Store *store, const char *hex) {
  Buf path = {0};
  buf_printf(&path, "%s/artefacts/%s", store->dir, hex);
  char *text = strdup(buf_str(&path));
  buf_free(&path);
  return text;
}

Status store_put(Store *store, const void *bytes, size_t n, char hex[65]) {
  sha256_hex(bytes, n, hex);
  char *path = artefact_path(store, hex);
  Status status = access(path, F_OK) == 0 ? 0 : atomic_write(path, bytes, n, store->diags, nowhere);
  free(path);
  return status;
}

static Status read_file(Store *store, const char *path, Buf *out) {
  FILE *file = fopen(path, "rb");
  char block[1 << 16];
  if (file)
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) buf_add(out, block, n);
  bool fine = file && !ferror(file);
  int error = errno;
  if (file) fclose(file);
  if (fine) return 0;
  diag_report(store->diags, E3205, nowhere, "`%s` cannot be read: %s", path, strerror(error));
  return 1;
}

Status store_put_file(Store *store, const char *path, char hex[65], double *bytes) {
  Buf text = {0};
  Status status = read_file(store, path, &text);
  if (!status) status = store_put(store, buf_str(&text), text.len, hex);
  *bytes = (double)text.len;
  buf_free(&text);
  return status;
}

/* A record may come from anybody: its artefacts are names, no paths. */
static bool is_name(const char *hex) { return strlen(hex) == 64 && strspn(hex, "0123456789abcdef") == 64; }

Status store_get(Store *store, const char *hex, Buf *out) {
  if (!is_name(hex)) {
    diag_report(store->diags, E3205, nowhere, "the record `%s` names an artefact `%.80s`, which is no SHA-256", store->dir, hex);
    return 1;
  }
  char *path = artefact_path(store, hex), found[65];
  Status status = read_file(store, path, out);
  if (!status) sha256_hex(buf_str(out), out->len, found);
  if (!status && strcmp(found, hex)) {
    diag_report(store->diags, E3205, nowhere, "the artefact `%s` was changed: its SHA-256 is now %s", path, found);
    status = 1;
  }
  free(path);
  return status;
}

Status store_path(Store *store, const char *hex, char **out) {
  Buf text = {0};
  Status status = store_get(store, hex, &text);
  buf_free(&text);
  *out = status ? NULL : artefact_path(store, hex);
  return status;
}

/* --- reading --- */

static Cell read_cell(sqlite3_stmt *statement, int c) {
  switch (sqlite.column_type(statement, c)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT: return cell_number(sqlite.column_double(statement, c));
    case SQLITE_NULL: return (Cell){0};
    default: break;
  }
  const char *text = (const char *)sqlite.column_text(statement, c);
  return cell_text(strdup(text ? text : ""));
}

Status store_select(Store *store, const char *sql, const Cell *cells, int ncells, StoreRows *out) {
  sqlite3_stmt *statement = NULL;
  int rc = SQLITE_OK;
  size_t cap = 0;
  *out = (StoreRows){0};
  TRY(prepare(store, sql, &statement));
  for (int k = 0; k < ncells && !rc; k++) rc = bind(statement, k + 1, &cells[k]);
  out->ncolumns = sqlite.column_count(statement);
  while (!rc && (rc = sqlite.step(statement)) == SQLITE_ROW) {
    size_t at = (size_t)out->nrows * (size_t)out->ncolumns;
    if (at + (size_t)out->ncolumns > cap) {
      cap = 2 * cap + 16 * (size_t)out->ncolumns;
      out->cells = realloc(out->cells, cap * sizeof *out->cells);
    }
    for (int c = 0; c < out->ncolumns; c++) out->cells[at + (size_t)c] = read_cell(statement, c);
    out->nrows++;
    rc = SQLITE_OK;
  }
  Status status = rc == SQLITE_DONE || rc == SQLITE_OK ? 0 : failed(store, rc);
  sqlite.finalize(statement);
  if (status) store_rows_free(out);
  return status;
}

void store_rows_free(StoreRows *rows) {
  for (size_t k = 0; k < (size_t)rows->nrows * (size_t)rows->ncolumns; k++)
    if (rows->cells[k].kind == CELL_TEXT) free((char *)rows->cells[k].text);
  free(rows->cells);
  *rows = (StoreRows){0};
}
