/* XDMF 3: a small XML file that describes arrays in an HDF5 file beside it. Nodes of quadratic cells in XDMF's order, which is VTK's. */
#include <stdlib.h>
#include <string.h>

#include "atomic.h"
#include "io_h5.h"
#include "io_points.h"

static void attribute_text(Buf *out, const char *text) {
  for (const char *p = text; *p; p++) {
    if (*p == '&') buf_puts(out, "&amp;");
    else if (*p == '<') buf_puts(out, "&lt;");
    else if (*p == '"') buf_puts(out, "&quot;");
    else buf_putc(out, *p);
  }
}

static void data_item(Buf *out, const char *h5, const char *type, const IoH5Array *a) {
  buf_printf(out, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%ld %ld\">", type, *type == 'I' ? 4 : 8, a->rows, a->columns);
  attribute_text(out, h5);
  buf_printf(out, ":/%s</DataItem>", a->name);
}

typedef struct Pack { IoH5Array *items; char (*names)[40]; int n; } Pack;

static IoH5Array *add(Pack *pack, const double *doubles, const int *ints, long rows, long columns) {
  IoH5Array *a = &pack->items[pack->n];
  *a = (IoH5Array){pack->names[pack->n], doubles, ints, rows, columns};
  pack->n++;
  return a;
}

/* Vectors get three components, tensors nine: what XDMF has names for. */
static double *pad(const NodalField *field, long n, double *values) {
  if (field->shape.rank == 0 || field->ncomp > 9) return values;
  int wide = field->shape.rank == 1 ? 3 : 9, columns = field->shape.rank == 1 ? field->ncomp : field->shape.extent[1];
  if (field->shape.rank == 1 && field->ncomp > 3) return values;
  double *out = calloc((size_t)n * (size_t)wide + 1, sizeof *out);
  for (long p = 0; out && p < n; p++)
    for (int c = 0; c < field->ncomp; c++) out[p * wide + c / columns * 3 + c % columns] = values[p * field->ncomp + c];
  free(values);
  return out;
}

static int padded(const NodalField *field) {
  return field->shape.rank == 0 ? 1 : field->shape.rank == 1 ? (field->ncomp > 3 ? field->ncomp : 3) : field->ncomp > 9 ? field->ncomp : 9;
}

static void grid(Buf *xml, const IoResult *result, const IoPoints *points, const Pack *pack, const char *h5, int s) {
  const IoH5Array *cells = &pack->items[1];
  buf_puts(xml, "      <Grid Name=\"mesh\" GridType=\"Uniform\">\n");
  if (result->times) { buf_puts(xml, "        <Time Value=\""); buf_number(xml, result->times[s]); buf_puts(xml, "\"/>\n"); }
  buf_printf(xml, "        <Topology TopologyType=\"%s\" NumberOfElements=\"%ld\"%s>", points->row->xdmf, cells->rows, points->row->vtk == 3 ? " NodesPerElement=\"2\"" : "");
  data_item(xml, h5, "Int", cells);
  buf_puts(xml, "</Topology>\n        <Geometry GeometryType=\"XYZ\">");
  data_item(xml, h5, "Float", &pack->items[0]);
  buf_puts(xml, "</Geometry>\n");
  for (int f = 0; f < result->nfields; f++) {
    const NodalField *field = &result->fields[f];
    int rank = field->shape.rank, n = padded(field);
    buf_puts(xml, "        <Attribute Name=\"");
    attribute_text(xml, field->name ? field->name : "field");
    buf_printf(xml, "\" AttributeType=\"%s\" Center=\"%s\">", rank == 0 ? "Scalar" : n == 3 ? "Vector" : n == 9 ? "Tensor" : "Matrix",
               io_is_cellwise(field) ? "Cell" : "Node");
    if (field->unit && *field->unit) { buf_puts(xml, "<Information Name=\"unit\" Value=\""); attribute_text(xml, field->unit); buf_puts(xml, "\"/>"); }
    data_item(xml, h5, "Float", &pack->items[2 + s * result->nfields + f]);
    buf_puts(xml, "</Attribute>\n");
  }
  buf_puts(xml, "      </Grid>\n");
}

static Status write_both(const char *path, const IoResult *result, const IoPoints *points, Pack *pack, int *cells, Diags *diags, Span span) {
  for (int e = 0; e < result->mesh->ncells; e++) {
    const int *node = points->cell + (size_t)e * (size_t)points->nodes;
    int *out = cells + (size_t)e * (size_t)points->nodes;
    for (int a = 0; a < points->nodes; a++) out[a] = node[points->row->order[a]];
  }
  snprintf(pack->names[0], sizeof *pack->names, "points");
  add(pack, points->x, NULL, points->n, 3);
  snprintf(pack->names[1], sizeof *pack->names, "cells");
  add(pack, NULL, cells, result->mesh->ncells, points->nodes);
  for (int s = 0; s < result->nstates; s++)
    for (int f = 0; f < result->nfields; f++) {
      bool cellwise = io_is_cellwise(&result->fields[f]);
      int rows = cellwise ? result->mesh->ncells : points->n;
      double *values = cellwise ? io_cell_values(result, s, f) : io_points_values(points, result, s, f);
      if (values) values = pad(&result->fields[f], rows, values);
      if (!values) { diag_report(diags, E0001, span, "the machine refused memory for the file"); return 1; }
      snprintf(pack->names[pack->n], sizeof *pack->names, "state%d_field%d", s, f);
      add(pack, values, NULL, rows, padded(&result->fields[f]));
    }
  Buf h5 = {0}, xml = {0};
  buf_printf(&h5, "%s.h5", path);
  Status status = io_h5_write(buf_str(&h5), pack->items, pack->n, diags, span);
  const char *slash = strrchr(buf_str(&h5), '/');
  buf_puts(&xml, "<?xml version=\"1.0\"?>\n<!-- written by Ansatz -->\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid Name=\"states\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  for (int s = 0; s < result->nstates; s++) grid(&xml, result, points, pack, slash ? slash + 1 : buf_str(&h5), s);
  buf_puts(&xml, "    </Grid>\n  </Domain>\n</Xdmf>\n");
  if (!status) status = atomic_write(path, buf_str(&xml), xml.len, diags, span);     /* last: it never points to a file that is not there */
  if (!status && result->on_file) { result->on_file(result->user, buf_str(&h5)); result->on_file(result->user, path); }
  buf_free(&h5);
  buf_free(&xml);
  return status;
}

Status io_write_xdmf(const char *path, const IoResult *result, Diags *diags, Span span) {
  IoPoints points;
  TRY(io_check_finite(result, diags, span));
  TRY(io_points_open(&points, result, diags, span));
  size_t most = 2 + (size_t)result->nstates * (size_t)result->nfields;
  Pack pack = {calloc(most, sizeof *pack.items), calloc(most, sizeof *pack.names), 0};
  int *cells = malloc(sizeof(int) * ((size_t)result->mesh->ncells * (size_t)points.nodes + 1));
  Status status = 1;
  if (!pack.items || !pack.names || !cells) diag_report(diags, E0001, span, "the machine refused memory for the file");
  else status = write_both(path, result, &points, &pack, cells, diags, span);
  for (int i = 2; pack.items && i < pack.n; i++) free((double *)pack.items[i].doubles);
  free(pack.items);
  free(pack.names);
  free(cells);
  io_points_close(&points);
  return status;
}
