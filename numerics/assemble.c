#include "assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assemble_batch.h"
#include "blame.h"

/* ---- vectors and numbers -------------------------------------------------------------------------------------------------------------- */

/* The rows of both cells of each facet. */
static void add_vector_pairs(Batch *batch, double *r) {
  const Space *space = batch->data->space;
  int width = batch->kernel->width, offset = 0;
  for (int side = 0; side < 2; side++)
    for (int b = 0; b < space->nblocks; b++) {
      const SpaceBlock *block = &space->block[b];
      int per = block->nodes->per_cell, m = block->components;
      for (int l = 0; l < batch->lanes; l++) {
        const int *node = block->nodes->cell + (size_t)(side ? batch->cell2 : batch->cell)[l] * (size_t)per;
        const uint8_t *place = batch->block_node[b] + batch->order[side][l] * per;
        for (int a = 0; a < per; a++)
          for (int i = 0; i < m; i++) r[space_dof(block, node[place[a]]) + i] += batch->out[(offset + a * m + i) * width + l];
      }
      offset += per * m;
    }
}

static Status add_vector(Batch *batch, void *user) {
  double *r = user;
  if (batch->block_node) {
    add_vector_pairs(batch, r);
    return 0;
  }
  const Space *space = batch->data->space;
  int width = batch->kernel->width, offset = 0;
  for (int b = 0; b < space->nblocks; b++) {
    const SpaceBlock *block = &space->block[b];
    const NodeSet *nodes = block->nodes;
    int per = nodes->per_cell, m = block->components;
    for (int l = 0; l < batch->lanes; l++) {
      const int *node = nodes->cell + (size_t)batch->cell[l] * (size_t)per;
      for (int a = 0; a < per; a++) {
        double *to = r + space_dof(block, node[a]);
        for (int i = 0; i < m; i++) to[i] += batch->out[(offset + a * m + i) * width + l];
      }
    }
    offset += per * m;
  }
  return 0;
}

Status assemble_vector(const Data *data, const Part *parts, int n, double *r) {
  for (int i = 0; i < n; i++) TRY(each_batch(data, &parts[i], add_vector, r));
  return 0;
}

static Status add_sizes(Batch *batch, void *user) {
  for (int i = 0; i < batch->kernel->nout * batch->kernel->width; i++) batch->out[i] = fabs(batch->out[i]);
  return add_vector(batch, user);
}

Status assemble_sizes(const Data *data, const Part *parts, int n, double *r) {
  for (int i = 0; i < n; i++) TRY(each_batch(data, &parts[i], add_sizes, r));
  return 0;
}

static Status add_numbers(Batch *batch, void *user) {
  double *out = user;
  int width = batch->kernel->width;
  for (int i = 0; i < batch->kernel->nout; i++)
    for (int l = 0; l < batch->lanes; l++) out[i] += batch->out[i * width + l];
  return 0;
}

Status assemble_numbers(const Data *data, const Part *part, double *out) { return each_batch(data, part, add_numbers, out); }

/* ---- blame ---------------------------------------------------------------------------------------------------------------------------- */

static void blame_inputs(const Batch *batch, int lane, Diag *diag) {
  const Kernel *kernel = batch->kernel;
  int width = kernel->width;
  for (int f = 0; f < kernel->nfields; f++) {
    const KernelField *field = &kernel->fields[f];
    double lo = INFINITY, hi = -INFINITY;
    bool bad = false;
    int n = batch->field[f].block->nodes->per_cell * field->components;
    for (int k = 0; k < n; k++) {
      double v = batch->w[(field->offset + k) * width + lane];
      if (isfinite(v)) lo = fmin(lo, v), hi = fmax(hi, v);
      else bad = true;
    }
    static const char *kind[] = {"the unknown", "a test function", "a direction", "the previous step of the unknown", "a given field"};
    if (bad) diag_note(diag, (Span){0, 0}, "%s (number %d) is not finite there", kind[field->symbol.kind], field->symbol.which + 1);
    else diag_note(diag, (Span){0, 0}, "%s (number %d) lies between %g and %g there", kind[field->symbol.kind], field->symbol.which + 1, lo, hi);
  }
  for (int i = 0; i < kernel->np; i++)
    if (kernel->params[i]->op == EXPR_PARAM) diag_note(diag, (Span){0, 0}, "%s = %g", kernel->params[i]->name, batch->p[i]);
}

static Status blame_batch(Batch *batch, void *user) {
  const Part *part = user;
  const Mesh *mesh = batch->data->mesh;
  int width = batch->kernel->width, dim = mesh->dim;
  for (int l = 0; l < batch->lanes; l++)
    for (int k = 0; k < batch->kernel->nout; k++) {
      if (isfinite(batch->out[k * width + l])) continue;
      if (part->integral && part->integral->kind == INTEGRAL_CELL && blame_in_cell(batch->data, part->integral->integrand, batch->cell[l], E2003, part->span)) return 1;
      if (part->measured && blame_in_cell(batch->data, part->measured, batch->cell[l], E2003, part->span)) return 1;
      double centre[3], middle[3];
      refcell_centre(mesh->ref, middle);
      mesh_map(mesh, batch->cell[l], middle, centre, NULL);
      Buf text = {0}, place = {0};
      if (part->integral || part->measured) expr_print(&text, part->integral ? part->integral->integrand : part->measured, EXPR_TEXT);
      for (int d = 0; d < dim; d++) buf_printf(&place, "%s%g", d ? ", " : "", centre[d]);
      Diag *diag = diag_report(batch->data->diags, E2003, part->span, "the integral of `%.200s%s` is not finite on the cell at (%s)",
                               buf_str(&text), text.len > 200 ? "..." : "", buf_str(&place));
      buf_free(&text), buf_free(&place);
      blame_inputs(batch, l, diag);
      return 1;
    }
  return 0;
}

Status assemble_blame(const Data *data, const Part *parts, int n) {
  for (int i = 0; i < n; i++) {
    Part part = parts[i];
    TRY(each_batch(data, &parts[i], blame_batch, &part));
  }
  return 0;
}
