/* Saved solutions come back with the same bits; damaged files are diagnostics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../numerics/io.h"
#include "../../numerics/io_h5.h"
#include "sample_mesh.h"
#include "xml_check.h"

static char directory[] = "/tmp/pde-h5-XXXXXX";
static SourceMap *sources;
static Interner *names;
static const Span NOWHERE = {0, 0};

static const char *in(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static void wild(const double *x, double *u) { u[0] = exp(3.1 * x[0]) / 3 - M_PI * x[1] * 1e-17; }
static void wild2(const double *x, double *u) { u[0] = sin(97 * x[0]); u[1] = -0.0; }
static void wild3(const double *x, double *u) { u[0] = x[0] / 3; u[1] = 5e-324; u[2] = 1.7e308 * x[2]; }

static void must(Status status, Diags *diags) {
  if (!status) return;
  Buf text = {0};
  for (int i = 0; i < diags->n; i++) diag_print(&text, sources, diags->items[i], false);
  fail_msg("%s", buf_str(&text));
}

static void same_mesh(const Mesh *a, const Mesh *b) {
  assert_int_equal(a->dim, b->dim);
  assert_int_equal(a->nverts, b->nverts);
  assert_int_equal(a->ncells, b->ncells);
  assert_memory_equal(a->x, b->x, sizeof(double) * (size_t)(a->nverts * a->dim));
  assert_memory_equal(a->cell, b->cell, sizeof(int) * (size_t)(a->ncells * (a->dim + 1)));
  assert_int_equal(a->nfacets, b->nfacets);
  assert_int_equal(a->nboundary, b->nboundary);
  assert_memory_equal(a->facet_cell, b->facet_cell, sizeof(int) * (size_t)a->nfacets);
  assert_memory_equal(a->facet_local, b->facet_local, sizeof(int) * (size_t)a->nfacets);
  assert_true(!a->region == !b->region);
  if (a->region) assert_memory_equal(a->region, b->region, sizeof(int) * (size_t)a->ncells);
  assert_int_equal(a->ngroups, b->ngroups);
  for (int g = 0; g < a->ngroups; g++) {
    assert_string_equal(a->groups[g].name, b->groups[g].name);
    assert_int_equal(a->groups[g].n, b->groups[g].n);
    assert_memory_equal(a->groups[g].entity, b->groups[g].entity, sizeof(int) * (size_t)a->groups[g].n);
    assert_true(a->groups[g].measure == b->groups[g].measure && a->groups[g].count == b->groups[g].count);
  }
  for (int c = 0; c < a->dim; c++) assert_true(a->lo[c] == b->lo[c] && a->hi[c] == b->hi[c]);
}

static void round_trip(int dim, int states, const char *element) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(dim, (int[]){4, 3, 2}, NULL, false, NULL);
  mesh->groups[0].measure = 1.0 / 3;
  mesh->region = calloc((size_t)mesh->ncells, sizeof(int));
  for (int e = 0; e < mesh->ncells; e++) mesh->region[e] = e % 2;
  mesh->nregions = 2;
  NodalField fields[2] = {sample_field(mesh, element, 1, wild), sample_field(mesh, "P1", dim, dim == 1 ? wild : dim == 2 ? wild2 : wild3)};
  fields[0].name = "T"; fields[0].unit = "K"; fields[1].name = "größe"; fields[1].shape = shape_vector(dim);
  double times[3] = {0, 0.1, 1.0 / 3}, *more[3];
  const double *values[6];
  for (int s = 0; s < states; s++) {
    more[s] = malloc(sizeof(double) * (size_t)fields[0].nnodes);
    for (int i = 0; i < fields[0].nnodes; i++) more[s][i] = fields[0].values[i] * (s + 1) / 7;
    values[2 * s] = more[s];
    values[2 * s + 1] = fields[1].values;
  }
  IoResult result = {.mesh = mesh, .fields = fields, .nfields = 2, .nstates = states, .times = states > 1 ? times : NULL, .values = values,
                     .length_unit = "m", .time_unit = "s", .source = "pde heat on square {\n  unknown T : scalar\n}\n"};
  must(io_save(in("r.h5"), &result, &diags, NOWHERE), &diags);
  IoLoaded loaded;
  must(io_load(in("r.h5"), names, &diags, NOWHERE, &loaded), &diags);
  const IoResult *r = &loaded.result;
  same_mesh(mesh, r->mesh);
  assert_int_equal(r->nfields, 2);
  assert_int_equal(r->nstates, states);
  assert_string_equal(r->source, result.source);
  assert_string_equal(r->length_unit, "m");
  assert_true(!r->times == (states == 1));
  if (r->times) assert_memory_equal(r->times, times, sizeof(double) * (size_t)states);
  for (int f = 0; f < 2; f++) {
    assert_string_equal(r->fields[f].name, fields[f].name);
    assert_ptr_equal(r->fields[f].element, fields[f].element);
    assert_true(shape_equal(r->fields[f].shape, fields[f].shape));
    assert_int_equal(r->fields[f].nnodes, fields[f].nnodes);
    assert_memory_equal(r->fields[f].cell_node, fields[f].cell_node, sizeof(int) * (size_t)(mesh->ncells * element_nodes(fields[f].element, dim)));
    for (int s = 0; s < states; s++) assert_memory_equal(r->values[2 * s + f], values[2 * s + f], sizeof(double) * (size_t)(fields[f].nnodes * fields[f].ncomp));
  }
  assert_string_equal(r->fields[0].unit, "K");
  io_loaded_free(&loaded);
  for (int s = 0; s < states; s++) free(more[s]);
  sample_field_free(&fields[0]); sample_field_free(&fields[1]);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

static void test_round_trip(void **state) {
  for (int dim = 1; dim <= 3; dim++) {
    round_trip(dim, 1, "P1");
    round_trip(dim, 3, "P2");
  }
}

static void save_small(const char *path) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(2, (int[]){6, 6}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P2", 1, wild);
  const double *values[1] = {f.values};
  IoResult result = {.mesh = mesh, .fields = &f, .nfields = 1, .nstates = 1, .values = values, .source = "pde p on s { }"};
  must(io_save(path, &result, &diags, NOWHERE), &diags);
  sample_field_free(&f);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

static void put(const char *path, const char *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  fwrite(bytes, 1, n, file);
  fclose(file);
}

/* Exactly one E2502, which names the file. */
static void refused(const char *path) {
  Diags diags = {.sources = sources};
  IoLoaded loaded;
  assert_true(io_load(path, names, &diags, NOWHERE, &loaded));
  assert_int_equal(diags.nerrors, 1);
  assert_int_equal(diags.items[0]->code, E2502);
  assert_non_null(strstr(diags.items[0]->message, path));
  assert_null(loaded.result.mesh);
  diags_free(&diags);
}

static void test_wrong_files(void **state) {
  refused(in("absent.h5"));
  put(in("text.h5"), "hello", 5);
  refused(in("text.h5"));
  put(in("empty.h5"), "", 0);
  refused(in("empty.h5"));
  Diags diags = {.sources = sources};
  double x[4] = {1, 2, 3, 4};
  IoH5Array other = {"x", x, NULL, 2, 2};
  must(io_h5_write(in("other.h5"), &other, 1, &diags, NOWHERE), &diags);
  refused(in("other.h5"));
  diags_free(&diags);
}

static void test_truncated(void **state) {
  size_t n;
  save_small(in("t.h5"));
  char *bytes = file_read(in("t.h5"), &n);
  for (size_t cut = 0; cut < n; cut += n / 23 + 1) {
    put(in("cut.h5"), bytes, cut);
    refused(in("cut.h5"));
  }
  put(in("cut.h5"), bytes, n - 1);
  refused(in("cut.h5"));
  free(bytes);
}

/* A flipped bit anywhere is refused before HDF5 sees it, whose reader is not safe against damage; padding of the seal alone is free. */
static void test_flipped(void **state) {
  size_t n;
  uint64_t random = 88172645463325252ull;
  save_small(in("t.h5"));
  char *bytes = file_read(in("t.h5"), &n);
  for (int k = 0; k < 300; k++) {
    random ^= random << 13; random ^= random >> 7; random ^= random << 17;
    size_t at = k < 64 ? (size_t)k : 512 + (size_t)(random % (n - 512));
    if (at > 17 && at < 64) continue;
    char old = bytes[at];
    bytes[at] = (char)(old ^ (1 << (random >> 40) % 8));
    put(in("flip.h5"), bytes, n);
    bytes[at] = old;
    refused(in("flip.h5"));
  }
  free(bytes);
}

/* A file with a valid seal whose numbers make no sense: each is refused by the check of its own. */
static void test_bad_indices(void **state) {
  for (int k = 0; k < 6; k++) {
    Diags diags = {.sources = sources};
    Mesh *mesh = sample_mesh(2, (int[]){3, 3}, NULL, false, NULL);
    NodalField f = sample_field(mesh, "P1", 1, wild);
    const double *values[1] = {f.values};
    IoResult result = {.mesh = mesh, .fields = &f, .nfields = 1, .nstates = 1, .values = values};
    int *spoilt[6] = {&mesh->cell[4], &mesh->facet_cell[2], &mesh->facet_local[1], &mesh->groups[1].entity[0], (int *)&f.cell_node[7], &mesh->nboundary};
    int old = *spoilt[k];
    *spoilt[k] = k % 2 ? 100000 : -1;
    must(io_save(in("bad.h5"), &result, &diags, NOWHERE), &diags);
    *spoilt[k] = old;
    refused(in("bad.h5"));
    sample_field_free(&f);
    sample_mesh_free(mesh);
    diags_free(&diags);
  }
}

/* Our own errors print nothing and leave the host's handler in place. */
static void test_handler(void **state) {
  H5E_auto2_t before, after;
  void *data_before, *data_after;
  H5Eget_auto2(H5E_DEFAULT, &before, &data_before);
  refused(in("absent.h5"));
  put(in("text.h5"), "hello", 5);
  refused(in("text.h5"));
  H5Eget_auto2(H5E_DEFAULT, &after, &data_after);
  assert_true(before == after && data_before == data_after);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_round_trip), cmocka_unit_test(test_wrong_files), cmocka_unit_test(test_truncated), cmocka_unit_test(test_flipped), cmocka_unit_test(test_bad_indices),
    cmocka_unit_test(test_handler),
  };
  sources = sources_new();
  names = interner_new();
  if (!mkdtemp(directory)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[80];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  if (system(command)) failed++;
  sources_free(sources);
  interner_free(names);
  return failed;
}
