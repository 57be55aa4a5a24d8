/* Probes are text, a row a step: "t [s],middle [K],total", appended and never rewritten, so that the file can be followed while the run goes. */
#define _GNU_SOURCE    /* strtod_l */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "identity.h"
#include "pde_value.h"

static Host *host_of(const Watch *w) { return w->request.ev->host; }

static bool first_rank(const Watch *w) { return host_of(w)->api->rank() == 0; }

/* ---- a row of the file ----------------------------------------------------------------------------------------------------------------- */

static void put_title(Buf *header, const char *name, int component, const Value *x) {
  buf_printf(header, ",%s", name);
  if (component >= 0) buf_printf(header, ".%c", "xyz"[component % 3]);
  shown_heading(header, "", &x->shown, x->unit);
}

/* A number, or a vector as a column for each component. */
static bool put_column(Watch *w, const Ast *column, Value *v, Buf *header, Buf *row) {
  bool vector = v->kind == VALUE_TUPLE || v->kind == VALUE_LIST;
  for (int i = 0; i < (vector ? v->n : 1); i++) {
    const Value *x = vector ? v->items[i] : v;
    if (x->kind == VALUE_NUMBER) {
      put_title(header, column->name, vector ? i : -1, x);
      buf_putc(row, ',');
      if (isfinite(x->number)) buf_number(row, shown_number(&x->shown, x->number));
      else buf_puts(row, isnan(x->number) ? "nan" : x->number > 0 ? "inf" : "-inf");
    } else if (x->kind != VALUE_UNKNOWN) {
      diag_suggest(diag_report(&host_of(w)->diags, E0505, column->span, "`%s` of `record:` is a number or a vector; this is a %s", column->name, value_kind_name(x)),
                   "record a number of the field: its value at a point, an integral, its largest value");
      return false;
    }
  }
  return true;
}

static bool put_columns(Watch *w, Value *solution, Buf *header, Buf *row) {
  bool fine = true;
  for (int i = 0; i < w->columns->n && fine; i++) {
    const Ast *column = w->columns->kid[i];
    Value *v = measure_of(w->request.ev, solution, column->kid[0], w->request.span);
    fine = !is_poison(v) && put_column(w, column, v, header, row);
    value_release(v);
  }
  return fine;
}

/* ---- the file -------------------------------------------------------------------------------------------------------------------------- */

static bool cannot_write(Watch *w) {
  diag_report(&host_of(w)->diags, E0517, w->request.spans[1], "`%s` cannot be written: %s", w->path, strerror(errno));
  return false;
}

/* In one write, so that a run that is killed leaves whole lines. */
static bool put_line(Watch *w, Buf *line) {
  buf_putc(line, '\n');
  size_t done = 0;
  off_t start = lseek(w->fd, 0, SEEK_END);
  while (done < line->len) {
    ssize_t n = write(w->fd, line->text + done, line->len - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      cannot_write(w);
      if (done && start >= 0 && ftruncate(w->fd, start)) { /* a pipe: what is written is written */ }
      return false;
    }
    done += (size_t)n;
  }
  return true;
}

static bool other_columns(Watch *w, const char *before, const char *now) {
  Diag *d = diag_report(&host_of(w)->diags, E2022, w->request.spans[1], "`%s` has the columns %.*s, this run records %s", w->path, (int)strcspn(before, "\n"), before, now);
  diag_suggest(d, "remove that file and the checkpoint to begin anew, or give this run others");
  return false;
}

/* Of a file that a killed run left, the whole lines up to the time where this run begins. */
static bool keep_rows(Watch *w, const char *title, double until) {
  FILE *file = fopen(w->path, "r");
  if (!file) return true;
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  off_t end = 0;
  bool header = true, fits = true;
  locale_t plain = newlocale(LC_ALL_MASK, "C", 0);      /* the host's may have a decimal comma */
  while ((n = getline(&line, &size, file)) > 0 && line[n - 1] == '\n') {
    if (header) fits = (size_t)n == strlen(title) + 1 && !strncmp(line, title, (size_t)n - 1);
    if (!fits) break;
    double time = header ? until : strtod_l(line, NULL, plain);
    if (!header && !(time <= until + 1e-9 * fabs(until))) break;
    end += n;
    w->begun |= !header && fabs(time - until) <= 1e-9 * fmax(fabs(until), 1e-300);
    header = false;
  }
  if (!fits) other_columns(w, line, title);
  free(line);
  fclose(file);
  freelocale(plain);
  if (!fits) return false;
  w->titled = end > 0;
  return truncate(w->path, end) == 0 || cannot_write(w);
}

static bool open_file(Watch *w, const char *title) {
  if (w->resumed && !keep_rows(w, title, w->request.options->t0)) return false;
  w->fd = open(w->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (w->resumed ? 0 : O_TRUNC), 0666);
  return w->fd >= 0 || cannot_write(w);
}

/* All ranks evaluate, the first writes; it opens the file at the first row, where the others hear of a failure. */
static Status on_step(void *user, Solution *state) {
  Watch *w = user;
  Host *host = host_of(w);
  SolutionInfo info;
  host->api->solution_info(state, &info);
  double time = info.times[0];
  Value *v = solution_value(w->request.ev, host->api->solution_retain(state), w->request.pde, w->request.mesh);
  Buf header = {0}, row = {0}, unit = {0};
  unit_print_short(&unit, host_time_unit(host));
  buf_printf(&header, unit.len ? "t [%s]" : "t", buf_str(&unit));
  buf_number(&row, time);
  bool fine = put_columns(w, v, &header, &row) && (w->fd >= 0 || !first_rank(w) || open_file(w, buf_str(&header)));
  bool again = w->begun && time <= w->request.options->t0;      /* the row is there from the run that was killed */
  if (fine && w->fd >= 0 && !w->titled) fine = put_line(w, &header);
  w->titled = true;
  if (fine && w->fd >= 0 && !again) fine = put_line(w, &row);
  buf_free(&header), buf_free(&row), buf_free(&unit);
  value_release(v);
  return !fine;
}

/* ---- the checkpoint -------------------------------------------------------------------------------------------------------------------- */

/* Called with the text of the pde in the file; the solution of the file is wanted without a pde. */
static Pde *compare_source(void *user, const char *text) {
  Watch *w = user;
  const char *end = strchr(text, '\n');
  identity_differs(&w->differs, end ? end + 1 : "", buf_str(&w->identity));
  return NULL;
}

static bool refuse(Watch *w, const char *what) {
  Diag *d = diag_report(&host_of(w)->diags, E2022, w->request.spans[2], "the run cannot go on from `%s`: %s", w->request.checkpoint->text, what);
  diag_suggest(d, "remove that file to begin anew, or give this run another one");
  return false;
}

/* The state of a killed run, if it left one. Its time is within this run's; at its end nothing is left to do, and the state is the solution. */
static bool resume(Watch *w) {
  SolveOptions *o = w->request.options;
  if (access(w->checkpoint, R_OK)) return true;
  Host *host = host_of(w);
  if (host->api->load(host->engine, w->checkpoint, &host->diags, w->request.spans[2], compare_source, w, &w->resumed)) return false;
  if (w->differs.len) return refuse(w, buf_str(&w->differs));
  SolutionInfo info;
  host->api->solution_info(w->resumed, &info);
  double time = info.transient ? info.times[info.nstates - 1] : NAN, tiny = 1e-9 * (o->t1 - o->t0);
  if (!(time >= o->t0 && time <= o->t1 + tiny)) {
    Buf text = {0};
    buf_printf(&text, "this one goes from t = %g to %g, the file is of t = %g", o->t0, o->t1, time);
    refuse(w, buf_str(&text));
    buf_free(&text);
    return false;
  }
  if (time >= o->t1 - tiny) {
    Diag *d = diag_report(&host->diags, W2096, w->request.spans[2], "the run was finished before: its last state, t = %g, is taken from `%s`", time, w->request.checkpoint->text);
    diag_suggest(d, "remove that file to run it anew");
    time = o->t1;
  }
  o->t0 = time;
  o->from = w->resumed;
  return true;
}

static bool check(const WatchRequest *r) {
  Diags *diags = &r->ev->host->diags;
  const Ast *record = r->record ? r->record->thunk : NULL;
  if (record && (record->kind != AST_TUPLE || !record->n || record->kid[0]->kind != AST_ARG)) {
    diag_suggest(diag_report(diags, E0505, r->spans[0], "record: is a record of numbers"), "write record: (middle: u(0.5, 0.5), total: integral(u))");
    return false;
  }
  if (!record != !r->probes) {
    Diag *d = diag_report(diags, E0502, r->span, record ? "what is recorded goes to a file" : "the file has nothing to keep");
    diag_suggest(d, record ? "add probes: \"probes.csv\"" : "add record: (middle: u(0.5, 0.5), total: integral(u))");
    return false;
  }
  if (record && r->checkpoint && r->probes->known && r->checkpoint->known && !strcmp(r->probes->text, r->checkpoint->text)) {
    diag_report(diags, E0506, r->spans[1], "`%s` cannot hold both the numbers of the run and its checkpoint", r->probes->text);
    return false;
  }
  if (r->resume && !r->checkpoint) {
    diag_suggest(diag_report(diags, E0502, r->span, "a run resumes from the file that it keeps"), "add checkpoint: \"run.h5\"");
    return false;
  }
  if ((record || r->checkpoint) && !r->options->transient) {
    diag_suggest(diag_report(diags, E0515, r->spans[record ? 0 : 2], "%s belongs to a run through time", record ? "record:" : "checkpoint:"), "leave it out: the solution of a steady problem is all there is");
    return false;
  }
  return true;
}

/* While checking the numbers are evaluated once, on a solution without values. */
static bool check_columns(Watch *w) {
  Value *v = solution_value(w->request.ev, NULL, w->request.pde, w->request.mesh);
  Buf header = {0}, row = {0};
  bool fine = put_columns(w, v, &header, &row);
  buf_free(&header), buf_free(&row);
  value_release(v);
  return fine;
}

bool watch_open(Watch *w, const WatchRequest *request) {
  *w = (Watch){.request = *request, .fd = -1, .columns = request->record ? request->record->thunk : NULL};
  if (!check(request)) return false;
  SolveOptions *o = request->options;
  if (request->ev->dry) return !w->columns || check_columns(w);
  if (!w->columns && !request->checkpoint) return true;
  if (!host_engine(host_of(w), request->span)) return false;
  bool fine = true;
  if (request->checkpoint) {
    if (!(w->checkpoint = host_output_path(host_of(w), request->checkpoint->text, request->spans[2]))) return false;
    identity_print(&w->identity, request->ev, request->pde->pde, request->mesh->mesh, w->columns);
    w->source = pde_source(request->pde, buf_str(&w->identity));
    o->checkpoint = w->checkpoint;
    o->source = w->source;
    fine = !request->resume || resume(w);
  }
  if (fine && w->columns) {
    fine = (w->path = host_output_path(host_of(w), request->probes->text, request->spans[1])) != NULL;
    o->on_step = on_step;
    o->user = w;
  }
  if (!fine) watch_close(w);
  return fine;
}

void watch_close(Watch *w) {
  Host *host = host_of(w);
  if (w->fd >= 0) close(w->fd);
  if (w->path) host_record_file(host, w->path);
  if (w->checkpoint && !access(w->checkpoint, F_OK)) host_record_file(host, w->checkpoint);
  if (w->resumed) host->api->solution_release(w->resumed);
  free(w->path), free(w->checkpoint), free(w->source);
  buf_free(&w->identity), buf_free(&w->differs);
  *w = (Watch){.fd = -1};
}
