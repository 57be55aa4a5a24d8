#include "trajectory_read.h"

#include <string.h>

#include "dataset_csv.h"

static const char *extension(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  return dot ? dot + 1 : "";
}

/* Columns come as inputs/NAME. */
static bool read_table(Host *host, const char *path, Span span, ArrayFile *file) {
  if (!dataset_csv_read(path, NULL, 0, &host->diags, span, file)) return false;
  for (int k = 0; k < file->n; k++) memmove(file->items[k].name, file->items[k].name + strlen("inputs/"), strlen(file->items[k].name + strlen("inputs/")) + 1);
  return true;
}

Status trajectory_read(Host *host, const char *path, const TrajectoryForm *form, Span span, Trajectory *out) {
  ArrayFile file = {0};
  TrajectoryForm own = *form;
  const char *kind = extension(path);
  bool fine = false;
  *out = (Trajectory){0};
  own.columns = !strcmp(kind, "csv");
  if (own.columns) fine = read_table(host, path, span, &file);
  else if (!strcmp(kind, "npz")) fine = !npz_read(path, &host->diags, span, &file);
  else if (!strcmp(kind, "h5") || !strcmp(kind, "hdf5")) {
    const EngineApi *api = host_engine_table(host, span);
    fine = api && !api->arrays_read(path, &host->diags, span, &file);
  } else diag_suggest(diag_report(&host->diags, E3153, span, "`%s` is no data file by its name", path), "trajectories are .h5, .npz or .csv");
  Status status = fine ? trajectory_from_arrays(&file, &own, path, &host->diags, span, out) : 1;
  arrays_free(&file);
  return status;
}
