/* HDF5 prints its errors by itself: not while we call it. Its innermost message becomes a note of ours. */
#ifndef IO_H5_QUIET_H
#define IO_H5_QUIET_H
#include <hdf5.h>

#include "../lang/diag.h"

typedef struct IoH5Quiet { H5E_auto2_t handler; void *data; } IoH5Quiet;

static inline IoH5Quiet io_h5_quiet(void) {
  IoH5Quiet quiet;
  H5Eget_auto2(H5E_DEFAULT, &quiet.handler, &quiet.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return quiet;
}

static inline void io_h5_loud(IoH5Quiet quiet) {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, quiet.handler, quiet.data);
}

static inline herr_t io_h5_innermost(unsigned n, const H5E_error2_t *error, void *user) {
  if (n == 0 && error->desc) buf_puts(user, error->desc);
  return 0;
}

static inline void io_h5_quote(Diag *diag) {
  Buf text = {0};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, io_h5_innermost, &text);
  if (text.len) diag_note(diag, (Span){0, 0}, "HDF5 says: %s", buf_str(&text));
  buf_free(&text);
}

#endif
