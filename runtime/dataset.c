#include "dataset.h"

#include <stdlib.h>
#include <string.h>

#include "dataset_csv.h"

Value *dataset_value(Cases *cases) {
  Value *v = value_new(VALUE_DATASET);
  v->dataset = calloc(1, sizeof *v->dataset);
  v->dataset->cases = cases;
  v->known = cases != NULL;
  return v;
}

void dataset_free(DatasetValue *data) {
  cases_free(data->cases);
  free(data->inputs);
  free(data->outputs);
  free(data);
}

void dataset_print(Buf *out, const DatasetValue *data) {
  if (data->cases) cases_print(out, data->cases);
  else buf_puts(out, "dataset");
}

static CaseArray *copy_part(const CaseArray *from, int narrays, int first, int n) {
  CaseArray *list = calloc((size_t)narrays + 1, sizeof *list);
  for (int k = 0; k < narrays; k++) {
    size_t bytes = (size_t)n * from[k].size * sizeof(double);
    list[k] = from[k];
    list[k].name = strdup(from[k].name);
    list[k].values = malloc(bytes);
    memcpy(list[k].values, from[k].values + (size_t)first * from[k].size, bytes);
  }
  return list;
}

static double *copy_numbers(const double *from, size_t n) {
  if (!from) return NULL;
  double *to = malloc(n * sizeof *to);
  memcpy(to, from, n * sizeof *to);
  return to;
}

Cases *dataset_part(const Cases *cases, int first, int n) {
  Cases *part = calloc(1, sizeof *part);
  *part = *cases;
  part->n = n;
  part->inputs = copy_part(cases->inputs, cases->ninputs, first, n);
  part->outputs = copy_part(cases->outputs, cases->noutputs, first, n);
  part->t = copy_numbers(cases->t, (size_t)cases->nt);
  part->nodes = copy_numbers(cases->nodes, (size_t)cases->nnodes * (size_t)cases->dim);
  return part;
}

/* ---- files ---- */

static const char *extension(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  return dot ? dot + 1 : "";
}

static bool is_h5(const char *path) { return !strcmp(extension(path), "h5") || !strcmp(extension(path), "hdf5"); }

bool dataset_writes(Host *host, const char *path, Span span) {
  if (is_h5(path) || !strcmp(extension(path), "npz")) return true;
  diag_suggest(diag_report(&host->diags, E3153, span, "cases are written as .h5 or .npz; `%s` is neither", path), "write file: \"cases.h5\"");
  return false;
}

Cases *dataset_read(Eval *ev, const char *path, const Name *inputs, int ninputs, const Name *outputs, int noutputs, Span span) {
  Host *host = ev->host;
  ArrayFile file = {0};
  const char *kind = extension(path);
  bool fine = false;
  if (!strcmp(kind, "npz")) fine = !npz_read(path, &host->diags, span, &file);
  else if (!strcmp(kind, "csv")) fine = dataset_csv_read(path, outputs, noutputs, &host->diags, span, &file);
  else if (is_h5(path)) {
    const EngineApi *api = host_engine(host, span);
    fine = api && !api->arrays_read(path, &host->diags, span, &file);
  } else diag_suggest(diag_report(&host->diags, E3153, span, "`%s` is no data file by its name", path), "data files are .h5, .npz and, for numbers alone, .csv");
  if (!fine) return NULL;
  return cases_from_arrays(&file, inputs, ninputs, outputs, noutputs, path, &host->diags, span);
}

bool dataset_write(Eval *ev, const Cases *cases, const char *path, Span span) {
  Host *host = ev->host;
  if (!dataset_writes(host, path, span)) return false;
  const EngineApi *api = is_h5(path) || host->api ? host_engine(host, span) : NULL;      /* with it ranks agree */
  if (!api && is_h5(path)) return false;
  ArrayFile file;
  cases_to_arrays(cases, &file);
  Status status = api ? api->arrays_write(path, &file, &host->diags, span) : npz_write(path, &file, &host->diags, span);
  arrays_free(&file);
  return !status;
}

/* ---- members ---- */

Value *history_value(int n, const double *t, Unit t_unit, const double *values, Unit unit, Name name) {
  Value *v = value_new(VALUE_HISTORY);
  size_t bytes = (size_t)n * sizeof(double);
  v->curve_x = malloc(bytes);
  v->curve_y = malloc(bytes);
  memcpy(v->curve_x, t, bytes);
  memcpy(v->curve_y, values, bytes);
  v->ncurve = n;
  v->curve_xunit = t_unit;
  v->curve_yunit = unit;
  v->curve_name = name;
  return v;
}

/* Its values, case by case: numbers, or histories. */
static Value *column(Eval *ev, const Cases *cases, const CaseArray *a) {
  Value *v = value_new(VALUE_LIST);
  Name name = intern_text(ev->host->names, a->name);
  v->items = calloc((size_t)cases->n, sizeof *v->items);
  for (int k = 0; k < cases->n; k++) {
    const double *values = a->values + (size_t)k * a->size;
    v->items[v->n++] = a->in_time ? history_value(cases->nt, cases->t, cases->t_unit, values, a->unit, name) : value_number(values[0], a->unit);
  }
  return v;
}

static bool listed(const Name *names, int n, Name name) {
  for (int k = 0; k < n; k++)
    if (names[k] == name) return true;
  return !names;
}

Value *dataset_member(Eval *ev, Value *v, Name name, Span span) {
  const DatasetValue *data = v->dataset;
  const Cases *cases = data->cases;
  bool count = !strcmp(name, "count");
  if (!cases) {
    if (count || listed(data->inputs, data->ninputs, name) || listed(data->outputs, data->noutputs, name)) return value_unknown();
  } else {
    const CaseArray *input = cases_input(cases, name), *output = input ? NULL : cases_output(cases, name);
    if (count) return value_int(cases->n);
    if (input || (output && !output->on_nodes)) return column(ev, cases, input ? input : output);
    if (output) {
      diag_suggest(diag_report(&ev->host->diags, E3154, span, "`%s` is a field at the nodes of a file; it is no value of the script", name), "audit a model that predicts it: model NAME for MAP { file: \"...\" }");
      return value_poison();
    }
  }
  Buf there = {0};
  buf_puts(&there, "count");
  for (int k = 0; cases && k < cases->ninputs; k++) buf_printf(&there, ", %s", cases->inputs[k].name);
  for (int k = 0; cases && k < cases->noutputs; k++) buf_printf(&there, ", %s", cases->outputs[k].name);
  for (int k = 0; !cases && k < data->ninputs + data->noutputs; k++) buf_printf(&there, ", %s", k < data->ninputs ? data->inputs[k] : data->outputs[k - data->ninputs]);
  diag_suggest(diag_report(&ev->host->diags, E0111, span, "the dataset has no `%s`", name), "it has %s", buf_str(&there));
  buf_free(&there);
  return value_poison();
}

Value *dataset_bank(Eval *ev, const char *path, Span span) {
  char *full = host_input_path(ev, path, span);
  if (!full) return value_poison();
  Cases *cases = dataset_read(ev, full, NULL, 0, (Name[]){NULL}, 0, span);
  Value *bank = cases ? value_new(VALUE_RECORD) : value_poison();
  if (cases) bank->fields = calloc((size_t)cases->ninputs + 1, sizeof *bank->fields);
  for (int k = 0; cases && k < cases->ninputs; k++)
    if (cases->inputs[k].in_time) bank->fields[bank->nfields++] = (Argument){intern_text(ev->host->names, cases->inputs[k].name), column(ev, cases, &cases->inputs[k]), span};
  if (cases && !bank->nfields) {
    diag_suggest(diag_report(&ev->host->diags, E3151, span, "`%s` cannot be used: it holds no histories", full), "a history is an array inputs/NAME [N][nt], with its times in t [nt]");
    value_release(bank);
    bank = value_poison();
  }
  cases_free(cases);
  free(full);
  return bank;
}
