/* Models that are not formulas: { process: "python3 predict.py"; timeout: 30 [s]; memory: 2e9 }, { library: "./p.so" }, { file: "cases.h5" }. */
#ifndef MODEL_FOREIGN_H
#define MODEL_FOREIGN_H
#include "map_value.h"

typedef struct ModelForeign {
  const char *kind;                  /* "process", "library", "file" */
  char *text;                        /* command, path, name of the file; NULL while checking where it is not known */
  char *directory;                   /* of the script, where programs start and names begin */
  double timeout, memory;            /* 0: not given */
  Span span;
} ModelForeign;

const char *model_foreign_kind(const Ast *block);      /* NULL: a formula */
bool model_foreign_read(Eval *ev, ModelValue *m, const Ast *block);      /* its clauses; false after a report */
/* Starts, loads, reads it for a map that is laid out so; NULL after a report. */
Predictor *model_foreign_open(Eval *ev, ModelValue *m, const MapSpec *spec);
void model_foreign_free(ModelForeign *foreign);

#endif
