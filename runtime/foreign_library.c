/* A predictor that is a shared object with the functions of pde_predict.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "pde_predict.h"

enum { BATCH = 64, ERROR_SIZE = 500 };

typedef struct Library {
  Predictor base;
  PredictorOps ops;
  void *handle, *self;
  pde_predict_map map;
  char *path, *json;
  int *components;
  int (*predict)(void *, int, const double *, double *const *, char *, size_t);
  int (*pullback)(void *, int, const double *, const double *const *, double *, char *, size_t);
  void (*close)(void *);
} Library;

static int failed_with(const Library *lib, const char *doing, const char *said, char **error) {
  Buf text = {0};
  buf_printf(&text, "the library `%s` %s%s%s", lib->path, doing, *said ? ": " : "", said);
  *error = text.text;
  return 1;
}

static int library_predict(Predictor *self, int n, const double *rows, double *const *out, char **error) {
  Library *lib = (Library *)self;
  char said[ERROR_SIZE] = "";
  self->calls += n;
  if (!lib->predict(lib->self, n, rows, out, said, sizeof said)) return 0;
  said[sizeof said - 1] = 0;
  return failed_with(lib, "cannot predict", said, error);
}

static int library_pullback(Predictor *self, int n, const double *rows, const double *const *out_bar, double *rows_bar, char **error) {
  Library *lib = (Library *)self;
  char said[ERROR_SIZE] = "";
  if (!lib->pullback(lib->self, n, rows, out_bar, rows_bar, said, sizeof said)) return 0;
  said[sizeof said - 1] = 0;
  return failed_with(lib, "has no gradient", said, error);
}

static void library_free(Predictor *self) {
  Library *lib = (Library *)self;
  if (lib->self && lib->close) lib->close(lib->self);
  if (lib->handle) dlclose(lib->handle);
  free(lib->path);
  free(lib->json);
  free(lib->components);
  free(lib);
}

static void tell_map(Library *lib, const MapSpec *spec) {
  const Grid *grid = spec->grid;
  Buf text = {0};
  Json *json = foreign_map(spec);
  json_print(&text, json, NULL);
  json_free(json);
  lib->json = text.text;
  lib->components = calloc((size_t)spec->noutputs + 1, sizeof *lib->components);
  for (int o = 0; o < spec->noutputs; o++) lib->components[o] = spec->outputs[o].ncomp;
  int times = foreign_times(spec);
  lib->map = (pde_predict_map){.abi = PDE_PREDICT_ABI, .json = lib->json, .width = spec->width, .noutputs = spec->noutputs, .components = lib->components,
                               .dim = grid->mesh->dim, .nnodes = grid->nnodes, .nodes = grid->x, .ntimes = times, .times = times ? grid->t : NULL,
                               .ncells = grid->mesh->ncells, .cell_nodes = foreign_cell_nodes(spec), .cells = grid->cell_node};
}

/* dlsym gives an object pointer; POSIX says that it may be one of a function. */
static bool function(Library *lib, const char *name, void *to) {
  void *symbol = dlsym(lib->handle, name);
  memcpy(to, &symbol, sizeof symbol);
  return symbol != NULL;
}

static int load(Library *lib, char **error) {
  int (*abi)(void) = NULL, (*open)(const pde_predict_map *, void **, char *, size_t) = NULL;
  char said[ERROR_SIZE] = "";
  lib->handle = dlopen(lib->path, RTLD_NOW | RTLD_LOCAL);
  const char *why = lib->handle ? "" : dlerror();
  if (!lib->handle) return failed_with(lib, "cannot be loaded", why ? why : "", error);
  if (!function(lib, "pde_predict_abi", &abi) || !function(lib, "pde_predict_open", &open) || !function(lib, "pde_predict", &lib->predict) || !function(lib, "pde_predict_close", &lib->close))
    return failed_with(lib, "does not export pde_predict_abi, pde_predict_open, pde_predict and pde_predict_close", "", error);
  function(lib, "pde_predict_pullback", &lib->pullback);
  if (abi() != PDE_PREDICT_ABI) {
    snprintf(said, sizeof said, "its is %d, this program's %d; compile it with this version's pde_predict.h", abi(), PDE_PREDICT_ABI);
    return failed_with(lib, "was compiled for another version of the interface", said, error);
  }
  if (open(&lib->map, &lib->self, said, sizeof said)) {
    said[sizeof said - 1] = 0;
    lib->self = NULL;
    return failed_with(lib, "does not take the map", said, error);
  }
  return 0;
}

Status foreign_library(const MapSpec *spec, const char *path, const ForeignOptions *options, Predictor **out) {
  Library *lib = calloc(1, sizeof *lib);
  Buf full = {0};
  if (*path != '/') buf_printf(&full, "%s/", options->directory && *options->directory ? options->directory : ".");     /* without a slash it would be looked for elsewhere */
  buf_puts(&full, path);
  lib->path = full.text;
  tell_map(lib, spec);
  char *why = NULL;
  int failed = load(lib, &why);
  lib->ops = (PredictorOps){.kind = "library", .differentiable = lib->pullback != NULL, .batch = BATCH, .predict = library_predict,
                            .pullback = lib->pullback ? library_pullback : NULL, .free = library_free};
  lib->base = (Predictor){.ops = &lib->ops, .spec = spec};
  *out = &lib->base;
  if (!failed) return 0;
  diag_report(options->diags, E3150, options->span, "%s", why);
  free(why);
  library_free(*out);
  *out = NULL;
  return 1;
}
