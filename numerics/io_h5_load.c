/* Reading what io_h5_save.c writes. Every index is checked when it is read. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "io_h5_file.h"
#include "io_h5_quiet.h"
#include "mesh_build.h"

/* NULL, or what is wrong with the file. */
static const char *check_seal(FILE *file) {
  static const unsigned char hdf5[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  uint8_t seal[SEAL_BYTES], digest[32];
  size_t n = fread(seal, 1, SEAL_BYTES, file);
  if (n >= sizeof hdf5 && !memcmp(seal, hdf5, sizeof hdf5)) return "it is an HDF5 file, but not one that `save` wrote";
  if (n < SEAL_BYTES || memcmp(seal, h5_magic, strlen(h5_magic))) {
    bool other = n > 16 && !memcmp(seal, h5_format, strlen(h5_format));
    return !other ? "it is not a file that `save` wrote" : n < SEAL_BYTES ? "it was cut off" : "it was written by another version of pde";
  }
  if (!h5_digest(file, digest)) return "it cannot be read to its end";
  return memcmp(digest, seal + SEAL_DIGEST, sizeof digest) ? "its content is not what `save` wrote: it was cut off or changed since" : NULL;
}

struct IoMemory { void **items; int n; };

typedef struct Reader {
  const char *path;
  Diags *diags;
  Span span;
  Interner *names;
  struct IoMemory *memory;
  hsize_t file_size;
} Reader;

static void *keep(Reader *r, size_t bytes) {
  void *p = big_zeroed(bytes ? bytes : 1);
  r->memory->items = big_resize(r->memory->items, (size_t)r->memory->n * sizeof(void *), (size_t)(r->memory->n + 1) * sizeof(void *));
  return r->memory->items[r->memory->n++] = p;
}

/* One report: what is wrong in our words, and what HDF5 says first. */
static bool broken(Reader *r, const char *what) {
  io_h5_quote(diag_report(r->diags, E2502, r->span, "`%s` is damaged or no saved solution: %s", r->path, what));
  return false;
}

static bool get_attribute(Reader *r, hid_t at, const char *name, hid_t type, int n, void *out) {
  hid_t id = H5Aopen(at, name, H5P_DEFAULT), space = id >= 0 ? H5Aget_space(id) : -1, kind = id >= 0 ? H5Aget_type(id) : -1;
  bool ok = space >= 0 && kind >= 0 && H5Sget_simple_extent_npoints(space) == n && H5Tget_class(kind) == H5Tget_class(type) && H5Aread(id, type, out) >= 0;
  if (kind >= 0) H5Tclose(kind);
  if (space >= 0) H5Sclose(space);
  if (id >= 0) H5Aclose(id);
  return ok || broken(r, name);
}

/* NULL: not there, or no text of reasonable length. Interned. */
static Name get_text(Reader *r, hid_t at, const char *name) {
  hid_t id = H5Aopen(at, name, H5P_DEFAULT), type = id >= 0 ? H5Aget_type(id) : -1, space = id >= 0 ? H5Aget_space(id) : -1;
  Name out = NULL;
  size_t size = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
  if (size > 0 && size < 65536 && H5Sget_simple_extent_npoints(space) == 1) {
    char *text = big_zeroed(size + 1);
    if (H5Aread(id, type, text) >= 0) out = intern(r->names, text, strnlen(text, size));
    free(text);
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (id >= 0) H5Aclose(id);
  return out;
}

/* A whole dataset; size[] is what was found, and an entry that is not -1 on entry is what must be found. big_alloc'ed; NULL: reported. */
static void *get_array(Reader *r, hid_t at, const char *name, hid_t type, int rank, long *size) {
  hid_t id = H5Dopen2(at, name, H5P_DEFAULT), space = id >= 0 ? H5Dget_space(id) : -1, kind = id >= 0 ? H5Dget_type(id) : -1;
  hsize_t found[4] = {0};
  void *out = NULL;
  bool ok = space >= 0 && kind >= 0 && H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, found, NULL) >= 0 &&
            H5Tget_class(kind) == H5Tget_class(type);
  size_t bytes = H5Tget_size(type);
  for (int i = 0; ok && i < rank; i++) {
    ok = found[i] < INT_MAX && (size[i] < 0 || (hsize_t)size[i] == found[i]);
    size[i] = (long)found[i];
    bytes *= found[i];
  }
  /* a header that promises more than the file holds is not believed */
  if (ok && bytes && (H5Dget_storage_size(id) == 0 || bytes > r->file_size)) ok = false;
  if (ok) {
    out = big_alloc(bytes ? bytes : 1);
    if (bytes && H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) { free(out); out = NULL; }
  }
  if (kind >= 0) H5Tclose(kind);
  if (space >= 0) H5Sclose(space);
  if (id >= 0) H5Dclose(id);
  if (!out) broken(r, name);
  return out;
}

static bool in_range(Reader *r, const int *values, long n, int lo, int hi, const char *what) {
  for (long i = 0; i < n; i++)
    if (values[i] < lo || values[i] >= hi) return broken(r, what);
  return true;
}

/* A group of things that are called 0, 1, ... */
static bool open_list(Reader *r, hid_t at, const char *name, int least, const char *missing, hid_t *list, int *n) {
  H5G_info_t info = {0};
  *n = 0;
  *list = H5Gopen2(at, name, H5P_DEFAULT);
  /* an entry takes some bytes: a count that the file cannot hold is damage */
  if (*list < 0 || H5Gget_info(*list, &info) < 0 || info.nlinks < (hsize_t)least || info.nlinks > r->file_size / 16) return broken(r, missing);
  *n = (int)info.nlinks;
  return true;
}

static bool get_group(Reader *r, hid_t groups, int g, Mesh *mesh) {
  char text[16];
  snprintf(text, sizeof text, "%d", g);
  hid_t at = H5Gopen2(groups, text, H5P_DEFAULT);
  if (at < 0) return broken(r, "a group of the mesh is missing");
  int dim = 0;
  long count = 0, size[2] = {-1, -1};
  double measure = 0;
  Name name = get_text(r, at, "name");
  bool ok = (name || broken(r, "a group of the mesh has no name")) && get_attribute(r, at, "dim", H5T_NATIVE_INT, 1, &dim) &&
            get_attribute(r, at, "count", H5T_NATIVE_LONG, 1, &count) && get_attribute(r, at, "measure", H5T_NATIVE_DOUBLE, 1, &measure);
  int *entity = ok ? get_array(r, at, "entity", H5T_NATIVE_INT, 2, size) : NULL;
  int limit = dim == mesh->dim ? mesh->ncells : dim == mesh->dim - 1 ? mesh->nfacets : mesh->nverts;
  ok = entity && ((dim >= 0 && dim <= mesh->dim && size[1] == (dim < mesh->dim - 1 ? dim + 1 : 1)) || broken(r, "a group of the mesh has the wrong size")) &&
       in_range(r, entity, size[0] * size[1], 0, limit, "a group of the mesh names cells or facets that are not there");
  if (ok) {
    MeshGroup *group = mesh_add_group(mesh, name, dim, entity, (int)size[0]);
    group->count = count;
    group->measure = measure;
  } else free(entity);
  H5Gclose(at);
  return ok;
}

static bool get_facets(Reader *r, hid_t at, Mesh *mesh) {
  long n[1] = {-1};
  int boundary = 0;
  int *cell = get_array(r, at, "facet_cell", H5T_NATIVE_INT, 1, n);
  int *cell2 = cell ? get_array(r, at, "facet_cell2", H5T_NATIVE_INT, 1, n) : NULL, *local = cell2 ? get_array(r, at, "facet_local", H5T_NATIVE_INT, 1, n) : NULL;
  bool ok = local && in_range(r, cell, n[0], 0, mesh->ncells, "facet_cell") && in_range(r, cell2, n[0], -1, mesh->ncells, "facet_cell2") &&
            in_range(r, local, n[0], 0, mesh->ref->nfacets, "facet_local") && get_attribute(r, at, "boundary", H5T_NATIVE_INT, 1, &boundary) &&
            ((boundary >= 0 && boundary <= n[0]) || broken(r, "boundary"));
  if (!ok) { free(cell); free(cell2); free(local); return false; }
  mesh->nfacets = (int)n[0];
  mesh->nboundary = boundary;
  mesh->facet_cell = cell;
  mesh->facet_cell2 = cell2;
  mesh->facet_local = local;
  return true;
}

static bool get_regions(Reader *r, hid_t at, Mesh *mesh) {
  int regions = 0;
  long size[1] = {mesh->ncells};
  if (!get_attribute(r, at, "regions", H5T_NATIVE_INT, 1, &regions)) return false;
  if (regions <= 0) return true;
  mesh->region = get_array(r, at, "region", H5T_NATIVE_INT, 1, size);
  mesh->nregions = regions;
  return mesh->region && in_range(r, mesh->region, mesh->ncells, 0, regions, "region");
}

static bool get_bends(Reader *r, hid_t at, Mesh *mesh) {
  if (H5Lexists(at, "curved", H5P_DEFAULT) <= 0) return true;
  long n[1] = {-1};
  mesh->curved = get_array(r, at, "curved", H5T_NATIVE_INT, 1, n);
  if (!mesh->curved || !in_range(r, mesh->curved, n[0], 0, mesh->ncells, "curved")) return false;
  long size[2] = {n[0], refcell_bends(mesh->ref) * mesh->dim};
  bool bent = H5Lexists(at, "bend", H5P_DEFAULT) > 0;
  if (!bent && mesh->ref->shape == CELL_SIMPLEX) return broken(r, "bend");
  if (bent) mesh->bend = get_array(r, at, "bend", H5T_NATIVE_DOUBLE, 2, size);
  if (bent && !mesh->bend) return false;
  mesh->ncurved = (int)n[0];
  mesh->curved_of = BIG_ARRAY(int, mesh->ncells);
  memset(mesh->curved_of, 255, (size_t)mesh->ncells * sizeof *mesh->curved_of);
  for (int i = 0; i < mesh->ncurved; i++) mesh->curved_of[mesh->curved[i]] = i;
  mesh->order = bent ? 2 : 1;
  return true;
}

static bool get_mesh(Reader *r, hid_t at, Mesh **out) {
  int dim = 0;
  long verts[2] = {-1, -1}, cells[2] = {-1, -1};
  if (!get_attribute(r, at, "dim", H5T_NATIVE_INT, 1, &dim)) return false;
  if (dim < 1 || dim > 3) return broken(r, "the dimension of the mesh");
  verts[1] = dim;
  double *x = get_array(r, at, "x", H5T_NATIVE_DOUBLE, 2, verts), sizes[3];
  int *cell = x ? get_array(r, at, "cells", H5T_NATIVE_INT, 2, cells) : NULL;
  CellShape shape = dim > 1 && cells[1] == 1 << dim ? CELL_TENSOR : CELL_SIMPLEX;
  if (cell && cells[1] != refcell_of(shape, dim)->nverts) { free(x); free(cell); return broken(r, "cells have a wrong number of vertices"); }
  if (!cell || !in_range(r, cell, cells[0] * cells[1], 0, (int)verts[0], "cells name vertices that are not there")) { free(x); free(cell); return false; }
  Mesh *mesh = mesh_new(shape, dim, (int)verts[0], (int)cells[0]);
  memcpy(mesh->x, x, sizeof(double) * (size_t)(verts[0] * verts[1]));
  memcpy(mesh->cell, cell, sizeof(int) * (size_t)(cells[0] * cells[1]));
  free(x);
  free(cell);
  bool ok = get_facets(r, at, mesh) && get_regions(r, at, mesh) && get_bends(r, at, mesh) && get_attribute(r, at, "sizes", H5T_NATIVE_DOUBLE, 3, sizes) &&
            get_attribute(r, at, "level", H5T_NATIVE_INT, 1, &mesh->level) && get_attribute(r, at, "structured", H5T_NATIVE_INT, 3, mesh->structured);
  if (ok) {
    mesh->h_min = sizes[0];
    mesh->h_max = sizes[1];
    mesh->quality = sizes[2];
    mesh_bounds(mesh);
  }
  hid_t groups = -1;
  int ngroups = 0;
  ok = ok && open_list(r, at, "groups", 0, "the groups of the mesh are missing", &groups, &ngroups);
  for (int g = 0; ok && g < ngroups; g++) ok = get_group(r, groups, g, mesh);
  if (groups >= 0) H5Gclose(groups);
  if (ok) *out = mesh;
  else mesh_release(mesh);
  return ok;
}

static bool get_field(Reader *r, hid_t at, const Mesh *mesh, NodalField *field) {
  int shape[4], nodes;
  Name element = get_text(r, at, "element");
  field->name = get_text(r, at, "name");
  field->unit = get_text(r, at, "unit");
  field->element = element ? element_find(element) : NULL;
  if (field->element && !element_fits(field->element, mesh->ref)) return broken(r, "a field has an element that the cells of the mesh do not have");
  if (!field->name || !field->element) return broken(r, element ? "a field has an element that this version does not know" : "a field has no name or element");
  if (!get_attribute(r, at, "shape", H5T_NATIVE_INT, 4, shape) || !get_attribute(r, at, "nodes", H5T_NATIVE_INT, 1, &field->nnodes)) return false;
  field->ncomp = 1;
  field->shape.rank = (uint8_t)shape[0];
  for (int i = 0; i < 3; i++) field->shape.extent[i] = (uint8_t)shape[1 + i];
  for (int i = 0; i < shape[0] && i < 3; i++) field->ncomp *= shape[1 + i];
  if (shape[0] < 0 || shape[0] > 3 || field->ncomp < 1 || field->ncomp > 81 || field->nnodes < 0) return broken(r, "the shape of a field");
  nodes = element_nodes(field->element, mesh->dim);
  long size[2] = {mesh->ncells, nodes};
  if (H5Lexists(at, "cell_node", H5P_DEFAULT) <= 0) return field->nnodes == mesh->ncells * nodes || broken(r, "cell_node");
  int *cell_node = get_array(r, at, "cell_node", H5T_NATIVE_INT, 2, size);
  if (!cell_node) return false;
  int *kept = keep(r, sizeof(int) * (size_t)(size[0] * size[1]));
  memcpy(kept, cell_node, sizeof(int) * (size_t)(size[0] * size[1]));
  free(cell_node);
  field->cell_node = kept;
  return in_range(r, kept, size[0] * size[1], 0, field->nnodes, "cell_node");
}

static bool get_fields(Reader *r, hid_t file, IoResult *out) {
  hid_t fields;
  bool ok = open_list(r, file, "fields", 0, "the fields are missing", &fields, &out->nfields);
  out->fields = keep(r, sizeof(NodalField) * (size_t)out->nfields);
  for (int f = 0; ok && f < out->nfields; f++) {
    char text[16];
    snprintf(text, sizeof text, "%d", f);
    hid_t at = H5Gopen2(fields, text, H5P_DEFAULT);
    ok = at >= 0 ? get_field(r, at, out->mesh, &out->fields[f]) : broken(r, "a field is missing");
    if (at >= 0) H5Gclose(at);
  }
  if (fields >= 0) H5Gclose(fields);
  return ok;
}

static bool get_states(Reader *r, hid_t file, const char *group, int least, const IoResult *result, int *n, const double *const **out) {
  hid_t states;
  bool ok = open_list(r, file, group, least, "the states are missing", &states, n);
  const double **values = keep(r, sizeof(double *) * (size_t)*n * (size_t)result->nfields);
  *out = values;
  for (int s = 0; ok && s < *n; s++)
    for (int f = 0; ok && f < result->nfields; f++) {
      char text[40];
      snprintf(text, sizeof text, "%d/%d", s, f);
      long size[2] = {result->fields[f].nnodes, result->fields[f].ncomp};
      double *v = get_array(r, states, text, H5T_NATIVE_DOUBLE, 2, size);
      ok = v != NULL;
      if (!ok) break;
      double *kept = keep(r, sizeof(double) * (size_t)(size[0] * size[1]));
      memcpy(kept, v, sizeof(double) * (size_t)(size[0] * size[1]));
      free(v);
      values[(size_t)s * (size_t)result->nfields + (size_t)f] = kept;
    }
  if (states >= 0) H5Gclose(states);
  return ok;
}

static bool get_march(Reader *r, hid_t file, IoResult *out) {
  if (H5Lexists(file, "march", H5P_DEFAULT) <= 0) return true;
  long size[1] = {-1};
  double *numbers = get_array(r, file, "march", H5T_NATIVE_DOUBLE, 1, size);
  if (!numbers) return false;
  double *kept = keep(r, sizeof(double) * (size_t)size[0]);
  memcpy(kept, numbers, sizeof(double) * (size_t)size[0]);
  free(numbers);
  out->march = kept, out->nmarch = (int)size[0];
  return get_states(r, file, "history", 0, out, &out->nhistory, &out->history);
}

static bool get_numbers(Reader *r, hid_t file, IoResult *out) {
  if (H5Lexists(file, "numbers", H5P_DEFAULT) <= 0) return true;
  long size[2] = {out->nstates + out->nhistory, -1};
  double *numbers = get_array(r, file, "numbers", H5T_NATIVE_DOUBLE, 2, size);
  if (!numbers) return false;
  double *kept = keep(r, sizeof(double) * (size_t)(size[0] * size[1]));
  memcpy(kept, numbers, sizeof(double) * (size_t)(size[0] * size[1]));
  free(numbers);
  out->numbers = kept, out->nnumbers = (int)size[1];
  return true;
}

static Name unit_of(Reader *r, hid_t at, const char *set) {
  hid_t id = H5Dopen2(at, set, H5P_DEFAULT);
  Name unit = id >= 0 && H5Aexists(id, "unit") > 0 ? get_text(r, id, "unit") : NULL;
  if (id >= 0) H5Dclose(id);
  return unit;
}

static bool get_times(Reader *r, hid_t file, IoResult *out) {
  if (H5Lexists(file, "times", H5P_DEFAULT) <= 0) return out->nstates == 1 || broken(r, "the times are missing");
  long size[1] = {out->nstates};
  double *times = get_array(r, file, "times", H5T_NATIVE_DOUBLE, 1, size);
  if (!times) return false;
  double *kept = keep(r, sizeof(double) * (size_t)size[0]);
  memcpy(kept, times, sizeof(double) * (size_t)size[0]);
  free(times);
  out->times = kept;
  out->time_unit = unit_of(r, file, "times");
  return true;
}

static bool get_source(Reader *r, hid_t file, IoResult *out) {
  if (H5Lexists(file, "source", H5P_DEFAULT) <= 0) return true;
  long size[1] = {-1};
  char *text = get_array(r, file, "source", H5T_NATIVE_UCHAR, 1, size);
  if (!text) return false;
  char *kept = keep(r, (size_t)size[0] + 1);
  memcpy(kept, text, (size_t)size[0]);
  free(text);
  out->source = kept;
  return true;
}

static bool get_all(Reader *r, hid_t file, IoResult *out) {
  int version = 0;
  Name format = H5Aexists(file, "format") > 0 ? get_text(r, file, "format") : NULL;
  if (!format || strcmp(format, h5_format)) return broken(r, "it is an HDF5 file, but not one that `save` wrote");
  if (!get_attribute(r, file, "version", H5T_NATIVE_INT, 1, &version)) return false;
  if (version != LAYOUT_VERSION) return broken(r, "it was written by another version of pde");
  hid_t mesh = H5Gopen2(file, "mesh", H5P_DEFAULT);
  if (mesh < 0) return broken(r, "the mesh is missing");
  bool ok = get_mesh(r, mesh, &out->mesh);
  if (ok) out->length_unit = unit_of(r, mesh, "x");
  H5Gclose(mesh);
  return ok && get_fields(r, file, out) && get_states(r, file, "states", 1, out, &out->nstates, &out->values) && get_times(r, file, out) && get_source(r, file, out) &&
         get_march(r, file, out) && get_numbers(r, file, out);
}

Status io_load(const char *path, Interner *names, Diags *diags, Span span, IoLoaded *out) {
  *out = (IoLoaded){.memory = big_zeroed(sizeof *out->memory)};
  Reader reader = {path, diags, span, names, out->memory, 0};
  FILE *probe = fopen(path, "rb");
  if (!probe) {
    Diag *d = diag_report(diags, E2502, span, "`%s` cannot be opened", path);
    diag_suggest(d, "check the path, it counts from the directory where pde was started");
    io_loaded_free(out);
    return 1;
  }
  const char *wrong = check_seal(probe);
  fclose(probe);
  if (wrong) {
    diag_report(diags, E2502, span, "`%s` is damaged or no saved solution: %s", path, wrong);
    io_loaded_free(out);
    return 1;
  }
  IoH5Quiet quiet = io_h5_quiet();
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0) H5Fget_filesize(file, &reader.file_size);
  bool ok = file >= 0 ? get_all(&reader, file, &out->result) : broken(&reader, "HDF5 cannot open it");
  if (file >= 0) H5Fclose(file);
  io_h5_loud(quiet);
  if (!ok) io_loaded_free(out);
  return !ok;
}

void io_loaded_free(IoLoaded *loaded) {
  mesh_release(loaded->result.mesh);
  for (int i = 0; loaded->memory && i < loaded->memory->n; i++) free(loaded->memory->items[i]);
  if (loaded->memory) free(loaded->memory->items);
  free(loaded->memory);
  *loaded = (IoLoaded){0};
}
