/* A fit as text, as members and as data. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

Value *fit_value(FitValue *fit) {
  Value *v = value_new(VALUE_FIT);
  v->fit = fit;
  v->known = fit != NULL;
  return v;
}

static void range_of(const SamplesValue *s, double *lo, double *hi, double *band) {
  size_t n = samples_count(s);
  *lo = INFINITY, *hi = -INFINITY;
  for (size_t k = 0; k < n; k++) *lo = fmin(*lo, s->values[k]), *hi = fmax(*hi, s->values[k]);
  *band = samples_rms(s->member[0].value->samples);
}

void fit_print(Buf *out, const FitValue *f) {
  if (!f) {
    buf_puts(out, "fit");
    return;
  }
  buf_printf(out, "fit of %s to %d %s: %s", f->law, f->trajectories, f->trajectories == 1 ? "trajectory" : "trajectories", f->equation);
  buf_printf(out, "\n  residual    %.4g of u_t where it was not fitted (noise alone: %.4g)%s", f->score, f->noise_ceiling, f->explained ? "" : ": the law does not explain the data");
  if (f->trajectories > 1) buf_printf(out, "; from either trajectory to the other %.4g and %.4g, +-%.2g", f->error_ab, f->error_ba, f->standard_error);
  if (f->blown) buf_printf(out, "\n  forward     blows up at t = %g", f->blown_at);
  else buf_printf(out, "\n  forward     %.4g of what staying as it was would miss", f->rollout);
  for (int k = 0; k < f->nfields; k++) {
    const FitField *field = &f->field[k];
    double lo, hi, band;
    Buf unit = {0};
    range_of(field->samples->samples, &lo, &hi, &band);
    unit_print_short(&unit, field->samples->samples->unit);
    buf_printf(out, "\n  %-11s %.4g to %.4g%s%s, +-%.2g; %.0f degrees of freedom, told in %.0f%% of the domain", field->name, lo, hi, unit.len ? " " : "", buf_str(&unit), band, field->freedom, 100 * field->revealed);
    if (f->trajectories > 1) buf_printf(out, ", trajectories differ by %.2g", field->stability);
    if (!field->identifiable) buf_puts(out, ": not to be believed");
    buf_free(&unit);
  }
}

/* ---- members ---- */

typedef struct Number { const char *name; size_t at; bool is_bool; } Number;
#define NUMBER(field) {#field, offsetof(FitValue, field), false}
#define TRUTH(field) {#field, offsetof(FitValue, field), true}
static const Number numbers[] = {
    NUMBER(score), NUMBER(error_ab), NUMBER(error_ba), NUMBER(standard_error), NUMBER(noise_ceiling), NUMBER(condition), NUMBER(null_score), NUMBER(rollout), NUMBER(growth),
    NUMBER(transfer), NUMBER(constant_rate), NUMBER(leak), NUMBER(backward), TRUTH(explained), TRUTH(blown), TRUTH(sources), TRUTH(homogeneous),
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

Value *fit_member(Eval *ev, Value *of, Name name, Span span) {
  const FitValue *f = of->fit;
  for (int k = 0; k < NUMBERS; k++) {
    if (strcmp(numbers[k].name, name)) continue;
    if (!f) return numbers[k].is_bool ? value_unknown() : value_number_unknown(UNIT_NONE);
    const char *at = (const char *)f + numbers[k].at;
    return numbers[k].is_bool ? value_bool(*(const bool *)at) : value_number(*(const double *)at, UNIT_NONE);
  }
  if (!strcmp(name, "second_order")) return f ? value_bool(!isnan(f->backward)) : value_unknown();
  if (!strcmp(name, "fields")) return f ? value_int(f->nfields) : value_number_unknown(UNIT_NONE);
  if (!strcmp(name, "trajectories")) return f ? value_int(f->trajectories) : value_number_unknown(UNIT_NONE);
  if (!strcmp(name, "noise")) return f ? value_number(f->noise, f->state_unit) : value_unknown();
  if (!strcmp(name, "equation") || !strcmp(name, "canonical")) {
    const char *text = f ? !strcmp(name, "equation") ? f->equation : f->key : "";
    return f ? value_string(text, strlen(text)) : value_unknown();
  }
  if (!f) return value_unknown();                      /* a field: of which hypothesis only the run knows */
  for (int k = 0; k < f->nfields; k++)
    if (f->field[k].name == name) return value_retain(f->field[k].samples);
  Buf there = {0};
  for (int k = 0; k < f->nfields; k++) buf_printf(&there, ".%s, ", f->field[k].name);
  diag_suggest(diag_report(&ev->host->diags, E0111, span, "the fit of `%s` has no member `%s`", f->law, name), "it has %s.score, .rollout, .explained and others (pde doc fit)", buf_str(&there));
  buf_free(&there);
  return value_poison();
}

/* ---- data ---- */

Json *fit_json(const FitValue *f) {
  Json *node = json_object(), *fields = json_array();
  json_put(node, "hypothesis", json_string(f->law));
  json_put(node, "id", json_string(f->id));
  json_put(node, "equation", json_string(f->equation));
  json_put(node, "canonical", json_string(f->key));
  json_put(node, "trajectories", json_number(f->trajectories));
  for (int k = 0; k < NUMBERS; k++) {
    const char *at = (const char *)f + numbers[k].at;
    json_put(node, numbers[k].name, numbers[k].is_bool ? json_bool(*(const bool *)at) : json_number(*(const double *)at));
  }
  for (int k = 0; k < f->nfields; k++) {
    const FitField *field = &f->field[k];
    Json *item = json_object();
    Buf unit = {0};
    double lo, hi, band;
    range_of(field->samples->samples, &lo, &hi, &band);
    unit_print_short(&unit, field->samples->samples->unit);
    json_put(item, "name", json_string(field->name));
    json_put(item, "unit", unit.len ? json_string(buf_str(&unit)) : json_null());
    json_put(item, "smallest", json_number(lo));
    json_put(item, "largest", json_number(hi));
    json_put(item, "band", json_number(band));
    json_put(item, "dof", json_number(field->freedom));
    json_put(item, "stability", json_number(field->stability));
    json_put(item, "uncertainty", json_number(field->uncertainty));
    json_put(item, "revealed", json_number(field->revealed));
    json_put(item, "identifiable", json_bool(field->identifiable));
    json_append(fields, item);
    buf_free(&unit);
  }
  json_put(node, "fields", fields);
  return node;
}
