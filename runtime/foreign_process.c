/* A predictor that is a program: docs/predictors.md has the protocol byte by byte. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "foreign.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the protocol's numbers are little-endian, as they stand in memory here"
#endif

enum { HEAD_MOST = 1 << 20, BATCH = 64, BATCH_MOST = 1 << 16, ARRAYS_MOST = 12 };
static const double BATCH_BYTES = 64e6, TIMEOUT = 60, READY_TIMEOUT = 60, GRACE = 1;

typedef struct Array {               /* that is sent or expected after a head; values of an extent of 1 count for nothing in a comparison of shapes */
  const char *name;
  int rank;
  size_t shape[4];
  const double *from;
  double *to;
  bool done;
} Array;

typedef struct Process {
  Predictor base;
  PredictorOps ops;                  /* of this program: whether it has gradients, the batch it likes */
  char *command, *directory;
  double timeout, memory;
  const volatile int *interrupt;
  Child *child;                      /* NULL: it is not running */
  int starts;                        /* since it predicted last; one that was started twice in vain is not started again */
  double waiting;                    /* seconds that it has for the answer */
  char *fate;                        /* why it is not running and will not be started again; or NULL */
  long id;
} Process;

static size_t count(const Array *a) {
  size_t n = 1;
  for (int r = 0; r < a->rank; r++) n *= a->shape[r];
  return n;
}

/* ---- failures ---- */

static void give_up(Process *p, const char *why) {
  if (p->starts < 2) return;
  Buf fate = {0};
  buf_printf(&fate, "%s; it was started twice and predicted nothing", why);
  p->fate = fate.text;
}

/* *error: what happened, and how the program ended if it did. It is ended where it is not known any more what it would say next. */
static int fail(Process *p, bool lost, char **error, Buf *what) {
  Buf text = {0};
  buf_printf(&text, "the program `%s` %s", p->command, buf_str(what));
  buf_free(what);
  if (lost && p->child) {
    Buf how = {0};
    child_end(p->child, 0, &how);
    buf_printf(&text, " (%s)", buf_str(&how));
    buf_free(&how);
    p->child = NULL;
    give_up(p, text.text);
  }
  *error = text.text;
  return 1;
}

static int fail_reading(Process *p, ChildResult result, const char *where, char **error) {
  Buf what = {0};
  if (result == CHILD_STOPPED) buf_printf(&what, "was interrupted %s", where);
  else if (result == CHILD_LATE) buf_printf(&what, "took longer than %g s %s", p->waiting, where);
  else if (result == CHILD_LONG) buf_printf(&what, "wrote a line of more than %d bytes %s, where a JSON message was expected", HEAD_MOST, where);
  else {
    Buf how = {0};                   /* it closed its output: give it the time to end by itself, for its status */
    child_end(p->child, 0.5, &how);
    p->child = NULL;
    buf_printf(&what, "ended %s: %s", where, buf_str(&how));
    buf_free(&how);
    int failed = fail(p, true, error, &what);
    give_up(p, *error);
    return failed;
  }
  return fail(p, true, error, &what);
}

/* The first characters of what it wrote, as far as they can be shown. */
static void quote(Buf *out, const char *text, size_t n) {
  buf_putc(out, '`');
  for (size_t k = 0; k < n && k < 80; k++) buf_putc(out, text[k] >= ' ' && text[k] < 127 ? text[k] : '?');
  buf_puts(out, n > 80 ? "...`" : "`");
}

static void print_shape(Buf *out, const size_t *shape, int rank) {
  buf_putc(out, '[');
  for (int r = 0; r < rank; r++) buf_printf(out, r ? ", %zu" : "%zu", shape[r]);
  buf_putc(out, ']');
}

/* ---- heads ---- */

static void put_head(Buf *head, Json *json, const Array *arrays, int n) {
  Json *list = json_array();
  for (int k = 0; k < n; k++) {
    Json *a = json_object(), *shape = json_array();
    for (int r = 0; r < arrays[k].rank; r++) json_append(shape, json_number((double)arrays[k].shape[r]));
    json_put(a, "name", json_string(arrays[k].name));
    json_put(a, "shape", shape);
    json_append(list, a);
  }
  json_put(json, "arrays", list);
  json_print(head, json, NULL);
  buf_putc(head, '\n');
}

/* The shape of an announced array; rank -1: none. */
static int shape_of(const Json *json, size_t shape[8]) {
  const Json *list = json_get(json, "shape");
  int rank = list ? json_count(list) : -1;
  if (rank > 8) return -1;
  for (int r = 0; r < rank; r++) {
    double x;
    if (!json_number_of(json_at(list, r), &x) || !(x >= 0 && x < 1e15) || x != floor(x)) return -1;
    shape[r] = (size_t)x;
  }
  return rank;
}

static bool same_shape(const Array *want, const size_t *shape, int rank) {
  int i = 0, j = 0;
  for (;; i++, j++) {
    while (i < want->rank && want->shape[i] == 1) i++;
    while (j < rank && shape[j] == 1) j++;
    if (i == want->rank || j == rank) return i == want->rank && j == rank;
    if (want->shape[i] != shape[j]) return false;
  }
}

static Array *wanted(Array *want, int n, const char *name) {
  for (int k = 0; k < n; k++)
    if (name && !strcmp(want[k].name, name)) return &want[k];
  return NULL;
}

/* Reads the arrays that a head announces into those wanted. */
static int take_arrays(Process *p, const Json *head, Array *want, int n, double deadline, char **error) {
  const Json *list = json_get(head, "arrays");
  int given = list ? json_count(list) : 0;
  for (int k = 0; k < given; k++) {
    size_t shape[8];
    const Json *json = json_at(list, k);
    const char *name = json_text_of(json_get(json, "name"));
    int rank = shape_of(json, shape);
    Array *array = wanted(want, n, name);
    Buf what = {0};
    if (!array || array->done || rank < 0) {
      buf_printf(&what, rank < 0 ? "announced the array `%s` without a shape" : array ? "announced the array `%s` twice" : "announced an array `%s`, which nobody asked for", name ? name : "?");
      return fail(p, true, error, &what);
    }
    if (!same_shape(array, shape, rank)) {
      buf_printf(&what, "gave `%s` the shape ", name);
      print_shape(&what, shape, rank);
      buf_puts(&what, "; expected was ");
      print_shape(&what, array->shape, array->rank);
      return fail(p, true, error, &what);
    }
    ChildResult result = child_read(p->child, array->to, count(array) * sizeof(double), deadline);
    if (result) {
      char where[200];
      snprintf(where, sizeof where, "while it wrote the %zu bytes of `%s`", count(array) * sizeof(double), name);
      return fail_reading(p, result, where, error);
    }
    array->done = true;
  }
  for (int k = 0; k < n; k++)
    if (!want[k].done) {
      Buf what = {0};
      buf_printf(&what, "did not give the array `%s`", want[k].name);
      return fail(p, true, error, &what);
    }
  return 0;
}

/* ---- one question, one answer ---- */

/* Looked for after an answer and before the next question: what is written late is found then. */
static int nothing_more(Process *p, char **error) {
  if (!child_has_more(p->child)) return 0;
  Buf what = {0};
  buf_puts(&what, "wrote more than it announced");
  return fail(p, true, error, &what);
}

/* json is taken. answer: the name of the message expected; *reply (or NULL) is its head, to be freed. */
static int ask(Process *p, Json *json, const Array *arrays, int narrays, const char *answer, Array *want, int nwant, double seconds, Json **reply, char **error) {
  if (nothing_more(p, error)) {
    json_free(json);
    return 1;
  }
  Buf head = {0}, line = {0};
  ChildPart parts[ARRAYS_MOST];
  double deadline = child_clock() + seconds;
  p->waiting = seconds;
  json_put(json, "id", json_number((double)++p->id));
  put_head(&head, json, arrays, narrays);
  json_free(json);
  parts[0] = (ChildPart){head.text, head.len};
  for (int k = 0; k < narrays; k++) parts[k + 1] = (ChildPart){arrays[k].from, count(&arrays[k]) * sizeof(double)};
  child_send(p->child, parts, narrays + 1);

  ChildResult result = child_line(p->child, &line, HEAD_MOST, deadline);
  int failed = result ? fail_reading(p, result, "before it answered", error) : 0;
  Json *said = failed ? NULL : json_parse(buf_str(&line), line.len);
  const char *message = said ? json_text_of(json_get(said, "message")) : NULL;
  double id = -1;
  Buf what = {0};
  if (!failed && !message) {
    buf_puts(&what, "wrote ");
    quote(&what, buf_str(&line), line.len);
    buf_puts(&what, " to its standard output, where only messages of the protocol may stand; what is meant for people goes to standard error");
    failed = fail(p, true, error, &what);
  } else if (!failed && (!json_number_of(json_get(said, "id"), &id) || id != (double)p->id)) {
    buf_printf(&what, "answered with the id %g; the question has %ld", id, p->id);
    failed = fail(p, true, error, &what);
  } else if (!failed && !strcmp(message, "error") && child_has_read_all(p->child)) {
    const char *reason = json_text_of(json_get(said, "reason"));
    buf_printf(&what, "says: %s", reason ? reason : "error");
    p->starts = 0;
    failed = fail(p, false, error, &what);
  } else if (!failed && strcmp(message, answer)) {
    buf_printf(&what, "answered with the message `%s`; expected was `%s`", message, answer);
    failed = fail(p, true, error, &what);
  }
  if (!failed) failed = take_arrays(p, said, want, nwant, deadline, error);
  if (!failed && !child_has_read_all(p->child)) {
    buf_puts(&what, "answered before it had read the question");
    failed = fail(p, true, error, &what);
  }
  if (!failed) failed = nothing_more(p, error);
  if (reply && !failed) *reply = said;
  else json_free(said);
  buf_free(&line);
  buf_free(&head);
  return failed;
}

/* ---- start ---- */

static double *cells_as_numbers(const MapSpec *spec, size_t n) {
  double *cells = malloc(n * sizeof *cells);
  for (size_t k = 0; k < n; k++) cells[k] = spec->grid->cell_node[k];
  return cells;
}

static int greet(Process *p, char **error) {
  const MapSpec *spec = p->base.spec;
  const Grid *grid = spec->grid;
  size_t ncells = (size_t)grid->mesh->ncells, per = (size_t)foreign_cell_nodes(spec), nodes = (size_t)grid->nnodes, times = (size_t)foreign_times(spec);
  double *cells = cells_as_numbers(spec, ncells * per);
  Array arrays[] = {{.name = "nodes", .rank = 2, .shape = {nodes, (size_t)grid->mesh->dim}, .from = grid->x},
                    {.name = "cells", .rank = 2, .shape = {ncells, per}, .from = cells},
                    {.name = "times", .rank = 1, .shape = {times}, .from = grid->t}};
  Json *json = json_object(), *ready = NULL;
  json_put(json, "message", json_string("open"));
  json_put(json, "protocol", json_number(FOREIGN_PROTOCOL));
  json_put(json, "map", foreign_map(spec));
  int failed = ask(p, json, arrays, 3, "ready", NULL, 0, fmax(p->timeout, READY_TIMEOUT), &ready, error);
  free(cells);
  if (failed) return failed;
  double protocol = NAN, batch = 0, bytes = 0;
  json_number_of(json_get(ready, "protocol"), &protocol);
  Buf what = {0};
  if (protocol != FOREIGN_PROTOCOL) {
    buf_printf(&what, "speaks version %g of the protocol; this is version %d", protocol, FOREIGN_PROTOCOL);
    failed = fail(p, true, error, &what);
  }
  for (int o = 0; o < spec->noutputs; o++) bytes += (double)foreign_values(spec, o) * sizeof(double);
  if (!json_number_of(json_get(ready, "batch"), &batch) || !(batch >= 1)) batch = BATCH;
  batch = fmin(fmin(floor(batch), BATCH_MOST), floor(BATCH_BYTES / bytes));
  const Json *gradients = json_get(ready, "gradients");
  Buf truth = {0};
  if (gradients) json_print(&truth, gradients, NULL);
  p->ops.batch = batch < 1 ? 1 : (int)batch;
  p->ops.differentiable = !strcmp(buf_str(&truth), "true");
  buf_free(&truth);
  json_free(ready);
  return failed;
}

static int start(Process *p, char **error) {
  if (p->fate) {
    *error = strdup(p->fate);
    return 1;
  }
  ChildOptions options = {p->command, p->directory, p->memory, p->interrupt};
  char *why = NULL;
  p->starts++;
  p->child = child_start(&options, &why);
  if (!p->child) {
    Buf text = {0};
    buf_printf(&text, "the program `%s` cannot be started: %s", p->command, why);
    free(why);
    *error = text.text;
    return 1;
  }
  return greet(p, error);
}

/* ---- predictor ---- */

static Json *question(const char *message, int n) {
  Json *json = json_object();
  json_put(json, "message", json_string(message));
  json_put(json, "rows", json_number(n));
  return json;
}

static Array inputs_array(const MapSpec *spec, const char *name, int n) { return (Array){.name = name, .rank = 2, .shape = {(size_t)n, (size_t)spec->width}}; }

static Array output_array(const MapSpec *spec, int o, int n) {
  Array a = {.name = spec->outputs[o].name};
  a.shape[a.rank++] = (size_t)n;
  if (foreign_times(spec)) a.shape[a.rank++] = (size_t)spec->grid->nt;
  a.shape[a.rank++] = (size_t)spec->grid->nnodes;
  if (spec->outputs[o].shape.rank) a.shape[a.rank++] = (size_t)spec->outputs[o].ncomp;
  return a;
}

static int predict_batch(Process *p, int n, const double *rows, double *const *out, char **error) {
  const MapSpec *spec = p->base.spec;
  Array inputs = inputs_array(spec, "inputs", n), *want = calloc((size_t)spec->noutputs, sizeof *want);
  inputs.from = rows;
  for (int o = 0; o < spec->noutputs; o++) {
    want[o] = output_array(spec, o, n);
    want[o].to = out[o];
  }
  int failed = !p->child && start(p, error);
  if (!failed) failed = ask(p, question("predict", n), &inputs, 1, "fields", want, spec->noutputs, p->timeout, NULL, error);
  if (!failed) p->starts = 0;
  free(want);
  return failed;
}

static int process_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  Process *p = (Process *)self;
  const MapSpec *spec = self->spec;
  double **at = calloc((size_t)spec->noutputs, sizeof *at);
  int failed = 0;
  self->calls += n;
  for (int k = 0; k < n && !failed; k += p->ops.batch) {
    int m = n - k < p->ops.batch ? n - k : p->ops.batch;
    for (int o = 0; o < spec->noutputs; o++) at[o] = out[o] + (size_t)k * foreign_values(spec, o);
    failed = predict_batch(p, m, rows + (size_t)k * (size_t)spec->width, at, error);
  }
  free(at);
  return failed;
}

static int pullback_batch(Process *p, int n, const double *rows, const double *const *out_bar, double *rows_bar, char **error) {
  const MapSpec *spec = p->base.spec;
  size_t size = (size_t)n * (size_t)spec->width;
  Array arrays[ARRAYS_MOST] = {inputs_array(spec, "inputs", n)}, want = inputs_array(spec, "gradient", n);
  double *gradient = want.to = malloc(size * sizeof *gradient);
  arrays[0].from = rows;
  for (int o = 0; o < spec->noutputs; o++) {
    arrays[o + 1] = output_array(spec, o, n);
    arrays[o + 1].from = out_bar[o];
  }
  int failed = !p->child && start(p, error);
  if (!failed) failed = ask(p, question("pullback", n), arrays, 1 + spec->noutputs, "gradient", &want, 1, p->timeout, NULL, error);
  if (!failed) p->starts = 0;
  for (size_t k = 0; !failed && k < size; k++) rows_bar[k] += gradient[k];
  free(gradient);
  return failed;
}

static int process_pullback(Predictor *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char **error) {
  Process *p = (Process *)self;
  const MapSpec *spec = self->spec;
  const double **at = calloc((size_t)spec->noutputs, sizeof *at);
  int failed = 0;
  for (int k = 0; k < n && !failed; k += p->ops.batch) {
    int m = n - k < p->ops.batch ? n - k : p->ops.batch;
    size_t first = (size_t)k * (size_t)spec->width;
    for (int o = 0; o < spec->noutputs; o++) at[o] = out_bar[o] + (size_t)k * foreign_values(spec, o);
    failed = pullback_batch(p, m, rows + first, at, rows_bar + first, error);
  }
  free(at);
  return failed;
}

static void process_free(Predictor *self) {
  Process *p = (Process *)self;
  if (p->child) {
    static const char CLOSE[] = "{\"message\":\"close\",\"arrays\":[]}\n";
    child_send(p->child, &(ChildPart){CLOSE, sizeof CLOSE - 1}, 1);
    child_end(p->child, GRACE, NULL);
  }
  free(p->command);
  free(p->directory);
  free(p->fate);
  free(p);
}

Status foreign_process(const MapSpec *spec, const char *command, const ForeignOptions *options, Predictor **out) {
  Process *p = calloc(1, sizeof *p);
  p->ops = (PredictorOps){.kind = "process", .batch = BATCH, .predict = process_predict, .pullback = process_pullback, .free = process_free};
  p->base = (Predictor){.ops = &p->ops, .spec = spec};
  p->command = strdup(command);
  p->directory = options->directory ? strdup(options->directory) : NULL;
  p->timeout = options->timeout > 0 ? options->timeout : TIMEOUT;
  p->memory = options->memory;
  p->interrupt = options->interrupt;
  *out = &p->base;
  char *why = NULL;
  if (spec->noutputs + 2 > ARRAYS_MOST) {
    Buf text = {0};
    buf_printf(&text, "the map has %d outputs; a foreign predictor can have %d", spec->noutputs, ARRAYS_MOST - 2);
    why = text.text;
  }
  if (!why && !start(p, &why)) {
    if (!p->ops.differentiable) p->ops.pullback = NULL;
    return 0;
  }
  diag_suggest(diag_report(options->diags, E3150, options->span, "%s", why), "try it alone: what it is told and has to answer is described in docs/predictors.md");
  free(why);
  process_free(*out);
  *out = NULL;
  return 1;
}
