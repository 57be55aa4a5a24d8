/* Pictures: ticks, colours at known places, the colour bar's ends, curved fields, slices, well-formed SVG, terminal text, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../numerics/plot.h"
#include "../../numerics/plot_axes.h"
#include "../../numerics/plot_raster.h"
#include "../../numerics/plot_scene.h"
#include "sample_mesh.h"
#include "xml_check.h"

static char directory[] = "/tmp/pde-plot-XXXXXX";
static SourceMap *sources;
static const Span NOWHERE = {0, 0};

#define REQUEST(KIND, ...) ((PlotRequest){.kind = KIND, .lo = NAN, .hi = NAN, .deform_scale = NAN, __VA_ARGS__})

static const char *in(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static void must(Status status, Diags *diags) {
  if (!status) return;
  Buf text = {0};
  for (int i = 0; i < diags->n; i++) diag_print(&text, sources, diags->items[i], false);
  fail_msg("%s", buf_str(&text));
}

static void draw(const PlotRequest *request, Mesh *mesh, const NodalField *field, const NodalField *deform) {
  Diags diags = {.sources = sources};
  must(plot_draw(request, mesh, field, deform, &diags, NOWHERE), &diags);
  diags_free(&diags);
}

static void refused(const PlotRequest *request, Mesh *mesh, const NodalField *field, DiagCode code) {
  Diags diags = {.sources = sources};
  assert_true(plot_draw(request, mesh, field, NULL, &diags, NOWHERE));
  assert_int_equal(diags.nerrors, 1);
  assert_int_equal(diags.items[0]->code, code);
  diags_free(&diags);
}

/* ---- pixels ---- */

typedef struct Image { cairo_surface_t *surface; int w, h; } Image;

static Image image_open(const char *path) {
  Image image = {.surface = cairo_image_surface_create_from_png(path)};
  assert_int_equal(cairo_surface_status(image.surface), CAIRO_STATUS_SUCCESS);
  image.w = cairo_image_surface_get_width(image.surface);
  image.h = cairo_image_surface_get_height(image.surface);
  return image;
}

static uint32_t pixel(const Image *image, int x, int y) {
  uint32_t out;
  memcpy(&out, cairo_image_surface_get_data(image->surface) + y * cairo_image_surface_get_stride(image->surface) + 4 * x, 4);
  return out & 0xFFFFFF;
}

static int channel(uint32_t c, int k) { return (int)(c >> (16 - 8 * k) & 255); }

static bool near(uint32_t a, uint32_t b, int tolerance) {
  for (int k = 0; k < 3; k++)
    if (abs(channel(a, k) - channel(b, k)) > tolerance) return false;
  return true;
}

static bool coloured(uint32_t c) {
  int lo = 255, hi = 0;
  for (int k = 0; k < 3; k++) { int v = channel(c, k); if (v < lo) lo = v; if (v > hi) hi = v; }
  return hi - lo > 25;
}

/* The coloured runs of a row or column through (x, y): the picture and the colour bar. */
static void run_from(const Image *image, bool row, int fixed, int start, int *from, int *to) {
  int n = row ? image->w : image->h, i = start;
  while (i < n && !coloured(row ? pixel(image, i, fixed) : pixel(image, fixed, i))) i++;
  *from = i;
  while (i < n && coloured(row ? pixel(image, i, fixed) : pixel(image, fixed, i))) i++;
  *to = i;
}

static void ramp(const double *x, double *u) { u[0] = x[0]; }
static void parabola(const double *x, double *u) { u[0] = 4 * x[0] * (1 - x[0]); }
static void signed_ramp(const double *x, double *u) { u[0] = 2 * x[0] - 1; }
static void three(const double *x, double *u) { (void)x; u[0] = 3; }
static void height_of(const double *x, double *u) { u[0] = x[2]; }
static void shear(const double *x, double *u) { u[0] = 1e-3 * x[1]; u[1] = 0; }
static void wind(const double *x, double *u) { (void)x; u[0] = 1; u[1] = 0; }

static void test_colours(void **state) {
  Mesh *mesh = sample_mesh(2, (int[]){7, 5}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P1", 1, ramp);
  PlotRequest request = REQUEST(PLOT_FIELD, .path = in("ramp.png"), .label = "u", .width = 700);
  draw(&request, mesh, &f, NULL);
  Image image = image_open(in("ramp.png"));
  assert_int_equal(image.w, 700);
  int from, to, bar_from, bar_to, top, bottom, row = image.h * 2 / 5;
  run_from(&image, true, row, 0, &from, &to);
  run_from(&image, true, row, to + 8, &bar_from, &bar_to);     /* past the frame */
  assert_true(to - from > 400 && bar_to - bar_from > 10 && bar_to - bar_from < 40);
  Colormap map;
  colormap_for(&map, 0, 1);
  for (int i = 3; i < to - from - 3; i++) {
    bool found = false;                 /* within a pixel and a half of its place */
    for (int shift = -6; shift <= 6; shift++) found = found || near(pixel(&image, from + i, row), colormap_at(&map, (i + 0.5 + shift / 4.0) / (to - from)), 3);
    if (!found) fail_msg("colour at %d of %d: %06x, not %06x", i, to - from, pixel(&image, from + i, row), colormap_at(&map, (i + 0.5) / (to - from)));
  }
  int middle = (bar_from + bar_to) / 2;
  run_from(&image, false, middle, 0, &top, &bottom);
  assert_true(near(pixel(&image, middle, top + 2), colormap_at(&map, 1), 8));
  assert_true(near(pixel(&image, middle, bottom - 3), colormap_at(&map, 0), 8));
  assert_true(near(pixel(&image, middle, (top + bottom) / 2), colormap_at(&map, 0.5), 8));
  /* the picture is square, as the domain is */
  int up, down;
  run_from(&image, false, (from + to) / 2, 0, &up, &down);
  assert_true(abs((to - from) - (down - up)) <= 3);
  cairo_surface_destroy(image.surface);
  sample_field_free(&f);
  sample_mesh_free(mesh);
}

static void test_quadratic_is_curved(void **state) {
  Mesh *mesh = sample_mesh(2, (int[]){1, 1}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P2", 1, parabola);
  PlotRequest request = REQUEST(PLOT_FIELD, .path = in("curved.png"));
  draw(&request, mesh, &f, NULL);
  Image image = image_open(in("curved.png"));
  int from, to, row = image.h / 2;
  run_from(&image, true, row, 0, &from, &to);
  Colormap map;
  colormap_for(&map, 0, 1);
  for (int k = 1; k < 10; k++) {
    double x = k / 10.0;
    assert_true(near(pixel(&image, from + (int)(x * (to - from)), row), colormap_at(&map, 4 * x * (1 - x)), 9));
  }
  cairo_surface_destroy(image.surface);
  sample_field_free(&f);
  sample_mesh_free(mesh);
}

static void test_contours(void **state) {
  Mesh *mesh = sample_mesh(2, (int[]){6, 6}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P1", 1, ramp);
  Scene scene;
  assert_true(scene_open(&scene, mesh, &f, NULL, 1, NULL));
  scene_fit(&scene, 0, 0, 100, 100, false);
  scene_range(&scene);
  assert_true(scene.value_lo == 0 && scene.value_hi == 1);
  scene_close(&scene);
  /* as many dark vertical lines as were asked for, and nothing dark elsewhere */
  for (int levels = 1; levels <= 3; levels += 2) {
    PlotRequest request = REQUEST(PLOT_FIELD, .path = in("contours.png"), .contours = true, .levels = levels);
    draw(&request, mesh, &f, NULL);
    Image image = image_open(in("contours.png"));
    int from, to, end, left, dark = 0, lines = 0;
    run_from(&image, false, image.w / 3, 0, &from, &to);
    int row = (2 * from + to) / 3;
    run_from(&image, true, row, 0, &left, &end);
    bool before = false;
    for (int x = left + 9; x < image.w * 4 / 5; x++) {
      uint32_t c = pixel(&image, x, row), b = pixel(&image, x - 6, row);
      bool is_dark = 10 * (channel(c, 0) + channel(c, 1) + channel(c, 2)) < 6 * (channel(b, 0) + channel(b, 1) + channel(b, 2));
      dark += is_dark;
      lines += is_dark && !before;
      before = is_dark;
    }
    assert_int_equal(lines, levels);
    assert_true(dark <= 4 * levels);
    cairo_surface_destroy(image.surface);
  }
  sample_field_free(&f);
  sample_mesh_free(mesh);
}

static void test_diverging_and_constant(void **state) {
  Colormap map;
  colormap_for(&map, -1, 0.9);
  assert_int_equal(map.id, COLORMAP_diverging);
  assert_true(map.lo == -1 && map.hi == 1);
  uint32_t zero = colormap_at(&map, 0);
  assert_true(channel(zero, 0) > 225 && channel(zero, 1) > 225 && channel(zero, 2) > 225);
  assert_true(channel(colormap_at(&map, -0.7), 2) > channel(colormap_at(&map, -0.7), 0));
  assert_true(channel(colormap_at(&map, 0.7), 0) > channel(colormap_at(&map, 0.7), 2));
  colormap_for(&map, -0.01, 5);
  assert_int_equal(map.id, COLORMAP_sequential);
  /* lightness grows: luminance of sRGB is monotone along the sequential map */
  double last = -1;
  for (int i = 0; i < COLORMAP_ENTRIES; i += 8) {
    double y = 0, weight[3] = {0.2126, 0.7152, 0.0722};
    for (int k = 0; k < 3; k++) y += weight[k] * pow(channel(map.rgb[i], k) / 255.0, 2.2);
    assert_true(y > last);
    last = y;
  }
  Mesh *mesh = sample_mesh(2, (int[]){2, 2}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P1", 1, three), s = sample_field(mesh, "P1", 1, signed_ramp);
  PlotRequest request = REQUEST(PLOT_FIELD, .path = in("three.png"), .contours = true);
  draw(&request, mesh, &f, NULL);
  Buf out = {0};
  request.path = NULL;
  request.out = &out;
  request.label = "c";
  draw(&request, mesh, &f, NULL);
  char *first = strstr(buf_str(&out), " 3\n");
  assert_non_null(first);
  assert_null(strstr(first + 1, " 3\n"));       /* the only value is there once */
  buf_free(&out);
  sample_field_free(&f); sample_field_free(&s);
  sample_mesh_free(mesh);
}

static void test_raster(void **state) {
  Raster raster;
  Colormap map;
  colormap_make(&map, COLORMAP_sequential, 0, 1);
  assert_true(raster_open(&raster, 10, 10, 2, true));
  RasterVertex far[3] = {{0, 0, 0, 0, 1}, {10, 0, 0, 0, 1}, {0, 10, 0, 0, 1}}, close_[3] = {{0, 0, 5, 1, 1}, {5, 0, 5, 1, 1}, {0, 5, 5, 1, 1}};
  raster_triangle(&raster, close_, &map);
  raster_triangle(&raster, far, &map);          /* drawn later, but behind */
  uint32_t *pixels = raster_pixels(&raster);
  assert_int_equal(pixels[1 * 10 + 1] & 0xFFFFFF, colormap_at(&map, 1));
  assert_int_equal(pixels[1 * 10 + 7] & 0xFFFFFF, colormap_at(&map, 0));
  assert_int_equal(pixels[9 * 10 + 9], 0);
  assert_true(raster_visible(&raster, 1, 1, 5, 0.1) && !raster_visible(&raster, 1, 1, 0, 0.1));
  free(pixels);
  raster_close(&raster);
}

/* Two triangles that share a side leave no gap and the area is right. */
static void test_raster_area(void **state) {
  Raster raster;
  assert_true(raster_open(&raster, 100, 100, 4, false));
  RasterVertex a[3] = {{10.3, 10.7, 0, 0, 1}, {90.1, 20.2, 0, 0, 1}, {30.9, 80.4, 0, 0, 1}}, b[3] = {a[1], {95.5, 92.5, 0, 0, 1}, a[2]};
  raster_fill(&raster, a, 0x123456);
  raster_fill(&raster, b, 0x123456);
  double covered = 0, exact = 0;
  for (int i = 0; i < raster.w * raster.h; i++) covered += raster.argb[i] != 0;
  RasterVertex ring[4] = {a[0], a[1], b[1], a[2]};
  for (int i = 0; i < 4; i++) exact += 0.5 * (ring[i].x * ring[(i + 1) % 4].y - ring[(i + 1) % 4].x * ring[i].y);
  assert_true(fabs(covered / 16 - fabs(exact)) < 0.01 * fabs(exact));
  raster_close(&raster);
}

/* ---- numbers ---- */

static void labels_are(double lo, double hi, int most, bool log, const char *want) {
  Ticks ticks;
  Buf text = {0};
  if (log) ticks_log(&ticks, lo, hi, most); else ticks_linear(&ticks, lo, hi, most);
  for (int k = 0; k < ticks.n; k++) {
    if (ticks.minor[k]) continue;
    if (text.len) buf_puts(&text, " ");
    ticks_label(&ticks, k, &text);
  }
  if (ticks.exponent && !log) { buf_puts(&text, " e"); buf_printf(&text, "%d", ticks.exponent); }
  assert_string_equal(buf_str(&text), want);
  buf_free(&text);
}

static void test_ticks(void **state) {
  labels_are(0, 1, 5, false, "0.0 0.2 0.4 0.6 0.8 1.0");
  labels_are(-1.05, 1.05, 5, false, "−1.0 −0.5 0.0 0.5 1.0");
  labels_are(288.3, 341.2, 6, false, "290 300 310 320 330 340");
  labels_are(0, 3e6, 4, false, "0 1 2 3 e6");
  labels_are(0, 4.2e-5, 5, false, "0 1 2 3 4 e-5");
  labels_are(300.001, 300.004, 4, false, "300.001 300.002 300.003 300.004");
  labels_are(7, 7, 4, false, "7");
  labels_are(1e-5, 1, 8, true, "10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰");
  labels_are(0.01, 0.3, 8, true, "0.01 0.02 0.05 0.1 0.2");
  for (double span = 1e-12; span < 1e12; span *= 3.7) {      /* always some, never many */
    Ticks ticks;
    ticks_linear(&ticks, -0.3 * span, 0.7 * span, 6);
    assert_true(ticks.n >= 2 && ticks.n <= 8);
  }
  Buf text = {0};
  ticks_number(&text, -1.25e-7, 4);
  assert_string_equal(buf_str(&text), "−1.25×10⁻⁷");
  buf_free(&text);
}

/* ---- the kinds ---- */

static void test_slice(void **state) {
  Mesh *mesh = sample_mesh(3, (int[]){3, 3, 3}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P2", 1, height_of);
  double planes[4][4] = {{0, 0, 1, 0.4}, {0, 0, 1, 0}, {0, 0, 2, 2}, {1, 0, 0, 1.0 / 3}};
  double want[4][2] = {{0.4, 0.4}, {0, 0}, {1, 1}, {0, 1}};
  for (int k = 0; k < 4; k++) {         /* through cells, on the boundary, on an inner layer of faces */
    Scene scene;
    assert_true(scene_open(&scene, mesh, &f, NULL, 1, planes[k]));
    assert_false(scene.empty);
    scene_fit(&scene, 0, 0, 300, 300, false);
    scene_range(&scene);
    assert_true(fabs(scene.value_lo - want[k][0]) < 1e-8 && fabs(scene.value_hi - want[k][1]) < 1e-8);
    for (int c = 0; c < 2; c++) assert_true(fabs(scene.lo[c]) < 1e-9 && fabs(scene.hi[c] - 1) < 1e-9);
    scene_close(&scene);
  }
  PlotRequest request = REQUEST(PLOT_FIELD, .path = in("slice.png"), .has_slice = true, .slice = {1, 1, 0, 5});
  refused(&request, mesh, &f, E2512);
  request.slice[3] = 1;
  draw(&request, mesh, &f, NULL);
  sample_field_free(&f);
  sample_mesh_free(mesh);
}

static double covered_area;
static void add_area(void *user, const SceneTriangle *t) {
  double a[3], b[3], n[3];
  for (int c = 0; c < 3; c++) { a[c] = t->x[1][c] - t->x[0][c]; b[c] = t->x[2][c] - t->x[0][c]; }
  n[0] = a[1] * b[2] - a[2] * b[1]; n[1] = a[2] * b[0] - a[0] * b[2]; n[2] = a[0] * b[1] - a[1] * b[0];
  covered_area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  (void)user;
}

/* Subdivision, surface and slices cover what they should, once. */
static void test_areas(void **state) {
  double oblique[4] = {1, 1, 1, 1.5}, want[4] = {1, 6, 1, 3 * sqrt(3) / 4};     /* the hexagon through the middle of the cube */
  for (int k = 0; k < 4; k++) {
    Mesh *mesh = sample_mesh(k ? 3 : 2, (int[]){3, 4, 2}, NULL, false, NULL);
    NodalField f = sample_field(mesh, "P2", 1, ramp);
    Scene scene;
    assert_true(scene_open(&scene, mesh, &f, NULL, 1, k == 2 ? (double[]){0, 1, 0, 0.3} : k == 3 ? oblique : NULL));
    scene_fit(&scene, 0, 0, 500, 500, false);
    covered_area = 0;
    scene_triangles(&scene, add_area, NULL);
    if (fabs(covered_area - want[k]) > 1e-9) fail_msg("area %d is %.12g", k, covered_area);
    scene_close(&scene);
    sample_field_free(&f);
    sample_mesh_free(mesh);
  }
}

static void test_svg(void **state) {
  Mesh *flat = sample_mesh(2, (int[]){5, 5}, NULL, false, NULL), *solid = sample_mesh(3, (int[]){3, 3, 3}, NULL, false, NULL);
  NodalField f = sample_field(flat, "P2", 1, parabola), g = sample_field(solid, "P1", 1, height_of), u = sample_field(flat, "P2", 2, shear), v = sample_field(flat, "P1", 2, wind);
  double h[4] = {0.1, 0.2, 0.4, 0.8}, e[4] = {0.01, 0.04, 0.16, 0.64};
  PlotSeries series = {h, e, 4, "a < b & c"};
  PlotRequest requests[] = {
    REQUEST(PLOT_FIELD, .title = "T < 3 & so on", .contours = true), REQUEST(PLOT_FIELD, .mesh_lines = true), REQUEST(PLOT_MESH, .title = "mesh"),
    REQUEST(PLOT_MESH, .title = NULL), REQUEST(PLOT_LINES, .logx = true, .logy = true, .series = &series, .nseries = 1), REQUEST(PLOT_FIELD, .arrows = true)};
  Mesh *meshes[] = {flat, solid, flat, solid, NULL, flat};
  const NodalField *fields[] = {&f, &g, NULL, NULL, NULL, &v}, *deforms[] = {&u, NULL, &u, NULL, NULL, NULL};
  for (int k = 0; k < 6; k++) {
    char name[16];
    size_t n;
    snprintf(name, sizeof name, "%d.svg", k);
    requests[k].path = in(name);
    draw(&requests[k], meshes[k], fields[k], deforms[k]);
    char *text = file_read(in(name), &n);
    assert_non_null(text);
    const char *broken = xml_check(text, n);
    if (broken) fail_msg("%s at %ld: %.60s", name, (long)(broken - text), broken);
    assert_non_null(strstr(text, "<svg"));
    assert_true(strstr(text, "<image") || k == 4);
    free(text);
  }
  sample_field_free(&f); sample_field_free(&g); sample_field_free(&u); sample_field_free(&v);
  sample_mesh_free(flat); sample_mesh_free(solid);
}

static void test_terminal(void **state) {
  Mesh *mesh = sample_mesh(2, (int[]){8, 8}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P1", 1, ramp), u = sample_field(mesh, "P1", 2, shear);
  Buf out = {0};
  PlotRequest request = REQUEST(PLOT_FIELD, .label = "T", .unit = "K", .width = 60, .height = 20, .out = &out);
  draw(&request, mesh, &f, &u);
  const char *text = buf_str(&out);
  assert_null(strchr(text, '\033'));
  assert_non_null(strstr(text, "T [K]"));
  assert_non_null(strstr(text, "displacement ×100"));
  const char *line = strstr(text, "."), *at;     /* a row: the shades grow from left to right */
  assert_non_null(line);
  at = strstr(text, "..::");
  assert_non_null(at);
  assert_non_null(strstr(text, "##%%"));
  int lines = 0;
  for (const char *p = text; *p; p++) lines += *p == '\n';
  assert_true(lines <= 20 && lines > 8);
  buf_clear(&out);
  request.colour = true;
  draw(&request, mesh, &f, NULL);
  assert_non_null(strstr(buf_str(&out), "▀"));
  assert_non_null(strstr(buf_str(&out), "\033["));
  assert_non_null(strstr(buf_str(&out), "\033[49m"));
  /* any size of window */
  for (int w = 1; w < 120; w += 7)
    for (int h = 1; h < 40; h += 5) {
      buf_clear(&out);
      PlotRequest odd = REQUEST(w % 2 ? PLOT_MESH : PLOT_FIELD, .width = w, .height = h, .out = &out, .colour = h % 2);
      draw(&odd, mesh, &f, NULL);
      assert_true(out.len > 0);
    }
  buf_clear(&out);
  double x[3] = {0, 1, 2}, y[3] = {0, 1, 4};
  PlotSeries series = {x, y, 3, "squares"};
  PlotRequest lines_request = REQUEST(PLOT_LINES, .series = &series, .nseries = 1, .width = 50, .height = 15, .out = &out);
  draw(&lines_request, NULL, NULL, NULL);
  assert_non_null(strstr(buf_str(&out), "squares"));
  assert_non_null(strstr(buf_str(&out), "\xe2\xa0"));     /* a braille character */
  buf_free(&out);
  sample_field_free(&f); sample_field_free(&u);
  sample_mesh_free(mesh);
}

static void test_sizes(void **state) {
  Mesh *mesh = sample_mesh(2, (int[]){3, 3}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P1", 1, ramp);
  const int sizes[4][2] = {{1000, 800}, {320, 240}, {200, 900}, {2400, 300}};
  for (int k = 0; k < 4; k++) {
    PlotRequest request = REQUEST(PLOT_FIELD, .path = in("size.png"), .title = "A long title that has to be made to fit into the picture somehow", .width = sizes[k][0],
                                  .height = sizes[k][1]);
    draw(&request, mesh, &f, NULL);
    Image image = image_open(in("size.png"));
    assert_int_equal(image.w, sizes[k][0]);
    assert_int_equal(image.h, sizes[k][1]);
    for (int y = 0; y < image.h; y++)      /* nothing is cut off at the sides */
      assert_true(pixel(&image, 0, y) == 0xFFFFFF && pixel(&image, image.w - 1, y) == 0xFFFFFF);
    cairo_surface_destroy(image.surface);
  }
  sample_field_free(&f);
  sample_mesh_free(mesh);
}

static void test_refusals(void **state) {
  Mesh *mesh = sample_mesh(2, (int[]){3, 3}, NULL, false, NULL);
  NodalField f = sample_field(mesh, "P1", 1, ramp);
  PlotRequest request = REQUEST(PLOT_FIELD, .path = in("a.jpg"));
  refused(&request, mesh, &f, E2510);
  request.path = in("nowhere/a.png");
  refused(&request, mesh, &f, E2501);
  ((double *)f.values)[4] = NAN;
  request.path = in("nan.png");
  refused(&request, mesh, &f, E2511);
  assert_int_not_equal(access(in("nan.png"), F_OK), 0);
  double x[2] = {0, 1}, y[2] = {1, 2}, bad[2] = {1, INFINITY};
  PlotSeries series = {x, y, 2, "s"}, infinite = {y, bad, 2, "s"}, empty = {x, y, 0, "s"};
  PlotRequest lines = REQUEST(PLOT_LINES, .path = in("l.png"), .series = &series, .nseries = 1, .logx = true);
  refused(&lines, NULL, NULL, E2513);
  lines.series = &infinite;
  refused(&lines, NULL, NULL, E2511);
  lines.series = &empty;
  refused(&lines, NULL, NULL, E2512);
  lines.series = &series;
  lines.logx = false;
  series.n = 1;
  draw(&lines, NULL, NULL, NULL);       /* one point is a picture */
  sample_field_free(&f);
  sample_mesh_free(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_ticks), cmocka_unit_test(test_raster), cmocka_unit_test(test_raster_area), cmocka_unit_test(test_areas), cmocka_unit_test(test_slice),
    cmocka_unit_test(test_colours), cmocka_unit_test(test_quadratic_is_curved), cmocka_unit_test(test_contours), cmocka_unit_test(test_diverging_and_constant),
    cmocka_unit_test(test_svg), cmocka_unit_test(test_terminal), cmocka_unit_test(test_sizes), cmocka_unit_test(test_refusals),
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
