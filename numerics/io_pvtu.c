/* VTK unstructured grids in pieces: every rank writes its own cells, no field is ever on one rank as a whole. The first rank writes the file that names the
 * pieces, when all of them are there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "atomic.h"
#include "io_vtu.h"

typedef struct Pieces {
  const IoPoints *points;
  const IoResult *result;
  int rank, nranks;
  Diags *diags;
  Span span;
} Pieces;

/* All ranks go on, or none does. */
static Status agreed(const Pieces *p, Status status) {
  int mine = status != 0, any = mine;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any && !mine) diag_report(p->diags, E2500, p->span, "another rank could not write its piece");
  return any;
}

static char *piece_name(const char *path, int rank) {
  char suffix[32];
  snprintf(suffix, sizeof suffix, "_p%04d.vtu", rank);
  return io_sibling(path, suffix);
}

static void declare_fields(Buf *text, const IoResult *result, bool cellwise) {
  for (int f = 0; f < result->nfields; f++) {
    const NodalField *field = &result->fields[f];
    if (io_is_cellwise(field) != cellwise) continue;
    buf_puts(text, "      <PDataArray type=\"Float64\" Name=\"");
    vtu_text(text, field->name ? field->name : "field");
    buf_printf(text, "\" NumberOfComponents=\"%d\"/>\n", vtu_components(field));
  }
}

static Status write_names(const Pieces *p, const char *path) {
  const IoResult *result = p->result;
  Buf text = {0};
  buf_printf(&text, "<?xml version=\"1.0\"?>\n%s\n<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
             "  <PUnstructuredGrid GhostLevel=\"0\">\n    <PPointData>\n", vtu_mark);
  declare_fields(&text, result, false);
  buf_puts(&text, "    </PPointData>\n    <PCellData>\n");
  declare_fields(&text, result, true);
  if (result->mesh->region && result->mesh->nregions > 1) buf_puts(&text, "      <PDataArray type=\"Int32\" Name=\"region\" NumberOfComponents=\"1\"/>\n");
  buf_puts(&text, "    </PCellData>\n    <PPoints>\n      <PDataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"/>\n    </PPoints>\n");
  for (int r = 0; r < p->nranks; r++) {
    char *name = piece_name(path, r);
    buf_puts(&text, "    <Piece Source=\"");
    vtu_file_name(&text, name);
    buf_puts(&text, "\"/>\n");
    free(name);
  }
  buf_puts(&text, "  </PUnstructuredGrid>\n</VTKFile>\n");
  Status status = atomic_write(path, buf_str(&text), text.len, p->diags, p->span);
  buf_free(&text);
  return status;
}

static Status write_pieces(const Pieces *p, const char *path, int state) {
  char *name = piece_name(path, p->rank);
  Status status = vtu_check_ours(name, p->diags, p->span) || vtu_state(name, p->points, p->result, state, p->diags, p->span);
  free(name);
  TRY(agreed(p, status));
  return agreed(p, p->rank ? 0 : write_names(p, path));
}

static Status write_member(void *user, const char *name, int state) {
  const Pieces *p = user;
  TRY(agreed(p, p->rank ? 0 : vtu_check_ours(name, p->diags, p->span)));
  return write_pieces(p, name, state);
}

Status io_write_pvtu(const char *path, const IoResult *result, Diags *diags, Span span) {
  IoPoints points = {0};
  Pieces p = {.points = &points, .result = result, .diags = diags, .span = span};
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p.nranks);
  Status status = agreed(&p, io_check_finite(result, diags, span) || io_points_open(&points, result, diags, span));
  if (!status && result->nstates > 1) status = agreed(&p, vtu_series(path, "pvtu", result->nstates, result->times, write_member, &p, p.rank == 0, diags, span));
  if (!status) status = write_pieces(&p, path, result->nstates - 1);
  io_points_close(&points);
  return status;
}
