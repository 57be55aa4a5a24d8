#include "failures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAILURES_MOST = 64 };     /* rows of one contract that are tried again */

static char *read_whole(const char *path, size_t *len) {
  FILE *f = fopen(path, "rb");
  Buf text = {0};
  char block[65536];
  if (!f) return NULL;
  for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;) buf_add(&text, block, n);
  fclose(f);
  *len = text.len;
  return text.text ? text.text : strdup("");
}

FailureBank *failures_open(Eval *ev, const char *name, Span span) {
  FailureBank *bank = calloc(1, sizeof *bank);
  bank->path = host_output_path(ev->host, name, span);
  size_t len = 0;
  if (!bank->path) return free(bank), NULL;
  char *text = read_whole(bank->path, &len);
  bank->list = json_array();
  if (!text) return bank;
  Json *root = json_parse(text, len);
  const Json *list = root ? json_get(root, "failures") : NULL;
  if (!list) {
    diag_suggest(diag_report(&ev->host->diags, E3030, span, "`%s` is no bank of failures", bank->path), "name a file that audits alone write; one that does not exist is made");
    json_free(root);
    free(text);
    failures_close(ev, bank, span);
    return NULL;
  }
  for (int i = 0; i < json_count(list); i++) {       /* copies: the file's own tree goes */
    Buf item = {0};
    json_print(&item, json_at(list, i), NULL);
    Json *copy = json_parse(buf_str(&item), item.len);
    if (copy) json_append(bank->list, copy);
    buf_free(&item);
  }
  json_free(root);
  free(text);
  return bank;
}

bool failures_close(Eval *ev, FailureBank *bank, Span span) {
  bool fine = true;
  if (bank->changed) {
    Json *root = json_object();
    Buf text = {0};
    json_put(root, "v", json_number(1));
    json_put(root, "failures", bank->list);
    bank->list = NULL;
    json_print(&text, root, NULL);
    buf_putc(&text, '\n');
    fine = host_write_file(ev->host, bank->path, &text, span);
    if (fine) host_record_file(ev->host, bank->path);
    buf_free(&text);
    json_free(root);
  }
  if (bank->list) json_free(bank->list);
  free(bank->path);
  free(bank);
  return fine;
}

bool failures_read_rows(const Json *probe, const Trace *t, double *rows) {
  const MapSpec *spec = &t->m->spec;
  for (int p = 0; p < t->nprobes; p++) {
    const Json *of = json_get(probe, t->probes[p]);
    for (int i = 0; i < spec->ninputs; i++) {
      const MapInput *input = &spec->inputs[i];
      const Json *value = of ? json_get(of, input->name) : NULL;
      double *row = rows + (size_t)p * (size_t)spec->width + input->offset;
      if (!value) return false;
      if (!input->history) {
        if (!json_number_of(value, row)) return false;
        continue;
      }
      if (json_count(value) != spec->grid->nt) return false;
      for (int k = 0; k < spec->grid->nt; k++)
        if (!json_number_of(json_at(value, k), &row[k])) return false;
    }
  }
  return true;
}

static bool about(const Json *failure, const Trace *t, const char *contract) {
  const char *of = json_text_of(json_get(failure, "contract")), *map = json_text_of(json_get(failure, "map"));
  return of && map && !strcmp(of, contract) && !strcmp(map, t->m->spec.name);
}

/* Does the mixture of the bank give the histories of the row? */
static bool gives(const MapSpec *spec, const double *a, const double *row) {
  int nt = spec->grid->nt, wide = 0, h = 0;
  for (int i = 0; i < spec->ninputs; i++) wide += spec->inputs[i].history ? nt : 0;
  for (int i = 0; i < spec->ninputs; i++) {
    const MapInput *in = &spec->inputs[i];
    double slack = 1e-9 * fmax(fabs(in->lo), fabs(in->hi));
    for (int k = 0; k < nt && in->history; k++) {
      double sum = 0;
      for (int m = 0; m < spec->nbank; m++) sum += a[m] * spec->bank[(size_t)m * (size_t)wide + (size_t)(h * nt + k)];
      if (!(fabs(sum - row[in->offset + k]) <= slack)) return false;
    }
    h += in->history;
  }
  return true;
}

static void read_mixture(const Json *node, const Trace *t, const double *rows, double *out) {
  const MapSpec *spec = &t->m->spec;
  for (int p = 0; p < t->nprobes; p++) {
    const Json *of = node ? json_get(node, t->probes[p]) : NULL;
    double *a = out + (size_t)p * (size_t)spec->nbank;
    for (int m = 0; m < spec->nbank; m++) a[m] = 0;
    for (int m = 0; m < spec->nbank && of; m++) {
      char key[16];
      snprintf(key, sizeof key, "%d", m);
      const Json *value = json_get(of, key);
      if (value && !json_number_of(value, &a[m])) of = NULL;
    }
    if (of && gives(spec, a, rows + (size_t)p * (size_t)spec->width)) continue;
    for (int m = 0; m < spec->nbank; m++) a[m] = NAN;
  }
}

double *failures_rows(const FailureBank *bank, const Trace *t, const char *contract, int *n, double **mixture) {
  const MapSpec *spec = &t->m->spec;
  size_t size = (size_t)t->nprobes * (size_t)spec->width, mixed = (size_t)t->nprobes * (size_t)spec->nbank;
  double *rows = calloc((size_t)FAILURES_MOST * (size ? size : 1), sizeof *rows);
  *n = 0;
  *mixture = mixed ? calloc((size_t)FAILURES_MOST * mixed, sizeof **mixture) : NULL;
  for (int i = json_count(bank->list) - 1; i >= 0 && *n < FAILURES_MOST; i--) {      /* the latest first */
    const Json *failure = json_at(bank->list, i), *probe = json_get(failure, "probe");
    double *row = rows + (size_t)*n * size;
    if (!about(failure, t, contract) || !probe || !failures_read_rows(probe, t, row)) continue;
    if (mixed) read_mixture(json_get(failure, "mixture"), t, row, *mixture + (size_t)*n * mixed);
    ++*n;
  }
  return rows;
}

static Json *mixture_json(const Trace *t, const double *mixture) {
  Json *node = json_object();
  for (int p = 0; p < t->nprobes; p++) {
    Json *of = json_object();
    for (int m = 0; m < t->m->spec.nbank; m++) {
      char key[16];
      double a = mixture[(size_t)p * (size_t)t->m->spec.nbank + (size_t)m];
      snprintf(key, sizeof key, "%d", m);
      if (a != 0) json_put(of, key, json_number(a));
    }
    json_put(node, t->probes[p], of);
  }
  return node;
}

void failures_add(FailureBank *bank, const Trace *t, const char *contract, const char *id, const char *probe, const double *mixture, double violation, double tolerance) {
  for (int i = 0; i < json_count(bank->list); i++) {
    const char *old = json_text_of(json_get(json_at(bank->list, i), "id"));
    if (old && !strcmp(old, id)) return;
  }
  Json *node = json_object();
  json_put(node, "id", json_string(id));
  json_put(node, "contract", json_string(contract));
  json_put(node, "map", json_string(t->m->spec.name));
  json_put(node, "probe", json_parse(probe, strlen(probe)));
  if (mixture) json_put(node, "mixture", mixture_json(t, mixture));
  json_put(node, "violation", json_number(violation));
  json_put(node, "tolerance", json_number(tolerance));
  json_append(bank->list, node);
  bank->changed = true;
}
