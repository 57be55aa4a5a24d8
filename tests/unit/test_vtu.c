/* Exported files are read back: VTU by an own small reader, PVD, CSV, XDMF; and files come into being whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../numerics/atomic.h"
#include "../../numerics/io.h"
#include "../../numerics/io_gather.h"
#include "../../numerics/io_piece.h"
#include "../../numerics/io_vtu.h"
#include "sample_mesh.h"
#include "xml_check.h"

static char directory[] = "/tmp/pde-vtu-XXXXXX";
static SourceMap *sources;
static const Span NOWHERE = {0, 0};

static char *in(const char *name) {
  static char path[4][256];
  static int k;
  k = (k + 1) % 4;
  snprintf(path[k], sizeof path[k], "%s/%s", directory, name);
  return path[k];
}

static void scalar(const double *x, double *u) { u[0] = 1 + x[0] * x[0] - 3 * x[1] + x[0] * x[2]; }
static void scalar1(const double *x, double *u) { u[0] = x[0] * x[0]; }
static void linear(const double *x, double *u) { u[0] = 2 * x[0] - 0.5 * x[1] + 0.25; }
static void vector2(const double *x, double *u) { u[0] = x[1]; u[1] = -x[0] * x[0]; }
static void tensor2(const double *x, double *u) { u[0] = x[0]; u[1] = 2; u[2] = 3; u[3] = x[1]; }
static void skew(double *x) { x[0] = 2 * x[0] + 0.3 * x[1]; }

/* ---- the reader ---- */

typedef struct Vtu { char *text; size_t n; const char *raw; } Vtu;

static Vtu vtu_open(const char *path) {
  Vtu v = {0};
  v.text = file_read(path, &v.n);
  assert_non_null(v.text);
  const char *broken = xml_check(v.text, v.n);
  if (broken) fail_msg("%s is not well-formed at byte %ld", path, (long)(broken - v.text));
  const char *data = strstr(v.text, "<AppendedData encoding=\"raw\">");
  assert_non_null(data);
  v.raw = strchr(data, '_') + 1;
  assert_non_null(strstr(v.text, "header_type=\"UInt64\""));
  return v;
}

/* The array of that name: its bytes; type and number of components are checked. */
static const void *vtu_array(const Vtu *v, const char *name, const char *type, int components, uint64_t *bytes) {
  char key[80], want[80];
  snprintf(key, sizeof key, "Name=\"%s\"", name);
  const char *at = strstr(v->text, key), *end;
  if (!at) fail_msg("no array %s", name);
  while (*at != '<') at--;
  end = strchr(at, '>');
  snprintf(want, sizeof want, "type=\"%s\"", type);
  assert_true(strstr(at, want) && strstr(at, want) < end);
  if (components) {
    snprintf(want, sizeof want, "NumberOfComponents=\"%d\"", components);
    assert_true(strstr(at, want) && strstr(at, want) < end);
  }
  const char *p = v->raw + strtoull(strstr(at, "offset=\"") + 8, NULL, 10);
  memcpy(bytes, p, 8);
  assert_true(p + 8 + *bytes <= v->text + v->n);
  return p + 8;
}

static double number(const void *data, size_t i) { double x; memcpy(&x, (const char *)data + 8 * i, 8); return x; }
static int64_t integer(const void *data, size_t i) { int64_t x; memcpy(&x, (const char *)data + 8 * i, 8); return x; }

static IoResult result_of(Mesh *mesh, NodalField *fields, int n, const double **values) {
  for (int f = 0; f < n; f++) values[f] = fields[f].values;
  return (IoResult){.mesh = mesh, .fields = fields, .nfields = n, .nstates = 1, .values = values};
}

static void must(Status status, Diags *diags) {
  if (!status) return;
  Buf text = {0};
  for (int i = 0; i < diags->n; i++) diag_print(&text, sources, diags->items[i], false);
  fail_msg("%s", buf_str(&text));
}

static void fails_with(Status status, Diags *diags, DiagCode code) {
  assert_true(status);
  assert_int_equal(diags->n, 1);
  assert_int_equal(diags->items[0]->code, code);
  diags_clear(diags);
}

/* The middle node k of VTK's quadratic cells lies between these corners. */
static const int ends[4][6][2] = {{{0, 0}}, {{0, 1}}, {{0, 1}, {1, 2}, {2, 0}}, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

static void quadratic_cells(int dim, void (*f)(const double *, double *), unsigned char type) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(dim, (int[]){3, 2, 2}, dim == 1 ? NULL : skew, false, NULL);
  NodalField fields[2] = {sample_field(mesh, "P2", 1, f), sample_field(mesh, "P1", 1, dim == 1 ? scalar1 : linear)};
  fields[0].name = "u"; fields[0].unit = "m/s"; fields[1].name = "p<q";
  const double *values[2];
  IoResult result = result_of(mesh, fields, 2, values);
  result.length_unit = "m";
  must(io_export(in("q.vtu"), &result, &diags, NOWHERE), &diags);
  Vtu v = vtu_open(in("q.vtu"));
  uint64_t bytes;
  int nodes = dim == 1 ? 3 : dim == 2 ? 6 : 10, n = mesh->nverts + (dim == 1 ? mesh->ncells : mesh->nedges);
  const void *x = vtu_array(&v, "Points", "Float64", 3, &bytes);
  assert_int_equal(bytes, (uint64_t)n * 24);
  const void *cells = vtu_array(&v, "connectivity", "Int64", 0, &bytes);
  assert_int_equal(bytes, (uint64_t)mesh->ncells * (uint64_t)nodes * 8);
  const void *u = vtu_array(&v, "u", "Float64", 1, &bytes);
  assert_int_equal(bytes, (uint64_t)n * 8);
  const void *p = vtu_array(&v, "p&lt;q", "Float64", 1, &bytes);
  const unsigned char *types = vtu_array(&v, "types", "UInt8", 0, &bytes);
  assert_int_equal(bytes, mesh->ncells);
  const void *offsets = vtu_array(&v, "offsets", "Int64", 0, &bytes);
  for (int e = 0; e < mesh->ncells; e++) {
    assert_int_equal(types[e], type);
    assert_int_equal(integer(offsets, (size_t)e), (e + 1) * nodes);
    for (int a = 0; a < nodes; a++) {
      int64_t node = integer(cells, (size_t)(e * nodes + a));
      assert_true(node >= 0 && node < n);
      double place[3], want;
      for (int c = 0; c < 3; c++) place[c] = number(x, (size_t)(3 * node + c));
      f(place, &want);
      if (fabs(number(u, (size_t)node) - want) > 1e-14) fail_msg("u at node %d of cell %d", a, e);
      if (a <= dim) continue;
      int64_t end[2];
      for (int k = 0; k < 2; k++) end[k] = integer(cells, (size_t)(e * nodes + ends[dim][a - dim - 1][k]));
      for (int c = 0; c < 3; c++)
        assert_true(fabs(place[c] - 0.5 * (number(x, (size_t)(3 * end[0] + c)) + number(x, (size_t)(3 * end[1] + c)))) < 1e-15);
      /* the P1 field is linear along the edge */
      assert_true(fabs(number(p, (size_t)node) - 0.5 * (number(p, (size_t)end[0]) + number(p, (size_t)end[1]))) < 1e-14);
    }
  }
  assert_non_null(strstr(v.text, "unit=\"m/s\""));
  free(v.text);
  sample_field_free(&fields[0]); sample_field_free(&fields[1]);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

static void test_quadratic(void **state) {
  quadratic_cells(1, scalar1, 21);
  quadratic_cells(2, scalar, 22);
  quadratic_cells(3, scalar, 24);
}

static void test_linear_padding(void **state) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(2, (int[]){4, 3}, NULL, false, NULL);
  NodalField fields[2] = {sample_field(mesh, "P1", 2, vector2), sample_field(mesh, "P1", 4, tensor2)};
  fields[0].name = "v"; fields[1].name = "s"; fields[1].shape = shape_tensor(2, 2);
  const double *values[2];
  IoResult result = result_of(mesh, fields, 2, values);
  must(io_export(in("l.vtu"), &result, &diags, NOWHERE), &diags);
  Vtu v = vtu_open(in("l.vtu"));
  uint64_t bytes;
  const void *x = vtu_array(&v, "Points", "Float64", 3, &bytes), *w = vtu_array(&v, "v", "Float64", 3, &bytes), *s = vtu_array(&v, "s", "Float64", 9, &bytes);
  for (int p = 0; p < mesh->nverts; p++) {
    double place[2] = {number(x, (size_t)(3 * p)), number(x, (size_t)(3 * p + 1))};
    double want_v[3] = {place[1], -place[0] * place[0], 0}, want_s[9] = {place[0], 2, 0, 3, place[1]};
    for (int c = 0; c < 3; c++) assert_true(number(w, (size_t)(3 * p + c)) == want_v[c]);
    for (int c = 0; c < 9; c++) assert_true(number(s, (size_t)(9 * p + c)) == want_s[c]);
  }
  assert_int_equal(((const unsigned char *)vtu_array(&v, "types", "UInt8", 0, &bytes))[0], 5);
  free(v.text);
  sample_field_free(&fields[0]); sample_field_free(&fields[1]);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

static int files;
static void count_file(void *user, const char *path) { files++; assert_int_equal(access(path, R_OK), 0); }

static void test_series(void **state) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(2, (int[]){4, 4}, NULL, false, NULL);
  NodalField a = sample_field(mesh, "P1", 1, linear), b = sample_field(mesh, "P1", 1, scalar1);
  const double times[2] = {0, 0.1}, *values[2] = {a.values, b.values};
  IoResult result = {.mesh = mesh, .fields = &a, .nfields = 1, .nstates = 2, .times = times, .values = values, .time_unit = "s", .on_file = count_file};
  files = 0;
  must(io_export(in("heat.vtu"), &result, &diags, NOWHERE), &diags);
  assert_int_equal(files, 4);
  size_t n;
  char *pvd = file_read(in("heat.pvd"), &n);
  assert_non_null(pvd);
  assert_null(xml_check(pvd, n));
  assert_non_null(strstr(pvd, "timestep=\"0.1\" part=\"0\" file=\"heat_0001.vtu\""));
  free(pvd);
  uint64_t bytes;
  Vtu v = vtu_open(in("heat_0001.vtu")), last = vtu_open(in("heat.vtu"));
  assert_true(number(vtu_array(&v, "TimeValue", "Float64", 1, &bytes), 0) == 0.1);
  assert_true(number(vtu_array(&last, "u", "Float64", 1, &bytes), 3) == b.values[3]);
  free(v.text);
  free(last.text);
  /* once more over our own files, then one of somebody else */
  must(io_export(in("heat.vtu"), &result, &diags, NOWHERE), &diags);
  FILE *theirs = fopen(in("heat_0001.vtu"), "w");
  fputs("my notes", theirs);
  fclose(theirs);
  fails_with(io_export(in("heat.vtu"), &result, &diags, NOWHERE), &diags, E2503);
  char *kept = file_read(in("heat_0001.vtu"), &n);
  assert_string_equal(kept, "my notes");
  free(kept);
  must(io_export(in("heat.xdmf"), &result, &diags, NOWHERE), &diags);
  char *xdmf = file_read(in("heat.xdmf"), &n);
  assert_null(xml_check(xdmf, n));
  assert_non_null(strstr(xdmf, "heat.xdmf.h5:/state1_field0"));
  assert_int_equal(access(in("heat.xdmf.h5"), R_OK), 0);
  free(xdmf);
  sample_field_free(&a); sample_field_free(&b);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

/* The pieces of two ranks: each cell in one of them, with the values at its points that the whole has. */
static void test_pieces(void **state) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(2, (int[]){5, 4}, skew, false, NULL);
  NodalField fields[3] = {sample_field(mesh, "P2", 1, scalar), sample_field(mesh, "P1", 2, vector2), sample_field(mesh, "DG0", 1, linear)};
  fields[0].name = "u"; fields[1].name = "v"; fields[2].name = "c";
  int *owner = malloc(sizeof(int) * (size_t)mesh->nverts), seen = 0;
  for (int i = 0; i < mesh->nverts; i++) owner[i] = i % 7 < 3;
  mesh->vertex_owner = owner, mesh->nranks = 2;
  for (mesh->rank = 0; mesh->rank < 2; mesh->rank++) {
    int *cells, n;
    Mesh *piece = piece_mesh(mesh, &cells);
    NodalField part[3];
    const double *values[3];
    for (int f = 0; f < 3; f++) piece_field(&fields[f], piece, cells, &part[f]);
    IoResult result = result_of(piece, part, 3, values);
    IoPoints points;
    must(io_points_open(&points, &result, &diags, NOWHERE), &diags);
    must(vtu_state(in("piece.vtu"), &points, &result, 0, &diags, NOWHERE), &diags);
    Vtu v = vtu_open(in("piece.vtu"));
    uint64_t bytes;
    const void *x = vtu_array(&v, "Points", "Float64", 3, &bytes);
    n = (int)(bytes / 24);
    const void *u = vtu_array(&v, "u", "Float64", 1, &bytes), *w = vtu_array(&v, "v", "Float64", 3, &bytes), *c = vtu_array(&v, "c", "Float64", 1, &bytes);
    assert_int_equal(bytes, 8 * (uint64_t)piece->ncells);
    for (int i = 0; i < n; i++) {
      double at[3] = {number(x, 3 * (size_t)i), number(x, 3 * (size_t)i + 1), 0}, want;
      scalar(at, &want);
      assert_true(fabs(number(u, (size_t)i) - want) < 1e-13);
      assert_true(fabs(number(w, 3 * (size_t)i) - at[1]) < 1e-13 && number(w, 3 * (size_t)i + 2) == 0);
    }
    for (int k = 0; k < piece->ncells; k++) assert_true(number(c, (size_t)k) == fields[2].values[cells[k]]);
    for (int k = 0; k < piece->ncells; k++) seen += mesh_owns_cell(mesh, cells[k]);
    free(v.text), free(cells);
    io_points_close(&points);
    for (int f = 0; f < 3; f++) gathered_free(&part[f]);
    mesh_release(piece);
  }
  assert_int_equal(seen, mesh->ncells);
  mesh->vertex_owner = NULL, mesh->rank = 0, mesh->nranks = 1;
  free(owner);
  for (int f = 0; f < 3; f++) sample_field_free(&fields[f]);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

static void test_csv(void **state) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(2, (int[]){3, 3}, skew, false, NULL);
  NodalField fields[2] = {sample_field(mesh, "P1", 1, linear), sample_field(mesh, "P1", 2, vector2)};
  fields[0].name = "T"; fields[0].unit = "K"; fields[1].name = "u";
  const double *values[2];
  IoResult result = result_of(mesh, fields, 2, values);
  result.length_unit = "m";
  const char *commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
  for (int i = 0; i < 3 && !setlocale(LC_ALL, commas[i]); i++) { }
  must(io_export(in("t.csv"), &result, &diags, NOWHERE), &diags);
  setlocale(LC_ALL, "C");
  size_t n;
  char *text = file_read(in("t.csv"), &n), *p = strchr(text, '\n');
  *p++ = 0;
  assert_string_equal(text, "x [m],y [m],T [K],u.x,u.y");
  for (int v = 0; v < mesh->nverts; v++) {
    double want[5] = {mesh->x[2 * v], mesh->x[2 * v + 1], fields[0].values[v], fields[1].values[2 * v], fields[1].values[2 * v + 1]};
    for (int c = 0; c < 5; c++, p++) assert_true(strtod(p, &p) == want[c]);     /* the same bits */
    assert_int_equal(p[-1], '\n');
  }
  assert_int_equal(*p, 0);
  free(text);
  sample_field_free(&fields[0]); sample_field_free(&fields[1]);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

static void test_refusals(void **state) {
  Diags diags = {.sources = sources};
  Mesh *mesh = sample_mesh(2, (int[]){2, 2}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P1", 1, linear);
  const double *values[1];
  IoResult result = result_of(mesh, &f, 1, values);
  fails_with(io_export(in("a.stl"), &result, &diags, NOWHERE), &diags, E2500);
  fails_with(io_export(in("noextension"), &result, &diags, NOWHERE), &diags, E2500);
  fails_with(io_export(in("a.h5"), &result, &diags, NOWHERE), &diags, E2500);
  fails_with(io_export(in("nowhere/a.vtu"), &result, &diags, NOWHERE), &diags, E2501);
  fails_with(io_export("/proc/a.vtu", &result, &diags, NOWHERE), &diags, E2501);
  ((double *)f.values)[2] = NAN;
  fails_with(io_export(in("nan.vtu"), &result, &diags, NOWHERE), &diags, E2511);
  assert_int_not_equal(access(in("nan.vtu"), F_OK), 0);
  sample_field_free(&f);
  sample_mesh_free(mesh);
  diags_free(&diags);
}

/* A child that writes over a file is killed at some moment: the file is the old or a new one, whole. */
static void test_kill(void **state) {
  enum { SIZE = 1 << 20, KILLS = 40 };
  Diags diags = {.sources = sources};
  char *bytes = malloc(SIZE);
  memset(bytes, 'a', SIZE);
  must(atomic_write(in("whole"), bytes, SIZE, &diags, NOWHERE), &diags);
  int seen_new = 0;
  for (int k = 0; k < KILLS; k++) {
    pid_t child = fork();
    if (!child) {
      for (char c = 'b';; c = c == 'y' ? 'b' : c + 1) {
        memset(bytes, c, SIZE);
        if (atomic_write(in("whole"), bytes, SIZE, &diags, NOWHERE)) _exit(1);
      }
    }
    usleep((useconds_t)(500 * (k % 13)));
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    size_t n;
    char *found = file_read(in("whole"), &n);
    assert_int_equal(n, SIZE);
    for (size_t i = 1; i < n; i++)
      if (found[i] != found[0]) fail_msg("half-written: '%c' then '%c' at %zu", found[0], found[i], i);
    seen_new += found[0] != 'a';
    free(found);
  }
  assert_true(seen_new > 0);
  free(bytes);
  diags_free(&diags);
}

static void test_atomic_details(void **state) {
  Diags diags = {.sources = sources};
  size_t n;
  struct stat st;
  /* rights of the old file stay; a link is followed; an abandoned write leaves nothing */
  must(atomic_write(in("mode"), "1", 1, &diags, NOWHERE), &diags);
  chmod(in("mode"), 0640);
  assert_int_equal(symlink(in("mode"), in("link")), 0);
  must(atomic_write(in("link"), "22", 2, &diags, NOWHERE), &diags);
  stat(in("mode"), &st);
  assert_int_equal(st.st_mode & 0777, 0640);
  assert_int_equal(st.st_size, 2);
  lstat(in("link"), &st);
  assert_true(S_ISLNK(st.st_mode));
  Atomic atomic;
  must(atomic_begin(&atomic, in("mode"), &diags, NOWHERE), &diags);
  fputs("half", atomic.file);
  char *temp = strdup(atomic.temp);
  atomic_abort(&atomic);
  assert_int_not_equal(access(temp, F_OK), 0);
  free(temp);
  char *text = file_read(in("mode"), &n);
  assert_string_equal(text, "22");
  free(text);
  must(atomic_write("/dev/null", "x", 1, &diags, NOWHERE), &diags);
  if (!access("/dev/full", W_OK)) fails_with(atomic_write("/dev/full", "x", 1, &diags, NOWHERE), &diags, E2501);
  fails_with(atomic_write(directory, "x", 1, &diags, NOWHERE), &diags, E2501);
  diags_free(&diags);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_quadratic), cmocka_unit_test(test_linear_padding), cmocka_unit_test(test_series), cmocka_unit_test(test_pieces), cmocka_unit_test(test_csv),
    cmocka_unit_test(test_refusals), cmocka_unit_test(test_atomic_details), cmocka_unit_test(test_kill),
  };
  sources = sources_new();
  if (!mkdtemp(directory)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[80];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  if (system(command)) failed++;
  sources_free(sources);
  return failed;
}
