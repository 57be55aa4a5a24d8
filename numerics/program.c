#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "data.h"

Status program_open(KernelContext *context, Expr *const *exprs, int n, long visits, double domain, Diags *diags, Program **out) {
  Kernel *kernel;
  *out = NULL;
  TRY(kernel_pointwise(context, exprs, n, visits, diags, &kernel));
  Program *program = calloc(1, sizeof *program);
  int width = kernel->width;
  *program = (Program){.kernel = kernel, .nin = kernel->ninputs, .nout = n, .np = kernel->np, .input = kernel->inputs, .param = kernel->params,
                       .w = lanes_alloc((size_t)kernel->nw, width), .c = lanes_alloc((size_t)kernel->nc, width), .out = lanes_alloc((size_t)n, width),
                       .scratch = lanes_alloc(kernel_scratch(kernel) / sizeof(double) + 8, 1)};
  for (int i = 0; i < kernel->nc * width; i++) program->c[i] = 1e-9 * domain;   /* DOMAIN_EPS: all that there is at points */
  *out = program;
  return 0;
}

void program_close(Program *program) {
  if (!program) return;
  kernel_release(program->kernel);
  free(program->w), free(program->c), free(program->out), free(program->scratch);
  free(program);
}

/* Rows [at, at + width) as lanes; those beyond n repeat the last point. */
static void pack_batch(const Program *program, int n, int at, const double *const *in, double *w) {
  int width = program->kernel->width, lanes = n - at < width ? n - at : width;
  for (int i = 0; i < program->nin; i++) {
    memcpy(w + i * width, in[i] + at, sizeof(double) * (size_t)lanes);
    for (int l = lanes; l < width; l++) w[i * width + l] = in[i][n - 1];
  }
}

void program_run(Program *program, int n, const double *const *in, const double *p, double *const *out) {
  int width = program->kernel->width;
  for (int at = 0; at < n; at += width) {
    int lanes = n - at < width ? n - at : width;
    pack_batch(program, n, at, in, program->w);
    kernel_run(program->kernel, NULL, program->w, program->c, p, 0, program->out, program->scratch);
    for (int k = 0; k < program->nout; k++)
      if (out[k]) memcpy(out[k] + at, program->out + k * width, sizeof(double) * (size_t)lanes);
  }
}

double *program_pack(const Program *program, int n, const double *const *in) {
  int width = program->kernel->width, batches = (n + width - 1) / width;
  double *packed = lanes_alloc((size_t)batches * (size_t)(program->nin + 1), width);
  for (int b = 0; b < batches; b++) pack_batch(program, n, b * width, in, packed + (size_t)b * (size_t)program->nin * (size_t)width);
  return packed;
}

const double *program_batch(Program *program, const double *packed, int batch, const double *p) {
  const Kernel *kernel = program->kernel;
  kernel_run(kernel, NULL, packed + (size_t)batch * (size_t)program->nin * (size_t)kernel->width, program->c, p, 0, program->out, program->scratch);
  return program->out;
}
