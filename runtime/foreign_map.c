/* What a foreign predictor is told of its map. */
#include "foreign.h"

#include <math.h>

int foreign_cell_nodes(const MapSpec *spec) { return element_nodes(spec->grid->element, spec->grid->mesh->dim); }

int foreign_times(const MapSpec *spec) { return spec->grid->nt == 1 && isnan(spec->grid->t[0]) ? 0 : spec->grid->nt; }

size_t foreign_values(const MapSpec *spec, int output) {
  return (size_t)spec->grid->nt * (size_t)spec->grid->nnodes * (size_t)spec->outputs[output].ncomp;
}

static Json *unit_text(Unit unit) {
  Buf text = {0};
  unit_print_short(&text, unit);
  Json *json = json_string(buf_str(&text));
  buf_free(&text);
  return json;
}

static Json *input(const MapSpec *spec, const MapInput *in) {
  Json *json = json_object();
  json_put(json, "name", json_string(in->name));
  json_put(json, "unit", unit_text(in->unit));
  json_put(json, "min", json_number(in->lo));
  json_put(json, "max", json_number(in->hi));
  json_put(json, "history", json_bool(in->history));
  json_put(json, "offset", json_number(in->offset));
  json_put(json, "length", json_number(in->history ? spec->grid->nt : 1));
  return json;
}

static Json *output(const MapSpec *spec, int o) {
  const MapOutput *out = &spec->outputs[o];
  Json *json = json_object(), *shape = json_array();
  for (int r = 0; r < out->shape.rank; r++) json_append(shape, json_number(out->shape.extent[r]));
  json_put(json, "name", json_string(out->name));
  json_put(json, "unit", unit_text(out->unit));
  json_put(json, "shape", shape);
  json_put(json, "components", json_number(out->ncomp));
  return json;
}

Json *foreign_map(const MapSpec *spec) {
  Json *json = json_object(), *inputs = json_array(), *outputs = json_array();
  for (int k = 0; k < spec->ninputs; k++) json_append(inputs, input(spec, &spec->inputs[k]));
  for (int o = 0; o < spec->noutputs; o++) json_append(outputs, output(spec, o));
  json_put(json, "name", json_string(spec->name));
  json_put(json, "width", json_number(spec->width));
  json_put(json, "inputs", inputs);
  json_put(json, "outputs", outputs);
  json_put(json, "dim", json_number(spec->grid->mesh->dim));
  json_put(json, "nodes", json_number(spec->grid->nnodes));
  json_put(json, "times", json_number(foreign_times(spec)));
  json_put(json, "cells", json_number(spec->grid->mesh->ncells));
  json_put(json, "element", json_string(spec->grid->element->name));
  return json;
}
