/* VTK XML unstructured grids: one appended block of raw little-endian arrays, each with its length as UInt64 before it. Cell types and node
 * orders: io.c. */
#include <stdlib.h>
#include <string.h>

#include "atomic.h"
#include "io_points.h"
#include "io_vtu.h"

const char vtu_mark[] = "<!-- written by Ansatz -->";

typedef struct Writer {
  FILE *file;
  uint64_t offset;
} Writer;

static void xml_text(FILE *file, const char *text) {
  for (const char *p = text; *p; p++) {
    const char *entity = *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : *p == '"' ? "&quot;" : NULL;
    if (entity) fputs(entity, file);
    else if ((unsigned char)*p >= 32) putc(*p, file);
  }
}

static void declare(Writer *w, const char *type, const char *name, const char *unit, int components, const char *more, uint64_t bytes) {
  fprintf(w->file, "        <DataArray type=\"%s\" Name=\"", type);
  xml_text(w->file, name);
  fputs("\"", w->file);
  if (unit && *unit) {
    fputs(" unit=\"", w->file);
    xml_text(w->file, unit);
    fputs("\"", w->file);
  }
  if (components > 0) fprintf(w->file, " NumberOfComponents=\"%d\"", components);
  fprintf(w->file, "%s format=\"appended\" offset=\"%llu\"/>\n", more, (unsigned long long)w->offset);
  w->offset += 8 + bytes;
}

static void append(Writer *w, const void *data, uint64_t bytes) {
  fwrite(&bytes, sizeof bytes, 1, w->file);
  if (bytes) fwrite(data, 1, bytes, w->file);
}

/* VTK knows scalars, vectors of 3 and tensors of 9: ours are padded with zeros. */
int vtu_components(const NodalField *field) { return field->shape.rank == 0 ? 1 : field->shape.rank == 1 && field->ncomp <= 3 ? 3 : field->shape.rank == 2 && field->ncomp <= 9 ? 9 : field->ncomp; }

static void pad(const NodalField *field, const double *v, double *out) {
  int n = vtu_components(field), rows = field->shape.rank == 2 ? field->shape.extent[0] : 1, columns = field->shape.rank == 2 ? field->shape.extent[1] : field->ncomp;
  memset(out, 0, sizeof(double) * (size_t)n);
  if (n != 9 || field->shape.rank != 2 || rows > 3 || columns > 3) { memcpy(out, v, sizeof(double) * (size_t)field->ncomp); return; }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) out[3 * i + j] = v[i * columns + j];
}

static Status append_field(Writer *w, const IoPoints *points, const IoResult *result, int state, int f, Diags *diags, Span span) {
  const NodalField *field = &result->fields[f];
  bool cellwise = io_is_cellwise(field);
  double *values = cellwise ? io_cell_values(result, state, f) : io_points_values(points, result, state, f), row[81];
  if (!values) {
    diag_report(diags, E0001, span, "the machine refused memory for the file");
    return 1;
  }
  int n = vtu_components(field), rows = cellwise ? result->mesh->ncells : points->n;
  uint64_t bytes = (uint64_t)rows * (uint64_t)n * 8;
  fwrite(&bytes, sizeof bytes, 1, w->file);
  for (int p = 0; p < rows; p++) {
    pad(field, values + (size_t)p * (size_t)field->ncomp, row);
    fwrite(row, sizeof(double), (size_t)n, w->file);
  }
  free(values);
  return 0;
}

static void append_cells(Writer *w, const IoPoints *points, const Mesh *mesh) {
  int nodes = points->nodes;
  uint64_t bytes = (uint64_t)mesh->ncells * (uint64_t)nodes * 8;
  fwrite(&bytes, sizeof bytes, 1, w->file);
  for (int e = 0; e < mesh->ncells; e++) {
    const int *node = points->cell + (size_t)e * (size_t)nodes;
    int64_t out[27];
    for (int a = 0; a < nodes; a++) out[a] = node[points->row->order[a]];
    fwrite(out, sizeof *out, (size_t)nodes, w->file);
  }
  bytes = (uint64_t)mesh->ncells * 8;
  fwrite(&bytes, sizeof bytes, 1, w->file);
  for (int64_t e = 1; e <= mesh->ncells; e++) {
    int64_t end = e * nodes;
    fwrite(&end, sizeof end, 1, w->file);
  }
  bytes = (uint64_t)mesh->ncells;
  fwrite(&bytes, sizeof bytes, 1, w->file);
  for (int e = 0; e < mesh->ncells; e++) putc(points->row->vtk, w->file);
}

static void declare_fields(Writer *w, const IoResult *result, bool cellwise, int rows) {
  for (int f = 0; f < result->nfields; f++) {
    const NodalField *field = &result->fields[f];
    int n = vtu_components(field);
    if (io_is_cellwise(field) == cellwise) declare(w, "Float64", field->name ? field->name : "field", field->unit, n, "", (uint64_t)rows * (uint64_t)n * 8);
  }
}

Status vtu_state(const char *path, const IoPoints *points, const IoResult *result, int state, Diags *diags, Span span) {
  const Mesh *mesh = result->mesh;
  Atomic atomic;
  TRY(atomic_begin(&atomic, path, diags, span));
  Writer w = {.file = atomic.file};
  uint64_t cells = (uint64_t)mesh->ncells;
  fprintf(w.file, "<?xml version=\"1.0\"?>\n%s\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
          "  <UnstructuredGrid>\n", vtu_mark);
  if (result->times) {
    fputs("    <FieldData>\n", w.file);
    declare(&w, "Float64", "TimeValue", result->time_unit, 1, " NumberOfTuples=\"1\"", 8);
    fputs("    </FieldData>\n", w.file);
  }
  fprintf(w.file, "    <Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n      <PointData>\n", points->n, mesh->ncells);
  declare_fields(&w, result, false, points->n);
  fputs("      </PointData>\n      <CellData>\n", w.file);
  declare_fields(&w, result, true, mesh->ncells);
  if (mesh->region && mesh->nregions > 1) declare(&w, "Int32", "region", NULL, 1, "", cells * 4);
  fputs("      </CellData>\n      <Points>\n", w.file);
  declare(&w, "Float64", "Points", result->length_unit, 3, "", (uint64_t)points->n * 24);
  fputs("      </Points>\n      <Cells>\n", w.file);
  declare(&w, "Int64", "connectivity", NULL, 0, "", cells * (uint64_t)points->nodes * 8);
  declare(&w, "Int64", "offsets", NULL, 0, "", cells * 8);
  declare(&w, "UInt8", "types", NULL, 0, "", cells);
  fputs("      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n   _", w.file);
  if (result->times) append(&w, &result->times[state], 8);
  for (int cellwise = 0; cellwise < 2; cellwise++)
    for (int f = 0; f < result->nfields; f++)
      if (io_is_cellwise(&result->fields[f]) == cellwise && append_field(&w, points, result, state, f, diags, span)) { atomic_abort(&atomic); return 1; }
  if (mesh->region && mesh->nregions > 1) append(&w, mesh->region, cells * 4);
  append(&w, points->x, (uint64_t)points->n * 24);
  append_cells(&w, points, mesh);
  fputs("\n  </AppendedData>\n</VTKFile>\n", w.file);
  TRY(atomic_commit(&atomic, diags, span));
  if (result->on_file) result->on_file(result->user, path);
  return 0;
}

void vtu_text(Buf *out, const char *text) {
  for (const char *p = text; *p; p++) {
    const char *entity = *p == '&' ? "&amp;" : *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : *p == '"' ? "&quot;" : NULL;
    if (entity) buf_puts(out, entity);
    else if ((unsigned char)*p >= 32) buf_putc(out, *p);
  }
}

void vtu_file_name(Buf *out, const char *path) {
  const char *slash = strrchr(path, '/');
  vtu_text(out, slash ? slash + 1 : path);
}

/* The numbered files were not named by the user: one that is there must be an earlier one of ours. */
Status vtu_check_ours(const char *path, Diags *diags, Span span) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  char head[128] = {0};
  size_t n = fread(head, 1, sizeof head - 1, file);
  fclose(file);
  if (n == 0 || strstr(head, vtu_mark)) return 0;
  Diag *d = diag_report(diags, E2503, span, "`%s` is in the way: it is a file of the series, and pde did not write it", path);
  diag_suggest(d, "move it away, or export under another name");
  return 1;
}

Status vtu_series(const char *path, const char *extension, int nstates, const double *times, VtuMember member, void *user, bool collection, Diags *diags, Span span) {
  char suffix[32];
  Status status = 0;
  char *pvd = io_sibling(path, ".pvd");
  Buf text = {0};
  buf_printf(&text, "<?xml version=\"1.0\"?>\n%s\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n", vtu_mark);
  for (int s = 0; s < nstates && !status; s++) {
    snprintf(suffix, sizeof suffix, "_%04d.%s", s, extension);
    char *name = io_sibling(path, suffix);
    if (!name || !pvd) { free(name); status = 1; diag_report(diags, E0001, span, "the machine refused memory for the file"); break; }
    status = member(user, name, s);
    buf_puts(&text, "    <DataSet timestep=\"");
    buf_number(&text, times ? times[s] : 0);
    buf_puts(&text, "\" part=\"0\" file=\"");
    vtu_file_name(&text, name);
    buf_puts(&text, "\"/>\n");
    free(name);
  }
  buf_puts(&text, "  </Collection>\n</VTKFile>\n");
  /* the collection last: it never names a file that is not there yet */
  if (!status && collection) status = vtu_check_ours(pvd, diags, span) || atomic_write(pvd, buf_str(&text), text.len, diags, span);
  buf_free(&text);
  free(pvd);
  return status;
}

typedef struct Series { const IoPoints *points; const IoResult *result; Diags *diags; Span span; } Series;

static Status write_member(void *user, const char *name, int state) {
  const Series *series = user;
  return vtu_check_ours(name, series->diags, series->span) || vtu_state(name, series->points, series->result, state, series->diags, series->span);
}

static Status write_series(const char *path, const IoPoints *points, const IoResult *result, Diags *diags, Span span) {
  Series series = {points, result, diags, span};
  TRY(vtu_series(path, "vtu", result->nstates, result->times, write_member, &series, true, diags, span));
  char *pvd = io_sibling(path, ".pvd");
  if (result->on_file && pvd) result->on_file(result->user, pvd);
  free(pvd);
  return 0;
}

static Status write_any(const char *path, const IoResult *result, bool series, bool last, Diags *diags, Span span) {
  IoPoints points;
  TRY(io_check_finite(result, diags, span));
  TRY(io_points_open(&points, result, diags, span));
  Status status = 0;
  if (series) status = write_series(path, &points, result, diags, span);
  if (!status && last) status = vtu_state(path, &points, result, result->nstates - 1, diags, span);
  io_points_close(&points);
  return status;
}

Status io_write_vtu(const char *path, const IoResult *result, Diags *diags, Span span) {
  return write_any(path, result, result->nstates > 1, true, diags, span);
}

Status io_write_pvd(const char *path, const IoResult *result, Diags *diags, Span span) { return write_any(path, result, true, false, diags, span); }
