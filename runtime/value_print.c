/* How values look. */
#include <ctype.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "contract.h"
#include "dataset.h"
#include "hypothesis.h"
#include "search.h"
#include "eval.h"
#include "map_value.h"
#include "fit.h"
#include "samples.h"
#include "verdict.h"
#include "temperature.h"
#include "view.h"

/* Reals with up to 10 significant digits, so that 0.1 + 0.2 reads 0.3; whole numbers whole. The format of an f-string gives more, JSON all. */
void value_print_number(Buf *out, double x, bool integer) {
  if (x == floor(x) && fabs(x) < (integer ? 9e15 : 1e15)) {
    buf_printf(out, "%.0f", x == 0 ? 0.0 : x);
    return;
  }
  char text[40];
  if (!isfinite(x)) {
    buf_number(out, x);
    return;
  }
  Buf short_form = {0};
  snprintf(text, sizeof text, "%.10g", x);
  for (char *c = text; *c; c++)
    if (*c == ',') *c = '.';
  buf_number(&short_form, x);
  buf_puts(out, strlen(text) < short_form.len ? text : buf_str(&short_form));
  buf_free(&short_form);
}

double shown_number(const Shown *shown, double x) { return shown->unit ? (x - shown->offset) / shown->scale : x; }

void shown_unit(Buf *out, const Shown *shown, Unit unit) {
  if (shown->unit) buf_puts(out, shown->unit);
  else if (!unit.any) unit_print_short(out, unit);
}

void shown_heading(Buf *out, const char *name, const Shown *shown, Unit unit) {
  Buf symbol = {0};
  shown_unit(&symbol, shown, unit);
  buf_printf(out, symbol.len ? "%s [%s]" : "%s", name, buf_str(&symbol));
  buf_free(&symbol);
}

static void print_quantity(Buf *out, const Value *v) {
  if (!v->known) {
    buf_puts(out, "?");
    return;
  }
  value_print_number(out, shown_number(&v->shown, v->number), v->integer && !v->shown.unit);
  shown_heading(out, "", &v->shown, v->unit);
}

static void print_items(Buf *out, const Value *v, char open, char close) {
  buf_putc(out, open);
  for (int i = 0; i < v->n; i++) {
    if (i) buf_puts(out, ", ");
    bool text = v->items[i]->kind == VALUE_STRING;
    if (text) buf_putc(out, '"');
    value_print(out, v->items[i]);
    if (text) buf_putc(out, '"');
  }
  buf_putc(out, close);
}

static void print_field(Buf *out, const Value *v) {
  double number;
  if (v->expr->shape.rank == 0 && expr_is_const(v->expr, &number)) {
    value_print_number(out, number, false);
    return;
  }
  Buf shape = {0}, unit = {0};
  shape_print(&shape, v->expr->shape);
  unit_print_short(&unit, v->expr->unit);
  expr_print(out, v->expr, EXPR_TEXT);
  buf_printf(out, "  (%s field%s%s%s)", buf_str(&shape), unit.len ? ", [" : "", buf_str(&unit), unit.len ? "]" : "");
  buf_free(&shape);
  buf_free(&unit);
}

/* A cell of a table, or its column's heading (row -1) with the unit. */
static void table_cell(Buf *out, const StudyTable *t, int row, int c) {
  const char *text = row < 0 ? NULL : t->texts[row * t->ncolumns + c];
  if (row < 0) shown_heading(out, t->columns[c], &t->shown[c], t->units[c]);
  else if (text) buf_puts(out, text);
  else if (isnan(t->cells[row * t->ncolumns + c])) buf_putc(out, '-');
  else buf_printf(out, "%.5g", shown_number(&t->shown[c], t->cells[row * t->ncolumns + c]));
}

/* A table of the script's own: each column as wide as its widest cell, text to the left, numbers to the right. */
static void print_own_table(Buf *out, const StudyTable *t) {
  if (t->title) buf_printf(out, "%s\n", t->title);
  for (int r = -1; r < t->nrows; r++) {
    if (r >= 0) buf_putc(out, '\n');
    for (int c = 0; c < t->ncolumns; c++) {
      Buf cell = {0};
      size_t width = 0;
      bool left = false;
      for (int k = -1; k < t->nrows; k++) {
        cell.len = 0;
        table_cell(&cell, t, k, c);
        if (cell.len > width) width = cell.len;
        left |= k >= 0 && t->texts[k * t->ncolumns + c];
      }
      cell.len = 0;
      table_cell(&cell, t, r, c);
      buf_printf(out, left ? "%s%-*s" : "%s%*s", c ? "  " : "", left && c + 1 == t->ncolumns ? 0 : (int)width, buf_str(&cell));
      buf_free(&cell);
    }
  }
}

static void print_table(Buf *out, const StudyTable *t) {
  if (t->title) buf_printf(out, "%s\n", t->title);
  int width[t->ncolumns];
  for (int c = 0; c < t->ncolumns; c++) {
    Buf heading = {0};
    shown_heading(&heading, t->columns[c], &t->shown[c], t->units[c]);
    width[c] = heading.len > 12 ? (int)heading.len : 12;
    buf_printf(out, "%s%*s", c ? "  " : "", width[c], buf_str(&heading));
    buf_free(&heading);
  }
  for (int r = 0; r < t->nrows; r++) {
    buf_putc(out, '\n');
    for (int c = 0; c < t->ncolumns; c++) {
      double x = shown_number(&t->shown[c], t->cells[r * t->ncolumns + c]);
      bool order = !strncmp(t->columns[c], "order", 5);
      if (c) buf_puts(out, "  ");
      if (isnan(x)) buf_printf(out, "%*s", width[c], "-");
      else if (x == floor(x) && fabs(x) < 1e9) buf_printf(out, "%*.0f", width[c], x);
      else buf_printf(out, order ? "%*.2f" : "%*.4e", width[c], x);
    }
  }
}

static void print_heading(Buf *out, const char *name, const Shown *shown, Unit unit, int width) {
  Buf heading = {0};
  shown_heading(&heading, name, shown, unit);
  buf_printf(out, "%*s", width, buf_str(&heading));
  buf_free(&heading);
}

/* Every value of a short one; the ends of a long one. */
static void print_history(Buf *out, const Value *v) {
  enum { WHOLE = 40, ENDS = 5 };
  print_heading(out, v->curve_in_space ? "distance" : "t", &(Shown){0}, v->curve_xunit, 12);
  print_heading(out, "value", &v->shown, v->curve_yunit, 16);
  for (int i = 0; i < v->ncurve; i++) {
    if (v->ncurve > WHOLE && i == ENDS) {
      buf_printf(out, "\n%12s  (%d more)", "...", v->ncurve - 2 * ENDS);
      i = v->ncurve - ENDS;
    }
    buf_printf(out, "\n%12.6g  %14.7g", v->curve_x[i], shown_number(&v->shown, v->curve_y[i]));
  }
}

static void print_modes(Buf *out, const Value *v) {
  const Value *values = v->mode_values;
  if (values->kind != VALUE_LIST) {
    buf_puts(out, "modes");
    return;
  }
  bool complex = v->mode_imaginary->n > 0;
  buf_puts(out, "mode");
  Unit unit = values->n ? values->items[0]->unit : UNIT_NONE;
  print_heading(out, complex ? "real" : "lambda", &(Shown){0}, unit, 20);
  if (complex) print_heading(out, "imaginary", &(Shown){0}, unit, 20);
  buf_puts(out, "    residual");
  for (int i = 0; i < values->n; i++) {
    buf_printf(out, "\n%4d%20.9g", i, values->items[i]->number);
    if (complex) buf_printf(out, "%20.9g", v->mode_imaginary->items[i]->number);
    buf_printf(out, "%12.1e", v->mode_residuals->items[i]->number);
  }
}

static void print_solution(Buf *out, const Value *v) {
  const Pde *pde = v->solution_pde ? v->solution_pde->pde->pde : NULL;
  buf_printf(out, "solution of %s", pde ? pde->name : "?");
  for (int i = 0; pde && i < pde->nunknowns; i++) buf_printf(out, "%s%s", i ? ", " : ": ", pde->unknowns[i].name);
  for (int i = 0; pde && i < pde->nglobals; i++)
    if (pde->globals[i].declared) buf_printf(out, ", %s", pde->globals[i].name);
  if (pde && pde->stabilize) buf_puts(out, ", stabilised by SUPG");
}

void value_print(Buf *out, const Value *v) {
  switch (v->kind) {
    case VALUE_BOOL: buf_puts(out, !v->known ? "?" : v->truth ? "true" : "false"); break;
    case VALUE_NUMBER: print_quantity(out, v); break;
    case VALUE_STRING: buf_add(out, v->text, v->len); break;
    case VALUE_TUPLE: print_items(out, v, '(', ')'); break;
    case VALUE_LIST: print_items(out, v, '[', ']'); break;
    case VALUE_RECORD:
      buf_putc(out, '(');
      for (int i = 0; i < v->nfields; i++) {
        buf_printf(out, "%s%s: ", i ? ", " : "", v->fields[i].name);
        value_print(out, v->fields[i].value);
      }
      buf_putc(out, ')');
      break;
    case VALUE_RANGE:
      value_print_number(out, v->from, v->range_integer);
      buf_puts(out, "..");
      value_print_number(out, v->to, v->range_integer);
      if (v->has_by) {
        buf_puts(out, " by ");
        value_print_number(out, v->by, v->range_integer);
      }
      break;
    case VALUE_FUNCTION: buf_printf(out, "fn %s", v->function->name); break;
    case VALUE_CONTRACT: buf_printf(out, "%s %s", v->function->decl->name, v->function->name); break;
    case VALUE_BUILTIN: buf_printf(out, "%s%s", v->builtin->name, v->builtin->signature); break;
    case VALUE_HOSTCALL: buf_printf(out, "host function %s", v->host_function->name); break;
    case VALUE_TABLE:
      buf_printf(out, "table %s, %d", v->lookup->name, v->lookup->n[0]);
      for (int d = 1; d < v->lookup->dim; d++) buf_printf(out, " x %d", v->lookup->n[d]);
      buf_puts(out, " values");
      break;
    case VALUE_FIELD: print_field(out, v); break;
    case VALUE_GEOMETRY: {
      const GeomGroup *groups;
      int n = geom_groups(v->geom, &groups);
      buf_printf(out, "geometry, %dD:", geom_dim(v->geom));
      for (int i = 0; i < n; i++) {
        bool twice = false;                  /* a part is a boundary and a region */
        for (int k = 0; k < i; k++) twice |= !strcmp(groups[k].name, groups[i].name);
        if (!twice) buf_printf(out, " %s", groups[i].bare ? groups[i].bare : groups[i].name);
      }
      break;
    }
    case VALUE_PLACE:
      if (v->where.all) buf_puts(out, v->is_region ? "everywhere" : "all");
      if (v->where.interior) buf_puts(out, "interior");
      for (int i = 0; i < v->where.n; i++) buf_printf(out, "%s%s", i ? " + " : "", v->where.names[i]);
      break;
    case VALUE_MESH:
      if (v->mesh) buf_printf(out, "mesh, %dD: %ld cells, %ld vertices, h %.3g to %.3g, worst quality %.2f", v->mesh->dim, v->mesh->global_cells, v->mesh->global_verts, v->mesh->h_min, v->mesh->h_max, v->mesh->quality);
      else buf_puts(out, "mesh");
      break;
    case VALUE_PDE: buf_printf(out, "pde %s", v->pde->pde->name); break;
    case VALUE_SOLUTION: print_solution(out, v); break;
    case VALUE_MODES: print_modes(out, v); break;
    case VALUE_DATASET: dataset_print(out, v->dataset); break;
    case VALUE_POLICY: buf_printf(out, "policy %s", v->policy->name); break;
    case VALUE_SEARCH: buf_printf(out, "search %s", v->search->name); break;
    case VALUE_DISCOVERY: discovery_print(out, v->discovery); break;
    case VALUE_HYPOTHESIS: hypothesis_print(out, v->hypothesis); break;
    case VALUE_STUDY: (v->table->texts ? print_own_table : print_table)(out, v->table); break;
    case VALUE_VERDICT:
      verdicts_print(out, v->verdicts, v->nverdicts);
      if (v->gate) gate_print(out, v->gate);
      break;
    case VALUE_FIT: fit_print(out, v->fit); break;
    case VALUE_SAMPLES: samples_print(out, v->samples); break;
    case VALUE_HISTORY: print_history(out, v); break;
    case VALUE_MODULE: buf_printf(out, "module %s", v->module->path); break;
    case VALUE_VIEW: buf_printf(out, "view %s of %s", v->view->name, v->view->subject); break;
    case VALUE_WORD: buf_puts(out, v->word); break;
    case VALUE_CONDITION: buf_puts(out, "an equation between fields"); break;
    case VALUE_MAP: buf_printf(out, "map %s", v->map->spec.name); break;
    case VALUE_MODEL: buf_printf(out, "model %s for %s", v->model->name, v->model->map->map->spec.name); break;
    case VALUE_DOMAIN: buf_printf(out, "domain of %s", v->domain_of->map->spec.name); break;
    case VALUE_PROBE: buf_printf(out, "probe %s", v->probe->name ? v->probe->name : "of others"); break;
    case VALUE_DECLARED: buf_printf(out, "%s %s", v->declared_kind, v->declared_name); break;
    case VALUE_NONE:
    case VALUE_POISON:
    case VALUE_UNKNOWN:
    case VALUE_THUNK:
    case VALUE_KINDS: buf_puts(out, "?"); break;
  }
}

/* --- f-strings: {v:.3e} {v:8.2f} {v:5d} {v:>10} --- */

enum { FORMAT_DIGITS = 3 };     /* of a width or a precision */

static const char *past_digits(const char *s) {
  const char *from = s;
  while (isdigit((unsigned char)*s)) s++;
  return s - from > FORMAT_DIGITS ? "" : s;
}

bool number_format(const char *format, char *out, size_t size) {
  const char *s = format;
  if (*s == '+' || *s == '-' || *s == ' ') s++;
  s = past_digits(s);
  if (*s == '.') s = past_digits(s + 1);
  if (!*s || !strchr("eEfgGd", *s) || s[1]) return false;
  snprintf(out, size, "%%%s", format);
  if (*s == 'd') snprintf(out + strlen(out) - 1, size - strlen(out) + 1, ".0f");
  return true;
}

void number_print(Buf *out, const char *c_format, double x) {
  size_t from = out->len;
  buf_printf(out, c_format, x);
  for (char *c = out->text + from; c < out->text + out->len; c++)
    if (*c == ',') *c = '.';
}

bool value_format(Eval *ev, Buf *out, const Value *v, const char *format, Span span) {
  if (!format || !*format) {
    value_print(out, v);
    return true;
  }
  if (v->kind == VALUE_TUPLE || v->kind == VALUE_LIST) {
    for (int i = 0; i < v->n; i++) {
      buf_puts(out, i ? ", " : v->kind == VALUE_TUPLE ? "(" : "[");
      if (!value_format(ev, out, v->items[i], format, span)) return false;
    }
    buf_putc(out, v->kind == VALUE_TUPLE ? ')' : ']');
    return true;
  }
  char c_format[24];
  double number = v->kind == VALUE_NUMBER ? v->number : 0;
  bool is_number = v->kind == VALUE_NUMBER || (v->kind == VALUE_FIELD && expr_is_const(v->expr, &number));
  if (v->kind == VALUE_NUMBER) number = shown_number(&v->shown, number);
  if (!is_number || !number_format(format, c_format, sizeof c_format)) {
    Diag *d = is_number ? diag_report(&ev->host->diags, E0514, span, "`%s` is no number format", format)
                        : diag_report(&ev->host->diags, E0514, span, "%s %s takes no format", value_article(v), value_kind_name(v));
    diag_suggest(d, "formats are .3f, .3e, .6g, 8.2f, 5d");
    return false;
  }
  number_print(out, c_format, number);
  if (v->kind == VALUE_NUMBER) shown_heading(out, "", &v->shown, v->unit);
  return true;
}

/* --- E to [unit] --- */

static Value *history_copy(const Value *v) {
  Value *copy = value_new(VALUE_HISTORY);
  size_t bytes = (size_t)v->ncurve * sizeof(double);
  copy->curve_x = malloc(bytes + sizeof(double)), copy->curve_y = malloc(bytes + sizeof(double));
  memcpy(copy->curve_x, v->curve_x, bytes), memcpy(copy->curve_y, v->curve_y, bytes);
  copy->ncurve = v->ncurve;
  copy->curve_xunit = v->curve_xunit, copy->curve_yunit = v->curve_yunit;
  copy->curve_in_space = v->curve_in_space;
  copy->curve_name = v->curve_name;
  copy->known = v->known;
  return copy;
}

Value *value_in_unit(Eval *ev, const Value *v, const UnitScale *scale, const Ast *unit, Span span) {
  Host *host = ev->host;
  if (v->kind != VALUE_NUMBER && v->kind != VALUE_FIELD && v->kind != VALUE_HISTORY) {
    diag_report(&host->diags, E0505, span, "`to` changes the unit of numbers, lists of them, fields and histories; this is %s %s", value_article(v), value_kind_name(v));
    return value_poison();
  }
  Unit have = v->kind == VALUE_NUMBER ? v->unit : v->kind == VALUE_FIELD ? v->expr->unit : v->curve_yunit;
  if (!unit_fits(have, scale->unit)) {
    Buf a = {0}, b = {0};
    unit_print(&a, have);
    unit_print(&b, scale->unit);
    diag_report(&host->diags, E0302, span, "a quantity in %s cannot be shown in %s", unit_is_none(have) ? "no unit" : buf_str(&a), buf_str(&b));
    buf_free(&a);
    buf_free(&b);
    return value_poison();
  }
  const Source *source = source_of(host->sources, unit->span);
  char *text = strndup(source->text + (unit->span.start - source->base), unit->span.end - unit->span.start);
  Name shown = intern_text(host->names, text);
  free(text);
  Temperature temperature;
  if (!temperature_shown(ev, v, scale, shown, span, &temperature)) return value_poison();
  Value *out;
  if (v->kind == VALUE_NUMBER) out = v->known ? value_number(v->number, scale->unit) : value_number_unknown(scale->unit);
  else if (v->kind == VALUE_FIELD) {
    out = value_field(v->expr, &v->deps);
    out->mesh_hint = value_retain(v->mesh_hint);
  } else out = history_copy(v);
  out->temperature = temperature;
  out->shown = (Shown){scale->scale, scale->offset, shown};
  return out;
}
