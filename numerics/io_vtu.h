/* What VTU files and the collections of their pieces share. */
#ifndef IO_VTU_H
#define IO_VTU_H
#include "io_points.h"

extern const char vtu_mark[];     /* in every file, so that one of ours is known again */

/* One state as a .vtu file. */
Status vtu_state(const char *path, const IoPoints *points, const IoResult *result, int state, Diags *diags, Span span);
/* VTK knows scalars, vectors of 3 and tensors of 9: the components that a field is written with. */
int vtu_components(const NodalField *field);
/* As XML text; of a path its last part. */
void vtu_text(Buf *out, const char *text);
void vtu_file_name(Buf *out, const char *path);
/* The numbered files were not named by the user: one that is there must be an earlier one of ours (E2503). */
Status vtu_check_ours(const char *path, Diags *diags, Span span);
/* NAME_0000.EXTENSION ... by `member`, and where asked NAME.pvd, which names them with their times. */
typedef Status (*VtuMember)(void *user, const char *name, int state);
Status vtu_series(const char *path, const char *extension, int nstates, const double *times, VtuMember member, void *user, bool collection, Diags *diags, Span span);

#endif
