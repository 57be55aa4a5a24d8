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

#include "pde_value.h"

static Host *host_of(const Watch *w) { return w->request.ev->host; }

static bool first_rank(const Watch *w) { return host_of(w)->api->rank() == 0; }

/* ---- a row of the file ----------------------------------------------------------------------------------------------------------------- */

static void put_title(Buf *header, const char *name, int component, Unit unit) {
  Buf text = {0};
  unit_print_short(&text, unit);
  buf_printf(header, ",%s", name);
  if (component >= 0) buf_printf(header, ".%c", "xyz"[component % 3]);
  if (text.len) buf_printf(header, " [%s]", buf_str(&text));
  buf_free(&text);
}

/* A number, or a vector as a column for each component. */
static bool put_column(Watch *w, const Ast *column, Value *v, Buf *header, Buf *row) {
  bool vector = v->kind == VALUE_TUPLE || v->kind == VALUE_LIST;
  for (int i = 0; i < (vector ? v->n : 1); i++) {
    const Value *x = vector ? v->items[i] : v;
    if (x->kind == VALUE_NUMBER) {
      put_title(header, column->name, vector ? i : -1, x->unit);
      buf_putc(row, ',');
      if (isfinite(x->number)) buf_number(row, x->number);
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
  while (done < line->len) {
    ssize_t n = write(w->fd, line->text + done, line->len - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot_write(w);
    done += (size_t)n;
  }
  return true;
}

/* Of a file that a killed run left, the whole lines up to the time where this run begins. */
static bool keep_rows(Watch *w, double until) {
  FILE *file = fopen(w->path, "r");
  if (!file) return true;
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  off_t end = 0;
  bool header = true;
  locale_t plain = newlocale(LC_ALL_MASK, "C", 0);      /* the host's may have a decimal comma */
  while ((n = getline(&line, &size, file)) > 0 && line[n - 1] == '\n') {
    double time = header ? until : strtod_l(line, NULL, plain);
    if (!header && !(time <= until + 1e-9 * fabs(until))) break;
    end += n;
    w->begun |= !header && fabs(time - until) <= 1e-9 * fmax(fabs(until), 1e-300);
    header = false;
  }
  free(line);
  fclose(file);
  freelocale(plain);
  w->titled = end > 0;
  return truncate(w->path, end) == 0 || cannot_write(w);
}

static bool open_file(Watch *w) {
  bool goes_on = w->request.options->from && w->request.resume;
  if (goes_on && !keep_rows(w, w->request.options->t0)) return false;
  w->fd = open(w->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (goes_on ? 0 : O_TRUNC), 0666);
  return w->fd >= 0 || cannot_write(w);
}

/* All ranks evaluate, the first writes; it opens the file at the first row, where the others hear of a failure. */
static Status on_step(void *user, Solution *state) {
  Watch *w = user;
  Host *host = host_of(w);
  SolutionInfo info;
  host->api->solution_info(state, &info);
  double time = info.times[0];
  bool fine = w->fd >= 0 || !first_rank(w) || open_file(w);
  Value *v = solution_value(w->request.ev, host->api->solution_retain(state), w->request.pde, w->request.mesh);
  Buf header = {0}, row = {0}, unit = {0};
  unit_print_short(&unit, host_time_unit(host));
  buf_printf(&header, unit.len ? "t [%s]" : "t", buf_str(&unit));
  buf_number(&row, time);
  fine &= put_columns(w, v, &header, &row);
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
  w->foreign = w->source && strcmp(text, w->source);
  return NULL;
}

/* The state of a killed run, if it left one. Its times are within this run's: a file of a run that was finished is not gone on from. */
static bool resume(Watch *w) {
  SolveOptions *o = w->request.options;
  if (access(w->checkpoint, R_OK)) return true;
  Host *host = host_of(w);
  if (host->api->load(host->engine, w->checkpoint, &host->diags, w->request.spans[2], compare_source, w, &w->resumed)) return false;
  if (w->foreign) {
    diag_suggest(diag_report(&host->diags, E2022, w->request.spans[2], "`%s` is of another pde than this one, or of this one before it was changed", w->checkpoint),
                 "remove that file to begin anew, or give the run another one");
    return false;
  }
  SolutionInfo info;
  host->api->solution_info(w->resumed, &info);
  double time = info.transient ? info.times[info.nstates - 1] : NAN;
  if (!(time >= o->t0 && time < o->t1)) {
    diag_suggest(diag_report(&host->diags, E2022, w->request.spans[2], "the run goes from t = %g to %g, `%s` is of t = %g", o->t0, o->t1, w->checkpoint, time),
                 "remove that file to begin anew, or give the run another one");
    return false;
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
    w->checkpoint = host_output_path(host_of(w), request->checkpoint->text);
    w->source = pde_source(request->pde);
    o->checkpoint = w->checkpoint;
    o->source = w->source;
    fine = !request->resume || resume(w);
  }
  if (fine && w->columns) {
    w->path = host_output_path(host_of(w), request->probes->text);
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
  *w = (Watch){.fd = -1};
}
