/* Named arrays in HDF5: the data sets of the root and of its groups, one level deep, with their units as the attribute `unit` (or `units`, as h5py users write). */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "big.h"
#include "io_h5_file.h"
#include "io_h5_quiet.h"

/* ---- reading ---- */

typedef struct Reader {
  ArrayFile *file;
  const char *folder;                /* NULL: the root */
  Buf wrong;
} Reader;

static char *read_text(hid_t at, const char *name) {
  if (H5Aexists(at, name) <= 0) return NULL;
  hid_t id = H5Aopen(at, name, H5P_DEFAULT), type = id >= 0 ? H5Aget_type(id) : -1, space = id >= 0 ? H5Aget_space(id) : -1;
  char *text = NULL;
  if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1) {
    if (H5Tis_variable_str(type) > 0) {
      hid_t memory = H5Tcopy(H5T_C_S1);
      char *borrowed = NULL;
      H5Tset_size(memory, H5T_VARIABLE);
      H5Tset_cset(memory, H5Tget_cset(type));
      if (H5Aread(id, memory, &borrowed) >= 0 && borrowed) {
        text = strdup(borrowed);
        H5Dvlen_reclaim(memory, space, H5P_DEFAULT, &borrowed);
      }
      H5Tclose(memory);
    } else {
      size_t n = H5Tget_size(type);
      text = calloc(n + 1, 1);
      if (H5Aread(id, type, text) < 0) *text = 0;
      while (*text && text[strlen(text) - 1] == ' ') text[strlen(text) - 1] = 0;
    }
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (id >= 0) H5Aclose(id);
  return text;
}

static bool read_set(Reader *r, hid_t set, const char *name) {
  hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  hsize_t size[ARRAY_RANK + 1] = {0}, stored = H5Dget_storage_size(set);
  int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  bool fine = rank >= 0 && rank <= ARRAY_RANK && (kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM);
  if (!fine) buf_printf(&r->wrong, "`%s` is no array of numbers with at most %d dimensions", name, ARRAY_RANK);
  if (fine && rank) H5Sget_simple_extent_dims(space, size, NULL);
  double count = 1;
  for (int k = 0; k < rank; k++) count *= (double)size[k];
  if (fine && count * sizeof(double) > 0.5 * (double)big_memory()) {
    buf_printf(&r->wrong, "`%s` has %.3g values, more than half of the memory", name, count);
    fine = false;
  }
  if (fine && count > 0 && !stored) {
    buf_printf(&r->wrong, "`%s` was never written", name);
    fine = false;
  }
  if (fine) {
    Buf full = {0};
    buf_printf(&full, "%s%s%s", r->folder ? r->folder : "", r->folder ? "/" : "", name);
    NamedArray *array = arrays_add(r->file, full.text, full.len);
    buf_free(&full);
    array->rank = rank;
    for (int k = 0; k < rank; k++) array->shape[k] = size[k];
    array->values = big_alloc((size_t)count * sizeof(double) + 1);
    if (count > 0 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->values) < 0) {
      buf_printf(&r->wrong, "`%s` cannot be read to its end", name);
      fine = false;
    }
    array->unit = read_text(set, "unit");
    if (!array->unit) array->unit = read_text(set, "units");
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return fine;
}

static herr_t visit(hid_t at, const char *name, const H5L_info_t *link, void *user) {
  Reader *r = user;
  (void)link;
  hid_t id = H5Oopen(at, name, H5P_DEFAULT);
  H5I_type_t type = id >= 0 ? H5Iget_type(id) : H5I_BADID;
  herr_t stop = 0;
  if (type == H5I_DATASET) stop = !read_set(r, id, name);
  else if (type == H5I_GROUP && !r->folder && (!strcmp(name, "inputs") || !strcmp(name, "outputs"))) {
    r->folder = name;
    stop = H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, r);
    r->folder = NULL;
  } else if (type == H5I_BADID) {
    buf_printf(&r->wrong, "`%s` cannot be opened", name);
    stop = 1;
  }
  if (id >= 0) H5Oclose(id);
  return stop;
}

Status io_h5_arrays_read(const char *path, Diags *diags, Span span, ArrayFile *out) {
  *out = (ArrayFile){0};
  Reader r = {.file = out};
  IoH5Quiet quiet = io_h5_quiet();
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  bool fine = file >= 0;
  if (!fine) buf_puts(&r.wrong, "it cannot be opened as an HDF5 file");
  else fine = H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &r) == 0;
  if (!fine && !r.wrong.len) buf_puts(&r.wrong, "it is damaged");
  if (!fine) io_h5_quote(diag_report(diags, E3151, span, "`%s` cannot be used: %s", path, buf_str(&r.wrong)));
  if (file >= 0) H5Fclose(file);
  io_h5_loud(quiet);
  buf_free(&r.wrong);
  if (!fine) arrays_free(out);
  return !fine;
}

/* ---- writing ---- */

static bool put_unit(hid_t set, const char *unit) {
  if (!unit) return true;
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(unit) + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  hid_t id = H5Acreate2(set, "unit", type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool fine = id >= 0 && H5Awrite(id, type, unit) >= 0;
  if (id >= 0) H5Aclose(id);
  H5Sclose(space);
  H5Tclose(type);
  return fine;
}

static bool put_array(hid_t file, const NamedArray *array) {
  hsize_t size[ARRAY_RANK];
  for (int k = 0; k < array->rank; k++) size[k] = array->shape[k];
  hid_t links = H5Pcreate(H5P_LINK_CREATE), create = H5Pcreate(H5P_DATASET_CREATE), space = array->rank ? H5Screate_simple(array->rank, size, NULL) : H5Screate(H5S_SCALAR);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_obj_track_times(create, 0);                       /* the same data give the same bytes */
  hid_t set = H5Dcreate2(file, array->name, H5T_IEEE_F64LE, space, links, create, H5P_DEFAULT);
  bool fine = set >= 0 && (!array_count(array) || H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->values) >= 0) && put_unit(set, array->unit);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Pclose(links);
  H5Pclose(create);
  return fine;
}

static bool put_arrays(hid_t file, const void *user) {
  const ArrayFile *arrays = user;
  bool fine = true;
  for (int k = 0; k < arrays->n && fine; k++) fine = put_array(file, &arrays->items[k]);
  return fine;
}

Status io_h5_arrays_write(const char *path, const ArrayFile *arrays, Diags *diags, Span span) { return h5_write_file(path, put_arrays, arrays, false, diags, span); }
