/* Saved solutions. The file's layout (version 1):
 *   /            attributes format = "ansatz solution", version
 *   /source      text of the pde (uint8), absent if there is none
 *   /mesh        x [verts][dim] (attribute unit), cells [cells][vertices of a cell], facet_cell, facet_cell2, facet_local, region;
 *                curved (cells whose map is not affine) and, of simplices, bend [curved][edges*dim], absent where there are none;
 *                attributes dim, boundary, regions, level, sizes [3] = h_min h_max quality, structured [3]
 *   /mesh/groups/N   entity; attributes name, dim, count, measure
 *   /fields/N    cell_node [cells][nodes] (absent: each cell has its own); attributes name, unit, element, shape [rank, extents], nodes
 *   /times       [states] (attribute unit), absent for a steady solution
 *   /states/S/N  [nodes][components] of field N
 *   /numbers     [states + histories][numbers], unknown numbers and multipliers of each; absent where there are none
 *   /march       numbers of the step that led to the last state (engine_files.c), and in the layout of /states as
 *   /history/S/N the states and rates before it; absent where no run can continue from here
 * Before it, in the user block (512 bytes that HDF5 leaves to us), stand h5_magic and the SHA-256 of all that follows: HDF5 1.10 reads freed memory
 * when it meets damaged headers, so a damaged file must be known before HDF5 sees it. Every index is still checked when it is read. */
#include <string.h>

#include "io_h5_file.h"
#include "mesh_build.h"

const char h5_format[] = "ansatz solution", h5_magic[] = "ansatz solution 1\n";

static hid_t space_of(int rank, const hsize_t *size) { return rank ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR); }

static bool put_attribute(hid_t at, const char *name, hid_t type, int n, const void *data) {
  hsize_t size = (hsize_t)n;
  hid_t space = space_of(n > 1, &size), attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = attribute >= 0 && H5Awrite(attribute, type, data) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return ok;
}

static bool put_text(hid_t at, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, strlen(text) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  bool ok = put_attribute(at, name, type, 1, text);
  H5Tclose(type);
  return ok;
}

static hid_t make_group(hid_t at, const char *name) { return H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT); }

static bool put_unit(hid_t at, const char *set, const char *unit) {
  if (!unit || !*unit) return true;
  hid_t id = H5Dopen2(at, set, H5P_DEFAULT);
  bool ok = id >= 0 && put_text(id, "unit", unit);
  if (id >= 0) H5Dclose(id);
  return ok;
}

static bool put_mesh(hid_t file, const Mesh *mesh, const char *unit) {
  hid_t at = make_group(file, "mesh");
  hsize_t dim = (hsize_t)mesh->dim, x[2] = {(hsize_t)mesh->nverts, dim}, cells[2] = {(hsize_t)mesh->ncells, (hsize_t)mesh->ref->nverts}, facets = (hsize_t)mesh->nfacets;
  double sizes[3] = {mesh->h_min, mesh->h_max, mesh->quality};
  int regions = mesh->region ? mesh->nregions : 0;
  bool ok = at >= 0 && h5_put_array(at, "x", H5T_NATIVE_DOUBLE, 2, x, mesh->x) && put_unit(at, "x", unit) && h5_put_array(at, "cells", H5T_NATIVE_INT, 2, cells, mesh->cell) &&
            h5_put_array(at, "facet_cell", H5T_NATIVE_INT, 1, &facets, mesh->facet_cell) && h5_put_array(at, "facet_cell2", H5T_NATIVE_INT, 1, &facets, mesh->facet_cell2) &&
            h5_put_array(at, "facet_local", H5T_NATIVE_INT, 1, &facets, mesh->facet_local) && (!regions || h5_put_array(at, "region", H5T_NATIVE_INT, 1, cells, mesh->region)) &&
            put_attribute(at, "dim", H5T_NATIVE_INT, 1, &mesh->dim) && put_attribute(at, "boundary", H5T_NATIVE_INT, 1, &mesh->nboundary) &&
            put_attribute(at, "regions", H5T_NATIVE_INT, 1, &regions) && put_attribute(at, "level", H5T_NATIVE_INT, 1, &mesh->level) &&
            put_attribute(at, "sizes", H5T_NATIVE_DOUBLE, 3, sizes) && put_attribute(at, "structured", H5T_NATIVE_INT, 3, mesh->structured);
  hsize_t bends[2] = {(hsize_t)mesh->ncurved, (hsize_t)(refcell_bends(mesh->ref) * mesh->dim)};
  ok = ok && (!mesh->ncurved || h5_put_array(at, "curved", H5T_NATIVE_INT, 1, bends, mesh->curved)) &&
       (!mesh->bend || h5_put_array(at, "bend", H5T_NATIVE_DOUBLE, 2, bends, mesh->bend));
  hid_t groups = ok ? make_group(at, "groups") : -1;
  ok = groups >= 0;
  for (int g = 0; ok && g < mesh->ngroups; g++) {
    const MeshGroup *group = &mesh->groups[g];
    char name[16];
    snprintf(name, sizeof name, "%d", g);
    hid_t id = make_group(groups, name);
    int lower = group->dim < mesh->dim - 1 ? group->dim + 1 : 1;     /* curves and points of files: tuples of vertices */
    hsize_t n[2] = {(hsize_t)group->n, (hsize_t)lower};
    ok = id >= 0 && h5_put_array(id, "entity", H5T_NATIVE_INT, 2, n, group->entity) && put_text(id, "name", group->name) &&
         put_attribute(id, "dim", H5T_NATIVE_INT, 1, &group->dim) && put_attribute(id, "count", H5T_NATIVE_LONG, 1, &group->count) &&
         put_attribute(id, "measure", H5T_NATIVE_DOUBLE, 1, &group->measure);
    if (id >= 0) H5Gclose(id);
  }
  if (groups >= 0) H5Gclose(groups);
  if (at >= 0) H5Gclose(at);
  return ok;
}

static bool put_field(hid_t fields, int f, const NodalField *field, const Mesh *mesh) {
  char name[16];
  snprintf(name, sizeof name, "%d", f);
  hid_t at = make_group(fields, name);
  int shape[4] = {field->shape.rank, field->shape.extent[0], field->shape.extent[1], field->shape.extent[2]};
  hsize_t size[2] = {(hsize_t)mesh->ncells, (hsize_t)element_nodes(field->element, mesh->dim)};
  bool ok = at >= 0 && put_text(at, "name", field->name ? field->name : "field") && put_text(at, "unit", field->unit ? field->unit : "") &&
            put_text(at, "element", field->element->name) && put_attribute(at, "shape", H5T_NATIVE_INT, 4, shape) &&
            put_attribute(at, "nodes", H5T_NATIVE_INT, 1, &field->nnodes) &&
            (!field->cell_node || h5_put_array(at, "cell_node", H5T_NATIVE_INT, 2, size, field->cell_node));
  if (at >= 0) H5Gclose(at);
  return ok;
}

/* A group of states: of the fields by number. */
static bool put_states(hid_t file, const char *group, const IoResult *result, int n, const double *const *values) {
  hid_t states = make_group(file, group);
  bool ok = states >= 0;
  for (int s = 0; ok && s < n; s++) {
    char name[16];
    snprintf(name, sizeof name, "%d", s);
    hid_t at = make_group(states, name);
    ok = at >= 0;
    for (int f = 0; ok && f < result->nfields; f++) {
      hsize_t size[2] = {(hsize_t)result->fields[f].nnodes, (hsize_t)result->fields[f].ncomp};
      snprintf(name, sizeof name, "%d", f);
      ok = h5_put_array(at, name, H5T_NATIVE_DOUBLE, 2, size, values[(size_t)s * (size_t)result->nfields + (size_t)f]);
    }
    if (at >= 0) H5Gclose(at);
  }
  if (states >= 0) H5Gclose(states);
  return ok;
}

static bool put_march(hid_t file, const IoResult *result) {
  hsize_t n = (hsize_t)result->nmarch;
  return !n || (h5_put_array(file, "march", H5T_NATIVE_DOUBLE, 1, &n, result->march) && put_states(file, "history", result, result->nhistory, result->history));
}

static bool put_numbers(hid_t file, const IoResult *result) {
  hsize_t size[2] = {(hsize_t)(result->nstates + result->nhistory), (hsize_t)result->nnumbers};
  return !result->nnumbers || h5_put_array(file, "numbers", H5T_NATIVE_DOUBLE, 2, size, result->numbers);
}

static bool put_all(hid_t file, const IoResult *result) {
  int version = LAYOUT_VERSION;
  hsize_t times = (hsize_t)result->nstates, length = result->source ? strlen(result->source) : 0;
  bool ok = put_text(file, "format", h5_format) && put_attribute(file, "version", H5T_NATIVE_INT, 1, &version) &&
            (!result->source || h5_put_array(file, "source", H5T_NATIVE_UCHAR, 1, &length, result->source)) &&
            (!result->times || (h5_put_array(file, "times", H5T_NATIVE_DOUBLE, 1, &times, result->times) && put_unit(file, "times", result->time_unit))) &&
            put_mesh(file, result->mesh, result->length_unit) && put_states(file, "states", result, result->nstates, result->values) && put_march(file, result) &&
            put_numbers(file, result);
  hid_t fields = ok ? make_group(file, "fields") : -1;
  ok = fields >= 0;
  for (int f = 0; ok && f < result->nfields; f++) ok = put_field(fields, f, &result->fields[f], result->mesh);
  if (fields >= 0) H5Gclose(fields);
  return ok;
}

static bool fill_result(hid_t file, const void *user) { return put_all(file, user); }

Status io_save(const char *path, const IoResult *result, Diags *diags, Span span) {
  TRY(h5_write_file(path, fill_result, result, true, diags, span));
  if (result->on_file) result->on_file(result->user, path);
  return 0;
}
