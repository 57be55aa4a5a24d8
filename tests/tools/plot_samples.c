/* Draws a sample of every kind of picture, to be looked at: plot_samples DIRECTORY. Fields are formulas on meshes made by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../numerics/plot.h"
#include "../unit/sample_mesh.h"

static const char *directory;
static SourceMap *sources;
static int failures;

static void draw(const char *name, PlotRequest request, Mesh *mesh, const NodalField *field, const NodalField *deform) {
  Diags diags = {.sources = sources};
  char path[512];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  Buf out = {0};
  if (strchr(name, '.')) request.path = path;
  else request.out = &out;
  if (plot_draw(&request, mesh, field, deform, &diags, (Span){0, 0})) {
    failures++;
    for (int i = 0; i < diags.n; i++) diag_print(&out, sources, diags.items[i], false);
  }
  if (out.len) printf("%s\n%s\n", name, buf_str(&out));
  buf_free(&out);
  diags_free(&diags);
}

#define REQUEST(KIND, ...) ((PlotRequest){.kind = KIND, .lo = NAN, .hi = NAN, .deform_scale = NAN, __VA_ARGS__})

static void bump(const double *x, double *u) { u[0] = 300 + 25 * sin(M_PI * x[0]) * sin(2 * M_PI * x[1]) + 30 * x[0]; }
static void wave(const double *x, double *u) { u[0] = sin(3 * x[0]) * cos(4 * x[1]) * 1e-4; }
static void swirl(const double *x, double *u) { double r = x[0] * x[0] + x[1] * x[1]; u[0] = -x[1] / r; u[1] = x[0] / r; }
static void bend(const double *x, double *u) { u[0] = -(x[1] - 0.5) * x[0] * (2 - x[0] / 5) * 2e-5; u[1] = -x[0] * x[0] * (15 - x[0]) / 3 * 2e-5; }
static void stress(const double *x, double *u) { u[0] = (5 - x[0]) * fabs(x[1] - 0.5) * 1.1e8 + 3e6; }
static void constant(const double *x, double *u) { (void)x; u[0] = 3.25; }
static void solid(const double *x, double *u) { u[0] = sin(2 * x[0]) + x[1] * x[2]; }
static void solid_bend(const double *x, double *u) { u[0] = -x[2] * x[0] * 0.01; u[1] = 0; u[2] = 0.005 * x[0] * x[0]; }
static void solid_flow(const double *x, double *u) { u[0] = 1 + x[2]; u[1] = sin(3 * x[0]); u[2] = 0.4 * cos(3 * x[1]); }
static void layer(const double *x, double *u) { u[0] = x[0] - (exp(20 * (x[0] - 1)) - exp(-20)) / (1 - exp(-20)); }

static void to_annulus(double *x) { double a = 2 * M_PI * x[0], r = 0.4 + 0.6 * x[1]; x[0] = r * cos(a); x[1] = r * sin(a); }
static void to_beam(double *x) { x[0] *= 5; }
static void to_channel(double *x) { x[0] *= 2.2; x[1] *= 0.41; }
static void to_pipe(double *x) { double a = 2 * M_PI * x[0], r = 0.6 + 0.4 * x[1]; x[0] = r * cos(a); x[1] = r * sin(a); x[2] *= 2.5; }
static void to_block(double *x) { x[0] *= 2; x[2] *= 0.8; }
static bool outside_hole(const double *c) { return hypot(c[0] - 0.5, c[1] - 0.2) > 0.09; }
static void channel_flow(const double *x, double *u) { u[0] = 6 * x[1] * (0.41 - x[1]) / 0.1681 * (1 + 0.3 * sin(5 * x[0])); u[1] = 0.3 * sin(7 * x[0]) * x[1]; }

static void flat_pictures(void) {
  Mesh *square = sample_mesh(2, (int[]){12, 12}, NULL, false, NULL);
  NodalField p1 = sample_field(square, "P1", 1, bump), p2 = sample_field(square, "P2", 1, bump), w = sample_field(square, "P2", 1, wave);
  draw("field_p1.png", REQUEST(PLOT_FIELD, .title = "Temperature of a plate, linear elements", .label = "T", .unit = "K", .length_unit = "m"), square, &p1, NULL);
  draw("field_p2.png", REQUEST(PLOT_FIELD, .title = "Quadratic elements with contours", .label = "T", .unit = "K", .contours = true, .length_unit = "m"), square, &p2, NULL);
  draw("field_diverging.png", REQUEST(PLOT_FIELD, .label = "p", .unit = "Pa", .mesh_lines = true), square, &w, NULL);
  draw("field_p2.svg", REQUEST(PLOT_FIELD, .title = "Quadratic elements with contours", .label = "T", .unit = "K", .contours = true, .length_unit = "m"), square, &p2, NULL);
  NodalField c = sample_field(square, "P1", 1, constant);
  draw("field_constant.png", REQUEST(PLOT_FIELD, .title = "A constant", .label = "c"), square, &c, NULL);
  draw("mesh_square.png", REQUEST(PLOT_MESH, .title = "A mesh with its boundary names"), square, NULL, NULL);
  draw("field_terminal", REQUEST(PLOT_FIELD, .label = "T", .unit = "K", .width = 70, .height = 24, .colour = true, .title = "Temperature"), square, &p2, NULL);
  draw("field_terminal_plain", REQUEST(PLOT_FIELD, .label = "T", .unit = "K", .width = 70, .height = 24, .title = "Temperature"), square, &p2, NULL);
  sample_field_free(&p1); sample_field_free(&p2); sample_field_free(&w); sample_field_free(&c);
  sample_mesh_free(square);

  Mesh *annulus = sample_mesh(2, (int[]){48, 10}, to_annulus, true, NULL);
  NodalField v = sample_field(annulus, "P1", 2, swirl);
  draw("arrows.png", REQUEST(PLOT_FIELD, .title = "A swirl in an annulus", .label = "u", .unit = "m/s", .arrows = true, .length_unit = "m"), annulus, &v, NULL);
  draw("mesh_annulus.png", REQUEST(PLOT_MESH, .title = NULL), annulus, NULL, NULL);
  draw("arrows_terminal", REQUEST(PLOT_FIELD, .label = "u", .unit = "m/s", .width = 80, .height = 30, .arrows = true), annulus, &v, NULL);
  draw("mesh_terminal", REQUEST(PLOT_MESH, .width = 80, .height = 30, .colour = true), annulus, NULL, NULL);
  sample_field_free(&v);
  sample_mesh_free(annulus);

  Mesh *beam = sample_mesh(2, (int[]){30, 6}, to_beam, false, NULL);
  NodalField u = sample_field(beam, "P2", 2, bend), s = sample_field(beam, "P1", 1, stress);
  draw("deformed.png", REQUEST(PLOT_FIELD, .title = "Von Mises stress of a cantilever", .label = "σ", .unit = "MPa", .unit_scale = 1e6, .length_unit = "m", .mesh_lines = true), beam, &s, &u);
  draw("deformed_mesh.png", REQUEST(PLOT_MESH, .title = "Deformed mesh"), beam, NULL, &u);
  sample_field_free(&u); sample_field_free(&s);
  sample_mesh_free(beam);

  Mesh *channel = sample_mesh(2, (int[]){110, 30}, to_channel, false, outside_hole);
  NodalField f = sample_field(channel, "P2", 2, channel_flow);
  draw("channel.png", REQUEST(PLOT_FIELD, .title = "Flow in a channel", .label = "u", .unit = "m/s", .arrows = true, .length_unit = "mm", .length_scale = 1e-3), channel, &f, NULL);
  draw("mesh_channel.png", REQUEST(PLOT_MESH, .title = "Channel", .length_unit = "m"), channel, NULL, NULL);
  sample_field_free(&f);
  sample_mesh_free(channel);
}

static void solid_pictures(void) {
  Mesh *block = sample_mesh(3, (int[]){16, 8, 6}, to_block, false, NULL);
  NodalField f = sample_field(block, "P2", 1, solid), u = sample_field(block, "P2", 3, solid_bend), v = sample_field(block, "P1", 3, solid_flow);
  draw("surface_box.png", REQUEST(PLOT_FIELD, .title = "A field on the surface of a box", .label = "T", .unit = "K", .length_unit = "m"), block, &f, NULL);
  draw("surface_contours.png", REQUEST(PLOT_FIELD, .label = "T", .unit = "K", .contours = true, .mesh_lines = true), block, &f, NULL);
  draw("surface_deformed.png", REQUEST(PLOT_FIELD, .title = "Deformed box", .label = "T", .unit = "K"), block, &f, &u);
  draw("surface_arrows.png", REQUEST(PLOT_FIELD, .label = "v", .unit = "m/s", .arrows = true), block, &v, NULL);
  draw("slice_z.png", REQUEST(PLOT_FIELD, .title = "A slice", .label = "T", .unit = "K", .has_slice = true, .slice = {0, 0, 1, 0.37}, .contours = true, .length_unit = "m"), block, &f, NULL);
  draw("slice_oblique.png", REQUEST(PLOT_FIELD, .label = "v", .unit = "m/s", .has_slice = true, .slice = {1, 1, 0, 1.2}, .arrows = true, .mesh_lines = true), block, &v, NULL);
  draw("mesh_box.png", REQUEST(PLOT_MESH, .title = "Sides of a box"), block, NULL, NULL);
  draw("surface_terminal", REQUEST(PLOT_FIELD, .label = "T", .width = 70, .height = 24, .colour = true), block, &f, NULL);
  sample_field_free(&f); sample_field_free(&u); sample_field_free(&v);
  sample_mesh_free(block);
  Mesh *pipe = sample_mesh(3, (int[]){40, 3, 12}, to_pipe, true, NULL);
  NodalField g = sample_field(pipe, "P1", 1, solid);
  draw("surface_pipe.png", REQUEST(PLOT_FIELD, .title = "A pipe", .label = "p", .unit = "Pa", .length_unit = "m"), pipe, &g, NULL);
  draw("surface_pipe.svg", REQUEST(PLOT_FIELD, .title = "A pipe", .label = "p", .unit = "Pa", .length_unit = "m"), pipe, &g, NULL);
  draw("mesh_pipe.png", REQUEST(PLOT_MESH, .title = NULL), pipe, NULL, NULL);
  sample_field_free(&g);
  sample_mesh_free(pipe);
}

static void curves(void) {
  double t[200], a[200], b[200], h[5] = {0.2, 0.1, 0.05, 0.025, 0.0125}, l2[5], h1[5], p2[5];
  for (int i = 0; i < 200; i++) { t[i] = i * 0.02; a[i] = 293 + 40 * (1 - exp(-t[i])); b[i] = 293 + 25 * (1 - exp(-t[i] / 2)) * (1 + 0.1 * sin(8 * t[i])); }
  for (int i = 0; i < 5; i++) { l2[i] = 0.3 * h[i] * h[i]; h1[i] = 1.7 * h[i]; p2[i] = 0.05 * pow(h[i], 3); }
  PlotSeries series[2] = {{t, a, 200, "probe A"}, {t, b, 200, "probe B"}};
  draw("lines.png", REQUEST(PLOT_LINES, .title = "Temperature at two probes", .xlabel = "t [s]", .ylabel = "T", .unit = "K", .series = series, .nseries = 2), NULL, NULL, NULL);
  PlotSeries orders[3] = {{h, l2, 5, "L2 (P1)"}, {h, h1, 5, "H1 (P1)"}, {h, p2, 5, "L2 (P2)"}};
  PlotRequest convergence = REQUEST(PLOT_LINES, .title = "Convergence", .xlabel = "h", .ylabel = "error", .logx = true, .logy = true, .series = orders, .nseries = 3);
  draw("convergence.png", convergence, NULL, NULL, NULL);
  draw("convergence.svg", convergence, NULL, NULL, NULL);
  PlotRequest terminal = REQUEST(PLOT_LINES, .title = "Temperature at two probes", .xlabel = "t [s]", .ylabel = "T", .unit = "K", .series = series, .nseries = 2,
                                 .width = 76, .height = 22, .colour = true);
  draw("lines_terminal", terminal, NULL, NULL, NULL);
  Mesh *line = sample_mesh(1, (int[]){20}, NULL, false, NULL);
  NodalField u = sample_field(line, "P2", 1, layer);
  draw("interval.png", REQUEST(PLOT_FIELD, .title = "A boundary layer", .label = "u", .length_unit = "m"), line, &u, NULL);
  draw("mesh_interval.png", REQUEST(PLOT_MESH, .length_unit = "m"), line, NULL, NULL);
  draw("interval_terminal", REQUEST(PLOT_FIELD, .label = "u", .width = 60, .height = 16), line, &u, NULL);
  sample_field_free(&u);
  sample_mesh_free(line);
}

int main(int argc, char **argv) {
  if (argc != 2) { fprintf(stderr, "usage: plot_samples DIRECTORY\n"); return 1; }
  directory = argv[1];
  sources = sources_new();
  flat_pictures();
  solid_pictures();
  curves();
  sources_free(sources);
  return failures != 0;
}
