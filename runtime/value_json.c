#include "value_json.h"

#include <string.h>

#include "eval.h"
#include "fit.h"
#include "verdict.h"

static Json *unit_json(Unit unit) {
  if (unit.any || unit_is_none(unit)) return json_null();
  Buf text = {0};
  unit_print_short(&text, unit);
  Json *node = json_string(buf_str(&text));
  buf_free(&text);
  return node;
}

static Json *printed_text(const Value *v) {
  Buf text = {0};
  value_print(&text, v);
  Json *node = json_string(buf_str(&text));
  buf_free(&text);
  return node;
}

static Json *plain(const Value *v);

/* Items of one unit stand bare and the list carries it; others carry their own. */
static bool common_unit(const Value *v, Unit *unit) {
  *unit = UNIT_NONE;
  for (int i = 0; i < v->n; i++) {
    const Value *item = v->items[i];
    Unit own = UNIT_NONE;
    if (item->kind == VALUE_NUMBER) own = item->unit;
    else if ((item->kind == VALUE_LIST || item->kind == VALUE_TUPLE) && !common_unit(item, &own)) return false;
    if (own.any) own = UNIT_NONE;
    if (i && !unit_equal(own, *unit)) return false;
    *unit = own;
  }
  return true;
}

static Json *items_json(const Value *v) {
  Unit unit;
  bool bare = common_unit(v, &unit);
  Json *list = json_array();
  for (int i = 0; i < v->n; i++) json_append(list, bare ? plain(v->items[i]) : value_to_json(v->items[i]));
  return list;
}

static Json *record_json(const Value *v) {
  Json *fields = json_object();
  for (int i = 0; i < v->nfields; i++) json_put(fields, v->fields[i].name, value_to_json(v->fields[i].value));
  return fields;
}

static Json *range_json(const Value *v) {
  Json *range = json_object();
  json_put(range, "from", json_number(v->from));
  json_put(range, "to", json_number(v->to));
  json_put(range, "by", v->has_by ? json_number(v->by) : json_null());
  return range;
}

/* An empty cell is null and no number that went wrong. */
static Json *study_json(const StudyTable *t) {
  Json *study = json_object(), *columns = json_array(), *rows = json_array();
  for (int c = 0; c < t->ncolumns; c++) {
    Json *column = json_object();
    json_put(column, "name", json_string(t->columns[c]));
    json_put(column, "unit", t->units ? unit_json(t->units[c]) : json_null());
    json_append(columns, column);
  }
  for (int r = 0; r < t->nrows; r++) {
    Json *row = json_array();
    for (int c = 0; c < t->ncolumns; c++) {
      const char *text = t->texts ? t->texts[r * t->ncolumns + c] : NULL;
      double x = t->cells[r * t->ncolumns + c];
      json_append(row, text ? json_string(text) : x != x ? json_null() : json_number(x));
    }
    json_append(rows, row);
  }
  json_put(study, "title", json_string(t->title));
  json_put(study, "columns", columns);
  json_put(study, "rows", rows);
  return study;
}

static Json *history_json(const Value *v) {
  Json *history = json_object(), *x = json_array(), *y = json_array();
  for (int i = 0; i < v->ncurve; i++) {
    json_append(x, json_number(v->curve_x[i]));
    json_append(y, json_number(v->curve_y[i]));
  }
  json_put(history, "t", x);
  json_put(history, "t_unit", unit_json(v->curve_xunit));
  json_put(history, "values", y);
  return history;
}

static Json *mesh_json(const Mesh *mesh) {
  Json *node = json_object();
  json_put(node, "dimension", json_number(mesh->dim));
  json_put(node, "cells", json_number((double)mesh->global_cells));
  json_put(node, "vertices", json_number((double)mesh->global_verts));
  json_put(node, "h_min", json_number(mesh->h_min));
  json_put(node, "h_max", json_number(mesh->h_max));
  return node;
}

static Json *gate_json(const Gate *gate) {
  Json *node = json_object();
  json_put(node, "gate", json_string(gate->state));
  json_put(node, "viol_max", json_number(gate->viol_max));
  json_put(node, "threshold", json_number(gate->threshold));
  json_put(node, "vset", json_string(gate->vset));
  return node;
}

static Json *verdicts_json(const Value *v) {
  Json *list = json_array();
  for (int i = 0; i < v->nverdicts; i++) json_append(list, verdict_to_json(&v->verdicts[i]));
  if (!v->gate) return list;
  Json *node = gate_json(v->gate);
  json_put(node, "checks", list);
  return node;
}

static Json *plain(const Value *v) {
  if (!v->known) return json_null();
  switch (v->kind) {
    case VALUE_BOOL: return json_bool(v->truth);
    case VALUE_NUMBER: return json_number(v->number);
    case VALUE_TUPLE:
    case VALUE_LIST: return items_json(v);
    case VALUE_RECORD: return record_json(v);
    case VALUE_RANGE: return range_json(v);
    case VALUE_MODES: return v->mode_values->kind == VALUE_LIST ? items_json(v->mode_values) : json_null();
    case VALUE_FIT: return fit_json(v->fit);
    case VALUE_STUDY: return study_json(v->table);
    case VALUE_HISTORY: return history_json(v);
    case VALUE_MESH: return v->mesh ? mesh_json(v->mesh) : json_null();
    case VALUE_VERDICT: return verdicts_json(v);
    case VALUE_NONE: return json_null();
    default: return printed_text(v);
  }
}

Json *value_to_json(const Value *v) {
  Unit unit = UNIT_NONE;
  if (v->kind == VALUE_NUMBER) unit = v->unit;
  else if (v->kind == VALUE_LIST || v->kind == VALUE_TUPLE) unit = common_unit(v, &unit) ? unit : UNIT_NONE;
  else if (v->kind == VALUE_FIELD) unit = v->expr->unit;
  else if (v->kind == VALUE_HISTORY) unit = v->curve_yunit;
  else if (v->kind == VALUE_RANGE) unit = v->range_unit;
  Json *node = json_object();
  json_put(node, "kind", json_string(value_kind_name(v)));
  json_put(node, "unit", unit_json(unit));
  json_put(node, "value", plain(v));
  return node;
}

char *value_json(const Value *v) {
  Buf text = {0};
  Json *node = value_to_json(v);
  json_print(&text, node, NULL);
  json_free(node);
  return text.text;
}

Name value_source_name(Eval *ev, Span span) {
  const Source *source = source_of(ev->host->sources, span);
  if (!source || span.end <= span.start) return NULL;
  const char *text = source->text + (span.start - source->base);
  size_t n = span.end - span.start;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z', digit = c >= '0' && c <= '9';
    if (!(letter || c == '_' || c >= 0x80 || (i && (digit || c == '.')))) return NULL;
  }
  return intern(ev->host->names, text, n);
}

static Json *maybe(double x) { return x != x ? json_null() : json_number(x); }

Json *verdict_to_json(const Verdict *v) {
  VerdictItem items[VERDICT_ITEMS];
  int n = verdict_items(v, items);
  Json *node = json_object();
  for (int i = 0; i < n; i++) {
    const VerdictItem *item = &items[i];
    if (!(item->in & IN_JSON)) continue;
    Json *value = item->kind == ITEM_TEXT ? json_string(item->text)
                  : item->kind == ITEM_TREE ? item->text ? json_parse(item->text, strlen(item->text)) : json_null()
                  : item->kind == ITEM_TRUTH && item->number == item->number ? json_bool(item->number != 0)
                                                                            : maybe(item->number);
    json_put(node, item->name, value);
  }
  return node;
}

static Json *place_json(Json *node, const SourceMap *sources, Span span) {
  bool somewhere = span.end != 0;
  Place from = source_place(sources, span.start), to = source_place(sources, span.end);
  json_put(node, "file", somewhere && from.source ? json_string(from.source->path) : json_null());
  json_put(node, "line", somewhere ? json_number(from.line) : json_null());
  json_put(node, "column", somewhere ? json_number(from.column) : json_null());
  json_put(node, "end_line", somewhere ? json_number(to.line) : json_null());
  json_put(node, "end_column", somewhere ? json_number(to.column) : json_null());
  return node;
}

/* What has to change before the same command can do better. */
static const char *retry_after(ExitStatus status) {
  switch (status) {
    case EXIT_INPUT:
    case EXIT_CONTRACT:
    case EXIT_NUMERICS: return "edit";
    case EXIT_ENVIRONMENT: return "environment";
    case EXIT_INTERRUPT: return "again";
    default: return "never";
  }
}

Json *diag_to_json(const SourceMap *sources, const Diag *diag) {
  static const char *const severities[] = {"error", "warning", "note"};
  const DiagRow *row = &diag_rows[diag->code];
  Json *node = json_object(), *notes = json_array();
  json_put(node, "code", json_string(row->code));
  json_put(node, "name", json_string(row->name));
  json_put(node, "severity", json_string(severities[diag->severity]));
  json_put(node, "message", json_string(diag->message));
  place_json(node, sources, diag->span);
  for (int i = 0; i < diag->nnotes; i++) {
    Json *note = json_object();
    json_put(note, "message", json_string(diag->notes[i].text));
    json_append(notes, place_json(note, sources, diag->notes[i].span));
  }
  json_put(node, "notes", notes);
  json_put(node, "suggestion", json_string(diag->suggestion));
  json_put(node, "replacement", json_string(diag->replacement));
  json_put(node, "applicability", json_string(diag->replacement ? "machine" : diag->suggestion ? "maybe" : NULL));
  json_put(node, "retry", json_string(retry_after(row->status)));
  return node;
}
