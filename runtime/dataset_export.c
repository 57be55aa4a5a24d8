/* export(d, "cases.npz") of a dataset, and export((ux: histories, uy: ..), "loads.h5"): a bank. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "dataset.h"

/* Histories of one input; all at the times of the first. */
static bool add_histories(Call *call, const Argument *column, Cases *cases) {
  const Value *list = column->value;
  Host *host = call->ev->host;
  if (list->kind != VALUE_LIST || !list->n || (cases->n && list->n != cases->n)) {
    diag_report(&host->diags, E0505, call->spans[0], cases->n ? "`%s` is a list of as many histories as the others" : "`%s` is a list of histories", column->name);
    return false;
  }
  CaseArray *a = &cases->inputs[cases->ninputs++];
  *a = (CaseArray){.name = strdup(column->name), .in_time = true, .ncomp = 1};
  for (int k = 0; k < list->n; k++) {
    const Value *h = list->items[k];
    bool history = h->kind == VALUE_HISTORY && !h->curve_in_space && h->ncurve;
    if (history && !cases->t) {
      size_t bytes = (size_t)h->ncurve * sizeof(double);
      *cases = (Cases){.n = list->n, .inputs = cases->inputs, .ninputs = cases->ninputs, .nt = h->ncurve, .t = malloc(bytes), .t_unit = h->curve_xunit};
      memcpy(cases->t, h->curve_x, bytes);
    }
    if (!history || h->ncurve != cases->nt || memcmp(h->curve_x, cases->t, (size_t)cases->nt * sizeof(double))) {
      diag_report(&host->diags, E0505, call->spans[0], history ? "the histories of a file have the same times; number %d of `%s` has others" : "number %d of `%s` is no history", k, column->name);
      return false;
    }
    if (!k) {
      a->size = (size_t)cases->nt;
      a->unit = h->curve_yunit;
      a->has_unit = !unit_is_none(a->unit);
      a->values = malloc((size_t)list->n * a->size * sizeof *a->values);
    }
    memcpy(a->values + (size_t)k * a->size, h->curve_y, a->size * sizeof *a->values);
  }
  return true;
}

static Cases *bank_cases(Call *call, const Value *record) {
  Cases *cases = calloc(1, sizeof *cases);
  cases->inputs = calloc((size_t)record->nfields + 1, sizeof *cases->inputs);
  for (int k = 0; k < record->nfields; k++)
    if (!add_histories(call, &record->fields[k], cases)) {
      cases_free(cases);
      return NULL;
    }
  return cases;
}

Value *export_data(Call *call, Value *what, const Value *path) {
  Host *host = call->ev->host;
  if (!is_unknown(path) && !dataset_writes(host, path->text, call->spans[1])) return value_poison();
  if (call->ev->dry) return value_none();
  Cases *own = what->kind == VALUE_RECORD ? bank_cases(call, what) : NULL;
  const Cases *cases = what->kind == VALUE_DATASET ? what->dataset->cases : own;
  char *file = cases ? host_output_path(host, path->text, call->spans[1]) : NULL;
  bool fine = file && dataset_write(call->ev, cases, file, call->spans[1]);
  if (fine) host_record_file(host, file);
  free(file);
  cases_free(own);
  return fine ? value_none() : value_poison();
}
