/* Writing and reading results. A format is a row of io.def, chosen by the extension of the path. Writers take whole (undistributed)
 * meshes and plain arrays: under MPI gather first (io_gather.h) and call them on rank 0; those of rows in parts take the pieces of the ranks (io_piece.h) and are
 * called by all of them. Every file comes into being whole (atomic.h). */
#ifndef IO_H
#define IO_H
#include "../lang/diag.h"
#include "nodal.h"

/* States of some fields over one mesh. */
typedef struct IoResult {
  Mesh *mesh;                      /* borrowed; edges are numbered where an element needs them */
  NodalField *fields; int nfields; /* `values` of a field are not used: */
  int nstates;                     /* 1 for a steady result */
  const double *times;             /* [nstates], NULL: steady */
  const double *const *values;     /* [nstates*nfields]: of field f in state s at [s*nfields + f], [nnodes][ncomp] */
  const double *march; int nmarch;         /* numbers of how the last state of a transient result came to be, and the states and rates before it in the */
  int nhistory; const double *const *history;   /* layout of values: with them a run continues; n 0: none. Kept by save alone */
  const double *numbers; int nnumbers;          /* [nstates + nhistory][nnumbers] unknown numbers and multipliers of these states; kept by save alone */
  const char *length_unit, *time_unit;   /* "m", "s"; NULL: dimensionless */
  const char *source;              /* text of the pde, kept by save; NULL */
  void (*on_file)(void *user, const char *path);   /* told every file that was written; NULL */
  void *user;
} IoResult;

typedef struct IoRow {
  const char *extension;           /* "vtu" */
  Status (*write)(const char *path, const IoResult *result, Diags *diags, Span span);
  bool exports, saves;             /* for export(...), for save(...) and load(...) */
  bool parts;                      /* the writer is collective and takes a piece from each rank */
  const char *doc;
} IoRow;

extern const IoRow io_rows[];
extern const int io_row_count;

/* The row of the path's extension; NULL: none. */
const IoRow *io_row(const char *path);
/* Writes by extension; E2500 lists the extensions there are. */
Status io_export(const char *path, const IoResult *result, Diags *diags, Span span);

Status io_write_vtu(const char *path, const IoResult *result, Diags *diags, Span span);  /* last state; transient: also NAME.pvd and NAME_0000.vtu ... */
Status io_write_pvd(const char *path, const IoResult *result, Diags *diags, Span span);  /* NAME.pvd and NAME_0000.vtu ... */
Status io_write_pvtu(const char *path, const IoResult *result, Diags *diags, Span span); /* collective */
Status io_write_csv(const char *path, const IoResult *result, Diags *diags, Span span);
Status io_write_xdmf(const char *path, const IoResult *result, Diags *diags, Span span); /* and NAME.xdmf.h5 */

/* HDF5. Exact: what io_load returns has the same bits. */
Status io_save(const char *path, const IoResult *result, Diags *diags, Span span);

/* A loaded file; everything in it is owned by it but the mesh, which is counted (retain it to keep it). */
typedef struct IoLoaded {
  IoResult result;
  struct IoMemory *memory;
} IoLoaded;
Status io_load(const char *path, Interner *names, Diags *diags, Span span, IoLoaded *out);
void io_loaded_free(IoLoaded *loaded);

#endif
