#include "sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../lang/sha256.h"
#include "child.h"
#include "foreign.h"
#include "sampling_journal.h"

/* Environment of a helper: the process that started it, a blank, the file whose rows it shares. Samplings before that one it makes or reads like any run. */
static const char HELPER[] = "PDE_SAMPLING";

enum { HELPERS_MOST = 256, BATCH_MOST = 64 };

typedef struct Work {
  const Sampling *s;
  const MapSpec *spec;
  Host *host;
  Journal *journal;            /* NULL: in memory */
  Cases *cases;
  size_t values;               /* of one row: outputs after each other */
  double *row;                 /* [BATCH][values] */
  bool *failed; int nfailed, done;
  char *why;                   /* of the first that failed */
  double began; int before;    /* when, and with how many rows there already */
} Work;

static const char *helped(void) { return getenv(HELPER); }

static bool helps_with(const char *file) {
  const char *blank = helped() ? strchr(helped(), ' ') : NULL;
  return blank && file && !strcmp(blank + 1, file);
}

/* ---- cases ---- */

static void copy_rows(const MapSpec *spec, int n, const double *rows, const MapInput *in, CaseArray *a) {
  a->size = (size_t)(in->history ? spec->grid->nt : 1);
  a->values = malloc((size_t)n * a->size * sizeof *a->values);
  for (int k = 0; k < n; k++) memcpy(a->values + (size_t)k * a->size, rows + (size_t)k * (size_t)spec->width + in->offset, a->size * sizeof *a->values);
}

static Cases *new_cases(const Sampling *s, Host *host) {
  const MapSpec *spec = s->predictor->spec;
  const Grid *grid = spec->grid;
  Cases *cases = calloc(1, sizeof *cases);
  int nt = foreign_times(spec);
  *cases = (Cases){.n = s->n, .ninputs = spec->ninputs, .noutputs = spec->noutputs, .nt = nt, .nnodes = grid->nnodes, .dim = grid->mesh->dim,
                   .t_unit = host_time_unit(host), .nodes_unit = host_length_unit(host)};
  cases->inputs = calloc((size_t)spec->ninputs, sizeof *cases->inputs);
  cases->outputs = calloc((size_t)spec->noutputs, sizeof *cases->outputs);
  cases->nodes = malloc((size_t)grid->nnodes * (size_t)cases->dim * sizeof *cases->nodes);
  memcpy(cases->nodes, grid->x, (size_t)grid->nnodes * (size_t)cases->dim * sizeof *cases->nodes);
  if (nt) cases->t = malloc((size_t)nt * sizeof *cases->t);
  if (nt) memcpy(cases->t, grid->t, (size_t)nt * sizeof *cases->t);
  for (int k = 0; k < spec->ninputs; k++) {
    const MapInput *in = &spec->inputs[k];
    cases->inputs[k] = (CaseArray){.name = strdup(in->name), .unit = in->unit, .has_unit = !unit_is_none(in->unit), .in_time = in->history, .ncomp = 1};
    copy_rows(spec, s->n, s->rows, in, &cases->inputs[k]);
  }
  for (int o = 0; o < spec->noutputs; o++) {
    const MapOutput *out = &spec->outputs[o];
    cases->outputs[o] = (CaseArray){.name = strdup(out->name), .unit = out->unit, .has_unit = !unit_is_none(out->unit), .in_time = nt > 0, .on_nodes = true,
                                    .ncomp = out->ncomp, .size = foreign_values(spec, o)};
    cases->outputs[o].values = malloc((size_t)s->n * cases->outputs[o].size * sizeof(double));
  }
  return cases;
}

static void put_row(Work *w, int k, const double *values) {
  for (int o = 0; o < w->spec->noutputs; o++) {
    CaseArray *a = &w->cases->outputs[o];
    memcpy(a->values + (size_t)k * a->size, values, a->size * sizeof *values);
    values += a->size;
  }
}

/* ---- one row, or several ---- */

/* Predicts m rows from k on into w->row, row by row after each other; those that fail are NAN. */
static void predict(Work *w, int k, int m) {
  const MapSpec *spec = w->spec;
  double **out = calloc((size_t)spec->noutputs, sizeof *out), *store = malloc((size_t)m * w->values * sizeof *store), *at = store;
  for (int o = 0; o < spec->noutputs; o++) {
    out[o] = at;
    at += (size_t)m * foreign_values(spec, o);
  }
  char *error = NULL;
  bool failed = w->s->predictor->ops->predict(w->s->predictor, m, w->s->rows + (size_t)k * (size_t)spec->width, out, &error);
  if (failed && m > 1) {
    free(error);
    free(out);
    free(store);
    double *all = w->row;
    for (int i = 0; i < m; i++, w->row += w->values) predict(w, k + i, 1);
    w->row = all;
    return;
  }
  for (int i = 0; i < m; i++) {
    double *to = w->row + (size_t)i * w->values;
    w->failed[k + i] = failed;
    for (int o = 0; o < spec->noutputs; o++) {
      size_t size = foreign_values(spec, o);
      for (size_t v = 0; v < size; v++) to[v] = failed ? NAN : out[o][(size_t)i * size + v];
      to += size;
    }
  }
  if (failed && !w->why) w->why = error ? error : strdup("no reason given");
  else free(error);
  free(out);
  free(store);
}

static void progress(Work *w) {
  if (!w->host->on_progress || w->host->quiet || helped() || !host_is_first_rank(w->host)) return;
  Buf text = {0};
  double seconds = child_clock() - w->began;
  int made = w->done - w->before;
  buf_printf(&text, "sample: %d of %d rows", w->done, w->s->n);
  if (made > 0 && seconds > 0) buf_printf(&text, ", %.3g a second", made / seconds);
  w->host->on_progress(w->host->user, text.text, (double)w->done / w->s->n);
  buf_free(&text);
}

/* ---- ways to go through the rows ---- */

static int batch_of(const Work *w) {
  int n = w->s->predictor->ops->batch;
  return n < 1 ? 1 : n > BATCH_MOST ? BATCH_MOST : n;
}

/* Alone, or every rank alike: in order; the first rank keeps the journal. */
static bool go_in_order(Work *w) {
  int batch = batch_of(w);
  bool writer = host_is_first_rank(w->host), there;
  for (int k = 0; k < w->s->n;) {
    if (w->journal && journal_has(w->journal, k, &there)) {
      k++;
      continue;
    }
    int m = 0;
    while (m < batch && k + m < w->s->n && !(w->journal && journal_has(w->journal, k + m, &there))) m++;
    if (host_stopped(w->host, w->s->span)) return false;
    predict(w, k, m);
    for (int i = 0; i < m; i++) {
      put_row(w, k + i, w->row + (size_t)i * w->values);
      if (w->journal && writer && !journal_append(w->journal, k + i, w->failed[k + i], w->row + (size_t)i * w->values)) return false;
    }
    w->done += m;
    k += m;
    progress(w);
  }
  return true;
}

/* As many rows after each other as the predictor likes. */
static int claim(Work *w, int from, int *m) {
  int k = journal_claim(w->journal, from), batch = batch_of(w), next = k;
  for (*m = 1; k >= 0 && *m < batch; ++*m) {
    next = journal_claim(w->journal, k + *m);
    if (next == k + *m) continue;
    if (next >= 0) journal_yield(w->journal, next);
    break;
  }
  return k;
}

/* Several processes: what nobody works on; at the end what the others are still at, or leave behind. */
static bool go_together(Work *w) {
  const char *parent = helped();
  int from = 0;
  bool there;
  while (journal_done(w->journal) < w->s->n) {
    if (parent && getppid() != (pid_t)strtol(parent, NULL, 10)) return false;      /* who wanted the rows is gone */
    if (host_stopped(w->host, w->s->span)) return false;
    int m, k = claim(w, from, &m);
    if (k < 0) {
      nanosleep(&(struct timespec){0, 50000000}, NULL);
      journal_update(w->journal);
      from = 0;
    } else {
      predict(w, k, m);
      for (int i = 0; i < m; i++)
        if (!journal_append(w->journal, k + i, w->failed[k + i], w->row + (size_t)i * w->values)) return false;
      while (from < w->s->n && journal_has(w->journal, from, &there)) from++;
    }
    w->done = journal_done(w->journal);
    progress(w);
  }
  return true;
}

/* Rows of the journal into the cases. */
static bool collect(Work *w) {
  for (int k = 0; k < w->s->n; k++) {
    if (!journal_has(w->journal, k, &w->failed[k])) continue;
    if (!journal_read(w->journal, k, w->row)) {
      diag_report(&w->host->diags, E3155, w->s->span, "row %d of `%s.part` cannot be read again", k, w->s->file);
      return false;
    }
    put_row(w, k, w->row);
  }
  return true;
}

/* ---- helpers ---- */

static void quote_word(Buf *out, const char *word) {
  buf_putc(out, '\'');
  for (; *word; word++) {
    if (*word == '\'') buf_puts(out, "'\\''");
    else buf_putc(out, *word);
  }
  buf_puts(out, "' ");
}

/* The command line of this run again. false: this process is no `pde run FILE`. */
static bool command_line(const Host *host, const char *file, Buf *out) {
  char exe[4096];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  const char *script = host->nmodules ? host->modules[0]->path : "<>";
  if (n <= 0 || *script == '<') return false;
  exe[n] = 0;
  const char *slash = strrchr(exe, '/');
  if (!slash || strcmp(slash, "/pde")) return false;
  Buf share = {0};
  buf_printf(&share, "%ld %s", (long)getpid(), file);
  buf_printf(out, "%s=", HELPER);
  quote_word(out, share.text);
  buf_puts(out, "exec ");
  buf_free(&share);
  quote_word(out, exe);
  buf_puts(out, "run --quiet ");
  for (int k = 0; k < host->noverrides; k++) {
    Buf given = {0};
    buf_printf(&given, "-D%s=%s", host->overrides[k].name, host->overrides[k].text);
    quote_word(out, given.text);
    buf_free(&given);
  }
  if (host->out_dir) {
    buf_puts(out, "--out ");
    quote_word(out, host->out_dir);
  }
  quote_word(out, script);
  if (host->engine_options.argc) buf_puts(out, "-- ");
  for (int k = 0; k < host->engine_options.argc; k++) quote_word(out, host->engine_options.argv[k]);
  buf_puts(out, ">/dev/null");
  return true;
}

static int start_helpers(const Work *w, Child **helpers) {
  Buf line = {0};
  int n = 0, wanted = w->s->processes - 1 < HELPERS_MOST ? w->s->processes - 1 : HELPERS_MOST;
  if (wanted > 0 && !command_line(w->host, w->s->file, &line)) {
    diag_report(&w->host->diags, W3151, w->s->span, "only `pde run FILE` can share the rows among processes; this one makes them alone");
    wanted = 0;
  }
  for (char *error = NULL; n < wanted; n++)
    if (!(helpers[n] = child_start(&(ChildOptions){.command = line.text}, &error))) {
      diag_report(&w->host->diags, W3151, w->s->span, "only %d processes work on the rows: %s", n + 1, error);
      free(error);
      break;
    }
  buf_free(&line);
  return n;
}

static void end_helpers(const Work *w, Child **helpers, int n, bool fine) {
  Buf how = {0};
  for (int k = 0; k < n; k++) {
    buf_clear(&how);
    child_end(helpers[k], fine ? 10 : 0, &how);
    if (fine && !strstr(how.text, "with status 0")) diag_report(&w->host->diags, W3151, w->s->span, "a process that shared the rows failed, the others made them: %s", how.text);
  }
  buf_free(&how);
}

/* ---- all of it ---- */

static void identify(const Work *w, uint8_t digest[32]) {
  Buf text = {0};
  Sha256 sha;
  Json *json = foreign_map(w->spec);
  json_print(&text, json, NULL);
  json_free(json);
  sha256_start(&sha);
  sha256_add(&sha, text.text, text.len);
  sha256_add(&sha, w->s->rows, (size_t)w->s->n * (size_t)w->spec->width * sizeof(double));
  sha256_add(&sha, w->spec->grid->x, (size_t)w->spec->grid->nnodes * (size_t)w->spec->grid->mesh->dim * sizeof(double));
  sha256_end(&sha, digest);
  buf_free(&text);
}

static bool same_arrays(const CaseArray *a, const CaseArray *b, int n, bool values) {
  return b && a->size == b->size && a->in_time == b->in_time && a->ncomp == b->ncomp && (!values || !memcmp(a->values, b->values, (size_t)n * a->size * sizeof(double)));
}

/* The file as it is there, if these very inputs are in it; *other: it is another's. */
static Cases *already_there(const Work *w, bool *other) {
  const Cases *mine = w->cases;
  *other = false;
  if (access(w->s->file, F_OK)) return NULL;
  Cases *cases = dataset_read(w->s->ev, w->s->file, NULL, 0, NULL, 0, w->s->span);
  bool same = cases && cases->n == mine->n && cases->nnodes == mine->nnodes && cases->nt == mine->nt;
  for (int k = 0; same && k < mine->ninputs; k++) same = same_arrays(&mine->inputs[k], cases_input(cases, mine->inputs[k].name), mine->n, true);
  for (int k = 0; same && k < mine->noutputs; k++) same = same_arrays(&mine->outputs[k], cases_output(cases, mine->outputs[k].name), mine->n, false);
  if (same) return cases;
  *other = true;
  if (cases) diag_suggest(diag_report(&w->host->diags, E3155, w->s->span, "`%s` is there already and holds other cases", w->s->file), "remove it, or give another `file:`");
  cases_free(cases);
  return NULL;
}

static void tell_failed(const Work *w) {
  int n = 0;
  for (int k = 0; k < w->s->n; k++) n += w->failed[k];
  if (n) diag_report(&w->host->diags, W3151, w->s->span, "%d of %d rows have no prediction, their fields are NaN%s%s", n, w->s->n, w->why ? "; the first: " : "", w->why ? w->why : "");
}

static bool fill(Work *w) {
  const Sampling *s = w->s;
  uint8_t identity[32];
  Buf part = {0};
  w->began = child_clock();
  if (s->file) {
    buf_printf(&part, "%s.part", s->file);
    identify(w, identity);
    w->journal = journal_open(part.text, identity, s->n, w->values, host_is_first_rank(w->host), &w->host->diags, s->span);
    buf_free(&part);
    if (!w->journal) return false;
    w->done = w->before = journal_done(w->journal);
  }
  progress(w);
  bool helper = helps_with(s->file), together = w->journal && w->host->api->nranks() == 1, fine;
  if (!together) fine = go_in_order(w);
  else {
    Child **helpers = calloc(HELPERS_MOST, sizeof(Child *));
    int n = helped() ? 0 : start_helpers(w, helpers);
    fine = go_together(w);
    end_helpers(w, helpers, n, fine);
    free(helpers);
  }
  if (helper) _exit(fine ? 0 : 1);
  return fine && (!w->journal || collect(w));
}

Cases *sampling_run(const Sampling *s) {
  Work w = {.s = s, .spec = s->predictor->spec, .host = s->ev->host};
  for (int o = 0; o < w.spec->noutputs; o++) w.values += foreign_values(w.spec, o);
  w.cases = new_cases(s, w.host);
  bool other = false;
  Cases *there = s->file ? already_there(&w, &other) : NULL;
  w.row = malloc((size_t)BATCH_MOST * w.values * sizeof *w.row);
  w.failed = calloc((size_t)s->n, sizeof *w.failed);
  bool fine = !there && !other && fill(&w);
  if (fine && s->file) {
    fine = dataset_write(s->ev, w.cases, s->file, s->span);
    if (fine) host_record_file(w.host, s->file);
  }
  if (fine) tell_failed(&w);
  journal_close(w.journal, fine);
  free(w.row);
  free(w.failed);
  free(w.why);
  if (fine) return w.cases;
  cases_free(w.cases);
  return there;
}
